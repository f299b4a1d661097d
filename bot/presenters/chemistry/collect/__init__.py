"""The words and pictures of Compound Capture and Chemistry Canasta, in which compounds are captured."""

from collections.abc import Mapping
from functools import partial

from bot.presenters.base import Presenter
from bot.presenters.chemistry import lookups, rules, words
from bot.presenters.chemistry.collect import choices, explain, hand, highlight, log, motion, scenes
from bot.presenters.poster import Poster
from bot.render.scene import Look
from engine.chemistry.moves import Move
from engine.chemistry.observation import Observation
from engine.game import Value


def presenter(
    key: str, contents: lookups.Contents, poster: Poster, *, hand_height: int, motifs: Mapping[str, str]
) -> Presenter[Observation, Move]:
    """Return the presenter of one of the two games; `contents` are its cards."""
    return Presenter(
        key=key,
        hand_height=hand_height,
        motifs=motifs,
        poster=poster,
        choices=choices.tree,
        line=log.line,
        twice=log.twice,
        why=explain.why,
        because=explain.because,
        status=log.status,
        when=log.when,
        table=scenes.table,
        hand=hand.hand,
        gained=hand.gained,
        hand_marked=hand.hand,
        rules=partial(rules.rules, key),
        cards=partial(lookups.cards, contents),
        card=partial(lookups.card, contents),
        explain=explain.explain,
        spots=hand.spots,
        progress=log.progress,
        feats=highlight.FEATS,
        highlight=highlight.highlight,
        motion=motion.motion,
        ending=log.ending,
        option=partial(_option, key),
        at_hand=lookups.at_hand,
        in_view=lookups.in_view,
        overview=lookups.overview,
    )


def _option(game: str, key: str, value: Value | None, look: Look) -> tuple[str, str]:
    """Return an option or one of its values, and what it does."""
    name, note = words.option(key, value, look)
    if (game, key, value) == ("compound_capture", "rounds", 1):
        note = words.Voice(look)("option.capture_rounds_1_note")
    return name, note
