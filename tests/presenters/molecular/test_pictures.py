"""The pictures of Molecular: readable at every size, honest, quick."""

from __future__ import annotations

import random
import time
from itertools import pairwise
from math import ceil

import pytest

from bot.presenters.molecular import chart, painters, queries
from bot.presenters.molecular.hand import hand as hand_scene
from bot.presenters.molecular.scenes import table as table_scene
from bot.presenters.molecular.structures import structure
from bot.presenters.molecular.words import Voice, letter
from bot.render import text
from bot.render.check import audit, faults, unclear
from bot.render.encode import encode
from bot.render.scene import Item, ItemGroup, Look, Panel, Rect, Scene, Size, Sprite, Text
from bot.render.sprites import draw
from bot.render.theme import seat_letter, theme
from engine.molecular import GAME
from engine.molecular.board import bonds_of, place_of
from engine.molecular.cards import BOX, GROUPS, START
from engine.molecular.observation import Pending
from engine.molecular.plays import refill
from engine.molecular.state import MolecularState
from tests.engine.molecular.positions import (
    e,
    g,
    game,
    give_hand,
    give_pool,
    of_smiles,
    stack,
    tile,
    with_board,
)
from tools.bench.molecular import ends, grown, measure, position
from tools.contact_sheet.galleries import gallery

SAID = Voice(Look())
"""What stands below a key of this game."""
NAMES = ("Mira", "Tobias", "Anna-Lena of the long name", "小明", "🦊", "Ines", "Bo", "Wilhelmina")


ETHER = SAID.group(g("ether"))


def look(seats: int) -> Look:
    return Look(names=NAMES[:seats])


def flat(items: tuple[Item, ...]) -> list[Item]:
    out: list[Item] = []
    for item in items:
        out += flat(item.items) if isinstance(item, ItemGroup) else [item]
    return out


def sprites(scene: Scene, painter: str) -> list[Sprite]:
    return [i for i in flat(scene.items) if isinstance(i, Sprite) and i.painter == painter]


def texts(scene: Scene) -> list[str]:
    return [i.string for i in flat(scene.items) if isinstance(i, Text)]


@pytest.mark.parametrize("title", [title for title, _ in gallery("molecular")])
def test_every_picture_passes_the_audit(title: str) -> None:
    assert audit(dict(gallery("molecular"))[title]) == []


@pytest.mark.parametrize(("tiles", "seats"), [(1, 1), (8, 2), (25, 4), (60, 8), (120, 3), (128, 8)])
def test_random_boards_of_all_sizes_pass_the_audit(tiles: int, seats: int) -> None:
    for seed in range(3):
        state = position(grown(tiles, random.Random(seed)), seats)
        state.actives = [e("unsat"), e("openaccess"), e("ringbonus")]
        state.reagent = e("hydrogen")
        state.counters = [n % 3 for n in range(GROUPS)]
        assert audit(table_scene(state.observe(None), look(seats))) == []
        assert audit(hand_scene(state.observe(0), look(seats))) == []


@pytest.mark.parametrize("locale", ["en", "zh-CN"])
@pytest.mark.parametrize("seats", [1, 8])
def test_all_active_cards_at_once_have_room(seats: int, locale: str) -> None:
    state = position(grown(120, random.Random(5)), seats)
    state.actives = [
        number
        for number, card in enumerate(BOX.effectors)
        if card.symbols == ("active",)
        for _ in range(card.copies)
    ]
    assert len(state.actives) == 10
    state.reagent = e("hydrogen")
    state.counters = [n % 3 for n in range(GROUPS)]
    shown = Look(locale=locale, names=NAMES[:seats])
    scene = table_scene(state.observe(None), shown)
    assert audit(scene) == []
    assert audit(hand_scene(state.observe(0), shown)) == []
    for card in (*state.actives, state.reagent):
        assert Voice(shown).effector(card) in scene.alt


def test_every_tile_is_drawn_and_the_last_one_marked() -> None:
    state = position(grown(60, random.Random(1)))
    drawn = sprites(table_scene(state.observe(None), look(4)), "molecular.tile")
    assert len(drawn) == 60
    assert sorted(one.args[0] for one in drawn) == sorted(state.board.tiles.values())
    marked = [one for one in drawn if one.args[2] == "accent"]
    assert [one.args[0] for one in marked] == [state.board.tiles[state.last_cell]]


def test_bonds_meet_at_edges() -> None:
    """Neighbours stand exactly one cell apart: their sticks end at the same point."""
    state = with_board(game(), of_smiles("CC(=O)O"))
    scene = table_scene(state.observe(None), look(2))
    boxes = {one.rect for one in sprites(scene, "molecular.tile")}
    width, height = next((box.w, box.h) for box in boxes)
    places = {place_of(cell) for cell in state.board.tiles}
    q0, r0 = min(places, key=lambda p: (p[1], 2 * p[0] + p[1]))
    first = min(boxes, key=lambda box: (box.y, box.x))
    for q, r in places:
        x = first.x + (2 * (q - q0) + (r - r0)) * width // 2
        assert Rect(x, first.y + (r - r0) * height, width, height) in boxes


@pytest.mark.parametrize("width", chart.WIDTHS)
@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_halves_of_a_level_bond_meet_without_a_seam(width: int, order: int) -> None:
    """The columns of pixels on both sides of the edge between two cells are the same."""
    height = chart.row_height(width)
    right, left = (
        next(shape for shape, edges in enumerate(_edges()) if edges[edge] == order) for edge in (1, 4)
    )

    def column(painter: str, args: tuple[object, ...], box: Rect, x: int) -> list[object]:
        image, _ = draw(painter, args, box.w, box.h, theme())
        pixels = [image.getpixel((x % box.w, y)) for y in range(box.h)]
        clear = (0, 0, 0, 0)
        return [clear] * box.y + pixels + [clear] * (height - box.h - box.y)

    cell = Rect(0, 0, width, height)
    one = column("molecular.tile", (right, "", "paper"), cell, -1)
    assert one == column("molecular.tile", (left, "", "paper"), cell, 0)
    assert len(set(one)) > 1
    # and so does the tip of an open bond
    tip = chart._tip(cell, 4, (20, 20))
    assert one == column("molecular.end", (4, order, "paper", width), tip, 0)


def test_open_ends_show_where_a_bond_leads_nowhere() -> None:
    assert not sprites(
        table_scene(with_board(game(), of_smiles("C")).observe(None), look(2)), "molecular.end"
    )
    dealt = sprites(table_scene(game().observe(None), look(2)), "molecular.end")
    assert len(dealt) == 4


def test_the_letters_name_the_cells_that_a_tile_can_go_to() -> None:
    rng = random.Random(2)
    for _ in range(20):
        board = grown(rng.randrange(2, 70), rng)
        state = position(board, 2)
        table = queries.table(state.observe(None))
        assert len(set(table.letters.values())) == len(table.letters)
        refill(state, 0)
        cells = {(m.q, m.r) for m in state.legal_actions(0) if m.verb == "tile"}
        assert cells <= {place_of(cell) for cell in table.letters}
        shown = set(texts(table_scene(state.observe(None), look(2))))
        assert set(table.letters.values()) <= shown


def test_letters_are_no_atoms() -> None:
    names = [letter(n) for n in range(60)]
    assert len(set(names)) == 60
    assert not {"C", "H", "N", "O", "I"} & set(names)
    assert names[:3] == ["A", "B", "D"]
    assert max(map(len, names[:42])) == 1
    assert max(map(len, names)) == 2


def test_many_cells_on_a_large_board_still_have_room_for_their_letters() -> None:
    for seed in range(400):
        board = grown(84, random.Random(seed))
        state = position(board)
        if len(queries.table(state.observe(None)).letters) > 34:
            scene = table_scene(state.observe(None), look(4))
            assert audit(scene) == []
            assert encode(scene)
            break
    else:
        pytest.fail("no such board")


def test_more_cells_than_signs_are_cut_rather_than_crossed() -> None:
    tiles = grown(70, random.Random(1)).tiles
    table = queries.MoleculeTable(tuple(shape | cell << 8 for cell, shape in tiles.items()))
    crowded = dict.fromkeys(table.letters, "WW")
    made = chart.chart(table, Rect(24, 0, 1232, 0), 500, queries.Lettering(crowded, crowded))
    scene = Scene(1280, made.height, made.items, "a crowd")
    assert audit(scene) == []
    assert encode(scene)


def test_the_hand_letters_only_what_the_own_tiles_fit_and_by_the_same_letters() -> None:
    state = position(grown(40, random.Random(4)), 2)
    refill(state, 0)
    seat = state.turn
    seen = state.observe(seat)
    shown = queries.table(seen).letters
    own = {(m.q, m.r) for m in state.legal_actions(seat) if m.verb == "tile"}
    wanted = {name for cell, name in shown.items() if place_of(cell) in own}
    inked = [i for i in flat(hand_scene(seen, look(2)).items) if isinstance(i, Text)]
    found = {i.string for i in inked if i.colour == "accent_ink"} & set(shown.values())
    assert found == wanted


def test_a_crowded_board_brings_the_own_cells_large_into_the_hand() -> None:
    clear = 0
    for seed in range(24):
        state = position(grown(70, random.Random(seed)), 2)
        refill(state, 0)
        seen = state.observe(state.turn)
        scene = hand_scene(seen, look(2))
        assert faults(scene) == []
        board = scene.items[-1]
        assert isinstance(board, ItemGroup)
        shown = [i for i in flat(board.items) if isinstance(i, Text)]
        assert {i.string for i in shown} == set(queries.own_lettering(seen).names.values())
        clear += {i.size for i in shown} <= {Size.CLEAR}
    assert clear >= 20  # the others have so many cells that parts would be too high


def test_nothing_lies_in_the_lower_left_corner() -> None:
    """Clients lay their ALT badge over it."""
    for seed in range(24):
        state = position(grown(4 + 5 * seed, random.Random(seed)), 1 + seed % 4)
        refill(state, state.turn)
        seen = state.observe(state.turn)
        for scene in (table_scene(seen, look(4)), hand_scene(seen, look(4))):
            corner = Rect(0, ceil(0.88 * scene.height), 256, scene.height)
            lying = [i for i in flat(scene.items) if isinstance(i, Sprite | Text)]
            assert not [i for i in lying if i.rect.overlaps(corner)]


def test_in_a_hand_dots_mark_the_cells_that_only_other_tiles_fit() -> None:
    state = position(grown(40, random.Random(4)), 2)
    seat = state.turn
    for viewer in (seat, 1 - seat):
        seen = state.observe(viewer)
        dots = set(queries.table(seen).letters) - set(queries.own_lettering(seen).names)
        board = hand_scene(seen, look(2)).items[-1]
        assert isinstance(board, ItemGroup)
        drawn = [i for i in board.items if isinstance(i, Panel) and i.fill == "muted"]
        assert len(drawn) == len(dots) > 0
    table = table_scene(state.observe(None), look(2))
    assert not [i for i in flat(table.items) if isinstance(i, Panel) and i.fill == "muted"]
    state.pending = Pending("spill", e("spill"))
    spilling = hand_scene(state.observe(seat), look(2))
    assert not [i for i in flat(spilling.items) if isinstance(i, Panel) and i.fill == "muted"]


def test_tips_of_open_bonds_are_large_enough_to_be_seen_and_hold_all_their_sticks() -> None:
    """Three sticks side by side need 0.37 of a cell across a level edge, 0.46 across a slanted one."""
    orders = set()
    for seed in range(12):
        state = position(grown(12 + 9 * seed, random.Random(seed)))
        for tip in sprites(table_scene(state.observe(None), look(4)), "molecular.end"):
            edge, order, _, width = tip.args
            across, deep = (tip.rect.h, tip.rect.w) if edge in (1, 4) else (tip.rect.w, tip.rect.h)
            assert deep >= chart.LEAST_TIP
            assert across >= width * (0.37 if edge in (1, 4) else 0.46)
            orders.add(order)
    assert orders == {1, 2, 3}


def test_a_molecule_too_large_is_cropped_and_says_what_lies_outside() -> None:
    board = grown(20, random.Random(6))
    # a chain of carbons straight to the right, longer than a picture is wide
    start = max(board.tiles, key=lambda cell: place_of(cell)[0])
    straight = next(s for s, edges in enumerate(_edges()) if edges == (0, 1, 1, 0, 1, 1))
    for step in range(1, 40):
        cell = start + step * 512
        board.rim.setdefault(cell, 0)
        board.lay(cell, straight)
    table = queries.MoleculeTable(tuple(shape | cell << 8 for cell, shape in board.tiles.items()))
    lettering = queries.Lettering(table.letters, table.letters)
    made = chart.chart(table, Rect(24, 0, 1232, 0), 1090, lettering, last=start + 39 * 512)
    tiles, names = chart.outside(table, lettering, [made])
    assert names
    shown = [i for i in flat(made.items) if isinstance(i, Sprite) and i.painter == "molecular.tile"]
    assert 10 < len(shown) < len(board.tiles)
    assert tiles == len(board.tiles) - len(shown)
    assert any(one.args[2] == "accent" for one in shown)
    area = Rect(24, 0, 1232, made.height)
    assert all(area.holds(one.rect) for one in shown)


def _edges() -> tuple[tuple[int, ...], ...]:
    from engine.molecular.cards import SHAPE_EDGES

    return SHAPE_EDGES


def test_spillage_letters_the_end_tiles() -> None:
    state = with_board(game(), of_smiles("CO"))
    stack(state, "spill")
    state.apply(0, next(m for m in state.legal_actions(0) if m.verb == "reveal"))
    for scene in (table_scene(state.observe(None), look(2)), hand_scene(state.observe(0), look(2))):
        labels = [one.args[1] for one in sprites(scene, "molecular.tile") if one.args[1]]
        assert len(labels) == len(state.board.ends()) == len(set(labels))
        ends = ", ".join(SAID("alt.end", cell=cell, element=SAID("element.H")) for cell in "ABDE")
        assert SAID("alt.cells", cells=ends) in scene.alt


def test_a_tile_that_can_be_chosen_still_shows_its_element() -> None:
    for width in chart.WIDTHS:
        with text.recording() as found:
            draw("molecular.tile", (START, "W", "paper"), width, chart.row_height(width), theme())
        large = chart.row_height(width) / 2 - 1 >= painters.BOTH
        assert [one.string for one in found] == (["W", "C"] if large else ["W"])
        assert not any(one.cut for one in found)
    # on a small one a ring in the colour of the element is left
    small = [draw("molecular.tile", (shape, "W", "paper"), 54, 47, theme())[0] for shape in (0, START)]
    assert small[0].getpixel((27, 7)) != small[1].getpixel((27, 7))


def test_while_spillage_asks_only_the_last_tile_has_a_yellow_rim_and_live_tips_stay_yellow() -> None:
    state = position(grown(40, random.Random(4)), 2)
    before = table_scene(state.observe(None), look(2))
    state.pending = Pending("spill", e("spill"))
    for scene in (table_scene(state.observe(None), look(2)), hand_scene(state.observe(state.turn), look(2))):
        rims = [one.args[0] for one in sprites(scene, "molecular.tile") if one.args[2] == "accent"]
        assert rims == [state.board.tiles[state.last_cell]]
        live = {one.args[:3] for one in sprites(scene, "molecular.end") if one.args[2] == "accent"}
        assert live >= {one.args[:3] for one in sprites(before, "molecular.end") if one.args[2] == "accent"}


def test_no_open_bond_is_cut_at_the_border() -> None:
    for seed in range(6):
        state = position(grown(30, random.Random(seed)), 2)
        for over, pending in (("", None), ("rounds", None), ("", Pending("spill", e("spill")))):
            state.over, state.pending = over, pending
            scene = table_scene(state.observe(None), look(2))
            ways_in = sum(len(bonds_of(pattern)) for pattern in state.board.rim.values())
            if over or pending:
                assert len(sprites(scene, "molecular.end")) == ways_in


@pytest.mark.parametrize("tiles", [24, 40, 56, 72, 96])
def test_what_a_crowded_hand_is_chosen_by_is_clear_on_a_phone(tiles: int) -> None:
    for seed in range(3):
        state = position(grown(tiles, random.Random(f"clear/{tiles}/{seed}")), 4)
        for pending in (None, Pending("spill", e("spill"))):
            state.pending = pending
            seen = state.observe(state.turn)
            # two signs find no room in large type on the smallest tiles
            names = {name for name in queries.own_lettering(seen).names.values() if len(name) == 1}
            scene = hand_scene(seen, look(4))
            assert not unclear(scene) & names - {seat_letter(state.turn)}
            assert names <= {*texts(scene), *(str(one.args[1]) for one in sprites(scene, "molecular.tile"))}


def test_chips_of_cells_grow_with_the_cells() -> None:
    cell = Rect(0, 0, 200, 200)
    sides = {width: chart._chip(cell, "A", width).h for width in chart.WIDTHS if width >= chart.CLEAR}
    assert all(0.53 <= side / width <= 0.75 for width, side in sides.items())
    assert all(a - b <= 10 for a, b in pairwise(sides.values()))


def test_counters_that_find_no_room_are_counted() -> None:
    state = position(grown(60, random.Random(1)), 4)
    state.counters = [3] * GROUPS
    scene = table_scene(state.observe(None), look(4))
    line = next(i for i in flat(scene.items) if isinstance(i, Text) and f"{ETHER}\u00a0×" in i.string)
    told = line.string.count("×")
    assert line.string.endswith(SAID("picture.more", n=GROUPS - told).replace(" ", "\u00a0"))
    with text.recording() as found:
        text.layout(line.string, line.size, line.weight, line.rect.w, line.rect.h, max_lines=line.max_lines)
    assert not found[0].cut
    assert audit(scene) == []


def test_the_header_counts_the_tiles_that_are_left() -> None:
    left = SAID("picture.pile", tiles=SAID("tiles", n=127))
    assert left in texts(table_scene(game().observe(None), look(2)))


def test_the_alt_text_says_the_same_and_names_no_hidden_thing() -> None:
    state = with_board(game(), of_smiles("COC"))
    give_hand(state, 0, "diacid", "benzene", "aminoacid")
    give_hand(state, 1, "ether", "urea", "azo")
    state.counters[g("ether")], state.counters[g("diacid")] = 2, 1
    table, hand = table_scene(state.observe(0), look(2)), hand_scene(state.observe(0), look(2))
    diacid = SAID.group(g("diacid"))
    held = f"{ETHER} 1, {SAID.group(g('methyl'))} 2"
    assert SAID("alt.groups", groups=held) in table.alt
    assert SAID("alt.counters", counters=f"{ETHER} 2, {diacid} 1") in table.alt
    assert f"Mira: {SAID.points(0)}" in table.alt
    benzene = SAID.group(g("benzene"))
    assert SAID("alt.card", group=benzene, base=7, points=0) in hand.alt
    assert SAID("alt.card_counters", group=diacid, base=10, n=1, points=0) in hand.alt
    assert SAID.group(g("urea")) not in hand.alt + table.alt
    assert benzene not in table.alt


def test_a_card_in_hand_says_what_it_is_worth_now() -> None:
    state = with_board(game(), of_smiles("COC"))
    give_hand(state, 0, "ether", "diacid", "alkene")
    said = texts(hand_scene(state.observe(0), look(2)))
    assert SAID("picture.worth", points=3, n=1) in said
    assert said.count(SAID("picture.unripe")) == 2
    state.counters[g("ether")] = 5
    said = texts(hand_scene(state.observe(0), look(2)))
    assert SAID("picture.worth_less", points=0, n=1, less=5) in said
    assert "×5" in said


@pytest.mark.parametrize(
    ("active", "strip", "ink"),
    [
        ("strict", SAID("picture.worth_less", points=0, n=1, less=4), "paper"),
        ("openaccess", SAID("picture.worth", points=3, n=1), "ink_soft"),
    ],
)
def test_counters_are_told_as_many_and_what_they_take_as_points(active: str, strip: str, ink: str) -> None:
    state = with_board(game(), of_smiles("COC"))
    give_hand(state, 0, "ether", "diacid", "alkene")
    state.counters[g("ether")], state.actives = 2, [e(active)]
    scene = hand_scene(state.observe(0), look(2))
    assert strip in texts(scene)
    chip = next(i for i in flat(scene.items) if isinstance(i, Text) and i.string == "×2")
    assert chip.colour == ink
    assert audit(scene) == []
    assert SAID("picture.counter", group=ETHER, n=2).replace(" ", "\u00a0") in texts(
        table_scene(state.observe(0), look(2))
    )


def test_a_dozen_groups_with_counters_find_room() -> None:
    state = position(grown(60, random.Random(1)), 8)
    for group in range(12):
        state.counters[group] = 1 + group % 3
    scene = table_scene(state.observe(None), look(8))
    line = next(i for i in flat(scene.items) if isinstance(i, Text) and f"{ETHER}\u00a0×" in i.string)
    with text.recording() as found:
        text.layout(line.string, line.size, line.weight, line.rect.w, line.rect.h, max_lines=line.max_lines)
    assert not found[0].cut
    assert audit(scene) == []


@pytest.mark.parametrize("first", range(0, GROUPS, 4))
def test_four_cards_in_a_hand_can_all_be_read(first: int) -> None:
    state = game()
    give_hand(state, 0, *(group.id for group in BOX.groups[first : first + 4]))
    scene = hand_scene(state.observe(0), look(2))
    for shown in sprites(scene, "molecular.structure"):
        with text.recording() as found:
            draw(shown.painter, shown.args, shown.rect.w, shown.rect.h, theme())
        assert len(found) == len(structure(shown.args[0]).atoms)
    names = {Voice(look(2)).group(group) for group in range(GROUPS)}
    for item in flat(scene.items):
        if isinstance(item, Text) and item.string in names:
            assert text.width(item.string, item.size, item.weight) <= item.rect.w
    assert audit(scene) == []


def test_equal_tiles_are_one_with_their_count_and_number() -> None:
    state = game()
    give_pool(state, 0, "H1-1", "H1-1", "O2-1", "H1-1", "N3-1")
    scene = hand_scene(state.observe(0), look(2))
    said = scene.alt
    pool = ((1, "H1-1", " ×3"), (2, "O2-1", ""), (3, "N3-1", ""))
    tiles = [f"{n} {SAID.tile(tile(name))}{count}" for n, name, count in pool]
    assert ", ".join(tiles) in said
    racks = [
        item for item in flat(scene.items) if isinstance(item, Sprite) and item.painter == "molecular.rack"
    ]
    assert [(rack.args[0], rack.args[2]) for rack in racks] == [
        (tile("H1-1"), 3),
        (tile("O2-1"), 1),
        (tile("N3-1"), 1),
    ]
    assert said.endswith(SAID("hand.actions", n=2) + ".")


def test_the_alt_text_speaks_of_one_thing_as_one() -> None:
    state = game()
    state.scores[:] = [1, 0]
    give_pool(state, 0, "H1-1")
    give_hand(state, 0, "ether")
    said = table_scene(state.observe(None), look(2)).alt
    assert SAID("tiles", n=1) in said
    assert SAID("picture.start") in said
    for key, name, points, tiles, groups in (("seat_turn", "Mira", 1, 1, 1), ("seat", "Tobias", 0, 5, 3)):
        counted = {"tiles": SAID("tiles", n=tiles), "groups": SAID("group_cards", n=groups)}
        assert SAID(f"alt.{key}", name=name, points=SAID.points(points), **counted) in said


@pytest.mark.parametrize("group", range(GROUPS), ids=[group.id for group in BOX.groups])
def test_every_structure_keeps_its_atoms_apart_and_its_bonds_short(group: int) -> None:
    shape = structure(group)
    places = [(x, y) for _, x, y in shape.atoms]
    for number, (x, y) in enumerate(places):
        for other, (u, v) in enumerate(places[:number]):
            apart = ((x - u) ** 2 + (y - v) ** 2) ** 0.5
            assert apart > 0.95
            if any({one, two} == {number, other} for one, two, _ in shape.bonds):
                assert apart == pytest.approx(1, abs=0.01)


def test_the_figures_of_large_boards() -> None:
    figures = measure(tiles=100, boards=4)
    assert figures["boards"] == 4
    assert figures["placements"] > 10
    assert 0 < figures["groups_ms"] < 100
    with pytest.raises(ValueError, match="grows"):
        measure(tiles=500, boards=1)


def test_the_figures_of_ends() -> None:
    figures = ends(2, games=3)
    assert figures["score"] > 5
    assert 0 <= figures["stuck"] <= 1


def test_a_picture_is_small_and_of_the_right_kind() -> None:
    scene = table_scene(position(grown(120, random.Random(9))).observe(None), look(4))
    encode(scene)
    start = time.thread_time()
    raw = encode(scene)
    assert time.thread_time() - start < 1
    assert raw.startswith(b"\x89PNG")
    assert len(raw) < 100 * 1024


def test_a_spectator_sees_a_table_and_an_empty_hand() -> None:
    state: MolecularState = GAME.deal(GAME.setup(2, bytes(32)))
    assert audit(hand_scene(state.observe(None), look(2))) == []


@pytest.mark.parametrize("rounds", range(1, 21))
def test_the_turn_track_can_be_drawn_in_any_room(rounds: int) -> None:
    """Down to boxes of a few pixels: words beside it may become longer, and it shrinks with what is left."""
    for width in range(6 * rounds, 40 * rounds + 1, rounds):
        assert draw("molecular.track", (1, rounds), width, 32, theme("default"))
