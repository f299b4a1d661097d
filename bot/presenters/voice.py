"""How a game speaks: the strings of its own table, in the language of one reader."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar

from bot.locales import Words, phrase, words
from bot.render.scene import Look
from bot.render.text import written
from bot.render.theme import seat_letter
from engine.facts import Facts, Player
from engine.game import Outcome, Refusal, Value

_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")


_MEDALS = ("🥇", "🥈", "🥉")


def medal(rank: int) -> str:
    """The sign of a rank from 1: a medal, then the number, with its stop escaped so that no list begins."""
    return _MEDALS[rank - 1] if rank <= len(_MEDALS) else f"{rank}\\."


_MARKS = re.compile(
    r"\\(.)|\*\*|__|~~|\|\||`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|^(?:#+|-#|>) ", re.MULTILINE
)


def unmarked(text: str) -> str:
    """A text without the marks of Markdown."""
    return _MARKS.sub(lambda match: match[1] or "", text)


def clipped(text: str, most: int) -> str:
    """The text, shortened with an ellipsis where it is longer."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def read_mean(value: float) -> float:
    """A mean as far as people read it: a digit behind the point below ten.

    >>> read_mean(3.04), read_mean(3.26), read_mean(-12.6)
    (3.0, 3.3, -13.0)
    """
    return round(value, 1 if abs(value) < 9.95 else 0)


def spell_mean(value: float) -> str:
    """The same in signs, the minus among them.

    >>> spell_mean(3.04), spell_mean(3.26), spell_mean(-12.6)
    ('3', '3.3', '−13')
    """
    read = read_mean(value)
    return f"{'−' * (read < 0)}{abs(read)}".removesuffix(".0")


def drawn_name(look: Look, seat: int) -> str:
    """The name of a seat as pictures write it: where our fonts can write nothing of it, such as one of emoji
    alone, the seat itself must do. Empty where nobody has a name."""
    name = look.name(seat)
    if not name:
        return ""
    return written(name) or words(look.locale)("table.unwritten", seat=seat_letter(seat))


class Voice:
    """The strings below one table for one reader: `voice("line.play", name=…)`.

    A game makes its own with `table` set, and adds the names of its cards. The table needs the
    strings `bold` (with `name`) and `and`; `comma` where the language has another than ", ".
    """

    __slots__ = ("_say", "look")
    table: ClassVar[str]
    prefix: ClassVar[str] = ""
    """What the keys of lines and refusals begin with, where games share a table."""
    forms: ClassVar[Mapping[object, Callable[..., str]]] = {}
    """By the type of a fact: `(voice, value, facts)`, its words; those of players are known already."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self._say: Words = words(look.locale)

    def __call__(self, key: str, /, **facts: object) -> str:
        """The string of the key below the table.

        Raises:
            MissingWords: there is no such string.
        """
        return self._say(f"{self.table}.{key}", **facts)

    def list(self, key: str) -> tuple[str, ...]:
        """A list of strings below the table; empty where the language has none."""
        return self._say.list(f"{self.table}.{key}") if key in self else ()

    def __contains__(self, key: str) -> bool:
        return f"{self.table}.{key}" in self._say

    def name(self, seat: int) -> str:
        """A player in bold. The look's names are safe in Markdown already."""
        return self("bold", name=self.look.name(seat))

    def names(self, seats: Iterable[int]) -> str:
        """Several players in bold."""
        return self.all([self.name(seat) for seat in seats])

    def plain(self, seat: int) -> str:
        """A player for labels, which know no Markdown: the signs that escape it are taken out."""
        return _ESCAPED.sub(r"\1", self.look.name(seat)).replace("\u200b", "")

    def drawn(self, seat: int) -> str:
        """A player as pictures name them."""
        return drawn_name(self.look, seat)

    def all(self, parts: Sequence[str], last: str = "and") -> str:
        """Several things as a phrase."""
        return phrase(parts, self._comma, self(last)) if len(parts) > 1 else "".join(parts)

    def listed(self, parts: Iterable[str]) -> str:
        """Several things side by side."""
        return self._comma.join(parts)

    @property
    def _comma(self) -> str:
        return self("comma") if "comma" in self else ", "

    def said(self, declared: Facts, facts: Mapping[str, object]) -> dict[str, object]:
        """The facts in words, each by its declared type; `n` is what the sentence counts by."""
        said, types = dict(facts), declared.types
        for name, value in facts.items():
            if form := self.forms.get(types[name]) or _PLAYERS.get(types[name]):
                said[name] = form(self, value, facts)
        return said if declared.count is None else {**said, "n": facts[declared.count]}

    def why(self, refusal: Refusal, rules: Mapping[str, Facts]) -> str:
        """The sentence `why.<rule>` of a refusal, by the rules that the game declares."""
        declared = rules.get(refusal.rule)
        facts = refusal.facts if declared is None else self.said(declared, refusal.facts)
        return self(f"why.{self.prefix}{refusal.rule}", **facts)

    def option(self, key: str, value: Value | None) -> tuple[str, str]:
        """The label of an option (value None) or of one of its values, and a sentence on what it does: the
        strings `option.<key>` and `option.<key>_<value>`, each with its `…_note`."""
        name = key if value is None else f"{key}_{value}".lower()
        return self(f"option.{name}"), self(f"option.{name}_note")

    def ranking(self, outcome: Outcome, score: str) -> tuple[str, ...]:
        """A line for each seat, the best first; `score` is the key of the string for its score (`n`)."""
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
