"""Looking for people: an open lobby, a call for those who want to be called, and who these are.

The bot needs no right for it: whoever wants to be called presses, per server. A role that the server names is
called besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from bot import custom_ids as ids
from bot import presenters
from bot.core.errors import Refused
from bot.features.house_rules.rows import HouseRules
from bot.features.seek import rows as seekers
from bot.features.table import SOUGHT, TablePublisher, come_button, find_room, open_lobby, way_to
from bot.locales import Words, words
from bot.store.time_zones import night_ends
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui.commands.game_option import usual_game
from bot.ui.components import Control, button, page
from bot.ui.context import Answer, Pressed
from bot.ui.effective_settings import server_here
from bot.ui.handlers import Handlers
from bot.ui.live.messenger import Text
from bot.ui.names import shown
from bot.ui.notification import Notification
from bot.ui.outbox import Place
from engine.game import Value

handlers = Handlers[Pressed]()

MOST_CALLED = 20
"""How many people one call reaches, beside a role; others than the last time, by chance."""
MOST_ASKED = 100
"""Maximum number of people of whom Discord is asked whether they see the channel: one request."""


async def look_for_people(answer: Answer, game: str, rules: HouseRules | None = None) -> None:
    """Answer with an open lobby of this game, or of the one last played, and call people to it; with house
    rules it is played by them.

    Raises: as `open_lobby`.
    """
    guild_id, interaction = answer.interaction.guild_id, answer.interaction
    if guild_id is None:
        raise Refused("need_guild_install")
    options: Mapping[str, Value] = rules.options if rules else {}
    game = rules.game if rules else game or await usual_game(answer)
    here = await find_room(answer, game, None)  # refuses before the call of this hour is taken
    table = await open_lobby(
        answer, game, options=options, house_rules=rules.name if rules else "", access="open", seeks=True
    )
    now = answer.app.clock.now()
    free_at = await answer.app.database.write_at_once(lambda c: seekers.claim(c, guild_id, now))
    called = [] if free_at else await _wanting(answer, guild_id, table)
    role = 0 if free_at else (await server_here(answer)).seek_role
    mentioned = [user for user, way in called if way == "mention"]
    say = words(table.stored.locale)

    def text(say: Words) -> str:
        game = presenters.title(table.game.key, say.language)
        return say("seek.call", host=shown(interaction.user.display_name), game=game, table=table.id)

    names = [f"<@&{role}>"] if role else []
    names += [f"<@{user}>" for user in mentioned]
    controls: list[Control] = [
        come_button(say, table, SOUGHT),
        button(say("seek.on"), "seek-on"),
        button(say("seek.list"), "seeking", 0),
        way_to(table, say),
    ]
    call = Notification(
        f"{text(say)}\n-# {' '.join(names)}" if names else text(say),
        controls,
        users=mentioned,
        roles=[role] if role else (),
    )
    place = Place(here.channel_id, guild_id, await answer.notify(call))
    answer.service(TablePublisher).calls.posted(table, place, "seek.lapsed")
    for user, way in called:
        calling = _call(answer, guild_id, user, text if way == "direct" else None, table)
        answer.app.tasks.spawn(calling, "call of a seeker")
    if free_at:
        await answer.private(page(answer.say("seek.too_soon", at=free_at // 1000), accent=None))
    elif not names and not called:
        await answer.private(page(answer.say("seek.nobody"), accent=None))


async def _wanting(answer: Answer, guild_id: int, table: Table) -> list[tuple[int, str]]:
    """Return the people to notify and how: those who want it, can be asked, are not seated, on holiday, or
    asleep."""
    start = answer.app.chance.randrange(answer.interaction.id)  # the id of an account is lower
    every = await answer.app.database.read_at_once(lambda c: seekers.of_guild(c, guild_id, start=start))
    every = await answer.service(Tables).contacts.reachable(answer.user_id, every)
    answer.app.chance.shuffle(every)
    found, now, seated = list[tuple[int, str]](), answer.app.clock.now(), table.people()
    members = answer.service(TablePublisher).members
    asked = every[:MOST_ASKED]
    blind = await members.blind(guild_id, table.stored.channel_id, asked)
    for user in await members.departed(guild_id, asked):  # no one tells the bot that a person has left
        await answer.app.database.write_at_once(partial(seekers.opt_out, guild_id=guild_id, user_id=user))
    for user in asked:
        prefs = await answer.app.preferences.of(user)
        wants = prefs.pings != "none" and prefs.holiday <= now and not night_ends(prefs, now)
        if user not in seated and user not in blind and wants:
            found.append((user, prefs.pings))
        if len(found) == MOST_CALLED:
            break
    await answer.service(Tables).contacts.ask(answer.user_id, [user for user, _ in found])
    return found


async def _call(answer: Answer, guild_id: int, user: int, text: Text | None, table: Table) -> None:
    """Write this to a person, unless they have left the server: nobody tells the bot of that. They are called
    no more then, and keep nobody else from being among the few who are."""
    there = await answer.service(TablePublisher).is_member(guild_id, user)
    if there is False:
        await answer.app.database.write_at_once(lambda c: seekers.opt_out(c, guild_id, user))
    elif there and text is not None:

        def controls(say: Words) -> list[Control]:
            return [button(say("seek.off"), "seek-off", guild_id), way_to(table, say)]

        messenger, locale = answer.service(TablePublisher).messenger, table.stored.locale
        await messenger.write_to(user, text, controls, locale=locale)


@handlers.on("seek-on")
async def _on(pressed: Pressed) -> None:
    """Call the person whenever somebody looks for people in this server."""
    guild_id, now = pressed.interaction.guild_id, pressed.app.clock.now()
    if guild_id is None:
        raise Refused("need_guild_install")
    await pressed.app.database.write_at_once(lambda c: seekers.opt_in(c, guild_id, pressed.user_id, now))
    off = button(pressed.say("seek.off"), "seek-off", guild_id)
    await pressed.private(page(pressed.say("seek.is_on"), [off], accent=None))


@handlers.on("seek-off")
async def _off(pressed: Pressed) -> None:
    """Call the person no more, `seek-off:server`; it may be pressed in a direct message."""
    guild = pressed.ref.word(0)
    if not guild.isdecimal() or len(guild) > 20:
        raise ids.InvalidCustomId(guild)
    await pressed.app.database.write_at_once(lambda c: seekers.opt_out(c, int(guild), pressed.user_id))
    await pressed.private(page(pressed.say("seek.is_off"), accent=None))
