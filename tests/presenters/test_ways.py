"""How a decision is put into the words of the choices that lead to it."""

import pytest

from bot.presenters.base import Branch, Choice, Leaf
from bot.presenters.ways import Route, in_words, ways_to
from tests.support.probe import Act


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (("Trade with B", "3 · Iron"), "Trade with B · 3 · Iron"),
        (("Other cards…", "Q♣"), "Q♣"),
        (("2 N", "Another way…", "K-2"), "2 N · K-2"),
        (("6 · 26 Iron …", "as an Alloy"), "6 · 26 Iron · as an Alloy"),
        (("Go on…",), "Go on…"),
    ],
)
def test_a_decision_reads_as_the_choices_that_say_something(labels: tuple[str, ...], told: str) -> None:
    assert in_words(Route(Act("pass"), ("a",), labels)) == told


def test_of_several_ways_to_a_decision_the_shortest_counts() -> None:
    leaf = Leaf(Act("pass"))
    behind = Choice("more", "More…", Branch("Which?", (Choice("b", "B", leaf),)))
    tree = Branch("What?", (behind, Choice("a", "A", leaf), Choice("c", "C", leaf)))
    assert ways_to(tree, [Act("pass")])[Act("pass")].path == ("a",)
