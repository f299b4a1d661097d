"""The table of a tournament's match, while it waits for the two who play."""

from __future__ import annotations

from bot import presenters
from bot.features.table import fair_line, join_button, options_line, rules_line
from bot.features.table import slots as table_slots
from bot.locales import Words
from bot.store.days import DAY_MS
from bot.table.results import winners
from bot.table.table import Table
from bot.ui.components import Message, page
from bot.ui.names import shown


def match_lobby(say: Words, table: Table) -> Message | None:
    """Return the lobby of a match, which waits for its two players and deals when both are there."""
    if not table.stored.terms.tournament:
        return None
    title = presenters.get(table.game.key).title(table.stored.locale)
    if table.phase == "cancelled":
        return page(match_closed(say, table))
    closes_at = table.closes_at()
    options = options_line(table.game.key, table.stored.options, table.stored.locale)
    here = {sitter.user_id for sitter in table.sitters}
    lines = [
        say("tournament.here" if user in here else "tournament.awaited", who=f"<@{user}>")
        for user in table.stored.terms.invited
    ]
    return page(
        say(
            "tournament.match_heading",
            game=title,
            table=table.id,
            key=table.stored.terms.match,
            time=_time(closes_at, table.clock_now()) if closes_at else "…",
        ),
        "\n".join(filter(None, [rules_line(table, table.stored.locale), options, *lines])),
        table_slots.LOBBY.controls(say, table, [(0, join_button(say("tournament.i_am_here"), table))]),
        fair_line(say, table),
    )


def _time(at: int, now: int) -> str:
    """Return a time as Discord shows it, with its day if that is far off."""
    return f"<t:{at // 1000}:{'t' if at - now < DAY_MS // 2 else 'f'}>"


def match_decided(say: Words, table: Table) -> str:
    """Return who won a match whose game is over, or an empty string for any other table."""
    key, outcome = table.stored.terms.match, table.outcome()
    if not table.stored.terms.tournament or outcome is None:
        return ""
    best = winners(table, outcome)
    if len(best) != 1:
        return say("tournament.match_drawn", key=key)
    return say("tournament.match_won", winner=shown(table.sitters[best[0]].name), key=key)


def match_closed(say: Words, table: Table) -> str:
    """Return why the table of a match closed before a game was over, and who wins the match by it."""
    terms = table.stored.terms
    if not terms.tournament:
        return ""
    title = presenters.get(table.game.key).title(table.stored.locale)
    facts = {"game": title, "table": table.id, "key": terms.match}
    if table.stored.why == "forfeit":
        names = {sitter.user_id: shown(sitter.name) for sitter in table.sitters}
        winner = next((user for user in terms.invited if user != terms.forfeit), 0)
        return say(
            "tournament.forfeited", left=names.get(terms.forfeit, ""), winner=names.get(winner, ""), **facts
        )
    if table.stored.why == "expired":
        if len(table.sitters) == 1:
            return say("tournament.only_one_came", winner=shown(table.sitters[0].name), **facts)
        return say("tournament.nobody_came", **facts)
    return say("tournament.match_closed", **facts)
