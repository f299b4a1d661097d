"""Looking closer at a molecule that is drawn small on the table."""

from __future__ import annotations

import random

import pytest

from bot.locales import words
from bot.presenters.molecular import PRESENTER, chart, closeups, queries
from bot.presenters.molecular.hand import hand as hand_scene
from bot.presenters.molecular.scenes import table as table_scene
from bot.render.check import audit
from bot.render.scene import Item, ItemGroup, Look, Scene, Sprite, Text
from engine.molecular.ai.heuristic import heuristic
from engine.molecular.board import MIDDLE, Board
from engine.molecular.cards import SHAPE_EDGES
from engine.molecular.game import GAME
from engine.molecular.observation import Observation, Pending
from engine.molecular.state import MolecularState
from tests.engine.molecular.positions import e
from tools.bench.molecular import grown, position

LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gil", "Hal"))


def flat(items: tuple[Item, ...]) -> list[Item]:
    return [one for item in items for one in (flat(item.items) if isinstance(item, ItemGroup) else [item])]


def lettered(scene: Scene) -> set[str]:
    """The letters on cells and on tiles."""
    board = next(item for item in scene.items if isinstance(item, ItemGroup) and _holds_tiles(item))
    cells = {item.string for item in flat(board.items) if isinstance(item, Text)}
    return cells | {item.args[1] for item in _tiles(scene) if item.args[1]}


def _holds_tiles(group: ItemGroup) -> bool:
    return any(isinstance(item, ItemGroup) and item.tag.startswith("cell") for item in group.items)


def _tiles(scene: Scene) -> list[Sprite]:
    return [i for i in flat(scene.items) if isinstance(i, Sprite) and i.painter == "molecular.tile"]


def pages(seen: Observation) -> list[Scene]:
    return [page.scene for page in PRESENTER.closeups(seen, LOOK) if page.scene is not None]


def labels(state: MolecularState) -> set[str]:
    """The letters by which the choices of the seat in turn name tiles."""
    seat = state.to_act()[0]
    node = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    return {choice.label.split()[0] for choice in node.choices}


@pytest.mark.parametrize("seed", range(24))
def test_close_looks_together_show_every_tile_and_every_letter(seed: int) -> None:
    rng = random.Random(f"close/{seed}")
    state = position(grown(80 + 2 * seed if seed < 21 else 128, rng))
    seen = state.observe(None)
    table = queries.table(seen)
    scenes = pages(seen)
    assert bool(scenes) == PRESENTER.needs_closeups(seen)
    if not scenes:
        assert len(_tiles(table_scene(seen, LOOK))) == len(state.board.tiles)
        return
    parts = closeups.parts(table)
    assert len(parts) == len(scenes) <= 25  # a menu has no room for more
    for cell in [*table.board.tiles, *table.letters]:
        assert any(part.window.holds(cell) for part in parts)
    assert set().union(*map(lettered, scenes)) == set(table.letters.values())
    for part, scene in zip(parts, scenes, strict=True):
        drawn = _tiles(scene)
        assert len(drawn) == sum(map(part.window.holds, table.board.tiles))
        assert {one.rect.w for one in drawn} <= {w for w in chart.WIDTHS if w >= closeups.CLOSE}
        assert audit(scene) == []
        assert f"{len(drawn)} tile" in scene.alt
        for name in lettered(scene):
            assert f" {name}," in scene.alt.replace(".", ",")
    titles = [page.title for page in PRESENTER.closeups(seen, LOOK)]
    assert len(set(titles)) == len(titles)


def test_a_part_keeps_no_more_of_what_its_neighbours_show_than_one_cell_around() -> None:
    for seed in range(6):
        seen = position(grown(100, random.Random(seed))).observe(None)
        table = queries.table(seen)
        parts = closeups.parts(table)
        for part in parts:
            others = [other.window for other in parts if other is not part]
            alone = [
                cell
                for cell in chart.shown_cells(table)
                if part.window.holds(cell) and not any(window.holds(cell) for window in others)
            ]
            assert part.window.within(chart.around(alone).wider()) == part.window


def test_final_boards_of_steady_opponents_are_shown_whole_and_without_letters() -> None:
    shown = 0
    for seed in range(6):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(4, seed.to_bytes(32, "big"), rounds=20))
        assert PRESENTER.closeups(state.observe(None), LOOK) == ()
        while seats := state.to_act():
            actions = state.legal_actions(seats[0])
            state.push(seats[0], heuristic(state.observe(seats[0]), actions, rng))
        seen = state.observe(None)
        parts = closeups.parts(queries.table(seen))
        assert all(any(part.window.holds(cell) for part in parts) for cell in state.board.tiles)
        scenes = pages(seen)
        shown += bool(scenes)
        for scene in [*scenes, table_scene(seen, LOOK)]:
            assert lettered(scene) == set()
            assert audit(scene) == []
    assert shown


def test_while_spillage_asks_close_looks_letter_the_tiles_that_can_go() -> None:
    asked = 0
    for seed in range(8):
        state = position(grown(104, random.Random(f"spill/{seed}")))
        seat = state.turn
        state.pending = Pending("spill", e("spill"))
        scenes = pages(state.observe(None))
        asked += bool(scenes)
        choices = labels(state)
        assert lettered(table_scene(state.observe(None), LOOK)) <= choices
        assert lettered(hand_scene(state.observe(seat), LOOK)) <= choices
        assert lettered(hand_scene(state.observe((seat + 1) % 4), LOOK)) == set()
        if scenes:
            assert set().union(*map(lettered, scenes)) == choices
            assert not any(isinstance(item, Text) for scene in scenes for item in flat(scene.items))
    assert asked


def _chain(straight: int) -> MolecularState:
    """The start tile and carbons in a row to the right, longer than any picture is wide."""
    shape = next(s for s, edges in enumerate(SHAPE_EDGES) if edges == (0, 1, 1, 0, 1, 1))
    board = Board.begun()
    for step in range(1, straight):
        board.lay(MIDDLE + step * 512, shape)
    return position(board)


@pytest.mark.parametrize("length", [30, 60, 130])
def test_a_chain_of_any_length_is_shown_whole(length: int) -> None:
    state = _chain(length)
    seen = state.observe(None)
    table = queries.table(seen)
    parts = closeups.parts(table)
    assert 2 <= len(parts) <= 25
    assert all(
        any(part.window.holds(cell) for part in parts) for cell in [*table.board.tiles, *table.letters]
    )
    titles = [page.title for page in PRESENTER.closeups(seen, LOOK)]
    assert len(set(titles)) == len(titles)


def test_a_picture_says_how_much_lies_outside_and_where_to_see_it() -> None:
    state = _chain(60)
    button = words("en")("table.closer")
    for seen, scene in (
        (state.observe(None), table_scene(state.observe(None), LOOK)),
        (state.observe(state.turn), hand_scene(state.observe(state.turn), LOOK)),
    ):
        assert PRESENTER.needs_closeups(seen)
        missing = 60 - len(_tiles(scene))
        assert missing > 0
        told = next(i.string for i in flat(scene.items) if isinstance(i, Text) and button in i.string)
        assert f"{missing} more tiles" in told
        assert f"{told}." in scene.alt
        assert audit(scene) == []
    state.over = "rounds"
    over = table_scene(state.observe(None), LOOK)
    assert any("The molecule" in i.string for i in flat(over.items) if isinstance(i, Text))
    assert button not in over.alt
