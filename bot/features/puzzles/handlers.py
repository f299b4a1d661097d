"""Puzzles: taking one up, walking its choices, answering it."""

from __future__ import annotations

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.puzzles.messages import (
    GIVE_UP,
    PuzzleView,
    answer_message,
    gone_message,
    puzzle_message,
    puzzles_message,
)
from bot.features.puzzles.rows import puzzle_standing
from bot.features.puzzles.service import NEW, keep_answer, puzzle_table, puzzled, puzzles_of, upcoming
from bot.features.table import TOP_CHOICE, ChoiceCursor, picking
from bot.locales import words
from bot.presenters.base import Form
from bot.ui import choices as walk
from bot.ui.components import shown_alt
from bot.ui.context import Answer, Pressed
from bot.ui.errors import refusal_words
from bot.ui.handlers import Handlers
from bot.ui.names import plain
from engine.game import Action, Refusal
from engine.puzzles import Puzzle

handlers = Handlers[Pressed]()


def view_of(answer: Answer, puzzle: Puzzle) -> PuzzleView:
    """The puzzle for whoever pressed."""
    own = plain(answer.interaction.user.display_name)
    free = [name for name in words(answer.locale).list("opponent.names") if name != own]
    table, seat = puzzle_table(
        answer.app.database,
        puzzle,
        user_id=answer.user_id,
        names=[own, *free[: puzzle.seats - 1]],
        locale=answer.locale,
    )
    return PuzzleView(puzzle, table, seat, answer.locale)


async def _next(answer: Answer, game: str) -> PuzzleView:
    """The puzzle that comes next for this person.

    Raises:
        Refused: the game has none.
    """
    found, user_id = puzzles_of(game), answer.user_id
    if not found:
        raise Refused("no_puzzles")
    standing = await answer.app.database.read_at_once(
        lambda connection: puzzle_standing(connection, user_id, game)
    )
    return view_of(answer, upcoming(found.values(), standing or NEW))


async def pose(answer: Answer, game: str) -> None:
    """Answer with the next puzzle of a game.

    Raises:
        Refused: it has none.
    """
    await answer.private(puzzle_message(await _next(answer, game)))


async def list_puzzles(answer: Answer) -> None:
    """Answer with all games that have puzzles."""
    user_id, games = answer.user_id, puzzled()
    standings = await answer.app.database.read_at_once(
        lambda connection: {game: puzzle_standing(connection, user_id, game) or NEW for game in games}
    )
    await answer.private(puzzles_message(standings, answer.locale))


@handlers.on("puzzles")
async def _puzzles(pressed: Pressed) -> None:
    await list_puzzles(pressed)


@handlers.on("puzzle")
async def _puzzle(pressed: Pressed) -> None:
    """**Next puzzle**, or a game in a list."""
    await pressed.turn(puzzle_message(await _next(pressed, pressed.game())))


@handlers.on("solve")
async def _solve(pressed: Pressed) -> None:
    """A press in the hand of a puzzle: the id names game and puzzle, and what an ordinary hand does."""
    game, number = pressed.game(), pressed.ref.number(1)
    puzzle = puzzles_of(game).get(number)
    if puzzle is None:
        await pressed.turn(gone_message(game, pressed.locale))
        return
    here, verb, path = view_of(pressed, puzzle), pressed.ref.word(2), ids.path_of(pressed.ref.word(3))
    if verb == GIVE_UP:
        await _tell(pressed, here, None, right=False)
    elif verb == "page":
        await _show(pressed, here, ChoiceCursor(path, pressed.ref.number(4)))
    elif verb in ("group", "add"):
        group, chosen = (pressed.value, None) if verb == "group" else (pressed.ref.word(5), pressed.values)
        spot = ChoiceCursor(path, picked=walk.keys_in(pressed.ref.word(4)), group=group)
        spot, notice = picking(here.view, spot, chosen)
        await _show(pressed, here, spot, notice=notice)
    elif verb == "sel":
        await _arrive(pressed, here, (*path, *pressed.values[:1]))
    elif verb == "pick":
        await _arrive(pressed, here, (*path, walk.pick_segment(pressed.values), "ok"))
    else:
        await _arrive(pressed, here, path, sure=verb == "sure")


async def _arrive(pressed: Pressed, here: PuzzleView, path: walk.Path, *, sure: bool = False) -> None:
    """Show the question at the end of the path, or take the decision there for the answer."""
    place = here.view.at(path)
    if isinstance(place, walk.Question):
        await _show(pressed, here, TOP_CHOICE if isinstance(place.node, Form) else ChoiceCursor.of(place))
    elif isinstance(place, walk.Lost):
        await _show(pressed, here, TOP_CHOICE, notice=pressed.say("refused.no_choice"))
    elif pressed.prefs.confirm and path and not (sure or place.refused):
        await _show(pressed, here, ChoiceCursor(path, sure=True))
    else:
        await _answer(pressed, here, path, place)


async def _answer(pressed: Pressed, here: PuzzleView, path: walk.Path, made: walk.Decision) -> None:
    """Say whether it is right; what the rules refuse is no answer."""
    state, seat = here.view.table.state, here.seat
    if state is None:
        raise Refused("over")
    try:
        state.verify(seat, made.action)
    except Refusal as refusal:
        before = here.view.at(path[:-1])
        spot = ChoiceCursor.of(before) if isinstance(before, walk.Question) else TOP_CHOICE
        words_of_it = refusal_words(refusal, here.puzzle.game, here.view.look)
        await _show(pressed, here, spot, notice=f"⚠️ {words_of_it}")
        return
    await _tell(pressed, here, made.action, right=here.puzzle.solves(state, seat, made.action))


async def _tell(pressed: Pressed, here: PuzzleView, chosen: Action | None, *, right: bool) -> None:
    """Keep the answer, and tell the best one; without one the puzzle is given up, and counts as missed."""
    user_id = pressed.user_id
    answered = await pressed.app.database.write_at_once(
        lambda connection: keep_answer(connection, user_id, here.puzzle, right=right)
    )
    await pressed.turn(answer_message(here, chosen, right=right, answered=answered))


def _kept(pressed: Pressed, here: PuzzleView) -> str | None:
    """The alt text of the picture that stays, unless the game draws the way."""
    shown = pressed.interaction.message
    keeps = pressed.from_private and pressed.has_picture and not here.view.presenter.draws_steps
    return shown_alt(shown.components) if keeps and shown is not None else None


async def _show(pressed: Pressed, here: PuzzleView, spot: ChoiceCursor, *, notice: str = "") -> None:
    """The same puzzle at another choice."""
    kept = _kept(pressed, here)
    await pressed.turn(puzzle_message(here, spot, notice=notice, kept=kept), keep_files=kept is not None)
