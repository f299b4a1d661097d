"""The words and pictures of the probe game: plain, but complete."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bot.presenters.base import Branch, CardEntry, Choice, Item, Leaf, Node, Page, Pick, Presenter
from bot.render.scene import Look, Panel, Rect, Scene, Size, Text
from engine.game import Event, Outcome, Refusal, Value, Viewer
from tests.support.games.probe import Act, Observation, rank

SUITS = "CDHS"
STRINGS = {
    "probe.title": "Probe",
    "probe.blurb": "A game for tests.",
    "probe.tagline": "Made to be tried.",
    "probe.about": "Made for tests.",
}


def speak(_locale: str) -> Callable[..., str]:
    return STRINGS.__getitem__


def name(card: int) -> str:
    return f"Joker {card - 51}" if card >= 52 else f"{rank(card) + 1}{SUITS[card // 13]}"


def choices(seen: Observation, actions: Sequence[Act], _look: Look) -> Node:
    verbs = {action.verb for action in actions}
    if "bid" in verbs:
        bids = (Choice(f"bid{a.value}", f"Bid {a.value}", Leaf(a)) for a in actions)
        return Branch("What do you bid?", tuple(bids))
    if "look" in verbs:
        places = (Choice(f"at{a.value}", f"Look at card {a.value + 1}", Leaf(a)) for a in actions)
        return Branch("Which card?", tuple(places))
    if not verbs:
        return Branch("Nothing to do", ())
    items = tuple(
        Item(str(card), name(card), group=(f"r{rank(card)}", f"Rank {rank(card) + 1}")) for card in seen.hand
    )

    def lay(keys: tuple[str, ...]) -> Act:
        return Act("lay", 0, tuple(sorted(int(key) for key in keys)))

    offered = [Choice("pass", "Pass", Leaf(Act("pass")))]
    if items:

        def keys_of(action: Act) -> tuple[str, ...] | None:
            return tuple(map(str, action.cards)) if action.verb == "lay" else None

        pick = Pick("Which cards of one rank?", items, 1, min(4, len(items)), lay, keys_of)
        offered.insert(0, Choice("lay", "Lay a set", pick, strong=True))
    return Branch("Your turn", tuple(offered))


def line(event: Event, _viewer: Viewer, look: Look) -> str:
    facts = ", ".join(f"{key} {value}" for key, value in event.facts.items())
    who = look.name(event.seat) if event.seat >= 0 else "The table"
    return f"{who} {event.kind} {facts}"


def why(refusal: Refusal, _look: Look) -> str:
    return f"The rule {refusal.rule} forbids it."


def status(seen: Observation, _look: Look) -> str:
    return f"Round {seen.round + 1} of {seen.rounds}: {seen.phase}"


def explain(seen: Observation, _look: Look) -> str:
    return f"The highest bid looks; among equals the {seen.ties} seat."


def scene(text: str) -> Scene:
    items = (
        Panel(Rect(0, 0, 1280, 320), "felt"),
        Text(Rect(40, 40, 1200, 240), text, Size.BODY, max_lines=4),
    )
    return Scene(1280, 320, items, alt=text)


def table(seen: Observation, look: Look) -> Scene:
    return scene(f"{status(seen, look)}. Points {list(seen.points)}")


def hand(seen: Observation, _look: Look) -> Scene:
    return scene("Your hand: " + " ".join(name(card) for card in seen.hand[:12]))


def ending(outcome: Outcome, look: Look) -> str:
    return "\n".join(f"{s.rank}. {look.name(seat)}: {s.score:g}" for seat, s in enumerate(outcome.standings))


def option(key: str, value: Value | None, _look: Look) -> tuple[str, str]:
    return (key.title() if value is None else f"{key} {value}"), "An option of the probe game."


def cards(_locale: str) -> tuple[CardEntry, ...]:
    return tuple(CardEntry(str(card), name(card)) for card in range(54))


def card(key: str, _look: Look, _options: Mapping[str, Value] | None = None) -> Page:
    if key not in map(str, range(54)):
        raise KeyError(key)
    return Page(name(int(key)), "A card.", scene(name(int(key))))


def rules(_locale: str, _options: Mapping[str, Value] | None = None) -> tuple[Page, ...]:
    return (Page("Rules", "Bid, look, lay."),)


PRESENTER = Presenter(
    key="probe",
    choices=choices,
    line=line,
    why=why,
    status=status,
    table=table,
    hand=hand,
    rules=rules,
    explain=explain,
    ending=ending,
    option=option,
    cards=cards,
    card=card,
    speak=speak,
)
