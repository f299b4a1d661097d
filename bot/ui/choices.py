"""Paths through a presenter's tree of choices: from a path to its node, and from a node to its controls.

Independent of Discord. A segment of a path is one of these:

- the key of a choice;
- in a pick, the keys picked so far, joined by `+`;
- in a form, the keys filled in, joined likewise.

Joined keys have a leading `+`, so they cannot be mistaken for a choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.presenters.base import Branch, Form, Item, Leaf, Node, Pick
from engine.game import Action

BUTTONS = 10
"""Maximum number of branches shown as buttons. More become a select."""
OPTIONS = 25
"""Maximum number of options in a select. Longer lists have pages."""

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """The result of a path that leads nowhere: the choice no longer exists or never did."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision at the end of a path.

    `then` are the decisions that the same press makes after it, `labels` the choices on the path.
    """

    action: Action
    then: tuple[Action, ...] = ()
    labels: tuple[str, ...] = field(default=(), compare=False)
    refused: bool = False
    """True if the rules forbid it: it is offered so that people can ask why."""
    wording: str = field(default="", compare=False)
    """The wording outside the buttons, if it differs from the labels (`Choice.wording`)."""


@dataclass(frozen=True, slots=True)
class Question:
    """A node that still asks, at the end of a path.

    `path` leads to it, without picks. `picked` are the keys picked or filled in.
    """

    node: Branch | Pick | Form
    path: Path
    picked: Path = ()


Place = Lost | Decision | Question


def follow(tree: Node, path: Sequence[str]) -> Place:
    """Return the place to which a path leads."""
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
    item_keys = {item.key for item in pick.items}
    if not item_keys.issuperset(keys) or len(set(keys)) < len(keys) or len(keys) > pick.most:
        return Lost()
    if len(rest) == 2 and len(keys) >= pick.least:
        picked = ", ".join(item.label for item in pick.items if item.key in keys)
        return Decision(pick.to_action(keys), labels=(*labels, picked))
    return Question(pick, path, keys)


def _filled(form: Form, path: Path, rest: Sequence[str], labels: Sequence[str]) -> Place:
    keys = _keys(rest)
    if keys is None or len(keys) != len(form.blanks):
        return Lost()
    answers = [
        next((i.label for i in b.items if i.key == k), "") for b, k in zip(form.blanks, keys, strict=True)
    ]
    if not all(answers):
        return Lost()
    if len(rest) == 2 and not form.amiss(keys):
        action, *then = form.to_actions(keys)
        return Decision(action, tuple(then), (*labels, ", ".join(answers)))
    return Question(form, path, keys)


def _keys(rest: Sequence[str]) -> Path | None:
    """Return the keys in the rest of a path inside a pick or a form.

    The rest is a segment of keys, then perhaps `ok`. Return None if it is not.
    """
    if not rest[0].startswith("+") or tuple(rest[1:]) not in ((), ("ok",)):
        return None
    return keys_in(rest[0])


def keys_in(segment: str) -> Path:
    """Return the keys in a segment."""
    return tuple(key for key in segment.split("+") if key)


def pick_segment(keys: Sequence[str]) -> str:
    """Return the keys of a pick or a form as a segment."""
    return "+" + "+".join(keys)


def groups(pick: Pick) -> dict[tuple[str, str], list[Item]]:
    """Return the items of a pick by group, in their order."""
    by_group: dict[tuple[str, str], list[Item]] = {}
    for item in pick.items:
        by_group.setdefault(item.group, []).append(item)
    return by_group


def pages(count: int) -> int:
    """Return the number of pages a list of this length needs in a select."""
    return max(1, -(-count // OPTIONS))
