"""Files and functions stay small; names say what is in the room."""

from __future__ import annotations

import ast
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "recollect"
MODULE_CEILING, FUNCTION_CEILING, P95_CEILING = 400, 60, 40
MODULE_MEDIAN, FUNCTION_MEDIAN = 150, 10
BANNED = {"utils", "helpers", "common", "manager", "base2", "misc"}


def modules() -> list[Path]:
    return sorted(SRC.rglob("*.py"))


def functions() -> Iterator[tuple[int, str]]:
    """Lines of each function, its docstring not counted, and where it stands."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield length(node), f"{path.relative_to(SRC)}:{node.lineno} {node.name}"


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def test_no_module_is_longer_than_the_ceiling() -> None:
    long = {str(p.relative_to(SRC)): n for p in modules() if (n := p.read_text().count("\n")) > MODULE_CEILING}
    assert not long


def test_no_function_is_longer_than_the_ceiling() -> None:
    assert not [where for lines, where in functions() if lines > FUNCTION_CEILING]


def test_the_usual_module_and_function_stay_small() -> None:
    sizes = sorted(lines for lines, _ in functions())
    assert statistics.median(p.read_text().count("\n") for p in modules()) <= MODULE_MEDIAN
    assert statistics.median(sizes) <= FUNCTION_MEDIAN
    assert sizes[int(0.95 * (len(sizes) - 1))] <= P95_CEILING


def test_no_module_has_a_name_that_says_nothing() -> None:
    assert not [str(p) for p in modules() if p.stem in BANNED or p.parent.name in BANNED]


def test_a_function_over_the_ceiling_would_be_seen() -> None:
    """A twin that breaks the rule, to prove that the measure can fail."""
    body = "\n".join(f"    x = {n}" for n in range(FUNCTION_CEILING + 1))
    (node,) = ast.parse(f"def f():\n{body}\n").body
    assert isinstance(node, ast.FunctionDef)
    assert length(node) > FUNCTION_CEILING


def undocumented(body: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Public classes, their public methods and public functions without a docstring."""
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node) is None:
            yield node.lineno, node.name
        if isinstance(node, ast.ClassDef):
            yield from undocumented(node.body)


@pytest.mark.parametrize("package", ["contracts", "domain", "metrics", "stats"])
def test_everything_public_is_documented(package: str) -> None:
    missing = []
    for path in sorted((SRC / package).rglob("*.py")):
        for line, name in undocumented(ast.parse(path.read_text(encoding="utf-8")).body):
            missing.append(f"{path.relative_to(SRC)}:{line} {name}")
    assert not missing


def test_a_public_method_without_a_docstring_is_seen() -> None:
    body = ast.parse("class A:\n    'Doc.'\n    def f(self): ...\n    def _g(self): ...").body
    assert list(undocumented(body)) == [(3, "f")]
