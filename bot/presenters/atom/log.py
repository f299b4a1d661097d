"""How a match goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from bot.presenters.atom.words import Voice, best_first
from bot.presenters.telling import Facts, Teller
from bot.render.scene import Look
from engine.atom import scoring
from engine.atom.observation import Observation
from engine.game import Outcome

FEW_CARDS = 10
"""From so many cards on the log says how many are left."""


class _Teller(Teller[Voice]):
    """Everything that happens in Atom happens in the open."""

    speaks = Voice

    def on_void(self, facts: Facts) -> str:
        return self.say("void", card=self.voice.card(facts["turned"]))

    def on_dealt(self, facts: Facts) -> str:
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

    def on_call(self, facts: Facts) -> str:
        return self.say("call", card=self.voice.card(facts["card"]))

    def on_play(self, facts: Facts) -> str:
        sort, cards = facts["sort"], facts["cards"]
        shown = self.voice.sorted(sort, cards)
        key = f"play_{sort}" if sort in ("bomb", "atom", "nuke") else "lead" if facts["leads"] else "play"
        told = self.say(key, cards=shown)
        if 0 < facts["left"] <= FEW_CARDS:
            told += self.voice("line.left", n=facts["left"])
        return told

    def on_revealed(self, facts: Facts) -> str:
        return self.say("revealed", card=self.voice.card(facts["card"]))

    def on_out(self, facts: Facts) -> str:
        return self.say("upstream") if facts["place"] == 1 else self.say("out", place=facts["place"])

    def on_trick(self, facts: Facts) -> str:
        points = facts["points"]
        told = self.say("trick", n=points, captured=facts["captured"]) if points else self.say("trick_empty")
        leader = facts.get("leader", self.seat)
        if leader != self.seat:
            told += self.voice("line.leads", name=self.voice.name(leader))
        return told

    def on_laid_open(self, facts: Facts) -> str:
        cards = self.voice.cards(facts["cards"])
        return self.say("laid_open", points=facts["points"], n=len(facts["cards"]), cards=cards)

    def on_settled(self, facts: Facts) -> str:
        teams, totals = facts["teams"], facts["totals"]
        sides = [
            self.voice(
                "line.side",
                names=self.voice.names(seat for seat, side in enumerate(teams) if side == which),
                points=totals[which],
            )
            for which in (0, 1)
        ]
        key = "settled_five" if len(teams) == 5 else "settled"
        return self.say(key, game=facts["game"], sides=self.voice.all(sides, "against"))

    def on_match_over(self, facts: Facts) -> str:
        winners = self.voice.names(facts["winners"])
        score = self.voice(f"score.{facts['score']}")
        return self.say("match_over", names=winners, score=score)


line = _Teller.line


def status(seen: Observation, look: Look) -> str:
    """Which game and trick it is, the Blade, and what lies in the trick."""
    voice = Voice(look)
    if seen.phase == "over":
        return voice("status.over")
    facts: dict[str, object] = {"blade": voice.rank(seen.blade), "trick": seen.tricks + 1, "n": seen.pot}
    if seen.phase == "call":
        text = voice("status.call", name=look.name(seen.caller), **facts)
    else:
        text = voice("status.trick" if seen.best else "status.lead", **facts)
    return text if seen.seats == 5 else voice("status.match", game=seen.game, status=text)


def ending(outcome: Outcome, look: Look) -> str:
    """Who won and who lost, how much, and the rule that decided it."""
    voice, facts = Voice(look), outcome.facts
    winners = outcome.winners()
    losers = [seat for seat in range(len(outcome.standings)) if seat not in winners]
    score = facts["score"]
    won, lost = best_first(outcome)
    totals = voice("ending.totals", won=won, lost=lost)
    name = voice.name(facts["upstream"])
    return "\n".join(
        (
            voice("ending.won", names=voice.names(winners), score=voice(f"score.{score}"), n=score),
            voice("ending.lost", names=voice.names(losers), n=score),
            voice(f"ending.{outcome.reason}", totals=totals, name=name, least=scoring.FEW),
        )
    )
