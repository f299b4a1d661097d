"""One picture of each kind that belongs to no game, from invented players."""

from __future__ import annotations

from functools import cache
from math import sin

from bot import presenters
from bot.features.achievements.handlers import achievements_picture
from bot.features.stats.messages import StatsPerson, board_picture, rivals_picture, stats_picture
from bot.features.stats.rows import BoardPage, BoardPlace, GamesDone, Practised, RivalRecord
from bot.features.teacher.review_rows import Luck
from bot.features.tournaments.brackets import bracket_pages, bracket_picture, current_page
from bot.features.tournaments.leagues import league_picture
from bot.locales import words
from bot.presenters.review import Way, curve_scene, turnings
from bot.render.scene import Look, Scene
from bot.store.rating_model import Rating, RatingBoard
from bot.store.totals import Total
from engine import brackets
from engine.ai.review import Judged, Review
from engine.brackets import Kind
from tools.contact_sheet.tables import NAMES

_WINS = ((41, 60, 4), (32, 51, 0), (29, 55, 2), (18, 40, 0), (15, 22, 7), (9, 30, 0), (3, 6, 0), (1, 4, 0))
"""Wins, games, and winning streak of each player."""


@cache
def gallery() -> tuple[tuple[str, Scene], ...]:
    """Return one picture of each kind around the games, with its title."""
    look = Look()
    own, few = BoardPlace(112, 9, "Zoë", _rating(17, 1, 0), True), tuple(_places())[:3]
    boards = {
        "Leaderboard": BoardPage(0, 1, tuple(_places()), None),
        "Leaderboard: the own line on another page": BoardPage(0, 12, few, own),
        "Leaderboard: nobody yet": BoardPage(0, 1, (), None),
    }
    on = RatingBoard("atom_duel", "", 0, 70)
    shown = [(title, board_picture(found, on, 9, look)) for title, found in boards.items()]
    totals = {
        "atom_duel": Total(60, 41, 0, 5, 3, 4, 7),
        "duel52": Total(0, 0, 0, 3, 2, 0, 0),
        "atom": Total(19, 7, 103, 0, 0, 0, 2),
        "molecular": Total(2, 1, 0, 2, 1, 1, 1),
    }
    last = (True, False, True, True, False, False, True, True, True, True)
    rated = {
        (game, ""): _rating(total.games, total.wins, total.streak)
        for game, total in totals.items()
        if total.games
    }
    way = tuple(25 + step / 6 + (1 - step / 41) * 2 * sin(step / 3) for step in range(42))
    met = [RivalRecord(n, name, n != 3, 9 - 2 * n, 5 - n) for n, name in enumerate(NAMES[1:5])]
    others = {n: _rating(20 + n, 9 + n, 0) for n in range(3)}
    alone = [Practised("casual", 5, 4), Practised("steady", 5, 2)]
    luck = Luck(12, 0.84, -1.62)
    done = GamesDone((31, 23), (29, 18), "Au", 17)
    reader = _rating(30, 18, 0)
    overall = rated["atom_duel", ""]
    person = StatsPerson(
        totals, last, rated, way, met, alone, luck, done, others, "atom_duel:alloy", overall, reader
    )
    earned = {"first_out": 3, "sweep": 1, "big_bomb": 12, "nuke": 1, "last_bang": 1}
    shown.append(("Achievements", achievements_picture("Mira", "atom", earned, "atom:sweep", look)))
    shown.append(("Statistics", stats_picture("Mira", person, look, here=True)))
    if (rivals := rivals_picture("Mira", person, look, here=True)) is not None:
        shown.append(("Statistics: ratings and rivals", rivals))
    shown.append(
        ("Statistics: nothing yet", stats_picture("Cleo", StatsPerson({}, (), {}), look, here=False))
    )
    shown += [
        ("Bracket: four players", _bracket("single", 4, 0)),
        ("Bracket: five players", _bracket("single", 5, 1)),
        ("Bracket: eight players, decided", _bracket("single", 8, 99)),
        ("Bracket: 32 players", _bracket("single", 32, 4)),
        ("Bracket: losers' rounds", _bracket("double", 6, 5)),
        ("Bracket: double elimination, decided", _bracket("double", 6, 99)),
        ("Standings: Swiss, eight players", _bracket("swiss", 8, 6)),
        ("Standings: Swiss, five players, decided", _bracket("swiss", 5, 99)),
        ("Standings: Swiss, 32 players", _bracket("swiss", 32, 50)),
        ("Standings: round robin with a withdrawal", _bracket("round_robin", 6, 8)),
    ]
    shown += [
        ("Review: what turned a game", _review(_COSTLY, 1.0)),
        ("Review: one decision", _review((_judged(6, 0.71, 0.68),), 0.0)),
    ]
    return tuple(shown)


def _review(decisions: tuple[Judged, ...], share: float) -> Scene:
    """Return the review of a game of Compound Capture with these decisions."""
    found = Review(0, decisions, share)
    way = Way("One from the stock, then I decide", "Cl 17 from the pile, one from the stock")
    points = turnings(found, {one.act: way for one in decisions})
    return curve_scene(found, list(points), presenters.get("compound_capture").title("en"), Look())


def _judged(act: int, chance: float, loss: float = 0.0) -> Judged:
    return Judged(act=act, best=[], chance=chance, loss=loss, error=0.01)


_COSTLY = (
    *(_judged(4 * act, 0.5 + act % 4 / 40 - act / 60) for act in range(12)),
    _judged(48, 0.42, 0.24),
    *(_judged(48 + 5 * act, 0.2 + act % 3 / 50) for act in range(1, 9)),
    _judged(93, 0.24),
    _judged(97, 0.61),
    _judged(104, 0.58, 0.02),
    _judged(111, 0.7),
    _judged(118, 0.71),
)


def _rating(games: int, wins: int, streak: int) -> Rating:
    return Rating(25 + wins / 6, 8 - games / 12 if games < 40 else 4, games, wins, streak)


def _places() -> list[BoardPlace]:
    return [
        BoardPlace(place, place, name, _rating(games, wins, streak), True)
        for place, (name, (wins, games, streak)) in enumerate(zip(NAMES, _WINS, strict=True), 1)
    ]


def _bracket(kind: Kind, players: int, played: int) -> Scene:
    """Return a bracket after this many matches; the better seed wins two of three."""
    bracket = brackets.start(kind, [str(number) for number in range(players)])
    for number in range(played):
        if ready := bracket.ready():
            draw = bracket.league is not None and number % 7 == 5
            winner = None if draw else ready[0].players[number % 3 // 2]
            bracket = bracket.report(ready[0].key, winner)
    if bracket.kind == "round_robin":
        bracket = bracket.withdraw("2")

    def name_of(player: str) -> str:
        return f"{NAMES[int(player) % len(NAMES)]}{' I' * (int(player) // len(NAMES))}"

    if bracket.league is not None:
        return league_picture(bracket, bracket.league, name_of, 0, Look())
    pages = bracket_pages(bracket, name_of, words("en"))
    return bracket_picture(bracket, name_of, pages[current_page(bracket, pages)], Look())
