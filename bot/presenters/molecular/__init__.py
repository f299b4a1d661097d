"""The words and pictures of Molecular."""

from bot.presenters.base import Presenter
from bot.presenters.molecular import (
    choices,
    closeups,
    explain,
    hand,
    highlight,
    log,
    lookups,
    motion,
    painters,
    previews,
    rules,
    scenes,
    words,
)
from bot.presenters.poster import Difficulty, Emblem, Poster

__all__ = ["PRESENTER", "painters"]

PRESENTER = Presenter(
    key=words.GAME,
    hand_height=1800,
    motifs={
        "great_group": "gem",
        "collector": "cards",
        "all_sorts": "star",
        "keystone": "ring",
        "clear_win": "peak",
        "nothing_wasted": "shield",
    },
    poster=Poster(
        emblem=Emblem("molecular.rack", (1, False, 1), shape=1.0),
        minutes=5,
        difficulty=Difficulty.DEEP,
        options={"rounds": 4},
    ),
    choices=choices.tree,
    line=log.line,
    why=explain.why,
    because=explain.because,
    status=log.status,
    when=log.when,
    table=scenes.table,
    hand=hand.hand,
    gained=hand.gained,
    hand_marked=hand.hand,
    rules=rules.rules,
    cards=lookups.cards,
    card=lookups.card,
    explain=explain.explain,
    spots=hand.spots,
    progress=log.progress,
    feats=highlight.FEATS,
    highlight=highlight.highlight,
    motion=motion.motion,
    ending=log.ending,
    option=words.option,
    card_now=lookups.card_now,
    at_hand=lookups.at_hand,
    in_view=lookups.in_view,
    hand_at=previews.preview,
    needs_closeups=closeups.needed,
    closeups=closeups.closeups,
    keepsake=scenes.keepsake,
)
