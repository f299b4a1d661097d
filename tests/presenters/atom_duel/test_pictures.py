"""The pictures of Atom Duel, and the shared boards: audited over many tables, hands and names."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.presenters.atom_duel.gallery import samples
from bot.presenters.atom_duel.painters import face
from bot.presenters.atom_duel.periodic import periodic_scene, place
from bot.presenters.atom_duel.pictures import card_scene, hand_scene, table_scene
from bot.presenters.atom_duel.scenes import picture_words
from bot.presenters.atom_duel.signs import POWER_SIGNS
from bot.presenters.atom_duel.views import CardView, EarlierView, HandView, PlayView, SeatView, TableView
from bot.presenters.elements.painters import Rule
from bot.presenters.elements.signs import CATEGORY_SIGNS
from bot.render.boards import Board, BoardRow, Lobby, board_scene, lobby_scene
from bot.render.check import audit
from bot.render.encode import encode
from bot.render.ink import indices
from bot.render.scene import Look
from bot.render.sprites import draw
from bot.render.theme import CATEGORIES, theme
from engine.atom_duel.cards import BY_Z, DECK

ENGLISH = picture_words(Look())

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
EFFECTS = ["germanium_next", "lanthanum", "hydrogen"]
SLOTS = "ABCDEFG"
cards_z = st.integers(1, 118)


def rules(z: int) -> tuple[Rule, ...]:
    card = BY_Z[z]
    texts = {power.key: power.text for power in DECK.powers}
    uniques = {unique.key: unique.text for unique in DECK.uniques}
    found = [Rule(key, key.replace("_", "-").title(), texts[key]) for key in card.powers]
    if card.unique:
        found.append(Rule("unique", "Unique", uniques[card.unique], active=False))
    return tuple(found)


@st.composite
def tables(draw_: st.DrawFn) -> TableView:
    count = draw_(st.integers(2, 5))
    names = draw_(st.lists(st.sampled_from(NAMES), min_size=count, max_size=count))
    most = draw_(st.integers(0, 7))  # each hand that is past has taken a card from somebody
    won = draw_(st.booleans())
    seats = tuple(
        SeatView(
            seat,
            names[seat],
            draw_(st.integers(0, 40)),
            tuple(
                CardView(SLOTS[slot], draw_(st.one_of(st.just(0), cards_z)))
                for slot in range(draw_(st.integers(0, most)))
            ),
            turn=draw_(st.booleans()),
            leads=draw_(st.booleans()),
            flags=("zinc",) if draw_(st.booleans()) else (),
            won=won and draw_(st.booleans()),
        )
        for seat in range(count)
    )
    played = draw_(st.integers(0, count))
    winner = draw_(st.integers(0, 4))
    plays = []
    for index in range(played):
        z = draw_(cards_z)
        value = draw_(st.sampled_from([str(z), "0", "112½", "−77", "354", "1062"]))
        joined = draw_(st.sampled_from([None, None, *(other for other in range(played) if other != index)]))
        powers = ["", *face(z).icons]
        plays.append(
            PlayView(
                index,
                names[index],
                z,
                str(z),
                value,
                power=draw_(st.sampled_from(powers)),
                joined=joined,
                beaten=draw_(st.booleans()),
                winning=index == winner,
            )
        )
    return TableView(
        draw_(st.integers(1, 7)),
        draw_(st.integers(1, 8)),
        8,
        draw_(st.integers(0, 99)),
        draw_(st.integers(0, 118)),
        seats,
        tuple(plays),
        effects=tuple(draw_(st.sets(st.sampled_from(EFFECTS), max_size=3))),
        last=draw_(
            st.sampled_from(["", "Mira won hand 3 with Iron, which became 108 by its Magnet in the end"])
        ),
        finished=draw_(st.booleans()),
        earlier=tuple(
            EarlierView(
                hand, hand % count, names[hand % count], draw_(cards_z), "1062½", draw_(st.booleans())
            )
            for hand in range(1, draw_(st.integers(1, max(1, 7 - most))))
        ),
    )


@settings(max_examples=40, deadline=None)
@given(tables())
def test_tables_are_sound(view: TableView) -> None:
    scene = table_scene(view, Look(), ENGLISH)
    assert audit(scene) == []
    assert (scene.width, scene.height) == (1280, 900)
    for play in view.plays:
        assert ENGLISH(f"element.{play.z}") in scene.alt or len(scene.alt) == 1024


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.builds(
            CardView,
            st.sampled_from(SLOTS),
            st.one_of(st.just(0), cards_z),
            playable=st.booleans(),
            known=st.booleans(),
            place=st.integers(0, 7),
            power=st.sampled_from(["", "laser", "carbide"]),
        ),
        max_size=7,
    ),
    st.sampled_from(NAMES),
    st.integers(1, 7),
    st.sampled_from(["", "Your turn", "Order your row, left to right, and seal it when you are done"]),
    st.sampled_from([(), ("germanium",), ("lanthanum", "germanium_next")]),
    st.sampled_from([(), ("zinc",)]),
)
def test_hands_are_sound(  # noqa: PLR0917 - drawn one by one
    cards: list[CardView], name: str, level: int, note: str, effects: tuple[str, ...], flags: tuple[str, ...]
) -> None:
    view = HandView(2, name, level, tuple(cards), note, effects, flags)
    assert audit(hand_scene(view, Look(), ENGLISH)) == []


@pytest.mark.parametrize("z", [1, 2, 26, 60, 79, 87, 94, 104, 118])
def test_large_cards_are_sound(z: int) -> None:
    scene = card_scene(z, rules(z), Look(), ENGLISH)
    assert audit(scene) == []
    assert all(rule.text in scene.alt for rule in rules(z))


def test_every_card_in_every_size_is_drawn_without_a_cut() -> None:
    for z in range(1, 119):
        for width, height in ((166, 232), (212, 298)):
            image, _ = draw("atom_duel.card", (face(z),), width, height, theme())
            assert image.size == (width, height)


def test_cards_show_the_powers_of_their_level() -> None:
    iron = face(26, 5)
    assert (iron.icons, iron.faint) == (("alloy",), ("magnet",))
    assert face(92, 3).ring is None
    assert face(92, 4).ring == "red"
    assert face(43, 7).ring == "pink"
    assert face(1, 1).faint == ("unique",)


def test_signs_differ_in_silhouette() -> None:
    """Shape alone tells powers and kinds apart: as black and white masks they differ in many pixels."""
    for signs in (POWER_SIGNS, CATEGORY_SIGNS):
        shapes = {}
        for key in signs:
            image, _ = draw("atom_duel.sign", (key, "text", "felt"), 40, 40, theme())
            flat = image.getchannel("G").point(lambda level: 255 if level > 140 else 0)
            shapes[key] = flat.tobytes()
        for one, first in shapes.items():
            for other, second in shapes.items():
                if one < other:
                    differ = sum(a != b for a, b in zip(first, second, strict=True))
                    assert differ > 60, (one, other)


def test_every_power_and_kind_has_a_sign() -> None:
    assert {power.key for power in DECK.powers} | {"unique"} == set(POWER_SIGNS)
    assert set(CATEGORIES) == set(CATEGORY_SIGNS) <= set(indices(theme()).names)


def test_elements_have_places_of_their_own() -> None:
    places = {z: place(z) for z in range(1, 119)}
    assert len(set(places.values())) == 118
    known = {1: (0, 0), 2: (17, 0), 5: (12, 1), 26: (7, 3), 57: (2, 7), 72: (3, 5), 86: (17, 5), 103: (16, 8)}
    assert {z: places[z] for z in known} == known


@pytest.mark.parametrize("marked", [frozenset(), frozenset({26}), frozenset(range(84, 119))])
@pytest.mark.parametrize("title", ["", "Radioactive: 37 cards"])
def test_periodic_table_is_sound(marked: frozenset[int], title: str) -> None:
    text = "Radioactive: strong, until a Radiation Stopper turns up. " * 4
    scene = periodic_scene(Look(), ENGLISH, marked=marked, icon="radioactive", title=title, text=text)
    assert audit(scene) == []


rows = st.lists(
    st.builds(
        BoardRow,
        st.sampled_from(["", "1", "2=", "118"]),
        st.sampled_from(NAMES),
        st.tuples(st.sampled_from(["0", "12,345"]), st.sampled_from(["1,890.5", "−3"])),
        own=st.booleans(),
        seat=st.one_of(st.none(), st.integers(0, 5)),
        plain=st.just("Player 7"),
    ),
    max_size=10,
)


@settings(max_examples=25, deadline=None)
@given(rows)
def test_boards_are_sound(lines: list[BoardRow]) -> None:
    board = Board(
        "Leaderboard", "Atom Duel", ("Games", "Rating"), tuple(lines), "Nobody has played yet.", "Page 1"
    )
    assert audit(board_scene(board, Look())) == []


def test_boards_want_a_figure_for_each_column() -> None:
    with pytest.raises(ValueError, match="figures"):
        board_scene(Board("", "", ("A", "B"), (BoardRow("1", "Mira", ("1",)),)), Look())


@pytest.mark.parametrize("players", [(), ("Mira", "🦊", "小明"), ("a", "b", "c", "d", "e")])
def test_lobbies_are_sound(players: tuple[str, ...]) -> None:
    lobby = Lobby("Atom Duel", players, 5, (("Level", "7"), ("Rounds", "4")), "free", "Press Join")
    assert audit(lobby_scene(lobby, Look())) == []


def test_a_full_table_is_a_small_file() -> None:
    seats = tuple(
        SeatView(seat, NAMES[seat], 12, tuple(CardView(SLOTS[slot], 90 + slot) for slot in range(7)))
        for seat in range(5)
    )
    plays = tuple(
        PlayView(seat, NAMES[seat], 94 + seat, str(94 + seat), "117½", "radioactive") for seat in range(5)
    )
    view = TableView(7, 4, 4, 5, 18, seats, plays, effects=("germanium",))
    for palette in ("default", "contrast"):
        assert len(encode(table_scene(view, Look(palette=palette), ENGLISH))) <= 100 * 1024


@pytest.mark.parametrize("palette", ["default", "contrast"])
def test_gallery_is_sound(palette: str) -> None:
    pictures = samples(Look(palette=palette), ENGLISH)
    assert len({title for title, _ in pictures}) == len(pictures)
    for title, scene in pictures:
        assert audit(scene) == [], title
        assert len(encode(scene)) <= 100 * 1024, title
