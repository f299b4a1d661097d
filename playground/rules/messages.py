"""What Discord checks in a message body beyond its schema."""

from __future__ import annotations

from collections.abc import Collection

from playground.errors import ApiError, FormErrors, Path
from playground.model import COMPONENTS_V2, Json, PostedMessage
from playground.rules import components

MAX_CONTENT, MAX_EMBEDS, MAX_FILES = 2000, 6000, 10
MAX_FILE = 10 * 1024 * 1024


def check(
    body: Json,
    *,
    prefix: Path = (),
    old: PostedMessage | None = None,
    files: Collection[str],
    emojis: Collection[int],
) -> None:
    """Check a body for a new message, or for an edit of `old`.

    `files` names everything that the message will have attached. Raises ApiError 50035 or 50006.
    """
    form = _Prefixed(prefix)
    flags = int(body.get("flags") or 0)
    was_v2 = bool(old and old.flags & COMPONENTS_V2)
    v2 = was_v2 or bool(flags & COMPONENTS_V2)
    if was_v2 and body.get("flags") is not None and not flags & COMPONENTS_V2:
        form.add(
            ("flags",),
            "MESSAGE_FLAGS_CANNOT_REMOVE_COMPONENTS_V2",
            "The IS_COMPONENTS_V2 flag cannot be removed",
        )
    content = body.get("content", old.content if old else None)
    embeds = body.get("embeds", old.embeds if old else None)
    parts = body.get("components", old.components if old else None)
    if content and len(content) > MAX_CONTENT:
        form.add(("content",), "BASE_TYPE_MAX_LENGTH", f"Must be {MAX_CONTENT} or fewer in length.")
    if v2:
        legacy = {"content": content, "embeds": embeds}
        for name in ("poll", "sticker_ids"):
            legacy[name] = body.get(name)
        for name, value in legacy.items():
            if value:
                form.add(
                    (name,),
                    "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2",
                    f"The '{name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2",
                )
        if not parts:
            form.add(("components",), "BASE_TYPE_REQUIRED", "This field is required")
    if embeds and "embeds" in body:
        _embeds(embeds, form, files)
    if parts and ("components" in body or v2 != was_v2):
        components.check(parts, form, v2=v2, files=files, emojis=emojis)
    _mentions(body.get("allowed_mentions"), form)
    form.raise_if_any()
    if not (content or embeds or parts or files or body.get("poll") or body.get("sticker_ids")):
        raise ApiError(400, 50006, "Cannot send an empty message")


class _Prefixed(FormErrors):
    """A form whose paths all start alike (`data` in callbacks)."""

    def __init__(self, prefix: Path) -> None:
        super().__init__()
        self._prefix = prefix

    def add(self, path: Path, code: str, message: str) -> None:
        super().add((*self._prefix, *path), code, message)


def _embeds(embeds: list[Json], form: FormErrors, files: Collection[str]) -> None:
    total = 0
    for index, embed in enumerate(embeds):
        texts = [embed.get("title"), embed.get("description")]
        texts += [(embed.get("footer") or {}).get("text"), (embed.get("author") or {}).get("name")]
        for field in embed.get("fields") or ():
            texts += [field.get("name"), field.get("value")]
        total += sum(len(text) for text in texts if text)
        for spot in ("image", "thumbnail"):
            url = str((embed.get(spot) or {}).get("url") or "")
            if url.startswith("attachment://") and url.removeprefix("attachment://") not in files:
                form.add(
                    ("embeds", index, spot, "url"),
                    "EMBED_ATTACHMENT_NOT_FOUND",
                    f"The referenced attachment was not found: {url}",
                )
    if total > MAX_EMBEDS:
        form.add(("embeds",), "MAX_EMBED_SIZE_EXCEEDED", f"Embed size exceeds maximum size of {MAX_EMBEDS}")


def _mentions(allowed: object, form: FormErrors) -> None:
    if not isinstance(allowed, dict):
        return
    for kind in ("users", "roles"):
        if kind in (allowed.get("parse") or ()) and allowed.get(kind):
            form.add(
                ("allowed_mentions",),
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.',
            )


def check_modal(data: Json, emojis: Collection[int]) -> None:
    """Check a modal beyond its schema. Raises ApiError 50035."""
    form = _Prefixed(("data",))
    if len(data["components"]) > components.MAX_ROWS:
        form.add(("components",), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
    found = list(components.walk(data["components"]))
    components.check_unique(found, form)
    for path, item in found:
        kind = item["type"]
        required = item.get("required") is not False
        if kind in components.SELECTS:
            if item.get("disabled"):
                form.add(
                    (*path, "disabled"), "SELECT_COMPONENT_DISABLED", "A select in a modal cannot be disabled"
                )
            components.check_select(path, item, form, emojis, required=required)
        elif kind in (components.RADIO, components.CHECKBOXES):
            components.check_least(path, item, form, required=required)
            _options(path, item, form)
        elif kind == components.FILE_UPLOAD:
            components.check_least(path, item, form, required=required)
        elif kind == components.TEXT_INPUT:
            _text_input(path, item, form)
    form.raise_if_any()


def _options(path: Path, item: Json, form: FormErrors) -> None:
    seen: set[str] = set()
    for index, option in enumerate(item["options"]):
        if option["value"] in seen:
            form.add(
                (*path, "options", index, "value"),
                "COMPONENT_OPTION_VALUE_DUPLICATED",
                "The specified option value is already used",
            )
        seen.add(option["value"])
    high = 1 if item["type"] == components.RADIO else item.get("max_values") or len(item["options"])
    if sum(bool(option.get("default")) for option in item["options"]) > high:
        form.add((*path, "options"), "COMPONENT_TOO_MANY_DEFAULTS", f"More defaults than {high}")


def _text_input(path: Path, item: Json, form: FormErrors) -> None:
    inside_label = path[-1] == "component"
    if not inside_label and not item.get("label"):
        form.add((*path, "label"), "BASE_TYPE_REQUIRED", "This field is required")
    low, high = item.get("min_length") or 0, item.get("max_length") or 4000
    if low > high:
        form.add((*path, "min_length"), "TEXT_INPUT_INVALID_RANGE", "min_length must not exceed max_length")
    value = item.get("value")
    if value and not low <= len(value) <= high:
        form.add((*path, "value"), "BASE_TYPE_BAD_LENGTH", f"Must be between {low} and {high} in length.")
