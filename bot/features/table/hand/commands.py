"""/hand and /move: a person's tables, and decisions by typing."""

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
"""Maximum number of tables per page. Each running one has a button that opens its hand."""
say = words("en")
handlers = Handlers[Pressed]()


def add(tree: app_commands.CommandTree[Connected]) -> None:
    """Add the commands to the tree."""
    tree.add_command(hand)
    tree.add_command(move)


@app_commands.command(name="hand", description=say("command.hand"))
@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
async def hand(interaction: Interaction) -> None:
    """Show all tables of the person, or the hand itself if they have a single running game."""
    answer = Answer.to(interaction)
    tables = await answer.service(Tables).of_user(answer.user_id)
    other_shards = await answer.service(Tables).in_other_processes(answer.user_id)
    if len(tables) == 1 and tables[0].phase == "live" and not other_shards:
        await open_hand(answer, tables[0], tables[0].seats_of(answer.user_id)[0])
    else:
        await answer.private(_tables_message(answer, tables, other_shards))


def _tables_message(
    answer: Answer, tables: list[Table], other_shards: list[OtherShard], index: int = 0
) -> Message:
    """Return one page of a person's tables, followed by links to their tables in other processes.

    Raises:
        Refused: the person sits at no table.
    """
    say = answer.say
    if not tables and not other_shards:
        raise Refused("none_open")
    pages = max(1, -(-len(tables) // PER_PAGE))
    index = min(index, pages - 1)  # tables may have ended since the last page was shown
    lines, controls = [say("hand.tables")], list[Control]()
    for table in tables[index * PER_PAGE : (index + 1) * PER_PAGE]:
        lines.append(_line(answer, table))
        if table.phase == "live":
            controls.append(button(say("hand.open", table=table.id), "hand", table.id))
    lines += [say(f"refused.{each.key}", **each.facts) for each in other_shards]
    return page("\n".join(lines), controls, pager(say, index, pages, "hands"))


def _line(answer: Answer, table: Table) -> str:
    say = answer.say
    title = presenters.get(table.game.key).title(answer.locale)
    if is_hand_only(table):
        where = say("hand.only_you")
    else:
        where = say("hand.direct") if table.stored.guild_id is None else f"<#{table.stored.channel_id}>"
    own_turn = any(seat in table.waiting() for seat in table.seats_of(answer.user_id))
    if table.phase == "lobby":
        state = say("hand.lobby")
    elif table.paused:
        state = say("hand.paused")
    elif table.asleep:
        state = say("hand.sleeps")
    elif own_turn:
        state = say("hand.your_turn")
    else:
        names = joined([word_look(table, answer.locale).name(s) for s in table.waiting()], answer.locale)
        state = say("hand.their_turn", names=names)
    return f"**{table.id}** · {title} · {where} · {state}"


@handlers.on("hands")
async def _hands(pressed: Pressed) -> None:
    """Show another page: `hands:page`."""
    tables = await pressed.service(Tables).of_user(pressed.user_id)
    other_shards = await pressed.service(Tables).in_other_processes(pressed.user_id)
    await pressed.turn(_tables_message(pressed, tables, other_shards, pressed.ref.number(0)))


async def _turns(answer: Answer, table_id: int | None) -> list[tuple[Table, Seat]]:
    """Return the person's seats that must act, at one table or at all of them."""
    return [
        (table, seat)
        for table in await answer.service(Tables).of_user(answer.user_id)
        if table_id in (None, table.id)
        for seat in table.seats_of(answer.user_id)
        if seat in table.waiting() and not table.paused
    ]


def _waiting(turns: list[tuple[Table, Seat]]) -> list[tuple[Table, Seat]]:
    """Return the turns at awake tables, or all turns if every table sleeps: a move wakes a table."""
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
    """Make the decision that was typed or chosen from the list of legal decisions."""
    answer = Answer.to(interaction)
    turns = await _turns(answer, table)
    if not turns:
        # a player who tries to move is back, even if an opponent has just moved for them
        own_tables = [
            target
            for target in await answer.service(Tables).of_user(answer.user_id)
            if table in (None, target.id)
        ]
        for target in own_tables:
            await welcome(target, answer.user_id)
        due = [
            target
            for target in own_tables
            if target.paused and set(target.seats_of(answer.user_id)) & set(target.waiting())
        ]
        raise Refused(PAUSED if due else "no_moves")
    chosen = [turn for turn in turns if choice.startswith(f"{turn[0].id}:{turn[1]}:")] or _waiting(turns)
    if len({target.id for target, _ in chosen}) > 1:
        raise Refused("ambiguous_table")
    target, seat = chosen[0]
    legal_routes = _routes(target, seat, answer.locale)
    route = next(
        (w for w in legal_routes if choice == _value(target, seat, w) or fold(choice) == fold(_label(w))),
        None,
    )
    if route is None:
        raise Refused("unknown_move", move=clipped(choice, 50))
    decision = target.decisions[seat]
    await others_decided(target, answer.app.clock)
    await target.act(seat, decision, route.action)
    answer.service(OpenHands).decided(target, answer.user_id, seat, decision)
    await tell_move(answer, target, seat, _label(route))


def _value(table: Table, seat: Seat, route: Route) -> str:
    """Return a decision as the value of an autocomplete choice.

    It includes the number of the decision, so a choice from an outdated list decides nothing.
    """
    return f"{table.id}:{seat}:{table.decisions[seat]}:{ids.path_text(route.path)}"


@completes("choice", move)
async def _moves(answer: Answer, current: str) -> Choices:
    turns = _waiting(await _turns(answer, getattr(answer.interaction.namespace, "table", None)))
    several = len({table.id for table, _ in turns}) > 1
    choices = []
    for table, seat in turns:
        for route in _routes(table, seat, answer.locale):
            label = f"{table.id}: {_label(route)}" if several else _label(route)
            value = _value(table, seat, route)
            if len(value) <= 100:
                choices.append(app_commands.Choice(name=clipped(label, 100), value=value))
    if current:
        typed = utils.default_process(fold(current))
        choices.sort(
            key=lambda c: (
                not matches_typed(current, c.name),
                -fuzz.partial_ratio(typed, utils.default_process(fold(c.name))),
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
