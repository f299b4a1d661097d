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
    return PRESENTER.choices(state.observe(seat), list(state.legal_actions(seat)), LOOK)


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
    state = read("standard A3 5s,5h,6s,6h,(4s),(4h)|-|-/8c,9c|-|- hands=2s3s/2h pile=2d2c")
    node = choices(tree(state))
    assert [choice.label for choice in node.values()] == ["Play", "Flip", "Attack", "Pair"]
    flip = choices(node["flip"].child)["u4"]
    assert (flip.label, flip.note) == ("Lane 1: 4♠, face-down, Back 5", "Look at any face-down card.")
    assert isinstance(flip.child, Leaf)
    target = choices(choices(node["attack"].child)["u0"].child)["u6"]
    assert (target.label, target.note) == ("8♣ · 1 damage", "2 hit points left")


def test_a_question_with_one_answer_is_not_asked() -> None:
    node = choices(
        tree(
            read(
                f"standard A3 5s,5h=a,(4s)|8s|-/8c|9c1,(2c)|- {REST}".replace("=a", "").replace(
                    "2h pile=2d2c", "2h pile=2d3c"
                )
            )
        )
    )
    assert [choice.label for choice in node.values()] == [
        "Play 2♠ · Draw",
        "Flip 4♠ in lane 1",
        "Attack",
        "Pair 5♠ + 5♥ in lane 1",
    ]
    assert [key for key, choice in node.items() if isinstance(choice.child, Leaf)] == ["flip", "pair"]
    attack = choices(node["attack"].child)
    assert attack["u0"].label == "Lane 1: 5♠ attacks 8♣ · 1 damage"
    assert isinstance(attack["u0"].child, Leaf)
    assert list(choices(attack["u3"].child)) == ["u5", "u6"]


def test_a_single_fighter_is_asked_for_its_target_at_once() -> None:
    node = tree(read("standard A3 8s=a,8h1=a|-|-/9c,4c1|-|- hands=-/2h pile=2d2c"))
    assert isinstance(node, Branch)
    assert node.prompt == "Lane 1: 8♠ + 8♥ (1 left): against whom?"
    assert [choice.label for choice in node.choices] == ["9♣ · 2 damage", "4♣ (1 left) · 2 damage"]
    only = tree(read("standard A3 8s=a,8h1=a|-|-/9c|-|- hands=-/2h pile=2d2c"))
    assert [choice.label for choice in choices(only).values()] == [
        "Lane 1: 8♠ + 8♥ (1 left) attack 9♣ · 2 damage"
    ]


def test_what_a_blow_deals_stands_in_its_label() -> None:
    nine = tree(read("standard A3 9s|-|-/Jc1,Jd|-|- hands=-/2h pile=2d2c"))
    assert [choice.label for choice in choices(nine).values()] == [
        "J♣ (2 left) · 2 damage",
        "J♦ · 2 damage",
    ]
    tens = tree(read("standard A3 Ts=a,Th=a|-|-/8c,4c1|-|- hands=-/2h pile=2d2c"))
    first, second = choices(tens).values()
    assert first.label == "8♣ · 2 damage, 4♣ (1 left) · 1"
    assert first.note == "8♣: 2 hit points left · 4♣ (1 left): 1 hit point left"
    assert second.label == "4♣ (1 left) · 2 damage, 8♣ · 1"
    ten = tree(read("standard A3 Ts|-|-/8c,4c,5c|-|- hands=-/2h pile=2d2c"))
    assert next(iter(choices(ten).values())).label == "8♣ and 4♣ · 1 each"


def test_where_a_card_is_laid_the_count_stands_in_the_label() -> None:
    node = tree(read(f"standard A3 [5s]|-|-/[8c],(9c)|-|[4d] {REST}"))
    assert [choice.label for choice in choices(node).values()] == [
        "Lane 1 · yours 1, theirs 2",
        "Lane 2 · yours 0, theirs 0",
        "Lane 3 · yours 0, theirs 1",
    ]


def test_a_queen_says_what_breaks() -> None:
    node = choices(tree(play(f"standard A3 (Qs)|8s=a,8h1=a|-/8c|-|- {REST}", "flip Qs")))
    assert [choice.label for choice in node.values()] == [
        "Lane 2: 8♠, breaks the pair",
        "Lane 2: 8♥ (1 left), breaks the pair",
        "Nobody moves",
    ]


def test_a_4_says_which_backs_are_known() -> None:
    state = play("standard A3 (4s),(5s)|-|-/(8c)1|-|[9c] hands=2s/2h pile=2d2c", "flip 4s")
    found = [(choice.label, choice.note) for choice in choices(tree(state)).values()]
    assert found == [
        ("You, Lane 1: 5♠, face-down, Back 2", "You know this one"),
        ("Ben, Lane 1: Back 1 (1 left)", "1 hit point left"),
        ("Ben, Lane 3: Base", "2 hit points left"),
    ]


def test_a_2_says_what_it_drew() -> None:
    state = play("standard A3 (2s)|-|-/8c|-|- hands=5s/2h pile=9d2c", "flip 2s")
    node = tree(state)
    assert isinstance(node, Branch)
    assert node.prompt == "Your 2 drew **9♦**. Which card goes, face-down?"
    assert lines(state, 0)[-1] == "**Ann** draws **9♦**."
    state.apply(0, act(state, "discard 5s"))
    assert lines(state, 0)[-1] == "**Ann** discards **5♠**, face-down."
    assert lines(state, 1)[-1] == "**Ann** draws a card and discards one, face-down."


# -- why not ------------------------------------------------------------------------------------


def asked(node: Node) -> dict[str, str]:
    """What can be asked about beside a question, and the rule that is the answer."""
    assert isinstance(node, Branch)
    found: dict[str, str] = {}
    for beside in node.beside:
        ways = beside.child.choices if isinstance(beside.child, Branch) else (beside,)
        for way in ways:
            assert isinstance(way.child, Leaf)
            assert way.child.refused
            found[way.label] = way.child.action
    return found


def rules(state: DuelState, node: Node) -> dict[str, str]:
    answers = {}
    for label, action in asked(node).items():
        with pytest.raises(IllegalAction) as caught:
            state.verify(state.turn, action)  # type: ignore[arg-type]
        answers[label] = caught.value.rule
    return answers


def test_why_not_is_asked_where_one_would_look_for_it() -> None:
    state = read(
        "standard A3 5s,6s*,7s!,(2s),(3s),(4s)*,[As]|8s|-/Jc,4c,[5c]|9c,Kc,[6c]|- hands=2d3d/2h pile=4d2c"
    )
    node = tree(state)
    top = choices(node)
    assert asked(node) == {}
    assert rules(state, top["flip"].child) == {
        "Flip 4♠ in lane 1": "frozen_flip",
        "Flip the base in lane 1": "locked_base",
    }
    assert rules(state, top["attack"].child) == {
        "Attack with 6♠ in lane 1": "frozen_attack",
        "Attack with 7♠ in lane 1": "has_attacked",
        "Attack 4♣ in lane 1": "taunted",
        "Attack the base in lane 1": "base_safe",
    }
    assert rules(state, choices(top["attack"].child)["u7"].child) == {
        "Why not attack the base in lane 2?": "base_safe"
    }


def test_why_not_is_asked_before_the_question_that_is_not_asked() -> None:
    state = read("standard A3 (5s),6s*|-|-/4c|-|- hands=-/2h pile=4d2c")
    node = tree(state)
    assert rules(state, node) == {"Why not attack with 6♠ in lane 1?": "frozen_attack"}
    # one card can be flipped, another can't; then none can
    one = read("standard A3 (5s),(6s)*,[7s]|-|-/-|-|- hands=2s3s/2h pile=4d2c")
    assert rules(one, tree(one)) == {
        "Flip 6♠ in lane 1": "frozen_flip",
        "Flip the base in lane 1": "locked_base",
    }
    none = read("standard A3 (6s)*,[7s]|-|-/-|-|- hands=2s3s/2h pile=4d2c")
    assert rules(none, tree(none)) == {"Why not flip 6♠ in lane 1?": "frozen_flip"}


def test_a_pair_with_a_frozen_card_says_so() -> None:
    state = read("standard A3 8s*=a,8h=a|-|-/4c|-|- hands=2s/2h pile=4d2c")
    assert rules(state, tree(state)) == {
        "Attack with 8♠ in lane 1": "frozen_attack",
        "Attack with 8♥ in lane 1": "mate_cannot",
    }


def test_nothing_is_asked_where_nothing_is_refused() -> None:
    for text in (
        "standard A2 [5s]|-|-/[8c]|-|- hands=2s3s/2h pile=2d2c",
        "standard A2 5s,(6s)|-|-/8c,9c|-|- hands=2s3s/2h",
    ):
        node = tree(read(text))
        assert isinstance(node, Branch)
        assert node.beside == ()
        assert all(choice.child.beside == () for choice in node.choices if isinstance(choice.child, Branch))


def test_what_a_choice_says_of_a_back_is_what_everybody_sees() -> None:
    labels = []
    for hidden in ("Jc", "9c", "3c", "5c"):
        node = tree(read(f"standard A3 5s|-|-/({hidden})1|-|- hands=-/2h pile=2d2c"))
        (attack,) = choices(node).values()
        labels.append(attack.label)
    assert set(labels) == {"Lane 1: 5♠ attacks Back 1 (1 left) · 1 damage"}


def test_a_queen_may_stay() -> None:
    node = choices(tree(play(f"standard A3 (Qs)|8s|-/8c|-|- {REST}", "flip Qs")))
    assert [choice.label for choice in node.values()] == ["Lane 2: 8♠", "Nobody moves"]


def test_in_teams_own_backs_are_not_named_again() -> None:
    state = read("teams A3 (4s)@A|-|-/Jc|-|- hands=-/2h/3s/3h pile=2d2c")
    seen = state.observe(0)
    (move,) = state.legal_actions(0)
    node = PRESENTER.choices(seen, [move], LOOK)
    (flip,) = choices(node).values()
    assert flip.label == "Flip Back 1 in lane 1"
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


@pytest.mark.parametrize(
    ("text", "blow", "why"),
    [
        ("9s|-|-/8c1|-|-", "9s 8c", ["A 9 takes no damage from an 8."]),
        ("9s|-|-/Jc|-|-", "9s Jc", ["A 9 deals one more to a face-up Jack."]),
        ("5s|-|-/Jc|-|-", "5s Jc", ["A face-up Jack draws the attack and has 3 hit points."]),
        (
            "Ts=a,Th=a|-|-/4c,5c|-|-",
            "Ts 4c 5c",
            ["A pair of 10s deals 2 to the first card named and 1 to the second."],
        ),
        (
            "9s|-|-/(Jc)1|-|-",
            "9s Jc",
            [
                "A face-down card is only a back, with 2 hit points whatever it hides.",
                "A back takes 1 damage, and is killed",
            ],
        ),
    ],
)
def test_explain_names_the_rules_of_a_blow(text: str, blow: str, why: list[str]) -> None:
    state = play(f"standard A3 {text} {REST}", f"attack {blow}")
    said = PRESENTER.explain(state.observe(None), LOOK).splitlines()
    assert said[1 : 1 + len(why)] == [f"- {sentence}" for sentence in why]
    assert all(line[2:3].isupper() or line[2:3] == "*" for line in said[1:]), "each step begins as a sentence"


def test_explain_speaks_of_what_wins_here() -> None:
    lanes = PRESENTER.explain(read(f"standard A3 -|-|-/-|-|- {REST}").observe(None), LOOK)
    triangles = "triangles A3 -|-|-|-/-|-|-|-/-|-|-|- hands=2s/2h/2c pile=3c3d"
    assert lanes.endswith("two lanes win.")
    assert PRESENTER.explain(read(triangles).observe(None), LOOK).endswith("two triangles wins.")


def test_the_log_tells_what_a_kill_heals() -> None:
    state = play(f"standard+v A3 3s1|-|-/9c1|-|- {REST}", "attack 3s 9c")
    assert lines(state, 0)[0] == "In lane 1, **3♠** of **Ann** hits **9♣** (−1). The kill heals 1."
    pair = play(f"standard A3 8s=a,8h=a|-|-/9c|-|- {REST}", "attack 8s 9c")
    assert lines(pair, 0)[0] == "In lane 1, **8♠** and **8♥** of **Ann** hit **9♣** (−2)."


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


def test_the_rules_begin_with_what_is_played() -> None:
    def first(variant: str, *, vampiric: bool = False) -> tuple[str, str]:
        page = PRESENTER.rules("en", {"variant": variant, "vampiric": vampiric})[0]
        said = page.text.split("\n\n")
        return page.title, said[1 if vampiric else 0]

    assert first("teams")[0] == "Variant: Teams"
    assert first("quick")[0] == PRESENTER.rules("en")[0].title == "How to play"
    assert first("quick")[1].startswith("**This table: Quick.** **Set-up:** 2 seats")
    assert first("standard", vampiric=True)[1].startswith("**This table is Vampiric:**")
    assert first("triangles", vampiric=True) == ("Variant: Triangles", first("long", vampiric=True)[1])
    assert (
        "3s and 4s are **Vampiric**" in PRESENTER.rules("en", {"variant": "solo", "vampiric": True})[0].text
    )
    assert len(PRESENTER.rules("en", {"variant": "teams"})) == len(PRESENTER.rules("en"))


def test_without_a_hand_the_cards_on_the_table_are_explained() -> None:
    text = "standard A3 Ks,(Qs)|5s|-/2c,(9c),5c|-|-"
    assert PRESENTER.at_hand(read(f"{text} hands=3s3h8s/2h").observe(0)) == ("3", "8")
    assert PRESENTER.at_hand(read(f"{text} hands=-/2h").observe(0)) == ("5", "K", "2")
    assert PRESENTER.at_hand(read(f"{text} hands=-/2h").observe(None)) == ()


# -- solo, and how it ends ----------------------------------------------------------------------

ALONE = Look(names=("Side A", "Side B"))


def test_solo_names_its_sides_in_every_line() -> None:
    state = play(f"solo A3 5s|-|-/9c1|-|- {REST} bet=B", "attack 5s 9c")
    views = [event.seen_by(0) for event in state.events or ()]
    assert [PRESENTER.line(view, 0, ALONE) for view in views if view is not None] == [
        "In lane 1, **5♠** of **Side A** hits **9♣** (−1).",
        "In lane 1, **9♣** of **Side B** is killed.",
    ]
    assert PRESENTER.explain(state.observe(0), ALONE).startswith("**Last attack:** **Side A**")


@pytest.mark.parametrize(
    ("over", "first", "last"),
    [
        ("two_lanes:1,2", "🏁 **Side A** has two lanes", "You bet on side A, and you were right: you win."),
        ("two_lanes:2,1", "🏁 **Side B** has two lanes", "You bet on side A: this time the other hand"),
        ("thirty_turns:1,1", "🤝 Thirty quiet turns", "You bet on side A, and neither side won"),
    ],
)
def test_solo_ends_with_the_bet(over: str, first: str, last: str) -> None:
    outcome = read(f"solo A0 8s|5s|-/-|-|- bet=A over={over}").outcome()
    assert outcome is not None
    said = PRESENTER.ending(outcome, ALONE).splitlines()
    assert said[0].startswith(first)
    assert said[1].startswith(last)


def test_the_status_says_what_the_pile_has_left() -> None:
    def status(text: str) -> str:
        return PRESENTER.status(read(text).observe(None), LOOK)

    assert status(f"standard A2 8s|-|-/9c|-|- {REST}") == "Turn 3 · 2 actions left · 2 cards in the pile"
    assert status("standard A1 8s|-|-/9c|-|-") == "Turn 3 · 1 action left · pile empty, bases awake"
    triangles = "triangles A1 8s|-|-|-/9c|-|-|-/2c|-|-|-"
    assert status(triangles) == "Turn 4 · 1 action left · pile empty, two triangles win"


def test_the_sheet_shows_all_ranks_or_those_of_a_kind() -> None:
    sheet = PRESENTER.overview(Look())
    assert sheet is not None
    assert sheet.scene is not None
    assert all(f"{rank}, " in sheet.scene.alt for rank in ("2", "10", "Q", "A"))
    constant = PRESENTER.overview(Look(), "constant power")
    assert constant is not None
    assert constant.scene is not None
    assert "Taunt" in constant.scene.alt
    assert "Freeze" not in constant.scene.alt
    assert constant.scene.height < sheet.scene.height
