"""What is offered while somebody types: for every option of every command, wherever one types it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import aiohttp
import discord
import pytest
import structlog
from discord import app_commands

from bot.client import TYPED_PER_PRESS
from bot.core.errors import Refused
from bot.features.house_rules import service as house_rules
from bot.features.lookups import card_search
from bot.features.nights.service import Nights
from bot.features.table.hand import commands as hands
from bot.features.tournaments import command as tournaments
from bot.features.tournaments.service import Tournaments
from bot.store.database import StoreError
from bot.table.registry import Tables
from bot.typed_names import named
from bot.ui.commands.autocomplete import LONGEST
from bot.ui.commands.typed_options import read_options
from bot.ui.rate_limiter import RateLimiter
from engine import catalog
from tests.house.tree import read, texts
from tests.support.discord.room_play import dealt
from tests.support.discord.sent_messages import said

TYPED = ("", "1", "zzz", "*", "💥" * 20)
NUMBERS = {"table", "number"}
"""Options that are numbers: Discord lets nothing else be sent, half typed too."""


def completed(tree: Any) -> list[tuple[str, str]]:
    """Each command with each of its options for which something is offered."""
    return [
        (command.qualified_name, parameter.display_name)
        for command in tree.walk_commands()
        if isinstance(command, app_commands.Command)
        for parameter in command.parameters
        if parameter.autocomplete
    ]


@pytest.fixture
def errors(room: Any) -> Iterator[list[Any]]:
    """What the bot logs meanwhile."""
    with structlog.testing.capture_logs() as lines:
        yield lines


def bad(lines: list[Any]) -> list[Any]:
    return [line for line in lines if line["log_level"] in ("warning", "error", "critical")]


async def ask(person: Any, channel: Any, command: str, option: str, typed: str, **filled: Any) -> Any:
    value: Any = typed
    if option in NUMBERS and not typed.isdecimal():
        value = ""
    if channel is None:
        return await person.user.autocomplete(command, option, value, **filled)
    return await person.autocomplete(channel, command, option, value, **filled)


def test_a_list_is_offered_for_every_number_and_every_name(room: Any) -> None:
    found = set(completed(room.bot.tree))
    assert {("card", "name"), ("move", "table"), ("table cancel", "table")} <= found
    for name in ("join", "leave", "start", "bracket", "report", "cancel"):
        assert (f"tournament {name}", "number") in found
    for command in room.bot.tree.walk_commands():
        for parameter in getattr(command, "parameters", ()):
            if parameter.display_name in NUMBERS:
                assert parameter.autocomplete, command.qualified_name


async def test_where_nothing_is_open_nothing_is_offered(
    room: Any, errors: list[Any], caplog: pytest.LogCaptureFixture
) -> None:
    """No tournament, no table, an unknown number, another server, direct messages."""
    other = room.env.create_guild()
    away = other.create_text_channel("away")
    stranger = other.add_member(room.cleo.user)
    for command, option in completed(room.bot.tree):
        for typed in TYPED:
            got = [
                await ask(room.ann, room.channel, command, option, typed),
                await ask(stranger, away, command, option, typed),
            ]
            if command.split()[0] not in ("tournament", "night", "seek"):  # which are of servers alone
                got.append(await ask(room.ann, None, command, option, typed))
            if command == "tournament report" and option != "number":
                got.append(await ask(room.ann, room.channel, command, option, typed, number=99))
            if command.startswith("tournament"):
                assert got == [[]] * len(got)
    assert bad(errors) == []
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


async def test_a_tournament_is_offered_by_number_and_name(room: Any) -> None:
    for name in ("Autumn cup", "Winter cup"):
        await room.ann.slash(room.channel, "tournament create", name=name, game="duel52")
    offered = await room.ben.autocomplete(room.channel, "tournament join", "number", "")
    assert [choice["name"] for choice in offered] == ["2 · Winter cup", "1 · Autumn cup"]
    assert [choice["value"] for choice in offered] == [2, 1]
    offered = await room.ben.autocomplete(room.channel, "tournament join", "number", "1")
    assert [choice["value"] for choice in offered] == [1]
    other = room.env.create_guild()
    away = other.create_text_channel("away")
    stranger = other.add_member(room.cleo.user)
    assert await stranger.autocomplete(away, "tournament join", "number", "") == []


async def options(room: Any, typed: str, game: str | None = "duel52") -> dict[str, str]:
    filled = {"name": "Cup"} | ({"game": game} if game else {})
    offered = await room.ann.autocomplete(room.channel, "tournament create", "option", typed, **filled)
    return {choice["value"]: choice["name"] for choice in offered}


async def test_options_of_a_tournament_are_offered_one_after_the_other(room: Any) -> None:
    offered = await options(room, "")
    assert {"variant=quick", "vampiric=yes"} <= set(offered)
    assert "Quick" in offered["variant=quick"]
    assert "variant=solo" not in offered, "a tournament is for two"
    assert list(await options(room, "quic")) == ["variant=quick"]
    assert list(await options(room, "VARIANT=qu")) == ["variant=quick"]
    first, *more = list(await options(room, "variant=quick"))
    assert first == "variant=quick"
    assert "variant=quick vampiric=yes" in more
    assert all(each.startswith("variant=quick ") and each.count("variant") == 1 for each in more)
    offered = await options(room, "variant=quick, vamp")
    assert "variant=quick vampiric=yes" in offered
    assert "Quick" in offered["variant=quick vampiric=yes"]


@pytest.mark.parametrize(
    ("typed", "game"), [("", None), ("nonsense=1 va", "duel52"), ("zzz", "duel52"), ("", "atom")]
)
async def test_no_options_are_offered_where_none_fit(room: Any, typed: str, game: str | None) -> None:
    assert await options(room, typed, game) == {}


async def test_whatever_is_offered_can_be_played_by_two(room: Any) -> None:
    for game in tournaments.for_two():
        rules, first = catalog.get(game), await options(room, "", game)
        second = [each for one in first for each in await options(room, one, game)]
        for value in {*first, *second}:
            chosen = {**rules.defaults(), **read_options(game, value)}
            assert 2 in rules.seats(chosen)
            rules.setup(2, b"", **chosen)


@pytest.mark.parametrize("failure", [Refused("no_moves"), StoreError("locked"), ZeroDivisionError()])
async def test_whatever_fails_offers_nothing(
    room: Any, errors: list[Any], monkeypatch: pytest.MonkeyPatch, failure: Exception
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise failure

    for name in ("of_user", "listed", "in_channel", "games_at", "finished"):
        monkeypatch.setattr(Tables, name, fail)
    monkeypatch.setattr(type(room.bot.app.service(Tournaments)), "of_guild", fail)
    monkeypatch.setattr(type(room.bot.app.service(Nights)), "of_guild", fail)
    monkeypatch.setattr(tournaments, "for_two", fail)
    monkeypatch.setattr(house_rules, "of_channel", fail)
    asked = completed(room.bot.tree)
    for command, option in asked:
        assert await room.ann.autocomplete(room.channel, command, option, "") == []
    unforeseen = [line for line in errors if line["event"] == "unforeseen"]
    assert len(unforeseen) == (len(asked) if isinstance(failure, ZeroDivisionError) else 0)
    counted = room.bot.app.metrics.registry.get_sample_value("valence_failures_total")
    assert counted == len(unforeseen)


async def test_a_line_that_breaks_while_offering_is_no_error(
    room: Any, errors: list[Any], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def drop(*_: Any, **__: Any) -> None:
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(discord.InteractionResponse, "autocomplete", drop)
    with caplog.at_level(logging.WARNING):
        await room.ann.autocomplete(room.channel, "card", "name", "iron")
    assert bad(errors) == []
    assert [line["event"] for line in errors] == ["choices not offered"]
    assert caplog.records == []


def test_there_is_one_way_to_offer_something() -> None:
    """Another one would not be guarded."""
    found = [path.name for path in texts(".py") if path.parts[0] == "bot" and ".autocomplete(" in read(path)]
    assert found == ["autocomplete.py"]


async def test_no_more_is_searched_for_than_a_choice_can_hold(
    room: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord lets people type 6,000 characters; each would be compared with every line of every table."""
    await dealt(room)
    searched = list[str]()
    ratio = hands.fuzz.partial_ratio

    def heard(wanted: str, name: str) -> float:
        searched.append(wanted)
        return float(ratio(wanted, name))

    monkeypatch.setattr(hands.fuzz, "partial_ratio", heard)
    for person in (room.ann, room.ben):
        await person.autocomplete(room.channel, "move", "choice", "bid 2 " * 1000)
    assert searched
    assert max(map(len, searched)) <= LONGEST


def test_a_card_is_searched_by_no_more_than_a_name_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = list[str]()
    extract = card_search.process.extract

    def heard(wanted: str, *args: Any, **how: Any) -> Any:
        searched.append(wanted)
        return extract(wanted, *args, **how)

    monkeypatch.setattr(card_search.process, "extract", heard)
    card_search.search("gold " * 1200, "en")
    assert [len(each) <= card_search.LONGEST_NAME for each in searched] == [True]


async def test_who_asks_faster_than_anybody_types_gets_an_empty_list(room: Any) -> None:
    await room.ann.slash(room.channel, "play", game="probe")

    async def offered(person: Any) -> Any:
        return await person.autocomplete(room.channel, "table leave", "table", "")

    app = room.bot.app
    app.typing = RateLimiter(app.clock, rate=0.001, room=2)
    assert [len(await offered(room.ann)) for _ in range(4)] == [1, 1, 0, 0]
    await room.ben.click(room.channel.last_message, label="Join or leave")
    assert len(await offered(room.ben)) == 1, "nobody else is affected"
    shown = await room.ann.slash(room.channel, "hand")
    assert shown.response, "and commands have a bucket of their own"


def test_people_may_type_faster_than_they_press(room: Any) -> None:
    app = room.bot.app
    assert app.typing._rate / app.rate_limiter._rate == TYPED_PER_PRESS > 1


@pytest.mark.parametrize("typed", ["秋季锦标赛", "秋季錦標賽", "錦標", "jinbiao", "qiū jì"])
async def test_a_chinese_name_is_found_in_either_script_and_by_its_sound(room: Any, typed: str) -> None:
    await room.ann.slash(room.channel, "tournament create", name="秋季锦标赛", game="duel52")
    await room.ann.slash(room.channel, "tournament create", name="Winter cup", game="duel52")
    offered = await room.ben.autocomplete(room.channel, "tournament join", "number", typed)
    assert [choice["value"] for choice in offered] == [1]


async def test_a_card_is_found_in_traditional_characters_while_typing(room: Any) -> None:
    offered = await room.ben.autocomplete(room.channel, "card", "name", "鐵")
    assert "Fe" in offered[0]["name"]
    shown = await room.ben.slash(room.channel, "card", name="鐵")
    assert "Iron" in said(shown.response)


@pytest.mark.parametrize(
    ("typed", "names", "keys"),
    [
        ("小龍", {1: "小龙", 2: "小虎"}, [1]),
        ("小龍", {1: "小龙", 2: "小龍"}, [2]),
        ("2", {1: "小龙", 2: "小虎"}, [2]),
        ("小马", {1: "小龙", 2: "小虎"}, []),
    ],
)
def test_a_typed_name_is_that_of_one_person(typed: str, names: dict[int, str], keys: list[int]) -> None:
    assert named(typed, names) == keys
