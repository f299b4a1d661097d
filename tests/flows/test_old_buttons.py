"""Buttons never die: those that stand in messages of the release 4312b94 still do what they say.

The ids were written down from messages of that release; nothing that people may still have on their
screens is ever renamed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.custom_ids import parse
from bot.locales import words
from bot.ui import router
from tests.support.discord.controls import UNDER_A_LOBBY, over
from tests.support.discord.forging import forge
from tests.support.discord.room_play import dealt
from tests.support.discord.sent_messages import said

say = words("en")
pytestmark = pytest.mark.simcord(check_errors=False)

UNDER_A_GAME = {
    "v:hand:1": None,
    "v:why:1": None,
    "v:log:1": None,
    "v:log:1:0": None,
    "v:rules:1": None,
    "v:leave:1": None,
    "v:leave-no:1": None,
    "v:closer:1": None,
    "v:closer-part:1": ("0",),
    "v:leave-yes:1": None,
}
IN_A_HAND = {
    "v:hand:1:0": None,
    "v:autopass:1:0": None,
    "v:help:1:0": ("1",),
    "v:go:1:0:0:bid0": None,
    "v:sel:1:0:0:": ("bid0",),
    "v:page:1:0:0::1": None,
    "v:pick:1:0:0:": ("a",),
    "v:group:1:0:0::+": ("a",),
    "v:add:1:0:0::+:a": ("b",),
}
UNDER_AN_END = {"v:again:1": None, "v:record:1": None, "v:keepsake:1": None, "v:why:1": None, "v:log:1": None}
UNDER_A_TOURNAMENT = {
    "v:cup-join:1": None,
    "v:cup-leave:1": None,
    "v:cup-page:1:0:b": None,
    "v:cup-on:1": None,
    "v:cup-leave-no:1": None,
    "v:cup-start:1": None,
    "v:cup-leave-yes:1": None,
    "v:cup-off:1": None,
}
ANYWHERE = {
    "v:element:0": ("fe",),
    "v:cards-page:atom_duel:0:1:f": None,
    "v:cards-tag:atom_duel": ("all",),
    "v:cards-one:atom_duel:0:0": ("fe",),
    "v:rule-page:atom_duel:0": ("1",),
    "v:games:0:b": None,
    "v:board:atom_duel:server:0:f": None,
}


async def lobby(room: Any) -> Any:
    return (await room.ann.slash(room.channel, "play", game="probe")).response.message


async def tournament(room: Any) -> Any:
    made = await room.ann.slash(room.channel, "tournament create", game="probe", name="Cup")
    return made.response.message


Stage = Callable[[Any], Awaitable[Any]]
PRESSES: tuple[tuple[Stage, dict[str, tuple[str, ...] | None]], ...] = (
    (lobby, UNDER_A_LOBBY),
    (dealt, UNDER_A_GAME),
    (dealt, IN_A_HAND),
    (over, UNDER_AN_END),
    (tournament, UNDER_A_TOURNAMENT),
    (lobby, ANYWHERE),
)


@pytest.mark.parametrize(("stage", "presses"), PRESSES)
async def test_an_old_button_is_known(
    room: Any, stage: Stage, presses: dict[str, tuple[str, ...] | None]
) -> None:
    message = await stage(room)
    for custom_id, values in presses.items():
        with capture_logs() as lines:
            answer = await forge(room.ann, message, custom_id, values)
            await room.env.settle()
        told = said(answer.response) if answer.response is not None else ""
        assert say("refused.not_a_button") not in told, custom_id
        assert not [line for line in lines if line["event"] in ("unforeseen", "forged or foreign id")], (
            custom_id
        )


def test_no_verb_of_that_release_is_gone() -> None:
    known = {parse(custom_id).verb for _, presses in PRESSES for custom_id in presses}
    assert known <= set(router.handlers())
    assert len(known) == 46  # as many as it had
