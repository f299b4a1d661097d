"""Nonces: Discord refuses long ones, and compares them over all channels."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.ui.notification import LONGEST_NONCE, nonce_of

parts = st.tuples(st.sampled_from(["night", "match"]), st.integers(0, 2**64), st.text(max_size=40))


@given(parts, parts)
def test_each_occasion_has_its_own_nonce(one: tuple[object, ...], other: tuple[object, ...]) -> None:
    assert 0 < len(nonce_of(one)) <= LONGEST_NONCE
    assert (nonce_of(one) == nonce_of(other)) == (one == other)
