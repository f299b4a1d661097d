"""The table message: the picture, whose turn it is, what happened, and the buttons under it."""

from __future__ import annotations

from dataclasses import replace

from discord import ButtonStyle

from bot import presenters
from bot.locales import words
from bot.presenters.voice import clipped
from bot.tables.ports import Refused
from bot.tables.table import Table
from bot.tables.thinking import call_by_name
from bot.views import ids
from bot.views.lobby import fresh_name, lobby_message
from bot.views.match import match_closed, match_lobby
from bot.views.names import joined, picture_look, word_look
from bot.views.opening import open_lobby
from bot.views.parts import Line, Message, Press, button, page, select
from bot.views.router import Answer, Pressed, on
from engine import record
from engine.game import Event, Seat, Viewer

PICTURE = "table.png"
LAST_EVENTS = 6
LOG_LINES = 15


def board_message(table: Table) -> Message:
    """The table for everybody, in the language of the channel. A lobby is shown as a lobby."""
    if table.state is None:
        return match_lobby(table) if table.stored.terms.cup else lobby_message(table)
    locale = table.stored.locale
    say, presenter = words(locale), presenters.get(table.game.key)
    look = word_look(table, locale)
    observation = table.state.observe(None)
    status = presenter.status(observation, look)
    heading = say("table.heading", game=presenter.title(locale), table=table.id, status=status)
    scene = presenter.table(observation, picture_look(table, locale))
    if table.phase == "cancelled":
        if table.stored.terms.cup:
            return page(match_closed(table, presenter.title(locale)), scene, picture_name=PICTURE)
        key = "closed_left" if table.stored.why == "everybody_left" else "closed_by"
        closing = say(f"lobby.{key}", game=presenter.title(locale), table=table.id)
        return page(closing, scene, picture_name=PICTURE)
    outcome = table.outcome()
    happened = "\n".join(f"-# {line}" for line in recent_lines(table, None, locale))
    if outcome is None:
        turn = _turn(table, locale)
        for seat in range(len(table.sitters)):
            if table.away(seat) and not table.asleep:
                turn += "\n" + say("table.held", name=look.name(seat))
        return page(heading, scene, turn + "\n" + happened, _buttons(table, locale), picture_name=PICTURE)
    fair = table.commitment
    seed = say("table.seed", seed=fair.seed.hex(), nonce=fair.nonce.hex())
    ending = say("table.over") + "\n" + presenter.ending(outcome, look)
    after = [
        button(say("table.again"), ids.make("again", table.id), style=ButtonStyle.success),
        button(say("table.why"), ids.make("why", table.id)),
        button(say("table.log"), ids.make("log", table.id)),
        button(say("table.record"), ids.make("record", table.id)),
    ]
    if kept := presenter.keepsake(outcome, observation, look):
        after.append(button(kept.label, ids.make("keepsake", table.id)))
    return page(heading, scene, ending, after, seed, picture_name=PICTURE)


def _turn(table: Table, locale: str) -> str:
    say = words(locale)
    if table.asleep:
        return say("table.asleep")
    waiting = table.waiting()
    names = joined([word_look(table, locale).name(seat) for seat in waiting], locale)
    return say("table.turn" if len(waiting) == 1 else "table.turn_several", names=names)


def _buttons(table: Table, locale: str) -> list[Press]:
    say = words(locale)
    buttons = [
        button(say("table.hand"), ids.make("hand", table.id), style=ButtonStyle.primary, emoji="🃏"),
        button(say("table.why"), ids.make("why", table.id)),
        button(say("table.rules"), ids.make("rules", table.id)),
        button(say("table.log"), ids.make("log", table.id)),
        button(say("table.leave"), ids.make("leave", table.id)),
    ]
    presenter = presenters.get(table.game.key)
    if table.state is not None and presenter.needs_closeups(table.state.observe(None)):
        buttons.insert(1, button(say("table.closer"), ids.make("closer", table.id), emoji="🔍"))
    return buttons


def recent_lines(table: Table, viewer: Viewer, locale: str, most: int = LAST_EVENTS) -> list[str]:
    """The last events in words, as this viewer may know them; the newest last."""
    return _lines(list(table.recent), table, viewer, locale)[-most:]


def _lines(events: list[Event], table: Table, viewer: Viewer, locale: str) -> list[str]:
    presenter, look = presenters.get(table.game.key), word_look(table, locale)
    cut = (event.seen_by(viewer) for event in events)
    lines = (presenter.line(event, viewer, look) for event in cut if event is not None)
    return [line for line in lines if line]


def _viewer(answer: Answer, table: Table) -> Seat | None:
    seats = table.seats_of(answer.user_id)
    return seats[0] if seats else None


@on("why")
async def _why(pressed: Pressed) -> None:
    table = await pressed.table()
    say = pressed.say
    if table.state is None:
        raise Refused("not_started")
    observation = table.state.observe(_viewer(pressed, table))
    told = presenters.get(table.game.key).explain(observation, word_look(table, pressed.locale))
    await pressed.private(page(say("why.heading", table=table.id), told or say("why.nothing")))


@on("log")
async def _log(pressed: Pressed) -> None:
    """The log as this person may know it: `log:table`, or `log:table:page` from inside the log."""
    table = await pressed.table()
    inside = bool(pressed.ref.word(1))
    message = await _log_page(pressed, table, pressed.ref.number(1) if inside else 0)
    await (pressed.turn(message) if inside else pressed.private(message))


async def _log_page(pressed: Pressed, table: Table, at: int) -> Message:
    say = pressed.say
    events = await pressed.hall.events(table)
    lines = _lines(events, table, _viewer(pressed, table), pressed.locale)
    pages = max(1, -(-len(lines) // LOG_LINES))
    at = min(at, pages - 1)
    end = len(lines) - at * LOG_LINES
    shown_lines = "\n".join(lines[max(0, end - LOG_LINES) : end]) or say("table.nothing_yet")
    controls = []
    if pages > 1:
        older, newer = (ids.make("log", table.id, n) for n in (at + 1, max(0, at - 1)))
        controls = [
            button(say("log.older"), older, disabled=at >= pages - 1),
            button(say("log.newer"), newer, disabled=at == 0),
        ]
    foot = say("log.page", page=at + 1, pages=pages)
    return page(say("log.heading", table=table.id), clipped(shown_lines, 3000), foot, controls)


@on("leave")
async def _leave(pressed: Pressed) -> None:
    table = await pressed.table()
    say = pressed.say
    if not table.seats_of(pressed.user_id):
        raise Refused("not_seated")
    if table.phase != "live" or table.outcome() is not None:
        raise Refused("over")
    last = table.people() == [pressed.user_id]
    key = "ask_match" if table.stored.terms.cup else "ask_last" if last else "ask"
    ask = say(f"leave.{key}", table=table.id)
    yes = button(say("leave.yes"), ids.make("leave-yes", table.id), style=ButtonStyle.danger)
    await pressed.private(page(ask, [yes, button(say("leave.no"), ids.make("leave-no", table.id))]))


@on("leave-yes")
async def _leave_yes(pressed: Pressed) -> None:
    table = await pressed.table()
    if table.stored.terms.cup:
        await table.forfeit(pressed.user_id)
        await pressed.turn(page(pressed.say("leave.closed", table=table.id)))
        return
    name, level = fresh_name(table), list(table.game.opponents)[-1]
    was = [table.sitters[seat] for seat in table.seats_of(pressed.user_id)]
    await table.give_up_seat(pressed.user_id, level, name)
    key = "closed" if table.phase == "cancelled" else "left"
    await pressed.turn(page(pressed.say(f"leave.{key}", table=table.id, name=name)))
    if key == "left" and was:
        pressed.app.publisher.seat_taken(table, name, was[0].name)


@on("leave-no")
async def _leave_no(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("leave.stayed")))


@on("record")
async def _record(pressed: Pressed) -> None:
    table = await pressed.table()
    kept = await pressed.hall.record(table)
    name = f"valence-{table.id}.json"
    fair = table.commitment
    seed = pressed.say("table.record_seed", seed=fair.seed.hex(), nonce=fair.nonce.hex())
    await pressed.private(page(seed, files={name: record.to_json(kept)}))


@on("keepsake")
async def _keepsake(pressed: Pressed) -> None:
    """The picture of the end that a worker makes; it takes a moment."""
    table = await pressed.table()
    outcome = table.outcome()
    presenter = presenters.get(table.game.key)
    if outcome is None or table.state is None:
        raise Refused("record_early")
    kept = presenter.keepsake(outcome, table.state.observe(None), word_look(table, pressed.locale))
    if kept is None:
        raise Refused("record_early")
    await pressed.interaction.response.defer(ephemeral=True, thinking=True)
    data = await pressed.hall.thinker.run(
        call_by_name, kept.make, dict(kept.facts), whose=pressed.interaction.channel_id
    )
    await pressed.private(page(kept.text, raw={kept.name: (data, kept.alt)}))


@on("closer")
async def _closer(pressed: Pressed) -> None:
    """Parts of the table drawn larger: `closer:table`, or `closer:table:part` from inside."""
    table = await pressed.table(anywhere=True)
    inside = bool(pressed.ref.word(1))
    if table.state is None:
        raise Refused("not_started")
    observation = table.state.observe(_viewer(pressed, table))
    parts = presenters.get(table.game.key).closeups(observation, picture_look(table, pressed.locale))
    if not parts:
        raise Refused("whole_table")
    at = pressed.ref.number(1) % len(parts) if inside else 0
    lines = [Line(str(n), part.title, chosen=n == at) for n, part in enumerate(parts)]
    menu = select(pressed.say("table.part"), ids.make("closer-part", table.id), lines)
    message = page(f"### {parts[at].title}", parts[at].scene or "", [menu])
    await (pressed.turn(message) if inside else pressed.private(message))


@on("closer-part")
async def _closer_part(pressed: Pressed) -> None:
    part = pressed.value if pressed.value.isdecimal() else "0"
    await _closer(replace(pressed, ref=ids.Ref("closer", (pressed.ref.word(0), part))))


@on("again")
async def _again(pressed: Pressed) -> None:
    table = await pressed.table(anywhere=True)
    opponents = [sitter.level for sitter in table.sitters if sitter.level is not None]
    await open_lobby(
        pressed,
        table.game.key,
        options=table.stored.options,
        clock=table.stored.terms.clock,
        opponents=opponents,
    )


@on("rules")
async def _rules(pressed: Pressed) -> None:
    table = await pressed.table()
    await pressed.private(rules_message(table.game.key, pressed.locale, 0, table=table))


@on("rule-page")
async def _rule_page(pressed: Pressed) -> None:
    game = pressed.game()
    table = await pressed.table(1) if pressed.ref.number(1) else None
    at = int(pressed.value) if pressed.values and pressed.value.isdecimal() else 0
    await pressed.turn(rules_message(game, pressed.locale, at, table=table))


def rules_message(game: str, locale: str, at: int, *, table: Table | None = None) -> Message:
    """A page of the rules with a select for the others; at a table, the page of its level first."""
    options = table.stored.options if table is not None else None
    pages = presenters.get(game).rules(locale, options)
    at = min(at, len(pages) - 1)
    shown_page = pages[at]
    lines = [Line(str(n), p.title, chosen=n == at) for n, p in enumerate(pages[:25])]
    controls = []
    if len(pages) > 1:
        label = words(locale)("rules.choose")
        controls = [select(label, ids.make("rule-page", game, table.id if table else 0), lines)]
    scene = shown_page.scene or ""
    of_game = words(locale)("cards.of_game", game=presenters.get(game).title(locale))
    heading = f"## {shown_page.title}\n{of_game}"
    return page(heading, scene, shown_page.text, controls)
