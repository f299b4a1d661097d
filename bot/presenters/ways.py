"""From a decision to the way through the choices that leads to it, and to its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.presenters.base import Branch, Leaf, Node, Pick
from engine.game import Action

BETWEEN: Final = " · "
"""What stands between the choices that lead to a decision."""


@dataclass(frozen=True, slots=True)
class Route:
    """A legal action as a path of choices, and the labels read on the way."""

    action: Action
    path: tuple[str, ...]
    labels: tuple[str, ...]
    told: str = ""
    """How the decision reads where not as its labels (`Choice.told`)."""


def routes(node: Node, actions: Sequence[Action]) -> list[Route]:
    """Each of the actions with its way through the tree, in the order of the tree; ways that take several
    decisions at once are left out.

    In a pick the last but one segment holds the picked keys (`+a+b`) and the last is `ok`.
    """
    found: list[Route] = []

    def visit(at: Node, path: tuple[str, ...], labels: tuple[str, ...], last: str) -> None:
        if isinstance(at, Leaf):
            if not at.refused and not at.then:
                found.append(Route(at.action, path, labels, last))
        elif isinstance(at, Branch):
            for choice in at.ways():
                visit(choice.child, (*path, choice.key), (*labels, choice.label), choice.told)
        elif isinstance(at, Pick):
            names = {item.key: item.label for item in at.items}
            for action in actions:
                keys = at.keys_of(action)
                if keys is not None:
                    told = " ".join(names[key] for key in keys)
                    found.append(Route(action, (*path, "+" + "+".join(keys), "ok"), (*labels, told)))

    visit(node, (), (), "")
    return found


def ways_to(node: Node, actions: Sequence[Action]) -> dict[Action, Route]:
    """By action, the shortest way through the tree that leads to it."""
    found: dict[Action, Route] = {}
    for route in sorted(routes(node, actions), key=lambda route: len(route.path)):
        found.setdefault(route.action, route)
    return found


def in_words(route: Route) -> str:
    """A decision in words, not yet safe in Markdown: its own, else those of the choices that lead to it.

    A label that only leads on ("Other cards…") says nothing of it; one that names from what ("Iron …") is
    that name.
    """
    if route.told:
        return route.told
    told = [label.removesuffix(" …") for label in route.labels if label.endswith(" …") or label[-1:] != "…"]
    return BETWEEN.join(told or route.labels)
