"""Short animations: a few scenes one after the other, as a GIF, which is what Discord plays."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.render.canvas import paint
from bot.render.scene import Scene

MAX_FRAMES: Final = 24


def animate(frames: Sequence[tuple[Scene, int]], *, loop: bool = False) -> bytes:
    """The scenes as one GIF; each stays for its number of milliseconds. Only what changes is stored.

    All frames share one palette, so nothing flickers. Blocking, some 20 ms a frame: run it in a pool.
    Raises ValueError for no frames, too many, or frames of different sizes, palettes or grounds.
    """
    if not 0 < len(frames) <= MAX_FRAMES:
        raise ValueError(f"an animation has 1 to {MAX_FRAMES} frames, not {len(frames)}")
    if len({(scene.width, scene.height, scene.look.palette, scene.ground) for scene, _ in frames}) > 1:
        raise ValueError("the frames of an animation must have one size, palette and ground")
    first, *rest = [paint(scene) for scene, _ in frames]
    out = io.BytesIO()
    repeat = {"loop": 0} if loop else {}
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


def from_facts(facts: Mapping[str, Any]) -> bytes:
    """`animate` of the fact `frames`, for a worker process.

    Raises:
        ValueError: as `animate`.
    """
    return animate(facts["frames"])
