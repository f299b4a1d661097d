"""Leaderboards and statistics: sound for every name and figure, and nothing below the ALT badge."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import presenters
from bot.render.check import faults
from bot.render.pages.leaderboards import BoardLine, BoardPicture, Columns, board_scene, emblem, medal
from bot.render.pages.stats import StatFigure, Stats, stats_scene
from bot.render.scene import Look, Text
from tests.support.games.pictures import every_item, in_corner

NAMES = (
    "Mira",
    "Bartholomew the Magnificent of Nowhere",
    "小明",
    "🦊 fox",
    "שלום",
    "**_b_**",
    "W" * 32,
    "i",
    "",
)
COLUMNS = Columns("Won", "of {n}", "Rating")


@st.composite
def tallies(draw_: st.DrawFn) -> BoardLine:
    """A line of which everything may be there or not."""
    games = draw_(st.sampled_from([0, 1, 7, 12_345]))
    rated = draw_(st.booleans())
    return BoardLine(
        draw_(st.sampled_from(NAMES)),
        games and draw_(st.integers(0, games)),
        games,
        "A line.",
        rank=draw_(st.sampled_from(["", "1", "118", "1000"])),
        sign=draw_(st.sampled_from([None, medal(1), medal(3), emblem("cards.face", ("K", "hearts"), 5 / 7)])),
        rating=draw_(st.sampled_from(["0", "12345"])) if rated else "new",
        rated=rated,
        streak=draw_(st.sampled_from([0, 1, 2, 1234])),
        tag=draw_(st.sampled_from(["", "you"])),
        plain="Player 1000",
        note=draw_(st.sampled_from(["", "Longest run 12 · 1234 hands won · Practice 123 of 1234"])),
    )


@settings(max_examples=25, deadline=None)
@given(st.lists(tallies(), max_size=10), st.none() | tallies(), st.sampled_from(NAMES))
def test_boards_are_sound(lines: list[BoardLine], own: BoardLine | None, title: str) -> None:
    lines = [replace(line, note="") for line in lines]
    own = own and replace(own, note="")
    board = BoardPicture(title, "Atom Duel", COLUMNS, tuple(lines), own, "Nobody has played yet.", "Page 1")
    scene = board_scene(board, Look())
    assert faults(scene) == []
    assert in_corner(scene) == []


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(NAMES),
    st.lists(tallies(), max_size=7),
    st.lists(st.booleans(), max_size=10),
    st.sampled_from(
        [(), (StatFigure("12345", "games"), StatFigure("100 %", "won"), StatFigure("1234", "longest run"))]
    ),
)
def test_statistics_are_sound(
    name: str, lines: list[BoardLine], last: list[bool], figures: tuple[StatFigure, ...]
) -> None:
    said = "Two were won."
    footer = "Practice is against the computer alone."
    stats = Stats(
        name, "here", figures, "Last games", tuple(last), said, COLUMNS, tuple(lines), "No games yet.", footer
    )
    scene = stats_scene(stats, Look())
    assert faults(scene) == []
    assert in_corner(scene) == []


@pytest.mark.parametrize("key", [key for key in presenters.offered() if presenters.get(key).poster.emblem])
def test_the_emblem_of_every_game_can_be_made_small(key: str) -> None:
    sign = presenters.get(key).poster.emblem
    assert sign is not None
    tally = BoardLine(key, 1, 2, "A line.", sign=emblem(sign.painter, sign.args, sign.shape))
    assert faults(board_scene(BoardPicture("Board", "", COLUMNS, (tally,)), Look())) == []


def test_medals_are_for_three() -> None:
    assert [bool(medal(place)) for place in range(5)] == [False, True, True, True, False]


def test_the_own_line_of_another_page_stands_below_the_others() -> None:
    lines = (BoardLine("Mira", 9, 9, "1 Mira.", rank="1"),)
    own = BoardLine("Tobias", 0, 3, "7 Tobias.", rank="7", tag="you")
    scene = board_scene(BoardPicture("Board", "", COLUMNS, lines, own), Look())
    words = [item.string for item in every_item(scene.items) if isinstance(item, Text)]
    assert words.index("Mira") < words.index("· · ·") < words.index("Tobias") < words.index("you")
    assert scene.alt.index("1 Mira.") < scene.alt.index("7 Tobias.")
