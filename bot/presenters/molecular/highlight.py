"""A tile where it was laid, or a group that was published, drawn large for the picture of the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from bot.presenters.highlight import WIDTH, HighlightCard, side_by_side
from bot.presenters.molecular import queries
from bot.presenters.molecular.chart import Window, around, chart
from bot.presenters.molecular.queries import Lettering, MoleculeTable
from bot.presenters.telling import Told
from bot.render.blocks import Block, Box
from bot.render.scene import Item, ItemGroup, Look, Panel, Rect, Sprite
from bot.render.theme import RADIUS_PANEL
from engine.game import Event
from engine.molecular.observation import Observation

FEATS: Final = ("group", "tile", "reveal")
_NEAR: Final = 3
"""How many cells are shown on each side of a tile."""
_BOARD: Final = 620
"""How high the molecule may be, in pixels."""
_WIDE: Final = 1.8
"""How wide the card of a group is for its height."""


def highlight(events: Sequence[Event], seen: Observation, look: Look) -> Block | None:
    """The part of the molecule round the tile, or the structure of the group."""
    for event in events:
        if event.kind == "group":
            facts: Told = event.facts
            return side_by_side([HighlightCard(partial(_group, facts["group"]), _WIDE)], look)
    if seen.last_cell < 0 or not any(event.kind == "tile" for event in events):
        return None
    table, near = queries.table(seen), around((seen.last_cell,))
    for _ in range(_NEAR):
        near = near.wider()
    drawn_at = partial(_board, table, seen.last_cell, near.within(around(table.board.tiles).wider()))
    return Box(drawn_at(Rect(0, 0, WIDTH, 0)).rect.h, lambda area: (drawn_at(area),))


def _group(group: int, place: Rect) -> Iterator[Item]:
    yield Panel(place, "paper", RADIUS_PANEL)
    yield Sprite("molecular.structure", (group,), place.inset(24, 16))


def _board(table: MoleculeTable, last: int, part: Window, area: Rect) -> ItemGroup:
    shown = chart(table, area, _BOARD, Lettering({}, ()), last=last, part=part)
    return ItemGroup(area._replace(h=shown.height), shown.items)
