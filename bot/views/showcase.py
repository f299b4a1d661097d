"""The pictures that belong to no game, from made-up people, for the contact sheet."""

from __future__ import annotations

from functools import cache

from bot.locales import words
from bot.presenters.everywhere import NAMES
from bot.render.scene import Look, Scene
from bot.store.people import Rating
from bot.store.totals import Place, Standings, Total
from bot.views.brackets import bracket_pages, bracket_picture, current_page
from bot.views.stats import board_picture, stats_picture
from engine import brackets
from engine.brackets import Kind

_WINS = ((41, 60, 4), (32, 51, 0), (29, 55, 2), (18, 40, 0), (15, 22, 7), (9, 30, 0), (3, 6, 0), (1, 4, 0))
"""Wins, games, and wins in a row of each."""


@cache
def showcase() -> tuple[tuple[str, Scene], ...]:
    """Every kind of picture around the games, with its title."""
    look = Look()
    own, few = Place(112, 9, "Zoë", 17, 1, _rating(9, 17), True, 0), tuple(_places())[:3]
    boards = {
        "Leaderboard": Standings(0, 1, tuple(_places()), None),
        "Leaderboard: the own line on another page": Standings(0, 12, few, own),
        "Leaderboard: nobody yet": Standings(0, 1, (), None),
    }
    shown = [
        (title, board_picture(found, "atom_duel", 9, look, here=True)) for title, found in boards.items()
    ]
    totals = {
        "atom_duel": Total(60, 41, 0, 5, 3, 4, 7),
        "duel52": Total(0, 0, 0, 3, 2, 0, 0),
        "atom": Total(19, 7, 103, 0, 0, 0, 2),
        "molecular": Total(2, 1, 0, 2, 1, 1, 1),
    }
    last = (True, False, True, True, False, False, True, True, True, True)
    rated = {game: _rating(1, total.games) for game, total in totals.items()}
    shown.append(("Statistics", stats_picture("Mira", totals, last, rated, look, here=True)))
    shown.append(("Statistics: nothing yet", stats_picture("Cleo", {}, (), {}, look, here=False)))
    shown += [
        ("Bracket: four players", _bracket("single", 4, 0)),
        ("Bracket: five players", _bracket("single", 5, 1)),
        ("Bracket: eight players, decided", _bracket("single", 8, 99)),
        ("Bracket: 32 players", _bracket("single", 32, 4)),
        ("Bracket: losers' rounds", _bracket("double", 6, 5)),
        ("Bracket: double elimination, decided", _bracket("double", 6, 99)),
    ]
    return tuple(shown)


def _rating(who: int, games: int) -> Rating:
    return Rating(who, 25 + games / 4, 3, games)


def _places() -> list[Place]:
    return [
        Place(place, place, name, games, wins, _rating(place, games), True, streak)
        for place, (name, (wins, games, streak)) in enumerate(zip(NAMES, _WINS, strict=True), 1)
    ]


def _bracket(kind: Kind, players: int, played: int) -> Scene:
    """A bracket after so many matches, in which the better seeds win two of three."""
    bracket = brackets.start(kind, [str(number) for number in range(players)])
    for number in range(played):
        if ready := bracket.ready():
            bracket = bracket.report(ready[0].key, ready[0].players[number % 3 // 2])

    def name_of(player: str) -> str:
        return f"{NAMES[int(player) % len(NAMES)]}{' I' * (int(player) // len(NAMES))}"

    pages = bracket_pages(bracket, name_of, words("en"))
    return bracket_picture(bracket, name_of, pages[current_page(bracket, pages)], Look())
