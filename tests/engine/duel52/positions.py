"""Positions in, acts, positions out: the rules in the notation of docs/duel52-notation.md.

Acts are written as `attack Ts 9c 8d`, `play 5s 1` (lanes from 1), `order 7s`, with cards by their code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from inspect import cleandoc

import pytest

from engine.duel52.moves import Move
from engine.duel52.notation import read, write
from engine.duel52.state import DuelState
from engine.game import Event, IllegalAction
from engine.playing_cards import CODES, parse

REST = "hands=2s/2h pile=2d2c"
"""Cards elsewhere, so that no game ends."""
_COUNTERS = re.compile(r" (?:quiet|laid|turns|point|first)=\S+|#\d+")


def unit(state: DuelState, code: str) -> int:
    """The number of a card on the table."""
    card = parse(code)
    return next(one for row in state.rows for one in row if state.card[one] == card)


def act(state: DuelState, text: str) -> Move:
    """The decision that a text means here."""
    verb, *words = text.split()
    if verb in ("play", "discard"):
        return Move(verb, parse(words[0]), int(words[1]) - 1 if verb == "play" else -1)
    if verb == "bet":
        return Move(verb, target="AB".index(words[0]))
    units = [unit(state, word) for word in words]
    if verb in ("look", "move"):
        return Move(verb, target=units[0])
    return Move(verb, -1, -1, *(units + [-1] * 3)[:3])


def play(text: str, *acts: str) -> DuelState:
    """The position after these acts, with the events."""
    state = read(text)
    state.events = []
    for one in acts:
        state.apply(state.turn, act(state, one))
    return state


def after(text: str, *acts: str) -> str:
    """The same as text, without counters and numbers."""
    return brief(play(text, *acts))


def brief(state: DuelState) -> str:
    """A position without counters and numbers."""
    return _COUNTERS.sub("", write(state))


def refused(text: str, one: str) -> str:
    """The rule that forbids an act here."""
    state = read(text)
    before = state.fingerprint()
    with pytest.raises(IllegalAction) as caught:
        state.apply(state.turn, act(state, one))
    assert state.fingerprint() == before
    return caught.value.rule


def codes(state: DuelState, verb: str) -> set[str]:
    """What the legal decisions of a verb point at, as card codes: `9c`, or `9c 8d` for two targets."""
    found = set()
    for move in state.legal_actions(state.turn):
        if move.verb == verb:
            ends = (move.target, move.second) if verb in ("attack", "look", "move", "pair") else (move.unit,)
            found.add(" ".join(CODES[state.card[one]] for one in ends if one >= 0))
    return found


def told(state: DuelState, kind: str) -> list[Event]:
    """The events of a kind."""
    return [event for event in state.events or () if event.kind == kind]


@dataclass(frozen=True, slots=True)
class Case:
    """One row of a table of decisions: positions, each followed by lines of acts and what comes of them.

        a 10 against a Jack hits only Jacks         what it shows
          standard A3 Ts|-|-/Jc,4c|-|- &            a position; & stands for `REST`
            attack? = Jc                            what attacks may aim at: codes, or `none`
            attack Ts 4c = !taunted                 the rule that refuses the act
            attack Ts Jc = standard A2 Ts! ...      the position afterwards, or how it ended, or `goes on`

    Acts are parted by semicolons; each line begins at its position again.
    """

    title: str
    lines: tuple[str, ...]

    def hold(self) -> None:
        """Check every line."""
        position = ""
        for line in self.lines:
            acts, comes, said = line.partition(" = ")
            if comes:
                assert _come(position, acts.split("; "), said) == said, f"{position}: {acts}"
            else:
                position = line


def _come(position: str, acts: list[str], said: str) -> str:
    """What comes of acts, in the words of what was said of it."""
    *before, last = acts
    if said.startswith("!"):
        assert not before, "an act is refused where the position is written down"
        return f"!{refused(position, last)}"
    if last.endswith("?"):
        return ", ".join(sorted(codes(play(position, *before), last[:-1]))) or "none"
    state = play(position, *acts)
    if "/" in said:
        return brief(state).replace(REST, "&") if "&" in said else brief(state)
    if (outcome := state.outcome()) is None:
        return "goes on"
    return " ".join([outcome.reason, *(str(standing.rank) for standing in outcome.standings)])


def table(text: str) -> pytest.MarkDecorator:
    """A test for each case of a table, see `Case`."""
    cases = [pytest.param(case, id=case.title) for case in _cases(text)]
    return pytest.mark.parametrize("case", cases)


def _cases(text: str) -> Iterator[Case]:
    for block in re.split(r"\n(?! )", cleandoc(text)):
        title, *lines = block.splitlines()
        rows = [line.strip() for line in lines if not line.lstrip().startswith("#")]
        yield Case(title, tuple(row if " = " in row else row.replace("&", REST) for row in rows))
