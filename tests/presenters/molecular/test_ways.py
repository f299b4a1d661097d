"""The picture of a hand while its holder lays a tile."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator

import pytest

from bot.presenters.base import Branch, Choice
from bot.presenters.molecular import PRESENTER, previews, queries
from bot.presenters.molecular.choices import kind_of
from bot.render import text
from bot.render.check import audit
from bot.render.scene import Item, ItemGroup, Look, Scene, Sprite, Text
from bot.render.sprites import draw
from bot.render.theme import CONTAINER_WIDTH, PHONE_WIDTH, theme
from engine.molecular import GAME
from engine.molecular.board import cell_of
from engine.molecular.cards import SHAPE_KIND
from engine.molecular.moves import Move
from engine.molecular.observation import Observation
from engine.molecular.state import MolecularState
from tests.engine.molecular.positions import game, give_pool, placed, tile
from tests.support.discord.keys import patterns

LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gil", "Hal"))


def flat(items: tuple[Item, ...]) -> list[Item]:
    return [one for item in items for one in (flat(item.items) if isinstance(item, ItemGroup) else [item])]


def sprites(scene: Scene, painter: str) -> list[Sprite]:
    return [i for i in flat(scene.items) if isinstance(i, Sprite) and i.painter == painter]


def grown(tiles: int, seed: int) -> MolecularState | None:
    """A game played with random tiles until so many lie; None where it ended before."""
    rng = random.Random(seed)
    state = GAME.deal(GAME.setup(1 + seed % 4, seed.to_bytes(32, "big"), rounds=20))
    while state.to_act() and len(state.board.tiles) < tiles:
        seat = state.to_act()[0]
        actions = state.legal_actions(seat)
        state.push(seat, rng.choice([move for move in actions if move.verb == "tile"] or actions))
    return state if state.to_act() else None


def some(tiles: int) -> MolecularState:
    """The first such game that is not over."""
    return next(state for seed in range(99) if (state := grown(tiles, seed)) is not None)


def tiles_asked(seen: Observation, moves: list[Move]) -> Iterator[Choice]:
    """The choices among tiles, where the turn offers any."""
    node = PRESENTER.choices(seen, moves, LOOK)
    assert isinstance(node, Branch)
    for choice in node.choices:
        if kind_of(choice.key) is not None:
            yield choice


@pytest.mark.parametrize("tiles", [1, 2, 5, 12, 25, 40, 60, 80, 100, 120])
def test_the_cells_are_those_of_the_choices_with_the_same_letters_and_points(tiles: int) -> None:
    checked = 0
    for seed in range(12):
        state = grown(tiles, seed)
        if state is None:
            continue
        seat = state.to_act()[0]
        seen = state.observe(seat)
        for choice in tiles_asked(seen, list(state.legal_actions(seat))):
            assert isinstance(choice.child, Branch)
            scene = PRESENTER.hand_at(seen, (choice.key,), LOOK)
            assert scene is not None
            assert audit(scene) == []
            cells = [cell.label.split() for cell in choice.child.choices if cell.key != "turned"]
            assert {(words[0].split("-")[0], words[-1]) for words in cells} == set(_marks(scene))
            # of few ways each that shares its cell with others is drawn, and has the name of its button
            named = {words[0] for words in cells if "-" in words[0]}
            if len(cells) == len(choice.child.choices):
                assert {one for one in texts(scene) if "-" in one} == named
                assert all(f"{one} " in scene.alt for one in named)
            for letter, points in _marks(scene):
                assert f" {letter} {points} " in scene.alt
            kinds = [one.args[0] for one in sprites(scene, "molecular.rack")]
            assert kinds == [int(choice.key[1:])]
            checked += 1
        if checked > 8:
            break
    assert checked


@pytest.mark.parametrize("tiles", [2, 5, 12, 40])
def test_two_buttons_stand_side_by_side_on_a_phone(tiles: int) -> None:
    """A button of 18 signs is 141 px wide there, and a row inside a container 294."""
    for seed in range(6):
        state = grown(tiles, seed)
        if state is None:
            continue
        seat = state.to_act()[0]
        top = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
        assert isinstance(top, Branch)
        cells = [choice.child for choice in top.choices if kind_of(choice.key) is not None]
        for node in (top, *cells):
            assert isinstance(node, Branch)
            for choice in node.choices:
                assert len(choice.label) <= 18
                assert not choice.emoji


@pytest.mark.parametrize("tiles", [12, 25, 60])
def test_many_ways_round_leave_room_for_their_buttons(tiles: int) -> None:
    """Inside a container on a phone the picture is not so high that one would scroll to them."""
    for seed in range(6):
        if (state := grown(tiles, seed)) is None:
            continue
        seen = state.observe(state.to_act()[0])
        for choice in tiles_asked(seen, list(state.legal_actions(state.to_act()[0]))):
            scene = PRESENTER.hand_at(seen, (choice.key,), LOOK)
            assert scene is not None
            assert scene.height * CONTAINER_WIDTH / scene.width <= 530


def texts(scene: Scene) -> list[str]:
    return [i.string for i in flat(scene.items) if isinstance(i, Text)]


def _marks(scene: Scene) -> list[tuple[str, str]]:
    return [(str(one.args[0]), str(one.args[1])) for one in sprites(scene, "molecular.choice")]


def test_letters_are_large_on_a_phone() -> None:
    state = some(60)
    seat = state.to_act()[0]
    seen = state.observe(seat)
    for choice in tiles_asked(seen, list(state.legal_actions(seat))):
        scene = PRESENTER.hand_at(seen, (choice.key,), LOOK)
        assert scene is not None
        for one in sprites(scene, "molecular.choice"):
            with text.recording() as found:
                draw(one.painter, one.args, one.rect.w, one.rect.h, theme())
            assert found[0].string == one.args[0]
            assert found[0].pixels * PHONE_WIDTH / scene.width >= 20


@pytest.mark.parametrize("letter", ["A", "M", "W", "m", "8"])
@pytest.mark.parametrize("width", previews.WIDTHS)
def test_letter_and_points_fit_their_chip(letter: str, width: int) -> None:
    high = round(width * 0.866)
    with text.recording() as found:
        draw("molecular.choice", (letter, "+3"), width - 4, high - high // 8 * 2, theme())
    assert not any(one.cut for one in found)
    assert found[0].pixels * PHONE_WIDTH / 1280 >= 20


def test_after_the_cell_every_way_round_is_drawn() -> None:
    state = game()
    give_pool(state, 0, "C1111-2", "H1-1", "H1-1", "H1-1", "H1-1")
    moves = placed(state, 0, 1, -1)
    moves = [move for move in moves if move.what == tile("C1111-2")]
    assert len(moves) > 1
    scene = PRESENTER.hand_at(state.observe(0), (f"t{tile('C1111-2')}", "1_-1"), LOOK)
    assert scene is not None
    assert audit(scene) == []
    laid = [one.args[0] for one in sprites(scene, "molecular.tile") if one.args[2] == "accent"]
    assert len(set(laid)) == len(laid) == len(moves)
    assert {SHAPE_KIND[shape] for shape in laid} == {tile("C1111-2")}
    node = PRESENTER.choices(state.observe(0), list(state.legal_actions(0)), LOOK)
    for key in (f"t{tile('C1111-2')}", "turned", "1_-1"):
        assert isinstance(node, Branch)
        node = next(choice.child for choice in node.choices if choice.key == key)
    assert isinstance(node, Branch)
    assert len(node.choices) == len(moves) - 1  # the first way is a press less
    rest = PRESENTER.hand_at(state.observe(0), (f"t{tile('C1111-2')}", "turned", "1_-1"), LOOK)
    assert rest is not None
    for choice in node.choices:
        way = choice.label.removesuffix(" · +1")
        assert way.split()[0] in texts(rest)
        assert way in rest.alt
    assert len(sprites(rest, "molecular.tile")) < len(sprites(scene, "molecular.tile"))


def test_who_asks_why_sees_the_other_cells() -> None:
    state = game()
    give_pool(state, 0, "C112-1", "H1-1", "H1-1", "H1-1", "H1-1")
    state.apply(0, placed(state, 0, 1, -1)[-1])
    seen = state.observe(0)
    scene = PRESENTER.hand_at(seen, ("t0", "why"), LOOK)
    assert scene is not None
    fits = {cell_of(move.q, move.r) for move in state.legal_actions(0) if move.what == 0}
    others = {name for cell, name in queries.table(seen).letters.items() if cell not in fits}
    assert {letter for letter, points in _marks(scene) if not points} == others
    assert len(_marks(scene)) == len(others)
    assert re.search(patterns("molecular.alt", ("elsewhere",)), scene.alt)


@pytest.mark.parametrize("way", [(), ("group",), ("t99",), ("x",), ("why",), ("t1",)])
def test_other_ways_keep_the_hand(way: tuple[str, ...]) -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "N3-1")
    assert PRESENTER.hand_at(state.observe(0), way, LOOK) is None


def test_nobody_else_and_no_stale_way_gets_such_a_picture() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "N3-1")
    give_pool(state, 1, "H1-1", "H1-1", "H1-1", "H1-1", "N3-1")
    assert PRESENTER.hand_at(state.observe(0), ("t0",), LOOK) is not None
    assert PRESENTER.hand_at(state.observe(1), ("t0",), LOOK) is None
    assert PRESENTER.hand_at(state.observe(None), ("t0",), LOOK) is None
    far = PRESENTER.hand_at(state.observe(0), ("t0", "50_50"), LOOK)
    assert far == PRESENTER.hand_at(state.observe(0), ("t0",), LOOK)


def test_such_a_picture_costs_little() -> None:
    state = some(80)
    seat = state.to_act()[0]
    seen = state.observe(seat)
    choices = list(tiles_asked(seen, list(state.legal_actions(seat))))
    start = time.thread_time()
    for choice in choices:
        PRESENTER.hand_at(seen, (choice.key,), LOOK)
    assert time.thread_time() - start < 0.05 * len(choices)  # some 0.5 ms each; machines differ


def test_the_ways_of_a_tile_are_read_as_the_choices_name_them() -> None:
    state = game()
    seen = state.observe(0)
    for choice in tiles_asked(seen, list(state.legal_actions(0))):
        assert re.fullmatch(r"t\d+", choice.key)
        assert isinstance(choice.child, Branch)
        assert all(re.fullmatch(r"-?\d+_-?\d+(_r\d)?|turned", cell.key) for cell in choice.child.choices)
