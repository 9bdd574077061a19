/*
 * prv.c: the lines of the .prv. Numbers are written by hand: at 100 million lines printf would be
 * most of the time.
 *
 *     #Paraver (d/m/Y at H:M):END_ns:NODES:1:TASKS,0
 *     1:cpu:1:task:thread:begin:end:state
 *     2:cpu:1:task:thread:time:type:value[:type:value]...
 *     3:cpu:1:task:thread:send:send:cpu:1:task:thread:receive:receive:bytes:tag
 *
 * All pairs of one thread at one time share a line, up to PAIRS (as Extrae does).
 */
#include <string.h>
#include <time.h>

#include "trace/format/methodmap.h"
#include "trace/output.h"
#include "trace/paraver/numbers.h"
#include "trace/paraver/prv.h"
#include "trace/paraver/sink.h"

#include "base/banned.h"

#define LINE  256 /* more than any line without pairs, or any pair, takes */
#define PAIRS 1024
#define LOW   UINT64_C(1000000) /* the last digits of a time: what is below it */

#define NO_THREAD UINT32_MAX
/* With more threads no CPUs are told: a number of three or more digits for each line would be 5 % of
 * it. */
#define MAX_CPUS 256

static const uint64_t powers[20] = {
	0,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	UINT64_C(10000000000),
	UINT64_C(100000000000),
	UINT64_C(1000000000000),
	UINT64_C(10000000000000),
	UINT64_C(100000000000000),
	UINT64_C(1000000000000000),
	UINT64_C(10000000000000000),
	UINT64_C(100000000000000000),
	UINT64_C(1000000000000000000),
	UINT64_C(10000000000000000000),
};

/* How many digits V has: log10 guessed from log2, and set right by one comparison. */
static size_t digits_of(uint64_t v)
{
	size_t bits = 64 - (size_t)__builtin_clzll(v | 1);
	size_t guess = bits * 1233 >> 12;

	return guess + (v >= powers[guess]);
}

static const char pairs[201] = "00010203040506070809101112131415161718192021222324"
			       "25262728293031323334353637383940414243444546474849"
			       "50515253545556575859606162636465666768697071727374"
			       "75767778798081828384858687888990919293949596979899";

static char *put_dec(char *p, uint64_t v)
{
	char *end = p + digits_of(v), *d = end;

	while (v >= 100) {
		d -= 2;
		memcpy(d, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10)
		memcpy(d - 2, pairs + v * 2, 2);
	else
		d[-1] = (char)('0' + v);
	return end;
}

static char *put_field(char *p, uint64_t v)
{
	*p++ = ':';
	return put_dec(p, v);
}

/* Hands the block over, and begins the next. */
static void send(struct trace_prv *prv)
{
	if (prv->status == JW_OK) {
		prv->status = trace_sink_put(prv->sink, prv->n, prv->e);
		prv->buf = trace_sink_block(prv->sink);
	}
	prv->n = 0;
}

/* Makes sure that LINE more bytes fit. */
static char *room(struct trace_prv *prv)
{
	if (prv->n + LINE > TRACE_SINK_BLOCK)
		send(prv);
	return prv->buf + prv->n;
}

/* The place of KEPT as text, which is made again only when V is another one than the last. All of
 * the text's room is written, and what follows writes over what is not needed. */
static char *put_kept(char *p, struct trace_prv_text *kept, uint64_t v)
{
	if (kept->of != v || kept->n == 0) {
		kept->of = v;
		kept->n = (uint8_t)(put_field(kept->text, v) - kept->text);
	}
	memcpy(p, kept->text, sizeof(kept->text));
	return p + kept->n;
}

/* Times rise, and share all but their last digits, HIGH (of their value), with the one before. */
static char *put_time(struct trace_prv_text *high, char *p, uint64_t time)
{
	uint64_t rest = time - high->of;

	if (time < LOW)
		return put_field(p, time);
	if (rest >= LOW) {
		rest = time % LOW;
		high->of = time - rest;
		high->n = (uint8_t)(put_field(high->text, time / LOW) - high->text);
	}
	memcpy(p, high->text, sizeof(high->text));
	p += high->n;
	uint32_t low = (uint32_t)rest;

	memcpy(p, pairs + (size_t)(low / 10000) * 2, 2);
	memcpy(p + 2, pairs + (size_t)(low / 100 % 100) * 2, 2);
	memcpy(p + 4, pairs + (size_t)(low % 100) * 2, 2);
	return p + 6;
}

/* ":cpu:appl:task:thread" of THREAD. */
static char *put_thread(struct trace_prv *prv, char *p, uint32_t thread)
{
	struct trace_prv_text *kept = &prv->threads[thread];

	if (kept->n == 0) {
		const struct trace_scene_thread *t = &prv->scene->threads[thread];
		char *end = put_field(kept->text, prv->cpus ? prv->cpus[thread] : 0);

		const struct trace_scene_process *process = &prv->scene->processes[t->process];

		end = put_field(put_field(end, process->application), process->number);
		end = put_field(end, t->number);
		kept->n = (uint8_t)(end - kept->text);
	}
	memcpy(p, kept->text, sizeof(kept->text));
	return p + kept->n;
}

static char *put_row(struct trace_prv *prv, char *p, char kind, uint32_t thread)
{
	*p++ = kind;
	return put_thread(prv, p, thread);
}

static void end_line(struct trace_prv *prv)
{
	if (prv->thread != NO_THREAD)
		prv->buf[prv->n++] = '\n'; /* room() leaves more than it was asked for */
	prv->thread = NO_THREAD;
}

static void check_order(struct trace_prv *prv, uint64_t time)
{
	if (time < prv->last && prv->status == JW_OK)
		prv->status = jw_bug(prv->e, "a record of the trace is out of order");
	prv->last = time;
}

void trace_prv_state(void *ctx, uint32_t thread, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_prv *prv = ctx;

	end_line(prv);
	check_order(prv, begin);
	char *p = put_row(prv, room(prv), '1', thread);

	p = put_time(&prv->high, p, begin);
	p = put_time(&prv->end_high, p, end);
	p = put_field(p, state);
	*p++ = '\n';
	prv->n = (size_t)(p - prv->buf);
}

static void put_pair(struct trace_prv *prv, uint32_t thread, uint64_t time, uint64_t type,
		     uint64_t value)
{
	char *p;

	if (prv->thread == thread && prv->time == time && prv->pairs < PAIRS) {
		p = room(prv);
		prv->pairs++;
	} else {
		end_line(prv);
		check_order(prv, time);
		p = put_time(&prv->high, put_row(prv, room(prv), '2', thread), time);
		prv->thread = thread;
		prv->time = time;
		prv->pairs = 1;
	}
	p = put_field(put_kept(p, &prv->types[type % TRACE_PRV_KEPT], type), value);
	prv->n = (size_t)(p - prv->buf);
}

void trace_prv_enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	put_pair(ctx, thread, time, TRACE_PRV_FUNCTION, method);
}

void trace_prv_leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	if (failed)
		put_pair(ctx, thread, time, TRACE_PRV_NUMBER_FAILED, 1);
	put_pair(ctx, thread, time, TRACE_PRV_FUNCTION, 0);
}

void trace_prv_event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type,
		     uint64_t value)
{
	struct trace_prv *prv = ctx;

	prv->used |= UINT64_C(1) << trace_prv_places[type];
	put_pair(prv, thread, time, trace_prv_numbers[type], value);
}

void trace_prv_operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
			 uint64_t number)
{
	struct trace_prv *prv = ctx;

	prv->operations |= 1u << type;
	put_pair(prv, thread, time, jw_operation_kinds[type].event, number);
}

/* 0 says that nothing holds: a number that does is one more. */
static uint64_t held_value(const struct jw_capture *what, uint64_t value)
{
	return value + (what->hold && jw_capture_is_number(what));
}

/* A value that needs a label, since it is not what is shown. */
static void note_held(struct trace_prv *prv, const struct jw_capture *what, uint64_t value)
{
	if (!what->hold || !jw_capture_is_number(what) || prv->held.n > TRACE_PRV_MOST_HELD)
		return;
	if (!trace_tally_at(&prv->held, what->type, value) && prv->status == JW_OK)
		prv->status = jw_nomem(prv->e);
}

void trace_prv_captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			uint64_t value)
{
	note_held(ctx, what, value);
	put_pair(ctx, thread, time, what->type, held_value(what, value));
}

void trace_prv_released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
			bool has_outer, uint64_t outer)
{
	put_pair(ctx, thread, time, what->type, has_outer ? held_value(what, outer) : 0);
}

void trace_prv_user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	put_pair(ctx, thread, time, type, value);
}

/* Paraver draws from the logical send to the logical receive, so both ends are one instant each. */
void trace_prv_arrow(void *ctx, uint32_t from, uint64_t send, uint32_t to, uint64_t receive,
		     uint64_t tag)
{
	struct trace_prv *prv = ctx;

	end_line(prv);
	check_order(prv, send);
	char *p = put_row(prv, room(prv), '3', from);

	p = put_field(put_field(p, send), send);
	p = put_thread(prv, p, to);
	p = put_field(put_field(p, receive), receive);
	p = put_field(put_field(p, trace_tag_bytes(tag)), trace_tag_alone(tag));
	*p++ = '\n';
	prv->n = (size_t)(p - prv->buf);
}

/* ---- header ---- */

/* With few threads each has a CPU of its own, by host: more say no more than the thread. */
static enum jw_status deal_cpus(struct trace_prv *prv, struct jw_err *e)
{
	const struct trace_scene *s = prv->scene;
	uint32_t cpu = 0;

	if (s->thread_count > MAX_CPUS)
		return JW_OK;
	prv->cpus = jw_mem_zalloc(s->thread_count + 1, sizeof(*prv->cpus));
	if (!prv->cpus)
		return jw_nomem(e);
	for (uint32_t host = 0; host < s->host_count; host++)
		for (uint32_t i = 0; i < s->thread_count; i++)
			if (s->processes[s->threads[i].process].host == host)
				prv->cpus[i] = ++cpu;
	return JW_OK;
}

uint32_t trace_prv_cpus_of(const struct trace_scene *s, uint32_t host)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->process_count; i++)
		n += s->processes[i].host == host ? s->processes[i].threads : 0;
	return n;
}

static void put_nodes(struct jw_buf *b, const struct trace_prv *prv)
{
	const struct trace_scene *s = prv->scene;

	if (!prv->cpus) {
		jw_put_str(b, "0");
		return;
	}
	jw_put_dec(b, s->host_count);
	for (uint32_t i = 0; i < s->host_count; i++) {
		jw_put_str(b, i ? "," : "(");
		jw_put_dec(b, trace_prv_cpus_of(s, i));
	}
	jw_put_str(b, ")");
}

/* The processes of the application that begins with FIRST. Returns the first of the next one. */
static uint32_t put_tasks(struct jw_buf *b, const struct trace_prv *prv, uint32_t first)
{
	const struct trace_scene *s = prv->scene;
	uint32_t end = first;

	while (end < s->process_count &&
	       s->processes[end].application == s->processes[first].application)
		end++;
	jw_put_dec(b, end - first);
	for (uint32_t i = first; i < end; i++) {
		jw_put_str(b, i > first ? "," : "(");
		jw_put_dec(b, s->processes[i].threads);
		jw_put_str(b, ":");
		jw_put_dec(b, prv->cpus ? s->processes[i].host + UINT64_C(1) : 0);
	}
	jw_put_str(b, ")");
	return end;
}

uint32_t trace_prv_applications(const struct trace_scene *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->process_count; i++)
		n += !i || s->processes[i].application != s->processes[i - 1].application;
	return n;
}

static void put_header(struct jw_buf *b, const struct trace_prv *prv)
{
	time_t wall = (time_t)trace_wall_seconds(prv->scene);
	struct tm tm = { .tm_mday = 1, .tm_year = 70 };
	char date[40];

	if (!gmtime_r(&wall, &tm) || tm.tm_year > 8099 || tm.tm_year < 70)
		tm = (struct tm){ .tm_mday = 1, .tm_year = 70 };
	strftime(date, sizeof(date), "%d/%m/%Y at %H:%M", &tm);
	jw_put_fmt(b, "#Paraver (%s):%llu_ns:", date, (unsigned long long)prv->scene->end);
	put_nodes(b, prv);
	jw_put_str(b, ":");
	jw_put_dec(b, trace_prv_applications(prv->scene));
	for (uint32_t at = 0; at < prv->scene->process_count;) {
		jw_put_str(b, at ? "," : ":");
		at = put_tasks(b, prv, at);
	}
	jw_put_str(b, ",0\n");
}

/* With 65,535 tasks a header is longer than a block. */
static void put_text(struct trace_prv *prv, struct jw_span text)
{
	while (text.n) {
		size_t n = TRACE_SINK_BLOCK - prv->n < text.n ? TRACE_SINK_BLOCK - prv->n : text.n;

		memcpy(prv->buf + prv->n, text.p, n);
		prv->n += n;
		text = jw_span_sub(text, n, text.n);
		if (prv->n == TRACE_SINK_BLOCK)
			send(prv);
	}
}

static enum jw_status write_block(void *to, struct jw_span block, struct jw_err *e)
{
	return jw_out_write(to, block, e);
}

enum jw_status trace_prv_open(struct trace_prv *prv, struct jw_out *out,
			      const struct trace_paraver_files *files,
			      const struct trace_scene *scene, struct jw_err *e)
{
	struct jw_buf header = { 0 };

	*prv = (struct trace_prv){ .scene = scene, .thread = NO_THREAD, .e = e };
	prv->threads = jw_mem_zalloc(scene->thread_count + 1, sizeof(*prv->threads));
	if (!prv->threads)
		return jw_nomem(e);
	JW_TRY(deal_cpus(prv, e));
	JW_TRY(trace_sink_open(&prv->sink, write_block, out, files->pack, files->threads, e));
	prv->buf = trace_sink_block(prv->sink);
	put_header(&header, prv);
	enum jw_status status = jw_buf_finish(&header, "trace header", e);

	if (status == JW_OK)
		put_text(prv, jw_buf_span(&header));
	jw_buf_free(&header);
	return status;
}

enum jw_status trace_prv_check(void *ctx, struct jw_err *e)
{
	const struct trace_prv *prv = ctx;

	(void)e; /* it was told to that of begin */
	return prv->status;
}

enum jw_status trace_prv_finish(struct trace_prv *prv)
{
	end_line(prv);
	send(prv);
	if (prv->status == JW_OK)
		prv->status = trace_sink_finish(prv->sink, prv->e);
	return prv->status;
}

void trace_prv_close(struct trace_prv *prv)
{
	trace_sink_close(prv->sink);
	jw_mem_free(prv->threads);
	jw_mem_free(prv->cpus);
	trace_tally_free(&prv->held);
	*prv = (struct trace_prv){ 0 };
}
