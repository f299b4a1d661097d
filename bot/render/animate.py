"""Short animations: a few scenes one after the other, as a GIF, which is what Discord plays."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import pairwise, takewhile
from time import monotonic
from typing import Any, Final

from PIL import Image, ImageChops

from bot.render.canvas import Canvas, paint
from bot.render.scene import Scene

MAX_FRAMES: Final = 24
FIRST_MS: Final = 20
"""How long the first frame of a moving scene stays: too short to be seen, but the one that a still preview
shows."""
LAST_MS: Final = 200
LONGEST: Final = 0.8
"""Seconds for painting a moving scene and its frames: on a machine with too much work it shows fewer of them
rather than being given up, with its painter and all that waits there."""
SAMPLES: Final = 8
"""From so many pictures of a flow the colours of all of them are taken."""


def animate(frames: Sequence[tuple[Scene, int]], *, loop: bool = False) -> bytes:
    """The scenes as one GIF; each stays for its number of milliseconds. Only what changes is stored.

    All frames share one palette, so nothing flickers. Blocking, some 20 ms a frame: run it in a pool.
    Raises ValueError for no frames, too many, or frames of different sizes, palettes or grounds.
    """
    if not 0 < len(frames) <= MAX_FRAMES:
        raise ValueError(f"an animation has 1 to {MAX_FRAMES} frames, not {len(frames)}")
    if len({(scene.width, scene.height, scene.look.palette, scene.ground) for scene, _ in frames}) > 1:
        raise ValueError("the frames of an animation must have one size, palette and ground")
    return _gif([(paint(scene), milliseconds) for scene, milliseconds in frames], loop=loop)


def moving(scene: Scene, seconds: float = LONGEST) -> bytes:
    """A scene with motion as a GIF that plays once.

    It begins and ends with the scene itself: where nothing moves, what one sees is the truth all the same.
    No frame is begun after so many seconds. Blocking, as `animate`.
    """
    end = monotonic() + seconds
    canvas = Canvas(scene)
    whole = canvas.finished()
    begun = takewhile(lambda _: monotonic() < end, scene.motion)
    frames = [(canvas.over(frame.items), frame.milliseconds) for frame in begun]
    return _gif([(whole, FIRST_MS), *frames, (whole, LAST_MS)], loop=False)


def flow(images: Sequence[Image.Image], times: Sequence[int], *, colours: int) -> bytes:
    """Photographs of one width, in so many colours for all of them, as a GIF that plays once; what is lower
    than the highest stands at its top. Blocking, as `animate`.

    Raises:
        ValueError: there are none, or not as many times as pictures.
    """
    high = max(image.height for image in images)
    fitted = [image.crop((0, 0, image.width, high)) for image in images]
    # the colours of a few of them, side by side, are those of all
    few = fitted[:: max(1, len(fitted) // SAMPLES)]
    sample = Image.new("RGB", (few[0].width, high * len(few)))
    for nth, image in enumerate(few):
        sample.paste(image, (0, nth * high))
    palette = sample.quantize(colours, method=Image.Quantize.MEDIANCUT)
    reduced = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in fitted]
    return _gif(list(zip(reduced, times, strict=True)), loop=False)


def _gif(frames: Sequence[tuple[Image.Image, int]], *, loop: bool) -> bytes:
    out = io.BytesIO()
    repeat = {"loop": 0} if loop else {}
    images = [image for image, _ in frames]
    if (clear := _unused(images)) is not None:
        repeat["transparency"] = clear
        images = [images[0], *(_changed(*pair, clear) for pair in pairwise(images))]
    first, *rest = images
    first.save(
        out,
        "GIF",
        save_all=True,
        append_images=rest,
        duration=[milliseconds for _, milliseconds in frames],
        disposal=1,
        optimize=False,
        **repeat,
    )
    return out.getvalue()


def _unused(images: Sequence[Image.Image]) -> int | None:
    """A place of the palette that no pixel of these pictures needs, if there is one."""
    used = [any(counts) for counts in zip(*(image.histogram() for image in images), strict=True)]
    return next((place for place, taken in enumerate(used) if not taken), None)


def _changed(before: Image.Image, now: Image.Image, clear: int) -> Image.Image:
    """A picture of which only what differs from the one before is there: the rest packs to nearly nothing."""
    same = ImageChops.difference(_indices(before), _indices(now)).point([255, *(0,) * 255], "1")
    found = now.copy()
    found.paste(clear, mask=same)
    return found


def _indices(image: Image.Image) -> Image.Image:
    """The places of the palette as grey values, which can be compared."""
    return Image.frombytes("L", image.size, image.tobytes())


def from_facts(facts: Mapping[str, Any]) -> bytes:
    """`animate` of the fact `frames`, for a worker process.

    Raises:
        ValueError: as `animate`.
    """
    return animate(facts["frames"])
