"""The small groups of items that every game shows the same way."""

from bot.render.parts import person, person_width
from bot.render.scene import Rect, Text


def words(width: int, name: str) -> list[str]:
    return [item.string for item in person(Rect(0, 0, width, 48), 2, name) if isinstance(item, Text)]


def test_a_player_has_a_letter_and_a_name() -> None:
    assert words(400, "Mira") == ["C", "Mira"]
    assert words(person_width("Mira"), "Mira") == ["C", "Mira"]


def test_a_name_of_which_nothing_fits_leaves_the_letter() -> None:
    assert words(80, "Bartholomew") == ["C"]
    assert words(40, "Mira") == ["C"]


def test_a_short_name_stays_where_it_fits() -> None:
    assert words(person_width("Al"), "Al") == ["C", "Al"]
