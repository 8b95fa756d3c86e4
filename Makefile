# `make demo` and `make test` are the whole set-up: both make .venv first, where it is missing.
# PYTHON=... picks an interpreter (3.10 or newer), JOBS=... the number of test processes.

SHELL := /bin/sh
JOBS ?= 2
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test lint format types docs picture packaging bench replay upgrade twins corpus facts soak ci clean

help:
	@echo "make demo       the main jobs on a bundled world"
	@echo "make test       the tests"
	@echo "make lint       ruff and the layers between the packages"
	@echo "make types      mypy --strict"
	@echo "make docs       the documentation, in docs/_build/html"
	@echo "make picture    the picture of the review page in the documentation (needs a Chromium)"
	@echo "make packaging  sdist, wheel, and an installation from it"
	@echo "make replay     real upgrades, beside git merge-file (fetches released sources)"
	@echo "make upgrade    whole upgrades in repositories built from them; PATCHED=\"CLONE[@REV] ...\" other ports"
	@echo "make soak       kills, saves meanwhile, hostile files, random worlds (MINUTES=60, SEED=1)"
	@echo "make twins      what tells NPU methods from their GPU twins, and how much the table explains"
	@echo "make facts      what the table's names are and take in each release (fetches 60 released sources)"
	@echo "make bench      the speed, beside other tools"

# The first interpreter that runs and is new enough. One that is only a stub (pyenv) fails to run.
define FIND_PYTHON
for python in $(PYTHON) python3.13 python3.12 python3.11 python3.10 python3; do \
  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1; then \
    echo $$python; break; \
  fi; \
done
endef

$(VENV)/.python:
	@python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then \
	  echo "omni-port needs Python 3.10 or newer; none was found. Try: make $(MAKECMDGOALS) PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	fi; \
	echo "making $(VENV) with $$($$python --version) (once)"; \
	$$python -m venv $(VENV) || { \
	  rm -rf $(VENV); \
	  echo "$$python cannot make a virtual environment (on Debian and Ubuntu: apt install python3-venv)" >&2; \
	  exit 1; \
	}
	@# Dependency groups need pip 25.1; what comes with older Pythons is older.
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	@touch $@

$(VENV)/.runtime: $(VENV)/.python pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.test: $(VENV)/.runtime pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group test
	@touch $@

$(VENV)/.dev: $(VENV)/.test pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group dev
	@touch $@

demo: $(VENV)/.runtime
	@$(BIN)/omni-port demo

test: $(VENV)/.test
	@$(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal --ignore=tests/packaging

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.dev
	$(BIN)/mypy

docs: $(VENV)/.dev
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

# The picture of the review page; it needs a Chromium (Debian: chromium-headless-shell).
picture: $(VENV)/.test
	@$(BIN)/python docs/picture.py

packaging: $(VENV)/.dev
	$(BIN)/python -m pytest -q tests/packaging

corpus: $(VENV)/.runtime
	@$(BIN)/python benchmarks/fetch_corpus.py

facts: $(VENV)/.runtime
	@$(BIN)/python benchmarks/fetch_corpus.py --facts
	@corpus=$${OMNI_CORPUS:-$$HOME/.cache/omni-port/corpus}; \
	  $(BIN)/omni-port table signatures --trees "$$corpus" --trees "$$(dirname "$$corpus")/facts" \
	  -o codemods/omni_codemods/table/ascend-facts.json

replay: corpus
	@$(BIN)/python benchmarks/replay.py --page docs/internals/replay.md
	@$(BIN)/python benchmarks/replay.py --gpu --page docs/internals/replay.md

upgrade: corpus
	@$(BIN)/python benchmarks/upgrade.py --page docs/internals/upgrade.md \
	  --only t1 --only t3 --only t5 $(foreach port,$(PATCHED),--patched $(port)) $(if $(ASCEND),--ascend $(ASCEND))

soak: $(VENV)/.test corpus
	@$(BIN)/python tests/soak.py --minutes $(or $(MINUTES),60) --seed $(or $(SEED),1)

twins: corpus
	@$(BIN)/python benchmarks/twins.py --page docs/internals/twins.md

$(VENV)/.bench: $(VENV)/.test pyproject.toml
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	@touch $@

bench: $(VENV)/.bench corpus
	@$(BIN)/python benchmarks/translate.py
	@$(BIN)/python benchmarks/rebase.py

ci:
	.ci/run

clean:
	rm -rf $(VENV) build dist docs/_build .mypy_cache .ruff_cache .pytest_cache .hypothesis
