"""What people read when something does not work."""

from __future__ import annotations

import pytest

from bot.render.pool import Studio, StudioClosed
from bot.render.scene import Scene
from bot.views.components import page
from bot.views.errors import words_for
from tests.support.keys import part


async def test_no_blank_picture_is_sent_while_the_bot_stops() -> None:
    studio = Studio()
    studio.close()
    message = page(Scene(40, 40, (), "a square"), picture_name="square.png")
    with pytest.raises(StudioClosed) as stopped:
        await message.attachments(studio)
    assert part("trouble.stopping") in words_for(stopped.value, "en")
