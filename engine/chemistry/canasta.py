"""Chemistry Canasta: captures, and runs of three elements with the basic deck on top."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from typing_extensions import override

from engine import levels
from engine.ai.choosers import by_scores
from engine.chemistry.achievements import CANASTA
from engine.chemistry.ai.canasta_master import DECKS, SEATS, master
from engine.chemistry.ai.heuristic import scores
from engine.chemistry.ai.search import MEASURES, sharp, study
from engine.chemistry.collect import ROUNDS, Collecting
from engine.chemistry.events import CANASTA_REFUSALS
from engine.chemistry.sample import sample
from engine.facts import Facts
from engine.game import Achievement, Chooser, Value
from engine.verdict import Study


class ChemistryCanasta(Collecting):
    """Captures, runs, wild cards to claim, and going out (docs/rules/chemistry.md, section 4)."""

    key: ClassVar[str] = "canasta"
    title: ClassVar[str] = "Chemistry Canasta"
    canasta: ClassVar[bool] = True
    achievements: ClassVar[tuple[Achievement, ...]] = CANASTA
    rules: ClassVar[Mapping[str, Facts]] = CANASTA_REFUSALS
    opponents: ClassVar[Mapping[str, Chooser]] = by_scores(
        scores, sample, newcomer=3.3, casual=0.7, sharp=sharp, master=master
    )
    usual: ClassVar[Mapping[str, str]] = {levels.MASTER: levels.SHARP}
    study: ClassVar[Study | None] = study
    measures: ClassVar[tuple[str, ...]] = MEASURES
    lower_is_better: ClassVar[frozenset[str]] = frozenset({"theirs"})

    def seats(self, _options: Mapping[str, Value]) -> tuple[int, ...]:
        """Return one to six seats, with one expansion or both."""
        return tuple(range(1, 7))

    @override
    def at_home(self, level: str, seats: int, options: Mapping[str, Value]) -> bool:
        return (seats, options["decks"], options["rounds"]) == (SEATS, DECKS, ROUNDS)


GAME = ChemistryCanasta()
