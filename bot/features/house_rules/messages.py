"""House rules: those of a channel with what differs from the usual, and one of them with what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from discord import ButtonStyle
from discord.ui import Modal

from bot import presenters
from bot.features.house_rules.rows import HouseRules
from bot.features.house_rules.service import fitting
from bot.features.table import differing
from bot.locales import words
from bot.presenters.rulebook import option_words
from bot.presenters.voice import clipped
from bot.render.scene import Look
from bot.store.personal_data.privacy import is_nobody
from bot.store.terms import LONGEST_RULES
from bot.table.table import Table
from bot.ui.components import Control, MenuLine, Message, button, page, select
from bot.ui.forms import FormField, TextField, form
from bot.ui.names import named_rules, plain
from engine import catalog
from engine.game import Value

LONGEST_TOLD = 90
"""The most signs with which a list tells what differs, so that all fit into one message."""
OWN, KEEP = "own", "keep"
"""In the options of a lobby: by no house rules, and to save what is chosen as some."""


def playable(rules: HouseRules) -> dict[str, Value] | None:
    """The options to play by; None where the game has changed, or is not offered, so that nobody can."""
    return fitting(rules.game, rules.options) if presenters.offers(rules.game) else None


def told_in_list(rules: HouseRules, locale: str) -> str:
    """House rules in a line, and what they make different in another."""
    say, options = words(locale), playable(rules)
    name = named_rules(rules.name)
    if options is None:
        return say("house_rules.broken", name=name)
    told = clipped(differing(rules.game, options, locale), LONGEST_TOLD)
    return say("house_rules.one", name=name, game=presenters.get(rules.game).title(locale), told=told)


def list_message(every: Sequence[HouseRules], locale: str, channel_id: int | None) -> Message:
    """The house rules of a channel (None: of direct messages), for whoever asks; each can be looked at."""
    say = words(locale)
    channel = f"<#{channel_id}>" if channel_id is not None else say("hand.direct")
    heading = say("house_rules.heading", channel=channel)
    if not every:
        return page(heading, say("house_rules.none"))
    told = "\n".join(told_in_list(each, locale) for each in every)
    lines = [MenuLine(str(each.id), plain(each.name, LONGEST_RULES), _note(each, locale)) for each in every]
    return page(heading, told, [select(say("house_rules.look"), lines, "house-one")])


def rules_field(table: Table, every: Sequence[HouseRules], locale: str) -> FormField:
    """The question of a lobby's options: by which house rules, by none, or whether to save what is chosen."""
    say, now = words(locale), table.stored.terms.house_rules
    mine = [each for each in every if each.game == table.game.key and playable(each)]
    lines = [
        MenuLine(str(each.id), plain(each.name, LONGEST_RULES), _note(each, locale), chosen=each.name == now)
        for each in mine
    ]
    own = MenuLine(
        OWN,
        say("house_rules.own"),
        say("house_rules.own_note"),
        chosen=not any(line.chosen for line in lines),
    )
    keep = MenuLine(KEEP, say("house_rules.save"), say("house_rules.save_note"))
    return FormField("house", say("house_rules.field"), [own, *lines, keep], say("house_rules.field_note"))


def _note(rules: HouseRules, locale: str) -> str:
    options = playable(rules)
    if options is None:
        return words(locale)("house_rules.broken_note")
    return differing(rules.game, options, locale)


def ask_name_message(table: Table, locale: str) -> Message:
    """What is to be saved, and the way to its name: a form cannot open another one."""
    say = words(locale)
    told = say("house_rules.ask_name", told=differing(table.game.key, table.stored.options, locale))
    save = button(say("house_rules.save"), "house-save", table.id, style=ButtonStyle.primary)
    return page(told, [save])


def one_message(rules: HouseRules, locale: str, *, manages: bool) -> Message:
    """House rules with every option and what it does; `manages`: the person may rename and delete them."""
    say, options = words(locale), playable(rules)
    title = presenters.title(rules.game, locale)
    controls: list[Control] = []
    if options is None:
        told = say("house_rules.broken_told")
    else:
        told = "\n".join(_chosen_options(rules.game, options, locale))
        label = say("house_rules.lobby")
        controls.append(button(label, "house-lobby", rules.id, style=ButtonStyle.success))
        controls.append(button(say("house_rules.file"), "house-file", rules.id))
    if manages:
        controls.append(button(say("house_rules.rename"), "house-name", rules.id))
        controls.append(button(say("house_rules.delete"), "house-delete", rules.id))
    controls.append(all_button(locale))
    who = say("privacy.former") if is_nobody(rules.saved_by) else f"<@{rules.saved_by}>"
    saved = say("house_rules.saved_by", who=who, at=rules.saved_at // 1000)
    return page(
        say("house_rules.one_heading", name=named_rules(rules.name), game=title), told, saved, controls
    )


def all_button(locale: str) -> Control:
    """The way to the list of them."""
    return button(words(locale)("house_rules.back"), "house-all", "back")


def name_form(custom_id: str, title: str, locale: str, *, now: str = "") -> Modal:
    """The form that asks for a name."""
    say = words(locale)
    asked = TextField(
        "name", say("house_rules.name"), LONGEST_RULES, say("house_rules.name_note"), now, long=False
    )
    return form(title, custom_id, [asked])


def delete_message(rules: HouseRules, locale: str) -> Message:
    """The question whether they are to go."""
    say = words(locale)
    yes = button(say("house_rules.delete_yes"), "house-delete-yes", rules.id, style=ButtonStyle.danger)
    keep = button(say("house_rules.keep"), "house-keep", rules.id)
    return page(say("house_rules.delete_sure", name=named_rules(rules.name)), [yes, keep])


def replace_message(table: Table, rules: HouseRules, locale: str) -> Message:
    """The question whether those of the same name are to say what this lobby says."""
    say = words(locale)
    options = playable(rules)
    was = say("house_rules.broken_note") if options is None else differing(rules.game, options, locale)
    now = differing(rules.game, table.stored.options, locale)
    yes = button(say("house_rules.replace"), "house-replace", table.id, rules.id, style=ButtonStyle.primary)
    return page(
        say("house_rules.replace_sure", name=named_rules(rules.name), was=was, now=now),
        [yes, button(say("house_rules.other_name"), "house-save", table.id)],
    )


def _chosen_options(game: str, options: Mapping[str, Value], locale: str) -> list[str]:
    """Return a line for each option of a game: its name, value and effect. Empty if the game is not
    offered."""
    if not presenters.offers(game):
        return []
    presenter, look = presenters.get(game), Look(locale=locale)
    lines = []
    for option in catalog.get(game).options:
        name, note = presenter.option(option.key, option.at(options), look)
        label = option_words(presenter.option(option.key, None, look)[0], name, locale)
        lines.append(f"-# **{label}**" + (f" · {note}" if note else ""))
    return lines
