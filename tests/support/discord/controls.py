"""Controls with their custom ids: every one that a message shows, and how they are pressed."""

from __future__ import annotations

from typing import Any

from bot import custom_ids as ids
from bot.features.challenge.handlers import CHALLENGE
from bot.features.table.rights import HAND, LOBBY, TABLE
from bot.ui import router
from bot.ui.handlers import Reach
from tests.support.discord.room_play import dealt
from tests.support.discord.sent_messages import custom_ids
from tests.support.tables.tables import at_hand
from tests.support.waiting import until

_MORE = {
    "autopass": ":{seat}",
    "go": ":{seat}:{decision}:",
    "sel": ":{seat}:{decision}:",
    "sure": ":{seat}:{decision}:bid-1",
    "pick": ":{seat}:{decision}:",
    "page": ":{seat}:{decision}::1",
    "group": ":{seat}:{decision}::+",
    "add": ":{seat}:{decision}::+:a",
    "help": ":{seat}",
    "hint": ":{seat}:{decision}",
    "moral": ":end",
    "try-again": ":0",
    **dict.fromkeys(("undo-ask", "agree", "decline"), ":{decision}"),
    **dict.fromkeys(("let-in", "turn-away"), ":1"),
    **dict.fromkeys(("house-replace", "take-up", "stay-away"), ":1"),
    "opt": ":rounds",
}
"""The rest of an id after the number of the table, if it has one."""


def _that_reach(*reach: Reach[Any]) -> dict[str, str]:
    known = router.handlers().reach
    return {verb: _MORE.get(verb, "") for verb, each in sorted(known.items()) if each in reach}


PRIVATE = _that_reach(HAND) | {"stand": ""}
"""Controls in a hand, with the rest of their ids. The holder of the seat may press them anywhere."""
PUBLIC = _that_reach(TABLE, LOBBY, CHALLENGE)
"""Controls under a table, with the rest of their ids."""
SELECTS = {"sel": "bid", "pick": "a", "group": "a", "add": "a", "closer-part": "0", "add-opponent": "random"}


async def standing(person: Any, channel: Any) -> Any:
    """A message of the bot in a place, to press on; in direct messages without a channel."""
    result = await (person.slash(channel, "help") if channel is not None else person.slash("help"))
    return result.response


def ref(table: Any, verb: str, rest: str, seat: int) -> str:
    decision = table.decisions[seat] if table.decisions else 0
    return f"v:{verb}:{table.id}" + rest.format(seat=seat, decision=decision)


def chosen(verb: str) -> tuple[str, ...] | None:
    return (SELECTS[verb],) if verb in SELECTS else None


UNDER_A_LOBBY = {
    "v:join:1": None,
    "v:stand:1": None,
    "v:add-opponent:1": ("random",),
    "v:drop-opponent:1": None,
    "v:opt:1:rounds": ("3",),
    "v:clock:1": ("3600",),
    "v:place:1": ("here",),
    "v:close:1": None,
    "v:close-no:1": None,
    "v:start:1": None,
    "v:rules:1": None,
    "v:close-yes:1": None,
}


async def over(room: Any) -> Any:
    board = await dealt(room)
    (table,) = at_hand(room.bot.tables).values()
    while waiting := table.waiting():
        await table.act(waiting[0], None, table.legal[waiting[0]][0])
    await until(lambda: table.phase == "over")
    return board


def way(hand: Any, label: str) -> str:
    """The id of the first button of a hand that decides."""
    return next(i for i in custom_ids(hand.components) if ids.parse(i).verb == "go" and i.endswith(label))
