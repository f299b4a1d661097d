"""A game with its review, to be read beside each other: does the teacher say what a good player would?

    python -m bench.reviews atom_duel --seed 2 -o level=4
    python -m bench.reviews atom --seats 4 --seed 1 --level newcomer
    python -m bench.reviews duel52 --seed 2 --clear --again 400

The first seat is played by a level, all others by the steady opponent. A line for each decision of the first
seat: the chance before it, what it cost (* where that is clear), the chance at the next one, what was played
and what was best. Below a clear loss stands what the seat had before it; with `--again` below each loss what
so many tries find best, and what was played cost beside that in as many more, with its standard error.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping
from typing import Any

from bench.opponents.__main__ import read
from bot import presenters
from bot.presenters.review import ways
from bot.presenters.ways import in_words, ways_to
from bot.render.scene import Look
from engine import catalog, levels
from engine.ai.review import Review, review
from engine.arena import key_of
from engine.game import Action, AnyGame, Seat, Setup, as_json

NAMES = "ABCDEFGH"


def played(
    game: AnyGame, setup: Setup, level: str, seed: int
) -> tuple[list[tuple[Seat, Action]], dict[int, Any], dict[int, Any]]:
    """The acts of a whole game, and what the first seat saw and might do before each of its own."""
    state, rng = game.deal(setup), random.Random(seed)
    acts, seen, legal = list[tuple[Seat, Action]](), dict[int, Any](), dict[int, Any]()
    while waiting := state.to_act():
        seat = waiting[0]
        actions, view = state.legal_actions(seat), state.observe(seat)
        chooser = game.opponents[levels.STEADY if seat else level]
        if seat == 0:
            seen[len(acts)], legal[len(acts)] = view, list(actions)
        acts.append((seat, chooser(view, actions, rng) if len(actions) > 1 else actions[0]))
        state.apply(*acts[-1])
    return acts, seen, legal


def told(game: AnyGame, setup: Setup, acts: list[tuple[Seat, Action]], found: Review) -> Mapping[int, Any]:
    """The decisions of a review in words."""
    return ways(
        {
            "game": game.key,
            "setup": setup,
            "acts": [(seat, as_json(action)) for seat, action in acts],
            "look": Look(names=tuple(NAMES[: setup.seats])),
            "decisions": {one.act: one.best for one in found.decisions},
        }
    )


def again(game: AnyGame, view: Any, actions: Any, action: Action, tries: int) -> tuple[Action, float, float]:
    """What is best of a decision, by how much that leads what was played, and the standard error of that, by
    tries of the two alone."""
    assert game.study is not None
    rng = random.Random(tries)
    best = game.study.think(view, actions, rng, tries=tries, also=[action]).action
    if best == action:
        return best, 0.0, 0.0
    found = {one.action: one for one in game.study.think(view, [best, action], rng, tries=tries).candidates}
    if {best, action} - found.keys():
        return best, 0.0, 0.0  # of what cannot be told apart one was tried
    return best, *found[best].lead(found[action])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", choices=catalog.listed())
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--level", default=levels.NEWCOMER)
    parser.add_argument("--clear", action="store_true", help="only what was clearly worse")
    parser.add_argument("--again", type=int, metavar="TRIES", help="look at losses once more")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    game = catalog.get(asked.game)
    setup = game.setup(asked.seats, key_of(asked.seed, 77), **read(game, asked.option))
    acts, seen, legal = played(game, setup, asked.level, asked.seed)
    found = review(game, setup, acts, 0)
    presenter, look = presenters.get(game.key), Look(names=tuple(NAMES[: setup.seats]))
    words = told(game, setup, acts, found)
    print(f"{game.key}: A won {found.share:.2f} of it")
    for one, then in zip(found.decisions, found.curve()[1:], strict=True):
        if asked.clear and not one.clear:
            continue
        way = words[one.act]
        best = "" if way.played == way.best else f", best {way.best}"
        sure = "*" if one.clear else ""
        print(f"{one.act + 1}: {one.chance:.2f} -{one.loss:.3f}{sure} then {then:.2f}: {way.played}{best}")
        for difference in one.differences:
            print(f"    {difference.measure} {difference.better:.1f} instead of {difference.other:.1f}")
        if asked.again and one.loss:
            view, action = seen[one.act], acts[one.act][1]
            then_best, lead, error = again(game, view, legal[one.act], action, asked.again)
            tree = ways_to(presenter.choices(view, legal[one.act], look), legal[one.act])
            print(f"    again: {lead:.3f} ± {error:.3f} behind {in_words(tree[then_best])}")
        if one.clear:
            print(f"    {presenter.status(seen[one.act], look)}")
            print(f"    {presenter.hand(seen[one.act], look).alt}")


if __name__ == "__main__":
    main()
