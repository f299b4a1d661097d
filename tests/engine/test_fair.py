"""The checkable deal: the page that explains it, two other programs, and the laws of a fair shuffle."""

from __future__ import annotations

import hmac
import json
import re
import shutil
import struct
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import catalog
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment, Stream, shuffled

PAGE = (Path(__file__).parents[2] / "docs" / "fair.md").read_text(encoding="utf-8")

keys = st.binary(min_size=32, max_size=32)
labels = st.text(max_size=12)


def block(language: str) -> str:
    found = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert len(found) == 1, f"the page must have one {language} block"
    return str(found[0])


@pytest.fixture(autouse=True)
def _deals() -> None:
    """Here alone seeds come from the system, as they do in a bot."""


@pytest.fixture(scope="module")
def vectors() -> Any:
    return json.loads(block("json"))


def test_the_vectors_hold_in_the_engine(vectors: Any) -> None:
    fair = Commitment(bytes.fromhex(vectors["seed"]), bytes.fromhex(vectors["nonce"]))
    assert (len(fair.seed), len(fair.nonce)) == (SEED_BYTES, NONCE_BYTES)
    assert fair.digest == vectors["commitment"]
    for deal in vectors["deals"]:
        key = fair.deal_key(map(int, deal["entropy"]))
        assert key.hex() == deal["key"]
    stream = vectors["stream"]
    source = Stream(key, stream["label"])
    assert [source.below(2**32) for _ in stream["words"]] == stream["words"]
    source = Stream(key, stream["label"])
    assert [[n, source.below(n)] for n, _ in stream["below"]] == stream["below"]
    for one in vectors["shuffles"]:
        assert shuffled(key, one["label"], range(one["count"])) == one["order"]


def test_the_vectors_show_what_can_go_wrong(vectors: Any) -> None:
    """They cover nobody's entropy, ids beyond 53 bits, words thrown away, and a second block."""
    entropies = [deal["entropy"] for deal in vectors["deals"]]
    assert [] in entropies
    assert any(int(text) > 2**53 for text in entropies[-1])
    assert len(vectors["stream"]["words"]) > 8
    words, thrown = vectors["stream"]["words"], 0
    for n, _ in vectors["stream"]["below"]:
        while words and words[0] >= 2**32 - 2**32 % n:
            words, thrown = words[1:], thrown + 1
        words = words[1:]
    assert thrown
    assert any(not one["label"].isascii() for one in vectors["shuffles"])


def test_the_python_of_the_page_agrees(vectors: Any) -> None:
    page: dict[str, Any] = {}
    exec(block("python"), page)
    seed, nonce = bytes.fromhex(vectors["seed"]), bytes.fromhex(vectors["nonce"])
    assert page["commitment"](seed, nonce) == vectors["commitment"]
    for deal in vectors["deals"]:
        key = page["deal_key"](seed, nonce, deal["entropy"])
        assert key.hex() == deal["key"]
    source = page["words"](key, vectors["stream"]["label"])
    assert [next(source) for _ in vectors["stream"]["words"]] == vectors["stream"]["words"]
    source = page["words"](key, vectors["stream"]["label"])
    assert [[n, page["below"](source, n)] for n, _ in vectors["stream"]["below"]] == vectors["stream"][
        "below"
    ]
    for one in vectors["shuffles"]:
        assert page["shuffle"](key, one["label"], range(one["count"])) == one["order"]


@pytest.mark.parametrize(("seats", "size"), [(2, 7), (3, 5), (5, 5)])
def test_the_example_of_the_page_is_dealt_like_this(seats: int, size: int) -> None:
    page: dict[str, Any] = {}
    exec(block("python"), page)
    fair, entropy = Commitment(bytes(range(32)), bytes(16)), [1311985040398352384, 7]
    key = page["deal_key"](fair.seed, fair.nonce, list(map(str, entropy)))
    game = catalog.get("atom_duel")
    state = game.deal(game.setup(seats, fair.deal_key(entropy), hand_size=size))
    order = page["shuffle"](key, "deck", range(1, 119))
    hands = [order[seat * size : (seat + 1) * size] for seat in range(seats)]
    assert [list(row) for row in state.rows] == hands  # type: ignore[attr-defined]
    assert state.to_act() == (page["below"](page["words"](key, "start"), seats),)


CHECK = """
const vectors = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const seed = Buffer.from(vectors.seed, "hex"), nonce = Buffer.from(vectors.nonce, "hex");
const keys = vectors.deals.map((deal) => dealKey(seed, nonce, deal.entropy));
const key = keys[keys.length - 1];
const first = words(key, vectors.stream.label), second = words(key, vectors.stream.label);
console.log(JSON.stringify({
  seed: vectors.seed,
  nonce: vectors.nonce,
  commitment: commitment(seed, nonce),
  deals: vectors.deals.map((deal, i) => ({ entropy: deal.entropy, key: keys[i].toString("hex") })),
  stream: {
    label: vectors.stream.label,
    words: vectors.stream.words.map(() => first.next().value),
    below: vectors.stream.below.map(([n]) => [n, below(second, n)]),
  },
  shuffles: vectors.shuffles.map(({ label, count }) => ({
    label, count, order: shuffle(key, label, [...Array(count).keys()]),
  })),
}));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_javascript_of_the_page_agrees(vectors: Any, tmp_path: Path) -> None:
    script = tmp_path / "page.cjs"
    script.write_text(block("javascript") + CHECK, encoding="utf-8")
    done = subprocess.run(
        ["node", str(script)],
        input=json.dumps(vectors),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == vectors


@given(keys, labels, st.lists(st.integers(), max_size=120))
def test_a_shuffle_is_a_permutation_and_repeats(key: bytes, label: str, cards: list[int]) -> None:
    before = list(cards)
    order = shuffled(key, label, cards)
    assert cards == before
    assert Counter(order) == Counter(cards)
    assert shuffled(key, label, cards) == order


@given(keys, labels, st.integers(1, 2**32), st.integers(1, 30))
def test_numbers_lie_below(key: bytes, label: str, n: int, count: int) -> None:
    source = Stream(key, label)
    assert all(0 <= source.below(n) < n for _ in range(count))


@given(keys, labels, labels)
def test_each_label_has_its_own_order(key: bytes, one: str, two: str) -> None:
    cards = range(52)
    assert (shuffled(key, one, cards) == shuffled(key, two, cards)) == (one == two)


@given(keys, keys)
def test_each_key_has_its_own_order(one: bytes, two: bytes) -> None:
    cards = range(52)
    assert (shuffled(one, "deal", cards) == shuffled(two, "deal", cards)) == (one == two)


whole = st.lists(st.integers(0, 2**64), max_size=5)


@given(keys, st.binary(min_size=16, max_size=16), whole, whole)
def test_every_joiner_and_their_order_change_the_deal(
    seed: bytes, nonce: bytes, one: list[int], two: list[int]
) -> None:
    fair = Commitment(seed, nonce)
    assert (fair.deal_key(one) == fair.deal_key(two)) == (one == two)
    assert fair.deal_key(iter(one)) == fair.deal_key(one)


def test_joiners_cannot_be_run_together() -> None:
    fair = Commitment(bytes(32), bytes(16))
    assert len({fair.deal_key(e) for e in ([1, 12], [11, 2], [112], [1, 1, 2], [12, 1])}) == 5


@given(keys, keys, st.binary(min_size=16, max_size=16), st.binary(min_size=16, max_size=16))
def test_the_commitment_binds_seed_and_nonce(one: bytes, two: bytes, nonce: bytes, other: bytes) -> None:
    assert (Commitment(one, nonce).digest == Commitment(two, nonce).digest) == (one == two)
    assert (Commitment(one, nonce).digest == Commitment(one, other).digest) == (nonce == other)
    assert one.hex() not in Commitment(one, nonce).digest


def test_the_nonce_is_part_of_the_deal() -> None:
    seed = bytes(32)
    assert Commitment(seed, b"a" * 16).deal_key([1]) != Commitment(seed, b"b" * 16).deal_key([1])


def test_fresh_ones_differ() -> None:
    some = [Commitment.fresh() for _ in range(20)]
    assert {(len(one.seed), len(one.nonce)) for one in some} == {(SEED_BYTES, NONCE_BYTES)}
    assert len({one.digest for one in some}) == 20


def chi_square(counts: list[int]) -> float:
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    """A shuffle that swaps with any place, not just the lower ones, scores above 200 here."""
    seen = Counter(
        tuple(shuffled(number.to_bytes(32, "big"), "deal", range(4))) for number in range(24 * 250)
    )
    assert len(seen) == 24
    assert chi_square(list(seen.values())) < 49.7  # 23 degrees of freedom, 1 in 1,000


@pytest.mark.parametrize(("n", "limit"), [(2, 10.83), (6, 20.52), (13, 32.91)])
def test_all_numbers_are_equally_likely(n: int, limit: float) -> None:
    source = Stream(bytes(32), "numbers")
    seen = Counter(source.below(n) for _ in range(n * 500))
    assert chi_square([seen[number] for number in range(n)]) < limit


def test_large_ranges_lean_to_no_side() -> None:
    """Without throwing words away, the lower 1.3 thousand million would come twice as often."""
    n = 3_000_000_000
    source = Stream(bytes(32), "large")
    seen = Counter(source.below(n) * 6 // n for _ in range(3000))
    assert chi_square([seen[part] for part in range(6)]) < 20.52


def test_every_card_reaches_every_place() -> None:
    """Card by place over many decks: no place favours a card."""
    places = [[0] * 10 for _ in range(10)]
    for number in range(3000):
        for place, card in enumerate(shuffled(number.to_bytes(32, "big"), "deal", range(10))):
            places[place][card] += 1
    assert all(chi_square(row) < 33.7 for row in places)  # 9 degrees of freedom, 1 in 10,000


@pytest.mark.parametrize("length", [2, 9, 52, 137])
def test_a_shuffle_passes_over_the_words_that_a_draw_passes_over(length: int) -> None:
    high = (1 << 32) - 1
    stream, plain = Stream(bytes(32), "deck"), Stream(bytes(32), "deck")
    stream._words, plain._words = [7, high, 3, high, high], [7, high, 3, high, high]
    drawn = list(range(length))
    for place in range(length - 1, 0, -1):
        other = plain.below(place + 1)
        drawn[place], drawn[other] = drawn[other], drawn[place]
    assert stream.shuffle(range(length)) == drawn
    assert stream.below(1000) == plain.below(1000)


def test_digests_are_hmacs_however_many_are_fetched_at_once() -> None:
    for length in (0, 1, 32, 64, 65, 200):
        key = bytes(range(length))
        blocks = [hmac.digest(key, b"deck\n" + bytes([0, 0, 0, block]), "sha256") for block in range(9)]
        words = struct.unpack(">72I", b"".join(blocks))
        for fetched in ((), (72,), (8, 40, 72)):
            stream = Stream(key, "deck")
            for count in fetched:
                stream._fetch(count)
            assert [stream.below(1 << 32) for _ in words] == list(words)
