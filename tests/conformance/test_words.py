"""Law 8: every game has words and pictures for all that can happen, within Discord's limits."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot import custom_ids as ids
from bot import locales, presenters
from bot.locales import FALLBACK, catalogue
from bot.presenters.base import KEY_PATTERN, Branch, Choice, Form, Leaf, Node, Page, Pick
from bot.presenters.paths import routes, ways_to
from bot.presenters.voice import Voice
from bot.render.scene import Look, Scene
from bot.ui.choices import Decision, follow
from engine.game import SETUP_REFUSALS, TURN_REFUSALS, Game, IllegalAction, Setup
from tests.conformance.walk import Found, a_setup, every_game, looked_at, random_play, viewers
from tests.support.discord.pseudo import PSEUDO, left
from tests.support.discord.wording import (
    ALT,
    EXPLAIN,
    HARD,
    HUGE_DECISION,
    HUGE_TABLE,
    LABEL,
    LINE,
    LOCALES,
    NOTE,
    PROMPT,
    STATUS,
    TEXT,
    TITLE,
    look,
    refusals_of,
    well_labelled,
    well_said,
)
from tools.contact_sheet.galleries import gallery

seeds = st.integers(0, 2**32)


TAGLINE = 32
"""One line of the poster on a phone."""


# -- trees ------------------------------------------------------------------------------------


def nodes(node: Node) -> Iterator[Node]:
    yield node
    if isinstance(node, Branch):
        for choice in node.all_choices():
            yield from nodes(choice.child)


def check_choice(choice: Choice) -> None:
    assert re.fullmatch(KEY_PATTERN, choice.key)
    assert well_labelled(choice.label, LABEL)
    assert well_labelled(choice.note, NOTE, 0)
    assert not choice.emoji or not choice.emoji.isascii()


def check_tree(tree: Node) -> None:
    """Keys, labels and prompts are such that Discord shows them and custom ids carry them."""
    for node in nodes(tree):
        if isinstance(node, Branch):
            assert well_said(node.prompt, PROMPT)
            assert len(node.side_choices) <= 3, "what is beside the answers must not crowd them out"
            keys = [choice.key for choice in node.all_choices()]
            assert len(set(keys)) == len(keys)
            labels = [choice.label for choice in node.all_choices()]
            assert len(set(labels)) == len(labels), f"two choices that nobody can tell apart: {labels}"
            for choice in node.all_choices():
                check_choice(choice)
        elif isinstance(node, Pick):
            assert well_said(node.prompt, PROMPT)
            assert 0 <= node.least <= node.most <= len(node.items)
            keys = [item.key for item in node.items]
            assert len(set(keys)) == len(keys)
            for item in node.items:
                assert re.fullmatch(KEY_PATTERN, item.key)
                assert well_labelled(item.label, LABEL)
                assert well_labelled(item.note, NOTE, 0)
            if len(node.items) > 25:
                assert all(key and label for key, label in (item.group for item in node.items))


def told(tree: Node) -> list[tuple[str, str, str]]:
    """Everything that a tree says, for comparison."""
    found = []
    for node in nodes(tree):
        if isinstance(node, Branch):
            found.append(("", node.prompt, ""))
            found += [(choice.key, choice.label, choice.note) for choice in node.all_choices()]
        elif isinstance(node, Pick):
            found.append(("", node.prompt, f"{node.least}-{node.most}"))
            found += [(item.key, item.label, item.note) for item in node.items]
        elif isinstance(node, Form):
            found.append(("", node.title, " ".join(node.filled_in())))
            for blank in node.blanks:
                found.append((blank.key, blank.label, ""))
                found += [(item.key, item.label, item.note) for item in blank.items]
    return found


@every_game
@example(
    data=Found(Setup("duel52", 1, 3, {"variant": "triangles", "vampiric": False}, bytes(32))),
    seed=0,
    locale="en",
)
@given(data=st.data(), seed=seeds, locale=st.sampled_from(LOCALES))
def test_every_legal_action_is_one_way_through_the_tree(
    game: Game[Any, Any], data: st.DataObject, seed: int, locale: str
) -> None:
    setup = a_setup(data, game)
    presenter, rng = presenters.get(game.key), random.Random(seed)
    for state, _ in random_play(game, setup, rng):
        if rng.random() > 0.4:
            continue
        for seat in state.to_act():
            actions = list(state.legal_actions(seat))
            tree = presenter.choices(state.observe(seat), actions, look(locale))
            check_tree(tree)
            found = routes(tree, actions)
            assert ways_to(tree, actions) == {route.action: route for route in found}
            assert sorted(map(repr, (route.action for route in found))) == sorted(map(repr, actions))
            assert len({route.path for route in found}) == len(found)
            for route in found:
                text = ids.path_text(route.path)
                assert ids.path_of(ids.parse(ids.make("go", HUGE_TABLE, seat, HUGE_DECISION, text)).word(3))
                place = follow(tree, route.path)
                assert isinstance(place, Decision)
                state.verify(seat, place.action)
            for leaf in (node for node in nodes(tree) if isinstance(node, Leaf) and node.refused):
                with pytest.raises(IllegalAction) as refused:
                    state.verify(seat, leaf.action)
                assert well_said(presenter.why(refused.value, look(locale)), LINE)


@every_game
def test_who_draws_steps_has_pictures_of_them(game: Game[Any, Any]) -> None:
    presenter = presenters.get(game.key)
    if not presenter.draws_steps:
        return
    rng, shown = random.Random(5), set[Scene]()
    # two opponents, or whom a way leads to is never asked
    setup = game.setup(max(3, game.seats(game.defaults())[0]), bytes(32))
    for state, _ in random_play(game, setup, rng):
        for seat in state.to_act() if rng.random() < 0.5 else ():
            seen, actions = state.observe(seat), list(state.legal_actions(seat))
            path = rng.choice(routes(presenter.choices(seen, actions, look()), actions)).path
            for end in range(1, len(path)):
                scene = presenter.hand_at(seen, path[:end], look())
                if scene is not None:
                    check_scene(scene)
                    shown.add(scene)
    assert shown


@every_game
@given(data=st.data(), seed=seeds)
def test_words_and_pictures_come_from_the_observation_alone(
    game: Game[Any, Any], data: st.DataObject, seed: int
) -> None:
    """In a world that the viewer cannot tell from the real one, everything reads and looks the same."""
    setup = a_setup(data, game)
    presenter, rng, shown = presenters.get(game.key), random.Random(seed), look()
    for state, _ in random_play(game, setup, rng):
        if not looked_at(rng, 0.06, setup):
            continue
        for viewer in viewers(setup):
            seen = state.observe(viewer)
            other = game.sample(seen, rng)
            again = other.observe(viewer)
            assert presenter.table(seen, shown) == presenter.table(again, shown)
            assert presenter.explain(seen, shown) == presenter.explain(again, shown)
            assert presenter.status(seen, shown) == presenter.status(again, shown)
            if viewer is not None:
                assert presenter.hand(seen, shown) == presenter.hand(again, shown)
                here, there = state.legal_actions(viewer), other.legal_actions(viewer)
                assert told(presenter.choices(seen, here, shown)) == told(
                    presenter.choices(again, there, shown)
                )


# -- words while a game goes on -----------------------------------------------------------------


@every_game
@given(data=st.data(), seed=seeds, locale=st.sampled_from(LOCALES))
def test_every_event_has_a_line_for_every_viewer(
    game: Game[Any, Any], data: st.DataObject, seed: int, locale: str
) -> None:
    setup = a_setup(data, game)
    presenter = presenters.get(game.key)
    for state, _ in random_play(game, setup, random.Random(seed), events=True):
        events, state.events = state.events or [], []
        for event in events:
            for viewer in viewers(setup):
                view = event.seen_by(viewer)
                if view is None:
                    continue
                line = presenter.line(view, viewer, look(locale))
                assert line is None or (well_said(line, LINE) and "\n" not in line)


@every_game
@given(data=st.data(), seed=seeds, locale=st.sampled_from(LOCALES))
def test_status_why_and_ending_always_have_words(
    game: Game[Any, Any], data: st.DataObject, seed: int, locale: str
) -> None:
    setup = a_setup(data, game)
    presenter, rng, shown = presenters.get(game.key), random.Random(seed), look(locale)
    for state, _ in random_play(game, setup, rng):
        if not looked_at(rng, 0.3, setup) and state.to_act():
            continue
        for viewer in viewers(setup):
            seen = state.observe(viewer)
            status = presenter.status(seen, shown)
            assert well_said(status, STATUS)
            assert "\n" not in status
            assert well_said(presenter.explain(seen, shown), EXPLAIN, 0)
    outcome = state.outcome()
    assert outcome is not None
    assert well_said(presenter.ending(outcome, shown), TEXT)


@every_game
@given(data=st.data(), seed=seeds, locale=st.sampled_from(LOCALES))
def test_every_position_can_be_drawn_for_every_viewer(
    game: Game[Any, Any], data: st.DataObject, seed: int, locale: str
) -> None:
    setup = a_setup(data, game)
    presenter, rng, shown = presenters.get(game.key), random.Random(seed), look(locale)
    for state, _ in random_play(game, setup, rng):
        if not looked_at(rng, 0.2, setup) and state.to_act():
            continue
        public = presenter.table(state.observe(None), shown)
        check_scene(public)
        for seat in range(setup.seats):
            seen = state.observe(seat)
            assert presenter.table(seen, shown) == public, "the table shows more to some than to others"
            check_scene(presenter.hand(seen, shown))


def check_scene(scene: Scene) -> None:
    assert well_said(scene.alt, ALT)
    assert hash(scene) is not None


@pytest.mark.long
@every_game
def test_every_rule_that_refuses_has_a_sentence_and_the_declared_facts(game: Game[Any, Any]) -> None:
    """One search for refusals serves all that is asked of them."""
    presenter, met = presenters.get(game.key), refusals_of(game)
    hard = {refusal.rule: refusal for refusal in HARD.get(game.key, ())}
    for refusal in (*met.values(), *hard.values()):
        if refusal.rule in game.rules:
            assert game.rules[refusal.rule].trouble(refusal.facts) == "", refusal.rule
    found, own = hard | met, game.refusals - SETUP_REFUSALS - TURN_REFUSALS
    assert own <= set(found), "give an example of these in HARD"
    for locale in LOCALES:
        for rule in own:
            sentence = presenter.why(found[rule], look(locale))
            assert well_said(sentence, LINE, 10)
            assert sentence[-1] in ".!?。！？"
    if game.key in presenters.ELSEWHERE:
        return
    # no sentence of a real game is left in the code, as in test_pseudo_language.py
    foreign = Look(locale=PSEUDO, names=tuple("ЖШЩФЦЧЮЯ"))
    assert {rule: words for rule in own if (words := left(presenter.why(found[rule], foreign)))} == {}


# -- words before and beside a game -----------------------------------------------------------


@every_game
@pytest.mark.parametrize("locale", LOCALES)
def test_the_game_and_its_options_have_names(game: Game[Any, Any], locale: str) -> None:
    presenter = presenters.get(game.key)
    assert well_said(presenter.title(locale), LABEL)
    for chosen in ({}, *game.variants().values()):
        assert well_said(presenter.blurb(locale, chosen), NOTE)
    assert well_said(presenter.tagline(locale), TAGLINE)
    assert well_said(presenter.about(locale), TEXT)
    assert all(well_said(presenter.level(level, locale), LABEL) for level in game.opponents)
    for option in game.options:
        label, note = presenter.option(option.key, None, look(locale))
        assert well_said(label, TITLE)
        assert well_said(note, NOTE, 0)
        labels = []
        for value in option.values:
            label, note = presenter.option(option.key, value, look(locale))
            labels.append(label)
            assert well_said(label, TITLE)
            assert well_said(note, NOTE, 0)
        assert len(set(labels)) == len(labels)


def check_page(page: Page) -> None:
    assert well_said(page.title, TITLE)
    assert well_said(page.text, TEXT, 0)
    assert page.text or page.scene
    if page.scene is not None:
        check_scene(page.scene)


def some_options(game: Game[Any, Any]) -> Iterator[dict[str, Any] | None]:
    yield None
    yield game.defaults()
    for option in game.options:
        for value in option.values:
            yield {**game.defaults(), option.key: value}


@every_game
@pytest.mark.parametrize("locale", LOCALES)
def test_every_card_can_be_looked_up(game: Game[Any, Any], locale: str) -> None:
    presenter = presenters.get(game.key)
    cards = presenter.cards(locale)
    assert cards
    assert len({card.key for card in cards}) == len(cards)
    assert len({card.title for card in cards}) == len(cards)
    assert len({tag for card in cards for tag in card.tags}) <= 24, "more than the browser's select holds"
    rng, options = random.Random(1), list(some_options(game))
    for card in cards:
        assert re.fullmatch(KEY_PATTERN, card.key)
        assert well_said(card.title, TITLE)
        assert all(well_said(name, TITLE) for name in (*card.aliases, *card.tags))
        assert len(", ".join(card.tags)) <= NOTE
        for chosen in (None, rng.choice(options)):
            check_page(presenter.card(card.key, look(locale), chosen))
    with pytest.raises(KeyError):
        presenter.card("no-such-card", look(locale))
    overview = presenter.overview(look(locale), cards[0].tags[0] if cards[0].tags else "")
    if overview is not None:
        check_page(overview)


@every_game
@pytest.mark.parametrize("locale", LOCALES)
def test_the_rules_are_pages_that_fit(game: Game[Any, Any], locale: str) -> None:
    presenter = presenters.get(game.key)
    titles = {page.title for page in presenter.rules(locale)}
    for options in some_options(game):
        pages = presenter.rules(locale, options)
        assert {page.title for page in pages} == titles
        assert len(pages) == len(titles) <= 25
        for page in pages:
            check_page(page)


@every_game
def test_the_gallery_shows_pictures(game: Game[Any, Any]) -> None:
    shown = gallery(game.key)
    assert shown
    for title, scene in shown:
        assert well_said(title, TITLE)
        check_scene(scene)


# -- the strings themselves -------------------------------------------------------------------

ROOT = Path(locales.__file__).parents[1]
SPEAKERS = frozenset({"say", "_say", "voice", "words"})
"""How the functions are called that take a key."""
OF_EVERY_GAME = (
    "title",
    "blurb",
    "tagline",
    "about",
    "by_deal",
    "no_stronger",
    "levels_matter_little.5",
    "bold",
    "and",
    "comma",
)
"""What `Presenter` and `Voice` themselves ask of a game; and names of `level.`s, `measure.`s and `role.`s."""


def tables_of(kind: type[Voice]) -> Iterator[str]:
    """The tables of strings of all voices that games have made of this one."""
    for voice in kind.__subclasses__():
        if "table" in vars(voice):  # what several games share speaks for none of them
            yield voice.table
        yield from tables_of(voice)


presenters.offered()  # a voice is there once its presenter is imported
VOICES = tuple(f"{table}." for table in sorted(set(tables_of(Voice))))
"""Where the strings of the games stand, for what is asked of each."""


@cache
def sources() -> tuple[tuple[Path, ast.Module], ...]:
    return tuple((path, ast.parse(path.read_text("utf-8"))) for path in sorted(ROOT.rglob("*.py")))


def game_of(path: Path) -> str:
    """The prefix of the keys in this file: a presenter leaves the table of its voice out."""
    inside = path.relative_to(ROOT).with_suffix("").parts
    return f"{inside[1]}." if inside[0] == "presenters" and f"{inside[1]}." in VOICES else ""


def of_every_game(path: Path) -> bool:
    """Whether the keys in this file are asked of each game."""
    return path.relative_to(ROOT).parts[0] == "presenters" and not game_of(path)


def imports(module: ast.Module, name: str) -> bool:
    """Whether this source imports the module of that name, or something from it."""
    parent, _, stem = name.rpartition(".")
    return any(
        node.module == name or (node.module == parent and stem in (alias.name for alias in node.names))
        for node in ast.walk(module)
        if isinstance(node, ast.ImportFrom)
    )


@cache
def asked_of(path: Path) -> tuple[str, ...]:
    """The games that use this file which all may share: of these its keys are asked."""
    name = ".".join((ROOT.name, *path.relative_to(ROOT).with_suffix("").parts))
    return tuple(
        sorted({game for other, module in sources() if (game := game_of(other)) and imports(module, name)})
    )


def fixed(node: ast.AST) -> tuple[str, ...]:
    """What stands still in a string of the source, with a gap between wherever an f-string fills in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return (node.value,)
    if isinstance(node, ast.JoinedStr):
        whole = "".join(part.value if isinstance(part, ast.Constant) else "\0" for part in node.values)
        # one that says nothing before its first gap would fit every key
        return () if whole.startswith("\0") else tuple(re.split("\0+", whole))
    return ()


class Asked:
    """The keys that are asked for: many are written out, and only those with gaps need a pattern."""

    def __init__(self, texts: set[tuple[str, ...]]) -> None:
        self.plain = {text[0] for text in texts if len(text) == 1}
        gaps = (".+".join(map(re.escape, text)) for text in texts if len(text) > 1)
        self.gaps = re.compile("|".join(f"(?:{text})" for text in gaps))

    def __contains__(self, key: str) -> bool:
        return key in self.plain or self.gaps.fullmatch(key) is not None


def test_every_string_is_used() -> None:
    # of any table, of one table
    shared = {(word,) for word in OF_EVERY_GAME} | {
        (f"{table}.", "") for table in ("blurbs", "level", "measure", "measure_of", "measure_against", "role")
    }
    own = set[tuple[str, ...]]()
    for path, module in sources():
        found = {text for node in ast.walk(module) if (text := fixed(node))}
        for prefix in ("", game_of(path)) if game_of(path) else ("", "refused.", "store."):
            own |= {(prefix + first, *rest) for first, *rest in found}
        shared |= found if of_every_game(path) else set()
    of_any, of_one = Asked(shared), Asked(own)
    keys = catalogue(FALLBACK)
    assert [key for key in keys if key not in of_one and key.partition(".")[2] not in of_any] == []


def spoken_keys() -> Iterator[tuple[str, str]]:
    """The plain keys in the source that are handed to whatever speaks, with where they stand."""
    for path, module in sources():
        for node in ast.walk(module):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            speaker, first = node.func, node.args[0]
            if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
                continue
            prefix, house = game_of(path), False
            if isinstance(speaker, ast.Call):  # words(locale)("…")
                speaker = speaker.func
                if getattr(speaker, "id", "") not in ("words", "Voice"):
                    continue
                if getattr(speaker, "id", "") == "words":  # speaks for the house, whoever asks
                    prefix, house = "", True
            elif isinstance(speaker, ast.Name) and speaker.id == "words":  # words("en")
                continue
            name = getattr(speaker, "attr", getattr(speaker, "id", ""))
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            if name == "Refused":
                yield where, f"refused.{first.value}"
            elif (name in SPEAKERS or name in ("Voice",)) and "." in first.value:
                prefixes = asked_of(path) if not (prefix or house) and of_every_game(path) else (prefix,)
                yield from ((where, each + first.value) for each in prefixes)


def test_keys_of_what_games_share_are_asked_of_those_that_use_it() -> None:
    assert set(asked_of(ROOT / "presenters" / "voice.py")) == set(VOICES)
    assert set() < set(asked_of(ROOT / "presenters" / "elements" / "page.py")) <= set(VOICES)


def test_every_key_that_is_used_exists() -> None:
    known = catalogue(FALLBACK)
    assert [(where, key) for where, key in spoken_keys() if key not in known] == []


# -- the kit can fail -------------------------------------------------------------------------

LEAF = Leaf(("a",))


@pytest.mark.parametrize(
    "tree",
    [
        Branch("", (Choice("a", "A", LEAF),)),
        Branch("?", (Choice("a", "A", LEAF), Choice("a", "B", LEAF))),
        Branch("?", (Choice("a", "A", LEAF), Choice("b", "A", LEAF))),
        Branch("?", (Choice("no key!", "A", LEAF),)),
        Branch("?", (Choice("a", "A" * 81, LEAF),)),
        Branch("?", (Choice("a", "{name}", LEAF),)),
        Branch("?", (Choice("a", "A", LEAF, note="n" * 101),)),
        Branch("?", (Choice("a", "A", Branch("?", (Choice("b", "", LEAF),))),)),
        Branch("?", (Choice("a", "A", LEAF),), (Choice("a", "B", LEAF),)),
        Branch("Marie-Anne *the Great* of Nowhere?", (Choice("a", "A", LEAF),)),
        Branch("?", (Choice("a", "Marie-Anne \\*the Great\\* of Nowhere", LEAF),)),
        Branch("?", (), tuple(Choice(key, key, LEAF) for key in "abcd")),
    ],
)
def test_a_bad_tree_is_caught(tree: Node) -> None:
    with pytest.raises(AssertionError):
        check_tree(tree)
