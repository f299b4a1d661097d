"""The actions a turn still allows, as used by the rules, opponents, menus and pictures.

Source: docs/rules/molecular.md, sections 4 and 5 (Catalyst, Safety audit).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from engine.molecular.cards import EFFECTOR
from engine.molecular.moves import ACTIONS, EVERY_ACTION, TILE_ACTION

AUDIT, CATALYST = EFFECTOR["audit"], EFFECTOR["catalyst"]


class Turn(Protocol):
    """The state of the current turn, as found in positions and observations."""

    @property
    def actions(self) -> int:
        """The number of actions left."""

    @property
    def used(self) -> int:
        """The kinds of action used, a bit each."""

    @property
    def tiled(self) -> bool:
        """Whether an ordinary tile was played, or the free one declined."""

    @property
    def actives(self) -> Collection[int]:
        """The active effectors other than reagents."""

    @property
    def reagent(self) -> int:
        """The reagent in play, or -1."""


def free_tile(turn: Turn) -> bool:
    """Return whether the next tile of this turn is free (Catalyst)."""
    return turn.reagent == CATALYST and not turn.tiled


def audited(turn: Turn, verb: str) -> bool:
    """Return whether Safety audit forbids an action of this kind because one was already used."""
    return bool(turn.used & ACTIONS[verb]) and AUDIT in turn.actives


def allowed(turn: Turn) -> int:
    """Return the kinds of action the turn allows (a bit each) when no effector asks for a choice."""
    kinds = 0
    if turn.actions > 0:
        kinds = EVERY_ACTION
        if turn.actives and AUDIT in turn.actives:
            kinds &= ~turn.used
    if turn.reagent == CATALYST and free_tile(turn):
        kinds |= TILE_ACTION
    return kinds


def may_use(turn: Turn, verb: str) -> bool:
    """Return whether the turn allows this kind of play (tile, group, reveal) when no effector asks for a
    choice."""
    return bool(allowed(turn) & ACTIONS[verb])
