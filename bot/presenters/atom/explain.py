"""Why a play is refused; and the answer to "Why?": what would beat the table, how the last trick went, how
the last game was settled."""

from __future__ import annotations

from bot.presenters.atom.words import Voice, best_first
from bot.render.scene import Look
from engine.atom import scoring
from engine.atom.ai.patterns import REASONS
from engine.atom.cards import ORDER, PACKS, SUIT_STRENGTH, SUITS_UP
from engine.atom.events import REFUSALS
from engine.atom.observation import Act, Observation
from engine.atom.plays import (
    ATOM_TIERS,
    BLADE_BOMB,
    BOMB,
    NUKE_TIERS,
    PLAIN,
    PLAIN_BLADES,
    SPECIAL,
    Play,
    Rung,
    nukes,
    shape,
)
from engine.atom.scoring import EACH, FEW, GameResult
from engine.game import Refusal
from engine.playing_cards import JOKER, RANK_LABELS, SUIT_SIGNS
from engine.reason import Reason

MOST_ACTS = 12
"""How many plays of a trick are told: the last ones."""


def why(refusal: Refusal, look: Look) -> str:
    """The sentence of a refusal; a few have a closer one for what the player may have meant."""
    voice, facts = Voice(look), refusal.facts
    if refusal.rule == "not_one_rank" and len(facts["ranks"]) == 1:
        return voice("why.joker_with_blade", blade=voice.rank(facts["blade"]))
    if "table" in facts:
        packs = PACKS[voice.seats]
        if unbeaten(shape(tuple(facts["table"]), packs), facts["blade"], packs):
            return voice("why.unbeaten", **voice.said(REFUSALS[refusal.rule], facts))
    return voice.why(refusal, REFUSALS)


def because(reason: Reason, look: Look) -> str:
    """Return a reason as a sentence."""
    return Voice(look).because(reason, REASONS)


def explain(seen: Observation, look: Look) -> str:
    """The running trick, the last one, and the last game; nothing when there is none of them."""
    voice = Voice(look)
    parts = []
    if seen.best:
        parts.append(_table(seen, voice))
    if seen.last_trick is not None:
        parts.append(_trick(seen, voice))
    if seen.results:
        parts.append(_game(seen, voice))
    return "\n\n".join(parts)


def _table(seen: Observation, voice: Voice) -> str:
    """What lies on the table and what beats it."""
    play, standing = shape(seen.best, seen.packs), seen.rung
    assert play is not None  # noqa: S101 - there are cards on the table
    assert standing is not None  # noqa: S101 - and they stand somewhere
    key = "explain.table_atom" if play.kind == "atom" else "explain.table"
    head = voice(key, cards=voice.set(seen.best, seen.seats), name=voice.name(seen.best_seat))
    if standing.kind == SPECIAL:
        ways, note = _above_special(seen, play, voice)
    else:
        ways, note = _above(seen, standing, voice)
    if not ways:
        return f"{head}\n{voice('explain.unbeaten')}"
    lines = [head, voice("explain.beaten_by"), *(voice("explain.way", text=text) for text in ways)]
    return "\n".join([*lines, note] if note else lines)


def _above(seen: Observation, standing: Rung, voice: Voice) -> tuple[list[str], str]:
    """What beats cards that are neither atom nor nuke, and a note."""
    blade = voice.rank(seen.blade)
    ways = []
    if standing.kind == PLAIN:
        count = voice(f"explain.of_{standing.size}")
        higher = [RANK_LABELS[rank] for rank in ORDER if rank != seen.blade][standing.strength :]
        if higher:
            key = "explain.one_rank" if len(higher) == 1 else "explain.ranks"
            ways.append(voice(key, count=count, low=higher[0], high=higher[-1]))
        ways.append(voice("explain.blades", count=count, blade=blade))
        ways.append(voice("explain.any_bomb"))
    elif standing.kind == BOMB:
        ways.append(voice("explain.bigger_bomb", n=standing.size))
        ways.append(voice("explain.blade_bomb", blade=blade))
    ways.append(voice("explain.any_atom"))
    blades = standing.kind in (PLAIN_BLADES, BLADE_BOMB)
    return ways, voice("explain.blades_stand", blade=blade) if blades else ""


def _above_special(seen: Observation, play: Play, voice: Voice) -> tuple[list[str], str]:
    """What beats an atom or a nuke, and the order of the ranks among its equals."""
    if unbeaten(play, seen.blade, seen.packs):
        return [], ""
    ways = []
    if play.rank != seen.blade:
        ways.append(voice("explain.higher_rank"))
    if not play.is_nuke:
        if play.rank == JOKER:
            if not play.suit:
                ways.append(voice("explain.red_jokers"))
        elif higher := [SUIT_SIGNS[suit] for suit in reversed(SUITS_UP) if SUIT_STRENGTH[suit] > play.suit]:
            suits = voice("comma").join(higher)
            ways.append(voice("explain.higher_suit", rank=voice.rank(play.rank), suits=suits))
    tiers = sorted([*ATOM_TIERS.values(), *NUKE_TIERS.values()])
    if seen.seats == 4:
        if not play.is_nuke:
            ways.append(voice("explain.any_nuke"))
    elif above := [voice(f"explain.tier_{tier}") for tier in tiers if tier > play.tier]:
        ways.append(voice("explain.above", list=voice("comma").join(above)))
    top = [RANK_LABELS[rank] for rank in ORDER if rank != seen.blade][-1]
    key = "explain.nuke_stands" if play.is_nuke else "explain.atom_stands"
    return ways, voice(key, blade=voice.rank(seen.blade), top=top)


def unbeaten(play: Play | None, blade: int, packs: int) -> bool:
    """Whether there is nothing that beats this play: the largest nuke, of Blades."""
    return play is not None and play.rank == blade and play.tier == NUKE_TIERS[nukes(packs)[-1]]


def _acts(acts: tuple[Act, ...], seats: int, voice: Voice) -> list[str]:
    """The plays of a trick, with the passes after each counted."""
    told: list[tuple[int, tuple[int, ...], int]] = []
    for seat, cards in acts:
        if cards:
            told.append((seat, cards, 0))
        elif told:
            told[-1] = (*told[-1][:2], told[-1][2] + 1)
    lines = []
    skipped = len(told) - MOST_ACTS
    if skipped > 0:
        lines.append(voice("explain.skipped", n=skipped))
    for seat, cards, passes in told[-MOST_ACTS:]:
        line = voice("explain.act", name=voice.name(seat), cards=voice.set(cards, seats))
        if passes:
            line += voice("explain.passes", n=passes)
        lines.append(line)
    return lines


def _trick(seen: Observation, voice: Voice) -> str:
    trick = seen.last_trick
    assert trick is not None  # noqa: S101 - asked for only when there is one
    points = voice("explain.worth", n=trick.points)
    # the play that ends a game is answered by nobody, so nobody has failed to beat it
    key = "explain.ended" if seen.phase == "over" else "explain.taken"
    end = voice(key, name=voice.name(trick.winner), points=points)
    return "\n".join(
        [
            voice("explain.last"),
            *_acts(trick.acts, seen.seats, voice),
            end,
            *_sources(trick.acts, seen, voice),
        ]
    )


def _sources(acts: tuple[Act, ...], seen: Observation, voice: Voice) -> list[str]:
    """Which cards brought the points."""
    found = []
    for _, cards in acts:
        play = shape(cards, seen.packs) if cards else None
        if play is not None and play.points:
            found.append(voice("explain.source", cards=voice.cards(cards), points=play.points))
    return [voice("explain.sources", sources=voice.all(found[:MOST_ACTS]))] if found else []


def _side(result: GameResult, which: int, voice: Voice) -> str:
    """The members of a side."""
    return voice.names(seat for seat, side in enumerate(result.teams) if side == which)


def _game(seen: Observation, voice: Voice) -> str:
    """The settlement of the last game, step by step, and what it decided."""
    result = seen.results[-1]
    head = voice("explain.game_five" if seen.seats == 5 else "explain.game", game=result.game)
    captured = [
        voice("explain.seat_points", name=voice.name(seat), points=n)
        for seat, n in enumerate(result.captured)
    ]
    steps = [
        voice("explain.order", order=voice.names(result.order)),
        voice("explain.captured", captured=voice.all(captured)),
    ]
    steps += [
        voice(
            "explain.downstream",
            name=voice.name(seat),
            captured=result.captured[seat],
            upstream=voice.name(result.order[0]),
            left=result.left[seat],
            others=_side(result, 1 - result.teams[seat], voice),
        )
        for seat in result.downstream
    ]
    totals = [
        voice("line.side", names=_side(result, which, voice), points=result.totals[which]) for which in (0, 1)
    ]
    steps.append(voice("explain.totals", sides=voice.all(totals, "against")))
    over = seen.phase == "over"
    steps += _verdict(seen, voice) if over else [voice("explain.open", least=FEW)]
    return "\n".join([head, *(voice("explain.step", n=n, text=text) for n, text in enumerate(steps, 1))])


def _verdict(seen: Observation, voice: Voice) -> list[str]:
    """Which rule decided the match; with two games they count together, whatever the second one was."""
    last, outcome = seen.results[-1], scoring.outcome(seen.results)
    side = outcome.facts["side"]
    names, losers = (_side(last, which, voice) for which in (side, 1 - side))
    won, lost = best_first(outcome)
    key = f"explain.{outcome.reason}"
    if seen.seats == 5 and outcome.reason in ("points", "upstream"):
        key += "_five"
    said = voice(
        key,
        names=names,
        losers=losers,
        name=voice.name(outcome.facts["upstream"]),
        score=voice(f"score.{outcome.facts['score']}"),
        totals=voice("ending.totals", won=won, lost=lost),
        least=FEW,
        each=EACH,
    )
    if last.sweep >= 0 and outcome.reason != "sweep":
        return [voice("explain.all_count", names=_side(last, last.sweep, voice)), said]
    return [said]
