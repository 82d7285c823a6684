"""The languages as the help of an option shows them."""

from __future__ import annotations

from innominate.languages import language_codes

CODES = "|".join(language_codes())
