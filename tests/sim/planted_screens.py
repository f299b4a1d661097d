"""Faults in private views: open hands, views of watchers, and answers whose pictures are late."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from bot.features.table.hand.open_hands import OpenHand, OpenHands
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.watching.watchers import WatcherView
from bot.ui.context import Answer
from bot.ui.discord_errors import NOT_DONE
from bot.ui.live.picture_delivery import change_answer
from tests.sim.registry import planted

# -- open hands -----------------------------------------------------------------------------------


@planted("hand")
def a_hand_is_not_looked_at_after_a_writing(patch: pytest.MonkeyPatch) -> None:
    """A change during the writing is shown with the next one."""
    write = OpenHand._round

    async def once(hand: OpenHand) -> bool:
        await write(hand)
        return False

    patch.setattr(OpenHand, "_round", once)


@planted("hand", often=True)
def every_third_change_reaches_no_hand(patch: pytest.MonkeyPatch) -> None:
    refresh, calls = OpenHands.refresh, [0]

    async def lazy(hands: OpenHands, table: Any, user_id: int) -> None:
        calls[0] += 1
        if calls[0] % 3:
            await refresh(hands, table, user_id)

    patch.setattr(OpenHands, "refresh", lazy)


@planted("hand")
def a_late_picture_of_a_hand_never_follows(patch: pytest.MonkeyPatch) -> None:
    """The words that stand for it count as the picture."""

    def content(hand: OpenHand, moment: object) -> bool:
        return hand.delivery.sure and hand.delivery.known in ((moment, True), (moment, False))

    patch.setattr(OpenHand, "shows", content)


@planted("hand")
def a_hand_that_was_not_written_counts_as_shown(patch: pytest.MonkeyPatch) -> None:
    send = OpenHand.send

    async def hopeful(hand: OpenHand, *args: Any) -> None:
        with contextlib.suppress(*NOT_DONE):
            await send(hand, *args)

    patch.setattr(OpenHand, "send", hopeful)


@planted("older")
def what_replaced_a_hand_is_painted_over(patch: pytest.MonkeyPatch) -> None:
    async def careless(*_: Any) -> None:
        return

    patch.setattr(OpenHands, "close_hand", careless)


@planted("older")
def a_hand_is_painted_over_a_newer_answer(patch: pytest.MonkeyPatch) -> None:
    """A painted hand is sent although its message was pressed and answered meanwhile."""

    async def stubborn(hand: OpenHand) -> bool:
        interaction, current = hand.interaction, hand._current
        if current is None:
            return False
        message = current.build().fitted(hand.prefs)
        files = await message.attachments(hand._studio, later=True, whose=hand.user_id)
        with hand.delivery.on_its_way((message.moment, True)):
            await change_answer(interaction, message, files, hand.locale)
        return True

    patch.setattr(OpenHand, "write", stubborn)


# -- watchers -------------------------------------------------------------------------------------


@planted("view", kind="watch")
def a_view_is_not_written_after_a_change_during_a_writing(patch: pytest.MonkeyPatch) -> None:
    write = WatcherView._round

    async def once(view: WatcherView) -> bool:
        await write(view)
        return False

    patch.setattr(WatcherView, "_round", once)


@planted("view", kind="watch", often=True)
def watchers_hear_of_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(TablePublisher, "refresh_watchers", lambda *_: None)


# -- late pictures of answers -----------------------------------------------------------------------


@planted("late")
def a_late_picture_of_an_answer_never_follows(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Answer, "_follow", lambda *_, **__: None)
