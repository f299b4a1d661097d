"""The commands of tournaments, typed: what they take, what they offer, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from bot.locales import words
from bot.tables.cup import Cup
from tests.flows.test_moving import said
from tests.support.tables import settle

say = words("en")
pytestmark = pytest.mark.simcord(check_errors=False)  # refused commands are what some of this is about


async def quiet(room: Any) -> None:
    for _ in range(3):
        await settle(room.bot.app.tables)
        await room.env.settle()


async def announced(room: Any, *, entered: tuple[str, ...] = (), **options: Any) -> Cup:
    await room.ann.slash(room.channel, "tournament create", name="Autumn cup", game="probe", **options)
    (cup,) = room.bot.app.cups.of_guild(room.guild.id)
    for name in entered:
        await getattr(room, name).slash(room.channel, "tournament join")
    return cup


async def running(room: Any) -> Cup:
    cup = await announced(room, entered=("ann", "ben", "cleo"))
    await room.ann.slash(room.channel, "tournament start")
    await quiet(room)
    assert cup.stored.phase == "running"
    return cup


def entered(cup: Cup) -> list[str]:
    return [entrant.name for entrant in cup.entrants]


async def test_people_come_and_go_while_it_is_announced(room: Any) -> None:
    cup = await announced(room, entered=("ann", "ben"))
    assert entered(cup) == ["ann", "ben"]
    answer = await room.ben.slash(room.channel, "tournament leave")
    assert say("cup.left", name="Autumn cup") in said(answer.response)
    assert entered(cup) == ["ann"]


async def test_who_leaves_while_it_runs_is_asked_first(room: Any) -> None:
    cup = await running(room)
    before = cup.stored.revision
    answer = await room.ben.slash(room.channel, "tournament leave")
    assert answer.ephemeral
    assert (cup.stored.revision, len(cup.entrants)) == (before, 3)


async def test_the_bracket_is_shown_to_who_asks(room: Any) -> None:
    await running(room)
    answer = await room.cleo.slash(room.channel, "tournament bracket")
    assert answer.ephemeral
    assert "Autumn cup" in said(answer.response)
    assert answer.response.attachments


@pytest.mark.parametrize("typed", ["rounds=2", "rounds=2, deck=big", "rounds"])
async def test_options_are_typed_with_their_values(room: Any, typed: str) -> None:
    answer = await room.ann.slash(room.channel, "tournament create", name="Cup", game="probe", option=typed)
    cups = room.bot.app.cups.of_guild(room.guild.id)
    if typed == "rounds=2":
        assert [cup.stored.options["rounds"] for cup in cups] == [2]
        return
    assert cups == []
    assert typed.rsplit(maxsplit=1)[-1] in said(answer.response)
    assert "rounds=1/2/3" in said(answer.response)


async def test_a_report_offers_the_matches_that_are_due_and_their_players(room: Any) -> None:
    cup = await running(room)
    (match,) = cup.bracket.ready() if cup.bracket else ()
    offered = await room.ann.autocomplete(room.channel, "tournament report", "match", "")
    assert [choice["value"] for choice in offered] == [match.key]
    names = {str(e.user_id): e.name for e in cup.entrants}
    assert all(names[player] in offered[0]["name"] for player in match.players)
    offered = await room.ann.autocomplete(room.channel, "tournament report", "winner", "", match=match.key)
    assert [choice["value"] for choice in offered][1:] == list(match.players)
    assert offered[0]["name"] == say("cup.drawn")
    nobody = await room.ann.autocomplete(room.channel, "tournament report", "winner", "", match="W9.9")
    assert [choice["value"] for choice in nobody] == [offered[0]["value"]]
    first = names[match.players[0]]
    found = await room.ann.autocomplete(room.channel, "tournament report", "winner", first[:3])
    assert [choice["name"] for choice in found] == [first]


async def test_a_report_decides_a_match_by_name_or_number(room: Any) -> None:
    cup = await running(room)
    (match,) = cup.bracket.ready() if cup.bracket else ()
    name = next(e.name for e in cup.entrants if str(e.user_id) == match.players[1])
    refused = await room.ben.slash(room.channel, "tournament report", match=match.key, winner=name)
    assert refused.ephemeral
    assert cup.bracket is not None
    assert cup.bracket.match(match.key).winner == ""
    answer = await room.ann.slash(room.channel, "tournament report", match=match.key, winner=name)
    await quiet(room)
    assert say("cup.reported", key=match.key) in said(answer.response)
    assert cup.bracket.match(match.key).winner == match.players[1]


async def test_calling_off_is_asked_first(room: Any) -> None:
    cup = await announced(room)
    answer = await room.ann.slash(room.channel, "tournament cancel")
    assert answer.ephemeral
    assert cup.stored.phase != "cancelled"
    assert room.bot.app.cups.of_guild(room.guild.id) == [cup]
