"""The offline embedder gives the model's vectors, the same for a text whatever stands beside it.

Reference: sentence-transformers 6.2.0 with torch 2.13.0+cpu on the same files, `normalize_embeddings=True`, on an x86
processor with AVX-512. Beside these sentences, over 4,329 LoCoMo turns and 174 texts cut at 256 tokens the lowest
cosine between the two was 0.999997 and no component was off by more than 0.0005.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from recollect.contracts.models import Embedder as EmbedderContract
from recollect.domain.errors import MissingExtraError
from recollect.offline.embedder import model as blas
from recollect.offline.embedder import network
from recollect.offline.embedder.model import Embedder

Floats = NDArray[np.float32]

SENTENCES = [
    "Mina moved to Lisbon in March 2023.",
    "Where does Mina live now?",
    "The bakery on the corner sells rye bread on Fridays.",
    "Café crème, s'il vous plaît!",
    "",
    "我住在北京 🦾 since 1999",
    " ".join(["budget meeting moved again"] * 100),
]
FIRST_EIGHT = [
    [0.012838, -0.044418, 0.000297, 0.036682, -0.02786, 0.020282, -0.060811, -0.065785],
    [0.058996, -0.029891, -0.024138, 0.066194, -0.046832, -0.006155, 0.020579, -0.048558],
    [0.029183, 0.021362, -0.0264, -0.066638, -0.064208, 0.081136, -0.053789, 0.000785],
    [-0.030662, -0.048068, 0.020485, -0.042116, -0.018018, 0.072772, 0.082959, 0.093843],
    [-0.118838, 0.048299, -0.002548, -0.011011, 0.051951, 0.010292, 0.115433, 0.000701],
    [0.003004, 0.0322, 0.077208, -0.05015, -0.005521, 0.040805, 0.071462, -0.015807],
    [-0.016434, -0.041696, -0.062885, 0.016457, -0.02325, 0.008258, -0.04517, -0.056008],
]
COSINES = [
    [1.0, 0.67548, -0.04185, 0.11505, 0.03277, 0.32696, 0.09626],
    [0.67548, 1.0, -0.00583, 0.04576, 0.06854, 0.28214, 0.02368],
    [-0.04185, -0.00583, 1.0, 0.17082, -0.00178, -0.0438, 0.04914],
    [0.11505, 0.04576, 0.17082, 1.0, 0.18247, 0.19739, 0.0379],
    [0.03277, 0.06854, -0.00178, 0.18247, 1.0, 0.10559, 0.02181],
    [0.32696, 0.28214, -0.0438, 0.19739, 0.10559, 1.0, 0.04791],
    [0.09626, 0.02368, 0.04914, 0.0379, 0.02181, 0.04791, 1.0],
]


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    try:
        return Embedder()
    except MissingExtraError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def mixed() -> list[str]:
    """Texts of all lengths, some equal ones among them."""
    rng = random.Random(11)
    words = [
        "we",
        "met",
        "at",
        "the",
        "station",
        "and",
        "talked",
        "of",
        "boats",
        "until",
        "rain",
        "began",
        "to",
        "fall",
    ]
    lengths = [rng.choice([1, 2, 7, 7, 30, 30, 90]) for _ in range(40)]
    texts = [" ".join(rng.choices(words, k=length)) for length in [*lengths, 300, 260]]
    return [*texts, "", texts[3], texts[40]]


def test_vectors_are_those_of_the_reference(embedder: Embedder) -> None:
    found = embedder.embed(SENTENCES)
    assert np.abs(found[:, :8] - FIRST_EIGHT).max() < 6e-4
    assert np.abs(found @ found.T - COSINES).max() < 6e-4


def test_vectors_have_unit_length(embedder: Embedder, mixed: list[str]) -> None:
    found = embedder.embed(mixed)
    assert found.shape == (len(mixed), embedder.dimensions)
    assert found.dtype == np.float32
    assert np.abs(np.linalg.norm(found, axis=1) - 1).max() < 1e-6


def test_a_vector_does_not_depend_on_the_batch(embedder: Embedder, mixed: list[str]) -> None:
    """One by one, all at once, backwards: equal to the last bit, so equal after any rounding."""
    together = embedder.embed(mixed)
    alone = np.concatenate([embedder.embed([text]) for text in mixed])
    backwards = embedder.embed(mixed[::-1])[::-1]
    assert np.array_equal(together, alone)
    assert np.array_equal(together, backwards)


@pytest.mark.parametrize("unit", [0, 12, 48])
def test_aligned_rows_do_not_change_a_vector(
    embedder: Embedder, mixed: list[str], unit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On processors whose products depend on a row's place, texts are aligned, or multiplied alone."""
    plain = embedder.embed(mixed)
    monkeypatch.setattr(blas, "row_unit", lambda: unit)
    aligned = embedder.embed(mixed)
    assert np.abs(aligned - plain).max() < 1e-6
    assert np.array_equal(aligned[7:9], embedder.embed(mixed[7:9]))


def test_without_control_over_threads_the_vectors_are_the_same(
    embedder: Embedder, mixed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = embedder.embed(mixed)
    monkeypatch.setattr(blas, "_switch", lambda: None)
    assert np.abs(embedder.embed(mixed) - plain).max() < 1e-6


def test_what_follows_256_tokens_does_not_reach_the_vector(embedder: Embedder) -> None:
    head = "rain " * 254
    found = embedder.embed([head, head + "and a secret at the end", "rain " * 253])
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])


def test_no_texts_give_no_vectors(embedder: Embedder) -> None:
    assert embedder.embed([]).shape == (0, 384)


@pytest.mark.parametrize("text", ["\x00", "\ud800", "[SEP]" * 300, "a" * 100_000, "[unused3] " * 50])
def test_any_text_has_a_finite_vector(embedder: Embedder, text: str) -> None:
    assert np.isfinite(embedder.embed([text])).all()


def test_the_fingerprint_names_weights_and_run_time(embedder: Embedder) -> None:
    seam: EmbedderContract = embedder
    assert seam.fingerprint == "minilm-l6-v2:53aa51172d142c89:numpy-float32.1"
    assert seam.dimensions == 384


def softmax(scores: Floats) -> Floats:
    """By the definition, in double precision."""
    powers = np.exp(scores.astype(float) - scores.max(axis=-1, keepdims=True))
    weights: Floats = (powers / powers.sum(axis=-1, keepdims=True)).astype(np.float32)
    return weights


@pytest.mark.parametrize("offset", [0.0, 70.0, 100.0, -70.0, -120.0, 3000.0])
def test_attention_stays_finite_at_any_height_of_the_scores(offset: float) -> None:
    """exp of a 32-bit float overflows above 88 and is zero below -104; single scores above 100 do occur."""
    scores = np.random.default_rng(0).normal(0, 4, (2, 3, 5, 5)).astype(np.float32) + np.float32(offset)
    expected = softmax(scores)
    powers = network._exponentials(scores.copy())
    assert np.allclose(powers / powers.sum(axis=-1, keepdims=True), expected, atol=1e-6)


def test_a_row_is_not_shifted_for_another_rows_sake() -> None:
    """Otherwise one text's scores would change the last bits of its neighbour's vector."""
    calm = np.random.default_rng(0).normal(0, 4, (1, 1, 4, 4)).astype(np.float32)
    both = np.concatenate([calm, calm + np.float32(200)])
    assert np.array_equal(network._exponentials(both)[:1], network._exponentials(calm.copy()))
