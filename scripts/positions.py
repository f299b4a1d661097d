"""Writes what follows from the declared fields of positions.

    python scripts/positions.py            writes it anew between the two marks, wherever these stand
    python scripts/positions.py --check    names the files in which something else stands, and fails

`engine/fields.py` says what fields are and what follows from them; tests/engine/test_fields.py holds all of
it fresh.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import GenericAlias
from typing import Any, get_args, get_origin, get_type_hints

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.fields import Field, Sight, bare, changes, declared, is_bag, is_part, optional
from engine.game import State

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "    # written by scripts/positions.py from the fields above\n"
END = "    # as far as here\n"


def copied(it: str, hint: Any) -> str:
    """The source of a copy that shares nothing that changes."""
    kind = bare(hint)
    if not changes(kind):
        return it
    if inner := optional(kind):
        return f"None if {it} is None else {copied(it, inner)}"
    arguments = [one for one in get_args(kind) if changes(one)]
    origin = get_origin(kind) or kind
    if not arguments:
        return f"{it}.copy()" if origin in (list, dict, set, bytearray) else f"{it}.clone()"
    if origin is dict:
        return f"{{key: {copied('one', get_args(kind)[1])} for key, one in {it}.items()}}"
    return f"[{copied('one', arguments[0])} for one in {it}]"


def counted(it: str, hint: Any) -> str:
    """The source of what a fingerprint holds: the same for equal values, whatever their order in memory."""
    kind = bare(hint)
    origin = get_origin(kind) or kind
    if is_bag(hint):
        return f"sorted({it})"
    if not changes(kind):
        return it
    if inner := optional(kind):
        source = counted(it, inner)
        return source if source == it else f"None if {it} is None else {source}"
    if origin is dict:
        return f"sorted({it}.items())"
    if origin is set:
        return f"sorted({it})"
    if is_part(origin):
        return f"{it}.parts()"
    if origin is list and (inner_source := counted("one", get_args(kind)[0])) != "one":
        return f"[{inner_source} for one in {it}]"
    return it


def frozen(hint: Any) -> Any:
    """The type that such a value has in an observation: tuples for lists."""
    kind = bare(hint)
    if get_origin(kind) is list:
        inner = frozen(get_args(kind)[0])
        return None if inner is None else GenericAlias(tuple, (inner, ...))
    return None if changes(kind) else kind


def shown(it: str, hint: Any) -> str:
    """The source of a value as an observation holds it."""
    kind = bare(hint)
    if is_bag(hint):
        return f"tuple(sorted({it}))"
    return mapped("tuple", it, shown("one", get_args(kind)[0])) if get_origin(kind) is list else it


def taken(it: str, hint: Any) -> str:
    """The source of a value made from what an observation holds."""
    kind = bare(hint)
    return mapped("list", it, taken("one", get_args(kind)[0])) if get_origin(kind) is list else it


def mapped(kind: str, it: str, each: str) -> str:
    """The source of a tuple or list of what each `one` of a value is made into."""
    if each == "one":
        return f"{kind}({it})"
    return f"{kind}(map({kind}, {it}))" if each == f"{kind}(one)" else f"{kind}({each} for one in {it})"


NOTHING = {
    bool: "False",
    int: "0",
    str: '""',
    bytes: 'b""',
    list: "[]",
    dict: "{}",
    set: "set()",
    bytearray: "bytearray()",
    Sequence: "()",
}


def nothing(hint: Any) -> str | None:
    """The source of nothing of a type; None where there is no such value."""
    kind = bare(hint)
    if optional(kind):
        return "None"
    if get_origin(kind) is tuple:
        return "()" if Ellipsis in get_args(kind) else None
    return NOTHING.get(get_origin(kind) or kind)


def observation_of(kind: type) -> type | None:
    """The observation of a position, from `State[Action, Observation]`; None for a part of one."""
    for base in getattr(kind, "__orig_bases__", ()):
        if get_origin(base) is State:
            seen: type = get_args(base)[1]
            return seen
    return None


def plain(fields: Sequence[Field], seen: type) -> list[Field]:
    """The public fields that stand in the observation as they are, under their own names."""
    hints = get_type_hints(seen)
    return [
        field
        for field in fields
        if field.sight is Sight.PUBLIC
        and field.name in hints
        and frozen(field.hint) is not None
        and hints[field.name] == frozen(field.hint)
    ]


def written(kind: type) -> Iterator[str]:
    """The lines that follow from the fields of a class, without the marks."""
    fields = declared(kind)
    seen = observation_of(kind)
    yield "__slots__ = ("
    yield from (f'    "{name}",' for name in sorted(field.name for field in fields))
    yield ")"
    yield ""
    yield "def clone(self) -> Self:"
    yield '    """A copy that shares nothing that changes."""'
    yield "    kind = type(self)"
    yield "    twin = kind.__new__(kind)"
    if seen is not None:
        yield "    twin.events = None"
    yield from (f"    twin.{field.name} = {copied(f'self.{field.name}', field.hint)}" for field in fields)
    yield "    return twin"
    yield ""
    counts = [field for field in fields if field.sight is not Sight.DERIVED]
    sources = [counted(f"self.{field.name}", field.hint) for field in counts]
    if seen is None:
        yield "def parts(self) -> tuple[object, ...]:"
        yield '    """What it is made of, for fingerprints: equal where the values are."""'
        yield from in_brackets("    return (", sources, "    )")
        return
    yield "def empty(self) -> None:"
    yield '    """Nothing yet: no events, and 0, none or nobody in every field that has such a value."""'
    yield "    self.events = None"
    values = ((field.name, nothing(field.hint)) for field in counts)
    yield from (f"    self.{name} = {value}" for name, value in values if value)
    yield ""
    yield "def fingerprint(self) -> bytes:"
    yield '    """All but what is derived, as bytes: equal exactly where the positions are. Holds secrets."""'
    yield "    return msgspec.msgpack.encode("
    yield from in_brackets("        (", sources, "        )")
    yield "    )"
    yield ""
    same = plain(fields, seen)
    names = {field.name: field for field in same}
    types: dict[str, str] = {
        name: note for name, note in seen.__annotations__.items() if "ClassVar" not in note
    }
    yield "def public_view("
    yield "    self,"
    yield "    *,"
    yield from (f"    {name}: {note}," for name, note in types.items() if name not in names)
    yield f") -> {seen.__name__}:"
    yield '    """An observation: what everybody sees as it is, and what is given here."""'
    yield f"    return {seen.__name__}("
    for name in types:
        field = names.get(name)
        yield f"        {name}={shown(f'self.{name}', field.hint) if field else name},"
    yield "    )"
    yield ""
    yield f"def restore(self, seen: {seen.__name__}) -> None:"
    yield '    """Take what everybody sees from an observation."""'
    yield from (f"    self.{field.name} = {taken(f'seen.{field.name}', field.hint)}" for field in same)


def in_brackets(begin: str, lines: Sequence[str], end: str) -> Iterator[str]:
    """A tuple over several lines; one of a single value fits on one."""
    if len(lines) == 1:
        yield f"{begin}{lines[0]},{end.lstrip()}"
        return
    inner = " " * (len(begin) - len(begin.lstrip()) + 4)
    yield begin
    yield from (f"{inner}{line}," for line in lines)
    yield end


def classes(path: Path) -> list[type]:
    """The classes of a file that have the marks, in their order."""
    text = path.read_text(encoding="utf-8")
    if BEGIN not in text:
        return []
    lines = text.splitlines(keepends=True)
    nodes = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
    names = [node.name for node in nodes if BEGIN in lines[node.lineno : node.end_lineno]]
    module = import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    return [getattr(module, name) for name in names]


def rewritten(path: Path) -> str:
    """The text of a file as it should be."""
    text = path.read_text(encoding="utf-8")
    out, rest = "", text
    for kind in classes(path):
        before, _, rest = rest.partition(BEGIN)
        _, mark, rest = rest.partition(END)
        if not mark:
            raise ValueError(f"{path}: the second mark is missing in {kind.__name__}")
        body = "".join(f"    {line}\n" if line else "\n" for line in written(kind))
        out += before + BEGIN + body + "\n" + END
    return out + rest


def main(words: Sequence[str]) -> int:
    """Do what is asked for; the exit code."""
    stale = []
    for path in sorted((ROOT / "engine").rglob("*.py")):
        text = rewritten(path)
        if text != path.read_text(encoding="utf-8"):
            stale.append(path)
            if "--check" not in words:
                path.write_text(text, encoding="utf-8")
    for path in stale:
        print(path.relative_to(ROOT))
    return int(bool(stale) and "--check" in words)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
