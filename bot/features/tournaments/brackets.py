"""A tournament's bracket as pictures: which rounds stand beside each other, and on which page it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from bot.locales import Words, words
from bot.render.pages.brackets import COLUMNS, ROWS, BracketRound, BracketView, Pair, bracket_scene
from bot.render.scene import Look, Scene
from bot.ui.names import plain
from engine.brackets import Bracket

_TITLES: Final = {
    "W": "tournament.round",
    "L": "tournament.losers_round",
    "F": "tournament.final",
    "F2": "tournament.second_final",
}
NameOf: TypeAlias = Callable[[str], str]
"""The name of a player of the bracket."""


def bracket_pages(bracket: Bracket, name_of: NameOf, say: Words) -> list[tuple[BracketRound, ...]]:
    """The bracket page by page: up to three rounds beside each other, of a large round a part.

    Each page begins with the last round of the one before, as far as there are rounds. No page reaches from
    the main bracket into that of the losers; the finals stand beside the matches that lead to them.
    """
    parts: dict[str, list[BracketRound]] = {}
    by_round = _by_round(bracket, name_of, say)
    rounds = max(int(group[1:]) for group in by_round if group[0] == "W")
    for group, pairs in by_round.items():
        key = _TITLES.get(group) or _TITLES[group[0]]
        size = _places(group[0], int(group[1:]), rounds)
        parts.setdefault(group[0], []).append(BracketRound(say(key, n=group[1:]), tuple(pairs), size))
    if bracket.kind == "single":
        last = parts["W"][-1]
        parts["W"][-1] = replace(last, title=say("tournament.final"))
    if finals := parts.get("F"):
        ahead = [parts[part][-1].pairs[0] for part in "WL"]
        leading = tuple(replace(pair, place=place) for place, pair in enumerate(ahead))
        parts["F"] = [BracketRound(say("tournament.before_final"), leading, 2), *finals]
    return [page for rounds in parts.values() for page in _pages(rounds)]


def _places(part: str, number: int, rounds: int) -> int:
    """How many places a round has, those of byes among them, in a bracket whose main part has so many rounds.

    The matches that are there do not tell: among five the first round has one match, the second of four.
    """
    if part == "W":
        return 1 << (rounds - number)
    # to each round of the losers another follows, for those who drop out of the main bracket
    return 1 << (2 * (rounds - 1) - number) // 2 if part == "L" else 1


def _by_round(bracket: Bracket, name_of: NameOf, say: Words) -> dict[str, list[Pair]]:
    """The matches with names by round: W1, L1, F1."""
    found: dict[str, list[Pair]] = {}
    for match in bracket.matches():
        # W2.1 is the first of its round; the finals F1 and F2 are rounds of their own
        group, _, number = match.key.partition(".")
        players = [*match.players, "", ""][:2]
        winner = match.players.index(match.winner) if match.winner in match.players else -1
        one, two = (plain(name_of(player)) if player else "" for player in players)
        seeds = (bracket.players.index(player) + 1 if player else 0 for player in players)
        first, second = (say("board.person", n=seed) for seed in seeds)
        path = bool(match.winner) and match.winner == bracket.champion
        place = int(number or 1) - 1
        absent = say("tournament.walkover_mark") if match.walkover else ""
        found.setdefault(group, []).append(
            Pair((one, two), winner, match.ready, place, path, (first, second), absent)
        )
    return found


def _pages(rounds: list[BracketRound]) -> Iterator[tuple[BracketRound, ...]]:
    """The rounds of one part of the bracket, as they fit into pictures."""
    last = max(0, len(rounds) - COLUMNS)
    for first in sorted({*range(0, last, COLUMNS - 1), last}):
        window = rounds[first : first + COLUMNS]
        parts = max(1, max(each.size for each in window) // ROWS)
        for part in range(parts):
            shown = tuple(_part(each, part, parts) for each in window)
            if any(each.pairs for each in shown):
                yield shown


def _part(whole: BracketRound, part: int, parts: int) -> BracketRound:
    """Those places of a round that lie in one of so many equal parts."""
    size = max(1, whole.size // parts)
    places = range(part * size, (part + 1) * size)
    pairs = [replace(pair, place=pair.place - places[0]) for pair in whole.pairs if pair.place in places]
    return BracketRound(whole.title, tuple(pairs), size)


def current_page(bracket: Bracket, pages: list[tuple[BracketRound, ...]]) -> int:
    """The page on which most goes on; the last one when all is over."""
    if bracket.champion:
        return len(pages) - 1
    live = [sum(pair.live for each in page for pair in each.pairs) for page in pages]
    return live.index(max(live))


def bracket_picture(bracket: Bracket, name_of: NameOf, rounds: tuple[BracketRound, ...], look: Look) -> Scene:
    """A page of the bracket, and who has won, or how many matches are left."""
    say = words(look.locale)
    won, matches = bool(bracket.champion), bracket.matches()
    players = say("tournament.players", n=len(bracket.players))
    if won:
        title, subtitle = (
            plain(name_of(bracket.champion)),
            say("tournament.wins_it", players=players),
        )
    else:
        title, subtitle = say("tournament.to_play", n=sum(not match.winner for match in matches)), players
    marks = say("tournament.marks_won" if won else "tournament.marks")
    if any(pair.absent for each in rounds for pair in each.pairs):
        marks = f"{marks} · {say('tournament.marks_walkover')}"
    view = BracketView(
        title=title,
        subtitle=subtitle,
        won=won,
        rounds=rounds,
        nobody=say("tournament.nobody"),
        marks=marks,
        beats=say("tournament.beats", winner="{winner}", loser="{loser}"),
        meets=say("tournament.meets", one="{one}", two="{two}"),
        walkover=say("tournament.walkover", winner="{winner}", loser="{loser}"),
    )
    return bracket_scene(view, look)
