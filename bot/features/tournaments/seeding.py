"""The order in which players enter a bracket."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.features.stats import rows as boards
from bot.features.tournaments.rows import TournamentState
from bot.features.tournaments.tournament import Tournament
from bot.store.database import Database
from bot.store.rating_model import ALL_TIME, RatingBoard
from engine import brackets, catalog

RATED_FROM = 25.0 - 3 * 25.0 / 3
"""The ordinal of somebody who has no rating yet: openskill's mu less three sigma."""


async def ratings_of(tournament: Tournament, database: Database) -> dict[str, float]:
    """Return the ordinals of the entrants who are rated in this server, if these decide about the seeds.

    Raises:
        StoreError: the database did not answer.
    """
    stored, ids = tournament.stored, [entrant.user_id for entrant in tournament.entrants]
    if stored.terms.seeding != "rating":
        return {}
    variant = catalog.get(stored.game).variant(stored.options)
    board = RatingBoard(stored.game, variant, ALL_TIME, stored.guild_id)
    rated = await database.read_at_once(lambda c: boards.ratings_on(c, ids, board))
    return {str(user): rating.mu - 3 * rating.sigma for user, rating in rated.items()}


def seeds_of(state: TournamentState, rated: Mapping[str, float], key: bytes) -> Sequence[str]:
    """Return the players from the first seed on: by rating, or drawn by this key."""
    players = [str(entrant.user_id) for entrant in state.entrants]
    if state.stored.terms.seeding == "rating":
        return brackets.by_rating({player: rated.get(player, RATED_FROM) for player in players})
    return brackets.at_random(players, key)
