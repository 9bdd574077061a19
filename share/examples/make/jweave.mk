# jweave.mk: jars that trace, in a Makefile. Copy it, and
#
#     JWEAVE_RULES := rules/trace.json
#     include jweave.mk
#
# Then NAME-traced.jar is made of NAME.jar, and made again when the jar, the rules file or a file
# that it includes has changed: jweave writes what it read to NAME-traced.jar.d; and when the program
# is younger. A wrong rules file fails the build and leaves the old jar as it was.

JWEAVE       ?= jweave
JWEAVE_RULES ?= rules.json
JWEAVE_FLAGS ?=

# (its file; a path with a space in it is none that make could look at)
%-traced.jar: %.jar $(JWEAVE_RULES) $(wildcard $(shell command -v $(JWEAVE) 2>/dev/null))
	$(JWEAVE) $(JWEAVE_FLAGS) --depfile=$@.d $< $(JWEAVE_RULES) $@

# every depfile here and in folders one and two below
-include $(wildcard *-traced.jar.d */*-traced.jar.d */*/*-traced.jar.d)
