# Everything is installed into .venv, and only again when what it is made of has changed.
# The files .venv/made-* say what it was made of; tools/bootstrap.py reads and writes them.

# Also where machines forbid it: every process of the tests would compile all that it imports.
export PYTHONDONTWRITEBYTECODE :=

PY := .venv/bin/python
PIP := $(PY) -m pip --quiet --disable-pip-version-check
PYTEST := $(PY) -m pytest -n auto --dist worksteal
# Playwright keeps an event loop running, beside which no other test could have one.
APART := --ignore=tests/page
# Where lines are counted: these must reach every branch of what pyproject.toml asks coverage of.
# Counting would only slow the others down.
COVERING := $(wildcard tests/*/test_rules*.py tests/*/test_action_checks.py tests/*/test_view.py \
	tests/*/test_playthroughs.py tests/*/test_gem_ledger.py tests/*/test_solver.py) \
	tests/test_chance.py tests/test_game.py tests/test_match.py tests/test_score_sheet.py
# With the Node that comes from PyPI, whatever else there is on the machine.
NPM := PATH="$(CURDIR)/.venv/bin:$$PATH" npm --silent --prefix web
GAMES := 10000
CYCLES := 200
WORLDS := 6000
RUNS := 5

# Ours once there is one, or the first Python that is new enough; one with venv if possible.
PYTHONS := $(if $(wildcard .venv/made-venv),.venv/bin/python) $(PYTHON) \
	python3 python3.14 python3.13 python3.12 python3.11 python
START = @for needs in 'venv, ensurepip' sys; do for python in $(PYTHONS); do \
		$$python -c "import sys, $$needs; sys.exit(sys.version_info < (3, 11))" 2>/dev/null \
			&& exec $$python -m tools.bootstrap $(1); done; done; \
	echo 'pytlik: Python 3.11 or newer is needed, and none was found: install one, or say where' \
		'it is (make $(1) PYTHON=/path/to/python).' >&2; exit 1

.PHONY: help play setup wheel container test check lint lint-python lint-page test-web test-python test-page \
	format site browse shots shake soak bench audit lock clean
.DEFAULT_GOAL := help

help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

play: ## play in your browser
	$(call START,play)

setup: ## install everything for development, and build what is built
	$(call START,setup)

wheel: ## build a wheel into dist/ that needs neither Node nor a compiler to be installed
	$(call START,wheel)

test: setup ## every check, and every test but the longest (see browse and soak)
	@$(MAKE) --no-print-directory --jobs=4 lint-page lint-python test-web test-covering
	@$(MAKE) --no-print-directory test-python test-page

# All tests, and nothing else: `make shake` runs the same.
test-web:
	$(NPM) test

test-covering:
	$(PYTEST) $(COVERING) --cov --cov-report=
	$(PY) -m coverage report --fail-under=100

test-python:
	$(PYTEST) $(APART) $(COVERING:%=--ignore=%) -m "not soak"

test-page:
	$(PYTEST) tests/page -m "not every_page"

check: setup ## the quick part of `make test`
	@$(MAKE) --no-print-directory --jobs=3 lint-page lint-python test-web
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

shots: setup ## pictures of every page, to be looked at (FLAGS="NAME --languages pl --sizes small")
	$(PY) tests/page/screenshots.py $(FLAGS)

shake: setup ## all tests, RUNS=5 times, beside load and pauses of up to 3 s (FLAGS="--calm", "--seed S", "tests/bus")
	$(PY) tests/shake_tests.py --runs $(RUNS) $(FLAGS)

soak: setup ## random games (GAMES=10000 of each), simulated worlds (WORLDS=6000), servers killed (CYCLES=200)
	$(PY) -m tests.sim --seeds $(WORLDS)
	$(PY) -m tests.sim --seeds $$(($(WORLDS) / 12)) --workers 8
	$(PY) -m tests.sim --bugs
	$(PY) tests/soak_matches.py --games $(GAMES)
	$(PYTEST) $(APART) -m soak
	$(PY) tests/soak_kernel.py
	$(PY) tests/kill_server.py --cycles $(CYCLES)
	$(PY) tests/kill_server.py --cycles $(CYCLES) --postgres --workers 2

bench: setup .venv/made-bench ## measure against peers
	@.venv/bin/pytlik bench
	@set -e; for file in benchmarks/[!_]*.py; do $(PY) $$file; done

audit: setup ## known vulnerabilities in what we install, and weaknesses of the workflows
	$(PY) -m tools.audit

container: setup ## build the image with buildah, play in it, kill it under load (as root)
	$(PY) tests/check_container_image.py $(FLAGS)

# First what all others are then held to, so that every version is the same everywhere.
LOCK = .venv/bin/uv pip compile --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --custom-compile-command "make lock" --system-certs --quiet $(FLAGS)
lock: setup ## remake requirements*.txt; FLAGS=--upgrade takes newer versions
	$(LOCK) requirements-dev.in pyproject.toml \
		--extra postgres --extra redis --extra push --extra plot --extra print --extra terminal \
		--extra pettingzoo --extra openspiel --output-file requirements-dev.txt
	$(LOCK) --constraint requirements-dev.txt requirements-build.in --output-file requirements-build.txt
	$(LOCK) --constraint requirements-dev.txt pyproject.toml --extra postgres --extra redis --extra push \
		--output-file requirements.txt

clean: ## remove all that was installed, built or left by tools
	rm -rf .venv build dist __pycache__ src/pytlik/server/static web/node_modules
	rm -rf .coverage .hypothesis .*_cache
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
	find src \( -name '*.so' -o -name 'built-*.json' \) -delete

.venv/made-bench: requirements-dev.txt pyproject.toml | setup
	$(PIP) install --no-build-isolation --editable '.[bench]'
	@touch $@
