"""The form of a game's options, and the house rules among them."""

from __future__ import annotations

from bot import custom_ids as ids
from bot.features.house_rules.handlers import chosen_rules
from bot.features.house_rules.messages import KEEP, OWN, ask_name_message, playable, rules_field
from bot.features.house_rules.rules_option import rules_here
from bot.features.table import offer_correction, options_form, show_changed
from bot.features.table.rights import HOST, LOBBY
from bot.table import lobby
from bot.table.table import Table
from bot.ui.context import Pressed, Submitted
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
    form = options_form(ids.make("options", table.id), table, pressed.locale, chosen, rules)
    await pressed.ask(form)


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
