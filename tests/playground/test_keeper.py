"""The bot's process can be killed and started anew from the page."""

from __future__ import annotations

import sys

import pytest

from playground.actions.person import Person, PersonError
from playground.keeper import Keeper
from playground.launch import _welcome

SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]


async def test_a_bot_is_killed_and_started_anew():
    said = []
    keeper = Keeper(SLEEPER, {}, said.append)
    await keeper.start()
    assert keeper.running
    await keeper.kill()
    assert not keeper.running
    assert ["killed from the page" in line for line in said] == [True]
    await keeper.restart()
    assert keeper.running
    await keeper.end()
    assert not keeper.running
    assert len(said) == 1, "an end that was asked for is no news"


@pytest.mark.parametrize("alone", [True, False])
async def test_without_a_bot_it_says_how_one_comes_here(pg, alone):
    said = []
    _welcome(pg, said.append, alone=alone)
    told = f"VALENCE_DISCORD_BASE={pg.base} and DISCORD_TOKEN={pg.token}"
    assert any(told in line for line in said) is alone


async def test_starting_twice_starts_one():
    keeper = Keeper(SLEEPER, {}, lambda _line: None)
    await keeper.start()
    first = keeper._bot
    await keeper.start()
    assert keeper._bot is first
    await keeper.end()


async def test_an_act_on_a_bot_that_was_started_elsewhere_is_refused(pg):
    person = await Person.connect(pg.page_url(), "ann")
    for op in ("kill_bot", "restart_bot"):
        with pytest.raises(PersonError, match="started elsewhere"):
            await person._ask(op)
    await person.close()
