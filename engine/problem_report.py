"""Problem reports about a table for Valence's maintainers: JSON without people's names or ids.

The report of a finished game includes its record, with only the bare deal key. The report of a game in
progress contains only what the reporting seat saw, in words, so that anyone may read it.
"""

from __future__ import annotations

import msgspec

from engine.game import Setup, Value
from engine.record import BadRecord, Record

FORMAT = 1


class Report(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="report"):
    """One report.

    `valence` is the version, `source` the digest of the rules' source code; `seat` is the reporting seat,
    None for a spectator; `move` counts the actions so far; `error` is an error code.
    """

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
    """Lines shown to the reporting seat, and what it sees now, in English."""
    record: Record | None = None
    """The whole game, if it is over."""


def nameless(record: Record, setup: Setup) -> Record:
    """Return the record with only its deal key: no names, and no entropy from the joiners' button presses."""
    bare = {"names": [], "commitment": "", "seed": "", "nonce": "", "entropy": [], "key": setup.key.hex()}
    return msgspec.structs.replace(record, house_rules=msgspec.UNSET, **bare)


def to_json(report: Report) -> bytes:
    """Return the report as JSON."""
    return msgspec.json.format(msgspec.json.encode(report), indent=1)


def is_one(raw: bytes) -> bool:
    """Return whether this is meant to be a report rather than a record."""
    try:
        return msgspec.json.decode(raw, type=_Kind).kind == "report"
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False


def from_json(raw: bytes) -> Report:
    """Parse a report from JSON text.

    Raises:
        BadRecord: the text is not a report, or its format is one that this version cannot read.
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
