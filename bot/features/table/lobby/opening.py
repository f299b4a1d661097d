"""Opening a table: a lobby from /play or **Play again**, or one that is dealt at once."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import discord
import structlog
from msgspec.structs import replace
from sqlalchemy import Connection

from bot import presenters
from bot.core.errors import Refused
from bot.features.table.hand.handlers import open_hand
from bot.features.table.lobby.messages import option_names
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.table.publishing.threads import dealt_in, thread_beside, thread_under
from bot.locales import words
from bot.store import queries
from bot.store.database import StoreError
from bot.store.games import Sitter, StoredGame
from bot.store.terms import DAY, Access, Terms
from bot.table import lobby
from bot.table.game_runner import steady
from bot.table.table import Table
from bot.table.table_kinds import NOWHERE, is_hand_only
from bot.ui import rights
from bot.ui.components import page
from bot.ui.context import Answer, Pressed
from bot.ui.discord_errors import NOT_DONE, MissingPermissions, missing_permissions, reason
from bot.ui.effective_settings import games_of, opening_here, public_locale, server_here
from bot.ui.names import plain
from bot.ui.outbox import Place
from engine import catalog
from engine.game import Setup, Value

log = structlog.get_logger(__name__)

POSTED_SECONDS = 1.0
"""Seconds for which a hand waits until its table is posted above it."""
THREAD_POSTED_SECONDS = 2.0
"""Seconds for which a lobby waits until its table is posted in the thread to which it leads."""


async def open_lobby(
    answer: Answer,
    game: str,
    *,
    options: Mapping[str, Value],
    clock: int | None = None,
    hints: bool = True,
    opponents: Sequence[Sitter] = (),
    order: Sequence[int] = (),
    house_rules: str = "",
    access: Access | None = None,
    guests: Sequence[int] = (),
    seats: int = 0,
    seeks: bool = False,
    friendly: bool = False,
    counting: Sequence[int] = (),
) -> Table:
    """Answer with a new lobby in which the person sits as host; `clock` are the seconds of a turn,
    None for as many as here is usual; `hints` says whether who plays alone may ask for some.

    `opponents` take seats at once; `order` is how those of an earlier table sit again, see `Terms`;
    `house_rules` is the name of those that the options are; `access` and `guests` say who may sit down, None
    for what is usual here; `seats`: how many may sit down, 0 for as many as the game takes; `seeks`: people
    are sought for it; `friendly` says whether it changes no ratings, `counting` who agreed that it counts.

    Raises:
        Refused: the bot is no member of this server, or such a table may not be opened here.
        MissingPermissions: it may not post tables in this channel.
        IllegalSetup: the options do not go together.
    """
    here = await room(answer, game, clock, hints=hints)
    interaction = answer.interaction
    table = await answer.tables.new(
        game,
        host_id=answer.user_id,
        host_name=plain(interaction.user.display_name),
        entropy=interaction.id,
        channel_id=here.channel_id,
        guild_id=interaction.guild_id,
        locale=here.locale,
        options=options,
        terms=replace(
            here.terms,
            order=tuple(order),
            house_rules=house_rules,
            thread=here.thread_for(access or here.access),
            access=access or here.access,
            guests=tuple(guests),
            seats=seats,
            seeks=seeks,
            friendly=friendly,
            counting=tuple(counting),
        ),
        opponents=opponents,
    )
    publisher = answer.app.service(TablePublisher)
    # from here on the lobby has a message: this answer, or one that is posted where the answer is lost
    async with publisher.answering(table) as showing:
        message_id = await answer.public(await showing.message())
        if message_id is not None:
            now = publisher.outbox.clock.now()
            await showing.adopt(Place(here.channel_id, interaction.guild_id, message_id, now))
    return table


@dataclass(frozen=True, slots=True)
class Deal:
    """What is dealt at once: the options, the levels of the opponents in seat order, the turn clock (None for
    the usual one), and whether there are hints."""

    options: Mapping[str, Value]
    levels: tuple[str, ...]
    clock: int | None = None
    hints: bool = True


def first_deal(key: str) -> Deal:
    """For who has never played this game: its gentlest options and opponents."""
    game, poster = catalog.get(key), presenters.get(key).poster
    options = {**game.defaults(), **poster.options}
    seats = poster.seats or game.usual_seats(options)
    return Deal(options, game.levels[:1] * (seats - 1))


async def usual_deals(answer: Answer, games: Sequence[str]) -> dict[str, Deal]:
    """Return what **Play now** deals this person: as they last set a game up, else its gentlest form."""
    user_id = answer.user_id

    def read(connection: Connection) -> dict[str, Deal]:
        found = dict[str, Deal]()
        for game in games:
            last = queries.last_set_up(connection, user_id, game)
            found[game] = (last and last_deal(game, *last, user_id)) or first_deal(game)
        return found

    return await answer.tables.database.read_at_once(read)


def as_last_time(key: str, deal: Deal, locale: str) -> str:
    """Return the options and opponents of a deal in words, or nothing for the gentlest one."""
    if (deal.options, deal.levels) == (first_deal(key).options, first_deal(key).levels):
        return ""
    say, presenter = words(locale), presenters.get(key)
    told = option_names(catalog.get(key), deal.options, say)
    if deal.levels:
        levels = [presenter.level(level, locale) for level in dict.fromkeys(deal.levels)]
        named = say("table.comma").join(levels)
        told.append(say("poster.opponents", n=len(deal.levels), level=named))
    return say("poster.as_last_time", what=" · ".join(told))


def last_deal(key: str, stored: StoredGame, sitters: Sequence[Sitter], user_id: int) -> Deal | None:
    """Return the deal of a table the person set up, with the usual opponent in the seats of other people.
    More opponents join if the deal would decide such a game. Return None if the rules have changed and it can
    no longer be played."""
    game = catalog.get(key)
    others = [sitter for sitter in sitters if sitter.user_id != user_id]
    levels = tuple(who.level if who.level and who.level in game.opponents else steady(game) for who in others)
    options = {**game.defaults(), **stored.options}
    seats = len(sitters)
    levels = tuple(game.level_in(level, seats, options) for level in levels)
    if options.keys() != game.defaults().keys() or game.check(Setup(key, game.version, seats, options, b"")):
        return None
    if game.decided_by_deal(seats, options):
        levels += (levels[-1] if levels else steady(game),) * (game.usual_seats(options) - seats)
    clock = None if stored.terms.hand_only else stored.terms.clock
    return Deal(options, levels, clock, stored.terms.hints)


async def open_usual_table(answer: Answer, game: str) -> tuple[Table, str]:
    """Open a table for this person and opponents, as `usual_deals` says. The caller starts it.

    Return the table, and a line that tells what is dealt, which is empty for the gentlest deal.

    Raises:
        Refused: the bot is no member of this server, such a table may not be opened here, or there are as
            many as there may be.
        MissingPermissions: it may not post tables in this channel.
    """
    user_id, interaction = answer.user_id, answer.interaction
    deal = (await usual_deals(answer, [game]))[game]
    here = await room(answer, game, deal.clock, hints=deal.hints, hand_only=plays_in_hand(answer))
    name = plain(interaction.user.display_name)
    free = [each for each in words(here.locale).list("opponent.names") if each != name]
    names = answer.app.chance.sample(free, len(deal.levels))
    table = await answer.tables.new(
        game,
        host_id=user_id,
        host_name=name,
        entropy=interaction.id,
        channel_id=here.channel_id,
        guild_id=interaction.guild_id,
        locale=here.locale,
        options=deal.options,
        terms=replace(here.terms, thread=here.thread_for(here.access), access=here.access),
        opponents=[Sitter(who, level=level) for who, level in zip(names, deal.levels, strict=True)],
    )
    return table, as_last_time(game, deal, answer.locale)


async def open_rematch(answer: Answer, table: Table) -> Table:
    """Open a table like this one of a single player: the same opponents, the seats rotated by one.

    The caller starts it.

    Raises: as `open_usual_table`.
    """
    interaction, sitters = answer.interaction, rotated(table.sitters)
    before = table.stored.terms
    clock = None if before.hand_only else before.clock
    here = await room(answer, table.game.key, clock, hints=before.hints, hand_only=plays_in_hand(answer))
    at = next(seat for seat, sitter in enumerate(sitters) if sitter.user_id == answer.user_id)
    return await answer.tables.new(
        table.game.key,
        host_id=answer.user_id,
        host_name=plain(interaction.user.display_name),
        entropy=interaction.id,
        channel_id=here.channel_id,
        guild_id=interaction.guild_id,
        locale=here.locale,
        options=table.stored.options,
        terms=replace(
            here.terms,
            house_rules=before.house_rules,
            thread=here.thread_for(before.access),
            access="open" if here.terms.hand_only else before.access,
        ),
        opponents=[sitter for sitter in sitters if sitter.level],
        host_at=0 if table.held_by_one else at,
    )


def rotated(sitters: Sequence[Sitter]) -> list[Sitter]:
    """Everybody one seat further, so that another begins."""
    return [*sitters[1:], *sitters[:1]]


async def start_and_show(pressed: Pressed, table: Table, *, greeting: str = "") -> None:
    """Start a table that has just been opened, and show it to everyone with the person's hand below it.

    The greeting stands above the hand until they press. If tables here open threads, the table is in one.
    A table that only the hand shows is shown to no one else.
    """
    if is_hand_only(table):
        await lobby.start(table, pressed.user_id)
        greeting = f"{greeting}\n{pressed.say('hand.yours_alone')}".strip()
        await open_hand(pressed, table, table.seats_of(pressed.user_id)[0], greeting=greeting)
        return
    thread = None
    async with pressed.app.service(TablePublisher).answering(table):
        await lobby.start(table, pressed.user_id)
        if table.stored.terms.thread:
            thread = await thread_beside(pressed, table)
    if thread is not None:
        greeting = f"{greeting}\n{pressed.say('lobby.in_thread', thread=thread.mention)}".strip()
    await show_table_and_hand(pressed, table, greeting=greeting)


async def show_table_and_hand(pressed: Pressed, table: Table, *, greeting: str = "") -> None:
    """Show everyone a table that was just dealt, and the person their hand below it."""
    publisher = pressed.app.service(TablePublisher)
    # the hand lies below the table then; where that takes long, or fails, the hand comes first and says so
    with suppress(TimeoutError, StoreError, *NOT_DONE):
        async with asyncio.timeout(POSTED_SECONDS):
            await publisher.ensure_posted(table)
    await open_hand(pressed, table, table.seats_of(pressed.user_id)[0], greeting=greeting)


@dataclass(frozen=True, slots=True)
class Room:
    """Where a new table stands: its channel, the language in which it speaks to everybody, its terms; of a
    lobby, whether it opens a thread when it starts and who may sit down; whether a thread can be hidden."""

    channel_id: int
    locale: str
    terms: Terms
    thread: bool
    access: Access
    hides: bool

    def thread_for(self, access: Access) -> bool:
        """Whether a lobby opens a thread; a private one does where that thread can be hidden."""
        return self.hides if access == "private" else self.thread


def plays_in_hand(answer: Answer) -> bool:
    """Return whether this person's games alone are played in the hand only, here."""
    return answer.prefs.hand_only and answer.interaction.guild_id is not None


async def room(
    answer: Answer,
    game: str,
    clock: int | None,
    *,
    hints: bool = True,
    posts: bool = True,
    hand_only: bool = False,
) -> Room:
    """Return the place and the terms of a new table of this game; `clock`: None for the usual one.

    With `posts` the press posts it now. With `hand_only` nothing is posted and no clock runs, since no one
    else plays.

    Raises:
        Refused: the bot is no member of this server, or such a table may not be opened here.
        MissingPermissions: it may not post tables in this channel.
    """
    interaction = answer.interaction
    channel = interaction.channel
    if interaction.is_user_integration() and not interaction.is_guild_integration() and interaction.guild_id:
        raise Refused("need_guild_install")
    if interaction.guild_id is None and interaction.context.private_channel:
        raise Refused("need_guild_install")
    server = await server_here(answer)
    rights.must_open(interaction, game, server, games_of(server), answer.locale, posts=not hand_only)
    if hand_only:
        alone = Terms(hints=hints, hand_only=True)
        return Room(NOWHERE, answer.locale, alone, thread=False, access="open", hides=False)
    in_thread = isinstance(channel, discord.Thread)
    if interaction.guild_id is not None and (
        missing := missing_permissions(interaction.app_permissions, in_thread=in_thread)
    ):
        raise MissingPermissions(missing)
    if interaction.channel_id is None:
        raise Refused("need_guild_install")
    if posts:
        answer.claim_post()
    usual = await opening_here(answer)
    seconds = next(known for known in (clock, usual.clock, DAY) if known is not None)
    # a setting never keeps anybody from playing: where the bot may open no thread, the table stays here
    thread = bool(usual.thread) and not in_thread
    thread = thread and not missing_permissions(interaction.app_permissions, thread=True)
    terms = Terms(clock=seconds, hints=hints, in_thread=in_thread)
    in_server = interaction.guild_id is not None
    access: Access = usual.access or "open" if in_server else "open"
    hides = in_server and not in_thread and rights.can_hide(interaction)
    return Room(interaction.channel_id, await public_locale(answer), terms, thread, access, hides)


async def deal_if_complete(pressed: Pressed, table: Table) -> bool:
    """Deal once everyone is there, in a thread under the lobby if the table opens one.

    Return whether it opened one; then the interaction is answered, and the lobby links to the thread. If
    Discord opens none, the game continues in the channel of the lobby.

    Raises:
        Refused, StoreError: as `bot.table.lobby.deal_if_complete`.
    """
    stored, publisher = table.stored, pressed.app.service(TablePublisher)
    if not stored.terms.thread or stored.message_id is None or not lobby.is_complete(table):
        await lobby.deal_if_complete(table)
        return False
    board = publisher.outbox.channel(Place(stored.channel_id, stored.guild_id))
    below = board.get_partial_message(stored.message_id)
    async with publisher.answering(table):  # until there is a thread nothing shows it
        if not await lobby.deal_if_complete(table):
            return False
        with suppress(*NOT_DONE):  # the answer is lost, but nothing else
            await pressed.acknowledge()
        thread = await thread_under(pressed, table, below)
    if thread is None:
        return False
    with suppress(TimeoutError, StoreError, *NOT_DONE):  # so that whoever is told can be led to it
        async with asyncio.timeout(THREAD_POSTED_SECONDS):
            await publisher.ensure_posted(table)
    await publisher.outbox.token(pressed=True)
    try:
        await below.edit(view=page(dealt_in(pressed, table, thread)).view, attachments=[])
    except NOT_DONE as error:
        log.info("lobby does not lead to its thread", table=table.id, why=reason(error))
    return True
