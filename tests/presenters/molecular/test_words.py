"""The words of Molecular: choices, log, reasons, scores and look-ups."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from bot.locales import words
from bot.presenters.base import Branch, Choice, Leaf, Node
from bot.presenters.molecular import PRESENTER, queries
from bot.presenters.molecular.choices import kind_of
from bot.presenters.molecular.words import Voice, letter, pointing
from bot.presenters.paths import routes
from bot.render.check import audit
from bot.render.scene import Look
from engine.game import Event, IllegalAction
from engine.molecular.board import cell_of
from engine.molecular.cards import BOX, ELEMENT, SHAPE_EDGES, SHAPE_OF, Effector
from engine.molecular.moves import PASS, REVEAL, Move
from engine.molecular.observation import Pending
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
from tests.support.discord.keys import all_keys, facts, key, keys, plain
from tests.support.games.molecular import LOOK, said

ENGLISH = Look(names=LOOK.names)


def heard(state: MolecularState, viewer: int | None = None) -> list[str]:
    """The keys of what this viewer reads."""
    return [name.removeprefix("molecular.line.") for line in said(state, viewer) for name in keys(line)]


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
    tiles = top.choices[:2]
    assert [choice.key for choice in top.choices[2:]] == ["discard", "reveal", "pass"]
    assert {key(choice.label) for choice in tiles} == {"tree.a_tile"}
    assert [tuple(facts(choice.label)[name] for name in ("n", "sign", "gain")) for choice in tiles] == [
        ("1", "H", "+1"),
        ("2", "C", "+1"),
    ]
    hydrogen = child(top, f"t{tile('H1-1')}")
    assert [facts(choice.label) for choice in hydrogen.choices] == [
        {"cell": name, "points": "1"} for name in "ABDE"
    ]
    assert all(isinstance(choice.child, Leaf) for choice in hydrogen.choices)
    carbon = child(top, f"t{tile('C1111-1')}")
    # half a turn changes nothing, so four ways are two in each cell
    assert [choice.key for choice in carbon.choices[::2]] == [choice.key for choice in hydrogen.choices]
    for choice in carbon.choices:
        assert key(choice.label) == "tree.cell_turn"
    assert (key(hydrogen.prompt), facts(hydrogen.prompt)["n"]) == ("tree.which_cell", "1")
    assert len({choice.label for choice in carbon.choices}) == 8


def test_where_there_are_many_ways_the_other_ones_are_a_press_further() -> None:
    state = game()
    give_pool(state, 0, "C1111-2", "H1-1", "H1-1", "H1-1", "H1-1")
    carbon = child(asked(state), f"t{tile('C1111-2')}")
    *cells, turned = carbon.choices
    assert all(isinstance(choice.child, Leaf) for choice in cells)
    ways = child(child(carbon, turned.key), cells[0].key)
    assert (key(ways.prompt), facts(ways.prompt)["cell"]) == ("tree.which_turn", "A")


def test_the_best_cell_comes_first() -> None:
    rng = random.Random(3)
    state = game()
    for _ in range(26):
        seat = state.to_act()[0]
        tiles = [m for m in state.legal_actions(seat) if m.verb == "tile"]
        state.apply(seat, rng.choice(tiles or [PASS] if state.pending is None else state.legal_actions(seat)))
    for choice in asked(state, state.turn).choices:
        if kind_of(choice.key) is None:
            continue
        assert isinstance(choice.child, Branch)
        points = [int(facts(c.label)["points"]) for c in choice.child.choices if c.key != "turned"]
        assert points == sorted(points, reverse=True)
        gain = f"+{points[-1]}…{points[0]}" if points[-1] < points[0] else f"+{points[0]}"
        assert facts(choice.label)["gain"] == gain


def test_the_points_promised_are_the_points_scored() -> None:
    rng = random.Random(8)
    state = game(3)
    state.reagent, state.actives = e("grignard"), [e("ringbonus"), e("unsat")]
    for _ in range(12):
        seat = state.to_act()[0]
        actions = state.legal_actions(seat)
        for route in routes(asked(state, seat), actions):
            if route.action.verb == "tile" and kind_of(route.path[0]) is not None:
                twin = state.clone()
                twin.apply(seat, route.action)
                gained = twin.scores[seat] - state.scores[seat]
                assert facts(route.labels[-1])["points"] == str(gained)
        state.apply(seat, rng.choice([m for m in actions if m.verb == "tile"] or actions))


def test_groups_are_offered_with_their_worth() -> None:
    state = with_board(game(), of_smiles("COC"))
    give_hand(state, 0, "ether", "diacid", "ether")
    state.counters[g("ether")] = 1
    ether, diacid = (child(asked(state), way).choices[0].label for way in ("group", "discard"))
    assert (key(ether), facts(ether)["points"]) == ("tree.a_group", "2")
    assert not {"tree.a_group", "molecular.tree.a_group"} & set(all_keys(diacid)), (
        "who throws it away scores nothing"
    )
    assert "+2" in [facts(choice.label).get("gain") for choice in asked(state).choices]
    state.counters[g("ether")] = 5
    assert facts(child(asked(state), "group").choices[0].label)["points"] == "0"
    give_hand(state, 0, "azo")
    assert "group" not in {choice.key for choice in asked(state).choices}  # none is ready


def test_a_card_given_away_is_offered_with_what_it_would_score() -> None:
    state = with_board(game(2), of_smiles("COC"))
    give_hand(state, 0, "ether", "diacid", "azo")
    stack(state, "conference")
    state.apply(0, REVEAL)
    assert {key(choice.label) for choice in asked(state).choices} == {"tree.a_give"}
    offered = [all_keys(choice.label)[1] for choice in asked(state).choices]
    assert offered == [f"molecular.group.{name}" for name in ("ether", "azo", "diacid")]
    assert [facts(choice.label)["points"] for choice in asked(state).choices] == ["3", "0", "0"]


# why not


def asked_why(node: Branch) -> dict[str, Choice]:
    """By key: what can be asked about beside a question."""
    (why,) = node.side_choices
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
    assert key(asks["forfeit"].label) == "tree.forfeit"
    assert key(answered(state, asks["forfeit"])) == "why.forfeit_points"
    state.scores[0] = 3
    assert asked(state).side_choices == ()
    state.apply(0, PASS)
    assert key(answered(state, asked_why(asked(state))["forfeit"])) == "why.forfeit_late"


def test_one_can_ask_why_an_audited_action_is_missing() -> None:
    state = game()
    state.actives = [e("audit")]
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O2-1")
    state.apply(0, placed(state, 0, 1, -1)[0])
    asks = asked_why(asked(state))
    assert key(answered(state, asks["tile"])) == "why.audit"
    twin = game()
    twin.actives = [e("audit")]
    twin.used, twin.actions = 6, 1  # as after a reveal and a card
    asks = asked_why(asked(twin))
    assert set(asks) == {"reveal", "group", "forfeit"}
    for name in ("reveal", "group"):
        assert key(answered(twin, asks[name])) == "why.audit"


def test_tiles_that_fit_nowhere_are_told_and_can_be_asked_about() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "O2-1", "N3-1", "H1-1", "H1-1")
    assert "molecular.tree.some_tiles" in all_keys(asked(state).prompt)
    asks = asked_why(asked(state))
    assert list(asks) == [f"t{tile('O2-1')}", f"t{tile('N3-1')}", "forfeit"]
    assert [facts(choice.label)["cell"] for choice in list(asks.values())[:2]] == ["A", "A"]
    told = answered(state, asks[f"t{tile('O2-1')}"])
    assert key(told) == "why.edges_differ"
    assert all_keys(told).count("molecular.bond.2") == 1
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "H1-1")
    assert "molecular.tree.some_tiles" not in all_keys(asked(state).prompt)
    assert [*asked_why(asked(state))] == ["forfeit"]


def test_where_no_tile_fits_at_all_the_question_for_the_action_says_why() -> None:
    state = game()
    give_pool(state, 0, "O2-1", "O2-1", "O2-1", "N3-1", "N3-1")
    top = asked(state)
    assert "tile" not in [choice.key for choice in top.choices]
    inner = asked_why(top)["tile"].child
    assert isinstance(inner, Branch)
    assert len(inner.choices) == 2
    assert {key(answered(state, choice)) for choice in inner.choices} == {"why.edges_differ"}


def test_the_cells_that_a_tile_does_not_fit_can_be_asked_about() -> None:
    state = game()
    give_pool(state, 0, "C112-1", "H1-1", "H1-1", "H1-1", "H1-1")
    state.apply(0, placed(state, 0, 1, -1)[-1])
    table = queries.table(state.observe(0))
    cells = child(asked(state), f"t{tile('H1-1')}")
    asks = asked_why(cells)
    told = [answered(state, choice) for choice in asks.values()]
    assert {key(one) for one in told} == {"why.edges_differ"}
    shown = {facts(one)["other"]: one for one in told}
    assert any("molecular.bond.2" in all_keys(one) for one in shown.values())
    fitting = {facts(choice.label)["cell"] for choice in cells.choices}
    assert {facts(choice.label)["cell"] for choice in asks.values()} == set(table.letters.values()) - fitting


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
            if key(refusal(state, seat, leaf.action)) == "why.edges_differ":
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
        for way in node.all_choices():
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
                assert len({choice.label for choice in node.all_choices()}) == len(node.all_choices())
                nodes += [choice.child for choice in node.all_choices()]
        state.apply(seat, rng.choice(actions))


def test_catalyst_s_tile_is_called_free() -> None:
    state = game()
    state.reagent = e("catalyst")
    assert "molecular.tree.tile_free" in all_keys(asked(state).prompt)
    state.apply(0, PASS)
    state.apply(0, PASS)
    top = asked(state)
    assert "molecular.tree.free_left" in all_keys(top.prompt)
    assert key(top.choices[-1].label) == "tree.pass_free"


def test_end_tiles_are_offered_in_reading_order_and_named_when_they_go() -> None:
    state = with_board(game(), of_smiles("CCO"))
    stack(state, "spill")
    state.apply(0, REVEAL)
    offered = [facts(choice.label)["cell"] for choice in asked(state).choices]
    assert offered == [letter(n) for n in range(len(offered))]
    ends = asked(state).choices
    hydrogen = next(end.child for end in ends if "molecular.element.H" in all_keys(end.label))
    assert isinstance(hydrogen, Leaf)
    state.apply(0, hydrogen.action)
    (line,) = (line for line in said(state) if keys(line) == ["molecular.line.spill"])
    assert "molecular.element.H" in all_keys(line)


def test_directions_are_arrows() -> None:
    assert pointing(range(6), (1, 0, 2, 0, 3, 0)) == "↗– ↘= ←≡"


# the log


def test_only_the_owner_reads_what_was_drawn() -> None:
    state = game(2)
    stack(state, "delivery")
    state.apply(0, REVEAL)
    drawn = {"drew_tiles", "drew_groups"}
    assert drawn & set(heard(state, 0))
    assert not drawn & set(heard(state, 1))
    assert not drawn & set(heard(state))


def test_a_card_that_changes_hands_is_named_to_the_two_alone() -> None:
    state = game(3)
    give_hand(state, 0, "ether", "amide", "urea")
    give_hand(state, 1, "azo")
    stack(state, "poach")
    state.apply(0, REVEAL)
    state.apply(0, Move("poach", 1))
    state.apply(0, Move("give", g("urea")))
    assert "poach_known" in heard(state, 1)
    assert "gave_back_known" in heard(state, 0)
    assert {"poach", "gave_back"} <= set(heard(state, 2))
    named = {"molecular.group.azo", "molecular.group.urea"}
    for viewer, known in ((0, named), (1, named), (2, set()), (None, set())):
        lines = "".join(line for line in said(state, viewer) if re.search("poach|gave", str(keys(line))))
        assert named & set(all_keys(lines)) == known


def test_the_log_of_plays() -> None:
    state = with_board(game(rounds=1), embedded("COCCOC", [(n, n + 1, 1) for n in range(5)]))
    give_hand(state, 0, "ether", "benzene", "azo")
    state.apply(0, Move("group", g("ether")))
    state.apply(0, Move("group", g("benzene")))
    state.apply(1, PASS)
    state.apply(1, PASS)
    lines = said(state)
    told = {keys(line)[0].removeprefix("molecular.line."): facts(line) for line in lines if keys(line)}
    assert told["group"].items() >= {"name": "**Ann**", "group": "Ether"}.items()
    assert [told["group"][name].split()[0] for name in ("examples", "points")] == ["2", "4"]
    assert (told["group_none"]["name"], "Benzene" in told["group_none"]["group"]) == ("**Ann**", True)
    assert key(lines[-1]) == "line.game_over"
    assert "Ann" in told["game_over"]["winners"]


# reasons


def test_a_refused_edge_is_explained() -> None:
    state = game()
    give_pool(state, 0, "O2-1", "H1-1", "H1-1", "H1-1", "H1-1")
    told = refusal(state, 0, lay("O2-1", 1, -1, 4))
    assert key(told) == "why.edges_differ"
    assert facts(told)["edge"] == "↙"
    assert [
        name for name in all_keys(told) if name.startswith(("molecular.bond.", "molecular.element."))
    ] == [
        "molecular.bond.2",
        "molecular.element.C",
        "molecular.bond.1",
    ]


@pytest.mark.parametrize(
    ("rule", "known", "told"),
    [
        ("forfeit_late", {}, "forfeit_late"),
        ("forfeit_points", {}, "forfeit_points"),
        ("no_counters", {"group": g("ether")}, "no_counters"),
        ("not_an_end", {"q": 0, "r": 0, "bonds": 3, "start": False}, "not_an_end"),
        ("not_an_end", {"q": 0, "r": 0, "bonds": 1, "start": True}, "start_tile"),
        ("no_actions", {"free": True}, "no_actions_but_free"),
        ("first_seat", {"first": 3, "seats": 2}, "first_seat"),
    ],
)
def test_reasons_that_are_rarely_met(rule: str, known: dict[str, object], told: str) -> None:
    sentence = PRESENTER.why(IllegalAction(rule, **known), LOOK)
    assert key(sentence) == f"why.{told}"
    assert "{" not in sentence
    assert plain(sentence).endswith(".")


def test_the_audit_names_what_was_done() -> None:
    state = game()
    stack(state, "audit")
    state.apply(0, REVEAL)
    told = refusal(state, 0, REVEAL)
    assert (key(told), all_keys(told)[1]) == ("why.audit", "molecular.action.reveal")


# Why?


def test_why_tells_a_tile_s_score() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "H1-1", "H1-1", "O2-1")
    state.reagent = e("hydrogen")
    assert PRESENTER.explain(state.observe(0), LOOK) == ""
    state.apply(0, placed(state, 0, 1, -1)[0])
    told = PRESENTER.explain(state.observe(1), LOOK)
    first = told.splitlines()[0]
    assert (key(first), facts(first)["name"]) == ("explain.tile", "**Ann**")
    assert "molecular.element.H" in all_keys(first)
    assert steps(told) == ["bonds", "bonus"]
    assert "molecular.effector.hydrogen" in all_keys(told)
    assert scored(told) == "2"


def steps(told: str) -> list[str]:
    """The keys of the steps of a score."""
    found = [all_keys(line)[1] for line in told.splitlines() if keys(line) == ["molecular.explain.step"]]
    return [name.removeprefix("molecular.explain.") for name in found]


def scored(told: str) -> str:
    """The points in the last line."""
    last = told.splitlines()[-1]
    assert key(last) == "explain.total"
    return facts(last)["points"].split()[0]


@pytest.mark.parametrize(
    ("actives", "counters", "has", "points"),
    [
        ([], 1, "counters", 3),
        (["strict"], 1, "strict", 2),
        (["openaccess"], 3, "open_access", 4),
        ([], 9, "floor", 0),
    ],
)
def test_why_tells_a_group_s_score(actives: list[str], counters: int, has: str, points: int) -> None:
    state = with_board(game(), embedded("COCCOC", [(n, n + 1, 1) for n in range(5)]))
    give_hand(state, 0, "ether", "azo", "azo")
    state.actives, state.counters[g("ether")] = [e(name) for name in actives], counters
    state.apply(0, Move("group", g("ether")))
    told = PRESENTER.explain(state.observe(None), LOOK)
    assert "more" in steps(told)
    assert f"molecular.explain.{has}" in all_keys(told)
    assert scored(told) == str(points)


# look-ups


def test_all_groups_and_effectors_can_be_looked_up() -> None:
    cards = PRESENTER.cards("en")
    assert len(cards) == 32 + 28
    for group in BOX.groups:
        page = PRESENTER.card(f"g-{group.id}", ENGLISH)
        assert Voice(ENGLISH)(f"examples_of.{group.id}") in page.text
        assert page.scene is not None
        assert group.drawing in page.scene.alt
    for effector in BOX.effectors:
        page = PRESENTER.card(f"e-{effector.id}", ENGLISH)
        assert page.scene is not None
        assert Voice(ENGLISH).effect(e(effector.id)) in page.scene.alt
        assert audit(page.scene) == []


def test_an_active_card_tells_how_long_it_stays_by_the_rules_of_the_table() -> None:
    state = game()
    for most, told in ((0, "page.active"), (3, "page.active_limited")):
        state.most_actives = most
        page = PRESENTER.card_now("e-hood", LOOK, {}, state.observe(0))
        assert f"molecular.{told}" in keys(page.text)
        page = PRESENTER.card_now("e-base", LOOK, {}, state.observe(0))
        assert "molecular.page.reagent" in keys(page.text)


@pytest.mark.parametrize("effector", BOX.effectors, ids=lambda effector: effector.id)
def test_effectors_speak_as_the_bot_does(effector: Effector) -> None:
    told = Voice(ENGLISH).effect(e(effector.id))
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
    assert raised_by(state) == ["bonus", "molecular.effector.hydrolysis"]
    # replaced since by one that raises it too: nobody can tell, so it is not named
    state.used_effectors, state.reagent = [e("hydrolysis")], e("oxidant")
    assert raised_by(state) == ["reagent"]
    state.reagent = e("base")
    assert raised_by(state) == ["bonus", "molecular.effector.hydrolysis"]


def raised_by(state: MolecularState) -> list[str]:
    """How the two points for a reagent are told, and whose they are."""
    told = PRESENTER.explain(state.observe(None), LOOK)
    (line,) = (line for line in told.splitlines() if {"bonus", "reagent"} & set(steps(line)))
    assert "2" in plain(line).partition(".")[2]
    return [*steps(line), *(name for name in all_keys(line) if name.startswith("molecular.effector."))]


def test_the_number_of_rounds_alone_is_told() -> None:
    note = plain(PRESENTER.option("rounds", 0, LOOK)[1])
    assert re.findall(r"\d+", note)[:2] == ["20", "15"]


def test_a_card_tells_its_worth_in_a_game() -> None:
    state = with_board(game(), of_smiles("COC"))
    state.counters[g("ether")] = 1
    state.reagent = e("dehydrate")
    told = PRESENTER.card_now("g-ether", LOOK, {}, state.observe(None)).text
    worth = next(line for line in told.splitlines() if "**4" in plain(line))
    assert re.findall(r"\d+", plain(worth)) == ["1", "1", "4"]
    assert "molecular.effector.dehydrate" in all_keys(told)
    lookups = [
        PRESENTER.card_now(name, LOOK, {}, state.observe(None)).text for name in ("g-benzene", "e-dehydrate")
    ]
    assert "molecular.page.worthless" in all_keys(lookups[0])
    assert "molecular.page.in_play" in all_keys(lookups[1])


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("en", ["**Ann** draws C ×2, O.", "**Ann** draws the group Alkene."]),
        ("zh-CN", ["**Ann** 摸到 C ×2、O。", "**Ann** 摸到官能团卡：烯烃。"]),
    ],
)
def test_what_one_draws_reads_as_a_sentence_of_its_language(locale: str, told: list[str]) -> None:
    look = Look(names=LOOK.names, locale=locale)
    kinds = [kind for kind, name in enumerate(ELEMENT) if name == "C"][:2]
    drawn = {"tiles": [*kinds, ELEMENT.index("O")], "groups": [g("alkene")]}
    events = [Event("drew", 0, {"what": what, "kinds": found}) for what, found in drawn.items()]
    assert [PRESENTER.line(event, 0, look) for event in events] == told


def test_nobody_throws_a_card_away_believing_that_they_publish_it() -> None:
    """Rapid publication with groups of which the molecule holds none: each button says what it does."""
    state = game()
    state.pending = Pending("group", e("publication"))
    node = PRESENTER.choices(state.observe(0), state.legal_actions(0), ENGLISH)
    assert isinstance(node, Branch)
    assert "none of your groups has an example yet" in node.prompt
    labels = [choice.label for choice in node.choices if choice.label != "No, thanks"]
    assert labels
    assert all(label.startswith("Discard ") for label in labels), labels
