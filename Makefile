# One command to play (make run), one to test everything (make test). "make help" lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
# Keep compiled Python files. Otherwise each server that the tests start would compile the whole site.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
BIOME = $(BIN)/node node_modules/.bin/biome check
TSC = $(BIN)/node node_modules/.bin/tsc
# Not taken from the environment, where some systems store the name of the machine in HOST.
HOST := localhost
PORT := 8000
WORKERS ?= 3
# A worker runs whole files, so that fixtures of a file are set up once. tests/conftest.py orders the files.
BY_FILE := --dist loadfile --no-loadscope-reorder
CATALOGUES := $(wildcard locale/*/LC_MESSAGES/django.po)
SHELL_SCRIPTS := .ci/run scripts/create-environment scripts/install-debian-packages scripts/install-prometheus scripts/install-test-programs scripts/guide/run.sh scripts/guide/certbot

# Each finished step of the setup leaves a stamp file, so a second run is quick.
ENVIRONMENT := .venv/.created
UV := .venv/bin/uv
PACKAGES := .venv/.packages
COMPILED := .venv/.compiled
TEST_PACKAGES := .venv/.test-packages
NODE_PACKAGES := node_modules/.installed
NODE_TEST_PACKAGES := node_modules/.test-installed
TRANSLATIONS := $(CATALOGUES:.po=.mo)

.PHONY: help run test check lint format types migrations test-stack test-all test-rest test-browser matches bench soak soak-site attack faults alerts fuzz guide lock pythons messages pseudo clean release setup setup-tests test-programs
# Only a nested make runs jobs in parallel.
ifeq ($(MAKELEVEL),0)
.NOTPARALLEL:
endif
PARALLEL := $(MAKE) $(if $(filter 0,$(MAKELEVEL)),--jobs=3 --output-sync=target)

help: ## show this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: setup ## run the site on http://localhost:8000, with bots that play
	$(BIN)/python manage.py migrate --verbosity 0
	exec $(BIN)/python manage.py serve --host $(HOST) --port $(PORT) --demo

test: setup-tests ## run all checks and tests, with PostgreSQL, Redis and Chromium
	+@$(PARALLEL) check test-stack
	+@$(PARALLEL) test-rest test-browser

check: lint types migrations

lint: $(TEST_PACKAGES) $(NODE_TEST_PACKAGES) ## run ruff, djlint, biome and tsc, and check shell scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/djlint --lint --quiet templates
	$(BIOME) --error-on-warnings
	$(TSC)
	$(TSC) --project tsconfig.worker.json
	for script in $(SHELL_SCRIPTS); do bash -n $$script; done

format: $(TEST_PACKAGES) $(NODE_TEST_PACKAGES) ## format Python, JavaScript and CSS
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIOME) --write

types: $(TEST_PACKAGES) ## run mypy --strict
	$(BIN)/mypy

migrations: $(TEST_PACKAGES)
	$(BIN)/python manage.py makemigrations --check --dry-run

test-stack: setup-tests ## test locks, SQL, outages and the channel layer on PostgreSQL and Redis
	$(BIN)/python scripts/with_services.py pytest -m stack -n $(WORKERS) $(BY_FILE)

test-all: setup-tests ## run all tests on SQLite, including Chromium
	+@$(PARALLEL) test-rest test-browser

# Chromium waits a third of the time. The other tests compute meanwhile, with lower priority so that no page is late.
test-rest: setup-tests
	nice -n 10 $(BIN)/pytest -n 2 $(BY_FILE) --ignore=tests/browser

test-browser: setup-tests
	$(BIN)/pytest -n $(WORKERS) $(BY_FILE) tests/browser

matches: setup-tests ## play whole matches of every game in Chromium and Firefox, and without JavaScript or WebSockets
	@scripts/install-firefox
	$(BIN)/pytest -m matches -s

bench: setup-tests ## measure the cost of a move in the engine and on the site
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/live.py

attack: setup-tests ## measure how floods affect players; OPTIONS="--before ../old" compares with another checkout
	$(BIN)/python benchmarks/attack.py $(OPTIONS)

fuzz: setup-tests ## send 50,000 hostile requests, as many to the API, and 200,000 hostile frames; OPTIONS="--seed 2 --only sqlite" varies them
	$(BIN)/python benchmarks/fuzz.py $(OPTIONS)

faults: setup-tests ## break each part of a running site while people play; OPTIONS="--tables 20 --only kill" varies it
	$(BIN)/python benchmarks/faults.py $(OPTIONS)

soak-site: setup-tests ## run a site for 15 minutes and measure the memory of each service; OPTIONS="--tables 10 --minutes 2" varies it
	$(BIN)/python benchmarks/soak.py $(OPTIONS)

alerts: setup-tests ## break a running site until a real Prometheus fires each alert; OPTIONS="--only DominoesRedisAway" varies it
	@scripts/install-prometheus
	$(BIN)/python benchmarks/alerts.py $(OPTIONS)

guide: ## follow docs/operation.md on empty Debian and Ubuntu machines, as root; OPTIONS="--only debian12" takes one
	@scripts/install-debian-packages debootstrap systemd-container
	python3 scripts/check_guide.py $(OPTIONS)

soak: setup-tests ## test the rules with 10,000 random rounds of every game (15 minutes)
	SOAK=1 $(BIN)/pytest -n $(WORKERS) tests/engine/test_soak.py tests/engine/test_lockstep.py

# Resolve for the oldest supported Python, where redis needs one more package. Debian 12 has 3.11.2.
COMPILE := $(UV) pip compile --quiet $(UPGRADE) --python-version 3.11.0 --generate-hashes --no-header
lock: $(TEST_PACKAGES) ## update the lock files; UPGRADE=--upgrade takes the newest versions
	$(COMPILE) requirements.in -o requirements.txt
	$(COMPILE) requirements-dev.in -o requirements-dev.txt
	$(BIN)/npm update --package-lock-only --ignore-scripts
	$(MAKE) pythons

# http-ece has no wheel, but it needs no compiler either.
RESOLVE := $(UV) pip install --dry-run --quiet --target .venv/.resolved --only-binary :all: --no-binary http-ece --require-hashes
pythons: $(TEST_PACKAGES) ## check that the lock files install on every supported Python, without a compiler
	for version in 3.11 3.12 3.13; do $(RESOLVE) --python-version $$version -r requirements.txt -r requirements-dev.txt; done

messages: $(PACKAGES) ## collect texts for translators in locale/, and check the translations
	scripts/install-debian-packages gettext
	$(BIN)/python manage.py makemessages
	$(BIN)/python scripts/check_translations.py

pseudo: setup ## run the site in a pretend language that shows what cannot be translated and what gets too wide
	$(BIN)/python -m scripts.pseudo_locale var/pseudo-locale
	LOCALE_DIR=var/pseudo-locale exec $(BIN)/python manage.py serve --host $(HOST) --port $(PORT) --demo

# A service user may not be allowed to write compiled files. Without them each start would compile everything.
setup: $(COMPILED) $(NODE_PACKAGES) $(TRANSLATIONS)
	$(BIN)/python -m compileall -q accounts domino_site games infrastructure

release: setup ## build what production serves, with the settings of the environment
	$(BIN)/python manage.py collectstatic --no-input --verbosity 0
	$(BIN)/python manage.py render_restarting

setup-tests:
	+@$(PARALLEL) $(TEST_PACKAGES) $(NODE_TEST_PACKAGES) $(TRANSLATIONS) test-programs

# Debian has a package of Chromium. On other systems Playwright, one of the Python packages, installs its own.
test-programs: | $(if $(shell grep -x ID=debian /etc/os-release 2>/dev/null),$(ENVIRONMENT),$(TEST_PACKAGES))
	@scripts/install-test-programs

clean: ## remove everything that was installed or built, but keep the database in var/
	rm -rf .venv node_modules $(TRANSLATIONS) .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(ENVIRONMENT):
	scripts/create-environment
	touch $@

# uv takes a quarter of the time of pip. pip installs uv, and replaces it where only pip can reach a package index.
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

# npm comes with the Python packages, so the machine does not need it.
$(NODE_PACKAGES): package.json package-lock.json | $(PACKAGES)
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --ignore-scripts --omit=dev
	touch $@

$(NODE_TEST_PACKAGES): package.json package-lock.json | $(PACKAGES)
	PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --silent --ignore-scripts
	touch $(NODE_PACKAGES) $@

%.mo: %.po | $(PACKAGES)
	$(BIN)/pybabel --quiet compile --input-file $< --output-file $@
	test -e $@
