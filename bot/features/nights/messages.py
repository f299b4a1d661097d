"""Nights as people see them: the public message, the list, and what is said when one begins."""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import discord
import structlog
from cachetools import LRUCache
from discord import ButtonStyle
from msgspec.structs import replace

from bot import custom_ids as ids
from bot import presenters
from bot.features.house_rules.service import fitting
from bot.features.nights.events import NightEvent
from bot.features.nights.rows import Guest, Night
from bot.features.nights.service import MINUTE_MS
from bot.features.nights.stage import Hindrance, KnownNights
from bot.features.table import TablePublisher, come_button, differing, rules_named, table_url, way_to
from bot.locales import Words, words
from bot.store.database import StoreError
from bot.store.games import OPEN_PHASES
from bot.table.people.reserved_seats import RESERVED_MS
from bot.table.ports import DiscordFailure
from bot.table.table import Table
from bot.ui import discord_errors
from bot.ui.components import Control, Message, button, link, page
from bot.ui.live.messenger import Controls, Text, mentioning, no_controls
from bot.ui.names import joined, shown
from bot.ui.notification import Notification, Occasion, nonce_of
from bot.ui.outbox import Place, is_passing
from engine import catalog
from engine.game import Value

log = structlog.get_logger(__name__)

EVENT_HOURS = 3
"""Length of a night in its scheduled event, because Discord wants an end."""
MOST_NAMED = 24
"""How many people a line names."""
MOST_LETTERS = 1000
"""The most direct messages to remember, so that none is sent twice."""
OFF = ("cancelled", "empty", "missed", "hindered")
"""Phases of a night that does not take place."""


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
    lines.append(say("night.kept", n=RESERVED_MS // MINUTE_MS))
    return page(heading, "\n".join(lines), _controls(night, say))


def _names(guests: Sequence[Guest], say: Words) -> str:
    names = [shown(guest.name) for guest in guests[:MOST_NAMED]]
    return (joined(names, say.language) if names else say("night.nobody")) + (
        " …" if len(guests) > MOST_NAMED else ""
    )


def _controls(night: Night, say: Words) -> list[Control]:
    yes = button(say("night.yes"), "night", night.id, "yes", style=ButtonStyle.success)
    return [
        yes,
        button(say("night.maybe"), "night", night.id, "maybe"),
        button(say("night.no"), "night", night.id, "no"),
        button(say("night.move"), "night-move", night.id),
        button(say("night.cancel"), "night-off", night.id),
    ]


def _text(night: Night, key: str, **facts: object) -> Text:
    """Return a text about a night, which may name its game and its time."""

    def text(say: Words) -> str:
        return say(key, game=title_of(night.game, say.language), at=night.starts_at // 1000, **facts)

    return text


def _coming(night: Night, say: Words) -> list[Control]:
    """Return the button that leads to the message of a night, for those who have not decided."""
    return [link(say("night.are_you_coming"), night_url(night))]


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
        self._messenger = publisher.messenger
        self._letters: LRUCache[tuple[Occasion, int], None] = LRUCache(MOST_LETTERS)
        """Occasions and readers of the direct messages that were sent."""

    async def hindrance(self, night: Night) -> Hindrance | None:
        """What keeps its table from being opened in its channel, as far as Discord says it now."""
        await self._outbox.client.wait_until_ready()  # before that the bot does not know its rights
        await self._outbox.token()
        try:
            channel = await self._outbox.client.fetch_channel(night.channel_id)
        except discord.InvalidData:
            return "closed"
        except discord_errors.NOT_DONE as error:
            if isinstance(error, discord.Forbidden) and not is_passing(error):
                return "closed"
            if getattr(error, "code", 0) == discord_errors.UNKNOWN_CHANNEL:
                return "gone"
            log.info("channel of a night not looked at", night=night.id, why=discord_errors.reason(error))
            return None
        if not isinstance(channel, discord.abc.GuildChannel | discord.Thread) or channel.guild.me is None:
            return None
        if isinstance(channel, discord.Thread) and channel.locked:
            return "closed"
        have = channel.permissions_for(channel.guild.me)
        missing = discord_errors.missing_permissions(have, in_thread=isinstance(channel, discord.Thread))
        return "closed" if missing else None

    async def is_gone(self, night: Night) -> bool:
        """Return whether its channel was deleted; Discord is asked if the bot does not see it."""
        await self._outbox.client.wait_until_ready()
        known = self._outbox.client.get_channel(night.channel_id)
        return known is None and await self.hindrance(night) == "gone"

    async def show_night(self, night: Night, known: KnownNights) -> None:
        """Show a night as it is by then, and remove its scheduled event if it is off. If a planned night has
        no message, or someone deleted it, post another."""
        with self._hinders():
            await self._show(night, known)

    async def find_message(self, night: Night) -> int | None:
        """Find the message of a night that was never noted, by the token of the press that planned it.

        Raises:
            DiscordFailure: Discord did not answer.
        """
        client = self._outbox.client
        await client.wait_until_ready()
        if night.token is None or client.application_id is None:
            return None
        await self._outbox.token()
        where = discord.http.Route(
            "GET",
            "/webhooks/{webhook_id}/{webhook_token}/messages/@original",
            webhook_id=client.application_id,
            webhook_token=night.token,
        )
        try:
            message: dict[str, Any] = await client.http.request(where)
        except discord_errors.NOT_DONE as error:
            if is_passing(error):
                raise DiscordFailure("discord", passing=True, why=discord_errors.reason(error)) from error
            log.info("message of a night not found", night=night.id, why=discord_errors.reason(error))
            return None
        offered = ids.make("night", night.id, "yes")
        return int(message["id"]) if f"'{offered}'" in str(message["components"]) else None

    async def remind_of_night(self, night: Night, kind: str, known: KnownNights) -> None:
        """Show it, then notify who comes, and who may."""
        try:  # the reminder leads to the message, which someone may have deleted
            await self.show_night(night, known)
        except DiscordFailure as failure:
            if failure.passing:
                raise
            log.info("night not shown", night=night.id, why=failure.facts.get("why"))
        async with known.as_it_is(night.id) as (found, guests, _):
            night = found
        if night.phase != "planned":
            return
        called = [guest.user_id for guest in guests if guest.answer != "no"]
        await self._notify(night, kind, _text(night, "night.remind"), called, partial(_coming, night))

    async def night_opens(self, night: Night, table: Table, guests: list[Guest]) -> None:
        """Post the lobby, and notify those for whom a seat is kept."""
        with self._hinders():
            await self._post(table)
        seated = table.people()
        called = [guest.user_id for guest in guests if guest.user_id in seated]
        if not called:
            return
        text = _text(night, "night.begins", n=RESERVED_MS // MINUTE_MS, table=table.id)

        def controls(say: Words) -> list[Control]:
            return [come_button(say, table), way_to(table, say)]

        await self._notify(night, "call", text, called, controls)

    async def night_moved(self, night: Night, told: Sequence[int]) -> None:
        """Notify these people of the new time."""
        if not told:
            return
        text = _text(night, "night.told_moved")
        await self._notify(night, "move", text, told, partial(_coming, night))
        # the night may be moved back to this time
        for key in [key for key in self._letters if key[0][:3] == ("night", night.id, "move")]:
            del self._letters[key]

    def night_called_off(self, night: Night, told: Sequence[int], by: int) -> None:
        """Notify these people that it does not take place; `by` called it off, or 0 if nobody did."""
        if not told:
            return
        text = _text(night, "night.is_off_by" if by else "night.is_off", who=f"<@{by}>")
        self._outbox.spawn(
            self._told(night, self._notify(night, "off", text, told)), f"end of night {night.id}"
        )

    async def has_left(self, night: Night, user_id: int) -> bool:
        """Return whether a person has left its server or can't see its channel, as far as Discord says."""
        if await self._publisher.is_member(night.guild_id, user_id) is False:
            return True
        return user_id in await self._publisher.members.blind(night.guild_id, night.channel_id, [user_id])

    async def _told(self, night: Night, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (DiscordFailure, StoreError) as error:
            log.info("change of a night not told", night=night.id, why=str(error))

    async def event_of(self, night: Night) -> NightEvent | None:
        """Return its scheduled event as Discord has it now; None if that was deleted or called off.

        Raises:
            DiscordFailure: Discord did not answer.
        """
        with self._hinders():
            try:
                event = await self._event(night)
            except discord.NotFound as error:
                if is_passing(error):
                    raise
                return None
        if event is None or event.status is discord.EventStatus.canceled:
            return None
        place = self._place_of(night)
        starts_at = int(event.start_time.timestamp() * 1000)
        return NightEvent(starts_at, place in ("", event.location))

    async def set_event(self, night: Night) -> None:
        """Bring its scheduled event to its time and place.

        Raises:
            DiscordFailure: Discord did not take it.
        """
        with self._hinders():
            if (event := await self._event(night)) is None:
                return
            starts = datetime.fromtimestamp(night.starts_at / 1000, UTC)
            await self._outbox.token()
            await event.edit(
                start_time=starts,
                end_time=starts + timedelta(hours=EVENT_HOURS),
                location=self._place_of(night) or event.location or "",
            )

    async def ask_of_event(self, night: Night, starts_at: int | None) -> None:
        """Ask its planner about the event that someone has moved to this time, or deleted.

        Raises:
            DiscordFailure: Discord did not take it.
        """
        say, prefs = words(night.locale), await self._outbox.preferences.of(night.host_id)
        facts = {"game": title_of(night.game, night.locale), "was": night.starts_at // 1000}
        if starts_at is None:
            text, ways = say("night.event_deleted", **facts), ("off", "keep")
        else:
            text, ways = say("night.event_moved", at=starts_at // 1000, **facts), ("move", "keep")
        controls: list[Control] = []
        for way in ways:
            label = say(f"night.event_{'stays' if way == 'keep' and starts_at is None else way}")
            style, at = ButtonStyle.danger if way == "off" else ButtonStyle.primary, (starts_at or 0) // 1000
            controls.append(button(label, "night-event", night.id, way, at, style=style))
        called = [] if prefs.pings == "none" else [night.host_id]
        with self._hinders():
            await self._outbox.notify(
                Place(night.channel_id, night.guild_id),
                Notification(mentioning([night.host_id], text), controls, users=called),
                once=("night", night.id, "event", starts_at),
            )

    async def _event(self, night: Night) -> discord.ScheduledEvent | None:
        guild = self._outbox.client.get_guild(night.guild_id)
        if guild is None or night.event_id is None:
            raise DiscordFailure("gone")
        await self._outbox.token()
        return await guild.fetch_scheduled_event(night.event_id, with_counts=False)

    def _place_of(self, night: Night) -> str:
        """Return the place of its event: the channel by its present name, "" if it is not known."""
        return event_place(self._outbox.client.get_channel(night.channel_id))

    @contextmanager
    def _hinders(self) -> Iterator[None]:
        try:
            yield
        except discord_errors.NOT_DONE as error:
            raise DiscordFailure(
                "discord", passing=is_passing(error), why=discord_errors.reason(error)
            ) from error

    def night_hindered(self, night: Night) -> None:
        """Write to its planner, unless they want no pings, that it can't take place."""
        self._outbox.spawn(self._regret(night), f"end of night {night.id}")

    async def _regret(self, night: Night) -> None:
        prefs = await self._outbox.preferences.of(night.host_id)
        if prefs.pings != "none":
            text = _text(night, "night.regret")
            await self._messenger.write_to(night.host_id, text, locale=night.locale)

    async def _post(self, table: Table) -> None:
        """Post the lobby unless it has a message.

        Raises:
            discord.HTTPException, aiohttp.ClientError, OSError: it did not reach Discord; try again.
        """
        try:
            await self._publisher.ensure_posted(table)
        except (*discord_errors.NOT_DONE, StoreError) as error:
            # if it was posted but not stored, or refused for good, the guests are notified all the same
            if is_passing(error) and not isinstance(error, StoreError):
                raise
            log.info("lobby of a night not posted", table=table.id, why=discord_errors.reason(error))

    async def _notify(
        self,
        night: Night,
        step: str,
        text: Text,
        called: Sequence[int],
        controls: Controls = no_controls,
    ) -> None:
        """Post a text in the channel of a night and notify these people there, or in direct messages with the
        last of the buttons.

        It can be repeated: Discord recognizes what it has taken within the last minutes.

        Raises:
            DiscordFailure: Discord did not take it.
        """
        # a night may be moved again within minutes
        once = ("night", night.id, step, night.starts_at if step == "move" else 0)
        ways = {user: (await self._outbox.preferences.of(user)).pings for user in called}
        aloud = [
            user
            for user, way in ways.items()
            if way == "mention"
            or (way == "direct" and not await self._letter(night, user, text, controls, once))
        ]
        say = words(night.locale)
        call = Notification(mentioning(aloud, text(say)), controls(say), users=aloud)
        place = Place(night.channel_id, night.guild_id)
        with self._hinders():
            await self._outbox.notify(place, call, once=once)

    async def _letter(
        self, night: Night, user_id: int, text: Text, controls: Controls, once: Occasion
    ) -> bool:
        """Write to a person alone, once per occasion. Return whether they were reached."""

        def last(say: Words) -> Sequence[Control]:
            return controls(say)[-1:]

        if (once, user_id) not in self._letters:
            reached = await self._messenger.write_to(
                user_id, text, last, locale=night.locale, once=once, urgent=True
            )
            if not reached:
                return False
            self._letters[once, user_id] = None
        return True

    async def _show(self, night: Night, known: KnownNights) -> None:
        await self._outbox.token()
        try:
            async with known.as_it_is(night.id) as (found, guests, table):
                if table is not None and table.phase in OPEN_PHASES:
                    await self._post(table)
                if found.message_id is not None or found.phase == "planned":
                    message_id = await self._shown(found, night_message(found, guests, table))
                    if message_id != found.message_id:
                        await known.set_message(night.id, message_id)
                        await self._tell_event(replace(found, message_id=message_id))
        finally:
            if night.event_id is not None and night.phase in OFF:
                await self._take_back_event(night.guild_id, night.event_id)

    async def _shown(self, night: Night, message: Message) -> int:
        """Update the message of a night, or post one if it has none or someone deleted it. Return its id."""
        message_id = night.message_id or 0
        place = Place(night.channel_id, night.guild_id, message_id)
        channel = self._outbox.channel(place)
        if message_id:
            try:
                await channel.get_partial_message(message_id).edit(view=message.view)
            except discord.NotFound as error:
                if error.code != discord_errors.UNKNOWN_MESSAGE or night.phase != "planned":
                    raise
            else:
                return message_id
        if await self._outbox.is_locked(place):
            raise discord_errors.Locked
        await self._outbox.token()
        sent = await channel.send(
            view=message.view,
            nonce=nonce_of(("night", night.id, "message", message_id)),
            allowed_mentions=discord.AllowedMentions.none(),
        )
        return sent.id

    async def _tell_event(self, night: Night) -> None:
        """Let the scheduled event of a night lead to its new message."""
        if night.event_id is None:
            return
        try:
            with self._hinders():
                if (event := await self._event(night)) is not None:
                    await event.edit(description=night_url(night))
        except DiscordFailure as found:
            log.info("event of a night not changed", night=night.id, why=found.facts.get("why"))

    async def _take_back_event(self, guild_id: int, event_id: int) -> None:
        guild = self._outbox.client.get_guild(guild_id)
        if guild is None:
            return
        await self._outbox.token()
        try:
            event = await guild.fetch_scheduled_event(event_id, with_counts=False)
            await event.delete()
        except discord_errors.NOT_DONE as error:
            if is_passing(error):
                raise
            log.info("scheduled event not taken back", why=discord_errors.reason(error))


def event_place(channel: object) -> str:
    """Return how a scheduled event names this channel."""
    name = getattr(channel, "name", "")
    return f"#{name}"[:100] if name else ""


def may_announce(guild: discord.Guild | None) -> bool:
    """Whether the bot may make a scheduled event in a server."""
    return guild is not None and guild.me is not None and guild.me.guild_permissions.create_events
