# The tasks of this repository. `make help` lists them.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c

# Random tests use SEED: a number, or "random" for a fresh one. The default is fixed, so that no
# change fails by chance; make nightly uses fresh seeds. NIGHTLY=1 runs all cases of tests of which
# make test runs a share (internal/test/nightly).
export RAPID_SEED ?= $(if $(filter random,$(SEED)),0,$(or $(SEED),1))
NIGHT = NIGHTLY=1 RAPID_SEED=0

# Packages whose tests start processes. Only these may be rerun in the gate (RERUNS=1). They always
# run, because the test cache does not see the files that a process reads.
PROCESSES = ./cmd/bench ./cmd/chat ./cmd/docs ./functions ./internal/local/engine ./internal/local/folder
# The bindings of the CDK take a minute to compile.
CDK       = ./infra ./infra/stack
PACKAGES  = $(filter-out $(shell go list $(PROCESSES) $(CDK)),$(shell go list ./...))
# Packages with concurrency. make race-all covers all packages except the CDK's bindings, which are
# too big for the race detector, and some sequential packages.
RACED     = $(addprefix ./internal/,auth chat expiring feed follow gate live local/... apigw ratelimit socketapi stream tokenbucket webpage)
RACED_ALL = $(shell go list ./... | grep -v -e /infra -e /internal/bill -e /internal/measure -e /test/model)
# make whole excludes tests that are separate stages of make nightly.
WHOLE     = $(filter-out $(shell go list $(CDK) ./internal/test/model ./internal/test/history ./internal/test/flood ./internal/test/sizes),$(shell go list ./...))
MATRICES  = TestOperations_EveryCallFailsInEveryWay|TestOperations_NoLieOfTheDatabaseShows|TestServe_KillLosesNothingAcknowledged
FUZZTIME ?= 30s
SOAK     ?= 1h

# Mutation tests, which remove parts of the code or the stack and check that a test fails. They are
# slow.
MUTATIONS = TestNew_EveryRemovalIsCaught|TestNew_EveryFaultIsCaught|TestGrants_RightsCheckNoticesEachChange

# The CDK's rules run in make synth; in tests they would take seconds each time. A process that uses
# the CDK reads the variable when it starts.
export CDK_VALIDATION ?= false

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: free-address announced bin/chat ## Run everything on this machine, at ADDR=host:port; pages of ORIGIN= may call it; data is under DATA=.data
	bin/chat serve $(if $(ADDR),--addr $(ADDR)) $(if $(DATA),--data $(DATA)) $(if $(ORIGIN),--origin $(ORIGIN))

.PHONY: demo
demo: SERVES = demo
demo: free-address announced bin/chat ## Serve a week of a made-up team, at ADDR=127.0.0.1:8081; data is under DATA=.data-demo
	bin/chat demo $(if $(ADDR),--addr $(ADDR)) $(if $(DATA),--data $(DATA))

.PHONY: free-address
free-address:
	@scripts/free-address $(or $(SERVES),run) '$(or $(ADDR),127.0.0.1:$(if $(SERVES),8081,8080))'

# Only the first build takes long enough to need an explanation.
.PHONY: announced
announced: free-address prerequisites
	@test -e bin/chat || echo 'building; the first time takes a minute'

.PHONY: build
build: bin/chat ## Build the command

.PHONY: prerequisites
prerequisites: ## Check that Go, Node and npm are installed and recent enough
	@scripts/prerequisites

.PHONY: bin/chat
bin/chat: prerequisites node_modules/.installed
	go build -buildvcs=auto -o $@ ./cmd/chat

node_modules/.installed: package.json package-lock.json scripts/install | prerequisites
	scripts/install
	touch $@

web/node_modules/.installed: web/package.json web/package-lock.json | prerequisites
	npm ci --prefix web --ignore-scripts --no-audit --no-fund --loglevel=error
	cp web/package-lock.json $@

.PHONY: web
web: web/node_modules/.installed ## Generate the types of the API's client and the page's bundle, which chat embeds
	node web/types.mjs
	node web/build.mjs

.PHONY: web-check
web-check: web/node_modules/.installed ## Check the page's types and sizes, and that its bundle is up to date
	node web/types.mjs --check
	cd web && npx --no-install tsc -p . && npx --no-install tsc -p worker.json && npx --no-install tsc -p inbox.json
	node web/functions.mjs
	node web/build.mjs --check

.PHONY: test
test: test-packages test-processes ## Run every Go test on the real engine, except the CDK's (make test-infra)

# Vet is part of make check.
.PHONY: test-packages test-processes
test-packages: node_modules/.installed
	@scripts/gotest packages "$(PACKAGES)" -vet=off -timeout 9m $(GOTESTFLAGS)
# These tests mostly wait, so all packages run concurrently, with more tests than processors.
test-processes: node_modules/.installed
	@RERUN=$(RERUNS) scripts/gotest processes "$(PROCESSES)" -vet=off -count=1 -p 6 -parallel 8 -timeout 9m $(GOTESTFLAGS)

.PHONY: test-infra
test-infra: node_modules/.installed ## Run the tests of the stack
	@scripts/gotest infra "$(CDK)" -vet=off -timeout 9m $(GOTESTFLAGS)

.PHONY: test-web
test-web: bin/chat web/node_modules/.installed ## Run the app's unit tests, and the client's tests against real servers under faults; needs Chromium
	node web/app/test/run.mjs
	CHAT_BIN=$(or $(CHAT_BIN),$(CURDIR)/bin/chat) node web/client/test/run.mjs

.PHONY: faults
faults: node_modules/.installed ## Inject every failure into every call of every operation; make test runs a share
	$(NIGHT) go test ./internal/httpapi -run TestOperations_EveryCallFailsInEveryWay -count=1 -timeout 20m -v

.PHONY: hostile
hostile: node_modules/.installed ## Corrupt the response to every call of every operation, in every way, and the issuer's keys
	$(NIGHT) go test ./internal/httpapi -run TestOperations_NoLieOfTheDatabaseShows -count=1 -timeout 30m -v
	go test ./internal/auth -run TestRemote -count=1 -v

.PHONY: test-shards
test-shards: node_modules/.installed ## Run the tests of pages, feeds, threads, lists and searches with 16 shards in each room
	SHARDS=16 go test -count=1 ./internal/chat ./internal/feed ./internal/inbox ./internal/search ./internal/thread

.PHONY: quick
quick: ## Run the tests that need no engine and no npm, in seconds
	scripts/quick -skip '^($(MUTATIONS))$$'

.PHONY: race
race: node_modules/.installed ## Run the tests of packages with concurrency under the race detector; needs a C compiler
	@scripts/gotest race "$(RACED)" -race -vet=off -timeout 15m

.PHONY: race-all
race-all: node_modules/.installed ## Run nearly all tests under the race detector
	@scripts/gotest race "$(RACED_ALL)" -race -vet=off -shuffle=on -timeout 60m

.PHONY: whole
whole: node_modules/.installed ## Run all cases of the tests of which make test runs a share, in random order, with fresh seeds
	@$(NIGHT) scripts/gotest whole "$(WHOLE)" -vet=off -count=1 -shuffle=on -timeout 60m -skip '^($(MATRICES))$$'

.PHONY: model
model: node_modules/.installed ## Compare the engine with a plain model over 10,000 random operations, three times, and catch every seeded bug
	@$(NIGHT) scripts/gotest model ./internal/test/model -vet=off -count=1 -timeout 100m

.PHONY: crash
crash: node_modules/.installed ## Kill the server 100 times under load, and check that no acknowledged write is lost
	$(NIGHT) go test ./cmd/chat -run TestServe_KillLosesNothingAcknowledged -count=1 -timeout 30m -v

.PHONY: soak soak-server soak-state
soak: soak-server soak-state ## Run a server under load for SOAK, and the state test with 200,000 messages and fresh seeds; Linux only

soak-server: node_modules/.installed
	go test ./cmd/chat -run TestServe_SoakGrowsNothing -count=1 -timeout 4h -v -args -soak $(SOAK)

soak-state: node_modules/.installed web/node_modules/.installed
	STATE_MESSAGES=$(or $(MESSAGES),200000) SEED=$(or $(SEED),random) node web/client/test/run.mjs state

.PHONY: mutate-state
mutate-state: node_modules/.installed web/node_modules/.installed ## Remove each rule from the client, and check that the state test fails; FAULTS=pattern selects rules
	MUTATE_STATE=1 SEED=$(or $(SEED),1) node web/client/test/run.mjs state-mutants $(if $(FAULTS),--name='$(FAULTS)')

.PHONY: flood
flood: node_modules/.installed ## Flood the API as one person through 64 processes, with and without each limit; takes two minutes
	$(NIGHT) go test ./internal/test/flood -run TestFlood -count=1 -timeout 20m -v

.PHONY: history
history: node_modules/.installed ## Check 30 histories of 32 clients for linearizability under faults and a lagging index, and catch every seeded bug
	@$(NIGHT) scripts/gotest history ./internal/test/history -vet=off -count=1 -timeout 90m

.PHONY: bench
bench: node_modules/.installed ## Measure everything with a goal in docs/performance.md, and print values and goals; takes up to ten minutes
	go run ./cmd/bench all

.PHONY: bench-files
bench-files: node_modules/.installed ## Measure the files of messages against their goals; takes a minute
	go run ./cmd/bench files

.PHONY: bench-hooks
bench-hooks: node_modules/.installed ## Measure deliveries to the address of a hook, and their cost; takes a minute
	go run ./cmd/bench hooks

.PHONY: bench-search
bench-search: node_modules/.installed ## Measure searches in a million messages, their cost, and ten million; needs CHAT_DATA
	go run ./cmd/bench search
	go run ./cmd/bench searchmore

.PHONY: bench-live
bench-live: node_modules/.installed web/node_modules/.installed ## Measure live delivery against its goals, including Chromium; takes fifteen minutes
	go run ./cmd/bench live

.PHONY: bench-peers
bench-peers: export TINODE := $(TINODE)
bench-peers: node_modules/.installed ## Measure Parley, Prosody, and Tinode from the source folder TINODE=, in turn; takes four minutes
	go run ./cmd/bench peers

.PHONY: sizes
sizes: node_modules/.installed ## Measure the start time and the size of functions against their goals
	go run ./cmd/bench sizes

.PHONY: worst
worst: node_modules/.installed ## Send the largest request to every operation, and check the response's bytes and memory
	$(NIGHT) go test ./internal/test/sizes -run Bounded -count=1 -timeout 20m -v

.PHONY: fuzz
fuzz: node_modules/.installed ## Fuzz every decoder for FUZZTIME each
	scripts/fuzz $(FUZZTIME)

.PHONY: test-extra
test-extra: test-web test-browser test-clients test-tools ## Run the tests that need more than Go and Node: Java, Chromium, qemu, Python

.PHONY: test-clients
test-clients: bin/chat web/node_modules/.installed ## Generate a client, compile and run it, or with NIGHTLY=1 clients in four languages; install each package into an empty project
	scripts/clients

.PHONY: test-tools
test-tools: node_modules/.installed ## Run the tests that need Java, qemu and Python: second engine, emulation, schemathesis, template linters
	scripts/second-engine
	$(NIGHT) go test ./functions -count=1 -timeout 10m -args -emulated
	go test ./cmd/chat -tags extra -run 'TestServe_DocsPage|TestProviders|TestSignInPages' -count=1
	scripts/lint-templates
	scripts/python-tools schemathesis
	go test ./cmd/chat -tags extra -run TestServe_Schemathesis -count=1

# Browser tests, pictures and measurements are projects of web/playwright.config.mjs.
PLAYWRIGHT = cd web && npx --no-install playwright test

.PHONY: test-browser
test-browser: bin/chat web/node_modules/.installed ## Test the web app in Chromium, with several people in separate windows
	$(if $(RESULTS),export PLAYWRIGHT_JSON_OUTPUT_NAME=$(RESULTS)/browser.playwright.json;) $(PLAYWRIGHT) --project=browser --project=notifications

.PHONY: mutate-web
mutate-web: bin/chat web/node_modules/.installed ## Inject each fault, or those that match FAULTS=pattern, into the page, and check that its browser test fails
	export $(NIGHT); $(PLAYWRIGHT) --project=faults $(if $(FAULTS),-g '$(FAULTS)')

.PHONY: bench-web
bench-web: bin/chat web/node_modules/.installed ## Measure the web app's times in Chromium against their goals; needs CHAT_DATA
	$(PLAYWRIGHT) --project=bench

.PHONY: shots
shots: bin/chat web/node_modules/.installed ## Take pictures of every state of the web app, or of states that match ONLY, into web/test/shots or SHOTS
	$(PLAYWRIGHT) --project=shots $(if $(ONLY),-g '$(ONLY)')

.PHONY: screenshot
screenshot: bin/chat web/node_modules/.installed ## Take the pictures in the README; look at them before you commit them
	$(PLAYWRIGHT) --project=screenshot

.PHONY: test-deploy
test-deploy: node_modules/.installed ## Deploy to an emulator of AWS and run the tests that need an account, or only JOURNEY=pattern; needs Python 3.11
	scripts/python-tools ministack awscli
	go test -tags deploy ./cmd/docs -run TestRunner -count=1
	$(if $(JOURNEY),,go build -C tools/versitygw -o ../../bin/ github.com/versity/versitygw/cmd/versitygw)
	$(if $(JOURNEY),,go test -tags deploy ./internal/bucket -run TestContract -count=1)
	@scripts/gotest deployment ./infra/deploytest -tags deploy -run '$(or $(JOURNEY),.)' -count=1 -timeout 40m

.PHONY: templates
templates: node_modules/.installed ## Write the golden templates; review their diff
	go test ./infra/stack -run TestNew_MatchesTheGoldenTemplates -count=1 -args -update

.PHONY: events
events: ## Write an event for each request in the tests to .events, for sam local invoke
	go test ./functions -run TestEvents_FilesAreOfTheRequests -count=1 -args -events "$$PWD/.events"

.PHONY: calls
calls: node_modules/.installed ## Record the functions' SDK calls in all tests, if make test reports a stale recording of a rare call; review the diff
	go test ./functions ./internal/stream ./internal/httpapi -count=1 -args -record

.PHONY: golden
golden: node_modules/.installed web/node_modules/.installed ## Run the tests that write golden files: templates, settings, calls, documents; review the diff
	scripts/golden

.PHONY: mutate
mutate: node_modules/.installed ## Remove or change each part of the stack in turn, and check that a test fails
	$(NIGHT) go test ./infra/stack -run '^($(MUTATIONS)|TestNew_.*Connections.*)$$' -count=1 -timeout 30m -v

.PHONY: settings
settings: ## Write docs/settings.md from the catalog of settings
	go test ./infra/config -run TestCatalog_MatchesTheSettingsPage -count=1 -args -update

.PHONY: synth
synth: node_modules/.installed ## Write the CloudFormation templates to cdk.out and check all rules; ENV=dev for one
	CDK_VALIDATION=true scripts/synth $(ENV)

.PHONY: diff deploy destroy
diff: chosen node_modules/.installed ## Show what a deploy would change: make diff ENV=dev
	npx --no-install cdk diff -c env=$(ENV)

deploy: chosen node_modules/.installed ## Deploy to the account of your credentials: make deploy ENV=dev
	CDK_VALIDATION=true npx --no-install cdk deploy -c env=$(ENV)

destroy: chosen node_modules/.installed ## Tear down (prod keeps tables, users and logs): make destroy ENV=dev
	scripts/destroy $(ENV)

# Targets that use an account require ENV; there is no default.
.PHONY: chosen
chosen:
	@test -n "$(ENV)" || { echo 'set the environment: make $(MAKECMDGOALS) ENV=dev, or ENV=prod'; exit 2; }

.PHONY: doctor
doctor: export PARLEY_TOKEN = $(TOKEN)
doctor: chosen bin/chat ## Check the account of your credentials, or with AFTER=yes TOKEN= the deployment: make doctor ENV=dev
	@bin/chat doctor --env="$(ENV)" $(if $(AFTER),--after)

.PHONY: smoke
smoke: export PARLEY_TOKEN = $(TOKEN)
smoke: bin/chat ## Check that a server or a deployment works: make smoke URL= TOKEN=
	@bin/chat smoke --url="$(URL)"

# The linter runs vet, also on the files of the tags deploy and extra.
.PHONY: check
check: bin/golangci-lint web-check ## Check format, vet, lint, the page, tidy modules and known vulnerabilities
	@test -z "$$(gofmt -l $$(git ls-files '*.go'))" || { gofmt -l $$(git ls-files '*.go'); echo 'gofmt these files'; exit 1; }
	bin/golangci-lint run ./...
	go mod tidy -diff
	cd tools && go mod tidy -diff
	cd examples/cdk && go vet . && go mod tidy -diff
	cd examples/index && go vet ./... && go mod tidy -diff
	scripts/vulnerabilities

bin/golangci-lint: tools/go.mod tools/go.sum
	cd tools && go build -o ../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint

bin/gotestsum: tools/go.mod tools/go.sum
	cd tools && go build -o ../bin/gotestsum gotest.tools/gotestsum

.PHONY: shellcheck
shellcheck: ## Check the shell scripts; needs shellcheck
	shellcheck $$(git grep -lI '^#!.*bash' -- scripts .ci)

.PHONY: test-gate
test-gate: bin/gotestsum web/node_modules/.installed ## Test the scripts: the stages of CI, prerequisites, and the npm packages
	node --test --test-reporter=spec scripts/*.test.mjs

.PHONY: nightly
nightly: ## Run all long and random tests in stages; each stage is a target, listed in .ci/nightly
	scripts/stages <.ci/nightly

.PHONY: secrets
secrets: ## Scan all commits for keys and tokens
	scripts/secrets

.PHONY: sbom
sbom: ## Write the software bill of materials (CycloneDX) to bin/sbom.cdx.json, and check its form
	scripts/sbom

.PHONY: packages
packages: prerequisites ## Pack @parley/client and @parley/react for npm install, into dist/packages or TO=folder
	scripts/packages $(TO)

.PHONY: release test-release
release: prerequisites ## Write an archive for each platform, or for PLATFORMS, and the npm packages to dist, with checksums and the bill of materials
	scripts/release $(PLATFORMS)

test-release: release ## Run this platform's archive of make release in an empty folder, without Go, Node and the repository
	go test ./cmd/chat -tags extra -run TestRelease -count=1 -v

.PHONY: test-sam
test-sam: node_modules/.installed ## Run the functions with sam local invoke, as in docs/sam.md; needs Docker
	@scripts/test-sam

.PHONY: readme
readme: ## Run the commands of README and docs in a clean clone (test-deploy: those for an account; test-sam: those for Docker)
	go run ./cmd/docs
