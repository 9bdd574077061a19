/*
 * jdk.c: what --jdk never weaves, whatever the rules say, with the reason.
 *
 * Everything else of java.base was woven and run, including constructors, Object.<init>,
 * initialisers and every call. Its probes do nothing until the VM has booted (Probe.Early).
 */
#include "rules/jdk.h"

#include "base/banned.h"

/* Methods by class (with what is nested in it, when it ends in $) and name (NULL: all). */
static const struct {
	const char *class, *method;
	enum rules_why why;
} methods[] = {
	{ "sun/launcher/LauncherHelper", "initOutput", RULES_WHY_BOOTS },
	/* where one thread continues as another */
	{ "jdk/internal/vm/Continuation", NULL, RULES_WHY_SWITCHES },
	{ "jdk/internal/vm/Continuation$", NULL, RULES_WHY_SWITCHES },
	{ "java/lang/VirtualThread", "mount", RULES_WHY_SWITCHES },
	{ "java/lang/VirtualThread", "unmount", RULES_WHY_SWITCHES },
	{ "java/lang/VirtualThread", "yieldContinuation", RULES_WHY_SWITCHES },
	{ "java/lang/VirtualThread", "switchToCarrierThread", RULES_WHY_SWITCHES },
	{ "java/lang/VirtualThread", "switchToVirtualThread", RULES_WHY_SWITCHES },
	/* what Probe.java calls on values that it captures */
	{ "java/lang/Class", "getName", RULES_WHY_PROBE },
	{ "java/lang/Integer", "longValue", RULES_WHY_PROBE },
	{ "java/lang/Long", "longValue", RULES_WHY_PROBE },
	{ "java/lang/Double", "longValue", RULES_WHY_PROBE },
	{ "java/lang/Float", "longValue", RULES_WHY_PROBE },
	{ "java/lang/Short", "longValue", RULES_WHY_PROBE },
	{ "java/lang/Byte", "longValue", RULES_WHY_PROBE },
	{ "java/lang/Character", "charValue", RULES_WHY_PROBE },
	{ "java/lang/Boolean", "booleanValue", RULES_WHY_PROBE },
	{ "java/lang/Enum", "ordinal", RULES_WHY_PROBE },
	{ "java/lang/String", "length", RULES_WHY_PROBE },
	{ "java/lang/String", "coder", RULES_WHY_PROBE },
	{ "java/nio/Buffer", "remaining", RULES_WHY_PROBE },
	{ "java/net/DatagramPacket", "getLength", RULES_WHY_PROBE },
};

/* Methods by an annotation. */
static const struct {
	const char *annotation;
	enum rules_why why;
} annotated[] = {
	{ "jdk/internal/vm/annotation/JvmtiMountTransition", RULES_WHY_SWITCHES },
	{ "jdk/internal/vm/annotation/ChangesCurrentThread", RULES_WHY_SWITCHES },
	{ "jdk/internal/misc/ScopedMemoryAccess$Scoped", RULES_WHY_SCOPED },
};

const char *const rules_jdk_packages[] = { "java/", "jdk/", "sun/", NULL };

bool rules_is_jdk(struct jw_span name)
{
	for (size_t i = 0; rules_jdk_packages[i]; i++) {
		if (jw_span_starts(name, jw_span_str(rules_jdk_packages[i])))
			return true;
	}
	return false;
}

static bool names_class(const char *row, struct jw_span name)
{
	struct jw_span wanted = jw_span_str(row);

	return wanted.p[wanted.n - 1] == '$' ? jw_span_starts(name, wanted)
					     : jw_span_eq(name, wanted);
}

static bool by_annotation(void *ctx, struct jw_span name)
{
	enum rules_why *why = ctx;

	for (size_t i = 0; i < sizeof(annotated) / sizeof(*annotated); i++) {
		if (jw_span_eq_str(name, annotated[i].annotation)) {
			*why = annotated[i].why;
			return true;
		}
	}
	return false;
}

enum rules_why rules_jdk_keeps(const struct rules_class *cls, const struct rules_method *method)
{
	enum rules_why why = RULES_WHY_TRACED;

	for (size_t i = 0; i < sizeof(methods) / sizeof(*methods); i++) {
		if (names_class(methods[i].class, cls->name) &&
		    (!methods[i].method || jw_span_eq_str(method->name, methods[i].method)))
			return methods[i].why;
	}
	if (method->annotations)
		(void)method->annotations(method->ctx, by_annotation, &why);
	return why;
}
