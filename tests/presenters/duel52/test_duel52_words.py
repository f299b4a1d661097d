"""What Duel 52 says, asks and shows, with examples that a player would recognise."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.presenters import get
from bot.presenters.base import Branch, Choice, Leaf, Node, routes
from bot.presenters.duel52 import board
from bot.presenters.duel52.painters import Face
from bot.render.check import audit
from bot.render.scene import Group, Item, Look, Scene, Sprite
from engine.duel52 import GAME
from engine.duel52.cards import VARIANTS
from engine.duel52.notation import read
from engine.duel52.state import DuelState
from engine.game import IllegalAction
from tests.conformance.walk import random_play
from tests.engine.duel52.positions import act, play

PRESENTER = get("duel52")
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee"))
REST = "hands=2s/2h pile=2d2c"


def tree(state: DuelState) -> Node:
    seat = state.turn
    return PRESENTER.tree(state.observe(seat), list(state.legal_actions(seat)), LOOK)


def choices(node: Node) -> dict[str, Choice]:
    assert isinstance(node, Branch)
    return {choice.key: choice for choice in node.choices}


def lines(state: DuelState, viewer: int | None) -> list[str]:
    views = [event.seen_by(viewer) for event in state.events or ()]
    told = [PRESENTER.line(view, viewer, LOOK) for view in views if view is not None]
    return [line for line in told if line]


def why(text: str, one: str) -> str:
    state = read(text)
    with pytest.raises(IllegalAction) as caught:
        state.apply(state.turn, act(state, one))
    return PRESENTER.why(caught.value, LOOK)


def sprites(scene: Scene) -> list[Sprite]:
    found: list[Sprite] = []

    def walk(items: tuple[Item, ...]) -> None:
        for item in items:
            if isinstance(item, Group):
                walk(item.items)
            elif isinstance(item, Sprite):
                found.append(item)

    walk(scene.items)
    return found


def faces(scene: Scene) -> list[Face]:
    return [sprite.args[0] for sprite in sprites(scene) if isinstance(sprite.args[0], Face)]


# -- choices ----------------------------------------------------------------------------------


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_every_decision_is_three_presses_at_most(variant: str, seed: int) -> None:
    rng = random.Random(seed)
    setup = GAME.setup(VARIANTS[variant].seats, rng.randbytes(32), variant=variant)
    for state, _ in random_play(GAME, setup, rng):
        if state.to_act() and rng.random() < 0.1:
            moves = list(state.legal_actions(state.turn))
            assert max(len(route.path) for route in routes(tree(state), moves)) <= 3


def test_a_10_with_many_targets_asks_for_the_first_with_the_attacker() -> None:
    row = "2c,3c,4c,5c,6c,7c,8c,Kc"
    node = tree(read(f"standard A3 Ts|-|-/{row}|-|- hands=-/2h pile=2d2s"))
    assert isinstance(node, Branch)
    first = choices(node)
    assert len(first) == 7
    assert first["u0-u1"].label == "Lane 1: 10♠ → 2♣"
    second = choices(first["u0-u1"].child)
    assert "u1-u2" in second
    assert "2♣" in second["u1-u2"].label
    assert "3♣" in second["u1-u2"].label


def test_a_turn_offers_what_can_be_done() -> None:
    node = choices(tree(read(f"standard A3 5s,5h,(4s)|-|-/8c|-|- {REST}")))
    assert [choice.label for choice in node.values()] == ["Play", "Flip", "Attack", "Pair"]
    (flip,) = choices(node["flip"].child).values()
    assert flip.label == "Lane 1: 4♠, face-down (Back 3)"
    assert isinstance(flip.child, Leaf)
    (target,) = choices(choices(node["attack"].child)["u0"].child).values()
    assert target.label == "8♣ · 1 damage"
    assert "2 hit points left" in target.note


def test_what_a_choice_says_of_a_back_is_what_everybody_sees() -> None:
    labels = []
    for hidden in ("Jc", "9c", "3c", "5c"):
        node = tree(read(f"standard A3 5s|-|-/({hidden})1|-|- hands=-/2h pile=2d2c"))
        (attacker,) = choices(node).values()
        (target,) = choices(attacker.child).values()
        labels.append((target.label, target.note))
    assert set(labels) == {("Back 1 · 1 damage", "1 hit point left")}


def test_a_queen_may_stay() -> None:
    node = choices(tree(play(f"standard A3 (Qs)|8s|-/8c|-|- {REST}", "flip Qs")))
    assert [choice.label for choice in node.values()] == ["Lane 2: 8♠", "Nobody moves"]


def test_in_teams_own_backs_are_not_named_again() -> None:
    state = read("teams A3 (4s)@A|-|-/Jc|-|- hands=-/2h/3s/3h pile=2d2c")
    seen = state.observe(0)
    (move,) = state.legal_actions(0)
    node = PRESENTER.tree(seen, [move], LOOK)
    (flip,) = choices(node).values()
    assert (flip.label, flip.note) == ("Lane 1: Back 1", "2 hit points left")
    assert faces(PRESENTER.hand(seen, LOOK)) == [
        Face(rank="J", suit="clubs"),
        Face(back=True, number=1),
    ]


# -- the log, why, and why not ------------------------------------------------------------------


def test_the_log_names_backs_only_to_those_who_know_them() -> None:
    state = play(f"standard A3 5s|-|-/(Kc)1|-|- {REST}", "attack 5s Kc", "play 2s 2")
    assert lines(state, None)[:3] == [
        "In lane 1, **5♠** of **Ann** hits a back (−1).",
        "In lane 1, a back of **Ben** is killed.",
        "**Ann** lays a card face-down in lane 2.",
    ]
    assert lines(state, 1)[1] == "In lane 1, **K♣** of **Ben** is killed."
    assert lines(state, 0)[2] == "**Ann** lays **2♠** face-down in lane 2."


def test_the_log_of_a_trap() -> None:
    state = play(f"standard A3 5s|-|-/(3c)1|-|- {REST}", "attack 5s 3c")
    assert lines(state, 0)[-1] == "It's a trap! **3♣** stands face-up in lane 1, unhurt."


def test_the_log_of_a_triangle_says_triangle() -> None:
    state = play("triangles A3 Ts|-|-|-/8c|-|-|-/4d|-|-|- hands=2s/2h/2c pile=3c3d", "attack Ts 8c 4d")
    assert lines(state, None) == [
        "In triangle 1, **10♠** of **Ann** hits **8♣** (−1) and **4♦** (−1). It strikes back for 1."
    ]


def test_explain_tells_the_last_attack_step_by_step() -> None:
    state = play(f"standard A3 5s1|-|-/8c1|-|- {REST}", "attack 5s 8c")
    assert PRESENTER.explain(state.observe(None), LOOK).splitlines() == [
        "**Last attack:** **Ann**, **5♠** in lane 1",
        "- An 8 deals 1 damage to each attacker, even if it dies of the attack.",
        "- **8♣** takes 1 damage, and is killed",
        "- **5♠** takes 1 damage, and is killed",
    ]


def test_explain_tells_who_stands_alone_when_the_pile_is_empty() -> None:
    said = PRESENTER.explain(read("standard A3 5s|5h|-/9c|-|- hands=-/2h").observe(None), LOOK)
    assert "- Lane 1: contested" in said
    assert "- Lane 2: **Ann** alone" in said
    assert "- Lane 3: empty" in said


def test_refusals_teach() -> None:
    assert why(f"standard A3 5s|-|-/Jc,4c|-|- {REST}", "attack 5s 4c").startswith("**J♣** in lane 1 must be")
    assert "2 cards are left" in why(f"standard A3 [5s]|-|-/8c|-|- {REST}", "flip 5s")
    assert "Flip it first" in why(f"standard A3 (5s)|-|-/8c|-|- {REST}", "attack 5s 8c")


# -- pictures ----------------------------------------------------------------------------------


def test_every_picture_of_the_gallery_is_sound() -> None:
    for title, scene in PRESENTER.gallery():
        assert audit(scene) == [], title


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_every_table_and_hand_is_sound_however_crowded(variant: str, seed: int) -> None:
    rng = random.Random(seed)
    setup = GAME.setup(VARIANTS[variant].seats, rng.randbytes(32), variant=variant)
    for state, done in random_play(GAME, setup, rng):
        if len(done) in (20, 90, 110, 130):
            assert audit(PRESENTER.table(state.observe(None), LOOK)) == []
            assert audit(PRESENTER.hand(state.observe(state.turn), LOOK)) == []


def test_the_table_shows_backs_as_backs() -> None:
    shown = []
    for hidden in ("Jc", "9c", "3c"):
        state = read(f"standard A3 5s|-|-/({hidden})1*@AB|-|- {REST}")
        scene = PRESENTER.table(state.observe(1), LOOK)
        shown.append((scene.items, scene.alt))
    assert shown[0] == shown[1] == shown[2]


def test_a_hand_shows_the_backs_that_its_owner_knows() -> None:
    state = read(f"standard A3 5s|-|-/(Jc)1@AB,(9c)|-|- {REST}")
    known = [face for face in faces(PRESENTER.hand(state.observe(0), LOOK)) if face.back]
    assert known == [
        Face("J", "clubs", back=True, damage=1),
        Face(back=True, number=2),
    ]


def test_damaged_cards_lie_on_their_side() -> None:
    scene = PRESENTER.table(read(f"standard A3 5s,6s1|-|-/Jc2|-|- {REST}").observe(None), LOOK)
    flat = {
        sprite.args[0].rank
        for sprite in sprites(scene)
        if isinstance(sprite.args[0], Face) and sprite.rect.w > sprite.rect.h
    }
    assert flat == {"6", "J"}
    assert "J♣ (1 left)" in scene.alt


def test_pairs_lie_side_by_side() -> None:
    seen = read(f"standard A3 8s=a,5s,8h=a|-|-/9c|-|- {REST}").observe(None)
    found = [[unit.card >> 2 for _, unit in block.units] for block in board.blocks(seen.row(0, 0))]
    assert found == [[6, 6], [3]]


# -- look-ups ----------------------------------------------------------------------------------


def test_every_power_has_advice_and_vampires_have_their_own_page() -> None:
    for card in PRESENTER.cards("en"):
        page = PRESENTER.card(card.key, LOOK)
        assert page.scene is not None
        assert page.text.count("\n\n") >= 1
    usual = PRESENTER.card("3", LOOK)
    vampire = PRESENTER.card("3", LOOK, {"variant": "solo", "vampiric": False})
    assert usual.title == "3 · Trap"
    assert vampire.title == "3 · Vampiric"
    assert "In Vampiric games instead" in usual.text


def test_the_makers_are_named() -> None:
    assert "Judd Madden and Nina Riddell" in PRESENTER.about("en")
    assert "duel52.com" in PRESENTER.about("en")
    assert any("Judd Madden" in page.text for page in PRESENTER.rules("en"))


def test_the_rules_begin_with_the_variant_that_is_played() -> None:
    assert PRESENTER.rules("en", {"variant": "teams", "vampiric": False})[0].title == "Variant: Teams"
    assert PRESENTER.rules("en")[0].title == "How to play"
