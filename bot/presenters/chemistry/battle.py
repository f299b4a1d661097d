"""The presenter of Chemistry Battle: choices, log, explanations."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from bot.presenters import base
from bot.presenters.chemistry import battle_scenes, lookups
from bot.presenters.chemistry.battle_scenes import lines_of, unplayed
from bot.presenters.chemistry.family import ChemistryPresenter
from bot.presenters.chemistry.words import Voice
from bot.render.scene import Look, Scene
from engine.chemistry.battle.game import GAME
from engine.chemistry.battle.rounds import CAP, HOUSE, ORDERS, Move, Observation
from engine.chemistry.battle.state import BattleState
from engine.elements import BY_SYMBOL, ELEMENTS
from engine.game import Event, Outcome, Refusal, Viewer

NAMES = ("Mira", "Tobias", "Ağaoğlu", "小明", "🦊", "Ed")
SHOWN = ("H", "Fe", "Xe")


def _name(hand: int, seats: int, voice: Voice, *, first: bool = False) -> str:
    """A player, or the house; `first` where the name begins the sentence."""
    if hand == HOUSE and seats == 1:
        return voice("house_first" if first else "house_bold")
    return voice.name(hand)


class BattlePresenter(ChemistryPresenter):
    """The words and pictures of Chemistry Battle."""

    key = "chemistry_battle"
    elements = lookups.EVERY
    compounds = False

    def tree(self, observation: Observation, actions: Sequence[Move], look: Look) -> base.Node:
        """See `bot.presenters.base.Presenter`: one choice, of up to 27 cards."""
        seen, voice = observation, Voice(look)
        if not actions:
            return base.Branch(voice("tree.nothing"), ())
        if seen.blind:
            flip = base.Choice("flip", voice("tree.flip"), base.Leaf(actions[0]), strong=True)
            return base.Branch(voice("tree.blind"), (flip,))
        best = max(seen.plays, default=0)
        out = unplayed(seen)
        choices = []
        for move in sorted(actions, key=lambda move: -move.card):
            above = sum(other > move.card for other in out)
            if best > move.card:
                note = voice("tree.loses")
            elif len(seen.plays) == seen.hands - 1:
                note = voice("tree.wins")
            else:
                note = voice("tree.above", n=above) if above else voice("tree.top_card")
            symbol = ELEMENTS[move.card - 1].symbol
            choices.append(base.Choice(symbol, voice.label(move.card), base.Leaf(move), note))
        return base.Branch(voice("tree.follow" if seen.plays else "tree.lead"), tuple(choices))

    def line(self, event: Event, _viewer: Viewer, look: Look) -> str | None:
        """See `bot.presenters.base.Presenter`."""
        voice, facts = Voice(look), event.facts
        # a solo game is the only one in which hand 1 has no seat
        name = voice("house_first") if event.seat < 0 else voice.name(event.seat)
        if event.kind == "play":
            return voice("line.battle_play", name=name, card=voice.card(facts["card"]))
        if event.kind == "round_won":
            key = "line.battle_kitty" if facts["kitty"] else "line.battle_won"
            best = voice.short(max(facts["cards"]))
            return voice(
                key, name=name, card=best, n=len(facts["cards"]) + facts["kitty"], round=facts["round"]
            )
        if event.kind == "piles":
            return voice("line.battle_piles", sizes=" : ".join(map(str, facts["sizes"])))
        return self._game_over(facts, voice)

    def _game_over(self, facts: dict[str, Any], voice: Voice) -> str:
        if facts["reason"] in ("house_won", "house_lost"):
            own, house = facts["cards"]
            key = f"line.{facts['reason']}" + ("_tie" if own == house else "")
            card = voice.short(facts["highest"])
            return voice(key, name=voice.name(0), own=own, house=house, round=facts["rounds"], card=card)
        first = [voice.name(seat) for seat, rank in enumerate(facts["ranks"]) if rank == 1]
        return voice(
            "line.battle_over_tie" if facts["reason"] == "highest" else "line.battle_over",
            name=voice.all(first),
            card=voice.short(facts["highest"]),
            cards=max(facts["cards"]),
            round=facts["rounds"],
        )

    def why(self, refusal: Refusal, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice, facts = Voice(look), refusal.facts
        said = {"card": voice.card(facts["card"]), "best": voice.short(facts["highest"])} if facts else {}
        return voice(f"why.battle_{refusal.rule}", **said)

    def status(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        seen, voice = observation, Voice(look)
        if seen.over:
            return voice("status.battle_over", n=seen.round)
        return voice("status.battle", round=seen.round + 1, n=max(seen.sizes))

    def explain(self, observation: Observation, look: Look) -> str:
        """See `bot.presenters.base.Presenter`: the last round, and how the piles fought it out."""
        seen, voice = observation, Voice(look)
        if seen.last is None:
            return ""
        last = seen.last
        order = ORDERS[seen.hands][last.leader]
        plays = [
            voice("explain.play", card=voice.short(card), name=_name(hand, seen.seats, voice))
            for hand, card in zip(order, last.cards, strict=True)
        ]
        lines = [
            voice("explain.battle_round", round=seen.round - len(seen.finale), plays=", ".join(plays)),
            voice(
                "explain.battle_won",
                name=_name(last.winner, seen.seats, voice),
                card=voice.short(max(last.cards)),
            ),
        ]
        if not seen.over:
            return "\n".join(lines)
        if seen.finale:
            lines.append("")
            lines.append(voice("explain.battle_piles", n=len(seen.finale)))
            lines += self._finale(seen, voice)
        key = "explain.battle_capped" if seen.round >= CAP else "explain.battle_empty"
        lines.append(voice(key, round=seen.round))
        counts = [len(pile) for pile in seen.piles]
        if counts.count(max(counts)) > 1:
            winner = battle_scenes.in_front(seen)
            card = voice.short(max(seen.piles[winner]))
            name = _name(winner, seen.seats, voice)
            lines.append(voice("explain.battle_tie", n=max(counts), name=name, card=card))
        return "\n".join(lines)

    def _finale(self, seen: Observation, voice: Voice) -> list[str]:
        """What each pile began and ended with, and the card that won it most rounds."""
        wins: dict[int, Counter[int]] = {hand: Counter() for hand in range(seen.hands)}
        for winner, card in lines_of(seen.finale):
            wins[winner][card] += 1
        lines = []
        for hand, pile in enumerate(seen.piles):
            facts = {"before": len(seen.before[hand]), "after": len(pile)}
            name = _name(hand, seen.seats, voice, first=True)
            line = voice("explain.pile", name=name, n=wins[hand].total(), **facts)
            if wins[hand]:
                card, times = max(wins[hand].items(), key=lambda one: (one[1], one[0]))
                line += " " + voice("explain.best_card", card=voice.short(card), n=times)
            lines.append(line)
        return lines

    def table(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return battle_scenes.table(observation, look)

    def hand(self, observation: Observation, look: Look) -> Scene:
        """See `bot.presenters.base.Presenter`."""
        return battle_scenes.hand(observation, look)

    def film(self, observation: Observation, look: Look) -> tuple[tuple[Scene, int], ...]:
        """Phase 2 as frames for `bot.render.animate`: (scene, milliseconds); empty before the end."""
        return battle_scenes.film(observation, look)

    def keepsake(self, _outcome: Outcome, observation: Observation, look: Look) -> base.Keepsake | None:
        """See `bot.presenters.base.Presenter`: the piles' own battle as a moving picture."""
        frames = self.film(observation, look)
        if not frames:
            return None
        voice = Voice(look)
        return base.Keepsake(
            label=voice("film.label"),
            name="battle.gif",
            text=voice("film.text"),
            alt=frames[-1][0].alt,
            make="bot.render.animate:from_facts",
            facts={"frames": frames},
        )

    def ending(self, outcome: Outcome, look: Look) -> str:
        """See `bot.presenters.base.Presenter`."""
        voice, facts = Voice(look), outcome.facts
        if len(outcome.standings) == 1:
            own, house = facts["cards"]
            said = [voice(f"ending.{outcome.reason}", name=voice.name(0), own=own, house=house)]
        else:
            said = [*voice.ranking(outcome, "cards")]
        if facts["cards"].count(max(facts["cards"])) > 1:
            said.append(voice("ending.highest", card=voice.short(facts["highest"])))
        if facts["capped"]:
            said.append(voice("ending.capped", n=facts["rounds"]))
        return "\n".join(said)

    def gallery(self) -> tuple[tuple[str, Scene], ...]:
        """See `bot.presenters.base.Presenter`."""
        return _showcase()


@cache
def _showcase() -> tuple[tuple[str, Scene], ...]:
    """Tables and hands from real games, the course of phase 2, and some cards."""
    voice = Voice(Look(names=NAMES))
    shown: list[tuple[str, Scene]] = []
    for key, seats, after, blind in (
        ("solo", 1, 5, False),
        ("two", 2, 1, False),
        ("decided", 4, 8, False),
        ("six", 6, 28, False),
        ("few_cards", 3, 41, False),
        ("blind", 3, 10, True),
        ("over", 1, 999, False),
        ("over_many", 6, 999, False),
        ("over_two", 2, 999, False),
    ):
        state = _after(seats, after, blind=blind)
        look = Look(names=NAMES[:seats])
        title = voice(f"showcase.{key}")
        shown.append((voice("showcase.table", title=title), battle_scenes.table(state.observe(None), look)))
        if not state.over:
            hand = battle_scenes.hand(state.observe(state.turn), look)
            shown.append((voice("showcase.hand", title=title), hand))
        elif seats == 2:
            frames = battle_scenes.film(state.observe(None), look)
            shown += [(voice("showcase.frame", n=n + 1), frames[n][0]) for n in (0, len(frames) - 1)]
    for symbol in SHOWN:
        z = BY_SYMBOL[symbol].z
        shown.append((voice.label(z), lookups.element_scene(z, Look())))
    return tuple(shown)


def _after(seats: int, actions: int, *, blind: bool) -> BattleState:
    """A random game after so many actions."""
    rng = random.Random(seats)
    state = GAME.deal(GAME.setup(seats, bytes(31) + bytes([seats]), blind=blind))
    for _ in range(actions):
        if state.over:
            break
        state._apply(state.turn, rng.choice(state.legal_actions(state.turn)))
    return state
