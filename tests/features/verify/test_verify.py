"""`/verify`: the proof of a deal in words, and one clear sentence for any other file."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from bot.features.verify import command as verify
from bot.features.verify.service import checked
from bot.locales import words
from engine import record
from tests.support.discord.keys import part
from tests.support.discord.room_play import dealt, play_out
from tests.support.discord.sent_messages import said

say = words("en")


async def kept(room: Any) -> record.Record:
    """The record of a finished game of Ann and Ben."""
    await dealt(room, rounds="1")
    found: record.Record = await room.bot.tables.record(await play_out(room))
    return found


async def shown(room: Any, raw: bytes) -> str:
    answer = (await room.cleo.slash(room.channel, "verify", record=("game.json", raw))).response
    assert answer.ephemeral
    return said(answer)


async def test_a_record_shows_its_proof(room: Any) -> None:
    game = await kept(room)
    told = await shown(room, record.to_json(game))
    assert say("verify.holds") in told
    for fact in (game.commitment, game.seed, game.nonce, *game.entropy, "ann, ben"):
        assert fact in told
    assert say("verify.steps", n=len(game.steps)) in told
    assert "won" not in told, "it is no place to learn how a game ended"


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"seed": "00" * 32}, "commitment"),
        ({"entropy": ["1"]}, "step"),
        ({"steps": []}, "outcome"),
        ({"outcome": None}, "outcome"),
        ({"steps": [], "outcome": None}, "outcome"),
        ({"version": 77}, "version"),
        ({"seats": 99}, "setup"),
    ],
)
async def test_a_record_that_was_changed_says_what_does_not_hold(
    room: Any, change: dict[str, Any], wrong: str
) -> None:
    game = msgspec.structs.replace(await kept(room), **change)
    found = checked(record.to_json(game))
    assert found.wrong == wrong
    told = await shown(room, record.to_json(game))
    assert say(f"verify.{wrong}", n=found.step, version=77) in told
    assert say("verify.holds") not in told
    assert (part("verify.fails") in told) == (wrong != "version"), "rules of another day prove nothing"


async def test_a_last_step_that_is_no_action_is_told_as_a_step(room: Any) -> None:
    game = await kept(room)
    garbled = msgspec.structs.replace(game.steps[-1], action=["fly"])
    found = checked(record.to_json(msgspec.structs.replace(game, steps=[*game.steps[:-1], garbled])))
    assert (found.wrong, found.step) == ("step", len(game.steps))


@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize(
    "raw", [b"", b"\x89PNG", b"{}", b"[" * 5000, b'{"format": 9}', "ä".encode("latin-1")]
)
async def test_what_is_no_record_is_refused_in_a_sentence(room: Any, raw: bytes) -> None:
    assert say("refused.verify_broken") in await shown(room, raw)


@pytest.mark.simcord(check_errors=False)
@pytest.mark.parametrize("change", [{"seed": "not hexadecimal"}, {"entropy": ["eight"]}])
async def test_numbers_that_are_none_are_no_fault_of_the_table(room: Any, change: dict[str, Any]) -> None:
    game = msgspec.structs.replace(await kept(room), **change)
    assert say("refused.verify_broken") in await shown(room, record.to_json(game))


@pytest.mark.simcord(check_errors=False)
async def test_a_foreign_or_huge_file_is_refused_in_a_sentence(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = msgspec.structs.replace(await kept(room), game="chess")
    assert say("refused.verify_foreign") in await shown(room, record.to_json(game))
    monkeypatch.setattr(verify, "MOST_BYTES", 2**20)
    assert say("refused.verify_huge", most=1) in await shown(room, bytes(2**20 + 1))


def test_a_record_from_a_simulation_says_so() -> None:
    found = checked(b"{}")
    assert found.wrong == "broken"
    told = verify.proof_message(msgspec.structs.replace(found, wrong="", game="atom_duel", steps=1), "en")
    assert say("verify.bare") in str(told.view.to_components())
