"""What happens in a world, as data: who presses when, and what breaks. The same plan gives the same world.

A plan is drawn from a seed. It can be cut shorter and is still a plan, which is what `shrink` does with one
that fails.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Literal, TypeVar

import msgspec

from engine import catalog

Kind = Literal[
    *("play", "look", "undo", "agree", "decline", "pause", "leave", "stale", "forge", "sit"),
    *("daily", "night", "tournament", "room", "whim"),
    *("door", "setting", "watch", "learn", "teach", "habit"),
]

WAYS: tuple[tuple[Kind, float], ...] = (
    ("play", 70),
    ("look", 4),
    ("undo", 4),
    ("agree", 3),
    ("decline", 1),
    ("pause", 0.7),
    ("leave", 0.7),
    ("stale", 4),
    ("forge", 2),
    ("sit", 3),
)
"""What people press, and how often: mostly they play."""
SHORT = 0.7
DAYS_FROM = 12
"""From so many hours on a world is a day, with longer leases, and not a small one."""
CLOCKS = (0, 60, 300, 900, 3600, 43_200)


class Act(msgspec.Struct, frozen=True):
    """Somebody presses something."""

    at: float
    """Seconds since the beginning."""
    place: int
    """At which of the world's channels."""
    who: int
    """Which of the people there."""
    do: Kind
    pick: float
    """Which of what is offered, from 0 to 1."""
    twice: float = 0.0
    """So many seconds later the same press comes once more; 0 for never."""


class Fault(msgspec.Struct, frozen=True):
    """Something breaks.

    - `crash`: the owner dies, and another one starts `seconds` later.
    - `crash_at_commit`: the same, between the next commit and the news of it.
    - `overtake`: the owner stands still for `seconds` while a second one waits for its lease.
    - `write_lost`, `write_failed`: the next write commits, or does not, and the bot does not hear which.
    - `write_locked`: it does not, and the database says so.
    - `write_slow`: it takes `seconds`; `write_stuck`: until a second owner takes the lease.
    - `outage`: the store fails for `seconds`; `outage_...`: the same, from the next commit on that
      leaves the bot something to do.
    - `archived`, `locked`, `deleted`: this happens to the newest thread.
    - `busy`, `lost`, `dropped`, `broken`, `late`: Discord answers the next call with 429, or does what is
      asked and its answer is lost, or never hears of it, or says 500, or takes `seconds`.
    """

    at: float
    do: str
    seconds: float = 0.0


DISCORD = ("busy", "lost", "dropped", "broken", "late")
STORE = ("write_lost", "write_failed", "write_locked", "write_slow", "write_stuck")
THREADS = ("archived", "locked", "deleted")
OWNERS = ("crash", "crash_at_commit", "overtake")
OUTAGE = "outage"
OUTAGES = {
    OUTAGE: "",
    "outage_opponent": "opponent",
    "outage_settle": "settle",
    "outage_deeds": "deeds",
}
"""Times in which the store fails; with the kind of row with which they begin, if they wait for one."""


class Place(msgspec.Struct, frozen=True):
    """A channel in which one game after another is played."""

    games: tuple[str, ...]
    people: int
    opponents: int
    clock: int
    short: bool
    """Whether they choose the shortest game that the options allow."""


class Plan(msgspec.Struct, frozen=True):
    """A whole world, before it happens."""

    seed: int
    hours: float
    places: tuple[Place, ...]
    acts: tuple[Act, ...]
    faults: tuple[Fault, ...]


def games() -> tuple[str, ...]:
    """The games of the bot itself, without those that tests add."""
    return tuple(key for key in catalog.listed() if catalog.PACKAGES[key].startswith("engine."))


def draw(seed: int, hours: float = 24.0, places: int = 1, without: Collection[str] = ()) -> Plan:
    """The plan of a seed: so many channels for so many hours, `without` some of what is drawn apart."""
    rng = Random(f"plan {seed} {float(hours)} {places}")
    every = games()
    count = PRESSES + round(hours * PRESSES_AN_HOUR)
    drawn: list[Place] = []
    acts: list[Act] = []
    for number in range(places):
        first = (seed * places + number) % len(every)  # so all games take part, whatever is drawn
        order = [every[first], *rng.sample(every, len(every))]
        people = rng.choices((1, 2, 3), (2, 5, 2))[0]
        drawn.append(
            Place(tuple(order), people, rng.choice((0, 1)), rng.choice(CLOCKS), rng.random() < SHORT)
        )
        acts += _presses(rng, number, people, hours * 3600, count)
    faults = _faults(rng, hours * 3600, [act.at for act in acts])
    beside: dict[Kind, tuple[list[Act], list[Fault]]] = {
        "daily": (_dailies(seed, hours, drawn[0].people), []),
        "night": _nights(seed, hours, drawn[0].people),
        "tournament": _tournaments(seed, hours),
        "room": _rooms(seed, hours, drawn[0].people),
        "whim": (_whims(seed, hours, drawn[0].people), []),
    }
    for kind, own in MORE.items():
        if seed % PAIRS == own and kind not in without:
            drawn[0] = _company(kind, seed, drawn[0])
            busy = [act.at for act in acts]
            broken = _outages(seed, hours, busy) if kind == "habit" else []
            beside[kind] = (_sittings(kind, seed, hours, drawn[0].people, busy), broken)
    for kind, (more, broken) in beside.items():
        if kind not in without:
            acts += more
            faults += broken
    if "whim" not in without and seed % (2 * APART) == WHIM and hours >= DAYS_FROM:
        from_then, pause = rng.uniform(0.3, 0.8) * hours * 3600, PAUSE_DAYS * 86_400.0
        acts = [_after(act, from_then, pause) for act in acts]
        faults = [_after(fault, from_then, pause) for fault in faults]
        hours += 24.0 * PAUSE_DAYS
    return Plan(
        seed,
        hours,
        tuple(drawn),
        tuple(sorted(acts, key=lambda a: a.at)),
        tuple(sorted(faults, key=lambda f: f.at)),
    )


PRESSES, PRESSES_AN_HOUR = 30, 12.0
"""How often people press at one place: so many times, and so many more an hour."""


def _presses(rng: Random, place: int, people: int, seconds: float, count: int) -> list[Act]:
    """People come together for a while, press in turns, and go; some come late, some alone."""
    found: list[Act] = []
    kinds, weights = zip(*WAYS, strict=True)
    sittings = max(1, count // 25)
    for _ in range(sittings):
        at, pace = rng.uniform(0.0, 0.9 * seconds), rng.choice((3.0, 8.0, 20.0, 60.0))
        there = [who for who in range(people) if rng.random() < 0.85] or [0]
        for n in range(count // sittings):
            at += rng.expovariate(1 / pace)
            twice = rng.choice((0.0005, 0.2, 1.5)) if rng.random() < 0.08 else 0.0
            do = rng.choices(kinds, weights)[0]
            who = there[n % len(there)] if rng.random() < 0.8 else rng.randrange(people)
            if at < 0.97 * seconds:
                found.append(Act(round(at, 3), place, who, do, round(rng.random(), 4), twice))
    return found


APART, DAILY, NIGHT, TOURNAMENT, ROOM, WHIM = 8, 2, 6, 1, 4, 7
"""Of so many worlds these have the deal of the day, nights, tournaments, tables in threads, and what people
do beside playing, as well."""
QUARTER = 900
"""Nights begin at a quarter of an hour, in seconds."""
PAUSE_DAYS = 8
"""For how long people go away in every second day of the last kind: after a week tables sleep."""


def _dailies(seed: int, hours: float, people: int) -> list[Act]:
    """Some people play the deal of the day, in one go: drawn apart, so that other worlds stay as they are."""
    if seed % APART != DAILY:
        return []
    rng = Random(f"dailies {seed} {float(hours)}")
    found: list[Act] = []
    for who in range(people):
        at, pace = rng.uniform(0.0, 0.4 * hours * 3600), rng.choice((3.0, 8.0, 20.0))
        for _ in range(24 if hours < DAYS_FROM else 48):
            at += rng.expovariate(1 / pace)
            twice = rng.choice((0.0005, 0.2, 4.0)) if rng.random() < 0.15 else 0.0
            found.append(Act(round(at, 3), 0, who, "daily", round(rng.random(), 4), twice))
    return found


def _nights(seed: int, hours: float, people: int) -> tuple[list[Act], list[Fault]]:
    """People plan nights now and then, and answer to them; the faults come just when nights begin."""
    if seed % APART != NIGHT:
        return [], []
    rng = Random(f"evenings {seed} {float(hours)}")
    found: list[Act] = []
    for who in range(people):
        for _ in range(12 if hours < DAYS_FROM else 60):
            at = rng.uniform(0.0, 0.8 * hours * 3600)
            twice = rng.choice((0.0005, 0.2, 4.0)) if rng.random() < 0.15 else 0.0
            found.append(Act(round(at, 3), 0, who, "night", round(rng.random(), 4), twice))
    faults: list[Fault] = []
    for _ in range(int(rng.expovariate(1 / 4) + 0.5)):
        at = QUARTER * rng.randint(1, round(hours * 3600 / QUARTER)) + rng.uniform(-0.1, 1.5)
        do = rng.choice((*DISCORD, *DISCORD, "crash", "crash_at_commit"))
        faults.append(Fault(round(at, 3), do, 20.0 if do == "late" else rng.choice((0.0, 5.0, 600.0))))
    return found, faults


def _tournaments(seed: int, hours: float) -> tuple[list[Act], list[Fault]]:
    """Six people come together for tournaments, for a while each time, and what breaks then."""
    if seed % APART != TOURNAMENT:
        return [], []
    rng = Random(f"tournaments {seed} {float(hours)}")
    found: list[Act] = []
    for _ in range(2 if hours < DAYS_FROM else 5):
        at, pace = rng.uniform(0.0, 0.7 * hours * 3600), rng.choice((2.0, 5.0, 10.0))
        for _ in range(40):
            at += rng.expovariate(1 / pace)
            twice = rng.choice((0.0005, 0.2, 1.5)) if rng.random() < 0.08 else 0.0
            found.append(Act(round(at, 3), 0, rng.randrange(6), "tournament", round(rng.random(), 4), twice))
    busy = [act.at for act in found]
    faults = _faults(rng, hours * 3600, busy)
    for _ in range(int(rng.expovariate(1 / 1.5) + 0.5)):
        at = max(0.0, rng.choice(busy) - rng.choice((0.0, 0.05, 2.0)))
        faults.append(Fault(round(at, 3), rng.choice(THREADS)))
    return found, faults


def _rooms(seed: int, hours: float, people: int) -> tuple[list[Act], list[Fault]]:
    """Each table has a thread of its own, which people archive, lock and delete while they play."""
    if seed % APART != ROOM:
        return [], []
    rng = Random(f"rooms {seed} {float(hours)}")
    found: list[Act] = []
    faults: list[Fault] = []
    for who in range(people):
        for _ in range(2 if hours < DAYS_FROM else 4):
            at, pace = rng.uniform(0.0, 0.6 * hours * 3600), rng.choice((3.0, 10.0, 30.0))
            for _ in range(12):
                at += rng.expovariate(1 / pace)
                twice = rng.choice((0.0005, 0.2, 1.5)) if rng.random() < 0.08 else 0.0
                found.append(Act(round(at, 3), 0, who, "room", round(rng.random(), 4), twice))
    for _ in range(1 + int(rng.expovariate(1 / 2))):
        at = max(0.0, rng.choice(found).at - rng.choice((0.0, 0.05, 2.0)))
        faults.append(Fault(round(at, 3), rng.choice((*THREADS, "locked", "deleted"))))
    return found, faults


W = TypeVar("W", Act, Fault)


def _after(what: W, from_then: float, pause: float) -> W:
    """This, so much later if it comes after that."""
    return what if what.at < from_then else msgspec.structs.replace(what, at=round(what.at + pause, 3))


def _whims(seed: int, hours: float, people: int) -> list[Act]:
    """What people do beside playing."""
    if seed % APART != WHIM:
        return []
    rng = Random(f"whims {seed} {float(hours)}")
    found: list[Act] = []
    for who in range(people):
        for _ in range(10 if hours < DAYS_FROM else 30):
            twice = rng.choice((0.0005, 0.2, 1.5)) if rng.random() < 0.15 else 0.0
            at = rng.uniform(0.0, 0.95 * hours * 3600)
            found.append(Act(round(at, 3), 0, who, "whim", round(rng.random(), 4), twice))
    return found


PAIRS = 2 * APART
MORE: dict[Kind, int] = {"door": 11, "setting": 3, "watch": 13, "learn": 5, "teach": 8, "habit": 0}
"""The worlds, by seed modulo `PAIRS`, that have people who knock and challenge, settings that change,
watchers, lessons and puzzles, people who ask the teacher, and people who pass while the store fails."""
SITTINGS, IN_A_SITTING = {"setting": 1, "learn": 1}, {"setting": 8}
"""How often in an hour somebody comes for that, and how much they do then, where it is not the usual."""


REVIEWED = "atom_duel"
"""A game that ends within the acts of a small world, so that there is something to review."""


def _company(kind: Kind, seed: int, place: Place) -> Place:
    """Return the place with the people and games that this kind of act needs.

    A closed table needs someone to knock. Half of the worlds with a teacher are for hints, which only a solo
    player gets; the others start with a game short enough to be reviewed.
    """
    if kind == "door":
        return msgspec.structs.replace(place, people=3, opponents=0)
    if kind == "teach" and seed // PAIRS % 2 == 0:
        return msgspec.structs.replace(place, people=1, opponents=1, short=True)
    if kind == "habit":
        place = msgspec.structs.replace(place, opponents=1, short=True)
    if kind == "teach" or (kind == "habit" and seed // PAIRS % 2):
        rest = (game for game in place.games if game != REVIEWED)
        return msgspec.structs.replace(place, games=(REVIEWED, *rest), short=True)
    return place


def _sittings(kind: Kind, seed: int, hours: float, people: int, busy: Sequence[float]) -> list[Act]:
    """Each comes a few times while people play, and presses in turns."""
    rng = Random(f"{kind} {seed} {float(hours)}")
    found: list[Act] = []
    for who in range(people):
        for _ in range(SITTINGS.get(kind, 2) if hours < DAYS_FROM else 8):
            at, pace = rng.choice(busy), rng.choice((3.0, 10.0, 30.0))
            for _ in range(IN_A_SITTING.get(kind, 12)):
                at += rng.expovariate(1 / pace)
                twice = rng.choice((0.0005, 0.2, 1.5)) if rng.random() < 0.08 else 0.0
                if at < 0.97 * hours * 3600:
                    found.append(Act(round(at, 3), 0, who, kind, round(rng.random(), 4), twice))
    return found


AFTERWARDS, FAILS_FOR = (0.5, 40.0, 100.0), (20.0, 70.0, 150.0)
"""Seconds from a press until the store fails, and for which it fails: less than a lease lasts."""


def _outages(seed: int, hours: float, busy: Sequence[float]) -> list[Fault]:
    """The store fails for a while: at any time, or while the bot owes something."""
    rng = Random(f"outages {seed} {float(hours)}")
    return [
        Fault(round(rng.choice(busy) + rng.choice(AFTERWARDS), 3), do, rng.choice(FAILS_FOR))
        for do in OUTAGES
        for _ in range(2 if hours < DAYS_FROM else 8)
    ]


def _faults(rng: Random, seconds: float, busy: Sequence[float]) -> list[Fault]:
    """Most things break just when somebody presses."""
    hours = seconds / 3600
    found: list[Fault] = []
    for kinds, often in ((DISCORD, 1.5 + hours / 3), (STORE, 1.0 + hours / 6), (OWNERS, 0.5 + hours / 10)):
        for _ in range(int(rng.expovariate(1 / often) + 0.5)):
            do = rng.choice(kinds)
            length = {
                "crash": rng.choice((0.0, 5.0, 600.0)),
                "crash_at_commit": rng.choice((0.0, 5.0, 600.0)),
                "overtake": rng.uniform(100.0, 400.0) * (1 if hours < DAYS_FROM else 6),
                "write_stuck": rng.uniform(200.0, 500.0) * (1 if hours < DAYS_FROM else 6),
                "write_slow": rng.choice((1.0, 2.5, 30.0)),
                "late": rng.choice((2.0, 4.0, 20.0)),
            }.get(do, 0.0)
            at = rng.uniform(0, 0.9 * seconds)
            if rng.random() < 0.75:
                at = max(0.0, rng.choice(busy) - rng.choice((0.0, 0.05, 2.0)))
            found.append(Fault(round(at, 3), do, round(length, 3)))
    return found


def shrink(plan: Plan, fails: Callable[[Plan], bool], most: int = 400) -> tuple[Plan, int]:
    """A plan with fewer acts and faults that still fails, and how often it was tried: pieces are left out as
    long as that goes, the large ones first. `most` bounds the tries."""
    tries = 0

    def still(candidate: Plan) -> bool:
        nonlocal tries
        tries += 1
        return fails(candidate)

    changed = True
    while changed and tries < most:
        changed = False
        for name in ("faults", "acts"):
            left: Sequence[Act | Fault] = getattr(plan, name)
            step = max(1, len(left) // 2)
            while tries < most:
                at = 0
                while at < len(left) and tries < most:
                    fewer = (*left[:at], *left[at + step :])
                    candidate = msgspec.structs.replace(plan, **{name: fewer})
                    if still(candidate):
                        plan, left, changed = candidate, fewer, True
                    else:
                        at += step
                if step == 1:
                    break
                step //= 2
    return plan, tries


def to_json(plan: Plan) -> bytes:
    return msgspec.json.format(msgspec.json.encode(plan), indent=1)


def from_json(data: bytes) -> Plan:
    return msgspec.json.decode(data, type=Plan)
