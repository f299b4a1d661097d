"""Builders of Components V2 messages from plain values.

Every view is stopped before it is sent, so discord.py keeps nothing in memory for it. Buttons never expire,
since the custom id of a control contains everything a press needs (see `router.dispatch`).
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain, groupby, pairwise
from operator import itemgetter
from pathlib import PurePosixPath
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import discord
import structlog
from discord import ui
from msgspec import structs

from bot import custom_ids as ids
from bot.presenters.voice import clipped
from bot.render import text as letters
from bot.render.pool import LATER, URGENT, Studio, StudioClosed
from bot.render.scene import Scene
from bot.render.theme import CONTAINER_WIDTH
from bot.store.prefs import Pictures
from bot.workers.errors import NoAnswer

log = structlog.get_logger(__name__)

Control: TypeAlias = (
    ui.Button[ui.LayoutView]
    | ui.Select[ui.LayoutView]
    | ui.UserSelect[ui.LayoutView]
    | ui.RoleSelect[ui.LayoutView]
    | ui.ChannelSelect[ui.LayoutView]
)
"""A button or select."""

ACCENT = 0x3FB8A0
BLANK = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAABCAIAAABYG7kIAAAAD0lEQVR4nGMUN9BmIAUAABU8AHRDgWtGAAAAAElFTkSuQmCC"
)
"""A strip of felt that replaces a picture that could not be painted."""
MOST_TEXT = 4000
MOST_COMPONENTS = 40
_WIDE_STOP = re.compile(r"(?<=[。！？；]) +(?=\S)")
IN_A_ROW, MOST_IN_A_ROW = 4, 5
SIDE, BETWEEN, LETTER = 14, 8, 14
"""Measures of a button on a phone in pixels: the padding left and right of its label, the gap to the next
button, and the height of its letters."""


@dataclass(slots=True)
class Message:
    """A message to send: its view, and its pictures by file name."""

    view: ui.LayoutView
    pictures: dict[str, Scene] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    raw: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    """Pictures that are already painted, with their alt texts."""
    moment: object = None
    """For hands: a value that stays equal while the hand shows the same cards and question."""
    unpainted: set[str] = field(default_factory=set)
    """Pictures that could not be painted, set once `attachments` has returned."""
    retry: str = ""
    """Custom id that shows the message with its pictures again, offered if a picture is missing."""

    async def attachments(
        self, studio: Studio, *, later: bool = False, whose: int | None = None
    ) -> list[discord.File]:
        """Paint the pictures. Return them as files with alt texts, followed by the other files.

        A picture that could not be painted is replaced by a strip of felt. A moving picture becomes a still
        one if others are waiting for a painter.

        Args:
            later: True if no press waits for them, so pictures that answer a press go first.
            whose: The person who asked, or the channel of a table. They take turns.

        Raises:
            StudioClosed: the bot is stopping.
        """
        priority = LATER if later else URGENT
        painted = []
        self.unpainted.clear()
        for name, scene in list(self.pictures.items()):
            if scene.motion and not studio.has_time_for(scene):
                self._hold_still(name)
        for name, scene in self.pictures.items():
            try:
                data = await studio.paint(scene, priority, whose=whose)
            except StudioClosed:
                raise
            except NoAnswer as lost:
                log.warning("picture not painted", name=name, why=lost.why)
                data = self._felt(name)
            except Exception:
                log.exception("picture not painted", name=name)
                data = self._felt(name)
            painted.append(self._file(name, data))
        return painted + self.ready()

    def painted(self, studio: Studio) -> list[discord.File] | None:
        """Return the result of `attachments` if all pictures are already painted, or None."""
        files = {name: studio.painted_file(scene) for name, scene in self.pictures.items()}
        self.unpainted.clear()
        painted_files = [self._file(name, data) for name, data in files.items() if data is not None]
        return painted_files + self.ready() if len(painted_files) == len(files) else None

    def _file(self, name: str, data: bytes) -> discord.File:
        return discord.File(io.BytesIO(data), name, description=self.pictures[name].alt)

    def _hold_still(self, name: str) -> None:
        """Replace a moving picture with its still version, under a name that ends in .png."""
        pictures, new = dict(self.pictures), name.replace(".gif", ".png")
        pictures[new] = structs.replace(pictures.pop(name), motion=())
        self.pictures = pictures
        for item in self.view.walk_children():
            if isinstance(item, ui.MediaGallery) and _picture_of(item) == name:
                item.items[0].media = f"attachment://{new}"

    def _felt(self, name: str) -> bytes:
        self.unpainted.add(name)
        return BLANK

    def ready(self) -> list[discord.File]:
        """Return the files that need no painting."""
        painted = [
            discord.File(io.BytesIO(data), name, description=alt) for name, (data, alt) in self.raw.items()
        ]
        return painted + [discord.File(io.BytesIO(data), name) for name, data in self.files.items()]

    def without(
        self,
        names: Collection[str],
        line: str,
        *,
        told: bool = False,
        lines: Mapping[str, str] | None = None,
        controls: Sequence[Control] = (),
    ) -> ui.LayoutView:
        """Return the view with these pictures replaced by a line, and with `told` by their alt texts too.

        `lines` replace attached files, by name. `controls` that the message does not have yet are added after
        the first picture's line if there is room.
        """
        room, file_lines = MOST_TEXT - self.view.content_length(), lines or {}
        present = {getattr(item, "custom_id", None) for item in self.view.walk_children()}
        extra_rows = rows(control for control in controls if control.custom_id not in present)
        if (
            self.view.total_children_count + sum(1 + len(row.children) for row in extra_rows)
            > MOST_COMPONENTS
        ):
            extra_rows = []

        def words(item: ui.Item[ui.LayoutView]) -> list[ui.Item[ui.LayoutView]]:
            nonlocal room
            if isinstance(item, ui.File):
                name = item.media.url.removeprefix("attachment://")
                return [ui.TextDisplay(file_lines[name]) if name in file_lines else item]
            if _picture_of(item) not in names or not isinstance(item, ui.MediaGallery):
                return [item]
            alt_text = item.items[0].description if told else None
            text = clipped(closed_up(f"{line}\n{alt_text}".strip() if alt_text else line), max(1, room))
            room -= len(text)
            added = [ui.TextDisplay(text), *extra_rows]
            extra_rows.clear()
            return added

        view = ui.LayoutView(timeout=None)
        for block in self.view.children:
            if isinstance(block, ui.Container):
                items = chain.from_iterable(map(words, block.children))
                view.add_item(_container(block, items))
            else:
                for item in words(block):
                    view.add_item(item)
        view.stop()
        return view

    def add_row(self, controls: Iterable[Control]) -> None:
        """Add these controls below everything else."""
        container = next(block for block in reversed(self.view.children) if isinstance(block, ui.Container))
        for row in rows(controls):
            container.add_item(row)

    def fitted(self, wanted: Pictures) -> Message:
        """Return the message as a person or channel prefers it.

        Its pictures have the chosen palette, are outside of the container if they should be large, or are
        replaced by their alt texts.
        """
        if wanted.palette == "default" and not wanted.large and not wanted.text_only:
            return self
        scenes = {name: in_palette(scene, wanted.palette) for name, scene in self.pictures.items()}
        if wanted.text_only:
            galleries = {_picture_of(item) for item in self.view.walk_children()} - {""}
            text_view = self.without(galleries, "", told=True)
            return replace(self, view=text_view, pictures={}, raw={})
        return replace(self, view=_enlarged(self.view) if wanted.large else self.view, pictures=scenes)


def _container(
    like: ui.Container[ui.LayoutView], items: Iterable[ui.Item[ui.LayoutView]]
) -> ui.Container[ui.LayoutView]:
    made: ui.Container[ui.LayoutView] = ui.Container(accent_colour=like.accent_colour)
    for item in items:
        made.add_item(item)
    return made


def _enlarged(view: ui.LayoutView) -> ui.LayoutView:
    """Return the view with its pictures moved out of containers.

    They are then as wide as the screen; inside a container they are a quarter smaller.
    """
    large = ui.LayoutView(timeout=None)
    for block in view.children:
        if not isinstance(block, ui.Container):
            large.add_item(block)
            continue
        for picture, items in groupby(block.children, lambda item: isinstance(item, ui.MediaGallery)):
            if picture:
                for item in items:
                    large.add_item(item)
            else:
                large.add_item(_container(block, items))
    large.stop()
    return large


def in_palette(scene: Scene, palette: str) -> Scene:
    """Return the scene in another palette."""
    return structs.replace(scene, look=structs.replace(scene.look, palette=palette))


def _picture_of(item: ui.Item[ui.LayoutView]) -> str:
    """Return the file name of the picture that a block shows, or an empty string."""
    if isinstance(item, ui.MediaGallery) and item.items:
        return item.items[0].media.url.removeprefix("attachment://")
    return ""


def bare(message: Message, foot: str) -> Message:
    """Return the message without controls, and with this line below it."""
    view = ui.LayoutView(timeout=None)
    for block in message.view.children:
        if isinstance(block, ui.Container):
            blocks = [item for item in block.children if not isinstance(item, ui.ActionRow)]
            items = (item.children if isinstance(item, ui.Section) else [item] for item in blocks)
            view.add_item(_container(block, [*chain.from_iterable(items), ui.TextDisplay(foot)]))
        else:
            view.add_item(block)
    view.stop()
    return replace(message, view=view)


def button(
    label: str,
    verb: str,
    *args: object,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    emoji: str | None = None,
    disabled: bool = False,
) -> ui.Button[ui.LayoutView]:
    """Return a button that calls the handler of `verb` with these arguments.

    The label is shortened to Discord's limit of 80 characters.

    Raises:
        CustomIdTooLong: the verb and its arguments take more than 100 characters.
    """
    return ui.Button(
        label=clipped(label, 80),
        custom_id=ids.make(verb, *args),
        style=style,
        emoji=emoji or None,
        disabled=disabled,
    )


def link(label: str, url: str) -> ui.Button[ui.LayoutView]:
    """Return a button that opens a URL."""
    return ui.Button(label=clipped(label, 80), url=url)


@dataclass(frozen=True, slots=True)
class MenuLine:
    """One line of a select."""

    value: str
    label: str
    note: str = ""
    emoji: str = ""
    chosen: bool = False


def options_of(lines: Iterable[MenuLine]) -> list[discord.SelectOption]:
    """Return the lines as Discord's select options."""
    return [
        discord.SelectOption(
            label=clipped(line.label, 100),
            value=line.value,
            description=clipped(line.note, 100) or None,
            emoji=line.emoji or None,
            default=line.chosen,
        )
        for line in lines
    ]


def select(
    placeholder: str,
    lines: Sequence[MenuLine],
    verb: str,
    *args: object,
    least: int = 1,
    most: int = 1,
    disabled: bool = False,
) -> Control:
    """Return a select of 1 to 25 lines that calls the handler of `verb` with these arguments."""
    options = options_of(lines)
    return ui.Select(
        placeholder=clipped(placeholder, 150),
        custom_id=ids.make(verb, *args),
        options=options,
        min_values=min(least, len(options)),
        max_values=min(most, len(options)),
        disabled=disabled,
        # discord.py sends True, for selects of people and roles from 2.8 on, and Discord refuses a message
        # whose select is required and may stay empty
        required=False,
    )


def people(placeholder: str, verb: str, *args: object, most: int) -> Control:
    """Return a select of people in this server."""
    return ui.UserSelect(
        placeholder=clipped(placeholder, 150),
        custom_id=ids.make(verb, *args),
        min_values=1,
        max_values=most,
        required=False,
    )


def rows(controls: Iterable[Control]) -> list[ui.ActionRow[ui.LayoutView]]:
    """Return the controls in rows that take the fewest lines on a phone.

    Each select has its own row. Buttons go four to a row, since a fifth wraps on some phones, or five if that
    saves a line.
    """
    return [ui.ActionRow(*row) for row in in_rows(controls)]


def in_rows(controls: Iterable[Control]) -> Iterator[tuple[Control, ...]]:
    """Yield the controls of each row."""
    for buttons, group in groupby(controls, lambda control: isinstance(control, ui.Button)):
        if buttons:
            yield from _spread(tuple(group))
        else:
            yield from ((control,) for control in group)


def phone_lines(controls: Iterable[Control]) -> int:
    """Return the number of lines that controls take on a phone, where the buttons of a row may wrap."""
    return sum(_lines([_width(control) for control in row]) for row in in_rows(controls))


def _spread(line: tuple[Control, ...]) -> Iterator[tuple[Control, ...]]:
    """Yield rows of buttons, as few as possible.

    Rows are even if that takes the fewest lines on a phone. Otherwise the first rows are full.
    """
    if not line:
        return
    widths = tuple(_width(control) for control in line)
    rows_of = ((IN_A_ROW, 0), (MOST_IN_A_ROW, 0), (IN_A_ROW, 1))
    _, cuts = min((_cuts(widths, per_row, extra) for per_row, extra in rows_of), key=itemgetter(0))
    yield from (line[start:end] for start, end in pairwise(cuts))


@lru_cache(1024)
def _cuts(widths: tuple[float, ...], per_row: int, extra: int) -> tuple[int, tuple[int, ...]]:
    """Return the number of lines that buttons of these widths take on a phone, and the cuts between their
    rows.

    A row holds at most `per_row` buttons. There are `extra` rows more than necessary.
    """
    size = len(widths)
    count = min(-(-size // per_row) + extra, size)

    def lines(cuts: Sequence[int]) -> int:
        return sum(_lines(widths[start:end]) for start, end in pairwise(cuts))

    # the best cuts so far, by the number of buttons before the last cut
    best: dict[int, tuple[int, ...]] = {0: (0,)}
    for _ in range(count):
        longer: dict[int, tuple[int, ...]] = {}
        for start in sorted(best, reverse=True):
            for end in range(start + 1, min(size, start + per_row) + 1):
                cuts = (*best[start], end)
                if end not in longer or lines(cuts) < lines(longer[end]):
                    longer[end] = cuts
        best = longer
    even, cuts = tuple(round(row * size / count) for row in range(count + 1)), best[size]
    return (lines(even), even) if lines(even) <= lines(cuts) else (lines(cuts), cuts)


def _width(control: ui.Item[ui.LayoutView]) -> float:
    """Return the width of a button on a phone in pixels, or the minimum width for a select."""
    if not isinstance(control, ui.Button):
        return 2 * SIDE
    emoji_width = LETTER + 10 if control.emoji else 0
    return 2 * SIDE + emoji_width + _label_width(control.label or "")


@lru_cache(4096)
def _label_width(label: str) -> float:
    return letters.width(label, LETTER)


def _lines(widths: Sequence[float]) -> int:
    """Return the number of lines that one row of buttons with these widths takes on a phone."""
    lines, used = 1, 0.0
    for width in widths:
        if used and used + BETWEEN + width > CONTAINER_WIDTH:
            lines, used = lines + 1, 0.0
        used += (BETWEEN if used else 0) + width
    return lines


@dataclass(frozen=True, slots=True)
class TextWithButton:
    """Text with a button to its right."""

    text: str
    button: ui.Button[ui.LayoutView]


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A picture that the message already has, with its alt text."""

    name: str
    alt: str


def closed_up(text: str) -> str:
    """Remove the space after a full-width stop, which already has its own space.

    Sentences are joined with a space, as most languages need it.

    >>> closed_up("要大过 Ada 的 **24**。 出哪张牌？"), closed_up("To beat: 24. Which card?")
    ('要大过 Ada 的 **24**。出哪张牌？', 'To beat: 24. Which card?')
    """
    return _WIDE_STOP.sub("", text)


def page(
    *blocks: str | Scene | KeptPicture | TextWithButton | Sequence[Control],
    pictures: Mapping[str, Scene] | None = None,
    files: Mapping[str, bytes] | None = None,
    raw: Mapping[str, tuple[bytes, str]] | None = None,
    picture_name: str = "picture.png",
    accent: int | None = ACCENT,
) -> Message:
    """Return a message of one container: text, pictures and rows of controls, from top to bottom."""
    container: ui.Container[ui.LayoutView] = ui.Container(accent_colour=accent)
    shown = dict(pictures or {})
    for block in blocks:
        if isinstance(block, str):
            if block:
                container.add_item(ui.TextDisplay(clipped(closed_up(block), MOST_TEXT - 600)))
        elif isinstance(block, TextWithButton):
            container.add_item(ui.Section(block.text, accessory=block.button))
        elif isinstance(block, Scene):
            name = picture_name.replace(".png", ".gif") if block.motion else picture_name
            if name in shown:
                name = f"{len(shown) + 1}-{name}"
            shown[name] = block
            item = discord.MediaGalleryItem(f"attachment://{name}", description=block.alt or None)
            container.add_item(ui.MediaGallery(item))
        elif isinstance(block, KeptPicture):
            item = discord.MediaGalleryItem(f"attachment://{block.name}", description=block.alt or None)
            container.add_item(ui.MediaGallery(item))
        else:
            for row in rows(block):
                container.add_item(row)
    for name, (_, alt) in (raw or {}).items():
        shown_raw = discord.MediaGalleryItem(f"attachment://{name}", description=alt)
        container.add_item(ui.MediaGallery(shown_raw))
    for name in files or {}:
        container.add_item(ui.File(f"attachment://{name}"))
    view = ui.LayoutView(timeout=None)
    view.add_item(container)
    view.stop()
    return Message(view, shown, dict(files or {}), dict(raw or {}))


def shown_alt(components: Iterable[object]) -> str:
    """Return the alt text of the first picture in a message's components, or an empty string."""
    for component in components:
        for item in getattr(component, "items", ()):
            return item.description or ""
        if alt := shown_alt(getattr(component, "children", ())):
            return alt
    return ""


def as_it_is(message: discord.Message) -> ui.LayoutView | ui.View:
    """Return the components of a message, to edit it while keeping its own attachments."""
    kind = ui.LayoutView if message.flags.components_v2 else ui.View
    view = kind.from_message(message, timeout=None)
    attached = {attachment.filename for attachment in message.attachments}
    for item in view.walk_children():
        pictures: Sequence[Any] = item.items if isinstance(item, ui.MediaGallery) else [item]
        for picture in pictures:
            media = getattr(picture, "media", None)
            if media is not None and (name := PurePosixPath(urlsplit(media.url).path).name) in attached:
                picture.media = f"attachment://{name}"
    view.stop()
    return view


def shown_ids(components: Iterable[object]) -> set[str]:
    """Return the custom ids in a message's components, including nested ones and accessories."""
    return set(_ids(components))


def _ids(components: Iterable[Any]) -> Iterator[str]:
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            yield custom_id
        yield from _ids(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            yield from _ids([accessory])
