"""The patterns and happenings of Molecular, for the teacher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from engine.facts import Count, Facts, Player
from engine.game import Event, Seat
from engine.molecular import groups
from engine.molecular.ai.heuristic import ends_turn
from engine.molecular.ai.outlook import Outlook
from engine.molecular.board import cell_of
from engine.molecular.cards import BASE, SHAPE_OF
from engine.molecular.events import Group, Kind, Points
from engine.molecular.moves import Move
from engine.molecular.observation import Observation
from engine.reason import Happening, MovePattern

MANY: Final = 4
"""Points of a tile, or bonds in one place, that are many."""
FEW: Final = 1
"""Points of the best tile with which a turn has nothing better to do."""

Found = Mapping[str, Any] | None

REASONS: Final[Mapping[str, Facts]] = {
    "last_chance": Facts(group=Group, points=Points),
    "group_now": Facts(group=Group, points=Points),
    "completes": Facts(group=Group, points=Points),
    "raises": Facts(group=Group, points=Points),
    "tile_now": Facts(points=Points),
    "opens_for_you": Facts(points=Points),
    "only_place": Facts(kind=Kind),
    "closes_place": Facts(bonds=Count).silent(less=int),
    "opens_for_next": Facts(player=Player, bonds=Count),
    "leaves_nothing": Facts(player=Player, bonds=Count),
    "breaks_own": Facts(group=Group),
    "spares_own": Facts(),
    "useless_card": Facts(group=Group),
    "nothing_scores": Facts(),
    "clears_own": Facts(group=Group, counters=Count),
    "rival_theirs": Facts(group=Group, points=Points),
    "rival_own": Facts(group=Group),
    "poach_leader": Facts(player=Player, points=Points).silent(lead=int),
    "gives_useless": Facts(group=Group),
    "gives_cheap": Facts(group=Group, points=Points).silent(less=int),
    "group_follows": Facts(about=Group),
    "tile_follows": Facts(),
    "group_of_others": Facts(),
    "tile_of_others": Facts(),
}


@lru_cache(maxsize=16)
def _outlook(seen: Observation) -> Outlook:
    return Outlook.seen(seen)


def _place(move: Move) -> tuple[int, int]:
    """Return the cell and the shape of a tile."""
    return cell_of(move.q, move.r), SHAPE_OF[move.what][move.turn]


def _last_chance(seen: Observation, move: Move) -> Found:
    view = _outlook(seen)
    if move.verb != "group" or view.turns_left or not ends_turn(view, "group"):
        return None
    if not (points := view.points(move.what)):
        return None
    return {"group": move.what, "points": points}


def _group_now(seen: Observation, move: Move) -> Found:
    if move.verb != "group" or not (points := _outlook(seen).points(move.what)):
        return None
    return {"group": move.what, "points": points}


def _grown(seen: Observation, move: Move) -> tuple[int, int, int] | None:
    """Return the held group whose card gains most by a tile, and its points before and after."""
    if move.verb != "tile":
        return None
    view, (cell, shape) = _outlook(seen), _place(move)
    touched = view.touched(cell, shape) & view.held
    if not touched:
        return None
    board = view.board
    kept = board.bond(cell, shape, view.meets(cell))
    found = [
        (view.points(group, groups.count(board, group)), points, group)
        for group, points in view.cards
        if touched >> group & 1
    ]
    board.part(cell, kept)
    after, before, group = max(found, key=lambda one: one[0] - one[1])
    return (group, before, after) if after > before else None


def _completes(seen: Observation, move: Move) -> Found:
    grown = _grown(seen, move)
    if grown is None or grown[1]:
        return None
    return {"group": grown[0], "points": grown[2]}


def _raises(seen: Observation, move: Move) -> Found:
    grown = _grown(seen, move)
    if grown is None or not grown[1]:
        return None
    return {"group": grown[0], "points": grown[2]}


def _tile_now(seen: Observation, move: Move) -> Found:
    if move.verb != "tile":
        return None
    points = _outlook(seen).tile_points(cell_of(move.q, move.r), move.what)
    return {"points": points} if points > FEW else None


def _opens_for_you(seen: Observation, move: Move) -> Found:
    view = _outlook(seen)
    if move.verb != "tile" or ends_turn(view, "tile"):
        return None
    cell, shape = _place(move)
    points = int(view.best_tile_after(cell, shape, move.what))
    return {"points": points} if points > view.best_tile(move.what) else None


def _only_place(seen: Observation, move: Move) -> Found:
    if move.verb != "tile":
        return None
    cells = {cell for kind, cell in _outlook(seen).fitting() if kind == move.what}
    return {"kind": move.what} if cells == {cell_of(move.q, move.r)} else None


def _next(seen: Observation) -> Seat:
    return (seen.turn + 1) % seen.seats


def _exposed(seen: Observation, move: Move) -> tuple[int, int] | None:
    """Return the most bonds one tile could satisfy before and after a tile that ends the turn."""
    view = _outlook(seen)
    if move.verb != "tile" or seen.seats == 1 or not ends_turn(view, "tile"):
        return None
    return view.exposed(), view.exposed_after(*_place(move))


def _closes_place(seen: Observation, move: Move) -> Found:
    exposed = _exposed(seen, move)
    if exposed is None or exposed[0] < MANY - 1 or exposed[1] >= exposed[0]:
        return None
    return {"bonds": exposed[0], "less": exposed[0] - exposed[1]}


def _opens_for_next(seen: Observation, move: Move) -> Found:
    exposed = _exposed(seen, move)
    if exposed is None or exposed[1] < MANY - 1 or exposed[1] <= exposed[0]:
        return None
    return {"player": _next(seen), "bonds": exposed[1]}


def _leaves_nothing(seen: Observation, move: Move) -> Found:
    exposed = _exposed(seen, move)
    if exposed is None or exposed[1] >= MANY - 1:
        return None
    return {"player": _next(seen), "bonds": exposed[1]}


def _spilt(seen: Observation, move: Move) -> list[int] | None:
    """Return the held groups that lose an example if a tile is removed."""
    if move.verb != "spill":
        return None
    view, cell = _outlook(seen), cell_of(move.q, move.r)
    shape = view.board.lift(cell)
    lost = [
        group for group, points in view.cards if view.points(group, groups.count(view.board, group)) < points
    ]
    view.board.lay(cell, shape)
    return lost


def _breaks_own(seen: Observation, move: Move) -> Found:
    lost = _spilt(seen, move)
    return {"group": lost[0]} if lost else None


def _spares_own(seen: Observation, move: Move) -> Found:
    return {} if _spilt(seen, move) == [] and _outlook(seen).promise else None


def _useless_card(seen: Observation, move: Move) -> Found:
    view = _outlook(seen)
    if move.verb != "group" or view.points(move.what) or not view.turns_left:
        return None
    return {"group": move.what}


def _nothing_scores(seen: Observation, move: Move) -> Found:
    view = _outlook(seen)
    if move.verb not in ("reveal", "forfeit") or view.promise or view.best_tile() > FEW:
        return None
    return {}


def _clears_own(seen: Observation, move: Move) -> Found:
    if move.verb != "clear" or move.what not in _outlook(seen).hand or not seen.counters[move.what]:
        return None
    return {"group": move.what, "counters": seen.counters[move.what]}


def _rival_theirs(seen: Observation, move: Move) -> Found:
    view = _outlook(seen)
    if move.verb != "rival" or move.what in view.hand or not (points := view.points(move.what)):
        return None
    return {"group": move.what, "points": points}


def _rival_own(seen: Observation, move: Move) -> Found:
    return {"group": move.what} if move.verb == "rival" and move.what in _outlook(seen).hand else None


def _poach_leader(seen: Observation, move: Move) -> Found:
    if move.verb != "poach":
        return None
    others = [points for seat, points in enumerate(seen.scores) if seat != seen.viewer]
    points = seen.scores[move.what]
    return {"player": move.what, "points": points, "lead": 1} if points == max(others) > min(others) else None


def _gives_useless(seen: Observation, move: Move) -> Found:
    view = _outlook(seen)
    if move.verb != "give" or view.points(move.what) or all(not points for _, points in view.cards):
        return None
    return {"group": move.what}


def _gives_cheap(seen: Observation, move: Move) -> Found:
    view = _outlook(seen)
    if move.verb != "give" or not any(BASE[group] > BASE[move.what] for group in view.hand):
        return None
    return {"group": move.what, "points": BASE[move.what], "less": -BASE[move.what]}


PATTERNS: Final = (
    MovePattern("last_chance", _last_chance, by="points"),
    MovePattern("group_now", _group_now, by="points"),
    MovePattern("completes", _completes, by="points"),
    MovePattern("tile_now", _tile_now, by="points"),
    MovePattern("raises", _raises, by="points"),
    MovePattern("breaks_own", _breaks_own, warns=True),
    MovePattern("opens_for_next", _opens_for_next, by="bonds", warns=True),
    MovePattern("opens_for_you", _opens_for_you, by="points"),
    MovePattern("closes_place", _closes_place, by="less"),
    MovePattern("clears_own", _clears_own, by="counters"),
    MovePattern("rival_own", _rival_own, warns=True),
    MovePattern("rival_theirs", _rival_theirs, by="points"),
    MovePattern("poach_leader", _poach_leader),
    MovePattern("gives_useless", _gives_useless),
    MovePattern("gives_cheap", _gives_cheap, by="less"),
    MovePattern("spares_own", _spares_own),
    MovePattern("nothing_scores", _nothing_scores),
    MovePattern("only_place", _only_place),
    MovePattern("useless_card", _useless_card),
    MovePattern("leaves_nothing", _leaves_nothing),
)


def happenings(events: Sequence[Event], seat: Seat) -> Iterator[Happening]:
    """Yield what followed a decision: cards and good tiles of the player and of the others.

    The decision itself is the first event.
    """
    for event in events[1:]:
        if event.kind not in ("tile", "group"):
            continue
        own, points = event.seat == seat, int(str(event.facts["points"]))
        if event.kind == "group" and points:
            if own:
                yield Happening("group_follows", int(str(event.facts["group"])))
            else:
                yield Happening("group_of_others", good=False)
        elif event.kind == "tile" and points >= MANY:
            yield Happening("tile_follows" if own else "tile_of_others", good=own)
