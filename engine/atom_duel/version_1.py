"""Atom Duel by rules 1: Gold is immune as soon as there is something to be immune to."""

from __future__ import annotations

from typing import ClassVar

from engine.atom_duel.game import AtomDuel


class AtomDuel1(AtomDuel):
    """Atom Duel as it was played before rules 2."""

    version: ClassVar[int] = 1
    gold_immune_from: ClassVar[int] = 1


GAME = AtomDuel1()
