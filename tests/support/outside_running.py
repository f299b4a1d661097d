"""Names that operators use: settings, metrics, addresses, log lines, programs and commands."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer
from prometheus_client.metrics import MetricWrapperBase
from pydantic import SecretStr

import bot
from bot.cli import app
from bot.render.pool import Studio
from bot.settings import Settings
from bot.telemetry.health import Health
from bot.telemetry.health_server import HealthServer
from bot.telemetry.metrics import Metrics

ROOT = Path(__file__).parents[2]
SOURCE = Path(bot.__file__).parent
OPERATORS_READ = ("operations.md", "fleet.md", "cluster.md")
LOG_CALLS = frozenset(("debug", "info", "warning", "error", "exception", "critical"))
BINDS = frozenset(("bind_contextvars", "bound_contextvars"))
METRIC = re.compile(r"\b(Counter|Gauge|Histogram|Summary)\(\s*\"(valence_\w+)\"")


@cache
def nodes() -> tuple[ast.AST, ...]:
    """Every call and comparison in the source of the bot."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in SOURCE.rglob("*.py"))
    every = (node for tree in trees for node in ast.walk(tree))
    return tuple(node for node in every if isinstance(node, ast.Call | ast.Compare))


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call in the source of the bot, by the last part of the name called."""
    for node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            yield node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id, node


def text(node: ast.AST, place: int = 0) -> str:
    """Return the text that a call has as its argument at this place, or an empty one."""
    if isinstance(node, ast.Call) and len(node.args) > place:
        argument = node.args[place]
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
            return argument.value
    return ""


def written(name: str, place: int) -> Iterator[str]:
    """The texts that calls of this name have as their argument at this place."""
    yield from (found for called, node in calls() if called == name and (found := text(node, place)))


def compared(name: str) -> Iterator[str]:
    """The texts that queries compare a column of this name with."""
    for node in nodes():
        if isinstance(node, ast.Compare) and ast.unparse(node.left).endswith(f".c.{name}"):
            for other in node.comparators:
                if isinstance(other, ast.Constant) and isinstance(other.value, str):
                    yield other.value


def settings() -> Iterator[str]:
    """Settings with type, bounds and default."""
    prefix = Settings.model_config["env_prefix"]
    for name, field in Settings.model_fields.items():
        shown = field.validation_alias or f"{prefix}{name}".upper()
        kind: Any = field.annotation
        word = "|".join(get_args(kind)) if get_origin(kind) is Literal else kind.__name__
        bounds = "".join(f" {bound}" for bound in map(_bound, field.metadata) if bound)
        default = field.default
        if isinstance(default, SecretStr):
            default = default.get_secret_value()
        yield f"{shown}: {word}{bounds} = {default!r}"


def _bound(constraint: object) -> str:
    """A bound of a setting, such as `ge=1`."""
    found = (word for word in ("ge", "gt", "le", "lt") if hasattr(constraint, word))
    return next((f"{word}={getattr(constraint, word)}" for word in found), "")


def metrics() -> Iterator[str]:
    """Metrics with type, labels, buckets, and the label values known from the start.

    Of those that features make, only the names and types are known here.
    """
    made, studio = Metrics(), Studio()
    made.watch(studio.pool)
    made.watch_cache("pictures", studio)
    labels: dict[str, tuple[str, ...]] = {
        each._name: each._labelnames for each in vars(made).values() if isinstance(each, MetricWrapperBase)
    }
    for family in made.registry.collect():
        names = labels.get(family.name, getattr(family, "_labelnames", ()))
        yield f"{family.name}: {family.type}({', '.join(names)})"
        for sample in family.samples:
            if sample.labels and not sample.name.endswith("_created"):
                told = ", ".join(f"{name}={value}" for name, value in sample.labels.items())
                yield f"{family.name}: {sample.name}{{{told}}}"
    yield from (f"{name}: {kind} of a feature" for name, kind in metrics_of_features().items())


def metrics_of_features() -> dict[str, str]:
    """Return the type of each metric that a feature makes, read from the source: making one needs a bot."""
    files = (path.read_text(encoding="utf-8") for path in (SOURCE / "features").rglob("*.py"))
    return {name: kind.lower() for code in files for kind, name in METRIC.findall(code)}


def health() -> Iterator[str]:
    """Addresses for monitors, the fields of their answers, and the parts whose health they report."""
    health_server = HealthServer(made := Metrics(), Health(made))
    _, _, help_text = _get(health_server, "/")
    for path in re.findall(r"/\w+", help_text):
        status, kind, body = _get(health_server, path)
        yield f"GET {path}: {status} {kind.partition(';')[0]}"
        if kind == "application/json":
            yield from (f"GET {path}: {field}" for field in _fields(json.loads(body)))
    yield from (f"part {name}" for name in ("loop", *written("probe", 0)))


def _get(health_server: HealthServer, path: str) -> tuple[str, str, str]:
    """Ask for a path. Return status, content type and body."""
    told = list[Any]()
    environ = {"PATH_INFO": path, "REQUEST_METHOD": "GET", "QUERY_STRING": ""}
    body = b"".join(health_server._answer(environ, lambda *head: told.extend(head)))  # type: ignore[arg-type]
    return told[0], dict(told[1])["Content-Type"], body.decode()


def _fields(value: Any, path: str = "") -> Iterator[str]:
    """The fields of a JSON value, with dots between those of objects inside."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from (f"{path}{key}", *_fields(inner, f"{path}{key}."))


def logs() -> Iterator[str]:
    """Events and fields of log lines that the documentation names."""
    pages = "\n".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in OPERATORS_READ)
    for called, node in calls():
        if called in LOG_CALLS and (event := text(node)) and f"`{event}`" in pages:
            yield f"event {event} ({called})"
        if called in LOG_CALLS | BINDS:
            names = (keyword.arg for keyword in node.keywords if keyword.arg)
            yield from (f"field {name}" for name in names if re.search(rf"`(?:grep )?{name}=", pages))


def package() -> Iterator[str]:
    """Programs and extras of an installation."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    yield f"name {project['name']}"
    yield from (f"program {name}" for name in project["scripts"])
    yield from (f"extra {name}" for name in project["optional-dependencies"])


def cli() -> Iterator[str]:
    """Commands with their options and arguments."""
    yield from _command("valence", typer.main.get_command(app))


def _command(path: str, command: Any) -> Iterator[str]:
    """The lines of a command and of those below it."""
    yield path
    for parameter in command.params:
        yield f"{path} {_parameter(parameter)}"
    for name, inner in getattr(command, "commands", {}).items():
        yield from _command(f"{path} {name}", inner)


def _parameter(parameter: Any) -> str:
    """An option or argument with its type, bounds and default."""
    names = ", ".join((*parameter.opts, *parameter.secondary_opts))
    if not names.startswith("-"):
        names = f"<{parameter.metavar or parameter.name}>"
    words = [names, "flag" if getattr(parameter, "is_flag", False) else _annotation(parameter)]
    words += [
        f"{bound}={at}" for bound in ("min", "max") if (at := getattr(parameter, bound, None)) is not None
    ]
    words += ["required"] * parameter.required + ["several"] * (parameter.nargs != 1)
    default = parameter.default
    return " ".join(words) + (f" = {default!r}" if type(default) in (str, int, float) else "")


def _annotation(parameter: Any) -> str:
    """The type of an option or argument: what it allows, or the name of a plain type."""
    kind = parameter.type_descriptor.annotation
    if get_origin(kind) is Literal:
        return "|".join(map(str, get_args(kind)))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(each.value) for each in kind)
    return re.sub(r"\b\w+\.", "", str(kind)) if get_args(kind) else kind.__name__
