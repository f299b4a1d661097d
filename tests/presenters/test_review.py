"""A review in words and in its picture: every game that has a study."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.presenters.review import Turning, Way, curve_scene, luckiest, turnings, ways
from bot.render.check import audit, unclear
from bot.render.scene import Look
from engine import catalog
from engine.ai.review import Judged, Review
from engine.arena import key_of
from engine.game import Game, as_json
from engine.ladder import fewest_seats
from tests.conformance.walk import GAMES
from tests.support.games.random_play import played

TAUGHT = [game for game in GAMES if game.study is not None]
LOOK = Look(names=("Ada", "Ben", "Cy", "Dan"))


def judged(act: int, chance: float = 0.5, loss: float = 0.0, **more: Any) -> Judged:
    return Judged(act=act, best=[], chance=chance, loss=loss, error=0.01, **more)


@pytest.mark.parametrize("game", TAUGHT, ids=lambda game: game.key)
def test_every_decision_reads_as_its_choices(game: Game[Any, Any]) -> None:
    """Of a whole game by chance: what was played, and another decision, have words, which fit the picture."""
    setup, rng = game.setup(fewest_seats(game, game.defaults()), key_of(4, 0)), random.Random(4)
    acts = played(game, setup, 4)
    state, others = game.deal(setup), {}
    for number, (seat, action) in enumerate(acts):
        legal = state.legal_actions(seat)
        if seat == 0 and len(legal) > 1 and number % 5 == 0:
            others[number] = as_json(rng.choice(legal))
        state.push(seat, action)
    facts = {
        "game": game.key,
        "setup": setup,
        "acts": [(seat, as_json(action)) for seat, action in acts],
        "look": LOOK,
        "decisions": others,
    }
    found = ways(facts)
    assert found.keys() == others.keys() != set()
    assert all(way.played and way.best for way in found.values())
    assert not any("… · " in text for way in found.values() for text in way)
    review = Review(0, tuple(judged(act, rng.random(), rng.random()) for act in found), 1.0)
    scene = curve_scene(review, list(turnings(review, found)), "A game", LOOK)
    assert audit(scene) == []
    assert unclear(scene) == set()


@pytest.mark.parametrize("chances", [(0.5, 0.45, 0.9, 0.2, 0.8, 0.1), (0.5, 0.5, 0.9, 0.2, 0.8, 0.1)])
def test_the_moral_is_marked_on_the_curve(chances: tuple[float, ...]) -> None:
    """Others changed more, and luck has made good for what it cost, so that the curve hardly falls there."""
    decisions = tuple(judged(act, chance, 0.3 if act == 0 else 0.0) for act, chance in enumerate(chances))
    review, found = Review(0, decisions, 1.0), {0: Way("Pass", "Play 5")}
    points = list(turnings(review, found))
    assert [point.sign for point in points] == ["X", "Y", "Z"]
    assert points[0].one is decisions[0]
    scene = curve_scene(review, points, "A game", LOOK)
    assert "Pass; better: Play 5" in scene.alt
    assert "the move that cost most" in str(scene.items)
    assert audit(scene) == []


def test_a_turning_is_luck_unless_most_of_it_was_lost() -> None:
    lost, unlucky, won = judged(1, 0.8, 0.4), judged(2, 0.8, 0.1), judged(3, 0.2, 0.1)
    way = Way("a", "b")
    points = [Turning("X", 1, lost, 0.3, way), Turning("Y", 2, unlucky, 0.3, way)]
    assert [point.own for point in points] == [True, False]
    assert not Turning("Z", 3, won, 0.9, way).own


def test_luck_is_what_somebody_did_then() -> None:
    """A player learns from the trick that was lost: the picture names it."""
    decisions = (judged(0, 0.8, luck=-0.6), judged(3, 0.2, luck=0.1))
    way = Way("114", "114", "round 1, hand 2", gained="", lost="Ben wins the hand with 118")
    review = Review(0, decisions, 0.3)
    scene = curve_scene(review, list(turnings(review, {0: way, 3: Way("5", "5")})), "A game", LOOK)
    assert "X: Round 1, hand 2: 80 % → 20 %. Ben wins the hand with 118." in scene.alt
    assert "Y: Your move 2: 20 % → 30 %. Good luck." in scene.alt
    assert luckiest(review) is decisions[0]
    assert luckiest(Review(0, (), 1.0)) is None


def test_what_followed_a_decision_is_heard_until_the_next_one() -> None:
    """A whole game by chance: the lines name what others did, and never a decision of the player's own."""
    game = catalog.get("compound_capture")
    setup = game.setup(2, key_of(4, 1))
    acts = played(game, setup, 7)
    state, others = game.deal(setup), {}
    for number, (seat, action) in enumerate(acts):
        if seat == 0 and len(state.legal_actions(seat)) > 1:
            others[number] = as_json(action)
        state.push(seat, action)
    found = ways(
        {
            "game": game.key,
            "setup": setup,
            "acts": [(seat, as_json(action)) for seat, action in acts],
            "look": LOOK,
            "decisions": others,
        }
    )
    assert any(way.lost for way in found.values())
    assert all("Ada" not in way.lost and "Ben" not in way.gained for way in found.values())
