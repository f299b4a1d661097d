"""Positions as bytes and back: the declared fields that are not derived, in order of declaration.

Use it to keep a long game between two moves without replaying it from the deal. The bytes contain every
secret of the position. Only the source that wrote them can read them: `source_digest` identifies it.
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
    """Bytes that do not encode a position of this kind."""


def pack(state: AnyState) -> bytes:
    """Return a position as bytes, without its events. Contains secrets."""
    return msgspec.msgpack.encode(_values(state), enc_hook=_values)


def packs(state: AnyState) -> bool:
    """Return whether a position can be packed, meaning that its class declares its fields."""
    return bool(_kept(type(state)))


def unpack(kind: type[S], data: bytes) -> S:
    """Return the position that was packed; `kind` is its class.

    Raises:
        BadPosition: the bytes do not encode such a position.
    """
    try:
        state = _made(kind, msgspec.msgpack.decode(data))
    except (msgspec.MsgspecError, LookupError, TypeError, ValueError, AttributeError) as found:
        raise BadPosition(f"{kind.__name__}: {found}") from found
    state.events = None
    return state


@cache
def source_digest() -> str:
    """Return the SHA-256 of the source and data of the rules, in hex.

    Only a process with the same digest can unpack what `pack` wrote. The files are read once.
    """
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
    """Return the fields of a class that are not derived, with their types. Cached."""
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
    """Build an object from the values of its declared fields, then compute its derived ones."""
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
