"""Positions of Compound Capture and Chemistry Canasta, written as cards: "H H O *" (a star is a wild)."""

from __future__ import annotations

from collections import Counter

from engine.chemistry import canasta, capture
from engine.chemistry.deck import BY_FORMULA, KINDS, WILD, compounds, draw_cards
from engine.chemistry.moves import Move
from engine.chemistry.moves import capture as capturing
from engine.chemistry.moves import run as running
from engine.chemistry.observation import HAND, PLAY
from engine.chemistry.state import CollectState
from engine.elements import BY_SYMBOL

KEY = bytes(32)


def card(text: str) -> int:
    return WILD if text == "*" else BY_SYMBOL[text].z


def cards(text: str) -> list[int]:
    return [card(word) for word in text.split()]


def dealt(*, is_canasta: bool = False, seats: int = 2, decks: str = "both", rounds: int = 10) -> CollectState:
    game = canasta.GAME if is_canasta else capture.GAME
    return game.deal(game.setup(seats, KEY, decks=decks, rounds=rounds))


def arrange(
    *hands: str,
    row: str = "H2O CO2 HF SO2 NaCl MgO",
    pile: str = "Cl",
    stock: str = "O O O O O O",
    is_canasta: bool = False,
    decks: str = "both",
    rounds: int = 10,
    phase: int = PLAY,
) -> CollectState:
    """A position with these cards, seat 0 to act. Cards that are named nowhere are out of the game, so
    neither sampling nor the census make sense on it."""
    state = dealt(is_canasta=is_canasta, seats=len(hands), decks=decks, rounds=rounds)
    state.hands = []
    for hand in hands:
        held = bytearray(KINDS)
        for kind in cards(hand):
            held[kind] += 1
        state.hands.append(held)
    state.sizes = [sum(hand) for hand in state.hands]
    state.row = [BY_FORMULA[formula] for formula in row.split()]
    rest = [number for number in compounds(decks) if number not in state.row]
    state.stack, state.up = [*state.row, *rest], len(state.row)
    state.total = len(state.stack)
    state.discard = cards(pile)
    # what was dealt lies before the stock, as far as observations ask for it
    state.at = HAND * len(hands) + 1
    state.order = [WILD] * state.at + cards(stock)
    state.orders = [state.order]
    state.phase, state.turn, state.dry, state.took = phase, 0, 0, False
    state.dealer = len(hands) - 1
    return state


def natural(*, is_canasta: bool = False, decks: str = "both", hands: tuple[str, ...]) -> CollectState:
    """A freshly dealt round in which these seats hold these cards; census and history fit."""
    state = dealt(is_canasta=is_canasta, seats=len(hands), decks=decks)
    deck = Counter(draw_cards(decks, basic=is_canasta))
    order: list[int] = []
    for hand in hands:
        assert len(cards(hand)) == HAND
        order += cards(hand)
    deck.subtract(order)
    assert min(deck.values()) >= 0
    order += sorted(deck.elements())
    state.order = order
    state.orders = [order]
    state.at = len(hands) * HAND + 1
    state.discard = [order[state.at - 1]]
    state.hands = []
    for seat in range(len(hands)):
        held = bytearray(KINDS)
        for kind in order[seat * HAND : (seat + 1) * HAND]:
            held[kind] += 1
        state.hands.append(held)
    return state


def take(formula: str, text: str) -> Move:
    return capturing(BY_FORMULA[formula], tuple(cards(text)))


def lay(start: int, text: str) -> Move:
    first, second, third = cards(text)
    return running(start, (first, second, third))


def discard(text: str) -> Move:
    return Move("discard", card(text))


def hand(state: CollectState, seat: int = 0) -> dict[str, int]:
    """The cards of a seat by symbol."""
    symbols = {WILD: "*", **{element.z: symbol for symbol, element in BY_SYMBOL.items()}}
    return {symbols[kind]: count for kind, count in enumerate(state.hands[seat]) if count}
