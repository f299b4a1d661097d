"""The sentence for a refused decision, and the answer to "Why?": the last attack and the state of
the game."""

from __future__ import annotations

from typing import Final

from bot.presenters.duel52.queries import holder, is_empty, is_shared
from bot.presenters.duel52.words import Voice
from bot.render.scene import Look
from engine.duel52.ai.patterns import REASONS
from engine.duel52.events import REFUSALS
from engine.duel52.marks import DIES, SPRINGS
from engine.duel52.observation import BlowView, HitView, Observation
from engine.game import Refusal
from engine.playing_cards import EIGHT, JACK, NINE, TEN
from engine.reason import Reason

_FATES: Final = {DIES: "dies", SPRINGS: "springs"}


def why(refusal: Refusal, look: Look) -> str:
    """Return the sentence of a refusal."""
    return Voice(look).why(refusal, REFUSALS)


def because(reason: Reason, look: Look) -> str:
    """Return a reason as a sentence."""
    return Voice(look).because(reason, REASONS)


def explain(seen: Observation, look: Look) -> str:
    """Return the last attack step by step, then what it takes to win, or how the game ended."""
    voice = Voice(look)
    parts = []
    if seen.last is not None:
        place = voice.inside(seen.last.lane, triangles=seen.setup.sides > 2)
        parts.append(_blow(seen.last, place, voice))
    if seen.over:
        parts.append(voice(f"explain.over.{seen.reason}"))
    elif not seen.pile:
        parts.append(_standing(seen, voice))
    elif not parts:
        win = voice("explain.win_triangles" if seen.setup.sides > 2 else "explain.win")
        parts.append(voice("explain.nothing", win=win))
    return "\n\n".join(parts)


def _blow(blow: BlowView, place: str, voice: Voice) -> str:
    attackers = voice.cards([hit.card for hit in blow.attackers])
    lines = [voice("explain.attack", name=voice.name(blow.seat), attackers=attackers, lane=place)]
    lines += [voice("explain.step", text=text) for text in _why(blow, voice)]
    for hit in (*blow.targets, *blow.attackers):
        if hit.damage or hit.fate or hit.healed:
            said = _hit(hit, voice)
            lines.append(voice("explain.step", text=said[:1].upper() + said[1:]))
    return "\n".join(lines)


def _why(blow: BlowView, voice: Voice) -> list[str]:
    """Return the rules that explain the numbers."""
    rank = blow.attackers[0].card >> 2
    faces = [hit.card >> 2 for hit in blow.targets if hit.card >= 0]
    keys = []
    if blow.paired:
        keys.append("pair_of_10s" if rank == TEN and len(blow.targets) > 1 else "pair")
    elif len(blow.targets) > 1:
        keys.append("twinstrike")
    if rank == NINE and JACK in faces:
        keys.append("nine_jack")
    elif JACK in faces:
        keys.append("taunt")
    if EIGHT in faces:
        keys.append("nine_eight" if rank == NINE else "eight")
    if any(hit.healed for hit in blow.attackers):
        keys.append("vampire")
    if any(hit.card < 0 for hit in blow.targets):
        keys.append("back")
    return [voice(f"explain.why.{key}") for key in keys]


def _hit(hit: HitView, voice: Voice) -> str:
    card = voice.card(hit.card)
    said = voice("explain.takes", card=card, n=hit.damage) if hit.damage else card
    if hit.healed:
        said += voice("explain.heals")
    if hit.fate:
        said += voice(f"explain.{_FATES[hit.fate]}")
    return said


def _standing(seen: Observation, voice: Voice) -> str:
    """Describe who holds which lane after the pile has run out."""
    setup = seen.setup
    lines = [voice("explain.standing_triangles" if setup.sides > 2 else "explain.standing")]
    for lane in range(setup.lanes):
        place = voice.place(seen, lane)
        empty = is_empty(seen, lane)
        if (owner := holder(seen, lane)) >= 0:
            key = "explain.held" if empty else "explain.alone"
            lines.append(voice(key, lane=place, name=voice.of_side(seen, owner)))
        else:
            shared = "explain.shared" if is_shared(seen, lane) else "explain.empty"
            lines.append(voice(shared if empty else "explain.contested", lane=place))
    cards = sum(seen.counts)
    if cards and setup.sides == 2:
        lines.append(voice("explain.hands", n=cards))
    return "\n".join(lines)
