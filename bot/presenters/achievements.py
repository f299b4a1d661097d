"""What achievements are called, for what they are given, and how they are drawn, in every game."""

from __future__ import annotations

from typing import Final

from bot.locales import words
from engine import catalog

_MOTIFS: Final = {
    "atom": {
        "first_out": "flag",
        "sweep": "crown",
        "double": "star",
        "big_bomb": "bomb",
        "nuke": "atom",
        "rich_trick": "gem",
        "last_bang": "burst",
    },
    "atom_duel": {
        "clean_round": "crown",
        "comeback": "rise",
        "in_front": "flag",
        "small_card": "cards",
        "giant_slayer": "bolt",
        "alloy": "ring",
    },
    "duel52": {
        "swift": "clock",
        "few_losses": "shield",
        "two_at_once": "bolt",
        "trap": "burst",
        "healer": "cross",
        "deep_freeze": "snow",
    },
    "molecular": {
        "great_group": "gem",
        "collector": "cards",
        "all_sorts": "star",
        "keystone": "ring",
        "clear_win": "peak",
        "nothing_wasted": "shield",
    },
    "compound_capture": {
        "large": "ring",
        "pure": "gem",
        "five_in_a_round": "cards",
        "great_round": "star",
        "swift": "clock",
        "every_round": "crown",
    },
    "canasta": {
        "pure_run": "cards",
        "many_runs": "peak",
        "borrower": "atom",
        "pure": "gem",
        "chemist_out": "flag",
        "great_round": "star",
        "every_round": "crown",
    },
    "chemistry_battle": {
        "in_a_row": "cards",
        "hairs_breadth": "bolt",
        "small_card": "atom",
        "comeback": "rise",
        "clear_lead": "peak",
        "none_wasted": "shield",
    },
}


def keys_of(game: str) -> tuple[str, ...]:
    """The achievements of a game, in the order in which it declares them."""
    return tuple(one.key for one in catalog.get(game).achievements)


def motif(game: str, key: str) -> str:
    """Which motif stands on the badge; a star where a game names none."""
    return _MOTIFS.get(game, {}).get(key, "star")


def title(game: str, key: str, language: str) -> str:
    """What an achievement is called; nothing for one that this version does not know."""
    name = f"achievement.{game}.{key}.title"
    say = words(language)
    return say(name) if name in say else ""


def borne(word: str, language: str) -> str:
    """The title that somebody chose, `game:key`; nothing for none, or for one of another release."""
    game, _, key = word.partition(":")
    return title(game, key, language) if game in _MOTIFS and key in _MOTIFS[game] else ""


def text(game: str, key: str, language: str) -> str:
    """For what it is given."""
    return words(language)(f"achievement.{game}.{key}.text")
