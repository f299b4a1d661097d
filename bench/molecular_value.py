"""Find what the ends of turns in Molecular are worth, from games that a player plays against itself by it.

    python -m bench.molecular_value --rounds 3 --games 200 --write
    python -m bench.molecular_value --pairs 50 --seed 5

A round lets the opponent that weighs whole turns (`engine/molecular/master.py`) play itself by the prices of
now, some turns by chance among all that it looked at, and keeps the numbers at the end of each turn. What a
seat wins on the other until its next turn ends, and what that end is said to be worth, is what the end before
should have said: least squares of temporal differences, LSTD(lambda). The prices of all rounds but the first
are averaged; with `--write` the opponent gets them. `--pairs` plays the opponent against the quick rule of
`bench/molecular_rule.py`: both seats of so many deals. numpy is needed.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from bench import on_policy
from bench.molecular_rule import GAME, Quick, Rule, duel
from bench.on_policy import Chain, text
from engine import data
from engine.arena import key_of
from engine.molecular.cards import BOX
from engine.molecular.heuristic import heuristic
from engine.molecular.master import Turn, is_learned, master
from engine.molecular.value import DATA, LONG, OWN, Numbers, Prices, Value, learned, parts

WILD = 0.07
"""How many turns are begun by chance."""
LAMBDA, SHRINK = 0.7, 50.0
NUMBERS = len(Numbers.__struct_fields__)
CARDS, TILES = 3 * NUMBERS, 3 * NUMBERS + 2 * len(BOX.groups)
COLUMNS = TILES + 2 * len(BOX.tiles)


class Row(NamedTuple):
    """The end of a turn: whose, how far that seat leads, and its numbers."""

    seat: int
    leads: int
    numbers: Any


def columns(state: Any, seat: int, numbers: Sequence[float]) -> Any:
    """The end of a turn as the prices are multiplied out; `state` as it is then, nothing drawn yet."""
    found = np.zeros(COLUMNS)
    mine = state.rules.rounds - state.round
    theirs = mine + (state.first == seat)
    for place, number in enumerate(numbers):
        found[3 * place : 3 * place + 3] = number * np.array(parts(mine if place < OWN else theirs))
    few = np.array([1.0, mine / LONG]) * (mine > 0)
    for group in state.cards.kinds(seat):
        if not state.worth(group).total:
            found[CARDS + 2 * group : CARDS + 2 * group + 2] += few
    for kind in state.tiles.kinds(seat):
        found[TILES + 2 * kind : TILES + 2 * kind + 2] += few
    return found


def played(number: int, by: Value) -> tuple[list[Row], tuple[int, int]]:
    """The ends of turns of one game, and the points at its end."""
    state, rng = GAME.deal(GAME.setup(2, key_of(number, 1913))), random.Random(f"value/{number}")
    met = list[Row]()
    while waiting := state.to_act():
        seat = waiting[0]
        seen, actions = state.observe(seat), state.legal_actions(seat)
        move = actions[0]
        if len(actions) > 1:
            turn = Turn(seen, rng, by) if is_learned(seen) else None
            end = turn and turn.best()
            if turn and seen.actions > 1 and rng.random() < WILD:
                end = rng.choice(turn.ends())
            move = end.move if end else heuristic(seen, actions, rng)
            if end and seen.actions == 1 and end.numbers:
                after = state.clone()
                # the turn must not end, or what is drawn for the next one would count
                after.actions = 2
                after.push(seat, move)
                leads = after.scores[seat] - after.scores[1 - seat]
                met.append(Row(seat, leads, columns(after, seat, end.numbers)))
        state.push(seat, move)
    return met, (state.scores[0], state.scores[1])


def chains(first: int, games: int, by: Value) -> Iterator[Chain]:
    """Of each game and seat the numbers at the ends of turns, and what the lead changes by to the next."""
    for number in range(first, first + games):
        met, ends = played(number, by)
        for seat in (0, 1):
            rows = [row for row in met if row.seat == seat]
            if rows:
                leads = [row.leads for row in rows] + [ends[seat] - ends[1 - seat]]
                yield np.array([row.numbers for row in rows]), np.diff(leads)


def priced(prices: Any) -> Prices:
    """The same as the data file has them."""
    said = [round(float(price), 3) for price in prices]

    def pair(place: int) -> tuple[float, float]:
        return said[place], said[place + 1]

    return Prices(
        Numbers(*(tuple(said[3 * place : 3 * place + 3]) for place in range(NUMBERS))),
        {group.id: pair(CARDS + 2 * place) for place, group in enumerate(BOX.groups)},
        {tile.id: pair(TILES + 2 * place) for place, tile in enumerate(BOX.tiles)},
    )


def solved(found: Iterator[Chain]) -> Any:
    """The prices that these chains teach."""
    return on_policy.solved(found, columns=COLUMNS, trace=LAMBDA, shrink=SHRINK)


def learn(rounds: int, games: int, first: int) -> Prices:
    """Play so many games and learn from them, round by round; the opponent goes by what was learned last."""

    def solve(number: int, last: Prices | None) -> Any:
        by = Value(last) if last is not None else learned()
        return solved(chains(first + number * games, games, by))

    return on_policy.learn(rounds, solve, priced)


def by_master(state: Any, seat: int, rng: random.Random) -> Any:
    """The opponent as a quick rule: it sees what its seat may."""
    return master(state.observe(seat), state.legal_actions(seat), rng)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--games", type=int, default=200, help="games a round")
    parser.add_argument("--first", type=int, default=1, help="the number of the first game")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--pairs", type=int, default=0, help="deals against the quick rule")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.rounds:
        found = text(learn(asked.rounds, asked.games, asked.first))
        if asked.write:
            (data.folder() / "cards" / DATA).write_text(found, encoding="utf-8")
        else:
            print(found)
    if asked.pairs:
        rule: Quick = Rule()
        duel(by_master, rule, asked.pairs, asked.seed)


if __name__ == "__main__":
    main()
