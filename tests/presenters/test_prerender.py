"""Cards are drawn ahead: what is kept is found by whoever paints a real game, and nothing is drawn twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.ops.prerender import draw_ahead
from bot.presenters.painter_imports import load_painters
from bot.presenters.prerender import LEAST_ROOM, PARTS, missing_parts, prerender, random_scenes
from bot.render import sprites
from bot.render.encode import encode
from bot.render.pool import Studio
from bot.render.sprite_cache import SpriteCache
from bot.table.thinking import WorkerThinker

GAME = "compound_capture"


def forgotten() -> None:
    """As in a process that has painted nothing yet."""
    sprites.clear()


@pytest.fixture(autouse=True)
def _a_process_of_its_own() -> Iterator[None]:
    forgotten()
    yield
    load_painters("-")


@pytest.mark.long
def test_a_game_nobody_rehearsed_finds_its_cards_drawn(tmp_path: Path) -> None:
    assert prerender(GAME, 0, str(tmp_path)) > 100
    assert prerender(GAME, 1, str(tmp_path)) > 0
    forgotten()
    disk = load_painters(str(tmp_path))
    assert disk is not None
    for scene in random_scenes(GAME, 1, 10):
        encode(scene)
    assert disk.read > 4 * disk.written


def test_what_is_drawn_is_not_drawn_again(tmp_path: Path) -> None:
    load_painters(str(tmp_path))
    assert missing_parts([GAME, "canasta"])[:3] == [(GAME, 0), ("canasta", 0), (GAME, 1)]
    prerender(GAME, 1, str(tmp_path))
    left = missing_parts([GAME, "canasta"])
    assert (GAME, 1) not in left
    assert len(left) == 2 * PARTS - 1


def test_new_drawings_are_rehearsed_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prerender(GAME, 1, str(tmp_path))
    monkeypatch.setattr("bot.presenters.painter_imports.fingerprint", lambda roots: "another")
    load_painters(str(tmp_path))
    assert (GAME, 1) in missing_parts([GAME])


def test_without_a_place_or_room_nothing_is_rehearsed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_painters("-")
    assert missing_parts([GAME]) == []
    assert prerender(GAME, 1, "-") == 0
    sprites.keep_on(SpriteCache(tmp_path, "full", most_bytes=LEAST_ROOM - 1))
    assert missing_parts([GAME]) == []


@pytest.mark.long
async def test_a_start_draws_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here a painter and the process for what takes long are threads of this one."""
    monkeypatch.setattr("bot.presenters.prerender.PARTS", 3)
    monkeypatch.setattr("bot.presenters.prerender.PICTURES", 2)
    load_painters(str(tmp_path))
    studio, thinker = Studio(), WorkerThinker(0)
    await draw_ahead(studio, thinker, [GAME], str(tmp_path), after=0)
    assert missing_parts([GAME]) == []
    await asyncio.to_thread(studio.close)
    await thinker.close()
