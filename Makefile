# The project's commands. `make help` lists them.

SWIFT ?= swift
BUILD := .build/release
OUT := out
BENCHMARK = $(SWIFT) package --package-path Benchmarks --allow-writing-to-package-directory benchmark
SPARK := Integrations/Spark
# Tests run in a release build of their own, in which the modules are optimized but check assertions. It takes less time to
# compile than a debug build in which the modules are optimized, and the tests take half the time of other debug builds.
TEST_FLAGS ?= --scratch-path .build/tests -c release -Xswiftc -enable-testing -debug-info-format none
STRICT := -Xswiftc -warnings-as-errors
TESTS := SWIFT="$(SWIFT)" SHEAF_TESTS=1 SHEAF_QUICK=1 .ci/tests
PREFIX ?= /usr/local
# Linked statically, so that the installed command runs without a Swift runtime. macOS has the runtime.
STATIC := --scratch-path .build/static $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
SHARE = $(DESTDIR)$(PREFIX)/share

.DEFAULT_GOAL := help
.PHONY: help replay build install dist test test-all test-core test-page test-spark test-spark-all test-scale test-spill \
	test-zlib gallery test-arm64 soak sanitize fuzz check check-text docs format cldr profile bench bench-store bench-peers clean prerequisites

help: ## List the commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

replay: build ## Build for release, replay the samples, show the results
	@.ci/replay-samples $(BUILD)/sheaf $(OUT)

build: prerequisites ## Build the command for release
	@SHEAF_QUICK=1 $(SWIFT) build -c release --product sheaf -debug-info-format none

install: prerequisites ## Optimize the whole command, and install it with its manual (options: PREFIX=/usr/local DESTDIR=)
	@echo "optimizing the whole program, which takes several minutes; make build makes an ordinary build"
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

dist: prerequisites ## Measure a profile, build an optimized static executable for Linux, and check it, in out/dist
	@SWIFT=$(SWIFT) .ci/dist $(OUT)/dist

test: prerequisites ## Run the tests against the models and samples, and those of units, in a few minutes
	@$(TESTS) --without extended $(TEST_FLAGS)

test-all: prerequisites ## Run all tests, also those that take longer (option: ROUNDS=50, for more seeds)
	@$(if $(ROUNDS),SHEAF_TEST_ROUNDS=$(ROUNDS)) $(TESTS) $(TEST_FLAGS)
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

test-spill: prerequisites ## Run all tests with state spilled to disk whenever possible (option: ONLY="--only spilling")
	@SHEAF_SPILL=always $(TESTS) $(ONLY) $(TEST_FLAGS)

test-zlib: prerequisites ## Run all tests with gzip data inflated by zlib
	@SHEAF_INFLATER=zlib $(TESTS) $(ONLY) $(TEST_FLAGS)

test-arm64: ## Test the C headers as arm64 code in an emulator, which must be installed
	@.ci/arm64

soak: prerequisites ## Compare random replays, crashes, resumes and merges with the model (options: SECONDS=600)
	@SHEAF_SOAK_SECONDS=$(or $(SECONDS),600) $(TESTS) $(TEST_FLAGS) --filter SimulationTests

sanitize: prerequisites ## Run all tests under the sanitizers (options: SANITIZERS="address thread undefined")
	@SWIFT=$(SWIFT) .ci/sanitize $(SANITIZERS)

fuzz: prerequisites ## Fuzz the code that reads input (options: SECONDS=60 for each target, TARGETS=LineFraming)
	@SWIFT=$(SWIFT) Fuzz/run $(or $(SECONDS),60) $(TARGETS)

check-text: ## Check the formatting, the layers, and references, without a build
	@.ci/layers
	@.ci/references
	@$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Benchmarks Fuzz Examples

check: check-text prerequisites ## Check also that all code compiles without warnings
	@SHEAF_TESTS=1 SHEAF_QUICK=1 $(SWIFT) build --build-tests $(TEST_FLAGS) $(STRICT)
	@.ci/examples
	@SWIFT="$(SWIFT)" .ci/programs

docs: prerequisites ## Build the documentation of the libraries (options: REPOSITORY=https://github.com/OWNER/NAME/blob/main)
	@SHEAF_TESTS=1 SHEAF_QUICK=1 SWIFT="$(SWIFT)" TEST_FLAGS="$(TEST_FLAGS)" REPOSITORY=$(REPOSITORY) .ci/docs

format: ## Format the sources
	@$(SWIFT) format --in-place --recursive Package.swift Sources Tests Benchmarks Fuzz Examples

cldr: ## Generate the language tables from Data/cldr and Foundation (options: NODE=node, to take new data from its ICU)
	@python3 Data/make-cldr.py $(NODE)
	@$(SWIFT) Data/make-lists.swift

profile: prerequisites ## Measure which code runs how often, for the builds of make install and make dist
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
