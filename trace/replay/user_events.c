/*
 * user_events.c: events of the programs' own: two records each, a type and its value; labels in
 * meta.
 *
 * A type that has labels for values has one for every value that occurs: Paraver shows a value
 * without one as if there were none. Of several labels for one thing the first counts.
 */
#include "trace/format/recording.h"
#include "trace/reader/reader.h"
#include "trace/replay/method_numbers.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"
#include "trace/replay/user_events.h"
#include "trace/replay/world.h"

#include "base/banned.h"

#define MOST_SEEN  65536     /* types, and values of those with labels, in the .pcf */
#define MOST_VALUE INT32_MAX /* of values with a label: 32 bits signed */

/* What was seen is a set of these; of a type itself, `calls` tells whether its values have labels.
 */
static uint64_t key_of(uint32_t type, uint32_t value)
{
	return (uint64_t)type << 32 | value;
}

static bool has_value_labels(const struct trace_world *w, uint32_t type)
{
	for (size_t i = 0; i < w->task_count; i++) {
		const struct trace_recording *rec = &w->tasks[i].rec;

		for (size_t k = 0; k < rec->label_count; k++)
			if (rec->labels[k].type == type && rec->labels[k].value != TRACE_NO_VALUE)
				return true;
	}
	return false;
}

static void note_use(struct trace_pass *p, uint32_t type, uint64_t value)
{
	struct trace_methods *seen = &p->told.seen;
	size_t before = seen->n;
	uint32_t at = before < MOST_SEEN
			      ? trace_methods_number(seen, key_of(type, TRACE_TYPE_ITSELF))
			      : trace_methods_known(seen, key_of(type, TRACE_TYPE_ITSELF));

	if (seen->n > before)
		seen->m[at].calls = has_value_labels(p->world, type);
	if (at == TRACE_NO_METHOD)
		p->failed |= before < MOST_SEEN;
	else if (seen->m[at].calls && value <= MOST_VALUE && seen->n < MOST_SEEN)
		p->failed |= trace_methods_number(seen, key_of(type, (uint32_t)value)) ==
			     TRACE_NO_METHOD;
}

void trace_user_event(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word)
{
	uint64_t payload = jwr_word_payload(word);
	uint32_t type = who->track->event;

	if (jwr_word_kind(word) == JWR_EVENT) {
		who->track->event = payload <= TRACE_MAX_USER_TYPE ? (uint32_t)payload : 0;
		return;
	}
	who->track->event = 0;
	if (!type || !who->calls || payload > TRACE_MAX_USER_VALUE)
		return;
	p->told.output->user(p->told.ctx, who->calls->order, time, type, payload);
	note_use(p, type, payload);
}
