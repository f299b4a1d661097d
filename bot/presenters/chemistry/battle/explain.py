"""Why a card is refused; and the answer to "Why?": the last round, and how the piles fought it out."""

from __future__ import annotations

from bot.presenters.chemistry.battle import queries
from bot.presenters.chemistry.battle.scenes import in_front
from bot.presenters.chemistry.battle.words import Voice
from bot.render.scene import Look
from engine.chemistry.battle.events import REFUSALS
from engine.chemistry.battle.patterns import REASONS
from engine.chemistry.battle.rounds import HOUSE, ORDERS, Observation
from engine.game import Refusal
from engine.reason import Reason


def why(refusal: Refusal, look: Look) -> str:
    """The sentence of a refusal."""
    return Voice(look).why(refusal, REFUSALS)


def because(reason: Reason, look: Look) -> str:
    """Return a reason as a sentence."""
    return Voice(look).because(reason, REASONS)


def explain(seen: Observation, look: Look) -> str:
    """The last round, and how the piles fought it out."""
    voice = Voice(look)
    if seen.last is None:
        return ""
    last = seen.last
    order = ORDERS[seen.hands][last.leader]
    plays = [
        voice("explain.play", card=voice.short(card), name=_name(hand, seen.seats, voice))
        for hand, card in zip(order, last.cards, strict=True)
    ]
    lines = [
        voice("explain.battle_round", round=seen.round - seen.finale, plays=voice.listed(plays)),
        voice(
            "explain.battle_won",
            name=_name(last.winner, seen.seats, voice),
            card=voice.short(max(last.cards)),
        ),
    ]
    if not seen.over:
        return "\n".join(lines)
    if seen.finale:
        lines.append("")
        lines.append(voice("explain.battle_piles", n=seen.finale))
        lines += _finale(seen, voice)
    key = "explain.battle_capped" if seen.round >= seen.cap else "explain.battle_empty"
    lines.append(voice(key, round=seen.round))
    counts = [len(pile) for pile in seen.piles]
    if counts.count(max(counts)) > 1:
        winner = in_front(seen)
        card = voice.short(max(seen.piles[winner]))
        name = _name(winner, seen.seats, voice)
        lines.append(voice("explain.battle_tie", n=max(counts), name=name, card=card))
    return "\n".join(lines)


def _finale(seen: Observation, voice: Voice) -> list[str]:
    """What each pile began and ended with, and the card that won it most rounds."""
    wins = queries.fight(seen).wins
    lines = []
    for hand, pile in enumerate(seen.piles):
        before, after = len(seen.before[hand]), voice("cards", n=len(pile))
        name = _name(hand, seen.seats, voice, first=True)
        line = voice("explain.pile", name=name, n=sum(wins[hand].values()), before=before, after=after)
        if wins[hand]:
            card, times = max(wins[hand].items(), key=lambda one: (one[1], one[0]))
            line += " " + voice("explain.best_card", card=voice.short(card), n=times)
        lines.append(line)
    return lines


def _name(hand: int, seats: int, voice: Voice, *, first: bool = False) -> str:
    """A player, or the house; `first` where the name begins the sentence."""
    if hand == HOUSE and seats == 1:
        return voice("house_first" if first else "house_bold")
    return voice.name(hand)
