"""Gold is drawn with its immunities only where the rules of its game give them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from bot.presenters import get
from bot.presenters.atom_duel.hand import hand
from bot.presenters.atom_duel.scenes import table
from bot.presenters.highlight import WIDTH
from bot.render.scene import Item, ItemGroup, Look, Rect, Sprite
from engine.atom_duel.cards import IMMUNITY_OF_GOLD
from engine.atom_duel.knowledge import EVERYBODY, place
from tests.engine.atom_duel.positions import arrange, play, z

LOOK = Look(names=("Ann", "Ben"))
CASES = pytest.mark.parametrize(
    ("version", "level", "proof"), [(1, 3, True), (1, 6, True), (2, 3, False), (2, 6, False), (2, 7, True)]
)


def sprites(items: Sequence[Item]) -> Iterator[Sprite]:
    for item in items:
        if isinstance(item, ItemGroup):
            yield from sprites(item.items)
        elif isinstance(item, Sprite):
            yield item


def is_shown_proof(items: Sequence[Item]) -> bool:
    """Return whether Gold is drawn with its immunities; it is drawn once."""
    fronts = [sprite.args[0] for sprite in sprites(items) if sprite.painter == "atom_duel.card"]
    (gold,) = (front for front in fronts if front.z == z("Au"))
    return IMMUNITY_OF_GOLD in gold.icons


@CASES
def test_in_the_hand_on_the_table_and_in_the_picture_of_the_end(
    version: int, level: int, proof: bool
) -> None:
    state = arrange("Au Ba", "Y Ca", level=level, version=version)
    assert is_shown_proof(hand(state.observe(0), LOOK).items) is proof
    play(state, "Au")
    assert is_shown_proof(table(state.observe(None), LOOK).items) is proof
    play(state, "Ca")
    block = get("atom_duel").highlight(state.events or (), state.observe(None), LOOK)
    assert block is not None
    assert is_shown_proof(list(block.items(Rect(0, 0, WIDTH, block.height(WIDTH))))) is proof


@CASES
def test_among_the_cards_at_which_a_laser_aims(version: int, level: int, proof: bool) -> None:
    state = arrange("Y Ba", "Ca Br", "Au Rb", level=level, version=version)
    state.know().see(EVERYBODY, {z("Au"): place(2, 0)})
    play(state, "Y")
    seen = state.observe(0)
    powers = [one.args[0] for one in sprites(hand(seen, LOOK).items) if one.painter == "atom_duel.power"]
    assert (IMMUNITY_OF_GOLD in powers) is proof
