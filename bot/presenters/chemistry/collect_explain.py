"""The answer to "Why?": what everybody made, how it is counted, and a fact about each compound."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presenters.chemistry.words import Voice, equation, formula
from bot.render.scene import Look
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.observation import Observation, Sheet
from engine.chemistry.scoring import COMPOUND, ELEMENT_LEFT, RUN_CARD, WILD_LEFT

LONGEST = 3300
"""Room for the whole answer, in signs, with some to spare."""


def explain(seen: Observation, look: Look) -> str:
    """The round as it stands; before its first capture the round before, with its sums."""
    voice = Voice(look)
    made = [number for own in seen.captured for number in own]
    if seen.last is not None and (seen.over or not made):
        return _sheet(seen.last, voice)
    if not made:
        return ""
    lines = [voice("explain.so_far")]
    lines += [_made(seat, own, voice) for seat, own in enumerate(seen.captured) if own]
    return _with_facts(lines, made, voice)


def _made(seat: int, numbers: Sequence[int], voice: Voice) -> str:
    listed = ", ".join(formula(BOOK.compounds[number].formula) for number in numbers)
    return voice("explain.made", name=voice.name(seat), formulas=listed)


def _sheet(sheet: Sheet, voice: Voice) -> str:
    """A finished round: the sum of each seat, step by step."""
    lines = [voice("explain.round", round=sheet.round)]
    for seat, points in enumerate(sheet.points):
        wilds = sheet.hands[seat].count(WILD)
        elements = len(sheet.hands[seat]) - wilds
        compounds, cards = len(sheet.captured[seat]), 3 * len(sheet.runs[seat])
        terms = [
            voice("explain.compounds", n=compounds, each=COMPOUND),
            voice("explain.run_cards", n=cards, each=RUN_CARD) if cards else "",
            voice("explain.elements", n=elements, each=-ELEMENT_LEFT) if elements else "",
            voice("explain.wilds", n=wilds, each=-WILD_LEFT) if wilds else "",
        ]
        lines.append(
            voice(
                "explain.sum",
                name=voice.name(seat),
                terms=" ".join(filter(None, terms)),
                points=points,
                total=sheet.totals[seat],
            )
        )
    made = [number for own in sheet.captured for number in own]
    return _with_facts(lines, made, voice)


def _with_facts(lines: list[str], made: Sequence[int], voice: Voice) -> str:
    """As many compounds with fact and equation as there is room for, the latest first."""
    text = "\n".join(lines)
    if made:
        text += "\n\n" + voice("explain.facts")
    for number in reversed(made):
        one = BOOK.compounds[number]
        told = "\n" + voice(
            "explain.fact",
            compound=voice.compound(number),
            fact=voice.fact(one),
            equation=equation(one.equation),
        )
        if len(text) + len(told) > LONGEST:
            break
        text += told
    return text
