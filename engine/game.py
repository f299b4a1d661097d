"""The contract that every game implements.

Vocabulary: a *seat* is a place at a table; a *state* is one position, hidden cards included; an *action* is
one decision by one seat; an *event* reports what happened, for the log; an *observation* is everything a seat
may know; an *outcome* ends the game.

`tests/conformance` checks the laws behind this contract for every game.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import product
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Self, TypeAlias, TypeVar

import msgspec

from engine import levels
from engine.facts import Facts
from engine.reason import MovePattern
from engine.verdict import Study

Seat: TypeAlias = int
"""The index of a seat, clockwise from 0."""

Viewer: TypeAlias = int | None
"""A seat that is looking, or None for a spectator."""

Value: TypeAlias = int | str | bool
"""The value of an option."""

Action: TypeAlias = tuple[Any, ...]
"""A NamedTuple of the game's own type. The first field is the verb; the others are small ints, strings or
tuples of them. Actions are stored in JSON as lists and read back by `Game.action`."""

A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - O for observation reads best beside A and S


class Refusal(Exception):
    """A rule's rejection: the key of the rule, and the facts needed to explain it.

    A refusal contains no prose; the presenter supplies the words. Facts are small JSON-compatible values and
    never name a card hidden from the refused seat.
    """

    def __init__(self, rule: str, **facts: Any) -> None:
        super().__init__(rule, facts)
        self.rule = rule
        self.facts = facts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refusal) and (self.rule, self.facts) == (other.rule, other.facts)

    __hash__ = None  # type: ignore[assignment]  # facts may hold lists

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_refusal, (type(self), self.rule, self.facts)


def _rebuild_refusal(kind: type[Refusal], rule: str, facts: dict[str, object]) -> Refusal:
    return kind(rule, **facts)


class IllegalSetup(Refusal):
    """A table that cannot be dealt: too many seats, or options that exclude each other."""


class IllegalAction(Refusal):
    """A decision that a rule forbids."""


class UnknownRules(ValueError):
    """A version of the rules that cannot be played here: the game, the version requested, and those
    available."""

    def __init__(self, game: str, version: int, played: tuple[int, ...]) -> None:
        super().__init__(game, version, played)
        self.game, self.version, self.played = game, version, played

    def __str__(self) -> str:
        played = " and ".join(map(str, self.played))
        return f"{self.game} is not played by rules {self.version} here, but by rules {played}"


_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


def format_value(value: Value) -> str:
    """Return an option's value as people type it and as a select menu stores it.

    >>> format_value(True), format_value(3)
    ('yes', '3')
    """
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


ALONE: tuple[tuple[Seat, ...], ...] = tuple((seat,) for seat in range(8))
"""One-seat tuples by seat, for `to_act`. Precomputed because search calls it at every step."""


class Option(msgspec.Struct, frozen=True):
    """One lobby choice, declared as data so that its control can be built automatically.

    `values` lists the allowed values in display order; two booleans make a switch. An option added later
    needs a default that keeps the old behaviour, because older games and records lack it. `settled` lists the
    values of other options that fix this one: (other key, other value, value of this option).
    """

    key: str
    values: tuple[Value, ...]
    default: Value
    settled: tuple[tuple[str, Value, Value], ...] = ()

    def read(self, text: str) -> Value:
        """Parse a typed value. A switch accepts yes, true, on and 1, and no, false, off and 0.

        Raises:
            ValueError: the option has no such value.
        """
        typed = text.strip().lower()
        for value in self.values:
            names = (_YES if value else _NO) if isinstance(value, bool) else (format_value(value).lower(),)
            if typed in names:
                return value
        raise ValueError(f"{self.key} has no value {text!r}")

    def at(self, options: Mapping[str, Value]) -> Value:
        """Return the value in effect under these options: the settled one, the chosen one, or the default."""
        settled = self.settled_at(options)
        return options.get(self.key, self.default) if settled is None else settled

    def settled_at(self, options: Mapping[str, Value]) -> Value | None:
        """Return the value that these options force on this one, or None if it can be chosen freely."""
        return next((mine for other, value, mine in self.settled if options.get(other) == value), None)


class Setup(msgspec.Struct, frozen=True):
    """Everything that determines a deal. Replaying the actions on the same setup rebuilds the game.

    `key` is the 32-byte deal key of `engine.fair`; it stays secret until the game is over.
    """

    game: str
    version: int
    seats: int
    options: dict[str, Value]
    key: bytes


class Event(msgspec.Struct, frozen=True):
    """Something that happened, for the log: a kind, the acting seat (-1 for the table), and facts.

    Only the seats in `knowers` see the `secret` facts. Set `public=False` for an event that no one else may
    even notice.
    """

    kind: str
    seat: int = -1
    facts: dict[str, object] = {}
    secret: dict[str, Any] = {}
    knowers: tuple[Seat, ...] = ()
    public: bool = True

    def seen_by(self, viewer: Viewer) -> Event | None:
        """Return what `viewer` may know of this event, or None if they may not know it happened.

        >>> looked = Event("looked", 0, {"place": 2}, {"card": 17}, knowers=(0,))
        >>> looked.seen_by(0).facts, looked.seen_by(1).facts
        ({'place': 2, 'card': 17}, {'place': 2})
        """
        if viewer is not None and viewer in self.knowers:
            return Event(self.kind, self.seat, {**self.facts, **self.secret})
        return Event(self.kind, self.seat, self.facts) if self.public else None


class Standing(msgspec.Struct, frozen=True):
    """One seat's result: rank 1 is best and ranks may be shared; `team` is -1 without teams."""

    rank: int
    score: float
    team: int = -1


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: a standing for each seat, and the rule that decided it.

    `facts` are for the sentences of the game's own presenter; all other code reads only the fields.

    >>> Outcome((Standing(2, 4.0), Standing(1, 4.0)), tiebreak=((1.0,), (3.0,))).winners()
    (1,)
    """

    standings: tuple[Standing, ...]
    reason: str = "played_out"
    facts: dict[str, Any] = {}
    won: bool | None = None
    """Whether the person won, in a game with only one (one seat, or all seats held by one person). Rank 1
    alone does not count as a win against the game itself. None when several people play."""
    tiebreak: tuple[tuple[float, ...], ...] = ()
    """Tie-breaking values for each seat, higher first; empty if only scores count."""
    hands: tuple[int, ...] = ()
    """Hands won by each seat, in games played in hands. Statistics add them up."""

    def winners(self) -> tuple[Seat, ...]:
        """Return the seats ranked 1, or () if the only seat lost to the game itself."""
        if self.won is False and len(self.standings) == 1:
            return ()
        return tuple(s for s, standing in enumerate(self.standings) if standing.rank == 1)


class State(ABC, Generic[A, O]):
    """One position of a game, hidden cards included. It changes in place.

    `events` is a list to which `push` appends what happened, or None. Creating events costs more than
    applying the rules, so search and simulation leave it None.
    """

    __slots__ = ("events",)

    events: list[Event] | None

    @abstractmethod
    def to_act(self) -> tuple[Seat, ...]:
        """Return the seats that must decide now, in ascending order; empty when the game is over.

        There are several when play is simultaneous. Their actions commute, and none appears in another seat's
        observation until all are in.
        """

    @abstractmethod
    def legal_actions(self, seat: Seat) -> Sequence[A]:
        """Return everything `seat` may do now, in a fixed order; empty if it has nothing to decide.

        The list is finite, with one canonical action for each group of equivalent card sets.
        """

    def verify(self, seat: Seat, action: A) -> None:
        """Check that the rules allow an action. Any card set equivalent to a canonical action passes.

        Raises:
            IllegalAction: with the rule that forbids it. The answer depends only on what `seat` may know.
        """
        waiting = self.to_act()
        if seat not in waiting:
            raise IllegalAction("not_your_turn" if waiting else "over")
        self._check(seat, action)

    @abstractmethod
    def _check(self, seat: Seat, action: A) -> None:
        """Check an action of a seat that is to act.

        Raises:
            IllegalAction: with the rule that forbids it.
        """

    @abstractmethod
    def push(self, seat: Seat, action: A) -> None:
        """Carry out an action that `verify` allows. Does not verify it, for speed in search and replay."""

    def apply(self, seat: Seat, action: A) -> None:
        """Verify an action, then carry it out.

        Raises:
            IllegalAction: the state is unchanged.
        """
        self.verify(seat, action)
        self.push(seat, action)

    def tell(self, kind: str, seat: Seat = -1, /, **facts: Any) -> None:
        """Record a public event if events are being collected."""
        if self.events is not None:
            self.events.append(Event(kind, seat, facts))

    @abstractmethod
    def observe(self, viewer: Viewer) -> O:
        """Return what `viewer` has legitimately seen or can deduce from public actions, with perfect
        recall."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """Return the result, or None while someone must still act."""

    @abstractmethod
    def clone(self) -> Self:
        """Return a copy that shares no mutable data and has None as its `events`."""

    @abstractmethod
    def fingerprint(self) -> bytes:
        """Return the whole state as bytes, equal exactly if the states are equal. Contains secrets."""

    @abstractmethod
    def census(self) -> tuple[int, ...]:
        """Return every card in this position, wherever it is, sorted. Contains secrets."""


def as_json(action: Action) -> list[object]:
    """Return an action as JSON would return it: nested lists."""
    out: list[object] = msgspec.json.decode(msgspec.json.encode(action))
    return out


Chooser: TypeAlias = Callable[[Any, Sequence[Any], random.Random], Any]
"""A computer opponent: `(observation, legal actions, rng) -> action`. It never sees the state."""


class Achievement(msgspec.Struct, frozen=True):
    """Something beautiful or clever to do in a game.

    `times` counts how often a seat did it, given an `engine.achievements.Played`. A `fair` achievement
    requires beating someone, so it does not count at tables with weak computer opponents.
    """

    key: str
    times: Callable[[Any], int]
    fair: bool = False


class Game(ABC, Generic[A, O]):
    """A game: how to set it up, deal, read and sample it. Holds no state.

    Arguments that not every game needs are positional only, so overrides may name them `_like_this`.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    """Increased whenever the same setup and actions would lead to a different game."""
    earlier: ClassVar[Mapping[int, str]] = {}
    """Earlier versions that unfinished games may still use, each with the module that plays it.

    That module exports a `GAME` equal to this one except for the differences. All versions share the current
    presenter and opponents, so the observation must tell them about any difference they need to know.
    """
    comparable: ClassVar[frozenset[int]] = frozenset()
    """Earlier versions whose ladder results still hold, because hardly any game ends differently."""
    options: ClassVar[tuple[Option, ...]]
    rated_separately: ClassVar[tuple[str, ...]] = ()
    """Options that create a separate variant with separate ratings for each value. Options that only make a
    game longer or change how points are counted are not included."""
    events: ClassVar[Mapping[str, Facts]] = {}
    """Facts of every event, by kind."""
    rules: ClassVar[Mapping[str, Facts]] = {}
    """Facts of each of the game's own rules that can refuse, by key; `refusals` is derived from it."""
    refusals: ClassVar[frozenset[str]]
    """Keys of all rules that can refuse a setup or an action."""
    opponents: ClassVar[Mapping[str, Chooser]]
    """Computer opponents by level, weakest first; `engine.levels` defines the names."""
    usual: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Levels tuned or trained only for some variants, including the usual one, mapped to the level they play
    as in the others. `at_home` tells which variants those are."""
    study: ClassVar[Study | None] = None
    """The study the teacher uses to try decisions, or None if this game has nothing to teach."""
    measures: ClassVar[tuple[str, ...]] = ()
    """Measures by which the study compares decisions, in the game's own terms, most telling first. The
    presenter has the words for them."""
    lower_is_better: ClassVar[frozenset[str]] = frozenset()
    """The `measures` of which a seat wants less."""
    patterns: ClassVar[tuple[MovePattern, ...]] = ()
    """Patterns that may decide between two moves, most telling first."""
    reasons: ClassVar[Mapping[str, Facts]] = {}
    """Facts of every reason that `patterns` and the study's happenings give, by key. The presenter has a
    sentence for each."""
    puzzle_tries: ClassVar[tuple[int, int]] = (96, 400)
    """Tries in the first search for a puzzle, and in the one that decides."""
    certainty_damping: ClassVar[float] = 0.0
    """Limit below which the study overstates what a decision costs; 0 if no such error was found.

    The limit applies to chance times its complement: the smaller that product, the larger the error. Found by
    playing on from such decisions.
    """
    achievements: ClassVar[tuple[Achievement, ...]] = ()
    roles: ClassVar[tuple[str, ...]] = ()
    """Roles of seats that play differently, in the order statistics list them; the presenter has the words.
    Empty in a game where seats differ only in who starts."""
    observation: ClassVar[type[msgspec.Struct]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "rules" in cls.__dict__:
            cls.refusals = SETUP_REFUSALS | TURN_REFUSALS | frozenset(cls.rules)

    @property
    def levels(self) -> tuple[str, ...]:
        """Opponents offered to people in some game, weakest first. `levels_in` tells which are offered at a
        table."""
        return levels.offered(self.opponents)

    @property
    def versions(self) -> tuple[int, ...]:
        """Playable versions of the rules, ascending. New games use the last."""
        return tuple(sorted({*self.earlier, self.version}))

    def at(self, version: int) -> Game[A, O]:
        """Return the game with the rules of this version: this one, or an earlier one.

        Raises:
            UnknownRules: this version cannot be played here.
        """
        if version == self.version:
            return self
        if version not in self.earlier:
            raise UnknownRules(self.key, version, self.versions)
        game: Game[A, O] = import_module(self.earlier[version]).GAME
        return game

    @abstractmethod
    def seats(self, options: Mapping[str, Value], /) -> tuple[int, ...]:
        """Return the numbers of seats these options allow, ascending."""

    def held_by_one(self, _options: Mapping[str, Value], /) -> bool:
        """Return whether one person holds all seats under these options, as in a solo game."""
        return False

    def decided_by_deal(self, _seats: int, _options: Mapping[str, Value], /) -> bool:
        """Return whether the deal alone decides who wins with this many seats and these (complete) options.

        Such a game is not rated, and has no hints, reviews or choice of opponents.
        """
        return False

    def usual_seats(self, options: Mapping[str, Value], /) -> int:
        """Return the seats of a usual game under these (complete) options: the fewest for several players
        whose decisions matter."""
        allowed = self.seats(options)
        several = [seats for seats in allowed if seats > 1 and not self.decided_by_deal(seats, options)]
        return several[0] if several else allowed[-1]

    def partners(self, _seats: int, _options: Mapping[str, Value], /) -> tuple[tuple[Seat, ...], ...]:
        """Return the sides whose seats play together, as far as that is known before the deal."""
        return ()

    def defaults(self) -> dict[str, Value]:
        """Return each option's default value."""
        return {option.key: option.default for option in self.options}

    def at_home(self, _level: str, _seats: int, _options: Mapping[str, Value], /) -> bool:
        """Return whether a level in `usual` plays as itself with this many seats and these (complete)
        options."""
        return True

    def level_in(self, level: str, seats: int, options: Mapping[str, Value]) -> str:
        """Return the level that `level` plays as with this many seats and these options: itself or another in
        `usual`.

        >>> from engine import catalog
        >>> catalog.get("atom_duel").level_in("master", 2, {"level": 1})
        'steady'
        """
        chosen = {**self.defaults(), **options}
        while level in self.usual and not self.at_home(level, seats, chosen):
            level = self.usual[level]
        return level

    def levels_in(self, seats: int, options: Mapping[str, Value]) -> tuple[str, ...]:
        """Return the levels that play as themselves with this many seats and these options, weakest first.

        Only these are offered: two names never stand for the same opponent.

        >>> from engine import catalog
        >>> catalog.get("atom_duel").levels_in(2, {"level": 1})
        ('newcomer', 'casual', 'steady')
        """
        return tuple(level for level in self.levels if self.level_in(level, seats, options) == level)

    def variant(self, options: Mapping[str, Value], /) -> str:
        """Return the separately rated variant that these options make, or "" for the usual game.

        >>> from engine import catalog
        >>> catalog.get("atom_duel").variant({"level": 6, "rounds": 2})
        'level-6'
        """
        chosen = {option.key: (option.at(options), option.default) for option in self.options}
        apart = {
            key: value for key in self.rated_separately for value, usual in (chosen[key],) if value != usual
        }
        return "+".join(f"{key}-{format_value(value)}" for key, value in apart.items())

    def variants(self) -> dict[str, dict[str, Value]]:
        """Return everything `variant` may return, the usual game first, with the options that define it."""
        values = [option.values for option in self.options if option.key in self.rated_separately]
        every = [dict(zip(self.rated_separately, chosen, strict=True)) for chosen in product(*values)]
        return dict(sorted((self.variant(each), each) for each in every))

    def played(self, _kind: str, _facts: Mapping[str, Any], /) -> tuple[str, ...]:
        """Return the lookup keys of the cards a seat chose to play in an event of this kind. `facts` include
        the secret ones."""
        return ()

    def roles_in(self, _state: Any, /) -> tuple[str, ...]:
        """Return, by seat, which of `roles` it played in the game that this position ends; empty if all seats
        play alike."""
        return ()

    def in_hand(self, _observation: O, /) -> tuple[str, ...]:
        """Return the lookup keys of the cards the observer knows to be in its hand."""
        return ()

    def check(self, setup: Setup) -> IllegalSetup | None:
        """Return the rule that forbids this setup, or None. Games add their own checks after these."""
        known = {option.key: option for option in self.options}
        for name, value in setup.options.items():
            if name not in known:
                return IllegalSetup("unknown_option", option=name)
            # True == 1 in Python, but a switch is not a number
            if not any(value == v and type(value) is type(v) for v in known[name].values):
                return IllegalSetup("option_value", option=name, value=value)
        missing = [name for name in known if name not in setup.options]
        if missing:
            return IllegalSetup("missing_option", option=missing[0])
        allowed = self.seats(setup.options)
        if setup.seats not in allowed:
            return IllegalSetup("seats", seats=setup.seats, least=allowed[0], most=allowed[-1])
        return None

    def setup(self, seats: int, key: bytes, **options: Value) -> Setup:
        """Return a setup of this version with the defaults filled in.

        >>> from engine import catalog
        >>> catalog.get("chemistry_battle").setup(2, bytes(32)).options
        {'blind': False}

        Raises:
            IllegalSetup: if `check` refuses the setup.
        """
        setup = Setup(self.key, self.version, seats, {**self.defaults(), **options}, key)
        if refusal := self.check(setup):
            raise refusal
        return setup

    @abstractmethod
    def deal(self, setup: Setup) -> State[A, O]:
        """Return the first position. The caller has picked the version with `at` and run `check`."""

    @abstractmethod
    def sample(self, observation: O, rng: random.Random) -> State[A, O]:
        """Return a random position that the observer cannot tell from the real one, with its own secrets."""

    def sampler(self, observation: O) -> Callable[[random.Random], State[A, O]]:
        """Return a function that samples positions from one observation, computing what they share only once.

        Each sample is as `sample` would return it and shares no mutable data with another. Search draws many
        samples for a decision, so a game whose `sample` does much work overrides this method too.
        """
        return partial(self.sample, observation)

    def spelling(self, _observation: O, action: A, /) -> object:
        """Return the same value for actions that a person calls one move."""
        return action

    def measured(self, _state: Any, _seat: Seat, /) -> Mapping[str, float]:
        """Return what the position is worth to a seat as it stands, by the keys of `measures`. Empty if only
        the study can tell."""
        return {}

    def conditioned_on(self, world: Any, _told: Event, _viewer: Viewer, /) -> Any:
        """Return a sample in which the acting seat of an event can do what the viewer saw it do.

        Hidden pieces seldom fall into the right places by chance, so a game may swap pieces the viewer does
        not know. The caller owns `world`, which may be changed. Return it unchanged if nothing can or need be
        done.
        """
        return world

    def likelihood(self, _observation: O, /) -> Callable[[Any], float]:
        """Return a function that weighs how well a sample explains what others have done so far, above 0 and
        relative to other samples.

        `sample` returns every position the rules allow, but people and opponents do not play at random. A
        game may use their play as evidence here. The default weighs every sample 1.
        """
        return lambda _world: 1.0

    @abstractmethod
    def action(self, data: object) -> A:
        """Return the action encoded in a JSON value.

        Raises:
            ValueError: the value is not an action of this game.
        """

    @abstractmethod
    def bound(self, setup: Setup, /) -> int:
        """Return an upper bound on the number of actions in a game of this setup."""


AnyGame: TypeAlias = Game[Any, Any]
AnyState: TypeAlias = State[Any, Any]
"""A game and a position of any game, for code that serves them all."""

SETUP_REFUSALS = frozenset({"unknown_option", "option_value", "missing_option", "seats"})
"""Setup rules that `Game.check` applies to every game; part of every game's `refusals`."""

TURN_REFUSALS = frozenset({"over", "not_your_turn", "unknown_action"})
"""Rules that every `State.verify` checks before the game's own; part of every game's `refusals`."""
