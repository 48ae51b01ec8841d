# The pinned Bun, from the package registry: no other tool is needed than make, npm (or Bun) and git.
BUN_VERSION := 1.4.5
BOOTSTRAP   := .cache/bun
BUN         := node_modules/.bin/bun
INSTALLER   := $(shell command -v bun 2>/dev/null || echo $(BOOTSTRAP)/node_modules/.bin/bun)
export DO_NOT_TRACK := 1
# Four processes share the test files, where there are two processors: half of them wait most of the time, for what must
# come late. A file sees no more of others than in one process. The limit is for tests that hang: no test may depend on how
# fast the machine is.
SIDE_BY_SIDE := --parallel=4 --no-isolate --timeout=300000
# What tests write is held in memory where there is room: SQLite waits for a disk at each of thousands of small databases.
# Servers of PostgreSQL, whose databases are large and never wait, stay on the disk.
IN_MEMORY = DOCENT_TEST_DISK="$${TMPDIR:-/tmp}" TMPDIR="$$(f=$$(sh scripts/memory-folder.sh); echo "$${f:-$${TMPDIR:-/tmp}}")"

# Which statements of the stores PostgreSQL ran in tests, as they write it down (test/helpers/sent-statements.ts).
STATEMENTS := $(CURDIR)/.cache/statements

.DEFAULT_GOAL := help
.PHONY: help install run build test types lint slow e2e postgres proxies live sealed obtain clients sign-in generators formats check unit docs release packages reproducible bench eval clean

help: ## List the targets
	@grep -E '^[a-z%-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z%-]+):.*## /  make \1|/' | awk -F'|' '{printf "%-16s %s\n", $$1, $$2}'

install: node_modules/.installed ## Install what the lock file pins

node_modules/.installed: package.json bun.lock
	@command -v bun >/dev/null || [ -x $(BOOTSTRAP)/node_modules/.bin/bun ] || \
	  npm install --silent --no-save --no-package-lock --no-fund --no-audit --prefix $(BOOTSTRAP) bun@$(BUN_VERSION)
	$(INSTALLER) install --frozen-lockfile --silent
	@touch $@

run: build ## Build Docent and serve its own documentation
	./dist/docent serve --demo

build: install ## Build the binary for this machine: dist/docent
	@$(BUN) scripts/build.ts

check: install ## Typecheck and lint
	@$(MAKE) --no-print-directory -j2 types lint

# Several checkers would each look at what all files share: one takes half of the processor's time, and leaves the rest of it
# to what runs beside.
types: install
	$(BUN) x --bun tsc --noEmit --singleThreaded -p .

lint: install
	$(BUN) x --bun biome check --error-on-warnings .

unit: install ## Run the tests that need no binary (plain `bun test`)
	$(IN_MEMORY) $(BUN) test $(SIDE_BY_SIDE)

test: export DOCENT_TEST_STATEMENTS = $(STATEMENTS)/test
test: check build ## Typecheck, lint, and run the tests, the binary's too
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || [ -n "$$DOCENT_TEST_POSTGRES_URL" ] || \
	  echo "PostgreSQL is not installed here: its tests are left out."
	@rm -rf $(STATEMENTS)
	DOCENT_BINARY=$(CURDIR)/dist/docent $(IN_MEMORY) $(BUN) test $(SIDE_BY_SIDE) test

slow: export DOCENT_TEST_STATEMENTS = $(STATEMENTS)/slow
slow: build ## Run the tests that wait for half a minute, or kill the program again and again
	DOCENT_BINARY=$(CURDIR)/dist/docent $(IN_MEMORY) $(BUN) test $(SIDE_BY_SIDE) $(addprefix ./,$(wildcard test/slow/*.slow.ts))

test-%: install ## Run the tests of one district: make test-reading, test-finding …
	$(IN_MEMORY) $(BUN) test $(SIDE_BY_SIDE) test/$*

# The stores' own tests run over PostgreSQL in `make test`, and so does what brings a PostgreSQL of its own. What runs with
# everything in PostgreSQL here is named, with its reason, in test/over-postgres/files.txt; docs/architecture.md has the rule.
# Last it is asked whether PostgreSQL ran every statement of the stores: here, in `make slow` or in `make test`, whose store tests
# run first where it has left no record. DOCENT_TEST_POSTGRES_URL names a server to use in the place of one that the tests start.
postgres: install ## Run tests of doors and commands with everything in PostgreSQL, and count the statements that it ran
	@[ -d $(STATEMENTS)/test ] || DOCENT_TEST_STATEMENTS=$(STATEMENTS)/test $(IN_MEMORY) $(BUN) test $(SIDE_BY_SIDE) test/storage
	@rm -rf $(STATEMENTS)/postgres
	DOCENT_TEST_DATABASE=postgres DOCENT_TEST_STATEMENTS=$(STATEMENTS)/postgres $(IN_MEMORY) $(BUN) test $(SIDE_BY_SIDE) \
	  $$(awk '/^test/ { print "./" $$1 }' test/over-postgres/files.txt)
	@DOCENT_TEST_STATEMENTS=$(STATEMENTS) $(BUN) test ./test/over-postgres/statements.postgres.ts

# Needs Chromium, and says so where there is none; leaves out what is for Firefox and WebKit where they are missing.
e2e: build ## Run the tests in real browsers; PICTURES=1 makes the pictures of docs/images anew
	@DOCENT_BINARY=$(CURDIR)/dist/docent PICTURES=$(PICTURES) $(BUN) scripts/e2e.ts

# DOCENT_TEST_CADDY=/path/to/caddy, and so on for the others, tests another version.
proxies: install ## Run the tests behind real proxies, with those of nginx, Caddy, Apache, HAProxy and Traefik that are here
	$(BUN) test --timeout 300000 ./test/proxies/streams.proxy.ts

# Needs Ollama, or Go and a C compiler to build it, and Python for the models; what it brings stays in the user's cache.
live: install ## Run the tests that need a real Ollama, which it starts by itself; RECORD=1 records its replies anew
	@$(BUN) scripts/live.ts $(if $(RECORD),--record)

# Needs strace, unshare and ip, and says which are missing.
sealed: build ## Run a sealed Docent for a day in a network that has nothing, and count what it dials
	DOCENT_BINARY=$(CURDIR)/dist/docent $(BUN) test --timeout 120000 ./test/slow/sealed.slow.ts

# They do it first where it was not done.
obtain: obtain-live obtain-clients obtain-sign-in ## Bring what `make live`, `make clients` and `make sign-in` need into the user's cache

obtain-%: install
	@$(BUN) scripts/$*.ts --obtain

# Needs Python and a package registry for the tools, which stay in the user's cache.
clients: build ## Make clients of the OpenAPI document with other people's tools, and use them
	@DOCENT_BINARY=$(CURDIR)/dist/docent $(BUN) scripts/clients.ts

# Needs Java and Maven for Keycloak, Go for Dex and oauth2-proxy, slapd for Dex's people, which it says where they are missing;
# what it brings stays in the user's cache.
sign-in: install ## Run the tests with real identity providers, which it starts by itself: Keycloak, Dex, oauth2-proxy
	@$(BUN) scripts/sign-in.ts

# Needs Python, npm and a package registry for the generators, which stay in the user's cache; it says which are missing.
generators: install ## Build our sites with the docs generators themselves, and record what they publish
	@$(BUN) scripts/generators.ts

# Needs Emacs, Perl, Python, mandoc, xsltproc with DocBook's stylesheets, and PHP for the wikis; it says which are missing.
formats: install ## Have other programs show our pages in Org, POD, DocBook, of manuals and of wikis, and record their words
	@$(BUN) scripts/formats.ts

release: install ## Make a release of every platform in dist/release: archives, packages, images, manifests, checksums
	@$(BUN) scripts/release/release.ts

# Needs Linux for x64, root, and dpkg, debootstrap, rpm, systemd-nspawn, runc or bwrap, and qemu-aarch64-static; it says
# what is missing.
packages: install ## Install, upgrade and remove the packages, and run the images
	@$(BUN) scripts/release/check/check.ts

# Needs git; it builds everything twice, which takes minutes.
reproducible: install ## Make a release in two folders, and compare them
	@$(BUN) scripts/release/twice.ts

# Searches real passages too where DOCENT_EVAL_DATA has them, and with libraries of Python where there is Python and a
# package registry; it says what is missing. `bun scripts/bench.ts retrieval-10k` measures a part, and with --write
# before the name its section of the page is replaced. `make bench read` measures one, too; DOCENT_BENCH_COMMIT=<an older commit>
# is then built from the history, and measured beside it.
PARTS := $(if $(filter bench,$(firstword $(MAKECMDGOALS))),$(wordlist 2,9,$(MAKECMDGOALS)))
bench: build ## Measure, and write docs/benchmarks.md; `make bench ask` prints what a question costs, and so on for each measure
	$(BUN) scripts/bench.ts $(PARTS)
ifneq ($(PARTS),)
.PHONY: $(PARTS)
$(PARTS): ; @:
endif

# Needs sets of questions, which are no part of the repository: it says which are missing, and how one looks.
eval: install ## Measure retrieval and answers on the sets in DOCENT_EVAL_DATA; MODELS=1 asks the models of `make live` too, HYBRID=1 LanceDB
	$(BUN) scripts/eval.ts $(if $(MODELS),--models) $(if $(HYBRID),--hybrid)

docs: install ## Write the generated parts of the documentation
	$(BUN) scripts/docs.ts

clean: ## Remove what was built
	rm -rf dist .cache node_modules
