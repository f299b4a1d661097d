"""Names as people may safely read them: other people's names are data, never Markdown or mentions."""

from __future__ import annotations

import unicodedata

from discord.utils import escape_markdown, escape_mentions

from bot.locales import words
from bot.render.scene import Look
from bot.tables.table import Table

LONGEST = 32
_ISOLATE, _POP = "\u2068", "\u2069"


def plain(name: str) -> str:
    """A name for pictures and alt texts: one line, no control signs, at most 32 signs."""
    kept = "".join(
        c for c in name if unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp") or c == "\u200d"
    )
    kept = " ".join(kept.split()) or words("en")("person.nameless")
    return kept if len(kept) <= LONGEST else kept[: LONGEST - 1].rstrip("\u200d ") + "…"


def shown(name: str) -> str:
    """A name for Markdown: escaped, and kept from turning the line round it right-to-left."""
    # mentions of all kinds, timestamps and custom emoji begin with "<", which no escape of Markdown stops
    text = escape_mentions(escape_markdown(plain(name))).replace("<", "<\u200b")
    if any(unicodedata.bidirectional(c) in ("R", "AL", "RLE", "RLO") for c in text):
        return f"{_ISOLATE}{text}{_POP}"
    return text


def word_look(table: Table, locale: str) -> Look:
    """How words name the seats."""
    return Look(locale=locale, names=tuple(shown(sitter.name) for sitter in table.sitters))


def picture_look(table: Table, locale: str) -> Look:
    """How pictures and alt texts name the seats."""
    return Look(locale=locale, names=tuple(plain(sitter.name) for sitter in table.sitters))


def joined(names: list[str], locale: str) -> str:
    """Several names as a phrase."""
    if len(names) < 2:
        return "".join(names)
    return ", ".join(names[:-1]) + words(locale)("table.and") + names[-1]
