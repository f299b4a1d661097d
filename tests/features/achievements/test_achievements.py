"""/achievements: what people have, the title that they choose, and where others read it."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Connection

from bot.locales import words
from bot.presenters import achievements as named
from bot.presenters import offered
from bot.presenters.achievements import borne, keys_of
from bot.render.pages.badges import MOTIFS
from bot.store import achievements
from tests.support.discord.forging import forge
from tests.support.discord.people import play
from tests.support.discord.room_play import board_of, dealt, play_out

say = words("en")


async def earn(room: Any, who: Any, *keys: str, game: str = "atom_duel") -> None:
    def write(connection: Connection) -> None:
        achievements.add(connection, who.id, game, 1, dict.fromkeys(keys, 2), 5)

    await room.bot.app.database.write_at_once(write)


def said(message: Any) -> str:
    return str(message.components)


async def shown(room: Any, who: Any, **options: Any) -> Any:
    return (await who.slash(room.channel, "achievements", game="atom_duel", **options)).response


async def test_what_somebody_has_and_what_is_left(room: Any) -> None:
    await earn(room, room.ann, "alloy")
    own = await shown(room, room.ann)
    assert own.ephemeral
    assert "Smith: Win a hand with an alloy. Yours 2 times." in said(own)
    assert "Comeback: Win from two points behind before the last round. Not yet." in said(own)
    assert "Atom Duel: 1 of 6" in said(own)
    asked = await shown(room, room.ben, person=room.ann.user)
    assert "Yours 2 times" in said(asked)
    assert "v:bear" not in str(asked.components)
    other = (await forge(room.ann, own, f"v:achieved:{room.ann.id}", ("atom",))).response
    assert "Atom: 0 of 7" in said(other)


async def test_a_title_is_chosen_and_read_by_others(room: Any) -> None:
    await earn(room, room.ann, "alloy")
    await play(room, {"people": (room.ann.id, room.ben.id), "ranks": (1, 2)})
    own = await shown(room, room.ann)
    chosen = (await forge(room.ann, own, "v:bear:atom_duel", ("alloy",))).response
    assert "Smith" in said(chosen)
    assert room.bot.app.preferences.known(room.ann.id).title == "atom_duel:alloy"
    stats = (await room.ben.slash(room.channel, "stats", person=room.ann.user)).response
    assert "Smith" in said(stats)
    board = (await room.ben.slash(room.channel, "leaderboard", game="atom_duel")).response
    assert ", Smith: Wins 1" in said(board)
    await forge(room.ann, own, "v:bear:atom_duel", ("none",))
    assert room.bot.app.preferences.known(room.ann.id).title == ""


async def test_nobody_bears_what_they_do_not_have(room: Any) -> None:
    await earn(room, room.ann, "alloy")
    own = await shown(room, room.ann)
    await forge(room.ann, own, "v:bear:atom_duel", ("comeback",))
    assert room.bot.app.preferences.known(room.ann.id).title == ""


async def test_the_end_tells_each_what_was_new(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(named, "title", lambda _game, key, _language: key.upper())
    await dealt(room, rounds="1")
    table = await play_out(room)

    def write(connection: Connection) -> None:
        achievements.clear(connection)
        achievements.add(connection, room.ann.id, "probe", table.id, {"in_a_row": 1}, 5)
        achievements.add(connection, room.ann.id, "probe", table.id + 1, {"small_card": 1}, 6)

    await room.bot.app.database.write_at_once(write)
    board = board_of(room)
    mine = said((await room.ann.click(board, label=say("end.picture"))).response)
    assert "New: IN_A_ROW" in mine
    assert "SMALL_CARD" not in mine
    assert "New:" not in said((await room.ben.click(board, label=say("end.picture"))).response)


def test_every_achievement_has_its_words_and_its_badge() -> None:
    for game in offered():
        for key in keys_of(game):
            for language in ("en", "zh-CN"):
                assert named.title(game, key, language)
                assert named.text(game, key, language)
            assert named.motif(game, key) in MOTIFS
            assert borne(f"{game}:{key}", "en") == named.title(game, key, "en")
    for word in ("", "atom", "atom:gone", "gone:sweep"):
        assert borne(word, "en") == ""
