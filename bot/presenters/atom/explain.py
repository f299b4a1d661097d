"""The answer to "Why?": what would beat the table, how the last trick went, how the last game was settled."""

from __future__ import annotations

from bot.presenters.atom.lines import side_names
from bot.presenters.atom.words import Voice
from bot.render.scene import Look
from engine.atom.cards import ORDER
from engine.atom.observation import Act, Observation
from engine.atom.plays import BLADE_BOMB, BOMB, PLAIN, PLAIN_BLADES, SPECIAL, shape
from engine.atom.scoring import FEW, GameResult
from engine.playing_cards import RANK_LABELS, TWO

MOST_ACTS = 12
"""So many plays of a trick are told, the last ones."""


def explain(seen: Observation, look: Look) -> str:
    """The running trick, the last one, and the last game; nothing when there is none of them."""
    voice = Voice(look)
    parts = []
    if seen.best:
        parts.append(_table(seen, voice))
    if seen.last_trick is not None:
        parts.append(_trick(seen, voice))
    if seen.results:
        parts.append(_game(seen.results[-1], voice))
    return "\n\n".join(parts)


def _table(seen: Observation, voice: Voice) -> str:
    """What lies on the table and what beats it."""
    standing = seen.rung
    assert standing is not None  # noqa: S101 - there are cards on the table
    name = voice.name(seen.best_seat)
    head = voice("explain.table", cards=voice.set(seen.best, seen.seats), name=name)
    blade = voice.rank(seen.blade)
    ways = []
    count = voice(f"explain.of_{min(standing.size, 3)}")
    if standing.kind == PLAIN:
        higher = [RANK_LABELS[rank] for rank in ORDER if rank != seen.blade][max(standing.strength, 0) :]
        if higher:
            key = "explain.one_rank" if len(higher) == 1 else "explain.ranks"
            ways.append(voice(key, count=count, low=higher[0], high=higher[-1]))
        ways.append(voice("explain.blades", count=count, blade=blade))
        ways.append(voice("explain.any_bomb"))
    elif standing.kind == BOMB:
        ways.append(voice("explain.bigger_bomb", n=standing.size))
        ways.append(voice("explain.blade_bomb", blade=blade))
    if standing.kind != SPECIAL:
        ways.append(voice("explain.any_atom"))
        why = {PLAIN_BLADES: "explain.blades_stand", BLADE_BOMB: "explain.blades_stand"}.get(standing.kind)
    else:
        ways.append(voice("explain.higher_atom"))
        why = "explain.atom_stands"
    lines = [head, voice("explain.beaten_by"), *(voice("explain.way", text=text) for text in ways)]
    if why:
        lines.append(voice(why, blade=blade, two=RANK_LABELS[TWO]))
    return "\n".join(lines)


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
    points = voice("explain.points", n=trick.points)
    end = voice("explain.taken", name=voice.name(trick.winner), points=points)
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


def _game(result: GameResult, voice: Voice) -> str:
    """The settlement, step by step."""
    lines = [voice("explain.game", game=result.game)]
    order = voice.all([voice.name(seat) for seat in result.order])
    lines.append(voice("explain.order", order=order))
    captured = voice.all(
        [
            voice("explain.seat_points", name=voice.name(seat), points=n)
            for seat, n in enumerate(result.captured)
        ]
    )
    lines.append(voice("explain.captured", captured=captured))
    up = voice.name(result.order[0])
    for seat in result.downstream:
        other = side_names(result, 1 - result.teams[seat], voice)
        lines.append(
            voice(
                "explain.downstream",
                name=voice.name(seat),
                captured=result.captured[seat],
                upstream=up,
                left=result.left[seat],
                others=other,
            )
        )
    totals = [
        voice("line.side", names=side_names(result, which, voice), points=result.totals[which])
        for which in (0, 1)
    ]
    lines.append(voice("explain.totals", sides=voice.all(totals, "against")))
    if result.sweep >= 0:
        lines.append(voice("explain.sweep", names=side_names(result, result.sweep, voice)))
    elif min(result.totals) < FEW:
        loser = result.totals.index(min(result.totals))
        lines.append(voice("explain.few", names=side_names(result, loser, voice), least=FEW))
    return "\n".join(lines)
