"""The lobby: who sits, what is played, and how it starts."""

from __future__ import annotations

import random
from collections.abc import Mapping

from discord import ButtonStyle

from bot import presenters
from bot.locales import Words, words
from bot.render.scene import Look
from bot.tables.table import Table
from bot.views import ids
from bot.views.components import Control, Line, Message, button, page, select
from bot.views.names import joined, shown, table_url, word_look
from engine import catalog
from engine.game import Value, spell

CLOCKS = (0, 120, 300, 900, 3600, 43_200, 86_400, 259_200)
"""What a turn clock may be, in seconds."""


def clock_words(seconds: int, say: Words) -> str:
    """A turn clock in words."""
    if not seconds:
        return say("clock.off")
    for size, key in ((86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds % size == 0:
            return say(f"clock.{key}", n=seconds // size)
    return say("clock.minutes", n=max(1, seconds // 60))


def lobby_message(table: Table) -> Message:
    """The lobby for everybody, in the language of the channel."""
    locale = table.stored.locale
    say, presenter = words(locale), presenters.get(table.game.key)
    title = presenter.title(locale)
    if table.phase == "cancelled":
        key = {"expired": "closed_expired", "everybody_left": "closed_left"}.get(
            table.stored.why, "closed_by"
        )
        return page(say(f"lobby.{key}", game=title, table=table.id))
    options = table.stored.options
    allowed = table.game.seats(options)
    lines = []
    for n, sitter in enumerate(table.sitters, 1):
        kind = "opponent" if sitter.level else "host" if sitter.user_id == table.stored.host_id else "seat"
        level = presenter.level(sitter.level, locale) if sitter.level else ""
        lines.append(say(f"lobby.{kind}", n=n, name=shown(sitter.name), level=level))
    places = 1 if table.held_by_one else allowed[-1]
    if places > len(table.sitters):
        lines.append(say("lobby.free", n=places - len(table.sitters)))
    enough = len(table.sitters) == 1 if table.held_by_one else len(table.sitters) in allowed
    host = next((shown(s.name) for s in table.sitters if s.user_id == table.stored.host_id), "")
    lines.append("")
    if enough and not table.held_by_one and (sides := table.game.partners(len(table.sitters), options)):
        look = word_look(table, locale)
        told = " · ".join(joined([look.name(seat) for seat in side], locale) for side in sides)
        lines.append(say("lobby.partners", sides=told))
    if table.held_by_one:
        lines.append(say("lobby.for_one", host=host) if enough else say("lobby.too_many_for_one"))
    else:
        needs = (
            say("lobby.needs", least=allowed[0])
            if len(allowed) > 1
            else say("lobby.needs_exactly", n=allowed[0])
        )
        lines.append(say("lobby.ready", host=host) if enough else needs)
    agreed = chosen_options(table.game.key, options, locale)
    added = ", ".join(f"{shown(s.name)} `{s.entropy}`" for s in table.sitters if s.entropy is not None)
    fair = say("lobby.fair", digest=table.commitment.digest, entropy=added or say("lobby.nobody_adds"))
    heading = say("lobby.heading", game=title, table=table.id) + "\n" + presenter.blurb(locale)
    full = len(table.sitters) >= places
    return page(
        heading,
        "\n".join(lines),
        _seat_controls(table, say, enough=enough, full=full),
        "\n".join(agreed),
        _option_controls(table, say),
        fair,
    )


def chosen_options(game: str, options: Mapping[str, Value], locale: str) -> list[str]:
    """A line for each option of a game: its name, its value, and what that does; none where it is not
    offered."""
    if not presenters.offers(game):
        return []
    say, presenter, look = words(locale), presenters.get(game), Look(locale=locale)
    told = []
    for option in catalog.get(game).options:
        name, note = presenter.option(option.key, option.at(options), look)
        label = option_words(presenter.option(option.key, None, look)[0], name, say)
        told.append(f"-# **{label}**" + (f" · {note}" if note else ""))
    return told


def option_words(label: str, value: str, say: Words) -> str:
    """An option with its value; the value alone where it names the option itself, as "Level 2" does."""
    if label.casefold().rstrip("s") in value.casefold():
        return value
    return say("lobby.option", option=label, value=value)


def _option_controls(table: Table, say: Words) -> list[Control]:
    presenter, look = presenters.get(table.game.key), word_look(table, say.language)
    controls = []
    for option in table.game.options:
        if option.settled_at(table.stored.options) is not None:
            continue
        label, _ = presenter.option(option.key, None, look)
        lines = []
        for value in option.values:
            name, note = presenter.option(option.key, value, look)
            # a select shows nothing but the line that is chosen
            name = option_words(label, name, say)
            lines.append(Line(spell(value), name, note, chosen=value == table.stored.options[option.key]))
        controls.append(select(label, ids.make("opt", table.id, option.key), lines))
    now = table.stored.terms.clock
    clocks = [
        Line(str(s), clock_words(s, say), say("clock.note") if s else say("clock.off_note"), chosen=s == now)
        for s in CLOCKS
    ]
    controls.append(select(say("lobby.clock"), ids.make("clock", table.id), clocks))
    if table.stored.guild_id is not None and not table.stored.terms.in_thread:
        thread = table.stored.terms.thread
        places = [
            Line("here", say("place.here"), say("place.here_note"), chosen=not thread),
            Line("thread", say("place.thread"), say("place.thread_note"), chosen=thread),
        ]
        controls.append(select(say("lobby.place"), ids.make("place", table.id), places))
    return controls


def _seat_controls(table: Table, say: Words, *, enough: bool, full: bool) -> list[Control]:
    presenter = presenters.get(table.game.key)
    levels = [
        Line(key, say("lobby.add_level", level=presenter.level(key, say.language)).capitalize())
        for key in table.game.opponents
    ]
    has_opponent = any(sitter.level for sitter in table.sitters)
    return [
        button(say("lobby.join"), ids.make("join", table.id), style=ButtonStyle.success, disabled=full),
        button(
            say("lobby.start"), ids.make("start", table.id), style=ButtonStyle.primary, disabled=not enough
        ),
        button(say("lobby.leave"), ids.make("stand", table.id)),
        button(say("lobby.remove"), ids.make("drop-opponent", table.id), disabled=not has_opponent),
        button(say("lobby.rules"), ids.make("rules", table.id)),
        button(say("lobby.cancel"), ids.make("close", table.id), style=ButtonStyle.danger),
        select(say("lobby.add"), ids.make("add-opponent", table.id), levels, disabled=full),
    ]


def moved_message(table: Table, url: str = "") -> Message:
    """What an old message of a table says: the way to the new one."""
    return page(words(table.stored.locale)("table.moved", url=url or table_url(table)), accent=None)


def fresh_name(table: Table) -> str:
    """A name for a computer opponent that nobody at the table has."""
    taken = {sitter.name for sitter in table.sitters}
    names = [name for name in words(table.stored.locale).list("opponent.names") if name not in taken]
    return random.choice(names)
