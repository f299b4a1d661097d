"""The messages of /card and /cards: a card, by the options of the asker's table, and all cards of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot import presenters
from bot.features.lookups.card_search import FoundCard, card_key, every_card, twins
from bot.locales import words
from bot.presenters.base import Page
from bot.render.scene import Look
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui import choices as walk
from bot.ui.components import Control, MenuLine, Message, page, select
from bot.ui.context import Answer
from bot.ui.names import joined
from bot.ui.navigation import game_select, pager, share_row
from engine.game import Value

ALSO_NAMED = 3
"""Number of namesakes that the line names; the select has them all."""


async def in_view(answer: Answer) -> list[FoundCard]:
    """Return the cards that the person can see at tables: of this channel first, then at their others.

    Their own hand counts, so only they may see the answer. Practice tables are left out.
    """
    here = await answer.service(Tables).in_channel(answer.interaction.channel_id or 0, practice=False)
    mine = [
        each
        for each in await answer.service(Tables).of_user(answer.user_id)
        if not each.stored.terms.practice
    ]
    known = {card_key(found): found for found in every_card(answer.locale)}
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


async def options_here(answer: Answer, game: str) -> Mapping[str, Value] | None:
    """Return the options of the person's table of this game, one in this channel first; None without one."""
    table = await table_here(answer, game)
    return table.stored.options if table is not None else None


async def table_here(answer: Answer, game: str) -> Table | None:
    """Return the person's table of a game, preferably one in this channel."""
    mine: list[Table] = [
        t for t in await answer.service(Tables).of_user(answer.user_id) if t.game.key == game
    ]
    mine.sort(key=lambda table: table.stored.channel_id != answer.interaction.channel_id)
    return mine[0] if mine else None


async def card_message(answer: Answer, found: FoundCard, others: Sequence[FoundCard] = ()) -> Message:
    """Return the page of a card, with a select of other cards that may have been meant."""
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
    """Return the page of a card with its game, and `more` below it."""
    game = answer.say("cards.of_game", game=presenters.get(found.game).title(answer.locale))
    return page(f"### {shown.title}\n{game}", shown.scene or "", shown.text, *more)


def _also(answer: Answer, shown: FoundCard, namesakes: Sequence[FoundCard]) -> list[str | list[Control]]:
    """Return a line that names other games with this card and some namesakes, and a select of them all."""
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
    return [line, [select(answer.say("cards.also_choose"), choices, "card-also")]]


def browser(answer: Answer, game: str, tag: str = "", at: int = 0) -> Message:
    """Return one page of the cards of a game, limited to a tag if given; choosing a card shows it."""
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
        controls.append(select(say("cards.choose_tag"), kinds, "cards-tag", game))
    controls.append(select(say("cards.choose"), lines, "cards-one", game, tag_at, at))
    controls += pager(say, at, last, "cards-page", game, tag_at)
    controls.append(game_select(game, answer.locale, "cards-game"))
    overview = presenter.overview(Look(locale=answer.locale), tag)
    scene = overview.scene if overview is not None and overview.scene is not None else ""
    return page(head, scene, told, controls)


def tag_of(game: str, number: int, locale: str) -> str:
    """Return the tag with this number, counted from 1; empty where there is none."""
    cards = presenters.get(game).cards(locale)
    tags = list(dict.fromkeys(tag for card in cards for tag in card.tags))
    return tags[number - 1] if 0 < number <= len(tags) else ""
