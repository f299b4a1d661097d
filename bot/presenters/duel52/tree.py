"""Legal decisions as choices: what to do, with which card, where or at whom; three presses at most.

Keys: cards by code, units as `u7`, lanes as `l1`, two targets as `u7-u9`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.presenters.base import Branch, Choice, Leaf, Node
from bot.presenters.duel52.sight import Spot, left, side_of, spots
from bot.presenters.duel52.words import Voice
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.duel52.moves import Move
from engine.duel52.observation import HIDDEN, Observation, Pending
from engine.playing_cards import CODES, JACK, NINE

LABEL, NOTE = 80, 100
MOST = 25
"""So many choices fit one list."""
EMOJI = {"play": "🃏", "flip": "🔄", "attack": "⚔️", "pair": "🔗"}


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """All decisions as a tree; see `bot.presenters.base.Presenter.tree`."""
    ask = _Asker(seen, Voice(look))
    if not moves:
        return Branch(ask.voice("tree.nothing"), ())
    by_verb: dict[str, list[Move]] = {}
    for move in moves:
        by_verb.setdefault(move.verb, []).append(move)
    if seen.ask is not None:
        return _ANSWERS[seen.ask.verb](ask, moves)
    nodes = {verb: _ACTIONS[verb](ask, of_verb) for verb, of_verb in by_verb.items()}
    if len(nodes) == 1:
        return next(iter(nodes.values()))
    choices = tuple(
        Choice(verb, ask.voice(f"tree.do_{verb}"), node, emoji=EMOJI[verb]) for verb, node in nodes.items()
    )
    return Branch(ask.voice("tree.turn", n=seen.actions), choices)


class _Asker:
    """Questions about one observation."""

    def __init__(self, seen: Observation, voice: Voice) -> None:
        self.seen = seen
        self.voice = voice
        self.spots = spots(seen)
        self.pending = seen.ask or Pending("", -1)

    def lane(self, lane: int) -> str:
        return self.voice.place(self.seen, lane)

    def whose(self, spot: Spot) -> str:
        """A card of somebody, without its lane: names only where there are several enemies."""
        label = self.voice.unit(spot.unit, spot.position)
        if self.seen.setup.sides > 2:
            return self.voice("tree.of", card=label, name=self.voice.side(self.seen, spot.side))
        return label

    def here(self, spot: Spot) -> str:
        """An own card with its lane."""
        return self.voice(
            "tree.here", lane=self.lane(spot.lane), card=self.voice.unit(spot.unit, spot.position)
        )

    def anywhere(self, spot: Spot) -> str:
        """A card of anybody with its lane."""
        own = spot.side == side_of(self.seen, self.seen.viewer or 0)
        name = self.voice("tree.own") if own else self.voice.side(self.seen, spot.side)
        return clipped(
            self.voice(
                "tree.anywhere",
                name=clipped(name, 40),
                lane=self.lane(spot.lane),
                card=self.voice.unit(spot.unit, spot.position),
            ),
            LABEL,
        )

    def about(self, spot: Spot) -> str:
        """What a card does, for the line below its name."""
        if not spot.unit.shown:
            return self.state(spot)
        power = self.voice.short(spot.unit.card >> 2, vampiric=self.seen.vampiric)
        return clipped(power, NOTE)

    def state(self, spot: Spot) -> str:
        """What everybody sees of a card: hit points, frost."""
        unit = spot.unit
        said = [self.voice("tree.points", n=left(unit))]
        if unit.frozen:
            said.append(self.voice("tree.frozen"))
        if unit.mate >= 0:
            said.append(self.voice("tree.paired"))
        return ", ".join(said)

    def of_card(self, card: int, child: Node) -> Choice:
        """A card of the hand."""
        vampiric = self.seen.vampiric
        note = clipped(self.voice.short(card >> 2, vampiric=vampiric), NOTE)
        return Choice(CODES[card], self.voice.label(card, vampiric=vampiric), child, note)

    def fighter(self, unit: int) -> str:
        """Who attacks: a card, or both of a pair."""
        spot = self.spots[unit]
        if spot.unit.mate < 0:
            return self.here(spot)
        mate = self.spots[spot.unit.mate]
        both = self.voice(
            "tree.both",
            one=self.voice.unit(spot.unit, spot.position),
            two=self.voice.unit(mate.unit, mate.position),
        )
        return self.voice("tree.here", lane=self.lane(spot.lane), card=both)


def _play(ask: _Asker, moves: Sequence[Move]) -> Node:
    by_card: dict[int, list[Move]] = {}
    for move in moves:
        by_card.setdefault(move.card, []).append(move)
    seen, voice = ask.seen, ask.voice
    side = side_of(seen, seen.viewer or 0)
    choices = []
    for card, ways in by_card.items():
        lanes = []
        for move in ways:
            own = len(seen.row(side, move.lane))
            others = sum(len(row) for row in seen.rows[move.lane :: seen.setup.lanes]) - own
            note = voice("tree.lane_note", own=own, others=others)
            lanes.append(Choice(f"l{move.lane + 1}", ask.lane(move.lane), Leaf(move), note))
        label = voice.label(card, vampiric=seen.vampiric)
        choices.append(ask.of_card(card, Branch(voice("tree.play_where", card=label), tuple(lanes))))
    return Branch(voice("tree.play"), tuple(choices))


def _flip(ask: _Asker, moves: Sequence[Move]) -> Node:
    return Branch(ask.voice("tree.flip"), tuple(_unit(ask, move, move.unit, ask.here) for move in moves))


def _unit(ask: _Asker, move: Move, unit: int, name: Callable[[Spot], str]) -> Choice:
    spot = ask.spots[unit]
    return Choice(f"u{unit}", name(spot), Leaf(move), ask.about(spot))


def _pair(ask: _Asker, moves: Sequence[Move]) -> Node:
    choices = []
    for move in moves:
        one, two = ask.spots[move.unit], ask.spots[move.target]
        both = ask.voice(
            "tree.both",
            one=ask.voice.unit(one.unit, one.position),
            two=ask.voice.unit(two.unit, two.position),
        )
        label = ask.voice("tree.here", lane=ask.lane(one.lane), card=both)
        choices.append(Choice(f"u{move.unit}-u{move.target}", label, Leaf(move)))
    return Branch(ask.voice("tree.pair"), tuple(choices))


def _attack(ask: _Asker, moves: Sequence[Move]) -> Node:
    by_unit: dict[int, list[Move]] = {}
    for move in moves:
        by_unit.setdefault(move.unit, []).append(move)
    choices = list[Choice]()
    for unit, ways in by_unit.items():
        name = ask.fighter(unit)
        note = ask.about(ask.spots[unit])
        if len(ways) <= MOST:
            choices.append(Choice(f"u{unit}", name, _targets(ask, unit, ways, name), note))
            continue
        # too many pairs of targets for one list: the first target is asked for with the attacker
        by_first: dict[int, list[Move]] = {}
        for move in ways:
            by_first.setdefault(move.target, []).append(move)
        for first, rest in by_first.items():
            label = ask.voice("tree.first", fighter=name, target=ask.whose(ask.spots[first]))
            choices.append(
                Choice(f"u{unit}-u{first}", clipped(label, LABEL), _targets(ask, unit, rest, label), note)
            )
    return Branch(ask.voice("tree.attack"), tuple(choices))


def _targets(ask: _Asker, unit: int, moves: Sequence[Move], name: str) -> Branch:
    choices = []
    for move in moves:
        target = ask.spots[move.target]
        if move.second < 0:
            damage = _damage(ask, unit, target)
            label = ask.voice("tree.target", target=ask.whose(target), n=damage)
            choices.append(Choice(f"u{move.target}", clipped(label, LABEL), Leaf(move), ask.state(target)))
            continue
        second = ask.spots[move.second]
        strength = 2 if ask.spots[unit].unit.mate >= 0 else 1
        label = ask.voice("tree.targets", one=ask.whose(target), two=ask.whose(second), n=strength)
        note = ask.voice("tree.both", one=ask.state(target), two=ask.state(second))
        key = f"u{move.target}-u{move.second}"
        choices.append(Choice(key, clipped(label, LABEL), Leaf(move), clipped(note, NOTE)))
    return Branch(ask.voice("tree.target_prompt", fighter=name), tuple(choices))


def _damage(ask: _Asker, unit: int, target: Spot) -> int:
    """What an attack on one card deals, as everybody can see it."""
    fighter = ask.spots[unit].unit
    damage = 2 if fighter.mate >= 0 else 1
    jack = target.unit.up and target.unit.card >> 2 == JACK
    return damage + (fighter.card >> 2 == NINE and jack)


def _discard(ask: _Asker, moves: Sequence[Move]) -> Node:
    return Branch(ask.voice("tree.discard"), tuple(ask.of_card(move.card, Leaf(move)) for move in moves))


def _look(ask: _Asker, moves: Sequence[Move]) -> Node:
    choices = []
    for move in moves:
        spot = ask.spots[move.target]
        knows = spot.unit.card != HIDDEN and spot.unit.shown
        note = ask.voice("tree.look_known") if knows else ask.state(spot)
        choices.append(Choice(f"u{move.target}", ask.anywhere(spot), Leaf(move), note))
    return Branch(ask.voice("tree.look"), tuple(choices))


def _move(ask: _Asker, moves: Sequence[Move]) -> Node:
    queen = ask.spots[ask.pending.unit]
    choices = [
        _unit(ask, move, move.target, ask.here)
        if move.verb == "move"
        else Choice("stay", ask.voice("tree.stay"), Leaf(move))
        for move in moves
    ]
    return Branch(ask.voice("tree.move", lane=ask.lane(queen.lane)), tuple(choices))


def _order(ask: _Asker, moves: Sequence[Move]) -> Node:
    source = ask.voice.unit(ask.spots[ask.pending.unit].unit, 0)
    prompt = ask.voice("tree.order", card=source, n=len(moves))
    choices = []
    for move in moves:
        spot = ask.spots[move.unit]
        choices.append(
            Choice(
                f"u{move.unit}",
                ask.voice.label(spot.unit.card, vampiric=ask.seen.vampiric),
                Leaf(move),
                ask.about(spot),
            )
        )
    return Branch(prompt, tuple(choices))


def _open(ask: _Asker, moves: Sequence[Move]) -> Node:
    return Branch(
        ask.voice("tree.open"), (Choice("open", ask.voice("tree.do_open"), Leaf(moves[0]), strong=True),)
    )


def _bet(ask: _Asker, moves: Sequence[Move]) -> Node:
    return Branch(
        ask.voice("tree.bet"),
        tuple(
            Choice(f"s{move.target}", ask.voice("tree.do_bet", side="AB"[move.target]), Leaf(move))
            for move in moves
        ),
    )


_Maker = Callable[[_Asker, Sequence[Move]], Node]
_ACTIONS: dict[str, _Maker] = {"play": _play, "flip": _flip, "attack": _attack, "pair": _pair}
_ANSWERS: dict[str, _Maker] = {
    "discard": _discard,
    "look": _look,
    "move": _move,
    "order": _order,
    "open": _open,
    "bet": _bet,
}
