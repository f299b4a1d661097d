"""Leaderboards and statistics as pictures, from what is stored of their games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot import presenters
from bot.locales import Words, words
from bot.render.boards import Board, Columns, Tally, board_scene, emblem, medal
from bot.render.scene import Look, Scene
from bot.render.stats import Figure, Stats, stats_scene
from bot.store.people import Rating
from bot.store.totals import Place, Standings, Total
from bot.views.names import plain

RATED_AFTER: Final = 5
"""A rating is shown from so many games on."""


def board_picture(found: Standings, game: str, asker: int, look: Look, *, here: bool) -> Scene:
    """A page of the leaderboard of a game, of one server or all, as one person asks for it."""
    say = words(look.locale)
    place = say("board.here") if here else say("board.everywhere")
    board = Board(
        title=say("board.title", game=presenters.get(game).title(look.locale)),
        subtitle=say("board.counted", place=place),
        columns=_columns(say),
        tallies=tuple(_tally(line, asker, say) for line in found.places),
        own=_tally(found.own, asker, say) if found.own else None,
        empty=say("board.empty"),
        footer=say("board.footer", n=RATED_AFTER),
    )
    return board_scene(board, look)


def stats_picture(
    name: str,
    found: Mapping[str, Total],
    last: Sequence[bool],
    rated: Mapping[str, Rating],
    look: Look,
    *,
    here: bool,
) -> Scene:
    """The statistics of a person: what their games come to, the last ones, and a line for each game."""
    say = words(look.locale)
    games = [game for game in presenters.offered() if game in found]
    stats = Stats(
        name=name,
        subtitle=say("board.stats_here" if here else "board.stats_everywhere"),
        figures=_in_all([found[game] for game in games], say),
        last_label=say("board.last"),
        last=tuple(last),
        last_said=say("board.last_said", n=sum(last), of=len(last)) if last else "",
        columns=_columns(say),
        tallies=tuple(_game(found[game], rated.get(game), game, say) for game in games),
        empty=say("board.no_stats"),
        footer=say("board.stats_footer", n=RATED_AFTER),
    )
    return stats_scene(stats, look)


def _share(won: int, played: int) -> str:
    return f"{100 * won // played} %"


def _friendly(rating: Rating | None, say: Words) -> str:
    """A rating as people read it: 1000 for who knows nothing yet, and nothing while few games say little."""
    if rating is None or rating.games < RATED_AFTER:
        return say("board.new")
    return friendly(rating.mu, rating.sigma)


def friendly(mu: float, sigma: float) -> str:
    """The points of a rating: what is sure of it, 1000 for who knows nothing yet."""
    return str(max(0, round(1000 + 40 * (mu - 3 * sigma))))


def _columns(say: Words) -> Columns:
    return Columns(say("board.share"), say("board.of", n="{n}"), say("board.rating"))


def _tally(line: Place, asker: int, say: Words) -> Tally:
    """A line of the leaderboard; in words the same, without its bar."""
    own = line.user_id == asker
    name = plain(line.name) if line.known or own else say("board.elsewhere")
    rank, rating = str(line.place) if line.place else "", _friendly(line.rating, say)
    figures = {"wins": str(line.wins), "games": str(line.games), "share": _share(line.wins, line.games)}
    if line.streak > 1:
        figures["streak"] = str(line.streak)
    figures["rating"] = rating
    return Tally(
        name,
        line.wins,
        line.games,
        f"{rank} {name}: {_figures(figures, say)}.".strip(),
        rank=rank,
        sign=medal(line.place),
        rating=rating,
        rated=rating.isdigit(),
        streak=line.streak,
        tag=say("board.you") if own else "",
        plain=say("board.you") if own else say("board.person", n=line.place),
    )


def _figures(figures: dict[str, str], say: Words) -> str:
    return ", ".join(f"{say(f'board.{key}')} {figure}" for key, figure in figures.items())


def _in_all(found: list[Total], say: Words) -> tuple[Figure, ...]:
    """What the games with other people come to; nothing where there were none."""
    games, wins = sum(total.games for total in found), sum(total.wins for total in found)
    if not games:
        return ()
    run = max(total.best_streak for total in found)
    return (
        Figure(str(games), say("board.in_all", n=games)),
        Figure(_share(wins, games), say("board.in_all_won")),
        Figure(str(run), say("board.run")),
    )


def _game(total: Total, rating: Rating | None, game: str, say: Words) -> Tally:
    """The line of a game in a person's statistics; in words the same, and what has no room there."""
    presenter = presenters.get(game)
    sign, rated = presenter.poster.emblem, _friendly(rating, say) if total.games else ""
    title = presenter.title(say.language)
    figures = {
        "won": f"{total.wins}/{total.games}",
        "practice": f"{total.practice_wins}/{total.practice}",
        "hands": str(total.hands) if total.hands else "–",  # few games count hands
        "streak": str(total.streak),
        "best": str(total.best_streak),
    }
    notes = [
        say("board.note_run", n=total.best_streak) if total.best_streak > 1 else "",
        say("board.note_hands", n=total.hands) if total.hands else "",
        say("board.note_practice", n=total.practice_wins, of=total.practice) if total.practice else "",
    ]
    return Tally(
        title,
        total.wins,
        total.games,
        f"{title}: {_figures(figures, say)}.",
        sign=emblem(sign.painter, sign.args, sign.shape) if sign else None,
        rating=rated,
        rated=rated.isdigit(),
        streak=total.streak,
        note=" · ".join(filter(None, notes)),
    )
