"""Controls are for the people that their handlers name. Everyone else reads why they may not press them."""

from __future__ import annotations

from typing import Any

import pytest

from bot import locales
from bot.features.table import rights as table_rights
from bot.ui import rights, router
from bot.ui.handlers import Who
from tests.support.discord.controls import PRIVATE, PUBLIC, chosen, ref
from tests.support.discord.forging import answer_of, forge
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refused commands are what this is about


def verbs_for(who: Who[Any]) -> list[str]:
    """Return the controls of tables that only these people may press."""
    known = router.handlers()
    return [verb for verb in sorted(PRIVATE | PUBLIC) if known.who[verb] is who]


def refusal(key: str, table: Any) -> str:
    return locales.words("en")(f"refused.{key}", table=table.id, host=table.stored.host_id)


def state_of(table: Any) -> Any:
    stored = table.stored
    return table.phase, table.seq, tuple(table.sitters), dict(stored.options), stored.terms, stored.host_id


async def test_a_lobby_is_arranged_by_its_host_alone(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    lobby = room.channel.last_message
    await room.ben.click(lobby, label="Join or leave")
    table = the_table(room)
    before = state_of(table)
    verbs = verbs_for(table_rights.HOST)
    assert {"arrange", "options", "start", "remove-yes", "let-in", "make-friendly"} <= set(verbs)
    for verb in verbs:
        for person in (room.ben, room.cleo):
            custom_id = ref(table, verb, (PRIVATE | PUBLIC)[verb], 0)
            result = await forge(person, lobby, custom_id, chosen(verb))
            assert refusal("host_only", table) in said(answer_of(result)), verb
    assert state_of(table) == before


@pytest.mark.parametrize(
    ("who", "key", "some"),
    [
        (table_rights.PLAYER, "not_seated", {"more", "undo", "pause", "resume", "hands-show", "leave-yes"}),
        (table_rights.RUNNER, "run_rights", {"computer"}),
        (table_rights.CLOSER, "cancel_rights", {"close", "close-yes"}),
    ],
)
async def test_a_game_is_run_by_those_who_sit_there(room: Any, who: Any, key: str, some: set[str]) -> None:
    board = await dealt(room)
    table = the_table(room)
    before, count = state_of(table), len(at_hand(room.bot.tables))
    verbs = verbs_for(who)
    assert some <= set(verbs)
    for verb in verbs:
        result = await forge(room.cleo, board, ref(table, verb, (PRIVATE | PUBLIC)[verb], 0), chosen(verb))
        assert refusal(key, table) in said(answer_of(result)), verb
    assert state_of(table) == before
    assert len(at_hand(room.bot.tables)) == count


@pytest.mark.parametrize(
    ("who", "key", "some"),
    [
        (rights.SERVER_MANAGER, "server_rights", {"server", "server-clear", "server-who", "server-games"}),
        (rights.CHANNEL_MANAGER, "settings_rights", {"settings-here", "set-here", "here-morning"}),
    ],
)
async def test_settings_are_changed_by_those_who_manage_the_place(
    room: Any, who: Any, key: str, some: set[str]
) -> None:
    board = await dealt(room)
    known = router.handlers()
    verbs = [verb for verb in sorted(known) if known.who[verb] is who]
    assert some <= set(verbs)
    for verb in verbs:
        result = await forge(room.ann, board, f"v:{verb}", ("1",))
        assert locales.words("en")(f"refused.{key}") in said(answer_of(result)), verb
    direct = await room.ann.user.slash("help")
    for verb in verbs:
        result = await forge(room.ann.user, direct.response, f"v:{verb}", ("1",))
        assert locales.words("en")(f"refused.{key}") in said(answer_of(result)), verb
