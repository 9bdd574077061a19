# jweave: `make` builds, `make check` tests, `make help` lists the rest.
#
# One file, not recursive. Objects and dependency files go under $(BUILD). Rooms are folders; each is
# a static library, and a program links its room and the rooms below it, so that a call upward fails.
#
# Nothing here needs a compiler, perl or Java while make reads the file: on a machine that has none
# of them, share/setup says (or, for `make check` and `make demo` as root on Debian, does) what is missing.

VERSION := 0.1.0
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
PKG_CONFIG ?= pkg-config
prefix  ?= /usr/local
DESTDIR ?=

# make itself cannot name such files
ifneq ($(words $(CURDIR)) $(words $(BUILD)),1 1)
$(error the folder of jweave, and BUILD, cannot have blanks in their paths: $(CURDIR), $(BUILD))
endif

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wvla -Wformat=2 \
	-Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes
ifdef DEV
WARNINGS += -Werror
endif
# A sanitized or counted build has a folder of its own, so that its objects and the plain ones never
# meet. Written so that a second reading (a make started by make) changes nothing.
comma := ,
ifdef SAN
BUILD_KIND := san-$(subst $(comma),-,$(SAN))
SAN_FLAGS := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
ifdef COV
BUILD_KIND := cov
COV_FLAGS := --coverage -O0
endif
# STATIC: a folder of libraries as share/release/libraries makes. The program then needs no library of the system, and
# no file of it says in which folder it was made. `make release` builds so.
ifdef STATIC
PKG_CONFIG := PKG_CONFIG_LIBDIR=$(abspath $(STATIC))/lib/pkgconfig pkg-config
STATIC_LIBS := sqlite3 libmicrohttpd
STATIC_FLAGS := -DJW_STATIC -ffile-prefix-map=$(CURDIR)=.
STATIC_LINK := -static-pie
endif
# What is below this folder has one name, the one from here, however BUILD or a target says it: an object's list of
# headers is for the name that it was made by. (A shell may have come here by a link.)
HERE := $(CURDIR) $(if $(filter $(CURDIR),$(realpath $(PWD))),$(PWD))
from_here = $(patsubst $(firstword $(HERE))/%,%,$(patsubst $(lastword $(HERE))/%,%,$(abspath $(1))))
override BUILD := $(call from_here,$(BUILD))
ifdef BUILD_KIND
override BUILD := $(patsubst %/$(BUILD_KIND),%,$(BUILD))/$(BUILD_KIND)
endif
JW_CFLAGS := -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I. -I$(BUILD)/gen -fno-common \
	-fstack-protector-strong -DJW_VERSION='"$(VERSION)"' $(WARNINGS) $(STATIC_FLAGS)
TOOL_FLAGS = $(JW_CFLAGS) -DJW_LIBDEFLATE $(CFLAGS) $(SAN_FLAGS) $(COV_FLAGS)
# gcc optimises the program as a whole, so that weaving takes 4 % less. The objects hold machine code, too,
# for the tests and the runtime.
ifeq ($(BUILD_KIND)$(DEV),)
LTO := $(if $(findstring Free Software,$(shell $(CC) --version 2>/dev/null)),-flto=auto)
endif
LTO_OBJECT = $(LTO:%=% -ffat-lto-objects)
LINK = $(CC) $(TOOL_FLAGS) -fno-lto $(LDFLAGS) $(STATIC_LINK)

JAVA_HOME_FOUND := $(or $(JAVA_HOME),$(patsubst %/bin/javac,%,$(realpath $(shell command -v javac 2>/dev/null))))
JNI_FLAGS := -isystem $(JAVA_HOME_FOUND)/include -isystem $(JAVA_HOME_FOUND)/include/linux
LIBS := $(or $(shell $(PKG_CONFIG) --libs libdeflate zlib libcjson libzip 2>/dev/null),-ldeflate -lz -lcjson -lzip) -lpthread
JW_CFLAGS += $(shell $(PKG_CONFIG) --cflags libdeflate zlib libcjson libzip 2>/dev/null)
# Libraries that the program has where the build finds them (and WITHOUT does not name them): each is for one
# format of `jweave export`, which is in a folder of trace/ with this name.
OPTIONAL := otf2
# Of these the build needs the header alone: the program loads them when it needs them.
LOADED := libmicrohttpd
WITHOUT ?=
have = $(foreach l,$(filter-out $(WITHOUT),$(1)),$(if $(shell $(PKG_CONFIG) --exists $(l) 2>/dev/null && echo yes),$(l)))
HAVE := $(call have,$(OPTIONAL))
HAVE_LOADED := $(call have,$(LOADED))
ABSENT := $(filter-out $(HAVE),$(OPTIONAL))
LIBS += $(if $(HAVE)$(STATIC_LIBS),$(shell $(PKG_CONFIG) --libs $(HAVE) $(STATIC_LIBS)))
JW_CFLAGS += $(if $(HAVE)$(HAVE_LOADED),$(shell $(PKG_CONFIG) --cflags $(HAVE) $(HAVE_LOADED)))

# a line says what is made of what; V=1 shows the whole commands, make -s nothing
V ?= 0
silent := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say = $(if $(filter-out 0,$(V)),,@$(if $(silent),,printf '%-5s %s\n' '$(1)' '$(2)';))

ROOMS := base cfr rules trace weaver cli
# what a program of each room links, in the order that the linker wants
LINK_base    := base
LINK_cfr     := cfr base
LINK_rules   := rules base
LINK_trace   := trace base
LINK_weaver  := weaver rules cfr trace base
LINK_cli     := cli weaver rules cfr trace base
LINK_runtime-jni := runtime-jni trace base

all: $(BUILD)/jweave $(BUILD)/libjweave-rt.so $(BUILD)/jweave-rt.jar ## build everything
.PHONY: all
$(foreach goal,$(filter $(HERE:%=%/%),$(MAKECMDGOALS)),$(eval $(goal): $(call from_here,$(goal)) ;))
.DELETE_ON_ERROR:
.SECONDARY:

# a room's sources: its own, and those of the rooms inside it (a program in tool/ is no part of a library)
room_src = $(filter-out $(1)/tool/% $(addsuffix /%,$(addprefix trace/,$(ABSENT))),$(wildcard $(1)/*.c $(1)/*/*.c $(1)/*/*/*.c))
# What the program and the runtime share is compiled once, as a shared library needs it: hidden, so that calls
# stay direct. (unpack.c differs; a sanitized or counted program does, and a static one, whose glibc has no versions.)
ONCE := $(if $(BUILD_KIND)$(STATIC),,$(filter-out base/unpack.c,$(call room_src,base) $(call room_src,trace)))
object = $(BUILD)/$(if $(filter $(1),$(ONCE)),rt/)$(1:.c=.o)
room_obj = $(foreach f,$(call room_src,$(1)),$(call object,$(f)))

# what a build needs is there; a missing package is named once, before the first compiler runs
$(BUILD)/.tools: share/setup
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' sh share/setup build
	@mkdir -p $(@D) && touch $@

$(BUILD)/%.o: %.c | $(BUILD)/.tools
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(TOOL_FLAGS) $(LTO_OBJECT) -MMD -MP -c -o $@ $<

define room_rules
$(BUILD)/lib$(1).a: $$(filter-out $(BUILD)/cli/main.o,$$(call room_obj,$(1)))
	@rm -f $$@
	$$(call say,AR,$$@)ar rcs $$@ $$^
endef
$(foreach room,$(ROOMS),$(eval $(call room_rules,$(room))))

# rewritten when a library has come or gone
OPTIONAL_H := $(BUILD)/gen/trace/export/optional.h
$(foreach o,$(BUILD) $(BUILD)/rt $(BUILD)/fuzz/obj,$(o)/trace/export/export.o $(o)/cli/serve.o $(o)/cli/serve_library.o): $(OPTIONAL_H)
hash := \#
HAVE_LINES := $(foreach l,$(OPTIONAL) $(LOADED),"$(hash)define JW_HAVE_$(l) $(if $(filter $(l),$(HAVE) $(HAVE_LOADED)),1,0)")
$(OPTIONAL_H):
	@mkdir -p $(@D)
	$(call say,GEN,$@)printf '%s\n' $(HAVE_LINES) >$@
ifneq ($(subst ",,$(HAVE_LINES)),$(strip $(shell cat $(OPTIONAL_H) 2>/dev/null)))
.PHONY: $(OPTIONAL_H)
endif

# What is carried in a program (base/carried.h).
$(BUILD)/weaver/types/types_jdk.o: share/jdk-types.txt
$(BUILD)/rules/presets.o: $(wildcard share/presets/*.json)
$(BUILD)/cli/page.o: $(wildcard share/view/*)
$(BUILD)/cli/run_gradle.o: $(wildcard share/run/*)
$(BUILD)/rt/trace/sqlite/schema.o $(BUILD)/trace/sqlite/schema.o $(BUILD)/fuzz/obj/trace/sqlite/schema.o: trace/sqlite/views.sql
$(BUILD)/cli/cmd_schema.o: share/jweave-rules-1.schema.json

$(BUILD)/jweave: $(BUILD)/cli/main.o $(foreach r,$(LINK_cli),$(BUILD)/lib$(r).a)
	$(call say,LD,$@)$(CC) $(TOOL_FLAGS) $(LTO) $(LDFLAGS) $(STATIC_LINK) -o $@ $^ $(LIBS)

# ---- the runtime: a shared library that needs libc alone, and one Java class ----
# Never sanitized: it is loaded into a JVM that is not. And without libdeflate.
#
# Its platform is the compiler's. `make aarch64` and `make musl` make it for others, too, with their
# compilers; the weaver carries, and puts into woven archives, whatever was made below $(BUILD).

RT_FLAGS = $(JW_CFLAGS) -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections $(JNI_FLAGS)
RT_FLAGS_glibc := -ftls-model=initial-exec -include runtime-jni/jvm/glibc.h
# musl loads nothing late that has initial-exec variables
RT_FLAGS_musl := -ftls-model=global-dynamic -DRT_TLS='"global-dynamic"'
# symbols stay, for the stack of a crash; debugging sections would only be unpacked at every start
RT_LINK := -shared -fno-lto -Wl,-z,nodelete,-z,defs,-z,now,--gc-sections,-S
# formats of other tools are the program's alone
RT_TRACE := $(filter-out trace/export/% trace/text/% trace/speedscope/% trace/chrome/% trace/collapsed/% trace/sqlite/% trace/tables/% trace/tsv/% $(addsuffix /%,$(addprefix trace/,$(OPTIONAL))),$(call room_src,trace))
RT_SRC := $(filter-out runtime-jni/overlay/%,$(call room_src,runtime-jni)) $(RT_TRACE) $(call room_src,base)

MACHINE = $(or $(shell $(CC) -dumpmachine 2>/dev/null),$(shell uname -m)-linux-gnu)
RT_LIBC := $(if $(findstring musl,$(MACHINE)),musl,glibc)
RT_PLATFORM := linux-$(if $(filter musl,$(RT_LIBC)),musl-)$(firstword $(subst -, ,$(MACHINE)))
AARCH64_CC ?= aarch64-linux-gnu-gcc
MUSL_CC ?= musl-gcc
MUSL_PLATFORM := linux-musl-$(firstword $(subst -, ,$(MACHINE)))

# $(1): platform, $(2): folder of objects, $(3): library, $(4): compiler, $(5): its flags, $(6): those of the linker alone
define runtime_rules
$(BUILD)/$(2)/%.o: %.c | $(BUILD)/.tools
	@mkdir -p $$(@D)
	$$(call say,CC,$$<$(if $(filter-out rt,$(2)), for $(1)))$(4) $$(RT_FLAGS) $(5) -MMD -MP -c -o $$@ $$<
# the class for the boot loader travels inside the library
$(BUILD)/$(2)/runtime-jni/jvm/anchor.o: runtime-jni/jvm/anchor.S $(BUILD)/rt/classes.stamp
	@mkdir -p $$(@D)
	$$(call say,CC,$$<)$(4) -Wa,-I,$(BUILD)/rt/classes -c -o $$@ $$<
$(3): $(RT_SRC:%.c=$(BUILD)/$(2)/%.o) $(BUILD)/$(2)/runtime-jni/jvm/anchor.o
	@mkdir -p $$(@D)
	$$(call say,LD,$$@)$(4) $$(RT_FLAGS) $(5) $$(RT_LINK)$(6) -o $$@ $$^ -lpthread
endef
$(eval $(call runtime_rules,$(RT_PLATFORM),rt,$(BUILD)/libjweave-rt.so,$$(CC),-O2 -g $$(CFLAGS) $(RT_FLAGS_$(RT_LIBC)) $$(LTO_OBJECT) $$(LDFLAGS)))
ifneq ($(RT_PLATFORM),linux-aarch64)
$(eval $(call runtime_rules,linux-aarch64,rt-aarch64,$(BUILD)/rt/embed/linux-aarch64.so,$$(AARCH64_CC),-O2 -g $(RT_FLAGS_glibc),$(comma)-s))
endif
ifneq ($(RT_PLATFORM),$(MUSL_PLATFORM))
$(eval $(call runtime_rules,$(MUSL_PLATFORM),rt-musl,$(BUILD)/rt/embed/$(MUSL_PLATFORM).so,$$(MUSL_CC),-O2 -g $(RT_FLAGS_musl),$(comma)-s))
endif

aarch64: ## make the runtime for aarch64, too (AARCH64_CC): woven archives run there as well
	@AARCH64_CC='$(AARCH64_CC)' sh share/setup --install aarch64
	@$(again) $(BUILD)/rt/embed/linux-aarch64.so
	@$(again) all
musl: ## make the runtime for musl, too (MUSL_CC), as Alpine has it
	@MUSL_CC='$(MUSL_CC)' sh share/setup --install musl
	@$(again) $(BUILD)/rt/embed/$(MUSL_PLATFORM).so
	@$(again) all
.PHONY: aarch64 musl

# What `jweave run` shows a java its copies by, which the program carries. It is loaded into whatever the java starts,
# too, and must fit any C library: so it needs none.
OVERLAY_SRC := runtime-jni/overlay/overlay.c base/overlay.c
$(BUILD)/rt/overlay.so: $(OVERLAY_SRC) base/overlay.h Makefile | $(BUILD)/.tools
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(filter-out -fstack-protector-strong,$(JW_CFLAGS)) -O2 -fPIC -fvisibility=hidden -fno-stack-protector \
		-shared -fno-lto -nostdlib -Wl,-z,now,--gc-sections,--build-id=none -s -o $@ $(OVERLAY_SRC)
$(BUILD)/cli/run_overlay.o: $(BUILD)/rt/overlay.so
$(BUILD)/cli/run_overlay.o: private JW_CFLAGS += -DJW_OVERLAY_FILE='"$(BUILD)/rt/overlay.so"'

RT_JAVA := $(shell find runtime-jni/java -name '*.java' 2>/dev/null)
$(BUILD)/rt/classes.stamp: $(RT_JAVA) | $(BUILD)/.tools
	@mkdir -p $(BUILD)/rt/classes
	$(call say,JAVAC,$(@D)/classes)javac --release 8 -Xlint:-options -g:source,lines -d $(BUILD)/rt/classes $(RT_JAVA)
	@touch $@

# the recorder without a JVM, for its tests; sanitized when they are
$(BUILD)/libruntime-jni.a: $(patsubst %.c,$(BUILD)/%.o,$(call room_src,runtime-jni/recorder))
	@rm -f $@
	$(call say,AR,$@)ar rcs $@ $^

# What the weaver carries. jweave-rt.jar is the same in a jar of its own, for --runtime=classpath;
# written by our own writer, since `jar` dates its entries.
$(BUILD)/rt/embed/classes.stamp: $(BUILD)/rt/classes.stamp
	@mkdir -p $(@D)
	$(call say,CP,$(@D))cp $(BUILD)/rt/classes/jweave/rt/*.class $(BUILD)/rt/classes/jweave/api/*.class $(@D)
	@touch $@
STRIP ?= $(shell $(CC) -print-prog-name=strip)
# Without symbols: a library from an archive is gone from the disk before anybody could look for them.
$(BUILD)/rt/embed/$(RT_PLATFORM).so: $(BUILD)/libjweave-rt.so Makefile
	@mkdir -p $(@D)
	$(call say,STRIP,$@)$(STRIP) -s -o $@ $<
RT_EMBED := $(sort $(BUILD)/rt/embed/$(RT_PLATFORM).so $(wildcard $(BUILD)/rt/embed/*.so))
RT_EMBED_FLAGS = -DJW_RT_FOLDER='"$(BUILD)/rt/embed"'
# rewritten when a platform has come or gone, newer when a library is
PLATFORMS := $(foreach f,$(RT_EMBED),PLATFORM($(subst -,_,$(basename $(notdir $(f)))),"$(basename $(notdir $(f)))"))
$(BUILD)/gen/weaver/archive/platforms.def: $(RT_EMBED)
	@mkdir -p $(@D)
	$(call say,GEN,$@)echo '$(PLATFORMS)' >$@
ifneq ($(strip $(PLATFORMS)),$(shell cat $(BUILD)/gen/weaver/archive/platforms.def 2>/dev/null))
.PHONY: $(BUILD)/gen/weaver/archive/platforms.def
endif
$(BUILD)/weaver/archive/runtime_image.o: $(BUILD)/rt/embed/classes.stamp $(BUILD)/gen/weaver/archive/platforms.def
# (not CFLAGS: what a user gives there would take the place of ours)
$(BUILD)/weaver/archive/runtime_image.o: private JW_CFLAGS += $(RT_EMBED_FLAGS)
$(BUILD)/weaver/tool/rt_jar: $(BUILD)/weaver/tool/rt_jar.o $(foreach r,$(LINK_weaver),$(BUILD)/lib$(r).a)
	$(call say,LD,$@)$(LINK) -o $@ $^ $(LIBS)
$(BUILD)/jweave-rt.jar: $(BUILD)/weaver/tool/rt_jar
	$(call say,JAR,$@)$< $@

# ---- tests ----
# What the kinds of tests are (t_, p_, f_, g_, a_, j_, x_), and how to write one: tests/README.md. tests/run starts
# each one under a time limit, tests/Progress.pm tells how far this is and what was skipped. JOBS: how many at once.
#
# Three tiers: `make unit` (programs alone), `make check-ROOM` (quick scripts of the room, too), `make check` (all). A test
# that says "Slow: 40 s, why" in its head is only in the third, and in `make check-ROOM-slow`; the longest begin first.

TEST_ROOMS := base cfr rules trace weaver runtime-jni cli
# One more than there are processors: many tests sleep, or wait for what they have started.
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
PROVE_FLAGS ?= --timer
# ROOM (or all rooms), KINDS: the sources of programs of these kinds
test_c = $(foreach r,$(or $(1),$(TEST_ROOMS)),$(wildcard $(foreach k,$(2),tests/$(r)/$(k)_*.c)))
test_bin = $(patsubst %.c,$(BUILD)/%,$(call test_c,$(1),t p f x))
test_files = $(call test_c,$(1),t p f) $(foreach r,$(or $(1),$(TEST_ROOMS)),$(wildcard tests/$(r)/*.sh tests/$(r)/*.t))
SLOW_MARK := '^(\#|/\*| \*) Slow: [0-9]+ s, '
slow = $(if $(strip $(1)),$(shell grep -HoE $(SLOW_MARK) $(1) | sed 's/:.*: \([0-9]*\).*/ \1/' | sort -k2,2nr | cut -d' ' -f1))
quick = $(filter-out $(call slow,$(1)),$(1))
TEST_ENV = BUILD='$(abspath $(BUILD))' CC='$(CC)' SAN='$(SAN)' JAVA_HOME='$(JAVA_HOME_FOUND)' \
	ASAN_OPTIONS="verify_asan_link_order=0:detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:$$ASAN_OPTIONS" \
	UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1:$$UBSAN_OPTIONS" \
	TSAN_OPTIONS="halt_on_error=1:$$TSAN_OPTIONS"
PROVE = $(TEST_ENV) perl -Itests -S prove -j$(JOBS) $(PROVE_FLAGS) --formatter Progress --exec 'sh tests/run'
# runs the tests that these sources are of
prove = @$(if $(strip $(1)),$(PROVE) $(patsubst %.c,$(BUILD)/%,$(1)),echo 'no such tests')

# helpers of the programs of a room: NAME.c with a NAME.h beside it
helper_src = $(filter $(patsubst %.h,%.c,$(wildcard tests/$(1)/*.h)),$(wildcard tests/$(1)/*.c))
test_libs = $(foreach r,$(1),tests/lib$(r).a) $(foreach r,$(1),lib$(r).a)

define test_rules
$(BUILD)/tests/lib$(1).a: $(patsubst %.c,$(BUILD)/%.o,$(call helper_src,$(1)))
	@mkdir -p $$(@D) && rm -f $$@
	$$(call say,AR,$$@)ar rcs $$@ $$^
$(BUILD)/tests/$(1)/%: $(BUILD)/tests/$(1)/%.o $(BUILD)/tests/tap.o $(addprefix $(BUILD)/,$(call test_libs,$(LINK_$(1))))
	$$(call say,LD,$$@)$$(LINK) -o $$@ $$^ $$(LIBS)
$(BUILD)/tests/$(1)/f_%: $(BUILD)/tests/$(1)/f_%.o $(BUILD)/tests/fuzz_main.o $(addprefix $(BUILD)/,$(call test_libs,$(LINK_$(1))))
	$$(call say,LD,$$@)$$(LINK) -o $$@ $$^ $$(LIBS)
$(BUILD)/tests/$(1)/x_%: $(BUILD)/tests/$(1)/x_%.o $(addprefix $(BUILD)/,$(call test_libs,$(LINK_$(1))))
	$$(call say,LD,$$@)$$(LINK) -o $$@ $$^ $$(LIBS)
build-$(1)-tests: all $$(call test_bin,$(1))
check-$(1): build-$(1)-tests ## the quick tests of one room
	$$(call prove,$$(call quick,$$(call test_files,$(1))))
check-$(1)-slow: build-$(1)-tests ## its slow tests
	$$(call prove,$$(call slow,$$(call test_files,$(1))))
.PHONY: build-$(1)-tests check-$(1) check-$(1)-slow
endef
$(foreach room,$(TEST_ROOMS),$(eval $(call test_rules,$(room))))

unit: $(patsubst %.c,$(BUILD)/%,$(call test_c,,t p f)) ## the quick tests in C, of all rooms: seconds
	$(call prove,$(call quick,$(call test_c,,t p f)))
check-aarch64: ## compile the runtime for aarch64, run its tests under qemu (part of check-runtime-jni-slow)
	@$(PROVE) -v tests/runtime-jni/aarch64.sh
.PHONY: unit check-aarch64

# what the tests of the weaver run in a JVM; ASM makes the classes that no javac writes
ASM_JAR := $(firstword $(wildcard /usr/share/java/asm.jar /usr/share/java/asm-*.jar))
WEAVER_JAVA := $(patsubst %,tests/weaver/%.java,LinkAll Probe $(if $(ASM_JAR),OddClasses OddGiants OddLimits Mutants))
$(BUILD)/tests/weaver/java.stamp: $(WEAVER_JAVA)
	@mkdir -p $(@D)
	$(call say,JAVAC,$(@D)/java)javac -nowarn $(ASM_JAR:%=-cp %) -d $(@D)/java $(WEAVER_JAVA)
	@touch $@
build-weaver-tests: $(BUILD)/tests/weaver/java.stamp
# programs that call Probe by hand, beside a Probe
PROBE_JAVA := $(wildcard tests/runtime-jni/java/*.java)
$(BUILD)/tests/runtime-jni/java.stamp: $(PROBE_JAVA) $(BUILD)/rt/classes.stamp
	@mkdir -p $(@D)/java/jweave/rt && cp $(BUILD)/rt/classes/jweave/rt/*.class $(@D)/java/jweave/rt
	$(call say,JAVAC,$(@D)/java)javac -nowarn -XDignore.symbol.file -source 8 -target 8 -Xlint:-options -cp $(@D)/java -d $(@D)/java $(PROBE_JAVA)
	@touch $@
build-runtime-jni-tests: $(BUILD)/tests/runtime-jni/java.stamp

E2E_TESTS = $(wildcard tests/e2e/*.sh tests/e2e/*.t)
TOP_TESTS = $(wildcard tests/*.sh tests/*.t)
ALL_TESTS = $(E2E_TESTS) $(test_files) $(TOP_TESTS)
again = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

check: ## set up what is missing, build, run every test (SAN=address,undefined: sanitized)
	@sh share/setup --install check
	@$(again) check-run
check-run: $(TEST_ROOMS:%=build-%-tests)
	$(call prove,$(call slow,$(ALL_TESTS)) $(call quick,$(ALL_TESTS)))
check-e2e: all $(BUILD)/tests/cli/x_recording ## the end-to-end tests alone, all of them slow
	$(call prove,$(call slow,$(E2E_TESTS)) $(call quick,$(E2E_TESTS)))
check-docker: ## build the Dockerfile of share/examples from Debian's own images (root; network, 2 GB, minutes)
	@sh share/setup --install docker
	@$(again) all
	@JW_IMAGES=$(or $(IMAGES),debian) JW_TEST_SECONDS=3600 $(PROVE) -v tests/cli/docker.sh
check-roots: ## install the files of `make release` in clean systems: ROOTS (Debian 11 to 13, Ubuntu 22.04, musl with JW_MUSL_JRE; root; network, 2 GB, many minutes)
	@sh share/setup --install docker
	@$(again) all
	@JW_ROOTS='$(or $(ROOTS),bullseye bookworm trixie jammy musl)' JW_TEST_SECONDS=7200 $(PROVE) -v tests/cli/clean_roots.sh
.PHONY: check check-run check-e2e check-docker check-roots

layers hdr-check house: all ## the include order; every header alone; the house rules
	@$(PROVE) -v tests/$(subst -,_,$@).sh
.PHONY: layers hdr-check house

golden: all $(call test_bin,) ## rewrite the expected texts of golden tests; review is the diff
	$(TEST_ENV) JW_GOLDEN=write prove --exec 'sh tests/run' $(wildcard tests/*/g_*.sh tests/*/g_*.t)
.PHONY: golden

cov: ## line coverage by room over all tests; fails when a gated room is below 85 %
	@sh share/setup --install check
	@find $(BUILD) -name '*.gcda' -delete 2>/dev/null || true
	@$(again) COV=1 check-run
	@$(MAKE) --no-print-directory COV=1 cov-report
cov-report:
	@perl tests/cov.pl $(BUILD) 85 cfr weaver rules trace
.PHONY: cov cov-report

corpus-check: all $(BUILD)/tests/weaver/x_archive ## weave every archive below CORPUS, and hold it against HotSpot
	@$(TEST_ENV) perl tests/corpus-check/run $(CORPUS)
corpus-jdk: all $(BUILD)/tests/weaver/x_weavedir ## weave every module of the JDKs here, java.base too, boot and link them
	@$(TEST_ENV) sh tests/corpus-check/jdk/run $(JDKS)
corpus-programs: all ## run real programs (jars below CORPUS), woven whole, against themselves
	@$(TEST_ENV) CONVERT='$(CONVERT)' sh tests/corpus-check/programs/run $(CORPUS)
.PHONY: corpus-check corpus-jdk corpus-programs
JDKS = $(sort $(patsubst %/lib/modules,%,$(realpath $(wildcard /usr/lib/jvm/*/lib/modules))))
CORPUS ?= /usr/share/java

# ---- fuzzing: clang and libFuzzer, seeds from tests/corpus/NAME/, what is new stays in $(BUILD) ----

CLANG ?= clang
FUZZ_SECONDS ?= 60
FUZZ_SRC := $(wildcard $(foreach r,$(TEST_ROOMS),tests/$(r)/f_*.c))
FUZZ_NAMES := $(patsubst f_%.c,%,$(notdir $(FUZZ_SRC)))
# what else a target may begin with, beside its corpus
FUZZ_SEEDS_rules := testdata/rules share/presets
FUZZ_SEEDS_export := tests/corpus/recording
FUZZ_FLAGS = $(JW_CFLAGS) -DJW_LIBDEFLATE -O1 -g -fno-sanitize-recover=all
FUZZ_SANITIZE = -fsanitize=fuzzer-no-link,address,undefined
# objects are shared by the targets
$(BUILD)/fuzz/obj/%.o: %.c | $(BUILD)/.tools
	@mkdir -p $(@D)
	$(call say,CLANG,$<)$(CLANG) $(FUZZ_FLAGS) $(FUZZ_SANITIZE) -MMD -MP -c -o $@ $<
$(BUILD)/fuzz/obj/weaver/archive/runtime_image.o: $(BUILD)/rt/embed/classes.stamp $(BUILD)/gen/weaver/archive/platforms.def
# a conversion compares millions of times what is not of the input: untold, it takes half the time
$(BUILD)/fuzz/obj/trace/%.o $(BUILD)/fuzz/obj/tests/trace/%.o: FUZZ_SANITIZE += -fno-sanitize-coverage=trace-cmp
$(BUILD)/fuzz/obj/weaver/archive/runtime_image.o: FUZZ_FLAGS += $(RT_EMBED_FLAGS)
define fuzz_helpers
$(BUILD)/fuzz/tests-$(1).a: $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(call helper_src,$(1)))
	@rm -f $$@
	$$(call say,AR,$$@)ar rcs $$@ $$^
endef
$(foreach room,$(TEST_ROOMS),$(eval $(call fuzz_helpers,$(room))))
define fuzz_rules
$(BUILD)/fuzz/$(2): $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(1)) $(LINK_$(3):%=$(BUILD)/fuzz/tests-%.a) \
		$(patsubst %.c,$(BUILD)/fuzz/obj/%.o,$(foreach r,$(LINK_$(3)),$(filter-out cli/main.c,$(call room_src,$(r)))))
	$$(call say,LD,$$@)$(CLANG) -fsanitize=fuzzer,address,undefined -o $$@ $$^ $$(LDFLAGS) $$(LIBS)
fuzz-$(2): $(BUILD)/fuzz/$(2) ## fuzz $(2) for FUZZ_SECONDS
	@mkdir -p $(BUILD)/fuzz/$(2).corpus tests/corpus/$(2)
	$$< -max_total_time=$(FUZZ_SECONDS) -timeout=60 -rss_limit_mb=2560 -print_final_stats=1 \
		-artifact_prefix=$(BUILD)/fuzz/$(2)- $(BUILD)/fuzz/$(2).corpus tests/corpus/$(2) \
		$(FUZZ_SEEDS_$(2)) 2>&1 | tee $(BUILD)/fuzz/$(2).log
	@perl tests/fuzz.pl $(BUILD)/fuzz/$(2).log
fuzz-keep-$(2): $(BUILD)/fuzz/$(2) ## keep in tests/corpus what fuzzing $(2) found that covers more
	$$< -set_cover_merge=1 -use_counters=0 -max_len=4096 tests/corpus/$(2) $(BUILD)/fuzz/$(2).corpus $(FUZZ_SEEDS_$(2))
.PHONY: fuzz-$(2) fuzz-keep-$(2)
endef
fuzz: $(addprefix fuzz-,$(FUZZ_NAMES)) ## every target for FUZZ_SECONDS; -j2: two at a time
	@perl tests/fuzz.pl $(FUZZ_NAMES:%=$(BUILD)/fuzz/%.log)
.PHONY: fuzz
fuzz-cov: ## the lines that each corpus covers, replayed by a counted build
	@$(MAKE) --no-print-directory COV=1 fuzz-cov-run
fuzz-cov-run: $(FUZZ_SRC:%.c=$(BUILD)/%)
	@perl tests/cov.pl $(BUILD) --each $^
.PHONY: fuzz-cov fuzz-cov-run
$(foreach f,$(FUZZ_SRC),$(eval $(call fuzz_rules,$(f),$(patsubst f_%.c,%,$(notdir $(f))),$(notdir $(patsubst %/,%,$(dir $(f)))))))

# ---- style ----

PRODUCT_C := $(foreach r,$(ROOMS) runtime-jni,$(call room_src,$(r)))
C_FILES = $(shell find $(ROOMS) runtime-jni tests -name '*.[ch]')

# a file is looked at again when its object was made again, so when a header of it has changed
TIDY_FLAGS = $(JW_CFLAGS) $(RT_EMBED_FLAGS) $(JNI_FLAGS)
tidy: all $(PRODUCT_C:%.c=$(BUILD)/tidy/%.ok) ## clang-tidy over the product; any finding fails
$(BUILD)/tidy/runtime-jni/%.ok: runtime-jni/%.c .clang-tidy $(BUILD)/rt/runtime-jni/%.o
	@mkdir -p $(@D)
	$(call say,TIDY,$<)clang-tidy --quiet $< -- $(TIDY_FLAGS) 2>/dev/null
	@touch $@
.SECONDEXPANSION:
$(BUILD)/tidy/%.ok: %.c .clang-tidy $$(call object,$$*.c)
	@mkdir -p $(@D)
	$(call say,TIDY,$<)clang-tidy --quiet $< -- $(TIDY_FLAGS) 2>/dev/null
	@touch $@
fmt: ## clang-format every C file in place
	@clang-format -i $(C_FILES)
fmt-check: ## say which C files clang-format would change
	@clang-format --dry-run -Werror $(C_FILES)
.PHONY: tidy fmt fmt-check

# ---- show and measure ----

demo: ## weave a real compiler, run it on a real source tree, show the trace
	@sh share/setup --install demo
	@$(MAKE) -q all >/dev/null 2>&1 || echo 'Building $(BUILD)/jweave (about a minute; V=1 shows how)'
	@$(again) $(if $(filter 0,$(V)),-s) all
	@BUILD='$(BUILD)' JAVA_HOME='$(JAVA_HOME)' sh share/demo
bench: ## weaving, against ASM and the others, and against the floor
	@sh share/setup --install bench
	@$(again) all $(BUILD)/tests/bench/timed $(BUILD)/tests/bench/floor
	@BUILD='$(abspath $(BUILD))' JAVA_HOME='$(JAVA_HOME)' perl tests/bench/weaving
$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(BUILD)/libbase.a
	$(call say,LD,$@)$(LINK) -o $@ $^ $(LIBS)
bench-runtime: all ## a pair of probes against a prototype, tracing off, the start, whole programs
	@BUILD='$(BUILD)' CC='$(CC)' JAVA_HOME='$(JAVA_HOME_FOUND)' sh tests/runtime-jni/bench/run
bench-rules: all $(BUILD)/tests/bench/timed ## do 2,000 rules cost much more than 20?
	@BUILD='$(BUILD)' perl tests/bench/rules
bench-convert: all $(BUILD)/tests/bench/timed $(BUILD)/tests/bench/convert ## recordings to traces, and the tree of calls: time, memory, bytes (FULL=1: 100 million events)
	@BUILD='$(BUILD)' perl tests/bench/conversion
bench-start: all $(BUILD)/tests/bench/timed ## the start with an AOT cache or CDS archive: unwoven, woven, under OpenTelemetry's agent (Maven Central)
	@BUILD='$(BUILD)' JAVA_HOME='$(JAVA_HOME_FOUND)' perl tests/bench/start
bench-peers: all $(BUILD)/tests/bench/timed ## a recorded call, the start, size, exactness: against JFR, async-profiler, OpenTelemetry, Kieker, Byte Buddy
	@BUILD='$(BUILD)' JAVA_HOME='$(JAVA_HOME_FOUND)' perl tests/bench/peers
bench-spark: all ## share/examples/spark-sql on one executor and on two, of one core each, over 200 recordings (JW_SPARK: Spark; 5 GB of disk)
	@BUILD='$(abspath $(BUILD))' JAVA_HOME='$(JAVA_HOME_FOUND)' perl tests/bench/spark
bench-path: all ## does what the critical path promises come true? (an idle machine)
	@BUILD='$(BUILD)' JAVA_HOME='$(JAVA_HOME_FOUND)' perl tests/e2e/ways.t half
case-spark: all ## docs/case-spark.md, again: a job of Spark that is slow, why, and mended (SPARK_HOME)
	@JWEAVE='$(abspath $(BUILD))/jweave' sh share/examples/case-spark/run $(BUILD)/case-spark
case-hadoop: all ## docs/case-hadoop.md, again: a job of Hadoop that is slow, why, and mended (HADOOP_JARS)
	@JWEAVE='$(abspath $(BUILD))/jweave' sh share/examples/case-hadoop/run $(BUILD)/case-hadoop
.PHONY: demo case-spark case-hadoop bench bench-runtime bench-rules bench-convert bench-start bench-peers bench-spark bench-path

# ---- install ----

bindir   := $(prefix)/bin
libdir   := $(prefix)/lib/jweave
pcdir    := $(prefix)/share/pkgconfig
mandir   := $(prefix)/share/man
datadir  := $(prefix)/share/jweave
docdir   := $(prefix)/share/doc/jweave
bashdir  := $(prefix)/share/bash-completion/completions
zshdir   := $(prefix)/share/zsh/site-functions
fishdir  := $(prefix)/share/fish/vendor_completions.d
INSTALL  ?= install

# for those who use jweave, in the same places as here, so that their links hold
DOCUMENTS := README.md CHANGELOG.md SECURITY.md LICENSE share/trace.svg $(shell find share/examples -type f) \
	$(filter-out $(addprefix docs/,architecture.md fuzzing.md releasing.md testing.md),$(wildcard docs/*.md docs/*.png))
# X,Y: file X becomes Y under DESTDIR; man pages, completions and data are what share/ holds
MAN_PAGES    := $(wildcard share/man/*.[1-9])
INSTALL_DATA := \
	$(foreach f,$(MAN_PAGES),$(f),$(mandir)/man$(patsubst .%,%,$(suffix $(f)))/$(notdir $(f))) \
	$(BUILD)/completion.bash,$(bashdir)/jweave \
	$(BUILD)/completion.zsh,$(zshdir)/_jweave \
	$(BUILD)/completion.fish,$(fishdir)/jweave.fish \
	$(foreach f,$(wildcard share/*.json share/presets/* share/paraver/* share/images/* share/cfgs/*.cfg),$(f),$(datadir)/$(f:share/%=%)) \
	$(BUILD)/libjweave-rt.so,$(libdir)/libjweave-rt.so \
	$(BUILD)/jweave-rt.jar,$(libdir)/jweave-rt.jar \
	$(BUILD)/jweave.pc,$(pcdir)/jweave.pc \
	$(foreach f,$(DOCUMENTS),$(if $(filter %.md,$(f)),$(BUILD)/documents/)$(f),$(docdir)/$(f))

$(BUILD)/jweave.pc: share/jweave.pc.in Makefile
	@mkdir -p $(@D)
	$(call say,GEN,$@)sed -e 's|@prefix@|$(prefix)|' -e 's|@version@|$(VERSION)|' share/jweave.pc.in >$@
.PHONY: $(BUILD)/jweave.pc # the prefix may be another one than the last time

$(BUILD)/completion.%: $(BUILD)/jweave
	$(call say,GEN,$@)$(BUILD)/jweave completion $* >$@

$(BUILD)/documents/.made: share/documents Makefile $(DOCUMENTS)
	$(call say,GEN,$(@D))sh share/documents $(@D) $(DOCUMENTS) && touch $@

install: all $(BUILD)/jweave.pc $(BUILD)/documents/.made $(foreach s,bash zsh fish,$(BUILD)/completion.$(s)) ## install under DESTDIR and prefix
	$(INSTALL) -D -m 755 $(BUILD)/jweave $(DESTDIR)$(bindir)/jweave
	@set -e; for pair in $(INSTALL_DATA); do \
		$(INSTALL) -D -m 644 "$${pair%%,*}" "$(DESTDIR)$${pair#*,}"; \
		echo "$(DESTDIR)$${pair#*,}"; \
	done
# folders up to the prefix, too, when they are empty and no part of every system
KEPT := $(foreach p,/usr /usr/local,$(p) $(p)/bin $(p)/lib $(p)/share $(p)/share/man $(p)/share/doc)
uninstall: ## remove what install put there
	@set -e; for pair in $(INSTALL_DATA) x,$(bindir)/jweave; do \
		file="$(DESTDIR)$${pair#*,}"; rm -f "$$file"; folder=$${file%/*}; \
		while case ' $(KEPT) ' in *" $${folder#$(DESTDIR)} "*) false ;; esac && rmdir "$$folder" 2>/dev/null && \
			[ "$$folder" != "$(DESTDIR)$(prefix)" ]; do folder=$${folder%/*}; done; \
	done
deb: all ## a Debian package of what install installs
	@rm -rf $(BUILD)/deb
	@$(MAKE) --no-print-directory install DESTDIR='$(abspath $(BUILD))/deb' prefix=/usr zshdir=/usr/share/zsh/vendor-completions >/dev/null
	@sh share/deb $(BUILD)/deb $(VERSION) $(BUILD)/jweave_$(VERSION)_$$(dpkg --print-architecture).deb
dist: ## a reproducible source archive of HEAD
	@mkdir -p $(BUILD)
	git archive --format=tar --prefix=jweave-$(VERSION)/ HEAD | gzip -9n >$(BUILD)/jweave-$(VERSION).tar.gz
	@echo $(BUILD)/jweave-$(VERSION).tar.gz
release: ## all files of a release, reproducibly: static programs, packages, sources, sums (docs/releasing.md)
	@sh share/setup --install release
	@MAKE='$(MAKE)' CC='$(CC)' AARCH64_CC='$(AARCH64_CC)' MUSL_CC='$(MUSL_CC)' sh share/release/build '$(BUILD)' $(VERSION)
maven-plugin: $(BUILD)/jweave ## the Maven plugin with this program, as a repository: BUILD/maven
	@sh share/maven-plugin/build $(BUILD)/maven $(VERSION) linux-$(patsubst aarch64,aarch_64,$(firstword $(subst -, ,$(MACHINE))))=$<
	@echo $(BUILD)/maven
gradle-plugin: $(BUILD)/jweave ## the Gradle plugin, likewise, into the same repository
	@sh share/gradle-plugin/build $(BUILD)/maven $(VERSION) linux-$(patsubst aarch64,aarch_64,$(firstword $(subst -, ,$(MACHINE))))=$<
	@echo $(BUILD)/maven
.PHONY: install uninstall deb dist release maven-plugin gradle-plugin

clean: ## remove what was built
	rm -rf $(BUILD)
help: ## this list
	@sed -n 's/^\([a-z][a-z0-9 -]*\):[^#]*## /\1\t/p' Makefile | while IFS="$$(printf '\t')" read -r t d; do \
		printf '%-22s %s\n' "$$t" "$$d"; done
	@printf '%-22s %s\n' 'check-ROOM' 'the tests of one room ($(TEST_ROOMS))' \
		'fuzz-NAME' 'fuzz for FUZZ_SECONDS; fuzz-keep-NAME: keep what covers more ($(FUZZ_NAMES))'
	@echo 'Variables: CC CFLAGS LDFLAGS LTO PKG_CONFIG WITHOUT STATIC BUILD SAN COV DEV V JOBS prefix DESTDIR AARCH64_CC MUSL_CC'
.PHONY: clean help

-include $(shell find $(BUILD) \( -path $(BUILD)/libraries -o -path $(BUILD)/release -o -path $(BUILD)/deb \) -prune \
	-o -type f -name '*.d' -print 2>/dev/null)
