"""What Atom says: choices, log, why and why not, endings, look-ups."""

from __future__ import annotations

import random

import pytest

from bot.locales import words
from bot.presenters import get
from bot.presenters.base import Branch, Choice, Leaf, Node, Pick, routes
from bot.render.scene import Look
from bot.views import ids
from bot.views.walk import BUTTONS, Decision, follow, pick_segment
from engine.atom import GAME
from engine.atom.moves import PASS, Move
from engine.atom.scoring import outcome, settle
from engine.atom.state import AtomState
from engine.game import IllegalAction
from engine.playing_cards import LABELS
from tests.engine.atom.hands import arrange, lay, play

PRESENTER = get("atom")
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve"))
FOUR = Look(names=("Ann", "Ben", "Cy", "Dee"))


def tree_of(state: AtomState, look: Look = FOUR) -> Node:
    seat = state.turn
    return PRESENTER.tree(state.observe(seat), state.legal_actions(seat), look)


def choices(node: Node) -> dict[str, Choice]:
    assert isinstance(node, Branch)
    return {choice.key: choice for choice in node.choices}


# -- choices ----------------------------------------------------------------------------------


def test_the_cheapest_play_that_beats_the_table_is_one_press() -> None:
    state = arrange("5H 3C", "8D 9C 9D 9H 9S JS KD", "4D", "6D")
    play(state, "5H")
    found = choices(tree_of(state))
    assert list(found) == ["do-80100", "more", "heavy", "pick", "pass"]
    assert found["do-80100"].strong
    assert found["do-80100"].label == "8♦"
    assert found["do-80100"].child == Leaf(lay("8D"))


def test_a_suggestion_does_not_tear_a_bomb_apart_while_there_is_another() -> None:
    state = arrange("5H 3C", "9C 9D 9H 9S JS", "4D", "6D")
    play(state, "5H")
    found = choices(tree_of(state))
    assert found["do-J0001"].child == Leaf(lay("JS"))


def test_pass_is_a_leaf_at_the_top_wherever_it_is_allowed() -> None:
    rng = random.Random(3)
    seen = 0
    state = GAME.deal(GAME.setup(4, bytes(32)))
    while turn := state.to_act():
        legal = state.legal_actions(turn[0])
        found = choices(tree_of(state))
        assert ("pass" in found) is (PASS in legal)
        if "pass" in found:
            assert found["pass"].child == Leaf(PASS)
            assert len(found) <= BUTTONS
            seen += list(found) == ["pass"]
        state._apply(turn[0], rng.choice(legal))
    assert seen > 3, "a turn with nothing but Pass shows just that"


def test_no_decision_takes_more_than_three_presses() -> None:
    rng = random.Random(5)
    longest = 0
    for seats in (4, 5):
        state = GAME.deal(GAME.setup(seats, bytes([7]) * 32))
        while turn := state.to_act():
            legal = list(state.legal_actions(turn[0]))
            if rng.random() < 0.3:
                found = routes(tree_of(state, LOOK), legal)
                longest = max(longest, *(len(route.path) for route in found))
            state._apply(turn[0], rng.choice(legal))
    assert longest == 3


def test_exact_cards_can_be_picked_and_a_mixture_is_refused_with_words() -> None:
    state = arrange("8C 8D 8H 9S RJ", "3D", "4D", "6D")
    node = tree_of(state)
    pick = choices(node)["pick"].child
    assert isinstance(pick, Pick)
    keys = {item.label: item.key for item in pick.items}
    place = follow(node, ("pick", f"+{keys['8♥']}+{keys['red ★']}", "ok"))
    assert place == Decision(lay("8H RJ"))
    state.verify(0, lay("8H RJ"))
    mixed = pick.to_action((keys["8♥"], keys["9♠"]))
    with pytest.raises(IllegalAction) as caught:
        state.verify(0, mixed)
    assert PRESENTER.why(caught.value, FOUR) == (
        "All cards of a play share one rank, so 8 and 9 don't go together. "
        "There are no straights or full houses in Atom; only jokers may join a rank."
    )


def test_two_copies_of_a_card_are_two_items() -> None:
    state = arrange("8C 8C 8D", "3D", "4D", "6D")
    pick = choices(tree_of(state))["pick"].child
    assert isinstance(pick, Pick)
    assert [item.label for item in pick.items] == ["8♣", "8♣ (no. 2)", "8♦"]
    assert pick.to_action(tuple(item.key for item in pick.items)) == lay("8C 8C 8D")


def test_the_whole_hand_of_five_players_can_be_picked_by_group() -> None:
    state = GAME.deal(GAME.setup(5, bytes(32)))
    state.apply(state.turn, state.legal_actions(state.turn)[0])
    pick = choices(tree_of(state, LOOK))["pick"].child
    assert isinstance(pick, Pick)
    assert len(pick.items) == 54
    assert len({item.group for item in pick.items}) <= 14
    assert {pick.to_action((item.key,)).cards[0] for item in pick.items} == {
        card for card, many in enumerate(state.observe(state.turn).hand) if many
    }


def test_calling_is_rank_then_suit() -> None:
    state = GAME.deal(GAME.setup(5, bytes(32)))
    legal = state.legal_actions(state.turn)
    found = routes(tree_of(state, LOOK), legal)
    assert {len(route.path) for route in found} == {2}
    assert {route.action for route in found} == set(legal)


# -- log, why, endings ------------------------------------------------------------------------


def told(state: AtomState, look: Look = FOUR) -> list[str]:
    events, state.events = state.events or [], []
    lines = [PRESENTER.line(event, None, look) for event in events]
    return [line for line in lines if line is not None]


def test_the_log_of_a_trick() -> None:
    state = arrange("5H 3C 3D", "KD 4H", "9C 9D 9H 9S", "6D 6H", blade="2")
    play(state, "5H", "KD", "9C 9D 9H 9S", "pass", "pass", "pass")
    assert told(state) == [
        "**Ann** leads single 5♥. **2** cards left.",
        "**Ben** plays single K♦. **1** card left.",
        "💣 **Cy** throws a bomb of 4 9♣ 9♦ 9♥ 9♠.",
        "🏁 **Cy** is out first: upstream.",
        "**Dee** passes.",
        "**Ann** passes.",
        "**Ben** passes.",
        "**Cy** takes the trick with 15 points, 15 so far. **Dee** leads.",
    ]


def test_the_log_tells_when_a_partner_is_revealed() -> None:
    state = arrange("AH KH 3C", "AS AS 3D", "AS AS 4D", "AS 4C", "9C 9D", caller=0, called="AS", leader=1)
    play(state, "AS AS")
    assert told(state, LOOK)[-1] == "🤝 **Ben** has shown two A♠: a partner of the caller."


@pytest.mark.parametrize(
    ("table", "mine", "said"),
    [
        ("7C", "8C 8D 8H 8S", "Blades fall only to atoms and nukes"),
        ("9C 9D", "8C 8D", "isn't higher"),
        ("9C 9D", "AC", "the same number of cards"),
        ("9C 9D 9H 9S", "8C 8D 8H 8S", "isn't higher"),
        ("9C 9C 9C", "7S", "stronger atom or nuke"),
    ],
)
def test_why_not_names_the_table_and_the_rule(table: str, mine: str, said: str) -> None:
    state = arrange(table + " 3C", mine + " 3D", "4D", "6D")
    play(state, table)
    with pytest.raises(IllegalAction) as caught:
        state.verify(1, lay(mine))
    sentence = PRESENTER.why(caught.value, FOUR)
    assert said in sentence
    assert "The table has the" in sentence or "Blades fall" in sentence


def test_jokers_with_blades_have_a_sentence_of_their_own() -> None:
    state = arrange("7S RJ", "3D", "4D", "6D")
    with pytest.raises(IllegalAction) as caught:
        state.verify(0, lay("7S RJ"))
    assert PRESENTER.why(caught.value, FOUR).startswith(
        "Jokers stand for any card but a Blade, and 7 is the Blade"
    )


def test_why_says_what_beats_the_table() -> None:
    state = arrange("QH QD 3C", "KD 4H", "9C", "6D")
    play(state, "QH QD")
    said = PRESENTER.explain(state.observe(1), FOUR)
    assert said.splitlines() == [
        "**On the table**: pair Q♦ Q♥ by **Ann**.",
        "It falls to:",
        "- a pair from K to 2",
        "- a pair of Blades (7)",
        "- any bomb: four cards or more of one rank, jokers included",
        "- any atom (three identical cards) or nuke (two of each suit)",
    ]


def test_why_tells_a_settlement_step_by_step() -> None:
    state = arrange("3S", "KS", "AH", "5H 10H", captured=(0, 60, 90, 100))
    play(state, "3S", "KS", "AH")
    said = PRESENTER.explain(state.observe(None), FOUR)
    assert "1. Out of cards, in this order: **Ann**, **Ben** and **Cy**." in said
    given = "the 100 taken go to **Ann** (upstream), the 15 still held to **Ann** and **Cy**."
    assert f"3. **Dee** is downstream: {given}" in said
    assert "4. That makes **Ann** and **Cy** 215 against **Ben** and **Dee** 60." in said


def test_endings_name_winners_score_and_reason() -> None:
    first = settle((1, 5), [0, 1, 2], [120, 100, 40, 0], [0, 0, 0, 40], (0, 1, 0, 1))
    second = settle((2, 6), [1, 0, 2], [60, 180, 40, 20], [0, 0, 0, 0], (0, 1, 0, 1))
    said = PRESENTER.ending(outcome([first, second]), FOUR).splitlines()
    assert said == [
        "🏆 **Ann** and **Cy** · **single win** (+1)",
        "**Ben** and **Dee** · −1",
        "-# Level on points (300 to 300), so the side of **Ann**, out first, wins.",
    ]


def test_the_hands_have_both_names_in_every_language() -> None:
    titles = {card.key: card.title for card in PRESENTER.cards("en")}
    assert titles["atom"] == "Atom · 原子"
    assert titles["nuke"] == "Nuke · 氢弹"
    rules = " ".join(page.text for page in PRESENTER.rules("en"))
    for name in ("单张", "对子", "三张", "炸弹", "原子", "氢弹", "刀", "王", "庄家", "伴家", "上游", "下游"):
        assert name in rules
    assert words("en")("atom.term.pair") == "Pair · 对子"


def test_every_card_of_the_pack_is_found_by_what_is_printed_on_it() -> None:
    names = {alias for card in PRESENTER.cards("en") for alias in card.aliases}
    assert set(LABELS[:52]) <= names
    assert PRESENTER.card("rank-10", FOUR).text.count("10 points") == 1


def test_status_names_game_blade_and_points() -> None:
    state = arrange("5H 3C", "8D", "4D", "6D")
    play(state, "5H")
    assert (
        PRESENTER.status(state.observe(1), FOUR) == "Game 1 of 2 · Blade 7 · trick 1 · 5 points on the table"
    )
    five = GAME.deal(GAME.setup(5, bytes(32)))
    caller = LOOK.name(five.receiver)
    assert PRESENTER.status(five.observe(0), LOOK).endswith(f"{caller} calls a card")
    assert isinstance(five.legal_actions(five.turn)[0], Move)


def test_the_largest_pick_fits_into_a_custom_id() -> None:
    state = GAME.deal(GAME.setup(5, bytes(32)))
    state.apply(state.turn, state.legal_actions(state.turn)[0])
    pick = choices(tree_of(state, LOOK))["pick"].child
    assert isinstance(pick, Pick)
    keys = pick_segment([item.key for item in pick.items[: pick.most]])
    group = max(len(item.group[0]) for item in pick.items)
    assert group == len("r7")
    assert pick.most >= 12, "the bombs that hands hold can be picked whole"
    assert ids.make("add", 10**9, 4, 9999, "pick", keys, "r7")
    assert ids.make("go", 10**9, 4, 9999, ids.path_text(("pick", keys, "ok")))
