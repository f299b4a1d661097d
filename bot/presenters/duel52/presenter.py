"""The presenter of Duel 52: the parts put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.presenters import base
from bot.presenters.duel52 import explain, lines, lookups, rulebook, scenes, showcase, tree
from bot.presenters.duel52.sight import before, side_of, spots
from bot.presenters.duel52.words import GAME, Voice
from bot.render.scene import Look, Scene
from bot.render.theme import seat_letter
from engine.duel52.cards import VARIANTS
from engine.duel52.moves import Move
from engine.duel52.observation import Observation
from engine.game import Event, Outcome, Refusal, Value, Viewer
from engine.playing_cards import RANK_CODES


class Duel52Presenter(base.Facade):
    """The words and pictures of Duel 52."""

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
        if "lane" in facts:
            said["lane"] = voice.inside(facts["lane"], triangles=facts["triangles"])
        if "card" in facts:
            said["card"] = voice.card(facts["card"])
        if "mate" in facts:
            said["mate"] = voice.card(facts["mate"])
        if "cards" in facts:
            said["cards"] = voice.cards(facts["cards"])
        if "verb" in facts:
            said["asks"] = voice(f"asks.{facts['verb']}")
        if "pile" in facts:
            said["n"] = facts["pile"]
        return voice(f"why.{refusal.rule}", **{**facts, **said})

    def status(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        seen, voice = observation, Voice(look)
        if seen.over:
            return voice("status.over", n=seen.turns)
        if before(seen):
            return voice("status.bet")
        empty = "status.no_pile_triangles" if seen.setup.sides > 2 else "status.no_pile"
        pile = voice("status.pile", n=seen.pile) if seen.pile else voice(empty)
        said = voice("status.turn", turn=seen.turns, n=seen.actions, pile=pile)
        if seen.bet >= 0:
            said += voice("status.bet_on", side=seat_letter(seen.bet))
        return said

    def table(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return scenes.table(observation, look)

    def hand(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return scenes.hand(observation, look)

    def ending(self, outcome: Outcome, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        winners = outcome.winners()
        names = voice.all([voice.name(seat) for seat in winners])
        facts = outcome.facts
        if "bet" not in facts:
            said = [voice(f"ending.{outcome.reason}", names=names, n=len(winners))]
        else:
            reason = outcome.reason
            said = [voice(f"ending.solo.{reason}", side=seat_letter(winners[0]))]
            fate = "won" if facts["bet_won"] else "lost" if len(winners) == 1 else "drawn"
            said.append(voice(f"ending.bet_{fate}", side=seat_letter(facts["bet"])))
        said.append(voice("ending.turns", n=facts["turns"]))
        return "\n".join(said)

    def option(self, key: str, value: Value | None, look: Look) -> tuple[str, str]:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        if value is None:
            return voice(f"option.{key}"), voice(f"option.{key}_note")
        if key == "vampiric":
            word = "on" if value else "off"
            return voice(f"option.vampiric_{word}"), voice(f"option.vampiric_{word}_note")
        return voice(f"option.{value}"), voice(f"option.{value}_note", pile=VARIANTS[str(value)].pile)

    def cards(self, locale: str) -> tuple[base.Card, ...]:
        """See `bot.presenters.base.Presenter`."""
        return lookups.cards(locale)

    def card(self, key: str, look: Look, options: Mapping[str, Value] | None = None) -> base.Page:
        """See `bot.presenters.base.Presenter`."""
        return lookups.card(key, look, options)

    def at_hand(self, observation: Observation) -> tuple[str, ...]:
        """See `bot.presenters.base.Presenter`: the ranks in the own hand; without one those that lie
        face-up, the own first."""
        seen = observation
        if seen.viewer is None:
            return ()
        found = sorted(seen.hands[seen.viewer])
        if not found and not before(seen):
            side = side_of(seen, seen.viewer)
            lying = sorted(spots(seen).values(), key=lambda spot: (spot.side != side, spot.unit.card))
            found = [spot.unit.card for spot in lying if spot.unit.up]
        return tuple(dict.fromkeys(RANK_CODES[card >> 2] for card in found))

    def overview(self, look: Look, tag: str = "") -> base.Page | None:
        """See `bot.presenters.base.Presenter`: all ranks with their powers in short."""
        return lookups.overview(look, tag)

    def rules(self, locale: str, options: Mapping[str, Value] | None = None) -> tuple[base.Page, ...]:
        """See `bot.presenters.base.Presenter`."""
        return rulebook.rules(locale, options)

    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """See `bot.presenters.base.Presenter`."""
        return showcase.showcase()


PRESENTER = Duel52Presenter()
