"""Games that may be printed: the fronts of their cards and a rule sheet.

A game is allowed if its `/about` says so: it belongs to everyone, or its makers give it away.
`Presenter.printing` names the module that makes its cards; all other games are bought from their makers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from bot import presenters
from bot.locales import words
from bot.presenters.base import Page
from bot.presenters.voice import unmarked
from bot.render.blocks import Block, Column, Paragraph, Spaced
from bot.render.printing import PARAGRAPH
from bot.render.scene import Look, Scene, Size, Weight

_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_COMMAND: Final = "`/"
_LINES: Final = 99
"""More lines than any paragraph needs."""
_SECTION: Final = 24
"""Extra space below a page of the rules, in pixels, in addition to the space below every paragraph."""


@dataclass(frozen=True, slots=True)
class PrintedDeck:
    """The printable parts of a game: the front of each card, one per copy, and the rules."""

    fronts: tuple[Scene, ...]
    rules: tuple[Page, ...]


def may_be_printed() -> tuple[str, ...]:
    """Return the games whose makers allow printing."""
    return tuple(game for game in presenters.offered() if presenters.get(game).printing)


def deck(game: str, seats: int, look: Look) -> PrintedDeck | None:
    """Return the cards for `seats` players and the rules, or None if only the makers may sell the game."""
    printing = presenters.get(game).printing
    if not printing:
        return None
    made: Callable[[int, Look], PrintedDeck] = import_module(printing).deck
    return made(seats, look)


def plain(text: str) -> str:
    """Return a text for paper: without Markdown, and with only the text of each link."""
    return unmarked(_LINK.sub(r"\1", text))


def rule_blocks(game: str, rules: tuple[Page, ...], locale: str) -> tuple[Block, ...]:
    """Return the rules in dark ink, in blocks that are not split: a title, then one block per paragraph.

    The credits come last. Lines that mention a Discord command are left out.
    """
    presenter = presenters.get(game)
    found: list[Block] = [Paragraph(presenter.title(locale), (Size.LARGE,), Weight.BOLD, "ink")]
    for page in rules:
        example = words(locale)("rules.example", text=page.example) if page.example else ""
        first, *rest = _paragraphs(f"{page.text}\n{example}")
        title = Paragraph(page.title, (Size.TITLE,), Weight.BOLD, "ink", lines=2)
        # A title with a single line below it at the foot of a column looks lost.
        head = Column((Column((title, first)), *rest[:1]), PARAGRAPH)
        *others, last = (head, *rest[1:])
        found += [*others, Spaced(last, _SECTION)]
    return (*found, *_paragraphs(presenter.about(locale), "ink_soft"))


def _paragraphs(text: str, colour: str = "ink") -> Iterator[Block]:
    for line in text.splitlines():
        if line.strip() and _COMMAND not in line:
            told = plain(line.strip())
            yield Paragraph(re.sub(r"^- ", "• ", told), (Size.BODY,), colour=colour, lines=_LINES)
