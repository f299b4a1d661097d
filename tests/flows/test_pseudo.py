"""No sentence of the house is left in the code: people whose Discord speaks a language that is English in
other letters see no English word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
import simcord.interactions

from tests.support.discord.forging import forge
from tests.support.discord.pseudo import PSEUDO, drawn, left
from tests.support.discord.room_play import the_table

pytestmark = pytest.mark.simcord(check_errors=False)  # what is refused is said in words too
SAID = ("content", "label", "placeholder", "description", "title")
MOST = 8
"""How many controls of one message are pressed."""


@pytest.fixture
def abroad(room: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The room in a server that speaks that language."""
    english = simcord.interactions.base_payload

    def speaking(*args: Any, **facts: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = english(*args, **facts)
        return record, {**payload, "locale": PSEUDO, "guild_locale": PSEUDO}

    monkeypatch.setattr(simcord.interactions, "base_payload", speaking)
    studio, room.painted = room.bot.app.studio, []
    paint = studio.paint

    async def recorded(scene: Any, *args: Any, **facts: Any) -> Any:
        room.painted.append(scene)
        return await paint(scene, *args, **facts)

    monkeypatch.setattr(studio, "paint", recorded)
    return room


def texts(components: Iterable[Any]) -> Iterator[str]:
    """All that a message says, in blocks, buttons and lists."""
    for component in components:
        yield from (component[key] for key in SAID if isinstance(component.get(key), str))
        for inner in ("components", "options", "items"):
            yield from texts(component.get(inner, ()))
        for inner in ("accessory", "component"):
            yield from texts([component[inner]] if component.get(inner) else ())


def controls(components: Iterable[Any]) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """What can be pressed, with the first option of a list."""
    for component in components:
        if custom_id := component.get("custom_id"):
            options = component.get("options")
            yield custom_id, (options[0]["value"],) if options else None
        yield from controls(component.get("components", ()))
        if component.get("accessory"):
            yield from controls([component["accessory"]])


class Listener:
    """Hears what the bot answers, and notes where an English word is in it."""

    def __init__(self) -> None:
        self.texts = 0
        self.found: dict[str, list[str]] = {}

    def hear(self, answer: Any) -> Any:
        """The message of an answer, if it is one."""
        for form in filter(None, [answer.modal]):
            self._note(texts([form]))
        for message in filter(None, (answer.response, *answer.followups)):
            self._note(texts(message.components))
        return answer.response

    def look_around(self, room: Any) -> None:
        """Hear what stands in the channel, and look at all pictures so far."""
        for message in room.channel.history():
            self._note(texts(block.to_dict() for block in message.components))
        for scene in room.painted:
            self._note(drawn(scene))

    def _note(self, told: Iterable[str]) -> None:
        for text in told:
            self.texts += 1
            # a game that only tests have speaks English alone
            if (words := left(text)) and "Probe" not in text:
                self.found[text] = words

    async def press(self, person: Any, message: Any, most: int = MOST) -> None:
        """Press each control of a message once, and hear what comes."""
        pressed = [each for each in controls(message.components) if "probe" not in each[0]]
        for custom_id, values in pressed[:most]:
            self.hear(await forge(person, message, custom_id, values))


ASKED = (
    ("help", {}),
    ("play", {}),
    ("hand", {}),
    ("games", {}),
    ("leaderboard", {}),
    ("stats", {}),
    ("settings", {}),
    ("about", {}),
    ("learn", {}),
    ("puzzle", {}),
    ("periodic", {}),
    ("rules", {"game": "atom"}),
    ("cards", {"game": "molecular"}),
    ("card", {"name": "Fe"}),
)


@pytest.mark.long
@pytest.mark.parametrize(("command", "options"), ASKED)
async def test_no_sentence_of_a_command_is_left_in_the_code(
    abroad: Any, command: str, options: dict[str, str]
) -> None:
    room, listener = abroad, Listener()
    message = listener.hear(await room.ann.slash(room.channel, command, **options))
    await listener.press(room.ann, message)
    listener.look_around(room)
    assert listener.texts
    assert listener.found == {}


async def test_no_sentence_of_a_table_is_left_in_the_code(abroad: Any) -> None:
    """From the lobby to the end, in public and in the hand, and what is refused on the way."""
    room, listener = abroad, Listener()
    listener.hear(await room.ann.slash(room.channel, "play", game="atom"))
    table, lobby = the_table(room), room.channel.last_message
    listener.look_around(room)
    for verb in ("leave", "options", "arrange", "invite", "fair", "rules", "start", "close"):
        listener.hear(await forge(room.cleo, lobby, f"v:{verb}:{table.id}"))
        if verb not in ("leave", "start", "close"):
            listener.hear(await forge(room.ann, lobby, f"v:{verb}:{table.id}"))
    listener.hear(await forge(room.ben, lobby, f"v:join:{table.id}"))
    listener.hear(await forge(room.ann, lobby, f"v:start:{table.id}"))
    await room.env.settle()
    listener.look_around(room)
    board = room.channel.last_message
    for verb in ("hand", "why", "log", "rules", "record", "leave", "help", "close"):
        for person in (room.ann, room.cleo):
            listener.hear(await forge(person, board, f"v:{verb}:{table.id}"))
    for command in ("hand", "games", "play", "table repost", "table computer", "table pings"):
        listener.hear(await room.ann.slash(room.channel, command))
    hand = listener.hear(await forge(room.ann, board, f"v:hand:{table.id}"))
    await listener.press(room.ann, hand)
    listener.hear(await forge(room.ann, board, f"v:leave-yes:{table.id}"))
    listener.hear(await forge(room.ben, board, f"v:leave-yes:{table.id}"))
    await room.env.settle()
    listener.look_around(room)
    assert room.painted
    assert listener.texts > 200
    assert listener.found == {}


async def test_no_sentence_of_a_tournament_is_left_in_the_code(abroad: Any) -> None:
    room, listener = abroad, Listener()
    created = await room.ann.slash(room.channel, "tournament create", name="Ж", game="atom_duel")
    listener.hear(created)
    for name in ("ann", "ben", "cleo"):
        listener.hear(await getattr(room, name).slash(room.channel, "tournament join"))
    for command in ("join", "bracket", "start", "start", "bracket", "leave", "cancel", "bracket"):
        message = listener.hear(await room.ann.slash(room.channel, f"tournament {command}"))
        await room.env.settle()
        if command == "bracket":
            await listener.press(room.ben, message)
        listener.look_around(room)
    assert listener.texts > 50
    assert listener.found == {}
