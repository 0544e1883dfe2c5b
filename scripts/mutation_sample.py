"""How many small faults do the tests catch? A seeded sample of mutants, each run against the tests nearest to it.

    python scripts/mutation_sample.py --count 200 --out new.jsonl
    python scripts/mutation_sample.py --ids new.jsonl --tree ../before --select "not slow" --out old.jsonl
    python scripts/mutation_sample.py --compare old.jsonl new.jsonl

A mutant has the name of its function, its kind and how many of that kind come before it there, so that it is found
again in a tree where lines and files have moved. Tests run in a copy of the tree, in a process of its own for each
mutant, nearest first by the imports, and stop at the first failure. One that takes too long counts as caught: as an
endless loop would be, by the limit of a test; it is counted apart, too.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path

AREAS = ("engine", "models", "stats", "metrics", "judging", "store", "offline", "benchmarks")
SURVIVED = "survived"
BY_TIME = "caught by time"
UNHEARD = ("-W", "ignore::pytest.PytestAssertRewriteWarning")
"""Plugins are imported before the process forks."""
WALL = 8
"""Seconds by the clock for a second of work: other processes may want the machine too."""
QUICK = "not full and not slow and not real and not systems"
COPIED = ("src", "tests", "examples", "docs", "schemas", "scripts", "pyproject.toml", "README.md")
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
            ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is}  # fmt: skip
COUNTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
           ast.Mod: ast.Add, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One changed place of the sources."""

    module: str
    function: str
    kind: str
    ordinal: int
    file: str
    line: int
    before: str
    after: str

    @property
    def name(self) -> str:
        return f"{self.module}:{self.function}#{self.kind}{self.ordinal}"


# Mutants of a function


def places(function: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What may be changed, in the order of the text; nothing inside a function or class within."""
    stack = list(reversed(list(ast.iter_child_nodes(function))))
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.arguments, ast.AnnAssign)):
            continue
        kind = kind_of(node)
        if kind:
            yield kind, node
        if not isinstance(node, (ast.JoinedStr, ast.Raise)):
            stack.extend(reversed(list(ast.iter_child_nodes(node))))


def kind_of(node: ast.AST) -> str:
    """The kind of mutant that *node* can be made; empty if none."""
    found = ""
    match node:
        case ast.Compare(ops=[first, *_]) if type(first) in COMPARED:
            found = "compare"
        case ast.BinOp(op=operator) if type(operator) in COUNTED:
            found = "arithmetic"
        case ast.Constant(value=bool() | int() | float()):
            found = "constant"
        case ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
            found = "boolean"
        case ast.Return(value=ast.expr() as value) if not is_none(value):
            found = "returned"
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.AugAssign():
            found = "dropped"
    return found


def is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def changed(kind: str, node: ast.AST) -> str:
    """The source of *node* once it is changed."""
    made = copy.deepcopy(node)
    if isinstance(made, ast.Compare):
        made.ops[0] = COMPARED[type(made.ops[0])]()
    elif isinstance(made, ast.BinOp):
        made.op = COUNTED[type(made.op)]()
    elif isinstance(made, ast.Constant):
        made.value = (not made.value) if isinstance(made.value, bool) else made.value + 1  # type: ignore[operator]
    elif isinstance(made, ast.BoolOp):
        made.op = ast.Or() if isinstance(made.op, ast.And) else ast.And()
    elif isinstance(made, ast.UnaryOp):
        return f"({ast.unparse(made.operand)})"
    elif kind == "returned":
        return "return None"
    else:
        return "pass"
    return f"({ast.unparse(made)})" if not isinstance(made, ast.Constant) else ast.unparse(made)


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            name = f"{prefix}{node.name}"
            if not isinstance(node, ast.ClassDef):
                yield name, node
            yield from functions(node, f"{name}.")


def mutants_of(tree: Path, file: Path) -> Iterator[tuple[Mutant, ast.AST]]:
    for function, node in functions(ast.parse(file.read_text(encoding="utf-8"))):
        seen: Counter[str] = Counter()
        for kind, place in places(node):
            told = Mutant(
                module_of(tree, file), function, kind, seen[kind], str(file.relative_to(tree)), place.lineno,
                ast.unparse(place), changed(kind, place),
            )  # fmt: skip
            seen[kind] += 1
            yield told, place


def module_of(tree: Path, file: Path) -> str:
    parts = file.relative_to(tree / "src").with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources(tree: Path) -> Iterator[Path]:
    """Files of the areas; of the benchmarks those that score."""
    for area in AREAS:
        for file in sorted((tree / "src" / "recollect" / area).rglob("*.py")):
            if area != "benchmarks" or "score" in file.relative_to(tree).as_posix():
                yield file


def sampled(tree: Path, count: int, seed: int) -> list[Mutant]:
    """As many of each area as its share of all mutants, but a tenth at least of the even share."""
    by_area: dict[str, list[Mutant]] = defaultdict(list)
    for file in sources(tree):
        for told, _ in mutants_of(tree, file):
            by_area[told.module.split(".")[1]].append(told)
    rng, total = random.Random(seed), sum(map(len, by_area.values()))
    found: list[Mutant] = []
    for area in sorted(by_area):
        wanted = max(count * len(by_area[area]) // total, count // (2 * len(by_area)))
        found.extend(rng.sample(by_area[area], min(wanted, len(by_area[area]))))
    rng.shuffle(found)
    return found


def located(tree: Path, wanted: Mutant) -> tuple[Mutant, ast.AST] | None:
    """The same mutant in *tree*, in its own module or, if it moved, wherever a function of that name has it."""
    files = sorted(
        (tree / "src" / "recollect").rglob("*.py"),
        key=lambda file: (module_of(tree, file) != wanted.module, file.stem != wanted.module.split(".")[-1], file),
    )
    for file in files:
        if wanted.function.split(".")[-1] not in file.read_text(encoding="utf-8"):
            continue
        for told, place in mutants_of(tree, file):
            same = (told.function, told.kind, told.ordinal) == (wanted.function, wanted.kind, wanted.ordinal)
            if same and told.before == wanted.before:
                return told, place
    return None


def written(text: str, place: ast.AST, after: str) -> str:
    """*text* with the source of *place* replaced."""
    rows = text.encode().splitlines(keepends=True)
    first, last = place.lineno - 1, place.end_lineno - 1  # type: ignore[attr-defined]
    head, tail = rows[first][: place.col_offset], rows[last][place.end_col_offset :]  # type: ignore[attr-defined]
    return b"".join([*rows[:first], head + after.encode() + tail, *rows[last + 1 :]]).decode()


# Tests near to a module


def imported(file: Path) -> set[str]:
    """Names that a file imports; of `from a import b` both `a` and `a.b`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return found


class Imports:
    """How far each test file is from each module."""

    def __init__(self, tree: Path) -> None:
        self._uses = {module_of(tree, file): imported(file) for file in (tree / "src").rglob("*.py")}
        self._tests = {file: imported(file) for file in sorted((tree / "tests").rglob("test_*.py"))}
        fakes = {f"tests.{'.'.join(f.relative_to(tree / 'tests').with_suffix('').parts)}": imported(f)
                 for f in (tree / "tests").rglob("*.py") if not f.name.startswith("test_")}  # fmt: skip
        self._uses |= fakes

    def nearest(self, module: str, most: int) -> list[Path]:
        """Test files that reach *module*: its own first, then by steps of import, small ones first."""
        steps = self._steps_to(module)
        stem = f"test_{module.rsplit('.', maxsplit=1)[-1]}.py"
        near = {
            file: min((steps[name] for name in uses if name in steps), default=99) for file, uses in self._tests.items()
        }
        order = sorted(
            (file for file in near if near[file] < 99 or file.name == stem),
            key=lambda file: (file.name != stem, near[file], "unit" not in file.parts, file.stat().st_size),
        )
        return order[:most]

    def _steps_to(self, module: str) -> dict[str, int]:
        steps, edge, depth = {module: 0}, {module}, 0
        while edge:
            depth += 1
            edge = {name for name, uses in self._uses.items() if name not in steps and uses & edge}
            steps |= dict.fromkeys(edge, depth)
        return steps


# Running


def copied(tree: Path, folder: Path) -> Path:
    for name in COPIED:
        if (tree / name).is_dir():
            shutil.copytree(tree / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        elif (tree / name).exists():
            shutil.copy(tree / name, folder / name)
    return folder


def in_turn(tree: Path, files: Sequence[Path], select: str, limit_s: float) -> str:
    """The nearest file by itself, for it is enough for most; then some; then all others.

    Where there is no time left for all of them, those that ran have caught nothing.
    """
    for number, some in enumerate((files[:1], files[1:5], files[5:])):
        outcome = tested(tree, some, select, limit_s) if some else SURVIVED
        if outcome != SURVIVED:
            return SURVIVED if outcome == BY_TIME and number == 2 else outcome
    return SURVIVED


def tested(tree: Path, files: Sequence[Path], select: str, limit_s: float) -> str:
    """`caught by TEST`, `caught by time`, or `survived`."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.close(reader)
        _in_child(tree, files, select, writer, limit_s=int(limit_s) + 1)
    os.close(writer)
    try:
        status = _waited(child, limit_s * WALL)
    finally:
        _ended(child)
    told = os.read(reader, 65536).decode()
    os.close(reader)
    if status is None or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in {signal.SIGXCPU, signal.SIGKILL}):
        return BY_TIME
    return f"caught by {told or 'the import'}" if status else SURVIVED


def _in_child(tree: Path, files: Sequence[Path], select: str, writer: int, *, limit_s: int) -> None:
    code = 1
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os.chdir(tree)
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 5))
        os.environ["PYTHONPATH"] = f"{tree / 'src'}{os.pathsep}{tree}"
        sys.path[:0] = [str(tree / "src"), str(tree)]
        import pytest

        words = [
            "-x",
            "-n",
            "0",
            "-p",
            "no:randomly",
            "-p",
            "no:cacheprovider",
            "-m",
            select,
            "--timeout",
            "600",
            *UNHEARD,
        ]
        done = pytest.main([*words, *map(str, files)], plugins=[_Teller(writer)])
        code = 0 if int(done) in {0, 5} else 1
    finally:
        os._exit(code)


class _Teller:
    """Sends the name of the test that failed to the parent."""

    def __init__(self, writer: int) -> None:
        self._writer = writer

    def pytest_runtest_logreport(self, report: object) -> None:
        if getattr(report, "failed", False):
            os.write(self._writer, str(getattr(report, "nodeid", "")).encode()[:500])

    def pytest_collectreport(self, report: object) -> None:
        self.pytest_runtest_logreport(report)


def _waited(child: int, limit_s: float) -> int | None:
    until = time.monotonic() + limit_s
    while time.monotonic() < until:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.02)
    return None


def _ended(child: int) -> None:
    """The child and all that it started."""
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        return
    try:
        os.waitpid(child, 0)
    except ChildProcessError:
        return


def sample(tree: Path, wanted: Sequence[Mutant], out: Path, select: str, *, most: int, limit_s: float) -> None:
    """Run each mutant that *out* does not hold yet, and add a line for it."""
    for name in ("aiohttp", "hypothesis", "numpy", "pydantic", "pytest", "pytest_timeout", "typer", "xdist.plugin"):
        import_module(name)  # what most tests import is there before the process forks
    known = {line["name"] for line in read(out)} if out.exists() else set()
    with tempfile.TemporaryDirectory() as folder:
        room = copied(tree, Path(folder))
        imports = Imports(room)
        sound = tested(room, imports.nearest("recollect.stats.paired", 1), select, limit_s)
        if sound != SURVIVED:
            raise SystemExit(f"the tests of {tree} fail without a mutant: {sound}")
        for one in wanted:
            if one.name not in known:
                began = time.monotonic()
                outcome = of_mutant(room, one, imports, select=select, most=most, limit_s=limit_s)
                line = {"name": one.name, **asdict(one), "outcome": outcome, "s": round(time.monotonic() - began, 1)}
                with out.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                print(f"{outcome[:70]:70}  {one.name}  {one.before[:40]} -> {one.after[:40]}", flush=True)


def of_mutant(room: Path, one: Mutant, imports: Imports, *, select: str, most: int, limit_s: float) -> str:
    found = located(room, one)
    if found is None:
        return "not found"
    told, place = found
    file = room / told.file
    text = file.read_text(encoding="utf-8")
    try:
        _write(file, written(text, place, told.after))
        return in_turn(room, imports.nearest(told.module, most), select, limit_s).replace(f"{room}/", "")
    finally:
        _write(file, text)


def _write(file: Path, text: str) -> None:
    """Nothing compiled earlier is taken for it."""
    for old in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
        old.unlink()
    file.write_text(text, encoding="utf-8")


def read(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def told_apart(first: Path, second: Path) -> None:
    """How many each caught, and each mutant of which they say otherwise."""
    one, other = ({str(line["name"]): str(line["outcome"]) for line in read(file)} for file in (first, second))
    both = [name for name in one if name in other and "not found" not in (one[name], other[name])]
    for file, said in ((first, one), (second, other)):
        caught = sum(said[name].startswith("caught") for name in both)
        print(f"{file}: {caught} of {len(both)} caught, {sum('by time' in said[name] for name in both)} by time")
    for name in both:
        if one[name].startswith("caught") != other[name].startswith("caught"):
            print(f"{name}\n    {first}: {one[name]}\n    {second}: {other[name]}")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tree", type=Path, default=Path(__file__).resolve().parents[1])
    parser.add_argument("--ids", type=Path, help="mutants of an earlier sample instead of new ones")
    parser.add_argument("--only", choices=["survived"], help="of --ids, only these")
    parser.add_argument("--select", default=QUICK, help="tests by mark, as for pytest -m")
    parser.add_argument("--most", type=int, default=14, help="test files for a mutant")
    parser.add_argument(
        "--limit-s", type=float, default=60.0, help="seconds of work for each of three groups of test files"
    )
    parser.add_argument("--out", type=Path, default=Path("mutants.jsonl"))
    parser.add_argument("--compare", nargs=2, type=Path)
    given = parser.parse_args()
    if given.compare:
        told_apart(*given.compare)
        return
    tree = given.tree.resolve()
    if given.ids:
        lines = [line for line in read(given.ids) if not given.only or line["outcome"] == given.only]
        wanted = [Mutant(**{name: line[name] for name in Mutant.__dataclass_fields__}) for line in lines]  # type: ignore[arg-type]
    else:
        wanted = sampled(tree, given.count, given.seed)
    sample(tree, wanted, given.out, given.select, most=given.most, limit_s=given.limit_s)


if __name__ == "__main__":
    main()
