"""Export a film as a web page that works offline, or as a GIF."""

from __future__ import annotations

import base64
import html
import io
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from string import Template
from typing import Any, Final

from PIL import Image

from bot.locales import Words, words
from bot.presenters.film import OPEN, TABLE, Film, Shot, shots
from bot.render.animate import flow
from bot.render.canvas import paint
from bot.render.scene import Scene
from engine.data import folder

PAGE_BYTES: Final = 8 * 2**20
GIF_BYTES: Final = 2**20
"""Maximum size of a page and of a GIF, in bytes."""
IMAGE: Final = 100
"""Bytes of markup around a picture in a page."""
CPU_SECONDS: Final = 20.0
"""CPU time limit for the pictures of a page. After it, the page keeps the pictures drawn so far."""
FRAMES: Final = 60
WIDTHS: Final = (480, 400, 320)
"""Widths of a GIF in pixels. The first that fits is used."""
FRAME_MS, FIRST_MS, LAST_MS = 1100, 2000, 5000
COLOURS: Final = 63


def page(facts: Mapping[str, Any]) -> bytes:
    """Return a film as a web page. Runs in a worker process."""
    return page_of(Film.of(facts))


def gif(facts: Mapping[str, Any]) -> bytes:
    """Return a film as a GIF. Runs in a worker process."""
    return gif_of(Film.of(facts))


def page_of(film: Film, most: int = PAGE_BYTES) -> bytes:
    """Return a page with all lines of a film and a picture for each turn.

    If not all pictures fit, the turns with pictures are spread evenly.
    """
    say, found = words(film.look.locale), list(shots(film))
    template = Template((folder() / "replay" / "page.html").read_text("utf-8"))

    def written(drawn: Mapping[int, Sequence[str]]) -> bytes:
        steps = "\n".join(_step(n, shot, drawn.get(n), film, say) for n, shot in enumerate(found))
        keys = ("back", "on", "first", "last", "keys", "slider", "of")
        told = {f"say_{key}": html.escape(say(f"film.{key}")) for key in keys}
        title = html.escape(film.title)
        return template.substitute(
            told, lang=say.language, title=title, steps=steps, made=html.escape(say("film.made"))
        ).encode()

    room, drawn, begun = most - len(written({})), dict[int, list[str]](), time.thread_time()
    for number in coarse_first(len(found)):
        images = [_image(scene) for _, scene in found[number].pictures]
        room -= sum(map(len, images)) + IMAGE * len(images)
        if room < 0 or time.thread_time() - begun > CPU_SECONDS:
            break
        drawn[number] = images
    return written(drawn)


def coarse_first(count: int) -> Iterator[int]:
    """Yield all numbers below a count, the last and the first before the midpoints.

    Any prefix is therefore spread evenly.

    >>> list(coarse_first(6))
    [5, 0, 2, 1, 3, 4]
    """
    yield from (count - 1, 0) if count > 1 else range(count)
    gaps = [(0, count - 1)]
    for start, end in gaps:
        if end - start > 1:
            yield (middle := (start + end) // 2)
            gaps += [(start, middle), (middle, end)]


def _image(scene: Scene) -> str:
    """Return a picture as a data URL. Lossless WebP is half the size of PNG."""
    out = io.BytesIO()
    paint(scene).convert("RGB").save(out, "WEBP", lossless=True, method=4, quality=50)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()


def _step(number: int, shot: Shot, drawn: Sequence[str] | None, film: Film, say: Words) -> str:
    """Return the HTML of one turn: its heading, what happened, and its pictures or their alt texts."""
    heading = say("film.turn", n=shot.act, name=film.look.name(shot.seat)) if number else say("replay.deal")
    parts = [f'<section id="turn-{number}"><h2 tabindex="-1">{html.escape(heading)}</h2>']
    if shot.lines:
        parts.append("<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in shot.lines) + "</ul>")
    for at, (name, scene) in enumerate(shot.pictures):
        alt = html.escape(scene.alt)
        if name:
            parts.append(f"<h3>{html.escape(name)}</h3>")
        if drawn is None:
            parts.append(f"<p>{alt}</p>")
        else:
            size = f'width="{scene.width}" height="{scene.height}"'
            parts.append(f'<img alt="{alt}" {size} decoding="async" src="{drawn[at]}">')
    if shot.ending:
        ending = "<br>".join(html.escape(line) for line in shot.ending.splitlines())
        parts.append(f'<p class="end"><strong>{html.escape(say("film.end"))}</strong><br>{ending}</p>')
    return "\n".join([*parts, "</section>"])


def gif_of(film: Film, most: int = GIF_BYTES) -> bytes:
    """Return a film as a GIF that plays once, with a frame for each turn or for an even selection.

    The view with all hands open shows the table instead, because a GIF has no place to name the hands.

    Raises:
        ValueError: even the smallest version does not fit.
    """
    found = list(shots(replace(film, view=TABLE) if film.view == OPEN else film))
    for width in WIDTHS:
        numbers = sorted(list(coarse_first(len(found)))[:FRAMES])
        images = [_frame([scene for _, scene in found[n].pictures], width) for n in numbers]
        while len(images) > 1:
            times = [FIRST_MS, *[FRAME_MS] * (len(images) - 2), LAST_MS]
            data = flow(images, times, colours=COLOURS)
            if len(data) <= most:
                return data
            if len(images) <= FRAMES // 4:
                break
            images = [*images[:-1:2], images[-1]]
    raise ValueError(f"a film of {len(found)} turns does not fit into {most} bytes")


def _frame(scenes: Sequence[Scene], width: int) -> Image.Image:
    """Stack pictures vertically, scaled to this width in pixels."""
    painted = [paint(scene).convert("RGB") for scene in scenes]
    small = [
        one.resize((width, max(1, round(one.height * width / one.width))), Image.Resampling.LANCZOS)
        for one in painted
    ]
    whole = Image.new("RGB", (width, sum(one.height for one in small)))
    top = 0
    for one in small:
        whole.paste(one, (0, top))
        top += one.height
    return whole
