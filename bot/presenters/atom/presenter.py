"""The presenter of Atom: the parts put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.presenters import base
from bot.presenters.atom import explain, handscene, lines, lookups, pictures, rulebook, showcase, tree
from bot.presenters.atom.words import GAME, Voice, best_first
from bot.render.scene import Look, Scene
from engine.atom.moves import Move
from engine.atom.observation import Observation
from engine.atom.plays import shape
from engine.atom.scoring import FEW
from engine.game import Event, Outcome, Refusal, Value, Viewer


class AtomPresenter(base.Facade):
    """The words and pictures of Atom."""

    key = GAME
    can_pass = True

    def tree(self, observation: Observation, actions: Sequence[Move], look: Look) -> base.Node:
        """See `bot.presenters.base.Presenter`."""
        return tree.tree(observation, actions, look)

    def line(self, event: Event, viewer: Viewer, look: Look) -> str | None:
        """See `bot.presenters.base.Presenter`."""
        return lines.line(event, viewer, look)

    def why(self, refusal: Refusal, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice, facts = Voice(look), refusal.facts
        rule = refusal.rule
        said: dict[str, Any] = {}
        if "card" in facts:
            said["card"] = voice.card(facts["card"])
        if "held" in facts:
            said["n"] = facts["held"]
        if "blade" in facts:
            said["blade"] = voice.rank(facts["blade"])
            said["low"], said["tops"] = voice.tops(facts["blade"])
        if "ranks" in facts:
            said["ranks"] = voice.all([voice.rank(rank) for rank in facts["ranks"]])
            if len(facts["ranks"]) == 1:
                rule = "joker_with_blade"
        if "table" in facts:
            seats = max(len(look.names), 4)
            said["table"] = voice.set(tuple(facts["table"]), seats)
            said["cards"] = voice.set(tuple(facts["cards"]), seats)
            packs = 3 if seats == 4 else 5
            if explain.unbeaten(shape(tuple(facts["table"]), packs), facts["blade"], packs):
                rule = "unbeaten"
        return voice(f"why.{rule}", **{**facts, **said})

    def status(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        seen, voice = observation, Voice(look)
        if seen.phase == "over":
            return voice("status.over")
        facts: dict[str, Any] = {"blade": voice.rank(seen.blade), "trick": seen.tricks + 1, "n": seen.pot}
        if seen.phase == "call":
            text = voice("status.call", name=look.name(seen.caller), **facts)
        else:
            text = voice("status.trick" if seen.best else "status.lead", **facts)
        return text if seen.seats == 5 else voice("status.match", game=seen.game, status=text)

    def explain(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        return explain.explain(observation, look)

    def table(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return pictures.table(observation, look)

    def hand(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return handscene.hand(observation, look)

    def ending(self, outcome: Outcome, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice, facts = Voice(look), outcome.facts
        winners = outcome.winners()
        losers = [seat for seat in range(len(outcome.standings)) if seat not in winners]
        score = facts["score"]
        won, lost = best_first(outcome)
        totals = voice("ending.totals", won=won, lost=lost)
        name = voice.name(facts["upstream"])
        return "\n".join(
            (
                voice("ending.won", names=voice.names(winners), score=voice(f"score.{score}"), n=score),
                voice("ending.lost", names=voice.names(losers), n=score),
                voice(f"ending.{outcome.reason}", totals=totals, name=name, least=FEW),
            )
        )

    def option(self, key: str, value: Value | None, look: Look) -> tuple[str, str]:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        name = key if value is None else f"{key}_{value}"
        return voice(f"option.{name}"), voice(f"option.{name}_note")

    def cards(self, locale: str) -> tuple[base.Card, ...]:
        """See `bot.presenters.base.Presenter`."""
        return lookups.cards(locale)

    def card(self, key: str, look: Look, options: Mapping[str, Value] | None = None) -> base.Page:
        """See `bot.presenters.base.Presenter`."""
        return lookups.card(key, look, options)

    def overview(self, look: Look, tag: str = "") -> base.Page | None:
        """See `bot.presenters.base.Presenter`."""
        return lookups.overview(look, tag)

    def rules(self, locale: str, options: Mapping[str, Value] | None = None) -> tuple[base.Page, ...]:
        """See `bot.presenters.base.Presenter`."""
        return rulebook.rules(locale, options)

    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """See `bot.presenters.base.Presenter`."""
        return showcase.showcase()


PRESENTER = AtomPresenter()
