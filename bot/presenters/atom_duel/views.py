"""What the pictures of Atom Duel show, in plain values: the presenter fills these from an observation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

Words: TypeAlias = Callable[..., str]
"""`words(key, **facts)`: the sentence of that key in the reader's language. See `scenes.picture_words`."""


@dataclass(frozen=True, slots=True)
class CardView:
    """An unplayed card as the viewer sees it: `z` is 0 when they may not know it.

    `known` marks a card that everybody knows although it is still in the hand; `playable` raises it;
    `place` is its number in the chosen order of the last round, 0 when it has none yet, `power` the
    announcement that was sealed with it, "" for none.
    """

    slot: str
    z: int = 0
    playable: bool = False
    known: bool = False
    place: int = 0
    power: str = ""


@dataclass(frozen=True, slots=True)
class SeatView:
    """One player at the table. `flags` are keys of lasting effects, such as "zinc"; `won` the game."""

    seat: int
    name: str
    points: int = 0
    cards: tuple[CardView, ...] = ()
    turn: bool = False
    leads: bool = False
    flags: tuple[str, ...] = ()
    won: bool = False


@dataclass(frozen=True, slots=True)
class PlayView:
    """One card in the battle.

    `power` is the power at work, "" for none. `printed` is the number on the card, `value` what it has
    become, as the reader's language writes it ("53½"). `joined` is the index of the play that controls the
    compound to which this card belongs, None when it stands alone or controls. `beaten` cards cannot win.
    """

    seat: int
    name: str
    z: int
    printed: str
    value: str
    power: str = ""
    joined: int | None = None
    beaten: bool = False
    winning: bool = False


@dataclass(frozen=True, slots=True)
class EarlierView:
    """A finished hand of the last round, in brief: who won it with which card and value."""

    hand: int
    seat: int
    name: str
    z: int
    value: str
    compound: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """The whole table as one viewer (or nobody) may see it.

    `hand` 0 means that nothing was played yet. `finished` says that the plays are those of a hand that
    is over, its winner marked. `effects` are keys of lasting effects on the table ("germanium",
    "germanium_next", "lanthanum", "hydrogen"). `last` is a sentence about the hand before, or "".
    `earlier` are hands that nobody could look at when they ended.
    """

    level: int
    round: int
    rounds: int
    hand: int
    deck: int
    seats: tuple[SeatView, ...]
    plays: tuple[PlayView, ...] = ()
    effects: tuple[str, ...] = ()
    last: str = ""
    finished: bool = False
    earlier: tuple[EarlierView, ...] = ()


@dataclass(frozen=True, slots=True)
class HandView:
    """One player's unplayed cards. `note` is a line for them ("Your turn"), `level` the table's level."""

    seat: int
    name: str
    level: int
    cards: tuple[CardView, ...]
    note: str = ""
    effects: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
