"""A game as setup and actions: JSON, replay, verification. A record leaves only when a game is over.

Everything here goes by the version of the rules that setup or record name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import msgspec

from engine import catalog
from engine.digests import digest
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from engine.game import Action, AnyState, Outcome, Refusal, Seat, Setup, UnknownRules, Value, as_json

FORMAT = 1
OTHER_OUTCOME = "the outcome differs"
"""The problem of a record whose every step is right."""


class BadRecord(Exception):
    """A record that does not hold; `step` is the first action (from 1) that differs, 0 before the deal."""

    def __init__(self, problem: str, step: int = 0, /, **facts: object) -> None:
        super().__init__(problem, step, facts)
        self.problem = problem
        self.step = step
        self.facts = facts

    def __str__(self) -> str:
        where = f"step {self.step}: " if self.step else ""
        facts = ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return where + self.problem + (f" ({facts})" if facts else "")


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One action, and the digest of the position after it."""

    seat: Seat
    action: list[object]
    digest: str


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A finished game, complete: whoever holds it can check the deal and every action.

    `entropy` are the numbers that the joiners added, in order, as text: they need 63 bits, and some
    languages have 53. `names` are the seats' names, `house_rules` is the name of the rules that the options
    were, where they had one: no digest knows it, and readers of before pass it over.
    A game dealt from a bare key (a simulation) has no seed and no nonce but the `key`.
    """

    format: int = FORMAT
    game: str
    version: int
    seats: int
    options: dict[str, Value]
    names: list[str] = []
    house_rules: str | msgspec.UnsetType = msgspec.UNSET
    commitment: str = ""
    seed: str = ""
    nonce: str = ""
    entropy: list[str] = []
    key: str = ""
    steps: list[Step]
    outcome: Outcome | None = None


def play(setup: Setup, actions: Iterable[tuple[Seat, Action]], *, events: bool = False) -> AnyState:
    """Deal and carry out the actions, each verified.

    Raises:
        UnknownRules: this version is not played here.
        IllegalAction: one of them is against the rules.
    """
    state = catalog.get(setup.game).at(setup.version).deal(setup)
    if events:
        state.events = []
    for seat, action in actions:
        state.apply(seat, action)
    return state


def turns(movers: Sequence[Seat], seats: int) -> tuple[int, ...]:
    """The positions, by the actions before them, at which another seat goes on, from the deal to the end; of
    a game for one seat all of them.

    >>> turns([0, 0, 1, 0], 2)
    (0, 2, 3, 4)
    """
    if seats == 1:
        return tuple(range(len(movers) + 1))
    changed = (number for number, (one, other) in enumerate(pairwise(movers), 1) if one != other)
    return tuple(dict.fromkeys((0, *changed, len(movers))))


def write(
    setup: Setup,
    actions: Iterable[tuple[Seat, Action]],
    *,
    commitment: Commitment | None = None,
    entropy: Iterable[int] = (),
    names: Iterable[str] = (),
    house_rules: str = "",
) -> Record:
    """The record of a game. With a commitment the seed stands in it, else the bare deal key.

    >>> game = catalog.get("chemistry_battle")
    >>> state, actions = game.deal(setup := game.setup(2, bytes(32))), []
    >>> while seats := state.to_act():
    ...     actions.append((seats[0], state.legal_actions(seats[0])[0]))
    ...     state.apply(*actions[-1])
    >>> verify(from_json(to_json(write(setup, actions)))).outcome() == state.outcome()
    True

    Raises:
        ValueError: the game is not over, so the record must not leave yet.
        UnknownRules: this version is not played here.
        IllegalAction: one of the actions is against the rules.
    """
    state = catalog.get(setup.game).at(setup.version).deal(setup)
    steps = []
    for seat, action in actions:
        state.apply(seat, action)
        steps.append(Step(seat, as_json(action), digest(setup.game, state)))
    outcome = state.outcome()
    if outcome is None:
        raise ValueError("the game is not over; its record would give away hidden cards")
    return Record(
        game=setup.game,
        version=setup.version,
        seats=setup.seats,
        options=setup.options,
        names=list(names),
        house_rules=house_rules or msgspec.UNSET,
        commitment=commitment.digest if commitment else "",
        seed=commitment.seed.hex() if commitment else "",
        nonce=commitment.nonce.hex() if commitment else "",
        entropy=[str(number) for number in entropy],
        key="" if commitment else setup.key.hex(),
        steps=steps,
        outcome=outcome,
    )


def to_json(record: Record) -> bytes:
    """The record as JSON, with a line for each step."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1)


def from_json(raw: bytes) -> Record:
    """The record in a JSON text.

    Raises:
        BadRecord: it is not one, or of a format that this version does not read.
    """
    try:
        record = msgspec.json.decode(raw, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"this is not a record: {error}") from error
    if record.format != FORMAT:
        raise BadRecord("the record has another format", format=record.format, known=FORMAT)
    return record


def setup_of(record: Record) -> Setup:
    """The setup of a record, its deal key computed again from seed and entropy.

    Raises:
        BadRecord: seed and nonce do not give the commitment, or are not as long as they must be, the version
            is not played here, or the setup is not legal.
    """
    try:
        seed, nonce, key = (bytes.fromhex(text) for text in (record.seed, record.nonce, record.key))
        entropy = [int(text) for text in record.entropy]
    except ValueError as error:
        raise BadRecord("seed, nonce and key must be hexadecimal, entropy decimal numbers") from error
    if record.commitment or record.seed:
        fair = Commitment(seed, nonce)
        if fair.digest != record.commitment:
            raise BadRecord("the seed does not give the commitment", computed=fair.digest)
        # the hash does not tell where the nonce ends: with another border one commitment would allow 48 deals
        if (len(seed), len(nonce)) != (SEED_BYTES, NONCE_BYTES):
            lengths = f"the seed must have {SEED_BYTES} bytes and the nonce {NONCE_BYTES}"
            raise BadRecord(lengths, computed=fair.digest)
        key = fair.deal_key(entropy)
    try:
        game = catalog.get(record.game).at(record.version)
    except (catalog.UnknownGame, UnknownRules) as error:
        raise BadRecord(str(error)) from error
    options = {**game.defaults(), **record.options}
    setup = Setup(record.game, record.version, record.seats, options, key)
    if refusal := game.check(setup):
        raise BadRecord("the setup is not legal", rule=refusal.rule, **refusal.facts)
    return setup


def replay(record: Record, *, events: bool = False) -> Iterator[tuple[int, AnyState]]:
    """Each position of a game, checked: `(number of actions so far, state)`; the state changes in place.

    Raises:
        BadRecord: with the first step that differs.
    """
    setup = setup_of(record)
    game = catalog.get(record.game).at(record.version)
    state = game.deal(setup)
    if events:
        state.events = []
    yield 0, state
    for number, step in enumerate(record.steps, 1):
        try:
            state.apply(step.seat, game.action(step.action))
        except Refusal as refusal:
            raise BadRecord("the rules refuse it", number, rule=refusal.rule, **refusal.facts) from refusal
        except ValueError as error:
            raise BadRecord(f"this is no action: {error}", number) from error
        if (computed := digest(record.game, state)) != step.digest:
            raise BadRecord("the position differs", number, record=step.digest, computed=computed)
        yield number, state


_CAME_LATER = ("won", "tiebreak", "hands")
"""What outcomes say since records of them are kept: an older record is silent on it."""


def agrees(kept: Outcome | None, end: Outcome | None) -> bool:
    """Whether a game that ended so ended as was kept of it, in whatever it was kept that says so.

    >>> from engine.game import Standing
    >>> alone = (Standing(1, 7.0),)
    >>> agrees(Outcome(alone), Outcome(alone, won=False))
    True
    >>> agrees(Outcome(alone, won=True), Outcome(alone, won=False))
    False
    """
    if kept is None or end is None:
        return kept is end
    said = {name: getattr(kept, name) for name in _CAME_LATER}
    silent = {name: value for name, value in said.items() if value is None or value == ()}
    return msgspec.structs.replace(end, **silent) == kept


def verify(record: Record) -> AnyState:
    """Compute the deal again, replay every action, compare the outcome; the last position. A record that was
    cut off before the end does not hold.

    Raises:
        BadRecord: with the first step that differs.
    """
    state: AnyState | None = None
    for _, state in replay(record):
        pass
    if state is None:  # replay always yields the deal; keeps the type checker and the reader sure
        raise BadRecord("the record is empty")
    end = state.outcome()
    if end is None or not agrees(record.outcome, end):
        raise BadRecord(OTHER_OUTCOME, len(record.steps))
    return state
