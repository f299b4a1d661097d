"""Replays: taking up a finished game, stepping through it, giving others the code."""

from __future__ import annotations

from typing import NamedTuple

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.replays.messages import (
    LISTED,
    ReplayPosition,
    code_message,
    film_facts,
    list_message,
    more_message,
    replay_message,
    views_of,
)
from bot.features.replays.service import Replay, code_of, marks_for, may_share, replay_of, sat, shared
from bot.features.table.rights import TableSubject, must_reach
from bot.features.teacher.review_handlers import open_practice
from bot.presenters import offers
from bot.presenters.film import TABLE, Film
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.thinking import call_by_name
from bot.ui.components import Message, page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers, Reach, Who

handlers = Handlers[Pressed]()

FILE_SECONDS = 60.0
"""Seconds before the same person may have another file made of a replay."""


async def opened(answer: Answer, ref: str) -> Table:
    """The finished table of a number or a code, for who may look at it: with a number, who may reach the
    table, or sat there; with a code, anybody.

    Raises:
        Refused: there is none for them, or its game is not over.
    """
    if not ref.isdecimal():
        return await shared(answer.service(Tables), ref)
    table = await answer.service(Tables).get(_number(ref))
    if answer.user_id not in sat(table):
        must_reach(answer.interaction, table, anywhere=True)
    answer.subject = TableSubject(table)
    return table


def _number(ref: str) -> int:
    return ids.Ref("", (ref,)).number(0)


def own_view(table: Table, user_id: int) -> str:
    """Where a person begins to look from: their own seat, or the table."""
    seats = [seat for seat, who in enumerate(table.sitters) if who.user_id == user_id]
    return str(seats[0]) if seats else TABLE


async def replay_at(answer: Answer, where: ReplayPosition, replay: Replay) -> Message:
    """One position of a replay for who asks."""
    table = replay.table
    marks = await marks_for(answer.service(Tables), table, answer.user_id)
    return replay_message(replay, where, answer.locale, marks)


async def take_up(answer: Answer, table: Table, ref: str) -> None:
    """Answer with the replay of a table from its deal; `ref` is how it was found, see `opened`."""
    where = ReplayPosition(ref, own_view(table, answer.user_id))
    await answer.private(await replay_at(answer, where, await replay_of(answer.service(Tables), table)))


async def list_replays(answer: Answer, at: int = 0) -> Message:
    """A page of the finished games of who asks."""
    found, total = await answer.service(Tables).finished(answer.user_id, LISTED, at * LISTED)
    shown = [one for one in found if offers(one.game)]
    return list_message(shown, at, -(-total // LISTED), answer.locale)


@handlers.on("replays")
async def _replays(pressed: Pressed) -> None:
    """Another page of the list: `replays:page`."""
    await pressed.turn(await list_replays(pressed, pressed.ref.number(0)))


@handlers.on("replay")
async def _replay(pressed: Pressed) -> None:
    """`replay` takes up what was chosen in the list, `replay:ref` a game from its deal, `replay:ref:view:act`
    goes to a position."""
    ref = pressed.ref.word(0) or pressed.value
    if not pressed.ref.word(1):
        table = await opened(pressed, ref)
        where = ReplayPosition(ref, own_view(table, pressed.user_id))
    else:
        where = ReplayPosition(ref, pressed.ref.word(1), pressed.ref.number(2))
    await _go(pressed, where)


@handlers.on("replay-jump")
async def _jump(pressed: Pressed) -> None:
    """To the position that was chosen: `replay-jump:ref:view`."""
    act = ids.Ref("", (pressed.value,)).number(0)
    await _go(pressed, ReplayPosition(pressed.ref.word(0), pressed.ref.word(1), act))


@handlers.on("replay-view")
async def _view(pressed: Pressed) -> None:
    """The same position from the point of view that was chosen: `replay-view:ref:act`."""
    await _go(pressed, ReplayPosition(pressed.ref.word(0), pressed.value, pressed.ref.number(1)))


async def _go(pressed: Pressed, where: ReplayPosition) -> None:
    """Show a position in the place of the one that was pressed."""
    replay = await reached(pressed, where)
    await pressed.turn(await replay_at(pressed, where, replay))


async def reached(pressed: Pressed, where: ReplayPosition) -> Replay:
    """Return the replay of a position.

    Raises:
        Refused: this person may not see it.
        InvalidCustomId: it has no such position, or no such point of view.
    """
    table = await opened(pressed, where.ref)
    replay = await replay_of(pressed.service(Tables), table)
    if where.view not in views_of(table) or where.act > replay.last:
        raise ids.InvalidCustomId(f"no position {where.view} {where.act}")
    return replay


async def _find_finished(pressed: Pressed) -> Table:
    table = await opened(pressed, pressed.ref.word(0))
    if table.outcome() is None:
        raise Refused("replay_early")
    return table


async def _must_have_code(answer: Answer, table: Table) -> None:
    if not may_share(table, answer.user_id):
        raise Refused("replay_share")


@handlers.on("replay-code", Reach(_find_finished), who=Who(_must_have_code))
async def _code(pressed: Pressed, table: Table) -> None:
    """The code for who sat there: `replay-code:ref`."""
    await pressed.private(code_message(code_of(table), pressed.locale))


class Reached(NamedTuple):
    """A position, and the replay that it belongs to."""

    where: ReplayPosition
    replay: Replay


async def _find_position(pressed: Pressed) -> Reached:
    where = ReplayPosition(pressed.ref.word(0), pressed.ref.word(1), pressed.ref.number(2))
    return Reached(where, await reached(pressed, where))


POSITION = Reach(_find_position)
"""A position of a finished game: `verb:ref:view:act`."""


@handlers.on("replay-play", POSITION)
async def _play(pressed: Pressed, found: Reached) -> None:
    """Play on from a position against opponents: `replay-play:ref:view:act`. From the table, or with all
    hands open, one takes the seat that goes on."""
    where, replay = found
    if where.act >= replay.last:
        raise Refused("no_practice")
    seat = replay.acts[where.act].seat if where.viewer is None else where.viewer
    await open_practice(pressed, replay.table, where.act, seat)


@handlers.on("replay-more", POSITION)
async def _more(pressed: Pressed, found: Reached) -> None:
    """What more one may do with it: `replay-more:ref:view:act`."""
    where, replay = found
    shares = may_share(replay.table, pressed.user_id)
    await pressed.private(more_message(where, pressed.locale, shares=shares))


@handlers.on("replay-file")
async def _file(pressed: Pressed) -> None:
    """A file of the whole game, made in a worker: `replay-file:ref:view:kind`."""
    where, kind = ReplayPosition(pressed.ref.word(0), pressed.ref.word(1)), pressed.ref.word(2)
    if kind not in ("page", "gif"):
        raise ids.InvalidCustomId(kind)
    replay = await reached(pressed, where)
    facts = film_facts(replay, where, pressed.locale)
    with pressed.app.debouncer.cooldown(pressed.user_id, "replay-file", "film_again", FILE_SECONDS):
        await pressed.defer(ephemeral=True, thinking=True)
        data = await pressed.service(Tables).thinker.draw(
            call_by_name, f"bot.presenters.film_files:{kind}", facts, whose=pressed.user_id
        )
    if not isinstance(data, bytes):
        raise TypeError(f"no file but {type(data)}")
    title, name = Film.of(facts).title, f"valence-{replay.table.id}"
    if kind == "page":
        message = page(pressed.say("replay.page_made"), files={f"{name}.html": data})
    else:
        alt = pressed.say("replay.gif_alt", title=title)
        message = page(pressed.say("replay.gif_made"), raw={f"{name}.gif": (data, alt)})
    await pressed.private(message)
