"""A policy as a page that a data protection officer reads, prints and signs."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from jinja2 import Environment, select_autoescape
from rich.table import Table
from rich.text import Text

from innominate import __version__
from innominate.conceal.policy.explain import Explanation
from innominate.conceal.policy.policy import Policy
from innominate.report.colours import colour
from innominate.report.terminal import visible


def policy_table(explained: Sequence[Explanation]) -> Table:
    """The same for a terminal: each kind in its colour, what becomes of it, and an example."""
    table = Table("", "what becomes of it", "example", "", "becomes", box=None, padding=(0, 2, 0, 0))
    for one in explained:
        shade = colour(one.labels[0])
        table.add_row(
            Text(f" {one.category} ", style=f"black on {shade}"),
            Text(one.words),
            Text(visible(one.before), style=shade),
            "→",
            Text(visible(one.after), style="dim" if one.after == one.before else f"bold {shade}"),
        )
    return table


def policy_page(policy: Policy, explained: Sequence[Explanation], said: Sequence[str], mark: str, lang: str) -> str:
    """The page: one line for each kind of identifier, what else the policy says, and the hash of the file it was made of."""
    template = files("innominate.report") / "templates" / "policy.html"
    environment = Environment(autoescape=select_autoescape(default=True), trim_blocks=True, lstrip_blocks=True)
    context: dict[str, Any] = {
        "policy": policy,
        "rows": [(one, colour(one.labels[0])) for one in explained],
        "said": said,
        "hash": mark,
        "lang": lang,
        "version": __version__,
    }
    return environment.from_string(template.read_text(encoding="utf-8")).render(context)
