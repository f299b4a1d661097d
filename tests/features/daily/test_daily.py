"""The deal of the day, through the real bot."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot import presenters
from bot.features.daily import service as today
from bot.features.daily.messages import Daily, daily_message, share_card
from bot.features.table.publishing.publisher import TablePublisher
from bot.features.teacher.review_service import Reviews
from bot.locales import languages, words
from bot.store import days
from bot.store.days import Begun, DailyResult
from bot.ui.live.members import Members
from engine import catalog
from tests.support.discord.forging import forge
from tests.support.discord.room_play import posted
from tests.support.discord.sent_messages import custom_ids, said
from tests.support.tables.daily import play

say = words("en")
GAMES = [game for game in catalog.listed() if game != "probe"]


async def opened(room: Any, person: Any, game: str) -> Any:
    """The private message of the game's day."""
    return (await person.slash(room.channel, "daily", game=game)).response


async def finish(room: Any, user_id: int, game: str, done: DailyResult) -> None:
    tables, now = room.bot.tables, room.bot.tables.clock.now()
    _, mine = await today.today(tables, user_id)
    table_id = mine[game].game_id
    await tables.database.write_at_once(lambda c: days.finish(c, table_id, done, now))


async def test_all_games_are_listed_and_lead_to_a_deal(room: Any, drawn: str) -> None:
    shown = (await room.ann.slash(room.channel, "daily")).response
    assert drawn in said(shown)
    for game in presenters.offered():
        assert presenters.get(game).title("en") in said(shown)


@pytest.mark.parametrize("game", GAMES)
async def test_a_deal_is_played_in_the_hand_alone(room: Any, drawn: str, game: str) -> None:
    posts = room.channel.last_message
    shown = await opened(room, room.ann, game)
    assert say("daily.intro") in said(shown)
    hand = (await forge(room.ann, shown, f"v:daily-go:{game}")).response
    assert say("daily.greeting") in said(hand)
    assert room.channel.last_message == posts, "nothing of it is public"
    day, mine = await today.today(room.bot.tables, room.ann.id)
    assert day == drawn
    table = await room.bot.tables.get(mine[game].game_id)
    assert not [
        each for each in custom_ids(hand.components) if each.startswith(("v:undo", "v:hint", "v:why"))
    ]
    again = await opened(room, room.ann, game)
    assert say("daily.open") in said(again)
    assert f"v:hand:{table.id}" in custom_ids(again.components)
    seed = table.stored.seed.hex()
    assert seed not in said(hand) + said(again)
    assert table.commitment.digest not in said(again), "what is shown is tomorrow's"


async def test_a_press_in_the_hand_is_answered_by_the_others(room: Any, drawn: str) -> None:
    shown = await opened(room, room.ann, "atom_duel")
    hand = (await forge(room.ann, shown, "v:daily-go:atom_duel")).response
    _, mine = await today.today(room.bot.tables, room.ann.id)
    table = await room.bot.tables.get(mine["atom_duel"].game_id)
    before = table.acts
    press = next(each for each in custom_ids(hand.components) if each.startswith("v:go:"))
    await forge(room.ann, hand, press)
    assert table.acts >= before
    assert table.stored.shown == table.stored.edition, "and nothing waits to be shown"


async def test_the_board_shows_members(room: Any, drawn: str) -> None:
    for person, margin in ((room.cleo, 9.0), (room.ben, 6.0), (room.ann, 4.0)):
        shown = await opened(room, person, "atom_duel")
        await forge(person, shown, "v:daily-go:atom_duel")
        await finish(room, person.id, "atom_duel", DailyResult(1, 9.0, margin, 17))
    shown = said(await opened(room, room.ann, "atom_duel"))
    assert all(name in shown for name in ("ann", "ben", "cleo"))
    room.guild.remove_member(room.cleo)
    publisher = room.bot.app.service(TablePublisher)
    publisher.members = Members(publisher.outbox)  # minutes later
    shown = said(await opened(room, room.ann, "atom_duel"))
    assert all(name in shown for name in ("ann", "ben"))
    assert "cleo" not in shown


async def test_a_finished_deal_has_a_board_a_streak_and_a_card(room: Any, drawn: str) -> None:
    shown = await opened(room, room.ann, "atom_duel")
    await forge(room.ann, shown, "v:daily-go:atom_duel")
    early = (await forge(room.ann, shown, f"v:share:daily:atom_duel:{drawn}")).response
    assert say("refused.daily_no_share") in said(early)
    await finish(room, room.ann.id, "atom_duel", DailyResult(1, 9.0, 4.0, 17))
    shown = await opened(room, room.ann, "atom_duel")
    state = "place 1 of 2 · 4 points ahead · 17 decisions"
    assert say("daily.line", place=1, name="ann", state=state) in said(shown)
    _, mine = await today.today(room.bot.tables, room.ann.id)
    assert f"v:hand:{mine['atom_duel'].game_id}" in custom_ids(shown.components), "the way back to the game"
    assert say("daily.streak", n=1) in said(shown)
    await forge(room.ann, shown, f"v:share:daily:atom_duel:{drawn}")
    card = posted(room)
    assert "🥇 1/2" in card
    practice = (await forge(room.ann, shown, "v:daily-go:atom_duel:again")).response
    assert say("daily.greeting_again") in said(practice)
    puzzle = (await forge(room.ben, shown, "v:daily-puzzle:atom_duel")).response
    assert say("puzzle.question") in said(puzzle)


async def test_a_game_whose_deal_was_not_drawn_says_when_the_next_one_comes(room: Any) -> None:
    shown = await opened(room, room.ann, "atom_duel")
    assert "The next one is ready" in said(shown)
    assert say("refused.no_daily") in said((await forge(room.ann, shown, "v:daily-go:atom_duel")).response)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("locale", languages())
def test_a_card_has_at_most_twelve_lines_and_names_no_card(game: str, locale: str) -> None:
    done = DailyResult(2, 31.0, -120.5, 140)
    found = Daily("2027-01-15", game, True, Begun(5, done), (), 1, 365, "ab" * 32)
    card = share_card(found, done, locale)
    assert len(card.splitlines()) <= 12
    assert "ab" * 32 not in card
    words_of_it = set(re.findall(r"[^\W\d_]+", "\n".join(card.splitlines()[1:])))
    assert words_of_it == {"daily"}, "below the title nothing but numbers, signs and the command"
    assert daily_message(found, (), locale).view.content_length() < 4000


def test_the_puzzle_of_a_day_is_another_each_day() -> None:
    numbers = range(40)
    week = [today.puzzle_of(f"2027-01-{day}", numbers) for day in range(10, 17)]
    assert len(set(week)) == 7
    assert week[0] == today.puzzle_of("2027-01-10", list(reversed(numbers)))


async def test_the_end_of_a_deal_is_kept_until_the_day_is_over(
    room: Any, drawn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others may still play it, so nothing leads to where all could see it, nor to another kind of game."""
    shown = await opened(room, room.ann, "atom_duel")
    hand = (await forge(room.ann, shown, "v:daily-go:atom_duel")).response
    _, mine = await today.today(room.bot.tables, room.ann.id)
    table = await room.bot.tables.get(mine["atom_duel"].game_id)
    await play(room.bot.tables, table, 40)
    hand = (await forge(room.ann, hand, f"v:hand:{table.id}:0")).response
    ways = {each.split(":")[1] for each in custom_ids(hand.components)}
    assert {"daily", "end"} <= ways
    assert not {"again", "replay"} & ways

    async def none(*_: object) -> None:
        raise AssertionError("no review before the day is over")

    monkeypatch.setattr(room.bot.app.service(Reviews), "find", none)
    end = (await forge(room.ann, hand, f"v:end:{table.id}")).response
    later = say("refused.review_sealed", at=days.counts_until(drawn) // 1000)
    assert later in said(end)
    acts = [seat for seat, _ in await room.bot.tables.acts(table)]
    again = await forge(room.ann, hand, f"v:try-again:{table.id}:{acts.index(0)}")
    for verb in ("moral", "review"):
        assert later in said((await forge(room.ann, hand, f"v:{verb}:{table.id}")).response)
    assert later in said(again.response)
    assert say("end.sealed", at=days.counts_until(drawn) // 1000) in said(end)
    assert not [each for each in custom_ids(end.components) if each.startswith(("v:end-post", "v:replay"))]


async def test_the_deals_of_the_first_day_can_be_played(room: Any) -> None:
    await room.bot.tables.runtime.upkeep.round()
    shown = (await room.ann.slash(room.channel, "daily")).response
    assert say("daily.first") not in said(shown)
    assert say("daily.fresh") in said(shown)
    shown = await opened(room, room.ann, "atom_duel")
    hand = (await forge(room.ann, shown, "v:daily-go:atom_duel")).response
    assert say("daily.greeting") in said(hand)


async def test_the_deal_of_today_counts_once_for_whoever_deletes_themselves(room: Any, drawn: str) -> None:
    shown = await opened(room, room.ann, "atom_duel")
    await forge(room.ann, shown, "v:daily-go:atom_duel")
    await finish(room, room.ann.id, "atom_duel", DailyResult(1, 5.0, 5.0, 9))
    await forge(room.ann, shown, "v:privacy-yes")
    _, mine = await today.today(room.bot.tables, room.ann.id)
    assert mine == {}
    assert "**#1** ann" not in said(await opened(room, room.ben, "atom_duel"))
    again = await forge(room.ann, await opened(room, room.ann, "atom_duel"), "v:daily-go:atom_duel")
    assert say("refused.daily_played") in said(again.response)
    assert (await today.today(room.bot.tables, room.ann.id))[1] == {}
    # of another game, and for others, nothing is played
    other = await forge(room.ann, await opened(room, room.ann, "atom"), "v:daily-go:atom")
    assert say("daily.greeting") in said(other.response)
    bens = await forge(room.ben, await opened(room, room.ben, "atom_duel"), "v:daily-go:atom_duel")
    assert say("daily.greeting") in said(bens.response)
