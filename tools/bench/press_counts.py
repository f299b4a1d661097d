"""`python -m tools bench presses`: the number of presses a turn takes in each game, over random games.

A button takes one press. A list takes two: to open it and to choose. Picking several cards takes one to open
the list and one per card. A form takes one to open it and one to send it as it is filled in. Players follow
every path through the tree of choices with equal probability, including paths that make several decisions at
once.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import mean, median

from bot import presenters
from bot.features.table.hand.messages import STRONG
from bot.presenters.base import Branch, Form, Leaf, Node
from bot.render.scene import Look
from bot.ui.choices import BUTTONS
from engine import arena
from engine.game import Action, AnyGame, AnyState, Seat

LIST = 2
"""Presses to choose from a list: open it, choose."""
FORM = 1
"""Presses to send an open form."""
Way = tuple[tuple[Action, ...], int]
"""The decisions of a path through the choices, and the presses it takes."""


def ways(node: Node, actions: Sequence[Action]) -> Iterator[Way]:
    """Yield every path through a tree of choices, except those that ask for the reason of a refusal."""
    if isinstance(node, Leaf):
        if not node.refused:
            yield (node.action, *node.then), 0
    elif isinstance(node, Branch):
        listed = len(node.choices) > BUTTONS
        buttons = [choice for choice in node.choices if choice.strong][:STRONG] if listed else node.choices
        for choice in node.all_choices():
            cost = LIST if choice in node.choices and choice not in buttons else 1
            for decided, presses in ways(choice.child, actions):
                yield decided, presses + cost
    elif isinstance(node, Form):
        yield node.to_actions(node.filled_in()), FORM
    else:
        for action in actions:
            keys = node.keys_of(action)
            if keys is not None:
                yield (action,), 1 + len(keys)


def count(game: AnyGame, games: int, seed: int) -> dict[str, object]:
    """Count presses per kind of decision and per turn, which ends when another player must act."""
    presenter, rng = presenters.get(game.key), random.Random(f"presses/{game.key}/{seed}")
    options = game.defaults()
    kinds, turns = defaultdict[str, list[int]](list), list[int]()
    for number in range(games):
        # a solo turn ends only with the game
        seats = rng.choice([n for n in game.seats(options) if n > 1])
        look = Look(names=tuple(f"Player {seat + 1}" for seat in range(seats)))
        state = game.deal(game.setup(seats, arena.key_of(number, seed), **options))
        spent, whose = 0, -1
        while waiting := state.to_act():
            seat = waiting[0]
            if seat != whose and spent:
                turns.append(spent)
                spent = 0
            whose = seat
            legal = tuple(state.legal_actions(seat))
            tree = presenter.choices(state.observe(seat), legal, look)
            decided, presses = rng.choice([*ways(tree, legal)])
            spent += presses
            kinds[str(decided[0][0])].append(presses)
            _carry_out(state, seat, decided)
        turns.append(spent)
    return {
        "games": games,
        "turns": len(turns),
        "per_turn": round(mean(turns), 2),
        "median": median(turns),
        "most": max(turns),
        "decisions": {
            kind: {"mean": round(mean(found), 2), "most": max(found), "times": len(found)}
            for kind, found in sorted(kinds.items())
        },
    }


def _carry_out(state: AnyState, seat: Seat, decided: Sequence[Action]) -> None:
    """Carry out the decisions of one path as far as they are still possible, as the bot does."""
    state.push(seat, decided[0])
    for action in decided[1:]:
        if seat not in state.to_act() or action not in state.legal_actions(seat):
            return
        state.push(seat, action)
