"""Tables that are dealt at once: a person's usual deal, or a rematch against opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from sqlalchemy import Connection

from bot import presenters
from bot.features.table import find_room, option_names
from bot.locales import words
from bot.store import queries
from bot.store.games import Sitter, StoredGame
from bot.table.game_runner import steady
from bot.table.opener import TableOpener
from bot.table.table import Table
from bot.ui.context import Answer
from bot.ui.names import plain
from engine import catalog
from engine.game import Setup, Value


@dataclass(frozen=True, slots=True)
class Deal:
    """The setup of a table that is dealt at once.

    The options, the levels of the opponents in seat order, the turn clock (None for the usual one), and
    whether there are hints.
    """

    options: Mapping[str, Value]
    levels: tuple[str, ...]
    clock: int | None = None
    hints: bool = True


def first_deal(key: str) -> Deal:
    """Return the deal for a person who has never played this game: its gentlest options and opponents."""
    game, poster = catalog.get(key), presenters.get(key).poster
    options = {**game.defaults(), **poster.options}
    seats = poster.seats or game.usual_seats(options)
    return Deal(options, game.levels[:1] * (seats - 1))


async def usual_deals(answer: Answer, games: Sequence[str]) -> dict[str, Deal]:
    """Return the deal of **Play now** for each game: the person's last setup, else the gentlest deal."""
    user_id = answer.user_id

    def read(connection: Connection) -> dict[str, Deal]:
        deals = dict[str, Deal]()
        for game in games:
            last = queries.last_set_up(connection, user_id, game)
            deals[game] = (last and last_deal(game, *last, user_id)) or first_deal(game)
        return deals

    return await answer.app.database.read_at_once(read)


def as_last_time(key: str, deal: Deal, locale: str) -> str:
    """Return the options and opponents of a deal in words, or nothing for the gentlest deal."""
    if (deal.options, deal.levels) == (first_deal(key).options, first_deal(key).levels):
        return ""
    say, presenter = words(locale), presenters.get(key)
    parts = option_names(catalog.get(key), deal.options, say)
    if deal.levels:
        levels = [presenter.level(level, locale) for level in dict.fromkeys(deal.levels)]
        names = say("table.comma").join(levels)
        parts.append(say("poster.opponents", n=len(deal.levels), level=names))
    return say("poster.as_last_time", what=" · ".join(parts))


def last_deal(key: str, stored: StoredGame, sitters: Sequence[Sitter], user_id: int) -> Deal | None:
    """Return the deal of a table the person set up, or None if the current rules do not allow it.

    The usual opponent takes the seats of other people. More opponents join if the deal would decide such a
    game.
    """
    game = catalog.get(key)
    others = [sitter for sitter in sitters if sitter.user_id != user_id]
    levels = tuple(
        other.level if other.level and other.level in game.opponents else steady(game) for other in others
    )
    options = {**game.defaults(), **stored.options}
    seats = len(sitters)
    levels = tuple(game.level_in(level, seats, options) for level in levels)
    if options.keys() != game.defaults().keys() or game.check(Setup(key, game.version, seats, options, b"")):
        return None
    if game.decided_by_deal(seats, options):
        levels += (levels[-1] if levels else steady(game),) * (game.usual_seats(options) - seats)
    clock = None if stored.terms.hand_only else stored.terms.clock
    return Deal(options, levels, clock, stored.terms.hints)


def plays_in_hand(answer: Answer) -> bool:
    """Return whether this person's solo games here are played in the hand only."""
    return answer.prefs.hand_only and answer.interaction.guild_id is not None


async def open_usual_table(answer: Answer, game: str) -> tuple[Table, str]:
    """Open a table for this person and opponents, as `usual_deals` says. The caller starts it.

    Return the table and a line about the deal, which is empty for the gentlest deal.

    Raises:
        Refused: the bot is not a member of this server, or such a table may not be opened here,
            or there are too many.
        MissingPermissions: the bot may not post tables in this channel.
    """
    user_id, interaction = answer.user_id, answer.interaction
    deal = (await usual_deals(answer, [game]))[game]
    room = await find_room(answer, game, deal.clock, hints=deal.hints, hand_only=plays_in_hand(answer))
    name = plain(interaction.user.display_name)
    free_names = [each for each in words(room.locale).list("opponent.names") if each != name]
    names = answer.app.chance.sample(free_names, len(deal.levels))
    table = await answer.service(TableOpener).open_lobby(
        game,
        host_id=user_id,
        host_name=name,
        entropy=interaction.id,
        channel_id=room.channel_id,
        guild_id=interaction.guild_id,
        locale=room.locale,
        options=deal.options,
        terms=replace(room.terms, thread=room.thread_for(room.access), access=room.access),
        opponents=[Sitter(opponent, level=level) for opponent, level in zip(names, deal.levels, strict=True)],
    )
    return table, as_last_time(game, deal, answer.locale)


async def open_rematch(answer: Answer, table: Table) -> Table:
    """Open a table like this one of a solo player: the same opponents, the seats rotated by one.

    The caller starts it.

    Raises: as `open_usual_table`.
    """
    interaction, sitters = answer.interaction, rotated(table.sitters)
    terms = table.stored.terms
    clock = None if terms.hand_only else terms.clock
    room = await find_room(answer, table.game.key, clock, hints=terms.hints, hand_only=plays_in_hand(answer))
    own_seat = next(seat for seat, sitter in enumerate(sitters) if sitter.user_id == answer.user_id)
    return await answer.service(TableOpener).open_lobby(
        table.game.key,
        host_id=answer.user_id,
        host_name=plain(interaction.user.display_name),
        entropy=interaction.id,
        channel_id=room.channel_id,
        guild_id=interaction.guild_id,
        locale=room.locale,
        options=table.stored.options,
        terms=replace(
            room.terms,
            house_rules=terms.house_rules,
            thread=room.thread_for(terms.access),
            access="open" if room.terms.hand_only else terms.access,
        ),
        opponents=[sitter for sitter in sitters if sitter.level],
        host_at=0 if table.held_by_one else own_seat,
    )


def rotated(sitters: Sequence[Sitter]) -> list[Sitter]:
    """Return the sitters moved by one seat, so that another player begins."""
    return [*sitters[1:], *sitters[:1]]
