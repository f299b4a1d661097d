"""Games that end wrongly, allow wrongly, lose cards, share state, or declare nonsense."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

import msgspec

from engine.game import IllegalAction, IllegalSetup, Option, Outcome, Setup, Standing
from engine.packed import BadPosition
from tests.conformance import laws
from tests.conformance.broken import breaks
from tests.support.games import probe
from tests.support.games.probe import Act, ProbeGame, ProbeState

# 1: every game ends


@breaks(laws.test_every_random_game_ends_within_its_bound)
class BoundTooSmall(ProbeGame):
    def bound(self, setup: Setup) -> int:
        return super().bound(setup) - 1


@breaks(laws.test_every_random_game_ends_within_its_bound)
class GoesOnForever(ProbeState):
    def push(self, seat: int, action: Act) -> None:
        if action.verb != "pass":
            super().push(seat, action)


@breaks(laws.test_every_random_game_ends_within_its_bound)
class OutcomeTooEarly(ProbeState):
    def outcome(self) -> Outcome | None:
        return Outcome((Standing(1, 0.0),) * len(self.hands)) if self.round else super().outcome()


@breaks(laws.test_every_random_game_ends_within_its_bound)
class StopsWithoutOutcome(ProbeState):
    def outcome(self) -> Outcome | None:
        return None


@breaks(laws.test_every_random_game_ends_within_its_bound)
class ActsAfterTheEnd(ProbeState):
    def legal_actions(self, seat: int) -> Sequence[Act]:
        return [Act("pass")] if self.phase == "over" else super().legal_actions(seat)


# 2: the same actions give the same game


@breaks(laws.test_the_same_actions_give_the_same_game)
class NothingInItsFingerprint(ProbeState):
    def fingerprint(self) -> bytes:
        return b""


@breaks(laws.test_the_same_actions_give_the_same_game)
class OwnDice(ProbeState):
    dice = count()

    def push(self, seat: int, action: Act) -> None:
        super().push(seat, action)
        if action.verb == "look":
            self.points[seat] += next(self.dice) % 2


@breaks(laws.test_the_same_actions_give_the_same_game)
class ForgetsAFieldInJson(ProbeGame):
    def action(self, data: Any) -> Act:
        read = super().action(data)
        return read._replace(cards=read.cards[:1])


@breaks(laws.test_the_same_actions_give_the_same_game)
class ShufflesByTheClock(ProbeGame):
    deals = count()

    def deal(self, setup: Setup) -> ProbeState:
        return super().deal(msgspec.structs.replace(setup, key=next(self.deals).to_bytes(32, "big")))


# 3: legal is what verify allows


@breaks(laws.test_legal_is_what_verify_allows)
class OffersTheIllegal(ProbeState):
    def legal_actions(self, seat: int) -> Sequence[Act]:
        legal = super().legal_actions(seat)
        return [*legal, Act("look")] if self.phase == "bid" and legal else legal


@breaks(laws.test_legal_is_what_verify_allows)
class RefusesTheLegal(ProbeState):
    def verify(self, seat: int, action: Act) -> None:
        super().verify(seat, action)
        if action == Act("bid", 3):
            raise IllegalAction("unknown_action")


@breaks(laws.test_legal_is_what_verify_allows)
class OffersTwice(ProbeState):
    def legal_actions(self, seat: int) -> Sequence[Act]:
        return [*super().legal_actions(seat)] * 2


@breaks(laws.test_legal_is_what_verify_allows)
class OffersOutOfTurn(ProbeState):
    def legal_actions(self, seat: int) -> Sequence[Act]:
        legal = super().legal_actions(seat)
        return legal or ([Act("pass")] if self.phase == "lay" else [])

    def verify(self, seat: int, action: Act) -> None:
        if not (self.phase == "lay" and action == Act("pass")):
            super().verify(seat, action)


@breaks(laws.test_legal_is_what_verify_allows)
class OffersNothing(ProbeState):
    def legal_actions(self, seat: int) -> Sequence[Act]:
        return [] if self.phase == "look" and len(self.hands) > 1 else super().legal_actions(seat)


@breaks(laws.test_legal_is_what_verify_allows)
class AllowsOutOfTurn(ProbeState):
    def verify(self, seat: int, action: Act) -> None:
        if self.phase != "lay" or seat == self.turn or action.verb == "lay":
            super().verify(seat, action)


@breaks(laws.test_legal_is_what_verify_allows)
class AllowsCardsNotHeld(ProbeState):
    def verify(self, seat: int, action: Act) -> None:
        if not (self.phase == "lay" and seat == self.turn and action.verb == "lay"):
            super().verify(seat, action)


@breaks(laws.test_legal_is_what_verify_allows)
class UnknownRule(ProbeState):
    def verify(self, seat: int, action: Act) -> None:
        if self.phase == "lay" and action.verb == "bid":
            raise IllegalAction("because")
        super().verify(seat, action)


@breaks(laws.test_legal_is_what_verify_allows, by=TypeError)
class FactsThatNoJsonHolds(ProbeState):
    def verify(self, seat: int, action: Act) -> None:
        try:
            super().verify(seat, action)
        except IllegalAction as refusal:
            raise IllegalAction(refusal.rule, state=object()) from refusal


@breaks(laws.test_legal_is_what_verify_allows)
class VerifyChangesSomething(ProbeState):
    def verify(self, seat: int, action: Act) -> None:
        super().verify(seat, action)
        self.points[seat] += 1


@breaks(laws.test_legal_is_what_verify_allows)
class RefusalChangesSomething(ProbeState):
    def apply(self, seat: int, action: Act) -> None:
        self.points[seat] += 1
        super().apply(seat, action)
        self.points[seat] -= 1


# 5: cards are conserved

counted = laws.test_cards_are_conserved


@breaks(counted)
class LaidCardsVanish(ProbeState):
    def push(self, seat: int, action: Act) -> None:
        super().push(seat, action)
        if action.verb == "lay":
            self.laid = self.laid[: -len(action.cards)]


@breaks(counted)
class CardsMultiply(ProbeState):
    def push(self, seat: int, action: Act) -> None:
        super().push(seat, action)
        if action.verb == "look":
            self.hands[seat] = sorted([*self.hands[seat], self.stock[action.value]])


@breaks(counted)
class CensusOutOfOrder(ProbeState):
    def census(self) -> tuple[int, ...]:
        return super().census()[::-1]


# 6: a clone shares nothing

apart = laws.test_a_clone_shares_nothing_that_changes


def sharing(name: str) -> type[ProbeState]:
    class Shares(ProbeState):
        def clone(self) -> Any:
            other = super().clone()
            setattr(other, name, getattr(self, name))
            return other

    return Shares


@breaks(apart)
class CloneSharesPoints(sharing("points")):  # type: ignore[misc]
    pass


@breaks(apart)
class CloneSharesTheTable(sharing("laid")):  # type: ignore[misc]
    pass


@breaks(apart)
class CloneSharesTheLog(sharing("events")):  # type: ignore[misc]
    pass


@breaks(apart)
class CloneSharesHands(sharing("hands")):  # type: ignore[misc]
    pass


@breaks(apart)
class CloneForgetsWhoLooked(ProbeState):
    def clone(self) -> Any:
        other = super().clone()
        other.looked = [-1, -1]
        return other


@breaks(apart)
class CloneDealsAgain(ProbeState):
    def clone(self) -> Any:
        other = super().clone()
        other.shuffles += 1
        return other


@breaks(apart)
class CloneSharesABid(ProbeState):
    """Bids are replaced and never change in place, so only the declaration can tell."""

    def clone(self) -> Any:
        other = super().clone()
        other.looked = self.looked
        return other


counted = laws.test_a_fingerprint_holds_every_field_that_is_not_derived


def forgetting(name: str) -> type[ProbeState]:
    class Forgets(ProbeState):
        def fingerprint(self) -> bytes:
            twin = self.clone()
            setattr(twin, name, None)
            return super(Forgets, twin).fingerprint()

    return Forgets


@breaks(counted)
class FingerprintForgetsWhoLooked(forgetting("looked")):  # type: ignore[misc]
    pass


@breaks(counted)
class FingerprintForgetsTheStock(forgetting("stock")):  # type: ignore[misc]
    pass


@breaks(counted)
class AFieldThatNobodyDeclared(ProbeState):
    __slots__ = ("mood",)


follows = laws.test_what_is_derived_follows_from_the_rest


@breaks(follows)
class DerivedOtherwiseLater(ProbeState):
    def derive(self) -> None:
        self.seats = len(self.hands) + (self.phase == "lay")


@breaks(laws.test_a_packed_position_goes_on_as_it_was, by=BadPosition)
@breaks(follows, by=AttributeError)
class DerivedFromItself(ProbeState):
    def derive(self) -> None:
        self.seats = self.seats if self.round or self.phase != "bid" else len(self.hands)


# 7: the outcome is total

total = laws.test_the_outcome_is_total


def ending(change: Callable[[list[Standing]], Sequence[Standing]]) -> type[ProbeState]:
    class Ends(ProbeState):
        def outcome(self) -> Outcome | None:
            end = super().outcome()
            return end and Outcome(tuple(change(list(end.standings))), won=end.won)

    return Ends


def saying(**fields: Callable[[Outcome], Any]) -> type[ProbeState]:
    class Says(ProbeState):
        def outcome(self) -> Outcome | None:
            end = super().outcome()
            return end and msgspec.structs.replace(end, **{name: tell(end) for name, tell in fields.items()})

    return Says


@breaks(total)
class AWrongRank(ending(lambda ends: [msgspec.structs.replace(e, rank=9 - e.rank) for e in ends])):  # type: ignore[misc]
    pass


@breaks(total)
class TheLowestWins(ending(lambda ends: [msgspec.structs.replace(e, score=-e.score) for e in ends])):  # type: ignore[misc]
    pass


@breaks(total)
class NobodyWins(ending(lambda ends: [msgspec.structs.replace(e, rank=e.rank + 1) for e in ends])):  # type: ignore[misc]
    pass


@breaks(total)
class ASeatIsMissing(ending(lambda ends: ends[1:])):  # type: ignore[misc]
    pass


@breaks(total)
class PartnersEndApart(ending(lambda ends: [msgspec.structs.replace(e, team=0) for e in ends])):  # type: ignore[misc]
    pass


@breaks(total)
class NobodySaysWhoHasWonAlone(saying(won=lambda _: None)):  # type: ignore[misc]
    pass


@breaks(total)
class OneOfSeveralHasWonAlone(saying(won=lambda _: True)):  # type: ignore[misc]
    pass


@breaks(total)
class TheTiebreakSaysOtherwise(
    saying(tiebreak=lambda end: tuple((seat,) for seat, _ in enumerate(end.standings)))
):  # type: ignore[misc]
    pass


@breaks(total)
class HandsOfSomeSeats(saying(hands=lambda end: (1,) * (len(end.standings) + 1))):  # type: ignore[misc]
    pass


# The declarations

versions = laws.test_each_version_is_the_same_game_by_other_rules


@breaks(versions)
class AnEarlierVersionThatIsLater(ProbeGame):
    version = 0


@breaks(versions)
class AnEarlierVersionOfAnotherNumber(ProbeGame):
    version = 3
    earlier: Mapping[int, str] = {2: "tests.support.games.probe_1"}


@breaks(versions)
class AnEarlierVersionOfAnotherGame(ProbeGame):
    key = "probe_two"


@breaks(versions)
class AnOpponentThatIsGone(ProbeGame):
    opponents: Mapping[str, Any] = {}


@breaks(versions)
class AnotherObservation(ProbeGame):
    observation = Act


@breaks(versions)
class PlaysByAnyRules(ProbeGame):
    def at(self, version: int) -> Any:
        return super().at(version) if version in self.versions else self


declared = laws.test_the_declarations_hold_together


@breaks(declared)
class NoBasicRefusals(ProbeGame):
    refusals = frozenset({"wrong_phase"})


@breaks(declared)
class NoRandomOpponent(ProbeGame):
    opponents: Mapping[str, Any] = {}


@breaks(declared)
class DefaultThatCannotBeChosen(ProbeGame):
    options = (Option("rounds", (1, 2, 3), 4), probe.ProbeGame.options[1])


@breaks(declared)
class MoreValuesThanASelectHolds(ProbeGame):
    options = (Option("rounds", tuple(range(1, 27)), 2), probe.ProbeGame.options[1])


@breaks(declared)
class TheSameValueTwice(ProbeGame):
    options = (Option("rounds", (1, 2, 2), 2), probe.ProbeGame.options[1])


@breaks(declared)
class SeatsOutOfOrder(ProbeGame):
    def seats(self, options: Mapping[str, Any]) -> tuple[int, ...]:
        return (4, 3, 2, 1)


@breaks(declared)
class AnySetupWillDo(ProbeGame):
    def check(self, setup: Setup) -> IllegalSetup | None:
        return None


@breaks(declared)
class NoSetupWillDo(ProbeGame):
    def check(self, setup: Setup) -> IllegalSetup | None:
        return IllegalSetup("seats")


@breaks(declared)
class SetupRuleThatNobodyKnows(ProbeGame):
    def check(self, setup: Setup) -> IllegalSetup | None:
        return IllegalSetup("because") if super().check(setup) else None


@breaks(declared)
class ReadsNonsense(ProbeGame):
    def action(self, data: Any) -> Act:
        try:
            return super().action(data)
        except ValueError:
            return Act("pass")


@breaks(declared, by=TypeError)
class ChokesOnNonsense(ProbeGame):
    def action(self, data: Any) -> Act:
        return Act(data[0], data[1], tuple(data[2]))
