"""Tournaments as people see them: the announcement, the bracket, the tables of its matches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import discord
import structlog
from discord import ButtonStyle
from sqlalchemy import Connection

from bot import presenters
from bot.core.errors import Refused
from bot.core.service import Service
from bot.features.table import TablePublisher, clock_words, options_line, rules_named
from bot.features.tournaments import rows
from bot.features.tournaments.absences import matches_held
from bot.features.tournaments.ages import IDLE_DAYS, OPEN_DAYS
from bot.features.tournaments.brackets import bracket_pages, bracket_picture, current_page
from bot.features.tournaments.leagues import league_pages, league_picture
from bot.features.tournaments.notices import notice_button, notice_words
from bot.features.tournaments.tournament import Tournament
from bot.locales import Words, words
from bot.render.pool import StudioClosed
from bot.render.scene import Look, Scene
from bot.store.personal_data.privacy import is_nobody
from bot.store.prefs import Pictures, Prefs
from bot.store.terms import GOING_ON, Notice, TournamentTerms
from bot.table.ports import DiscordFailure
from bot.table.table import Table
from bot.table.turns import RELAXED_SECONDS
from bot.ui.components import Control, Message, button, link, page
from bot.ui.discord_errors import NOT_DONE, reason
from bot.ui.errors import permission_names
from bot.ui.live.live_message import LiveMessage
from bot.ui.names import joined, plain, shown
from bot.ui.navigation import pager
from bot.ui.notification import Notification, Occasion
from bot.ui.outbox import ARCHIVE_MINUTES, Outbox, Place, is_passing
from engine.brackets import LEAST, Bracket, Match

log = structlog.get_logger(__name__)
_DAY_MINUTES = 1440
PICTURE = "bracket.png"
MATCHES = 8
"""How many matches are listed: with their links more would be no phone screen."""


def tournament_message(tournament: Tournament, locale: str, at: int | None = None) -> Message:
    """The tournament: an announcement while it is open, then its bracket at a page of rounds."""
    say, stored = words(locale), tournament.stored
    title = presenters.title(stored.game, locale)
    facts = say(
        "tournament.facts",
        game=title,
        kind=_kind(tournament, say),
        seeding=say(f"tournament.seeding_{stored.terms.seeding}"),
        time=time_to_come(stored.terms.no_show, say),
        host=f"<@{stored.host_id}>",
    )
    named = rules_named(stored.terms.house_rules, locale)
    facts = "\n".join(
        filter(
            None,
            [facts, clock_line(stored.terms, say), named, options_line(stored.game, stored.options, locale)],
        )
    )
    heading = say("tournament.heading", name=shown(stored.name), tournament=tournament.id)
    bracket = tournament.bracket
    if bracket is None:
        if stored.phase == "cancelled":
            return page(heading, _called_off(tournament, say))
        names = [f"{n}. {shown(entrant.name)}" for n, entrant in enumerate(tournament.entrants, 1)]
        if len(names) < LEAST:
            lacks = say("tournament.needs", n=LEAST - len(names))
            names = [*(names or [say("tournament.nobody_yet")]), lacks]
        return page(heading + "\n" + facts, "\n".join(names), _open_controls(tournament, say))
    scene, at, pages = _picture(bracket, tournament, at, say)
    lines = [heading, facts]
    if bracket.champion:
        lines.append(say("tournament.champion", name=shown(tournament.name_of(bracket.champion))))
    elif stored.phase == "cancelled":
        lines.append(_called_off(tournament, say))
    else:
        ready = bracket.ready()
        lines += [_match_line(tournament, match, say) for match in ready[:MATCHES]]
        if len(ready) > MATCHES:
            lines.append(say("league.more", n=len(ready) - MATCHES))
        if bracket.league is not None and bracket.league.bye:
            lines.append(say("league.resting", name=shown(tournament.name_of(bracket.league.bye))))
    controls = pager(say, at, pages, "cup-page", tournament.id)
    return page("\n".join(lines), scene, controls, picture_name=PICTURE)


def organised_line(connection: Connection, user_id: int, say: Words) -> str:
    """Return which tournaments a person has to end before they can be deleted, or an empty string."""
    names = [f"**{shown(name)}**" for name in rows.organised(connection, user_id)]
    return say("privacy.organises", names=joined(names, say.language)) if names else ""


def _picture(bracket: Bracket, tournament: Tournament, at: int | None, say: Words) -> tuple[Scene, int, int]:
    """The standings of a league or the bracket at a page, which page that is, and how many there are."""
    look = Look(locale=say.language)
    if bracket.league is not None:
        pages = league_pages(bracket.league)
        at = (at or 0) % pages
        return league_picture(bracket, bracket.league, tournament.name_of, at, look), at, pages
    rounds = bracket_pages(bracket, tournament.name_of, say)
    at = current_page(bracket, rounds) if at is None else at % len(rounds)
    return bracket_picture(bracket, tournament.name_of, rounds[at], look), at, len(rounds)


def _kind(tournament: Tournament, say: Words) -> str:
    """What is played, and in how many rounds where that was chosen or follows from who takes part."""
    kind, bracket = say(f"tournament.kind_{tournament.stored.terms.kind}"), tournament.bracket
    league = bracket.league if bracket is not None else None
    rounds = league.rounds if league is not None else tournament.stored.terms.rounds
    return say("league.rounds", kind=kind, n=rounds) if rounds else kind


def _called_off(tournament: Tournament, say: Words) -> str:
    days = {"unstarted": OPEN_DAYS, "idle": IDLE_DAYS}.get(tournament.stored.why or "")
    return (
        say(f"tournament.called_off_{tournament.stored.why}", n=days) if days else say("tournament.cancelled")
    )


def _match_line(tournament: Tournament, match: Match, say: Words) -> str:
    """Who plays whom, and the way to their table once it stands, or what keeps it from that."""
    line = say(
        "tournament.plays", key=match.key, one=_named(tournament, match, 0), two=_named(tournament, match, 1)
    )
    way, held = tournament.ways.get(match.key), tournament.troubles.get(match.key)
    if held is not None:
        rights = permission_names(list(held.facts.get("rights", ())), say.language)
        code = held.facts.get("code", 0)
        return line + "\n" + say(f"tournament.held_{held.key}", key=match.key, permissions=rights, code=code)
    if (late := matches_held(tournament).get(match.key)) is not None:
        name, until = shown(tournament.name_of(str(late[0]))), tournament.wall(late[1])
        return (
            line
            + "\n"
            + say(
                "tournament.held_absent",
                player=name,
                time=time_words(until, tournament.stored.terms),
            )
        )
    if way is None or way.message_id is None:
        return line
    url = Place(way.channel_id, way.guild_id, way.message_id).url
    return line + say("tournament.plays_at", table=way.game_id, url=url)


def _named(tournament: Tournament, match: Match, place: int) -> str:
    return shown(tournament.name_of(match.players[place]))


def _open_controls(tournament: Tournament, say: Words) -> list[Control]:
    enough = len(tournament.entrants) >= LEAST
    return [
        button(say("tournament.join"), "cup-join", tournament.id, style=ButtonStyle.success),
        button(say("tournament.leave"), "cup-leave", tournament.id),
        button(
            say("tournament.start"),
            "cup-start",
            tournament.id,
            style=ButtonStyle.primary,
            disabled=not enough,
        ),
    ]


class TournamentBoard(Service):
    """Opens threads and tables of matches, and keeps the messages of tournaments up to date."""

    def __init__(self, publisher: TablePublisher) -> None:
        self._publisher = publisher
        self._messenger = publisher.messenger
        self._outbox = publisher.outbox
        self.moved = publisher.moved

    # -- the message of a tournament ----------------------------------------------------------

    def tournament_changed(self, tournament: Tournament, *, acted: bool = False) -> None:
        """Show the tournament when the channel has room for it."""
        self.live(tournament).changed(acted=acted)

    def ways_changed(self, tournament: Tournament) -> None:
        """Show the ways to its tables as they are now."""
        self.live(tournament).doubt(pressed=False)

    def live(self, tournament: Tournament) -> TournamentMessage:
        """The message of a tournament."""
        live = self._outbox.find(_key(tournament), TournamentMessage)
        if live is None:
            return TournamentMessage(self._outbox, tournament)
        live.tournament = tournament
        return live

    # -- the tables of its matches ------------------------------------------------------------

    def _thread_name(self, tournament: Tournament, match: Match) -> str:
        one, two = (plain(tournament.name_of(player)) for player in match.players)
        return words(tournament.stored.locale)("tournament.thread", key=match.key, one=one, two=two)[:100]

    def is_allowed(self, tournament: Tournament, thread_id: int | None) -> bool:
        """Return whether Discord last told that the bot may open a match, in this thread or a new one."""
        stored = tournament.stored
        place = Place(thread_id or stored.channel_id, stored.guild_id)
        return not self._outbox.lacks(place, thread=thread_id is None)

    async def find_threads(self, tournament: Tournament, match: Match) -> list[int]:
        """Threads that the bot has made for a match by their name; those that are archived are not found."""
        stored, client = tournament.stored, self._outbox.client
        await client.wait_until_ready()  # before that the bot knows no servers
        guild = client.get_guild(stored.guild_id)
        if guild is None or client.user is None:  # a thread made now might be the second one
            raise DiscordFailure("discord", passing=True, why="server not known")
        name, me = self._thread_name(tournament, match), client.user.id
        with self._hinders(Place(stored.channel_id, stored.guild_id)):
            await self._outbox.token()
            threads = await guild.active_threads()
        mine = [t for t in threads if t.owner_id == me and t.parent_id == stored.channel_id]
        return [thread.id for thread in mine if thread.name == name]

    async def open_thread(self, tournament: Tournament, match: Match) -> int:
        """Make the thread of a match; a tournament in a thread has its matches there."""
        stored = tournament.stored
        with self._hinders(Place(stored.channel_id, stored.guild_id), thread=True):
            await self._outbox.token()
            channel = await self._outbox.client.fetch_channel(stored.channel_id)
            if isinstance(channel, discord.Thread):
                return channel.id
            if not isinstance(channel, discord.TextChannel):
                raise DiscordFailure("gone")
            await self._outbox.token()
            thread = await channel.create_thread(
                name=self._thread_name(tournament, match),
                type=discord.ChannelType.public_thread,
                auto_archive_duration=ARCHIVE_MINUTES,
            )
            return thread.id

    async def call(self, tournament: Tournament, match: Match, thread_id: int, game_id: int) -> None:
        """Call both players to their table."""
        say = words(tournament.stored.locale)
        await self._call_players(
            tournament,
            match,
            thread_id,
            lambda who: say("tournament.call", who=who),
            "tournament.call_direct",
            once=("match", game_id, "call"),
        )

    async def _call_players(
        self,
        tournament: Tournament,
        match: Match,
        channel_id: int,
        text: Callable[[str], str],
        letter_key: str,
        *,
        once: Occasion,
    ) -> None:
        """Call the players of a match, each in the way that they chose, with a text that mentions them.

        Players who accept no direct messages are mentioned. Within a few minutes Discord takes a second call
        for the first.
        """
        stored, people = tournament.stored, [int(player) for player in match.players]
        place, url = (
            Place(channel_id, stored.guild_id),
            f"https://discord.com/channels/{stored.guild_id}/{channel_id}",
        )
        ways = {user: (await self._outbox.preferences.of(user)).pings for user in people}
        aloud = [user for user in people if ways[user] == "mention"]
        await self._say(place, text(" ".join(f"<@{user}>" for user in people)), aloud, once=once)

        def letter(say: Words) -> str:
            return say(letter_key, name=shown(stored.name))

        def controls(say: Words) -> list[Control]:
            return [link(say("tournament.go_to_match"), url)]

        for user in people:
            if ways[user] == "direct" and not await self._messenger.write_to(
                user, letter, controls, locale=stored.locale, once=once, urgent=True
            ):
                await self._say(place, text(f"<@{user}>"), [user], once=(*once, user))

    async def _say(
        self,
        place: Place,
        text: str,
        called: list[int],
        controls: Sequence[Control] = (),
        *,
        once: Occasion,
        inside: bool = True,
    ) -> None:
        """Say something in a place, which calls these people; `inside` the thread of a match."""
        with self._hinders(place, inside=inside):
            await self._outbox.notify(place, Notification(text, controls, users=called), once=once)

    async def tell_end(self, tournament: Tournament) -> None:
        """Tell in its channel who has won, who alone is called, unless they want no pings there. Within a few
        minutes Discord takes a second message for the first."""
        stored, bracket = tournament.stored, tournament.bracket
        if bracket is None or not bracket.champion:
            return
        winner, say = int(bracket.champion), words(stored.locale)
        known = not is_nobody(winner)
        prefs = await self._outbox.preferences.of(winner) if known else Prefs(pings="none")
        who = f"<@{winner}>" if known else f"**{shown(tournament.name_of(bracket.champion))}**"
        place = Place(stored.channel_id, stored.guild_id, stored.message_id)
        text = say("tournament.told_end", who=who, name=shown(stored.name))
        called = [winner] if prefs.pings == "mention" else []
        way = link(say("tournament.how_it_went"), place.url)
        # a corrected last result has an end of its own
        once = ("tournament", tournament.id, "end", stored.ended_at)
        await self._say(place, text, called, [way], once=once, inside=False)

    async def post_notice(self, tournament: Tournament, notice: Notice) -> None:
        """Post a notice in its channel. Within a few minutes a second time counts as the first.

        Raises:
            DiscordFailure: it could not be posted.
        """
        stored, say = tournament.stored, words(tournament.stored.locale)
        place = Place(stored.channel_id, stored.guild_id)
        once = ("tournament", tournament.id, notice.what, notice.at, notice.match, notice.player)
        text = notice_words(tournament, notice, say)
        controls = notice_button(tournament, notice, say)
        if notice.what == "hurried":
            match, bracket = tournament.state.matches.get(notice.match), tournament.bracket
            if match is not None and bracket is not None:  # else it was decided meanwhile
                there = match.thread_id or stored.channel_id
                players, key = bracket.match(notice.match), "tournament.hurried_direct"
                await self._call_players(
                    tournament, players, there, lambda who: f"{who} {text}", key, once=once
                )
        else:
            await self._say(place, text, [], controls, once=once, inside=False)

    async def tell_off(self, tournament: Tournament, by: int) -> None:
        """Tell in public who has called the tournament off."""
        say, name = words(tournament.stored.locale), shown(tournament.stored.name)
        await self._tell(tournament, say("tournament.is_off_by", who=f"<@{by}>", name=name))

    async def ask_absent(self, tournament: Tournament, user_id: int, until: int) -> None:
        """Ask in its channel, and in the way they chose, whether a player who did not come to a match still
        takes part.

        Raises:
            DiscordFailure: the question could not be posted.
        """
        stored, say = tournament.stored, words(tournament.stored.locale)
        place = Place(stored.channel_id, stored.guild_id)
        once = ("tournament", tournament.id, "still in", user_id, until)
        prefs = await self._outbox.preferences.of(user_id)
        time = time_words(until, stored.terms)
        text = say("tournament.still_in_ask", who=f"<@{user_id}>", name=shown(stored.name), time=time)
        yes = button(
            say("tournament.still_in"),
            "cup-still",
            tournament.id,
            user_id,
            style=ButtonStyle.success,
        )
        called = [user_id] if prefs.pings == "mention" else []
        await self._say(place, text, called, [yes], once=once, inside=False)
        if prefs.pings == "direct":
            url = f"https://discord.com/channels/{place.guild_id}/{place.channel_id}"

            def letter(say: Words) -> str:
                return say("tournament.still_in_direct", name=shown(stored.name), time=time)

            def ways(say: Words) -> list[Control]:
                return [link(say("tournament.go_to_question"), url)]

            await self._messenger.write_to(
                user_id, letter, ways, locale=stored.locale, once=once, urgent=True
            )

    async def _tell(self, tournament: Tournament, text: str) -> None:
        """Say something in the channel of a tournament; what cannot be said there stands in the bracket."""
        place = Place(tournament.stored.channel_id, tournament.stored.guild_id)
        try:
            await self._outbox.notify(place, Notification(text))
        except NOT_DONE as error:
            log.info("not told", tournament=tournament.id, why=reason(error))

    async def is_gone(self, tournament: Tournament, user_id: int) -> bool:
        """Whether a person is no longer a member of the server, by what Discord says now."""
        return await self._publisher.is_member(tournament.stored.guild_id, user_id) is False

    async def has_lost_channel(self, tournament: Tournament) -> bool:
        """Return whether its channel was deleted. Discord is asked if the bot does not see the channel, and
        no answer counts as no."""
        place = Place(tournament.stored.channel_id, tournament.stored.guild_id)
        if self._outbox.client.get_channel(place.channel_id) is not None:
            return False
        try:
            return await self._outbox.is_deleted(place)
        except NOT_DONE as error:
            log.info("channel not looked at", tournament=tournament.id, why=reason(error))
            return False

    async def tell_lost(self, tournament: Tournament) -> None:
        """Write to the organiser, unless they want no pings, that the channel was deleted, and what they can
        do."""
        stored = tournament.stored
        if is_nobody(stored.host_id):
            return
        prefs = await self._outbox.preferences.of(stored.host_id)
        if prefs.pings != "none":

            def text(say: Words) -> str:
                return say(f"tournament.lost_{stored.phase}", name=shown(stored.name))

            await self._messenger.write_to(stored.host_id, text, locale=stored.locale)

    async def ensure_posted(self, table: Table) -> None:
        """Post the table of a match, unless it has its message."""
        place = Place(table.stored.channel_id, table.stored.guild_id)
        with self._hinders(place, inside=True):
            await self._publisher.ensure_posted(table)

    def goes_on(self, table: Table) -> None:
        """Tell the players that their game goes on although the match is decided."""
        self._publisher.announce(table, words(table.stored.locale)("tournament.goes_on"))

    async def hindered(self, table: Table) -> bool:
        """Return whether people cannot see this table, by what Discord says now.

        Raises:
            DiscordFailure: Discord did not answer.
        """
        if self._publisher.hindered(table):
            return True
        try:
            return await self._outbox.is_deleted(Place(table.stored.channel_id, table.stored.guild_id))
        except NOT_DONE as error:
            if is_passing(error):
                raise DiscordFailure("discord", passing=True, why=reason(error)) from error
            return False

    @contextmanager
    def _hinders(self, place: Place, *, thread: bool = False, inside: bool = False) -> Iterator[None]:
        """Say what a refusal means for a match; `inside` its thread, or in the tournament's channel."""
        try:
            yield
        except StudioClosed as error:
            raise DiscordFailure("stopping", passing=True) from error
        except NOT_DONE as error:
            if is_passing(error) or not isinstance(error, discord.HTTPException):
                raise DiscordFailure("discord", passing=True, why=reason(error)) from error
            found = self._outbox.hindrance(place, error, thread=thread)
            if found.key == "gone" and inside:
                raise DiscordFailure("gone", passing=True, gone=True) from error
            raise DiscordFailure(found.key, rights=found.rights, code=found.code) from error


class TournamentMessage(LiveMessage):
    """The message of a tournament."""

    def __init__(self, outbox: Outbox, tournament: Tournament) -> None:
        super().__init__(outbox, _key(tournament))
        self.tournament = tournament

    async def find(self) -> bool:
        """Look up where its tables stand."""
        await self.tournament.find_ways()
        return True

    def version(self) -> int:
        """How the tournament is."""
        return self.tournament.stored.revision

    def shown(self) -> int:
        """How its message shows it."""
        return self.tournament.stored.shown

    async def mark(self, version: int) -> None:
        """Write down what is shown."""
        await self.tournament.mark_shown(version)

    def build(self, pictures: Pictures) -> Message:  # noqa: ARG002 - nothing in it moves
        """The tournament as everybody sees it."""
        return tournament_message(self.tournament, self.tournament.stored.locale)

    def locale(self) -> str:
        """Return the language of its channel."""
        return self.tournament.stored.locale

    def place(self) -> Place:
        """Where it stands."""
        stored = self.tournament.stored
        posted = stored.message_id and discord.utils.snowflake_time(stored.message_id).timestamp()
        return Place(stored.channel_id, stored.guild_id, stored.message_id, int((posted or 0) * 1000))

    async def set_place(self, place: Place) -> None:
        """Write down where it stands."""
        if place.message_id is not None:
            await self.tournament.set_message(place.message_id)

    def moved(self, url: str) -> Message:
        """The way to the new message."""
        return page(words(self.tournament.stored.locale)("tournament.moved", url=url), accent=None)

    def first(self) -> Place | None:
        """Where its first message stands."""
        stored = self.tournament.stored
        return Place(stored.channel_id, stored.guild_id, stored.terms.first) if stored.terms.first else None

    def goes_on(self) -> bool:
        """Return whether it is open or runs, or its end is still to be announced with a link to it."""
        return self.tournament.stored.phase in GOING_ON or self.tournament.stored.terms.untold

    def wanted(self) -> bool:
        """Whether there is anything to see: not of one that was called off."""
        return self.tournament.stored.phase != "cancelled"

    async def unseen(self) -> None:
        """An announcement that nobody can see is none; a tournament that runs goes on."""
        if self.tournament.stored.phase == "open":
            log.info("tournament called off: it can't be posted", tournament=self.tournament.id)
            with suppress(Refused):  # somebody else did so
                await self.tournament.call_off("unseen", self.outbox.clock.now())


def _key(tournament: Tournament) -> str:
    return f"tournament {tournament.id}"


def time_words(until: int, terms: TournamentTerms) -> str:
    """Return a time in milliseconds as Discord shows it, with its day if players have a day or more."""
    return f"<t:{until // 1000}:{'t' if terms.no_show < _DAY_MINUTES else 'f'}>"


def time_to_come(minutes: int, say: Words) -> str:
    """Return the time to come to a match in words."""
    for size, key in ((1440, "days"), (60, "hours")):
        if minutes % size == 0:
            return say(f"tournament.time_{key}", n=minutes // size)
    return say("tournament.time_minutes", n=minutes)


def clock_line(terms: TournamentTerms, say: Words) -> str:
    """Return the turn clock of matches, and whether holidays stop it if they can."""
    clock = clock_words(terms.clock, say)
    if 0 < terms.clock < RELAXED_SECONDS:
        return say("tournament.clock_line", clock=clock)
    return say(
        "tournament.clock_line_on" if terms.no_holidays else "tournament.clock_line_holidays", clock=clock
    )
