"""The decisions of Compound Capture and Chemistry Canasta as choices: the usual ways at one press each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from operator import itemgetter

from bot.presenters.base import LABEL, Branch, Choice, Leaf, Node, why_not
from bot.presenters.chemistry.collect import round_summary
from bot.presenters.chemistry.collect.queries import (
    best_try,
    counted,
    just_drawn,
    least_useful,
    near_runs,
    open_claims,
    shortages,
    use_of,
)
from bot.presenters.chemistry.words import Voice, formula
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.chemistry import observation as engine
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.moves import DISCARDS, END, RUN, STOCK, Move, captures, runs
from engine.chemistry.observation import Observation
from engine.elements import ELEMENTS

MOST_RUNS = 3
"""How many runs that lack one card can be asked about."""
ANSWERS = 10
"""How many answers to one question are buttons."""
DIRECT = 3
"""How many claims stand among the other plays."""
DIRECT_RUNS = 6
"""How many runs stand among the other plays; one of them may stand there with a claim too."""
BESIDE_PLAYS, LEFT_FOR_DISCARDS = 6, 2
"""Where a compound can be captured or a run be laid, so many buttons discard, three lines on a phone; beside
many captures one line."""
MOST_NAMED = 2
"""The question names up to so many kinds of plays: two lines on a phone."""
MOST_TAKEN = 3
"""How many captures that the top of the discard pile makes possible stand beside taking it."""
LONGEST_NAME = 36
"""How many signs of a name leave room for what follows it in a label or a note."""


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """All moves as a tree; see `bot.presenters.base.Presenter.choices`."""
    voice = Voice(look)
    if not moves:
        return Branch(voice("tree.nothing"), ())
    ask = _Asker(seen, voice, moves)
    kinds: dict[str, list[Move]] = {}
    for move in moves:
        kinds.setdefault(move.verb, []).append(move)
    choices: list[Choice] = []
    for verb, those in kinds.items():
        if verb in _VERBS:
            choices += _VERBS[verb](ask, those)
    if ask.seen.phase == engine.PLAY and "run" not in kinds:
        choices += ask.claim_to_run()
    if "run" in kinds:
        choices += ask.runs(kinds["run"], ANSWERS - len(choices) - LEFT_FOR_DISCARDS)
    if "discard" in kinds:
        room = ANSWERS - len(choices)
        if "capture" in kinds or "run" in kinds:  # those are what most people want then
            ready = len({move.what for move in kinds.get("capture", ())})
            room = max(LEFT_FOR_DISCARDS, min(room, BESIDE_PLAYS, ANSWERS - 2 * ready))
        choices += ask.discards(kinds["discard"], room)
    beside = (*ask.payments(kinds.get("capture", ())), *ask.refused())
    return Branch(ask.prompt(kinds), tuple(choices), beside)


class _Asker:
    """One question about one observation."""

    def __init__(self, seen: Observation, voice: Voice, moves: Sequence[Move]) -> None:
        self.seen = seen
        self.voice = voice
        self.moves = moves
        self.claimable = [move for move in moves if move.verb == "claim"]

    def prompt(self, verbs: Collection[str]) -> str:
        """What is asked, from what can be done."""
        seen, voice = self.seen, self.voice
        if seen.phase == engine.FIRST:
            asked = voice("tree.first")
            return round_summary.question(seen, asked, voice) if round_summary.asks_anew(seen) else asked
        if seen.phase == engine.SECOND:
            return voice("tree.second", card=voice.card(just_drawn(seen)))
        if seen.phase == engine.CLOSE:
            return voice("tree.after_run_claim" if "claim" in verbs else "tree.after_run")
        if seen.phase == engine.AFTER:
            return voice("tree.after_capture")
        said = []
        if not {"capture", "run"} & set(verbs):
            said.append(voice("tree.no_play_canasta" if seen.canasta else "tree.no_play"))
        if len(verbs) > MOST_NAMED:  # the buttons name them
            laid = min((one for one in self.moves if one.verb == "run"), key=self.price, default=None)
            said += [voice("tree.run_is", cards=self.span(laid))] if laid else []
            said.append(voice("tree.discard_is"))
        elif list(verbs) != ["discard"]:
            plays = [voice(f"tree.do_{verb}") for verb in verbs]
            said.append(voice("tree.play", plays=voice.all(plays, "or")))
        if self.pausing():
            said.append(voice("tree.capture_ends"))
        if list(verbs) == ["discard"]:
            said.append(voice("tree.last_card" if self.goes_out() else "tree.which_discard"))
        return " ".join(said)

    def goes_out(self) -> bool:
        """Whether a discard would be the last card of the hand, which ends the round."""
        return self.seen.canasta and len(self.seen.hand) == 1

    def refused(self) -> tuple[Choice, ...]:
        """A way to ask why the other compounds can't be captured, when it is time to capture."""
        seen, voice = self.seen, self.voice
        if seen.phase != engine.PLAY:
            return ()
        asked = list[Choice]()
        for number, short, atoms in shortages(seen):
            if short:
                needs = voice("tree.needs", atoms=self.atoms(atoms))
                note = needs if short == 1 else voice("tree.cards_short", n=short)
                leaf = Leaf(best_try(number, seen.hand), refused=True)
                one = BOOK.compounds[number].formula
                asked.append(Choice(one, formula(one), leaf, note))
        for move, number in near_runs(seen)[:MOST_RUNS]:
            label = voice("tree.run_of", first=move.what, last=move.cards[-1])
            note = voice("tree.needs", atoms=voice.short(number))
            asked.append(Choice(f"run-{move.what}", label, Leaf(move, refused=True), note))
        if not asked:
            return ()
        label = voice("tree.why_others")
        return (why_not(label, Branch(voice("tree.which_why"), tuple(asked))),)

    def atoms(self, cards: Sequence[int]) -> str:
        """Cards of which one is missing: O or H."""
        return self.voice.all([self.voice.symbol(card) for card in cards], "or")

    def draws(self, moves: Sequence[Move]) -> list[Choice]:
        """Where the cards of the turn come from: both at once, or one by one."""
        seen, voice = self.seen, self.voice
        reach = seen.stock if seen.canasta else seen.stock + max(len(seen.discard) - 1, 0)
        both = seen.phase == engine.FIRST and reach > 1
        found = []
        # all but the top of the discard pile may be about to be the stock
        anew = "" if seen.stock else "_anew"
        for move in moves:
            if move.what != STOCK:
                first = seen.phase == engine.FIRST and reach > 0
                key = "pile_and_stock" if first else "pile"
                label = voice(f"tree.{key}", card=voice.short(seen.discard[-1]))
                found.append(Choice("pile", label, Leaf(move)))
                found += self.take_and_play(move, len(seen.hand) + 1 + first)
            elif both and seen.discard:
                label = voice(f"tree.both{anew}")
                found.append(Choice("both", label, Leaf(move, then=(move,)), strong=True))
                found.append(Choice("stock", voice("tree.one"), Leaf(move)))
            else:  # with no discard pile the second card comes from there by itself
                label = voice(f"tree.{'both' if both else 'stock'}{anew}")
                found.append(Choice("stock", label, Leaf(move), strong=True))
        return found

    def take_and_play(self, take: Move, held: int) -> list[Choice]:
        """What only the top of the discard pile makes possible, with that card by the same press; `held` is
        how many cards are in hand then."""
        seen, voice = self.seen, self.voice
        card = seen.discard[-1]
        had, have = counted(seen.hand), counted((*seen.hand, card))
        before = {move.what for move in captures(seen.row, had)}
        found = []
        new = [move for move in captures(seen.row, have) if move.what not in before]
        for number, (usual, *_) in self.payable(new).items():
            ends = self.pauses(usual, held)
            then = (usual, END) if ends else (usual,)
            key = "take_capture_end" if ends else "take_capture"
            label = voice(f"tree.{key}", card=voice.short(card), what=self.cost(usual))
            name = BOOK.compounds[number].formula
            found.append(Choice(f"pile-{name}", label, Leaf(take, then=then), strong=True))
        del found[MOST_TAKEN:]
        # with two wild cards every card makes a run
        laid = {move for move in runs(have) if move.cards.count(WILD) <= 1} - set(runs(had))
        if seen.canasta and laid:
            run = min(laid, key=lambda move: (*self.price(move), move))
            label = voice("tree.take_run", card=voice.short(card), cards=self.run_cards(run))
            found.append(Choice(f"pile-{self.run_key(run)}", label, Leaf(take, then=(run,))))
        return found

    def captures(self, moves: Sequence[Move]) -> list[Choice]:
        """One for each compound, paid for in the sensible way; what else could be given is asked beside."""
        found, going_on = list[Choice](), list[list[Move]]()
        for number, ways in self.payable(moves).items():
            name = BOOK.compounds[number].formula
            label = self.voice("tree.capture", what=formula(name))
            usual = Choice(name, label, Leaf(ways[0]), strong=True)
            if not self.pauses(ways[0], len(self.seen.hand)):
                found.append(usual)
                continue
            # the question says that it ends the turn
            found.append(replace(usual, key=f"{name}-end", child=Leaf(ways[0], then=(END,))))
            going_on.append(ways)
        return [*found, *self.going_on(going_on)]

    def pausing(self) -> bool:
        """Whether the turn may go on after one of the captures."""
        held = len(self.seen.hand)
        return any(self.pauses(move, held) for move in self.moves if move.verb == "capture")

    def going_on(self, by_compound: Sequence[Sequence[Move]]) -> list[Choice]:
        """The captures after which the turn goes on, in every way to pay, the sensible one first."""
        every = [move for ways in by_compound for move in ways]
        if len(every) == 1:
            what = formula(BOOK.compounds[every[0].what].formula)
            label = self.voice("tree.go_on", capture=self.voice("tree.capture", what=what))
            return [Choice(BOOK.compounds[every[0].what].formula, label, Leaf(every[0]))]
        which = self.voice("tree.which_on")
        asked = [self.way(move, of=move.what) for move in every]
        if len(every) > ANSWERS:
            asked = [
                Choice(
                    BOOK.compounds[ways[0].what].formula,
                    self.voice.compound_label(ways[0].what),
                    Branch(which, tuple(map(self.way, ways))),
                )
                for ways in by_compound
            ]
        return [Choice("on", self.voice("tree.on"), Branch(which, tuple(asked)))] if asked else []

    def cost(self, move: Move) -> str:
        """The formula of a capture, and a star for each wild card that it takes; else the formula says what
        it costs."""
        what, wilds = formula(BOOK.compounds[move.what].formula), move.cards.count(WILD)
        return f"{what} {self.voice('picture.star') * wilds}" if wilds else what

    def pauses(self, move: Move, held: int) -> bool:
        """Whether a turn goes on after this capture from a hand of so many cards only for whoever has a wild
        card to claim. It depends on what all can see, so that a pause, or none, tells nothing of a hand."""
        seen = self.seen
        return seen.canasta and bool(open_claims(seen)) and held - len(move.cards) > 1

    def payable(self, moves: Sequence[Move]) -> dict[int, list[Move]]:
        """By compound the ways to pay, the sensible one first: the fewest wild cards, and on top what helps
        the next player least in the compounds that stay. Alone it is one's own next turn, so what helps most.
        """
        sign = 1 if self.seen.seats > 1 else -1
        by_compound: dict[int, list[Move]] = {}
        for move in moves:
            by_compound.setdefault(move.what, []).append(move)
        for number, ways in by_compound.items():
            rest = [one for one in self.seen.row if one != number]
            ways.sort(key=lambda move: (move.cards.count(WILD), sign * use_of(move.cards[-1], rest)))
        return by_compound

    @staticmethod
    def best(ways: Sequence[Move]) -> str:
        """What is said of the sensible way, the first of these."""
        saves = ways[0].cards.count(WILD) < ways[-1].cards.count(WILD)
        return "best_saves" if saves else "best"

    def payments(self, moves: Sequence[Move]) -> tuple[Choice, ...]:
        """The way to those payments that are not offered by themselves."""
        others = {number: ways for number, ways in self.payable(moves).items() if len(ways) > 1}
        rest = [move for ways in others.values() for move in ways[1:]]
        if not rest:
            return ()
        ends = {number: self.pauses(ways[0], len(self.seen.hand)) for number, ways in others.items()}
        if len(rest) == 1 and not any(ends.values()):  # it takes no more room than the way to it
            ((usual, other),) = others.values()
            return (self.only_way(usual, other),)
        told = f" {self.voice('tree.ends')}" if all(ends.values()) else ""
        if len(others) > 1 and len(rest) <= ANSWERS:
            asked = [self.way(move, of=move.what, ends=ends[move.what]) for move in rest]
            prompt = f"{self.voice('tree.which_way')} {self.on_top()}"
            side_by_side = Branch(prompt + told, tuple(asked))
            return (Choice("myself", self.voice("tree.myself"), side_by_side),)
        by_compound = []
        for number, (usual, *less_usual) in others.items():
            one = BOOK.compounds[number].formula
            best = self.best((usual, *less_usual)) + self.alone
            prompt = self.voice(
                "tree.which_cards",
                compound=self.voice.compound_label(number),
                cards=self.voice.named(usual.cards),
                reason=self.voice(f"tree.{best}", card=self.voice.short(usual.cards[-1])),
            )
            ways = Branch(
                f"{prompt} {self.on_top()}{told}",
                tuple(self.way(move, ends=ends[number]) for move in less_usual),
            )
            note = self.voice("tree.ways", n=len(less_usual))
            by_compound.append(Choice(one, formula(one), ways, note))
        only = by_compound[0].child
        child = only if len(by_compound) == 1 else Branch(self.voice("tree.which_pay"), tuple(by_compound))
        return (Choice("myself", self.voice("tree.myself"), child),)

    @property
    def alone(self) -> str:
        """What the keys of sentences end in where nobody else takes the card on top."""
        return "_alone" if self.seen.seats == 1 else ""

    def on_top(self) -> str:
        """What becomes of the last card that one gives."""
        return self.voice(f"tree.top{self.alone}")

    def way(self, move: Move, of: int = -1, *, ends: bool = False) -> Choice:
        """One way to pay: the cards in order, the last one ends on top; with the compound where ways `of`
        several stand side by side. It `ends` the turn by the same press where that would go on."""
        name = "-".join("W" if card == WILD else ELEMENTS[card - 1].symbol for card in move.cards)
        label = self.voice.given(move.cards)
        what = formula(BOOK.compounds[move.what].formula)
        told = self.voice("tree.capture_with", what=what, cards=label)
        if of >= 0:
            one = BOOK.compounds[of].formula
            name = f"{one}-{name}"
            label = self.voice("tree.paid", formula=formula(one), cards=label)
        return Choice(name, label, Leaf(move, then=(END,) if ends else ()), wording=told)

    def only_way(self, usual: Move, other: Move) -> Choice:
        """The only payment beside the usual ones, on a button of its own."""
        what = formula(BOOK.compounds[other.what].formula)
        if sorted(usual.cards) == sorted(other.cards):
            label = self.voice("tree.capture_top", what=what, card=self.voice.short(other.cards[-1]))
        else:
            label = self.voice("tree.capture_with", what=what, cards=self.voice.given(other.cards))
        return Choice("myself", label, Leaf(other))

    def runs(self, moves: Sequence[Move], room: int) -> list[Choice]:
        """The runs with the fewest wild cards, and of those that cost no card of an open compound, stand
        among the other plays, the others behind."""
        claims, cheapest = self.claimable[:1], sorted(moves, key=self.price)
        most = max(1, min(DIRECT_RUNS, room - 1) - len(claims))
        most += not claims and len(moves) == most + 1  # it takes no more room than the way to it
        both = [self.run(cheapest[0], claim) for claim in claims]
        shown = [*both, *map(self.run, cheapest[:most])]
        if len(moves) == 1 and not claims:
            shown += self.run_and_discard(moves[0])
        others = [replace(self.run(move), label=self.run_cards(move)) for move in cheapest[most:]]
        if len(others) <= ANSWERS:  # else the first of them stay buttons
            others = [replace(one, strong=False) for one in others]
        if not others:
            return shown
        asked = Branch(self.voice("tree.which_run"), tuple(others))
        return [*shown, Choice("run", self.voice("tree.more_runs", n=len(others)), asked)]

    def run(self, move: Move, claim: Move | None = None) -> Choice:
        """A run, perhaps with a claim by the same press."""
        key, cards = self.run_key(move), self.run_cards(move)
        if claim is None:
            label = self.voice("tree.run", cards=cards)
            return Choice(key, label, Leaf(move), strong=True, short=self.span(move))
        facts = {"card": self.voice.short(claim.what)}
        label = self.voice("tree.run_claim", cards=cards, **facts)
        short = self.voice("tree.run_claim_short", cards=self.span(move), **facts)
        return Choice(f"{key}-claim", label, Leaf(move, then=(claim,)), strong=True, short=short)

    def run_and_discard(self, move: Move) -> list[Choice]:
        """The only run, with the card that is of least use then on the discard pile by the same press."""
        left = Counter(self.seen.hand)
        left.subtract(move.cards)
        idle = [card for card in (*least_useful(self.seen), WILD) if left[card]]
        if not idle:  # the run goes out
            return []
        key = "run_out" if left.total() == 1 else "run_discard"
        label = self.voice(f"tree.{key}", cards=self.run_cards(move), card=self.voice.short(idle[0]))
        return [Choice(f"{self.run_key(move)}-discard", label, Leaf(move, then=(DISCARDS[idle[0]],)))]

    def claim_to_run(self) -> list[Choice]:
        """Where no run can be laid, the cheapest one that a claimed wild card makes possible, with that."""
        found = []
        for claim in self.claimable:
            hand = counted(self.seen.hand)
            hand[claim.what] -= 1
            hand[WILD] += 1
            found += [(self.price(move), move, claim) for move in runs(hand)]
        if not found:
            return []
        _, move, claim = min(found, key=itemgetter(0))
        key = f"{self.run_key(move)}-with-{self.key(claim.what)}"
        card, cards = self.voice.short(claim.what), self.run_cards(move)
        label = self.voice("tree.claim_run", card=card, cards=cards)
        return [Choice(key, label, Leaf(claim, then=(move,)), strong=True)]

    @staticmethod
    def run_key(move: Move) -> str:
        """The stable key of a run."""
        return f"{move.what}-" + "".join("E" if card else "W" for card in move.cards)

    def run_cards(self, move: Move) -> str:
        """The cards of a run, in short."""
        return "-".join(str(card) if card else self.voice("picture.star") for card in move.cards)

    def span(self, move: Move) -> str:
        """A run for a button: from where to where, or its cards where one is wild."""
        return self.run_cards(move) if WILD in move.cards else f"{move.cards[0]}–{move.cards[-1]}"

    def price(self, move: Move) -> tuple[int, int]:
        """What a run costs: wild cards, and cards that open compounds take."""
        return move.cards.count(WILD), sum(use_of(card, self.seen.row) for card in move.cards if card != WILD)

    def claims(self, moves: Sequence[Move]) -> list[Choice]:
        numbers = Counter(move.what for move in moves)
        choices = []
        for move in moves:
            start, _ = self.seen.runs[move.seat][move.place]
            own = move.seat == self.seen.viewer
            target = clipped(self.voice.plain(move.seat), LONGEST_NAME)
            facts: dict[str, object] = {"place": move.place + 1, "target": target}
            facts |= {"first": start, "last": start + RUN - 1}
            if numbers[move.what] > 1:  # the card alone would not say which of the wild cards is meant
                card = self.voice.short(move.what)
                label = self.voice("tree.claim_which_own" if own else "tree.claim_which", card=card, **facts)
                note = ""
            else:
                label = self.voice.short(move.what)
                note = self.voice("tree.claim_own" if own else "tree.claim_from", **facts)
            key = f"{move.seat}-{move.place}-{move.what}"
            # behind a button that counts them, each says by itself what it does
            told = self.voice("tree.claim_for", card=label)
            choices.append(Choice(key, label, Leaf(move), note, wording=told))
        if len(choices) <= DIRECT:
            return [replace(one, label=clipped(one.wording, LABEL)) for one in choices]
        asked = self.voice("tree.which_claim")
        return [Choice("claim", self.voice("tree.claim", n=len(choices)), Branch(asked, tuple(choices)))]

    def discards(self, moves: Sequence[Move], room: int) -> list[Choice]:
        """Each kind of card, wild cards last; where there is no room for all, those of least use, and the
        others behind."""
        if self.goes_out():
            label = self.voice("tree.go_out", card=self.voice.label(moves[0].what))
            return [Choice("discard", label, Leaf(moves[0]), strong=True)]
        alone, say = len(moves) == len(self.moves), self.voice
        kinds = sorted((move.what for move in moves), key=lambda card: (card == WILD, card))
        idle = least_useful(self.seen)
        direct = kinds if len(kinds) <= room else idle[: max(room - 1, 0)]
        leaf = {move.what: Leaf(move) for move in moves}

        def choice(card: int) -> Choice:
            # away from the question a card alone does not say what becomes of it
            told = say("tree.discard", card=self.name(card))
            return Choice(self.key(card), self.name(card), leaf[card], wording=told)

        shown = [choice(card) for card in kinds if card in direct]
        if not alone:
            shown = [
                replace(one, label=say("tree.discard", card=card), short=say("tree.discard_short", card=card))
                for one in shown
                for card in [one.label]
            ]
        if others := [card for card in kinds if card not in direct]:
            key = "more_discards" if shown else "discards"
            # of so many that they are a list, the next ones stand out
            next_ones = idle[len(shown) :] if len(others) > ANSWERS else ()
            asked = tuple(replace(choice(card), strong=card in next_ones) for card in others)
            behind = Branch(self.voice("tree.which_discard"), asked)
            shown.append(Choice("discard", self.voice(f"tree.{key}"), behind))
        return shown

    def name(self, card: int) -> str:
        """A card on a button of its own: the picture shows the rest."""
        return self.voice.label(card) if card == WILD else self.voice.short(card)

    @staticmethod
    def key(card: int) -> str:
        """The stable key of a card."""
        return "wild" if card == WILD else ELEMENTS[card - 1].symbol

    def end(self, moves: Sequence[Move]) -> list[Choice]:
        """The end of the turn; by the same press with the one claim that is left."""
        found = [Choice("end", self.voice("tree.end"), Leaf(moves[0]), strong=True)]
        if len(self.claimable) == 1:
            (claim,) = self.claimable
            label = self.voice("tree.claim_end", card=self.voice.short(claim.what))
            found.insert(0, Choice("claim-end", label, Leaf(claim, then=(END,)), strong=True))
        return found


_VERBS: dict[str, Callable[[_Asker, Sequence[Move]], list[Choice]]] = {
    "draw": _Asker.draws,
    "capture": _Asker.captures,
    "claim": _Asker.claims,
    "end": _Asker.end,
}
