"""Curves as an SVG with two logarithmic axes; the same points give the same bytes."""

from __future__ import annotations

from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 130, 50, 60
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
"""Told apart by colour-blind readers too (Okabe and Ito)."""


class Chart(NamedTuple):
    """What is drawn: by name the points of each curve, positive on both axes."""

    title: str
    across: str
    up: str
    curves: Mapping[str, Sequence[tuple[float, float]]]


class Axis(NamedTuple):
    """A logarithmic axis from `low` to `high`, drawn from pixel `start` to pixel `end`."""

    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        """The pixel of a value."""
        share = log10(value / self.low) / log10(self.high / self.low)
        return round(self.start + share * (self.end - self.start), 1)


def drawn(chart: Chart) -> str:
    """The chart as an SVG document."""
    points = [point for curve in chart.curves.values() for point in curve]
    lowest, highest = min(y for _, y in points), max(y for _, y in points)
    across = Axis(min(x for x, _ in points), max(x for x, _ in points), LEFT, WIDTH - RIGHT)
    up = Axis(10.0 ** floor(log10(lowest)), 10.0 ** ceil(log10(highest)), HEIGHT - BOTTOM, TOP)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"',
        f' role="img" font-family="sans-serif" font-size="12"><title>{escape(chart.title)}</title>',
        '<rect width="100%" height="100%" fill="white"/>',
        _text(LEFT, 24, chart.title, size=15),
        *_grid(chart, across, up),
    ]
    for colour, (name, curve) in zip(COLOURS, chart.curves.items(), strict=False):
        lines += _curve(name, [(across.place(x), up.place(y)) for x, y in curve], colour)
    return "\n".join([*lines, "</svg>", ""])


def _grid(chart: Chart, across: Axis, up: Axis) -> Iterator[str]:
    for exponent in range(round(log10(up.low)), round(log10(up.high)) + 1):
        y = up.place(10.0**exponent)
        yield f'<line x1="{across.start}" y1="{y}" x2="{across.end}" y2="{y}" stroke="#dddddd"/>'
        yield _text(across.start - 8, y + 4, f"{10.0**exponent:,g}", anchor="end")
    for value in sorted({x for curve in chart.curves.values() for x, _ in curve}):
        x = across.place(value)
        yield f'<line x1="{x}" y1="{up.start}" x2="{x}" y2="{up.start + 5}" stroke="#555555"/>'
        yield _text(x, up.start + 20, f"{value:g}", anchor="middle")
    yield f'<line x1="{across.start}" y1="{up.start}" x2="{across.end}" y2="{up.start}" stroke="#555555"/>'
    yield _text((across.start + across.end) / 2, HEIGHT - 16, chart.across, anchor="middle")
    middle = (up.start + up.end) / 2
    yield _text(18, middle, chart.up, anchor="middle", more=f' transform="rotate(-90 18 {middle})"')


def _curve(name: str, places: Sequence[tuple[float, float]], colour: str) -> Iterator[str]:
    path = " ".join(f"{x},{y}" for x, y in places)
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, y in places:
        yield f'<circle cx="{x}" cy="{y}" r="3" fill="{colour}"/>'
    x, y = places[-1]
    yield _text(x + 8, y + 4, name, more=f' fill="{colour}"')


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" font-size="{size}"{more}>{escape(text)}</text>'
