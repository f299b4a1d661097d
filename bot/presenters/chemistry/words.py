"""How the games of chemistry speak: elements, compounds, formulas and equations in the reader's language."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Final

from bot.presenters.elements.words import Voice as ElementVoice
from bot.render.scene import Look
from engine.chemistry.deck import BOOK, WILD, Compound, Law, decks, ion_of
from engine.chemistry.events import Card, Counted, Laid, Number, Points, Top, Totals
from engine.chemistry.events import Compound as Made
from engine.elements import ELEMENTS
from engine.game import Value

FAMILY: Final = "chemistry"
GROUND: Final = "teal"
"""The table on which the pictures of its games lie."""

_SUB = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SUP = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_COUNT = re.compile(r"(?<=[A-Za-z)])\d+")


def formula(text: str) -> str:
    """A formula as it is printed: H2O becomes H₂O."""
    return _COUNT.sub(lambda match: match[0].translate(_SUB), text)


def formula_of(number: int) -> str:
    """A compound in passing: H₂O."""
    return formula(BOOK.compounds[number].formula)


def equation(text: str) -> str:
    """A reaction as it is printed, with subscripts and an arrow."""
    return formula(text).replace("->", "→")


def charge(ion: str) -> str:
    """The charge of an ion as it is printed: Mg2+ gives ²⁺."""
    symbol, _ = ion_of(ion)
    return ion.removeprefix(symbol).translate(_SUP)


def ions_text(compound: Compound) -> str:
    """The ions of a salt with their numbers: Mg²⁺ + 2 Cl⁻."""
    counted = Counter(compound.ions)
    return " + ".join(
        (f"{count} " if count > 1 else "") + ion_of(ion)[0] + charge(ion) for ion, count in counted.items()
    )


def law_of(choice: str, number: int) -> Law:
    """One of the laws on the wild cards of these decks: they come in turns."""
    keys = [key for deck in decks(choice) for key in deck.laws]
    return next(law for law in BOOK.laws if law.key == keys[number % len(keys)])


class Voice(ElementVoice):
    """The strings of the games of chemistry for one reader."""

    __slots__ = ()
    table = FAMILY
    forms: ClassVar[Mapping[object, Callable[..., str]]] = {
        Card: lambda voice, card, _: voice.card(card),
        Counted: lambda voice, counts, _: voice.all([f"{n} {voice.symbol(card)}" for card, n in counts]),
        Laid: lambda voice, cards, facts: voice.run(facts["start"], cards),
        Made: lambda voice, number, _: voice.compound(number),
        Points: lambda voice, points, _: voice("points", n=points),
        Top: lambda voice, card, _: voice.short(card),
        Totals: lambda voice, totals, _: voice.scores(totals),
        list[Card]: lambda voice, cards, _: voice.counted(cards),
        list[Made]: lambda voice, numbers, _: voice.formulas(numbers),
        list[Number]: lambda voice, numbers, _: voice.all([str(number) for number in numbers]),
    }

    def symbol(self, card: int) -> str:
        """A card in one or two letters; the wild card has a word."""
        return self("wild") if card == WILD else ELEMENTS[card - 1].symbol

    def card(self, card: int) -> str:
        """A card in a sentence: **Oxygen** (O 8)."""
        return self("wild_card") if card == WILD else super().card(card)

    def label(self, card: int) -> str:
        """A card on a button: O 8 · Oxygen."""
        return self("wild_label") if card == WILD else super().label(card)

    def short(self, card: int) -> str:
        """A card in passing: O 8."""
        return self("wild") if card == WILD else super().short(card)

    def counted(self, cards: Iterable[int]) -> str:
        """Cards by kind in passing: 2 H, O, wild."""
        found = Counter(cards)
        return self.listed(
            (f"{count} " if count > 1 else "") + self.symbol(card)
            for card, count in sorted(found.items(), key=lambda one: (one[0] == WILD, one[0]))
        )

    def named(self, cards: Sequence[int]) -> str:
        """Cards in the order in which they are named: C O wild."""
        return " ".join(self.symbol(card) for card in cards)

    def given(self, cards: Sequence[int]) -> str:
        """The same as short as a button wants it: C O ★."""
        return " ".join(self("picture.star") if card == WILD else self.symbol(card) for card in cards)

    def run(self, start: int, cards: Sequence[int]) -> str:
        """The cards of a run: Na 11 · wild as 12 · Al 13."""
        return " · ".join(
            self.short(card) if card else self("tree.wild_as", number=start + step)
            for step, card in enumerate(cards)
        )

    def scores(self, totals: Sequence[int]) -> str:
        """Everybody's points in passing."""
        return self.listed(
            self("line.score", name=self.name(seat), points=points) for seat, points in enumerate(totals)
        )

    def compound(self, number: int) -> str:
        """A compound in a sentence: **Water** (H₂O)."""
        one = BOOK.compounds[number]
        return self("compound", compound=self.compound_name(one), formula=formula(one.formula))

    def formulas(self, numbers: Iterable[int]) -> str:
        """Compounds in passing: H₂O, NH₃."""
        return self.listed(map(formula_of, numbers))

    def compound_label(self, number: int) -> str:
        """A compound on a button: H₂O · Water."""
        one = BOOK.compounds[number]
        return self("compound_label", compound=self.compound_name(one), formula=formula(one.formula))

    def compound_name(self, one: Compound) -> str:
        """The name of a compound; a language may have its own."""
        return self._own(f"element.{one.formula}", one.name)

    def use(self, one: Compound) -> str:
        """What a compound is used for."""
        return self._own(f"text.{one.formula}_use", one.use)

    def fact(self, one: Compound) -> str:
        """Something worth knowing about a compound."""
        return self._own(f"text.{one.formula}_fact", one.fact)

    def law_name(self, law: Law) -> str:
        """The name of the law on a wild card."""
        return self._own(f"element.{law.key}", law.name)

    def law_by(self, law: Law) -> str:
        """Who found a law, and when."""
        return self._own(f"text.{law.key}_by", law.by)

    def law_text(self, law: Law) -> str:
        """What a law says, in one sentence."""
        return self._own(f"text.{law.key}", law.text)

    def _own(self, key: str, english: str) -> str:
        return self(key) if key in self else english

    def law(self, choice: str, number: int) -> str:
        """One of the laws on the wild cards of these decks, with what it says."""
        law = law_of(choice, number)
        return self("law", law=self.law_name(law), text=self.law_text(law))


def option(key: str, value: Value | None, look: Look) -> tuple[str, str]:
    """An option or one of its values, and what it does."""
    return Voice(look).option(key, value)
