"""The kinds of table a game allows, and a short list that covers all pairs of choices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product
from typing import TypeAlias

import msgspec

from engine.game import AnyGame, Setup, Value


class Kind(msgspec.Struct, frozen=True):
    """A kind of table: a number of seats, and a value for each option."""

    seats: int
    options: dict[str, Value]

    def __str__(self) -> str:
        chosen = " ".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.seats} seats {chosen}".strip()


_Trait: TypeAlias = tuple[str, Value]
_Pair: TypeAlias = tuple[_Trait, _Trait]


def every_kind(game: AnyGame) -> Iterator[Kind]:
    """Yield every table the rules allow: each combination of options with each number of seats."""
    keys = [option.key for option in game.options]
    for values in product(*(option.values for option in game.options)):
        options = dict(zip(keys, values, strict=True))
        for seats in game.seats(options):
            kind = Kind(seats, options)
            if game.check(Setup(game.key, game.version, seats, options, bytes(32))) is None:
                yield kind


def covering(game: AnyGame) -> list[Kind]:
    """Return a short list of tables in which every compatible pair of choices occurs.

    A pair is a number of seats with a value of an option, or two values of two options. The same game always
    gives the same list.

    >>> from engine import catalog
    >>> game = catalog.get("atom_duel")
    >>> len(list(every_kind(game))), len(covering(game))
    (308, 56)
    """
    owners: dict[_Pair, list[Kind]] = defaultdict(list)
    for kind in every_kind(game):
        for pair in _pairs(kind):
            owners[pair].append(kind)
    missing = dict.fromkeys(owners)
    found: list[Kind] = []
    while missing:
        rarest = next(iter(missing))
        best = max(owners[rarest], key=lambda kind: sum(pair in missing for pair in _pairs(kind)))
        found.append(best)
        for pair in _pairs(best):
            missing.pop(pair, None)
    return found


def _pairs(kind: Kind) -> list[_Pair]:
    traits: list[_Trait] = [("seats", kind.seats), *kind.options.items()]
    # A game without options still has a choice of seats.
    return list(combinations(traits, 2)) or [(traits[0], traits[0])]
