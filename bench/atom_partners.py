"""How well the five-player opponent of Atom tells partners from what they play, as JSON.

    python bench/atom_partners.py [--games 400] [--tricks 10]

Five heuristic players play; after so many tricks everybody who does not know all sides yet says of each
unknown player which side it is on, and which one is most likely the caller's partner. Compared with the
same judgement from the cards alone (`by_play=False`) and with blind guessing.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from statistics import mean
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.arena import interval, key_of
from engine.atom import GAME
from engine.atom.heuristic import heuristic
from engine.atom.partners import partners
from engine.atom.sides import CALLERS, UNKNOWN
from engine.atom.state import AtomState


def play(number: int, tricks: int, acts: dict[str, list[int]]) -> AtomState | None:
    """A game of five heuristics up to so many tricks; None if it ends before."""
    state = GAME.deal(GAME.setup(5, key_of(1, number)))
    rngs = [random.Random(f"partners/{number}/{seat}") for seat in range(5)]
    while state.ended < tricks:
        turn = state.to_act()
        if not turn:
            return None
        seat = turn[0]
        legal = state.legal_actions(seat)
        move = heuristic(state.observe(seat), legal, rngs[seat]) if len(legal) > 1 else legal[0]
        if state.best_seat == state.receiver and seat != state.receiver and len(legal) > 1:
            side = "partner" if state.teams[seat] == CALLERS else "opponent"
            acts[side].append(move.verb == "play")
        state.apply(seat, move)
    return state


def judge(state: AtomState, scores: dict[str, list[float]]) -> None:
    """Ask every seat (and the spectator) once, by play, by cards alone, and by chance."""
    for viewer in (*range(5), None):
        seen = state.observe(viewer)
        unknown = [seat for seat, side in enumerate(seen.sides) if side == UNKNOWN]
        if not unknown:
            continue
        truth = {seat: state.teams[seat] == CALLERS for seat in unknown}
        if any(truth.values()):
            scores["named_by_chance"].append(mean(truth.values()))
        for name, by_play in (("by_play", True), ("by_cards", False)):
            chances = partners(seen, by_play=by_play)
            scores[f"sides_{name}"].append(mean((chances[seat] > 0.5) == truth[seat] for seat in unknown))
            if any(truth.values()):
                best = max(chances[seat] for seat in unknown)
                named = [seat for seat in unknown if chances[seat] == best]
                scores[f"named_{name}"].append(mean(truth[seat] for seat in named))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--tricks", type=int, default=10)
    asked = parser.parse_args()
    every: dict[str, list[float]] = {}
    acts: dict[str, list[int]] = {"partner": [], "opponent": []}
    for number in range(asked.games):
        state = play(number, asked.tricks, acts)
        if state is None:
            continue
        scores: dict[str, list[float]] = {
            key: []
            for key in (
                "named_by_chance",
                "named_by_cards",
                "named_by_play",
                "sides_by_cards",
                "sides_by_play",
            )
        }
        judge(state, scores)
        for key, found in scores.items():
            if found:  # the views of one game hang together, so a game counts once
                every.setdefault(key, []).append(mean(found))
    figures: dict[str, Any] = {
        "games": asked.games,
        "tricks": asked.tricks,
        "judged": len(every["sides_by_play"]),
    }
    for key, found in every.items():
        figures[key] = {"share": round(mean(found), 3), "ci95": [round(end, 3) for end in interval(found)]}
    figures["beats_the_caller"] = {side: round(mean(found), 3) for side, found in acts.items()}
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
