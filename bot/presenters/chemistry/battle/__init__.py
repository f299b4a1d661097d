"""The words and pictures of Chemistry Battle."""

from functools import partial

from bot.presenters.base import Presenter
from bot.presenters.chemistry import lookups, rules
from bot.presenters.chemistry.battle import (
    choices,
    explain,
    highlight,
    log,
    motion,
    queries,
    scenes,
)
from bot.presenters.chemistry.words import option
from bot.presenters.elements.painters import Face
from bot.presenters.poster import Difficulty, Emblem, Poster

KEY = "chemistry_battle"

PRESENTER = Presenter(
    key=KEY,
    hand_height=800,
    motifs={
        "in_a_row": "cards",
        "hairs_breadth": "bolt",
        "small_card": "atom",
        "comeback": "rise",
        "clear_lead": "peak",
        "none_wasted": "shield",
    },
    poster=Poster(
        emblem=Emblem("elements.card", (Face(26),)), minutes=3, difficulty=Difficulty.EASY, seats=4
    ),
    choices=choices.tree,
    line=log.line,
    why=explain.why,
    because=explain.because,
    status=log.status,
    when=log.when,
    table=scenes.table,
    hand=scenes.hand,
    rules=partial(rules.rules, KEY),
    cards=partial(lookups.cards, lookups.ELEMENTS_ALONE),
    card=partial(lookups.card, lookups.ELEMENTS_ALONE),
    explain=explain.explain,
    spots=scenes.spots,
    progress=log.progress,
    steps=highlight.steps,
    feats=highlight.FEATS,
    highlight=highlight.highlight,
    tie=log.tie,
    points="end.cards",
    ending=log.ending,
    option=option,
    in_view=queries.in_view,
    motion=motion.motion,
    keepsake=scenes.keepsake,
)
