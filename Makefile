# The project's commands. `make help` lists them.

SWIFT ?= swift
BUILD := .build/release
OUT := out
BENCHMARK = $(SWIFT) package --package-path Benchmarks --allow-writing-to-package-directory benchmark
SPARK := Integrations/Spark
STRICT := --scratch-path .build/strict -Xswiftc -warnings-as-errors
# Options of `swift test`, such as those of another build.
TEST_FLAGS ?=
PREFIX ?= /usr/local
# Linked statically, so that the installed command runs without a Swift runtime. macOS has the runtime.
STATIC := --scratch-path .build/static $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
SHARE = $(DESTDIR)$(PREFIX)/share

.DEFAULT_GOAL := help
.PHONY: help replay build install dist test test-core test-page test-spark test-spark-all test-scale test-spill test-zlib test-long \
	gallery test-arm64 soak sanitize fuzz check docs format cldr profile bench bench-store bench-peers clean prerequisites

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

replay: build ## Build for release, replay the samples, show the results
	@.ci/replay-samples $(BUILD)/sheaf $(OUT)

build: prerequisites ## Build the command for release
	@SWIFT="$(SWIFT)" .ci/release

install: prerequisites ## Install the command, its completions and its manual (options: PREFIX=/usr/local DESTDIR=)
	@$(SWIFT) package generate-manual >/dev/null
	@SWIFT="$(SWIFT)" .ci/release $(STATIC)
	@mkdir -p $(DESTDIR)$(PREFIX)/bin $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions \
		$(SHARE)/fish/vendor_completions.d $(SHARE)/man/man1
	@install -m 755 .build/static/release/sheaf $(DESTDIR)$(PREFIX)/bin/sheaf
	@.build/static/release/sheaf --generate-completion-script bash >$(SHARE)/bash-completion/completions/sheaf
	@.build/static/release/sheaf --generate-completion-script zsh >$(SHARE)/zsh/site-functions/_sheaf
	@.build/static/release/sheaf --generate-completion-script fish >$(SHARE)/fish/vendor_completions.d/sheaf.fish
	@install -m 644 .build/plugins/GenerateManual/outputs/SheafTool/sheaf.1 $(SHARE)/man/man1/sheaf.1
	@echo "installed $(DESTDIR)$(PREFIX)/bin/sheaf"

dist: prerequisites ## Build and check a static executable for Linux, with its SHA-256, in out/dist
	@SWIFT=$(SWIFT) .ci/dist $(OUT)/dist

test: prerequisites ## Run all tests
	@$(SWIFT) test $(TEST_FLAGS)
	@$(MAKE) --no-print-directory test-core

test-core: ## Test the jobs of Integrations/Spark without Spark (option: SHEAF_BINARY=PATH)
	@python3 -m unittest discover -s $(SPARK)/tests/core

test-page: ## Test the page of reports in Chromium (options: SHEAF_BINARY=PATH SHEAF_BROWSER_LOGS=200)
	@Tests/Browser/run

gallery: build ## Make the pictures of the documentation in Chromium
	@Tests/Browser/run --gallery

test-spark: ## Check the Python sources, test the jobs on Spark; needs Java 17 (option: SHEAF_BINARY=PATH)
	@$(SPARK)/tests/run spark

test-scale: ## Run a job with the files of one for 10 TB (options: SHEAF_BINARY=PATH SHEAF_SCALE=1000,200)
	@PYTHONPATH=$(SPARK)/tests/core python3 -m unittest discover -s $(SPARK)/tests/scale

test-spark-all: ## Test the jobs on a Spark cluster of this machine, with workers that are killed
	@$(SPARK)/tests/run cluster

test-spill: prerequisites ## Run all tests with state spilled to disk whenever possible
	@SHEAF_SPILL=always $(SWIFT) test $(TEST_FLAGS)

test-zlib: prerequisites ## Run all tests with gzip data inflated by zlib
	@SHEAF_INFLATER=zlib $(SWIFT) test $(TEST_FLAGS)

test-long: prerequisites ## Run the property tests with many more seeds
	@SHEAF_TEST_ROUNDS=50 $(SWIFT) test $(TEST_FLAGS)

test-arm64: ## Test the C headers as arm64 code in an emulator, which must be installed
	@.ci/arm64

soak: prerequisites ## Compare random replays, crashes, resumes and merges with the model (options: SECONDS=600)
	@SHEAF_SOAK_SECONDS=$(or $(SECONDS),600) $(SWIFT) test $(TEST_FLAGS) --filter SimulationTests

sanitize: prerequisites ## Run all tests under the sanitizers (options: SANITIZERS="address thread undefined")
	@SWIFT=$(SWIFT) .ci/sanitize $(SANITIZERS)

fuzz: prerequisites ## Fuzz the code that reads input (options: SECONDS=60 for each target, TARGETS=LineFraming)
	@SWIFT=$(SWIFT) Fuzz/run $(or $(SECONDS),60) $(TARGETS)

check: prerequisites ## Check the formatting and references, and build with warnings as errors
	@.ci/layers
	@.ci/references
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks Fuzz Examples
	@$(SWIFT) build --build-tests $(STRICT)
	@.ci/examples

docs: prerequisites ## Build the documentation of the libraries (options: REPOSITORY=https://github.com/OWNER/NAME/blob/main)
	@SWIFT="$(SWIFT)" TEST_FLAGS="$(TEST_FLAGS)" REPOSITORY=$(REPOSITORY) .ci/docs

format: ## Format the sources
	@$(SWIFT) format --in-place --recursive Package.swift Sources Tests Benchmarks Fuzz Examples

cldr: ## Generate the language tables from Data/cldr and Foundation (options: NODE=node, to take new data from its ICU)
	@python3 Data/make-cldr.py $(NODE)
	@$(SWIFT) Data/make-lists.swift

profile: prerequisites ## Measure which code runs how often, for the next release builds (Data/release.profdata)
	@SWIFT="$(SWIFT)" .ci/profile

bench: prerequisites ## Measure each stage and compare with the stored baseline
	@$(BENCHMARK) baseline compare stored --no-progress

bench-store: prerequisites ## Measure on this machine and store the baseline for `make bench`
	@$(BENCHMARK) baseline update stored --no-progress

bench-peers: ## Compare with DuckDB, ClickHouse, Polars, jq, Miller, simdjson and inflaters (options: PEERS=--help)
	@SWIFT=$(SWIFT) Benchmarks/Peers/run $(PEERS)

clean: ## Remove build products and output
	@rm -rf .build Fuzz/.build Examples/Screen/.build $(OUT)

prerequisites:
	@.ci/prerequisites
