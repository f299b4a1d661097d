"""Faults in private views: open hands, views of watchers, and answers whose pictures are late."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.watching.watchers import Watchers
from bot.ui.context import Answer
from bot.ui.discord_errors import NOT_DONE
from bot.ui.live.open_hands import OpenHands
from bot.ui.live.publisher import TablePublisher
from tests.sim.registry import planted

# -- open hands -----------------------------------------------------------------------------------


@planted("hand")
def a_hand_is_not_looked_at_after_a_writing(patch: pytest.MonkeyPatch) -> None:
    """What has changed meanwhile waits for the next change."""
    written = OpenHands._written

    def content(hands: OpenHands, key: Any, here: Any) -> Any:
        written(hands, key, here)

    patch.setattr(OpenHands, "_written", content)


@planted("hand", often=True)
def every_third_change_reaches_no_hand(patch: pytest.MonkeyPatch) -> None:
    turn_over, calls = OpenHands.turn_over, [0]

    async def lazy(hands: OpenHands, table: Any, user_id: int) -> None:
        calls[0] += 1
        if calls[0] % 3:
            await turn_over(hands, table, user_id)

    patch.setattr(OpenHands, "turn_over", lazy)


@planted("hand")
def a_late_picture_of_a_hand_never_follows(patch: pytest.MonkeyPatch) -> None:
    """The words that stand for it count as the picture."""
    written = OpenHands._written

    def content(hands: OpenHands, key: Any, here: Any) -> Any:
        here.late = False
        return written(hands, key, here)

    patch.setattr(OpenHands, "_written", content)


@planted("hand")
def a_hand_that_was_not_written_counts_as_shown(patch: pytest.MonkeyPatch) -> None:
    send = OpenHands._send

    async def hopeful(hands: OpenHands, *args: Any) -> None:
        try:
            await send(hands, *args)
        except NOT_DONE:
            return

    patch.setattr(OpenHands, "_send", hopeful)


@planted("hand", "older")
def an_answer_during_a_writing_counts_as_the_newest(patch: pytest.MonkeyPatch) -> None:
    shown = OpenHands.shown

    def sure(hands: OpenHands, interaction: Any, table: Any, *args: Any, **how: Any) -> None:
        before = hands._open.get((table.id, interaction.user.id))
        shown(hands, interaction, table, *args, **how)
        hands._open[table.id, interaction.user.id].again = False
        if before is not None:
            before.again = False

    patch.setattr(OpenHands, "shown", sure)


@planted("older")
def what_replaced_a_hand_is_painted_over(patch: pytest.MonkeyPatch) -> None:
    async def careless(*_: Any) -> None:
        return

    patch.setattr(OpenHands, "close_hand", careless)


# -- watchers -------------------------------------------------------------------------------------


@planted("view", kind="watch")
def a_view_is_not_written_after_a_change_during_a_writing(patch: pytest.MonkeyPatch) -> None:
    turn_over = Watchers.turn_over

    async def deaf(views: Watchers, table: Any, user_id: int) -> None:
        here = views._views.get((table.id, user_id))
        if here is None or not here.writing:
            await turn_over(views, table, user_id)

    patch.setattr(Watchers, "turn_over", deaf)


@planted("view", kind="watch", often=True)
def watchers_hear_of_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TablePublisher, "refresh_watchers", lambda *_: None)


# -- late pictures of answers -----------------------------------------------------------------------


@planted("late")
def a_late_picture_of_an_answer_never_follows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Answer, "_follow", lambda *_, **__: None)
