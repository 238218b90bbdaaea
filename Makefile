# casino: an extension of PostgreSQL 15. Targets: make help
EXTENSION  = casino
MODULE_big = casino
PG_CONFIG ?= pg_config

# The version stands in casino.control and nowhere else; the install script is put together from its parts.
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'.*/\1/p" casino.control)
# One part a subject: its tables (install_SUBJECT()), functions and checks. They are run in this order: a type stands before the
# functions that have it in their signature, and access last, which takes from PUBLIC all that is there
SQL = guard types ignorable arguments locks days money \
  families roulette baccarat blackjack poker casino_holdem texas_holdem \
  install fingerprints append_only recorder plans plan_check plan_drafts plan_data cells tables operation \
  players clear_text rounds books book_closing put_away ledger wagers boxes stacks disconnection refusals \
  messages follow \
  place_many \
  exclusions exclusion_mistakes limits other_play sequence withdrawals deadlines withholding facts \
  corrections \
  evaluation quote offer play \
  approvals reconciliation sieve check_money check_deals check_corrections adjustments moves no_action \
  duty_rules \
  register_checks replays \
  check_stakes check_follow check_counters check_state evidence_checks check_record check_record_rows \
  provider_settings provider_ends provider cage \
  rebuild seals witness bi_views \
  plan_audit watch figures persons erasure collusion \
  kept_days kept_plans changes balance morning report publish view_comments \
  page_codes page_events page_says page_labels page_frame page_pictures page_positions round_page \
  player_page morning_page cage_page period_page night_page \
  cell_corrections cell_calls hub_tables hub_calls hub_log hub_carry_out hub_decisions hub_evaluation \
  hub_corrections hub_sums hub_changes hub hub_moves hub_cells hub_players hub_catch_up hub_forget \
  hub_erasure hub_learn access
PARTS     := $(SQL:%=extension/%.sql)
# committed, so that one who reads it needs no build; made anew when a part has changed
SCRIPT     = casino--$(EXTVERSION).sql
DATA       = $(SCRIPT) $(sort $(wildcard casino--*--*.sql))

CORE      := $(sort $(wildcard src/core/*.c src/core/*/*.c))
SOURCES   := $(CORE) $(sort $(wildcard src/*.c)) $(sort $(filter-out $(CORE),$(wildcard src/*/*.c)))
# Written by a program of ours that runs where we build; in a folder of its own, which cppcheck is not told of: it takes
# minutes over so many numbers
POKER_TABLES = src/core/generated/poker_tables.h
BUILD_CC  ?= $(CC)
ALL_HEADERS := $(sort $(wildcard src/*.h src/*/*.h) $(POKER_TABLES))
OBJS       = $(SOURCES:.c=.o)

# -isystem: takes precedence over the -I that PGXS gives for the same folder, so that only our own code is warned about.
# Warnings are errors only where we build it (WERROR=1, set by `make test`): a newer compiler must not stop a user.
# at -Og the PG_TRY() of PostgreSQL 15 is warned of itself
WARNINGS     = -Wall -Wextra -Wno-unused-parameter $(if $(WERROR),-Werror -Wno-error=clobbered)
INCLUDES     = -I$(or $(srcdir),.)/src -I$(dir $(POKER_TABLES))
# -MMD -MP: gcc writes which headers a file includes, so that a changed header compiles only the files that need it
PG_CPPFLAGS  = -MMD -MP $(INCLUDES) -isystem $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)
PG_CFLAGS    = $(WARNINGS)
# Calls of our own functions are bound when we link: else every new session looks some 500 names up
SHLIB_LINK  += -Wl,-Bsymbolic-functions

# No bitcode: it needs clang at build time, compiles every file a second time, and JIT inlining of these functions
# gains nothing (they are called a few times a row). A plain assignment would be overwritten by Makefile.global.
override with_llvm = no

REGRESS       := $(sort $(notdir $(basename $(wildcard test/regress/sql/*.sql))))
ISOLATION     := $(sort $(notdir $(basename $(wildcard test/isolation/specs/*.spec))))
# test/isolation/specs/first.spec leaves in the database what all others share
override ISOLATION := $(if $(strip $(ISOLATION)),first $(filter-out first,$(ISOLATION)))
# casino needs UTF8, whatever the encoding of the cluster is: where LANG is unset, initdb chooses SQL_ASCII
UTF8_OPTS      = --encoding=UTF8 --no-locale
REGRESS_OPTS   = --inputdir=$(or $(srcdir),.)/test/regress --load-extension=casino $(UTF8_OPTS)
# one line a race
# the results; runs beside each other have a folder each
ISOLATION_OUT  = output_iso
ISOLATION_OPTS = --inputdir=$(or $(srcdir),.)/test/isolation --outputdir=$(ISOLATION_OUT) \
                 --load-extension=casino $(UTF8_OPTS) --launcher=$(or $(srcdir),.)/tools/races
REGRESS_PREP   = expected-files

# Unit programs: each test/unit/*.c with a main(), linked with the others there and the core's objects, the same that go into the
# extension
UNIT_all   := $(sort $(wildcard test/unit/*.c))
UNIT_main  := $(if $(UNIT_all),$(sort $(shell grep -lE '^(int[[:space:]]+)?main\b' $(UNIT_all))))
UNIT        = $(UNIT_main:.c=)
UNIT_CFLAGS = -std=gnu99 -g -O2 $(WARNINGS) $(INCLUDES) -Itest/unit

EXTRA_CLEAN = results output_iso tmp_check tmp_check_iso coverage regression.out regression.diffs $(UNIT) \
  bench/evaluator casino-verify $(POKER_TABLES:/poker_tables.h=) $(OBJS:.o=.d)

.DEFAULT_GOAL := all
# What each target needs installed (tools/setup). pgxs.mk alone builds nothing: it comes with the client's programs, too
TARGETS = walkthrough mutants all install installcheck unit demo report pictures cells reference interface \
  examples bench test \
  sanitize memcheck cassert histories soak coverage
SETUP_all       = build
SETUP_install   = build
SETUP_unit      = build
SETUP_installcheck = build
SETUP_demo      = server
SETUP_reference = server
SETUP_interface = server
SETUP_examples  = server
SETUP_walkthrough = test
SETUP_mutants   = test
PGXS   := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))
HEADER := $(wildcard $(shell $(PG_CONFIG) --includedir-server 2>/dev/null)/postgres.h)
CC_is  := $(shell command -v $(firstword $(CC)) 2>/dev/null || :)
export PG_CONFIG

ifneq ($(and $(PGXS),$(HEADER),$(CC_is)),)
include $(PGXS)

# on a stock server the views of the evaluation would be compiled anew by each statement of the tests
installcheck: export PGOPTIONS += -c jit=off

$(OBJS): Makefile | $(POKER_TABLES)
-include $(wildcard $(OBJS:.o=.d))
export PG_REGRESS_DIFF_OPTS = -U3

all install: $(SCRIPT)

$(UNIT): %: %.c $(filter-out $(UNIT_main),$(UNIT_all)) $(CORE:.c=.o) $(ALL_HEADERS) $(wildcard test/unit/*.h) tools/holdem_board.h
	$(CC) $(UNIT_CFLAGS) $(COPT) -o $@ $(filter %.c %.o,$^) -lm

# pg_regress stops the whole run on a missing expected file, with a message that does not say so
expected-files:
	@rc=0; for t in $(REGRESS:%=regress/expected/%.out) $(ISOLATION:%=isolation/expected/%.out); do test -f test/$$t || { \
	  echo "missing test/$$t: create it empty, run the test, check its result, copy it there" >&2; rc=1; }; done; exit $$rc

# Everything below runs in a copy under /tmp, removed afterwards: nothing is written here, and runs do not disturb each other.
test:
	@tools/setup test
	@tools/scratch tools/test

unit:
	@tools/setup build
	@tools/scratch tools/test unit

# for tools/test
unit-programs: $(UNIT)
list-unit:
	@echo $(UNIT)

demo:
	@tools/setup server
	@tools/scratch tools/withpg sh -c 'psql -X -q -f demo/demo.sql && tools/report'

# the report of the demo's day with pictures of it in Chromium
report:
	@tools/setup report
	@tools/scratch tools/withpg sh -c 'psql -X -q -f demo/demo.sql >/dev/null && tools/report --pictures'

# the pictures in doc/pictures, of the demo's pages
pictures:
	@tools/setup report
	@tools/scratch tools/withpg sh -c 'psql -X -q -f demo/demo.sql >/dev/null && tools/report --guides'

# the pages of the demo measured in Chromium: width, contrast, headings, texts of pictures, nothing
# fetched; and on paper
test-pages:
	@tools/setup report
	@tools/scratch tools/withpg sh -c 'psql -X -q -f demo/demo.sql >/dev/null && \
	  tools/report && tools/test_pages'

# the generated parts of the pages of the reference
reference:
	@tools/setup server
	@tools/scratch tools/withpg tools/reference

# the list of the interface
interface:
	@tools/setup server
	@tools/scratch tools/withpg tools/interface

# the recorded output of the demo and of the guides' examples
examples:
	@tools/setup server
	@tools/scratch tools/withpg tools/examples --write

# doc/architecture.md, "Add a family" and "Add a duty", carried out in a copy
walkthrough:
	@tools/setup test
	@tools/scratch tools/walkthrough

# Faults planted in a copy of settlement, which the evaluation, the night and casino-verify must each find.
# Then lines changed one at a time, each of which must fail a test. With one of their variables: these only
MUTANT_LINES = $(MUTANTS)$(MUTANTS_FILES)$(MUTANTS_ONLY)$(MUTANTS_TESTS)
mutants:
	@tools/setup test
	@[ -n '$(MUTANT_LINES)' ] || tools/scratch tools/mutants
	@tools/scratch tools/line_mutants

# a hub and three cells on this machine, an evening through them, nothing left behind
cells:
	@tools/setup cells
	@tools/scratch tools/withpg tools/cells

bench:
	@tools/setup bench
	@tools/scratch tools/withpg bench/run

sanitize:
	@tools/setup sanitize
	@tools/scratch tools/asan tools/test

# random concurrent histories against a model of the books; HISTORIES, HISTORY_SEED, HISTORY_SECONDS
histories:
	@tools/setup test
	@tools/scratch tools/withpg tools/histories

# ten minutes of a casino in which everything goes wrong; SOAK_SECONDS, SOAK_SEED, SOAK_LOG, SOAK_DISK
soak:
	@tools/setup test
	@TEST_VERBOSE=1 tools/scratch tools/withpg tools/small_disk $${SOAK_DISK:-1500m} \
	  tools/tap test/soak/soak.pl

memcheck:
	@tools/setup memcheck
	@tools/scratch tools/memcheck tools/test

# The suite on a server built with --enable-cassert, whose pg_config CASSERT_PG_CONFIG names: our assertions
# hold the promises of comments, the server's own hold those of the store.
cassert:
	@$(CASSERT_PG_CONFIG) --configure | grep -q -- --enable-cassert || \
	  { echo 'make cassert CASSERT_PG_CONFIG=...: that server has no assertions' >&2; exit 1; }
	@tools/setup test
	@$(MAKE) -s clean
	@PG_CONFIG='$(CASSERT_PG_CONFIG)' tools/scratch tools/test; rc=$$?; $(MAKE) -s clean; exit $$rc

# the report is left in ./coverage
coverage:
	@tools/setup coverage
	@tools/scratch tools/cov tools/test

else ifneq ($(filter-out pg_config,$(PG_CONFIG))$(CASINO_SETUP),)
$(TARGETS):
	@$(if $(PGXS),,echo "$(PG_CONFIG) --pgxs names no file: the server's development files are missing" >&2;) \
	$(if $(HEADER),,echo "$(PG_CONFIG) --includedir-server names no folder with postgres.h: the server's development files are missing" >&2;) \
	$(if $(CC_is),,echo "there is no C compiler \"$(CC)\"" >&2;) \
	echo 'Debian: apt-get install --no-install-recommends gcc libc6-dev postgresql-server-dev-15' >&2; exit 1
else
# A machine without PostgreSQL's development files or a compiler: get them (Debian 12), then start again
$(TARGETS):
	@tools/setup $(or $(SETUP_$@),$@)
	@CASINO_SETUP=done $(MAKE) --no-print-directory $@
clean:
	rm -f $(OBJS) $(OBJS:.o=.d) casino.so
	rm -rf $(EXTRA_CLEAN)
endif

$(POKER_TABLES): tools/poker_tables.c
	@mkdir -p $(@D); t=$@.$$$$; $(BUILD_CC) -std=gnu99 -O2 -o $$t.gen $< && $$t.gen >$$t && mv $$t $@; rc=$$?; rm -f $$t $$t.gen; exit $$rc

# The parts in their order, compared each time: a checkout gives files the time when it writes them
$(SCRIPT): $(PARTS) FORCE
	@for p in $(filter-out $(PARTS),$(wildcard extension/*.sql)); do echo "$$p is missing in SQL of the Makefile" >&2; exit 1; done
	@cat $(PARTS) | cmp -s - $@ || { cat $(PARTS) >$@.$$$$ && mv $@.$$$$ $@; }
FORCE:

# of the committed one: no part has changed since
script-is-current:
	@cat $(PARTS) | cmp -s - $(SCRIPT) || { echo '$(SCRIPT) is not made of the parts in extension/ as they are: run make' >&2; exit 1; }

# Casino Hold'em's deals under the best decision, kept because they take a minute to count
holdem-counts: $(CORE) $(ALL_HEADERS) tools/holdem_counts.c tools/holdem_board.h
	@t=/tmp/holdem_counts.$$$$; $(BUILD_CC) -std=gnu99 -O2 $(INCLUDES) -o $$t tools/holdem_counts.c $(CORE) -lm && \
	  $$t >$$t.h && mv $$t.h src/core/returns/count_holdem_kept.h; rc=$$?; rm -f $$t $$t.h; exit $$rc

# Verifies exported days without PostgreSQL: the core and libcrypto
VERIFY := $(sort $(wildcard programs/casino-verify/*.c))
casino-verify: $(VERIFY) $(wildcard programs/casino-verify/*.h) $(CORE) $(ALL_HEADERS)
	@tools/setup verify
	$(CC) -std=gnu99 -D_GNU_SOURCE -O3 -flto=auto $(WARNINGS) -Wno-maybe-uninitialized $(INCLUDES) $(COPT) -o $@ $(filter %.c,$^) -lm -lcrypto

bench/evaluator: bench/evaluator.c $(CORE) $(ALL_HEADERS)
	$(CC) -std=gnu99 -O2 $(WARNINGS) $(INCLUDES) $(COPT) -o $@ $(filter %.c,$^) -lm

# FUZZ_SECONDS=60 for each driver, FUZZ=name for one
fuzz:
	@tools/setup fuzz
	@tools/fuzz $(FUZZ)

lint:
	@tools/setup lint
	@tools/lint
	@tools/ignorable -c
	@tools/indent
	shellcheck -x $$(grep -lE '^#!.*sh$$' tools/* .ci/run bench/* 2>/dev/null) tools/lib.sh
	cppcheck --quiet --enable=warning,performance,portability --std=c99 --inline-suppr --error-exitcode=2 -Isrc \
	  -DUSE_FLOAT8_BYVAL=1 \
	  -D'PG_FUNCTION_INFO_V1(x)=' -DPG_MODULE_MAGIC= -D'PG_FUNCTION_ARGS=FunctionCallInfo fcinfo' \
	  -D'pg_attribute_noreturn()=' -D'ereport(level,...)=abort()' -D'elog(level,...)=abort()' src

# The suite on later servers: 17 and 18 as later releases of Debian have them, each in a chroot that is kept; no release has 16:
# PG16_CONFIG names the pg_config of a server that is there
PG17_FROM = trixie
PG18_FROM = forky
VERSION_PACKAGES = make gcc libc6-dev libssl-dev libipc-run-perl postgresql-$* postgresql-server-dev-$* postgresql-$*-pgtap postgresql-$*-cron
test-pg17 test-pg18: test-pg%:
	@tools/debian -k pg$* $(PG$*_FROM) $(VERSION_PACKAGES) -- make -s test

test-pg16:
	@[ -n "$(PG16_CONFIG)" ] || { echo "no release of Debian has PostgreSQL 16: make test-pg16 PG16_CONFIG=/path/to/its/pg_config" >&2; exit 1; }
	@$(MAKE) --no-print-directory test PG_CONFIG=$(PG16_CONFIG)

# pg_upgrade from 15 to a later server, with a ledger of all games: both in a chroot of the later one's release (UPGRADE_TO=17)
UPGRADE_TO = 18
test-upgrade:
	@tools/debian -k upgrade$(UPGRADE_TO) -a bookworm $(PG$(UPGRADE_TO)_FROM) make gcc libc6-dev libssl-dev libipc-run-perl \
	  postgresql-$(UPGRADE_TO) postgresql-server-dev-$(UPGRADE_TO) postgresql-15 postgresql-server-dev-15 -- \
	  env PG_CONFIG=/usr/lib/postgresql/$(UPGRADE_TO)/bin/pg_config tools/withpg tools/upgrade

# The clients of examples/ in all four languages, with the drivers of Debian 12, in a chroot that is kept
test-clients:
	@tools/debian -k clients bookworm make gcc libc6-dev libssl-dev libpq-dev libipc-run-perl postgresql-15 postgresql-server-dev-15 \
	  pgbouncer python3-psycopg python3-psycopg-pool python3-asyncpg \
	  nodejs node-pg default-jdk-headless libpostgresql-jdbc-java -- \
	  env CASINO_CLIENTS=all tools/withpg tools/tap test/tap/clients.pl

# Debian packages built, looked at by lintian, installed, and debian/tests run against what is installed; then the zip of what is
# committed through PGXN's client. In a chroot that is kept
test-package: dist
	@rc=0; tools/debian -k package bookworm build-essential debhelper fakeroot libssl-dev lintian man-db pgxnclient postgresql-all sudo \
	  postgresql-server-dev-all python3 unzip -- tools/package || rc=$$?; rm -f casino-$(DIST).zip; exit $$rc

# The steps of the Dockerfile in bare chroots, and what its command starts
test-image:
	@tools/image

# The protocol of hub and cells, searched by Spin (model/README.md); MODEL_RUNS=all: the long runs, too
model:
	@tools/setup model
	@tools/model

# PGXN: a zip of what is committed
DIST = $(shell sed -n 's/^ *"version": *"\([^"]*\)".*/\1/p;' META.json | sed -n 1p)
dist:
	@case "$(DIST)" in $(EXTVERSION)|$(EXTVERSION).*) ;; *) echo "META.json says $(DIST), casino.control $(EXTVERSION)" >&2; exit 1;; esac
	git archive --format=zip --prefix=casino-$(DIST)/ -o casino-$(DIST).zip HEAD

# what a release must fulfil
release:
	@tools/setup test
	@tools/release

help:
	@echo 'make                 build                       make install       install on the server of PG_CONFIG'
	@echo 'make test            the whole test suite        make installcheck  pg_regress and isolation tests on a running server'
	@echo 'make unit            the unit program only       make demo          part of a gaming day on a throwaway server'
	@echo 'make report          its pages, with pictures in report/'
	@echo 'make pictures        the pictures of the guides, doc/pictures/'
	@echo 'make test-pages      its pages measured in Chromium: 390 and 1280 pixels, A4, light and dark'
	@echo 'make bench           the ratios of speed         make sanitize      the suite with ASAN and UBSAN'
	@echo 'make memcheck        the suite under valgrind    make coverage      the suite with gcov, report in coverage/'
	@echo 'make reference       the reference anew           make examples      recorded output of demo and guides anew'
	@echo 'make interface       doc/interface-1.0.txt anew'
	@echo 'make fuzz            libFuzzer drivers           make lint, dist    static checks, zip for PGXN'
	@echo 'make release         what a release must fulfil, line by line'
	@echo 'make test-pg16, test-pg17, test-pg18   the suite on later servers'
	@echo 'make test-upgrade     pg_upgrade from 15 to UPGRADE_TO=18 with a ledger of all games'
	@echo 'make test-package    Debian packages and the zip for PGXN, built, installed and tested in a chroot'
	@echo 'make test-image      the steps of the Dockerfile in bare chroots'
	@echo 'make cells           a hub and three cells on this machine: an evening through them'
	@echo 'make test-clients     the examples in all four languages'
	@echo 'make walkthrough     a toy family and a toy duty added to a copy, built and played'
	@echo 'make mutants         faults planted in settlement, lines changed: what a test must find'
	@echo 'make model           the protocol of hub and cells, searched by Spin'
	@echo 'make casino-verify   the program that verifies exported days without PostgreSQL'
	@echo "make holdem-counts   kept counts of Casino Hold'em anew"

.PHONY: $(TARGETS) test-pages test-pg16 test-pg17 test-pg18 test-upgrade test-clients test-package test-image holdem-counts fuzz lint dist release model help expected-files unit-programs list-unit script-is-current FORCE clean
