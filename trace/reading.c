/*
 * reading.c: the lines of a .prv become times of methods, threads and states.
 *
 * As Paraver reads them: 60000019 pushes a function on a value above 0 and pops one on 0. A line
 * that it would drop is counted and left out; times of a thread never fall.
 */
#include <string.h>

#include "trace/report_int.h"

#include "base/banned.h"

#define MAX_LINE ((size_t)64 << 20) /* a line of two million pairs */

struct trace_reading *trace_reading_new(void)
{
	struct trace_reading *r = jw_mem_zalloc(1, sizeof(*r));

	if (r)
		r->carry.max = MAX_LINE;
	return r;
}

void trace_reading_free(struct trace_reading *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->lanes && i < r->head.thread_count; i++) {
		jw_mem_free(r->lanes[i].frames);
		jw_mem_free(r->lanes[i].doing);
		jw_mem_free(r->lanes[i].spent);
	}
	jw_mem_free(r->lanes);
	trace_prv_head_free(&r->head);
	trace_methods_free(&r->methods);
	trace_tally_free(&r->pairs);
	trace_tally_free(&r->operations);
	trace_tally_free(&r->waits);
	trace_tally_free(&r->owners);
	trace_tally_free(&r->allocs);
	trace_tally_free(&r->classes);
	jw_buf_free(&r->carry);
	jw_mem_free(r);
}

/* ---- frames ---- */

static void enter(struct trace_reading *r, uint32_t at, uint64_t time, uint64_t id)
{
	struct trace_lane *lane = &r->lanes[at];
	uint32_t method;

	if (lane->depth >= TRACE_MAX_DEPTH) {
		lane->over++;
		r->too_deep++;
		return;
	}
	struct trace_frame *grown =
		trace_grow(lane->frames, lane->depth, &lane->cap, sizeof(*grown));

	lane->frames = grown ? grown : lane->frames;
	uint64_t refused = r->methods.refused;

	method = grown ? trace_methods_number(&r->methods, id) : TRACE_NO_METHOD;
	struct trace_sum *pair =
		method == TRACE_NO_METHOD ? NULL : trace_tally_at(&r->pairs, at, method);

	if (!pair) {
		r->failed |= r->methods.refused == refused;
		lane->over++; /* its exit is left out with it */
		r->too_deep++;
		return;
	}
	lane->frames[lane->depth++] =
		(struct trace_frame){ .enter = time, .method = method, .again = pair->open++ > 0 };
	pair->count++;
	r->methods.m[method].calls++;
	lane->calls++;
	r->calls++;
}

static void leave(struct trace_reading *r, uint32_t at, uint64_t time)
{
	struct trace_lane *lane = &r->lanes[at];

	if (lane->over) {
		lane->over--;
		return;
	}
	if (lane->depth == 0) {
		r->lone_exits++;
		return;
	}
	const struct trace_frame *f = &lane->frames[--lane->depth];
	struct trace_stat *m = &r->methods.m[f->method];
	uint64_t ns = time - f->enter;

	struct trace_sum *pair = trace_tally_find(&r->pairs, at, f->method);
	uint64_t own = ns > f->inner_ns ? ns - f->inner_ns : 0;

	pair->open--; /* it is there since the enter */
	pair->own_ns += own;
	m->exclusive_ns += own;
	m->longest_ns = ns > m->longest_ns ? ns : m->longest_ns;
	if (!f->again) {
		m->inclusive_ns += ns;
		pair->ns += ns;
	}
	if (lane->depth)
		lane->frames[lane->depth - 1].inner_ns += ns;
	else
		lane->inside_ns += ns;
}

/* ---- states ---- */

static size_t state_column(struct trace_reading *r, uint64_t state)
{
	for (size_t i = 0; i < r->state_count; i++)
		if (r->states[i] == state)
			return i;
	if (r->state_count == TRACE_MAX_STATES)
		return TRACE_MAX_STATES - 1;
	r->states[r->state_count] = state;
	return r->state_count++;
}

/* What LANE spent in STATE; NULL: no memory. */
static struct trace_spent *spent_in(struct trace_reading *r, struct trace_lane *lane,
				    uint64_t state)
{
	if (!lane->spent)
		lane->spent = jw_mem_zalloc(TRACE_MAX_STATES, sizeof(*lane->spent));
	r->failed |= !lane->spent;
	return lane->spent ? &lane->spent[state_column(r, state)] : NULL;
}

static void add_state(struct trace_reading *r, struct trace_lane *lane, uint64_t state,
		      uint64_t begin, uint64_t end)
{
	struct trace_spent *spent = spent_in(r, lane, state);

	if (!spent)
		return;
	if (state != lane->stretch_state || begin != lane->stretch_end) {
		lane->stretch_state = state;
		lane->stretch_since = begin;
	}
	lane->stretch_end = end;
	uint64_t stretch = end - lane->stretch_since;

	spent->ns += end - begin;
	spent->longest_ns = stretch > spent->longest_ns ? stretch : spent->longest_ns;
}

/* What no state covers is Idle, as Paraver has it: states sum to the time of the trace. */
static void fill_gaps(struct trace_reading *r, struct trace_lane *lane, uint64_t end)
{
	uint64_t covered = 0;

	for (size_t i = 0; lane->spent && i < r->state_count; i++)
		covered += lane->spent[i].ns;
	if (covered >= end)
		return;
	struct trace_spent *idle = spent_in(r, lane, TRACE_IDLE);

	if (idle)
		idle->ns += end - covered;
}

void trace_reading_end(struct trace_reading *r)
{
	uint64_t end = r->last > r->head.end_ns ? r->last : r->head.end_ns;

	for (uint32_t i = 0; r->lanes && i < r->head.thread_count; i++) {
		for (r->lanes[i].over = 0; r->lanes[i].depth;)
			leave(r, i, end);
		trace_doing_end(r, i, end);
		fill_gaps(r, &r->lanes[i], end);
	}
}

/* ---- lines ---- */

/* The next number of LINE; the ':' behind it is skipped. */
static bool take(struct jw_span *line, uint64_t *out)
{
	if (!trace_take_number(line, out))
		return false;
	if (line->n && line->p[0] != ':')
		return false;
	*line = jw_span_sub(*line, 1, line->n);
	return true;
}

static uint64_t in_ns(const struct trace_reading *r, uint64_t time)
{
	return time > UINT64_MAX / r->head.unit_ns ? UINT64_MAX : time * r->head.unit_ns;
}

/* "1:cpu:appl:task:thread:" or "2:...": the thread; UINT32_MAX: none. */
static uint32_t take_thread(const struct trace_reading *r, struct jw_span *line)
{
	uint64_t n[5] = { 0 };

	for (size_t i = 0; i < sizeof(n) / sizeof(*n); i++)
		if (!take(line, &n[i]))
			return UINT32_MAX;
	return trace_prv_thread(&r->head, n[2], n[3], n[4]);
}

static bool take_state(struct trace_reading *r, struct jw_span line)
{
	uint32_t at = take_thread(r, &line);
	uint64_t begin, end, state;

	if (at == UINT32_MAX || !take(&line, &begin) || !take(&line, &end) ||
	    !take(&line, &state) || end < begin)
		return false;
	begin = in_ns(r, begin);
	end = in_ns(r, end);
	r->last = end > r->last ? end : r->last;
	struct trace_lane *lane = &r->lanes[at];

	if (state == TRACE_IDLE)
		return true;
	add_state(r, lane, state, begin, end);
	return true;
}

static bool take_events(struct trace_reading *r, struct jw_span line)
{
	uint32_t at = take_thread(r, &line);
	uint64_t time, type, value;

	if (at == UINT32_MAX || !take(&line, &time))
		return false;
	struct trace_lane *lane = &r->lanes[at];

	time = in_ns(r, time);
	r->unsorted += time < lane->time;
	lane->time = time = time > lane->time ? time : lane->time;
	r->last = time > r->last ? time : r->last;
	while (line.n) {
		if (!take(&line, &type) || !take(&line, &value))
			return false;
		if (type != TRACE_USER_FUNCTION)
			trace_doing_take(r, at, time, type, value);
		else if (value)
			enter(r, at, time, value);
		else
			leave(r, at, time);
	}
	return true;
}

/* "3:" who, two times of sending, to whom, two times of receiving, size, tag. */
static bool take_arrow(struct trace_reading *r, struct jw_span line)
{
	uint32_t from = take_thread(r, &line);
	uint64_t n[10] = { 0 };

	if (from == UINT32_MAX)
		return false;
	for (size_t i = 0; i < sizeof(n) / sizeof(*n); i++)
		if (!take(&line, &n[i]))
			return false;
	uint32_t to = trace_prv_thread(&r->head, n[3], n[4], n[5]);

	if (to == UINT32_MAX)
		return false;
	trace_doing_arrow(r, from, to, n[9]);
	return true;
}

static enum jw_status take_line(struct trace_reading *r, struct jw_span line, struct jw_err *e)
{
	while (line.n && (line.p[line.n - 1] == '\r' || line.p[line.n - 1] == ' '))
		line.n--;
	if (!r->begun) {
		JW_TRY(trace_prv_head_read(line, &r->head, e));
		r->begun = true;
		r->lanes = jw_mem_zalloc(r->head.thread_count, sizeof(*r->lanes));
		return r->lanes ? JW_OK : jw_nomem(e);
	}
	bool good = true;

	switch (line.n ? line.p[0] : '#') {
	case '1':
		good = take_state(r, line);
		break;
	case '2':
		good = take_events(r, line);
		break;
	case '3':
		good = take_arrow(r, line);
		break;
	case '4': /* global communication, communicators, comments */
	case 'c':
	case 'C':
	case 'i':
	case 'I':
	case '#':
		break;
	default:
		good = false;
	}
	r->bad_lines += !good;
	return r->failed ? jw_nomem(e) : JW_OK;
}

static enum jw_status carry(struct trace_reading *r, struct jw_span part, struct jw_err *e)
{
	jw_put_bytes(&r->carry, part);
	if (r->carry.failed == JW_LIMIT)
		return jw_fail(e, JW_INPUT,
			       "it has a line of more than %zu MiB, as no trace has: is it "
			       "damaged?",
			       MAX_LINE >> 20);
	return jw_buf_finish(&r->carry, "line", e);
}

static enum jw_status take_carried(struct trace_reading *r, struct jw_err *e)
{
	enum jw_status status = take_line(r, jw_buf_span(&r->carry), e);

	jw_buf_clear(&r->carry);
	return status;
}

enum jw_status trace_reading_feed(struct trace_reading *r, struct jw_span piece, struct jw_err *e)
{
	while (piece.n) {
		const uint8_t *end = memchr(piece.p, '\n', piece.n);
		struct jw_span line = jw_span(piece.p, end ? (size_t)(end - piece.p) : piece.n);

		piece = jw_span_sub(piece, line.n + (end != NULL), piece.n);
		/* a file that is no trace at all must not be gathered as one line */
		if (!r->begun && r->carry.n == 0 && line.n && line.p[0] != '#')
			return trace_prv_head_read(line, &r->head, e);
		if (!end || r->carry.n) {
			JW_TRY(carry(r, line, e));
			if (end)
				JW_TRY(take_carried(r, e));
			continue;
		}
		JW_TRY(take_line(r, line, e));
	}
	return JW_OK;
}
