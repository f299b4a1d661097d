"""The presenter of Molecular: the parts put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from bot.presenters import base
from bot.presenters.molecular import lines, lookups, pictures, rulebook, showcase, tree
from bot.presenters.molecular.words import ARROWS, GAME, Voice
from bot.render.scene import Look, Scene
from engine.game import Event, Outcome, Refusal, Value, Viewer
from engine.molecular import groups
from engine.molecular.board import Board, cell_of
from engine.molecular.cards import BOX, ELEMENT, SHAPE_KIND, SHAPE_OF
from engine.molecular.moves import Move
from engine.molecular.observation import Observation

MEDALS = ("🥇", "🥈", "🥉")
MASS = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999}
"""Mean mass of an atom, g/mol."""
_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class MolecularPresenter(base.Presenter):
    """The words and pictures of Molecular."""

    key = GAME

    def tree(self, observation: Observation, actions: Sequence[Move], look: Look) -> base.Node:
        """See `bot.presenters.base.Presenter`."""
        return tree.tree(observation, actions, look)

    def line(self, event: Event, viewer: Viewer, look: Look) -> str | None:
        """See `bot.presenters.base.Presenter`."""
        return lines.line(event, viewer, look)

    def explain(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        return lines.explain(observation, look)

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
        return voice(f"status.{key}", round=seen.round, rounds=seen.rounds, tiles=len(seen.board))

    def table(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return pictures.table_scene(observation, look)

    def hand(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return pictures.hand_scene(observation, look)

    def ending(self, outcome: Outcome, look: Look) -> str:
        """See `bot.presenters.base.Presenter`. Ends with a summary of the molecule."""
        voice = Voice(look)
        seats = sorted(range(len(outcome.standings)), key=lambda seat: outcome.standings[seat].rank)
        said = []
        for seat in seats:
            standing = outcome.standings[seat]
            medal = MEDALS[standing.rank - 1] if standing.rank <= len(MEDALS) else f"{standing.rank}."
            points = voice.points(int(standing.score))
            if len(seats) == 1:
                said.append(voice("ending.solo", name=voice.name(seat), points=points))
            else:
                said.append(voice("ending.rank", medal=medal, name=voice.name(seat), points=points))
        said.append(voice("ending.reason", reason=voice(f"end.{outcome.reason}")))
        return "\n".join([*said, "", *_summary(outcome.facts["tiles"], voice)])

    def option(self, key: str, value: Value | None, look: Look) -> tuple[str, str]:
        """See `bot.presenters.base.Presenter`."""
        voice = Voice(look)
        if value is None:
            return voice(f"option.{key}"), voice(f"option.{key}_note")
        if key == "bond_points":
            return voice(f"option.bond_points_{value}"), voice(f"option.bond_points_{value}_note")
        if not value:
            rounds = BOX.meta.rounds
            facts = {"two": rounds[1], "four": rounds[3], "eight": rounds[7]}
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

    def closeups(self, observation: Observation, look: Look) -> tuple[base.Page, ...]:
        """See `bot.presenters.base.Presenter`: the four corners of a molecule that does not fit."""
        voice = Voice(look)
        return tuple(
            base.Page(voice(f"closeup.{corner}"), "", scene)
            for corner, scene in pictures.closeup_scenes(observation, look)
        )

    def keepsake(self, outcome: Outcome, _observation: Any, look: Look) -> base.Keepsake | None:
        """See `bot.presenters.base.Presenter`: the molecule as chemists draw it."""
        if not outcome.facts.get("tiles"):
            return None
        voice = Voice(look)
        return base.Keepsake(
            label=voice("keepsake.label"),
            name="molecule.png",
            text=voice("keepsake.text"),
            alt=voice("keepsake.alt", formula=_formula_of(outcome)),
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


def _formula_of(outcome: Outcome) -> str:
    return formula(Counter(ELEMENT[kind] for _, _, kind, _ in outcome.facts["tiles"]))


def _summary(tiles: Sequence[Sequence[int]], voice: Voice) -> list[str]:
    """What the molecule has become: formula, mass, open ends, and its groups."""
    board = Board.of((cell_of(q, r), SHAPE_OF[kind][turn]) for q, r, kind, turn in tiles)
    atoms = Counter(ELEMENT[kind] for _, _, kind, _ in tiles)
    mass = sum(MASS[one] * count for one, count in atoms.items())
    ends = voice("ending.ends", n=groups.open_ends(board))
    said = [voice("ending.molecule", formula=formula(atoms), mass=f"{mass:.2f}", n=len(tiles), ends=ends)]
    found = [(count, group) for group, count in enumerate(groups.count_all(board)) if count]
    found.sort(key=lambda one: (-one[0], one[1]))
    if found:
        names = ", ".join(voice("ending.group", group=voice.group(g), count=count) for count, g in found)
        said.append(voice("ending.groups", groups=names))
    return said


PRESENTER = MolecularPresenter()
"""The presenter."""
