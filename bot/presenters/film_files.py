"""The files of a film: a page that needs no network, and a GIF."""

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
"""What a page and a GIF may have."""
IMAGE: Final = 100
"""What stands round a picture in a page, in bytes."""
CPU_SECONDS: Final = 20.0
"""What the pictures of a page may cost: then those that are there must do."""
FRAMES: Final = 60
WIDTHS: Final = (480, 400, 320)
"""How wide a GIF is, the first that fits."""
FRAME_MS, FIRST_MS, LAST_MS = 1100, 2000, 5000
COLOURS: Final = 63


def page(facts: Mapping[str, Any]) -> bytes:
    """A film as one page, for a worker process."""
    return page_of(Film.of(facts))


def gif(facts: Mapping[str, Any]) -> bytes:
    """A film as a GIF, for a worker process."""
    return gif_of(Film.of(facts))


def page_of(film: Film, most: int = PAGE_BYTES) -> bytes:
    """All lines of a film, with a picture for each turn, or for as many as fit, spread evenly."""
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
    """All numbers below a count, the last and the first before those half-way, so that any beginning of them
    is spread evenly.

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
    """A picture as a data address: WebP without loss takes half of what a PNG does."""
    out = io.BytesIO()
    paint(scene).convert("RGB").save(out, "WEBP", lossless=True, method=4, quality=50)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()


def _step(number: int, shot: Shot, drawn: Sequence[str] | None, film: Film, say: Words) -> str:
    """A turn of a page: its heading, what happened, and the pictures or what they would say."""
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
    """A film as a GIF that plays once, a frame for each turn, or for as many as fit, spread evenly. Of all
    hands open, which nothing would name there, it shows the table.

    Raises:
        ValueError: not even its smallest form fits.
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
    """Pictures below each other, so wide."""
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
