"""The patterns and happenings of Compound Capture and Chemistry Canasta, for the teacher."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.chemistry.ai.endings import (
    Found,
    claims_late,
    ends_ahead,
    ends_behind,
    ends_round,
    sheds_wild,
    wins,
)
from engine.chemistry.deck import KINDS, NEEDS, WILD, draw_cards
from engine.chemistry.events import Compound, Points, Top
from engine.chemistry.moves import PILE, RUN, STOCK, Move, lack, missing, runs
from engine.chemistry.observation import FIRST, PLAY, SECOND, Observation
from engine.chemistry.scoring import COMPOUND, RUN_CARD
from engine.facts import Count, Facts, Player
from engine.game import Event, Seat
from engine.reason import Happening, MovePattern

NEAR: Final = 2
"""Cards lacking for a compound that is near: a turn draws two."""

REASONS: Final[Mapping[str, Facts]] = {
    "wins": Facts(own=int, other=int),
    "ends_ahead": Facts(own=int, other=int),
    "ends_behind": Facts(own=int, player=Player, other=int),
    "sheds_wild": Facts(wild=int),
    "claims_late": Facts(wild=int),
    "claim_waits": Facts(card=Top),
    "run_stays": Facts(compound=Compound),
    "captures": Facts(compound=Compound, points=Points),
    "lays_run": Facts(points=Points),
    "spares_wild": Facts(),
    "spends_wilds": Facts(wilds=Count),
    "claimable": Facts(cards=Count),
    "tops_wild": Facts(player=Player),
    "saves_wild": Facts(card=Top, compound=Compound),
    "joins_run": Facts(card=Top, other=Top),
    "completes": Facts(card=Top, compound=Compound),
    "completes_run": Facts(card=Top),
    "takes_wild": Facts(),
    "nearer": Facts(card=Top, compound=Compound, short=Count).silent(near=int),
    "pile_useless": Facts(card=Top),
    "pile_useless_run": Facts(card=Top),
    "two_unknown": Facts(),
    "discards_wild": Facts(),
    "breaks_compound": Facts(card=Top, compound=Compound),
    "breaks_run": Facts(card=Top, other=Top),
    "completes_for_next": Facts(card=Top, compound=Compound, player=Player),
    "feeds_next": Facts(card=Top, player=Player, compounds=Count),
    "needless": Facts(card=Top),
    "needless_run": Facts(card=Top),
    "far": Facts(card=Top, short=int),
    "spare": Facts(card=Top),
    "claims_play": Facts(),
    "claims_wild": Facts(card=Top),
    "top_needless": Facts(card=Top),
    "capture_follows": Facts(about=Compound),
    "run_follows": Facts(),
    "capture_of_others": Facts(),
    "run_of_others": Facts(),
}


def _hand(seen: Observation, *, add: int | None = None, without: Sequence[int] = ()) -> bytearray:
    """Return the counts of the viewer's cards by kind, with a card more or some less."""
    hand = bytearray(KINDS)
    for card in seen.hand:
        hand[card] += 1
    for card in without:
        hand[card] -= 1
    if add is not None:
        hand[add] += 1
    return hand


def _uses(card: int, row: Sequence[int]) -> int:
    """Return how many of these compounds need a card."""
    return sum(card == z for one in row for z, _ in NEEDS[one])


def _claim_waits(seen: Observation, move: Move) -> Found:
    return {"card": move.what} if move.verb == "claim" and seen.phase <= SECOND else None


def _run_stays(seen: Observation, move: Move) -> Found:
    """The compound is taken before others can, and a run can still be laid later."""
    if not seen.canasta or seen.seats == 1 or move.verb != "capture" or ends_round(seen, move):
        return None
    return {"compound": move.what} if runs(_hand(seen, without=move.cards)) else None


def _captures(_seen: Observation, move: Move) -> Found:
    return {"compound": move.what, "points": COMPOUND} if move.verb == "capture" else None


def _lays_run(_seen: Observation, move: Move) -> Found:
    return {"points": RUN * RUN_CARD} if move.verb == "run" else None


def _spares_wild(seen: Observation, move: Move) -> Found:
    if move.verb not in ("capture", "run") or WILD in move.cards or WILD not in seen.hand:
        return None
    return None if ends_round(seen, move) else {}


def _spends_wilds(seen: Observation, move: Move) -> Found:
    wilds = move.cards.count(WILD)
    return {"wilds": wilds} if wilds and not ends_round(seen, move) else None


def _tops_wild(seen: Observation, move: Move) -> Found:
    """A wild card paid last is on top of the pile for the next player."""
    if seen.seats == 1 or seen.viewer is None or move.verb != "capture" or move.cards[-1] != WILD:
        return None
    return None if ends_round(seen, move) else {"player": (seen.viewer + 1) % seen.seats}


def _claimable(seen: Observation, move: Move) -> Found:
    """Cards that the viewer does not see can be put in the place of a wild card in the run."""
    if move.verb != "run" or seen.seats == 1 or ends_round(seen, move):
        return None
    numbers = [move.what + step for step, card in enumerate(move.cards) if card == WILD]
    deck = draw_cards(seen.decks, basic=True)
    laid = [card for own in seen.runs for _, three in own for card in three]
    visible = (*seen.hand, *seen.discard, *laid)
    cards = sum(deck.count(number) - visible.count(number) for number in numbers)
    return {"cards": cards} if cards else None


def _completed(seen: Observation, card: int) -> int | None:
    """Return a compound that the hand can capture with this card and not without it, or None."""
    before, after = _hand(seen), _hand(seen, add=card)
    return next((one for one in seen.row if lack(one, before) and not lack(one, after)), None)


def _saved(seen: Observation, card: int) -> int | None:
    """Return a compound for which a wild card could be spent, and one less with this card; or None."""
    before, after = _hand(seen), _hand(seen, add=card)
    if card == WILD:
        return None
    for one in seen.row:
        if not lack(one, before) and sum(missing(one, after).values()) < sum(missing(one, before).values()):
            return one
    return None


def _saves_wild(seen: Observation, move: Move) -> Found:
    if move.verb != "draw" or move.what != PILE:
        return None
    card = seen.discard[-1]
    compound = _saved(seen, card)
    return None if compound is None else {"card": card, "compound": compound}


def _partner(seen: Observation, card: int) -> int | None:
    """Return a held card that is one card short of a run together with this one, the next number first.

    None if the three are complete with another held card.
    """
    held = {*seen.hand} - {card, WILD}
    for step in (1, -1, 2, -2):
        other = card + step
        thirds = {other + step, card - step} if abs(step) == 1 else {card + step // 2}
        if other in held and not thirds & held:
            return other
    return None


def _joins_run(seen: Observation, move: Move) -> Found:
    if move.verb != "draw" or move.what != PILE or not seen.canasta:
        return None
    card = seen.discard[-1]
    other = None if card == WILD or card in seen.hand else _partner(seen, card)
    return None if other is None else {"card": card, "other": other}


def _completes(seen: Observation, move: Move) -> Found:
    if move.verb != "draw" or move.what != PILE:
        return None
    card = seen.discard[-1]
    compound = _completed(seen, card)
    return None if compound is None or card == WILD else {"card": card, "compound": compound}


def _completes_run(seen: Observation, move: Move) -> Found:
    if move.verb != "draw" or move.what != PILE or not seen.canasta:
        return None
    card = seen.discard[-1]
    if card == WILD or runs(_hand(seen)) or not runs(_hand(seen, add=card)):
        return None
    return {"card": card}


def _takes_wild(seen: Observation, move: Move) -> Found:
    return {} if move.verb == "draw" and move.what == PILE and seen.discard[-1] == WILD else None


def _nearest(seen: Observation, card: int) -> tuple[int, int] | None:
    """Return the compound to which a card brings the hand nearest: cards still short, and the compound."""
    before, after = _hand(seen), _hand(seen, add=card)
    found = [(short, one) for one in seen.row if (short := lack(one, after)) < lack(one, before)]
    return min(found, default=None)


def _nearer(seen: Observation, move: Move) -> Found:
    if move.verb != "draw" or move.what != PILE:
        return None
    found = _nearest(seen, seen.discard[-1])
    if found is None or not 0 < found[0] <= NEAR:
        return None
    return {"card": seen.discard[-1], "compound": found[1], "short": found[0], "near": -found[0]}


def _pile_useless(seen: Observation, move: Move) -> Found:
    if move.verb != "draw" or move.what != STOCK or not seen.discard:
        return None
    card = seen.discard[-1]
    if card == WILD or _nearest(seen, card) is not None or _saved(seen, card) is not None:
        return None
    if seen.canasta and (_in_reach(seen, card) or len(runs(_hand(seen, add=card))) > len(runs(_hand(seen)))):
        return None
    return {"card": card}


def _pile_useless_run(seen: Observation, move: Move) -> Found:
    return _pile_useless(seen, move) if seen.canasta else None


def _two_unknown(seen: Observation, move: Move) -> Found:
    """The first card from the stock: the top of the pile can still be taken as the second."""
    if move.verb != "draw" or move.what != STOCK or seen.phase != FIRST or not seen.discard:
        return None
    return {}


def _discards_wild(seen: Observation, move: Move) -> Found:
    return {} if move.verb == "discard" and move.what == WILD and not ends_round(seen, move) else None


def _breaks_compound(seen: Observation, move: Move) -> Found:
    if move.verb != "discard" or ends_round(seen, move):
        return None
    before, after = _hand(seen), _hand(seen, without=(move.what,))
    broken = [one for one in seen.row if lack(one, after) > lack(one, before) <= 1]
    return {"card": move.what, "compound": broken[0]} if broken else None


def _breaks_run(seen: Observation, move: Move) -> Found:
    card = move.what
    if move.verb != "discard" or card == WILD or not seen.canasta or ends_round(seen, move):
        return None
    other = _partner(seen, card) if seen.hand.count(card) == 1 else None
    return None if other is None else {"card": card, "other": other}


def _topped(seen: Observation, move: Move) -> int | None:
    """Return the element that the next player may take after a discard or a capture, or None."""
    if seen.seats == 1 or move.verb not in ("discard", "capture") or ends_round(seen, move):
        return None
    card = move.what if move.verb == "discard" else move.cards[-1]
    return None if card == WILD else card


def _left_open(seen: Observation, move: Move) -> list[int]:
    """Return the open compounds without the one that the move captures."""
    return [one for one in seen.row if move.verb != "capture" or one != move.what]


def _completes_for_next(seen: Observation, move: Move) -> Found:
    """The next player openly got everything else that a compound needs."""
    card = _topped(seen, move)
    if card is None or seen.viewer is None:
        return None
    player = (seen.viewer + 1) % seen.seats
    before = bytearray(KINDS)
    for known in seen.known[player]:
        before[known] += 1
    after = before.copy()
    after[card] += 1
    for one in _left_open(seen, move):
        if lack(one, before) and not lack(one, after):
            return {"card": card, "compound": one, "player": player}
    return None


def _feeds_next(seen: Observation, move: Move) -> Found:
    """The next player may take the card, and open compounds need it."""
    card = _topped(seen, move)
    if card is None or seen.viewer is None or not (count := _uses(card, _left_open(seen, move))):
        return None
    return {"card": card, "player": (seen.viewer + 1) % seen.seats, "compounds": count}


def _in_reach(seen: Observation, card: int) -> bool:
    """Return whether a card lies within a run of another held one, which may join it."""
    near = range(card - RUN + 1, card + RUN)
    return seen.canasta and any(other in near for other in set(seen.hand) - {card, WILD})


def _needless(seen: Observation, move: Move) -> Found:
    card = move.what
    if move.verb != "discard" or card == WILD or _uses(card, seen.row) or _in_reach(seen, card):
        return None
    return None if ends_round(seen, move) else {"card": card}


def _needless_run(seen: Observation, move: Move) -> Found:
    """No other card fits it; two wild cards would make a run with any."""
    return _needless(seen, move) if seen.canasta and seen.hand.count(WILD) < RUN - 1 else None


def _far(seen: Observation, move: Move) -> Found:
    """More is lacking for each compound that needs the card than a turn draws."""
    card = move.what
    if move.verb != "discard" or card == WILD or _in_reach(seen, card) or ends_round(seen, move):
        return None
    hand = _hand(seen)
    short = min((lack(one, hand) for one in seen.row if _uses(card, (one,))), default=0)
    return {"card": card, "short": short} if short > NEAR else None


def _spare(seen: Observation, move: Move) -> Found:
    """Without the card no open compound is farther away, and no run is lost."""
    card = move.what
    if move.verb != "discard" or card == WILD or ends_round(seen, move):
        return None
    before, after = _hand(seen), _hand(seen, without=(card,))
    if any(lack(one, after) > lack(one, before) for one in seen.row):
        return None
    return {"card": card} if not seen.canasta or len(runs(after)) == len(runs(before)) else None


def _claims_play(seen: Observation, move: Move) -> Found:
    if move.verb != "claim" or seen.phase > PLAY:
        return None
    before, after = _hand(seen), _hand(seen, add=WILD, without=(move.what,))

    def plays(hand: bytearray) -> bool:
        return bool(runs(hand)) or any(not lack(one, hand) for one in seen.row)

    return {} if plays(after) and not plays(before) else None


def _claims_wild(_seen: Observation, move: Move) -> Found:
    return {"card": move.what} if move.verb == "claim" else None


def _top_needless(seen: Observation, move: Move) -> Found:
    card = _topped(seen, move)
    if move.verb != "capture" or card is None or _uses(card, _left_open(seen, move)):
        return None
    return {"card": card}


PATTERNS: Final = (
    MovePattern("wins", wins),
    MovePattern("ends_ahead", ends_ahead),
    MovePattern("ends_behind", ends_behind, warns=True),
    MovePattern("sheds_wild", sheds_wild),
    MovePattern("claims_late", claims_late, warns=True),
    MovePattern("claims_play", _claims_play),
    MovePattern("claim_waits", _claim_waits, warns=True),
    MovePattern("run_stays", _run_stays),
    MovePattern("tops_wild", _tops_wild, warns=True),
    MovePattern("spends_wilds", _spends_wilds, by="wilds", warns=True),
    MovePattern("claimable", _claimable, by="cards", warns=True),
    MovePattern("captures", _captures),
    MovePattern("lays_run", _lays_run),
    MovePattern("spares_wild", _spares_wild),
    MovePattern("takes_wild", _takes_wild),
    MovePattern("completes", _completes),
    MovePattern("completes_run", _completes_run),
    MovePattern("saves_wild", _saves_wild),
    MovePattern("discards_wild", _discards_wild, warns=True),
    MovePattern("breaks_compound", _breaks_compound, warns=True),
    MovePattern("breaks_run", _breaks_run, warns=True),
    MovePattern("completes_for_next", _completes_for_next, warns=True),
    MovePattern("nearer", _nearer, by="near"),
    MovePattern("joins_run", _joins_run),
    MovePattern("pile_useless_run", _pile_useless_run),
    MovePattern("pile_useless", _pile_useless),
    MovePattern("needless_run", _needless_run),
    MovePattern("needless", _needless),
    MovePattern("feeds_next", _feeds_next, by="compounds", warns=True),
    MovePattern("spare", _spare),
    MovePattern("far", _far),
    MovePattern("claims_wild", _claims_wild),
    MovePattern("top_needless", _top_needless),
    MovePattern("two_unknown", _two_unknown),
)


def happenings(events: Sequence[Event], seat: Seat) -> Iterator[Happening]:
    """Yield the captures and runs that follow a decision; the decision itself is the first event."""
    for event in events[1:]:
        if event.kind == "capture":
            if event.seat == seat:
                yield Happening("capture_follows", int(str(event.facts["compound"])))
            else:
                yield Happening("capture_of_others", good=False)
        elif event.kind == "run":
            yield Happening("run_follows" if event.seat == seat else "run_of_others", good=event.seat == seat)
