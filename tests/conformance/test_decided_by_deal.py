"""Games that the deal alone decides: play changes nothing, and no one is offered such a game by default."""

from __future__ import annotations

import random
from itertools import product

import pytest

from bot import presenters
from bot.features.daily.service import setting
from bot.features.play.opening import first_deal
from bot.locales import languages
from bot.presenters.base import NOTE
from engine import catalog
from engine.game import AnyGame, Outcome
from engine.setups import Kind, every_kind

GAMES = [catalog.get(key) for key in catalog.listed()]
DECIDED = [
    (game, kind)
    for game in GAMES
    for kind in every_kind(game)
    if game.decided_by_deal(kind.seats, kind.options)
]
DEALS, TIMES = 6, 3


def played(game: AnyGame, kind: Kind, deal: int, rng: random.Random) -> Outcome:
    """Play a deal at random to its end."""
    state = game.deal(game.setup(kind.seats, deal.to_bytes(32, "big"), **kind.options))
    while seats := state.to_act():
        state.push(seats[0], rng.choice(state.legal_actions(seats[0])))
    outcome = state.outcome()
    assert outcome is not None
    return outcome


def winners(game: AnyGame, kind: Kind, deal: int) -> set[tuple[bool | None, tuple[int, ...]]]:
    """Return who wins a deal, over a few random games."""
    games = [played(game, kind, deal, random.Random(time)) for time in range(TIMES)]
    return {(outcome.won, outcome.winners()) for outcome in games}


def test_the_same_seat_wins_however_they_play() -> None:
    assert DECIDED
    for (game, kind), deal in product(DECIDED, range(DEALS)):
        assert len(winners(game, kind, deal)) == 1, f"{game.key}, {kind}, deal {deal}"


def test_rules_that_let_play_decide_say_so() -> None:
    """Three players, and the earlier rules that count the cards after 200 rounds."""
    battle = catalog.get("chemistry_battle")
    for rules, seats in ((battle, 3), (battle.at(1), 2)):
        kind = Kind(seats, battle.defaults())
        assert not rules.decided_by_deal(seats, kind.options)
        assert any(len(winners(rules, kind, deal)) > 1 for deal in range(30))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_by_default_play_decides(game: AnyGame) -> None:
    for options in {str(kind.options): kind.options for kind in every_kind(game)}.values():
        usual = game.usual_seats(options)
        assert usual in game.seats(options)
        assert not game.decided_by_deal(usual, options)
    deal = first_deal(game.key)
    assert not game.decided_by_deal(1 + len(deal.levels), deal.options)
    options, seats = setting(game.key)
    assert not game.decided_by_deal(seats, options)


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_game_that_the_deal_decides_says_who_wins(game: AnyGame, locale: str) -> None:
    told = presenters.get(game.key).by_deal(locale)
    assert bool(told) == any(decided is game for decided, _ in DECIDED)
    assert len(told) <= NOTE  # it is also the note of a question in a form
