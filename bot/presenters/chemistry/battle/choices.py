"""The decision of Chemistry Battle as choices: which card, or in a blind game the top one.

Up to ten cards are a button each. Of more those that most people play stand there, the cheapest that win or
the highest, and the lowest; the others lie between them by number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from bot.presenters.base import Branch, Choice, Leaf, Node
from bot.presenters.chemistry.battle.scenes import unplayed
from bot.presenters.chemistry.words import Voice
from bot.render.blocks import even
from bot.render.scene import Look
from engine.chemistry.battle.rounds import HOUSE, ORDERS, PLAYS, Move, Observation
from engine.elements import ELEMENTS

ANSWERS = 10
"""Maximum number of answers to one question that are buttons."""
WINNERS, LOWEST = 4, 2
"""Beyond `ANSWERS` cards: buttons kept for cards that may win the round, and for throwaways."""


def tree(seen: Observation, actions: Sequence[Move], look: Look) -> Node:
    """One choice, of up to 27 cards; see `bot.presenters.base.Presenter.choices`."""
    voice = Voice(look)
    if not actions:
        return Branch(voice("tree.nothing"), ())
    if seen.blind:
        flip = Choice("flip", voice("tree.flip"), Leaf(actions[0]), strong=True)
        return Branch(voice("tree.blind"), (flip,))
    ask = _Asker(seen, voice)
    cards = sorted((move.card for move in actions), reverse=True)
    # whoever follows sees the cheapest of the cards that can win
    winners = sorted(card for card in cards if card > ask.best)[:WINNERS] if seen.plays else cards[:WINNERS]
    if len(cards) <= ANSWERS:
        shown = [ask.card(card, strong=bool(seen.plays) and card in winners) for card in cards]
    else:
        shown = list(ask.between(cards, {*winners, *cards[-LOWEST:]}))
    return Branch(ask.question(), tuple(shown))


class _Asker:
    """One question about one observation."""

    def __init__(self, seen: Observation, voice: Voice) -> None:
        self.seen = seen
        self.voice = voice
        self.best = max(seen.plays, default=0)
        self.out = unplayed(seen)

    def question(self) -> str:
        """Whoever follows reads what is to be beaten, and whose card it is."""
        seen, voice = self.seen, self.voice
        if not seen.plays:
            return voice("tree.lead")
        ahead = ORDERS[seen.hands][seen.leader][seen.plays.index(self.best)]
        house = ahead == HOUSE and seen.seats == 1
        return voice("tree.follow", card=self.best, name=voice("house_bold") if house else voice.name(ahead))

    def between(self, cards: Sequence[int], direct: Collection[int]) -> Iterator[Choice]:
        """Cards from the highest down: these ones directly, whatever lies between them by number."""
        for alone, found in groupby(cards, lambda card: card in direct):
            some = list(found)
            if alone or len(some) == 1:
                yield from (
                    self.card(card, strong=bool(self.seen.plays) and card > self.best) for card in some
                )
                continue
            size = even(len(some), ANSWERS)
            for part in (some[at : at + size] for at in range(0, len(some), size)):
                label = self.voice("tree.battle_range", first=part[-1], last=part[0])
                asked = Branch(self.question(), tuple(map(self.card, part)))
                note = self.voice("cards", n=len(part))
                yield Choice(f"{part[-1]}-{part[0]}", label, asked, note)

    def card(self, card: int, *, strong: bool = False) -> Choice:
        """A card, and what it can do in this round."""
        voice, above = self.voice, sum(other > card for other in self.out)
        if self.best > card:
            note = voice("tree.loses")
        elif len(self.seen.plays) == self.seen.hands - 1:
            note = voice("tree.wins")
        else:
            note = voice("tree.above", n=above) if above else voice("tree.top_card")
        symbol = ELEMENTS[card - 1].symbol
        label = voice("tree.battle_card", z=card, symbol=symbol, element=voice.element(card))
        return Choice(symbol, label, Leaf(PLAYS[card]), note, strong=strong)
