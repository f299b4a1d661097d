"""Animations of tables: for moves that deserve one, within ten frames and 200 KiB."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from typing import Any

import pytest
from PIL import Image

from bot import presenters
from bot.render.encode import encode
from bot.render.motion import LONGEST_MS
from bot.render.scene import Look, Rect, Scene
from bot.table.game_runner import steady
from engine import catalog
from engine.arena import key_of, opponent
from engine.game import Event
from tests.support.share import share

MOST_BYTES = 200 * 1024
MOST_CHANGED = 1 / 5
"""Largest part of a picture that a frame may change. Each frame costs what its rectangle costs."""
NAMES = ("Ada", "Ben", "Cleo", "Dmitri", "Eva")
MOVING = [
    ("atom_duel", 3, {"level": 7}),
    ("atom", 4, {}),
    ("atom", 5, {}),
    ("compound_capture", 2, {}),
    ("canasta", 3, {}),
    ("chemistry_battle", 2, {}),
    ("chemistry_battle", 4, {}),
    ("duel52", 2, {}),
    ("molecular", 2, {}),
]


def shown(key: str, seats: int, seed: int, **options: Any) -> Iterator[Scene]:
    """The table after each act of a game in which everybody plays as well as they can."""
    game, presenter, look = catalog.get(key), presenters.get(key), Look(names=NAMES[:seats])
    state: Any = game.deal(game.setup(seats, key_of(seed, 0), **options))
    rng, best = random.Random(seed), opponent(game, steady(game))
    while waiting := state.to_act():
        seat = waiting[0]
        actions = state.legal_actions(seat)
        state.events = []
        state.push(seat, actions[0] if len(actions) == 1 else best(state.observe(seat), actions, rng))
        news = [cut for event in state.events if (cut := event.seen_by(None)) is not None]
        seen = state.observe(None)
        yield presenter.motion(news, seen, presenter.table(seen, look), look)


@pytest.mark.long
@pytest.mark.parametrize(("key", "seats", "options"), share(MOVING, 4))
def test_what_is_worth_it_moves_and_fits(key: str, seats: int, options: dict[str, Any]) -> None:
    scenes = list(shown(key, seats, 2, **options))
    moving = [scene for scene in scenes if scene.motion]
    assert moving
    assert len(moving) < len(scenes) / 2
    for scene in moving[:: max(1, len(moving) // 4)]:
        whole = Rect(0, 0, scene.width, scene.height)
        assert all(whole.holds(item.rect) for frame in scene.motion for item in frame.items)
        file = encode(scene)
        assert len(file) <= MOST_BYTES
        image, took = Image.open(io.BytesIO(file)), 0
        for number in range(image.n_frames):  # type: ignore[attr-defined]
            image.seek(number)
            took += image.info["duration"]
            left, top, right, bottom = image.dispose_extent  # type: ignore[attr-defined]
            changed = (right - left) * (bottom - top) / (scene.width * scene.height)
            assert number == 0 or changed <= MOST_CHANGED, number
        assert took <= LONGEST_MS


def test_a_table_that_nothing_has_happened_at_stays_still() -> None:
    for key in catalog.listed():
        game, presenter = catalog.get(key), presenters.get(key)
        seats = game.seats(game.defaults())[0]
        seen: Any = game.deal(game.setup(seats, key_of(1, 0))).observe(None)
        scene = presenter.table(seen, Look(names=NAMES[:seats]))
        assert presenter.motion([], seen, scene, Look()) == scene


def test_a_bomb_moves_where_the_trick_ends_with_it() -> None:
    """All others pass by themselves: the next picture shows the end of the trick."""
    game, presenter, bombs, ended = catalog.get("atom"), presenters.get("atom"), ("bomb", "atom", "nuke"), 0
    for seed in range(3):
        state: Any = game.deal(game.setup(4, key_of(seed, 0)))
        rng, best, news = random.Random(seed), opponent(game, steady(game)), list[Event]()
        while waiting := state.to_act():
            seat = waiting[0]
            state.events = []
            state.push(seat, best(state.observe(seat), state.legal_actions(seat), rng))
            news += state.events
            if not any(event.kind == "trick" for event in news):
                continue
            last, seen = [event for event in news if event.kind == "play"][-1], state.observe(None)
            scene = presenter.motion(news, seen, presenter.table(seen, Look()), Look())
            moves = last.facts["sort"] in bombs and seen.phase != "over" and seen.last_trick is not None
            assert bool(scene.motion) == moves
            ended, news = ended + moves, []
    assert ended
