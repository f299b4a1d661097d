"""The log: what happened, in one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.presenters.duel52.words import Voice
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.duel52.observation import HIDDEN
from engine.game import Event, Viewer

LONGEST = 300
"""The most signs of a line."""
Facts = Mapping[str, Any]


class _Teller:
    """Tells one event to one viewer. A method for each kind of event that needs more than its facts."""

    def __init__(self, event: Event, voice: Voice) -> None:
        self.facts: Facts = event.facts
        self.voice = voice
        self.name = voice.name(event.seat) if event.seat >= 0 else ""
        self.seat = event.seat

    def say(self, key: str, **facts: Any) -> str:
        said = {"name": self.name, "n": self.facts.get("pile", 0)}
        if "lane" in self.facts:
            said["lane"] = self.place(self.facts["lane"])
        if "card" in self.facts:
            said["card"] = self.voice.card(self.facts["card"])
        return self.voice(f"line.{key}", **{**said, **facts})

    def place(self, lane: int) -> str:
        return self.voice.inside(lane, triangles="triangles" in self.facts)

    def turn(self) -> str:
        return self.say("turn", number=self.facts["number"], n=self.facts["actions"])

    def draw(self) -> str | None:
        return self.say("draw_own") if "card" in self.facts else None

    def play(self) -> str:
        return self.say("play_own" if "card" in self.facts else "play")

    def flip(self) -> str:
        return self.say("flip_called" if self.facts["by"] >= 0 else "flip")

    def attack(self) -> str:
        facts, voice = self.facts, self.voice
        attackers = voice.cards([card for _, card in facts["attackers"]])
        targets = [
            voice("line.hit", card=voice.card(card), damage=damage) for _, card, damage in facts["targets"]
        ]
        said = self.say("attack", attackers=attackers, targets=voice.all(targets))
        if facts["back"]:
            said += " " + voice("line.back", n=facts["back"])
        if facts["healed"]:
            said += " " + voice("line.drinks")
        return said

    def killed(self) -> str:
        card = self.facts.get("card", HIDDEN)
        return self.say("killed", owner=self.owner(), card=self.voice.card(card))

    def sprung(self) -> str:
        return self.say("sprung")

    def owner(self) -> str:
        """Whose card it was: in teams both partners'."""
        return self.voice.all([self.voice.name(seat) for seat in self.facts["owners"]])

    def pair(self) -> str:
        return self.say("pair", cards=self.voice.cards(self.facts["cards"]))

    def freeze(self) -> str:
        return self.say("freeze" if self.facts["units"] else "freeze_none", n=len(self.facts["units"]))

    def heal(self) -> str:
        return self.say("heal" if self.facts["units"] else "heal_none", n=len(self.facts["units"]))

    def empower(self) -> str | None:
        return None if self.facts["units"] else self.say("empower_none")

    def bonus(self) -> str:
        return self.say("bonus", n=self.facts["actions"])

    def look(self) -> str:
        return self.say("look_own" if "card" in self.facts else "look", owner=self.owner())

    def move(self) -> str:
        to = self.place(self.facts["to"])
        card = self.voice.card(self.facts.get("card", HIDDEN))
        return self.say("move", card=card, to=to)

    def discard(self) -> str:
        return self.say("discard_own" if "card" in self.facts else "discard")

    def pile_empty(self) -> str:
        return self.say("pile_empty" if self.facts["bases"] else "pile_empty_triangles")

    def no_action(self) -> str:
        return self.say("no_action", n=self.facts["actions"])

    def bet(self) -> str:
        return self.say("bet", side="AB"[self.facts["side"]])

    def over(self) -> str:
        ranks = self.facts["ranks"]
        winners = [self.voice.name(seat) for seat, rank in enumerate(ranks) if rank == 1]
        drawn = self.facts["reason"] in ("both_sides", "all_out", "no_moves", "thirty_turns")
        names = self.voice.all(winners)
        return self.say("over_drawn") if drawn else self.say("over_won", names=names, n=len(winners))

    def plain(self, kind: str) -> str:
        return self.say(kind)


_KINDS: dict[str, Callable[[_Teller], str | None]] = {
    kind: getattr(_Teller, kind)
    for kind in vars(_Teller)
    if not kind.startswith("_") and kind not in ("say", "plain", "owner", "place")
}
_PLAIN = {"stay": "stay", "order": "order", "open": "open", "out": "out"}
"""Events that need no more than their facts."""


def line(event: Event, _viewer: Viewer, look: Look) -> str | None:
    """The line of an event, already cut for the viewer; None where there is nothing to tell."""
    teller = _Teller(event, Voice(look))
    said = teller.plain(_PLAIN[event.kind]) if event.kind in _PLAIN else _KINDS[event.kind](teller)
    return said and clipped(said, LONGEST)
