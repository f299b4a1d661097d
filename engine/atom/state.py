"""Atom played: deals, calls, tricks, and the end of a game.

Source: docs/rules/atom.md, sections 2 and 4. Who holds what is in `position`, what beats what in `plays`,
what is offered in `options`, the end of a game in `scoring`, why a move is refused in `refuse`, what a seat
may see in `view`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from engine.atom import refusals, scoring, view
from engine.atom.cards import (
    BLADES,
    CARDS,
    JOKERS,
    POINTS,
    SLOTS,
    count,
    total,
    unpacked,
)
from engine.atom.moves import PASS, Move
from engine.atom.observation import Observation, TrickView
from engine.atom.options import offer
from engine.atom.plays import (
    BOMB,
    PLAIN,
    SPECIAL,
    Play,
    rung,
    shape,
    special_strength,
)
from engine.atom.position import CALLING, MATCH, OVER, PLAYING, Position
from engine.atom.sides import PAIR, teams_of
from engine.fair import Stream, shuffled
from engine.game import ALONE, Outcome, Seat, Setup, Viewer
from engine.playing_cards import JOKER


class AtomState(Position):
    """A position, and the contract."""

    __slots__ = ()

    @classmethod
    def dealt(cls, setup: Setup) -> AtomState:
        """The first position of a setup."""
        state = cls(setup.seats, setup.key, jokers_as_three=setup.options["jokers"] == "three")
        state.deal(Stream(setup.key, "start").below(setup.seats))
        return state

    def deal(self, start: Seat) -> None:
        """Deal a game, first card to `start`; who gets the turned-up card leads the first one (section 2)."""
        self.game += 1
        self.begin()
        seats = self.seats
        while True:
            label = f"deal/{self.deals}"
            self.deals += 1
            deck = shuffled(self.key, label, range(CARDS * self.packs))
            pick = Stream(self.key, label + "/turn")
            at = pick.below(len(deck))
            while deck[at] % CARDS >> 2 == JOKER:
                at = pick.below(len(deck))
            self.turned = deck[at] % CARDS
            self.set_blade(self.turned >> 2)
            self.receiver = (start + at) % seats
            self.hands = [[0] * SLOTS for _ in range(seats)]
            self.left = [0] * seats
            for place in range(seats):
                seat = (start + place) % seats
                hand, slots = self.hands[seat], self.slots
                mine = deck[place::seats]
                self.left[seat] = len(mine)
                for number in mine:
                    card = number % CARDS
                    hand[slots[card >> 2]] += 1 << 4 * (card & 3)
            if seats == 4 or self.callable(self.receiver):
                break
            self.tell("void", self.receiver, turned=self.turned)
        self.forget_offers()
        self.leader = self.turn = self.receiver if self.game == 1 else self.results[-1].order[0]
        if seats == 5:
            self.called = -1
            self.teams = ()
            self.phase = CALLING
        if self.events is not None:
            self.tell(
                "dealt",
                self.receiver,
                game=self.game,
                turned=self.turned,
                leader=self.leader,
                left=self.left.copy(),
            )

    # the contract

    @override
    def to_act(self) -> tuple[Seat, ...]:
        return ALONE[self.turn] if self.phase != OVER else ()

    @override
    def legal_actions(self, seat: Seat) -> Sequence[Move]:
        """What `options` offers and the table allows, Pass last."""
        if seat != self.turn or self.phase != PLAYING:
            return self.callable(seat) if self.phase == CALLING and seat == self.turn else ()
        offers = self.offers[seat] or self.offered(seat)
        found: list[Move] = []
        best = self.best
        if best is None:
            for one in offers:
                if one[0]:
                    found += one[0]
            return found
        kind, size, strength = best
        if kind == PLAIN:
            for one in offers[strength + 1 :]:
                some = one[1][size]
                if some:
                    found += some
            heavy = self.heavy[seat]
            if heavy is None:
                self.heavy[seat] = heavy = [move for one in offers if one[4] for move in one[4]]
            found += heavy
        else:
            if kind == BOMB:
                for slot, one in enumerate(offers):
                    for many, move in one[2]:
                        if many > size or slot == BLADES or (many == size and slot > strength):
                            found.append(move)
            least = strength if kind == SPECIAL else 0
            for slot, one in enumerate(offers):
                for tier, suit, move in one[3]:
                    if special_strength(slot, tier, suit) > least:
                        found.append(move)
        found.append(PASS)
        return found

    def _check(self, seat: Seat, action: Move) -> None:
        refusals.check(self, seat, action)

    @override
    def observe(self, viewer: Viewer) -> Observation:
        return view.observe(self, viewer)

    @override
    def push(self, seat: Seat, action: Move) -> None:
        verb, cards = action
        if verb == "play":
            play = shape(cards, self.packs)
            if play is not None:  # verified; a play of mixed ranks has no shape
                self._play(seat, cards, play)
        elif verb == "pass":
            self._pass(seat)
        else:
            self._call(seat, cards[0])

    @override
    def outcome(self) -> Outcome | None:
        """Scores are match points, plus for the winners, minus for the others."""
        return scoring.outcome(self.results) if self.phase == OVER else None

    # what moves do

    def _call(self, seat: Seat, card: int) -> None:
        self.called = card
        slot = self.slots[card >> 2]
        self.teams = teams_of(seat, [count(hand[slot], card) for hand in self.hands])
        self.phase = PLAYING
        self.tell("call", seat, card=card)

    def _play(self, seat: Seat, cards: tuple[int, ...], play: Play) -> None:
        rank, suits, jokers, size, points, _, _ = play
        hand, laid = self.hands[seat], self.laid[seat]
        slots, packs = self.slots, self.packs
        if self.best_seat >= 0 and self.seats == 5:
            self.beaten[5 * seat + self.best_seat] += 1
        if suits:
            slot = slots[rank]
            hand[slot] -= suits
            laid[slot] += suits
        if jokers:
            hand[JOKERS] -= jokers
            laid[JOKERS] += jokers
        if (offers := self.offers[seat]) is not None:
            offers = list(offers)  # clones share the old ones
            if jokers:
                rest = hand[JOKERS]
                ranks = self.ranks
                offers[JOKERS] = offer(JOKER, rest, 0, packs)
                for slot in range(1, BLADES):
                    if hand[slot] or offers[slot][0]:
                        offers[slot] = offer(ranks[slot], hand[slot], rest, packs)
            else:
                offers[slot] = offer(rank, hand[slot], 0 if slot == BLADES else hand[JOKERS], packs)
            self.offers[seat] = offers
        self.heavy[seat] = None
        self.pot += points
        self.trick.append((seat, cards))
        self.best = rung(play, self.blade, self.low)
        self.best_cards = cards
        self.best_seat = seat
        self.passes = 0
        left = self.left[seat] - size
        self.left[seat] = left
        if self.events is not None:
            self._tell_play(seat, cards, play)
        if not left:
            self.out.append(seat)
            self.tell("out", seat, place=len(self.out))
            if self._ends():
                self._end()
                return
        self.turn = self._after(seat)

    def _tell_play(self, seat: Seat, cards: tuple[int, ...], play: Play) -> None:
        first = len(self.trick) == 1
        self.tell("play", seat, cards=list(cards), sort=play.kind, left=self.left[seat], leads=first)
        if self.called >= 0 and play.rank == self.called >> 2:
            new = count(play.suits, self.called)
            shown = count(self.laid[seat][self.slots[play.rank]], self.called)
            if shown >= PAIR > shown - new:
                self.tell("revealed", seat, card=self.called)

    def _pass(self, seat: Seat) -> None:
        self.trick.append((seat, ()))
        self.passes += 1
        if self.seats == 5:
            self.let[5 * seat + self.best_seat] += 1
        if self.events is not None:
            self.tell("pass", seat)
        going = self.seats - len(self.out)
        if self.passes >= going - (self.left[self.best_seat] > 0):
            self._take()
        else:
            self.turn = self._after(seat)

    def _after(self, seat: Seat) -> Seat:
        """The next seat in turn that has cards."""
        left, seats = self.left, self.seats
        seat = (seat + 1) % seats
        while not left[seat]:
            seat = (seat + 1) % seats
        return seat

    def _take(self) -> None:
        """The last player takes the trick and leads; if out, the next one does (sections 4.1 and 4.2)."""
        winner = self.best_seat
        self._score_trick()
        self.turn = self.leader = winner if self.left[winner] else self._after(winner)
        if self.events is not None:
            self.events[-1].facts["leader"] = self.leader

    def _score_trick(self) -> None:
        winner = self.best_seat
        self.captured[winner] += self.pot
        self.last_trick = TrickView(winner, self.pot, tuple(self.trick))
        self.tell("trick", winner, points=self.pot, captured=self.captured[winner])
        self.trick = []
        self.best = None
        self.best_cards = ()
        self.best_seat = -1
        self.passes = self.pot = 0
        self.ended += 1

    def _ends(self) -> bool:
        """Whether the game is over now that somebody has run out (section 4.3)."""
        out, teams = self.out, self.teams
        if self.seats == 4:
            return len(out) == 3 or (len(out) == 2 and teams[out[0]] == teams[out[1]])
        sides = [teams[seat] for seat in out]
        return any(sides.count(side) == teams.count(side) for side in (0, 1))

    def _end(self) -> None:
        """Settle the game; then the match is over or the second game is dealt."""
        self._score_trick()
        left = []
        for hand, laid in zip(self.hands, self.laid, strict=True):
            held = 0
            for slot, packed in enumerate(hand):
                if packed:
                    held += total(packed) * POINTS[self.ranks[slot]]
                    laid[slot] += packed
            left.append(held)
        if self.events is not None:
            for seat, hand in enumerate(self.hands):
                if self.left[seat]:
                    piles = zip(self.ranks, hand, strict=True)
                    cards = [card for rank, held in piles for card in unpacked(rank, held)]
                    self.tell("laid_open", seat, cards=sorted(cards), points=left[seat])
        result = scoring.settle((self.game, self.blade), self.out, self.captured, left, self.teams)
        self.results.append(result)
        self.hands = [[0] * SLOTS for _ in range(self.seats)]
        self.left = [0] * self.seats
        self.forget_offers()
        if self.events is not None:
            self.tell("settled", result.order[0], **msgspec.to_builtins(result))
        if self.seats == 4 and self.game < MATCH and scoring.needs_second(result):
            self.deal(result.order[0])
            return
        self.phase = OVER
        if self.events is not None:
            outcome = scoring.outcome(self.results)
            winners = list(outcome.winners())
            self.tell("match_over", -1, winners=winners, reason=outcome.reason, **outcome.facts)
