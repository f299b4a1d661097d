"""What a presenter need not have: the defaults of `Presenter`."""

import pytest

from bot.presenters.base import Presenter
from bot.presenters.voice import drawn_name, undecorated
from bot.render.scene import Look
from engine import catalog
from engine.game import Outcome, Standing
from tests.support.games import probe_presenter as probe

LEAST = Presenter(
    key="probe",
    choices=probe.choices,
    line=probe.line,
    why=probe.why,
    status=probe.status,
    table=probe.table,
    hand=probe.hand,
    rules=probe.rules,
    cards=probe.cards,
    card=probe.card,
)
"""Nothing but what is needed."""


def test_the_end_tells_who_has_how_many_points() -> None:
    outcome = Outcome((Standing(2, 1.0), Standing(1, 2.5)))
    assert LEAST.ending(outcome, Look(names=("Ann", "Ben"))) == "🥇 **Ben** · 2.5\n🥈 **Ann** · 1"


def test_nothing_else_is_said_or_drawn() -> None:
    game = catalog.get("probe")
    state = game.deal(game.setup(2, bytes(32)))
    seen, look = state.observe(0), Look()
    assert LEAST.explain(seen, look) == ""
    assert LEAST.at_hand(seen) == ()
    assert LEAST.overview(look) is None
    assert not LEAST.draws_steps
    assert LEAST.hand_at(seen, ("lay",), look) is None
    assert not LEAST.needs_closeups(seen)
    assert LEAST.closeups(seen, look) == ()
    assert LEAST.keepsake(Outcome(()), seen, look) is None
    assert LEAST.looked_up("3", look, {}, seen) == LEAST.card("3", look)


def test_pictures_write_names_so_that_sentences_keep_their_order() -> None:
    look = Look(names=("🦊🦊", "ليلى", "Ada"))
    assert [drawn_name(look, seat) for seat in range(3)] == ["🦊🦊", "\u2068ليلى\u2069", "Ada"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("📣 **Ada** calls", "Ada calls"),
        ("**🦊** lays 3", "🦊 lays 3"),
        ("♠ wins", "wins"),
        ("**Ada**: 7", "Ada: 7"),
    ],
)
def test_lines_lose_their_emoji_in_pictures_and_names_do_not(line: str, told: str) -> None:
    assert undecorated(line) == told


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800"])
def test_pictures_call_the_seat_if_there_is_nothing_to_see_in_a_name(name: str) -> None:
    look = Look(names=(name, "Ada", ""))
    assert [drawn_name(look, seat) for seat in range(4)] == ["Seat A", "Ada", "", ""]
    assert drawn_name(Look(locale="zh-CN", names=(name,)), 0) == "座位 A"
