"""Chemistry Battle (docs/rules/chemistry.md, section 1): every sentence of the page."""

from __future__ import annotations

import random
import tracemalloc

import msgspec
import pytest

from engine.chemistry.battle import GAME
from engine.chemistry.battle.game import ChemistryBattle
from engine.chemistry.battle.heuristic import heuristic, play_out, scores
from engine.chemistry.battle.rounds import CAP, FLIP, HOUSE, PLAYS, rounds_of, run_off
from engine.chemistry.battle.search import study
from engine.chemistry.battle.state import BattleState
from engine.game import IllegalAction


def deal(seats: int, *, blind: bool = False, seed: int = 0) -> BattleState:
    return GAME.deal(GAME.setup(seats, seed.to_bytes(32, "big"), blind=blind))


def arrange(*hands: str, dealer: int = 0, kitty: str = "", seats: int = 0) -> BattleState:
    """A battle with these hands; the leader sits to the dealer's right."""
    state = deal(seats or len(hands))
    state.hands = [[int(card) for card in hand.split()] for hand in hands]
    state.kitty = [int(card) for card in kitty.split()]
    state.plays, state.piles = [], [[] for _ in hands]
    state.dealer = dealer
    state.leader = state.turn = (dealer - 1) % len(hands)
    return state


def play(state: BattleState, *cards: int) -> None:
    for card in cards:
        state.apply(state.turn, PLAYS[card])


@pytest.mark.rule("chemistry", 2, "1.1")
@pytest.mark.parametrize(
    ("seats", "each", "kitty"), [(2, 27, 0), (3, 18, 0), (4, 13, 2), (5, 10, 4), (6, 9, 0)]
)
def test_the_deal_by_players(seats: int, each: int, kitty: int) -> None:
    state = deal(seats)
    assert [len(hand) for hand in state.hands] == [each] * seats
    assert len(state.kitty) == kitty


@pytest.mark.rule("chemistry", 6, "1.6")
def test_solo_27_cards_against_the_house() -> None:
    state = deal(1)
    assert [len(state.hands[0]), len(state.hands[HOUSE]) + len(state.plays)] == [27, 27]
    assert not state.kitty
    assert state.to_act() == (0,)


@pytest.mark.rule("chemistry", 6)
def test_the_house_plays_its_cards_in_dealt_order() -> None:
    for seed in range(6):
        state = deal(1, seed=seed)
        dealt = [*state.plays, *state.hands[HOUSE]]
        played = list(state.plays)
        state.events = []
        while state.to_act():
            state.apply(0, state.legal_actions(0)[0])
        played += [e.facts["card"] for e in state.events if e.kind == "play" and e.facts["hand"] == HOUSE]
        assert played == dealt


@pytest.mark.rule("chemistry", 2)
def test_the_first_dealer_is_drawn() -> None:
    assert {deal(3, seed=seed).dealer for seed in range(30)} == {0, 1, 2}


@pytest.mark.rule("chemistry", 3, "1.2")
def test_play_begins_right_of_the_dealer_and_goes_right() -> None:
    state = arrange("1 2", "3 4", "5 6", dealer=0)
    assert state.turn == 2
    play(state, 5)
    assert state.turn == 1
    play(state, 3)
    assert state.turn == 0


@pytest.mark.rule("chemistry", 3, "1.2")
def test_the_highest_atomic_number_takes_the_cards_and_leads() -> None:
    state = arrange("1 54 7", "3 4 8", "5 6 9", dealer=0)
    play(state, 5, 3, 54)
    assert state.piles == [[5, 3, 54], [], []]
    assert state.turn == 0


@pytest.mark.rule("chemistry", 4, "1.2")
def test_the_kitty_goes_to_the_winner_of_round_1_below_the_cards_in_play_order() -> None:
    state = arrange("1 10", "2 20", "3 30", "4 40", dealer=0, kitty="53 54")
    play(state, 4, 3, 2, 1)
    assert state.piles[3] == [4, 3, 2, 1, 53, 54]
    play(state, 40, 30, 20, 10)
    assert state.before[3] == (4, 3, 2, 1, 53, 54, 40, 30, 20, 10)


def test_the_kitty_stays_unknown_while_hands_are_played() -> None:
    state = arrange("1 10", "2 20", "3 30", "4 40", dealer=0, kitty="53 54")
    play(state, 4, 3, 2, 1)
    for viewer in (None, 0, 3):
        assert state.observe(viewer).piles[3] == (4, 3, 2, 1, 0, 0)


@pytest.mark.rule("chemistry", "1.3")
def test_the_piles_play_from_the_top_and_wins_go_under() -> None:
    piles, rounds = run_off([[5, 1, 9], [2, 8]], 0, 27)
    assert list(rounds_of([[5, 1, 9], [2, 8]], 0, 10)) == [
        (0, (5, 2), 0),  # [1 9 5 2] [8]
        (0, (1, 8), 1),  # [9 5 2] [1 8]
        (1, (1, 9), 0),  # [5 2 1 9] [8]
        (0, (5, 8), 1),  # [2 1 9] [5 8]
        (1, (5, 2), 1),
        (1, (8, 1), 1),
        (1, (5, 9), 0),
        (0, (5, 2), 0),
        (0, (9, 8), 0),
        (0, (5, 1), 0),
    ]
    assert piles == [[2, 9, 8, 5, 1], []]
    assert rounds == 37


def test_the_quick_way_for_two_is_the_same() -> None:
    rng = random.Random(9)
    for _ in range(60):
        deck = rng.sample(range(1, 55), 54)
        cut, leader, rounds = rng.randrange(55), rng.randrange(2), rng.randrange(150, 201)
        piles, last = run_off([deck[:cut], deck[cut:]], leader, rounds, 200)
        queues = [deck[:cut], deck[cut:]]
        for first, cards, winner in rounds_of([deck[:cut], deck[cut:]], leader, last - rounds):
            assert cards == tuple(queues[hand].pop(0) for hand in (first, 1 - first))
            queues[winner] += cards
        assert piles == queues
        assert last == 200 or [] in piles


@pytest.mark.rule("chemistry", "1.4")
def test_it_ends_when_somebody_has_neither_hand_nor_pile() -> None:
    state = arrange("1 2", "3 4", dealer=0)
    play(state, 3, 1, 4, 2)
    assert state.over
    assert not state.observe(None).finale
    outcome = state.outcome()
    assert outcome is not None
    assert [standing.score for standing in outcome.standings] == [0, 4]
    assert [standing.rank for standing in outcome.standings] == [2, 1]


def at_random(seats: int, seed: int, game: ChemistryBattle = GAME) -> BattleState:
    """A game that was played at random to its end."""
    state = game.deal(game.setup(seats, seed.to_bytes(32, "big")))
    rng = random.Random(seed)
    while state.to_act():
        state.apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    return state


def endless() -> BattleState:
    """The last round of a battle whose piles go round in a circle."""
    state = arrange("1", "3")
    state.piles, state.round = [[2, 4, 5], [6]], 26
    state.leader = state.turn = 1
    return state


@pytest.mark.rule("chemistry", 4, "1.4")
def test_the_battle_lasts_until_a_player_has_no_card() -> None:
    rounds = []
    for seed in range(40):
        state = at_random(2, seed)
        assert [len(pile) == 0 for pile in state.piles].count(True) == 1
        assert sum(map(len, state.piles)) == 54
        outcome = state.outcome()
        assert outcome is not None
        assert outcome.facts["capped"] is False
        rounds.append(state.round)
    assert max(rounds) > 1000, "some battles are long"


@pytest.mark.rule("chemistry", 4)
def test_cards_are_counted_after_20000_rounds() -> None:
    state = endless()
    play(state, 3, 1)
    assert state.round == CAP == 20_000
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.facts["capped"] is True
    assert sorted(card for pile in state.piles for card in pile) == [1, 2, 3, 4, 5, 6]


@pytest.mark.rule("chemistry", 4)
def test_a_long_battle_leaves_little_behind() -> None:
    """Nobody decides anything in it, so neither events nor observations grow with its rounds."""
    state = endless()
    state.events = []
    play(state, 3)
    tracemalloc.start()
    play(state, 1)
    seen = state.observe(0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000
    assert [event.kind for event in state.events] == ["play", "play", "round_won", "piles", "game_over"]
    assert len(msgspec.json.encode(seen)) < 1000
    assert len(msgspec.json.encode(state.events)) < 1000
    assert len(state.fingerprint()) < 1000


def test_an_observer_can_replay_the_piles() -> None:
    for seats in (1, 2, 3):
        state = at_random(seats, 5)
        seen = state.observe(None)
        queues = [list(pile) for pile in seen.before]
        for _, cards, winner in rounds_of(seen.before, seen.leader, seen.finale):
            for queue in queues:
                queue.pop(0)
            queues[winner] += cards
        assert queues == state.piles


def test_games_of_version_1_are_counted_after_200_rounds() -> None:
    old = GAME.at(1)
    assert isinstance(old, ChemistryBattle)
    ended = [at_random(2, seed, old) for seed in range(20)]
    assert max(state.round for state in ended) == 200
    outcomes = [outcome for state in ended if (outcome := state.outcome())]
    assert sum(outcome.facts["capped"] for outcome in outcomes) > 5
    assert all(state.observe(None).cap == 200 for state in ended)


def test_the_opponent_plays_worlds_to_the_end_of_its_rules() -> None:
    """In a game by the old rules it counts the cards when the game will."""
    for version, cap in ((1, 200), (2, CAP)):
        game = GAME.at(version)
        state = game.deal(game.setup(2, bytes(32)))
        world = game.sample(state.observe(0), random.Random(1))
        assert isinstance(world, BattleState)
        assert world.cap == cap
    seen = endless().observe(1)
    for cap in (200, CAP):
        _, end = play_out(msgspec.structs.replace(seen, cap=cap), [[1], [3]], [], 3)
        assert end == run_off([[2, 4, 5], [6, 3, 1]], 1, 27, cap)[0]


@pytest.mark.rule("chemistry", 5)
def test_a_tie_goes_to_the_highest_single_element() -> None:
    state = arrange("1 2", "3 4", dealer=0)
    state.over, state.piles = True, [[1, 54], [2, 53]]
    outcome = state.outcome()
    assert outcome is not None
    assert outcome.reason == "highest"
    assert [standing.rank for standing in outcome.standings] == [1, 2]


@pytest.mark.rule("chemistry", 4)
def test_phase_2_has_no_decision() -> None:
    state = deal(3)
    count = 0
    while state.to_act():
        state.apply(state.turn, state.legal_actions(state.turn)[0])
        count += 1
    assert count == 54 == GAME.bound(GAME.setup(3, bytes(32)))


@pytest.mark.rule("chemistry", "1.5")
def test_blind_everybody_turns_over_the_top_card() -> None:
    state = deal(2, blind=True)
    top = state.hands[state.turn][0]
    seat = state.turn
    assert list(state.legal_actions(seat)) == [FLIP]
    assert state.observe(seat).hand == (top,)
    with pytest.raises(IllegalAction) as caught:
        state.verify(seat, PLAYS[top])
    assert caught.value.rule == "cards_hidden"
    state.apply(seat, FLIP)
    assert state.plays == [top]


def test_refusals() -> None:
    state = arrange("1 2", "3 4", dealer=0)
    for move, rule in (
        (PLAYS[50], "card_not_in_hand"),
        (FLIP, "cards_open"),
        (("play", 0), "unknown_action"),
    ):
        with pytest.raises(IllegalAction) as caught:
            state.verify(1, move)  # type: ignore[arg-type]
        assert caught.value.rule == rule
    with pytest.raises(IllegalAction) as caught:
        state.verify(0, PLAYS[1])
    assert caught.value.rule == "not_your_turn"


def test_piles_are_remembered_by_everybody() -> None:
    """What was played openly is known for good: perfect recall, though no table shows it."""
    state = arrange("1 54 7", "3 4 8", "5 6 9", dealer=0)
    play(state, 5, 3, 54)
    assert state.observe(1).piles == ((5, 3, 54), (), ())


@pytest.mark.rule("chemistry", "1.6")
def test_the_solo_outcome_says_who_won() -> None:
    reasons = set()
    for seed in range(12):
        state = deal(1, seed=seed)
        while state.to_act():
            state.apply(0, max(state.legal_actions(0)))
        outcome = state.outcome()
        assert outcome is not None
        own, house = outcome.facts["cards"]
        assert outcome.reason == ("house_won" if house > own else "house_lost") or own == house
        reasons.add(outcome.reason)
    assert reasons == {"house_won", "house_lost"}


def test_the_opponent_keeps_its_high_cards_from_a_round_that_is_lost() -> None:
    """Last to play on xenon: whatever it lays is gone, so it lays nothing that wins a round later."""
    mine = [1, 2, 8, 15, 22, 28, 33, 36, 40, 44, 47, 50, 53]
    rest = [card for card in range(3, 53) if card not in mine]
    random.Random(4).shuffle(rest)
    hands = [mine, [54, *rest[:12]], rest[12:25], rest[25:38]]
    state = arrange(*(" ".join(map(str, hand)) for hand in hands), dealer=0)
    play(state, rest[25], rest[12], 54)
    for seed in range(20):
        assert heuristic(state.observe(0), state.legal_actions(0), random.Random(seed)).card < 47


def test_a_card_put_aside_stands_below_those_that_outlived_it() -> None:
    """The best score is that of the card that was tried longest, however lucky another began."""
    for seed in range(6):
        state = deal(2, seed=seed)
        actions = state.legal_actions(state.turn)
        found = scores(state.observe(state.turn), actions, random.Random(seed))
        assert len(found) == len(actions) == 27
        assert all(-1e-6 < score <= 2 for score in found)
        best = max(found)
        chosen = heuristic(state.observe(state.turn), actions, random.Random(seed))
        assert found[actions.index(chosen)] == best


def test_the_study_says_what_a_sure_round_brings() -> None:
    """Last of two and with nothing hidden: the card that wins ends with all cards, the other with fewer."""
    state = arrange("1 54", "2", dealer=0)
    state.hands, state.plays, state.turn = [[1, 54], [30]], [2], 0
    rest = [card for card in range(1, 55) if card not in (1, 2, 30, 54)]
    state.piles, state.round, state.kitty = [rest[:25], rest[25:]], 25, []
    state.leader = 1
    seen, actions = state.observe(0), state.legal_actions(0)
    verdict = study.think(seen, actions, random.Random(1), tries=40)
    after = {candidate.action.card: candidate for candidate in verdict.candidates}
    world = state.clone()
    world.push(0, PLAYS[54])
    world.push(0, PLAYS[1])
    world.push(1, PLAYS[30])
    assert set(after[54].measured["cards"]) == {float(len(world.piles[0]))}
    assert set(after[54].measured["pile"]) == {27.0}
    assert set(after[1].measured["pile"]) == {27.0}
    assert set(after[54].measured["high"]) == {1.0}


def test_a_study_of_a_blind_game_has_nothing_to_compare() -> None:
    state = deal(2, blind=True)
    seen = state.observe(state.turn)
    verdict = study.think(seen, state.legal_actions(state.turn), random.Random(1))
    assert (verdict.action, verdict.tries) == (FLIP, 0)
