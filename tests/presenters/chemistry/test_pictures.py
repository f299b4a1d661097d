"""The pictures of the games of chemistry: audited over many positions, and what they must show."""

from __future__ import annotations

import itertools
import random
import re
from math import dist
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot.presenters import get
from bot.presenters.chemistry.battle import queries
from bot.presenters.chemistry.battle import scenes as battle_scenes
from bot.presenters.chemistry.painters import ion_spots
from bot.presenters.chemistry.words import Voice
from bot.render.animate import MAX_FRAMES, animate
from bot.render.check import audit
from bot.render.parts import text_width
from bot.render.scene import Align, Item, ItemGroup, Look, Panel, Rect, Scene, Sprite, SpriteState, Text
from bot.render.sprites import draw
from bot.render.theme import theme
from engine import catalog
from engine.chemistry.battle import GAME as BATTLE
from engine.chemistry.deck import BOOK, BY_FORMULA, Compound, ion_of
from engine.chemistry.observation import AFTER, CLOSE
from engine.chemistry.state import CollectState
from tests.engine.chemistry.positions import arrange, discard
from tests.support.discord.keys import patterns
from tools.contact_sheet.galleries import gallery

NAMES = ("Mira", "Bartholomew the Magnificent of Nowhere", "小明", "🦊 fox", "שלום", "i")
KEYS = ("chemistry_battle", "compound_capture", "canasta")
SAID = Voice(Look())
"""What stands below a key of these games."""


def look(seats: int, palette: str = "default") -> Look:
    return Look(names=NAMES[:seats], palette=palette)


def flat(items: tuple[Item, ...]) -> list[Item]:
    found: list[Item] = []
    for item in items:
        found += flat(item.items) if isinstance(item, ItemGroup) else [item]
    return found


def sprites(scene: Scene, painter: str) -> list[Sprite]:
    return [i for i in flat(scene.items) if isinstance(i, Sprite) and i.painter == painter]


def texts(scene: Scene) -> list[str]:
    return [item.string for item in flat(scene.items) if isinstance(item, Text)]


@pytest.mark.long
@pytest.mark.parametrize("seats", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("key", KEYS)
def test_tables_and_hands_pass_the_audit(key: str, seats: int) -> None:
    game, presenter, rng = catalog.get(key), get(key), random.Random(seats)
    blind: dict[str, Any] = {"blind": seats % 2 == 0} if key == "chemistry_battle" else {}
    state: Any = game.deal(game.setup(seats, bytes([seats]) * 32, **blind))
    shown = 0
    while state.to_act() and shown < 14:
        if rng.random() < 0.06:
            shown += 1
            assert audit(presenter.table(state.observe(None), look(seats))) == []
            for seat in range(seats):
                assert audit(presenter.hand(state.observe(seat), look(seats))) == []
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    while state.to_act():
        state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
    assert audit(presenter.table(state.observe(None), look(seats))) == []


@pytest.mark.parametrize("key", KEYS)
def test_the_gallery_passes_the_audit(key: str) -> None:
    shown = gallery(key)
    assert len({title for title, _ in shown}) == len(shown)
    for title, scene in shown:
        assert audit(scene) == [], title


def test_every_card_page_passes_the_audit() -> None:
    presenter = get("canasta")
    for card in presenter.cards("en"):
        scene = presenter.card(card.key, Look()).scene
        assert scene is not None
        assert audit(scene) == [], card.key


@pytest.mark.parametrize("seats", [1, 2, 4, 5, 6])
def test_a_full_panel_tells_how_many_more_there_are(seats: int) -> None:
    state = arrange("H H", *["S"] * (seats - 1))
    each = 48 // seats
    state.captured = [list(range(each * seat, each * (seat + 1))) for seat in range(seats)]
    state.totals = [-184, 225, 0, 125, -7, 249][:seats]
    scene = get("compound_capture").table(state.observe(None), look(seats))
    assert audit(scene) == []
    chips = sprites(scene, "chemistry.chip")
    told = {SAID("picture.more", n=many): many for many in range(1, 48)}
    more = [told[text] for text in texts(scene) if text in told]
    assert len(chips) + sum(more) == each * seats
    assert len(chips) >= (3 if seats <= 4 else 1) * seats
    assert texts(scene).count(f"+{25 * each}") == seats, "what the round has given is never left out"


@pytest.mark.parametrize(("total", "wins"), [(250, True), (-184, False)])
def test_a_match_lost_alone_has_no_winner_on_the_table(total: int, wins: bool) -> None:
    state = arrange("S", rounds=10)
    state.totals, state.round, state.dry = [total + 1], 10, 5
    state.apply(0, discard("S"))
    assert state.to_act() == ()
    scene = get("compound_capture").table(state.observe(None), look(1))
    outlined = [one for one in flat(scene.items) if isinstance(one, Panel) and one.outline == "accent"]
    assert bool(outlined) == wins


def test_the_hand_marks_what_can_be_captured_and_what_lacks_one() -> None:
    state = arrange("H H O C Fe", "S", row="H2O CO2 NaCl")
    scene = get("compound_capture").hand(state.observe(0), look(2))
    assert [one.args[0] for one in sprites(scene, "chemistry.small_compound")] == [
        BY_FORMULA[formula] for formula in ("H2O", "CO2", "NaCl")
    ]
    assert texts(scene).count(SAID("picture.ready")) == len(sprites(scene, "chemistry.tick")) == 1
    shown = texts(scene)
    assert shown[shown.index(SAID("picture.needs")) + 1] == "O"
    assert SAID("picture.short", n=2) in shown
    assert SAID("alt.ready", formula="H2O") in scene.alt
    assert SAID("alt.needs", formula="CO2", atoms="O") in scene.alt
    assert SAID("points", n=0) in scene.alt, "who reads the words alone needs the score as well"


@pytest.mark.parametrize("phase", [CLOSE, AFTER])
def test_no_play_is_promised_when_none_is_left_in_the_turn(phase: int) -> None:
    state = arrange("H H O Mg Al Si", "H H O", row="H2O HF MgO", is_canasta=True, phase=phase)
    scene = get("canasta").hand(state.observe(0), look(2))
    assert not sprites(scene, "chemistry.tick")
    assert SAID("picture.held") in texts(scene)
    assert SAID("alt.held", formula="H2O") in scene.alt
    promises = "|".join(
        (patterns("chemistry.picture", ("ready", "runs")), patterns("chemistry.alt", ("ready",)))
    )
    assert not [text for text in (*texts(scene), scene.alt) if re.search(promises, text)]
    # who waits for the turn may look forward to it
    waiting = get("canasta").hand(state.observe(1), look(2))
    assert SAID("picture.ready") in texts(waiting)


def test_what_a_compound_needs_is_not_told_when_the_game_is_over() -> None:
    state = arrange("H H O C Fe", "S", row="H2O CO2 NaCl")
    state.rounds, state.dry = 1, 1
    state.apply(0, discard("Fe"))
    seen = state.observe(0)
    assert seen.over
    scene = get("compound_capture").hand(seen, look(2))
    assert audit(scene) == []
    assert not sprites(scene, "chemistry.small_compound")
    said = " ".join((*texts(scene), scene.alt))
    assert not re.search("needs|short|ready|captured|have all|You hold all", said)


def test_the_hand_of_canasta_names_the_runs() -> None:
    state = arrange("Mg Al Si Fe", "S", is_canasta=True)
    scene = get("canasta").hand(state.observe(0), look(2))
    assert SAID("picture.runs", n=1, list="12-13-14") in texts(scene)
    assert "12-13-14" in scene.alt


def test_more_runs_than_are_shown_are_told_in_words() -> None:
    state = arrange("Mg Al Fe Co Y Zr * *", "S", is_canasta=True)
    runs = re.compile(patterns("chemistry.picture", ("runs",)))
    (line,) = [text for text in texts(get("canasta").hand(state.observe(0), look(2))) if runs.match(text)]
    assert re.search(f"{SAID('picture.star')} ({patterns('chemistry.picture', ('and_more',))})$", line)


def with_runs(count: int) -> CollectState:
    """A table with so many runs that have a wild card, in turns by two seats."""
    state = arrange("Mg H", "S", is_canasta=True)
    for number in range(count):
        seat, start = number % 2, 40 + number
        state.wilds.append((start + 1, seat, len(state.runs[seat])))
        state.runs[seat].append((start, (start, 0, start + 2)))
    return state


@pytest.mark.parametrize(("count", "hidden"), [(1, 0), (6, 0), (7, 1), (9, 3)])
def test_wilds_to_claim_lie_open_with_their_numbers(count: int, hidden: int) -> None:
    scene = get("canasta").table(with_runs(count).observe(None), look(2))
    assert audit(scene) == []
    shown = texts(scene)
    assert SAID("picture.claims") in shown
    assert "41" in shown
    more = re.compile(patterns("chemistry.picture", ("more_runs",)))
    marked = [text for text in shown if more.fullmatch(text)]
    assert marked == ([SAID("picture.more_runs", n=hidden)] if hidden else [])
    told = ", ".join(
        f"{'AB'[number % 2]} {41 + number}" for number in sorted(range(count), key=lambda n: n % 2)
    )
    assert SAID("alt.claims", list=told) in scene.alt


def test_nothing_is_claimed_when_the_game_is_over() -> None:
    state = with_runs(3)
    state.rounds, state.at = 1, len(state.order)
    state.apply(0, discard("H"))
    seen = state.observe(None)
    assert seen.over
    scene = get("canasta").table(seen, look(2))
    assert audit(scene) == []
    assert SAID("picture.over") in texts(scene)
    assert SAID("picture.claims") not in texts(scene)
    assert not re.search(patterns("chemistry.alt", ("claims",)), scene.alt)
    assert SAID("picture.over") in scene.alt


def test_the_table_shows_no_hand() -> None:
    state = arrange("Xe Kr", "He Ne", is_canasta=True, pile="Cl")
    scene = get("canasta").table(state.observe(0), look(2))
    faces = [one.args[0] for one in sprites(scene, "chemistry.element")]
    assert faces == [17]
    assert not any(sign in scene.alt for sign in ("Xe", "Kr", "He", "Ne"))


@pytest.mark.long
def test_the_animation_tells_phase_2() -> None:
    for seats in (2, 4):
        state = BATTLE.deal(BATTLE.setup(seats, bytes(31) + bytes([seats + 6])))
        rng = random.Random(3)
        assert battle_scenes.film(state.observe(None), look(seats)) == ()
        while state.to_act():
            state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
        frames = battle_scenes.film(state.observe(None), look(seats))
        finale = state.observe(None).finale
        assert len(frames) == min(MAX_FRAMES, finale) > 3
        assert all(audit(scene) == [] for scene, _ in frames[:3])
        last = frames[-1][0]
        assert all(str(len(pile)) in texts(last) for pile in state.piles)
        assert animate(frames)[:6] == b"GIF89a"


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_a_long_battle_is_cut_to_the_rounds_that_matter(seats: int) -> None:
    """First, last, the changes of the lead as far as there is room, and no long gap between."""
    long = 0
    for seed in range(12):
        state = BATTLE.deal(BATTLE.setup(seats, bytes(31) + bytes([seed])))
        rng = random.Random(seed)
        while state.to_act():
            state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
        seen = state.observe(None)
        numbers = [one.number for one in queries.fight(seen, MAX_FRAMES, MAX_FRAMES // 2).shown]
        assert numbers == sorted(set(numbers))
        assert len(numbers) == min(MAX_FRAMES, seen.finale)
        if seen.finale <= MAX_FRAMES:
            continue
        long += 1
        assert {1, seen.finale} <= set(numbers)
        whole = queries.fight(seen, seen.finale)
        sizes = [whole.before, *(one.sizes for one in whole.shown)]
        leads = [one.index(max(one)) if one.count(max(one)) == 1 else -1 for one in sizes]
        turns = [number for number in range(1, len(leads)) if leads[number] != leads[number - 1]]
        assert set(turns[-(MAX_FRAMES // 2) :]) <= set(numbers)
        gaps = [b - a for a, b in itertools.pairwise(numbers)]
        assert max(gaps) <= 3 * seen.finale / MAX_FRAMES + 1
    assert long


@pytest.mark.parametrize("seats", [1, 2, 4, 6])
def test_a_battle_counts_its_rounds(seats: int) -> None:
    """The title names the same number of rounds before, in and after every one of them."""
    state = BATTLE.deal(BATTLE.setup(seats, bytes(32)))
    rounds = len(state.hands[0])
    presenter = get("chemistry_battle")
    while state.to_act():
        number = state.round + (1 if state.plays or not state.round else 0)
        title = texts(presenter.table(state.observe(None), look(seats)))[0]
        assert title == SAID("battle.round", round=number, rounds=rounds)
        state.push(state.turn, state.legal_actions(state.turn)[0])


def test_a_battle_without_phase_2_shows_its_last_round() -> None:
    found = 0
    for seed in range(60):
        state = BATTLE.deal(BATTLE.setup(6, seed.to_bytes(32, "big")))
        rng = random.Random(seed)
        while state.to_act():
            state.push(state.turn, rng.choice(state.legal_actions(state.turn)))
        seen = state.observe(None)
        scene = get("chemistry_battle").table(seen, look(6))
        assert bool(sprites(scene, "house.curves")) == bool(seen.finale)
        found += not seen.finale
    assert found


@pytest.mark.parametrize("compound", [one for one in BOOK.compounds if one.ions], ids=lambda one: one.formula)
def test_ions_lie_in_their_sizes_unlike_ones_touching(compound: Compound) -> None:
    spots = ion_spots(compound.ions)
    assert [ion for ion, *_ in sorted(spots)] == sorted(compound.ions)
    touched = set()
    for (n, one), (m, other) in itertools.combinations(enumerate(spots), 2):
        assert one[3] == BOOK.radii[one[0]]
        apart = dist(one[1:3], other[1:3])
        assert apart > one[3] + other[3] - 0.01, "no ion covers another"
        if apart < one[3] + other[3] + 0.01:
            assert ion_of(one[0])[1] * ion_of(other[0])[1] < 0
            touched |= {n, m}
    assert touched == set(range(len(spots)))


@pytest.mark.parametrize("palette", ["default", "contrast"])
@pytest.mark.parametrize(
    "pair", ["NaF KF", "NaCl KCl", "MgCl2 CaCl2", "FeCl2 ZnCl2", "MgO CaO", "FeS ZnS", "FeO ZnO", "Na2O K2O"]
)
def test_salts_of_one_anion_can_be_told_apart_on_a_phone(pair: str, palette: str) -> None:
    """Of two cards on a table 1280 wide, shown 400 wide, the drawings differ by many pixels, and much."""
    shown = []
    for formula in pair.split():
        image, _ = draw("chemistry.compound", (BY_FORMULA[formula],), 192, 264, theme(palette))
        picture = image.convert("RGB").crop((0, 88, 192, 220)).resize((60, 41), Image.Resampling.BOX)
        shown.append(picture)
    gap = ImageChops.difference(*shown).convert("L")
    assert sum(gap.histogram()[48:]) >= 8


@pytest.mark.parametrize("palette", ["default", "contrast"])
def test_every_compound_is_drawn_in_every_palette(palette: str) -> None:
    for number, compound in enumerate(BOOK.compounds):
        image, _ = draw("chemistry.compound", (number,), 192, 264, theme(palette))
        middle = image.crop((20, 90, 172, 220))
        assert len(middle.getcolors(65536) or ()) > 8, compound.formula


@pytest.mark.parametrize(("tag", "many"), [("", 48), ("covalent", 24), ("ionic", 24), ("element", 0)])
def test_the_sheet_shows_the_compounds_of_a_kind(tag: str, many: int) -> None:
    page = get("canasta").overview(look(0), tag)
    assert (page is not None) == bool(many)
    if page is not None and page.scene is not None:
        shown = [sprite.args for sprite in sprites(page.scene, "chemistry.compound")]
        assert len(set(shown)) == len(shown) == many
        assert audit(page.scene) == []


def test_the_hand_of_canasta_joins_the_cards_of_a_run() -> None:
    state = arrange("Mg Al Si Fe Co", "S", is_canasta=True)
    scene = get("canasta").hand(state.observe(0), look(2))
    bars = [
        one
        for one in flat(scene.items)
        if isinstance(one, Panel) and one.fill == "accent" and one.rect.h < 20
    ]
    cards = {one.args[0]: one.rect for one in sprites(scene, "chemistry.tile")}
    assert [bar.rect.x for bar in bars] == [cards[z].x for z in (12, 13, 14)]
    assert bars[0].rect.right == bars[1].rect.x


def test_the_hand_of_a_battle_shows_what_to_beat() -> None:
    state = BATTLE.deal(BATTLE.setup(2, bytes(32)))
    state.push(state.turn, state.legal_actions(state.turn)[0])
    (card,) = state.plays
    scene = get("chemistry_battle").hand(state.observe(state.turn), look(2))
    assert SAID("battle.beat", card=card) in texts(scene)
    shown = {one.args[0]: one.states for one in sprites(scene, "chemistry.number")}
    assert set(shown) == {card, *state.hands[state.turn]}
    assert all((SpriteState.DIMMED in states) == (z < card) for z, states in shown.items() if z != card)


@pytest.mark.parametrize("key", KEYS)
def test_nothing_is_written_where_others_may_lie(key: str) -> None:
    """The lower left 20 % by 12 % of a picture may be covered: no words stand there."""
    for title, scene in gallery(key):
        corner = Rect(0, round(scene.height * 0.88), scene.width // 5, scene.height)
        words = [one for one in flat(scene.items) if isinstance(one, Text) and one.rect.overlaps(corner)]
        assert [one.string for one in words if inked(one).overlaps(corner)] == [], title


def inked(item: Text) -> Rect:
    """The part of a text's box in which letters are."""
    wide = text_width(item.string, item.size, item.weight)
    left = {Align.LEFT: 0, Align.CENTRE: (item.rect.w - wide) // 2, Align.RIGHT: item.rect.w - wide}[
        item.align
    ]
    return Rect(item.rect.x + left, item.rect.y, wide, item.rect.h)
