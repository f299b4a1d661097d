"""Why a move is refused: what is missing, or that wild cards alone do not do."""

from __future__ import annotations

from typing import Any

from bot.presenters.chemistry.words import Voice
from bot.render.scene import Look
from engine.chemistry.deck import BOOK, WILD
from engine.elements import BY_SYMBOL
from engine.game import Refusal


def why(refusal: Refusal, look: Look) -> str:
    """The sentence of a refusal; where cards are missing also what a wild card in the hand could do."""
    voice, facts = Voice(look), refusal.facts
    said: dict[str, Any] = dict(facts)
    if "compound" in facts:
        said["compound"] = voice.compound(facts["compound"])
        elements = BOOK.compounds[facts["compound"]].elements
        said["recipe"] = voice.all([f"{count} {symbol}" for symbol, count in elements.items()])
    if "card" in facts:
        said["card"] = voice.card(facts["card"])
    if "numbers" in facts:
        said["numbers"] = voice.all([str(number) for number in facts["numbers"]])
    if "surplus" in facts:
        said["extra"] = voice.all([f"{count} {voice.symbol(card)}" for card, count in facts["surplus"]])
    if facts.get("problem") == "wilds_and_short":
        # one of the cards that are still missing has to be an element, the others may be wild
        said["atoms"] = voice.all([voice.symbol(card) for card, _ in _in_order(facts)], "or")
        said["rest"] = facts["short"] - 1
    elif "missing" in facts:
        said["atoms"] = _atoms(facts, voice)
    key = f"{refusal.rule}.{facts['problem']}" if "problem" in facts else refusal.rule
    told = voice(f"why.{key}", n=facts.get("short", 0), **said)
    if wilds := facts.get("wilds", 0):
        told += " " + voice("why.wild_does" if wilds == facts["short"] else "why.wild_helps", n=wilds)
    return told


def _atoms(facts: dict[str, Any], voice: Voice) -> str:
    """What is missing: all of it, or so many of it where named wild cards stand for some."""
    short, missing = facts["short"], [(card, count) for card, count in facts["missing"]]
    if "compound" not in facts:
        return voice.all([_counted(card, count, voice.card(card), voice) for card, count in missing])
    missing = _in_order(facts)
    if len(missing) == 1:
        card = missing[0][0]
        return _counted(
            card, short, f"{short} {voice.symbol(card)}" if short > 1 else voice.symbol(card), voice
        )
    if short == sum(count for _, count in missing):
        return voice.all([_counted(c, n, f"{n} {voice.symbol(c)}", voice) for c, n in missing])
    if short == 1:
        return voice.all([voice.symbol(card) for card, _ in missing], "or")
    pool = [voice.symbol(card) for card, count in missing for _ in range(count)]
    return voice("why.some_of", n=short, atoms=", ".join(pool))


def _in_order(facts: dict[str, Any]) -> list[tuple[int, int]]:
    """The missing cards of a compound with how many, in the order of its formula, wild cards last."""
    order = [BY_SYMBOL[symbol].z for symbol in BOOK.compounds[facts["compound"]].elements] + [WILD]
    return sorted(((card, count) for card, count in facts["missing"]), key=lambda one: order.index(one[0]))


def _counted(card: int, count: int, element: str, voice: Voice) -> str:
    """An element as it is to be said here, or so many wild cards."""
    return voice("wilds", n=count) if card == WILD else element
