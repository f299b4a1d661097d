"""What Atom Duel says, with examples that a player would recognise."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from bot.presenters import get
from bot.presenters.atom_duel.words import Voice
from bot.presenters.base import Branch, Form, Leaf
from bot.render.scene import Look
from engine.atom_duel.cards import DECK, POWER_LEVEL
from engine.atom_duel.state import AtomDuelState
from engine.game import IllegalAction, Outcome, Standing
from tests.engine.atom_duel.positions import arrange, move, play, seal
from tests.support.discord.keys import MARKED, all_keys, facts, key, keys, plain

PRESENTER = get("atom_duel")
LIST = r"\((?:\d+ cards: )?([A-Z][a-z]?(?:, [A-Z][a-z]?)+)\)"
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve"), locale=MARKED)
SAID = Voice(Look())
"""What stands below a key of this game."""


# -- the log ----------------------------------------------------------------------------------


def log(state: AtomDuelState, viewer: int | None = None) -> list[str]:
    events = [event.seen_by(viewer) for event in state.events or ()]
    lines = [PRESENTER.line(event, viewer, LOOK) for event in events if event is not None]
    return [line for line in lines if line]


def line_of(state: AtomDuelState, name: str) -> dict[str, str]:
    """What was filled in into the only line of this key."""
    (found,) = (facts(line) for line in log(state) if keys(line) == [f"atom_duel.line.{name}"])
    return found


def test_the_log_tells_a_laser_and_its_victim() -> None:
    state = arrange("He Sc", "Pb Ca")
    play(state, "He", "aim:1.0")
    played, fired = log(state)
    assert (key(played), facts(played)["card"]) == ("line.play_power", "**Helium** (He 2)")
    assert "atom_duel.power.laser" in all_keys(played)
    assert key(fired) == "line.vaporised"
    assert {"name": "**Ann**", "target": "**Ben**", "card": "**Lead** (Pb 82)"}.items() <= facts(
        fired
    ).items()


def test_an_announced_power_is_in_the_log() -> None:
    state = arrange("Fe Sc", "Pb Ca")
    play(state, "Fe/magnet")
    (line,) = log(state)
    assert (key(line), facts(line)["card"]) == ("line.play_as", "**Iron** (Fe 26)")
    assert "atom_duel.as.magnet" in all_keys(line)


def test_only_thallium_s_player_reads_what_was_seen() -> None:
    state = arrange("Tl Sc", "Pb Ca Og", "Ti V")
    play(state, "Tl", "peek:1.0", "peek:1.1", "peek:1.2")
    line = log(state, 0)[-1]
    assert (key(line), facts(line)["cards"]) == ("line.peek_own", "Pb 82, Ca 20 and Og 118")
    for viewer in (1, 2, None):
        line = log(state, viewer)[-1]
        assert key(line) == "line.peek"
        assert "1, 2 and 3" in facts(line)["slots"]
        assert "Pb" not in line


def test_germanium_under_lanthanum_is_told_as_what_is_to_come() -> None:
    state = arrange("La Sc Pb", "Ge Ti Og", "Ba Nb Ca")
    play(state, "La", "Ge")
    assert key(log(state)[-1]) == "line.germanium_shown"
    play(state, "Ba")
    assert ["atom_duel.line.lanthanum_over_shuffled"] in [keys(line) for line in log(state)]


def test_a_power_without_a_target_is_told() -> None:
    state = arrange("Ba", "He")
    play(state, "Ba", "He")
    assert {"card": "He 2", "name": "**Ben**"}.items() <= line_of(state, "no_target").items()
    state = arrange("Hg Sc", "Pb Ti")
    play(state, "Hg")
    assert {"card": "Hg 80", "name": "**Ann**"}.items() <= line_of(state, "no_trader").items()


def test_a_sealed_card_is_told_to_its_owner_alone() -> None:
    state = arrange("Fe Sc", "Pb Ca", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    state.apply(0, move("seal:Fe/magnet"))
    (line,) = log(state, 0)
    assert (key(line), facts(line)["card"], facts(line)["position"]) == (
        "line.seal_as",
        "**Iron** (Fe 26)",
        "1",
    )
    assert "atom_duel.as.magnet" in all_keys(line)
    assert log(state, 1) == log(state) == []


# -- choices ----------------------------------------------------------------------------------


def choices(state: AtomDuelState, *path: str) -> tuple[str, dict[str, str]]:
    """The question at a path, and the labels of its answers."""
    seat = state.to_act()[0]
    node = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    for step_on in path:
        node = next(choice.child for choice in node.choices if choice.key == step_on)  # type: ignore[union-attr]
    return node.prompt, {choice.key: choice.label for choice in node.choices}  # type: ignore[union-attr]


def test_the_first_choice_is_the_hand_itself() -> None:
    state = arrange("Fe Sc Pb", "Pd Ca")
    prompt, cards = choices(state)
    assert [one.rsplit("atom_duel.", 1)[-1] for one in all_keys(prompt)] == ["tree.lead", "tree.play"]
    assert [(name, key(label)) for name, label in cards.items()] == [
        ("Fe", "tree.two"),
        ("Sc", "tree.card"),
        ("Pb", "tree.card"),
    ]
    prompt, ways = choices(state, "Fe")
    assert (key(prompt), facts(prompt)["symbol"]) == ("tree.announce", "Fe 26")
    assert {name: key(label) for name, label in ways.items()} == {"alloy": "as.alloy", "magnet": "as.magnet"}


def test_at_level_five_iron_has_nothing_to_announce() -> None:
    state = arrange("Fe Sc Pb", "Pd Ca", level=5)
    assert key(choices(state)[1]["Fe"]) == "tree.card"
    assert facts(choices(state)[1]["Fe"])["slot"] == "1"


def test_the_note_of_a_card_names_its_powers_at_this_level() -> None:
    for level, note in (
        (1, []),
        (5, ["power.alloy"]),
        (6, ["power.alloy", "tree.or", "power.magnet"]),
    ):
        state = arrange("Fe Sc", "Pd Ca", level=level)
        tree = PRESENTER.choices(state.observe(0), state.legal_actions(0), LOOK)
        told = all_keys(tree.choices[0].note)  # type: ignore[union-attr]
        assert [name.removeprefix("atom_duel.") for name in told] == note


def test_a_laser_asks_whom_and_then_which_slot_and_names_what_was_seen() -> None:
    state = arrange("Tl He Sc", "Pb Ca", "Ti V")
    play(state, "Tl", "peek:1.0", "peek:1.1", "Ca", "Ti/alloy", "He")
    prompt, people = choices(state)
    assert (key(prompt), people) == ("tree.aim", {"s1": "Ben", "s2": "Cy"})
    (seen,) = choices(state, "s1")[1].values()
    assert key(seen) == "tree.slot_seen"
    assert "Pb 82" in facts(seen)["label"]
    prompt, slots = choices(state, "s2")
    assert (key(prompt), facts(prompt)["target"]) == ("tree.aim_slot", "**Cy**")
    assert {name: key(label) for name, label in slots.items()} == {"B": "tree.slot"}


def test_with_one_opponent_a_laser_asks_for_the_slot_at_once() -> None:
    state = arrange("He Sc", "Pb Ca")
    play(state, "He")
    prompt, slots = choices(state)
    assert (key(prompt), facts(prompt)["target"]) == ("tree.aim_slot", "**Ben**")
    assert [facts(label)["slot"] for label in slots.values()] == ["1", "2"]
    assert list(slots) == ["A", "B"]  # the keys stay what they were in the ids of open hands


def why_not(state: AtomDuelState, key: str, *path: str) -> str:
    """The sentence behind a choice that is offered although the rules forbid it."""
    seat = state.to_act()[0]
    node = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    for step in path:
        node = next(choice.child for choice in node.all_choices() if choice.key == step)  # type: ignore[union-attr]
    leaf = next(choice.child for choice in node.all_choices() if choice.key == key)  # type: ignore[union-attr]
    assert isinstance(leaf, Leaf)
    assert leaf.refused
    with pytest.raises(IllegalAction) as caught:
        state.verify(seat, leaf.action)
    return PRESENTER.why(caught.value, LOOK)


def test_who_cannot_be_chosen_is_offered_with_the_reason() -> None:
    state = arrange("Hg Sc Ca", "Pb Ti", "V")
    play(state, "Hg")
    assert key(why_not(state, "s2")) == "why.trade_two_cards"
    state = arrange("He Sc", "Pb Ti", "V Nb", "")
    play(state, "He")
    assert list(choices(state)[1]) == ["s1", "s2", "s3"]
    said = why_not(state, "s3")
    assert (key(said), facts(said)["slot"], facts(said)["seat"]) == ("why.empty_slot", "1", "**Dee**")


def test_rules_that_hide_and_bind_can_be_asked_about() -> None:
    state = arrange("Ge Sc Ca", "Pb Ti Og", "V Nb")
    play(state, "Ge")
    assert key(why_not(state, "why")) == "why.cards_hidden"
    state = arrange("Fe Sc Ba", "Pb Ca Og", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    seal(state, "Fe/magnet")
    said = why_not(state, "why")
    assert (key(said), facts(said)["card"]) == ("why.already_sealed", "Fe 26")


def test_a_look_counts_no_more_cards_than_there_are() -> None:
    state = arrange("Tl Sc", "Pb Ca")
    play(state, "Tl")
    prompt = choices(state)[0]
    assert key(prompt) == "tree.peek_slot"
    assert {"target": "**Ben**", "nth": "1", "count": "2"}.items() <= facts(prompt).items()


def test_francium_says_when_it_is_too_late() -> None:
    def note(state: AtomDuelState) -> list[str]:
        seat = state.to_act()[0]
        tree = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
        told = next(choice.note for choice in tree.choices if choice.key == "Fr")  # type: ignore[union-attr]
        return [name.removeprefix("atom_duel.") for name in keys(told)]

    state = arrange("Fr Og Sc", "Ba Ca Ti")
    assert note(state) == ["power.radioactive", "power.first_or_zero"]
    play(state, "Og", "Ba")
    assert note(state) == ["tree.worthless"]
    state = arrange("Fr Og Sc", "Ba Ca Ti", round_=2)
    assert note(state) == ["power.radioactive", "power.first_or_zero"]
    state.apply(0, move("seal:Og"))
    assert note(state) == ["tree.worthless"]
    state = arrange("Fr Og Sc", "Ba Ca Ti", level=6)
    play(state, "Og", "Ba")
    assert note(state) == ["power.radioactive"]


def test_names_are_escaped_in_a_prompt_and_not_on_a_label() -> None:
    state = arrange("He Sc", "Pb Ca", "Ti")
    play(state, "He")
    look = Look(names=("Ann", "B\\_e\\_n", "Cy"))
    tree = PRESENTER.choices(state.observe(0), state.legal_actions(0), look)
    assert isinstance(tree, Branch)
    assert tree.choices[0].label == "B_e_n"
    child = tree.choices[0].child
    assert isinstance(child, Branch)
    assert "**B\\_e\\_n**" in child.prompt


def test_mercury_asks_step_by_step() -> None:
    state = arrange("Hg Sc Ca", "Pb Ti", "V Nb")
    play(state, "Hg")
    prompt, ways = choices(state)
    assert key(prompt) == "tree.trade"
    assert [(name, key(label)) for name, label in ways.items()] == [
        ("s1", "tree.trade_with"),
        ("s2", "tree.trade_with"),
        ("keep", "tree.keep"),
    ]
    play(state, "trade:1")
    assert question(state) == ("tree.give", "**Ben**", "1")
    play(state, "give:Sc")
    assert question(state) == ("tree.give", "**Ben**", "2")
    assert list(choices(state)[1]) == ["Ca"]
    play(state, "give:Ca")
    assert question(state) == ("tree.take", "**Ben**", "1")
    assert list(choices(state)[1]) == ["A", "B"]


def question(state: AtomDuelState) -> tuple[str, str, str]:
    """A question about somebody's cards: its key, whose they are, and the how-many-th it is."""
    prompt = choices(state)[0]
    return key(prompt), facts(prompt)["target"], facts(prompt)["nth"]


def test_under_germanium_a_slot_is_played_blind() -> None:
    state = arrange("Ge Sc Ca", "Pb Ti Og", "V Nb")
    play(state, "Ge")
    prompt, slots = choices(state)
    assert [
        one
        for one in (each.removeprefix("atom_duel.") for each in all_keys(prompt))
        if one.startswith("tree")
    ] == ["tree.to_beat", "tree.flip"]
    assert [(name, key(label)) for name, label in slots.items()] == [
        (name, "tree.slot_down") for name in "ABC"
    ]
    tree = PRESENTER.choices(state.observe(1), state.legal_actions(1), LOOK)
    note = tree.choices[0].note  # type: ignore[union-attr]
    assert (key(note), facts(note)["symbols"]) == ("tree.perhaps", "Ti 22, Pb 82 and Og 118")
    about = [each.noted for each in tree.choices]  # type: ignore[union-attr]
    assert list(map(key, about)) == ["tree.each_slot"] * 3, "it stands once below the question"


def test_the_last_round_is_ordered_card_by_card() -> None:
    state = arrange("Fe Sc Pb", "Pb Ca Og", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    assert key(choices(state)[0]) == "tree.seal_first"
    seal(state, "Fe/magnet")
    prompt = choices(state)[0]
    assert (key(prompt), facts(prompt)["nth"], facts(prompt)["count"]) == ("tree.seal", "2", "3")
    assert list(choices(state)[1]) == ["Sc", "Pb"]
    seal(state, "Sc")
    assert key(choices(state)[0]) == "tree.seal_last"


def sealing_form(*rows: str, done: str = "") -> tuple[AtomDuelState, str, Form]:
    """A row that is being ordered, with the label and the form for the rest of it."""
    state = arrange(*rows, rounds=1)
    state.phase, state.sealed = 1, [[] for _ in rows]
    if done:
        seal(state, done)
    tree = PRESENTER.choices(state.observe(0), state.legal_actions(0), LOOK)
    assert isinstance(tree, Branch)
    (way,) = (choice for choice in tree.side_choices if choice.key == "all")
    assert isinstance(way.child, Form)
    return state, way.label, way.child


def test_a_row_is_ordered_at_once_as_it_lies() -> None:
    state, label, form = sealing_form("Fe Sc Pb", "Pb Ca Og")
    assert key(label) == "tree.form_all"
    assert [key(blank.label) for blank in form.blanks] == [
        "tree.form_first",
        "tree.form_nth",
        "tree.form_nth",
    ]
    offered = [(item.key, key(item.label)) for item in form.blanks[0].items]
    assert offered == [
        ("Fe-alloy", "tree.form_as"),
        ("Fe-magnet", "tree.form_as"),
        ("Sc", "tree.card"),
        ("Pb", "tree.card"),
    ]
    assert form.filled_in() == ("Fe-alloy", "Sc", "Pb")
    assert form.to_actions(("Pb", "Fe-magnet", "Sc")) == (
        move("seal:Pb"),
        move("seal:Fe/magnet"),
        move("seal:Sc"),
    )
    for action in form.to_actions(("Pb", "Fe-magnet", "Sc")):
        state.apply(0, action)
    assert state.to_act() == (1,)


def test_a_card_in_two_places_is_told() -> None:
    _, _, form = sealing_form("Fe Sc Pb", "Pb Ca Og")
    assert form.amiss(("Sc", "Pb", "Fe-magnet")) == ""
    told = form.amiss(("Fe-alloy", "Fe-magnet", "Pb"))
    assert (key(told), facts(told)["cards"], facts(told)["rest"]) == ("tree.form_twice", "Fe 26", "Sc 21")
    assert "Sc 21 and Pb 82" in facts(form.amiss(("Fe-alloy", "Fe-magnet", "Fe-alloy")))["rest"]


def test_a_long_row_is_ordered_in_pieces() -> None:
    _, label, form = sealing_form("Fe Sc Pb Og Ca Ti Lu", "K Na Li Be B C N")
    assert (key(label), facts(label)["n"], len(form.blanks)) == ("tree.form_next", "5", 5)
    assert " or " in facts(form.amiss(("Sc", "Sc", "Pb", "Og", "Ca")))["rest"]
    _, label, form = sealing_form("Fe Sc Pb Og Ca", "K Na Li Be B", done="Fe/magnet Sc")
    assert (key(label), [blank.key for blank in form.blanks]) == ("tree.form_rest", ["n3", "n4", "n5"])


def test_two_cards_are_as_soon_pressed() -> None:
    state = arrange("Fe Sc", "Pb Ca", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    tree = PRESENTER.choices(state.observe(0), state.legal_actions(0), LOOK)
    assert isinstance(tree, Branch)
    assert tree.side_choices == ()


# -- why not? ---------------------------------------------------------------------------------


def refusal(state: AtomDuelState, word: str) -> str:
    with pytest.raises(IllegalAction) as caught:
        state.verify(state.to_act()[0], move(word))
    return PRESENTER.why(caught.value, LOOK)


def test_refusals_teach() -> None:
    state = arrange("Fe Sc", "Pb Ca")
    said = refusal(state, "Fe")
    assert (key(said), facts(said)["card"]) == ("why.announce_first", "Fe 26")
    assert {"atom_duel.as.alloy", "atom_duel.as.magnet"} <= set(all_keys(said))
    said = refusal(state, "Og")
    assert (key(said), facts(said)["card"]) == ("why.card_not_in_hand", "Og 118")
    assert key(refusal(state, "aim:1.0")) == "why.not_asked"
    state = arrange("He Sc", "Pb Ca")
    play(state, "He")
    said = refusal(state, "Sc")
    assert (key(said), facts(said)["card"]) == ("why.choose_first", "He 2")
    assert any(name.startswith("atom_duel.asks.") for name in all_keys(said))
    assert key(refusal(state, "aim:0.1")) == "why.own_row"
    said = refusal(state, "aim:1.3")
    assert (key(said), facts(said)["slot"], facts(said)["seat"]) == ("why.empty_slot", "4", "**Ben**")


# -- round the game ---------------------------------------------------------------------------


def test_the_level_says_what_it_adds() -> None:
    label, note = PRESENTER.option("level", 6, LOOK)
    assert "6" in plain(label)
    assert len({PRESENTER.option("level", level, LOOK)[1] for level in range(1, 8)}) == 7
    assert keys(note)


def test_rounds_say_for_how_many_the_deck_reaches() -> None:
    label, note = PRESENTER.option("rounds", 4, LOOK)
    assert facts(label)["n"] == "4"
    assert re.findall(r"\d+", plain(note)) == ["5", "5", "4", "7"]
    assert facts(PRESENTER.option("rounds", 1, LOOK)[0])["n"] == "1"


def test_the_status_is_one_line() -> None:
    state = arrange("Fe Sc", "Pb Ca", level=4)
    said = PRESENTER.status(state.observe(None), LOOK)
    assert key(said) == "status.hand"
    assert {"round": "1", "rounds": "2", "hand": "1", "level": "4"}.items() <= facts(said).items()


def test_the_ending_says_what_broke_the_tie() -> None:
    standings = (Standing(2, 4.0), Standing(1, 4.0), Standing(3, 1.0))
    known = {"last_round": [1, 3, 0], "best2": [200, 199, 10]}
    *places, reason = PRESENTER.ending(Outcome(standings, "last_round", known), LOOK).splitlines()
    assert [re.findall(r"🥇|🥈|🥉|Ann|Ben|Cy|\d+", plain(line)) for line in places] == [
        ["🥇", "Ben", "4"],
        ["🥈", "Ann", "4"],
        ["🥉", "Cy", "1"],
    ]
    assert (key(reason), facts(reason)["figures"]) == ("ending.last_round", "**Ann** 1 and **Ben** 3")


def test_the_figures_of_a_tie_are_those_of_who_was_still_level() -> None:
    standings = (Standing(1, 4.0), Standing(2, 4.0), Standing(3, 4.0), Standing(4, 1.0))
    known = {"last_round": [1, 1, 0, 3], "best2": [200, 199, 236, 0]}
    told = PRESENTER.ending(Outcome(standings, "best_value", known), LOOK).splitlines()[-1]
    assert (key(told), facts(told)["figures"]) == ("ending.best_value", "**Ann** 100 and **Ben** 99½")
    told = PRESENTER.ending(Outcome(standings, "last_round", known), LOOK).splitlines()[-1]
    assert facts(told)["figures"] == "**Ann** 1, **Ben** 1 and **Cy** 0"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("aluminium", "Al"),
        ("caesium", "Cs"),
        ("sulphur", "S"),
        ("natrium", "Na"),
        ("kalium", "K"),
        ("wolfram", "W"),
        ("26", "Fe"),
        ("Og", "Og"),
        ("Trade two", "Hg"),
    ],
)
def test_a_card_has_other_names(name: str, key: str) -> None:
    assert [card.key for card in PRESENTER.cards("en") if name in card.aliases] == [key]


def test_cards_are_tagged_by_their_powers() -> None:
    cards = PRESENTER.cards("en")
    assert len(cards) == 118
    assert [card.key for card in cards if "magnet" in card.tags] == ["Fe", "Co", "Ni", "Nd", "Sm", "Gd", "Dy"]
    assert sum("unique power" in card.tags for card in cards) == 25


def test_a_card_says_which_power_sleeps_at_the_level() -> None:
    page = PRESENTER.card("Fe", LOOK, {"level": 5})
    assert plain(page.title) == "Iron · Fe 26"
    assert powers(page.text) == {"alloy": "page.power", "magnet": "page.waiting"}
    assert "steel" in page.text
    both = PRESENTER.card("Fe", LOOK, {"level": 6}).text
    assert ["atom_duel.page.two_powers" in all_keys(text) for text in (page.text, both)] == [False, True]


def powers(text: str) -> dict[str, str]:
    """The powers of a card's page, and as what each stands there."""
    found = [name.removeprefix("atom_duel.") for name in all_keys(text)]
    return {
        name.removeprefix("power."): around
        for around, name in pairwise(found)
        if around in ("page.power", "page.waiting") and name.startswith("power.")
    }


def test_advice_is_given_for_powers_that_are_awake() -> None:
    tips = {
        level: plain(PRESENTER.card("W", LOOK, {"level": level}).text).split("💡")[-1] for level in (5, 6)
    }
    assert ["Carbide" in tips[level] for level in (5, 6)] == [False, True]


def test_a_noble_gas_is_noble_as_soon_as_there_are_magnets() -> None:
    noble = [powers(PRESENTER.card("He", LOOK, {"level": level}).text)["noble_gas"] for level in (5, 6)]
    assert noble == ["page.waiting", "page.power"]


def test_gold_is_proof_at_level_7_only() -> None:
    proof, metal = "immune_laser_magnet_carbide", "atom_duel.page.metal"
    for level, form in ((3, "page.waiting"), (6, "page.waiting"), (7, "page.power")):
        page = PRESENTER.card("Au", LOOK, {"level": level})
        assert powers(page.text) == {proof: form}
        assert facts(page.text)["level"] == "7"
    beaten, safe = (all_keys(PRESENTER.card("Au", LOOK, {"level": level}).text) for level in (6, 7))
    assert metal in beaten
    assert f"{metal}_immune" in safe


def test_copper_is_proof_from_level_3() -> None:
    found = [powers(PRESENTER.card("Cu", LOOK, {"level": level}).text) for level in (2, 3)]
    assert [one["immune_laser"] for one in found] == ["page.waiting", "page.power"]


@pytest.mark.parametrize(("version", "level"), [(1, "3"), (2, "7")])
def test_a_card_is_explained_by_the_rules_of_its_game(version: int, level: str) -> None:
    seen = arrange("Au Sc", "Pd Ca", level=6, version=version).observe(0)
    page = PRESENTER.looked_up("Au", LOOK, {"level": 6}, seen)
    assert facts(page.text)["level"] == level
    awake = version == 1
    assert list(powers(page.text).values()) == ["page.power" if awake else "page.waiting"]
    assert ("atom_duel.page.metal_immune" in all_keys(page.text)) is awake
    assert ("atom_duel.tip.Au" in all_keys(page.text)) is awake


@pytest.mark.parametrize(("version", "note"), [(1, ["power.immune_laser_magnet_carbide"]), (2, [])])
def test_the_note_of_gold_follows_the_rules_of_its_game(version: int, note: list[str]) -> None:
    state = arrange("Au Sc", "Pd Ca", level=6, version=version)
    tree = PRESENTER.choices(state.observe(0), state.legal_actions(0), LOOK)
    told = all_keys(tree.choices[0].note)  # type: ignore[union-attr]
    assert [name.removeprefix("atom_duel.") for name in told] == note


def test_the_rules_of_the_level_come_first() -> None:
    assert PRESENTER.rules("en", {"level": 5})[0].title == SAID("option.level_5")
    assert PRESENTER.rules("en")[0].title == SAID("rules.begin_title")


def test_the_rules_name_the_cards_of_each_power_and_count_them() -> None:
    by_title = {page.title: page.text for page in PRESENTER.rules("en")}
    text = {level: by_title[SAID(f"option.level_{level}")] for level in range(2, 7)}
    lists = set[str]()
    for page in text.values():
        lists |= set(re.findall(r"\((?:\d+ [a-z]+: )?([A-Z][a-z]?(?:, [A-Z][a-z]?)+)\)", page))
    for power in ("anti_scientist", "anti_laboratory", "laser", "stopper", "alloy", "magnet", "carbide"):
        symbols = ", ".join(card.symbol for card in DECK.cards if power in card.powers)
        assert symbols in lists, power
        lists.discard(symbols)
    assert not lists
    for power in DECK.powers:
        if power.key in ("scientist", "laboratory", "radioactive", "alloy"):
            name = rf"\*\*{SAID.power(power.key)[:-1]}\w*\*\*"
            counted = rf"{name}[^.]*\b{power.cards}\b|\b{power.cards}\b[^.]*{name}"
            assert re.search(counted, text[POWER_LEVEL[power.key]], re.IGNORECASE), power.key


def test_the_makers_are_named() -> None:
    assert "www.atomduel.com" in PRESENTER.about("en")
    assert "Trainer" in PRESENTER.about("en")


# -- the turning point in the picture of the end ----------------------------------------------


def won(state: AtomDuelState, rounds: int, locale: str = "en") -> tuple[str, str]:
    """How the hand just decided reads in the log, and in the picture of the end."""
    look = Look(names=("Ann", "Ben"), locale=locale)
    (event,) = (event for event in state.events or () if event.kind == "hand_won")
    line = PRESENTER.line(event, None, look)
    return line or "", PRESENTER.recall(event, {"rounds": rounds}, look) or line or ""


def test_the_picture_of_the_end_names_the_round_of_a_hand_if_there_were_several() -> None:
    state = arrange("Th Sc", "Pb Ca", level=1, round_=2)
    play(state, "Th")
    play(state, "Pb")
    log_says = "🏆 **Ann** wins hand 1 with **Thorium** (Th 90)."
    assert won(state, 2) == (log_says, "🏆 **Ann** wins hand 1 of round 2 with **Thorium** (Th 90).")
    assert won(state, 1) == (log_says, log_says)
    assert won(state, 2, "zh-CN")[1] == "🏆 **Ann** 赢下第 2 轮第 1 手，用的是**钍**（Th 90）。"


def test_the_value_of_a_hand_is_told_only_if_it_is_not_the_number_of_the_card() -> None:
    """A Magnet adds the second highest other number: Iron comes to 26 + 17."""
    state = arrange("Fe Sc", "Br Ca", "Cl V", level=6, rounds=1)
    play(state, "Fe/magnet")
    play(state, "Br")
    play(state, "Cl")
    assert won(state, 1)[0] == "🏆 **Ann** wins hand 1 with **Iron** (Fe 26): 43."
