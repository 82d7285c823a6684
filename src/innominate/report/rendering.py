"""Pages and plots from templates: self-contained HTML, whose head is that of `templates/base.html`, and inline SVG.

Plots need no library and no script, and their colours follow the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader
from markupsafe import Markup


def render_page(template: str, title: str, **context: Any) -> str:
    """Fill in a template. What is put in is escaped, unless it is markup already or the template is plain text."""
    return _environment().get_template(template).render(title=title, **context)


def draw_plot(template: str, **context: Any) -> Markup:
    """Fill in the template of a plot; all of it is on one line, because a blank between two shapes says nothing."""
    return Markup("".join(line.strip() for line in _environment().get_template(template).render(context).splitlines()))


@cache
def _environment() -> Environment:
    made = Environment(loader=PackageLoader("innominate.report"), autoescape=_escapes, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"px": "{:.1f}".format, "points": _join_points}
    return made


def _escapes(template: str | None) -> bool:
    return not (template or "").endswith(".txt")


def _join_points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
