"""Puzzles, through the real bot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from discord import ButtonStyle, ui
from sqlalchemy import func, select

from bot import custom_ids as ids
from bot.features.puzzles import service as kept_puzzles
from bot.features.puzzles.messages import PuzzleView, puzzle_message
from bot.features.puzzles.rows import PuzzleStanding, keep_standing, puzzle_standing
from bot.features.puzzles.service import NEW, keep_answer, puzzle_table, puzzled, puzzles_of, upcoming
from bot.locales import languages, words
from bot.presenters.base import Branch, Leaf
from bot.presenters.paths import Route, routes
from bot.store.models import EntryRow, GameRow, RatingRow, ResultRow
from engine import catalog
from engine.puzzles import Puzzle, kept
from tests.support.discord.forging import forge
from tests.support.discord.people import prefer
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.discord.walking import next_press

EVERY = [puzzle for game in puzzled() for puzzle in puzzles_of(game).values()]
MOST_PRESSES = 6


def view_of(room: Any, puzzle: Puzzle) -> PuzzleView:
    names = ["ann", *words("en").list("opponent.names")[: puzzle.seats - 1]]
    database = room.bot.tables.database
    table, seat = puzzle_table(database, puzzle, user_id=1, names=names, locale="en")
    return PuzzleView(puzzle, table, seat, "en")


def ways(view: PuzzleView, *, right: bool) -> list[Route]:
    """The ways to what is right, or to what is wrong."""
    state = view.view.table.state
    assert state is not None
    return [
        way
        for way in routes(view.view.tree, view.view.legal)
        if view.puzzle.solves(state, view.seat, way.action) is right
    ]


async def pressed_through(room: Any, puzzle: Puzzle, shown: Any, way: Route) -> Any:
    """Walk a way through the choices; the message after the last press, or the one that asks once more."""
    head = f"v:solve:{puzzle.game}:{puzzle.number}:"
    for _ in range(MOST_PRESSES):
        offered = list(custom_ids(shown.components))
        press = next_press(offered, head, way)
        if press is None or any(each.startswith(f"{head}sure:") for each in offered):
            return shown
        shown = (await forge(room.ann, shown, *press)).response
    raise AssertionError(f"{way.path} is not reached")


async def standing(room: Any, game: str) -> PuzzleStanding | None:
    return await room.bot.tables.database.read_at_once(
        lambda connection: puzzle_standing(connection, room.ann.id, game)
    )


async def posed(room: Any, game: str) -> tuple[Any, Puzzle]:
    """The puzzle that `/puzzle` poses, and which one it is."""
    shown = (await room.ann.slash(room.channel, "puzzle", game=game)).response
    number = next(
        ids.parse(each).number(1) for each in custom_ids(shown.components) if each.startswith("v:solve:")
    )
    return shown, puzzles_of(game)[number]


def test_new_rules_leave_the_puzzles_of_earlier_ones() -> None:
    """Each is played by its own rules for as long as these are kept."""
    for game in catalog.listed():
        assert puzzles_of(game).keys() == kept(game).keys()
    assert any(puzzle.version < catalog.get(puzzle.game).version for puzzle in EVERY)


def test_puzzles_of_rules_that_are_no_longer_played_are_not_posed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(catalog.get("atom_duel")), "earlier", {})
    assert puzzles_of("atom_duel") == {}


async def test_a_puzzle_is_posed_by_its_own_rules(room: Any) -> None:
    puzzle = next(iter(puzzles_of("atom_duel").values()))
    assert view_of(room, puzzle).view.observation.gold_immune_from == 1


@pytest.mark.parametrize("game", puzzled())
async def test_no_answer_stands_out(room: Any, game: str) -> None:
    """In a game the usual way on is blue; here that would look like the answer."""
    for puzzle in list(puzzles_of(game).values())[:10]:
        answers = [
            each
            for each in puzzle_message(view_of(room, puzzle)).view.walk_children()
            if isinstance(each, ui.Button) and (each.custom_id or "").startswith("v:solve:")
        ]
        assert answers
        assert {each.style for each in answers} == {ButtonStyle.secondary}


@pytest.mark.parametrize("game", puzzled())
async def test_the_right_answer_is_told_rated_and_followed_by_another(room: Any, game: str) -> None:
    shown, puzzle = await posed(room, game)
    say, view = words("en"), view_of(room, puzzle)
    assert say("puzzle.question") in said(shown)
    assert view.technique() not in said(shown)
    best = min(ways(view, right=True), key=lambda way: len(way.path))
    answer = await pressed_through(room, puzzle, shown, best)
    assert say("puzzle.right", move=view.in_words(best.action)) in said(answer)
    assert view.technique() in said(answer)
    found = await standing(room, game)
    assert found is not None
    assert (found.right, found.answered) == (1, (puzzle.number,))
    assert found.mu > NEW.mu
    following = (await forge(room.ann, answer, f"v:puzzle:{game}")).response
    if len(puzzles_of(game)) > 1:
        assert f"v:solve:{game}:{puzzle.number}:" not in "".join(custom_ids(following.components))


@pytest.mark.parametrize("game", puzzled())
async def test_a_wrong_answer_counts_once_and_names_the_best(room: Any, game: str) -> None:
    shown, puzzle = await posed(room, game)
    elsewhere, same = await posed(room, game)
    assert same is puzzle
    say, view = words("en"), view_of(room, puzzle)
    wrong = min(ways(view, right=False), key=lambda way: len(way.path))
    answer = await pressed_through(room, puzzle, shown, wrong)
    assert say("puzzle.wrong", move=view.in_words(wrong.action)) in said(answer)
    assert say("puzzle.better", move=view.in_words(puzzle.right()[0])) in said(answer)
    first = await standing(room, game)
    assert first is not None
    assert first.mu < NEW.mu
    # a second answer, to the same question in another message, changes nothing
    best = min(ways(view, right=True), key=lambda way: len(way.path))
    again = await pressed_through(room, puzzle, elsewhere, best)
    assert "doesn't count again" in said(again)
    assert await standing(room, game) == first


@pytest.mark.parametrize("game", puzzled())
async def test_who_gives_up_sees_the_answer_and_it_counts_as_missed(room: Any, game: str) -> None:
    shown, puzzle = await posed(room, game)
    say, view = words("en"), view_of(room, puzzle)
    answer = (await room.ann.click(shown, label=say("puzzle.give_up"))).response
    assert say("puzzle.better", move=view.in_words(puzzle.right()[0])) in said(answer)
    assert "❌" not in said(answer), "nothing was answered that could be wrong"
    kept = await standing(room, game)
    assert kept is not None
    assert (kept.answered, kept.right) == ((puzzle.number,), 0)
    assert kept.mu < NEW.mu


async def test_nothing_of_it_is_a_game(room: Any) -> None:
    game = puzzled()[0]
    shown, puzzle = await posed(room, game)
    await pressed_through(room, puzzle, shown, ways(view_of(room, puzzle), right=True)[0])

    def count(connection: Any) -> list[int]:
        kinds = (GameRow, EntryRow, ResultRow, RatingRow)
        return [connection.execute(select(func.count()).select_from(kind)).scalar_one() for kind in kinds]

    assert await room.bot.tables.database.read_at_once(count) == [0, 0, 0, 0]
    assert room.channel.last_message is None


async def test_who_wants_it_is_asked_once_more(room: Any) -> None:
    await prefer(room, "ann", "v:set:confirm:yes")
    shown, puzzle = await posed(room, "molecular")
    view = view_of(room, puzzle)
    best = min(ways(view, right=True), key=lambda way: len(way.path))
    asked = await pressed_through(room, puzzle, shown, best)
    sure = next(each for each in custom_ids(asked.components) if ":sure:" in each)
    assert await standing(room, "molecular") is None
    answer = (await forge(room.ann, asked, sure)).response
    assert words("en")("puzzle.right", move=view.in_words(best.action)) in said(answer)


async def test_a_way_that_leads_nowhere_is_no_answer(room: Any) -> None:
    shown, puzzle = await posed(room, "canasta")
    asked = (await forge(room.ann, shown, f"v:solve:canasta:{puzzle.number}:go:gone")).response
    assert words("en")("refused.no_choice") in said(asked)
    assert words("en")("puzzle.question") in said(asked)
    assert await standing(room, "canasta") is None


def refused_ways(node: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(node, Leaf) and node.refused:
        yield path
    elif isinstance(node, Branch):
        for choice in node.all_choices():
            yield from refused_ways(choice.child, (*path, choice.key))


async def test_what_the_rules_refuse_is_told_and_is_no_answer(room: Any) -> None:
    puzzle, path = next(
        (puzzle, path) for puzzle in EVERY for path in refused_ways(view_of(room, puzzle).view.tree)
    )
    shown, _ = await posed(room, puzzle.game)
    pressed = ids.make("solve", puzzle.game, puzzle.number, "go", ids.path_text(path))
    told = said((await forge(room.ann, shown, pressed)).response)
    assert "⚠️" in told
    assert words("en")("puzzle.question") in told
    assert await standing(room, puzzle.game) is None


async def test_a_puzzle_that_is_gone_is_told_and_others_offered(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = puzzled()[0]
    shown, puzzle = await posed(room, game)
    rest = {number: other for number, other in puzzles_of(game).items() if number != puzzle.number}
    monkeypatch.setattr(kept_puzzles, "kept", lambda _game: rest)
    pressed = next(each for each in custom_ids(shown.components) if each.startswith("v:solve:"))
    gone = (await forge(room.ann, shown, pressed, ("x",))).response
    assert words("en")("puzzle.gone") in said(gone)
    assert await standing(room, game) is None


async def test_games_without_puzzles_say_so(room: Any) -> None:
    listed = (await room.ann.slash(room.channel, "puzzle")).response
    told = (await forge(room.ann, listed, "v:puzzle:chemistry_battle")).response
    assert words("en")("refused.no_puzzles") in said(told)


async def test_the_list_is_reached_from_lessons_and_tells_how_one_stands(room: Any) -> None:
    game = puzzled()[0]
    shown, puzzle = await posed(room, game)
    await pressed_through(room, puzzle, shown, ways(view_of(room, puzzle), right=True)[0])
    lessons = (await room.ann.slash(room.channel, "learn")).response
    listed = (await forge(room.ann, lessons, "v:puzzles")).response
    assert f"1 of {len(puzzles_of(game))} answered, 1 right" in said(listed)
    assert {f"v:puzzle:{each}" for each in puzzled()} <= set(custom_ids(listed.components))


async def test_who_answered_puzzles_that_are_gone_has_not_answered_more_than_there_are(room: Any) -> None:
    game = puzzled()[0]
    first, *others = puzzles_of(game)
    gone = tuple(max(others) + n for n in (1, 2))
    answered = PuzzleStanding(NEW.mu, NEW.sigma, 301, (*gone, *others))
    await room.bot.tables.database.write_at_once(
        lambda connection: keep_standing(connection, room.ann.id, game, answered)
    )
    shown, puzzle = await posed(room, game)
    assert puzzle.number == first
    listed = (await forge(room.ann, shown, "v:puzzles")).response
    assert f"{len(others) + 2} of {len(others) + 3} answered, 301 right" in said(listed)


async def test_who_has_answered_all_meets_the_oldest_again_and_nothing_counts(room: Any) -> None:
    game = puzzled()[0]
    numbers = tuple(puzzles_of(game))
    full = PuzzleStanding(NEW.mu, NEW.sigma, 0, numbers)
    await room.bot.tables.database.write_at_once(
        lambda connection: keep_standing(connection, room.ann.id, game, full)
    )
    shown, puzzle = await posed(room, game)
    assert puzzle.number == numbers[0]
    await pressed_through(room, puzzle, shown, ways(view_of(room, puzzle), right=True)[0])
    found = await standing(room, game)
    assert found == PuzzleStanding(NEW.mu, NEW.sigma, 0, (*numbers[1:], numbers[0]))


@pytest.mark.parametrize("every", [6, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", puzzled())
async def test_every_puzzle_can_be_answered_and_its_ids_hold_no_answer(
    room: Any, game: str, every: int
) -> None:
    for puzzle in list(puzzles_of(game).values())[::every]:
        view = view_of(room, puzzle)
        message = puzzle_message(view)
        reached = {way.action for way in routes(view.view.tree, view.view.legal)}
        assert set(puzzle.right()) <= reached
        assert puzzle.rules().action(puzzle.second) in reached
        assert view.reason()
        assert view.technique()
        hand = {custom_id.split(":")[1] for custom_id in custom_ids(message.view.to_components())}
        assert hand <= {"solve"}


def test_the_next_puzzle_fits_the_rating() -> None:
    puzzles = list(puzzles_of(puzzled()[0]).values())
    weak, strong = (upcoming(puzzles, PuzzleStanding(mu, 1.0)) for mu in (0.0, 60.0))
    assert weak.difficulty == min(puzzle.difficulty for puzzle in puzzles)
    assert strong.difficulty == max(puzzle.difficulty for puzzle in puzzles)


@pytest.mark.parametrize("game", puzzled())
def test_every_technique_has_a_name_in_every_language(game: str) -> None:
    for puzzle in puzzles_of(game).values():
        for language in languages():
            assert f"puzzle.technique.{game}.{puzzle.technique}" in words(language)


async def test_a_harder_puzzle_is_worth_more(room: Any) -> None:
    easy, hard = sorted(EVERY, key=lambda puzzle: puzzle.difficulty)[:: len(EVERY) - 1]
    database = room.bot.tables.database
    after = [
        await database.write_at_once(lambda c, who=who, p=p: keep_answer(c, who, p, right=True))
        for who, p in enumerate((easy, hard), 1)
    ]
    assert after[0].after.mu < after[1].after.mu
