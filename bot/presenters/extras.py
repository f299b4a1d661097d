"""Optional packages: extras that the bot can run without."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec


@dataclass(frozen=True, slots=True)
class Extra:
    """An optional package: its display name, the module it provides, and the key of the pip extra."""

    name: str
    module: str
    key: str
    there: bool = field(init=False)
    """Whether it was installed when the bot started. The module is not imported to find out."""

    def __post_init__(self) -> None:
        """Check the disk now, so that no button press waits for it."""
        object.__setattr__(self, "there", find_spec(self.module) is not None)

    @property
    def install(self) -> str:
        """The command that installs it, run in a checkout. On PyPI the package name belongs to another
        project."""
        return f"pip install '.[{self.key}]'"


RDKIT = Extra("RDKit", "rdkit", "molecules")
"""Draws the molecule at the end of a game as chemists do. Takes 160 MB when installed."""

FPDF = Extra("fpdf2", "fpdf", "print")
"""Writes the sheets of `valence print` as a PDF."""

SENTRY = Extra("sentry-sdk", "sentry_sdk", "sentry")
"""Reports failures to Sentry, if a DSN is set."""

DASK = Extra("Dask", "distributed", "cluster")
"""Lets opponents think on other machines, if a scheduler is configured."""

ORJSON = Extra("orjson", "orjson", "speed")
"""Parses Discord's messages faster."""

UVLOOP = Extra("uvloop", "uvloop", "speed")
"""A faster event loop, not available on Windows."""

EXTRAS = (RDKIT, FPDF, SENTRY, DASK, ORJSON, UVLOOP)
