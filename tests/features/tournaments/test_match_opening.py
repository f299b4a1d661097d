"""Discord fails while the tables of a tournament are opened: they are opened a little later, once."""

from __future__ import annotations

from typing import Any

import discord
import pytest
from simcord.backend.models.channel import Overwrite
from simcord.backend.serializers import member_payload
from simcord.enums import OverwriteType

from bot.core.backoff import Backoff
from bot.features.table.names import table_url
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.tournaments import matches
from bot.features.tournaments.service import Tournaments
from bot.locales import words
from bot.store.prefs import Prefs
from bot.table import lobby
from tests.support.discord.forging import refusal
from tests.support.discord.people import called
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.tables import at_hand
from tests.support.waiting import until

say = words("en")
PLAYERS = ("ann", "ben", "cleo")


async def announced(room: Any) -> Any:
    await room.ann.slash(
        room.channel, "tournament create", name="Autumn cup", game="probe", option="rounds=1"
    )
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    for name in PLAYERS:
        await getattr(room, name).click(room.channel.last_message, label="Take part")
        await room.env.settle()
    return tournament


async def standing(room: Any, tournament: Any) -> Any:
    """The match, as soon as its message stands."""

    async def match() -> Any:
        await room.env.settle()
        found = tournament.state.matches["W1.2"]
        return found if found.step == "stands" else None

    return await until(match, but=lambda: tournament.state.matches)


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "RETRY", Backoff(first=0.02, longest=900.0))


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize(
    "where", [(discord.TextChannel, "create_thread"), (discord.PartialMessageable, "send")]
)
async def test_discord_fails_three_times(
    room: Any, monkeypatch: pytest.MonkeyPatch, where: tuple[type, str], after: bool
) -> None:
    tournament = await announced(room)
    kind, name = where
    whole, fails = getattr(kind, name), [3]

    async def failing(self: Any, *args: Any, **words: Any) -> Any:
        if not fails[0] or (name == "send" and self.id == room.channel.id):
            return await whole(self, *args, **words)
        fails[0] -= 1
        if after and fails[0] == 2:
            await whole(self, *args, **words)
        raise refusal(500, 0)

    with monkeypatch.context() as patch:
        patch.setattr(kind, name, failing)
        await room.ann.click(room.channel.last_message, label="Start")
        match = await standing(room, tournament)
    # a thread that was made without a word is found at the next try
    assert fails == [2 if after and name == "create_thread" else 0]
    threads = await room.bot.get_guild(room.guild.id).active_threads()
    assert [thread.id for thread in threads] == [match.thread_id]
    (table,) = at_hand(room.bot.tables).values()
    assert (table.id, table.stored.channel_id) == (match.game_id, match.thread_id)
    thread = room.bot.get_partial_messageable(match.thread_id)
    shown = str((await thread.fetch_message(table.stored.message_id)).components)
    assert "I'm here" in shown
    assert "How so?" in shown
    assert table.commitment.digest not in shown, "what makes the deal fair is told to who asks"
    assert table.deadlines


async def test_a_thread_is_looked_for_once_the_bot_knows_its_server(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that has just started would make the thread of a match a second time."""
    tournament = await announced(room)
    whole, get_guild, looks = discord.TextChannel.create_thread, room.bot.get_guild, list[int]()

    async def lost(self: Any, **words: Any) -> Any:
        monkeypatch.setattr(discord.TextChannel, "create_thread", whole)
        await whole(self, **words)
        monkeypatch.setattr(type(room.bot), "get_guild", not_yet)
        raise refusal(500, 0)

    def not_yet(_bot: Any, guild_id: int) -> Any:
        looks.append(guild_id)
        if len(looks) > 2:
            monkeypatch.undo()
            monkeypatch.setattr(matches, "RETRY", Backoff(first=0.02, longest=900.0))
        return get_guild(guild_id) if len(looks) > 2 else None

    monkeypatch.setattr(discord.TextChannel, "create_thread", lost)
    await room.ann.click(room.channel.last_message, label="Start")
    match = await standing(room, tournament)
    assert len(looks) > 2
    threads = await room.bot.get_guild(room.guild.id).active_threads()
    assert [thread.id for thread in threads] == [match.thread_id]


async def test_a_missing_right_is_told_where_the_tournament_stands(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await announced(room)
    channel = room.bot.get_partial_messageable(room.channel.id)

    async def forbidden(*_: Any, **__: Any) -> Any:
        raise refusal(403, 50013)

    with monkeypatch.context() as patch:
        patch.setattr(discord.TextChannel, "create_thread", forbidden)
        await room.ann.click(room.channel.last_message, label="Start")
        await room.env.settle()
        said = str((await channel.fetch_message(tournament.stored.message_id)).components)
        assert "**W1.2** has to wait" in said
        assert "**Create Public Threads**" in said
        assert at_hand(room.bot.tables) == {}
    room.bot.app.service(Tournaments)._proceed(tournament, eager=True)  # as after a restart
    match = await standing(room, tournament)
    await until(lambda: tournament.stored.shown == tournament.stored.revision)
    said = str((await channel.fetch_message(tournament.stored.message_id)).components)
    assert "has to wait" not in said
    assert f"table {match.game_id}" in said


async def test_the_tournament_leads_to_where_a_table_stands_now(room: Any) -> None:
    tournament = await announced(room)
    await room.ann.click(room.channel.last_message, label="Start")
    match = await standing(room, tournament)
    (table,) = at_hand(room.bot.tables).values()
    before = table_url(table)

    async def shown() -> str:
        await room.env.settle()
        posted = room.bot.get_partial_messageable(room.channel.id)
        return str((await posted.fetch_message(tournament.stored.message_id)).components)

    assert before in await shown()
    await room.bot.app.service(TablePublisher).repost(
        table, room.bot.get_partial_messageable(match.thread_id)
    )
    assert before != table_url(table)

    async def leads_there() -> bool:
        return table_url(table) in await shown()

    await until(leads_there)
    assert before not in await shown()


async def test_who_presses_again_after_a_deal_that_was_cut_off_gets_it(room: Any) -> None:
    tournament = await announced(room)
    await room.ann.click(room.channel.last_message, label="Start")
    match = await standing(room, tournament)
    (table,) = at_hand(room.bot.tables).values()
    for user in table.stored.terms.invited:
        await lobby.join(table, user, f"person {user}", 1000 + user)
    await room.env.settle()
    who = next(who for who in (room.ann, room.ben, room.cleo) if who.id == table.stored.terms.invited[0])
    thread = room.bot.get_partial_messageable(match.thread_id)
    await who.click(await thread.fetch_message(table.stored.message_id), label="I'm here")
    await room.env.settle()
    assert table.phase == "live"


@pytest.mark.parametrize(
    ("way", "reached", "letters", "aloud"),
    [
        ("mention", True, False, True),
        ("none", True, False, False),
        ("direct", True, True, False),
        ("direct", False, True, True),
    ],
)
async def test_both_are_called_in_the_way_that_they_chose(
    room: Any, monkeypatch: pytest.MonkeyPatch, *, way: Any, reached: bool, letters: bool, aloud: bool
) -> None:
    """Whom no letter reaches is called aloud: who does not come loses the match."""
    tournament = await announced(room)
    for name in PLAYERS:
        person = getattr(room, name)
        await room.bot.app.preferences.put(person.id, person.name, Prefs(pings=way), 0)
    written: list[tuple[int, str]] = []

    async def write_to(user_id: int, text: Any, controls: Any, **_: object) -> bool:
        written.append((user_id, " ".join([text(say), *(each.url for each in controls(say))])))
        return reached

    monkeypatch.setattr(room.bot.app.service(TablePublisher).messenger, "write_to", write_to)
    before = len(room.env.http_requests)
    await room.ann.click(room.channel.last_message, label="Start")
    match = await standing(room, tournament)
    players = {int(player) for player in tournament.bracket.match("W1.2").players}
    assert {user for user, _ in written} == (players if letters else set())
    assert len(written) == (2 if letters else 0)
    assert all(f"/{match.thread_id}" in text and "Autumn cup" in text for _, text in written)
    assert called(room, before) == (players if aloud else set())


async def test_a_call_that_is_tried_again_is_the_same_letter(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first has their letter when the call of the other fails; Discord knows the second one by its
    nonce."""
    tournament = await announced(room)
    for name in PLAYERS:
        person = getattr(room, name)
        await room.bot.app.preferences.put(person.id, person.name, Prefs(pings="direct"), 0)
    letters = list[tuple[int, Any]]()
    aloud, write, fails = discord.PartialMessageable.send, discord.DMChannel.send, [1]

    async def writing(self: Any, *args: Any, **words: Any) -> Any:
        letters.append((self.recipient.id, words.get("nonce")))
        if self.recipient.id != letters[0][0]:
            raise refusal(403, 50007)
        return await write(self, *args, **words)

    async def failing(self: Any, *args: Any, **words: Any) -> Any:
        if letters and fails[0]:
            fails[0] -= 1
            raise refusal(500, 0)
        return await aloud(self, *args, **words)

    monkeypatch.setattr(discord.DMChannel, "send", writing)
    monkeypatch.setattr(discord.PartialMessageable, "send", failing)
    await room.ann.click(room.channel.last_message, label="Start")
    await standing(room, tournament)
    (one, other) = dict.fromkeys(user for user, _ in letters)
    assert [user for user, _ in letters] == [one, other, one, other]
    nonces = {nonce for _, nonce in letters}
    assert len(set(letters)) == len(nonces) == 2, "each letter is one, and not the other's"
    assert None not in nonces


async def test_who_leaves_their_match_has_no_hand_left(room: Any) -> None:
    """Neither cards nor buttons of a match that is given up stay on the screen."""
    tournament = await announced(room)
    await room.ann.click(room.channel.last_message, label="Start")
    match = await standing(room, tournament)
    (table,) = at_hand(room.bot.tables).values()
    thread = room.bot.get_partial_messageable(match.thread_id)
    board = await thread.fetch_message(table.stored.message_id)
    seated = [who for who in (room.ann, room.ben, room.cleo) if who.id in table.stored.terms.invited]
    for who in seated:
        await who.click(board, label="I'm here")
        await room.env.settle()
    gone = seated[0]
    hand = (await gone.click(board, label="My hand")).response
    assert [*custom_ids(hand.components)]
    asked = (await gone.slash(room.channel, "table leave", table=table.id)).response
    await gone.click(asked, label="Leave the game")
    await room.env.settle()
    told = say("leave.closed", table=table.id)
    assert (said(asked), said(hand)) == (told, told)
    assert [*custom_ids(hand.components)] == []


def edit_role(room: Any, role: Any, **permissions: bool) -> None:
    """Change permissions of a role, as a server's administrator does."""
    have = discord.Permissions(role.permissions)
    have.update(**permissions)
    room.env.backend.edit_role(room.guild.id, role.id, {"permissions": have.value})


def time_out(room: Any, until: str | None) -> None:
    """Time the bot out, or end its time-out."""
    room.env.backend.get_member(room.guild.id, room.bot.user.id).timed_out_until = until
    tell_of_the_bot(room)


def tell_of_the_bot(room: Any) -> None:
    """Send the bot a change of itself as a member. Discord does so without the members intent, the simulated
    one does not."""
    guild = room.env.backend.get_guild(room.guild.id)
    payload = member_payload(room.env.backend, guild, guild.members[room.bot.user.id])
    room.bot._connection.parse_guild_member_update({**payload, "guild_id": str(guild.id)})


@pytest.mark.parametrize("way", ["channel", "role", "member", "time-out"])
async def test_a_match_opens_at_once_when_the_permission_is_back(room: Any, way: str) -> None:
    """Without the update the next try is a minute away."""
    tournament = await announced(room)
    backend, me = room.env.backend, room.bot.user.id
    roles = backend.get_guild(room.guild.id).roles
    everyone, mine = roles[room.guild.id], next(role for role in roles.values() if role.managed)
    edit_role(room, everyone, create_public_threads=False)
    edit_role(room, mine, create_public_threads=way not in ("role", "member"))
    if way == "channel":
        denied = discord.Permissions(create_public_threads=True).value
        backend.set_overwrite(room.channel.id, Overwrite(me, OverwriteType.MEMBER, deny=denied))
    elif way == "time-out":
        time_out(room, "2999-01-01T00:00:00+00:00")
    await room.env.settle()
    await room.ann.click(room.channel.last_message, label="Start")
    await room.env.settle()
    assert [match.step for match in tournament.held] == ["due"]
    asked = len(room.env.http_requests)
    edit_role(room, everyone, add_reactions=False)  # gives the match nothing
    await room.env.settle()
    assert len(room.env.http_requests) == asked, "Discord is not asked for what it is known to refuse"
    if way == "channel":
        backend.delete_overwrite(room.channel.id, me)
    elif way == "role":
        edit_role(room, mine, create_public_threads=True)
    elif way == "member":
        role = backend.create_role(room.guild.id, "threads", permissions=1 << 35)
        await room.env.settle()
        assert tournament.held
        backend.add_member_role(room.guild.id, me, role.id)
        tell_of_the_bot(room)
    else:
        time_out(room, None)
    await standing(room, tournament)
    assert tournament.held == []


async def test_a_match_opens_at_once_when_its_thread_is_unlocked(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = await announced(room)
    send = discord.PartialMessageable.send

    async def refused(self: Any, *args: Any, **words: Any) -> Any:
        if self.id != room.channel.id:
            raise refusal(400, 50083)
        return await send(self, *args, **words)

    with monkeypatch.context() as patch:
        patch.setattr(discord.PartialMessageable, "send", refused)
        await room.ann.click(room.channel.last_message, label="Start")
        await room.env.settle()
    (match,) = tournament.held
    backend = room.env.backend
    metadata = backend.get_channel(match.thread_id).thread_metadata
    metadata.locked = True
    backend.announce_channel_update(match.thread_id)
    await room.env.settle()
    assert tournament.held == [match]
    metadata.locked = False
    backend.announce_channel_update(match.thread_id)
    await standing(room, tournament)
    assert tournament.held == []


async def test_nobody_is_called_in_a_locked_thread(room: Any) -> None:
    """The bot may manage threads, so Discord would let it write there."""
    room.env.backend.create_thread(room.channel.id, "den", room.ben.id)
    await room.env.settle()
    (thread,) = room.channel.threads
    await room.ann.slash(thread, "tournament create", name="Autumn cup", game="probe")
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    for name in PLAYERS:
        await getattr(room, name).slash(thread, "tournament join")
    metadata = room.env.backend.get_channel(thread.id).thread_metadata
    metadata.locked = True
    room.env.backend.announce_channel_update(thread.id)
    await room.env.settle()
    before = len(thread.history())
    await room.ann.slash(room.channel, "tournament start")
    await until(lambda: tournament.held)
    assert len(thread.history()) == before
    shown = (await room.ben.slash(room.channel, "tournament bracket")).response
    assert say("tournament.held_locked", key="W1.2") in said(shown)
    metadata.locked = False
    room.env.backend.announce_channel_update(thread.id)
    await standing(room, tournament)
    assert len(thread.history()) > before
