# Every task of Parley by name; `make` lists them.
.DEFAULT_GOAL := help
.PHONY: help install build demo demo-openstack demo-kubernetes up test test-quick check clean prerequisites python-prerequisite test-prerequisites

# The Node.js that npm installs (dev/tools/node) comes before the machine's, which may be older than Parley needs.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

help: ## list these tasks
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' | awk -F'|' '{ printf "  make %-16s %s\n", $$1, $$2 }'

prerequisites:
	@command -v node >/dev/null || { echo 'Node.js is missing: npm runs on it, and installs the one that Parley needs'; exit 1; }
	@command -v npm >/dev/null || { echo 'npm is missing: it installs what Parley is built with'; exit 1; }

python-prerequisite:
	@for python in "$${PYTHON:-python3.11}" python3.12 python3.13 python3; do \
	  "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && exit 0; done; \
	  echo 'Python 3.11 or later with venv is missing: a real Nova and a real Keystone run on it'; exit 1

test-prerequisites: python-prerequisite
	@command -v java >/dev/null || { echo 'Java 17 or later is missing: the tests run a Kafka broker'; exit 1; }
	@command -v mvn >/dev/null || { echo 'Maven is missing: it gets the Kafka broker of the tests'; exit 1; }
	@for program in "$${PARLEY_TEST_CHROMIUM:-chromium}" chromium-browser google-chrome apt-get; do \
	  command -v "$$program" >/dev/null && exit 0; done; \
	  echo 'Chromium is missing: the tests drive the page in it. On Debian they get it by apt-get themselves'; exit 1
	@for program in pgbouncer apt-get; do command -v "$$program" >/dev/null && exit 0; done; \
	  echo 'PgBouncer is missing: the tests run one. On Debian they get it by apt-get themselves'; exit 1

node_modules/.package-lock.json: package-lock.json | prerequisites
	@echo 'Installing the packages, which takes a minute or two'
	@npm ci --loglevel=error
	@touch $@

install: node_modules/.package-lock.json ## install the packages, when the lock file has changed
	@node bin/supported-node.cjs

build: install ## generate the database client, compile, bundle the workflows
	@echo 'Building'
	@npm run --silent build

demo: build ## see a simulated fleet maintained, from start to 100 %
	@bin/parley demo

demo-openstack: python-prerequisite build ## see a real Nova's hosts maintained, from start to 100 % (needs Python 3.11)
	@node --require ./test/run/run-typescript.cjs test/openstack/demo.ts

demo-kubernetes: build ## see nodes of a real Kubernetes control plane maintained, beside kubectl drain (needs Go where nothing is downloaded)
	@node --require ./test/run/run-typescript.cjs test/kubernetes/demo.ts

up: build ## run the whole service here, its data in .parley
	@bin/parley up

test: install test-prerequisites ## everything that CI runs
	@node --require ./test/run/run-typescript.cjs test/run/run-all.ts

test-quick: install ## before each commit: checks, unit tests, sessions in virtual time; needs Node.js alone
	@node --require ./test/run/run-typescript.cjs test/run/run-all.ts quick

check: install ## format, lint and types
	npm run --silent generate
	npm run --silent check

clean: ## remove what was built and installed, and the local stack's data
	rm -rf dist coverage node_modules .parley
