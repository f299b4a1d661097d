"""/rules: pages by select and by turning, other games, the ways to play."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot import presenters
from bot.features.lessons.service import lessons_of
from bot.features.lookups.rules_messages import SHORT, rule_screens
from bot.locales import words
from tests.support.discord.forging import answer_of, forge
from tests.support.discord.room_play import dealt, the_table
from tests.support.discord.sent_messages import custom_ids, said, verbs

say = words("en")


async def rules(room: Any, who: str = "ann", **options: str) -> Any:
    return (await getattr(room, who).slash(room.channel, "rules", **options)).response


def place(message: Any) -> tuple[int, int]:
    """Which part is shown, of how many."""
    found = re.search(r" · (\d+) of (\d+)", said(message))
    assert found
    return int(found[1]), int(found[2])


async def test_a_page_is_chosen_or_turned(room: Any) -> None:
    shown = await rules(room, game="atom_duel")
    assert "## Begin\n-# Atom Duel · 1 of " in said(shown)
    turned = (await room.ann.click(shown, label="▶")).response
    assert (place(turned)[0], "## A hand" in said(turned)) == (2, True)
    chosen = (await room.ann.select(turned, ["3"], custom_id="v:rule-page:atom_duel:0")).response
    assert "## Ending" in said(chosen)
    first = (await forge(room.ann, chosen, "v:rule-page:atom_duel:0", ("x",))).response
    assert place(first)[0] == 1
    last = (await room.ann.click(first, label="◀")).response
    assert place(last)[0] == place(last)[1]


async def test_at_a_table_the_page_of_its_level_comes_first(room: Any) -> None:
    board = await dealt(room, "atom_duel", level="5")
    here = (await room.ann.click(board, label=say("table.rules"))).response
    anywhere = await rules(room, "cleo")
    for who, shown in ((room.ann, here), (room.cleo, anywhere)):
        assert "## Level 5 · Alloys" in said(shown)
        assert ("now" in verbs(shown)) == (who is room.cleo)
        assert "v:learn:atom_duel_5" in custom_ids(shown.components)
        turned = (await who.click(shown, label="▶")).response
        assert place(turned)[0] == 2
    assert the_table(room).stored.options["level"] == 5


async def test_another_game_from_the_answer(room: Any) -> None:
    shown = await rules(room, game="atom_duel")
    other = (await room.ann.select(shown, ["molecular"], custom_id="v:rule-game")).response
    assert "-# Molecular · 1 of" in said(other)
    assert "v:now:molecular" in custom_ids(other.components)
    forged = await forge(room.ann, shown, "v:rule-game", ("chess",))
    assert say("refused.not_a_button") in said(answer_of(forged))


async def test_the_ways_to_play(room: Any) -> None:
    shown = await rules(room, game="atom_duel")
    lesson = await room.ann.click(shown, label=say("rules.learn"))
    assert lessons_of("atom_duel")[0].key in str(list(custom_ids(lesson.response.components)))
    await room.ann.click(await rules(room, game="atom_duel"), label=say("poster.play"))
    assert the_table(room).phase == "live"


@pytest.mark.parametrize("game", presenters.offered())
@pytest.mark.parametrize("locale", ["en", "zh-CN"])
def test_every_part_fits_a_phone(game: str, locale: str) -> None:
    for screen in rule_screens(game, locale):
        assert len(screen.text) <= SHORT, screen.page.title
