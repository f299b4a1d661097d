"""Learn what a card gains in the rest of a round of Atom Duel for two: assets/cards/atom_duel_rounds.json.

    python -m tools.train.atom_duel_rounds --first 600 --then 480

The network plays thousands of rounds at once against itself, first at level 4 only, then at all levels and
both hand sizes. From a random decision of each round onwards, it learns how the round ends after the card
that was played. It plays the card whose distribution of ends is worth most for the game, with random scores
and rounds to come (`ending.share`). Instant powers of level 7 are left out, and Lasers hit a random card.
Prints the mean logarithmic error.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from engine import data
from engine.atom_duel.ai.ending import share
from engine.atom_duel.ai.forecast import DATA, LASERS, MOST
from engine.atom_duel.ai.rollout import announced, prices
from engine.atom_duel.ai.worth import best, lay
from engine.atom_duel.cards import CARDS, LEVELS, TABLES

OUT = data.folder() / "cards" / DATA
ROUNDS, BATCH, KEPT = 8192, 4096, 8
"""Rounds played at once, decisions in a step of learning, and how many such plays are learned from."""
HIDDEN, ENDS, INPUTS = 48, 2 * MOST + 1, 48
RATES = (2e-3, 1.2e-3)
DOUBT = 0.003
"""Random noise that breaks ties between equal cards, in shares of the win."""
FAR = 60
"""Largest lead in points."""
ORDER = [f"{level}/5" for level in (4, 1, 4, 6, 3, 4, 7, 2, 4, 5, 4, 7, 1)]
ORDER[4:4], ORDER[11:11] = ["4/7"], ["1/7", "6/7"]
"""Level and size of a hand, in turns."""
SEEN = CARDS[-1] + 1
DUCKED, THROWN, DEARER = 0.3, 0.12, 0.1
"""As in `forecast`."""


class Level:
    """The cards of a level: which beats which, and what each is worth."""

    def __init__(self, level: int) -> None:
        powers, table = announced(level, 2), TABLES[level]
        ways = [[lay(table, s, c, powers[c], first_hand=False) for s in (0, 1)] for c in CARDS]
        self.leads = np.zeros((SEEN, SEEN), bool)
        """A table of leads by answers, true if the lead wins."""
        for a in CARDS:
            for b in CARDS:
                if a != b:
                    self.leads[a, b] = best([ways[a - 1][0], ways[b - 1][1]], 2) == 0
        self.beats = (self.leads.T + 1.0 - self.leads).astype("f4") / 2
        """Chance that the second card beats the first, with either one led."""
        np.fill_diagonal(self.beats, 0)
        self.beats[0], self.beats[:, 0] = 0, 0
        self.laser = np.array([False, *(way[0][4] == "laser" for way in ways)])
        self.immune = np.isin(np.arange(SEEN), list(table.immune_to_laser))
        self.price = np.array(prices(level, 2), "f4")
        self.cheaper = self.price[None, :] < self.price[:, None]
        self.level = level

    def shares(self, size: int) -> Any:
        """Return the chance to win the game, by rounds to come, points ahead and hands ahead this round."""
        found = np.zeros((4, 2 * FAR + 1, ENDS), "f4")
        for left in range(4):
            for ahead in range(-FAR, FAR + 1):
                points = (max(ahead, 0), max(-ahead, 0))
                for now, part in (
                    (-1, slice(0, MOST)),
                    (0, slice(MOST, MOST + 1)),
                    (1, slice(MOST + 1, None)),
                ):
                    last = (int(now > 0), int(now < 0)) if not left else (0, 0)
                    found[left, FAR + ahead, part] = share(
                        points, last, 0, level=self.level, size=size, left=left
                    )
        return found


class Seat(NamedTuple):
    """A seat's knowledge in many rounds at once.

    `last` says if there was a previous hand, both of its cards, and if the other seat led and won it.
    """

    own: Any
    gone: Any
    lead: Any
    theirs: Any
    last: tuple[Any, Any, Any, Any, Any]


def described(level: Level, seat: Seat) -> tuple[Any, Any, Any]:
    """The numbers of each card of each round as `forecast.described` has them; the cards, from the weakest,
    and their slots."""
    count, size = seat.own.shape
    unseen = ~seat.gone
    unseen[np.arange(count)[:, None], seat.own] = False
    unseen[:, 0] = False
    valid, mine, theirs, led, won = seat.last
    winners, cheaper = ~level.leads[mine], level.cheaper[theirs]
    likely = np.ones((count, SEEN), "f4")
    lost, took = (valid & ~led & ~won)[:, None], (valid & ~led & won)[:, None]
    likely[lost & winners] = DUCKED
    likely[lost & ~winners & cheaper] = THROWN
    likely[took & winners & cheaper] = DEARER

    def chances(weights: Any) -> Any:
        return np.take_along_axis((weights @ level.beats) / (weights.sum(1)[:, None] + 1e-6), seat.own, 1)

    plain, shown = chances(unseen.astype("f4")), chances(unseen * likely)
    # equal chances by number, as `forecast` sorts them
    order = np.argsort(np.where(seat.own > 0, plain + 1e-6 * seat.own, 9), 1)
    own, plain, shown = (np.take_along_axis(each, order, 1) for each in (seat.own, plain, shown))
    held, laser = own > 0, level.laser[own]
    slots = np.zeros((count, MOST, 4), "f4")
    for at, each in enumerate((held, plain * held, shown * held, laser * held)):
        slots[:, :size, at] = each
    first = (seat.lead == 0)[:, None]
    follows = ~level.leads[seat.lead[:, None], own] & ~first & held
    known, price = valid[:, None], level.price
    same = [
        (price[seat.lead] * (seat.lead > 0))[:, None],
        held.sum(1)[:, None] / 5,
        seat.theirs[:, None] / 5,
        *((seat.theirs == number)[:, None] for number in range(5)),
        known,
        (price[theirs] * valid)[:, None],
        (price[mine] * valid)[:, None],
        (led & valid)[:, None],
        (won & valid)[:, None],
        (led & won & valid)[:, None],
    ]
    numbers = [
        first,
        plain * first,
        shown * first,
        np.clip(shown, 0, 1) ** seat.theirs[:, None] * first,
        laser,
        follows,
        (plain - 0.5) * follows,
        (plain - 0.5) * (~follows & ~first),
        *same,
        (shown * held).sum(1)[:, None] - shown * held,
        np.full((count, 1), level.level >= LASERS),
    ]
    out = np.zeros((count, size, INPUTS), "f4")
    for card in range(size):
        out[:, card, : 4 * (MOST - 1)] = np.delete(slots, card, 1).reshape(count, -1)
    for at, each in enumerate(numbers, 4 * (MOST - 1)):
        out[:, :, at] = each
    return out, own, order


class RoundNetwork:
    """Layers of units; learns by the way of Kingma and Ba (Adam)."""

    def __init__(self, rng: np.random.Generator) -> None:
        sizes = (INPUTS, HIDDEN, HIDDEN, ENDS)
        self.weights: list[Any] = [
            (rng.standard_normal((a, b)) * np.sqrt(2 / a)).astype("f4") for a, b in pairwise(sizes)
        ]
        self.weights[-1] *= 0.1
        self.biases: list[Any] = [np.zeros(b, "f4") for b in sizes[1:]]
        self.forget()

    def forget(self) -> None:
        """Reset the optimizer and keep the weights."""
        self.steps = 0
        self.mean = [np.zeros_like(each) for each in (*self.weights, *self.biases)]
        self.square = [np.zeros_like(each) for each in (*self.weights, *self.biases)]

    def layers(self, numbers: Any) -> list[Any]:
        """Return the input of each layer, then the chances of the ends."""
        found = [numbers]
        for weights, added in zip(self.weights[:-1], self.biases[:-1], strict=True):
            found.append(np.maximum(found[-1] @ weights + added, 0))
        odds = found[-1] @ self.weights[-1] + self.biases[-1]
        odds = np.exp(odds - odds.max(1, keepdims=True))
        return [*found, odds / odds.sum(1, keepdims=True)]

    def learn(self, numbers: Any, ends: Any, rate: float) -> float:
        """One step towards the ends that came; the mean logarithmic error before it."""
        *inner, chances = self.layers(numbers)
        every = np.arange(len(ends))
        error = float(-np.log(chances[every, ends] + 1e-9).mean())
        slope = chances
        slope[every, ends] -= 1
        slope /= len(ends)
        weights, biases = list[Any](), list[Any]()
        for at in reversed(range(len(self.weights))):
            weights.insert(0, inner[at].T @ slope)
            biases.insert(0, slope.sum(0))
            if at:
                slope = (slope @ self.weights[at].T) * (inner[at] > 0)
        self.steps += 1
        values = [*self.weights, *self.biases]
        for at, change in enumerate((*weights, *biases)):
            self.mean[at] = 0.9 * self.mean[at] + 0.1 * change
            self.square[at] = 0.999 * self.square[at] + 0.001 * change * change
            size = np.sqrt(self.square[at] / (1 - 0.999**self.steps)) + 1e-8
            values[at] -= rate * (self.mean[at] / (1 - 0.9**self.steps)) / size
        return error

    def text(self) -> str:
        """As the data file has it, three digits each."""

        def line(numbers: Any) -> str:
            return json.dumps([float(f"{each:.3g}") for each in numbers.tolist()], separators=(",", ":"))

        layers = ["[\n" + ",\n".join(line(unit) for unit in layer.T) + "\n]" for layer in self.weights]
        added = ",\n".join(line(each) for each in self.biases)
        return '{"weights":[\n' + ",\n".join(layers) + '],\n"biases":[\n' + added + "\n]}\n"


def played(
    level: Level, net: RoundNetwork, shares: Any, size: int, rng: np.random.Generator
) -> tuple[Any, Any]:
    """Rounds of the network against itself: the numbers of what was played, and the ends."""
    every, count = np.arange(ROUNDS), ROUNDS
    deck = rng.permuted(np.tile(np.arange(1, SEEN), (count, 1)), axis=1)
    hands = np.stack([deck[:, :size], deck[:, size : 2 * size]], 1)
    left = rng.integers(0, 4, count)
    ahead = np.round(rng.normal(0, 1.5, count) * np.sqrt((3 - left) * size / 5)).astype(int)
    gone = np.zeros((count, SEEN), bool)
    gone[:, 0] = True
    before = rng.integers(0, 4, count) * 2 * size
    for place in range(2 * size, min(SEEN - 1, 2 * size + int(before.max()))):
        dealt = np.nonzero(before > place - 2 * size)[0]
        gone[dealt, deck[dealt, place]] = True
    leader, points = rng.integers(0, 2, count), np.zeros((count, 2), int)
    cards, led, won = np.zeros((count, 2), int), np.zeros(count, int), np.zeros(count, int)
    valid, drawn = np.zeros(count, bool), rng.integers(0, 2 * size, count)
    found = []
    for hand in range(size):
        playing = ((hands > 0).sum(2) > 0).all(1)
        now, alone = np.zeros((count, 2), int), np.zeros(count, bool)
        for turn in (0, 1):
            acting = leader if not turn else 1 - leader
            if turn:
                alone = playing & ~(hands[every, acting] > 0).any(1)
            for seat in (0, 1):
                at = np.nonzero(playing & ~alone & (acting == seat))[0]
                if not len(at):
                    continue
                other = 1 - seat
                lead = now[at, other] if turn else np.zeros(len(at), int)
                last = (valid[at], cards[at, seat], cards[at, other], led[at] == other, won[at] == other)
                known = Seat(hands[at, seat], gone[at], lead, (hands[at, other] > 0).sum(1), last)
                numbers, own, slots = described(level, known)
                led_by = points[at, seat] - points[at, other]
                total = led_by + (ahead[at] if seat == 0 else -ahead[at])
                ends = np.arange(-MOST, MOST + 1)
                worth = shares[
                    left[at][:, None],
                    np.clip(total[:, None] + ends, -FAR, FAR) + FAR,
                    np.clip(led_by[:, None] + ends, -MOST, MOST) + MOST,
                ]
                chances = net.layers(numbers.reshape(-1, INPUTS))[-1].reshape(len(at), size, ENDS)
                value = (chances * worth[:, None]).sum(2) + rng.gumbel(size=own.shape) * DOUBT
                anything = (drawn[at] == 2 * hand + turn)[:, None]
                value = np.where(own > 0, np.where(anything, rng.random(own.shape), value), -9)
                choice = value.argmax(1)
                slot = slots[np.arange(len(at)), choice]
                card = hands[at, seat, slot]
                hands[at, seat, slot], gone[at, card], now[at, seat] = 0, True, card
                kept = drawn[at] <= 2 * hand + turn
                found.append((numbers[np.arange(len(at)), choice][kept], at[kept], seat, led_by[kept]))
            hit = playing & ~alone & level.laser[now[every, acting]]
            _burn(level, hands, gone, np.where(hit, 1 - acting, -1), rng)
        wins = np.where(level.leads[now[every, leader], now[every, 1 - leader]] | alone, leader, 1 - leader)
        points[every, wins] += playing
        valid, cards, led, won = playing & ~alone, now, leader, wins
        leader = np.where(playing, wins, leader)
    ahead = points[:, 0] - points[:, 1]
    leads = [(ahead[at] if seat == 0 else -ahead[at]) - led_by + MOST for _, at, seat, led_by in found]
    return np.concatenate([numbers for numbers, *_ in found]), np.concatenate(leads)


def _burn(level: Level, hands: Any, gone: Any, other: Any, rng: np.random.Generator) -> None:
    """Let Lasers burn a random card of the seats in `other`; a negative seat burns nothing."""
    every = np.nonzero(other >= 0)[0]
    rows = hands[every, other[every]]
    slot = (rng.random(rows.shape) + (rows > 0) * 2).argmax(1)
    card = rows[np.arange(len(every)), slot]
    hit = (card > 0) & ~level.immune[card]
    hands[every[hit], other[every[hit]], slot[hit]] = 0
    gone[every[hit], card[hit]] = True


def train(net: RoundNetwork, order: Sequence[str], times: int, rate: float, rng: np.random.Generator) -> None:
    """Play and learn repeatedly, each time at the next level and hand size of `order`."""
    levels = {number: Level(number) for number in range(1, LEVELS + 1)}
    shares: dict[str, Any] = {}
    kept: list[tuple[Any, Any]] = []
    net.forget()
    for number in range(times):
        name = order[number % len(order)]
        level, size = levels[int(name[0])], int(name[2])
        if name not in shares:
            shares[name] = level.shares(size)
        fresh = played(level, net, shares[name], size, rng)
        kept = [*kept[1 - KEPT :], fresh]
        numbers, ends = (np.concatenate(each) for each in zip(*kept, strict=True))
        drawn = rng.permutation(len(ends))[: 2 * len(fresh[1])]
        now = rate * (1 - number / times) + 1e-5
        parts = [drawn[at : at + BATCH] for at in range(0, len(drawn), BATCH)]
        errors = [net.learn(numbers[part], ends[part], now) for part in parts]
        if number % 20 == 0:
            print(f"{number} {name} {np.mean(errors):.4f} {process_time():.0f} s", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--first", type=int, default=600, help="plays of level 4")
    parser.add_argument("--then", type=int, default=480, help="plays of all levels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    rng = np.random.default_rng(asked.seed)
    net = RoundNetwork(rng)
    for order, times, rate in ((["4/5"], asked.first, RATES[0]), (ORDER, asked.then, RATES[1])):
        train(net, order, times, rate, rng)
    asked.out.write_text(net.text(), encoding="utf-8")


if __name__ == "__main__":
    main()
