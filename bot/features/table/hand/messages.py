"""The hand: a private picture and the choices, for every game the same.

A press walks one step down the presenter's tree; at its end stands a decision, which `Table.act`
carries out. The answer is always the hand as it is now.
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
    """Where in the choices a hand is: the path, the page of a long list, a pick half made."""

    path: walk.Path = ()
    page: int = 0
    picked: walk.Path = ()
    group: str = ""
    sure: bool = False
    """The path leads to a decision that is asked once more."""
    filled: walk.Path = ()
    """The way on from here to a form that is to be mended: its key, and what stands in it."""

    @classmethod
    def of(cls, question: walk.Question) -> ChoiceCursor:
        """Where a question stands: a form, at the question that offers it."""
        if isinstance(question.node, Form):
            return cls(question.path[:-1], filled=(question.path[-1], walk.pick_segment(question.picked)))
        return cls(question.path, picked=question.picked)


TOP_CHOICE = ChoiceCursor()
FEWEST_ROWS = 2
"""Rows of a phone that always tell what has happened, even where the hand leaves no room for them."""
ROWS_ON_WAY = 1
"""Rows that tell it on the way to a decision, where the player has read the rest before."""
STRONG = 5
"""How many of more answers than there are buttons may be buttons all the same."""
NOTES = 5
"""The notes of up to so many buttons stand below the question, where there is room for them or nothing else
explains what they say."""


def _daily_line(table: Table, say: Words) -> str:
    """Return until when the deal of a day counts, or that it was finished too late; nothing of practice."""
    terms = table.stored.terms
    if not terms.daily or terms.practice:
        return ""
    at = opens_at(terms)
    if table.outcome() is None:
        return say("daily.counts_until", at=at)
    return say("daily.too_late", at=at) if (table.stored.ended_at or 0) >= 1000 * at else ""


def way_shown(view: SeatView, spot: ChoiceCursor) -> Scene | None:
    """The picture of a hand at this place in its choices, where that is another one than at rest."""
    table, path = view.table, spot.path[:-1] if spot.sure else spot.path
    asks = view.legal and table.phase == "live" and not table.paused and table.outcome() is None
    return view.way(path) if asks and path else None


@dataclass(frozen=True, slots=True)
class _HandFrame:
    """The parts that every hand has."""

    view: SeatView
    cursor: ChoiceCursor
    notice: str
    picture: Scene | KeptPicture
    say: Words

    def heading(self) -> str:
        """Return the title. Before the first choice it also has the rules by which the table is played."""
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
        """Return the controls of a game under way that do not answer its question."""
        view, say = self.view, self.say
        table, found = view.table, list[Control]()
        must_decide = bool(view.legal) and all(action[0] != PASS for action in view.legal)
        if view.presenter.can_pass and not must_decide:
            seconds = autopass_seconds(table.stored.terms, table.sitters[view.seat].user_id)
            label = say("hand.autopass", n=seconds) if seconds else say("hand.no_autopass")
            found.append(button(label, "autopass", table.id, view.seat, emoji="⏩"))
        if is_hand_only(table) and not table.stored.terms.daily:
            # below a table message there would be the same buttons
            own: list[tuple[int, Control]] = [
                (20, button(say("table.log"), "log", table.id)),
                (30, button(say("table.more"), "more", table.id)),
            ]
            found += table_slots.HAND_ONLY.controls(say, table, own)
        return found

    def controls(self) -> list[Control]:
        """Return the controls of every hand, such as the one that explains its cards."""
        view, own = self.view, list[tuple[int, Control]]()
        if view.presenter.needs_closeups(view.observation):
            own.append((30, button(self.say("table.closer"), "closer", view.table.id, emoji="🔍")))
        return table_slots.HAND.controls(self.say, view, own)

    def absence(self) -> str:
        """Return that the computer holds the seat or that the table sleeps, or an empty string."""
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
        """Return the hand with this below its picture; `habits` are in a row of their own."""
        view, table = self.view, self.view.table
        wish = request(table, view.locale, table.sitters[view.seat].user_id)
        heading = self.heading() if heading is None else heading
        blocks = (heading, view.letters, self.notice, happened, self.picture, *wish, prompt, controls)
        message = page(*blocks, list(habits), picture_name=HAND_PICTURE)
        message.moment = view.moment()
        message.retry = ids.make("hand", table.id, view.seat)
        return message


def hand_message(
    view: SeatView, cursor: ChoiceCursor = TOP_CHOICE, *, notice: str = "", kept: str | None = None
) -> Message:
    """Return the hand of a seat.

    `kept` is the alt text of the picture that the message already has and is to keep; then none is drawn.
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
    """Return the hand of a game that is over: how its holder came out, and what may follow."""
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
        place = ""  # a person on both sides has won and lost; the game itself says how their bet went
    rated = what_it_counts(table, view.locale)
    friendly = say("friendly.over") if table.stored.terms.friendly and rated else ""
    lines = (say("hand.over"), place, view.presenter.ending(outcome, view.look), friendly)
    controls = [*table_slots.HAND_END.controls(say, view), *frame.controls()]
    return frame.page("\n".join(filter(None, lines)), controls)


def _paused(frame: _HandFrame) -> Message:
    """Return the hand of a table that pauses; the request in it leads on."""
    habits, controls = frame.habits(), list[Control]()
    (habits or controls).extend([*table_slots.QUESTION.controls(frame.say, frame.view), *frame.controls()])
    return frame.page("", controls, habits)


def _waiting(frame: _HandFrame) -> Message:
    """Return the hand while others are to act."""
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
    """Return the hand that asks for a decision, with as much of the log as there is room for."""
    view, say, cursor = frame.view, frame.say, frame.cursor
    prompt, notes, controls = _Asker(view, say).ask(cursor)
    if absence := frame.absence():
        prompt = f"{prompt}\n{absence}"
    habits, side = frame.habits(), frame.controls()
    if not cursor.sure:
        side = [*table_slots.QUESTION.controls(say, view), *side]
    (habits or controls).extend(side)
    heading = frame.heading()
    # on a way that has pictures of its own one looks at those, and has read what happened
    tells = not (cursor.path and view.presenter.draws_steps)
    beside = list[float]()
    if notes or (tells and not cursor.path):
        texts = (heading, view.letters, frame.notice)
        beside = _heights(view, frame.picture, texts, (controls, habits))
    if notes:
        noted = "\n".join((prompt, notes))
        room = phone.rows_beside(*beside, phone.words_height(noted))
        fits = room >= (ROWS_ON_WAY if cursor.path else FEWEST_ROWS)
        if fits or not view.presenter.at_hand(view.observation):
            prompt = noted
    happened = ""
    if tells and cursor.path:
        happened = _since(view, say, ROWS_ON_WAY)
    elif tells:
        room = phone.rows_beside(*beside, phone.words_height(prompt))
        happened = _since(view, say, min(max(room, FEWEST_ROWS), MOST_ROWS))
    return frame.page(prompt, controls, habits, happened=happened, heading=heading)


def _heights(
    view: SeatView, picture: Scene | KeptPicture, texts: Iterable[str], rows_of: Iterable[list[Control]]
) -> list[float]:
    """How high the parts of a hand are on a phone."""
    scene = picture if isinstance(picture, Scene) else view.scene
    high = [*map(phone.words_height, texts), *map(phone.controls_height, rows_of)]
    return [phone.picture_height(scene), *high]


def _since(view: SeatView, say: Words, room: int) -> str:
    """Return the log since the seat's last move, shortened towards `room` rows."""
    return "\n".join(f"-# {line}" for line in fitting(view.happened, view.seat, say, room))


def choice_button(label: str, view: SeatView, path: walk.Path, *, style: ButtonStyle) -> Control:
    """Return a button that takes this path through the choices of a hand."""
    where = (view.table.id, view.seat, view.decision)
    return button(label, "go", *where, ids.path_text(path), style=style)


def hand_button(label: str, table_id: int, *, style: ButtonStyle = ButtonStyle.secondary) -> Control:
    """Return a button that opens the person's hand at this table."""
    return button(label, "hand", table_id, style=style)


def form_of(view: SeatView, asked: Form, place: walk.Question) -> Modal:
    """A form of the choices, with what stands in it, or as the presenter fills it in."""
    chosen = place.picked or asked.filled_in()
    fields = [
        FormField(
            blank.key,
            blank.label,
            [MenuLine(i.key, i.label, i.note, chosen=i.key == key) for i in blank.items],
        )
        for blank, key in zip(asked.blanks, chosen, strict=True)
    ]
    where = (view.table.id, view.seat, view.decision, ids.path_text(place.path))
    return form(asked.title, ids.make("form", *where), fields)


def picking(
    view: SeatView, spot: ChoiceCursor, chosen: Sequence[str] | None = None
) -> tuple[ChoiceCursor, str]:
    """Where a long pick stands when a group of it is opened or, with `chosen`, when these of its items are
    picked, while those of other groups stay; and what is said, where that cannot be."""
    place, say = view.at(spot.path), words(view.locale)
    node = place.node if isinstance(place, walk.Question) else None
    if not isinstance(node, Pick):
        return TOP_CHOICE, say("refused.no_choice")
    picked = spot.picked
    if chosen is not None:
        inside = {item.key for item in node.items if item.group[0] == spot.group}
        picked = (*(key for key in picked if key not in inside), *chosen)
    if len(picked) > node.most:
        return spot, say("refused.too_many_picked", most=node.most)
    if isinstance(view.at((*spot.path, walk.pick_segment(picked))), walk.Lost):
        return TOP_CHOICE, say("refused.no_choice")
    return replace(spot, picked=picked), ""


class _Asker:
    """Turns one node of a tree into a prompt and controls."""

    def __init__(self, view: SeatView, say: Words) -> None:
        self._say = say
        self._view = view
        self._where = (view.table.id, view.seat, view.decision)

    def ask(self, spot: ChoiceCursor) -> tuple[str, str, list[Control]]:
        """The question, the notes of its answers, and the answers."""
        place = self._view.at(spot.path)
        if spot.sure and isinstance(place, walk.Decision):
            prompt, controls = self._once_more(place, spot)
            return prompt, "", controls
        if not isinstance(place, walk.Question) or isinstance(place.node, Form):
            spot, place = TOP_CHOICE, self._view.at(())
        if isinstance(place, walk.Decision):  # a tree of one leaf: still, nobody is hurried
            return "", "", [button(self._say("hand.pick"), "go", *self._at(()), style=ButtonStyle.primary)]
        if isinstance(place, walk.Lost) or isinstance(place.node, Form):
            return "", "", []
        notes = ""
        if isinstance(place.node, Branch):
            prompt, notes = place.node.prompt, self._notes(place.node)
            controls = self._branch(place.node, spot)
        else:
            prompt, controls = self._pick(place.node, spot)
        if spot.path:
            up = spot.path if spot.picked or spot.group else spot.path[:-1]
            controls.append(button(self._say("hand.back"), "go", *self._at(up)))
        return prompt, notes, controls

    def _once_more(self, place: walk.Decision, spot: ChoiceCursor) -> tuple[str, list[Control]]:
        """For who wants each decision asked once more."""
        yes = button(self._say("hand.sure_yes"), "sure", *self._at(spot.path), style=ButtonStyle.success)
        back = button(self._say("hand.back"), "go", *self._at(spot.path[:-1]))
        told = in_words(Route(place.action, spot.path, place.labels, place.wording))
        return self._say("hand.sure", way=inert(told)), [yes, back]

    def _at(self, path: walk.Path) -> tuple[object, ...]:
        """Return the arguments of a control: table, seat, decision number and path."""
        return *self._where, ids.path_text(path)

    def _notes(self, node: Branch) -> str:
        """The notes of a few choices that are buttons, which have no room for them; equal ones stand once."""
        if len(node.choices) > NOTES:
            return ""
        about = [(inert(c.noted or c.label), inert(c.note)) for c in node.choices if c.note]
        return "\n".join(self._say("hand.note", name=name, note=note) for name, note in dict.fromkeys(about))

    def _branch(self, node: Branch, spot: ChoiceCursor) -> list[Control]:
        if len(node.choices) <= walk.BUTTONS:
            return [self._button(choice, spot) for choice in node.all_choices()]
        # what stands out stays a button, however many answers there are
        strong = [choice for choice in node.choices if choice.strong][:STRONG]
        lines = [MenuLine(c.key, c.label, c.note, c.emoji) for c in node.choices if c not in strong]
        listed = self._list(lines, spot, self._say("hand.pick"), "sel", *self._at(spot.path))
        return [
            *(self._button(choice, spot) for choice in strong),
            *listed,
            *(self._button(choice, spot) for choice in node.side_choices),
        ]

    def _button(self, choice: Choice, spot: ChoiceCursor) -> Control:
        if spot.filled[:1] == (choice.key,):
            path = (*spot.path, *spot.filled)
            return button(self._say("hand.mend"), "go", *self._at(path), style=ButtonStyle.primary)
        style = ButtonStyle.primary if choice.strong else ButtonStyle.secondary
        label = choice.short or choice.label
        path = (*spot.path, choice.key)
        return button(label, "go", *self._at(path), style=style, emoji=choice.emoji)

    def _list(
        self, lines: list[MenuLine], spot: ChoiceCursor, placeholder: str, verb: str, *args: object
    ) -> list[Control]:
        """A select of one page of the lines, and the way to the next page."""
        last = walk.pages(len(lines))
        at = spot.page % last
        shown = lines[at * walk.OPTIONS : (at + 1) * walk.OPTIONS]
        if last == 1:
            return [select(placeholder, shown, verb, *args)]
        placeholder = f"{placeholder} {self._say('hand.page', page=at + 1, pages=last)}"
        more = button(self._say("hand.more"), "page", *self._at(spot.path), (at + 1) % last)
        return [select(placeholder, shown, verb, *args), more]

    def _pick(self, node: Pick, spot: ChoiceCursor) -> tuple[str, list[Control]]:
        if len(node.items) <= walk.OPTIONS:
            lines = [
                MenuLine(item.key, item.label, item.note, chosen=item.key in spot.picked)
                for item in node.items
            ]
            args = self._at(spot.path)
            return node.prompt, [
                select(self._say("hand.pick"), lines, "pick", *args, least=node.least, most=node.most)
            ]
        return self._grouped_pick(node, spot)

    def _grouped_pick(self, node: Pick, spot: ChoiceCursor) -> tuple[str, list[Control]]:
        """More items than a select holds: first a group, then items of it; what is picked stays."""
        say, picked = self._say, walk.pick_segment(spot.picked)
        found = walk.groups(node)
        prompt = node.prompt
        if spot.picked:
            cards = self._counted(item for item in node.items if item.key in spot.picked)
            prompt += "\n" + say("hand.picked", cards=cards)
        controls: list[Control] = []
        chosen = next((group for group in found if group[0] == spot.group), None)
        if chosen is not None:
            lines = [MenuLine(i.key, i.label, i.note, chosen=i.key in spot.picked) for i in found[chosen]]
            args = (*self._at(spot.path), picked, spot.group)
            label = say("hand.pick_items", group=chosen[1])
            controls.append(select(label, lines[: walk.OPTIONS], "add", *args, least=0, most=node.most))
        lines = [
            MenuLine(key, label, self._counted(items), chosen=key == spot.group)
            for (key, label), items in found.items()
        ]
        ask = node.by or say("hand.pick_group")
        controls += self._list(lines, spot, ask, "group", *self._at(spot.path), picked)
        if len(spot.picked) >= node.least:
            label, done = say("hand.done", n=len(spot.picked)), (*spot.path, picked, "ok")
            controls.append(button(label, "go", *self._at(done), style=ButtonStyle.primary))
        return prompt, controls

    def _counted(self, items: Iterable[Item]) -> str:
        """These items in words, copies of one counted."""
        many = Counter(item.alike or item.label for item in items)
        return self._say("table.comma").join(name if n == 1 else f"{name}×{n}" for name, n in many.items())
