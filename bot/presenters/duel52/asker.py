"""Building blocks of the questions of Duel 52: names of cards and attackers, and refused actions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import structs

from bot.presenters.base import LABEL, NOTE, Branch, Choice, Leaf, Node, why_not
from bot.presenters.duel52.queries import CardPlace, left, side_of, spots
from bot.presenters.duel52.refusals import Refusals
from bot.presenters.duel52.words import Voice, circled
from bot.presenters.voice import clipped
from engine.duel52.moves import Move
from engine.duel52.observation import Observation, Pending
from engine.playing_cards import CODES


class Asker:
    """Questions about one observation."""

    def __init__(self, seen: Observation, voice: Voice, refused: Refusals | None = None) -> None:
        self.seen = seen
        self.voice = voice
        self.refused = refused or Refusals((), (), {})
        self.spots = spots(seen)
        self.pending = seen.ask or Pending("", -1)

    def lane(self, lane: int) -> str:
        """Return the name of a lane or triangle, for a label."""
        return self.voice.place(self.seen, lane)

    def inside(self, lane: int) -> str:
        """Return the name of a lane or triangle, for a sentence."""
        return self.voice.inside(lane, triangles=self.seen.setup.sides > 2)

    def where(self, spot: CardPlace) -> dict[str, str]:
        """Return a card and its lane, for a sentence, and both together for a label."""
        lane = self.inside(spot.lane)
        unknown = spot.unit.locked and not spot.unit.shown
        card = self.voice("tree.the_base") if unknown else self.whose(spot, bare=True)
        return {"card": card, "lane": lane, "at": self.at(spot.lane, card)}

    def whose(self, spot: CardPlace, *, sentence: bool = False, bare: bool = False) -> str:
        """Return the name of anyone's card, without its lane.

        The owner is named only with several enemies, and in a label only for a back: no other card has the
        same name. Labels have room for the seat letters of the picture; with `sentence` the name is for a
        question, which has room for player names. `bare` leaves out the hit points.
        """
        called = self.voice.named if bare else self.voice.unit
        label = called(spot.unit, spot.position)
        known = (spot.unit.up or spot.unit.shown) and not sentence
        if self.seen.setup.sides > 2 and not known and spot.side != side_of(self.seen, self.seen.viewer or 0):
            of = self.voice.of_side if sentence else self.voice.letters
            return self.voice("tree.of", card=label, name=of(self.seen, spot.side))
        return label

    def at(self, lane: int, card: str) -> str:
        """Return a card, or two, after the sign of the lane."""
        return self.voice("tree.at", lane=circled(lane), card=card)

    def here(self, spot: CardPlace) -> str:
        """Return a card of the observer with its lane."""
        return self.at(spot.lane, self.voice.unit(spot.unit, spot.position))

    def flipped(self, spot: CardPlace) -> str:
        """Return a face-down card of the observer with its lane, and its power if they know the card."""
        if not spot.unit.shown:
            return self.here(spot)
        label = self.voice.label(spot.unit.card, vampiric=self.seen.vampiric)
        return self.at(spot.lane, self.voice.hurt(label, spot.unit))

    def called(self, spot: CardPlace) -> str:
        """Return a card of the observer that a Queen may call."""
        card = self.here(spot)
        return self.voice("tree.breaks", card=card) if spot.unit.mate >= 0 else card

    def anywhere(self, spot: CardPlace) -> str:
        """Return a card of any side with its lane."""
        own = spot.side == side_of(self.seen, self.seen.viewer or 0)
        name = self.voice("tree.own") if own else self.voice.side(self.seen, spot.side)
        return clipped(f"{clipped(name, 40)} {self.here(spot)}", LABEL)

    def looked(self, spot: CardPlace) -> str:
        """Return a look at a card of any side, worded to be clear without its question."""
        own = spot.side == side_of(self.seen, self.seen.viewer or 0)
        card, lane = self.voice.unit(spot.unit, spot.position), self.inside(spot.lane)
        if own:
            return self.voice("tree.told_look_own", card=card, lane=lane)
        return self.voice("tree.told_look", card=card, lane=lane, name=self.voice.side(self.seen, spot.side))

    def about(self, spot: CardPlace) -> str:
        """Return what a card does, for the line below its name."""
        if not spot.unit.shown:
            return self.state(spot)
        power = self.voice.short(spot.unit.card >> 2, vampiric=self.seen.vampiric)
        return clipped(power, NOTE)

    def power(self, spot: CardPlace) -> str:
        """Return the name of a card's power, or "" if the observer does not know the card."""
        return self.voice.power(spot.unit.card >> 2, vampiric=self.seen.vampiric) if spot.unit.shown else ""

    def state(self, spot: CardPlace) -> str:
        """Return the public state of a card, apart from its hit points."""
        signs = {"tree.frozen": spot.unit.frozen, "tree.paired": spot.unit.mate >= 0}
        return self.voice.listed(self.voice(key) for key, shown in signs.items() if shown)

    def of_card(self, card: int, child: Node) -> Choice:
        """Return the choice of a card in the hand."""
        vampiric = self.seen.vampiric
        power, note = (say(card >> 2, vampiric=vampiric) for say in (self.voice.power, self.voice.short))
        label = self.voice.label(card, vampiric=vampiric)
        return Choice(CODES[card], label, child, clipped(note, NOTE), noted=power)

    def strikers(self, unit: int) -> int:
        """Return how many cards strike together when this one attacks."""
        return 2 if self.spots[unit].unit.mate >= 0 else 1

    def bare(self, spot: CardPlace) -> str:
        """Return a card for a short label: a back with the sign of its lane, any other card by name alone."""
        name = self.whose(spot, bare=True)
        return name if spot.unit.up or spot.unit.shown else self.at(spot.lane, name)

    @staticmethod
    def unhurt(spot: CardPlace) -> CardPlace:
        """Return the same card without its damage. A short label leaves that to the picture."""
        return spot._replace(unit=structs.replace(spot.unit, damage=0))

    def short_fighter(self, unit: int) -> str:
        """Return the attackers, each named once, short enough for two labels side by side on a phone."""
        spot = self.spots[unit]
        fighters = [spot] if spot.unit.mate < 0 else [spot, self.spots[spot.unit.mate]]
        named = [self.voice.named(one.unit, one.position) for one in fighters]
        return self.voice("tree.both", one=named[0], two=named[1]) if len(named) > 1 else named[0]

    def hit(self, damage: int, target: CardPlace) -> str:
        """Return the string key for an attack that kills or only hits. For a back this is unknown, so it only
        hits."""
        return "kill" if target.unit.up and damage >= left(target.unit) else "hit"

    def fighter(self, unit: int) -> str:
        """Return the attackers: a card, or both cards of a pair."""
        spot = self.spots[unit]
        if spot.unit.mate < 0:
            return self.here(spot)
        mate = self.spots[spot.unit.mate]
        both = self.voice(
            "tree.both",
            one=self.voice.unit(spot.unit, spot.position),
            two=self.voice.unit(mate.unit, mate.position),
        )
        return self.at(spot.lane, both)

    # refusals

    def question(self, prompt: str, choices: tuple[Choice, ...], refused: Sequence[Choice]) -> Branch:
        """Return a question with a side choice that asks about refused actions."""
        return Branch(prompt, choices, self.why(refused, "tree.why_others"))

    def why(self, refused: Sequence[Choice], label: str) -> tuple[Choice, ...]:
        """Return the side choice that asks about refused actions, or none if nothing is refused.

        If only one action is refused, the choice asks about it directly.
        """
        if len(refused) == 1:
            (only,) = refused
            kind, unit = only.key.split("-u")
            spot = self.spots[int(unit)]
            return (
                why_not(clipped(self.voice(f"tree.why_one.{kind}", **self.where(spot)), LABEL), only.child),
            )
        if not refused:
            return ()
        asked = Branch(self.voice("tree.which_why"), tuple(refused))
        return (why_not(self.voice(label), asked),)

    def no_flips(self, moves: Iterable[Move]) -> list[Choice]:
        """Return the choices for backs that can't be flipped now."""
        return [self.refusal("flip", move, move.unit) for move in moves]

    def no_attacks(self, fighters: Iterable[int]) -> list[Choice]:
        """Return the choices for cards that can't attack now, and for targets that `fighters` can't hit."""
        said = [self.refusal("by", move, move.unit) for move in self.refused.by]
        return said + self.no_targets(fighters)

    def no_targets(self, fighters: Iterable[int]) -> list[Choice]:
        """Return the choices for targets that these cards can't hit now, each target once."""
        by_target = {move.target: move for unit in fighters for move in self.refused.on.get(unit, ())}
        return [self.refusal("on", move, target) for target, move in by_target.items()]

    def refusal(self, kind: str, move: Move, unit: int) -> Choice:
        """Return the choice for a refused action."""
        where = self.where(self.spots[unit])
        label, short = (self.voice(f"tree.{said}.{kind}", **where) for said in ("refused", "refused_short"))
        return Choice(f"{kind}-u{unit}", clipped(label, LABEL), Leaf(move, refused=True), short=short)
