"""Long texts in parts: nothing is lost, nothing is longer than a phone shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.features.lookups.rules_messages import screens

LINES = st.text("ab ", min_size=1, max_size=40).filter(str.strip)


@given(st.lists(st.lists(LINES, min_size=1, max_size=5), min_size=1, max_size=6), st.integers(40, 120))
def test_the_parts_are_the_text(paragraphs: list[list[str]], most: int) -> None:
    text = "\n\n".join("\n".join(lines) for lines in paragraphs).strip()
    parts = screens(text, most)
    assert "".join(parts).replace("\n", "") == text.replace("\n", "")
    assert all(len(part) <= most for part in parts)
    assert len(parts) >= -(-len(text) // most)


def test_a_text_is_broken_between_paragraphs_evenly() -> None:
    one, two = "a" * 300, "b" * 290
    assert screens(f"{one}\n\n{two}") == [f"{one}\n\n{two}"]
    assert screens(f"{one}\n\n{two}\n\n{one}\n\n{two}") == [f"{one}\n\n{two}"] * 2
    assert screens("\n".join([one] * 3)) == [one] * 3
    assert screens("c" * 900) == ["c" * 900]
