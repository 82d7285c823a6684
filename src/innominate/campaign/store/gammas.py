"""Gammas that were worked out before, so that the next command need not wait for them."""

from __future__ import annotations

from collections.abc import Mapping

from innominate.campaign.store.database import Transaction


def gammas(transaction: Transaction) -> dict[str, str]:
    """Everything that is remembered, by its name."""
    return {str(name): str(data) for name, data in transaction.rows("SELECT name, data FROM gammas")}


def keep_gammas(transaction: Transaction, found: Mapping[str, str]) -> None:
    """Remember more. Of two processes that worked out the same the first is remembered: their values are equal."""
    rows = [{"name": name, "data": data} for name, data in found.items()]
    transaction.run_many("INSERT INTO gammas (name, data) VALUES (:name, :data) ON CONFLICT (name) DO NOTHING", rows)
