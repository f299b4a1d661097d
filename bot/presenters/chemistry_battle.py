"""The presenter of Chemistry Battle."""

from __future__ import annotations

from bot.presenters.chemistry.battle import BattlePresenter

PRESENTER = BattlePresenter()
