"""Presses under a tournament: take part, start, turn its pages, call it off."""

from __future__ import annotations

from discord import ButtonStyle

from bot.features.tournaments.messages import TournamentBoard, tournament_message
from bot.features.tournaments.rights import (
    ANY,
    ASKED,
    CURRENT,
    ORGANISER,
    PARTICIPANT,
    Participant,
    claim_notice,
)
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.ui.components import button, page, shown_ids
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import plain, shown
from bot.ui.outbox import Place

handlers = Handlers[Pressed]()


async def announce(answer: Answer, tournament: Tournament) -> None:
    """Answer with a new tournament; where the answer is lost, it is posted all the same."""
    stored, live = tournament.stored, answer.service(TournamentBoard).live(tournament)
    async with live.answering() as showing:
        message_id = await answer.public(await showing.message())
        if message_id is not None:
            now = live.outbox.clock.now()
            await showing.adopt(Place(stored.channel_id, stored.guild_id, message_id, now))


async def _refresh(pressed: Pressed, tournament: Tournament) -> None:
    """Answer with the tournament, if it is its message that was pressed."""
    message = pressed.interaction.message
    if message is None or pressed.from_private or pressed.custom_id not in shown_ids(message.components):
        await pressed.turn(tournament_message(tournament, pressed.locale))
        return
    live = pressed.service(TournamentBoard).live(tournament)
    if not await live.stands_at(message):
        # a second message of it: its answer was lost, so it was posted again
        await pressed.update(live.moved(live.where.url))
        return
    async with live.answering() as showing:
        await pressed.update(await showing.message())


@handlers.on("cup-join", CURRENT)
async def _join(pressed: Pressed, tournament: Tournament) -> None:
    user = pressed.interaction.user
    await pressed.service(Tournaments).join(tournament, user.id, plain(user.display_name))
    await _refresh(pressed, tournament)


@handlers.on("cup-leave", CURRENT)
async def _leave(pressed: Pressed, tournament: Tournament) -> None:
    if tournament.bracket is not None:  # an old message: the tournament has begun meanwhile
        await ask_to_withdraw(pressed, tournament)
        return
    await pressed.service(Tournaments).leave(tournament, pressed.user_id)
    await _refresh(pressed, tournament)


@handlers.on("cup-start", CURRENT, who=ORGANISER)
async def _start(pressed: Pressed, tournament: Tournament) -> None:
    await pressed.service(Tournaments).start(tournament)
    await _refresh(pressed, tournament)


@handlers.on("cup-page", ANY)
async def _page(pressed: Pressed, tournament: Tournament) -> None:
    """Turn a page, also of a bracket that is played out."""
    await pressed.turn(tournament_message(tournament, pressed.locale, pressed.ref.number(1)))


@handlers.on("cup-off", CURRENT, who=ORGANISER)
async def _off(pressed: Pressed, tournament: Tournament) -> None:
    claim_notice(pressed, tournament)
    await pressed.service(Tournaments).cancel(tournament)
    await pressed.turn(page(pressed.say("tournament.cancelled")))
    await pressed.service(TournamentBoard).tell_off(tournament, pressed.user_id)


@handlers.on("cup-on", CURRENT)
async def _keep(pressed: Pressed, _tournament: Tournament) -> None:
    await pressed.turn(page(pressed.say("tournament.kept")))


async def ask_to_call_off(answer: Answer, tournament: Tournament) -> None:
    """Answer with the question whether the tournament is to be called off."""
    say = answer.say
    yes = button(say("tournament.off_yes"), "cup-off", tournament.id, style=ButtonStyle.danger)
    no = button(say("tournament.off_no"), "cup-on", tournament.id)
    await answer.private(page(say("tournament.off_ask", name=shown(tournament.stored.name)), [yes, no]))


async def ask_to_remove(answer: Answer, tournament: Tournament, user_id: int) -> None:
    """Answer with the question whether somebody is to be taken out of the tournament."""
    say, name = answer.say, shown(tournament.name_of(str(user_id)))
    where = (tournament.id, user_id)
    yes = button(say("tournament.remove_yes"), "cup-remove", *where, style=ButtonStyle.danger)
    no = button(say("tournament.remove_no"), "cup-on", tournament.id)
    key = "remove_ask" if tournament.bracket is None else "remove_ask_running"
    await answer.private(page(say(f"tournament.{key}", player=name), [yes, no]))


@handlers.on("cup-remove", CURRENT, who=ORGANISER)
async def _remove(pressed: Pressed, tournament: Tournament) -> None:
    """Take somebody out: `cup-remove:tournament:user`. Everybody reads who has done it."""
    user_id = pressed.ref.person(1)
    name = tournament.name_of(str(user_id))
    claim_notice(pressed, tournament)
    await pressed.service(Tournaments).leave(tournament, user_id, by=pressed.user_id)
    await pressed.turn(page(pressed.say("tournament.removed", player=shown(name))))


@handlers.on("cup-still", PARTICIPANT, who=ASKED)
async def _still_in(pressed: Pressed, participant: Participant) -> None:
    """Stay in after a missed match: `cup-still:tournament:user`. Only that player's answer counts."""
    tournament, user_id = participant
    await pressed.service(Tournaments).stay(tournament, user_id)
    name = shown(tournament.name_of(str(user_id)))
    await pressed.update(page(pressed.say("tournament.stays_in", player=name)))


async def ask_to_withdraw(answer: Answer, tournament: Tournament) -> None:
    """Answer with the question whether the person is to leave a tournament that has begun."""
    say = answer.say
    yes = button(say("tournament.leave_yes"), "cup-leave-yes", tournament.id, style=ButtonStyle.danger)
    no = button(say("tournament.leave_no"), "cup-leave-no", tournament.id)
    await answer.private(page(say("tournament.leave_ask", name=shown(tournament.stored.name)), [yes, no]))


@handlers.on("cup-leave-yes", CURRENT)
async def _leave_yes(pressed: Pressed, tournament: Tournament) -> None:
    claim_notice(pressed, tournament)
    await pressed.service(Tournaments).leave(tournament, pressed.user_id, by=pressed.user_id)
    await pressed.turn(page(pressed.say("tournament.left", name=shown(tournament.stored.name))))


@handlers.on("cup-leave-no", CURRENT)
async def _leave_no(pressed: Pressed, _tournament: Tournament) -> None:
    await pressed.turn(page(pressed.say("tournament.stayed")))
