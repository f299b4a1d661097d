"""A league as people see it: announced, its standings in pages, a draw, a withdrawal, a winner."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.tournaments.tournament import Tournament
from bot.locales import words
from tests.support.discord.room_tournaments import announced, quiet, reported
from tests.support.discord.sent_messages import said
from tests.support.share import share
from tests.support.waiting import until

say = words("en")
PLAYERS = ("ann", "ben", "cleo", "dan")


async def shown(room: Any, tournament: Tournament) -> Any:
    """The tournament's message, when it shows the newest state."""
    await quiet(room)
    await until(lambda: tournament.stored.shown == tournament.stored.revision)
    channel = room.bot.get_partial_messageable(room.channel.id)
    return await channel.fetch_message(tournament.stored.message_id)


def text(message: Any) -> str:
    """All that it says, with the words for its picture."""
    (container,) = message.components
    pictures = [item for child in container.children for item in getattr(child, "items", ())]
    return " ".join([str(message.components), *(item.description for item in pictures)])


@pytest.mark.parametrize("kind", share(["swiss", "round_robin"], 2))
async def test_a_whole_league(room: Any, kind: str) -> None:
    tournament = await announced(room, entered=PLAYERS[:3], kind=kind)
    await room.ann.slash(room.channel, "tournament start")
    message = await shown(room, tournament)
    bracket = tournament.bracket
    assert bracket is not None
    assert bracket.league is not None
    rounds = {"swiss": 2, "round_robin": 3}[kind]
    assert say("league.rounds", kind=say(f"tournament.kind_{kind}"), n=rounds) in text(message)
    (match,) = bracket.ready()
    names = {str(e.user_id): e.name for e in tournament.entrants}
    assert say(
        "tournament.plays", key="R1.1", one=names[match.players[0]], two=names[match.players[1]]
    ) in text(message)
    assert say("league.resting", name=names[bracket.league.bye]) in text(message)
    assert say("league.round", n=1, of=rounds) in text(message)
    await reported(room, room.ann, "R1.1", "drawn")
    message = await shown(room, tournament)
    assert say("league.round", n=2, of=rounds) in text(message)
    assert "0 won, 1 drawn, 0 lost, points 0.5" in text(message)
    own = await room.cleo.slash(room.channel, "tournament bracket")
    assert own.ephemeral
    assert own.response.attachments
    league = tournament.bracket.league if tournament.bracket is not None else None
    assert league is not None
    gone = next(name for name in ("ben", "cleo") if str(getattr(room, name).id) != league.bye)
    asked = await getattr(room, gone).slash(room.channel, "tournament leave")
    await getattr(room, gone).click(asked.response, label=say("tournament.leave_yes"))
    await quiet(room)
    while tournament.bracket is not None and (ready := tournament.bracket.ready()):
        winner = names[ready[0].players[0]]
        await reported(room, room.ann, ready[0].key, winner)
        await quiet(room)
    message = await shown(room, tournament)
    assert tournament.stored.phase == "over"
    assert tournament.bracket is not None
    champion = names[tournament.bracket.champion]
    assert champion != gone
    assert say("tournament.champion", name=champion) in text(message)
    assert f"{champion} {say('tournament.wins_it', players=say('tournament.players', n=3))}" in text(message)
    assert say("league.withdrawn") in text(message) or say("league.annulled") in text(message)


async def test_more_rounds_than_others_to_meet_are_not_offered(room: Any) -> None:
    tournament = await announced(room, kind="swiss", rounds=2)
    assert tournament.stored.terms.rounds == 2
    message = await room.cleo.slash(room.channel, "tournament bracket")
    assert say("league.rounds", kind=say("tournament.kind_swiss"), n=2) in said(message.response)
