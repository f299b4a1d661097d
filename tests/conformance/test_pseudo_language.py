"""No sentence is left in the code: in a language that is English in other letters, nothing that a game says,
asks, draws or explains has an English word. Refusals are looked at in `test_words.py`, the house in
`tests/flows/test_pseudo.py`."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bot import presenters
from bot.presenters.base import Page
from bot.render.scene import Look
from engine import catalog
from engine.game import Setup
from engine.setups import covering
from tests.conformance.walk import random_play, viewers
from tests.support.discord.pseudo import PSEUDO, drawn, left
from tests.support.discord.wording import GAMES, texts

LOOK = Look(locale=PSEUDO, names=("Ж", "Ш", "Щ", "Ф", "Ц", "Ч", "Ю", "Я"))
MOST_GAMES = 2


def on_page(page: Page) -> Iterator[str]:
    yield from (page.title, page.text, *drawn(page.scene))


def in_books(key: str) -> Iterator[str]:
    """What a game says outside of tables."""
    game, presenter = catalog.get(key), presenters.get(key)
    yield from (presenter.title(PSEUDO), presenter.tagline(PSEUDO), presenter.blurb(PSEUDO))
    yield presenter.about(PSEUDO)
    yield from (presenter.level(level, PSEUDO) for level in game.levels)
    for page in presenter.rules(PSEUDO):
        yield from on_page(page)
    for card in presenter.cards(PSEUDO):
        yield from (card.title, *card.tags, *on_page(presenter.card(card.key, LOOK)))


def at_tables(key: str) -> Iterator[str]:
    """What a game says while it is played."""
    game, presenter = catalog.get(key), presenters.get(key)
    kinds = covering(game)
    for number, kind in enumerate(kinds[:: -(-len(kinds) // MOST_GAMES)]):
        setup = Setup(key, game.version, kind.seats, kind.options, bytes([number]) * 32)
        rng = random.Random(number)
        for state, _ in random_play(game, setup, rng, events=True):
            events, state.events = state.events or [], []
            for event in events:
                seen_by = ((viewer, event.seen_by(viewer)) for viewer in (None, *viewers(setup)))
                yield from (presenter.line(seen, viewer, LOOK) or "" for viewer, seen in seen_by if seen)
            if state.to_act() and rng.random() > 0.04:
                continue
            for viewer in (None, *state.to_act()):
                seen = state.observe(viewer)
                yield from (presenter.status(seen, LOOK), presenter.explain(seen, LOOK))
                yield from drawn((presenter.table if viewer is None else presenter.hand)(seen, LOOK))
                if viewer is not None:
                    asked = presenter.choices(seen, state.legal_actions(viewer), LOOK)
                    yield from (text for _, text in texts(asked))
        outcome = state.outcome()
        assert outcome is not None
        yield presenter.ending(outcome, LOOK)


def test_what_was_written_in_the_code_is_found() -> None:
    assert left("Лпй of ann: CO2, H₂O, `/play game`, /hand, Fe") == ["of"]
    assert left("Your turn") == ["Your", "turn"]


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_no_sentence_of_a_game_is_left_in_the_code(key: str) -> None:
    heard = list(in_books(key)) + list(at_tables(key))
    assert len(heard) > 300
    assert {text: words for text in heard if (words := left(text))} == {}
