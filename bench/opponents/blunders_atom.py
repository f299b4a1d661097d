"""What a person would laugh at in Atom, counted over seeded games of an opponent against itself.

    python -m bench.opponents.blunders_atom --games 200
    python -m bench.opponents.blunders_atom --seats 5 --json

The frozen heuristic and that of today play the same deals; all counts are judged by the real hands.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence

from bench.opponents import FROZEN
from engine.arena import key_of
from engine.atom import GAME
from engine.atom.features import Features
from engine.atom.moves import Move
from engine.atom.plays import BOMB, PLAIN, Play, Rung, beats, rung, shape
from engine.atom.state import AtomState
from engine.game import Chooser

NEAR = 8
"""From so many cards on an opponent is near the end, and a bomb is in order."""
RICH = 30
"""A trick of so many points is worth having."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seats", type=int, choices=(4, 5), default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    players = {"frozen": FROZEN[GAME.key], "today": GAME.opponents["steady"]}
    for name, choose in players.items():
        counts = counted(choose, asked.seats, asked.games, asked.seed)
        if asked.json:
            print(json.dumps({"player": name, **counts}))
            continue
        print(f"{name}, {asked.games} games on {asked.seats} seats:")
        for key, (made, chances) in counts.items():
            print(f"  {key}: {made} of {chances}")


def counted(choose: Chooser, seats: int, games: int, seed: int) -> dict[str, tuple[int, int]]:
    """By blunder: how often it was made, and how often it could have been."""
    tally = Tally()
    for number in range(games):
        state = GAME.deal(GAME.setup(seats, key_of(seed, number)))
        rngs = [random.Random(f"blunders/{seed}/{number}/{seat}") for seat in range(seats)]
        while turn := state.to_act():
            seat = turn[0]
            legal = state.legal_actions(seat)
            move = legal[0]
            if len(legal) > 1:
                move = choose(state.observe(seat), legal, rngs[seat])
                if move.verb != "call":
                    tally.judge(state, seat, move)
            state.push(seat, move)
    return {key: (tally.made[key], tally.chances[key]) for key in sorted(tally.chances)}


class Tally:
    """The blunders made, and the chances to make them."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.chances: Counter[str] = Counter()

    def note(self, what: str, blunder: bool) -> None:
        """A chance for this blunder, and whether it was made."""
        self.chances[what] += 1
        self.made[what] += blunder

    def judge(self, state: AtomState, seat: int, move: Move) -> None:
        """Look at one decision by the hands as they are."""
        foes = [other for other in range(state.seats) if state.teams[other] != state.teams[seat]]
        play = shape(move.cards, state.packs) if move.cards else None
        if state.best is None:
            wholes = [offered for offered in state.legal_actions(seat) if _completes(state, seat, offered)]
            safe = [
                offered
                for offered in wholes
                if (stand := _stand(state, offered)) and not any(_can_beat(state, foe, stand) for foe in foes)
            ]
            if len(wholes) == 2 and len(safe) == 1:
                self.note("leads the loser of its last two", move != safe[0])
            return
        if state.teams[state.best_seat] == state.teams[seat]:
            self.note("plays over the partner", play is not None)
            if not any(_can_beat(state, foe, state.best) for foe in foes):
                over = play is not None
                self.note("plays over the partner who has the trick", over)
                if play is None or not _runs_out(state, seat, play, foes):
                    self.note("plays over the partner who has the trick, and not to run out", over)
            return
        if play is not None and play.size < state.left[seat] and rung(play, state.blade).kind >= BOMB:
            near = any(0 < state.left[other] <= NEAR for other in foes)
            self.note("bombs on a pot of nothing", not near and not state.pot + play.points)
        if state.pot >= RICH:
            self.note("passes on rich tricks", play is None)
            stands = (_stand(state, other) for other in state.legal_actions(seat))
            if any(stand is not None and stand.kind == PLAIN for stand in stands):
                self.note("passes on rich tricks that 1 to 3 cards could beat", play is None)


def _completes(state: AtomState, seat: int, move: Move) -> bool:
    """Whether all that is left after this play is one more play."""
    rest = state.clone()
    rest.push(seat, move)
    if not rest.left[seat] or rest.game != state.game or not rest.teams:
        return False
    return any(len(last.cards) == rest.left[seat] for one in rest.offered(seat) for last in one.every)


def _runs_out(state: AtomState, seat: int, play: Play, foes: Sequence[int]) -> bool:
    """Whether nobody can stop it from running out now: this play holds, and so does all that is left but for
    one group at most."""
    stand = rung(play, state.blade, state.low)
    left = Features(state.observe(seat)).left_over(play)
    weak = [one for one in left if any(_can_beat(state, foe, one) for foe in foes)]
    return not left or (len(weak) <= 1 and not any(_can_beat(state, foe, stand) for foe in foes))


def _stand(state: AtomState, move: Move) -> Rung | None:
    play = shape(move.cards, state.packs) if move.cards else None
    return play and rung(play, state.blade, state.low)


def _can_beat(state: AtomState, foe: int, stand: Rung) -> bool:
    return any(
        beats(answer, stand)
        for one in state.offered(foe)
        for move in one.every
        if (answer := _stand(state, move)) is not None
    )


if __name__ == "__main__":
    main()
