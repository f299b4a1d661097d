# A thin wrapper; on Windows call `python tools/dev.py …` itself.
PYTHON ?= python3

.PHONY: setup play test long cover explore soak sim gallery lock sbom smoke help

setup:
	@$(PYTHON) tools/dev.py setup

play:
	@$(PYTHON) tools/dev.py play $(ARGS)

test:
	@$(PYTHON) tools/dev.py test $(ARGS)

long:
	@$(PYTHON) tools/dev.py long $(ARGS)

cover:
	@$(PYTHON) tools/dev.py cover

explore:
	@$(PYTHON) tools/dev.py explore $(ARGS)

soak:
	@$(PYTHON) tools/dev.py soak $(ARGS)

sim:
	@$(PYTHON) tools/dev.py sim $(ARGS)

gallery:
	@$(PYTHON) tools/dev.py gallery $(ARGS)

lock:
	@$(PYTHON) tools/lock.py $(ARGS)

sbom:
	@$(PYTHON) tools/dev.py sbom

smoke:
	@$(PYTHON) tools/smoke.py

help:
	@$(PYTHON) tools/dev.py help
