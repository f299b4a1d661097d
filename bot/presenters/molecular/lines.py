"""The log: what happened, in one line each; and the answer to "Why?"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.presenters.molecular.words import Voice
from bot.render.scene import Look
from engine.game import Event, Viewer
from engine.molecular.cards import EFFECTOR, ELEMENT
from engine.molecular.observation import Observation

LONGEST = 300
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
        return self.say("round", round=facts["round"], rounds=facts["rounds"])

    def drew(self, facts: Facts) -> str | None:
        """New tiles or cards: told to their owner alone."""
        if "kinds" not in facts:
            return None
        if facts["what"] == "tiles":
            return self.say("drew_tiles", tiles=elements(facts["kinds"]))
        return self.say("drew_groups", groups=self.voice.all([self.voice.group(g) for g in facts["kinds"]]))

    def tile(self, facts: Facts) -> str:
        key = "tile_free" if facts["free"] else "tile"
        return self.say(key, tile=self.voice.tile(facts["kind"]), points=self.voice.points(facts["points"]))

    def group(self, facts: Facts) -> str:
        voice, group = self.voice, self.voice.group(facts["group"])
        if not facts["score"][0]:
            return self.say("group_none", group=group)
        examples = voice("examples", n=facts["score"][0])
        return self.say("group", group=group, examples=examples, points=voice.points(facts["points"]))

    def reveal(self, facts: Facts) -> str:
        card = facts["card"]
        return self.say("reveal", effector=self.voice.effector(card), effect=self.voice.effect(card))

    def active(self, facts: Facts) -> str:
        kept = self.say("active", effector=self.voice.effector(facts["card"]))
        if facts["gone"]:
            gone = self.voice.all([self.voice.effector(card) for card in facts["gone"]])
            return self.say("active_gone", effector=self.voice.effector(facts["card"]), gone=gone)
        return kept

    def nothing(self, facts: Facts) -> str:
        return self.say("nothing", effector=self.voice.effector(facts["card"]))

    def grant(self, facts: Facts) -> str:
        return self.say("grant", points=self.voice.points(facts["points"]))

    def contamination(self, _facts: Facts) -> str:
        return self.say("contamination")

    def spill(self, _facts: Facts) -> str:
        return self.say("spill")

    def explosion(self, facts: Facts) -> str:
        return self.say("explosion", n=len(facts["cells"]))

    def alarm(self, facts: Facts) -> str:
        return self.say("alarm_lost" if facts["lost"] else "alarm")

    def skip(self, facts: Facts) -> str:
        return self.say("skip", effector=self.voice.effector(facts["card"]))

    def clear(self, facts: Facts) -> str:
        counters = self.voice("counters", n=facts["counters"])
        return self.say("clear", group=self.voice.group(facts["group"]), counters=counters)

    def rival(self, facts: Facts) -> str:
        counters = self.voice("counters", n=facts["counters"])
        return self.say("rival", group=self.voice.group(facts["group"]), counters=counters)

    def poach(self, facts: Facts) -> str:
        return self._passed("poach", facts)

    def gave_back(self, facts: Facts) -> str:
        return self._passed("gave_back", facts)

    def gave(self, facts: Facts) -> str:
        return self._passed("gave", facts)

    def _passed(self, key: str, facts: Facts) -> str:
        """A card that changes hands: named to the two whom it concerns."""
        other = self.voice.name(facts["other"])
        if "group" in facts:
            return self.voice(
                f"line.{key}_known", name=self.name, target=other, group=self.voice.group(facts["group"])
            )
        return self.voice(f"line.{key}", name=self.name, target=other)

    def pass_(self, _facts: Facts) -> str:
        return self.say("pass")

    def no_free_tile(self, _facts: Facts) -> str:
        return self.say("no_free_tile")

    def forfeit(self, _facts: Facts) -> str:
        return self.say("forfeit")

    def groups_shuffled(self, facts: Facts) -> str:
        return self.say("groups_shuffled", n=facts["count"])

    def effectors_shuffled(self, facts: Facts) -> str:
        return self.say("effectors_shuffled", n=facts["count"])

    def game_over(self, facts: Facts) -> str:
        best = max(facts["scores"])
        winners = [self.voice.name(s) for s, score in enumerate(facts["scores"]) if score == best]
        if len(facts["scores"]) == 1:
            return self.say(
                "solo_over", reason=self.voice(f"end.{facts['reason']}"), points=self.voice.points(best)
            )
        won = self.voice("line.winners", n=len(winners), names=self.voice.all(winners))
        return self.say("game_over", reason=self.voice(f"end.{facts['reason']}"), winners=won)


_KINDS: dict[str, Callable[[_Teller, Facts], str | None]] = {
    kind.rstrip("_"): method
    for kind, method in vars(_Teller).items()
    if not kind.startswith("_") and kind != "say"
}


def elements(kinds: Sequence[int]) -> str:
    """Tiles in passing: C ×2, H, O."""
    found = Counter(ELEMENT[kind] for kind in kinds)
    return ", ".join(f"{one} ×{count}" if count > 1 else one for one, count in sorted(found.items()))


def line(event: Event, viewer: Viewer, look: Look) -> str | None:
    """See `bot.presenters.base.Presenter.line`."""
    told = _KINDS[event.kind](_Teller(event.seat, viewer, Voice(look)), event.facts)
    return told if told is None or len(told) <= LONGEST else told[: LONGEST - 1].rstrip() + "…"


def explain(seen: Observation, look: Look) -> str:
    """How the last play scored, step by step; nothing before the first one."""
    last, voice = seen.last, Voice(look)
    if last is None:
        return ""
    name = voice.name(last.seat)
    if last.verb == "tile":
        bonds, unsat, ring, reagent = last.parts
        head = voice("explain.tile", name=name, tile=voice.tile(last.what))
        steps = [voice("explain.edges" if seen.per_edge else "explain.bonds", n=bonds)]
        if unsat:
            steps.append(voice("explain.bonus", effector=voice.effector(EFFECTOR["unsat"]), points=unsat))
        if ring:
            steps.append(voice("explain.bonus", effector=voice.effector(EFFECTOR["ringbonus"]), points=ring))
        if reagent:
            steps.append(voice("explain.reagent", points=reagent))
    else:
        examples, base, bonus, counters, weight = last.parts
        head = voice("explain.group", name=name, group=voice.group(last.what))
        if not examples:
            return "\n".join((head, voice("explain.none"), voice("explain.discard")))
        steps = [voice("explain.base", base=base)]
        if examples > 1:
            steps.append(voice("explain.more", n=examples - 1, examples=examples))
        if bonus:
            steps.append(voice("explain.reagent", points=bonus))
        if counters:
            key = (
                "explain.open_access"
                if not weight
                else "explain.strict"
                if weight > 1
                else "explain.counters"
            )
            steps.append(voice(key, n=counters, less=counters * weight, weight=weight))
        if base + bonus + examples - 1 < counters * weight:
            steps.append(voice("explain.floor"))
        steps.append(voice("explain.counter_placed"))
    numbered = [voice("explain.step", n=n, text=text) for n, text in enumerate(steps, 1)]
    return "\n".join((head, *numbered, voice("explain.total", points=voice.points(last.points))))
