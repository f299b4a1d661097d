"""Count how often "Why did it do that?" gets a useful answer, in games of the steady opponent.

    python -m tools.bench.motives duel52 molecular --asked 60

At some of its decisions, seat 0 asks why another seat made its last move, and gets the answer that a person
would get during the game. Each answer is counted by its kind (the keys of `motive.` in the strings) and by
whether it names, in the game's own terms, what the decision gains or at least what it does at once. An answer
that does neither counts as empty.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

from bot.cli.arguments import chosen
from bot.features.teacher.service import OpponentMove, last_moves
from bot.table.thinking import motive_of
from engine import catalog, levels
from engine.ai.motive import Motive, visible_event
from engine.arena import key_of
from engine.game import AnyGame, Seat, Setup

ASKER = 0
KINDS = ("hidden", "gain", "held", "slip", "only", "usual", "open")


def games(game: AnyGame, setup: Setup, seed: int, rate: float) -> Iterator[list[OpponentMove]]:
    """The last moves of others, at some of the decisions of the asker in one game."""
    state, rng = game.deal(setup), random.Random(seed)
    luck, acts = random.Random(f"{seed}/asks"), list[tuple[Seat, Any]]()
    others = range(1, setup.seats)
    while waiting := state.to_act():
        seat = waiting[0]
        actions = state.legal_actions(seat)
        if seat == ASKER and acts and acts[-1][0] != ASKER and luck.random() < rate:
            yield last_moves(game, setup, acts, others)
        made = actions[0]
        if len(actions) > 1:
            made = game.opponents[levels.STEADY](state.observe(seat), actions, rng)
        acts.append((seat, made))
        state.push(seat, made)


def kind(found: Motive) -> str:
    """Return the kind of an answer: the key of its string."""
    if found.hidden:
        return "hidden"
    if found.explained_by_hand:
        return "held"
    if found.is_mistake:
        return "slip"
    if found.clear:
        return "gain"
    if found.is_forced:
        return "only"
    return "usual" if 2 * found.usual >= found.worlds else "open"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("games", nargs="+", choices=catalog.listed(), metavar="GAME")
    parser.add_argument("--asked", type=int, default=60, help="number of questions for each game")
    parser.add_argument("--rate", type=float, default=0.25, help="fraction of the possible questions to ask")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verbose", action="store_true", help="each answer with what was done")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    for key in asked.games:
        game, met, ms = catalog.get(key), Counter[str](), list[float]()
        seed = asked.seed
        while len(ms) < asked.asked:
            setup = game.setup(asked.seats, key_of(seed, 78), **chosen(game, asked.option))
            for moves in games(game, setup, seed, asked.rate):
                seen = [
                    (one.before.observe(ASKER), visible_event(one.events, one.seat, ASKER)) for one in moves
                ]
                begun = time.process_time()
                place, found = motive_of(key, levels.STEADY, seen)
                ms.append(1000 * (time.process_time() - begun))
                met[kind(found)] += 1
                said = "brought" if found.evidence else "at once" if found.at_once else "empty"
                met["no choice" if said == "empty" and found.is_forced else said] += 1
                if asked.verbose:
                    print(kind(found), found, seen[place][1])
                if len(ms) == asked.asked:
                    break
            seed += 1
        shares = ", ".join(f"{name} {met[name]}" for name in KINDS)
        slow = sorted(ms)
        print(
            f"{key}: {len(ms)} asked: {shares}; told what it brings {met['brought']}, "
            f"what it does at once {met['at once']}, that nothing else was possible {met['no choice']}, "
            f"empty {met['empty']}; "
            f"ms {slow[len(slow) // 2]:.0f} in the median, {slow[-1]:.0f} at worst",
            flush=True,
        )


if __name__ == "__main__":
    main()
