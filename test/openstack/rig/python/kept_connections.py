"""Connections to the databases stay open.

oslo.db opens a file of SQLite anew for each transaction. Each opening reads the whole schema, and Nova's has more than a
hundred tables: that cost more than all statements.
"""
from types import SimpleNamespace

from oslo_db.sqlalchemy import engines
from sqlalchemy import pool

WITHOUT_LIMIT = 0


class KeptConnections(pool.QueuePool):
    def __init__(self, creator, **options):
        super().__init__(creator, **{**options, 'pool_size': WITHOUT_LIMIT, 'use_lifo': True})


def keep_connections():
    """Before the first engine is made: oslo.db takes this pool where it would take the one that keeps nothing."""
    engines.pool = SimpleNamespace(**{**vars(pool), 'NullPool': KeptConnections})
