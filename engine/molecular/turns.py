"""What a turn still allows: one answer for the rules, opponents, choices and pictures.

Source: docs/rules/molecular.md, sections 4 and 5 (Catalyst, Safety audit).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from engine.molecular.cards import EFFECTOR
from engine.molecular.moves import ACTIONS, EVERY_ACTION, TILE_ACTION

AUDIT, CATALYST = EFFECTOR["audit"], EFFECTOR["catalyst"]


class Turn(Protocol):
    """What positions and observations say of the turn that is being played."""

    @property
    def actions(self) -> int:
        """How many actions are left."""

    @property
    def used(self) -> int:
        """The kinds of action used, a bit each."""

    @property
    def tiled(self) -> bool:
        """Whether an ordinary tile was played, or the free one declined."""

    @property
    def actives(self) -> Collection[int]:
        """The lasting effectors that are no reagents."""

    @property
    def reagent(self) -> int:
        """The reagent in play, -1 without one."""


def free_tile(turn: Turn) -> bool:
    """Whether the next tile of this turn is free (Catalyst)."""
    return turn.reagent == CATALYST and not turn.tiled


def audited(turn: Turn, verb: str) -> bool:
    """Whether Safety audit forbids an action of this kind: one was used already."""
    return bool(turn.used & ACTIONS[verb]) and AUDIT in turn.actives


def allowed(turn: Turn) -> int:
    """The kinds of action that the turn allows where no effector asks for a choice, a bit each."""
    kinds = 0
    if turn.actions > 0:
        kinds = EVERY_ACTION
        if turn.actives and AUDIT in turn.actives:
            kinds &= ~turn.used
    if turn.reagent == CATALYST and free_tile(turn):
        kinds |= TILE_ACTION
    return kinds


def may_use(turn: Turn, verb: str) -> bool:
    """Whether the turn allows this kind of play (tile, group, reveal) where no effector asks for a choice."""
    return bool(allowed(turn) & ACTIONS[verb])
