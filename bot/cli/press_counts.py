"""`valence bench presses`: how many presses a turn takes in each game, counted over random games.

A button is one press; a list is two, one to open it and one to choose; a pick of several cards is one to
open it and one for each card; a form is one to open it and one to send it as it is filled in. Whoever
chooses takes any way through the tree of choices as likely as any other, also one that makes several
decisions at once.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import mean, median

from bot import presenters
from bot.presenters.base import Branch, Form, Leaf, Node
from bot.render.scene import Look
from bot.views.hand import STRONG
from bot.views.walk import BUTTONS
from engine import arena
from engine.game import Action, AnyGame, AnyState, Seat

LIST = 2
"""Presses to choose from a list: open it, choose."""
FORM = 1
"""Presses to send a form that is open."""
Way = tuple[tuple[Action, ...], int]
"""What a way through the choices decides, and the presses that it takes."""


def ways(node: Node, actions: Sequence[Action]) -> Iterator[Way]:
    """Every way through a tree of choices, but those that ask why something is refused."""
    if isinstance(node, Leaf):
        if not node.refused:
            yield (node.action, *node.then), 0
    elif isinstance(node, Branch):
        listed = len(node.choices) > BUTTONS
        buttons = [choice for choice in node.choices if choice.strong][:STRONG] if listed else node.choices
        for choice in node.ways():
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
    """Presses for each kind of decision and for a turn, that is until somebody else is to act."""
    presenter, rng = presenters.get(game.key), random.Random(f"presses/{game.key}/{seed}")
    options = game.defaults()
    kinds, turns = defaultdict[str, list[int]](list), list[int]()
    for number in range(games):
        # alone no turn ends before the game does
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
    """What one way decides, as far as it is still possible, as a press does it."""
    state.push(seat, decided[0])
    for action in decided[1:]:
        if seat not in state.to_act() or action not in state.legal_actions(seat):
            return
        state.push(seat, action)
