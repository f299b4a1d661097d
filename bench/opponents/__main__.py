"""How strong an opponent is today: against the frozen heuristic, deal by deal from all seats.

    python -m bench.opponents canasta --games 800
    python -m bench.opponents atom --seats 5 --player steady --json
    python -m bench.opponents duel52 -o variant=teams --seed 2
    python -m bench.opponents atom --seats 5 --alone

One line a setup: the share of all games won, its 95 % interval with the deal as the unit, and what a
decision took in milliseconds (median, 99th percentile, worst). Where more than two seats play, both sides
hold every other seat; with `--alone` the player holds one seat and all others are of the other side, in
turn for each seat of a deal, so that the even share is one of all seats.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from statistics import median, quantiles
from time import process_time
from typing import Any

from bench.opponents import FROZEN
from engine import catalog
from engine.arena import Player, arena, opponent
from engine.game import AnyGame, Chooser, Value
from engine.ladder import fewest_seats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", choices=sorted(FROZEN))
    parser.add_argument("--player", default="steady", help="an opponent of the game")
    parser.add_argument("--against", default="frozen", help="frozen, or an opponent of the game")
    parser.add_argument("--games", type=int, default=800)
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true", help="one seat against all others")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    game = catalog.get(asked.game)
    options = read(game, asked.option)
    times: list[float] = []
    other = FROZEN[game.key] if asked.against == "frozen" else opponent(game, asked.against)
    seats = asked.seats or fewest_seats(game, options)
    rivals: list[Player] = [(asked.against, other)] * (seats - 1 if asked.alone else 1)
    result = arena(
        game,
        [(asked.player, timed(opponent(game, asked.player), times)), *rivals],
        options,
        games=asked.games,
        seed=asked.seed,
        seats=seats,
        timer=process_time,
    )
    contender = result.contenders[0]
    low, high = contender.ci95
    ordered = sorted(times)
    report = {
        "game": game.key,
        "seats": result.seats,
        "options": options,
        "player": asked.player,
        "against": asked.against,
        "alone": asked.alone,
        "seed": asked.seed,
        "games": result.games,
        "share": round(contender.win_share, 3),
        "ci95": [round(low, 3), round(high, 3)],
        "median_ms": round(1000 * median(ordered), 2),
        "p99_ms": round(1000 * quantiles(ordered, n=100)[-1], 2),
        "worst_ms": round(1000 * ordered[-1], 2),
    }
    if asked.json:
        print(json.dumps(report))
        return
    rest = " on all other seats" if asked.alone else ""
    print(
        "{game} {options} on {seats} seats: {player} takes {share} {ci95} of {games} games from {against}"
        "{rest}; {median_ms} ms a decision, 99 % {p99_ms}, worst {worst_ms}".format(**report, rest=rest)
    )


def read(game: AnyGame, words: Sequence[str]) -> dict[str, Value]:
    """The options that are named as `key=value`."""
    known = {option.key: option for option in game.options}
    pairs = (word.partition("=") for word in words)
    return {key: known[key].read(value) for key, _, value in pairs}


def timed(choose: Chooser, times: list[float]) -> Chooser:
    """The same opponent; the CPU seconds of each decision go into the list."""

    def chooser(observation: Any, actions: Sequence[Any], rng: random.Random) -> Any:
        start = process_time()
        action = choose(observation, actions, rng)
        times.append(process_time() - start)
        return action

    return chooser


if __name__ == "__main__":
    main()
