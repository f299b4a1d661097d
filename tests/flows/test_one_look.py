"""A position is looked up once, however many presses it takes, and makes no scene where no picture is due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot import presenters
from bot.features.table.hand.messages import way_shown
from bot.features.table.hand.open_hands import OpenHands
from engine import catalog
from engine.game import State
from engine.ladder import fewest_seats
from tests.support.discord.forging import forge
from tests.support.discord.room_play import dealt
from tests.support.share import share
from tests.support.tables.tables import at_hand
from tests.support.waiting import until


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often Duel 52's presenter is asked for something."""
    found: Counter[str] = Counter()
    before, get = presenters.get("duel52"), presenters.get

    def counted(name: str) -> Any:
        whole = getattr(before, name)

        def call(*args: Any) -> Any:
            found[name] += 1
            return whole(*args)

        return call

    changed = replace(before, **{name: counted(name) for name in ("choices", "hand", "table")})
    monkeypatch.setattr(presenters, "get", lambda game: changed if game == "duel52" else get(game))
    return found


async def opened(room: Any) -> tuple[Any, State[Any, Any]]:
    """The hand of whoever is to act first at a table of Duel 52, and its person."""
    board = await dealt(room, "duel52")
    (table,) = at_hand(room.bot.tables).values()
    who = (room.ann, room.ben)[table.waiting()[0]]
    return who, (await who.click(board, label="My hand")).response


def below(components: Any) -> Iterator[Any]:
    """All components, nested ones after those that hold them."""
    for component in components:
        yield component
        yield from below(component.get("components", ()))


async def step(who: Any, hand: Any) -> None:
    """Choose the first of what is offered, be it a button or the line of a select."""
    for each in below(hand.components):
        custom_id = each.get("custom_id", "")
        if custom_id.startswith("v:sel:"):
            await who.select(hand, [each["options"][0]["value"]], custom_id=custom_id)
            return
        if custom_id.startswith("v:go:"):
            await who.click(hand, custom_id=custom_id)
            return
    raise AssertionError("nothing is offered")


def alts(hand: Any) -> list[str]:
    """The alt texts of its pictures."""

    return [item["description"] for each in below(hand.components) for item in each.get("items", ())]


async def test_a_step_through_the_choices_makes_no_tree_and_no_scene(room: Any, asked: Counter[str]) -> None:
    who, hand = await opened(room)
    await room.env.settle()
    before = alts(hand)
    asked.clear()
    await step(who, hand)
    assert asked == {}, "what the hand has shown is still so"
    assert alts(hand) == before != [""], "the picture that stays keeps its words"


async def test_a_decision_makes_one_tree_and_one_scene(room: Any, asked: Counter[str]) -> None:
    who, hand = await opened(room)
    await step(who, hand)
    await room.env.settle()
    asked.clear()
    await step(who, hand)
    (table,) = at_hand(room.bot.tables).values()
    assert table.seq == 1
    assert (asked["choices"], asked["hand"]) == (1, 1)


async def test_who_walks_through_the_choices_looks_at_one_tree_until_something_happens(
    room: Any, asked: Counter[str]
) -> None:
    who, hand = await opened(room)
    asked.clear()
    await step(who, hand)
    first = asked["choices"]
    for _ in range(3):
        await forge(who, hand, go_back(hand))
    assert asked["choices"] == first == 0
    (table,) = at_hand(room.bot.tables).values()
    table.stored.edition += 1  # as any change that everybody can see makes it
    await forge(who, hand, go_back(hand))
    assert asked["choices"] == first + 1


def asks(hand: Any) -> bool:
    """Whether a hand offers any step."""
    return any(
        str(each.get("custom_id", "")).startswith(("v:go:", "v:sel:")) for each in below(hand.components)
    )


def go_back(hand: Any) -> str:
    """The id that leads to the first question of an open hand."""
    ids = [str(each.get("custom_id", "")) for each in below(hand.components)]
    table, seat, decision = next(i for i in ids if i.startswith(("v:go:", "v:sel:"))).split(":")[2:5]
    return f"v:go:{table}:{seat}:{decision}:"


def numbers(hand: Any) -> list[int]:
    """How Discord numbers the pictures of a message: one that is sent anew has a new number."""
    return [file.id for file in hand.attachments]


def offers(hand: Any) -> list[str]:
    """The ways on that a hand offers."""
    ids = [each.get("custom_id", "") for each in below(hand.components)]
    return [custom_id for custom_id in ids if custom_id.startswith("v:go:")]


async def test_a_picture_that_a_step_does_not_change_is_not_sent_again(room: Any) -> None:
    """Most choices of Atom Duel are made before the hand as it lies there; some games draw the way."""
    board = await dealt(room, "atom_duel", level="7")
    (table,) = at_hand(room.bot.tables).values()
    who = (room.ann, room.ben)[table.waiting()[0]]
    hand = (await who.click(board, label="My hand")).response
    before = numbers(hand)
    await forge(who, hand, go_back(hand))
    assert len(before) == 1
    assert numbers(hand) == before, "one looks at the same cards"
    # it has been turned over since, and each picture that was sent is known by its number
    (mine,) = table.seats_of(who.user.id)
    await table.act(mine, None, table.legal[mine][0])
    while mine not in table.waiting():
        other = table.waiting()[0]
        await table.act(other, None, table.legal[other][0])
    await until(
        lambda: numbers(hand) != before and asks(hand) and f":{table.decisions[mine]}:" in go_back(hand)
    )
    now = numbers(hand)
    await forge(who, hand, go_back(hand))
    assert numbers(hand) == now


async def test_a_way_with_a_picture_of_its_own_shows_it_and_the_way_back_the_hand(room: Any) -> None:
    """A tile of Molecular is seen where it would lie."""
    board = await dealt(room, "molecular")
    (table,) = at_hand(room.bot.tables).values()
    who = (room.ann, room.ben)[table.waiting()[0]]
    hand = (await who.click(board, label="My hand")).response
    rest, before = alts(hand), numbers(hand)
    await who.click(hand, custom_id=offers(hand)[0])
    assert alts(hand) != rest
    assert numbers(hand) != before
    await who.click(hand, label="Back")
    assert alts(hand) == rest


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "options"),
    share(
        [
            *(
                (game, {})
                for game in catalog.listed()
                if game != "probe" and fewest_seats(catalog.get(game), {}) <= 2
            ),
            *(("atom_duel", {"level": str(level)}) for level in range(2, 8)),
        ],
        3,
    ),
    ids=str,
)
async def test_whatever_is_pressed_the_picture_is_that_of_the_place(
    room: Any, game: str, options: dict[str, str]
) -> None:
    """Kept or sent anew, by any way through the choices, while others go on as well."""
    board, chance = await dealt(room, game, **options), Random(f"{game} {options}")
    (table,) = at_hand(room.bot.tables).values()
    who, (mine,) = room.ann, table.seats_of(room.ann.user.id)
    hand = (await who.click(board, label="My hand")).response
    kept = walked = 0
    for _ in range(40):
        if table.outcome() is not None:
            break
        if mine not in table.waiting():
            other = table.waiting()[0]
            await table.act(other, None, chance.choice(table.legal[other]))
        else:
            before = numbers(hand)
            ways = offers(hand)
            walked += bool(ways)
            # back to the first question at first, and then as often as on
            if ways and (walked == 1 or chance.random() < 0.5):
                await forge(who, hand, go_back(hand))
            elif ways:
                await who.click(hand, custom_id=chance.choice(ways))
            else:
                await step(who, hand)
            kept += numbers(hand) == before
        await until(lambda: shown_as_it_is(room, table, mine, hand))
    assert kept or not walked


def shown_as_it_is(room: Any, table: Any, seat: int, hand: Any) -> bool:
    """Whether a hand asks who is to act, and shows where its holder is in the choices now, by its words."""
    if seat in table.waiting() and not asks(hand):
        return False
    here = room.bot.app.service(OpenHands)._open[table.id, room.ann.user.id]
    view = room.bot.app.service(OpenHands).views.of(table, seat, here.locale, hints=here.prefs.hints)
    return alts(hand) == [(way_shown(view, here.state.cursor) or view.scene).alt]
