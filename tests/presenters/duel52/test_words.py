"""What Duel 52 says, asks and shows, with examples that a player would recognise."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.presenters.base import Branch, Choice, Leaf, Node
from bot.presenters.duel52 import board
from bot.presenters.duel52.painters import Face
from bot.presenters.duel52.words import Voice, power_of
from bot.presenters.paths import routes
from bot.render.check import audit
from bot.render.scene import Item, ItemGroup, Look, Scene, Sprite
from engine.duel52 import GAME
from engine.duel52.cards import VARIANTS
from engine.duel52.notation import read
from engine.duel52.state import DuelState
from engine.game import IllegalAction
from engine.playing_cards import RANK_CODES
from tests.conformance.walk import random_play
from tests.engine.duel52.positions import REST, act, play
from tests.presenters.duel52.said import ENGLISH, LOOK, PRESENTER, lines
from tests.support.discord.keys import MARKED, all_keys, facts, key, plain
from tools.contact_sheet.galleries import gallery


def tree(state: DuelState) -> Node:
    seat = state.turn
    return PRESENTER.choices(state.observe(seat), list(state.legal_actions(seat)), LOOK)


def choices(node: Node) -> dict[str, Choice]:
    assert isinstance(node, Branch)
    return {choice.key: choice for choice in node.choices}


def sprites(scene: Scene) -> list[Sprite]:
    found: list[Sprite] = []

    def walk(items: tuple[Item, ...]) -> None:
        for item in items:
            if isinstance(item, ItemGroup):
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
    assert key(first["u0-u1"].label) == "tree.first"
    assert facts(first["u0-u1"].label)["target"] == "2♣"
    second = choices(first["u0-u1"].child)
    assert "u1-u2" in second
    assert "2♣" in second["u1-u2"].label
    assert "3♣" in second["u1-u2"].label


def test_a_turn_offers_what_can_be_done() -> None:
    state = read("standard A3 5s,5h,6s,6h,(4s),(4h)|-|-/8c,9c|-|- hands=2s3s/2h pile=2d2c")
    node = choices(tree(state))
    assert [key for key in node if not key.startswith("u")] == ["2s", "3s", "flip", "pair"]
    assert list(node)[3:7] == ["u0", "u1", "u2", "u3"], (
        "neither a card of the hand nor a fighter needs a verb"
    )
    assert set(choices(node["2s"].child)) == {"l1", "l2", "l3"}
    flip = choices(node["flip"].child)["u4"]
    assert "4♠" in flip.label
    assert "duel52.power.foresight" in all_keys(flip.label), "what it brings stands on it"
    assert key(flip.note) == "short.foresight"
    assert isinstance(flip.child, Leaf)
    assert (key(node["u0"].label), facts(node["u0"].label)["fighter"]) == ("tree.do_attack_with", "5♠")
    target = choices(node["u0"].child)["u6"]
    assert (key(target.label), facts(target.label)) == ("tree.target.hit", {"target": "8♣", "n": "1"})
    assert target.note == "", "what its label says is not told again"


def blow(choice: Choice) -> tuple[str, str, str]:
    """An attack that is one press: who strikes, at whom, and the damage to the first."""
    assert key(choice.label) in ("tree.strike.kill", "tree.strike.hit")
    told = facts(choice.label)
    return told["fighter"], told["target"], told["damage"]


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
    assert [key(choice.label) for choice in node.values()] == [
        "tree.do_play_one",
        "tree.do_flip_one",
        "tree.strike.hit",
        "tree.strike.hit",
        "tree.do_attack_with",
        "tree.do_pair_one",
    ]
    assert "4♠" in facts(node["flip"].label)["card"]
    assert facts(node["pair"].label)["cards"] == "5♠ + 5♥"
    ends = [key for key, choice in node.items() if isinstance(choice.child, Leaf)]
    assert ends == ["flip", "u0", "u1", "pair"]
    assert blow(node["u0"]) == ("5♠", "8♣", "1")
    assert list(choices(node["u3"].child)) == ["u5", "u6"]


def test_a_single_fighter_is_asked_for_its_target_at_once() -> None:
    node = tree(read("standard A3 8s=a,8h1=a|-|-/9c,4c1|-|- hands=-/2h pile=2d2c"))
    assert isinstance(node, Branch)
    assert key(node.prompt) == "tree.target_prompt"
    assert {"8♠", "8♥"} <= set(facts(node.prompt)["fighter"].split())
    assert [(facts(one.label)["target"][:2], facts(one.label)["n"]) for one in node.choices] == [
        ("9♣", "2"),
        ("4♣", "2"),
    ]
    (only,) = choices(tree(read("standard A3 8s=a,8h1=a|-|-/9c|-|- hands=-/2h pile=2d2c"))).values()
    assert blow(only)[1:] == ("9♣", "2")


def test_what_a_blow_deals_stands_in_its_label() -> None:
    nine = tree(read("standard A3 9s|-|-/Jc1,Jd|-|- hands=-/2h pile=2d2c"))
    assert [blow_of(choice) for choice in choices(nine).values()] == [("J♣", "2"), ("J♦", "2")]
    tens = tree(read("standard A3 Ts=a,Th=a|-|-/8c,4c1|-|- hands=-/2h pile=2d2c"))
    first, second = choices(tens).values()
    assert [one[:2] for one in blow_of(first)] == ["8♣", "2", "4♣"]
    assert first.note == ""
    assert [one[:2] for one in blow_of(second)] == ["4♣", "2", "8♣"]
    ten = tree(read("standard A3 Ts|-|-/8c,4c,5c|-|- hands=-/2h pile=2d2c"))
    assert blow_of(next(iter(choices(ten).values()))) == ("8♣", "1", "4♣")


def blow_of(choice: Choice) -> tuple[str, ...]:
    """A target with the damage it takes, and the second target where there is one."""
    told = facts(choice.label)
    if key(choice.label) == "tree.targets":
        return told["one"], told["n"], told["two"]
    assert key(choice.label) in ("tree.target.kill", "tree.target.hit")
    return told["target"][:2], told["n"]


def test_where_a_card_is_laid_the_count_stands_in_the_label() -> None:
    node = tree(read(f"standard A3 [5s]|-|-/[8c],(9c)|-|[4d] {REST}"))
    counted = [facts(choice.label) for choice in choices(node).values()]
    assert {key(choice.label) for choice in choices(node).values()} == {"tree.lane_label"}
    assert [(one["own"], one["others"]) for one in counted] == [("1", "2"), ("0", "0"), ("0", "1")]


def test_a_queen_says_what_breaks() -> None:
    *cards, stay = choices(tree(play(f"standard A3 (Qs)|8s=a,8h1=a|-/8c|-|- {REST}", "flip Qs"))).values()
    assert ["duel52.tree.breaks" in all_keys(choice.label) for choice in cards] == [True, True]
    assert [suit for choice in cards for suit in "♠♥" if f"8{suit}" in choice.label] == ["♠", "♥"]
    assert key(stay.label) == "tree.stay"


def test_a_4_says_which_backs_are_known() -> None:
    state = play("standard A3 (4s),(5s)|-|-/(8c)1|-|[9c] hands=2s/2h pile=2d2c", "flip 4s")
    hurt, base, mine = choices(tree(state)).values()
    assert key(mine.note) == "tree.look_known"
    assert "duel52.tree.own" in all_keys(mine.label)
    assert "5♠" in mine.label
    assert [plain(one.label).split()[:2] for one in (hurt, base)] == [["Ben", "①"], ["Ben", "③"]]
    assert {"duel52.hurt", "duel52.back"} <= set(all_keys(hurt.label))
    assert "duel52.base" in all_keys(base.label)


def test_a_2_says_what_it_drew() -> None:
    state = play("standard A3 (2s)|-|-/8c|-|- hands=5s/2h pile=9d2c", "flip 2s")
    node = tree(state)
    assert isinstance(node, Branch)
    assert (key(node.prompt), facts(node.prompt)["card"]) == ("tree.discard", "**9♦**")
    line = lines(state, 0)[-1]
    assert (key(line), facts(line)["card"]) == ("line.draw_own", "**9♦**")
    state.apply(0, act(state, "discard 5s"))
    line = lines(state, 0)[-1]
    assert (key(line), facts(line)["card"]) == ("line.discard_own", "**5♠**")
    line = lines(state, 1)[-1]
    assert key(line) == "line.discard"
    assert "9♦" not in line
    assert "5♠" not in line


# -- why not ------------------------------------------------------------------------------------


def asked(node: Node) -> dict[str, Any]:
    """What can be asked about beside a question: the act, its card, and the action that is refused."""
    assert isinstance(node, Branch)
    found: dict[str, Any] = {}
    for beside in node.side_choices:
        ways = beside.child.choices if isinstance(beside.child, Branch) else (beside,)
        for way in ways:
            assert isinstance(way.child, Leaf)
            assert way.child.refused
            (act_of_it,) = {
                name for name in all_keys(way.label) if re.match(r"duel52\.tree\.(refused|why_one)\.", name)
            }
            on_base = "duel52.tree.the_base" in all_keys(way.label)
            card = "base" if on_base else re.findall(r"\d+[♣♦♥♠]", plain(way.label))[0]
            found[f"{act_of_it.rpartition('.')[2]} {card}"] = way.child.action
    return found


def rules(state: DuelState, node: Node) -> dict[str, str]:
    answers = {}
    for label, action in asked(node).items():
        with pytest.raises(IllegalAction) as caught:
            state.verify(state.turn, action)
        answers[label] = caught.value.rule
    return answers


def test_why_not_is_asked_where_one_would_look_for_it() -> None:
    state = read(
        "standard A3 5s,6s*,7s!,(2s),(3s),(4s)*,[As]|8s|-/Jc,4c,[5c]|9c,Kc,[6c]|- hands=2d3d/2h pile=4d2c"
    )
    node = tree(state)
    top = choices(node)
    assert rules(state, top["flip"].child) == {
        "flip 4♠": "frozen_flip",
        "flip base": "locked_base",
    }
    assert rules(state, node) == {
        "by 6♠": "frozen_attack",
        "by 7♠": "has_attacked",
        "on 4♣": "taunted",
        "on base": "base_safe",
    }
    assert rules(state, top["u7"].child) == {"on base": "base_safe"}


def test_why_not_is_asked_before_the_question_that_is_not_asked() -> None:
    state = read("standard A3 (5s),6s*|-|-/4c|-|- hands=-/2h pile=4d2c")
    node = tree(state)
    assert rules(state, node) == {"by 6♠": "frozen_attack"}
    # one card can be flipped, another can't; then none can
    one = read("standard A3 (5s),(6s)*,[7s]|-|-/-|-|- hands=2s3s/2h pile=4d2c")
    assert rules(one, tree(one)) == {
        "flip 6♠": "frozen_flip",
        "flip base": "locked_base",
    }
    none = read("standard A3 (6s)*,[7s]|-|-/-|-|- hands=2s3s/2h pile=4d2c")
    assert rules(none, tree(none)) == {"flip 6♠": "frozen_flip"}


def test_a_pair_with_a_frozen_card_says_so() -> None:
    state = read("standard A3 8s*=a,8h=a|-|-/4c|-|- hands=2s/2h pile=4d2c")
    assert rules(state, tree(state)) == {
        "by 8♠": "frozen_attack",
        "by 8♥": "mate_cannot",
    }


def test_nothing_is_asked_where_nothing_is_refused() -> None:
    for text in (
        "standard A2 [5s]|-|-/[8c]|-|- hands=2s3s/2h pile=2d2c",
        "standard A2 5s,(6s)|-|-/8c,9c|-|- hands=2s3s/2h",
    ):
        node = tree(read(text))
        assert isinstance(node, Branch)
        assert node.side_choices == ()
        assert all(
            choice.child.side_choices == () for choice in node.choices if isinstance(choice.child, Branch)
        )


def test_what_a_choice_says_of_a_back_is_what_everybody_sees() -> None:
    labels = []
    for hidden in ("Jc", "9c", "3c", "5c"):
        node = tree(read(f"standard A3 5s|-|-/({hidden})1|-|- hands=-/2h pile=2d2c"))
        (attack,) = choices(node).values()
        labels.append(attack.label)
    assert len({plain(label) for label in labels}) == 1
    assert key(labels[0]) == "tree.strike.hit"


def test_a_queen_may_stay() -> None:
    node = choices(tree(play(f"standard A3 (Qs)|8s|-/8c|-|- {REST}", "flip Qs")))
    move, stay = (choice.label for choice in node.values())
    assert "8♠" in move
    assert key(stay) == "tree.stay"


def test_in_teams_own_backs_are_not_named_again() -> None:
    state = read("teams A3 (4s)@A|-|-/Jc|-|- hands=-/2h/3s/3h pile=2d2c")
    seen = state.observe(0)
    (move,) = state.legal_actions(0)
    node = PRESENTER.choices(seen, [move], LOOK)
    (flip,) = choices(node).values()
    assert key(flip.label) == "tree.do_flip_one"
    assert "duel52.back" in all_keys(flip.label)
    assert "4♠" not in flip.label
    assert faces(PRESENTER.hand(seen, ENGLISH)) == [
        Face(back=True, letter="a"),
        Face(rank="J", suit="clubs"),
    ]


# -- pictures ----------------------------------------------------------------------------------


def test_every_picture_of_the_gallery_is_sound() -> None:
    for title, scene in gallery("duel52"):
        assert audit(scene) == [], title


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_every_table_and_hand_is_sound_however_crowded(variant: str, seed: int) -> None:
    rng = random.Random(seed)
    setup = GAME.setup(VARIANTS[variant].seats, rng.randbytes(32), variant=variant)
    for state, done in random_play(GAME, setup, rng):
        if len(done) in (20, 90, 110, 130):
            assert audit(PRESENTER.table(state.observe(None), ENGLISH)) == []
            assert audit(PRESENTER.hand(state.observe(state.turn), ENGLISH)) == []


def test_the_table_shows_backs_as_backs() -> None:
    shown = []
    for hidden in ("Jc", "9c", "3c"):
        state = read(f"standard A3 5s|-|-/({hidden})1*@AB|-|- {REST}")
        scene = PRESENTER.table(state.observe(1), ENGLISH)
        shown.append((scene.items, scene.alt))
    assert shown[0] == shown[1] == shown[2]


def test_a_hand_shows_the_backs_that_its_owner_knows() -> None:
    state = read(f"standard A3 5s|-|-/(Jc)1@AB,(9c)|-|- {REST}")
    known = [face for face in faces(PRESENTER.hand(state.observe(0), ENGLISH)) if face.back]
    assert known == [
        Face("J", "clubs", back=True, damage=1, left=1),
        Face(back=True, letter="b"),
    ]


def test_damaged_cards_lie_on_their_side() -> None:
    scene = PRESENTER.table(read(f"standard A3 5s,6s1|-|-/Jc2|-|- {REST}").observe(None), ENGLISH)
    flat = {
        sprite.args[0].rank
        for sprite in sprites(scene)
        if isinstance(sprite.args[0], Face) and sprite.rect.w > sprite.rect.h
    }
    assert flat == {"6", "J"}
    assert "J♣ (1 left)" in scene.alt


def test_pairs_lie_side_by_side() -> None:
    seen = read(f"standard A3 8s=a,5s,8h=a|-|-/9c|-|- {REST}").observe(None)
    found = [[unit.card >> 2 for _, unit in one.units] for one in board.fighters(seen.row(0, 0))]
    assert found == [[6, 6], [3]]


# -- look-ups ----------------------------------------------------------------------------------


def test_every_power_has_advice_and_vampires_have_their_own_page() -> None:
    for card in PRESENTER.cards("en"):
        page = PRESENTER.card(card.key, ENGLISH)
        assert page.scene is not None
        # what it does stands in the picture, and in its words
        does = Voice(ENGLISH)(f"text.{power_of(RANK_CODES.index(card.key), vampiric=False)}")
        assert does in page.scene.alt
        assert page.text.startswith("*")
    usual = PRESENTER.card("3", ENGLISH)
    vampire = PRESENTER.card("3", ENGLISH, {"variant": "solo", "vampiric": False})
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
    assert first("quick")[0] == PRESENTER.rules("en")[0].title == "Begin"
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

ALONE = Look(names=("Side A", "Side B"), locale=MARKED)


def test_solo_names_its_sides_in_every_line() -> None:
    state = play(f"solo A3 5s|-|-/9c1|-|- {REST} bet=B", "attack 5s 9c")
    views = [event.seen_by(0) for event in state.events or ()]
    hit, killed = (PRESENTER.line(view, 0, ALONE) or "" for view in views if view is not None)
    assert (key(hit), facts(hit)["name"]) == ("line.attack", "**Side A**")
    assert (key(killed), facts(killed)["owners"]) == ("line.killed", "**Side B**")
    first = PRESENTER.explain(state.observe(0), ALONE).splitlines()[0]
    assert (key(first), facts(first)["name"]) == ("explain.attack", "**Side A**")


@pytest.mark.parametrize(
    ("over", "first", "last"),
    [
        ("two_lanes:1,2", "two_lanes A", "bet_won"),
        ("two_lanes:2,1", "two_lanes B", "bet_lost"),
        ("thirty_turns:1,1", "thirty_turns", "bet_drawn"),
    ],
)
def test_solo_ends_with_the_bet(over: str, first: str, last: str) -> None:
    outcome = read(f"solo A0 8s|5s|-/-|-|- bet=A over={over}").outcome()
    assert outcome is not None
    said = PRESENTER.ending(outcome, ALONE).splitlines()
    reason, *side = first.split()
    assert key(said[0]) == f"ending.solo.{reason}"
    assert not side or [facts(said[0])["side"]] == side
    assert (key(said[1]), facts(said[1])["side"]) == (f"ending.{last}", "A")


def test_the_status_says_what_the_pile_has_left() -> None:
    def status(text: str) -> str:
        return PRESENTER.status(read(text).observe(None), LOOK)

    said = status(f"standard A2 8s|-|-/9c|-|- {REST}")
    assert all_keys(said) == ["duel52.status.turn", "duel52.status.pile"]
    assert re.findall(r"\d+", plain(said)) == ["3", "2", "2"]
    assert all_keys(status("standard A1 8s|-|-/9c|-|-"))[1:] == ["duel52.status.no_pile"]
    triangles = "triangles A1 8s|-|-|-/9c|-|-|-/2c|-|-|-"
    assert all_keys(status(triangles))[1:] == ["duel52.status.no_pile_triangles"]


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
