"""Legal moves as choices: what to do, then the tile, its cell, and its rotation where several fit.

Keys: tiles by kind, cells by q and r, groups and effectors by their names, players as `s0`.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.presenters.base import LABEL, PROMPT, Branch, Choice, Leaf, Node
from bot.presenters.molecular import sight
from bot.presenters.molecular.words import Voice, open_edges, pointing
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.molecular.board import cell_of
from engine.molecular.cards import BOX, EFFECTOR, ELEMENT, SHAPE_EDGES, SHAPE_KIND, SHAPE_OF
from engine.molecular.moves import Move
from engine.molecular.observation import Observation

_EMOJI = {"tile": "🔷", "reveal": "⚗️", "group": "🧪", "forfeit": "♻️"}


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """All moves as a tree; see `bot.presenters.base.Presenter.tree`."""
    voice = Voice(look)
    if not moves:
        return Branch(voice("tree.nothing"), ())
    return _Asker(seen, voice, moves).ask()


class _Asker:
    """The questions about one observation."""

    def __init__(self, seen: Observation, voice: Voice, moves: Sequence[Move]) -> None:
        self.seen = seen
        self.voice = voice
        self.moves = moves
        self.table = sight.table(seen)
        self.pool = sight.pool(seen)

    def of(self, *verbs: str) -> list[Move]:
        return [move for move in self.moves if move.verb in verbs]

    def ask(self) -> Node:
        pending = self.seen.pending
        if pending is None:
            return self.actions()
        if pending.verb == "tile":
            return self.with_skip("tree.serendipity", self.tiles())
        if pending.verb == "group":
            return self.with_skip("tree.publication", self.groups("group"))
        if pending.verb == "spill":
            moves = sorted(self.moves, key=lambda move: sight.reading(cell_of(move.q, move.r)))
            return Branch(self.voice("tree.spill"), tuple(map(self.end, moves)))
        if pending.verb == "poach":
            return Branch(self.voice("tree.poach"), tuple(self.victim(move) for move in self.moves))
        return Branch(self.prompt(), self.groups(pending.verb))

    def prompt(self) -> str:
        """What a choice among groups is about."""
        pending, voice = self.seen.pending, self.voice
        if pending is None or pending.verb == "clear":
            return voice("tree.clear")
        if pending.verb == "rival":
            return voice("tree.rival" if pending.chosen < 0 else "tree.rival_second")
        if pending.card == EFFECTOR["conference"]:
            left = ((self.seen.viewer or 0) + 1) % self.seen.seats
            return clipped(voice("tree.conference", target=voice.name(left)), PROMPT)
        return clipped(voice("tree.give_back", target=voice.name(pending.chosen)), PROMPT)

    def actions(self) -> Branch:
        """What to do with an action, or with Catalyst's free tile."""
        seen, voice = self.seen, self.voice
        choices = list[Choice]()
        if tiles := self.tiles():
            free = not seen.tiled and seen.reagent == EFFECTOR["catalyst"]
            label = voice("tree.tile_free" if free else "tree.tile")
            asked = Branch(voice("tree.which_tile"), tiles)
            choices.append(Choice("tile", label, asked, emoji=_EMOJI["tile"], strong=True))
        if plays := self.groups("group"):
            asked = Branch(voice("tree.which_group"), plays)
            choices.append(Choice("group", voice("tree.group"), asked, emoji=_EMOJI["group"]))
        for move in self.of("reveal", "forfeit"):
            note = voice(f"tree.{move.verb}_note")
            choices.append(
                Choice(move.verb, voice(f"tree.{move.verb}"), Leaf(move), note, emoji=_EMOJI[move.verb])
            )
        for move in self.of("pass"):
            key = "tree.pass" if seen.actions else "tree.pass_free"
            choices.append(Choice("pass", voice(key), Leaf(move)))
        key = "tree.free_left" if not seen.actions else "tree.actions"
        return Branch(voice(key, n=seen.actions), tuple(choices))

    def with_skip(self, key: str, choices: tuple[Choice, ...]) -> Branch:
        skip = self.of("skip")[0]
        return Branch(self.voice(key), (*choices, Choice("skip", self.voice("tree.skip"), Leaf(skip))))

    # tiles

    def tiles(self) -> tuple[Choice, ...]:
        """One choice for each kind of tile, numbered as in the picture of the pool."""
        by_kind: dict[int, list[Move]] = {}
        for move in self.of("tile"):
            by_kind.setdefault(move.what, []).append(move)
        choices = []
        for kind in sorted(by_kind, key=self.pool.index):
            cells = self.cells(kind, by_kind[kind])
            best = max(self.points(move) for move in by_kind[kind])
            label = self.voice(
                "tree.a_tile",
                n=self.pool.index(kind) + 1,
                element=ELEMENT[kind],
                bonds=self.voice.bonds(kind),
            )
            note = self.voice("tree.tile_note", best=best, n=len(cells.choices))
            choices.append(Choice(f"t{kind}", label, cells, note))
        return tuple(choices)

    def points(self, move: Move) -> int:
        return sight.tile_points(self.seen, cell_of(move.q, move.r), move.what)

    def cells(self, kind: int, moves: Sequence[Move]) -> Branch:
        """One choice for each cell, the most points first."""
        by_cell: dict[tuple[int, int], list[Move]] = {}
        for move in moves:
            by_cell.setdefault((move.q, move.r), []).append(move)
        choices = []
        for (q, r), turns in by_cell.items():
            cell = cell_of(q, r)
            points = self.points(turns[0])
            child: Node = Leaf(turns[0]) if len(turns) == 1 else self.turns(cell, turns)
            label = self.voice("tree.cell", cell=self.table.letters[cell], points=points)
            note = self.meets(cell)
            choices.append((-points, sight.reading(cell), Choice(f"{q}_{r}", label, child, note)))
        choices.sort(key=lambda one: one[:2])
        prompt = self.voice("tree.which_cell", tile=self.voice.element(kind))
        return Branch(prompt, tuple(choice for _, _, choice in choices))

    def meets(self, cell: int) -> str:
        """What the tile would be bonded to, by direction."""
        pattern = self.table.board.rim[cell]
        orders = [pattern >> 3 * edge & 3 for edge in range(6)]
        return self.voice("tree.meets", bonds=pointing(range(6), orders))

    def turns(self, cell: int, moves: Sequence[Move]) -> Branch:
        """Rotations by where their open bonds point."""
        pattern = self.table.board.rim[cell]
        choices = []
        for move in moves:
            shape = SHAPE_OF[move.what][move.turn]
            way = pointing(open_edges(shape, pattern), SHAPE_EDGES[shape])
            choices.append(Choice(f"r{move.turn}", self.voice("tree.turn", bonds=way), Leaf(move)))
        return Branch(self.voice("tree.which_turn"), tuple(choices))

    # cards and players

    def groups(self, verb: str) -> tuple[Choice, ...]:
        """One choice for each group, with what its card would score now."""
        choices = []
        for move in self.of(verb):
            score = sight.worth(self.seen, move.what)
            name = self.voice.group(move.what)
            label = name
            if verb == "group":
                label = self.voice("tree.a_group", group=name, points=score.total)
            examples = self.voice("examples", n=score.examples)
            counters = self.voice("counters", n=score.counters)
            note = self.voice("tree.group_note", base=score.base, examples=examples, counters=counters)
            choices.append(Choice(BOX.groups[move.what].id, label, Leaf(move), note))
        return tuple(choices)

    def end(self, move: Move) -> Choice:
        """An end tile, by its letter."""
        cell = cell_of(move.q, move.r)
        kind = SHAPE_KIND[self.table.board.tiles[cell]]
        label = self.voice("tree.end", cell=self.table.ends[cell], element=self.voice.element(kind))
        return Choice(f"{move.q}_{move.r}", label, Leaf(move))

    def victim(self, move: Move) -> Choice:
        held = len(self.seen.cards.held[move.what])
        note = self.voice("tree.cards", n=held)
        return Choice(f"s{move.what}", clipped(self.voice.plain(move.what), LABEL), Leaf(move), note)
