"""Why a seat did something: as far as another seat can tell while the game goes on, and in hindsight.

While the game goes on it is told from what the asker saw before and of the decision, and from nothing else:
in worlds that the asker cannot tell from the real one, what the decision brings is held against what the
usual player would have done there. Where hardly any of those worlds allows it, the hidden cards decided, and
nobody but their holder can say more. Once all is over, the seat's own observation is asked.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
FITTING: Final = 6
"""In how many worlds in which it is the usual decision it is tried, where in most it is not."""
MOST_LOOKED: Final = 4 * MOST_SAMPLED
"""So many worlds are looked at for those; `MOST_SAMPLED` where none of them is one."""
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
    fits: int = 0
    """Where it is not the usual decision: in how many worlds, found by looking longer, it is."""
    fitting: tuple[Difference, ...] = ()
    """In what it differs there from what is next to it, or from any others at once."""
    forced: int = 0
    """In how many of `worlds` nothing else could be done."""

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
    def only(self) -> bool:
        """Whether in most hands that the asker can imagine nothing else could be done."""
        return not self.hidden and 2 * self.forced > self.worlds

    @property
    def held(self) -> bool:
        """Whether hands that the asker can imagine make it the usual decision, and most do not."""
        return self.fits >= LEAST_WORLDS and not self.clear

    @property
    def brought(self) -> tuple[Difference, ...]:
        """What can be told of it, held against what is usual, or with the hands that make it so."""
        if self.held:
            return self.fitting or (() if self.at_once else self.differences)
        return () if self.hidden else self.differences

    @property
    def telling(self) -> bool:
        """Whether there is a reason to tell."""
        return not self.hidden and (self.clear or self.slip or (self.held and bool(self.fitting)))


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
    asked = _Asked(game, study_of(game), usual, before, told, rng, stop)
    if told is None:
        return HIDDEN
    worlds = same = forced = 0
    pair = now, beside = _nobody(), _nobody()
    mine, yours = _nobody(), _nobody()
    for world in asked.worlds():
        if worlds == WORLDS:
            break
        seen, actions = world.observe(told.seat), world.legal_actions(told.seat)
        alike = [action for action in actions if asked.shows(world, action)]
        others = [action for action in actions if action not in alike]
        if not alike:
            continue
        worlds += 1
        choice = usual(seen, actions, rng)
        same += choice in alike
        forced += not others
        if others:
            made = choice if choice in alike else usual(seen, alike, rng)
            other = usual(seen, others, rng) if choice in alike else choice
            asked.weigh(seen, (made, other), (mine, yours))
            asked.look(world, made, others, pair)
    lead, error = mine.lead(yours)
    found = reasons(game, (mine, yours), mine, yours)
    if clear(-lead, error):  # then it is told what it cost
        against = reasons(game, (mine, yours), yours, mine)
        found = tuple(Difference(each.measure, each.other, each.better) for each in against)
    fits, fitting = asked.fitting() if worlds >= LEAST_WORLDS and 2 * same < worlds else (0, ())
    return Motive(worlds, same, lead, error, found, reasons(game, pair, now, beside), fits, fitting, forced)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question: who is taken for usual, what the asker saw before, and what it was told then."""

    game: AnyGame
    study: Study
    usual: Chooser
    before: Any
    told: Event | None
    rng: random.Random
    stop: Stop | None

    @property
    def seat(self) -> Seat:
        """Whose decision it is."""
        return -1 if self.told is None else self.told.seat

    def worlds(self, most: int = MOST_SAMPLED) -> Iterator[AnyState]:
        """Worlds that the asker cannot tell from the real one, in which the seat decides, as long as there
        is time."""
        make = self.game.sampler(self.before)
        for _ in range(most):
            if self.told is None or (self.stop is not None and self.stop()):
                return
            world = self.game.suited(make(self.rng), self.told, self.before.viewer)
            if self.seat in world.to_act():
                yield world

    def shows(self, world: AnyState, action: Action) -> bool:
        """Whether the asker would be told the same of this decision."""
        tried = world.clone()
        tried.events = []
        tried.push(self.seat, action)
        return telling(tried.events, self.seat, self.before.viewer) == self.told

    def look(
        self, world: AnyState, made: Action, others: Sequence[Action], into: tuple[Candidate, Candidate]
    ) -> None:
        """What a decision does at once beside some others, counted as one world."""
        beside = self.rng.sample(others, min(BESIDE, len(others)))
        for actions, whole in zip(([made], beside), into, strict=True):
            found = [self.reached(world, action) for action in actions]
            for key in found[0]:
                whole.measured.setdefault(key, []).append(sum(each[key] for each in found) / len(found))

    def reached(self, world: AnyState, action: Action) -> Mapping[str, float]:
        """What the position is to the seat right after a decision."""
        after = world.clone()
        after.push(self.seat, action)
        return self.game.measured(after, self.seat)

    def fitting(self) -> tuple[int, tuple[Difference, ...]]:
        """In how many worlds the usual player does just this, and what it brings there, or does at once."""
        fits, mine, yours, now, beside = 0, *(_nobody() for _ in range(4))
        for looked, world in enumerate(self.worlds(MOST_LOOKED)):
            if fits == FITTING or (looked >= MOST_SAMPLED and not fits):
                break
            seen, actions = world.observe(self.seat), world.legal_actions(self.seat)
            choice = self.usual(seen, actions, self.rng)
            if not self.shows(world, choice):
                continue
            fits += 1
            others = [action for action in actions if not self.shows(world, action)]
            if others:
                self.weigh(seen, (choice, self.usual(seen, others, self.rng)), (mine, yours))
                self.look(world, choice, others, (now, beside))
        brought = reasons(self.game, (mine, yours), mine, yours)
        return fits, brought or reasons(self.game, (now, beside), now, beside)

    def weigh(self, seen: Any, pair: tuple[Action, Action], into: tuple[Candidate, Candidate]) -> None:
        """Try two decisions of the seat that observes; what came of each on average counts as one world."""
        verdict = self.study.think(seen, pair, self.rng, tries=TRIES)
        tried = {one.action: one for one in verdict.candidates}
        if not all(action in tried and tried[action].values for action in pair):
            return
        for action, whole in zip(pair, into, strict=True):
            one = tried[action]
            whole.values.append(one.mean)
            for key, values in one.measured.items():
                whole.measured.setdefault(key, []).append(sum(values) / len(values))


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
        return Advice(best.action, None, best.mean if best.values else None, 0.0, 0.0, ())
    lead, error = best.lead(second)
    found = reasons(game, verdict.candidates, best, second)
    return Advice(best.action, second.action, best.mean, lead, error, found)


def _nobody() -> Candidate:
    """A decision of which nothing is known yet."""
    return Candidate(None, 0, 0.0)
