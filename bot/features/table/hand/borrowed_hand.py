"""A copy of an ordinary hand whose controls lead elsewhere, for positions that belong to no stored table.

Lessons and puzzles show the same hand as a game, under a heading of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from discord import ui

from bot import custom_ids as ids
from bot.ui.components import Control, rows

Lead: TypeAlias = Callable[[ui.Button[ui.LayoutView] | ui.Select[ui.LayoutView], ids.Ref], Control | None]
"""The replacement for a control of the hand, given its parsed custom id. None drops the control."""


def borrowed_hand(
    shown: ui.LayoutView, heading: str, lead: Lead, below: Sequence[Control] = ()
) -> ui.LayoutView:
    """Return a hand with another heading and replaced controls, followed by the controls `below`."""
    view = ui.LayoutView(timeout=None)
    for block in shown.children:
        if not isinstance(block, ui.Container):
            view.add_item(block)
            continue
        container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=block.accent_colour)
        controls = list[Control]()
        for nth, item in enumerate(block.children):
            if isinstance(item, ui.ActionRow):
                controls += [control for each in item.children if (control := _elsewhere(each, lead))]
            else:
                container.add_item(ui.TextDisplay(heading) if nth == 0 else item)
        for row in rows([*controls, *below]):
            container.add_item(row)
        view.add_item(container)
    view.stop()
    return view


def _elsewhere(control: object, lead: Lead) -> Control | None:
    if not isinstance(control, ui.Button | ui.Select) or control.custom_id is None:
        return None
    return lead(control, ids.parse(control.custom_id))
