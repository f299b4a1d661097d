"""What the deal of the day shows: all games of it, one game with its board, and the card to share.

Nothing of it tells a card or a seed: others have the same deal before them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from discord import ButtonStyle

from bot import presenters
from bot.features.daily.service import puzzle_game, setting
from bot.features.puzzles.service import puzzles_of
from bot.features.table import SeatView, hand_button
from bot.locales import Words, words
from bot.store import days
from bot.store.days import Begun, DailyPlace, DailyResult
from bot.table.table import Table
from bot.ui.components import Control, MenuLine, Message, TextWithButton, button, page, select
from bot.ui.names import shown

MEDALS: Final = {1: "🥇", 2: "🥈", 3: "🥉"}
SQUARES: Final = 5
"""How many squares the card has for the distance to the best opponent."""
STEPS: Final = (0, 1, 3, 7, 15)
"""More points than these light up one square more."""


class Daily(NamedTuple):
    """The deal of a day in one game as one person sees it."""

    day: str
    game: str
    ready: bool
    """Whether it was drawn in time."""
    begun: Begun | None
    places: Sequence[DailyPlace]
    among: int
    streak: int
    promise: str
    """The commitment of tomorrow."""


def state_words(game: str, done: DailyResult, say: Words) -> str:
    """How somebody has done, in words."""
    facts = {"rank": done.rank, "seats": setting(game)[1], "moves": say("daily.moves", n=done.moves)}
    points = presenters.get(game).points
    if not points:
        return say("daily.done", **facts)
    far = abs(done.margin)
    score = say(points, n=int(far) if far == int(far) else far)
    side = "ahead" if done.margin > 0 else "behind" if done.margin else "level"
    return say("daily.done_points", margin=say(f"daily.{side}", score=score), **facts)


def _state(game: str, begun: Begun | None, say: Words) -> str:
    if begun is None:
        return say("daily.fresh")
    return say("daily.open") if begun.done is None else state_words(game, begun.done, say)


def _streak(streak: int, say: Words) -> str:
    return say("daily.streak", n=streak) if streak else say("daily.no_streak")


def _next(day: str) -> int:
    return days.begins_at(days.shifted(day, 1)) // 1000


def days_message(
    day: str,
    mine: Mapping[str, Begun],
    ready: Collection[str],
    streak: int,
    locale: str,
    *,
    here: Sequence[str | TextWithButton] = (),
) -> Message:
    """All games of today, and how the person did in each; `ready`: those whose deal was drawn in time.

    `here`: what this channel is told of it.
    """
    say, lines, menu = words(locale), list[str](), list[MenuLine]()
    for game in presenters.offered():
        title, begun = presenters.get(game).title(locale), mine.get(game)
        state = _state(game, begun, say) if begun or game in ready else say("daily.tomorrow")
        if ready or mine:  # else the sentence above says it of all
            lines.append(say("daily.entry", game=title, state=state))
        menu.append(MenuLine(game, title))
    head = say("daily.list", date=day, next=_next(day))
    told = _streak(streak, say) if ready else first_deals(say)
    chooser = [select(say("daily.choose"), menu, "daily-of")] if ready or mine else []
    controls = [*chooser, *puzzle_button(day, say)]
    return page(head, told, "\n".join(lines), controls, *here)


def first_deals(say: Words) -> str:
    """Return why nothing can be played yet: the first deals are drawn some seconds after a start."""
    return say("daily.first")


def puzzle_button(day: str, say: Words) -> list[Control]:
    """The way to the puzzle of this day; none where no game has any."""
    games = [game for game in presenters.offered() if puzzles_of(game)]
    if not games:
        return []
    game = puzzle_game(day, games)
    label = say("daily.puzzle_in", game=presenters.get(game).title(say.language))
    return [button(label, "daily-puzzle", game, emoji="🧩")]


def daily_message(found: Daily, share: Sequence[Control], locale: str) -> Message:
    """One game of today: how the person stands, the board, and the ways on."""
    say, game, title = words(locale), found.game, presenters.get(found.game).title(locale)
    head = say("daily.heading", game=title, date=found.day)
    if not found.ready:
        ways: list[Control] = [*_puzzle(game, say), _all(say)]
        return page(head, say("daily.none", next=_next(found.day)), ways, _promise(found, say))
    told = say("daily.state", state=_state(game, found.begun, say)) if found.begun else say("daily.intro")
    lines = [
        say("daily.line", place=one.place, name=shown(one.name), state=state_words(game, one.done, say))
        for one in found.places
    ] or [say("daily.nobody")]
    if found.among:
        lines.append(say("daily.among", n=found.among))
    board = "\n".join((say("daily.board"), *lines))
    back: list[Control] = []
    if found.begun is not None and found.begun.done is not None:
        back.append(hand_button(say("daily.to_game"), found.begun.game_id))
    controls: list[Control] = [_way_on(found, say), *back, *share, *_puzzle(game, say), _all(say)]
    return page(head, f"{told}\n{_streak(found.streak, say)}", board, controls, _promise(found, say))


def _way_on(found: Daily, say: Words) -> Control:
    if found.begun is None:
        return button(say("daily.play"), "daily-go", found.game, style=ButtonStyle.success)
    if found.begun.done is None:
        return hand_button(say("daily.go_on"), found.begun.game_id, style=ButtonStyle.success)
    return button(say("daily.again"), "daily-go", found.game, "again")


def _puzzle(game: str, say: Words) -> list[Control]:
    """The way to the puzzle of the day in this game."""
    if not puzzles_of(game):
        return []
    return [button(say("daily.puzzle"), "daily-puzzle", game, emoji="🧩")]


def _all(say: Words) -> Control:
    return button(say("daily.all"), "dailies")


def _promise(found: Daily, say: Words) -> str:
    return say("daily.promise", digest=found.promise) if found.promise else ""


def share_card(found: Daily, done: DailyResult, locale: str) -> str:
    """How somebody did, in a few lines for everybody: nothing that tells a card or a move."""
    say, seats = words(locale), setting(found.game)[1]
    title = presenters.get(found.game).title(locale)
    lines = [
        say("daily.card_title", game=title, date=found.day),
        say("daily.card_place", medal=MEDALS.get(done.rank, "🔹"), rank=done.rank, seats=seats),
        squares(done.margin) if presenters.get(found.game).points else "",
        say("daily.card_moves", n=done.moves),
        say("daily.card_streak", n=found.streak) if found.streak > 1 else "",
        say("daily.card_call"),
    ]
    return "\n".join(filter(None, lines))


def squares(margin: float) -> str:
    """A row of squares, the more the further ahead, or behind; told apart by shape as well.

    >>> squares(4), squares(-1), squares(0)
    ('🟩🟩🟩⬜⬜', '🔻⬜⬜⬜⬜', '⬜⬜⬜⬜⬜')
    """
    lit = sum(abs(margin) > step for step in STEPS)
    return ("🟩" if margin > 0 else "🔻") * lit + "⬜" * (SQUARES - lit)


def board_button(say: Words, table: Table) -> Control | None:
    """Return the button that shows how others did with the deal of a day, after it was played."""
    if not table.stored.terms.daily:
        return None
    return button(say("daily.to_board"), "daily", table.game.key, emoji="🗓️")


def board_button_in_hand(say: Words, view: SeatView) -> Control | None:
    """Return the same for a hand, where it is what most people want next."""
    if not view.table.stored.terms.daily:
        return None
    game = view.table.game.key
    return button(say("daily.to_board"), "daily", game, emoji="🗓️", style=ButtonStyle.success)
