"""What docs/engine.md shows of the engine is what it does: each block runs by itself."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from tests.house.tree import read

PAGE = Path("docs/engine.md")
SECTIONS = {
    heading: re.findall(r"```pycon\n(.*?)```", text, re.DOTALL)
    for heading, text in re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", read(PAGE), re.DOTALL | re.MULTILINE)
}
BLOCKS = [
    pytest.param(block, id=f"{heading} {number}")
    for heading, found in SECTIONS.items()
    for number, block in enumerate(found, 1)
]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_block_does_what_it_shows(block: str) -> None:
    said = list[str]()
    example = doctest.DocTestParser().get_doctest(block, {}, str(PAGE), None, None)
    assert doctest.DocTestRunner().run(example, out=said.append).failed == 0, "".join(said)


def test_every_section_shows_something() -> None:
    assert len(SECTIONS) == 5
    assert all(SECTIONS.values())


def test_a_block_can_fail() -> None:
    wrong = str(BLOCKS[0].values[0]).replace(">>> rng = random.Random(1)", ">>> rng = None")
    with pytest.raises(AssertionError):
        test_a_block_does_what_it_shows(wrong)
