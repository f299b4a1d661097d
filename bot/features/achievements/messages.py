"""The picture of somebody's achievements in one game, from what is stored of them."""

from __future__ import annotations

from collections.abc import Mapping

from bot import presenters
from bot.locales import words
from bot.presenters import achievements
from bot.render.pages.badges import Badge, badges_scene
from bot.render.scene import Look, Scene


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
