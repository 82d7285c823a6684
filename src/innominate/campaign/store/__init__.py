"""The one store of a campaign: every answer and every event, for ever. A file, or a PostgreSQL database."""

from __future__ import annotations

from innominate.campaign.store.answers import Receipt
from innominate.campaign.store.database import StoreError
from innominate.campaign.store.leases import LentTask
from innominate.campaign.store.store import Store, create_store, open_store
from innominate.campaign.store.tables import Event, Guidelines, Suggestion

__all__ = ["Event", "Guidelines", "LentTask", "Receipt", "Store", "StoreError", "Suggestion", "create_store", "open_store"]
