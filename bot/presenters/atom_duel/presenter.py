"""The presenter of Atom Duel: the parts put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.presenters import base
from bot.presenters.atom_duel import explain, lines, lookups, rulebook, scenes, showcase, tree
from bot.presenters.atom_duel.words import GAME, Voice, number, slot
from bot.render.scene import Look, Scene
from engine.atom_duel.cards import CARDS
from engine.atom_duel.moves import Move
from engine.atom_duel.observation import Observation
from engine.atom_duel.position import NONE_YET
from engine.elements import ELEMENTS
from engine.game import Event, Outcome, Refusal, Value, Viewer

HAND_SIZES = {"five": 5, "seven": 7}
MOST_SEATS = 5


class AtomDuelPresenter(base.Facade):
    """The words and pictures of Atom Duel."""

    key = GAME

    def tree(self, observation: Observation, actions: Sequence[Move], look: Look) -> base.Node:
        """See `bot.presenters.base.Presenter`."""
        return tree.tree(observation, actions, look)

    def line(self, event: Event, viewer: Viewer, look: Look) -> str | None:
        """See `bot.presenters.base.Presenter`."""
        return lines.line(event, viewer, look)

    def explain(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        return explain.explain(observation, look)

    def why(self, refusal: Refusal, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice, facts = Voice(look), refusal.facts
        said: dict[str, Any] = {}
        if "card" in facts:
            said["symbol"] = voice.short(facts["card"])
        if "powers" in facts:
            said["powers"] = voice.all([voice(f"as.{power}") for power in facts["powers"]], "tree.or")
        if "slot" in facts:
            said["slot"] = slot(facts["slot"])
        if "verb" in facts:
            said["asks"] = voice(f"asks.{facts['verb']}") if f"asks.{facts['verb']}" in voice else ""
        if "seat" in facts:
            said["target"] = voice.name(facts["seat"])
        return voice(f"why.{refusal.rule}", **{**facts, **said})

    def status(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        seen = observation
        key = (
            "over"
            if seen.over
            else "sealing"
            if seen.sealing
            else "last_round"
            if seen.last_round
            else "hand"
        )
        return Voice(look)(
            f"status.{key}",
            n=seen.rounds,
            round=seen.round,
            rounds=seen.rounds,
            hand=seen.hand,
            level=seen.level,
        )

    def table(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return scenes.table(observation, look)

    def hand(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return scenes.hand(observation, look)

    def ending(self, outcome: Outcome, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        said = [*voice.ranking(outcome, "ending.points")]
        if outcome.reason != "points":
            said.append(voice(f"ending.{outcome.reason}", figures=_figures(outcome, voice)))
        return "\n".join(said)

    def option(self, key: str, value: Value | None, look: Look) -> tuple[str, str]:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        if value is None:
            return voice(f"option.{key}"), voice(f"option.{key}_note")
        if key == "level":
            return voice(f"option.level_{value}"), voice(f"option.level_{value}_note")
        if key == "hand_size":
            return voice("option.hand_size_value", n=value), voice(f"option.hand_size_{value}_note")
        reach = {
            name: min(MOST_SEATS, len(CARDS) // (size * int(value))) for name, size in HAND_SIZES.items()
        }
        return voice("option.rounds_value", n=value), voice("option.rounds_value_note", **reach)

    def cards(self, locale: str) -> tuple[base.Card, ...]:
        """See `bot.presenters.base.Presenter`."""
        return lookups.cards(locale)

    def card(self, key: str, look: Look, options: Mapping[str, Value] | None = None) -> base.Page:
        """See `bot.presenters.base.Presenter`."""
        return lookups.card(key, look, options)

    def at_hand(self, observation: Observation) -> tuple[str, ...]:
        """See `bot.presenters.base.Presenter`: the cards in the own row that the owner may see."""
        if observation.viewer is None or observation.hidden:
            return ()
        return tuple(ELEMENTS[z - 1].symbol for z in observation.rows[observation.viewer] if z > 0)

    def overview(self, look: Look, tag: str = "") -> base.Page | None:
        """See `bot.presenters.base.Presenter`."""
        return lookups.overview(look, tag)

    def rules(self, locale: str, options: Mapping[str, Value] | None = None) -> tuple[base.Page, ...]:
        """See `bot.presenters.base.Presenter`."""
        return rulebook.rules(locale, options)

    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """See `bot.presenters.base.Presenter`."""
        return showcase.showcase()


def _figures(outcome: Outcome, voice: Voice) -> str:
    """The figures that a tie was decided by, of those whom nothing before had told from the winner."""
    facts = outcome.facts
    best = outcome.winners()[0]

    def before(seat: int) -> tuple[float, ...]:
        points = outcome.standings[seat].score
        return (points,) if outcome.reason == "last_round" else (points, facts["last_round"][seat])

    level = [seat for seat in range(len(outcome.standings)) if before(seat) == before(best)]
    said = []
    for seat in level:
        if outcome.reason == "last_round":
            figure = str(facts["last_round"][seat])
        else:
            value2 = facts["best2"][seat]
            figure = number(value2) if value2 != NONE_YET else voice("ending.none")
        said.append(voice("ending.figure", name=voice.name(seat), figure=figure))
    return voice.all(said)


PRESENTER = AtomDuelPresenter()
