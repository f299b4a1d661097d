"""The words of what was decided in a tournament, and the buttons that take it back."""

from __future__ import annotations

from bot.features.table import clock_words
from bot.features.tournaments.tournament import Tournament
from bot.locales import Words
from bot.store.terms import Notice
from bot.ui.components import Control, button
from bot.ui.names import shown


def result_words(tournament: Tournament, key: str, result: str, say: Words) -> str:
    """Return the result of a match in words, as part of a sentence; see `corrections`."""
    bracket, winner = tournament.bracket, result[1:]
    if result[0] not in "wx" or bracket is None:
        return say(f"tournament.result_{result[0]}")
    loser = next((player for player in bracket.match(key).players if player != winner), "")
    names = {"winner": shown(tournament.name_of(winner)), "loser": shown(tournament.name_of(loser))}
    return say(f"tournament.result_{result[0]}", **names)


def notice_words(tournament: Tournament, notice: Notice, say: Words) -> str:
    """Return the text of a notice."""
    who, key, player = f"<@{notice.by}>", notice.match, shown(notice.name)
    if notice.what == "result":
        return _result_notice(tournament, notice, say)
    if notice.what == "no_show":
        return say(
            "tournament.told_no_show", key=key, result=result_words(tournament, key, notice.result, say)
        )
    if notice.what == "hurried":
        return say(
            "tournament.told_hurried", who=who, key=key, clock=clock_words(int(notice.result[1:]), say)
        )
    if notice.what == "removed":
        return say("tournament.told_removed", who=who, player=player)
    if notice.what == "returned":
        same = str(notice.by) == notice.player
        return say("tournament.told_back" if same else "tournament.told_readmitted", who=who, player=player)
    return say(f"tournament.{notice.what}", player=player)


def _result_notice(tournament: Tournament, notice: Notice, say: Words) -> str:
    key, bracket = notice.match, tournament.bracket
    facts = {"who": f"<@{notice.by}>", "key": key}
    own = bracket is not None and str(notice.by) in bracket.match(key).players
    if notice.before == "o" and own and notice.result[0] in "wd":
        if notice.result == "d":
            return say("tournament.own_drawn", **facts)
        return say("tournament.own_won", winner=shown(tournament.name_of(notice.result[1:])), **facts)
    result = result_words(tournament, key, notice.result, say)
    before = result_words(tournament, key, notice.before, say)
    what = "noted" if notice.before == "o" and notice.result != "o" else "changed"
    return say(
        f"tournament.told_own_{what}" if own else f"tournament.told_{what}",
        result=result,
        before=before,
        **facts,
    )


def notice_button(tournament: Tournament, notice: Notice, say: Words) -> list[Control]:
    """Return the button that takes back what a notice tells, if anything does."""
    if tournament.bracket is None:
        return []
    if notice.what in ("result", "no_show") and notice.result != "o":
        return [button(say("tournament.take_back"), "cup-back", tournament.id, notice.match)]
    if notice.what in ("withdrawn", "removed", "gone", "unanswered"):
        return [button(say("tournament.take_back"), "cup-return", tournament.id, notice.player)]
    return []
