"""Pages from templates: self-contained HTML, whose head is that of `templates/base.html`."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader


def render_page(template: str, title: str, **context: Any) -> str:
    """Fill in a template. What is put in is escaped, unless it is markup already."""
    return _environment().get_template(template).render(title=title, **context)


@cache
def _environment() -> Environment:
    return Environment(loader=PackageLoader("innominate.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True)
