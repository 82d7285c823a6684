"""How a note writes dates where one expression does not tell: 12.11.2022 may be padded or not, `mai` short or in full.

In what order it writes day, month and year is learned from those of its dates that can be read in one way only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from innominate.conceal.dates.calendar_names import NameStyle, style_of
from innominate.conceal.dates.forms import DateMatch
from innominate.languages import load_language


@dataclass(frozen=True, slots=True)
class WritingHabits:
    """What a note has shown: padding by separator and kind of expression, and how names of months are written."""

    lang: str
    padding: Mapping[tuple[str, str, int], bool] = field(default_factory=dict)  # separator, kind, place of the number
    table: int | None = None  # the line of the table of months
    stop: bool | None = None
    accents: bool = True

    def pads(self, match: DateMatch, roles: Mapping[str, str], place: int) -> bool:
        """Whether a number under ten gets a zero; `place` counts the days and months of the expression from the left.

        What the number itself shows counts first, then others of its kind in the expression, the note, and the language.
        """
        if match.layout.form.padded:
            return True
        numbers = _numbers(match, roles)
        text, role = numbers[place]
        if text[0] == "0" or len(text) == 1:
            return text[0] == "0"
        shown = _shown([other for other, kind in numbers if kind == role])
        kind = match.layout.kind
        if shown is None:
            shown = self.padding.get((match.layout.separator, kind, place))
        if shown is None:
            shown = _shown([other for other, _ in numbers])
        if shown is not None:
            return shown
        usual = load_language(self.lang).dates.padded
        return usual.get(match.layout.separator + kind, usual[kind])

    def month_style(self, style: NameStyle) -> NameStyle:
        """Complete the style of a month's name from what the rest of the note does."""
        table, stop = style.table, style.stop
        if table is None:
            table = self.table or 0
            if table and self.stop is not None:
                stop = self.stop
        return NameStyle(table, self.accents if style.accents is None else style.accents, stop, style.case)

    def learned(self, expressions: Iterable[tuple[DateMatch, Mapping[str, str]]]) -> WritingHabits:
        """The habits of a note, from its expressions and the roles of their numbers.

        >>> from innominate.conceal.dates.forms import match_forms
        >>> WritingHabits("sv").learned([(match_forms("3/5 2022", "sv")[0], {"a": "d", "b": "m"})]).padding
        {('/', 'full', 0): False, ('/', 'full', 1): False}
        """
        padding: dict[tuple[str, str, int], int] = {}
        styles: list[NameStyle] = []
        for match, roles in expressions:
            layout = match.layout
            place = 0
            for name, text in match.parts:
                if roles.get(name, name) not in "dm" or not text.isdecimal():
                    continue
                if text[0] == "0" or len(text) == 1:
                    key = (layout.separator, layout.kind, place)
                    padding[key] = padding.get(key, 0) + (1 if text[0] == "0" else -1)
                place += 1
            if "M" in layout.roles:
                styles += [style_of(text, self.lang, "months") for name, text in match.parts if name == "M"]
        decided = {key: balance > 0 for key, balance in padding.items()}
        return WritingHabits(self.lang, decided, *_of_names(self, styles))


def _numbers(match: DateMatch, roles: Mapping[str, str]) -> list[tuple[str, str]]:
    """The days and months of an expression that are written as bare numbers, from the left, with their roles."""
    found: list[tuple[str, str]] = []
    for name, text in match.parts:
        role = roles.get(name, name)
        if role in "dm" and text.isdecimal():
            found.append((text, role))
    return found


def _shown(numbers: Iterable[str]) -> bool | None:
    """Whether numbers are padded, by the first that shows it."""
    for text in numbers:
        if text[0] == "0" or len(text) == 1:
            return text[0] == "0"
    return None


def _of_names(habits: WritingHabits, styles: list[NameStyle]) -> tuple[int | None, bool | None, bool]:
    """The line of the table of months that a note has most, whether with a full stop, and whether with accents."""
    accents = _accents(habits, styles)
    tables = [style.table for style in styles if style.table is not None]
    if not tables:
        return habits.table, habits.stop, accents
    table = max(tables, key=tables.count)
    stops = [style.stop for style in styles if style.table == table]
    return table, max(stops, key=stops.count), accents


def _accents(habits: WritingHabits, styles: list[NameStyle]) -> bool:
    """A note that writes `fevrier` or `aout` writes no accents, unless it also does."""
    shown = [style.accents for style in styles if style.accents is not None]
    return True in shown if shown else habits.accents


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
