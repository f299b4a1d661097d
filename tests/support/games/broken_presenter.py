"""A presenter with a mistake in it: whoever imports it learns that."""

from __future__ import annotations

PRESENTER = {}["nothing"]
