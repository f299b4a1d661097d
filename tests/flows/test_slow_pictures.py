"""Discord gives a press three seconds; a picture may need more. Then words go first, and it follows."""

from __future__ import annotations

import asyncio
import math
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from itertools import count
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from simcord.actors import _component_interaction

from bot.core.backoff import Backoff
from bot.features.table.board import board_message
from bot.render.encode import encode
from bot.render.pool import StudioClosed
from bot.render.scene import Scene
from bot.store.prefs import Prefs
from bot.ui import context
from bot.ui.components import Message, page
from bot.ui.context import Answer
from bot.ui.live import repaint
from bot.workers.errors import TooSlow
from tests.support.discord.keys import part
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, heard, said
from tests.support.waiting import until

SCENE = Scene(320, 80, (), alt="A hand of seven")
COMING, FAILED = part("picture.coming"), part("picture.failed")


class Discord:
    """Takes one answer to one press, and writes down what came in which order."""

    def __init__(self, studio: Any = None) -> None:
        self.said: list[str] = []
        self.done = False
        self.response = self
        self.followup = SimpleNamespace(send=self._later("followup"))
        self.edit_original_response = self._later("edit")
        self.message = None
        self.data: dict[str, Any] = {}
        self.channel_id = self.id = 7
        self.locale = discord.Locale.british_english
        self.spawned: list[asyncio.Task[Any]] = []
        tasks = SimpleNamespace(spawn=lambda work, name: self.spawned.append(asyncio.create_task(work)))
        preferences = SimpleNamespace(known=lambda _user_id: Prefs())
        app = SimpleNamespace(
            studio=studio,
            tasks=tasks,
            newest={},
            unpainted={},
            answer_numbers=count(),
            preferences=preferences,
        )
        self.client = SimpleNamespace(app=app)
        self.user = SimpleNamespace(id=9)

    def is_done(self) -> bool:
        return self.done

    def _note(self, name: str, view: Any, files: Any) -> None:
        text = str(view.to_components())
        told = [word for word in (COMING, FAILED) if word in text]
        told += ["alt"] if SCENE.alt in str([c for c in text.split("{") if "'type': 10" in c]) else []
        assert ("attachment://" in text) == bool(files), "a gallery and its file go together"
        self.said.append(" ".join([name, *told, *(["picture"] if files else [])]))

    def _later(self, name: str) -> Any:
        async def take(*, view: Any, files: Any = (), attachments: Any = (), **_: Any) -> Any:
            assert self.done, "nothing follows what was never answered"
            self._note(name, view, [*files, *attachments])
            return SimpleNamespace(id=98)

        return take

    def _first(self, name: str, view: Any, files: Any) -> Any:
        assert not self.done, "a press is answered once"
        self.done = True
        self._note(name, view, files)
        return SimpleNamespace(message_id=99)

    async def send_message(self, *, view: Any, files: Any, ephemeral: bool = False, **_: Any) -> Any:
        return self._first("message" if ephemeral else "for everybody", view, files)

    async def edit_message(self, *, view: Any, attachments: Any, **_: Any) -> Any:
        return self._first("update", view, attachments)


def studio(ready: Callable[[], bool] = lambda: True, error: Exception | None = None) -> Any:
    """Paints as soon as this holds."""

    async def paint(*_: Any, **__: Any) -> bytes:
        await until(ready)
        if error is not None:
            raise error
        return b"picture"

    return SimpleNamespace(paint=paint, painted_file=lambda _: None)


def pressed(*, late: bool, error: Exception | None = None) -> Discord:
    """A press whose picture is painted at once, or only when words have gone out."""
    discord = Discord()
    discord.client.app.studio = studio(lambda: discord.done or not late, error)
    return discord


@pytest.mark.parametrize(
    ("late", "how", "said"),
    [
        (False, "private", ["message picture"]),
        (False, "public", ["for everybody picture"]),
        (False, "update", ["update picture"]),
        (True, "private", [f"message {COMING}", "edit picture"]),
        (True, "public", [f"for everybody {COMING}", "edit picture"]),
        (True, "update", [f"update {COMING}", "edit picture"]),
    ],
)
async def test_words_go_first_and_the_picture_follows(
    monkeypatch: pytest.MonkeyPatch, late: bool, how: str, said: list[str]
) -> None:
    if late:
        monkeypatch.setattr(context, "PATIENCE", 0.15)
    discord = pressed(late=late)
    await getattr(Answer.to(discord), how)(page("Words", SCENE))  # type: ignore[arg-type]
    await asyncio.gather(*discord.spawned)
    assert discord.said == said


@pytest.mark.parametrize("how", ["private", "update"])
@pytest.mark.parametrize("error", [TooSlow("late"), ValueError("no brush")])
async def test_a_picture_that_fails_is_told_once_in_words(
    monkeypatch: pytest.MonkeyPatch, how: str, error: Exception
) -> None:
    first = {"private": "message", "update": "update"}[how]
    at_once = pressed(late=False, error=error)
    await getattr(Answer.to(at_once), how)(page("Words", SCENE))  # type: ignore[arg-type]
    assert at_once.said == [f"{first} {FAILED} alt"]
    monkeypatch.setattr(context, "PATIENCE", 0.15)
    late = pressed(late=True, error=error)
    await getattr(Answer.to(late), how)(page("Words", SCENE))  # type: ignore[arg-type]
    await asyncio.gather(*late.spawned)
    assert late.said == [f"{first} {COMING}", f"edit {FAILED} alt"]


async def test_what_was_spent_before_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """An act may have taken its time; then a picture has less."""
    monkeypatch.setattr(context, "PATIENCE", 1000)
    discord = pressed(late=True)
    answer = Answer.to(discord)  # type: ignore[arg-type]
    answer.since -= 999.9
    await answer.private(page("Words", SCENE))
    await asyncio.gather(*discord.spawned)
    assert discord.said == [f"message {COMING}", "edit picture"]


async def test_a_painted_picture_goes_along_however_late_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "PATIENCE", 0.0)
    discord = pressed(late=False)
    await Answer.to(discord).private(page("Words", SCENE))  # type: ignore[arg-type]
    assert discord.said == ["message picture"]


async def test_after_an_announcement_the_picture_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "PATIENCE", 0.0)
    looks = iter((False, True))
    discord = Discord(studio(lambda: next(looks)))
    discord.done = True
    await Answer.to(discord).private(page("Words", SCENE))  # type: ignore[arg-type]
    assert discord.said == ["followup picture"]


async def test_a_bot_that_stops_paints_no_more_and_nothing_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "PATIENCE", 0.1)
    discord = pressed(late=True, error=StudioClosed())
    await Answer.to(discord).private(page("Words", SCENE))  # type: ignore[arg-type]
    await asyncio.gather(*discord.spawned)
    assert discord.said == [f"message {COMING}"]


async def test_words_alone_wait_for_nothing() -> None:
    discord = Discord()
    await Answer.to(discord).private(page("Words"))  # type: ignore[arg-type]
    assert discord.said == ["message"]


async def test_a_late_picture_never_covers_a_newer_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "PATIENCE", 0.05)
    again = Discord()
    discord = Discord(studio(lambda: again.done))
    await Answer.to(discord).private(page("Words", SCENE))  # type: ignore[arg-type]
    again.client, again.id = discord.client, 8
    again.client.app.studio = studio()
    private = SimpleNamespace(ephemeral=True)
    again.message = SimpleNamespace(id=99, content="", attachments=[], flags=private)  # type: ignore[assignment]
    await Answer.to(again).update(page("Newer words", SCENE))  # type: ignore[arg-type]
    await asyncio.gather(*discord.spawned)
    assert (discord.said, again.said) == ([f"message {COMING}"], ["update picture"])


# -- in the real bot --------------------------------------------------------------------------


@dataclass
class Brush:
    """Paints when it is told to, or fails."""

    go: threading.Event = field(default_factory=threading.Event)
    error: Exception | None = None
    fails: float = math.inf
    """How often it does, while there is an error."""

    def __call__(self, scene: Scene) -> bytes:
        assert self.go.wait(10)
        if self.error is not None and self.fails > 0:
            self.fails -= 1
            raise self.error
        return encode(scene)


@dataclass
class Room:
    """A table of two with a brush, and what the bot wrote to whom: words and number of files."""

    room: Any
    board: Any
    brush: Brush
    written: list[tuple[str, int]]

    async def until(self, done: Callable[[], bool]) -> None:
        await until(done, but=lambda: f"never: {self.written}")

    async def meanwhile(self, press: Awaitable[Any], *then: Callable[[], Awaitable[Any]]) -> Any:
        """Press; when its words are out, do the rest, and only then let the brush paint."""
        before = len(self.written)
        pressing = asyncio.ensure_future(press)
        await self.until(lambda: len(self.written) > before)
        for each in then:
            await each()
        self.brush.go.set()
        return await pressing


@pytest.fixture
async def slow(room: Any, monkeypatch: pytest.MonkeyPatch) -> Room:
    board = await dealt(room)
    await room.env.settle()
    return slow_room(room, board, monkeypatch)


def slow_room(room: Any, board: Any, monkeypatch: pytest.MonkeyPatch) -> Room:
    brush, written = Brush(), list[tuple[str, int]]()

    async def at_once(_: Answer, message: Message, painting: asyncio.Task[Any]) -> bool:
        # in this Discord timers stand still while the bot has anything to do
        return not message.pictures or painting.done()

    monkeypatch.setattr(Answer, "_in_time", at_once)
    studio = room.bot.app.studio
    studio._cache.clear()
    monkeypatch.setattr(studio, "_painter", brush)

    def watch(kind: Any, name: str, files: str) -> None:
        plain = getattr(kind, name)

        async def write(self: Any, *args: Any, **how: Any) -> Any:
            written.append((heard(how["view"]), len(how[files])))
            return await plain(self, *args, **how)

        monkeypatch.setattr(kind, name, write)

    watch(discord.InteractionResponse, "send_message", "files")
    watch(discord.InteractionResponse, "edit_message", "attachments")
    watch(discord.Interaction, "edit_original_response", "attachments")
    return Room(room, board, brush, written)


async def test_a_hand_opens_in_words_and_its_picture_follows(slow: Room) -> None:
    opening = slow.room.ann.click(slow.board, label="My hand")
    hand = (await slow.meanwhile(opening)).response
    assert [(COMING in words, files) for words, files in slow.written] == [(True, 0), (False, 1)]
    assert hand.ephemeral
    assert len(hand.attachments) == 1
    assert COMING not in said(hand)
    first, then = (set(words.splitlines()) for words, _ in slow.written)
    assert len(first - then) == 1, "the words stay, but for the line about the picture"


async def test_a_hand_whose_picture_fails_can_be_played(slow: Room) -> None:
    slow.brush.error = RuntimeError("no brush")
    opening = slow.room.ann.click(slow.board, label="My hand")
    hand = (await slow.meanwhile(opening)).response
    assert [(FAILED in words, files) for words, files in slow.written] == [(False, 0), (True, 0)]
    figures = slow.room.bot.app.metrics.registry
    failed = {"pool": "pictures", "event": "failed"}
    assert figures.get_sample_value("valence_pool_events_total", failed) == 1
    table = the_table(slow.room)
    await slow.room.ann.click(hand, custom_id=next(i for i in custom_ids(hand.components) if ":go:" in i))
    slow.brush.error = None
    hand = (await slow.room.ann.click(slow.board, label="My hand")).response
    assert (len(hand.attachments), table.phase) == (1, "live")


async def test_what_happens_meanwhile_is_what_the_hand_shows_in_the_end(slow: Room) -> None:
    """The hand opens in words, the person decides elsewhere, and the picture that comes is the newest."""
    table = the_table(slow.room)

    async def act() -> None:
        await table.act(0, None, table.legal[0][0])

    hand = (await slow.meanwhile(slow.room.ann.click(slow.board, label="My hand"), act)).response
    await slow.room.env.settle()
    assert COMING not in said(hand)
    assert "Waiting for" in said(hand)
    assert len(hand.attachments) == 1


def first_choice(components: list[dict[str, Any]]) -> dict[str, Any]:
    """The data of a press on the first button or line of a select that decides or leads on."""
    inside = [part for row in components[0]["components"] for part in row.get("components", ())]
    part = next(part for part in inside if part.get("custom_id", "").startswith(("v:go:", "v:sel:")))
    data = {"component_type": part["type"], "custom_id": part["custom_id"]}
    return data if "options" not in part else data | {"values": [part["options"][0]["value"]]}


async def press_into(slow: Room, board: Any, words: int = 2) -> None:
    """Open the hand of whose turn it is and, while its picture is late, press the first choice there."""
    table, pressed = the_table(slow.room), list[asyncio.Task[Any]]()
    acting = table.sitters[table.waiting()[0]].user_id
    person = next(each for each in (slow.room.ann, slow.room.ben) if each.user.id == acting)

    async def press_on() -> None:
        messages = slow.room.env.backend.messages
        stored = max((m for each in messages.values() for m in each.values()), key=lambda m: m.id)
        data = first_choice(stored.components)
        pressed.append(asyncio.create_task(_component_interaction(person, stored, data)))
        await slow.until(lambda: len(slow.written) == words)

    await slow.meanwhile(person.click(board, label="My hand"), press_on)
    await pressed[0]
    await slow.room.env.settle()


async def test_a_decision_in_the_words_is_not_undone_by_the_picture(slow: Room) -> None:
    await press_into(slow, slow.board)
    words, files = slow.written[-1]
    assert COMING not in words
    assert files == 1
    assert the_table(slow.room).acts == 1
    assert "Waiting for" in words


async def test_who_walks_on_in_the_words_stays_there_when_the_picture_comes(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await dealt(room, "duel52")
    await room.env.settle()
    slow = slow_room(room, board, monkeypatch)
    await press_into(slow, board)
    opened, walked = slow.written[0][0], slow.written[1][0]
    words, files = slow.written[-1]
    assert opened != walked
    assert "Back" in walked
    assert files == 1
    assert set(words.splitlines()) == {line for line in walked.splitlines() if COMING not in line}


async def seated(room: Any) -> Any:
    """A lobby of two, and its message."""
    lobby = (await room.ann.slash(room.channel, "play", game="probe")).response.message
    await room.ben.click(lobby, label="Join or leave")
    await room.env.settle()
    return lobby


async def test_a_start_goes_out_in_words_and_the_table_follows(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = await seated(room)
    slow = slow_room(room, lobby, monkeypatch)
    await slow.meanwhile(room.ann.click(lobby, label="Start"))
    await room.env.settle()
    (words, files), *more = slow.written
    assert (COMING in words, files) == (True, 0)
    assert "My hand" in words, "people can play while they wait for the picture"
    assert more == []
    shown = room.channel.last_message
    assert shown.id == lobby.id
    assert COMING not in heard(discord.ui.LayoutView.from_message(shown))
    assert len(shown.attachments) == 1


async def test_what_happens_before_the_table_follows_is_shown_with_it(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lobby = await seated(room)
    slow = slow_room(room, lobby, monkeypatch)

    async def act() -> None:
        table = the_table(room)
        await table.act(0, None, table.legal[0][0])

    await slow.meanwhile(room.ann.click(lobby, label="Start"), act)
    await room.env.settle()
    shown, table = room.channel.last_message, the_table(room)
    assert heard(discord.ui.LayoutView.from_message(shown)) == heard(board_message(table).view)
    assert len(shown.attachments) == 1


async def test_a_table_whose_picture_failed_gets_it_later(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the answer nor what followed it had its picture, and then nothing changed."""
    monkeypatch.setattr(repaint, "RETRY", Backoff(first=0.05, factor=1.0, retries=2))
    lobby = await seated(room)
    slow, studio = slow_room(room, lobby, monkeypatch), room.bot.app.studio
    slow.brush.error, slow.brush.fails = RuntimeError("no brush"), 2
    await slow.meanwhile(room.ann.click(lobby, label="Start"))
    await slow.until(lambda: studio.painted == 1)
    await room.env.settle()
    assert slow.brush.fails == 0
    assert len(room.channel.last_message.attachments) == 1
    assert studio.counts.failed == 2
