# One command to play (make run), one to test everything (make test). "make help" lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
# Python's compiled files are kept: without them each server that the tests start would compile the whole site.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
BIOME = $(BIN)/node node_modules/.bin/biome check
# Not from the environment: some systems and shells keep the machine's own name in HOST.
HOST := localhost
PORT := 8000
WORKERS ?= 3
# A worker takes one file after the other, so what a file lays is laid once; tests/conftest.py says in which order.
BY_FILE := --dist loadfile --no-loadscope-reorder
CATALOGUES := $(wildcard locale/*/LC_MESSAGES/django.po)
LANGUAGES := hu cs sk it pl
SHELL_SCRIPTS := .ci/run scripts/create-environment scripts/install-debian-packages scripts/install-test-programs

# What is set up leaves a stamp, so the second run is quick.
ENVIRONMENT := .venv/.created
UV := .venv/bin/uv
PACKAGES := .venv/.packages
COMPILED := .venv/.compiled
TEST_PACKAGES := .venv/.test-packages
NODE_PACKAGES := node_modules/.installed
NODE_TEST_PACKAGES := node_modules/.test-installed
TRANSLATIONS := $(CATALOGUES:.po=.mo)

.PHONY: help run test check lint format types migrations test-stack test-all matches bench soak attack fuzz lock pythons messages clean setup setup-tests test-programs
# What can be done at once is, by a make of its own.
ifeq ($(MAKELEVEL),0)
.NOTPARALLEL:
endif
AT_ONCE := $(MAKE) $(if $(filter 0,$(MAKELEVEL)),--jobs=3 --output-sync=target)

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: setup ## play: the whole site on http://localhost:8000
	$(BIN)/python manage.py migrate --verbosity 0
	exec $(BIN)/python manage.py serve --host $(HOST) --port $(PORT) --demo

test: setup-tests ## everything: lint, types, PostgreSQL and Redis, browser
	+@$(AT_ONCE) check test-stack
	@$(MAKE) test-all

check: lint types migrations

lint: $(TEST_PACKAGES) $(NODE_TEST_PACKAGES) ## ruff, djlint, biome, shell syntax
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint --lint --quiet templates
	$(BIOME) --error-on-warnings
	for script in $(SHELL_SCRIPTS); do bash -n $$script; done

format: $(TEST_PACKAGES) $(NODE_TEST_PACKAGES) ## put Python, JavaScript and CSS into form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIOME) --write

types: $(TEST_PACKAGES) ## mypy --strict
	$(BIN)/mypy

migrations: $(TEST_PACKAGES)
	$(BIN)/python manage.py makemigrations --check --dry-run

test-stack: setup-tests ## what depends on locks, SQL, outages or the channel layer, on a real PostgreSQL and Redis
	$(BIN)/python scripts/with_services.py pytest -m stack -n $(WORKERS) $(BY_FILE)

test-all: setup-tests ## all tests on SQLite and the in-process layer, Chromium included
	$(BIN)/pytest -n $(WORKERS) $(BY_FILE)

matches: setup-tests ## whole matches of every game: without a script, with pictures in test-results/matches/, in Firefox, and degraded
	@scripts/install-firefox
	$(BIN)/pytest -m matches -s

bench: setup-tests ## the engine's and the live path's speed
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/live.py

attack: setup-tests ## what floods of one visitor cost the players; OPTIONS="--before ../old" compares with another checkout
	$(BIN)/python benchmarks/attack.py $(OPTIONS)

fuzz: setup-tests ## 50,000 hostile requests and 200,000 hostile frames; OPTIONS="--seed 2 --only sqlite" draws others
	$(BIN)/python benchmarks/fuzz.py $(OPTIONS)

soak: setup-tests ## 10,000 random rounds, 100,000 illegal and 100,000 simulated moves of every game; takes a quarter of an hour
	SOAK=1 $(BIN)/pytest -n $(WORKERS) tests/engine/test_soak.py tests/engine/test_lockstep.py

# The oldest Python that will do, Debian 12's 3.11.2 included: redis asks it for one package more.
COMPILE := $(UV) pip compile --quiet $(UPGRADE) --python-version 3.11.0 --generate-hashes --no-header
lock: $(TEST_PACKAGES) ## renew the lock files; UPGRADE=--upgrade takes the newest versions
	$(COMPILE) requirements.in -o requirements.txt
	$(COMPILE) requirements-dev.in -o requirements-dev.txt
	$(BIN)/npm update --package-lock-only --ignore-scripts
	$(MAKE) pythons

# http-ece has no wheel, but nothing to compile either.
RESOLVE := $(UV) pip install --dry-run --quiet --target .venv/.resolved --only-binary :all: --no-binary http-ece --require-hashes
pythons: $(TEST_PACKAGES) ## check that the lock files install on every supported Python, without a compiler
	for version in 3.11 3.12 3.13; do $(RESOLVE) --python-version $$version -r requirements.txt -r requirements-dev.txt; done

# A new catalogue calls itself fuzzy, and pybabel passes over those.
messages: $(PACKAGES) ## collect the texts for translators into locale/
	scripts/install-debian-packages gettext
	$(BIN)/python manage.py makemessages $(LANGUAGES:%=-l %) --no-location --no-obsolete --ignore=node_modules --ignore=.venv
	sed -i '1,10{/^#, fuzzy$$/d}' locale/*/LC_MESSAGES/django.po

# The site's own user may write no compiled files: without these each start would compile everything again.
setup: $(COMPILED) $(NODE_PACKAGES) $(TRANSLATIONS)
	$(BIN)/python -m compileall -q accounts domino_site games infrastructure

setup-tests:
	+@$(AT_ONCE) $(TEST_PACKAGES) $(NODE_TEST_PACKAGES) $(TRANSLATIONS) test-programs

# Debian has a Chromium; elsewhere Playwright, which is among the packages, installs its own.
test-programs: | $(if $(shell grep -x ID=debian /etc/os-release 2>/dev/null),$(ENVIRONMENT),$(TEST_PACKAGES))
	@scripts/install-test-programs

clean: ## remove what was installed and built; keeps the database in var/
	rm -rf .venv node_modules $(TRANSLATIONS) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(ENVIRONMENT):
	scripts/create-environment
	touch $@

# uv installs in a quarter of the time. pip brings it, and does the rest as well where it alone knows the way to packages.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes
install = $(UV) pip install --quiet --python $(BIN)/python --require-hashes -r $(1) || $(PIP) -r $(1)
$(UV): | $(ENVIRONMENT)
	sed -n '/^uv==/,/[^\\]$$/p' requirements-dev.txt >.venv/uv.txt
	$(PIP) -r .venv/uv.txt

$(PACKAGES): requirements.txt | $(UV)
	$(call install,requirements.txt)
	touch $@

$(COMPILED): $(PACKAGES)
	$(BIN)/python -m compileall -q -j 0 .venv/lib
	touch $@

$(TEST_PACKAGES): requirements-dev.txt $(PACKAGES)
	$(call install,requirements-dev.txt)
	touch $@

# npm comes with the Python packages, so the machine needs none.
$(NODE_PACKAGES): package.json package-lock.json | $(PACKAGES)
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --ignore-scripts --omit=dev
	touch $@

$(NODE_TEST_PACKAGES): package.json package-lock.json | $(PACKAGES)
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --ignore-scripts
	touch $(NODE_PACKAGES) $@

%.mo: %.po | $(PACKAGES)
	$(BIN)/pybabel --quiet compile --input-file $< --output-file $@
	test -e $@
