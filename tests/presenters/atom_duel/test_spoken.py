"""Every string of Atom Duel that a game can call for is spoken in some game; and nothing tells too much."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

import pytest

from bot.locales import FALLBACK, catalogue
from bot.presenters import get
from bot.presenters.atom_duel import queries, targets
from bot.presenters.atom_duel.words import Voice
from bot.presenters.base import Branch, Form
from bot.render.check import audit
from bot.render.scene import Item, ItemGroup, Look, Scene, Sprite, Text
from engine.atom_duel import GAME
from engine.atom_duel.cards import BY_Z, DECK
from engine.atom_duel.state import AtomDuelState
from engine.elements import BY_SYMBOL, ELEMENTS
from tests.engine.atom_duel.positions import arrange, move, play, seal
from tests.support.discord.keys import MARKED, all_keys, plain
from tools.contact_sheet.galleries import gallery

PRESENTER = get("atom_duel")
LOOK = Look(names=("Ann", "Ben", "Cy", "Dee", "Eve"))
KEYS = Look(names=LOOK.names, locale=MARKED)
SAID = Voice(LOOK)
"""What stands below a key of this game."""
TABLES_OF_A_GAME = ("tree", "line", "explain", "wasted", "idle", "status", "hand")

RARE = {
    "line.lanthanum_none": "Lanthanum is the very last card of the round",
    "line.germanium_shown": "Lanthanum and Germanium in one hand",
    "line.germanium_sealed": "Germanium in the last round",
    "line.germanium_sealed_shown": "Lanthanum and Germanium in one hand of the last round",
    "line.lanthanum_over_shuffled": "Lanthanum and Germanium in one hand",
    "line.lanthanum_over_hidden": "Lanthanum and Germanium in one hand of the last round",
    "line.no_trader": "Mercury finds nobody",
    "explain.brief": "so many hands passed at once that not all find room",
    "explain.brief_card": "the same, of a hand won by the number of a card",
    "line.cards_shown": "Chlorine under Lanthanum",
    "tree.form_next": "a row of seven in the last round",
    "tree.form_twice": "a card that was given two places in the form",
}
"""Strings for what hardly ever happens at random."""


@pytest.fixture
def spoken(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The keys of all strings that are spoken from now on."""
    keys = set[str]()
    speak = Voice.__call__

    def listen(voice: Voice, key: str, /, **facts: object) -> str:
        keys.add(key)
        return speak(voice, key, **facts)

    monkeypatch.setattr(Voice, "__call__", listen)
    return keys


def random_game(seed: int, level: int, seats: int) -> Iterator[AtomDuelState]:
    rng = random.Random(seed)
    state = GAME.deal(GAME.setup(seats, seed.to_bytes(32, "big"), level=level, rounds=3))
    state.events = []
    yield state
    while state.to_act():
        seat = rng.choice(state.to_act())
        state.push(seat, rng.choice(state.legal_actions(seat)))
        yield state


def speak_of_games(games: int) -> None:
    for seed in range(games):
        for state in random_game(seed, 7, 2 + seed % 4):
            for seat in range(state.seats):
                PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
                PRESENTER.hand(state.observe(seat), LOOK)
            PRESENTER.status(state.observe(None), LOOK)
            for event in state.events or ():
                for viewer in (0, None):
                    if view := event.seen_by(viewer):
                        PRESENTER.line(view, viewer, LOOK)
                        PRESENTER.recall(view, {"rounds": 2}, LOOK)
            state.events = []


def speak_of_hands(hands: int) -> None:
    """Random hands in which everybody holds one card, most of them with a power."""
    rng = random.Random(1)
    instant = {"redeal", "face_down", "trade_two", "pass_left"}
    pool = [c.z for c in DECK.cards if "laser" not in c.powers[:1] and c.unique not in instant]
    pool = [z for z in pool if BY_Z[z].powers or BY_Z[z].unique]
    for _ in range(hands):
        cards = rng.sample(pool, rng.choice((2, 2, 3, 3, 4, 5)))
        symbols = [ELEMENTS[z - 1].symbol for z in cards]
        state = arrange(*symbols, events=False)
        state.zinc, state.hand = rng.choice((0, 0, 1)), rng.choice((1, 1, 2))
        while state.to_act() and not state.last:
            seat = state.to_act()[0]
            moves = [m for m in state.legal_actions(seat) if m.power != "laser"]
            state.apply(seat, rng.choice(moves))
            PRESENTER.explain(state.observe(None), LOOK)


@pytest.mark.long
def test_everything_that_can_be_said_is_said_in_some_game(spoken: set[str]) -> None:
    speak_of_games(60)
    speak_of_hands(1500)
    for hand in ("Ti/carbide W/carbide Al", "N V Nb", "Og Rn O"):
        state = arrange(*(word.partition("/")[0] for word in hand.split()))
        play(state, *hand.split())
        PRESENTER.explain(state.observe(None), LOOK)
    strings = {key.removeprefix("atom_duel.") for key in catalogue(FALLBACK) if key.startswith("atom_duel.")}
    expected = {key for key in strings if key.partition(".")[0] in TABLES_OF_A_GAME}
    assert expected - spoken - set(RARE) == set()


def test_what_hardly_ever_happens_has_words_too(spoken: set[str]) -> None:
    state = arrange("La Sc Pb", "Ge Ti Og", "Cl Nb Ca")
    play(state, "La", "Ge", "Cl")
    speak(state)
    state = arrange("Sc", "La")
    play(state, "Sc", "La")
    speak(state)
    for row, other in (("Ge Sc", "Ti V"), ("La Sc", "Ge V")):
        state = arrange(row, other, round_=2)
        seal(state, row, other.replace("Ti", "Ti/alloy"))
        speak(state)
    state = arrange("Hg Sc", "Pb Ti", level=7)
    play(state, "Hg")
    speak(state)
    order_in_a_form(arrange("Sc Ti V Cr Mn Fe Co", "H He Li Be B C N", level=7, round_=2))
    assert spoken.issuperset(set(RARE) - {"explain.brief", "explain.brief_card"})


def order_in_a_form(state: AtomDuelState) -> None:
    """Ask for the order of a row in the last round, and give one card every place."""
    seat = state.to_act()[0]
    tree = PRESENTER.choices(state.observe(seat), state.legal_actions(seat), LOOK)
    assert isinstance(tree, Branch)
    form = next(choice.child for choice in tree.all_choices() if isinstance(choice.child, Form))
    assert form.amiss(tuple(form.blanks[0].items[0].key for _ in form.blanks))


def speak(state: AtomDuelState) -> None:
    for event in state.events or ():
        for viewer in (0, 1, 2, None):
            if view := event.seen_by(viewer):
                PRESENTER.line(view, viewer, LOOK)


def names_in(text: str) -> set[int]:
    """The elements that a text names in full."""
    words = set(re.findall(r"[A-Z][a-z]+", text))
    return {element.z for element in ELEMENTS if element.name in words}


@pytest.mark.parametrize("seed", range(6))
def test_alt_texts_name_only_what_the_viewer_may_know(seed: int) -> None:
    for state in random_game(seed, 7, 2 + seed % 4):
        secret = {z for row in state.rows for z in row if z}
        public = {z for z, at in (state.knowledge.known[-1] if state.knowledge else {}).items() if at}
        assert not names_in(PRESENTER.table(state.observe(None), LOOK).alt) & (secret - public)
        for seat in range(state.seats):
            seen = state.observe(seat)
            alt = PRESENTER.hand(seen, LOOK).alt
            # what was played is shown beside the own cards, or those of whom a power reaches
            played = {play.card for hand in queries.missed(seen) for play in hand.plays}
            played |= {play.card for play in queries.plays(seen)}
            among = targets.chosen_among(seen) or (seat,)
            may = played | {card for at in among for card in seen.rows[at] if card > 0}
            assert names_in(alt) <= may
            if not state.hidden:
                assert names_in(alt) == may


def test_a_card_shown_to_all_lies_open_on_the_table_until_it_is_shuffled() -> None:
    state = arrange("Sr Ge Sc", "Pb Ti Og", "V Nb Ca")
    play(state, "Sr", "reveal:1.0", "reveal:2.1")
    assert names_in(PRESENTER.table(state.observe(0), LOOK).alt) == {38, 82, 41}
    play(state, "Ti/alloy", "Ca", "Ge")
    assert names_in(PRESENTER.table(state.observe(0), LOOK).alt) == {32}


def named(slot: int, symbol: str) -> str:
    """A card of a hand in words."""
    z = BY_SYMBOL[symbol].z
    return SAID("picture.alt.card", slot=slot, element=SAID.element(z), number=z)


def played(seat: int, symbol: str) -> str:
    """What somebody played, in words."""
    z = BY_SYMBOL[symbol].z
    return SAID("picture.alt.play", name=LOOK.names[seat], element=SAID.element(z), printed=z)


def hidden(alt: str) -> int:
    """How many cards of a hand the text says to lie face down."""
    return all_keys(alt).count("atom_duel.picture.alt.card_hidden")


def test_under_germanium_the_hand_lies_face_down_with_a_word_on_what_it_holds() -> None:
    state = arrange("Ge Sc Ca", "Pb Ti Og", "V Nb Fe")
    play(state, "Ge")
    alt = PRESENTER.hand(state.observe(1), KEYS).alt
    assert hidden(alt) == 3
    assert "atom_duel.hand.maybe" in all_keys(alt)
    assert "Ti, Pb, Og" in plain(alt)


def test_in_the_last_round_germanium_hides_the_row_from_who_laid_it() -> None:
    state = arrange("Ge Lu Ce", "Tl Fe Br", "Hg S Se", round_=2)
    seal(state, "Ge Lu Ce", "Tl Fe/magnet Br", "Hg S Se")
    assert state.hidden
    assert hidden(PRESENTER.hand(state.observe(0), KEYS).alt) == 2


def test_what_was_shown_and_left_shows_nothing_of_what_comes_after_it() -> None:
    state = arrange("Sr Lu Ce", "Y Br I", "Tl Sc Og", round_=2)
    seal(state, "Sr Lu Ce", "Y Br I", "Tl Sc Og")
    play(state, "reveal:1.1", "reveal:2.1")
    assert names_in(PRESENTER.table(state.observe(None), LOOK).alt) >= {35, 21}
    play(state, "aim:2.1")  # and Oganesson closes the gap
    assert state.pending is not None
    assert names_in(PRESENTER.table(state.observe(None), LOOK).alt) == {38, 39, 81, 35}


def test_the_table_says_who_is_beaten_and_who_leads() -> None:
    state = arrange("Cn Sc", "As Ca", "Pb Ti")
    play(state, "Cn", "As")
    scene = PRESENTER.table(state.observe(None), LOOK)
    power, beaten = SAID.power("scientist"), SAID("picture.beaten")
    assert f"{played(0, 'Cn')}, {power}, {beaten}." in scene.alt
    flags = [item for item in flat(scene.items) if isinstance(item, Sprite) and item.args[0] == "flag"]
    assert [flag.rect.x < 440 for flag in flags] == [True]  # in Ann's panel, who leads


def test_germanium_under_lanthanum_is_shown_as_what_is_to_come() -> None:
    state = arrange("La Sc Pb", "Ge Ti Og", "Ba Nb Ca")
    play(state, "La", "Ge")
    assert queries.effects(state.observe(None)) == ("lanthanum", "germanium_next")
    play(state, "Ba")
    assert queries.effects(state.observe(None)) == ("germanium",)


def test_the_final_table_crowns_the_winner_of_the_game() -> None:
    state = arrange("Og Lu Sc", "Ba Br Ca", level=6, round_=2)
    play(state, "Og", "Ba", "Lu", "Br", "Sc", "Ca")
    state.points = [1, 5]  # Ann takes the last hand, Ben has won the game
    seen = state.observe(None)
    assert seen.over
    assert queries.champions(seen) == (1,)
    scene = PRESENTER.table(seen, LOOK)
    assert texts(scene)[2:4] == ["Ben", f"{SAID('picture.wins_game', n=1)} · 5 {SAID('picture.points', n=5)}"]
    assert f"{played(0, 'Sc')}, {SAID('picture.wins')}." in scene.alt
    assert (
        f"{SAID('picture.alt.seat', name='Ben', points=5, cards=0)}, {SAID('picture.alt.won')}." in scene.alt
    )
    crowns = [item for item in flat(scene.items) if isinstance(item, Sprite) and item.args[0] == "crown"]
    assert len(crowns) == 1
    assert [text for text in texts(scene) if text in {"1", "5"}] == ["5", "1", "1", "5"]  # Ben above Ann


def test_a_shared_win_crowns_all_who_share_it() -> None:
    state = arrange("Og Lu", "Ba Br", level=6, round_=2)
    play(state, "Og", "Ba", "Lu", "Br")
    state.points, state.round_points[-1], state.best2 = [1, 1], [1, 1], [236, 236]
    assert texts(PRESENTER.table(state.observe(None), LOOK))[2:4] == [
        SAID("picture.and").join(("Ann", "Ben")),
        f"{SAID('picture.wins_game', n=2)} · 1 {SAID('picture.points', n=1)}",
    ]


def test_the_table_has_a_line_for_each_hand_that_passed_unseen() -> None:
    state = arrange("Mn Fe Ba", "Pd Ca Y", "Tc S Sc", round_=2)
    seal(state, "Mn Fe/magnet Ba", "Pd Ca Y", "Tc S Sc")
    scene = PRESENTER.table(state.observe(None), LOOK)
    first = SAID("picture.how_compound", symbol="Pd", value=71)
    second = SAID("picture.how", symbol="Fe", value=42)
    told = [
        SAID("picture.alt.earlier", hand=hand, name=name, how=how)
        for hand, name, how in ((1, "Ben", first), (2, "Ann", second))
    ]
    assert " ".join(told) in scene.alt
    hands = {SAID("picture.hand", hand=hand) for hand in (1, 2)}
    assert hands | {first, second} <= set(texts(scene))


def test_a_long_name_makes_room_for_who_wins_with_what() -> None:
    state = arrange("Og Sc", "Ba Ca")
    play(state, "Og")
    shown = texts(PRESENTER.table(state.observe(None), Look(names=("Bartholomew " * 9, "Ben"))))
    assert f"{SAID('picture.leads')} · 118" in shown


def test_the_hand_shows_what_zinc_adds() -> None:
    state = arrange("Zn Fe Al", "Br Sc I")
    play(state, "Zn")
    for seat, shows in ((0, True), (1, False)):
        scene = PRESENTER.hand(state.observe(seat), KEYS)
        drawn = {name for text in texts(scene) for name in all_keys(text)}
        assert ("atom_duel.picture.lasts.zinc" in drawn) is shows
        assert ("atom_duel.picture.alt.flag.zinc" in all_keys(scene.alt)) is shows


def test_sealed_announcements_stay_in_sight_of_their_owner() -> None:
    state = arrange("Ba Fe Ti", "Pb Y Og", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    state.apply(0, move("seal:Fe/magnet"))
    magnet, carbide = SAID.power("magnet"), SAID.power("carbide")
    assert f"{named(2, 'Fe')} → 1 ({magnet})" in PRESENTER.hand(state.observe(0), LOOK).alt
    state = arrange("Ba Fe Ti", "Y Lu Og", round_=2)
    seal(state, "Ba Fe/magnet Ti/carbide", "Y Lu Og")
    alt = PRESENTER.hand(state.observe(0), LOOK).alt
    assert f"{named(2, 'Fe')} ({magnet}), {named(3, 'Ti')} ({carbide})" in alt
    assert magnet not in PRESENTER.table(state.observe(None), LOOK).alt


def test_a_shown_card_keeps_the_number_of_its_slot() -> None:
    state = arrange("Sr Ge Sc", "Pb Ti Og")
    play(state, "Sr", "reveal:1.1")
    tiles = [
        item.args[1]
        for item in flat(PRESENTER.table(state.observe(0), LOOK).items)
        if isinstance(item, Sprite) and item.painter == "atom_duel.tile"
    ]
    assert tiles == ["2"]


def flat(items: Iterable[Item]) -> Iterator[Item]:
    """All items of a picture, those of groups too."""
    for item in items:
        if isinstance(item, ItemGroup):
            yield from flat(item.items)
        else:
            yield item


def texts(scene: Scene) -> list[str]:
    return [item.string for item in flat(scene.items) if isinstance(item, Text)]


def test_the_row_of_the_last_round_shows_its_order_to_its_owner() -> None:
    state = arrange("Fe Sc Pb", "Pb Ca Og", rounds=1)
    state.phase, state.sealed = 1, [[], []]
    state.apply(0, move("seal:Sc"))
    assert f"{named(2, 'Sc')} → 1" in PRESENTER.hand(state.observe(0), LOOK).alt
    assert "→" not in PRESENTER.table(state.observe(None), LOOK).alt


def tabs(scene: Scene) -> list[str]:
    """What lies in the row of a hand, from the left: the backs by their numbers, the cards by their signs."""
    cards = [item for item in flat(scene.items) if isinstance(item, Sprite)]
    return [
        item.args[0] if item.painter == "elements.back" else item.args[0].symbol  # type: ignore[attr-defined, misc]
        for item in cards
        if item.painter in {"elements.back", "atom_duel.card"}
    ]


def backs(name: str, many: int) -> str:
    """A hand that lies face down, in words."""
    cards = ", ".join(SAID("picture.alt.card_hidden", slot=slot) for slot in range(1, many + 1))
    return SAID("picture.alt.hand", name=name, cards=cards)


def test_who_aims_sees_the_backs_of_whom_the_power_reaches() -> None:
    state = arrange("Y Sc", "Pb Ca Og", "Ti V")
    play(state, "Y")
    seen = state.observe(0)
    assert seen.pending is not None
    assert seen.pending.verb == "aim"
    everybody, one = PRESENTER.hand(seen, LOOK), PRESENTER.hand_at(seen, ("s1",), LOOK)
    assert one is not None
    assert tabs(one) == ["1", "2", "3"]
    assert backs("Ben", 3) in one.alt
    assert {"Ben", "Cy"} <= set(texts(everybody))
    assert backs("Cy", 2) in everybody.alt
    assert SAID.element(21) not in everybody.alt + one.alt
    assert PRESENTER.hand_at(seen, (), LOOK) is None
    assert tabs(PRESENTER.hand(state.observe(1), LOOK)) == ["Pb", "Ca", "Og"]


def test_who_takes_cards_sees_the_backs_of_the_other() -> None:
    state = arrange("Hg Sc Fe", "Pb Ca Og")
    play(state, "Hg", "trade:1", "give:Sc", "give:Fe")
    seen = state.observe(0)
    assert seen.pending is not None
    assert seen.pending.verb == "take"
    assert tabs(PRESENTER.hand(seen, LOOK)) == ["1", "2", "3"]


def test_a_decided_hand_stays_in_view_until_the_owner_moves() -> None:
    state = arrange("Og Sc Ca", "Pb Ti Br", "V Nb I", level=1)
    play(state, "Og", "Pb", "V")
    assert {SAID("hand.won", value=118), "Ann"} <= set(texts(PRESENTER.hand(state.observe(1), LOOK)))
    play(state, "Sc")
    shown = texts(PRESENTER.hand(state.observe(1), LOOK))
    first = SAID("picture.hand", hand=1)
    assert {SAID("hand.to_beat", value=21), first, "Og 118", "V 23"} <= set(shown)
    cards = zip(LOOK.names, (118, 82, 23), strict=False)
    told = ", ".join(f"{name} {SAID.element(z)} {z}" for name, z in cards)
    missed = SAID("picture.alt.missed", hand=1, cards=told, name="Ann")
    assert missed in PRESENTER.hand(state.observe(1), LOOK).alt
    play(state, "Ti")
    assert first not in texts(PRESENTER.hand(state.observe(1), LOOK))
    assert SAID("hand.ahead", value=22) in texts(PRESENTER.hand(state.observe(1), LOOK))


def test_a_decided_hand_is_told_with_what_its_cards_counted() -> None:
    """A Stopper has the number that it took, in the picture of the next hand and in its alt text."""
    state = arrange("U Sc Ca", "Pb Ti Br", "V Nb I", level=4)
    play(state, "U", "Pb", "V", "Ti")
    shown = PRESENTER.hand(state.observe(2), LOOK)
    assert "Pb 92" in texts(shown)
    assert f"{LOOK.name(1)} {SAID.element(82)} 92" in shown.alt


@pytest.mark.parametrize("entry", gallery("atom_duel"), ids=lambda entry: entry[0])
def test_every_picture_of_the_gallery_is_sound(entry: tuple[str, object]) -> None:
    assert audit(entry[1]) == []  # type: ignore[arg-type]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_tables_and_hands_of_real_games_are_sound(seats: int) -> None:
    look = Look(names=("Marie Skłodowska-Curie of Warsaw", "小明", "O", "🦊", "Dmitri Mendeleev")[:seats])
    rng = random.Random(seats)
    for state in random_game(seats, 7, seats):
        if rng.random() < 0.15:
            assert audit(PRESENTER.table(state.observe(None), look)) == []
            assert audit(PRESENTER.hand(state.observe(rng.randrange(seats)), look)) == []


def test_who_has_lost_still_sees_the_last_hand_when_the_game_is_over() -> None:
    *_, state = random_game(3, 1, 3)
    assert state.over
    for seat in range(state.seats):
        seen = state.observe(seat)
        alt = PRESENTER.hand(seen, LOOK).alt
        assert seen.last_hand is not None
        assert names_in(alt) == {play.card for play in seen.last_hand.plays}
        most = seen.points[queries.champions(seen)[0]]
        assert f"{most} {SAID('picture.points', n=most)}" in alt
