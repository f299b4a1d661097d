"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from typing_extensions import override

from bot.presenters.chemistry.battle.words import Voice
from bot.presenters.telling import Teller, Told
from bot.render.scene import Look
from engine.chemistry.battle.events import EVENTS
from engine.chemistry.battle.rounds import ORDERS, Observation
from engine.game import Event, Outcome, Viewer


def _round_won(teller: _Teller, facts: Told) -> str:
    cards, kitty = facts["cards"], facts["kitty"]
    key = "kitty" if kitty else "won"
    return teller.say(key, card=teller.voice.short(max(cards)), n=len(cards) + kitty)


def _game_over(teller: _Teller, facts: Told) -> str:
    voice, reason, cards = teller.voice, facts["reason"], facts["cards"]
    if reason in ("house_won", "house_lost"):
        own, house = cards
        teller.name = voice.name(0)
        return teller.say(reason + ("_tie" if own == house else ""), own=own, house=house)
    teller.name = voice.names(seat for seat, rank in enumerate(facts["ranks"]) if rank == 1)
    return teller.say("over_tie" if reason == "highest" else "over", cards=max(cards))


class _Teller(Teller[Voice]):
    """Everybody may know all of it."""

    speaks = Voice
    events = EVENTS
    tells: ClassVar[Mapping[str, Callable[[_Teller, Told], str]]] = {
        "game_over": _game_over,
        "round_won": _round_won,
    }

    @override
    def __init__(self, event: Event, viewer: Viewer, voice: Voice) -> None:
        super().__init__(event, viewer, voice)
        # a solo game is the only one in which hand 1 has no seat
        self.name = self.name or voice("house_first")


line = _Teller.line


def when(seen: Observation, look: Look) -> str:
    """The round."""
    return Voice(look)("when.round", round=seen.round + 1)


def status(seen: Observation, look: Look) -> str:
    """The round, and how many are still to be played."""
    voice = Voice(look)
    if seen.over:
        return voice("status.battle_over", n=seen.round)
    return voice("status.battle", round=seen.round + 1, n=max(seen.sizes))


def ending(outcome: Outcome, look: Look) -> str:
    """Who has how many cards, and what decided between equals."""
    voice, facts = Voice(look), outcome.facts
    if len(outcome.standings) == 1:
        own, house = facts["cards"]
        said = [voice(f"ending.{outcome.reason}", name=voice.name(0), own=own, house=house)]
    else:
        said = [*voice.ranking(outcome, "cards")]
    if facts["cards"].count(max(facts["cards"])) > 1:
        said.append(voice("ending.highest", card=voice.short(facts["highest"])))
    if facts["capped"]:
        said.append(voice("ending.capped", n=facts["rounds"]))
    return "\n".join(said)


def tie(outcome: Outcome, look: Look) -> str:
    """The card that told the winner apart from the next of as many."""
    voice = Voice(look)
    return voice("ending.tie", card=voice.short(outcome.facts["highest"]).replace(" ", "\u00a0"))


def progress(seen: Observation) -> tuple[float, ...]:
    """The cards that each player has: those won, those still held, and the one on the table."""
    laid = ORDERS[seen.hands][seen.leader][: len(seen.plays)]
    return tuple(
        float(len(seen.piles[seat]) + seen.sizes[seat] + (seat in laid)) for seat in range(seen.seats)
    )
