"""What people pick in selects and type into modals, checked and worded as interaction data."""

from __future__ import annotations

from collections.abc import Mapping

from playground.model import Json
from playground.options import CHANNEL, MENTIONABLE, ROLE, USER, Filler, OptionRefused
from playground.rules import components as c

_ENTITY = {
    c.USER_SELECT: USER,
    c.ROLE_SELECT: ROLE,
    c.MENTIONABLE_SELECT: MENTIONABLE,
    c.CHANNEL_SELECT: CHANNEL,
}


def picked(item: Json, values: list[object], filler: Filler, *, needed: bool = True) -> list[str]:
    """Check what was picked in a select. Raises Refused."""
    low = item["min_values"] if item.get("min_values") is not None else 1
    high = item["max_values"] if item.get("max_values") is not None else 1
    name = item["custom_id"]
    if not needed and not values:
        return []
    if not low <= len(values) <= high:
        raise OptionRefused(f"Make between {low} and {high} selections.", name)
    if item["type"] == c.STRING_SELECT:
        allowed = {option["value"] for option in item["options"]}
        if len(set(values)) != len(values) or not set(values) <= allowed:
            raise OptionRefused("That is not one of the options.", name)
        return [str(value) for value in values]
    kind = _ENTITY[item["type"]]
    return [filler.thing(kind, value, name, item.get("channel_types")) for value in values]


def submitted(modal: Json, values: Mapping[str, object], filler: Filler) -> list[Json]:
    """Return the components of a modal's submit. Raises Refused at the first input that is wrong."""
    found = []
    known = {item.get("custom_id") for _, item in c.walk(modal["components"])}
    for name in values:
        if name not in known:
            raise OptionRefused(f"There is no input “{name}”", name)
    for index, item in enumerate(modal["components"], start=1):
        number = item.get("id") or index
        if item["type"] == c.TEXT:
            found.append({"type": c.TEXT, "id": number})
        elif item["type"] == c.LABEL:
            inner = _input(item["component"], values, filler, number + 100)
            found.append({"type": c.LABEL, "id": number, "component": inner})
        else:
            children = [_input(child, values, filler, number + 100) for child in item["components"]]
            found.append({"type": c.ROW, "id": number, "components": children})
    return found


def _input(item: Json, values: Mapping[str, object], filler: Filler, number: int) -> Json:
    name, kind = item["custom_id"], item["type"]
    needed = item.get("required") is not False
    body: Json = {"type": kind, "id": item.get("id") or number, "custom_id": name}
    given = values.get(name)
    if kind == c.TEXT_INPUT:
        body["value"] = _text(item, item.get("value") or "" if given is None else str(given), needed=needed)
    elif kind in c.SELECTS:
        if given is None:
            given = [o["value"] for o in item.get("options") or () if o.get("default")]
            given = given or [v["id"] for v in item.get("default_values") or ()]
        body["values"] = picked(item, _listed(given), filler, needed=needed)
    elif kind == c.FILE_UPLOAD:
        body["values"] = _files(item, _listed(given), filler, needed=needed)
    elif kind == c.RADIO:
        body["value"] = _radio(item, given, needed=needed)
    elif kind == c.CHECKBOXES:
        body["values"] = _checked(item, given, needed=needed)
    else:
        body["value"] = bool(item.get("default")) if given is None else bool(given)
    return body


def _listed(given: object) -> list[object]:
    if given is None:
        return []
    return list(given) if isinstance(given, (list, tuple)) else [given]


def _text(item: Json, text: str, *, needed: bool) -> str:
    low = item.get("min_length") or (1 if needed else 0)
    high = item.get("max_length") or 4000
    if not text and not needed:
        return ""
    if not text:
        raise OptionRefused("This field is required.", item["custom_id"])
    if not low <= len(text) <= high:
        raise OptionRefused(f"Must be between {low} and {high} in length.", item["custom_id"])
    return text


def _files(item: Json, given: list[object], filler: Filler, *, needed: bool) -> list[str]:
    low = item["min_values"] if item.get("min_values") is not None else 1
    high = item.get("max_values") or 1
    if not given and not needed:
        return []
    if not low <= len(given) <= high:
        raise OptionRefused(f"Upload between {low} and {high} files.", item["custom_id"])
    return [filler.file(value, item["custom_id"]) for value in given]


def _radio(item: Json, given: object, *, needed: bool) -> str | None:
    allowed = [option["value"] for option in item["options"]]
    if given is None:
        given = next((o["value"] for o in item["options"] if o.get("default")), None)
    if given is None:
        if needed:
            raise OptionRefused("Pick one.", item["custom_id"])
        return None
    if given not in allowed:
        raise OptionRefused("That is not one of the options.", item["custom_id"])
    return str(given)


def _checked(item: Json, given: object, *, needed: bool) -> list[str]:
    allowed = {option["value"] for option in item["options"]}
    chosen = _listed(given)
    if given is None:
        chosen = [o["value"] for o in item["options"] if o.get("default")]
    if not chosen and not needed:
        return []
    low = item["min_values"] if item.get("min_values") is not None else 1
    high = item.get("max_values") or len(allowed)
    if not set(chosen) <= allowed:
        raise OptionRefused("That is not one of the options.", item["custom_id"])
    if not low <= len(chosen) <= high:
        raise OptionRefused(f"Pick between {low} and {high}.", item["custom_id"])
    return [str(value) for value in chosen]
