"""What a replay shows: one position of a finished game from one point of view, and the ways on from it.

Nothing of how the game ended stands in it before the end: no result, no curve, no score to come.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from discord import ButtonStyle

from bot import presenters
from bot.features.replays.service import MoveMark, Replay
from bot.features.table import (
    FEWEST_ROWS,
    MOST_ROWS,
    SeatView,
    lines_of,
    picture_look,
    shortened,
    terms_line,
    word_look,
)
from bot.features.table import slots as table_slots
from bot.locales import Words, words
from bot.presenters.film import OPEN, TABLE
from bot.presenters.review import percent
from bot.presenters.voice import clipped
from bot.render.scene import Look, Scene
from bot.render.theme import seat_letter
from bot.store.finished import Finished
from bot.table.table import Table
from bot.ui import screen_space as phone
from bot.ui.components import Control, MenuLine, Message, button, page, select
from bot.ui.names import joined, plain
from bot.ui.navigation import pager
from engine.game import Viewer

PICTURE: Final = "replay.png"
STOPS: Final = 25
"""How many lines a select has."""
LISTED: Final = 20
"""How many finished games a page lists."""


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """Which replay, by a table's number or a code; from which point of view; after how many acts."""

    ref: str
    view: str = TABLE
    act: int = 0

    @property
    def viewer(self) -> Viewer:
        """The seat that looks, if it is one."""
        return int(self.view) if self.view.isdecimal() else None

    @property
    def args(self) -> tuple[object, ...]:
        """How custom ids tell it."""
        return self.ref, self.view, self.act


def views_of(table: Table) -> tuple[str, ...]:
    """The points of view of a table."""
    seats = tuple(str(seat) for seat in range(len(table.sitters)))
    return (TABLE, *seats, OPEN) if len(seats) > 1 else (TABLE, *seats)


def replay_message(
    replay: Replay, where: ReplayPosition, locale: str, marks: Mapping[int, MoveMark]
) -> Message:
    """One position for one person; `marks` say something of own decisions."""
    say, more = words(locale), list[Control]()
    if where.act < replay.last:
        more.append(button(say("replay.play"), "replay-play", *where.args, emoji="🎲"))
    elif where.ref.isdecimal():
        more += table_slots.REPLAY_END.controls(say, replay.table)
    more.append(button(say("replay.more"), "replay-more", *where.args))
    on = ways_on(replay, where, say, views_of(replay.table))
    return page(*position(replay, where, locale, marks, [*on, *more]), picture_name=PICTURE)


def replay_button(say: Words, table: Table) -> Control | None:
    """Return the button that opens the replay of a table; others may still play the deal of a day."""
    return None if table.stored.terms.daily else public_replay_button(say, table)


def replay_button_in_hand(say: Words, view: SeatView) -> Control | None:
    """Return the same for a hand."""
    return replay_button(say, view.table)


def public_replay_button(say: Words, table: Table) -> Control:
    """Return the button that opens the replay of a table that everyone may look at."""
    return button(say("replay.open"), "replay", table.id, emoji="🔄")


def more_message(where: ReplayPosition, locale: str, *, shares: bool) -> Message:
    """What more one may do with a replay; `shares`: they may give others the code."""
    say = words(locale)
    controls = [button(say("replay.watch"), "replay-watch", *where.args, emoji="👀")]
    if shares:
        controls.append(button(say("replay.share"), "replay-code", where.ref, emoji="🔗"))
    for kind in ("page", "gif"):
        emoji = "📖" if kind == "page" else None
        controls.append(
            button(say(f"replay.{kind}"), "replay-file", where.ref, where.view, kind, emoji=emoji)
        )
    return page(say("replay.more_told"), controls)


def film_facts(replay: Replay, where: ReplayPosition, locale: str) -> dict[str, object]:
    """What a file of a replay is made of, see `bot.presenters.film.Film`."""
    table = replay.table
    acts = [(entry.seat, entry.data, entry.kind == "timeout") for entry in replay.acts]
    looks = {"look": picture_look(table, locale), "spoken": word_look(table, locale)}
    return {"game": table.game.key, "setup": table.setup(), "acts": acts, **looks, "view": where.view}


def ways_on(
    replay: Replay,
    where: ReplayPosition,
    say: Words,
    views: Sequence[str],
    verb: str = "replay",
    *tail: object,
) -> list[Control]:
    """A step back and on, the next turn, any turn, and these points of view. The ids are
    `verb:ref:view:act:tail…:key`, `verb-jump:ref:view:tail…` and `verb-view:ref:act:tail…`."""
    over = where.act >= replay.last
    to = {
        "back": max(0, where.act - 1),
        "on": min(where.act + 1, replay.last),
        "turn": replay.turn_after(where.act),
    }
    # the key sets buttons apart that lead to the same position
    steps = [
        button(
            say(f"replay.{key}"),
            verb,
            *replace(where, act=act).args,
            *tail,
            key,
            style=ButtonStyle.primary if key == "on" else ButtonStyle.secondary,
            disabled=over if key != "back" else not where.act,
        )
        for key, act in to.items()
    ]
    jump = select(
        say("replay.jump"),
        turn_lines(replay, where, say),
        f"{verb}-jump",
        where.ref,
        where.view,
        *tail,
    )
    look = picture_look(replay.table, say.language)
    lines = [MenuLine(view, _view_name(view, say, look), chosen=view == where.view) for view in views]
    return [
        *steps,
        jump,
        select(say("replay.view"), lines, f"{verb}-view", where.ref, where.act, *tail),
    ]


def position(
    replay: Replay,
    where: ReplayPosition,
    locale: str,
    marks: Mapping[int, MoveMark],
    controls: Sequence[Control],
) -> list[str | Scene | Sequence[Control]]:
    """What a position shows, from top to bottom: where one is, what has happened, the pictures, whose turn it
    is, or how it ended, and these controls. Of what has happened as much is told as leaves it on a screen."""
    say, table, act = words(locale), replay.at(where.act), where.act
    presenter, look = presenters.get(table.game.key), word_look(table, locale)
    state = table.state
    if state is None:
        raise ValueError(f"nothing has been dealt at table {table.id}")
    title, status = presenter.title(locale), presenter.status(state.observe(where.viewer), look)
    step = say("replay.step", n=act) if act else say("replay.deal")
    view = f"{_view_name(where.view, say, look)} · {status}"
    if rules := terms_line(table, locale):
        view = f"{rules} · {view}"
    heading = say("replay.heading", game=title, table=table.id, step=step, view=view)
    outcome, mark, judged = table.outcome(), marks.get(act), ""
    if mark:
        n = percent(mark.loss)
        judged = say("replay.mark_best") if mark.sign == "!!" else say("replay.mark", sign=mark.sign, n=n)
    if outcome is not None:
        below = "\n".join((say("table.over"), presenter.ending(outcome, look)))
    else:
        waiting = joined([look.name(seat) for seat in table.waiting()], locale)
        below = say("replay.waiting", names=waiting)
    shown = list(pictures(table, where.view, locale))
    high = [phone.words_height(text) for text in (heading, judged, below)]
    high += [phone.words_height(one) if isinstance(one, str) else phone.picture_height(one) for one in shown]
    room = phone.rows_beside(*high, phone.controls_height(controls))
    lines = shortened(told(replay, where, locale), say, min(max(room, FEWEST_ROWS), MOST_ROWS))
    happened = "\n".join(f"-# {line}" for line in lines)
    return [heading, happened, judged, *shown, below, controls]


def pictures(table: Table, view: str, locale: str) -> Iterator[str | Scene]:
    """The pictures of a position: the table, the hand of a seat, or all hands, each under its name."""
    if view == TABLE and table.state is not None:
        presenter = presenters.get(table.game.key)
        yield presenter.table(table.state.observe(None), picture_look(table, locale))
    elif view == OPEN:
        for seat in range(len(table.sitters)):
            hand = SeatView(table, seat, locale)
            yield f"**{seat_letter(seat)}** {hand.look.name(seat)}"
            yield hand.scene
    else:
        hand = SeatView(table, int(view), locale)
        yield from filter(None, (hand.letters, hand.scene))


def told(replay: Replay, where: ReplayPosition, locale: str) -> list[str]:
    """What the turn has brought so far, as this point of view may know it; with all hands open the cards are
    in the pictures."""
    if not where.act:
        return []
    lines = lines_of(replay.happened(where.act), replay.table, where.viewer, locale)
    if not lines:
        name = word_look(replay.table, locale).name(replay.mover(where.act))
        return [words(locale)("replay.chosen", name=name)]
    return lines


def list_message(found: Sequence[Finished], at: int, pages: int, locale: str) -> Message:
    """A page of the finished games of a person; nothing of how they ended."""
    say = words(locale)
    if not found:
        return page(say("replay.none"))
    lines = [
        MenuLine(str(one.id), label_of(one, locale), say("replay.entry", table=one.id, day=day_of(one)))
        for one in found
    ]
    chosen = select(say("replay.choose"), lines, "replay")
    return page(say("replay.list"), [chosen, *pager(say, at, pages, "replays")])


def label_of(one: Finished, locale: str) -> str:
    """A finished game in a line: what, and with whom."""
    title = presenters.get(one.game).title(locale)
    names = words(locale)("table.comma").join(plain(name) for name in one.names)
    return clipped(f"{'🔁 ' if one.practice else ''}{title} · {names}", 100)


def day_of(one: Finished) -> str:
    """The day on which it ended, as every language reads it."""
    return datetime.fromtimestamp(one.ended_at / 1000, UTC).date().isoformat()


def code_message(code: str, locale: str) -> Message:
    """The code of a replay for who sat there, to be handed on."""
    return page(words(locale)("replay.code", code=code))


def _view_name(view: str, say: Words, look: Look) -> str:
    if view == TABLE:
        return say("replay.view_table")
    return say("replay.view_open") if view == OPEN else say("replay.view_seat", name=look.name(int(view)))


def stops(replay: Replay, act: int, most: int = STOPS) -> list[int]:
    """Where one may jump to: the beginnings of turns, thinned out evenly; the deal, the end and the turn that
    one is in among them."""
    turns = replay.turns()
    if len(turns) <= most:
        return list(dict.fromkeys(turns))
    kept = {turns[round(n * (len(turns) - 1) / (most - 2))] for n in range(most - 1)}
    return sorted(kept | {max(turn for turn in turns if turn <= act)})


def turn_lines(replay: Replay, where: ReplayPosition, say: Words) -> list[MenuLine]:
    """The turns to jump to. Within a turn none of them is chosen: Discord takes what is chosen for no choice,
    and so the way back to the start of the turn would be shut."""
    look, lines = picture_look(replay.table, say.language), list[MenuLine]()
    for stop in stops(replay, where.act):
        if not stop:
            label = say("replay.deal")
        elif stop == replay.last:
            label = say("replay.end")
        else:
            label = say("replay.stop", n=stop, name=look.name(replay.acts[stop].seat))
        lines.append(MenuLine(str(stop), label, chosen=stop == where.act))
    return lines
