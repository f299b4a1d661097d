"""The words and pictures of Atom."""

from bot.presenters.atom import (
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
from bot.presenters.base import Presenter
from bot.presenters.poster import Difficulty, Emblem, Poster

PRESENTER = Presenter(
    key=words.GAME,
    hand_height=1110,
    motifs={
        "first_out": "flag",
        "sweep": "crown",
        "double": "star",
        "big_bomb": "bomb",
        "nuke": "atom",
        "rich_trick": "gem",
        "last_bang": "burst",
    },
    printing="bot.presenters.atom.printing",
    poster=Poster(
        emblem=Emblem("cards.face", ("A", "spades")), minutes=6, difficulty=Difficulty.MEDIUM, seats=4
    ),
    choices=choices.tree,
    line=log.line,
    why=explain.why,
    because=explain.because,
    status=log.status,
    when=log.when,
    table=scenes.table,
    hand=hand.hand,
    rules=rules.rules,
    cards=lookups.cards,
    card=lookups.card,
    explain=explain.explain,
    spots=hand.spots,
    progress=log.progress,
    feats=highlight.FEATS,
    highlight=highlight.highlight,
    motion=motion.motion,
    points="",  # sides play for a stake: the ending says which
    verdict=log.verdict,
    ending=log.ending,
    option=words.option,
    in_view=lookups.in_view,
    overview=lookups.overview,
    can_pass=True,
)
