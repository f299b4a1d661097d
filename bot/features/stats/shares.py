"""Leaderboards and statistics as they are shown to everybody in the channel."""

from __future__ import annotations

from bot.features.stats.handlers import Scope, leaderboard_message, stats_message
from bot.ui.components import Message
from bot.ui.context import Answer, Pressed


async def share_board(pressed: Pressed, answer: Answer) -> Message:
    """`share:board:game:scope:page`."""
    game = pressed.game(1)
    return await leaderboard_message(
        answer, game, Scope.read(pressed.ref.word(2), game), pressed.ref.number(3)
    )


async def share_stats(pressed: Pressed, answer: Answer) -> Message:
    """`share:stats` or `share:stats:rivals`: one's own."""
    rivals = pressed.ref.word(1) == "rivals"
    return await stats_message(answer, pressed.interaction.user, rivals=rivals)
