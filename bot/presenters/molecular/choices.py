"""Legal moves as choices: what to do, then the tile, its cell, and its rotation where several fit.

What the rules refuse hangs beside the question in which one would look for it, so that people can
ask why. The points that an answer brings stand in its label.

Keys: tiles by kind, cells by q and r, groups and effectors by their names, players as `s0`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Final

from bot.presenters.base import LABEL, PROMPT, Branch, Choice, Leaf, Node, why_not
from bot.presenters.molecular import queries
from bot.presenters.molecular.words import ARROWS, BONDS, Voice, open_ways
from bot.presenters.voice import clipped
from bot.render.scene import Look
from engine.molecular.board import OFFSETS, cell_of, place_of
from engine.molecular.cards import BOX, EDGES, EFFECTOR, ELEMENT, SHAPE_EDGES, SHAPE_KIND, SHAPE_OF
from engine.molecular.moves import FORFEIT, PLAYS, REVEAL, Move
from engine.molecular.observation import Observation
from engine.molecular.turns import free_tile, may_use

FEW: Final = 10
"""Up to this many ways to lay a tile are few."""
_TILE: Final = re.compile(r"t(\d+)")
_CELL: Final = re.compile(r"(-?\d+)_(-?\d+)")
TURNED: Final = "turned"
"""The key of the other ways round."""


def at_once(ways: int) -> bool:
    """Whether so many ways to lay a tile are asked at once, cell and rotation together."""
    return ways <= FEW


def tree(seen: Observation, moves: Sequence[Move], look: Look) -> Node:
    """All moves as a tree; see `bot.presenters.base.Presenter.choices`."""
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
        self.table = queries.table(seen)
        self.pool = queries.pool(seen)

    def of(self, *verbs: str) -> list[Move]:
        return [move for move in self.moves if move.verb in verbs]

    def ask(self) -> Node:
        pending = self.seen.pending
        if pending is None:
            return self.actions()
        if pending.verb == "tile":
            return self.with_skip("tree.serendipity", self.tiles(), self.why_no_tile())
        if pending.verb == "group":
            ready = any(queries.worth(self.seen, move.what).examples for move in self.of("group"))
            prompt = "tree.publication" if ready else "tree.no_publication"
            return self.with_skip(prompt, self.groups("group"))
        if pending.verb == "spill":
            moves = sorted(self.moves, key=lambda move: queries.reading(cell_of(move.q, move.r)))
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
        choices = list(tiles := self.tiles())
        ready, useless = self.plays()
        if ready:
            gain = self.gain({queries.worth(seen, move.what).total for move, _ in ready})
            asked = Branch(voice("tree.which_group"), tuple(choice for _, choice in ready))
            choices.append(Choice("group", voice("tree.publish", gain=gain), asked))
        if useless:
            choices.append(
                Choice("discard", voice("tree.discard"), Branch(voice("tree.which_discard"), useless))
            )
        for move in self.of("reveal", "forfeit"):
            note = voice(f"tree.{move.verb}_note")
            told = voice(f"tree.told_{move.verb}")
            choices.append(Choice(move.verb, voice(f"tree.{move.verb}"), Leaf(move), note, wording=told))
        for move in self.of("pass"):
            key = "tree.pass" if seen.actions else "tree.pass_free"
            choices.append(Choice("pass", voice(key), Leaf(move)))
        key = "tree.free_left" if not seen.actions else "tree.actions"
        prompt = voice(key, n=seen.actions)
        pale = self.nowhere() if tiles else []
        why = self.why([*self.unfit(pale), *self.no_actions(bool(tiles))])
        if tiles and free_tile(seen) and seen.actions:
            prompt += " " + voice("tree.tile_free")
        elif pale:
            prompt += " " + voice("tree.some_tiles")
        return Branch(prompt, tuple(choices), why)

    def with_skip(self, key: str, choices: tuple[Choice, ...], beside: tuple[Choice, ...] = ()) -> Branch:
        skip = Choice("skip", self.voice("tree.skip"), Leaf(self.of("skip")[0]))
        return Branch(self.voice(key), (*choices, skip), beside)

    # why not

    def why(self, refused: Sequence[Choice]) -> tuple[Choice, ...]:
        """The way to ask about what is refused; none where nothing is."""
        if not refused:
            return ()
        return (why_not(self.voice("tree.why"), Branch(self.voice("tree.which_why"), tuple(refused))),)

    def why_no_tile(self) -> tuple[Choice, ...]:
        """The way to ask about the tiles of the pool that fit nowhere."""
        return self.why(self.unfit(self.nowhere()))

    def no_actions(self, tiles: bool) -> list[Choice]:
        """What can't be done with an action now, though one might want to."""
        seen, voice, found = self.seen, self.voice, list[Choice]()

        def refused(verb: str, child: Node) -> None:
            found.append(Choice(verb, voice(f"tree.{verb}"), child))

        if not may_use(seen, "tile") and seen.actions and self.pool:
            refused("tile", Leaf(Move("tile", self.pool[0]), refused=True))
        elif not tiles and self.pool and may_use(seen, "tile"):
            refused("tile", Branch(voice("tree.which_why"), tuple(self.unfit(self.nowhere()))))
        if seen.actions and not may_use(seen, "group"):
            refused("group", Leaf(PLAYS[0], refused=True))
        if seen.actions and not may_use(seen, "reveal"):
            refused("reveal", Leaf(REVEAL, refused=True))
        if seen.actions and not self.of("forfeit"):
            refused("forfeit", Leaf(FORFEIT, refused=True))
        return found

    def nowhere(self) -> list[int]:
        """The kinds of the pool that fit nowhere."""
        board = self.table.board
        return [kind for kind in dict.fromkeys(self.pool) if not board.takes(1 << kind)]

    def unfit(self, kinds: Sequence[int]) -> list[Choice]:
        """Tiles that fit nowhere, each where it comes nearest to fitting: in a cell that the hand names, if
        there is one."""
        found = []
        rim, named = self.table.board.rim, queries.own_lettering(self.seen).names
        cells = named or self.table.letters or rim
        for kind in kinds:
            cell = min(cells, key=lambda c: (*queries.near_miss(rim[c], kind)[:2], queries.reading(c)))
            name, where = self.tile_name(kind), named.get(cell, "")
            label = self.voice("tree.tile_in", tile=name, cell=where) if where else name
            found.append(Choice(tile_key(kind), label, self.no_fit(kind, cell)))
        return found

    def no_fit(self, kind: int, cell: int) -> Leaf:
        """A tile laid where it does not fit, turned as well as can be."""
        turn = queries.near_miss(self.table.board.rim[cell], kind).turn
        return Leaf(Move("tile", kind, *place_of(cell), turn), refused=True)

    def elsewhere(self, kind: int, fitting: Collection[int]) -> list[Choice]:
        """The lettered cells that a tile does not fit."""
        return [
            Choice(key, label, self.no_fit(kind, cell))
            for cell, (key, label) in self.cell_names.items()
            if cell not in fitting
        ]

    @cached_property
    def cell_names(self) -> dict[int, tuple[str, str]]:
        """By lettered cell: its key and what it is called."""
        return {
            cell: (cell_key(cell), self.voice("tree.cell_named", cell=name))
            for cell, name in self.table.letters.items()
        }

    # tiles

    def tiles(self) -> tuple[Choice, ...]:
        """One choice for each kind of tile, numbered as in the picture of the pool."""
        by_kind: dict[int, list[Move]] = {}
        for move in self.of("tile"):
            by_kind.setdefault(move.what, []).append(move)
        choices = []
        for kind in sorted(by_kind, key=self.pool.index):
            cells = self.cells(kind, by_kind[kind])
            gain = self.gain({self.points(move) for move in by_kind[kind]})
            facts = {**self.named(kind), "gain": gain}
            label, short = (self.voice(f"tree.{key}", **facts) for key in ("a_tile", "a_tile_short"))
            choices.append(Choice(tile_key(kind), label, cells, short=short))
        return tuple(choices)

    def gain(self, points: Collection[int]) -> str:
        """What an answer brings, or from how much to how much."""
        key = "tree.gain" if len(points) == 1 else "tree.gains"
        return self.voice(key, least=min(points), most=max(points))

    def named(self, kind: int) -> dict[str, object]:
        """How a tile of the pool is called: the number in its picture, and its element."""
        return {
            "n": queries.number(self.seen, kind),
            "sign": ELEMENT[kind],
            "element": self.voice.element(kind),
        }

    def points(self, move: Move) -> int:
        return queries.tile_points(self.seen, cell_of(move.q, move.r), move.what)

    def cells(self, kind: int, moves: Sequence[Move]) -> Branch:
        """Where and which way round, the most points first: each as one choice while these are few, else one
        for each cell, and the other ways round behind one more."""
        by_cell: dict[int, list[Move]] = {}
        for move in sorted(moves, key=self.rank):
            by_cell.setdefault(cell_of(move.q, move.r), []).append(move)
        few = at_once(len(moves))
        if few:
            choices = [
                self.laid(cell, turn, 0 if len(turns) == 1 else number)
                for cell, turns in by_cell.items()
                for number, turn in enumerate(turns, 1)
            ]
        else:
            choices = [self.first(cell, turns) for cell, turns in by_cell.items()]
        turned = {cell: turns[1:] for cell, turns in by_cell.items() if not few and len(turns) > 1}
        if turned:
            choices.append(Choice(TURNED, self.voice("tree.turned"), self.other_ways(kind, turned)))
        refused = self.elsewhere(kind, by_cell)
        prompt = self.voice("tree.which_cell", **self.named(kind))
        return Branch(prompt, tuple(choices), self.why(refused))

    def rank(self, move: Move) -> tuple[int, tuple[int, int], int]:
        """The most points first, then as cells are read."""
        cell = cell_of(move.q, move.r)
        return -self.points(move), queries.reading(cell), move.turn

    def laid(self, cell: int, move: Move, number: int) -> Choice:
        """A tile in a cell, this way round: the only one (0), or that with this number in the picture."""
        letter, key = self.table.letters[cell], cell_key(cell)
        if not number:
            label = self.voice("tree.cell", cell=letter, points=self.points(move))
            return self.decided(key, label, cell, move, short=self.brief(letter, move))
        key = key if number == 1 else f"{key}_r{move.turn}"
        short = self.brief(self.voice.way(letter, number), move)
        return self.decided(key, self.way(cell, move, number), cell, move, several=True, short=short)

    def decided(
        self, key: str, label: str, cell: int, move: Move, *, several: bool = False, short: str = ""
    ) -> Choice:
        """A tile in a cell, decided: its answer, and the decision in words. If it fits there in `several`
        ways, the bonds that stay open tell them apart: the hand shows cells and tiles, but no ways."""
        voice, rim = self.voice, self.table.board.rim[cell]
        told = voice("tree.tile_in", tile=self.tile_name(move.what), cell=self.table.letters[cell])
        alone = voice("tree.alone", element=voice.element(move.what), atoms=self.atoms(cell))
        bonds = open_ways(SHAPE_OF[move.what][move.turn], rim)
        if several and bonds:
            told = voice("tree.told_open", told=told, bonds=bonds)
        if bonds:
            alone = voice("tree.told_open", told=alone, bonds=bonds)
        return Choice(key, label, Leaf(move), short=short, wording=told, wording_alone=alone)

    def atoms(self, cell: int) -> str:
        """The atoms around a cell with the bonds to them, such as `→=C ↙–O`."""
        board, found = self.table.board, list[str]()
        for edge, offset in enumerate(OFFSETS):
            shape = board.tiles.get(cell + offset)
            order = SHAPE_EDGES[shape][(edge + EDGES // 2) % EDGES] if shape is not None else 0
            if shape is not None and order:
                found.append(f"{ARROWS[edge]}{BONDS[order]}{ELEMENT[SHAPE_KIND[shape]]}")
        return " ".join(found)

    def tile_name(self, kind: int) -> str:
        """A tile by its number in the hand."""
        return self.voice("tree.tile_named", **self.named(kind))

    def brief(self, name: str, move: Move) -> str:
        """A way to lay a tile for its button: the points where they are more than the one that every tile
        brings; the picture has them all."""
        points = self.points(move)
        return self.voice("tree.cell_short", cell=name, points=points) if points > 1 else name

    def first(self, cell: int, moves: Sequence[Move]) -> Choice:
        """A tile in a cell, the first way round; where there are others, with its open bonds, since the
        picture does not show the ways."""
        if len(moves) == 1:
            return self.laid(cell, moves[0], 0)
        bonds = open_ways(SHAPE_OF[moves[0].what][moves[0].turn], self.table.board.rim[cell])
        facts = {"cell": self.table.letters[cell], "bonds": bonds, "points": self.points(moves[0])}
        label = self.voice("tree.cell_first", **facts)
        return self.decided(cell_key(cell), label, cell, moves[0], several=True)

    def way(self, cell: int, move: Move, number: int) -> str:
        """One of several ways round in a cell, by its name in the picture."""
        name = self.voice.way(self.table.letters[cell], number)
        return self.voice("tree.cell_turn", way=name, points=self.points(move))

    def other_ways(self, kind: int, turned: Mapping[int, Sequence[Move]]) -> Branch:
        """The cells in which the tile can lie in another way, then these ways."""
        prompt = self.voice("tree.which_turned", **self.named(kind))
        choices = [
            Choice(
                cell_key(cell),
                self.voice("tree.cell_named", cell=self.table.letters[cell]),
                self.turns(cell, moves),
            )
            for cell, moves in turned.items()
        ]
        return Branch(prompt, tuple(choices))

    def turns(self, cell: int, moves: Sequence[Move]) -> Branch:
        """The ways round after the first, as they are numbered in the picture."""
        choices = [
            self.decided(f"r{move.turn}", self.way(cell, move, number), cell, move, several=True)
            for number, move in enumerate(moves, 2)
        ]
        letter = self.table.letters[cell]
        return Branch(self.voice("tree.which_turn", **self.named(moves[0].what), cell=letter), tuple(choices))

    # cards and players

    def plays(self) -> tuple[list[tuple[Move, Choice]], tuple[Choice, ...]]:
        """The groups of the hand that the molecule holds, and those that could only be thrown away."""
        ready = {move.what for move in self.of("group") if queries.worth(self.seen, move.what).examples}
        found = list(zip(self.of("group"), self.groups("group"), strict=True))
        return (
            [(move, choice) for move, choice in found if move.what in ready],
            tuple(choice for move, choice in found if move.what not in ready),
        )

    def groups(self, verb: str) -> tuple[Choice, ...]:
        """One choice for each group, with what its card would score now."""
        choices = []
        for move in self.of(verb):
            score = queries.worth(self.seen, move.what)
            name = self.voice.group(move.what)
            examples = self.voice("examples", n=score.examples)
            counters = self.voice("counters", n=score.counters)
            label = name
            told = ""
            if verb == "group":
                told = self.voice("tree.told_publish" if score.examples else "tree.told_discard", group=name)
                label = self.voice("tree.a_group", group=name, points=score.total) if score.examples else told
            elif verb == "give":
                label = self.voice("tree.a_give", group=name, points=score.total)
            elif verb == "clear":
                label = self.voice("tree.a_clear", group=name, counters=score.counters)
            note = self.voice("tree.group_note", base=score.base, examples=examples, counters=counters)
            # what is held lies before its player, with all that
            below = "" if verb in ("group", "give", "discard") else note
            choices.append(Choice(BOX.groups[move.what].id, label, Leaf(move), below, wording=told))
        return tuple(choices)

    def end(self, move: Move) -> Choice:
        """An end tile, by its letter."""
        cell = cell_of(move.q, move.r)
        kind = SHAPE_KIND[self.table.board.tiles[cell]]
        label = self.voice("tree.end", cell=self.table.ends[cell], element=self.voice.element(kind))
        alone = self.voice("tree.end_alone", element=self.voice.element(kind), atoms=self.atoms(cell))
        return Choice(f"{move.q}_{move.r}", label, Leaf(move), wording_alone=alone)

    def victim(self, move: Move) -> Choice:
        held = self.voice("tree.cards", n=len(self.seen.cards.held[move.what]))
        name = clipped(self.voice.plain(move.what), LABEL - len(held) - 3)
        return Choice(f"s{move.what}", self.voice("tree.a_player", name=name, cards=held), Leaf(move))


# keys: written here, read where a way is drawn


def tile_key(kind: int) -> str:
    """The key of a kind of tile."""
    return f"t{kind}"


def cell_key(cell: int) -> str:
    """The key of a cell: its q and r."""
    return "{}_{}".format(*place_of(cell))


def kind_of(key: str) -> int | None:
    """The kind of tile that a key names, None if it names none."""
    found = _TILE.fullmatch(key)
    return int(found[1]) if found else None


def cell_named(key: str) -> int | None:
    """The cell that a key names, None if it names none."""
    found = _CELL.fullmatch(key)
    return cell_of(int(found[1]), int(found[2])) if found else None
