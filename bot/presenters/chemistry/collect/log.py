"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from bot.presenters.base import LINE
from bot.presenters.chemistry.collect import made
from bot.presenters.chemistry.words import Voice, formulas
from bot.presenters.telling import Facts, Teller
from bot.render.scene import Look
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.observation import Observation
from engine.game import Outcome


class _Teller(Teller[Voice]):
    """What each seat may know of it."""

    speaks = Voice

    def on_round(self, facts: Facts) -> str:
        return self.say(
            "round",
            round=facts["round"],
            formulas=formulas(facts["row"]),
            card=self.voice.short(facts["top"]),
        )

    def on_dealt(self, facts: Facts) -> str | None:
        return self.say("dealt", cards=self.voice.counted(facts["cards"])) if "cards" in facts else None

    def on_draw(self, facts: Facts) -> str:
        if "card" in facts:
            return self.say("draw_own", card=self.voice.card(facts["card"]))
        return self.say("draw")

    def on_take(self, facts: Facts) -> str:
        return self.say("take", card=self.voice.card(facts["card"]))

    def on_shuffled(self, facts: Facts) -> str:
        return self.say("shuffled", n=facts["cards"])

    def on_capture(self, facts: Facts) -> str:
        number, cards = facts["compound"], facts["cards"]
        told = self.say("capture", compound=self.voice.compound(number), cards=self.voice.counted(cards))
        if WILD in cards:
            law = " " + self.say("wild_law", law=self.voice.law(BOOK.compounds[number].deck, number))
            if len(told + law) <= LINE:
                told += law
        return told

    def on_turned(self, facts: Facts) -> str:
        return self.say("turned", compound=self.voice.compound(facts["compound"]))

    def on_discard(self, facts: Facts) -> str:
        return self.say("discard", card=self.voice.card(facts["card"]))

    def on_run(self, facts: Facts) -> str:
        start, cards = facts["start"], facts["cards"]
        parts = [
            self.voice.short(card) if card else self.voice("tree.wild_as", number=start + step)
            for step, card in enumerate(cards)
        ]
        return self.say("run", cards=" · ".join(parts))

    def on_claim(self, facts: Facts) -> str:
        owner = facts["owner"]
        key = "claim_own" if owner == self.seat else "claim"
        return self.say(key, card=self.voice.card(facts["number"]), target=self.voice.name(owner))

    def on_made(self, facts: Facts) -> str:
        numbers, runs, points = facts["compounds"], facts["runs"], self._points(facts["points"])
        if not numbers and not runs:
            return self.say("made_none", points=points)
        told = self.say("made", things=made.things(numbers, runs, self.voice), points=points)
        if len(told) > LINE:
            short = made.things(numbers, runs, self.voice, short=True)
            told = self.say("made", things=short, points=points)
        if numbers:
            first, *_ = made.telling_order(numbers, facts["round"])
            fact = " " + made.fact(first, self.voice)
            told += fact if len(told + fact) <= LINE else ""
        return told

    def _points(self, number: int) -> str:
        return self.voice("points", n=number)

    def on_round_over(self, facts: Facts) -> str:
        scores = [
            self.voice("line.score", name=self.voice.name(seat), points=points)
            for seat, points in enumerate(facts["totals"])
        ]
        key = f"over_{facts['reason']}"
        if len(facts["totals"]) == 1 and facts["reason"] == "stuck":
            key = "over_stuck_alone"
        return self.say(key, round=facts["round"], scores=", ".join(scores))

    def on_game_over(self, facts: Facts) -> str:
        first = [self.voice.name(seat) for seat, rank in enumerate(facts["ranks"]) if rank == 1]
        if len(facts["ranks"]) == 1:
            key = "solo_lost" if facts["reason"] == "target_missed" else "solo_won"
            key = "solo_done" if facts["reason"] == "one_round" else key
            return self.voice(f"line.{key}", name=first[0], points=facts["totals"][0])
        return self.voice("line.game_won", n=len(first), names=self.voice.all(first))


line = _Teller.line


def status(seen: Observation, look: Look) -> str:
    """The round, how many compounds are left, and the stock."""
    voice = Voice(look)
    if seen.over:
        return voice("status.over", n=seen.round)
    key = "status.only" if seen.rounds == 1 else "status.round"
    return voice(key, round=seen.round, rounds=seen.rounds, row=len(seen.row) + seen.stack, stock=seen.stock)


def ending(outcome: Outcome, look: Look) -> str:
    """Who has how many points, why it ended, and where to read what was made."""
    voice = Voice(look)
    said = [*voice.ranking(outcome, "points")]
    if outcome.reason == "target_missed":  # a lost match has a score, but no medal
        points = voice("points", n=int(outcome.standings[0].score))
        said = [voice("ending.lost", name=voice.name(0), points=points)]
    key = f"ending.{outcome.reason}"
    if len(outcome.standings) == 1 and outcome.reason == "target":
        key = "ending.solo_target"
    said.append(voice(key, n=outcome.facts["rounds"], target=outcome.facts["target"]))
    said.append(voice("ending.made"))
    return "\n".join(said)
