"""Legal moves as choices: what kind, which rank, which cards. Pass stands at the top, under `pass`.

Keys: kinds by name, ranks as `r7` (`rX` for jokers alone), cards by how many of each suit (clubs, diamonds,
hearts, spades) and, after a dash, of the black and the red joker: `1001-10`. The cheapest plays that beat the
table, and the usual leads, are offered at once, as `do-` with rank and cards; `pick` takes any cards of the
hand, and stands beside a lone Pass too. What the rules forbid is offered where people ask for it: Pass at a
lead, cards that can't be called.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.presenters.atom.words import Voice, height
from bot.presenters.base import LABEL, NOTE, Branch, Choice, Item, Leaf, Node, Pick, why_not
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.atom.cards import ORDER, POINTS, by_rank, counts, total
from engine.atom.moves import CALLS, PASS, Move
from engine.atom.observation import Observation
from engine.atom.plays import Play, Rung, rung, shape
from engine.playing_cards import JOKER, RANK_CODES, SUIT_CODES, SUIT_SIGNS

SMALL = ("single", "pair", "triple")
HEAVY = "heavy"
ANSWERS = 10
"""How many answers to one question are buttons."""
LEADS = 2
"""The most leads of each kind that take one press."""
LEAST_NUKE = 2
"""Cards of each suit that make a nuke."""
MOST_PICKED = 16
"""The most cards that a pick takes: their keys must fit into a custom id."""


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """All moves as a tree; see `bot.presenters.base.Presenter.choices`."""
    ask = _Asker(seen, Voice(look))
    if not moves:
        return Branch(ask.voice("tree.nothing"), ())
    if moves[0].verb == "call":
        return ask.call(moves)
    return ask.follow(moves) if seen.best else ask.lead(moves)


class _Asker:
    """One question about one observation."""

    def __init__(self, seen: Observation, voice: Voice) -> None:
        self.seen = seen
        self.voice = voice
        self.hand = by_rank(card for card, many in enumerate(seen.hand) for _ in range(many))

    # calling

    def call(self, moves: Sequence[Move]) -> Node:
        """Five players: rank, then suit."""
        voice = self.voice
        ranks: dict[int, list[Move]] = {}
        for move in moves:
            ranks.setdefault(move.cards[0] >> 2, []).append(move)
        choices = []
        for rank in sorted(ranks, key=ORDER.index, reverse=True):
            some = ranks[rank]
            shown = voice("tree.call_one_of", cards=" ".join(voice.card(move.cards[0]) for move in some))
            suits = tuple(
                Choice(
                    SUIT_CODES[move.cards[0] & 3],
                    voice.card(move.cards[0]),
                    Leaf(move),
                    wording=voice("tree.told_call", card=voice.card(move.cards[0])),
                )
                for move in some
            )
            asked = Branch(voice("tree.call_suit", rank=voice.rank(rank)), suits, self._held_suits(rank))
            choices.append(Choice(f"r{RANK_CODES[rank]}", voice.rank(rank), asked, shown))
        return Branch(voice("tree.call"), tuple(choices), (self._not_callable(set(ranks)),))

    def _held_suits(self, rank: int) -> tuple[Choice, ...]:
        """The cards of a rank that the caller holds: none of them can be called, and people ask why."""
        held = [(4 * rank + suit, many) for suit, many in enumerate(counts(self.hand[rank])) if many]
        return tuple(
            Choice(
                SUIT_CODES[card & 3],
                self.voice("tree.call_held", card=self.voice.card(card), n=many),
                Leaf(CALLS[card], refused=True),
            )
            for card, many in held
        )

    def _not_callable(self, ranks: Collection[int]) -> Choice:
        """The ranks that are missing from the list: the Blade, jokers, and what is held in all suits."""
        voice = self.voice
        asked = list[Choice]()
        for rank in (JOKER, *(rank for rank in reversed(ORDER) if rank not in ranks)):
            never = rank in (self.seen.blade, JOKER)
            note = voice("tree.call_never" if never else "tree.call_all_held")
            leaf = Leaf(CALLS[4 * rank], refused=True)
            asked.append(Choice(f"r{RANK_CODES[rank]}", self._rank_name(rank), leaf, note))
        return why_not(voice("tree.call_others"), Branch(voice("tree.call_which"), tuple(asked)))

    # leading and following

    def lead(self, moves: Sequence[Move]) -> Node:
        """A free lead: what people lead most, the lowest ranks with all that is held of them, then the kinds
        that the hand offers."""
        ways = sorted(map(self._shaped, moves), key=lambda way: height(4 * way[1].rank, self.seen.blade))
        whole = {kind: [way for way in ways if way[1].kind == kind and self._whole(way[1])] for kind in SMALL}
        offered = [way for kind in SMALL for way in whole[kind][:LEADS]]
        kinds: dict[str, list[tuple[Move, Play]]] = {}
        for way in ways:
            if way not in offered:
                kinds.setdefault(way[1].kind if way[1].kind in SMALL else HEAVY, []).append(way)
        choices = [
            Choice(self._key("do", play), self._play_label(move, play), Leaf(move)) for move, play in offered
        ]
        choices += [self._kind(kind, kinds[kind]) for kind in (*SMALL, HEAVY) if kind in kinds]
        # not under `pass`: who always presses that would press it for ever
        why = why_not(self.voice("tree.no_pass"), Leaf(PASS, refused=True))
        return Branch(self.voice("tree.lead"), tuple(choices), (self._pick(), why))

    def _whole(self, play: Play) -> bool:
        """Whether a play is all that the hand holds of its rank, and no joker."""
        return not play.jokers and play.suits == self.hand[play.rank]

    def follow(self, moves: Sequence[Move]) -> Node:
        """Cards to beat: the cheapest ways first, then all others, then Pass."""
        seen, voice = self.seen, self.voice
        kind = self._shaped(Move("play", seen.best))[1].kind
        key = "laid" if kind in SMALL else f"laid_{kind}"
        laid = voice(f"tree.{key}", name=voice.name(seen.best_seat), table=voice.sorted(kind, seen.best))
        leave = Choice("pass", voice("tree.pass"), Leaf(PASS))
        ways = [self._shaped(move) for move in moves if move.verb == "play"]
        if not ways:
            # Trying cards teaches why nothing will do.
            why = replace(self._pick(), label=voice("tree.none_beats"))
            return Branch(voice("tree.only_pass", laid=laid), (leave,), (why,))
        ways.sort(key=self._price)
        small = [way for way in ways if way[1].kind in SMALL]
        heavy = [way for way in ways if way[1].kind not in SMALL]
        # five buttons: what is not needed for the ways on is left for suggestions
        offered = ways[: 1 if small and heavy else 2]
        rest = [[way for way in some if way not in offered] for some in (small, heavy)]
        choices = [
            Choice(self._key("do", play), self._play_label(move, play), Leaf(move), strong=number == 0)
            for number, (move, play) in enumerate(offered)
        ]
        if rest[0]:
            choices.append(self._ranks("more", voice("tree.more"), rest[0]))
        if rest[1]:
            choices.append(self._kind(HEAVY, rest[1]))
        choices += [self._pick(), leave]
        return Branch(voice("tree.follow", laid=laid), tuple(choices))

    def _shaped(self, move: Move) -> tuple[Move, Play]:
        play = shape(move.cards, self.seen.packs)
        if play is None:
            raise ValueError(f"no play: {move}")
        return move, play

    def _rung(self, play: Play) -> Rung:
        return rung(play, self.seen.blade, self.seen.low)

    def _price(self, way: tuple[Move, Play]) -> tuple[int, ...]:
        """What a play costs the hand: its kind, a bomb broken up, jokers, cards torn apart."""
        play = way[1]
        stand = self._rung(play)
        held = total(self.hand[play.rank]) if play.rank != JOKER else 0
        rest = held - total(play.suits)
        breaks = int(held >= 4 and rest < 4 and play.kind in SMALL)
        return stand.kind, breaks, total(play.jokers), int(rest > 0), stand.size, stand.strength

    # kinds, ranks, cards

    def _kind(self, kind: str, ways: Sequence[tuple[Move, Play]]) -> Choice:
        return self._ranks(kind, self.voice(f"tree.{kind}"), ways)

    def _ranks(self, key: str, label: str, ways: Sequence[tuple[Move, Play]]) -> Choice:
        """A choice that opens the ranks of these plays."""
        ranks: dict[int, list[tuple[Move, Play]]] = {}
        for move, play in ways:
            ranks.setdefault(play.rank, []).append((move, play))
        order = sorted(ranks, key=lambda rank: height(4 * rank, self.seen.blade))
        choices = tuple(self._rank(rank, ranks[rank]) for rank in order)
        if len(choices) <= ANSWERS:  # the picture above the buttons shows what is held; a list hides it
            choices = tuple(replace(one, note="") for one in choices)
        return Choice(key, label, Branch(self.voice("tree.rank"), choices))

    def _rank(self, rank: int, ways: Sequence[tuple[Move, Play]]) -> Choice:
        key = f"r{RANK_CODES[rank]}"
        # of one rank there may be dozens: those that spend no joker are looked for first
        ways = sorted(ways, key=lambda way: (not way[1].tier, total(way[1].jokers), way[1].size))
        if len(ways) == 1:
            move, play = ways[0]
            label = self._play_label(move, play)
            return Choice(key, label, Leaf(move), self._held(rank), wording=label)
        choices = tuple(
            Choice(self._key("c", play), label, Leaf(move), self._costs(play), wording=label)
            for move, play in ways
            for label in [self._play_label(move, play)]
        )
        label = self.voice("tree.rank_many", rank=self._rank_name(rank), n=len(ways))
        return Choice(
            key,
            label,
            Branch(self.voice("tree.cards", rank=self._rank_name(rank)), choices),
            self._held(rank),
        )

    def _rank_name(self, rank: int) -> str:
        name = self.voice.rank(rank)
        return self.voice("tree.blade", rank=name) if rank == self.seen.blade else name

    def _held(self, rank: int) -> str:
        """What the hand holds of this rank."""
        if rank == JOKER:
            black, red, _, _ = counts(self.hand[JOKER])
            held = (self.voice.card(52),) * black + (self.voice.card(53),) * red
            return clipped(self.voice("tree.held", n=len(held), cards=" ".join(held)), NOTE)
        by_suit = counts(self.hand[rank])
        shown = " ".join(f"{SUIT_SIGNS[suit]}{many}" for suit, many in enumerate(by_suit) if many)
        points = POINTS[rank] * sum(by_suit)
        key = "tree.held_points" if points else "tree.held"
        return self.voice(key, n=sum(by_suit), cards=shown, points=points)

    def _play_label(self, move: Move, play: Play) -> str:
        if play.kind == "single":
            name = self.voice.cards(move.cards)
            return self.voice("tree.blade", rank=name) if play.rank == self.seen.blade else name
        if play.kind in SMALL:  # how many cards there are says what it is
            return clipped(self.voice.cards(move.cards), LABEL)
        told = self.voice.set(move.cards, self.seen.seats)
        return clipped(told[:1].upper() + told[1:], LABEL)

    def _costs(self, play: Play) -> str:
        """What else a set spends: a nuke or an atom that it tears apart, and jokers."""
        jokers, alone = total(play.jokers), play.rank == JOKER
        held, spent = counts(self.hand[play.rank]), counts(play.jokers if alone else play.suits)
        rest = [h - s for h, s in zip(held, spent, strict=True)]
        told = []
        if not play.tier and min(held) >= LEAST_NUKE > min(rest):
            told.append(self.voice("tree.breaks_nuke"))
        elif not play.tier and any(h >= 3 > r for h, r in zip(held, rest, strict=True)):
            told.append(self.voice("tree.breaks_atom"))
        if jokers and not alone:
            told.append(self.voice("tree.spends_jokers", n=jokers))
        return self.voice("tree.costs", one=told[0], other=told[1]) if len(told) == 2 else "".join(told)

    @staticmethod
    def _key(first: str, play: Play) -> str:
        jokers = counts(play.jokers)
        suits = "".join(format(many, "x") for many in counts(play.suits))
        wild = f"-{jokers[0]:x}{jokers[1]:x}" if play.jokers else ""
        return f"{first}-{RANK_CODES[play.rank]}{suits}{wild}"

    def _pick(self) -> Choice:
        """Any cards of the hand, by rank: for those who care which copies they spend."""
        voice = self.voice
        items = []
        for card in sorted(range(54), key=lambda card: height(card, self.seen.blade)):
            rank = card >> 2
            group = (f"r{RANK_CODES[rank]}", voice.rank(rank))
            for copy in range(self.seen.hand[card]):
                name = voice.card(card)
                label = name if not copy else voice("tree.copy", card=name, n=copy + 1)
                items.append(Item(_item_key(card, copy), label, group=group, alike=name))

        def lay(keys: tuple[str, ...]) -> Move:
            return Move("play", tuple(sorted(_card_of(key) for key in keys)))

        def keys_of(_action: object) -> None:
            """Every canonical move has its own way; a pick is for the other sets of the same cards."""

        most = min(MOST_PICKED, len(items))
        prompt, by = voice("tree.pick_prompt"), voice("tree.rank")
        return Choice("pick", voice("tree.pick"), Pick(prompt, tuple(items), 1, most, lay, keys_of, by))


def _item_key(card: int, copy: int) -> str:
    """Two signs for one copy of a card: its rank, and a letter for suit and copy."""
    return RANK_CODES[card >> 2] + chr(ord("a") + 5 * (card & 3) + copy)


def _card_of(key: str) -> int:
    return 4 * RANK_CODES.index(key[0]) + (ord(key[1]) - ord("a")) // 5
