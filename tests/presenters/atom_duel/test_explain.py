"""How Atom Duel explains a hand: step by step, with the facts of each step."""

from __future__ import annotations

import re

import pytest

from bot.presenters import get
from bot.presenters.atom_duel.words import number
from bot.render.scene import Look
from engine.atom_duel.state import AtomDuelState
from tests.engine.atom_duel.positions import arrange, play, seal
from tests.support.discord.keys import MARKED, all_keys, facts, key, keys

PRESENTER = get("atom_duel")
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve"), locale=MARKED)


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


def steps(lines: list[str]) -> list[tuple[str, dict[str, str]]]:
    """What happened step by step: the key of each, and what was filled in."""
    texts = [line for line in lines if keys(line) == ["atom_duel.explain.step"]]
    return [(all_keys(line)[1].removeprefix("atom_duel."), facts(inner(line))) for line in texts]


def inner(text: str) -> str:
    """What a string was made around: the string within it."""
    return text[1:-1]


def step(lines: list[str], key_of_it: str) -> dict[str, str]:
    """What was filled in into the only step of this key."""
    (found,) = (told for name, told in steps(lines) if name == key_of_it)
    return found


def test_a_magnet_is_explained_step_by_step() -> None:
    lines = told("Pu Pb Fe/magnet", level=6)
    assert [key(line) for line in lines[:2]] == ["explain.last", "explain.plays"]
    plays = facts(lines[1])["plays"]
    assert re.findall(r"Pu 94|Pb 82|Fe 26|Ann|Ben|Cy", plays) == [
        "Pu 94",
        "Ann",
        "Pb 82",
        "Ben",
        "Fe 26",
        "Cy",
    ]
    assert "atom_duel.explain.play_as" in all_keys(lines[1])
    assert [name for name, _ in steps(lines)] == [
        "explain.magnet",
        "explain.stopper_takes",
        "idle.anti_scientist",
        "explain.winner",
    ]
    magnet = {"symbol": "Fe 26", "target": "Pb 82", "own": "26", "added": "82", "value": "108"}
    assert magnet.items() <= step(lines, "explain.magnet").items()
    stopper = {"symbol": "Pb 82", "beaten": "Pu 94", "value": "94"}
    assert stopper.items() <= step(lines, "explain.stopper_takes").items()
    assert step(lines, "idle.anti_scientist")["symbol"] == "Pu 94"
    assert {"name": "**Cy**", "thing": "Fe 26", "value": "108"}.items() <= step(
        lines, "explain.winner"
    ).items()
    assert [name for name in all_keys(lines[-1]) if "result" in name] == [
        "atom_duel.explain.results",
        "atom_duel.explain.result_best",
        "atom_duel.explain.result",
        "atom_duel.explain.result_beaten",
    ]
    assert re.findall(r"[A-Z][a-z] \d+", facts(lines[-1])["results"]) == ["Fe 108", "Pb 94", "Pu 94"]


@pytest.mark.parametrize(
    ("hand", "level", "key_of_it", "filled_in"),
    [
        ("Nd Pd Mn", 1, "explain.winner_plain", {"name": "**Ann**", "thing": "Nd 60", "value": "60"}),
        ("Lu Mn Pd", 5, "explain.tie_fewest_cards", {"value": "71", "symbol": "Lu 71"}),
        (
            "Lu Mn Pd",
            5,
            "explain.alloy",
            {"symbol": "Pd 46", "others": "Mn 25", "sum": "25 + 46", "value": "71"},
        ),
        ("Mn C Lu", 7, "explain.alloy_carbon", {"sum": "25 + 6", "value": "93", "name": "**Ben**"}),
        ("Po N", 7, "explain.tie_no_power", {"value": "7", "others": "N 7", "symbol": "Po 84"}),
        ("Po N", 7, "explain.nitrogen", {"symbol": "N 7", "changes": "Po 84 → 7"}),
        ("Cn As Te", 2, "explain.tie_higher_anti", {"symbol": "Te 52"}),
        ("Cn As Ta", 6, "wasted.carbide_trumping", {"symbol": "Ta 73", "target": "As 33"}),
        ("Pd Pt Ta Ac", 6, "explain.carbide", {"symbol": "Ta 73", "before": "124", "value": "62"}),
        ("Fr Dy V Nb", 6, "explain.carbide", {"target": "Fr 87", "before": "87", "value": "43½"}),
        ("Ta Pm Ce", 6, "explain.carbide_self", {"symbol": "Ta 73", "before": "73", "value": "36½"}),
        ("Au Nb Nd/laser", 7, "wasted.carbide_immune", {"symbol": "Nb 41", "target": "Au 79"}),
        ("Co Gd Ac", 6, "explain.magnets_cancel", {"symbols": "Co 27 and Gd 64"}),
        ("Og Rn Co", 6, "wasted.magnet_noble", {"target": "Rn 86"}),
        ("Ag Ac Co", 6, "wasted.magnet_immune", {"symbol": "Co 27", "target": "Ag 47"}),
        ("Co Zn", 6, "explain.magnet_beats", {"symbol": "Co 27", "target": "Zn 30"}),
        ("Co Og", 6, "idle.magnet", {"symbol": "Co 27"}),
        (
            "Cm K",
            7,
            "explain.potassium",
            {"symbol": "K 19", "target": "Cm 96", "own": "19", "added": "96", "value": "115"},
        ),
        ("Ac K", 7, "wasted.join_scientist_no_target", {"symbol": "K 19"}),
        ("Og Fl O", 7, "explain.oxygen", {"target": "Fl 114", "own": "8", "added": "114", "value": "122"}),
        ("C Fe/alloy", 7, "explain.beats_alloy", {"symbol": "C 6", "target": "Fe 26"}),
        ("O Fe/alloy", 7, "idle.two_alloy", {"symbol": "Fe 26"}),
        ("O Fe/alloy", 7, "idle.two_oxygen", {"symbol": "O 8"}),
        ("Ti/carbide W/carbide Al", 7, "wasted.carbide_no_target", {"symbol": "W 74"}),
        ("N V Nb", 7, "wasted.carbide_not_positive", {"symbol": "Nb 41", "target": "Nb 41"}),
        ("Og Rn O", 7, "wasted.oxidise_second_noble", {"symbol": "O 8", "target": "Rn 86"}),
        ("As Lv Pb", 2, "idle.anti_scientist", {"symbol": "As 33"}),
    ],
)
def test_a_step_says_what_happened(hand: str, level: int, key_of_it: str, filled_in: dict[str, str]) -> None:
    found = [known for name, known in steps(told(hand, level)) if name == key_of_it]
    assert any(filled_in.items() <= known.items() for known in found), steps(told(hand, level))


def test_gold_with_zinc_wins_by_its_name() -> None:
    lines = told("Au N", zinc=1)
    added = {"symbol": "Au 79", "name": "**Ann**", "value": "84"}
    assert added.items() <= step(lines, "explain.plus_five").items()
    tie = {"value": "7", "others": "N 7", "element": "Gold"}
    assert tie.items() <= step(lines, "explain.tie_name").items()


def test_francium_that_comes_too_late_is_worthless() -> None:
    assert step(told("Fr H", number_=2), "explain.dead")["symbol"] == "Fr 87"


def test_a_running_hand_is_explained_so_far() -> None:
    state = arrange("Og Sc", "As Ca", "Pb Ti")
    play(state, "Og", "As")
    lines = explained(state)
    assert [key(line) for line in (*lines[:2], lines[-1])] == [
        "explain.running",
        "explain.plays",
        "explain.more",
    ]
    assert {"name": "**Ben**", "thing": "As 33", "value": "118"}.items() <= step(
        lines, "explain.leads"
    ).items()
    assert facts(lines[-1])["n"] == "1"


def test_all_hands_of_the_last_round_are_explained() -> None:
    state = arrange("Lu Fe Ba I", "Br Ca Y Se", "Tc S Sc Ce", round_=2)
    seal(state, "Lu Fe/magnet Ba I", "Br Ca Y Se", "Tc S Sc Ce")
    lines = explained(state)
    heads = [line for line in lines if keys(line) and key(line) in ("explain.running", "explain.last")]
    assert [(key(line), facts(line)["hand"]) for line in heads] == [
        ("explain.running", "3"),
        ("explain.last", "2"),
        ("explain.last", "1"),
    ]
    won = {"name": "**Ann**", "thing": "Lu 71", "value": "71"}
    assert any(won.items() <= known.items() for name, known in steps(lines) if "winner" in name)


def test_hands_that_find_no_room_are_explained_in_a_line() -> None:
    rows = ("Ti W Al Fe Og", "V Nb Mg C Cm", "Ni Mn N O K", "Pb As Po Cn Pu", "Zr Dy Gd Sm Co")
    sealed = ("Ti/carbide W/carbide Al Fe/magnet Og", rows[1], "Ni/magnet Mn N O K", *rows[3:])
    state = arrange(*rows, round_=2)
    seal(state, *sealed)
    look = Look(names=tuple("\\_" * 15 + letter for letter in "ABCDE"))
    told = PRESENTER.explain(state.observe(None), look)
    assert len(told) <= 3500
    marked = PRESENTER.explain(state.observe(None), Look(names=look.names, locale=MARKED)).splitlines()
    heads = [line for line in marked if keys(line) and "hand" in facts(line)]
    assert [facts(line)["hand"] for line in heads] == ["5", "4", "3", "2", "1"]
    assert key(heads[0]) == "explain.last"
    assert key(heads[-1]) == "explain.brief"


def test_nothing_is_explained_before_the_first_card() -> None:
    assert PRESENTER.explain(arrange("Og", "As").observe(0), LOOK) == ""


@pytest.mark.parametrize(
    ("value2", "text"), [(214, "107"), (107, "53½"), (1, "½"), (0, "0"), (-10, "\u22125")]
)
def test_numbers_are_exact_halves(value2: int, text: str) -> None:
    assert number(value2) == text
