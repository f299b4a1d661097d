"""A quick rule for Molecular that knows what tiles are worth and what the next player may find; what it wins.

    python -m bench.molecular_rule --pairs 200 --seed 23
    python -m bench.molecular_rule --pairs 200 --seed 23 --tiles 6,3 --against 30,20
    python -m bench.molecular_rule --search 40 --seed 9502
    python -m bench.molecular_rule --sharp 400 --seed 97311
    python -m bench.molecular_rule --judged 45

`--pairs` plays the rule against the one that plays on in Sharp's search (or, with `--against`, against itself
with so many tiles rated in full, before an action that follows and at the end of a turn): both seats of so
many deals, in whole positions, of which a rule looks at its own hand alone. `--search` plays a search by the
rule against Sharp. `--sharp` plays Sharp against the rule itself, which gets an observation as any opponent
does: it moves in one world that fits. `--judged` holds, for so many seconds of CPU, what judges say of the
best card or effector beside the best tile, when the turn is over, against what comes of both when they are
played to the end in the same world.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import count
from math import exp, sqrt
from operator import mul
from statistics import fmean, stdev
from time import process_time
from typing import Any, NamedTuple

from bench.opponents.molecular_forecast import DATA, FEW_KNOTS, hats, still
from engine import catalog
from engine.ai.search import race
from engine.arena import arena, key_of
from engine.molecular import searching, worlds
from engine.molecular.board import BONDED, FAMILY, OFFSETS, WAYS
from engine.molecular.cards import COPIES, EDGES, GROUPS, SHAPE_EDGES, SHAPE_OF
from engine.molecular.heuristic import CYCLE, FRESH, REVEAL, rated
from engine.molecular.moves import GROUP_ACTION, LAID, PASS, PLAYS, TILE_ACTION, Move
from engine.molecular.moves import REVEAL as REVEALS
from engine.molecular.outlook import Outlook
from engine.molecular.position import POOL
from engine.molecular.turns import AUDIT, free_tile, may_use
from engine.verdict import Candidate

GAME = catalog.get("molecular")
KEPT = 1.2
"""How much of what kinds of tiles are worth, by `molecular_forecast.json`, counts of one that is laid."""
SOON = 4
"""With fewer actions left that counts for less."""
WIDE = (30, 20)
"""So many tiles are rated in full: before an action that follows, and at the end of a turn."""
TRIES, TOP = 100, 10
"""The search: tries, and moves that are tried."""
MOST = 7
"""Points of a tile that are told apart."""
LAST_ROUND = 15
ODDS = 0.12
"""How many second actions `--judged` looks at."""


class Rated(NamedTuple):
    """A move and what the rule makes of it."""

    value: float
    move: Move


@cache
def tiles_worth(left: int) -> Sequence[float]:
    """By kind: what a tile in the pool is worth more than another, so many actions before the end."""
    table = json.loads(DATA.read_bytes())["2"]["kinds"]
    shares = hats(left, FEW_KNOTS)
    row = [sum(map(mul, shares, column)) for column in zip(*table, strict=True)][GROUPS:]
    usual = sum(map(mul, row, COPIES)) / sum(COPIES)
    return [KEPT * min(1.0, left / SOON) * (worth - usual) for worth in row]


class View(Outlook):
    """A position read by the rule; see `Outlook`."""

    def ready(self) -> None:
        """Work out what is asked of every move."""
        left = self.turn.actions + 2 * self.turns_left - 1
        self.tiles = tiles_worth(max(0, min(FEW_KNOTS[-1], left)))
        self.gains = [(1 - self.share) * points for _, points in self.cards]
        self.made: dict[int, tuple[float, float]] = {}
        unseen = list(self.turn.left)
        for kind in self.pool:
            unseen[kind] -= 1
        self.unseen, self.all_unseen = unseen, sum(unseen)
        self.chances: dict[int, float] = {}
        self.cells = [
            (cell, min(MOST, self.bonds(met)), WAYS[met][0]) for cell, met in self.board.open.items()
        ]

    def hand_after(self, cell: int, shape: int) -> tuple[float, float]:
        """What this tile adds to the promise of the hand, and the most that a card then gains if played."""
        key = cell << 4 | FAMILY[shape]
        if key not in self.made:
            laid = self.after(cell, shape)
            self.made[key] = (self.share * (laid.promise - self.promise), (1 - self.share) * laid.best)
        return self.made[key]

    def offered(self, cell: int = -1, shape: int = 0) -> float:
        """The points that the best tile of the next player is likely to bring, with this tile laid."""
        by_points = [0] * (MOST + 1)
        near = {cell}
        if cell >= 0:
            edges, tiles, rim = SHAPE_EDGES[shape], self.board.tiles, self.board.rim
            for edge in range(EDGES):
                other = cell + OFFSETS[edge]
                if other in tiles:
                    continue
                near.add(other)
                met = rim.get(other, 0) | (4 | edges[edge]) << 3 * ((edge + 3) % EDGES)
                if met & BONDED:
                    by_points[min(MOST, self.bonds(met))] |= WAYS[met][0]
        for other, points, fits in self.cells:
            if other not in near:
                by_points[points] |= fits
        total, kinds = 0.0, 0
        for points in range(MOST, 0, -1):
            kinds |= by_points[points]
            if kinds:
                total += self.chance_of(kinds)
        return total

    def chance_of(self, kinds: int) -> float:
        """The chance that a pool of unseen tiles holds one of these kinds, a bit each."""
        found = self.chances.get(kinds)
        if found is None:
            fitting = sum(many for kind, many in enumerate(self.unseen) if kinds >> kind & 1)
            none = 1.0
            for drawn in range(min(POOL, self.all_unseen)):
                none *= max(0, self.all_unseen - fitting - drawn) / (self.all_unseen - drawn)
            found = self.chances[kinds] = 1 - none
        return found


class Rule:
    """How a seat plays: as Steady does, but for what tiles are worth and what the next player may find."""

    def __init__(self, wide: Sequence[int] = WIDE) -> None:
        self.wide = wide

    def __call__(self, state: Any, seat: int, rng: random.Random) -> Move:
        """The move that does best."""
        if state.pending is None:
            return max(self.moves(state, seat, rng), default=Rated(0.0, PASS)).move
        moves = state.legal_actions(seat)
        worth = rated(Outlook.within(state, seat), moves)
        return rng.choice([move for move, value in zip(moves, worth, strict=True) if value == max(worth)])

    def moves(self, state: Any, seat: int, rng: random.Random) -> list[Rated]:
        """The moves of a turn that were looked at, in points."""
        view = View.within(state, seat)
        view.ready()
        ends, fresh = state.actions < 2, view.turns_left > 0
        used = state.used if AUDIT in state.actives else 0
        cards = sorted(
            (
                Rated(gain + (FRESH if points else CYCLE) * fresh, PLAYS[group])
                for (group, points), gain in zip(view.cards, view.gains, strict=True)
            ),
            reverse=True,
        )
        tile = 0.0 if used & TILE_ACTION else view.best_tile()
        now = -view.offered() if ends else 0.0
        found: list[Rated] = []
        if may_use(state, "group") and cards:
            second = cards[1].value if len(cards) > 1 and not used and AUDIT not in state.actives else 0.0
            after = now if ends else max(REVEAL, second, tile)
            found += [Rated(one.value + after, one.move) for one in cards]
        if state.actions and may_use(state, "reveal"):
            card = cards[0].value if cards and not used & GROUP_ACTION else 0.0
            found.append(Rated(REVEAL + (now if ends else max(0.0, card, tile)), REVEALS))
        if may_use(state, "tile"):
            found += self._tiles(view, max((one.value for one in cards), default=0.0), rng)
        return found

    def _tiles(self, view: View, card: float, rng: random.Random) -> Iterator[Rated]:
        chance, rim, turn = rng.random, view.board.rim, view.turn
        ends = turn.actions - (not free_tile(turn)) < 1
        placed = []
        for kind, cell in view.fitting():
            promise, best = view.hand_after(cell, SHAPE_OF[kind][0])
            value = view.tile_points(cell, kind) - view.tiles[kind] + promise
            placed.append((value, chance(), kind, cell, best))
        placed.sort(reverse=True)
        choked = view.choked()
        for value, _, kind, cell, best in placed[: self.wide[ends]]:
            play = max(REVEAL, card, best + FRESH * (view.turns_left > 0) if best else 0.0)
            for shape in WAYS[rim[cell]][1][kind]:
                worth = value + choked - view.choked_after(cell, shape) + 0.01 * chance()
                if ends:
                    worth -= view.offered(cell, shape)
                else:
                    worth += max(play, view.best_tile_after(cell, shape, kind))
                yield Rated(worth, LAID[cell][shape])


def judge(state: Any, seat: int) -> float:
    """Sharp's, and what the tiles of both are worth."""
    if state.over:
        return searching.judge(state, seat)
    left = [searching.actions_left(state, one) for one in (0, 1)]
    ends = [
        searching._expected(state, one)
        + sum(tiles_worth(min(FEW_KNOTS[-1], left[one]))[kind] for kind in state.tiles.kinds(one))
        for one in (0, 1)
    ]
    spread = searching.LOGISTIC * max(0.5, searching.WIDE * sqrt(sum(left)) - searching.SURE)
    return 1 / (1 + exp(min(99.0, (ends[1 - seat] - ends[seat]) / spread)))


def searches(rule: Rule) -> Callable[[Any, Sequence[Move], random.Random], Move]:
    """An opponent of two seats: it tries a rule's best moves, plays one decision on by it, judges."""

    def choose(seen: Any, actions: Sequence[Move], rng: random.Random) -> Move:
        if seen.pending is not None or len(actions) == 1:
            return searching.sharp(seen, actions, rng)
        seat, draw = seen.viewer, worlds.sampler(seen)
        found = sorted(rule.moves(draw(rng), seat, rng), reverse=True)[:TOP]
        if not found:
            return actions[0]

        def attempt(world: Any, candidate: Candidate) -> None:
            tried = world.clone()
            tried.push(seat, candidate.action)
            left = 1
            while waiting := tried.to_act():
                moves = tried.legal_actions(waiting[0])
                if len(moves) > 1:
                    if not left:
                        break
                    left -= 1
                    tried.push(waiting[0], rule(tried, waiting[0], rng))
                else:
                    tried.push(waiting[0], moves[0])
            candidate.values.append(judge(tried, seat))

        every = [Candidate(one.move, place, one.value) for place, one in enumerate(found)]
        return race(every, lambda: draw(rng), attempt, budget=TRIES, lean=0.0, stop=None).action

    return choose


def observing(rule: Rule) -> Callable[[Any, Sequence[Move], random.Random], Move]:
    """The rule as an opponent; of a world that fits the observation it reads what its seat knows."""

    def choose(seen: Any, actions: Sequence[Move], rng: random.Random) -> Move:
        return actions[0] if len(actions) == 1 else rule(worlds.sampler(seen)(rng), seen.viewer, rng)

    return choose


def meet(sides: Sequence[Any], games: int, seed: int) -> None:
    """Print what the first of two opponents takes from the other, every deal from both seats."""
    result = arena(GAME, sides, {}, games=games, seed=seed, seats=2, timer=process_time)
    mine, theirs = result.contenders
    low, high = mine.ci95
    print(
        f"{mine.name} {mine.win_share:.3f} [{low:.3f}, {high:.3f}] of {result.games} games "
        f"from {theirs.name}; "
        f"{mine.ms_per_decision:.1f} ms of CPU a decision, {theirs.name} {theirs.ms_per_decision:.1f}"
    )


Quick = Callable[[Any, int, random.Random], Move]


def finish(state: Any, rules: Sequence[Quick], rng: random.Random) -> int:
    """Play a position to its end; how far the first seat leads."""
    while waiting := state.to_act():
        moves = state.legal_actions(waiting[0])
        state.push(waiting[0], moves[0] if len(moves) == 1 else rules[waiting[0]](state, waiting[0], rng))
    return int(state.scores[0] - state.scores[1])


def duel(one: Quick, other: Quick, pairs: int, seed: int) -> None:
    """Print what a rule takes from another."""
    leads, won = [], 0.0
    for number in range(pairs):
        setup = GAME.setup(2, key_of(seed, number))
        first = finish(GAME.deal(setup), (one, other), random.Random(f"{seed}/{number}"))
        second = -finish(GAME.deal(setup), (other, one), random.Random(f"{seed}/{number}"))
        leads.append((first + second) / 2)
        won += sum((lead > 0) + 0.5 * (lead == 0) for lead in (first, second))
    doubt = stdev(leads) / sqrt(pairs)
    print(f"{won / 2 / pairs:.3f} of {2 * pairs} games, {fmean(leads):.2f} ± {doubt:.2f} points ahead")


def judged(seconds: float) -> None:
    """Print what judges say of second actions beside the best tile, and what comes of them."""
    met: dict[tuple[str, str], list[tuple[float, ...]]] = defaultdict(list)
    start = process_time()
    for number in count(1):
        if process_time() - start > seconds:
            break
        state: Any = GAME.deal(GAME.setup(2, key_of(777, number)))
        rng = random.Random(f"judged/{number}")
        while waiting := state.to_act():
            seat, moves = waiting[0], state.legal_actions(waiting[0])
            move = moves[0] if len(moves) == 1 else searching.policy(state, seat, rng)
            plain = state.pending is None and not state.gifts and not state.actives and state.reagent < 0
            if plain and state.actions == 1 and state.round < LAST_ROUND and rng.random() < ODDS:
                for kinds, found in _beside(state, seat, moves, number):
                    met[kinds].append(found)
            state.push(seat, move)
    for (tile, other), rows in sorted(met.items()):
        if len(rows) > 1:
            result, forecast, sharp, points = map(fmean, zip(*rows, strict=True))
            doubt = stdev(row[0] for row in rows) / sqrt(len(rows))
            print(
                f"{other} beside {tile}: {len(rows)} decisions, points at once {points:.2f}, comes to "
                f"{result:.2f} ± {doubt:.2f}, the better judge says {forecast:.2f}, Sharp's {sharp:.2f}"
            )


def _beside(
    state: Any, seat: int, moves: Sequence[Move], number: int
) -> Iterator[tuple[tuple[str, str], tuple[float, ...]]]:
    view, best = Outlook.within(state, seat), dict[str, tuple[float, Move]]()
    for move, worth in zip(moves, rated(view, moves), strict=True):
        kind = move.verb
        if kind == "group":
            kind = "ripe card" if state.worth(move.what).total else "useless card"
        elif kind == "tile":
            kind = f"tile of {min(3, view.tile_points(state.cell(move), move.what))}"
        if kind not in best or worth > best[kind][0]:
            best[kind] = (worth, move)
    tile = max((kind for kind in best if kind.startswith("tile")), default="")
    asked = [kind for kind in best if kind in ("ripe card", "useless card", "reveal") or kind[:4] == "tile"]
    ends = {}
    for kind in asked if tile else ():
        after = state.clone()
        after.push(seat, best[kind][1])
        if after.pending is not None or after.over:
            continue
        lead = after.scores[seat] - after.scores[1 - seat]
        said = lead + still(after, seat) - still(after, 1 - seat)
        sharp = searching._expected(after, seat) - searching._expected(after, 1 - seat)
        end = finish(after, (searching.policy,) * 2, random.Random(100 * number + state.round))
        ends[kind] = (-end if seat else end, said, sharp, lead)
    if tile in ends:
        for kind, found in ends.items():
            if kind != tile:
                yield (tile, kind), tuple(one - two for one, two in zip(found, ends[tile], strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--search", type=int, default=0, help="games against Sharp")
    parser.add_argument("--sharp", type=int, default=0, help="games of Sharp against the rule itself")
    parser.add_argument("--judged", type=float, default=0, help="seconds of CPU")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tiles", default="30,20", help="tiles rated in full")
    parser.add_argument("--against", help="the same of the other side")
    asked = parser.parse_args()
    rule = Rule([int(one) for one in asked.tiles.split(",")])
    if asked.pairs:
        other = Rule([int(one) for one in asked.against.split(",")]) if asked.against else searching.policy
        duel(rule, other, asked.pairs, asked.seed)
    if asked.search:
        meet([("search", searches(rule)), ("sharp", searching.sharp)], asked.search, asked.seed)
    if asked.sharp:
        meet([("sharp", searching.sharp), ("rule", observing(rule))], asked.sharp, asked.seed)
    if asked.judged:
        judged(asked.judged)


if __name__ == "__main__":
    main()
