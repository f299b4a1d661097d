"""**Report this**: a file for those who look after Valence: one answer, and what the person may know."""

from __future__ import annotations

from importlib.metadata import version

from bot import custom_ids as ids
from bot import presenters
from bot.features.table.rights import TABLE
from bot.features.table.slots import Trouble
from bot.locales import FALLBACK, Words, words
from bot.presenters.lines import lines_for
from bot.presenters.voice import unmarked
from bot.render.scene import Look
from bot.render.theme import seat_letter
from bot.table.daily import is_sealed
from bot.table.recent import LATE, UNDONE
from bot.table.registry import Tables
from bot.table.table import Table
from bot.ui.components import Control, button, page
from bot.ui.context import Pressed, Submitted
from bot.ui.forms import TextField, form
from bot.ui.handlers import Handlers
from engine import problem_report
from engine.packed import source_digest
from engine.problem_report import Report

handlers, forms = Handlers[Pressed](), Handlers[Submitted]()

LONGEST = 1000


def report_button(say: Words, trouble: Trouble) -> Control:
    """Return the button that opens the form for a report."""
    return button(say("report.open"), "report", trouble.table.id, *filter(None, (trouble.code,)))


@handlers.on("report", TABLE)
async def _ask(pressed: Pressed, table: Table) -> None:
    """Ask what was expected: `report:table`, or `report:table:code` at an error."""
    say = pressed.say
    field = TextField("expected", say("report.expected"), LONGEST, say("report.note"))
    await pressed.ask(form(say("report.open"), ids.make("report", table.id, pressed.ref.word(1)), [field]))


@forms.on("report", TABLE)
async def _made(submitted: Submitted, table: Table) -> None:
    """Make the file, for the person alone."""
    found = await _report(submitted, table)
    key = "report.done_live" if found.record is None else "report.done"
    files = {f"valence-report-{table.id}.json": problem_report.to_json(found)}
    await submitted.private(page(submitted.say(key), files=files, accent=None))


async def _report(submitted: Submitted, table: Table) -> Report:
    seats = table.seats_of(submitted.user_id)
    viewer = seats[0] if seats else None
    record = None
    if table.outcome() is not None and not is_sealed(table.stored.terms, submitted.app.clock.now()):
        record = problem_report.nameless(await submitted.service(Tables).record(table), table.setup())
    return Report(
        valence=version("valence"),
        source=source_digest(),
        game=table.stored.game,
        version=table.stored.version,
        seats=max(1, len(table.sitters)),
        options=table.stored.options,
        seat=viewer,
        move=table.acts,
        expected=submitted.field("expected"),
        error=submitted.ref.word(1),
        lines=await _seen(submitted, table, viewer),
        record=record,
    )


async def _seen(submitted: Submitted, table: Table, viewer: int | None) -> list[str]:
    """What this viewer was told and sees, in English; the seats by their letters."""
    if table.state is None:
        return []
    seats = range(len(table.sitters))
    look = Look(names=tuple(words(FALLBACK)("report.seat", seat=seat_letter(seat)) for seat in seats))
    presenter, observation = presenters.get(table.game.key), table.state.observe(viewer)
    events = await submitted.service(Tables).events(table)
    told = lines_for(presenter, events, viewer, look, late=LATE, undone=UNDONE)
    told += [presenter.status(observation, look), presenter.table(observation, look).alt]
    if viewer is not None:
        told.append(presenter.hand(observation, look).alt)
    return [unmarked(line) for line in told if line]
