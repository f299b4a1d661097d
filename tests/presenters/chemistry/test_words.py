"""What the games of chemistry say, with examples that a player would recognise."""

from __future__ import annotations

import random
import re

import pytest

from bot.features.lookups.card_search import search
from bot.presenters import get
from bot.presenters.base import LINE
from bot.presenters.chemistry.words import Voice, charge, equation, formula, ions_text
from bot.render.scene import Look, Text
from engine.chemistry.battle import GAME as BATTLE
from engine.chemistry.deck import BOOK, BY_FORMULA
from engine.chemistry.moves import DRAWS, Move
from engine.chemistry.observation import FIRST
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, cards, discard, take
from tests.support.discord.keys import MARKED, all_keys, facts, key, keys, plain

CAPTURE, CANASTA, BATTLE_WORDS = get("compound_capture"), get("canasta"), get("chemistry_battle")
LOOK = Look(names=("Ann", "Ben", "Cy"), locale=MARKED)


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


# -- the log ----------------------------------------------------------------------------------


def test_draws_are_told_to_their_owner_only() -> None:
    state = arrange("H", "H", stock="Fe O", phase=FIRST)
    (mine,), (others,) = (log(state.clone(), DRAWS[0], viewer=seat) for seat in (0, 1))
    assert (key(mine), facts(mine)["card"]) == ("line.draw_own", "**Iron** (Fe 26)")
    assert (key(others), facts(others)) == ("line.draw", {"name": "**Ann**", "left": "1"})


def test_a_capture_with_a_wild_names_its_law() -> None:
    lines = log(arrange("C O * S", "H"), take("CO2", "C O *"))
    assert keys(lines[0]) == ["chemistry.line.capture", "chemistry.line.wild_law"]
    assert facts(lines[0]).items() >= {"name": "**Ann**", "cards": "C, O, wild"}.items()
    assert "CO₂" in facts(lines[0])["compound"]
    assert key(lines[1]) == "line.turned"


def test_after_a_round_everybody_reads_what_they_made_with_a_fact() -> None:
    state = arrange("H H S", "H")
    state.captured[0], state.dry = [BY_FORMULA["H2O"], BY_FORMULA["NH3"]], 5
    lines = log(state, discard("S"))
    assert made(lines[1]) == ("**Ann**", "H₂O and NH₃", "48")
    assert keys(lines[1]) == ["chemistry.line.made", "chemistry.line.fact"]
    assert made(lines[2]) == ("**Ben**", "", "−1")
    assert key(lines[3]) == "line.over_stuck"
    assert all_keys(lines[3]).count("chemistry.line.score") == 2
    assert re.findall(r"[−\d]+", facts(lines[3])["totals"]) == ["48", "−1"]


def made(line: str) -> tuple[str, str, str]:
    """Who made what in a round, and for how many points."""
    told = facts(line)
    points = re.search(r"[−\d]+", told["points"])
    assert points is not None
    return told["name"], told.get("things", ""), points.group()


def test_runs_count_as_made() -> None:
    state = arrange("H", "S", "Fe", is_canasta=True)
    state.captured[0], state.runs[0] = [BY_FORMULA["H2O"]], [(13, (13, 14, 15)), (40, (40, 41, 42))]
    state.runs[1], state.at = [(13, (13, 14, 15))], len(state.order)
    lines = log(state, discard("H"))
    assert made(lines[1]) == ("**Ann**", "H₂O and 2 runs", "85")
    assert "chemistry.line.fact" in keys(lines[1])
    assert made(lines[2]) == ("**Ben**", "1 run", "29")
    assert made(lines[3]) == ("**Cy**", "", "−1")


def test_a_long_list_of_what_was_made_is_counted() -> None:
    state = arrange("H", "S")
    state.captured[0], state.dry, state.events = list(range(48)), 5, []
    state.apply(0, discard("H"))
    (event, *_) = [event for event in state.events if event.kind == "made"]
    told = CAPTURE.line(event, None, Look(names=("Ann", "Ben"))) or ""
    assert len(told) <= LINE
    assert "KF" in told
    assert "💡" not in told, "there is no room for a fact"
    told = CAPTURE.line(event, None, Look(names=("A" * 40, "Ben"))) or ""
    assert re.findall(r"\d+", told)[:2] == ["48", "1200"], "a longer name leaves room for the number only"
    assert "KF" not in told
    assert "💡" in told


# -- what you made ----------------------------------------------------------------------------


def test_the_battle_is_explained() -> None:
    state = BATTLE.deal(BATTLE.setup(2, bytes(32)))
    rng = random.Random(1)
    state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    assert BATTLE_WORDS.explain(state.observe(None), LOOK) == ""
    state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    told = BATTLE_WORDS.explain(state.observe(None), LOOK)
    assert "chemistry.explain.battle_won" in keys(told)
    while state.to_act():
        state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    told = BATTLE_WORDS.explain(state.observe(None), LOOK)
    assert {"chemistry.explain.battle_piles", "chemistry.explain.best_card"} <= set(all_keys(told))


def test_in_chinese_a_symbol_stands_apart_from_the_words_beside_it() -> None:
    """ "出Tc 43" would read as one word."""
    state, rng, seen = BATTLE.deal(BATTLE.setup(2, bytes(32))), random.Random(1), list[str]()
    look = Look(names=("甲", "乙"), locale="zh-CN")
    state.events = []
    while state.to_act():
        state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
        seen.append(BATTLE_WORDS.explain(state.observe(None), look))
    seen += [BATTLE_WORDS.line(event, None, look) or "" for event in state.events]
    assert [
        one for one in seen if re.search(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]", one)
    ] == []


# -- endings ----------------------------------------------------------------------------------


def battle(own: str, other: str, *, seats: int = 1) -> tuple[str, str, str]:
    """A battle that the cap ends, after Ann has won boron and helium on top of these piles: the last line
    of the log, the ending, the explanation."""
    state = BATTLE.deal(BATTLE.setup(seats, bytes(32)))
    state.piles, state.hands, state.plays = [cards(own), cards(other)], [cards("B"), cards("He")], []
    state.turn = state.leader = 0
    state.round, state.cap, state.events = 199, 200, []
    while state.to_act():
        state.apply(state.turn, state.legal_actions(state.turn)[0])
    outcome = state.outcome()
    assert outcome is not None
    line = BATTLE_WORDS.line(state.events[-1], None, LOOK)
    return line or "", BATTLE_WORDS.ending(outcome, LOOK), BATTLE_WORDS.explain(state.observe(None), LOOK)


@pytest.mark.parametrize(
    ("own", "other", "seats", "says"),
    [
        ("Fe", "Xe Kr Ar", 1, "battle_house_won_tie"),
        ("Xe", "Fe Kr Ar", 1, "battle_house_lost_tie"),
        ("Fe", "Xe Kr Ar", 2, "battle_over_tie"),
    ],
)
def test_a_battle_that_ends_level_names_the_highest_element(
    own: str, other: str, seats: int, says: str
) -> None:
    line, ending, told = battle(own, other, seats=seats)
    assert (key(line), facts(line)["highest"]) == (f"line.{says}", "Xe 54")
    highest, capped = ending.splitlines()[-2:]
    assert (key(highest), facts(highest)["card"]) == ("ending.highest", "Xe 54")
    assert (key(capped), facts(capped)["n"]) == ("ending.capped", "200")
    level = told.splitlines()[-1]
    assert keys(level)[-1] == "chemistry.explain.battle_tie"
    winner = "**Ann**" if own == "Xe" else "**the house**" if seats == 1 else "**Ben**"
    assert (facts(level)["name"], facts(level)["card"]) == (winner, "Xe 54")


def test_a_battle_that_is_not_level_says_nothing_of_it() -> None:
    line, ending, told = battle("Fe Xe", "Kr Ar")
    assert [name for name in all_keys(line + ending + told) if "tie" in name or "highest" in name] == []


def test_a_match_lost_alone_has_no_medal() -> None:
    state = arrange("S H")
    state.totals, state.round, state.dry = [-183], 10, 5
    lines = log(state, discard("S"))
    assert key(lines[2]) == "line.over_stuck_alone"
    outcome = state.outcome()
    assert outcome is not None
    lost, missed, more = CAPTURE.ending(outcome, LOOK).splitlines()
    assert [key(line) for line in (lost, missed, more)] == [
        "ending.lost",
        "ending.target_missed",
        "ending.made",
    ]
    assert "−184" in facts(lost)["points"]
    assert facts(missed) == {"target": "250", "n": "10"}


def test_a_match_won_alone_has_one() -> None:
    state = arrange("S H")
    state.totals, state.round, state.dry = [261], 8, 5
    state.apply(0, discard("S"))
    outcome = state.outcome()
    assert outcome is not None
    first = plain(CAPTURE.ending(outcome, LOOK)).splitlines()[0]
    assert first.startswith("🥇 **Ann**")
    assert "260" in first


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
        ("road salt", "NaCl"),
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


def test_a_held_wild_card_explains_the_law_of_the_round() -> None:
    state = arrange("H * *", "O S", row="H2O NaCl")
    at_hand = CAPTURE.at_hand(state.observe(0))
    assert at_hand == ("H2O", "NaCl", "law-definite-proportions", "z1")
    law = CAPTURE.card("law-definite-proportions", LOOK)
    shown = [item.string for item in CAPTURE.table(state.observe(None), LOOK).items if isinstance(item, Text)]
    assert any(plain(line).startswith(f"{plain(law.title)}: ") for line in shown)
    assert CAPTURE.at_hand(state.observe(1)) == ("H2O", "NaCl", "z8", "z16")
    assert CAPTURE.at_hand(state.observe(None)) == ()


def test_the_house_begins_a_sentence_or_stands_in_it() -> None:
    """Its name has a capital letter at the beginning, in words as on pictures, and nowhere else."""
    state = BATTLE.deal(BATTLE.setup(1, bytes(32)))
    state.events = []
    while state.to_act():
        state.apply(state.turn, state.legal_actions(state.turn)[0])
        seen = state.observe(0)
        assert not re.search(r"(^|[.] )the house", plain(BATTLE_WORDS.table(seen, LOOK).alt))
        told = plain(BATTLE_WORDS.explain(seen, LOOK))
        assert not re.search(r"(?<!-) \*\*The house", told)
        assert not re.search(r"^- \*\*the house", told, re.MULTILINE)
    assert "**the house**" in told
    assert "- **The house**" in told
    for event in state.events:
        line = plain(BATTLE_WORDS.line(event, None, LOOK) or "")
        assert not line.startswith(("**the house**", "🏆 **the house**"))


def test_a_compound_page_tells_use_fact_and_reaction() -> None:
    page = CAPTURE.card("CO2", LOOK)
    text, scene = plain(page.text), page.scene
    for part in ("**C O O**", "`C + O₂ → CO₂`"):
        assert part in text
    assert scene is not None
    # what the picture says is not said again below it, but by its words
    assert "covalent" in plain(scene.alt)
    assert "soda" in plain(scene.alt)
    assert "soda" not in text
    assert "2 Cl⁻" in plain(CAPTURE.card("MgCl2", LOOK).text)


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
    voice = Voice(Look())
    ionic, covalent = (titles.index(voice(f"rules.deck_{kind}_title")) for kind in ("ionic", "covalent"))
    assert ionic < covalent


def test_every_law_can_be_read_in_one_line() -> None:
    voice = Voice(LOOK)
    for law in BOOK.laws:
        assert voice.law_text(law).count(".") == 1


def test_one_round_of_compound_capture_says_that_beginning_is_worth_much() -> None:
    capture, canasta = (game.option("rounds", 1, LOOK) for game in (CAPTURE, CANASTA))
    assert capture[0] == canasta[0]
    assert key(capture[1]) == "option.capture_rounds_1_note"
    assert key(canasta[1]) == "option.rounds_1_note"
