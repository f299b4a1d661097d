"""The patterns and happenings of Atom Duel, for the teacher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.atom_duel.ai.rollout import prices
from engine.atom_duel.cards import CARDS
from engine.atom_duel.evaluate import Played, Result, evaluate
from engine.atom_duel.events import Doubled, Short
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import HIDDEN, Observation
from engine.facts import Count, Facts, Player
from engine.game import Event, Seat
from engine.reason import Happening, MovePattern

FIRST_ONLY: Final = "first_or_zero"
"""The power of cards that count only in the first hand of a round."""
FEW: Final = 0.3
"""Share of the unseen cards that are few."""
STRONGER: Final = 0.02
"""Chance to win a hand by which a card is clearly stronger than another."""

Found = Mapping[str, Any] | None

REASONS: Final[Mapping[str, Facts]] = {
    "only_now": Facts(card=Short),
    "wins_last": Facts(card=Short).silent(cheap=float),
    "counters": Facts(card=Short, target=Short),
    "none_beats": Facts(card=Short),
    "few_beat": Facts(card=Short, others=Count, every=int).silent(fewer=int),
    "worthless": Facts(card=Short),
    "nothing_beats": Facts(value=Doubled, card=Short).silent(cheap=float),
    "saves": Facts(kept=Short),
    "leads_weak": Facts(kept=Short).silent(cheap=float),
    "takes_lead": Facts(player=Player),
    "aims_known": Facts(card=Short).silent(price=float),
    "aims_immune": Facts(card=Short),
    "aims_next": Facts(player=Player),
    "aims_leader": Facts(player=Player),
    "looks_new": Facts(player=Player),
    "gives_weak": Facts(card=Short).silent(cheap=float),
    "takes_known": Facts(card=Short).silent(price=float),
    "trades_weak": Facts(cards=list[Short]),
    "keeps_strong": Facts(),
    "wins_now": Facts(),
    "wins_later": Facts(about=Short),
}


def _plays(seen: Observation) -> tuple[Played, ...]:
    """Return the cards of the running hand as the rules see them."""
    found = []
    for play in seen.plays:
        number, bits, power = _brought(seen, play.card, play.power, first=not play.dead, zinc=play.plus_five)
        found.append((number, play.card, play.seat, bits, power))
    return tuple(found)


def _brought(seen: Observation, card: int, power: str, *, first: bool, zinc: bool) -> tuple[int, int, str]:
    announced = power if power in seen.table.choices[card] else ""
    return seen.table.played(card, announced, first_hand=first, zinc=zinc)


def _after(seen: Observation, *cards: tuple[int, str, Seat]) -> Result:
    """Return how the hand stands if these cards are played to it: (card, power, seat)."""
    plays = list(_plays(seen))
    for card, power, seat in cards:
        zinc = seat in seen.zinc
        number, bits, used = _brought(seen, card, power, first=seen.hand == 1, zinc=zinc)
        plays.append((number, card, seat, bits, used))
    return evaluate(plays, seen.seats, len(seen.plays) + len(seen.to_play))


def _card(seen: Observation, move: Move) -> int:
    """Return the card that a move plays, or 0 if it plays none or a hidden one."""
    if move.verb == "announce" and seen.pending is not None:
        return seen.pending.card
    return move.card if move.verb == "play" else 0


def _price(seen: Observation, card: int) -> float:
    return prices(seen.level, seen.seats)[card]


def _own(seen: Observation) -> list[int]:
    """Return the cards of the viewer that it knows."""
    return [card for card in seen.rows[seen.viewer or 0] if card > 0]


def _ahead(seen: Observation, card: int, power: str) -> bool:
    """Return whether this card would be ahead in the hand as it stands."""
    return _after(seen, (card, power, seen.viewer or 0)).winner == len(seen.plays)


def _is_last(seen: Observation) -> bool:
    return bool(seen.plays) and seen.to_play == (seen.viewer,)


def _answers(seen: Observation, card: int, power: str) -> tuple[int, int]:
    """Return how many cards that others may still play beat this one by themselves, and how many there
    are."""
    viewer = seen.viewer or 0
    coming = [seat for seat in seen.to_play if seat != viewer]
    known = {other for row in seen.rows for other in row if other > 0}
    gone = {*seen.gone, *known, *(play.card for play in seen.plays), card}
    threats = [other for other in CARDS if other not in gone]
    threats += [other for seat in coming for other in seen.rows[seat] if other > 0]
    at, seat = len(seen.plays), coming[0]
    beating = 0
    for other in threats:
        powers = seen.table.choices[other] or ("",)
        beating += any(
            _after(seen, (card, power, viewer), (other, used, seat)).winner != at for used in powers
        )
    return beating, len(threats)


def _only_now(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if not card or seen.hand != 1 or seen.simultaneous or card not in seen.table.late_is_dead:
        return None
    return {"card": card}


def _worthless(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if not card or seen.hand == 1 or seen.simultaneous or card not in seen.table.late_is_dead:
        return None
    return {"card": card}


def _wins_last(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if not card or not _is_last(seen) or not _ahead(seen, card, move.power):
        return None
    return {"card": card, "cheap": -_price(seen, card)}


def _counters(seen: Observation, move: Move) -> Found:
    """The card is ahead of a higher one that it beats by its power."""
    card = _card(seen, move)
    if not card or not seen.plays or not _ahead(seen, card, move.power):
        return None
    viewer = seen.viewer or 0
    number, _, _ = _brought(seen, card, move.power, first=seen.hand == 1, zinc=viewer in seen.zinc)
    before, after = evaluate(_plays(seen), seen.seats), _after(seen, (card, move.power, viewer))
    target = _plays(seen)[before.winner]
    if number >= before.values[before.winner] or not after.beaten[before.winner]:
        return None
    return {"card": card, "target": target[1]}


def _none_beats(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if not card or _is_last(seen) or not _rivals(seen) or not _ahead(seen, card, move.power):
        return None
    return {"card": card} if not _answers(seen, card, move.power)[0] else None


def _few_beat(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if not card or _is_last(seen) or not _rivals(seen) or not _ahead(seen, card, move.power):
        return None
    beating, every = _answers(seen, card, move.power)
    if not 0 < beating <= FEW * every:
        return None
    return {"card": card, "others": beating, "every": every, "fewer": -beating}


def _rivals(seen: Observation) -> bool:
    """Return whether another player still plays in this hand."""
    return any(seat != seen.viewer for seat in seen.to_play)


def _value(seen: Observation) -> int:
    return (
        evaluate(_plays(seen), seen.seats).values[0]
        if len(seen.plays) == 1
        else max(play.value2 for play in seen.plays if not play.beaten)
    )


def _can_lead(seen: Observation) -> bool:
    """Return whether a card of the viewer would be ahead now."""
    return any(
        _ahead(seen, card, power) for card in _own(seen) for power in seen.table.choices[card] or ("",)
    )


def _nothing_beats(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if move.verb != "play" or not seen.plays or _can_lead(seen):
        return None
    if any(_price(seen, other) < _price(seen, card) - STRONGER for other in _own(seen)):
        return None
    return {"value": _value(seen), "card": card, "cheap": -_price(seen, card)}


def _stronger(seen: Observation, card: int) -> int:
    """Return the strongest card that stays if this one is played, or 0 if none is stronger."""
    rest = [other for other in _own(seen) if other != card]
    best = max(rest, key=lambda other: _price(seen, other), default=0)
    return best if best and _price(seen, best) > _price(seen, card) + STRONGER else 0


def _saves(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if move.verb != "play" or not seen.plays or _ahead(seen, card, move.power):
        return None
    kept = _stronger(seen, card)
    return {"kept": kept} if kept else None


def _leads_weak(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if move.verb != "play" or seen.plays:
        return None
    kept = _stronger(seen, card)
    return {"kept": kept, "cheap": -_price(seen, card)} if kept else None


def _takes_lead(seen: Observation, move: Move) -> Found:
    card = _card(seen, move)
    if not card or not seen.plays or _is_last(seen) or not _ahead(seen, card, move.power):
        return None
    return {"player": seen.winning}


def _aimed(seen: Observation, move: Move) -> int:
    """Return the known card that a power points at, or 0."""
    return max(0, seen.rows[move.seat][move.slot]) if move.verb == "aim" else 0


def _aims_immune(seen: Observation, move: Move) -> Found:
    card = _aimed(seen, move)
    return {"card": card} if card and card in seen.table.immune_to_laser else None


def _aims_known(seen: Observation, move: Move) -> Found:
    card = _aimed(seen, move)
    if not card or card in seen.table.immune_to_laser or _price(seen, card) < 1 / seen.seats:
        return None
    return {"card": card, "price": _price(seen, card)}


def _aims_next(seen: Observation, move: Move) -> Found:
    if move.verb not in ("aim", "peek", "reveal") or move.seat not in seen.to_play:
        return None
    return {"player": move.seat}


def _aims_leader(seen: Observation, move: Move) -> Found:
    if move.verb not in ("aim", "peek", "trade"):
        return None
    others = [points for seat, points in enumerate(seen.points) if seat != seen.viewer]
    leads = seen.points[move.seat] == max(others) > min(others)
    return {"player": move.seat} if leads else None


def _looks_new(seen: Observation, move: Move) -> Found:
    if move.verb not in ("peek", "reveal") or seen.rows[move.seat][move.slot] != HIDDEN:
        return None
    return {"player": move.seat}


def _gives_weak(seen: Observation, move: Move) -> Found:
    if move.verb != "give" or not move.card:
        return None
    if any(_price(seen, card) > _price(seen, move.card) + STRONGER for card in _own(seen)):
        return {"card": move.card, "cheap": -_price(seen, move.card)}
    return None


def _takes_known(seen: Observation, move: Move) -> Found:
    if move.verb != "take" or seen.pending is None:
        return None
    card = seen.rows[seen.pending.target][move.slot]
    if card <= 0 or _price(seen, card) < 1 / seen.seats:
        return None
    return {"card": card, "price": _price(seen, card)}


def _weakest(seen: Observation) -> list[int]:
    return sorted(_own(seen), key=lambda card: _price(seen, card))[:2]


def _trades_weak(seen: Observation, move: Move) -> Found:
    weak = _weakest(seen)
    if move.verb != "trade" or len(weak) < 2 or any(_price(seen, card) >= 1 / seen.seats for card in weak):
        return None
    return {"cards": weak}


def _keeps_strong(seen: Observation, move: Move) -> Found:
    weak = _weakest(seen)
    if move.verb != "keep" or not weak or any(_price(seen, card) < 1 / seen.seats for card in weak):
        return None
    return {}


PATTERNS: Final = (
    MovePattern("wins_last", _wins_last, by="cheap"),
    MovePattern("only_now", _only_now),
    MovePattern("none_beats", _none_beats),
    MovePattern("counters", _counters),
    MovePattern("few_beat", _few_beat, by="fewer"),
    MovePattern("worthless", _worthless),
    MovePattern("nothing_beats", _nothing_beats),
    MovePattern("leads_weak", _leads_weak, by="cheap"),
    MovePattern("saves", _saves),
    MovePattern("takes_lead", _takes_lead),
    MovePattern("aims_immune", _aims_immune, warns=True),
    MovePattern("aims_known", _aims_known, by="price"),
    MovePattern("aims_next", _aims_next),
    MovePattern("aims_leader", _aims_leader),
    MovePattern("looks_new", _looks_new),
    MovePattern("gives_weak", _gives_weak, by="cheap"),
    MovePattern("takes_known", _takes_known, by="price"),
    MovePattern("trades_weak", _trades_weak),
    MovePattern("keeps_strong", _keeps_strong),
)


def happenings(events: Sequence[Event], seat: Seat) -> Iterator[Happening]:
    """Yield the hands that the player wins, the running one and those after it."""
    running = True
    for event in events:
        if event.kind == "hand_won":
            if event.seat == seat:
                card = int(str(event.facts["card"]))
                yield Happening("wins_now") if running else Happening("wins_later", card)
            running = False
