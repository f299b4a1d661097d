"""Public posts that people ask for have a limit per channel and per table."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.core.errors import Refused
from bot.features.tournaments.rights import claim_notice
from bot.ui.rate_limiter import IN_CHANNEL, OF_MATCH, OF_TABLE, PostLimiter, RateLimiter
from tests.support.discord.forging import forge
from tests.support.discord.keys import part
from tests.support.discord.room_play import dealt, play_out
from tests.support.discord.sent_messages import said
from tests.support.tables.tables import ManualClock, at_hand

pytestmark = pytest.mark.simcord(check_errors=False)  # refusals are what this is about

FULL, TABLE = "A lot was just posted in this channel", "just posted something about that table"


def test_posts_are_limited_by_subject_and_a_press_counts_once() -> None:
    clock = ManualClock()
    posts = PostLimiter(clock)
    for press in range(IN_CHANNEL.room):
        posts.claim(press, {IN_CHANNEL: 1})
        posts.claim(press, {IN_CHANNEL: 1})
    with pytest.raises(Refused) as refused:
        posts.claim(98, {IN_CHANNEL: 1})
    assert (refused.value.key, refused.value.facts) == ("posted_channel", {"n": 2})
    posts.claim(99, {IN_CHANNEL: 2})
    clock.move(2)
    posts.claim(100, {IN_CHANNEL: 1, OF_TABLE: 7})
    with pytest.raises(Refused) as refused:
        posts.claim(101, {IN_CHANNEL: 2, OF_TABLE: 7})
    assert (refused.value.key, refused.value.facts) == ("posted_table", {"n": 10})
    clock.move(9.5)
    with pytest.raises(Refused) as refused:
        posts.claim(102, {OF_TABLE: 7})
    assert refused.value.facts == {"n": 1}
    clock.move(0.6)
    posts.claim(103, {OF_TABLE: 7})


def test_a_post_that_is_refused_counts_for_nothing() -> None:
    posts = PostLimiter(ManualClock())
    posts.claim(1, {OF_TABLE: 7})
    for press in range(2, 90):
        with pytest.raises(Refused):
            posts.claim(press, {IN_CHANNEL: 1, OF_TABLE: 7})
    posts.claim(90, {IN_CHANNEL: 1})


def test_a_limiter_says_how_long_and_counts_nothing_by_that() -> None:
    clock = ManualClock()
    limiter = RateLimiter(clock, 0.5, 1)
    assert limiter.seconds_until("a") == limiter.seconds_until("a") == 0
    assert limiter.allows("a")
    assert limiter.seconds_until("a") == 2
    clock.move(1)
    assert limiter.seconds_until("a") == 1


def fill(room: Any) -> None:
    """The channel has seen as many posts as it takes."""
    limiter, press = room.bot.app.posts._limiters[IN_CHANNEL], 0
    while not limiter.seconds_until(room.channel.id):
        press -= 1
        room.bot.app.posts.claim(press, {IN_CHANNEL: room.channel.id})


def messages(room: Any) -> int:
    return sum(not message.flags.ephemeral for message in room.channel.history())


@pytest.fixture
def still(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits stand where they are."""
    room.bot.app.posts = PostLimiter(ManualClock())


@pytest.mark.usefixtures("still")
async def test_a_table_is_shown_again_once_in_ten_seconds(room: Any) -> None:
    await dealt(room)
    first = (await room.ann.slash(room.channel, "table repost")).response
    assert TABLE not in said(first)
    before = messages(room)
    for person in (room.ann, room.ben) * 3:
        refused = (await person.slash(room.channel, "table repost")).response
        assert TABLE in said(refused)
        assert "10" in said(refused)
    assert messages(room) == before


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("play", {"game": "probe"}),
        ("table repost", {}),
        ("seek", {"game": "duel52"}),
        ("tournament create", {"name": "Cup", "game": "duel52"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_command_that_posts_is_refused_where_much_was_posted(
    room: Any, command: str, options: dict[str, Any]
) -> None:
    await dealt(room)
    fill(room)
    before, tables = messages(room), len(at_hand(room.bot.tables))
    result = (
        await room.cleo.slash(room.channel, command, **options)
        if command != "table repost"
        else (await room.ann.slash(room.channel, command))
    )
    assert FULL in said(result.response)
    assert result.ephemeral
    assert messages(room) == before
    assert len(at_hand(room.bot.tables)) == tables, "nothing was opened that no one sees"


@pytest.mark.usefixtures("still")
async def test_a_button_that_posts_is_refused_where_much_was_posted(room: Any) -> None:
    board = await dealt(room, rounds="1")
    shown = (await room.ann.slash(room.channel, "card", name="iron")).response
    table = await play_out(room)
    fill(room)
    before = messages(room)
    shared = await room.ann.click(shown, label=part("share.here"))
    assert FULL in said(shared.followups[0] if shared.followups else shared.response)
    posted = await forge(room.ann, board, f"v:end-post:{table.id}")
    assert FULL in said(posted.followups[0] if posted.followups else posted.response)
    assert messages(room) == before


@pytest.mark.usefixtures("still")
async def test_a_challenge_that_is_refused_counts_for_nothing(room: Any) -> None:
    fill(room)
    refused = await room.ann.context_menu(room.channel, "Challenge", room.ben)
    assert FULL in said(refused.response)
    room.bot.app.posts = PostLimiter(ManualClock())
    taken = await room.ann.context_menu(room.channel, "Challenge", room.ben)
    assert part("refused.ask_later") not in said(taken.response)
    assert len(at_hand(room.bot.tables)) == 1


async def test_the_result_of_a_match_is_changed_a_few_times_at_once() -> None:
    posts = PostLimiter(ManualClock())
    for press in range(OF_MATCH.room + 1):
        answer: Any = SimpleNamespace(app=SimpleNamespace(posts=posts), interaction=SimpleNamespace(id=press))
        tournament: Any = SimpleNamespace(id=1, stored=SimpleNamespace(channel_id=5))
        if press < OF_MATCH.room:
            claim_notice(answer, tournament, "W1.1")
        else:
            with pytest.raises(Refused, match="posted_match"):
                claim_notice(answer, tournament, "W1.1")
            claim_notice(answer, tournament, "W1.2")
            claim_notice(answer, tournament)
