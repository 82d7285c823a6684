"""A policy as a page that a data protection officer reads, prints and signs."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from innominate import __version__
from innominate.conceal.policy.explain import Explanation
from innominate.conceal.policy.policy import Policy
from innominate.report.colours import colour_of
from innominate.report.rendering import render_page
from innominate.report.terminal import escape_controls


def tabulate_policy(explained: Sequence[Explanation]) -> Table:
    """The same for a terminal: each kind in its colour, what becomes of it, and an example."""
    table = Table("", "what becomes of it", "example", "", "becomes", box=None, padding=(0, 2, 0, 0))
    for one in explained:
        shade = colour_of(one.labels[0])
        table.add_row(
            Text(f" {one.category} ", style=f"black on {shade}"),
            Text(one.words),
            Text(escape_controls(one.before), style=shade),
            "→",
            Text(escape_controls(one.after), style="dim" if one.after == one.before else f"bold {shade}"),
        )
    return table


def render_policy(policy: Policy, explained: Sequence[Explanation], said: Sequence[str], *, mark: str, lang: str) -> str:
    """The page: one line for each kind of identifier, what else the policy says, and the hash of the file it was made of."""
    rows = [(one, colour_of(one.labels[0])) for one in explained]
    words = {"policy": policy, "rows": rows, "said": said, "hash": mark, "example_lang": lang, "version": __version__}
    return render_page("policy.html", policy.title or policy.name, **words)
