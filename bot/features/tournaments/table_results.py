"""Results of matches, read from tables that are over or closed."""

from __future__ import annotations

from bot.features.tournaments.entries import note_absence
from bot.features.tournaments.match_results import result_of
from bot.features.tournaments.matches import again_in
from bot.features.tournaments.rows import TournamentState
from bot.features.tournaments.tournament import add_notice, go_to, running_bracket
from bot.store.terms import Notice
from bot.table.results import winners
from bot.table.table import Table


def note_result(state: TournamentState, table: Table, now: int, *, hindered: bool) -> None:
    """Report the match that a closed table has decided. If it decided none, or people could not see the table
    (`hindered`), the match is opened again."""
    terms = table.stored.terms
    match = state.matches.get(terms.match)
    if match is None or match.step == "close" or match.game_id not in (None, table.id):
        return
    invited = [str(user) for user in terms.invited]
    bracket = running_bracket(state)
    if set(bracket.match(terms.match).players) != set(invited):
        return  # a correction has paired others since
    winner: str | None = None
    walkover = False
    if table.phase == "over":
        outcome = table.outcome()
        best = winners(table, outcome) if outcome is not None else ()
        note_absence(state, terms.invited, terms.invited)
        winner = invited[best[0]] if len(best) == 1 else None
    elif table.stored.why == "expired" and not hindered and len(here := table.people()) < len(invited):
        note_absence(state, terms.invited, here)
        if not here:
            go_to(state, bracket.miss(terms.match), now, terms.match)
            add_notice(state, Notice(what="no_show", match=terms.match, result="n"))
            return
        winner, walkover = str(here[0]), True
    elif table.stored.why == "forfeit":
        winner = next((player for player in invited if player != str(terms.forfeit)), None)
    else:
        # closed by hand, no one could see it, or both came to what cannot be dealt: that decides nothing
        state.matches[terms.match] = again_in(match.thread_id)
        return
    bracket = bracket.report(terms.match, winner, walkover=walkover)
    go_to(state, bracket, now, terms.match)
    if walkover:
        result = result_of(bracket.match(terms.match))
        add_notice(state, Notice(what="no_show", match=terms.match, result=result))
