"""The presenter of Compound Capture and Chemistry Canasta: the parts put together."""

from __future__ import annotations

from collections.abc import Sequence

from bot.presenters import base
from bot.presenters.chemistry import (
    collect_explain,
    collect_lines,
    collect_scenes,
    collect_showcase,
    collect_tree,
    collect_why,
    lookups,
)
from bot.presenters.chemistry.family import ChemistryPresenter
from bot.presenters.chemistry.words import Voice, law_of
from bot.render.scene import Look, Scene
from engine.chemistry.deck import WILD
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
        return collect_why.why(refusal, look)

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

    def overview(self, look: Look, tag: str = "") -> base.Page | None:
        """See `bot.presenters.base.Presenter`: the compounds."""
        return lookups.overview(look, tag)

    def at_hand(self, observation: Observation) -> tuple[str, ...]:
        """See `bot.presenters.base.Presenter`: the compounds that lie open, the law that the
        table shows if a wild card is held, then the elements held."""
        seen = observation
        if seen.viewer is None:
            return ()
        law = (lookups.law_key(law_of(seen.decks, seen.round)),) if WILD in seen.hand else ()
        return (*lookups.keys(seen.row, ()), *law, *lookups.keys((), sorted(set(seen.hand) - {WILD})))

    def ending(self, outcome: Outcome, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        said = [*voice.ranking(outcome, "points")]
        if outcome.reason == "target_missed":  # a lost match has a score, but no medal
            points = voice("points", n=int(outcome.standings[0].score))
            said = [voice("ending.lost", name=voice.name(0), points=points)]
        key = f"ending.{outcome.reason}"
        if len(outcome.standings) == 1 and outcome.reason == "target":
            key = "ending.solo_target"
        said.append(voice(key, n=outcome.facts["rounds"], target=outcome.facts["target"]))
        said.append(voice("ending.made"))
        return "\n".join(said)

    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """See `bot.presenters.base.Presenter`."""
        return collect_showcase.showcase(self.key)
