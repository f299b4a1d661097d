"""What somebody sees who watches a table: what everybody sees, their guess, and old hands where its people
agree."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from bot import presenters
from bot.features.replays.messages import pictures
from bot.features.table import (
    FEWEST_ROWS,
    MOST_ROWS,
    TABLE_PICTURE,
    lines_of,
    picture_look,
    recent_lines,
    shortened,
    terms_line,
    turn_words,
    word_look,
)
from bot.features.watching import rows
from bot.features.watching.service import (
    LOST,
    WON,
    choices,
    correct_guesses,
    count_correct_guesses,
    takes_guesses,
)
from bot.locales import Words, words
from bot.presenters.film import OPEN
from bot.render.scene import Scene
from bot.table.people.shown_hands import may_show_hands, only_rounds
from bot.table.table import Table
from bot.ui import screen_space as phone
from bot.ui.components import Control, MenuLine, Message, button, page, select
from bot.ui.names import joined


@dataclass(frozen=True, slots=True)
class Watch:
    """How somebody watches a table."""

    guess: int | None = None
    """Whom they guess."""
    since: int | None = None
    """How much had been told there when they pressed before; None where they have not."""
    hands: bool = False
    """Whether they look at old hands instead of the table."""


def watch_button(say: Words, table: Table) -> Control:
    """Return the button by which someone watches a table."""
    return button(say("watch.label"), "watch", table.id)


def watch_message(table: Table, watch: Watch, locale: str, notice: str = "") -> Message:
    """The table as everybody sees it, with what has changed, and the guess of who watches.

    Raises:
        ValueError: nothing has been dealt.
    """
    if table.state is None:
        raise ValueError(f"nothing has been dealt at table {table.id}")
    say, presenter = words(locale), presenters.get(table.game.key)
    look, seen = word_look(table, locale), table.state.observe(None)
    status = presenter.status(seen, look)
    heading = say("table.heading", game=presenter.title(locale), table=table.id, status=status)
    if rules := terms_line(table, locale):
        heading += f"\n-# {rules}"
    scene = presenter.table(seen, picture_look(table, locale))
    outcome = table.outcome()
    if outcome is not None:
        turn = "\n".join((say("table.over"), presenter.ending(outcome, look)))
    elif table.phase == "cancelled":
        turn = say("hand.over")
    else:
        turn = say("table.paused") if table.paused else turn_words(table, locale)
    told, controls = _guessed(table, watch, say)
    going, rematch = table.phase == "live" and outcome is None, table.stored.terms.next
    if rematch and not going:
        controls.append(button(say("watch.next"), "watch", rematch, emoji="👀"))
    else:  # after the end too: by then a rematch may have begun
        controls.append(button(say("hand.refresh"), "watch", table.id, emoji="👀"))
    if going and table.stored.terms.hands and may_show_hands(table):
        controls.append(button(say("watch.hands"), "watch-hands", table.id, emoji="👁️"))
    foot = say("watch.follows") if going else ""
    high = [phone.words_height(text) for text in (notice, heading, turn, told, foot)]
    high += [phone.picture_height(scene), phone.controls_height(controls)]
    news = _news(table, watch, locale, int(phone.room_beside(*high) // phone.ROW) - 1)
    parts = (notice, heading, scene, turn, news, told)
    message = page(*parts, controls, foot, picture_name=TABLE_PICTURE)
    message.moment = hash((parts, tuple(control.custom_id for control in controls)))
    return message


def hands_message(table: Table, then: Table | None, locale: str) -> Message:
    """All hands of a table as they were `then`, a position from `service.delayed_table`."""
    say, presenter = words(locale), presenters.get(table.game.key)
    heading = say("watch.hands_heading", game=presenter.title(locale), table=table.id)
    delay = say("watch.delay_round" if only_rounds(table) else "watch.delay")
    shown: list[str | Scene] = [say("watch.not_yet")]
    if then is not None and then.state is not None:
        status = presenter.status(then.state.observe(None), word_look(then, locale))
        shown = [f"-# {status}", *pictures(then, OPEN, locale)]
    controls = [
        button(say("hand.refresh"), "watch-hands", table.id, emoji="👁️"),
        button(say("watch.back"), "watch", table.id, emoji="👀"),
    ]
    message = page(heading, delay, *shown, controls, picture_name=TABLE_PICTURE)
    message.moment = hash((heading, delay, *shown))
    return message


def _news(table: Table, watch: Watch, locale: str, room: int) -> str:
    """What has happened since they pressed before; when they come, what has happened last. So many lines of
    it at most, as far as they can be few."""
    say, recent = words(locale), table.recent
    if watch.since is not None and watch.since <= recent.total:
        lines, key = lines_of(recent.after(watch.since), table, None, locale), "watch.since"
    else:
        lines, key = recent_lines(table, None, locale), "status.lately"
    shown = shortened(lines, say, min(max(room, FEWEST_ROWS), MOST_ROWS))
    return "\n".join([say(key), *(f"-# {line}" for line in shown)]) if shown else ""


def _guessed(table: Table, watch: Watch, say: Words) -> tuple[str, list[Control]]:
    """What somebody has guessed, and after that what the others have; the guesses that may be made."""
    names, told, outcome = side_names(table, say), table.stored.terms.guesses, table.outcome()
    lines, controls = list[str](), list[Control]()
    if watch.guess is not None and watch.guess < len(names):
        lines.append(say("watch.yours", name=names[watch.guess]))
        shares = [f"{names[side]} {n}" for side, n in sorted(told.items()) if side < len(names)]
        if sum(told.values()) > 1:
            lines.append(say("watch.shares", n=sum(told.values()), shares=say("table.comma").join(shares)))
        right = correct_guesses(table, outcome) if outcome is not None else None
        if right is not None:
            lines.append(say("watch.right" if watch.guess in right else "watch.wrong"))
    if takes_guesses(table):
        ways = [MenuLine(str(n), name, chosen=n == watch.guess) for n, name in enumerate(names)]
        controls.append(select(say("watch.guess"), ways, "guess", table.id))
    return "\n".join(lines), controls


def side_names(table: Table, say: Words) -> list[str]:
    """What the guesses are called, in their order: the names of each side, or won and lost."""
    look = word_look(table, say.language)
    sides = choices(table)
    if not sides:
        return [say({WON: "watch.won", LOST: "watch.lost"}[guess]) for guess in (WON, LOST)]
    return [joined([look.name(seat) for seat in seats], say.language) for seats in sides]


def foreseen_line(say: Words, table: Table) -> str:
    """Return how many of the spectators who guessed were right, or an empty string."""
    guesses = count_correct_guesses(table)
    return say("watch.foreseen", right=guesses[0], n=guesses[1]) if guesses else ""


def hits_line(connection: Connection, user_id: int, say: Words) -> str:
    """Return how often a person guessed right, or an empty string if nothing could be judged."""
    right, judged = rows.hits(connection, user_id)
    return say("watch.hits", right=right, n=judged) if judged else ""
