"""Forms that people send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.ui.router import dispatch_form
from tests.sim.discord_in_memory import PRESS, Interaction

if TYPE_CHECKING:
    from tests.sim.people import Person


def send_form(person: Person, custom_id: str, *fields: dict[str, Any]) -> None:
    """Send a form with these fields filled in; nothing where nobody receives it."""
    owner = person.world.receiver()
    if owner is None:
        return
    sent = Interaction(owner.client, person.id, person.name, person.channel_id)
    parts: Any = [{"component": field} for field in fields]
    sent.data = {"custom_id": custom_id, "values": [], "components": parts}
    person.world.presses.append((sent, owner))
    person.world.loop.spawn(owner.process, _sent(sent), "press form")


async def _sent(sent: Interaction) -> None:
    PRESS.set(sent)
    whose: Any = sent
    await dispatch_form(whose)
