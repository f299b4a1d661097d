"""Presses that note or correct results, and take withdrawals back. Each is asked once before it counts."""

from __future__ import annotations

from discord import ButtonStyle

from bot.core.errors import Refused
from bot.custom_ids import InvalidCustomId
from bot.features.tournaments.corrections import digest, with_result
from bot.features.tournaments.match_results import OPEN, is_result, result_of
from bot.features.tournaments.notices import result_words
from bot.features.tournaments.rights import (
    ANY,
    ANY_PARTICIPANT,
    ORGANISER,
    READMITTER,
    Participant,
    claim_notice,
)
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.ui.components import button, page
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import inert, shown

handlers = Handlers[Pressed]()


async def ask_to_note(answer: Answer, tournament: Tournament, key: str, result: str) -> None:
    """Answer with the question whether a match is to have this result.

    Raises:
        Refused: the result is noted already, or the tournament is over.
        BracketError: the match cannot have this result, or it is too late.
        StoreError: the database did not answer.
    """
    corrections, say = answer.service(Tournaments).corrections, answer.say
    bracket = corrections.check(tournament)
    match = bracket.match(key)
    before = result_of(match)
    if before == result and (result != OPEN or not match.draws):
        raise Refused("result_known", match=key)
    with_result(bracket, key, result, await corrections.begun(tournament))
    facts = {
        "key": key,
        "one": shown(tournament.name_of(match.players[0])),
        "two": shown(tournament.name_of(match.players[1])),
        "result": result_words(tournament, key, result, say),
        "before": result_words(tournament, key, before, say),
    }
    what = "note" if before == OPEN else "change"
    args = (tournament.id, key, result, digest(match))
    yes = button(say(f"tournament.{what}_yes"), "cup-note", *args, style=ButtonStyle.success)
    no = button(say("tournament.note_no"), "cup-note-no", tournament.id)
    await answer.private(page(say(f"tournament.{what}_ask", **facts), [yes, no]))


async def ask_to_readmit(answer: Answer, tournament: Tournament, user_id: int) -> None:
    """Answer with the question whether a withdrawal is to be taken back.

    Raises:
        Refused: the tournament is over.
        BracketError: they have not withdrawn, or it is too late.
        StoreError: the database did not answer.
    """
    corrections, say = answer.service(Tournaments).corrections, answer.say
    corrections.check(tournament).readmit(str(user_id), await corrections.begun(tournament))
    name = shown(tournament.name_of(str(user_id)))
    yes = button(
        say("tournament.readmit_yes"),
        "cup-return-yes",
        tournament.id,
        user_id,
        style=ButtonStyle.success,
    )
    no = button(say("tournament.note_no"), "cup-note-no", tournament.id)
    await answer.private(page(say("tournament.readmit_ask", player=name), [yes, no]))


@handlers.on("cup-note", ANY, who=ORGANISER)
async def _note(pressed: Pressed, tournament: Tournament) -> None:
    """Note a result: `cup-note:tournament:match:result:digest`."""
    key, result, known = (pressed.ref.word(place) for place in (1, 2, 3))
    if not is_result(result):
        raise InvalidCustomId("no result")
    claim_notice(pressed, tournament, key)
    await pressed.service(Tournaments).note(tournament, key, result, by=pressed.user_id, known=known)
    await pressed.turn(page(pressed.say("tournament.reported", key=inert(key))))


@handlers.on("cup-note-no", ANY)
async def _leave_it(pressed: Pressed, _tournament: Tournament) -> None:
    await pressed.turn(page(pressed.say("tournament.nothing_noted")))


@handlers.on("cup-back", ANY, who=ORGANISER)
async def _take_back(pressed: Pressed, tournament: Tournament) -> None:
    """Ask whether a match is to be played after all: `cup-back:tournament:match`."""
    await ask_to_note(pressed, tournament, pressed.ref.word(1), OPEN)


@handlers.on("cup-return", ANY_PARTICIPANT, who=READMITTER)
async def _return(pressed: Pressed, participant: Participant) -> None:
    """Ask whether a withdrawal is to be taken back: `cup-return:tournament:user`."""
    await ask_to_readmit(pressed, *participant)


@handlers.on("cup-return-yes", ANY_PARTICIPANT, who=READMITTER)
async def _readmit(pressed: Pressed, participant: Participant) -> None:
    """Take a withdrawal back: `cup-return-yes:tournament:user`."""
    tournament, user_id = participant
    claim_notice(pressed, tournament)
    await pressed.service(Tournaments).readmit(tournament, user_id, by=pressed.user_id)
    name = shown(tournament.name_of(str(user_id)))
    await pressed.turn(page(pressed.say("tournament.readmitted", player=name)))
