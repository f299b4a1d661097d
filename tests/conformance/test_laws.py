"""The laws of `laws.py`, held for every game of the catalog and the probe game."""

from __future__ import annotations

from tests.conformance import laws
from tests.support.shared_tests import find_tests

globals().update(find_tests(laws))
