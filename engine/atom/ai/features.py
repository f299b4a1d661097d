"""What a move of Atom does to the hand and the trick, as numbers that `weights` weighs.

The cards of one rank are a *group*, laid at once where no atom or nuke is better laid apart. A group is
*strong* by its look alone, whatever is still out, and *holds* with the chance that `odds` counts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.atom.ai.odds import Odds
from engine.atom.ai.partners import allies
from engine.atom.cards import by_rank, counts, total
from engine.atom.observation import Observation
from engine.atom.plays import BLADE_BOMB, BOMB, PLAIN, PLAIN_BLADES, SPECIAL, Play, Rung, make, rung
from engine.playing_cards import JOKER

HEAVY: Final = (BOMB, BLADE_BOMB, SPECIAL)
"""The kinds that beat any 1 to 3 cards."""
DEALT: Final = {4: 41, 5: 54}
"""By seats: the most cards of a hand."""
SOME: Final = 20
"""Points and pots count in such portions, so that all numbers are about as large."""
NEAR, AT_HAND, FRIEND, ANY_BOMB = 5, 3, 2, 8
"""With fewer cards than this somebody is nearly out; a lead of so few cards would let him out; so few let a
partner out; and from so many on a bomb against him is no waste."""
FEW: Final = 2
"""With so few groups in hand the way out is a plan."""
RICH: Final = 30
"""A trick of so many points is worth having."""

HAND: Final = (
    "turns",
    "spent",
    "spent_now",
    "heavy",
    "specials",
    "blades",
    "jokers",
    "size",
    "late_turns",
    "late_spent",
    "late_now",
    "finish",
    "exit",
    "exit_soon",
    "split",
    "cost",
    "last_two",
    "jokers_alone",
)
"""Of every play: by how many groups, how much strength and hold, how many bombs, atoms and nukes the hand
shrinks; Blades, jokers and cards laid; the first three again, more as the hand grows small; how much nearer
the end is; the chance to run out from here with the lead, again with few groups left; whether a group is
split; what it takes off the cost of the hand at a glance; whether a group of the last two ranks
goes; jokers led for themselves."""
LEAD: Final = (
    "hold",
    "look",
    "lets_out",
    "locks_out",
    "friend",
    "one",
    "two",
    "heavy",
    "risk",
    "few",
    "risk_look",
)
"""Of a lead: whether it holds, by counting and by its look; how low it is where an opponent can run out on
it, or whether it is too large for him; how low it is where a partner can run out on it; single, pair, bomb;
points lost; the lead kept with few groups left."""
FOLLOW: Final = (
    "play",
    "over_ally",
    "over_safe",
    "hold",
    "look",
    "pot_won",
    "risk",
    "points",
    "yield_safe",
    "yield_look",
    "yield_heavy",
    "owner_near",
    "owner_near_hold",
    "pot_saved",
    "empty",
    "any_near",
    "near_hold",
    "ally_near",
    "last_word",
    "allies_after",
    "pot_look",
    "risk_look",
    "yield_safe_look",
    "yield_strong",
    "owner_near_look",
    "wasted",
    "rich",
)
"""Features of a play on a trick, where passing is 0: a constant; over an ally, over an opponent's cards that
would hold; holding; points won, at risk and played; points taken from an ally whose cards would hold, with
strong or heavy cards; an opponent nearly out who owns the trick; the points they would have had; a bomb on
nothing, or against an opponent nearly out; an ally nearly out; the last word on an opponent's trick; how many
allies are still to act; the same by the look alone; a bomb wasted on nothing, more with points of its own; a
rich trick of an opponent taken cheaply."""


def strength(stand: Rung) -> float:
    """How strong cards look, whatever is still out."""
    kind, size, height = stand
    if kind == PLAIN:
        return min(0.85, (0.08 + 0.62 * (height / 12) ** 3) * (0.85 + 0.15 * size))
    if kind == PLAIN_BLADES:
        return 0.86 + 0.03 * size
    if kind == BOMB:
        return min(0.96, 0.42 + 0.11 * (size - 4) + 0.012 * height)
    if kind == BLADE_BOMB:
        return 0.95
    return 0.9 + 0.1 * (height / 512)


def _cost(stand: Rung) -> float:
    """What one play costs at a glance, in turns: one, less what it is worth for taking the lead."""
    return 1 - 1.2 * strength(stand) - 0.35 * (stand.kind in HEAVY)


@lru_cache(maxsize=8192)
def groups(rank: int, packed: int, blade: int, packs: int) -> tuple[float, tuple[Rung, ...]]:
    """How the cards of one rank are best laid, and what it costs: as one play, or an atom or a nuke apart."""
    if not packed:
        return 0.0, ()
    whole = make(rank, packed, 0, packs)
    stand = rung(whole, blade)
    best: tuple[float, tuple[Rung, ...]] = _cost(stand) - 0.02 * whole.size, (stand,)
    if whole.tier:
        return best
    by_suit = counts(packed)
    apart = [size << 4 * suit for suit, many in enumerate(by_suit) for size in range(3, many + 1)]
    apart += [0x1111 * each for each in range(2, min(by_suit) + 1)]
    for special in apart:
        play = make(rank, special, 0, packs)
        if play.tier and special != packed:
            cost, rest = groups(rank, packed - special, blade, packs)
            stand = rung(play, blade)
            best = min(best, (_cost(stand) + cost, (stand, *rest)))
    return best


class Features:
    """What each move of one decision does."""

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.viewer = seen.viewer or 0
        self.hand = by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))
        self.mine = seen.left[self.viewer]
        self.late = 1 - self.mine / DEALT[seen.seats]
        self.allies = allies(seen)
        self.odds = Odds(seen, self.allies)
        self.free = not seen.best
        self.groups = [
            groups(rank, packed, seen.blade, seen.packs) if rank != JOKER else (0.0, ())
            for rank, packed in enumerate(self.hand)
        ]
        self.stands = [stand for _, stands in self.groups for stand in stands]
        self.ranks = sum(1 for _, stands in self.groups if stands)
        self.nearest = min(
            (
                left
                for seat, left in enumerate(seen.left)
                if seat != self.viewer and left and self.allies[seat] < 0.5
            ),
            default=99,
        )
        standing = seen.rung
        self.safe = self.odds.hold(standing, seen.pot) if standing else 0.0
        self.safe_look = strength(standing) if standing else 0.0

    def after(self, play: Play) -> tuple[tuple[Rung, ...], tuple[Rung, ...]]:
        """The groups of the rank that is played, before and after."""
        if play.rank == JOKER:
            return (), ()
        rest = self.hand[play.rank] - play.suits
        return self.groups[play.rank][1], groups(play.rank, rest, self.seen.blade, self.seen.packs)[1]

    def left_over(self, play: Play) -> list[Rung]:
        """The groups of the hand after a play."""
        before, after = self.after(play)
        left = self.stands.copy()
        for stand in before:
            left.remove(stand)
        return [*left, *after]

    def of_hand(self, play: Play, chance: float) -> tuple[float, ...]:
        """By `HAND`; `chance` is how likely the play holds."""
        seen, late, hold = self.seen, self.late, self.odds.hold
        rank, jokers = play.rank, total(play.jokers)
        before, after = self.after(play)
        split = alone = cost = 0.0
        last_two = False
        if rank == JOKER:
            alone = (jokers == total(self.hand[JOKER])) - 0.5 * (self.ranks > 0)
        else:
            rest = self.hand[rank] - play.suits
            split = float(rest != 0)
            last_two = self.ranks <= 2 and not rest
            cost = self.groups[rank][0] - groups(rank, rest, seen.blade, seen.packs)[0]
        turns = float(len(before) - len(after))
        spent = sum(map(strength, before)) - sum(map(strength, after))
        now = sum(map(hold, before)) - sum(map(hold, after))
        left = len(self.stands) - turns
        run = chance * self._run(play)
        return (
            turns,
            spent,
            now,
            sum(stand.kind in HEAVY for stand in before) - sum(stand.kind in HEAVY for stand in after),
            sum(stand.kind == SPECIAL for stand in before) - sum(stand.kind == SPECIAL for stand in after),
            play.size if rank == seen.blade else 0,
            jokers,
            play.size / 10,
            late * turns,
            late * spent,
            late * now,
            1 / (1 + left) - 1 / (1 + len(self.stands)),
            run,
            run * (len(self.stands) <= FEW),
            split,
            cost,
            last_two,
            alone,
        )

    def _run(self, play: Play) -> float:
        """The chance to run out once the lead is there: that all groups but the weakest hold."""
        chances = sorted(map(self.odds.hold, self.left_over(play)))
        run = 1.0
        for chance in chances[1:]:
            run *= chance
        return run

    def of_lead(self, play: Play, stand: Rung, chance: float) -> tuple[float, ...]:
        """By `LEAD`."""
        plain, look, points = stand.kind == PLAIN, strength(stand), play.points / SOME
        low = 1 - stand.strength / 12
        lets_out = plain and self.nearest <= AT_HAND and play.size == self.nearest
        friend = plain and play.size == self._friend()
        before, after = self.after(play)
        return (
            chance,
            look,
            lets_out * low,
            not lets_out and self.nearest < play.size <= AT_HAND,
            friend * low,
            play.size == 1,
            play.size == 2,
            stand.kind in HEAVY,
            points * (1 - chance),
            chance / (1 + len(self.stands) - len(before) + len(after)),
            points * (1 - 2 * look),
        )

    def _friend(self) -> int:
        """The cards of the next ally who is nearly out, else 0."""
        seats, left = self.seen.seats, self.seen.left
        for step in range(1, seats):
            seat = (self.viewer + step) % seats
            if left[seat] and self.allies[seat] > 0.7 and left[seat] <= FRIEND:
                return left[seat]
        return 0

    def later(self) -> list[int]:
        """The seats that still act before the trick is taken, if all pass."""
        seen, found = self.seen, []
        for step in range(1, seen.seats):
            seat = (self.viewer + step) % seen.seats
            if seat == seen.best_seat:
                break
            if seen.left[seat]:
                found.append(seat)
        return found

    def of_follow(self, play: Play, stand: Rung, chance: float) -> tuple[float, ...]:
        """By `FOLLOW`."""
        seen, look, later = self.seen, strength(stand), self.later()
        ally = self.allies[seen.best_seat]
        foe, heavy, points = 1 - ally, stand.kind in HEAVY, play.points / SOME
        pot = seen.pot / SOME + points
        left = seen.left[seen.best_seat]
        near = max(0, NEAR - left) / 4
        return (
            1.0,
            ally,
            foe * self.safe,
            chance,
            look,
            (1 - ally * self.safe) * pot * chance,
            points * (1 - chance),
            points,
            ally * self.safe,
            ally * look,
            ally * heavy,
            foe * near,
            foe * near * chance,
            foe * self.safe * seen.pot / SOME,
            heavy * (seen.pot <= 0),
            heavy * (self.nearest <= ANY_BOMB),
            max(0, 6 - self.nearest) / 5 * chance,
            ally * near,
            foe * (not later),
            sum(self.allies[seat] for seat in later),
            (1 - ally * self.safe_look) * pot * look,
            points * (1 - look),
            ally * self.safe_look,
            ally > 0.5 and stand.kind != PLAIN,
            (ally < 0.5) * near * look,
            heavy * (seen.pot <= 0 and self.nearest > ANY_BOMB) * (1 + points),
            foe * (seen.pot >= RICH and stand.kind == PLAIN),
        )
