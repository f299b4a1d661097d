"""Alembic's environment script, run only by bot.store.backend.migrate."""

from pathlib import Path

from alembic import context

from bot.store.backend import policy
from bot.store.models import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
with context.begin_transaction():
    before = context.get_context().get_current_revision()
    context.run_migrations()
    revision = context.get_context().get_current_revision()
    if revision and revision != before:
        steps = context.script.iterate_revisions(revision, "base")
        policy.note(connection, revision, [(str(one.down_revision or ""), Path(one.path)) for one in steps])
