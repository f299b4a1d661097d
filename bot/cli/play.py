"""`valence play`: a game in the terminal, one person against the computer."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from bot.cli import words
from bot.cli.arguments import (
    Choices,
    GameKey,
    Seats,
    Stop,
    chosen,
    fresh_seed,
    number_of_seats,
    report_refusals,
    suggestion,
    the_game,
    writable,
)
from bot.cli.output import console
from engine import levels, record
from engine.arena import key_of, opponent
from engine.game import AnyState, Setup

PAGE = 30
"""Choices shown at once."""


def add_to(app: typer.Typer) -> None:
    """Add this command."""
    app.command()(play)


def play(
    game: GameKey,
    *,
    seats: Seats = None,
    option: Choices = None,
    against: Annotated[
        str | None, typer.Option("--against", help="The opponents' level; the strongest when not given.")
    ] = None,
    seat: Annotated[int, typer.Option("--seat", min=1, help="Where you sit.")] = 1,
    name: Annotated[str, typer.Option("--name", help="What you are called.")] = "Player",
    seed: Annotated[int | None, typer.Option("--seed", help="Deals the same cards again.")] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write a record when it is over.")
    ] = None,
) -> None:
    """Play in the terminal: choices by number, `?` for the position again, `q` to leave."""
    rules = the_game(game)
    options = chosen(rules, option)
    on = number_of_seats(rules, options, seats)
    if seat > on:
        raise Stop(f"there are {on} seats, so you cannot sit on number {seat}")
    level = levels.renamed(against or rules.levels_in(on, options)[-1])
    if level not in rules.opponents:
        raise Stop(f"{rules.key} has no opponent {level!r}{suggestion(level, rules.opponents)}")
    number = fresh_seed() if seed is None else seed
    with report_refusals(rules):
        setup = rules.setup(on, key_of(number, 0), **options)
    if save is not None:
        writable(save)
    names = [name if place == seat - 1 else f"{level.title()} {place + 1}" for place in range(on)]
    out = console()
    out.print(f"{rules.title} on {on} seats, seed {number}. Type a number; ? shows the position, q leaves.")
    table = _Table(setup, seat - 1, level, names=names, out=out, seed=number)
    table.play()
    if save is not None:
        try:
            save.write_bytes(record.to_json(record.write(setup, table.done, names=names)))
        except OSError as error:
            raise Stop(f"{save} cannot be written: {error.strerror or error}") from error
        out.print(f"The record is in {save}.")


class _Table:
    """One game between the person at the keyboard and opponents of one level."""

    def __init__(
        self, setup: Setup, me: int, level: str, *, names: Sequence[str], out: Console, seed: int
    ) -> None:
        self.game = the_game(setup.game)
        self.me, self.out, self.seed = me, out, seed
        self.voice = words.TerminalVoice(setup.game, names)
        self.chooser = opponent(self.game, level)
        self.rng = random.Random(setup.key)
        self.state: AnyState = self.game.deal(setup)
        self.state.events = []
        self.done: list[tuple[int, Any]] = []

    def play(self) -> None:
        """To the end."""
        self._position()
        while waiting := self.state.to_act():
            # opponents first: where several must choose at once, none sees what the others chose
            seat = next((place for place in waiting if place != self.me), self.me)
            actions = self.state.legal_actions(seat)
            if seat == self.me:
                action = self._ask(actions)
            else:
                action = self.chooser(self.state.observe(seat), actions, self.rng)
            self.state.apply(seat, action)
            self.done.append((seat, action))
            self._tell()
        end = self.state.outcome()
        for line in self.voice.ending(end) if end else ():
            self.out.print(line, soft_wrap=True)

    def _tell(self) -> None:
        happened = [view for event in self.state.events or () if (view := event.seen_by(self.me))]
        for line in self.voice.events(happened, self.me):
            self.out.print(f"  {line}", style="dim", soft_wrap=True)
        self.state.events = []

    def _position(self) -> None:
        for text in self.voice.position(self.state.observe(self.me), self.me):
            self.out.print(text, soft_wrap=True)

    def _ask(self, actions: Sequence[Any]) -> Any:
        choices = self.voice.choices(self.state.observe(self.me), actions)
        if len(choices) == 1:
            self.out.print(f"Your only choice: {choices[0][1]}")
            return choices[0][0]
        page, pages = 0, -(-len(choices) // PAGE)
        self._choices(choices, page)
        while True:
            typed = self.out.input("> ").strip().lower()
            if typed in ("q", "quit"):
                self.out.print(f"You left. --seed {self.seed} deals the same cards again.")
                raise typer.Exit
            if typed == "?":
                self._position()
                self._choices(choices, page)
            elif typed == "m" and pages > 1:
                page = (page + 1) % pages
                self._choices(choices, page)
            elif typed.isdecimal() and 1 <= int(typed) <= len(choices):
                return choices[int(typed) - 1][0]
            else:
                self.out.print(f"Please type a number from 1 to {len(choices)}.")

    def _choices(self, choices: Sequence[tuple[object, str]], page: int) -> None:
        first = page * PAGE
        for number, (_, label) in enumerate(choices[first : first + PAGE], first + 1):
            self.out.print(f"{number:>4}  {label}", soft_wrap=True)
        if len(choices) > PAGE:
            self.out.print("   m  more")
