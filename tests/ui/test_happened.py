"""Shortening the log of a crowded hand."""

from __future__ import annotations

from bot.features.table.hand.recent_log import MOST_ROWS, fitting
from bot.locales import words
from bot.presenters.lines import LogLine

SAY = words("en")
OWN, ANN, BEN = 0, 1, 2


def kept(rows: int, *lines: LogLine) -> list[str]:
    return fitting(lines, OWN, SAY, rows)


DRAWS = LogLine("You draw C ×2.", OWN)
TILE = LogLine("Ann plays carbon (2 single, 1 double) for 1 point.", ANN)
GROUP = LogLine("Ann shows Ether for 3 points. It has one example.", ANN)


def test_lines_that_fit_all_stay() -> None:
    assert kept(5, TILE, GROUP, DRAWS) == [TILE.text, GROUP.text, DRAWS.text]


def test_own_draws_go_first() -> None:
    assert kept(4, TILE, GROUP, DRAWS) == [TILE.text, GROUP.text]


def test_details_go_next_and_moves_of_others_stay_whatever_the_room() -> None:
    assert kept(2, TILE, GROUP, DRAWS) == [TILE.text, "Ann shows Ether for 3 points."]


def test_older_lines_are_counted() -> None:
    older = [LogLine(f"Ben passes {n} times in a row, as he likes to.", BEN) for n in range(4)]
    assert kept(3, *older, TILE, older[0]) == [
        SAY("hand.more_happened", n=4),
        TILE.text,
        older[0].text,
    ]


def test_the_last_moves_of_every_player_stay() -> None:
    round_over = LogLine("Round 2.", -1)
    assert kept(2, round_over, TILE, GROUP, LogLine("Ben passes.", BEN)) == [
        SAY("hand.more_happened", n=1),
        TILE.text,
        "Ann shows Ether for 3 points.",
        "Ben passes.",
    ]


def test_a_turn_of_very_many_moves_is_cut_to_its_newest() -> None:
    many = [LogLine(f"Ann attacks with the {n} in lane 1, and kills what lies there.", ANN) for n in range(9)]
    told = kept(2, *many)
    assert told[-1] == many[-1].text
    assert told[0] == SAY("hand.more_happened", n=len(many) - len(told) + 1)
    assert 1 < len(told) <= MOST_ROWS


def test_on_the_way_to_a_decision_the_last_move_of_another_stays() -> None:
    assert kept(1, TILE, GROUP, DRAWS) == [GROUP.text]


def test_chinese_details_go_too() -> None:
    line = LogLine(
        "小明公布了醚，得到三分，现在领先。分子里有一个这样的例子，另外还有很多别的话要说，说完为止为止为止为止。",
        ANN,
    )
    assert kept(1 + 1, line, LogLine("本" * 40 + "。", BEN))[0] == "小明公布了醚，得到三分，现在领先。"
