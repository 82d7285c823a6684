"""The frame of a plot as inline SVG: no library, no script."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

# What a page says in its own style sheet, for a plot that is a file of its own.
OWN_STYLE = Markup(
    "<style>.chart{font:12px system-ui,sans-serif;background:#fff}.axis{text-anchor:middle;fill:#6b7076}"
    ".side{text-anchor:end;fill:#6b7076}.other{fill:#6b7076}.tick{stroke:#e3e3e0}.curve{fill:none;stroke-width:2}"
    ".band{fill-opacity:.15}</style>"
)


def join(shapes: Iterable[Markup]) -> Markup:
    """Shapes one after the other; the later ones lie on top."""
    return Markup("").join(shapes)


@dataclass(frozen=True, slots=True)
class PlotFrame:
    """Where a plot lies in its picture, in pixels."""

    left: int = 60
    top: int = 16
    width: int = 560
    height: int = 340

    @property
    def right(self) -> int:
        """Where it ends."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """Where the lower axis is."""
        return self.top + self.height

    def across(self, share: float) -> float:
        """How far from the left a share of the lower axis is."""
        return self.left + self.width * share

    def up(self, share: float) -> float:
        """How far from the top a share of the axis at the side is."""
        return self.top + self.height * (1 - share)

    def tick(self, x: float, *names: str) -> Markup:
        """A line upwards, with names below it."""
        line = Markup('<line class="tick" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"/>').format(x, self.top, self.bottom)
        name = Markup('<text class="axis" x="{:.1f}" y="{}">{}</text>')
        return line + join(name.format(x, self.bottom + 16 + 15 * row, text) for row, text in enumerate(names))

    def side(self, y: float, name: str) -> Markup:
        """A line across, with a name at its left."""
        shape = '<line class="tick" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/><text class="side" x="{}" y="{:.1f}">{}</text>'
        return Markup(shape).format(self.left, self.right, y, y, self.left - 8, y + 4, name)

    def legend(self, right: int, y: int, name: str, colour: str) -> Markup:
        """What a colour stands for."""
        shape = '<rect x="{}" y="{}" width="14" height="4" fill="{}"/><text x="{}" y="{}" fill="currentColor">{}</text>'
        return Markup(shape).format(self.right - right, y, colour, self.right - right + 20, y + 6, name)

    def draw(self, shapes: Iterable[Markup], title: str, across: str, up: str = "", *, own_style: bool = False) -> Markup:
        """The picture, with what the axes are; `own_style` for one that is a file of its own."""
        width, height = self.right + 50, self.bottom + 58
        names = Markup('<text class="axis" x="{}" y="{}">{}</text>').format(self.left + self.width // 2, height - 6, across)
        if up:
            beside = '<text class="axis" transform="translate(14 {}) rotate(-90)">{}</text>'
            names += Markup(beside).format(self.top + self.height // 2, up)
        shape = (
            '<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>'
        )
        return Markup(shape).format(width, height, title, OWN_STYLE if own_style else "", join(shapes), names)
