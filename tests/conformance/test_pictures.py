"""Every table that can be opened has its pictures: any seats, any option, from the deal to the end.

The quick round lets every two choices meet once (any seats with any value of any option, any two values
of two options), in the long tests. The golden pictures check most of these as they paint them.
`VALENCE_HYPOTHESIS=deep` draws every combination there is, and every hand of it.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import product
from typing import Any

import pytest

from bot import presenters
from bot.locales import FALLBACK
from bot.render.check import HEIGHTS, audit, faults
from engine import catalog
from engine.game import Game
from engine.setups import covering, every_kind
from tools.contact_sheet.tables import PHASES, Shown, kinds_in, shown, spoken

DEEP = os.environ.get("VALENCE_HYPOTHESIS") == "deep"
every_game = pytest.mark.parametrize("game", [*map(catalog.get, catalog.listed())], ids=lambda game: game.key)
"""Tables by the present rules only: `shown` plays no others."""
GOLDEN = frozenset(key for key in catalog.listed() if key != "probe")
"""Games whose pictures `test_golden_pictures.py` checks for faults, too."""


def is_golden(one: Shown, locale: str) -> bool:
    """Return whether this picture is among the golden ones."""
    return not DEEP and one.game in GOLDEN and (locale == FALLBACK or one.viewer in (None, 0))


@pytest.mark.long
@every_game
def test_every_table_can_be_drawn_from_the_deal_to_the_end(game: Game[Any, Any]) -> None:
    wrong, tables, hands = list[str](), Counter[str](), set[tuple[Any, ...]]()
    for locale in spoken(game.key):
        fewer = None if locale == FALLBACK else kinds_in(game.key, locale)
        for one in shown(game.key, every_kind(game) if DEEP else fewer, locale=locale):
            if one.viewer is None:
                tables[str(one.kind)] += 1
            else:
                traits = [("seats", one.kind.seats), *one.kind.options.items()]
                hands |= {(*trait, one.phase, one.viewer) for trait in traits}
            if not is_golden(one, locale):
                high = HEIGHTS if one.viewer is None else (HEIGHTS[0], presenters.get(game.key).hand_height)
                wrong += [f"{one} ({locale}): {fault}" for fault in faults(one.scene(), high)]
    assert wrong == []
    kinds = list(every_kind(game) if DEEP else covering(game))
    assert len(tables) == len(kinds)
    assert all(count % len(PHASES) == 0 for count in tables.values())
    for kind in kinds:
        for phase, seat in product(PHASES, range(kind.seats)):
            assert ("seats", kind.seats, phase, seat) in hands
        for option, phase in product(kind.options.items(), PHASES):
            assert (*option, phase, 0) in hands


@every_game
def test_what_a_language_writes_fits_its_pictures(game: Game[Any, Any]) -> None:
    """The scenes of one kind of table in each language but English, not painted: the long tests paint all."""
    for locale in spoken(game.key)[1:]:
        kind = max(kinds_in(game.key, locale), key=lambda kind: kind.seats)
        for one in shown(game.key, [kind], locale=locale):
            if one.viewer in (None, 0):
                scene = one.scene()
                assert audit(scene) == [], f"{one} ({locale})"


@every_game
def test_no_seats_and_no_value_of_an_option_are_left_out(game: Game[Any, Any]) -> None:
    """Counted here by the rules alone, so that a hole in the covering shows."""
    every, chosen = list(every_kind(game)), covering(game)
    assert {kind.seats for kind in chosen} == {kind.seats for kind in every}
    for option in game.options:
        tried = {(kind.seats, kind.options[option.key]) for kind in chosen}
        assert tried == {(kind.seats, kind.options[option.key]) for kind in every}
        assert {value for _, value in tried} == set(option.values)
    assert all(game.seats(kind.options) and kind.seats in game.seats(kind.options) for kind in chosen)


def test_the_kinds_of_a_game_are_those_that_its_rules_allow() -> None:
    duel52 = {(kind.seats, kind.options["variant"]) for kind in every_kind(catalog.get("duel52"))}
    assert (2, "standard") in duel52
    assert all(kind.seats <= 8 for kind in every_kind(catalog.get("molecular")))
    assert len(list(every_kind(catalog.get("chemistry_battle")))) == 12
