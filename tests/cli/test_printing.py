"""`valence print`."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot import presenters
from bot.presenters import extras, printing
from bot.presenters.printing import may_be_printed, plain
from bot.render.printing import PALETTE
from bot.render.scene import Look
from engine import catalog
from tests.cli.conftest import Valence

OTHERS = sorted(set(catalog.listed()) - set(may_be_printed()))


@pytest.mark.long
@pytest.mark.slow
def test_a_game_becomes_a_file(valence: Valence, tmp_path: Path) -> None:
    out = tmp_path / "game.pdf"
    found = valence("print", "duel52", "--out", out, "--json").json
    assert (found["cards"], found["blanks"], found["sheets"], found["rule_pages"]) == (52, 2, 6, 2)
    data = out.read_bytes()
    assert found["bytes"] == len(data)
    assert data.count(b"/Type /Page\n") == 6 * 2 + 2
    assert b"[0 0 595.28 841.89]" in data


def test_paper_blanks_and_backs_are_chosen(
    valence: Valence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the file has a name of its own."""
    whole = printing.deck("atom", 4, Look(palette=PALETTE))
    assert whole is not None
    few = printing.PrintedDeck(whole.fronts[:4], whole.rules[:1])
    monkeypatch.setattr(printing, "deck", lambda *_: few)
    monkeypatch.chdir(tmp_path)
    said = valence("print", "atom", "--paper", "letter", "--blanks", 3, "--no-backs")
    assert said.out.startswith("valence-atom.pdf: 4 cards and 5 blanks on 1 sheets of letter")
    assert "on one side" in said.out
    data = (tmp_path / "valence-atom.pdf").read_bytes()
    assert data.count(b"/Type /Page\n") == 1 + 1
    assert b"/MediaBox [0 0 612.00 792.00]" in data


def test_without_the_extra_it_says_how_to_get_it(
    valence: Valence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras.Extra, "there", False)
    out = tmp_path / "game.pdf"
    said = valence("print", "duel52", "--out", out)
    assert said.code == 1
    assert "pip install '.[print]'" in said.err
    assert not out.exists()


@pytest.mark.parametrize("game", OTHERS)
def test_what_belongs_to_its_makers_is_not_printed(valence: Valence, tmp_path: Path, game: str) -> None:
    """It says where to get the real one, as `/about` does."""
    out = tmp_path / "game.pdf"
    said = valence("print", game, "--out", out)
    assert said.code == 1
    assert plain(presenters.get(game).about("en")) in said.err
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("duel53",), "did you mean duel52"),
        (("duel52", "--paper", "a5"), "there is no paper 'a5'"),
        (("duel52", "--language", "tlh"), "there is no language 'tlh'"),
        (("atom", "--seats", "3"), "cannot be played on 3 seats"),
        (("duel52", "--out", "/nowhere/at/all.pdf"), "cannot be written"),
    ],
)
def test_wrong_words_stop_it(valence: Valence, words: tuple[str, ...], why: str) -> None:
    said = valence("print", *words)
    assert said.code == 2
    assert why in said.err
