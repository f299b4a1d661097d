"""Short ways to lay a hand and to arrange a position."""

from __future__ import annotations

from engine.atom_duel import GAME
from engine.atom_duel.cards import UNIQUE_LEVEL, table
from engine.atom_duel.evaluate import EvaluationLine, Played, Result, evaluate, explain
from engine.atom_duel.moves import EVERY, Move
from engine.atom_duel.rounds import finish_round
from engine.atom_duel.state import AtomDuelState
from engine.elements import BY_SYMBOL


def z(symbol: str) -> int:
    return BY_SYMBOL[symbol].z


def lay(text: str, level: int = 7, gold_immune_from: int = UNIQUE_LEVEL) -> list[Played]:
    """A hand in play order: `Fe/magnet` announces, `Au+5` has Zinc's bonus, `Fr!` comes too late."""
    plays, rules = list[Played](), table(level, gold_immune_from)
    for seat, word in enumerate(text.split()):
        dead, plus = word.endswith("!"), word.endswith("+5")
        name, _, power = word.removesuffix("!").removesuffix("+5").partition("/")
        card = z(name)
        number, bits, used = rules.played(card, power, first_hand=not dead, zinc=plus)
        plays.append((number, card, seat, bits, used))
    return plays


def result(
    text: str, level: int = 7, seats: int = 0, count: int = 0, gold_immune_from: int = UNIQUE_LEVEL
) -> Result:
    plays = lay(text, level, gold_immune_from)
    return evaluate(plays, seats or max(len(plays), 3), count)


def won(text: str, level: int = 7, seats: int = 0, gold_immune_from: int = UNIQUE_LEVEL) -> tuple[str, float]:
    """The letter of the winner (A plays first) and the value that wins."""
    end = result(text, level, seats, gold_immune_from=gold_immune_from)
    return "ABCDE"[end.winner], end.values[end.winner] / 2


def told(text: str, level: int = 7, seats: int = 0) -> list[EvaluationLine]:
    plays = lay(text, level)
    return explain(plays, seats or max(len(plays), 3))


def arrange(
    *rows: str,
    level: int = 7,
    rounds: int = 2,
    round_: int = 1,
    leader: int = 0,
    events: bool = True,
    version: int = GAME.version,
) -> AtomDuelState:
    """A position at the start of a hand with these rows; `.` is an empty slot."""
    game = GAME.at(version)
    state = game.deal(game.setup(len(rows), bytes(32), level=level, rounds=rounds))
    assert isinstance(state, AtomDuelState)
    while state.round < round_:
        finish_round(state)
    cards = [[0 if word == "." else z(word) for word in row.split()] for row in rows]
    state.rows = [row + [0] * (state.hand_size - len(row)) for row in cards]
    state.counts = [sum(card > 0 for card in row) for row in state.rows]
    held = {card for row in cards for card in row if card}
    rest = [card for card in range(1, 119) if card not in held]
    empty = len(rows) * state.hand_size - len(held)
    gone = empty + (round_ - 1) * len(rows) * state.hand_size
    state.gone = rest[len(rest) - gone :] if gone else []
    deck = rest[: len(rest) - gone]
    state.deck = deck
    state.leader = state.turn = leader
    state.events = [] if events else None
    return state


def play(state: AtomDuelState, *words: str) -> None:
    """Carry out moves of whoever is in turn: `Fe/magnet`, or a verb as in `aim:1.0`, `trade:2`, `flip:3`."""
    for word in words:
        state.apply(state.to_act()[0], move(word))


def move(word: str) -> Move:
    verb, colon, rest = word.partition(":")
    if not colon:
        name, _, power = word.partition("/")
        return Move("keep") if name == "keep" else EVERY[Move("play", z(name), power=power)]
    if verb in ("aim", "reveal", "peek"):
        seat, _, slot = rest.partition(".")
        return EVERY[Move(verb, seat=int(seat), slot=int(slot))]
    if verb == "trade":
        return EVERY[Move(verb, seat=int(rest))]
    if verb == "announce":
        return EVERY[Move(verb, power=rest)]
    if rest.isdigit():
        return EVERY[Move(verb, slot=int(rest))]
    name, _, power = rest.partition("/")
    return EVERY[Move(verb, z(name), power=power)]


def seal(state: AtomDuelState, *rows: str) -> None:
    """Order the rows of the last round: each row a line of cards with their announcements."""
    for seat, row in enumerate(rows):
        for word in row.split():
            state.apply(seat, move(f"seal:{word}"))


def kinds(state: AtomDuelState) -> list[str]:
    return [event.kind for event in state.events or ()]
