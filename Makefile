# Bancada: `make run` to look at it, `make test` and `make check` before a change.
# Every target works in a fresh clone; what is already done is not done again.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
LOCK   := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes \
          --no-emit-index-url --no-header --quiet $(if $(UPGRADE),--upgrade)

# The tests start hundreds of processes: what is compiled once is not compiled by each of them again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help install run test test-long test-model check format bench bench-peers soak web wheel pictures docs lock clean

help: ## Say what each target does
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(VENV)/.installed $(VENV)/.browser $(VENV)/.page $(VENV)/.programs ## Install everything into .venv, and build the page where Node is there

$(VENV)/.made: requirements/runtime.lock requirements/build.lock requirements/dev.lock pyproject.toml
	@PYTHON="$(PYTHON)" scripts/install environment
	@touch $@

$(VENV)/.runtime: $(VENV)/.made
	@scripts/install runtime
	@touch $@

$(VENV)/.installed: $(VENV)/.runtime
	@scripts/install dev
	@touch $@

$(VENV)/.browser: scripts/install-browser | $(VENV)/.made
	@scripts/install-browser $@

$(VENV)/.programs: scripts/install-programs tests/node/package-lock.json | $(VENV)/.made
	@scripts/install-programs $@

# The scripts leave their stamp only when they did it: what was missing is looked for again.
$(VENV)/.page: $(shell find web -path web/node_modules -prune -o -type f -print 2>/dev/null) | $(VENV)/.made
	@scripts/web $@

run: ## Start Bancada with its demo data, on this machine only
	@$(MAKE) --no-print-directory -j2 $(VENV)/.runtime $(VENV)/.page
	@$(BIN)/bancada serve --demo

test: install ## Run the tests (without the long ones)
	$(BIN)/pytest -n 2 -m "not long" $(ARGS)
	@scripts/web-test

test-long: install ## Run every test, size and load included
	$(BIN)/pytest -n 2 $(ARGS)
	@scripts/web-test

test-model: $(VENV)/.installed ## Ask a real small model, through chat, gateway and bare (builds it first; slow; not in CI)
	scripts/small-model $(or $(BANCADA_SMALL_MODEL),build/small-model)
	$(BIN)/python scripts/model_test.py $(ARGS)

check: install ## Check format, lint, types, layers, documents and the page
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/docs.py --check
	@scripts/web-check

format: $(VENV)/.installed ## Format the code and mend what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: install ## Measure, each figure as a ratio against a baseline of the same run
	$(BIN)/python -m bench $(ARGS)

bench-peers: install ## The same work by other frameworks, each in an environment of its own
	$(BIN)/python -m bench peers $(ARGS)

soak: install ## Ten minutes of mixed traffic: memory, descriptors and processes stay as they are
	$(BIN)/python -m tests.server.kills.soak $(ARGS)

web: $(VENV)/.installed ## Build the page (needs Node)
	@scripts/web $(VENV)/.page --must

wheel: web ## Make the package with the page in it, in dist/
	$(BIN)/python -m hatchling build -t wheel -d dist

pictures: install ## Make the documentation's pictures anew
	$(BIN)/python -m tests.browser.pictures

docs: $(VENV)/.installed ## Make the reference pages from the code, and the documentation as a site in build/docs
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/docs.py

lock: $(VENV)/.installed ## Make the lock files again (UPGRADE=1 takes newer versions)
	@test -x $(BIN)/uv || { echo "make lock needs uv in the environment: $(BIN)/pip install uv"; exit 1; }
	$(LOCK) pyproject.toml --extra all --group dev -o requirements/dev.lock
	$(LOCK) pyproject.toml --extra all -o requirements/runtime.lock
	$(LOCK) --group build -c requirements/dev.lock -o requirements/build.lock
	@for peer in requirements/peers/*.in; do $(LOCK) $$peer -o $${peer%.in}.lock; done

clean: ## Remove what the other targets made
	rm -rf $(VENV) build dist web/node_modules tests/node/node_modules src/bancada/server/static .mypy_cache .ruff_cache .hypothesis .import_linter_cache
