"""What follows the end of a game in private: the moral, **Try again**, and the review of every decision."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

import structlog

from bot.core.errors import Refused
from bot.features.table import open_hand, word_look
from bot.features.table.rights import HAND
from bot.features.teacher.practice import practise
from bot.features.teacher.review_messages import (
    PICTURE,
    moral_controls,
    moral_line,
    on_page,
    pages_of,
    review_message,
    review_scene,
)
from bot.features.teacher.review_service import Reviews
from bot.locales import words
from bot.presenters.review import TRIED, Way, luckiest
from bot.render.scene import Scene
from bot.store.database import StoreError
from bot.table.daily import is_sealed, opens_at
from bot.table.registry import Tables
from bot.table.table import Table
from bot.table.table_kinds import reviewed_seat
from bot.table.thinking import call_by_name
from bot.ui.components import Control, KeptPicture, Message, button, page, shown_alt
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import plain
from bot.workers.errors import NoAnswer
from engine.ai.review import Judged, Review
from engine.game import Seat, as_json

log = structlog.get_logger(__name__)
handlers = Handlers[Pressed]()

MORAL: Final = "moral"
"""The verb that asks for the moral of a game."""
END, ALONE = "end", "alone"
"""Where a moral stands: below the picture of the end, or in a message of its own."""


async def ways_of(answer: Answer, table: Table, decisions: Iterable[Judged]) -> dict[int, Way]:
    """These decisions in words, made in a worker: the game is played once more for it."""
    wanted = {one.act: one.best for one in decisions}
    if not wanted:
        return {}
    acts = [(seat, as_json(action)) for seat, action in await answer.service(Tables).acts(table)]
    look = word_look(table, answer.locale)
    facts = {"game": table.game.key, "setup": table.setup(), "acts": acts, "look": look, "decisions": wanted}
    found: dict[int, Way] = await answer.service(Tables).thinker.run(
        call_by_name, "bot.presenters.review:ways", facts, whose=answer.user_id
    )
    return found


class Moral(NamedTuple):
    """What one may learn from a game, and what may follow it; `coming` until it is made."""

    line: str = ""
    follows: Sequence[Control] = ()
    coming: bool = False


class Told(NamedTuple):
    """A message about a review; `coming`: it says that the review is still being made."""

    message: Message
    coming: bool = False


def moral_offer(answer: Answer, table: Table) -> Moral:
    """Return the button that asks for the moral of a game, if this person has one, or when it is opened."""
    if reviewed_seat(table, answer.user_id) is None:
        return Moral()
    if is_sealed(terms := table.stored.terms, answer.app.clock.now()):
        return Moral(answer.say("refused.review_sealed", at=opens_at(terms)))
    learn = button(answer.say("review.learn"), MORAL, table.id, END, emoji="💡")
    return Moral("", [learn])


async def moral(answer: Answer, table: Table, where: str) -> Moral:
    """The moral of a game for who sat there; an empty one for others. Until it is made it says so, and who
    asks again gets it: `where` says of which message, `END` or `ALONE`."""
    seat = reviewed_seat(table, answer.user_id)
    if seat is None:
        return Moral()
    if is_sealed(terms := table.stored.terms, answer.app.clock.now()):
        return Moral(answer.say("refused.review_sealed", at=opens_at(terms)))
    found = await answer.service(Reviews).find(table, seat)
    if found is None:
        again = button(answer.say("review.ask"), MORAL, table.id, where)
        return Moral(answer.say("review.coming"), [again], coming=True)
    lucky = luckiest(found)
    ways = await ways_of(answer, table, found.costly[:TRIED] or ([lucky] if lucky else []))
    line = moral_line(table, found, ways, answer.locale)
    return Moral(line, moral_controls(table, found, ways, answer.locale))


async def show_told(
    pressed: Pressed,
    table: Table,
    show: Callable[[Message], Awaitable[None]],
    build: Callable[[], Awaitable[Told]],
    *,
    keep_files: bool = False,
) -> None:
    """Build a message and show it; where it says that a review is coming, that takes its place once made."""
    told = await build()
    await show(told.message)
    seat = reviewed_seat(table, pressed.user_id)
    if seat is None or not told.coming:
        return

    async def follow() -> None:
        await pressed.service(Reviews).finished(table, seat)
        try:
            made = await build()
        except (StoreError, NoAnswer) as error:  # who asks again is told
            log.info("review not shown", table=table.id, why=str(error))
            return
        await pressed.show_later(made.message, keep_files=keep_files)

    pressed.app.tasks.spawn(follow(), f"moral of table {table.id}")


async def _reviewed(pressed: Pressed, table: Table) -> Review | None:
    """The review of who presses, or None while it is being made.

    Raises:
        Refused: there is none for them, or none before the day of this deal is over.
    """
    seat = reviewed_seat(table, pressed.user_id)
    if seat is None:
        raise Refused("no_practice")
    if is_sealed(terms := table.stored.terms, pressed.app.clock.now()):
        raise Refused("review_sealed", at=opens_at(terms))
    return await pressed.service(Reviews).find(table, seat)


@handlers.on("review", HAND)
async def _review(pressed: Pressed, table: Table) -> None:
    """The review: `review:table` opens it, `review:table:page` turns its pages."""
    turns = bool(pressed.ref.word(1)) and pressed.from_private and pressed.has_picture
    await pressed.defer(ephemeral=True, thinking=not turns)

    async def build() -> Told:
        return await _page_of_review(pressed, table, turns=turns)

    show = partial(pressed.update, keep_files=True) if turns else pressed.private
    await show_told(pressed, table, show, build, keep_files=turns)


async def _page_of_review(pressed: Pressed, table: Table, *, turns: bool) -> Told:
    """A page of the review, or why there is none; `turns`: of one that is shown, so its picture stays."""
    found = await _reviewed(pressed, table)
    if found is None or not found.decisions:
        key = "review.coming" if found is None else "review.no_choice"
        return Told(page(pressed.say(key)), coming=found is None)
    at = pressed.ref.number(1) % pages_of(found) if pressed.ref.word(1) else 0
    turned = [found.decisions[place] for place in found.turnings()]
    ways = await ways_of(pressed, table, [*on_page(found, at), *turned, *found.costly[:TRIED]])
    shown = pressed.interaction.message
    picture: Scene | KeptPicture
    if turns and shown is not None:
        picture = KeptPicture(PICTURE, shown_alt(shown.components))
    else:
        picture = review_scene(table, found, ways, pressed.locale)
    return Told(review_message(table, found, ways, picture, pressed.locale, at=at))


@handlers.on("try-again", HAND)
async def _try_again(pressed: Pressed, table: Table) -> None:
    """The position before a decision once more, at a table of its own."""
    act = pressed.ref.number(1)
    await open_practice(pressed, table, act)


@handlers.on("retry", HAND)
async def _retry(pressed: Pressed, table: Table) -> None:
    """The position of practice that is over once more, `retry:table`: for who sat there."""
    seats = table.seats_of(pressed.user_id)
    if not seats:
        raise Refused("no_practice")
    await open_practice(pressed, table, None, seats[0])


async def open_practice(pressed: Pressed, table: Table, act: int | None, seat: Seat | None = None) -> None:
    """Open practice from a position, and answer with its hand; `act` and `seat` as for `practise`.

    Raises:
        Refused: there is none from there.
    """
    if not await pressed.first_click():
        return
    own = plain(pressed.interaction.user.display_name)
    taken = {own, *(sitter.name for sitter in table.sitters)}
    free = [name for name in words(pressed.locale).list("opponent.names") if name not in taken]
    others = [seat for seat, who in enumerate(table.sitters) if who.user_id is not None]
    fresh = await practise(
        pressed.service(Tables),
        table,
        pressed.user_id,
        act,
        seat=seat,
        name="" if seat is None else own,
        names=dict(zip(others, free, strict=False)),
    )
    greeting = pressed.say("review.practice", table=fresh.stored.terms.practice)
    await open_hand(pressed, fresh, fresh.seats_of(pressed.user_id)[0], greeting=greeting)
