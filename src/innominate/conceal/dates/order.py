"""In what order a note writes day, month and year, learned from those of its dates that can be read in one way only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from innominate.conceal.dates.forms import DateMatch
from innominate.languages import load_language


@dataclass(frozen=True, slots=True)
class DateOrder:
    """`dmy`, `mdy` or `ymd` by separator: a Swedish note has 18/3-22 beside 22-03-18."""

    by_separator: Mapping[str, str]

    @classmethod
    def of(cls, lang: str) -> DateOrder:
        """What is usual in a language.

        >>> DateOrder.of("sv").preferred("-"), DateOrder.of("en").preferred("/")
        ('ymd', 'mdy')
        """
        return cls(load_language(lang).dates.order)

    def preferred(self, separator: str) -> str:
        """The order for a separator; rare separators go with the full stop."""
        return self.by_separator.get(separator) or self.by_separator["."]

    def readings(self, match: DateMatch) -> tuple[Mapping[str, str], ...]:
        """The roles that a, b and c may have in an expression, the likeliest first, real dates only.

        >>> from innominate.conceal.dates.forms import match_forms
        >>> DateOrder.of("fr").readings(match_forms("05.03.2022", "fr")[0])[0]
        {'a': 'd', 'b': 'm', 'c': 'y'}
        """
        return _ranked(match.orders, self.preferred(match.layout.separator) if len(match.orders) > 1 else "")

    def learned(self, matches: Iterable[DateMatch]) -> DateOrder:
        """The order of a note: what its unambiguous dates say, and the usual order where they say nothing.

        >>> from innominate.conceal.dates.forms import match_forms
        >>> DateOrder.of("en").learned([match_forms("18/03/2022", "en")[0]]).preferred("-")
        'dmy'
        """
        votes: dict[str, dict[str, int]] = {}
        for match in matches:
            if len(match.orders) == 1 and (only := match.orders[0]) in _VOTES:
                order = _VOTES[only]
                if only == "md" and self.preferred(match.layout.separator) == "ymd":
                    order = "ymd"  # 05-29 beside 2022-05-28
                counts = votes.setdefault(match.layout.separator, {})
                counts[order] = counts.get(order, 0) + 1
        if not votes:
            return self
        total: dict[str, int] = {}
        for counts in votes.values():
            for order, count in counts.items():
                total[order] = total.get(order, 0) + count
        total.pop("ymd", None)
        common = max(total, key=total.__getitem__, default="")
        learned = {sep: common if common and order != "ymd" else order for sep, order in self.by_separator.items()}
        return DateOrder({**learned, **{sep: max(counts, key=counts.__getitem__) for sep, counts in votes.items()}})


@cache  # a handful of orders
def _ranked(orders: tuple[str, ...], preferred: str) -> tuple[Mapping[str, str], ...]:
    """The roles of each order, those of the preferred one first."""
    if orders and len(orders[0]) == 2:
        preferred = "dm" if preferred == "dmy" else "md"
    return tuple(_ROLES[order] for order in sorted(orders, key=lambda order: order != preferred))


_ROLES = {order: dict(zip("abc", order, strict=False)) for order in ("dmy", "mdy", "ymd", "dm", "md", "my", "ym")}
_VOTES = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd", "dm": "dmy", "md": "mdy"}
