"""The real bot in a simulated Discord, and databases to test on."""

from tests.support.discord.simulated_discord import (  # noqa: F401 - fixtures
    chance,
    drawn,
    empty_database,
    far_timers,
    folder,
    generous_limits,
    menu_once,
    patience,
    permissions_of_the_chosen,
    room,
    settings,
    simcord_bot,
)
from tests.support.processes.databases import database, opened_tables, postgres, upgraded, url  # noqa: F401 - fixtures
