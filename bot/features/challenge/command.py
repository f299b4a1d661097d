"""Challenge, on a person: a lobby for two, in the game that the two last played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import discord
from discord import app_commands

from bot import presenters
from bot.core.errors import Refused
from bot.features.challenge.handlers import answers
from bot.features.table import call_people, find_room, open_lobby
from bot.locales import words
from bot.store import queries
from bot.store.games import StoredGame
from bot.table.people.friendly_games import was_chosen_friendly
from bot.table.registry import Tables
from bot.ui.app import Connected, Interaction
from bot.ui.context import Answer
from bot.ui.effective_settings import games_of, server_here
from bot.ui.rights import out_of_sight
from engine import catalog
from engine.game import Value

TWO = 2


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the command on the tree."""
    tree.add_command(challenge)


@app_commands.context_menu(name=words("en")("challenge.name"))
@app_commands.allowed_installs(guilds=True, users=False)
@app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)
async def challenge(interaction: Interaction, person: discord.User) -> None:
    """Open a lobby for the two, and call the other in the way that they chose."""
    answer = Answer.to(interaction)
    if person.id == answer.user_id:
        raise Refused("challenge_self")
    if person.bot:
        raise Refused("challenge_bot")
    if not isinstance(person, discord.Member):
        raise Refused("challenge_gone")
    if out_of_sight(interaction, [person.id]):
        raise Refused("challenge_unseen", user=person.id)
    match = await _match(answer, person.id)
    await find_room(answer, match.game, match.clock)  # refuse before anyone counts as called
    contacts = answer.service(Tables).contacts
    await contacts.must_ask(answer.user_id, [person.id])
    try:
        table = await open_lobby(
            answer,
            match.game,
            options=match.options,
            clock=match.clock,
            house_rules=match.house_rules,
            access="invited",
            guests=(person.id,),
            seats=TWO,
            friendly=match.friendly,
            order=(answer.user_id, person.id),  # dealt as soon as the other takes it up
        )
    except BaseException:
        # for example, they have as many lobbies as they may
        await contacts.take_back(answer.user_id, [person.id])
        raise
    controls = answers(table, person.id)
    called, key = [person.id], "lobby.challenge"
    await call_people(answer, table, called, key, controls, expired_key="challenge.lapsed")


@dataclass(frozen=True, slots=True)
class _Match:
    """The game that two people are to play; `clock`: None for what is usual here; `house_rules` is the name
    under which the options are saved; `friendly`: it changes no ratings."""

    game: str
    options: Mapping[str, Value]
    clock: int | None = None
    house_rules: str = ""
    friendly: bool = False


async def _match(answer: Answer, other: int) -> _Match:
    """What these two last played, else what the challenger last played, else the first game for two that may
    be opened here.

    Raises:
        Refused: no game for two may be opened here.
    """
    database = answer.app.database
    last = await database.read_at_once(lambda c: queries.last_together(c, answer.user_id, other))
    alone = None if last else await database.read_at_once(lambda c: queries.last_played(c, answer.user_id))
    open_here = games_of(await server_here(answer))
    for stored in filter(None, (last, alone and alone[0])):
        if stored.game in open_here and (match := _as_before(stored)):
            return match
    found = next(_for_two(open_here), None)
    if found is None:
        raise Refused("challenge_no_game")
    return found


def _as_before(stored: StoredGame) -> _Match | None:
    """The same again where two can play it so, else by the usual options; None where two cannot."""
    game = catalog.get(stored.game)
    options = {**game.defaults(), **stored.options}
    same = options.keys() == game.defaults().keys()
    if same and TWO in game.seats(options) and not game.held_by_one(options):
        agreed = stored.terms
        clock = None if agreed.hand_only else agreed.clock
        return _Match(stored.game, options, clock, agreed.house_rules, friendly=was_chosen_friendly(agreed))
    return next(_for_two((stored.game,)), None)


def _for_two(games: tuple[str, ...]) -> Iterator[_Match]:
    """Yield the games that two can play, those that the deal decides last."""
    usual = {key: catalog.get(key).defaults() for key in games if presenters.offers(key)}
    found = [key for key, options in usual.items() if TWO in catalog.get(key).seats(options)]
    for key in sorted(found, key=lambda key: catalog.get(key).decided_by_deal(TWO, usual[key])):
        yield _Match(key, {})
