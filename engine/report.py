"""What somebody reports of a table for those who look after Valence: JSON without names and ids of people.

Of a finished game it holds the record, by the bare deal key; of one that goes on only what the reporting
seat saw, in words, so that it may be shown to anybody.
"""

from __future__ import annotations

import msgspec

from engine.game import Setup, Value
from engine.record import BadRecord, Record

FORMAT = 1


class Report(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="report"):
    """One report. `valence` is the version, `source` the digest of the rules' source; `seat` is who reports,
    None for somebody who watches; `move` counts the actions so far; `error` is the code of a failure."""

    format: int = FORMAT
    valence: str
    source: str
    game: str
    version: int
    seats: int
    options: dict[str, Value]
    seat: int | None
    move: int
    expected: str
    error: str = ""
    lines: list[str] = []
    """What the reporting seat was told and sees, in English."""
    record: Record | None = None
    """The whole game, where it is over."""


def nameless(record: Record, setup: Setup) -> Record:
    """A record by its deal key alone: without names, and without the numbers of the presses that joined."""
    bare = {"names": [], "commitment": "", "seed": "", "nonce": "", "entropy": [], "key": setup.key.hex()}
    return msgspec.structs.replace(record, house_rules=msgspec.UNSET, **bare)


def to_json(report: Report) -> bytes:
    """The report as JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1)


def is_one(raw: bytes) -> bool:
    """Whether this is meant to be a report, and no record."""
    try:
        return msgspec.json.decode(raw, type=_Kind).kind == "report"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def from_json(raw: bytes) -> Report:
    """The report in a JSON text.

    Raises:
        BadRecord: it is none, or of a format that this version does not read.
    """
    try:
        report = msgspec.json.decode(raw, type=Report)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadRecord(f"this is not a report: {error}") from error
    if report.format != FORMAT:
        raise BadRecord("the report has another format", format=report.format, known=FORMAT)
    return report


class _Kind(msgspec.Struct):
    kind: str = ""
