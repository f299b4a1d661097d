"""/achievements: what somebody has done in each game that is worth remembering, and the title they bear."""

from __future__ import annotations

import re
from collections.abc import Mapping

import discord
from msgspec.structs import replace
from sqlalchemy import Connection

from bot import custom_ids as ids
from bot import presenters
from bot.locales import words
from bot.presenters import achievements
from bot.render.pages.badges import Badge, badges_scene
from bot.render.scene import Look, Scene
from bot.render.text import written
from bot.store import achievements as store
from bot.store.achievements import Earned
from bot.store.prefs import prefs_of
from bot.ui.components import Control, MenuLine, Message, page, select
from bot.ui.context import Answer, Pressed
from bot.ui.handlers import Handlers
from bot.ui.names import account_name, plain, shown
from bot.ui.navigation import game_select

handlers = Handlers[Pressed]()

NONE = "none"
"""The choice of no title."""


async def achievements_message(answer: Answer, person: discord.abc.User, game: str) -> Message:
    """Somebody's achievements in one game; whose they are may choose one as a title."""

    def read(connection: Connection) -> tuple[list[Earned], str]:
        return store.of_person(connection, person.id), prefs_of(connection, person.id).title

    found, borne = await answer.app.database.read_at_once(read)
    counts = {one.key: one.count for one in found if one.game == game}
    name = plain(person.display_name)
    scene = achievements_picture(name, game, counts, borne, Look(locale=answer.locale))
    heading = "" if written(name) else f"### {shown(person.display_name)}"
    controls: list[Control] = [game_select(game, answer.locale, "achieved", person.id)]
    if person.id == answer.user_id and (menu := _titles(answer, game, counts, borne)):
        controls.append(menu)
    return page(heading, scene, controls, picture_name="achievements.png")


def _titles(answer: Answer, game: str, counts: dict[str, int], borne: str) -> Control | None:
    """The achievements of a game that somebody has, to choose one as a title; None where there is none."""
    mine = [key for key in achievements.keys_of(game) if key in counts]
    if not mine:
        return None
    say, of = answer.say, presenters.get(game).title(answer.locale)
    lines = [
        MenuLine(NONE, say("achievements.no_title"), say("achievements.no_title_note"), chosen=not borne)
    ]
    for key in mine:
        title = achievements.title(game, key, answer.locale)
        lines.append(MenuLine(key, title, of, chosen=borne == f"{game}:{key}"))
    return select(say("achievements.title_label"), lines, "bear", game)


def achievements_picture(name: str, game: str, counts: Mapping[str, int], borne: str, look: Look) -> Scene:
    """Every achievement of a game: how often somebody has each, and which one they bear as a title."""
    say, keys = words(look.locale), achievements.keys_of(game)
    mine = sum(key in counts for key in keys)
    shown = presenters.get(game).title(look.locale)
    badges = [_badge(game, key, counts.get(key, 0), look, tagged=f"{game}:{key}" == borne) for key in keys]
    count = say("achievements.count", game=shown, n=mine, of=len(keys))
    return badges_scene(name, count, badges, say("achievements.footer"), look)


def _badge(game: str, key: str, times: int, look: Look, *, tagged: bool) -> Badge:
    say, title = words(look.locale), achievements.title(game, key, look.locale)
    facts = {"title": title, "text": achievements.text(game, key, look.locale)}
    said = say("achievements.earned", n=times, **facts) if times else say("achievements.missing", **facts)
    if tag := say("achievements.tag") if tagged and times else "":
        said = f"{said} ({tag})"
    motif = achievements.motif(game, key)
    return Badge(motif, title, facts["text"], f"×{times}" if times else "", said, tag)


@handlers.on("achieved")
async def _achieved(pressed: Pressed) -> None:
    """The achievements in another game: `achieved:user`, chosen from a list."""
    whose, client = pressed.ref.word(0), pressed.interaction.client
    known = re.fullmatch(r"\d{1,19}", whose) and int(whose) <= ids.MOST
    if not known or not presenters.offers(pressed.value):
        raise ids.InvalidCustomId(whose)
    person: discord.abc.User = pressed.interaction.user
    if int(whose) != pressed.user_id:
        person = client.get_user(int(whose)) or await client.fetch_user(int(whose))
    await pressed.turn(await achievements_message(pressed, person, pressed.value))


@handlers.on("bear")
async def _bear(pressed: Pressed) -> None:
    """Bear one of one's achievements as a title, or none: `bear:game`, chosen from a list."""
    game, user, key = pressed.game(), pressed.interaction.user, pressed.value
    found = await pressed.app.database.read_at_once(lambda c: store.of_person(c, user.id))
    if key != NONE and not any((one.game, one.key) == (game, key) for one in found):
        raise ids.InvalidCustomId(key)
    title, now = "" if key == NONE else f"{game}:{key}", pressed.app.clock.now()
    await pressed.app.preferences.change(
        user.id, account_name(user), lambda prefs: replace(prefs, title=title), now
    )
    await pressed.turn(await achievements_message(pressed, user, game))


async def new_here(answer: Answer, table_id: int, game: str) -> str:
    """What somebody has achieved for the first time at a table, as one line, or nothing."""
    keys = await answer.app.database.read_at_once(lambda c: store.first_at(c, answer.user_id, game, table_id))
    titles = [title for key in keys if (title := achievements.title(game, key, answer.locale))]
    return answer.say("achievements.new", titles=answer.say("table.comma").join(titles)) if titles else ""
