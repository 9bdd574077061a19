/*
 * job_ends.c: see job_ends.h.
 */
#include "trace/report/job_ends.h"

#include <string.h>

#include "base/bytes.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

/* Does the address mean another place on each machine? */
static bool is_local(const char *address)
{
	return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
	       strncmp(address, "169.254.", 8) == 0 || strncmp(address, "fe80:", 5) == 0;
}

static bool may_meet(const struct trace_socket *s)
{
	return s && s->family == TRACE_FAMILY_TCP && s->role != TRACE_ROLE_LISTEN &&
	       s->address[0][0] && s->address[1][0] && !is_local(s->address[0]) &&
	       !is_local(s->address[1]);
}

static struct trace_job_end end_of(const struct trace_socket *s)
{
	int order = strcmp(s->address[0], s->address[1]);
	bool lower = order ? order < 0 : s->port[0] < s->port[1];
	uint64_t hash = 0;

	for (int i = 0; i < 2; i++) {
		int k = lower ? i : 1 - i;

		hash = jw_hash64(jw_span_str(s->address[k]), hash);
		hash = jw_hash64(jw_span(&s->port[k], sizeof(s->port[k])), hash);
	}
	return (struct trace_job_end){ hash, lower };
}

enum jw_status trace_job_ends(const struct trace_recording *rec, struct jw_arena *arena,
			      const struct trace_job_end **out, size_t *count, struct jw_err *e)
{
	size_t n = 0;

	for (size_t i = 0; i < rec->channel_count; i++)
		n += may_meet(rec->channels[i].socket);
	struct trace_job_end *ends = JW_NEW_ARRAY(arena, struct trace_job_end, n + 1);

	if (!ends)
		return jw_nomem(e);
	*out = ends;
	*count = n;
	for (size_t i = 0; i < rec->channel_count; i++)
		if (may_meet(rec->channels[i].socket))
			*ends++ = end_of(rec->channels[i].socket);
	return JW_OK;
}
