"""The decisions of Compound Capture and Chemistry Canasta as choices: the usual ways at one press each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from bot.presenters.base import LABEL, NOTE, Branch, Choice, Leaf, Node, why_not
from bot.presenters.chemistry.collect import made
from bot.presenters.chemistry.collect.queries import (
    best_try,
    just_drawn,
    least_useful,
    near_runs,
    one_short,
    open_claims,
    shortages,
    use_of,
)
from bot.presenters.chemistry.words import Voice, formula
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.chemistry import observation as engine
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.moves import END, RUN, STOCK, Move
from engine.chemistry.observation import Observation
from engine.elements import ELEMENTS

MOST_SHORT = 4
"""So many compounds that lack one card are named in the question."""
MOST_RUNS = 3
"""So many runs that lack one card can be asked about."""
DIRECT = 3
"""So many claims stand among the other plays."""
STRONG_RUNS, DIRECT_RUNS = 5, 11
"""So many runs stand out among the other plays, and so many stand there at all."""
MANY = 8
"""Of more kinds of cards those of least use stand out as discards."""
STRONG_DISCARDS = 4
LONGEST_NAME = 36
"""So many signs of a name leave room for what follows it in a label or a note."""


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """All moves as a tree; see `bot.presenters.base.Presenter.choices`."""
    voice = Voice(look)
    if not moves:
        return Branch(voice("tree.nothing"), ())
    ask = _Asker(seen, voice, len(moves))
    kinds: dict[str, list[Move]] = {}
    for move in moves:
        kinds.setdefault(move.verb, []).append(move)
    choices: list[Choice] = []
    for verb, those in kinds.items():
        choices += _VERBS[verb](ask, those)
    beside = (*ask.payments(kinds.get("capture", ())), *ask.refused())
    return Branch(ask.prompt(kinds), tuple(choices), beside)


class _Asker:
    """One question about one observation."""

    def __init__(self, seen: Observation, voice: Voice, count: int) -> None:
        self.seen = seen
        self.voice = voice
        self.count = count
        """How many moves there are in all."""

    def prompt(self, verbs: Collection[str]) -> str:
        """What is asked, from what can be done; after drawing also what is one card short."""
        seen, voice = self.seen, self.voice
        if seen.phase == engine.FIRST:
            asked = voice("tree.first")
            return made.question(seen, asked, voice) if made.asks_anew(seen) else asked
        if seen.phase == engine.SECOND:
            return voice("tree.second", card=voice.card(just_drawn(seen)))
        if seen.phase == engine.CLOSE:
            return voice("tree.after_run_claim" if "claim" in verbs else "tree.after_run")
        if seen.phase == engine.AFTER:
            return voice("tree.after_capture")
        said = []
        if not {"capture", "run"} & set(verbs):
            said.append(voice("tree.no_play_canasta" if seen.canasta else "tree.no_play"))
        if list(verbs) != ["discard"]:
            plays = [voice(f"tree.do_{verb}") for verb in verbs]
            said.append(voice("tree.play", plays=voice.all(plays, "or")))
        if near := one_short(seen)[:MOST_SHORT]:
            told = [
                voice("tree.short", formula=formula(BOOK.compounds[number].formula), atoms=self.atoms(cards))
                for number, cards in near
            ]
            said.append(voice("tree.one_short", list=", ".join(told)))
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
        asked, found = list[Choice](), shortages(seen)
        for number, short, atoms in found:
            if short:
                one = voice("tree.needs", atoms=self.atoms(atoms))
                note = one if short == 1 else voice("tree.cards_short", n=short)
                leaf = Leaf(best_try(number, seen.hand), refused=True)
                asked.append(Choice(BOOK.compounds[number].formula, voice.compound_label(number), leaf, note))
        some = len(asked) < len(found)
        for move, number in near_runs(seen)[:MOST_RUNS]:
            label = voice("tree.run_of", first=move.what, last=move.cards[-1])
            note = voice("tree.needs", atoms=voice.short(number))
            asked.append(Choice(f"run-{move.what}", label, Leaf(move, refused=True), note))
        if not asked:
            return ()
        label = voice("tree.why_others" if some else "tree.why_none")
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
        for move in moves:
            if move.what != STOCK:
                key = "pile_and_stock" if seen.phase == engine.FIRST and reach else "pile"
                label = voice(f"tree.{key}", card=voice.label(seen.discard[-1]))
                found.append(Choice("pile", label, Leaf(move)))
                continue
            anew = (
                "" if seen.stock else "_anew"
            )  # all but the top of the discard pile is about to be the stock
            left = seen.stock or len(seen.discard) - 1
            stock = voice(f"tree.stock{anew}", n=left)
            if not both:
                found.append(Choice("stock", stock, Leaf(move), strong=True))
                continue
            label = voice(f"tree.both{anew}", n=left)
            if seen.discard:
                found.append(Choice("both", label, Leaf(move, then=(move,)), strong=True))
                found.append(Choice("stock", voice("tree.one"), Leaf(move)))
            else:  # the second card comes from there by itself
                found.append(Choice("stock", label, Leaf(move), strong=True))
        return found

    def captures(self, moves: Sequence[Move]) -> list[Choice]:
        """One for each compound, paid for in the sensible way; what else could be given is asked beside."""
        found, going_on = list[Choice](), list[Choice]()
        for number, ways in self.payable(moves).items():
            cards = self.voice.named(ways[0].cards)
            name, facts = BOOK.compounds[number].formula, {"compound": self.voice.compound_label(number)}
            label = clipped(self.voice("tree.capture", **facts, cards=cards), LABEL)
            note = clipped(self.way(ways[0], self.best(ways)).note if len(ways) > 1 else "", NOTE)
            usual = Choice(name, label, Leaf(ways[0]), note, strong=True)
            if not self.pauses(ways[0]):
                found.append(usual)
                continue
            label = clipped(self.voice("tree.capture_end", **facts, cards=cards), LABEL)
            found.append(replace(usual, key=f"{name}-end", label=label, child=Leaf(ways[0], then=(END,))))
            label = clipped(self.voice("tree.capture_on", **facts), LABEL)
            going_on.append(replace(usual, label=label, note="", strong=False))
        return [*found, *going_on]

    def pauses(self, move: Move) -> bool:
        """Whether a turn goes on after this capture only for whoever has a wild card to claim. It depends on
        what all can see, so that a pause, or none, tells nothing of a hand."""
        seen = self.seen
        return seen.canasta and bool(open_claims(seen)) and len(seen.hand) - len(move.cards) > 1

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
        asked = []
        for number, (usual, *others) in self.payable(moves).items():
            if others:
                compound = self.voice.compound_label(number)
                prompt = self.voice(
                    "tree.which_cards", compound=compound, cards=self.voice.named(usual.cards)
                )
                ways = Branch(prompt, tuple(map(self.way, others)))
                note = self.voice("tree.ways", n=len(others))
                asked.append(Choice(BOOK.compounds[number].formula, compound, ways, note))
        if not asked:
            return ()
        child = asked[0].child if len(asked) == 1 else Branch(self.voice("tree.which_pay"), tuple(asked))
        return (Choice("myself", self.voice("tree.myself"), child),)

    def way(self, move: Move, key: str = "top") -> Choice:
        """One way to pay: the cards in order, the last one ends on top."""
        name = "-".join("W" if card == WILD else ELEMENTS[card - 1].symbol for card in move.cards)
        alone = "_alone" if self.seen.seats == 1 else ""
        note = self.voice(f"tree.{key}{alone}", card=self.voice.short(move.cards[-1]))
        return Choice(name, self.voice.named(move.cards), Leaf(move), note)

    def runs(self, moves: Sequence[Move]) -> list[Choice]:
        """The runs with the fewest wild cards stand out, the next ones beside them, the others behind."""
        choices = []
        for move in moves:
            key = f"{move.what}-" + "".join("E" if card else "W" for card in move.cards)
            label = self.voice("tree.run", cards=self.voice.run(move.what, move.cards))
            choices.append(Choice(key, label, Leaf(move)))
        strong = (replace(choice, strong=True) for choice in choices[:STRONG_RUNS])
        shown = [*strong, *choices[STRONG_RUNS:DIRECT_RUNS]]
        others = choices[DIRECT_RUNS:]
        if not others:
            return shown
        asked = Branch(self.voice("tree.which_run"), tuple(others))
        return [*shown, Choice("run", self.voice("tree.more_runs", n=len(others)), asked)]

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
                label = self.voice.label(move.what)
                note = self.voice("tree.claim_own" if own else "tree.claim_from", **facts)
            key = f"{move.seat}-{move.place}-{move.what}"
            choices.append(Choice(key, label, Leaf(move), note))
        if len(choices) <= DIRECT:
            say = self.voice
            return [
                replace(one, label=clipped(say("tree.claim_for", card=one.label), LABEL)) for one in choices
            ]
        asked = self.voice("tree.which_claim")
        return [Choice("claim", self.voice("tree.claim", n=len(choices)), Branch(asked, tuple(choices)))]

    def discards(self, moves: Sequence[Move]) -> list[Choice]:
        """Each kind of card; where other plays stand beside them, they say what they are."""
        held = Counter(self.seen.hand)
        if self.goes_out():
            label = self.voice("tree.go_out", card=self.voice.label(moves[0].what))
            return [Choice("discard", label, Leaf(moves[0]), strong=True)]
        alone = len(moves) == self.count
        idle = least_useful(self.seen)[:STRONG_DISCARDS] if len(moves) > MANY else ()
        return [
            Choice(
                self.key(move.what),
                self.voice.label(move.what)
                if alone
                else self.voice("tree.discard", card=self.voice.short(move.what)),
                Leaf(move),
                self.voice("tree.you_hold", n=held[move.what]) if held[move.what] > 1 else "",
                strong=move.what in idle,
            )
            for move in moves
        ]

    @staticmethod
    def key(card: int) -> str:
        """The stable key of a card."""
        return "wild" if card == WILD else ELEMENTS[card - 1].symbol

    def end(self, moves: Sequence[Move]) -> list[Choice]:
        return [Choice("end", self.voice("tree.end"), Leaf(moves[0]), strong=True)]


_VERBS: dict[str, Callable[[_Asker, Sequence[Move]], list[Choice]]] = {
    "draw": _Asker.draws,
    "capture": _Asker.captures,
    "run": _Asker.runs,
    "claim": _Asker.claims,
    "discard": _Asker.discards,
    "end": _Asker.end,
}
