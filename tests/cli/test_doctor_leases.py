"""What `valence doctor` says of who plays."""

from __future__ import annotations

import pytest

from bot.ops import doctor
from bot.store.leases import Lease


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([], [("well", "No process plays")]),
        ([(0, "", 0)], [("well", "No process plays")]),
        ([(0, "mill:7:ab", 9)], [("well", "mill:7:ab plays.")]),
        ([(0, "mill:7:ab", -90)], [("care", "mill:7:ab has the lease, which it let run out 90 seconds ago")]),
        (
            [(0, "shards/4", 0), (1, "mill:7:ab", 9), (2, "mill:7:ab", 9), (3, "", 0)],
            [
                ("well", "mill:7:ab plays the shards 0, 1 of 4."),
                ("wrong", "Nobody plays the shards 2, 3 of 4,"),
            ],
        ),
        # all were told to stop
        ([(0, "shards/2", 0), (1, "", 0), (2, "", 0)], [("well", "No process plays")]),
    ],
)
def test_who_plays_and_which_servers_are_without_a_bot(
    rows: list[tuple[int, str, int]], told: list[tuple[str, str]]
) -> None:
    at = 1_000_000
    found = list(doctor._owners([Lease(part, who, 1, s and at + 1000 * s, 0) for part, who, s in rows], at))
    assert [one.health for one in found] == [health for health, _ in told]
    assert all(one.words.startswith(words) for one, (_, words) in zip(found, told, strict=True))
