"""The answers to a challenge: taking it up, at which it is dealt, or not this time. They are for whoever was
challenged; the challenger hears of both."""

from __future__ import annotations

from typing import NamedTuple

from discord import ButtonStyle

from bot import presenters
from bot.core.errors import Refused
from bot.features.table import TablePublisher, deal_if_complete, expire_if_closed, table_url
from bot.features.table.rights import find_table
from bot.locales import Words, words
from bot.table import lobby
from bot.table.people import guests
from bot.table.table import Table
from bot.ui.components import Control, button, page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers, Reach, Who
from bot.ui.names import plain, shown

handlers = Handlers[Pressed]()


def answers(table: Table, user_id: int) -> list[Control]:
    """What somebody who is challenged may answer."""
    say = words(table.stored.locale)
    return [
        button(say("lobby.come"), "take-up", table.id, user_id, style=ButtonStyle.success),
        button(say("challenge.decline"), "stay-away", table.id, user_id),
    ]


class Challenge(NamedTuple):
    """A table, and the person who is challenged to play there."""

    table: Table
    user_id: int


async def _find_challenge(pressed: Pressed) -> Challenge:
    return Challenge(await find_table(pressed), pressed.ref.person(1))


async def _must_be_challenged(answer: Answer, challenge: Challenge) -> None:
    table, user = challenge
    if answer.user_id == table.stored.host_id:
        raise Refused("challenge_own", user=user)
    if answer.user_id != user:
        raise Refused("challenge_of_other", user=user)


CHALLENGE = Reach(_find_challenge)
"""A challenge, in the server of its table: `verb:table:user`."""
CHALLENGED = Who(_must_be_challenged)
"""The person who is challenged."""


def _must_be_open(challenge: Challenge) -> None:
    """Return unless the challenge has been answered.

    Raises:
        Refused: it has.
    """
    table, user = challenge
    if table.phase == "lobby" and (table.seats_of(user) or not table.stored.terms.admits(user)):
        raise Refused("challenge_over")


@handlers.on("take-up", CHALLENGE, who=CHALLENGED)
async def _take_up(pressed: Pressed, challenge: Challenge) -> None:
    """Sit down, `take-up:table:user`; then it is dealt, in a thread where the table opens one."""
    table, user = challenge
    # once seated, they may press again as long as the challenge shows its buttons
    if not (table.seats_of(user) and pressed.offers(pressed.custom_id)):
        _must_be_open(challenge)
    if await expire_if_closed(pressed, table, "challenge.lapsed"):
        return
    if table.seats_of(user):  # a stop came between sitting down and dealing, or before the answer
        waited = table.phase == "lobby"
        await deal_if_complete(pressed, table)
        await _answer(pressed, table, "taken_up", "tell_taken_up", tells=waited and table.phase == "live")
        return
    name = plain(pressed.interaction.user.display_name)
    joined = lobby.join(table, user, name, pressed.interaction.id)
    if not await pressed.app.debouncer.run_once(user, pressed.custom_id, joined):
        await pressed.acknowledge()
        return
    await deal_if_complete(pressed, table)
    await _answer(pressed, table, "taken_up", "tell_taken_up" if table.phase == "live" else "tell_start")


@handlers.on("stay-away", CHALLENGE, who=CHALLENGED)
async def _decline(pressed: Pressed, challenge: Challenge) -> None:
    """Stay away, `stay-away:table:user`; the lobby is the challenger's still."""
    table, user = challenge
    _must_be_open(challenge)
    if await expire_if_closed(pressed, table, "challenge.lapsed"):
        return
    if not await pressed.app.debouncer.run_once(user, pressed.custom_id, guests.decline(table, user)):
        await pressed.acknowledge()
        return
    await _answer(pressed, table, "declined", "tell_declined")


async def _answer(pressed: Pressed, table: Table, said: str, told: str, *, tells: bool = True) -> None:
    """Say below the challenge how it was answered, and tell the challenger if `tells`."""
    host, name = table.stored.host_id, shown(pressed.interaction.user.display_name)

    def text(say: Words, key: str = told) -> str:
        game = presenters.title(table.game.key, say.language)
        return say(f"challenge.{key}", name=name, game=game, table=table.id, url=table_url(table))

    if pressed.interaction.message is not None:
        pressed.service(TablePublisher).calls.answered(table, pressed.interaction.message.id)
    await pressed.update(page(text(words(table.stored.locale), said), accent=None))
    if not tells:
        return
    telling = pressed.service(TablePublisher).tell(table, [host], text)
    pressed.app.tasks.spawn(telling, f"challenge at {table.id}")
