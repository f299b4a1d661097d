"""The presenter of Compound Capture and Chemistry Canasta: the parts put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.presenters import base
from bot.presenters.chemistry import (
    collect_explain,
    collect_lines,
    collect_scenes,
    collect_showcase,
    collect_tree,
)
from bot.presenters.chemistry.family import ChemistryPresenter
from bot.presenters.chemistry.words import Voice, formula
from bot.render.scene import Look, Scene
from engine.chemistry.deck import BOOK
from engine.chemistry.moves import Move
from engine.chemistry.observation import Observation
from engine.game import Event, Outcome, Refusal, Viewer


class CollectPresenter(ChemistryPresenter):
    """The words and pictures of a game of captured compounds."""

    def tree(self, observation: Observation, actions: Sequence[Move], look: Look) -> base.Node:
        """See `bot.presenters.base.Presenter`."""
        return collect_tree.tree(observation, actions, look)

    def line(self, event: Event, viewer: Viewer, look: Look) -> str | None:
        """See `bot.presenters.base.Presenter`."""
        return collect_lines.line(event, viewer, look)

    def explain(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        return collect_explain.explain(observation, look)

    def why(self, refusal: Refusal, look: Look) -> str:
        """See `bot.presenters.base.Presenter`: which atom is missing, or that wilds alone do not do."""
        voice, facts = Voice(look), refusal.facts
        said: dict[str, Any] = dict(facts)
        if "compound" in facts:
            one = BOOK.compounds[facts["compound"]]
            said["compound"] = voice.compound(facts["compound"])
            said["formula"] = formula(one.formula)
            said["recipe"] = ", ".join(f"{count} {symbol}" for symbol, count in one.elements.items())
        if "card" in facts:
            said["card"] = voice.card(facts["card"])
        if "missing" in facts:
            said["atoms"] = voice.all(
                [(f"{n} " if n > 1 else "") + voice.symbol(z) for z, n in facts["missing"]], "or"
            )
        key = refusal.rule
        if "problem" in facts:
            key = f"{key}.{facts['problem']}"
        return voice(f"why.{key}", n=facts.get("short", 0), **said)

    def status(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        seen, voice = observation, Voice(look)
        if seen.over:
            return voice("status.over", n=seen.round)
        key = "status.only" if seen.rounds == 1 else "status.round"
        return voice(
            key, round=seen.round, rounds=seen.rounds, row=len(seen.row) + seen.stack, stock=seen.stock
        )

    def table(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return collect_scenes.table(observation, look)

    def hand(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return collect_scenes.hand(observation, look)

    def ending(self, outcome: Outcome, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        said = self.ranking(outcome, voice, "points")
        key = f"ending.{outcome.reason}"
        if len(outcome.standings) == 1 and outcome.reason == "target":
            key = "ending.solo_target"
        said.append(voice(key, n=outcome.facts["rounds"], target=outcome.facts["target"]))
        return "\n".join(said)

    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """See `bot.presenters.base.Presenter`."""
        return collect_showcase.showcase(self.key)
