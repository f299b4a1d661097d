"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from bot.presenters.atom_duel.words import Voice, number
from bot.presenters.base import LINE
from bot.presenters.telling import Teller, Told
from bot.render.scene import Look
from engine.atom_duel.cards import ANNOUNCED, BY_Z
from engine.atom_duel.events import EVENTS
from engine.atom_duel.observation import Observation
from engine.atom_duel.position import NONE_YET
from engine.elements import ELEMENTS
from engine.game import Event, Outcome, Seat, Value


def _round(teller: _Teller, facts: Told) -> str:
    return teller.say("round_sealed" if facts["simultaneous"] else "round")


def _cards(teller: _Teller, facts: Told) -> str | None:
    """New cards: told to their owner, and to all where they lie face up."""
    if not facts.get("cards"):
        return None
    return teller.say(f"{teller.kind}_own" if teller.viewer == teller.seat else "cards_shown")


def _play(teller: _Teller, facts: Told) -> str:
    card, power = facts["card"], facts["power"]
    if not power:
        return teller.say("play")
    if power in ANNOUNCED and len(ANNOUNCED.intersection(BY_Z[card].powers)) > 1:
        return teller.say("play_as", power=teller.voice(f"as.{power}"))
    return teller.say("play_power", power=teller.voice.power(power))


def _peek(teller: _Teller, facts: Told) -> str:
    if "cards" in facts:
        return teller.say("peek_own")
    voice, slots = teller.voice, facts["slots"]
    return teller.say("peek", slots=voice("line.slots", n=len(slots), slots=voice.slots(slots)))


def _trade(teller: _Teller, facts: Told) -> str:
    return teller.say("trade_known" if "given" in facts else "trade")


def _germanium(teller: _Teller, facts: Told) -> str:
    if facts["shuffled"]:
        return teller.say("germanium")
    key = "germanium_sealed" if facts["sealed"] else "germanium"
    return teller.say(f"{key}_shown" if facts["shown"] else key)


def _lanthanum(teller: _Teller, facts: Told) -> str:
    voice = teller.voice
    rows: dict[int, list[int]] = {}
    for seat, _slot, card in facts["rows"]:
        rows.setdefault(seat, []).append(card)
    if not rows:
        return teller.say("lanthanum_none")
    told = teller.say("lanthanum")
    for seat, cards in rows.items():
        symbols = " ".join(ELEMENTS[z - 1].symbol for z in cards)
        row = " " + voice("line.lanthanum_row", name=voice.name(seat), cards=symbols)
        if len(told + row) > LINE:  # the picture shows them all
            break
        told += row
    return told


def _lanthanum_over(teller: _Teller, facts: Told) -> str:
    if facts["shuffled"]:
        return teller.say("lanthanum_over_shuffled")
    return teller.say("lanthanum_over_hidden" if facts["hidden"] else "lanthanum_over")


def _no_target(teller: _Teller, facts: Told) -> str:
    return teller.say("no_trader" if facts["power"] == "trade_two" else "no_target")


def _seal(teller: _Teller, facts: Told) -> str | None:
    if "card" not in facts:
        return None
    power = facts["power"]
    return teller.say("seal_as", power=teller.voice(f"as.{power}")) if power else teller.say("seal")


def _hand_won(teller: _Teller, facts: Told) -> str:
    return teller.say("hand_won", **_won(teller, facts))


def _won(teller: _Teller, facts: Told) -> dict[str, object]:
    """The words on what a hand was won with. The value is left out if it is the number of the card."""
    members: list[int] = next((s["cards"] for s in reversed(facts["trace"]) if s["kind"] == "winner"), [])
    said = teller.voice.said(teller.events[teller.kind], facts)
    key = "card" if facts["value2"] == 2 * facts["card"] else "value"
    if len(members) > 1:
        key = "compound"
    return {"won": teller.voice(f"line.won_{key}", **said)}


def _round_over(teller: _Teller, facts: Told) -> str:
    voice = teller.voice
    scores = [
        voice("line.score", name=voice.name(seat), points=points)
        for seat, points in enumerate(facts["points"])
    ]
    return teller.say("round_over", points=voice.listed(scores))


def _game_over(teller: _Teller, facts: Told) -> str:
    voice = teller.voice
    first = [seat for seat, rank in enumerate(facts["ranks"]) if rank == 1]
    return teller.say("game_over", names=voice("line.game_won", n=len(first), names=voice.names(first)))


class _Teller(Teller[Voice]):
    """What each player may know of it."""

    speaks = Voice
    events = EVENTS
    tells: ClassVar[Mapping[str, Callable[[_Teller, Told], str | None]]] = {
        "dealt": _cards,
        "game_over": _game_over,
        "germanium": _germanium,
        "hand_won": _hand_won,
        "lanthanum": _lanthanum,
        "lanthanum_over": _lanthanum_over,
        "no_target": _no_target,
        "peek": _peek,
        "play": _play,
        "received": _cards,
        "round": _round,
        "round_over": _round_over,
        "seal": _seal,
        "trade": _trade,
    }


line = _Teller.line


def recall(event: Event, options: Mapping[str, Value], look: Look) -> str | None:
    """Return the line of a decided hand with its round, if the game had several: each counts hands from 1."""
    if event.kind != "hand_won" or int(options["rounds"]) < 2:
        return None
    teller = _Teller(event, None, Voice(look))
    return teller.say("hand_won_in_round", **_won(teller, event.facts))


def when(seen: Observation, look: Look) -> str:
    """The round and the hand."""
    return Voice(look)("when.last" if seen.sealing else "when.hand", round=seen.round, hand=seen.hand)


def status(seen: Observation, look: Look) -> str:
    """The round, the hand and the level."""
    key = "hand"
    if seen.over:
        key = "over"
    elif seen.sealing:
        key = "sealing"
    elif seen.last_round:
        key = "last_round"
    return Voice(look)(
        f"status.{key}",
        n=seen.rounds,
        round=seen.round,
        rounds=seen.rounds,
        hand=seen.hand,
        level=seen.level,
    )


def ending(outcome: Outcome, look: Look) -> str:
    """Who has how many points, and what a tie was decided by."""
    voice = Voice(look)
    said = [*voice.ranking(outcome, "ending.points")]
    if outcome.reason != "points":
        said.append(voice(f"ending.{outcome.reason}", figures=_figures(outcome, voice)))
    return "\n".join(said)


def tie(outcome: Outcome, look: Look) -> str:
    """What told the winner apart from the next of as many points."""
    voice = Voice(look)
    first, follows, place = _decided(outcome)
    own, other = (outcome.tiebreak[seat][place] for seat in (first, follows))
    if not place:
        return voice("ending.tie_round", own=int(own), other=int(other))
    told = number(int(other)) if other != NONE_YET else voice("ending.none")
    return voice("ending.tie_value", own=number(int(own)), other=told)


def _figures(outcome: Outcome, voice: Voice) -> str:
    """The figures that a tie was decided by, of those whom nothing before had told from the winner."""
    facts = outcome.facts
    best = outcome.winners()[0]

    def before(seat: int) -> tuple[float, ...]:
        points = outcome.standings[seat].score
        return (points,) if outcome.reason == "last_round" else (points, facts["last_round"][seat])

    level = [seat for seat in range(len(outcome.standings)) if before(seat) == before(best)]
    said = []
    for seat in level:
        if outcome.reason == "last_round":
            figure = str(facts["last_round"][seat])
        else:
            value2 = facts["best2"][seat]
            figure = number(value2) if value2 != NONE_YET else voice("ending.none")
        said.append(voice("ending.figure", name=voice.name(seat), figure=figure))
    return voice.all(said)


def progress(seen: Observation) -> tuple[float, ...]:
    """The hands that each player has won."""
    return tuple(map(float, seen.points))


def _decided(outcome: Outcome) -> tuple[Seat, Seat, int]:
    """Return the first winner, the next player, and the first place in the tie-break at which they differ."""
    seats = range(len(outcome.standings))
    first, winners = outcome.winners()[0], outcome.winners()
    follows = min((s for s in seats if s not in winners), key=lambda seat: outcome.standings[seat].rank)
    pairs = zip(outcome.tiebreak[first], outcome.tiebreak[follows], strict=True)
    return first, follows, next(place for place, (own, other) in enumerate(pairs) if own != other)
