"""What people read when something does not work."""

from __future__ import annotations

import pytest
import structlog

from bot.core.errors import Refused, Titles
from bot.locales import words
from bot.render.pool import Studio, StudioClosed
from bot.render.scene import Scene
from bot.store.database import Conflict, Overtaken, StoreError
from bot.ui.components import page
from bot.ui.discord_errors import ARCHIVED, MANY_THREADS, NOBODY, UNKNOWN_CHANNEL, UNKNOWN_MESSAGE
from bot.ui.errors import words_for
from bot.ui.outbox import is_passing
from tests.support.discord.forging import blocked, refusal
from tests.support.discord.keys import part


async def test_no_blank_picture_is_sent_while_the_bot_stops() -> None:
    studio = Studio()
    studio.close()
    message = page(Scene(40, 40, (), "a square"), picture_name="square.png")
    with pytest.raises(StudioClosed) as stopped:
        await message.attachments(studio)
    assert part("trouble.stopping") in words_for(stopped.value, "en")


def test_a_call_that_discord_put_off_too_often_is_no_fault_of_the_bot() -> None:
    with structlog.testing.capture_logs() as lines:
        assert part("trouble.broken_line") in words_for(refusal(429, 0), "en")
    assert [line["log_level"] for line in lines] == ["warning"]


@pytest.mark.parametrize("code", [UNKNOWN_MESSAGE, UNKNOWN_CHANNEL])
def test_what_was_deleted_before_its_press_was_answered_is_no_fault_of_the_bot(code: int) -> None:
    """As when a moderator deletes the thread of a match in which somebody presses."""
    with structlog.testing.capture_logs() as lines:
        assert part("trouble.broken_line") in words_for(refusal(404, code), "en")
    assert [line["log_level"] for line in lines] == ["warning"]


@pytest.mark.parametrize("status", [403, 404, 429, 503])
def test_a_page_of_cloudflare_is_not_the_word_of_discord(status: int) -> None:
    with structlog.testing.capture_logs() as lines:
        assert part("trouble.broken_line") in words_for(blocked(status), "en")
    assert [line["why"] for line in lines] == [f"{status} Forbidden"]
    assert is_passing(blocked(status))


@pytest.mark.parametrize("code", sorted(NOBODY))
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_an_account_or_role_that_discord_does_not_know_is_told_in_a_sentence(code: int, locale: str) -> None:
    with structlog.testing.capture_logs() as lines:
        assert words_for(refusal(404, code), locale) == words(locale)("trouble.nobody")
    assert not lines


def test_a_locked_thread_is_told_as_what_it_is() -> None:
    """As when somebody who may manage threads has a table shown again in one that is locked."""
    with structlog.testing.capture_logs() as lines:
        assert part("trouble.locked") in words_for(refusal(400, ARCHIVED), "en")
        assert part("trouble.many_threads") in words_for(refusal(400, MANY_THREADS), "en")
    assert not lines


def test_trouble_with_the_database_stands_in_the_log() -> None:
    """People are asked to tell whoever runs the bot, who must find it there; but of a row no word."""
    with structlog.testing.capture_logs() as lines:
        for kind in ("full", "slow", "not_a_database", "gone"):
            words_for(StoreError(kind, "disk image is malformed\nDETAIL: row (7, a secret)"), "en")
    assert [line["kind"] for line in lines] == ["full", "slow", "not_a_database", "gone"]
    assert all(line["log_level"] == "warning" and "malformed" in line["why"] for line in lines)
    assert "secret" not in str(lines)


@pytest.mark.parametrize("error", [Conflict("seats.user_id"), Overtaken()])
def test_that_somebody_was_faster_is_no_trouble(error: StoreError) -> None:
    with structlog.testing.capture_logs() as lines:
        assert part("store.conflict") in words_for(error, "en")
    assert not lines


@pytest.mark.parametrize(
    "error", [StoreError("slow"), refusal(404, UNKNOWN_MESSAGE), RuntimeError("nobody foresaw this")]
)
def test_my_hand_is_named_only_where_there_is_a_table(error: Exception) -> None:
    """As when the nights, a tournament or the settings fail: no hand shows anything of those."""
    assert "My hand" in words_for(error, "en")
    assert "My hand" not in words_for(error, "en", at_table=False)


def test_games_are_named_in_the_language_of_the_reader() -> None:
    unknown = Refused("unknown_game", name="whist", games=Titles(("duel52", "atom")))
    assert "Duel 52, Atom" in words_for(unknown, "en")
    chinese = words("zh-CN")
    assert f"{chinese('duel52.title')}、{chinese('atom.title')}" in words_for(unknown, "zh-CN")
    gone = Refused("not_offered", game=Titles(("duel52",)))
    assert chinese("duel52.title") in words_for(gone, "zh-CN")


@pytest.mark.parametrize("key", ["quota_lobbies", "quota_person", "quota_channel", "quota_server"])
def test_one_is_not_told_as_several(key: str) -> None:
    """An operator may allow one lobby for each person."""
    one, two = (words_for(Refused(key, n=n), "en") for n in (1, 2))
    assert "1" not in one
    assert not any(plural in one for plural in ("lobbies", "tables already"))
    assert "2" in two
