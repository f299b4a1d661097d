"""Show how pictures have changed: each before and after, side by side, on one sheet.

    python tools/gallery.py [GAME…]                    the files as they are, compared with the last commit
    python tools/gallery.py --against REV [GAME…]      compared with another commit

`make gallery` calls it. The commit is checked out into a temporary folder, where its own copy of this script
draws with `--list` and `--draw`. Their meaning must therefore stay the same:

    --list GAME…      prints a JSON object: the name of each picture, and the digest of its pixels
    --draw FOLDER     reads a JSON list of such names, and writes the pictures as 0.png, 1.png …
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from math import ceil, sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from msgspec.structs import fields
from PIL import Image, ImageChops, ImageDraw

from bot.render.canvas import paint
from bot.render.scene import Item, ItemGroup, Rect, Scene, Weight
from bot.render.sprite_cache import stable
from bot.render.text import line_mask
from bot.render.theme import theme
from engine import catalog
from tools.contact_sheet.sheet import columns_of
from tools.contact_sheet.tables import every_picture

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "gallery.png"
MOST = 40
"""Maximum number of pictures shown; further changes are only counted."""
WIDTH = 720
"""Maximum width of a shown picture."""
GAP = 24
TITLE = 26
HEAD = 3 * TITLE


class GalleryProblem(Exception):
    """The pictures cannot be compared; the message says what to do."""


# -- a picture as text and as a digest --------------------------------------------------------


def _place(rect: Rect) -> str:
    return f"{rect.x},{rect.y} {rect.w}x{rect.h}"


fields_of = cache(fields)
"""The fields of a type of items; a scene has hundreds of items of a few types."""


def _item(item: Item, indent: str) -> Iterator[str]:
    told = [
        f"{field.name}={stable(value).replace('SpriteState.', 'State.')}"  # as it is recorded
        for field in fields_of(type(item))
        if field.name not in ("rect", "items") and (value := getattr(item, field.name)) != field.default
    ]
    kind = type(item).__name__.lower().removeprefix("item")  # an ItemGroup is recorded as a group
    yield " ".join((indent + kind, _place(item.rect), *told))
    if isinstance(item, ItemGroup):
        for inner in item.items:
            yield from _item(inner, indent + "  ")


def lines(scene: Scene) -> list[str]:
    """Return a scene as text: a line for its size and for each item, omitting default values."""
    look = scene.look
    told = [f"{scene.width}x{scene.height} {scene.ground} {look.locale} {look.palette}"]
    return [*told, *(line for item in scene.items for line in _item(item, "  "))]


def scene_digest(scene: Scene) -> str:
    """Return eight hex digits that identify the content of a scene, except its alt text."""
    return sha256("\n".join(lines(scene)).encode()).hexdigest()[:8]


def pixel_digest(picture: Image.Image) -> str:
    """Return eight hex digits that identify the pixels of a picture with a palette.

    They are equal for pictures that look alike, however colours are numbered or the file is compressed.
    """
    palette = bytes(picture.getpalette("RGB") or ())
    used = {i: palette[3 * i : 3 * i + 3] for i, count in enumerate(picture.histogram()) if count}
    ranked = {colour: rank for rank, colour in enumerate(sorted(set(used.values())))}
    table = bytes(ranked[used[i]] if i in used else 0 for i in range(256))
    digest = sha256(f"{picture.size} {list(ranked)}".encode())
    digest.update(picture.tobytes().translate(table))
    return digest.hexdigest()[:8]


# -- what one checkout draws ------------------------------------------------------------------


def game_of(name: str) -> str:
    """Return the game of a picture."""
    return re.split("[:,]", name, maxsplit=1)[0]


def listed(games: Sequence[str]) -> dict[str, str]:
    """Return the digest of each picture of these games by its name."""
    return {
        name: pixel_digest(paint(scene))
        for game in games
        if game in catalog.listed()
        for name, scene in every_picture(game)
    }


def draw(names: Iterable[str], folder: Path) -> None:
    """Draw the pictures of these names that exist."""
    wanted = {name: number for number, name in enumerate(names)}
    for game in dict.fromkeys(map(game_of, wanted)):
        for name, scene in every_picture(game) if game in catalog.listed() else ():
            if name in wanted:
                paint(scene).save(folder / f"{wanted[name]}.png", compress_level=1)


# -- two checkouts side by side ---------------------------------------------------------------


def git(*words: str, root: Path = ROOT) -> str:
    """Run git and return its output.

    Raises:
        Problem: git failed.
    """
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GalleryProblem(f"git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


@contextmanager
def checkout(revision: str) -> Iterator[Path]:
    """Provide a temporary folder with the files of a commit.

    Raises:
        Problem: there is no such commit, or it cannot draw its pictures yet.
    """
    with tempfile.TemporaryDirectory(prefix="valence-gallery-") as name:
        folder = Path(name) / "before"
        git("worktree", "add", "--quiet", "--detach", str(folder), revision)
        try:
            if not (folder / "tools" / "gallery.py").exists():
                raise GalleryProblem(f"{revision} is older than this script, so it cannot draw its pictures")
            yield folder
        finally:
            git("worktree", "remove", "--force", str(folder))


def in_both(trees: Sequence[Path], calls: Sequence[Sequence[str]], given: str = "") -> list[str]:
    """Run the script of each checkout on that checkout's code, in parallel. Return their output.

    Raises:
        Problem: one of them failed.
    """

    def run(tree: Path, words: Sequence[str]) -> str:
        command = [sys.executable, str(tree / "tools" / "gallery.py"), *words]
        env = {**os.environ, "PYTHONPATH": str(tree)}
        done = subprocess.run(
            command, cwd=tree, env=env, input=given, stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            raise GalleryProblem(f"the pictures of {tree} cannot be drawn; what went wrong stands above")
        return done.stdout

    with ThreadPoolExecutor(len(trees)) as pool:
        return list(pool.map(run, trees, calls))


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return the names of pictures that are new, gone or different, each change once.

    Gallery pictures come first and the games take turns, so that the first few show something of everything.
    """
    turns: list[tuple[bool, int, int, str]] = []
    seen, counts = set[tuple[str | None, str | None]](), dict[tuple[str, bool], int]()
    for order, name in enumerate(dict.fromkeys((*after, *before))):
        pair = before.get(name), after.get(name)
        if pair[0] == pair[1] or pair in seen:
            continue
        seen.add(pair)
        group = game_of(name), not name.startswith(f"{game_of(name)}: ")
        counts[group] = counts.get(group, 0) + 1
        turns.append((group[1], counts[group], order, name))
    return [name for *_, name in sorted(turns)]


def _shown(path: Path, other: Path) -> Image.Image | None:
    """Return a picture scaled for the sheet, with a frame around the differences from the other."""
    if not path.exists():
        return None
    picture = Image.open(path).convert("RGB")
    if other.exists():
        beside = Image.open(other).convert("RGB")
        grown = Image.new("RGB", picture.size)
        grown.paste(beside)
        if box := ImageChops.difference(picture, grown).getbbox():
            left, top, right, bottom = box
            edges = left - 6, top - 6, right + 5, bottom + 5
            ImageDraw.Draw(picture).rectangle(edges, outline=(255, 0, 255), width=5)
    if picture.width > WIDTH:
        size = WIDTH, max(1, round(picture.height * WIDTH / picture.width))
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    return picture


def sheet(names: Sequence[str], before: Path, after: Path) -> Image.Image:
    """Return a sheet of these pictures from two folders, before on the left and after on the right."""
    look = theme()
    rows = []
    for number, name in enumerate(names):
        paths = before / f"{number}.png", after / f"{number}.png"
        rows.append((name, _shown(*paths), _shown(*paths[::-1])))
    heights = [
        HEAD + max(picture.height for picture in pair if picture is not None) + GAP for _, *pair in rows
    ]
    step = 2 * WIDTH + 3 * GAP
    places, bottom = columns_of(heights, max(1, ceil(sqrt(sum(heights) / step))))
    canvas = Image.new("RGB", ((max(c for c, _ in places) + 1) * step, bottom + GAP), look["shade"])
    pen = ImageDraw.Draw(canvas)

    def write(x: int, y: int, text: str, colour: str = "text") -> None:
        mask = line_mask(text, TITLE, Weight.BOLD)
        pen.bitmap((x + mask.left, y + mask.top), mask.mask, fill=look[colour])

    for (name, *pair), (column, y) in zip(rows, places, strict=True):
        x = column * step + GAP
        write(x, y + TITLE, name)
        for at, (picture, has, lacks) in enumerate(
            zip(pair, ("before", "after"), ("before: not there", "after: gone"), strict=True)
        ):
            left = x + at * (WIDTH + GAP)
            write(left, y + TITLE * 5 // 2, has if picture else lacks, "muted")
            if picture:
                canvas.paste(picture, (left, y + HEAD))
    return canvas


def compare(revision: str, games: Sequence[str], out: Path) -> str:
    """Write the sheet of all changes. Return a message for the user.

    Raises:
        Problem: there is nothing to compare with.
    """
    with checkout(revision) as old, tempfile.TemporaryDirectory(prefix="valence-gallery-") as passing:
        trees = old, ROOT
        lists = in_both(trees, [("--list", *games)] * 2)
        before, after = map(json.loads, lists)
        names = changed(before, after)
        if not names:
            return f"{len(after)} pictures, all as they were in {revision}"
        names, more = names[:MOST], len(names) - MOST
        folders = Path(passing) / "before", Path(passing) / "after"
        for folder in folders:
            folder.mkdir()
        in_both(trees, [("--draw", str(folder)) for folder in folders], json.dumps(names))
        sheet(names, *folders).save(out)
    count = sum(before.get(name) != after.get(name) for name in {**before, **after})
    rest = f"; {more} more changes are not shown" if more > 0 else ""
    return f"{out}: {count} pictures of {len(after)} are not as they were in {revision}{rest}"


def main(words: Sequence[str], out: Path = OUT) -> int:
    """Run the command line and return the exit code."""
    words = list(words)
    if words[:1] == ["--list"]:
        print(json.dumps(listed(words[1:])))
        return 0
    if words[:1] == ["--draw"] and len(words) == 2:
        draw(json.load(sys.stdin), Path(words[1]))
        return 0
    revision = "HEAD"
    if words[:1] == ["--against"] and len(words) > 1:
        revision, words = words[1], words[2:]
    if unknown := [word for word in words if word not in catalog.listed()]:
        print(f"no game is called {unknown[0]!r}; there are: {', '.join(catalog.listed())}", file=sys.stderr)
        return 2
    try:
        print(compare(revision, words or catalog.listed(), out))
    except GalleryProblem as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
