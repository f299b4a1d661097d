"""What a person would laugh at in Duel 52, counted over seeded self-play: the frozen opponent and today's.

    python -m bench.opponents.blunders_duel52 --games 40

A *free kill* is an attack that kills a face-up card and loses none. It is *missed* when there is one with
the last action of a turn and something else is done that wins nothing and ends the turn (an Ace goes on);
it is *put off* with any action. Looks are counted where there is a back that the seat does not know.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter

from bench.opponents import FROZEN
from engine.arena import key_of
from engine.duel52 import GAME
from engine.duel52.marks import UP
from engine.duel52.moves import Move
from engine.duel52.state import DuelState
from engine.game import Chooser


def free_kills(state: DuelState, seat: int) -> list[Move]:
    """The attacks that kill a face-up enemy card and lose none."""
    found = []
    for move in state.legal_actions(seat):
        if move.verb != "attack":
            continue
        shown = [one for one in (move.target, move.second) if one >= 0 and state.flags[one] & UP]
        after = state.clone()
        own = sum(len(row) for row in after.rows[state.starts[seat] :][: state.lanes])
        after.push(seat, move)
        kept = sum(len(row) for row in after.rows[state.starts[seat] :][: state.lanes])
        if kept == own and any(after.place[one] < 0 for one in shown):
            found.append(move)
    return found


def count(chooser: Chooser, games: int, seed: int) -> Counter[str]:
    """Chances and blunders, by name."""
    counts: Counter[str] = Counter()
    for number in range(games):
        state = GAME.deal(GAME.setup(2, key_of(seed, number)))
        rng = random.Random(number)
        while state.to_act():
            seat = state.to_act()[0]
            actions = state.legal_actions(seat)
            move = chooser(state.observe(seat), actions, rng)
            if not state.asks:
                kills = free_kills(state, seat)
                counts["free kills"] += bool(kills)
                counts["put off"] += bool(kills) and move not in kills
                if state.actions == 1:
                    after = state.clone()
                    after.push(seat, move)
                    ended = not after.ranks and after.turn != seat
                    counts["with the last action"] += bool(kills)
                    counts["missed"] += bool(kills) and move not in kills and ended
            elif move.verb == "look" and any(not state.known[one.target] >> seat & 1 for one in actions):
                counts["looks"] += 1
                counts["at a known card"] += bool(state.known[move.target] >> seat & 1)
            state.apply(seat, move)
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for name, chooser in (("frozen", FROZEN["duel52"]), ("today", GAME.opponents["steady"])):
        found = count(chooser, asked.games, asked.seed)
        print(
            f"{name}: {found['missed']} of {found['with the last action']} free kills missed, "
            f"{found['put off']} of {found['free kills']} put off, "
            f"{found['at a known card']} of {found['looks']} looks at a known card"
        )


if __name__ == "__main__":
    main()
