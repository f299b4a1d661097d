"""The end of a game in words and in its picture: every game, any setup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot import presenters
from bot.locales import languages
from bot.presenters.ending import headline, placed
from bot.presenters.story import MOST_POINTS, Story, story, turning_act
from bot.presenters.victory import made, victory
from bot.presenters.voice import unmarked
from bot.render.check import audit, faults
from bot.render.scene import Look, Scene, Text
from bot.render.text import written
from bot.ui.names import shown
from engine import catalog
from engine.arena import key_of
from engine.game import Event, Game, Outcome, Setup, Standing
from engine.setups import covering
from tests.conformance.walk import GAMES, parameters
from tests.support.discord.keys import MARKED, all_keys, facts, keys
from tests.support.games.random_play import played

NAMES = ("Ada", "Ben", "Cleo", "Dmitri", "Eva", "Finn", "Gus", "Hana")
every_game = pytest.mark.parametrize("game", parameters(GAMES))


def told(game: Game[Any, Any], seats: int, seed: int, **options: Any) -> tuple[Story, Look]:
    setup = game.setup(seats, key_of(seed, 0), **options)
    look = Look(names=NAMES[:seats])
    return story(presenters.get(game.key), setup, played(game, setup, seed), look), look


FEW = 5
"""So many setups of each game are played where time is short."""


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)])
@every_game
def test_every_end_has_its_picture(game: Game[Any, Any], every: bool) -> None:
    presenter, kinds = presenters.get(game.key), covering(game)
    wrong = []
    # by earlier rules an end looks as by those of today
    every = every and catalog.get(game.key) is game
    for number, kind in enumerate(kinds if every else kinds[:: -(-len(kinds) // FEW)]):
        found, look = told(game, kind.seats, number, **kind.options)
        scene = victory(presenter, found, look)
        wrong += [f"{kind}: {fault}" for fault in (audit(scene) if number else faults(scene))]
        assert all(len(line) <= MOST_POINTS + 1 for line in found.curves)
        if found.turning is not None:
            assert 1 <= found.turning.act <= found.acts
            assert found.turning.words in scene.alt or scene.alt.endswith("…")
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("locale", languages())
@every_game
def test_the_end_of_the_fullest_table_has_its_picture(game: Game[Any, Any], locale: str) -> None:
    """With so many players everything is as narrow, and the whole as high, as it gets."""
    kinds = covering(game)
    kind = max(kinds, key=lambda kind: kind.seats)
    for seed in range(2):
        found, _ = told(game, kind.seats, seed, **kind.options)
        look = Look(names=NAMES[: kind.seats], locale=locale)
        assert faults(victory(presenters.get(game.key), found, look)) == []


def test_the_last_of_eight_do_without_their_best_move_before_the_picture_is_too_high() -> None:
    """Whoever is first keeps it, and nobody's is missing in the alt text."""
    found, look = told(catalog.get("molecular"), 8, 0, bond_points="orders")
    assert all(found.best)
    scene = victory(presenters.get("molecular"), replace(found, best=("Mends the group " * 7,) * 8), look)
    drawn = [item.string for item in scene.items if isinstance(item, Text) and "Mends" in item.string]
    assert scene.height <= 2600
    assert 0 < len(drawn) < 8
    assert scene.alt.count("Mends") > len(drawn)


def test_names_keep_signs_that_look_like_markdown_in_the_alt_text() -> None:
    """Names of pictures are plain: nothing of them is a mark."""
    found, _ = told(catalog.get("duel52"), 2, 3)
    scene = victory(presenters.get("duel52"), found, Look(names=("*ann*", "__ben__")))
    assert "*ann*" in scene.alt
    assert "__ben__" in scene.alt


def test_the_curve_of_a_battle_goes_on_while_the_piles_fight() -> None:
    """Its last move sets that going, so most of what turns a game lies behind it."""
    stories = [told(catalog.get("chemistry_battle"), 3, seed)[0] for seed in range(8)]
    assert all(found.steps > 0 for found in stories)
    late = [found.turning for found in stories if found.turning and found.turning.step]
    assert late
    assert all(turning.act == 54 and "takes 3 cards" in turning.words for turning in late)


@every_game
def test_what_turned_a_game_is_drawn_large(game: Game[Any, Any]) -> None:
    seats = next(count for count in game.seats(game.defaults()) if count > 1)
    turned = [found.turning for seed in range(4) if (found := told(game, seats, seed)[0]).turning]
    large = [not isinstance(turning.shown, Scene) for turning in turned if turning]
    assert any(large) == bool(presenters.get(game.key).feats)


@every_game
def test_the_curve_ends_where_the_winner_is_ahead(game: Game[Any, Any]) -> None:
    """Where scores are what the curve shows, its last points stand in the order of the ranks."""
    found, _ = told(game, game.seats(game.defaults())[0], 3)
    if game.key in ("atom", "duel52") or not found.curves:
        return  # sides win, cards on a table are no score, and the probe has no curve
    last = [line[-1] for line in found.curves]
    assert last == [standing.score for standing in found.outcome.standings]


def outcome(*standings: tuple[int, float]) -> Outcome:
    return Outcome(tuple(Standing(rank, score) for rank, score in standings))


BY_VALUE = Outcome((Standing(1, 7.0), Standing(2, 7.0)), tiebreak=((2.0, 93.0), (2.0, 80.0)))
HIGHEST = Outcome((Standing(1, 27.0), Standing(2, 27.0)), facts={"highest": 54}, tiebreak=((54.0,), (53.0,)))
TIED = Outcome((Standing(1, 7.0), Standing(2, 7.0)), tiebreak=((2.0,), (1.0,)))


@pytest.mark.parametrize(
    ("game", "end", "title", "second", "by"),
    [
        ("molecular", outcome((1, 40), (2, 38)), "won by points", "beaten_behind points", 2),
        ("molecular", outcome((1, 39), (2, 38), (3, 0)), "won by points", "place_behind points", 1),
        ("molecular", outcome((1, 40), (1, 40)), "draw", "you_drew", None),
        ("molecular", outcome((1, 40), (1, 40), (3, 7)), "won by points", "you_won_by points", 33),
        ("atom_duel", outcome((1, 7), (2, 7)), "won level", "beaten_level", None),
        ("atom_duel", TIED, "won tie atom_duel.ending.tie_round", "beaten_level", None),
        ("atom_duel", BY_VALUE, "won tie atom_duel.ending.tie_value", "beaten_level", None),
        ("molecular", TIED, "won tiebreak", "beaten_level", None),
        ("chemistry_battle", HIGHEST, "won tie chemistry.ending.tie", "beaten_level", None),
        ("atom", outcome((1, 2), (2, -2), (1, 2), (2, -2)), "won", "beaten", None),
        ("chemistry_battle", outcome((1, 30), (2, 22)), "won by cards", "beaten_behind cards", 8),
        ("duel52", outcome((1, 1), (2, 0)), "won", "beaten", None),
    ],
)
def test_who_has_won_and_by_how_much(
    game: str, end: Outcome, title: str, second: str, by: int | None
) -> None:
    names = NAMES[: len(end.standings)]
    presenter, look = presenters.get(game), Look(names=names, locale=MARKED)
    first = placed(presenter, end, 0, MARKED)
    known = {"won": "you_won", "draw": "you_drew"}
    ahead = "you_won_by" if " by " in title else known.get(title, "you_won_level")
    assert all_keys(first)[0] == f"end.{ahead}"
    head, place = headline(presenter, end, look), placed(presenter, end, 1, MARKED)
    for text, expected in ((head, title), (place, second)):
        said = [key for key in all_keys(text) if key not in ("table.and", "table.comma", "chemistry.short")]
        assert said == [key if "." in key else f"end.{key}" for key in expected.split()]
        if "score" in facts(text):
            assert facts(text)["score"].split()[0] == str(by)
    assert title == "draw" or all(
        (name in facts(head)["names"]) == (standing.rank == 1)
        for name, standing in zip(names, end.standings, strict=True)
    )


def test_who_stays_moves_up_past_who_left() -> None:
    """The computer came first in the seat that Ada has left, so the third is second, as it counts."""
    presenter, end = presenters.get("molecular"), outcome((1, 50), (2, 17), (3, 10))
    assert placed(presenter, end, 2, "en") == "You came third, 40 points behind."
    moved = (
        "You came second, 7 points behind.\n"
        "-# Anyone who leaves or stays away comes last, so the others move up."
    )
    assert placed(presenter, end, 2, "en", gone={0: 7}) == moved
    assert "move up" not in placed(presenter, outcome((1, 50), (2, 17), (3, 10)), 1, "en", gone={2: 7})
    teams = outcome((1, 1), (2, 0), (1, 1), (2, 0))
    assert placed(presenters.get("duel52"), teams, 1, "en", gone={0: 7}) == "You lost."


def test_a_game_for_one_is_won_or_lost() -> None:
    presenter, look = presenters.get("chemistry_battle"), Look(names=("Ada",), locale=MARKED)
    won = headline(presenter, Outcome((Standing(1, 30.0),), won=True), look)
    assert all_keys(won) == ["end.alone", "end.cards"]
    assert facts(won)["name"] == "Ada"
    assert facts(won)["score"].split()[0] == "30"
    assert keys(headline(presenter, Outcome((Standing(1, 20.0),), won=False), look)) == ["end.lost"]


def test_a_game_that_goes_on_has_no_story() -> None:
    game = catalog.get("canasta")
    with pytest.raises(ValueError, match="not over"):
        story(presenters.get("canasta"), game.setup(2, key_of(1, 0)), [], Look(names=NAMES[:2]))


def test_names_that_look_like_markdown_stay_as_they_are() -> None:
    game, names = catalog.get("molecular"), ("**st_ar**", "under_score_d")
    setup = game.setup(2, key_of(3, 0))
    spoken = Look(names=tuple(map(shown, names)))
    found = story(presenters.get(game.key), setup, played(game, setup, 3), Look(names=names), spoken)
    assert any(name in best for name, best in zip(names, found.best, strict=True))
    assert all(name in best or not best for name, best in zip(names, found.best, strict=True))


def test_who_has_a_blank_name_is_called_by_the_seat() -> None:
    game = catalog.get("compound_capture")
    setup = game.setup(2, key_of(3, 0), rounds=1)
    look = Look(names=("\u3164", "\u2800"))
    acts = played(game, setup, 3)
    scene = made({"game": game.key, "setup": setup, "acts": acts, "look": look, "spoken": look})
    title = next(item.string for item in scene.items if isinstance(item, Text))
    assert " ".join(title.split()[:2]) in ("Seat A", "Seat B")


def test_every_turning_point_is_a_feat_of_a_winner() -> None:
    """Never a card that was laid face-down, nor the points of a round being counted."""
    tried = 0
    for key in ("duel52", "chemistry_battle", "compound_capture", "canasta", "atom", "atom_duel"):
        game, presenter = catalog.get(key), presenters.get(key)
        seats = next(count for count in game.seats(game.defaults()) if count > 1)
        for seed in range(4):
            found, look = told(game, seats, seed)
            if found.turning is None or found.turning.step:
                continue
            setup = game.setup(seats, key_of(seed, 0))
            events = _events(game, setup, played(game, setup, seed)[: found.turning.act])
            feats = [event for event in events if event.kind in presenter.feats]
            assert {event.seat for event in feats} & set(found.outcome.winners())
            lines = [
                presenter.recall(event, setup.options, look) or presenter.line(event, None, look) or ""
                for event in feats
            ]
            assert any(unmarked(found.turning.words)[:20] in unmarked(line) for line in lines)
            tried += 1
    assert tried > 12


@pytest.mark.parametrize(("rounds", "named"), [(1, False), (2, True)])
def test_the_end_of_atom_duel_names_the_round_only_if_there_were_several(rounds: int, named: bool) -> None:
    """A game of two rounds has two hands with the number 5."""
    tried = 0
    for seed in range(4):
        found, _ = told(catalog.get("atom_duel"), 3, seed, rounds=rounds)
        lines = [line for line in (*found.best, found.turning.words if found.turning else "") if line]
        assert all((" of round " in line) is named for line in lines)
        tried += len(lines)
    assert tried > 4


def _events(game: Game[Any, Any], setup: Setup, acts: Sequence[tuple[int, Any]]) -> list[Event]:
    """Return the public events of the last of these actions."""
    state = game.deal(setup)
    for seat, action in acts:
        state.events = []
        state.apply(seat, action)
    return [cut for event in state.events or () if (cut := event.seen_by(None)) is not None]


@pytest.mark.parametrize(
    ("leads", "great", "turned"),
    [
        ([0, -1, -2, 3, 4, 5], "01111", 3),  # a comeback
        ([0, -1, -2, 3, 4, 9], "01011", 4),  # not by a feat: the greatest gain of the feats before the end
        ([0, 1, 2, 5, 6, 7], "11111", 3),  # ahead from the start: the greatest gain
        ([0, 2, 4, 2, 4, 6, 8, 10, 12, 14], "111111111", 4),  # of equal gains the closest moment ...
        ([0, 2, 4, 6, 8, 10], "11111", 2),  # ... after the opening
        ([0, 1, 3, 10], "111", 2),  # what ended a game that was won before did not turn it
        ([0, -2, -4, -1], "111", 3),  # ahead by something that the curve does not show
        ([0, 1, 2, 3], "000", None),
    ],
)
def test_the_turning_point_of_a_course(leads: list[float], great: str, turned: int | None) -> None:
    assert turning_act(leads, [flag == "1" for flag in great]) == turned


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("key", ["atom", "duel52"])
def test_a_picture_of_the_end_without_scores_says_how_it_was_won(key: str, locale: str) -> None:
    game, presenter = catalog.get(key), presenters.get(key)
    assert not presenter.points
    for seed, kind in enumerate(covering(game)[:8]):
        found, _ = told(game, kind.seats, seed, **kind.options)
        look = Look(names=NAMES[: kind.seats], locale=locale)
        drawn = [item.string for item in victory(presenter, found, look).items if isinstance(item, Text)]
        expected = written(unmarked(presenter.verdict(found.outcome, look)))
        assert expected.startswith("".join(drawn[1:2]).rstrip("…")[:12])
        if key == "atom":
            numbers = found.outcome.facts["totals"]
            assert all(str(number) in expected for number in numbers)


def test_only_games_without_points_have_a_verdict() -> None:
    for key in catalog.listed():
        game, presenter = catalog.get(key), presenters.get(key)
        seats = next(count for count in game.seats(game.defaults()) if count > 1)
        found, look = told(game, seats, 0)
        assert bool(presenter.verdict(found.outcome, look)) == (not presenter.points), key
