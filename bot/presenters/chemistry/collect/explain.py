"""Why a move is refused; and the answer to "Why?": what everybody made, how it is counted, and a fact about
each compound."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from bot.presenters.chemistry.words import Voice, equation
from bot.presenters.telling import Told
from bot.render.scene import Look
from engine.chemistry.ai.patterns import REASONS
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.events import CANASTA_REFUSALS
from engine.chemistry.observation import Observation, Sheet
from engine.chemistry.scoring import COMPOUND, ELEMENT_LEFT, RUN_CARD, WILD_LEFT
from engine.elements import BY_SYMBOL
from engine.game import Refusal
from engine.reason import Reason

LONGEST = 3300
"""Room for the whole answer, in signs, with some to spare."""


def because(reason: Reason, look: Look) -> str:
    """Return a reason as a sentence."""
    return Voice(look).because(reason, REASONS)


def why(refusal: Refusal, look: Look) -> str:
    """The sentence of a refusal; where cards are missing also what a wild card in the hand could do."""
    voice, facts = Voice(look), refusal.facts
    if "problem" not in facts:
        return voice.why(refusal, CANASTA_REFUSALS)
    said = voice.said(CANASTA_REFUSALS[refusal.rule], facts)
    if "compound" in facts:
        elements = BOOK.compounds[facts["compound"]].elements
        said["recipe"] = voice.all([f"{count} {symbol}" for symbol, count in elements.items()])
    short = facts.get("short", 0)
    if short:
        said |= {"missing": _missing(facts, voice), "rest": short - 1}
    told = voice(f"why.{refusal.rule}.{facts['problem']}", n=short, **said)
    if wilds := facts.get("wilds", 0):
        told += " " + voice("why.wild_does" if wilds == short else "why.wild_helps", n=wilds)
    return told


def _missing(facts: Told, voice: Voice) -> str:
    """What is missing: all of it, or so many of it where named wild cards stand for some."""
    short, missing = facts["short"], [(card, count) for card, count in facts["missing"]]
    if "compound" not in facts:
        return voice.all([_counted(card, count, voice.card(card), voice) for card, count in missing])
    missing = _in_order(facts)
    if facts["problem"] == "wilds_and_short":
        # one of the cards that are still missing has to be an element, the others may be wild
        return voice.all([voice.symbol(card) for card, _ in missing], "or")
    if len(missing) == 1:
        card = missing[0][0]
        return _counted(
            card, short, f"{short} {voice.symbol(card)}" if short > 1 else voice.symbol(card), voice
        )
    if short == sum(count for _, count in missing):
        return voice.all([_counted(c, n, f"{n} {voice.symbol(c)}", voice) for c, n in missing])
    if short == 1:
        return voice.all([voice.symbol(card) for card, _ in missing], "or")
    pool = [voice.symbol(card) for card, count in missing for _ in range(count)]
    return voice("why.some_of", n=short, atoms=voice.listed(pool))


def _in_order(facts: Told) -> list[tuple[int, int]]:
    """The missing cards of a compound with how many, in the order of its formula, wild cards last."""
    order = [BY_SYMBOL[symbol].z for symbol in BOOK.compounds[facts["compound"]].elements] + [WILD]
    return sorted(((card, count) for card, count in facts["missing"]), key=lambda one: order.index(one[0]))


def _counted(card: int, count: int, element: str, voice: Voice) -> str:
    """An element as it is to be said here, or so many wild cards."""
    return voice("wilds", n=count) if card == WILD else element


# how it came about


def explain(seen: Observation, look: Look) -> str:
    """The captures of the running round, the sums of the last finished one, and facts about both."""
    voice = Voice(look)
    parts = []
    # when all is over, the cards that lie there are those of the last sheet
    running: Sequence[Sequence[int]] = () if seen.over else seen.captured
    if any(running):
        made = [_made(seat, own, voice) for seat, own in enumerate(running) if own]
        parts.append("\n".join([voice("explain.so_far"), *made]))
    if seen.last is not None:
        parts.append("\n".join(_sheet(seen.last, voice)))
    if not parts:
        return ""
    text = "\n\n".join(parts)
    return text + _facts(seen, running, LONGEST - len(text), voice)


def _made(seat: int, numbers: Sequence[int], voice: Voice) -> str:
    return voice("explain.made", name=voice.name(seat), formulas=voice.formulas(numbers))


def _sheet(sheet: Sheet, voice: Voice) -> Iterator[str]:
    """A finished round: the sum of each seat, step by step, and what it made."""
    yield voice("explain.round", round=sheet.round)
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
        yield voice(
            "explain.sum",
            name=voice.name(seat),
            terms=" ".join(filter(None, terms)),
            points=points,
            total=sheet.totals[seat],
        )
        if compounds:
            yield voice("explain.made_of", formulas=voice.formulas(sheet.captured[seat]))


def _facts(seen: Observation, running: Sequence[Sequence[int]], room: int, voice: Voice) -> str:
    """As many compounds with fact and equation as there is room for, and how many more there are."""
    found = dict(_in_turns(seen, running))
    if not found:
        return ""
    text, left = "\n\n" + voice("explain.facts"), len(found)
    for number, seat in found.items():
        one = BOOK.compounds[number]
        told = "\n" + voice(
            "explain.fact" if seen.seats == 1 else "explain.fact_of",
            compound=voice.compound(number),
            name=voice.name(seat),
            fact=voice.fact(one),
            equation=equation(one.equation),
        )
        if len(text) + len(told) > room:
            return text + "\n" + voice("explain.more", n=left)
        text, left = text + told, left - 1
    return text


def _in_turns(seen: Observation, running: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Each compound once, with the seat that made it: the viewer's own ones, then one of each seat in
    turns; those of a seat the latest first."""
    made: list[list[int]] = [[] for _ in range(seen.seats)]
    for captured in (seen.last.captured if seen.last is not None else (), running):
        for seat, numbers in enumerate(captured):
            made[seat] = [*reversed(numbers), *made[seat]]
    by_seat = [[(number, seat) for number in numbers] for seat, numbers in enumerate(made)]
    first = seen.viewer if seen.viewer is not None else 0
    by_seat = by_seat[first:] + by_seat[:first]
    own = by_seat.pop(0) if seen.viewer is not None else []
    told: set[int] = set()
    for one in chain(own, *zip_longest(*by_seat)):
        if one is not None and one[0] not in told:
            told.add(one[0])
            yield one
