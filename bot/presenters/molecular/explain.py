"""Why a decision is refused; and the answer to "Why?": how the last play scored, step by step."""

from __future__ import annotations

from bot.presenters.molecular.words import Voice
from bot.render.scene import Look
from engine.game import Refusal
from engine.molecular.ai.patterns import REASONS
from engine.molecular.cards import EFFECTOR, ELEMENT, RAISED
from engine.molecular.events import REFUSALS
from engine.molecular.observation import Observation
from engine.reason import Reason


def because(reason: Reason, look: Look) -> str:
    """Return a reason as a sentence."""
    return Voice(look).because(reason, REASONS)


def why(refusal: Refusal, look: Look) -> str:
    """The sentence of a refusal."""
    voice, facts = Voice(look), refusal.facts
    if refusal.rule == "no_actions" and facts["free"]:
        return voice("why.no_actions_but_free")
    if refusal.rule == "not_an_end" and facts["start"]:
        return voice("why.start_tile")
    return voice.why(refusal, REFUSALS)


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
            reagent_card = EFFECTOR["hydrogen" if ELEMENT[last.what] == "H" else "grignard"]
            steps.append(voice("explain.bonus", effector=voice.effector(reagent_card), points=reagent))
    else:
        examples, base, bonus, counters, weight = last.parts
        head = voice("explain.group", name=name, group=voice.group(last.what))
        if not examples:
            return "\n".join((head, voice("explain.none"), voice("explain.discard")))
        steps = [voice("explain.base", base=base)]
        if examples > 1:
            steps.append(voice("explain.more", n=examples - 1, examples=examples))
        if bonus:
            steps.append(_raised(seen, last.what, bonus, voice))
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


def _raised(seen: Observation, group: int, bonus: int, voice: Voice) -> str:
    """What a reagent added to a card. It may have been replaced since; where two that were in play
    raise this group, it is not named."""
    possible = [card for card, raised in RAISED.items() if group in raised]
    met = [card for card in possible if card == seen.reagent or card in seen.used_effectors]
    if len(met) == 1:
        return voice("explain.bonus", effector=voice.effector(met[0]), points=bonus)
    return voice("explain.reagent", points=bonus)
