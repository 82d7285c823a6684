"""Every test of the store runs on SQLite and on a real PostgreSQL."""

import pytest


@pytest.fixture(scope="session")
def cluster():
    pytest.importorskip("psycopg")
    from postgres_cluster import Cluster

    running = Cluster()
    yield running
    running.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path):
    """Where a new store may be made."""
    if request.param == "sqlite":
        return str(tmp_path / "campaign.db")
    return request.getfixturevalue("cluster").new_database()
