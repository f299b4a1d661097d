"""What a presenter does: turn observations, actions, events and refusals into words and pictures.

Legal actions become a tree of labelled choices that one generic hand view walks for every game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias

from bot.locales import words
from bot.render.scene import Look, Scene
from engine.game import Action, Event, Outcome, Refusal, Value, Viewer

KEY_PATTERN = r"[A-Za-z0-9_-]{1,24}"
"""Keys of choices and items travel in custom ids; they are stable names, never list positions."""
LABEL, NOTE, PROMPT, LINE = 80, 100, 300, 300
"""The most signs of a label, of a note, of a question, of a line of the log."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of a path: this is the decision.

    `refused` if the rules forbid it now: it is offered so that people can ask why, and pressing it brings
    the sentence that says so.
    """

    action: Action
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One labelled way on. `note` is a second line of at most 100 signs; `emoji` a real emoji."""

    key: str
    label: str
    child: Node
    note: str = ""
    emoji: str = ""
    strong: bool = False
    """Whether its button stands out: the usual way on."""


def why_not(label: str, child: Node) -> Choice:
    """The way beside the answers that leads to what the rules refuse now."""
    return Choice("why", label, child, emoji="❓")


@dataclass(frozen=True, slots=True)
class Branch:
    """A question with its answers; `beside` are ways that do not answer it, buttons however many answers
    there are."""

    prompt: str
    choices: tuple[Choice, ...]
    beside: tuple[Choice, ...] = ()

    def ways(self) -> tuple[Choice, ...]:
        """All that leads on from here."""
        return self.choices + self.beside


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that can be picked. More than 25 items are shown by `group` (key, label)."""

    key: str
    label: str
    note: str = ""
    group: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Pick:
    """A set to be picked: between `least` and `most` of the items; `to_action` makes the decision of
    the keys picked. The rules may still refuse it, with words."""

    prompt: str
    items: tuple[Item, ...]
    least: int
    most: int
    to_action: Callable[[tuple[str, ...]], Action] = field(compare=False)
    keys_of: Callable[[Action], tuple[str, ...] | None] = field(compare=False)
    """The keys that give a legal action, None where this pick does not lead to it."""


Node: TypeAlias = Leaf | Branch | Pick


@dataclass(frozen=True, slots=True)
class Card:
    """Something that can be looked up: its key, its title, other names, and the tags it is browsed by."""

    key: str
    title: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page of help: a title, Markdown of at most 3,000 signs, and perhaps a picture."""

    title: str
    text: str
    scene: Scene | None = None


@dataclass(frozen=True, slots=True)
class Keepsake:
    """A picture of the end that takes long, or other tools than ours: `make` names the function
    (`module:function`) that a worker process calls with the facts, which must pickle, for the file."""

    label: str
    name: str
    text: str
    alt: str
    make: str
    facts: Mapping[str, Any]


class Presenter(ABC):
    """The words and pictures of one game. It keeps no state; every method is a plain function.

    Arguments are passed by place alone, so that a game may call one that it does not need `_like_this`.
    """

    key: ClassVar[str]
    can_pass: ClassVar[bool] = False
    """Whether turns may be passed, so that people may let it happen by itself."""
    draws_ways: ClassVar[bool] = False
    """Whether `hand_on_way` gives pictures, so that a step through the choices brings one."""

    @abstractmethod
    def tree(self, observation: Any, actions: Sequence[Any], look: Look, /) -> Node:
        """The legal actions as choices. Every action has exactly one path, or a pick that gives it.

        Leaves that are `refused` come on top of these.
        """

    @abstractmethod
    def line(self, event: Event, viewer: Viewer, look: Look, /) -> str | None:
        """What happened, in one line of Markdown; the event is already cut for the viewer."""

    @abstractmethod
    def why(self, refusal: Refusal, look: Look, /) -> str:
        """The sentence that says which rule refuses, and what would be allowed."""

    @abstractmethod
    def status(self, observation: Any, look: Look, /) -> str:
        """Where the game stands, in one line: round, hand, what is asked of whom comes from the table."""

    @abstractmethod
    def explain(self, observation: Any, look: Look, /) -> str:
        """The answer to "Why?": how the last result came about, step by step. Markdown."""

    @abstractmethod
    def table(self, observation: Any, look: Look, /) -> Scene:
        """The table as everybody may see it."""

    @abstractmethod
    def hand(self, observation: Any, look: Look, /) -> Scene:
        """The hand of the observer."""

    @abstractmethod
    def ending(self, outcome: Outcome, look: Look, /) -> str:
        """How it ended, in a few lines of Markdown."""

    @abstractmethod
    def option(self, key: str, value: Value | None, look: Look, /) -> tuple[str, str]:
        """The label of an option (value None) or of one of its values, and a sentence on what it does."""

    @abstractmethod
    def cards(self, locale: str, /) -> tuple[Card, ...]:
        """Everything that can be looked up."""

    @abstractmethod
    def card(self, key: str, look: Look, options: Mapping[str, Value] | None = None, /) -> Page:
        """What a card is and does, at these options if they are given.

        Raises:
            KeyError: there is no such card.
        """

    @abstractmethod
    def rules(self, locale: str, options: Mapping[str, Value] | None = None, /) -> tuple[Page, ...]:
        """The rules as pages, the one that fits the options first if they are given."""

    @abstractmethod
    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """Every kind of picture with its title, for the contact sheet."""

    def card_now(self, key: str, look: Look, options: Mapping[str, Value], _observation: Any, /) -> Page:
        """`card` as it stands in a game that goes on; the same where the position says nothing of it.

        Raises:
            KeyError: there is no such card.
        """
        return self.card(key, look, options)

    def hand_on_way(self, _observation: Any, _way: Sequence[str], _look: Look, /) -> Scene | None:
        """The hand while its holder is on this way (keys) through the choices; None where `hand` says all."""
        return None

    def at_hand(self, _observation: Any, /) -> tuple[str, ...]:
        """The keys of the cards that the observer may want explained now: those at hand, in their order."""
        return ()

    def needs_closeups(self, _observation: Any, /) -> bool:
        """Whether the table offers `closeups`. Asked whenever a table is shown, so it draws nothing."""
        return False

    def closeups(self, _observation: Any, _look: Look, /) -> tuple[Page, ...]:
        """Parts of the table drawn larger; none where `needs_closeups` says that the whole can be read."""
        return ()

    def keepsake(self, _outcome: Outcome, _observation: Any, _look: Look, /) -> Keepsake | None:
        """What is made of a finished game beside its table, in a worker process."""
        return None

    def overview(self, _look: Look, _tag: str = "", /) -> Page | None:
        """All cards in one picture, those of a tag marked; None where a game has no such picture."""
        return None

    def about(self, locale: str, /) -> str:
        """Who made the game, and where to get the real one."""
        return words(locale)(f"{self.key}.about")

    def title(self, locale: str, /) -> str:
        """The name of the game."""
        return words(locale)(f"{self.key}.title")

    def blurb(self, locale: str, /) -> str:
        """The game in one sentence of at most 100 signs."""
        return words(locale)(f"{self.key}.blurb")

    def level(self, key: str, locale: str, /) -> str:
        """The name of a kind of computer opponent."""
        return words(locale)(f"opponent.level.{key}")


@dataclass(frozen=True, slots=True)
class Route:
    """A legal action as a path of choices, and the labels read on the way."""

    action: Action
    path: tuple[str, ...]
    labels: tuple[str, ...]


def routes(node: Node, actions: Sequence[Action]) -> list[Route]:
    """Each of the actions with its way through the tree, in the order of the tree.

    In a pick the last but one segment holds the picked keys (`+a+b`) and the last is `ok`.
    """
    found: list[Route] = []

    def visit(at: Node, path: tuple[str, ...], labels: tuple[str, ...]) -> None:
        if isinstance(at, Leaf):
            if not at.refused:
                found.append(Route(at.action, path, labels))
        elif isinstance(at, Branch):
            for choice in at.ways():
                visit(choice.child, (*path, choice.key), (*labels, choice.label))
        else:
            names = {item.key: item.label for item in at.items}
            for action in actions:
                keys = at.keys_of(action)
                if keys is not None:
                    told = " ".join(names[key] for key in keys)
                    found.append(Route(action, (*path, "+" + "+".join(keys), "ok"), (*labels, told)))

    visit(node, (), ())
    return found
