"""Games on paper: where cards lie, which there are, and what the file says."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from itertools import pairwise

import pytest

from bot import presenters
from bot.locales import languages
from bot.presenters.printing import deck, may_be_printed, plain, rule_blocks
from bot.render.canvas import paint
from bot.render.check import audit
from bot.render.pdf import Area, LaidPage, PdfSheet, Stroke, pdf
from bot.render.printing import (
    CARD,
    EACH,
    EDGE,
    PALETTE,
    PAPERS,
    TALL,
    Paper,
    back,
    blank,
    card_sheets,
    marks,
    mirrored,
    places,
    rule_sheets,
)
from bot.render.scene import BASE_WIDTH, Item, ItemGroup, Look, Panel, Scene, Sprite, Text
from engine import catalog
from engine.playing_cards import DECK54, RANK_LABELS, RANK_OF, SUIT_NAMES, SUIT_OF

LOOK = Look(palette=PALETTE)
DOTS = 300
"""Pixels an inch that a print needs."""
papers = pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)


def touching(areas: tuple[Area, ...]) -> bool:
    """Whether the cards of a sheet lie edge to edge."""
    rows = [areas[at : at + 3] for at in range(0, EACH, 3)]
    return all(
        one.x + one.width == pytest.approx(other.x) and one.y == other.y
        for row in rows
        for one, other in pairwise(row)
    ) and all(
        one.y + one.height == pytest.approx(other.y) and one.x == other.x
        for above, below in pairwise(rows)
        for one, other in zip(above, below, strict=True)
    )


# -- sheets ---------------------------------------------------------------------------------


@papers
def test_nine_cards_of_poker_size_lie_in_the_middle_edge_to_edge(paper: Paper) -> None:
    found = places(paper)
    assert len(found) == 9
    assert {(area.width, area.height) for area in found} == {(63.0, 88.0)}
    assert touching(found)
    first, last = found[0], found[-1]
    assert first.x == pytest.approx(paper.width - last.x - last.width)
    assert first.y == pytest.approx(paper.height - last.y - last.height)
    assert min(first) > 0


@papers
def test_every_cut_has_a_mark_at_both_ends_beside_the_cards(paper: Paper) -> None:
    cards, found = places(paper), marks(paper)
    upright = Counter(round(line.x0, 3) for line in found if line.x0 == line.x1)
    level = Counter(round(line.y0, 3) for line in found if line.y0 == line.y1)
    edges = {round(edge, 3) for card in cards for edge in (card.x, card.x + card.width)}
    assert upright == dict.fromkeys(edges, 2)
    edges = {round(edge, 3) for card in cards for edge in (card.y, card.y + card.height)}
    assert level == dict.fromkeys(edges, 2)
    left, right, top, bottom = cards[0].x, cards[-1].x + CARD[0], cards[0].y, cards[-1].y + CARD[1]
    for line in found:
        assert min(line) > 0
        assert max(line.x0, line.x1) < paper.width
        assert max(line.y0, line.y1) < paper.height
        outside = line.x1 < left or line.x0 > right or line.y1 < top or line.y0 > bottom
        assert outside, "a mark would stay on a card"


@papers
def test_a_back_lies_behind_its_front_when_the_paper_is_flipped(paper: Paper) -> None:
    """Along the long edge: left and right change places, above and below do not."""
    fronts = places(paper)
    behind = [mirrored(area, paper) for area in fronts]
    for front, turned in zip(fronts, behind, strict=True):
        assert turned.x + turned.width == pytest.approx(paper.width - front.x)
        assert turned.y == front.y
        assert mirrored(turned, paper).x == pytest.approx(front.x)
    assert behind[0].x == pytest.approx(fronts[2].x)  # the first card of a row is the last one from behind


@papers
def test_sheets_of_fronts_and_backs_take_turns_and_blanks_fill_the_last(paper: Paper) -> None:
    cards = deck("duel52", 2, LOOK)
    assert cards is not None
    sheets = list(card_sheets(cards.fronts, LOOK, paper))
    assert len(sheets) == 2 * 6
    fronts, backs = sheets[::2], sheets[1::2]
    laid = [picture.scene for sheet in fronts for picture in sheet.pictures]
    assert laid == [*cards.fronts, blank(LOOK), blank(LOOK)]
    for front, behind in zip(fronts, backs, strict=True):
        assert [picture.area for picture in front.pictures] == list(places(paper))
        assert [picture.area for picture in behind.pictures] == [mirrored(at, paper) for at in places(paper)]
        assert {picture.scene for picture in behind.pictures} == {back(LOOK)}
        assert front.lines == behind.lines == marks(paper)
        assert front.ground is None
        assert behind.ground is not None
        ground = behind.ground[0]
        for picture in behind.pictures:
            assert ground.x < picture.area.x
            assert ground.x + ground.width > picture.area.x + picture.area.width
    assert list(card_sheets(cards.fronts, LOOK, paper, backs=False)) == fronts


def test_cards_are_sharp_enough() -> None:
    assert BASE_WIDTH / (CARD[0] / 25.4) > DOTS
    assert pytest.approx(CARD[0] / CARD[1], rel=0.001) == BASE_WIDTH / TALL


# -- cards ----------------------------------------------------------------------------------


def faces(fronts: tuple[Scene, ...]) -> Counter[tuple[object, ...]]:
    return Counter(
        item.args
        for scene in fronts
        for item in scene.items
        if isinstance(item, Sprite) and item.painter in ("cards.face", "cards.wide")
    )


def test_duel_52_has_every_card_once_with_its_power() -> None:
    made = deck("duel52", 2, LOOK)
    assert made is not None
    every = {(RANK_LABELS[RANK_OF[card]], SUIT_NAMES[SUIT_OF[card]]) for card in range(52)}
    assert faces(made.fronts) == dict.fromkeys(every, 1)
    for scene in made.fronts:
        assert sum(isinstance(item, Text) for item in scene.items) == 2  # its name, and what it does


@pytest.mark.parametrize(("seats", "packs"), [(4, 3), (5, 5)])
def test_atom_has_as_many_packs_as_its_players_need(seats: int, packs: int) -> None:
    made = deck("atom", seats, LOOK)
    assert made is not None
    assert len(made.fronts) == packs * len(DECK54)
    found = faces(made.fronts)
    assert set(found.values()) == {packs}
    assert len(found) == len(DECK54)
    assert {("★", "black"), ("★", "red")} < set(found)


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", may_be_printed())
def test_nothing_on_a_card_is_cut_or_near_its_edge(game: str, language: str) -> None:
    made = deck(game, 4, Look(locale=language, palette=PALETTE))
    assert made is not None

    def near(item: Item) -> bool:
        box = item.rect
        return min(box.x, box.y, BASE_WIDTH - box.right, TALL - box.bottom) < EDGE

    for scene in dict.fromkeys(made.fronts):
        assert (scene.width, scene.height) == (BASE_WIDTH, TALL)
        assert audit(scene) == []
        paper, *items = scene.items
        assert isinstance(paper, Panel)
        assert not any(map(near, items))


def test_other_games_are_their_makers() -> None:
    """Each game that may be printed says in its credits why; of the others there is no deck."""
    reasons = {"atom": "belongs to everybody", "duel52": "share it with the world"}
    assert set(may_be_printed()) == set(reasons)
    for game in catalog.listed():
        about = presenters.get(game).about("en")
        assert (deck(game, 4, LOOK) is not None) == (game in reasons)
        assert game not in reasons or reasons[game] in about


# -- rules ----------------------------------------------------------------------------------


def strings(items: tuple[Item, ...]) -> list[str]:
    found = []
    for item in items:
        if isinstance(item, Text):
            found.append(item.string)
        elif isinstance(item, ItemGroup):
            found += strings(item.items)
    return found


@papers
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", may_be_printed())
def test_the_rules_are_all_there_and_nothing_is_cut(game: str, language: str, paper: Paper) -> None:
    look = Look(locale=language, palette=PALETTE)
    made = deck(game, 4, look)
    assert made is not None
    sheets = list(rule_sheets(rule_blocks(game, made.rules, language), "rules", look, paper))
    columns = [laid for sheet in sheets for laid in sheet.pictures]
    said = [string for laid in columns for string in strings(laid.scene.items)]
    for laid in columns:
        assert audit(laid.scene) == []
        assert laid.area.x > 0
        assert laid.area.x + laid.area.width < paper.width
        assert laid.area.y + laid.area.height < paper.height
    titles = [page.title for page in made.rules]
    assert [string for string in said if string in titles] == titles
    assert said[0] == presenters.get(game).title(language)
    assert said[-1] == plain(presenters.get(game).about(language))
    assert not any("`" in string or "**" in string or "](" in string for string in said)
    lines = sum(bool(line.strip()) for page in made.rules for line in page.text.splitlines())
    assert len(said) >= lines


# -- the file -------------------------------------------------------------------------------


def streams(data: bytes) -> list[tuple[str, bytes]]:
    """The streams of a file: what stands before each, and what is in it."""
    found = re.finditer(rb"<<\n((?:/[^\n]*\n)*)>>\nstream\n", data)
    return [
        (head, zlib.decompress(data[each.end() : each.end() + int(head.split("/Length ")[1].split()[0])]))
        for each in found
        for head in [each[1].decode()]
    ]


def drawn(data: bytes) -> list[str]:
    """What draws each side of paper."""
    return [told.decode() for head, told in streams(data) if told.startswith(b"2 J")]


def test_a_file_keeps_a_picture_once_and_says_where_it_lies() -> None:
    card = blank(LOOK)
    sheet = PdfSheet(
        (LaidPage(card, Area(10, 20, *CARD)), LaidPage(card, Area(80, 20, *CARD))), (Stroke(1, 2, 1, 5),)
    )
    data = pdf([sheet, sheet, PdfSheet()], 210, 297, "Düell")
    assert data == pdf([sheet, sheet, PdfSheet()], 210, 297, "Düell")
    assert data.startswith(b"%PDF-1.7\n")
    assert data.count(b"/Type /Page\n") == len(drawn(data)) == 3
    assert b"/Count 3" in data
    assert b"/MediaBox [0 0 595.28 841.89]" in data
    assert "Düell".encode("utf-16-be").hex().encode() in data
    assert b"/PrintScaling /None" in data
    assert b"/Duplex /DuplexFlipLongEdge" in data
    lines = drawn(data)[0].splitlines()
    # 20 mm from above: 297 - 20 - 88 from below
    left = lines.index("q 178.58 0 0 249.45 28.35 535.75 cm /I1 Do Q")
    assert lines[left + 1] == "q 178.58 0 0 249.45 226.77 535.75 cm /I1 Do Q"
    assert lines[left + 2] == "2.83 836.22 m 2.83 827.72 l S"
    assert "0.57 w" in lines


def test_a_picture_in_a_file_lost_nothing() -> None:
    card = back(LOOK)
    data = pdf(
        [PdfSheet((LaidPage(card, Area(0, 0, *CARD)),), (), (Area(1, 1, 5, 5), "back"))], 210, 297, "x"
    )
    ((head, pixels),) = [found for found in streams(data) if "/Image" in found[0]]
    assert f"/Width {BASE_WIDTH}\n" in head
    assert f"/Height {TALL}\n" in head
    # each line begins with how it was filtered: not at all
    rows = [pixels[at : at + BASE_WIDTH + 1] for at in range(0, len(pixels), BASE_WIDTH + 1)]
    assert {row[0] for row in rows} == {0}
    image = paint(card)
    assert b"".join(row[1:] for row in rows) == image.tobytes()
    assert bytes(image.getpalette() or ()) in [told for _, told in streams(data)]
    ground, fill = drawn(data)[0].splitlines()[2:4]
    assert ground.endswith(" rg")
    assert fill == "2.83 839.06 14.17 -14.17 re f"
