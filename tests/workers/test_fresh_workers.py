"""A worker process that has just started can do everything the bot may ask of it, in every game."""

from __future__ import annotations

import ast
import random
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import pytest_asyncio

import bot
from bot import presenters
from bot.client import new_studio, new_thinker
from bot.features.privacy import export as exporting
from bot.features.teacher.review_service import reviewed
from bot.features.teacher.service import OpponentMove, last_moves
from bot.features.verify.service import checked
from bot.presenters.prerender import missing_parts, prerender
from bot.render.pool import Studio
from bot.render.scene import Look
from bot.settings import Settings
from bot.store.folds import Fold
from bot.store.games import Entry
from bot.table.game_runner import steady
from bot.table.game_statistics import Earning, seat_statistics
from bot.table.storage import compaction
from bot.table.thinking import WorkerThinker, call_by_name, hindsight_of, hint, motive_of
from bot.workers import process_worker
from engine import catalog, record
from engine.ai.motive import visible_event
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from engine.game import AnyGame, AnyState, Setup, as_json
from tests.workers.forks import serve_in_forks
from tools.contact_sheet.galleries import gallery

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

ROOT = Path(bot.__file__).parent
SETTINGS = Settings(
    _env_file=None,  # type: ignore[call-arg]
    DISCORD_TOKEN="playground",
    workers=1,
    painters=1,
    cache="-",
)
FAIR = Commitment(bytes(SEED_BYTES), bytes(NONCE_BYTES))
FEW = 20
"""Acts of a game that are drawn: a whole game takes half a minute."""
FEWEST = 6
"""Acts of a game that are reviewed: each may take seconds."""
PATIENCE = 60.0
"""Seconds that a thought or a picture may take on a busy machine."""
GAMES = [game for game in catalog.listed() if game != "probe"]


@dataclass(frozen=True)
class Played:
    """A game played at random to its end."""

    game: AnyGame
    setup: Setup
    acts: list[tuple[int, list[object]]]
    last: AnyState
    moved: OpponentMove
    """The last move for which the seat had a choice."""

    @property
    def key(self) -> str:
        return self.game.key

    @property
    def look(self) -> Look:
        return Look(names=tuple(f"Player {seat}" for seat in range(self.setup.seats)))

    @property
    def facts(self) -> dict[str, Any]:
        return {"game": self.key, "setup": self.setup, "acts": self.acts}

    @property
    def record(self) -> bytes:
        acts = [(seat, self.game.action(data)) for seat, data in self.acts]
        return record.to_json(record.write(self.setup, acts, commitment=FAIR, names=self.look.names))


@cache
def played(key: str) -> Played:
    game, rng = catalog.get(key), random.Random(key)
    seats = next(seats for seats in game.seats(game.defaults()) if seats > 1)
    setup = Setup(key, game.version, seats, game.defaults(), FAIR.deal_key([]))
    state, acts, choice = game.deal(setup), list[tuple[int, Any]](), 0
    while waiting := state.to_act():
        legal = state.legal_actions(waiting[0])
        acts.append((waiting[0], rng.choice(legal)))
        choice = len(acts) if len(legal) > 1 else choice
        state.apply(*acts[-1])
    moved = last_moves(game, setup, acts[:choice], {acts[choice - 1][0]})[0]
    return Played(game, setup, [(seat, as_json(action)) for seat, action in acts], state, moved)


@dataclass(frozen=True)
class Fresh:
    """The bot's own workers, none of which has done anything yet."""

    thinker: WorkerThinker
    studio: Studio


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def fresh() -> AsyncIterator[Fresh]:
    """Workers that do each job in a fork of their own, so that every job has a new one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(process_worker, "serve", serve_in_forks)
        workers = Fresh(new_thinker(SETTINGS), new_studio(SETTINGS))
        workers.thinker._thought_seconds = workers.studio._deadline = PATIENCE
        try:
            yield workers
        finally:
            await workers.thinker.close()
            workers.studio.pool.kill()


Job = Callable[[Fresh, Played], Awaitable[object]]
JOBS: dict[str, Job] = {}
"""The kinds of jobs, by the function that the bot's code hands to a worker."""


def job(key: str) -> Callable[[Job], Job]:
    def add(function: Job) -> Job:
        JOBS[key] = function
        return function

    return add


@job("choose")
async def choose(fresh: Fresh, game: Played) -> None:
    seen = game.moved.before.observe(game.moved.seat)
    chosen = await fresh.thinker.choose(game.key, steady(game.game), seen, game.moved.actions)
    assert chosen in game.moved.actions


@job("hint")
async def ask_for_a_hint(fresh: Fresh, game: Played) -> None:
    seen = game.moved.before.observe(game.moved.seat)
    assert await fresh.thinker.advise(hint, game.key, seen, game.moved.actions)


@job("motive_of")
async def ask_why(fresh: Fresh, game: Played) -> None:
    moved, viewer = game.moved, (game.moved.seat + 1) % game.setup.seats
    seen = [(moved.before.observe(viewer), visible_event(moved.events, moved.seat, viewer))]
    assert await fresh.thinker.advise(motive_of, game.key, steady(game.game), seen)


@job("hindsight_of")
async def ask_why_afterwards(fresh: Fresh, game: Played) -> None:
    moved = game.moved
    seen = [(moved.before.observe(moved.seat), moved.actions, moved.action)]
    assert await fresh.thinker.advise(hindsight_of, game.key, seen)


@job("seat_statistics")
async def compute_statistics(fresh: Fresh, game: Played) -> None:
    who = Earning(tuple(range(game.setup.seats)), fair=True)
    assert await fresh.thinker.analyze(seat_statistics, game.setup, game.acts, who)


@job("reviewed")
async def review(fresh: Fresh, game: Played) -> None:
    by_others = range(len(game.acts) - FEWEST)
    assert await fresh.thinker.analyze(reviewed, game.setup, game.acts, game.moved.seat, by_others)


@job("compaction.folded")
async def fold(fresh: Fresh, game: Played) -> None:
    outcome = game.last.outcome()
    assert outcome is not None
    ended = compaction.Ended(
        table=1,
        game=game.key,
        version=game.game.version,
        options=dict(game.setup.options),
        seats=game.setup.seats,
        fair=FAIR,
        entropy=[],
        over=True,
        journal=[Entry(n, "act", seat, data, n) for n, (seat, data) in enumerate(game.acts, 1)],
        results=[(seat, one.rank, one.score) for seat, one in enumerate(outcome.standings)],
    )
    made: Any = await fresh.thinker.run(compaction.folded, [ended])
    assert [type(one) for one in made] == [Fold]


@job("written")
async def write_record(fresh: Fresh, game: Played) -> None:
    finished = exporting.FinishedExport(
        table=1,
        game=game.key,
        version=game.game.version,
        options=dict(game.setup.options),
        fair=FAIR,
        entropy=[],
        names=list(game.look.names),
        house_rules="",
        acts=game.acts,
    )
    made: Any = await fresh.thinker.run(exporting.written, [finished])
    assert [table for table, _ in made] == [1]


@job("CHECK")
async def verify(fresh: Fresh, game: Played) -> None:
    name = f"{checked.__module__}:{checked.__name__}"
    found: Any = await fresh.thinker.run(call_by_name, name, game.record)
    assert found.wrong == ""


@job("'bot.presenters.victory:made'")
async def draw_the_end(fresh: Fresh, game: Played) -> None:
    facts = {**game.facts, "look": game.look, "spoken": game.look}
    scene: Any = await fresh.thinker.run(call_by_name, "bot.presenters.victory:made", facts)
    assert await fresh.studio.paint(scene)


@job("'bot.presenters.review:ways'")
async def put_decisions_into_words(fresh: Fresh, game: Played) -> None:
    state, wanted = game.game.deal(game.setup), {}
    for number, (seat, data) in enumerate(game.acts):
        if len(legal := state.legal_actions(seat)) > 1:
            wanted[number] = as_json(legal[0])
        state.apply(seat, game.game.action(data))
    facts = {**game.facts, "look": game.look, "decisions": wanted}
    found: Any = await fresh.thinker.run(call_by_name, "bot.presenters.review:ways", facts)
    assert found.keys() == wanted.keys()


@job("f'bot.presenters.film_files:{kind}'")
async def make_files_of_the_replay(fresh: Fresh, game: Played) -> None:
    acts = [(seat, data, False) for seat, data in game.acts[:FEW]]
    facts = {**game.facts, "acts": acts, "look": game.look, "spoken": game.look, "view": "t"}
    for kind, start in (("gif", b"GIF8"), ("page", b"<!doctype html>")):
        data: Any = await fresh.thinker.draw(call_by_name, f"bot.presenters.film_files:{kind}", facts)
        assert data[: len(start)].lower() == start.lower()


@job("keepsake.make")
async def make_the_keepsake(fresh: Fresh, game: Played) -> None:
    outcome = game.last.outcome()
    assert outcome is not None
    kept = presenters.get(game.key).keepsake(outcome, game.last.observe(None), game.look)
    if kept is not None and (kept.needs is None or kept.needs.there):
        assert await fresh.thinker.run(call_by_name, kept.make, dict(kept.facts))


@job("prerender")
async def draw_cards_ahead(fresh: Fresh, game: Played) -> None:
    with TemporaryDirectory() as cache:
        drawn = await fresh.thinker.run(prerender, game.key, 1, cache)
    assert isinstance(drawn, int)


@job("missing_parts")
async def look_for_what_to_draw_ahead(fresh: Fresh, game: Played) -> None:
    assert await fresh.studio.pool.run(missing_parts, [game.key], deadline=PATIENCE) == []


@job("paint")
async def paint(fresh: Fresh, game: Played) -> None:
    for name, scene in list(gallery(game.key))[::3]:
        assert await fresh.studio.paint(scene), name


TAUGHT = {"hint", "motive_of", "hindsight_of", "reviewed"}
"""The kinds of jobs that need a game's study."""
METHODS = {"run", "draw", "analyze", "advise"}
"""The methods that hand a function to a worker."""


def handed_over() -> Iterator[str]:
    """Yield each function that the bot's code hands to a worker, as it is written there."""
    for file in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called, args = ast.unparse(node.func), [ast.unparse(arg) for arg in node.args]
            owner, _, method = called.rpartition(".")
            if called == "asked" and args[0] == "pressed":
                yield args[1]
            elif (owner.endswith("thinker") and method == "choose") or (
                owner.endswith("studio") and method == "paint"
            ):
                yield method
            elif owner.endswith(("thinker", "studio.pool")) and method in METHODS and args[0] != "work":
                yield args[args[0] == "call_by_name"]


def test_every_kind_of_job_is_tried_here() -> None:
    assert set(handed_over()) == JOBS.keys()


@pytest.mark.long
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("key", GAMES)
async def test_a_fresh_worker_makes_the_keepsake(fresh: Fresh, key: str) -> None:
    await make_the_keepsake(fresh, played(key))


@pytest.mark.long
@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("kind", sorted(JOBS))
async def test_a_fresh_worker_can_do_every_job_in_every_game(fresh: Fresh, kind: str, key: str) -> None:
    if kind in TAUGHT and catalog.get(key).study is None:
        pytest.skip("this game cannot be taught")
    await JOBS[kind](fresh, played(key))
