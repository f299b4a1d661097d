"""The time to answer a button press, with the bot in its own process, the local Discord, and many people.

Of 100 presses, 70 move through the choices of a hand, 25 decide and 5 open a hand again. The local Discord
takes the time, from forwarding the press to receiving the first answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from engine import catalog
from engine.ladder import fewest_seats
from playground.actions.person import ActionOutcome, Person, PersonError
from playground.server import Playground, start

WALK, ACT = 0.70, 0.95
SEATS = 2
SELECT = 3
"""Discord's component type of a string select."""
CHANNEL = "card-table"
TURNS = 4
"""Number of turns of the bot and of the bare bot."""
MINUTE = 60.0
WARM_SECONDS = 10.0
"""Warm-up that is not counted: a freshly started bot draws every card for the first time."""


class BenchFailed(Exception):
    """The rehearsal could not be played; the message says why."""


@dataclass(slots=True)
class Figures:
    """Measurements. Latencies are in milliseconds."""

    presses: int = 0
    seconds: float = 0.0
    failed: int = 0
    late: int = 0
    """Button presses that could not be sent in time to keep the rate."""
    kinds: dict[str, list[float]] = field(default_factory=lambda: {"walk": [], "act": [], "open": []})

    def add(self, other: Figures) -> None:
        """Add the measurements of `other`."""
        self.presses += other.presses
        self.seconds += other.seconds
        self.failed += other.failed
        self.late += other.late
        for kind, values in other.kinds.items():
            self.kinds[kind] += values

    def summary(self) -> dict[str, object]:
        """Return the figures in the form in which they are printed."""
        every = sorted(value for values in self.kinds.values() for value in values)
        return {
            "presses": self.presses,
            "seconds": round(self.seconds, 2),
            "rate": round(self.presses / self.seconds, 1) if self.seconds else 0.0,
            "failed": self.failed,
            "late": self.late,
            **percentiles(every),
            **_longest(every),
            "kinds": {
                kind: {"n": len(v), **percentiles(sorted(v)), **_longest(v)} for kind, v in self.kinds.items()
            },
        }


def percentiles(ordered: list[float]) -> dict[str, float]:
    """Return p50, p95 and p99 of ascending milliseconds; empty for fewer than two."""
    if len(ordered) < 2:
        return {}
    cuts = statistics.quantiles(ordered, n=100, method="inclusive")
    return {"p50_ms": round(cuts[49], 2), "p95_ms": round(cuts[94], 2), "p99_ms": round(cuts[98], 2)}


def _longest(values: list[float]) -> dict[str, float]:
    return {"max_ms": round(max(values), 2)} if values else {}


class _Guest:
    """One person at a table, with their open hand."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.board = ""
        self.hand = ""
        self.path: list[str] = []
        self.busy = False

    def _live(self, verb: str) -> list[dict[str, Any]]:
        if not self.hand:
            return []
        try:
            found = list(self.person.components(self.hand))
        except PersonError:
            return []
        return [c for c in found if str(c.get("custom_id", "")).startswith(f"v:{verb}:")]

    async def open(self) -> ActionOutcome:
        """Press **My hand**."""
        out = await self.person.press(self.board, custom_id=f"v:hand:{self.table}")
        if out.message_id:
            self.hand = out.message_id
        return out

    def can_open(self) -> bool:
        """Return whether the table offers a hand."""
        return any(c.get("custom_id") == f"v:hand:{self.table}" for c in self.person.components(self.board))

    @property
    def table(self) -> str:
        """Return the number of the table, from its custom ids."""
        return self._table

    def sit(self, board: str, table: str) -> None:
        """Seat the person at this table."""
        self.board, self._table, self.hand = board, table, ""

    def can_walk(self) -> bool:
        """Return whether the open hand offers choices."""
        return bool(self._asking())

    def _asking(self) -> list[dict[str, object]]:
        return self._live("go") or self._live("sel")

    async def look_again(self) -> ActionOutcome:
        """Return to the first question, as **Back** does; this decides nothing."""
        verb, table, seat, decision = str(self._asking()[0]["custom_id"]).split(":")[1:5]
        del verb
        return await self.person.press(
            self.hand, f"v:go:{table}:{seat}:{decision}:", forge=True, component_type=2
        )

    async def step(self, rng: random.Random) -> ActionOutcome:
        """Press one of the choices in the hand."""
        choices: list[tuple[str, list[str] | None]] = [(c["custom_id"], None) for c in self._live("go")]
        for menu in self._live("sel"):
            choices += [(menu["custom_id"], [option["value"]]) for option in menu["options"]]
        custom_id, values = rng.choice(choices)
        if values is None:
            return await self.person.press(self.hand, custom_id=custom_id)
        return await self.person.select(self.hand, custom_id, values)


Deal: TypeAlias = Callable[[list[_Guest], int], Awaitable[None]]
"""Opens a table for these people in the channel of this number and starts it."""


VALENCE, BARE = ("-m", "bot", "run"), ("-m", "tools.bench.bare_bot")
"""Commands that start the bot, and the bare bot used as a baseline."""


class Rehearsal:
    """One bot with its own local Discord and the people who press buttons."""

    def __init__(
        self, bot: asyncio.subprocess.Process, tables: list[list[_Guest]], deal: Deal, playground: Playground
    ) -> None:
        self.bot, self.tables, self.deal, self.playground = bot, tables, deal, playground
        self.figures = Figures()
        self.cpu = 0.0
        """CPU seconds used by the bot's processes during the measurement."""
        self.requests = 0
        """The bot's requests to Discord during the measurement, first answers included."""

    async def press(self, rate: float, seconds: float, rng: random.Random) -> None:
        """Press at this rate for this many seconds and add up the measurements."""
        before, asked = cpu_of_all(self.bot.pid), self.playground.requests
        await _press(self.tables, rate, seconds, rng, self.deal, figures=self.figures)
        self.cpu += cpu_of_all(self.bot.pid) - before
        self.requests += self.playground.requests - asked

    def summary(self) -> dict[str, Any]:
        """Return the measurements so far."""
        presses = max(1, self.figures.presses)
        each = {
            "cpu_ms_per_press": round(self.cpu * 1000 / presses, 2),
            "requests_per_press": round(self.requests / presses, 2),
        }
        return {**self.figures.summary(), **each, **_memory(self.bot)}


@asynccontextmanager
async def rehearsal(
    people: int, game: str, opponent: str | None, command: Sequence[str] = VALENCE, *, still: bool = False
) -> AsyncIterator[Rehearsal]:
    """Start a bot and seat this many people, two to a table.

    With an `opponent`, each sits alone among computer players of that level, which answer at once. `still`
    turns off animated pictures.

    Raises:
        BenchFailed: the bot did not start, or a table could not be opened.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with start() as playground:
            pace = {} if opponent is None else {"VALENCE_PACE": "0"}
            bot = await _start_bot(playground, Path(folder), pace, command)
            guests: list[_Guest] = []
            try:
                guests = [_Guest(await Person.connect(playground.page_url(), f"p{n}")) for n in range(people)]
                await _wait_for_bot(guests[0].person, bot)
                together = SEATS if opponent is None else 1
                tables = [guests[n : n + together] for n in range(0, len(guests), together)]
                await _channels(playground, tables)
                deal = partial(_seat, game=game, opponent=opponent)
                for at, table in enumerate(tables):
                    await deal(table, at)
                    if still:
                        await table[0].person.press(table[0].board, "v:set:still:yes", forge=True)
                yield Rehearsal(bot, tables, deal, playground)
            except PersonError as error:
                raise BenchFailed(f"a press to begin with was not answered: {error}") from error
            finally:
                for guest in guests:
                    await guest.person.close()
                with contextlib.suppress(ProcessLookupError):
                    bot.terminate()
                await bot.wait()


async def measure(
    *,
    people: int,
    rate: float,
    seconds: float,
    game: str,
    seed: int,
    minutes: bool = False,
    opponent: str | None = None,
) -> dict[str, Any]:
    """Seat this many people, press at this rate for this many seconds, and sum up.

    With `minutes` the warm-up is skipped, and each minute is also summed up separately.

    Raises:
        BenchFailed: the bot did not start, or a table could not be opened.
    """
    async with rehearsal(people, game, opponent) as played:
        asked, rng = {"people": people, "asked_rate": rate}, random.Random(seed)
        if minutes:
            rows = [row async for row in _each_minute(played, rate, seconds, rng)]
            return {**asked, **played.summary(), "each_minute": rows}
        await _press(
            played.tables, rate, WARM_SECONDS, random.Random(f"warm/{seed}"), played.deal, figures=Figures()
        )
        await played.press(rate, seconds, rng)
        return {**asked, **played.summary()}


async def beside_the_floor(
    *, people: int, rate: float, seconds: float, game: str, seed: int
) -> dict[str, dict[str, Any]]:
    """Compare the bot with a bare discord.py bot that answers the same presses.

    The bare bot, the bot as it is, and the bot without moving pictures take turns.

    Raises:
        BenchFailed: one of them did not start, or a table could not be opened.
    """
    seated = partial(rehearsal, people, game, None)
    async with seated(BARE) as bare, seated() as ours, seated(still=True) as still:
        for played in (bare, ours, still):
            await _press(
                played.tables,
                rate,
                WARM_SECONDS,
                random.Random(f"warm/{seed}"),
                played.deal,
                figures=Figures(),
            )
        for turn in range(TURNS):
            for played in (bare, ours, still):
                await played.press(rate, seconds / TURNS, random.Random(f"{seed}/{turn}"))
        found = {"bare": bare.summary(), "valence": ours.summary(), "still": still.summary()}
    compared = {bot: times(found[bot], found["bare"]) for bot in ("valence", "still")}
    return {**found, "times": compared}


def times(ours: Mapping[str, Any], floor: Mapping[str, Any]) -> dict[str, Any]:
    """Return each figure as a multiple of the baseline, which does not distinguish kinds of presses.

    >>> times({"p50_ms": 4.0, "kinds": {}}, {"p50_ms": 2.0, "kinds": {}})
    {'p50': 2.0}
    """
    found: dict[str, Any] = {}
    for name, key in (("p50", "p50_ms"), ("p99", "p99_ms"), ("cpu", "cpu_ms_per_press")):
        if key in ours and floor.get(key):
            found[name] = round(ours[key] / floor[key], 2)
    for kind, row in ours["kinds"].items():
        if "p50_ms" in row and floor.get("p50_ms"):
            found[f"{kind}_p50"] = round(row["p50_ms"] / floor["p50_ms"], 2)
    return found


def environment(playground: Playground, database_url: str) -> dict[str, str]:
    """Return the settings of a bot on the local Discord, without a rate limit for people."""
    return {
        **os.environ,
        "DISCORD_TOKEN": playground.token,
        "DATABASE_URL": database_url,
        "VALENCE_DISCORD_BASE": playground.base,
        "VALENCE_LOG_LEVEL": "WARNING",
        "VALENCE_MOST_PRESSES_A_SECOND": "1000",
        # a deal whose presses were too late leaves a table behind
        "VALENCE_MOST_TABLES_OF_PERSON": "1000",
        "VALENCE_MOST_LOBBIES_OF_PERSON": "1000",
        "VALENCE_MOST_TABLES_OF_CHANNEL": "1000",
        "VALENCE_MOST_TABLES_OF_SERVER": "1000",
    }


async def _start_bot(
    playground: Playground, folder: Path, more: Mapping[str, str], command: Sequence[str]
) -> asyncio.subprocess.Process:
    env = {**environment(playground, f"sqlite:///{folder / 'bench.db'}"), **more}
    return await asyncio.create_subprocess_exec(sys.executable, *command, env=env)


async def _wait_for_bot(person: Person, bot: asyncio.subprocess.Process) -> None:
    for _ in range(400):
        if bot.returncode is not None:
            raise BenchFailed(f"the bot ended with code {bot.returncode}")
        if person.bot["connected"] and await person.commands(CHANNEL):
            return
        await asyncio.sleep(0.05)
    raise BenchFailed("the bot did not connect within 20 s")


async def _channels(playground: Playground, tables: list[list[_Guest]]) -> None:
    """Give each table its own channel, because the rate limit of a channel is not measured here.

    Only those at the table see it. Otherwise fifty people would read every message on the bot's machine.
    """
    moderator = await Person.connect(playground.page_url("mia"), "mia")
    try:
        for at, table in enumerate(tables):
            people = [guest.person.name for guest in table]
            await moderator.create_channel(f"bench-{at}", only=people)
    finally:
        await moderator.close()


def _channel(person: Person, at: int) -> str | None:
    try:
        return person.channel_id(f"bench-{at}")
    except PersonError:
        return None


async def _seat(guests: list[_Guest], at: int, *, game: str, opponent: str | None) -> None:
    host = guests[0].person
    channel = await host.wait_for(lambda: _channel(host, at))
    out = await host.command(channel, "play", game=game)
    if out.message_id is None:
        raise BenchFailed(f"/play was not answered: {out.kind}")
    ids = [str(c.get("custom_id", "")) for c in host.components(out.message_id)]
    table = next((i.split(":")[2] for i in ids if i.startswith("v:join:")), None)
    if table is None:
        raise BenchFailed("/play opened no table")
    for guest in guests:
        guest.sit(out.message_id, table)
    if f"v:opt:{table}:level" in ids:
        await host.select(out.message_id, f"v:opt:{table}:level", ["7"])
    for guest in guests[1:]:
        await guest.person.wait_message(channel, partial(_is, out.message_id))
        await guest.person.press(out.message_id, custom_id=f"v:join:{table}")
    if opponent is not None:
        rules, chosen = catalog.get(game), f"v:add-opponent:{table}"
        for _ in range(fewest_seats(rules, rules.defaults()) - 1):
            await host.press(out.message_id, chosen, forge=True, component_type=SELECT, values=[opponent])
    await host.press(out.message_id, custom_id=f"v:start:{table}", forge=True)
    await host.wait_for(guests[0].can_open)


def _is(message_id: str, message: dict[str, object]) -> bool:
    return bool(message["id"] == message_id)


async def _press(
    tables: list[list[_Guest]],
    rate: float,
    seconds: float,
    rng: random.Random,
    deal: Deal,
    *,
    figures: Figures,
) -> None:
    guests = [guest for table in tables for guest in table]
    running: set[asyncio.Task[None]] = set()
    loop = asyncio.get_running_loop()
    for each in guests:
        if each.can_open():  # a finished game is dealt again below
            await each.open()
    began = loop.time()
    total = int(rate * seconds)
    for n in range(total):
        due = began + n / rate
        if (wait := due - loop.time()) > 0:
            await asyncio.sleep(wait)
        dice = rng.random()
        kind = "open" if dice >= ACT else "walk" if dice < WALK else "act"
        # looking at the hands of all would take longer than the bare bot's answer
        in_random_order = rng.sample(guests, len(guests))
        able = (one for one in in_random_order if not one.busy and (kind == "open" or one.can_walk()))
        if (guest := next(able, None)) is None:
            figures.late += 1
            continue
        guest.busy = True
        task = asyncio.create_task(_one(guest, kind, rng, figures))
        running.add(task)
        task.add_done_callback(running.discard)
        if n % max(1, int(rate)) == 0:
            for at, table in enumerate(tables):
                if not any(guest.busy or guest.can_walk() for guest in table):
                    again = asyncio.create_task(_deal_again(table, at, deal))
                    running.add(again)
                    again.add_done_callback(running.discard)
    await asyncio.gather(*running)
    figures.seconds += loop.time() - began


async def _deal_again(table: list[_Guest], at: int, deal: Deal) -> None:
    """Open a new table for people whose game is over. These presses are not measured."""
    for guest in table:
        guest.busy = True
    try:
        await deal(table, at)
        for guest in table:
            await guest.open()
    except (PersonError, BenchFailed):
        pass  # a press was not answered in time: try again within a second
    finally:
        for guest in table:
            guest.busy = False


async def _one(guest: _Guest, kind: str, rng: random.Random, figures: Figures) -> None:
    try:
        press = {"walk": guest.look_again, "act": lambda: guest.step(rng), "open": guest.open}[kind]
        out = await press()
        figures.presses += 1
        if out.failed:
            figures.failed += 1
        else:
            figures.kinds[kind].append(out.latency * 1000)
    except PersonError:
        figures.failed += 1
    finally:
        guest.busy = False


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process, or 0 if the system does not report them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def family_of(pid: int) -> set[int]:
    """Return the ids of a process and its running descendants."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
    family, before = {pid}, 0
    while len(family) > before:
        before = len(family)
        family |= {child for child, parent in parents.items() if parent in family}
    return family


def cpu_of_all(pid: int) -> float:
    """Return the CPU seconds of a process and its running descendants."""
    return sum(map(cpu_seconds, family_of(pid)))


def resident_mib(pid: int) -> float | None:
    """Return the resident memory of a process in MiB, or None if the system does not report it."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return None
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
    return round(int(lines["VmRSS"].split()[0]) / 1024, 1)


def _memory(bot: asyncio.subprocess.Process) -> dict[str, object]:
    mib = resident_mib(bot.pid)
    return {} if mib is None else {"bot_rss_mib": mib}


async def _each_minute(
    played: Rehearsal, rate: float, seconds: float, rng: random.Random
) -> AsyncIterator[dict[str, Any]]:
    """Press for several minutes. Return the measurements of each."""
    whole = played.figures
    for minute in range(1, max(1, round(seconds / MINUTE)) + 1):
        played.figures, before = Figures(), played.cpu
        await played.press(rate, min(seconds, MINUTE), rng)
        found, played_now = played.figures, played.summary()
        yield {
            "minute": minute,
            "presses": found.presses,
            "failed": found.failed,
            "late": found.late,
            "p50_ms": played_now.get("p50_ms"),
            "p99_ms": played_now.get("p99_ms"),
            "act_ms": played_now["kinds"]["act"].get("p50_ms"),
            "cpu_ms": round((played.cpu - before) * 1000 / max(1, found.presses), 2),
            "rss_mib": played_now.get("bot_rss_mib"),
        }
        whole.add(found)
    played.figures = whole
