"""What beats what: the examples of the rules page, and every pair of random plays against `slow`."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from engine.atom.cards import flat, pack, total
from engine.atom.options import offer
from engine.atom.plays import beats, joker_strength, rung, shape
from engine.playing_cards import JOKER
from tests.engine.atom import slow
from tests.engine.atom.positions import arrange, cards, lay, legal, names, play, rank, stand

pytestmark = pytest.mark.repeats

EXAMPLES = """
7D 7D 7C 7C 7H 7H 7S 7S > 2D 2D 2C 2C 2H 2H 2S 2S
2D 2D 2C 2C 2H 2H 2S 2S > 7S 7S 7S
7S 7S 7S > 7H 7H 7H
7D 7D 7D > RJ RJ RJ
RJ RJ RJ > BJ BJ BJ
BJ BJ BJ > 2S 2S 2S
3D 3D 3D > 7S
3D 3D 3D > 4C 4C 4H 4H 4S 4S 4D 4D 4D
4D 4D 4C 4S 4S > 3C 3H 3H 3S RJ
3C 3H 3H 3S RJ > 2D 2C 2C 2H
2D 2C 2C 2H ! 3C 3H 3H 3S RJ
3C 3C 3H 3S > AS AH AC
3C 3C 3H 3S ! 7S
7S > 2S
7S ! 2S 2H
7S 7H > 2S RJ
"""
"""Section 6.1, in the order of the page: `>` beats, `!` does not beat."""


@pytest.mark.rule("atom", "3.8", "6.1")
@pytest.mark.parametrize("line", EXAMPLES.strip().splitlines())
def test_the_sixteen_examples_of_the_page(line: str) -> None:
    does = " > " in line
    new, old = line.split(" > " if does else " ! ")
    assert beats(stand(new), stand(old)) is does
    assert slow.beats(new.split(), old.split(), "7") is does


@pytest.mark.rule("atom", 5, "3.2", "3.4", "3.5", "3.6")
@pytest.mark.parametrize(
    ("text", "packs", "kind"),
    [
        ("7S 7S 7S", 3, "atom"),
        ("7S 7S 7H", 3, "triple"),
        ("7S 7S RJ", 3, "triple"),
        ("7S 7S 7S RJ", 3, "bomb"),
        ("7S 7S 7S 7H", 3, "bomb"),
        ("BJ BJ BJ", 3, "atom"),
        ("BJ BJ RJ", 3, "triple"),
        ("BJ BJ RJ RJ", 3, "bomb"),
        ("BJ RJ", 3, "pair"),
        ("7C 7C 7D 7D 7H 7H 7S 7S", 3, "nuke"),
        ("7C 7C 7C 7D 7D 7H 7H 7S 7S", 3, "bomb"),
        ("7C 7C 7C 7D 7D 7D 7H 7H 7H 7S 7S 7S", 3, "bomb"),
        ("7C 7C 7C 7D 7D 7D 7H 7H 7H 7S 7S 7S", 5, "nuke"),
        ("7C 7D 7H 7S", 5, "bomb"),
        ("7C 7C 7C 7C", 5, "atom"),
        ("RJ RJ RJ RJ RJ", 5, "atom"),
    ],
)
def test_what_a_set_is(text: str, packs: int, kind: str) -> None:
    found = shape(cards(text), packs)
    assert found is not None
    assert found.kind == kind


@pytest.mark.rule("atom", "3.6")
def test_bigger_atoms_and_nukes_of_five_packs() -> None:
    """Source: more cards win regardless of rank; nuke 8 beats atom 4, atom 5 beats nuke 8, nuke 12 atom 5."""
    up = [
        "2S 2S 2S",
        "3D 3D 3D 3D",
        "3C 3C 3D 3D 3H 3H 3S 3S",
        "3D 3D 3D 3D 3D",
        "3C 3C 3C 3D 3D 3D 3H 3H 3H 3S 3S 3S",
        " ".join(f"3{suit}" for suit in "CDHS" * 4),
        " ".join(f"3{suit}" for suit in "CDHS" * 5),
    ]
    for low, high in combinations(up, 2):
        assert beats(stand(high, "7", 5), stand(low, "7", 5))
        assert not beats(stand(low, "7", 5), stand(high, "7", 5))


@pytest.mark.rule("atom", "3.7")
@pytest.mark.parametrize(
    ("low", "high"), [("7D 7D 7D", "7C 7C 7C"), ("7C 7C 7C", "7H 7H 7H"), ("7H 7H 7H", "7S 7S 7S")]
)
def test_equal_atoms_go_by_suit(low: str, high: str) -> None:
    for blade in ("7", "9"):
        assert beats(stand(high, blade), stand(low, blade))
        assert not beats(stand(low, blade), stand(high, blade))


@pytest.mark.rule("atom", 4, "3.3")
def test_a_joker_alone_is_the_lowest_unless_it_counts_as_a_three() -> None:
    joker, three, four = cards("RJ"), cards("3S"), cards("4S")
    for as_three, blade, beaten_by_three in ((False, "7", True), (True, "7", False), (True, "3", None)):
        low = joker_strength(rank(blade), as_three=as_three)
        rungs = [rung(shape(held, 3), rank(blade), low) for held in (joker, three, four)]  # type: ignore[arg-type]
        assert beats(rungs[2], rungs[0])
        assert not beats(rungs[0], rungs[2])
        if beaten_by_three is not None:
            assert beats(rungs[1], rungs[0]) is beaten_by_three
            assert not beats(rungs[0], rungs[1])


def some_play(rng: random.Random, blade: str, packs: int) -> list[str]:
    """A play worth comparing: small ranks often meet, and bombs, atoms and nukes are as common as pairs."""
    ranks = ["3", "4", "A", "2", "7", blade]
    which = rng.choice(ranks)
    while True:
        roll = rng.randrange(6)
        if roll == 0:
            held = [which + rng.choice("CDHS")] * rng.randint(1, packs)
        elif roll == 1:
            each = rng.randint(1, packs)
            held = [which + suit for suit in "CDHS" for _ in range(each)]
        elif roll == 2:
            held = [rng.choice(["BJ", "RJ"])] * rng.randint(1, packs)
        elif roll == 3:
            held = rng.sample(["BJ", "RJ"] * packs, rng.randint(1, 2 * packs))
        else:
            pool = [which + suit for suit in "CDHS"] * packs
            jokers = rng.randint(0, 2)
            held = rng.sample(pool, rng.randint(1, 6)) + rng.sample(["BJ", "RJ"] * packs, jokers)
        if slow.legal(held, blade):
            return held


@pytest.mark.rule("atom", 8, "3.1", "3.7", "3.8")
@pytest.mark.parametrize("packs", [3, 5])
@pytest.mark.parametrize("as_three", [False, True])
def test_fast_and_slow_agree_on_every_pair_of_random_plays(packs: int, as_three: bool) -> None:
    rng = random.Random(packs)
    compared = won = 0
    for blade in ("3", "7", "2", "K"):
        low = joker_strength(rank(blade), as_three=as_three)
        held = [some_play(rng, blade, packs) for _ in range(70)]
        rungs = []
        for one in held:
            found = shape(cards(" ".join(one)), packs)
            assert found is not None
            assert {"single": "few", "pair": "few", "triple": "few"}.get(
                found.kind, found.kind
            ) == slow.sort_of(one, packs)
            rungs.append(rung(found, rank(blade), low))
        for (new, fast_new), (old, fast_old) in product(zip(held, rungs, strict=True), repeat=2):
            expected = slow.beats(new, old, blade, packs, as_three=as_three)
            assert beats(fast_new, fast_old) is expected, (new, old, blade)
            compared += 1
            won += expected
    assert compared == 4 * 70 * 70
    assert won > compared / 5


@pytest.mark.rule("atom", "3.9")
def test_of_two_plays_at_most_one_beats_the_other_and_nothing_beats_itself() -> None:
    rng = random.Random(4)
    rungs = [stand(" ".join(some_play(rng, "7", 5)), "7", 5) for _ in range(150)]
    for new, old in product(rungs, repeat=2):
        assert not (beats(new, old) and beats(old, new))


# -- what is offered -----------------------------------------------------------------------------


def test_a_bomb_offers_every_size_and_keeps_the_atom_where_it_can() -> None:
    state = arrange("7S 7S 7S 7H 9D", "3C", "3D", "3H", blade="9")
    assert legal(state) == {"7H", "7H 7S", "7H 7S 7S", "7H 7S 7S 7S", "7S 7S 7S", "9D"}


def test_where_a_rest_cannot_keep_both_atom_and_nuke_both_ways_are_offered() -> None:
    found = offer(rank("6"), pack((3, 2, 2, 2)), 0, 3)
    assert [names(move.cards) for move in found.sets[1]] == ["6D", "6C"]


@pytest.mark.rule("atom", "3.3")
def test_jokers_fill_up_pairs_triples_and_bombs_but_never_blades() -> None:
    state = arrange("7S 5H BJ", "3C", "3D", "3H")
    assert legal(state) == {"7S", "5H", "BJ", "5H BJ"}
    state.verify(0, lay("5H BJ"))


def test_the_black_joker_goes_first_when_the_red_ones_make_an_atom() -> None:
    state = arrange("5H BJ RJ RJ RJ", "3C", "3D", "3H")
    assert {"5H BJ", "BJ", "RJ RJ RJ"} <= legal(state)
    assert "5H RJ" not in legal(state)
    state.verify(0, lay("5H RJ"))


def test_every_offer_is_a_set_of_its_rank_and_no_better_rest_is_left_out() -> None:
    rng = random.Random(11)
    for packs in (3, 5):
        for _ in range(60):
            packed = pack([rng.randint(0, packs) for _ in range(4)])
            jokers = pack([rng.randint(0, 2), rng.randint(0, 2), 0, 0])
            found = offer(rank("6"), packed, jokers, packs)
            assert len(set(found.every)) == len(found.every)
            sizes = set()
            for move in found.every:
                made = shape(move.cards, packs)
                assert made is not None
                assert (made.rank, made.size) == (rank("6"), len(move.cards))
                assert all(made.suits >> shift & 15 <= packed >> shift & 15 for shift in (0, 4, 8, 12))
                assert all(made.jokers >> shift & 15 <= jokers >> shift & 15 for shift in (0, 4))
                sizes.add((total(made.suits), total(made.jokers)))
            every = {(n, w) for n in range(1, total(packed) + 1) for w in range(total(jokers) + 1)}
            assert sizes == every
    assert flat([0] * 13 + [0x21])[52:] == (1, 2)
    assert offer(JOKER, 0, 0, 3).every == ()


@pytest.mark.parametrize(("packs", "seats"), [(3, 4), (5, 5)])
def test_the_offers_are_those_that_beat_the_table(packs: int, seats: int) -> None:
    """The fast way through a hand finds exactly the offers that `beats` allows, at every turn."""
    rng = random.Random(seats)
    for _ in range(40):
        pool = [f"{label}{suit}" for label in ("3", "5", "7", "K", "2") for suit in "CDHS"] * packs
        pool += ["BJ", "RJ"] * packs
        rng.shuffle(pool)
        hands = [" ".join(pool[25 * seat : 25 * seat + 20]) for seat in range(min(seats, 3))]
        hands += ["4C"] * (seats - len(hands))
        state = arrange(*hands, called="AS", jokers=rng.choice(["lowest", "three"]))
        everything = list(state.legal_actions(0))
        for first in rng.sample(everything, 6):
            table = state.clone()
            table.apply(0, first)
            if table.to_act() != (1,):
                continue
            table.turn = 0
            table.hands[0], table.offers[0] = state.hands[0].copy(), None
            best = table.best
            assert best is not None
            wanted = {
                move
                for move in everything
                if beats(rung(shape(move.cards, packs), table.blade, table.low), best)  # type: ignore[arg-type]
            }
            assert set(table.legal_actions(0)) == wanted | {lay("pass")}


def test_any_equal_set_may_be_laid() -> None:
    state = arrange("8C 8D 8H 8S", "9C 9D 9H 9S", "3D", "3H")
    play(state, "8H 8S", "9H 9S")
    assert state.best_seat == 1
