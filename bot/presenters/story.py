"""The story of a finished game: how it went for each seat, where it turned, and what each did best.

A game gives `progress`: by seat, how far it is, as everybody may see it; the `steps` of what its last move
set going; the `feats` that count, and the `highlight` of a move. The rest follows from playing the actions
once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.presenters.base import AnyPresenter, Progress, Step
from bot.presenters.voice import unmarked
from bot.render.blocks import Block
from bot.render.scene import Look, Scene
from bot.render.text import written
from engine import catalog
from engine.game import Action, AnyState, Event, Outcome, Seat, Setup

_SENTENCE: Final = re.compile(r"(?<=.{30}[.!]) (?=[A-Z])")
"""Between the first sentence of a line and what is told beside it."""
MOST_POINTS: Final = 120
"""A curve of more points is thinned out: it is a picture, not a table."""


@dataclass(frozen=True, slots=True)
class Turning:
    """The act after which the winner stayed ahead: its number from 1, what happened, and that in a picture or
    the table then. With a `step` it happened so many steps after the last act."""

    act: int
    words: str
    shown: Block | Scene
    step: int = 0


@dataclass(frozen=True, slots=True)
class Story:
    """A finished game. `curves` is the course of each seat, `mark` the point of the turning (-1: none),
    `best` what each seat did best, in words, empty where nothing stands out."""

    outcome: Outcome
    acts: int
    steps: int
    """How many steps followed the last act by themselves."""
    curves: tuple[tuple[float, ...], ...]
    mark: int
    turning: Turning | None
    best: tuple[str, ...]
    ground: str
    """What the game lies on, see `Scene.ground`."""


@dataclass(slots=True)
class _Played:
    """A game that was played once more: its course, and what everybody heard after each act and step."""

    course: list[Progress]
    """The progress after the deal and after each act and step; empty where the game has none."""
    heard: list[Sequence[Event]]
    outcome: Outcome
    last: AnyState
    """The position at the end."""


def story(
    presenter: AnyPresenter,
    setup: Setup,
    acts: Sequence[tuple[Seat, Action]],
    look: Look,
    spoken: Look | None = None,
) -> Story:
    """The story of a game that is over, in the language and with the names of `look`.

    `spoken`: how lines name the seats, safe in Markdown, which is taken off again; `look` by default.

    Raises:
        ValueError: the game is not over after these actions.
    """
    spoken = spoken or look
    played = _play(setup, acts, presenter)
    course, winners = played.course, played.outcome.winners()
    if presenter.progress is None or len(winners) in (0, setup.seats):
        turned = None
    else:
        turned = _turning([_lead(progress, winners) for progress in course])
    best = tuple(_best(presenter, played, seat, spoken) for seat in range(setup.seats))
    turning = None
    if turned is not None:
        heard, act = played.heard[turned - 1], min(turned, len(acts))
        words = _told(presenter, heard, winners, spoken)
        shown = _shown(presenter, heard, _after(setup, acts[:act]), look)
        turning = Turning(act, words, shown, turned - act)
    kept = _thinned(len(course), turned)
    curves = tuple(tuple(course[at][seat] for at in kept) for seat in range(setup.seats)) if course else ()
    mark = -1 if turned is None else kept.index(turned)
    ground = presenter.table(played.last.observe(None), look).ground
    steps = len(played.heard) - len(acts)
    return Story(played.outcome, len(acts), steps, curves, mark, turning, best, ground)


def _play(setup: Setup, acts: Iterable[tuple[Seat, Action]], presenter: AnyPresenter) -> _Played:
    state, progress = catalog.get(setup.game).at(setup.version).deal(setup), presenter.progress
    course = [progress(state.observe(None))] if progress else []
    heard = list[Sequence[Event]]()
    for seat, action in acts:
        state.events = []
        state.apply(seat, action)
        heard.append([cut for event in state.events if (cut := event.seen_by(None)) is not None])
        if progress:
            course.append(progress(state.observe(None)))
    outcome = state.outcome()
    if outcome is None:
        raise ValueError("the game is not over")
    steps: Sequence[Step] = presenter.steps(state.observe(None)) if progress else ()
    if steps:
        first, *rest = steps
        course = [*course[:-1], first.progress, *(step.progress for step in rest)]
        heard += [step.events for step in rest]
    return _Played(course, heard, outcome, state)


def _lead(progress: Progress, winners: Sequence[Seat]) -> float:
    """How far the winners are ahead of the others: of the best of them, or of all where sides play."""
    others = [value for seat, value in enumerate(progress) if seat not in winners]
    own = [progress[seat] for seat in winners]
    return sum(own) - sum(others) if len(winners) > 1 else max(own) - max(others)


def _turning(leads: Sequence[float]) -> int | None:
    """The last act that brought the winners into the lead; where they never were behind, or are not ahead at
    the end of the curve, the act that won them most."""
    gains = [after - before for before, after in pairwise(leads)]
    if not gains or max(gains) <= 0:
        return None
    crossed = [n for n in range(1, len(leads)) if leads[n] > 0 >= leads[n - 1]]
    if crossed and leads[-1] > 0 and any(lead < 0 for lead in leads):
        return crossed[-1]
    most = [n for n, gain in enumerate(gains, 1) if gain == max(gains)]
    # who is not ahead in what the curve counts has won by what came last
    return most[0] if leads[-1] > 0 else most[-1]


def _best(presenter: AnyPresenter, played: _Played, seat: Seat, look: Look) -> str:
    """What brought a seat furthest, in words."""
    course = played.course
    if not course:
        return ""
    if len(course[0]) == 1:
        ahead = [at[0] for at in course]
    else:
        ahead = [at[seat] - max(v for s, v in enumerate(at) if s != seat) for at in course]
    gains = [after - before for before, after in pairwise(ahead)]
    # of equal ones the last: it counted more; what another did to themselves is nothing to be proud of
    ranked = sorted(range(len(gains)), key=lambda n: (gains[n], n), reverse=True)
    for act in ranked:
        if gains[act] <= 0:
            break
        if words := _told(presenter, played.heard[act], (seat,), look, only=True):
            return words
    return ""


def _told(
    presenter: AnyPresenter,
    events: Sequence[Event],
    seats: Sequence[Seat],
    look: Look,
    *,
    only: bool = False,
) -> str:
    """The last line about one of these seats, of the greatest feat among them if it was one; without one, the
    last line at all unless `only` theirs."""
    lines = [(event, line) for event in events if (line := presenter.line(event, None, look))]
    own = [one for one in lines if one[0].seat in seats]
    great = own
    if feats := presenter.feats:
        great = [one for one in own if one[0].kind in feats]
        great.sort(key=lambda one: -feats.index(one[0].kind))
    found = great or ([] if only else own or lines)
    return _SENTENCE.split(written(unmarked(found[-1][1])), maxsplit=1)[0] if found else ""


def _after(setup: Setup, acts: Iterable[tuple[Seat, Action]]) -> AnyState:
    """The position after these actions."""
    state: AnyState = catalog.get(setup.game).at(setup.version).deal(setup)
    for seat, action in acts:
        state.apply(seat, action)
    return state


def _shown(presenter: AnyPresenter, events: Sequence[Event], state: AnyState, look: Look) -> Block | Scene:
    """What happened, drawn large; the table where that says it best."""
    seen = state.observe(None)
    return presenter.highlight(events, seen, look) or presenter.table(seen, look)


def _thinned(count: int, keep: int | None) -> list[int]:
    """Which points of a curve are shown: at most so many, the last and the turning among them."""
    if count <= MOST_POINTS:
        return list(range(count))
    chosen = {round(n * (count - 1) / (MOST_POINTS - 1)) for n in range(MOST_POINTS)}
    return sorted(chosen | ({keep} if keep is not None else set()))
