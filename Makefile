# The two commands of the README are `make audit` and `make test`; `make help` lists the others.
PYTHON ?= python3
BIN = .venv/bin
INSTALL = @command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here. Install Python 3.11, 3.12 or 3.13, or say where it is: make audit PYTHON=/path/to/python3.13"; exit 1; }; \
	$(PYTHON) -I compliance/project/installation.py

.DEFAULT_GOAL = help
.PHONY: help audit run check test coverage bench deep services pages deep size install dev assets screenshots clauses odds archival advisories lock

help:
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /\1\t/' | expand -t 12

audit: ## set everything up, audit the demonstration night, say what was found
	$(INSTALL) run node
	@$(BIN)/python manage.py audit

run: ## the same once, then serve it all at http://localhost:8000 (or PORT=…)
	$(INSTALL) run node
	@$(BIN)/python manage.py audit --once
	@exec $(BIN)/python manage.py serve

check: ## lint, words, types, import contracts, migrations (two minutes)
	$(INSTALL) run dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check --quiet
	$(BIN)/djlint templates tests/pages/templates --lint --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/deptry .
	$(BIN)/python -m tests.words
	$(BIN)/python -W error manage.py check
	$(BIN)/python manage.py makemigrations --check --dry-run

test: ## everything that needs nothing but a package registry (about ten minutes on two cores)
	$(INSTALL) run dev node
	$(BIN)/pytest -m "not services and not pages and not deep" --numprocesses=3 --dist=worksteal

coverage: ## the same, and which lines of it no test runs: nine of ten must be run
	$(INSTALL) run dev node
	$(BIN)/pytest -m "not services and not pages and not deep" --numprocesses=3 --dist=worksteal --cov --cov-report=term:skip-covered

bench: ## speed and memory beside what one would pick instead; writes docs/reference/performance.md
	$(INSTALL) run dev
	$(BIN)/python -m tests.bench

deep: ## what needs millions of cases or minutes; writes docs/reference/deep.md
	$(INSTALL) run dev
	$(BIN)/python -m tests.deep
	$(BIN)/python -m tests.servers $(BIN)/python -m tests.deep tests/deep/test_hostile_logs_in_depth.py tests/deep/test_failures_in_depth.py

size: ## count lines, files and walks, time `make test`; writes docs/reference/size.md
	$(INSTALL) run dev
	$(BIN)/python -m tests.size

services: ## what may differ on PostgreSQL and Redis: locks, constraints, search, order, jobs (eleven minutes)
	$(INSTALL) run dev node
	$(BIN)/python -m tests.servers $(BIN)/pytest -m "(services or stored and not anywhere) and not pages and not deep" --numprocesses=3 --dist=worksteal

pages: ## pages in Chromium, PDFs as images, a key in a token (about eight minutes; the programs come from Debian)
	$(INSTALL) run dev node
	@command -v chromium >/dev/null && command -v pdftotext >/dev/null && command -v softhsm2-util >/dev/null || { echo "Get them with: apt-get install chromium poppler-utils softhsm2"; exit 1; }
	$(BIN)/pytest -m pages --numprocesses=2 --dist=worksteal

install: ## the run-time set, from the lock with hashes
	$(INSTALL) run

dev: ## the run-time set and what tests and gates need
	$(INSTALL) run dev

assets: ## build the stylesheet and faces; asks npm again where it did not answer
	$(INSTALL) run node
	@$(BIN)/python manage.py build_assets --again

screenshots: ## make the pictures in docs/images again
	$(INSTALL) run dev node
	PICTURES=docs/images $(BIN)/pytest tests/pages/test_walk.py

archival: ## make the sample reports and have veraPDF check them (needs a Java development kit)
	$(INSTALL) run dev node verapdf
	@$(BIN)/python manage.py audit --once
	@$(BIN)/python manage.py sample_reports var/samples
	$(BIN)/python -m tests.verapdf var/samples/*.pdf

advisories: ## whether holes are known in what the locks pin; says so where nothing could be asked
	$(INSTALL) run dev
	$(BIN)/python -m tests.advisories

lock: ## pin again what pyproject.toml asks for
	$(INSTALL) run dev
	$(BIN)/uv pip compile pyproject.toml --group build --generate-hashes --no-header --quiet --python-version 3.11 --output-file requirements.lock
	$(BIN)/uv pip compile pyproject.toml --group build --group dev --constraint requirements.lock --generate-hashes --no-header --quiet --python-version 3.11 --output-file requirements-dev.lock
	$(BIN)/uv pip compile --group node --generate-hashes --no-header --quiet --python-version 3.11 --output-file requirements-node.lock
	$(BIN)/uv pip compile --group verapdf --generate-hashes --no-header --quiet --python-version 3.11 --output-file requirements-verapdf.lock

odds: ## count the odds of all games; writes docs/reference/odds.md (ten minutes)
	$(INSTALL) run dev
	$(BIN)/python -m tests.games.odds_page

clauses: ## make docs/reference/clauses.md again, from the rule sets, the engine and its tests
	$(INSTALL) run dev
	$(BIN)/python -m tests.games.clauses_page
