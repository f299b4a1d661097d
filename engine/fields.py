"""What the fields of a position are: each is declared once, and the rest follows from that.

A class says of each of its fields what it is:

    class Position(State[Move, Observation]):
        turn: Public[int]
        hands: Owned[list[list[int]]]
        pile: Hidden[tuple[int, ...]]
        counts: Derived[list[int]]

`scripts/positions.py` writes into the class what follows: slots, the `empty` position, `clone`,
`fingerprint`, the part of an observation that is the same for everybody (`public_view`), and the way back
from there (`restore`). The conformance kit proves these of every position, whoever wrote them.

The type says how a field is copied. Lists, dicts, sets, bytearrays and objects with a `clone` change in
place, so each position has its own; tuples, sequences and all else are shared. Whoever keeps a list that
never changes calls it a `Sequence`, and the type checker sees to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


class Sight(Enum):
    """Who sees a field."""

    PUBLIC = "public"
    OWNED = "owned"
    HIDDEN = "hidden"
    DERIVED = "derived"


class Order(Enum):
    """Whether the order of a list or tuple means something."""

    NONE = "none"


Public: TypeAlias = Annotated[T, Sight.PUBLIC]
"""Everybody sees it. It stands in the observation under its own name, or in words that `view` gives it."""

Owned: TypeAlias = Annotated[T, Sight.OWNED]
"""Some see all or a part of it: hands, sealed cards, who knows what. `view` says who sees what."""

Hidden: TypeAlias = Annotated[T, Sight.HIDDEN]
"""Nobody sees it but for its size: draw piles, the deal key."""

Derived: TypeAlias = Annotated[T, Sight.DERIVED]
"""It follows from the other fields and is kept to be fast; `derive` finds it again."""

Bag: TypeAlias = Annotated[list[T], Order.NONE]
"""A list whose order means nothing."""

Loose: TypeAlias = Annotated[tuple[T, ...], Order.NONE]
"""A tuple whose order means nothing."""


class Field(NamedTuple):
    """A field of a position: its name, who sees it, and its type with what is annotated there."""

    name: str
    sight: Sight
    hint: object

    @property
    def bare(self) -> object:
        """Its type alone."""
        return bare(self.hint)


def declared(kind: type) -> tuple[Field, ...]:
    """The declared fields of a class, in the order in which they stand there, those of its bases first."""
    found = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            sights = [mark for mark in hint.__metadata__ if isinstance(mark, Sight)]
            found += [Field(name, sight, hint) for sight in sights]
    return tuple(found)


def bare(hint: Any) -> Any:
    """A type without what is annotated on the outside."""
    return hint.__origin__ if get_origin(hint) is Annotated else hint


def is_bag(hint: Any) -> bool:
    """Whether the order of such a list or tuple means nothing."""
    return get_origin(hint) is Annotated and Order.NONE in hint.__metadata__


def optional(hint: object) -> object:
    """What there is where there is not None, for a type like `X | None`; None for any other type."""
    if get_origin(hint) in (Union, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        if len(others) == 1 and len(get_args(hint)) == 2:
            return others[0]
    return None


def is_part(kind: object) -> bool:
    """Whether such an object is a part of a position with fields of its own."""
    return isinstance(kind, type) and (hasattr(kind, "clone") or bool(declared(kind)))


def changes(hint: object) -> bool:
    """Whether values of this type change in place.

    Raises:
        TypeError: a list, or anything like it, stands where it would be shared.
    """
    kind = bare(hint)
    origin = get_origin(kind) or kind
    if origin in (list, dict, set, bytearray) or is_part(origin):
        return True
    if inner := optional(kind):
        return changes(inner)
    if origin in (Sequence, Mapping, Set, Callable):
        return False
    if any(changes(one) for one in get_args(kind) if one is not Ellipsis):
        raise TypeError(f"what changes in place would be shared in {hint}")
    return False
