"""The controls that open a game, for the messages of other features."""

from __future__ import annotations

from discord import ButtonStyle

from bot.features.table import SeatView
from bot.features.table.slots import RulesOfGame
from bot.locales import Words
from bot.table.table import Table
from bot.table.table_kinds import can_retry
from bot.ui.components import Control, button


def games_button(say: Words, _thing: None) -> Control:
    """Return the button that lists the games."""
    return button(say("help.play"), "poster", style=ButtonStyle.success)


def rematch_button(say: Words, table: Table) -> Control:
    """Return the button that opens another game below a table that is over."""
    return button(say("table.again"), "again", table.id, style=ButtonStyle.success)


def rematch_in_hand(say: Words, view: SeatView) -> Control | None:
    """Return the same for a hand, unless something else is more likely wanted there."""
    table = view.table
    return None if table.stored.terms.daily or can_retry(table) else rematch_button(say, table)


def next_game_button(say: Words, table: Table) -> Control | None:
    """Return the button that opens another game like this one; the deal of a day is played once."""
    return None if table.stored.terms.daily else button(say("table.again"), "again", table.id)


def rules_play_button(say: Words, rules: RulesOfGame) -> Control | None:
    """Return the button that opens a game below its rules, unless the person is playing it."""
    return None if rules.playing else button(say("poster.play"), "now", rules.game, style=ButtonStyle.success)


def lesson_play_button(say: Words, game: str) -> Control:
    """Return the button that opens a game after a lesson."""
    return button(say("learn.play"), "now", game, style=ButtonStyle.success)


def puzzle_play_button(say: Words, game: str) -> Control:
    """Return the button that opens a game after a puzzle."""
    return button(say("learn.play"), "now", game)


def options_button(say: Words, table: Table) -> Control | None:
    """Return the button that opens the options of a game, unless they are fixed as in a match."""
    fixed = not table.game.options or table.stored.terms.tournament
    return None if fixed else button(say("lobby.options"), "options", table.id)
