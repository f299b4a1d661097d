"""Entries of tournaments: joining, leaving, and withdrawals."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from bot.core.errors import Refused
from bot.features.tournaments.rows import Entrant, TournamentState
from bot.features.tournaments.tournament import add_notice, go_to, must_be
from bot.store.terms import GOING_ON, Notice
from engine import brackets


def enter(state: TournamentState, entrant: Entrant) -> None:
    """Let a person take part.

    Raises:
        Refused: entries are closed, it is full, or they take part already.
    """
    must_be(state, "open")
    if any(e.user_id == entrant.user_id for e in state.entrants):
        raise Refused("already_entered")
    most = brackets.most(state.stored.terms.kind)
    if len(state.entrants) >= most:
        raise Refused("tournament_full", most=most)
    entrants = [*state.entrants, entrant]
    state.entrants = tuple(sorted(entrants, key=lambda each: (each.joined_at, each.user_id)))


def leave(state: TournamentState, user_id: int, now: int, begun: Collection[str], *, by: int = 0) -> None:
    """Let a person no longer take part. `by` is the person who decided that, if others are to know.

    Raises:
        Refused: it is over, or they do not take part.
    """
    if state.stored.phase not in GOING_ON:  # the bracket of an ended tournament stays, and would continue
        raise Refused("tournament_over")
    if not any(e.user_id == user_id for e in state.entrants):
        raise Refused("not_entered")
    name = next(e.name for e in state.entrants if e.user_id == user_id)
    withdraw(state, user_id, now, begun)
    notice = Notice(what="removed", by=by, player=str(user_id), name=name)
    if by == user_id and state.bracket is not None:
        add_notice(state, replace(notice, what="withdrawn"))
    elif by and by != user_id:
        add_notice(state, notice)
        if state.bracket is not None:
            terms = state.stored.terms
            state.stored.terms = replace(terms, removed=(*terms.removed, user_id))


def withdraw(state: TournamentState, user_id: int, now: int, begun: Collection[str] = ()) -> None:
    """Withdraw a person. A match of theirs that has `begun` counts as played and lost."""
    is_back(state, user_id)
    if (bracket := state.bracket) is None:
        state.entrants = tuple(e for e in state.entrants if e.user_id != user_id)
        return
    player = str(user_id)
    match = next((m.key for m in bracket.ready() if player in m.players and m.key in begun), "")
    go_to(state, bracket.withdraw(player, match), now)


def note_absence(state: TournamentState, invited: Collection[int], here: Collection[int]) -> None:
    """Note which players of a match did not come. Players who came are no longer absent."""
    absent = {user: until for user, until in state.stored.terms.absent.items() if user not in here}
    absent |= {user: 0 for user in invited if user not in here and user not in absent}
    state.stored.terms = replace(state.stored.terms, absent=absent)


def is_back(state: TournamentState, user_id: int) -> None:
    """Note that someone who did not come to a match still takes part, or has withdrawn."""
    note_absence(state, (), (user_id,))
