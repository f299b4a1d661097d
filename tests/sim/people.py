"""People who press what they see: nothing but messages tells them how a table stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bot import custom_ids as ids
from bot.features.table.lobby.opening import open_lobby
from bot.ui.context import Answer
from bot.ui.router import dispatch, explain
from tests.sim import asking, dailies, doors, habits, house, learning, nights, rooms, watching, whims
from tests.sim.discord_in_memory import PRESS, Interaction, Posted
from tests.sim.plan import Act, Place

if TYPE_CHECKING:
    from tests.sim.owner import Owner
    from tests.sim.world import World

BOARD = {"join", "stand", "start", "start-filled", "hand", "again"}
"""The controls by which one knows the message of a table."""
DECIDE = {"go", "sel", "sure"}
ASIDE = 0.5
"""The share of looks that are at the log."""
ASKED_SECONDS, AGREES = 3.0, 0.5
"""How long somebody thinks about what they are asked, and how often they say yes to what others ask."""
LENGTHS = {"rounds", "level"}
"""Options by which games are shorter."""


class Person:
    """Somebody at one place."""

    def __init__(self, world: World, place: int, number: int) -> None:
        self.world = world
        self.place = place
        self.number = number
        self.id = 100 * (place + 1) + number + 1
        self.locale = "en"
        """The language of their Discord."""
        if world.has_whims:
            self.id += whims.FIRST_ID
            self.locale = whims.LOCALES[number % 2]
        self.out_until = 0.0
        """Until when they are not in the server."""
        self.gone = False
        """Whether they have had all deleted, and come no more."""
        self.name = f"person {self.id}"
        self.channel_id = 7000 + place
        self.pressed_last: tuple[ids.Ref, Posted] | None = None
        """The last decision that they pressed."""
        self.daily_asked: Interaction | None = None
        """When they last asked for the deal of the day."""
        self.daily_hand: Interaction | None = None
        """When they last opened their hand of it."""
        self.came = 0
        """The table of a tournament to which they came last."""

    # -- what they see ------------------------------------------------------------------------

    def board(self) -> Posted | None:
        """The newest message of a table in their channel and its threads."""
        there = self.world.discord
        places = [self.channel_id, *(room.id for room in there.rooms_of(self.channel_id))]
        found = [posted for room in places if (posted := self.board_in(room)) is not None]
        if len(found) > 1 and self.world.has_rooms:
            mine = self.world.tables_of(self.id)
            found = [posted for posted in found if posted.table() in mine] or found
        return max(found, key=lambda posted: posted.id) if found else None

    def board_in(self, channel_id: int) -> Posted | None:
        """The newest message of a table in a channel or thread."""
        for posted in reversed(self.world.discord.channel(channel_id).values()):
            if not posted.deleted and not BOARD.isdisjoint(posted.verbs()):
                return posted
        return None

    def hand(self, table: int) -> Posted | None:
        """The newest private message in which they hold cards of this table."""
        mine = self.world.discord.private.get(self.id, {})
        for posted in reversed(mine.values()):
            if posted.table() == table and posted.alts() and not self.world.discord.gone(posted):
                return posted
        return None

    def ways(self, table: int) -> list[ids.Ref]:
        """What their hand at a table lets them decide."""
        hand = self.hand(table)
        return [ref for ref in hand.offered if ref.verb in DECIDE] if hand is not None else []

    def may_decide(self) -> bool:
        """Whether they have cards before them, and it is their turn."""
        board = self.board()
        return board is not None and "hand" in board.verbs() and bool(self.ways(board.table()))

    # -- what they do -------------------------------------------------------------------------

    def act(self, act: Act) -> None:
        """Press what this act of the plan comes to, as things look."""
        if self.gone or self.out_until > self.world.loop.time():
            return
        if (beside := BESIDE.get(act.do)) is not None:
            beside(self, act)
            return
        board = self.board()
        table = board.table() if board is not None else 0
        if board is None:
            if act.do == "play":
                self.open()
            return
        verbs = board.verbs()
        if act.do == "play":
            self._play(act, board, verbs)
        elif act.do == "sit":
            self._press(board, "stand" if "stand" in verbs or act.pick < 0.3 else "join", table)
        elif "hand" not in verbs:
            return
        elif act.do == "look":
            if act.pick < ASIDE:
                self._aside(act, board, table)
            else:
                self._press(board, "hand", table)
        elif act.do in ("agree", "decline"):
            asked = next((ref for ref in board.offered if ref.verb == act.do), None)
            if asked is not None:
                self.send(board, asked)
        elif act.do == "stale" and self.pressed_last is not None:
            ref, posted = self.pressed_last
            self.send(posted, ref)
        elif act.do == "forge":
            self._forge(act, board, table)
        elif act.do in ("undo", "pause", "leave"):
            self._press(board, "leave-yes" if act.do == "leave" else act.do, table)
            if act.do == "undo":
                self.world.after(ASKED_SECONDS, self._ask, table)

    def _aside(self, act: Act, board: Posted, table: int) -> None:
        """Show the log in the place of the hand, pressed there or at the table; or go back to the hand."""
        mine = list(self.world.discord.private.get(self.id, {}).values())
        posted = next((each for each in reversed(mine) if each.table() == table), None)
        if posted is not None and not posted.alts() and not self.world.discord.gone(posted):
            back = next((ref for ref in posted.offered if ref.verb == "hand"), None)
            if back is not None:
                self.send(posted, back)
                return
        hand = self.hand(table)
        self._press(hand if hand is not None and act.pick * 100 % 1 < 0.6 else board, "log", table)

    def _ask(self, table: int) -> None:
        """Where a move needs the others to be taken back, ask them."""
        for posted in reversed(self.world.discord.private.get(self.id, {}).values()):
            if "undo-ask" in posted.verbs() and posted.table() == table:
                if not self.world.discord.gone(posted):
                    self.send(posted, next(ref for ref in posted.offered if ref.verb == "undo-ask"))
                return

    def _play(self, act: Act, board: Posted, verbs: set[str]) -> None:
        table = board.table()
        if "agree" in verbs and act.pick * 100 % 1 < AGREES:
            self.send(board, next(ref for ref in board.offered if ref.verb == "agree"))
            return
        if "again" in verbs:
            if act.pick < 0.4:
                self._press(board, "again", table)
            else:
                self.open()
        elif "hand" in verbs:
            if "resume" in verbs:
                self._press(board, "resume", table)
                return
            hand, ways = self.hand(table), self.ways(table)
            if hand is None or not ways:
                if hand is None or act.pick < 0.3:
                    self._press(board, "hand", table)
                return
            chosen = ways[min(int(act.pick * len(ways)), len(ways) - 1)]
            self.pressed_last = chosen, hand
            self.send(hand, chosen)
        elif self.world.host_of(table) == self.id:
            start = next((verb for verb in ("start", "start-filled") if verb in verbs), None)
            if start and (act.pick < 0.5 or self.world.plan.places[self.place].people == 1):
                self._press(board, start, table)
        else:
            self._press(board, "join", table)

    def _forge(self, act: Act, board: Posted, table: int) -> None:
        """Press with an id that the bot never gave them: somebody else's seat."""
        seat, decision = int(act.pick * 4), 0
        if self.pressed_last is not None and self.pressed_last[0].number(0) == table:
            decision = self.pressed_last[0].number(2)
        verb = "hand" if act.pick * 100 % 1 < 0.5 else "go"
        where = (table, seat) if verb == "hand" else (table, seat, decision, "a0")
        self.send(board, ids.parse(ids.make(verb, *where)))

    def _press(self, posted: Posted, verb: str, table: int) -> None:
        self.send(posted, ids.Ref(verb, (str(table),)))

    def send(self, posted: Posted, ref: ids.Ref) -> None:
        """Press a control; nobody hears of it where no process is connected."""
        owner = self.world.receiver()
        if owner is not None and not self.world.discord.lost(posted):
            self.send_to(owner, ref, posted)

    def send_to(self, owner: Owner, ref: ids.Ref, posted: Posted | None = None) -> None:
        """Press a control of a message that this process hears of."""
        args = tuple(arg for arg in ref.args if not arg.startswith("="))
        values = tuple(arg[1:] for arg in ref.args if arg.startswith("="))
        custom_id = ids.make(ref.verb, *args)
        press = Interaction(
            owner.client,
            self.id,
            self.name,
            posted.channel_id if posted is not None else self.channel_id,
            custom_id=custom_id,
            values=values,
            pressed=posted,
            locale=self.locale,
        )
        self.world.presses.append((press, owner))
        self.world.loop.spawn(owner.process, _dispatched(press), f"press {ref.verb}")

    def command(self, command: Any, channel_id: int = 0, **words: Any) -> None:
        """Type a command, in the own channel or elsewhere."""
        owner = self.world.receiver()
        if owner is None:
            return
        asked = Interaction(owner.client, self.id, self.name, channel_id or self.channel_id)
        self.world.presses.append((asked, owner))
        self.world.loop.spawn(owner.process, _done(asked, command, words), f"press {command.name}")

    def open(self) -> None:
        """Open a table of the game that comes next here."""
        owner = self.world.receiver()
        if owner is None:
            return
        place = self.world.plan.places[self.place]
        opened = self.world.opened_at[self.place]
        game = place.games[opened % len(place.games)]
        self.world.opened_at[self.place] += 1
        command = Interaction(owner.client, self.id, self.name, self.channel_id)
        self.world.presses.append((command, owner))
        work = self._opened(owner, command, game, place)
        self.world.loop.spawn(owner.process, work, f"open {game}")

    async def _opened(self, owner: Owner, command: Interaction, game: str, place: Place) -> None:
        """What the command /play does."""
        PRESS.set(command)
        from bot.store.games import Sitter
        from bot.table.game_runner import steady
        from engine import catalog

        whose: Any = command
        answer = Answer.to(whose)
        known = catalog.get(game)
        sitters = [Sitter(f"opponent {n}", level=steady(known)) for n in range(place.opponents)]
        options = {
            option.key: min(value for value in option.values if value)
            for option in known.options
            if place.short and option.key in LENGTHS
        }
        try:
            if most := known.seats({**known.defaults(), **options}):
                sitters = sitters[: most[-1] - 1]
            began, clock = self.world.loop.time(), None if self.world.held else place.clock
            table = await open_lobby(answer, game, options=options, clock=clock, opponents=sitters)
            if self.world.held:
                house.opened(self.world, self, table, began)
        except Exception as error:  # noqa: BLE001 - every failure has words, as in the tree of commands
            await explain(answer, error)


BESIDE: dict[str, Callable[[Person, Act], None]] = {
    "daily": dailies.press,
    "night": nights.press,
    "whim": whims.press,
    "room": rooms.press,
    "door": doors.press,
    "setting": house.press,
    "watch": watching.press,
    "learn": learning.press,
    "teach": asking.press,
    "habit": habits.press,
}
"""What people do beside playing."""


async def _dispatched(press: Interaction) -> None:
    PRESS.set(press)
    whose: Any = press
    await dispatch(whose)


async def _done(asked: Interaction, command: Any, given: dict[str, Any]) -> None:
    """What the tree of commands does with one."""
    PRESS.set(asked)
    whose: Any = asked
    try:
        await command.callback(whose, **given)
    except Exception as error:  # noqa: BLE001 - every failure has words, as in the tree of commands
        await explain(Answer.to(whose), error)
