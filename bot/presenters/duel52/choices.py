"""Legal decisions as choices: the action, then the card, then its lane or target, in at most three presses.

A question with a single answer is not asked: the question before it shows the answer. Actions that the rules
refuse are next to the question where people look for them, so that they can ask why.

Keys: cards by code, units as `u7`, lanes as `l1`, two targets as `u7-u9`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from bot.presenters.base import LABEL, NOTE, Branch, Choice, Leaf, Node
from bot.presenters.duel52.asker import Asker
from bot.presenters.duel52.queries import CardPlace, side_of
from bot.presenters.duel52.refusals import refusals
from bot.presenters.duel52.words import Voice
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.duel52.moves import Move
from engine.duel52.observation import HIDDEN, Observation
from engine.playing_cards import JACK, LABELS, NINE

MOST = 25
"""Maximum number of choices in one list."""
BUTTONS = 10
"""Maximum number of choices shown as buttons."""
EMOJI = {"play": "🃏", "flip": "🔄", "attack": "⚔️", "pair": "🔗"}


class _Part(NamedTuple):
    """The choices for one verb: a label, then a question, or `end` if there is only one way to do it.

    `short` is the button's label. `refused` can be asked about next to the question, or without one next to
    the previous question.
    """

    label: str
    prompt: str = ""
    choices: tuple[Choice, ...] = ()
    refused: tuple[Choice, ...] = ()
    end: Leaf | None = None
    spread: tuple[Choice, ...] = ()
    """Choices that can be shown among the other actions, without asking for the verb first."""
    short: str = ""


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """Return all decisions as a tree. See `bot.presenters.base.Presenter.choices`."""
    voice = Voice(look)
    if not moves:
        return Branch(voice("tree.nothing"), ())
    if seen.ask is not None:
        return _ANSWERS[seen.ask.verb](Asker(seen, voice), moves)
    ask = Asker(seen, voice, refusals(seen, moves))
    by_verb: dict[str, list[Move]] = {}
    for move in moves:
        by_verb.setdefault(move.verb, []).append(move)
    parts = {verb: _ACTIONS[verb](ask, of_verb) for verb, of_verb in by_verb.items()}
    refused = list[Choice]()
    if "flip" not in parts:  # locked bases are worth a mention only in a turn with flips
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
        # a label that says everything already fills half a line on a phone
        emoji = "" if part.end or part.short else EMOJI[verb]
        choices.append(Choice(verb, clipped(part.label, LABEL), node, emoji=emoji, short=part.short))
        refused += part.refused if part.end else ()
    refused += [one for verb in at_once for one in parts[verb].refused]
    why = ask.why(refused, "tree.why_not")
    prompt = voice("tree.turn_play" if "play" in at_once else "tree.turn", n=seen.actions)
    return Branch(prompt, tuple(choices), why)


def _at_once(parts: Mapping[str, _Part]) -> set[str]:
    """Return the verbs whose choices are shown among the other actions, as long as all of them
    are buttons."""
    found, room = set[str](), BUTTONS - len(parts)
    for verb in ("play", "attack"):
        part = parts.get(verb)
        if part is not None and part.spread and len(part.spread) - 1 <= room:
            found.add(verb)
            room -= len(part.spread) - 1
    return found


def _play(ask: Asker, moves: Sequence[Move]) -> _Part:
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
            told = voice("tree.told_lay", card=LABELS[card], lane=ask.inside(move.lane))
            lanes.append(Choice(f"l{move.lane + 1}", label, Leaf(move), wording=told))
        prompt = voice("tree.play_where", card=voice.label(card, vampiric=seen.vampiric))
        choices.append(ask.of_card(card, Branch(prompt, tuple(lanes))))
    if len(choices) > 1:
        return _Part(voice("tree.do_play"), voice("tree.play"), tuple(choices), spread=tuple(choices))
    # the picture names the power of a single card below it
    label, short = (voice("tree.do_play_one", card=said) for said in (choices[0].label, LABELS[card]))
    return _Part(label, prompt, tuple(lanes), short=short)


def _flip(ask: Asker, moves: Sequence[Move]) -> _Part:
    refused = tuple(ask.no_flips(ask.refused.flips))
    if len(moves) == 1:
        (move,) = moves
        spot = ask.spots[move.unit]
        label, short = (ask.voice("tree.do_flip_one", card=say(spot)) for say in (ask.here, ask.bare))
        return _Part(label, refused=refused, end=Leaf(move), short=short)
    choices = tuple(
        replace(
            _unit(ask, move, move.unit, ask.flipped),
            wording=ask.voice("tree.do_flip_one", card=ask.here(ask.spots[move.unit])),
        )
        for move in moves
    )
    return _Part(ask.voice("tree.do_flip"), ask.voice("tree.flip"), choices, refused)


def _unit(ask: Asker, move: Move, unit: int, name: Callable[[CardPlace], str]) -> Choice:
    spot = ask.spots[unit]
    label, whole = (clipped(name(one), LABEL) for one in (spot, ask.unhurt(spot)))
    return Choice(f"u{unit}", label, Leaf(move), ask.about(spot), short=whole, noted=ask.power(spot))


def _pair(ask: Asker, moves: Sequence[Move]) -> _Part:
    choices = []
    for move in moves:
        one, two = ask.spots[move.unit], ask.spots[move.target]
        both = ask.voice("tree.both", one=ask.whose(one), two=ask.whose(two))
        label = ask.at(one.lane, both)
        told = ask.voice("tree.do_pair_one", cards=label)
        choices.append(Choice(f"u{move.unit}-u{move.target}", label, Leaf(move), wording=told))
    if len(choices) > 1:
        return _Part(ask.voice("tree.do_pair"), ask.voice("tree.pair"), tuple(choices))
    label = ask.voice("tree.do_pair_one", cards=both)
    bare = ask.voice("tree.both", one=ask.whose(one, bare=True), two=ask.whose(two, bare=True))
    return _Part(label, end=Leaf(moves[0]), short=ask.voice("tree.do_pair_one", cards=bare))


def _attack(ask: Asker, moves: Sequence[Move]) -> _Part:
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
        # With two sides no owner has to be named, so every attack has a short label: one press instead of
        # two.
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
        return _Part(choices[0].label, refused=refused, end=Leaf(moves[0]), short=choices[0].short)
    return _Part(
        ask.voice("tree.do_attack"), ask.voice("tree.attack"), tuple(choices), refused, spread=spread
    )


def _striker(ask: Asker, unit: int, moves: Sequence[Move]) -> Choice:
    """Return a card that can attack as an action of its own. The next question is the target."""
    if len(moves) == 1:
        (only,) = _fighter(ask, unit, moves)
        return only
    name = ask.fighter(unit)
    targets = _targets(ask, unit, moves)
    asked = ask.question(ask.voice("tree.target_prompt", fighter=name), targets, ask.no_targets([unit]))
    fighter = ask.short_fighter(unit)
    label = ask.voice("tree.do_attack_with", fighter=fighter, n=ask.strikers(unit))
    short = ask.voice("tree.attack_short", fighter=fighter)
    return Choice(f"u{unit}", clipped(label, LABEL), asked, short=short)


def _strikes(ask: Asker, unit: int, moves: Sequence[Move]) -> list[Choice]:
    """Return every attack of a card as a choice: attacker, target and effect."""
    return [
        replace(
            target,
            key=f"u{unit}-{target.key}",
            label=_strike(ask, unit, move, target.label),
            short=_strike_short(ask, unit, move),
        )
        for move, target in zip(moves, _targets(ask, unit, moves), strict=True)
    ]


def _strike(ask: Asker, unit: int, move: Move, targets: str) -> str:
    """Return the attacker and the target in words. `targets` names two targets."""
    name, target = ask.short_fighter(unit), ask.spots[move.target]
    if move.second >= 0:
        return clipped(ask.voice("tree.first", fighter=name, target=targets), LABEL)
    damage = _damage(ask, unit, target)
    key, hit = f"tree.strike.{ask.hit(damage, target)}", ask.whose(target, bare=True)
    return clipped(ask.voice(key, fighter=name, target=hit, n=ask.strikers(unit), damage=damage), LABEL)


def _strike_short(ask: Asker, unit: int, move: Move) -> str:
    """Return an attack for a button, three to a line on a phone, or "" if it kills.

    A kill needs the full sentence; a hit is only an arrow.
    """
    name, target = ask.short_fighter(unit), ask.spots[move.target]
    if move.second < 0 and ask.hit(_damage(ask, unit, target), target) == "kill":
        return ""
    return clipped(ask.voice("tree.first", fighter=name, target=_hit_short(ask, move)), LABEL)


def _hit_short(ask: Asker, move: Move) -> str:
    """Return the targets of an attack, for a button."""
    hit = [ask.whose(ask.spots[unit], bare=True) for unit in (move.target, move.second) if unit >= 0]
    return ask.voice("tree.both", one=hit[0], two=hit[1]) if len(hit) > 1 else hit[0]


def _fighter(ask: Asker, unit: int, moves: Sequence[Move]) -> list[Choice]:
    """Return the choices for a card that can attack.

    If its pairs of targets are too many for one list, there is one choice for each first target.
    """
    name, note = ask.fighter(unit), ask.state(ask.spots[unit])
    prompt = ask.voice("tree.target_prompt", fighter=name)
    if len(moves) == 1:
        (only,) = _targets(ask, unit, moves)
        label, short = _strike(ask, unit, moves[0], only.label), _strike_short(ask, unit, moves[0])
        return [Choice(f"u{unit}", label, only.child, note, short=short, wording=only.wording)]
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


def _targets(ask: Asker, unit: int, moves: Sequence[Move]) -> tuple[Choice, ...]:
    choices = []
    for move in moves:
        target = ask.spots[move.target]
        if move.second < 0:
            damage = _damage(ask, unit, target)
            key = f"tree.target.{ask.hit(damage, target)}"
            label = ask.voice(key, target=ask.whose(target, bare=True), n=damage)
            told = _strike(ask, unit, move, label)
            state = ask.state(target)
            choices.append(Choice(f"u{move.target}", clipped(label, LABEL), Leaf(move), state, wording=told))
            continue
        second = ask.spots[move.second]
        one, two = ask.whose(target), ask.whose(second)
        label = ask.voice("tree.targets", one=one, two=two, n=ask.strikers(unit))
        notes = [
            ask.voice("tree.state", card=ask.voice.named(spot.unit, spot.position), state=state)
            for spot in (target, second)
            if (state := ask.state(spot))
        ]
        key, note = f"u{move.target}-u{move.second}", clipped(" · ".join(notes), NOTE)
        short = _hit_short(ask, move) if ask.strikers(unit) == 1 else ""
        told = _strike(ask, unit, move, label)
        choices.append(Choice(key, clipped(label, LABEL), Leaf(move), note, short=short, wording=told))
    return tuple(choices)


def _damage(ask: Asker, unit: int, target: CardPlace) -> int:
    """Return the damage of an attack on one card, as far as it is public."""
    fighter = ask.spots[unit].unit
    damage = ask.strikers(unit)
    jack = target.unit.up and target.unit.card >> 2 == JACK
    return damage + (fighter.card >> 2 == NINE and jack)


def _discard(ask: Asker, moves: Sequence[Move]) -> Node:
    drawn = ask.seen.drawn
    prompt = ask.voice("tree.discard_any")
    if drawn != HIDDEN:
        prompt = ask.voice("tree.discard", card=ask.voice.card(drawn))
    told = {move.card: ask.voice("tree.told_discard", card=LABELS[move.card]) for move in moves}
    choices = (replace(ask.of_card(move.card, Leaf(move)), wording=told[move.card]) for move in moves)
    return Branch(prompt, tuple(choices))


def _look(ask: Asker, moves: Sequence[Move]) -> Node:
    def knows(move: Move) -> bool:
        unit = ask.spots[move.target].unit
        return unit.card != HIDDEN and unit.shown

    choices = []
    for move in sorted(moves, key=knows):  # a known card is hardly worth a look
        spot = ask.spots[move.target]
        note = ask.voice("tree.look_known") if knows(move) else ask.state(spot)
        choices.append(
            Choice(f"u{move.target}", ask.anywhere(spot), Leaf(move), note, wording=ask.looked(spot))
        )
    return Branch(ask.voice("tree.look"), tuple(choices))


def _move(ask: Asker, moves: Sequence[Move]) -> Node:
    queen = ask.spots[ask.pending.unit]
    lane = ask.inside(queen.lane)
    choices = [
        replace(
            _unit(ask, move, move.target, ask.called),
            wording=ask.voice("tree.told_move", card=ask.here(ask.spots[move.target]), lane=lane),
        )
        if move.verb == "move"
        else Choice("stay", ask.voice("tree.stay"), Leaf(move))
        for move in moves
    ]
    return Branch(ask.voice("tree.move", lane=lane), tuple(choices))


def _order(ask: Asker, moves: Sequence[Move]) -> Node:
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
                noted=ask.power(spot),
                wording=ask.voice("tree.told_order", card=ask.here(spot)),
            )
        )
    return Branch(prompt, tuple(choices))


def _open(ask: Asker, moves: Sequence[Move]) -> Node:
    return Branch(
        ask.voice("tree.open"), (Choice("open", ask.voice("tree.do_open"), Leaf(moves[0]), strong=True),)
    )


def _bet(ask: Asker, moves: Sequence[Move]) -> Node:
    return Branch(
        ask.voice("tree.bet"),
        tuple(
            Choice(f"s{move.target}", ask.voice("tree.do_bet", side="AB"[move.target]), Leaf(move))
            for move in moves
        ),
    )


_ACTIONS: dict[str, Callable[[Asker, Sequence[Move]], _Part]] = {
    "play": _play,
    "flip": _flip,
    "attack": _attack,
    "pair": _pair,
}
_ANSWERS: dict[str, Callable[[Asker, Sequence[Move]], Node]] = {
    "discard": _discard,
    "look": _look,
    "move": _move,
    "order": _order,
    "open": _open,
    "bet": _bet,
}
