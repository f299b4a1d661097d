"""The rules: short pages with a select for the page and one for the game, and the ways to play it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from discord import ui

from bot import presenters
from bot.features.table import slots as table_slots
from bot.features.table import table_rules
from bot.locales import words
from bot.presenters.base import Page
from bot.table.table import Table
from bot.ui import screen_space as phone
from bot.ui.components import BETWEEN, Control, MenuLine, Message, TextWithButton, button, page, select
from bot.ui.navigation import game_select

SHORT: Final = 600
"""Number of characters that fit the screen of a phone with a picture above them."""
_TORN: Final = 30_000
"""Cost of a break inside a paragraph: as much as parts that differ by about 170 characters."""
AROUND: Final = 90
"""How high heading, selects and buttons are, in pixels, beyond what a phone shows of them at once."""
SIGNS: Final = (SHORT, 500, 400, 320, 240, 160)
"""How many signs a part has at most, tried in turn; a sign of Chinese takes the room of two."""


@dataclass(frozen=True, slots=True)
class Screen:
    """What is shown at once: the page, its number, and the part of its text."""

    page: Page
    number: int
    text: str


def rule_screens(game: str, locale: str, table: Table | None = None) -> list[Screen]:
    """The rules of a game in parts that fit a phone; at a table, the page of its level first."""
    options, say = table.stored.options if table is not None else None, words(locale)
    named = phone.words_height(_named(table, locale))
    around = AROUND + named + (BETWEEN if named else 0)
    found = list[Screen]()
    for number, each in enumerate(presenters.get(game).rules(locale, options)):
        example = say("rules.example", text=each.example) if each.example else ""
        picture = phone.picture_height(each.scene) if each.scene else 0
        parts = _parts(f"{each.text}\n\n{example}", picture, around)
        found += [Screen(each, number, text) for text in parts]
    return found


@lru_cache(maxsize=512)
def _parts(text: str, picture: float, around: float) -> list[str]:
    """The text in as few parts as fit a phone below a picture so high; measuring them takes a while."""
    room = phone.room_beside(around, picture)
    parts = list[str]()
    for most in SIGNS:
        parts = screens(text, most)
        if max(map(phone.words_height, parts)) <= room:
            break
    return parts


def first_screen(found: Sequence[Screen], number: int) -> int:
    """Where a page begins; the first of all where there is no such page."""
    return next((at for at, screen in enumerate(found) if screen.number == number), 0)


def rules_message(
    game: str,
    locale: str,
    at: int,
    *,
    table: Table | None = None,
    playing: bool = False,
    beside: ui.Button[ui.LayoutView] | None = None,
) -> Message:
    """A part of the rules by its number, with the ways to the others; `beside` stands at the heading.

    Who is `playing` already is not offered a game.
    """
    say, found = words(locale), rule_screens(game, locale, table)
    at = min(at, len(found) - 1)
    shown, where = found[at], (game, table.id if table is not None else 0)
    titles = list({screen.number: screen.page.title for screen in found}.items())
    controls: list[Control] = []
    if len(titles) > 1:
        lines = [MenuLine(str(n), title, chosen=n == shown.number) for n, title in titles]
        controls.append(select(say("rules.choose"), lines, "rule-page", *where))
    for step, way in ((-1, "back"), (1, "on")):
        # from two parts the same one lies either way, and two ids must differ
        controls.append(button(say(f"rules.{way}"), "rule-turn", *where, (at + step) % len(found), way))
    controls += table_slots.RULES.controls(say, table_slots.RulesOfGame(game, table, playing))
    controls.append(game_select(game, locale, "rule-game"))
    of_game = say("rules.of", game=presenters.get(game).title(locale), at=at + 1, of=len(found))
    heading = f"## {shown.page.title}\n{of_game}"
    head = TextWithButton(heading, beside) if beside is not None else heading
    return page(head, _named(table, locale), shown.page.scene or "", shown.text, controls)


def _named(table: Table | None, locale: str) -> str:
    """Return by which rules a table is played, or an empty string if by the usual ones."""
    if table is None or not (told := table_rules(table, locale)):
        return ""
    return words(locale)("rules.differs", told=told)


def screens(text: str, most: int = SHORT) -> list[str]:
    """Return the text in as few parts as possible, each of at most `most` characters.

    The parts are about equally long. They break between paragraphs where possible, else between lines. A
    single line is never broken.
    """
    pieces = [
        ("\n" if n else "\n\n", line)
        for paragraph in text.strip().split("\n\n")
        for n, line in enumerate(paragraph.split("\n"))
    ]
    best: list[tuple[int, int, int]] = [(0, 0, 0)]
    # for each number of pieces: the fewest parts, their cost, and the start of the last part
    for end in range(1, len(pieces) + 1):
        choices, length = list[tuple[int, int, int]](), 0
        for start in range(end - 1, -1, -1):
            joint, line = pieces[start]
            length += len(line) + (len(pieces[start + 1][0]) if start + 1 < end else 0)
            if length > most and start < end - 1:
                break
            count, cost, _ = best[start]
            torn = _TORN if start and joint == "\n" else 0
            choices.append((count + 1, cost + length * length + torn, start))
        best.append(min(choices))
    parts, end = list[str](), len(pieces)
    while end:
        start = best[end][2]
        head, *rest = pieces[start:end]
        parts.append(head[1] + "".join(joint + line for joint, line in rest))
        end = start
    return parts[::-1]
