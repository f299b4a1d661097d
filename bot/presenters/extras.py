"""What is not installed with the bot itself: extras of the package, which people can do without."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra: its name for people, the module that it brings, and how pip calls it."""

    name: str
    module: str
    key: str
    there: bool = field(init=False)
    """Whether it was installed when the bot started; nothing is imported for that."""

    def __post_init__(self) -> None:
        """Look at the disk here and now: a press should not wait for that."""
        object.__setattr__(self, "there", find_spec(self.module) is not None)

    @property
    def install(self) -> str:
        """The command that adds it, in a checkout: at the index of packages the name is another project's."""
        return f"pip install '.[{self.key}]'"


RDKIT = Extra("RDKit", "rdkit", "molecules")
"""Draws the molecule at the end of a game as chemists do; 160 MB installed."""

FPDF = Extra("fpdf2", "fpdf", "print")
"""Writes the sheets of `valence print` as a PDF."""

SENTRY = Extra("sentry-sdk", "sentry_sdk", "sentry")
"""Tells Sentry of failures, where a DSN is set."""

DASK = Extra("Dask", "distributed", "cluster")
"""Lets opponents think on further machines, where a scheduler is named."""

ORJSON = Extra("orjson", "orjson", "speed")
"""Reads faster what Discord says."""

UVLOOP = Extra("uvloop", "uvloop", "speed")
"""A faster event loop, which Windows does not have."""

EXTRAS = (RDKIT, FPDF, SENTRY, DASK, ORJSON, UVLOOP)
