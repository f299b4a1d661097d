"""Reviews of finished games: each decision of one seat, judged by what the seat knew at the time.

A review says for each decision what would have been best, what the played action cost, and how much the
chance of winning changed until the next decision for reasons other than the seat's choice. That change is
luck: the deal, and the other players.

The tries are spent in two passes. First all decisions get the same small number. Then those that may have
cost something are compared with the apparent best alone, in fresh samples, because the best of several always
looks better than it is in the samples that selected it. If the seat decided again at once, its next decision
shows better than any try how much chance the previous one left: as the seat met it if no chance intervened,
otherwise averaged over what the seat might have met.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from engine.ai.advice import SURE, Difference, reasons, visible_reason
from engine.game import Action, AnyGame, AnyState, Outcome, Seat, Setup, as_json
from engine.reason import Reason
from engine.verdict import Candidate, Stop, Verdict

LEAST: Final = 0.03
"""Smallest cost of a decision, as a share of the win, that is mentioned after the game."""
HINTS: Final = 32
"""Tries spent on a game, in multiples of a hint's tries."""
WORLDS: Final = 6
"""Samples used to see what a decision leads to. If all give the same position, it is certain."""
CLOSER: Final = 12
"""Most decisions compared with the best one alone. These comparisons get half of the tries."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a seat, judged by what the seat knew.

    `act` is the number of acts before it, `best` the best action as JSON, and `chance` the expected share of
    the win after that. `loss` is how much of that the played action cost, with its standard error; 0 if it
    was the best or equal to it. `luck` is the change of the chance from there to the next decision, or to the
    end.
    """

    act: int
    best: list[object]
    chance: float
    loss: float
    error: float
    luck: float = 0.0
    differences: tuple[Difference, ...] = ()
    """Differences in favour of the best action over the played one, largest first."""
    reason: Reason | None = None
    """A visible argument for the best action and against the played one."""

    @property
    def after(self) -> float:
        """The chance left after the played action."""
        return self.chance - self.loss

    @property
    def clear(self) -> bool:
        """Whether the decision clearly cost something, and enough to mention."""
        return self.loss > SURE * self.error and self.loss >= LEAST


class Review(msgspec.Struct, frozen=True):
    """A game as one seat decided it. `share` is its share of the win: 1, a fraction if others won too, or
    0."""

    seat: Seat
    decisions: tuple[Judged, ...]
    share: float

    @property
    def costly(self) -> list[Judged]:
        """The decisions that clearly cost something, most costly first."""
        return sorted((one for one in self.decisions if one.clear), key=lambda one: -one.loss)

    @property
    def luck(self) -> float:
        """The total effect of the deal and the other players, from the first decision to the end.

        That is every change that was not clearly a loss.
        """
        if not self.decisions:
            return 0.0
        lost = sum(one.loss for one in self.decisions if one.clear)
        return self.share - self.decisions[0].chance + lost

    def curve(self) -> tuple[float, ...]:
        """Return the chance at each decision, followed by the final share."""
        return (*(one.chance for one in self.decisions), self.share)

    def turnings(self, most: int = 3, *, among: int | None = None) -> tuple[int, ...]:
        """Return the decisions with the largest change up to the next point of the curve.

        They are indices in game order. The decision at `among` is always included, even if little changed
        after it.
        """
        curve = self.curve()
        steps = [abs(curve[at + 1] - curve[at]) for at in range(len(self.decisions))]
        greatest = sorted(range(len(steps)), key=lambda at: (at != among, -steps[at], at))[:most]
        return tuple(sorted(at for at in greatest if steps[at] > 0 or at == among))


@dataclass(slots=True)
class _Met:
    """A decision as the seat met it."""

    act: int
    seen: Any
    actions: Sequence[Any]
    played: Action
    at_once: bool = False
    """Whether the seat's next decision followed at once."""
    tries: int = 0
    """Tries spent on this decision."""

    def rng(self, seat: Seat, turn: str) -> random.Random:
        """Return a generator that gives this decision the same random numbers in every review."""
        return random.Random(f"{turn}/{seat}/{self.act}")


@dataclass(slots=True)
class _Found:
    """The result of trying a decision: the best action, the played one, and the reasons for the best."""

    best: Candidate
    played: Candidate
    reasons: tuple[Difference, ...]
    visible: Reason | None

    @classmethod
    def of(cls, verdict: Verdict, met: _Met, game: AnyGame) -> _Found | None:
        """Return the finding of a verdict, or None if the played action or nothing was tried."""
        best = verdict.candidates[0]
        played = next((one for one in verdict.candidates if one.action == met.played), None)
        if played is None or not best.values:
            return None
        found = reasons(game, verdict.candidates, best, played)
        return cls(best, played, found, visible_reason(game, met.seen, best, played))

    @property
    def lost(self) -> tuple[float, float]:
        """The cost of the played action and its standard error; zero if it is the best one."""
        if self.best is self.played:
            return 0.0, 0.0
        return self.best.lead(self.played)

    @property
    def doubtful(self) -> float:
        """Upper bound on the cost."""
        loss, error = self.lost
        return loss + SURE * error


def review(
    game: AnyGame,
    setup: Setup,
    acts: Sequence[tuple[Seat, Action]],
    seat: Seat,
    *,
    by_others: Collection[int] = (),
    hints: int = HINTS,
    stop: Stop | None = None,
) -> Review:
    """Return the review of a finished game for one seat. The same game always gives the same review.

    `game` must have the rules by which the game was played. `by_others` holds the acts of the seat (by the
    number of acts before them) that someone else decided for it; it would be wrong to teach those. `hints` is
    the number of hints whose tries are spent. `stop` cuts the review short: decisions not examined by then
    are left out, and those waiting for the second pass keep their first result.

    Raises:
        ValueError: the game has no study, or is not over.
        IllegalAction: one of the acts is against the rules.
    """
    met, outcome = _met(game.deal(setup), acts, seat, by_others)
    found = _swept(game, met, seat, hints, stop)
    judged = [_judged(one, found[one.act], game.certainty_damping) for one in met if one.act in found]
    share = _share(outcome, seat)
    after = [*(one.chance for one in judged), share][1:]
    places = {one.act: one for one in met}
    left = {
        one.act: _left(game, places[one.act], one, then)
        for one, then in zip(judged, after, strict=True)
        if one.loss and places[one.act].at_once and one.act + 1 in found
    }
    return Review(seat, _told_apart(judged, after, left), share)


def _met(
    state: AnyState, acts: Sequence[tuple[Seat, Action]], seat: Seat, by_others: Collection[int]
) -> tuple[list[_Met], Outcome]:
    """Return the decisions of a seat that had a choice, from the deal on, and the outcome of the game."""
    found = list[_Met]()
    for number, (who, action) in enumerate(acts):
        if who == seat and number not in by_others:
            actions = state.legal_actions(seat)
            # an action put together by a person may not be among those listed
            if len(actions) > 1 and action in actions:
                found.append(_Met(number, state.observe(seat), actions, action))
        state.apply(who, action)
        if found and found[-1].act == number:
            found[-1].at_once = state.to_act() == (seat,) and len(state.legal_actions(seat)) > 1
    outcome = state.outcome()
    if outcome is None:
        raise ValueError("the game is not over")
    return found, outcome


def _left(game: AnyGame, met: _Met, one: Judged, then: float) -> float:
    """Return the chance left by the played action, judged by the seat's next decision; `then` is the chance
    there."""
    seat, rng, make = met.seen.viewer, met.rng(met.seen.viewer, "next"), game.sampler(met.seen)
    worlds = []
    for _ in range(WORLDS):
        world = make(rng)
        world.push(seat, met.played)
        worlds.append(world)
    seen = [world.observe(seat) for world in worlds]
    if all(each == seen[0] for each in seen):
        return then
    if game.study is None or not one.clear:
        return one.after
    chances = []
    for world, each in zip(worlds, seen, strict=True):
        actions = world.legal_actions(seat) if world.to_act() == (seat,) else ()
        usual = max(2, met.tries // WORLDS)
        tried = game.study.think(each, actions, rng, tries=usual).candidates[0] if len(actions) > 1 else None
        chances.append(tried.mean if tried is not None and tried.values else one.after)
    return sum(chances) / len(chances)


def _share(outcome: Outcome, seat: Seat) -> float:
    """Return a seat's share of the win: all of it together with its partners, a fraction if other sides won
    too."""
    winners = outcome.winners()
    teams = [outcome.standings[one].team for one in winners]
    sides = len({team for team in teams if team >= 0}) + teams.count(-1)
    return 1 / sides if seat in winners else 0.0


def _swept(
    game: AnyGame, met: Sequence[_Met], seat: Seat, hints: int, stop: Stop | None
) -> dict[int, _Found]:
    """Return the results of trying all decisions, by act."""
    study = game.study
    if study is None:
        raise ValueError(f"{game.key} has no study")
    found: dict[int, _Found] = {}
    usual, spent = 0, 0

    def over() -> bool:
        """Return whether the time is up. A search cut short by that has seen too little to use."""
        return stop is not None and stop()

    for one in met:
        # the first decision tried tells how many tries a hint takes
        share = max(1, min(usual, hints * usual // 2 // len(met))) if usual else None
        verdict = study.think(
            one.seen, one.actions, one.rng(seat, "all"), tries=share, stop=stop, also=(one.played,)
        )
        if over():
            return found
        usual, spent = usual or verdict.tries, spent + verdict.tries
        if (tried := _Found.of(verdict, one, game)) is not None:
            found[one.act] = tried
    doubtful = [one for one in met if one.act in found and found[one.act].doubtful >= LEAST]
    doubtful = sorted(doubtful, key=lambda one: -found[one.act].doubtful)[:CLOSER]
    for one in doubtful:
        tries = max(1, min(2 * usual, (hints * usual - spent) // len(doubtful)))
        pair = [found[one.act].best.action, one.played]
        verdict = study.think(one.seen, pair, one.rng(seat, "two"), tries=tries, stop=stop, also=pair)
        if over():
            return found
        one.tries = verdict.tries
        if (tried := _Found.of(verdict, one, game)) is not None:
            found[one.act] = tried
    return found


def damped(loss: float, chance: float, near: float) -> float:
    """Return a loss corrected for chances near 0 or 1 (see `Game.certainty_damping`).

    >>> round(damped(.1, .5, .1), 3), round(damped(.1, .05, .1), 3), damped(.1, .05, 0)
    (0.1, 0.048, 0.1)
    """
    return loss * min(1.0, chance * (1 - chance) / near) if near else loss


def _judged(met: _Met, found: _Found, near: float) -> Judged:
    loss, error = (damped(amount, found.best.mean, near) for amount in found.lost)
    if loss <= 0:
        return Judged(act=met.act, best=as_json(met.played), chance=found.played.mean, loss=0.0, error=error)
    return Judged(
        act=met.act,
        best=as_json(found.best.action),
        chance=found.best.mean,
        loss=loss,
        error=error,
        differences=found.reasons,
        reason=found.visible,
    )


def _told_apart(
    judged: Sequence[Judged], after: Sequence[float], left: Mapping[int, float]
) -> tuple[Judged, ...]:
    """Return the same decisions with losses capped and luck filled in.

    A loss is at most what is `left` allows, if that is known. Luck is the change to the chance `after` it.
    """
    found = []
    for one, then in zip(judged, after, strict=True):
        loss = min(one.loss, max(0.0, one.chance - left[one.act])) if one.act in left else one.loss
        found.append(msgspec.structs.replace(one, loss=loss, luck=then - (one.chance - loss)))
    return tuple(found)
