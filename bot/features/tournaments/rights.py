"""Permission checks of tournaments."""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from bot.core.errors import Refused
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.tournament import Tournament
from bot.ui.app import Interaction
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Reach, Who
from bot.ui.rate_limiter import IN_CHANNEL, OF_MATCH, PostLimit
from bot.ui.rights import MODERATOR, in_sight


def must_reach_tournament(interaction: Interaction, tournament: Tournament) -> Tournament:
    """Return the tournament if this is its server, and the person takes part, runs it, or sees its channel.

    Raises:
        Refused: it is not. The words do not say that the tournament exists.
    """
    if interaction.guild_id != tournament.stored.guild_id or not is_in_sight(interaction, tournament):
        raise Refused("no_tournament", tournament=tournament.id)
    return tournament


def is_in_sight(interaction: Interaction, tournament: Tournament) -> bool:
    """Return whether this person takes part in a tournament, runs it, or can see its channel."""
    people = (tournament.stored.host_id, *(entrant.user_id for entrant in tournament.entrants))
    return interaction.user.id in people or in_sight(interaction, tournament.stored.channel_id, unknown=True)


async def _find_current(pressed: Pressed) -> Tournament:
    found = pressed.service(Tournaments).get(pressed.ref.number(0))
    return must_reach_tournament(pressed.interaction, found)


async def _find_any(pressed: Pressed) -> Tournament:
    return await to_look_at(pressed, pressed.ref.number(0))


async def to_look_at(answer: Answer, number: int) -> Tournament:
    """Return the tournament of that number, also when it is over.

    Raises:
        Refused: this server has no such tournament.
    """
    found = await answer.service(Tournaments).look(number)
    return must_reach_tournament(answer.interaction, found)


class Participant(NamedTuple):
    """A person in a tournament."""

    tournament: Tournament
    user_id: int


async def _find_participant(pressed: Pressed) -> Participant:
    return Participant(await _find_current(pressed), pressed.ref.person(1))


async def _find_any_participant(pressed: Pressed) -> Participant:
    return Participant(await _find_any(pressed), pressed.ref.person(1))


CURRENT = Reach(_find_current)
"""A tournament of this server that is open or running."""
ANY = Reach(_find_any)
"""A tournament of this server, also one that is over."""
PARTICIPANT = Reach(_find_participant)
"""A person in a tournament that is open or running: `verb:tournament:user`."""
ANY_PARTICIPANT = Reach(_find_any_participant)
"""A person in a tournament, also in one that is over."""


async def _must_organise(answer: Answer, tournament: Tournament) -> None:
    if answer.user_id != tournament.stored.host_id:
        raise Refused("organiser_only", host=tournament.stored.host_id)


async def _must_be_asked(answer: Answer, participant: Participant) -> None:
    if answer.user_id != participant.user_id:
        raise Refused("not_your_question", who=participant.user_id)


async def _must_readmit(answer: Answer, participant: Participant) -> None:
    tournament, user_id = participant
    if answer.user_id != user_id or user_id in tournament.stored.terms.removed:
        await ORGANISER.must_include(answer, tournament)


ORGANISER = Who(_must_organise) | MODERATOR
"""The organiser of a tournament, and the moderators of its server."""
ASKED = Who(_must_be_asked)
"""The person themselves."""
READMITTER = Who(_must_readmit)
"""Organisers, and the person who withdrew unless an organiser removed them."""


def must_be_here(guild_id: int | None) -> int:
    """Return the server of a tournament.

    Raises:
        Refused: tournaments need one.
    """
    if guild_id is None:
        raise Refused("tournament_needs_server")
    return guild_id


def claim_notice(answer: Answer, tournament: Tournament, match: str = "") -> None:
    """Count a notice that this press makes the bot post, about a result of `match` if one is named.

    Raises:
        Refused: there have just been many.
    """
    of_match = {OF_MATCH: (tournament.id, match)} if match else {}
    subjects: dict[PostLimit, Hashable] = {IN_CHANNEL: tournament.stored.channel_id, **of_match}
    answer.app.posts.claim(answer.interaction.id, subjects)
