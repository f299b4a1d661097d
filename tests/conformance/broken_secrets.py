"""Games that tell somebody what they may not know, or believe what cannot be."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from engine.game import Event, IllegalAction, Outcome, Setup, Viewer
from tests.conformance import laws
from tests.conformance.broken import breaks
from tests.support.games.probe import Act, Observation, ProbeGame, ProbeState

# 4: no leak

unfair = laws.test_nobody_can_tell_a_sampled_world_from_the_real_one


@breaks(unfair)
class LeaksAHand(ProbeState):
    def observe(self, viewer: Viewer) -> Observation:
        seen = super().observe(viewer)
        return seen if self.phase == "bid" else msgspec.structs.replace(seen, bid=sum(self.hands[-1]))


@breaks(unfair)
class LeaksToSpectators(ProbeState):
    def observe(self, viewer: Viewer) -> Observation:
        seen = super().observe(viewer)
        return seen if viewer is not None else msgspec.structs.replace(seen, bid=sum(self.hands[0]))


@breaks(unfair)
class LeaksTheKey(ProbeGame):
    class WithKey(ProbeState):
        def observe(self, viewer: Viewer) -> Observation:
            return msgspec.structs.replace(super().observe(viewer), phase=f"{self.phase} {self.key.hex()}")

    def deal(self, setup: Setup) -> ProbeState:
        state = self.WithKey(setup.seats, 2, setup.key)
        state._gather()
        return state


@breaks(unfair)
class HiddenCardsDecideWhatIsLegal(ProbeState):
    def legal_actions(self, seat: int) -> Sequence[Act]:
        legal = super().legal_actions(seat)
        return legal[:2] if self.phase == "bid" and self.stock[0] % 2 else legal


@breaks(unfair)
class HiddenCardsDecideTheOrder(ProbeState):
    def legal_actions(self, seat: int) -> Sequence[Act]:
        legal = list(super().legal_actions(seat))
        return legal[::-1] if self.stock[0] % 2 else legal


@breaks(unfair)
class HiddenCardsDecideARefusal(ProbeState):
    def verify(self, seat: int, action: Act) -> None:
        if self.phase == "bid" and action.verb == "lay" and set(action.cards) & set(self.stock):
            raise IllegalAction("not_one_rank")
        super().verify(seat, action)


@breaks(unfair)
class ARefusalNamesHiddenCards(ProbeState):
    def verify(self, seat: int, action: Act) -> None:
        try:
            super().verify(seat, action)
        except IllegalAction as refusal:
            holder = next((s for s, h in enumerate(self.hands) if set(h) & set(action.cards)), -1)
            raise IllegalAction(refusal.rule, holder=holder) from refusal


@breaks(unfair)
class HiddenCardsDecideWhoActs(ProbeState):
    def to_act(self) -> tuple[int, ...]:
        waiting = super().to_act()
        # whoever holds only jokers may not lay: silly, but it tells what others hold
        return waiting[:1] if waiting and self.phase == "bid" and self.stock[0] % 2 else waiting

    def observe(self, viewer: Viewer) -> Observation:
        return msgspec.structs.replace(super().observe(viewer), waiting=ProbeState.to_act(self))


@breaks(unfair)
class HiddenCardsDecideTheOutcome(ProbeState):
    def outcome(self) -> Outcome | None:
        end = super().outcome()
        return end and Outcome(end.standings, facts={"left": self.stock[0]})


@breaks(unfair)
class ShowsSealedBids(ProbeState):
    def observe(self, viewer: Viewer) -> Observation:
        return msgspec.structs.replace(super().observe(viewer), bids=tuple(self.bids))


@breaks(unfair)
class NotJson(ProbeState):
    def observe(self, viewer: Viewer) -> Observation:
        seen = super().observe(viewer)
        return msgspec.structs.replace(seen, laid=list(seen.laid))


@breaks(unfair)
class SampleForgetsTheHand(ProbeGame):
    def sample(self, observation: Observation, rng: random.Random) -> ProbeState:
        state = super().sample(observation, rng)
        cards = sorted(card for hand in state.hands for card in hand)
        rng.shuffle(cards)
        state.hands = [sorted(cards.pop() for _ in hand) for hand in state.hands]
        return state


@breaks(unfair)
class SampleMovesACardThatWasSeen(ProbeGame):
    def sample(self, observation: Observation, rng: random.Random) -> ProbeState:
        state = super().sample(observation, rng)
        state.stock.reverse()
        return state


@breaks(unfair)
class SampleLosesACard(ProbeGame):
    def sample(self, observation: Observation, rng: random.Random) -> ProbeState:
        state = super().sample(observation, rng)
        if observation.viewer is not None and observation.stock[0] < 0:
            state.stock[0] = observation.hand[0] if observation.hand else 0
        return state


@breaks(unfair)
class SamplerHasOneWorld(ProbeGame):
    """All worlds of a sampler are the same object: what is played in one happens in the next."""

    def sampler(self, observation: Observation) -> Callable[[random.Random], ProbeState]:
        state = super().sample(observation, random.Random(1))
        return lambda _rng: state


@breaks(unfair)
class SamplerSharesAList(ProbeGame):
    def sampler(self, observation: Observation) -> Callable[[random.Random], ProbeState]:
        points = list(observation.points)

        def draw(rng: random.Random) -> ProbeState:
            state = self.sample(observation, rng)
            state.points = points
            return state

        return draw


untrue = laws.test_samples_differ_and_the_real_world_is_among_them


@breaks(untrue)
class SampleIsAlwaysTheSame(ProbeGame):
    def sample(self, observation: Observation, rng: random.Random) -> ProbeState:
        return super().sample(observation, random.Random(1))


@breaks(untrue)
class SamplerIsAlwaysTheSame(ProbeGame):
    def sampler(self, observation: Observation) -> Callable[[random.Random], ProbeState]:
        return lambda _rng: self.sample(observation, random.Random(1))


@breaks(untrue)
class SampleIsNeverTrue(ProbeGame):
    """Whatever lies unseen in the stock, the sampler puts the lowest unseen card there."""

    def sample(self, observation: Observation, rng: random.Random) -> ProbeState:
        state = super().sample(observation, rng)
        unseen = [c for s, hand in enumerate(state.hands) if s != observation.viewer for c in hand]
        for place, card in enumerate(observation.stock):
            low = min(unseen, default=99)
            if card < 0 and low < state.stock[place]:
                hand = next(h for h in state.hands if low in h)
                hand[hand.index(low)], state.stock[place] = state.stock[place], low
                hand.sort()
                unseen = [c for s, h in enumerate(state.hands) if s != observation.viewer for c in h]
        return state


@breaks(laws.test_no_world_that_may_be_the_real_one_is_ruled_out_by_its_likelihood)
class LikelihoodTrustsPeople(ProbeGame):
    """Nobody is believed to hold a nine: where somebody does, no world is left."""

    def likelihood(self, _observation: Observation, /) -> Callable[[Any], float]:
        return lambda world: 0.0 if any(9 in hand for hand in world.hands) else 1.0


@breaks(untrue)
class SampleBelievesInLowBids(ProbeGame):
    """Sealed bids are sampled, but the highest one never."""

    def sample(self, observation: Observation, rng: random.Random) -> ProbeState:
        state = super().sample(observation, rng)
        if observation.phase == "bid":
            mine = observation.viewer
            state.bids = [b if s == mine else min(b, 2) for s, b in enumerate(state.bids)]
        return state


# 4: events

telling = laws.test_events_tell_no_more_than_the_observation


def telling_more(kind: str, **facts: Callable[[ProbeState], Any]) -> type[ProbeState]:
    """A state that logs, after each act of this verb, something that others may not know."""

    class Tells(ProbeState):
        def push(self, seat: int, action: Act) -> None:
            super().push(seat, action)
            if self.events is not None and action.verb == kind:
                told = {name: get(self) for name, get in facts.items()}
                self.events.append(Event("told", seat, told))

    return Tells


@breaks(telling)
class EventNamesAHiddenCard(telling_more("bid", card=lambda state: state.stock[0])):  # type: ignore[misc]
    pass


@breaks(telling)
class EventTellsAHandsSum(telling_more("lay", sum=lambda state: sum(state.hands[-1]))):  # type: ignore[misc]
    pass


@breaks(telling)
class EventTellsASealedBid(telling_more("bid", bids=lambda state: list(state.bids))):  # type: ignore[misc]
    pass


@breaks(telling)
class EventHasTooManyKnowers(ProbeState):
    def push(self, seat: int, action: Act) -> None:
        super().push(seat, action)
        for place, event in enumerate(self.events or ()):
            if event.secret and self.events is not None:
                knowers = tuple(range(len(self.hands)))
                self.events[place] = msgspec.structs.replace(event, knowers=knowers)


@breaks(telling)
class ForgetsWhatItSaw(ProbeState):
    """The one who looked is told the card, but does not remember it."""

    def observe(self, viewer: Viewer) -> Observation:
        return msgspec.structs.replace(super().observe(viewer), stock=(-1, -1))


@breaks(telling)
class ForgetsWhatAllSaw(ProbeState):
    """Everybody saw where somebody looked, but nobody remembers."""

    def observe(self, viewer: Viewer) -> Observation:
        seen = super().observe(viewer)
        mine = tuple(viewer if who == viewer and who >= 0 else -1 for who in self.looked)
        return msgspec.structs.replace(seen, looked=mine)


@breaks(telling, by=TypeError)
class EventIsNoJson(telling_more("bid", state=lambda _: object())):  # type: ignore[misc]
    pass


# 4: simultaneous actions

sealed = laws.test_simultaneous_actions_commute_and_stay_hidden


@breaks(sealed)
class FirstComeFirstServed(ProbeState):
    def push(self, seat: int, action: Act) -> None:
        if action.verb == "bid" and max(self.bids) < 0:
            self.points[seat] += 1
        super().push(seat, action)


@breaks(sealed)
class LastBidderLooks(ProbeState):
    def push(self, seat: int, action: Act) -> None:
        super().push(seat, action)
        if self.phase == "look":
            self.turn = seat


@breaks(sealed)
class ABidShowsAtOnce(ProbeState):
    def observe(self, viewer: Viewer) -> Observation:
        return msgspec.structs.replace(super().observe(viewer), bids=tuple(self.bids))


@breaks(sealed)
class ABidShowsToSpectators(ProbeState):
    def observe(self, viewer: Viewer) -> Observation:
        seen = super().observe(viewer)
        return seen if viewer is not None else msgspec.structs.replace(seen, bid=max(self.bids))


# what is declared of a field

as_declared = laws.test_public_fields_stand_in_the_observation_and_hidden_ones_do_not


@breaks(as_declared)
class APublicFieldThatIsSeenOtherwise(ProbeState):
    def observe(self, viewer: int | None) -> Observation:
        return msgspec.structs.replace(super().observe(viewer), points=())


@breaks(as_declared)
class AHiddenFieldThatIsSeen(ProbeState):
    def observe(self, viewer: int | None) -> Observation:
        return msgspec.structs.replace(super().observe(viewer), bid=self.shuffles)


@breaks(laws.test_what_is_public_in_other_words_shows_to_everybody_when_it_changes)
class APublicFieldThatOneMaySee(ProbeState):
    def observe(self, viewer: int | None) -> Observation:
        seen = super().observe(viewer)
        return seen if viewer == 0 else msgspec.structs.replace(seen, waiting=())
