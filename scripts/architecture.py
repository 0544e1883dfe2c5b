"""Draws docs/figures/architecture.svg from the imports of the source tree.

    python scripts/architecture.py            write the picture
    python scripts/architecture.py --check    exit 1 if the picture is out of date

Each row is a layer of the contract in pyproject.toml, each box a package with its sub-packages. An arrow is an import
that no chain of other arrows implies, so that the picture stays readable: what an arrow reaches may use all below it.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "figures" / "architecture.svg"
WIDTH, GAP, LINE, HEAD = 1180, 16, 14, 22
ARROW_HEAD = (
    '<marker id="h" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0L8 4L0 8z" fill="#5b7fa6"/></marker>'
)
SPACE = 34
"""Between two layers, for the arrows."""
STYLE = (
    "text{font-family:sans-serif;fill:#1d2733}.b{fill:#f4f7fa;stroke:#7a8ca0}.n{font-size:14px;font-weight:600}"
    ".s{font-size:11px;fill:#4a5b6d}.a{stroke:#5b7fa6;stroke-width:1.3;fill:none;opacity:.75}"
)


def layers() -> list[list[str]]:
    """Packages by layer, top first, from the import contract."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    (found,) = (c["layers"] for c in contracts if c["id"] == "layers")
    return [[name.strip() for name in row.replace(":", "|").split("|")] for row in found]


def package_imports(graph: grimp.ImportGraph) -> dict[str, set[str]]:
    """Which packages right below `recollect` each of them imports."""
    edges: dict[str, set[str]] = {}
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            above, below = (name.split(".")[1] if "." in name else "" for name in (module, imported))
            if above and below and above != below:
                edges.setdefault(above, set()).add(below)
    return edges


def implied(edges: Mapping[str, set[str]], above: str, below: str) -> bool:
    """Whether a chain of other imports leads from one to the other."""
    seen, waiting = set[str](), [name for name in edges.get(above, ()) if name != below]
    while waiting:
        name = waiting.pop()
        if name == below:
            return True
        if name not in seen:
            seen.add(name)
            waiting.extend(edges.get(name, ()))
    return False


def subpackages(graph: grimp.ImportGraph, name: str) -> list[str]:
    """The folders right below a package."""
    below = graph.find_children(f"recollect.{name}")
    return sorted(child.rsplit(".", 1)[1] for child in below if graph.find_children(child))


def wrapped(words: Iterable[str], width: int) -> list[str]:
    """Names in lines of at most *width* signs."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 2 <= width:
            lines[-1] += f", {word}"
        else:
            lines.append(word)
    return lines


def draw(graph: grimp.ImportGraph) -> str:
    """The picture as SVG; the same imports give the same bytes."""
    boxes, shapes, y = {}, [], GAP
    for row in layers():
        width = min(360, (WIDTH - GAP * (len(row) + 1)) // len(row))
        texts = {name: wrapped(subpackages(graph, name), width // 7) for name in row}
        height = HEAD + 10 + LINE * max(len(lines) for lines in texts.values())
        left = (WIDTH - len(row) * width - (len(row) - 1) * GAP) // 2
        for place, name in enumerate(row):
            boxes[name] = (left + place * (width + GAP), y, width, height)
            shapes.append(box(name, texts[name], boxes[name]))
        y += height + SPACE
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y - SPACE + GAP}" role="img">',
        "<title>The packages of recollect by layer, and what they import</title>",
        f"<style>{STYLE}</style>",
        f"<defs>{ARROW_HEAD}</defs>",
    ]
    return "\n".join([*head, *arrows(package_imports(graph), boxes), *shapes, "</svg>", ""])


Box = tuple[int, int, int, int]


def box(name: str, lines: list[str], at: Box) -> str:
    x, y, width, height = at
    text = [f'<rect class="b" rx="5" x="{x}" y="{y}" width="{width}" height="{height}"/>']
    text.append(f'<text class="n" x="{x + 8}" y="{y + HEAD - 5}">{escape(name)}</text>')
    for number, line in enumerate(lines, 1):
        text.append(f'<text class="s" x="{x + 8}" y="{y + HEAD - 4 + number * LINE}">{escape(line)}</text>')
    return "".join(text)


def arrows(edges: Mapping[str, set[str]], boxes: Mapping[str, Box]) -> list[str]:
    """A curve for every import that no chain of others implies."""
    drawn = []
    for above in sorted(edges.keys() & boxes.keys()):
        for below in sorted(edges[above] & boxes.keys()):
            if not implied(edges, above, below):
                (x, y, width, height), (u, v, wide, _) = boxes[above], boxes[below]
                start, end = x + width // 2, u + wide // 2
                middle = (y + height + v) // 2
                curve = f"M{start} {y + height}C{start} {middle} {end} {middle} {end} {v}"
                drawn.append(f'<path class="a" marker-end="url(#h)" d="{curve}"/>')
    return drawn


def main(arguments: list[str]) -> int:
    picture = draw(grimp.build_graph("recollect", cache_dir=None))
    if "--check" in arguments:
        current = PICTURE.is_file() and PICTURE.read_text(encoding="utf-8") == picture
        print("current" if current else f"{PICTURE.name} is out of date: run python scripts/architecture.py")
        return not current
    PICTURE.write_text(picture, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
