"""Bodies against Discord's own OpenAPI document, with errors worded like Discord's."""

from __future__ import annotations

import gzip
import json
from functools import cache
from importlib.resources import files
from typing import Any

import jsonschema_rs

from playground.errors import FormErrors, Path

_REF = "#/components/schemas/"

# Which schema rules a body; "[]" in front means a list of them.
CALLBACKS = {
    1: "PongInteractionCallbackRequest",
    4: "CreateMessageInteractionCallbackRequest",
    5: "CreateMessageInteractionCallbackRequest",
    6: "UpdateMessageInteractionCallbackRequest",
    7: "UpdateMessageInteractionCallbackRequest",
    8: "ApplicationCommandAutocompleteCallbackRequest",
    9: "ModalInteractionCallbackRequest",
}


@cache
def _document() -> dict[str, object]:
    raw = files("playground").joinpath("data/openapi.json.gz").read_bytes()
    schemas: dict[str, object] = json.loads(gzip.decompress(raw))["components"]["schemas"]
    # Libraries send snowflakes as numbers too, and Discord takes them.
    schemas["SnowflakeType"] = {"type": ["string", "integer"], "pattern": "^(0|[1-9][0-9]*)$"}
    return {name: _rewrite(body, schemas) for name, body in schemas.items()}


def _rewrite(node: object, schemas: dict[str, object]) -> object:
    """Turn unions into if/then on their discriminator: a plain oneOf only says that nothing fits."""
    if isinstance(node, list):
        return [_rewrite(item, schemas) for item in node]
    if not isinstance(node, dict):
        return node
    for keyword in ("oneOf", "anyOf"):
        union = node.get(keyword)
        if isinstance(union, list) and union:
            better = _discriminate(union, schemas)
            if better is not None:
                rest = {k: _rewrite(v, schemas) for k, v in node.items() if k != keyword}
                return {**rest, **better}
    return {key: _rewrite(value, schemas) for key, value in node.items()}


def _discriminate(union: list[Any], schemas: dict[str, Any]) -> dict[str, Any] | None:
    if len(union) == 2 and {"type": "null"} in union:
        other = next(item for item in union if item != {"type": "null"})
        return {"if": {"type": "null"}, "then": True, "else": _rewrite(other, schemas)}
    branches: list[dict[str, object]] = []
    kinds: list[int] = []
    for item in union:
        ref = item.get("$ref", "")
        target = schemas.get(ref.removeprefix(_REF), {})
        enum = target.get("properties", {}).get("type", {}).get("enum")
        if not enum or "type" not in target.get("required", []):
            return None
        kinds.extend(enum)
        branches.append({"if": {"properties": {"type": {"enum": enum}}}, "then": item})
    return {
        "type": "object",
        "required": ["type"],
        "if": {"required": ["type"], "properties": {"type": {"enum": kinds}}},
        "then": {"allOf": branches},
        "else": {"properties": {"type": {"enum": kinds}}},
    }


@cache
def _validator(name: str) -> Any:
    inner: dict[str, Any] = {"$ref": _REF + name.removeprefix("[]")}
    if name.startswith("[]"):
        inner = {"type": "array", "items": inner}
    return jsonschema_rs.Draft202012Validator({**inner, "components": {"schemas": _document()}})


@cache
def pattern(regex: str) -> Any:
    """Return a matcher with `is_valid(text)` that knows Unicode properties, which `re` does not."""
    return jsonschema_rs.Draft202012Validator({"pattern": regex})


def check(name: str, body: object, prefix: Path = ()) -> None:
    """Validate a body against a schema of the document. Raises ApiError 50035."""
    validator = _validator(name)
    if validator.is_valid(body):
        return
    form = FormErrors()
    for error in validator.iter_errors(body):
        path, code, message = _describe(error)
        form.add((*prefix, *path), code, message)
    form.raise_if_any()


def _describe(error: Any) -> tuple[Path, str, str]:
    path: Path = tuple(error.instance_path)
    kind = error.kind.as_dict()
    keyword, value = error.kind.name, kind.get("limit", error.kind.value)
    match keyword:
        case "required":
            return (*path, str(kind["property"])), "BASE_TYPE_REQUIRED", "This field is required"
        case "maxLength" | "maxItems" | "maxProperties":
            return path, "BASE_TYPE_MAX_LENGTH", f"Must be {value} or fewer in length."
        case "minLength" | "minItems":
            return path, "BASE_TYPE_MIN_LENGTH", f"Must be {value} or more in length."
        case "maximum":
            return path, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {value}."
        case "minimum":
            return path, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {value}."
        case "enum":
            options = ", ".join(str(item) for item in kind.get("options", value) or ())
            return path, "BASE_TYPE_CHOICES", f"Value must be one of {{{options}}}."
        case "const":
            return path, "BASE_TYPE_CHOICES", f"Value must be one of {{{kind.get('expected_value')}}}."
        case "type":
            wanted = "/".join(kind.get("types", ()))
            return path, "TYPE_CONVERT", f"Could not interpret {error.instance!r:.60} as {wanted}."
        case _:
            return path, "BASE_TYPE_INVALID", error.message[:200]
