"""The standings of a league as pictures: who stands where, by pages, and whom everybody meets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bot.locales import Words, words
from bot.render import text as letters
from bot.render.pages.leagues import ROWS, LeagueRow, LeagueView, league_scene
from bot.render.scene import Look, Scene
from bot.ui.names import plain
from engine.brackets import Bracket, League, Match, Player, Score

NameOf: TypeAlias = Callable[[str], str]


def league_pages(league: League) -> int:
    """How many pages the standings have."""
    return -(-len(league.standings) // ROWS)


def league_picture(bracket: Bracket, league: League, name_of: NameOf, at: int, look: Look) -> Scene:
    """A page of the standings, and who has won, or which round it is."""
    say = words(look.locale)
    players = say("tournament.players", n=len(bracket.players))
    if league.over:
        title, subtitle = plain(name_of(league.champion)), say("tournament.wins_it", players=players)
    else:
        title = say("league.round", n=league.round, of=league.rounds)
        left = sum(match.ready for match in bracket.matches())
        subtitle = say("league.left", players=players, matches=say("league.matches", n=left))
    by = "buchholz" if league.swiss else "sonneborn"
    view = LeagueView(
        title=title,
        subtitle=subtitle,
        won=league.over,
        columns=(say("league.record"), say(f"league.{by}"), say("league.points")),
        rows=tuple(
            _row(bracket, league, score, name_of, say)
            for score in league.standings[at * ROWS : (at + 1) * ROWS]
        ),
        footer=say(f"league.about_{by}"),
    )
    return league_scene(view, look)


def _row(bracket: Bracket, league: League, score: Score, name_of: NameOf, say: Words) -> LeagueRow:
    name = plain(name_of(score.player))
    tie_break = _figure(score.buchholz if league.swiss else score.sonneborn)

    def named(player: Player) -> str:
        return plain(name_of(player))

    def drawn(player: Player) -> str:
        """A name that our fonts can write."""
        seed = bracket.players.index(player) + 1
        return letters.written(named(player)) or say("board.person", n=seed)

    told, live = _note(league, score, named, say)
    said = say(
        "league.said",
        rank=score.rank,
        name=name,
        points=_figure(score.points),
        won=score.wins,
        drawn=score.draws,
        lost=score.losses,
        note=f"; {told}" if told else "",
    )
    return LeagueRow(
        rank=score.rank,
        name=name,
        record=f"{score.wins}–{score.draws}–{score.losses}",
        tie_break=tie_break,
        points=_figure(score.points),
        said=said,
        note=_note(league, score, drawn, say)[0],
        plain=drawn(score.player),
        live=live,
        out=_out(league, score),
    )


def _out(league: League, score: Score) -> bool:
    """Whether somebody takes no further part."""
    return score.annulled or score.left or score.player in league.gone


def _note(league: League, score: Score, name_of: NameOf, say: Words) -> tuple[str, bool]:
    """Whom a player meets now or next, or how the last match went; and whether that is being played."""
    player = score.player
    if score.annulled:
        return say("league.annulled"), False
    if _out(league, score):
        return say("league.withdrawn"), False
    if league.over:
        return "", False
    match = _of(league, league.round, player)
    if match is None:
        return say("league.bye"), False
    other = name_of(match.other(player))
    if match.ready:
        return say("league.plays", other=other), True
    if (following := _of(league, league.round + 1, player)) is not None:
        return say("league.next", other=name_of(following.other(player))), False
    if match.walkover:
        return say("league.walkover" if match.winner == player else "league.missed", other=other), False
    result = "drew" if match.drawn else "beat" if match.winner == player else "lost"
    return say(f"league.{result}", other=other), False


def _of(league: League, number: int, player: Player) -> Match | None:
    """The match of a player in a round, None for a bye or where nobody knows it yet."""
    found = (match for match in league.of_round(number) if player in match.players)
    return next(
        (match for match in found if not league.gone.intersection(match.players) or match.decided), None
    )


def _figure(value: float) -> str:
    """Points as they are written: 3, 2.5, 4.75."""
    return f"{value:g}"
