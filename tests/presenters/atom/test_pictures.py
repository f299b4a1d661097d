"""The pictures of Atom: audited over many games, names and languages."""

from __future__ import annotations

import random
import re

import pytest

from bot.locales import languages
from bot.presenters import get
from bot.presenters.atom import hand
from bot.presenters.atom.words import Voice
from bot.render.canvas import Canvas
from bot.render.check import audit, unclear
from bot.render.encode import png
from bot.render.scene import Item, Look, Panel, Rect, Scene, Sprite, Text
from bot.render.text import ellipsis
from engine.atom import GAME
from engine.atom.ai.heuristic import heuristic
from engine.atom.cards import by_rank
from engine.atom.position import OVER
from engine.atom.scoring import GameResult, settle
from engine.atom.state import AtomState
from engine.playing_cards import JOKER
from tests.engine.atom.positions import arrange, play
from tests.support.discord.keys import patterns
from tools.contact_sheet.atom import NAMES as GALLERY_NAMES
from tools.contact_sheet.galleries import gallery

PRESENTER = get("atom")
SAID = Voice(Look())
"""What stands below a key of this game."""
HEIGHTS = {4: 943, 5: 1097}
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
            assert (table.width, table.height) == (1280, HEIGHTS[seats])
            for seat in range(seats):
                assert audit(PRESENTER.hand(state.observe(seat), look)) == []
        legal = state.legal_actions(turn[0])
        wise = rng.random() < 0.5 and len(legal) > 1
        state.push(turn[0], heuristic(state.observe(turn[0]), legal, rng) if wise else rng.choice(legal))
    assert audit(PRESENTER.table(state.observe(None), look)) == []
    assert looked > 5


def test_a_table_stays_within_its_budget_of_bytes() -> None:
    for title, scene in gallery("atom"):
        assert audit(scene) == [], title
        assert len(png(Canvas(scene))) < 100 * 1024, title


def test_the_hand_shows_every_rank_with_its_number() -> None:
    state = arrange("3C 3C 9D 9H 9S 9S 7H RJ", "4D", "6D", "8D")
    scene = PRESENTER.hand(state.observe(0), Look(names=NAMES[:4]))
    strings = [item.string for item in flat(scene) if isinstance(item, Text)]
    bomb, blade = SAID("picture.bomb"), SAID("picture.blade")
    for wanted in ("3", "9", "7", "★", "×4", "×2", bomb, blade):
        assert wanted in strings
    marked = {rank: SAID("alt.marked", rank=rank, mark=mark) for rank, mark in (("9", bomb), ("7", blade))}
    for rank, cards in (
        ("3", "3♣×2"),
        (marked["9"], "9♦ 9♥ 9♠×2"),
        (marked["7"], "7♥"),
        (SAID("joker.any"), SAID("joker.red")),
    ):
        assert SAID("alt.group", rank=rank, cards=cards) in scene.alt


def test_an_atom_is_marked_by_its_suit() -> None:
    plain = arrange("9D 9H 9S", "4D", "6D", "8D")
    atom = arrange("9S 9S 9S", "4D", "6D", "8D")
    for state, marked in ((plain, False), (atom, True)):
        items = flat(PRESENTER.hand(state.observe(0), Look(names=NAMES[:4])))
        accent = [item for item in items if isinstance(item, Panel) and item.fill == "accent"]
        assert len(accent) == 1 + marked, "the Blade stands above"


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
    score = SAID("picture.versus", won=380, lost=220)
    assert score in shown
    assert SAID("picture.versus", won=220, lost=380) not in shown
    # the teams: this game as it was settled, beside it the first one
    first_game = [SAID("picture.first_game", points=points) for points in (200, 100)]
    assert teams(scene) == list(zip(("20", "280"), first_game, strict=True))
    names = SAID.all(("Ben", "Dee"))
    assert SAID("alt.ended", names=names, win=SAID("picture.win_1"), score=score) in scene.alt
    assert shown.count("Ben") == shown.count("Dee") == 2, "at their seats, and as those who have won"
    assert shown.count("Ann") == shown.count("Cy") == 1
    framed = [item for item in flat(scene) if isinstance(item, Panel) and item.outline == "accent"]
    assert len(framed) == 2


def of_seat(what: str, **held: object) -> str:
    """A player in words: the cards and points, then something else."""
    return SAID("alt.comma").join((SAID("alt.seat", **held), what))


def teams(scene: Scene) -> list[tuple[str, str]]:
    """The points of both teams, those of this game and of the first."""
    head = [item for item in flat(scene) if isinstance(item, Text) and 80 < item.rect.y < 140]
    points = sorted((item for item in head if item.string.isdigit()), key=lambda item: item.rect.x)
    before = sorted((item for item in head if ":" in item.string), key=lambda item: item.rect.x)
    return [(one.string, other.string) for one, other in zip(points, before, strict=True)]


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


def copies(scene: Scene) -> list[tuple[object, ...]]:
    """The cards in a scene that have copies, as they are drawn."""
    return [item.args for item in flat(scene) if isinstance(item, Sprite) and item.painter == "atom.copies"]


def test_a_set_is_one_of_each_kind_with_its_number_at_the_seat_and_large() -> None:
    state = arrange("JC JC JD JH JH JS 3C", "AS 3D", "5D 6D", "KH 3C")
    play(state, "JC JC JD JH JH JS")
    scene = PRESENTER.table(state.observe(None), Look(names=SHORT[:4]))
    for suit, painted in (("clubs", ("J", "clubs", "×2", 2)), ("hearts", ("J", "hearts", "×2", 2))):
        assert copies(scene).count(painted) == 2, suit
    single = [item.rect.w for item in flat(scene) if isinstance(item, Sprite) and "diamonds" in item.args]
    assert sorted(width > 150 for width in single) == [False, True]
    bomb = SAID("set.bomb", size=6, cards="J♣×2 J♦ J♥×2 J♠")
    assert of_seat(bomb, name="Ann", n=1, points=0) in scene.alt


def test_a_set_of_many_kinds_stays_in_its_place() -> None:
    cards = "10C 10C 10C 10D 10D 10D 10H 10H 10S 10S BJ BJ RJ"
    state = arrange(cards + " 3C", "AS 3D", "5D 6D", "KH 3C", "9C 9D", caller=1, called="KS")
    play(state, cards)
    scene = PRESENTER.table(state.observe(None), Look(names=SHORT))
    assert audit(scene) == []
    assert len(copies(scene)) == 2 * 6 - 1, "the red joker has no copy, and is wide enough when it is large"


def test_what_beats_the_others_is_marked_at_its_seat() -> None:
    def marks(scene: Scene) -> list[Panel]:
        panels = [item for item in flat(scene) if isinstance(item, Panel)]
        return [item for item in panels if item.fill == "accent" and item.rect.h < 10]

    state = arrange("3C KD", "5D 4D", "6C 4C", "7H 4H")
    look = Look(names=SHORT[:4])
    assert marks(PRESENTER.table(state.observe(None), look)) == []
    play(state, "3C", "5D", "pass")
    scene = PRESENTER.table(state.observe(None), look)
    (mark,) = marks(scene)
    assert mark.rect.x > 640, "Ben sits at the right"
    assert strings(scene).count(SAID("picture.passes")) == 1


def test_a_partner_is_named_when_revealed_and_at_the_end() -> None:
    look, partner = Look(names=SHORT), SAID("picture.partner")
    state = arrange(*FIVE, caller=0, called="AS", leader=1)
    assert partner not in strings(PRESENTER.table(state.observe(None), look))
    play(state, "AS AS")
    scene = PRESENTER.table(state.observe(None), look)
    assert strings(scene).count(partner) == 1
    assert of_seat(partner, name="Ben", n=1, points=0) in scene.alt
    over = finished([settle((1, 5), (0, 2, 3, 4), (200, 50, 100, 100, 50), (0,) * 5, (0, 1, 1, 1, 0))])
    assert strings(PRESENTER.table(over.observe(None), look)).count(partner) == 1


def test_a_match_that_one_game_decided_is_not_the_first_of_two() -> None:
    look, double = Look(names=SHORT[:4]), settle((1, 5), (0, 2), (100, 0, 100, 100), (0,) * 4, (0, 1, 0, 1))
    assert SAID("picture.header_alone") in strings(PRESENTER.table(finished([double]).observe(None), look))
    going_on = PRESENTER.table(arrange("3C KD", "5D 4D", "6C 4C", "7H 4H").observe(None), look)
    assert any(SAID("picture.header", game=1) in each for each in strings(going_on))


def test_a_long_name_gives_way_to_what_is_said_of_it() -> None:
    for name in ("Bartholomew the Magnificent", "W" * 32):
        look = Look(names=(name, *SHORT[1:5]))
        state = arrange(*FIVE, caller=0, called="AS", captured=(215, 0, 0, 0, 0))
        play(state, "AH")
        scene = PRESENTER.table(state.observe(None), look)
        assert {SAID("picture.caller"), "215", SAID("kind.single")} <= set(strings(scene))
        assert set(cut_off(scene)) <= {name}


@pytest.mark.parametrize("seats", [4, 5])
def test_the_corner_that_others_cover_holds_nothing(seats: int) -> None:
    state = GAME.deal(GAME.setup(seats, bytes([3]) * 32))
    rng, look = random.Random(seats), Look(names=NAMES[:seats])
    while turn := state.to_act():
        if rng.random() < 0.1:
            assert in_corner(PRESENTER.table(state.observe(None), look)) == []
            for seat in range(seats):
                assert in_corner(PRESENTER.hand(state.observe(seat), look)) == []
        state.push(turn[0], heuristic(state.observe(turn[0]), state.legal_actions(turn[0]), rng))
    assert in_corner(PRESENTER.table(state.observe(None), look)) == []


def test_what_one_needs_is_clear_inside_a_container() -> None:
    """What may be smaller: letters of seats, units, a seat's many cards, and what is past or explains."""
    small = ("points", "turned_up", "last", "last_empty", "first_game", "called_note", "turned_note")
    places = [f"place_{place}" for place in (1, 2, 3, 4)]
    table = re.compile(r"[A-E]|10|×\d|" + patterns("atom.picture", (*small, *places)))
    # the head of a hand is the same in all games, and the cards to beat stand there in words and signs too
    asked = patterns("atom.picture", ("your_turn", "your_lead", "your_call"))
    hand_ = re.compile(r"[A-E]|×\d|" + "|".join((asked, *GALLERY_NAMES)))
    for title, scene in gallery("atom"):
        may = table if title.endswith("table") else hand_ if title.endswith("hand") else None
        if may is not None:
            assert {words for words in unclear(scene) if not may.fullmatch(words)} == set(), title


def in_corner(scene: Scene) -> list[Item]:
    """What lies in the lower left fifth by an eighth of a picture, grounds excepted."""
    corner = Rect(0, scene.height * 88 // 100, scene.width // 5, scene.height * 12 // 100 + 1)
    found = [item for item in flat(scene) if isinstance(item, Sprite | Text)]
    return [item for item in found if item.rect.overlaps(corner)]


def test_the_hand_marks_a_nuke() -> None:
    state = arrange("9C 9C 9D 9D 9H 9H 9S 9S 8C 8D 8H 8S", "4D", "6D", "4C")
    alt = PRESENTER.hand(state.observe(0), Look(names=SHORT[:4])).alt
    for rank, mark in (("9", "nuke"), ("8", "bomb")):
        assert SAID("alt.marked", rank=rank, mark=SAID(f"picture.{mark}")) in alt


def test_the_hand_shows_what_is_to_be_beaten_and_what_the_teams_have() -> None:
    state = arrange("9D 9D 3C", "JD JH 5S", "6D 10C", "4D", captured=(20, 5, 40, 0))
    look = Look(names=SHORT[:4])
    assert copies(PRESENTER.hand(state.observe(1), look)) == []
    play(state, "9D 9D")
    lies = {"Ann", SAID("kind.pair"), SAID("picture.no_pot"), SAID("picture.blade_rank", blade="7")}
    for seat, ours, theirs in ((1, 5, 60), (2, 60, 5)):
        scene = PRESENTER.hand(state.observe(seat), look)
        assert audit(scene) == []
        assert copies(scene) == [("9", "diamonds", "×2", 2)]
        assert lies | {SAID("picture.team_took", ours=ours, theirs=theirs)} <= set(strings(scene))
    five = arrange(*FIVE, caller=0, called="AS", captured=(0, 30, 0, 0, 0))
    shown = strings(PRESENTER.hand(five.observe(1), Look(names=SHORT)))
    assert {SAID("picture.took", n=30), SAID("picture.holds", n=3, points=0)} <= set(shown)


def test_the_hand_says_who_is_with_whom_as_far_as_one_knows() -> None:
    def said(state: AtomState, seat: int) -> str:
        seen, look = state.observe(seat), Look(names=SHORT)
        found = hand.side(seen, Voice(look))
        assert strings(PRESENTER.hand(seen, look)).count(found) == 1
        return found

    state = arrange(*FIVE, caller=0, called="AS", leader=1)
    assert said(state, 0) == SAID("picture.with_unknown")
    assert said(state, 1) == SAID("picture.with_more", names="Ann")
    assert said(state, 3) == SAID("picture.against_unknown", caller="Ann")
    play(state, "AS AS")
    assert said(state, 0) == SAID("picture.with_more", names="Ben")
    assert said(state, 2) == SAID("picture.with_five", names="Ann, Ben")
    # Ben stands at the table as the partner, so the hand does not call him hidden
    assert said(state, 4) == SAID("picture.against_unknown", caller="Ann, Ben")
    four = arrange("AH KH 3C", "AS AS AS AS", "AS 4D", "4C 6C", "9C 9D", caller=0, called="AS", leader=1)
    play(four, "AS AS AS AS")
    assert said(four, 3) == SAID("picture.against", caller="Ann, Ben", names="Cy, Eve")
    pair = arrange("AH 3C", "AS AS 3D", "AS", "AS 4C", "AS 9D", caller=0, called="AS", leader=2)
    play(pair, "AS", "pass", "pass", "pass", "pass")
    assert said(pair, 3) == SAID("picture.against_more", caller="Ann", names="Cy")
    dealt = GAME.deal(GAME.setup(5, bytes(32)))
    caller = dealt.receiver
    assert said(dealt, caller) == SAID("picture.calls_own")
    assert said(dealt, (caller + 1) % 5) == SAID("picture.calls")


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
