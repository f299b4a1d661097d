"""The presenter of Molecular: the parts put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.presenters import base
from bot.presenters.molecular import (
    closeups,
    explain,
    lines,
    lookups,
    pictures,
    rulebook,
    showcase,
    tree,
    ways,
)
from bot.presenters.molecular.words import ARROWS, GAME, Voice
from bot.render.scene import Look, Scene
from engine.game import Event, Outcome, Refusal, Value, Viewer
from engine.molecular import groups
from engine.molecular.board import Board, board_of
from engine.molecular.cards import BOX, SHAPE_KIND
from engine.molecular.moves import Move
from engine.molecular.observation import Observation

_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class MolecularPresenter(base.Facade):
    """The words and pictures of Molecular."""

    key = GAME
    draws_ways = True

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
        if "group" in facts:
            said["group"] = voice.group(facts["group"])
        if refusal.rule == "not_in_pool":
            said["tile"] = voice.tile(facts["kind"])
        if refusal.rule == "edges_differ":
            said["arrow"] = ARROWS[facts["edge"]]
            said["own_bond"] = voice(f"bond.{facts['own']}")
            said["other_bond"] = voice(f"bond.{facts['other']}")
            said["element"] = voice.element(SHAPE_KIND[facts["shape"]])
        if refusal.rule == "audit":
            said["action"] = voice(f"action.{facts['kind']}")
        if "verb" in facts:
            said["asks"] = voice(f"asks.{facts['verb']}") if f"asks.{facts['verb']}" in voice else ""
        if "card" in facts:
            said["effector"] = voice.effector(facts["card"])
        if "seat" in facts:
            said["target"] = voice.name(facts["seat"])
        key = f"why.{refusal.rule}"
        if refusal.rule == "no_actions" and facts.get("free"):
            return voice("why.no_actions_but_free")
        if refusal.rule == "not_an_end" and facts["start"]:
            return voice("why.start_tile")
        return voice(key, **{**facts, **said})

    def status(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        seen, voice = observation, Voice(look)
        key = "over" if seen.over else "round"
        return voice(f"status.{key}", round=seen.round, rounds=seen.rounds, n=len(seen.board))

    def table(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return pictures.table_scene(observation, look)

    def hand(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return pictures.hand_scene(observation, look)

    def hand_on_way(self, observation: Observation, way: Sequence[str], look: Look) -> Scene | None:
        """See `bot.presenters.base.Presenter`: where the chosen tile goes, and which way round."""
        return ways.way_scene(observation, way, look)

    def ending(self, outcome: Outcome, look: Look) -> str:
        """See `bot.presenters.base.Presenter`. Ends with a summary of the molecule."""
        voice = Voice(look)
        if len(outcome.standings) == 1:
            points = voice.points(int(outcome.standings[0].score))
            said = [voice("ending.solo", name=voice.name(0), points=points)]
        else:
            said = [*voice.ranking(outcome, "points")]
        said.append(voice("ending.reason", reason=voice(f"end.{outcome.reason}")))
        return "\n".join([*said, "", *_summary(board_of(outcome.facts["tiles"]), voice)])

    def option(self, key: str, value: Value | None, look: Look) -> tuple[str, str]:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        if value is None:
            return voice(f"option.{key}"), voice(f"option.{key}_note")
        if key == "bond_points":
            return voice(f"option.bond_points_{value}"), voice(f"option.bond_points_{value}_note")
        if not value:
            rounds = BOX.meta.rounds
            facts = {"one": rounds[0], "two": rounds[1], "four": rounds[3], "eight": rounds[7]}
            return voice(f"option.{key}_auto"), voice(f"option.{key}_auto_note", **facts)
        return voice(f"option.{key}_value", n=value), voice(f"option.{key}_value_note", n=value)

    def cards(self, locale: str) -> tuple[base.Card, ...]:
        """See `bot.presenters.base.Presenter`."""
        return lookups.cards(locale)

    def card(self, key: str, look: Look, options: Mapping[str, Value] | None = None) -> base.Page:
        """See `bot.presenters.base.Presenter`."""
        return lookups.card(key, look, options)

    def card_now(
        self, key: str, look: Look, options: Mapping[str, Value], observation: Observation
    ) -> base.Page:
        """See `bot.presenters.base.Presenter`: what a group is worth in that game now."""
        return lookups.card(key, look, options, observation)

    def at_hand(self, observation: Observation) -> tuple[str, ...]:
        """See `bot.presenters.base.Presenter`: the own group cards and the effectors at work."""
        return lookups.at_hand(observation)

    def needs_closeups(self, observation: Observation) -> bool:
        """See `bot.presenters.base.Presenter`."""
        return closeups.needed(observation)

    def closeups(self, observation: Observation, look: Look) -> tuple[base.Page, ...]:
        """See `bot.presenters.base.Presenter`: the parts of a molecule that the table shows small."""
        scenes = closeups.closeup_scenes(observation, look)
        return tuple(base.Page(title, "", scene) for title, scene in scenes)

    def keepsake(self, outcome: Outcome, _observation: Any, look: Look) -> base.Keepsake | None:
        """See `bot.presenters.base.Presenter`: the molecule as chemists draw it."""
        if not outcome.facts.get("tiles"):
            return None
        voice = Voice(look)
        return base.Keepsake(
            label=voice("keepsake.label"),
            name="molecule.png",
            text=voice("keepsake.text" if len(outcome.standings) > 1 else "keepsake.text_solo"),
            alt=voice("keepsake.alt", formula=formula(groups.formula(board_of(outcome.facts["tiles"])))),
            make="engine.molecular.reference:drawing",
            facts={**outcome.facts, "width": 1280, "height": 900},
        )

    def rules(self, locale: str, options: Mapping[str, Value] | None = None) -> tuple[base.Page, ...]:
        """See `bot.presenters.base.Presenter`."""
        return rulebook.rules(locale, options)

    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """See `bot.presenters.base.Presenter`."""
        return showcase.showcase()


def formula(counts: Mapping[str, int]) -> str:
    """A formula in Hill's order: C₂H₄O₂."""
    order = [one for one in ("C", "H", "N", "O") if counts.get(one)]
    if not counts.get("C"):
        order.sort()
    return "".join(one + (str(counts[one]).translate(_SMALL) if counts[one] > 1 else "") for one in order)


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
        names = ", ".join(voice("ending.group", group=voice.group(g), count=count) for count, g in found)
        said.append(voice("ending.groups", groups=names))
    return said


PRESENTER = MolecularPresenter()
"""The presenter."""
