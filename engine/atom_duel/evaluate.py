"""Who wins a hand, and why: one deterministic order of steps.

Source: docs/rules/atom_duel.md, section 4, and decisions 1 to 29.
All values are doubled, since Carbide Bits halve without rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from engine.atom_duel import cards
from engine.atom_duel.cards import NAME_RANK

Played: TypeAlias = tuple[int, int, int, int, str]
"""One card in the hand: doubled number (Zinc's +5 included), card, seat, bits of `cards`, power used.

The number comes first so that the highest plain card is simply the greatest tuple.
"""

RADIATION = cards.STOPPER | cards.RADIOACTIVE
SCIENCE = cards.ANTI_SCIENTIST | cards.SCIENTIST
LABORATORIES = cards.ANTI_LABORATORY | cards.LABORATORY
FUEL = cards.ALLOY | cards.CARBON | cards.PRASEODYMIUM
JOINERS = cards.JOIN | cards.CARBON | cards.PRASEODYMIUM
NITROGEN_TAKES = 2 * 77


class EvaluationLine(msgspec.Struct, frozen=True):
    """One step that changed a number or a winner, or a power that found nothing to work on."""

    kind: str
    facts: dict[str, Any]


class Result(NamedTuple):
    """How a hand stands. Everything but `winner` is by play, in play order.

    `heads[i]` is the play that controls the result which play i belongs to (i itself when it stands
    alone), `values` the doubled value of that result.
    """

    winner: int
    values: tuple[int, ...]
    heads: tuple[int, ...]
    beaten: tuple[bool, ...]


def evaluate(plays: Sequence[Played], seats: int, cards_of_hand: int = 0) -> Result:
    """How the hand stands. `cards_of_hand` counts those still to come in an unfinished one too."""
    contest = _contest(plays, seats, cards_of_hand)
    index = contest.run()
    heads = contest.head
    return Result(
        index,
        tuple(contest.value[head] for head in heads),
        tuple(heads),
        tuple(contest.beaten[head] for head in heads),
    )


def explain(plays: Sequence[Played], seats: int, cards_of_hand: int = 0) -> list[EvaluationLine]:
    """The same evaluation, told step by step."""
    contest = _contest(plays, seats, cards_of_hand)
    contest.trace = []
    contest.run()
    return contest.trace


def _contest(plays: Sequence[Played], seats: int, cards_of_hand: int) -> Contest:
    kinds = 0
    for play in plays:
        kinds |= play[3]
    return Contest(plays, kinds, seats, max(cards_of_hand, len(plays)))


class Contest:
    """One hand under evaluation. A *result* is a play that stands alone or controls a compound."""

    __slots__ = (
        "beaten",
        "count",
        "head",
        "kinds",
        "plays",
        "seats",
        "size",
        "trace",
        "trumps",
        "used",
        "value",
    )

    def __init__(self, plays: Sequence[Played], kinds: int, seats: int, count: int = 0) -> None:
        n = len(plays)
        self.plays = plays
        self.kinds = kinds
        self.seats = seats
        self.count = count or n
        self.trace: list[EvaluationLine] | None = None
        self.value = [play[0] for play in plays]
        self.head = list(range(n))
        self.size = [1] * n
        self.used = [False] * n
        self.beaten = [False] * n
        self.trumps = [0] * n
        if kinds & (cards.PLUS_FIVE | cards.NITROGEN):
            for i, play in enumerate(plays):
                self.used[i] = bool(play[3] & cards.PLUS_FIVE or (play[3] & cards.NITROGEN and n > 1))

    def run(self) -> int:
        """Carry out the steps (section 4); the index of the winning play."""
        kinds = self.kinds
        if self.trace is not None:
            self._base()
        if self.seats > 2 and kinds & JOINERS and kinds & cards.ALLOY:
            self._alloys()
        if kinds & cards.POTASSIUM:
            self._potassium()
        if kinds & cards.OXYGEN and self.seats > 2:
            self._oxygen()
        if kinds & cards.MAGNET:
            self._magnets()
        if kinds & cards.NITROGEN:
            self._nitrogen()
        if kinds & SCIENCE == SCIENCE:
            self._anti(cards.SCIENTIST, cards.ANTI_SCIENTIST, "scientist")
        if kinds & LABORATORIES == LABORATORIES:
            self._anti(cards.LABORATORY, cards.ANTI_LABORATORY, "laboratory")
        if kinds & RADIATION == RADIATION:
            self._stoppers()
        if self.seats == 2 and kinds & (cards.CARBON | cards.PRASEODYMIUM):
            self._carbon_beats_alloy()
        if kinds & cards.CARBIDE:
            self._carbides()
        return self._decide()

    # what stands in the hand

    def _results(self, but: int = -1) -> list[int]:
        return [i for i, head in enumerate(self.head) if head == i != but]

    def _singles(self, bit: int) -> list[int]:
        """The plays with this bit that stand alone: in a compound a card is only a number (decision 27)."""
        return [
            i
            for i, play in enumerate(self.plays)
            if play[3] & bit and self.size[i] == 1 and self.head[i] == i
        ]

    def _one(self, bit: int) -> int:
        """The play of a card of which there is only one."""
        return next(i for i, play in enumerate(self.plays) if play[3] & bit)

    def _rank(self, who: list[int]) -> list[int]:
        """Best first by the tie rule: value, unbeaten, fewest cards, no power used, Antis, name."""
        value, beaten, size, used, plays = self.value, self.beaten, self.size, self.used, self.plays
        values = [value[i] for i in who]
        if len(set(values)) == len(values):
            return sorted(who, key=value.__getitem__, reverse=True)
        order = sorted(who, key=lambda i: (-value[i], beaten[i], size[i], used[i], NAME_RANK[plays[i][1]]))
        if len([i for i in order if self.trumps[i]]) > 1:
            self._rank_antis(order)
        return order

    def _rank_antis(self, order: list[int]) -> None:
        """Of two equal Antis that trump the same kind the higher printed number goes first.

        An Anti that loses so to an equal one is out of the comparison by name until that one is placed.
        """
        start = 0
        while start < len(order):
            tied = [i for i in order[start:] if self._level_with(order[start], i)]
            for place in range(start, start + len(tied)):
                fit = [
                    i
                    for i in tied
                    if not any(
                        self.trumps[i] == self.trumps[j] != 0 and self.plays[j][1] > self.plays[i][1]
                        for j in tied
                    )
                ]
                order[place] = min(fit, key=lambda i: NAME_RANK[self.plays[i][1]])
                tied.remove(order[place])
                start = place + 1

    def _level_with(self, i: int, j: int) -> bool:
        return (
            self.value[i] == self.value[j]
            and self.beaten[i] == self.beaten[j]
            and self.size[i] == self.size[j]
            and self.used[i] == self.used[j]
        )

    # telling

    def _tell(self, kind: str, i: int, **facts: Any) -> None:
        if self.trace is not None:
            self.trace.append(
                EvaluationLine(kind, {"card": self.plays[i][1], "seat": self.plays[i][2], **facts})
            )

    def _wasted(self, i: int, power: str, reason: str, target: int = -1) -> None:
        self._tell("wasted", i, power=power, reason=reason, target=self._card(target))

    def _card(self, i: int) -> int:
        return self.plays[i][1] if i >= 0 else 0

    def _names(self, who: Sequence[int]) -> list[int]:
        return [self.plays[i][1] for i in who]

    def _base(self) -> None:
        """Done when a card is played (section 4.2); here it is only told."""
        for i, play in enumerate(self.plays):
            if play[3] & cards.DEAD:
                self._tell("dead", i, value2=play[0])
            elif play[3] & cards.PLUS_FIVE:
                self._tell("plus_five", i, value2=play[0])

    # the steps

    def _absorb(self, head: int, member: int) -> None:
        """The result of `member` joins that of `head`."""
        for i, old in enumerate(self.head):
            if old == member:
                self.head[i] = head
        self.size[head] += self.size[member]
        self.used[head] = True

    def _alloys(self) -> None:
        """Section 4.3: the last to join melts all alloy cards played so far into one compound."""
        pile: list[int] = []
        melted: list[int] = []
        kinds = 0
        for i, play in enumerate(self.plays):
            bits = play[3]
            if bits & FUEL:
                pile.append(i)
                kinds |= bits
                if bits & JOINERS and kinds & cards.ALLOY and len(pile) > 1:
                    melted = pile[:]
        if not melted:
            return
        head = melted.pop()
        plays = self.plays
        total, kinds = plays[head][0], plays[head][3]
        for i in melted:
            self.head[i] = head
            total += plays[i][0]
            kinds |= plays[i][3]
        carbon = kinds & cards.CARBON != 0
        self.size[head] += len(melted)
        self.used[head] = True
        self.value[head] = total * (3 if carbon else 1)
        melted.append(head)
        self._tell("alloy", head, cards=self._names(melted), carbon=carbon, value2=self.value[head])

    def _potassium(self) -> None:
        """Section 4.4: Potassium takes the highest Scientist; a noble one cannot be taken."""
        k = self._one(cards.POTASSIUM)
        scientists = [i for i in self._singles(cards.SCIENTIST) if not self.plays[i][3] & cards.NOBLE]
        if not scientists:
            self._wasted(k, "join_scientist", "no_target")
            return
        target = self._rank(scientists)[0]
        self._absorb(k, target)
        self.value[k] += self.value[target]
        self._tell("potassium", k, target=self._card(target), value2=self.value[k])

    def _barred(self, i: int, bits: int) -> str:
        """Why this result cannot be combined, or "". No card that controls a compound can refuse."""
        bits &= self.plays[i][3]
        if not bits:
            return ""
        return "noble" if bits & cards.NOBLE else "immune" if bits & cards.IMMUNE else "dead"

    def _oxygen(self) -> None:
        """Section 4.5: Oxygen takes over the second of the others, or is wasted on it (decision 26)."""
        o = self._one(cards.OXYGEN)
        others = self._results(o)
        if len(others) < 2:
            self._wasted(o, "oxidise_second", "too_few")
            return
        second = self._rank(others)[1]
        if reason := self._barred(second, cards.NOBLE | cards.DEAD):
            self._wasted(o, "oxidise_second", reason, second)
            return
        self._absorb(o, second)
        self.value[o] += self.value[second]
        self._tell("oxygen", o, target=self._card(second), value2=self.value[o])

    def _magnets(self) -> None:
        """Section 4.6: an odd number of magnets leaves the last; it adds the second of the others."""
        magnets = [i for i in self._results() if self.plays[i][3] & cards.MAGNET]
        if not magnets:
            return
        off = magnets if len(magnets) % 2 == 0 else magnets[:-1]
        if off:
            self._tell("magnets_cancel", off[-1], cards=self._names(off))
        if len(off) == len(magnets):
            return
        magnet = magnets[-1]
        others = self._results(magnet)
        if self.count == 2:
            self._magnet_against_one(magnet, others)
            return
        if len(others) < 2:
            self._wasted(magnet, "magnet", "too_few")
            return
        second = self._rank(others)[1]
        if reason := self._barred(second, cards.NOBLE | cards.IMMUNE | cards.DEAD):
            self._wasted(magnet, "magnet", reason, second)
            return
        self.value[magnet] += self.value[second]
        self.size[magnet] += self.size[second]
        self.used[magnet] = True
        self._tell("magnet", magnet, target=self._card(second), value2=self.value[magnet])

    def _magnet_against_one(self, magnet: int, others: list[int]) -> None:
        for other in others:
            bits = self.plays[other][3]
            if not bits & cards.METAL:
                continue
            if bits & cards.IMMUNE:
                self._wasted(magnet, "magnet", "immune", other)
                continue
            self.beaten[other] = True
            self.used[magnet] = True
            self._tell("magnet_beats", magnet, target=self._card(other), beaten=self._names([other]))

    def _nitrogen(self) -> None:
        """Section 4.7: every other result loses 77; inside a compound Nitrogen spares that compound."""
        n = self._one(cards.NITROGEN)
        others = self._results(self.head[n])
        changes = []
        for i in others:
            self.value[i] -= NITROGEN_TAKES
            changes.append([self._card(i), self.value[i] + NITROGEN_TAKES, self.value[i]])
        if others:
            self._tell("nitrogen", n, changes=changes)

    def _anti(self, kind: int, against: int, name: str) -> None:
        """Section 4.8: every Anti takes the highest number of its kind and beats them all."""
        targets = self._singles(kind)
        antis = self._singles(against)
        if not targets or not antis:
            return
        top = self._rank(targets)[0]
        for i in targets:
            self.beaten[i] = True
        for i in antis:
            before, self.value[i] = self.value[i], self.value[top]
            self.trumps[i] = kind
            self.used[i] = True
            self._tell(
                "anti",
                i,
                against=name,
                target=self._card(top),
                from2=before,
                value2=self.value[i],
                beaten=self._names(targets),
            )

    def _stoppers(self) -> None:
        """Section 4.9: every Stopper beats all radiation and takes its highest number if that is more."""
        radiant = self._singles(cards.RADIOACTIVE)
        stoppers = self._singles(cards.STOPPER)
        if not radiant or not stoppers:
            return
        top = self._rank(radiant)[0]
        for i in radiant:
            self.beaten[i] = True
        for i in stoppers:
            before = self.value[i]
            self.value[i] = max(before, self.value[top])
            self.used[i] = True
            self._tell(
                "stopper",
                i,
                target=self._card(top),
                from2=before,
                value2=self.value[i],
                beaten=self._names(radiant),
            )

    def _carbon_beats_alloy(self) -> None:
        """Section 4.10: with 2 players Carbon and Praseodymium beat an alloy card."""
        for i in self._singles(cards.CARBON | cards.PRASEODYMIUM):
            for target in self._singles(cards.ALLOY):
                self.beaten[target] = True
                self.used[i] = True
                self._tell("beats_alloy", i, target=self._card(target), beaten=self._names([target]))

    def _carbides(self) -> None:
        """Section 4.11: one ranking before any cut; the k-th Carbide Bit halves the k-th result of it."""
        cutters = [i for i, play in enumerate(self.plays) if play[3] & cards.CARBIDE]
        ranking = self._rank(self._results())
        for cutter, target in zip(cutters, ranking, strict=False):
            if reason := self._uncut(target):
                self._wasted(cutter, "carbide", reason, target)
                continue
            before = self.value[target]
            self.value[target] = before // 2
            self.used[cutter] = True
            self._tell("carbide", cutter, target=self._card(target), from2=before, value2=self.value[target])
        for cutter in cutters[len(ranking) :]:
            self._wasted(cutter, "carbide", "no_target")

    def _uncut(self, target: int) -> str:
        if self.trumps[target]:
            return "trumping"
        if self.value[target] <= 0:
            return "not_positive"
        return self._barred(target, cards.IMMUNE)

    def _decide(self) -> int:
        """Section 4.12: the best of those not beaten."""
        value, beaten = self.value, self.beaten
        most = 0
        order: list[int] = []
        for i, head in enumerate(self.head):
            if head == i and not beaten[i]:
                if not order or value[i] > most:
                    most, order = value[i], [i]
                elif value[i] == most:
                    order.append(i)
        if not order:
            results = self._results()
            most = max(value[i] for i in results)
            order = [i for i in results if value[i] == most]
        if len(order) > 1:
            order = self._rank(order)
        best = order[0]
        if self.trace is not None:
            tied = order[1:]
            if tied:
                self._tell(
                    "tie",
                    best,
                    over=self._names(tied),
                    rule=self._tie_rule(best, tied[0]),
                    value2=self.value[best],
                )
            members = [i for i, head in enumerate(self.head) if head == best]
            self._tell("winner", best, cards=self._names(members), value2=self.value[best])
        return best

    def _tie_rule(self, i: int, j: int) -> str:
        if self.size[i] != self.size[j]:
            return "fewest_cards"
        if self.used[i] != self.used[j]:
            return "no_power"
        if self.trumps[i] == self.trumps[j] != 0:
            return "higher_anti"
        return "name"
