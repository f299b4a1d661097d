"""Short animations: a few scenes one after the other, as a GIF, which is what Discord plays."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from PIL import Image

from bot.render.canvas import Canvas, paint
from bot.render.scene import Scene

MAX_FRAMES: Final = 24
FIRST_MS: Final = 20
"""How long the first frame of a moving scene stays: too short to be seen, but the one that a still preview
shows."""
LAST_MS: Final = 200


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


def moving(scene: Scene) -> bytes:
    """A scene with motion as a GIF that plays once.

    It begins and ends with the scene itself: where nothing moves, what one sees is the truth all the same.
    Blocking, as `animate`.
    """
    canvas = Canvas(scene)
    whole = canvas.finished()
    frames = [(canvas.over(frame.items), frame.milliseconds) for frame in scene.motion]
    return _gif([(whole, FIRST_MS), *frames, (whole, LAST_MS)], loop=False)


def _gif(frames: Sequence[tuple[Image.Image, int]], *, loop: bool) -> bytes:
    (first, _), *rest = frames
    out = io.BytesIO()
    repeat = {"loop": 0} if loop else {}
    first.save(
        out,
        "GIF",
        save_all=True,
        append_images=[image for image, _ in rest],
        duration=[milliseconds for _, milliseconds in frames],
        disposal=1,
        optimize=False,
        **repeat,
    )
    return out.getvalue()


def from_facts(facts: Mapping[str, Any]) -> bytes:
    """`animate` of the fact `frames`, for a worker process.

    Raises:
        ValueError: as `animate`.
    """
    return animate(facts["frames"])
