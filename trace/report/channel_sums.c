/*
 * channel_sums.c: see channel_sums.h.
 *
 * Events about one operation follow each other: the channel, the bytes that were read or written,
 * the time. A name that begins with a family of sockets is that of a connection.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/reader/reader.h"
#include "trace/reader/tally.h"
#include "trace/report/channel_sums.h"
#include "trace/report/report.h"
#include "trace/report/report_lists.h"

#include "base/banned.h"

void trace_channel_take(struct trace_reading *r, uint32_t at, enum trace_type type, uint64_t value)
{
	struct trace_lane *lane = &r->lanes[at];
	struct trace_sum *sum;

	switch (type) {
	case TRACE_TYPE_CHANNEL:
		lane->channel = value;
		lane->moves = TRACE_REPORT_OTHERWISE;
		lane->moved = 0;
		if (value && trace_wait_is_io(lane->wait)) /* what it waits for */
			lane->wait_object = value;
		break;
	case TRACE_TYPE_CHANNEL_READ:
	case TRACE_TYPE_CHANNEL_WRITTEN:
		lane->moves =
			type == TRACE_TYPE_CHANNEL_READ ? TRACE_REPORT_READS : TRACE_REPORT_WRITES;
		lane->moved = value;
		break;
	case TRACE_TYPE_CHANNEL_NS:
		sum = lane->channel ? trace_tally_at(&r->channels, lane->channel, lane->moves)
				    : NULL;
		r->failed |= lane->channel && !sum;
		if (sum) {
			sum->count++;
			sum->bytes += lane->moved;
			sum->ns += value;
		}
		if (lane->moves != TRACE_REPORT_OTHERWISE)
			trace_dwelling_moved(&lane->dwelling, lane->channel,
					     lane->moves == TRACE_REPORT_WRITES);
		lane->channel = 0;
		break;
	default:
		break;
	}
}

/* Values come in their order. "(::1)" is how labels have "[::1]". */
bool trace_channel_name(struct trace_channel_names *names, struct jw_arena *arena, uint64_t value,
			struct jw_span label)
{
	if (value != names->n + 1)
		return true;
	const char **grown = trace_grow(names->list, names->n, &names->cap, sizeof(*grown));
	const char *text = jw_arena_str(arena, label);

	names->list = grown ? grown : names->list;
	if (!grown || !text)
		return false;
	grown[names->n++] = text;
	return true;
}

/* What nothing was read from or written to comes last. */
static uint64_t ns_of(const struct trace_report_channel *c)
{
	return c->moves[TRACE_REPORT_READS].ns + c->moves[TRACE_REPORT_WRITES].ns +
	       c->moves[TRACE_REPORT_OTHERWISE].ns;
}

static bool is_moved(const struct trace_report_channel *c)
{
	return c->moves[TRACE_REPORT_READS].count || c->moves[TRACE_REPORT_WRITES].count;
}

/* Connections first; then the most time, then by name. */
static int by_kind_and_time(const void *a, const void *b)
{
	const struct trace_report_channel *x = a, *y = b;
	uint64_t tx = ns_of(x), ty = ns_of(y);

	if (trace_is_connection(x->name) != trace_is_connection(y->name))
		return trace_is_connection(x->name) ? -1 : 1;
	if (is_moved(x) != is_moved(y))
		return is_moved(x) ? -1 : 1;
	if (tx != ty)
		return tx > ty ? -1 : 1;
	return strcmp(x->name, y->name);
}

bool trace_put_channels(const struct trace_reading *r, const struct trace_channel_names *names,
			struct jw_arena *arena, struct trace_report *out)
{
	const struct trace_sum **list = trace_sums_by_a(&r->channels, arena);
	struct trace_report_channel *all =
		JW_NEW_ARRAY(arena, struct trace_report_channel, r->channels.n + 1);
	size_t n = 0, connections = 0;

	if (!list || !all)
		return false;
	for (size_t i = 0; i < r->channels.n; i++) {
		uint64_t value = list[i]->a;

		if (i == 0 || list[i - 1]->a != value)
			all[n++] = (struct trace_report_channel){
				.name = value - 1 < names->n ? names->list[value - 1] : "unknown",
			};
		all[n - 1].moves[list[i]->b] = trace_sums_share(list[i], 0);
	}
	if (n > 1)
		qsort(all, n, sizeof(*all), by_kind_and_time);
	while (connections < n && trace_is_connection(all[connections].name))
		connections++;
	out->connections = all;
	out->connection_count = connections;
	out->files = all + connections;
	out->file_count = n - connections;
	return true;
}
