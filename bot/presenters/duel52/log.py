"""A game of Duel 52 in words: events, status, and result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from bot.presenters.duel52.queries import before, holder
from bot.presenters.duel52.words import Voice
from bot.presenters.telling import Teller, Told
from bot.render.scene import Look
from bot.render.theme import seat_letter
from engine.duel52.events import EVENTS
from engine.duel52.observation import HIDDEN, Observation
from engine.game import Outcome

WON: Final = 4
"""The number of cards a won lane counts for. No single attack kills as many."""


def _own(teller: _Teller, facts: Told) -> str:
    """Use a different sentence for players who know the card."""
    return teller.say(f"{teller.kind}_own" if "card" in facts else teller.kind)


def _look(teller: _Teller, facts: Told) -> str:
    """Name the owner of the card, unless it is on the looking player's side."""
    kind = "look_at_own_side" if teller.seat in facts["owners"] else "look"
    return teller.say(f"{kind}_own" if "card" in facts else kind)


def _draw(teller: _Teller, facts: Told) -> str | None:
    return teller.say("draw_own") if "card" in facts else None


def _flip(teller: _Teller, facts: Told) -> str:
    return teller.say("flip_called" if facts["by"] >= 0 else "flip")


def _attack(teller: _Teller, facts: Told) -> str:
    voice = teller.voice
    attackers = voice.cards([card for _, card in facts["attackers"]])
    targets = [
        voice("line.hit", card=voice.card(card), damage=damage) for _, card, damage in facts["targets"]
    ]
    count = len(facts["attackers"])
    said = teller.say("attack", attackers=attackers, targets=voice.all(targets), n=count)
    if facts["back"]:
        said += " " + voice("line.back", n=facts["back"])
    if facts["healed"]:
        said += " " + voice("line.drinks")
    return said


def _back(teller: _Teller, facts: Told) -> str:
    """Call the card a back for viewers who do not know it."""
    return teller.say(teller.kind, card=teller.voice.card(facts.get("card", HIDDEN)))


def _units(teller: _Teller, facts: Told) -> str:
    """Say how many cards a power affected, if any."""
    return teller.say(teller.kind if facts["units"] else f"{teller.kind}_none", n=len(facts["units"]))


def _empower(teller: _Teller, facts: Told) -> str | None:
    return None if facts["units"] else teller.say("empower_none")


def _pile_empty(teller: _Teller, facts: Told) -> str:
    return teller.say("pile_empty" if facts["bases"] else "pile_empty_triangles")


def _over(teller: _Teller, facts: Told) -> str:
    winners = [seat for seat, rank in enumerate(facts["ranks"]) if rank == 1]
    if facts["reason"] in ("both_sides", "all_out", "no_moves", "thirty_turns"):
        return teller.say("over_drawn")
    return teller.say("over_won", names=teller.voice.names(winners), n=len(winners))


class _Teller(Teller[Voice]):
    """The log lines of Duel 52. Each side reads only what it may know."""

    speaks = Voice
    events = EVENTS
    tells: ClassVar[Mapping[str, Callable[[_Teller, Told], str | None]]] = {
        "attack": _attack,
        "discard": _own,
        "draw": _draw,
        "empower": _empower,
        "flip": _flip,
        "freeze": _units,
        "heal": _units,
        "killed": _back,
        "look": _look,
        "move": _back,
        "over": _over,
        "pile_empty": _pile_empty,
        "play": _own,
    }


line = _Teller.line


def when(seen: Observation, look: Look) -> str:
    """Return the turn."""
    return Voice(look)("when.turn", turn=seen.turns)


def status(seen: Observation, look: Look) -> str:
    """Return the turn, the actions left and the draw pile, and in solo the bet."""
    voice = Voice(look)
    if seen.over:
        return voice("status.over", n=seen.turns)
    if before(seen):
        return voice("status.bet")
    empty = "status.no_pile_triangles" if seen.setup.sides > 2 else "status.no_pile"
    pile = voice("status.pile", n=seen.pile) if seen.pile else voice(empty)
    said = voice("status.turn", turn=seen.turns, n=seen.actions, pile=pile)
    if seen.bet >= 0:
        said += voice("status.bet_on", side=seat_letter(seen.bet))
    return said


def ending(outcome: Outcome, look: Look) -> str:
    """Return the winner and the reason, in solo the outcome of the bet, and the number of turns."""
    voice = Voice(look)
    winners = outcome.winners()
    names = voice.all([voice.name(seat) for seat in winners])
    facts = outcome.facts
    if "bet" not in facts:
        said = [voice(f"ending.{outcome.reason}", names=names, n=len(winners))]
    else:
        reason = outcome.reason
        said = [voice(f"ending.solo.{reason}", side=seat_letter(winners[0]))]
        fate = "won" if facts["bet_won"] else "lost" if len(winners) == 1 else "drawn"
        said.append(voice(f"ending.bet_{fate}", side=seat_letter(facts["bet"])))
    said.append(voice("ending.turns", n=facts["turns"]))
    return "\n".join(said)


def verdict(outcome: Outcome, look: Look) -> str:
    """See `bot.presenters.base.Presenter.verdict`: the winners and the reason."""
    return ending(outcome, look).split("\n", 1)[0]


def progress(seen: Observation) -> tuple[float, ...]:
    """Return the number of cards each player's side has on the table. A lane it has won counts
    for several."""
    return tuple(_gained(seen, seat % seen.setup.sides) for seat in range(len(seen.counts)))


def _gained(seen: Observation, side: int) -> float:
    lanes = range(seen.setup.lanes)
    others = [seat for seat in range(len(seen.counts)) if seat % seen.setup.sides != side]
    # In triangles hands do not matter. Elsewhere, an opponent who still holds a card can play it to any lane.
    safe = not seen.pile and (seen.setup.sides > 2 or not any(seen.counts[seat] for seat in others))
    won = sum(holder(seen, lane) == side for lane in lanes) if safe else 0
    return float(sum(len(seen.row(side, lane)) for lane in lanes) + WON * won)
