"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from bot.presenters.atom_duel.words import Voice, number, slot
from bot.presenters.base import LINE
from bot.presenters.telling import Facts, Teller
from bot.render.scene import Look
from engine.atom_duel.cards import ANNOUNCED, BY_Z
from engine.atom_duel.observation import Observation
from engine.atom_duel.position import NONE_YET
from engine.elements import ELEMENTS
from engine.game import Outcome


class _Teller(Teller[Voice]):
    """What each player may know of it."""

    speaks = Voice

    def on_round(self, facts: Facts) -> str:
        name = self.voice.name(facts["leader"])
        key = "line.round_sealed" if facts["simultaneous"] else "line.round"
        return self.voice(key, name=name, round=facts["round"], rounds=facts["rounds"], deck=facts["deck"])

    def on_dealt(self, facts: Facts) -> str | None:
        return self._cards("dealt", facts)

    def on_received(self, facts: Facts) -> str | None:
        return self._cards("received", facts)

    def _cards(self, kind: str, facts: Facts) -> str | None:
        """New cards: told to their owner, and to all where they lie face up."""
        if not facts.get("cards"):
            return None
        key = f"{kind}_own" if self.viewer == self.seat else "cards_shown"
        return self.say(key, symbols=self.voice.shorts(facts["cards"]))

    def on_play(self, facts: Facts) -> str:
        card, power = facts["card"], facts["power"]
        shown = self.voice.card(card)
        if not power:
            return self.say("play", card=shown)
        if power in ANNOUNCED and len(ANNOUNCED.intersection(BY_Z[card].powers)) > 1:
            return self.say("play_as", card=shown, as_power=self.voice(f"as.{power}"))
        return self.say("play_power", card=shown, power=self.voice.power(power))

    def on_flip(self, facts: Facts) -> str:
        return self.say("flip", slot=slot(facts["slot"]), symbol=self.voice.short(facts["card"]))

    def on_vaporised(self, facts: Facts) -> str:
        return self._at("vaporised", facts)

    def on_laser_wasted(self, facts: Facts) -> str:
        return self._at("laser_wasted", facts)

    def on_reveal(self, facts: Facts) -> str:
        return self._at("reveal", facts)

    def _at(self, key: str, facts: Facts) -> str:
        return self.say(
            key,
            target=self.voice.name(facts["target"]),
            slot=slot(facts["slot"]),
            card=self.voice.card(facts["card"]),
        )

    def on_peek(self, facts: Facts) -> str:
        target = self.voice.name(facts["target"])
        if "cards" in facts:
            return self.say("peek_own", target=target, symbols=self.voice.shorts(facts["cards"]))
        slots = self.voice("line.slots", n=len(facts["slots"]), slots=self._slots(facts["slots"]))
        return self.say("peek", target=target, slots=slots)

    def _slots(self, slots: list[int]) -> str:
        return self.voice.all([slot(one) for one in slots])

    def on_trade(self, facts: Facts) -> str:
        target = self.voice.name(facts["target"])
        if "given" in facts:
            given, taken = self.voice.shorts(facts["given"]), self.voice.shorts(facts["taken"])
            return self.say("trade_known", target=target, given=given, taken=taken)
        own, theirs = self._slots(facts["own"]), self._slots(facts["slots"])
        return self.say("trade", target=target, own=own, slots=theirs)

    def on_germanium(self, facts: Facts) -> str:
        if facts["shuffled"]:
            return self.say("germanium")
        key = "germanium_sealed" if facts["sealed"] else "germanium"
        return self.say(f"{key}_shown" if facts["shown"] else key)

    def on_lanthanum(self, facts: Facts) -> str:
        rows: dict[int, list[int]] = {}
        for seat, _slot, card in facts["rows"]:
            rows.setdefault(seat, []).append(card)
        if not rows:
            return self.say("lanthanum_none")
        told = self.say("lanthanum")
        for seat, cards in rows.items():
            symbols = " ".join(ELEMENTS[z - 1].symbol for z in cards)
            row = " " + self.voice("line.lanthanum_row", name=self.voice.name(seat), symbols=symbols)
            if len(told + row) > LINE:  # the picture shows them all
                break
            told += row
        return told

    def on_lanthanum_over(self, facts: Facts) -> str:
        if facts["shuffled"]:
            return self.say("lanthanum_over_shuffled")
        return self.say("lanthanum_over_hidden" if facts["hidden"] else "lanthanum_over")

    def on_no_target(self, facts: Facts) -> str:
        key = "no_trader" if facts["power"] == "trade_two" else "no_target"
        return self.say(key, symbol=self.voice.short(facts["card"]))

    def on_seal(self, facts: Facts) -> str | None:
        if "card" not in facts:
            return None
        card, position = self.voice.card(facts["card"]), facts["position"]
        if not facts["power"]:
            return self.say("seal", card=card, position=position)
        as_power = self.voice(f"as.{facts['power']}")
        return self.say("seal_as", card=card, position=position, as_power=as_power)

    def on_hand_won(self, facts: Facts) -> str:
        members: list[int] = next((s["cards"] for s in reversed(facts["trace"]) if s["kind"] == "winner"), [])
        key = "hand_won_compound" if len(members) > 1 else "hand_won"
        card, value = self.voice.card(facts["card"]), number(facts["value2"])
        return self.say(key, hand=facts["hand"], card=card, value=value)

    def on_leftover(self, facts: Facts) -> str:
        return self.say("leftover", symbols=self.voice.shorts(facts["cards"]))

    def on_round_over(self, facts: Facts) -> str:
        scores = [
            self.voice("line.score", name=self.voice.name(seat), points=points)
            for seat, points in enumerate(facts["points"])
        ]
        return self.say("round_over", round=facts["round"], points=", ".join(scores))

    def on_game_over(self, facts: Facts) -> str:
        first = [self.voice.name(seat) for seat, rank in enumerate(facts["ranks"]) if rank == 1]
        names = self.voice("line.game_won", n=len(first), names=self.voice.all(first))
        return self.say("game_over", names=names)


line = _Teller.line


def status(seen: Observation, look: Look) -> str:
    """The round, the hand and the level."""
    key = "hand"
    if seen.over:
        key = "over"
    elif seen.sealing:
        key = "sealing"
    elif seen.last_round:
        key = "last_round"
    return Voice(look)(
        f"status.{key}",
        n=seen.rounds,
        round=seen.round,
        rounds=seen.rounds,
        hand=seen.hand,
        level=seen.level,
    )


def ending(outcome: Outcome, look: Look) -> str:
    """Who has how many points, and what a tie was decided by."""
    voice = Voice(look)
    said = [*voice.ranking(outcome, "ending.points")]
    if outcome.reason != "points":
        said.append(voice(f"ending.{outcome.reason}", figures=_figures(outcome, voice)))
    return "\n".join(said)


def _figures(outcome: Outcome, voice: Voice) -> str:
    """The figures that a tie was decided by, of those whom nothing before had told from the winner."""
    facts = outcome.facts
    best = outcome.winners()[0]

    def before(seat: int) -> tuple[float, ...]:
        points = outcome.standings[seat].score
        return (points,) if outcome.reason == "last_round" else (points, facts["last_round"][seat])

    level = [seat for seat in range(len(outcome.standings)) if before(seat) == before(best)]
    said = []
    for seat in level:
        if outcome.reason == "last_round":
            figure = str(facts["last_round"][seat])
        else:
            value2 = facts["best2"][seat]
            figure = number(value2) if value2 != NONE_YET else voice("ending.none")
        said.append(voice("ending.figure", name=voice.name(seat), figure=figure))
    return voice.all(said)
