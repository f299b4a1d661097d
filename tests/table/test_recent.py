"""What a hand tells of the others: everything since its holder's last move."""

from __future__ import annotations

from bot.table.recent import LATE, Recent, with_late_event
from engine.game import Event


def told(recent: Recent, seat: int) -> list[str]:
    return [event.kind for event in recent.since(seat)]


def test_everything_since_ones_own_move() -> None:
    recent = Recent(60)
    recent.add([Event("dealt", -1, {})], None)
    recent.add([Event("ann plays", 0, {})], 0)
    recent.add([Event("ben plays", 1, {}), Event("ben wins", 1, {})], 1)
    assert told(recent, 0) == ["ann plays", "ben plays", "ben wins"]
    assert told(recent, 1) == ["dealt", "ann plays", "ben plays", "ben wins"], "it is still his turn"
    assert told(recent, 2) == ["dealt", "ann plays", "ben plays", "ben wins"]


def test_what_was_decided_for_somebody_is_told_to_them() -> None:
    recent = Recent(60)
    recent.add([Event("ann plays", 0, {})], 0)
    recent.add([Event("ann is late", 0, {})], None)
    assert told(recent, 0) == ["ann plays", "ann is late"]


def test_before_what_was_decided_for_somebody_it_says_so() -> None:
    moved = [Event("ben plays", 1, {})]
    assert with_late_event(moved, 1, moved=True) == moved
    assert with_late_event(moved, 1, moved=False) == [Event(LATE, 1), *moved]
    assert with_late_event([Event("dealt")], None, moved=False) == [Event("dealt")]


def test_a_move_that_shows_nothing_still_counts() -> None:
    recent = Recent(60)
    recent.add([Event("ben plays", 1, {})], 1)
    recent.add([], 0)
    recent.add([Event("ben again", 1, {})], 1)
    assert told(recent, 0) == ["ben again"]


def test_what_is_forgotten_is_not_told() -> None:
    recent = Recent(2)
    for n in range(5):
        recent.add([Event(str(n), 1, {})], 1)
    assert (told(recent, 0), len(recent)) == (["3", "4"], 2)


def test_what_the_others_did_stays_in_view_through_a_turn_of_several_moves() -> None:
    recent = Recent(60)
    recent.add([Event("ann lays", 0, {})], 0)
    recent.add([Event("ann attacks", 0, {})], 0)
    recent.add([Event("ben lays", 1, {})], 1)
    assert told(recent, 0) == ["ann attacks", "ben lays"]
    recent.add([Event("ann lays again", 0, {})], 0)
    assert told(recent, 0) == ["ann attacks", "ben lays", "ann lays again"]
    recent.add([Event("ann flips", 0, {})], 0)
    assert told(recent, 0) == ["ann attacks", "ben lays", "ann lays again", "ann flips"]
    recent.add([Event("ben attacks", 1, {})], 1)
    assert told(recent, 0) == ["ann flips", "ben attacks"]
    assert told(recent, 1) == ["ben lays", "ann lays again", "ann flips", "ben attacks"]
