"""The building blocks of messages: Components V2 from plain values.

Every view is stopped before it is sent: then discord.py keeps nothing in memory for it, and buttons never
die, since all that a press needs stands in the custom id of its control (see `router.dispatch`).
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
"""What people press."""

ACCENT = 0x3FB8A0
BLANK = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAABAAAAABCAIAAABYG7kIAAAAD0lEQVR4nGMUN9BmIAUAABU8AHRDgWtGAAAAAElFTkSuQmCC"
)
"""A strip of felt, for a picture that could not be painted."""
MOST_TEXT = 4000
MOST_COMPONENTS = 40
_WIDE_STOP = re.compile(r"(?<=[。！？；]) +(?=\S)")
IN_A_ROW, MOST_IN_A_ROW = 4, 5
SIDE, BETWEEN, LETTER = 14, 8, 14
"""Of a button on a phone, in pixels: the room left and right of its words, the room to the next one, and how
high its words are."""


@dataclass(slots=True)
class Message:
    """A message to send: its view, and the pictures it shows by file name."""

    view: ui.LayoutView
    pictures: dict[str, Scene] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    raw: dict[str, tuple[bytes, str]] = field(default_factory=dict)
    """Pictures that are painted already, with their alt texts."""
    moment: object = None
    """For hands: what is equal as long as the hand looks the same and asks the same."""
    unpainted: set[str] = field(default_factory=set)
    """Pictures that could not be painted; known once `attachments` has come back."""
    retry: str = ""
    """Custom id that shows the message with its pictures again, offered if a picture is missing."""

    async def attachments(
        self, studio: Studio, *, later: bool = False, whose: int | None = None
    ) -> list[discord.File]:
        """The pictures, painted, as files with their alt texts; then the other files.

        `later`: no press waits for them, so those that answer one go before. `whose`: the person who asked,
        or the channel of a table; each gets a turn.
        A strip of felt stands for a picture that could not be painted. A moving picture stands still if
        others wait for a painter.

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
        """Return what `attachments` does, if all pictures have been painted already, or None."""
        files = {name: studio.painted_file(scene) for name, scene in self.pictures.items()}
        self.unpainted.clear()
        found = [self._file(name, data) for name, data in files.items() if data is not None]
        return found + self.ready() if len(found) == len(files) else None

    def _file(self, name: str, data: bytes) -> discord.File:
        return discord.File(io.BytesIO(data), name, description=self.pictures[name].alt)

    def _hold_still(self, name: str) -> None:
        """Replace a moving picture by the same one without motion, under a name that ends in .png."""
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
        """The files that need no painting."""
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
        """Return the view with a line in place of each of these pictures, and with `told` its alt text too.

        `lines` replace attached files, by name. `controls` that the message does not have yet follow the
        first picture's line, if there is room for them.
        """
        left, of_files = MOST_TEXT - self.view.content_length(), lines or {}
        present = {getattr(item, "custom_id", None) for item in self.view.walk_children()}
        follows = rows(control for control in controls if control.custom_id not in present)
        if self.view.total_children_count + sum(1 + len(row.children) for row in follows) > MOST_COMPONENTS:
            follows = []

        def words(item: ui.Item[ui.LayoutView]) -> list[ui.Item[ui.LayoutView]]:
            nonlocal left
            if isinstance(item, ui.File):
                name = item.media.url.removeprefix("attachment://")
                return [ui.TextDisplay(of_files[name]) if name in of_files else item]
            if _picture_of(item) not in names or not isinstance(item, ui.MediaGallery):
                return [item]
            alt = item.items[0].description if told else None
            text = clipped(closed_up(f"{line}\n{alt}".strip() if alt else line), max(1, left))
            left -= len(text)
            added = [ui.TextDisplay(text), *follows]
            follows.clear()
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
        """Put these below everything else."""
        container = next(block for block in reversed(self.view.children) if isinstance(block, ui.Container))
        for row in rows(controls):
            container.add_item(row)

    def fitted(self, wanted: Pictures) -> Message:
        """The message as somebody, or a channel, wants to see it: its pictures in those colours, outside of
        the container where they are to be large, or told in words."""
        if wanted.palette == "default" and not wanted.large and not wanted.text_only:
            return self
        scenes = {name: in_palette(scene, wanted.palette) for name, scene in self.pictures.items()}
        if wanted.text_only:
            galleries = {_picture_of(item) for item in self.view.walk_children()} - {""}
            told = self.without(galleries, "", told=True)
            return replace(self, view=told, pictures={}, raw={})
        return replace(self, view=_enlarged(self.view) if wanted.large else self.view, pictures=scenes)


def _container(
    like: ui.Container[ui.LayoutView], items: Iterable[ui.Item[ui.LayoutView]]
) -> ui.Container[ui.LayoutView]:
    made: ui.Container[ui.LayoutView] = ui.Container(accent_colour=like.accent_colour)
    for item in items:
        made.add_item(item)
    return made


def _enlarged(view: ui.LayoutView) -> ui.LayoutView:
    """Pictures between containers are as wide as the screen; inside of one they are a quarter smaller."""
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
    """The file name of the picture that a block shows, or nothing."""
    if isinstance(item, ui.MediaGallery) and item.items:
        return item.items[0].media.url.removeprefix("attachment://")
    return ""


def bare(message: Message, foot: str) -> Message:
    """The message without anything to press, and with this line below it."""
    view = ui.LayoutView(timeout=None)
    for block in message.view.children:
        if isinstance(block, ui.Container):
            kept = [item for item in block.children if not isinstance(item, ui.ActionRow)]
            told = (item.children if isinstance(item, ui.Section) else [item] for item in kept)
            view.add_item(_container(block, [*chain.from_iterable(told), ui.TextDisplay(foot)]))
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
    """Return a button whose press calls the handler of `verb` with these arguments.

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
    """A button that opens an address."""
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
    """Lines as Discord takes them."""
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
    """Return a select of 1 to 25 lines, whose choice calls the handler of `verb` with these arguments."""
    options = options_of(lines)
    return ui.Select(
        placeholder=clipped(placeholder, 150),
        custom_id=ids.make(verb, *args),
        options=options,
        min_values=min(least, len(options)),
        max_values=min(most, len(options)),
        disabled=disabled,
        # discord.py says True, of lists of people and roles from 2.8 on, and Discord refuses a message whose
        # select is required and may stay empty
        required=False,
    )


def people(placeholder: str, verb: str, *args: object, most: int) -> Control:
    """Return a select of people of this server."""
    return ui.UserSelect(
        placeholder=clipped(placeholder, 150),
        custom_id=ids.make(verb, *args),
        min_values=1,
        max_values=most,
        required=False,
    )


def rows(controls: Iterable[Control]) -> list[ui.ActionRow[ui.LayoutView]]:
    """Controls in rows: a select alone; buttons four to a row, since a fifth wraps on some phones, or five
    where that saves a line there, and spread so that they take the fewest lines."""
    return [ui.ActionRow(*row) for row in in_rows(controls)]


def in_rows(controls: Iterable[Control]) -> Iterator[tuple[Control, ...]]:
    """Yield the controls of each row."""
    for buttons, group in groupby(controls, lambda control: isinstance(control, ui.Button)):
        if buttons:
            yield from _spread(tuple(group))
        else:
            yield from ((control,) for control in group)


def phone_lines(controls: Iterable[Control]) -> int:
    """How many lines controls take on a phone, in rows, where buttons wrap."""
    return sum(_lines([_width(control) for control in row]) for row in in_rows(controls))


def _spread(line: tuple[Control, ...]) -> Iterator[tuple[Control, ...]]:
    """Buttons in as few rows as hold them: evenly where that takes the fewest lines on a phone, else in those
    that do, full rows first."""
    if not line:
        return
    wide = tuple(_width(control) for control in line)
    rows_of = ((IN_A_ROW, 0), (MOST_IN_A_ROW, 0), (IN_A_ROW, 1))
    _, cuts = min((_cuts(wide, most, more) for most, more in rows_of), key=itemgetter(0))
    yield from (line[start:end] for start, end in pairwise(cuts))


@lru_cache(1024)
def _cuts(wide: tuple[float, ...], most: int, more: int) -> tuple[int, tuple[int, ...]]:
    """How many lines of a phone buttons of these widths take in rows of at most so many, in as few rows as
    hold them and so many more, and where they are cut."""
    size = len(wide)
    count = min(-(-size // most) + more, size)

    def lines(cuts: Sequence[int]) -> int:
        return sum(_lines(wide[start:end]) for start, end in pairwise(cuts))

    # by how many buttons stand in the rows so far: the best places to cut them
    best: dict[int, tuple[int, ...]] = {0: (0,)}
    for _ in range(count):
        found: dict[int, tuple[int, ...]] = {}
        for start in sorted(best, reverse=True):
            for end in range(start + 1, min(size, start + most) + 1):
                cuts = (*best[start], end)
                if end not in found or lines(cuts) < lines(found[end]):
                    found[end] = cuts
        best = found
    even, cuts = tuple(round(row * size / count) for row in range(count + 1)), best[size]
    return (lines(even), even) if lines(even) <= lines(cuts) else (lines(cuts), cuts)


def _width(control: ui.Item[ui.LayoutView]) -> float:
    """How wide a button is on a phone, in pixels; of a list, no more than there is."""
    if not isinstance(control, ui.Button):
        return 2 * SIDE
    sign = LETTER + 10 if control.emoji else 0
    return 2 * SIDE + sign + _label_width(control.label or "")


@lru_cache(4096)
def _label_width(label: str) -> float:
    return letters.width(label, LETTER)


def _lines(wide: Sequence[float]) -> int:
    """How many lines buttons of these widths take in a row on a phone, where they wrap."""
    lines, taken = 1, 0.0
    for width in wide:
        if taken and taken + BETWEEN + width > CONTAINER_WIDTH:
            lines, taken = lines + 1, 0.0
        taken += (BETWEEN if taken else 0) + width
    return lines


@dataclass(frozen=True, slots=True)
class TextWithButton:
    """Text with a button at its right."""

    text: str
    button: ui.Button[ui.LayoutView]


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """A picture that the message already has, with its alt text."""

    name: str
    alt: str


def closed_up(text: str) -> str:
    """The text without spaces between sentences that end in a wide stop, which has its own: sentences are put
    side by side with a space, as most languages want it.

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
    """A message of one container: text, pictures, rows of controls, from top to bottom."""
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
    """The alt text of the first picture in a message's components; empty where there is none."""
    for component in components:
        for item in getattr(component, "items", ()):
            return item.description or ""
        if alt := shown_alt(getattr(component, "children", ())):
            return alt
    return ""


def as_it_is(message: discord.Message) -> ui.LayoutView | ui.View:
    """Return the components that a message shows, to edit it with its own attachments."""
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
    """The custom ids in a message's components, nested ones and accessories included."""
    return set(_ids(components))


def _ids(components: Iterable[Any]) -> Iterator[str]:
    for component in components:
        if custom_id := getattr(component, "custom_id", None):
            yield custom_id
        yield from _ids(getattr(component, "children", ()))
        if accessory := getattr(component, "accessory", None):
            yield from _ids([accessory])
