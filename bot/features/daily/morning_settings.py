"""The setting of a channel that posts each morning's message about the deal of the day."""

from __future__ import annotations

from msgspec.structs import replace

from bot import custom_ids as ids
from bot.features.daily import morning_rows as mornings
from bot.features.daily.morning_rows import Morning
from bot.features.daily.morning_service import first_after, next_at
from bot.ui.components import TextWithButton
from bot.ui.context import Answer
from bot.ui.discord_errors import MissingPermissions, missing_permissions
from bot.ui.effective_settings import home_channel, public_locale, switch_line


def _at_home(answer: Answer) -> bool:
    """Return whether the bot is in this server. Installed by a person alone, it posts nothing by itself."""
    interaction = answer.interaction
    return interaction.is_guild_integration() or not interaction.is_user_integration()


async def morning_line(answer: Answer, verb: str) -> list[TextWithButton]:
    """Return the setting with its button, `verb:yes` or `verb:no`; empty if the bot is not on the server."""
    if not _at_home(answer):
        return []
    channel_id, say = home_channel(answer.interaction), answer.say
    found = await answer.app.database.read_at_once(lambda c: mornings.morning_of(c, channel_id))
    note = say("morning.next", at=next_at(found, answer.app.clock.now())) if found else say("morning.note")
    name = say("morning.name", channel=f"<#{channel_id}>")
    return [switch_line(say, name, note, verb, on=found is not None)]


async def switch(answer: Answer, word: str) -> None:
    """Switch it on (`yes`) or off (`no`) in this channel; it begins with the next morning.

    Raises:
        MissingPermissions: the bot may not write there.
        StoreError: it was not stored.
    """
    channel_id, guild_id = home_channel(answer.interaction), answer.interaction.guild_id
    if word not in ("yes", "no") or guild_id is None or not _at_home(answer):
        raise ids.InvalidCustomId(word)
    morning = None
    if word == "yes":
        if missing := missing_permissions(answer.interaction.app_permissions):
            raise MissingPermissions(missing)
        wanted = Morning(guild_id=guild_id, locale=await public_locale(answer))
        morning = replace(wanted, told=first_after(wanted, answer.app.clock.now()))
    await answer.app.database.write_at_once(lambda c: mornings.put_morning(c, channel_id, morning))


async def morning_here(answer: Answer) -> Morning | None:
    """Return the setting of this channel, or None if it is off."""
    channel_id = home_channel(answer.interaction)
    return await answer.app.database.read_at_once(lambda c: mornings.morning_of(c, channel_id))
