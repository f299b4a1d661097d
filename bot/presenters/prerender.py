"""Random games drawn in advance, so that no player waits for a card's first drawing.

Drawing a card for the first time takes about a hundred times as long as loading it from disk
(`bot/render/sprite_cache.py`), and after an upgrade the disk cache is empty.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice

from bot import presenters
from bot.presenters.painter_imports import load_painters
from bot.render.canvas import clear_caches
from bot.render.encode import encode
from bot.render.scene import Look, Scene
from bot.render.sprites import kept_on
from bot.workers.process import release_memory
from engine import catalog
from engine.arena import key_of
from engine.setups import covering

PARTS = 13
"""The parts of a game to prerender: card pages and kinds of tables, then pictures of random games."""
PICTURES = 25
"""Pictures per part. The first part also has every card page."""
ACTIONS = 40
"""Actions per random game. Then a new game is dealt, because people see openings first."""
SEED = 1000
"""Offset of the random games' seeds, so that they differ from those of `tools/bench/painting.py`."""
LEAST_ROOM = 2**20
"""Bytes of free cache space required to draw cards in advance."""


def random_scenes(game: str, seed: int, count: int) -> list[Scene]:
    """Return hands and tables of random games, one game after another, with player names from this seed."""
    rules, presenter, rng = catalog.get(game), presenters.get(game), random.Random(seed)
    found: list[Scene] = []
    while len(found) < count:
        seats = rng.choice([n for n in rules.seats(rules.defaults()) if n > 1] or [1])
        look = Look(names=tuple(f"Player {seed} {number}" for number in range(seats)))
        state = rules.deal(rules.setup(seats, key_of(seed, len(found)), **rules.defaults()))
        for _ in range(ACTIONS):
            if not (waiting := state.to_act()):
                break
            found.append(presenter.hand(state.observe(waiting[0]), look))
            state.apply(waiting[0], rng.choice(state.legal_actions(waiting[0])))
            found.append(presenter.table(state.observe(None), look))
    return found[:count]


def lookup_scenes(game: str) -> list[Scene]:
    """Return everything players can look up, as scenes: the overview, its sections, and each card's page."""
    presenter, look = presenters.get(game), Look()
    pages = [presenter.card(card.key, look) for card in presenter.cards(look.locale)]
    overview = presenter.overview(look, "")
    if overview is not None:
        pages.append(overview)
    sections = [section.scene for section in presenter.sections(look)]
    return [page.scene for page in pages if page.scene is not None] + sections


def varied_scenes(game: str, count: int) -> list[Scene]:
    """Return the table, and the hand of a seat to act, for `count` random positions.

    The positions cover different numbers of seats and options.
    """
    rules, presenter = catalog.get(game), presenters.get(game)
    found: list[Scene] = []
    for number, kind in enumerate(islice(covering(rules), count)):
        rng = random.Random(number)
        look = Look(names=tuple(f"Player {seat}" for seat in range(kind.seats)))
        state = rules.deal(rules.setup(kind.seats, key_of(SEED, number), **kind.options))
        for _ in range(rng.randrange(ACTIONS)):
            if not (waiting := state.to_act()):
                break
            state.apply(waiting[0], rng.choice(state.legal_actions(waiting[0])))
        found.append(presenter.table(state.observe(None), look))
        if waiting := state.to_act():
            found.append(presenter.hand(state.observe(waiting[0]), look))
    return found


def missing_parts(games: Sequence[str]) -> list[tuple[str, int]]:
    """Return the games and parts not drawn since the drawings last changed, the first parts of all games
    first.

    Empty if there is no disk cache or hardly any room. Runs in a painting process.
    """
    disk = kept_on()
    if disk is None or disk.room < LEAST_ROOM:
        return []
    return [(game, part) for part in range(PARTS) for game in games if disk.get(_mark_of(game, part)) is None]


def prerender(game: str, part: int, cache: str) -> int:
    """Draw one part of a game, so that its cards are cached in the folder `cache`. Return how many were
    added.

    Takes up to several seconds, so it runs in the process for long jobs.

    Raises:
        LookupError: the game is not offered.
    """
    disk = load_painters(cache)
    if disk is None:
        return 0
    before = disk.written
    if part:
        scenes = random_scenes(game, SEED + part, PICTURES)
    else:
        scenes = [*lookup_scenes(game), *varied_scenes(game, PICTURES)]
    for scene in scenes:
        encode(scene)
    drawn = disk.written - before
    disk.put(_mark_of(game, part), b"")
    # otherwise this process would be larger than the bot for minutes, and no one waits for its next picture
    clear_caches()
    release_memory()
    return drawn


def _mark_of(game: str, part: int) -> tuple[str, str, int]:
    return ("rehearsed", game, part)
