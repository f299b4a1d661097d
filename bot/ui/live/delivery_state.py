"""What a message on Discord shows, as far as this process can know."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager


class DeliveryState:
    """Which version a message shows, and whether that is sure.

    What is sent may be lost, or its answer; two that are on their way at once may come in either order; and
    what stands there may be found to lack something while a new version is under way. Then it is not sure,
    and the message is to be written once more. Versions are numbers that change with what is shown.
    """

    def __init__(self) -> None:
        self._known: int | None = None
        self._sure = True
        self._under_way = 0
        """How many answers and writings are on their way to Discord."""
        self._quiet = asyncio.Event()
        self._crossed = False
        """Two of them were on their way at once: nobody knows which came last."""
        self._doubted = False
        """Whether something was found lacking since it was last looked up."""
        self.arrivals = 0
        """The number of answers and writings that have ended."""

    @property
    def sure(self) -> bool:
        """Whether it is known what the message shows."""
        return self._sure

    def behind(self, version: int, *, noted: int | None) -> bool:
        """Whether the message may show something else than this version; `noted`: what was written down of
        it, which counts as long as this process knows nothing itself."""
        return not self._sure or (noted if self._known is None else self._known) != version

    def settle(self, version: int) -> None:
        """Take the message to show this version, whatever stands there."""
        self._known, self._sure = version, True

    def doubt(self) -> None:
        """What stands there lacks something."""
        self._sure, self._doubted = False, True
        if self._under_way:  # what is on its way was made before
            self._crossed = True

    def look_up(self) -> None:
        """What it is to show is looked up now: doubts from here on are about something newer."""
        self._doubted = False

    def written(self) -> None:
        """What was looked up has been written; a doubt since then remains one."""
        if self._doubted:
            self._sure = False

    def depart(self) -> None:
        """Something is on its way to Discord that shows it."""
        if self._under_way:
            self._crossed, self._sure = True, False
        self._under_way += 1
        self._quiet.clear()

    def arrive(self, version: int | None) -> None:
        """It has arrived, and shows this version; None: nobody knows."""
        self._under_way -= 1
        self.arrivals += 1
        if version is None:
            self._sure = False
        else:
            self._known = version
            if not self._crossed:
                self._sure = True
        if not self._under_way:
            self._crossed = False
            self._quiet.set()

    @contextmanager
    def on_its_way(self, version: int) -> Iterator[None]:
        """While this version is on its way; where that raises, nobody knows what has arrived."""
        self.depart()
        try:
            yield
        except BaseException:
            self.arrive(None)
            raise
        self.arrive(version)

    async def quiet(self, seconds: float) -> bool:
        """Wait until nothing is on its way any more; False where that takes longer."""
        if self._under_way:
            try:
                await asyncio.wait_for(self._quiet.wait(), seconds)
            except TimeoutError:
                return False
        return True
