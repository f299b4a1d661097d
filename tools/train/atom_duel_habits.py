"""Learn how players of Atom Duel lead and follow in a round of two: assets/cards/atom_duel_habits.json.

    python -m tools.train.atom_duel_habits --games 500

Steady plays `--games` default games against itself. (The shipped weights come from games of a former Sharp,
which was as strong.) Every lead, and every choice between taking a hand and letting it go, is an example for
logistic regressions, one for each number of cards held. Prints the mean log likelihood of the decisions in
every fifth game, which is held out.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine import data, levels
from engine.arena import key_of
from engine.atom_duel import GAME
from engine.atom_duel.ai.habits import DATA, FEWEST, Habits
from engine.atom_duel.ai.master import LEARNED

OUT = data.folder() / "cards" / DATA
SEED = 880001
STEPS, PENALTY, HELD_OUT = 40, 0.5, 5
"""Steps of Newton, what is taken off for large weights, and one in how many games is kept for the print."""


class HabitPlay(NamedTuple):
    """A card that was played: the game, all cards of its row from the cheapest, how many the other had, what
    was led, or 0, and whether nothing had been played in this round."""

    game: int
    row: list[int]
    theirs: int
    lead: int
    first: bool
    card: int


def plays(known: Habits, games: int, seed: int) -> Iterator[HabitPlay]:
    """Yield the plays of Steady that it could choose."""
    steady = GAME.opponents[levels.STEADY]
    for number in range(games):
        state, rng = GAME.deal(GAME.setup(2, key_of(seed, number))), random.Random(f"{seed}/{number}")
        while waiting := state.to_act():
            seat = waiting[0]
            actions = state.legal_actions(seat)
            move = actions[0]
            if len(actions) > 1:
                seen = state.observe(seat)
                move = steady(seen, actions, rng)
                if move.verb == "play":
                    row = known.row([card for card in seen.rows[seat] if card])
                    before = seen.last_hand is not None and seen.last_hand.round == seen.round
                    lead = seen.plays[0].card if seen.plays else 0
                    yield HabitPlay(number, row, seen.counts[1 - seat], lead, not before, move.card)
            state.push(seat, move)


def leading(known: Habits, play: HabitPlay) -> list[list[float]]:
    """Return the features that `Habits.leads` weighs, for each place in the row."""
    price, laser = [known.price[c] for c in play.row], [float(known.laser[c]) for c in play.row]
    total, burns, low, top, held = sum(price), sum(laser), price[0], price[-1], len(price)
    same = [1.0, total, top, low, play.theirs, laser[0], laser[-1], float(play.first)]
    found = []
    for at, (own, fires) in enumerate(zip(price, laser, strict=True)):
        places = [0.0] * (9 * held)
        places[9 * at : 9 * at + 9] = [*same, own]
        each = [own * own, own * total, own * top, own * low, own * play.theirs]
        each += [fires, fires * play.theirs, fires * total, fires * burns]
        each += [own - price[at - 1] if at else 0.0, price[at + 1] - own if at < held - 1 else 0.0]
        found.append(places + each)
    return found


def taking(known: Habits, play: HabitPlay) -> list[float]:
    """Return the features that `Habits.taking` weighs; empty without a choice."""
    win, lose, winners = known.answer(play.row, play.lead)
    if win < 0 or lose < 0:
        return []
    price, held = known.price, len(play.row)
    dear, cheap, total = price[play.row[win]], price[play.row[lose]], sum(price[c] for c in play.row)
    fires, misses = float(known.laser[play.row[win]]), float(known.laser[play.row[lose]])
    found = [1.0, dear, cheap, fires, misses, dear * dear, dear * cheap, total, total * dear]
    found += [winners, held - winners, dear * winners, play.theirs, fires * play.theirs, misses * play.theirs]
    return [*found, price[play.lead], price[play.row[-1]], price[play.row[0]]]


def chosen(numbers: Any, choices: Any) -> Any:
    """The weights by which these choices, each among the alternatives of `numbers`, are likeliest."""
    weights, every = np.zeros(numbers.shape[2]), np.arange(len(choices))
    limit = PENALTY * np.eye(len(weights))
    for _ in range(STEPS):
        chances = _chances(numbers, weights)
        mean = (chances[:, :, None] * numbers).sum(1)
        slope = (numbers[every, choices] - mean).sum(0) - PENALTY * weights
        curve = np.einsum("ij,ijk,ijl->kl", chances, numbers, numbers, optimize=True) - mean.T @ mean
        weights += np.linalg.solve(curve + limit, slope)
    return weights


def _chances(numbers: Any, weights: Any) -> Any:
    odds = numbers @ weights
    odds = np.exp(odds - odds.max(1, keepdims=True))
    return odds / odds.sum(1, keepdims=True)


def fitted(name: str, numbers: Any, choices: Any, games: Any) -> Any:
    """The weights from all, after printing what those from four fifths say of the rest."""
    out = games % HELD_OUT == 0
    chances = _chances(numbers[out], chosen(numbers[~out], choices[~out]))
    right = chances[np.arange(len(chances)), choices[out]]
    print(f"{name}: {len(choices)} choices, {np.log(right).mean():.3f}", flush=True)
    return chosen(numbers, choices)


def learned(known: Habits, found: Sequence[HabitPlay], held: int) -> dict[str, Any]:
    """Return the weights for rows of `held` cards, in the format of the data file."""
    rows = [play for play in found if len(play.row) == held]
    leads = [play for play in rows if not play.lead]
    numbers = np.array([leading(known, play) for play in leads])
    choices = np.array([play.row.index(play.card) for play in leads])
    lead = fitted(f"{held} cards, led", numbers, choices, np.array([play.game for play in leads]))
    answers = [(play, taking(known, play)) for play in rows if play.lead]
    both = [(play, numbers) for play, numbers in answers if numbers]
    # the features of letting the hand go are all 0
    numbers = np.array([[numbers, [0.0] * len(numbers)] for _, numbers in both])
    choices = np.array([int(play.card not in known.wins[play.lead]) for play, _ in both])
    take = fitted(f"{held} cards, taken", numbers, choices, np.array([play.game for play, _ in both]))
    usual, several = 0, 0
    for play, _ in answers:
        won = play.card in known.wins[play.lead]
        same = [card for card in play.row if (card in known.wins[play.lead]) == won]
        several += len(same) > 1
        usual += len(same) > 1 and play.card == same[0]
    return {
        "places": [_short(lead[9 * at : 9 * at + 9]) for at in range(held)],
        "card": _short(lead[9 * held :]),
        "take": _short(take),
        "cheapest": float(f"{usual / several:.4g}"),
    }


def _short(numbers: Any) -> list[float]:
    return [float(f"{each:.4g}") for each in numbers.tolist()]


def text(found: Sequence[dict[str, Any]]) -> str:
    """As the data file has it."""

    def line(numbers: list[float]) -> str:
        return json.dumps(numbers, separators=(",", ":"))

    every = []
    for one in found:
        places = ",\n".join("  " + line(each) for each in one["places"])
        rest = f' "card":{line(one["card"])},\n "take":{line(one["take"])},\n "cheapest":{one["cheapest"]}'
        every.append(f'{{"places":[\n{places}],\n{rest}}}')
    return "[\n" + ",\n".join(every) + "\n]\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--out", type=Path, default=OUT)
    asked = parser.parse_args()
    _, level, size, _ = LEARNED
    known = Habits(level, ())
    found = [*plays(known, asked.games, SEED)]
    asked.out.write_text(text([learned(known, found, held) for held in range(FEWEST, size + 1)]), "utf-8")


if __name__ == "__main__":
    main()
