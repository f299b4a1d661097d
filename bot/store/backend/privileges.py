"""Privileges that the user of a PostgreSQL database needs, and the statement that grants missing ones."""

from __future__ import annotations

from sqlalchemy import Connection, text

from bot.store.models import Base

_WHO = text(
    """
    SELECT current_user, name, EXISTS (SELECT FROM pg_namespace WHERE nspname = name)
    FROM (SELECT coalesce(
        current_schema(), trim('" ' FROM substring(current_setting('search_path') FROM '[^,]*$'))
    ) AS name) AS found
    """
)
"""The user, the schema in which tables are created or would be, and whether that schema exists."""
_MAY_CREATE = text(
    "SELECT has_schema_privilege(:schema, 'USAGE') AND has_schema_privilege(:schema, 'CREATE')"
)
_MAY_WRITE = text(
    """
    WITH ours AS (
        SELECT pg_class.oid FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = :schema AND relkind IN ('r', 'p') AND relname = ANY(CAST(:tables AS text[]))
    )
    SELECT coalesce(bool_and(
        has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
        AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')
    ), true) AND coalesce((
        SELECT bool_and(has_sequence_privilege(sequence.oid, 'USAGE'))
        FROM pg_class AS sequence JOIN pg_depend ON objid = sequence.oid
        WHERE relkind = 'S' AND refobjid IN (SELECT oid FROM ours)
    ), true)
    FROM ours
    """
)


def missing_to_create(connection: Connection) -> tuple[str, str]:
    """Return the user and the statement that lets it create tables; the statement is empty if it may."""
    user, schema, exists = connection.execute(_WHO).one()
    who, where = _quoted(connection, user), _quoted(connection, schema)
    if not exists:
        return user, f"CREATE SCHEMA {where} AUTHORIZATION {who};"
    if connection.execute(_MAY_CREATE, {"schema": schema}).scalar_one():
        return user, ""
    return user, f"GRANT USAGE, CREATE ON SCHEMA {where} TO {who};"


def missing_to_write(connection: Connection) -> tuple[str, str]:
    """Return the user and the statement that lets it write every table; the statement is empty if it may."""
    user, schema, _ = connection.execute(_WHO).one()
    facts = {"schema": schema, "tables": sorted(Base.metadata.tables)}
    return (user, "") if connection.execute(_MAY_WRITE, facts).scalar_one() else to_write(connection)


def to_write(connection: Connection) -> tuple[str, str]:
    """Return the user and the statement that lets it read and write every table."""
    user, schema, _ = connection.execute(_WHO).one()
    who, where = _quoted(connection, user), _quoted(connection, schema)
    return user, (
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {where} TO {who}; "
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {where} TO {who};"
    )


def _quoted(connection: Connection, name: str) -> str:
    return connection.dialect.identifier_preparer.quote_identifier(name)
