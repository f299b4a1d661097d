"""What trying brings Atom Duel's Sharp where it seals the last row of level 7, beside Steady's order.

    python -m bench.atom_duel_sealed --games 400 --seed 97551

Sharp plays Sharp with two players at level 7, every deal from both seats; one of them seals its row as Steady
does, by a matching of cards to hands, and is itself in everything else.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from time import process_time

from engine import catalog
from engine.arena import arena
from engine.atom_duel.heuristic import heuristic
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation
from engine.atom_duel.sharp import sharp

LEVEL = 7


def matching(seen: Observation, actions: Sequence[Move], rng: random.Random) -> Move:
    """Sharp that orders its sealed row as Steady does."""
    move: Move = (heuristic if actions[0].verb == "seal" else sharp)(seen, actions, rng)
    return move


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sides = [("sharp", sharp), ("sharp with the row of steady", matching)]
    options = {"level": LEVEL}
    game = catalog.get("atom_duel")
    result = arena(game, sides, options, games=asked.games, seed=asked.seed, seats=2, timer=process_time)
    mine, theirs = result.contenders
    low, high = mine.ci95
    print(
        f"{mine.name} {mine.win_share:.3f} [{low:.3f}, {high:.3f}] of {result.games} games "
        f"from {theirs.name}; "
        f"{mine.ms_per_decision:.1f} and {theirs.ms_per_decision:.1f} ms of CPU a decision"
    )


if __name__ == "__main__":
    main()
