"""Count what the teacher's hints give as their reason, and print some: `python -m tools reasons`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import typer

from bot import presenters
from bot.cli.arguments import GameKey, the_game
from bot.features.teacher.hint_words import HintWords
from bot.render.scene import Look
from engine import levels
from engine.ai.advice import Advice, advise, luck_of
from engine.game import AnyGame, AnyState, Seat
from engine.puzzles import dealt

SHARE = 0.15
"""Share of the decisions of a game that are examined."""
MOST_STEPS = 2000
"""Steps after which a game is given up."""
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")


class GameDecision(NamedTuple):
    """A decision in a game of Steady against itself: the position, and the seat that decides."""

    state: AnyState
    seat: Seat


def decisions(game: AnyGame, count: int, seed: int) -> Iterator[GameDecision]:
    """Yield decisions from random places of games with every number of seats, where there is a choice."""
    rng, number = random.Random(f"reasons/{game.key}/{seed}"), 0
    steady = game.opponents[levels.STEADY]
    tables = [seats for seats in game.seats(game.defaults()) if seats > 1]
    tables = [seats for seats in tables if not game.decided_by_deal(seats, game.defaults())]
    while count:
        number += 1
        state = game.deal(dealt(game, tables[number % len(tables)], 1000 * seed + number))
        for _ in range(MOST_STEPS):
            if not count or not (waiting := state.to_act()):
                break
            seat = waiting[0]
            actions = state.legal_actions(seat)
            if len(actions) > 1 and rng.random() < SHARE:
                count -= 1
                yield GameDecision(state, seat)
            chosen = steady(state.observe(seat), actions, rng) if len(actions) > 1 else actions[0]
            state.push(seat, chosen)


def kind(game: AnyGame, advice: Advice) -> str:
    """Return what a hint gives as its reason: the key of a reason, or what it says instead."""
    patterns = {pattern.key for pattern in game.patterns}
    for name, reason in (("", advice.reason), ("merit ", advice.merit)):
        if reason is not None:
            return f"{name}{'pattern' if reason.key in patterns else 'happening'} {reason.key}"
    if advice.second is None:
        return "nothing else"
    if not advice.clear:
        return "equally good"
    return "measure" if advice.differences else "games of 100"


def main(
    game: GameKey,
    *,
    count: Annotated[int, typer.Option(min=1, help="Decisions to examine.")] = 200,
    read: Annotated[int, typer.Option(min=0, help="Hints to print in full.")] = 0,
    locale: str = "en",
    seed: Annotated[int, typer.Option(help="Equal seeds examine the same decisions.")] = 1,
) -> None:
    """Count the reasons of hints, and print some of the hints with the cards that they are about."""
    rules, found = the_game(game), Counter[str]()
    presenter = presenters.get(rules.key)
    every = max(1, count // read) if read else 0
    for number, (state, seat) in enumerate(decisions(rules, count, seed)):
        seen: Any = state.observe(seat)
        actions = state.legal_actions(seat)
        advice = advise(rules, seen, actions, luck_of(seen))
        found[kind(rules, advice)] += 1
        if every and number % every == 0:
            look = Look(locale, names=NAMES)
            hint = HintWords(presenter, look, presenter.choices(seen, actions, look), actions)
            typer.echo(f"--- {number + 1}: {presenter.hand(seen, look).alt}\n{hint.text(advice)}\n")
    visible = sum(many for key, many in found.items() if "pattern" in key or "happening" in key)
    for key, many in found.most_common():
        typer.echo(f"{many:5} {key}")
    typer.echo(f"{100 * visible / count:.0f} % of {count} give a pattern or a happening first")


if __name__ == "__main__":
    typer.run(main)
