"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from bot.presenters.duel52.queries import before
from bot.presenters.duel52.words import Voice
from bot.presenters.telling import Facts, Teller
from bot.render.scene import Look
from bot.render.theme import seat_letter
from engine.duel52.observation import HIDDEN, Observation
from engine.game import Outcome


class _Teller(Teller[Voice]):
    """What each side may know of it."""

    speaks = Voice

    def say(self, key: str, **facts: object) -> str:
        """See `Teller`: lane and card of the event in words, and how many cards the pile has left."""
        said: dict[str, object] = {}
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


def status(seen: Observation, look: Look) -> str:
    """The turn, the actions left, the draw pile; in solo also the bet."""
    voice = Voice(look)
    if seen.over:
        return voice("status.over", n=seen.turns)
    if before(seen):
        return voice("status.bet")
    empty = "status.no_pile_triangles" if seen.setup.sides > 2 else "status.no_pile"
    pile = voice("status.pile", n=seen.pile) if seen.pile else voice(empty)
    said = voice("status.turn", turn=seen.turns, n=seen.actions, pile=pile)
    if seen.bet >= 0:
        said += voice("status.bet_on", side=seat_letter(seen.bet))
    return said


def ending(outcome: Outcome, look: Look) -> str:
    """Who won and why, in solo how the bet went, and how many turns it took."""
    voice = Voice(look)
    winners = outcome.winners()
    names = voice.all([voice.name(seat) for seat in winners])
    facts = outcome.facts
    if "bet" not in facts:
        said = [voice(f"ending.{outcome.reason}", names=names, n=len(winners))]
    else:
        reason = outcome.reason
        said = [voice(f"ending.solo.{reason}", side=seat_letter(winners[0]))]
        fate = "won" if facts["bet_won"] else "lost" if len(winners) == 1 else "drawn"
        said.append(voice(f"ending.bet_{fate}", side=seat_letter(facts["bet"])))
    said.append(voice("ending.turns", n=facts["turns"]))
    return "\n".join(said)
