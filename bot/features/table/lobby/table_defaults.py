"""The defaults for new tables of a server or a channel: in words, and as a form."""

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
"""The form value for the wider default: a server's for its channels, Discord's for a server."""


def language_name(locale: str) -> str:
    """Return the name of a language in that language."""
    return words(locale)("language.name")


def language_lines(wider: str, chosen: str | None) -> list[MenuLine]:
    """Return the languages to choose from, below the wider default."""
    lines = [MenuLine(WIDER, wider, chosen=not chosen)]
    return lines + [MenuLine(each, language_name(each), chosen=each == chosen) for each in languages()]


def opening_words(opening: Opening, say: Words) -> str:
    """Return the defaults for new tables in one line."""
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
    """Return the form of language, clock and place. `around` are the server's defaults, for a channel."""
    clocks, places = list[MenuLine](), list[MenuLine]()
    wider, clock = say("server.language_discord"), own.clock
    place = place_of(own.thread, own.access)
    if around is None:
        clock = DAY if clock is None else clock
    else:
        wider = say("server.wider", told=_language(around, say))
        usual = clock_words(DAY if around.clock is None else around.clock, say)
        clocks.append(MenuLine(WIDER, say("server.wider", told=usual), chosen=clock is None))
        is_unset = own.thread is None
        places.append(MenuLine(WIDER, say("server.wider", told=_place(around, say)), chosen=is_unset))
        place = WIDER if is_unset else place
    clocks += [MenuLine(str(each), clock_words(each, say), chosen=each == clock) for each in CLOCKS]
    places += place_lines(say, place)
    fields = [
        FormField("language", say("server.language"), language_lines(wider, own.locale)),
        FormField("clock", say("lobby.clock"), clocks, say("server.clock_note")),
        FormField("place", say("lobby.place"), places, say("server.place_note")),
    ]
    return form(say("server.begin"), custom_id, fields)


def read_opening(submitted: Submitted) -> Opening:
    """Return the defaults chosen in that form.

    Raises:
        InvalidCustomId: a value is not one that the form offers.
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
