"""Tournaments as people live them: entries, matches in threads, a champion, the organiser's rights."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from playground.actions.person import ActionOutcome, Person
from tests.e2e.room import WAIT, Room, hand_of, labels

pytestmark = pytest.mark.asyncio(loop_scope="session")


class TournamentRoom:
    """A tournament with its people; `host` organises it and is no moderator."""

    def __init__(self, room: Room, host: Person, players: list[Person], board: str) -> None:
        self.room = room
        self.host = host
        self.players = players
        self.board = board
        self.number = int(re.search(r"tournament (\d+)", host.text(board))[1])

    @classmethod
    async def announced(cls, room: Room, **options: Any) -> TournamentRoom:
        """Four people take part by button."""
        host = await room.person("ann")
        out = await host.command(
            room.channel,
            "tournament",
            "create",
            name="Autumn cup",
            game="probe",
            option="rounds=1",
            **options,
        )
        assert not out.ephemeral, host.text(out)
        players = [await room.person(name) for name in ("ben", "cleo", "dan", "eve")]
        tournament = cls(room, host, players, str(out.message_id))
        for player in players:
            await player.wait_message(room.channel, lambda m: m["id"] == tournament.board)
            out = await player.press(tournament.board, label="Take part")
            assert out.kind == "update"
            assert player.name in player.text(tournament.board)
        return tournament

    @classmethod
    async def begun(cls, room: Room, **options: Any) -> TournamentRoom:
        """Four people, and the organiser has pressed Start."""
        tournament = await cls.announced(room, **options)
        out = await tournament.host.press(tournament.board, label="Start")
        assert out.kind == "update"
        return tournament

    async def command(self, person: Person, name: str, **options: Any) -> ActionOutcome:
        return await person.command(self.room.channel, "tournament", name, number=self.number, **options)

    def threads(self) -> dict[str, str]:
        """The threads that were opened for matches, by the match."""
        here = [c for c in self.host.channels.values() if c.get("parent_id") == self.room.channel]
        assert len({channel["name"] for channel in here}) == len(here), "no match has two threads"
        return {channel["name"].partition(":")[0]: channel["id"] for channel in here}

    async def match(self, key: str) -> tuple[str, list[Person]]:
        """The message of the match's table, and the two who were called, by seat."""
        thread = await self.host.wait_for(lambda: self.threads().get(key), WAIT)
        names = self.host.channels[thread]["name"].partition(": ")[2].split(" – ")
        by_name = {player.name: player for player in self.players}
        two = [by_name[name] for name in names]
        call = await self.host.wait_message(
            thread, lambda m: "your match is on" in m_text(self.host, m), WAIT
        )
        assert {str(user["id"]) for user in call["mentions"]} == {str(player.me["id"]) for player in two}
        table = await self.host.wait_message(thread, lambda m: "I'm here" in labels(self.host, m["id"]), WAIT)
        for player in two:
            await player.wait_message(thread, lambda m: m["id"] == table["id"])
        way = f"{thread}/{table['id']})"
        await self.host.wait_for(lambda: way in self.host.text(self.board), WAIT)
        return str(table["id"]), two

    async def play(self, key: str) -> Person:
        """Both come and play; the one who bids nothing wins, and is returned."""
        table, (one, two) = await self.match(key)
        stranger = next(player for player in self.players if player not in (one, two))
        await stranger.wait_for(lambda: stranger.text(table))
        out = await stranger.press(table, label="I'm here")
        assert "only its two players can sit here" in stranger.text(out)
        await two.press(table, label="I'm here")
        assert "My hand" not in labels(two, table)
        await one.press(table, label="I'm here")
        await two.wait_for(lambda: "My hand" in labels(two, table), WAIT)
        winner, loser = (one, two) if key.startswith("W1") else (two, one)
        hands = {player.name: await hand_of(player, table) for player in (one, two)}
        await winner.press(hands[winner.name], label="Bid 0")
        await loser.press(hands[loser.name], label="Bid 3")
        await loser.press(hands[loser.name], label="Look at card 1")
        for player in (one, two):
            await player.wait_for(lambda: "Pass" in labels(player, hands[player.name]), WAIT)  # noqa: B023 - called within the round
            await player.press(hands[player.name], label="Pass")
        await winner.wait_for(lambda: "Game over" in winner.text(table), WAIT)
        assert f"**{winner.name}** wins match {key}." in winner.text(table)
        return winner

    def alt(self, person: Person, message: str | ActionOutcome) -> str:
        """The words for the picture of the bracket, which is there to be fetched."""
        (picture,) = person.images(message)
        return str(picture["alt"])


def m_text(person: Person, message: Any) -> str:
    return person.text(message["id"])


async def test_four_people_play_until_there_is_a_champion(room: Room) -> None:
    before = len(room.mia.errors)
    tournament = await TournamentRoom.announced(room)
    out = await tournament.players[0].press(tournament.board, label="Take part")
    assert "take part already" in tournament.players[0].text(out)
    for act in (
        tournament.players[0].press(tournament.board, label="Start"),
        tournament.command(tournament.players[0], "start"),
    ):
        out = await act
        assert out.ephemeral
        assert "Only the organiser" in tournament.players[0].text(out)
    assert not tournament.threads()
    await tournament.host.press(tournament.board, label="Start")
    winners = await asyncio.gather(tournament.play("W1.1"), tournament.play("W1.2"))
    losers = [player for player in tournament.players if player not in winners]

    watcher = room.mia

    def noted() -> bool:
        """Whether both results have come to the board: a match is over a moment before it is noted."""
        alt = tournament.alt(watcher, tournament.board)
        return all(f"{winner.name} beat" in alt for winner in winners)

    await watcher.wait_for(noted, WAIT)
    out = await tournament.command(watcher, "bracket")
    assert out.ephemeral
    alt = tournament.alt(watcher, out)
    assert "Autumn cup" in watcher.text(out)
    for winner in winners:
        assert re.search(rf"{winner.name} beat ({'|'.join(p.name for p in losers)})\.", alt)
    assert (await watcher.fetch(watcher.images(out)[0]["url"])).startswith(b"\x89PNG")

    champion = await tournament.play("W2.1")
    second = next(winner for winner in winners if winner is not champion)
    await watcher.wait_for(
        lambda: f"**{champion.name}** wins the tournament" in watcher.text(tournament.board), WAIT
    )
    assert f"{champion.name} beat {second.name}." in tournament.alt(watcher, tournament.board)
    assert set(tournament.threads()) == {"W1.1", "W1.2", "W2.1"}
    assert [error["lines"] for error in room.mia.errors[before:]] == []


async def test_the_organiser_notes_a_result(room: Room) -> None:
    tournament = await TournamentRoom.begun(room)
    table, (one, two) = await tournament.match("W1.1")
    out = await tournament.command(one, "report", match="W1.1", winner=one.name)
    assert "Only the organiser" in one.text(out)
    found = await tournament.host.autocomplete(
        room.channel, "tournament", "report", focus="match", number=tournament.number, winner=""
    )
    assert [choice["value"] for choice in found.choices] == ["W1.1", "W1.2"]
    for wrong, words in (({"match": "W9.9"}, "no match W9.9"), ({"winner": "nobody"}, "isn't in match W1.1")):
        out = await tournament.command(
            tournament.host, "report", **{"match": "W1.1", "winner": two.name, **wrong}
        )
        assert out.ephemeral
        assert words in tournament.host.text(out)
    out = await tournament.command(tournament.host, "report", match="W1.1", winner=two.name)
    assert "Note match W1.1" in tournament.host.text(out)
    out = await tournament.host.press(str(out.message_id), label="Note it")
    assert "W1.1 is noted" in tournament.host.text(out)
    await two.wait_for(lambda: "This match is decided" in two.text(table), WAIT)
    await two.wait_for(lambda: f"{two.name} beat {one.name}." in tournament.alt(two, tournament.board), WAIT)
    out = await tournament.command(tournament.host, "report", match="W1.1", winner=two.name)
    assert "has that result already" in tournament.host.text(out)
    # a moderator may do it too, and the final is opened for the two who won
    _, others = await tournament.match("W1.2")
    out = await tournament.command(room.mia, "report", match="W1.2", winner=str(others[0].me["id"]))
    out = await room.mia.press(str(out.message_id), label="Note it")
    assert "W1.2 is noted" in room.mia.text(out)
    _, finalists = await tournament.match("W2.1")
    assert {player.name for player in finalists} == {two.name, others[0].name}


async def test_calling_off_asks_first(room: Room) -> None:
    tournament = await TournamentRoom.begun(room, kind="double")
    table, (one, _two) = await tournament.match("W1.1")
    out = await tournament.command(one, "cancel")
    assert "Only the organiser" in one.text(out)
    out = await tournament.command(tournament.host, "cancel")
    assert out.ephemeral
    assert "Call off Autumn cup?" in tournament.host.text(out)
    assert labels(tournament.host, out) == ["Call it off", "Go on"]
    yes = str(tournament.host.button(out, label="Call it off")["custom_id"])
    forged = await one.press(tournament.board, yes, forge=True, component_type=2)
    assert "Only the organiser" in one.text(forged)
    await tournament.host.press(str(out.message_id), label="Go on")
    assert "goes on" in tournament.host.text(out)
    assert "I'm here" in labels(one, table)
    out = await tournament.command(tournament.host, "cancel")
    await tournament.host.press(str(out.message_id), label="Call it off")
    assert "called off" in tournament.host.text(out)
    await one.wait_for(lambda: "called off" in one.text(tournament.board), WAIT)
    await one.wait_for(lambda: "I'm here" not in labels(one, table), WAIT)
    out = await tournament.command(tournament.host, "bracket")
    assert "called off" in tournament.host.text(out)


async def test_withdrawing_from_a_running_tournament_asks_first(room: Room) -> None:
    tournament = await TournamentRoom.begun(room)
    table, (one, two) = await tournament.match("W1.1")
    out = await tournament.command(one, "leave")
    assert out.ephemeral
    assert "your matches still to come are lost" in one.text(out)
    await one.press(str(out.message_id), label="Stay")
    assert "I'm here" in labels(one, table)
    out = await tournament.command(one, "leave")
    await one.press(str(out.message_id), label="Withdraw")
    said = f"{two.name} won by walkover against {one.name}."
    await two.wait_for(lambda: said in tournament.alt(two, tournament.board), WAIT)


async def test_the_thread_says_who_wins_when_somebody_leaves(room: Room) -> None:
    tournament = await TournamentRoom.begun(room)
    table, (one, two) = await tournament.match("W1.1")
    for player in (one, two):
        await player.press(table, label="I'm here")
    await two.wait_for(lambda: "My hand" in labels(two, table), WAIT)
    more = await one.press(table, label="More")
    out = await one.press(str(more.message_id), label="Leave")
    await one.press(str(out.message_id), label="Leave the game")
    await two.wait_for(
        lambda: f"{one.name}** has left, so **{two.name}** wins match W1.1" in two.text(table), WAIT
    )


async def test_a_tournament_says_what_is_played_and_what_is_missing(room: Room) -> None:
    host = await room.person("ann")
    out = await host.command(
        room.channel, "tournament", "create", name="Duel", game="duel52", option="variant=quick"
    )
    assert "Variant: Quick" in host.text(out)
    assert "Needs 3 more players to start." in host.text(out)
    for wrong in ("variant=solo", "variant=triangles"):
        out = await host.command(
            room.channel, "tournament", "create", name="Duel", game="duel52", option=wrong
        )
        assert out.ephemeral
        assert "with these options Duel 52 isn't one" in host.text(out)
