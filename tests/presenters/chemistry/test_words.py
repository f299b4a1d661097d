"""What the games of chemistry say, with examples that a player would recognise."""

from __future__ import annotations

import random

import pytest

from bot.presenters import get
from bot.presenters.base import Branch, Choice, Leaf, routes
from bot.presenters.chemistry.words import Voice, charge, equation, formula, ions_text
from bot.render.scene import Look
from bot.views.lookup import search
from engine.chemistry.battle import GAME as BATTLE
from engine.chemistry.deck import BOOK, BY_FORMULA
from engine.chemistry.moves import DRAWS, PILE, Move
from engine.chemistry.observation import FIRST
from engine.chemistry.state import CollectState
from engine.game import IllegalAction
from tests.engine.chemistry.tables import arrange, discard, lay, take

CAPTURE, CANASTA, BATTLE_WORDS = get("compound_capture"), get("canasta"), get("chemistry_battle")
LOOK = Look(names=("Ann", "Ben", "Cy"))


def why(state: CollectState, move: Move) -> str:
    presenter = CANASTA if state.canasta else CAPTURE
    with pytest.raises(IllegalAction) as caught:
        state.verify(0, move)
    return presenter.why(caught.value, LOOK)


def root(state: CollectState, seat: int = 0) -> Branch:
    presenter = CANASTA if state.canasta else CAPTURE
    node = presenter.tree(state.observe(seat), state.legal_actions(seat), LOOK)
    assert isinstance(node, Branch)
    return node


def choice(node: Branch, key: str) -> Choice:
    return next(one for one in node.choices if one.key == key)


def log(state: CollectState, *moves: Move, viewer: int | None = None) -> list[str]:
    state.events = []
    for move in moves:
        state.apply(state.turn, move)
    presenter = CANASTA if state.canasta else CAPTURE
    seen = [event.seen_by(viewer) for event in state.events]
    return [line for event in seen if event and (line := presenter.line(event, viewer, LOOK))]


# -- formulas ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plain", "printed"),
    [("H2O", "H₂O"), ("CH3OH", "CH₃OH"), ("Al2O3", "Al₂O₃"), ("NaCl", "NaCl"), ("C2H4", "C₂H₄")],
)
def test_formulas_have_subscripts(plain: str, printed: str) -> None:
    assert formula(plain) == printed


def test_equations_keep_their_numbers_large() -> None:
    assert equation("2 H2 + O2 -> 2 H2O") == "2 H₂ + O₂ → 2 H₂O"
    assert equation("10 K + 2 KNO3 -> 6 K2O + N2") == "10 K + 2 KNO₃ → 6 K₂O + N₂"


def test_ions_have_charges() -> None:
    assert charge("Mg2+") == "²⁺"
    assert charge("Cl-") == "⁻"
    assert ions_text(BOOK.compounds[BY_FORMULA["Fe2O3"]]) == "2 Fe³⁺ + 3 O²⁻"


# -- why? -------------------------------------------------------------------------------------


def test_a_refused_capture_says_which_atom_is_missing() -> None:
    state = arrange("C O O H", "H")
    assert why(state, take("CO2", "C O")) == (
        "**Carbon dioxide** (CO₂) is one card short: it still needs O. A wild card can stand in for it."
    )
    assert why(state, take("SO2", "O O")).startswith(
        "**Sulfur dioxide** (SO₂) is one card short: it still needs S."
    )
    assert "3 cards short" not in why(state, take("H2O", "H"))
    assert "2 cards short: it still needs H or O" in why(state, take("H2O", "H"))


def test_or_that_wilds_alone_do_not_do() -> None:
    assert why(arrange("* * H", "H"), take("HF", "* *")) == (
        "Wild cards alone don't make **Hydrogen fluoride** (HF). "
        "At least one of the cards must be a real element: 1 H, 1 F."
    )


@pytest.mark.parametrize(
    ("move", "says"),
    [
        (take("CO2", "C O *"), "wild is missing"),
        (take("CO2", "C O O O"), "exactly 1 C, 2 O, so 3 cards in all"),
        (take("CO2", "C S S"), "**Sulfur** (S 16) is not part of **Carbon dioxide** (CO₂)"),
        (take("CH4", "C H H H H"), "doesn't lie open"),
        (discard("Fe"), "You don't hold **Iron** (Fe 26)"),
        (DRAWS[0], "You have drawn your two cards"),
    ],
)
def test_refusals_teach(move: Move, says: str) -> None:
    assert says in why(arrange("C O O H", "H"), move)


def test_two_from_the_discard_pile() -> None:
    state = arrange("H", "H", pile="O O", phase=FIRST)
    state.apply(0, DRAWS[PILE])
    assert why(state, DRAWS[PILE]).startswith("Only one of the two cards may come from the discard pile.")


def test_refusals_of_runs() -> None:
    state = arrange("Mg Al P * H", "S", is_canasta=True)
    assert "the cards must be" in why(state, Move("run", 12, (12, 13, 15)))
    assert "ends at Xenon" in why(state, Move("run", 53, (53, 54, 0)))
    assert "Wild cards alone don't make a run" in why(state, Move("run", 3, (0, 0, 0)))
    assert "You don't hold **Silicon** (Si 14)" in why(state, lay(12, "Mg Al Si"))


# -- trees ------------------------------------------------------------------------------------


def test_at_most_two_choices_before_each_play() -> None:
    rng = random.Random(1)
    for game, presenter in (("c", CAPTURE), ("n", CANASTA)):
        state = arrange("H H O C O O * * Mg Al", "H S", is_canasta=game == "n", stock="O Fe " * 9)
        for _ in range(60):
            if not state.to_act():
                break
            seat = state.turn
            actions = state.legal_actions(seat)
            for route in routes(presenter.tree(state.observe(seat), actions, LOOK), actions):
                assert len(route.path) <= 2
            state._apply(seat, rng.choice(actions))


def test_the_question_tells_what_is_one_card_short() -> None:
    asked = root(arrange("C O Fe", "H", row="CO2 HF SO2")).prompt
    assert asked == "Capture a compound, or discard a card. One card short: CO₂ needs O."


def test_a_capture_with_one_way_is_one_press() -> None:
    node = root(arrange("H F Fe", "H", row="HF"))
    assert [one.label for one in node.choices] == ["Capture HF · Hydrogen fluoride", "Discard a card"]
    ways = choice(node, "HF").child
    assert isinstance(ways, Branch)
    assert [one.label for one in ways.choices] == ["F H", "H F"]
    assert ways.choices[0].note == "H 1 ends on top, where the next player may take it"


def test_with_nothing_to_capture_the_cards_are_asked_for_at_once() -> None:
    node = root(arrange("H Fe", "H", row="CO2"))
    assert [one.label for one in node.choices] == ["H 1 · Hydrogen", "Fe 26 · Iron"]
    assert all(isinstance(one.child, Leaf) for one in node.choices)


def test_the_second_card_is_asked_for_by_naming_the_first() -> None:
    state = arrange("H", "H", stock="Fe O", phase=FIRST)
    state.apply(0, DRAWS[0])
    asked = root(state).prompt
    assert asked == "You drew **Iron** (Fe 26). Where does the second card come from?"


def test_runs_and_claims_name_their_numbers() -> None:
    state = arrange("Mg Al * Ru", "S", is_canasta=True)
    state.runs[1].append((43, (43, 0, 45)))
    state.wilds.append((44, 1, 0))
    node = root(state)
    runs = choice(node, "run").child
    assert isinstance(runs, Branch)
    assert [one.label for one in runs.choices] == ["Mg 12 · Al 13 · wild as 14", "wild as 11 · Mg 12 · Al 13"]
    claims = choice(node, "claim").child
    assert isinstance(claims, Branch)
    assert claims.choices[0].note == "onto run 1, 43 to 45, of Ben"


def test_going_out_is_said() -> None:
    node = root(arrange("H", "S", is_canasta=True))
    assert node.choices[0].label == "Discard H 1 · Hydrogen and go out"


# -- the log ----------------------------------------------------------------------------------


def test_draws_are_told_to_their_owner_only() -> None:
    state = arrange("H", "H", stock="Fe O", phase=FIRST)
    assert log(state.clone(), DRAWS[0], viewer=0) == ["You draw **Iron** (Fe 26)."]
    assert log(state.clone(), DRAWS[0], viewer=1) == ["**Ann** draws a card."]


def test_a_capture_with_a_wild_explains_its_law() -> None:
    lines = log(arrange("C O * S", "H"), take("CO2", "C O *"))
    assert lines[0].startswith(
        "🧪 **Ann** captures **Carbon dioxide** (CO₂) with C, O, wild. The wild card says:"
    )
    assert lines[1].startswith("Turned up: ")


def test_after_a_round_everybody_reads_what_they_made_with_a_fact() -> None:
    state = arrange("H H S", "H")
    state.captured[0], state.dry = [BY_FORMULA["H2O"], BY_FORMULA["NH3"]], 5
    lines = log(state, discard("S"))
    assert lines[1] == (
        "**Ann** made 2 compounds, H₂O, NH₃: 48 points. "
        "💡 Ammonia: About half of the people on Earth eat food grown with its help."
    )
    assert lines[2] == "**Ben** made no compound: -1 point."
    assert lines[3].endswith("once around without a capture. Totals: **Ann** 48, **Ben** -1.")


# -- what you made ----------------------------------------------------------------------------


def test_the_sum_of_a_round_is_shown_with_facts_and_equations() -> None:
    state = arrange("Fe Zn Ca K * H", "S", is_canasta=True, rounds=1)
    state.captured[0] = [BY_FORMULA["CH4"], BY_FORMULA["NH3"]]
    state.runs[0].append((13, (13, 14, 15)))
    state.at = len(state.order)
    state.apply(0, discard("H"))
    told = CANASTA.explain(state.observe(None), LOOK).splitlines()
    assert told[1] == (
        "**Ann**: 2 compounds × 25 + 3 run cards × 10 − 4 elements left × 1 − 1 wild left × 5 = **71**"
        " · total 71"
    )
    assert "- **Methane** (CH₄): " in told[-1]
    assert told[-1].endswith("`C + 2 H₂ → CH₄`")


def test_the_longest_answer_fits() -> None:
    state = arrange("H", "S")
    state.captured = [list(range(24)), list(range(24, 48))]
    assert 2500 < len(CAPTURE.explain(state.observe(None), LOOK)) <= 3500


def test_the_battle_is_explained() -> None:
    state = BATTLE.deal(BATTLE.setup(2, bytes(32)))
    rng = random.Random(1)
    state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    assert BATTLE_WORDS.explain(state.observe(None), LOOK) == ""
    state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    told = BATTLE_WORDS.explain(state.observe(None), LOOK)
    assert "has the highest atomic number" in told
    while state.to_act():
        state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    told = BATTLE_WORDS.explain(state.observe(None), LOOK)
    assert "Then the piles played" in told
    assert "Best card: " in told


# -- look-ups ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["H2O", "h2o", "H₂O", "water", "dihydrogen monoxide", "Watr", "aqua"])
@pytest.mark.parametrize("game", ["compound_capture", "canasta"])
def test_water_is_found_by_any_name(name: str, game: str) -> None:
    assert search(name, "en", game=game)[0].card.key == "H2O"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("laughing gas", "N2O"),
        ("rust", "Fe2O3"),
        ("table salt", "NaCl"),
        ("wood alcohol", "CH3OH"),
        ("acetylene", "C2H2"),
        ("ethyne", "C2H2"),
        ("Boyle's Law", "law-boyle"),
        ("Oxygen", "z8"),
        ("Fe2O3", "Fe2O3"),
    ],
)
def test_cards_are_found(name: str, key: str) -> None:
    assert search(name, "en", game="canasta")[0].card.key == key


def test_a_compound_page_tells_use_fact_and_reaction() -> None:
    text = CAPTURE.card("CO2", LOOK).text
    for part in ("you give 3 cards: **C O O**", "Used for:", "bubbles in soda", "`C + O₂ → CO₂`"):
        assert part in text
    assert "2 Cl⁻" in CAPTURE.card("MgCl2", LOOK).text


def test_each_game_shows_the_cards_that_it_has() -> None:
    keys = {game: {card.key for card in get(game).cards("en")} for game in ("chemistry_battle", "canasta")}
    assert len(keys["chemistry_battle"]) == 54
    assert len(keys["canasta"]) == 54 + 48 + 12
    with pytest.raises(KeyError):
        BATTLE_WORDS.card("H2O", LOOK)
    with pytest.raises(KeyError):
        CAPTURE.card("z54", LOOK)  # xenon is in no compound deck


def test_the_rules_show_the_deck_that_is_played_first() -> None:
    titles = [page.title for page in CAPTURE.rules("en", {"decks": "ionic"})]
    assert titles.index("The ionic deck") < titles.index("The covalent deck")


def test_every_law_can_be_read_in_one_line() -> None:
    voice = Voice(LOOK)
    for law in BOOK.laws:
        assert voice.law_text(law).count(".") == 1
