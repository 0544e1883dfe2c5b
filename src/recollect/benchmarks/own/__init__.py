"""Your own data: two files of JSON lines, run, scored and reported like any benchmark."""

from recollect.benchmarks.own.card import CARD
from recollect.benchmarks.own.load import generate, load
from recollect.benchmarks.own.protocol import steps
from recollect.benchmarks.own.score import score
from recollect.benchmarks.own.write import write
from recollect.contracts.benchmark import Benchmark

BENCHMARK = Benchmark(card=CARD, steps=steps, score=score, load=load, write=write, generate=generate)
