"""Event lines and reference molecules of Molecular."""

from __future__ import annotations

from typing import Any

from rdkit import Chem

from bot.presenters.molecular import PRESENTER
from bot.render.scene import Look
from engine.molecular.state import MolecularState
from tests.support.discord.keys import MARKED

LOOK = Look(names=("Ann", "Ben", "Cy"), locale=MARKED)


def said(state: MolecularState, viewer: int | None = None) -> list[str]:
    views = [event.seen_by(viewer) for event in state.events or ()]
    lines = [PRESENTER.line(view, viewer, LOOK) for view in views if view is not None]
    return [line for line in lines if line]


def kekule(smiles: str) -> Any:
    """The molecule as tiles would lie: hydrogens written out, nothing aromatic."""
    made = Chem.AddHs(Chem.MolFromSmiles(smiles))
    Chem.Kekulize(made, clearAromaticFlags=True)
    return made
