"""Blocks: what is measured is what is drawn, and nothing lies over anything else."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.render.blocks import Block, Box, Column, Flow, Grid, Paragraph, Piece, Spaced, even, frozen
from bot.render.check import audit
from bot.render.scene import BASE_WIDTH, Align, Fit, Item, Look, Panel, Rect, Size, Text

LONG = "Whoever holds the element may take the wild card of a run and lay the element there instead " * 2


def panel(area: Rect) -> tuple[Item, ...]:
    return (Panel(area, "panel"),)


boxes = st.builds(Box, st.integers(0, 90), st.just(panel))
pieces = st.builds(Piece, st.integers(1, 900), st.integers(1, 90), st.just(panel))
flows = st.builds(
    Flow,
    st.lists(pieces, max_size=9),
    align=st.sampled_from(Align),
    most=st.integers(1, 9),
    gap=st.integers(0, 20),
)
words = st.builds(Paragraph, st.sampled_from(("", "Round 1", LONG)), lines=st.integers(1, 3))
leaves: st.SearchStrategy[Block] = st.one_of(boxes, flows, words)
blocks: st.SearchStrategy[Block] = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Column, st.lists(inner, max_size=4), gap=st.integers(0, 20)),
        st.builds(Grid, st.lists(inner, max_size=5), columns=st.integers(1, 3)),
        st.builds(Spaced, inner, st.integers(0, 20)),
    ),
    max_leaves=8,
)


@given(blocks, st.integers(300, 1300))
def test_what_is_drawn_lies_in_what_was_measured_and_apart(block: Block, width: int) -> None:
    area = Rect(24, 16, width, block.height(width))
    rects = [item.rect for item in block.items(area)]
    assert all(area.holds(rect) for rect in rects)
    assert not any(one.overlaps(other) for one, other in combinations(rects, 2))


def rects(block: Block, width: int) -> list[Rect]:
    return [item.rect for item in block.items(Rect(0, 0, width, block.height(width)))]


def test_an_empty_block_leaves_nothing_free() -> None:
    full, empty = Box(50, panel), Paragraph("")
    assert Column((full, Spaced(empty, 12), full), gap=8).height(400) == 108
    assert Spaced(empty, 12).height(400) == 0
    assert Grid((), columns=3).height(400) == Flow(()).height(400) == 0


def test_cards_go_on_in_the_next_line() -> None:
    three = Flow((Piece(100, 40, panel), Piece(100, 60, panel), Piece(100, 40, panel)), gap=10)
    assert [rect[:2] for rect in rects(three, 320)] == [(0, 0), (110, 0), (220, 0)]
    assert [rect[:2] for rect in rects(three, 319)] == [(0, 0), (110, 0), (0, 68)]
    assert three.height(319) == 108
    assert rects(Flow(three.pieces, gap=10, align=Align.RIGHT), 319)[2].right == 319
    assert len(Flow(three.pieces, most=1).lines(900)) == 3


def test_seats_stand_in_columns_and_a_row_is_as_high_as_its_highest() -> None:
    grid = Grid([Box(tall, panel) for tall in (40, 90, 50)], columns=2, gap=10)
    assert rects(grid, 210) == [Rect(0, 0, 100, 90), Rect(110, 0, 100, 90), Rect(0, 100, 100, 50)]


def test_words_shrink_to_the_last_of_their_sizes_then_are_cut() -> None:
    short, long = (Paragraph(text, (Size.TITLE, Size.BODY, Size.SMALL)) for text in ("Your turn", LONG))
    assert [item.size for item in short.items(Rect(0, 0, 600, 64)) if isinstance(item, Text)] == [Size.TITLE]
    assert short.height(600) == Size.TITLE + 8
    assert long.height(600) == Size.SMALL + 8
    assert Paragraph(LONG, lines=3).height(900) == 44 + 2 * 45


@pytest.mark.parametrize("size", [Size.SMALL, Size.BODY, Size.TITLE])
def test_words_in_lines_are_written_whole(size: Size) -> None:
    scene = frozen(Paragraph(LONG, (size,), lines=8), "Alt", Look())
    assert audit(scene) == []
    assert [item.fit for item in scene.items if isinstance(item, Text)] == [Fit.STRICT]


def test_a_picture_is_as_high_as_its_blocks() -> None:
    scene = frozen(Column((Paragraph("Round 1"), Paragraph(LONG, lines=2)), gap=8), "Alt", Look())
    assert (scene.width, scene.height) == (BASE_WIDTH, 16 + 44 + 8 + 89 + 24)
    assert audit(scene) == []


@pytest.mark.parametrize(("count", "most", "line"), [(7, 7, 7), (8, 7, 4), (15, 7, 5), (19, 9, 7), (0, 7, 1)])
def test_lines_are_about_as_long_as_each_other(count: int, most: int, line: int) -> None:
    assert even(count, most) == line
