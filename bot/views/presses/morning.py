"""Whether a channel is told each morning about the deal of the day: shown, and switched by who manages it."""

from __future__ import annotations

from discord import ButtonStyle

from bot.store import mornings
from bot.store.mornings import Morning
from bot.tables.mornings import first_after, next_at
from bot.tables.ports import Refused
from bot.views import ids
from bot.views.components import Beside, button
from bot.views.context import Answer
from bot.views.errors import MissingPermissions, missing_permissions
from bot.views.local import public_locale
from bot.views.rights import home_channel


def may_set_here(answer: Answer) -> bool:
    """Whether this person may change the settings of the channel."""
    interaction = answer.interaction
    return interaction.guild_id is not None and interaction.permissions.manage_channels


def channel_to_set(answer: Answer) -> int:
    """The channel whose settings count here: that of a thread is the one it belongs to.

    Raises:
        Refused: the person may not change them, or this is no channel of a server.
    """
    channel_id = home_channel(answer.interaction)
    if not channel_id or not may_set_here(answer):
        raise Refused("settings_rights")
    return channel_id


def _at_home(answer: Answer) -> bool:
    """Whether the bot is in this server: where a person alone has brought it, it posts nothing by itself."""
    interaction = answer.interaction
    return interaction.is_guild_integration() or not interaction.is_user_integration()


async def morning_line(answer: Answer, verb: str) -> list[Beside]:
    """Whether the channel is told, with the button that changes it: `verb:yes` or `verb:no`; nothing where
    the bot is not at home."""
    if not _at_home(answer):
        return []
    channel_id, say = channel_to_set(answer), answer.say
    found = await answer.tables.database.read_at_once(lambda c: mornings.morning_of(c, channel_id))
    on = found is not None
    note = say("morning.next", at=next_at(answer.tables.clock.now())) if on else say("morning.note")
    style = ButtonStyle.success if on else ButtonStyle.secondary
    label = say("settings.on" if on else "settings.off")
    return [
        Beside(
            say("settings.line", name=say("morning.name", channel=f"<#{channel_id}>"), note=note),
            button(label, ids.make(verb, "no" if on else "yes"), style=style),
        )
    ]


async def switch(answer: Answer, word: str) -> None:
    """Switch it on (`yes`) or off (`no`) in this channel; it begins with the next morning.

    Raises:
        Refused: the person may not do so.
        MissingPermissions: the bot may not write there.
        StoreError: it was not stored.
    """
    channel_id, guild_id = channel_to_set(answer), answer.interaction.guild_id
    if word not in ("yes", "no") or guild_id is None or not _at_home(answer):
        raise ids.Forged(word)
    morning = None
    if word == "yes":
        if missing := missing_permissions(answer.interaction.app_permissions):
            raise MissingPermissions(missing)
        told, locale = first_after(answer.tables.clock.now()), await public_locale(answer)
        morning = Morning(guild_id=guild_id, locale=locale, told=told)
    await answer.tables.database.write_at_once(lambda c: mornings.put_morning(c, channel_id, morning))
