"""Discord refuses files and takes all the rest: each message goes out at once in words."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.render.scene import Scene
from bot.store.prefs import Pictures, Prefs
from bot.telemetry.discord_requests import ServerFailedTwice
from bot.ui import discord_errors, errors
from bot.ui.components import KeptPicture, Message, page
from bot.ui.context import Answer
from bot.ui.live import picture_delivery
from bot.ui.live.repaint import RETRY
from bot.ui.outbox import Place
from tests.support.discord.forging import blocked, refusal
from tests.support.discord.keys import part
from tests.support.discord.live_messages import Thing, World

SCENE = Scene(320, 80, (), alt="A hand of seven")
REFUSED = part("picture.refused")
REFUSALS: dict[str, Callable[[], Exception]] = {
    "413": lambda: refusal(413, 40005),
    "413 of a proxy": lambda: blocked(413),
    "400 too large": lambda: refusal(400, 40005),
    "400 AutoMod": lambda: refusal(400, 200000),
    "400 explicit": lambda: refusal(400, 20009),
    "400 link": lambda: refusal(400, 240000),
    "403 unknown": lambda: refusal(403, 40333),
    "403 without a code": lambda: refusal(403, 0),
    "403 of a firewall": lambda: blocked(403),
    "500": lambda: refusal(500, 0),
    "5xx twice": lambda: ServerFailedTwice("500, 502"),
}
OTHERS = {
    "no rights": lambda: refusal(403, discord_errors.MISSING_PERMISSIONS),
    "no access": lambda: refusal(403, discord_errors.MISSING_ACCESS),
    "no interaction": lambda: refusal(404, discord_errors.UNKNOWN_INTERACTION),
    "a form": lambda: refusal(400, discord_errors.INVALID_FORM),
}


@pytest.fixture(autouse=True)
def unlogged() -> Iterator[None]:
    picture_delivery._logged.clear()
    yield
    picture_delivery._logged.clear()


class Press:
    """A press at a Discord that refuses all files."""

    def __init__(self, error: Callable[[], Exception], *, done: bool = False) -> None:
        self.error, self.done = error, done
        self.taken = list[tuple[str, str]]()
        self.tries = 0
        self.response = self
        self.followup = SimpleNamespace(send=self.later("followup"))
        self.edit_original_response = self.later("edit")
        self.message: Any = None
        self.data: dict[str, Any] = {}
        self.channel_id = self.id = 7
        self.locale = discord.Locale.british_english
        self.spawned = list[asyncio.Task[Any]]()
        tasks = SimpleNamespace(spawn=lambda work, _name: self.spawned.append(asyncio.create_task(work)))

        async def paint(*_: Any, **__: Any) -> bytes:
            return b"picture"

        app = SimpleNamespace(
            studio=SimpleNamespace(paint=paint, painted_file=lambda _: None),
            tasks=tasks,
            newest={},
            unpainted={},
            answer_numbers=count(),
            preferences=SimpleNamespace(known=lambda _user_id: Prefs()),
        )
        self.client, self.user = SimpleNamespace(app=app), SimpleNamespace(id=9)

    def is_done(self) -> bool:
        return self.done

    def take(self, name: str, view: Any, files: Any) -> Any:
        self.tries += 1
        if any(isinstance(file, discord.File) for file in files):
            raise self.error()
        self.done = True
        self.taken.append((name, str(view.to_components())))
        return SimpleNamespace(message_id=99, id=99, attachments=[])

    def later(self, name: str) -> Any:
        async def send(*, view: Any, files: Any = (), attachments: Any = (), **_: Any) -> Any:
            assert self.done, "nothing follows what was never answered"
            return self.take(name, view, [*files, *attachments])

        return send

    async def send_message(self, *, view: Any, files: Any, **_: Any) -> Any:
        assert not self.done
        return self.take("message", view, files)

    async def edit_message(self, *, view: Any, attachments: Any, **_: Any) -> Any:
        assert not self.done
        return self.take("update", view, attachments)


SENDERS: dict[str, tuple[str, bool, str]] = {
    "private": ("private", False, "message"),
    "private after an answer": ("private", True, "followup"),
    "public": ("public", False, "message"),
    "public after an answer": ("public", True, "followup"),
    "publicly": ("publicly", True, "followup"),
    "update": ("update", False, "update"),
    "update after an answer": ("update", True, "edit"),
    "turn": ("turn", False, "message"),
    "show_later": ("show_later", True, "edit"),
}


@pytest.mark.parametrize("why", REFUSALS)
@pytest.mark.parametrize("sender", SENDERS)
async def test_an_answer_whose_picture_is_refused_is_sent_in_words(sender: str, why: str) -> None:
    how, done, name = SENDERS[sender]
    press = Press(REFUSALS[why], done=done)
    await getattr(Answer.to(press), how)(page("Words", SCENE))  # type: ignore[arg-type]
    ((taken, text),) = press.taken
    assert (taken, press.tries) == (name, 2)
    assert all(words in text for words in ("Words", REFUSED, SCENE.alt))
    assert "attachment://" not in text


@pytest.mark.parametrize("why", OTHERS)
@pytest.mark.parametrize("how", ["private", "public", "update"])
async def test_what_is_not_about_the_files_is_not_sent_again(how: str, why: str) -> None:
    press = Press(OTHERS[why])
    with pytest.raises(discord.HTTPException):
        await getattr(Answer.to(press), how)(page("Words", SCENE))  # type: ignore[arg-type]
    assert press.tries == 1


async def test_words_that_are_refused_too_are_not_sent_for_ever() -> None:
    press = Press(lambda: refusal(400, 200000))
    press.take = lambda *_: (_ for _ in ()).throw(press.error())  # type: ignore[method-assign]
    with pytest.raises(discord.HTTPException):
        await Answer.to(press).private(page("Words", SCENE))  # type: ignore[arg-type]


async def test_a_file_that_is_refused_is_named_and_pictures_that_stay_do() -> None:
    press = Press(REFUSALS["413"], done=True)
    kept = SimpleNamespace(filename="old.png")
    press.message = SimpleNamespace(
        id=1, content="", attachments=[kept], flags=SimpleNamespace(ephemeral=True), components=[]
    )
    message = page(
        "Words", KeptPicture("old.png", "Old"), files={"game.json": b"{}"}, raw={"a.gif": (b"", "A film")}
    )
    await Answer.to(press).update(message, keep_files=True)  # type: ignore[arg-type]
    ((_, text),) = press.taken
    assert "attachment://old.png" in text
    assert "attachment://game.json" not in text
    assert "attachment://a.gif" not in text
    assert all(words in text for words in ("game.json", "A film"))


async def test_refusals_are_logged_once_and_without_a_traceback() -> None:
    with capture_logs() as lines:
        for _ in range(5):
            await Answer.to(Press(REFUSALS["413"])).private(page("Words", SCENE))  # type: ignore[arg-type]
    assert [(line["log_level"], line["status"], line["code"]) for line in lines] == [("warning", 413, 40005)]
    assert not any("exc_info" in line for line in lines)


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (refusal(403, discord_errors.MISSING_PERMISSIONS), "trouble.permissions"),
        (refusal(403, discord_errors.MISSING_ACCESS), "trouble.missing_access"),
        (refusal(403, 40333), "trouble.not_taken"),
        (refusal(403, 0), "trouble.not_taken"),
        (refusal(413, 40005), "trouble.not_taken"),
        (refusal(400, 40005), "trouble.not_taken"),
        (refusal(400, 200000), "trouble.filtered"),
        (refusal(400, 20009), "trouble.filtered"),
        (refusal(400, 240000), "trouble.filtered"),
    ],
)
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_only_missing_permissions_are_called_so(error: Exception, key: str, locale: str) -> None:
    with capture_logs() as lines:
        text = errors.words_for(error, locale)
    if locale == "en":
        assert part(key) in text
    assert not [line for line in lines if line["event"] == "unforeseen"]


# -- the message of a table -------------------------------------------------------------------


class Painted(Thing):
    """Follows a number, with a picture."""

    def build(self, pictures: Pictures) -> Message:
        self.builds += 1
        return page(str(self.number), SCENE)


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async def paint(*_: Any, **__: Any) -> bytes:
        return b"picture"

    world = World()
    world.outbox.studio = SimpleNamespace(paint=paint)  # type: ignore[assignment]
    yield world
    for task in world.tasks:
        task.cancel()


def refuse_files(world: World, error: Callable[[], Exception]) -> list[bool]:
    """Refuse files as long as the list is empty; append to it and they are taken. Return it."""
    works, views = list[bool](), list[str]()
    world.views = views  # type: ignore[attr-defined]
    plain = world.call

    async def call(what: str, message_id: int, view: discord.ui.LayoutView) -> None:
        text = str(view.to_components())  # type: ignore[no-untyped-call]
        if "attachment://" in text and not works:
            raise error()
        views.append(text)
        await plain(what, message_id, view)

    world.call = call  # type: ignore[method-assign]
    return works


@pytest.mark.parametrize("posted", [True, False])
@pytest.mark.parametrize("why", REFUSALS)
async def test_a_table_is_shown_in_words_and_gets_its_picture_again(
    world: World, why: str, posted: bool
) -> None:
    works, thing = refuse_files(world, REFUSALS[why]), Painted(world)
    if not posted:
        thing.at = Place(1, 7, None, world.clock.now())
    thing.to(2)
    await world.let_pass(0.3)
    views: list[str] = world.views  # type: ignore[attr-defined]
    assert len(views) == 1
    assert REFUSED in views[0]
    assert SCENE.alt in views[0]
    assert thing.hindrance is None
    assert thing.stored == 2
    works.append(True)
    await world.let_pass(RETRY.pause(1) + 2)
    assert "attachment://" in views[-1]
    assert len(views) == 2
    await world.let_pass(RETRY.pause(2) + 2)
    assert len(views) == 2, "a picture that stands there is not sent again"


async def test_a_table_does_not_try_its_picture_for_ever_but_at_the_next_change(world: World) -> None:
    works, thing = refuse_files(world, REFUSALS["413"]), Painted(world)
    thing.to(2)
    await world.let_pass(sum(RETRY) + 60, step=0.5)
    views: list[str] = world.views  # type: ignore[attr-defined]
    tried = len(views)
    assert tried == 1 + len(list(RETRY))
    await world.let_pass(2000, step=1)
    assert len(views) == tried
    works.append(True)
    thing.to(3)
    await world.let_pass(5)
    assert "attachment://" in views[-1]


@pytest.mark.parametrize("code", [40333, 0, 50007])
def test_a_table_that_is_refused_lacks_no_rights(world: World, code: int) -> None:
    world.rights = discord.Permissions.all()
    found = world.outbox.hindrance(Place(1, 7, 10), refusal(403, code))
    assert (found.key, found.code) == ("refused", code)
    assert world.outbox.hindrance(Place(1, 7, 10), refusal(403, 50013)).key == "rights"
