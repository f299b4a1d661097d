"""What all tables of the database are made on."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Integer, LargeBinary
from sqlalchemy.orm import DeclarativeBase

Identity = BigInteger().with_variant(Integer, "sqlite")
"""A number that the database gives; SQLite counts only what it calls an integer."""


class Base(DeclarativeBase):
    """The common base of all tables."""

    type_annotation_map = {int: BigInteger, dict[str, object]: JSON, list[object]: JSON, bytes: LargeBinary}  # noqa: RUF012 - SQLAlchemy's own way
