"""The law of places: if words name a cell or a tile, the picture shown with them has that name."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

import pytest

from bot.locales import words
from bot.presenters.base import Branch, Node
from bot.presenters.molecular import PRESENTER
from bot.presenters.molecular.closeups import closeups
from bot.presenters.molecular.scenes import table
from bot.presenters.molecular.words import LETTERS
from bot.presenters.paths import in_words, ways_to
from bot.presenters.review import ways
from bot.render.scene import Item, ItemGroup, Look, Scene, Sprite, Text
from engine.game import as_json
from engine.molecular.ai.heuristic import heuristic
from engine.molecular.game import GAME
from engine.molecular.moves import REVEAL
from engine.molecular.state import MolecularState
from tests.engine.molecular.positions import game, give_pool, of_smiles, stack, with_board

LOCALES = ("en", "zh-CN")
_OUTSIDE = re.compile(r"cells? (.+)$|和 ?(.+) 格$")
_CELL = re.compile(
    rf"(?:cells? |(?:\bin|放在|在) ?)([{LETTERS}]{{1,2}}(?:-\d)?)(?![\w])|([{LETTERS}]{{1,2}}-\d)"
)
_TILE = re.compile(r"(?:[Tt]ile |第 )(\d+)")
"""How cells and tiles of the hand are named in the two languages."""


def look(locale: str) -> Look:
    return Look(names=("Ann", "Ben", "Cy", "Dee"), locale=locale)


def named(text: str) -> set[str]:
    """The places that a text names."""
    cells = {one or other for one, other in _CELL.findall(text)}
    return cells | set(_TILE.findall(text))


def drawn(scene: Scene) -> set[str]:
    """The names of places that a picture shows: on chips in cells and beside tiles, and on tiles to choose;
    and those that it says are to be seen elsewhere."""

    def flat(items: tuple[Item, ...]) -> Iterator[str]:
        for item in items:
            if isinstance(item, ItemGroup):
                yield from flat(item.items)
            elif isinstance(item, Text) and (item.colour == "accent_ink" or item.string.isdigit()):
                yield item.string
            elif isinstance(item, Text) and (outside := _OUTSIDE.search(item.string)):
                yield from re.split(", |、| and |和", outside[1] or outside[2])
            elif isinstance(item, Sprite) and item.painter in ("molecular.tile", "molecular.choice"):
                yield from (one for one in item.args if isinstance(one, str))

    return set(flat(scene.items))


@cache
def positions() -> tuple[MolecularState, ...]:
    """Positions of games in which many effectors are revealed, so that tiles are spilled as well."""
    found = []
    for seed in range(4):
        rng = random.Random(seed)
        state = GAME.deal(GAME.setup(1 + seed, seed.to_bytes(32, "big"), rounds=20))
        while waiting := state.to_act():
            found.append(state.clone())
            actions = state.legal_actions(waiting[0])
            daring = rng.random() < 0.5
            move = rng.choice(actions) if daring else heuristic(state.observe(waiting[0]), actions, rng)
            state.apply(waiting[0], move)
    return tuple(found)


def spilling() -> MolecularState:
    """A position in which an end tile is to be chosen."""
    state = with_board(game(), of_smiles("CCO"))
    stack(state, "spill")
    state.apply(0, REVEAL)
    return state


def asked(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Branch]]:
    """All questions below a node, with the way to each."""
    if isinstance(node, Branch):
        yield path, node
        for choice in node.all_choices():
            yield from asked(choice.child, (*path, choice.key))


@pytest.mark.long
@pytest.mark.parametrize("locale", LOCALES)
def test_a_hint_and_a_puzzle_name_what_the_hand_shows(locale: str) -> None:
    cells = tiles = ends = 0
    for number, state in enumerate(chain([spilling()], positions())):
        if number % 3:
            continue
        seat = state.to_act()[0]
        seen, legal = state.observe(seat), state.legal_actions(seat)
        shown = drawn(PRESENTER.hand(seen, look(locale)))
        for way in ways_to(PRESENTER.choices(seen, legal, look(locale)), legal).values():
            told = in_words(way)
            assert named(told) <= shown, told
            if way.action[0] == "tile":
                cells, tiles = cells + bool(_CELL.search(told)), tiles + bool(_TILE.search(told))
                assert len(named(told)) == 2, told
            elif way.action[0] == "spill":
                ends += 1
                assert told.split(" · ")[0] in shown, told
    assert min(cells, tiles, ends) > 0


@pytest.mark.long
@pytest.mark.parametrize("locale", LOCALES)
def test_a_question_and_its_answers_name_what_its_picture_shows(locale: str) -> None:
    found = 0
    for number, state in enumerate(positions()):
        if number % 5:
            continue
        seat = state.to_act()[0]
        seen, legal = state.observe(seat), state.legal_actions(seat)
        hand = drawn(PRESENTER.hand(seen, look(locale)))
        for path, node in asked(PRESENTER.choices(seen, legal, look(locale))):
            scene = PRESENTER.hand_at(seen, path, look(locale))
            shown = drawn(scene) if scene else hand
            for text in (node.prompt, *(choice.label for choice in node.all_choices())):
                # a cell whose ways round are all drawn, D-1 and D-2, is found by these
                missed = named(text) - shown - {name.split("-")[0] for name in shown}
                assert not missed, (path, text, sorted(shown))
                found += bool(named(text))
    assert found


@pytest.mark.parametrize("locale", LOCALES)
def test_a_review_names_no_place_for_it_shows_no_molecule(locale: str) -> None:
    setup = GAME.setup(2, bytes(32))
    state, rng, acts, others = GAME.deal(setup), random.Random(1), list[tuple[int, list[Any]]](), {}
    while waiting := state.to_act():
        legal = state.legal_actions(waiting[0])
        move = rng.choice(legal)
        if len(legal) > 1:
            others[len(acts)] = as_json(rng.choice(legal))
        acts.append((waiting[0], as_json(move)))
        state.apply(waiting[0], move)
    facts = {"game": GAME.key, "setup": setup, "acts": acts, "look": look(locale), "decisions": others}
    found = ways(facts)
    assert {"tile"} < {acts[at][1][0] for at in found}
    for at, way in found.items():
        assert not named(way.played) | named(way.best), way
        assert way.played != way.best or others[at] == acts[at][1], "what differs is told apart"


def test_a_review_says_what_a_tile_was_bonded_to() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "C1111-1", "C1111-1", "N3-1", "O2-1")
    legal = state.legal_actions(0)
    told = {
        in_words(way): in_words(way, alone=True)
        for way in ways_to(PRESENTER.choices(state.observe(0), legal, look("en")), legal).values()
    }
    hydrogen = told["Tile 1 (hydrogen) in cell A"]
    assert re.fullmatch("Lay hydrogen onto [↗→↘↙←↖]–C", hydrogen)
    assert any(re.fullmatch("Lay carbon onto [↗→↘↙←↖]–C, open .+", one) for one in told.values())
    assert told["Pass"] == "Pass"


def test_the_same_tile_onto_the_same_atom_elsewhere_is_called_so() -> None:
    """Without letters two moves may read alike."""
    say = words("en")
    for seed in range(30):
        setup = GAME.setup(1, seed.to_bytes(32, "big"))
        state, acts = GAME.deal(setup), list[tuple[int, object]]()
        for _ in range(6):
            legal = state.legal_actions(0)
            made = ways_to(PRESENTER.choices(state.observe(0), legal, look("en")), legal)
            alike = dict[str, list[object]]()
            for move, way in made.items():
                alike.setdefault(in_words(way, alone=True), []).append(as_json(move))
            for told, moves in alike.items():
                if len(moves) > 1:
                    facts = {
                        "game": GAME.key,
                        "setup": setup,
                        "acts": [*acts, (0, moves[0])],
                        "look": look("en"),
                        "decisions": {len(acts): moves[1]},
                    }
                    assert ways(facts)[len(acts)][:2] == (told, say("review.elsewhere"))
                    return
            acts.append((0, as_json(legal[0])))
            state.apply(0, legal[0])
    raise AssertionError("no two such moves")


def test_the_text_of_a_picture_lists_the_letters_that_it_shows() -> None:
    """Of the table and of each close look at a molecule too large for it."""
    large = 0
    for number, state in enumerate(positions()):
        if number % 7:
            continue
        seen = state.observe(None)
        scenes = [table(seen, look("en")), *(page.scene for page in closeups(seen, look("en")))]
        large += len(scenes) > 1
        for scene in scenes:
            if scene is not None and (listed := re.search(r"Lettered: (.+?)\.", scene.alt)):
                letters = {one.split()[0] for one in listed[1].split(", ")}
                assert letters <= drawn(scene), listed[0]
    assert large
