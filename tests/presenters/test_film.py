"""The files of a finished game: whole, small enough, without a network, and telling nothing too early."""

from __future__ import annotations

import io
import random
import re
from html.parser import HTMLParser

import pytest
from PIL import Image

from bot.locales import words
from bot.presenters.film import OPEN, TABLE, Film, shots
from bot.presenters.film_files import GIF_BYTES, coarse_first, gif_of, page_of
from bot.render.scene import Look
from engine import catalog
from engine.arena import key_of
from engine.game import Value, as_json
from tests.support.share import share

NAMES = ("Ann <b>", "Ben & Co", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")
FEW = 800 * 1024
"""Room for all words and some pictures: the law of a page does not hang on how many there are."""
VOID = {"meta", "img", "br", "input"}


def film(key: str, view: str = TABLE, locale: str = "en", **options: Value) -> Film:
    """A game played at random."""
    game, rng = catalog.get(key), random.Random(key)
    seats = game.seats(game.defaults())[0]
    setup = game.setup(seats, key_of(5, 0), **options)
    state, acts = game.deal(setup), []
    while waiting := state.to_act():
        action = rng.choice(state.legal_actions(waiting[0]))
        acts.append((waiting[0], as_json(action), False))
        state.apply(waiting[0], action)
    look = Look(locale, names=NAMES[:seats])
    return Film(key, setup, acts, look, look, view)


class Reader(HTMLParser):
    """What a page holds: its tags balanced, its pictures with words, its headings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.pictures: list[dict[str, str | None]] = []
        self.outside: list[str] = []
        self.headings = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = dict(attrs)
        if tag == "img":
            self.pictures.append(facts)
        self.headings += tag == "h2"
        self.outside += [f"{tag} {name}" for name in ("href", "srcset", "action") if name in facts]
        self.outside += [tag for name, value in attrs if name == "src" and not str(value).startswith("data:")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.long
@pytest.mark.parametrize("key", share(catalog.listed(), 4))
def test_a_page_holds_every_turn_and_needs_nothing(key: str) -> None:
    made = film(key)
    data = page_of(made, FEW)
    assert len(data) <= FEW
    text, found = data.decode(), list(shots(made))
    page = Reader(text)
    assert not page.open
    assert not page.outside
    assert "http" not in re.sub(r"http-equiv", "", text)
    assert page.headings == len(found)
    assert page.pictures
    assert all(picture["alt"] for picture in page.pictures)
    assert '<html lang="en">' in text
    assert "<b>" not in text, "names are data"
    # how it ended stands in the last turn alone
    before, _, last = text.rpartition("<section")
    assert words("en")("film.end") in last
    assert all(not shot.ending for shot in found[:-1])
    assert found[-1].ending
    assert 'class="end"' not in before


@pytest.mark.parametrize("view", ["0", OPEN])
def test_a_page_from_a_seat_or_with_all_hands(view: str) -> None:
    made = film("atom_duel", view, "zh-CN", rounds=1)
    text = page_of(made).decode()
    found = list(shots(made))
    assert '<html lang="zh-CN">' in text
    assert text.count("<img") == sum(len(shot.pictures) for shot in found)
    assert ("<h3>" in text) == (view == OPEN)


def test_what_does_not_fit_is_left_out_evenly_and_told_in_words() -> None:
    made = film("atom_duel")
    whole = len(page_of(made))
    text = page_of(made, whole // 2).decode()
    assert len(text.encode()) <= whole // 2
    drawn = [number for number, step in enumerate(text.split("<section")[1:]) if "<img" in step]
    steps = text.count("<section")
    assert drawn[0] == 0
    assert drawn[-1] == steps - 1
    assert 2 < len(drawn) < steps
    assert sorted(coarse_first(steps)) == list(range(steps))


@pytest.mark.long
@pytest.mark.parametrize("key", catalog.listed())
def test_a_gif_is_small_and_ends_at_the_end(key: str) -> None:
    made = film(key)
    data = gif_of(made)
    assert len(data) <= GIF_BYTES
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.n_frames > 2  # type: ignore[attr-defined]
        assert "loop" not in picture.info


def test_a_gif_that_cannot_fit_is_none() -> None:
    with pytest.raises(ValueError, match="does not fit"):
        gif_of(film("atom_duel", rounds=1), 1000)
