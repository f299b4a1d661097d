"""The pictures of Atom: audited over many games, names and languages."""

from __future__ import annotations

import random

import pytest

from bot.locales import languages
from bot.presenters import get
from bot.presenters.atom import hand
from bot.presenters.atom.words import Voice
from bot.render.canvas import Canvas
from bot.render.check import audit
from bot.render.encode import png
from bot.render.scene import Item, Look, Panel, Scene, Sprite, Text
from bot.render.text import ellipsis
from engine.atom import GAME
from engine.atom.cards import by_rank
from engine.atom.heuristic import heuristic
from engine.atom.position import OVER
from engine.atom.scoring import GameResult, settle
from engine.atom.state import AtomState
from engine.playing_cards import JOKER
from tests.engine.atom.positions import arrange, play

PRESENTER = get("atom")
NAMES = ("Bartholomew the Magnificent", "小明", "🦊 fox", "W" * 32, "i")


def flat(scene: Scene) -> list[Item]:
    found: list[Item] = []
    todo = list(scene.items)
    while todo:
        item = todo.pop()
        found.append(item)
        todo += getattr(item, "items", ())
    return found


@pytest.mark.parametrize("seats", [4, 5])
@pytest.mark.parametrize("locale", languages())
def test_tables_and_hands_of_whole_games_are_sound(seats: int, locale: str) -> None:
    rng = random.Random(seats)
    look = Look(locale=locale, names=NAMES[:seats])
    state = GAME.deal(GAME.setup(seats, bytes([seats]) * 32))
    looked = 0
    while turn := state.to_act():
        if rng.random() < 0.12:
            looked += 1
            table = PRESENTER.table(state.observe(None), look)
            assert audit(table) == []
            assert (table.width, table.height) == (1280, 900)
            for seat in range(seats):
                assert audit(PRESENTER.hand(state.observe(seat), look)) == []
        legal = state.legal_actions(turn[0])
        wise = rng.random() < 0.5 and len(legal) > 1
        state.push(turn[0], heuristic(state.observe(turn[0]), legal, rng) if wise else rng.choice(legal))
    assert audit(PRESENTER.table(state.observe(None), look)) == []
    assert looked > 5


def test_a_table_stays_within_its_budget_of_bytes() -> None:
    for title, scene in PRESENTER.gallery():
        assert audit(scene) == [], title
        assert len(png(Canvas(scene))) < 100 * 1024, title


def test_the_hand_shows_every_rank_with_its_number() -> None:
    state = arrange("3C 3C 9D 9H 9S 9S 7H RJ", "4D", "6D", "8D")
    scene = PRESENTER.hand(state.observe(0), Look(names=NAMES[:4]))
    strings = [item.string for item in flat(scene) if isinstance(item, Text)]
    for wanted in ("3", "9", "7", "★", "×4", "×2", "Bomb", "Blade"):
        assert wanted in strings
    for wanted in ("3: 3♣×2", "9 (Bomb): 9♦ 9♥ 9♠×2", "7 (Blade): 7♥", "Jokers: red ★"):
        assert wanted in scene.alt


def test_an_atom_is_marked_by_its_suit() -> None:
    plain = arrange("9D 9H 9S", "4D", "6D", "8D")
    atom = arrange("9S 9S 9S", "4D", "6D", "8D")
    for state, marked in ((plain, False), (atom, True)):
        items = flat(PRESENTER.hand(state.observe(0), Look(names=NAMES[:4])))
        accent = [item for item in items if isinstance(item, Panel) and item.fill == "accent"]
        assert bool(accent) is marked


def test_what_can_be_played_is_lifted() -> None:
    state = arrange("9D 3C", "8D 10D 7S RJ", "6D", "4D")
    play(state, "9D")
    seen = state.observe(1)
    held = by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))
    able = [rank for rank, packed in enumerate(held) if packed and hand.playable(seen, held, rank)]
    assert [hand.RANK_LABELS[rank] for rank in able] == ["7", "10"]
    assert JOKER not in able


def strings(scene: Scene) -> list[str]:
    return [item.string for item in flat(scene) if isinstance(item, Text)]


def cut_off(scene: Scene) -> list[str]:
    """The words that end in an ellipsis."""
    texts = [item for item in flat(scene) if isinstance(item, Text) and item.max_lines == 1]
    return [
        one.string for one in texts if ellipsis(one.string, one.size, one.weight, one.rect.w) != one.string
    ]


SHORT = ("Ann", "Ben", "Cy", "Dee", "Eve")
FIVE = ("AH KH 3C", "AS AS 3D", "AS AS 4D", "AS 4C 6C", "9C 9D 9H")


def finished(results: list[GameResult]) -> AtomState:
    seats = len(results[0].teams)
    state = arrange(*["3C", "4C", "5C", "6C", "8C"][:seats], game=len(results))
    state.results, state.phase = results, OVER
    state.out = list(results[-1].order)
    state.captured = list(results[-1].captured)
    return state


def test_the_last_picture_shows_the_winners_their_total_first_and_settled_points() -> None:
    first = settle((1, 5), (1, 0, 2), (100, 0, 100, 100), (0,) * 4, (0, 1, 0, 1))
    second = settle((2, 6), (1, 0, 3), (20, 140, 20, 120), (0,) * 4, (0, 1, 0, 1))
    state = finished([first, second])
    scene = PRESENTER.table(state.observe(None), Look(names=SHORT[:4]))
    assert audit(scene) == []
    shown = strings(scene)
    assert "380 : 220" in shown
    assert "220 : 380" not in shown
    # the corner: 20 of downstream's went to the other side; below it the first game
    assert shown.count("280 pts") == shown.count("200 pts") == 1
    assert "Ben and Dee: Single win, 380 : 220." in scene.alt
    middle = [
        item.string
        for item in flat(scene)
        if isinstance(item, Text) and 340 < item.rect.x < 900 and 268 < item.rect.y < 690
    ]
    assert {"Ben", "Dee"} <= set(middle)
    assert not {"Ann", "Cy"} & set(middle)


@pytest.mark.parametrize("locale", languages())
def test_five_keep_points_side_and_place_whole(locale: str) -> None:
    result = settle((1, 5), (3, 1, 2, 4), (145, 145, 145, 45, 20), (0,) * 5, (1, 0, 0, 1, 0))
    look = Look(locale=locale, names=SHORT)
    for caller in range(5):
        teams = tuple(result.teams[(seat - caller) % 5] for seat in range(5))
        state = finished([settle((1, 5), (3, 1, 2, 4), result.captured, (0,) * 5, teams)])
        state.teams = teams
        state.receiver = caller
        assert cut_off(PRESENTER.table(state.observe(None), look)) == []


@pytest.mark.parametrize("locale", languages())
def test_with_short_names_nothing_is_cut_off_in_whole_games(locale: str) -> None:
    rng = random.Random(4)
    look = Look(locale=locale, names=SHORT)
    state = GAME.deal(GAME.setup(5, bytes([4]) * 32))
    out = 0
    while turn := state.to_act():
        if state.out or rng.random() < 0.1:
            out += bool(state.out)
            assert cut_off(PRESENTER.table(state.observe(None), look)) == []
        legal = state.legal_actions(turn[0])
        state.push(turn[0], heuristic(state.observe(turn[0]), legal, rng))
    assert out > 5


def test_what_a_player_ran_out_with_gives_way_to_side_and_place() -> None:
    """Seat 3 sits in the narrow row above; its last cards lie in the middle."""
    look = Look(names=SHORT)
    hands = ("AH KH 3C", "AS 3D", "AS 5D", "JC JC JD JH JH JS JS JS", "AS 9C 9D 9H")
    state = arrange(
        *hands, caller=0, called="AS", gone=("", "", "", "AS AS", ""), leader=3, captured=(0, 0, 0, 105, 0)
    )
    play(state, "JC JC JD JH JH JS JS JS")
    shown = strings(PRESENTER.table(state.observe(None), look))
    assert {"105 pts", "partner", "out 1st"} <= set(shown)
    assert "Bomb 8 × J" not in shown
    assert cut_off(PRESENTER.table(state.observe(None), look)) == []


def test_a_long_act_below_takes_its_place_in_the_lines() -> None:
    hands = ("JC JC JD JH JH JS", "AS 3D", "5D 6D", "KH 3C", "9C 9D")
    state = arrange(*hands, caller=3, called="AS", captured=(75, 0, 0, 0, 0))
    play(state, "JC JC JD JH JH JS")
    scene = PRESENTER.table(state.observe(None), Look(names=SHORT))
    assert {"75 pts", "partner", "out 1st", "Bomb 6 × J"} <= set(strings(scene))
    assert cut_off(scene) == []


def test_a_partner_is_named_when_revealed_and_at_the_end() -> None:
    look = Look(names=SHORT)
    state = arrange(*FIVE, caller=0, called="AS", leader=1)
    assert "partner" not in strings(PRESENTER.table(state.observe(None), look))
    play(state, "AS AS")
    scene = PRESENTER.table(state.observe(None), look)
    assert strings(scene).count("partner") == 1
    assert "Ben: 1 card, 0 points, partner" in scene.alt
    over = finished([settle((1, 5), (0, 2, 3, 4), (200, 50, 100, 100, 50), (0,) * 5, (0, 1, 1, 1, 0))])
    assert strings(PRESENTER.table(over.observe(None), look)).count("partner") == 1


def test_a_long_name_gives_way_to_what_is_said_of_it() -> None:
    for name in ("Bartholomew the Magnificent", "W" * 32):
        look = Look(names=(name, *SHORT[1:4]))
        state = arrange("KS KD 3C", "3D 4D", "3C 4C", "3H 4H")
        play(state, "KS", "pass")
        shown = strings(PRESENTER.table(state.observe(None), look))
        assert any(string.endswith("…: single") for string in shown)
        play(state, "pass", "pass")
        shown = strings(PRESENTER.table(state.observe(None), look))
        assert any(string.endswith("… leads") for string in shown)
        assert any(string.endswith("… took 10 points") for string in shown)


def test_the_seat_below_gives_the_name_what_a_short_act_leaves() -> None:
    look = Look(names=("Bartholomew", *SHORT[1:4]))
    state = arrange("3C KD", "5D 4D", "6C 4C", "7H 4H")
    play(state, "3C", "5D", "6C", "7H", "pass")
    items = [item for item in flat(PRESENTER.table(state.observe(None), look)) if isinstance(item, Text)]
    name = next(item for item in items if item.string == "Bartholomew")
    assert ellipsis(name.string, name.size, name.weight, name.rect.w) == name.string
    assert any(item.string == "passes" for item in items)
    state = arrange("3C 3D KD", "5D 5H 4D", "6C 4C", "7H 4H")
    play(state, "3C 3D", "5D 5H")
    scene = PRESENTER.table(state.observe(None), look)
    cards = [item.rect.w for item in flat(scene) if isinstance(item, Sprite) and item.args[0] == "3"]
    assert cards == [96, 96], "cards keep their size"


def test_the_hand_marks_a_nuke() -> None:
    state = arrange("9C 9C 9D 9D 9H 9H 9S 9S 8C 8D 8H 8S", "4D", "6D", "4C")
    alt = PRESENTER.hand(state.observe(0), Look(names=SHORT[:4])).alt
    assert "9 (Nuke)" in alt
    assert "8 (Bomb)" in alt


def test_the_hand_says_who_is_with_whom_as_far_as_one_knows() -> None:
    def said(state: AtomState, seat: int) -> str:
        seen, look = state.observe(seat), Look(names=SHORT)
        found = hand.side(seen, Voice(look))
        assert strings(PRESENTER.hand(seen, look)).count(found) == 1
        return found

    state = arrange(*FIVE, caller=0, called="AS", leader=1)
    assert said(state, 0) == "Your partners are hidden"
    assert said(state, 1) == "With Ann; perhaps one more is hidden"
    assert said(state, 3) == "Against Ann; who else is with you is hidden"
    play(state, "AS AS")
    assert said(state, 0) == "With Ben; perhaps one more is hidden"
    assert said(state, 2) == "With Ann, Ben"
    assert said(state, 4) == "Against Ann; who else is with you is hidden"
    four = arrange("AH KH 3C", "AS AS AS AS", "AS 4D", "4C 6C", "9C 9D", caller=0, called="AS", leader=1)
    play(four, "AS AS AS AS")
    assert said(four, 3) == "Against Ann, with Cy, Eve"
    pair = arrange("AH 3C", "AS AS 3D", "AS", "AS 4C", "AS 9D", caller=0, called="AS", leader=2)
    play(pair, "AS", "pass", "pass", "pass", "pass")
    assert said(pair, 3) == "Against Ann, with Cy; who else is with you is hidden"
    dealt = GAME.deal(GAME.setup(5, bytes(32)))
    caller = dealt.receiver
    assert said(dealt, caller) == "Whoever has two or more of your card will be with you"
    assert said(dealt, (caller + 1) % 5) == "The caller's card decides who is with you"


def test_the_table_shows_no_hand() -> None:
    state = arrange("9D 3C", "8D 10D", "6D", "4D")
    play(state, "9D")
    shown = {
        item.args
        for item in flat(PRESENTER.table(state.observe(1), Look(names=NAMES[:4])))
        if isinstance(item, Sprite)
    }
    assert ("9", "diamonds") in shown
    assert not shown & {
        ("8", "diamonds"),
        ("10", "diamonds"),
        ("6", "diamonds"),
        ("4", "diamonds"),
        ("3", "clubs"),
    }
