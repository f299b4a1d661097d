"""Reading and writing a whole position as one line of text: docs/duel52-notation.md.

    standard A3 8s1,(2h)|[Kd]|-/9c|-|[4d] hands=5s/6h pile=Ah

The memory of the last attack is left out; it matters only for "Why?".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine.duel52 import victory
from engine.duel52.cards import LONE, POINTS, VARIANTS
from engine.duel52.marks import BOTH, DISCARDED, EXTRA, FROZEN, KILLED, LOCKED, NEITHER, SHOWN, SPENT, UP
from engine.duel52.observation import Pending
from engine.duel52.state import DuelState
from engine.playing_cards import CODES, DECK52, RANK_CODES, SUIT_CODES

_CARD: Final = f"[{RANK_CODES[:-1]}][{SUIT_CODES}]"
_UNIT: Final = re.compile(
    rf"(?:(?P<up>{_CARD})|\((?P<down>{_CARD})\)|\[(?P<base>{_CARD})\])"
    r"(?P<damage>[1-9]?)(?P<marks>[*!+]*)(?:=(?P<pair>[a-z]))?(?:@(?P<known>-|[A-D]+))?(?:#(?P<unit>\d{1,2}))?"
)
_GONE: Final = re.compile(
    rf"(?:(?P<up>{_CARD})|\((?P<killed>{_CARD})\)|\{{(?P<thrown>{_CARD})\}})(?:@(?P<known>-|[A-D]+))?"
)
_ASK: Final = re.compile(
    r"(look|move|order|discard|open|bet)(?::(\d{1,2}))?(?::(\d{1,2}(?:,\d{1,2})*)|:([2-9TJQKA][cdhs]))?"
)
_MARKS: Final = (("*", FROZEN), ("!", SPENT), ("+", EXTRA))
_LETTERS: Final = "ABCD"
_HOLDERS: Final = {0: "A", 1: "B", BOTH: "-", NEITHER: "x"}
"""Letters of the holders of a lane."""
_FIELDS: Final = (
    "hands",
    "pile",
    "aside",
    "gone",
    "first",
    "turns",
    "quiet",
    "laid",
    "bet",
    "ask",
    "point",
    "held",
    "out",
    "over",
)


class BadNotation(ValueError):
    """A text that is not a valid position; `column` (from 1) is the place of the error."""

    def __init__(self, problem: str, column: int) -> None:
        super().__init__(f"column {column}: {problem}")
        self.problem = problem
        self.column = column


def write(state: DuelState) -> str:
    """Return the position as text, omitting fields that equal their defaults."""
    seats = range(state.seats)
    words = [state.variant.key + ("+v" if state.vampiric and state.variant.key != "solo" else "")]
    words.append(f"{_LETTERS[state.turn]}{state.actions}")
    words.append(_rows(state))
    fields: dict[str, str] = {}
    if any(state.hands):
        fields["hands"] = "/".join(_cards(hand) for hand in state.hands)
    if state.pile:
        fields["pile"] = _cards(state.pile)
    if state.aside:
        fields["aside"] = _cards(state.aside)
    if state.gone:
        fields["gone"] = ",".join(_gone(*entry) for entry in state.gone)
    if state.first:
        fields["first"] = _LETTERS[state.first]
    if state.turns != state.seats + 1:
        fields["turns"] = str(state.turns)
    if state.quiet:
        fields["quiet"] = str(state.quiet)
    if len(state.card) != sum(map(len, state.rows)):
        fields["laid"] = str(len(state.card))
    if state.bet >= 0:
        fields["bet"] = _LETTERS[state.bet]
    if state.asks:
        fields["ask"] = ";".join(_ask(ask) for ask in state.asks)
        if state.drawn >= 0:
            fields["ask"] += ":" + CODES[state.drawn]
    if state.glimpse >= 0:
        fields["point"] = str(state.glimpse) + _LETTERS[state.pointer]
    if state.held != _usual_holders(state):
        fields["held"] = "".join(_HOLDERS[side] for side in state.held) or "none"
    if state.outs:
        fields["out"] = ";".join("".join(_LETTERS[seat] for seat in group) for group in state.outs)
    if state.ranks:
        fields["over"] = state.reason + ":" + ",".join(str(state.ranks[seat]) for seat in seats)
    return " ".join([*words, *(f"{name}={fields[name]}" for name in _FIELDS if name in fields)])


def _cards(cards: Sequence[int]) -> str:
    return "".join(CODES[card] for card in cards) or "-"


def _knowers(known: int) -> str:
    return "@" + ("".join(letter for seat, letter in enumerate(_LETTERS) if known >> seat & 1) or "-")


def _usual(state: DuelState, side: int, flag: int) -> int:
    """Return the default mask of seats that know a back.

    These are the seats that see what its player sees; for bases and in teams there are none.
    """
    return 0 if flag & (UP | LOCKED) or state.variant.key == "teams" else state.knowers(side)


def _usual_holders(state: DuelState) -> list[int]:
    """Return the default holder of each lane: the side alone in it once the draw pile is empty."""
    if state.sides > 2:
        return []
    return [BOTH] * state.lanes if state.pile else victory.alone(state)


def _rows(state: DuelState) -> str:
    sides, number, pairs = [], 0, 0
    letters: dict[int, str] = {}
    for side in range(state.sides):
        lanes = []
        for row in state.rows[side * state.lanes : (side + 1) * state.lanes]:
            units = []
            for unit in row:
                mate = state.mate[unit]
                if mate >= 0 and unit not in letters:
                    letters[unit] = letters[mate] = chr(ord("a") + pairs)
                    pairs += 1
                units.append(_unit(state, unit, side, letters.get(unit, "")))
                if unit != number:
                    units[-1] += f"#{unit}"
                number += 1
            lanes.append(",".join(units) or "-")
        sides.append("|".join(lanes))
    return "/".join(sides)


def _unit(state: DuelState, unit: int, side: int, pair: str) -> str:
    flag, code = state.flags[unit], CODES[state.card[unit]]
    locked = bool(flag & LOCKED)
    text = code if flag & UP else f"[{code}]" if locked else f"({code})"
    if state.damage[unit]:
        text += str(state.damage[unit])
    text += "".join(mark for mark, bit in _MARKS if flag & bit)
    if pair:
        text += f"={pair}"
    if state.known[unit] != _usual(state, side, flag):
        text += _knowers(state.known[unit])
    return text


def _gone(card: int, way: int, known: int) -> str:
    code = CODES[card]
    if way == SHOWN:
        return code
    return (f"({code})" if way == KILLED else f"{{{code}}}") + _knowers(known)


def _ask(ask: Pending) -> str:
    text = ask.verb
    if ask.unit >= 0:
        text += f":{ask.unit}"
    return text + (":" + ",".join(map(str, ask.rest)) if ask.rest else "")


def read(text: str) -> DuelState:
    """Return the position of a text. Cards it does not name are nowhere, so a test needs no full deck.

    Raises:
        BadNotation: names the column, counted from 1, and the problem.
    """
    return _Reader(text).state


class _Reader:
    """A parser of one text, from left to right."""

    def __init__(self, text: str) -> None:
        self.seen: dict[int, int] = {}
        self.drawn = ("", 0)
        words = [(match.group(), match.start() + 1) for match in re.finditer(r"\S+", text)]
        if len(words) < 3:
            raise BadNotation("a position has at least variant, turn and rows", len(text) + 1)
        (name, at), turn, rows = words[0], words[1], words[2]
        key, _, mark = name.partition("+")
        if key not in VARIANTS:
            raise BadNotation(f"no variant is called {key!r}", at)
        if name != key and mark != "v":
            raise BadNotation("after + stands v, for Vampiric, or nothing", at + len(key) + 1)
        self.state = state = DuelState(VARIANTS[key], vampiric=bool(mark))
        state.turns = state.seats + 1
        self._turn(*turn)
        fields: dict[str, tuple[str, int]] = {}
        for word, start in words[3:]:
            label, sign, value = word.partition("=")
            if label not in _FIELDS or not sign:
                raise BadNotation(f"no field is called {label!r}", start)
            if label in fields:
                raise BadNotation(f"{label} stands there twice", start)
            if not value:
                raise BadNotation(f"{label} says nothing", start + len(label) + 1)
            fields[label] = (value, start + len(label) + 1)
        piles = {name: tuple(self._cards(*fields[name])) for name in ("pile", "aside") if name in fields}
        state.pile, state.aside = piles.get("pile", ()), piles.get("aside", ())
        self._rows(*rows, *fields.get("laid", ("", 0)))
        state.held = _usual_holders(state)
        for label, (value, start) in fields.items():
            if label not in ("pile", "aside", "laid"):
                getattr(self, f"_{label}")(value, start)
        self._draw(*self.drawn)
        state.derive()

    def _draw(self, code: str, at: int) -> None:
        """Set the card that a 2 has just drawn: it must be in the hand that drew it."""
        if not code:
            return
        state, card = self.state, CODES.index(code)
        if card not in state.hands[state.turn]:
            raise BadNotation(f"{code} is not in the hand that drew it", at)
        state.drawn = card

    def _seat(self, letter: str, at: int) -> int:
        seat = _LETTERS.find(letter) if letter else -1
        if not 0 <= seat < self.state.seats:
            raise BadNotation(f"{letter!r} is no seat of this variant", at)
        return seat

    def _count(self, text: str, at: int, most: int) -> int:
        if not text.isdecimal() or int(text) > most:
            raise BadNotation(f"{text!r} is no number up to {most}", at)
        return int(text)

    def _turn(self, text: str, at: int) -> None:
        self.state.turn = self._seat(text[0], at)
        self.state.actions = self._count(text[1:], at + 1, 99)

    def _card(self, code: str, at: int) -> int:
        if code not in CODES or (card := CODES.index(code)) not in DECK52:
            raise BadNotation(f"{code!r} is no card", at)
        if card in self.seen:
            raise BadNotation(f"{code} stands already at column {self.seen[card]}", at)
        self.seen[card] = at
        return card

    def _cards(self, text: str, at: int) -> list[int]:
        if text == "-":
            return []
        if len(text) % 2:
            raise BadNotation("cards are written with two signs each", at + len(text) - 1)
        return [self._card(text[i : i + 2], at + i) for i in range(0, len(text), 2)]

    def _known(self, text: str | None, usual: int, at: int) -> int:
        if text is None:
            return usual
        known = 0
        for letter in text.replace("-", ""):
            known |= 1 << self._seat(letter, at)
        return known

    def _rows(self, text: str, at: int, laid: str, laid_at: int) -> None:
        state = self.state
        sides = text.split("/")
        if len(sides) != state.sides:
            raise BadNotation(f"{len(sides)} sides, {state.sides} are needed", at)
        found: list[tuple[int, re.Match[str], int]] = []
        for side, part in enumerate(sides):
            lanes = part.split("|")
            if len(lanes) != state.lanes:
                raise BadNotation(f"side {_LETTERS[side]} has {len(lanes)} lanes, not {state.lanes}", at)
            for lane, row in enumerate(lanes):
                place = side * state.lanes + lane
                for word in row.split(",") if row != "-" else ():
                    match = _UNIT.fullmatch(word)
                    if match is None:
                        raise BadNotation(f"{word!r} is no card on the table", at)
                    found.append((place, match, at))
                    at += len(word) + 1
                at += 2 if row == "-" else 0
        most = max(
            [number for number, (_, m, _) in enumerate(found)]
            + [int(m["unit"] or 0) for _, m, _ in found]
            + [-1]
        )
        total = self._count(laid, laid_at, 52) if laid else max(most + 1, len(found)) if found else 0
        if total < most + 1 and found:
            raise BadNotation(f"the numbers of the cards go up to {most}", laid_at)
        for values in (state.card, state.flags, state.damage, state.known):
            values.extend([0] * total)
        for values in (state.mate, state.place):
            values.extend([-1] * total)
        pairs: dict[str, int] = {}
        for number, (place, match, column) in enumerate(found):
            unit = int(match["unit"]) if match["unit"] else number
            if state.place[unit] >= 0:
                raise BadNotation(f"two cards have the number {unit}", column)
            self._unit(unit, place, match, column)
            letter = match["pair"]
            if letter:
                self._pair(unit, pairs, letter, column)
        if lonely := [letter for letter, unit in pairs.items() if state.mate[unit] < 0]:
            raise BadNotation(f"the pair {lonely[0]} has one card", _column(found, pairs[lonely[0]]))

    def _unit(self, unit: int, place: int, match: re.Match[str], at: int) -> None:
        state = self.state
        locked = match["base"] is not None
        code = match["up"] or match["down"] or match["base"]
        card = self._card(code, at + (match["up"] is None))
        flag = UP if match["up"] else LOCKED if locked else 0
        for mark, bit in _MARKS:
            if mark in match["marks"]:
                flag |= bit
        if locked and not state.pile:
            raise BadNotation("no base is locked when the draw pile is empty", at)
        if not flag & UP and flag & (SPENT | EXTRA):
            raise BadNotation("a face-down card has no attacks to count", at)
        damage = int(match["damage"] or 0)
        if damage >= (POINTS[card >> 2] if flag & UP else LONE):
            raise BadNotation(f"{code} would be dead with {damage} damage", at)
        state.card[unit] = card
        state.flags[unit] = flag
        state.damage[unit] = damage
        state.place[unit] = place
        usual = _usual(state, place // state.lanes, flag)
        state.known[unit] = self._known(match["known"], usual, at)
        state.rows[place].append(unit)

    def _pair(self, unit: int, pairs: dict[str, int], letter: str, at: int) -> None:
        state = self.state
        if letter not in pairs:
            pairs[letter] = unit
            return
        mate = pairs[letter]
        alike = state.card[mate] >> 2 == state.card[unit] >> 2 and state.place[mate] == state.place[unit]
        if state.mate[mate] >= 0 or not alike or not state.flags[mate] & state.flags[unit] & UP:
            raise BadNotation("a pair is two face-up cards of one rank in one lane", at)
        state.mate[unit], state.mate[mate] = mate, unit

    def _hands(self, text: str, at: int) -> None:
        hands = text.split("/")
        if len(hands) != self.state.seats:
            raise BadNotation(f"{len(hands)} hands, {self.state.seats} are needed", at)
        for seat, hand in enumerate(hands):
            self.state.hands[seat] = sorted(self._cards(hand, at))
            at += len(hand) + 1

    def _gone(self, text: str, at: int) -> None:
        for word in text.split(","):
            match = _GONE.fullmatch(word)
            if match is None:
                raise BadNotation(f"{word!r} is no card of the discard pile", at)
            way = SHOWN if match["up"] else KILLED if match["killed"] else DISCARDED
            code = match["up"] or match["killed"] or match["thrown"]
            card = self._card(code, at + (way != SHOWN))
            self.state.gone.append((card, way, self._known(match["known"], 0, at)))
            at += len(word) + 1

    def _first(self, text: str, at: int) -> None:
        self.state.first = self._seat(text, at)

    def _turns(self, text: str, at: int) -> None:
        self.state.turns = self._count(text, at, 9999)

    def _quiet(self, text: str, at: int) -> None:
        self.state.quiet = -1 if text == "-1" else self._count(text, at, 30)

    def _bet(self, text: str, at: int) -> None:
        self.state.bet = self._seat(text, at)

    def _living(self, text: str, at: int) -> int:
        unit = int(text)
        if unit >= len(self.state.place) or self.state.place[unit] < 0:
            raise BadNotation(f"no card on the table has the number {unit}", at)
        return unit

    def _point(self, text: str, at: int) -> None:
        self._count(text[:-1], at, 51)
        self.state.glimpse = self._living(text[:-1], at)
        self.state.pointer = self._seat(text[-1], at + len(text) - 1)

    def _ask(self, text: str, at: int) -> None:
        for part in text.split(";"):
            match = _ASK.fullmatch(part)
            if match is None:
                raise BadNotation(f"{part!r} is no choice", at)
            unit = self._living(match[2], at) if match[2] else -1
            if (unit < 0) != (match[1] in ("open", "bet")):
                raise BadNotation(f"{match[1]} is asked by a card, but for open and bet", at)
            rest = tuple(self._living(one, at) for one in match[3].split(",")) if match[3] else ()
            self.state.asks.append(Pending(match[1], unit, rest))
            if match[4] and match[1] != "discard":
                raise BadNotation("a card is named by discard alone", at)
            self.drawn = (match[4] or "", at)
            at += len(part) + 1

    def _held(self, text: str, at: int) -> None:
        state = self.state
        if text == "none":
            state.held = []
            return
        if state.sides > 2:
            raise BadNotation("no lane is held in triangles", at)
        if len(text) != state.lanes:
            raise BadNotation(f"{len(text)} holders, {state.lanes} are needed", at)
        for lane, letter in enumerate(text):
            if letter not in _HOLDERS.values():
                raise BadNotation(f"{letter!r} is no side", at + lane)
            state.held[lane] = next(side for side, one in _HOLDERS.items() if one == letter)

    def _out(self, text: str, at: int) -> None:
        for part in text.split(";"):
            self.state.outs.append(tuple(self._seat(letter, at) for letter in part))
            at += len(part) + 1

    def _over(self, text: str, at: int) -> None:
        reason, _, ranks = text.partition(":")
        if reason not in victory.REASONS:
            raise BadNotation(f"{reason!r} ends no game", at)
        self.state.reason = reason
        at += len(reason) + 1
        found = ranks.split(",")
        if len(found) != self.state.seats:
            raise BadNotation(f"{len(found)} ranks, {self.state.seats} are needed", at)
        self.state.ranks = tuple(self._count(rank, at, self.state.seats) for rank in found)


def _column(found: list[tuple[int, re.Match[str], int]], unit: int) -> int:
    """Return the column of a card by its unit number."""
    for number, (_, match, column) in enumerate(found):
        if int(match["unit"] or number) == unit:
            return column
    return 1
