"""Data, refusals in full, and what backs may never tell."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import data
from engine.duel52 import GAME, menu, moves
from engine.duel52.cards import DATA, VARIANTS, read
from engine.duel52.moves import ATTACKS, FLIPS, LOOKS, MOVES, ORDERS, PAIRS, PLAYS, STAY, Move, strike
from engine.duel52.notation import read as position
from engine.duel52.notation import write
from engine.duel52.state import DuelState
from engine.game import Event, IllegalAction
from engine.playing_cards import DECK52, JACK, NINE, THREE, parse
from tests.conformance.walk import answer, random_play
from tests.engine.duel52.positions import act, play

EVERY: tuple[Move, ...] = (
    *(move for card in PLAYS[4] for move in card),
    *FLIPS,
    *(move for unit in ATTACKS[:30] for move in unit[:30]),
    *(move for unit in PAIRS[:20] for move in unit[:20] if move.unit != move.target),
    *LOOKS,
    *MOVES,
    *ORDERS,
    STAY,
)
"""Nearly all decisions there are, legal or not."""


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_verify_allows_what_is_legal_and_what_means_the_same(variant: str, seed: int) -> None:
    rng = random.Random(seed)
    setup = GAME.setup(VARIANTS[variant].seats, rng.randbytes(32), variant=variant)
    for state, _ in random_play(GAME, setup, rng):
        if not state.to_act() or rng.random() > 0.05:
            continue
        seat = state.turn
        legal = set(state.legal_actions(seat))
        allowed = {move for move in {*EVERY, *legal} if answer(state, seat, move) is None}
        assert allowed >= legal
        for move in allowed - legal:
            # the other card of a pair, or a pair named the other way round
            assert move.verb in ("attack", "pair")
            assert state.mate[move.unit] >= 0 or move._replace(unit=move.target, target=move.unit) in legal
        twin = state.clone()
        for move in legal:
            if move.second >= 0 and state.mate[move.unit] < 0:
                twin.verify(seat, move._replace(target=move.second, second=move.target))


def test_what_is_no_move_is_refused() -> None:
    state = GAME.deal(GAME.setup(2, bytes(32)))
    for bad in (
        Move("play"),
        Move("jump", 1),
        ("play", 1),
        None,
        Move("flip", 3, unit=2),
        Move("bet", target=3),
    ):
        with pytest.raises(IllegalAction) as caught:
            state.verify(state.turn, bad)  # type: ignore[arg-type]
        assert caught.value.rule == "unknown_action"
    assert not moves.exists(strike(1, 2, 2))
    with pytest.raises(ValueError, match="no move"):
        GAME.action(["play", 52, 0, -1, -1, -1])


# the card data


def broken(change: Any) -> str:
    raw = json.loads((data.folder() / "cards" / DATA).read_text("utf-8"))
    change(raw)
    with pytest.raises(data.BrokenData) as caught:
        read(json.dumps(raw, indent=1).encode())
    return str(caught.value)


def test_broken_card_data_is_named_with_its_line() -> None:
    def points(raw: Any) -> None:
        raw["cards"][3]["points"] = 3

    def rank(raw: Any) -> None:
        raw["cards"][1]["rank"] = "9"

    def deal(raw: Any) -> None:
        raw["variants"][2]["aside"] = 40

    assert broken(points).startswith("duel52.json, line ")
    assert "hit points" in broken(points)
    assert "where '3' belongs" in broken(rank)
    assert "more cards than there are" in broken(deal)
    assert "13" in broken(lambda raw: raw["cards"].pop())
    assert "twice" in broken(lambda raw: raw["variants"].append(raw["variants"][0]))
    assert "unknown" in broken(lambda raw: raw["cards"][0].update(colour="red"))


# nothing leaks


def public(events: list[Event] | None, viewer: int | None) -> list[Event]:
    return [view for event in events or () if (view := event.seen_by(viewer)) is not None]


def other_backs(state: DuelState, seat: int, rng: random.Random) -> DuelState:
    """The same public position in which the other side's backs and hand hold other cards."""
    return GAME.sample(state.observe(seat), rng)


@pytest.mark.rule("duel52", 5)
@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_the_same_public_history_looks_the_same_whatever_lies_hidden(variant: str, seed: int) -> None:
    """Two worlds that differ in what the opponent hides are played alike and compared all the way."""
    rng = random.Random(seed)
    setup = GAME.setup(VARIANTS[variant].seats, rng.randbytes(32), variant=variant)
    state = GAME.deal(setup)
    viewer = rng.randrange(setup.seats)
    for _ in range(rng.randrange(30)):
        if state.to_act():
            state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    twin = other_backs(state, viewer, rng)
    state.events, twin.events = [], []
    everything = rng.sample(EVERY, 150)
    for _ in range(60):
        assert state.to_act() == twin.to_act()
        assert state.observe(viewer) == twin.observe(viewer)
        assert public(state.events, viewer) == public(twin.events, viewer)
        assert [answer(state, viewer, move) for move in everything] == [
            answer(twin, viewer, move) for move in everything
        ]
        if not state.to_act():
            break
        mine = state.turn == viewer
        if mine:
            assert list(state.legal_actions(viewer)) == list(twin.legal_actions(viewer))
        # what shows a hidden card ends the comparison; plays, hits on backs and the like do not
        here = state.legal_actions(state.turn)
        silent = [move for move in here if _silent(state, move) and _silent(twin, move)]
        if not silent:
            break
        move = rng.choice(silent)
        twin_move = move
        if move.verb in ("play", "discard") and not mine:
            place = state.hands[state.turn].index(move.card)
            twin_move = move._replace(card=twin.hands[twin.turn][place])
        state.apply(state.turn, move)
        twin.apply(twin.turn, twin_move)
        if state.observe(viewer) != twin.observe(viewer):
            break  # the viewer has lawfully seen a card: it drew one, or a trap sprang


def _silent(state: DuelState, move: Move) -> bool:
    """Whether nothing face-down is shown by it."""
    if move.verb in ("play", "pair", "stay", "discard", "open", "bet"):
        return True
    if move.verb != "attack":
        return False
    hit = [target for target in (move.target, move.second) if target >= 0]
    return not any(state.card[one] >> 2 == THREE and not state.flags[one] & 1 for one in hit)


@pytest.mark.rule("duel52", 5)
@pytest.mark.parametrize("rank", [JACK, NINE, THREE])
def test_a_face_down_jack_9_or_3_cannot_be_told_from_any_other_back(rank: int) -> None:
    """Same lane, same history: everything that the attacker sees and is told is the same."""
    heard = []
    for hidden in (rank, 3):  # 3 is the rank of a 5
        state = GAME.deal(GAME.setup(2, bytes(32)))
        me = state.turn
        state.events = []
        # the opponent's first card, played into lane 1
        card = next(card for card in DECK52 if card >> 2 == hidden)
        for _ in range(2):
            state.push(me, state.legal_actions(me)[0])
        them = state.turn
        state.hands[them][0] = card
        state.push(them, Move("play", card, 0))
        heard.append(
            (
                state.observe(me),
                public(state.events, me),
                [answer(state, me, move) for move in EVERY],
                len(state.legal_actions(them)),
            )
        )
    assert heard[0][1:] == heard[1][1:]
    assert heard[0][0].rows == heard[1][0].rows


@pytest.mark.rule("duel52", 10)
def test_what_a_2_drew_is_known_to_who_drew_it_alone() -> None:
    state = play("standard A3 (2s)|-|-/8c|-|- hands=5s/2h pile=9d2c3c4c aside=7d", "flip 2s")
    assert [state.observe(viewer).drawn for viewer in (0, 1, None)] == [parse("9d"), -1, -1]
    again = position(write(state))
    assert again.observe(0) == state.observe(0)
    for viewer in (0, 1):
        world = GAME.sample(state.observe(viewer), random.Random(3))
        assert world.observe(viewer).drawn == state.observe(viewer).drawn
        assert world.drawn in world.hands[0]
    state.apply(0, act(state, "discard 5s"))
    assert state.observe(0).drawn == -1


@pytest.mark.rule("duel52", 4, 20)
def test_a_card_killed_face_down_is_no_3_in_any_sampled_world() -> None:
    from engine.duel52.notation import read as position

    text = "standard A3 5s|-|-/(Kc)1|-|- hands=2s/2h pile=2d2c3s3h3d3c4s4h4d4c"
    state = position(text)
    state.apply(0, next(move for move in state.legal_actions(0) if move.verb == "attack"))
    rng = random.Random(1)
    seen = {GAME.sample(state.observe(None), rng).gone[0][0] >> 2 for _ in range(300)}
    assert THREE not in seen
    assert len(seen) > 8


@given(st.sampled_from(sorted(VARIANTS)), st.integers(0, 2**32))
def test_what_is_kept_of_untouched_lanes_is_what_would_be_found_anew(variant: str, seed: int) -> None:
    rng = random.Random(seed)
    setup = GAME.setup(VARIANTS[variant].seats, rng.randbytes(32), variant=variant)
    for state, _ in random_play(GAME, setup, rng):
        fresh = state.clone()
        fresh.menus = [None] * len(fresh.menus)
        fresh.menu = None
        for seat in range(setup.seats):
            assert menu.of_turn(state, seat) == menu.of_turn(fresh, seat)
