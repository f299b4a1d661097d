"""Connections, migrations and files of SQLite and PostgreSQL."""
