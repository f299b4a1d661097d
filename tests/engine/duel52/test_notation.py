"""docs/duel52-notation.md: every position has a text, bad texts are refused with the place."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.duel52 import GAME
from engine.duel52.cards import VARIANTS
from engine.duel52.notation import BadNotation, read, write
from tests.conformance.walk import random_play


@pytest.mark.rule("duel52", 21)
@given(st.sampled_from(sorted(VARIANTS)), st.booleans(), st.integers(0, 2**32), st.integers(0, 2**32))
def test_every_position_is_written_and_read(variant: str, vampiric: bool, deal: int, seed: int) -> None:
    setup = GAME.setup(VARIANTS[variant].seats, deal.to_bytes(32, "big"), variant=variant, vampiric=vampiric)
    for state, _ in random_play(GAME, setup, random.Random(seed)):
        text = write(state)
        again = read(text)
        again.last = state.last  # the memory of the last attack is left out
        assert again.fingerprint() == state.fingerprint()
        assert write(again) == text
        assert again.faces == state.faces
        for seat in state.to_act():
            assert list(again.legal_actions(seat)) == list(state.legal_actions(seat))


def test_the_example_of_the_page() -> None:
    state = read("standard A3 8s1,(2h)|[Kd]|-/9c|-|[4d] hands=5s/6h pile=Ah")
    assert write(state) == "standard A3 8s1,(2h)|[Kd]|-/9c|-|[4d] hands=5s/6h pile=Ah"
    assert (state.turn, state.actions, state.hands) == (0, 3, [[15], [18]])


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "at least"),
        ("standard A3", 12, "at least"),
        ("stanard A3 -|-|-/-|-|-", 1, "no variant"),
        ("standard+x A3 -|-|-/-|-|-", 10, "Vampiric"),
        ("standard C3 -|-|-/-|-|-", 10, "no seat"),
        ("standard Ax -|-|-/-|-|-", 11, "no number"),
        ("standard A3 -|-|-", 13, "sides"),
        ("standard A3 -|-|-/-|-", 19, "lanes"),
        ("standard A3 -|-|-/8z|-|-", 19, "no card"),
        ("standard A3 8s,8s|-|-/-|-|-", 16, "already at column 13"),
        ("standard A3 -|8s2|-/-|-|-", 15, "dead"),
        ("standard A3 -|(Js)2|-/-|-|-", 15, "dead"),
        ("standard A3 -|[8s]|-/-|-|-", 15, "locked"),
        ("standard A3 -|(8s)!|-/-|-|-", 15, "attacks"),
        ("standard A3 8s=a|-|-/-|-|-", 13, "one card"),
        ("standard A3 8s=a,9s=a|-|-/-|-|-", 18, "two face-up"),
        ("standard A3 8s=a|8h=a|-/-|-|-", 18, "two face-up"),
        ("standard A3 (8s)@D|-|-/-|-|-", 13, "no seat"),
        ("standard A3 8s#1,9s#1|-|-/-|-|-", 18, "two cards"),
        ("standard A3 -|-|-/-|-|- hand=5s/-", 25, "no field"),
        ("standard A3 -|-|-/-|-|- hands", 25, "no field"),
        ("standard A3 -|-|-/-|-|- hands=", 31, "says nothing"),
        ("standard A3 -|-|-/-|-|- hands=5s", 31, "hands"),
        ("standard A3 -|-|-/-|-|- hands=5s/6", 34, "two signs"),
        ("standard A3 -|-|-/-|-|- hands=5s/Xb", 34, "no card"),
        ("standard A3 -|-|-/-|-|- pile=5s pile=6s", 33, "twice"),
        ("standard A3 -|-|-/-|-|- gone=5s,7", 33, "discard pile"),
        ("standard A3 8s|-|-/-|-|- laid=0", 31, "go up to"),
        ("standard A3 8s|-|-/-|-|- ask=jump:0", 30, "no choice"),
        ("standard A3 8s|-|-/-|-|- ask=look", 30, "asked by a card"),
        ("standard A3 8s|-|-/-|-|- ask=look:7", 30, "has the number 7"),
        ("standard A3 8s|-|-/-|-|- ask=look:0:5h", 30, "discard alone"),
        ("standard A3 2s|-|-/-|-|- hands=5h/6h ask=discard:0:6h", 42, "not in the hand"),
        ("standard A3 8s|-|-/-|-|- over=luck:1,2", 31, "ends no game"),
        ("standard A3 8s|-|-/-|-|- over=no_moves:1", 40, "ranks"),
    ],
)
def test_bad_notation_is_refused_with_its_place(text: str, column: int, problem: str) -> None:
    with pytest.raises(BadNotation, match=problem) as caught:
        read(text)
    assert caught.value.column == column
    assert str(caught.value).startswith(f"column {column}: ")


@given(st.data())
def test_a_damaged_text_is_read_or_refused_never_worse(data: st.DataObject) -> None:
    text = "standard A3 8s1!,(2h)*|[Kd]|-/9c=a,9d=a|-|[4d] hands=5s/6h pile=Ah gone=(7h)@A ask=look:0"
    signs = st.sampled_from("8sA-|/,()[]{}@#=*!+0129 :;?")
    place = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:place] + data.draw(signs) + text[place + data.draw(st.integers(0, 2)) :]
    try:
        state = read(damaged)
    except BadNotation as error:
        assert 1 <= error.column <= len(damaged) + 1  # noqa: PT017 - where it is refused at all
    else:
        assert read(write(state)).fingerprint() == state.fingerprint()
