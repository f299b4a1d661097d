"""The story of a finished game: its course for each seat, the turning point, and each player's best move.

A game provides `progress` (each seat's progress as everyone may see it), the `steps` that followed its last
move, the `feats` that count, and the `highlight` of a move. The rest comes from replaying the actions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from bot.presenters.base import AnyPresenter, ChainStep, Progress
from bot.presenters.voice import undecorated
from bot.render.blocks import Block
from bot.render.scene import Look, Scene
from engine import catalog
from engine.game import Action, AnyState, Event, Outcome, Seat, Setup

_SENTENCE: Final = re.compile(r"(?<=.{30}[.!]) (?=[A-Z])")
"""Matches the space between the first sentence of a line and any further details."""
_BEHIND: Final = 0.1
"""Smallest fraction of a game the winners must have been behind for a comeback."""
_OPENING: Final = 0.25
"""Fraction of a game that counts as its opening. An act there must stand out to be the turning point."""
MOST_POINTS: Final = 120
"""Maximum number of points of a curve. Longer ones are thinned out: it is a picture, not a table."""


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """The act after which the winner stayed ahead.

    `act` counts from 1. `words` says what happened; `shown` is its picture, or the table at that point. With
    a `step` it happened that number of steps after the last act.
    """

    act: int
    words: str
    shown: Block | Scene
    step: int = 0


@dataclass(frozen=True, slots=True)
class Story:
    """A finished game.

    `curves` is the course of each seat and `mark` the index of the turning point (-1 for none). `best` is
    each seat's best move in words, empty if nothing stands out.
    """

    outcome: Outcome
    acts: int
    steps: int
    """The number of automatic steps after the last act."""
    curves: tuple[tuple[float, ...], ...]
    mark: int
    turning: TurningPoint | None
    best: tuple[str, ...]
    ground: str
    """The table's background, see `Scene.ground`."""


@dataclass(slots=True)
class _Played:
    """A replayed game: its course, and the public events of each act and step."""

    course: list[Progress]
    """The progress after the deal and after each act and step. Empty if the game has no progress."""
    heard: list[Sequence[Event]]
    outcome: Outcome
    last: AnyState
    """The position at the end."""
    steps: Sequence[int]
    """The numbers of the steps after the last act, ascending."""


def story(
    presenter: AnyPresenter,
    setup: Setup,
    acts: Sequence[tuple[Seat, Action]],
    look: Look,
    spoken: Look | None = None,
) -> Story:
    """Return the story of a finished game, in the language and with the names of `look`.

    `spoken` names the seats in sentences. Its Markdown escapes are removed again. The default is `look`.

    Raises:
        ValueError: the game is not over after these actions.
    """
    spoken = spoken or look
    played = _play(setup, acts, presenter)
    course, winners = played.course, played.outcome.winners()
    if presenter.progress is None or len(winners) in (0, setup.seats):
        turned = None
    else:
        great = [_is_great(presenter, heard, winners) for heard in played.heard]
        turned = turning_act([_lead(progress, winners) for progress in course], great)
    best = tuple(_best(presenter, played, seat, spoken, setup) for seat in range(setup.seats))
    turning = None
    if turned is not None:
        heard, act = played.heard[turned - 1], min(turned, len(acts))
        words = greatest_line(presenter, heard, winners, spoken, setup)
        shown = _shown(presenter, heard, _after(setup, acts[:act]), look)
        turning = TurningPoint(act, words, shown, played.steps[turned - act - 1] if turned > act else 0)
    kept = _thinned(len(course), turned)
    curves = tuple(tuple(course[at][seat] for at in kept) for seat in range(setup.seats)) if course else ()
    mark = -1 if turned is None else kept.index(turned)
    ground = presenter.table(played.last.observe(None), look).ground
    steps = played.steps[-1] if played.steps else 0
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
    steps: Sequence[ChainStep] = presenter.steps(state.observe(None)) if progress else ()
    if steps:
        course = [*course[:-1], *(step.progress for step in steps)]
        heard += [step.events for step in steps[1:]]
    return _Played(course, heard, outcome, state, [step.number for step in steps[1:]])


def _is_great(presenter: AnyPresenter, events: Sequence[Event], winners: Sequence[Seat]) -> bool:
    """Return whether a winner did something that counts as a feat. Anything does in a game without feats."""
    feats = presenter.feats
    return not feats or any(event.kind in feats and event.seat in winners for event in events)


def _lead(progress: Progress, winners: Sequence[Seat]) -> float:
    """Return the lead of the winners: over the best other seat, or over all others combined for a team."""
    others = [value for seat, value in enumerate(progress) if seat not in winners]
    own = [progress[seat] for seat in winners]
    return sum(own) - sum(others) if len(winners) > 1 else max(own) - max(others)


def turning_act(leads: Sequence[float], great: Sequence[bool]) -> int | None:
    """Return the act that turned the game, counted from 1, or None if no act stands out.

    Only acts marked `great` count. If the winners had been behind for a while, it is the act that brought
    them into the lead for good. Otherwise it is the act that gained them most, but not the last act of a game
    that was already won.
    """
    gains = [after - before for before, after in pairwise(leads)]
    ahead = leads[-1] > 0
    won = {n: gain for n, gain in enumerate(gains, 1) if gain > 0 and great[n - 1]}
    behind = sum(lead < 0 for lead in leads)
    if ahead and behind >= _BEHIND * len(leads):
        crossed = max(n for n in range(1, len(leads)) if leads[n] > 0 >= leads[n - 1])
        if crossed in won:
            return crossed
    if ahead:
        won.pop(len(gains), None)
    most = [n for n, gain in won.items() if gain == max(won.values())]
    if ahead and len(most) > 1:
        # Among equal gains take the one at the closest moment, but not in the opening: every game is close
        # there.
        most = [n for n in most if n > _OPENING * len(gains)]
        most.sort(key=lambda n: (-leads[n - 1], n))
    return most[-1] if most else None


def _best(presenter: AnyPresenter, played: _Played, seat: Seat, look: Look, setup: Setup) -> str:
    """Return the act that gained a seat most, in words."""
    course = played.course
    if not course:
        return ""
    if len(course[0]) == 1:
        ahead = [at[0] for at in course]
    else:
        ahead = [at[seat] - max(v for s, v in enumerate(at) if s != seat) for at in course]
    gains = [after - before for before, after in pairwise(ahead)]
    # Among equal gains the last counts more. A blunder by someone else is nothing to be proud of.
    ranked = sorted(range(len(gains)), key=lambda n: (gains[n], n), reverse=True)
    for act in ranked:
        if gains[act] <= 0:
            break
        if words := greatest_line(presenter, played.heard[act], (seat,), look, setup, only=True):
            return words
    return ""


def greatest_line(
    presenter: AnyPresenter,
    events: Sequence[Event],
    seats: Sequence[Seat],
    look: Look,
    setup: Setup,
    *,
    only: bool = False,
) -> str:
    """Return the last line about one of these seats, preferring their greatest feat.

    Without a line of theirs, return anyone's last line, or "" with `only`.
    """

    def line_of(event: Event) -> str | None:
        return presenter.recall(event, setup.options, look) or presenter.line(event, None, look)

    lines = [(event, line) for event in events if (line := line_of(event))]
    own = [one for one in lines if one[0].seat in seats]
    great = own
    if feats := presenter.feats:
        great = [one for one in own if one[0].kind in feats]
        great.sort(key=lambda one: -feats.index(one[0].kind))
    found = great or ([] if only else own or lines)
    return _SENTENCE.split(undecorated(found[-1][1]), maxsplit=1)[0] if found else ""


def _after(setup: Setup, acts: Iterable[tuple[Seat, Action]]) -> AnyState:
    """Return the position after these actions."""
    state: AnyState = catalog.get(setup.game).at(setup.version).deal(setup)
    for seat, action in acts:
        state.apply(seat, action)
    return state


def _shown(presenter: AnyPresenter, events: Sequence[Event], state: AnyState, look: Look) -> Block | Scene:
    """Return what happened, drawn large, or the table if it shows it best."""
    seen = state.observe(None)
    return presenter.highlight(events, seen, look) or presenter.table(seen, look)


def _thinned(count: int, keep: int | None) -> list[int]:
    """Return the indices of the curve points to show: at most `MOST_POINTS`, including the last
    and `keep`."""
    if count <= MOST_POINTS:
        return list(range(count))
    chosen = {round(n * (count - 1) / (MOST_POINTS - 1)) for n in range(MOST_POINTS)}
    return sorted(chosen | ({keep} if keep is not None else set()))
