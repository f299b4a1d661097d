"""The effects of effectors: a table of plain functions, and the answers to the choices they ask for.

Source: docs/rules/molecular.md, section 5. An instant either takes effect at once or leaves a `pending`
choice for the seat whose turn it is (Conference: for everyone holding a card). One that can do nothing is
discarded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from engine.game import Event, Seat
from engine.molecular import menu, plays
from engine.molecular.board import Board, place_of
from engine.molecular.cards import (
    EFFECTOR,
    ELEMENT,
    GROUPS,
    REAGENTS,
    SHAPE_KIND,
)
from engine.molecular.hidden_pieces import kind_of
from engine.molecular.moves import CLEARS, GIVES, POACHES, RIVALS, SKIP, Move
from engine.molecular.observation import Pending
from engine.molecular.position import Position

GRANT = 2
DELIVERY = 2
NOBODY = -2
"""Stands for several seats when pieces from all hands are mixed back into a pile at once."""


def explosive(board: Board) -> list[int]:
    """Return the hydrogen end tiles bonded to oxygen."""
    found = []
    for cell in board.ends():
        (_, near) = board.bonds[cell][0]
        if _element(board, cell) == "H" and _element(board, near) == "O":
            found.append(cell)
    return found


def _element(board: Board, cell: int) -> str:
    return ELEMENT[SHAPE_KIND[board.tiles[cell]]]


def victims(state: Position, seat: Seat) -> list[Seat]:
    """Return the other players who hold a group card."""
    return [other for other in range(state.seats) if other != seat and state.cards.held[other]]


def _grant(state: Position, seat: Seat) -> None:
    state.scores[seat] += GRANT
    state.tell("grant", seat, points=GRANT)


def _delivery(state: Position, seat: Seat) -> None:
    plays.draw_tiles(state, seat, DELIVERY)


def _spill(state: Position, _seat: Seat) -> None:
    if state.board.ends():
        state.pending = Pending("spill", EFFECTOR["spill"])


def _contamination(state: Position, seat: Seat) -> None:
    tiles = state.tiles
    pieces = [piece for held in tiles.held for piece in held]
    tiles.held = [[] for _ in range(state.seats)]
    tiles.mix_in(NOBODY, pieces, state.mixer("tiles"))
    size = state.pool_size()
    order = [(seat + step) % state.seats for step in range(state.seats)]
    drawn: list[list[int]] = [[] for _ in order]
    for _ in range(size):
        for other in order:
            if tiles.pile:
                drawn[other].append(tiles.draw(other))
    state.tell("contamination", seat, tiles=len(pieces))
    if state.events is not None:
        for other in order:
            state.events.append(_drew(other, "tiles", drawn[other]))


def _drew(seat: Seat, what: str, kinds: list[int]) -> Event:
    return Event("drew", seat, {"what": what, "count": len(kinds)}, {"kinds": kinds}, (seat,))


def _conference(state: Position, _seat: Seat) -> None:
    if state.seats > 1 and any(state.cards.held):
        state.pending = Pending("give", EFFECTOR["conference"])
        state.gifts = [-1] * state.seats


def _erratum(state: Position, _seat: Seat) -> None:
    if any(state.counters):
        state.pending = Pending("clear", EFFECTOR["erratum"])


def _rival(state: Position, _seat: Seat) -> None:
    state.pending = Pending("rival", EFFECTOR["rival"])


def _serendipity(state: Position, seat: Seat) -> None:
    # the question is always asked, because whether one of the tiles fits is the player's secret
    if state.tiles.held[seat]:
        state.pending = Pending("tile", EFFECTOR["serendipity"])


def _publication(state: Position, seat: Seat) -> None:
    if state.cards.held[seat]:
        state.pending = Pending("group", EFFECTOR["publication"])


def _explosion(state: Position, seat: Seat) -> None:
    cells = explosive(state.board)
    if cells:
        plays.lift(state, cells)
        state.tell("explosion", seat, cells=[list(place_of(cell)) for cell in cells])


def _alarm(state: Position, seat: Seat) -> None:
    state.tell("alarm", seat, lost=state.actions)
    state.actions = 0
    state.tiled = True  # the free tile is lost too


def _poach(state: Position, seat: Seat) -> None:
    if victims(state, seat):
        state.pending = Pending("poach", EFFECTOR["poach"])


INSTANTS: Mapping[int, Callable[[Position, Seat], None]] = {
    EFFECTOR[name]: function
    for name, function in (
        ("grant", _grant),
        ("delivery", _delivery),
        ("spill", _spill),
        ("contamination", _contamination),
        ("conference", _conference),
        ("erratum", _erratum),
        ("rival", _rival),
        ("serendipity", _serendipity),
        ("publication", _publication),
        ("explosion", _explosion),
        ("alarm", _alarm),
        ("poach", _poach),
    )
}
"""The effect of each instant effector."""


def reveal(state: Position, seat: Seat) -> None:
    """Reveal the top effector and apply it. An empty deck is first rebuilt from the discard pile."""
    if not state.effectors:
        state.effectors = state.mixer("effectors")(sorted(state.used_effectors))
        state.used_effectors = []
        state.tell("effectors_shuffled", -1, count=len(state.effectors))
    card = state.effectors.pop()
    work = INSTANTS.get(card)
    gone: list[int] = []
    before = state.pending
    if state.events is not None:
        state.tell("reveal", seat, card=card)
    if work is not None:
        state.used_effectors.append(card)
        at = len(state.events) if state.events is not None else 0
        work(state, seat)
        if state.events is not None and len(state.events) == at and state.pending is before:
            state.tell("nothing", seat, card=card)
        return
    if card in REAGENTS:
        if state.reagent >= 0:
            gone.append(state.reagent)
        state.reagent = card
    else:
        state.actives.append(card)
        if 0 < state.most_actives < len(state.actives):
            gone.append(state.actives.pop(0))
    state.used_effectors += gone
    state.tell("active", seat, card=card, gone=gone)


# choices that instants ask for


def options(state: Position, seat: Seat, pending: Pending) -> Sequence[Move]:
    """Return all answers to the pending choice, in a fixed order."""
    verb = pending.verb
    if verb == "tile":
        return [*menu.tiles(state.board, set(state.tiles.kinds(seat))), SKIP]
    if verb == "group":
        return [*state.group_plays(seat), SKIP]
    if verb == "spill":
        return [Move("spill", -1, *place_of(cell)) for cell in state.board.ends()]
    if verb == "clear":
        return [CLEARS[group] for group in range(GROUPS) if state.counters[group]]
    if verb == "rival":
        return [RIVALS[group] for group in range(GROUPS) if group != pending.chosen]
    if verb == "poach":
        return [POACHES[other] for other in victims(state, seat)]
    return [GIVES[group] for group in sorted(set(state.cards.kinds(seat)))]


def answer(state: Position, seat: Seat, move: Move, pending: Pending) -> None:
    """Carry out an answer. Afterwards `state.pending` says whether another one is needed."""
    state.pending = None
    verb = move.verb
    if verb == "tile":
        plays.play_tile(state, seat, move, free=True)
    elif verb == "group":
        plays.play_group(state, seat, move.what)
    elif verb == "skip":
        state.tell("skip", seat, card=pending.card)
    elif verb == "spill":
        cell = state.cell(move)
        kind = SHAPE_KIND[state.board.tiles[cell]]
        plays.lift(state, [cell])
        state.tell("spill", seat, q=move.q, r=move.r, kind=kind)
    elif verb == "clear":
        state.tell("clear", seat, group=move.what, counters=state.counters[move.what])
        state.counters[move.what] = 0
    elif verb == "rival":
        state.counters[move.what] += 1
        state.tell("rival", seat, group=move.what, counters=state.counters[move.what])
        if pending.chosen < 0:
            state.pending = Pending("rival", pending.card, move.what)
    elif verb == "poach":
        _take(state, seat, move.what, pending)
    elif pending.card == EFFECTOR["poach"]:
        _give_back(state, seat, move.what, pending.chosen)
    else:
        _give(state, seat, move.what, pending)


def _take(state: Position, seat: Seat, other: Seat, pending: Pending) -> None:
    """Take a random card from another player's hand."""
    held = state.cards.held[other]
    piece = held.pop(state.chance(len(held)))
    state.cards.hand_over(piece, other, seat)
    if state.events is not None:
        secret = {"group": kind_of(piece)}
        state.events.append(Event("poach", seat, {"other": other}, secret, (seat, other)))
    state.pending = Pending("give", pending.card, other)


def _give_back(state: Position, seat: Seat, group: int, other: Seat) -> None:
    piece = state.cards.take(seat, group, state.chance)
    state.cards.hand_over(piece, seat, other)
    if state.events is not None:
        state.events.append(Event("gave_back", seat, {"other": other}, {"group": group}, (seat, other)))


def _give(state: Position, seat: Seat, group: int, pending: Pending) -> None:
    """Choose a card for a Conference; the cards change hands once everyone has chosen."""
    state.gifts[seat] = group
    if any(gift < 0 and state.cards.held[other] for other, gift in enumerate(state.gifts)):
        state.pending = pending
        return
    cards = state.cards
    taken = [
        (giver, cards.take(giver, gift, state.chance)) for giver, gift in enumerate(state.gifts) if gift >= 0
    ]
    state.gifts = []
    for giver, piece in taken:
        left = (giver + 1) % state.seats
        cards.hand_over(piece, giver, left)
        if state.events is not None:
            secret = {"group": kind_of(piece)}
            state.events.append(Event("gave", giver, {"other": left}, secret, (giver, left)))
