"""Address and world outlast the playground."""

from __future__ import annotations

import asyncio
import socket

import msgspec
import pytest

from playground import Person, run, start
from playground.store import Store, Unreadable


async def _lived(connect, pg):
    """A world in which things have happened, as the sample bot and some people make them."""
    ann, mia = await connect(pg, "ann"), await connect(pg, "mia")
    out = await ann.command("card-table", "play", game="duel_52")
    await ann.press(out.message_id, label="Hand")
    said = await ann.say("card-table", "hello <@1>")
    await mia.say("card-table", "and hello", reply_to=said)
    await mia.react(said, "🎉")
    thread = await ann.create_thread("card-table", "aside", message=said)
    await ann.wait_for(lambda: thread in ann.channels)
    await ann.say(thread, "in here")
    channel = await mia.create_channel("only-us", only=["ann", "mia"])
    await mia.bot_rights(channel, send_messages=False)
    await connect(pg, "zoe")
    return {name: pg.core.snapshot(pg.core.world.people[name]) for name in ("ann", "mia", "zoe")}


def _without_address(snapshot, pg):
    text = msgspec.json.encode({**snapshot, "now": 0, "bot": None}).decode()
    return text.replace(pg.base, "BASE")


async def test_a_world_comes_back_as_it_was(pg, bot, connect, tmp_path):
    store = Store(tmp_path / "kept")
    store.open(pg.core, pg.port)
    before = await _lived(connect, pg)
    await store.save(pg.core)
    async with start(key=store.address().key) as again:
        Store(tmp_path / "kept").open(again.core, again.port)
        for name, seen in before.items():
            now = again.core.snapshot(again.core.world.people[name])
            assert _without_address(now, again) == _without_address(seen, pg)
        ann = await Person.connect(again.page_url("ann"), "ann")
        pictures = [image for m in ann.messages("card-table") for image in ann.images(m)]
        assert pictures
        for picture in pictures:
            assert await ann.fetch(picture["url"])
        youngest = max(again.core.world.messages)
        assert int(await ann.say("card-table", "on we go")) > youngest
        assert (
            again.core.world.rights(again.core.world.find_channel("only-us"), again.core.world.bot) & 2048
            == 0
        )
        await ann.close()


async def test_what_changes_is_saved_and_what_nobody_names_goes(pg, bot, ann, tmp_path):
    store = Store(tmp_path)
    store.open(pg.core, pg.port)
    stop = asyncio.Event()
    following = asyncio.create_task(store.follow(pg.core, stop))
    out = await ann.command("card-table", "play", game="duel_52")
    stop.set()
    await following
    assert len(list((tmp_path / "files").iterdir())) == len(ann.images(out)) == 2
    pg.core.posts.delete(pg.core.world.messages[int(out.message_id)])
    await store.save(pg.core)
    assert list((tmp_path / "files").iterdir()) == []
    written = (tmp_path / "world.json").stat().st_mtime_ns
    await store.save(pg.core)
    assert (tmp_path / "world.json").stat().st_mtime_ns == written, "nothing had changed"
    cleared = []
    Store(tmp_path, lambda: cleared.append(True)).open(pg.core, pg.port)
    assert cleared
    assert not (tmp_path / "world.json").exists()
    assert store.address().key == pg.key


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"{", "cannot be read"),
        (b'{"form":0,"base":"x"}', "another version"),
        (b'{"form":1,"base":"x","world":{}}', "cannot be read"),
    ],
)
def test_a_world_that_cannot_be_read_is_said(tmp_path, capsys, text, says):
    (tmp_path / "world.json").write_bytes(text)
    assert run(None, folder=tmp_path, environment={}) == 2
    said = capsys.readouterr().err
    assert says in said
    assert said.endswith("; --fresh begins anew\n")
    assert (tmp_path / "world.json").read_bytes() == text


def test_a_port_that_is_taken_costs_no_world(tmp_path, capsys):
    (tmp_path / "world.json").write_bytes(b"precious")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(None, folder=tmp_path, port=port, fresh=lambda: 1 / 0, environment={}) == 2
    assert (tmp_path / "world.json").read_bytes() == b"precious"


def test_an_address_that_cannot_be_read_is_said(tmp_path, capsys):
    (tmp_path / "address.json").write_bytes(b"{")
    assert run(None, folder=tmp_path, environment={}) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert Store(tmp_path, lambda: None).address() is None


def test_a_folder_that_cannot_be_made_is_said(tmp_path, capsys):
    (tmp_path / "file").touch()
    assert run(None, folder=tmp_path / "file" / "below", environment={}) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_port_that_is_taken_is_said(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(None, port=port, environment={}) == 2
    assert f"port {port} is taken" in capsys.readouterr().err


async def test_a_file_that_is_gone_is_said(pg, bot, ann, tmp_path):
    store = Store(tmp_path)
    store.open(pg.core, pg.port)
    await ann.command("card-table", "play", game="duel_52")
    await store.save(pg.core)
    for path in (tmp_path / "files").iterdir():
        path.unlink()
    with pytest.raises(Unreadable, match="not whole"):
        Store(tmp_path).open(pg.core, pg.port)
