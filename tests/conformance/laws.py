"""The laws that the contract of `engine/game.py` sets, for every game of the catalog and the probe game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from itertools import chain, cycle, islice, pairwise
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import catalog, record
from engine.arena import key_of
from engine.fields import Sight
from engine.game import SETUP_REFUSALS, TURN_REFUSALS, Event, Game, Setup, UnknownRules
from engine.packed import pack, packs, unpack
from engine.setups import covering
from tests.conformance.declared import (
    agrees,
    changed,
    fields_of,
    looked,
    others,
    plain,
    shares,
    slots_of,
    subjects,
    told,
)
from tests.conformance.walk import (
    Found,
    a_setup,
    actions_of,
    answer,
    every_game,
    looked_at,
    places,
    places_in,
    random_play,
    sampled,
    seen,
    viewers,
    world,
)

seeds = st.integers(0, 2**32)


@every_game
@given(data=st.data(), seed=seeds)
def test_every_random_game_ends_within_its_bound(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    setup = a_setup(data, game)
    bound = game.bound(setup)
    for state, done in random_play(game, setup, random.Random(seed)):
        assert len(done) <= bound
        assert bool(state.to_act()) == (state.outcome() is None)
    assert all(not state.legal_actions(seat) for seat in range(setup.seats))


@every_game
@given(data=st.data(), seed=seeds)
def test_the_same_actions_give_the_same_game(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
    setup = a_setup(data, game)
    prints: list[bytes] = []
    for state, done in random_play(game, setup, random.Random(seed)):
        prints.append(state.fingerprint())
    assert all(one != two for one, two in pairwise(prints)), "an action that changes nothing"
    decoded = [(seat, game.action(msgspec.json.decode(msgspec.json.encode(a)))) for seat, a in done]
    assert decoded == done
    assert record.play(setup, done).fingerprint() == state.fingerprint()
    written = record.write(setup, done)
    again = record.from_json(record.to_json(written))
    assert again == written
    assert record.verify(again).fingerprint() == state.fingerprint()


@every_game
@given(data=st.data(), seed=seeds)
def test_legal_is_what_verify_allows(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    others = actions_of(game, setup, rng, most=60)
    for state, _ in random_play(game, setup, rng):
        if rng.random() > 0.25:
            continue
        before = state.fingerprint()
        for seat in range(setup.seats):
            legal = list(state.legal_actions(seat))
            assert len(set(legal)) == len(legal)
            assert (seat in state.to_act()) == bool(legal)
            for action in legal:
                state.verify(seat, action)
            for action in set(others).difference(legal):
                said = answer(state, seat, action)
                if said is None:  # an equivalent set: it must really work, on a turn that offers its verb
                    assert action[0] in {one[0] for one in legal}
                    twin = state.clone()
                    twin.apply(seat, action)
                    assert twin.census() == state.census()
                    continue
                assert said[0] in game.refusals
                msgspec.json.encode(said[1])
                with pytest.raises(record.Refusal):
                    state.apply(seat, action)
        assert state.fingerprint() == before


@every_game
@given(data=st.data(), seed=seeds)
def test_nobody_can_tell_a_sampled_world_from_the_real_one(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    every = actions_of(game, setup, rng, most=40)
    for state, done in random_play(game, setup, rng):
        if done and not looked_at(rng, 0.2, setup):
            continue
        for viewer in viewers(setup):
            observation = state.observe(viewer)
            encoded = msgspec.json.encode(observation)
            assert msgspec.json.decode(encoded, type=game.observation) == observation
            assert setup.key.hex().encode() not in encoded
            for other in sampled(game, observation, rng):
                assert other.observe(viewer) == observation
                assert other.to_act() == state.to_act()
                assert other.outcome() == state.outcome()
                assert other.census() == state.census()
                if viewer is not None:
                    assert list(other.legal_actions(viewer)) == list(state.legal_actions(viewer))
                    for action in every:
                        assert answer(other, viewer, action) == answer(state, viewer, action)


@every_game
@example(
    data=Found(
        Setup(
            "molecular",
            1,
            6,
            {"rounds": 16, "bond_points": "orders", "first": 2},
            bytes(29) + b"\x08\x00\x00",
        )
    ),
    seed=524288,
)
@example(
    data=Found(
        Setup(
            "molecular",
            1,
            7,
            {"rounds": 20, "bond_points": "orders", "first": 5},
            bytes(29) + b"\x01x\x06",
        )
    ),
    seed=13084129,
)
@example(
    data=Found(
        Setup("compound_capture", 1, 6, {"decks": "both", "rounds": 10}, bytes(31) + b"\x80"),
    ),
    seed=128,
)
@given(data=st.data(), seed=seeds)
def test_samples_differ_and_the_real_world_is_among_them(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    for state, done in random_play(game, setup, rng):
        # sampling is the costly part: the deal, and a few positions towards the end
        if done and not (len(state.to_act()) and rng.random() < 0.08):
            continue
        viewer = rng.choice(viewers(setup))
        observation = state.observe(viewer)
        draw = rng.choice((partial(game.sample, observation), game.sampler(observation)))
        samples = [draw(rng) for _ in range(8)]
        kinds = {msgspec.json.encode(world(sample, setup)) for sample in samples}
        if not done and setup.seats > 1:
            assert len(kinds) > 1, "every sample of a fresh deal is the same world"
        if not done or rng.random() < 0.3:
            missing = places(world(state, setup))
            for sample in chain(samples, (draw(rng) for _ in range(3000))):
                missing -= places_in(sample, missing)
                if not missing:
                    break
            assert not missing, "no sample ever has this in its real place"
        if len(kinds) <= 3:
            for _ in range(150):
                kinds.add(msgspec.json.encode(world(draw(rng), setup)))
            if len(kinds) <= 12:
                assert msgspec.json.encode(world(state, setup)) in kinds


@every_game
@given(data=st.data(), seed=seeds)
def test_no_world_that_may_be_the_real_one_is_ruled_out_by_its_likelihood(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    """Whatever others did, however foolish: the real world keeps a weight, and so does every sampled one."""
    setup = a_setup(data, game)
    rng = random.Random(seed)
    for state, _ in random_play(game, setup, rng):
        if rng.random() > 0.1:
            continue
        observation = state.observe(rng.choice(viewers(setup)))
        weigh, before = game.likelihood(observation), state.fingerprint()
        for each in (state, game.sample(observation, rng), game.sampler(observation)(rng)):
            assert 0 < weigh(each) < float("inf")
        assert state.fingerprint() == before, "weighing changes nothing"


def laid_open(events: Sequence[Event]) -> list[Any]:
    """The cards that events name, in no order."""
    cards = [card for event in events for card in event.facts.get("cards", ())]
    return sorted([*cards, *(event.facts["card"] for event in events if "card" in event.facts)])


@every_game
@example(
    data=Found(Setup("atom_duel", 1, 2, {"level": 7, "hand_size": 7, "rounds": 7}, bytes(29) + b"\x16M\x18")),
    seed=4013,
)
@example(
    data=Found(Setup("atom_duel", 1, 3, {"level": 7, "hand_size": 7, "rounds": 2}, bytes(30) + b"F\x94")),
    seed=226247,
)
@given(data=st.data(), seed=seeds)
def test_events_tell_no_more_than_the_observation(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    """Two worlds that a viewer cannot tell apart, before and after an act, log the same for it."""
    setup = a_setup(data, game)
    rng = random.Random(seed)
    for state, _ in random_play(game, setup, rng):
        seats = state.to_act()
        if not seats or not looked_at(rng, 0.3, setup):
            continue
        seat = rng.choice(seats)
        action = rng.choice(state.legal_actions(seat))
        for viewer in viewers(setup):
            before = state.observe(viewer)
            real = state.clone()
            real.events = []
            real.push(seat, action)
            for event in seen(real.events, viewer):
                assert not event.secret
                msgspec.json.encode(event)
            # the same act, and, as an act may be secret too, some others
            for attempt in range(1 if viewer == seat else 4):
                other = game.sample(before, rng)
                act = rng.choice(other.legal_actions(seat)) if attempt else action
                # the end of a round clears the table, and with it what another act has openly done
                if act != action and any(event.kind == "round_over" for event in real.events):
                    continue
                if answer(other, seat, act) is not None:
                    continue
                other.events = []
                other.push(seat, act)
                if real.observe(viewer) == other.observe(viewer):
                    told, also = seen(real.events, viewer), seen(other.events, viewer)
                    if told == also:
                        continue
                    # of cards that leave the game as a round ends nobody remembers whose they were
                    assert any(event.kind == "round_over" for event in real.events)
                    assert [event.kind for event in told] == [event.kind for event in also]
                    assert laid_open(told) == laid_open(also)


@every_game
@given(data=st.data(), seed=seeds)
def test_simultaneous_actions_commute_and_stay_hidden(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    for state, _ in random_play(game, setup, rng):
        seats = state.to_act()
        if len(seats) < 2:
            continue
        one, two = rng.sample(seats, 2)
        a, b = rng.choice(state.legal_actions(one)), rng.choice(state.legal_actions(two))
        left, right = state.clone(), state.clone()
        left.apply(one, a)
        left.apply(two, b)
        right.apply(two, b)
        right.apply(one, a)
        assert left.fingerprint() == right.fingerprint()
        this, that = state.clone(), state.clone()
        this.apply(one, a)
        that.apply(one, rng.choice(state.legal_actions(one)))
        if two in this.to_act() and this.to_act() == that.to_act():
            for viewer in viewers(setup):
                if viewer != one:
                    assert this.observe(viewer) == that.observe(viewer)


@every_game
@given(data=st.data(), seed=seeds)
def test_cards_are_conserved(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
    setup = a_setup(data, game)
    dealt = game.deal(setup).census()
    assert list(dealt) == sorted(dealt)
    for state, _ in random_play(game, setup, random.Random(seed)):
        assert state.census() == dealt


@every_game
@given(data=st.data(), seed=seeds)
def test_a_clone_shares_nothing_that_changes(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    for state, _ in random_play(game, setup, rng, events=True):
        if rng.random() > 0.1:
            continue
        before, views = state.fingerprint(), world(state, setup)
        twin = state.clone()
        assert twin.events is None
        assert twin.fingerprint() == before
        for field in fields_of(state):
            mine, its = getattr(state, field.name), getattr(twin, field.name)
            assert not shares(mine, its, field.hint), field.name
        while seats := twin.to_act():
            twin.push(seats[-1], rng.choice(twin.legal_actions(seats[-1])))
        assert state.fingerprint() == before
        assert world(state, setup) == views


@every_game
@given(data=st.data(), seed=seeds)
def test_a_fingerprint_holds_every_field_that_is_not_derived(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    earlier = []
    for state, done in random_play(game, setup, rng):
        if done and rng.random() > 0.03:
            continue
        before = state.fingerprint()
        for number, thing in enumerate(subjects(state)):
            assert slots_of(thing) - {"events"} == {field.name for field in fields_of(thing)}
            for field in fields_of(thing):
                if field.sight is Sight.DERIVED:
                    continue
                for value in others(field, thing, [] if number else earlier, rng):
                    twin = state.clone()
                    setattr(subjects(twin)[number], field.name, value)
                    assert twin.fingerprint() != before, field.name
        earlier.append(state.clone())


@every_game
@given(data=st.data(), seed=seeds)
def test_what_is_derived_follows_from_the_rest(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    for state, _ in random_play(game, setup, rng):
        if rng.random() > 0.1:
            continue
        twin = state.clone()
        for mine, its in zip(subjects(state), subjects(twin), strict=True):
            derived = [field for field in fields_of(mine) if field.sight is Sight.DERIVED]
            for field in derived:
                delattr(its, field.name)
            if derived:
                its.derive()
            for name, _, hint in derived:
                assert agrees(getattr(mine, name), getattr(its, name), hint), name
        assert world(twin, setup) == world(state, setup)
        for seat in range(setup.seats):
            assert list(twin.legal_actions(seat)) == list(state.legal_actions(seat))


@every_game
@given(data=st.data(), seed=seeds)
def test_a_packed_position_goes_on_as_it_was(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    for state, _ in random_play(game, setup, rng):
        if not packs(state) or rng.random() > 0.1:
            continue
        twin = unpack(type(state), pack(state))
        assert twin.fingerprint() == state.fingerprint()
        assert world(twin, setup) == world(state, setup)
        assert twin.outcome() == state.outcome()
        for seat in range(setup.seats):
            assert list(twin.legal_actions(seat)) == list(state.legal_actions(seat))
        for mine, its in zip(subjects(state), subjects(twin), strict=True):
            for name, _, hint in fields_of(mine):
                value = getattr(mine, name)
                assert fields_of(value) or agrees(value, getattr(its, name), hint), name


@every_game
@given(data=st.data(), seed=seeds)
def test_public_fields_stand_in_the_observation_and_hidden_ones_do_not(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    setup = a_setup(data, game)
    rng = random.Random(seed)
    for state, done in random_play(game, setup, rng):
        if done and rng.random() > 0.03:
            continue
        views = {viewer: state.observe(viewer) for viewer in viewers(setup)}
        for name, hint in plain(state, game):
            value = told(getattr(state, name), hint)
            assert all(told(getattr(seen, name), None) == value for seen in views.values()), name
        for field in fields_of(state):
            if field.sight is Sight.HIDDEN:
                for twin in changed(state, field, rng, sized=True):
                    assert all(twin.observe(viewer) == seen for viewer, seen in views.items()), field.name


@every_game
def test_what_is_public_in_other_words_shows_to_everybody_when_it_changes(game: Game[Any, Any]) -> None:
    """Not in every position: whose turn it is says nothing while all seal their bids."""
    rng, unseen = random.Random(11), set[str]()
    for number, kind in enumerate(islice(cycle(covering(game)), 40)):
        setup = game.setup(kind.seats, key_of(11, number), **kind.options)
        for state, _ in random_play(game, setup, rng):
            copied = {name for name, _ in plain(state, game)}
            words = [f for f in fields_of(state) if f.sight is Sight.PUBLIC and f.name not in copied]
            if not number:
                unseen.update(field.name for field in words)
            for field in words:
                if field.name in unseen and rng.random() < 0.5:
                    views = {viewer: state.observe(viewer) for viewer in viewers(setup)}
                    for twin in changed(state, field, rng):
                        if all(looked(twin, viewer) not in (None, seen) for viewer, seen in views.items()):
                            unseen.discard(field.name)
        if not unseen:
            return
    assert not unseen, "declared public, but nobody sees when these change"


@every_game
@given(data=st.data(), seed=seeds)
def test_the_outcome_is_total(game: Game[Any, Any], data: st.DataObject, seed: int) -> None:
    setup = a_setup(data, game)
    for state, _ in random_play(game, setup, random.Random(seed)):
        pass
    outcome = state.outcome()
    assert outcome is not None
    assert len(outcome.standings) == setup.seats
    ranks = [standing.rank for standing in outcome.standings]
    assert min(ranks) == 1
    alone = setup.seats == 1 or game.held_by_one(setup.options)
    assert (outcome.won is not None) == alone, "a game of one person says whether it is won, others never"
    for by_seat in (outcome.tiebreak, outcome.hands):
        assert len(by_seat) in (0, setup.seats)
    ties = outcome.tiebreak or ((),) * setup.seats
    figures = [(one.score, *tie) for one, tie in zip(outcome.standings, ties, strict=True)]
    for one, mine in zip(outcome.standings, figures, strict=True):
        for two, theirs in zip(outcome.standings, figures, strict=True):
            assert (one.rank < two.rank) == (mine > theirs), "scores and tiebreaks give the ranks"
    teams: dict[int, set[tuple[int, float]]] = {}
    for one in outcome.standings:
        if one.team >= 0:
            teams.setdefault(one.team, set()).add((one.rank, one.score))
    assert all(len(ends) == 1 for ends in teams.values())
    for side in game.partners(setup.seats, setup.options):
        assert len({outcome.standings[seat].team for seat in side}) == 1, "partners end in one team"
    msgspec.json.encode(outcome)


@every_game
def test_each_version_is_the_same_game_by_other_rules(game: Game[Any, Any]) -> None:
    present = catalog.get(game.key)
    assert present.at(game.version).version == game.version
    assert present.versions[-1] == present.version, "an earlier version comes before the present one"
    for version in present.versions:
        other = present.at(version)
        assert (other.key, other.version) == (present.key, version)
        assert other.at(version) is other
        assert other.observation is present.observation, "presenter and opponents know the present one"
        assert set(other.opponents) <= set(present.opponents), "a seat may be held by this opponent"
    with pytest.raises(UnknownRules, match=rf"{game.key} is not played by rules {present.version + 1} here"):
        present.at(present.version + 1)


@every_game
def test_the_declarations_hold_together(game: Game[Any, Any]) -> None:
    assert game.refusals >= SETUP_REFUSALS | TURN_REFUSALS
    assert "random" in game.opponents
    values = {option.key: option.values for option in game.options}
    for option in game.options:
        assert option.default in option.values
        assert len(set(option.values)) == len(option.values) <= 25
        for other, value, mine in option.settled:
            assert other != option.key
            assert value in values[other]
            assert mine in option.values
            assert option.settled_at(game.defaults() | {other: value}) == mine
    seats = game.seats(game.defaults())
    assert list(seats) == sorted(seats)
    assert game.check(Setup(game.key, game.version, seats[0], game.defaults(), bytes(32))) is None
    for bad in (
        Setup(game.key, game.version, seats[0], {**game.defaults(), "no such": 1}, bytes(32)),
        Setup(game.key, game.version, seats[-1] + 1, game.defaults(), bytes(32)),
        Setup(game.key, game.version, seats[0], {}, bytes(32)),
    ):
        refusal = game.check(bad)
        assert refusal is not None
        assert refusal.rule in game.refusals
    for nonsense in (None, 7, "play", [], ["no such verb", 1], {"verb": 1}, [["play"]], ["play", "x" * 50]):
        with pytest.raises(ValueError):  # noqa: PT011 - the contract names just this type
            game.action(nonsense)
