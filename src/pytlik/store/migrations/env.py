"""What Alembic runs: the connection comes from `pytlik.store.connect`, or from a test."""

from alembic import context

from pytlik.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
