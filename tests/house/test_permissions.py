"""One module reads the permissions of people; handlers name its groups."""

from __future__ import annotations

import re

from tests.house.tree import read, texts

READS = re.compile(r"\binteraction\.permissions\b|\banswer\.interaction\.permissions\b")


def test_only_rights_reads_the_permissions_of_a_person() -> None:
    code = [path for path in texts(".py") if path.parts[0] == "bot"]
    assert [str(path) for path in code if READS.search(read(path))] == ["bot/ui/rights.py"]
