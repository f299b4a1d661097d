"""Find the path through the choices that leads to a decision, and put the decision into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.presenters.base import Branch, Leaf, Node, Pick
from engine.game import Action

BETWEEN: Final = " · "
"""The separator between the choices that lead to a decision."""


@dataclass(frozen=True, slots=True)
class Route:
    """A legal action as a path of choices, with the labels along it."""

    action: Action
    path: tuple[str, ...]
    labels: tuple[str, ...]
    wording: str = ""
    """The wording of the decision if it differs from the labels (`Choice.wording`)."""
    wording_alone: str = ""
    """The wording in a message without a picture of the position (`Choice.wording_alone`)."""


def routes(node: Node, actions: Sequence[Action]) -> list[Route]:
    """Return each action with its path through the tree, in tree order.

    Paths that take several decisions at once are left out. In a pick, the second-to-last segment holds the
    chosen keys (`+a+b`) and the last is `ok`.
    """
    found: list[Route] = []

    def visit(
        at: Node, path: tuple[str, ...], labels: tuple[str, ...], wording: str = "", wording_alone: str = ""
    ) -> None:
        if isinstance(at, Leaf):
            if not at.refused and not at.then:
                found.append(Route(at.action, path, labels, wording, wording_alone))
        elif isinstance(at, Branch):
            for choice in at.all_choices():
                on = (*path, choice.key), (*labels, choice.label)
                visit(choice.child, *on, choice.wording, choice.wording_alone)
        elif isinstance(at, Pick):
            names = {item.key: item.label for item in at.items}
            for action in actions:
                keys = at.keys_of(action)
                if keys is not None:
                    picked = " ".join(names[key] for key in keys)
                    found.append(Route(action, (*path, "+" + "+".join(keys), "ok"), (*labels, picked)))

    visit(node, (), ())
    return found


def ways_to(node: Node, actions: Sequence[Action]) -> dict[Action, Route]:
    """Return the shortest path through the tree to each action."""
    found: dict[Action, Route] = {}
    for route in sorted(routes(node, actions), key=lambda route: len(route.path)):
        found.setdefault(route.action, route)
    return found


def in_words(route: Route, *, alone: bool = False) -> str:
    """Return a decision in words, not yet escaped for Markdown: its own wording, or the labels that lead to
    it.

    `alone` means that no picture of the position is shown with the words.

    A label that only leads further ("Other cards…") is left out. One that names the source ("Iron …") is
    reduced to that name.
    """
    if alone and route.wording_alone:
        return route.wording_alone
    if route.wording:
        return route.wording
    told = [label.removesuffix(" …") for label in route.labels if label.endswith(" …") or label[-1:] != "…"]
    return BETWEEN.join(told or route.labels)
