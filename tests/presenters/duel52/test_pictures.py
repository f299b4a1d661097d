"""What the pictures of Duel 52 show and where: pairs of every kind, both hands of solo, marks of cards."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from math import ceil

import pytest
from PIL import Image, ImageChops

from bot.presenters import get
from bot.presenters.duel52 import board
from bot.presenters.duel52.painters import Face
from bot.render import sprites
from bot.render.check import audit, unclear
from bot.render.scene import Item, ItemGroup, Look, Panel, Rect, Scene, Sprite, Text
from bot.render.theme import theme
from engine import catalog
from engine.duel52.game import GAME
from engine.duel52.notation import read

PRESENTER = get("duel52")
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee"))
ALONE = Look(names=("Side A", "Side B"))
REST = "hands=2s/2h pile=2d2c"
POWERS = {PRESENTER.card(card.key, LOOK).title.partition(" · ")[2] for card in PRESENTER.cards("en")}
BETTED = "solo A2 Js1,(5s)|8s|[Kd]@AB/9c|(6d)*,[Kc]*|[4d] pile=AhAc bet=B"


def items(scene: Scene | ItemGroup) -> list[Item]:
    found: list[Item] = []

    def walk(some: tuple[Item, ...]) -> None:
        for item in some:
            found.append(item)
            if isinstance(item, ItemGroup):
                walk(item.items)

    walk(scene.items)
    return found


def texts(scene: Scene) -> list[str]:
    return [item.string for item in items(scene) if isinstance(item, Text)]


def faces(scene: Scene) -> list[Face]:
    found = [item.args[0] for item in items(scene) if isinstance(item, Sprite) and item.args]
    return [face for face in found if isinstance(face, Face)]


# -- pairs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("hurt", list(product((0, 1, 2), repeat=3)))
def test_pairs_of_every_kind_keep_to_their_column_of_a_triangle(hurt: tuple[int, ...]) -> None:
    """Of each owner none, one or both cards of a pair are damaged and lie on their side."""

    def pair(cards: str, letter: str, damaged: int) -> str:
        marks = ["1" if place < damaged else "" for place in (0, 1)]
        return ",".join(f"{code}{mark}={letter}" for code, mark in zip(cards.split(), marks, strict=True))

    a, b, c = (
        pair(cards, letter, damaged)
        for cards, letter, damaged in zip(("8s 8h", "Ts Td", "Kc Kd"), "abc", hurt, strict=True)
    )
    state = read(f"triangles A3 {a}|-|-|-/{b},4s|-|-|-/{c}|-|-|- hands=2c3h/3c3d/6d6h pile=AhAdAcAs turns=9")
    assert audit(PRESENTER.table(state.observe(None), LOOK)) == []
    assert audit(PRESENTER.hand(state.observe(0), LOOK)) == []


def test_a_pair_takes_as_much_room_as_it_says() -> None:
    seen = read(f"standard A3 8s1=a,8h=a|-|-/9c|-|- {REST}").observe(None)
    (pair,) = board.fighters(seen.row(0, 0))
    scene = PRESENTER.table(seen, LOOK)
    (frame,) = [
        item
        for item in items(scene)
        if isinstance(item, Panel) and item.fill == "panel_high" and item.outline == "text"
    ]
    assert frame.rect.w == pair.width(board.SIZES[0])
    lying = [item.rect for item in items(scene) if isinstance(item, Sprite) and item.painter == "duel52.unit"]
    assert [frame.rect.holds(rect) for rect in lying].count(True) == 2


# -- solo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["-", "2s6c5hAsJc3c", "2s6c5hAsJc3c4c7c"])
@pytest.mark.parametrize("second", ["-", "6h9d3h7d8d8h", "6h9d3h7d8d8h8cKs"])
def test_both_hands_of_solo_have_room(first: str, second: str) -> None:
    seen = read(f"{BETTED} hands={first}/{second}").observe(0)
    scene = PRESENTER.hand(seen, ALONE)
    assert audit(scene) == []
    assert texts(scene).count("A") == 2, "the side to act is named above its cards and above its lanes"


def test_solo_tells_its_sides_apart() -> None:
    seen = read(f"{BETTED} hands=2s/6h").observe(0)
    hand, table = PRESENTER.hand(seen, ALONE), PRESENTER.table(seen, ALONE)
    for scene in (hand, table):
        assert {"Side A", "Side B"} <= set(texts(scene))
    assert "Side A holds 2♠ Draw. Side B holds 6♥ Freeze." in hand.alt


def test_a_hand_of_solo_that_nobody_has_opened_yet_is_not_empty() -> None:
    game = catalog.get("duel52")
    state = game.deal(game.setup(2, bytes(32), variant="solo"))
    (seat,) = state.to_act()
    seen = state.observe(seat)
    assert [len(seen.hands[seat]), len(seen.hands[1 - seat]), seen.counts[1 - seat]] == [5, 0, 5]
    assert "5 cards, not seen yet" in texts(PRESENTER.hand(seen, ALONE))
    assert audit(PRESENTER.hand(seen, ALONE)) == []


def test_the_bet_stands_above_the_hand_once_it_is_made() -> None:
    seen = read(f"{BETTED} hands=2s/6h").observe(0)
    assert PRESENTER.status(seen, ALONE) == "Turn 3 · 2 actions left · 2 in the pile · bet B"


def test_before_the_bet_there_is_no_turn() -> None:
    seen = read("solo A0 -|-|-/-|-|- hands=2s/6h pile=AhAc turns=0 ask=bet").observe(0)
    assert PRESENTER.table(seen, ALONE).alt.startswith("Duel 52, before the first turn.")
    assert PRESENTER.status(seen, ALONE) == "Before the first turn"


# -- marks ------------------------------------------------------------------------------------------


def test_a_base_that_was_looked_at_keeps_its_padlock() -> None:
    seen = read(f"standard A3 [2c]@A|-|-/9c|-|- {REST.replace('2c', '3c')}").observe(0)
    scene = PRESENTER.hand(seen, LOOK)
    assert Face("2", "clubs", back=True, locked=True) in faces(scene)
    assert "2♣ face-down (base)" in scene.alt


def test_frost_padlock_and_grey_are_drawn() -> None:
    seen = read(f"standard A3 8s*!,[3c]|-|-/(9c)*|-|- {REST}").observe(None)
    assert faces(PRESENTER.table(seen, LOOK)) == [
        Face("8", "spades", frozen=True, spent=True),
        Face(back=True, locked=True),
        Face(back=True, letter="a", frozen=True),
    ]


def test_everybody_sees_the_own_side_at_the_left() -> None:
    for seat, own in ((0, "8"), (1, "9")):
        seen = read(f"standard A3 8s|-|-/9c|-|- {REST}").observe(seat)
        lying = {
            item.args[0].rank: item.rect.x
            for item in items(PRESENTER.hand(seen, LOOK))
            if isinstance(item, Sprite) and item.painter == "duel52.unit"
        }
        assert min(lying, key=lambda rank: lying[rank]) == own


def test_nobody_has_a_lane_alone_before_the_pile_is_empty() -> None:
    lanes = "standard A3 8s|5s|-/9c|-|-"
    early = texts(PRESENTER.table(read(f"{lanes} {REST}").observe(None), LOOK))
    late = texts(PRESENTER.table(read(f"{lanes} hands=2s/2h").observe(None), LOOK))
    assert "A alone" not in early
    assert late.count("A alone") == 1


def test_an_empty_lane_names_who_holds_it() -> None:
    seen = read("standard A1 -|5s|-/-|-|9c hands=-/2h held=A--").observe(None)
    scene = PRESENTER.table(seen, LOOK)
    assert texts(scene).count("A holds it") == 1
    assert "A still holds it." in scene.alt
    assert "both" not in scene.alt
    for held, shared in (("---", True), ("xxx", False), ("none", False)):
        seen = read(f"standard A1 -|5s|-/-|-|9c hands=-/2h held={held}").observe(None)
        left = PRESENTER.table(seen, LOOK)
        assert "holds it" not in left.alt
        assert "A holds it" not in texts(left)
        assert ("counts for both" in texts(left)) is ("It counts for both sides." in left.alt) is shared
    early = PRESENTER.table(read(f"standard A1 -|5s|-/-|-|9c {REST}").observe(None), LOOK)
    assert "both" not in early.alt


def test_who_has_won_is_lit() -> None:
    seen = read("standard A0 8s|5s|-/-|-|9c turns=9 over=two_lanes:1,2").observe(None)
    lit = [
        item.items[0].outline
        for item in items(PRESENTER.table(seen, LOOK))
        if isinstance(item, ItemGroup) and isinstance(item.items[0], Panel) and not item.tag
    ]
    assert lit == ["accent", None]


@pytest.mark.parametrize(
    ("variant", "seats", "sides"),
    [("standard", 2, ("A", "B")), ("teams", 4, ("AC", "BD")), ("triangles", 3, ("A", "B", "C"))],
)
def test_the_end_tells_the_last_blow_and_what_is_left(
    variant: str, seats: int, sides: tuple[str, ...]
) -> None:
    rng = random.Random(1)
    state = GAME.deal(GAME.setup(seats, bytes(32), variant=variant))
    while state.to_act():
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    for viewer in (None, *range(seats)):
        seen = state.observe(viewer)
        assert seen.last is not None
        scene = PRESENTER.table(seen, LOOK)
        lines = texts(scene)
        blow = next(line for line in lines if line.startswith("Last blow by "))
        assert blow.startswith(f"Last blow by {LOOK.name(seen.last.seat)}: ")
        lanes = range(seen.setup.lanes)
        left = (
            f"{letters}\u00a0{sum(len(seen.row(side, lane)) for lane in lanes)}"
            for side, letters in enumerate(sides)
        )
        assert f"Cards on the table: {', '.join(left)}." in lines


@pytest.mark.parametrize("decisions", [40, 80, 120, 160])
def test_cards_are_of_one_size_and_large_on_the_whole_table(decisions: int) -> None:
    rng = random.Random(decisions)
    state = GAME.deal(GAME.setup(2, bytes(32), variant="long"))
    for _ in range(decisions):
        if state.to_act():
            state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    for scene in (PRESENTER.table(state.observe(None), LOOK), PRESENTER.hand(state.observe(0), LOOK)):
        lanes = [i for i in items(scene) if isinstance(i, ItemGroup) and "side" in i.tag]
        lying = [i for lane in lanes for i in items(lane) if isinstance(i, Sprite)]
        sizes = {tuple(sorted((item.rect.w, item.rect.h))) for item in lying}
        assert len(sizes) == 1
        assert min(sizes)[0] >= 72
        assert scene.height <= 1424, "not half of a phone's screen"
        assert unclear(scene) <= {"Lane", "A", "B", *LOOK.names, *POWERS}, "ranks and letters are clear"
        corner = Rect(0, ceil(0.88 * scene.height), 256, scene.height)
        assert not [i for i in items(scene) if isinstance(i, Sprite | Text) and i.rect.overlaps(corner)]


def test_the_names_below_a_hand_are_those_of_the_powers() -> None:
    seen = read("standard A3 -|-|-/9c|-|- hands=5s8sTsQs/2h pile=2d2c").observe(0)
    assert texts(PRESENTER.hand(seen, LOOK))[-4:] == ["Flip all", "Retaliate", "Twinstrike", "Move"]
    crowded = read("standard A3 -|-|-/9c|-|- hands=5s8sTsQs3h4h5h/2h pile=2d2c").observe(0)
    assert "Twinstrike" not in texts(PRESENTER.hand(crowded, LOOK)), "there is no room for them"


def test_the_card_that_was_looked_at_has_a_frame() -> None:
    plain = read(f"standard A3 4s|-|-/(9c)|-|- {REST}").observe(0)
    pointed = read(f"standard A3 4s|-|-/(9c)@AB|-|- {REST} point=1A").observe(0)
    frames = [
        [
            item.rect
            for item in items(PRESENTER.hand(seen, LOOK))
            if isinstance(item, Panel) and item.fill == "accent"
        ]
        for seen in (plain, pointed)
    ]
    assert frames[0] == []
    (frame,) = frames[1]
    (card,) = [
        item.rect
        for item in items(PRESENTER.hand(pointed, LOOK))
        if isinstance(item, Sprite) and item.args == (Face("9", "clubs", back=True),)
    ]
    assert frame == card.inset(-5)


def painted(face: Face) -> Image.Image:
    """A card of a middle size, as its painter leaves it."""
    image, _ = sprites.draw("duel52.unit", (face,), 112, 157, theme("default"))
    return image.convert("RGB")


@pytest.mark.parametrize(
    ("face", "mark", "where"),
    [
        # stripes at the right of the middle, where no snow crystal lies
        (Face("8", "spades"), "frozen", (60, 40, 110, 80)),
        (Face(back=True, letter="a"), "frozen", (60, 20, 100, 60)),
        (Face("8", "spades"), "spent", (40, 60, 60, 70)),
        (Face(back=True, letter="a"), "locked", (34, 68, 44, 96)),
        (Face("2", "clubs", back=True), "locked", (60, 10, 104, 60)),
        (Face("10", "clubs", back=True), "locked", (60, 10, 104, 60)),
    ],
)
def test_every_mark_of_a_card_can_be_seen(face: Face, mark: str, where: tuple[int, int, int, int]) -> None:
    plain, marked = painted(face), painted(replace(face, **{mark: True}))
    found = ImageChops.difference(plain.crop(where), marked.crop(where)).getbbox()
    assert found is not None
    assert (found[2] - found[0]) * (found[3] - found[1]) > 150, "large enough for a phone"
