"""Walking a presenter's tree of choices: from a path to the node, and from a node to controls.

Knows nothing of Discord. A segment of a path is the key of a choice, or, inside a pick, the keys
picked so far joined by `+` (with a leading `+`, so that it cannot be mistaken for a choice), or, inside a
form, the keys that stand in it, joined like those.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.presenters.base import Branch, Form, Item, Leaf, Node, Pick
from engine.game import Action

BUTTONS = 10
"""Up to so many branches are buttons; more become a select."""
OPTIONS = 25
"""What a select holds; longer lists have pages."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """The path leads nowhere: the choice is gone, or was never there."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The path has reached a decision; `then` are those that the same press makes after it, `labels` what was
    chosen on the way."""

    action: Action
    then: tuple[Action, ...] = ()
    labels: tuple[str, ...] = field(default=(), compare=False)
    refused: bool = False
    """Whether the rules forbid it: it is there so that people can ask why."""
    wording: str = field(default="", compare=False)
    """How it reads away from the buttons, where not as its labels (`Choice.wording`)."""


@dataclass(frozen=True, slots=True)
class Question:
    """The path has reached a node that still asks. `path` leads to it, picks so far left out; `picked` are
    those, or what stands in a form."""

    node: Branch | Pick | Form
    path: Path
    picked: Path = ()


Place = Lost | Decision | Question


def follow(tree: Node, path: Sequence[str]) -> Place:
    """Where a path leads."""
    node, labels, wording = tree, list[str](), ""
    for depth, key in enumerate(path):
        if isinstance(node, Branch):
            step = next((choice for choice in node.all_choices() if choice.key == key), None)
            if step is None:
                return Lost()
            labels.append(step.label)
            node, wording = step.child, step.wording
        elif isinstance(node, Pick):
            return _picked(node, tuple(path[:depth]), path[depth:], labels)
        elif isinstance(node, Form):
            return _filled(node, tuple(path[:depth]), path[depth:], labels)
        else:
            return Lost()
    if isinstance(node, Leaf):
        return Decision(node.action, node.then, tuple(labels), node.refused, wording)
    return Question(node, tuple(path))


def _picked(pick: Pick, path: Path, rest: Sequence[str], labels: Sequence[str]) -> Place:
    keys = _keys(rest)
    if keys is None:
        return Lost()
    known = {item.key for item in pick.items}
    if not known.issuperset(keys) or len(set(keys)) < len(keys) or len(keys) > pick.most:
        return Lost()
    if len(rest) == 2 and len(keys) >= pick.least:
        picked = ", ".join(item.label for item in pick.items if item.key in keys)
        return Decision(pick.to_action(keys), labels=(*labels, picked))
    return Question(pick, path, keys)


def _filled(form: Form, path: Path, rest: Sequence[str], labels: Sequence[str]) -> Place:
    keys = _keys(rest)
    if keys is None or len(keys) != len(form.blanks):
        return Lost()
    said = [
        next((i.label for i in b.items if i.key == k), "") for b, k in zip(form.blanks, keys, strict=True)
    ]
    if not all(said):
        return Lost()
    if len(rest) == 2 and not form.amiss(keys):
        action, *then = form.to_actions(keys)
        return Decision(action, tuple(then), (*labels, ", ".join(said)))
    return Question(form, path, keys)


def _keys(rest: Sequence[str]) -> Path | None:
    """The keys in what is left of a path inside a pick or a form: a segment of keys, then perhaps `ok`."""
    if not rest[0].startswith("+") or tuple(rest[1:]) not in ((), ("ok",)):
        return None
    return keys_in(rest[0])


def keys_in(segment: str) -> Path:
    """The keys in a segment of them."""
    return tuple(key for key in segment.split("+") if key)


def pick_segment(keys: Sequence[str]) -> str:
    """The keys picked so far, or what stands in a form, as a segment."""
    return "+" + "+".join(keys)


def groups(pick: Pick) -> dict[tuple[str, str], list[Item]]:
    """The items of a pick by group, in their order."""
    found: dict[tuple[str, str], list[Item]] = {}
    for item in pick.items:
        found.setdefault(item.group, []).append(item)
    return found


def pages(count: int) -> int:
    """How many selects a list of this length needs, one at a time."""
    return max(1, -(-count // OPTIONS))
