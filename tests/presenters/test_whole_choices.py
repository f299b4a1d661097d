"""Buttons and lists: no label and no note of a choice is cut."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bot import presenters
from bot.locales import languages
from bot.presenters.base import LABEL, NOTE, Branch, Form, Item, Node, Pick
from bot.render.scene import Look
from engine import catalog
from engine.arena import key_of
from engine.game import AnyGame
from engine.setups import Kind, covering

KINDS, POSITIONS = 24, 14
NAMES = ("Ada", "Ben", "Cleo", "Dmitri", "Eva", "Finn", "Gus", "Hana")


def texts(node: Node) -> Iterator[tuple[str, str]]:
    """Every label and note of the choices below a node."""
    if isinstance(node, Branch):
        for choice in (*node.choices, *node.side_choices):
            yield choice.label, choice.note
            yield from texts(choice.child)
        return
    items: tuple[Item, ...] = ()
    if isinstance(node, Pick):
        items = tuple(node.items)
    elif isinstance(node, Form):
        items = tuple(item for blank in node.blanks for item in blank.items)
    yield from ((item.label, item.note) for item in items)


def positions(rules: AnyGame, kind: Kind, number: int) -> Iterator[tuple[object, list[object]]]:
    """Yield the observation and legal actions of the player to move, at some moments of a random game."""
    state, rng = rules.deal(rules.setup(kind.seats, key_of(1, number), **kind.options)), random.Random(number)
    moments, step = 0, 0
    while (waiting := state.to_act()) and moments < POSITIONS:
        seat = rng.choice(waiting)
        legal = state.legal_actions(seat)
        if step % 3 == 0:
            moments += 1
            yield state.observe(seat), list(legal)
        step += 1
        state.apply(seat, rng.choice(legal))


def _is_cut(text: str, most: int) -> bool:
    """Return whether a text ends in an ellipsis as long as it may be: shorter ones lead to more choices."""
    return text.endswith("…") and len(text) > most - 15


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("game", sorted(catalog.listed()))
def test_no_label_and_no_note_is_cut(game: str, locale: str) -> None:
    rules, presenter, cut, tried = catalog.get(game), presenters.get(game), set[str](), 0
    kinds = covering(rules)
    for number, kind in enumerate(kinds[:: max(1, len(kinds) // KINDS)]):
        look = Look(locale=locale, names=NAMES[: kind.seats])
        for seen, legal in positions(rules, kind, number):
            for label, note in texts(presenter.choices(seen, legal, look)):
                cut |= {text for text, most in ((label, LABEL), (note, NOTE)) if _is_cut(text, most)}
                tried += 1
    assert tried
    assert cut == set()
