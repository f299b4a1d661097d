"""The token of the press that planned a night, until its message is noted."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Add a column, empty for all nights planned before."""
    op.add_column("nights", sa.Column("token", sa.Text(), nullable=True))
