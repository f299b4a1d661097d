"""A local Discord: REST, gateway and a page, for an unmodified bot and several people."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playground.actions.person import Person
    from playground.launch import run
    from playground.server import Playground, start

__all__ = ["Person", "Playground", "run", "start"]


def __getattr__(name: str) -> object:
    # Late, so that importing one light part does not load the whole server.
    if name == "run":
        from playground.launch import run

        return run
    if name == "Person":
        from playground.actions.person import Person

        return Person
    if name in ("Playground", "start"):
        from playground import server

        return getattr(server, name)
    raise AttributeError(name)
