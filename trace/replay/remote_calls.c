/*
 * remote_calls.c: what looks like a remote call and is none.
 *
 * A call through a remote interface leaves the process only if the object is a stub; of an object
 * of this process it is a call like any other. A stub is told by its class: a proxy of the JDK
 * (jdk.proxy2.$Proxy9, com.sun.proxy.$Proxy0, or in the package of an interface that is not
 * public), or what rmic made (Hello_Stub).
 *
 * The method of a remote object serves a call only where RMI calls it, by reflection, in a thread
 * of its own, which the JDK names "RMI TCP Connection(...)".
 *
 * What is not known (the class was not captured, the thread has no name) is believed.
 */
#include <ctype.h>
#include <string.h>

#include "trace/reader/reader.h"
#include "trace/replay/inside.h"
#include "trace/replay/remote_calls.h"
#include "trace/replay/world.h"

#include "base/banned.h"

/* CLASS as Java writes it. */
static bool is_stub(const char *class)
{
	static const char proxy[] = "$Proxy";
	const char *dot = strrchr(class, '.'), *name = dot ? dot + 1 : class;

	if (strncmp(name, proxy, strlen(proxy)) == 0 && isdigit((unsigned char)name[strlen(proxy)]))
		return true;
	return jw_span_ends(jw_span_str(name), JW_SPAN_LIT("_Stub"));
}

bool trace_is_local_call(const struct trace_recording *rec, const struct trace_inside *one)
{
	const struct jw_operation *op = one->method->about.operation;

	if (!op || op->role != JW_ROLE_REMOTE || one->receiver <= 0)
		return false;
	const char *class = trace_label_of(rec, TRACE_TEXT_TYPE, (uint64_t)one->receiver);
	return class && !is_stub(class);
}

bool trace_serves_nobody(const struct trace_row *row, const struct trace_inside *one)
{
	const struct jw_operation *op = one->method->about.operation;
	const char *name = row->thread ? row->thread->name : "";

	return op && op->role == JW_ROLE_SERVE && *name &&
	       !jw_span_starts(jw_span_str(name), JW_SPAN_LIT("RMI TCP Connection("));
}
