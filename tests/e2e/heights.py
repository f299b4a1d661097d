"""How high the hands of whole games are on a screen: `python -m tests.e2e.heights [GAME…] --games 1`.

Random games at every number of seats and with every value of every option; each hand that asks, and what it
shows on a way through its choices, is drawn by the playground's own page, at the width of a phone and of a
small desktop, and measured there. What is printed are the highest of each game.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bot import presenters
from bot.features.table.hand.messages import TOP_CHOICE, ChoiceCursor, hand_message
from bot.features.table.hand.seat_view import SeatView
from bot.presenters.base import Branch, Form
from bot.store.games import Sitter
from bot.table.table import Table
from bot.ui import choices as walk
from bot.ui.components import Message
from engine import catalog
from engine.fair import Commitment
from engine.game import AnyGame, AnyState
from engine.setups import Kind, covering
from playground.server import start
from tests.e2e.browser import Tab
from tests.support.processes.must import chromium, playwright
from tests.support.tables.replayed import a_table

SIZES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1280, "height": 860}},
}
NAMES = ("You", "Marie", "Antoine", "Dmitri", "Rosalind", "Linus", "Ada", "Svante")
POSITIONS = 40
"""How many positions of a game are looked at."""
DRAW = """
async (messages) => {
  const { drawMessage } = await import(new URL("js/message.js", document.baseURI));
  const list = document.querySelector(".messages");
  const found = [];
  for (const message of messages) {
    const node = drawMessage(message, null);
    list.append(node);
    const blocks = [...node.querySelectorAll(".container > *")];
    const parts = blocks.map((part) => [part.className, part.offsetHeight]);
    found.push({ height: node.offsetHeight, parts });
    node.remove();
  }
  return { room: document.querySelector(".scroller").clientHeight, found };
}
"""
"""How high these messages are, and the parts of each."""


@dataclass
class Shown:
    """One message that was met: where, and how high it is at each of the sizes."""

    where: str
    message: Message
    heights: dict[str, int] = field(default_factory=dict)
    parts: dict[str, list[tuple[str, int]]] = field(default_factory=dict)

    def payload(self) -> dict[str, Any]:
        """The message as the page gets it: a picture is a place of its size."""

        def sized(item: Any) -> Any:
            if isinstance(item, list):
                return [sized(each) for each in item]
            if not isinstance(item, dict):
                return item
            item = {key: sized(value) for key, value in item.items()}
            if "media" in item:
                scene = self.message.pictures[item["media"]["url"].removeprefix("attachment://")]
                item["media"] = {"url": "/cdn/none.png", "width": scene.width, "height": scene.height}
            return item

        return {
            "id": "1",
            "type": 0,
            "flags": 64 | 32768,
            "content": "",
            "author": {"id": "2", "username": "valence", "global_name": "Valence", "bot": True},
            "timestamp": "2026-01-01T12:00:00Z",
            "edited_timestamp": None,
            "channel_id": "3",
            "mentions": [],
            "embeds": [],
            "attachments": [],
            "reactions": [],
            "components": sized(self.message.view.to_components()),
        }


def dealt(game: AnyGame, kind: Kind, seed: int) -> tuple[Table, AnyState]:
    """A table of one person and opponents, in memory only, and its position right after the deal."""
    sitters = [
        Sitter(name, None if seat else 1, "steady" if seat else None, None if seat else 7)
        for seat, name in enumerate(NAMES[: kind.seats])
    ]
    table = a_table(game, kind, [], sitters=sitters, fair=Commitment(seed.to_bytes(32, "big"), bytes(32)))
    assert table.state is not None
    return table, table.state


def moved(table: Table, state: AnyState, seat: int, action: Any) -> AnyState:
    """The table after an action, as `act` leaves it."""
    fresh = state.clone()
    fresh.events = []
    fresh.apply(seat, action)
    table.seq += 1
    table._enter(fresh, seat)
    return fresh


def hands(game: AnyGame, kind: Kind, seed: int) -> Iterator[Shown]:
    """Hands of a random game: at rest, and on one way through the choices."""
    rng = random.Random(f"heights/{game.key}/{kind}/{seed}")
    _, state = dealt(game, kind, seed)
    moves = 0
    while waiting := state.to_act():
        state.push(seat := rng.choice(waiting), rng.choice(state.legal_actions(seat)))
        moves += 1
    looked = set(rng.sample(range(moves), min(moves, POSITIONS)))
    rng = random.Random(f"heights/{game.key}/{kind}/{seed}")
    (table, state), at, ways = dealt(game, kind, seed), 0, random.Random(seed)
    while waiting := state.to_act():
        seat = rng.choice(waiting)
        if at in looked:
            yield from asked(table, seat, ways, f"{game.key} {kind} seed {seed} move {at} seat {seat}")
        state = moved(table, state, seat, rng.choice(state.legal_actions(seat)))
        at += 1


def asked(table: Table, seat: int, rng: random.Random, where: str) -> Iterator[Shown]:
    """The hand of a seat at rest, and each step of a way through its choices."""
    view = SeatView(table, seat, "en")
    yield Shown(where, hand_message(view, TOP_CHOICE))
    path: walk.Path = ()
    while isinstance(place := view.at(path), walk.Question) and isinstance(place.node, Branch):
        ways = [way for way in place.node.all_choices() if not isinstance(way.child, Form)]
        if not ways:
            return
        path = (*path, rng.choice(ways).key)
        if isinstance(view.at(path), walk.Question):
            yield Shown(f"{where} way {'.'.join(path)}", hand_message(view, ChoiceCursor(path)))


async def measure(shown: Iterable[Shown]) -> dict[str, int]:
    """Note how high each of these is; the room that a message has at each of the sizes."""
    every, room = list(shown), {}
    async with start() as playground, playwright().async_playwright() as p:
        browser = await p.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for size, options in SIZES.items():
            tab = await Tab.open(browser, playground, "ann", **options)
            for first in range(0, len(every), 100):
                some = every[first : first + 100]
                found = await tab.page.evaluate(DRAW, [one.payload() for one in some])
                room[size] = found["room"]
                for one, is_now in zip(some, found["found"], strict=True):
                    one.heights[size] = is_now["height"]
                    one.parts[size] = [tuple(part) for part in is_now["parts"]]
            await tab.page.context.close()
        await browser.close()
    return room


def told(key: str, every: list[Shown], room: dict[str, int], most: int) -> Iterator[str]:
    """What is printed of a game: how high its hands are at each of the sizes, and where the highest stand."""
    for size, options in SIZES.items():
        whole = options["viewport"]["height"]
        for kind, some in _kinds(every).items():
            ranked = sorted(some, key=lambda one: -one.heights[size])
            high = [one.heights[size] for one in ranked]
            over = f"over {room[size]}: {sum(h > room[size] for h in high)}, over {whole}: " + str(
                sum(h > whole for h in high)
            )
            shares = f"p99 {high[len(high) // 100]}, p90 {high[len(high) // 10]}, p50 {high[len(high) // 2]}"
            yield f"{key}, {size}, {kind}: {len(high)} hands, highest {high[0]}, {shares}; {over}"
            for one in ranked[:most]:
                parts = " ".join(f"{name.split()[0]} {pixels}" for name, pixels in one.parts[size])
                yield f"    {one.heights[size]} px: {one.where}: {parts}"


def _kinds(every: list[Shown]) -> dict[str, list[Shown]]:
    found = defaultdict[str, list[Shown]](list)
    for one in every:
        found["on a way" if " way " in one.where else "at rest"].append(one)
    return found


def main() -> None:
    """Measure the hands of the games named, or of all, and print the highest."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=[key for key in presenters.offered() if key != "probe"])
    parser.add_argument("--games", dest="times", type=int, default=1, help="games of each kind of table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=3, help="how many of the highest are named")
    asked = parser.parse_args()
    for key in asked.games:
        game = catalog.get(key)
        seeds = range(asked.seed, asked.seed + asked.times)
        every = [one for seed in seeds for kind in covering(game) for one in hands(game, kind, seed)]
        room = asyncio.run(measure(every))
        sys.stdout.write("\n".join([*told(key, every, room, asked.most), ""]))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
