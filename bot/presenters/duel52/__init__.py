"""The words and pictures of Duel 52."""

from bot.presenters.base import Presenter
from bot.presenters.duel52 import (
    choices,
    explain,
    highlight,
    log,
    lookups,
    motion,
    rules,
    scenes,
    words,
)
from bot.presenters.poster import Difficulty, Emblem, Poster

PRESENTER = Presenter(
    key=words.GAME,
    motifs={
        "swift": "clock",
        "few_losses": "shield",
        "two_at_once": "bolt",
        "trap": "burst",
        "healer": "cross",
        "deep_freeze": "snow",
    },
    printing="bot.presenters.duel52.printing",
    poster=Poster(
        emblem=Emblem("cards.face", ("K", "hearts")),
        minutes=10,
        difficulty=Difficulty.DEEP,
        options={"variant": "quick"},
    ),
    choices=choices.tree,
    line=log.line,
    why=explain.why,
    status=log.status,
    table=scenes.table,
    hand=scenes.hand,
    gained=scenes.gained,
    hand_marked=scenes.hand,
    rules=rules.rules,
    cards=lookups.cards,
    card=lookups.card,
    explain=explain.explain,
    progress=log.progress,
    feats=highlight.FEATS,
    highlight=highlight.highlight,
    motion=motion.motion,
    points="",
    verdict=log.verdict,
    ending=log.ending,
    option=words.option,
    at_hand=lookups.at_hand,
    in_view=lookups.in_view,
    overview=lookups.overview,
)
