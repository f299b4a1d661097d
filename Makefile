# A thin wrapper; on Windows call `python scripts/dev.py …` itself.
PYTHON ?= python3

.PHONY: setup play test long soak sim gallery lock sbom smoke help

setup:
	@$(PYTHON) scripts/dev.py setup

play:
	@$(PYTHON) scripts/dev.py play $(ARGS)

test:
	@$(PYTHON) scripts/dev.py test $(ARGS)

long:
	@$(PYTHON) scripts/dev.py long $(ARGS)

soak:
	@$(PYTHON) scripts/dev.py soak $(ARGS)

sim:
	@$(PYTHON) scripts/dev.py sim $(ARGS)

gallery:
	@$(PYTHON) scripts/dev.py gallery $(ARGS)

lock:
	@$(PYTHON) scripts/lock.py $(ARGS)

sbom:
	@$(PYTHON) scripts/dev.py sbom

smoke:
	@$(PYTHON) scripts/smoke.py

help:
	@$(PYTHON) scripts/dev.py help
