"""The words and pictures of Atom Duel."""

from bot.presenters.atom_duel import (
    choices,
    explain,
    hand,
    highlight,
    log,
    lookups,
    motion,
    rules,
    scenes,
    words,
)
from bot.presenters.atom_duel.painters import face
from bot.presenters.base import Presenter
from bot.presenters.poster import Difficulty, Emblem, Poster

PRESENTER = Presenter(
    key=words.GAME,
    hand_height=1080,
    motifs={
        "clean_round": "crown",
        "comeback": "rise",
        "in_front": "flag",
        "small_card": "cards",
        "giant_slayer": "bolt",
        "alloy": "ring",
    },
    poster=Poster(
        emblem=Emblem("atom_duel.card", (face(79), ())),
        minutes=5,
        difficulty=Difficulty.EASY,
        seats=3,
        options={"level": 1, "rounds": 2},
    ),
    choices=choices.tree,
    line=log.line,
    recall=log.recall,
    why=explain.why,
    status=log.status,
    table=scenes.table,
    hand=hand.hand,
    gained=hand.gained,
    hand_marked=hand.hand,
    rules=rules.rules,
    cards=lookups.cards,
    card=lookups.card,
    card_now=lookups.card_now,
    explain=explain.explain,
    progress=log.progress,
    feats=highlight.FEATS,
    highlight=highlight.highlight,
    tie=log.tie,
    motion=motion.motion,
    ending=log.ending,
    option=words.option,
    hand_at=hand.on_way,
    at_hand=lookups.at_hand,
    in_view=lookups.in_view,
    overview=lookups.overview,
    sections=lookups.sections,
    has_periodic_table=True,
)
