"""One position of Duel 52: what lies where, whose turn it is, what is legal.

Source: docs/rules/duel52.md. What cards do when turned up is in `powers`, attacks are in `combat`, the end
in `victory`, why a decision is refused in `refuse`, what a seat may see in `view`.

The deck is ordered once, at the deal, and nothing is shuffled afterwards: a position needs no secret.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from typing import Any

import msgspec

from engine.duel52 import combat, menu, powers, refuse, victory, view
from engine.duel52.cards import FLIPPERS, TURN, VAMPIRES, VARIANTS, Variant
from engine.duel52.marks import FADES, FROZEN, LOCKED, QUIET, UP, Ask, Blow, Gone
from engine.duel52.moves import PLAYS, Move
from engine.duel52.observation import Observation
from engine.fair import Stream, shuffled
from engine.game import ALONE, Event, Outcome, Seat, Setup, Standing, State, Viewer
from engine.playing_cards import DECK52, JACK, NINE


class DuelState(State[Move, Observation]):
    """A position.

    By unit: `card`, `flags` (the bits of `marks`), `damage`, `mate` (the other card of a pair, -1),
    `place` (its row, -1 when it is gone), `known` (the seats that know it face-down, one bit each;
    public, since everybody sees who laid it and who looked; 0 once it lies face-up). `rows[side * lanes +
    lane]` are its units in the order in which they came, `taunts` counts the face-up Jacks there.
    `deck[top:end]` is the draw pile, what follows is set aside. `asks` is the stack of choices that
    powers wait for; `menu` keeps the legal actions when the rules had to look for them. `quiet` is -1 in
    a turn with a play, flip or kill.
    """

    __slots__ = (
        "actions",
        "asks",
        "bet",
        "card",
        "columns",
        "damage",
        "deck",
        "end",
        "first",
        "flags",
        "flippers",
        "glimpse",
        "gone",
        "hands",
        "known",
        "lanes",
        "last",
        "mate",
        "menu",
        "menus",
        "outs",
        "place",
        "plays",
        "pointer",
        "quiet",
        "ranks",
        "reason",
        "rows",
        "seats",
        "sides",
        "starts",
        "taunts",
        "top",
        "turn",
        "turns",
        "vampiric",
        "variant",
    )

    def __init__(self, variant: Variant, *, vampiric: bool) -> None:
        self.events: list[Event] | None = None
        self.variant = variant
        self.vampiric = vampiric or variant.key == "solo"
        self.flippers = FLIPPERS - VAMPIRES if self.vampiric else FLIPPERS
        self.seats = variant.seats
        self.sides = variant.sides
        self.lanes = lanes = variant.lanes
        self.plays = PLAYS[lanes]
        self.starts = tuple(seat % self.sides * lanes for seat in range(self.seats))
        self.columns = tuple(tuple(range(lane, self.sides * lanes, lanes)) for lane in range(lanes))
        self.deck: list[int] = []
        self.top = 0
        self.end = 0
        self.hands: list[list[int]] = [[] for _ in range(self.seats)]
        self.card: list[int] = []
        self.flags: list[int] = []
        self.damage: list[int] = []
        self.mate: list[int] = []
        self.place: list[int] = []
        self.known: list[int] = []
        self.rows: list[list[int]] = [[] for _ in range(self.sides * lanes)]
        self.taunts = [0] * (self.sides * lanes)
        self.gone: list[Gone] = []
        self.first = 0
        self.turn = 0
        self.turns = 0
        self.actions = 0
        self.quiet = 0
        self.asks: list[Ask] = []
        self.bet = -1
        self.outs: list[tuple[Seat, ...]] = []
        self.glimpse = -1
        self.pointer = -1
        self.last: Blow | None = None
        self.menu: list[Move] | None = None
        self.menus: list[list[Move] | None] = [None] * (self.sides * lanes)
        self.reason = ""
        self.ranks: tuple[int, ...] = ()

    @classmethod
    def dealt(cls, setup: Setup) -> DuelState:
        """The first position of a setup."""
        variant = VARIANTS[str(setup.options["variant"])]
        state = cls(variant, vampiric=bool(setup.options["vampiric"]))
        state.deck = deck = shuffled(setup.key, "deck", DECK52)
        state.first = state.turn = Stream(setup.key, "first").below(variant.seats)
        if variant.bases:
            for lane in range(variant.lanes):
                for side in range(variant.sides):
                    state.lay(deck[state.top], side * variant.lanes + lane, LOCKED, 0)
                    state.top += 1
        for seat in range(variant.seats):
            state.hands[seat] = sorted(deck[state.top : state.top + variant.hand])
            state.top += variant.hand
        state.end = len(deck) - variant.aside
        if variant.key == "solo":
            state.asks = [Ask("bet", -1), Ask("open", -1)]
        else:
            state.begin()
        return state

    # the contract

    def to_act(self) -> tuple[Seat, ...]:
        """See `engine.game.State`."""
        return () if self.ranks else ALONE[self.turn]

    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        """See `engine.game.State`."""
        if seat != self.turn or self.ranks:
            return ()
        if self.asks:
            return powers.answers(self)
        if self.menu:
            return self.menu
        # what `choices` does, without the call: this is the hottest place of all
        out: list[Move] = []
        plays = self.plays
        for card in self.hands[seat]:
            out += plays[card]
        start = self.starts[seat]
        menus = self.menus
        for at in range(start, start + self.lanes):
            kept = menus[at]
            out += menu.of_row(self, at) if kept is None else kept
        return out

    def _check(self, seat: Seat, action: Move) -> None:
        refuse.check(self, seat, action)

    def observe(self, viewer: Viewer) -> Observation:
        """See `engine.game.State`."""
        return view.observe(self, viewer)

    def _apply(self, seat: Seat, action: Move) -> None:
        """See `engine.game.State`."""
        self.menu = None
        self.glimpse = self.pointer = -1
        verb = action[0]
        if verb == "play":
            card = action[1]
            at = self.starts[seat] + action[2]
            self.hands[seat].remove(card)
            unit = self.lay(card, at, 0, self.knowers(seat))
            for row in self.columns[action[2]]:
                self.menus[row] = None
            self.quiet = -1
            self.actions -= 1
            if self.events is not None:
                self.tell("play", seat, self.secret(card, self.known[unit]), unit=unit, lane=action[2])
        elif verb == "attack":
            self.actions -= 1
            combat.attack(self, seat, action[3], action[4], action[5])
        elif verb == "flip":
            unit = action[3]
            self.actions -= 1
            self.glimpse, self.pointer = unit, seat
            self.raise_up(unit, -1)
            powers.activate(self, unit)
            if self.asks and powers.run(self):
                return
        elif verb == "pair":
            unit, other = action[3], action[4]
            self.actions -= 1
            self.mate[unit] = other
            self.mate[other] = unit
            self.menus[self.place[unit]] = None
            if self.events is not None:
                cards = [self.card[unit], self.card[other]]
                self.tell("pair", seat, units=[unit, other], cards=cards, lane=self.lane(unit))
        else:
            powers.ANSWERS[verb](self, seat, action)
            if self.asks and powers.run(self):
                return
            if verb == "bet":
                self.begin()
                return
        self._settle()

    def outcome(self) -> Outcome | None:
        """See `engine.game.State`; a win scores 1, a draw one half, and who was out later stands higher."""
        if not self.ranks:
            return None
        first = self.ranks.count(1)
        drawn = first > (2 if self.variant.key == "teams" else 1)
        team = self.sides < self.seats
        standings = tuple(
            Standing(rank, (0.5 if drawn else 1.0) if rank == 1 else 0.0, seat % self.sides if team else -1)
            for seat, rank in enumerate(self.ranks)
        )
        facts: dict[str, object] = {"turns": self.turns}
        won: bool | None = None
        if self.bet >= 0:
            won = not drawn and self.ranks[self.bet] == 1
            facts["bet"], facts["bet_won"] = self.bet, won
        lasted = tuple((float(-rank),) for rank in self.ranks) if self.sides > 2 else ()
        return Outcome(standings, self.reason, facts, won=won, tiebreak=lasted)

    def clone(self) -> DuelState:
        """See `engine.game.State`."""
        twin = DuelState.__new__(DuelState)
        twin.events = None
        twin.variant = self.variant
        twin.vampiric = self.vampiric
        twin.flippers = self.flippers
        twin.seats = self.seats
        twin.sides = self.sides
        twin.lanes = self.lanes
        twin.plays = self.plays
        twin.starts = self.starts
        twin.deck = self.deck  # never changes after the deal
        twin.top = self.top
        twin.end = self.end
        twin.hands = [hand.copy() for hand in self.hands]
        twin.card = self.card.copy()
        twin.flags = self.flags.copy()
        twin.damage = self.damage.copy()
        twin.mate = self.mate.copy()
        twin.place = self.place.copy()
        twin.known = self.known.copy()
        twin.rows = [row.copy() for row in self.rows]
        twin.taunts = self.taunts.copy()
        twin.gone = self.gone.copy()
        twin.first = self.first
        twin.turn = self.turn
        twin.turns = self.turns
        twin.actions = self.actions
        twin.quiet = self.quiet
        twin.asks = self.asks.copy()
        twin.bet = self.bet
        twin.outs = self.outs.copy()
        twin.glimpse = self.glimpse
        twin.pointer = self.pointer
        twin.last = self.last
        twin.menu = self.menu
        twin.menus = self.menus.copy()
        twin.columns = self.columns
        twin.reason = self.reason
        twin.ranks = self.ranks
        return twin

    def fingerprint(self) -> bytes:
        """See `engine.game.State`."""
        rows = [
            [(u, self.card[u], self.flags[u], self.damage[u], self.mate[u], self.known[u]) for u in row]
            for row in self.rows
        ]
        return msgspec.msgpack.encode(
            (
                (self.variant.key, self.vampiric, self.deck[self.top :], self.end - self.top),
                (self.hands, rows, len(self.card), self.gone),
                (self.first, self.turn, self.turns, self.actions, self.quiet),
                (
                    self.asks,
                    self.bet,
                    self.outs,
                    (self.glimpse, self.pointer),
                    self.last,
                    self.reason,
                    self.ranks,
                ),
            )
        )

    def census(self) -> tuple[int, ...]:
        """See `engine.game.State`."""
        cards = self.deck[self.top :] + [card for hand in self.hands for card in hand]
        cards += [self.card[unit] for row in self.rows for unit in row]
        return tuple(sorted(cards + [entry[0] for entry in self.gone]))

    # what is legal

    def choices(self, seat: Seat) -> list[Move]:
        """What a seat could do on its own turn while no power asks: plays, then lane by lane the rest."""
        out: list[Move] = []
        plays = self.plays
        for card in self.hands[seat]:
            out += plays[card]
        start = self.starts[seat]
        menus = self.menus
        for at in range(start, start + self.lanes):
            kept = menus[at]
            out += menu.of_row(self, at) if kept is None else kept
        return out

    # what powers and attacks use

    def lane(self, unit: int) -> int:
        """The lane in which a unit lies."""
        return self.place[unit] % self.lanes

    def side(self, unit: int) -> int:
        """The side to which a unit belongs."""
        return self.place[unit] // self.lanes

    def knowers(self, seat: Seat) -> int:
        """The seats that see what `seat` sees, one bit each: in solo one person holds both."""
        return 3 if self.variant.key == "solo" else 1 << seat

    def lay(self, card: int, at: int, flags: int, known: int) -> int:
        """Put a new unit face-down into a row; its number."""
        unit = len(self.card)
        self.card.append(card)
        self.flags.append(flags)
        self.damage.append(0)
        self.mate.append(-1)
        self.place.append(at)
        self.known.append(known)
        self.rows[at].append(unit)
        return unit

    def raise_up(self, unit: int, by: int) -> None:
        """Turn a unit face-up; `by` is the 5 that did it, -1 for an action. A 9 shakes off the frost."""
        card = self.card[unit]
        rank = card >> 2
        self.flags[unit] |= UP
        self.known[unit] = 0
        self.quiet = -1
        at = self.place[unit]
        self.menus[at] = None
        if rank == JACK:
            self.taunts[at] += 1
            menu.touch(self, at % self.lanes)
        elif rank == NINE:
            menu.touch(self, at % self.lanes)
            self.flags[unit] &= ~FROZEN
        if self.events is not None:
            self.tell("flip", self.turn, unit=unit, card=card, lane=self.lane(unit), by=by)

    def draw(self, seat: Seat) -> None:
        """Take the top card of the draw pile; an empty one unlocks the bases at once (decision 12)."""
        card = self.deck[self.top]
        self.top += 1
        insort(self.hands[seat], card)
        if self.events is not None:
            self.tell("draw", seat, self.secret(card, self.knowers(seat)), pile=self.end - self.top)
        if self.top == self.end:
            flags = self.flags
            for unit, flag in enumerate(flags):
                if flag & LOCKED:
                    flags[unit] = flag & ~LOCKED
            self.menus = [None] * len(self.menus)
            self.tell("pile_empty", -1, bases=self.variant.bases)
            if self.sides > 2:
                victory.decide(self)

    def drawn(self) -> int:
        """The card that a 2 has just drawn, while its discard is asked for; -1 where none is, or where the
        notation did not name it."""
        waits = self.top > 0 and self.asks and self.asks[-1].verb == "discard"
        return self.deck[self.top - 1] if waits else -1

    def tell(self, kind: str, seat: Seat = -1, secret: tuple[int, int] = (-1, 0), /, **facts: Any) -> None:
        """Note an event, if anybody listens; `secret` is a card and the seats that know it."""
        if self.events is None:
            return
        if self.sides > 2 and "lane" in facts:
            facts["triangles"] = True
        card, mask = secret
        if mask:
            knowers = tuple(s for s in range(self.seats) if mask >> s & 1)
            self.events.append(Event(kind, seat, facts, {"card": card}, knowers))
        else:
            self.events.append(Event(kind, seat, facts))

    def secret(self, card: int, known: int) -> tuple[int, int]:
        """A card and those whom an event may remind of it; in teams everybody must remember alone."""
        return (card, 0 if self.variant.key == "teams" else known)

    def owners(self, side: int) -> list[Seat]:
        """The seats that play a side."""
        return list(range(side, self.seats, self.sides))

    # turns

    def _settle(self) -> None:
        """An action and its powers are done: is it decided, and who goes on?"""
        if self.ranks or (self.top == self.end and victory.decide(self)):
            return
        if not self.actions:
            self._next()
        elif not self.hands[self.turn]:
            self.menu = self.choices(self.turn)
            if not self.menu:
                self.tell("no_action", self.turn, actions=self.actions)
                self._next()

    def _next(self) -> None:
        """End this turn and go on to the next one in which somebody can act."""
        while True:
            flags, start = self.flags, self.starts[self.turn]
            for at in range(start, start + self.lanes):
                for unit in self.rows[at]:
                    if flags[unit] & FADES:
                        flags[unit] &= ~FADES
                        self.menus[at] = None
            self.actions = 0
            self.quiet += 1
            if self.quiet >= QUIET:
                victory.draw(self, "thirty_turns")
                return
            self.turn = (self.turn + 1) % self.seats
            while self.outs and self.is_out(self.turn):
                self.turn = (self.turn + 1) % self.seats
            if self.begin():
                return

    def begin(self) -> bool:
        """Begin the turn of `turn`; False where nothing is legal and the turn is lost."""
        seat = self.turn
        opening = self.variant.actions
        self.actions = opening[self.turns] if self.turns < len(opening) else TURN
        self.turns += 1
        if self.events is not None:
            self.tell("turn", seat, number=self.turns, actions=self.actions)
        if self.top < self.end:
            self.draw(seat)
            return True
        if self.hands[seat]:
            return True
        self.menu = self.choices(seat)
        if self.menu:
            return True
        self.tell("no_action", seat, actions=self.actions)
        if victory.is_dead(self):
            victory.draw(self, "no_moves")
            return True
        return False

    def is_out(self, seat: Seat) -> bool:
        """Whether this seat has lost its last card (triangles)."""
        return any(seat in group for group in self.outs)
