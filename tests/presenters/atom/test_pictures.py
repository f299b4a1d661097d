"""The pictures of Atom: audited over many games, names and languages."""

from __future__ import annotations

import random

import pytest

from bot.locales import languages
from bot.presenters import get
from bot.presenters.atom import handscene
from bot.render.canvas import Canvas
from bot.render.check import audit
from bot.render.encode import png
from bot.render.scene import Item, Look, Panel, Scene, Sprite, Text
from engine.atom import GAME
from engine.atom.cards import by_rank
from engine.atom.heuristic import heuristic
from engine.playing_cards import JOKER
from tests.engine.atom.hands import arrange, play

PRESENTER = get("atom")
NAMES = ("Bartholomew the Magnificent", "小明", "🦊 fox", "W" * 32, "i")


def flat(scene: Scene) -> list[Item]:
    found: list[Item] = []
    todo = list(scene.items)
    while todo:
        item = todo.pop()
        found.append(item)
        todo += getattr(item, "items", ())
    return found


@pytest.mark.parametrize("seats", [4, 5])
@pytest.mark.parametrize("locale", languages())
def test_tables_and_hands_of_whole_games_are_sound(seats: int, locale: str) -> None:
    rng = random.Random(seats)
    look = Look(locale=locale, names=NAMES[:seats])
    state = GAME.deal(GAME.setup(seats, bytes([seats]) * 32))
    looked = 0
    while turn := state.to_act():
        if rng.random() < 0.12:
            looked += 1
            table = PRESENTER.table(state.observe(None), look)
            assert audit(table) == []
            assert (table.width, table.height) == (1280, 900)
            for seat in range(seats):
                assert audit(PRESENTER.hand(state.observe(seat), look)) == []
        legal = state.legal_actions(turn[0])
        wise = rng.random() < 0.5 and len(legal) > 1
        state._apply(turn[0], heuristic(state.observe(turn[0]), legal, rng) if wise else rng.choice(legal))
    assert audit(PRESENTER.table(state.observe(None), look)) == []
    assert looked > 5


def test_a_table_stays_within_its_budget_of_bytes() -> None:
    for title, scene in PRESENTER.gallery():
        assert audit(scene) == [], title
        assert len(png(Canvas(scene))) < 100 * 1024, title


def test_the_hand_shows_every_rank_with_its_number() -> None:
    state = arrange("3C 3C 9D 9H 9S 9S 7H RJ", "4D", "6D", "8D")
    scene = PRESENTER.hand(state.observe(0), Look(names=NAMES[:4]))
    strings = [item.string for item in flat(scene) if isinstance(item, Text)]
    for wanted in ("3", "9", "7", "★", "×4", "×2", "Bomb", "Blade"):
        assert wanted in strings
    for wanted in ("3: 3♣×2", "9 (Bomb): 9♦ 9♥ 9♠×2", "7 (Blade): 7♥", "Jokers: red ★"):
        assert wanted in scene.alt


def test_an_atom_is_marked_by_its_suit() -> None:
    plain = arrange("9D 9H 9S", "4D", "6D", "8D")
    atom = arrange("9S 9S 9S", "4D", "6D", "8D")
    for state, marked in ((plain, False), (atom, True)):
        items = flat(PRESENTER.hand(state.observe(0), Look(names=NAMES[:4])))
        accent = [item for item in items if isinstance(item, Panel) and item.fill == "accent"]
        assert bool(accent) is marked


def test_what_can_be_played_is_lifted() -> None:
    state = arrange("9D 3C", "8D 10D 7S RJ", "6D", "4D")
    play(state, "9D")
    seen = state.observe(1)
    held = by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))
    able = [rank for rank, packed in enumerate(held) if packed and handscene.playable(seen, held, rank)]
    assert [handscene.RANK_LABELS[rank] for rank in able] == ["7", "10"]
    assert JOKER not in able


def test_the_table_shows_no_hand() -> None:
    state = arrange("9D 3C", "8D 10D", "6D", "4D")
    play(state, "9D")
    shown = {
        item.args
        for item in flat(PRESENTER.table(state.observe(1), Look(names=NAMES[:4])))
        if isinstance(item, Sprite)
    }
    assert ("9", "diamonds") in shown
    assert not shown & {
        ("8", "diamonds"),
        ("10", "diamonds"),
        ("6", "diamonds"),
        ("4", "diamonds"),
        ("3", "clubs"),
    }
