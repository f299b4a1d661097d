"""The presenter interface: turn observations, actions, events and refusals into words and pictures.

Legal actions become a tree of labelled choices. One generic hand view walks this tree for every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from bot.locales import words
from bot.presenters.extras import Extra
from bot.presenters.poster import Poster
from bot.presenters.voice import Voice, medal, read_mean, spell_mean
from bot.render.blocks import Block
from bot.render.scene import Look, Scene
from engine.ai.advice import Difference
from engine.game import Action, Event, Outcome, Refusal, Seat, Value, Viewer
from engine.reason import Reason

KEY_PATTERN = r"[A-Za-z0-9_-]{1,24}"
"""The format of choice and item keys. They travel in custom ids, so they are stable names, not positions."""
LABEL, NOTE, PROMPT, LINE = 80, 100, 300, 300
"""Maximum lengths, in characters, of a label, a note, a prompt and a line of the log."""
MOST_CLAUSES: Final = 2
"""Maximum number of differences named in one sentence."""


@dataclass(frozen=True, slots=True)
class Perspective:
    """The player whose decision is described: the reader, or the player called `name`.

    With `against`, the reader is that player's only opponent, so anything done to the opponents is done to
    the reader.
    """

    name: str = ""
    against: bool = False

    @property
    def tables(self) -> tuple[str, ...]:
        """The string tables to search for a clause, the most specific first."""
        if not self.name:
            return ("measure",)
        return ("measure_against", "measure_of") if self.against else ("measure_of",)


OWN: Final = Perspective()
"""The perspective of a reader looking at their own decision."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of a path through the choices: one decision.

    A `refused` leaf is offered although the rules forbid it now, so that people can ask why. Pressing it
    shows the sentence that explains the refusal. `then` holds the decisions that the same press makes next,
    each one stored separately. If one of them is no longer legal, the hand asks again from there.
    """

    action: Action
    refused: bool = False
    then: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One labelled answer. `note` is a second line of at most 100 characters; `emoji` a real emoji."""

    key: str
    label: str
    child: Node
    note: str = ""
    emoji: str = ""
    strong: bool = False
    """Whether the button is highlighted as the usual choice."""
    short: str = ""
    """The button's label when a picture above it shows the rest."""
    noted: str = ""
    """The subject of the note, if it is less than the label. Equal notes are shown once."""
    wording: str = ""
    """The wording of the resulting decision outside the buttons, in a lesson or a hint. It replaces all
    labels on the path. Empty if the labels read well one after another."""
    wording_alone: str = ""
    """`wording` without the names that only a picture of the position shows. Empty if it has none."""


WHY = "why"


def why_not(label: str, child: Node) -> Choice:
    """Return the side choice that leads to the actions the rules refuse now."""
    return Choice(WHY, label, child)


@dataclass(frozen=True, slots=True)
class Branch:
    """A question with its answers.

    `side_choices` do not answer the question. They are always buttons, even if there are many answers.
    """

    prompt: str
    choices: tuple[Choice, ...]
    side_choices: tuple[Choice, ...] = ()

    def all_choices(self) -> tuple[Choice, ...]:
        """Return the answers and the side choices."""
        return self.choices + self.side_choices


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a pick. More than 25 items are shown by `group` (key, label)."""

    key: str
    label: str
    note: str = ""
    group: tuple[str, str] = ("", "")
    alike: str = ""
    """The label when its copies need not be distinguished, for example when they are counted."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A question answered by choosing between `least` and `most` of the items.

    `to_action` turns the chosen keys into the decision. The rules may still refuse it with an explanation.
    `by` is the prompt that asks for a group when there are many items.
    """

    prompt: str
    items: tuple[Item, ...]
    least: int
    most: int
    to_action: Callable[[tuple[str, ...]], Action] = field(compare=False)
    keys_of: Callable[[Action], tuple[str, ...] | None] = field(compare=False)
    """Return the keys that give a legal action, or None if this pick does not lead to it."""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Blank:
    """One question of a form: up to 25 items, with the item `chosen` preselected."""

    key: str
    label: str
    items: tuple[Item, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Form:
    """A modal with two to five questions that are answered together: several decisions at once.

    An answer has one key for each blank, in order. `amiss` returns the sentence that says which answers do
    not fit together, or "" if all fit. Only then does `to_actions` make the decisions. Each is stored
    separately.
    """

    title: str
    blanks: tuple[Blank, ...]
    to_actions: Callable[[tuple[str, ...]], tuple[Action, ...]] = field(compare=False)
    amiss: Callable[[tuple[str, ...]], str] = field(compare=False)

    def filled_in(self) -> tuple[str, ...]:
        """Return the preselected answer."""
        return tuple(blank.chosen for blank in self.blanks)


Node: TypeAlias = Leaf | Branch | Pick | Form


@dataclass(frozen=True, slots=True)
class CardEntry:
    """Something that can be looked up: its key, title, other names, and the tags it is browsed by."""

    key: str
    title: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A help page: a title and Markdown of at most 3,000 characters, optionally with a picture and a worked
    example.

    The text adds what the picture and its alt text do not say.
    """

    title: str
    text: str
    scene: Scene | None = None
    example: str = ""


@dataclass(frozen=True, slots=True)
class TableSection:
    """A part of the overview drawn larger: its short title, its picture, and the keys of its cards."""

    title: str
    scene: Scene
    cards: tuple[str, ...]


def rules_page(voice: Voice, key: str, scene: Scene | None = None, /, **facts: str) -> Page:
    """Return the page of the rules whose strings are `rules.<key>_title` and `rules.<key>`, with its facts
    filled in."""
    return Page(voice(f"rules.{key}_title"), voice(f"rules.{key}", **facts).strip(), scene)


@dataclass(frozen=True, slots=True)
class Keepsake:
    """A souvenir file of a finished game that takes long to make or needs optional packages.

    `make` names a function as `module:function`. A worker process calls it with `facts`, which must pickle,
    and gets the file.
    """

    label: str
    name: str
    text: str
    alt: str
    make: str
    facts: Mapping[str, object]
    needs: Extra | None = None
    """The optional package that `make` needs."""
    still: Scene | None = None
    """A still version of a moving picture, for people who turned animations off."""


class CardPage(Protocol):
    """The signature of `Presenter.card`."""

    def __call__(self, key: str, look: Look, options: Mapping[str, Value] | None = None, /) -> Page:
        """Return the page of a card, for these options if they are given.

        Raises:
            KeyError: there is no such card.
        """


class RulesPages(Protocol):
    """The signature of `Presenter.rules`."""

    def __call__(self, locale: str, options: Mapping[str, Value] | None = None, /) -> tuple[Page, ...]:
        """Return the pages of the rules. If options are given, the page that fits them comes first."""


class Overview(Protocol):
    """The signature of `Presenter.overview`."""

    def __call__(self, look: Look, tag: str = "", /) -> Page | None:
        """Return all cards in one picture, with those of a tag marked, or None if the game has no such
        picture."""


Progress: TypeAlias = tuple[float, ...]
"""The progress of each seat."""


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One automatic step after the last move of a game: each seat's progress afterwards, and what happened.

    `number` counts the steps from 1. A game may leave steps out, but not the last one.
    """

    progress: Progress
    events: tuple[Event, ...] = ()
    number: int = 0


def _nothing_told(_seen: object, _look: Look) -> str:
    return ""


def _ranking(outcome: Outcome, look: Look) -> str:
    """Return a line for each seat with its score, the best first."""
    ranked = sorted(enumerate(outcome.standings), key=lambda one: one[1].rank)
    return "\n".join(f"{medal(one.rank)} **{look.name(seat)}** · {one.score:g}" for seat, one in ranked)


def _no_option(key: str, _value: Value | None, _look: Look) -> tuple[str, str]:
    raise KeyError(key)


def _no_overview(_look: Look, _tag: str = "") -> Page | None:
    return None


def _told_twice(_event: Event, _viewer: Viewer, _look: Look) -> str | None:
    return None


def _not_recalled(_event: Event, _options: Mapping[str, Value], _look: Look) -> str | None:
    return None


def _nothing_gained(_events: Sequence[Event], _seat: Seat) -> tuple[int, ...]:
    return ()


def _none_at_hand(_seen: object) -> tuple[str, ...]:
    return ()


def _no_step(_seen: object, _way: Sequence[str], _look: Look) -> Scene | None:
    return None


def _all_legible(_seen: object) -> bool:
    return False


def _no_closeups(_seen: object, _look: Look) -> tuple[Page, ...]:
    return ()


def _no_spots(_seen: object, _action: Action) -> tuple[str, ...]:
    return ()


def _no_motion(_events: Sequence[Event], _seen: object, scene: Scene, _look: Look) -> Scene:
    return scene


def _no_highlight(_events: Sequence[Event], _seen: object, _look: Look) -> Block | None:
    return None


def _no_steps(_seen: object) -> tuple[ChainStep, ...]:
    return ()


def _no_reason(_reason: Reason, _look: Look) -> str:
    return ""


def _no_tie(_outcome: Outcome, _look: Look) -> str:
    return ""


def _no_verdict(_outcome: Outcome, _look: Look) -> str:
    return ""


def _no_keepsake(_outcome: Outcome, _seen: object, _look: Look) -> Keepsake | None:
    return None


def _no_sections(_look: Look) -> tuple[TableSection, ...]:
    return ()


_PLAIN: Final = Poster()

Obs = TypeVar("Obs", bound=msgspec.Struct)
Act = TypeVar("Act", bound=Action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Presenter(Generic[Obs, Act]):
    """The words and pictures of one game, assembled from plain functions without state.

    The first nine callables are required; a game supplies the others as needed. `seen` is an observation.
    `look` is the reader's language, names and colours.
    """

    key: str
    """The key of the game."""
    choices: Callable[[Obs, Sequence[Act], Look], Node]
    """`(seen, actions, look)`: the legal actions as a tree of questions. Each action has exactly one path, or
    a pick that gives it. Leaves that are `refused` or have a `then`, and forms, are additions to these."""
    line: Callable[[Event, Viewer, Look], str | None]
    """`(event, viewer, look)`: an event in one line of Markdown, or None if there is nothing to say. The
    event is already cut for the viewer."""
    why: Callable[[Refusal, Look], str]
    """`(refusal, look)`: the sentence that names the rule behind a refusal, and what would be allowed."""
    status: Callable[[Obs, Look], str]
    """`(seen, look)`: the state of the game in one line. The table adds who has to do what."""
    table: Callable[[Obs, Look], Scene]
    """`(seen, look)`: the picture of the table as everyone may see it."""
    hand: Callable[[Obs, Look], Scene]
    """`(seen, look)`: the picture of the observer's hand."""
    rules: RulesPages
    """`(locale, options)`: the pages of the rules. If options are given, the page that fits comes first."""
    cards: Callable[[str], tuple[CardEntry, ...]]
    """`(locale)`: everything that can be looked up."""
    card: CardPage
    """`(key, look, options)`: the page of a card, for these options if they are given. Raises KeyError if
    there is no such card."""

    hand_height: int = 1340
    """Greatest height of the picture of a hand, in pixels. On a phone 1340 pixels take 308 px of 738, and the
    buttons need the rest."""
    motifs: Mapping[str, str] = field(default_factory=dict)
    """By key of an achievement: the motif of its badge, see `bot.render.pages.badges`."""
    printing: str = ""
    """The module whose `deck` makes the cards to print, if everyone may print this game."""
    poster: Poster = _PLAIN
    """The game's introduction on the poster, and the setup of a first game."""
    twice: Callable[[Event, Viewer, Look], str | None] = _told_twice
    """`(event, viewer, look)`: the single line that replaces two equal lines of this event in a row, or None
    if both are kept."""
    recall: Callable[[Event, Mapping[str, Value], Look], str | None] = _not_recalled
    """`(event, options, look)`: the line of an event for the end-of-game picture, where the log around it is
    missing. None if the line of the log works there too."""
    explain: Callable[[Obs, Look], str] = _nothing_told
    """`(seen, look)`: the answer to "Why?": how the last result came about, step by step, in Markdown."""
    when: Callable[[Obs, Look], str] = _nothing_told
    """`(seen, look)`: the moment of the game in a few words, such as the round and the hand."""
    because: Callable[[Reason, Look], str] = _no_reason
    """`(reason, look)`: a reason as one sentence of Markdown, or "" if the game no longer has this reason.
    Required in a game with `reasons`."""
    progress: Callable[[Obs], Progress] | None = None
    """`(seen)`: each seat's progress as everyone may see it: points, or any other measure of the lead. Higher
    is better. Without it the end-of-game picture has no curve."""
    steps: Callable[[Obs], Sequence[ChainStep]] = _no_steps
    """`(seen)`: what a finished game's last move set off: the progress right after that move, then each step.
    Empty if nothing followed by itself."""
    feats: tuple[str, ...] = ()
    """The kinds of events that a player may be proud of, the greatest first. The end-of-game picture mentions
    only these. Without them it may mention any line."""
    highlight: Callable[[Sequence[Event], Obs, Look], Block | None] = _no_highlight
    """`(events, seen, look)`: the result of one move, drawn large for the end-of-game picture, in a space
    `highlights.WIDTH` wide. None if the table shows it best."""
    tie: Callable[[Outcome, Look], str] = _no_tie
    """`(outcome, look)`: what put the winner ahead of the next player with an equal score, as the end of a
    sentence. Called only if a tie-break decided."""
    verdict: Callable[[Outcome, Look], str] = _no_verdict
    """`(outcome, look)`: the result in one line of Markdown, for the end-of-game picture. Required in a game
    without `points`, where the picture shows no score."""
    points: str = "end.points"
    """The string for a score of `n`. Empty if scores only say who won."""
    ending: Callable[[Outcome, Look], str] = _ranking
    """`(outcome, look)`: the result of the game in a few lines of Markdown, by default each
    player's points."""
    option: Callable[[str, Value | None, Look], tuple[str, str]] = _no_option
    """`(key, value, look)`: the label of an option (value None) or of one of its values, and a sentence on
    what it does. Required in a game with options."""
    card_now: Callable[[str, Look, Mapping[str, Value], Obs], Page] | None = None
    """`(key, look, options, seen)`: the page of a card in a running game, if the position adds something."""
    at_hand: Callable[[Obs], tuple[str, ...]] = _none_at_hand
    """`(seen)`: the keys of the cards that the observer may want explained now, in order."""
    in_view: Callable[[Obs], tuple[str, ...]] = _none_at_hand
    """`(seen)`: the keys of the cards that the observer can see, on the table and in their own hand. `/card`
    offers these first."""
    overview: Overview = _no_overview
    """`(look, tag)`: all cards in one picture, with those of a tag marked."""

    gained: Callable[[Sequence[Event], Seat], tuple[int, ...]] = _nothing_gained
    """`(events, seat)`: the cards that these events brought into a seat's hand since its last full deal, as
    the game numbers them. The events are already cut for that seat. A hand lists the cards gained since the
    seat's last move and marks them in its picture."""
    hand_marked: Callable[[Obs, Look, Sequence[int]], Scene] | None = None
    """`(seen, look, new)`: the hand with these cards marked as new. Required in a game with `gained`."""
    hand_at: Callable[[Obs, Sequence[str], Look], Scene | None] = _no_step
    """`(seen, path, look)`: the hand at this path (keys) through the choices, or None if `hand` is enough."""
    needs_closeups: Callable[[Obs], bool] = _all_legible
    """`(seen)`: whether the table offers `closeups`. Called whenever a table is shown, so it
    draws nothing."""
    closeups: Callable[[Obs, Look], tuple[Page, ...]] = _no_closeups
    """`(seen, look)`: parts of the table drawn larger. Empty if `needs_closeups` says all is legible."""
    spots: Callable[[Obs, Act], tuple[str, ...]] = _no_spots
    """`(seen, action)`: the tags of what a decision is about in the hand's picture: cards, lanes or cells."""
    motion: Callable[[Sequence[Event], Obs, Scene, Look], Scene] = _no_motion
    """`(events, seen, scene, look)`: the scene of `table`, animated if one of these events deserves it; most
    do not. The events are public, and the table has not shown them yet."""
    keepsake: Callable[[Outcome, Obs, Look], Keepsake | None] = _no_keepsake
    """`(outcome, seen, look)`: a souvenir file to make from a finished game in a worker process."""

    sections: Callable[[Look], tuple[TableSection, ...]] = _no_sections
    """`(look)`: parts of the overview drawn larger. Together they contain every card once."""
    can_pass: bool = False
    """Whether turns can be passed, so that players can choose to pass automatically."""
    has_periodic_table: bool = False
    """Whether the cards are the chemical elements and `overview` shows all of them, for `/periodic`."""
    speak: Callable[[str], Callable[..., str]] = words
    """`(locale)`: the strings of that language, for the title, blurb and credits."""

    @property
    def draws_steps(self) -> bool:
        """Whether a step through the choices may have its own picture."""
        return self.hand_at is not _no_step

    def looked_up(self, key: str, look: Look, options: Mapping[str, Value], seen: Obs) -> Page:
        """Return the page of a card in a running game.

        Raises:
            KeyError: there is no such card.
        """
        return self.card_now(key, look, options, seen) if self.card_now else self.card(key, look, options)

    def hand_with(self, seen: Obs, look: Look, new: Sequence[int]) -> Scene:
        """Return the hand, with its new cards marked if the game supports that."""
        return self.hand_marked(seen, look, new) if new and self.hand_marked else self.hand(seen, look)

    def about(self, locale: str) -> str:
        """Return who made the game and where to get the real one."""
        return self.speak(locale)(f"{self.key}.about")

    def title(self, locale: str) -> str:
        """Return the name of the game."""
        return self.speak(locale)(f"{self.key}.title")

    def tagline(self, locale: str) -> str:
        """Return the game in a handful of words, for the poster."""
        return self.speak(locale)(f"{self.key}.tagline")

    def blurb(self, locale: str, options: Mapping[str, Value] | None = None) -> str:
        """Return the game in one sentence of at most 100 characters.

        An option value that changes the game too much for that sentence has its own.
        """
        own, known = (f"{self.key}.blurbs.{value}" for value in (options or {}).values()), words(locale)
        return self.speak(locale)(next((key for key in own if key in known), f"{self.key}.blurb"))

    def measure(self, difference: Difference, locale: str, of: Perspective = OWN) -> str:
        """Return the advantage of the better decision in one measure of the game, as a clause.

        Empty if the rounded values are equal, or if the game no longer has words for the measure. `of` says
        whose decision it is: the reader's own, or a named player's.
        """
        say, better, other = words(locale), spell_mean(difference.better), spell_mean(difference.other)
        keys = (f"{self.key}.{table}.{difference.measure}" for table in of.tables)
        key = next((each for each in keys if each in say), "")
        if better == other or not key:
            return ""
        return say(key, n=read_mean(difference.better), better=better, other=other, name=of.name)

    def role(self, key: str, locale: str) -> str:
        """Return the name of a role from `engine.game.Game.roles`, or "" if the game no longer has words for
        it."""
        say = words(locale)
        return say(f"{self.key}.role.{key}") if f"{self.key}.role.{key}" in say else ""

    def clauses(self, differences: Iterable[Difference], locale: str, of: Perspective = OWN) -> str:
        """Return the most telling differences as part of a sentence, or "" if none has words.

        `differences` are sorted, the greatest first. `of` is as for `measure`.
        """
        told = filter(None, (self.measure(difference, locale, of) for difference in differences))
        return words(locale)("table.clauses").join(islice(told, MOST_CLAUSES))

    def level(self, key: str, locale: str) -> str:
        """Return the name of a computer opponent's level: the game's own string, or the shared one."""
        say, own = words(locale), f"{self.key}.level.{key}"
        return say(own if own in say else f"opponent.level.{key}")

    def by_deal(self, locale: str) -> str:
        """Return who wins a game that the deal decides, and why, as a line, or "" if the game has none."""
        say, own = words(locale), f"{self.key}.by_deal"
        return say(own) if own in say else ""

    def levels_matter_little(self, seats: int, locale: str) -> str:
        """Return a line saying that levels change few results with this many seats, or "" if they matter."""
        say, own = words(locale), f"{self.key}.levels_matter_little.{seats}"
        return say(own) if own in say else ""

    def no_stronger(self, locale: str) -> str:
        """Return why luck leaves no room for a stronger computer opponent, as part of a line, or "" in other
        games."""
        say, own = words(locale), f"{self.key}.no_stronger"
        return say(own) if own in say else ""


AnyPresenter: TypeAlias = Presenter[Any, Any]
"""A presenter of any game."""
