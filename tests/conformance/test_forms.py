"""Law 8, the forms among the choices: Discord shows them, and what stands in them can be decided."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot import custom_ids as ids
from bot import presenters
from bot.features.table.hand.messages import STRONG
from bot.presenters.base import KEY_PATTERN, Branch, Form, Node
from bot.ui.choices import BUTTONS, OPTIONS, Decision, follow, pick_segment
from bot.ui.forms import LONGEST_LABEL, MOST_FIELDS
from engine import catalog
from engine.game import Game
from tests.conformance.walk import a_setup, every_game, random_play
from tests.support.discord.wording import (
    HUGE_DECISION,
    HUGE_TABLE,
    LABEL,
    LINE,
    NOTE,
    look,
    well_labelled,
    well_said,
)


def forms(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[Form, tuple[str, ...]]]:
    """The forms of a tree, each with the way to it."""
    if isinstance(node, Form):
        yield node, path
    elif isinstance(node, Branch):
        if len(node.choices) > BUTTONS:  # a form cannot redraw the select it would be chosen in
            strong = [choice for choice in node.choices if choice.strong][:STRONG]
            assert all(choice in strong for choice in node.choices if isinstance(choice.child, Form))
        for choice in node.all_choices():
            yield from forms(choice.child, (*path, choice.key))


def check_form(form: Form) -> None:
    """Discord shows it, and it is filled in with something that can be sent as it is."""
    assert well_labelled(form.title, LONGEST_LABEL)
    assert 2 <= len(form.blanks) <= MOST_FIELDS
    assert len({blank.key for blank in form.blanks}) == len(form.blanks)
    for blank in form.blanks:
        assert well_labelled(blank.label, LONGEST_LABEL)
        keys = [item.key for item in blank.items]
        assert len(set(keys)) == len(keys) <= OPTIONS
        assert blank.chosen in keys
        for item in blank.items:
            assert re.fullmatch(KEY_PATTERN, item.key)
            assert well_labelled(item.label, LABEL)
            assert well_labelled(item.note, NOTE, 0)
    alike = tuple(blank.items[0].key for blank in form.blanks)
    assert well_said(form.amiss(alike), LINE, 0)


def check_answer(tree: Node, form: Form, path: tuple[str, ...], state: Any, seat: int) -> None:
    """What stands in it can be decided, and the way to it fits a custom id, whatever is filled in."""
    longest = [max((item.key for item in blank.items), key=len) for blank in form.blanks]
    ids.make("go", HUGE_TABLE, seat, HUGE_DECISION, ids.path_text((*path, pick_segment(longest))))
    ids.with_digest(ids.make("form", HUGE_TABLE, seat, HUGE_DECISION, ids.path_text(path)), b"")
    place = follow(tree, (*path, pick_segment(form.filled_in()), "ok"))
    assert isinstance(place, Decision)
    twin = state.clone()
    for action in (place.action, *place.then):
        assert action in twin.legal_actions(seat)
        twin.apply(seat, action)


def check_position(state: Any, key: str) -> int:
    """All forms of those who are to act; how many there are."""
    found = 0
    for seat in state.to_act():
        tree = presenters.get(key).choices(state.observe(seat), state.legal_actions(seat), look())
        for form, path in forms(tree):
            check_form(form)
            check_answer(tree, form, path, state, seat)
            found += 1
    return found


@every_game
@settings(max_examples=5)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_what_stands_in_a_form_can_be_sent(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
    for state, _ in random_play(game, a_setup(data, game), random.Random(seed)):
        check_position(state, game.key)


def test_the_last_round_of_atom_duel_is_a_form() -> None:
    game = catalog.get("atom_duel")
    setup = game.setup(5, bytes(32), level=7, rounds=1)
    played = random_play(game, setup, random.Random(1))
    assert sum(check_position(state, game.key) for state, _ in played) > 5
