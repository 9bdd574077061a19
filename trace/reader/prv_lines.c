/*
 * prv_lines.c: see prv_lines.h.
 */
#include <string.h>

#include "base/memory.h"
#include "trace/reader/prv_lines.h"

#include "base/banned.h"

#define MAX_LINE ((size_t)64 << 20) /* a line of two million pairs */

/* The next number of LINE; the ':' after it is skipped. */
static bool take(struct jw_span *line, uint64_t *out)
{
	if (!trace_take_number(line, out))
		return false;
	if (line->n && line->p[0] != ':')
		return false;
	*line = jw_span_sub(*line, 1, line->n);
	return true;
}

static uint64_t in_ns(const struct trace_prv_lines *l, uint64_t time)
{
	return time > UINT64_MAX / l->head.unit_ns ? UINT64_MAX : time * l->head.unit_ns;
}

/* Is it after the end that the header tells? One that it does not tell is 0. */
static bool is_beyond(const struct trace_prv_lines *l, uint64_t ns)
{
	return l->head.end_ns && ns > l->head.end_ns;
}

static void note_time(struct trace_prv_lines *l, uint64_t time)
{
	l->last = time > l->last ? time : l->last;
}

/* "1:cpu:appl:task:thread:" or "2:...": the thread; UINT32_MAX: none. */
static uint32_t take_thread(const struct trace_prv_lines *l, struct jw_span *line)
{
	uint64_t n[5] = { 0 };

	for (size_t i = 0; i < sizeof(n) / sizeof(*n); i++)
		if (!take(line, &n[i]))
			return UINT32_MAX;
	return trace_prv_thread(&l->head, n[2], n[3], n[4]);
}

/* What is wrong with a line is that it is bad, or after the end, or that there is no memory for it. */
enum verdict { GOOD, BAD, LATE, NO_MEMORY };

static enum verdict told(bool heard)
{
	return heard ? GOOD : NO_MEMORY;
}

static enum verdict take_state(struct trace_prv_lines *l, struct jw_span line)
{
	uint32_t thread = take_thread(l, &line);
	uint64_t begin, end, state;

	if (thread == UINT32_MAX || !take(&line, &begin) || !take(&line, &end) ||
	    !take(&line, &state) || end < begin)
		return BAD;
	if (is_beyond(l, in_ns(l, end)))
		return LATE;
	note_time(l, in_ns(l, end));
	return told(l->to->state(l->ctx, thread, in_ns(l, begin), in_ns(l, end), state));
}

static enum verdict take_events(struct trace_prv_lines *l, struct jw_span line)
{
	uint32_t thread = take_thread(l, &line);
	uint64_t time, type, value;

	if (thread == UINT32_MAX || !take(&line, &time))
		return BAD;
	time = in_ns(l, time);
	if (is_beyond(l, time))
		return LATE;
	l->unsorted += time < l->times[thread];
	l->times[thread] = time = time > l->times[thread] ? time : l->times[thread];
	note_time(l, time);
	while (line.n) {
		if (!take(&line, &type) || !take(&line, &value))
			return BAD;
		if (!l->to->event(l->ctx, thread, time, type, value))
			return NO_MEMORY;
	}
	return GOOD;
}

/* "3:" who, two times of sending, to whom, two times of receiving, size, tag. */
static enum verdict take_arrow(struct trace_prv_lines *l, struct jw_span line)
{
	uint32_t from = take_thread(l, &line);
	uint64_t n[10] = { 0 };

	if (from == UINT32_MAX)
		return BAD;
	for (size_t i = 0; i < sizeof(n) / sizeof(*n); i++)
		if (!take(&line, &n[i]))
			return BAD;
	uint32_t to = trace_prv_thread(&l->head, n[3], n[4], n[5]);

	if (to == UINT32_MAX)
		return BAD;
	if (is_beyond(l, in_ns(l, n[0])) || is_beyond(l, in_ns(l, n[6])))
		return LATE;
	return told(
		l->to->arrow(l->ctx, from, in_ns(l, n[0]), to, in_ns(l, n[6]),
			     (n[9] & UINT32_MAX) | (n[8] < UINT32_MAX ? n[8] : UINT32_MAX) << 32));
}

static enum verdict take_record(struct trace_prv_lines *l, struct jw_span line)
{
	switch (line.n ? line.p[0] : '#') {
	case '1':
		return take_state(l, line);
	case '2':
		return take_events(l, line);
	case '3':
		return take_arrow(l, line);
	case '4': /* global communication, communicators, comments */
	case 'c':
	case 'C':
	case 'i':
	case 'I':
	case '#':
		return GOOD;
	default:
		return BAD;
	}
}

static enum jw_status take_head(struct trace_prv_lines *l, struct jw_span line, struct jw_err *e)
{
	JW_TRY(trace_prv_head_read(line, &l->head, e));
	l->begun = true;
	l->times = jw_mem_zalloc(l->head.thread_count, sizeof(*l->times));
	return l->times && l->to->head(l->ctx, &l->head) ? JW_OK : jw_nomem(e);
}

static enum jw_status take_line(struct trace_prv_lines *l, struct jw_span line, struct jw_err *e)
{
	while (line.n && (line.p[line.n - 1] == '\r' || line.p[line.n - 1] == ' '))
		line.n--;
	if (!l->begun)
		return take_head(l, line, e);
	enum verdict verdict = take_record(l, line);

	l->bad += verdict == BAD;
	l->late += verdict == LATE;
	return verdict == NO_MEMORY ? jw_nomem(e) : JW_OK;
}

static enum jw_status carry(struct trace_prv_lines *l, struct jw_span part, struct jw_err *e)
{
	l->carry.max = MAX_LINE;
	jw_put_bytes(&l->carry, part);
	if (l->carry.failed == JW_LIMIT)
		return jw_fail(e, JW_INPUT,
			       "it has a line of more than %zu MiB, as no trace has: is it "
			       "damaged?",
			       MAX_LINE >> 20);
	return jw_buf_finish(&l->carry, "line", e);
}

static enum jw_status take_carried(struct trace_prv_lines *l, struct jw_err *e)
{
	enum jw_status status = take_line(l, jw_buf_span(&l->carry), e);

	jw_buf_clear(&l->carry);
	return status;
}

enum jw_status trace_prv_lines_feed(struct trace_prv_lines *l, struct jw_span piece,
				    struct jw_err *e)
{
	while (piece.n) {
		const uint8_t *end = memchr(piece.p, '\n', piece.n);
		struct jw_span line = jw_span(piece.p, end ? (size_t)(end - piece.p) : piece.n);

		piece = jw_span_sub(piece, line.n + (end != NULL), piece.n);
		/* a file that is no trace at all must not be gathered as one line */
		if (!l->begun && l->carry.n == 0 && line.n && line.p[0] != '#')
			return trace_prv_head_read(line, &l->head, e);
		if (!end || l->carry.n) {
			JW_TRY(carry(l, line, e));
			if (end)
				JW_TRY(take_carried(l, e));
			continue;
		}
		JW_TRY(take_line(l, line, e));
	}
	return JW_OK;
}

enum jw_status trace_prv_lines_end(struct trace_prv_lines *l, struct jw_err *e)
{
	return l->carry.n || !l->begun ? take_carried(l, e) : JW_OK;
}

void trace_prv_lines_free(struct trace_prv_lines *l)
{
	trace_prv_head_free(&l->head);
	jw_mem_free(l->times);
	jw_buf_free(&l->carry);
	*l = (struct trace_prv_lines){ 0 };
}
