"""Tournaments as people see them: the announcement, the bracket, the tables of its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
import structlog
from discord import ButtonStyle

from bot import presenters
from bot.locales import Words, words
from bot.render.bracket import COLUMNS, BracketView, Pair, Round, bracket_scene
from bot.render.scene import Look, Scene
from bot.store.terms import Terms
from bot.tables.cups import Cup
from bot.tables.ports import Refused
from bot.tables.table import Table
from bot.views import ids, rights
from bot.views.lobby import chosen_options
from bot.views.names import plain, shown, table_url
from bot.views.parts import Message, Press, button, page, pager
from bot.views.publish import MOST_RETRIES, RETRY_SECONDS, SLOT_MS, TOO_OLD_MS
from bot.views.router import Answer, Pressed, on
from bot.views.trouble import NOT_DONE, reason
from engine.brackets import LEAST, Bracket, Match

if TYPE_CHECKING:
    from bot.views.app import App

log = structlog.get_logger(__name__)
PICTURE = "bracket.png"


def cup_message(cup: Cup, locale: str, at: int | None = None) -> Message:
    """The tournament: an announcement while it is open, then its bracket at a page of rounds."""
    say, stored = words(locale), cup.stored
    title = presenters.get(stored.game).title(locale)
    facts = say(
        "cup.facts",
        game=title,
        kind=say(f"cup.kind_{stored.terms.kind}"),
        seeding=say(f"cup.seeding_{stored.terms.seeding}"),
        minutes=stored.terms.no_show,
        host=f"<@{stored.host_id}>",
    )
    facts = "\n".join([facts, *chosen_options(stored.game, stored.options, locale)])
    heading = say("cup.heading", name=shown(stored.name), cup=cup.id)
    bracket = cup.bracket
    if bracket is None:
        if stored.phase == "cancelled":
            return page(heading, say("cup.cancelled"))
        names = [f"{n}. {shown(entrant.name)}" for n, entrant in enumerate(cup.entrants, 1)]
        if len(names) < LEAST:
            names += ["" if names else say("cup.nobody_yet"), say("cup.needs", n=LEAST - len(names))]
        return page(heading + "\n" + facts, "\n".join(names), _open_controls(cup, say))
    rounds = bracket_rounds(cup, bracket, say)
    pages = _windows(rounds)
    at = _current(bracket, rounds, pages) if at is None else at % len(pages)
    scene = _scene(cup, bracket, rounds, pages[at], say)
    lines = [heading, facts]
    if bracket.champion:
        lines.append(say("cup.champion", name=shown(cup.name_of(bracket.champion))))
    elif stored.phase == "cancelled":
        lines.append(say("cup.cancelled"))
    else:
        lines += [_match_line(cup, match, say) for match in bracket.ready()[:8]]
    controls = pager(say, at, len(pages), "cup-page", cup.id)
    return page("\n".join(lines), scene, controls, picture_name=PICTURE)


def _match_line(cup: Cup, match: Match, say: Words) -> str:
    """Who plays whom, and the way to their table once it stands."""
    line = say("cup.plays", key=match.key, one=_named(cup, match, 0), two=_named(cup, match, 1))
    table = cup.tables.get(match.key)
    if table is None or table.stored.message_id is None:
        return line
    return line + say("cup.plays_at", table=table.id, url=table_url(table))


def _named(cup: Cup, match: Match, place: int) -> str:
    return shown(cup.name_of(match.players[place]))


def _open_controls(cup: Cup, say: Words) -> list[Press]:
    enough = len(cup.entrants) >= LEAST
    return [
        button(say("cup.join"), ids.make("cup-join", cup.id), style=ButtonStyle.success),
        button(say("cup.leave"), ids.make("cup-leave", cup.id)),
        button(
            say("cup.start"), ids.make("cup-start", cup.id), style=ButtonStyle.primary, disabled=not enough
        ),
    ]


Rounds = list[tuple[str, Round]]
"""Rounds with the part of the bracket that they belong to: W, L or F."""


def bracket_rounds(cup: Cup, bracket: Bracket, say: Words) -> Rounds:
    """The rounds of a bracket with names, from the first to the finals."""
    found: dict[str, list[Pair]] = {}
    for match in bracket.matches():
        group = match.key.partition(".")[0] if match.key[0] != "F" else "F"
        players = [*match.players, "", ""][:2]
        winner = match.players.index(match.winner) if match.winner in match.players else -1
        names = tuple(plain(cup.name_of(player)) if player else "" for player in players)
        # W2.1 is the first of its round; the finals F1 and F2 follow each other in one column
        place = int(match.key.partition(".")[2] or match.key[1:]) - 1
        found.setdefault(group, []).append(Pair((names[0], names[1]), winner, match.ready, place))
    rounds, last = [], list(found)[-1]
    for group, pairs in found.items():
        key = {"W": "cup.round", "L": "cup.losers_round"}.get(group[0], "cup.final")
        size = 1 << max(pair.place for pair in pairs).bit_length()
        if bracket.kind == "single" and len(pairs) == 1 and group == last:
            key = "cup.final"
        rounds.append((group[0], Round(say(key, n=group[1:]), tuple(pairs), size)))
    return rounds


def _windows(rounds: Rounds) -> list[tuple[int, int]]:
    """Stretches of rounds that are shown together; none reaches into another part of the bracket."""
    windows: list[tuple[int, int]] = []
    first = 0
    for n in range(1, len(rounds) + 1):
        if n == len(rounds) or n - first == COLUMNS or rounds[n][0] != rounds[first][0]:
            windows.append((first, n))
            first = n
    return windows


def _current(bracket: Bracket, rounds: Rounds, pages: list[tuple[int, int]]) -> int:
    """The page on which something is going on; the last one when all is over."""
    if bracket.champion:
        return len(pages) - 1
    for at, (first, last) in enumerate(pages):
        if any(pair.live for _, each in rounds[first:last] for pair in each.pairs):
            return at
    return 0


def _scene(cup: Cup, bracket: Bracket, rounds: Rounds, window: tuple[int, int], say: Words) -> Scene:
    champion = (
        say("cup.champion_plain", name=plain(cup.name_of(bracket.champion))) if bracket.champion else ""
    )
    view = BracketView(
        title=plain(cup.stored.name),
        subtitle=champion or say("cup.players", n=len(bracket.players)),
        rounds=tuple(each for _, each in rounds[window[0] : window[1]]),
        nobody=say("cup.nobody"),
        beats=say("cup.beats", winner="{winner}", loser="{loser}"),
        meets=say("cup.meets", one="{one}", two="{two}"),
    )
    return bracket_scene(view, Look(locale=say.language))


class CupBoard:
    """Opens the tables of matches in threads, and keeps the message of the tournament up to date."""

    def __init__(self) -> None:
        self._client: discord.Client
        self._app: App
        self._busy: set[int] = set()
        self._again: set[int] = set()
        self._tries: dict[int, int] = {}

    def bind(self, client: discord.Client, app: App) -> None:
        """Give it the connection, once there is one."""
        self._client, self._app = client, app

    def cup_changed(self, cup: Cup) -> None:
        """Show the tournament when the channel has room for it."""
        if cup.id in self._busy:
            self._again.add(cup.id)
            return
        self._busy.add(cup.id)
        self._app.hall.spawn(self._show(cup), f"show tournament {cup.id}")

    async def _show(self, cup: Cup) -> None:
        try:
            while True:
                self._again.discard(cup.id)
                await self._app.hall.clock.sleep(SLOT_MS / 1000)
                if cup.stored.message_id is None:
                    return
                await self._write(cup, cup.stored.message_id)
                self._tries.pop(cup.id, None)
                if cup.id not in self._again:
                    return
        except (discord.Forbidden, discord.NotFound) as error:
            log.info("tournament not shown: its place is gone", cup=cup.id, code=error.code)
        except NOT_DONE as error:
            tries = self._tries[cup.id] = self._tries.get(cup.id, 0) + 1
            log.warning("tournament not shown yet", cup=cup.id, why=reason(error), tries=tries)
            if tries <= MOST_RETRIES:
                self._app.hall.clock.call_later(RETRY_SECONDS * tries, lambda: self.cup_changed(cup))
        finally:
            self._busy.discard(cup.id)

    async def _write(self, cup: Cup, message_id: int) -> None:
        """Show the tournament in its message, or in a new one where the old may hardly be edited."""
        message = cup_message(cup, cup.stored.locale)
        files = await message.attachments(self._app.studio, later=True, whose=cup.stored.channel_id)
        channel = self._client.get_partial_messageable(cup.stored.channel_id, guild_id=cup.stored.guild_id)
        old = channel.get_partial_message(message_id)
        posted_at = discord.utils.snowflake_time(message_id).timestamp() * 1000
        if self._app.hall.clock.now() - posted_at <= TOO_OLD_MS:
            await old.edit(view=message.view, attachments=files)
            return
        nobody = discord.AllowedMentions.none()
        sent = await channel.send(view=message.view, files=files, allowed_mentions=nobody)
        await self._app.cups.placed(cup, sent.id)
        moved = words(cup.stored.locale)("cup.moved", url=sent.jump_url)
        await old.edit(view=page(moved, accent=None).view, attachments=[])

    async def open_match(self, cup: Cup, match: Match) -> Table | None:
        """Open a thread for a match with a table that waits for both, and call them."""
        stored, say = cup.stored, words(cup.stored.locale)
        one, two = (plain(cup.name_of(player)) for player in match.players)
        try:
            channel = await self._client.fetch_channel(stored.channel_id)
            place: discord.abc.MessageableChannel
            if isinstance(channel, discord.TextChannel):
                name = say("cup.thread", key=match.key, one=one, two=two)[:100]
                place = await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
            elif isinstance(channel, discord.Thread):
                place = channel
            else:
                return None
            table = await self._app.hall.new_match(
                stored.game,
                host_id=stored.host_id,
                channel_id=place.id,
                guild_id=stored.guild_id,
                locale=stored.locale,
                options=stored.options,
                terms=Terms(
                    cup=cup.id,
                    match=match.key,
                    invited=tuple(int(player) for player in match.players),
                    clock=stored.terms.clock,
                ),
                minutes=stored.terms.no_show,
            )
            called = " ".join(f"<@{player}>" for player in match.players)
            await place.send(
                view=page(say("cup.call", who=called), accent=None).view,
                allowed_mentions=discord.AllowedMentions(users=True),
            )
            await self._app.publisher.repost(table, place)
        except NOT_DONE as error:
            log.info("match not opened", cup=cup.id, match=match.key, why=reason(error))
            return None
        return table


async def _refresh(pressed: Pressed, cup: Cup) -> None:
    """Answer with the tournament, if it is its message that was pressed."""
    message = pressed.interaction.message
    if message is not None and message.id == cup.stored.message_id:
        await pressed.update(cup_message(cup, cup.stored.locale))
    else:
        await pressed.turn(cup_message(cup, pressed.locale))


@on("cup-join")
async def _join(pressed: Pressed) -> None:
    cup = pressed.cup()
    user = pressed.interaction.user
    await pressed.app.cups.join(cup, user.id, plain(user.display_name))
    await _refresh(pressed, cup)


@on("cup-leave")
async def _leave(pressed: Pressed) -> None:
    cup = pressed.cup()
    if cup.bracket is not None:  # an old message: the tournament has begun meanwhile
        await ask_to_withdraw(pressed, cup)
        return
    await pressed.app.cups.leave(cup, pressed.user_id)
    await _refresh(pressed, cup)


@on("cup-start")
async def _start(pressed: Pressed) -> None:
    cup = pressed.cup()
    rights.must_organise(pressed, cup)
    await pressed.app.cups.start(cup)
    await _refresh(pressed, cup)


@on("cup-page")
async def _page(pressed: Pressed) -> None:
    cup = pressed.cup()
    await pressed.turn(cup_message(cup, pressed.locale, pressed.ref.number(1)))


@on("cup-off")
async def _off(pressed: Pressed) -> None:
    cup = pressed.cup()
    rights.must_organise(pressed, cup)
    await pressed.app.cups.cancel(cup)
    await pressed.turn(page(pressed.say("cup.cancelled")))


@on("cup-on")
async def _keep(pressed: Pressed) -> None:
    pressed.cup()
    await pressed.turn(page(pressed.say("cup.kept")))


async def ask_to_call_off(answer: Answer, cup: Cup) -> None:
    """Answer with the question whether the tournament is to be called off."""
    rights.must_organise(answer, cup)
    say = answer.say
    yes = button(say("cup.off_yes"), ids.make("cup-off", cup.id), style=ButtonStyle.danger)
    no = button(say("cup.off_no"), ids.make("cup-on", cup.id))
    await answer.private(page(say("cup.off_ask", name=shown(cup.stored.name)), [yes, no]))


async def ask_to_withdraw(answer: Answer, cup: Cup) -> None:
    """Answer with the question whether the person is to leave a tournament that has begun."""
    say = answer.say
    yes = button(say("cup.leave_yes"), ids.make("cup-leave-yes", cup.id), style=ButtonStyle.danger)
    no = button(say("cup.leave_no"), ids.make("cup-leave-no", cup.id))
    await answer.private(page(say("cup.leave_ask", name=shown(cup.stored.name)), [yes, no]))


@on("cup-leave-yes")
async def _leave_yes(pressed: Pressed) -> None:
    cup = pressed.cup()
    await pressed.app.cups.leave(cup, pressed.user_id)
    await pressed.turn(page(pressed.say("cup.left", name=shown(cup.stored.name))))


@on("cup-leave-no")
async def _leave_no(pressed: Pressed) -> None:
    pressed.cup()
    await pressed.turn(page(pressed.say("cup.stayed")))


def must_be_here(guild_id: int | None) -> int:
    """The server of a tournament.

    Raises:
        Refused: tournaments need one.
    """
    if guild_id is None:
        raise Refused("cup_needs_server")
    return guild_id
