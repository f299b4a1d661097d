"""What Discord checks in components beyond their schema: totals, uniqueness, styles, emoji, media."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from playground.errors import FormErrors, Path
from playground.model import Json
from playground.schema import pattern

ROW, BUTTON, STRING_SELECT, TEXT_INPUT = 1, 2, 3, 4
USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT = 5, 6, 7, 8
SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR = 9, 10, 11, 12, 13, 14
CONTAINER, LABEL, FILE_UPLOAD, RADIO, CHECKBOXES, CHECKBOX = 17, 18, 19, 21, 22, 23

SELECTS = frozenset({STRING_SELECT, USER_SELECT, ROLE_SELECT, MENTIONABLE_SELECT, CHANNEL_SELECT})

MAX_COMPONENTS, MAX_TEXT, MAX_ROWS = 40, 4000, 5

# One emoji: a flag, a keycap, or a pictograph that is one by nature or by U+FE0F, joined or not.
_EMOJI = pattern(
    r"^(?:\p{Regional_Indicator}{2}|[0-9#*]\x{FE0F}?\x{20E3}|(?![0-9#*]|\p{Regional_Indicator})"
    r"(?:\p{Emoji}\x{FE0F}|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|\p{Emoji_Presentation})"
    r"[\x{E0020}-\x{E007F}]*(?:\x{200D}\p{Emoji}\x{FE0F}?\p{Emoji_Modifier}?)*)$"
)


def is_emoji(text: str) -> bool:
    """Say whether a text is exactly one Unicode emoji."""
    return bool(_EMOJI.is_valid(text))


def walk(components: list[Json] | None, prefix: Path = ("components",)) -> Iterator[tuple[Path, Json]]:
    """Yield every component with its path, nested ones and accessories included."""
    for index, item in enumerate(components or ()):
        path = (*prefix, index)
        yield path, item
        if "components" in item:
            yield from walk(item["components"], (*path, "components"))
        for single in ("accessory", "component"):
            if isinstance(item.get(single), dict):
                yield (*path, single), item[single]


def find(components: list[Json] | None, custom_id: str) -> Json | None:
    """Return the component that has a custom_id."""
    return next((c for _, c in walk(components) if c.get("custom_id") == custom_id), None)


def check(
    components: list[Json], form: FormErrors, *, v2: bool, files: Collection[str], emojis: Collection[int]
) -> None:
    """Check a message's components; faults are added to the form.

    `files` are the names of the attached files, `emojis` the ids of the application's emoji.
    """
    if not v2:
        if len(components) > MAX_ROWS:
            form.add(("components",), "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
        for index, item in enumerate(components):
            if item["type"] != ROW:
                form.add(
                    ("components", index, "type"),
                    "UNION_TYPE_CHOICES",
                    'Value of field "type" must be one of (1,).',
                )
    found = list(walk(components))
    if len(found) > MAX_COMPONENTS:
        form.add(
            ("components",),
            "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED",
            f"The maximum number of components in this message has been exceeded ({MAX_COMPONENTS}).",
        )
    if sum(len(c["content"]) for _, c in found if c["type"] == TEXT) > MAX_TEXT:
        form.add(
            ("components",),
            "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED",
            f"The total displayable text size exceeds the maximum of {MAX_TEXT}.",
        )
    check_unique(found, form)
    for path, item in found:
        kind = item["type"]
        if kind == ROW:
            _row(path, item, form)
        elif kind == BUTTON:
            _button(path, item, form, emojis)
        elif kind in SELECTS:
            check_select(path, item, form, emojis, required=item.get("required") is True)
        for spot, media in media_of(item):
            _media(path + spot, media, form, files, only_attached=kind == FILE)


def check_unique(found: list[tuple[Path, Json]], form: FormErrors) -> None:
    """Check that custom_ids and numeric ids do not repeat."""
    seen: set[str] = set()
    numbers: set[int] = set()
    for path, item in found:
        custom_id, number = item.get("custom_id"), item.get("id")
        if custom_id is not None:
            if custom_id in seen:
                form.add(
                    (*path, "custom_id"),
                    "COMPONENT_CUSTOM_ID_DUPLICATED",
                    "Component custom id cannot be duplicated",
                )
            seen.add(custom_id)
        if number:
            if number in numbers:
                form.add((*path, "id"), "COMPONENT_ID_DUPLICATED", "Component id cannot be duplicated")
            numbers.add(number)


def media_of(item: Json) -> Iterator[tuple[Path, Json]]:
    """Yield the media references of one component with their path inside it."""
    match item["type"]:
        case 11:
            yield ("media",), item["media"]
        case 13:
            yield ("file",), item["file"]
        case 12:
            for index, entry in enumerate(item["items"]):
                yield ("items", index, "media"), entry["media"]


def _media(path: Path, media: Json, form: FormErrors, files: Collection[str], *, only_attached: bool) -> None:
    url = str(media.get("url", ""))
    if url.startswith("attachment://"):
        if url.removeprefix("attachment://") not in files:
            form.add(
                (*path, "url"),
                "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND",
                f"The referenced attachment was not found: {url}",
            )
    elif only_attached or not url.startswith(("http://", "https://")):
        form.add(
            (*path, "url"),
            "URL_TYPE_INVALID_SCHEME",
            "Scheme must be one of ('attachment',)."
            if only_attached
            else "Scheme must be one of ('http', 'https', 'attachment').",
        )


def _row(path: Path, item: Json, form: FormErrors) -> None:
    kinds = [child["type"] for child in item["components"]]
    selects = sum(kind in SELECTS for kind in kinds)
    if selects and len(kinds) > 1:
        form.add(
            (*path, "components"),
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "The specified component exceeds the maximum width",
        )


def _button(path: Path, item: Json, form: FormErrors, emojis: Collection[int]) -> None:
    style, custom_id, url = item["style"], item.get("custom_id"), item.get("url")
    if style in (1, 2, 3, 4):
        if not custom_id:
            form.add((*path, "custom_id"), "BUTTON_COMPONENT_CUSTOM_ID_REQUIRED", "A custom id is required")
        if url:
            form.add(
                (*path, "url"), "BUTTON_COMPONENT_INVALID_URL", "A url cannot be used with a custom id button"
            )
    elif style == 5:
        if not url:
            form.add((*path, "url"), "BUTTON_COMPONENT_URL_REQUIRED", "A url is required")
        elif not str(url).startswith(("http://", "https://", "discord://")):
            form.add(
                (*path, "url"),
                "URL_TYPE_INVALID_SCHEME",
                "Scheme must be one of ('http', 'https', 'discord').",
            )
        if custom_id:
            form.add(
                (*path, "custom_id"),
                "BUTTON_COMPONENT_CUSTOM_ID_AND_URL",
                "A custom id and url cannot both be specified",
            )
    if style != 6 and not item.get("label") and not item.get("emoji"):
        form.add(
            (*path, "label"), "BUTTON_COMPONENT_LABEL_REQUIRED", "A button must have a label or an emoji"
        )
    check_emoji((*path, "emoji"), item.get("emoji"), form, emojis, "BUTTON_COMPONENT_INVALID_EMOJI")


def check_least(path: Path, item: Json, form: FormErrors, *, required: bool) -> None:
    """Check that what must be answered asks for one value at least; Discord does so in messages as well."""
    if required and item.get("min_values") == 0:
        form.add(
            (*path, "min_values"),
            "SELECT_COMPONENT_REQUIRED_ZERO_MIN_VALUES",
            "Select menus marked as required cannot have a min_values of 0",
        )


def check_select(
    path: Path, item: Json, form: FormErrors, emojis: Collection[int], *, required: bool
) -> None:
    """Check the numbers, values and emoji of a select.

    `required`: whether it must be answered: in a form unless it says otherwise, in a message if it says so.
    """
    check_least(path, item, form, required=required)
    low = item["min_values"] if item.get("min_values") is not None else 1
    high = item["max_values"] if item.get("max_values") is not None else 1
    if low > high:
        form.add(
            (*path, "min_values"),
            "SELECT_COMPONENT_INVALID_RANGE",
            "min_values must not be greater than max_values",
        )
    defaults = item.get("default_values") or []
    if item["type"] == STRING_SELECT:
        options: list[Any] = item["options"]
        if high > len(options):
            form.add(
                (*path, "max_values"),
                "SELECT_COMPONENT_MAX_VALUES_EXCEEDS_OPTIONS",
                f"Must not exceed the number of options ({len(options)}).",
            )
        seen: set[str] = set()
        for index, option in enumerate(options):
            spot = (*path, "options", index)
            if option["value"] in seen:
                form.add(
                    (*spot, "value"),
                    "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED",
                    "The specified option value is already used",
                )
            seen.add(option["value"])
            check_emoji((*spot, "emoji"), option.get("emoji"), form, emojis, "COMPONENT_INVALID_EMOJI")
        defaults = [option for option in options if option.get("default")]
    if len(defaults) > high:
        form.add(
            (*path, "options"),
            "SELECT_COMPONENT_TOO_MANY_DEFAULTS",
            f"{len(defaults)} defaults for max_values {high}",
        )


def check_emoji(path: Path, emoji: Json | None, form: FormErrors, emojis: Collection[int], code: str) -> None:
    """Check that an emoji is one of Unicode or one of the application."""
    if not emoji:
        return
    number = emoji.get("id")
    good = int(number) in emojis if number else is_emoji(str(emoji.get("name", "")))
    if not good:
        form.add((*path, "id" if number else "name"), code, "Invalid emoji")
