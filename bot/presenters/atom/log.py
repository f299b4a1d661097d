"""How a match goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from bot.presenters.atom.words import Voice, best_first
from bot.presenters.telling import Teller, Told
from bot.render.scene import Look
from engine.atom import scoring
from engine.atom.events import EVENTS
from engine.atom.observation import Observation
from engine.game import Outcome

FEW_CARDS = 10
"""With this number of cards or fewer the log says how many are left."""


def _dealt(teller: _Teller, facts: Told) -> str:
    five = len(facts["left"]) == 5
    key = "dealt_five" if five else "dealt" if facts["game"] == 1 else "dealt_second"
    return teller.say(key, blade=teller.voice.rank(facts["turned"] >> 2))


def _play(teller: _Teller, facts: Told) -> str:
    sort, cards = facts["sort"], facts["cards"]
    key = f"play_{sort}" if sort in ("bomb", "atom", "nuke") else "lead" if facts["leads"] else "play"
    told = teller.say(key, cards=teller.voice.sorted(sort, cards))
    if 0 < facts["left"] <= FEW_CARDS:
        told += teller.voice("line.left", n=facts["left"])
    return told


def _out(teller: _Teller, facts: Told) -> str:
    return teller.say("upstream" if facts["place"] == 1 else "out")


def _trick(teller: _Teller, facts: Told) -> str:
    told = teller.say("trick" if facts["points"] else "trick_empty")
    leader = facts.get("leader", teller.seat)
    if leader != teller.seat:
        told += teller.voice("line.leads", name=teller.voice.name(leader))
    return told


def _laid_open(teller: _Teller, facts: Told) -> str:
    return teller.say("laid_open", n=len(facts["cards"]))


def _settled(teller: _Teller, facts: Told) -> str:
    voice, teams, totals = teller.voice, facts["teams"], facts["totals"]
    sides = [
        voice(
            "line.side",
            names=voice.names(seat for seat, side in enumerate(teams) if side == which),
            points=totals[which],
        )
        for which in (0, 1)
    ]
    return teller.say("settled_five" if len(teams) == 5 else "settled", sides=voice.all(sides, "against"))


def _match_over(teller: _Teller, facts: Told) -> str:
    return teller.say("match_over", score=teller.voice(f"score.{facts['score']}"))


class _Teller(Teller[Voice]):
    """Everything that happens in Atom happens in the open."""

    speaks = Voice
    events = EVENTS
    tells: ClassVar[Mapping[str, Callable[[_Teller, Told], str]]] = {
        "dealt": _dealt,
        "laid_open": _laid_open,
        "match_over": _match_over,
        "out": _out,
        "play": _play,
        "settled": _settled,
        "trick": _trick,
    }


line = _Teller.line


def when(seen: Observation, look: Look) -> str:
    """The trick, and with four players the game."""
    voice = Voice(look)
    if seen.phase == "call":
        return voice("when.call")
    return voice("when.trick" if seen.seats == 5 else "when.match", game=seen.game, trick=seen.tricks + 1)


def status(seen: Observation, look: Look) -> str:
    """Which game and trick it is, the Blade, and what lies in the trick."""
    voice = Voice(look)
    if seen.phase == "over":
        return voice("status.over")
    facts: dict[str, object] = {"blade": voice.rank(seen.blade), "trick": seen.tricks + 1, "n": seen.pot}
    if seen.phase == "call":
        text = voice("status.call", name=look.name(seen.caller), **facts)
    else:
        text = voice("status.trick" if seen.best else "status.lead", **facts)
    return text if seen.seats == 5 else voice("status.match", game=seen.game, status=text)


def ending(outcome: Outcome, look: Look) -> str:
    """Who won and who lost, how much, and the rule that decided it."""
    voice, facts = Voice(look), outcome.facts
    winners = outcome.winners()
    losers = [seat for seat in range(len(outcome.standings)) if seat not in winners]
    score = facts["score"]
    won, lost = best_first(outcome)
    totals = voice("ending.totals", won=won, lost=lost)
    name = voice.name(facts["upstream"])
    return "\n".join(
        (
            voice("ending.won", names=voice.names(winners), score=voice(f"score.{score}"), n=score),
            voice("ending.lost", names=voice.names(losers), n=score),
            voice(f"ending.{outcome.reason}", totals=totals, name=name, least=scoring.FEW),
        )
    )


def verdict(outcome: Outcome, look: Look) -> str:
    """See `bot.presenters.base.Presenter.verdict`: the points of both sides and the size of the win."""
    voice, facts = Voice(look), outcome.facts
    won, lost = best_first(outcome)
    totals = voice("ending.totals", won=won, lost=lost)
    said = voice("ending.verdict", totals=totals, score=voice(f"score.{facts['score']}"))
    if outcome.reason not in ("sweep", "upstream"):
        return said  # the points explain the win
    reason = voice(f"ending.{outcome.reason}", totals=totals, name=voice.name(facts["upstream"]))
    return f"{said}\n{reason}"


def progress(seen: Observation) -> tuple[float, ...]:
    """The points that each player has taken in tricks, in all games so far."""
    before = [result.captured for result in seen.results if result.game < seen.game]
    return tuple(float(sum(column)) for column in zip(seen.captured, *before, strict=True))
