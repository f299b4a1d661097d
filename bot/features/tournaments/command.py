"""/tournament: create, join, leave, start, bracket or standings, report, cancel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import get_args

import discord
from discord import app_commands

from bot import presenters
from bot.core.errors import Refused, Titles
from bot.features.house_rules.rules_option import offer_rules, rules_asked
from bot.features.table import clock_words
from bot.features.tournaments.correction_handlers import ask_to_note, ask_to_readmit
from bot.features.tournaments.handlers import (
    announce,
    ask_to_call_off,
    ask_to_remove,
    ask_to_withdraw,
)
from bot.features.tournaments.match_results import OPEN, is_result
from bot.features.tournaments.messages import tournament_message
from bot.features.tournaments.rights import (
    ORGANISER,
    READMITTER,
    Participant,
    claim_notice,
    is_in_sight,
    must_be_here,
    to_look_at,
)
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament, taking_part
from bot.locales import Words, words
from bot.presenters.voice import clipped
from bot.store.personal_data.privacy import is_nobody
from bot.store.terms import DAY, tournament_terms
from bot.typed_names import matches_typed, named
from bot.ui import rights
from bot.ui.app import Connected, Interaction
from bot.ui.commands.autocomplete import Choices, completes
from bot.ui.commands.command_translations import choice
from bot.ui.commands.game_option import known_game, offer
from bot.ui.commands.typed_options import offered_options, read_options
from bot.ui.context import Answer
from bot.ui.discord_errors import MissingPermissions, missing_permissions
from bot.ui.effective_settings import games_of, public_locale, server_here
from bot.ui.names import inert, plain, shown
from engine import catalog
from engine.brackets import BracketError, Kind, Match
from engine.game import Value

say = words("en")
DRAWN, UNPLAYED = "drawn", "unplayed"
CLOCKS = (60, 180, 300, 900, 3600, 43_200, DAY, 3 * DAY, 7 * DAY)
"""The turn clocks that matches can have, in seconds."""
HURRIED = (900, 3600, 43_200, DAY)
"""The turn clocks that a hurried match can have, in seconds."""
MOST_MINUTES = 7 * 1440
"""The most minutes to come to a match."""
MOST_ROUNDS = 15
"""The most rounds that a Swiss tournament may be asked to have."""
group = app_commands.Group(
    name="tournament",
    description=say("command.tournament"),
    allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
)


def for_two() -> list[str]:
    """The games that two can play."""
    return [key for key in presenters.offered() if 2 in catalog.get(key).seats(catalog.get(key).defaults())]


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the group on the tree."""
    offer(create, for_two())
    tree.add_command(group)


def _of_guild(answer: Answer) -> list[Tournament]:
    """Return the open and running tournaments of this server that the person can see."""
    every = answer.service(Tournaments).of_guild(must_be_here(answer.interaction.guild_id))
    return [tournament for tournament in every if is_in_sight(answer.interaction, tournament)]


async def _recent(answer: Answer) -> list[Tournament]:
    """Return the tournaments of this server whose results can be changed and that the person can see."""
    every = await answer.service(Tournaments).recent(must_be_here(answer.interaction.guild_id))
    return [tournament for tournament in every if is_in_sight(answer.interaction, tournament)]


def _which(answer: Answer, number: int | None) -> Tournament:
    """The tournament of that number, or the newest of this server.

    Raises:
        Refused: there is none here.
    """
    here = _of_guild(answer)
    found = [tournament for tournament in here if number in (None, tournament.id)]
    if not found:
        raise Refused("no_tournament", tournament=number) if number else Refused("no_tournament_here")
    return found[0]


async def _which_recent(answer: Answer, number: int | None) -> Tournament:
    """The tournament of that number, or the newest of this server whose results can still be changed.

    Raises:
        Refused: this server has none.
        StoreError: it could not be read.
    """
    if number is not None:
        return await to_look_at(answer, number)
    recent = await _recent(answer)
    return recent[0] if recent else _which(answer, None)


@group.command(name="create", description=say("command.tournament_create"))
@app_commands.describe(
    name=say("command.tournament_name"),
    game=say("command.which_game"),
    kind=say("command.tournament_kind"),
    rounds=say("command.tournament_rounds"),
    seeding=say("command.tournament_seeding"),
    minutes=say("command.tournament_minutes"),
    clock=say("command.tournament_clock"),
    holidays=say("command.tournament_holidays"),
    option=say("command.tournament_option"),
    rules=say("command.play_rules"),
)
@app_commands.choices(
    kind=[choice(f"tournament.kind_{key}", key) for key in get_args(Kind)],
    clock=[choice(f"tournament.clock_{seconds}", str(seconds)) for seconds in CLOCKS],
    seeding=[choice(f"tournament.seeding_{key}", key) for key in ("rating", "random")],
)
async def create(  # noqa: PLR0917 - the options of a slash command
    interaction: Interaction,
    name: app_commands.Range[str, 1, 60],
    game: str,
    kind: str = "single",
    rounds: app_commands.Range[int, 0, MOST_ROUNDS] = 0,
    seeding: str = "random",
    minutes: app_commands.Range[int, 1, MOST_MINUTES] = 15,
    option: str = "",
    rules: str = "",
    clock: str = str(DAY),
    holidays: bool = False,
) -> None:
    """Announce a tournament in this channel, by house rules where some are named; options go before these."""
    answer = Answer.to(interaction)
    guild_id = must_be_here(interaction.guild_id)
    if missing := missing_permissions(
        interaction.app_permissions, thread=True, in_thread=isinstance(interaction.channel, discord.Thread)
    ):
        raise MissingPermissions(missing)
    if game not in for_two():
        raise Refused("not_for_two", game=Titles((known_game(game),)))
    server = await server_here(answer)
    rights.must_open(interaction, game, server, games_of(server), answer.locale)
    answer.claim_post()
    by, options = await rules_asked(answer, game, rules) if rules else None, read_options(game, option)
    if by is not None:
        options = {**by.options, **options}
    tournament = await answer.service(Tournaments).create(
        name=plain(name),
        game=game,
        options=options,
        terms=tournament_terms(
            {
                "kind": kind,
                "rounds": rounds if kind == "swiss" else 0,
                "seeding": seeding,
                "no_show": minutes,
                "clock": int(clock) if clock in map(str, CLOCKS) else DAY,
                "no_holidays": not holidays,
                "house_rules": by.name if by is not None and options == by.options else "",
            }
        ),
        guild_id=guild_id,
        channel_id=interaction.channel_id or 0,
        host_id=interaction.user.id,
        locale=await public_locale(answer),
    )
    await announce(answer, tournament)


@group.command(name="join", description=say("command.tournament_join"))
@app_commands.describe(number=say("command.tournament_number"))
async def join(interaction: Interaction, number: int | None = None) -> None:
    """Take part."""
    answer = Answer.to(interaction)
    tournament = _which(answer, number)
    await answer.service(Tournaments).join(
        tournament, interaction.user.id, plain(interaction.user.display_name)
    )
    await answer.tell(answer.say("tournament.joined", name=shown(tournament.stored.name)))


@group.command(name="leave", description=say("command.tournament_leave"))
@app_commands.describe(number=say("command.tournament_number"))
async def leave(interaction: Interaction, number: int | None = None) -> None:
    """Take part no longer."""
    answer = Answer.to(interaction)
    tournament = _which(answer, number)
    if tournament.bracket is not None and any(e.user_id == answer.user_id for e in tournament.entrants):
        await ask_to_withdraw(answer, tournament)
        return
    await answer.service(Tournaments).leave(tournament, interaction.user.id)
    await answer.tell(answer.say("tournament.left", name=shown(tournament.stored.name)))


@group.command(name="start", description=say("command.tournament_start"))
@app_commands.describe(number=say("command.tournament_number"))
async def start(interaction: Interaction, number: int | None = None) -> None:
    """Close the entries and begin."""
    answer = Answer.to(interaction)
    tournament = _which(answer, number)
    await ORGANISER.must_include(answer, tournament)
    await answer.service(Tournaments).start(tournament)
    await answer.tell(answer.say("tournament.started", name=shown(tournament.stored.name)))


@group.command(name="bracket", description=say("command.tournament_bracket"))
@app_commands.describe(number=say("command.tournament_number"))
async def bracket(interaction: Interaction, number: int | None = None) -> None:
    """Show the bracket, to oneself; by its number also that of a tournament that is over."""
    answer = Answer.to(interaction)
    tournament = await to_look_at(answer, number) if number else _which(answer, None)
    await answer.private(tournament_message(tournament, answer.locale))


@group.command(name="report", description=say("command.tournament_report"))
@app_commands.describe(
    match=say("command.tournament_match"),
    winner=say("command.tournament_winner"),
    walkover=say("command.tournament_walkover"),
    number=say("command.tournament_number"),
)
async def report(
    interaction: Interaction,
    match: str,
    winner: str,
    walkover: bool = False,
    number: int | None = None,
) -> None:
    """Note or correct the result of a match; asks first. The loser of a walkover did not come, nor did either
    player of a drawn one."""
    answer = Answer.to(interaction)
    tournament = await _which_recent(answer, number)
    await ORGANISER.must_include(answer, tournament)
    if winner == UNPLAYED:
        result = OPEN
    elif winner == DRAWN:
        result = "n" if walkover else "d"
    else:
        result = f"{'x' if walkover else 'w'}{_player(tournament, match, winner)}"
    bracket = answer.service(Tournaments).corrections.check(tournament)
    if not is_result(result):
        players = list(bracket.match(match).players)
        raise BracketError("not_in_match", match=match, player=winner, players=players)
    await ask_to_note(answer, tournament, match, result)


@group.command(name="readmit", description=say("command.tournament_readmit"))
@app_commands.describe(player=say("command.tournament_withdrawn"), number=say("command.tournament_number"))
async def readmit(interaction: Interaction, player: str = "", number: int | None = None) -> None:
    """Take a withdrawal back, that of the person who asks if no player is named; asks first."""
    answer = Answer.to(interaction)
    tournament = await _which_recent(answer, number)
    gone = _withdrawn(tournament)
    name = player or str(answer.user_id)
    found = [user for user in gone if name in (user, gone[user])]
    if len(found) != 1:
        raise Refused(
            "not_withdrawn", name=inert(clipped(player or plain(interaction.user.display_name), 50))
        )
    user_id = int(found[0])
    await READMITTER.must_include(answer, Participant(tournament, user_id))
    await ask_to_readmit(answer, tournament, user_id)


@group.command(name="hurry", description=say("command.tournament_hurry"))
@app_commands.describe(
    match=say("command.tournament_match"),
    clock=say("command.tournament_hurried"),
    number=say("command.tournament_number"),
)
@app_commands.choices(
    clock=[choice(f"tournament.clock_{seconds}", str(seconds)) for seconds in HURRIED],
)
async def hurry(
    interaction: Interaction, match: str, clock: str = str(HURRIED[1]), number: int | None = None
) -> None:
    """Give a match that stands still a shorter clock."""
    answer = Answer.to(interaction)
    tournament = _which(answer, number)
    await ORGANISER.must_include(answer, tournament)
    seconds = int(clock) if clock in map(str, HURRIED) else HURRIED[1]
    claim_notice(answer, tournament)
    await answer.service(Tournaments).hurry(tournament, match, seconds, by=answer.user_id)
    told = answer.say("tournament.hurried", key=inert(match), clock=clock_words(seconds, answer.say))
    await answer.tell(told)


def _withdrawn(tournament: Tournament) -> dict[str, str]:
    """Return the names of the players who have withdrawn, by number."""
    bracket = tournament.bracket
    gone = bracket.withdrawn if bracket is not None else frozenset[str]()
    return {player: tournament.name_of(player) for player in sorted(gone) if not is_nobody(int(player))}


@group.command(name="remove", description=say("command.tournament_remove"))
@app_commands.describe(player=say("command.tournament_player"), number=say("command.tournament_number"))
async def remove(interaction: Interaction, player: str, number: int | None = None) -> None:
    """Take somebody out of a tournament; asks first."""
    answer = Answer.to(interaction)
    tournament = _which(answer, number)
    await ORGANISER.must_include(answer, tournament)
    found = named(player, {user: tournament.name_of(str(user)) for user in taking_part(tournament.state)})
    if len(found) != 1:
        raise Refused("no_such_entrant", name=inert(clipped(player, 50)))
    await ask_to_remove(answer, tournament, found[0])


def _player(tournament: Tournament, match: str, typed: str) -> str:
    """The player of a match by number or name; what was typed where that is none of the two, or both."""
    matches = tournament.bracket.matches() if tournament.bracket is not None else ()
    playing = {player for each in matches if each.key == match for player in each.players}
    meant = set(named(typed, {str(entrant.user_id): entrant.name for entrant in tournament.entrants}))
    found = sorted(meant & playing or meant)  # elsewhere in the bracket somebody may have the same name
    return found[0] if len(found) == 1 else typed


@group.command(name="cancel", description=say("command.tournament_cancel"))
@app_commands.describe(number=say("command.tournament_number"))
async def cancel(interaction: Interaction, number: int | None = None) -> None:
    """Call a tournament off; asks first."""
    answer = Answer.to(interaction)
    tournament = _which(answer, number)
    await ORGANISER.must_include(answer, tournament)
    await ask_to_call_off(answer, tournament)


@completes("option", create)
async def _options(answer: Answer, current: str) -> Choices:
    game = answer.interaction.namespace.game
    return list(offered_options(game, current, answer.locale)) if game in for_two() else []


def _two_can_play(game: str, options: Mapping[str, Value]) -> bool:
    rules = catalog.get(game)
    return 2 in rules.seats(options) and not rules.held_by_one(options)


offer_rules(create, _two_can_play)


@completes("match", report)
async def _matches(answer: Answer, current: str) -> Choices:
    tournament = await _which_recent(answer, getattr(answer.interaction.namespace, "number", None))
    matches = await answer.service(Tournaments).corrections.possible(tournament)
    choices = [
        app_commands.Choice(name=clipped(_match_name(tournament, m, answer.say), 100), value=m.key)
        for m in matches
    ]
    return [choice for choice in choices if matches_typed(current, choice.name)]


def _match_name(tournament: Tournament, match: Match, say: Words) -> str:
    """Return the players of a match, and its result if that would be changed."""
    name = f"{match.key}: {tournament.name_of(match.players[0])} – {tournament.name_of(match.players[1])}"
    if not match.decided:
        return name
    if match.winner:
        return f"{name} ({say('tournament.won_by', winner=tournament.name_of(match.winner))})"
    return f"{name} ({say('tournament.result_d' if match.drawn else 'tournament.result_n')})"


@completes("match", hurry)
async def _standing(answer: Answer, current: str) -> Choices:
    tournament = _which(answer, getattr(answer.interaction.namespace, "number", None))
    ready = tournament.bracket.ready() if tournament.bracket is not None else ()
    names = {m.key: clipped(_match_name(tournament, m, answer.say), 100) for m in ready}
    return [
        app_commands.Choice(name=name, value=key)
        for key, name in names.items()
        if matches_typed(current, name)
    ]


@completes("player", remove)
async def _entrants(answer: Answer, current: str) -> Choices:
    tournament = _which(answer, getattr(answer.interaction.namespace, "number", None))
    names = {str(user): tournament.name_of(str(user)) for user in taking_part(tournament.state)}
    return [
        app_commands.Choice(name=clipped(name, 100), value=user)
        for user, name in names.items()
        if matches_typed(current, name)
    ]


@completes("winner", report)
async def _winners(answer: Answer, current: str) -> Choices:
    tournament = await _which_recent(answer, getattr(answer.interaction.namespace, "number", None))
    wanted = answer.interaction.namespace.match or ""  # None where nothing was typed yet
    matches = tournament.bracket.matches() if tournament.bracket is not None else ()
    asked = [match for match in matches if match.key == wanted or (match.ready and not wanted)]
    choices = [app_commands.Choice(name=answer.say("tournament.drawn"), value=DRAWN)]
    choices += [
        app_commands.Choice(name=clipped(tournament.name_of(player), 100), value=player)
        for match in asked
        for player in match.players
    ]
    if any(match.decided or match.draws for match in asked if match.key == wanted):
        choices.append(app_commands.Choice(name=answer.say("tournament.unplayed"), value=UNPLAYED))
    return [choice for choice in choices if matches_typed(current, choice.name)]


@completes("player", readmit)
async def _gone(answer: Answer, current: str) -> Choices:
    tournament = await _which_recent(answer, getattr(answer.interaction.namespace, "number", None))
    return [
        app_commands.Choice(name=clipped(name, 100), value=player)
        for player, name in _withdrawn(tournament).items()
        if matches_typed(current, name)
    ]


@completes("number", report, readmit)
async def _recent_numbers(answer: Answer, current: str) -> Choices:
    return _named(await _recent(answer), current)


@completes("number", join, leave, start, bracket, hurry, remove, cancel)
async def _numbers(answer: Answer, current: str) -> Choices:
    return _named(_of_guild(answer), current)


def _named(tournaments: Iterable[Tournament], current: str) -> Choices:
    """Return the tournaments whose number or name fits what was typed."""
    return [
        app_commands.Choice(
            name=clipped(f"{tournament.id} · {tournament.stored.name}", 100), value=tournament.id
        )
        for tournament in tournaments
        if str(tournament.id).startswith(current) or matches_typed(current, tournament.stored.name)
    ]
