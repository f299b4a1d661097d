"""Permission checks of tournaments."""

from __future__ import annotations

from collections.abc import Hashable

from bot.core.errors import Refused
from bot.features.tournaments.tournament import Tournament
from bot.ui.app import Interaction
from bot.ui.context import Answer
from bot.ui.rate_limiter import IN_CHANNEL, OF_MATCH, PostLimit
from bot.ui.rights import in_sight, moderates


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


def must_organise(interaction: Interaction, tournament: Tournament) -> None:
    """Return if this person may run the tournament: its organiser, or someone who may manage messages there.

    Raises:
        Refused: they may not, or not from here.
    """
    must_reach_tournament(interaction, tournament)
    tournament.must_organise(
        interaction.user.id, moderator=moderates(interaction, tournament.stored.guild_id)
    )


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
