"""The fields of a position, declared once; the rest is generated from the declarations.

A class declares who may see each of its fields:

    class Position(State[Move, Observation]):
        turn: Public[int]
        hands: Owned[list[list[int]]]
        pile: Hidden[tuple[int, ...]]
        counts: Derived[list[int]]

`tools/positions.py` writes the generated code into the class: slots, the `empty` position, `clone`,
`fingerprint`, the part of an observation that everyone shares (`public_view`), and its inverse (`restore`).
The conformance kit checks them for every position, including hand-written ones.

The type determines how a field is copied. Lists, dicts, sets, bytearrays and objects with a `clone` method
are mutable, so each position has its own; tuples, sequences and everything else are shared. Declare a list
that never changes as a `Sequence`, so that the type checker enforces it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


class Sight(Enum):
    """Visibility of a field."""

    PUBLIC = "public"
    OWNED = "owned"
    HIDDEN = "hidden"
    DERIVED = "derived"


class Order(Enum):
    """Marker for lists and tuples whose order has no meaning."""

    NONE = "none"


Public: TypeAlias = Annotated[T, Sight.PUBLIC]
"""A field everyone sees, in the observation under its own name or in the form `view` gives it."""

Owned: TypeAlias = Annotated[T, Sight.OWNED]
"""A field that some seats see in whole or in part, such as hands or sealed cards. `view` sets each seat's
share."""

Hidden: TypeAlias = Annotated[T, Sight.HIDDEN]
"""A field whose contents no one sees, only their size: draw piles, the deal key."""

Derived: TypeAlias = Annotated[T, Sight.DERIVED]
"""A field computed from the others and kept for speed; `derive` recomputes it."""

Bag: TypeAlias = Annotated[list[T], Order.NONE]
"""A list whose order has no meaning."""

Loose: TypeAlias = Annotated[tuple[T, ...], Order.NONE]
"""A tuple whose order has no meaning."""


class Field(NamedTuple):
    """A field of a position: its name, its visibility, and its annotated type."""

    name: str
    sight: Sight
    hint: object

    @property
    def bare(self) -> object:
        """The type without its annotation."""
        return bare(self.hint)


def declared(kind: type) -> tuple[Field, ...]:
    """Return the declared fields of a class in order, those of its bases first."""
    found = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is Annotated:
            sights = [mark for mark in hint.__metadata__ if isinstance(mark, Sight)]
            found += [Field(name, sight, hint) for sight in sights]
    return tuple(found)


def bare(hint: Any) -> Any:
    """Return a type without its outer annotation."""
    return hint.__origin__ if get_origin(hint) is Annotated else hint


def is_bag(hint: Any) -> bool:
    """Return whether the order of this list or tuple type has no meaning."""
    return get_origin(hint) is Annotated and Order.NONE in hint.__metadata__


def optional(hint: object) -> object:
    """Return `X` for a type like `X | None`, and None for any other type."""
    if get_origin(hint) in (Union, UnionType):
        others = [one for one in get_args(hint) if one is not NoneType]
        if len(others) == 1 and len(get_args(hint)) == 2:
            return others[0]
    return None


def is_part(kind: object) -> bool:
    """Return whether objects of this type are parts of a position with fields of their own."""
    return isinstance(kind, type) and (hasattr(kind, "clone") or bool(declared(kind)))


def changes(hint: object) -> bool:
    """Return whether values of this type are mutable.

    Raises:
        TypeError: the type itself would be shared, but contains something mutable, such as a list.
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
