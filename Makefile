# make demo and make test are all a newcomer needs. Everything is set up in .venv; nothing outside this folder is changed,
# except for Debian packages that the tests need (a browser, PostgreSQL) where apt is at hand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := demo
NATIVE_FOLDER := src/innominate/detect/rules/native
LANGUAGES := $(patsubst src/innominate/languages/%/language.toml,%,$(wildcard src/innominate/languages/*/language.toml))
NATIVE := $(wildcard $(NATIVE_FOLDER)/*.[ch])

.PHONY: demo test slow bench peers docs lint format data clean

demo: $(VENV)/.demo-ready
	@$(BIN)/python tools/demo.py $(DEMO)

test: $(VENV)/.dev-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@printf '%s\n' $(LANGUAGES) | xargs -P 2 -n 1 $(BIN)/innominate rules check --lang
	$(BIN)/pytest -n auto

slow: $(VENV)/.dev-ready
	INNOMINATE_SLOW=1 $(BIN)/pytest -n auto tests

bench: $(VENV)/.dev-ready peers
	$(BIN)/python tools/bench.py
	$(BIN)/python tools/bench_evaluate.py
	$(BIN)/python tools/bench_rules.py
	$(BIN)/python tools/bench_campaign.py 0.1

docs: $(VENV)/.dev-ready
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

format: $(VENV)/.dev-ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

data: $(VENV)/.dev-ready
	$(BIN)/python tools/build_places.py

clean:
	rm -rf build src/innominate.egg-info $(NATIVE_FOLDER)/*.so
	rm -rf $(VENV) $(DEMO) site .mypy_cache .ruff_cache .pytest_cache .hypothesis

# The message is better than pip's.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Innominate needs Python 3.11 to 3.13; name one with: make PYTHON=python3.12 ...") if not (3, 11) <= sys.version_info < (3, 14) else None'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo-ready: $(VENV)/bin/python pyproject.toml constraints.txt $(NATIVE)
	@echo "Installing into $(VENV) ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.dev-ready: $(VENV)/bin/python pyproject.toml constraints.txt tools/system_packages $(NATIVE)
	@echo "Installing into $(VENV) ..."
	@tools/system_packages
	@$(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@ $(VENV)/.demo-ready

# Peers for make bench, in an environment of their own: they pin other versions of almost everything.
peers: .venv-peers/.ready

.venv-peers/.ready: tools/peers.txt
	$(PYTHON) -m venv .venv-peers
	.venv-peers/bin/pip install --quiet --disable-pip-version-check --requirement tools/peers.txt
	@touch $@
