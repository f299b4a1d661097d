"""The answer to "Why?": how the last play scored, step by step."""

from __future__ import annotations

from bot.presenters.molecular.words import Voice
from bot.render.scene import Look
from engine.molecular.cards import EFFECTOR
from engine.molecular.observation import Observation


def explain(seen: Observation, look: Look) -> str:
    """How the last play scored, step by step; nothing before the first one."""
    last, voice = seen.last, Voice(look)
    if last is None:
        return ""
    name = voice.name(last.seat)
    if last.verb == "tile":
        bonds, unsat, ring, reagent = last.parts
        head = voice("explain.tile", name=name, tile=voice.tile(last.what))
        steps = [voice("explain.edges" if seen.per_edge else "explain.bonds", n=bonds)]
        if unsat:
            steps.append(voice("explain.bonus", effector=voice.effector(EFFECTOR["unsat"]), points=unsat))
        if ring:
            steps.append(voice("explain.bonus", effector=voice.effector(EFFECTOR["ringbonus"]), points=ring))
        if reagent:
            steps.append(voice("explain.reagent", points=reagent))
    else:
        examples, base, bonus, counters, weight = last.parts
        head = voice("explain.group", name=name, group=voice.group(last.what))
        if not examples:
            return "\n".join((head, voice("explain.none"), voice("explain.discard")))
        steps = [voice("explain.base", base=base)]
        if examples > 1:
            steps.append(voice("explain.more", n=examples - 1, examples=examples))
        if bonus:
            steps.append(voice("explain.reagent", points=bonus))
        if counters:
            key = (
                "explain.open_access"
                if not weight
                else "explain.strict"
                if weight > 1
                else "explain.counters"
            )
            steps.append(voice(key, n=counters, less=counters * weight, weight=weight))
        if base + bonus + examples - 1 < counters * weight:
            steps.append(voice("explain.floor"))
        steps.append(voice("explain.counter_placed"))
    numbered = [voice("explain.step", n=n, text=text) for n, text in enumerate(steps, 1)]
    return "\n".join((head, *numbered, voice("explain.total", points=voice.points(last.points))))
