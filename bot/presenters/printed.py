"""Games to print: those whose makers let everybody print them, as fronts of cards and a rule sheet.

A game is allowed where its `/about` says so: it belongs to everybody, or its makers give it away. Its module
here says what is printed; all other games are bought from their makers.
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
from bot.render.blocks import Block, Column, Spaced, Words
from bot.render.printing import PARAGRAPH
from bot.render.scene import Look, Scene, Size, Weight

_ALLOWED: Final = {"atom": "bot.presenters.atom.printing", "duel52": "bot.presenters.duel52.printing"}
"""By game: where its `deck` is."""
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_COMMAND: Final = "`/"
_LINES: Final = 99
"""More than any paragraph takes."""
_SECTION: Final = 24
"""Below a page of the rules, in pixels, beside the room below every paragraph."""


@dataclass(frozen=True, slots=True)
class Deck:
    """What is printed of a game: a front for each card, equal ones as often as there are, and its rules."""

    fronts: tuple[Scene, ...]
    rules: tuple[Page, ...]


def may_be_printed() -> tuple[str, ...]:
    """The games whose makers allow it."""
    return tuple(_ALLOWED)


def deck(game: str, seats: int, look: Look) -> Deck | None:
    """The cards for so many players and the rules; None where the game is its makers' to sell."""
    if game not in _ALLOWED:
        return None
    made: Callable[[int, Look], Deck] = import_module(_ALLOWED[game]).deck
    return made(seats, look)


def plain(text: str) -> str:
    """A text for paper: without the marks of Markdown, of a link what it says."""
    return unmarked(_LINK.sub(r"\1", text))


def rule_blocks(game: str, rules: tuple[Page, ...], locale: str) -> tuple[Block, ...]:
    """The rules, dark on paper, in blocks that are not torn apart: title, then a paragraph each; at the end
    whose game it is. What a command of Discord would tell is left out."""
    presenter = presenters.get(game)
    found: list[Block] = [Words(presenter.title(locale), (Size.LARGE,), Weight.BOLD, "ink")]
    for page in rules:
        example = words(locale)("rules.example", text=page.example) if page.example else ""
        first, *rest = _paragraphs(f"{page.text}\n{example}")
        title = Words(page.title, (Size.TITLE,), Weight.BOLD, "ink", lines=2)
        # a title with one line below it at the foot of a column looks lost
        head = Column((Column((title, first)), *rest[:1]), PARAGRAPH)
        *others, last = (head, *rest[1:])
        found += [*others, Spaced(last, _SECTION)]
    return (*found, *_paragraphs(presenter.about(locale), "ink_soft"))


def _paragraphs(text: str, colour: str = "ink") -> Iterator[Block]:
    for line in text.splitlines():
        if line.strip() and _COMMAND not in line:
            told = plain(line.strip())
            yield Words(re.sub(r"^- ", "• ", told), (Size.BODY,), colour=colour, lines=_LINES)
