"""Every game can be played by somebody who has nothing but words: alt texts and labels."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from discord import ui

from bot import custom_ids as ids
from bot.features.table.hand.messages import TOP_CHOICE, ChoiceCursor, hand_message
from bot.features.table.hand.seat_view import SeatView
from bot.presenters.base import Form
from bot.store.prefs import Prefs
from bot.table import lobby
from bot.table.table import Table
from bot.ui import choices as walk
from bot.ui.components import Message
from engine import catalog
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from tests.support.discord.message import words_of
from tests.support.tables.tables import close_tables, new_table, opened_tables

MOST_ACTS = 60
MOST_RATIO = 1.3
CHOICES = ("go", "sel", "pick", "page", "group", "add")


@dataclass
class Reader:
    """Somebody who chooses by labels alone, as chance has it, and counts what they press."""

    prefs: Prefs
    rng: random.Random = field(default_factory=lambda: random.Random(11))
    presses: int = 0
    acts: int = 0
    told: list[str] = field(default_factory=list)

    async def decide(self, table: Table, seat: int) -> None:
        """Press until something is decided for a seat."""
        view, spot = SeatView(table, seat, "en"), TOP_CHOICE
        for _ in range(40):
            message = hand_message(view, spot).fitted(self.prefs)
            self.read(message, view, spot)
            found = self.press(message)
            if isinstance(found, ChoiceCursor):
                spot = found
                continue
            place = view.at(found)
            if isinstance(place, walk.Question):
                if isinstance(place.node, Form):
                    self.presses += 1
                    actions = place.node.to_actions(place.node.filled_in())
                    await self.carry_out(table, seat, view.decision, actions)
                    return
                spot = ChoiceCursor.of(place)
            elif isinstance(place, walk.Decision) and not place.refused:
                await self.carry_out(table, seat, view.decision, [place.action, *place.then])
                return
            else:
                spot = TOP_CHOICE
        pytest.fail(f"no way out of the choices of {table.game.key}")

    def read(self, message: Message, view: SeatView, spot: ChoiceCursor) -> None:
        text = words_of(message)
        self.told.append(text)
        galleries = [each for each in message.view.walk_children() if isinstance(each, ui.MediaGallery)]
        if self.prefs.text_only:
            assert galleries == []
            # on a way a picture of its own may be told
            assert spot != TOP_CHOICE or view.scene.alt.split(".")[0] in text, "the hand is told in words"
        else:
            assert galleries

    def press(self, message: Message) -> Any:
        """What comes of a control, chosen by its label: a path, or another spot of the same question."""
        offered: dict[str, tuple[Any, str]] = {}
        for each in message.view.walk_children():
            if isinstance(each, ui.Button) and not each.disabled and each.custom_id:
                label, options = each.label or "", [""]
            elif isinstance(each, ui.Select) and each.custom_id:
                label, options = each.placeholder or "", [option.label for option in each.options]
                assert len(set(options)) == len(options), "two lines of a list read the same"
            else:
                continue
            if ids.parse(each.custom_id).verb in CHOICES:
                for option in options:
                    key = f"{label}: {option}" if option else label
                    assert key not in offered, f"two controls are called {key!r}"
                    offered[key] = each, option
        control, option = offered[self.rng.choice(sorted(offered))]
        ref = ids.parse(control.custom_id)
        path = ids.path_of(ref.word(3))
        self.presses += 1 if not option else 2
        if ref.verb == "go":
            return path
        if ref.verb == "page":
            return ChoiceCursor(path, ref.number(4))
        values = [each.value for each in control.options if each.label == option]
        if ref.verb == "sel":
            return (*path, *values)
        if ref.verb == "pick":
            more = [each.value for each in control.options if each.value not in values]
            least = max(0, (control.min_values or 1) - 1)
            values += self.rng.sample(more, least)
            self.presses += least
            return (*path, walk.pick_segment(values), "ok")
        spot = ChoiceCursor(path, picked=walk.keys_in(ref.word(4)))
        return ChoiceCursor(path, picked=spot.picked, group=values[0]) if ref.verb == "group" else TOP_CHOICE

    async def carry_out(self, table: Table, seat: int, decision: int, actions: list[Any]) -> None:
        for action in actions:
            if action not in table.legal[seat]:
                return
            decision = await table.act(seat, decision, action)
            self.acts += 1


async def played(path: Path, game: str, prefs: Prefs) -> Reader:
    tables, _, _ = await opened_tables(path)
    rules, reader = catalog.get(game), Reader(prefs)
    seats = next(n for n in rules.seats(rules.defaults()) if n > 1)
    table = await new_table(tables, game=game, people=[*range(1, seats + 1)])
    await lobby.start(table, 1)
    while table.waiting() and reader.acts < MOST_ACTS:
        await reader.decide(table, table.waiting()[0])
    await close_tables(tables)
    return reader


@pytest.mark.long
@pytest.mark.parametrize("game", [key for key in catalog.listed() if key != "probe"])
async def test_words_alone_take_hardly_more_presses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    fair = Commitment(bytes([5] * SEED_BYTES), bytes(NONCE_BYTES))
    monkeypatch.setattr(Commitment, "fresh", classmethod(lambda _cls: fair))
    seen = await played(tmp_path / "seen.db", game, Prefs())
    read = await played(tmp_path / "read.db", game, Prefs(text_only=True))
    assert read.acts == seen.acts > 5
    assert read.presses <= MOST_RATIO * seen.presses
