"""/settings for a whole server: where tables are opened, which, by whom, how they begin, and how many.

All of it is for who may manage the server, and holds for tables that are opened from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import get_args

import discord
from discord import ui
from msgspec.structs import asdict, replace

from bot import custom_ids as ids
from bot import presenters
from bot.features.table import WIDER, opening_form, opening_words, read_opening
from bot.locales import Words
from bot.store.servers import Opening, Permitted, Server, ServerLimits
from bot.ui import discord_errors, errors
from bot.ui.components import Control, MenuLine, Message, TextWithButton, button, page, select
from bot.ui.context import Answer, Pressed, Submitted
from bot.ui.effective_settings import (
    deleted,
    existing,
    games_of,
    server_here,
    stored_here,
)
from bot.ui.feature_loader import load
from bot.ui.forms import FormField, form
from bot.ui.handlers import Handlers
from bot.ui.names import joined
from bot.ui.rights import SERVER_MANAGER, Channels, closed_to_bot

handlers, forms = Handlers[Pressed](), Handlers[Submitted]()

MOST_CHANNELS = 25
"""As many as Discord's list takes."""
COUNTS = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50, 100)
"""What a limit may be, below that of the operator."""
PERMISSIONS = ("open", "close")
"""What a server can permit: opening tables, and closing those of others."""
STANDING = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
"""The kinds of channels in which, or in whose threads, a table may stand."""


async def server_message(answer: Answer) -> Message:
    """Return the settings of the server, each with its control."""
    say, server = answer.say, await server_here(answer)
    gone = await _gone_line(answer)
    everywhere = say("server.everywhere")
    channels = str(Channels(server.channels)) if server.channels else everywhere
    titles = say("table.comma").join(presenters.get(key).title(answer.locale) for key in games_of(server))
    games = titles if server.games else say("server.all_games")
    return page(
        say("server.heading"),
        *gone,
        say("server.channels_line", told=channels),
        *_closed_line(answer, server),
        [_channels_menu(answer, server)],
        say("server.games_line", told=games),
        [_games_menu(answer, server)],
        _with_button(say, "begin", opening_words(server, say), "server-begin"),
        _with_button(say, "limits", _limits_words(server.limits, say), "server-limits"),
        _with_button(say, "who", _who_words(server, say), "server", "who"),
        [button(say("settings.mine"), "settings", "back")],
    )


async def _gone_line(answer: Answer) -> list[TextWithButton]:
    """Return the line about deleted channels and roles, with the button that removes them."""
    say, gone = answer.say, deleted(await stored_here(answer), answer.interaction.guild)
    if not gone:
        return []
    remove = button(say("server.gone_clear"), "server-clear")
    return [TextWithButton(say("server.gone_line", what=gone_words(gone, say)), remove)]


def _closed_line(answer: Answer, server: Server) -> list[str]:
    """Return the line about channels for tables in which the bot can't post."""
    guild = answer.interaction.guild
    there = [each for each in server.channels if guild is not None and guild.get_channel(each)]
    closed = closed_to_bot(answer.interaction, there)
    if not closed:
        return []
    rights = errors.permission_names(list(discord_errors.TABLE_PERMISSIONS), answer.locale)
    return [answer.say("server.closed_line", channels=Channels(closed), rights=rights)]


def gone_words(gone: Mapping[str, Sequence[int]], say: Words) -> str:
    """Return what is deleted, in words: a deleted thing has no name any more."""
    parts = [
        say(f"server.gone_{key}", n=len(which)) if key == "channels" else say(f"server.gone_{key}")
        for key, which in gone.items()
    ]
    return joined(parts, say.language)


@handlers.on("server-clear", who=SERVER_MANAGER)
async def _clear(pressed: Pressed) -> None:
    """Remove deleted channels and roles from the settings."""
    guild = pressed.interaction.guild
    await _keep(pressed, lambda server: replace(existing(server, guild), deleted=()))
    await pressed.turn(await server_message(pressed))


def _with_button(say: Words, key: str, told: str, verb: str, *args: object) -> TextWithButton:
    line = say("server.line", name=say(f"server.{key}"), told=told, note=say(f"server.{key}_note"))
    return TextWithButton(line, button(say("server.change"), verb, *args))


def _channels_menu(answer: Answer, server: Server) -> Control:
    guild = answer.interaction.guild
    known = [each for each in server.channels if guild is not None and guild.get_channel(each)]
    return ui.ChannelSelect(
        custom_id=ids.make("server-channels"),
        placeholder=answer.say("server.channels_menu"),
        channel_types=list(STANDING),
        min_values=0,
        max_values=MOST_CHANNELS,
        required=False,
        default_values=[
            discord.SelectDefaultValue(id=each, type=discord.SelectDefaultValueType.channel) for each in known
        ],
    )


def _games_menu(answer: Answer, server: Server) -> Control:
    lines = [
        MenuLine(key, presenters.get(key).title(answer.locale), chosen=key in server.games)
        for key in presenters.offered()
    ]
    menu = answer.say("server.games_menu")
    return select(menu, lines, "server-games", least=0, most=len(lines))


def _limits_words(limits: ServerLimits, say: Words) -> str:
    set_ = {key: most for key, most in asdict(limits).items() if most is not None}
    told = [say("server.limit", name=say(f"server.{key}"), n=most) for key, most in set_.items()]
    return " · ".join(told) or say("server.no_limits")


def _who_words(server: Server, say: Words) -> str:
    return " · ".join(
        say(f"server.{permission}_told", who=_people(server, permission, say)) for permission in PERMISSIONS
    )


def _people(server: Server, permission: str, say: Words) -> str:
    who, role = _allowed(server, permission)
    return f"<@&{role}>" if who == "role" else say(f"server.{who}")


def _allowed(server: Server, permission: str) -> tuple[Permitted, int]:
    if permission == "open":
        return server.open_by, server.open_role
    return server.close_by, server.close_role


def _let(server: Server, permission: str, who: Permitted, role: int) -> Server:
    if permission == "open":
        return replace(server, open_by=who, open_role=role)
    return replace(server, close_by=who, close_role=role)


async def who_message(answer: Answer) -> Message:
    """Return the page of the people who may open and close tables in the server."""
    say, server = answer.say, await server_here(answer)
    blocks: list[str | Sequence[Control]] = [say("server.who_heading")]
    for permission in PERMISSIONS:
        blocks += [
            say(f"server.{permission}_line", who=_people(server, permission, say)),
            _who_menus(answer, server, permission),
        ]
    for feature in load().values():
        for make in feature.server_lines:
            blocks += await make(answer)
    blocks.append([button(say("server.back"), "server", "back")])
    return page(*blocks)


def _who_menus(answer: Answer, server: Server, permission: str) -> list[Control]:
    say, (who, role), guild = answer.say, _allowed(server, permission), answer.interaction.guild
    # a role is chosen in the list below: here it stands only where one was
    ways = [way for way in get_args(Permitted) if way != "role" or who == "role"]
    lines = [
        MenuLine(way, say(f"server.{way}"), say(f"server.{way}_note"), chosen=way == who) for way in ways
    ]
    there = who == "role" and guild is not None and guild.get_role(role) is not None
    chosen = [discord.SelectDefaultValue(id=role, type=discord.SelectDefaultValueType.role)] if there else []
    return [
        select(say(f"server.{permission}_menu"), lines, "server-who", permission),
        ui.RoleSelect(
            custom_id=ids.make("server-role", permission),
            placeholder=say("server.role_menu"),
            min_values=1,
            max_values=1,
            required=False,
            default_values=chosen,
        ),
    ]


async def _keep(pressed: Pressed, change: Callable[[Server], Server]) -> None:
    await pressed.app.preferences.servers.change(pressed.interaction.guild_id or 0, change)


@handlers.on("server", who=SERVER_MANAGER)
async def _server(pressed: Pressed) -> None:
    """`server`: all of it, in the place of what led here; `server:who`: who may do what."""
    who = pressed.ref.word(0) == "who"
    await pressed.turn(await (who_message if who else server_message)(pressed))


@handlers.on("server-channels", who=SERVER_MANAGER)
async def _channels(pressed: Pressed) -> None:
    """Open tables in these channels alone; in all where none is chosen."""
    if not all(value.isdecimal() for value in pressed.values) or len(pressed.values) > MOST_CHANNELS:
        raise ids.InvalidCustomId(str(pressed.values))
    channels = tuple(int(value) for value in pressed.values)
    await _keep(pressed, lambda server: replace(server, channels=channels))
    await pressed.turn(await server_message(pressed))


@handlers.on("server-games", who=SERVER_MANAGER)
async def _games(pressed: Pressed) -> None:
    """Open these games alone; all where none, or each, is chosen."""
    offered = presenters.offered()
    if not set(pressed.values) <= set(offered):
        raise ids.InvalidCustomId(str(pressed.values))
    games = tuple(game for game in offered if game in pressed.values)
    chosen = () if games == offered else games
    await _keep(pressed, lambda server: replace(server, games=chosen))
    await pressed.turn(await server_message(pressed))


@handlers.on("server-who", who=SERVER_MANAGER)
async def _who(pressed: Pressed) -> None:
    """Allow everybody or moderators: `server-who:open`, `server-who:close`."""
    permission = _permission(pressed)
    who: Permitted | None = next((way for way in get_args(Permitted) if way == pressed.value), None)

    def change(server: Server) -> Server:
        role = _allowed(server, permission)[1]
        if who is None or (who == "role" and not role):
            raise ids.InvalidCustomId(pressed.value)
        return _let(server, permission, who, role if who == "role" else 0)

    await _keep(pressed, change)
    await pressed.turn(await who_message(pressed))


@handlers.on("server-role", who=SERVER_MANAGER)
async def _role(pressed: Pressed) -> None:
    """Allow a role: `server-role:open`, `server-role:close`. The role @everyone counts as everybody."""
    permission = _permission(pressed)
    if not pressed.value.isdecimal():
        raise ids.InvalidCustomId(pressed.value)
    role = int(pressed.value)
    everybody = role == pressed.interaction.guild_id
    who: Permitted = "everybody" if everybody else "role"
    await _keep(pressed, lambda server: _let(server, permission, who, 0 if everybody else role))
    await pressed.turn(await who_message(pressed))


def _permission(pressed: Pressed) -> str:
    permission = pressed.ref.word(0)
    if permission not in PERMISSIONS:
        raise ids.InvalidCustomId(permission)
    return permission


@handlers.on("server-begin", who=SERVER_MANAGER)
async def _ask_begin(pressed: Pressed) -> None:
    await pressed.ask(opening_form(ids.make("server-begin"), await server_here(pressed), pressed.say))


@forms.on("server-begin", who=SERVER_MANAGER)
async def _set_begin(submitted: Submitted) -> None:
    chosen = read_opening(submitted)
    begun = {key: getattr(chosen, key) for key in Opening.__struct_fields__}
    await _keep(submitted, lambda server: replace(server, **begun))
    await submitted.turn(await server_message(submitted))


def _operator(answer: Answer) -> dict[str, int]:
    """What whoever runs the bot allows, by limit."""
    settings = answer.app.settings
    return {
        "lobbies_of_person": settings.most_lobbies_of_person,
        "tables_of_person": settings.most_tables_of_person,
        "tables_of_channel": settings.most_tables_of_channel,
        "tables_of_server": settings.most_tables_of_server,
    }


@handlers.on("server-limits", who=SERVER_MANAGER)
async def _ask_limits(pressed: Pressed) -> None:
    say, now = pressed.say, asdict((await server_here(pressed)).limits)
    fields = []
    for key, most in _operator(pressed).items():
        usual = MenuLine(WIDER, say("server.limit_operator", n=most), chosen=now[key] is None)
        lines = [MenuLine(str(n), str(n), chosen=n == now[key]) for n in COUNTS if n < most]
        fields.append(FormField(key, say(f"server.{key}"), [usual, *lines]))
    await pressed.ask(form(say("server.limits"), ids.make("server-limits"), fields))


@forms.on("server-limits", who=SERVER_MANAGER)
async def _set_limits(submitted: Submitted) -> None:
    found: dict[str, int | None] = {}
    for key in _operator(submitted):
        chosen = submitted.field(key)
        if chosen not in {WIDER, *map(str, COUNTS)}:
            raise ids.InvalidCustomId(chosen)
        found[key] = None if chosen == WIDER else int(chosen)
    await _keep(submitted, lambda server: replace(server, limits=ServerLimits(**found)))
    await submitted.turn(await server_message(submitted))
