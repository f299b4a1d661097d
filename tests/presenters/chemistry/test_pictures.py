"""The pictures of the games of chemistry: audited over many positions, and what they must show."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.presenters import get
from bot.render.animate import MAX_FRAMES, animate
from bot.render.check import audit
from bot.render.scene import Group, Item, Look, Scene, Sprite, State, Text
from engine import catalog
from engine.chemistry.battle import GAME as BATTLE
from engine.chemistry.deck import BOOK, BY_FORMULA
from tests.engine.chemistry.tables import arrange

NAMES = ("Mira", "Bartholomew the Magnificent of Nowhere", "小明", "🦊 fox", "שלום", "i")
KEYS = ("chemistry_battle", "compound_capture", "canasta")


def look(seats: int, palette: str = "default") -> Look:
    return Look(names=NAMES[:seats], palette=palette)


def flat(items: tuple[Item, ...]) -> list[Item]:
    found: list[Item] = []
    for item in items:
        found += flat(item.items) if isinstance(item, Group) else [item]
    return found


def sprites(scene: Scene, painter: str) -> list[Sprite]:
    return [i for i in flat(scene.items) if isinstance(i, Sprite) and i.painter == painter]


def texts(scene: Scene) -> list[str]:
    return [item.string for item in flat(scene.items) if isinstance(item, Text)]


@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("key", KEYS)
def test_tables_and_hands_pass_the_audit(key: str, seats: int) -> None:
    game, presenter, rng = catalog.get(key), get(key), random.Random(seats)
    blind: dict[str, Any] = {"blind": seats % 2 == 0} if key == "chemistry_battle" else {}
    state: Any = game.deal(game.setup(seats, bytes([seats]) * 32, **blind))
    shown = 0
    while state.to_act() and shown < 14:
        if rng.random() < 0.06:
            shown += 1
            assert audit(presenter.table(state.observe(None), look(seats))) == []
            for seat in range(seats):
                assert audit(presenter.hand(state.observe(seat), look(seats))) == []
        state._apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    while state.to_act():
        state._apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    assert audit(presenter.table(state.observe(None), look(seats))) == []


@pytest.mark.parametrize("key", KEYS)
def test_the_gallery_passes_the_audit(key: str) -> None:
    shown = get(key).gallery()
    assert len({title for title, _ in shown}) == len(shown)
    for title, scene in shown:
        assert audit(scene) == [], title


def test_every_card_page_passes_the_audit() -> None:
    presenter = get("canasta")
    for card in presenter.cards("en"):
        scene = presenter.card(card.key, Look()).scene
        assert scene is not None
        assert audit(scene) == [], card.key


def test_a_full_panel_tells_how_many_more_there_are() -> None:
    state = arrange("H H", *["S"] * 5)
    state.captured = [list(range(8 * seat, 8 * seat + 8)) for seat in range(6)]
    scene = get("compound_capture").table(state.observe(None), look(6))
    assert audit(scene) == []
    chips = sprites(scene, "chemistry.chip")
    hidden = [int(text[1:]) for text in texts(scene) if text.startswith("+") and int(text[1:]) < 9]
    assert len(chips) + sum(hidden) == 48


def test_the_hand_marks_what_can_be_captured_and_what_lacks_one() -> None:
    state = arrange("H H O C Fe", "S", row="H2O CO2 NaCl")
    scene = get("compound_capture").hand(state.observe(0), look(2))
    raised = [one.args[0] for one in sprites(scene, "chemistry.compound") if State.RAISED in one.states]
    assert raised == [BY_FORMULA["H2O"]]
    assert "ready" in texts(scene)
    assert "needs O" in texts(scene)
    assert "2 short" in texts(scene)
    assert "H2O can be captured." in scene.alt
    assert "CO2 needs O." in scene.alt


def test_the_hand_of_canasta_names_the_runs() -> None:
    state = arrange("Mg Al Si Fe", "S", is_canasta=True)
    scene = get("canasta").hand(state.observe(0), look(2))
    assert "You can lay a run: 12-13-14" in texts(scene)
    assert "12-13-14" in scene.alt


def test_wilds_to_claim_lie_open_with_their_numbers() -> None:
    state = arrange("Mg H", "S", is_canasta=True)
    state.runs[1].append((43, (43, 0, 45)))
    state.wilds.append((44, 1, 0))
    shown = texts(get("canasta").table(state.observe(None), look(2)))
    assert "Wild cards to claim" in shown
    assert "44" in shown


def test_the_table_shows_no_hand() -> None:
    state = arrange("Xe Kr", "He Ne", is_canasta=True, pile="Cl")
    scene = get("canasta").table(state.observe(0), look(2))
    faces = [one.args[0].z for one in sprites(scene, "atom_duel.card")]
    assert faces == [17]
    assert not any(sign in scene.alt for sign in ("Xe", "Kr", "He", "Ne"))


def test_the_animation_tells_phase_2() -> None:
    presenter: Any = get("chemistry_battle")
    for seats in (2, 4):
        state = BATTLE.deal(BATTLE.setup(seats, bytes(31) + bytes([seats + 6])))
        rng = random.Random(3)
        assert presenter.film(state.observe(None), look(seats)) == ()
        while state.to_act():
            state._apply(state.turn, rng.choice(state.legal_actions(state.turn)))
        frames = presenter.film(state.observe(None), look(seats))
        finale = state.observe(None).finale
        assert len(frames) == min(MAX_FRAMES, len(finale)) > 3
        assert all(audit(scene) == [] for scene, _ in frames[:3])
        last = frames[-1][0]
        assert all(str(len(pile)) in texts(last) for pile in state.piles)
        assert animate(frames)[:6] == b"GIF89a"


def test_a_battle_without_phase_2_shows_its_last_round() -> None:
    found = 0
    for seed in range(60):
        state = BATTLE.deal(BATTLE.setup(6, seed.to_bytes(32, "big")))
        rng = random.Random(seed)
        while state.to_act():
            state._apply(state.turn, rng.choice(state.legal_actions(state.turn)))
        seen = state.observe(None)
        scene = get("chemistry_battle").table(seen, look(6))
        assert bool(sprites(scene, "chemistry.curves")) == bool(seen.finale)
        found += not seen.finale
    assert found


@pytest.mark.parametrize("palette", ["default", "contrast"])
def test_every_compound_is_drawn_in_every_palette(palette: str) -> None:
    from bot.render.sprites import draw
    from bot.render.theme import theme

    for number, compound in enumerate(BOOK.compounds):
        image, _ = draw("chemistry.compound", (number,), 192, 264, theme(palette))
        middle = image.crop((20, 90, 172, 220))
        assert len(middle.getcolors(65536) or ()) > 8, compound.formula
