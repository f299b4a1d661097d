"""First answers to interactions, and what discord.py raises over them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.ui.app import App, Interaction
from bot.ui.context import Answer


@pytest.mark.parametrize("error", [TypeError, KeyError, ValueError])
@pytest.mark.parametrize("sent", [True, False])
async def test_only_an_answer_that_went_out_counts_as_given(error: type[Exception], sent: bool) -> None:
    """discord.py notes that it has answered before it reads what Discord says of it."""

    async def send_modal(_: object) -> Any:
        response._done = sent
        raise error("a defect")

    response: Any = SimpleNamespace(_done=False, is_done=lambda: response._done, send_modal=send_modal)
    interaction = cast(Interaction, SimpleNamespace(response=response))
    answer = Answer(cast(App, None), interaction)
    if sent and error is not ValueError:
        await answer.ask(cast(Any, None))
        return
    with pytest.raises(error, match="a defect"):
        await answer.ask(cast(Any, None))
