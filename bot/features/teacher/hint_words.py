"""A hint in words: what to do, what decides, and only then the chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.locales import Words, words
from bot.presenters.base import AnyPresenter, Node
from bot.presenters.paths import Route, in_words, ways_to
from bot.render.scene import Look
from bot.ui.names import inert
from engine.ai.advice import Advice, Worse
from engine.game import Action
from engine.reason import Reason

_LITTLE: Final = 2
"""Games of 100 that count as a little."""
LEAST_CHANCE, MOST_CHANCE = 10, 90
"""Chances in percent outside of which none is given. Samples are too few to tell nearly all from all."""


class HintWords:
    """The words of a hint for one decision."""

    def __init__(self, presenter: AnyPresenter, look: Look, tree: Node, legal: Sequence[Action]) -> None:
        self.presenter, self.look = presenter, look
        self.say: Words = words(look.locale)
        self.ways: Mapping[Action, Route] = ways_to(tree, legal)

    def text(self, advice: Advice) -> str:
        """Return a hint in Markdown."""
        lines = self._lines(advice)
        if (chance := self._chance(advice)) is not None:
            lines.append(f"-# {self.say('hint.chance', n=chance)}")
        return "\n".join(lines)

    def _lines(self, advice: Advice) -> list[str]:
        say, way = self.say, self.told(advice.best)
        reason = advice.reason or advice.merit
        other = self.told(advice.second) if advice.second is not None else way
        if other == way:  # the second reads the same, or is missing
            if reason is None:
                return [say("hint.only", way=way)]
            return [say("hint.move", way=way), self._because(reason, other)]
        if reason is None and not advice.clear:
            lines = [say("hint.same", way=way, other=other)]
        elif reason is None:
            lines = [say("hint.move", way=way), self._better(advice, other)]
        else:
            lines = [say("hint.move", way=way), self._because(reason, other)]
            if not advice.clear and not reason.against:
                lines.append(f"-# {say('hint.as_good', way=other)}")
            elif advice.clear and advice.reason is None:  # the reason holds for both
                lines.append(f"-# {self._better(advice, other)}")
        if (worse := advice.worse) and (read := self.told(worse.action)) not in (way, other):
            lines.append(self._against(worse, read))
        return lines

    def _because(self, reason: Reason, other: str) -> str:
        """A reason as a sentence; one that speaks against the other decision names it."""
        told = self.presenter.because(reason, self.look)
        return self.say("hint.against", way=other, reason=told) if reason.against else told

    def _better(self, advice: Advice, other: str) -> str:
        return self.say("hint.better", way=other, n=_games(advice.lead))

    def _against(self, worse: Worse, way: str) -> str:
        """Return the argument against a decision that is clearly worse."""
        if worse.reason is not None and worse.reason.against:
            return self._because(worse.reason, way)
        games = _games(worse.lead)
        # that it is worse is certain in either case; to a reader "clearly" says by how much
        return self.say("hint.worse_by" if games > _LITTLE else "hint.worse_little", way=way, n=games)

    def _chance(self, advice: Advice) -> int | None:
        if advice.chance is None:
            return None
        chance = round(100 * advice.chance)
        return chance if LEAST_CHANCE <= chance <= MOST_CHANCE else None

    def told(self, action: Action) -> str:
        """Return a decision in words that are safe in Markdown."""
        return inert(in_words(self.ways[action]))


def _games(lead: float) -> int:
    """Return how many more of 100 games a lead wins: never none, since it is a lead."""
    return max(1, round(100 * lead))
