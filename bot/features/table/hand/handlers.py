"""Pressing in a hand: opening it, walking the choices, deciding."""

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
"""After how many seconds a seat may pass by itself; 0 for never."""
MOST_WAY = 100
"""The most characters of a decision that are repeated in the line that says it is made."""


async def open_hand(
    answer: Answer, table: Table, seat: Seat, *, notice: str = "", greeting: str = ""
) -> None:
    """Answer with the hand as a new private message; the greeting stays above it until its first press."""
    missed = await welcome(table, answer.user_id)
    notice = "\n".join([*(answer.say(key) for key in missed), notice]).strip()
    line = error_line(answer.service(Outbox), table, answer.locale)
    notice = "\n".join(filter(None, (greeting, notice, line)))
    view = view_of(answer, table, seat)
    message = hand_message(view, notice=notice)
    await answer.private(message, follow=False)
    state = HandState(view.seat, view.seq, notice=notice, greeting=greeting, question=open_question(table))
    _keep_open(answer, view, message, state)


async def tell_move(answer: Answer, table: Table, seat: Seat, way: str) -> None:
    """Answer a decision that was typed: the hand that lies open here is turned over and one line says so;
    where none does, it is opened. `way` is the decision in words."""
    app, user_id = answer.app, answer.user_id
    if app.service(OpenHands).is_open(table, user_id, answer.interaction.channel_id):
        await answer.tell(answer.say("hand.made_there", way=inert(clipped(way, MOST_WAY))))
        if await app.service(OpenHands).refresh_now(table, user_id):
            return
    await open_hand(answer, table, seat_to_show(table, seat, user_id), notice=answer.say("hand.made"))


async def show_hand(
    pressed: Pressed, view: SeatView, spot: ChoiceCursor = TOP_CHOICE, *, notice: str = "", fresh: bool = True
) -> None:
    """Answer by changing the hand that was pressed; `fresh` paints its picture again."""
    table = view.table
    missed = await welcome(table, pressed.user_id)
    notice = "\n".join([*(pressed.say(key) for key in missed), notice]).strip()
    if not view.holds:
        view = view_of(pressed, table, view.seat)
    if line := error_line(pressed.service(Outbox), table, pressed.locale):
        notice = f"{notice}\n{line}".strip()
    pressed_message = pressed.interaction.message
    keeps = not fresh and _keeps_picture(pressed, view, spot)
    kept = shown_alt(pressed_message.components) if keeps and pressed_message is not None else None
    message = hand_message(view, spot, notice=notice, kept=kept)
    try:
        await pressed.turn(message, keep_files=keeps, follow=False)
    except discord.HTTPException as error:
        if not keeps or error.code != INVALID_FORM:
            raise
        # the picture that was to stay has been turned over meanwhile
        view = view_of(pressed, table, view.seat)
        message = hand_message(view, spot, notice=notice)
        await pressed.turn(message, follow=False)
    state = HandState(view.seat, view.seq, spot, notice, question=open_question(table))
    _keep_open(pressed, view, message, state)


def _keeps_picture(pressed: Pressed, view: SeatView, spot: ChoiceCursor) -> bool:
    """Whether the picture that stands in the pressed message is the one for this place in the choices."""
    hands, message = pressed.service(OpenHands), pressed.interaction.message
    if message is None or not (pressed.from_private and pressed.has_picture):
        return False
    if not hands.is_current(view.table, pressed.user_id, message):
        return False
    if not view.presenter.draws_steps:
        return True
    before = hands.shows(view, pressed.user_id, message.id)
    return before is not None and way_shown(view, before) == way_shown(view, spot)


async def welcome(table: Table, user_id: int) -> list[str]:
    """Give whoever presses their seats back, and wake the table.

    Return the keys of the lines about what the others agreed on meanwhile.
    """
    if table.phase == "live" and (table.misses(user_id) or user_id in table.stored.terms.while_away):
        # where that cannot be stored just now the hand is shown all the same: the next press tries again
        with contextlib.suppress(StoreError, Refused):
            return [f"consent.away_{what}" for what in await table.come_back(user_id)]
    return []


def _keep_open(answer: Answer, view: SeatView, message: Message, state: HandState) -> None:
    """Remember the hand on the screen; what happened while it was on its way is shown at once, and the
    picture as soon as it is painted."""
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
    """This seat of a person; who holds several goes on with the one that is to act."""
    mine = table.seats_of(user_id)
    return seat if seat in table.waiting() or not mine else mine[0]


def view_of(answer: Answer, table: Table, seat: Seat) -> SeatView:
    """The table as it is now, for whoever pressed.

    Raises:
        Refused: nothing has been dealt there.
    """
    if table.state is None:
        raise Refused({"lobby": "not_started", "cancelled": "closed"}.get(table.phase, "over"))
    return answer.service(OpenHands).views.of(table, seat, answer.locale, hints=answer.prefs.hints)


def own_seat(table: Table, seat: Seat, user_id: int) -> Seat:
    """The seat, if it is this person's.

    Raises:
        Refused: it is somebody else's, whatever the id of the button says.
    """
    if not 0 <= seat < len(table.sitters):
        raise ids.InvalidCustomId(f"no seat {seat}")
    if table.sitters[seat].user_id != user_id:
        raise Refused("not_your_seat" if table.seats_of(user_id) else "not_seated")
    return seat


@handlers.on("hand", HAND, who=PLAYER)
async def _hand(pressed: Pressed, table: Table) -> None:
    """**My hand** under a table opens a new hand; **Refresh** in a hand (which names a seat) turns it."""
    if table.phase == "lobby":
        raise Refused("not_started")
    if pressed.ref.word(1):
        seat = own_seat(table, pressed.ref.number(1), pressed.user_id)
        await show_hand(pressed, view_of(pressed, table, seat_to_show(table, seat, pressed.user_id)))
        return
    await open_hand(pressed, table, table.seats_of(pressed.user_id)[0])


@handlers.on("autopass", HAND)
async def _autopass(pressed: Pressed, table: Table) -> None:
    """Change how long one's own seat waits before it passes by itself: the next of a few choices."""
    seat = own_seat(table, pressed.ref.number(1), pressed.user_id)
    now = autopass_seconds(table.stored.terms, pressed.user_id)
    at = AUTOPASS.index(now) if now in AUTOPASS else 0
    await set_autopass(table, pressed.user_id, AUTOPASS[(at + 1) % len(AUTOPASS)])
    view = view_of(pressed, table, seat)
    await show_hand(pressed, view, notice=pressed.say("hand.autopass_note"), fresh=False)


async def _choices(pressed: Pressed, table: Table) -> tuple[SeatView, walk.Path] | None:
    """View and path of a press in a hand; None when the fresh hand has been the answer."""
    seat = own_seat(table, pressed.ref.number(1), pressed.user_id)
    view, decision = view_of(pressed, table, seat), pressed.ref.number(2)
    if view.decision != decision:
        notice = _stale(pressed, table, seat, decision)
        to_show = seat_to_show(table, seat, pressed.user_id)
        await show_hand(pressed, view_of(pressed, table, to_show), notice=notice)
        return None
    return view, ids.path_of(pressed.ref.word(3))


def _stale(pressed: Pressed, table: Table, seat: Seat, decision: int) -> str:
    """What is said of a press on a hand that has moved on; nothing where the person's own press moved it."""
    if pressed.service(OpenHands).just_made(table, pressed.user_id, seat, decision):
        return ""
    return pressed.say("refused.stale")


@handlers.on("go", HAND)
async def _go(pressed: Pressed, table: Table) -> None:
    if found := await _choices(pressed, table):
        await _arrive(pressed, *found)


@handlers.on("sure", HAND)
async def _sure(pressed: Pressed, table: Table) -> None:
    if found := await _choices(pressed, table):
        await _arrive(pressed, *found, sure=True)


@handlers.on("sel", HAND)
async def _select(pressed: Pressed, table: Table) -> None:
    if found := await _choices(pressed, table):
        view, path = found
        await _arrive(pressed, view, (*path, *pressed.values[:1]))


@handlers.on("pick", HAND)
async def _pick(pressed: Pressed, table: Table) -> None:
    if found := await _choices(pressed, table):
        view, path = found
        await _arrive(pressed, view, (*path, walk.pick_segment(pressed.values), "ok"))


@forms.on("form", HAND)
async def _form(submitted: Submitted, table: Table) -> None:
    """Decide all that a form asks for; where it does not fit together, say so beside the way back to it."""
    if not (found := await _choices(submitted, table)):
        return
    view, path = found
    asked = view.at(path)
    node = asked.node if isinstance(asked, walk.Question) else None
    if not isinstance(node, Form):
        await show_hand(submitted, view, notice=submitted.say("refused.no_choice"))
        return
    keys = tuple(submitted.field(blank.key) for blank in node.blanks)
    path = (*path, walk.pick_segment(keys))
    place = view.at(path)
    if isinstance(place, walk.Question) and (sentence := node.amiss(keys)):
        await show_hand(submitted, view, ChoiceCursor.of(place), notice=f"⚠️ {sentence}", fresh=False)
        return
    # who sends a form has been asked once more already
    await _arrive(submitted, view, (*path, "ok"), sure=True)


@handlers.on("page", HAND)
async def _page(pressed: Pressed, table: Table) -> None:
    if found := await _choices(pressed, table):
        view, path = found
        await show_hand(pressed, view, ChoiceCursor(path, pressed.ref.number(4)), fresh=False)


@handlers.on("group", HAND)
async def _group(pressed: Pressed, table: Table) -> None:
    """A group of items was chosen in a long pick."""
    if found := await _choices(pressed, table):
        view, path = found
        spot = ChoiceCursor(path, picked=walk.keys_in(pressed.ref.word(4)), group=pressed.value)
        await _show_pick(pressed, view, spot)


@handlers.on("add", HAND)
async def _add(pressed: Pressed, table: Table) -> None:
    """Items of one group were chosen in a long pick; those of other groups stay picked."""
    if found := await _choices(pressed, table):
        view, path = found
        spot = ChoiceCursor(path, picked=walk.keys_in(pressed.ref.word(4)), group=pressed.ref.word(5))
        await _show_pick(pressed, view, spot, pressed.values)


async def _show_pick(
    pressed: Pressed, view: SeatView, spot: ChoiceCursor, chosen: Sequence[str] | None = None
) -> None:
    spot, notice = picking(view, spot, chosen)
    await show_hand(pressed, view, spot, notice=notice, fresh=False)


async def _arrive(pressed: Pressed, view: SeatView, path: walk.Path, *, sure: bool = False) -> None:
    """Show the question at the end of the path, or carry out the decision there; `sure`: it was asked once
    more already."""
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
    """While a decision is answered by the hand that it leads to, that hand is not turned over besides; it
    is, where the answer is lost."""
    hands, user_id = pressed.service(OpenHands), pressed.user_id
    try:
        with hands.answering(table, user_id):
            yield
    except BaseException:
        pressed.app.tasks.spawn(hands.refresh(table, user_id), f"hand of table {table.id}")
        raise


async def _go_on(view: SeatView, decision: int, then: Sequence[Action]) -> None:
    """Carry out what the same press decides besides, as long as nobody has changed in between what the seat
    decides. What is not done the hand asks for, so that nothing is lost. All of it is noted as of one press,
    whose first decision was stored under the number of the next: one undo takes back the whole."""
    table, seat, press = view.table, view.seat, decision
    with contextlib.suppress(Stale, Refused, Refusal, StoreError):
        for action in then:
            if action not in table.legal[seat]:
                return
            decision = await table.act(seat, decision, action, press=press)


def _paint_ahead(pressed: Pressed, view: SeatView, state: AnyState) -> None:
    """Start to paint the hand in a position that is being stored, to be shown once that is done."""
    scene = pressed.service(OpenHands).views.foresee(view, state)
    if not pressed.prefs.text_only:
        scene = in_palette(scene, pressed.prefs.palette)
        pressed.app.studio.paint_ahead(scene, whose=pressed.user_id)


async def _decide(pressed: Pressed, view: SeatView, path: walk.Path, made: walk.Decision) -> None:
    """Carry out a decision and show the hand that it leads to, or why not."""
    notice, spot, table, seat, decision = "", TOP_CHOICE, view.table, view.seat, view.decision
    goes_on_here = not made.then and len(table.seats_of(pressed.user_id)) == 1
    foresee = partial(_paint_ahead, pressed, view) if goes_on_here else None
    try:
        await others_decided(table, pressed.app.clock)
        following = await table.act(seat, decision, made.action, foresee=foresee)
    except Stale:
        notice = _stale(pressed, table, seat, decision)
    except Refusal as refusal:
        notice = "⚠️ " + refusal_words(refusal, table.game.key, view.look)
        # back to the last question, with all that was picked there
        before = view.at(path[:-1])
        if isinstance(before, walk.Question):
            spot = ChoiceCursor.of(before)
    else:
        pressed.service(OpenHands).decided(table, pressed.user_id, seat, decision)
        await _go_on(view, following, made.then)
    if not view.holds:
        view = view_of(pressed, table, seat_to_show(table, seat, pressed.user_id))
    await show_hand(pressed, view, spot, notice=notice)
