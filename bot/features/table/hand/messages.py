"""The hand: a private picture and the choices, the same for every game.

A press walks one step down the presenter's tree. A path ends at a decision, which `Table.act` carries out.
The answer is always the current hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from discord import ButtonStyle
from discord.ui import Modal

from bot import custom_ids as ids
from bot.features.table import slots as table_slots
from bot.features.table.consent import may_undo, request
from bot.features.table.hand.recent_log import MOST_ROWS, fitting
from bot.features.table.hand.seat_view import SeatView
from bot.features.table.terms import deal_line, differences, what_it_counts
from bot.locales import Words, words
from bot.presenters.base import Branch, Choice, Form, Item, Pick
from bot.presenters.ending import placed
from bot.presenters.paths import Route, in_words
from bot.render.scene import Scene
from bot.table.daily import opens_at
from bot.table.results import has_stayed_away, passed_over, won_by_absence
from bot.table.table import Table
from bot.table.table_kinds import is_hand_only
from bot.table.turns import PASS, autopass_seconds
from bot.ui import choices as walk
from bot.ui import screen_space as phone
from bot.ui.components import Control, KeptPicture, MenuLine, Message, button, page, select
from bot.ui.forms import FormField, form
from bot.ui.names import inert, joined

HAND_PICTURE = "hand.png"


@dataclass(frozen=True, slots=True)
class ChoiceCursor:
    """The position of a hand in its choices: the path, the page of a long list, an unfinished pick."""

    path: walk.Path = ()
    page: int = 0
    picked: walk.Path = ()
    group: str = ""
    sure: bool = False
    """True if the path leads to a decision that awaits confirmation."""
    filled: walk.Path = ()
    """The path from here to a form that needs correction: its key, and the answers in it."""

    @classmethod
    def of(cls, question: walk.Question) -> ChoiceCursor:
        """Return the cursor at a question. For a form, it is at the question that offers the form."""
        if isinstance(question.node, Form):
            return cls(question.path[:-1], filled=(question.path[-1], walk.pick_segment(question.picked)))
        return cls(question.path, picked=question.picked)


TOP_CHOICE = ChoiceCursor()
FEWEST_ROWS = 2
"""Minimum number of phone rows for the log in a hand, even if the hand leaves no room for it."""
ROWS_ON_WAY = 1
"""Number of phone rows for the log after the first choice: the player has already read the rest."""
STRONG = 5
"""Maximum number of highlighted answers that stay buttons when there are too many answers for buttons."""
NOTES = 5
"""Maximum number of buttons whose notes are shown below the question.

They are shown if there is room, or if nothing else explains the choices.
"""


def _daily_line(table: Table, say: Words) -> str:
    """Return the line that says until when a daily deal counts, or that it was finished too late.

    Empty for other tables and for practice.
    """
    terms = table.stored.terms
    if not terms.daily or terms.practice:
        return ""
    deadline = opens_at(terms)
    if table.outcome() is None:
        return say("daily.counts_until", at=deadline)
    return say("daily.too_late", at=deadline) if (table.stored.ended_at or 0) >= 1000 * deadline else ""


def way_shown(view: SeatView, spot: ChoiceCursor) -> Scene | None:
    """Return the picture of a hand at this place in its choices, or None if it is the same as at rest."""
    table, path = view.table, spot.path[:-1] if spot.sure else spot.path
    asks = view.legal and table.phase == "live" and not table.paused and table.outcome() is None
    return view.way(path) if asks and path else None


@dataclass(frozen=True, slots=True)
class _HandFrame:
    """The parts shared by all hands."""

    view: SeatView
    cursor: ChoiceCursor
    notice: str
    picture: Scene | KeptPicture
    say: Words

    def heading(self) -> str:
        """Return the title, and before the first choice also the rules of the table."""
        view, say = self.view, self.say
        table, game = view.table, view.presenter.title(view.locale)
        lines = [say("hand.heading", game=game, table=table.id, status=view.status)]
        if not self.cursor.path:
            lines.append(_daily_line(table, say))
            if table.outcome() is None:
                differing = differences(table.game.key, table.stored.options, view.locale)
                rules = " · ".join(filter(None, (*differing, what_it_counts(table, view.locale))))
                lines += [rules and f"-# {rules}", deal_line(table, say)]
        return "\n".join(filter(None, lines))

    def habits(self) -> list[Control]:
        """Return the controls of a running game that do not answer its question."""
        view, say = self.view, self.say
        table, controls = view.table, list[Control]()
        must_decide = bool(view.legal) and all(action[0] != PASS for action in view.legal)
        if view.presenter.can_pass and not must_decide:
            seconds = autopass_seconds(table.stored.terms, table.sitters[view.seat].user_id)
            label = say("hand.autopass", n=seconds) if seconds else say("hand.no_autopass")
            controls.append(button(label, "autopass", table.id, view.seat, emoji="⏩"))
        if is_hand_only(table) and not table.stored.terms.daily:
            # a table message has the same buttons below it
            own: list[tuple[int, Control]] = [
                (20, button(say("table.log"), "log", table.id)),
                (30, button(say("table.more"), "more", table.id)),
            ]
            controls += table_slots.HAND_ONLY.controls(say, table, own)
        return controls

    def controls(self) -> list[Control]:
        """Return the controls of every hand, such as the one that explains its cards."""
        view, own = self.view, list[tuple[int, Control]]()
        if view.presenter.needs_closeups(view.observation):
            own.append((30, button(self.say("table.closer"), "closer", view.table.id, emoji="🔍")))
        return table_slots.HAND.controls(self.say, view, own)

    def absence(self) -> str:
        """Return the line that says the computer plays the seat or the table sleeps, or an empty string."""
        view, table = self.view, self.view.table
        if table.asleep:
            return self.say("hand.asleep" if view.legal else "hand.asleep_waiting")
        return self.say("hand.held") if table.away(view.seat) else ""

    def page(
        self,
        prompt: str,
        controls: list[Control],
        habits: Sequence[Control] = (),
        *,
        happened: str = "",
        heading: str | None = None,
    ) -> Message:
        """Return the hand with these texts and controls around its picture. `habits` have their own row."""
        view, table = self.view, self.view.table
        question = request(table, view.locale, table.sitters[view.seat].user_id)
        heading = self.heading() if heading is None else heading
        blocks = (heading, view.letters, self.notice, happened, self.picture, *question, prompt, controls)
        message = page(*blocks, list(habits), picture_name=HAND_PICTURE)
        message.moment = view.moment()
        message.retry = ids.make("hand", table.id, view.seat)
        return message


def hand_message(
    view: SeatView, cursor: ChoiceCursor = TOP_CHOICE, *, notice: str = "", kept: str | None = None
) -> Message:
    """Return the hand of a seat.

    `kept` is the alt text of a picture that the message already has and keeps. Then none is drawn.
    """
    if kept is None:
        picture: Scene | KeptPicture = way_shown(view, cursor) or view.scene
    else:
        picture = KeptPicture(HAND_PICTURE, kept)
    table, frame = view.table, _HandFrame(view, cursor, notice, picture, words(view.locale))
    if table.outcome() is not None or table.phase != "live":
        return _over(frame)
    if table.paused:
        return _paused(frame)
    return _asking(frame) if view.legal else _waiting(frame)


def _over(frame: _HandFrame) -> Message:
    """Return the hand of a finished game: its player's result, and what may follow."""
    view, say = frame.view, frame.say
    table, seat, outcome = view.table, view.seat, view.table.outcome()
    if outcome is None:  # the table was closed
        return frame.page(say("hand.over"), frame.controls())
    user_id = table.sitters[seat].user_id
    place = placed(view.presenter, outcome, seat, view.locale, passed_over(table))
    if has_stayed_away(table, seat):  # staying away counts as a loss even if the seat won
        place = say("end.stayed_away")
    if seat in won_by_absence(table, outcome):
        place = say("end.left_by_others_own")
    if user_id is not None and len(table.seats_of(user_id)) > 1:
        place = ""  # a person who plays both sides wins and loses; the game itself tells how their bet went
    rated = what_it_counts(table, view.locale)
    friendly = say("friendly.over") if table.stored.terms.friendly and rated else ""
    lines = (say("hand.over"), place, view.presenter.ending(outcome, view.look), friendly)
    controls = [*table_slots.HAND_END.controls(say, view), *frame.controls()]
    return frame.page("\n".join(filter(None, lines)), controls)


def _paused(frame: _HandFrame) -> Message:
    """Return the hand of a paused table, with the request that resumes it."""
    habits, controls = frame.habits(), list[Control]()
    (habits or controls).extend([*table_slots.QUESTION.controls(frame.say, frame.view), *frame.controls()])
    return frame.page("", controls, habits)


def _waiting(frame: _HandFrame) -> Message:
    """Return the hand while others must act."""
    view, say = frame.view, frame.say
    table, seat = view.table, view.seat
    waiting = joined([view.look.name(each) for each in table.waiting()], view.locale)
    prompt = "\n".join(filter(None, (say("hand.waiting", names=waiting), frame.absence())))
    label = "hand.wake" if table.asleep else "hand.here_again" if table.away(seat) else "hand.refresh"
    controls: list[Control] = [button(say(label), "hand", table.id, seat)]
    if may_undo(table, seat):
        controls.append(button(say("undo.label"), "undo", table.id, emoji="↩️"))
    happened = _since(view, say, FEWEST_ROWS) if view.taken_back else ""
    habits = frame.habits()
    (habits or controls).extend(frame.controls())
    return frame.page(prompt, controls, habits, happened=happened)


def _asking(frame: _HandFrame) -> Message:
    """Return the hand that asks for a decision, with as much of the log as fits."""
    view, say, cursor = frame.view, frame.say, frame.cursor
    prompt, notes, controls = _Asker(view, say).ask(cursor)
    if absence := frame.absence():
        prompt = f"{prompt}\n{absence}"
    habits, side_controls = frame.habits(), frame.controls()
    if not cursor.sure:
        side_controls = [*table_slots.QUESTION.controls(say, view), *side_controls]
    (habits or controls).extend(side_controls)
    heading = frame.heading()
    # if the steps have pictures of their own, the player looks at those and has already read the log
    shows_log = not (cursor.path and view.presenter.draws_steps)
    heights = list[float]()
    if notes or (shows_log and not cursor.path):
        texts = (heading, view.letters, frame.notice)
        heights = _heights(view, frame.picture, texts, (controls, habits))
    if notes:
        with_notes = "\n".join((prompt, notes))
        room = phone.rows_beside(*heights, phone.words_height(with_notes))
        fits = room >= (ROWS_ON_WAY if cursor.path else FEWEST_ROWS)
        if fits or not view.presenter.at_hand(view.observation):
            prompt = with_notes
    happened = ""
    if shows_log and cursor.path:
        happened = _since(view, say, ROWS_ON_WAY)
    elif shows_log:
        room = phone.rows_beside(*heights, phone.words_height(prompt))
        happened = _since(view, say, min(max(room, FEWEST_ROWS), MOST_ROWS))
    return frame.page(prompt, controls, habits, happened=happened, heading=heading)


def _heights(
    view: SeatView, picture: Scene | KeptPicture, texts: Iterable[str], rows_of: Iterable[list[Control]]
) -> list[float]:
    """Return the heights of the parts of a hand on a phone."""
    scene = picture if isinstance(picture, Scene) else view.scene
    heights = [*map(phone.words_height, texts), *map(phone.controls_height, rows_of)]
    return [phone.picture_height(scene), *heights]


def _since(view: SeatView, say: Words, room: int) -> str:
    """Return the log since the seat's last move, shortened to about `room` rows."""
    return "\n".join(f"-# {line}" for line in fitting(view.happened, view.seat, say, room))


def choice_button(label: str, view: SeatView, path: walk.Path, *, style: ButtonStyle) -> Control:
    """Return a button that takes this path through the choices of a hand."""
    args = (view.table.id, view.seat, view.decision)
    return button(label, "go", *args, ids.path_text(path), style=style)


def hand_button(label: str, table_id: int, *, style: ButtonStyle = ButtonStyle.secondary) -> Control:
    """Return a button that opens the person's hand at this table."""
    return button(label, "hand", table_id, style=style)


def form_of(view: SeatView, asked: Form, place: walk.Question) -> Modal:
    """Return the modal of a form, filled in with the answers so far or with the presenter's."""
    chosen = place.picked or asked.filled_in()
    fields = [
        FormField(
            blank.key,
            blank.label,
            [MenuLine(i.key, i.label, i.note, chosen=i.key == key) for i in blank.items],
        )
        for blank, key in zip(asked.blanks, chosen, strict=True)
    ]
    args = (view.table.id, view.seat, view.decision, ids.path_text(place.path))
    return form(asked.title, ids.make("form", *args), fields)


def picking(
    view: SeatView, spot: ChoiceCursor, chosen: Sequence[str] | None = None
) -> tuple[ChoiceCursor, str]:
    """Return the cursor of a long pick after one of its groups was opened, and an empty string.

    With `chosen`, these items of the group are picked, while those of other groups stay picked. If that is
    not possible, the string says why.
    """
    place, say = view.at(spot.path), words(view.locale)
    node = place.node if isinstance(place, walk.Question) else None
    if not isinstance(node, Pick):
        return TOP_CHOICE, say("refused.no_choice")
    picked = spot.picked
    if chosen is not None:
        group_keys = {item.key for item in node.items if item.group[0] == spot.group}
        picked = (*(key for key in picked if key not in group_keys), *chosen)
    if len(picked) > node.most:
        return spot, say("refused.too_many_picked", most=node.most)
    if isinstance(view.at((*spot.path, walk.pick_segment(picked))), walk.Lost):
        return TOP_CHOICE, say("refused.no_choice")
    return replace(spot, picked=picked), ""


class _Asker:
    """Builder of the prompt and controls for one node of a tree."""

    def __init__(self, view: SeatView, say: Words) -> None:
        self._say = say
        self._view = view
        self._where = (view.table.id, view.seat, view.decision)

    def ask(self, cursor: ChoiceCursor) -> tuple[str, str, list[Control]]:
        """Return the question, the notes of its answers, and the answers."""
        place = self._view.at(cursor.path)
        if cursor.sure and isinstance(place, walk.Decision):
            prompt, controls = self._once_more(place, cursor)
            return prompt, "", controls
        if not isinstance(place, walk.Question) or isinstance(place.node, Form):
            cursor, place = TOP_CHOICE, self._view.at(())
        if isinstance(place, walk.Decision):  # a tree of one leaf: the player still decides when to press
            return "", "", [button(self._say("hand.pick"), "go", *self._at(()), style=ButtonStyle.primary)]
        if isinstance(place, walk.Lost) or isinstance(place.node, Form):
            return "", "", []
        notes = ""
        if isinstance(place.node, Branch):
            prompt, notes = place.node.prompt, self._notes(place.node)
            controls = self._branch(place.node, cursor)
        else:
            prompt, controls = self._pick(place.node, cursor)
        if cursor.path:
            back = cursor.path if cursor.picked or cursor.group else cursor.path[:-1]
            controls.append(button(self._say("hand.back"), "go", *self._at(back)))
        return prompt, notes, controls

    def _once_more(self, place: walk.Decision, cursor: ChoiceCursor) -> tuple[str, list[Control]]:
        """Return the prompt and controls that ask the player to confirm a decision."""
        yes = button(self._say("hand.sure_yes"), "sure", *self._at(cursor.path), style=ButtonStyle.success)
        back = button(self._say("hand.back"), "go", *self._at(cursor.path[:-1]))
        decision = in_words(Route(place.action, cursor.path, place.labels, place.wording))
        return self._say("hand.sure", way=inert(decision)), [yes, back]

    def _at(self, path: walk.Path) -> tuple[object, ...]:
        """Return the arguments of a control: table, seat, decision number and path."""
        return *self._where, ids.path_text(path)

    def _notes(self, node: Branch) -> str:
        """Return the notes of a few choices, as buttons have no room for them. Equal notes appear once."""
        if len(node.choices) > NOTES:
            return ""
        notes = [(inert(c.noted or c.label), inert(c.note)) for c in node.choices if c.note]
        return "\n".join(self._say("hand.note", name=name, note=note) for name, note in dict.fromkeys(notes))

    def _branch(self, node: Branch, cursor: ChoiceCursor) -> list[Control]:
        if len(node.choices) <= walk.BUTTONS:
            return [self._button(choice, cursor) for choice in node.all_choices()]
        # highlighted answers stay buttons even if the others become a select
        strong = [choice for choice in node.choices if choice.strong][:STRONG]
        lines = [MenuLine(c.key, c.label, c.note, c.emoji) for c in node.choices if c not in strong]
        listed = self._list(lines, cursor, self._say("hand.pick"), "sel", *self._at(cursor.path))
        return [
            *(self._button(choice, cursor) for choice in strong),
            *listed,
            *(self._button(choice, cursor) for choice in node.side_choices),
        ]

    def _button(self, choice: Choice, cursor: ChoiceCursor) -> Control:
        if cursor.filled[:1] == (choice.key,):
            path = (*cursor.path, *cursor.filled)
            return button(self._say("hand.mend"), "go", *self._at(path), style=ButtonStyle.primary)
        style = ButtonStyle.primary if choice.strong else ButtonStyle.secondary
        label = choice.short or choice.label
        path = (*cursor.path, choice.key)
        return button(label, "go", *self._at(path), style=style, emoji=choice.emoji)

    def _list(
        self, lines: list[MenuLine], cursor: ChoiceCursor, placeholder: str, verb: str, *args: object
    ) -> list[Control]:
        """Return a select with one page of the lines, and a button for the next page if there is one."""
        count = walk.pages(len(lines))
        index = cursor.page % count
        page_lines = lines[index * walk.OPTIONS : (index + 1) * walk.OPTIONS]
        if count == 1:
            return [select(placeholder, page_lines, verb, *args)]
        placeholder = f"{placeholder} {self._say('hand.page', page=index + 1, pages=count)}"
        next_page = button(self._say("hand.more"), "page", *self._at(cursor.path), (index + 1) % count)
        return [select(placeholder, page_lines, verb, *args), next_page]

    def _pick(self, node: Pick, cursor: ChoiceCursor) -> tuple[str, list[Control]]:
        if len(node.items) <= walk.OPTIONS:
            lines = [
                MenuLine(item.key, item.label, item.note, chosen=item.key in cursor.picked)
                for item in node.items
            ]
            args = self._at(cursor.path)
            return node.prompt, [
                select(self._say("hand.pick"), lines, "pick", *args, least=node.least, most=node.most)
            ]
        return self._grouped_pick(node, cursor)

    def _grouped_pick(self, node: Pick, cursor: ChoiceCursor) -> tuple[str, list[Control]]:
        """Ask for a group, then for items of it, as a select cannot hold all items. Picks stay."""
        say, picked = self._say, walk.pick_segment(cursor.picked)
        groups = walk.groups(node)
        prompt = node.prompt
        if cursor.picked:
            cards = self._counted(item for item in node.items if item.key in cursor.picked)
            prompt += "\n" + say("hand.picked", cards=cards)
        controls: list[Control] = []
        chosen = next((group for group in groups if group[0] == cursor.group), None)
        if chosen is not None:
            lines = [MenuLine(i.key, i.label, i.note, chosen=i.key in cursor.picked) for i in groups[chosen]]
            args = (*self._at(cursor.path), picked, cursor.group)
            label = say("hand.pick_items", group=chosen[1])
            controls.append(select(label, lines[: walk.OPTIONS], "add", *args, least=0, most=node.most))
        lines = [
            MenuLine(key, label, self._counted(items), chosen=key == cursor.group)
            for (key, label), items in groups.items()
        ]
        placeholder = node.by or say("hand.pick_group")
        controls += self._list(lines, cursor, placeholder, "group", *self._at(cursor.path), picked)
        if len(cursor.picked) >= node.least:
            label, path = say("hand.done", n=len(cursor.picked)), (*cursor.path, picked, "ok")
            controls.append(button(label, "go", *self._at(path), style=ButtonStyle.primary))
        return prompt, controls

    def _counted(self, items: Iterable[Item]) -> str:
        """Return the items in words, with copies counted."""
        counts = Counter(item.alike or item.label for item in items)
        return self._say("table.comma").join(name if n == 1 else f"{name}×{n}" for name, n in counts.items())
