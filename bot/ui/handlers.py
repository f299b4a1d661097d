"""Handlers of presses and forms, and the checks that come before them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from bot.core.errors import Refused

if TYPE_CHECKING:
    from bot.ui.context import Answer, Pressed

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)
P = TypeVar("P", bound="Pressed")


@dataclass(frozen=True, slots=True)
class Reach(Generic[T]):
    """The kind of thing that a control acts on, and the places from which it can be pressed.

    Attributes:
        find: Returns the thing that the custom id names. Raises `Refused` if the person cannot reach it from
            where they pressed, and `InvalidCustomId` if the id names nothing.
    """

    find: Callable[[Pressed], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class Who(Generic[T_contra]):
    """The group of people who may do something. `HOST | MODERATOR` means either, `PLAYER & WRITER` both.

    Attributes:
        must_include: Returns if the person is in the group, and raises `Refused` otherwise.
    """

    must_include: Callable[[Answer, T_contra], Awaitable[None]]

    async def includes(self, answer: Answer, thing: T_contra) -> bool:
        """Return whether the person is in this group."""
        try:
            await self.must_include(answer, thing)
        except Refused:
            return False
        return True

    def __or__(self, other: Who[T_contra]) -> Who[T_contra]:
        """Return the people in either group. Everyone else is refused as by the first one."""

        async def must_be_either(answer: Answer, thing: T_contra) -> None:
            if not await other.includes(answer, thing):
                await self.must_include(answer, thing)

        return Who(must_be_either)

    def __and__(self, other: Who[T_contra]) -> Who[T_contra]:
        """Return the people in both groups."""

        async def must_be_both(answer: Answer, thing: T_contra) -> None:
            await self.must_include(answer, thing)
            await other.must_include(answer, thing)

        return Who(must_be_both)


async def _include_all(_answer: Answer, _thing: object) -> None:
    pass


EVERYONE = Who(_include_all)


class Handlers(dict[str, Callable[[P], Awaitable[None]]], Generic[P]):
    """The handlers of one module by verb, with the kind of thing each acts on and who may press it."""

    def __init__(self) -> None:
        super().__init__()
        self.reach: dict[str, Reach[Any]] = {}
        self.who: dict[str, Who[Any]] = {}

    @overload
    def on(
        self, verb: str, *, who: Who[None] = ...
    ) -> Callable[[Callable[[P], Awaitable[None]]], Callable[[P], Awaitable[None]]]: ...

    @overload
    def on(
        self, verb: str, reach: Reach[T], *, who: Who[T] = ...
    ) -> Callable[[Callable[[P, T], Awaitable[None]]], Callable[[P, T], Awaitable[None]]]: ...

    def on(self, verb: str, reach: Reach[Any] | None = None, *, who: Who[Any] = EVERYONE) -> Any:
        """Register the decorated function as the handler of this verb.

        With `reach` its second argument is the thing that the control acts on. The function is only called if
        the thing can be reached from where the person pressed, and if `who` includes them.

        Raises:
            RuntimeError: The verb already has a handler.
        """

        def register(handler: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
            @wraps(handler)
            async def checked(pressed: P) -> None:
                things = () if reach is None else (await reach.find(pressed),)
                await who.must_include(pressed, things[0] if things else None)
                await handler(pressed, *things)

            self._register(verb, checked, reach, who)
            return handler

        return register

    def add(self, other: Handlers[P]) -> None:
        """Add the handlers of another module.

        Raises:
            RuntimeError: A verb already has a handler.
        """
        for verb, handler in other.items():
            self._register(verb, handler, other.reach.get(verb), other.who[verb])

    def _register(
        self, verb: str, handler: Callable[[P], Awaitable[None]], reach: Reach[Any] | None, who: Who[Any]
    ) -> None:
        if verb in self:
            raise RuntimeError(f"two handlers for {verb}")
        self[verb], self.who[verb] = handler, who
        if reach is not None:
            self.reach[verb] = reach
