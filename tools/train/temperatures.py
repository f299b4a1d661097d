"""Measure the win rate of a weaker level against Steady at several temperatures.

    python -m tools.train.temperatures canasta 5 10 20 40 --games 100
    python -m tools.train.temperatures duel52 1 2 4 --games 60 --seed 7 -o variant=quick

Prints a line for each temperature: the win rate and its 95 % interval, with the deal as the unit.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from time import process_time

from bot.cli.arguments import chosen
from engine import catalog, levels
from engine.ai.choosers import Relaxed
from engine.arena import arena
from engine.ladder import fewest_seats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", choices=catalog.listed())
    parser.add_argument("temperatures", type=float, nargs="+")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    game = catalog.get(asked.game)
    options = chosen(game, asked.option)
    seats = asked.seats or fewest_seats(game, options)
    relaxed = game.opponents[levels.CASUAL]
    if not isinstance(relaxed, Relaxed):
        parser.error(f"the casual opponent of {game.key} has no temperature")
    for temperature in asked.temperatures:
        result = arena(
            game,
            [
                (str(temperature), replace(relaxed, temperature=temperature)),
                (levels.STEADY, game.opponents[levels.STEADY]),
            ],
            options,
            games=asked.games,
            seed=asked.seed,
            seats=seats,
            timer=process_time,
        )
        found = result.contenders[0]
        low, high = found.ci95
        print(
            f"{game.key} on {seats} seats at {temperature:g}: {found.win_share:.3f} [{low:.3f}, {high:.3f}]"
            f" of {result.games} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
