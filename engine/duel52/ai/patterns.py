"""The patterns of Duel 52, for the teacher."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.duel52.cards import LONE, POINTS
from engine.duel52.events import Card, Lane
from engine.duel52.moves import Move
from engine.duel52.observation import HIDDEN, LaneUnit, Observation
from engine.facts import Count, Facts
from engine.playing_cards import (
    ACE,
    EIGHT,
    FIVE,
    FOUR,
    JACK,
    KING,
    NINE,
    QUEEN,
    SEVEN,
    SIX,
    TEN,
    THREE,
    TWO,
)
from engine.reason import MovePattern

WORKING: Final = frozenset({TWO, FOUR, FIVE, SIX, SEVEN, QUEEN, ACE})
"""Ranks whose flip power a King makes work again."""

Found = Mapping[str, Any] | None


def _in(**facts: object) -> Facts:
    """Return the facts of a sentence that names a lane, or a triangle."""
    return Facts(lane=Lane, **facts).may(triangles=bool)


REASONS: Final[Mapping[str, Facts]] = {
    "clears_lane": _in(),
    "kills": _in(card=Card, others=Count, own=int).silent(killed=int),
    "kills_back": Facts().silent(killed=int),
    "dies_to_eight": Facts(card=Card),
    "hurt_by_eight": Facts(card=Card),
    "wounds": Facts(card=Card, left=Count).silent(less=int),
    "wounds_back": _in(),
    "heals": Facts(cards=Count),
    "freezes": _in(cards=Count),
    "turns_up": _in(cards=Count),
    "works_again": Facts(cards=Count),
    "guards": _in(cards=Count),
    "one_more_action": Facts(card=Card),
    "draws": Facts(card=Card),
    "looks": Facts(card=Card),
    "fetches": _in(card=Card),
    "strikes_two": _in(card=Card, cards=Count),
    "strikes_back": Facts(card=Card),
    "no_freeze": Facts(card=Card),
    "springs_no_more": Facts(),
    "attacks_now": _in(card=Card),
    "turns_base": Facts(),
    "trap": Facts(),
    "enters_lane": _in(),
    "catches_up": _in(own=int, others=int).silent(behind=int),
    "gets_ahead": _in(),
    "adds": _in(),
    "makes_pair": _in(card=Card),
    "pairs": Facts(card=Card),
    "unknown_back": _in(),
    "moves_where_needed": _in(),
}


class TablePlace(NamedTuple):
    """A card on the table: its side, its lane, and what the viewer sees of it."""

    side: int
    lane: int
    unit: LaneUnit


def _places(seen: Observation) -> dict[int, TablePlace]:
    lanes = seen.setup.lanes
    return {
        unit.unit: TablePlace(at // lanes, at % lanes, unit)
        for at, row in enumerate(seen.rows)
        for unit in row
    }


def _side(seen: Observation) -> int:
    return (seen.viewer if seen.viewer is not None else 0) % seen.setup.sides


def _lane(seen: Observation, lane: int) -> dict[str, Any]:
    return {"lane": lane, "triangles": True} if seen.setup.sides > 2 else {"lane": lane}


def _own(seen: Observation, lane: int) -> tuple[LaneUnit, ...]:
    return seen.row(_side(seen), lane)


def _others(seen: Observation, lane: int) -> list[LaneUnit]:
    """Return the cards of all other sides in a lane."""
    return [unit for side in range(seen.setup.sides) if side != _side(seen) for unit in seen.row(side, lane)]


def _left(unit: LaneUnit) -> int:
    """Return the hit points left; every back has as many as it seems."""
    return (POINTS[unit.card >> 2] if unit.up else LONE) - unit.damage


def _rank(unit: LaneUnit) -> int:
    """Return the rank of a card that the viewer knows, or -1."""
    return -1 if unit.card == HIDDEN else unit.card >> 2


def _targets(seen: Observation, move: Move) -> list[tuple[LaneUnit, int]]:
    """Return the cards that an attack hits, each with its damage."""
    places = _places(seen)
    attacker = places[move.unit].unit
    paired = attacker.mate >= 0
    first = places[move.target].unit
    if move.second >= 0:
        return [(first, 2 if paired else 1), (places[move.second].unit, 1)]
    damage = 2 if paired else 1
    if attacker.up and _rank(attacker) == NINE and first.up and _rank(first) == JACK:
        damage *= 2
    return [(first, damage)]


def _killed(seen: Observation, move: Move) -> list[LaneUnit]:
    """Return the cards that an attack kills; a 3 that the viewer knows would come back."""
    if move.verb != "attack":
        return []
    return [
        unit
        for unit, damage in _targets(seen, move)
        if damage >= _left(unit) and (unit.up or seen.vampiric or _rank(unit) != THREE)
    ]


def _clears_lane(seen: Observation, move: Move) -> Found:
    killed = _killed(seen, move)
    if not killed or not all(unit.up for unit in killed):
        return None
    lane = _places(seen)[move.target].lane
    return _lane(seen, lane) if len(killed) == len(_others(seen, lane)) else None


def _kills(seen: Observation, move: Move) -> Found:
    killed = [unit for unit in _killed(seen, move) if unit.card != HIDDEN]
    if not killed:
        return None
    side, lane, _ = _places(seen)[killed[0].unit]
    others = sum(unit not in killed for unit in seen.row(side, lane))
    facts = {"card": killed[0].card, "others": others, "own": len(_own(seen, lane)), "killed": len(killed)}
    return {**_lane(seen, lane), **facts}


def _kills_back(seen: Observation, move: Move) -> Found:
    killed = [unit for unit in _killed(seen, move) if unit.card == HIDDEN]
    return {"killed": len(killed)} if killed else None


def _struck_back(seen: Observation, move: Move) -> LaneUnit | None:
    """Return the attacker if an 8 that it attacks strikes back."""
    if move.verb != "attack":
        return None
    attacker = _places(seen)[move.unit].unit
    eights = [unit for unit, _ in _targets(seen, move) if unit.up and _rank(unit) == EIGHT]
    return attacker if eights and _rank(attacker) != NINE else None


def _dies_to_eight(seen: Observation, move: Move) -> Found:
    attacker = _struck_back(seen, move)
    return {"card": attacker.card} if attacker is not None and _left(attacker) == 1 else None


def _hurt_by_eight(seen: Observation, move: Move) -> Found:
    attacker = _struck_back(seen, move)
    return {"card": attacker.card} if attacker is not None and _left(attacker) > 1 else None


def _wounds(seen: Observation, move: Move) -> Found:
    if move.verb != "attack":
        return None
    unit, damage = _targets(seen, move)[0]
    left = _left(unit) - damage
    return {"card": unit.card, "left": left, "less": -left} if left > 0 and unit.up else None


def _wounds_back(seen: Observation, move: Move) -> Found:
    if move.verb != "attack":
        return None
    unit, damage = _targets(seen, move)[0]
    return _lane(seen, _places(seen)[move.target].lane) if not unit.up and _left(unit) > damage else None


def _flipped(seen: Observation, move: Move) -> TablePlace | None:
    """Return the card that a move turns up."""
    return _places(seen)[move.unit] if move.verb == "flip" else None


def _turned(seen: Observation, move: Move, rank: int) -> TablePlace | None:
    """Return the card that a move turns up if it is known to have this rank."""
    place = _flipped(seen, move)
    return place if place is not None and _rank(place.unit) == rank else None


def _heals(seen: Observation, move: Move) -> Found:
    if _turned(seen, move, SEVEN) is None:
        return None
    hurt = sum(unit.damage > 0 for lane in range(seen.setup.lanes) for unit in _own(seen, lane))
    return {"cards": hurt} if hurt else None


def _freezes(seen: Observation, move: Move) -> Found:
    place = _turned(seen, move, SIX)
    if place is None:
        return None
    cards = sum(not (unit.up and _rank(unit) == NINE) for unit in _others(seen, place.lane))
    return {**_lane(seen, place.lane), "cards": cards} if cards else None


def _turns_up(seen: Observation, move: Move) -> Found:
    place = _turned(seen, move, FIVE)
    if place is None:
        return None
    cards = sum(not unit.up and not unit.locked for unit in _own(seen, place.lane)) - 1
    return {**_lane(seen, place.lane), "cards": cards} if cards > 0 else None


def _works_again(seen: Observation, move: Move) -> Found:
    place = _turned(seen, move, KING)
    if place is None:
        return None
    cards = sum(unit.up and _rank(unit) in WORKING for unit in _own(seen, place.lane))
    return {"cards": cards} if cards else None


def _guards(seen: Observation, move: Move) -> Found:
    place = _turned(seen, move, JACK)
    if place is None or not _others(seen, place.lane):
        return None
    cards = len(_own(seen, place.lane)) - 1
    return {**_lane(seen, place.lane), "cards": cards} if cards else None


def _of_rank(rank: int) -> Any:
    """Return a pattern's function for turning up a card of a rank."""

    def find(seen: Observation, move: Move) -> Found:
        place = _turned(seen, move, rank)
        return None if place is None else {"card": place.unit.card}

    return find


def _looks(seen: Observation, move: Move) -> Found:
    place = _turned(seen, move, FOUR)
    return None if place is None or seen.vampiric else {"card": place.unit.card}


def _fetches(seen: Observation, move: Move) -> Found:
    place = _turned(seen, move, QUEEN)
    elsewhere = range(seen.setup.lanes)
    if place is None or not any(_own(seen, lane) for lane in elsewhere if lane != place.lane):
        return None
    return {**_lane(seen, place.lane), "card": place.unit.card}


def _strikes_two(seen: Observation, move: Move) -> Found:
    place = _turned(seen, move, TEN)
    cards = 0 if place is None else len(_others(seen, place.lane))
    if place is None or cards <= 1:
        return None
    return {**_lane(seen, place.lane), "card": place.unit.card, "cards": cards}


def _springs_no_more(seen: Observation, move: Move) -> Found:
    return {} if _turned(seen, move, THREE) is not None and not seen.vampiric else None


def _attacks_now(seen: Observation, move: Move) -> Found:
    place = _flipped(seen, move)
    if place is None or place.unit.card == HIDDEN or seen.actions < LONE or place.unit.frozen:
        return None
    targets = [unit for unit in _others(seen, place.lane) if not unit.locked]
    return {**_lane(seen, place.lane), "card": place.unit.card} if targets else None


def _turns_base(seen: Observation, move: Move) -> Found:
    place = _flipped(seen, move)
    return {} if place is not None and place.unit.card == HIDDEN else None


def _trap(seen: Observation, move: Move) -> Found:
    return {} if move.verb == "play" and move.card >> 2 == THREE and not seen.vampiric else None


def _counts(seen: Observation, lane: int) -> tuple[int, int]:
    """Return how many cards the own side has in a lane, and the strongest other side."""
    sides = [len(seen.row(side, lane)) for side in range(seen.setup.sides) if side != _side(seen)]
    return len(_own(seen, lane)), max(sides)


def _enters_lane(seen: Observation, move: Move) -> Found:
    if move.verb != "play" or _counts(seen, move.lane)[0]:
        return None
    return _lane(seen, move.lane)


def _catches_up(seen: Observation, move: Move) -> Found:
    if move.verb != "play":
        return None
    own, others = _counts(seen, move.lane)
    if not 0 < own < others:
        return None
    return {**_lane(seen, move.lane), "own": own, "others": others, "behind": others - own}


def _gets_ahead(seen: Observation, move: Move) -> Found:
    if move.verb != "play":
        return None
    own, others = _counts(seen, move.lane)
    return _lane(seen, move.lane) if own == others > 0 else None


def _adds(seen: Observation, move: Move) -> Found:
    if move.verb != "play":
        return None
    own, others = _counts(seen, move.lane)
    return _lane(seen, move.lane) if own > others else None


def _makes_pair(seen: Observation, move: Move) -> Found:
    if move.verb != "play":
        return None
    alone = [unit for unit in _own(seen, move.lane) if unit.mate < 0 and _rank(unit) == move.card >> 2]
    return {**_lane(seen, move.lane), "card": alone[0].card} if alone else None


def _pairs(seen: Observation, move: Move) -> Found:
    return {"card": _places(seen)[move.unit].unit.card} if move.verb == "pair" else None


def _unknown_back(seen: Observation, move: Move) -> Found:
    if move.verb != "look":
        return None
    place = _places(seen)[move.target]
    if place.side == _side(seen) or place.unit.card != HIDDEN:
        return None
    return _lane(seen, place.lane)


def _moves_where_needed(seen: Observation, move: Move) -> Found:
    ask = seen.ask
    if move.verb != "move" or ask is None or ask.unit < 0:
        return None
    lane = _places(seen)[ask.unit].lane
    own, others = _counts(seen, lane)
    return _lane(seen, lane) if own <= others else None


PATTERNS: Final = (
    MovePattern("clears_lane", _clears_lane),
    MovePattern("kills", _kills, by="killed"),
    MovePattern("dies_to_eight", _dies_to_eight, warns=True),
    MovePattern("kills_back", _kills_back, by="killed"),
    MovePattern("heals", _heals, by="cards"),
    MovePattern("freezes", _freezes, by="cards"),
    MovePattern("turns_up", _turns_up, by="cards"),
    MovePattern("works_again", _works_again, by="cards"),
    MovePattern("guards", _guards, by="cards"),
    MovePattern("one_more_action", _of_rank(ACE)),
    MovePattern("strikes_two", _strikes_two, by="cards"),
    MovePattern("fetches", _fetches),
    MovePattern("springs_no_more", _springs_no_more, warns=True),
    MovePattern("hurt_by_eight", _hurt_by_eight, warns=True),
    MovePattern("wounds", _wounds, by="less"),
    MovePattern("trap", _trap),
    MovePattern("makes_pair", _makes_pair),
    MovePattern("enters_lane", _enters_lane),
    MovePattern("catches_up", _catches_up, by="behind"),
    MovePattern("gets_ahead", _gets_ahead),
    MovePattern("attacks_now", _attacks_now),
    MovePattern("pairs", _pairs),
    MovePattern("draws", _of_rank(TWO)),
    MovePattern("looks", _looks),
    MovePattern("strikes_back", _of_rank(EIGHT)),
    MovePattern("no_freeze", _of_rank(NINE)),
    MovePattern("unknown_back", _unknown_back),
    MovePattern("moves_where_needed", _moves_where_needed),
    MovePattern("wounds_back", _wounds_back),
    MovePattern("adds", _adds),
    MovePattern("turns_base", _turns_base),
)
