"""What a channel reads each morning: yesterday's boards, today's deals, the puzzle of the day.

Yesterday is over everywhere, so how people did may be told; of today there is nothing but the way to begin.
"""

from __future__ import annotations

from discord import ButtonStyle

from bot import presenters
from bot.features.daily.messages import MEDALS, first_deals, puzzle_button, state_words
from bot.features.daily.morning_rows import DailyBoard, Summary
from bot.locales import Words, words
from bot.ui.components import Control, Message, button, page
from bot.ui.names import shown


def morning_message(summary: Summary, locale: str) -> Message:
    """The morning of a day for everybody in a server."""
    say = words(locale)
    boards = [_board(board, say) for board in summary.boards if board.game in presenters.offered()]
    today = [game for game in presenters.offered() if game in summary.ready]
    controls: list[Control] = [
        button(presenters.get(game).title(locale), "daily-go", game, style=ButtonStyle.success)
        for game in today
    ]
    title, nobody = say("morning.yesterday"), say("morning.nobody")
    if summary.before:
        title = say("morning.results_of", date=summary.before)
        nobody = say("morning.nobody_on", date=summary.before)
    return page(
        say("morning.heading", date=summary.day),
        "\n".join((title, *(boards or [nobody]))),
        say("morning.today") if today else first_deals(say),
        [*controls, *puzzle_button(summary.day, say)],
    )


def _board(board: DailyBoard, say: Words) -> str:
    title = presenters.get(board.game).title(say.language)
    lines = [say("morning.board", game=title, people=say("morning.people", n=board.among))]
    for place, streak in zip(board.places, board.streaks, strict=True):
        line = say(
            "morning.line",
            medal=MEDALS.get(place.place, f"{place.place}."),
            name=shown(place.name),
            state=state_words(board.game, place.done, say),
        )
        lines.append(line + (say("morning.streak", n=streak) if streak > 1 else ""))
    return "\n".join(lines)
