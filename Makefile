# Two commands do everything on a machine with only Python 3.11 or newer:
#   make demo    sets up and runs the demo        make test    sets up and runs all checks and tests
# and while working:
#   make dashboard    the demo, with its dashboard left running
#   make unit         the quick tests, in a minute or two
#   make check, make suite    the two halves of make test
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
WORKERS ?= 2
SECONDS ?= 60
SANITIZED := tests/unit/native tests/unit/html tests/unit/read tests/unit/find tests/unit/store

.PHONY: demo dashboard test check unit suite pure sanitized fuzz bench recipes papers docs clean

demo: $(VENV)/.installed
	$(BIN)/haenyeo demo

dashboard: $(VENV)/.installed
	$(BIN)/haenyeo demo --keep

test: check suite

check: $(VENV)/.developing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/deptry src
	$(BIN)/codespell README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs src tests bench tools changelog.d
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --site-dir $(VENV)/site

unit: $(VENV)/.developing
	$(BIN)/pytest tests/unit -m "not slow" --numprocesses $(WORKERS)

# Each file is run by one process, so that what its tests share is made once; the file of most tests comes first.
suite: export HYPOTHESIS_PROFILE ?= ci
suite: $(VENV)/.developing
	$(BIN)/pytest --numprocesses $(WORKERS) --dist loadfile

pure: $(VENV)/.developing
	HAENYEO_PURE=1 $(BIN)/pytest tests/unit -m "not slow" --numprocesses $(WORKERS)

# Both need a compiler with AddressSanitizer (gcc on Linux): all compiled modules are built anew, to watch themselves.
sanitized: $(VENV)/.developing
	$(BIN)/python -m bench.fuzz.sanitized -m pytest -p no:randomly -m "not slow" $(SANITIZED)

fuzz: $(VENV)/.developing
	$(BIN)/python -m bench.fuzz --seconds $(SECONDS)

papers: $(VENV)/.developing
	$(BIN)/python tools/papers_page.py

docs: $(VENV)/.developing
	$(BIN)/mkdocs build --quiet

# What the recipes for other tools need is half a gigabyte, so it has an environment of its own.
recipes: $(VENV)/.developing
	$(PYTHON) -m venv $(VENV)-recipes
	$(VENV)-recipes/bin/python -m pip install --quiet --upgrade pip
	$(VENV)-recipes/bin/python -m pip install --quiet --editable . --group dev --group recipes
	$(VENV)-recipes/bin/pytest bench/recipes tests/journeys/test_recipes.py

bench: $(VENV)/.developing
	$(BIN)/python bench/gate.py

$(VENV)/.installed: pyproject.toml setup.py $(shell find src -name '*.[ch]')
	@echo "setting up $(VENV); this takes a minute or two the first time ..."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	$(BIN)/python -m compileall -qq src/haenyeo
	touch $@

$(VENV)/.developing: $(VENV)/.installed pyproject.toml
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

clean:
	rm -rf $(VENV) build src/haenyeo.egg-info src/haenyeo/native/*.so dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
