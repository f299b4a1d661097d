"""The same option of a select can be chosen again.

A client sends nothing for an option that is chosen already, until the message of the select is updated. So
the first answer to every choice is an update of that message (callback type 7).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

import pytest

from bot.locales import words
from bot.ui import router
from bot.ui.context import SELECTS
from tests.house.tree import read, texts
from tests.support.discord.controls import UNDER_A_LOBBY, over
from tests.support.discord.forging import forge
from tests.support.discord.keys import part
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, said

say = words("en")
pytestmark = pytest.mark.simcord(check_errors=False)  # what is refused must be redrawn too
VERB_AT = {"select": 2, "people": 1, "game_select": 2, "self._list": 3}
"""Functions that build a select, with the position of the verb among their arguments."""
OF_DISCORD = re.compile(r"ui\.\w+Select")
"""A select of discord.py, which gets a finished custom id."""
OF_SQL = re.compile(r"^from sqlalchemy import .*\bselect\b", re.MULTILINE)
UPDATE = 7

CHOICES: dict[str, tuple[str, str]] = {
    "about-game": ("", "atom"),
    "achieved": (":1", "atom"),
    "add": (":1:0:0::+:a", "b"),
    "bear": (":atom", "none"),
    "board-game": (":server~all~", "atom"),
    "card-also": ("", "atom_duel:fe"),
    "cards-game": ("", "atom"),
    "cards-one": (":atom_duel:0:0", "fe"),
    "cards-tag": (":atom_duel", "1"),
    "closer-part": (":1", "0"),
    "daily-of": ("", "atom"),
    "element": (":0", "fe"),
    "group": (":1:0:0::+", "a"),
    "guess": (":1", "0"),
    "help": (":1:0", "1"),
    "house-one": ("", "1"),
    "invite": (":1", "2"),
    "learn": ("", "atom"),
    "led-jump": (":1:t:0:0", "1"),
    "led-view": (":1:0:0", "t"),
    "lobby-of": ("", "atom"),
    "pick": (":1:0:0:", "a"),
    "remove-who": (":1", "2"),
    "replay": ("", "1"),
    "replay-jump": (":1:t:0", "1"),
    "replay-view": (":1:0", "t"),
    "rule-game": ("", "atom"),
    "rule-page": (":atom_duel:0", "1"),
    "season": (":atom:server", "1"),
    "sel": (":1:0:0:", "bid0"),
    "server-channels": ("", "1"),
    "server-games": ("", "atom"),
    "server-role": (":open", "1"),
    "server-seek": ("", "1"),
    "server-who": (":open", "everyone"),
    "set-holiday": ("", "1"),
    "set-language": ("", "en"),
    "set-pings": ("", "none"),
    "variant": (":atom:server", "1"),
}
"""Every select of the bot by its verb: the rest of its id, and an option."""
BORROWED = {"solve": (":atom:1:sel:", "a"), "step": (":atom:1:sel:", "a")}
"""The selects of a hand, in puzzles and lessons."""
OF_OLD_MESSAGES = {
    verb: (rest, values[0])
    for custom_id, values in UNDER_A_LOBBY.items()
    if values
    for _, verb, rest in [re.split(r"^v:([\w-]+)", custom_id)]
}


def selects() -> Iterator[str]:
    """Patterns of the verbs of all selects that the code of the bot builds."""
    for path in texts(".py"):
        source = read(path)
        if path.parts[:2] not in (("bot", "ui"), ("bot", "features")) or OF_SQL.search(source):
            continue
        for function in ast.walk(ast.parse(source)):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if function.name in {name.removeprefix("self.") for name in VERB_AT}:
                continue  # the verb comes from its caller
            for call in ast.walk(function):
                if isinstance(call, ast.Call) and (verb := verb_of(call)) is not None:
                    yield pattern(verb)


def verb_of(call: ast.Call) -> ast.expr | None:
    """Return the verb with which a call makes a select, or None if it makes none."""
    maker = ast.unparse(call.func)
    if maker in VERB_AT:
        return call.args[VERB_AT[maker]]
    if OF_DISCORD.fullmatch(maker):
        (custom_id,) = (word.value for word in call.keywords if word.arg == "custom_id")
        assert isinstance(custom_id, ast.Call)
        return custom_id.args[0]
    return None


def pattern(verb: ast.expr) -> str:
    """A verb, with `.*` for what is only known when it is made."""
    if isinstance(verb, ast.Constant):
        return re.escape(str(verb.value))
    assert isinstance(verb, ast.JoinedStr), ast.unparse(verb)
    return "".join(
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".*" for part in verb.values
    )


def first_answers(room: Any, since: int) -> list[int]:
    """The types of the first answers to the interactions since then."""
    return [
        entry.json["type"]
        for entry in room.env.http_requests[since:]
        if entry.path.endswith("/callback") and isinstance(entry.json, dict)
    ]


async def choose(room: Any, person: Any, message: Any, custom_id: str, *values: str) -> tuple[Any, list[int]]:
    since = len(room.env.http_requests)
    answer = await forge(person, message, custom_id, values)
    await room.env.settle()
    return answer, first_answers(room, since)


def test_every_select_is_listed() -> None:
    found = set(selects())
    built = {verb for verb in router.handlers() if any(re.fullmatch(each, verb) for each in found)}
    assert all(any(re.fullmatch(each, verb) for verb in built) for each in found)
    assert built == set(CHOICES)
    assert len(SELECTS) == 5


@pytest.mark.long
@pytest.mark.parametrize("verb", [*CHOICES, *BORROWED, *OF_OLD_MESSAGES])
async def test_every_choice_redraws_the_select(room: Any, verb: str) -> None:
    rest, value = (CHOICES | BORROWED | OF_OLD_MESSAGES)[verb]
    stage = over if verb.startswith(("replay", "led")) else dealt
    await stage(room)
    private = (await room.ann.slash(room.channel, "settings")).response
    for chosen in (value, value, "nothing-of-ours"):
        room.bot.app.debouncer._clicked.clear()  # later, no second click of a double one
        _, types = await choose(room, room.ann, private, f"v:{verb}{rest}", chosen)
        assert types == [UPDATE], (verb, chosen)


async def test_a_card_comes_below_the_list_it_was_chosen_from(room: Any) -> None:
    shown = (await room.ann.slash(room.channel, "cards", game="atom_duel")).response
    listed = next(each for each in custom_ids(shown.components) if each.startswith("v:cards-one:"))
    before = said(shown), list(custom_ids(shown.components)), shown.attachments
    for _ in range(2):
        card, _ = await choose(room, room.ann, shown, listed, "Fe")
        assert (said(shown), list(custom_ids(shown.components)), shown.attachments) == before
        (below,) = card.followups
        assert below.ephemeral
        assert "Iron" in said(below)


async def test_a_lobby_opened_from_the_list_of_games_follows_its_table(room: Any) -> None:
    poster = (await room.ann.slash(room.channel, "play")).response
    for number in (1, 2):
        room.bot.app.debouncer._clicked.clear()
        await choose(room, room.ann, poster, "v:lobby-of", "duel52")
        lobby = room.channel.last_message
        assert f"table {number}" in str(lobby.components)
        await room.ben.click(lobby, label="Join or leave")
        assert "ben" in str(room.channel.last_message.components)
        assert room.channel.last_message.id == lobby.id


async def test_an_invitation_leaves_the_lobby_as_it_is(room: Any) -> None:
    lobby = (await room.ann.slash(room.channel, "play", game="duel52")).response
    table, since = the_table(room), len(room.env.http_requests)
    sent = await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}")
    again = await room.ann.select(lobby, [room.ben], custom_id=f"v:invite:{table.id}")
    assert first_answers(room, since) == [UPDATE, UPDATE]
    assert said(room.env.backend.get_message(room.channel.id, lobby.id)) == said(lobby)
    assert room.ben.mention in str(sent.followups)
    assert part("refused.ask_later") in said(again.followups[0])


async def test_a_choice_that_came_too_fast_can_be_made_again(room: Any) -> None:
    shown = (await room.ann.slash(room.channel, "settings")).response
    room.bot.app.rate_limiter.allows = lambda _user: False
    answer, types = await choose(room, room.ann, shown, "v:set-pings", "none")
    assert types == [UPDATE]
    assert say("refused.hurry") in said(answer.followups[0])
