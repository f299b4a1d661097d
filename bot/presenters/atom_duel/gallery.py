"""One example of every picture of Atom Duel, for the contact sheet and the tests."""

from __future__ import annotations

from bot.presenters.atom_duel.periodic import periodic_scene
from bot.presenters.atom_duel.pictures import card_scene, hand_scene, table_scene
from bot.presenters.atom_duel.views import CardView, HandView, PlayView, SeatView, TableView, Words
from bot.presenters.elements.painters import Rule
from bot.render.scene import Look, Scene
from engine.atom_duel.cards import BY_Z, DECK

_NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊")
_LETTERS = "ABCDEFG"


def _cards(count: int, **known: int) -> tuple[CardView, ...]:
    return tuple(CardView(letter, known.get(letter, 0)) for letter in _LETTERS[:count])


def _start() -> TableView:
    seats = tuple(
        SeatView(seat, name, cards=_cards(5), turn=seat == 0, leads=seat == 0)
        for seat, name in enumerate(_NAMES[:2])
    )
    return TableView(1, 1, 4, 0, 108, seats)


def _middle() -> TableView:
    seats = (
        SeatView(0, _NAMES[0], 3, _cards(4, B=26), flags=("zinc",)),
        SeatView(1, _NAMES[1], 5, _cards(4), leads=True),
        SeatView(2, _NAMES[2], 0, _cards(4, A=118, B=101)),
        SeatView(3, _NAMES[3], 7, _cards(5), turn=True),
    )
    plays = (
        PlayView(1, _NAMES[1], 46, "46", "", "alloy", joined=1),
        PlayView(2, _NAMES[2], 25, "25", "71", "alloy"),
        PlayView(0, _NAMES[0], 26, "26", "108", "magnet", winning=True),
    )
    return TableView(7, 2, 4, 3, 78, seats, plays, effects=("hydrogen",))


def _finished() -> TableView:
    seats = tuple(
        SeatView(seat, name, seat * 2, _cards(7, A=99 + seat), leads=seat == 4)
        for seat, name in enumerate(_NAMES)
    )
    plays = (
        PlayView(4, _NAMES[4], 112, "112", "112", "scientist", beaten=True),
        PlayView(0, _NAMES[0], 33, "33", "112", "anti_scientist", winning=True),
        PlayView(1, _NAMES[1], 82, "82", "112", "stopper"),
        PlayView(2, _NAMES[2], 71, "71", "71"),
        PlayView(3, _NAMES[3], 60, "60", "60", "laser"),
    )
    return TableView(7, 3, 4, 1, 18, seats, plays, effects=("lanthanum", "germanium_next"), finished=True)


def _hand(*cards: int, placed: tuple[int, ...] = ()) -> HandView:
    held = tuple(
        CardView(
            letter, z, playable=bool(z), known=letter == "C", place=placed.index(z) + 1 if z in placed else 0
        )
        for letter, z in zip(_LETTERS, cards, strict=False)
    )
    return HandView(0, _NAMES[0], 7, held)


def _rules(z: int) -> tuple[Rule, ...]:
    texts = {power.key: power.text for power in DECK.powers}
    texts |= {unique.key: unique.text for unique in DECK.uniques}
    card = BY_Z[z]
    found = [Rule(power, power.replace("_", "-").capitalize(), texts[power]) for power in card.powers]
    return (*found, Rule("unique", "Unique", texts[card.unique])) if card.unique else tuple(found)


def samples(look: Look, words: Words) -> tuple[tuple[str, Scene], ...]:
    """Every kind of picture with a title; they are examples and come from no game."""
    magnets = frozenset(card.z for card in DECK.cards if "magnet" in card.powers)
    return (
        ("Table, dealt", table_scene(_start(), look, words)),
        ("Table, in a hand", table_scene(_middle(), look, words)),
        ("Table, a hand is over", table_scene(_finished(), look, words)),
        ("Hand of five", hand_scene(_hand(26, 104, 6, 59, 0), look, words)),
        (
            "Hand of seven, in order",
            hand_scene(_hand(1, 118, 92, 79, 43, 60, 33, placed=(118, 79)), look, words),
        ),
        ("Card with one power", card_scene(82, _rules(82), look, words)),
        ("Card with three powers", card_scene(118, _rules(118), look, words)),
        ("Elements", periodic_scene(look, words)),
        ("Elements, the magnets", periodic_scene(look, words, marked=magnets, icon="magnet", title="Magnet")),
    )
