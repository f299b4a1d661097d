"""The lobby message: seats, rules and the start of the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from discord import ButtonStyle
from discord.ui import Modal

from bot import custom_ids as ids
from bot import presenters
from bot.features.table import slots as table_slots
from bot.features.table.closing import closed_by
from bot.features.table.lobby.seating import access_line, place_lines, place_of
from bot.features.table.names import table_url, word_look
from bot.features.table.terms import can_count, deal_line, friendly_lines, rules_line
from bot.locales import Words, words
from bot.presenters.rulebook import named_value
from bot.render.scene import Look
from bot.table import lobby
from bot.table.game_runner import steady
from bot.table.people.friendly_games import is_friendly
from bot.table.people.guests import removable
from bot.table.people.reserved_seats import RESERVED_MS
from bot.table.table import Table
from bot.table.table_kinds import is_decided_by_deal, level_here, level_of
from bot.ui.components import Control, MenuLine, Message, TextWithButton, button, page, people
from bot.ui.forms import FormField, form
from bot.ui.names import joined, shown
from engine import catalog, ladder, levels
from engine.game import AnyGame, Value

SOUGHT = "sought"
"""The argument of **Come** below a post of someone who is looking for players."""
CLOCKS = (0, 60, 120, 180, 300, 900, 3600, 43_200, 86_400, 259_200)
"""The choices for the turn clock, in seconds; 0 for none."""
MOST_INVITED = 7
"""Maximum number of people invited at once."""
MIXED = "mixed"
"""The form value for opponents of several levels who stay as they are."""


def clock_words(seconds: int, say: Words) -> str:
    """Return a turn clock in words."""
    if not seconds:
        return say("clock.off")
    for size, key in ((86_400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds % size == 0:
            return say(f"clock.{key}", n=seconds // size)
    return say("clock.minutes", n=max(1, seconds // 60))


def lobby_message(table: Table) -> Message:
    """Return the lobby as everyone sees it, in the language of the channel."""
    locale = table.stored.locale
    say, presenter = words(locale), presenters.get(table.game.key)
    title = presenter.title(locale)
    if table.phase == "cancelled":
        if table.stored.why == "expired" and (missing := lobby.missing_players(table)):
            names = joined([f"<@{user}>" for user in missing], locale)
            return page(say("lobby.closed_waiting", game=title, table=table.id, names=names))
        key = {
            "expired": "closed_expired",
            "everybody_left": "closed_left",
            "nobody_came": "closed_nobody_came",
        }.get(table.stored.why)
        if key is None:
            return page(closed_by(table, locale, title))
        return page(say(f"lobby.{key}", game=title, table=table.id))
    heading = say("lobby.heading", game=title, table=table.id) + "\n-# "
    heading += presenter.blurb(locale, table.stored.options)
    fair = button(say("lobby.fair_more"), "fair", table.id)
    return page(
        heading,
        "\n".join(_seats(table, say)),
        _agreed(table, say),
        *_counts(table, say),
        TextWithButton(say("lobby.fair_line"), fair),
        _controls(table, say),
    )


def fair_message(table: Table, locale: str) -> Message:
    """Return the proof that a table's deal is fair, for people who want to check it."""
    say = words(locale)
    contributions = [f"{shown(s.name)} `{s.entropy}`" for s in table.sitters if s.entropy is not None]
    entropy = say("table.comma").join(contributions)
    return page(
        say("lobby.fair", digest=table.commitment.digest, entropy=entropy or say("lobby.nobody_adds")),
        accent=None,
    )


def _seats(table: Table, say: Words) -> list[str]:
    """Return the lines about the players, the free seats, and the conditions for the start."""
    presenter, options = presenters.get(table.game.key), table.stored.options
    lines = []
    for n, sitter in enumerate(table.sitters, 1):
        kind = "opponent" if sitter.level else "host" if sitter.user_id == table.stored.host_id else "seat"
        if sitter.user_id in table.stored.terms.held:
            kind = "seat_kept"
        plays_as = level_of(table, n - 1)
        if plays_as != sitter.level:
            kind = "opponent_other"
        level, wanted = (
            presenter.level(key, say.language) if key else "" for key in (plays_as, sitter.level)
        )
        lines.append(say(f"lobby.{kind}", n=n, name=shown(sitter.name), level=level, wanted=wanted))
    if free := lobby.places(table) - len(table.sitters):
        lines.append(say("lobby.free", n=free))
    awaited = lobby.missing_players(table) if free else []  # no one is expected once all seats are taken
    if awaited:
        lines.append(say("lobby.awaited", names=joined([f"<@{user}>" for user in awaited], say.language)))
    if table.stored.terms.seeks and len(table.sitters) < lobby.places(table):
        lines.append(say("lobby.seeks"))
    if knocks := table.stored.terms.knocks:
        lines.append(say("lobby.knocks", names=joined([shown(one.name) for one in knocks], say.language)))
    host = next((shown(s.name) for s in table.sitters if s.user_id == table.stored.host_id), "")
    if table.stored.terms.held:
        lines.append(say("lobby.keeping", n=RESERVED_MS // 60_000))
    elif not lobby.can_start(table):
        if not awaited:
            lines.append(say("lobby.too_many_for_one") if table.held_by_one else needs(table, say))
    elif table.held_by_one:
        lines.append(say("lobby.for_one", host=host))
    else:
        if sides := table.game.partners(len(table.sitters), options):
            look = word_look(table, say.language)
            teams = " · ".join(joined([look.name(seat) for seat in side], say.language) for side in sides)
            lines.append(say("lobby.partners", sides=teams))
        lines.append(say("lobby.ready", host=host))
    if lobby.can_start(table):
        lines += filter(None, [deal_line(table, say)])
    return lines


def lacking(table: Table) -> int:
    """Return the number of opponents needed to start, or 0 if opponents do not help."""
    if table.held_by_one:
        return 0
    allowed, seated = table.game.seats(table.stored.options), len(table.sitters)
    # a game that the deal would decide is filled up to its usual size; players who want it press Start
    least = table.game.usual_seats(_options(table)) if is_decided_by_deal(table) else seated + 1
    sizes = [n for n in allowed if seated < n <= lobby.places(table)]
    return next((n - seated for n in sizes if n >= least), 0)


def _options(table: Table) -> dict[str, Value]:
    """Return the options of a table, complete."""
    return {**table.game.defaults(), **table.stored.options}


def _by_deal(table: Table) -> list[bool]:
    """Return, for each number of seats the table may still start with, whether the deal decides the game."""
    people = sum(sitter.level is None for sitter in table.sitters)
    allowed = table.game.seats(table.stored.options)
    return [
        table.game.decided_by_deal(n, _options(table)) for n in allowed if people <= n <= lobby.places(table)
    ]


def coming_level(table: Table) -> str:
    """Return the level of opponents added at the start: the last seated one's, else the host's choice."""
    levels = [sitter.level for sitter in table.sitters if sitter.level]
    level = levels[-1] if levels else table.stored.terms.level or steady(table.game)
    return level_here(table, level)


def needs(table: Table, say: Words) -> str:
    """Return the line that says how many players the game needs."""
    allowed = table.game.seats(table.stored.options)
    if len(allowed) > 1:
        return say("lobby.needs", least=allowed[0])
    return say("lobby.needs_exactly", n=allowed[0])


def _agreed(table: Table, say: Words) -> str:
    """Return the options, clock and place in one line, below the name of the rules."""
    parts = option_names(table.game, table.stored.options, say)
    parts.append(clock_words(table.stored.terms.clock, say))
    if table.stored.terms.thread and table.stored.terms.access != "private":
        parts.append(say("place.thread"))
    if not table.stored.terms.hints:
        parts.append(say("lobby.hints_no"))
    lines = (rules_line(table, say.language), " · ".join(parts), access_line(table.stored.terms, say))
    return "\n".join(filter(None, lines))


def option_names(game: AnyGame, options: Mapping[str, Value], say: Words) -> list[str]:
    """Return the options of a game with their values, without explanations."""
    presenter, look = presenters.get(game.key), Look(locale=say.language)
    return [named_value(presenter.option, option.key, option.at(options), look) for option in game.options]


def options_line(game: str, options: Mapping[str, Value], locale: str) -> str:
    """Return the options of a game for two players in small text, or nothing if it is not offered.

    The notes are left out, because they cover any number of seats.
    """
    if not presenters.offers(game):
        return ""
    rules = catalog.get(game)
    text = "-# " + " · ".join(option_names(rules, options, words(locale)))
    if rules.decided_by_deal(2, {**rules.defaults(), **options}):
        text += "\n-# " + presenters.get(game).by_deal(locale)
    return text


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The values in the second form of the lobby.

    The number of opponents and their level (`MIXED` to keep them as they are), the seconds per turn, the
    place and access (a key of `seating.PLACES`), and whether there are hints.
    """

    opponents: int
    level: str
    clock: int
    place: str
    hints: bool

    @classmethod
    def of(cls, table: Table) -> Arrangement:
        """Return the current arrangement of a table."""
        levels = [level for seat in range(len(table.sitters)) if (level := level_of(table, seat))]
        level = coming_level(table) if len(set(levels)) < 2 else MIXED
        terms = table.stored.terms
        return cls(len(levels), level, terms.clock, place_of(terms.thread, terms.access), terms.hints)


def arrangement_form(table: Table, locale: str, chosen: Arrangement) -> Modal:
    """Return the form of opponents, clock, place and hints, with these values chosen."""
    say, terms = words(locale), table.stored.terms
    fields, by_deal = [], _by_deal(table)
    level_matters = not by_deal or not all(by_deal)
    most = 0 if table.held_by_one else lobby.places(table) - sum(not sitter.level for sitter in table.sitters)
    if most or chosen.opponents:
        counts = [
            MenuLine(str(n), say("lobby.opponents_n", n=n) if n else say("lobby.opponents_none"))
            for n in range(max(most, chosen.opponents) + 1)
        ]
        counts[chosen.opponents] = replace(counts[chosen.opponents], chosen=True)
        fields.append(FormField("opponents", say("lobby.opponents"), counts))
    if (most or chosen.opponents) and level_matters:
        lines = [MenuLine(MIXED, say("lobby.level_mixed"))] if chosen.level == MIXED else []
        lines += [line for key in table.game.levels if (line := _level(table, key, locale))]
        offered = {line.value for line in lines}
        level = chosen.level if chosen.level in offered else level_here(table, chosen.level)
        lines = [replace(line, chosen=line.value == level) for line in lines]
        fields.append(FormField("level", say("lobby.level"), lines, _levels_note(table, locale)))
    clocks = [
        MenuLine(str(s), clock_words(s, say), say("clock.note") if s else say("clock.off_note"))
        for s in CLOCKS
    ]
    clocks = [replace(line, chosen=line.value == str(chosen.clock)) for line in clocks]
    fields.append(FormField("clock", say("lobby.clock"), clocks))
    if table.stored.guild_id is not None:
        lines = place_lines(say, chosen.place, in_thread=terms.in_thread)
        fields.append(FormField("place", say("lobby.place"), lines))
    if table.game.study is not None and level_matters:
        yes = MenuLine("yes", say("lobby.hints_yes"), say("lobby.hints_note"), chosen=chosen.hints)
        no = MenuLine("no", say("lobby.hints_no"), chosen=not chosen.hints)
        fields.append(FormField("hints", say("lobby.hints"), [yes, no]))
    return form(say("lobby.arrange_title"), ids.make("arrange", table.id), fields)


def _levels_note(table: Table, locale: str) -> str:
    """Return the form's note on all levels, if they matter little in a game this may become."""
    presenter = presenters.get(table.game.key)
    if any(_by_deal(table)):
        return presenter.by_deal(locale)
    people = sum(sitter.level is None for sitter in table.sitters)
    seats = [n for n in table.game.seats(_options(table)) if people < n <= lobby.places(table)]
    return next(filter(None, (presenter.levels_matter_little(n, locale) for n in seats)), "")


def _level(table: Table, level: str, locale: str) -> MenuLine | None:
    """Return the choice of a level, with its strength if enough games were played to measure it.

    Return None if it would play as another level for every number of seats.
    """
    game, options, say = table.game, table.stored.options, words(locale)
    presenter = presenters.get(game.key)

    def named(key: str) -> str:
        return presenter.level(key, locale).capitalize()

    people = sum(sitter.level is None for sitter in table.sitters)
    plays_as = {n: game.level_in(level, n, options) for n in game.seats(_options(table)) if n > people}
    own_sizes = [n for n, played in plays_as.items() if played == level]
    if not own_sizes:
        return None
    notes = []
    # the ladder is measured with the fewest seats and default options
    measured = _options(table) == game.defaults() and ladder.fewest_seats(game, {}) in plays_as
    if measured and (wins := ladder.of_hundred(game, level)) is not None:
        notes.append(say("lobby.level_note", n=wins, level=named(levels.STEADY)))
    if level == levels.STEADY:
        notes.append(say("lobby.level_measure"))
    if level == game.levels[-1] and (why := presenter.no_stronger(locale)):
        notes.append(why)
    if other := next((played for played in plays_as.values() if played != level), None):
        seats = say("table.comma").join(map(str, own_sizes))
        notes.append(say("lobby.level_seats", n=seats, level=named(other)))
    return MenuLine(level, named(level), say("table.comma").join(notes))


def _controls(table: Table, say: Words) -> list[Control]:
    full = len(table.sitters) >= lobby.places(table)
    # people take their reserved seats with the same button, which the line about them names
    offers_leaving = full and not table.stored.terms.held
    can_start, by_deal = lobby.can_start(table), is_decided_by_deal(table)
    missing = lacking(table) if by_deal or not can_start else 0
    starts = list[Control]()
    if missing:
        level, key = coming_level(table), "lobby.start_with"
        if any(one.level for one in table.sitters):
            key = "lobby.start_with_more"
        elif level != steady(table.game):
            key = "lobby.start_with_level"
        label = say(key, n=missing, level=presenters.get(table.game.key).level(level, say.language))
        # while someone is expected, adding opponents is not the main choice
        style = ButtonStyle.secondary if lobby.missing_players(table) else ButtonStyle.primary
        starts.append(button(label, "start-filled", table.id, style=style))
    if can_start or not missing:
        style = ButtonStyle.secondary if missing else ButtonStyle.primary
        starts.append(button(say("lobby.start"), "start", table.id, style=style, disabled=not can_start))
    join_or_leave = (
        button(say("lobby.leave"), "stand", table.id)
        if offers_leaving
        else join_button(say("lobby.join_or_leave"), table)
    )
    controls: list[Control] = [*starts, join_or_leave]
    if not full and table.stored.guild_id is not None:
        controls.append(people(say("lobby.invite"), "invite", table.id, most=MOST_INVITED))
    own: list[tuple[int, Control]] = [(0, control) for control in controls]
    if removable(table):
        own.append((20, button(say("remove.open"), "remove", table.id)))
    own += [
        (30, button(say("lobby.arrange"), "arrange", table.id)),
        (50, button(say("lobby.cancel"), "close", table.id)),
    ]
    return table_slots.LOBBY.controls(say, table, own)


def join_button(label: str, table: Table) -> Control:
    """Return the button for sitting down."""
    return button(label, "join", table.id, style=ButtonStyle.success)


def come_button(say: Words, table: Table, *how: str) -> Control:
    """Return the button for coming to a lobby: `come:table`, or `come:table:sought`."""
    return button(say("lobby.come"), "come", table.id, *how, style=ButtonStyle.success)


def fair_line(say: Words, table: Table) -> TextWithButton:
    """Return the line about the shuffling, with the button that explains it."""
    return TextWithButton(say("lobby.fair_line"), button(say("lobby.fair_more"), "fair", table.id))


def _counts(table: Table, say: Words) -> list[TextWithButton]:
    """Return the line that says if the game counts, with the button that changes it."""
    if not can_count(table):
        return []
    verb = "make-count" if is_friendly(table) else "make-friendly"
    change = button(say(f"friendly.{verb.replace('-', '_')}"), verb, table.id)
    return [TextWithButton(friendly_lines(table, say), change)]


def moved_message(table: Table, url: str = "") -> Message:
    """Return the text of an old message of a table, with a link to the new one."""
    return page(words(table.stored.locale)("table.moved", url=url or table_url(table)), accent=None)


def fresh_name(table: Table, chance: Random) -> str:
    """Return a name for a computer opponent that no one at the table has."""
    return fresh_names(table, 1, chance)[0]


def fresh_names(table: Table, count: int, chance: Random) -> list[str]:
    """Return this many different names that no one at the table has."""
    taken = {sitter.name for sitter in table.sitters}
    names = [name for name in words(table.stored.locale).list("opponent.names") if name not in taken]
    return chance.sample(names, count)
