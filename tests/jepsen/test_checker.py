"""The checker itself: it believes an honest history, and each kind of lie is found by its rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.jepsen.history import Ending, Line, Press, Seated, Violation, check, shrink


def story() -> tuple[list[Press], Ending]:
    """Ann opens a table, Ben and Cleo sit down, Cleo leaves; an option, the deal, two acts."""
    ok: dict[str, Any] = {"out": "ok", "epoch": 1, "to": "one"}
    dealt = {**ok, "table": 5, "deal": "abc"}
    history = [
        Press(id=1, do="new", user=1, table=5, invoked=1, answered=2, **ok),
        Press(id=2, do="join", user=2, table=5, invoked=3, answered=4, revision=1, **ok),
        Press(id=3, do="join", user=3, table=5, invoked=5, answered=6, revision=2, **ok),
        Press(id=4, do="leave", user=3, table=5, invoked=7, answered=8, revision=3, **ok),
        Press(id=5, do="option", user=1, table=5, invoked=9, answered=10, revision=4, **ok),
        Press(id=6, do="join", user=4, table=5, to="one", invoked=11, answered=12, out="no", why="full"),
        Press(id=7, do="start", user=1, invoked=13, answered=14, revision=5, **dealt),
        Press(
            id=8, do="act", user=1, seat=0, decision=0, invoked=15, answered=16, revision=6, seq=1, **dealt
        ),
        Press(
            id=9, do="act", user=2, seat=1, decision=0, invoked=17, answered=18, revision=7, seq=2, **dealt
        ),
        Press(
            id=10, do="act", user=1, table=5, seat=0, decision=0, to="two", invoked=19, answered=20, out="no"
        ),
        Press(id=11, do="act", user=1, table=5, seat=0, decision=2, to="one", invoked=21, answered=22),
        Press(id=12, do="act", user=2, table=5, seat=1, decision=2, to="one", invoked=23),
    ]
    ending = Ending(
        id=5,
        channel=1,
        phase="live",
        why="",
        revision=7,
        mood=5,
        seats=[Seated(1, 1), Seated(2, 2)],
        journal=[Line(1, "act", 0, 8), Line(2, "act", 1, 9)],
        deal="abc",
        results=0,
    )
    return history, ending


def test_an_honest_history_is_believed() -> None:
    history, ending = story()
    assert check(history, [ending]) == []


@pytest.mark.parametrize("who", [[11], [12], [11, 12]])
def test_who_heard_nothing_or_that_nobody_knows_may_find_either(who: list[int]) -> None:
    history, ending = story()
    for seq, mark in enumerate(who, 3):
        ending.journal.append(Line(seq, "act", mark - 11, mark))
        ending.revision += 1
    assert check(history, [ending]) == []


Lie = Callable[[dict[int, Press], Ending], None]
LIES: dict[str, tuple[str, str, Lie]] = {}


def lie(kind: str, rule: str) -> Callable[[Lie], Lie]:
    def keep(tell: Lie) -> Lie:
        LIES[tell.__name__] = (kind, rule, tell)
        return tell

    return keep


@lie("lost", "an act")
def an_answered_act_is_gone(_presses: dict[int, Press], ending: Ending) -> None:
    ending.journal.pop()
    ending.revision -= 1


@lie("doubled", "an act stands twice in the journal")
def an_act_is_there_twice(_presses: dict[int, Press], ending: Ending) -> None:
    ending.journal.append(Line(3, "act", 1, 9))
    ending.revision += 1


@lie("doubled", "one decision was made twice")
def a_double_click_counts_twice(presses: dict[int, Press], ending: Ending) -> None:
    presses[10].out = "unknown"
    ending.journal.append(Line(3, "act", 0, 10))
    ending.revision += 1


@lie("contradicted", "an act that was refused is in the journal")
def a_refused_act_is_there(_presses: dict[int, Press], ending: Ending) -> None:
    ending.journal.append(Line(3, "act", 0, 10))
    ending.revision += 1


@lie("contradicted", "an act stands elsewhere in the journal")
def acts_are_swapped(_presses: dict[int, Press], ending: Ending) -> None:
    ending.journal = [Line(1, "act", 1, 9), Line(2, "act", 0, 8)]


@lie("contradicted", "nobody asked for entry 3")
def an_act_of_nobody(_presses: dict[int, Press], ending: Ending) -> None:
    ending.journal.append(Line(3, "timeout", 0, 0))


@lie("contradicted", "the journal has a gap")
def a_number_is_missing(_presses: dict[int, Press], ending: Ending) -> None:
    ending.journal[1] = Line(3, "act", 1, 9)


@lie("contradicted", "it does not replay (broken: BadJournal)")
def it_does_not_replay(_presses: dict[int, Press], ending: Ending) -> None:
    ending.deal = "broken: BadJournal"


@lie("contradicted", "another deal than was shown")
def the_cards_are_others(_presses: dict[int, Press], ending: Ending) -> None:
    ending.deal = "xyz"


@lie("doubled", "one table was dealt twice")
def two_deals(presses: dict[int, Press], _ending: Ending) -> None:
    presses[5].do = "start"


@lie("lost", "a deal")
def a_deal_is_taken_back(_presses: dict[int, Press], ending: Ending) -> None:
    ending.phase = "lobby"


@lie("contradicted", "it was dealt, and nobody could")
def a_refused_deal(presses: dict[int, Press], _ending: Ending) -> None:
    presses[7].out = "no"


@lie("contradicted", "accepted after the table was closed")
def an_act_after_the_close(presses: dict[int, Press], ending: Ending) -> None:
    closing = {"id": 13, "do": "cancel", "user": 1, "to": "two", "table": 5, "out": "ok", "epoch": 1}
    presses[13] = Press(**closing, invoked=16.1, answered=16.2, revision=7)  # type: ignore[arg-type]
    presses[9].revision = ending.revision = 8
    ending.phase, ending.why = "cancelled", "closed"


@lie("lost", "the closing of a table")
def a_close_that_did_not_hold(presses: dict[int, Press], _ending: Ending) -> None:
    presses[11].do, presses[11].out, presses[11].epoch, presses[11].revision = "cancel", "ok", 1, 8


@lie("contradicted", "it is closed, and nobody could close it")
def closed_by_nobody(_presses: dict[int, Press], ending: Ending) -> None:
    ending.phase, ending.why = "cancelled", "closed"


@lie("contradicted", "closed by its deadline, which is far away")
def closed_by_a_clock_that_jumped(_presses: dict[int, Press], ending: Ending) -> None:
    ending.phase, ending.why = "cancelled", "expired"


@lie("lost", "a seat")
def a_seat_vanished(_presses: dict[int, Press], ending: Ending) -> None:
    ending.seats.pop()


@lie("doubled", "a person sits twice")
def somebody_sits_twice(presses: dict[int, Press], ending: Ending) -> None:
    presses[6].user, presses[6].out = 2, "unknown"
    ending.seats.append(Seated(2, 6))


@lie("contradicted", "a seat that was refused")
def a_refused_seat(_presses: dict[int, Press], ending: Ending) -> None:
    ending.seats.append(Seated(4, 6))


@lie("contradicted", "nobody asked for the seat of 9")
def a_seat_of_nobody(_presses: dict[int, Press], ending: Ending) -> None:
    ending.seats.append(Seated(9, 99))


@lie("lost", "somebody who stood up still sits")
def who_left_still_sits(_presses: dict[int, Press], ending: Ending) -> None:
    ending.seats.append(Seated(3, 3))


@lie("lost", "an option")
def an_option_is_forgotten(_presses: dict[int, Press], ending: Ending) -> None:
    ending.mood = 0


@lie("contradicted", "an option that nobody could set")
def a_refused_option(presses: dict[int, Press], ending: Ending) -> None:
    presses[6].do, ending.mood = "option", 6


@lie("lost", "an option that was set last")
def an_older_option_came_back(presses: dict[int, Press], ending: Ending) -> None:
    presses[2].do, ending.mood = "option", 2
    ending.seats.pop()


@lie("lost", "a table that was opened")
def a_table_is_gone(_presses: dict[int, Press], ending: Ending) -> None:
    ending.id, ending.channel = 6, 77


@lie("contradicted", "refused, and the table is there")
def a_ghost_table(presses: dict[int, Press], _ending: Ending) -> None:
    presses[1].out = "no"


@lie("contradicted", "a table that nobody opened")
def a_table_of_nobody(_presses: dict[int, Press], ending: Ending) -> None:
    ending.channel = 77


@lie("doubled", "two changes are the same step of the table")
def a_lost_update(presses: dict[int, Press], ending: Ending) -> None:
    presses[9].revision, ending.revision = 6, 6


@lie("contradicted", "what was answered first came second")
def time_runs_backwards(presses: dict[int, Press], _ending: Ending) -> None:
    presses[2].revision, presses[3].revision = 2, 1


@lie("contradicted", "the lobby changed after the deal")
def somebody_joins_a_running_game(presses: dict[int, Press], _ending: Ending) -> None:
    presses[5].revision, presses[7].revision = 5, 4


@lie("contradicted", "an act before the deal")
def an_act_comes_before_its_deal(presses: dict[int, Press], _ending: Ending) -> None:
    presses[7].revision, presses[8].revision = 6, 5


@lie("contradicted", "the table changed 10 times, the answers say 7 to 9")
def a_change_that_nobody_asked_for(presses: dict[int, Press], ending: Ending) -> None:
    ending.revision = 10


@lie("lost", "the last change of a table")
def the_row_is_older(_presses: dict[int, Press], ending: Ending) -> None:
    ending.revision = 5


@lie("contradicted", "an earlier owner changed what a later one had changed")
def an_old_owner_writes(presses: dict[int, Press], _ending: Ending) -> None:
    presses[8].epoch = 2


@lie("contradicted", "stored by an owner after a later one")
def an_old_owner_writes_elsewhere(presses: dict[int, Press], _ending: Ending) -> None:
    presses[8].epoch = 2


@lie("lost", "0 results of 2 seats")
def results_are_missing(_presses: dict[int, Press], ending: Ending) -> None:
    ending.phase, ending.results = "over", 0


@lie("doubled", "4 results of 2 seats")
def results_count_twice(_presses: dict[int, Press], ending: Ending) -> None:
    ending.phase, ending.results = "over", 4


@lie("contradicted", "results of a game that is not over")
def results_too_early(_presses: dict[int, Press], ending: Ending) -> None:
    ending.results = 2


@pytest.mark.parametrize("name", LIES)
def test_a_lie_is_found_by_its_rule(name: str) -> None:
    kind, rule, tell = LIES[name]
    history, ending = story()
    presses = {press.id: press for press in history}
    tell(presses, ending)
    found = check(list(presses.values()), [ending])
    rules = {(violation.kind, violation.rule) for violation in found}
    assert (kind, rule) in rules, found


def test_a_whole_table_that_is_gone() -> None:
    history, _ = story()
    assert {v.rule for v in check(history, [])} == {"a table that was opened", "the whole table"}


def test_a_history_shrinks_to_those_that_show_what_is_wrong() -> None:
    history, ending = story()
    history[9].out = "unknown"
    ending.journal.append(Line(3, "act", 0, 10))
    ending.revision += 1
    (wrong,) = [v for v in check(history, [ending]) if v.kind == "doubled"]
    assert wrong == Violation("doubled", "one decision was made twice", 5, (8, 10))
    assert [press.id for press in shrink(history, [ending], wrong)] == [8, 10]
