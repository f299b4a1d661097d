"""What a seat made in the round that is over, in few words: for the log, a question, the last table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.presenters.base import PROMPT
from bot.presenters.chemistry.words import Voice, formula_of
from engine.chemistry.deck import BOOK
from engine.chemistry.observation import FIRST, SHUFFLE, Observation, parts

MOST_FACTS = 3
"""The most facts in a question."""


def telling_order(numbers: Sequence[int], number: int) -> list[int]:
    """The compounds of a seat in the order in which they are worth telling after round `number`.

    The latest come first; but before all others a third of the deck, another one in each round, so that
    what is captured in every round is not told in every round.
    """
    latest_first = [*reversed(numbers)]
    return sorted(latest_first, key=lambda compound: (compound - number) % 3 > 0)


def asks_anew(seen: Observation) -> bool:
    """Whether this is the viewer's first question of a round that is not the first one."""
    if seen.last is None or seen.phase != FIRST or seen.viewer is None:
        return False
    done = map(parts, seen.log)
    return not any(seat == seen.viewer for what, seat, _ in done if what != SHUFFLE)


def question(seen: Observation, asked: str, voice: Voice) -> str:
    """The question with what the viewer made in the last round before it: the formulas, the points, and as
    many facts as there is room for."""
    if seen.last is None or seen.viewer is None:
        return asked
    numbers, runs = seen.last.captured[seen.viewer], len(seen.last.runs[seen.viewer])
    points = voice("points", n=seen.last.points[seen.viewer])
    ending = f"{voice('made.more')}\n{asked}"
    told = voice("made.last", things=things(numbers, runs, voice) or voice("made.nothing"), points=points)
    facts = "".join(_facts(numbers, seen.last.round, PROMPT - len(f"{told} {ending}"), voice))
    if numbers and not facts:  # rather a fact than all formulas
        told = voice("made.last", things=things(numbers, runs, voice, short=True), points=points)
        facts = "".join(_facts(numbers, seen.last.round, PROMPT - len(f"{told} {ending}"), voice))
    return f"{told}{facts} {ending}"


def things(numbers: Sequence[int], runs: int, voice: Voice, *, short: bool = False) -> str:
    """What was made as a phrase: the formulas, or in short how many compounds, and how many runs."""
    named = [voice("made.compounds", n=len(numbers))] if short else list(map(formula_of, numbers))
    return voice.all([*named, voice("made.runs", n=runs)] if runs else named)


def _facts(numbers: Sequence[int], number: int, room: int, voice: Voice) -> Iterator[str]:
    """Facts that fit into the room; the one that the log has told comes last."""
    first, rest = (order := telling_order(numbers, number))[:1], order[1:]
    left = MOST_FACTS
    for compound in rest + first:
        told = f" {fact(compound, voice)}"
        if left and len(told) <= room:
            yield told
            left, room = left - 1, room - len(told)


def fact(compound: int, voice: Voice, key: str = "line.fact") -> str:
    """A fact about a compound, with its name."""
    one = BOOK.compounds[compound]
    return voice(key, compound=voice.compound_name(one), fact=voice.fact(one))


def last_fact(seen: Observation, voice: Voice) -> str:
    """When the game is over: a fact about something that was made in its last round, if anything was; by
    the seat with the highest total if it made something."""
    if seen.last is None:
        return ""
    seats = sorted(range(seen.seats), key=lambda seat: -seen.totals[seat])
    made = next((own for seat in seats if (own := seen.last.captured[seat])), ())
    return fact(telling_order(made, seen.last.round)[0], voice, "picture.fact") if made else ""
