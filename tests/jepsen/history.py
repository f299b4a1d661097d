"""What people asked and heard, what the database says in the end, and whether the one explains the other.

Three things can be wrong. *Lost*: somebody heard yes, and it is not there. *Doubled*: one thing happened
twice. *Contradicted*: somebody heard no, and it is there; or something stands there, or in an order, that
the answers rule out. Who heard nothing, or "I don't know", may find either, but once.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

Answer = Literal["ok", "no", "unknown"]


class Press(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One thing that somebody asked for, and what they heard.

    `do`: new, join, leave, option, start, act, cancel. `id` is written into what it stores: the channel of a
    new table, the entropy of a seat, the value of an option, the number that an action says. Times are
    seconds of one clock that the one who asks reads, so they are never too narrow.
    """

    id: int
    do: str
    user: int
    to: str
    """Which process was asked."""
    invoked: float
    table: int = 0
    seat: int = -1
    decision: int = -1
    answered: float | None = None
    out: Answer = "unknown"
    why: str = ""
    epoch: int = 0
    """Of the process, when it was stored; this and the rest are known where `out` is ok."""
    revision: int = 0
    seq: int = 0
    deal: str = ""


class Fault(msgspec.Struct):
    """Something that was done to a process, and when."""

    at: float
    kind: str
    to: str


class Line(NamedTuple):
    """A line of a journal: who said which number."""

    seq: int
    kind: str
    seat: int
    mark: int


class Seated(NamedTuple):
    user: int
    mark: int


class Ending(msgspec.Struct, kw_only=True):
    """What the database says of a table in the end."""

    id: int
    channel: int
    phase: str
    why: str
    revision: int
    mood: int
    seats: list[Seated]
    journal: list[Line]
    deal: str
    """What was dealt, by replay; empty in a lobby. Starts with "broken:" where it does not replay."""
    results: int


class Violation(msgspec.Struct, frozen=True):
    kind: Literal["lost", "doubled", "contradicted"]
    rule: str
    table: int
    presses: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.kind}: {self.rule} (table {self.table}, presses {list(self.presses)})"


def check(history: Sequence[Press], endings: Sequence[Ending]) -> list[Violation]:
    """Everything in the answers that the database does not bear out."""
    found = list(_tables(history, endings))
    by_table = defaultdict[int, list[Press]](list)
    for press in history:
        if press.do != "new":
            by_table[press.table].append(press)
    openers = {press.id: press for press in history if press.do == "new"}
    for ending in endings:
        of_table = _OfTable(ending, openers.get(ending.channel), by_table[ending.id])
        found += of_table.violations()
    known = {ending.id for ending in endings}
    for table, presses in by_table.items():
        if table not in known and (ok := [p.id for p in presses if p.out == "ok"]):
            found.append(Violation("lost", "the whole table", table, tuple(ok)))
    return found + list(_epochs(history))


def _tables(history: Sequence[Press], endings: Sequence[Ending]) -> Iterator[Violation]:
    by_mark = defaultdict[int, list[Ending]](list)
    for ending in endings:
        by_mark[ending.channel].append(ending)
    for press in history:
        if press.do != "new":
            continue
        there = by_mark.pop(press.id, [])
        if len(there) > 1:
            yield Violation("doubled", "one table was opened twice", there[1].id, (press.id,))
        if press.out == "ok" and press.table not in [ending.id for ending in there]:
            yield Violation("lost", "a table that was opened", press.table, (press.id,))
        if press.out == "no" and there:
            yield Violation("contradicted", "refused, and the table is there", there[0].id, (press.id,))
    for there in by_mark.values():
        yield Violation("contradicted", "a table that nobody opened", there[0].id, ())


def _epochs(history: Sequence[Press]) -> Iterator[Violation]:
    """Whoever was asked after a later owner had answered must not answer as an owner any more."""
    latest: Press | None = None
    done = sorted((p for p in history if p.out == "ok" and p.answered is not None), key=lambda p: p.answered)
    asked = sorted(done, key=lambda p: p.invoked)
    turn = 0
    for press in asked:
        while turn < len(done) and (done[turn].answered or 0.0) < press.invoked:
            if latest is None or done[turn].epoch > latest.epoch:
                latest = done[turn]
            turn += 1
        if latest is not None and press.epoch < latest.epoch:
            rule = "stored by an owner after a later one"
            yield Violation("contradicted", rule, press.table, (latest.id, press.id))


class _OfTable:
    def __init__(self, ending: Ending, opener: Press | None, presses: Sequence[Press]) -> None:
        self.ending, self.presses = ending, presses
        self.ok = sorted((p for p in presses if p.out == "ok"), key=lambda p: p.revision)
        self.seaters = [p for p in presses if p.do == "join"] + ([opener] if opener else [])
        self.found: list[Violation] = []

    def say(self, kind: Any, rule: str, *presses: Press) -> None:
        self.found.append(Violation(kind, rule, self.ending.id, tuple(p.id for p in presses)))

    def done(self, do: str) -> list[Press]:
        return [p for p in self.ok if p.do == do]

    def maybe(self, do: str) -> list[Press]:
        return [p for p in self.presses if p.do == do and p.out != "no"]

    def violations(self) -> list[Violation]:
        for look in (self.journal, self.acts, self.seats, self.options, self.deals, self.ends, self.order):
            look()
        return self.found

    # -- the journal --------------------------------------------------------------------------

    def journal(self) -> None:
        ending = self.ending
        if [line.seq for line in ending.journal] != list(range(1, len(ending.journal) + 1)):
            self.say("contradicted", "the journal has a gap")
        if ending.deal.startswith("broken:"):
            self.say("contradicted", f"it does not replay ({ending.deal})")
        acts = {p.id: p for p in self.presses if p.do == "act"}
        decided = dict[tuple[int, int], Press]()
        for line in ending.journal:
            press = acts.get(line.mark)
            if press is None or line.kind != "act" or line.seat != press.seat:
                self.say("contradicted", f"nobody asked for entry {line.seq}", *([press] if press else []))
                continue
            before = decided.setdefault((press.seat, press.decision), press)
            if before is not press:
                self.say("doubled", "one decision was made twice", before, press)

    def acts(self) -> None:
        lines = defaultdict[int, list[Line]](list)
        for line in self.ending.journal:
            lines[line.mark].append(line)
        for press in self.presses:
            if press.do != "act":
                continue
            mine = lines[press.id]
            if len(mine) > 1:
                self.say("doubled", "an act stands twice in the journal", press)
            if press.out == "ok" and not mine:
                self.say("lost", "an act", press)
            elif press.out == "ok" and mine[0].seq != press.seq:
                self.say("contradicted", "an act stands elsewhere in the journal", press)
            elif press.out == "no" and mine:
                self.say("contradicted", "an act that was refused is in the journal", press)

    # -- the lobby ----------------------------------------------------------------------------

    def seats(self) -> None:
        ending = self.ending
        marks = Counter(seat.mark for seat in ending.seats)
        seaters = {p.id: p for p in self.seaters}
        for seat in ending.seats:
            if seat.mark not in seaters or seaters[seat.mark].user != seat.user:
                self.say("contradicted", f"nobody asked for the seat of {seat.user}")
        for user, times in Counter(seat.user for seat in ending.seats).items():
            if times > 1:
                self.say("doubled", "a person sits twice", *(p for p in self.seaters if p.user == user))
        # the last one who stands up closes the table, with the name still on the seat
        left_last = ending.phase == "cancelled" and ending.why == "everybody_left"
        for press in self.seaters:
            leaves = [p for p in self.maybe("leave") if p.user == press.user]
            if press.do == "join" and press.out == "no" and marks[press.id]:
                self.say("contradicted", "a seat that was refused", press)
            if press.out == "ok" and not marks[press.id]:
                later = [p for p in leaves if p.answered is None or p.answered > press.invoked]
                if not later:
                    self.say("lost", "a seat", press)
            gone = [p for p in leaves if p.out == "ok" and press.answered and p.invoked > press.answered]
            if gone and marks[press.id] and not left_last:
                self.say("lost", "somebody who stood up still sits", press, gone[0])

    def options(self) -> None:
        mine = {p.id: p for p in self.presses if p.do == "option"}
        sure = self.done("option")
        mood = self.ending.mood
        if mood and (mood not in mine or mine[mood].out == "no"):
            self.say(
                "contradicted", "an option that nobody could set", *([mine[mood]] if mood in mine else [])
            )
        elif not mood and sure:
            self.say("lost", "an option", sure[-1])
        elif mood and mine[mood].out == "ok" and sure[-1].id != mood:
            self.say("lost", "an option that was set last", sure[-1], mine[mood])
        elif mood and mine[mood].out != "ok":
            # whoever was asked after that answer found it stored, or made it impossible
            late = [p for p in sure if p.invoked > (mine[mood].answered or float("inf"))]
            if late:
                self.say("lost", "an option that was set last", late[-1], mine[mood])

    # -- deal and end -------------------------------------------------------------------------

    def deals(self) -> None:
        ending, starts = self.ending, self.done("start")
        if len(starts) > 1:
            self.say("doubled", "one table was dealt twice", *starts)
        dealt = ending.phase in ("live", "over") or bool(ending.journal)
        if dealt and not self.maybe("start"):
            self.say("contradicted", "it was dealt, and nobody could")
        for press in starts:
            if ending.phase == "lobby":
                self.say("lost", "a deal", press)
            elif ending.deal != press.deal:
                self.say("contradicted", "another deal than was shown", press)

    def ends(self) -> None:
        ending = self.ending
        for press in self.done("cancel"):
            if ending.phase != "cancelled":
                self.say("lost", "the closing of a table", press)
        if ending.phase == "cancelled" and ending.why == "closed" and not self.maybe("cancel"):
            self.say("contradicted", "it is closed, and nobody could close it")
        if ending.why == "expired":
            self.say("contradicted", "closed by its deadline, which is far away")
        if ending.phase == "over" and ending.results != len(ending.seats):
            kind = "lost" if ending.results < len(ending.seats) else "doubled"
            self.say(kind, f"{ending.results} results of {len(ending.seats)} seats")
        if ending.phase != "over" and ending.results:
            self.say("contradicted", "results of a game that is not over")

    # -- order --------------------------------------------------------------------------------

    def order(self) -> None:
        ending, ok = self.ending, self.ok
        for one, two in itertools.pairwise(ok):
            if one.revision == two.revision:
                self.say("doubled", "two changes are the same step of the table", one, two)
            if two.epoch < one.epoch:
                self.say("contradicted", "an earlier owner changed what a later one had changed", one, two)
        for press in ok:
            later = [p for p in ok if p.revision < press.revision and p.invoked > (press.answered or 0.0)]
            if press.answered is not None and later:
                self.say("contradicted", "what was answered first came second", press, later[0])
        # the results are settled, and what was done is noted
        by_itself = 2 * int(ending.phase == "over")
        unsure = sum(p.out == "unknown" for p in self.presses)
        if ok and ok[-1].revision > ending.revision:
            self.say("lost", "the last change of a table", ok[-1])
        if not len(ok) <= ending.revision <= len(ok) + unsure + by_itself:
            heard = f"{len(ok)} to {len(ok) + unsure + by_itself}"
            kind = "lost" if ending.revision < len(ok) else "contradicted"
            self.say(kind, f"the table changed {ending.revision} times, the answers say {heard}")
        self._phases()

    def _phases(self) -> None:
        start = next(iter(self.done("start")), None)
        close = next(iter(self.done("cancel")), None)
        for press in self.ok:
            if (
                start is not None
                and press.do in ("join", "leave", "option")
                and press.revision > start.revision
            ):
                self.say("contradicted", "the lobby changed after the deal", start, press)
            if start is not None and press.do == "act" and press.revision < start.revision:
                self.say("contradicted", "an act before the deal", start, press)
            if close is not None and press is not close and press.revision > close.revision:
                self.say("contradicted", "accepted after the table was closed", close, press)


def shrink(
    history: Sequence[Press],
    endings: Sequence[Ending],
    violation: Violation,
    checker: Callable[[Sequence[Press], Sequence[Ending]], Iterable[Violation]] = check,
) -> list[Press]:
    """The fewest presses that are still at odds with the database in this way."""

    def same(presses: Sequence[Press]) -> bool:
        found = checker(presses, endings)
        return any(
            (v.kind, v.rule, v.table) == (violation.kind, violation.rule, violation.table) for v in found
        )

    near = [p for p in history if p.table == violation.table or p.id in violation.presses]
    left = near if same(near) else list(history)
    step = max(1, len(left) // 2)
    while True:
        at = 0
        while at < len(left):
            fewer = left[:at] + left[at + step :]
            if same(fewer):
                left = fewer
            else:
                at += step
        if step == 1:
            return left
        step //= 2
