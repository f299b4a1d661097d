"""Names that are stored or visible outside the project stay as they are.

`tests/house/outside/` holds the recorded names. `python -m tests.support.outside` adds new ones.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from prometheus_client import Gauge

import bot.telemetry.metrics as telemetry
from bot.cli import app
from bot.features.daily import morning_rows as mornings
from bot.locales import catalogue
from bot.settings import Settings
from bot.store.models import GameRow, table_of
from bot.store.terms import Terms
from bot.telemetry.health_server import HealthServer
from bot.ui import router
from bot.ui.commands import command_tree as commands
from engine import catalog
from tests.support import outside, outside_running, outside_stored

Patch = pytest.MonkeyPatch


@pytest.mark.parametrize("kind", outside.KINDS)
def test_nothing_outside_goes_or_changes(kind: str) -> None:
    problem = outside.explain(kind, outside.compare(kind))
    assert not problem, problem


def test_every_recorded_file_is_compared() -> None:
    assert {path.stem for path in outside.FOLDER.iterdir()} == set(outside.KINDS)
    assert all(outside.recorded(kind) for kind in outside.KINDS)


def test_no_module_or_folder_is_recorded() -> None:
    """Modules may move."""
    for kind in outside.KINDS:
        for line in outside.recorded(kind):
            assert not re.search(r"\b(bot|engine|tests|playground|scripts)[./]\w", line), f"{kind}: {line}"


def _rename_command(patch: Patch) -> None:
    run = next(each for each in app.registered_commands if each.callback and each.callback.__name__ == "run")
    patch.setattr(run, "name", "start")


def _remove_slash_command(patch: Patch) -> None:
    add_all = commands.add_all

    def add_fewer(tree: commands.Tree) -> None:
        add_all(tree)
        tree.remove_command("hand")

    patch.setattr(commands, "add_all", add_fewer)


def _remove_custom_id(patch: Patch) -> None:
    handlers = router.handlers()
    patch.delitem(handlers, "join")


def _rename_field(patch: Patch) -> None:
    fields = [
        (field.name.replace("clock", "seconds"), field.type, None) for field in msgspec.structs.fields(Terms)
    ]
    patch.setitem(outside_stored.FORMATS, "games.terms", msgspec.defstruct("Renamed", fields))


def _remove_option(patch: Patch) -> None:
    patch.setattr(catalog.get("atom"), "options", ())


def _move_address(patch: Patch) -> None:
    answer: Any = HealthServer._answer

    def elsewhere(self: HealthServer, environ: dict[str, str], start: object) -> object:
        moved = environ["PATH_INFO"].replace("/metrics", "/figures")
        return answer(self, {**environ, "PATH_INFO": moved}, start)

    patch.setattr(HealthServer, "_answer", elsewhere)


def _remove_string(patch: Patch) -> None:
    patch.delitem(catalogue("zh-CN"), "board.title")


def _remove_log_line(patch: Patch) -> None:
    kept = tuple(
        node for node in outside_running.nodes() if "the event loop" not in outside_running.text(node)
    )
    patch.setattr(outside_running, "nodes", lambda: kept)


def _rename_metric(patch: Patch) -> None:
    def renamed(name: str, *rest: Any, **more: Any) -> Gauge:
        return Gauge(name.replace("outbox", "queue"), *rest, **more)

    patch.setattr(telemetry, "Gauge", renamed)


def _rename_program(patch: Patch) -> None:
    loads = tomllib.loads
    patch.setattr(tomllib, "loads", lambda text: loads(text.replace("\nvalence = ", "\nbot = ")))


def _rename_key(patch: Patch) -> None:
    patch.setattr(mornings, "_KEY", "morning")


def _rename_setting(patch: Patch) -> None:
    patch.delitem(Settings.__pydantic_fields__, "workers")


def _rename_column(patch: Patch) -> None:
    patch.setattr(table_of(GameRow).c.why, "name", "reason")


BREAKAGES: dict[str, tuple[Callable[[Patch], None], str]] = {
    "cli": (_rename_command, "valence run"),
    "commands": (_remove_slash_command, "/hand in zh-CN: 手牌"),
    "custom_ids": (_remove_custom_id, "press join"),
    "formats": (_rename_field, "games.terms: clock: int = 0"),
    "games": (_remove_option, "atom option jokers: lowest|three = lowest"),
    "health": (_move_address, "GET /metrics: 200 OK text/plain"),
    "locales": (_remove_string, "zh-CN board.title"),
    "logs": (_remove_log_line, "event the event loop was held up (warning)"),
    "metrics": (_rename_metric, "valence_outbox_waiting: gauge()"),
    "package": (_rename_program, "program valence"),
    "rows": (_rename_key, "settings channel daily (guild_id)"),
    "settings": (_rename_setting, "VALENCE_WORKERS: int ge=0 le=16 = 1"),
    "tables": (_rename_column, "games.why TEXT not null"),
}


def test_every_kind_is_broken_once() -> None:
    assert set(BREAKAGES) == set(outside.KINDS)


@pytest.mark.parametrize("kind", BREAKAGES)
def test_a_name_that_goes_is_reported(kind: str, monkeypatch: Patch) -> None:
    breakage, line = BREAKAGES[kind]
    assert line in outside.recorded(kind)
    breakage(monkeypatch)
    found = outside.compare(kind)
    assert line in found.gone
    problem = outside.explain(kind, found)
    assert f"  - {line}" in problem
    assert outside.KINDS[kind].used_by in problem


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    outside.accept(["settings"], tmp_path)
    return tmp_path


def test_a_new_name_is_recorded_by_one_command(folder: Path) -> None:
    file = folder / "settings.txt"
    whole = file.read_text(encoding="utf-8")
    file.write_text(re.sub("VALENCE_PACE.*\n", "", whole), encoding="utf-8")
    found = outside.compare("settings", folder)
    assert (found.gone, len(found.new)) == ([], 1)
    assert outside.ACCEPT in outside.explain("settings", found)
    assert outside.accept(["settings"], folder) == []
    assert file.read_text(encoding="utf-8") == whole


def test_a_name_that_is_gone_is_only_dropped_on_demand(folder: Path) -> None:
    file = folder / "settings.txt"
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole + "VALENCE_GONE: int = 1\n", encoding="utf-8")
    (refused,) = outside.accept(["settings"], folder)
    assert "VALENCE_GONE" in refused
    assert "VALENCE_GONE" in file.read_text(encoding="utf-8")
    assert outside.accept(["settings"], folder, replace=True) == []
    assert file.read_text(encoding="utf-8") == whole
