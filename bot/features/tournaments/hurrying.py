"""A shorter clock for a match that stands still."""

from __future__ import annotations

from msgspec.structs import replace

from bot.features.tournaments.rows import TournamentState
from bot.features.tournaments.tournament import add_notice, running_bracket
from bot.store.terms import Notice
from bot.tables.ports import Refused


def shorten_clock(state: TournamentState, key: str, seconds: int, *, by: int) -> None:
    """Give a match a shorter clock, once.

    Raises:
        Refused: it has no table, its clock is shorter, or it was hurried before.
        BracketError: there is no such match.
    """
    match, terms = running_bracket(state).match(key), state.stored.terms
    stored = state.matches.get(key)
    if not match.ready or stored is None or stored.game_id is None or stored.step == "close":
        raise Refused("match_without_table", match=key)
    if key in terms.hurried:
        raise Refused("hurried_before", match=key)
    if 0 < terms.clock <= seconds:
        raise Refused("clock_is_short", match=key)
    state.stored.terms = replace(terms, hurried={**terms.hurried, key: seconds})
    add_notice(state, Notice(what="hurried", by=by, match=key, result=f"t{seconds}"))
