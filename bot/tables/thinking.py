"""Where computer opponents think: worker processes that hold the engine and nothing else."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Hashable, Sequence
from importlib import import_module
from typing import Final

from bot.workers.pool import Pool
from engine import catalog
from engine.ai.advice import Advice, advise, luck_of

THOUGHT_SECONDS: Final = 5.0
"""How long an opponent may think about one decision."""
STUDY_SECONDS: Final = 2.0
"""When the teacher stops to try and answers; it is a tenth of that unless the machine is very busy."""
KEEPSAKE_SECONDS: Final = 40.0
"""How long any other work may take; drawing a molecule begins with loading a large library."""
MAKER_REST_SECONDS: Final = 60.0
"""After that much rest the process for other work ends, and gives the memory of its libraries back."""
PONDER_SECONDS: Final = 60.0
"""How long what takes seconds may take, on a machine that has much else to do."""


def decide(game: str, level: str, observation: object, actions: Sequence[object]) -> object:
    """One of the actions, by the opponent of this level; runs in the worker."""
    return catalog.get(game).opponents[level](observation, actions, random.Random())


def hint(game: str, observation: object, actions: Sequence[object]) -> Advice:
    """What the teacher says of a decision, the same whenever it is asked; runs in the worker.

    Raises:
        LookupError: the game has no study.
    """
    known = catalog.get(game)
    if known.study is None:
        raise LookupError(f"{game} has no study")
    until = time.monotonic() + STUDY_SECONDS
    luck = luck_of(observation)
    return advise(
        known.study, known.measures, observation, actions, luck, stop=lambda: time.monotonic() > until
    )


def load_games() -> None:
    """Import every game; runs in the worker before its first thought, whose time it would take."""
    for key in catalog.listed():
        with contextlib.suppress(Exception):  # one that cannot be imported is played by nobody
            catalog.get(key)


def call_by_name(name: str, *args: object) -> object:
    """Call `module:function`, imported here, in the worker, and nowhere else.

    Raises:
        Exception: whatever the function raises.
    """
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)(*args)


class WorkerThinker:
    """Opponents think in `workers` processes; with 0 in one thread, for tests and tiny machines.

    Other work has a process of its own, so that no opponent waits for it, and so has what takes seconds, so
    that no picture does. `thoughts`, `makers` and `ponderers` are the three pools, with their figures.
    """

    def __init__(self, workers: int, *, thought_seconds: float = THOUGHT_SECONDS) -> None:
        self._thought_seconds = thought_seconds
        self.thoughts = Pool("opponents", workers, prepare=load_games, wait=6 * thought_seconds)
        self.makers = Pool("makers", min(1, workers), keep=0, idle=MAKER_REST_SECONDS, wait=KEEPSAKE_SECONDS)
        self.ponderers = Pool(
            "ponderers", min(1, workers), keep=0, idle=MAKER_REST_SECONDS, wait=5 * PONDER_SECONDS
        )

    async def choose(
        self, game: str, level: str, observation: object, actions: Sequence[object], *, whose: Hashable = None
    ) -> object:
        """The opponent's choice. A forced one is made without thinking.

        `whose`: the table or channel that it plays at; each gets a turn.

        Raises:
            NoAnswer: it thought too long, its process died twice, or too many think already.
            Exception: whatever the opponent raises.
        """
        if len(actions) == 1:
            return actions[0]
        return await self.thoughts.run(
            decide, game, level, observation, actions, deadline=self._thought_seconds, whose=whose
        )

    async def teach(self, work: Callable[..., object], *args: object, whose: Hashable = None) -> object:
        """Call a function of the teacher where the opponents think.

        Raises:
            NoAnswer: it thought too long, its process died twice, or too many think already.
            Exception: whatever the function raises.
        """
        return await self.thoughts.run(work, *args, deadline=self._thought_seconds, whose=whose)

    async def run(
        self,
        work: Callable[..., object],
        *args: object,
        deadline: float = KEEPSAKE_SECONDS,
        whose: Hashable = None,
    ) -> object:
        """Call a function in the other worker.

        Raises:
            NoAnswer: it took longer than `deadline` seconds, its process died, or too much waits.
            Exception: whatever the function raises.
        """
        return await self.makers.run(work, *args, deadline=deadline, whose=whose)

    async def ponder(self, work: Callable[..., object], *args: object, whose: Hashable = None) -> object:
        """Call a function that takes seconds in the third worker.

        Raises:
            NoAnswer: it took longer than a minute, its process died, or too much waits.
            Exception: whatever the function raises.
        """
        return await self.ponderers.run(work, *args, deadline=PONDER_SECONDS, whose=whose)

    async def close(self) -> None:
        """Stop the workers, whatever they do; nobody waits for a thought any more."""
        self.thoughts.kill()
        self.makers.kill()
        self.ponderers.kill()
