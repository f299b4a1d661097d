"""The deadlines of turns: the clock that a table agreed on, and passes that people asked for ahead."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bot.store.games import Deadline, Sitter
from engine.game import State

PASS = "pass"  # noqa: S105 - a verb, no password
"""The verb of the action that an automatic pass makes, in every game that has one."""


def autopass_seconds(terms: Mapping[str, Any], user_id: int | None) -> int:
    """After how many seconds a person passes by themselves at this table; 0 for never."""
    return int(terms.get("autopass", {}).get(str(user_id), 0))


def turn_deadlines(
    game_id: int,
    sitters: Sequence[Sitter],
    terms: Mapping[str, Any],
    state: State[Any, Any],
    kept: Collection[Deadline],
    *,
    now: int,
) -> tuple[Deadline, ...]:
    """What falls due for the people who must act. Seats with deadlines in `kept` keep those.

    An automatic pass comes after the seconds that the person chose, whatever the hand holds, as long
    as passing is allowed at all: its delay tells nothing.
    """
    clock = int(terms.get("clock", 0))
    wanted = list(kept)
    undisturbed = {deadline.seat for deadline in kept}
    for seat in state.to_act():
        user_id = sitters[seat].user_id
        if user_id is None or seat in undisturbed:
            continue
        if clock:
            wanted.append(Deadline(game_id, "turn", seat, now + clock * 1000))
            wanted.append(Deadline(game_id, "remind", seat, now + clock * 500))
        seconds = autopass_seconds(terms, user_id)
        if seconds and any(action[0] == PASS for action in state.legal_actions(seat)):
            wanted.append(Deadline(game_id, PASS, seat, now + seconds * 1000))
    return tuple(wanted)
