"""The patterns and happenings of Atom, for the teacher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.atom.ai.features import Features
from engine.atom.cards import ORDER, by_rank, counts, total
from engine.atom.events import Card, Rank
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.plays import LEAST_BOMB, Play, rung, shape
from engine.atom.sides import UNKNOWN
from engine.facts import Count, Facts, Player
from engine.game import Event, Seat
from engine.playing_cards import JOKER
from engine.reason import Happening, MovePattern

RICH, POOR = 30, 10
"""Points of a trick that are many, and so few that they are hardly worth a fight."""
NEARLY_OUT: Final = 4
"""Cards of a player who is nearly out."""
MANY: Final = 3
"""Cards that are many to get rid of at once."""
LEAST_RANKS: Final = 4
"""Ranks of a hand of which more than one is among the lowest."""
HIGH: Final = 3
"""Ranks from the top that are high: those that win tricks later."""

Found = Mapping[str, Any] | None

REASONS: Final[Mapping[str, Facts]] = {
    "goes_out": Facts(),
    "unbeatable": Facts(points=Count),
    "rich_trick": Facts(points=Count),
    "breaks_bomb": Facts(rank=Rank, cards=Count),
    "breaks_atom": Facts(rank=Rank),
    "spends_bomb": Facts(points=Count),
    "beats_partner": Facts(player=Player),
    "leaves_partner": Facts(player=Player, points=Count),
    "leaves_empty": Facts(),
    "leaves_little": Facts(points=Count),
    "leaves_bombs": Facts(),
    "stops": Facts(player=Player, cards=Count),
    "spends_joker": Facts(jokers=Count),
    "sheds_many": Facts(cards=Count),
    "sheds_low": Facts(rank=Rank),
    "keeps_high": Facts(rank=Rank),
    "keeps_whole": Facts(),
    "gives_points": Facts(points=Count),
    "calls_high": Facts(rank=Rank).silent(height=int),
    "calls_missing": Facts(card=Card),
    "trick_follows": Facts(),
    "out_follows": Facts(),
    "trick_of_others": Facts(),
    "out_of_others": Facts(),
}


def _play(seen: Observation, move: Move) -> Play | None:
    return shape(move.cards, seen.packs) if move.verb == "play" else None


def _viewer(seen: Observation) -> Seat:
    return seen.viewer or 0


def _held(seen: Observation) -> list[int]:
    """Return the packed counts of the hand by rank."""
    return by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))


def _side(seen: Observation, seat: Seat) -> int:
    """Return whether a seat is known to be a partner (1), an opponent (-1), or neither (0)."""
    mine, side = seen.sides[_viewer(seen)], seen.sides[seat]
    return 0 if UNKNOWN in (mine, side) else 1 if mine == side else -1


def _height(seen: Observation, rank: int) -> int:
    """Return how high a rank stands, the Blade on top and jokers below all."""
    return -1 if rank == JOKER else len(ORDER) if rank == seen.blade else ORDER.index(rank)


def _goes_out(seen: Observation, move: Move) -> Found:
    return {} if move.verb == "play" and len(move.cards) == sum(seen.hand) else None


def _unbeatable(seen: Observation, move: Move) -> Found:
    play = _play(seen, move)
    if play is None or not (points := seen.pot + play.points):
        return None
    return {"points": points} if Features(seen).odds.unbeatable(rung(play, seen.blade, seen.low)) else None


def _rich_trick(seen: Observation, move: Move) -> Found:
    if move.verb != "play" or not seen.best or seen.pot < RICH or _side(seen, seen.best_seat) == 1:
        return None
    return {"points": seen.pot}


def _broken(seen: Observation, move: Move) -> tuple[Play, tuple[int, ...], list[int]] | None:
    """Return a small play with the cards of its rank by suit before and after it."""
    play = _play(seen, move)
    if play is None or play.tier or play.size >= LEAST_BOMB or play.rank == JOKER:
        return None
    before = counts(_held(seen)[play.rank])
    return play, before, [a - b for a, b in zip(before, counts(play.suits), strict=True)]


def _breaks_bomb(seen: Observation, move: Move) -> Found:
    broken = _broken(seen, move)
    if broken is None or not sum(broken[1]) >= LEAST_BOMB > sum(broken[2]):
        return None
    return {"rank": broken[0].rank, "cards": sum(broken[1])}


def _breaks_atom(seen: Observation, move: Move) -> Found:
    broken = _broken(seen, move)
    if broken is None or not max(broken[1]) >= MANY > max(broken[2]):
        return None
    return {"rank": broken[0].rank}


def _spends_bomb(seen: Observation, move: Move) -> Found:
    play = _play(seen, move)
    if play is None or not seen.best or not (play.tier or play.size >= LEAST_BOMB):
        return None
    return {"points": seen.pot} if seen.pot <= POOR else None


def _beats_partner(seen: Observation, move: Move) -> Found:
    if move.verb != "play" or not seen.best or _side(seen, seen.best_seat) != 1:
        return None
    return {"player": seen.best_seat}


def _leaves_partner(seen: Observation, move: Move) -> Found:
    if move.verb != "pass" or not seen.best or _side(seen, seen.best_seat) != 1:
        return None
    return {"player": seen.best_seat, "points": seen.pot}


def _leaves_empty(seen: Observation, move: Move) -> Found:
    return {} if move.verb == "pass" and seen.best and not seen.pot else None


def _leaves_little(seen: Observation, move: Move) -> Found:
    if move.verb != "pass" or not seen.best or not 0 < seen.pot <= POOR:
        return None
    return {"points": seen.pot}


def _leaves_bombs(seen: Observation, move: Move) -> Found:
    """The trick could only be taken with a bomb, an atom or a nuke, or by tearing one apart."""
    if move.verb != "pass" or not seen.best:
        return None
    return {} if any(sum(counts(packed)) >= LEAST_BOMB for packed in _held(seen)[:-1]) else None


def _stops(seen: Observation, move: Move) -> Found:
    """An opponent who is nearly out has the trick, and the play takes it away."""
    if move.verb != "play" or not seen.best or _side(seen, seen.best_seat) != -1:
        return None
    left = seen.left[seen.best_seat]
    return {"player": seen.best_seat, "cards": left} if 0 < left <= NEARLY_OUT else None


def _spends_joker(seen: Observation, move: Move) -> Found:
    play = _play(seen, move)
    if play is None or play.rank == JOKER or not play.jokers or play.size >= LEAST_BOMB:
        return None
    return {"jokers": total(play.jokers)}


def _sheds_many(seen: Observation, move: Move) -> Found:
    play = _play(seen, move)
    if play is None or seen.best or play.tier or not MANY <= play.size < LEAST_BOMB:
        return None
    return {"cards": play.size}


def _sheds_low(seen: Observation, move: Move) -> Found:
    play = _play(seen, move)
    if play is None or play.rank == JOKER:
        return None
    heights = [_height(seen, rank) for rank, packed in enumerate(_held(seen)) if packed and rank != JOKER]
    lower = sum(height < _height(seen, play.rank) for height in heights)
    # a hand of few ranks has a single low one
    return {"rank": play.rank} if lower <= (len(heights) > LEAST_RANKS) else None


def _keeps_high(seen: Observation, move: Move) -> Found:
    """The play spares the highest rank of the hand, which is high enough to win a trick later."""
    play = _play(seen, move)
    held = [rank for rank, packed in enumerate(_held(seen)) if packed and rank != JOKER]
    top = max(held, key=lambda rank: _height(seen, rank), default=JOKER)
    if play is None or play.rank == top or _height(seen, top) < len(ORDER) - HIGH:
        return None
    return {"rank": top}


def _keeps_whole(seen: Observation, move: Move) -> Found:
    """The play takes all that the hand has of its rank, so nothing small is left behind."""
    play = _play(seen, move)
    if play is None or play.rank == JOKER or play.jokers or play.tier or play.size >= LEAST_BOMB:
        return None
    return {} if play.suits == _held(seen)[play.rank] else None


def _gives_points(seen: Observation, move: Move) -> Found:
    """Points played into a trick that a known opponent may still take."""
    play = _play(seen, move)
    if (
        play is None
        or not play.points
        or not any(_side(seen, seat) == -1 for seat, left in enumerate(seen.left) if left)
    ):
        return None
    if Features(seen).odds.unbeatable(rung(play, seen.blade, seen.low)):
        return None
    return {"points": play.points}


def _calls_high(seen: Observation, move: Move) -> Found:
    if move.verb != "call":
        return None
    rank = move.cards[0] >> 2
    return {"rank": rank, "height": _height(seen, rank)}


def _calls_missing(seen: Observation, move: Move) -> Found:
    if move.verb != "call" or _held(seen)[move.cards[0] >> 2]:
        return None
    return {"card": move.cards[0]}


PATTERNS: Final = (
    MovePattern("goes_out", _goes_out),
    MovePattern("beats_partner", _beats_partner, warns=True),
    MovePattern("unbeatable", _unbeatable, by="points"),
    MovePattern("stops", _stops),
    MovePattern("rich_trick", _rich_trick),
    MovePattern("leaves_partner", _leaves_partner),
    MovePattern("spends_bomb", _spends_bomb, warns=True),
    MovePattern("breaks_bomb", _breaks_bomb, warns=True),
    MovePattern("breaks_atom", _breaks_atom, warns=True),
    MovePattern("spends_joker", _spends_joker, by="jokers", warns=True),
    MovePattern("leaves_empty", _leaves_empty),
    MovePattern("leaves_little", _leaves_little),
    MovePattern("gives_points", _gives_points, by="points", warns=True),
    MovePattern("sheds_many", _sheds_many, by="cards"),
    MovePattern("sheds_low", _sheds_low),
    MovePattern("calls_missing", _calls_missing),
    MovePattern("calls_high", _calls_high, by="height"),
    MovePattern("keeps_whole", _keeps_whole),
    MovePattern("keeps_high", _keeps_high),
    MovePattern("leaves_bombs", _leaves_bombs),
)


def happenings(events: Sequence[Event], seat: Seat) -> Iterator[Happening]:
    """Yield who takes a trick with points, and who runs out; the decision itself is the first event."""
    for event in events[1:]:
        own = event.seat == seat
        if event.kind == "trick" and event.facts["points"]:
            yield Happening("trick_follows" if own else "trick_of_others", good=own)
        elif event.kind == "out":
            yield Happening("out_follows" if own else "out_of_others", good=own)
