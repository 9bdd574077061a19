/*
 * log_output.c: see log_output.h.
 */
#include "tests/trace/log_output.h"

#include "base/memory.h"

#include "base/banned.h"

static void note(struct log *log, struct log_line line)
{
	if (log->n < log->cap)
		log->at[log->n++] = line;
}

static enum jw_status begin(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	(void)scene;
	(void)e;
	note(ctx, (struct log_line){ .kind = 'b' });
	return JW_OK;
}

static void enter(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	note(ctx, (struct log_line){ thread, time, 'e', method, 0 });
}

static void leave(void *ctx, uint32_t thread, uint64_t time, bool failed)
{
	note(ctx, (struct log_line){ thread, time, failed ? 'f' : 'l', 0, 0 });
}

static void resume(void *ctx, uint32_t thread, uint64_t time, uint64_t method)
{
	note(ctx, (struct log_line){ thread, time, 'r', method, 0 });
}

static void suspend(void *ctx, uint32_t thread, uint64_t time)
{
	note(ctx, (struct log_line){ thread, time, 'u', 0, 0 });
}

static void state(void *ctx, uint32_t thread, uint64_t from, uint64_t to, uint64_t state)
{
	note(ctx, (struct log_line){ thread, from, 's', state, to });
}

static void event(void *ctx, uint32_t thread, uint64_t time, enum trace_type type, uint64_t value)
{
	note(ctx, (struct log_line){ thread, time, 'v', value, type });
}

static void outside(void *ctx, uint32_t thread, uint64_t time, enum trace_type type, uint64_t value)
{
	note(ctx, (struct log_line){ thread, time, 'O', value, type });
}

static void operation(void *ctx, uint32_t thread, uint64_t time, enum jw_operation_type type,
		      uint64_t number)
{
	note(ctx, (struct log_line){ thread, time, 'p', number, type });
}

static void captured(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
		     uint64_t value)
{
	note(ctx, (struct log_line){ thread, time, 'c', value, (uintptr_t)what });
}

static void released(void *ctx, uint32_t thread, uint64_t time, const struct jw_capture *what,
		     bool has_outer, uint64_t outer)
{
	note(ctx, (struct log_line){ thread, time, has_outer ? 'R' : 'x', outer, (uintptr_t)what });
}

static void user(void *ctx, uint32_t thread, uint64_t time, uint64_t type, uint64_t value)
{
	note(ctx, (struct log_line){ thread, time, 'U', value, type });
}

static void arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		  uint64_t tag)
{
	note(ctx, (struct log_line){ from, sent, 'a', to, received });
	note(ctx, (struct log_line){ from, sent, 't', tag, 0 });
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct log *log = ctx;

	return log->fails_at && log->n >= log->fails_at ? jw_fail(e, JW_IO, "the log is full")
							: JW_OK;
}

static void over(void *ctx, uint64_t end)
{
	note(ctx, (struct log_line){ .time = end, .kind = 'o' });
}

static void name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	note(ctx, (struct log_line){ .kind = 'n', .what = number, .more = what + 100 * label.n });
}

static enum jw_status finish(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	(void)names;
	(void)e;
	note(ctx, (struct log_line){ .kind = 'E' });
	return JW_OK;
}

#define ALL_MUST_HAVE                                                                   \
	.begin = begin, .state = state, .enter = enter, .leave = leave, .event = event, \
	.operation = operation, .captured = captured, .user = user, .arrow = arrow,     \
	.check = check, .end = finish

#define ALL                                                                                      \
	ALL_MUST_HAVE, .resume = resume, .suspend = suspend, .released = released, .over = over, \
		       .name = name, .outside = outside

const struct trace_output log_output = { ALL };
const struct trace_output log_output_in_order = { ALL, .in_order = true };
const struct trace_output log_output_by_thread = { ALL, .by_thread = true };
const struct trace_output log_output_least = { ALL_MUST_HAVE };

bool log_open(struct log *log, size_t cap)
{
	*log = (struct log){ .at = jw_mem_zalloc(cap, sizeof(*log->at)), .cap = cap };
	return log->at;
}

void log_close(struct log *log)
{
	jw_mem_free(log->at);
	*log = (struct log){ 0 };
}
