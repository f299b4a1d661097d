"""Permission checks of tournaments."""

from __future__ import annotations

from bot.features.tournaments.tournament import Tournament
from bot.tables.ports import Refused
from bot.ui.app import Interaction
from bot.ui.rights import moderates


def must_reach_tournament(interaction: Interaction, tournament: Tournament) -> Tournament:
    """Return the tournament if this is its server.

    Raises:
        Refused: this is another server. The words do not say that the tournament exists.
    """
    if interaction.guild_id != tournament.stored.guild_id:
        raise Refused("no_tournament", tournament=tournament.id)
    return tournament


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
