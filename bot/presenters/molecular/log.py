"""How a game goes, in words: what happened, where it stands, how it ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from bot.presenters.molecular.words import Voice, formula
from bot.presenters.telling import Teller, Told
from bot.render.scene import Look
from engine.game import Outcome
from engine.molecular import groups
from engine.molecular.board import Board, board_of
from engine.molecular.cards import ELEMENT
from engine.molecular.events import EVENTS
from engine.molecular.observation import Observation


def elements(kinds: Sequence[int], voice: Voice) -> str:
    """Tiles in passing: C ×2, H, O."""
    found = Counter(ELEMENT[kind] for kind in kinds)
    return voice.listed(f"{one} ×{count}" if count > 1 else one for one, count in sorted(found.items()))


def _drew(teller: _Teller, facts: Told) -> str | None:
    """New tiles or cards: told to their owner alone."""
    if "kinds" not in facts:
        return None
    voice, kinds = teller.voice, facts["kinds"]
    if facts["what"] == "tiles":
        return teller.say("drew_tiles", tiles=elements(kinds, voice))
    return teller.say("drew_groups", groups=voice.all([voice.group(group) for group in kinds]), n=len(kinds))


def _tile(teller: _Teller, facts: Told) -> str:
    return teller.say("tile_free" if facts["free"] else "tile")


def _group(teller: _Teller, facts: Told) -> str:
    examples = facts["score"][0]
    if not examples:
        return teller.say("group_none")
    return teller.say("group", examples=teller.voice("examples", n=examples))


def _reveal(teller: _Teller, facts: Told) -> str:
    return teller.say("reveal", effect=teller.voice.effect(facts["card"]))


def _active(teller: _Teller, facts: Told) -> str:
    return teller.say("active_gone" if facts["gone"] else "active")


def _explosion(teller: _Teller, facts: Told) -> str:
    return teller.say("explosion", n=len(facts["cells"]))


def _alarm(teller: _Teller, facts: Told) -> str:
    return teller.say("alarm_lost" if facts["lost"] else "alarm")


def _passed(teller: _Teller, facts: Told) -> str:
    """A card that changes hands: named to the two whom it concerns."""
    return teller.say(f"{teller.kind}_known" if "group" in facts else teller.kind)


def _game_over(teller: _Teller, facts: Told) -> str:
    voice, scores = teller.voice, facts["scores"]
    best = max(scores)
    if len(scores) == 1:
        return teller.say("solo_over", points=voice.points(best))
    winners = [seat for seat, score in enumerate(scores) if score == best]
    return teller.say("game_over", winners=voice("line.winners", n=len(winners), names=voice.names(winners)))


class _Teller(Teller[Voice]):
    """What each seat may know of it."""

    speaks = Voice
    events = EVENTS
    tells: ClassVar[Mapping[str, Callable[[_Teller, Told], str | None]]] = {
        "active": _active,
        "alarm": _alarm,
        "drew": _drew,
        "explosion": _explosion,
        "game_over": _game_over,
        "gave": _passed,
        "gave_back": _passed,
        "group": _group,
        "poach": _passed,
        "reveal": _reveal,
        "tile": _tile,
    }


line = _Teller.line


def when(seen: Observation, look: Look) -> str:
    """The round."""
    return Voice(look)("when.round", round=seen.round)


def status(seen: Observation, look: Look) -> str:
    """The round, and how large the molecule is."""
    voice = Voice(look)
    key = "over" if seen.over else "round"
    return voice(f"status.{key}", round=seen.round, rounds=seen.rounds, n=len(seen.board))


def ending(outcome: Outcome, look: Look) -> str:
    """Who has how many points, why it ended, and a summary of the molecule."""
    voice = Voice(look)
    if len(outcome.standings) == 1:
        points = voice.points(int(outcome.standings[0].score))
        said = [voice("ending.solo", name=voice.name(0), points=points)]
    else:
        said = [*voice.ranking(outcome, "points")]
    said.append(voice("ending.reason", reason=voice(f"end.{outcome.reason}")))
    return "\n".join([*said, "", *_summary(board_of(outcome.facts["tiles"]), voice)])


def _summary(board: Board, voice: Voice) -> list[str]:
    """What the molecule has become: formula, mass, open ends, and its groups."""
    facts = {
        "formula": formula(groups.formula(board)),
        "mass": f"{groups.mass(board):.2f}",
        "ends": voice("ending.ends", n=groups.open_ends(board)),
    }
    said = [voice("ending.molecule", n=len(board.tiles), **facts)]
    found = [(count, group) for group, count in enumerate(groups.count_all(board)) if count]
    found.sort(key=lambda one: (-one[0], one[1]))
    if found:
        names = voice.listed(voice("ending.group", group=voice.group(g), count=count) for count, g in found)
        said.append(voice("ending.groups", groups=names))
    return said


def progress(seen: Observation) -> tuple[float, ...]:
    """The points of each player."""
    return tuple(map(float, seen.scores))
