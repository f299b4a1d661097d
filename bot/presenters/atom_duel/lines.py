"""The log: what happened, in one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bot.presenters.atom_duel.words import Voice, number, slot
from bot.render.scene import Look
from engine.atom_duel.cards import ANNOUNCED, BY_Z
from engine.elements import ELEMENTS
from engine.game import Event, Viewer

LONGEST = 300
"""The most signs of a line."""
Facts = Mapping[str, Any]


class _Teller:
    """Tells one event to one viewer. A method for each kind of event."""

    def __init__(self, seat: int, viewer: Viewer, voice: Voice) -> None:
        self.seat = seat
        self.viewer = viewer
        self.voice = voice
        self.name = voice.name(seat) if seat >= 0 else ""

    def say(self, key: str, **facts: Any) -> str:
        return self.voice(f"line.{key}", name=self.name, **facts)

    def round(self, facts: Facts) -> str:
        name = self.voice.name(facts["leader"])
        key = "line.round_sealed" if facts["simultaneous"] else "line.round"
        return self.voice(key, name=name, round=facts["round"], rounds=facts["rounds"], deck=facts["deck"])

    def dealt(self, facts: Facts) -> str | None:
        return self._cards("dealt", facts)

    def received(self, facts: Facts) -> str | None:
        return self._cards("received", facts)

    def _cards(self, kind: str, facts: Facts) -> str | None:
        """New cards: told to their owner, and to all where they lie face up."""
        if not facts.get("cards"):
            return None
        key = f"{kind}_own" if self.viewer == self.seat else "cards_shown"
        return self.say(key, symbols=self.voice.shorts(facts["cards"]))

    def play(self, facts: Facts) -> str:
        card, power = facts["card"], facts["power"]
        shown = self.voice.card(card)
        if not power:
            return self.say("play", card=shown)
        if power in ANNOUNCED and len(ANNOUNCED.intersection(BY_Z[card].powers)) > 1:
            return self.say("play_as", card=shown, as_power=self.voice(f"as.{power}"))
        return self.say("play_power", card=shown, power=self.voice.power(power))

    def flip(self, facts: Facts) -> str:
        return self.say("flip", slot=slot(facts["slot"]), symbol=self.voice.short(facts["card"]))

    def vaporised(self, facts: Facts) -> str:
        return self._at("vaporised", facts)

    def laser_wasted(self, facts: Facts) -> str:
        return self._at("laser_wasted", facts)

    def reveal(self, facts: Facts) -> str:
        return self._at("reveal", facts)

    def _at(self, key: str, facts: Facts) -> str:
        return self.say(
            key,
            target=self.voice.name(facts["target"]),
            slot=slot(facts["slot"]),
            card=self.voice.card(facts["card"]),
        )

    def peek(self, facts: Facts) -> str:
        target = self.voice.name(facts["target"])
        if "cards" in facts:
            return self.say("peek_own", target=target, symbols=self.voice.shorts(facts["cards"]))
        slots = self.voice("line.slots", n=len(facts["slots"]), slots=self._slots(facts["slots"]))
        return self.say("peek", target=target, slots=slots)

    def _slots(self, slots: list[int]) -> str:
        return self.voice.all([slot(one) for one in slots])

    def trade(self, facts: Facts) -> str:
        target = self.voice.name(facts["target"])
        if "given" in facts:
            given, taken = self.voice.shorts(facts["given"]), self.voice.shorts(facts["taken"])
            return self.say("trade_known", target=target, given=given, taken=taken)
        own, theirs = self._slots(facts["own"]), self._slots(facts["slots"])
        return self.say("trade", target=target, own=own, slots=theirs)

    def no_trade(self, _facts: Facts) -> str:
        return self.say("no_trade")

    def hydrogen(self, _facts: Facts) -> str:
        return self.say("hydrogen")

    def pass_left(self, _facts: Facts) -> str:
        return self.say("pass_left")

    def redeal(self, _facts: Facts) -> str:
        return self.say("redeal")

    def zinc(self, _facts: Facts) -> str:
        return self.say("zinc")

    def germanium(self, facts: Facts) -> str:
        return self.say("germanium" if facts["shuffled"] else "germanium_unshuffled")

    def lanthanum(self, facts: Facts) -> str:
        rows: dict[int, list[int]] = {}
        for seat, _slot, card in facts["rows"]:
            rows.setdefault(seat, []).append(card)
        if not rows:
            return self.say("lanthanum_none")
        told = self.say("lanthanum")
        for seat, cards in rows.items():
            symbols = " ".join(ELEMENTS[z - 1].symbol for z in cards)
            row = " " + self.voice("line.lanthanum_row", name=self.voice.name(seat), symbols=symbols)
            if len(told + row) > LONGEST:  # the picture shows them all
                break
            told += row
        return told

    def lanthanum_over(self, facts: Facts) -> str:
        return self.say("lanthanum_over_shuffled" if facts["shuffled"] else "lanthanum_over")

    def seal(self, facts: Facts) -> str | None:
        if "card" not in facts:
            return None
        card, position = self.voice.card(facts["card"]), facts["position"]
        if not facts["power"]:
            return self.say("seal", card=card, position=position)
        as_power = self.voice(f"as.{facts['power']}")
        return self.say("seal_as", card=card, position=position, as_power=as_power)

    def rows_sealed(self, _facts: Facts) -> str:
        return self.say("rows_sealed")

    def hand_won(self, facts: Facts) -> str:
        members: list[int] = next((s["cards"] for s in reversed(facts["trace"]) if s["kind"] == "winner"), [])
        key = "hand_won_compound" if len(members) > 1 else "hand_won"
        card, value = self.voice.card(facts["card"]), number(facts["value2"])
        return self.say(key, hand=facts["hand"], card=card, value=value)

    def leftover(self, facts: Facts) -> str:
        return self.say("leftover", symbols=self.voice.shorts(facts["cards"]))

    def round_over(self, facts: Facts) -> str:
        scores = [
            self.voice("line.score", name=self.voice.name(seat), points=points)
            for seat, points in enumerate(facts["points"])
        ]
        return self.say("round_over", round=facts["round"], points=", ".join(scores))

    def game_over(self, facts: Facts) -> str:
        first = [self.voice.name(seat) for seat, rank in enumerate(facts["ranks"]) if rank == 1]
        names = self.voice("line.game_won", n=len(first), names=self.voice.all(first))
        return self.say("game_over", names=names)


_KINDS: dict[str, Callable[[_Teller, Facts], str | None]] = {
    kind: method for kind, method in vars(_Teller).items() if not kind.startswith("_") and kind != "say"
}


def line(event: Event, viewer: Viewer, look: Look) -> str | None:
    """The line of an event, already cut for the viewer; None where there is nothing to tell."""
    return _KINDS[event.kind](_Teller(event.seat, viewer, Voice(look)), event.facts)
