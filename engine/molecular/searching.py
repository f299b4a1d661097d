"""Opponents that search: the heuristic's best moves are tried in many worlds (`engine.ai.search`).

The heuristic plays on for one decision, of whoever acts, and the position is judged by how the points are
likely to end. What the constants of the judge say was fitted to games of the heuristic against itself.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp, sqrt
from typing import Any, Final

from engine.ai.search import Search
from engine.game import Seat
from engine.molecular import worlds
from engine.molecular.board import WAYS
from engine.molecular.heuristic import ends_turn, gain, rated, scores
from engine.molecular.moves import LAID, PASS, REVEAL, Move
from engine.molecular.outlook import Outlook
from engine.molecular.position import ACTIONS, HAND
from engine.molecular.state import MolecularState
from engine.molecular.turns import may_use

ACTION: Final = 1.4
"""What an action still to come brings, in points."""
HELD, FRESH = 0.9, 0.4
"""What a ripe card in hand is worth less than its points, since it takes an action; what a new card is."""
TILE, TURN = 1.1, 1.5
"""How much counts of the best tile of the seat in turn, and what it brings on average."""
WIDE, SURE = 1.08, 0.6
"""How far the end is from what is expected: `WIDE` times the root of the actions still to come, less this."""
PAR: Final = 8.0
"""The same for who plays alone, against what all actions bring as a rule."""
LOGISTIC: Final = 0.55
"""The scale of a logistic curve of standard deviation 1."""
CLOSELY, LAST = 6, 3
"""How many tiles, whatever their rotation, a look ahead rates in full: so many where another action follows,
so many at the end of a turn. That misses .1 points in the one case and nothing in the other."""


def policy(state: Any, seat: Seat, rng: random.Random) -> Move:
    """How a seat plays on in a sampled position: as the heuristic does, but of the tiles it rates in full
    only those that bring most at once."""
    view = Outlook.within(state, seat)
    moves: Sequence[Move] = (
        _plain(state, seat, view, rng) if state.pending is None else state.legal_actions(seat)
    )
    if len(moves) == 1:
        return moves[0]
    worth = rated(view, moves)
    best = max(worth)
    ties = [move for move, value in zip(moves, worth, strict=True) if value == best]
    return ties[int(rng.random() * len(ties))]


def _plain(state: MolecularState, seat: Seat, view: Outlook, rng: random.Random) -> list[Move]:
    """The moves of a turn that are worth a closer look."""
    moves: list[Move] = []
    if may_use(state, "tile"):
        chance, rim = rng.random, state.board.rim
        tiles = [(gain(view, cell, kind), chance(), kind, cell) for kind, cell in view.fitting()]
        tiles.sort(reverse=True)
        for _, _, kind, cell in tiles[: LAST if ends_turn(view, "tile") else CLOSELY]:
            moves += [LAID[cell][shape] for shape in WAYS[rim[cell]][1][kind]]
    if may_use(state, "group"):
        moves += state.group_plays(seat)
    if state.actions and may_use(state, "reveal"):
        moves.append(REVEAL)
    return moves or [PASS]


def judge(state: Any, seat: Seat) -> float:
    """The share of the win that a seat can expect, by the points that all are likely to end with."""
    if state.over and state.seats > 1:
        mine, best = state.scores[seat], max(state.scores)
        return 1 / state.scores.count(best) if mine == best else 0.0
    if state.seats == 1:
        usual = ACTION * ACTIONS * state.rules.rounds
        return 1 / (1 + exp((usual - _expected(state, seat)) / PAR))
    seats = range(state.seats)
    left = sum(actions_left(state, other) for other in seats)
    spread = LOGISTIC * max(0.5, WIDE * sqrt(2 * left / state.seats) - SURE)
    mine = _expected(state, seat)
    return 1 / sum(exp(min(99.0, (_expected(state, other) - mine) / spread)) for other in seats)


def _expected(state: MolecularState, seat: Seat) -> float:
    """The points that a seat is likely to end with."""
    if state.over:
        return float(state.scores[seat])
    left = actions_left(state, seat)
    cards = state.cards.kinds(seat)
    ripe = sorted((worth for card in cards if (worth := state.worth(card).total)), reverse=True)[:left]
    points = float(state.scores[seat] + sum(ripe)) + ACTION * left - HELD * len(ripe)
    points += FRESH * max(0, min(HAND - len(cards), left - 1))
    if seat == state.turn:
        points += TILE * Outlook.within(state, seat).best_tile() - TURN
    return points


def actions_left(state: MolecularState, seat: Seat) -> int:
    """The actions that a seat still has in the rounds to come."""
    later = ACTIONS * (state.rules.rounds - state.round)
    if seat == state.turn:
        return later + state.actions
    waits = (seat - state.first) % state.seats > (state.turn - state.first) % state.seats
    return later + ACTIONS * waits


sharp = Search(worlds.sampler, scores, policy, judge, budget=60, depth=1, top=6)
"""Looks one decision further: the rest of the own turn, or how the next player begins."""

MEASURES = ("points", "theirs", "ripe", "actions")
"""Points of the seat and of the best other one, points of the cards in hand that can be played now, and
actions that the seat still has in the running turn and the rounds to come."""


def measures(state: Any, seat: Seat) -> Mapping[str, float]:
    """A position in the terms of this game, see `MEASURES`."""
    others = [points for one, points in enumerate(state.scores) if one != seat]
    return {
        "points": float(state.scores[seat]),
        "theirs": float(max(others, default=0)),
        "ripe": float(sum(state.worth(card).total for card in state.cards.kinds(seat))),
        "actions": float(0 if state.over else actions_left(state, seat)),
    }


study = replace(sharp, budget=240, top=8, lean=0.0, measures=measures)
"""For the teacher: without a lean to the heuristic's choice."""
