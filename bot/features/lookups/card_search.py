"""Finding cards by name, symbol, number or power, in every language, with typos."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from rapidfuzz import fuzz, process, utils

from bot import presenters
from bot.core.errors import Refused
from bot.locales import languages
from bot.presenters.base import CardEntry
from bot.typed_names import as_pinyin, pinyin, spellings

MOST_CHOICES = 25
LEAST_LIKENESS = 75
LONGEST_SIGN = 3
"""Longest name that must match exactly: many cards resemble a symbol or a number."""
SAME, EXACT, SOUND, BEGINNING, SOUND_BEGINNING = 400.0, 300.0, 200.0, 150.0, 110.0
"""Scores of a name that equals the text, of one that equals it but for capitals (CO is not Co), of one
that is read aloud like it (`pinyin`), and of names that begin with it, as written and as read."""


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card and its game."""

    game: str
    card: CardEntry


@dataclass(frozen=True, slots=True)
class _Index:
    """All cards and the names that find them.

    Attributes:
        cards: The cards of all games.
        written: Every name, as written.
        names: The same names, as compared.
        owners: The place in `cards` of the card with each name.
        spelt: The names that may be misspelt, as compared; None for short ones.
        read: How Chinese names are read aloud, with the place of their card in `cards`.
    """

    cards: tuple[FoundCard, ...]
    written: tuple[str, ...]
    names: tuple[str, ...]
    owners: tuple[int, ...]
    spelt: tuple[str | None, ...]
    read: tuple[tuple[str, int], ...]


def _names(card: CardEntry) -> tuple[str, ...]:
    """Return what a card is called in its language."""
    return (card.title.split(" · ")[0], *card.aliases)


def _names_elsewhere(but: str) -> list[dict[tuple[str, str], tuple[str, ...]]]:
    """Return the names of cards, by game and key, in each language but this one.

    People may know a card by its name in another language.
    """
    return [
        {
            (game, card.key): _names(card)
            for game in presenters.offered()
            for card in presenters.get(game).cards(language)
        }
        for language in languages()
        if language != but
    ]


@cache
def _index(locale: str) -> _Index:
    others = _names_elsewhere(locale)
    cards = tuple(
        FoundCard(game, card) for game in presenters.offered() for card in presenters.get(game).cards(locale)
    )
    written: list[str] = []
    owners: list[int] = []
    for n, found in enumerate(cards):
        elsewhere = chain.from_iterable(names[found.game, found.card.key] for names in others)
        for name in dict.fromkeys((found.card.title, *_names(found.card), *found.card.tags, *elsewhere)):
            written.append(name)
            owners.append(n)
    names = tuple(map(utils.default_process, written))
    spelt = tuple(name if len(name) > LONGEST_SIGN else None for name in names)
    read = tuple(
        (reading, owner) for name, owner in zip(written, owners, strict=True) for reading in pinyin(name)
    )
    return _Index(cards, tuple(written), names, tuple(owners), spelt, read)


def every_card(locale: str) -> Sequence[FoundCard]:
    """Return the cards of all games."""
    return _index(locale).cards


def prepare() -> None:
    """Read the names of all cards in every language, which takes a fifth of a second of CPU once."""
    for language in languages():
        _index(language)


LONGEST_NAME = 100
"""Characters of a name that are looked up; Discord lets people type 6,000."""


def search(
    text: str, locale: str, *, game: str = "", first: Collection[str] = (), most: int = MOST_CHOICES
) -> list[FoundCard]:
    """Return the best matches: exact names first, then similar ones, since people mistype.

    `game` limits the search to one game. Cards of the games in `first` come before equally good ones.
    """
    if not utils.default_process(text):
        found = [found for found in _index(locale).cards if not game or found.game == game]
        return sorted(found, key=lambda found: found.game not in first)[:most]
    return [found for found, _ in _ranked(text, locale, game, first)][:most]


def _ranked(text: str, locale: str, game: str, first: Collection[str]) -> list[tuple[FoundCard, float]]:
    """Return the cards that match a text with their scores, the best first.

    Traditional Chinese and pinyin match the Simplified names.
    """
    text = text[:LONGEST_NAME].strip()
    index, best = _index(locale), dict[int, float]()
    cards = index.cards
    for score, owner in chain(_by_sound(text, index), *(_by_name(each, index) for each in spellings(text))):
        if not game or cards[owner].game == game:
            best[owner] = max(best.get(owner, 0.0), score)
    order = sorted(best, key=lambda owner: (-best[owner], cards[owner].game not in first, owner))
    once = {id(found) for found in _each_once(cards[owner] for owner in order)}
    return [(cards[owner], best[owner]) for owner in order if id(cards[owner]) in once]


def _by_name(typed: str, index: _Index) -> Iterator[tuple[float, int]]:
    """Yield the score and the card of each name that is like a text, or begins with it."""
    wanted = utils.default_process(typed)
    alike = process.extract(wanted, index.spelt, scorer=fuzz.WRatio, limit=200, score_cutoff=LEAST_LIKENESS)
    for _, score, at in alike:
        yield score, index.owners[at]
    for name, written, owner in zip(index.names, index.written, index.owners, strict=True):
        if name == wanted:
            yield (SAME if written == typed else EXACT), owner
        elif name.startswith(wanted):
            yield BEGINNING, owner


def _by_sound(typed: str, index: _Index) -> Iterator[tuple[float, int]]:
    """Yield the score and the card of each name that is read aloud as a text, or begins so."""
    wanted = as_pinyin(typed)
    for reading, owner in index.read if wanted else ():
        if reading == wanted:
            yield SOUND, owner
        elif reading.startswith(wanted):
            yield SOUND_BEGINNING, owner


def namesakes(text: str, locale: str, shown: FoundCard) -> list[FoundCard]:
    """Return the other cards with exactly this name, symbol or power; none if one was chosen from a list."""
    if card_key(shown) == text or not utils.default_process(text):
        return []
    return [found for found, score in _ranked(text, locale, "", ()) if score >= EXACT and found != shown]


def _each_once(found: Iterable[FoundCard]) -> list[FoundCard]:
    """Return one card for each title, since games share cards."""
    first: dict[str, FoundCard] = {}
    for one in found:
        first.setdefault(one.card.title, one)
    return list(first.values())


def card_key(found: FoundCard) -> str:
    """Return the value of an autocomplete choice for a card."""
    return f"{found.game}:{found.card.key}"


def find(text: str, locale: str, first: Collection[str] = ()) -> FoundCard:
    """Return the card that was chosen from the list, or the best match for the text.

    See `search` for `first`.

    Raises:
        Refused: nothing is like it.
    """
    chosen = next((found for found in every_card(locale) if card_key(found) == text), None)
    if chosen is not None:
        return chosen
    likely = search(text, locale, first=first, most=1) if utils.default_process(text) else []
    if not likely:
        raise Refused("unknown_card", name=text[:50])
    return likely[0]


def twins(found: FoundCard, locale: str) -> list[FoundCard]:
    """Return the same card in other games: iron is in four."""
    return [
        other
        for other in every_card(locale)
        if other.card.title == found.card.title and other.game != found.game
    ]
