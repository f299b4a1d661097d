"""Nights as people see them: the public message, the list, and what is said when one begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord
import structlog
from discord import ButtonStyle

from bot import presenters
from bot.locales import Words, words
from bot.store.database import StoreError
from bot.store.nights import Guest, Night
from bot.tables.house_rules import fitting
from bot.tables.nights import MINUTE_MS, AsItIs, Hindrance, Still
from bot.tables.seats_kept import KEPT_MS
from bot.tables.table import Table
from bot.views import errors, ids
from bot.views.components import Control, Message, button, page
from bot.views.context import mentioning
from bot.views.house_rules import differing
from bot.views.live_message import RETRY_SECONDS
from bot.views.lobby import rules_named
from bot.views.names import joined, shown, table_url
from bot.views.outbox import Place, is_passing
from bot.views.publish import TablePublisher
from engine import catalog
from engine.game import Value

log = structlog.get_logger(__name__)

MOST_NAMED = 24
"""How many people a line names."""
MOST_TRIES = 9
"""So often a change that Discord did not take is tried again, for a quarter of an hour in all; from then on a
press puts the message right."""


def seats_of(game: str, options: Mapping[str, Value] | None = None) -> tuple[int, ...]:
    """How many can sit down at a night of this game: by these options, or as it is usually played."""
    rules = catalog.get(game)
    return tuple(rules.seats(options or rules.defaults()))


def title_of(game: str, locale: str) -> str:
    """The name of its game, offered here or not."""
    return presenters.title(game, locale)


def night_message(night: Night, guests: Sequence[Guest], table: Table | None = None) -> Message:
    """A night for everybody, in the language of its channel; `table`: the one that has opened."""
    say = words(night.locale)
    at, game = night.starts_at // 1000, title_of(night.game, night.locale)
    heading = say("night.heading", game=game, night=night.id)
    when = say("night.when", at=at)
    if night.phase != "planned":
        url = table_url(table) if table else channel_url(night)
        return page(heading, when, say(f"night.{night.phase}", table=night.game_id or 0, url=url))
    lines = [when, say("night.planner", host=f"<@{night.host_id}>")]
    if night.rules and (options := fitting(night.game, night.rules["options"])):
        told = differing(night.game, options, night.locale)
        lines.append(f"{rules_named(night.house_rules, night.locale)} · {told}")
    coming = [guest for guest in guests if guest.answer == "yes"]
    seated, late = coming[: night.seats], coming[night.seats :]
    lines.append(say("night.coming", n=len(seated), of=night.seats, names=_names(seated, say)))
    if late:
        lines.append(say("night.waiting", names=_names(late, say)))
    if maybe := [guest for guest in guests if guest.answer == "maybe"]:
        lines.append(say("night.perhaps", names=_names(maybe, say)))
    lines.append(say("night.kept", n=KEPT_MS // MINUTE_MS))
    return page(heading, "\n".join(lines), _controls(night, say))


def _names(guests: Sequence[Guest], say: Words) -> str:
    names = [shown(guest.name) for guest in guests[:MOST_NAMED]]
    return (joined(names, say.language) if names else say("night.nobody")) + (
        " …" if len(guests) > MOST_NAMED else ""
    )


def _controls(night: Night, say: Words) -> list[Control]:
    yes = button(say("night.yes"), ids.make("night", night.id, "yes"), style=ButtonStyle.success)
    return [
        yes,
        button(say("night.maybe"), ids.make("night", night.id, "maybe")),
        button(say("night.no"), ids.make("night", night.id, "no")),
        button(say("night.cancel"), ids.make("night-off", night.id)),
    ]


def channel_url(night: Night) -> str:
    """The address of the channel of a night."""
    return f"https://discord.com/channels/{night.guild_id}/{night.channel_id}"


def night_url(night: Night) -> str:
    """The address of the message of a night; of its channel, where a stop kept it from being noted."""
    return f"{channel_url(night)}/{night.message_id}" if night.message_id else channel_url(night)


class NightBoard:
    """The bot's `NightStage`: the messages of nights, and calls to people."""

    def __init__(self, publisher: TablePublisher) -> None:
        self._publisher = publisher
        self._outbox = publisher.outbox

    async def hindrance(self, night: Night) -> Hindrance | None:
        """What keeps its table from being opened in its channel, as far as Discord says it now."""
        await self._outbox.client.wait_until_ready()  # before that the bot does not know its rights
        await self._outbox.token()
        try:
            channel = await self._outbox.client.fetch_channel(night.channel_id)
        except discord.NotFound:
            return "gone"
        except (discord.Forbidden, discord.InvalidData):
            return "closed"
        except errors.NOT_DONE as error:
            log.info("channel of a night not looked at", night=night.id, why=errors.reason(error))
            return None
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread) or channel.guild.me is None:
            return None
        have = channel.permissions_for(channel.guild.me)
        missing = errors.missing_permissions(have, in_thread=isinstance(channel, discord.Thread))
        return "closed" if missing else None

    def night_changed(self, night: Night, as_it_is: AsItIs) -> None:
        """Show a night as it is by then, and take back its scheduled event where it is off."""
        self._outbox.spawn(self._show(night, as_it_is), f"night {night.id}")

    def remind_of_night(self, night: Night, guests: list[Guest]) -> None:
        """Call who comes, and who may."""
        called = [guest for guest in guests if guest.answer != "no"]
        say = words(night.locale)
        text = say(
            "night.remind",
            game=title_of(night.game, night.locale),
            at=night.starts_at // 1000,
            url=night_url(night),
        )
        self._outbox.spawn(self._call(night, text, called), f"reminder of night {night.id}")

    def night_opens(
        self, night: Night, table: Table, guests: list[Guest], as_it_is: AsItIs, still: Still
    ) -> None:
        """Post the lobby, say on the night where it is, and call those for whom a seat is kept."""
        work = self._begin(night, table, guests, as_it_is, still)
        self._outbox.spawn(work, f"beginning of night {night.id}")

    def night_hindered(self, night: Night) -> None:
        """Write to its planner, unless they want no pings, that it can't take place."""
        self._outbox.spawn(self._regret(night), f"end of night {night.id}")

    async def _regret(self, night: Night) -> None:
        prefs = await self._outbox.preferences.of(night.host_id)
        if prefs.pings != "none":
            say = words(prefs.locale or night.locale)
            game, at = title_of(night.game, say.language), night.starts_at // 1000
            await self._publisher.write_to(night.host_id, say("night.regret", game=game, at=at))

    async def _begin(
        self, night: Night, table: Table, guests: list[Guest], as_it_is: AsItIs, still: Still
    ) -> None:
        try:
            await self._publisher.stand(table)
        except (*errors.NOT_DONE, StoreError) as error:  # whoever said yes is called all the same
            log.info("lobby of a night not posted yet", why=errors.reason(error))
        await self._show(night, as_it_is, table)
        try:
            if not await still():
                return
        except StoreError as error:  # it is owed as long as nobody knows better, and falls due by itself
            log.info("guests of a night not called yet", night=night.id, why=errors.reason(error))
            return
        say, seated = words(night.locale), table.people()
        text = say(
            "night.begins",
            game=title_of(night.game, night.locale),
            n=KEPT_MS // MINUTE_MS,
            table=table.id,
            url=table_url(table),
        )
        come = button(say("lobby.come"), ids.make("come", table.id), style=ButtonStyle.success)
        await self._call(night, text, [guest for guest in guests if guest.user_id in seated], [come])

    async def _call(
        self, night: Night, text: str, called: Sequence[Guest], controls: Sequence[Control] = ()
    ) -> None:
        """Say it in the channel of a night, and to each of these people in the way that they chose: aloud, or
        to them alone, where that can't be reached aloud too."""
        ways = {guest.user_id: (await self._outbox.preferences.of(guest.user_id)).pings for guest in called}
        aloud = [
            user
            for user, way in ways.items()
            if way == "mention" or (way == "direct" and not await self._publisher.write_to(user, text))
        ]
        names = " ".join(f"<@{user}>" for user in aloud)
        message = page(f"{text}\n-# {names}" if names else text, controls, accent=None)
        await self._outbox.token()
        try:
            channel = self._outbox.channel(Place(night.channel_id, night.guild_id))
            await channel.send(view=message.view, allowed_mentions=mentioning(aloud))
        except errors.NOT_DONE as error:
            log.info("night not called out", night=night.id, why=errors.reason(error))

    async def _show(self, night: Night, as_it_is: AsItIs, table: Table | None = None) -> None:
        if night.message_id is not None:
            await self._edit(night, night.message_id, as_it_is, table)
        if night.event_id is not None and night.phase in ("cancelled", "empty", "missed", "hindered"):
            await self._take_back_event(night.guild_id, night.event_id)

    async def _edit(
        self, night: Night, message_id: int, as_it_is: AsItIs, table: Table | None, tries: int = 0
    ) -> None:
        """Show it; what goes away by itself is tried again, by pauses that grow as those of tables do."""
        await self._outbox.token()
        channel = self._outbox.channel(Place(night.channel_id, night.guild_id))
        try:
            async with as_it_is(night.id) as (known, guests):
                if tries and known.phase != night.phase:
                    return  # what has become of it meanwhile is shown by itself, and knows the lobby
                await channel.get_partial_message(message_id).edit(
                    view=night_message(known, guests, table).view
                )
        except (*errors.NOT_DONE, StoreError) as error:
            log.info("night not shown", night=night.id, why=errors.reason(error), tries=tries + 1)
            if not is_passing(error) or tries >= MOST_TRIES:
                return

            def again() -> None:
                work = self._edit(night, message_id, as_it_is, table, tries + 1)
                self._outbox.spawn(work, f"night {night.id} again")

            self._outbox.clock.call_later(RETRY_SECONDS * 2**tries, again)

    async def _take_back_event(self, guild_id: int, event_id: int) -> None:
        guild = self._outbox.client.get_guild(guild_id)
        if guild is None:
            return
        await self._outbox.token()
        try:
            event = await guild.fetch_scheduled_event(event_id, with_counts=False)
            await event.delete()
        except errors.NOT_DONE as error:
            log.info("scheduled event not taken back", why=errors.reason(error))


def may_announce(guild: discord.Guild | None) -> bool:
    """Whether the bot may make a scheduled event in a server."""
    return guild is not None and guild.me is not None and guild.me.guild_permissions.create_events
