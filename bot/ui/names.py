"""Names as people may safely read them: other people's names are data, never Markdown or mentions."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import discord
from discord.utils import escape_mentions

from bot.locales import phrase, words
from bot.render.lettering.graphemes import ZWJ, ZWNJ, shortened
from bot.render.lettering.name_faces import is_invisible
from bot.store.games import StoredGame
from bot.store.queries import TableLine
from bot.store.rating_model import PROVISIONAL, points
from bot.store.terms import LONGEST_RULES

LONGEST = 32
_SIGN = re.compile(r"[\\\\*_~|`\[\]]")
_BLOCK = re.compile(r"^(\s*\d*)([#>+.-])", re.MULTILINE)
"""What makes a heading, a quote or a list at the beginning of a line."""
_STACKING, _PILED = 200, 2
"""The combining class from which on marks stand above or below their letter, on each other, and how many of
them one letter may bear; no language needs more, and piles run over the lines and buttons around them."""
_ISOLATE, _POP = "\u2068", "\u2069"
_KNOWN: Final = 4096
"""How many texts are remembered as they were made safe: a table names the same few again and again."""


def account_name(user: discord.User | discord.Member) -> str:
    """Return the name of a person's account, which no server has given them."""
    return plain(user.global_name or user.name)


@lru_cache(_KNOWN)
def plain(name: str, most: int = LONGEST) -> str:
    """Return a name for pictures and alt texts, of at most `most` code points.

    It is one line without control characters and piles of marks, and never blank.
    """
    kept = _unpiled(
        c for c in name if unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp") or c in (ZWJ, ZWNJ)
    )
    kept = " ".join(kept.split())
    return words("en")("person.nameless") if is_invisible(kept) else shortened(kept, most)


def _unpiled(signs: Iterable[str]) -> str:
    """A text whose letters bear few marks each."""
    kept, marks = list[str](), 0
    for sign in signs:
        stacks = unicodedata.combining(sign) >= _STACKING
        # a mark that does not stack, such as a vowel, belongs to the letter before it
        marks = marks + stacks if unicodedata.combining(sign) else 0
        if not stacks or marks <= _PILED:
            kept.append(sign)
    return "".join(kept)


@lru_cache(_KNOWN)
def inert(text: str) -> str:
    """A plain text for Markdown: escaped, and kept from turning the line round it right-to-left.

    Nothing in it works: no emphasis, no link, masked or bare, no mention, no heading or list.
    """
    text = _BLOCK.sub(r"\1\\\2", _SIGN.sub(r"\\\g<0>", text))
    # mentions of all kinds, timestamps and custom emoji begin with "<", which no escape of Markdown stops;
    # nor does one stop a bare address
    text = escape_mentions(text).replace("<", "<\u200b").replace("://", ":\u200b//")
    if any(unicodedata.bidirectional(c) in ("R", "AL", "RLE", "RLO") for c in text):
        return f"{_ISOLATE}{text}{_POP}"
    return text


def shown(name: str) -> str:
    """A name for Markdown."""
    return inert(plain(name))


def named_rules(name: str) -> str:
    """The name of house rules for Markdown."""
    return inert(plain(name, LONGEST_RULES))


def message_url(place: StoredGame | TableLine) -> str:
    """The address of the message where a game is shown; of its channel, while it is not posted yet; of its
    server, if only the hand shows it."""
    parts = (place.guild_id or "@me", place.channel_id or None, place.message_id)
    return "https://discord.com/channels/" + "/".join(str(part) for part in parts if part)


def joined(names: list[str], locale: str) -> str:
    """Several names as a phrase."""
    say = words(locale)
    return phrase(names, say("table.comma"), say("table.and"))


def shown_points(mu: float, sigma: float) -> str:
    """A rating as people read it: 1500 for who is new, with a "?" while few games tell."""
    return f"{points(mu)}{'?' if sigma > PROVISIONAL else ''}"
