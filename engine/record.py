"""A game as setup and actions: JSON, replay, verification. A record is released only when a game is over.

Everything here uses the version of the rules named in the setup or record.
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
"""The problem of a record in which every step is right but the outcome is not."""


class BadRecord(Exception):
    """A record that does not hold. `step` is the first action (from 1) that differs, 0 before the deal."""

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
    """One action, and the digest of the resulting position."""

    seat: Seat
    action: list[object]
    digest: str


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A complete finished game: anyone with the record can check the deal and every action.

    `entropy` holds the numbers added by the joiners, in order, as text: they need 63 bits, and some languages
    have only 53. `names` are the seats' names. `house_rules` is the name given to this set of options, if
    any; no digest includes it, and older readers ignore it. A game dealt from a bare key (a simulation) has a
    `key` instead of seed and nonce.
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
    """Deal and carry out the actions, verifying each.

    Raises:
        UnknownRules: this version cannot be played here.
        IllegalAction: an action is against the rules.
    """
    state = catalog.get(setup.game).at(setup.version).deal(setup)
    if events:
        state.events = []
    for seat, action in actions:
        state.apply(seat, action)
    return state


def turns(movers: Sequence[Seat], seats: int) -> tuple[int, ...]:
    """Return the positions, as action counts, where a turn starts, plus the deal and the end.

    A turn starts when another seat moves; in a game for one seat, at every action.

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
    """Return the record of a game. With a commitment it contains the seed, otherwise the bare deal key.

    >>> game = catalog.get("chemistry_battle")
    >>> state, actions = game.deal(setup := game.setup(2, bytes(32))), []
    >>> while seats := state.to_act():
    ...     actions.append((seats[0], state.legal_actions(seats[0])[0]))
    ...     state.apply(*actions[-1])
    >>> verify(from_json(to_json(write(setup, actions)))).outcome() == state.outcome()
    True

    Raises:
        ValueError: the game is not over, so the record must not be released yet.
        UnknownRules: this version cannot be played here.
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
    """Return the record as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1)


def from_json(raw: bytes) -> Record:
    """Parse a record from JSON text.

    Raises:
        BadRecord: the text is not a record, or its format is one that this version cannot read.
    """
    try:
        record = msgspec.json.decode(raw, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"this is not a record: {error}") from error
    if record.format != FORMAT:
        raise BadRecord("the record has another format", format=record.format, known=FORMAT)
    return record


def setup_of(record: Record) -> Setup:
    """Return the setup of a record, recomputing the deal key from seed and entropy.

    Raises:
        BadRecord: seed and nonce do not give the commitment or have the wrong length, the version cannot be
            played here, or the setup is not legal.
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
        # the hash does not show where the nonce ends: another split would let one commitment allow 48 deals
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
    """Yield each position of a game, checked, as `(number of actions so far, state)`. The state changes in
    place.

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
"""Outcome fields added after the first records were kept. Older records lack them."""


def agrees(kept: Outcome | None, end: Outcome | None) -> bool:
    """Return whether an outcome matches the recorded one in every field the record contains.

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
    """Recompute the deal, replay every action and compare the outcome. Return the final position.

    A record cut off before the end of the game does not hold.

    Raises:
        BadRecord: with the first step that differs.
    """
    state: AnyState | None = None
    for _, state in replay(record):
        pass
    if state is None:  # replay always yields the deal, but the type checker cannot know that
        raise BadRecord("the record is empty")
    end = state.outcome()
    if end is None or not agrees(record.outcome, end):
        raise BadRecord(OTHER_OUTCOME, len(record.steps))
    return state
