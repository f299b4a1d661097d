"""Button presses in a hand: opening it, walking through its choices, deciding."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Sequence
from functools import partial

import discord

from bot import custom_ids as ids
from bot.core.errors import Refused, Stale
from bot.features.table.consent import open_question
from bot.features.table.hand.messages import (
    TOP_CHOICE,
    ChoiceCursor,
    form_of,
    hand_message,
    picking,
    way_shown,
)
from bot.features.table.hand.open_hands import HandState, OpenHands
from bot.features.table.hand.seat_view import SeatView
from bot.features.table.publishing.publisher import error_line
from bot.features.table.rights import HAND, PLAYER
from bot.presenters.base import Form
from bot.presenters.voice import clipped
from bot.store.database import StoreError
from bot.table.daily import others_decided
from bot.table.people.habits import set_autopass
from bot.table.table import Table
from bot.table.turns import autopass_seconds
from bot.ui import choices as walk
from bot.ui.components import Message, in_palette, shown_alt
from bot.ui.context import Answer, Pressed, Submitted
from bot.ui.discord_errors import INVALID_FORM
from bot.ui.errors import refusal_words
from bot.ui.handlers import Handlers
from bot.ui.names import inert
from bot.ui.outbox import Outbox
from engine.game import Action, AnyState, Refusal, Seat

handlers = Handlers[Pressed]()
forms = Handlers[Submitted]()

AUTOPASS = (0, 10, 20, 40)
"""Delays in seconds after which a seat may pass automatically; 0 for never."""
MOST_WAY = 100
"""Maximum length, in characters, of a decision quoted in the line that confirms it."""


async def open_hand(
    answer: Answer, table: Table, seat: Seat, *, notice: str = "", greeting: str = ""
) -> None:
    """Answer with the hand as a new private message. The greeting stays until the first press in it."""
    away_keys = await welcome(table, answer.user_id)
    notice = "\n".join([*(answer.say(key) for key in away_keys), notice]).strip()
    line = error_line(answer.service(Outbox), table, answer.locale)
    notice = "\n".join(filter(None, (greeting, notice, line)))
    view = view_of(answer, table, seat)
    message = hand_message(view, notice=notice)
    await answer.private(message, follow=False)
    state = HandState(view.seat, view.seq, notice=notice, greeting=greeting, question=open_question(table))
    _keep_open(answer, view, message, state)


async def tell_move(answer: Answer, table: Table, seat: Seat, way: str) -> None:
    """Answer a typed decision, which is `way` in words.

    If a hand is open in this channel, confirm the decision in one line and refresh it. Otherwise open a hand.
    """
    app, user_id = answer.app, answer.user_id
    if app.service(OpenHands).is_open(table, user_id, answer.interaction.channel_id):
        await answer.tell(answer.say("hand.made_there", way=inert(clipped(way, MOST_WAY))))
        if await app.service(OpenHands).refresh_now(table, user_id):
            return
    await open_hand(answer, table, seat_to_show(table, seat, user_id), notice=answer.say("hand.made"))


async def show_hand(
    pressed: Pressed, view: SeatView, spot: ChoiceCursor = TOP_CHOICE, *, notice: str = "", fresh: bool = True
) -> None:
    """Answer by updating the hand that was pressed. `fresh` draws its picture again."""
    table = view.table
    away_keys = await welcome(table, pressed.user_id)
    notice = "\n".join([*(pressed.say(key) for key in away_keys), notice]).strip()
    if not view.holds:
        view = view_of(pressed, table, view.seat)
    if line := error_line(pressed.service(Outbox), table, pressed.locale):
        notice = f"{notice}\n{line}".strip()
    pressed_message = pressed.interaction.message
    keeps_picture = not fresh and _keeps_picture(pressed, view, spot)
    alt = shown_alt(pressed_message.components) if keeps_picture and pressed_message is not None else None
    message = hand_message(view, spot, notice=notice, kept=alt)
    try:
        await pressed.turn(message, keep_files=keeps_picture, follow=False)
    except discord.HTTPException as error:
        if not keeps_picture or error.code != INVALID_FORM:
            raise
        # a refresh has meanwhile replaced the picture that was to stay
        view = view_of(pressed, table, view.seat)
        message = hand_message(view, spot, notice=notice)
        await pressed.turn(message, follow=False)
    state = HandState(view.seat, view.seq, spot, notice, question=open_question(table))
    _keep_open(pressed, view, message, state)


def _keeps_picture(pressed: Pressed, view: SeatView, cursor: ChoiceCursor) -> bool:
    """Return whether the pressed message already shows the picture for this place in the choices."""
    hands, message = pressed.service(OpenHands), pressed.interaction.message
    if message is None or not (pressed.from_private and pressed.has_picture):
        return False
    if not hands.is_current(view.table, pressed.user_id, message):
        return False
    if not view.presenter.draws_steps:
        return True
    shown_cursor = hands.shows(view, pressed.user_id, message.id)
    return shown_cursor is not None and way_shown(view, shown_cursor) == way_shown(view, cursor)


async def welcome(table: Table, user_id: int) -> list[str]:
    """Give this player their seats back, and wake the table.

    Return the keys of the lines about what the others agreed on meanwhile.
    """
    if table.phase == "live" and (table.misses(user_id) or user_id in table.stored.terms.while_away):
        # if this cannot be stored now, the hand is shown anyway: the next press tries again
        with contextlib.suppress(StoreError, Refused):
            return [f"consent.away_{kind}" for kind in await table.come_back(user_id)]
    return []


def _keep_open(answer: Answer, view: SeatView, message: Message, state: HandState) -> None:
    """Follow the hand that is now on the screen.

    Refresh it at once if the table changed while it was being sent, and show its picture once it is painted.
    """
    app, table = answer.app, view.table
    app.service(OpenHands).shown(
        answer.interaction,
        table,
        message,
        state,
        message_id=answer.follow_up or answer.message_id,
        follow_up=answer.follow_up > 0,
        files=answer.pictures,
        late=answer.late,
        prefs=answer.prefs,
        sent_at=answer.sent_at,
    )
    if not view.holds or app.service(OpenHands).in_doubt(table, answer.user_id):
        app.tasks.spawn(app.service(OpenHands).refresh(table, answer.user_id), f"hand of table {table.id}")


def seat_to_show(table: Table, seat: Seat, user_id: int) -> Seat:
    """Return this seat if it must act, else the person's first seat, which must act if any of theirs must."""
    own_seats = table.seats_of(user_id)
    return seat if seat in table.waiting() or not own_seats else own_seats[0]


def view_of(answer: Answer, table: Table, seat: Seat) -> SeatView:
    """Return the current view of a seat, for the person who pressed.

    Raises:
        Refused: the game has not started, or the table is closed.
    """
    if table.state is None:
        raise Refused({"lobby": "not_started", "cancelled": "closed"}.get(table.phase, "over"))
    return answer.service(OpenHands).views.of(table, seat, answer.locale, hints=answer.prefs.hints)


def own_seat(table: Table, seat: Seat, user_id: int) -> Seat:
    """Return the seat if it belongs to this person.

    Raises:
        Refused: it belongs to someone else, even though the button's id names it.
        InvalidCustomId: the table has no such seat.
    """
    if not 0 <= seat < len(table.sitters):
        raise ids.InvalidCustomId(f"no seat {seat}")
    if table.sitters[seat].user_id != user_id:
        raise Refused("not_your_seat" if table.seats_of(user_id) else "not_seated")
    return seat


@handlers.on("hand", HAND, who=PLAYER)
async def _hand(pressed: Pressed, table: Table) -> None:
    """Open a new hand (**My hand** at a table), or update the pressed one (**Refresh**, which names a
    seat)."""
    if table.phase == "lobby":
        raise Refused("not_started")
    if pressed.ref.word(1):
        seat = own_seat(table, pressed.ref.number(1), pressed.user_id)
        await show_hand(pressed, view_of(pressed, table, seat_to_show(table, seat, pressed.user_id)))
        return
    await open_hand(pressed, table, table.seats_of(pressed.user_id)[0])


@handlers.on("autopass", HAND)
async def _autopass(pressed: Pressed, table: Table) -> None:
    """Switch the player's autopass delay to the next choice."""
    seat = own_seat(table, pressed.ref.number(1), pressed.user_id)
    seconds = autopass_seconds(table.stored.terms, pressed.user_id)
    index = AUTOPASS.index(seconds) if seconds in AUTOPASS else 0
    await set_autopass(table, pressed.user_id, AUTOPASS[(index + 1) % len(AUTOPASS)])
    view = view_of(pressed, table, seat)
    await show_hand(pressed, view, notice=pressed.say("hand.autopass_note"), fresh=False)


async def _choices(pressed: Pressed, table: Table) -> tuple[SeatView, walk.Path] | None:
    """Return the view and path of a press in a hand, or None if it was answered with a fresh hand instead."""
    seat = own_seat(table, pressed.ref.number(1), pressed.user_id)
    view, decision = view_of(pressed, table, seat), pressed.ref.number(2)
    if view.decision != decision:
        notice = _stale(pressed, table, seat, decision)
        to_show = seat_to_show(table, seat, pressed.user_id)
        await show_hand(pressed, view_of(pressed, table, to_show), notice=notice)
        return None
    return view, ids.path_of(pressed.ref.word(3))


def _stale(pressed: Pressed, table: Table, seat: Seat, decision: int) -> str:
    """Return the notice for a press on an outdated hand. Empty if the player's own press outdated it."""
    if pressed.service(OpenHands).just_made(table, pressed.user_id, seat, decision):
        return ""
    return pressed.say("refused.stale")


@handlers.on("go", HAND)
async def _go(pressed: Pressed, table: Table) -> None:
    if target := await _choices(pressed, table):
        await _arrive(pressed, *target)


@handlers.on("sure", HAND)
async def _sure(pressed: Pressed, table: Table) -> None:
    if target := await _choices(pressed, table):
        await _arrive(pressed, *target, sure=True)


@handlers.on("sel", HAND)
async def _select(pressed: Pressed, table: Table) -> None:
    if target := await _choices(pressed, table):
        view, path = target
        await _arrive(pressed, view, (*path, *pressed.values[:1]))


@handlers.on("pick", HAND)
async def _pick(pressed: Pressed, table: Table) -> None:
    if target := await _choices(pressed, table):
        view, path = target
        await _arrive(pressed, view, (*path, walk.pick_segment(pressed.values), "ok"))


@forms.on("form", HAND)
async def _form(submitted: Submitted, table: Table) -> None:
    """Make all decisions of a form.

    If its answers do not fit together, explain why and offer the form again.
    """
    if not (target := await _choices(submitted, table)):
        return
    view, path = target
    form_place = view.at(path)
    node = form_place.node if isinstance(form_place, walk.Question) else None
    if not isinstance(node, Form):
        await show_hand(submitted, view, notice=submitted.say("refused.no_choice"))
        return
    keys = tuple(submitted.field(blank.key) for blank in node.blanks)
    path = (*path, walk.pick_segment(keys))
    place = view.at(path)
    if isinstance(place, walk.Question) and (sentence := node.amiss(keys)):
        await show_hand(submitted, view, ChoiceCursor.of(place), notice=f"⚠️ {sentence}", fresh=False)
        return
    # submitting the form already confirms the decision
    await _arrive(submitted, view, (*path, "ok"), sure=True)


@handlers.on("page", HAND)
async def _page(pressed: Pressed, table: Table) -> None:
    if target := await _choices(pressed, table):
        view, path = target
        await show_hand(pressed, view, ChoiceCursor(path, pressed.ref.number(4)), fresh=False)


@handlers.on("group", HAND)
async def _group(pressed: Pressed, table: Table) -> None:
    """Show the items of the group that was chosen in a long pick."""
    if target := await _choices(pressed, table):
        view, path = target
        cursor = ChoiceCursor(path, picked=walk.keys_in(pressed.ref.word(4)), group=pressed.value)
        await _show_pick(pressed, view, cursor)


@handlers.on("add", HAND)
async def _add(pressed: Pressed, table: Table) -> None:
    """Pick items of one group in a long pick. Items of other groups stay picked."""
    if target := await _choices(pressed, table):
        view, path = target
        cursor = ChoiceCursor(path, picked=walk.keys_in(pressed.ref.word(4)), group=pressed.ref.word(5))
        await _show_pick(pressed, view, cursor, pressed.values)


async def _show_pick(
    pressed: Pressed, view: SeatView, cursor: ChoiceCursor, chosen: Sequence[str] | None = None
) -> None:
    cursor, notice = picking(view, cursor, chosen)
    await show_hand(pressed, view, cursor, notice=notice, fresh=False)


async def _arrive(pressed: Pressed, view: SeatView, path: walk.Path, *, sure: bool = False) -> None:
    """Show the question at the end of the path, or make its decision. `sure` skips the confirmation."""
    place = view.at(path)
    if isinstance(place, walk.Question):
        if isinstance(place.node, Form):
            await pressed.ask(form_of(view, place.node, place))
        else:
            await show_hand(pressed, view, ChoiceCursor.of(place), fresh=False)
        return
    if isinstance(place, walk.Lost):
        await show_hand(pressed, view, notice=pressed.say("refused.no_choice"))
        return
    if pressed.prefs.confirm and path and not (sure or place.refused):
        await show_hand(pressed, view, ChoiceCursor(path, sure=True), fresh=False)
        return
    async with _answering(pressed, view.table):
        await _decide(pressed, view, path, place)


@contextlib.asynccontextmanager
async def _answering(pressed: Pressed, table: Table) -> AsyncIterator[None]:
    """Do not refresh the hand while a decision is answered with it.

    If the answer fails, refresh the hand.
    """
    hands, user_id = pressed.service(OpenHands), pressed.user_id
    try:
        with hands.answering(table, user_id):
            yield
    except BaseException:
        pressed.app.tasks.spawn(hands.refresh(table, user_id), f"hand of table {table.id}")
        raise


async def _go_on(view: SeatView, decision: int, then: Sequence[Action]) -> None:
    """Make the other decisions of the same press, as long as they are what the seat must decide.

    If one fails, the hand asks for the rest, so nothing is lost. All are stored as parts of one press, under
    the number of its first entry, which is also the number of the next decision: one undo takes them all
    back.
    """
    table, seat, press = view.table, view.seat, decision
    with contextlib.suppress(Stale, Refused, Refusal, StoreError):
        for action in then:
            if action not in table.legal[seat]:
                return
            decision = await table.act(seat, decision, action, press=press)


def _paint_ahead(pressed: Pressed, view: SeatView, state: AnyState) -> None:
    """Start painting the hand of a position that is still being stored, to be shown once it is stored."""
    scene = pressed.service(OpenHands).views.foresee(view, state)
    if not pressed.prefs.text_only:
        scene = in_palette(scene, pressed.prefs.palette)
        pressed.app.studio.paint_ahead(scene, whose=pressed.user_id)


async def _decide(pressed: Pressed, view: SeatView, path: walk.Path, chosen: walk.Decision) -> None:
    """Make a decision, then show the hand that follows or the reason why it was refused."""
    notice, cursor, table, seat, decision = "", TOP_CHOICE, view.table, view.seat, view.decision
    same_seat_follows = not chosen.then and len(table.seats_of(pressed.user_id)) == 1
    foresee = partial(_paint_ahead, pressed, view) if same_seat_follows else None
    try:
        await others_decided(table, pressed.app.clock)
        following = await table.act(seat, decision, chosen.action, foresee=foresee)
    except Stale:
        notice = _stale(pressed, table, seat, decision)
    except Refusal as refusal:
        notice = "⚠️ " + refusal_words(refusal, table.game.key, view.look)
        # return to the last question, and keep what was picked there
        question = view.at(path[:-1])
        if isinstance(question, walk.Question):
            cursor = ChoiceCursor.of(question)
    else:
        pressed.service(OpenHands).decided(table, pressed.user_id, seat, decision)
        await _go_on(view, following, chosen.then)
    if not view.holds:
        view = view_of(pressed, table, seat_to_show(table, seat, pressed.user_id))
    await show_hand(pressed, view, cursor, notice=notice)
