"""House rules: a lobby plays by them or saves its options as some, and a channel looks after its own."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot import custom_ids as ids
from bot.core.errors import Refused
from bot.features.house_rules import service as house_rules
from bot.features.house_rules.messages import (
    KEEP,
    OWN,
    all_button,
    delete_message,
    list_message,
    name_form,
    one_message,
    playable,
    replace_message,
)
from bot.features.house_rules.rows import HouseRules
from bot.features.house_rules.rules_option import as_today, one_here, rules_here
from bot.features.table import open_lobby
from bot.features.table.rights import LOBBY, OPENER
from bot.store.terms import LONGEST_RULES
from bot.table import lobby
from bot.table.table import Table
from bot.ui.components import Message, page
from bot.ui.context import Answer, Pressed, Submitted
from bot.ui.effective_settings import home_channel
from bot.ui.handlers import Handlers, Reach, Who
from bot.ui.names import named_rules, plain
from bot.ui.rights import CHANNEL_MANAGER

handlers, forms = Handlers[Pressed](), Handlers[Submitted]()


async def show_all(answer: Answer) -> None:
    """Answer with the house rules of this channel."""
    await answer.private(await _list(answer))


async def _list(answer: Answer) -> Message:
    channel_id = home_channel(answer.interaction) if answer.interaction.guild_id is not None else None
    return list_message(await rules_here(answer), answer.locale, channel_id)


async def open_by(
    answer: Answer, rules: HouseRules, *, friendly: bool = False, counting: Sequence[int] = ()
) -> Table:
    """Answer with a lobby that is played by these house rules; the rest as for `open_lobby`.

    Raises:
        Refused: the game has changed since they were saved, or such a table may not be opened here.
    """
    return await open_lobby(
        answer,
        rules.game,
        options=as_today(rules).options,
        house_rules=rules.name,
        friendly=friendly,
        counting=counting,
    )


async def _find_rules(pressed: Pressed) -> HouseRules:
    return await one_here(pressed, pressed.ref.number(0))


RULES = Reach(_find_rules)
"""House rules of this channel."""


async def _must_have_saved(answer: Answer, rules: HouseRules) -> None:
    if answer.user_id != rules.saved_by:
        raise Refused("house_rules_rights")


EDITOR = Who(_must_have_saved) | CHANNEL_MANAGER
"""The person who saved the house rules, and the managers of the channel."""


def _named(submitted: Submitted) -> str:
    name = submitted.field("name")
    if not name.strip():
        raise Refused("house_rules_nameless")
    return plain(name, LONGEST_RULES)


# -- in a lobby ---------------------------------------------------------------------------------


async def chosen_rules(answer: Pressed, table: Table, chosen: str) -> HouseRules | None:
    """Return the house rules chosen in the options of a lobby, or None for the other choices there.

    Raises:
        Refused: they are gone, belong to another channel or game, or can no longer be played.
        InvalidCustomId: the lobby does not offer this choice.
    """
    if chosen in (OWN, KEEP):
        return None
    if not chosen.isdecimal():
        raise ids.InvalidCustomId(chosen)
    rules = await one_here(answer, int(chosen))
    if rules.game != table.game.key:
        raise Refused("no_house_rules")
    if playable(rules) is None:
        raise Refused("house_rules_broken", name=rules.name)
    return rules


@handlers.on("house-save", LOBBY, who=OPENER)
async def _ask_name(pressed: Pressed, table: Table) -> None:
    """Ask for the name under which the options of this lobby are kept."""
    title = pressed.say("house_rules.save_title")
    await pressed.ask(name_form(ids.make("house-save", table.id), title, pressed.locale))


@forms.on("house-save", LOBBY, who=OPENER)
async def _save(submitted: Submitted, table: Table) -> None:
    name, database = _named(submitted), submitted.app.database
    channel_id, game = home_channel(submitted.interaction), table.game.key
    other = await house_rules.named(database, channel_id, game, name)
    if other is not None and await EDITOR.includes(submitted, other):
        await submitted.turn(replace_message(table, other, submitted.locale))
        return
    rules = HouseRules(
        guild_id=submitted.interaction.guild_id,
        channel_id=channel_id,
        game=game,
        name=name,
        options=dict(table.stored.options),
        saved_by=submitted.user_id,
        saved_at=submitted.app.clock.now(),
    )
    await house_rules.save(database, rules)
    await _saved(submitted, table, name)


@handlers.on("house-replace", LOBBY, who=OPENER)
async def _replace(pressed: Pressed, table: Table) -> None:
    """Let those of that name say what this lobby says."""
    rules = await one_here(pressed, pressed.ref.number(1))
    await EDITOR.must_include(pressed, rules)
    if rules.game != table.game.key:
        raise Refused("no_house_rules")
    options, now = table.stored.options, pressed.app.clock.now()
    await house_rules.replace(pressed.app.database, rules, options, now)
    await _saved(pressed, table, rules.name)


async def _saved(answer: Pressed, table: Table, name: str) -> None:
    """The lobby is played by what its host has just saved."""
    if answer.user_id == table.stored.host_id:
        await lobby.set_options(table, table.stored.options, house_rules=name)
    await answer.turn(page(answer.say("house_rules.saved", name=named_rules(name))))


# -- those of a channel -------------------------------------------------------------------------


@handlers.on("house-all")
async def _all(pressed: Pressed) -> None:
    await pressed.turn(await _list(pressed))


@handlers.on("house-one")
async def _look(pressed: Pressed) -> None:
    if not pressed.value.isdecimal():
        raise ids.InvalidCustomId(pressed.value)
    await _show(pressed, await one_here(pressed, int(pressed.value)))


async def _show(answer: Pressed, rules: HouseRules) -> None:
    await answer.turn(one_message(rules, answer.locale, manages=await EDITOR.includes(answer, rules)))


@handlers.on("house-lobby", RULES)
async def _open(pressed: Pressed, rules: HouseRules) -> None:
    if await pressed.first_click():
        await open_by(pressed, rules)


@handlers.on("house-file", RULES)
async def _file(pressed: Pressed, rules: HouseRules) -> None:
    """Send the rules as a file that `python -m tools lab` can read."""
    options = playable(rules)
    if options is None:
        raise Refused("house_rules_broken", name=rules.name)
    kept = {"game": rules.game, "name": rules.name, "options": options}
    data = json.dumps(kept, ensure_ascii=False, indent=1).encode()
    files = {f"house-rules-{rules.id}.json": data}
    await pressed.private(page(pressed.say("house_rules.file_made"), files=files, accent=None))


@handlers.on("house-name", RULES, who=EDITOR)
async def _ask_new_name(pressed: Pressed, rules: HouseRules) -> None:
    title = pressed.say("house_rules.rename_title")
    await pressed.ask(name_form(ids.make("house-name", rules.id), title, pressed.locale, now=rules.name))


@forms.on("house-name", RULES, who=EDITOR)
async def _rename(submitted: Submitted, rules: HouseRules) -> None:
    await house_rules.rename(submitted.app.database, rules, _named(submitted))
    await _show(submitted, await one_here(submitted, rules.id))


@handlers.on("house-delete", RULES, who=EDITOR)
async def _ask_to_delete(pressed: Pressed, rules: HouseRules) -> None:
    await pressed.turn(delete_message(rules, pressed.locale))


@handlers.on("house-delete-yes", RULES, who=EDITOR)
async def _delete(pressed: Pressed, rules: HouseRules) -> None:
    await house_rules.remove(pressed.app.database, rules)
    told = pressed.say("house_rules.deleted", name=named_rules(rules.name))
    await pressed.turn(page(told, [all_button(pressed.locale)]))


@handlers.on("house-keep", RULES)
async def _keep(pressed: Pressed, rules: HouseRules) -> None:
    await _show(pressed, rules)
