"""What every live message keeps: one writer, the newest state last, room for others, words for trouble."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot.telemetry.metrics import Metrics
from bot.ui import channel_budget as slots
from bot.ui import outbox
from bot.ui.components import Message
from bot.ui.live import live_message
from bot.ui.outbox import Outbox, Place
from tests.support.discord.forging import refusal
from tests.support.discord.keys import part
from tests.support.discord.live_messages import AsUsual, Thing, World
from tests.support.waiting import turns


@pytest.fixture
async def world() -> AsyncIterator[World]:
    world = World()
    yield world
    for task in world.tasks:
        task.cancel()


async def test_many_changes_become_one_picture_of_the_newest(world: World) -> None:
    thing = Thing(world)
    for number in range(2, 30):
        thing.to(number)
    await world.let_pass(0.2)
    assert world.texts("edit") == ["29"]
    assert thing.builds == 1
    assert thing.stored == 29
    thing.to(30)
    thing.to(31)
    await world.let_pass(0.5)
    assert thing.builds == 1  # not before the channel has room again
    thing.to(32)
    await world.let_pass(1)
    assert world.texts("edit") == ["29", "32"]


async def test_a_post_whose_answer_was_lost_may_stand_there_as_it_was_first_sent(world: World) -> None:
    """Discord takes the second try, of the same nonce, for the first one, and changes nothing."""
    thing = Thing(world)
    thing.at = Place(1, 7, None, world.clock.now())
    world.errors = [aiohttp.ServerDisconnectedError()]
    thing.to(2)
    await world.let_pass(0.2)
    thing.number = 3  # before it is sent again
    await world.let_pass(10)
    assert world.texts("send") == ["3"]
    assert world.texts("edit") == ["3"]
    assert thing.stored == 3


@pytest.mark.parametrize("since", ["it was looked up", "it left"])
async def test_a_doubt_about_what_is_on_its_way_is_looked_at_again(world: World, since: str) -> None:
    """A table has moved while the message that leads there was written: the way in it is the old one."""
    thing = Thing(world)
    if since == "it left":
        world.takes = 1.0
    else:
        world.outbox.reply_priority.give_way = lambda: world.clock.sleep(1.0)  # type: ignore[method-assign]
    thing.to(2)
    await world.let_pass(0.5)
    thing.doubt()
    await world.let_pass(5)
    assert world.texts("edit") == ["2", "2"]


async def test_what_nothing_follows_waits_for_no_slot(world: World) -> None:
    thing = Thing(world)
    thing.to(2)
    await world.let_pass(0.2)
    thing.to(3)
    await world.let_pass(0.2)
    thing.to(4, last=True)  # while the one before waits for the channel
    await world.let_pass(0.2)
    assert world.texts("edit") == ["2", "4"]
    thing.to(5)
    await world.let_pass(0.9)
    assert world.texts("edit") == ["2", "4"]
    await world.let_pass(0.3)
    assert world.texts("edit") == ["2", "4", "5"]


async def test_a_channel_is_written_to_no_more_often_than_it_takes(world: World) -> None:
    things = [Thing(world, f"thing {n}") for n in range(4)]
    number = itertools.count(2)
    for turn in range(60):
        things[turn % 4].to(next(number), last=turn % 3 == 0)
        await world.let_pass(0.3)
    times = [at for at, *_ in world.calls]
    assert len(times) > 12
    assert max(sum(start <= at < start + 5000 for at in times) for start in times) <= slots.TAKES


async def test_the_last_one_finds_room_where_changes_come_all_the_time(world: World) -> None:
    thing = Thing(world)
    for number in range(2, 40):
        thing.to(number)
        await world.let_pass(0.25)
    thing.to(99, last=True)
    await world.let_pass(0.2)
    assert world.messages[10] == "99"


async def test_there_is_one_writer_and_what_changes_meanwhile_follows(world: World) -> None:
    thing = Thing(world)
    world.takes = 5
    thing.to(2)
    for number in range(3, 60):
        await world.let_pass(0.3)
        thing.to(number)
    await world.let_pass(15)
    assert world.messages[10] == "59"
    assert len(world.texts("edit")) <= 6


async def test_nothing_is_done_for_what_is_shown_already(world: World) -> None:
    things = [Thing(world, f"thing {n}", channel=n) for n in range(1000)]
    for thing in things:
        thing.changed()
    await world.let_pass(1)
    assert world.calls == []
    assert sum(thing.builds for thing in things) == 0


async def test_a_process_of_several_keeps_to_its_share_of_the_rate(world: World) -> None:
    share = 0.2
    world.outbox = Outbox(
        world.clock,
        world,  # type: ignore[arg-type]
        None,  # type: ignore[arg-type]
        Metrics(),
        world.spawn,
        preferences=AsUsual(),  # type: ignore[arg-type]
        share=share,
    )
    for n in range(100):
        Thing(world, f"thing {n}", channel=n).to(2)
    await world.let_pass(10)
    times = [at for at, *_ in world.calls]
    most = max(sum(1 for at in times if start <= at < start + 1000) for start in times)
    assert share * outbox.RATE <= most <= share * outbox.RATE + outbox.BURST
    assert len(times) <= 10 * share * outbox.RATE + outbox.BURST


async def test_all_together_keep_below_the_rate_and_those_just_pressed_go_first(world: World) -> None:
    things = [Thing(world, f"thing {n}", channel=n) for n in range(200)]
    for thing in things:
        thing.to(2)
    await world.let_pass(2)
    pressed = Thing(world, "pressed", channel=999)
    pressed.to(77, pressed=True)
    await world.let_pass(0.3)
    assert "77" in world.texts("edit")
    await world.let_pass(8)
    times = [at for at, *_ in world.calls]
    assert len(times) == 201
    most = max(sum(1 for at in times if start <= at < start + 1000) for start in times)
    assert most <= outbox.RATE + outbox.BURST


async def test_passing_trouble_is_tried_again_after_growing_pauses(world: World) -> None:
    thing = Thing(world)
    world.errors = [refusal(500, 0), aiohttp.ServerDisconnectedError(), refusal(503, 0), refusal(429, 0)]
    world.errors[2] = discord.DiscordServerError(SimpleNamespace(status=503, reason=""), "busy")  # type: ignore[arg-type]
    thing.to(2)
    await world.let_pass(60, step=0.05)
    assert world.texts("edit") == ["2"]
    tried = [at for at, what, *_ in world.calls if what == "refused"]
    pauses = [round((b - a) / 1000) for a, b in itertools.pairwise(tried)]
    assert pauses == [2, 4, 8]
    assert thing.hindrance is None


async def test_what_people_must_mend_is_words_until_it_works(world: World) -> None:
    thing = Thing(world)
    world.rights = discord.Permissions(0)
    world.errors = [refusal(403, 50001)]
    thing.to(2)
    await world.let_pass(1)
    live = world.outbox.find("thing", Thing)
    assert live is not None
    assert live.hindrance is not None
    line = live.hindrance.words("en", 5)
    assert "View Channel" in line
    assert "Send Messages" not in line
    for number in range(3, 30):  # as long as Discord says that the right is missing it is not asked again
        thing.to(number)
        await world.let_pass(1)
    assert len(world.calls) == 1
    world.rights = discord.Permissions.all()
    live.asked_for()
    await world.let_pass(1)
    assert world.texts("edit") == ["29"]
    assert live.hindrance is None
    assert world.outbox.find("thing", Thing) is None


async def test_lasting_trouble_goes_away_by_itself_too(world: World) -> None:
    thing = Thing(world)
    world.errors = [refusal(404, 10003)]
    thing.to(2)
    await world.let_pass(1)
    assert part("trouble.cannot_show_gone") in thing.hindrance.words("en", 5)  # type: ignore[union-attr]
    await world.let_pass(70, step=0.1)
    assert world.texts("edit") == ["2"]


async def test_what_has_ended_is_shown_once_its_thread_is_open_again(world: World) -> None:
    thing = Thing(world)
    thing.open = False
    world.errors = [refusal(400, 50035)]
    thing.to(2)
    await world.let_pass(1)
    world.outbox.unlocked(99, 1)  # another thread
    await world.let_pass(700, step=1)
    assert world.texts("edit") == [], "nobody waits for it, so it is not tried again by itself"
    world.outbox.unlocked(1, 1)
    await world.let_pass(1)
    assert world.texts("edit") == ["2"]
    assert world.outbox.find("thing", Thing) is None


async def test_what_has_ended_is_shown_once_the_right_is_back(world: World) -> None:
    """What else changes in the server asks Discord nothing while it still says that the right is missing."""
    thing = Thing(world)
    thing.open = False
    world.rights, world.errors = discord.Permissions(0), [refusal(403, 50001)]
    thing.to(2)
    await world.let_pass(1)
    guild = thing.where.guild_id
    assert guild is not None
    world.outbox.allowed(guild)
    world.rights = discord.Permissions.all()
    world.outbox.allowed(guild + 1)  # another server
    await world.let_pass(700, step=1)
    assert len(world.calls) == 1
    world.outbox.allowed(guild)
    await world.let_pass(1)
    assert world.texts("edit") == ["2"]
    assert world.outbox.find("thing", Thing) is None


@pytest.mark.parametrize(
    ("error", "rests", "most"),
    [
        (refusal(404, 10003), False, 86_400),
        (refusal(403, 50013), False, 600),
        (refusal(403, 50013), True, 86_400),
    ],
)
async def test_what_is_gone_or_rests_is_tried_ever_more_rarely(
    world: World, error: discord.HTTPException, rests: bool, most: int
) -> None:
    """A table whose thread was deleted, or that sleeps where a right is missing, does not stay
    in memory for the sake of its message."""
    thing = Thing(world)
    thing.resting = rests
    world.errors = [error] * 30
    thing.to(2)
    pauses = []
    for _ in range(15):
        await world.let_pass(3, step=0.5)
        assert thing._timer is not None
        tried, step = len(world.calls), 30
        began = world.clock.monotonic()
        while len(world.calls) == tried:
            world.clock.move(step)
            await turns(20)
        pauses.append(world.clock.monotonic() - began)
    assert most * 0.9 < max(pauses) <= most + 40


async def test_what_has_rested_is_tried_at_once_when_it_wakes(world: World) -> None:
    thing = Thing(world)
    thing.resting = True
    world.errors = [refusal(403, 50013)] * 30
    thing.to(2)
    for _ in range(12):
        await world.let_pass(3, step=0.5)
        world.clock.move(86_400)
    await world.let_pass(3, step=0.5)
    thing.resting, world.errors = False, []
    thing.to(3)
    await world.let_pass(3)
    assert world.texts("edit") == ["3"]


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [(403, 50013, "Attach Files"), (400, 50035, "code 50035"), (404, 10003, "table repost")],
)
async def test_a_refusal_says_what_is_wrong(world: World, status: int, code: int, words: str) -> None:
    thing = Thing(world)
    world.errors = [refusal(status, code)]
    thing.to(2)
    await world.let_pass(1)
    assert thing.hindrance is not None
    assert words in thing.hindrance.words("en", 5)


async def test_a_deleted_message_is_posted_again_while_it_goes_on(world: World) -> None:
    thing = Thing(world)
    world.errors = [refusal(404, 10008)]
    thing.to(2)
    await world.let_pass(1)
    assert world.texts("send") == ["2"]
    assert thing.at.message_id == 11
    thing.open = False
    world.errors = [refusal(404, 10008)]
    thing.to(3)
    await world.let_pass(3)
    assert world.texts("send") == ["2"]
    assert thing.stored == 3


async def test_the_old_message_gives_way_once_it_is_stored_where_the_new_one_stands(world: World) -> None:
    """A process that takes over meanwhile knows the old one alone, and must not find it given up."""
    thing = Thing(world)
    thing.locked = 2
    await thing.post(Place(2, 7))
    await world.let_pass(1)
    assert world.texts("send") == ["1"]
    assert thing.at.channel_id == 1
    assert world.texts("edit") == []
    await world.let_pass(10, step=0.1)
    assert thing.at.channel_id == 2
    assert [text.split(" of ")[0] for text in world.texts("edit")] == ["moved to url"]


async def test_a_slow_game_leaves_one_old_message_that_leads_to_the_newest(world: World) -> None:
    """Twenty moves, an hour apart: nobody follows twenty links."""
    thing = Thing(world)
    for number in range(2, 22):
        world.clock.move(60 * 60)
        thing.to(number, acted=True)
        await world.let_pass(3)
    newest = thing.at.message_id
    assert world.messages == {10: f"moved to url of {newest}", newest: "21"}


async def test_it_is_posted_anew_only_when_somebody_acts(world: World) -> None:
    thing = Thing(world)
    world.clock.move(51 * 60)
    thing.to(2)
    await world.let_pass(2)
    assert world.texts("edit") == ["2"]
    assert world.texts("send") == []
    thing.to(3, acted=True)
    await world.let_pass(2)
    assert world.texts("send") == ["3"]
    assert world.messages[10] == "moved to url of 11"
    thing.to(4, acted=True)
    await world.let_pass(2)
    assert world.texts("send") == ["3"]


async def test_an_answer_that_arrived_needs_no_writing(world: World) -> None:
    thing = Thing(world)
    thing.to(2)
    async with thing.answering() as showing:
        await showing.message()
        await world.let_pass(1)
    await world.let_pass(3)
    assert world.calls == []
    assert thing.stored == 2


async def test_answers_that_crossed_are_followed_by_a_writing(world: World) -> None:
    """Two answers were on their way at once: which of them came last, nobody knows."""
    thing = Thing(world)
    thing.number = 2
    async with AsyncExitStack() as second, thing.answering() as showing:
        await showing.message()
        thing.number = 3
        later = await second.enter_async_context(thing.answering())
        await later.message()
    assert thing.behind
    await world.let_pass(2)
    assert world.texts("edit") == ["3"]
    assert world.outbox.find("thing", Thing) is None


@pytest.mark.parametrize("answered", ["while it is painted", "just after"])
async def test_what_was_long_painted_does_not_cover_a_newer_answer(
    world: World, monkeypatch: pytest.MonkeyPatch, answered: str
) -> None:
    """A lobby waits for its picture when **Start** is pressed: the lobby does not come back."""

    async def painted(*_: object, **__: object) -> list[discord.File]:
        await world.clock.sleep(2.0)
        return []

    monkeypatch.setattr(Message, "attachments", painted)
    thing = Thing(world)
    thing.to(2)
    await world.let_pass(1)
    thing.number = 3
    async with thing.answering() as showing:
        await showing.message()
        await world.let_pass(0.1 if answered == "while it is painted" else 1.5)
    await world.let_pass(6)
    assert world.calls == []
    assert thing.stored == 3


async def test_an_answer_that_takes_too_long_is_not_waited_for(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_message, "ANSWER_SECONDS", 0.05)
    thing = Thing(world)
    async with thing.answering() as showing:
        thing.to(2)
        await showing.message()
        await world.shows("2")
        thing.to(3)
        await world.shows("2", "3")
    # it came late after all, and shows what was before
    await world.let_pass(3)
    assert world.texts("edit") == ["2", "3", "3"]


async def test_what_stands_where_it_could_not_be_written_down_is_not_posted_twice(world: World) -> None:
    thing = Thing(world)
    thing.at = Place(1, 7)
    thing.locked = 3
    thing.to(2)
    await world.let_pass(30, step=0.05)
    assert world.texts("send") == ["2"]
    assert thing.at.message_id == 11
    assert world.outbox.find("thing", Thing) is None


async def test_what_is_shown_is_written_down_once_it_is_known_where(world: World) -> None:
    """A bot that stops in between would find all shown in a message that it cannot look for."""
    thing = Thing(world)
    thing.at = Place(1, 7)
    thing.locked = 2
    thing.to(2)
    await world.let_pass(0.2)
    assert world.texts("send") == ["2"]
    assert (thing.at.message_id, thing.stored) == (None, 1)
    await world.let_pass(30, step=0.05)
    assert (thing.at.message_id, thing.stored) == (11, 2)
    assert world.texts("send") == ["2"]


async def test_what_moves_while_it_is_written_is_posted_where_it_moved_to(world: World) -> None:
    """The old message shows the newest version then, but no longer counts."""
    thing = Thing(world)
    world.takes = 1.0
    thing.to(2)
    await world.let_pass(0.5)
    thing.at = Place(2, 7)
    await world.let_pass(0.8)
    assert world.texts("edit") == ["2"]
    assert thing.stored == 1, "what the old message shows is not noted for the new one"
    await world.let_pass(5)
    assert world.texts("send") == ["2"]
    assert (thing.at.message_id, thing.stored) == (11, 2)


async def test_what_moves_while_it_is_painted_leaves_its_old_message_alone(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lobby of a table that is dealt in a thread leads to the thread: the table does not cover that."""

    async def painted(*_: object, **__: object) -> list[discord.File]:
        await world.clock.sleep(2.0)
        return []

    monkeypatch.setattr(Message, "attachments", painted)
    thing = Thing(world)
    thing.to(2)
    await world.let_pass(1)
    async with thing.answering():
        thing.at = Place(2, 7)
    await world.let_pass(6)
    assert (world.texts("edit"), world.texts("send")) == ([], ["2"])


async def test_the_last_word_of_an_old_message_waits_for_what_is_on_its_way(world: World) -> None:
    thing = Thing(world)
    world.takes = 1.0
    thing.to(2)
    await world.let_pass(0.5)
    last_word = asyncio.create_task(thing.arrived())
    await world.let_pass(0.3)
    assert not last_word.done()
    await world.let_pass(0.5)
    assert last_word.done()
    assert world.texts("edit") == ["2"]


async def test_what_was_noted_as_shown_is_posted_where_it_has_no_message(world: World) -> None:
    thing = Thing(world)
    thing.at, thing.stored = Place(2, 7), 1
    thing.changed()
    await world.let_pass(2)
    assert world.texts("send") == ["1"]


async def test_what_nobody_needs_is_not_posted_though_it_has_no_message(world: World) -> None:
    thing = Thing(world)
    thing.at, thing.open = Place(2, 7), False
    thing.changed()
    await world.let_pass(2)
    assert world.calls == []


async def test_what_cannot_be_posted_at_all_is_given_up(world: World) -> None:
    thing = Thing(world)
    thing.at = Place(1, 7)
    world.errors = [refusal(403, 50001)]
    thing.to(2)
    await world.let_pass(1)
    assert thing.gave_up


async def test_a_clock_that_is_set_back_holds_nothing_up(world: World) -> None:
    thing = Thing(world)
    thing.to(2)
    await world.let_pass(1)
    world.clock._at -= 3 * 3_600_000
    thing.to(3)
    await world.let_pass(3)
    assert world.texts("edit") == ["2", "3"]


async def test_little_is_remembered_however_many_are_hindered(world: World) -> None:
    world.outbox._resting = outbox._Resting(20)
    things = [Thing(world, f"thing {n}", channel=n) for n in range(100)]
    world.errors = [refusal(404, 10003) for _ in things]
    for thing in things:
        thing.to(2)
    await world.let_pass(6)
    assert sum(world.outbox.find(thing.key, Thing) is not None for thing in things) == 20
    assert sum(thing._timer is not None for thing in things) == 20
    assert world.outbox._busy == {}
