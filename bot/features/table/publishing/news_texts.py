"""The texts of news about slow games, and their recipients."""

from __future__ import annotations

from bot import presenters
from bot.features.table import slots as table_slots
from bot.features.table.closing import absence_lines, closed_lines, named
from bot.features.table.consent import request
from bot.features.table.names import word_look
from bot.locales import Words, words
from bot.store.personal_data.privacy import is_nobody
from bot.table import news
from bot.table.people.consent import asked, to_agree
from bot.table.table import Table


def is_public(table: Table, kind: str) -> bool:
    """Return whether the channel gets this news even if no one is mentioned there.

    The table message already shows how a game or a lobby has ended, but not who left or closed it.
    """
    return kind == news.ENDED and table.phase != "over" and table.state is not None


def readers(table: Table, kind: str, seat: int) -> list[int]:
    """Return the recipients of this news.

    They are the seated players it concerns who do not know it yet, and the people waiting for a seat.
    """
    terms, people = table.stored.terms, table.people()
    subject = table.sitters[seat].user_id if 0 <= seat < len(table.sitters) else None
    waiting = [knock.user for knock in terms.knocks]
    recipients: list[int | None]
    if kind == news.ASKED:
        recipients = [*to_agree(table)]
    elif kind in (news.MISSED_TURN, news.AWAY, news.DECLINED):
        recipients = [subject]
    elif kind == news.STARTED:
        recipients = [user for user in waiting if user not in people]
    elif table.state is None and len(people) == 1 and not (terms.order or terms.guests or waiting):
        recipients = []  # no one joined this lobby, and no one was expected
    else:
        recipients = [
            user for user in [*people, *(waiting if table.state is None else ())] if user != subject
        ]
    return [
        user for user in recipients if user is not None and not is_nobody(user) and user not in terms.quiet
    ]


def news_text(table: Table, kind: str, say: Words) -> str:
    """Return the text of this news, or an empty string if it is out of date."""
    if kind == news.ENDED:
        return _ended(table, say)
    if kind == news.ASKED:
        wish = request(table, say.language)[0]
        return say("news.asked", wish=wish, table=table.id) if to_agree(table) else ""
    if kind == news.DECLINED:
        pending = asked(table)
        return say("news.declined", answer=request(table, say.language)[0], table=table.id) if pending else ""
    game = presenters.title(table.game.key, say.language)
    return say(f"news.{kind}", game=game, table=table.id)


def _ended(table: Table, say: Words) -> str:
    terms, locale = table.stored.terms, say.language
    facts = {"game": presenters.title(table.game.key, locale), "table": table.id}
    if table.phase == "live":
        return say("news.decided", won=named(table.people(), locale), **facts)
    if table.state is None:
        return say("news.lobby_closed", **facts)
    if table.phase == "cancelled":
        if terms.forfeit:
            return say("news.forfeit", **facts)
        return "\n".join(filter(None, closed_lines(table, locale)))
    outcome = table.outcome()
    if outcome is None:
        return ""
    presenter = presenters.get(table.game.key)
    lines = [
        say("news.over", **facts),
        presenter.ending(outcome, word_look(table, locale)),
        *table_slots.RESULT.items(words(table.stored.locale), table),
        *absence_lines(table, outcome, locale),
    ]
    return "\n".join(filter(None, lines))
