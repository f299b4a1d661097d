"""What a presenter does: turn observations, actions, events and refusals into words and pictures.

Legal actions become a tree of labelled choices that one generic hand view walks for every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec

from bot.locales import words
from bot.presenters.extras import Extra
from bot.presenters.moments import dealt
from bot.presenters.poster import Poster
from bot.presenters.voice import Voice, medal, read_mean, spell_mean
from bot.render.blocks import Block
from bot.render.scene import Look, Scene
from engine.ai.advice import Difference
from engine.game import Action, Event, Outcome, Refusal, Value, Viewer

KEY_PATTERN = r"[A-Za-z0-9_-]{1,24}"
"""Keys of choices and items travel in custom ids; they are stable names, never list positions."""
LABEL, NOTE, PROMPT, LINE = 80, 100, 300, 300
"""The most signs of a label, of a note, of a question, of a line of the log."""
MOST_CLAUSES: Final = 2
"""In how many of the game's own terms a difference is told."""


@dataclass(frozen=True, slots=True)
class Whose:
    """Whose decision is told of: the reader's own, or that of somebody with this name.

    `against` says that the reader is all that plays against them, so that what it does to the others it does
    to the reader.
    """

    name: str = ""
    against: bool = False

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables of a game's strings that may have a clause for it, the closest first."""
        if not self.name:
            return ("measure",)
        return ("measure_against", "measure_of") if self.against else ("measure_of",)


OWN: Final = Whose()
"""The decision of who reads."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """The end of a path: this is the decision.

    `refused` if the rules forbid it now: it is offered so that people can ask why, and pressing it brings
    the sentence that says so. `then` are the decisions that the same press makes right after it, each one
    stored by itself; where one is no longer legal, the hand asks on from there.
    """

    action: Action
    refused: bool = False
    then: tuple[Action, ...] = ()


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
    short: str = ""
    """What its button says, where a picture stands above it that shows the rest."""
    noted: str = ""
    """What the note is about, where that is less than the label: equal ones stand once."""
    told: str = ""
    """How the decision to which it leads reads away from the buttons, in a lesson or a hint: it stands for
    all labels on the way, empty where these read well one after the other."""


WHY = "why"


def why_not(label: str, child: Node) -> Choice:
    """The way beside the answers that leads to what the rules refuse now."""
    return Choice(WHY, label, child)


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
    alike: str = ""
    """What it is called where its copies need not be told apart, such as where they are counted."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A set to be picked: between `least` and `most` of the items; `to_action` makes the decision of
    the keys picked. The rules may still refuse it, with words. `by` asks for a group of many items."""

    prompt: str
    items: tuple[Item, ...]
    least: int
    most: int
    to_action: Callable[[tuple[str, ...]], Action] = field(compare=False)
    keys_of: Callable[[Action], tuple[str, ...] | None] = field(compare=False)
    """The keys that give a legal action, None where this pick does not lead to it."""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Blank:
    """One question of a form: up to 25 items, of which the one with the key `chosen` is filled in."""

    key: str
    label: str
    items: tuple[Item, ...]
    chosen: str


@dataclass(frozen=True, slots=True)
class Form:
    """Two to five questions in a window of their own, answered together: several decisions in one go.

    An answer is one key for each blank, in their order. `amiss` is the sentence that says what does not fit
    together in it, empty where all does; only then `to_actions` makes the decisions, each stored by itself.
    """

    title: str
    blanks: tuple[Blank, ...]
    to_actions: Callable[[tuple[str, ...]], tuple[Action, ...]] = field(compare=False)
    amiss: Callable[[tuple[str, ...]], str] = field(compare=False)

    def filled_in(self) -> tuple[str, ...]:
        """The answer that stands in it before anybody has changed it."""
        return tuple(blank.chosen for blank in self.blanks)


Node: TypeAlias = Leaf | Branch | Pick | Form


@dataclass(frozen=True, slots=True)
class Card:
    """Something that can be looked up: its key, its title, other names, and the tags it is browsed by."""

    key: str
    title: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Page:
    """A page of help: a title, perhaps a picture and a worked example, and Markdown of at most 3,000 signs,
    which adds what the picture and its alt text do not say."""

    title: str
    text: str
    scene: Scene | None = None
    example: str = ""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the overview drawn larger: its short title, its picture, and the keys of the cards in it."""

    title: str
    scene: Scene
    cards: tuple[str, ...]


def rules_page(voice: Voice, key: str, scene: Scene | None = None) -> Page:
    """The page of the rules whose strings are `rules.<key>_title` and `rules.<key>`."""
    return Page(voice(f"rules.{key}_title"), voice(f"rules.{key}").strip(), scene)


@dataclass(frozen=True, slots=True)
class Keepsake:
    """A picture of the end that takes long, or other tools than ours: `make` names the function
    (`module:function`) that a worker process calls with the facts, which must pickle, for the file."""

    label: str
    name: str
    text: str
    alt: str
    make: str
    facts: Mapping[str, object]
    needs: Extra | None = None
    """What must be installed for that."""
    still: Scene | None = None
    """Where the picture moves: what is shown to who wants nothing to move."""


class CardPage(Protocol):
    """How the page of a card is asked for."""

    def __call__(self, key: str, look: Look, options: Mapping[str, Value] | None = None, /) -> Page:
        """What a card is and does, at these options if they are given.

        Raises:
            KeyError: there is no such card.
        """


class RulesPages(Protocol):
    """How the rules are asked for."""

    def __call__(self, locale: str, options: Mapping[str, Value] | None = None, /) -> tuple[Page, ...]:
        """The rules as pages, the one that fits the options first if they are given."""


class Overview(Protocol):
    """How the picture of all cards is asked for."""

    def __call__(self, look: Look, tag: str = "", /) -> Page | None:
        """All cards in one picture, those of a tag marked; None where there is no such picture."""


Progress: TypeAlias = tuple[float, ...]
"""By seat, how far it is."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of what goes on by itself when a game ends: how far each seat is then, and what happened."""

    progress: Progress
    events: tuple[Event, ...] = ()


def _nothing_told(_seen: object, _look: Look) -> str:
    return ""


def _ranking(outcome: Outcome, look: Look) -> str:
    """A line for each seat with its score, the best first."""
    ranked = sorted(enumerate(outcome.standings), key=lambda one: one[1].rank)
    return "\n".join(f"{medal(one.rank)} **{look.name(seat)}** · {one.score:g}" for seat, one in ranked)


def _no_option(key: str, _value: Value | None, _look: Look) -> tuple[str, str]:
    raise KeyError(key)


def _no_overview(_look: Look, _tag: str = "") -> Page | None:
    return None


def _told_twice(_event: Event, _viewer: Viewer, _look: Look) -> str | None:
    return None


def _none_at_hand(_seen: object) -> tuple[str, ...]:
    return ()


def _no_step(_seen: object, _way: Sequence[str], _look: Look) -> Scene | None:
    return None


def _all_legible(_seen: object) -> bool:
    return False


def _no_closeups(_seen: object, _look: Look) -> tuple[Page, ...]:
    return ()


def _no_motion(_events: Sequence[Event], _seen: object, scene: Scene, _look: Look) -> Scene:
    return scene


def _no_highlight(_events: Sequence[Event], _seen: object, _look: Look) -> Block | None:
    return None


def _no_steps(_seen: object) -> tuple[Step, ...]:
    return ()


def _no_tie(_outcome: Outcome, _look: Look) -> str:
    return ""


def _no_keepsake(_outcome: Outcome, _seen: object, _look: Look) -> Keepsake | None:
    return None


def _no_stretches(_look: Look) -> tuple[Stretch, ...]:
    return ()


_PLAIN: Final = Poster()

Obs = TypeVar("Obs", bound=msgspec.Struct)
Act = TypeVar("Act", bound=Action)


@dataclass(frozen=True, slots=True, kw_only=True)
class Presenter(Generic[Obs, Act]):
    """The words and pictures of one game: plain functions, put together. None of them keeps anything.

    The first ten are needed; of the others a game gives what it has. `seen` is an observation, `look`
    says for whom is spoken and drawn: language, names, colours.
    """

    key: str
    """The key of the game."""
    choices: Callable[[Obs, Sequence[Act], Look], Node]
    """`(seen, actions, look)`: the legal actions as a tree of questions. Every action has exactly one path,
    or a pick that gives it. Leaves that are `refused`, or go on by `then`, and forms come on top of these."""
    line: Callable[[Event, Viewer, Look], str | None]
    """`(event, viewer, look)`: what happened, in one line of Markdown; the event is already cut for the
    viewer. None where there is nothing to tell."""
    why: Callable[[Refusal, Look], str]
    """`(refusal, look)`: the sentence that says which rule refuses, and what would be allowed."""
    status: Callable[[Obs, Look], str]
    """`(seen, look)`: where the game stands, in one line; what is asked of whom comes from the table."""
    table: Callable[[Obs, Look], Scene]
    """`(seen, look)`: the table as everybody may see it."""
    hand: Callable[[Obs, Look], Scene]
    """`(seen, look)`: the hand of the observer."""
    rules: RulesPages
    """`(locale, options)`: the rules as pages, the one that fits the options first if they are given."""
    cards: Callable[[str], tuple[Card, ...]]
    """`(locale)`: everything that can be looked up."""
    card: CardPage
    """`(key, look, options)`: what one of these is and does, at these options if they are given. Raises
    KeyError where there is no such card."""

    poster: Poster = _PLAIN
    """How the game introduces itself, and what it deals first."""
    twice: Callable[[Event, Viewer, Look], str | None] = _told_twice
    """`(event, viewer, look)`: the one line that is told where the line of this event came twice running;
    None where both are told."""
    explain: Callable[[Obs, Look], str] = _nothing_told
    """`(seen, look)`: the answer to "Why?": how the last result came about, step by step. Markdown."""
    progress: Callable[[Obs], Progress] | None = None
    """`(seen)`: by seat, how far it is, the more the better, as everybody may see it: points, or whatever
    tells who is ahead. Without it the picture of the end has no curve."""
    steps: Callable[[Obs], Sequence[Step]] = _no_steps
    """`(seen)`: of a game that is over, what its last move has set going: first how it stood right after that
    move, then each step. None where nothing went on by itself."""
    feats: tuple[str, ...] = ()
    """The kinds of events that a player may be proud of, the greatest first: of these the picture of the end
    tells. Without them any line may be told."""
    highlight: Callable[[Sequence[Event], Obs, Look], Block | None] = _no_highlight
    """`(events, seen, look)`: what one move has brought, drawn large for the picture of the end, in a place
    `highlights.WIDTH` wide; None where the table says it best."""
    tie: Callable[[Outcome, Look], str] = _no_tie
    """`(outcome, look)`: what told the winner apart from the next of equal score, as the end of a sentence.
    Asked only where something did."""
    points: str = "end.points"
    """The string for a score of `n`; empty where scores tell nothing but who has won."""
    ending: Callable[[Outcome, Look], str] = _ranking
    """`(outcome, look)`: how it ended, in a few lines of Markdown; without it, who has how many points."""
    option: Callable[[str, Value | None, Look], tuple[str, str]] = _no_option
    """`(key, value, look)`: the label of an option (value None) or of one of its values, and a sentence on
    what it does. Needed by a game with options."""
    card_now: Callable[[str, Look, Mapping[str, Value], Obs], Page] | None = None
    """`(key, look, options, seen)`: the page as it stands in a game that goes on, where that says more."""
    at_hand: Callable[[Obs], tuple[str, ...]] = _none_at_hand
    """`(seen)`: the keys of the cards that the observer may want explained now, in their order."""
    in_view: Callable[[Obs], tuple[str, ...]] = _none_at_hand
    """`(seen)`: the keys of the cards that lie open before the observer, on the table and in the own hand:
    what `/card` offers first."""
    overview: Overview = _no_overview
    """`(look, tag)`: all cards in one picture, those of a tag marked."""
    showcase: Callable[[], tuple[tuple[str, Scene], ...]] | None = None
    """`()`: every kind of picture with its title, from positions that show it; see `gallery`."""

    hand_on_way: Callable[[Obs, Sequence[str], Look], Scene | None] = _no_step
    """`(seen, way, look)`: the hand while its holder is on this way (keys) through the choices; None where
    `hand` says all."""
    needs_closeups: Callable[[Obs], bool] = _all_legible
    """`(seen)`: whether the table offers `closeups`. Asked whenever a table is shown, so it draws nothing."""
    closeups: Callable[[Obs, Look], tuple[Page, ...]] = _no_closeups
    """`(seen, look)`: parts of the table drawn larger; none where `needs_closeups` says that the whole can be
    read."""
    motion: Callable[[Sequence[Event], Obs, Scene, Look], Scene] = _no_motion
    """`(events, seen, scene, look)`: the table, as `table` draws it, moving where one of these events, which
    everybody may know of and which the table has not shown yet, is worth it; most are not."""
    keepsake: Callable[[Outcome, Obs, Look], Keepsake | None] = _no_keepsake
    """`(outcome, seen, look)`: what is made of a finished game beside its table, in a worker process."""

    stretches: Callable[[Look], tuple[Stretch, ...]] = _no_stretches
    """`(look)`: parts of the overview drawn larger; together they hold every card once."""
    can_pass: bool = False
    """Whether turns may be passed, so that people may let it happen by itself."""
    has_periodic_table: bool = False
    """Whether the cards are the chemical elements, and `overview` shows all of them: for `/periodic`."""
    speak: Callable[[str], Callable[..., str]] = words
    """`(locale)`: the strings of that language, for title, blurb and credits."""

    @property
    def draws_ways(self) -> bool:
        """Whether a step through the choices may bring a picture of its own."""
        return self.hand_on_way is not _no_step

    def looked_up(self, key: str, look: Look, options: Mapping[str, Value], seen: Obs) -> Page:
        """The page of a card in a game that goes on.

        Raises:
            KeyError: there is no such card.
        """
        return self.card_now(key, look, options, seen) if self.card_now else self.card(key, look, options)

    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """Every kind of picture with its title, for the contact sheet: the showcase, or a table and a hand
        just dealt."""
        return self.showcase() if self.showcase else dealt(self.key, self.table, self.hand)

    def about(self, locale: str) -> str:
        """Who made the game, and where to get the real one."""
        return self.speak(locale)(f"{self.key}.about")

    def title(self, locale: str) -> str:
        """The name of the game."""
        return self.speak(locale)(f"{self.key}.title")

    def tagline(self, locale: str) -> str:
        """The game in a handful of words, for the poster."""
        return self.speak(locale)(f"{self.key}.tagline")

    def blurb(self, locale: str, options: Mapping[str, Value] | None = None) -> str:
        """The game in one sentence of at most 100 signs; where these options make it another game that the
        sentence does not fit, in one of their own."""
        own, known = (f"{self.key}.blurbs.{value}" for value in (options or {}).values()), words(locale)
        return self.speak(locale)(next((key for key in own if key in known), f"{self.key}.blurb"))

    def measure(self, difference: Difference, locale: str, of: Whose = OWN) -> str:
        """What the better decision brings in a measure of the game and the other does not, as a clause; empty
        where no reader would see a difference, or the game no longer has words for the measure. `of` is whose
        decision it is: the reader's own, or that of somebody with a name."""
        say, better, other = words(locale), spell_mean(difference.better), spell_mean(difference.other)
        keys = (f"{self.key}.{table}.{difference.measure}" for table in of.tables)
        key = next((each for each in keys if each in say), "")
        if better == other or not key:
            return ""
        return say(key, n=read_mean(difference.better), better=better, other=other, name=of.name)

    def role(self, key: str, locale: str) -> str:
        """What one of `engine.game.Game.roles` is called; empty where the game no longer has words for it."""
        say = words(locale)
        return say(f"{self.key}.role.{key}") if f"{self.key}.role.{key}" in say else ""

    def clauses(self, differences: Iterable[Difference], locale: str, of: Whose = OWN) -> str:
        """Of differences, the greatest first, those that tell most, as a part of a sentence; empty where none
        can be told. `of` is as for `measure`."""
        told = filter(None, (self.measure(difference, locale, of) for difference in differences))
        return words(locale)("table.clauses").join(islice(told, MOST_CLAUSES))

    def level(self, key: str, locale: str) -> str:
        """The name of a kind of computer opponent: the game's own string, or the house's."""
        say, own = words(locale), f"{self.key}.level.{key}"
        return say(own if own in say else f"opponent.level.{key}")

    def no_stronger(self, locale: str) -> str:
        """Why there is no stronger computer opponent, as a part of a line, where luck leaves none any room;
        empty in other games."""
        say, own = words(locale), f"{self.key}.no_stronger"
        return say(own) if own in say else ""


AnyPresenter: TypeAlias = Presenter[Any, Any]
"""A presenter of whichever game."""
