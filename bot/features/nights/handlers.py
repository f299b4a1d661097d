"""Nights: planning one, saying whether one comes, calling it off, the list of those planned."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo

import discord
import structlog
from discord import ButtonStyle
from msgspec.structs import replace

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.house_rules.rows import HouseRules
from bot.features.house_rules.rules_option import as_today, one_here
from bot.features.nights.messages import (
    EVENT_HOURS,
    event_place,
    may_announce,
    night_message,
    night_url,
    seats_of,
    title_of,
)
from bot.features.nights.rows import Guest, Night
from bot.features.nights.service import Nights
from bot.features.nights.time_parsing import LONGEST, clock_change, is_stamp, split_zone, time_of
from bot.features.table import find_room
from bot.locales import Words, words
from bot.store.time_zones import LONGEST_ZONE, zone_name, zone_of
from bot.table.registry import Tables
from bot.ui import discord_errors, rights
from bot.ui.commands.game_option import usual_game
from bot.ui.components import Control, MenuLine, Message, button, page
from bot.ui.context import Answer, Pressed, Submitted
from bot.ui.effective_settings import public_locale
from bot.ui.forms import FormField, TextField, form
from bot.ui.handlers import Handlers, Reach, Who
from bot.ui.names import account_name, plain
from bot.ui.navigation import pager
from bot.ui.outbox import Outbox
from bot.ui.rights import MODERATOR
from engine import catalog

log = structlog.get_logger(__name__)
handlers, forms = Handlers[Pressed](), Handlers[Submitted]()

PER_PAGE = 10
ANSWERS = ("yes", "maybe", "no")


@dataclass(frozen=True, slots=True)
class NightPlan:
    """What a night is to be: its game, for how many (0: for as many as it takes), by which house rules."""

    game: str
    seats: int = 0
    rules: HouseRules | None = None

    def allowed(self) -> tuple[int, ...]:
        """For how many it can be."""
        return seats_of(self.game, self.rules.options if self.rules else None)

    def words(self) -> tuple[str | int, ...]:
        """It as ids hold it."""
        return self.game, self.seats, self.rules.id if self.rules else 0


async def _read(pressed: Pressed) -> NightPlan:
    """What the id of a control says; ids of before there were house rules name none.

    Raises:
        Refused: its house rules are gone, or can't be played any more.
    """
    game, number = pressed.game(), pressed.ref.number(2) if len(pressed.ref.args) > 2 else 0
    rules = as_today(await one_here(pressed, number)) if number else None
    if rules is not None and rules.game != game:
        raise ids.InvalidCustomId(str(number))
    return NightPlan(game, pressed.ref.number(1), rules)


async def begin_plan(
    answer: Answer, game: str, typed: str, seats: int = 0, rules: HouseRules | None = None
) -> None:
    """Plan a night, or ask in a form for what is missing: the time, or where the person lives; `seats`: 0
    for as many as the game takes; with house rules it is played by them.

    Raises:
        Refused: such a table may not be opened here, or the game is not for so many.
        MissingPermissions: the bot may not post tables in this channel.
    """
    game = rules.game if rules else game or await usual_game(answer)
    plan = NightPlan(game, seats, rules)
    allowed = plan.allowed()
    if seats and seats not in allowed:
        key = "night_seats" if len(allowed) > 1 else "night_seats_exactly"
        raise Refused(key, game=title_of(game, answer.locale), least=allowed[0], most=allowed[-1])
    await find_room(answer, game, None, posts=False)
    zone = split_zone(typed)[1] or zone_of(answer.prefs.zone)
    if not typed or zone is None:
        await _ask(answer, plan, typed)
        return
    await _plan(answer, plan, typed, zone)


async def _ask(answer: Answer, plan: NightPlan, typed: str = "") -> None:
    """The form of a new night."""
    say = answer.say
    when = TextField(
        "when", say("night.ask_when"), LONGEST, say("night.ask_when_note"), typed[:LONGEST], long=False
    )
    title = say("night.ask", game=title_of(plan.game, answer.locale))
    await answer.ask(form(title, ids.make("night-plan", *plan.words()), [when, _zone_field(answer)]))


def _zone_field(answer: Answer) -> TextField:
    say, known = answer.say, answer.prefs.zone
    return TextField(
        "zone", say("night.ask_zone"), LONGEST_ZONE, say("night.ask_zone_note"), known, long=False
    )


@handlers.on("night-ask")
async def _ask_again(pressed: Pressed) -> None:
    """The form once more, `night-ask:game:seats:rules:typed`, with the time as it was typed."""
    await _ask(pressed, await _read(pressed), _typed(pressed.ref.word(3)))


def _typed(word: str) -> str:
    """Return the typed text that a custom id carries.

    Raises:
        InvalidCustomId: it is not encoded as our ids are.
    """
    try:
        return urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode()
    except ValueError as error:
        raise ids.InvalidCustomId(word) from error


@forms.on("night-plan")
async def _planned(submitted: Submitted) -> None:
    """What was filled in: `night-plan:game:seats:rules`. What cannot be understood is said with the way
    back."""
    plan = await _read(submitted)
    if plan.seats and plan.seats not in plan.allowed():
        raise ids.InvalidCustomId(str(plan.seats))
    await find_room(submitted, plan.game, None, posts=False)
    zone = zone_of(submitted.field("zone"))
    if zone is None:
        await _mend(submitted, plan, "night.zone_unknown", submitted.field("when"))
        return
    await _keep_zone(submitted, zone)
    await _plan(submitted, plan, submitted.field("when"), zone)


async def _keep_zone(answer: Answer, zone: tzinfo, *, at_night: bool | None = None) -> None:
    name, now = account_name(answer.interaction.user), answer.app.clock.now()
    change = {"zone": zone_name(zone)} | ({} if at_night is None else {"at_night": at_night})
    await answer.app.preferences.change(answer.user_id, name, lambda prefs: replace(prefs, **change), now)


async def _mend(answer: Answer, plan: NightPlan, key: str, typed: str) -> None:
    """Say what is not understood, and offer the form again with the time as it was typed, where an id has
    room for it."""
    label, written = answer.say("lobby.mend"), urlsafe_b64encode(typed.encode()).decode().rstrip("=")
    try:
        again = button(label, "night-ask", *plan.words(), written, style=ButtonStyle.primary)
    except ids.CustomIdTooLong:
        again = button(label, "night-ask", *plan.words(), style=ButtonStyle.primary)
    await answer.private(page(answer.say(key), [again], accent=None))


async def _plan(answer: Answer, plan: NightPlan, typed: str, zone: tzinfo) -> None:
    """Plan it, show it to everybody, and tell the planner alone what else there is to say."""
    interaction, now = answer.interaction, answer.app.clock.now()
    starts = time_of(typed, zone, datetime.fromtimestamp(now / 1000, UTC)) if len(typed) <= LONGEST else None
    if starts is None:
        await _mend(answer, plan, "night.when_unknown", typed)
        return
    if interaction.guild_id is None:
        raise Refused("need_guild_install")
    here = await find_room(answer, plan.game, None)
    host = Guest(answer.user_id, plain(interaction.user.display_name), "yes", interaction.id, now)
    wanted = Night(
        game=plan.game,
        seats=plan.seats or plan.allowed()[-1],
        starts_at=int(starts.timestamp() * 1000),
        guild_id=interaction.guild_id,
        channel_id=here.channel_id,
        host_id=answer.user_id,
        locale=here.locale,
        created_at=now,
        token=interaction.token,
        rules={"name": plan.rules.name, "options": plan.rules.options} if plan.rules else None,
    )
    nights = answer.service(Nights)
    night = await nights.plan(wanted, host)
    try:
        message_id = await answer.public(night_message(night, [host]))
        if message_id is None:
            raise discord.ClientException("a night without its message")
        await nights.set_message(night.id, message_id)
    except BaseException:
        await nights.cancel(night.id, answer.user_id)  # no one can answer a night without a message
        raise
    announced = await _announce(answer, await nights.get(night.id))
    read_in = zone_name(split_zone(typed)[1] or zone)
    key = "night.planned_at" if is_stamp(typed) else "night.planned"
    told = answer.say(key, at=night.starts_at // 1000, zone=read_in)
    told += _clock_note(answer.say, starts)
    more = answer.say("night.event") if announced else ""
    if not announced and rights.manages_server(interaction):  # the person can change it
        more = answer.say("night.no_event")
    other = button(answer.say("night.other_zone"), "night-zone")
    await answer.private(page(f"{told} {more}".strip(), [other], accent=None))


def _clock_note(say: Words, starts: datetime) -> str:
    """Return what to add if the clocks skip the time that was typed, or show it twice; else nothing."""
    change = clock_change(starts)
    if change is None:
        return ""
    other = zone_name(timezone(starts.replace(fold=1).utcoffset() or timedelta())).removeprefix("UTC")
    typed = f"{starts.hour}:{starts.minute:02}"
    return " " + say(f"night.clocks_{change}", typed=typed, at=int(starts.timestamp()), offset=other or "+0")


async def _announce(answer: Answer, night: Night) -> bool:
    """Make a scheduled event where the bot may; whether there is one."""
    guild, channel = answer.interaction.guild, answer.interaction.channel
    if guild is None or not may_announce(guild):
        return False
    starts = datetime.fromtimestamp(night.starts_at / 1000, UTC)
    where = event_place(channel) or f"#{night.channel_id}"
    await answer.service(Outbox).token(pressed=True)
    try:
        event = await guild.create_scheduled_event(
            name=answer.say("night.event_name", game=title_of(night.game, night.locale))[:100],
            start_time=starts,
            end_time=starts + timedelta(hours=EVENT_HOURS),
            entity_type=discord.EntityType.external,
            privacy_level=discord.PrivacyLevel.guild_only,
            location=where,
            description=night_url(night),
        )
    except discord_errors.NOT_DONE as error:
        log.info("no scheduled event", why=discord_errors.reason(error))
        return False
    await answer.service(Nights).has_event(night.id, event.id)
    return True


def zone_button(say: Words, _thing: None) -> Control:
    """Return the button that sets the time zone of a person."""
    return button(say("night.set_zone"), "night-zone")


@handlers.on("night-zone")
async def _ask_zone(pressed: Pressed) -> None:
    say, at_night = pressed.say, pressed.prefs.at_night
    ways = [
        MenuLine("morning", say("night.wait"), chosen=not at_night),
        MenuLine("night", say("night.at_once"), chosen=at_night),
    ]
    asked = FormField("reminders", say("night.ask_reminders"), ways, say("night.ask_reminders_note"))
    await pressed.ask(form(say("night.zone"), ids.make("night-zone"), [_zone_field(pressed), asked]))


@forms.on("night-zone")
async def _set_zone(submitted: Submitted) -> None:
    """Name times in another zone from now on; what is planned stays as it is."""
    zone = zone_of(submitted.field("zone"))
    if zone is None:
        raise Refused("zone_unknown")
    chosen = submitted.fields.get("reminders")  # a form that was opened under an older version lacks it
    await _keep_zone(submitted, zone, at_night=None if chosen is None else chosen == "night")
    await submitted.private(page(submitted.say("night.zone_set", zone=zone_name(zone)), accent=None))


async def _here(answer: Answer, number: int) -> Night:
    """The night of this number, if it is of this server.

    Raises:
        Refused: there is none; as if there were none elsewhere.
    """
    night = await answer.service(Nights).get(number)
    mine = night.host_id == answer.user_id
    if answer.interaction.guild_id != night.guild_id or not rights.in_sight(
        answer.interaction, night.channel_id, unknown=mine
    ):
        raise Refused("no_night", night=night.id)
    return night


async def _find_night(pressed: Pressed) -> Night:
    return await _here(pressed, pressed.ref.number(0))


async def _find_planned(pressed: Pressed) -> Night:
    """The night whose message was pressed, while it is planned. Nobody may have heard that it is not: where
    its message could not be changed, a press is what changes it.

    Raises:
        Refused: it is planned no more, or there is no such night here; its message says so by now.
    """
    number = pressed.ref.number(0)
    try:
        night = await _here(pressed, number)
    except Refused:
        if not pressed.from_private and pressed.offers(
            pressed.custom_id
        ):  # it ended so long ago that its row is gone
            say = words(await public_locale(pressed))
            await pressed.update(page(say("night.gone", night=number), accent=None))
        raise
    if night.phase != "planned":
        await _correct(pressed, night)
        raise Refused("night_over")
    return night


async def _correct(pressed: Pressed, night: Night) -> None:
    """Let the message that was pressed say what has become of its night."""
    if pressed.from_private or not pressed.offers(pressed.custom_id):
        return
    table = pressed.service(Tables).cache.get(night.game_id) if night.game_id else None
    await pressed.update(night_message(night, [], table))


NIGHT = Reach(_find_night)
"""A night of this server, whose channel the person can see."""
PLANNED = Reach(_find_planned)
"""Such a night that is still to come."""


async def _must_plan(answer: Answer, night: Night) -> None:
    if answer.user_id != night.host_id:
        raise Refused("night_rights", host=night.host_id)


PLANNER = Who(_must_plan)
"""The person who planned the night."""


@handlers.on("night", PLANNED)
async def _answer(pressed: Pressed, night: Night) -> None:
    """Say whether one comes: `night:number:yes`, `maybe` or `no`."""
    reply, user = pressed.ref.word(1), pressed.interaction.user
    if reply not in ANSWERS:
        raise ids.InvalidCustomId(reply)
    guest = Guest(user.id, plain(user.display_name), reply, pressed.interaction.id, pressed.app.clock.now())
    async with pressed.service(Nights).locks.of(night.id):  # so that the last answer is the one that is shown
        try:
            night, guests = await pressed.service(Nights).answer(night.id, guest)
        except Refused as refused:
            if refused.key == "night_over":  # it ended meanwhile
                await _correct(pressed, await _here(pressed, night.id))
            raise
        message = pressed.interaction.message
        if pressed.from_private or message is None:
            await pressed.acknowledge()
            return
        if night.message_id is None:  # a stop came between the message and its note
            await pressed.service(Nights).set_message(night.id, message.id)
        await pressed.update(night_message(night, guests))


@handlers.on("night-off", PLANNED, who=PLANNER | MODERATOR)
async def _off(pressed: Pressed, night: Night) -> None:
    await _ask_to_call_off(pressed, night)


async def ask_to_call_off(answer: Answer, number: int) -> None:
    """Ask the person whether this night is to be called off for everybody.

    Raises:
        Refused: there is no such night here, it is planned no more, or it is not theirs to call off.
    """
    night = await _here(answer, number)
    await (PLANNER | MODERATOR).must_include(answer, night)
    if night.phase != "planned":
        raise Refused("night_over")
    await _ask_to_call_off(answer, night)


async def _ask_to_call_off(answer: Answer, night: Night) -> None:
    say = answer.say
    yes = button(say("night.off_yes"), "night-off-yes", night.id, style=ButtonStyle.danger)
    keep = button(say("lobby.keep"), "night-keep")
    asked = say("night.off_ask", game=title_of(night.game, answer.locale), at=night.starts_at // 1000)
    await answer.private(page(asked, [yes, keep]))


@handlers.on("night-off-yes", NIGHT, who=PLANNER | MODERATOR)
async def _off_yes(pressed: Pressed, night: Night) -> None:
    async with pressed.service(Nights).locks.of(night.id):
        await pressed.service(Nights).cancel(night.id, pressed.user_id)
    await pressed.turn(page(pressed.say("night.off_done"), accent=None))


@handlers.on("night-keep")
async def _keep(pressed: Pressed) -> None:
    await pressed.turn(page(pressed.say("night.off_kept"), accent=None))


@handlers.on("night-move", PLANNED, who=PLANNER | MODERATOR)
async def _ask_move(pressed: Pressed, night: Night) -> None:
    """Ask for the new time of a night: `night-move:number`."""
    say = pressed.say
    when = TextField("when", say("night.ask_when"), LONGEST, say("night.ask_when_note"), long=False)
    title = say("night.move_ask", game=title_of(night.game, pressed.locale))
    await pressed.ask(form(title, ids.make("night-move", night.id), [when, _zone_field(pressed)]))


@forms.on("night-move", NIGHT, who=PLANNER | MODERATOR)
async def _move(submitted: Submitted, night: Night) -> None:
    """Move a night: `night-move:number`. If the time cannot be understood, the answer leads back."""
    number, say = night.id, submitted.say
    again = [button(say("lobby.mend"), "night-move", number, style=ButtonStyle.primary)]
    zone, typed = zone_of(submitted.field("zone")), submitted.field("when")
    if zone is None:
        await submitted.private(page(say("night.zone_unknown"), again, accent=None))
        return
    await _keep_zone(submitted, zone)
    now = datetime.fromtimestamp(submitted.app.clock.now() / 1000, UTC)
    starts = time_of(typed, zone, now) if len(typed) <= LONGEST else None
    if starts is None:
        await submitted.private(page(say("night.when_unknown"), again, accent=None))
        return
    async with submitted.service(Nights).locks.of(number):
        at = int(starts.timestamp() * 1000)
        night = await submitted.service(Nights).move(number, at, submitted.user_id)
    moved = say("night.moved", at=night.starts_at // 1000) + _clock_note(say, starts)
    await submitted.private(page(moved, accent=None))


@handlers.on("night-event", PLANNED, who=PLANNER | MODERATOR)
async def _event(pressed: Pressed, night: Night) -> None:
    """Settle what happens to a night after a change of its event: `night-event:number:way:seconds`."""
    way, at, nights = pressed.ref.word(1), pressed.ref.number(2), pressed.service(Nights)
    if way not in ("move", "keep", "off"):
        raise ids.InvalidCustomId(way)
    async with nights.locks.of(night.id):
        if way == "off":
            night = await nights.cancel(night.id, pressed.user_id)
        elif way == "move":
            night = await nights.move(night.id, at * 1000, pressed.user_id)
        else:
            night = await nights.keep_time(night.id)
    words_of = {"off": "night.off_done", "move": "night.event_followed"}
    key = words_of.get(way, "night.event_back" if at else "night.event_kept")
    await pressed.update(page(pressed.say(key, at=night.starts_at // 1000), accent=None))


async def nights_message(answer: Answer, at: int) -> Message:
    """A page of the nights that are planned in this server, the next first.

    Raises:
        Refused: this is no server.
    """
    say, guild_id = answer.say, answer.interaction.guild_id
    if guild_id is None:
        raise Refused("need_guild_install")
    seen = rights.channels_in_sight(answer.interaction)
    nights = answer.service(Nights)
    found, total = await nights.of_guild(guild_id, PER_PAGE, at * PER_PAGE, channels=seen)
    if not found and at:
        return await nights_message(answer, max(0, -(-total // PER_PAGE) - 1))
    if not found:
        return page(say("night.none"), accent=None)
    lines = [say("night.list")]
    for night in found:
        title = title_of(night.game, answer.locale) if night.game in catalog.listed() else night.game
        coming = sum(guest.answer == "yes" for guest in await answer.service(Nights).guests(night.id))
        facts = {"night": night.id, "game": title, "at": night.starts_at // 1000, "url": night_url(night)}
        lines.append(say("night.line", channel=f"<#{night.channel_id}>", n=coming, **facts))
    return page("\n".join(lines), pager(say, at, -(-total // PER_PAGE), "nights"))


@handlers.on("nights")
async def _nights(pressed: Pressed) -> None:
    await pressed.turn(await nights_message(pressed, pressed.ref.number(0)))
