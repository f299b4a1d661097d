"""What a person would laugh at in Atom Duel, counted over seeded self-play: the frozen opponent and today's.

    python -m bench.opponents.blunders_atom_duel --games 100

Whoever plays last sees all: does it win what it can, with its cheapest winner, and throw its cheapest card
where nothing wins? Whoever leads shows its best card to all others: how often is it the highest?
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

from bench.opponents import FROZEN
from engine.arena import key_of
from engine.atom_duel import GAME
from engine.atom_duel.moves import Move
from engine.atom_duel.rollout import prices
from engine.atom_duel.state import AtomDuelState
from engine.game import Chooser


def winners(state: AtomDuelState, seat: int, actions: list[Move]) -> list[Move]:
    """The cards with which the last player wins this hand."""
    found = []
    for move in actions:
        after = state.clone()
        before = after.points[seat]
        after.push(seat, move)
        if after.pending is None and after.points[seat] > before:
            found.append(move)
    return found


def count(chooser: Chooser, games: int, seed: int, seats: int) -> Counter[str]:
    """Chances and what was made of them, by name."""
    counts: Counter[str] = Counter()
    for number in range(games):
        state = GAME.deal(GAME.setup(seats, key_of(seed, number)))
        rng = random.Random(number)
        price = prices(state.level, seats)
        while state.to_act():
            seat = state.to_act()[0]
            actions = list(state.legal_actions(seat))
            move = chooser(state.observe(seat), actions, rng)
            if move.verb == "play" and len(actions) > 1:
                if not state.plays:
                    counts["leads"] += 1
                    counts["highest"] += move.card == max(one.card for one in actions)
                elif state.to_play() == [seat]:
                    wins = winners(state, seat, actions)
                    if wins:
                        counts["winnable"] += 1
                        counts["won"] += move in wins
                        counts["cheaply"] += price[move.card] == min(price[one.card] for one in wins)
                    else:
                        counts["lost"] += 1
                        counts["thrown"] += price[move.card] == min(price[one.card] for one in actions)
            state.apply(seat, move)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name, chooser in (("frozen", FROZEN["atom_duel"]), ("today", GAME.opponents["steady"])):
        found = count(chooser, asked.games, asked.seed, asked.seats)
        print(
            f"{name}: leads its highest card in {found['highest']} of {found['leads']}; as last wins "
            f"{found['won']} of {found['winnable']} winnable hands, {found['cheaply']} with the cheapest; "
            f"throws its cheapest card in {found['thrown']} of {found['lost']} lost ones"
        )


if __name__ == "__main__":
    main()
