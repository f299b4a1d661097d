"""Opponents that search: they try the heuristic's best moves in many samples (`engine.ai.search`).

A rollout by the heuristic lasts one decision of any seat. Then the position is evaluated by the expected
final scores. The constants of the evaluation were fitted to self-play games of the heuristic.
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
from engine.molecular.ai.heuristic import ends_turn, gain, rated, scores
from engine.molecular.ai.outlook import Outlook
from engine.molecular.ai.patterns import happenings
from engine.molecular.board import WAYS
from engine.molecular.moves import LAID, PASS, REVEAL, Move
from engine.molecular.position import ACTIONS, HAND
from engine.molecular.state import MolecularState
from engine.molecular.turns import may_use

ACTION: Final = 1.4
"""Expected points from each action still to come."""
HELD, FRESH = 0.9, 0.4
"""Points a ripe card in hand is worth less than its score, since it takes an action; points for a new
card."""
TILE, TURN = 1.1, 1.5
"""Weight of the best tile of the seat to move, and the points subtracted for an average one."""
WIDE, SURE = 1.08, 0.6
"""Spread of the final scores: `WIDE` times the square root of the actions still to come, minus `SURE`."""
PAR: Final = 8.0
"""Spread in a solo game, compared with the usual score."""
LOGISTIC: Final = 0.55
"""Scale of a logistic curve with standard deviation 1."""
CLOSELY, LAST = 6, 3
"""Tiles (ignoring rotation) that a rollout rates in full: if another action follows, and at the end of a
turn. The limit costs .1 points in the first case and nothing in the second."""


def policy(state: Any, seat: Seat, rng: random.Random) -> Move:
    """Choose a seat's move in a rollout: as the heuristic, but rating only the best immediate tiles in
    full."""
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
    """Return the moves of a turn that are worth a closer look."""
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
    """Return a seat's expected share of the win, from everyone's expected final scores."""
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
    """Return a seat's expected final score."""
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
    """Return how many actions a seat still has, this turn and in later rounds."""
    later = ACTIONS * (state.rules.rounds - state.round)
    if seat == state.turn:
        return later + state.actions
    waits = (seat - state.first) % state.seats > (state.turn - state.first) % state.seats
    return later + ACTIONS * waits


sharp = Search(worlds.sampler, scores, policy, judge, budget=60, depth=1, top=6)
"""Looks one decision ahead: the rest of the seat's turn, or the start of the next player's."""

MEASURES = ("points", "theirs", "ripe", "actions")
"""Points of the seat; points of the best other seat; points of the cards in hand that can score now; and
actions the seat still has in this turn and later rounds."""


def measures(state: Any, seat: Seat) -> Mapping[str, float]:
    """Return the measures of a position, see `MEASURES`."""
    others = [points for one, points in enumerate(state.scores) if one != seat]
    return {
        "points": float(state.scores[seat]),
        "theirs": float(max(others, default=0)),
        "ripe": float(sum(state.worth(card).total for card in state.cards.kinds(seat))),
        "actions": float(0 if state.over else actions_left(state, seat)),
    }


study = replace(sharp, budget=240, top=8, lean=0.0, measures=measures, happenings=happenings)
"""The teacher's study, without a bonus for the heuristic's choice."""
