"""Brings a database to the form that this version of the program needs.

Migrations run before any worker starts. Alembic takes half a second to load, so a database
that is up to date is recognised without it.
"""

import sqlite3
from importlib.resources import as_file, files

HEAD = "0001"
"""The revision that this version of the program needs: the last one in `versions/`."""


def sync_url(url: str) -> str:
    """The same database, for SQLAlchemy."""
    return url.replace("postgres://", "postgresql://", 1) if "://" in url else f"sqlite:///{url}"
