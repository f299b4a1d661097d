"""How tables begin in a server or a channel: in words, and as a form."""

from __future__ import annotations

from discord.ui import Modal

from bot.custom_ids import InvalidCustomId
from bot.features.table.lobby.messages import CLOCKS, clock_words
from bot.features.table.lobby.seating import PLACES, place_lines, place_of
from bot.locales import Words, languages, words
from bot.store.servers import Opening
from bot.store.terms import DAY
from bot.ui.components import MenuLine
from bot.ui.context import Submitted
from bot.ui.forms import FormField, form

WIDER = "wider"
"""Stands in a form for what holds around it: in the server of a channel, in the Discord of a server."""


def language_name(locale: str) -> str:
    """The name of a language, in itself."""
    return words(locale)("language.name")


def language_lines(wider: str, chosen: str | None) -> list[MenuLine]:
    """The languages to choose from, below what holds otherwise."""
    lines = [MenuLine(WIDER, wider, chosen=not chosen)]
    return lines + [MenuLine(each, language_name(each), chosen=each == chosen) for each in languages()]


def opening_words(opening: Opening, say: Words) -> str:
    """How tables begin, in one line."""
    return " · ".join(
        (
            _language(opening, say),
            clock_words(DAY if opening.clock is None else opening.clock, say),
            _place(opening, say),
        )
    )


def _language(opening: Opening, say: Words) -> str:
    return language_name(opening.locale) if opening.locale else say("server.language_discord")


def _place(opening: Opening, say: Words) -> str:
    return say(f"place.{place_of(opening.thread, opening.access)}")


def opening_form(custom_id: str, own: Opening, say: Words, *, around: Opening | None = None) -> Modal:
    """The form of language, clock and place; `around`: what holds in the server, where it is of a channel."""
    clocks, places = list[MenuLine](), list[MenuLine]()
    wider, clock = say("server.language_discord"), own.clock
    place = place_of(own.thread, own.access)
    if around is None:
        clock = DAY if clock is None else clock
    else:
        wider = say("server.wider", told=_language(around, say))
        usual = clock_words(DAY if around.clock is None else around.clock, say)
        clocks.append(MenuLine(WIDER, say("server.wider", told=usual), chosen=clock is None))
        unsaid = own.thread is None
        places.append(MenuLine(WIDER, say("server.wider", told=_place(around, say)), chosen=unsaid))
        place = WIDER if unsaid else place
    clocks += [MenuLine(str(each), clock_words(each, say), chosen=each == clock) for each in CLOCKS]
    places += place_lines(say, place)
    fields = [
        FormField("language", say("server.language"), language_lines(wider, own.locale)),
        FormField("clock", say("lobby.clock"), clocks, say("server.clock_note")),
        FormField("place", say("lobby.place"), places, say("server.place_note")),
    ]
    return form(say("server.begin"), custom_id, fields)


def read_opening(submitted: Submitted) -> Opening:
    """Return what was chosen in that form.

    Raises:
        InvalidCustomId: the form does not offer a value.
    """
    locale, clock, place = (submitted.field(key) for key in ("language", "clock", "place"))
    if (
        locale not in {WIDER, *languages()}
        or clock not in {WIDER, *map(str, CLOCKS)}
        or place not in {WIDER, *PLACES}
    ):
        raise InvalidCustomId(f"{locale} {clock} {place}")
    seating = PLACES.get(place)
    return Opening(
        locale=None if locale == WIDER else locale,
        clock=None if clock == WIDER else int(clock),
        thread=seating and seating.thread,
        access=seating and seating.access,
    )
