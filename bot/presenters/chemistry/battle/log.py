"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from bot.presenters.chemistry.words import Voice
from bot.presenters.telling import Facts
from bot.render.scene import Look
from engine.chemistry.battle.rounds import Observation
from engine.game import Event, Outcome, Viewer


def line(event: Event, _viewer: Viewer, look: Look) -> str | None:
    """What happened, in one line."""
    voice, facts = Voice(look), event.facts
    # a solo game is the only one in which hand 1 has no seat
    name = voice("house_first") if event.seat < 0 else voice.name(event.seat)
    if event.kind == "play":
        return voice("line.battle_play", name=name, card=voice.card(facts["card"]))
    if event.kind == "round_won":
        key = "line.battle_kitty" if facts["kitty"] else "line.battle_won"
        best = voice.short(max(facts["cards"]))
        return voice(key, name=name, card=best, n=len(facts["cards"]) + facts["kitty"], round=facts["round"])
    if event.kind == "piles":
        return voice("line.battle_piles", sizes=" : ".join(map(str, facts["sizes"])))
    return _game_over(facts, voice)


def _game_over(facts: Facts, voice: Voice) -> str:
    if facts["reason"] in ("house_won", "house_lost"):
        own, house = facts["cards"]
        key = f"line.{facts['reason']}" + ("_tie" if own == house else "")
        card = voice.short(facts["highest"])
        return voice(key, name=voice.name(0), own=own, house=house, round=facts["rounds"], card=card)
    first = [voice.name(seat) for seat, rank in enumerate(facts["ranks"]) if rank == 1]
    return voice(
        "line.battle_over_tie" if facts["reason"] == "highest" else "line.battle_over",
        name=voice.all(first),
        card=voice.short(facts["highest"]),
        cards=max(facts["cards"]),
        round=facts["rounds"],
    )


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
