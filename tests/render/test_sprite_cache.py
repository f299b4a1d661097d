"""Drawn cards on disk: the same pixels, nothing of anybody, and whatever is wrong there is drawn anew."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bot.render.playing_cards  # noqa: F401 - registers its painters
from bot import presenters
from bot.presenters.painter_imports import load_painters
from bot.render import sprite_cache as module
from bot.render import sprites
from bot.render.encode import encode
from bot.render.scene import Item, ItemGroup, Look, Rect, Scene, Sprite, SpriteState
from bot.render.sprite_cache import SpriteCache, fingerprint, stable, user_folder
from engine import catalog
from engine.arena import key_of
from tools.contact_sheet.galleries import gallery

CARDS = Scene(
    400,
    200,
    (
        Sprite("cards.face", ("7", "hearts"), Rect(20, 40, 100, 140), frozenset({SpriteState.RAISED})),
        Sprite("cards.face", ("7", "hearts"), Rect(140, 40, 140, 100), frozenset({SpriteState.SIDEWAYS})),
        Sprite(
            "cards.back",
            ("",),
            Rect(290, 40, 100, 140),
            frozenset({SpriteState.OUTLINED, SpriteState.DIMMED}),
        ),
    ),
    "Three cards",
)
NAMES = ("Anneliese-Sophie", "Бартоломей", "Xiǎomíng 小明", "D'Artagnan", "Zé")


def forget() -> None:
    """As a fresh process begins."""
    sprites.clear()


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    forget()
    yield
    sprites.keep_on(None)
    forget()


def files(root: Path) -> list[Path]:
    return [path for path in root.rglob("*") if path.is_file()]


def on(root: Path, **how: Any) -> SpriteCache:
    disk = SpriteCache(root, "test", **how)
    sprites.keep_on(disk)
    return disk


def test_a_fresh_process_shows_the_same_without_drawing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = encode(CARDS)
    forget()
    first = on(tmp_path)
    assert encode(CARDS) == drawn
    assert (first.read, first.written) == (0, 3)
    forget()
    second = on(tmp_path)
    monkeypatch.setattr(sprites, "draw", None)
    assert encode(CARDS) == drawn
    assert (second.read, second.written) == (3, 0)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: b"",
        lambda data: data[:20],
        lambda data: data[:-1],
        lambda data: data[:40] + bytes([data[40] ^ 1]) + data[41:],
        lambda data: b"not a sprite at all",
        lambda data: os.urandom(5000),
        lambda data: data + data,
    ],
)
def test_what_is_broken_or_foreign_is_drawn_again(tmp_path: Path, spoil: Any) -> None:
    on(tmp_path)
    drawn = encode(CARDS)
    for path in files(tmp_path):
        path.write_bytes(spoil(path.read_bytes()))
    forget()
    mended = on(tmp_path)
    assert encode(CARDS) == drawn
    assert (mended.read, mended.written) == (0, 3)
    forget()
    assert encode(CARDS) == drawn
    assert mended.read == 3


@pytest.mark.parametrize("inside", [b"", b"1", bytes(16), bytes(40), b"L\0\0\0" + bytes(200)])
def test_a_whole_file_with_nonsense_inside_is_drawn_again(tmp_path: Path, inside: bytes) -> None:
    disk = on(tmp_path)
    drawn = encode(CARDS)
    keys = list(sprites._packed)
    for key in keys:
        disk.put(key, inside)
    forget()
    assert encode(CARDS) == drawn


def test_a_folder_in_the_place_of_a_file_harms_nothing(tmp_path: Path) -> None:
    on(tmp_path)
    drawn = encode(CARDS)
    for path in files(tmp_path):
        path.unlink()
        path.mkdir()
    forget()
    on(tmp_path)
    assert encode(CARDS) == drawn


def test_a_full_cache_takes_no_more(tmp_path: Path) -> None:
    on(tmp_path)
    encode(CARDS)
    least = min(path.stat().st_size for path in files(tmp_path))
    other = tmp_path / "other"
    disk = on(other, most_bytes=least + 10)
    forget()
    encode(CARDS)
    assert sum(path.stat().st_size for path in files(other)) <= least + 10
    assert disk.written == 1
    again = SpriteCache(other, "test", most_bytes=least + 10)
    again.put("something", bytes(100))
    assert again.written == 0


def test_a_full_cache_is_still_read(tmp_path: Path) -> None:
    """Also where several painters filled it together, each of which counted for itself."""
    SpriteCache(tmp_path, "1").put("a", b"drawn")
    full = SpriteCache(tmp_path, "1", most_bytes=1)
    assert full.get("a") == b"drawn"
    assert full.room == 0


def test_a_file_that_gets_its_name_just_now_closes_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    SpriteCache(tmp_path, "1").put("a", b"drawn")

    class Gone:
        name = ".new-1"

        def stat(self) -> None:
            raise FileNotFoundError

        def is_dir(self, **_: object) -> bool:
            return False

    listed = os.scandir
    monkeypatch.setattr("os.scandir", lambda folder: [Gone(), *listed(folder)])
    cache = SpriteCache(tmp_path, "1")
    assert cache.get("a") == b"drawn"
    assert cache.room > 0


def test_no_place_no_cache(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for root in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/nowhere")):
        disk = on(root)
        forget()
        assert encode(CARDS)
        assert (disk.read, disk.written) == (0, 0)


def test_a_disk_that_fails_later_harms_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise OSError(28, "No space left on device")

    disk = on(tmp_path)
    monkeypatch.setattr(module.tempfile, "mkstemp", full)
    assert encode(CARDS)
    assert files(tmp_path) == []
    assert disk.written == 0


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="rights are asked for otherwise")
def test_a_folder_that_others_may_write_to_is_left_alone(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    disk = on(shared)
    encode(CARDS)
    assert (disk.written, files(shared)) == (0, [])


def test_files_are_for_the_bot_only(tmp_path: Path) -> None:
    on(tmp_path / "new")
    encode(CARDS)
    for path in files(tmp_path):
        assert path.stat().st_mode & 0o077 == 0


def test_the_name_of_a_file_is_the_same_in_every_process() -> None:
    code = (
        "from bot.render.sprite_cache import stable; from bot.render.scene import SpriteState\n"
        "print(stable(('x', frozenset(SpriteState), (1, None, True, frozenset({'b', 'a', 'c'})))))\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(said) == 1


def test_other_things_have_other_names() -> None:
    values = (
        "1",
        1,
        1.0,
        True,
        None,
        ("1",),
        frozenset({"1"}),
        SpriteState.RAISED,
        Rect(1, 2, 3, 4),
        Rect(1, 2, 3, 5),
    )
    assert len(set(map(stable, values))) == len(values)


def test_other_drawings_have_another_folder(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "face.py").write_text("1")
    before = fingerprint([tmp_path / "a"])
    assert fingerprint([tmp_path / "a"]) == before
    (tmp_path / "a" / "__pycache__").mkdir()
    (tmp_path / "a" / "__pycache__" / "face.pyc").write_text("1")
    assert fingerprint([tmp_path / "a"]) == before
    (tmp_path / "a" / "face.py").write_text("2")
    changed = fingerprint([tmp_path / "a"])
    (tmp_path / "a" / "face.py").rename(tmp_path / "a" / "back.py")
    assert len({before, changed, fingerprint([tmp_path / "a"])}) == 3


def test_what_old_versions_left_goes_and_nothing_else(tmp_path: Path) -> None:
    old, young = SpriteCache(tmp_path, "old"), SpriteCache(tmp_path, "young")
    for disk in (old, young):
        disk.put("key", b"data")
    (tmp_path / "mine").mkdir()
    long_ago = time.time() - module.STALE_SECONDS - 100
    for name in ("mine", "sprites-old"):
        os.utime(tmp_path / name, (long_ago, long_ago))
    SpriteCache(tmp_path, "now")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "sprites-now", "sprites-young"]


@pytest.mark.parametrize(
    ("environment", "platform", "ends"),
    [
        ({"XDG_CACHE_HOME": "/var/cache/me"}, "linux", "/var/cache/me/valence"),
        ({"XDG_CACHE_HOME": "here"}, "linux", "/.cache/valence"),
        ({}, "linux", "/.cache/valence"),
        ({}, "darwin", "/Library/Caches/valence"),
        ({"LOCALAPPDATA": "/c/local"}, "win32", "/c/local/valence/cache"),
    ],
)
def test_the_folder_of_the_user(environment: dict[str, str], platform: str, ends: str) -> None:
    assert str(user_folder(environment, platform)).endswith(ends)


def test_a_painter_gets_ready_with_its_cache(tmp_path: Path) -> None:
    load_painters(str(tmp_path))
    encode(CARDS)
    assert len(files(tmp_path)) == 3
    load_painters("-")


def sprites_of(items: tuple[Item, ...]) -> Iterator[Sprite]:
    for item in items:
        if isinstance(item, ItemGroup):
            yield from sprites_of(item.items)
        elif isinstance(item, Sprite):
            yield item


@pytest.mark.parametrize("game", [key for key in catalog.listed() if key != "probe"])
def test_nothing_of_a_person_is_kept(game: str) -> None:
    """Names reach pictures as texts; no sprite that is kept has one in what it is drawn from."""
    rules, rng = catalog.get(game), random.Random(game)
    presenter, kept = presenters.get(game), 0
    for on_seats in rules.seats(rules.defaults())[-2:]:
        look = Look(names=NAMES[:on_seats])
        state = rules.deal(rules.setup(on_seats, key_of(1, 0), **rules.defaults()))
        for _ in range(60):
            if not (waiting := state.to_act()):
                break
            state.apply(waiting[0], rng.choice(state.legal_actions(waiting[0])))
            scenes = [
                presenter.table(state.observe(None), look),
                presenter.hand(state.observe(waiting[0]), look),
            ]
            for sprite in (each for scene in scenes if scene for each in sprites_of(scene.items)):
                if sprite.painter in sprites._printed:
                    kept += 1
                    said = stable(sprite.args)
                    assert not any(word in said for name in NAMES for word in (name, *name.split())), said
    assert kept or not any(
        sprite.painter in sprites._printed for _, scene in gallery(game) for sprite in sprites_of(scene.items)
    )


def test_a_painter_loads_neither_discord_nor_the_store() -> None:
    """They would double its memory and its start."""
    code = (
        "import sys; from bot.presenters.painter_imports import load_painters; load_painters('-')\n"
        "print(*sorted({'discord', 'aiohttp', 'sqlalchemy', 'pydantic', 'rdkit'} & set(sys.modules)))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == []
