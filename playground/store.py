"""A folder in which a playground lasts: its address, its world, and the files of its messages."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from playground import rows
from playground.core import Core

SAVE_SECONDS = 2.0
"""The most that is lost where the playground is killed."""
FORM = 1
"""Grows whenever rows change so that older ones cannot be read."""

S = TypeVar("S", bound=msgspec.Struct)


class Unreadable(Exception):
    """What lies in the folder cannot be read by this version."""


class Address(msgspec.Struct):
    """Where the playground was to be found: open tabs look for it there again."""

    port: int
    key: str
    secret: bytes


class Head(msgspec.Struct):
    """What must be known of a world before the rest of it is read."""

    form: int
    base: str


class KeptWorld(Head):
    """A world in its file."""

    world: rows.WorldRow


class Store:
    """Reads and writes one folder. With `fresh` the world of the last time is forgotten.

    `fresh` is called then, to clear what lies beside the world.
    """

    def __init__(self, folder: Path, fresh: Callable[[], None] | None = None) -> None:
        self._folder, self._fresh = folder, fresh
        self._address, self._world = folder / "address.json", folder / "world.json"
        self._files = folder / "files"
        self._saved = -1

    def address(self) -> Address | None:
        """Return where the playground was the last time, or None at the first. Raises Unreadable."""
        if not self._address.exists():
            return None
        try:
            return self._read(self._address.read_bytes(), Address)
        except Unreadable:
            if self._fresh is None:
                raise
            return None

    def _read(self, text: bytes, kind: type[S]) -> S:
        try:
            return msgspec.json.decode(text, type=kind)
        except msgspec.DecodeError as error:
            raise Unreadable(f"what lies in {self._folder} cannot be read ({error})") from error

    def open(self, core: Core, port: int) -> None:
        """Take up the world of the last time, where there is one, and note the address of this time.

        To be called as soon as the server listens, before anybody is served: where a playground is open
        there already, the port was taken. Raises Unreadable, OSError.
        """
        if self._fresh is not None:
            for path in (self._world, *self._files.glob("*")):
                path.unlink(missing_ok=True)
            self._fresh()
        address = self.address() or Address(port, core.key, core.files.secret)
        core.files.secret = address.secret
        if self._world.exists():
            self._take_up(core)
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._files.mkdir(mode=0o700, exist_ok=True)
        _replace(self._address, msgspec.json.encode(Address(port, core.key, address.secret)))

    def _take_up(self, core: Core) -> None:
        text = self._world.read_bytes()
        head = self._read(text, Head)
        if head.form != FORM:
            raise Unreadable(f"what lies in {self._folder} is of another version")
        # addresses of pictures name the port, which may be another one this time
        text = text.replace(head.base.encode(), core.files.base.encode())
        kept = self._read(text, KeptWorld)
        try:
            rows.take_up(kept.world, core.world, core.files, self._bytes_of)
        except (KeyError, FileNotFoundError) as error:
            raise Unreadable(f"what lies in {self._folder} is not whole ({error})") from error

    def _bytes_of(self, number: int) -> bytes:
        return (self._files / str(number)).read_bytes()

    async def follow(self, core: Core, stop: asyncio.Event) -> None:
        """Save every change soon, until told to stop, and once more then."""
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), SAVE_SECONDS)
            await self.save(core)

    async def save(self, core: Core) -> None:
        """Write the world down, unless nothing has changed."""
        if core.hub.changes == self._saved:
            return
        self._saved = core.hub.changes
        text = msgspec.json.encode(KeptWorld(FORM, core.files.base, rows.written(core.world)))
        channels = core.world.channels.values()
        files = {a.id: a.data for c in channels for m in c.messages.values() for a in m.attachments}
        await asyncio.to_thread(self._write, text, files)

    def _write(self, text: bytes, files: Mapping[int, bytes]) -> None:
        # files first, then what names them, and only then away with those that nothing names any more
        there = {int(path.name) for path in self._files.iterdir()}
        for number in files.keys() - there:
            (self._files / str(number)).write_bytes(files[number])
        _replace(self._world, text)
        for number in there - files.keys():
            (self._files / str(number)).unlink()


def _replace(path: Path, text: bytes) -> None:
    """Write a file so that at any moment there is the old one or the new one, for its owner alone."""
    fresh = path.with_suffix(".new")
    fresh.touch(mode=0o600)
    fresh.write_bytes(text)
    fresh.replace(path)
