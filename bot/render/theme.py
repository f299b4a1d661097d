"""The look of Valence: colours by name, radii, the grid. No other module defines a colour."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from bot.render.colour import RGB, contrast, rgb

GRID: Final = 8
"""The unit of all distances, in pixels of a picture 1280 wide."""
RADIUS_SMALL: Final = 8
RADIUS_CARD: Final = 16
RADIUS_PANEL: Final = 24
PHONE_WIDTH: Final = 400
"""Width of a picture on a phone, in points."""
CONTAINER_WIDTH: Final = 294
"""Width of a picture inside a container on a phone, as in any message the reader has not enlarged."""
PHONE_TEXT: Final = 11
"""The smallest type that anyone should have to read there."""
SEATS: Final = 8

_DEFAULT: Final = {
    # the table
    "felt": "#16302C",
    "panel": "#1F403A",
    "panel_high": "#2A534B",
    "edge": "#3B6A60",
    "text": "#F4F1E8",
    "muted": "#B3CCC3",
    "accent": "#FFC94A",
    "accent_ink": "#2B2105",
    "shade": "#0E211E",
    # cards
    "paper": "#FAF7EF",
    "paper_low": "#E9E4D6",
    "paper_edge": "#CFC8B6",
    "ink": "#1B2326",
    "ink_soft": "#5F6B6E",
    "ink_faint": "#B4B5AE",
    "back": "#31475E",
    "back_line": "#4E6A86",
    "suit_red": "#B3202E",
    # signs
    "natural": "#D0282E",
    "made": "#E668A7",
    "good": "#7FD6A0",
    "bad": "#F08A7A",
    # seats
    "seat0": "#64E3F5",
    "seat1": "#D08A45",
    "seat2": "#D3F4CB",
    "seat3": "#8B92F0",
    "seat4": "#E0608F",
    "seat5": "#B9A98C",
    "seat6": "#FFF096",
    "seat7": "#B469B4",
    # kinds of element
    "nonmetal": "#8CA274",
    "noble gas": "#0E6BC4",
    "alkali metal": "#7A1F04",
    "alkaline earth metal": "#C17528",
    "metalloid": "#3C4642",
    "halogen": "#F7D081",
    "post-transition metal": "#C7E4F7",
    "transition metal": "#2FB4EA",
    "lanthanide": "#A17299",
    "actinide": "#661B6F",
}

_CONTRAST: Final = _DEFAULT | {
    "felt": "#000000",
    "panel": "#141414",
    "panel_high": "#262626",
    "edge": "#8C8C8C",
    "text": "#FFFFFF",
    "muted": "#D6D6D6",
    "accent": "#FFD83A",
    "accent_ink": "#000000",
    "shade": "#000000",
    "paper": "#FFFFFF",
    "paper_low": "#EDEDED",
    "paper_edge": "#8C8C8C",
    "ink": "#000000",
    "ink_soft": "#3A3A3A",
    "ink_faint": "#A0A0A0",
    "back": "#262F4A",
    "back_line": "#7F93C8",
    "seat1": "#E09A50",
    "good": "#8CF0B4",
    "bad": "#FF9A8A",
}

_TABLES: Final = {
    "plum": {
        "felt": "#362131",
        "panel": "#492C41",
        "panel_high": "#5F3B56",
        "edge": "#79506F",
        "muted": "#D5BCCF",
        "shade": "#261722",
    },
    "slate": {
        "felt": "#292B33",
        "panel": "#373A43",
        "panel_high": "#484C57",
        "edge": "#5D616F",
        "muted": "#C4C6CF",
        "shade": "#1C1E23",
    },
    "teal": {
        "felt": "#02303E",
        "panel": "#004052",
        "panel_high": "#00536A",
        "edge": "#106A85",
        "muted": "#A9CCDC",
        "shade": "#02212B",
    },
    "navy": {
        "felt": "#222A49",
        "panel": "#2E3860",
        "panel_high": "#3C497B",
        "edge": "#505E99",
        "muted": "#C0C4E9",
        "shade": "#171C33",
    },
}
"""Other table backgrounds: the felt in another hue, equally light."""
GROUNDS: Final = ("felt", *_TABLES)

CATEGORIES: Final = (
    "nonmetal",
    "noble gas",
    "alkali metal",
    "alkaline earth metal",
    "metalloid",
    "halogen",
    "post-transition metal",
    "transition metal",
    "lanthanide",
    "actinide",
)


@dataclass(frozen=True)
class Theme:
    """A palette by name. It is hashed by that name, because there is only one theme of each."""

    name: str
    colours: MappingProxyType[str, RGB]

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Theme) and other.name == self.name

    def __getitem__(self, colour: str) -> RGB:
        """Return the colour of that name. Raises KeyError if no theme has it."""
        return self.colours[colour]

    def on(self, colour: str) -> str:
        """Return the name of the text colour to write with on `colour`: light paper or dark ink."""
        ground = self[colour]
        return max(("ink", "paper"), key=lambda name: contrast(self[name], ground))


PALETTES: Final = ("default", "contrast")


@cache
def theme(name: str = "default", ground: str = "felt") -> Theme:
    """Return the theme of that name, or the default for an unknown name, so an old setting still works.

    `ground` is the table background, one of GROUNDS. With the high-contrast palette all of them are black.
    """
    if name == "contrast":
        known, table = name, _CONTRAST
    else:
        known = ground if ground in _TABLES else "default"
        table = _DEFAULT | _TABLES.get(ground, {})
    return Theme(known, MappingProxyType({key: rgb(value) for key, value in table.items()}))


def themes() -> tuple[Theme, ...]:
    """Return all themes."""
    return (*map(theme, PALETTES), *(theme(ground=table) for table in _TABLES))


def seat_colour(seat: int) -> str:
    """Return the name of a seat's colour. Always show it with the seat's letter, see `seat_letter`."""
    return f"seat{seat % SEATS}"


def seat_letter(seat: int) -> str:
    """Return the letter of a seat (A, B, C…), which works without colour."""
    return chr(ord("A") + seat % 26)
