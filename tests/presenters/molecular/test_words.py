"""The words of Molecular: choices, log, reasons, scores, look-ups, the summary at the end."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from bot.locales import words
from bot.presenters.base import Branch, Choice, Leaf, Node, routes
from bot.presenters.molecular import PRESENTER, queries
from bot.presenters.molecular.words import Voice, formula, letter, pointing
from bot.render.check import audit
from bot.render.scene import Look
from engine.game import IllegalAction
from engine.molecular.board import cell_of
from engine.molecular.cards import BOX, SHAPE_EDGES, SHAPE_OF, Effector
from engine.molecular.moves import PASS, REVEAL, Move
from engine.molecular.state import MolecularState
from tests.engine.molecular.positions import (
    e,
    embedded,
    g,
    game,
    give_hand,
    give_pool,
    lay,
    of_smiles,
    placed,
    stack,
    tile,
    with_board,
)

LOOK = Look(names=("Ann", "Ben", "Cy"))


def said(state: MolecularState, viewer: int | None = None) -> list[str]:
    views = [event.seen_by(viewer) for event in state.events or ()]
    lines = [PRESENTER.line(view, viewer, LOOK) for view in views if view is not None]
    return [line for line in lines if line]


def asked(state: MolecularState, seat: int = 0) -> Branch:
    node = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    assert isinstance(node, Branch)
    return node


def child(node: Branch, key: str) -> Branch:
    found = next(choice.child for choice in node.choices if choice.key == key)
    assert isinstance(found, Branch)
    return found


def refusal(state: MolecularState, seat: int, move: Move) -> str:
    with pytest.raises(IllegalAction) as error:
        state.verify(seat, move)
    return PRESENTER.why(error.value, LOOK)


# choices


def test_a_turn_asks_tile_then_cell_then_rotation_only_if_several_fit() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "C1111-1", "N3-1", "O2-1")
    top = asked(state)
    assert [choice.key for choice in top.choices] == ["tile", "group", "reveal", "pass"]
    tiles = child(top, "tile")
    assert [choice.label for choice in tiles.choices] == [
        "1 · H: 1 single · +1",
        "3 · C: 4 single · +1",
    ]
    hydrogen = child(tiles, f"t{tile('H1-1')}")
    assert [choice.label for choice in hydrogen.choices] == [f"{name} · +1" for name in "ABDE"]
    assert all(isinstance(choice.child, Leaf) for choice in hydrogen.choices)
    carbon = child(child(tiles, f"t{tile('C1111-1')}"), "1_-1")
    assert len(carbon.choices) == 2  # half a turn changes nothing, so four ways are two
    assert all(re.fullmatch(r"Open( [↗→↘↙←↖]–){3} · \+1", choice.label) for choice in carbon.choices)
    assert hydrogen.prompt.startswith("Where does tile 1 (hydrogen) go?")
    assert carbon.prompt.startswith("Tile 3 in cell A, +1: which way round?")
    assert len({choice.label for choice in carbon.choices}) == 2


def test_the_best_cell_comes_first() -> None:
    rng = random.Random(3)
    state = game()
    for _ in range(26):
        seat = state.to_act()[0]
        tiles = [m for m in state.legal_actions(seat) if m.verb == "tile"]
        state.apply(seat, rng.choice(tiles or [PASS] if state.pending is None else state.legal_actions(seat)))
    for choice in child(asked(state, state.turn), "tile").choices:
        assert isinstance(choice.child, Branch)
        points = [int(c.label.rsplit("+", 1)[1]) for c in choice.child.choices]
        assert points == sorted(points, reverse=True)
        up_to = "up to " if points[-1] < points[0] else ""
        assert choice.label.endswith(f" · {up_to}+{points[0]}")


def test_the_points_promised_are_the_points_scored() -> None:
    rng = random.Random(8)
    state = game(3)
    state.reagent, state.actives = e("grignard"), [e("ringbonus"), e("unsat")]
    for _ in range(12):
        seat = state.to_act()[0]
        actions = state.legal_actions(seat)
        for route in routes(asked(state, seat), actions):
            if route.action.verb == "tile" and route.path[0] == "tile":
                twin = state.clone()
                twin.apply(seat, route.action)
                gained = twin.scores[seat] - state.scores[seat]
                assert route.labels[2].endswith(f"+{gained}")
        state.apply(seat, rng.choice([m for m in actions if m.verb == "tile"] or actions))


def test_groups_are_offered_with_their_worth() -> None:
    state = with_board(game(), of_smiles("COC"))
    give_hand(state, 0, "ether", "diacid", "ether")
    state.counters[g("ether")] = 1
    plays = child(asked(state), "group")
    assert [c.label for c in plays.choices] == ["Ether · +2", "1,4-Diacid: no example, discard"]
    state.counters[g("ether")] = 5
    assert child(asked(state), "group").choices[0].label == "Ether · +0"


def test_a_card_given_away_is_offered_with_what_it_would_score() -> None:
    state = with_board(game(2), of_smiles("COC"))
    give_hand(state, 0, "ether", "diacid", "azo")
    stack(state, "conference")
    state.apply(0, REVEAL)
    assert [c.label for c in asked(state).choices] == [
        "Ether · now +3",
        "Azo · now +0",
        "1,4-Diacid · now +0",
    ]


# why not


def asked_why(node: Branch) -> dict[str, Choice]:
    """By key: what can be asked about beside a question."""
    (why,) = node.beside
    assert why.key == "why"
    assert isinstance(why.child, Branch)
    return {choice.key: choice for choice in why.child.choices}


def answered(state: MolecularState, choice: Choice, seat: int = 0) -> str:
    """Why a choice is refused, in words."""
    assert isinstance(choice.child, Leaf)
    assert choice.child.refused
    return refusal(state, seat, choice.child.action)


def test_one_can_ask_why_one_may_not_start_afresh() -> None:
    state = game()
    asks = asked_why(asked(state))
    assert list(asks) == ["forfeit"]
    assert asks["forfeit"].label == "Start afresh (−1 point)"
    assert "you have none yet" in answered(state, asks["forfeit"])
    state.scores[0] = 3
    assert asked(state).beside == ()
    state.apply(0, PASS)
    assert "takes both actions" in answered(state, asked_why(asked(state))["forfeit"])


def test_one_can_ask_why_an_audited_action_is_missing() -> None:
    state = game()
    state.actives = [e("audit")]
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O2-1")
    state.apply(0, placed(state, 0, 1, -1)[0])
    asks = asked_why(asked(state))
    assert "used an action to lay a tile" in answered(state, asks["tile"])
    twin = game()
    twin.actives = [e("audit")]
    twin.used, twin.actions = 6, 1  # as after a reveal and a card
    asks = asked_why(asked(twin))
    assert set(asks) == {"reveal", "group", "forfeit"}
    for key in ("reveal", "group"):
        assert "Safety audit" in answered(twin, asks[key])


def test_tiles_that_fit_nowhere_are_told_and_can_be_asked_about() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "O2-1", "N3-1", "H1-1", "H1-1")
    tiles = child(asked(state), "tile")
    assert tiles.prompt.endswith("Tiles that fit nowhere are pale.")
    asks = asked_why(tiles)
    assert [choice.label for choice in asks.values()] == [
        "Tile 2 (oxygen) in cell A",
        "Tile 3 (nitrogen) in cell A",
    ]
    assert "your tile has a double bond" in answered(state, asks[f"t{tile('O2-1')}"])
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "H1-1")
    tiles = child(asked(state), "tile")
    assert "pale" not in tiles.prompt
    assert tiles.beside == ()


def test_where_no_tile_fits_at_all_the_question_for_the_action_says_why() -> None:
    state = game()
    give_pool(state, 0, "O2-1", "O2-1", "O2-1", "N3-1", "N3-1")
    top = asked(state)
    assert "tile" not in [choice.key for choice in top.choices]
    inner = asked_why(top)["tile"].child
    assert isinstance(inner, Branch)
    assert len(inner.choices) == 2
    assert all("edges don't match" in answered(state, choice) for choice in inner.choices)


def test_the_cells_that_a_tile_does_not_fit_can_be_asked_about() -> None:
    state = game()
    give_pool(state, 0, "C112-1", "H1-1", "H1-1", "H1-1", "H1-1")
    state.apply(0, placed(state, 0, 1, -1)[-1])
    table = queries.table(state.observe(0))
    cells = child(child(asked(state), "tile"), f"t{tile('H1-1')}")
    asks = asked_why(cells)
    told = [answered(state, choice) for choice in asks.values()]
    assert all("your tile has" in one for one in told)
    assert any("shows a double bond" in one for one in told)
    fitting = {choice.label.split()[0] for choice in cells.choices}
    assert {choice.label for choice in asks.values()} == {
        f"Cell {name}" for name in set(table.letters.values()) - fitting
    }


def test_what_is_refused_comes_as_near_as_can_be() -> None:
    """No rotation differs at fewer edges, and whatever is beside a question is truly refused."""
    rng = random.Random(6)
    state, told = game(), 0
    for _ in range(60):
        if not state.to_act():
            break
        seat = state.to_act()[0]
        actions = list(state.legal_actions(seat))
        node = PRESENTER.choices(state.observe(seat), actions, LOOK)
        for leaf in refused_leaves(node):
            told += 1
            assert refusal(state, seat, leaf.action)
            if leaf.action.verb == "tile" and "edges" in refusal(state, seat, leaf.action):
                pattern = state.board.rim[cell_of(leaf.action.q, leaf.action.r)]
                assert differing(leaf.action, pattern) == min(
                    differing(leaf.action._replace(turn=turn), pattern) for turn in range(6)
                )
        state.apply(seat, rng.choice([m for m in actions if m.verb == "tile"] or actions))
    assert told > 100


def refused_leaves(node: Node) -> Iterator[Leaf]:
    if isinstance(node, Leaf):
        if node.refused:
            yield node
    elif isinstance(node, Branch):
        for way in node.ways():
            yield from refused_leaves(way.child)


def differing(move: Move, pattern: int) -> int:
    edges = SHAPE_EDGES[SHAPE_OF[move.what][move.turn]]
    return sum(pattern >> 3 * n & 4 > 0 and pattern >> 3 * n & 3 != own for n, own in enumerate(edges))


def test_siblings_have_different_labels() -> None:
    rng = random.Random(4)
    state = game(3)
    while state.to_act():
        seat = state.to_act()[0]
        actions = list(state.legal_actions(seat))
        nodes: list[Node] = [PRESENTER.choices(state.observe(seat), actions, LOOK)]
        while nodes:
            node = nodes.pop()
            if isinstance(node, Branch):
                assert len({choice.label for choice in node.ways()}) == len(node.ways())
                nodes += [choice.child for choice in node.ways()]
        state.apply(seat, rng.choice(actions))


def test_catalyst_s_tile_is_called_free() -> None:
    state = game()
    state.reagent = e("catalyst")
    assert asked(state).choices[0].label == "Lay a tile (free)"
    state.apply(0, PASS)
    state.apply(0, PASS)
    top = asked(state)
    assert "Catalyst" in top.prompt
    assert top.choices[-1].label == "No free tile"


def test_end_tiles_are_offered_in_reading_order_and_named_when_they_go() -> None:
    state = with_board(game(), of_smiles("CCO"))
    stack(state, "spill")
    state.apply(0, REVEAL)
    offered = [choice.label.split()[1].rstrip(":") for choice in asked(state).choices]
    assert offered == [letter(n) for n in range(len(offered))]
    hydrogen = next(choice.child for choice in asked(state).choices if choice.label.endswith("hydrogen"))
    assert isinstance(hydrogen, Leaf)
    state.apply(0, hydrogen.action)
    told = "**Ann** takes an end tile off the molecule: hydrogen (1 single). Its place is open again."
    assert told in said(state)


def test_directions_are_arrows() -> None:
    assert pointing(range(6), (1, 0, 2, 0, 3, 0)) == "↗– ↘= ←≡"


# the log


def test_only_the_owner_reads_what_was_drawn() -> None:
    state = game(2)
    stack(state, "delivery")
    state.apply(0, REVEAL)
    assert any(line.startswith("You draw ") for line in said(state, 0))
    assert not any("draw" in line and "You" in line for line in said(state, 1))
    assert not any("You draw" in line for line in said(state))


def test_a_card_that_changes_hands_is_named_to_the_two_alone() -> None:
    state = game(3)
    give_hand(state, 0, "ether", "amide", "urea")
    give_hand(state, 1, "azo")
    stack(state, "poach")
    state.apply(0, REVEAL)
    state.apply(0, Move("poach", 1))
    state.apply(0, Move("give", g("urea")))
    assert "**Ann** takes **Azo** from **Ben**." in said(state, 1)
    assert "**Ann** gives **Ben** **Urea** in return." in said(state, 0)
    assert "**Ann** takes a card from **Ben**." in said(state, 2)
    assert not any("Azo" in line or "Urea" in line for line in [*said(state, 2), *said(state)])


def test_the_log_of_plays() -> None:
    state = with_board(game(rounds=1), embedded("COCCOC", [(n, n + 1, 1) for n in range(5)]))
    give_hand(state, 0, "ether", "benzene", "azo")
    state.apply(0, Move("group", g("ether")))
    state.apply(0, Move("group", g("benzene")))
    state.apply(1, PASS)
    state.apply(1, PASS)
    lines = said(state)
    assert "🧪 **Ann** publishes **Ether**, 2 examples: 4 points." in lines
    assert "**Ann** throws away **Benzene ring**: there is no example of it yet." in lines
    assert lines[-1] == "🏁 The game is over: all rounds are played. **Ann** wins!"


# reasons


def test_a_refused_edge_is_explained() -> None:
    state = game()
    give_pool(state, 0, "O2-1", "H1-1", "H1-1", "H1-1", "H1-1")
    told = refusal(state, 0, lay("O2-1", 1, -1, 4))
    assert "towards ↙ your tile has a double bond, but the carbon there shows a single bond" in told


@pytest.mark.parametrize(
    ("rule", "facts", "has"),
    [
        ("forfeit_late", {}, "both actions"),
        ("forfeit_points", {}, "costs a point"),
        ("no_counters", {"group": g("ether")}, "Ether has no counters"),
        ("not_an_end", {"q": 0, "r": 0, "bonds": 3, "start": False}, "3 neighbours"),
        ("not_an_end", {"q": 0, "r": 0, "bonds": 1, "start": True}, "start tile stays"),
        ("no_actions", {"free": True}, "Catalyst"),
        ("first_seat", {"first": 3, "seats": 2}, "Seat 3"),
    ],
)
def test_reasons_that_are_rarely_met(rule: str, facts: dict[str, object], has: str) -> None:
    told = PRESENTER.why(IllegalAction(rule, **facts), LOOK)
    assert has in told
    assert "{" not in told
    assert told.endswith(".")


def test_the_audit_names_what_was_done() -> None:
    state = game()
    stack(state, "audit")
    state.apply(0, REVEAL)
    assert "already used an action to reveal an effector" in refusal(state, 0, REVEAL)


# Why?


def test_why_tells_a_tile_s_score() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O2-1")
    state.reagent = e("hydrogen")
    assert PRESENTER.explain(state.observe(0), LOOK) == ""
    state.apply(0, placed(state, 0, 1, -1)[0])
    told = PRESENTER.explain(state.observe(1), LOOK)
    assert told.splitlines()[0] == "**Ann** laid hydrogen (1 single):"
    assert "One bond is satisfied" in told
    assert "**Hydrogen over palladium** adds 1." in told
    assert told.endswith("**Scored: 2 points.**")


@pytest.mark.parametrize(
    ("actives", "counters", "has", "points"),
    [
        ([], 1, "One counter on the group takes 1.", 3),
        (["strict"], 1, "Strict referee takes 2 for it: 2 less", 2),
        (["openaccess"], 3, "Open access ignores them", 4),
        ([], 9, "never scores less than 0", 0),
    ],
)
def test_why_tells_a_group_s_score(actives: list[str], counters: int, has: str, points: int) -> None:
    state = with_board(game(), embedded("COCCOC", [(n, n + 1, 1) for n in range(5)]))
    give_hand(state, 0, "ether", "azo", "azo")
    state.actives, state.counters[g("ether")] = [e(name) for name in actives], counters
    state.apply(0, Move("group", g("ether")))
    told = PRESENTER.explain(state.observe(None), LOOK)
    assert "2 examples that share no atom: 1 more point." in told
    assert has in told
    assert told.splitlines()[-1] == f"**Scored: {points} point{'s' * (points != 1)}.**"


# look-ups


def test_all_groups_and_effectors_can_be_looked_up() -> None:
    cards = PRESENTER.cards("en")
    assert len(cards) == 32 + 28
    for group in BOX.groups:
        page = PRESENTER.card(f"g-{group.id}", LOOK)
        assert group.drawing in page.text
        assert "In the world" in page.text
        assert page.scene is not None
    for effector in BOX.effectors:
        page = PRESENTER.card(f"e-{effector.id}", LOOK)
        assert Voice(LOOK).effect(e(effector.id)) in page.text
        assert page.scene is not None
        assert audit(page.scene) == []


@pytest.mark.parametrize("effector", BOX.effectors, ids=lambda effector: effector.id)
def test_effectors_speak_as_the_bot_does(effector: Effector) -> None:
    told = Voice(LOOK).effect(e(effector.id))
    for foreign in ("play", "functional group", "handicap", "starting tile", "-1"):
        assert foreign not in told.replace("player", "")
    ruling = f"molecular.ruling.{effector.id}"
    if ruling in words("en"):
        assert not {*re.findall(r"[^.:]+", words("en")(ruling))} & {*re.findall(r"[^.:]+", told)}


def test_why_names_the_reagent_that_raised_a_card() -> None:
    state = with_board(game(), of_smiles("CC(=O)O"))
    state.reagent = e("hydrolysis")
    give_hand(state, 0, "acid", "azo", "azo")
    state.apply(0, Move("group", g("acid")))
    told = PRESENTER.explain(state.observe(None), LOOK)
    assert "**Aqueous acid** adds 2." in told
    # replaced since by one that raises it too: nobody can tell, so it is not named
    state.used_effectors, state.reagent = [e("hydrolysis")], e("oxidant")
    told = PRESENTER.explain(state.observe(None), LOOK)
    assert "The **reagent** in play adds 2." in told
    state.reagent = e("base")
    assert "**Aqueous acid** adds 2." in PRESENTER.explain(state.observe(None), LOOK)


def test_the_number_of_rounds_alone_is_told() -> None:
    assert PRESENTER.option("rounds", 0, LOOK)[1].startswith("20 rounds alone, 15 for two players, ")


def test_a_card_tells_its_worth_in_a_game() -> None:
    state = with_board(game(), of_smiles("COC"))
    state.counters[g("ether")] = 1
    state.reagent = e("dehydrate")
    told = PRESENTER.card_now("g-ether", LOOK, {}, state.observe(None)).text
    assert "1 example on the table, 1 counter. A card would score **4 points** now." in told
    assert "+2 under:** Dehydrating agent" in told
    assert "no example yet" in PRESENTER.card_now("g-benzene", LOOK, {}, state.observe(None)).text
    assert "it is in play" in PRESENTER.card_now("e-dehydrate", LOOK, {}, state.observe(None)).text


# the end


def test_the_ending_sums_up_the_molecule() -> None:
    state = with_board(game(rounds=1), of_smiles("CC(=O)O"))
    state.scores[:] = [7, 4]
    for _ in range(2):
        if not state.over:
            state.apply(state.turn, PASS)
    outcome = state.outcome()
    assert outcome is not None
    told = PRESENTER.ending(outcome, LOOK)
    assert "🥇 **Ann** · 7 points" in told
    assert "C₂H₄O₂, 60.05 g/mol, 8 atoms, 0 open ends" in told
    assert "Carboxylic acid ×1, Methyl ×1" in told
    assert "no tile that is left fits anywhere" in told


def test_a_game_that_got_stuck_is_over_in_its_round() -> None:
    state = game(rounds=10)
    state.round, state.over = 2, "stuck"
    assert PRESENTER.status(state.observe(None), LOOK) == "Over in round 2 of 10 · 1 atom"


def test_the_drawing_is_what_one_or_several_built() -> None:
    for seats, has in ((1, "that you built,"), (2, "that you built together,")):
        state = game(seats, rounds=1)
        state.over = "rounds"
        outcome = state.outcome()
        assert outcome is not None
        keepsake = PRESENTER.keepsake(outcome, None, LOOK)
        assert keepsake is not None
        assert has in keepsake.text
        assert "Wavy lines mark open ends." in keepsake.text


def test_the_ending_alone() -> None:
    state = game(1, rounds=1)
    state.apply(0, PASS)
    state.apply(0, PASS)
    outcome = state.outcome()
    assert outcome is not None
    assert PRESENTER.ending(outcome, LOOK).startswith("🧫 **Ann** · 0 points")
    assert "The experiment is over" in said(state)[-1]


def test_formulas_are_in_hill_s_order() -> None:
    assert formula({"O": 2, "H": 4, "C": 2}) == "C₂H₄O₂"
    assert formula({"O": 1, "H": 2}) == "H₂O"
    assert formula({"N": 12, "C": 1}) == "CN₁₂"
