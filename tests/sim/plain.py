"""Presenters without art: each game in a few letters that say which observation was shown, and to whom.

What games say and draw has tests of its own, and layout costs ten times what the rest of a press does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec

from bot import presenters
from bot.presenters.base import AnyPresenter, Branch, Choice, Leaf, Node
from bot.render.scene import Look, Scene
from engine.game import Event, Outcome, Refusal, Viewer

MOST_OFFERED = 6
offered = MOST_OFFERED
"""So many decisions are offered at most; a world may have it otherwise."""
_REAL = presenters._imported
_ENCODE = msgspec.msgpack.Encoder(enc_hook=repr, order="deterministic").encode


def digest(seen: Any) -> str:
    """A few letters that are the same for the same observation."""
    return hashlib.blake2b(_ENCODE(seen), digest_size=8).hexdigest()


def drawn(seen: Any, _look: Look) -> Scene:
    """An empty picture; its alt text says which observation it shows, and whose."""
    return Scene(800, 600, (), f"seen by {seen.viewer}: {digest(seen)}")


def choices(_seen: Any, actions: Sequence[Any], _look: Look) -> Node:
    """Some of the actions, at even distances; some go on with one or two of the others, which may be legal
    then or not."""
    step = step_of(actions)
    ways = tuple(
        Choice(f"a{place}", f"way {place}", Leaf(actions[place], then=_then(actions, place, step)))
        for place in range(0, len(actions), step)
    )
    return Branch("What now?", ways)


def step_of(actions: Sequence[Any]) -> int:
    """At which distances decisions are offered."""
    return max(1, -(-len(actions) // offered))


def alone(actions: Sequence[Any]) -> Sequence[Any]:
    """Those of the actions that are offered with nothing that follows them."""
    return actions[:: 2 * step_of(actions)]


def _then(actions: Sequence[Any], place: int, step: int) -> tuple[Any, ...]:
    """What the same press decides besides: for every second way, and for every fourth two."""
    number = place // step
    more = 0 if number % 2 == 0 else 1 + number % 4 // 3
    return tuple(actions[(place + n * step) % len(actions)] for n in range(1, more + 1))


def line(event: Event, _viewer: Viewer, _look: Look) -> str:
    return f"{event.seat} {event.kind}"


def why(refusal: Refusal, _look: Look) -> str:
    return refusal.rule


def status(seen: Any, _look: Look) -> str:
    return digest(seen)


def ending(outcome: Outcome, _look: Look) -> str:
    return " ".join(f"{standing.rank}" for standing in outcome.standings)


@cache
def plain(game: str) -> AnyPresenter:
    """The presenter of a game, with its art left out."""
    real: Any = _REAL(game)
    if isinstance(real, Exception):
        raise real
    still = {field: AnyPresenter.__origin__.__dataclass_fields__[field].default for field in STILL}  # type: ignore[attr-defined]
    return replace(
        real,
        choices=choices,
        line=line,
        why=why,
        status=status,
        table=drawn,
        hand=drawn,
        ending=ending,
        **still,
    )


STILL = (
    *("twice", "highlight", "tie", "at_hand", "in_view", "hand_at", "needs_closeups", "closeups"),
    *("motion", "keepsake", "steps", "hand_marked"),
)
"""What games need not have."""
