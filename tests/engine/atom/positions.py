"""Short ways to write cards and to arrange a position."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from engine.atom import GAME
from engine.atom.cards import CARDS, SLOTS
from engine.atom.cards import by_rank as counted
from engine.atom.moves import PASS, Move
from engine.atom.plays import Rung, rung, shape
from engine.atom.position import PLAYING
from engine.atom.sides import teams_of
from engine.atom.state import AtomState
from engine.playing_cards import CODES, RANK_LABELS

_SPECIAL = {"BJ": 52, "RJ": 53}


def card(text: str) -> int:
    """`7D`, `10S`, `RJ`."""
    if text in _SPECIAL:
        return _SPECIAL[text]
    return 4 * RANK_LABELS.index(text[:-1]) + "CDHS".index(text[-1])


def cards(text: str) -> tuple[int, ...]:
    return tuple(sorted(map(card, text.split())))


def names(of: Sequence[int]) -> str:
    return " ".join(
        "BJ" if c == 52 else "RJ" if c == 53 else RANK_LABELS[c >> 2] + CODES[c][1].upper() for c in of
    )


def rank(label: str) -> int:
    return RANK_LABELS.index(label)


def stand(text: str, blade: str = "7", packs: int = 3) -> Rung:
    play = shape(cards(text), packs)
    assert play is not None
    return rung(play, rank(blade))


def lay(text: str) -> Move:
    return Move("play", cards(text)) if text != "pass" else PASS


def arrange(
    *hands: str,
    blade: str = "7",
    leader: int = 0,
    game: int = 1,
    captured: Sequence[int] = (),
    caller: int = 0,
    called: str = "",
    jokers: str = "lowest",
    gone: Sequence[str] = (),
) -> AtomState:
    """A position at a free lead with these hands; all other cards were played, `gone[seat]` by seat, the
    rest by seat 0."""
    seats = len(hands)
    state = GAME.deal(GAME.setup(seats, bytes(32), jokers=jokers))
    state.begin()
    state.events = []
    state.game = game
    state.set_blade(rank(blade))
    state.turned = 4 * state.blade
    unseen = [state.packs] * CARDS
    state.hands, state.left = [], []
    state.laid = [[0] * SLOTS for _ in range(seats)]
    for text in hands:
        held = cards(text)
        for c in held:
            unseen[c] -= 1
        state.hands.append(slotted(state, held))
        state.left.append(len(held))
    for seat, text in enumerate(gone):
        for c in cards(text):
            unseen[c] -= 1
            state.laid[seat][state.slots[c >> 2]] += 1 << 4 * (c & 3)
    for c, many in enumerate(unseen):
        assert many >= 0, f"too many of card {c}"
        state.laid[0][state.slots[c >> 2]] += many << 4 * (c & 3)
    state.captured = list(captured) or [0] * seats
    state.leader = state.turn = leader
    state.receiver = caller if seats == 5 else leader
    state.phase = PLAYING
    if seats == 5:
        state.called = card(called or "AS")
        dealt = [
            laid + (state.hands[seat][state.slots[state.called >> 2]] >> 4 * (state.called & 3) & 15)
            for seat, laid in enumerate(state.copies_laid(state.called))
        ]
        state.teams = teams_of(caller, dealt)
    state.forget_offers()
    return state


def slotted(state: AtomState, held: Sequence[int]) -> list[int]:
    row = [0] * SLOTS
    for of_rank, packed in enumerate(counted(held)):
        row[state.slots[of_rank]] = packed
    return row


def play(state: AtomState, *words: str) -> AtomState:
    """Carry out plays (`7S 7S`), `pass`, or `call AS` of whoever is in turn."""
    for word in words:
        move = Move("call", (card(word[5:]),)) if word.startswith("call ") else lay(word)
        state.apply(state.to_act()[0], move)
    return state


def legal(state: AtomState) -> set[str]:
    """What the seat in turn is offered, as text."""
    moves = state.legal_actions(state.turn)
    return {names(move.cards) if move.verb == "play" else move.verb for move in moves}


def kinds(state: AtomState) -> list[str]:
    return [event.kind for event in state.events or ()]


def early(hand: str, *acts: str, blade: str, leader: int, gone: Sequence[str], seed: int = 0) -> AtomState:
    """A trick early in a game of four, when `acts` are done and the next seat decides with this hand.

    `gone` are the cards of earlier tricks, by seat. The others hold the rest of the packs, dealt by `seed`.
    """
    seat = (leader + len(acts)) % 4
    sizes = [41 - (step >= 2) - len(gone[step].split()) for step in range(4)]
    own = [""] * 4
    own[seat] = hand
    for step, act in enumerate(acts):
        own[(leader + step) % 4] += f" {act}" if act != "pass" else ""
    rest = Counter(dict.fromkeys(range(CARDS), 3))
    for text in (*own, *gone):
        rest.subtract(cards(text))
    pool = sorted(rest.elements())
    random.Random(seed).shuffle(pool)
    for other in range(4):
        if other != seat:
            more = sizes[other] - len(cards(own[other]))
            own[other] += " " + names(pool[:more])
            del pool[:more]
    return play(arrange(*own, blade=blade, leader=leader, gone=gone), *acts)
