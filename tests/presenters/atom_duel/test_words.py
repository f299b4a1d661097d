"""What Atom Duel says, with examples that a player would recognise."""

from __future__ import annotations

import re

import pytest

from bot.presenters import get
from bot.presenters.atom_duel.words import number
from bot.presenters.base import Branch, Leaf
from bot.render.scene import Look
from engine.atom_duel.cards import DECK
from engine.atom_duel.state import AtomDuelState
from engine.game import IllegalAction, Outcome, Standing
from tests.engine.atom_duel.positions import arrange, move, play, seal

PRESENTER = get("atom_duel")
LIST = r"\((?:\d+ cards: )?([A-Z][a-z]?(?:, [A-Z][a-z]?)+)\)"
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve"))


def told(hand: str, level: int = 7, seats: int = 0, *, zinc: int = 0, number_: int = 1) -> list[str]:
    """The explanation of a hand in which each player holds just one card, line by line."""
    words = hand.split()
    rows = [word.partition("/")[0] for word in words] + [""] * (seats - len(words))
    state = arrange(*rows, level=level)
    state.zinc, state.hand = zinc, number_
    play(state, *words)
    return explained(state)


def explained(state: AtomDuelState) -> list[str]:
    return PRESENTER.explain(state.observe(None), LOOK).splitlines()


def has(lines: list[str], text: str) -> bool:
    return any(text in line for line in lines)


# -- why? -------------------------------------------------------------------------------------


def test_a_magnet_is_explained_step_by_step() -> None:
    assert told("Pu Pb Fe/magnet", level=6) == [
        "**Round 1, hand 1**",
        "Played in this order: Pu 94 by **Ann**, Pb 82 by **Ben**, Fe 26 as a Magnet by **Cy**.",
        "1. **Magnet** Fe 26 connects to the second highest besides it, Pb 82: 26 + 82 = 108. "
        "Pb 82 stays in the contest.",
        "2. **Radiation Stopper** Pb 82 beats Pu 94 and takes the highest of their values: 94.",
        "3. **Anti-Scientist** Pu 94 meets no Scientist on its own, so it gains nothing.",
        "4. **Cy** wins: Fe 26 has the highest value that is not beaten, **108**.",
        "Values: **Fe 108** · Pb 94 · ~~Pu 94~~ beaten.",
    ]


@pytest.mark.parametrize(
    ("hand", "level", "line"),
    [
        ("Nd Pd Mn", 1, "**Ann** wins: Nd 60 has the highest value, **60**."),
        ("Lu Mn Pd", 5, "**Tie** at 71 with the compound of Pd 46: fewer cards win, so Lu 71 is ahead."),
        ("Lu Mn Pd", 5, "**Alloy** Pd 46 melts Mn 25 into one compound: 25 + 46 = 71. **Cy** controls it."),
        ("Mn C Lu", 7, "Carbon triples it: (25 + 6) × 3 = 93. **Ben** controls it."),
        ("Po N", 7, "**Tie** at 7 with N 7: the result that uses no power wins, so Po 84 is ahead."),
        ("Po N", 7, "**Nitrogen** N 7 takes 77 from everything else: Po 84 → 7."),
        ("Cn As Te", 2, "the higher printed number wins, so Te 52 is ahead."),
        ("Cn As Ta", 6, "**Carbide Bit** Ta 73 is wasted: As 33 trumps a Scientist or Laboratory"),
        ("Pd Pt Ta Ac", 6, "**Carbide Bit** Ta 73 halves the compound of Pt 78: 124 → 62."),
        ("Fr Dy V Nb", 6, "halves Fr 87: 87 → 43½."),
        ("Ta Pm Ce", 6, "**Carbide Bit** Ta 73 is the highest itself and halves itself: 73 → 36½."),
        ("Au Nb Nd/laser", 7, "**Carbide Bit** Nb 41 is wasted: Au 79 is immune to Carbide Bits."),
        ("Co Gd Ac", 6, "**Magnets** Co 27 and Gd 64 cancel each other"),
        ("Og Rn Co", 6, "wasted: the second highest, Rn 86, is a noble gas"),
        ("Ag Ac Co", 6, "**Magnet** Co 27 is wasted: Ag 47 is immune to Magnets."),
        ("Co Zn", 6, "**Magnet** Co 27 beats Zn 30: in a hand of two cards"),
        ("Co Og", 6, "**Magnet** Co 27 does nothing: in a hand of two cards it only beats"),
        ("Cm K", 7, "**Potassium** K 19 joins the Scientist Cm 96: 19 + 96 = 115."),
        ("Ac K", 7, "**Potassium** K 19 is wasted: there is no Scientist"),
        ("Og Fl O", 7, "**Oxygen** O 8 takes over the second highest besides it, Fl 114: 8 + 114 = 122."),
        ("C Fe/alloy", 7, "**Carbon** C 6 beats Fe 26: with two players it beats any alloy card."),
        ("O Fe/alloy", 7, "**Alloy** Fe 26 does nothing: with two players alloys don't form."),
        ("O Fe/alloy", 7, "**Oxygen** O 8 does nothing"),
        ("Ti/carbide W/carbide Al", 7, "**Carbide Bit** W 74 is wasted: no result is left for it to cut."),
        ("N V Nb", 7, "**Carbide Bit** Nb 41 is wasted: Nb 41 is not above 0"),
        ("Og Rn O", 7, "**Oxygen** O 8 is wasted: the second highest, Rn 86, is a noble gas"),
        ("As Lv Pb", 2, "**Anti-Scientist** As 33 meets no Scientist on its own"),
    ],
)
def test_a_step_says_what_happened(hand: str, level: int, line: str) -> None:
    assert has(told(hand, level), line), told(hand, level)


def test_gold_with_zinc_wins_by_its_name() -> None:
    lines = told("Au N", zinc=1)
    assert has(lines, "**Zinc** adds 5 to Au 79 of **Ann**: 84.")
    assert has(lines, "**Tie** at 7 with N 7: the name nearest to A wins, so Gold is ahead.")


def test_francium_that_comes_too_late_is_worthless() -> None:
    assert has(told("Fr H", number_=2), "Fr 87 was not played in the first hand of the round: it counts 0")


def test_a_running_hand_is_explained_so_far() -> None:
    state = arrange("Og Sc", "As Ca", "Pb Ti")
    play(state, "Og", "As")
    assert explained(state)[:2] == [
        "**Hand 1, so far**",
        "Played in this order: Og 118 by **Ann**, As 33 by **Ben**.",
    ]
    assert has(explained(state), "**Ben** is ahead for now: As 33 has **118**.")
    assert explained(state)[-1] == "One card is still to come, so this may change."


def test_all_hands_of_the_last_round_are_explained() -> None:
    state = arrange("Lu Fe Ba I", "Br Ca Y Se", "Tc S Sc Ce", round_=2)
    seal(state, "Lu Fe/magnet Ba I", "Br Ca Y Se", "Tc S Sc Ce")
    heads = [line for line in explained(state) if line.startswith("**") and "hand" in line.lower()]
    assert heads == ["**Hand 3, so far**", "**Round 2, hand 2**", "**Round 2, hand 1**"]
    assert has(explained(state), "**Ann** wins: Lu 71 has the highest value, **71**.")


def test_hands_that_find_no_room_are_explained_in_a_line() -> None:
    rows = ("Ti W Al Fe Og", "V Nb Mg C Cm", "Ni Mn N O K", "Pb As Po Cn Pu", "Zr Dy Gd Sm Co")
    sealed = ("Ti/carbide W/carbide Al Fe/magnet Og", rows[1], "Ni/magnet Mn N O K", *rows[3:])
    state = arrange(*rows, round_=2)
    seal(state, *sealed)
    look = Look(names=tuple("\\_" * 15 + letter for letter in "ABCDE"))
    told = PRESENTER.explain(state.observe(None), look)
    assert len(told) <= 3500
    assert [f"hand {n}**" in told for n in (5, 4, 3)] == [True, True, True]
    assert "**Hand 1**: " in told.splitlines()[-1]


def test_nothing_is_explained_before_the_first_card() -> None:
    assert PRESENTER.explain(arrange("Og", "As").observe(0), LOOK) == ""


@pytest.mark.parametrize(
    ("value2", "text"), [(214, "107"), (107, "53½"), (1, "½"), (0, "0"), (-10, "\u22125")]
)
def test_numbers_are_exact_halves(value2: int, text: str) -> None:
    assert number(value2) == text


# -- the log ----------------------------------------------------------------------------------


def log(state: AtomDuelState, viewer: int | None = None) -> list[str]:
    events = [event.seen_by(viewer) for event in state.events or ()]
    lines = [PRESENTER.line(event, viewer, LOOK) for event in events if event is not None]
    return [line for line in lines if line]


def test_the_log_tells_a_laser_and_its_victim() -> None:
    state = arrange("He Sc", "Pb Ca")
    play(state, "He", "aim:1.0")
    assert log(state) == [
        "**Ann** plays **Helium** (He 2): Laser.",
        "💥 **Ann** fires the Laser: **Ben** loses **Lead** (Pb 82).",
    ]


def test_an_announced_power_is_in_the_log() -> None:
    state = arrange("Fe Sc", "Pb Ca")
    play(state, "Fe/magnet")
    assert log(state) == ["**Ann** plays **Iron** (Fe 26) as a Magnet."]


def test_only_thallium_s_player_reads_what_was_seen() -> None:
    state = arrange("Tl Sc", "Pb Ca Og", "Ti V")
    play(state, "Tl", "peek:1.0", "peek:1.1", "peek:1.2")
    assert log(state, 0)[-1] == "Thallium: you see Pb 82, Ca 20 and Og 118 in **Ben**'s hand."
    for viewer in (1, 2, None):
        assert log(state, viewer)[-1] == "Thallium: **Ann** looks at slots A, B and C of **Ben**."


def test_germanium_under_lanthanum_is_told_as_what_is_to_come() -> None:
    state = arrange("La Sc Pb", "Ge Ti Og", "Ba Nb Ca")
    play(state, "La", "Ge")
    assert log(state)[-1] == (
        "Germanium: once this hand ends, all unplayed cards are shuffled and lie face down until the round "
        "ends. Until then they stay face up."
    )
    play(state, "Ba")
    assert "The cards are shuffled and turned face down again: Germanium still holds." in log(state)


def test_a_power_without_a_target_is_told() -> None:
    state = arrange("Ba", "He")
    play(state, "Ba", "He")
    assert "He 2 of **Ben** finds nobody with cards." in log(state)
    state = arrange("Hg Sc", "Pb Ti")
    play(state, "Hg")
    assert "Hg 80 of **Ann** finds nobody to trade two cards with." in log(state)


def test_a_sealed_card_is_told_to_its_owner_alone() -> None:
    state = arrange("Fe Sc", "Pb Ca", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    state.apply(0, move("seal:Fe/magnet"))
    assert log(state, 0) == ["You put **Iron** (Fe 26) in place 1, as a Magnet."]
    assert log(state, 1) == log(state) == []


# -- choices ----------------------------------------------------------------------------------


def choices(state: AtomDuelState, *path: str) -> tuple[str, dict[str, str]]:
    """The question at a path, and the labels of its answers."""
    seat = state.to_act()[0]
    node = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    for key in path:
        node = next(choice.child for choice in node.choices if choice.key == key)  # type: ignore[union-attr]
    return node.prompt, {choice.key: choice.label for choice in node.choices}  # type: ignore[union-attr]


def test_the_first_choice_is_the_hand_itself() -> None:
    state = arrange("Fe Sc Pb", "Pd Ca")
    assert choices(state) == (
        "Which card do you play?",
        {"Fe": "Fe 26 · Iron …", "Sc": "Sc 21 · Scandium", "Pb": "Pb 82 · Lead"},
    )
    asked = ("How do you play Fe 26?", {"alloy": "as an Alloy", "magnet": "as a Magnet"})
    assert choices(state, "Fe") == asked


def test_at_level_five_iron_has_nothing_to_announce() -> None:
    state = arrange("Fe Sc Pb", "Pd Ca", level=5)
    assert choices(state)[1]["Fe"] == "Fe 26 · Iron"


def test_the_note_of_a_card_names_its_powers_at_this_level() -> None:
    for level, note in ((1, "no power at this level"), (5, "Alloy"), (6, "Alloy or Magnet")):
        state = arrange("Fe Sc", "Pd Ca", level=level)
        tree = PRESENTER.choices(state.observe(0), state.legal_actions(0), LOOK)
        assert tree.choices[0].note == note  # type: ignore[union-attr]


def test_a_laser_asks_whom_and_then_which_slot_and_names_what_was_seen() -> None:
    state = arrange("Tl He Sc", "Pb Ca", "Ti V")
    play(state, "Tl", "peek:1.0", "peek:1.1", "Ca", "Ti/alloy", "He")
    assert choices(state) == ("Laser: whose card do you vaporize?", {"s1": "Ben", "s2": "Cy"})
    assert choices(state, "s1")[1] == {"A": "A · Pb 82 · Lead (seen)"}
    assert choices(state, "s2") == ("Laser: which card of **Cy** do you vaporize?", {"B": "Slot B"})


def test_with_one_opponent_a_laser_asks_for_the_slot_at_once() -> None:
    state = arrange("He Sc", "Pb Ca")
    play(state, "He")
    assert choices(state) == ("Laser: which card of **Ben** do you vaporize?", {"A": "Slot A", "B": "Slot B"})


def why_not(state: AtomDuelState, key: str, *path: str) -> str:
    """The sentence behind a choice that is offered although the rules forbid it."""
    seat = state.to_act()[0]
    node = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    for step in path:
        node = next(choice.child for choice in node.ways() if choice.key == step)  # type: ignore[union-attr]
    leaf = next(choice.child for choice in node.ways() if choice.key == key)  # type: ignore[union-attr]
    assert isinstance(leaf, Leaf)
    assert leaf.refused
    with pytest.raises(IllegalAction) as caught:
        state.verify(seat, leaf.action)
    return PRESENTER.why(caught.value, LOOK)


def test_who_cannot_be_chosen_is_offered_with_the_reason() -> None:
    state = arrange("Hg Sc Ca", "Pb Ti", "V")
    play(state, "Hg")
    assert why_not(state, "s2").startswith("Mercury trades exactly two cards for two")
    state = arrange("He Sc", "Pb Ti", "V Nb", "")
    play(state, "He")
    assert list(choices(state)[1]) == ["s1", "s2", "s3"]
    assert why_not(state, "s3").startswith("Slot A of **Dee** is empty: its card is gone.")


def test_rules_that_hide_and_bind_can_be_asked_about() -> None:
    state = arrange("Ge Sc Ca", "Pb Ti Og", "V Nb")
    play(state, "Ge")
    assert why_not(state, "why").startswith("Germanium hides your own cards from you")
    state = arrange("Fe Sc Ba", "Pb Ca Og", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    seal(state, "Fe/magnet")
    assert why_not(state, "why") == (
        "Fe 26 already has its place in your row, and a placed card stays. "
        "Choose one that is still in your hand."
    )


def test_a_look_counts_no_more_cards_than_there_are() -> None:
    state = arrange("Tl Sc", "Pb Ca")
    play(state, "Tl")
    assert choices(state)[0] == "Thallium: which card of **Ben** do you look at? (1 of 2)"


def test_francium_says_when_it_is_too_late() -> None:
    def note(state: AtomDuelState) -> str:
        seat = state.to_act()[0]
        tree = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
        return next(choice.note for choice in tree.choices if choice.key == "Fr")  # type: ignore[union-attr]

    state = arrange("Fr Og Sc", "Ba Ca Ti")
    assert note(state) == "Radioactive · First or worthless"
    play(state, "Og", "Ba")
    assert note(state) == "worth 0 now"
    state = arrange("Fr Og Sc", "Ba Ca Ti", round_=2)
    assert note(state) == "Radioactive · First or worthless"
    state.apply(0, move("seal:Og"))
    assert note(state) == "worth 0 now"
    state = arrange("Fr Og Sc", "Ba Ca Ti", level=6)
    play(state, "Og", "Ba")
    assert note(state) == "Radioactive"


def test_names_are_escaped_in_a_prompt_and_not_on_a_label() -> None:
    state = arrange("He Sc", "Pb Ca", "Ti")
    play(state, "He")
    look = Look(names=("Ann", "B\\_e\\_n", "Cy"))
    tree = PRESENTER.choices(state.observe(0), state.legal_actions(0), look)
    assert isinstance(tree, Branch)
    assert tree.choices[0].label == "B_e_n"
    child = tree.choices[0].child
    assert isinstance(child, Branch)
    assert child.prompt == "Laser: which card of **B\\_e\\_n** do you vaporize?"


def test_mercury_asks_step_by_step() -> None:
    state = arrange("Hg Sc Ca", "Pb Ti", "V Nb")
    play(state, "Hg")
    trade = {"s1": "Trade with Ben", "s2": "Trade with Cy", "keep": "Keep my cards"}
    assert choices(state) == ("Mercury: trade two cards, or keep yours?", trade)
    play(state, "trade:1")
    assert choices(state)[0] == "Mercury: which card do you give **Ben**? (1 of 2)"
    play(state, "give:Sc")
    last = ("Mercury: which card do you give **Ben**? (2 of 2)", {"Ca": "Ca 20 · Calcium"})
    assert choices(state) == last
    play(state, "give:Ca")
    first = {"A": "Slot A", "B": "Slot B"}
    assert choices(state) == ("Mercury: which card of **Ben** do you take? (1 of 2)", first)


def test_under_germanium_a_slot_is_played_blind() -> None:
    state = arrange("Ge Sc Ca", "Pb Ti Og", "V Nb")
    play(state, "Ge")
    asked = {"A": "Slot A, face down", "B": "Slot B, face down", "C": "Slot C, face down"}
    assert choices(state) == ("Your cards lie face down. Which slot do you play?", asked)
    tree = PRESENTER.choices(state.observe(1), state.legal_actions(1), LOOK)
    assert tree.choices[0].note == "perhaps Ti 22, Pb 82 and Og 118"  # type: ignore[union-attr]


def test_the_last_round_is_ordered_card_by_card() -> None:
    state = arrange("Fe Sc Pb", "Pb Ca Og", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    assert choices(state)[0] == "Which card do you play first?"
    seal(state, "Fe/magnet")
    assert choices(state)[0] == "Last round: which card comes next? (2 of 3)"
    assert list(choices(state)[1]) == ["Sc", "Pb"]
    seal(state, "Sc")
    assert choices(state)[0] == "Last round: and the last one. Then your row is sealed."


# -- why not? ---------------------------------------------------------------------------------


def refusal(state: AtomDuelState, word: str) -> str:
    with pytest.raises(IllegalAction) as caught:
        state.verify(state.to_act()[0], move(word))
    return PRESENTER.why(caught.value, LOOK)


def test_refusals_teach() -> None:
    state = arrange("Fe Sc", "Pb Ca")
    assert refusal(state, "Fe") == (
        "Fe 26 has two powers, and a play uses one. Say which: as an Alloy or as a Magnet."
    )
    assert refusal(state, "Og") == "Og 118 isn't in your hand. You can only use cards that you hold."
    assert "it is your turn to play a card" in refusal(state, "aim:1.0")
    state = arrange("He Sc", "Pb Ca")
    play(state, "He")
    assert refusal(state, "Sc") == ("First finish what He 2 asks of you. Aim at one card of an opponent.")
    assert refusal(state, "aim:0.1") == "That is your own hand. Choose another player."
    assert refusal(state, "aim:1.3").startswith("Slot D of **Ben** is empty")


# -- round the game ---------------------------------------------------------------------------


def test_the_level_says_what_it_adds() -> None:
    assert PRESENTER.option("level", 6, LOOK) == (
        "Level 6 · Magnets",
        "Adds Magnets that connect to the second highest card, and Carbide Bits that halve the best.",
    )


def test_rounds_say_for_how_many_the_deck_reaches() -> None:
    note = "The deck reaches for 5 players with 5 cards, 4 with 7."
    assert PRESENTER.option("rounds", 4, LOOK) == ("4 rounds", note)
    assert PRESENTER.option("rounds", 1, LOOK)[0] == "1 round"


def test_the_status_is_one_line() -> None:
    state = arrange("Fe Sc", "Pb Ca", level=4)
    assert PRESENTER.status(state.observe(None), LOOK) == "Round 1 of 2, hand 1 · level 4"


def test_the_ending_says_what_broke_the_tie() -> None:
    standings = (Standing(2, 4.0), Standing(1, 4.0), Standing(3, 1.0))
    facts = {"last_round": [1, 3, 0], "best2": [200, 199, 10]}
    assert PRESENTER.ending(Outcome(standings, "last_round", facts), LOOK).splitlines() == [
        "🥇 **Ben** · 4 points",
        "🥈 **Ann** · 4 points",
        "🥉 **Cy** · 1 point",
        "-# Level on points, so the points of the last round decide: **Ann** 1 and **Ben** 3.",
    ]


def test_the_figures_of_a_tie_are_those_of_who_was_still_level() -> None:
    standings = (Standing(1, 4.0), Standing(2, 4.0), Standing(3, 4.0), Standing(4, 1.0))
    facts = {"last_round": [1, 1, 0, 3], "best2": [200, 199, 236, 0]}
    told = PRESENTER.ending(Outcome(standings, "best_value", facts), LOOK).splitlines()[-1]
    assert told.endswith("the largest winning value decides: **Ann** 100 and **Ben** 99½.")
    told = PRESENTER.ending(Outcome(standings, "last_round", facts), LOOK).splitlines()[-1]
    assert told.endswith("decide: **Ann** 1, **Ben** 1 and **Cy** 0.")


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
    assert page.title == "Iron · Fe 26"
    assert "**Alloy** · from level 5" in page.text
    assert "**Magnet** · *sleeps until level 6*" in page.text
    assert "On this card because: steel" in page.text
    assert "Two powers to choose from" not in page.text
    assert "Two powers to choose from" in PRESENTER.card("Fe", LOOK, {"level": 6}).text


def test_advice_is_given_for_powers_that_are_awake() -> None:
    assert "as a Carbide Bit it halves the leader" in PRESENTER.card("W", LOOK, {"level": 6}).text
    assert "The last alloy card played takes everything" in PRESENTER.card("W", LOOK, {"level": 5}).text
    assert "Carbide Bit it" not in PRESENTER.card("W", LOOK, {"level": 5}).text


def test_a_noble_gas_is_noble_as_soon_as_there_are_magnets() -> None:
    assert "**Noble gas** · *sleeps until level 6*" in PRESENTER.card("He", LOOK, {"level": 5}).text
    assert "**Noble gas** · from level 6" in PRESENTER.card("He", LOOK, {"level": 6}).text


def test_the_rules_of_the_level_come_first() -> None:
    assert PRESENTER.rules("en", {"level": 5})[0].title == "Level 5 · Alloys"
    assert PRESENTER.rules("en")[0].title == "How to play"


def test_the_rules_name_the_cards_of_each_power_and_count_them() -> None:
    text = {page.title: page.text for page in PRESENTER.rules("en")}
    page_of = {2: "Scientists", 3: "Lasers", 4: "Radiation", 5: "Alloys", 6: "Magnets"}
    lists = set[str]()
    for level, name in page_of.items():
        lists |= set(
            re.findall(
                r"\((?:\d+ cards: )?([A-Z][a-z]?(?:, [A-Z][a-z]?)+)\)", text[f"Level {level} · {name}"]
            )
        )
    for power in ("anti_scientist", "anti_laboratory", "laser", "stopper", "alloy", "magnet", "carbide"):
        symbols = ", ".join(card.symbol for card in DECK.cards if power in card.powers)
        assert symbols in lists, power
        lists.discard(symbols)
    assert not lists
    counts = {power.key: power.cards for power in DECK.powers}
    assert f"({counts['scientist']} cards, elements named after people)" in text["Level 2 · Scientists"]
    assert f"({counts['laboratory']} cards, named" in text["Level 2 · Scientists"]
    assert text["Level 4 · Radiation"].startswith(f"{counts['radioactive']} cards are **radioactive**")
    assert text["Level 5 · Alloys"].startswith(f"{counts['alloy']} **alloy** cards")


def test_the_makers_are_named() -> None:
    assert "www.atomduel.com" in PRESENTER.about("en")
    assert "Trainer" in PRESENTER.about("en")
