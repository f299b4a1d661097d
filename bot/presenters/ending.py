"""The result of a game in sentences shared by all games: the winners, the margin, and each player's place."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.locales import Words, phrase, words
from bot.presenters.base import AnyPresenter
from bot.render.scene import Look
from engine.game import Outcome, Seat


def headline(presenter: AnyPresenter, outcome: Outcome, look: Look) -> str:
    """Return who won and by how much, in one sentence of plain text. Names come from the look."""
    say, winners = words(look.locale), outcome.winners()
    if not winners:
        return say("end.lost")
    if len(outcome.standings) == 1:
        return say("end.alone", name=look.name(0), score=score_of(presenter, outcome, 0, say))
    names = [look.name(seat) for seat in winners]
    who = phrase(names, say("table.comma"), say("table.and"))
    if len(winners) == len(outcome.standings):
        return say("end.draw")
    return say("end.won", names=who, n=len(winners)) + _margin(presenter, outcome, look)


def _margin(presenter: AnyPresenter, outcome: Outcome, look: Look) -> str:
    """Return the lead over the next player, or what decided between equal scores, or "" without points."""
    say = words(look.locale)
    if not presenter.points:
        return ""
    winners, seats = outcome.winners(), range(len(outcome.standings))
    follows = min((s for s in seats if s not in winners), key=lambda seat: outcome.standings[seat].rank)
    ahead = _behind(outcome, follows)
    if ahead > 0:
        return say("end.by", score=say(presenter.points, n=_whole(ahead)))
    if not outcome.tiebreak:
        return say("end.level")
    decided = presenter.tie(outcome, look)
    return say("end.tie", decided=decided) if decided else say("end.tiebreak")


def _behind(outcome: Outcome, seat: Seat) -> float:
    """Return how many points a seat is behind the winners."""
    return max(one.score for one in outcome.standings) - outcome.standings[seat].score


def placed(
    presenter: AnyPresenter, outcome: Outcome, seat: Seat, locale: str, gone: Collection[Seat] = ()
) -> str:
    """Return the result for one seat: that it won and by how much, or its place and how far it was behind.

    Empty in solo games, and for a first place that did not win. Seats in `gone` come last, so players who
    stayed move up.
    """
    say, standing = words(locale), outcome.standings[seat]
    if len(outcome.standings) < 2:
        return ""
    if seat in (winners := outcome.winners()):
        return _won(presenter, outcome, winners, say)
    if standing.rank == 1:
        return ""
    standings = enumerate(outcome.standings)
    stayed = [one for other, one in standings if other == seat or other not in gone]
    rank = 1 + sum(one.rank < standing.rank for one in stayed) if gone else standing.rank
    behind = max(one.score for one in stayed) - standing.score
    place = say.list("end.places")[rank - 1]
    # Two players, or two teams, have no places to come in.
    way = "beaten" if len({one.rank for one in outcome.standings}) == 2 else "place"
    # The medals shown next to this line ignore the moving up, so a sentence explains it.
    moved = f"\n{say('end.moved_up')}" if way == "place" and rank < standing.rank else ""
    if not presenter.points:
        return say(f"end.{way}", place=place) + moved
    if behind <= 0:
        return say(f"end.{way}_level", place=place) + moved
    return say(f"end.{way}_behind", place=place, score=say(presenter.points, n=_whole(behind))) + moved


def _won(presenter: AnyPresenter, outcome: Outcome, winners: Sequence[Seat], say: Words) -> str:
    """Return the sentence for a seat that won, alone or with others."""
    if len(winners) == len(outcome.standings):
        return say("end.you_drew")
    ahead = min(_behind(outcome, seat) for seat in range(len(outcome.standings)) if seat not in winners)
    if not presenter.points:
        return say("end.you_won")
    if ahead <= 0:
        return say("end.you_won_level")
    return say("end.you_won_by", score=say(presenter.points, n=_whole(ahead)))


def _whole(score: float) -> float | int:
    return int(score) if score == int(score) else score


def score_of(presenter: AnyPresenter, outcome: Outcome, seat: Seat, say: Words) -> str:
    """Return the score of a seat in words, or "" if the game has no points."""
    if not presenter.points:
        return ""
    return say(presenter.points, n=_whole(outcome.standings[seat].score))
