"""A position as bytes, and back: what is declared and not derived, in the order of declaration.

For whoever keeps a long game between two moves and would not replay it from the deal. The bytes hold every
secret of the position, and mean something only to the source that wrote them: `source_digest` names it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, TypeVar, cast

import msgspec

from engine.fields import Sight, declared
from engine.game import AnyState

S = TypeVar("S", bound=AnyState)


class BadPosition(ValueError):
    """Bytes that hold no position of this kind."""


def pack(state: AnyState) -> bytes:
    """A position as bytes; its events are left out. Holds secrets."""
    return msgspec.msgpack.encode(_values(state), enc_hook=_values)


def packs(state: AnyState) -> bool:
    """Whether a position can be packed: it says what its fields are."""
    return bool(_kept(type(state)))


def unpack(kind: type[S], data: bytes) -> S:
    """The position that `pack` was given, where `kind` is its class.

    Raises:
        BadPosition: the bytes hold no such position.
    """
    try:
        state = _made(kind, msgspec.msgpack.decode(data))
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError) as found:
        raise BadPosition(f"{kind.__name__}: {found}") from found
    state.events = None
    return state


@cache
def source_digest() -> str:
    """The SHA-256 of the source of the rules and their data, in hex: what `pack` writes under one digest,
    `unpack` reads under the same. Reads files once."""
    found = hashlib.sha256()
    for path, content in sorted(_sources(files("engine"), "engine")):
        found.update(path.encode() + b"\0" + hashlib.sha256(content).digest())
    return found.hexdigest()


def _sources(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found = []
    for each in folder.iterdir():
        if each.is_dir():
            found += _sources(each, f"{path}/{each.name}")
        elif not each.name.endswith((".pyc", ".pyo")):
            found.append((f"{path}/{each.name}", each.read_bytes()))
    return found


Kept = tuple[tuple[str, Any], ...]
_known: dict[type, Kept] = {}


def _kept(kind: type) -> Kept:
    """The fields of a class that are not derived, with their types; looked up once."""
    found = _known.get(kind)
    if found is None:
        fields = declared(kind)
        found = tuple((field.name, field.hint) for field in fields if field.sight is not Sight.DERIVED)
        _known[kind] = found
    return found


def _values(thing: object) -> list[object]:
    kept = _kept(type(thing))
    if not kept:
        raise TypeError(f"{type(thing).__name__} declares no fields")
    return [getattr(thing, name) for name, _ in kept]


T = TypeVar("T")


def _made(kind: type[T], values: list[object]) -> T:
    """An object of a class with declared fields: what it is made of first, then what is derived from it."""
    made = kind.__new__(kind)
    for (name, hint), value in zip(_kept(kind), values, strict=True):
        setattr(made, name, msgspec.convert(value, hint, dec_hook=_part, strict=True))
    derive = cast("Callable[[], None] | None", getattr(made, "derive", None))
    if derive is not None:
        derive()
    return made


def _part(kind: type[T], values: object) -> T:
    if not isinstance(values, list):
        raise TypeError(f"{kind.__name__} is a list of its fields")
    return _made(kind, values)
