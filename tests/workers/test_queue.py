"""The queue of the workers: urgent first, everybody in turn, bounded."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from bot.workers.queue import FairQueue


@dataclass(eq=False)
class Job:
    whose: str
    name: str = ""
    urgent: bool = False


def drain(queue: FairQueue[Job]) -> str:
    return " ".join(f"{job.whose}{job.name}" for job in queue.empty())


def test_everybody_gets_a_turn() -> None:
    queue: FairQueue[Job] = FairQueue(100)
    for whose, name in ("a1", "a2", "a3", "b1", "c1", "b2"):
        queue.put(Job(whose, name))
    assert drain(queue) == "a1 b1 c1 a2 b2 a3"


def test_what_is_urgent_goes_first_and_may_become_so() -> None:
    queue: FairQueue[Job] = FairQueue(100)
    late = Job("a", "2")
    for job in (Job("a", "1"), late, Job("b", "1", urgent=True)):
        queue.put(job)
    queue.expedite(late)
    assert drain(queue) == "b1 a2 a1"


def test_what_was_taken_too_early_is_next_again() -> None:
    queue: FairQueue[Job] = FairQueue(100)
    for whose, name in ("a1", "a2", "b1"):
        queue.put(Job(whose, name))
    first = queue.take()
    assert first is not None
    queue.put_back(first)
    assert drain(queue) == "a1 b1 a2"


def test_when_it_is_full_whoever_has_most_loses_the_newest() -> None:
    queue: FairQueue[Job] = FairQueue(3)
    jobs = [Job("a", str(n)) for n in range(3)]
    assert [queue.put(job) for job in jobs] == [None, None, None]
    assert queue.put(Job("b", "0")) is jobs[2]
    own = Job("a", "3")
    assert queue.put(own) is own
    assert drain(queue) == "a0 b0 a1"


def test_when_it_is_full_what_is_not_urgent_goes() -> None:
    queue: FairQueue[Job] = FairQueue(2)
    urgent, later = Job("a", "u", urgent=True), Job("b", "l")
    queue.put(urgent)
    queue.put(later)
    assert queue.put(Job("a", "v", urgent=True)) is later
    assert queue.put(refused := Job("c", "l")) is refused
    assert queue.put(most := Job("a", "w", urgent=True)) is most
    assert drain(queue) == "au av"


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.sampled_from(["put", "take", "drop"]))))
def test_it_counts_right_and_loses_nobody(steps: list[tuple[str, bool, str]]) -> None:
    queue: FairQueue[Job] = FairQueue(5)
    inside: set[Job] = set()
    for whose, urgent, step in steps:
        if step == "put":
            job = Job(whose, urgent=urgent)
            inside.add(job)
            inside.discard(queue.put(job))  # type: ignore[arg-type]
        elif step == "take" and (taken := queue.take()) is not None:
            inside.remove(taken)
        elif step == "drop" and inside:
            assert queue.remove(inside.pop())
        assert len(queue) == len(inside) <= 5
    assert set(queue.empty()) == inside
