"""Blunders of the chemists, counted over seeded self-play: the frozen heuristic, then today's.

    python -m bench.opponents.blunders_chemistry [--games 40] [--seed 1]

Compound Capture and Chemistry Canasta, two seats, single rounds. Of all decisions in which a capture (a run)
was possible: how many brought none, and how many brought nothing at all, neither capture nor run. Of all
discards with another card to choose: how many gave a wild card away. Of all second draws with a card on the
pile that completes an open compound which the hand cannot make yet: how many left it lying. A play without a
capture that ends a round of Compound Capture is not counted: it may win it, and saves what a wild card costs.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from bench.opponents import FROZEN
from engine import catalog
from engine.arena import key_of
from engine.chemistry.deck import KINDS, WILD
from engine.chemistry.moves import DRAWS, PILE, Move, lack
from engine.chemistry.observation import SECOND, Observation
from engine.game import AnyGame, Chooser


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for key in ("compound_capture", "canasta"):
        game = catalog.get(key)
        before = count(game, FROZEN[key], asked.games, asked.seed)
        after = count(game, game.opponents["steady"], asked.games, asked.seed)
        for what in [what for what in NAMES if before[what, True] or after[what, True]]:
            print(f"{key:18}{NAMES[what]:48}{told(before, what)} -> {told(after, what)}")


NAMES = {
    "capture": "captures possible, but none made",
    "run": "runs possible, but none laid",
    "waste": "capture or run possible, neither made",
    "wild": "discards of a wild card, another one in hand",
    "left": "completing cards left on the pile",
}


def told(found: Counter[tuple[str, bool]], what: str) -> str:
    """So many of all the chances there were."""
    bad, chances = found[what, False], found[what, True]
    return f"{bad:4} of {chances:4} ({bad / max(1, chances):4.0%})"


def count(game: AnyGame, choose: Chooser, games: int, seed: int) -> Counter[tuple[str, bool]]:
    """By what is counted: the chances for it (True), and how often it happened (False)."""
    found: Counter[tuple[str, bool]] = Counter()
    for number in range(games):
        state = game.deal(game.setup(2, key_of(seed, number), rounds=1))
        rng = random.Random(f"blunders/{seed}/{number}")
        while waiting := state.to_act():
            actions = state.legal_actions(waiting[0])
            action = actions[0]
            if len(actions) > 1:
                seen = state.observe(waiting[0])
                action = choose(seen, actions, rng)
                judge(found, seen, actions, action)
            state.push(waiting[0], action)
    return found


def judge(found: Counter[tuple[str, bool]], seen: Any, actions: Sequence[Move], action: Move) -> None:
    """Count what there was to do and what was not done."""
    verbs = {move.verb for move in actions}
    if not seen.canasta and seen.dry + 1 >= seen.seats and action.verb == "discard":
        return
    if action.verb != "claim":  # which comes before the play
        for verb in ("capture", "run"):
            if verb in verbs:
                found[verb, True] += 1
                found[verb, False] += action.verb != verb
        if verbs & {"capture", "run"}:
            found["waste", True] += 1
            found["waste", False] += action.verb not in {"capture", "run"}
    if action.verb == "discard" and any(move.verb == "discard" and move.what for move in actions):
        found["wild", True] += 1
        found["wild", False] += action.what == WILD
    if seen.phase == SECOND and action.verb == "draw" and completes(seen):
        found["left", True] += 1
        found["left", False] += action != DRAWS[PILE]


def completes(seen: Observation) -> bool:
    """Whether the top of the discard pile makes an open compound possible where the hand makes none."""
    hand = bytearray(KINDS)
    for card in seen.hand:
        hand[card] += 1
    if not seen.discard or not all(lack(compound, hand) for compound in seen.row):
        return False
    hand[seen.discard[-1]] += 1
    return not all(lack(compound, hand) for compound in seen.row)


if __name__ == "__main__":
    main()
