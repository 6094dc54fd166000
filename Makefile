# The commands that people need. `make help` lists them.

SWIFT ?= swift
BUILD := .build/release
OUT := out
BENCHMARK = $(SWIFT) package --package-path Benchmarks --allow-writing-to-package-directory benchmark
STRICT := -Xswiftc -warnings-as-errors

.DEFAULT_GOAL := help
.PHONY: help replay build test test-spill test-long soak sanitize fuzz check format cldr bench bench-store bench-peers \
	clean prerequisites

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

replay: build ## Build for release, replay the samples, show what came out
	@.ci/replay-samples $(BUILD)/sheaf $(OUT)

build: prerequisites ## Build the command for release
	@$(SWIFT) build -c release --product sheaf

test: prerequisites ## Run all tests
	@$(SWIFT) test

test-spill: prerequisites ## Run all tests with state put on disk at every opportunity
	@SHEAF_SPILL=always $(SWIFT) test

test-long: prerequisites ## Run the property tests with many more seeds
	@SHEAF_TEST_ROUNDS=50 $(SWIFT) test

soak: prerequisites ## Replay, crash, go on and merge at random, against the model (options: SECONDS=600)
	@SHEAF_SOAK_SECONDS=$(or $(SECONDS),600) $(SWIFT) test --filter SimulationTests

sanitize: prerequisites ## Run all tests under the sanitizers (options: SANITIZERS="address thread undefined")
	@SWIFT=$(SWIFT) .ci/sanitize $(SANITIZERS)

fuzz: prerequisites ## Feed made-up inputs to what reads (options: SECONDS=60 for each target, TARGETS=LineFraming)
	@SWIFT=$(SWIFT) Fuzz/run $(or $(SECONDS),60) $(TARGETS)

check: prerequisites ## Check the format of the sources, and that nothing warns
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks Fuzz
	@$(SWIFT) build --build-tests --scratch-path .build/strict $(STRICT)

format: ## Put the sources into the project's format
	@$(SWIFT) format --in-place --recursive Package.swift Sources Tests Benchmarks Fuzz

cldr: ## Make the tables of languages out of Data/cldr and Foundation (options: CLDR=a release's folder "common")
	@python3 Data/make-cldr.py $(CLDR)
	@$(SWIFT) Data/make-lists.swift

bench: prerequisites ## Measure each piece of the way, beside the stored baseline
	@$(BENCHMARK) baseline compare stored --no-progress

bench-store: prerequisites ## Store what `make bench` compares with, measured on this machine
	@$(BENCHMARK) baseline update stored --no-progress

bench-peers: ## Measure beside DuckDB, ClickHouse, Polars, jq, Miller, pigz, simdjson (options: PEERS=--help)
	@SWIFT=$(SWIFT) Benchmarks/Peers/run $(PEERS)

clean: ## Remove what was built and written
	@rm -rf .build Fuzz/.build $(OUT)

prerequisites:
	@.ci/prerequisites
