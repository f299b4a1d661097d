"""The pictures of Atom Duel, and the shared boards: audited over many tables, hands and names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.presenters.atom_duel import queries
from bot.presenters.atom_duel.hand import hand
from bot.presenters.atom_duel.lookups import card_scene
from bot.presenters.atom_duel.painters import face
from bot.presenters.atom_duel.periodic import SECTIONS, periodic_scene, place, section_scene
from bot.presenters.atom_duel.scenes import table
from bot.presenters.atom_duel.sheets import cards_with, level_sheet, powers_of
from bot.presenters.atom_duel.signs import POWER_SIGNS, power_colour
from bot.presenters.atom_duel.words import Voice, powers_at
from bot.presenters.elements.page import signed
from bot.presenters.elements.signs import CATEGORY_SIGNS
from bot.render.check import audit, faults
from bot.render.encode import encode
from bot.render.ink import indices
from bot.render.pages.card_page import Fact
from bot.render.scene import Look
from bot.render.sprites import draw
from bot.render.theme import CATEGORIES, theme
from engine.atom_duel import GAME
from engine.atom_duel.cards import BY_Z, DECK, LEVELS
from engine.atom_duel.knowledge import EVERYBODY
from engine.atom_duel.knowledge import place as place_of
from engine.atom_duel.observation import EMPTY, HIDDEN, Group, HandView, Observation, PendingView, PlayView
from tests.support.games.pictures import in_corner
from tools.contact_sheet.galleries import gallery

NAMES = (
    "Mira",
    "Bartholomew the Magnificent of Nowhere",
    "小明",
    "🦊 fox",
    "שלום",
    "**_bold_**",
    "W" * 32,
    "i",
    "",
)
cards_z = st.integers(1, 118)


def rules(z: int) -> tuple[Fact, ...]:
    texts = {one.key: one.text for one in (*DECK.powers, *DECK.uniques)}

    def rule(key: str, *, active: bool) -> Fact:
        mark, title = signed(key, power_colour(key), Look(), active=active), key.replace("_", "-").title()
        return Fact(mark, power_colour(key), title, texts[key], active=active)

    return tuple(rule(key, active=key in BY_Z[z].powers) for key in powers_at(z, LEVELS))


def shown_to_all(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[str, int, tuple[int, ...]], ...]:
    """The public log of a table at which these cards were shown to everybody."""
    places = [
        place_of(seat, slot) for seat, row in enumerate(rows) for slot, card in enumerate(row) if card > 0
    ]
    return (("see", EVERYBODY, (sum(places),)),) if places else ()


def dealt(seats: int, **options: int) -> Observation:
    """What everybody sees of a game that has just been dealt."""
    return GAME.deal(GAME.setup(seats, bytes(32), **options)).observe(None)


@st.composite
def hands_played(draw_: st.DrawFn, seats: int, played: int) -> HandView:
    """A hand with so many cards, whatever they have become."""
    cards = draw_(st.lists(cards_z, min_size=played, max_size=played, unique=True))
    plays = tuple(
        PlayView(
            seat=seat,
            card=card,
            power=draw_(st.sampled_from(["", *powers_at(card, LEVELS)])),
            number2=2 * card,
            value2=draw_(st.sampled_from([2 * card, 0, 225, -154, 708, 2124])),
            head=draw_(st.sampled_from([card, card, *cards])),
            beaten=draw_(st.booleans()),
            plus_five=False,
            dead=False,
        )
        for seat, card in enumerate(cards)
    )
    winner = draw_(st.integers(0, seats - 1))
    card = cards[min(winner, played - 1)]
    return HandView(1, 1, 0, winner, card, draw_(st.sampled_from([2125, 2 * card])), plays, ())


@st.composite
def tables(draw_: st.DrawFn) -> tuple[Observation, Look]:
    """A table with long names and large values that no game needs to have had."""
    count = draw_(st.integers(2, 5))
    names = tuple(draw_(st.lists(st.sampled_from(NAMES), min_size=count, max_size=count)))
    most = draw_(st.integers(0, 7))  # each hand that is past has taken a card from somebody
    held = [draw_(st.integers(0, most)) for _ in range(count)]
    rows = tuple(
        tuple(draw_(st.one_of(st.just(HIDDEN), cards_z)) if slot < many else EMPTY for slot in range(7))
        for many in held
    )
    played = draw_(st.integers(0, count))
    middle = draw_(hands_played(count, played)) if played else None
    over = draw_(st.booleans())
    finished = over or draw_(st.booleans())
    earlier = tuple(
        replace(draw_(hands_played(count, count)), hand=hand, winner=hand % count)
        for hand in range(1, draw_(st.integers(1, max(1, 7 - most))))
    )
    seen = replace(
        dealt(count, level=draw_(st.integers(1, 7))),
        round=draw_(st.integers(1, 8)),
        rounds=8,
        hand=draw_(st.integers(1, 99)),
        leader=draw_(st.integers(0, count - 1)),
        to_act=() if over else (draw_(st.integers(0, count - 1)),),
        over=over,
        deck=draw_(st.integers(0, 118)),
        rows=rows,
        counts=tuple(held),
        looks=shown_to_all(rows),
        plays=middle.plays if middle and not finished else (),
        winning=draw_(st.integers(-1, count - 1)),
        last_hand=middle if finished else None,
        points=tuple(draw_(st.integers(0, 40)) for _ in range(count)),
        round_points=((0,) * count,),
        zinc=tuple(seat for seat in range(count) if draw_(st.booleans())),
        face_down=draw_(st.booleans()),
        face_up=draw_(st.booleans()),
        pass_left=draw_(st.booleans()),
        simultaneous=bool(earlier),
        earlier=earlier,
    )
    return seen, Look(names=names)


@settings(max_examples=40, deadline=None)
@given(tables())
def test_tables_are_sound(made: tuple[Observation, Look]) -> None:
    seen, look = made
    scene = table(seen, look)
    assert audit(scene) == []
    assert scene.width == 1280
    assert 400 <= scene.height <= 1440
    for play in queries.plays(seen):
        assert Voice(look).element(play.card) in scene.alt or len(scene.alt) == 1024


@st.composite
def hands(draw_: st.DrawFn) -> tuple[Observation, Look]:
    """A row of up to seven cards, some of them seen by all, some sealed with a power."""
    row = tuple(draw_(st.lists(st.one_of(st.just(HIDDEN), cards_z), max_size=7, unique_by=id)))
    cards = [card for card in dict.fromkeys(row) if card > 0]
    rows = ((EMPTY,), (EMPTY,), row)
    sealed = tuple((card, draw_(st.sampled_from(["", "laser", "carbide"]))) for card in cards)
    sealing = draw_(st.booleans())
    seen = replace(
        dealt(3, level=draw_(st.integers(1, 7))),
        viewer=2,
        to_act=draw_(st.sampled_from([(2,), (0,)])),
        pending=draw_(st.sampled_from([None, PendingView("give", 2, 80, 0, (1,))])),
        rows=rows,
        counts=(0, 0, len(row)),
        looks=shown_to_all(rows) if draw_(st.booleans()) else (),
        sealing=sealing,
        sealed=sealed[: draw_(st.integers(0, len(sealed)))] if sealing else (),
        announced=sealed if draw_(st.booleans()) else (),
        groups=(Group((26, 27, 28, 29, 30), ((2, 0),)),),
        simultaneous=sealing,
        face_down=draw_(st.booleans()),
        face_up=draw_(st.booleans()),
        zinc=draw_(st.sampled_from([(), (2,)])),
    )
    return seen, Look(names=("Ann", "Ben", draw_(st.sampled_from(NAMES))))


@settings(max_examples=40, deadline=None)
@given(hands())
def test_hands_are_sound(made: tuple[Observation, Look]) -> None:
    assert audit(hand(*made)) == []


@pytest.mark.parametrize("z", [1, 2, 26, 60, 79, 87, 94, 104, 118])
def test_large_cards_are_sound(z: int) -> None:
    scene = card_scene(z, rules(z), Voice(Look()))
    assert audit(scene) == []
    assert all(rule.text in scene.alt for rule in rules(z))


def test_every_card_in_every_size_is_drawn_without_a_cut() -> None:
    for z in range(1, 119):
        front = face(z)
        for width, height, names in ((166, 232, ()), (240, 420, ("Radioact.",) * len(front.icons))):
            image, _ = draw("atom_duel.card", (front, names), width, height, theme())
            assert image.size == (width, height)


def test_cards_show_the_powers_of_their_level() -> None:
    iron = face(26, 5)
    assert iron.icons == ("alloy",)
    assert face(26, 6).icons == ("alloy", "magnet")
    assert face(92, 3).ring is None
    assert face(92, 4).ring == "red"
    assert face(43, 7).ring == "pink"
    assert (face(1, 6).icons, face(1, 7).icons) == ((), ("pass_left",))


def test_signs_differ_in_silhouette() -> None:
    """Shape alone tells powers and kinds apart: as black and white masks they differ in many pixels."""
    for signs in (POWER_SIGNS, CATEGORY_SIGNS):
        shapes = {}
        for key in signs:
            image, _ = draw("elements.sign", (key, "text", "felt"), 40, 40, theme())
            flat = image.getchannel("G").point(lambda level: 255 if level > 140 else 0)
            shapes[key] = flat.tobytes()
        for one, first in shapes.items():
            for other, second in shapes.items():
                if one < other:
                    differ = sum(a != b for a, b in zip(first, second, strict=True))
                    assert differ > 60, (one, other)


def test_every_power_and_kind_has_a_sign() -> None:
    powers = {power.key for power in (*DECK.powers, *DECK.uniques)}
    assert powers | {"unique"} == set(POWER_SIGNS)
    assert {power_colour(power) for power in powers} <= set(indices(theme()).names)
    assert set(CATEGORIES) == set(CATEGORY_SIGNS) <= set(indices(theme()).names)


def test_elements_have_places_of_their_own() -> None:
    places = {z: place(z) for z in range(1, 119)}
    assert len(set(places.values())) == 118
    known = {
        1: (0, 0),
        2: (17, 0),
        5: (12, 1),
        26: (7, 3),
        57: (4, 7),
        71: (2, 5),
        72: (3, 5),
        86: (17, 5),
        102: (17, 8),
    }
    assert {z: places[z] for z in known} == known


@pytest.mark.parametrize("marked", [frozenset(), frozenset({26}), frozenset(range(84, 119))])
@pytest.mark.parametrize("title", ["", "Radioactive: 37 cards"])
def test_periodic_table_is_sound(marked: frozenset[int], title: str) -> None:
    text = "Radioactive: strong, until a Radiation Stopper turns up. " * 4
    scene = periodic_scene(Look(), marked=marked, icon="radioactive", title=title, text=text)
    assert faults(scene) == []
    assert in_corner(scene) == []


@pytest.mark.parametrize("at", range(len(SECTIONS)))
def test_stretches_of_the_periodic_table_are_sound(at: int) -> None:
    scene = section_scene(*SECTIONS[at], Look())
    assert faults(scene) == []
    assert in_corner(scene) == []


@pytest.mark.parametrize("level", range(2, LEVELS + 1))
def test_the_sheet_of_a_level_names_all_that_it_brings(level: int) -> None:
    scene = level_sheet(level, Look())
    assert audit(scene) == []
    powers = powers_of(level)
    assert all(Voice(Look()).power(power) in scene.alt for power in powers)
    at_level = {z for z in BY_Z for power in powers_at(z, level) if power in powers}
    assert {z for power in powers for z in cards_with(power)} == at_level or level == LEVELS


def test_stretches_hold_every_element_once_in_order() -> None:
    assert [z for first, last in SECTIONS for z in range(first, last + 1)] == list(range(1, 119))


def test_a_full_table_is_a_small_file() -> None:
    rows = tuple(tuple(range(1 + 7 * seat, 8 + 7 * seat)) for seat in range(5))
    plays = tuple(
        PlayView(seat, 94 + seat, "radioactive", 188 + 2 * seat, 235, 94 + seat, False, False, False)
        for seat in range(5)
    )
    seen = replace(
        dealt(5, level=7),
        rows=rows,
        counts=(7,) * 5,
        looks=shown_to_all(rows),
        plays=plays,
        points=(12,) * 5,
        face_down=True,
    )
    for palette in ("default", "contrast"):
        assert len(encode(table(seen, Look(palette=palette, names=NAMES[:5])))) <= 100 * 1024


@pytest.mark.long
@pytest.mark.parametrize("palette", ["default", "contrast"])
def test_the_gallery_is_small_files(palette: str) -> None:
    pictures = gallery("atom_duel")
    assert len({title for title, _ in pictures}) == len(pictures)
    for title, scene in pictures:
        assert len(encode(replace(scene, look=Look(palette=palette)))) <= 128 * 1024, title
