"""Rules for migrations: a migration only adds, and unused things are removed one release later.

So the previous release still runs on the next schema, and a release can be rolled back without a restore.
Each upgrade records the oldest schema whose code still runs on the database (`note`). A bot that finds a
newer schema reads that (`runs`) and either continues and says so, or refuses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

from sqlalchemy import Connection, delete, insert, select

from bot.store.models import SettingRow, table_of

_SETTINGS = table_of(SettingRow)
_WHERE = {"scope": "schema", "scope_id": 0, "key": "oldest"}

HARMLESS = frozenset(
    ("f", "inline_literal", "batch_alter_table", "create_table", "add_column", "create_index", "drop_index")
)
"""Operations after which older code reads and writes as before. An index only affects speed, except that
unique ones (`unique=True`) are checked separately."""
TAKES_AWAY = frozenset(
    (
        *("drop_table", "drop_column", "drop_constraint", "alter_column", "rename_table"),
        *("create_unique_constraint", "create_check_constraint", "create_foreign_key"),
        *("create_primary_key", "create_exclude_constraint"),
    )
)
"""Operations that may break older code."""
WORDS_THAT_TAKE = ("DROP ", "ALTER ", "RENAME ", "DELETE ", "TRUNCATE ")


class Migration:
    """A migration's file, parsed but not run."""

    def __init__(self, file: Path) -> None:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        self.file = file
        self.declared: dict[str, object] = {}
        for node in tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                    self.declared[name] = value
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        self._calls = [
            call
            for function in functions
            if function.name != "downgrade"
            for call in ast.walk(function)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        ]
        self._made = {_text(call.args[0]) for call in self._of("create_table") if call.args}

    @property
    def takes_away(self) -> list[str]:
        """Operations in it that may break older code."""
        found = [_name(call) for call in self._calls if _name(call) in TAKES_AWAY]
        found += ["create_index(unique=True)" for call in self._of("create_index") if self._forbids(call)]
        found += ["add_column(nullable=False)" for call in self._of("add_column") if _must_be_filled(call)]
        for call in self._of("execute"):
            said = " ".join(str(part) for part in _strings(call)).upper()
            found += [word.strip() for word in WORDS_THAT_TAKE if word in f"{said} "]
        return found

    @property
    def unseen(self) -> list[str]:
        """Operations whose effect the file does not show, such as SQL."""
        names = [_name(call) for call in self._calls if _is_op(call)]
        return [name for name in names if name not in HARMLESS | TAKES_AWAY]

    @property
    def only_adds(self) -> bool:
        """Whether the code of the previous schema runs on the new one.

        If a migration uses SQL, its author must declare it: `only_adds = True`.
        """
        return not self.takes_away and (not self.unseen or self.declared.get("only_adds") is True)

    @property
    def fault(self) -> str | None:
        """The violation of the policy, or None.

        A migration that removes something names the earlier release that stopped using it, as in
        `unused_since = "0.2.0"`.
        """
        if self.takes_away and not self.declared.get("unused_since"):
            return f"{', '.join(self.takes_away)} without `unused_since`, the release that stopped using it"
        if self.takes_away and self.declared.get("only_adds"):
            return f"`only_adds`, and yet {', '.join(self.takes_away)}"
        if self.unseen and "only_adds" not in self.declared:
            return f"{', '.join(self.unseen)}, and `only_adds` does not say whether older code still runs"
        return None

    def _of(self, name: str) -> list[ast.Call]:
        return [call for call in self._calls if _name(call) == name]

    def _forbids(self, call: ast.Call) -> bool:
        """Return whether an index can reject writes of older code: a unique index on a table that already
        existed."""
        unique = any(_is(word, "unique", value=True) for word in call.keywords)
        return unique and (len(call.args) < 2 or _text(call.args[1]) not in self._made)


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _is_op(call: ast.Call) -> bool:
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id == "op"


def _text(node: ast.expr) -> str | None:
    return str(node.value) if isinstance(node, ast.Constant) else None


def _strings(call: ast.Call) -> list[str]:
    constants = [node.value for node in ast.walk(call) if isinstance(node, ast.Constant)]
    return [value for value in constants if isinstance(value, str)]


def _is(word: ast.keyword, name: str, *, value: object) -> bool:
    return word.arg == name and isinstance(word.value, ast.Constant) and word.value.value is value


def _must_be_filled(call: ast.Call) -> bool:
    """Return whether a new column requires a value that older code, unaware of it, cannot supply."""
    columns = [node for node in call.args if isinstance(node, ast.Call) and _name(node) == "Column"]
    return any(
        any(_is(word, "nullable", value=False) for word in column.keywords)
        and not any(word.arg == "server_default" for word in column.keywords)
        for column in columns
    )


def note(connection: Connection, revision: str, steps: Iterable[tuple[str, Path]]) -> None:
    """Record, after an upgrade to `revision`, the oldest schema whose code runs on it.

    `steps` are the migrations that lead to it, newest first, each with the schema before it. Code that runs
    on a schema also runs on the next one if that migration only adds.
    """
    oldest = revision
    for before, file in steps:
        if not before or not Migration(file).only_adds:
            break
        oldest = before
    connection.execute(delete(_SETTINGS).filter_by(**_WHERE))
    connection.execute(insert(_SETTINGS).values(**_WHERE, value={"schema": revision, "oldest": oldest}))


def runs(connection: Connection, code: str, revision: str) -> bool:
    """Return whether code for one schema runs on a database with a later one, as recorded by its upgrade."""
    found = connection.execute(select(_SETTINGS.c.value).filter_by(**_WHERE)).scalar_one_or_none()
    match found:
        case {"schema": str(schema), "oldest": str(oldest)} if schema == revision:
            return oldest <= code
    return False
