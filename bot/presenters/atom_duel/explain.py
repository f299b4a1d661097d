"""Why a move is refused; and the answer to "Why?": a hand step by step, from the trace of the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.presenters.atom_duel.words import Voice, number
from bot.presenters.telling import Told
from bot.render.scene import Look
from engine.atom_duel import evaluate
from engine.atom_duel.ai.patterns import REASONS
from engine.atom_duel.cards import ANNOUNCED, BY_Z, DEAD, PLUS_FIVE, TABLES
from engine.atom_duel.evaluate import EvaluationLine, Played
from engine.atom_duel.events import REFUSALS
from engine.atom_duel.observation import HandView, Observation, PlayView
from engine.elements import ELEMENTS
from engine.game import Refusal
from engine.reason import Reason

SILENT = frozenset({"scientist", "laboratory", "radioactive", "laser"})
"""Powers that need no word when the steps do not mention them: they do nothing in the contest."""
MOST = 3400
"""The most characters of an answer; earlier hands for which there is no room are told in one line."""


def why(refusal: Refusal, look: Look) -> str:
    """The sentence of a refusal."""
    return Voice(look).why(refusal, REFUSALS)


def because(reason: Reason, look: Look) -> str:
    """Return a reason as a sentence."""
    return Voice(look).because(reason, REASONS)


def explain(seen: Observation, look: Look) -> str:
    """The running hand so far, then the last one, then those of the last round that passed before it."""
    voice = Voice(look)
    parts = []
    if seen.plays:
        head = voice("explain.running", hand=seen.hand)
        parts.append(_Telling(voice, seen, seen.plays, _running(seen), done=False).text(head))
    if seen.last_hand is not None:
        parts.append(_finished(voice, seen, seen.last_hand))
    return "\n\n".join(parts + _before(voice, seen, MOST - sum(len(part) + 2 for part in parts)))


def _finished(voice: Voice, seen: Observation, hand: HandView) -> str:
    head = voice("explain.last", round=hand.round, hand=hand.hand)
    return _Telling(voice, seen, hand.plays, hand.trace, done=True).text(head)


def _before(voice: Voice, seen: Observation, room: int) -> list[str]:
    """The earlier hands, the latest first: step by step as far as there is room, else in a line."""
    hands = seen.earlier[::-1]
    brief = [_brief(voice, hand) for hand in hands]
    told = []
    for at, hand in enumerate(hands):
        rest = sum(len(line) + 2 for line in brief[at + 1 :])
        full = _finished(voice, seen, hand)
        told.append(full if len(full) + 2 + rest <= room else brief[at])
        room -= len(told[-1]) + 2
    return told


def _brief(voice: Voice, hand: HandView) -> str:
    thing = voice.short(hand.card)
    if sum(play.head == hand.card for play in hand.plays) > 1:
        thing = voice("compound", symbol=thing)
    elif hand.value2 == 2 * hand.card:  # the number of the card says it
        return voice("explain.brief_card", hand=hand.hand, name=voice.name(hand.winner), thing=thing)
    name, value = voice.name(hand.winner), number(hand.value2)
    return voice("explain.brief", hand=hand.hand, name=name, thing=thing, value=value)


def _running(seen: Observation) -> Sequence[EvaluationLine]:
    """The trace of the hand as it stands."""
    table = TABLES[seen.level]
    plays: list[Played] = []
    for play in seen.plays:
        announced = table.announced[play.card]
        bits = announced[play.power] if play.power in announced else table.bits[play.card]
        bits = DEAD if play.dead else bits | PLUS_FIVE if play.plus_five else bits
        plays.append((play.number2, play.card, play.seat, bits, play.power))
    return evaluate.explain(plays, seen.seats, len(plays) + len(seen.to_play))


class _Telling:
    """Tells one hand. A method for each kind of step."""

    def __init__(
        self,
        voice: Voice,
        seen: Observation,
        plays: Sequence[PlayView],
        trace: Sequence[EvaluationLine],
        *,
        done: bool,
    ) -> None:
        self.voice = voice
        self.seats = seen.seats
        self.left = 0 if done else len(seen.to_play)
        self.done = done
        self.plays = plays
        self.trace = trace
        self.number = {play.card: play.number2 for play in plays}
        self.compounds: set[int] = set()

    def text(self, head: str) -> str:
        voice = self.voice
        decided = sum(line.kind in ("tie", "winner") for line in self.trace)
        steps = [_STEPS[line.kind](self, dict(line.facts)) for line in self.trace]
        if self.done:
            steps[-decided:-decided] = self._idle()
        lines = [head, voice("explain.plays", plays=self.voice.listed(map(self._play, self.plays)))]
        lines += [voice("explain.step", n=n, text=text) for n, text in enumerate(steps, 1)]
        if len(self.plays) > 1:
            lines.append(voice("explain.results", results=" · ".join(self._results())))
        if self.left:
            lines.append(voice("explain.more", n=self.left))
        return "\n".join(lines)

    def say(self, key: str, facts: Told, **more: object) -> str:
        """A step of the explanation: its card, its player and its value are named everywhere."""
        said = {"symbol": self.voice.short(facts["card"]), "name": self.voice.name(facts["seat"])}
        if "value2" in facts:
            said["value"] = number(facts["value2"])
        return self.voice(f"explain.{key}", **{**said, **more})

    def _thing(self, card: int) -> str:
        """A result: a card alone, or the compound that it controls."""
        short = self.voice.short(card)
        return self.voice("compound", symbol=short) if card in self.compounds else short

    def _things(self, cards: Sequence[int]) -> str:
        return self.voice.all([self._thing(card) for card in cards])

    # what was played, and what came of it

    def _play(self, play: PlayView) -> str:
        key = "explain.play"
        more = {}
        if play.power in ANNOUNCED and len(ANNOUNCED.intersection(BY_Z[play.card].powers)) > 1:
            key, more = "explain.play_as", {"as_power": self.voice(f"as.{play.power}")}
        return self.voice(key, symbol=self.voice.short(play.card), name=self.voice.name(play.seat), **more)

    def _results(self) -> list[str]:
        """All results, best first, the winner's marked."""
        best = self.trace[-1].facts["card"]
        heads = [play for play in self.plays if play.head == play.card]
        heads.sort(key=lambda play: (play.card != best, play.beaten, -play.value2))
        out = []
        for play in heads:
            members = [other.card for other in self.plays if other.head == play.card and other is not play]
            # what is beaten stands alone: a compound is neither Scientist nor radioactive
            key = "explain.result_compound" if members else "explain.result"
            key += "_best" if play.card == best else "_beaten" if play.beaten and not members else ""
            symbol, value = ELEMENTS[play.card - 1].symbol, number(play.value2)
            names = self.voice.all([ELEMENTS[z - 1].symbol for z in members])
            out.append(self.voice(key, symbol=symbol, value=value, members=names))
        return out

    # the steps

    def dead(self, facts: Told) -> str:
        return self.say("dead", facts)

    def plus_five(self, facts: Told) -> str:
        return self.say("plus_five", facts)

    def alloy(self, facts: Told) -> str:
        card, cards = facts["card"], facts["cards"]
        self.compounds.add(card)
        others = self.voice.shorts(z for z in cards if z != card)
        total = " + ".join(number(self.number[z]) for z in cards)
        return self.say("alloy_carbon" if facts["carbon"] else "alloy", facts, others=others, sum=total)

    def _takes(self, key: str, facts: Told) -> str:
        """A card that adds the number of another: own + added = value."""
        own = self.number[facts["card"]]
        return self.say(
            key,
            facts,
            target=self._thing(facts["target"]),
            target_alone=self.voice.short(facts["target"]),
            own=number(own),
            added=number(facts["value2"] - own),
        )

    def potassium(self, facts: Told) -> str:
        text = self._takes("potassium", facts)
        self.compounds.add(facts["card"])
        return text

    def oxygen(self, facts: Told) -> str:
        text = self._takes("oxygen", facts)
        self.compounds.add(facts["card"])
        return text

    def magnets_cancel(self, facts: Told) -> str:
        return self.say("magnets_cancel", facts, symbols=self.voice.shorts(facts["cards"]))

    def magnet(self, facts: Told) -> str:
        return self._takes("magnet", facts)

    def magnet_beats(self, facts: Told) -> str:
        return self.say("magnet_beats", facts, target=self._thing(facts["target"]))

    def nitrogen(self, facts: Told) -> str:
        changes = [
            self.voice(
                "explain.change",
                symbol=ELEMENTS[card - 1].symbol,
                before=number(before),
                after=number(after),
            )
            for card, before, after in facts["changes"]
        ]
        return self.say("nitrogen", facts, changes=self.voice.listed(changes))

    def anti(self, facts: Told) -> str:
        return self.say(f"anti_{facts['against']}", facts, beaten=self.voice.shorts(facts["beaten"]))

    def stopper(self, facts: Told) -> str:
        key = "stopper_takes" if facts["value2"] > facts["from2"] else "stopper_keeps"
        return self.say(key, facts, beaten=self.voice.shorts(facts["beaten"]))

    def beats_alloy(self, facts: Told) -> str:
        power = self.voice.element(facts["card"])
        return self.say("beats_alloy", facts, power=power, target=self._thing(facts["target"]))

    def carbide(self, facts: Told) -> str:
        key = "carbide_self" if facts["target"] == facts["card"] else "carbide"
        return self.say(key, facts, before=number(facts["from2"]), target=self._thing(facts["target"]))

    def wasted(self, facts: Told) -> str:
        target = self._thing(facts["target"]) if facts["target"] else ""
        symbol = self.voice.short(facts["card"])
        return self.voice(f"wasted.{facts['power']}_{facts['reason']}", symbol=symbol, target=target)

    def tie(self, facts: Told) -> str:
        element = self.voice.element(facts["card"])
        return self.say(f"tie_{facts['rule']}", facts, element=element, others=self._things(facts["over"]))

    def winner(self, facts: Told) -> str:
        beaten = any(play.beaten for play in self.plays)
        key = "leads" if not self.done else "winner" if beaten else "winner_plain"
        return self.say(key, facts, thing=self._thing(facts["card"]))

    # powers that found nothing to work on, of which the engine says nothing

    def _idle(self) -> list[str]:
        acted = {line.facts["card"] for line in self.trace if line.kind not in ("tie", "winner", "plus_five")}
        for line in self.trace:
            if line.kind in ("alloy", "magnets_cancel"):
                acted.update(line.facts["cards"])
        out = []
        for play in self.plays:
            if play.card in acted or play.head != play.card or play.dead or play.power in SILENT:
                continue
            key = self._idle_key(play)
            if f"idle.{key}" in self.voice:
                symbol, power = self.voice.short(play.card), self.voice.element(play.card)
                out.append(self.voice(f"idle.{key}", symbol=symbol, power=power))
        return out

    def _idle_key(self, play: PlayView) -> str:
        if self.seats == 2:
            two = {
                "alloy": "two_alloy",
                "oxidise_second": "two_oxygen",
                "carbon_x3": "two_beats",
                "join_alloy": "two_beats",
            }
            return two.get(play.power, play.power)
        return play.power


_STEPS: dict[str, Callable[[_Telling, Told], str]] = {
    kind: method
    for kind, method in vars(_Telling).items()
    if not kind.startswith("_") and kind not in ("say", "text")
}
