"""Checking a record that somebody brings: what it proves of its deal, or the first thing that is wrong."""

from __future__ import annotations

import msgspec

from engine import catalog, record

MOST_BYTES = 2 * 2**20
"""What a record may have: the longest game of ours takes a tenth of it."""


class Checked(msgspec.Struct, frozen=True):
    """What came of checking a record. `wrong` is empty where it holds, else names what does not: `broken`,
    `foreign`, `version`, `setup`, `commitment`, `step` or `outcome`; `step` is the action with which it
    first differs."""

    wrong: str = ""
    game: str = ""
    version: int = 0
    names: tuple[str, ...] = ()
    steps: int = 0
    step: int = 0
    commitment: str = ""
    seed: str = ""
    nonce: str = ""
    entropy: tuple[str, ...] = ()


def checked(raw: bytes) -> Checked:
    """Compute the deal of a record again and replay it to its end; runs in a worker.

    >>> checked(b"{}").wrong
    'broken'
    """
    try:
        kept = record.from_json(raw)
    except record.BadRecord:
        return Checked("broken")
    if kept.game not in catalog.listed():
        return Checked("foreign")
    found = Checked(
        game=kept.game,
        version=kept.version,
        names=tuple(kept.names[: kept.seats]),
        steps=len(kept.steps),
        commitment=kept.commitment,
        seed=kept.seed,
        nonce=kept.nonce,
        entropy=tuple(kept.entropy),
    )
    if kept.version not in catalog.get(kept.game).versions:
        return msgspec.structs.replace(found, wrong="version")
    try:
        record.setup_of(kept)
    except record.BadRecord as error:
        wrong = "commitment" if "computed" in error.facts else "setup" if "rule" in error.facts else "broken"
        return msgspec.structs.replace(found, wrong=wrong)
    try:
        record.verify(kept)
    except record.BadRecord as error:
        wrong = "outcome" if error.problem == record.OTHER_OUTCOME else "step"
        return msgspec.structs.replace(found, wrong=wrong, step=error.step)
    return found
