"""The last round of level 7: the row ordered at once, in a form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from bot.presenters.atom_duel.words import Voice
from bot.presenters.base import Blank, Choice, Form, Item
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation
from engine.elements import ELEMENTS

LEAST, MOST = 3, 5
"""The fewest and the most cards for which a form is offered: two are pressed as quickly, five fill it."""


def at_once(
    seen: Observation, moves: Sequence[Move], told: Callable[[int], tuple[str, str]], voice: Voice
) -> tuple[Choice, ...]:
    """The way to a form for all cards that have no place yet, or for as many of them as it has room for;
    none where few are left. `told` gives the name of a card of the row, and a note on it."""
    cards = tuple(dict.fromkeys(move.card for move in moves))
    count = min(len(cards), MOST)
    if len(cards) < LEAST:
        return ()
    key = "next" if len(cards) > count else "rest" if seen.sealed else "all"
    by_key = {_key(move): move for move in moves}
    usual = {move.card: one for one, move in reversed(by_key.items())}
    items = tuple(_item(one, move, told, voice) for one, move in by_key.items())
    first = len(seen.sealed) + 1
    blanks = tuple(
        Blank(
            f"n{nth}", voice("tree.form_nth" if nth > 1 else "tree.form_first", nth=nth), items, usual[card]
        )
        for nth, card in enumerate(cards[:count], first)
    )

    def amiss(keys: tuple[str, ...]) -> str:
        named = Counter(by_key[one].card for one in keys)
        twice = [voice.short(card) for card, times in named.items() if times > 1]
        if not twice:
            return ""
        without = [voice.short(card) for card in cards if card not in named]
        over = len(keys) - len(named)
        rest = voice.all(without, "and" if len(without) == over else "tree.or")
        return voice("tree.form_twice", cards=voice.all(twice), n=over, rest=rest)

    form = Form(voice("tree.form_title"), blanks, lambda keys: tuple(by_key[one] for one in keys), amiss)
    return (Choice("all", voice(f"tree.form_{key}", n=count), form, strong=True),)


def _key(move: Move) -> str:
    """The stable key of a card and, where it has two powers, of the one that it is sealed with."""
    symbol = ELEMENTS[move.card - 1].symbol
    return f"{symbol}-{move.power}" if move.power else symbol


def _item(key: str, move: Move, told: Callable[[int], tuple[str, str]], voice: Voice) -> Item:
    label, note = told(move.card)
    if not move.power:
        return Item(key, label, note)
    name = voice("tree.form_as", label=label, power=voice(f"as.{move.power}"))
    return Item(key, name, voice.note(move.power))
