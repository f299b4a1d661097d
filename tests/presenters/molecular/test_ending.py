"""How a game of Molecular ends, in words: the molecule, who has won, and the formula."""

from __future__ import annotations

from bot.presenters.molecular import PRESENTER
from bot.presenters.molecular.words import formula
from engine.molecular.moves import PASS
from tests.engine.molecular.positions import game, of_smiles, with_board
from tests.support.discord.keys import all_keys, facts, key, keys, plain
from tests.support.games.molecular import LOOK, said


def test_the_ending_sums_up_the_molecule() -> None:
    state = with_board(game(rounds=1), of_smiles("CC(=O)O"))
    state.scores[:] = [7, 4]
    for _ in range(2):
        if not state.over:
            state.apply(state.turn, PASS)
    outcome = state.outcome()
    assert outcome is not None
    told = PRESENTER.ending(outcome, LOOK)
    assert plain(told).startswith("🥇 **Ann** · 7 ")
    told_of = {key(line): facts(line) for line in told.splitlines() if len(keys(line)) == 1}
    molecule = told_of["ending.molecule"]
    assert (molecule["formula"], molecule["mass"], molecule["n"]) == ("C₂H₄O₂", "60.05", "8")
    assert molecule["ends"].split()[0] == "0"
    assert {"molecular.group.acid", "molecular.group.methyl"} <= set(all_keys(told))
    assert told_of["ending.groups"]["groups"].count("×1") == 2
    assert "molecular.end.stuck" in all_keys(told)


def test_a_game_that_got_stuck_is_over_in_its_round() -> None:
    state = game(rounds=10)
    state.round, state.over = 2, "stuck"
    status = PRESENTER.status(state.observe(None), LOOK)
    assert (key(status), facts(status)) == ("status.over", {"round": "2", "rounds": "10", "n": "1"})


def test_the_drawing_is_what_one_or_several_built() -> None:
    for seats, has in ((1, "text_solo"), (2, "text")):
        state = game(seats, rounds=1)
        state.over = "rounds"
        outcome = state.outcome()
        assert outcome is not None
        keepsake = PRESENTER.keepsake(outcome, None, LOOK)
        assert keepsake is not None
        assert [name.rpartition(".")[2] for name in keys(keepsake.text)] == [has]


def test_the_ending_alone() -> None:
    state = game(1, rounds=1)
    state.apply(0, PASS)
    state.apply(0, PASS)
    outcome = state.outcome()
    assert outcome is not None
    first = PRESENTER.ending(outcome, LOOK).splitlines()[0]
    assert (key(first), facts(first)["name"]) == ("ending.solo", "**Ann**")
    assert key(said(state)[-1]) == "line.solo_over"


def test_formulas_are_in_hill_s_order() -> None:
    assert formula({"O": 2, "H": 4, "C": 2}) == "C₂H₄O₂"
    assert formula({"O": 1, "H": 2}) == "H₂O"
    assert formula({"N": 12, "C": 1}) == "CN₁₂"
