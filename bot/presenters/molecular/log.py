"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bot.presenters.molecular.words import Voice, formula
from bot.presenters.telling import Facts, Teller
from bot.render.scene import Look
from engine.game import Outcome
from engine.molecular import groups
from engine.molecular.board import Board, board_of
from engine.molecular.cards import ELEMENT
from engine.molecular.observation import Observation


class _Teller(Teller[Voice]):
    """What each seat may know of it."""

    speaks = Voice

    def on_round(self, facts: Facts) -> str:
        return self.say("round", round=facts["round"], rounds=facts["rounds"])

    def on_drew(self, facts: Facts) -> str | None:
        """New tiles or cards: told to their owner alone."""
        if "kinds" not in facts:
            return None
        if facts["what"] == "tiles":
            return self.say("drew_tiles", tiles=elements(facts["kinds"]))
        return self.say("drew_groups", groups=self.voice.all([self.voice.group(g) for g in facts["kinds"]]))

    def on_tile(self, facts: Facts) -> str:
        key = "tile_free" if facts["free"] else "tile"
        return self.say(key, tile=self.voice.tile(facts["kind"]), points=self.voice.points(facts["points"]))

    def on_group(self, facts: Facts) -> str:
        voice, group = self.voice, self.voice.group(facts["group"])
        if not facts["score"][0]:
            return self.say("group_none", group=group)
        examples = voice("examples", n=facts["score"][0])
        return self.say("group", group=group, examples=examples, points=voice.points(facts["points"]))

    def on_reveal(self, facts: Facts) -> str:
        card = facts["card"]
        return self.say("reveal", effector=self.voice.effector(card), effect=self.voice.effect(card))

    def on_active(self, facts: Facts) -> str:
        kept = self.say("active", effector=self.voice.effector(facts["card"]))
        if facts["gone"]:
            gone = self.voice.all([self.voice.effector(card) for card in facts["gone"]])
            return self.say("active_gone", effector=self.voice.effector(facts["card"]), gone=gone)
        return kept

    def on_nothing(self, facts: Facts) -> str:
        return self.say("nothing", effector=self.voice.effector(facts["card"]))

    def on_grant(self, facts: Facts) -> str:
        return self.say("grant", points=self.voice.points(facts["points"]))

    def on_spill(self, facts: Facts) -> str:
        return self.say("spill", tile=self.voice.tile(facts["kind"]))

    def on_explosion(self, facts: Facts) -> str:
        return self.say("explosion", n=len(facts["cells"]))

    def on_alarm(self, facts: Facts) -> str:
        return self.say("alarm_lost" if facts["lost"] else "alarm")

    def on_skip(self, facts: Facts) -> str:
        return self.say("skip", effector=self.voice.effector(facts["card"]))

    def on_clear(self, facts: Facts) -> str:
        counters = self.voice("counters", n=facts["counters"])
        return self.say("clear", group=self.voice.group(facts["group"]), counters=counters)

    def on_rival(self, facts: Facts) -> str:
        counters = self.voice("counters", n=facts["counters"])
        return self.say("rival", group=self.voice.group(facts["group"]), counters=counters)

    def on_poach(self, facts: Facts) -> str:
        return self._passed("poach", facts)

    def on_gave_back(self, facts: Facts) -> str:
        return self._passed("gave_back", facts)

    def on_gave(self, facts: Facts) -> str:
        return self._passed("gave", facts)

    def _passed(self, key: str, facts: Facts) -> str:
        """A card that changes hands: named to the two whom it concerns."""
        other = self.voice.name(facts["other"])
        if "group" in facts:
            return self.voice(
                f"line.{key}_known", name=self.name, target=other, group=self.voice.group(facts["group"])
            )
        return self.voice(f"line.{key}", name=self.name, target=other)

    def on_groups_shuffled(self, facts: Facts) -> str:
        return self.say("groups_shuffled", n=facts["count"])

    def on_effectors_shuffled(self, facts: Facts) -> str:
        return self.say("effectors_shuffled", n=facts["count"])

    def on_game_over(self, facts: Facts) -> str:
        best = max(facts["scores"])
        winners = [self.voice.name(s) for s, score in enumerate(facts["scores"]) if score == best]
        if len(facts["scores"]) == 1:
            return self.say(
                "solo_over", reason=self.voice(f"end.{facts['reason']}"), points=self.voice.points(best)
            )
        won = self.voice("line.winners", n=len(winners), names=self.voice.all(winners))
        return self.say("game_over", reason=self.voice(f"end.{facts['reason']}"), winners=won)


def elements(kinds: Sequence[int]) -> str:
    """Tiles in passing: C ×2, H, O."""
    found = Counter(ELEMENT[kind] for kind in kinds)
    return ", ".join(f"{one} ×{count}" if count > 1 else one for one, count in sorted(found.items()))


line = _Teller.line


def status(seen: Observation, look: Look) -> str:
    """The round, and how large the molecule is."""
    voice = Voice(look)
    key = "over" if seen.over else "round"
    return voice(f"status.{key}", round=seen.round, rounds=seen.rounds, n=len(seen.board))


def ending(outcome: Outcome, look: Look) -> str:
    """Who has how many points, why it ended, and a summary of the molecule."""
    voice = Voice(look)
    if len(outcome.standings) == 1:
        points = voice.points(int(outcome.standings[0].score))
        said = [voice("ending.solo", name=voice.name(0), points=points)]
    else:
        said = [*voice.ranking(outcome, "points")]
    said.append(voice("ending.reason", reason=voice(f"end.{outcome.reason}")))
    return "\n".join([*said, "", *_summary(board_of(outcome.facts["tiles"]), voice)])


def _summary(board: Board, voice: Voice) -> list[str]:
    """What the molecule has become: formula, mass, open ends, and its groups."""
    facts = {
        "formula": formula(groups.formula(board)),
        "mass": f"{groups.mass(board):.2f}",
        "ends": voice("ending.ends", n=groups.open_ends(board)),
    }
    said = [voice("ending.molecule", n=len(board.tiles), **facts)]
    found = [(count, group) for group, count in enumerate(groups.count_all(board)) if count]
    found.sort(key=lambda one: (-one[0], one[1]))
    if found:
        names = ", ".join(voice("ending.group", group=voice.group(g), count=count) for count, g in found)
        said.append(voice("ending.groups", groups=names))
    return said
