"""What people do: talk, use commands, press, pick, submit, moderate. One function per act."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from playground import payloads
from playground import permissions as perm
from playground.actions import threads
from playground.actions.answers import picked, submitted
from playground.actions.reactions import react
from playground.core import Core
from playground.keeper import Keeper
from playground.model import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    LOADING,
    MODAL_SUBMIT,
    Channel,
    Command,
    Interaction,
    Json,
    Overwrite,
    PostedMessage,
    User,
)
from playground.options import Filler, OptionRefused, available, owners_for
from playground.rules import components as c
from playground.rules.components import is_emoji

MAX_SAID = 2000


class Acts:
    """Every act of a person. Each returns the reply to that person or raises Refused."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._world = core.world
        self._table: dict[str, Callable[[User, Json], Awaitable[object]]] = {
            "say": self.say,
            "edit": self.edit,
            "delete": self.delete,
            "dismiss": self.dismiss,
            "react": self.react,
            "history": self.history,
            "commands": self.commands,
            "command": self.command,
            "autocomplete": self.autocomplete,
            "press": self.press,
            "submit": self.submit,
            "create_channel": self.create_channel,
            "create_thread": self.create_thread,
            "delete_channel": self.delete_channel,
            "archive": self.archive,
            "bot_rights": self.bot_rights,
            "drop_gateway": self.drop_gateway,
            "kill_bot": self.kill_bot,
            "restart_bot": self.restart_bot,
        }

    async def act(self, user: User, name: str, args: Json) -> object:
        """Do one act by name. Raises Refused."""
        doer = self._table.get(name)
        if doer is None:
            raise OptionRefused(f"There is no act “{name}”")
        return await doer(user, args)

    # Helpers ------------------------------------------------------------------------------

    def _channel(self, user: User, args: Json, *needed: int, send: bool = False) -> Channel:
        channel = self._world.find_channel(args.get("channel") or "", user)
        rights = self._world.rights(channel, user) if channel else 0
        if channel is None or not rights & perm.VIEW_CHANNEL:
            raise OptionRefused("You do not have access to this channel.")
        if send and not perm.may_send(channel, rights):
            raise OptionRefused("You do not have permission to send messages in this channel.")
        if any(not rights & bit for bit in needed):
            raise OptionRefused("You do not have permission to do that.")
        return channel

    def _message(self, user: User, args: Json) -> PostedMessage:
        number = str(args.get("message") or "")
        message = self._world.messages.get(int(number)) if number.isdecimal() else None
        visible = message is not None and self._world.rights(message.channel, user) & perm.VIEW_CHANNEL
        if message is None or not visible or (message.owner is not None and message.owner is not user):
            raise OptionRefused("This message is not there any more.")
        return message

    # The bot itself -----------------------------------------------------------------------

    def _keeper(self) -> Keeper:
        if self._core.keeper is None:
            raise OptionRefused("This bot was started elsewhere: end and start it there.")
        return self._core.keeper

    async def kill_bot(self, _user: User, _args: Json) -> Json:
        """End the bot at once, as a power cut would."""
        await self._keeper().kill()
        return {}

    async def restart_bot(self, _user: User, _args: Json) -> Json:
        """End the bot in order, if it runs, and start it anew."""
        await self._keeper().restart()
        return {}

    # Talking ------------------------------------------------------------------------------

    async def say(self, user: User, args: Json) -> Json:
        """Send an ordinary message."""
        channel = self._channel(user, args, send=True)
        text = str(args.get("content") or "").strip()
        if not text:
            raise OptionRefused("An empty message cannot be sent.")
        if len(text) > MAX_SAID:
            raise OptionRefused(f"Your message is too long ({len(text)} of {MAX_SAID} characters).")
        reference = self._world.messages.get(int(args["reply_to"])) if args.get("reply_to") else None
        kind = 19 if reference else 0
        message = self._core.posts.create(
            channel, user, {"content": text, "nonce": args.get("nonce")}, {}, kind=kind, reference=reference
        )
        return {"message_id": str(message.id)}

    async def edit(self, user: User, args: Json) -> Json:
        """Edit one's own message."""
        message = self._message(user, args)
        if message.author is not user:
            raise OptionRefused("You can only edit your own messages.")
        text = str(args.get("content") or "").strip()
        if not text or len(text) > MAX_SAID:
            raise OptionRefused("A message has 1 to 2000 characters.")
        self._core.posts.edit(message, {"content": text}, {})
        return {}

    async def delete(self, user: User, args: Json) -> Json:
        """Delete one's own message, or as a moderator anybody's."""
        message = self._message(user, args)
        moderator = self._world.rights(message.channel, user) & perm.MANAGE_MESSAGES
        in_guild = message.channel.guild is not None
        if message.author is not user and not (in_guild and moderator):
            raise OptionRefused("Only a moderator can delete this message.")
        self._core.posts.delete(message)
        return {}

    async def dismiss(self, user: User, args: Json) -> Json:
        """Put an ephemeral message away: the person no longer sees it, the bot is not told."""
        message = self._message(user, args)
        if message.owner is not user:
            raise OptionRefused("Only messages that only you see can be dismissed.")
        self._core.posts.dismiss(message)
        return {}

    async def react(self, user: User, args: Json) -> Json:
        """Add or take off a reaction."""
        message, emoji = self._message(user, args), str(args.get("emoji") or "")
        known = emoji in message.reactions or is_emoji(emoji) or is_emoji(emoji + "\ufe0f")
        if not known or message.ephemeral:
            raise OptionRefused("That reaction is not possible.")
        mine = user.id in message.reactions.get(emoji, ())
        if not mine and emoji not in message.reactions:
            self._channel(user, {"channel": str(message.channel.id)}, perm.ADD_REACTIONS)
        react(self._core.posts, message, emoji, user.id, add=not mine)
        return {}

    async def history(self, user: User, args: Json) -> Json:
        """Read older messages."""
        channel = self._channel(user, args, perm.READ_MESSAGE_HISTORY)
        before = int(args.get("before") or 1 << 63)
        return {"messages": self._core.sight.messages(channel, user, before=before)}

    # Commands -----------------------------------------------------------------------------

    async def commands(self, user: User, args: Json) -> Json:
        """List the commands that one can use in a channel."""
        found = available(self._world, self._channel(user, args), user)
        return {"commands": [payloads.command(command, self._world) for command in found]}

    def _command(self, channel: Channel, user: User, args: Json) -> tuple[Command, list[str]]:
        wanted = str(args.get("command") or "").removeprefix("/")
        head, *path = wanted.split() if " " in wanted and int(args.get("type") or 1) == 1 else [wanted]
        path = [*path, *(args.get("path") or ())]
        kind = int(args.get("type") or 1)
        for command in available(self._world, channel, user):
            if command.kind == kind and head in (command.name, str(command.id)):
                return command, path
        raise OptionRefused(f"There is no command /{wanted} here.")

    async def command(self, user: User, args: Json) -> Json:
        """Use a slash command, or a command of the Apps menu (with `target`)."""
        channel = self._channel(user, args)
        command, path = self._command(channel, user, args)
        filler = Filler(self._world, self._core.files, channel)
        if command.kind == 1:
            data = filler.data(command, path, args.get("options") or {}, None)
        else:
            data = self._menu(command, filler, user, args)
        owners = owners_for(command, channel, user) or {}
        shown = " ".join([command.name, *path])
        it = self._core.interactions.open(COMMAND, user, channel, data, owners=owners, command_name=shown)
        return await self._first(it)

    def _menu(self, command: Command, filler: Filler, user: User, args: Json) -> Json:
        data: Json = {"id": str(command.id), "name": command.name, "type": command.kind}
        if command.guild_id is not None:
            data["guild_id"] = str(command.guild_id)
        if command.kind == 2:
            target = self._world.find_user(str(args.get("target") or ""))
            if target is None:
                raise OptionRefused("That person is not there.")
            filler.add_user(target)
            data["target_id"] = str(target.id)
        else:
            message = self._message(user, {"message": args.get("target")})
            if message.ephemeral:
                raise OptionRefused("That is not possible with a message that only you see.")
            data["target_id"] = str(message.id)
            body = payloads.message(message, world=self._world)
            filler.resolved["messages"] = {str(message.id): body}
        data["resolved"] = filler.resolved
        return data

    async def autocomplete(self, user: User, args: Json) -> Json:
        """Ask the bot for suggestions for the option `focus`."""
        channel = self._channel(user, args)
        command, path = self._command(channel, user, args)
        filler = Filler(self._world, self._core.files, channel)
        data = filler.data(command, path, args.get("options") or {}, str(args.get("focus") or ""))
        owners = owners_for(command, channel, user) or {}
        it = self._core.interactions.open(
            AUTOCOMPLETE, user, channel, data, owners=owners, command_name=command.name
        )
        return await self._first(it)

    # Components ---------------------------------------------------------------------------

    async def press(self, user: User, args: Json) -> Json:
        """Press a button, or pick `values` in a select. `forge` skips every check, as an attacker would."""
        custom_id = str(args.get("custom_id") or "")
        if args.get("forge"):
            return await self._forged(user, args, custom_id)
        message = self._message(user, args)
        item = c.find(message.components, custom_id)
        if item is None:
            raise OptionRefused("This component is not there any more.")
        if item.get("disabled"):
            raise OptionRefused("This component is disabled.")
        if message.flags & LOADING:
            raise OptionRefused("This message is still loading.")
        data: Json = {"custom_id": custom_id, "component_type": item["type"], "id": item.get("id", 0)}
        if item["type"] in c.SELECTS:
            filler = Filler(self._world, self._core.files, message.channel)
            data["values"] = picked(item, list(args.get("values") or ()), filler)
            if filler.resolved:
                data["resolved"] = filler.resolved
        return await self._component(user, message, data)

    async def _component(self, user: User, message: PostedMessage, data: Json) -> Json:
        owners = (message.interaction or {}).get("authorizing_integration_owners")
        if owners is None:
            guild = message.channel.guild
            owners = {"0": str(guild.id) if guild else "0"}
        it = self._core.interactions.open(
            COMPONENT, user, message.channel, data, owners=owners, message=message
        )
        return await self._first(it)

    async def _forged(self, user: User, args: Json, custom_id: str) -> Json:
        message: PostedMessage | None = None
        if args.get("message"):
            message = self._world.messages.get(int(args["message"]))
        if message is None:
            channel = self._channel(user, args)
            mine = [m for m in channel.messages.values() if m.author is self._world.bot and not m.ephemeral]
            now = self._world.clock.now()
            fake = PostedMessage(self._world.ids.next(), channel, self._world.bot, content="…", created=now)
            message = mine[-1] if mine else fake
        kind = int(args.get("component_type") or (c.STRING_SELECT if args.get("values") else c.BUTTON))
        data: Json = {"custom_id": custom_id, "component_type": kind, "id": 1}
        if kind != c.BUTTON:
            data["values"] = list(args.get("values") or ())
        return await self._component(user, message, data)

    async def submit(self, user: User, args: Json) -> Json:
        """Submit the modal that an interaction of one's own was answered with."""
        opener = self._core.interactions.get(int(args.get("interaction") or 0))
        if opener is None or opener.modal is None or opener.user is not user:
            raise OptionRefused("This dialog is not open any more.")
        modal = opener.modal
        filler = Filler(self._world, self._core.files, opener.channel)
        found = submitted(modal, args.get("values") or {}, filler)
        data: Json = {"custom_id": args.get("custom_id") or modal["custom_id"], "components": found}
        data["resolved"] = filler.resolved
        it = self._core.interactions.open(
            MODAL_SUBMIT,
            user,
            opener.channel,
            data,
            owners=opener.owners,
            message=opener.message,
            opener=opener,
            command_name=opener.command_name,
        )
        return await self._first(it)

    @staticmethod
    async def _first(it: Interaction) -> Json:
        if it.first is None:
            raise AssertionError("an interaction without a first answer to wait for")
        return await it.first

    # Running the place --------------------------------------------------------------------

    async def create_channel(self, user: User, args: Json) -> Json:
        """Add a text channel (moderators), for all or `only` for some people and the bot."""
        guild = self._world.guilds.get(int(args.get("guild") or self._world.home.id))
        member = guild.members.get(user.id) if guild else None
        if guild is None or member is None or not perm.guild_level(member) & perm.MANAGE_CHANNELS:
            raise OptionRefused("Only a moderator can create channels.")
        name = "-".join(str(args.get("name") or "").lower().split())[:100]
        if not name:
            raise OptionRefused("A channel needs a name.")
        people = [self._world.find_user(one) for one in args.get("only") or ()]
        if None in people:
            raise OptionRefused("Some of these people are not here.")
        channel = self._world.add_channel(guild, name)
        if people:
            channel.overwrites[guild.id] = Overwrite(guild.id, 0, deny=perm.VIEW_CHANNEL)
            for one in (self._world.bot, *filter(None, people)):
                channel.overwrites[one.id] = Overwrite(one.id, 1, allow=perm.VIEW_CHANNEL)
        self._core.posts.tell_channel_changed("CHANNEL_CREATE", channel)
        return {"channel_id": str(channel.id)}

    async def create_thread(self, user: User, args: Json) -> Json:
        """Start a thread, at a message or without one."""
        private = bool(args.get("private"))
        channel = self._channel(
            user, args, perm.CREATE_PRIVATE_THREADS if private else perm.CREATE_PUBLIC_THREADS
        )
        name = str(args.get("name") or "").strip()[:100]
        if not name:
            raise OptionRefused("A thread needs a name.")
        starter = self._message(user, args) if args.get("message") else None
        if channel.guild is None or channel.is_thread or (starter and (starter.thread or starter.ephemeral)):
            raise OptionRefused("There cannot be a thread here.")
        thread = threads.create(self._core.posts, channel, user, name, private=private, starter=starter)
        return {"channel_id": str(thread.id)}

    async def delete_channel(self, user: User, args: Json) -> Json:
        """Delete a channel or thread (moderators)."""
        channel = self._channel(user, args)
        needed = perm.MANAGE_THREADS if channel.is_thread else perm.MANAGE_CHANNELS
        if channel.guild is None or not self._world.rights(channel, user) & needed:
            raise OptionRefused("Only a moderator can delete this.")
        threads.remove(self._core.posts, channel)
        return {}

    async def archive(self, user: User, args: Json) -> Json:
        """Archive a thread or take it up again."""
        channel = self._channel(user, args)
        mine = channel.owner_id == user.id
        if not channel.is_thread or not (mine or self._world.rights(channel, user) & perm.MANAGE_THREADS):
            raise OptionRefused("Only a moderator or who started the thread can do that.")
        channel.archived = bool(args.get("archived", True))
        channel.locked = channel.archived and bool(args.get("locked"))
        channel.archive_changed = self._world.clock.now()
        self._core.posts.tell_channel_changed("THREAD_UPDATE", channel)
        return {}

    async def bot_rights(self, user: User, args: Json) -> Json:
        """Switch rights of the bot in a channel (moderators): {right: true, false or null}."""
        channel = self._channel(user, args, perm.MANAGE_CHANNELS)
        if channel.guild is None or channel.is_thread:
            raise OptionRefused("Rights are set on channels of a server.")
        bot = self._world.bot
        overwrite = channel.overwrites.setdefault(bot.id, Overwrite(bot.id, 1))
        for name, wish in (args.get("rights") or {}).items():
            bit = perm.SWITCHES.get(name)
            if bit is None:
                raise OptionRefused(f"There is no right “{name}”")
            overwrite.allow &= ~bit
            overwrite.deny &= ~bit
            if wish is True:
                overwrite.allow |= bit
            elif wish is False:
                overwrite.deny |= bit
        self._core.posts.tell_channel_changed("CHANNEL_UPDATE", channel)
        return {}

    async def drop_gateway(self, _user: User, args: Json) -> Json:
        """Cut the bot's gateway connection, as happens on Discord: it has to resume, or, where its session is
        forgotten, to identify anew."""
        self._core.gateway.drop_all(forget=bool(args.get("forget")))
        return {}
