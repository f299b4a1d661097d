"""Moves are taken back, and tables paused: at once where that hurts nobody, else by consent."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest

from bot import presenters
from bot.core.errors import Refused, Stale
from bot.features.table.consent import request
from bot.render.scene import Look
from bot.store import games as store
from bot.store.games import UNDO, Entry
from bot.store.snapshots import EVERY
from bot.store.terms import ConsentRequest, Terms
from bot.table import journal, lobby
from bot.table.journal import BadJournal, standing
from bot.table.people import consent, leaving
from bot.table.people.consent import Undo, find_undo, name_of
from bot.table.recent import UNDONE
from bot.table.table import RECENT_EVENTS, Table
from bot.table.table_context import TableContext
from engine import record
from engine.fair import NONCE_BYTES, SEED_BYTES, Commitment
from engine.game import Action, AnyGame, Seat
from tests.conformance.walk import every_game
from tests.support.tables.absence import World
from tests.support.tables.snapshots import again, begun, play, rows, seen
from tests.support.tables.tables import first_act, journal_of, new_table, settle
from tools.bench.press_counts import ways

PRESSES = 10
"""So many presses are taken back in a game."""


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    world = World(tmp_path / "v.db")
    await world.open()
    yield world
    await world.tables.runtime.close()
    await world.tables.database.close()


async def dealt(world: World, *people: int, game: str = "probe", **options: int) -> Table:
    if game == "probe":
        options.setdefault("rounds", 3)
    table = await new_table(world.tables, game=game, people=people, **options)
    await lobby.start(table, people[0])
    return table


async def found_for(world: World, table: Table, user_id: int) -> Undo:
    return await find_undo(table, user_id, world.tables.database)


async def asks(world: World, table: Table, user_id: int) -> ConsentRequest:
    found = await found_for(world, table, user_id)
    assert not found.free
    wish = ConsentRequest(what="undo", by=user_id, seq=found.seq, seat=found.seat, first=found.first)
    await consent.ask(table, user_id, wish, world.tables.database)
    return wish


async def says(world: World, table: Table, user_id: int, *, yes: bool = True) -> bool:
    wish = table.stored.terms.asked
    assert wish is not None
    return await consent.answer(table, user_id, name_of(table, wish), yes=yes, database=world.tables.database)


async def test_who_was_overtaken_takes_nothing_back(world: World) -> None:
    """The journal has gone on in another process, and this one has not heard of it."""
    table = await dealt(world, 1, 2)
    await first_act(table, table.sitters[table.waiting()[0]].user_id or 0)
    user = next(
        s.user_id for s in table.sitters if s.user_id and table.recent.moved(table.seats_of(s.user_id)[0])
    )
    found = await found_for(world, table, user)
    entry = Entry(table.seq + 1, "act", found.seat, [], 0)
    await world.tables.database.write_at_once(lambda c: store._append(c, table.id, [entry]))
    with pytest.raises(Stale):
        await consent.undo(table, Undo(found.seat, found.first, found.seq, free=True), world.tables.database)


async def test_who_is_alone_takes_back_whatever_came_after_their_move(world: World) -> None:
    """Here the computer has moved since; nobody else is there to be asked."""
    table = await new_table(world.tables, game="canasta", people=(1,), opponents=1)
    await lobby.start(table, 1)
    await settle(world.tables)
    mine = table.seats_of(1)[0]
    with pytest.raises(Refused, match="nothing_to_undo"):
        await found_for(world, table, 1)
    before = table.acts
    while table.waiting() == (mine,):
        before = table.acts
        await table.act(mine, table.decisions[mine], table.legal[mine][-1])
    await settle(world.tables)
    assert table.acts > before + 1
    found = await found_for(world, table, 1)
    assert found.free
    await consent.undo(table, found, world.tables.database)
    assert table.acts == before
    with pytest.raises(Refused, match="not_seated"):
        await found_for(world, table, 99)


async def test_a_choice_that_showed_nothing_is_taken_back_at_once(world: World) -> None:
    """In Duel 52 a card goes face down into a lane: nobody learns anything that its owner did not know."""
    table = await dealt(world, 1, 2, game="duel52")
    assert table.state is not None
    (seat,) = table.waiting()
    before = table.state.fingerprint()
    owner = table.sitters[seat].user_id or 0
    playing = next(action for action in table.legal[seat] if action[0] == "play")
    await table.act(seat, table.decisions[seat], playing)
    found = await found_for(world, table, owner)
    assert found == Undo(seat, 1, 1, free=True)
    await consent.undo(table, found, world.tables.database)
    assert table.state.fingerprint() == before
    assert table.waiting() == (seat,)
    assert (table.seq, table.acts, set(table.decisions)) == (3, 0, {3})
    assert [event.kind for event in table.recent] == [UNDONE]
    assert [entry.kind for entry in await journal_of(world.tables, table)] == ["act", UNDO]
    # what lay open of the position that is no more decides nothing
    with pytest.raises(Stale):
        await table.act(seat, 1, playing)
    with pytest.raises(Refused, match="nothing_to_undo"):
        await found_for(world, table, owner)


@pytest.mark.parametrize(
    ("people", "clock", "free"), [((1, 2), 300, False), ((1, 2), 0, True), ((1,), 300, True)]
)
async def test_under_a_clock_others_are_asked_before_a_choice_is_taken_back_twice(
    world: World, people: tuple[int, ...], clock: int, free: bool
) -> None:
    """Each undo starts the clock anew: by laying a card and taking it back one could think without end."""
    opponents = 2 - len(people)
    table = await new_table(
        world.tables, game="duel52", people=people, opponents=opponents, terms=Terms(clock=clock)
    )
    await lobby.start(table, 1)
    world.tables.runtime.halt()  # an opponent waits
    while (seat := table.waiting()[0]) not in table.seats_of(1):
        await table.act(seat, table.decisions[seat], table.legal[seat][-1])

    async def lay() -> None:
        playing = next(action for action in table.legal[seat] if action[0] == "play")
        await table.act(seat, table.decisions[seat], playing)

    await lay()
    await consent.undo(table, await found_for(world, table, 1), world.tables.database)
    await lay()
    assert (await found_for(world, table, 1)).free is free


def test_what_somebody_else_took_back_counts_for_them_alone() -> None:
    """Both decide at a time: Ann has taken her card back, Ben has not."""
    entries = [
        Entry(1, "act", 0, ["play"], 0),
        Entry(2, "act", 0, ["play"], 0),
        Entry(4, UNDO, 0, [2], 0),
        Entry(5, "act", 1, ["play"], 0),
    ]
    assert not consent._was_back(entries, 5, [1])
    assert consent._was_back([*entries[:3], Entry(5, "act", 0, ["play"], 0)], 5, [0])


async def test_a_yes_to_what_was_asked_before_is_none_to_what_is_asked_now(world: World) -> None:
    """A hand of long ago still asks for a pause, and meanwhile the same person asks for an undo."""
    table = await dealt(world, 1, 2)
    await first_act(table, 1)
    await first_act(table, 2)
    pause = ConsentRequest(what="pause", by=1, seq=table.seq)
    await consent.ask(table, 1, pause, world.tables.database)
    shown = name_of(table, pause)
    database = world.tables.database
    assert not await consent.answer(table, 1, shown, yes=False, database=database)
    await asks(world, table, 1)
    acts = table.acts
    with pytest.raises(Refused, match="nothing_asked"):
        await consent.answer(table, 2, shown, yes=True, database=database)
    assert (table.acts, table.paused) == (acts, False)
    assert await says(world, table, 2)
    assert table.acts < acts


async def test_a_card_that_was_drawn_is_not_taken_back_without_the_other(world: World) -> None:
    table = await dealt(world, 1, 2, game="canasta")
    (seat,) = table.waiting()
    owner = table.sitters[seat].user_id or 0
    await table.act(seat, table.decisions[seat], next(a for a in table.legal[seat] if a[0] == "draw"))
    found = await found_for(world, table, owner)
    assert not found.free
    with pytest.raises(Refused, match="undo_asks"):
        await consent.undo(table, found, world.tables.database)
    assert table.acts == 1


async def test_a_drawn_card_that_came_back_once_is_asked_for_because_it_was_seen(world: World) -> None:
    """Not because a clock runs: others would have been asked without one."""
    table = await new_table(world.tables, game="canasta", people=(1, 2), terms=Terms(clock=3600))
    await lobby.start(table, 1)
    for _ in range(2):
        (seat,) = table.waiting()
        owner = table.sitters[seat].user_id or 0
        await table.act(seat, table.decisions[seat], next(a for a in table.legal[seat] if a[0] == "draw"))
        found = await found_for(world, table, owner)
        assert (found.free, found.again) == (False, False)
        await asks(world, table, owner)
        assert await says(world, table, 3 - owner)


async def test_everybody_else_must_agree_once_somebody_has_moved(world: World) -> None:
    table = await dealt(world, 1, 2, 3)
    for user_id in (1, 2, 3):
        await first_act(table, user_id)
    assert table.state is not None
    await asks(world, table, 1)
    assert consent.to_agree(table) == [2, 3]
    assert not await says(world, table, 3)
    assert consent.to_agree(table) == [2]
    assert table.acts == 3
    assert await says(world, table, 2)
    assert (table.acts, table.seq) == (0, 5)
    assert table.stored.terms.asked is None


async def test_who_decides_after_an_undo_has_the_whole_clock(world: World) -> None:
    """Ann's move comes back after half of Ben's time: the clock is hers, and runs from its beginning."""
    table = await new_table(world.tables, game="canasta", people=(1, 2), terms=Terms(clock=3600))
    await lobby.start(table, 1)
    (seat,) = table.waiting()
    owner = table.sitters[seat].user_id or 0
    while table.waiting() == (seat,):
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    await world.pass_by(1800)
    found = await found_for(world, table, owner)
    if found.free:  # the deal decides whether the end of a turn has shown something
        await consent.undo(table, found, world.tables.database)
    else:
        await asks(world, table, owner)
        assert await says(world, table, 3 - owner)
    assert table.waiting() == (seat,)
    assert {each.seat for each in table.deadlines} == {seat}
    assert [each.due_at - table.now() for each in table.deadlines if each.kind == "turn"] == [3_600_000]


async def test_one_no_is_enough_and_the_next_move_settles_the_question(world: World) -> None:
    table = await dealt(world, 1, 2, 3)
    for user_id in (1, 2, 3):
        await first_act(table, user_id)
    await asks(world, table, 1)
    with pytest.raises(Refused, match="asked_already"):
        await consent.ask(table, 2, ConsentRequest(what="pause", by=2, seq=table.seq), world.tables.database)
    assert not await says(world, table, 2, yes=False)
    found = consent.asked(table)
    assert found is not None
    assert found.no == 2
    with pytest.raises(Refused, match="nothing_asked"):
        await says(world, table, 3)
    with pytest.raises(Refused, match="not_seated"):
        await says(world, table, 99)
    await asks(world, table, 1)  # they may ask again
    seat = table.waiting()[0]
    await table.act(seat, table.decisions[seat], table.legal[seat][0])
    assert consent.asked(table) is None
    with pytest.raises(Refused, match="nothing_asked"):
        await says(world, table, 2)
    assert table.acts == 4


async def test_of_two_who_asked_reads_the_no_of_the_other(world: World) -> None:
    table = await dealt(world, 1, 2)
    await consent.ask(table, 1, ConsentRequest(what="pause", by=1, seq=table.seq), world.tables.database)
    assert not await says(world, table, 2, yes=False)
    found = consent.asked(table)
    assert found is not None
    assert found.no == 2


async def test_a_question_and_what_was_agreed_outlive_the_bot(world: World) -> None:
    table = await dealt(world, 1, 2, 3)
    for user_id in (1, 2, 3):
        await first_act(table, user_id)
    await asks(world, table, 1)
    await says(world, table, 2)
    await world.restart()
    table = await world.tables.get(table.id)
    assert consent.to_agree(table) == [3]
    assert await says(world, table, 3)
    assert table.acts == 0
    kept = seen(table)
    await world.restart()
    assert seen(await world.tables.get(table.id)) == kept


async def test_what_was_left_by_somebody_is_not_undone(world: World) -> None:
    table = await dealt(world, 1, 2, 3)
    await first_act(table, 1)
    await leaving.leave_game(table, 3, "random", "Robo")
    with pytest.raises(Refused, match="undo_left"):
        await found_for(world, table, 1)


async def test_who_asked_and_left_is_waited_for_no_longer(world: World) -> None:
    table = await dealt(world, 1, 2, 3)
    await consent.ask(table, 1, ConsentRequest(what="pause", by=1, seq=table.seq), world.tables.database)
    await says(world, table, 2)
    await leaving.leave_game(table, 3, "random", "Robo")
    assert consent.to_agree(table) == []
    # it is done with the next word of who agreed already
    assert await says(world, table, 2)
    assert table.paused


async def test_who_has_left_asks_for_nothing_and_refuses_nothing(world: World) -> None:
    table = await dealt(world, 1, 2, 3)
    await consent.ask(table, 1, ConsentRequest(what="pause", by=1, seq=table.seq), world.tables.database)
    assert not await says(world, table, 2, yes=False)
    await leaving.leave_game(table, 2, "random", "Robo")
    assert consent.asked(table) is None
    await consent.ask(table, 3, ConsentRequest(what="pause", by=3, seq=table.seq), world.tables.database)
    await leaving.leave_game(table, 3, "random", "Ada")
    assert consent.asked(table) is None
    assert request(table, "en") == ("", [])
    with pytest.raises(Refused, match="nothing_asked"):
        await says(world, table, 1)


async def test_a_pause_stops_the_clocks_until_somebody_goes_on(world: World) -> None:
    table = await new_table(world.tables, people=(1, 2), rounds=3)
    await lobby.agree(table, clock=60)
    await lobby.start(table, 1)
    with pytest.raises(Refused, match="pause_asks"):
        await consent.pause(table, 1)
    await consent.ask(table, 1, ConsentRequest(what="pause", by=1, seq=table.seq), world.tables.database)
    assert await says(world, table, 2)
    assert table.paused
    assert table.deadlines == ()
    seat, acts = table.waiting()[0], table.acts
    await world.pass_by(3600)
    assert table.acts == acts
    with pytest.raises(Refused, match="paused"):
        await table.act(seat, table.decisions[seat], table.legal[seat][0])
    with pytest.raises(Refused, match="paused"):
        await found_for(world, table, 1)
    assert not table.misses(1)  # who only looks does not wake it
    await world.restart()
    table = await world.tables.get(table.id)
    assert table.paused
    with pytest.raises(Refused, match="not_seated"):
        await consent.resume(table, 99)
    await consent.resume(table, 2)
    assert not table.asleep
    assert {each.kind for each in table.deadlines} == {"turn", "remind", "warn"}
    with pytest.raises(Refused, match="not_paused"):
        await consent.resume(table, 2)


async def test_who_is_alone_pauses_at_once(world: World) -> None:
    table = await dealt(world, 1, 2)
    await leaving.leave_game(table, 2, "random", "Robo")
    await consent.pause(table, 1)
    assert table.paused


async def test_no_snapshot_of_what_was_taken_back_is_ever_read(world: World) -> None:
    """It would be read once enough has come after it: the table would go on from a move that is no more."""
    table = await begun(world.tables, "molecular", 8, rounds=20)
    rng = random.Random(7)
    await play(table, rng, EVERY + 2)
    back = standing(await journal_of(world.tables, table))[-12]
    owner = table.sitters[back.seat].user_id or 0
    wish = ConsentRequest(what="undo", by=owner, seq=table.seq, seat=back.seat, first=back.seq)
    await consent.ask(table, owner, wish, world.tables.database)
    for user_id in consent.to_agree(table):
        await says(world, table, user_id)
    assert table.acts < EVERY
    while table.waiting() and table.seq < EVERY + RECENT_EVENTS + 12:  # some deals end before
        await play(table, rng, 1)
        read = Table(TableContext.alone(world.tables.database), await rows(world.tables, table.id))
        assert seen(read) == seen(table)


@pytest.mark.parametrize("game", ["molecular", "canasta"])
@pytest.mark.parametrize("deal", [3, 4, 5])
@pytest.mark.repeats
async def test_a_long_game_with_undos_is_the_same_after_every_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, deal: int
) -> None:
    """Snapshots of what was taken back are forgotten; the record plays what was not."""
    fair = Commitment(bytes([deal] * SEED_BYTES), bytes(NONCE_BYTES))
    monkeypatch.setattr(Commitment, "fresh", classmethod(lambda _cls: fair))
    world = World(tmp_path / "v.db")
    await world.open()
    tables = world.tables
    table = await begun(tables, game, 2)
    rng = random.Random(deal)
    for _ in range(4):
        await play(table, rng, EVERY // 2 + 3)
        if table.phase != "live" or table.outcome() is not None:
            break
        entries = await journal_of(tables, table)
        acts = standing(entries)
        back = acts[-rng.randint(1, 12)]
        user_id = table.sitters[back.seat].user_id or 0
        wish = ConsentRequest(what="undo", by=user_id, seq=table.seq, seat=back.seat, first=back.seq)
        await consent.ask(table, user_id, wish, tables.database)
        other = next(user for user in table.people() if user != user_id)
        name = name_of(table, wish)
        assert await consent.answer(table, other, name, yes=True, database=tables.database)
        assert table.acts == len(acts) - sum(each.seq >= back.seq for each in acts)
        assert table.state is not None
        played = record.play(table.setup(), await tables.acts(table))
        assert table.state.fingerprint() == played.fingerprint()
        kept = seen(table)
        tables, table = await again(tmp_path / "v.db", tables)
        assert seen(table) == kept
    await tables.runtime.close()
    await tables.database.close()


async def test_a_release_that_knows_no_undo_lets_the_table_rest(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To it an entry is missing; it does not play on from what was taken back, and nothing is lost."""
    table = await dealt(world, 1, 2, game="duel52")
    (seat,) = table.waiting()
    playing = next(action for action in table.legal[seat] if action[0] == "play")
    await table.act(seat, table.decisions[seat], playing)
    found = await found_for(world, table, table.sitters[seat].user_id or 0)
    await consent.undo(table, found, world.tables.database)
    kept = seen(table)
    with monkeypatch.context() as older:
        older.setattr(journal, "LEFT_OUT", 0)
        await world.restart()
        with pytest.raises(Refused, match="resting"):
            await world.tables.get(table.id)
    await world.restart()
    assert seen(await world.tables.get(table.id)) == kept


def test_an_undo_that_names_nothing_is_no_journal() -> None:
    act = Entry(1, "act", 0, ["pass"], 0)
    for data in ([2], [0], ["1"], [], [1, 2]):
        with pytest.raises(BadJournal):
            standing([act, Entry(2, UNDO, 0, list(data), 0)])


async def test_a_move_made_meanwhile_is_not_taken_back(world: World) -> None:
    table = await dealt(world, 1, 2, game="duel52")
    (seat,) = table.waiting()
    owner = table.sitters[seat].user_id or 0
    playing = next(action for action in table.legal[seat] if action[0] == "play")
    await table.act(seat, table.decisions[seat], playing)
    found = await found_for(world, table, owner)
    await table.act(seat, table.decisions[seat], table.legal[seat][0])
    with pytest.raises(Stale):
        await consent.undo(table, found, world.tables.database)
    entries = await world.tables.database.read_at_once(lambda c: store.journal(c, table.id))
    assert [entry.kind for entry in entries] == ["act", "act"]


def several(table: Table, seat: Seat) -> list[tuple[Action, ...]]:
    """What single presses in the hand of a seat decide that make several decisions."""
    look = Look(names=tuple(f"person {seat}" for seat in range(len(table.sitters))))
    assert table.state is not None
    tree = presenters.get(table.stored.game).choices(table.state.observe(seat), table.legal[seat], look)
    return [decided for decided, _ in ways(tree, table.legal[seat]) if len(decided) > 1]


async def press(table: Table, seat: Seat, decided: Sequence[Action]) -> None:
    """Decide all of it, as far as the rules allow it, as one press does."""
    first, decision = None, table.decisions[seat]
    for action in decided:
        if action not in table.legal[seat]:
            break
        decision = await table.act(seat, decision, action, press=first)
        first = first or decision


async def random_press(table: Table, seat: Seat, rng: random.Random) -> None:
    """One of the hand that makes several decisions, where there is any; else up to three decisions as if one
    press had made them."""
    if wide := several(table, seat):
        await press(table, seat, rng.choice(wide))
        return
    first = None
    for _ in range(rng.randint(1, 3)):
        if seat in table.waiting():
            decision = await table.act(seat, None, rng.choice(table.legal[seat]), press=first)
            first = first or decision


@every_game
@pytest.mark.repeats
async def test_one_undo_takes_back_all_that_one_press_decided(tmp_path: Path, game: AnyGame) -> None:
    """In random games of every game: at once where nobody saw anything, else by consent."""
    world = World(tmp_path / "v.db")
    await world.open()
    people = [*range(1, max(2, game.seats(game.defaults())[0]) + 1)]
    table = await dealt(world, *people, game=game.key)
    rng, sizes = random.Random(5), list[int]()
    single = game.key in {"atom", "chemistry_battle"}  # every turn is one decision

    def enough() -> bool:
        return len(sizes) >= PRESSES and (single or max(sizes) > 1)

    while not enough() and table.phase == "live" and table.waiting():
        seat = rng.choice(table.waiting())
        assert table.state is not None
        before, acts = table.state.fingerprint(), table.acts
        await random_press(table, seat, rng)
        if table.phase != "live" or table.outcome() is not None:
            break
        made = table.acts - acts
        sizes.append(made)
        owner = table.sitters[seat].user_id or 0
        found = await found_for(world, table, owner)
        if found.free:
            await consent.undo(table, found, world.tables.database)
        else:
            await asks(world, table, owner)
            for other in {*people} - {owner}:
                await says(world, table, other)
        assert (table.state.fingerprint(), table.acts) == (before, acts)
        await random_press(table, seat, rng)
    assert single or max(sizes) > 1
    kept = seen(table)
    await world.restart()
    assert seen(await world.tables.get(table.id)) == kept
    await world.tables.runtime.close()
    await world.tables.database.close()


async def test_a_press_that_drew_and_played_is_not_free(world: World) -> None:
    """What is played by the same press hides nothing of what was drawn."""
    table = await dealt(world, 1, 2, game="canasta")
    (seat,) = table.waiting()
    draw = next(a for a in table.legal[seat] if a[0] == "draw")
    await press(table, seat, (draw, draw))
    discard = next(a for a in table.legal[seat] if a[0] == "discard")
    await table.act(seat, None, discard, press=1)
    found = await found_for(world, table, table.sitters[seat].user_id or 0)
    assert (found.first, found.free) == (1, False)
    assert [each.press for each in await journal_of(world.tables, table)] == [None, 1, 1]
