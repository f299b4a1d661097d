"""The reason for a seat's decision: as far as another seat can tell during the game, and in hindsight.

During the game the reason is derived only from what the asker saw before the decision and of it. In samples
the asker cannot tell from the real position, the result of the decision is compared with what the usual
player would have done. If hardly any sample allows the decision, hidden cards decided, and only their holder
can say more. Once the game is over, the seat's own observation is used.
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
"""Samples allowing a decision in which it is tried."""
LEAST_WORLDS: Final = 4
"""Fewest such samples needed to say anything about the decision."""
MOST_SAMPLED: Final = 10 * WORLDS
"""Samples drawn to find those."""
TRIES: Final = 24
"""Tries per sample for the decision and its alternative together."""
FITTING: Final = 6
"""Samples to try in which the decision is the usual one, if it is unusual in most."""
MOST_LOOKED: Final = 4 * MOST_SAMPLED
"""Samples drawn to find those; only `MOST_SAMPLED` if none of the first ones fits."""
BESIDE: Final = 4
"""Alternatives with which the immediate effect of the decision is compared."""


@dataclass(frozen=True, slots=True)
class Motive:
    """The information an asker can have about another seat's decision.

    `worlds` counts the samples examined in which the decision is possible, and `usual` those in which the
    usual player makes it too. `lead` is by how much it beat the alternative of the usual player, as a share
    of the win, and `error` is the standard error.
    """

    worlds: int
    usual: int
    lead: float
    error: float
    differences: tuple[Difference, ...]
    """Clear differences from that alternative, largest first: in favour of the decision, or its cost if it
    was a mistake. `better` belongs to the decision itself."""
    at_once: tuple[Difference, ...] = ()
    """Immediate effects in its favour compared with other decisions; used if there is nothing else to say."""
    fits: int = 0
    """Samples, found by a longer search, where an unusual decision is the usual one."""
    fitting: tuple[Difference, ...] = ()
    """Differences in those samples from the next best decision, or else from any others immediately."""
    forced: int = 0
    """Number of `worlds` in which nothing else could be done."""

    @property
    def hidden(self) -> bool:
        """Whether cards the asker cannot see decided it."""
        return self.worlds < LEAST_WORLDS

    @property
    def clear(self) -> bool:
        """Whether the decision was clearly better, as far as the asker can see."""
        return clear(self.lead, self.error)

    @property
    def is_mistake(self) -> bool:
        """Whether the usual player would clearly have done better, as far as the asker can see."""
        return clear(-self.lead, self.error)

    @property
    def is_forced(self) -> bool:
        """Whether most hands the asker can imagine allow nothing else."""
        return not self.hidden and 2 * self.forced > self.worlds

    @property
    def explained_by_hand(self) -> bool:
        """Whether the decision is unusual in most imaginable hands, but some hands make it the usual one."""
        return self.fits >= LEAST_WORLDS and not self.clear

    @property
    def evidence(self) -> tuple[Difference, ...]:
        """The differences to report: from the usual decision, or with the hands that make this decision
        usual."""
        if self.explained_by_hand:
            return self.fitting or (() if self.at_once else self.differences)
        return () if self.hidden else self.differences

    @property
    def has_reason(self) -> bool:
        """Return whether there is a reason to report."""
        explained = self.explained_by_hand and bool(self.fitting)
        return not self.hidden and (self.clear or self.is_mistake or explained)


HIDDEN: Final = Motive(0, 0, 0.0, 1.0, ())
"""The motive for a decision of which the asker saw nothing."""


def visible_event(events: Iterable[Event], seat: Seat, viewer: Viewer) -> Event | None:
    """Return the first event about a seat's action that the viewer sees, or None."""
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
    """Return why a seat may have done what the viewer of the observation `before` was then shown.

    Raises:
        LookupError: the game has no study.
    """
    asked = _Asked(game, study_of(game), usual, before, told, rng, stop)
    if told is None:
        return HIDDEN
    worlds = same = forced = 0
    pair = now, beside = _empty_candidate(), _empty_candidate()
    mine, yours = _empty_candidate(), _empty_candidate()
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
    if clear(-lead, error):  # then report its cost
        against = reasons(game, (mine, yours), yours, mine)
        found = tuple(Difference(each.measure, each.other, each.better) for each in against)
    fits, fitting = asked.fitting() if worlds >= LEAST_WORLDS and 2 * same < worlds else (0, ())
    return Motive(worlds, same, lead, error, found, reasons(game, pair, now, beside), fits, fitting, forced)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question: the usual player, what the asker saw before, and the event it was then shown."""

    game: AnyGame
    study: Study
    usual: Chooser
    before: Any
    told: Event | None
    rng: random.Random
    stop: Stop | None

    @property
    def seat(self) -> Seat:
        """The deciding seat."""
        return -1 if self.told is None else self.told.seat

    def worlds(self, most: int = MOST_SAMPLED) -> Iterator[AnyState]:
        """Yield samples the asker cannot tell from the real position and in which the seat decides, until
        time is up."""
        make = self.game.sampler(self.before)
        for _ in range(most):
            if self.told is None or (self.stop is not None and self.stop()):
                return
            world = self.game.conditioned_on(make(self.rng), self.told, self.before.viewer)
            if self.seat in world.to_act():
                yield world

    def shows(self, world: AnyState, action: Action) -> bool:
        """Return whether the asker would have seen the same event after this action."""
        tried = world.clone()
        tried.events = []
        tried.push(self.seat, action)
        return visible_event(tried.events, self.seat, self.before.viewer) == self.told

    def look(
        self, world: AnyState, made: Action, others: Sequence[Action], into: tuple[Candidate, Candidate]
    ) -> None:
        """Compare the immediate effect of a decision with that of some others, counted as one sample."""
        beside = self.rng.sample(others, min(BESIDE, len(others)))
        for actions, whole in zip(([made], beside), into, strict=True):
            found = [self.reached(world, action) for action in actions]
            for key in found[0]:
                whole.measured.setdefault(key, []).append(sum(each[key] for each in found) / len(found))

    def reached(self, world: AnyState, action: Action) -> Mapping[str, float]:
        """Return the measures of the position for the seat right after a decision."""
        after = world.clone()
        after.push(self.seat, action)
        return self.game.measured(after, self.seat)

    def fitting(self) -> tuple[int, tuple[Difference, ...]]:
        """Return the number of samples in which the usual player does the same, and the effects there.

        The effects are those of the whole decision, or else the immediate ones.
        """
        fits, mine, yours, now, beside = 0, *(_empty_candidate() for _ in range(4))
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
        """Try two decisions of the observing seat. The mean result of each counts as one sample."""
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
    """Return what would have been best for the seat that observed this and made one of these decisions.

    `second` is the decision it made, or the next best if it made the best one.

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


def _empty_candidate() -> Candidate:
    """Return a candidate without any results."""
    return Candidate(None, 0, 0.0)
