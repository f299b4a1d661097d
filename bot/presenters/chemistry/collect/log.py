"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from bot.presenters.base import LINE
from bot.presenters.chemistry.collect import round_summary
from bot.presenters.chemistry.words import Voice, law_of
from bot.presenters.telling import Teller, Told
from bot.render.scene import Look
from engine.chemistry.deck import BOOK, WILD
from engine.chemistry.events import EVENTS
from engine.chemistry.moves import RUN
from engine.chemistry.observation import Observation
from engine.chemistry.scoring import COMPOUND, RUN_CARD
from engine.game import Event, Outcome, Viewer


def _own(teller: _Teller, facts: Told) -> str:
    """Who drew reads which card it is."""
    return teller.say("draw_own" if "card" in facts else "draw")


def _dealt(teller: _Teller, facts: Told) -> str | None:
    return teller.say("dealt") if "cards" in facts else None


def _capture(teller: _Teller, facts: Told) -> str:
    voice, number, told = teller.voice, facts["compound"], teller.say("capture")
    if WILD not in facts["cards"]:
        return told
    # its name alone: what it says stands on the table and in the card
    law = voice.law_name(law_of(BOOK.compounds[number].deck, number))
    return f"{told} {teller.say('wild_law', law=law)}"


def _claim(teller: _Teller, facts: Told) -> str:
    return teller.say("claim_own" if facts["owner"] == teller.seat else "claim")


def _made(teller: _Teller, facts: Told) -> str:
    voice, numbers, runs = teller.voice, facts["compounds"], facts["runs"]
    if not numbers and not runs:
        return teller.say("made_none")
    told = teller.say("made", things=round_summary.things(numbers, runs, voice))
    if len(told) > LINE:
        told = teller.say("made", things=round_summary.things(numbers, runs, voice, short=True))
    if numbers:
        first, *_ = round_summary.telling_order(numbers, facts["round"])
        fact = " " + round_summary.fact(first, voice)
        told += fact if len(told + fact) <= LINE else ""
    return told


def _round_over(teller: _Teller, facts: Told) -> str:
    alone = len(facts["totals"]) == 1 and facts["reason"] == "stuck"
    return teller.say("over_stuck_alone" if alone else f"over_{facts['reason']}")


def _game_over(teller: _Teller, facts: Told) -> str:
    first = [seat for seat, rank in enumerate(facts["ranks"]) if rank == 1]
    names = teller.voice.names(first)
    if len(facts["ranks"]) == 1:
        key = {"target_missed": "solo_lost", "one_round": "solo_done"}.get(facts["reason"], "solo_won")
        return teller.voice(f"line.{key}", name=names, points=teller.voice("points", n=facts["totals"][0]))
    return teller.say("game_won", n=len(first), names=names)


class _Teller(Teller[Voice]):
    """What each seat may know of it."""

    speaks = Voice
    events = EVENTS
    tells: ClassVar[Mapping[str, Callable[[_Teller, Told], str | None]]] = {
        "capture": _capture,
        "claim": _claim,
        "dealt": _dealt,
        "draw": _own,
        "game_over": _game_over,
        "made": _made,
        "round_over": _round_over,
    }


line = _Teller.line


def twice(event: Event, _viewer: Viewer, look: Look) -> str | None:
    """Two cards that others draw are one line."""
    if event.kind != "draw" or "card" in event.facts:
        return None
    voice = Voice(look)
    return voice("line.draw_two", name=voice.name(event.seat))


def when(seen: Observation, look: Look) -> str:
    """The round, if there are several."""
    return Voice(look)("when.round", round=seen.round) if seen.rounds > 1 else ""


def status(seen: Observation, look: Look) -> str:
    """The round, how many compounds are left, and the stock."""
    voice = Voice(look)
    if seen.over:
        return voice("status.over", n=seen.round)
    key = "status.only" if seen.rounds == 1 else "status.round"
    return voice(key, round=seen.round, rounds=seen.rounds, n=len(seen.row) + seen.stack, stock=seen.stock)


def ending(outcome: Outcome, look: Look) -> str:
    """Who has how many points, why it ended, and where to read what was made."""
    voice = Voice(look)
    said = [*voice.ranking(outcome, "points")]
    if outcome.reason == "target_missed":  # a lost match has a score, but no medal
        points = voice("points", n=int(outcome.standings[0].score))
        said = [voice("ending.lost", name=voice.name(0), points=points)]
    key = f"ending.{outcome.reason}"
    if len(outcome.standings) == 1 and outcome.reason == "target":
        key = "ending.solo_target"
    said.append(voice(key, n=outcome.facts["rounds"], target=outcome.facts["target"]))
    said.append(voice("ending.made"))
    return "\n".join(said)


def progress(seen: Observation) -> tuple[float, ...]:
    """The points of the rounds before, and what lies on the table for each player in this one."""
    laid = zip(seen.totals, seen.captured, seen.runs, strict=True)
    if seen.over:
        return tuple(map(float, seen.totals))
    return tuple(
        float(total + COMPOUND * len(captured) + RUN_CARD * RUN * len(runs)) for total, captured, runs in laid
    )
