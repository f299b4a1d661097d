"""How much room Compound Capture and Canasta leave above Sharp: who sees hidden cards, against Sharp.

    python -m bench.chemistry_ceiling compound_capture --sees all --games 200 --seed 901
    python -m bench.chemistry_ceiling canasta --sees hand --games 60 --seed 902

Nobody can play like this at a table. Who sees all tries each play once in the real position, played on to
the end of the round by the quick rule; who sees the hand searches as Sharp does, in worlds in which the other
hand is the real one and only what nobody holds is mixed. Two seats, deal by deal from both. One line: the
share, its 95 % interval with the deal as the unit.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine import catalog
from engine.arena import credited, interval, key_of
from engine.chemistry.rollout import Round
from engine.chemistry.searching import Thinker, sharp


def opened(state: Any) -> Round:
    """The real position, its hidden cards included, as a world."""
    world = state.clone()
    world.__class__ = Round
    world.stack = world.pile(world.total)
    return world  # type: ignore[no-any-return]


def mixed(state: Any) -> Callable[[random.Random], Round]:
    """Worlds in which all hands are the real ones and the piles are shuffled."""
    base = opened(state)

    def draw(rng: random.Random) -> Round:
        world = base.clone()
        world.key = rng.randbytes(32)
        stock, stack = list(world.order[world.at :]), list(world.stack[world.up :])
        rng.shuffle(stock)
        rng.shuffle(stack)
        world.order = [*world.order[: world.at], *stock]
        world.orders = [*world.orders[:-1], world.order]
        world.stack = [*world.stack[: world.up], *stack]
        return world

    return draw


def seeing(state: Any, sees: str) -> Thinker:
    """Who looks at the cards of this position."""
    if sees == "hand":
        return replace(sharp, sampler=lambda _seen: mixed(state))
    return replace(
        sharp, sampler=lambda _seen: lambda _rng: opened(state), budget=1, depth=None, top=30, lean=0.0
    )


def share(game: Any, sees: str, seed: int, number: int) -> float:
    """What it wins of a deal, from both sides."""
    won = 0.0
    for turn in range(2):
        state = game.deal(game.setup(2, key_of(seed, number)))
        rngs = [random.Random(f"ceiling/{seed}/{number}/{turn}/{seat}") for seat in range(2)]
        while waiting := state.to_act():
            seat = waiting[0]
            actions = state.legal_actions(seat)
            action = actions[0]
            if len(actions) > 1:
                player = seeing(state, sees) if seat == turn else sharp
                action = player(state.observe(seat), actions, rngs[seat])
            state.push(seat, action)
        won += credited(state.outcome())[turn] / 2
    return won


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("game", choices=("compound_capture", "canasta"))
    parser.add_argument("--sees", choices=("all", "hand"), default="all")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    game = catalog.get(asked.game)
    found = [share(game, asked.sees, asked.seed, number) for number in range(asked.games // 2)]
    low, high = interval(found)
    print(f"{2 * len(found)} games: {sum(found) / len(found):.3f} [{low:.3f}, {high:.3f}]")


if __name__ == "__main__":
    main()
