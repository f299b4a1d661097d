"""What the kit needs to try the declared fields of a position: other values, and how values compare."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec

from engine.fields import Field, Sight, bare, changes, declared, is_bag
from engine.game import Game, State, Viewer
from tests.support.processes.script import script

POSITIONS = script("positions")


class NothingElse(Exception):
    """There is no other value that could be made of this one."""


_declared = cache(declared)


def fields_of(thing: Any) -> tuple[Field, ...]:
    return _declared(type(thing))


@cache
def _plain(kind: type, seen: type) -> tuple[tuple[str, Any], ...]:
    return tuple((field.name, field.hint) for field in POSITIONS.plain(_declared(kind), seen))


def plain(state: State[Any, Any], game: Game[Any, Any]) -> list[tuple[str, Any]]:
    """The public fields that stand in the observation as they are: name and type."""
    return list(_plain(type(state), game.observation))


def slots_of(thing: Any) -> set[str]:
    """All attributes that an object has room for."""
    return {name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())}


def subjects(state: State[Any, Any]) -> list[Any]:
    """A position, and what it holds that has declared fields itself."""
    inner = [getattr(state, field.name) for field in fields_of(state)]
    return [state, *(one for one in inner if fields_of(one))]


def other(value: Any, rng: random.Random, *, sized: bool = False) -> Any:
    """Another value of the same kind, different in one small thing; of the same size if `sized`.

    Raises:
        NothingElse: none can be made.
    """
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 2))
    if isinstance(value, str):
        return value + "?"
    if isinstance(value, bytes | bytearray):
        return type(value)(_one_changed(list(value), rng, lambda one: one ^ 1))
    if isinstance(value, list | tuple):
        return _other_list(value, rng, sized=sized)
    if isinstance(value, dict):
        key = _some(list(value), rng)
        return {**value, key: other(value[key], rng, sized=sized)}
    if isinstance(value, msgspec.Struct):
        name = rng.choice(value.__struct_fields__)
        return msgspec.structs.replace(value, **{name: other(getattr(value, name), rng)})
    if counted := [field for field in fields_of(value) if field.sight is not Sight.DERIVED]:
        twin, field = value.clone(), rng.choice(counted)
        setattr(twin, field.name, other(getattr(twin, field.name), rng, sized=sized))
        return twin
    raise NothingElse


def _some(values: list[Any], rng: random.Random) -> Any:
    if not values:
        raise NothingElse
    return rng.choice(values)


def _one_changed(values: list[Any], rng: random.Random, change: Any) -> list[Any]:
    place = _some([*range(len(values))], rng)
    values[place] = change(values[place])
    return values


def _other_list(value: Any, rng: random.Random, *, sized: bool) -> Any:
    values = list(value)
    if not sized and values and not hasattr(value, "_fields") and rng.random() < 0.3:
        del values[rng.randrange(len(values))]
    else:
        values = _one_changed(values, rng, lambda one: other(one, rng, sized=sized))
    return type(value)(*values) if hasattr(value, "_fields") else type(value)(values)


def told(value: Any, hint: Any) -> Any:
    """A value as it counts: JSON-able, the order left out where it means nothing."""
    if fields_of(value):
        return told(value.parts(), None)
    if is_bag(hint):
        value = sorted(value)
    if isinstance(value, list | tuple):
        return [told(one, None) for one in value]
    return msgspec.to_builtins(value, str_keys=True, builtin_types=(bytes, bytearray))


def others(
    field: Field, thing: Any, earlier: list[Any], rng: random.Random, *, sized: bool = False, tries: int = 3
) -> list[Any]:
    """Other values for a field: made from its own, or taken from earlier positions of the game."""
    value = getattr(thing, field.name)
    found = []
    for _ in range(tries):
        try:
            found.append(other(value, rng, sized=sized))
        except NothingElse:
            if not sized:
                found += [getattr(one, field.name) for one in rng.sample(earlier, min(2, len(earlier)))]
    mine = told(value, field.hint)
    return [one for one in found if told(one, field.hint) != mine]


def shares(one: Any, two: Any, hint: Any) -> bool:
    """Whether two values of this type have something in common that changes in place."""
    kind = bare(hint)
    if one is None or not changes(kind):
        return False
    if one is two:
        return True
    inner = [argument for argument in get_args(kind) if argument is not type(None) and changes(argument)]
    if isinstance(one, list):
        return any(shares(a, b, inner[0]) for a, b in zip(one, two, strict=True)) if inner else False
    if isinstance(one, dict):
        return any(shares(one[key], two[key], inner[0]) for key in one) if inner else False
    return any(
        shares(getattr(one, field.name), getattr(two, field.name), field.hint) for field in fields_of(one)
    )


def agrees(kept: Any, fresh: Any, hint: Any) -> bool:
    """Whether a derived value is what is found anew; None says that nobody has looked yet."""
    if kept is None or fresh is None:
        return True
    inner = [one for one in get_args(bare(hint)) if one is not type(None)][-1:] or [None]
    if is_bag(hint):
        return sorted(kept) == sorted(fresh)
    if isinstance(kept, dict):
        return all(agrees(kept[key], fresh[key], inner[0]) for key in kept.keys() & fresh.keys())
    if isinstance(kept, list):
        return len(kept) == len(fresh) and all(
            agrees(a, b, inner[0]) for a, b in zip(kept, fresh, strict=True)
        )
    return bool(kept == fresh)


def changed(
    state: State[Any, Any], field: Field, rng: random.Random, *, sized: bool = False
) -> Iterator[State[Any, Any]]:
    """The position with other values of a field."""
    for value in others(field, state, [], rng, sized=sized):
        twin = state.clone()
        setattr(twin, field.name, value)
        yield twin


def looked(state: State[Any, Any], viewer: Viewer) -> Any:
    """What a viewer sees of a position; None where a change at random leaves nothing to see."""
    try:
        return state.observe(viewer)
    except (LookupError, TypeError, ValueError):
        return None
