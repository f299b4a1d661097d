"""Legal decisions as choices: what to do, with which card, where or at whom; three presses at most.

A question with a single answer is not asked: the answer stands in the question before. What the rules
refuse hangs beside the question in which one would look for it, so that people can ask why.

Keys: cards by code, units as `u7`, lanes as `l1`, two targets as `u7-u9`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.presenters.base import LABEL, NOTE, Branch, Choice, Leaf, Node, why_not
from bot.presenters.duel52.queries import Spot, left, side_of, spots
from bot.presenters.duel52.refused import Refusals, refusals
from bot.presenters.duel52.words import Voice, circled
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.duel52.moves import Move
from engine.duel52.observation import HIDDEN, Observation, Pending
from engine.playing_cards import CODES, JACK, NINE

MOST = 25
"""The most choices in one list."""
BUTTONS = 10
"""The most choices that are buttons."""
EMOJI = {"play": "🃏", "flip": "🔄", "attack": "⚔️", "pair": "🔗"}


class _Part(NamedTuple):
    """What can be done with one verb: the label of its choice, then a question, or `end` where there is
    one way only. `refused` is asked for beside the question; where there is none, beside the one before."""

    label: str
    prompt: str = ""
    choices: tuple[Choice, ...] = ()
    refused: tuple[Choice, ...] = ()
    end: Leaf | None = None
    spread: tuple[Choice, ...] = ()
    """Choices that can stand beside the other actions, without the verb before them."""


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """All decisions as a tree; see `bot.presenters.base.Presenter.choices`."""
    voice = Voice(look)
    if not moves:
        return Branch(voice("tree.nothing"), ())
    if seen.ask is not None:
        return _ANSWERS[seen.ask.verb](_Asker(seen, voice), moves)
    ask = _Asker(seen, voice, refusals(seen, moves))
    by_verb: dict[str, list[Move]] = {}
    for move in moves:
        by_verb.setdefault(move.verb, []).append(move)
    parts = {verb: _ACTIONS[verb](ask, of_verb) for verb, of_verb in by_verb.items()}
    refused = list[Choice]()
    if "flip" not in parts:  # that bases sleep is no news in a turn without any flip
        refused += ask.no_flips(move for move in ask.refused.flips if not ask.spots[move.unit].unit.locked)
    if "attack" not in parts:
        refused += ask.no_attacks(ask.refused.on)
    if len(parts) == 1:
        (part,) = parts.values()
        if part.end is None:
            why = ask.why((*part.refused, *refused), "tree.why_not" if refused else "tree.why_others")
            return Branch(part.prompt, part.choices, why)
    choices, at_once = list[Choice](), _at_once(parts)
    for verb, part in parts.items():
        if verb in at_once:
            choices += part.spread
            continue
        node = part.end or ask.question(part.prompt, part.choices, part.refused)
        # a label that says all is long enough for half a line of a phone
        emoji = "" if part.end else EMOJI[verb]
        choices.append(Choice(verb, clipped(part.label, LABEL), node, emoji=emoji))
        refused += part.refused if part.end else ()
    refused += [one for verb in at_once for one in parts[verb].refused]
    why = ask.why(refused, "tree.why_not")
    prompt = voice("tree.turn_play" if "play" in at_once else "tree.turn", n=seen.actions)
    return Branch(prompt, tuple(choices), why)


def _at_once(parts: Mapping[str, _Part]) -> set[str]:
    """The verbs that need no press of their own: their choices stand beside the other actions, as long as
    all of them are buttons."""
    found, room = set[str](), BUTTONS - len(parts)
    for verb in ("play", "attack"):
        part = parts.get(verb)
        if part is not None and part.spread and len(part.spread) - 1 <= room:
            found.add(verb)
            room -= len(part.spread) - 1
    return found


class _Asker:
    """Questions about one observation."""

    def __init__(self, seen: Observation, voice: Voice, refused: Refusals | None = None) -> None:
        self.seen = seen
        self.voice = voice
        self.refused = refused or Refusals((), (), {})
        self.spots = spots(seen)
        self.pending = seen.ask or Pending("", -1)

    def lane(self, lane: int) -> str:
        return self.voice.place(self.seen, lane)

    def where(self, spot: Spot) -> dict[str, str]:
        """A card and its lane, for a sentence, and both for a label."""
        lane = self.voice.inside(spot.lane, triangles=self.seen.setup.sides > 2)
        unknown = spot.unit.locked and not spot.unit.shown
        card = self.voice("tree.the_base") if unknown else self.whose(spot)
        return {"card": card, "lane": lane, "at": self.at(spot.lane, card)}

    def whose(self, spot: Spot, *, sentence: bool = False, bare: bool = False) -> str:
        """A card of somebody, without its lane: whose it is only where there are several enemies.

        For labels, which have room for letters, as in the picture; with `sentence` for a question, which has
        room for names; `bare` does not say what is left of it.
        """
        called = self.voice.named if bare else self.voice.unit
        label = called(spot.unit, spot.position)
        if self.seen.setup.sides > 2 and spot.side != side_of(self.seen, self.seen.viewer or 0):
            of = self.voice.of_side if sentence else self.voice.letters
            return self.voice("tree.of", card=label, name=of(self.seen, spot.side))
        return label

    def at(self, lane: int, card: str) -> str:
        """A card, or two, after the sign of their lane."""
        return self.voice("tree.at", lane=circled(lane), card=card)

    def here(self, spot: Spot) -> str:
        """An own card with its lane."""
        return self.at(spot.lane, self.voice.unit(spot.unit, spot.position))

    def flipped(self, spot: Spot) -> str:
        """An own back with its lane, and what it brings if its player knows."""
        if not spot.unit.shown:
            return self.here(spot)
        label = self.voice.label(spot.unit.card, vampiric=self.seen.vampiric)
        return self.at(spot.lane, self.voice.hurt(label, spot.unit))

    def called(self, spot: Spot) -> str:
        """An own card that a Queen may call."""
        card = self.here(spot)
        return self.voice("tree.breaks", card=card) if spot.unit.mate >= 0 else card

    def anywhere(self, spot: Spot) -> str:
        """A card of anybody with its lane."""
        own = spot.side == side_of(self.seen, self.seen.viewer or 0)
        name = self.voice("tree.own") if own else self.voice.side(self.seen, spot.side)
        return clipped(f"{clipped(name, 40)} {self.here(spot)}", LABEL)

    def about(self, spot: Spot) -> str:
        """What a card does, for the line below its name."""
        if not spot.unit.shown:
            return self.state(spot)
        power = self.voice.short(spot.unit.card >> 2, vampiric=self.seen.vampiric)
        return clipped(power, NOTE)

    def state(self, spot: Spot) -> str:
        """What everybody sees of a card beside its hit points."""
        signs = {"tree.frozen": spot.unit.frozen, "tree.paired": spot.unit.mate >= 0}
        return self.voice.listed(self.voice(key) for key, shown in signs.items() if shown)

    def of_card(self, card: int, child: Node) -> Choice:
        """A card of the hand."""
        vampiric = self.seen.vampiric
        note = clipped(self.voice.short(card >> 2, vampiric=vampiric), NOTE)
        return Choice(CODES[card], self.voice.label(card, vampiric=vampiric), child, note)

    def strikers(self, unit: int) -> int:
        """How many cards strike together when this one attacks."""
        return 2 if self.spots[unit].unit.mate >= 0 else 1

    def short_fighter(self, unit: int) -> str:
        """Who attacks, where two labels are to stand side by side on a phone: each is named once."""
        spot = self.spots[unit]
        fighters = [spot] if spot.unit.mate < 0 else [spot, self.spots[spot.unit.mate]]
        named = [self.voice.named(one.unit, one.position) for one in fighters]
        return self.voice("tree.both", one=named[0], two=named[1]) if len(named) > 1 else named[0]

    def hit(self, damage: int, target: Spot) -> str:
        """Whether an attack kills, for a key; of a back nobody knows that."""
        return "kill" if target.unit.up and damage >= left(target.unit) else "hit"

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
        return self.at(spot.lane, both)

    # why not

    def question(self, prompt: str, choices: tuple[Choice, ...], refused: Sequence[Choice]) -> Branch:
        """A question, and beside it a way to ask about what is no answer."""
        return Branch(prompt, choices, self.why(refused, "tree.why_others"))

    def why(self, refused: Sequence[Choice], label: str) -> tuple[Choice, ...]:
        """The way to ask; one thing is asked about at once, nothing where nothing is refused."""
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
        """Backs that can't be flipped now."""
        return [self.refusal("flip", move, move.unit) for move in moves]

    def no_attacks(self, fighters: Iterable[int]) -> list[Choice]:
        """Cards that can't attack now, and what those who can, of these, can't hit."""
        said = [self.refusal("by", move, move.unit) for move in self.refused.by]
        return said + self.no_targets(fighters)

    def no_targets(self, fighters: Iterable[int]) -> list[Choice]:
        """What these can't hit now, each target once."""
        by_target = {move.target: move for unit in fighters for move in self.refused.on.get(unit, ())}
        return [self.refusal("on", move, target) for target, move in by_target.items()]

    def refusal(self, kind: str, move: Move, unit: int) -> Choice:
        """Something that the rules refuse."""
        label = self.voice(f"tree.refused.{kind}", **self.where(self.spots[unit]))
        return Choice(f"{kind}-u{unit}", clipped(label, LABEL), Leaf(move, refused=True))


def _play(ask: _Asker, moves: Sequence[Move]) -> _Part:
    by_card: dict[int, list[Move]] = {}
    for move in moves:
        by_card.setdefault(move.card, []).append(move)
    seen, voice = ask.seen, ask.voice
    side = side_of(seen, seen.viewer or 0)
    choices, prompt, lanes = list[Choice](), "", list[Choice]()
    for card, ways in by_card.items():
        lanes = []
        for move in ways:
            own = len(seen.row(side, move.lane))
            others = sum(len(row) for row in seen.rows[move.lane :: seen.setup.lanes]) - own
            label = voice("tree.lane_label", lane=ask.lane(move.lane), own=own, others=others)
            lanes.append(Choice(f"l{move.lane + 1}", label, Leaf(move)))
        prompt = voice("tree.play_where", card=voice.label(card, vampiric=seen.vampiric))
        choices.append(ask.of_card(card, Branch(prompt, tuple(lanes))))
    if len(choices) > 1:
        return _Part(voice("tree.do_play"), voice("tree.play"), tuple(choices), spread=tuple(choices))
    return _Part(voice("tree.do_play_one", card=choices[0].label), prompt, tuple(lanes))


def _flip(ask: _Asker, moves: Sequence[Move]) -> _Part:
    refused = tuple(ask.no_flips(ask.refused.flips))
    if len(moves) == 1:
        (move,) = moves
        label = ask.voice("tree.do_flip_one", card=ask.here(ask.spots[move.unit]))
        return _Part(label, refused=refused, end=Leaf(move))
    choices = tuple(_unit(ask, move, move.unit, ask.flipped) for move in moves)
    return _Part(ask.voice("tree.do_flip"), ask.voice("tree.flip"), choices, refused)


def _unit(ask: _Asker, move: Move, unit: int, name: Callable[[Spot], str]) -> Choice:
    spot = ask.spots[unit]
    return Choice(f"u{unit}", clipped(name(spot), LABEL), Leaf(move), ask.about(spot))


def _pair(ask: _Asker, moves: Sequence[Move]) -> _Part:
    choices = []
    for move in moves:
        one, two = ask.spots[move.unit], ask.spots[move.target]
        both = ask.voice("tree.both", one=ask.whose(one), two=ask.whose(two))
        label = ask.at(one.lane, both)
        choices.append(Choice(f"u{move.unit}-u{move.target}", label, Leaf(move)))
    if len(choices) > 1:
        return _Part(ask.voice("tree.do_pair"), ask.voice("tree.pair"), tuple(choices))
    label = ask.voice("tree.do_pair_one", cards=both)
    return _Part(label, end=Leaf(moves[0]))


def _attack(ask: _Asker, moves: Sequence[Move]) -> _Part:
    by_unit: dict[int, list[Move]] = {}
    for move in moves:
        by_unit.setdefault(move.unit, []).append(move)
    if len(by_unit) == 1 and 1 < len(moves) <= MOST:
        ((unit, ways),) = by_unit.items()
        targets = _targets(ask, unit, ways)
        prompt = ask.voice("tree.target_prompt", fighter=ask.fighter(unit))
        refused = (*ask.no_targets([unit]), *ask.no_attacks(set(ask.refused.on) - {unit}))
        return _Part(ask.voice("tree.do_attack"), prompt, targets, refused)
    spread = tuple(_striker(ask, unit, ways) for unit, ways in by_unit.items() if len(ways) <= MOST)
    if len(spread) < len(by_unit):
        spread = ()
    lines = [choice for unit, ways in by_unit.items() for choice in _strikes(ask, unit, ways)]
    if 1 < len(lines) <= MOST and ask.seen.setup.sides == 2:
        # where nobody has to be named besides, every way has a short name: one press instead of two
        refused = tuple(ask.no_attacks(ask.refused.on))
        return _Part(
            ask.voice("tree.do_attack"), ask.voice("tree.attack"), tuple(lines), refused, spread=spread
        )
    choices, unasked = list[Choice](), set(ask.refused.on)
    for unit, ways in by_unit.items():
        if 1 < len(ways) <= MOST:
            unasked.discard(unit)
        choices += _fighter(ask, unit, ways)
    refused = tuple(ask.no_attacks(sorted(unasked)))
    if len(moves) == 1:
        return _Part(choices[0].label, refused=refused, end=Leaf(moves[0]))
    return _Part(
        ask.voice("tree.do_attack"), ask.voice("tree.attack"), tuple(choices), refused, spread=spread
    )


def _striker(ask: _Asker, unit: int, moves: Sequence[Move]) -> Choice:
    """A card that can attack, as an action of its own: the question is whom."""
    if len(moves) == 1:
        (only,) = _fighter(ask, unit, moves)
        return only
    name = ask.fighter(unit)
    targets = _targets(ask, unit, moves)
    asked = ask.question(ask.voice("tree.target_prompt", fighter=name), targets, ask.no_targets([unit]))
    label = ask.voice("tree.do_attack_with", fighter=ask.short_fighter(unit), n=ask.strikers(unit))
    return Choice(f"u{unit}", clipped(label, LABEL), asked)


def _strikes(ask: _Asker, unit: int, moves: Sequence[Move]) -> list[Choice]:
    """Each way in which a card can attack: who, whom, and what it does."""
    return [
        replace(target, key=f"u{unit}-{target.key}", label=_strike(ask, unit, move, target.label))
        for move, target in zip(moves, _targets(ask, unit, moves), strict=True)
    ]


def _strike(ask: _Asker, unit: int, move: Move, targets: str) -> str:
    """Who attacks whom; `targets` says so of two."""
    name, target = ask.short_fighter(unit), ask.spots[move.target]
    if move.second >= 0:
        return clipped(ask.voice("tree.first", fighter=name, target=targets), LABEL)
    damage = _damage(ask, unit, target)
    key, hit = f"tree.strike.{ask.hit(damage, target)}", ask.whose(target, bare=True)
    return clipped(ask.voice(key, fighter=name, target=hit, n=ask.strikers(unit), damage=damage), LABEL)


def _fighter(ask: _Asker, unit: int, moves: Sequence[Move]) -> list[Choice]:
    """A card that can attack. Where its pairs of targets are too many for one list, it stands there once
    for each first target."""
    name, note = ask.fighter(unit), ask.state(ask.spots[unit])
    prompt = ask.voice("tree.target_prompt", fighter=name)
    if len(moves) == 1:
        (only,) = _targets(ask, unit, moves)
        return [Choice(f"u{unit}", _strike(ask, unit, moves[0], only.label), only.child, note)]
    if len(moves) <= MOST:
        asked = ask.question(prompt, _targets(ask, unit, moves), ask.no_targets([unit]))
        return [Choice(f"u{unit}", name, asked, note)]
    by_first: dict[int, list[Move]] = {}
    for move in moves:
        by_first.setdefault(move.target, []).append(move)
    choices = []
    for first, rest in by_first.items():
        label = ask.voice("tree.first", fighter=name, target=ask.whose(ask.spots[first]))
        seconds = _targets(ask, unit, rest)
        both = ask.voice("tree.first", fighter=name, target=ask.whose(ask.spots[first], sentence=True))
        child: Node = Branch(ask.voice("tree.target_prompt", fighter=both), seconds)
        if len(seconds) == 1:
            label = _strike(ask, unit, rest[0], seconds[0].label)
            child = seconds[0].child
        choices.append(Choice(f"u{unit}-u{first}", clipped(label, LABEL), child, note))
    return choices


def _targets(ask: _Asker, unit: int, moves: Sequence[Move]) -> tuple[Choice, ...]:
    choices = []
    for move in moves:
        target = ask.spots[move.target]
        if move.second < 0:
            damage = _damage(ask, unit, target)
            key = f"tree.target.{ask.hit(damage, target)}"
            label = ask.voice(key, target=ask.whose(target, bare=True), n=damage)
            choices.append(Choice(f"u{move.target}", clipped(label, LABEL), Leaf(move), ask.state(target)))
            continue
        second = ask.spots[move.second]
        one, two = ask.whose(target), ask.whose(second)
        label = ask.voice("tree.targets", one=one, two=two, n=ask.strikers(unit))
        notes = [
            ask.voice("tree.state", card=ask.voice.named(spot.unit, spot.position), state=state)
            for spot in (target, second)
            if (state := ask.state(spot))
        ]
        key = f"u{move.target}-u{move.second}"
        choices.append(Choice(key, clipped(label, LABEL), Leaf(move), clipped(" · ".join(notes), NOTE)))
    return tuple(choices)


def _damage(ask: _Asker, unit: int, target: Spot) -> int:
    """What an attack on one card deals, as everybody can see it."""
    fighter = ask.spots[unit].unit
    damage = ask.strikers(unit)
    jack = target.unit.up and target.unit.card >> 2 == JACK
    return damage + (fighter.card >> 2 == NINE and jack)


def _discard(ask: _Asker, moves: Sequence[Move]) -> Node:
    drawn = ask.seen.drawn
    prompt = ask.voice("tree.discard_any")
    if drawn != HIDDEN:
        prompt = ask.voice("tree.discard", card=ask.voice.card(drawn))
    return Branch(prompt, tuple(ask.of_card(move.card, Leaf(move)) for move in moves))


def _look(ask: _Asker, moves: Sequence[Move]) -> Node:
    def knows(move: Move) -> bool:
        unit = ask.spots[move.target].unit
        return unit.card != HIDDEN and unit.shown

    choices = []
    for move in sorted(moves, key=knows):  # what one knows is hardly worth a look
        spot = ask.spots[move.target]
        note = ask.voice("tree.look_known") if knows(move) else ask.state(spot)
        choices.append(Choice(f"u{move.target}", ask.anywhere(spot), Leaf(move), note))
    return Branch(ask.voice("tree.look"), tuple(choices))


def _move(ask: _Asker, moves: Sequence[Move]) -> Node:
    queen = ask.spots[ask.pending.unit]
    choices = [
        _unit(ask, move, move.target, ask.called)
        if move.verb == "move"
        else Choice("stay", ask.voice("tree.stay"), Leaf(move))
        for move in moves
    ]
    return Branch(ask.voice("tree.move", lane=ask.where(queen)["lane"]), tuple(choices))


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


_ACTIONS: dict[str, Callable[[_Asker, Sequence[Move]], _Part]] = {
    "play": _play,
    "flip": _flip,
    "attack": _attack,
    "pair": _pair,
}
_ANSWERS: dict[str, Callable[[_Asker, Sequence[Move]], Node]] = {
    "discard": _discard,
    "look": _look,
    "move": _move,
    "order": _order,
    "open": _open,
    "bet": _bet,
}
