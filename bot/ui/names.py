"""Safe display of names: other people's names are data, never Markdown or mentions."""

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
"""The characters that start a heading, a quote or a list at the beginning of a line."""
_STACKING, _PILED = 200, 2
"""The combining class from which marks stack above or below their letter, and the number of them that a
letter may have. No language needs more, and longer piles cover the lines and buttons around them."""
_ISOLATE, _POP = "\u2068", "\u2069"
_KNOWN: Final = 4096
"""Maximum number of safe texts to remember: a table names the same few again and again."""


def account_name(user: discord.User | discord.Member) -> str:
    """Return the name of a person's account, not the nickname that a server shows."""
    return plain(user.global_name or user.name)


@lru_cache(_KNOWN)
def plain(name: str, most: int = LONGEST) -> str:
    """Return a name for pictures and alt texts, of at most `most` code points.

    The name is one line without control characters and piles of marks, and never blank.
    """
    text = _unpiled(
        char
        for char in name
        if unicodedata.category(char) not in ("Cc", "Cf", "Zl", "Zp") or char in (ZWJ, ZWNJ)
    )
    text = " ".join(text.split())
    return words("en")("person.nameless") if is_invisible(text) else shortened(text, most)


def _unpiled(chars: Iterable[str]) -> str:
    """Return a text in which each letter keeps only a few marks."""
    result, marks = list[str](), 0
    for char in chars:
        stacks = unicodedata.combining(char) >= _STACKING
        # a mark that does not stack, such as a vowel, belongs to the letter before it
        marks = marks + stacks if unicodedata.combining(char) else 0
        if not stacks or marks <= _PILED:
            result.append(char)
    return "".join(result)


@lru_cache(_KNOWN)
def inert(text: str) -> str:
    """Return a plain text escaped for Markdown, and isolated if it would turn the surrounding line
    right-to-left.

    Nothing in it takes effect: no emphasis, links, addresses, mentions, headings or lists.
    """
    text = _BLOCK.sub(r"\1\\\2", _SIGN.sub(r"\\\g<0>", text))
    # mentions, timestamps and custom emoji begin with "<", and Markdown escapes do not stop those or bare
    # URLs
    text = escape_mentions(text).replace("<", "<\u200b").replace("://", ":\u200b//")
    if any(unicodedata.bidirectional(char) in ("R", "AL", "RLE", "RLO") for char in text):
        return f"{_ISOLATE}{text}{_POP}"
    return text


def shown(name: str) -> str:
    """Return a name for Markdown."""
    return inert(plain(name))


def named_rules(name: str) -> str:
    """Return the name of house rules for Markdown."""
    return inert(plain(name, LONGEST_RULES))


def message_url(place: StoredGame | TableLine) -> str:
    """Return the URL of a game's message, or of its channel while it is not posted.

    If only the hand shows the game, return the URL of its server.
    """
    parts = (place.guild_id or "@me", place.channel_id or None, place.message_id)
    return "https://discord.com/channels/" + "/".join(str(part) for part in parts if part)


def joined(names: list[str], locale: str) -> str:
    """Return several names as a phrase."""
    say = words(locale)
    return phrase(names, say("table.comma"), say("table.and"))


def shown_points(mu: float, sigma: float) -> str:
    """Return a rating for display: 1500 for a new player, with a "?" while it rests on few games."""
    return f"{points(mu)}{'?' if sigma > PROVISIONAL else ''}"
