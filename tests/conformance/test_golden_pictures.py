"""Golden pictures: a redraw is a reviewed change.

Of every picture of a game its size, digests of its scene and of its pixels, and its alt text
are kept; of one picture of each kind the whole scene. Where they differ on purpose, look at `make gallery`,
run `pytest tests/conformance/test_golden_pictures.py --snapshot-update`, and let the commit say why.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from PIL import Image
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from bot import presenters
from bot.locales import FALLBACK
from bot.render.canvas import paint
from bot.render.check import HEIGHTS, faults
from bot.render.encode import encode
from bot.render.scene import ItemGroup, Panel, Rect, Scene, Text
from engine import catalog
from tests.house.tree import ROOT, files
from tests.support.processes.script import script
from tools.contact_sheet.galleries import gallery
from tools.contact_sheet.tables import every_picture, spoken

GALLERY: Any = script("gallery")
KEPT = Path(__file__).parent / "__snapshots__" / "test_golden_pictures"
GAMES = tuple(key for key in catalog.listed() if key != "probe")


class Lines(SingleFileSnapshotExtension):
    """A text file for each game."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"


@pytest.fixture
def kept(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(Lines)


@cache
def gallery_of(key: str) -> tuple[tuple[str, Scene], ...]:
    """One picture of each kind, drawn once for all tests."""
    return tuple(gallery(key))


def line(name: str, scene: Scene) -> str:
    digests = f"{GALLERY.scene_digest(scene)} {GALLERY.pixel_digest(paint(scene))}"
    return f"{name} | {scene.width}x{scene.height} {digests} | {json.dumps(scene.alt, ensure_ascii=False)}\n"


def drawn(key: str, locales: Sequence[str]) -> tuple[str, list[str]]:
    """The lines of every picture of a game in these languages, and the faults of its tables and hands.

    Faults are looked for here, because whatever a scene needs has just been painted.
    """
    lines, wrong = list[str](), list[str]()
    for name, scene in every_picture(key, locales):
        lines.append(line(name, scene))
        if not name.startswith(f"{key}: "):
            high = (HEIGHTS[0], presenters.get(key).hand_height) if ", hand " in name else HEIGHTS
            wrong += [f"{name}: {fault}" for fault in faults(scene, high)]
    return "".join(lines), wrong


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_every_picture_is_as_it_was(key: str, kept: SnapshotAssertion) -> None:
    now, wrong = drawn(key, [FALLBACK])
    assert wrong == []
    # is it meant? look at it by `make gallery`, then take it: run this file with --snapshot-update
    assert now == kept


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_every_picture_in_other_languages_is_as_it_was(key: str, kept: SnapshotAssertion) -> None:
    now, wrong = drawn(key, spoken(key)[1:])
    assert wrong == []
    # is it meant? look at it by `make gallery`, then take it: run this file with --snapshot-update
    assert now == kept


@pytest.mark.parametrize("key", GAMES)
def test_one_picture_of_each_kind_is_as_it_was(key: str) -> None:
    """Its pixels too: the first lines of what is kept. `make long` paints all others."""
    now = "".join(line(f"{key}: {title}", scene) for title, scene in gallery_of(key))
    before = (KEPT / f"test_every_picture_is_as_it_was[{key}].txt").read_text("utf-8")
    # compared by lines, so that a failure names the picture
    assert before.splitlines()[: now.count("\n")] == now.splitlines()


@pytest.mark.parametrize("key", GAMES)
def test_one_scene_of_each_kind_is_as_it_was(key: str, kept: SnapshotAssertion) -> None:
    told = [f"{title}\n" + "\n".join(GALLERY.lines(scene)) for title, scene in gallery_of(key)]
    # is it meant? look at it by `make gallery`, then take it: run this file with --snapshot-update
    assert "\n\n".join(told) + "\n" == kept


def test_every_picture_has_a_name_of_its_own() -> None:
    for key in ("atom", "chemistry_battle", "duel52"):
        names = [name for name, _ in every_picture(key)]
        assert len(set(names)) == len(names)
        assert {GALLERY.game_of(name) for name in names} == {key}


def test_a_game_that_speaks_several_languages_is_drawn_in_each() -> None:
    assert {FALLBACK, "zh-CN"} <= set(spoken("atom")) == set(spoken("duel52"))
    assert {scene.look.locale for _, scene in every_picture("atom")} == set(spoken("atom"))


def test_the_size_of_what_is_kept() -> None:
    assert {path.name.split("[")[1] for path in KEPT.iterdir()} == {f"{key}].txt" for key in GAMES}
    assert sum(path.stat().st_size for path in KEPT.iterdir()) < 3_000_000


# -- the digests ------------------------------------------------------------------------------


def test_the_digest_of_pixels_is_that_of_the_picture_people_get() -> None:
    for _, scene in gallery_of("duel52")[:6]:
        with Image.open(io.BytesIO(encode(scene))) as decoded:
            assert GALLERY.pixel_digest(decoded) == GALLERY.pixel_digest(paint(scene))


def test_how_colours_are_numbered_is_nothing_to_see() -> None:
    plain = paint(gallery_of("duel52")[0][1])
    other = plain.remap_palette(list(range(256))[::-1])
    assert plain.tobytes() != other.tobytes()
    assert GALLERY.pixel_digest(other) == GALLERY.pixel_digest(plain)


def test_one_pixel_changes_the_digest() -> None:
    plain = paint(gallery_of("duel52")[0][1])
    dotted, cut = plain.copy(), plain.crop((0, 0, plain.width, plain.height - 1))
    dotted.putpixel((5, 5), (plain.getpixel((5, 5)) + 1) % 100)  # type: ignore[operator]
    assert len({GALLERY.pixel_digest(picture) for picture in (plain, dotted, cut)}) == 3


def test_one_box_changes_the_digest_of_a_scene_and_is_found_in_its_lines() -> None:
    box = Panel(Rect(10, 20, 30, 40), "panel")
    plain = Scene(
        100, 100, (ItemGroup(Rect(0, 0, 90, 90), (box,)), Text(Rect(0, 0, 9, 9), "two\nlines")), "Alt"
    )
    moved = replace(plain, items=(ItemGroup(Rect(0, 0, 90, 90), (replace(box, radius=3),)), plain.items[1]))
    assert GALLERY.scene_digest(plain) == GALLERY.scene_digest(replace(plain, alt="Other words"))
    assert GALLERY.scene_digest(plain) != GALLERY.scene_digest(moved)
    assert GALLERY.lines(moved) == [
        "100x100 felt en default",
        "  group 0,0 90x90",
        "    panel 10,20 30x40 fill='panel' radius=3",
        "  text 0,0 9x9 string='two\\nlines'",
    ]


@pytest.mark.long
def test_pictures_are_the_same_in_every_process() -> None:
    """Sets have another order in each, and nobody reads the fonts or the settings of the machine."""
    code = (
        "import sys; sys.path.insert(0, 'tools'); import gallery; from engine import catalog\n"
        "from tools.contact_sheet.galleries import gallery as gallery_of\n"
        "for key in catalog.listed():\n"
        "    for title, scene in gallery_of(key):\n"
        "        print(key, title, gallery.scene_digest(scene))\n"
        "    print(gallery.pixel_digest(gallery.paint(scene)))"
    )
    here = []
    for key in GAMES:
        here += [f"{key} {title} {GALLERY.scene_digest(scene)}" for title, scene in gallery_of(key)]
        here.append(GALLERY.pixel_digest(paint(gallery_of(key)[-1][1])))
    assert len(here) > 150
    # another order than here, whatever that is
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    env = {**os.environ, "PYTHONHASHSEED": other, "LC_ALL": "zh_CN.UTF-8", "PYTHONUTF8": "1"}
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, check=True)
    assert ran.stdout.decode().splitlines() == here


# -- before and after -------------------------------------------------------------------------


def test_what_has_changed_comes_in_turns_and_each_change_once() -> None:
    before = {"a: Kind": "1", "a, x": "2", "a, y": "2", "a, z": "3", "b: Kind": "4", "b, x": "5"}
    after = {"a: Kind": "1", "a, x": "9", "a, y": "9", "a, z": "8", "b: Kind": "7", "b, n": "6"}
    assert GALLERY.changed(before, after) == ["b: Kind", "a, x", "b, n", "a, z", "b, x"]
    assert GALLERY.changed(after, after) == []


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def change(path: Path, before: str, after: str) -> None:
    """Put something else in the place of what stands there once."""
    text = path.read_text("utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), "utf-8", newline="\n")


def a_small_house(house: Path) -> None:
    """A checkout with all that draws, whose games are played at few tables, and few changes are shown."""
    for path in files():
        if path.parts[0] in ("assets", "bot", "engine", "tools") or path.name == ".gitignore":
            (house / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, house / path)
    change(house / "tools" / "gallery.py", "MOST = 40\n", "MOST = 4\n")
    change(house / "tools" / "contact_sheet" / "tables.py", "covering(rules) if", "covering(rules)[:2] if")
    git(house.parent, "init", "--quiet", str(house))
    git(house, "add", "--all")
    git(house, "commit", "--quiet", "--message", "Begin")


@pytest.mark.long
@pytest.mark.slow
def test_the_gallery_shows_before_and_after_and_leaves_no_trace(tmp_path: Path) -> None:
    house = tmp_path / "house"
    a_small_house(house)
    words = [sys.executable, "tools/gallery.py", "chemistry_battle"]

    def run(*more: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": ""}
        return subprocess.run(
            [*words[:2], *more, *words[2:]], cwd=house, env=env, capture_output=True, text=True, check=False
        )

    assert re.fullmatch(r"\d+ pictures, all as they were in HEAD\n", run().stdout)
    assert not (house / "gallery.png").exists()
    strings = house / "bot" / "locales" / "en" / "chemistry.toml"
    change(strings, 'scores = "cards won"', 'scores = "cards taken"')
    ran = run()
    assert (ran.returncode, ran.stderr) == (0, "")
    found = re.fullmatch(
        r"(.*)gallery\.png: (\d+) pictures of (\d+) are not as they were in HEAD"
        r"; (\d+) more changes are not shown\n",
        ran.stdout,
    )
    assert found is not None
    assert 0 < int(found[4]) < int(found[2]) < int(found[3])
    with Image.open(house / "gallery.png") as picture:
        assert picture.width > 2 * GALLERY.WIDTH
    # what is drawn is not for git, and the passing checkout is gone
    assert git(house, "status", "--porcelain") == f" M {strings.relative_to(house).as_posix()}\n"
    assert len(git(house, "worktree", "list").splitlines()) == 1
    assert git(house, "worktree", "prune", "--dry-run", "--verbose") == ""
    missing = run("--against", "nowhere")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "nowhere" in missing.stderr
    git(house, "rm", "--quiet", "--cached", "tools/gallery.py")
    git(house, "commit", "--quiet", "--all", "--message", "Change the felt")
    younger = run()
    assert younger.returncode == 1
    assert "older than this script" in younger.stderr
