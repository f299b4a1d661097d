"""/hand and /move: all tables of a person, and playing by typing."""

from __future__ import annotations

from discord import app_commands
from rapidfuzz import fuzz, utils

from bot import custom_ids as ids
from bot import presenters
from bot.core.errors import Refused
from bot.features.table.hand.handlers import open_hand, tell_move, welcome
from bot.features.table.hand.open_hands import OpenHands
from bot.features.table.names import word_look
from bot.locales import words
from bot.presenters.paths import Route, routes
from bot.presenters.voice import clipped
from bot.table.daily import others_decided
from bot.table.other_processes import tables_in_other_processes
from bot.table.ports import OtherShard
from bot.table.registry import Tables
from bot.table.table import PAUSED, Table
from bot.table.table_kinds import is_hand_only
from bot.typed_names import fold, matches_typed
from bot.ui.app import Connected, Interaction
from bot.ui.commands.autocomplete import Choices, completes
from bot.ui.components import Control, Message, button, page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import joined
from bot.ui.navigation import pager
from engine.game import Seat

PER_PAGE = 12
"""Maximum number of tables on a page, each with the button that opens its hand."""
say = words("en")
handlers = Handlers[Pressed]()


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Put the commands on the tree."""
    tree.add_command(hand)
    tree.add_command(move)


@app_commands.command(name="hand", description=say("command.hand"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def hand(interaction: Interaction) -> None:
    """Show all tables of the person; with just one running game, its hand at once."""
    answer = Answer.to(interaction)
    tables = await answer.service(Tables).of_user(answer.user_id)
    away = await tables_in_other_processes(answer.service(Tables), answer.user_id)
    if len(tables) == 1 and tables[0].phase == "live" and not away:
        await open_hand(answer, tables[0], tables[0].seats_of(answer.user_id)[0])
    else:
        await answer.private(_tables_message(answer, tables, away))


def _tables_message(answer: Answer, tables: list[Table], away: list[OtherShard], at: int = 0) -> Message:
    """Return a page of a person's tables, and of the links to those of other processes.

    Raises:
        Refused: the person sits at none.
    """
    told = answer.say
    if not tables and not away:
        raise Refused("none_open")
    pages = max(1, -(-len(tables) // PER_PAGE))
    at = min(at, pages - 1)  # tables may have ended since the page before was shown
    lines, controls = [told("hand.tables")], list[Control]()
    for table in tables[at * PER_PAGE : (at + 1) * PER_PAGE]:
        lines.append(_line(answer, table))
        if table.phase == "live":
            controls.append(button(told("hand.open", table=table.id), "hand", table.id))
    lines += [told(f"refused.{each.key}", **each.facts) for each in away]
    return page("\n".join(lines), controls, pager(told, at, pages, "hands"))


def _line(answer: Answer, table: Table) -> str:
    told = answer.say
    title = presenters.get(table.game.key).title(answer.locale)
    if is_hand_only(table):
        where = told("hand.only_you")
    else:
        where = told("hand.direct") if table.stored.guild_id is None else f"<#{table.stored.channel_id}>"
    mine = any(seat in table.waiting() for seat in table.seats_of(answer.user_id))
    if table.phase == "lobby":
        state = told("hand.lobby")
    elif table.paused:
        state = told("hand.paused")
    elif table.asleep:
        state = told("hand.sleeps")
    elif mine:
        state = told("hand.your_turn")
    else:
        names = joined([word_look(table, answer.locale).name(s) for s in table.waiting()], answer.locale)
        state = told("hand.their_turn", names=names)
    return f"**{table.id}** · {title} · {where} · {state}"


@handlers.on("hands")
async def _hands(pressed: Pressed) -> None:
    """Another page: `hands:page`."""
    tables = await pressed.service(Tables).of_user(pressed.user_id)
    away = await tables_in_other_processes(pressed.service(Tables), pressed.user_id)
    await pressed.turn(_tables_message(pressed, tables, away, pressed.ref.number(0)))


async def _turns(answer: Answer, table_id: int | None) -> list[tuple[Table, Seat]]:
    """The seats of the person that must act, at one table or at all."""
    return [
        (table, seat)
        for table in await answer.service(Tables).of_user(answer.user_id)
        if table_id in (None, table.id)
        for seat in table.seats_of(answer.user_id)
        if seat in table.waiting() and not table.paused
    ]


def _waiting(turns: list[tuple[Table, Seat]]) -> list[tuple[Table, Seat]]:
    """Those at tables that are awake; where all sleep, all of them: a move wakes a table."""
    return [turn for turn in turns if not turn[0].asleep] or turns


def _routes(table: Table, seat: Seat, locale: str) -> list[Route]:
    if table.state is None:
        return []
    look = word_look(table, locale)
    tree = presenters.get(table.game.key).choices(table.state.observe(seat), table.legal[seat], look)
    return routes(tree, table.legal[seat])


def _label(route: Route) -> str:
    return clipped(" → ".join(route.labels), 100)


@app_commands.command(name="move", description=say("command.move"))
@app_commands.describe(choice=say("command.move_choice"), table=say("command.move_table"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def move(interaction: Interaction, choice: str, table: int | None = None) -> None:
    """Decide by typing; the list holds the legal decisions."""
    answer = Answer.to(interaction)
    turns = await _turns(answer, table)
    if not turns:
        # whoever tries to move is here again, though an opponent has just moved for them
        mine = [at for at in await answer.service(Tables).of_user(answer.user_id) if table in (None, at.id)]
        for at in mine:
            await welcome(at, answer.user_id)
        due = [at for at in mine if at.paused and set(at.seats_of(answer.user_id)) & set(at.waiting())]
        raise Refused(PAUSED if due else "no_moves")
    chosen = [turn for turn in turns if choice.startswith(f"{turn[0].id}:{turn[1]}:")] or _waiting(turns)
    if len({at.id for at, _ in chosen}) > 1:
        raise Refused("ambiguous_table")
    at, seat = chosen[0]
    ways = _routes(at, seat, answer.locale)
    way = next((w for w in ways if choice == _value(at, seat, w) or fold(choice) == fold(_label(w))), None)
    if way is None:
        raise Refused("unknown_move", move=clipped(choice, 50))
    decision = at.decisions[seat]
    await others_decided(at, answer.app.clock)
    await at.act(seat, decision, way.action)
    answer.service(OpenHands).decided(at, answer.user_id, seat, decision)
    await tell_move(answer, at, seat, _label(way))


def _value(table: Table, seat: Seat, way: Route) -> str:
    """A decision as the value of a choice: with its number, so that an old list decides nothing."""
    return f"{table.id}:{seat}:{table.decisions[seat]}:{ids.path_text(way.path)}"


@completes("choice", move)
async def _moves(answer: Answer, current: str) -> Choices:
    turns = _waiting(await _turns(answer, getattr(answer.interaction.namespace, "table", None)))
    several = len({table.id for table, _ in turns}) > 1
    choices = []
    for table, seat in turns:
        for way in _routes(table, seat, answer.locale):
            label = f"{table.id}: {_label(way)}" if several else _label(way)
            value = _value(table, seat, way)
            if len(value) <= 100:
                choices.append(app_commands.Choice(name=clipped(label, 100), value=value))
    if current:
        wanted = utils.default_process(fold(current))
        choices.sort(
            key=lambda c: (
                not matches_typed(current, c.name),
                -fuzz.partial_ratio(wanted, utils.default_process(fold(c.name))),
            )
        )
    return choices


@completes("table", move)
async def _tables(answer: Answer, current: str) -> Choices:
    return [
        app_commands.Choice(
            name=f"{table.id} · {presenters.get(table.game.key).title(answer.locale)}", value=table.id
        )
        for table in await answer.service(Tables).of_user(answer.user_id)
        if str(table.id).startswith(current)
    ]
