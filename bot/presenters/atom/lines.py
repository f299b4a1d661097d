"""The log: what happened, in one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.presenters.atom.words import Voice
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.atom.scoring import GameResult
from engine.game import Event, Viewer

LONGEST = 300
"""The most signs of a line."""
FEW = 10
"""From so many cards on the log says how many are left."""
Facts = Mapping[str, Any]


class _Teller:
    """Tells one event. A method for each kind of event."""

    def __init__(self, seat: int, voice: Voice) -> None:
        self.seat = seat
        self.voice = voice
        self.name = voice.name(seat) if seat >= 0 else ""
        self.seats = len(voice.look.names)

    def say(self, key: str, **facts: Any) -> str:
        return self.voice(f"line.{key}", name=self.name, **facts)

    def void(self, facts: Facts) -> str:
        return self.say("void", card=self.voice.card(facts["turned"]))

    def dealt(self, facts: Facts) -> str:
        card = facts["turned"]
        five = len(facts["left"]) == 5
        key = "dealt_five" if five else "dealt" if facts["game"] == 1 else "dealt_second"
        leader = self.voice.name(facts["leader"])
        return self.say(
            key,
            game=facts["game"],
            card=self.voice.card(card),
            blade=self.voice.rank(card >> 2),
            leader=leader,
        )

    def call(self, facts: Facts) -> str:
        return self.say("call", card=self.voice.card(facts["card"]))

    def play(self, facts: Facts) -> str:
        sort, cards = facts["sort"], facts["cards"]
        shown = self.voice(
            "set", kind=self.voice(f"kind.{sort}", size=len(cards)), cards=self.voice.cards(cards)
        )
        key = f"play_{sort}" if sort in ("bomb", "atom", "nuke") else "lead" if facts["leads"] else "play"
        told = self.say(key, cards=shown)
        if 0 < facts["left"] <= FEW:
            told += self.voice("line.left", n=facts["left"])
        return told

    def revealed(self, facts: Facts) -> str:
        return self.say("revealed", card=self.voice.card(facts["card"]))

    def out(self, facts: Facts) -> str:
        return self.say("upstream") if facts["place"] == 1 else self.say("out", place=facts["place"])

    def trick(self, facts: Facts) -> str:
        points = facts["points"]
        told = self.say("trick", n=points, captured=facts["captured"]) if points else self.say("trick_empty")
        leader = facts.get("leader", self.seat)
        if leader != self.seat:
            told += self.voice("line.leads", name=self.voice.name(leader))
        return told

    def laid_open(self, facts: Facts) -> str:
        cards = self.voice.cards(facts["cards"])
        return clipped(
            self.say("laid_open", points=facts["points"], n=len(facts["cards"]), cards=cards), LONGEST
        )

    def settled(self, facts: Facts) -> str:
        teams, totals = facts["teams"], facts["totals"]
        sides = [
            self.voice(
                "line.side",
                names=self.voice.names(seat for seat, side in enumerate(teams) if side == which),
                points=totals[which],
            )
            for which in (0, 1)
        ]
        return self.say("settled", game=facts["game"], sides=self.voice.all(sides, "against"))

    def match_over(self, facts: Facts) -> str:
        winners = self.voice.names(facts["winners"])
        score = self.voice(f"score.{facts['score']}")
        return self.say("match_over", names=winners, score=score)


def _pass(teller: _Teller, _facts: Facts) -> str:
    return teller.say("pass")


_KINDS: dict[str, Callable[[_Teller, Facts], str]] = {
    kind: method for kind, method in vars(_Teller).items() if not kind.startswith("_") and kind != "say"
} | {"pass": _pass}


def line(event: Event, _viewer: Viewer, look: Look) -> str | None:
    """The line of an event: everything that happens in Atom happens in the open."""
    return _KINDS[event.kind](_Teller(event.seat, Voice(look)), event.facts)


def side_names(result: GameResult, which: int, voice: Voice) -> str:
    """The members of a side."""
    return voice.names(seat for seat, side in enumerate(result.teams) if side == which)
