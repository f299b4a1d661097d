"""The log of Compound Capture and Chemistry Canasta: what happened, in one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.presenters.chemistry.words import LINE, Voice, formula
from bot.render.scene import Look
from engine.chemistry.deck import BOOK, WILD
from engine.game import Event, Viewer

Facts = Mapping[str, Any]


class _Teller:
    """Tells one event. A method for each kind of event."""

    def __init__(self, seat: int, viewer: Viewer, voice: Voice) -> None:
        self.seat = seat
        self.viewer = viewer
        self.voice = voice
        self.name = voice.name(seat) if seat >= 0 else ""

    def say(self, key: str, **facts: Any) -> str:
        return self.voice(f"line.{key}", name=self.name, **facts)

    def formulas(self, numbers: list[int]) -> str:
        return ", ".join(formula(BOOK.compounds[number].formula) for number in numbers)

    def round(self, facts: Facts) -> str:
        return self.say(
            "round",
            round=facts["round"],
            formulas=self.formulas(facts["row"]),
            card=self.voice.short(facts["top"]),
        )

    def dealt(self, facts: Facts) -> str | None:
        return self.say("dealt", cards=self.voice.counted(facts["cards"])) if "cards" in facts else None

    def draw(self, facts: Facts) -> str:
        if "card" in facts:
            return self.say("draw_own", card=self.voice.card(facts["card"]))
        return self.say("draw")

    def take(self, facts: Facts) -> str:
        return self.say("take", card=self.voice.card(facts["card"]))

    def shuffled(self, facts: Facts) -> str:
        return self.say("shuffled", n=facts["cards"])

    def nothing(self, _facts: Facts) -> str:
        return self.say("nothing")

    def capture(self, facts: Facts) -> str:
        number, cards = facts["compound"], facts["cards"]
        told = self.say("capture", compound=self.voice.compound(number), cards=self.voice.counted(cards))
        if WILD in cards:
            law = " " + self.say("wild_law", law=self.voice.law(BOOK.compounds[number].deck, number))
            if len(told + law) <= LINE:
                told += law
        return told

    def turned(self, facts: Facts) -> str:
        return self.say("turned", compound=self.voice.compound(facts["compound"]))

    def discard(self, facts: Facts) -> str:
        return self.say("discard", card=self.voice.card(facts["card"]))

    def run(self, facts: Facts) -> str:
        start, cards = facts["start"], facts["cards"]
        parts = [
            self.voice.short(card) if card else self.voice("tree.wild_as", number=start + step)
            for step, card in enumerate(cards)
        ]
        return self.say("run", cards=" · ".join(parts))

    def claim(self, facts: Facts) -> str:
        owner = facts["owner"]
        key = "claim_own" if owner == self.seat else "claim"
        return self.say(key, card=self.voice.card(facts["number"]), target=self.voice.name(owner))

    def made(self, facts: Facts) -> str:
        numbers = facts["compounds"]
        if not numbers:
            return self.say("made_none", points=self.points(facts["points"]))
        one = BOOK.compounds[numbers[-1]]
        told = self.say(
            "made", n=len(numbers), formulas=self.formulas(numbers), points=self.points(facts["points"])
        )
        fact = " " + self.say("fact", compound=self.voice.compound_name(one), fact=self.voice.fact(one))
        if len(told + fact) <= LINE:
            return told + fact
        return (
            told
            if len(told) <= LINE
            else self.say("made_many", n=len(numbers), points=self.points(facts["points"]))
        )

    def points(self, number: int) -> str:
        return self.voice("points", n=number)

    def round_over(self, facts: Facts) -> str:
        scores = [
            self.voice("line.score", name=self.voice.name(seat), points=points)
            for seat, points in enumerate(facts["totals"])
        ]
        return self.say(f"over_{facts['reason']}", round=facts["round"], scores=", ".join(scores))

    def game_over(self, facts: Facts) -> str:
        first = [self.voice.name(seat) for seat, rank in enumerate(facts["ranks"]) if rank == 1]
        if len(facts["ranks"]) == 1:
            key = "solo_lost" if facts["reason"] == "target_missed" else "solo_won"
            key = "solo_done" if facts["reason"] == "one_round" else key
            return self.voice(f"line.{key}", name=first[0], points=facts["totals"][0])
        return self.voice("line.game_won", n=len(first), names=self.voice.all(first))


_KINDS: dict[str, Callable[[_Teller, Facts], str | None]] = {
    kind: method
    for kind, method in vars(_Teller).items()
    if not kind.startswith("_") and kind not in ("say", "formulas", "points")
}


def line(event: Event, viewer: Viewer, look: Look) -> str | None:
    """The line of an event, already cut for the viewer; None where there is nothing to tell."""
    return _KINDS[event.kind](_Teller(event.seat, viewer, Voice(look)), event.facts)
