"""Leaderboards and statistics as pictures, from what is stored of their games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bot import presenters
from bot.features.stats.rows import BoardPage, BoardPlace, GamesDone, Practised, RivalRecord
from bot.features.teacher.review_rows import Luck
from bot.locales import Words, words
from bot.presenters.achievements import borne
from bot.presenters.rulebook import named_value
from bot.presenters.voice import unmarked
from bot.render.pages.leaderboards import BoardLine, BoardPicture, Columns, board_scene, emblem, medal
from bot.render.pages.stats import StatFigure, Stats, Trend, rivals_scene, stats_scene
from bot.render.scene import Look, Scene
from bot.store import rating_model
from bot.store.rating_model import ALL_TIME, Rating, chance, points
from bot.store.totals import Total
from bot.ui.names import plain, shown_points
from engine import catalog

CURVE: Final = 60
"""The curve of a rating shows so many games."""
UNKNOWN, NOTHING = Rating(), GamesDone()


@dataclass(frozen=True, slots=True)
class StatsPerson:
    """What is stored of a person, for their statistics; of the game in which they are rated most often the
    curve and the ratings of those whom they met."""

    totals: Mapping[str, Total]
    last: Sequence[bool]
    rated: Mapping[tuple[str, str], Rating]
    """By game and variant."""
    curve: Sequence[float] = ()
    met: Sequence[RivalRecord] = ()
    practised: Sequence[Practised] = ()
    luck: Luck | None = None
    done: GamesDone = NOTHING
    others: Mapping[int, Rating] = field(default_factory=dict)
    title: str = ""
    """The achievement whose name they bear, `game:key`."""
    overall: Rating = UNKNOWN
    """In all servers, where the curve ends."""
    reader: Rating | None = None
    """Of who looks, where that is somebody else."""
    lines: Sequence[str] = ()
    """Lines of other features, in the language of the reader."""


def most_rated(rated: Mapping[tuple[str, str], Rating]) -> tuple[str, str] | None:
    """The game and variant in which somebody has been rated most often."""
    offered = [key for key in rated if presenters.offers(key[0])]
    return min(offered, key=lambda key: (-rated[key].games, key), default=None)


def board_picture(found: BoardPage, on: rating_model.RatingBoard, asker: int, look: Look) -> Scene:
    """A page of a leaderboard as one person asks for it."""
    say = words(look.locale)
    place = say("board.here") if on.guild_id else say("board.everywhere")
    counted = say("board.counted", place=place, season=season_words(on.season, say))
    variant = variant_words(on.game, on.variant, look) if on.variant else ""
    board = BoardPicture(
        title=say("board.title", game=presenters.get(on.game).title(look.locale)),
        subtitle=f"{variant} · {counted}" if variant else counted,
        columns=_columns(say),
        tallies=tuple(_tally(line, asker, say) for line in found.places),
        own=_tally(found.own, asker, say) if found.own else None,
        empty=say("board.empty"),
        footer=say("board.footer"),
    )
    return board_scene(board, look)


def season_words(season: int, say: Words) -> str:
    """What a season is called."""
    if season == ALL_TIME:
        return say("board.all_time")
    return say(f"board.season.q{season % 10}", year=season // 10)


def variant_words(game: str, variant: str, look: Look) -> str:
    """What a variant of a game is called: the options that are rated apart, with their values."""
    presenter, say = presenters.get(game), words(look.locale)
    chosen = catalog.get(game).variants()[variant]
    return say("table.comma").join(
        named_value(presenter.option, key, value, look) for key, value in chosen.items()
    )


def stats_picture(name: str, person: StatsPerson, look: Look, *, here: bool) -> Scene:
    """The statistics of a person: what their games come to, the last ones, and a line for each game."""
    return stats_scene(_stats(name, person, look, here=here), look)


def rivals_picture(name: str, person: StatsPerson, look: Look, *, here: bool) -> Scene | None:
    """Their other side: the curve of a rating, luck, the favourite card, those whom they met most; None where
    nothing of it is known."""
    return rivals_scene(_stats(name, person, look, here=here), look)


def _stats(name: str, person: StatsPerson, look: Look, *, here: bool) -> Stats:
    say = words(look.locale)
    games = [game for game in presenters.offered() if game in person.totals]
    best = {game: person.rated[key] for game in games if (key := _variant(person.rated, game))}
    main = most_rated(person.rated)
    own = person.rated[main] if main else UNKNOWN
    return Stats(
        name=name,
        subtitle=" · ".join(
            filter(
                None,
                (
                    borne(person.title, look.locale),
                    say("board.stats_here" if here else "board.stats_everywhere"),
                ),
            )
        ),
        figures=_in_all([person.totals[game] for game in games], say),
        last_label=say("board.last"),
        last=tuple(person.last),
        last_said=say("board.last_said", n=sum(person.last), of=len(person.last)) if person.last else "",
        columns=_columns(say),
        tallies=tuple(_game(person.totals[game], best.get(game), game, say) for game in games),
        empty=say("board.no_stats"),
        footer=say("board.stats_footer"),
        trend=_trend(person.curve, main, person.overall, look) if main and len(person.curve) > 1 else None,
        luck=_luck(person.luck, say) if person.luck and person.luck.games else (),
        against=(
            *(
                _met(record, own, person.others.get(record.other_id), n, say)
                for n, record in enumerate(person.met, 1)
            ),
            *(_practised(record, say) for record in person.practised),
        ),
        against_columns=Columns(say("board.share"), say("board.of", n="{n}"), say("board.chance")),
        against_label=say("board.against"),
        roles=_roles(person.done, main, say) if main else (),
        roles_label=_in_game(main, look) if main else "",
        favourite=_favourite(person.done, main, look) if main else "",
        chance=_chance(name, person.reader, own, main, look) if main and person.reader else "",
    )


def _variant(rated: Mapping[tuple[str, str], Rating], game: str) -> tuple[str, str] | None:
    return most_rated({key: each for key, each in rated.items() if key[0] == game})


def _in_game(main: tuple[str, str], look: Look) -> str:
    game, variant = main
    title = presenters.get(game).title(look.locale)
    known = variant and variant in catalog.get(game).variants()
    return f"{title} ({variant_words(game, variant, look)})" if known else title


def _trend(curve: Sequence[float], main: tuple[str, str], overall: Rating, look: Look) -> Trend:
    say, shown = words(look.locale), tuple(map(points, curve))
    game = _in_game(main, look)
    now = f"{shown[-1]}{'' if overall.settled else '?'}"
    said = say("board.rating_said", game=game, n=len(shown), first=shown[0], last=now)
    return Trend(say("board.rating_of", game=game), shown, now, said)


def _met(record: RivalRecord, own: Rating, other: Rating | None, n: int, say: Words) -> BoardLine:
    """How somebody has done against the n-th of those whom they met; their chance, where both are rated in
    one game."""
    unnamed = say("board.former" if record.former else "board.elsewhere")
    name = plain(record.name) if record.known else unnamed
    likely = f"{round(100 * chance(own, other))} %" if other else ""
    said = say("board.against_said", name=name, wins=record.wins, n=record.games)
    return BoardLine(
        name,
        record.wins,
        record.games,
        f"{said} {say('board.chance')} {likely}." if likely else said,
        rating=likely,
        plain=say("board.person", n=n) if record.known else unnamed,
    )


def _practised(record: Practised, say: Words) -> BoardLine:
    name = say("board.against_level", level=say(f"opponent.level.{record.level}"))
    said = say("board.against_said", name=name, wins=record.wins, n=record.games)
    return BoardLine(name, record.wins, record.games, said)


def _roles(done: GamesDone, main: tuple[str, str], say: Words) -> tuple[BoardLine, ...]:
    """How games went by role, and those without roles that somebody began, and others; of these nothing where
    they never did one of both."""
    presenter = presenters.get(main[0])
    parts = [
        (presenter.role(role, say.language), done.roles[role])
        for role in catalog.get(main[0]).roles
        if role in done.roles
    ]
    if done.began[0] and done.followed[0]:
        parts += [(say("board.began"), done.began), (say("board.followed"), done.followed)]
    return tuple(
        BoardLine(name, wins, games, say("board.role_said", role=name, wins=wins, n=games))
        for name, (games, wins) in parts
    )


def _favourite(done: GamesDone, main: tuple[str, str], look: Look) -> str:
    """The card played most often; nothing where it is unknown, or of a release that had other cards."""
    title = next(
        (card.title for card in presenters.get(main[0]).cards(look.locale) if card.key == done.favourite), ""
    )
    return words(look.locale)("board.favourite", card=unmarked(title), n=done.times) if title else ""


def _luck(found: Luck, say: Words) -> tuple[StatFigure, ...]:
    """Luck told apart from what decisions cost, as reviews found both."""
    return (
        StatFigure(_signed(found.by_luck), say("board.by_luck")),
        StatFigure(_signed(found.by_mistakes), say("board.by_mistakes")),
        StatFigure(str(found.games), say("board.reviewed", n=found.games)),
    )


def _signed(wins: float) -> str:
    """Wins that were given (+) or taken (−), to a tenth.

    >>> _signed(0.84), _signed(-1.55), _signed(-0.01)
    ('+0.8', '−1.6', '0.0')
    """
    read = f"{wins:+.1f}".replace("-", "−")
    return read if float(f"{wins:.1f}") else "0.0"


def _chance(name: str, reader: Rating, own: Rating, main: tuple[str, str], look: Look) -> str:
    say = words(look.locale)
    likely = f"{round(100 * chance(reader, own))} %"
    return say("board.chance_said", name=name, game=_in_game(main, look), chance=likely)


def _share(won: int, played: int) -> str:
    return f"{100 * won // played} %"


def _columns(say: Words) -> Columns:
    return Columns(say("board.share"), say("board.of", n="{n}"), say("board.rating"))


def _tally(line: BoardPlace, asker: int, say: Words) -> BoardLine:
    """A line of the leaderboard; in words the same, without its bar."""
    own, rated = line.user_id == asker, line.rating
    name = plain(line.name) if line.known or own else say("board.elsewhere")
    rank, shown = str(line.place) if line.place else "", shown_points(rated.mu, rated.sigma)
    figures = {
        "wins": str(rated.wins),
        "games": str(rated.games),
        "share": _share(rated.wins, rated.games),
    }
    if rated.streak > 1:
        figures["streak"] = str(rated.streak)
    figures["rating"] = shown
    title = borne(line.title, say.language) if line.known or own else ""
    called = f"{name}, {title}" if title else name
    return BoardLine(
        name,
        rated.wins,
        rated.games,
        f"{rank} {called}: {_figures(figures, say)}.".strip(),
        rank=rank,
        sign=medal(line.place),
        rating=shown,
        rated=rated.settled,
        streak=rated.streak,
        tag=say("board.you") if own else "",
        plain=say("board.you") if own else say("board.person", n=line.place),
        note=title,
    )


def _figures(figures: dict[str, str], say: Words) -> str:
    return say("table.comma").join(f"{say(f'board.{key}')} {figure}" for key, figure in figures.items())


def _in_all(found: list[Total], say: Words) -> tuple[StatFigure, ...]:
    """What the games with other people come to; nothing where there were none."""
    games, wins = sum(total.games for total in found), sum(total.wins for total in found)
    if not games:
        return ()
    run = max(total.best_streak for total in found)
    return (
        StatFigure(str(games), say("board.in_all", n=games)),
        StatFigure(_share(wins, games), say("board.in_all_won")),
        StatFigure(str(run), say("board.run")),
    )


def _game(total: Total, rated: Rating | None, game: str, say: Words) -> BoardLine:
    """The line of a game in a person's statistics; in words the same, and what has no room there."""
    presenter = presenters.get(game)
    sign = presenter.poster.emblem
    title = presenter.title(say.language)
    shown = shown_points(rated.mu, rated.sigma) if rated else ""
    figures = {
        "won": f"{total.wins}/{total.games}",
        "practice": f"{total.practice_wins}/{total.practice}",
        "hands": str(total.hands) if total.hands else "–",  # few games count hands
        "streak": str(total.streak),
        "best": str(total.best_streak),
    }
    if shown:
        figures["rating"] = shown
    notes = [
        say("board.note_run", n=total.best_streak) if total.best_streak > 1 else "",
        say("board.note_hands", n=total.hands) if total.hands else "",
        say("board.note_practice", n=total.practice_wins, of=total.practice) if total.practice else "",
    ]
    return BoardLine(
        title,
        total.wins,
        total.games,
        f"{title}: {_figures(figures, say)}.",
        sign=emblem(sign.painter, sign.args, sign.shape) if sign else None,
        rating=shown,
        rated=rated is not None and rated.settled,
        streak=total.streak,
        note=" · ".join(filter(None, notes)),
    )
