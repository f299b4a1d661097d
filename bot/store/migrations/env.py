"""How alembic reaches the database; called by bot.store.migrate only."""

from alembic import context

from bot.store.models import Base

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
