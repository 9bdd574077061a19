# jweave: `make` builds, `make check` tests, `make help` lists the rest.
#
# One file, not recursive. Objects and dependency files go under $(BUILD). Rooms are folders; each is
# a static library, and a program links its room and the rooms below it, so that a call upward fails.

VERSION := 0.1.0
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
PKG_CONFIG ?= pkg-config
prefix  ?= /usr/local
DESTDIR ?=

WARNINGS := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef -Wvla -Wformat=2 \
	-Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes
ifdef DEV
WARNINGS += -Werror
endif
ifdef SAN
# a build of its own, so that sanitized and plain objects never meet
comma := ,
BUILD := $(BUILD)/san-$(subst $(comma),-,$(SAN))
SAN_FLAGS := -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
endif
ifdef COV
BUILD := $(BUILD)/cov
COV_FLAGS := --coverage -O0
endif
JW_CFLAGS := -std=c11 -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -I. -I$(BUILD)/gen -fno-common \
	-fstack-protector-strong -DJW_VERSION='"$(VERSION)"' $(WARNINGS)
TOOL_FLAGS = $(JW_CFLAGS) $(CFLAGS) $(SAN_FLAGS) $(COV_FLAGS)

JAVA_HOME_FOUND := $(or $(JAVA_HOME),$(patsubst %/bin/javac,%,$(realpath $(shell command -v javac))))
JNI_FLAGS := -I$(JAVA_HOME_FOUND)/include -I$(JAVA_HOME_FOUND)/include/linux
LIBS := -ldeflate -lz -lcjson -lpthread

ROOMS := base cfr rules trace weaver cli
# what a program of each room links, in the order that the linker wants
LINK_base    := base
LINK_cfr     := cfr base
LINK_rules   := rules base
LINK_trace   := trace base
LINK_weaver  := weaver rules cfr trace base
LINK_cli     := cli weaver rules cfr trace base
LINK_runtime-jni := trace base

all: $(BUILD)/jweave $(BUILD)/libjweave-rt.so $(BUILD)/jweave-rt.jar ## build everything
.PHONY: all
.DELETE_ON_ERROR:
.SECONDARY:

room_src = $(wildcard $(1)/*.c)
room_obj = $(patsubst %.c,$(BUILD)/%.o,$(call room_src,$(1)))

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(TOOL_FLAGS) -MMD -MP -c -o $@ $<

define room_rules
$(BUILD)/lib$(1).a: $$(filter-out $(BUILD)/cli/main.o,$$(call room_obj,$(1)))
	@rm -f $$@
	ar rcs $$@ $$^
endef
$(foreach room,$(ROOMS),$(eval $(call room_rules,$(room))))

$(BUILD)/jweave: $(BUILD)/cli/main.o $(foreach r,$(LINK_cli),$(BUILD)/lib$(r).a)
	$(CC) $(TOOL_FLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# ---- the runtime: a shared library that needs libc alone, and one Java class ----
# Never sanitized: it is loaded into a JVM that is not. base/ and trace/ are compiled again, for a
# shared object; libdeflate comes from its static archive.

RT_FLAGS = $(JW_CFLAGS) -O2 -g -fPIC -fvisibility=hidden -ftls-model=initial-exec $(JNI_FLAGS)
RT_SRC := $(call room_src,runtime-jni) $(call room_src,trace) $(call room_src,base)
RT_OBJ := $(patsubst %.c,$(BUILD)/rt/%.o,$(RT_SRC))

$(BUILD)/rt/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(RT_FLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/libjweave-rt.so: $(RT_OBJ)
	$(CC) -shared $(RT_FLAGS) $(LDFLAGS) -o $@ $^ -Wl,-z,nodelete,-z,defs,-z,now,--gc-sections \
		-Wl,--exclude-libs,ALL -l:libdeflate.a -lpthread

RT_JAVA := $(shell find runtime-jni/java -name '*.java' 2>/dev/null)
$(BUILD)/rt/classes.stamp: $(RT_JAVA)
	@mkdir -p $(BUILD)/rt/classes
	javac --release 8 -Xlint:-options -g:source,lines -d $(BUILD)/rt/classes $(RT_JAVA)
	@touch $@

# ---- tests: tests/ROOM/{t,p}_*.c are programs of that room; *.sh and *.t run as they are ----

TEST_ROOMS := base cfr rules trace weaver runtime-jni cli
TEST_SRC = $(wildcard $(foreach r,$(or $(1),$(TEST_ROOMS)),tests/$(r)/t_*.c tests/$(r)/p_*.c))
TEST_BIN = $(patsubst %.c,$(BUILD)/%,$(call TEST_SRC,$(1)))
TEST_SCRIPTS = $(wildcard $(foreach r,$(or $(1),$(TEST_ROOMS)),tests/$(r)/*.sh tests/$(r)/*.t))

define test_rules
$(BUILD)/tests/$(1)/%: $(BUILD)/tests/$(1)/%.o $(BUILD)/tests/tap.o $(foreach r,$(LINK_$(1)),$(BUILD)/lib$(r).a)
	$$(CC) $$(TOOL_FLAGS) $$(LDFLAGS) -o $$@ $$^ $$(LIBS)
check-$(1): $$(call TEST_BIN,$(1)) ## the tests of one room
	BUILD=$(BUILD) prove -j2 --exec '' $$^ $$(call TEST_SCRIPTS,$(1))
.PHONY: check-$(1)
endef
$(foreach room,$(TEST_ROOMS),$(eval $(call test_rules,$(room))))

clean: ## remove what was built
	rm -rf $(BUILD)
.PHONY: clean

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
