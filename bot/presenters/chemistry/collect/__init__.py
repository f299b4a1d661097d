"""The words and pictures of Compound Capture and Chemistry Canasta, in which compounds are captured."""

from functools import partial

from bot.presenters.base import Presenter
from bot.presenters.chemistry import lookups, rules, words
from bot.presenters.chemistry.collect import choices, explain, hand, highlight, log, motion, scenes, showcase
from bot.presenters.poster import Poster
from engine.chemistry.moves import Move
from engine.chemistry.observation import Observation


def presenter(key: str, contents: lookups.Contents, poster: Poster) -> Presenter[Observation, Move]:
    """The presenter of one of the two: its key, what cards it has, and its poster."""
    return Presenter(
        key=key,
        poster=poster,
        choices=choices.tree,
        line=log.line,
        twice=log.twice,
        why=explain.why,
        status=log.status,
        table=scenes.table,
        hand=hand.hand,
        rules=partial(rules.rules, key),
        cards=partial(lookups.cards, contents),
        card=partial(lookups.card, contents),
        explain=explain.explain,
        progress=log.progress,
        feats=highlight.FEATS,
        highlight=highlight.highlight,
        motion=motion.motion,
        ending=log.ending,
        option=words.option,
        at_hand=lookups.at_hand,
        in_view=lookups.in_view,
        overview=lookups.overview,
        showcase=partial(showcase.showcase, key),
    )
