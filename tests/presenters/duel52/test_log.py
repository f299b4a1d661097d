"""What Duel 52 tells: the log, the answers to Why?, refusals, and how far everybody is."""

from __future__ import annotations

import pytest

from engine.duel52.notation import read
from engine.game import IllegalAction
from tests.engine.duel52.positions import REST, act, play
from tests.presenters.duel52.said import ENGLISH, LOOK, PRESENTER, lines
from tests.support.discord.keys import all_keys, facts, key, keys, plain


def why(text: str, one: str) -> str:
    state = read(text)
    with pytest.raises(IllegalAction) as caught:
        state.apply(state.turn, act(state, one))
    return PRESENTER.why(caught.value, LOOK)


def test_the_log_names_backs_only_to_those_who_know_them() -> None:
    state = play(f"standard A3 5s|-|-/(Kc)1|-|- {REST}", "attack 5s Kc", "play 2s 2")
    hit, killed, laid = lines(state, None)[:3]
    assert [key(line) for line in (hit, killed, laid)] == ["line.attack", "line.killed", "line.play"]
    assert "duel52.a_back" in all_keys(hit)
    assert "duel52.a_back" in all_keys(killed)
    assert facts(lines(state, 1)[1]).items() >= {"card": "**K♣**", "owners": "**Ben**"}.items()
    mine = lines(state, 0)[2]
    assert (key(mine), facts(mine)["card"]) == ("line.play_own", "**2♠**")


@pytest.mark.parametrize(
    ("looked_at", "of_others", "of_ones_own"),
    [("9c", "line.look", "line.look_own"), ("8s", "line.look_at_own_side", "line.look_at_own_side_own")],
)
def test_who_looks_at_a_card_of_their_own_side_is_not_named_twice(
    looked_at: str, of_others: str, of_ones_own: str
) -> None:
    state = play(f"standard A3 (4s),(8s)|-|-/(9c)|-|- {REST}", "flip 4s", f"look {looked_at}")
    public, mine = (next(line for line in lines(state, who) if "look" in key(line)) for who in (1, 0))
    assert (key(public), key(mine)) == (of_others, of_ones_own)
    assert plain(public).count("Ann") == 1  # as it was "Ann looks at a face-down card of Ann"


def test_the_log_of_a_trap() -> None:
    state = play(f"standard A3 5s|-|-/(3c)1|-|- {REST}", "attack 5s 3c")
    line = lines(state, 0)[-1]
    assert (key(line), facts(line)["card"]) == ("line.sprung", "**3♣**")


def test_the_log_of_a_triangle_says_triangle() -> None:
    state = play("triangles A3 Ts|-|-|-/8c|-|-|-/4d|-|-|- hands=2s/2h/2c pile=3c3d", "attack Ts 8c 4d")
    (line,) = lines(state, None)
    assert keys(line) == ["duel52.line.attack", "duel52.line.back"]
    assert "duel52.in_triangle" in all_keys(line)
    assert [card in facts(line)["targets"] for card in ("8♣", "4♦")] == [True, True]
    assert facts(line)["n"] == "1"


def steps(said: str) -> list[list[str]]:
    """The keys of each step of an explanation."""
    lines = [line for line in said.splitlines() if keys(line) == ["duel52.explain.step"]]
    return [
        [name.removeprefix("duel52.explain.") for name in all_keys(line)[1:] if ".explain." in name]
        for line in lines
    ]


def test_explain_tells_the_last_attack_step_by_step() -> None:
    state = play(f"standard A3 5s1|-|-/8c1|-|- {REST}", "attack 5s 8c")
    said = PRESENTER.explain(state.observe(None), LOOK)
    first = said.splitlines()[0]
    assert (key(first), facts(first)["name"]) == ("explain.attack", "**Ann**")
    assert steps(said) == [["why.eight"], ["takes", "dies"], ["takes", "dies"]]
    assert [card for line in said.splitlines()[2:] for card in ("8♣", "5♠") if card in line] == ["8♣", "5♠"]


@pytest.mark.parametrize(
    ("text", "blow", "why"),
    [
        ("9s|-|-/8c1|-|-", "9s 8c", ["why.nine_eight"]),
        ("9s|-|-/Jc|-|-", "9s Jc", ["why.nine_jack"]),
        ("5s|-|-/Jc|-|-", "5s Jc", ["why.taunt"]),
        ("Ts=a,Th=a|-|-/4c,5c|-|-", "Ts 4c 5c", ["why.pair_of_10s"]),
        ("9s|-|-/(Jc)1|-|-", "9s Jc", ["why.back", "takes"]),
    ],
)
def test_explain_names_the_rules_of_a_blow(text: str, blow: str, why: list[str]) -> None:
    state = play(f"standard A3 {text} {REST}", f"attack {blow}")
    assert [names[0] for names in steps(PRESENTER.explain(state.observe(None), LOOK))][: len(why)] == why
    said = PRESENTER.explain(state.observe(None), ENGLISH).splitlines()
    assert all(line[2:3].isupper() or line[2:3] == "*" for line in said[1:]), "each step begins as a sentence"


def test_explain_speaks_of_what_wins_here() -> None:
    lanes = PRESENTER.explain(read(f"standard A3 -|-|-/-|-|- {REST}").observe(None), LOOK)
    triangles = "triangles A3 -|-|-|-/-|-|-|-/-|-|-|- hands=2s/2h/2c pile=3c3d"
    assert "duel52.explain.win" in all_keys(lanes)
    assert "duel52.explain.win_triangles" in all_keys(PRESENTER.explain(read(triangles).observe(None), LOOK))


def test_the_log_tells_what_a_kill_heals() -> None:
    state = play(f"standard+v A3 3s1|-|-/9c1|-|- {REST}", "attack 3s 9c")
    assert keys(lines(state, 0)[0]) == ["duel52.line.attack", "duel52.line.drinks"]
    pair = play(f"standard A3 8s=a,8h=a|-|-/9c|-|- {REST}", "attack 8s 9c")
    assert keys(lines(pair, 0)[0]) == ["duel52.line.attack"]
    assert "−2" in facts(lines(pair, 0)[0])["targets"]


def test_explain_tells_who_stands_alone_when_the_pile_is_empty() -> None:
    said = PRESENTER.explain(read("standard A3 5s|5h|-/9c|-|- hands=-/2h").observe(None), LOOK)
    lanes = [line for line in said.splitlines() if "lane" in facts(line)]
    assert [key(line) for line in lanes] == ["explain.contested", "explain.alone", "explain.shared"]
    assert facts(lanes[1])["name"] == "**Ann**"
    old = PRESENTER.explain(read("standard A3 5s|5h|-/9c|-|- hands=-/2h held=xAx").observe(None), LOOK)
    assert key(old.splitlines()[3]) == "explain.empty"


def test_explain_tells_who_holds_an_empty_lane() -> None:
    said = PRESENTER.explain(read("standard A1 -|5s|-/-|-|9c hands=-/2h held=A--").observe(None), LOOK)
    lanes = [line for line in said.splitlines() if "lane" in facts(line)]
    assert [key(line) for line in lanes] == ["explain.held", "explain.alone", "explain.alone"]
    assert facts(lanes[0])["name"] == "**Ann**"


@pytest.mark.parametrize(
    ("position", "progress"),
    [
        ("standard A3 5s,6s|-|-/9c|-|- hands=2s/2h pile=2d2c", (2, 1)),
        ("standard A3 5s|5h|-/9c|-|- hands=-/2h", (2, 1)),  # B may lay a card into lane 2
        ("standard A3 5s|5h|-/9c|-|- hands=2s/-", (6, 1)),
        ("standard A3 5s|-|-/9c|-|- hands=2s/- held=-A-", (5, 1)),  # A left lane 2 and still holds it
        ("teams A3 5s|5h|-/9c|-|- hands=-/-/-/2h", (2, 1, 2, 1)),
        ("triangles A3 5s|5h|-|-/9c|-|-|-/-|-|-|- hands=2s/2h/2d", (6, 1, 0)),  # hands do not matter there
    ],
)
def test_a_lane_that_is_won_counts_for_more_than_any_blow(position: str, progress: tuple[int, ...]) -> None:
    assert PRESENTER.progress is not None
    assert PRESENTER.progress(read(position).observe(None)) == progress


def test_refusals_teach() -> None:
    said = why(f"standard A3 5s|-|-/Jc,4c|-|- {REST}", "attack 5s 4c")
    assert (key(said), facts(said)["cards"]) == ("why.taunted", "**J♣**")
    said = why(f"standard A3 [5s]|-|-/8c|-|- {REST}", "flip 5s")
    assert (key(said), facts(said)["n"]) == ("why.locked_base", "2")
    assert key(why(f"standard A3 (5s)|-|-/8c|-|- {REST}", "attack 5s 8c")) == "why.back_cannot_attack"
