"""The strings of one game, in the language of one reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from bot.locales import Words, phrase, words
from bot.render.lettering.bidi import isolated
from bot.render.lettering.graphemes import shortened
from bot.render.scene import Look
from bot.render.text import written
from bot.render.theme import seat_letter
from engine.facts import Facts, Player
from engine.game import Outcome, Refusal, Value
from engine.reason import Reason

_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")


_MEDALS = ("🥇", "🥈", "🥉")


def medal(rank: int) -> str:
    """Return the sign of a rank from 1: a medal, then the number. Its full stop is escaped, or Markdown would
    start a list."""
    return _MEDALS[rank - 1] if rank <= len(_MEDALS) else f"{rank}\\."


_MARKS = re.compile(
    r"\\(.)|\*\*|__|~~|\|\||`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^(?:#+|-#|>) ", re.MULTILINE
)


def unmarked(text: str) -> str:
    """Return a text without Markdown."""
    return _MARKS.sub(lambda match: match[1] or "", text)


def undecorated(line: str) -> str:
    """Return a line of the log for pictures, without Markdown and without the emoji before its first word.

    Names are bold, so a name that is an emoji stays.
    """
    sign, _, rest = line.partition(" ")
    decorated = rest and not any(char.isalnum() or char == "*" for char in sign)
    return written(unmarked(rest if decorated else line))


def clipped(text: str, most: int) -> str:
    """Return the text, shortened with an ellipsis if it is longer than `most` code points."""
    return shortened(text, most)


def read_mean(value: float) -> float:
    """Round a mean to what people read: one decimal below ten, otherwise none.

    >>> read_mean(3.04), read_mean(3.26), read_mean(-12.6)
    (3.0, 3.3, -13.0)
    """
    return round(value, 1 if abs(value) < 9.95 else 0)


def spell_mean(value: float) -> str:
    """Return a rounded mean as text, with a real minus sign.

    >>> spell_mean(3.04), spell_mean(3.26), spell_mean(-12.6)
    ('3', '3.3', '−13')
    """
    read = read_mean(value)
    return f"{'−' * (read < 0)}{abs(read)}".removesuffix(".0")


def drawn_name(look: Look, seat: int) -> str:
    """Return the name of a seat as pictures write it, safe in any sentence, or "" if the seat has no name.

    If the font can draw nothing of the name, the seat letter replaces it.
    """
    name = look.name(seat)
    if not name:
        return ""
    return isolated(written(name)) or words(look.locale)("table.unwritten", seat=seat_letter(seat))


class Voice:
    """The strings of one game's table for one reader: `voice("line.play", name=…)`.

    A game subclasses it, sets `table`, and adds the names of its cards. The table needs the strings `bold`
    (with `name`) and `and`, plus `comma` in languages that do not use ", ".
    """

    __slots__ = ("_say", "look")
    table: ClassVar[str]
    prefix: ClassVar[str] = ""
    """The prefix of the keys of lines and refusals, if games share a table."""
    forms: ClassVar[Mapping[object, Callable[..., str]]] = {}
    """Formatters by fact type, called with `(voice, value, facts)`. Players have a default formatter."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._say: Words = words(look.locale)

    def __call__(self, key: str, /, **facts: object) -> str:
        """Return the string of a key in the table.

        Raises:
            MissingWords: there is no such string.
        """
        return self._say(f"{self.table}.{key}", **facts)

    def list(self, key: str) -> tuple[str, ...]:
        """Return a list of strings in the table, or an empty one if the language has none."""
        return self._say.list(f"{self.table}.{key}") if key in self else ()

    def __contains__(self, key: str) -> bool:
        return f"{self.table}.{key}" in self._say

    def name(self, seat: int) -> str:
        """Return a player's name in bold. Names in the look are already escaped for Markdown."""
        return self("bold", name=self.look.name(seat))

    def names(self, seats: Iterable[int]) -> str:
        """Return several players' names in bold, as a phrase."""
        return self.all([self.name(seat) for seat in seats])

    def plain(self, seat: int) -> str:
        """Return a player's name for labels. They do not support Markdown, so its escapes are removed."""
        return _ESCAPED.sub(r"\1", self.look.name(seat)).replace("\u200b", "")

    def drawn(self, seat: int) -> str:
        """Return a player's name as pictures write it."""
        return drawn_name(self.look, seat)

    def all(self, parts: Sequence[str], last: str = "and") -> str:
        """Join several strings into a phrase."""
        return phrase(parts, self._comma, self(last)) if len(parts) > 1 else "".join(parts)

    def listed(self, parts: Iterable[str]) -> str:
        """Join several strings with commas."""
        return self._comma.join(parts)

    @property
    def _comma(self) -> str:
        return self("comma") if "comma" in self else ", "

    def said(self, declared: Facts, facts: Mapping[str, object]) -> dict[str, object]:
        """Return the facts in words, each formatted by its declared type. `n` is the count that selects the
        plural."""
        said, types = dict(facts), declared.types
        for name, value in facts.items():
            if form := self.forms.get(types[name]) or _PLAYERS.get(types[name]):
                said[name] = form(self, value, facts)
        return said if declared.count is None else {**said, "n": facts[declared.count]}

    def why(self, refusal: Refusal, rules: Mapping[str, Facts]) -> str:
        """Return the sentence `why.<rule>` of a refusal. `rules` declares the facts of each rule."""
        declared = rules.get(refusal.rule)
        facts = refusal.facts if declared is None else self.said(declared, refusal.facts)
        return self(f"why.{self.prefix}{refusal.rule}", **facts)

    def because(self, reason: Reason, reasons: Mapping[str, Facts]) -> str:
        """Return the sentence `because.<key>` of a reason. `reasons` declares the facts of each.

        Empty if the game no longer has this reason: reviews keep them.
        """
        if reason.key not in reasons:
            return ""
        facts = self.said(reasons[reason.key], reason.facts)
        return self(f"because.{self.prefix}{reason.key}", **facts)

    def option(self, key: str, value: Value | None) -> tuple[str, str]:
        """Return the label of an option (value None) or of one of its values, and a sentence on what it does.

        These are the strings `option.<key>` and `option.<key>_<value>`, each with its `…_note`.
        """
        name = key if value is None else f"{key}_{value}".lower()
        return self(f"option.{name}"), self(f"option.{name}_note")

    def ranking(self, outcome: Outcome, score: str) -> tuple[str, ...]:
        """Return a line for each seat, the best first. `score` is the key of the string for its score `n`."""
        seats = sorted(range(len(outcome.standings)), key=lambda seat: outcome.standings[seat].rank)
        return tuple(
            f"{medal(outcome.standings[seat].rank)} {self.name(seat)} · "
            + self(score, n=int(outcome.standings[seat].score))
            for seat in seats
        )


_PLAYERS: Mapping[object, Callable[..., str]] = {
    Player: lambda voice, seat, _: voice.name(seat),
    list[Player]: lambda voice, seats, _: voice.names(seats),
}
