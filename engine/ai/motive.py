"""Why a seat did something: as far as another seat can tell while the game goes on, and in hindsight.

While the game goes on it is told from what the asker saw before and of the decision, and from nothing else:
in worlds that the asker cannot tell from the real one, what the decision brings is held against what the
usual player would have done there. Where hardly any of those worlds allows it, the hidden cards decided, and
nobody but their holder can say more. Once all is over, the seat's own observation is asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.ai.advice import Advice, Difference, clear, reasons, study_of
from engine.game import Action, AnyGame, AnyState, Chooser, Event, Seat, Viewer
from engine.verdict import Candidate, Stop, Study

WORLDS: Final = 12
"""In how many worlds that allow it a decision is tried."""
LEAST_WORLDS: Final = 4
"""In fewer worlds nothing is said of it."""
MOST_SAMPLED: Final = 10 * WORLDS
"""So many worlds are looked at for those."""
TRIES: Final = 24
"""How often the decision and the other one are tried in each, together."""
BESIDE: Final = 4
"""Beside how many other decisions it is seen what the decision does at once."""


@dataclass(frozen=True, slots=True)
class Motive:
    """What an asker can know of a decision of another seat.

    `worlds` is in how many of the worlds that were looked at it could be made, `usual` in how many of them
    the usual player makes it too. `lead` is by how much it was better than what the usual player would have
    done otherwise, in shares of the win, with the standard error of that.
    """

    worlds: int
    usual: int
    lead: float
    error: float
    differences: tuple[Difference, ...]
    """In what it differs from that beyond doubt and in its favour, of a slip to its cost; the greatest first.
    `better` is what comes of the decision itself."""
    at_once: tuple[Difference, ...] = ()
    """What it does at once in its favour, beside any other decisions: told where nothing else is."""

    @property
    def hidden(self) -> bool:
        """Whether what the asker cannot see decided it."""
        return self.worlds < LEAST_WORLDS

    @property
    def clear(self) -> bool:
        """Whether it was better beyond doubt, as far as the asker can see."""
        return clear(self.lead, self.error)

    @property
    def slip(self) -> bool:
        """Whether the usual player would have done better beyond doubt, as far as the asker can see."""
        return clear(-self.lead, self.error)

    @property
    def brought(self) -> tuple[Difference, ...]:
        """What can be told of it, held against what is usual."""
        return () if self.hidden else self.differences

    @property
    def telling(self) -> bool:
        """Whether there is a reason to tell."""
        return not self.hidden and (self.clear or self.slip)


HIDDEN: Final = Motive(0, 0, 0.0, 1.0, ())
"""Of a decision of which the asker saw nothing."""


def telling(events: Iterable[Event], seat: Seat, viewer: Viewer) -> Event | None:
    """What a viewer is told first of what a seat did; None for nothing."""
    seen = (event.seen_by(viewer) for event in events if event.seat == seat)
    return next((event for event in seen if event is not None), None)


def motive(
    game: AnyGame,
    usual: Chooser,
    before: Any,
    told: Event | None,
    rng: random.Random,
    *,
    stop: Stop | None = None,
) -> Motive:
    """Why a seat may have done what the viewer of `before`, an observation, was then told.

    Raises:
        LookupError: the game has no study.
    """
    study = study_of(game)
    if told is None:
        return HIDDEN
    make, worlds, same = game.sampler(before), 0, 0
    mine, yours = Candidate(None, 0, 0.0), Candidate(None, 1, 0.0)
    now, beside = Candidate(None, 0, 0.0), Candidate(None, 1, 0.0)
    for _ in range(MOST_SAMPLED):
        if worlds == WORLDS or (stop is not None and stop()):
            break
        world = game.suited(make(rng), told, before.viewer)
        if told.seat not in world.to_act():
            continue
        seen, actions = world.observe(told.seat), world.legal_actions(told.seat)
        alike = [action for action in actions if _told(world, told.seat, action, before.viewer) == told]
        others = [action for action in actions if action not in alike]
        if not alike:
            continue
        worlds += 1
        choice = usual(seen, actions, rng)
        same += choice in alike
        if others:
            made = choice if choice in alike else usual(seen, alike, rng)
            other = usual(seen, others, rng) if choice in alike else choice
            _weigh(study, seen, (made, other), rng, (mine, yours))
            tried = rng.sample(others, min(BESIDE, len(others)))
            _note(now, [_reached(game, world, told.seat, made)])
            _note(beside, [_reached(game, world, told.seat, one) for one in tried])
    lead, error = mine.lead(yours)
    found = reasons(game, (mine, yours), mine, yours)
    if clear(-lead, error):  # then it is told what it cost
        against = reasons(game, (mine, yours), yours, mine)
        found = tuple(Difference(each.measure, each.other, each.better) for each in against)
    return Motive(worlds, same, lead, error, found, reasons(game, (now, beside), now, beside))


def hindsight(
    game: AnyGame,
    seen: Any,
    actions: Sequence[Any],
    made: Action,
    rng: random.Random,
    *,
    stop: Stop | None = None,
) -> Advice:
    """What would have been best for the seat that observed this and made one of these decisions; `second` is
    the decision that it made, or the next best where it made the best.

    Raises:
        LookupError: the game has no study.
    """
    verdict = study_of(game).think(seen, actions, rng, stop=stop, also=(made,))
    best, *others = verdict.candidates
    second = next((one for one in others if one.action == made), None)
    if second is None:
        second = next((one for one in others if best.lead(one) != (0.0, 0.0)), None)
    if second is None:
        return Advice(best.action, None, best.mean, 0.0, 0.0, ())
    lead, error = best.lead(second)
    found = reasons(game, verdict.candidates, best, second)
    return Advice(best.action, second.action, best.mean, lead, error, found)


def _told(world: AnyState, seat: Seat, action: Action, viewer: Viewer) -> Event | None:
    """What a viewer would be told of this decision in this world."""
    tried = world.clone()
    tried.events = []
    tried.push(seat, action)
    return telling(tried.events, seat, viewer)


def _reached(game: AnyGame, world: AnyState, seat: Seat, action: Action) -> Mapping[str, float]:
    """What the position is to a seat right after its decision."""
    after = world.clone()
    after.push(seat, action)
    return game.measured(after, seat)


def _note(whole: Candidate, found: Sequence[Mapping[str, float]]) -> None:
    """Count the mean of what was found as one world."""
    for key in found[0]:
        whole.measured.setdefault(key, []).append(sum(each[key] for each in found) / len(found))


def _weigh(
    study: Study,
    seen: Any,
    pair: tuple[Action, Action],
    rng: random.Random,
    into: tuple[Candidate, Candidate],
) -> None:
    """Try two decisions of the seat that observes; what came of each on average counts as one world."""
    tried = {one.action: one for one in study.think(seen, pair, rng, tries=TRIES).candidates}
    if not all(action in tried and tried[action].values for action in pair):
        return
    for action, whole in zip(pair, into, strict=True):
        one = tried[action]
        whole.values.append(one.mean)
        for key, values in one.measured.items():
            whole.measured.setdefault(key, []).append(sum(values) / len(values))
