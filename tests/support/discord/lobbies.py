"""The forms of a lobby, filled in by people of the simulated Discord."""

from __future__ import annotations

from typing import Any


async def fill_in(person: Any, message: Any, label: str, **values: str) -> Any:
    """Open a form by its button, known by label or custom id, change these fields, leave the others as they
    are, and send it."""
    by = {"custom_id": label} if label.startswith("v:") else {"label": label}
    shown = await person.click(message, **by)
    assert shown.modal is not None, "no form came"
    fields = [component["component"] for component in shown.modal["components"]]
    filled = {
        field["custom_id"]: next(each["value"] for each in field["options"] if each.get("default"))
        for field in fields
    }
    assert all(field["required"] for field in fields)
    assert values.keys() <= filled.keys()
    return await person.submit_modal(shown, {key: [value] for key, value in (filled | values).items()})


async def choose(person: Any, lobby: Any, **options: str) -> Any:
    """Change options of the game."""
    return await fill_in(person, lobby, "Options…", **options)


async def arrange(person: Any, lobby: Any, **values: str) -> Any:
    """Change opponents, their level, the clock or the place."""
    return await fill_in(person, lobby, "Opponents and clock…", **values)
