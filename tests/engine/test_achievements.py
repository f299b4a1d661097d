"""Achievements: given for what a game declares, at its end, and for nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine import catalog
from engine.achievements import Played, reached, replay, seen_by
from engine.game import AnyGame, Event, Outcome, Setup, Standing, as_json

GAMES = [key for key in catalog.listed() if catalog.get(key).achievements]
Act = tuple[int, object]


def random_game(game: AnyGame, seed: int) -> tuple[Setup, list[Act]]:
    rng = random.Random(seed)
    setup = game.setup(rng.choice(game.seats(game.defaults())), seed.to_bytes(32, "big"))
    state, acts = game.deal(setup), list[Act]()
    while waiting := state.to_act():
        action = rng.choice(state.legal_actions(waiting[0]))
        acts.append((waiting[0], as_json(action)))
        state.push(waiting[0], action)
    return setup, acts


@pytest.mark.parametrize("key", GAMES)
def test_each_game_has_at_least_five(key: str) -> None:
    keys = [one.key for one in catalog.get(key).achievements]
    assert len(keys) == len(set(keys)) >= 5


def test_every_game_of_the_house_has_some() -> None:
    assert len(GAMES) >= 7


@pytest.mark.parametrize("key", GAMES)
def test_a_random_game_gives_what_takes_a_win_to_winners_alone(key: str) -> None:
    game = catalog.get(key)
    for seed in range(2):
        setup, acts = random_game(game, seed)
        last, steps = replay(game, setup, acts)
        outcome, roles = last.outcome(), game.roles_in(last)
        assert len(roles) in {0, setup.seats}
        assert set(roles) <= set(game.roles)
        assert outcome is not None
        assert replay(game, setup, acts[:-1])[0].outcome() is None
        for seat in range(setup.seats):
            every = reached(game, setup, outcome, seat, steps, fair=True)
            unfair = reached(game, setup, outcome, seat, steps, fair=False)
            taking_a_win = {one.key for one in game.achievements if one.fair}
            assert unfair == {key: n for key, n in every.items() if key not in taking_a_win}
            assert all(n > 0 for n in every.values())


def told(*events: Event, seat: int = 0) -> list[tuple[int, tuple[Event, ...]]]:
    return [(seat, events)]


OVER = (Standing(1, 40.0), Standing(2, 10.0))


def judged(key: str, steps: list[tuple[int, tuple[Event, ...]]], seat: int, **how: object) -> set[str]:
    game = catalog.get(key)
    setup = Setup(key, game.version, 2, game.defaults(), bytes(32))
    outcome = Outcome(OVER, str(how.pop("reason", "played_out")), how)
    return set(reached(game, setup, outcome, seat, steps, fair=True))


def event(kind: str, seat: int = 0, **facts: object) -> Event:
    return Event(kind, seat, facts)


def cases() -> Iterator[tuple[str, str, list[Event], dict[str, object]]]:
    """A game, an achievement, what happened to seat 0, which won, and the facts of the outcome."""
    atom = {"score": 1}
    yield "atom", "first_out", [event("out", place=1)], atom
    yield "atom", "sweep", [event("settled", sweep=1, teams=[1, 0])], atom
    yield "atom", "double", [], {"score": 2}
    yield "atom", "big_bomb", [event("play", cards=[0] * 8, sort="bomb", left=3)], atom
    yield "atom", "nuke", [event("play", cards=[0] * 4, sort="nuke", left=3)], atom
    yield "atom", "rich_trick", [event("trick", points=100, captured=100)], atom
    yield "atom", "last_bang", [event("play", cards=[0] * 4, sort="atom", left=0)], atom

    def scores(*points: list[int]) -> list[Event]:
        return [event("round_over", -1, won=[2, 1], points=each) for each in points]

    def hand(card: int, *trace: dict[str, object]) -> Event:
        return event("hand_won", card=card, trace=list(trace))

    yield "atom_duel", "clean_round", [event("round_over", -1, won=[4, 0], points=[4, 0])], {}
    yield "atom_duel", "comeback", scores([1, 3], [5, 4]), {}
    yield "atom_duel", "in_front", scores([2, 1], [4, 2], [6, 3]), {}
    yield "atom_duel", "small_card", [hand(10)], {}
    yield "atom_duel", "giant_slayer", [hand(40, {"kind": "anti", "seat": 0, "card": 40})], {}
    yield "atom_duel", "alloy", [hand(40, {"kind": "alloy", "seat": 0, "card": 40})], {}

    turns = {"turns": 60}
    killed = event("killed", -1, owners=[1])
    yield "duel52", "swift", [event("killed", -1, owners=[0])] * 6, {"turns": 30}
    yield "duel52", "few_losses", [event("killed", -1, owners=[0])] * 5, turns
    yield "duel52", "two_at_once", [killed, killed], turns
    yield "duel52", "healer", [event("heal", units=[1, 2])], turns
    yield "duel52", "deep_freeze", [event("freeze", units=[1, 2, 3])], turns

    yield "molecular", "great_group", [event("group", group=1, points=8)], {}
    yield "molecular", "collector", [event("group", group=1, points=2)] * 5, {}
    yield "molecular", "all_sorts", [event("group", group=n, points=2) for n in range(3)], {}
    yield "molecular", "keystone", [event("tile", points=5)], {}
    yield "molecular", "clear_win", [], {}
    yield "molecular", "nothing_wasted", [], {}

    two = {"rounds": 2, "reason": "target"}
    best = [event("round_over", -1, points=[9, 5], reason="stuck", round=n) for n in (1, 2)]
    for key in ("compound_capture", "canasta"):
        yield key, "pure", [event("capture", cards=[1, 1, 6, 8])], two
        yield key, "every_round", best, two
    made = {"compounds": [1], "runs": 0, "points": 0, "round": 1}
    yield "compound_capture", "large", [event("capture", cards=[0] * 6)], two
    yield "compound_capture", "five_in_a_round", [event("made", **{**made, "compounds": [1] * 5})], two
    yield "compound_capture", "great_round", [event("made", **{**made, "points": 110})], two
    yield "compound_capture", "swift", [], two
    yield "canasta", "pure_run", [event("run", start=1, cards=[1, 2, 3])], two
    yield "canasta", "many_runs", [event("made", **{**made, "runs": 8})], two
    yield "canasta", "borrower", [event("claim", owner=1)], two
    out = event("round_over", points=[9, 5], reason="out", round=1)
    yield "canasta", "chemist_out", [event("made", **made), out], two
    yield "canasta", "great_round", [event("made", **{**made, "points": 220})], two

    def rounds(*won: list[int]) -> list[Event]:
        return [event("round_won", hand=0, cards=cards) for cards in won]

    piles = {"hand": 0}
    yield "chemistry_battle", "in_a_row", rounds(*[[30, 20]] * 6), {}
    yield "chemistry_battle", "hairs_breadth", rounds(*[[30, 29]] * 3), {}
    yield "chemistry_battle", "small_card", rounds([12, 2]), {}
    yield "chemistry_battle", "comeback", [event("piles", sizes=[20, 34], **piles)], {}
    yield "chemistry_battle", "clear_lead", [event("piles", sizes=[33, 21], **piles)], {}
    high = [event("play", card=card) for card in (45, 50, 54)]
    yield "chemistry_battle", "none_wasted", [*high, *rounds([45, 2], [50, 3], [4, 54])], {}


CASES = list(cases())


@pytest.mark.parametrize(("key", "achievement", "events", "how"), CASES, ids=lambda at: str(at)[:20])
def test_it_is_reached_and_the_other_seat_does_not_have_it(
    key: str, achievement: str, events: list[Event], how: dict[str, object]
) -> None:
    assert achievement in judged(key, told(*events), 0, **how)
    if achievement != "sweep":  # a side has that
        assert achievement not in judged(key, told(*events), 1, **how)


def test_every_one_has_a_case() -> None:
    built = {(key, achievement) for key, achievement, _, _ in CASES} | {("duel52", "trap")}
    assert built == {(key, one.key) for key in GAMES for one in catalog.get(key).achievements}


def test_a_trap_is_somebody_elses_mistake() -> None:
    sprung = [event("sprung", 0, card=5), event("killed", -1, owners=[1])]
    assert "trap" in judged("duel52", told(*sprung, seat=1), 0, turns=60)
    assert "trap" not in judged("duel52", told(*sprung, seat=0), 0, turns=60)


def test_a_seat_judges_by_what_it_knew() -> None:
    hidden = Event("look", 0, {}, {"card": 3}, (0,), public=False)
    assert seen_by([(0, (hidden,))], 1) == [(0, ())]


def test_a_shared_first_place_is_no_win() -> None:
    setup = Setup("atom", 1, 2, {}, bytes(32))
    drawn = Outcome((Standing(1, 0.0), Standing(1, 0.0)))
    assert not Played(setup, drawn, 0, []).won
    assert Played(setup, Outcome(OVER), 0, []).won
