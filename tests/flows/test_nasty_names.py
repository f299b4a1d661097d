"""What people call themselves and their tournaments, and what they type: data, never Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.tournaments.service import Tournaments
from tests.support.discord.lobbies import choose
from tests.support.discord.room_play import KINDS, the_table
from tests.support.discord.room_tournaments import reported
from tests.support.tables.tables import settle

LINK, EMPHASIS, MENTION = "[Nitro](https://x.co/a)", "# x**Z**`q`||s||", "<@77> @everyone </play:1>"
TOURNAMENT = "[Claim Nitro](https://x.co/cup)"
TYPED = "[x](https://x.co/typed) **Z**"
RAW = {
    "a masked link": r"(?<!\\)\[(Nitro|Claim|x\])",
    "an address": r"https://(x\.co|qqqq)",
    "emphasis": r"x\*\*Z|(?<!\\)\*\*Z(?<!\\)\*\*|(?<!\\)`q|(?<!\\)\|\|s",
    "a heading": r"(?m)^(-#|#+) x",
    "a mention": r"<@77>|@everyone|</play",
}
"""What would work if it came out as it was typed."""
pytestmark = pytest.mark.simcord(check_errors=False)  # some commands are refused on purpose


def working(text: str) -> list[str]:
    return [f"{what}: {text!r}" for what, pattern in RAW.items() if re.search(pattern, text)]


def texts(part: Any) -> Iterator[str]:
    """Everything in a request that Discord reads as Markdown."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "content" and isinstance(value, str):
                yield value
            yield from texts(value)
    elif isinstance(part, list):
        for each in part:
            yield from texts(each)


def check(room: Any, *, least: int) -> None:
    """Nothing that the bot has said works; and it has said the names often enough for that to count."""
    said = [text for entry in room.env.http_requests for text in texts(entry.json)]
    assert [bad for text in said for bad in working(text)] == []
    assert sum(("Nitro" in text) or ("Z" in text) or ("77" in text) for text in said) >= least


@pytest.fixture
def nasty(room: Any) -> Any:
    people = [
        room.guild.add_member(room.env.create_user(f"user{n}", global_name=name))
        for n, name in enumerate((LINK, EMPHASIS, MENTION))
    ]
    return SimpleNamespace(ann=people[0], ben=people[1], cleo=people[2])


def test_the_check_can_fail() -> None:
    for name in (LINK, EMPHASIS, MENTION, TOURNAMENT, TYPED):
        assert working(name)
    assert working(f"**{EMPHASIS}** wins")
    assert not working("**Ann** wins [table 3](https://discord.com/channels/1/2)")


async def test_names_at_a_table(room: Any, nasty: Any) -> None:
    ann, ben, cleo = nasty.ann, nasty.ben, nasty.cleo
    lobby = (await ann.slash(room.channel, "play", game="probe")).response
    table = the_table(room)
    for person in (ben, cleo):
        await person.click(lobby, label="Join or leave")
    await choose(ann, lobby, rounds="1")
    await ben.slash(room.channel, "hand")
    await ann.click(lobby, label="Start")
    assert [sitter.name for sitter in table.sitters] == [LINK, EMPHASIS, MENTION]
    persons = SimpleNamespace(**{**vars(room), **vars(nasty)})
    for kind, open_it in KINDS.items():
        if "lobby" not in kind and kind != "list of tables":
            assert (await open_it(persons, lobby)).acknowledged, kind
    for person in (ann, ben, cleo):
        for command in ("stats", "leaderboard", "games"):
            await person.slash(
                room.channel, command, **({"game": "probe"} if command == "leaderboard" else {})
            )
        await person.slash(room.channel, "move", choice="Bid 1")
    for label in ("Why?", "Log", "Rules", "My hand"):
        await cleo.click(again(room, lobby), label=label)
    while table.phase == "live" and table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, None, table.legal[seat][-1])
    await settle(room.bot.tables)
    assert table.phase == "over"
    await room.env.advance_time(5)
    for label in ("Why?", "Log", "Record"):
        await ben.click(again(room, lobby), label=label)
    await ann.slash(room.channel, "leaderboard", game="probe")
    check(room, least=20)


def again(room: Any, message: Any) -> Any:
    return next(m for m in room.channel.history() if m.id == message.id)


async def test_names_of_people_who_leave(room: Any, nasty: Any) -> None:
    lobby = (await nasty.ann.slash(room.channel, "play", game="probe")).response
    await nasty.ben.click(lobby, label="Join or leave")
    await nasty.ann.click(lobby, label="Start")
    more = (await nasty.ben.click(again(room, lobby), label="More")).response
    asked = (await nasty.ben.click(more, label="Leave")).response
    await nasty.ben.click(asked, label="Leave the game")
    await room.env.settle()
    check(room, least=3)


@pytest.mark.long
async def test_names_in_a_tournament(room: Any, nasty: Any) -> None:
    ann, ben, cleo = nasty.ann, nasty.ben, nasty.cleo
    await ann.slash(room.channel, "tournament create", name=TOURNAMENT, game="duel52", minutes=1)
    (tournament,) = room.bot.app.service(Tournaments).of_guild(room.guild.id)
    assert tournament.stored.name == TOURNAMENT
    for person in (ann, ben, cleo):
        await person.slash(room.channel, "tournament join")
    await cleo.slash(room.channel, "tournament leave")
    await cleo.click(room.channel.last_message, label="Take part")
    await ann.autocomplete(room.channel, "tournament join", "number", "")
    await ann.slash(room.channel, "tournament start")
    await room.env.settle()
    await ben.slash(room.channel, "tournament bracket")
    asked = (await ben.slash(room.channel, "tournament leave")).response
    await ben.click(asked, label="Stay")
    for match, winner in ((TYPED, "x"), ("W1.1", TYPED)):
        await ann.slash(room.channel, "tournament report", match=match, winner=winner)
    await reported(room, ann, tournament.bracket.ready()[0].key, "drawn")
    while tournament.bracket is not None and not tournament.bracket.champion:
        ready = tournament.bracket.ready()[0]
        await reported(room, ann, ready.key, ready.players[0])
        await room.env.settle()
    check(room, least=10)


async def test_a_tournament_that_is_called_off(room: Any, nasty: Any) -> None:
    await nasty.ann.slash(room.channel, "tournament create", name=TOURNAMENT, game="duel52")
    asked = (await nasty.ann.slash(room.channel, "tournament cancel")).response
    await nasty.ann.click(asked, label="Call it off")
    await room.env.settle()
    check(room, least=2)


async def test_what_is_typed_comes_back_as_it_was_typed(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    await room.ann.click(room.channel.last_message, label="Rules")
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    await room.ann.click(lobby, label="Start")
    for command, options in (
        ("card", {"name": "[x](https://qqqqzzzz)"}),
        ("move", {"choice": TYPED}),
        ("tournament create", {"name": "cup", "game": "duel52", "option": TYPED}),
    ):
        result = await room.ann.slash(room.channel, command, **options)
        assert "\\[x" in "".join(texts(result.response.components)), command
    check(room, least=0)
