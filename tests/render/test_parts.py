"""The small groups of items that every game shows the same way."""

from collections.abc import Iterable

from bot.render.check import audit
from bot.render.parts import MARGIN, band, hand_head, header, person, person_width, seat_panel
from bot.render.scene import BASE_WIDTH, Item, Rect, Scene, Size, Text


def texts(items: Iterable[Item]) -> dict[str, Rect]:
    return {item.string: item.rect for item in items if isinstance(item, Text)}


def words(width: int, name: str) -> list[str]:
    return [item.string for item in person(Rect(0, 0, width, 48), 2, name) if isinstance(item, Text)]


def test_a_player_has_a_letter_and_a_name() -> None:
    assert words(400, "Mira") == ["C", "Mira"]
    assert words(person_width("Mira"), "Mira") == ["C", "Mira"]


def test_the_letter_of_a_seat_is_clear_inside_a_container_on_a_phone() -> None:
    letters = [item for item in person(Rect(0, 0, 400, 48), 7, "") if isinstance(item, Text)]
    assert [(item.string, item.size) for item in letters] == [("H", Size.CLEAR)]


def test_a_name_of_which_nothing_fits_leaves_the_letter() -> None:
    assert words(80, "Bartholomew") == ["C"]
    assert words(40, "Mira") == ["C"]


def test_a_short_name_stays_where_it_fits() -> None:
    assert words(person_width("Al"), "Al") == ["C", "Al"]


def test_a_head_has_room_for_both_sides() -> None:
    items = header(band(16, 56), "Round 1/4", "Deck 78", 480)
    assert audit(Scene(BASE_WIDTH, 88, tuple(items), "alt")) == []
    told = texts(items)
    assert told["Round 1/4"].x == MARGIN
    assert told["Deck 78"].right == BASE_WIDTH - MARGIN
    assert told["Deck 78"].w == 480
    assert list(texts(header(band(16, 56), "Round 1/4", "", 0))) == ["Round 1/4"]


def test_whose_turn_it_is_lies_on_another_ground() -> None:
    area = Rect(24, 24, 300, 100)
    assert seat_panel(area, lit=True).outline == "accent"
    assert seat_panel(area, lit=False).outline is None
    assert seat_panel(area, lit=True).fill != seat_panel(area, lit=False).fill


def test_what_is_asked_comes_before_a_long_name() -> None:
    items = hand_head(1, "Bartholomew the Magnificent of Nowhere" * 2, "Choose a card")
    assert audit(Scene(BASE_WIDTH, 96, tuple(items), "alt")) == []
    told = texts(items)
    name = next(rect for string, rect in told.items() if string.startswith("Barth"))
    assert name.right < told["Choose a card"].x
    assert told["Choose a card"].right == BASE_WIDTH - MARGIN
    assert texts(hand_head(None, "", "")) == {}


def test_what_is_asked_leaves_a_long_question_some_room_for_the_name() -> None:
    items = hand_head(1, "Bartholomew", "Choose a card that nobody at the table has ever seen " * 2)
    assert audit(Scene(BASE_WIDTH, 96, tuple(items), "alt")) == []
    told = texts(items)
    assert "Bartholomew" in told
    assert max(rect.right for rect in told.values()) == BASE_WIDTH - MARGIN
