"""The loop that keeps one sent message current: public or private, by bot or interaction token."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from bot.render.pool import StudioClosed


class DeliveryState:
    """The version that a message shows, and whether that is certain.

    A message or its answer may be lost. Two overlapping writes may arrive in either order. A message may lack
    something that is only noticed while a new version is under way. In these cases the version is uncertain,
    and the message must be written again. Versions are values that change with the content.
    """

    def __init__(self) -> None:
        self.known: object = None
        """The version that the message shows as far as this process knows, or None if it knows nothing."""
        self.sure = True
        """True if the message is known to show that version."""
        self._under_way = 0
        """The number of answers and writes on their way to Discord."""
        self._quiet = asyncio.Event()
        self._crossed = False
        """True if two of them overlapped, so that the last to arrive is unknown."""
        self._doubted = False
        """True if something was found lacking since `look_up`."""
        self.arrivals = 0
        """The number of answers and writes that have ended."""

    @property
    def under_way(self) -> bool:
        """True if something is on its way to Discord."""
        return self._under_way > 0

    def behind(self, version: object, *, noted: object = None) -> bool:
        """Return whether the message may show something other than this version.

        `noted` is the stored version. It counts as long as this process knows nothing itself.
        """
        return not self.sure or (noted if self.known is None else self.known) != version

    def settle(self, version: object) -> None:
        """Assume that the message shows this version, and drop earlier knowledge."""
        self.known, self.sure = version, True

    def doubt(self) -> None:
        """Note that the message lacks something."""
        self.sure, self._doubted = False, True
        if self._under_way:  # the version under way was made before the doubt
            self._crossed = True

    def look_up(self) -> None:
        """Note that the state to show is being looked up. Later doubts are about something newer."""
        self._doubted = False

    def written(self) -> None:
        """Note that the state that was looked up is written. A later doubt remains."""
        if self._doubted:
            self.sure = False

    def depart(self) -> None:
        """Note that an update is on its way to Discord."""
        if self._under_way:
            self._crossed, self.sure = True, False
        self._under_way += 1
        self._quiet.clear()

    def arrive(self, version: object) -> None:
        """Note that an update has arrived with this version, or None if unknown."""
        self._under_way -= 1
        self.arrivals += 1
        if version is None:
            self.sure = False
        else:
            self.known = version
            if not self._crossed:
                self.sure = True
        if not self._under_way:
            self._crossed = False
            self._quiet.set()

    @contextmanager
    def on_its_way(self, version: object) -> Iterator[None]:
        """Send this version in the block. If the block raises, the outcome is unknown."""
        self.depart()
        try:
            yield
        except BaseException:
            self.arrive(None)
            raise
        self.arrive(version)

    async def quiet(self, seconds: float) -> bool:
        """Wait until nothing is on its way. Return False if that takes longer than this many seconds."""
        if self._under_way:
            try:
                await asyncio.wait_for(self._quiet.wait(), seconds)
            except TimeoutError:
                return False
        return True


class Follower(ABC):
    """Keeps one message current: one write at a time, and the newest state last.

    A subclass knows the thing that the message follows, how to write it, and what to do if that fails.
    """

    def __init__(self) -> None:
        self.delivery = DeliveryState()
        self.running = False
        """True if it is being written or is about to be."""
        self._changed = False
        """True if something changed since the last lookup."""
        self._resting = asyncio.Event()

    @abstractmethod
    async def look(self) -> bool:
        """Look up the state to show. Return whether there is anything to follow.

        Raises:
            StoreError: the database did not answer.
        """

    @abstractmethod
    def due(self) -> bool:
        """Return whether the message may differ from the state that was looked up."""

    @abstractmethod
    async def write(self) -> bool:
        """Write the message as it is now. Return False if that was overtaken."""

    @abstractmethod
    async def failed(self, error: Exception) -> None:
        """Handle an error that ended the loop."""

    async def wait_turn(self) -> bool:
        """Wait until the message may be written. Return whether to try."""
        return True

    async def catch_up(self) -> None:
        """Write the message until nothing is due."""
        self.running = True
        self._resting.clear()
        try:
            while await self._round():
                pass
        except StudioClosed:
            pass  # the bot is stopping
        except Exception as error:  # noqa: BLE001 - the subclass distinguishes Discord trouble from defects
            await self.failed(error)
        finally:
            self.running = False
            self._resting.set()

    async def _round(self) -> bool:
        """Write the message if that is due. Return whether to look again."""
        self.delivery.look_up()
        self._changed = False
        if not await self.look():
            return False
        if not self.due():
            return self._changed
        if not await self.wait_turn():
            return False
        if await self.write():
            self.delivery.written()
        return True

    async def refresh(self) -> None:
        """Show the message as it is now. If it is already being written, that loop looks again."""
        if self.running:
            self._changed = True
        else:
            await self.catch_up()

    async def finished(self) -> None:
        """Wait until the message is not being written."""
        while self.running:
            await self._resting.wait()
