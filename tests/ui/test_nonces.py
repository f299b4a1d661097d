"""Nonces: Discord refuses long ones, and compares them over all channels."""

from __future__ import annotations

import ast
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from bot.ui.notification import LONGEST_NONCE, nonce_of

parts = st.tuples(st.sampled_from(["night", "match"]), st.integers(0, 2**64), st.text(max_size=40))


@given(parts, parts)
def test_each_occasion_has_its_own_nonce(one: tuple[object, ...], other: tuple[object, ...]) -> None:
    assert 0 < len(nonce_of(one)) <= LONGEST_NONCE
    assert (nonce_of(one) == nonce_of(other)) == (one == other)


def test_every_nonce_is_made_in_one_place() -> None:
    """So that none is longer than Discord takes."""
    found = list[tuple[str, str]]()
    for path in [*Path("bot/ui").rglob("*.py"), *Path("bot/features").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".send"):
                found += [(path.name, ast.unparse(w.value)) for w in node.keywords if w.arg == "nonce"]
    assert found
    others = {name for name, value in found if not value.startswith("nonce_of(")}
    assert others <= {"live_message.py"}, "which makes a random one of sixteen characters"
