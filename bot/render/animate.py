"""Short animations: a few scenes in sequence, as a GIF, which Discord plays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from time import monotonic
from typing import Any, Final

from PIL import Image

from bot.render.canvas import Box, Canvas
from bot.render.gif import GifFrame, gif
from bot.render.ink import indices
from bot.render.scene import Item, Scene
from bot.workers.process import give_way

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
MARGIN: Final = 16
"""Pixels around the items of a frame in which it may differ from the picture."""
SAMPLES: Final = 8
"""Number of pictures of a flow from which the common palette is taken."""
_NOWHERE: Final[Box] = (0, 0, 0, 0)


def animate(frames: Sequence[tuple[Scene, int]], *, loop: bool = False) -> bytes:
    """Return the scenes as one GIF. Each is shown for its number of milliseconds; only changes are stored.

    All frames share one palette, so nothing flickers. Blocking, about 20 ms per frame: run it in a pool.
    Raises ValueError for no frames, too many, or frames of different sizes, palettes or grounds.
    """
    if not 0 < len(frames) <= MAX_FRAMES:
        raise ValueError(f"an animation has 1 to {MAX_FRAMES} frames, not {len(frames)}")
    if len({(scene.width, scene.height, scene.look.palette, scene.ground) for scene, _ in frames}) > 1:
        raise ValueError("the frames of an animation must have one size, palette and ground")
    canvases = [Canvas(scene) for scene, _ in frames]
    shown = [GifFrame(canvas.shown(), time) for canvas, (_, time) in zip(canvases, frames, strict=True)]
    return gif(shown, indices(canvases[0].look).data, loop=loop)


def moving(scene: Scene, seconds: float = LONGEST) -> bytes:
    """Return a scene with motion as a GIF that plays once.

    It begins and ends with the scene itself, so a client that does not animate shows the true state. No frame
    is started after `seconds`. Between frames, a picture that waits behind this one is painted. Blocking,
    like `animate`.
    """
    end = monotonic() + seconds
    canvas = Canvas(scene)
    still = canvas.shown()
    frames, area = [GifFrame(still, FIRST_MS)], _NOWHERE
    for moment in takewhile(lambda _: monotonic() < end, scene.motion):
        give_way()
        before, area = area, _area(moment.items, scene)
        box = _around(before, area)
        frames.append(GifFrame(canvas.over(moment.items, box), moment.milliseconds, *box[:2]))
    frames.append(GifFrame(still.crop(area), LAST_MS, *area[:2]))
    return gif(frames, indices(canvas.look).data)


def _area(items: Iterable[Item], scene: Scene) -> Box:
    """Return a box around these items, with a margin for letters that reach out of theirs."""
    box = _NOWHERE
    for item in items:
        x, y, w, h = item.rect.x, item.rect.y, item.rect.w, item.rect.h
        box = _around(box, (x - MARGIN, y - MARGIN, x + w + MARGIN, y + h + MARGIN))
    return max(0, box[0]), max(0, box[1]), min(scene.width, box[2]), min(scene.height, box[3])


def _around(one: Box, other: Box) -> Box:
    """Return the smallest box around two. Either of them may be `_NOWHERE`."""
    if _NOWHERE in (one, other):
        return other if one == _NOWHERE else one
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


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
    frames = []
    for image, milliseconds in zip(fitted, times, strict=True):
        reduced = image.quantize(palette=palette, dither=Image.Dither.NONE)
        frames.append(GifFrame(Image.frombytes("L", reduced.size, reduced.tobytes()), milliseconds))
    return gif(frames, bytes(palette.getpalette() or ()))


def from_facts(facts: Mapping[str, Any]) -> bytes:
    """Call `animate` with the fact `frames`, in a worker process.

    Raises:
        ValueError: as for `animate`.
    """
    return animate(facts["frames"])
