"""What Discord checks in application commands beyond their schema."""

from __future__ import annotations

from collections.abc import Iterable

from playground.errors import ApiError, FormErrors, Path
from playground.model import Json
from playground.schema import pattern

_NAME = pattern(r"^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$")
LIMITS = {1: 100, 2: 15, 3: 15}
MAX_TOTAL = 8000
SUBCOMMAND, GROUP, STRING, INTEGER, NUMBER = 1, 2, 3, 4, 10


def check_all(bodies: list[Json], *, bulk: bool = True) -> None:
    """Check the commands of one scope together. Raises ApiError 50035 or 30032."""
    form = FormErrors()
    names: set[tuple[int, str]] = set()
    counts = dict.fromkeys(LIMITS, 0)
    for index, body in enumerate(bodies):
        kind = int(body.get("type") or 1)
        counts[kind] = counts.get(kind, 0) + 1
        if (kind, body["name"]) in names:
            form.add(
                (index,), "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"
            )
        names.add((kind, body["name"]))
        _command(body, (index,) if bulk else (), form)
    form.raise_if_any()
    for kind, count in counts.items():
        if count > LIMITS.get(kind, 1):
            raise ApiError(
                400,
                30032,
                f"Maximum number of application commands reached ({LIMITS.get(kind, 1)}).",
            )


def _command(body: Json, path: Path, form: FormErrors) -> None:
    kind = int(body.get("type") or 1)
    options = body.get("options") or []
    if kind == 1:
        _name(body, path, form)
        if not body.get("description"):
            form.add((*path, "description"), "BASE_TYPE_REQUIRED", "This field is required")
    else:
        if body.get("description"):
            form.add(
                (*path, "description"),
                "APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED",
                "Context menu commands cannot have description",
            )
        if options:
            form.add(
                (*path, "options"),
                "APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED",
                "Context menu commands cannot have options",
            )
    if total_size(body) > MAX_TOTAL:
        form.add(
            path,
            "APPLICATION_COMMAND_TOO_LARGE",
            f"Command exceeds maximum size ({MAX_TOTAL})",
        )
    _options(options, (*path, "options"), form, depth=0)


def _name(body: Json, path: Path, form: FormErrors) -> None:
    named: list[tuple[Path, str]] = [(("name",), body["name"])]
    named += [(("name_localizations", k), v) for k, v in (body.get("name_localizations") or {}).items()]
    for spot, name in named:
        if name != name.lower() or not _NAME.is_valid(name):
            form.add(
                (*path, *spot),
                "APPLICATION_COMMAND_INVALID_NAME",
                "Command name is invalid",
            )


def _options(options: list[Json], path: Path, form: FormErrors, depth: int) -> None:
    seen: set[str] = set()
    optional = False
    nested = [option["type"] in (SUBCOMMAND, GROUP) for option in options]
    if any(nested) and not all(nested):
        form.add(
            path,
            "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID",
            "Sub-command and sub-command group option types are mutually exclusive to all other types",
        )
    for index, option in enumerate(options):
        spot = (*path, index)
        _name(option, spot, form)
        if option["name"] in seen:
            form.add(
                (*spot, "name"),
                "APPLICATION_COMMAND_OPTIONS_NAME_INVALID",
                "The option names must be unique",
            )
        seen.add(option["name"])
        kind = option["type"]
        if (kind == GROUP and depth > 0) or (kind == SUBCOMMAND and depth > 1):
            form.add((*spot, "type"), "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Invalid nesting")
        if option.get("required"):
            if optional:
                form.add(
                    spot,
                    "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID",
                    "Required options must be placed before non-required options",
                )
        elif kind not in (SUBCOMMAND, GROUP):
            optional = True
        _choices(option, spot, form)
        if kind in (SUBCOMMAND, GROUP):
            _options(option.get("options") or [], (*spot, "options"), form, depth + 1)


def _choices(option: Json, path: Path, form: FormErrors) -> None:
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        form.add(
            (*path, "autocomplete"),
            "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES",
            "Autocomplete may not be set to true if choices are present",
        )
    names: set[str] = set()
    for index, choice in enumerate(choices):
        if option["type"] == STRING and len(str(choice["value"])) > 100:
            form.add(
                (*path, "choices", index, "value"),
                "BASE_TYPE_MAX_LENGTH",
                "Must be 100 or fewer in length.",
            )
        if choice["name"] in names:
            form.add(
                (*path, "choices", index, "name"),
                "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS",
                "Option choice names must be unique",
            )
        names.add(choice["name"])


def total_size(body: Json) -> int:
    """Return the characters that count against 8000: names, descriptions, choice values, nested too.

    Of a localised text the longest translation counts.
    """
    size = _longest(body, "name") + _longest(body, "description")
    for choice in body.get("choices") or ():
        size += _longest(choice, "name") + len(str(choice["value"]))
    return size + sum(total_size(option) for option in body.get("options") or ())


def _longest(body: Json, field: str) -> int:
    texts: Iterable[str] = (body.get(field) or "", *(body.get(f"{field}_localizations") or {}).values())
    return max(len(text) for text in texts)


def check_choices(data: Json) -> None:
    """Check an autocomplete answer: 25 choices, string values of 1 to 100. Raises ApiError 50035."""
    form = FormErrors()
    choices = data.get("choices") or []
    if len(choices) > 25:
        form.add(("data", "choices"), "BASE_TYPE_MAX_LENGTH", "Must be 25 or fewer in length.")
    for index, choice in enumerate(choices):
        spot: Path = ("data", "choices", index)
        name, value = choice.get("name"), choice.get("value")
        if not isinstance(name, str) or not 1 <= len(name) <= 100:
            form.add((*spot, "name"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
        if isinstance(value, str) and not 1 <= len(value) <= 100:
            form.add((*spot, "value"), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 100 in length.")
        if value is None:
            form.add((*spot, "value"), "BASE_TYPE_REQUIRED", "This field is required")
    form.raise_if_any()
