"""Short animations: a few scenes in sequence, as a GIF, which Discord plays."""

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
"""Milliseconds of the first frame of a moving scene. Too short to be noticed, but still previews show this
frame."""
LAST_MS: Final = 200
LONGEST: Final = 0.8
"""Seconds for painting a moving scene and its frames.

On a busy machine the animation has fewer frames. Otherwise the picture would time out, along with its painter
and everything queued for it.
"""
SAMPLES: Final = 8
"""Number of pictures of a flow from which the common palette is taken."""


def animate(frames: Sequence[tuple[Scene, int]], *, loop: bool = False) -> bytes:
    """Return the scenes as one GIF. Each is shown for its number of milliseconds; only changes are stored.

    All frames share one palette, so nothing flickers. Blocking, about 20 ms per frame: run it in a pool.
    Raises ValueError for no frames, too many, or frames of different sizes, palettes or grounds.
    """
    if not 0 < len(frames) <= MAX_FRAMES:
        raise ValueError(f"an animation has 1 to {MAX_FRAMES} frames, not {len(frames)}")
    if len({(scene.width, scene.height, scene.look.palette, scene.ground) for scene, _ in frames}) > 1:
        raise ValueError("the frames of an animation must have one size, palette and ground")
    return _gif([(paint(scene), milliseconds) for scene, milliseconds in frames], loop=loop)


def moving(scene: Scene, seconds: float = LONGEST) -> bytes:
    """Return a scene with motion as a GIF that plays once.

    It begins and ends with the scene itself, so a client that does not animate shows the true state. No frame
    is started after `seconds`. Blocking, like `animate`.
    """
    end = monotonic() + seconds
    canvas = Canvas(scene)
    whole = canvas.finished()
    begun = takewhile(lambda _: monotonic() < end, scene.motion)
    frames = [(canvas.over(frame.items), frame.milliseconds) for frame in begun]
    return _gif([(whole, FIRST_MS), *frames, (whole, LAST_MS)], loop=False)


def flow(images: Sequence[Image.Image], times: Sequence[int], *, colours: int) -> bytes:
    """Return photographs of one width as a GIF that plays once, all with the same palette of `colours`
    colours.

    Shorter ones are aligned to the top of the tallest. Blocking, like `animate`.

    Raises:
        ValueError: `images` is empty, or `times` has another length.
    """
    high = max(image.height for image in images)
    fitted = [image.crop((0, 0, image.width, high)) for image in images]
    # a few of them, next to each other, provide the colours for all
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
    """Return a palette index that no pixel of these pictures uses, or None."""
    used = [any(counts) for counts in zip(*(image.histogram() for image in images), strict=True)]
    return next((place for place, taken in enumerate(used) if not taken), None)


def _changed(before: Image.Image, now: Image.Image, clear: int) -> Image.Image:
    """Return a picture with only the pixels that changed. The unchanged rest compresses to almost nothing."""
    same = ImageChops.difference(_indices(before), _indices(now)).point([255, *(0,) * 255], "1")
    found = now.copy()
    found.paste(clear, mask=same)
    return found


def _indices(image: Image.Image) -> Image.Image:
    """Return the palette indices as grey values, which can be compared."""
    return Image.frombytes("L", image.size, image.tobytes())


def from_facts(facts: Mapping[str, Any]) -> bytes:
    """Call `animate` with the fact `frames`, in a worker process.

    Raises:
        ValueError: as for `animate`.
    """
    return animate(facts["frames"])
