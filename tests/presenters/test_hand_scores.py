"""Every hand shows how all seats are doing, in its picture and in words, and marks what is new in it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bot import presenters
from bot.presenters.chemistry.collect.scenes import points_now
from bot.presenters.molecular import queries
from bot.presenters.molecular.hand import CARD
from bot.render.check import audit
from bot.render.scene import Scene, Sprite, SpriteState, Text
from bot.render.theme import seat_letter
from engine import catalog
from engine.arena import key_of
from engine.setups import covering
from tests.support.games.pictures import every_item
from tools.contact_sheet.tables import shown

SCORES: dict[str, Callable[[Any, int], str]] = {
    "atom": lambda seen, seat: "" if seat == seen.viewer else str(seen.left[seat]),
    "atom_duel": lambda seen, seat: str(seen.points[seat]),
    "canasta": lambda seen, seat: str(points_now(seen, seat)),
    "chemistry_battle": lambda seen, seat: str(len(seen.piles[seat])),
    "compound_capture": lambda seen, seat: str(points_now(seen, seat)),
    "molecular": lambda seen, seat: str(seen.scores[seat]),
}
"""The score of a seat, by game. In Duel 52 the board itself is the score."""


MOLECULAR = pytest.param("molecular", marks=pytest.mark.long)
"""Its many hands take ten times as long to draw as those of the other games."""


def beside_letter(scene: Scene, seat: int) -> set[str]:
    """The words in the same line as the letter of a seat, up to the next letter."""
    texts = [item for item in every_item(scene.items) if isinstance(item, Text)]
    letters = [item for item in texts if len(item.string) == 1 and item.string in "ABCDEFGH"]
    found = set[str]()
    for chip in letters:
        if chip.string != seat_letter(seat):
            continue
        row = [t for t in texts if t.rect.y < chip.rect.bottom and t.rect.bottom > chip.rect.y]
        right = [t for t in row if t.rect.x >= chip.rect.right]
        following = min((t.rect.x for t in right if t in letters), default=scene.width)
        found |= {t.string for t in right if t.rect.x < following}
    return found


def test_every_game_is_known_here() -> None:
    assert {*SCORES, "duel52"} == set(catalog.listed()) - {"probe"}


@pytest.mark.parametrize("game", [MOLECULAR if game == "molecular" else game for game in SCORES])
def test_a_hand_shows_how_every_seat_is_doing(game: str) -> None:
    tried = 0
    for one in shown(game):
        seen: Any = one.observation
        if one.viewer is None or one.phase == "over":
            continue
        scene = one.scene()
        for seat in range(one.kind.seats):
            if score := SCORES[game](seen, seat):
                assert score in beside_letter(scene, seat), f"{one}: {seat_letter(seat)}"
                assert score in scene.alt
        tried += 1
    assert tried


@pytest.mark.long
@pytest.mark.parametrize("game", ["atom_duel", "canasta", "compound_capture", "duel52", MOLECULAR])
def test_new_cards_are_marked_and_named(game: str) -> None:
    presenter, tried = presenters.get(game), 0
    for one in shown(game):
        seen: Any = one.observation
        held = _held(game, seen) if one.viewer is not None and one.phase == "middle" else ()
        if len(set(held)) < 2:
            continue
        new = (held[0],)
        plain, marked = presenter.hand(seen, one.look), presenter.hand_with(seen, one.look, new)
        assert (marks(plain), marks(marked)) == (0, 1), str(one)
        assert audit(marked) == []
        assert plain.alt != marked.alt
        assert presenter.hand_with(seen, one.look, held) == plain, "where all is new no mark says anything"
        tried += 1
    assert tried


def _held(game: str, seen: Any) -> tuple[int, ...]:
    """The cards of a hand as events number them."""
    if game == "atom_duel":
        face_down = seen.hidden or len(seen.to_act) > 1
        return () if face_down or seen.pending else tuple(filter(None, seen.rows[seen.viewer]))
    if game == "duel52":
        return tuple(seen.hands[seen.viewer]) if seen.setup.key != "solo" else ()
    if game == "molecular":
        return (*queries.pool(seen), *(CARD + group for group in queries.hand(seen)))
    return tuple(seen.hand)


def marks(scene: Scene) -> int:
    return sum(
        isinstance(item, Sprite) and SpriteState.NEW in item.states for item in every_item(scene.items)
    )


@pytest.mark.parametrize("game", ["atom_duel", "canasta", "compound_capture", "duel52", "molecular"])
def test_what_a_move_adds_to_a_hand_is_among_the_new_cards(game: str) -> None:
    """Except whole rows of Atom Duel that are dealt or change hands: there every card is new."""
    rules, presenter, added = catalog.get(game), presenters.get(game), 0
    for number, kind in enumerate(covering(rules)):
        if added > 20:
            break
        state, rng = rules.deal(rules.setup(kind.seats, key_of(1, number), **kind.options)), random.Random(7)
        while waiting := state.to_act():
            before = [_kept(game, state, seat) for seat in range(kind.seats)]
            state.events = []
            state.apply(waiting[0], rng.choice(state.legal_actions(waiting[0])))
            for seat, had in enumerate(before):
                events = [cut for event in state.events if (cut := event.seen_by(seat))]
                gained = Counter(presenter.gained(events, seat))
                if any(event.kind in ("dealt", "received", "round") for event in events):
                    continue
                came = _kept(game, state, seat) - had
                assert came <= gained, f"{kind}: {came} came, {gained} are told"
                added += came.total()
    assert added


def _kept(game: str, state: Any, seat: int) -> Counter[int]:
    seen: Any = state.observe(seat)
    if game == "atom_duel":
        return Counter(card for card in state.rows[seat] if card > 0)  # though its holder may not see it
    if game == "duel52":
        return Counter(card for card in seen.hands[seat] if card >= 0)
    return Counter(_held(game, seen))
