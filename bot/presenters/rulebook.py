"""Pages of the rules that fit a phone, with a worked example and its cards as a picture, and the words of
options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from bot.locales import words
from bot.presenters.base import Page
from bot.presenters.poster import Emblem
from bot.presenters.voice import Voice
from bot.render.pages.figures import Figure, figures_scene
from bot.render.pages.poster import PosterTile
from bot.render.parts import alt_text
from bot.render.scene import Look, Scene
from engine import catalog
from engine.game import Value

SIGNS: Final = frozenset("+→←=<>")
Draw = Callable[[str], tuple[Emblem, str]]
"""Maps the sign of a card in an example to its emblem and its name for the alt text."""


def example_scene(
    voice: Voice, key: str, cards: str, draw: Draw, *, table: str = "felt", beside: int = 10
) -> Scene:
    """Return a picture of the cards of an example, such as `C + O,O → CO2*`.

    The heading is `rules.<key>_head`; the captions below the cards are the list `rules.<key>_captions`.

    `cards` is separated by spaces. Each part is a sign, or a card (or several, with commas), marked by `*` or
    held back by `~`. `table` is the background, `beside` the space between cards that belong together, in
    pixels.
    """
    captions, figures, told, sign = list(voice.list(f"rules.{key}_captions")), list[Figure](), list[str](), ""
    for part in cards.split():
        if part in SIGNS:
            sign = part
            continue
        found = [draw(card) for card in part.rstrip("*~").split(",")]
        caption = captions[len(figures)] if len(figures) < len(captions) else ""
        figures.append(
            Figure(
                tuple(PosterTile(emblem.painter, emblem.args, emblem.shape) for emblem, _ in found),
                caption,
                sign,
                lit=part.endswith("*"),
                faint=part.endswith("~"),
                ground=found[0][0].ground,
                beside=beside,
            )
        )
        names = " ".join(name for _, name in found)
        told.append(" ".join(filter(None, (sign, names, f"({caption})" if caption else ""))))
        sign = ""
    head = voice(f"rules.{key}_head")
    return figures_scene(head, figures, alt_text(f"{head}:", voice.listed(told) + "."), voice.look, table)


def with_example(
    voice: Voice, key: str, scene: Scene | None = None, /, *, title: str = "", **facts: str
) -> Page:
    """Return the page `rules.<key>`, with its facts filled in and the worked example `rules.<key>_example`.

    The title is `rules.<key>_title` unless one is given.
    """
    return Page(
        title or voice(f"rules.{key}_title"),
        voice(f"rules.{key}", **facts).strip(),
        scene,
        voice(f"rules.{key}_example"),
    )


OptionWords: TypeAlias = Callable[[str, Value | None, Look], tuple[str, str]]
"""The signature of `Presenter.option`."""


def option_words(label: str, value: str, locale: str) -> str:
    """Return an option with its value, or the value alone if it names the option, as "Level 2" does."""
    if label.casefold().rstrip("s") in value.casefold():
        return value
    return words(locale)("lobby.option", option=label, value=value)


def named_value(option: OptionWords, key: str, value: Value, look: Look) -> str:
    """Return an option with this value in words."""
    label, name = (option(key, each, look)[0] for each in (None, value))
    return option_words(label, name, look.locale)


def at_table(
    option: OptionWords, game: str, options: Mapping[str, Value] | None, look: Look
) -> dict[str, str]:
    """Return which side of each option holds at a table, by the name that its rules texts have for it.

    The name is `here_<option>` in braces, placed after the sentence that speaks of the option. Without a
    table all are empty.
    """
    every = catalog.get(game).options
    if options is None:
        return {f"here_{one.key}": "" for one in every}
    told = {one.key: named_value(option, one.key, one.at(options), look) for one in every}
    return {f"here_{key}": words(look.locale)("rules.at_table", told=line) for key, line in told.items()}
