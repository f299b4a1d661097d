"""What Atom says: choices, log, why and why not, endings, look-ups."""

from __future__ import annotations

import random
import re

import pytest

from bot import custom_ids as ids
from bot.locales import words
from bot.presenters import get
from bot.presenters.base import Branch, Choice, Leaf, Node, Pick
from bot.presenters.paths import routes
from bot.render.scene import Look
from bot.ui.choices import BUTTONS, Decision, follow, pick_segment
from engine.atom import GAME
from engine.atom.moves import PASS, Move
from engine.atom.state import AtomState
from engine.game import IllegalAction
from engine.playing_cards import LABELS, RANK_CODES
from tests.engine.atom.positions import arrange, lay, play
from tests.support.discord.keys import MARKED, all_keys, key, keys, plain

PRESENTER = get("atom")
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve"), locale=MARKED)
FOUR = Look(names=("Ann", "Ben", "Cy", "Dee"), locale=MARKED)


def tree_of(state: AtomState, look: Look = FOUR) -> Node:
    seat = state.turn
    return PRESENTER.choices(state.observe(seat), state.legal_actions(seat), look)


def choices(node: Node) -> dict[str, Choice]:
    assert isinstance(node, Branch)
    return {choice.key: choice for choice in node.choices}


def beside(node: Node) -> dict[str, Choice]:
    assert isinstance(node, Branch)
    return {choice.key: choice for choice in node.side_choices}


def refusal(state: AtomState, leaf: Node, look: Look = FOUR) -> str:
    """What pressing a refused leaf says."""
    assert isinstance(leaf, Leaf)
    assert leaf.refused
    with pytest.raises(IllegalAction) as caught:
        state.apply(state.turn, leaf.action)
    return PRESENTER.why(caught.value, look)


# -- choices ----------------------------------------------------------------------------------


def test_the_cheapest_play_that_beats_the_table_is_one_press() -> None:
    state = arrange("5H 3C", "8D 9C 9D 9H 9S JS KD", "4D", "6D")
    play(state, "5H")
    found = choices(tree_of(state))
    assert list(found) == ["do-80100", "more", "heavy", "pick", "pass"]
    assert found["do-80100"].strong
    assert found["do-80100"].label == "8♦"
    assert found["do-80100"].child == Leaf(lay("8D"))


def test_the_usual_leads_are_one_press() -> None:
    """All that is held of the lowest ranks: of each kind two, the Blade is high."""
    state = arrange("5H 8S 9C KD KS 4H 4S JH JS JC QC QD QH QS", "8D", "4D", "6D")
    found = choices(tree_of(state))
    usual = [one.child.action for one in found.values() if isinstance(one.child, Leaf)]
    assert usual == [lay("5H"), lay("8S"), lay("4H 4S"), lay("KD KS"), lay("JH JS JC")]
    assert [name for name in found if not name.startswith("do-")] == ["single", "pair", "triple", "heavy"]
    assert len(found) <= BUTTONS


def test_a_suggestion_does_not_tear_a_bomb_apart_while_there_is_another() -> None:
    state = arrange("5H 3C", "9C 9D 9H 9S JS", "4D", "6D")
    play(state, "5H")
    found = choices(tree_of(state))
    assert found["do-J0001"].child == Leaf(lay("JS"))


def test_of_several_torn_sets_the_one_that_leaves_a_bomb_whole_is_suggested() -> None:
    state = arrange("5H 3C", "9C 9D 9H 9S JD JS", "4D", "6D")
    play(state, "5H")
    found = choices(tree_of(state))
    assert found["do-J0100"].child == Leaf(lay("JD"))


def test_where_nothing_will_do_exact_cards_can_still_be_tried_and_teach() -> None:
    state = arrange("7C 3C", "KD 2S", "4D", "6D")
    play(state, "7C")
    node = tree_of(state)
    assert list(choices(node)) == ["pass"]
    asked = beside(node)["pick"]
    pick = asked.child
    assert isinstance(pick, Pick)
    assert keys(asked.label) == ["atom.tree.none_beats"], "no cards can be played"
    with pytest.raises(IllegalAction) as caught:
        state.apply(1, pick.to_action((pick.items[-1].key,)))
    assert key(PRESENTER.why(caught.value, FOUR)) == "why.only_atoms"


def test_a_leader_can_ask_why_there_is_no_pass() -> None:
    state = arrange("5H 3C", "8D", "4D", "6D")
    node = tree_of(state)
    assert "pass" not in choices(node) | beside(node)
    assert key(refusal(state, beside(node)["why"].child)) == "why.must_lead"
    play(state, "5H")
    assert not beside(tree_of(state))


def test_the_caller_can_ask_why_a_card_cannot_be_called() -> None:
    state = GAME.deal(GAME.setup(5, bytes(32)))
    node, hand = tree_of(state, LOOK), state.observe(state.turn).hand
    why = choices(beside(node)["why"].child)
    for rank in ("rX", f"r{RANK_CODES[state.blade]}"):
        assert key(refusal(state, why[rank].child, LOOK)) == "why.not_callable"
    ranks = {*choices(node), *why}
    assert len(ranks) == 14
    held = 0
    for choice in choices(node).values():
        suits = choices(choice.child) | beside(choice.child)
        assert set(suits) == set("cdhs")
        for suit, one in beside(choice.child).items():
            held += 1
            assert key(refusal(state, one.child, LOOK)) == "why.call_not_own"
            card = 4 * RANK_CODES.index(choice.key[1]) + "cdhs".index(suit)
            assert key(one.label) == "tree.call_held"
            assert {LABELS[card], str(hand[card])} <= set(plain(one.label).split())
    assert held


def test_of_one_rank_atoms_and_nukes_come_first_then_what_spends_no_joker() -> None:
    state = arrange("KC 3C", "9C 9C 9C 9D 9D 9H 9H 9S 9S BJ RJ", "4D", "6D")
    play(state, "KC")
    ways = choices(choices(choices(tree_of(state))["heavy"].child)["r9"].child)
    labels = [way.label for way in ways.values()]
    assert [all_keys(label)[0] for label in labels[:3]] == ["atom.set.atom", "atom.set.nuke", "atom.set.bomb"]
    jokers = [label.count("★") for label in labels]
    assert jokers == sorted(jokers)


def test_a_way_says_what_else_it_spends() -> None:
    state = arrange("KC 3C", "9C 9C 9C 9D 9H 8C 8C 8D 8D 8H 8H 8S 8S RJ", "4D", "6D")
    play(state, "KC")
    heavy = choices(choices(tree_of(state))["heavy"].child)
    nines, eights = choices(heavy["r9"].child), choices(heavy["r8"].child)
    atom, nuke, joker = "atom.tree.breaks_atom", "atom.tree.breaks_nuke", "atom.tree.spends_jokers"
    assert nines["c-93000"].note == ""
    assert all_keys(nines["c-93100"].note) == [atom]
    assert all_keys(nines["c-92100-01"].note) == ["atom.tree.costs", atom, joker]
    assert eights["c-82222"].note == ""
    assert all_keys(eights["c-82210"].note) == [nuke]
    plain = arrange("KC KD 3C", "AC RJ RJ BJ BJ", "4D", "6D")
    play(plain, "KC KD")
    asked = choices(tree_of(plain))
    notes = {way.note for way in choices(choices(asked["heavy"].child)["rA"].child).values()}
    assert {key(note) for note in notes} == {"tree.spends_jokers"}
    assert {sign for note in notes for sign in note if sign.isdigit()} == {"3", "4"}


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
        state.push(turn[0], rng.choice(legal))
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
            state.push(turn[0], rng.choice(legal))
    assert longest == 3


def test_exact_cards_can_be_picked_and_a_mixture_is_refused_with_words() -> None:
    state = arrange("8C 8D 8H 9S RJ", "3D", "4D", "6D")
    node = tree_of(state)
    pick = beside(node)["pick"].child
    assert isinstance(pick, Pick)
    named = {plain(item.label): item.key for item in pick.items}
    place = follow(node, ("pick", f"+{named['8♥']}+{named['red ★']}", "ok"))
    assert place == Decision(lay("8H RJ"))
    state.verify(0, lay("8H RJ"))
    mixed = pick.to_action((named["8♥"], named["9♠"]))
    with pytest.raises(IllegalAction) as caught:
        state.verify(0, mixed)
    said = PRESENTER.why(caught.value, FOUR)
    assert key(said) == "why.not_one_rank"
    assert "8 and 9" in plain(said)


def test_two_copies_of_a_card_are_two_items() -> None:
    state = arrange("8C 8C 8D", "3D", "4D", "6D")
    pick = beside(tree_of(state))["pick"].child
    assert isinstance(pick, Pick)
    assert [keys(item.label) for item in pick.items] == [[], ["atom.tree.copy"], []]
    assert [plain(item.label)[:2] for item in pick.items] == ["8♣", "8♣", "8♦"]
    assert pick.to_action(tuple(item.key for item in pick.items)) == lay("8C 8C 8D")


def test_the_whole_hand_of_five_players_can_be_picked_by_group() -> None:
    state = GAME.deal(GAME.setup(5, bytes(32)))
    state.apply(state.turn, state.legal_actions(state.turn)[0])
    pick = beside(tree_of(state, LOOK))["pick"].child
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
    """The lines of the log since it was asked last."""
    events, state.events = state.events or [], []
    lines = [PRESENTER.line(event, None, look) for event in events]
    return [line for line in lines if line is not None]


def test_the_log_of_a_trick() -> None:
    state = arrange("5H 3C 3D", "KD 4H", "9C 9D 9H 9S", "6D 6H", blade="2")
    play(state, "5H", "KD", "9C 9D 9H 9S", "pass", "pass", "pass")
    lines = told(state)
    assert [
        (" ".join(keys(line)).replace("atom.line.", ""), plain(line).split("**")[1]) for line in lines
    ] == [
        ("lead left", "Ann"),
        ("play left", "Ben"),
        ("play_bomb", "Cy"),
        ("upstream", "Cy"),
        ("pass", "Dee"),
        ("pass", "Ann"),
        ("pass", "Ben"),
        ("trick leads", "Cy"),
    ]
    assert "5♥" in lines[0]
    assert "9♣ 9♦ 9♥ 9♠" in lines[2]
    assert "15" in lines[-1]
    assert "Dee" in lines[-1]


def test_the_log_tells_when_a_partner_is_revealed() -> None:
    state = arrange("AH KH 3C", "AS AS 3D", "AS AS 4D", "AS 4C", "9C 9D", caller=0, called="AS", leader=1)
    play(state, "AS AS")
    line = told(state, LOOK)[-1]
    assert key(line) == "line.revealed"
    assert "Ben" in line
    assert "A♠" in line


def test_a_further_copy_of_the_called_card_reveals_nobody_again() -> None:
    state = arrange("AH KH 3C", "AS AS AS 3D", "AS AS 4D", "4C", "9C 9D", caller=0, called="AS", leader=1)
    play(state, "AS AS", "pass", "pass", "pass", "pass", "AS")
    assert [keys(line) for line in told(state, LOOK)].count(["atom.line.revealed"]) == 1


def test_with_five_the_only_game_has_no_number() -> None:
    gone = ("", "", "AS", "AS", "AS")
    state = arrange("3C", "AS AS", "5C 10D", "4C 6C", "9C 9D", caller=0, called="AS", gone=gone)
    play(state, "3C", "AS", "pass", "pass", "pass", "AS")
    (line,) = (line for line in told(state, LOOK) if "atom.line.settled_five" in keys(line))
    assert [name for name in LOOK.names if name in line] == list(LOOK.names)
    assert " 15 " in plain(line)
    assert "atom.explain.game_five" in keys(PRESENTER.explain(state.observe(None), LOOK))


@pytest.mark.parametrize(
    ("table", "mine", "rule"),
    [
        ("7C", "8C 8D 8H 8S", "only_atoms"),
        ("9C 9D", "8C 8D", "too_low"),
        ("9C 9D", "AC", "other_count"),
        ("9C 9D 9H 9S", "8C 8D 8H 8S", "too_low"),
        ("9C 9C 9C", "7S", "higher_atom"),
    ],
)
def test_why_not_names_the_table_and_the_rule(table: str, mine: str, rule: str) -> None:
    state = arrange(table + " 3C", mine + " 3D", "4D", "6D")
    play(state, table)
    with pytest.raises(IllegalAction) as caught:
        state.verify(1, lay(mine))
    sentence = PRESENTER.why(caught.value, FOUR)
    assert key(sentence) == f"why.{rule}"
    sets = [name for name in all_keys(sentence) if name.startswith("atom.set.")]
    assert len(sets) == 2, "what lies there, and what was tried"


@pytest.mark.parametrize(
    ("blade", "order"),
    [("7", "3 … K, A, 2, Blade"), ("2", "3 … Q, K, A, Blade"), ("3", "4 … K, A, 2, Blade")],
)
def test_the_order_of_ranks_leaves_the_blade_out_of_its_place(blade: str, order: str) -> None:
    state = arrange("9C 4C", "8C 5D", "4D", "6D", blade=blade)
    play(state, "9C")
    with pytest.raises(IllegalAction) as caught:
        state.verify(1, lay("8C"))
    assert order in plain(PRESENTER.why(caught.value, FOUR))


def test_jokers_with_blades_have_a_sentence_of_their_own() -> None:
    state = arrange("7S RJ", "3D", "4D", "6D")
    with pytest.raises(IllegalAction) as caught:
        state.verify(0, lay("7S RJ"))
    said = PRESENTER.why(caught.value, FOUR)
    assert key(said) == "why.joker_with_blade"
    assert " 7 " in plain(said)


def test_the_overview_of_a_tag_shows_what_carries_it() -> None:
    hands, roles = (PRESENTER.overview(Look(), tag) for tag in ("hands", "roles"))
    assert hands is not None
    assert roles is not None
    assert hands.scene is not None
    assert roles.scene is not None
    assert "Nuke" in hands.scene.alt
    assert "Nuke" not in roles.scene.alt
    assert "Caller" in roles.scene.alt


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
    assert plain(PRESENTER.card("rank-10", FOUR).text).count("10 points") == 1


def test_status_names_game_blade_and_points() -> None:
    state = arrange("5H 3C", "8D", "4D", "6D")
    play(state, "5H")
    said = PRESENTER.status(state.observe(1), FOUR)
    assert all_keys(said) == ["atom.status.match", "atom.status.trick"]
    assert re.findall(r"\d+", plain(said)) == ["1", "2", "7", "1", "5"]
    five = GAME.deal(GAME.setup(5, bytes(32)))
    said = PRESENTER.status(five.observe(0), LOOK)
    assert key(said) == "status.call"
    assert LOOK.name(five.receiver) in said
    assert isinstance(five.legal_actions(five.turn)[0], Move)


def test_the_largest_pick_fits_into_a_custom_id() -> None:
    state = GAME.deal(GAME.setup(5, bytes(32)))
    state.apply(state.turn, state.legal_actions(state.turn)[0])
    pick = beside(tree_of(state, LOOK))["pick"].child
    assert isinstance(pick, Pick)
    keys = pick_segment([item.key for item in pick.items[: pick.most]])
    group = max(len(item.group[0]) for item in pick.items)
    assert group == len("r7")
    assert pick.most >= 12, "the bombs that hands hold can be picked whole"
    assert ids.make("add", 10**9, 4, 9999, "pick", keys, "r7")
    assert ids.make("go", 10**9, 4, 9999, ids.path_text(("pick", keys, "ok")))
