"""Who may do what with a tournament."""

from __future__ import annotations

from bot.features.tournaments.tournament import Tournament
from bot.tables.ports import Refused
from bot.ui.app import Interaction
from bot.ui.rights import moderates


def must_reach_tournament(interaction: Interaction, tournament: Tournament) -> Tournament:
    """The tournament, if this is its server.

    Raises:
        Refused: it is another; as if there were no such tournament.
    """
    if interaction.guild_id != tournament.stored.guild_id:
        raise Refused("no_tournament", tournament=tournament.id)
    return tournament


def must_organise(interaction: Interaction, tournament: Tournament) -> None:
    """Return if this person may run the tournament: its organiser, or who may manage messages there.

    Raises:
        Refused: neither, or not from here.
    """
    must_reach_tournament(interaction, tournament)
    tournament.must_organise(
        interaction.user.id, moderator=moderates(interaction, tournament.stored.guild_id)
    )
