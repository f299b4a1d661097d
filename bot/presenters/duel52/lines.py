"""The log: what happened, in one line each."""

from __future__ import annotations

from typing import Any

from bot.presenters.duel52.words import Voice
from bot.presenters.telling import Facts, Teller
from engine.duel52.observation import HIDDEN


class _Teller(Teller[Voice]):
    """What each side may know of it."""

    speaks = Voice

    def say(self, key: str, **facts: Any) -> str:
        """See `Teller`: lane and card of the event in words, and how many cards the pile has left."""
        said: dict[str, Any] = {}
        if "lane" in self.facts:
            said["lane"] = self._place(self.facts["lane"])
        if "card" in self.facts:
            said["card"] = self.voice.card(self.facts["card"])
        return super().say(key, **{"n": self.facts.get("pile", 0), **facts, **said})

    def _place(self, lane: int) -> str:
        return self.voice.inside(lane, triangles="triangles" in self.facts)

    def _owner(self) -> str:
        """Whose card it was: in teams both partners'."""
        return self.voice.names(self.facts["owners"])

    def on_turn(self, facts: Facts) -> str:
        return self.say("turn", number=facts["number"], n=facts["actions"])

    def on_draw(self, facts: Facts) -> str | None:
        return self.say("draw_own") if "card" in facts else None

    def on_play(self, facts: Facts) -> str:
        return self.say("play_own" if "card" in facts else "play")

    def on_flip(self, facts: Facts) -> str:
        return self.say("flip_called" if facts["by"] >= 0 else "flip")

    def on_attack(self, facts: Facts) -> str:
        voice = self.voice
        attackers = voice.cards([card for _, card in facts["attackers"]])
        targets = [
            voice("line.hit", card=voice.card(card), damage=damage) for _, card, damage in facts["targets"]
        ]
        count = len(facts["attackers"])
        said = self.say("attack", attackers=attackers, targets=voice.all(targets), n=count)
        if facts["back"]:
            said += " " + voice("line.back", n=facts["back"])
        if facts["healed"]:
            said += " " + voice("line.drinks")
        return said

    def on_killed(self, facts: Facts) -> str:
        card = facts.get("card", HIDDEN)
        return self.say("killed", owner=self._owner(), card=self.voice.card(card))

    def on_pair(self, facts: Facts) -> str:
        return self.say("pair", cards=self.voice.cards(facts["cards"]))

    def on_freeze(self, facts: Facts) -> str:
        return self.say("freeze" if facts["units"] else "freeze_none", n=len(facts["units"]))

    def on_heal(self, facts: Facts) -> str:
        return self.say("heal" if facts["units"] else "heal_none", n=len(facts["units"]))

    def on_empower(self, facts: Facts) -> str | None:
        return None if facts["units"] else self.say("empower_none")

    def on_bonus(self, facts: Facts) -> str:
        return self.say("bonus", n=facts["actions"])

    def on_look(self, facts: Facts) -> str:
        return self.say("look_own" if "card" in facts else "look", owner=self._owner())

    def on_move(self, facts: Facts) -> str:
        to = self._place(facts["to"])
        card = self.voice.card(facts.get("card", HIDDEN))
        return self.say("move", card=card, to=to)

    def on_discard(self, facts: Facts) -> str:
        return self.say("discard_own" if "card" in facts else "discard")

    def on_pile_empty(self, facts: Facts) -> str:
        return self.say("pile_empty" if facts["bases"] else "pile_empty_triangles")

    def on_no_action(self, facts: Facts) -> str:
        return self.say("no_action", n=facts["actions"])

    def on_bet(self, facts: Facts) -> str:
        return self.say("bet", side="AB"[facts["side"]])

    def on_over(self, facts: Facts) -> str:
        ranks = facts["ranks"]
        winners = [self.voice.name(seat) for seat, rank in enumerate(ranks) if rank == 1]
        drawn = facts["reason"] in ("both_sides", "all_out", "no_moves", "thirty_turns")
        names = self.voice.all(winners)
        return self.say("over_drawn") if drawn else self.say("over_won", names=names, n=len(winners))


line = _Teller.line
