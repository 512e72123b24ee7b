# Everything is installed into .venv, and only again when what it is made of has changed.
# The files .venv/made-* say when that last happened.

# Also where machines forbid it: every process of the tests would compile all that it imports.
export PYTHONDONTWRITEBYTECODE :=

PY := .venv/bin/python
PIP := $(PY) -m pip --quiet --disable-pip-version-check
PYTEST := $(PY) -m pytest -n auto --dist worksteal
# Playwright keeps an event loop running, beside which no other test could have one.
APART := --ignore=tests/page
# Where lines are counted: these must reach every branch of what pyproject.toml asks coverage of.
# Counting would only slow the others down.
COVERING := $(wildcard tests/u*/test_rules*.py tests/u*/test_refusals.py tests/u*/test_view.py \
	tests/u*/test_playthroughs.py tests/u*/test_score.py tests/u*/test_solver.py) \
	tests/test_chance.py tests/test_game.py tests/test_match.py
# With the Node that comes from PyPI, whatever else there is on the machine.
NPM := PATH="$(CURDIR)/.venv/bin:$$PATH" npm --silent --prefix web
GAMES := 10000
CYCLES := 200
RUNS := 5

.PHONY: help play setup test check lint lint-python lint-page test-web test-python test-page format site browse \
	shots shake soak bench lock clean
.DEFAULT_GOAL := help

help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

# A developer's editable install serves for playing too.
play: $(if $(wildcard .venv/made-dev),setup,.venv/made-play) ## play in your browser
	@.venv/bin/pytlik

setup: .venv/made-dev .venv/made-chromium ## install everything for development, and build what is built
	@$(PY) hatch_build.py

test: setup ## every check and every test
	@$(MAKE) --no-print-directory --jobs=2 lint-page lint-python test-web
	@$(MAKE) --no-print-directory test-python test-page

# All tests, and nothing else: `make shake` runs the same.
test-web:
	$(NPM) test

test-python:
	$(PYTEST) $(COVERING) --cov --cov-report=
	$(PY) -m coverage report --fail-under=100
	$(PYTEST) $(APART) $(COVERING:%=--ignore=%) -m "not soak"

test-page:
	$(PYTEST) tests/page -m "not every_page"

check: setup ## the quick part of `make test`
	@$(MAKE) --no-print-directory --jobs=2 lint-page lint-python test-web
	$(PYTEST) $(APART) -m "not slow and not soak"
	$(PYTEST) tests/page -m "not slow and not every_page"

lint: setup ## format, lint, types, architecture, dependencies, spelling
	@$(MAKE) --no-print-directory --jobs=2 lint-page lint-python

lint-python:
	$(PY) -m ruff format --check
	$(PY) -m ruff check
	$(PY) -m mypy
	.venv/bin/lint-imports --no-logo
	.venv/bin/deptry src
	.venv/bin/codespell

lint-page:
	$(NPM) run check

format: setup ## put the code in form
	$(PY) -m ruff check --fix
	$(PY) -m ruff format
	$(NPM) run format

site: setup ## build the documentation into build/site; a broken link fails
	$(PY) -m sphinx -q -W --keep-going -n -E -d build/site-kept docs build/site
	@echo build/site/index.html

browse: setup ## every page in every state in Chromium: layout in long languages, axe, whole games
	$(PYTEST) tests/page

shots: setup ## pictures of every page, to be looked at (FLAGS="--languages pl --sizes small NAME")
	$(PY) tests/page/shots.py $(FLAGS)

shake: setup ## all tests, RUNS=5 times, beside load and pauses of up to 3 s (FLAGS="--calm", "--seed S", "tests/bus")
	$(PY) tests/shake.py --runs $(RUNS) $(FLAGS)

soak: setup ## random games with every invariant checked (GAMES=10000 of each), and servers killed (CYCLES=200)
	$(PY) tests/soak.py --games $(GAMES)
	$(PYTEST) $(APART) -m soak
	$(PY) tests/soak_kernel.py
	$(PY) tests/soak_server.py --cycles $(CYCLES)
	$(PY) tests/soak_server.py --cycles $(CYCLES) --postgres --workers 2

bench: setup .venv/made-bench ## measure against peers
	@.venv/bin/pytlik bench
	@set -e; for file in benchmarks/[!_]*.py; do $(PY) $$file; done

lock: .venv/made-venv ## remake requirements-dev.txt; FLAGS=--upgrade takes newer versions
	$(PIP) install uv==0.13.7
	.venv/bin/uv pip compile requirements-dev.in pyproject.toml \
		--extra postgres --extra redis --extra plot --extra print --extra terminal \
		--extra pettingzoo --extra openspiel --output-file requirements-dev.txt \
		--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
		--custom-compile-command "make lock" --system-certs --quiet $(FLAGS)

clean: ## remove all that was installed, built or left by tools
	rm -rf .venv build dist __pycache__ src/pytlik/server/static web/node_modules
	rm -rf .coverage .hypothesis .*_cache
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
	find src -name '*.so' -delete

.venv/made-venv:
	@python=$$(for name in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11 python; do \
		$$name -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' \
			2>/dev/null && echo $$name && break; done); \
	test -n "$$python" || { \
		echo 'Pytlik needs Python 3.11 or newer with its venv module, and found none.'; \
		echo 'Where it has another name, say so: make PYTHON=/path/to/python play'; exit 1; }; \
	$$python -m venv --clear .venv
	@touch $@

.venv/made-dev: .venv/made-venv requirements-dev.txt pyproject.toml
	$(PIP) install --no-compile --require-hashes --requirement requirements-dev.txt
	$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

.venv/made-chromium: .venv/made-dev tests/page/browser.py
	$(PY) tests/page/browser.py
	@touch $@

# Only what playing needs, as anyone would install it: quicker than a developer's setup.
SOURCES := $(shell find src web \( -name node_modules -o -name static \) -prune -o \
	-type f ! -name '*.pyc' ! -name '*.so' -print 2>/dev/null)
.venv/made-play: .venv/made-venv pyproject.toml hatch_build.py $(SOURCES)
	$(PIP) install .
	@touch $@

.venv/made-bench: .venv/made-dev
	$(PIP) install --no-build-isolation --editable '.[bench]'
	@touch $@
