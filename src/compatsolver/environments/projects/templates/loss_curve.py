"""The loss of each step as a picture: `python loss_curve.py runs/lora/metrics.jsonl loss.svg`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

WIDTH, HEIGHT, MARGIN = 720, 400, 56
TICKS = 5
SMOOTHED = 0.9
"""The weight of all earlier steps in the smoothed line."""


def draw(metrics: Path, svg: Path) -> None:
    """Read the lines of a run, and write the curve: every step in grey, the smoothed loss in blue."""
    records = [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    steps, losses = [record["step"] for record in records], [record["loss"] for record in records]
    svg.write_text(picture(steps, losses) if records else "", encoding="utf-8")


def picture(steps: list[int], losses: list[float]) -> str:
    """The SVG document."""
    left, right, low, high = steps[0], max(steps[-1], steps[0] + 1), min(losses), max(losses)
    high = max(high, low + 1e-9)

    def place(step: float, loss: float) -> tuple[float, float]:
        across, up = (step - left) / (right - left), (loss - low) / (high - low)
        return MARGIN + across * (WIDTH - 2 * MARGIN), HEIGHT - MARGIN - up * (HEIGHT - 2 * MARGIN)

    def line(values: list[float], colour: str, width: float) -> str:
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(place, steps, values))
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>'

    labels = []
    for tick in range(TICKS):
        part = tick / (TICKS - 1)
        step, loss = left + part * (right - left), low + part * (high - low)
        x, y = place(step, loss)
        labels.append(f'<text x="{x:.1f}" y="{HEIGHT - MARGIN + 20}" text-anchor="middle">{step:.0f}</text>')
        labels.append(f'<text x="{MARGIN - 8}" y="{y + 4:.1f}" text-anchor="end">{loss:.3g}</text>')
        labels.append(f'<path d="M{MARGIN} {y:.1f}H{WIDTH - MARGIN}" stroke="#e5e5e5"/>')
    labels.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 12}" text-anchor="middle">step</text>')
    labels.append(f'<text x="{MARGIN - 8}" y="{MARGIN - 16}" text-anchor="end">loss</text>')
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    background = '<rect width="100%" height="100%" fill="white"/>'
    lines = (line(losses, "#b0b0b0", 1), line(smoothed(losses), "#1f5fbf", 2))
    return "\n".join((head, background, *labels, *lines, "</svg>\n"))


def smoothed(values: list[float]) -> list[float]:
    """Each value with a share of all before it, from the first one on without a bias to it."""
    found, total, weight = [], 0.0, 0.0
    for value in values:
        total, weight = SMOOTHED * total + value, SMOOTHED * weight + 1
        found.append(total / weight)
    return found


if __name__ == "__main__":
    draw(Path(sys.argv[1]), Path(sys.argv[2]))
