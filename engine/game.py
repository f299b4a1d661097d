"""The contract that every game keeps.

Words: a *seat* sits at a table; a *state* is one position, hidden cards included; an
*action* is one decision of one seat; an *event* is what happened, for the log; an
*observation* is all that a seat may know; an *outcome* ends the game.

The laws behind the contract are proved for every game by `tests/conformance`.
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
from engine.verdict import Study

Seat: TypeAlias = int
"""The index of a seat, clockwise from 0."""

Viewer: TypeAlias = int | None
"""A seat that looks, or None for a spectator."""

Value: TypeAlias = int | str | bool
"""The value of an option."""

Action: TypeAlias = tuple[Any, ...]
"""A NamedTuple of the game's own type whose first field is the verb; the rest are small ints,
strings or tuples of them. It turns into JSON as a list and back through `Game.action`."""

A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741 - O for observation reads best beside A and S


class Refusal(Exception):
    """A rule that says no: the key of the rule and the facts its sentence needs.

    Never holds words: the presenter has them. Facts are small JSON-able values and name no
    card that the refused seat may not know.
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
    """A table that cannot be dealt: too many seats, options that do not go together."""


class IllegalAction(Refusal):
    """A decision that a rule forbids."""


class UnknownRules(ValueError):
    """Rules by which a game is not played here: its key, the version asked for, and those that are played."""

    def __init__(self, game: str, version: int, played: tuple[int, ...]) -> None:
        super().__init__(game, version, played)
        self.game, self.version, self.played = game, version, played

    def __str__(self) -> str:
        played = " and ".join(map(str, self.played))
        return f"{self.game} is not played by rules {self.version} here, but by rules {played}"


_YES, _NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


def spell(value: Value) -> str:
    """The value of an option as people type it and as a select holds it.

    >>> spell(True), spell(3)
    ('yes', '3')
    """
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


ALONE: tuple[tuple[Seat, ...], ...] = tuple((seat,) for seat in range(8))
"""By seat: that seat alone, for `to_act`; made once, since search asks at every step."""


class Option(msgspec.Struct, frozen=True):
    """One choice of the lobby, declared as data so that its control builds itself.

    `values` are all the values allowed, in the order shown; two booleans make a switch. An option that is
    added later has a default that plays as before: games and records without it have that. `settled` names
    the values of another option that leave no choice here: (its key, its value, the value of this one).
    """

    key: str
    values: tuple[Value, ...]
    default: Value
    settled: tuple[tuple[str, Value, Value], ...] = ()

    def read(self, text: str) -> Value:
        """The value that is typed so; a switch takes yes, true, on and 1 as well as no, false, off and 0.

        Raises:
            ValueError: there is no such value.
        """
        typed = text.strip().lower()
        for value in self.values:
            names = (_YES if value else _NO) if isinstance(value, bool) else (spell(value).lower(),)
            if typed in names:
                return value
        raise ValueError(f"{self.key} has no value {text!r}")

    def at(self, options: Mapping[str, Value]) -> Value:
        """The value that counts at these options: the settled one, the chosen one, or the default."""
        settled = self.settled_at(options)
        return options.get(self.key, self.default) if settled is None else settled

    def settled_at(self, options: Mapping[str, Value]) -> Value | None:
        """The value that this option has at these options whatever was chosen, or None for a free choice."""
        return next((mine for other, value, mine in self.settled if options.get(other) == value), None)


class Setup(msgspec.Struct, frozen=True):
    """All that a deal depends on. Replaying the actions on the same setup rebuilds a game.

    `key` is the 32-byte deal key of `engine.fair`; secret until the game is over.
    """

    game: str
    version: int
    seats: int
    options: dict[str, Value]
    key: bytes


class Event(msgspec.Struct, frozen=True):
    """What happened, for the log: a kind, the seat that did it (-1: the table), and facts.

    `secret` facts are known to the seats in `knowers` only. An event that nobody else may
    even notice has `public=False`.
    """

    kind: str
    seat: int = -1
    facts: dict[str, object] = {}
    secret: dict[str, Any] = {}
    knowers: tuple[Seat, ...] = ()
    public: bool = True

    def seen_by(self, viewer: Viewer) -> Event | None:
        """What `viewer` may know of it; None if it does not even know that it happened.

        >>> looked = Event("looked", 0, {"place": 2}, {"card": 17}, knowers=(0,))
        >>> looked.seen_by(0).facts, looked.seen_by(1).facts
        ({'place': 2, 'card': 17}, {'place': 2})
        """
        if viewer is not None and viewer in self.knowers:
            return Event(self.kind, self.seat, {**self.facts, **self.secret})
        return Event(self.kind, self.seat, self.facts) if self.public else None


class Standing(msgspec.Struct, frozen=True):
    """How one seat ended: rank 1 is best and ranks may be shared; `team` is -1 without teams."""

    rank: int
    score: float
    team: int = -1


class Outcome(msgspec.Struct, frozen=True):
    """The end of a game: a standing for each seat, and the rule that decided it.

    `facts` are for the sentences of the game's own presenter; everybody else reads the fields alone.

    >>> Outcome((Standing(2, 4.0), Standing(1, 4.0)), tiebreak=((1.0,), (3.0,))).winners()
    (1,)
    """

    standings: tuple[Standing, ...]
    reason: str = "played_out"
    facts: dict[str, Any] = {}
    won: bool | None = None
    """In a game of one person (one seat, or all held by one): whether the person has won, rank 1 being no
    win against the game itself. None where several play."""
    tiebreak: tuple[tuple[float, ...], ...] = ()
    """By seat, what tells equal scores apart, the greater the better; empty where only scores count."""
    hands: tuple[int, ...] = ()
    """By seat, the hands won, where the game is played in hands: statistics add them up."""

    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1; none where the game itself has won against the only seat."""
        if self.won is False and len(self.standings) == 1:
            return ()
        return tuple(s for s, standing in enumerate(self.standings) if standing.rank == 1)


class State(ABC, Generic[A, O]):
    """One position of a game, hidden cards included; it changes in place.

    `events` is None, or a list to which `push` appends what happened: event objects cost
    more than the rules, so search and simulation leave it None.
    """

    __slots__ = ("events",)

    events: list[Event] | None

    @abstractmethod
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that must decide now, ascending; empty when the game is over.

        Several where play is simultaneous: their actions commute, and none shows in another's
        observation until all are in.
        """

    @abstractmethod
    def legal_actions(self, seat: Seat) -> Sequence[A]:
        """All that `seat` may decide now, in a fixed order; empty if it need not decide.

        Finite, and canonical where several sets of cards are equivalent.
        """

    def verify(self, seat: Seat, action: A) -> None:
        """Return if the rules allow it; any set equivalent to a canonical action passes.

        Raises:
            IllegalAction: with the rule that forbids it. Answers only from what `seat` may know.
        """
        waiting = self.to_act()
        if seat not in waiting:
            raise IllegalAction("not_your_turn" if waiting else "over")
        self._check(seat, action)

    @abstractmethod
    def _check(self, seat: Seat, action: A) -> None:
        """Return if the rules allow this to a seat that is to act.

        Raises:
            IllegalAction: with the rule that forbids it.
        """

    @abstractmethod
    def push(self, seat: Seat, action: A) -> None:
        """Carry out an action that `verify` allows; trusted, for search and replay."""

    def apply(self, seat: Seat, action: A) -> None:
        """Verify, then carry out.

        Raises:
            IllegalAction: the state is unchanged.
        """
        self.verify(seat, action)
        self.push(seat, action)

    def tell(self, kind: str, seat: Seat = -1, /, **facts: Any) -> None:
        """Note that something happened for all to see, if anybody listens."""
        if self.events is not None:
            self.events.append(Event(kind, seat, facts))

    @abstractmethod
    def observe(self, viewer: Viewer) -> O:
        """All that `viewer` has lawfully seen and can deduce from public acts (perfect recall)."""

    @abstractmethod
    def outcome(self) -> Outcome | None:
        """How it ended, or None while somebody must still act."""

    @abstractmethod
    def clone(self) -> Self:
        """A copy that shares nothing that changes; its `events` are None."""

    @abstractmethod
    def fingerprint(self) -> bytes:
        """The whole state as bytes: equal exactly where the states are equal. Holds secrets."""

    @abstractmethod
    def census(self) -> tuple[int, ...]:
        """Every card that exists in this position, wherever it lies, sorted. Holds secrets."""


def as_json(action: Action) -> list[object]:
    """An action as JSON would give it back: lists all the way down."""
    out: list[object] = msgspec.json.decode(msgspec.json.encode(action))
    return out


Chooser: TypeAlias = Callable[[Any, Sequence[Any], random.Random], Any]
"""An opponent: `(observation, legal actions, rng) -> action`. It never gets the state."""


class Achievement(msgspec.Struct, frozen=True):
    """Something beautiful or clever in a game: how often somebody did it, of an `engine.achievements.Played`.
    A `fair` one takes a win, so weak computer opponents at the table make it count for nothing."""

    key: str
    times: Callable[[Any], int]
    fair: bool = False


class Game(ABC, Generic[A, O]):
    """A game: how it is set up, dealt, read and sampled. Holds no state.

    Arguments that not every game needs are passed by place alone: one may call them `_like_this`.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    """Raised whenever the same setup and actions would lead elsewhere."""
    earlier: ClassVar[Mapping[int, str]] = {}
    """The earlier versions by which games may still be under way, each with the module that plays it: it
    exports a `GAME` that is this one but for what differs. Presenter and opponents are those of this
    version, for all of them: what they must know of the difference stands in the observation."""
    options: ClassVar[tuple[Option, ...]]
    apart: ClassVar[tuple[str, ...]] = ()
    """The options that make another game, so that people are rated apart at each of their values. What only
    makes a game longer, or counts its points otherwise, is none of them."""
    events: ClassVar[Mapping[str, Facts]] = {}
    """By kind, the facts of every event that is told."""
    rules: ClassVar[Mapping[str, Facts]] = {}
    """By key, the facts of every rule of the game's own that can refuse; `refusals` follows from it."""
    refusals: ClassVar[frozenset[str]]
    """The keys of all rules that can refuse a setup or an action."""
    opponents: ClassVar[Mapping[str, Chooser]]
    """Computer opponents by level, weakest first; `engine.levels` has the names."""
    usual: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Levels that were tried or learned for some games alone, the usual one among them, and as which level
    each plays in the rest; `at_home` tells which these are."""
    study: ClassVar[Study | None] = None
    """What tries the decisions of this game for the teacher; None where there is nothing to be taught."""
    measures: ClassVar[tuple[str, ...]] = ()
    """What the study compares decisions by, in the game's own terms, the most telling first; the presenter
    has the words."""
    fewer: ClassVar[frozenset[str]] = frozenset()
    """Those of `measures` of which a seat wants less."""
    near: ClassVar[float] = 0.0
    """Where chance times its complement is less than this, the study makes too much of what a decision costs,
    the more so the less it is: found by playing on from such decisions. 0 where that was not seen."""
    achievements: ClassVar[tuple[Achievement, ...]] = ()
    roles: ClassVar[tuple[str, ...]] = ()
    """The parts that seats play which are not alike, in the order in which statistics list them; the
    presenter has the words. None in a game that only differs in who begins."""
    observation: ClassVar[type[msgspec.Struct]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "rules" in cls.__dict__:
            cls.refusals = SETUP_REFUSALS | TURN_REFUSALS | frozenset(cls.rules)

    @property
    def levels(self) -> tuple[str, ...]:
        """The opponents that people are offered, weakest first."""
        return levels.offered(self.opponents)

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the rules that are played here, ascending; new games are of the last."""
        return tuple(sorted({*self.earlier, self.version}))

    def at(self, version: int) -> Game[A, O]:
        """The game by the rules of this version: this one, or one of the earlier.

        Raises:
            UnknownRules: it is not played here.
        """
        if version == self.version:
            return self
        if version not in self.earlier:
            raise UnknownRules(self.key, version, self.versions)
        game: Game[A, O] = import_module(self.earlier[version]).GAME
        return game

    @abstractmethod
    def seats(self, options: Mapping[str, Value], /) -> tuple[int, ...]:
        """The numbers of seats that these options allow, ascending."""

    def held_by_one(self, _options: Mapping[str, Value], /) -> bool:
        """Whether one person holds all seats with these options, as in a game for oneself."""
        return False

    def partners(self, _seats: int, _options: Mapping[str, Value], /) -> tuple[tuple[Seat, ...], ...]:
        """The sides whose seats play together, where that is known before the deal."""
        return ()

    def defaults(self) -> dict[str, Value]:
        """The value of each option when nobody chooses."""
        return {option.key: option.default for option in self.options}

    def at_home(self, _level: str, _seats: int, _options: Mapping[str, Value], /) -> bool:
        """Whether a level of `usual` is itself with so many seats and these options, which are complete."""
        return True

    def level_in(self, level: str, seats: int, options: Mapping[str, Value]) -> str:
        """As which level one plays with so many seats and these options: as itself, or as another of `usual`.

        >>> from engine import catalog
        >>> catalog.get("atom_duel").level_in("master", 2, {"level": 1})
        'steady'
        """
        chosen = {**self.defaults(), **options}
        while level in self.usual and not self.at_home(level, seats, chosen):
            level = self.usual[level]
        return level

    def variant(self, options: Mapping[str, Value], /) -> str:
        """Which game these options make, of those that are rated apart; nothing for the usual one.

        >>> from engine import catalog
        >>> catalog.get("atom_duel").variant({"level": 6, "rounds": 2})
        'level-6'
        """
        chosen = {option.key: (option.at(options), option.default) for option in self.options}
        apart = {key: value for key in self.apart for value, usual in (chosen[key],) if value != usual}
        return "+".join(f"{key}-{spell(value)}" for key, value in apart.items())

    def variants(self) -> dict[str, dict[str, Value]]:
        """All that `variant` may say, the usual game first, with the options that are rated apart."""
        values = [option.values for option in self.options if option.key in self.apart]
        every = [dict(zip(self.apart, chosen, strict=True)) for chosen in product(*values)]
        return dict(sorted((self.variant(each), each) for each in every))

    def played(self, _kind: str, _facts: Mapping[str, Any], /) -> tuple[str, ...]:
        """The cards that a seat chose to play by an event of this kind, secret facts among the others, by the
        keys they are looked up by."""
        return ()

    def roles_in(self, _state: Any, /) -> tuple[str, ...]:
        """By seat, as which of `roles` it has played the game that this position ends; empty where all seats
        play alike."""
        return ()

    def in_hand(self, _observation: O, /) -> tuple[str, ...]:
        """The cards that the observer knows to be in its hand, by the keys they are looked up by."""
        return ()

    def check(self, setup: Setup) -> IllegalSetup | None:
        """The rule that forbids this setup, or None. Games add their own after these."""
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
        """A setup of this version with the defaults filled in.

        >>> from engine import catalog
        >>> catalog.get("chemistry_battle").setup(2, bytes(32)).options
        {'blind': False}

        Raises:
            IllegalSetup: where `check` says so.
        """
        setup = Setup(self.key, self.version, seats, {**self.defaults(), **options}, key)
        if refusal := self.check(setup):
            raise refusal
        return setup

    @abstractmethod
    def deal(self, setup: Setup) -> State[A, O]:
        """The first position. Trusts the setup: `at` its version and `check` come before."""

    @abstractmethod
    def sample(self, observation: O, rng: random.Random) -> State[A, O]:
        """A random world, with a secret of its own, that the observer cannot tell from the real one."""

    def sampler(self, observation: O) -> Callable[[random.Random], State[A, O]]:
        """Worlds of one observation, as many as are asked for; what all of them share is read once.

        Each is as `sample` makes them and shares nothing that changes with another one. Search draws many
        worlds of a decision: a game whose `sample` reads much overrides this one too.
        """
        return partial(self.sample, observation)

    def measured(self, _state: Any, _seat: Seat, /) -> Mapping[str, float]:
        """What a position is to a seat as it stands, by the keys of `measures`; empty where only the study
        can say."""
        return {}

    def suited(self, world: Any, _told: Event, _viewer: Viewer, /) -> Any:
        """A sampled world in which the seat of an event may do what a viewer was told of it.

        Hidden pieces seldom fall by chance as they must have lain, so a game may change places of pieces
        that the viewer does not know. `world` is the caller's to change; where nothing can be done, or needs
        to be, it is given back as it is.
        """
        return world

    def likelihood(self, _observation: O, /) -> Callable[[Any], float]:
        """How well a world explains what others have done so far, as a weight above 0 beside other worlds'.

        `sample` gives every world that the rules allow; people and opponents are not random, though, so a
        game may say here what their play has shown. 1 for each where it says nothing.
        """
        return lambda _world: 1.0

    @abstractmethod
    def action(self, data: object) -> A:
        """The action of a JSON value.

        Raises:
            ValueError: it is not an action of this game.
        """

    @abstractmethod
    def bound(self, setup: Setup, /) -> int:
        """The most actions that a game of this setup can take."""


AnyGame: TypeAlias = Game[Any, Any]
AnyState: TypeAlias = State[Any, Any]
"""A game and a position of whichever game, for what serves them all."""

SETUP_REFUSALS = frozenset({"unknown_option", "option_value", "missing_option", "seats"})
"""What `Game.check` refuses in every game; part of every game's `refusals`."""

TURN_REFUSALS = frozenset({"over", "not_your_turn", "unknown_action"})
"""What every `State.verify` refuses before any rule of its own; part of every game's `refusals`."""
