"""Legal moves as choices: card, then power; or player, then slot.

Keys: cards by symbol, slots by letter, players as `s0`, powers by their own key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bot.presenters.atom_duel import sealing
from bot.presenters.atom_duel.queries import NAMED, is_best, own
from bot.presenters.atom_duel.words import Voice, number, powers_at, slot, slot_key
from bot.presenters.base import LABEL, NOTE, Branch, Choice, Leaf, Node, why_not
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.atom_duel.moves import AT_SLOTS, EVERY, PLAYS, TRADES, Move
from engine.atom_duel.observation import Observation, PendingView
from engine.atom_duel.powers import PEEKS
from engine.elements import ELEMENTS

ANY_CARD = 1
"""Which one is named makes no difference where all cards are hidden."""


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """All moves as a tree; see `bot.presenters.base.Presenter.choices`."""
    voice = Voice(look)
    if not moves:
        return Branch(voice("tree.nothing"), ())
    return _VERBS[moves[0].verb](_Asker(seen, voice), moves)


class _Asker:
    """One question about one observation."""

    def __init__(self, seen: Observation, voice: Voice) -> None:
        self.seen = seen
        self.voice = voice
        self.pending = seen.pending or PendingView("", -1, 0)

    def target(self) -> str:
        return self.voice.name(self.pending.target)

    def to_beat(self) -> str:
        """Which number is ahead in this hand; who leads is told what it takes."""
        best = next((play for play in self.seen.plays if is_best(self.seen, play)), None)
        if best is None:
            return self.voice("tree.lead")
        return self.voice("tree.to_beat", value=number(best.value2), name=self.voice.name(best.seat))

    def of_cards(self, prompt: str, moves: Sequence[Move]) -> Branch:
        """One choice for each card; a card with two powers asks which."""
        by_card: dict[int, list[Move]] = {}
        for move in moves:
            by_card.setdefault(move.card, []).append(move)
        choices = list[Choice]()
        for card, ways in by_card.items():
            label = self.card(card)
            child: Node = Leaf(ways[0])
            if len(ways) > 1:
                asked = self.voice("tree.announce", symbol=self.voice.short(card))
                label, child = self.voice("tree.two", label=label), self.of_powers(asked, ways, card)
            symbol = ELEMENTS[card - 1].symbol
            # of many cards the question tells it in fewer lines
            note = "" if len(by_card) > NAMED else self.note(card, len(ways) > 1)
            choices.append(Choice(symbol, label, child, note, wording=self.named(card)))
        if len(choices) > NAMED and (told := self.powers_of(by_card)):
            prompt = f"{prompt}\n-# {told}"
        return Branch(prompt, tuple(choices))

    def powers_of(self, cards: Iterable[int]) -> str:
        """Which of so many cards that their pictures have no room for names have which powers, by slot."""
        told: dict[str, list[str]] = {}
        for card in cards:
            if note := self.note(card, choice=False):
                told.setdefault(note, []).append(self.slot_of(card))
        between = self.voice("semicolon")  # a card of two powers has a dot between them
        return between.join(f"**{self.voice.listed(slots)}** {note}" for note, slots in told.items())

    def card(self, card: int) -> str:
        """An own card with the number of its slot, as it stands above it in the picture."""
        return self.voice("tree.card", slot=self.slot_of(card), number=card, element=self.voice.element(card))

    def named(self, card: int) -> str:
        """An own card where no picture shows its slot."""
        return self.voice("tree.told_card", number=card, element=self.voice.element(card))

    def slot_of(self, card: int) -> str:
        """The number of an own card's slot."""
        return slot(self.seen.rows[self.seen.viewer or 0].index(card))

    def told(self, card: int) -> tuple[str, str]:
        """An own card and its powers."""
        return self.card(card), self.note(card, choice=False)

    def of_powers(self, prompt: str, moves: Sequence[Move], card: int = 0) -> Branch:
        """How to play a card with two powers; `card` where it has not been named before."""
        voice, choices = self.voice, list[Choice]()
        for move in moves:
            label, note = voice(f"as.{move.power}"), voice.note(move.power)
            told = voice("tree.told_as", card=self.named(card), power=label) if card else ""
            choices.append(Choice(move.power, label, Leaf(move), note, wording=told))
        return Branch(prompt, tuple(choices))

    def note(self, card: int, choice: bool) -> str:
        """The powers of a card at this level, under its name."""
        voice = self.voice
        powers = powers_at(card, self.seen.level, self.seen.gold_immune_from)
        if "first_or_zero" in powers and self.late():
            return voice("tree.worthless")
        names = [voice.power(power) for power in powers]
        if choice and len(names) == 2:
            return names[0] + voice("tree.or") + names[1]
        return clipped(" · ".join(names), NOTE)

    def late(self) -> bool:
        """Whether the first hand of the round is past, or its place in every row taken."""
        seen = self.seen
        return seen.hand > 1 or bool(seen.sealed) or (seen.simultaneous and not seen.sealing)

    def of_players(self, prompt: str, slot_prompt: str, moves: Sequence[Move]) -> Branch:
        """One choice for each player, then one for each slot; a single player is not asked for."""
        by_seat: dict[int, list[Move]] = {}
        for move in moves:
            by_seat.setdefault(move.seat, []).append(move)
        slots = {seat: self.of_slots(seat, self.asked(slot_prompt, seat), at) for seat, at in by_seat.items()}
        if len(slots) == 1:
            return next(iter(slots.values()))
        players = [self.player(seat, self.voice.plain(seat), child) for seat, child in slots.items()]
        # who is out of cards is offered too, so that nobody seems to be forgotten
        verb = moves[0].verb
        players += [
            self.player(seat, self.voice.plain(seat), Leaf(AT_SLOTS[verb][seat][0], refused=True))
            for seat in self.others()
            if not self.seen.counts[seat]
        ]
        return Branch(prompt, tuple(players))

    def others(self) -> list[int]:
        return [seat for seat in range(self.seen.seats) if seat != self.seen.viewer]

    def why(self, key: str, move: Move) -> tuple[Choice, ...]:
        """A way to ask about a rule that stands against a move."""
        return (why_not(self.voice(key), Leaf(move, refused=True)),)

    def player(self, seat: int, label: str, child: Node) -> Choice:
        """A player, with how many cards they have where the others have more or fewer."""
        counts = {self.seen.counts[other] for other in self.others()}
        note = self.voice("tree.cards", n=self.seen.counts[seat]) if len(counts) > 1 else ""
        return Choice(f"s{seat}", clipped(label, LABEL), child, note)

    def asked(self, key: str, seat: int) -> str:
        """A question about a card of a player; `nth` counts the cards named before."""
        named = len(self.pending.slots)
        count = min(PEEKS, self.seen.counts[seat])
        return self.voice(key, target=self.voice.name(seat), nth=named + 1, count=count)

    def of_slots(self, seat: int, prompt: str, moves: Sequence[Move]) -> Branch:
        found = [self.slot(seat, move) for move in moves]
        if len(notes := {choice.note for choice in found}) == 1 and len(found) > 1 and "" not in notes:
            # the same of each: it stands once
            found = [replace(choice, noted=self.voice("tree.each_slot")) for choice in found]
        return Branch(prompt, tuple(found))

    def slot(self, seat: int, move: Move) -> Choice:
        """A slot, and what the observer lawfully knows to lie there."""
        voice, seen = self.voice, self.seen
        mine = seat == seen.viewer
        card = own(seen, move.slot) if mine else seen.rows[seat][move.slot]
        if card > 0:
            label = voice("tree.slot_seen", slot=slot(move.slot), label=voice.label(card))
            told = "" if mine else voice("tree.told_slot", target=voice.plain(seat), slot=label)
            return Choice(slot_key(move.slot), label, Leaf(move), self.note(card, choice=False), wording=told)
        key = "tree.slot_down" if mine else "tree.slot"
        maybe = [z for group in seen.groups if (seat, move.slot) in group.places for z in group.cards]
        note = voice("tree.perhaps", symbols=voice.shorts(maybe)) if maybe else ""
        label = voice(key, slot=slot(move.slot))
        told = "" if mine else voice("tree.told_slot", target=voice.plain(seat), slot=label)
        return Choice(slot_key(move.slot), label, Leaf(move), clipped(note, NOTE), wording=told)


def _play(ask: _Asker, moves: Sequence[Move]) -> Node:
    return ask.of_cards(f"{ask.to_beat()} {ask.voice('tree.play')}", moves)


def _flip(ask: _Asker, moves: Sequence[Move]) -> Node:
    node = ask.of_slots(ask.seen.viewer or 0, f"{ask.to_beat()} {ask.voice('tree.flip')}", moves)
    return replace(node, side_choices=ask.why("tree.why_hidden", PLAYS[ask.seen.level][ANY_CARD][0]))


def _announce(ask: _Asker, moves: Sequence[Move]) -> Node:
    prompt = ask.voice("tree.announce_flipped", symbol=ask.voice.short(ask.pending.card))
    return ask.of_powers(prompt, moves)


def _aim(ask: _Asker, moves: Sequence[Move]) -> Node:
    return ask.of_players(ask.voice("tree.aim"), "tree.aim_slot", moves)


def _reveal(ask: _Asker, moves: Sequence[Move]) -> Node:
    return ask.of_players("", "tree.reveal", moves)


def _peek(ask: _Asker, moves: Sequence[Move]) -> Node:
    return ask.of_players(ask.voice("tree.peek"), "tree.peek_slot", moves)


def _trade(ask: _Asker, moves: Sequence[Move]) -> Node:
    """Mercury: a player, or no trade."""
    voice = ask.voice
    choices = []
    for move in moves:
        if move.verb == "keep":
            choices.append(Choice("keep", voice("tree.keep"), Leaf(move)))
        else:
            label = voice("tree.trade_with", target=voice.plain(move.seat))
            choices.append(ask.player(move.seat, label, Leaf(move)))
    offered = {move.seat for move in moves}
    for seat in ask.others():
        if seat not in offered:
            label = voice("tree.trade_with", target=voice.plain(seat))
            choices.append(ask.player(seat, label, Leaf(TRADES[seat], refused=True)))
    return Branch(voice("tree.trade"), tuple(choices))


def _give(ask: _Asker, moves: Sequence[Move]) -> Node:
    prompt = ask.voice("tree.give", target=ask.target(), nth=len(ask.pending.own) + 1)
    if moves[0].card:
        return ask.of_cards(prompt, moves)
    return ask.of_slots(ask.seen.viewer or 0, prompt, moves)


def _take(ask: _Asker, moves: Sequence[Move]) -> Node:
    return ask.of_slots(ask.pending.target, ask.asked("tree.take", ask.pending.target), moves)


def _seal(ask: _Asker, moves: Sequence[Move]) -> Node:
    seen = ask.seen
    nth, count = len(seen.sealed) + 1, seen.counts[seen.viewer or 0]
    key = "tree.seal_first" if nth == 1 else "tree.seal_last" if nth == count else "tree.seal"
    node = ask.of_cards(ask.voice(key, nth=nth, count=count), moves)
    beside = sealing.at_once(seen, moves, ask.told, ask.voice)
    if seen.sealed:
        placed = EVERY[Move("seal", seen.sealed[-1][0], power=seen.sealed[-1][1])]
        beside += ask.why("tree.why_sealed", placed)
    return replace(node, side_choices=beside)


_VERBS: dict[str, Callable[[_Asker, Sequence[Move]], Node]] = {
    "play": _play,
    "flip": _flip,
    "announce": _announce,
    "aim": _aim,
    "reveal": _reveal,
    "peek": _peek,
    "trade": _trade,
    "keep": _trade,
    "give": _give,
    "take": _take,
    "seal": _seal,
}
