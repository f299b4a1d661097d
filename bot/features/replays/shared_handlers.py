"""Shared replays: one person steps through the moves, the others may ask to lead."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from discord import ButtonStyle

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.replays.handlers import POSITION, Reached, reached
from bot.features.replays.messages import PICTURE, ReplayPosition, position, views_of, ways_on
from bot.features.replays.service import Replay, code_of, may_share
from bot.locales import words
from bot.presenters.film import OPEN, TABLE
from bot.ui.components import Message, button, page, shown_ids
from bot.ui.context import Answer, Pressed
from bot.ui.effective_settings import public_locale
from bot.ui.handlers import Handlers, Reach, Who
from bot.ui.outbox import Outbox
from bot.ui.rights import SHARER

handlers = Handlers[Pressed]()

PATIENCE_SECONDS: Final = 120
"""Who has not stepped on for so long may be followed by whoever asks."""


@dataclass(frozen=True, slots=True)
class SharedReplay:
    """A position that several people watch, and the person who leads."""

    where: ReplayPosition
    leader: int


def shared_message(replay: Replay, shared: SharedReplay, locale: str, asker: int = 0) -> Message:
    """Return the position for everyone, as all saw it or with all hands open; `asker` would like to lead."""
    say, where = words(locale), shared.where
    views = [view for view in (TABLE, OPEN) if view in views_of(replay.table)]
    ask = button(say("replay.ask"), "led-ask", *where.args, shared.leader, emoji="👋")
    told, give = say("replay.leads", who=f"<@{shared.leader}>"), []
    if asker:
        told += "\n" + say("replay.asks", who=f"<@{asker}>")
        args = (*where.args, shared.leader, asker)
        give = [button(say("replay.give"), "led-give", *args, style=ButtonStyle.success)]
    controls = [*ways_on(replay, where, say, views, "led", shared.leader), ask, *give]
    return page(told, *position(replay, where, locale, {}, controls), picture_name=PICTURE)


def _shared_replay(pressed: Pressed, where: ReplayPosition, place: int) -> SharedReplay:
    """Who leads, at this place of the id."""
    word = pressed.ref.word(place)
    if not word.isdecimal():
        raise ids.InvalidCustomId("no leader")
    return SharedReplay(where, int(word))


def _where(pressed: Pressed) -> ReplayPosition:
    return ReplayPosition(pressed.ref.word(0), pressed.ref.word(1), pressed.ref.number(2))


async def _fitted(pressed: Pressed, message: Message) -> Message:
    """As the channel shows pictures."""
    outbox = pressed.service(Outbox)
    return message.fitted(await outbox.pictures(pressed.interaction.channel_id or 0))


@handlers.on("replay-watch", POSITION, who=SHARER)
async def _watch(pressed: Pressed, found: Reached) -> None:
    """Post the position for everyone, led by the person who presses: `replay-watch:ref:view:act`."""
    where, replay = found
    if not await pressed.first_click():
        return
    table = replay.table
    pressed.claim_post(table.id)
    # whoever leads later may have sat elsewhere
    ref = code_of(table) if may_share(table, pressed.user_id) else where.ref
    view = where.view if where.view in (TABLE, OPEN) else TABLE
    shared = SharedReplay(ReplayPosition(ref, view, where.act), pressed.user_id)
    await pressed.public(await _fitted(pressed, shared_message(replay, shared, await public_locale(pressed))))


async def _find_step(pressed: Pressed) -> SharedReplay:
    return _shared_replay(pressed, _where(pressed), 3)


async def _find_jump(pressed: Pressed) -> SharedReplay:
    act = ids.Ref("", (pressed.value,)).number(0)
    return _shared_replay(pressed, ReplayPosition(pressed.ref.word(0), pressed.ref.word(1), act), 2)


async def _find_view(pressed: Pressed) -> SharedReplay:
    where = ReplayPosition(pressed.ref.word(0), pressed.value, pressed.ref.number(1))
    return _shared_replay(pressed, where, 2)


async def _must_lead(answer: Answer, shared: SharedReplay) -> None:
    if answer.user_id != shared.leader:
        raise Refused("replay_led", leader=shared.leader)


STEP = Reach(_find_step)
"""A position that several people watch: `verb:ref:view:act:leader`."""
LEADER = Who(_must_lead)
"""The leader of a shared replay."""


@handlers.on("led", STEP, who=LEADER)
async def _step(pressed: Pressed, shared: SharedReplay) -> None:
    """Another position: `led:ref:view:act:leader:key`."""
    await _go(pressed, shared)


@handlers.on("led-jump", Reach(_find_jump), who=LEADER)
async def _jump(pressed: Pressed, shared: SharedReplay) -> None:
    """The position that was chosen: `led-jump:ref:view:leader`."""
    await _go(pressed, shared)


@handlers.on("led-view", Reach(_find_view), who=LEADER)
async def _view(pressed: Pressed, shared: SharedReplay) -> None:
    """The point of view that was chosen: `led-view:ref:act:leader`."""
    await _go(pressed, shared)


async def _go(pressed: Pressed, shared: SharedReplay) -> None:
    await _show(pressed, await _public(pressed, shared), shared)


async def _public(pressed: Pressed, shared: SharedReplay) -> Replay:
    """The replay, from a point of view that everybody may have."""
    if shared.where.view not in (TABLE, OPEN):
        raise ids.InvalidCustomId(shared.where.view)
    return await reached(pressed, shared.where)


async def _show(pressed: Pressed, replay: Replay, shared: SharedReplay, asker: int = 0) -> None:
    await pressed.update(
        await _fitted(pressed, shared_message(replay, shared, await public_locale(pressed), asker))
    )


@handlers.on("led-ask", STEP)
async def _ask(pressed: Pressed, shared: SharedReplay) -> None:
    """Ask to lead, or lead where the leader has gone: `led-ask:ref:view:act:leader`."""
    message = pressed.interaction.message
    if message is None:
        raise ids.InvalidCustomId("no message")
    if pressed.user_id == shared.leader:
        raise Refused("replay_leading")
    changed = message.edited_at or message.created_at
    if (datetime.now(UTC) - changed).total_seconds() > PATIENCE_SECONDS:
        mine = SharedReplay(shared.where, pressed.user_id)
        await _show(pressed, await _public(pressed, mine), mine)
        return
    asked = ids.make("led-give", *shared.where.args, shared.leader, pressed.user_id)
    if asked in shown_ids(message.components):
        raise Refused("replay_asked", leader=shared.leader)
    await _show(pressed, await _public(pressed, shared), shared, pressed.user_id)


@handlers.on("led-give", STEP, who=LEADER)
async def _give(pressed: Pressed, shared: SharedReplay) -> None:
    """Let who asked lead: `led-give:ref:view:act:leader:asker`."""
    await _show(pressed, await _public(pressed, shared), _shared_replay(pressed, shared.where, 4))
