"""What each game says, in one text a game: every line of the log, refusal, status, question and choice that
a few games bring up, each with the keys of its strings and as it reads with names and cards filled in.

Where a string is reworded on purpose, `pytest tests/presenters/test_sentences.py --snapshot-update` takes it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from bot import presenters
from bot.render.scene import Look
from engine import catalog
from engine.game import Event, Game, Setup, State
from engine.setups import covering
from tests.conformance.walk import random_play, viewers
from tests.support.discord.keys import MARKED, all_keys, keys, plain
from tests.support.discord.wording import GAMES, refused, texts

NAMES = ("Ann", "Ben", "Cy", "Dee", "Eve", "Fay", "Gil", "Hal")
MARKS, ENGLISH = Look(names=NAMES, locale=MARKED), Look(names=NAMES)
MOST_GAMES = 16
"""More bring up hardly anything that these did not."""
FEW_GAMES = 3
TALKATIVE = ("molecular", "duel52", "canasta", "compound_capture")
"""Games in which listening to all of these takes many seconds."""
KEPT = Path(__file__).parent / "__snapshots__" / "test_sentences"

Heard = dict[tuple[str, ...], str]
Voices = dict[str, Heard]
"""By section, what was heard first of each run of keys."""


class Text(SingleFileSnapshotExtension):
    """A text file for each game."""

    file_extension = "txt"
    _write_mode = WriteMode.TEXT


def games_of(game: Game[Any, Any]) -> Iterator[Setup]:
    """Setups in which the options of the game come up."""
    kinds = covering(game)
    for number, kind in enumerate(kinds[:: -(-len(kinds) // MOST_GAMES)]):
        yield Setup(game.key, game.version, kind.seats, kind.options, bytes([number]) * 32)


def run_of(line: str) -> tuple[str, ...]:
    """Return the keys of a line with marks."""
    outer = keys(line)
    # steps and ways of an explanation are strings within a string
    inner = [key for key in all_keys(line) if key not in outer and ".explain." in key]
    return (*outer, *dict.fromkeys(inner)) if outer else ()


def is_new(heard: Heard, marked: str) -> bool:
    """Return whether a line of a text was not heard yet. All others need no English."""
    return any((run := run_of(line)) and run not in heard for line in marked.splitlines())


def hear(into: Heard, marked: str, english: str) -> None:
    """Note the lines of a text, unless the marks left no room for a part of it."""
    if plain(marked).casefold() != english.casefold():
        return
    for line, said in zip(marked.splitlines(), english.splitlines(), strict=True):
        if (run := run_of(line)) and said.strip():
            into.setdefault(run, said.strip())


def hear_game(voices: Voices, game: Game[Any, Any], setup: Setup) -> None:
    """Play one game and listen to it all the time; to what it asks and shows, at some of its positions."""
    presenter, rng = presenters.get(game.key), random.Random(setup.key)
    for state, _ in random_play(game, setup, rng, events=True):
        events, state.events = state.events or [], []
        for event in events:
            hear_event(voices["log"], presenter, event, setup)
        if state.to_act() and rng.random() > 0.3:
            continue
        hear_position(voices, presenter, state)
    outcome = state.outcome()
    assert outcome is not None
    hear(voices["ending"], presenter.ending(outcome, MARKS), presenter.ending(outcome, ENGLISH))


def hear_event(heard: Heard, presenter: Any, event: Event, setup: Setup) -> None:
    for viewer in (None, *viewers(setup)):
        if (view := event.seen_by(viewer)) is not None:
            marked = presenter.line(view, viewer, MARKS) or ""
            if is_new(heard, marked):
                hear(heard, marked, presenter.line(view, viewer, ENGLISH) or "")


def hear_position(voices: Voices, presenter: Any, state: State[Any, Any]) -> None:
    for viewer in (None, *state.to_act()):
        seen = state.observe(viewer)
        hear(voices["status"], presenter.status(seen, MARKS), presenter.status(seen, ENGLISH))
        hear(voices["why"], presenter.explain(seen, MARKS), presenter.explain(seen, ENGLISH))
        if viewer is not None:
            actions = state.legal_actions(viewer)
            marked = list(texts(presenter.choices(seen, actions, MARKS)))
            if any(is_new(voices[where], one) for where, one in marked):
                english = texts(presenter.choices(seen, actions, ENGLISH))
                for (where, one), (_, other) in zip(marked, english, strict=True):
                    hear(voices[where], one, other)


def heard_in(game: Game[Any, Any], setups: Iterable[Setup]) -> Voices:
    """Play these games and return what was heard in them."""
    voices: Voices = {
        name: {} for name in ("log", "status", "why", "questions", "choices", "notes", "refusals", "ending")
    }
    for setup in setups:
        hear_game(voices, game, setup)
    return voices


def written(heard: Heard) -> list[str]:
    return [f"{' '.join(known)}: {said}" for known, said in sorted(heard.items())]


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", [pytest.param(key, marks=pytest.mark.long if key in TALKATIVE else ()) for key in GAMES]
)
def test_what_a_game_says(key: str, snapshot: SnapshotAssertion) -> None:
    game, presenter = catalog.get(key), presenters.get(key)
    voices = heard_in(game, games_of(game))
    for refusal in refused(game):
        hear(voices["refusals"], presenter.why(refusal, MARKS), presenter.why(refusal, ENGLISH))
    lines = []
    for name, heard in voices.items():
        lines += [f"== {name}", *written(heard), ""]
    assert "\n".join(lines) == snapshot(extension_class=Text)


@pytest.mark.parametrize("key", TALKATIVE)
def test_what_a_few_games_say_is_among_it(key: str) -> None:
    """What is heard first, so exactly as it is kept; `make long` listens to all games."""
    game = catalog.get(key)
    voices = heard_in(game, islice(games_of(game), FEW_GAMES))
    kept = (KEPT / f"test_what_a_game_says[{key}].txt").read_text("utf-8").splitlines()
    now = [line for heard in voices.values() for line in written(heard)]
    assert len(now) > 60
    assert [line for line in now if line not in kept] == []
