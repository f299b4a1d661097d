"""What all tables of the database are made on."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, LargeBinary
from sqlalchemy.orm import DeclarativeBase


class Base(DeclarativeBase):
    """The common base of all tables."""

    type_annotation_map = {int: BigInteger, dict[str, object]: JSON, list[object]: JSON, bytes: LargeBinary}  # noqa: RUF012 - SQLAlchemy's own way
