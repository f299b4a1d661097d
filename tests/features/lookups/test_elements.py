"""The periodic table belongs to the game whose cards the elements are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bot import presenters
from bot.features.lookups.elements_handlers import periodic_message
from bot.render.scene import Look
from bot.ui.components import shown_ids


@pytest.fixture
def without_atom_duel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(presenters.ELSEWHERE, "atom_duel", "tests.support.games.broken_presenter")
    presenters._imported.cache_clear()
    yield
    monkeypatch.undo()
    presenters._imported.cache_clear()


def test_one_game_has_the_elements() -> None:
    offered = map(presenters.get, presenters.offered())
    assert [presenter.key for presenter in offered if presenter.has_periodic_table] == ["atom_duel"]
    assert len(periodic_message(Look()).pictures) == 1


def test_without_that_game_there_is_no_table(without_atom_duel: None) -> None:
    with pytest.raises(presenters.NoPresenter) as missing:
        periodic_message(Look())
    assert missing.value.game == "atom_duel"


def test_a_stretch_has_its_cards_and_a_way_to_all_others() -> None:
    sections = presenters.get("atom_duel").sections(Look())
    assert sorted(key for section in sections for key in section.cards) == sorted(
        card.key for card in presenters.get("atom_duel").cards("en")
    )
    whole = shown_ids(periodic_message(Look()).view.children)
    assert whole == {f"v:elements:{at}" for at in range(len(sections))}
    for at, section in enumerate(sections):
        message = periodic_message(Look(), at)
        assert list(message.pictures.values()) == [section.scene]
        assert shown_ids(message.view.children) == {*whole, "v:elements", f"v:element:{at}"}
