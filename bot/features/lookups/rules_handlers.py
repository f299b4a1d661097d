"""The rules: turning their pages, and switching to another game."""

from __future__ import annotations

from bot.features.lookups.rules_messages import first_screen, rule_screens, rules_message
from bot.features.table.rights import TABLE, find_table
from bot.locales import Words
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui.components import Control, Message, button
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.navigation import share_button

handlers = Handlers[Pressed]()


def rules_button(say: Words, table: Table) -> Control:
    """Return the button that opens the rules below a table."""
    return button(say("table.rules"), "rules", table.id)


def rules_button_in_lobby(say: Words, table: Table) -> Control:
    """Return the button that opens the rules in a lobby."""
    return button(say("lobby.rules"), "rules", table.id)


async def show_rules(answer: Answer, game: str) -> None:
    """Answer with the rules of a game; in a channel with a table of it, the page of its level first."""
    here = await answer.service(Tables).in_channel(answer.interaction.channel_id or 0, practice=False)
    table = next((table for table in here if table.game.key == game), None)
    await answer.private(_message(answer, game, 0, table))


def _message(answer: Answer, game: str, at: int, table: Table | None) -> Message:
    share = share_button(answer, "rules", game, table.id if table is not None else 0, at)
    playing = table is not None and answer.user_id in table.people()
    return rules_message(game, answer.locale, at, table=table, playing=playing, beside=share)


async def _named(pressed: Pressed) -> tuple[str, Table | None]:
    """The game and the table that the id names."""
    return pressed.game(), await find_table(pressed, 1) if pressed.ref.number(1) else None


@handlers.on("rules", TABLE)
async def _rules(pressed: Pressed, table: Table) -> None:
    await pressed.private(_message(pressed, table.game.key, 0, table))


@handlers.on("rule-page")
async def _page(pressed: Pressed) -> None:
    """Another page, by its number in the select."""
    game, table = await _named(pressed)
    number = int(pressed.value) if pressed.values and pressed.value.isdecimal() else 0
    at = first_screen(rule_screens(game, pressed.locale, table), number)
    await pressed.turn(_message(pressed, game, at, table))


@handlers.on("rule-turn")
async def _turn(pressed: Pressed) -> None:
    """The part before or after, by its number among all."""
    game, table = await _named(pressed)
    await pressed.turn(_message(pressed, game, pressed.ref.number(2), table))


@handlers.on("rule-game")
async def _game(pressed: Pressed) -> None:
    await pressed.turn(_message(pressed, pressed.chosen_game(), 0, None))


async def share_rules(pressed: Pressed, answer: Answer) -> Message:
    """Return a part of the rules for everyone: `share:rules:game:table:part`."""
    table = await find_table(pressed, 2) if pressed.ref.number(2) else None
    return rules_message(pressed.game(1), answer.locale, pressed.ref.number(3), table=table)
