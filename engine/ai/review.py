"""Review: a finished game once more, as one seat knew it at each of its decisions.

Of each decision: what would have been best, what the played one cost, and how much the chance of winning
changed until the next one through nothing that the seat chose: that is luck, of the deal and of the others.

The tries are spent twice. First all decisions get the same few; then those that may have cost something are
tried alone against what seemed best, in fresh worlds, since the best of several always looks better than it
is in the worlds in which it was found. Where the seat went on at once, its next decision says better than any
try what the one before had left: as it met it where no chance came between, else as it might have met it.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from engine.ai.advice import SURE, Difference, reasons
from engine.game import Action, AnyGame, AnyState, Outcome, Seat, Setup, as_json
from engine.verdict import Candidate, Stop, Verdict

LEAST: Final = 0.03
"""So great a share of the win a decision must have cost to be spoken of after the game."""
HINTS: Final = 32
"""A game is worth as many tries as so many hints."""
WORLDS: Final = 6
"""In so many worlds it is looked what a decision leads to: the same each time is certain."""
CLOSER: Final = 12
"""At most so many decisions are tried against the best one alone; they get half of the tries."""


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """One decision of a seat, judged by what the seat knew.

    `act` is how many acts came before it, `best` the best decision as JSON, `chance` the share of the win
    that this could expect. `loss` is what the played one cost of that, with its standard error; 0 where it
    was the best, or came to the same. `luck` is the change of the chance from there to the next decision, or
    the end.
    """

    act: int
    best: list[object]
    chance: float
    loss: float
    error: float
    luck: float = 0.0
    differences: tuple[Difference, ...] = ()
    """What speaks for the best against the played one, the greatest first."""

    @property
    def after(self) -> float:
        """The chance that was left after what was played."""
        return self.chance - self.loss

    @property
    def clear(self) -> bool:
        """Whether it cost something beyond doubt, and enough to speak of."""
        return self.loss > SURE * self.error and self.loss >= LEAST


class Review(msgspec.Struct, frozen=True):
    """A game as one seat decided it; `share` is what it won: all (1), a part where others won too, or 0."""

    seat: Seat
    decisions: tuple[Judged, ...]
    share: float

    @property
    def costly(self) -> list[Judged]:
        """The decisions that clearly cost something, what cost most first."""
        return sorted((one for one in self.decisions if one.clear), key=lambda one: -one.loss)

    @property
    def luck(self) -> float:
        """What the deal and the others have changed in all, from the first decision to the end: all that was
        not clearly a loss."""
        if not self.decisions:
            return 0.0
        lost = sum(one.loss for one in self.decisions if one.clear)
        return self.share - self.decisions[0].chance + lost

    def curve(self) -> tuple[float, ...]:
        """The chance at each decision, and what came of it."""
        return (*(one.chance for one in self.decisions), self.share)

    def turnings(self, most: int = 3, *, among: int | None = None) -> tuple[int, ...]:
        """The decisions with which the chance changed most up to the next point of the curve, by their place,
        in the order of the game. The one at `among` counts as the first of them, whatever came after it."""
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
    """Whether the seat's next decision came at once."""
    tries: int = 0
    """How many tries it was worth."""

    def rng(self, seat: Seat, turn: str) -> random.Random:
        """The same luck whenever this decision of this game is looked at."""
        return random.Random(f"{turn}/{seat}/{self.act}")


@dataclass(slots=True)
class _Found:
    """What trying has found: the best decision, the played one, and by how much the first leads."""

    best: Candidate
    played: Candidate
    reasons: tuple[Difference, ...]

    @classmethod
    def of(cls, verdict: Verdict, met: _Met, game: AnyGame) -> _Found | None:
        """None where nothing was tried, or not the decision that was played."""
        best = verdict.candidates[0]
        played = next((one for one in verdict.candidates if one.action == met.played), None)
        if played is None or not best.values:
            return None
        return cls(best, played, reasons(game, verdict.candidates, best, played))

    @property
    def lost(self) -> tuple[float, float]:
        """What the played one cost, with the standard error; nothing where both come to the same."""
        if self.best is self.played:
            return 0.0, 0.0
        return self.best.lead(self.played)

    @property
    def doubtful(self) -> float:
        """What it may have cost at most."""
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
    """The review of a game that is over, for one of its seats; the same one whenever it is asked for.

    `game`: by whose rules it was played. `by_others`: the acts of the seat (by how many came before) that
    somebody else decided for it, which it would be wrong to teach. `hints`: how many hints' tries are spent.
    `stop` cuts it short: what nobody has looked at by then is left out, and what should have been looked at
    more closely is as it seemed.

    Raises:
        ValueError: the game has no study, or is not over.
        IllegalAction: one of the acts is against the rules.
    """
    met, outcome = _met(game.deal(setup), acts, seat, by_others)
    found = _swept(game, met, seat, hints, stop)
    judged = [_judged(one, found[one.act], game.near) for one in met if one.act in found]
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
    """The decisions of a seat with more than one way, from the deal on, and how the game ended."""
    found = list[_Met]()
    for number, (who, action) in enumerate(acts):
        if who == seat and number not in by_others:
            actions = state.legal_actions(seat)
            # what a person put together may be none of those that are listed
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
    """The chance that the played decision left, by the seat's next one; `then` is the chance at that."""
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
    """What a seat has won: all of it with its partners, a part where others won too."""
    winners = outcome.winners()
    teams = [outcome.standings[one].team for one in winners]
    sides = len({team for team in teams if team >= 0}) + teams.count(-1)
    return 1 / sides if seat in winners else 0.0


def _swept(
    game: AnyGame, met: Sequence[_Met], seat: Seat, hints: int, stop: Stop | None
) -> dict[int, _Found]:
    """What trying all decisions found, by their acts."""
    study = game.study
    if study is None:
        raise ValueError(f"{game.key} has no study")
    found: dict[int, _Found] = {}
    usual, spent = 0, 0

    def over() -> bool:
        """Whether the time is up: a look that this cut short has seen too little to go by."""
        return stop is not None and stop()

    for one in met:
        # the first that is tried says how many tries a hint takes
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
    """A loss as it comes out when it is played on from there, see `Game.near`.

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
    )


def _told_apart(
    judged: Sequence[Judged], after: Sequence[float], left: Mapping[int, float]
) -> tuple[Judged, ...]:
    """The same, each with the luck until the chance `after` it, and a loss no greater than by what was
    `left`, where that is known."""
    found = []
    for one, then in zip(judged, after, strict=True):
        loss = min(one.loss, max(0.0, one.chance - left[one.act])) if one.act in left else one.loss
        found.append(msgspec.structs.replace(one, loss=loss, luck=then - (one.chance - loss)))
    return tuple(found)
