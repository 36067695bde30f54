"""Alembic's entry: it is handed an open connection and never makes its own."""

from __future__ import annotations

from alembic import context

from bancada.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
