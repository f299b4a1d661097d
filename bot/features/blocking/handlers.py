"""Presses about people with whom someone does not want to play, and the list of them in /settings."""

from __future__ import annotations

from discord import ButtonStyle

from bot.core.errors import Refused
from bot.locales import Words
from bot.store import contacts
from bot.ui import slots
from bot.ui.components import Control, Message, TextWithButton, button, page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.navigation import pager

handlers = Handlers[Pressed]()

PER_PAGE = 8


def list_button(say: Words, _thing: None) -> Control:
    """Return the button in /settings that opens the list."""
    return button(say("block.open"), "blocked", 0)


async def block_message(answer: Answer, other: int) -> Message:
    """Ask whether to block a person; if they are blocked, offer to unblock them."""
    say, database = answer.say, answer.app.database
    mine = await database.read_at_once(lambda c: contacts.blocked_by(c, answer.user_id, [other]))
    keep = button(say("block.keep"), "block-keep")
    if mine:
        unblock = button(say("block.unblock"), "unblock", other, style=ButtonStyle.primary)
        return page(say("block.already", user=other), [unblock, keep])
    yes = button(say("block.yes"), "block", other, style=ButtonStyle.danger)
    return page(say("block.ask", user=other), [yes, keep])


@handlers.on("block")
async def _block(pressed: Pressed) -> None:
    """Block a person, `block:user`; they are not told."""
    other, now = pressed.ref.person(0), pressed.app.clock.now()
    if other == pressed.user_id:
        raise Refused("block_self")
    stored = await pressed.app.database.write_at_once(
        lambda c: contacts.block(c, pressed.user_id, other, now)
    )
    if not stored:
        raise Refused("block_full", n=contacts.MOST_BLOCKED)
    unblock = button(pressed.say("block.unblock"), "unblock", other)
    await pressed.turn(page(pressed.say("block.done", user=other), [unblock], accent=None))


@handlers.on("block-keep")
async def _keep(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("block.kept"), accent=None))


@handlers.on("unblock")
async def _unblock(pressed: Pressed) -> None:
    """Unblock a person: `unblock:user`, or `unblock:user:page` in the list, which shows the page again."""
    other = pressed.ref.person(0)
    await pressed.app.database.write_at_once(lambda c: contacts.unblock(c, pressed.user_id, other))
    if pressed.ref.word(1):
        await pressed.turn(await blocked_message(pressed, pressed.ref.number(1)))
        return
    await pressed.turn(page(pressed.say("block.undone", user=other), accent=None))


@handlers.on("blocked")
async def _blocked(pressed: Pressed) -> None:
    """Show a page of the list: `blocked:page`."""
    await pressed.turn(await blocked_message(pressed, pressed.ref.number(0)))


async def blocked_message(answer: Answer, at: int) -> Message:
    """Return a page of the people whom this person blocked, the newest first, each with a button to unblock
    them."""
    say, user_id = answer.say, answer.user_id
    found, total = await answer.app.database.read_at_once(
        lambda c: contacts.blocked(c, user_id, PER_PAGE, at * PER_PAGE)
    )
    if not found and at:
        return await blocked_message(answer, max(0, -(-total // PER_PAGE) - 1))
    back = slots.BLOCKED.controls(say, None)
    if not found:
        return page(say("block.none"), back)
    lines = [
        TextWithButton(f"<@{other}>", button(say("block.unblock"), "unblock", other, at)) for other in found
    ]
    pages = pager(say, at, -(-total // PER_PAGE), "blocked")
    return page(say("block.heading", n=total), *lines, *filter(None, [pages]), back)
