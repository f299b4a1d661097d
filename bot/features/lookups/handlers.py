"""Looking up: cards by name, symbol or power, the browser, the picture of all cards."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from rapidfuzz import fuzz, process, utils
from typing_extensions import override

from bot import presenters
from bot.locales import languages, words
from bot.presenters.base import CardEntry, Page
from bot.render.scene import Look
from bot.tables.ports import Refused
from bot.tables.service import Service
from bot.tables.table import Table
from bot.ui import custom_ids as ids
from bot.ui.app import App
from bot.ui.commands.game_option import game_select
from bot.ui.components import Control, MenuLine, Message, page, pager, select
from bot.ui.context import Answer, Handlers, Pressed, Reach
from bot.ui.names import joined
from bot.ui.share_button import share_row
from bot.ui.table import choices as walk
from bot.ui.table.hand_handlers import own_seat
from bot.ui.table.side_answers import show_aside
from engine.game import Value

handlers = Handlers[Pressed]()

MOST_CHOICES = 25
ALSO_NAMED = 3
"""How many of the others that may have been meant are named in the line; the select has them all."""
LEAST_LIKENESS = 75
LONGEST_SIGN = 3
"""Symbols and numbers are so short that half the alphabet is like them: they fit exactly or not."""
SAME, EXACT, BEGINNING = 400.0, 300.0, 150.0
"""What a name is worth that is spelt the same, capitals too (CO is not Co); the same; begun the same."""


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card that a search brought: its game and the card."""

    game: str
    card: CardEntry


@dataclass(frozen=True, slots=True)
class _Index:
    """All cards, and every name by which one can be found: as written, as compared, whose it is, and
    as compared where it may be misspelt."""

    cards: tuple[FoundCard, ...]
    written: tuple[str, ...]
    names: tuple[str, ...]
    owners: tuple[int, ...]
    spelt: tuple[str | None, ...]


def _titles(but: str) -> list[dict[tuple[str, str], str]]:
    """What each card, by its game and key, is called in the languages that are not this one: whoever has
    learnt a name in one of them finds the card."""
    return [
        {
            (game, card.key): card.title.split(" · ")[0]
            for game in presenters.offered()
            for card in presenters.get(game).cards(language)
        }
        for language in languages()
        if language != but
    ]


@cache
def _index(locale: str) -> _Index:
    others = _titles(locale)
    cards = tuple(
        FoundCard(game, card) for game in presenters.offered() for card in presenters.get(game).cards(locale)
    )
    written: list[str] = []
    owners: list[int] = []
    for n, found in enumerate(cards):
        title = found.card.title
        elsewhere = (titles[found.game, found.card.key] for titles in others)
        for name in (title, title.split(" · ")[0], *found.card.aliases, *found.card.tags, *elsewhere):
            written.append(name)
            owners.append(n)
    names = tuple(map(utils.default_process, written))
    spelt = tuple(name if len(name) > LONGEST_SIGN else None for name in names)
    return _Index(cards, tuple(written), names, tuple(owners), spelt)


class CardNames(Service):
    """Reads the names of all cards after the start, before somebody looks for one."""

    def __init__(self, app: App) -> None:
        self._spawn = app.tables.tasks.spawn

    @override
    async def open(self) -> None:
        """Start reading in a thread; it takes some fifth of a second of CPU."""
        self._spawn(asyncio.to_thread(prepare), "names of cards")


def prepare() -> None:
    """Read the names of all cards in every language, which takes some fifth of a second of CPU once: in a
    thread, before somebody looks for a card."""
    for language in languages():
        _index(language)


LONGEST_NAME = 100
"""Characters of a name that are looked up; Discord lets people type 6,000."""


def search(
    text: str, locale: str, *, game: str = "", first: Collection[str] = (), most: int = MOST_CHOICES
) -> list[FoundCard]:
    """The cards that fit best: exact names first, then by likeness, so that typos are forgiven.

    `game` leaves out those of other games; `first` are the games whose cards go before equals.
    """
    if not utils.default_process(text):
        found = [found for found in _index(locale).cards if not game or found.game == game]
        return sorted(found, key=lambda found: found.game not in first)[:most]
    return [found for found, _ in _ranked(text, locale, game, first)][:most]


def _ranked(text: str, locale: str, game: str, first: Collection[str]) -> list[tuple[FoundCard, float]]:
    """The cards that what is typed fits, the likeliest first, with how well it does."""
    text = text[:LONGEST_NAME]
    index, typed, wanted = _index(locale), text.strip(), utils.default_process(text)
    cards = index.cards
    alike = process.extract(wanted, index.spelt, scorer=fuzz.WRatio, limit=200, score_cutoff=LEAST_LIKENESS)
    scores = [(score, at) for _, score, at in alike]
    for at, name in enumerate(index.names):
        if name == wanted:
            scores.append((SAME if index.written[at] == typed else EXACT, at))
        elif name.startswith(wanted):
            scores.append((BEGINNING, at))
    best: dict[int, float] = {}
    for score, at in scores:
        owner = index.owners[at]
        if not game or cards[owner].game == game:
            best[owner] = max(best.get(owner, 0.0), score)
    order = sorted(best, key=lambda owner: (-best[owner], cards[owner].game not in first, owner))
    once = {id(found) for found in _each_once(cards[owner] for owner in order)}
    return [(cards[owner], best[owner]) for owner in order if id(cards[owner]) in once]


def namesakes(text: str, locale: str, shown: FoundCard) -> list[FoundCard]:
    """The other cards with exactly this name, sign or power; none for one that was chosen from a list."""
    if card_key(shown) == text or not utils.default_process(text):
        return []
    return [found for found, score in _ranked(text, locale, "", ()) if score >= EXACT and found != shown]


def _each_once(found: Iterable[FoundCard]) -> list[FoundCard]:
    """The first of cards that several games share under the same title."""
    first: dict[str, FoundCard] = {}
    for one in found:
        first.setdefault(one.card.title, one)
    return list(first.values())


def card_key(found: FoundCard) -> str:
    """A card as the value of an autocomplete choice."""
    return f"{found.game}:{found.card.key}"


async def in_view(answer: Answer) -> list[FoundCard]:
    """The cards that lie open before the person: at the tables of this channel, where their own hand counts,
    then at their other tables, and never at practice. For their eyes alone."""
    here = await answer.tables.in_channel(answer.interaction.channel_id or 0, practice=False)
    mine = [each for each in await answer.tables.of_user(answer.user_id) if not each.stored.terms.practice]
    known = {card_key(found): found for found in _index(answer.locale).cards}
    seen: dict[str, FoundCard] = {}
    for table in sorted(
        dict.fromkeys((*here, *mine)), key=lambda table: (table not in here, table not in mine)
    ):
        if table.state is None or not presenters.offers(table.game.key):
            continue
        seat = next(iter(table.seats_of(answer.user_id)), None)
        for key in presenters.get(table.game.key).in_view(table.state.observe(seat)):
            if found := known.get(f"{table.game.key}:{key}"):
                seen[card_key(found)] = found
    return list(seen.values())


def find(text: str, locale: str, first: Collection[str] = ()) -> FoundCard:
    """The card that was chosen from the list, or the likeliest for what was typed.

    See `search` for `first`.

    Raises:
        Refused: nothing is like it.
    """
    chosen = next((found for found in _index(locale).cards if card_key(found) == text), None)
    if chosen is not None:
        return chosen
    likely = search(text, locale, first=first, most=1) if utils.default_process(text) else []
    if not likely:
        raise Refused("unknown_card", name=text[:50])
    return likely[0]


async def options_here(answer: Answer, game: str) -> Mapping[str, Value] | None:
    """The options of the person's table of this game, one in this channel first; None without one."""
    table = await table_here(answer, game)
    return table.stored.options if table is not None else None


async def table_here(answer: Answer, game: str) -> Table | None:
    """The person's table of a game, one in this channel first."""
    mine: list[Table] = [t for t in await answer.tables.of_user(answer.user_id) if t.game.key == game]
    mine.sort(key=lambda table: table.stored.channel_id != answer.interaction.channel_id)
    return mine[0] if mine else None


async def card_message(answer: Answer, found: FoundCard, others: Sequence[FoundCard] = ()) -> Message:
    """What a card is and does; below it the way to others that may have been meant."""
    look, also = Look(locale=answer.locale), _also(answer, found, others)
    presenter, table = presenters.get(found.game), await table_here(answer, found.game)
    if table is not None and table.state is not None:
        seat = table.seats_of(answer.user_id)[0]
        shown = presenter.looked_up(found.card.key, look, table.stored.options, table.state.observe(seat))
    else:
        shown = presenter.card(found.card.key, look, await options_here(answer, found.game))
    share = share_row(answer, "card", found.game, found.card.key)
    return shown_card(answer, found, shown, *also, share)


def shown_card(answer: Answer, found: FoundCard, shown: Page, *more: str | list[Control]) -> Message:
    """The page of a card with its game, and what else is to stand below it."""
    game = answer.say("cards.of_game", game=presenters.get(found.game).title(answer.locale))
    return page(f"### {shown.title}\n{game}", shown.scene or "", shown.text, *more)


def twins(found: FoundCard, locale: str) -> list[FoundCard]:
    """The same card in other games: iron is in four."""
    cards = _index(locale).cards
    return [other for other in cards if other.card.title == found.card.title and other.game != found.game]


def _also(answer: Answer, shown: FoundCard, namesakes: Sequence[FoundCard]) -> list[str | list[Control]]:
    """The other games with this card and the first of its namesakes in words, and a select with all."""
    same, lines = twins(shown, answer.locale), list[str]()
    if same:
        games = joined([presenters.get(found.game).title(answer.locale) for found in same], answer.locale)
        lines.append(answer.say("cards.also_in", games=games))
    if namesakes:
        titles, more = (
            answer.say("table.comma").join(found.card.title for found in namesakes[:ALSO_NAMED]),
            len(namesakes) - ALSO_NAMED,
        )
        key = "cards.also_more" if more > 0 else "cards.also"
        lines.append(answer.say(key, names=titles, n=more))
    others = [*same, *namesakes]
    if not others:
        return []
    line = "\n".join(lines)
    choices = [
        MenuLine(card_key(found), found.card.title, presenters.get(found.game).title(answer.locale))
        for found in others[: walk.OPTIONS]
    ]
    return [line, [select(answer.say("cards.also_choose"), ids.make("card-also"), choices)]]


@handlers.on("card-also")
async def _card_also(pressed: Pressed) -> None:
    await pressed.private(await card_message(pressed, find(pressed.value, pressed.locale)))


# -- the cards at hand ------------------------------------------------------------------------


@handlers.on("help", Reach.HAND)
async def _help(pressed: Pressed) -> None:
    """What the cards at hand do: `help:table:seat`, with a card chosen or the first of them."""
    table = await pressed.table()
    seat = own_seat(table, pressed.ref.number(1), pressed.user_id)
    if table.state is None:
        raise Refused("not_started")
    presenter, observation = presenters.get(table.game.key), table.state.observe(seat)
    look = Look(locale=pressed.locale)
    titles = {card.key: card.title for card in presenter.cards(pressed.locale)}
    keys = [key for key in dict.fromkeys(presenter.at_hand(observation)) if key in titles][: walk.OPTIONS]
    if not keys:
        raise Refused("no_cards")
    chosen = pressed.value if pressed.values and pressed.value in keys else keys[0]
    shown = presenter.looked_up(chosen, look, table.stored.options, observation)
    lines = [MenuLine(key, titles[key], chosen=key == chosen) for key in keys]
    menu = select(pressed.say("cards.choose"), ids.make("help", table.id, seat), lines)
    message = page(f"### {shown.title}", shown.scene or "", shown.text, [menu])
    await show_aside(pressed, table, message)


# -- the browser ------------------------------------------------------------------------------


def browser(answer: Answer, game: str, tag: str = "", at: int = 0) -> Message:
    """The cards of a game, by tag and page; choosing one shows it."""
    say = words(answer.locale)
    presenter = presenters.get(game)
    cards = presenter.cards(answer.locale)
    tags = list(dict.fromkeys(tag for card in cards for tag in card.tags))
    here = [card for card in cards if not tag or tag in card.tags]
    last = walk.pages(len(here))
    at %= last
    lines = [
        MenuLine(card.key, card.title, say("table.comma").join(card.tags))
        for card in here[at * walk.OPTIONS : (at + 1) * walk.OPTIONS]
    ]
    tag_at = tags.index(tag) + 1 if tag in tags else 0
    head = say("cards.heading", game=presenter.title(answer.locale))
    told = say("cards.found", n=len(here), tag=tag or say("cards.every"))
    controls: list[Control] = []
    if tags:
        kinds = [MenuLine("0", say("cards.every").capitalize(), chosen=not tag_at)] + [
            MenuLine(str(n), name, chosen=n == tag_at) for n, name in enumerate(tags[:24], 1)
        ]
        controls.append(select(say("cards.choose_tag"), ids.make("cards-tag", game), kinds))
    controls.append(select(say("cards.choose"), ids.make("cards-one", game, tag_at, at), lines))
    controls += pager(say, at, last, "cards-page", game, tag_at)
    controls.append(game_select(ids.make("cards-game"), game, answer.locale))
    overview = presenter.overview(Look(locale=answer.locale), tag)
    scene = overview.scene if overview is not None and overview.scene is not None else ""
    return page(head, scene, told, controls)


def _tag(game: str, number: int, locale: str) -> str:
    cards = presenters.get(game).cards(locale)
    tags = list(dict.fromkeys(tag for card in cards for tag in card.tags))
    return tags[number - 1] if 0 < number <= len(tags) else ""


@handlers.on("cards-tag")
async def _cards_tag(pressed: Pressed) -> None:
    game, chosen = pressed.game(), pressed.value
    tag = _tag(game, int(chosen) if chosen.isdecimal() else 0, pressed.locale)
    await pressed.turn(browser(pressed, game, tag))


@handlers.on("cards-game")
async def _cards_game(pressed: Pressed) -> None:
    await pressed.turn(browser(pressed, pressed.chosen_game()))


@handlers.on("cards-page")
async def _cards_page(pressed: Pressed) -> None:
    game = pressed.game()
    tag = _tag(game, pressed.ref.number(1), pressed.locale)
    await pressed.turn(browser(pressed, game, tag, pressed.ref.number(2)))


@handlers.on("cards-one")
async def _cards_one(pressed: Pressed) -> None:
    game = pressed.game()
    found = find(f"{game}:{pressed.value}", pressed.locale)
    message = await card_message(pressed, found)
    await pressed.private(message)


async def share_card_page(pressed: Pressed, answer: Answer) -> Message:
    """Return a card for everyone, at the level of the newest table in the channel: `share:card:game:key`."""
    ref = pressed.ref
    found = find(f"{ref.word(1)}:{ref.word(2)}", answer.locale)
    here = await answer.tables.in_channel(answer.interaction.channel_id or 0, practice=False)
    options = next((table.stored.options for table in here if table.game.key == found.game), None)
    shown = presenters.get(found.game).card(found.card.key, Look(locale=answer.locale), options)
    return shown_card(answer, found, shown)
