"""The form of a game's options, and the house rules among them."""

from __future__ import annotations

from collections.abc import Mapping

from discord.ui import Modal

from bot import custom_ids as ids
from bot import presenters
from bot.features.house_rules.handlers import chosen_rules
from bot.features.house_rules.messages import KEEP, OWN, ask_name_message, playable, rules_field
from bot.features.house_rules.rules_option import rules_here
from bot.features.table import offer_correction, show_changed, word_look
from bot.features.table.rights import HOST, LOBBY
from bot.locales import words
from bot.table import lobby
from bot.table.table import Table
from bot.ui.components import MenuLine
from bot.ui.context import Pressed, Submitted
from bot.ui.forms import FormField, form
from bot.ui.handlers import Handlers
from engine.game import IllegalSetup, Option, Value, format_value

handlers, forms = Handlers[Pressed](), Handlers[Submitted]()


@handlers.on("options", LOBBY, who=HOST)
async def _options(pressed: Pressed, table: Table) -> None:
    """Open the form of the game's options: as they are, or as the id has them, to be mended."""
    chosen = dict(table.stored.options)
    for option, typed in zip(table.game.options, pressed.ref.args[1:], strict=False):
        chosen[option.key] = _value(option, typed)
    rules = rules_field(table, await rules_here(pressed), pressed.locale)
    await pressed.ask(_options_form(ids.make("options", table.id), table, pressed.locale, chosen, rules))


def _options_form(
    custom_id: str, table: Table, locale: str, chosen: Mapping[str, Value], first: FormField
) -> Modal:
    """Return the form of the game's options, with these values chosen. `first` is asked before them."""
    say, presenter, look = words(locale), presenters.get(table.game.key), word_look(table, locale)
    fields = [first]
    for option in table.game.options:
        label, note = presenter.option(option.key, None, look)
        current = chosen.get(option.key, option.default)
        lines = []
        for value in option.values:
            name, value_note = presenter.option(option.key, value, look)
            lines.append(MenuLine(format_value(value), name, value_note, chosen=value == current))
        fields.append(FormField(option.key, label, lines, note))
    title = say("lobby.options_of", game=presenter.title(locale))
    return form(title, custom_id, fields)


def _value(option: Option, typed: str) -> Value:
    try:
        return option.read(typed)
    except ValueError as error:
        raise ids.InvalidCustomId(str(error)) from error


@forms.on("options", LOBBY, who=HOST)
async def _set_options(submitted: Submitted, table: Table) -> None:
    options = table.game.options
    chosen = {option.key: _value(option, submitted.field(option.key)) for option in options}
    named, house = submitted.fields.get("house", OWN), None
    rules = await chosen_rules(submitted, table, named)
    if rules is not None and (rules.name != table.stored.terms.house_rules or chosen == table.stored.options):
        # chosen anew, they go before what stands in the fields; those that it has give way to a change there
        chosen, house = playable(rules) or chosen, rules.name
    elif named == OWN:
        house = ""
    try:
        await lobby.set_options(table, chosen, house_rules=house)
    except IllegalSetup as refusal:
        filled_in = (format_value(chosen[option.key]) for option in options)
        await offer_correction(submitted, table, refusal, "options", *filled_in)
        return
    if named == KEEP:
        await submitted.private(ask_name_message(table, submitted.locale))
        return
    await show_changed(submitted, table)
