"""The patterns of Chemistry Battle, for the teacher."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from engine.chemistry.battle.events import Highest
from engine.chemistry.battle.rounds import Move, Observation
from engine.chemistry.battle.search import HIGH
from engine.chemistry.deck import BASIC
from engine.facts import Count, Facts
from engine.reason import MovePattern

FEW: Final = 3
"""Cards that are few enough to be counted in a sentence."""

Found = Mapping[str, Any] | None

REASONS: Final[Mapping[str, Facts]] = {
    "takes_last": Facts(card=Highest, cards=Count),
    "unbeatable": Facts(card=Highest),
    "nothing_beats": Facts(best=Highest),
    "round_is_lost": Facts(best=Highest),
    "throws_high": Facts(card=Highest),
    "few_above": Facts(card=Highest, others=Count).silent(fewer=int),
    "keeps_top": Facts(top=Highest),
    "lets_go": Facts(best=Highest),
    "leads_low": Facts(higher=Count),
    "cheapest": Facts(card=Highest, best=Highest),
    "above_most": Facts(card=Highest, below=int, others=int).silent(share=float),
}


def to_come(seen: Observation) -> list[int]:
    """Return the cards that may still be played by others, as far as the viewer can tell."""
    gone = {card for pile in seen.piles for card in pile} | set(seen.plays) | set(seen.hand)
    return [card for card in BASIC if card not in gone]


def _chosen(seen: Observation, move: Move) -> int:
    """Return the card that is chosen to be played, or 0 in a blind game."""
    return 0 if seen.blind else move.card


def _best(seen: Observation) -> int:
    return max(seen.plays, default=0)


def _is_last(seen: Observation) -> bool:
    return len(seen.plays) == seen.hands - 1


def _takes_last(seen: Observation, move: Move) -> Found:
    card, best = _chosen(seen, move), _best(seen)
    if not _is_last(seen) or card <= best or any(best < other < card for other in seen.hand):
        return None
    return {"card": card, "cards": seen.hands + seen.kitty}


def _unbeatable(seen: Observation, move: Move) -> Found:
    card = _chosen(seen, move)
    if _is_last(seen) or card <= max(_best(seen), *to_come(seen), 0):
        return None
    return {"card": card}


def _round_is_lost(seen: Observation, move: Move) -> Found:
    best = _best(seen)
    if not 0 < _chosen(seen, move) < best or max(seen.hand) > best:
        return None
    return {"best": best}


def _nothing_beats(seen: Observation, move: Move) -> Found:
    """No card can win, and the chosen one is among the lower half of the hand."""
    lower = sum(card < move.card for card in seen.hand)
    return _round_is_lost(seen, move) if 2 * lower < len(seen.hand) else None


def _throws_high(seen: Observation, move: Move) -> Found:
    card = _chosen(seen, move)
    return {"card": card} if HIGH <= card < _best(seen) and card != min(seen.hand) else None


def _few_above(seen: Observation, move: Move) -> Found:
    card = _chosen(seen, move)
    others = sum(other > card for other in to_come(seen))
    if _is_last(seen) or card <= _best(seen) or not 0 < others <= FEW:
        return None
    return {"card": card, "others": others, "fewer": -others}


def _keeps_top(seen: Observation, move: Move) -> Found:
    top = max(seen.hand, default=0)
    if _chosen(seen, move) in (0, top) or top <= max(to_come(seen), default=0):
        return None
    return {"top": top}


def _lets_go(seen: Observation, move: Move) -> Found:
    best = _best(seen)
    if not 0 < _chosen(seen, move) < best or max(seen.hand) < best:
        return None
    return {"best": best}


def _leads_low(seen: Observation, move: Move) -> Found:
    card = _chosen(seen, move)
    higher = sum(other > card for other in seen.hand)
    return {"higher": higher} if card and not seen.plays and higher else None


def _above_most(seen: Observation, move: Move) -> Found:
    card, others = _chosen(seen, move), to_come(seen)
    below = sum(other < card for other in others)
    if _is_last(seen) or card <= _best(seen) or 2 * below <= len(others):
        return None
    return {"card": card, "below": below, "others": len(others), "share": below / len(others)}


def _cheapest(seen: Observation, move: Move) -> Found:
    """The lowest card that beats what was played, though others may still beat it."""
    card, best = _chosen(seen, move), _best(seen)
    if not seen.plays or card <= best or any(best < other < card for other in seen.hand):
        return None
    return {"card": card, "best": best}


PATTERNS: Final = (
    MovePattern("takes_last", _takes_last),
    MovePattern("unbeatable", _unbeatable),
    MovePattern("nothing_beats", _nothing_beats),
    MovePattern("round_is_lost", _round_is_lost),
    MovePattern("throws_high", _throws_high, warns=True),
    MovePattern("few_above", _few_above, by="fewer"),
    MovePattern("keeps_top", _keeps_top),
    MovePattern("lets_go", _lets_go),
    MovePattern("above_most", _above_most, by="share"),
    MovePattern("leads_low", _leads_low),
    MovePattern("cheapest", _cheapest),
)
