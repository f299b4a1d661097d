"""/leaderboard and /stats: what people read after finished games."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import Connection

from bot.features.teacher.review_rows import keep_review
from bot.locales import words
from bot.store.game_statistics import SeatStatistics, store_statistics
from engine.ai.review import Judged, Review
from tests.support.discord.keys import part
from tests.support.discord.people import let_everyone_stay, play
from tests.support.discord.room_play import dealt
from tests.support.discord.sent_messages import custom_ids
from tests.support.tables.tables import at_hand, settle

say = words("en")


async def board(room: Any, who: str = "ann", **options: str) -> Any:
    result = await getattr(room, who).slash(room.channel, "leaderboard", game="atom_duel", **options)
    return result.response


def said(message: Any) -> str:
    (found,) = re.findall(r"'description': (?:'([^']*)'|\"([^\"]*)\")", str(message.components))
    return str(found[0] or found[1])


def lines(message: Any) -> list[str]:
    """The lines of the board as they are read aloud."""
    return re.findall(r"(?:\d+ )?[\w ]+: Wins [^.]*\.", said(message))


async def test_a_board_without_counted_games_says_so(room: Any) -> None:
    ann = room.ann.id
    await play(room, {"people": (ann, None), "ranks": (1, 2)}, {"people": (ann,), "ranks": (1,)})
    message = await board(room)
    assert part("board.empty") in said(message)
    assert lines(message) == []


async def test_a_draw_for_everybody_is_a_win_for_nobody(room: Any) -> None:
    await play(room, {"people": (room.ann.id, room.ben.id), "ranks": (1, 1)})
    assert lines(await board(room)) == [
        f" 1 person {who.id}: Wins 0, Games 1, Won 0 %, Rating 1500?." for who in (room.ann, room.ben)
    ]


async def test_a_rating_starts_at_1500_and_is_provisional_at_first(room: Any) -> None:
    await play(room, {"people": (room.ann.id, room.ben.id), "ranks": (1, 2)})
    message = await board(room)
    rating = [line.removesuffix(".").split("Rating ")[1] for line in lines(message)]
    assert all(each.endswith("?") for each in rating)
    assert int(rating[0][:-1]) > 1500 > int(rating[1][:-1]) > 0
    assert part("board.footer") in said(message)
    await play(room, *({"people": (room.ann.id, other), "ranks": (1, 2)} for other in range(1, 9)))
    first = lines(await board(room))[0]
    assert first.split("Rating ")[1].removesuffix(".").isdigit()


@pytest.mark.parametrize("scope", ["server", "all"])
async def test_a_board_is_read_page_by_page(room: Any, monkeypatch: pytest.MonkeyPatch, scope: str) -> None:
    """Ann has lost to each of twenty people: two full pages, and her own line alone on a third."""
    let_everyone_stay(monkeypatch)
    await play(room, *({"people": (room.ann.id, other), "ranks": (2, 1)} for other in range(1, 21)))
    message = await board(room, scope=scope)
    pages = []
    for number in (1, 2, 3, 1):
        assert f"{number} / 3" in str(message.components)
        pages.append(lines(message))
        message = (await room.ann.click(message, label="Next ▶")).response
    first, second, third, again = pages
    assert [line.split(":")[0].strip() for line in first[:10]] == [f"{n} person {n}" for n in range(1, 11)]
    own = f" 21 person {room.ann.id}: Wins 0, Games 20, Won 0 %, Rating "
    assert all(page[10].startswith(own) and len(page) == 11 for page in (first, second))
    assert [line[: len(own)] for line in third] == [own]
    assert again == first


async def test_a_page_that_is_gone_is_the_last_one(room: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The button is as old as the message; a board may be shorter when it is pressed."""
    let_everyone_stay(monkeypatch)
    await play(room, *({"people": (room.ann.id, other), "ranks": (2, 1)} for other in range(1, 12)))
    message = await board(room)
    assert "1 / 2" in str(message.components)
    shorter = "DELETE FROM board_ratings WHERE user_id > 5"
    await room.bot.app.database.write_at_once(lambda c: c.exec_driver_sql(shorter))
    message = (await room.ann.click(message, label="Next ▶")).response
    assert " / " not in str(message.components)
    assert len(lines(message)) == 5


async def test_people_of_other_servers_are_not_named(room: Any) -> None:
    """Ann asks for all servers: Ben has played here, Cleo only elsewhere, and Ann herself only there too."""
    cleo, ann, ben = room.cleo.id, room.ann.id, room.ben.id
    await play(
        room,
        {"people": (cleo, ann), "ranks": (1, 2), "guild_id": 71},
        {"people": (ben, cleo), "ranks": (2, 1), "guild_id": 71},
        {"people": (ben, None), "ranks": (1, 2), "game": "duel52"},
    )
    everywhere = lines(await board(room, scope="all"))
    assert [line.split(":")[0].strip() for line in everywhere] == [
        "1 a player elsewhere",
        f"2 person {ben}",
        f"3 person {ann}",
    ]
    own = lines(await board(room, "cleo", scope="all"))
    assert [line.split(":")[0].strip() for line in own] == [
        f"1 person {cleo}",
        f"2 person {ben}",
        "3 a player elsewhere",
    ]
    # in a direct message there is no server in which one could be known
    result = await room.ben.user.slash("leaderboard", game="atom_duel")
    alone = [line.split(":")[0].strip() for line in lines(result.response)]
    assert sorted(alone) == sorted(["1 a player elsewhere", "3 a player elsewhere", f"2 person {ben}"])


async def rivals(person: Any, message: Any) -> str:
    """The words of the other side of somebody's statistics; "" where there is none."""
    if say("board.rivals") not in str(message.components):
        return ""
    return said((await person.click(message, label=say("board.rivals"))).response)


async def test_statistics_tell_of_this_server_or_of_all(room: Any) -> None:
    ann, ben = room.ann.id, room.ben.id
    won = {"people": (ann, ben), "ranks": (1, 2)}
    await play(
        room,
        won,
        won,
        {**won, "ranks": (2, 1)},
        {**won, "hands": 3},
        {**won, "guild_id": 71},
        {"people": (ann, None), "ranks": (1, 2), "game": "duel52"},
    )
    message = (await room.ann.slash(room.channel, "stats")).response
    assert "### " not in str(message.components), "the picture bears the name"
    here = said(message)
    assert "games: 4. won: 75 %. longest run: 2. Last games: 3 won of 4." in here
    assert "Atom Duel: Won 3/4, Practice 0/0, Hands 3, Streak 1, Longest 2, Rating " in here
    other = await rivals(room.ann, message)
    assert "Against ben: 4 of 5 won." in other.replace(f"person {ben}", "ben")
    assert "Rating in Atom Duel in all servers over the last 5 games: from " in other
    assert "Duel 52: Won 0/0, Practice 1/1, Hands –, Streak 0, Longest 0." in here
    everywhere = said((await room.ann.user.slash("stats")).response)
    assert "Atom Duel: Won 4/5, Practice 0/0, Hands 3, Streak 2, Longest 2, Rating " in everywhere
    of_cleo = await room.ann.slash(room.channel, "stats", person=room.cleo.user)
    assert part("board.no_stats") in said(of_cleo.response)
    her_own = (await room.cleo.slash(room.channel, "stats")).response
    assert "v:poster" in custom_ids(her_own.components), "an empty page says what to do about it"
    assert "v:poster" not in custom_ids(message.components)


async def test_the_rating_of_all_servers_is_as_sure_as_all_games_make_it(room: Any) -> None:
    """One game in this server, many elsewhere: only the rating of this server has its "?"."""
    ranks = [(1, 2), (2, 1)] * 6
    met = enumerate(ranks, 1)
    elsewhere = [{"people": (room.ann.id, other), "ranks": ended, "guild_id": 71} for other, ended in met]
    await play(room, *elsewhere, {"people": (room.ann.id, room.ben.id), "ranks": (1, 2)})
    message = (await room.ann.slash(room.channel, "stats")).response
    assert re.search(r"Rating \d+\?\.", said(message))
    assert re.search(r"over the last 13 games: from \d+ to \d+\.", await rivals(room.ann, message))


async def test_luck_is_told_to_whose_game_it_was(room: Any) -> None:
    """Reviews are made for those who sat there, and so are the figures that come of them."""
    game = {"people": (room.ann.id, room.ben.id), "ranks": (1, 2)}
    await play(room, game)
    one = Judged(act=1, best=[], chance=0.5, loss=0.2, error=0.01)
    await room.bot.app.database.write_at_once(lambda c: keep_review(c, 1, Review(0, (one,), 1.0)))
    own = await rivals(room.ann, (await room.ann.slash(room.channel, "stats")).response)
    assert "wins by luck: +0.7. by mistakes: −0.2. game reviewed: 1." in own
    asked = (await room.ben.slash(room.channel, "stats", person=room.ann.user)).response
    read = said(asked) + await rivals(room.ben, asked)
    assert "ann" in read
    assert "luck" not in read


async def test_roles_and_the_favourite_card(room: Any) -> None:
    game = {"people": (room.ann.id, room.ben.id), "ranks": (1, 2)}
    await play(room, game, {**game, "ranks": (2, 1)})

    def note(connection: Connection) -> None:
        for table, began in ((1, 1), (2, 0)):
            store_statistics(
                connection,
                table,
                [SeatStatistics(0, began, {"Au": 2, "H": 1}), SeatStatistics(1, 1 - began, {})],
            )

    await room.bot.app.database.write_at_once(note)
    own = await rivals(room.ann, (await room.ann.slash(room.channel, "stats")).response)
    assert "Favourite card: Gold" in own
    assert "played 4 times. Going first: 1 of 1 won. Not going first: 0 of 1 won." in own
    bens = await rivals(room.ben, (await room.ben.slash(room.channel, "stats")).response)
    assert "Favourite" not in bens != ""


async def test_the_roles_of_a_game_that_has_some(room: Any) -> None:
    """Those of Atom's five; its games of four go by who began."""
    game = {"people": (room.ann.id, room.ben.id), "ranks": (1, 2), "game": "atom"}
    await play(room, *[game] * 4, {**game, "ranks": (2, 1)})

    def note(connection: Connection) -> None:
        for table, role, began in (
            (1, "opponent", 0),
            (2, "caller", 1),
            (3, None, 1),
            (4, None, 0),
            (5, "caller", 1),
        ):
            store_statistics(
                connection,
                table,
                [SeatStatistics(0, began, {}, role=role), SeatStatistics(1, 1 - began, {}, role="partner")],
            )

    await room.bot.app.database.write_at_once(note)
    own = await rivals(room.ann, (await room.ann.slash(room.channel, "stats")).response)
    assert "As caller: 1 of 2 won. Against the caller: 1 of 1 won. Going first: 1 of 1 won." in own
    bens = await rivals(room.ben, (await room.ben.slash(room.channel, "stats")).response)
    assert "As the caller's partner: 1 of 5 won." in bens
    assert "Going" not in bens


async def test_open_tables_are_links_and_no_addresses(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")
    url = room.channel.last_message.jump_url
    listed = await room.ann.slash(room.channel, "games")
    assert f"[Table 1]({url})" in str(listed.response.components)
    assert f" {url}" not in str(listed.response.components)


async def test_a_board_of_another_season_or_variant(room: Any) -> None:
    """What is played at another level of powers stands on a board of its own, as does each season."""
    game = {"people": (room.ann.id, room.ben.id), "ranks": (1, 2)}
    await play(room, game, {**game, "options": {"level": 6}, "ranks": (2, 1)})
    message = await board(room)
    assert lines(message)[0].strip().startswith(f"1 person {room.ann.id}: Wins 1, Games 1")
    ids = re.findall(r"v:(?:season|variant):[^']*", str(message.components))
    assert ids == ["v:season:atom_duel:server", "v:variant:atom_duel:server"]
    powers = (await room.ann.select(message, ["level-6"], custom_id=ids[1])).response
    assert lines(powers)[0].strip().startswith(f"1 person {room.ben.id}: Wins 1, Games 1")
    assert lines(await board(room, season="now")) == []  # those games ended in 1970


async def test_a_board_of_another_game(room: Any) -> None:
    """It shows the way of playing that people have played, whichever was shown before."""
    game = {"people": (room.ann.id, room.ben.id), "ranks": (1, 2)}
    await play(room, {**game, "options": {"level": 6}}, {**game, "game": "atom", "ranks": (2, 1)})
    message = await board(room)
    other = (await room.ann.select(message, ["atom"], custom_id="v:board-game:server")).response
    assert lines(other)[0].strip().startswith(f"1 person {room.ben.id}: Wins 1, Games 1")
    back = (await room.ann.select(other, ["atom_duel"], custom_id="v:board-game:server")).response
    assert lines(back)[0].strip().startswith(f"1 person {room.ann.id}: Wins 1, Games 1")


async def test_names_of_other_servers_by_consent(room: Any) -> None:
    await play(room, {"people": (room.cleo.id, 5), "ranks": (1, 2), "guild_id": 71})
    names = [line.split(":")[0].strip() for line in lines(await board(room, scope="all"))]
    assert names == ["1 a player elsewhere", "2 a player elsewhere"]
    agrees = "UPDATE players SET prefs = '{\"named\": true}' WHERE id = 5"
    await room.bot.app.database.write_at_once(lambda c: c.exec_driver_sql(agrees))
    names = [line.split(":")[0].strip() for line in lines(await board(room, scope="all"))]
    assert names == ["1 a player elsewhere", "2 person 5"]


async def test_who_names_no_game_sees_the_board_of_what_they_played_last(room: Any) -> None:
    await dealt(room, "chemistry_battle", blind="yes")
    (table,) = at_hand(room.bot.tables).values()
    while table.waiting():
        seat = table.waiting()[0]
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await settle(room.bot.tables)
    for person, title in ((room.ann, "Chemistry Battle"), (room.cleo, "Atom Duel")):
        shown = (await person.slash(room.channel, "leaderboard")).response
        assert said(shown).startswith(f"{title} leaderboard")
