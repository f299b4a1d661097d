"""A record: JSON and back, replay, and every kind of tampering caught where it was done."""

from __future__ import annotations

import pickle
import random
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import arena, catalog, digests, record
from engine.fair import Commitment
from engine.game import IllegalAction, Outcome, Setup, Standing, UnknownRules, as_json
from engine.record import BadRecord, Record, Step
from tests.support.games.probe import Act

FAIR = Commitment(bytes(range(32)), bytes(16))
ENTROPY = [1311985040398352384, 7]
TEXTS = [str(number) for number in ENTROPY]


def played(commitment: Commitment | None = FAIR, seed: int = 5) -> tuple[Setup, list[Any]]:
    game = catalog.get("probe")
    key = commitment.deal_key(ENTROPY) if commitment else bytes(32)
    setup = game.setup(3, key, rounds=2)
    state, rng, done = game.deal(setup), random.Random(seed), []
    while seats := state.to_act():
        seat = rng.choice(seats)
        done.append((seat, rng.choice(state.legal_actions(seat))))
        state.apply(*done[-1])
    return setup, done


def written() -> Record:
    setup, done = played()
    return record.write(setup, done, commitment=FAIR, entropy=ENTROPY, names=["Ada", "Ben", "Cy"])


def changed(**fields: Any) -> Record:
    return msgspec.structs.replace(written(), **fields)


def with_step(number: int, **fields: Any) -> Record:
    steps = written().steps
    steps[number - 1] = msgspec.structs.replace(steps[number - 1], **fields)
    return changed(steps=steps)


def problem(bad: Record) -> BadRecord:
    """What verification says, once the record has gone through JSON as it would on its way."""
    with pytest.raises(BadRecord) as caught:
        record.verify(record.from_json(record.to_json(bad)))
    return caught.value


def test_a_record_holds_all_that_the_deal_needs() -> None:
    setup, done = played()
    game = written()
    assert (game.seed, game.nonce, game.commitment) == (FAIR.seed.hex(), FAIR.nonce.hex(), FAIR.digest)
    assert (game.entropy, game.names, game.key) == ([str(n) for n in ENTROPY], ["Ada", "Ben", "Cy"], "")
    assert record.setup_of(game) == setup
    assert len(game.steps) == len(done)
    again = record.from_json(record.to_json(game))
    assert again == game
    assert record.verify(again).outcome() == game.outcome


def test_a_simulation_has_just_its_key() -> None:
    setup, done = played(commitment=None)
    game = record.write(setup, done)
    assert (game.key, game.seed, game.nonce, game.commitment) == (bytes(32).hex(), "", "", "")
    assert record.verify(game).outcome() == game.outcome


def test_no_record_leaves_before_the_end() -> None:
    setup, done = played()
    with pytest.raises(ValueError, match="not over"):
        record.write(setup, done[:-1], commitment=FAIR, entropy=ENTROPY)


def test_an_illegal_action_is_not_recorded() -> None:
    setup, done = played()
    with pytest.raises(IllegalAction):
        record.write(setup, [done[-1], *done], commitment=FAIR, entropy=ENTROPY)


def test_replay_gives_each_position_and_its_events() -> None:
    setup, done = played()
    game = written()
    numbers, events = [], 0
    for number, state in record.replay(game, events=True):
        assert state.fingerprint() == record.play(setup, done[:number]).fingerprint()
        events += len(state.events or ())
        state.events = []
        numbers.append(number)
    assert numbers == list(range(len(done) + 1))
    assert events > 0


def test_replay_is_quiet_unless_asked() -> None:
    assert all(state.events is None for _, state in record.replay(written()))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"seed": bytes(32).hex()}, "does not give the commitment"),
        ({"nonce": bytes(range(16)).hex()}, "does not give the commitment"),
        ({"commitment": "0" * 64}, "does not give the commitment"),
        ({"commitment": ""}, "does not give the commitment"),
        ({"seed": ""}, "does not give the commitment"),
        ({"seed": "no hex"}, "hexadecimal"),
        ({"key": "xyz"}, "hexadecimal"),
        ({"game": "poker"}, "no game is called"),
        ({"version": 3}, "probe is not played by rules 3 here, but by rules 1 and 2"),
        ({"options": {"rounds": 9, "loud": False}}, "not legal"),
        ({"options": {"rounds": True, "loud": False}}, "not legal"),
        ({"options": {"rounds": 2, "unheard": 1}}, "not legal"),
        ({"seats": 0}, "not legal"),
        ({"seats": 5}, "not legal"),
    ],
)
def test_what_is_wrong_before_the_deal(fields: dict[str, Any], says: str) -> None:
    error = problem(changed(**fields))
    assert says in str(error)
    assert error.step == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"entropy": TEXTS[::-1]},
        {"entropy": TEXTS[:1]},
        {"entropy": [*TEXTS, "8"]},
        {"entropy": [TEXTS[1], TEXTS[1]]},
        {"options": {"rounds": 3, "loud": False}},
        {"seats": 4},
    ],
)
def test_another_deal_shows_at_the_first_step(fields: dict[str, Any]) -> None:
    assert problem(changed(**fields)).step == 1


@pytest.mark.parametrize("border", [0, 15, 17, 47])
def test_a_commitment_allows_one_deal_and_no_other(border: int) -> None:
    """The hash is the same wherever the nonce ends, and each seed would deal other cards."""
    both = FAIR.nonce + FAIR.seed
    moved = Commitment(both[border:], both[:border])
    assert moved.digest == FAIR.digest
    setup, done = played(moved)
    kept = record.write(setup, done, commitment=moved, entropy=ENTROPY)
    assert "the seed must have 32 bytes and the nonce 16" in str(problem(kept))


def test_another_seed_shows_even_with_its_own_commitment() -> None:
    other = Commitment(bytes(32), bytes(16))
    error = problem(changed(seed=other.seed.hex(), commitment=other.digest))
    assert error.step == 1


@pytest.mark.parametrize("number", [1, 4, 9])
def test_a_wrong_digest_is_found_where_it_stands(number: int) -> None:
    error = problem(with_step(number, digest="0" * 16))
    assert error.step == number
    assert error.facts == {"record": "0" * 16, "computed": written().steps[number - 1].digest}
    assert f"step {number}" in str(error)


def test_another_legal_action_is_found_where_it_stands() -> None:
    bid = written().steps[1].action[1]
    error = problem(with_step(2, action=["bid", (bid + 1) % 4, []]))
    assert (error.step, error.problem) == (2, "the position differs")


def test_an_illegal_action_is_found_with_its_rule() -> None:
    error = problem(with_step(3, action=["bid", 99, []]))
    assert (error.step, error.facts) == (3, {"rule": "unknown_action"})


@pytest.mark.parametrize("seat", [0, -1, 3, 10**6])
def test_an_act_of_another_seat_is_found(seat: int) -> None:
    first = written().steps[0].seat
    error = problem(with_step(2, seat=first if seat == 0 else seat))
    assert (error.step, error.facts["rule"]) == (2, "not_your_turn")


@pytest.mark.parametrize("action", [[], ["fly"], [None], ["lay", 0, ["x"]]])
def test_what_is_no_action_is_found(action: list[Any]) -> None:
    error = problem(with_step(5, action=action))
    assert error.step == 5
    assert "no action" in error.problem


def test_a_rule_may_name_its_facts_as_it_likes() -> None:
    """Canasta says by `problem` why nothing is drawn after a card from the discard pile."""
    game = catalog.get("canasta")
    state = game.deal(setup := game.setup(2, bytes(32)))
    seat = state.to_act()[0]
    draw = state.legal_actions(seat)[1]
    state.apply(seat, draw)
    step = Step(seat, as_json(draw), digests.digest("canasta", state))
    sent: dict[str, Any] = {"game": "canasta", "version": setup.version, "seats": 2, "options": setup.options}
    error = problem(Record(**sent, key=setup.key.hex(), steps=[step, step]))
    assert (error.step, error.facts["rule"]) == (2, "draw_source")
    assert error.facts["problem"] == "two_from_discard"


def test_a_missing_step_is_found() -> None:
    steps = written().steps
    assert problem(changed(steps=steps[:3] + steps[4:])).step == 4
    assert problem(changed(steps=steps[:-1])).problem == "the outcome differs"
    assert problem(changed(steps=[])).problem == "the outcome differs"


def test_a_step_too_many_is_found() -> None:
    steps = written().steps
    error = problem(changed(steps=[*steps, steps[-1]]))
    assert (error.step, error.facts) == (len(steps) + 1, {"rule": "over"})


def test_steps_in_another_order_are_found() -> None:
    steps = written().steps
    steps[0], steps[1] = steps[1], steps[0]
    assert problem(changed(steps=steps)).step == 1


def test_another_outcome_is_found() -> None:
    end = written().outcome
    assert end is not None
    better = Outcome((Standing(1, 99.0), *end.standings[1:]), end.reason)
    for outcome in (better, None, msgspec.structs.replace(end, reason="luck")):
        error = problem(changed(outcome=outcome))
        assert (error.step, error.problem) == (len(written().steps), "the outcome differs")


@pytest.mark.parametrize("steps", [0, 3])
def test_a_record_that_was_cut_off_does_not_hold(steps: int) -> None:
    """Also where it says of itself that nothing has ended."""
    error = problem(changed(steps=written().steps[:steps], outcome=None))
    assert (error.step, error.problem) == (steps, "the outcome differs")


def test_what_came_later_to_outcomes_holds_where_a_record_says_it() -> None:
    """A record that was kept before outcomes said who has won is silent on it, and holds."""
    game = catalog.get("probe")
    setup, done = game.setup(1, bytes(32)), []
    while seats := record.play(setup, done).to_act():
        done.append((seats[0], record.play(setup, done).legal_actions(seats[0])[-1]))
    now = record.write(setup, done)
    assert now.outcome is not None
    assert now.outcome.won is True
    text = record.to_json(now)
    kept = re.sub(rb',\s*"won": true,\s*"tiebreak": \[\],\s*"hands": \[\]', b', "lost": false', text)
    assert len(kept) < len(text)
    assert record.verify(record.from_json(kept)).outcome() == now.outcome
    for fields in ({"won": False}, {"tiebreak": ((1.0,),)}, {"hands": (3,)}):
        other = msgspec.structs.replace(now.outcome, **fields)
        assert problem(msgspec.structs.replace(now, outcome=other)).problem == "the outcome differs"


@given(st.data())
def test_no_byte_of_a_step_can_be_changed(data: st.DataObject) -> None:
    """Whatever one step is replaced by, verification fails there or is left with an equal record."""
    game = written()
    number = data.draw(st.integers(1, len(game.steps)))
    old = game.steps[number - 1]
    other = data.draw(st.sampled_from([step for step in game.steps if step != old]))
    error = problem(with_step(number, seat=other.seat, action=other.action, digest=other.digest))
    assert error.step == number


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"record"',
        b"\xff\xfe",
        b'{"game": "probe"}',
        b"[" * 100_000,
        record.to_json(written()).replace(b'"seats": 3', b'"seats": "3"'),
        record.to_json(written()).replace(b'"steps": [', b'"steps": [7,'),
    ],
)
def test_what_is_no_record_is_refused_in_words(raw: bytes) -> None:
    with pytest.raises(BadRecord, match="not a record") as caught:
        record.from_json(raw)
    assert caught.value.step == 0


def test_another_format_is_refused_with_its_number() -> None:
    with pytest.raises(BadRecord) as caught:
        record.from_json(record.to_json(changed(format=2)))
    assert caught.value.facts == {"format": 2, "known": record.FORMAT}


def test_the_text_has_a_line_for_each_thing_and_ends_whole() -> None:
    text = record.to_json(written()).decode()
    assert text.count("\n") > len(written().steps)
    assert Step(0, ["a"], "b") == msgspec.json.decode(b'[0,["a"],"b"]', type=Step)


def test_entropy_that_is_no_number_is_named() -> None:
    with pytest.raises(BadRecord, match="decimal"):
        record.verify(changed(entropy=["eight"]))


def test_a_record_from_before_an_option_verifies() -> None:
    """An option that came later has the default by which was played."""
    game = catalog.get("probe")
    setup, done, state, rng = game.setup(3, bytes(32)), [], None, random.Random(1)
    state = game.deal(setup)
    while seats := state.to_act():
        done.append((seats[0], rng.choice(state.legal_actions(seats[0]))))
        state.apply(*done[-1])
    old = msgspec.structs.replace(record.write(setup, done), options={})
    assert record.verify(old).outcome() == old.outcome


def test_the_digests_of_a_record_do_not_follow_the_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fingerprint may have other bytes in each release; what is kept must hold."""
    game = catalog.get("duel52")
    state = game.deal(game.setup(2, bytes(32)))
    before, print_ = digests.digest("duel52", state), state.fingerprint()
    monkeypatch.setattr(type(state), "fingerprint", lambda state: b"other")
    assert state.fingerprint() != print_
    assert digests.digest("duel52", state) == before
    assert digests.digest("a new game", state) != before


# -- rules that have changed -------------------------------------------------------------------

TIED = [(seat, Act("bid", 1)) for seat in range(3)]
"""All bid the same: by rules 1 the highest seat looks, since rules 2 the lowest."""


@pytest.mark.parametrize(("version", "seat"), [(1, 2), (2, 0)])
def test_a_game_under_way_goes_by_the_rules_it_began_with(version: int, seat: int) -> None:
    state = record.play(catalog.get("probe").at(version).setup(3, bytes(32)), TIED)
    assert state.to_act() == (seat,)
    assert state.observe(None).waiting == (seat,)


def test_a_new_game_is_by_the_present_rules() -> None:
    game = catalog.get("probe")
    assert (game.setup(3, bytes(32)).version, game.versions) == (2, (1, 2))


def test_a_record_of_earlier_rules_is_written_and_verified_by_them() -> None:
    setup, done = catalog.get("probe").at(1).setup(3, bytes(32)), list(TIED)
    while seats := record.play(setup, done).to_act():
        done.append((seats[0], record.play(setup, done).legal_actions(seats[0])[0]))
    old = record.from_json(record.to_json(record.write(setup, done)))
    assert (old.version, record.setup_of(old)) == (1, setup)
    assert record.verify(old).fingerprint() == record.play(setup, done).fingerprint()
    error = problem(msgspec.structs.replace(old, version=2))
    assert (error.step, error.problem) == (3, "the position differs")


def test_rules_that_are_not_played_are_refused_in_words() -> None:
    setup, done = played()
    other = msgspec.structs.replace(setup, version=7)
    for use in (record.play, record.write):
        with pytest.raises(UnknownRules, match="not played by rules 7 here, but by rules 1 and 2") as caught:
            use(other, done)
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.game, error.version, error.played, str(error)) == ("probe", 7, (1, 2), str(caught.value))


@pytest.mark.parametrize("version", [1, 2])
def test_series_and_opponents_play_by_each_version(version: int) -> None:
    game = catalog.get("probe").at(version)
    asked = set()

    def choose(observation: Any, actions: Any, rng: random.Random) -> Any:
        asked.add(observation.ties)
        return rng.choice(actions)

    series = {"games": 6, "seed": 1, "timer": lambda: 0.0}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(catalog.get("probe")), "opponents", {"random": choose})
        assert arena.arena(game, ["random"], {}, seats=3, **series).games == 6
    assert asked == {{1: "highest", 2: "lowest"}[version]}
    assert arena.simulate(game, 3, {}, **series).games == 6
