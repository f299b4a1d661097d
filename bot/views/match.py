"""The table of a tournament's match, while it waits for the two who play."""

from __future__ import annotations

from discord import ButtonStyle

from bot import presenters
from bot.locales import words
from bot.tables.table import Table
from bot.views import ids
from bot.views.parts import Message, button, page


def match_lobby(table: Table) -> Message:
    """The lobby of a match: it waits for the two who were called, and deals when both are there."""
    say = words(table.stored.locale)
    title = presenters.get(table.game.key).title(table.stored.locale)
    if table.phase == "cancelled":
        return page(say("cup.match_closed", game=title, table=table.id))
    here = {sitter.user_id for sitter in table.sitters}
    lines = [
        say("cup.here" if user in here else "cup.awaited", who=f"<@{user}>")
        for user in table.stored.terms.get("invited", ())
    ]
    fair = say(
        "lobby.fair", digest=table.commitment.digest, entropy=", ".join(map(str, table.entropy)) or "–"
    )
    return page(
        say("cup.match_heading", game=title, table=table.id, key=table.stored.terms.get("match", "")),
        "\n".join(lines),
        [
            button(say("cup.i_am_here"), ids.make("join", table.id), style=ButtonStyle.success),
            button(say("lobby.rules"), ids.make("rules", table.id)),
        ],
        fair,
    )
