"""Databases to test on: SQLite files and a real PostgreSQL."""

from tests.cli.conftest import valence  # noqa: F401 - a fixture
from tests.support.processes.databases import database, opened_tables, postgres, upgraded, url  # noqa: F401 - fixtures
