"""The decision of Chemistry Battle as choices: which card, or in a blind game the top one."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presenters.base import Branch, Choice, Leaf, Node
from bot.presenters.chemistry.battle.scenes import unplayed
from bot.presenters.chemistry.words import Voice
from bot.render.scene import Look
from engine.chemistry.battle.rounds import HOUSE, ORDERS, Move, Observation
from engine.elements import ELEMENTS

STRONG = 5
"""So many cards stand out at most."""


def tree(seen: Observation, actions: Sequence[Move], look: Look) -> Node:
    """One choice, of up to 27 cards; see `bot.presenters.base.Presenter.choices`."""
    voice = Voice(look)
    if not actions:
        return Branch(voice("tree.nothing"), ())
    if seen.blind:
        flip = Choice("flip", voice("tree.flip"), Leaf(actions[0]), strong=True)
        return Branch(voice("tree.blind"), (flip,))
    best = max(seen.plays, default=0)
    out = unplayed(seen)
    # whoever follows sees the cheapest of the cards that can win
    winners = sorted(move.card for move in actions if move.card > best)[:STRONG] if seen.plays else []
    choices = []
    for move in sorted(actions, key=lambda move: -move.card):
        above = sum(other > move.card for other in out)
        if best > move.card:
            note = voice("tree.loses")
        elif len(seen.plays) == seen.hands - 1:
            note = voice("tree.wins")
        else:
            note = voice("tree.above", n=above) if above else voice("tree.top_card")
        symbol = ELEMENTS[move.card - 1].symbol
        label = voice("tree.battle_card", z=move.card, symbol=symbol, element=voice.element(move.card))
        choices.append(Choice(symbol, label, Leaf(move), note, strong=move.card in winners))
    return Branch(_question(seen, best, voice), tuple(choices))


def _question(seen: Observation, best: int, voice: Voice) -> str:
    """Whoever follows reads what is to be beaten, and whose card it is."""
    if not seen.plays:
        return voice("tree.lead")
    ahead = ORDERS[seen.hands][seen.leader][seen.plays.index(best)]
    house = ahead == HOUSE and seen.seats == 1
    return voice("tree.follow", card=best, name=voice("house_bold") if house else voice.name(ahead))
