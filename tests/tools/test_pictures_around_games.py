"""The pictures around the games, as the contact sheet has them."""

from __future__ import annotations

import subprocess
import sys

import pytest
from msgspec.structs import replace

from bot.render.check import faults
from bot.render.scene import Look, Size, Sprite, Text
from bot.render.theme import CONTAINER_WIDTH, PALETTES, PHONE_TEXT
from tests.house.tree import ROOT
from tests.support.games.pictures import every_item, in_corner
from tools.contact_sheet.around_games import gallery

SHOWN = dict(gallery())


@pytest.mark.parametrize("title", SHOWN)
@pytest.mark.parametrize("palette", PALETTES)
def test_they_are_sound(title: str, palette: str) -> None:
    scene = replace(SHOWN[title], look=Look(palette=palette))
    assert faults(scene) == []
    assert in_corner(scene) == []


@pytest.mark.parametrize("title", SHOWN)
def test_all_their_words_can_be_read_inside_a_container_on_a_phone(title: str) -> None:
    scene = SHOWN[title]
    sizes = {item.size for item in every_item(scene.items) if isinstance(item, Text) and item.string}
    assert min(sizes) >= Size.CLEAR
    assert scene.points(min(sizes)) * CONTAINER_WIDTH / scene.width >= PHONE_TEXT


def test_each_has_a_title_of_its_own() -> None:
    assert len(SHOWN) == len(gallery())


def test_a_painting_process_knows_how_to_draw_them() -> None:
    """It imports less than the bot: a painter that only the bot imports would leave words in its place."""
    code = (
        "from bot.presenters.painter_imports import load_painters; load_painters('-')\n"
        "from bot.render import sprites; print(*sprites._painters)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    used = {
        item.painter
        for scene in SHOWN.values()
        for item in every_item(scene.items)
        if isinstance(item, Sprite)
    }
    assert len(used) > 5
    assert used <= set(ran.stdout.split())
