"""What a puzzle shows: the ordinary hand of its position with a question, then the answer and why; and the
list of all games that have puzzles.

Before the answer nothing says more than the hand does: ids hold the number of the puzzle, and the way through
the choices.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from discord import ButtonStyle, ui

from bot import custom_ids as ids
from bot import presenters
from bot.features.puzzles.rows import PuzzleStanding
from bot.features.puzzles.service import NEW, Answered, puzzles_of
from bot.features.table import (
    HAND_PICTURE,
    TOP_CHOICE,
    ChoiceCursor,
    SeatView,
    borrowed_hand,
    hand_message,
    word_look,
)
from bot.locales import Words, words
from bot.presenters.base import Form
from bot.presenters.paths import in_words, ways_to
from bot.render.parts import ringed
from bot.store.rating_model import points
from bot.table.table import Table
from bot.ui import choices as walk
from bot.ui import slots
from bot.ui.components import Control, Message, TextWithButton, button, page
from bot.ui.names import inert, shown_points
from engine.game import Action, Seat
from engine.puzzles import Puzzle
from engine.reason import pattern_between

_CHOICES = frozenset(("go", "sel", "pick", "page", "add", "group", "sure"))
"""The verbs of a hand that a puzzle carries out; what else a hand offers needs a table that stands."""


GIVE_UP: Final = "give"
"""The verb of who would rather see the answer."""


class PuzzleView:
    """A puzzle as one person sees it."""

    def __init__(self, puzzle: Puzzle, table: Table, seat: Seat, locale: str) -> None:
        self.puzzle, self.seat, self.locale = puzzle, seat, locale
        self.view = SeatView(table, seat, locale)
        self.say = words(locale)

    @property
    def heading(self) -> str:
        """What it is called."""
        title = self.view.presenter.title(self.locale)
        return self.say("puzzle.heading", game=title, n=self.puzzle.number)

    def in_words(self, action: Action) -> str:
        """A decision as it is read on the way to it."""
        way = ways_to(self.view.tree, [action]).get(action)
        return inert(in_words(way)) if way else ""

    def reason(self) -> str:
        """Return why the best answer is better than the second best."""
        puzzle, view = self.puzzle, self.view
        best, second = puzzle.right()[0], view.table.game.action(puzzle.second)
        reason = pattern_between(view.table.game.patterns, view.observation, best, second)
        look = word_look(view.table, self.locale)
        if reason is not None and (told := view.presenter.because(reason, look)):
            return self.say("puzzle.because", reason=told, second=self.in_words(second))
        return self.say("puzzle.why", n=round(100 * puzzle.gap), second=self.in_words(second))

    def technique(self) -> str:
        """What the puzzle is an example of."""
        key = f"puzzle.technique.{self.puzzle.game}.{self.puzzle.technique}"
        return self.say("puzzle.named", technique=self.say(key)) if key in self.say else ""


def puzzle_message(
    puzzle: PuzzleView, spot: ChoiceCursor = TOP_CHOICE, *, notice: str = "", kept: str | None = None
) -> Message:
    """The hand of a puzzle with its question; `kept` as for `hand_message`."""
    view = puzzle.view
    told = "\n".join(filter(None, (notice, puzzle.say("puzzle.question"))))
    message = hand_message(view, spot, notice=told, kept=kept)
    status = view.presenter.status(view.observation, view.look)

    def lead(control: ui.Button[ui.LayoutView] | ui.Select[ui.LayoutView], ref: ids.Ref) -> Control | None:
        if ref.verb not in _CHOICES or _opens_form(view, ref):
            return None
        where = (puzzle.puzzle.game, puzzle.puzzle.number)
        control.custom_id = ids.make("solve", *where, ref.verb, *ref.args[3:])
        if isinstance(control, ui.Button) and ids.path_of(ref.word(3))[-1:] != ("ok",):
            control.style = ButtonStyle.secondary  # what people do most would look like the answer
        return control

    label, number = puzzle.say("puzzle.give_up"), puzzle.puzzle.number
    give_up = button(label, "solve", puzzle.puzzle.game, number, GIVE_UP, emoji="👀")
    below = [] if spot.path else [give_up]
    message.view = borrowed_hand(message.view, f"{puzzle.heading}\n{status}", lead, below)
    return message


def _opens_form(view: SeatView, ref: ids.Ref) -> bool:
    """Whether a button opens a form, which decides more than a puzzle asks."""
    place = view.at(ids.path_of(ref.word(3))) if ref.verb == "go" else walk.Lost()
    return isinstance(place, walk.Question) and isinstance(place.node, Form)


def answer_message(puzzle: PuzzleView, chosen: Action | None, *, right: bool, answered: Answered) -> Message:
    """Return the answer to a puzzle: the verdict, the best move, ringed in the hand, the reason, and the new
    rating.

    Without a `chosen` decision the player gave up.
    """
    say, best = puzzle.say, puzzle.puzzle.right()[0]
    same = chosen == best
    verdict = ""
    if chosen is not None:
        verdict = say("puzzle.right" if right else "puzzle.wrong", move=puzzle.in_words(chosen))
    better = "" if same else say("puzzle.as_good" if right else "puzzle.better", move=puzzle.in_words(best))
    after = answered.after
    if answered.counted:
        tally = say(
            "puzzle.rating",
            rating=shown_points(after.mu, after.sigma),
            before=shown_points(answered.before.mu, answered.before.sigma),
            right=after.right,
            n=len(after.answered),
        )
    else:
        tally = say("puzzle.not_counted", rating=shown_points(after.mu, after.sigma))
    text = "\n".join(filter(None, (verdict, better, puzzle.reason(), puzzle.technique())))
    picture = ringed(puzzle.view.scene, puzzle.view.presenter.spots(puzzle.view.observation, best))
    return page(
        puzzle.heading,
        puzzle.view.letters,
        picture,
        text,
        f"-# {tally}",
        ways_on(puzzle.puzzle.game, puzzle.locale),
        picture_name=HAND_PICTURE,
    )


def gone_message(game: str, locale: str) -> Message:
    """The answer to a press on a puzzle that there is no longer."""
    return page(words(locale)("puzzle.gone"), ways_on(game, locale))


def ways_on(game: str, locale: str) -> list[Control]:
    """The next puzzle, all games that have some, and a game."""
    say = words(locale)
    controls: list[Control] = [button(say("puzzle.all"), "puzzles")]
    if puzzles_of(game):
        controls.insert(0, button(say("puzzle.next"), "puzzle", game, style=ButtonStyle.primary))
    return [*controls, *slots.AFTER_PUZZLE.controls(say, game)]


def puzzles_button(say: Words, _thing: None) -> Control:
    """Return the button that lists the puzzles."""
    return button(say("learn.puzzles"), "puzzles", emoji="🧩")


def puzzles_message(standings: Mapping[str, PuzzleStanding], locale: str) -> Message:
    """Every game that has puzzles, and how one stands in them."""
    say = words(locale)
    blocks: list[TextWithButton] = []
    for game in filter(presenters.offers, standings):
        standing, title = standings[game], presenters.get(game).title(locale)
        key = "puzzle.entry" if standing.answered else "puzzle.entry_new"
        text = say(
            key,
            game=title,
            # some that were answered are gone
            n=len({*puzzles_of(game), *standing.answered}),
            answered=len(standing.answered),
            right=standing.right,
            rating=shown_points(standing.mu, standing.sigma),
        )
        blocks.append(TextWithButton(text, button(say("puzzle.start"), "puzzle", game)))
    return page(say("puzzle.list", rating=points(NEW.mu)), *blocks)
