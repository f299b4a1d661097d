"""Compound Capture: make the face-up compounds from the elements in your hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from engine import levels
from engine.ai.choosers import by_scores
from engine.chemistry.achievements import CAPTURE
from engine.chemistry.ai.heuristic import scores
from engine.chemistry.ai.master import master
from engine.chemistry.ai.search import MEASURES, sharp, study
from engine.chemistry.collect import ROUNDS, Collecting
from engine.chemistry.events import CAPTURE_REFUSALS
from engine.chemistry.sample import sample
from engine.facts import Facts
from engine.game import Achievement, Chooser, Value
from engine.verdict import Study


class CompoundCapture(Collecting):
    """Draw two, capture one (docs/rules/chemistry.md, section 3)."""

    key: ClassVar[str] = "compound_capture"
    title: ClassVar[str] = "Compound Capture"
    canasta: ClassVar[bool] = False
    achievements: ClassVar[tuple[Achievement, ...]] = CAPTURE
    rules: ClassVar[Mapping[str, Facts]] = CAPTURE_REFUSALS
    opponents: ClassVar[Mapping[str, Chooser]] = by_scores(
        scores, sample, newcomer=7.0, casual=1.2, sharp=sharp, master=master
    )
    usual: ClassVar[Mapping[str, str]] = {levels.MASTER: levels.SHARP}
    study: ClassVar[Study | None] = study
    measures: ClassVar[tuple[str, ...]] = MEASURES
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"theirs"})
    certainty_damping: ClassVar[float] = 0.1

    def seats(self, options: Mapping[str, Value]) -> tuple[int, ...]:
        """Return one to three seats with one deck, up to six with both (section 3.1)."""
        return tuple(range(1, 7 if options.get("decks") == "both" else 4))

    @override
    def at_home(self, level: str, seats: int, options: Mapping[str, Value]) -> bool:
        return (seats, options["rounds"]) == (2, ROUNDS)


GAME = CompoundCapture()
