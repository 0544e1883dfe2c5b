"""The kinds of third-party systems, without any of them."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import recollect.memories.worker.adapter as adapted_module
from recollect import registry
from recollect.contracts.traits import Capability, WriteUnit
from recollect.memories.vendors.kinds import LangMemConfig, Mem0Config

from tests.unit.memories.vendors.adapters import VENDORS, loaded

NAMES = sorted(registry.SYSTEMS)
METHODS = {
    Capability.LISTING: ("units",),
    Capability.READBACK: ("stored_from",),
    Capability.SNAPSHOT: ("save", "load"),
    Capability.FORGET: ("forget",),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_kind_has_its_own_name_and_an_environment(name: str) -> None:
    """What is registered is what a row and `recollect install` call it by."""
    kind = registry.memory(name)
    assert kind.name == name
    assert kind.environment is not None
    assert kind.environment.name in registry.SYSTEMS
    files = [kind.environment.requirements, kind.environment.node]
    assert [file.is_file() for file in files if file is not None] == [True]


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in VENDORS.glob("*/adapter.py")))
def test_an_adapter_has_the_methods_that_its_traits_promise(folder: str) -> None:
    """A capability without its method would be refused when it is opened."""
    kinds = [registry.memory(name) for name in NAMES if folder in name.replace("-", "_")]
    assert kinds
    with loaded(folder, {}, {}) as made:
        for kind in kinds:
            can = kind.traits(kind.config()).can
            assert can == {what for what, names in METHODS.items() if all(hasattr(made.Adapter, n) for n in names)}


@pytest.mark.parametrize("file", sorted(VENDORS.glob("*/requirements.txt")), ids=lambda path: path.parent.name)
def test_every_requirement_has_a_lower_bound(file: object) -> None:
    """A resolver that goes back to an old version does so without a word."""
    lines = [line for line in file.read_text().splitlines() if line and not line.startswith("#")]  # type: ignore[attr-defined]
    assert lines
    assert not [line for line in lines if not re.search(r">=|==| @ ", line)]


def test_adapters_import_nothing_but_the_standard_library_at_the_top() -> None:
    """So that hello is quick, and tells versions also where the package is broken."""
    for file in VENDORS.glob("*/adapter.py"):
        spec = spec_from_file_location("probe", file)
        assert spec is not None
        assert module_from_spec(spec) is not None
        with loaded(file.parent.name, {}, {}) as made:
            assert made.NAME in registry.SYSTEMS


def test_what_one_write_takes_is_a_setting() -> None:
    """It decides how exactly sources are known."""
    assert registry.memory("mem0").traits(Mem0Config(takes="message")).takes is WriteUnit.MESSAGE
    assert registry.memory("mem0").traits(Mem0Config(infer=False, takes="session")).takes is WriteUnit.MESSAGE


def test_langmem_that_would_look_for_no_memory_is_refused() -> None:
    """Under four it never sees what it holds."""
    with pytest.raises(ValueError, match="near starts at 4"):
        LangMemConfig(near=3)


@pytest.mark.parametrize("name", NAMES)
def test_an_adapter_that_changed_names_other_records(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its files is in what names a row's records: its own, and those that all adapters stand on."""
    kind, read = registry.memory(name), Path.read_bytes
    monkeypatch.setattr(adapted_module, "versions_of", lambda _: {"package": "1"})
    assert kind.inputs is not None
    before = kind.inputs(kind.config())
    assert before["package"] == "1"
    folder = VENDORS / {"mem0-raw": "mem0"}.get(name, name.replace("-", "_"))
    for changed in (folder / "adapter.py", VENDORS / "shared" / "adapter_support.py"):
        with monkeypatch.context() as patch:
            patch.setattr(Path, "read_bytes", lambda file, changed=changed: read(file) + b"#" * (file == changed))
            assert kind.inputs(kind.config())["adapter"] != before["adapter"]
    assert kind.inputs(kind.config()) == before
