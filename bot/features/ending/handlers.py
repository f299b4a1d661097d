"""The picture of the end: for who asks for it, and for everybody where somebody who sat there posts it."""

from __future__ import annotations

from functools import partial

from bot import presenters
from bot.core.errors import Refused
from bot.features.achievements.handlers import new_here
from bot.features.table import SeatView, TablePublisher, absence_lines, picture_look, word_look
from bot.features.table import slots as table_slots
from bot.features.table.rights import HAND, PLAYER, TABLE
from bot.features.teacher.review_handlers import ALONE, END, MORAL, Moral, Told, moral, moral_offer, show_told
from bot.locales import Words
from bot.presenters.ending import headline, placed
from bot.render.scene import Scene
from bot.table.daily import is_sealed, opens_at
from bot.table.registry import Tables
from bot.table.results import has_stayed_away, passed_over, won_by_absence
from bot.table.table import Table
from bot.table.table_kinds import reviewed_seat
from bot.table.thinking import call_by_name
from bot.ui.components import Control, KeptPicture, Message, button, page, shown_alt
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.outbox import Outbox, Place
from bot.ui.rights import SHARER
from engine.game import Outcome, as_json

handlers = Handlers[Pressed]()

PICTURE = "end.png"


async def _picture(answer: Answer, table: Table, locale: str) -> Scene:
    """The picture of the end, made in a worker: the game is played once more for it."""
    acts = [(seat, as_json(action)) for seat, action in await answer.service(Tables).acts(table)]
    looks = {"look": picture_look(table, locale), "spoken": word_look(table, locale)}
    facts = {"game": table.game.key, "setup": table.setup(), "acts": acts, **looks}
    scene = await answer.service(Tables).thinker.run(
        call_by_name, "bot.presenters.victory:made", facts, whose=answer.user_id
    )
    if not isinstance(scene, Scene):
        raise TypeError(f"no picture but {type(scene)}")
    return scene


def end_button(say: Words, table: Table) -> Control:
    """Return the button that shows the picture of the end."""
    return button(say("end.picture"), "end", table.id, emoji="🏆")


def end_button_in_hand(say: Words, view: SeatView) -> Control:
    """Return the same for a hand."""
    return end_button(say, view.table)


def moral_button(say: Words, view: SeatView) -> Control | None:
    """Return the button that tells what its holder may learn from the game, if there may be something."""
    user_id = view.table.sitters[view.seat].user_id
    if user_id is None or reviewed_seat(view.table, user_id) != view.seat:
        return None
    return button(say("review.learn"), MORAL, view.table.id, emoji="💡")


@handlers.on("end", HAND)
async def _end(pressed: Pressed, table: Table) -> None:
    """The picture for the person alone, and how they came out."""
    outcome = table.outcome()
    if outcome is None:
        raise Refused("end_early")
    await pressed.defer(ephemeral=True, thinking=True)
    scene = await _picture(pressed, table, pressed.locale)
    await pressed.private(await _private(pressed, table, outcome, scene, moral_offer(pressed, table)))


async def _private(
    pressed: Pressed, table: Table, outcome: Outcome, picture: Scene | KeptPicture, learnt: Moral
) -> Message:
    """Return the end for one person: the picture, how they came out, and the moral or its button."""
    presenter, say = presenters.get(table.game.key), pressed.say
    title = headline(presenter, outcome, word_look(table, pressed.locale))
    seats = table.seats_of(pressed.user_id)
    # of a winner the title says it already
    behind = len(seats) == 1 and seats[0] not in outcome.winners()
    place = placed(presenter, outcome, seats[0], pressed.locale, passed_over(table)) if behind else ""
    if len(seats) == 1 and has_stayed_away(table, seats[0]):
        place = say("end.stayed_away")  # however the seat came out
    if len(seats) == 1 and seats[0] in won_by_absence(table, outcome):
        place = say("end.left_by_others_own")
    lines = [say("end.heading", title=title), place]
    post, sealed = list[Control](), is_sealed(table.stored.terms, pressed.app.clock.now())
    if not sealed:
        if seats:
            post.append(button(say("end.post"), "end-post", table.id))
        post += table_slots.END_PICTURE.controls(say, table)
    foot = say("end.sealed", at=opens_at(table.stored.terms)) if sealed else say("end.yours")
    foot = foot if seats else ""
    if seats:
        lines.append(await new_here(pressed, table.id, table.game.key))
    shown = "\n".join(filter(None, lines))
    return page(shown, picture, learnt.line, learnt.follows, foot, post, picture_name=PICTURE)


@handlers.on(MORAL, HAND)
async def _moral(pressed: Pressed, table: Table) -> None:
    """What one may learn from the game: `moral:table` from a hand, with the message that is asked again from
    inside; by now it may be there."""
    where = pressed.ref.word(1)
    outcome, message = table.outcome(), pressed.interaction.message
    if outcome is None:
        raise Refused("end_early")
    inside = pressed.from_private and where in (END, ALONE)
    await pressed.defer(ephemeral=True, thinking=not inside)
    if where == END and inside and message is not None:
        picture: Scene | KeptPicture
        if pressed.has_picture:
            picture = KeptPicture(PICTURE, shown_alt(message.components))
        else:
            picture = await _picture(pressed, table, pressed.locale)

        async def with_picture() -> Told:
            learnt = await moral(pressed, table, END)
            return Told(await _private(pressed, table, outcome, picture, learnt), learnt.coming)

        again = partial(pressed.update, keep_files=True)
        await show_told(pressed, table, again, with_picture, keep_files=True)
        return

    async def alone() -> Told:
        learnt = await moral(pressed, table, ALONE)
        if not learnt.line:
            raise Refused("no_practice")
        return Told(page(learnt.line, learnt.follows), learnt.coming)

    await show_told(pressed, table, pressed.turn if inside else pressed.private, alone)


@handlers.on("end-post", TABLE, who=PLAYER & SHARER)
async def _post(pressed: Pressed, table: Table) -> None:
    """The picture for everybody in the channel, in its language and as it shows pictures; once."""
    outcome, publisher = table.outcome(), pressed.service(TablePublisher)
    if outcome is None:
        raise Refused("end_early")
    if is_sealed(table.stored.terms, pressed.app.clock.now()):
        raise Refused("daily_sealed", at=opens_at(table.stored.terms))
    if not pressed.app.debouncer.is_first_click(pressed.user_id, pressed.custom_id):
        await pressed.acknowledge()
        return
    if url := publisher.ends.get(table.id):
        raise Refused("end_posted", url=url)
    pressed.claim_post()
    channel_id = pressed.interaction.channel_id or table.stored.channel_id
    publisher.ends[table.id] = f"<#{channel_id}>"  # it is on its way there
    try:
        posted = await _posted(pressed, table, outcome, channel_id)
    except BaseException:
        publisher.ends.pop(table.id, None)
        raise
    publisher.ends[table.id] = Place(channel_id, pressed.interaction.guild_id, posted).url


async def _posted(pressed: Pressed, table: Table, outcome: Outcome, channel_id: int) -> int:
    """Post the picture; its message."""
    # an answer that everybody sees waiting would tell everybody, too, that the picture could not be made
    await pressed.acknowledge()
    locale = table.stored.locale
    scene = await _picture(pressed, table, locale)
    title = headline(presenters.get(table.game.key), outcome, word_look(table, locale))
    # the picture tells how it was played; of who lost by staying away it knows nothing
    counted = absence_lines(table, outcome, locale)
    shown = page("\n".join((pressed.say("end.heading", title=title), *counted)), scene)
    pictures = await pressed.service(Outbox).pictures(channel_id)
    return (await pressed.publicly(shown.fitted(pictures))).id
