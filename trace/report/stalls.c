/*
 * stalls.c: where threads have waited, and for what; and calls that wait or do something, by the
 * place where they are made.
 *
 *     a monitor   what the VM told: it is waited for at the place that it told, else in the
 *                 innermost call
 *     a call      what it has waited by itself, but for what the VM told of meanwhile
 *
 * A sum of stalls has two keys: the process, and where (a value of the .pcf and what it is one of);
 * the object, and how it was waited for.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/format/fields.h"
#include "trace/format/recording.h"
#include "trace/reader/prv_head.h"
#include "trace/reader/tally.h"
#include "trace/report/call_more.h"
#include "trace/report/channel_sums.h"
#include "trace/report/common_channel.h"
#include "trace/report/reading.h"
#include "trace/report/report.h"
#include "trace/report/little_else.h"
#include "trace/report/object_classes.h"
#include "trace/report/report_lists.h"
#include "trace/report/stalls.h"

#include "base/banned.h"

enum { AT_NOWHERE, AT_PLACE, AT_SITE, AT_METHOD, AT_KINDS };

#define TASK_SHIFT TRACE_STALL_TASK /* values of places, sites and methods are smaller */

static uint64_t key_of(uint32_t task, uint64_t value, unsigned kind)
{
	return (uint64_t)task << TASK_SHIFT |
	       ((value * AT_KINDS + kind) & ((UINT64_C(1) << TASK_SHIFT) - 1));
}

static void add_ns(struct trace_reading *r, struct trace_sum *sum, uint64_t ns)
{
	r->failed |= !sum;
	if (!sum)
		return;
	sum->count++;
	sum->ns += ns;
	sum->longest = ns > sum->longest ? ns : sum->longest;
}

/* A wait of LANE. ENDER: 1 + the lane that let it go on; 0: unknown; ENDER_NS: so long it was that one. CALLER: of where it waits; NULL: unknown. */
static void add(struct trace_reading *r, struct trace_lane *lane, uint64_t where, uint64_t object,
		uint64_t how, uint64_t ns, uint64_t ender, uint64_t ender_ns,
		const struct trace_call *caller)
{
	struct trace_sum *sum = trace_tally_at(&r->stalls, where, object * TRACE_WAIT_KINDS + how);

	add_ns(r, sum, ns);
	if (!sum)
		return;
	uint64_t place = (uint64_t)(sum - r->stalls.sums);
	uint64_t key = trace_dwelling_key(how, object, place);

	trace_dwelling_add(&lane->dwelling, how, key, ns, lane->wait_since + ns,
			   trace_dwelling_call(how, lane->depth ? lane->frames[0].enter + 1 : 0,
					       lane->wait_call));
	if (caller)
		add_ns(r, trace_tally_at(&r->callers, place, caller->method), ns);
	if (!ender)
		return;
	trace_dwelling_ended(&lane->dwelling, key, (uint32_t)(ender - 1), lane->wait_since + ns);
	add_ns(r, trace_tally_at(&r->enders, place, ender - 1), ender_ns);
}

/* The innermost call of a method, not of a call site, that was open on LANE when it began to wait; NULL: none. */
static const struct trace_call *caller_of(const struct trace_lane *lane)
{
	uint32_t d = lane->wait_depth < lane->depth ? lane->wait_depth : lane->depth;

	for (; d > 0; d--) {
		const struct trace_call *call = &lane->frames[d - 1];
		const struct trace_call_more *more = trace_call_has(lane, call);

		if (!more || !more->site)
			return call;
	}
	return NULL;
}

void trace_stall_begins(struct trace_reading *r, uint32_t at)
{
	struct trace_lane *lane = &r->lanes[at];
	const struct trace_call_more *more = lane->depth ? trace_call_more(r, lane) : NULL;

	lane->wait_depth = lane->depth;
	const struct trace_call *method = caller_of(lane);

	lane->wait_call = method ? method->enter + 1 : 0;
	lane->wait_where = key_of(lane->task, 0, AT_NOWHERE);
	if (more && more->site)
		lane->wait_where = key_of(lane->task, more->site, AT_SITE);
	else if (lane->depth)
		lane->wait_where =
			key_of(lane->task, lane->frames[lane->depth - 1].method, AT_METHOD);
}

void trace_stall_told(struct trace_reading *r, uint32_t at, uint64_t time)
{
	struct trace_lane *lane = &r->lanes[at];
	const struct trace_call *call = lane->wait_depth && lane->wait_depth <= lane->depth
						? &lane->frames[lane->wait_depth - 1]
						: NULL;
	struct trace_call_more *more = call ? trace_call_has(lane, call) : NULL;
	uint64_t ns = time - lane->wait_since;

	if (more && call->enter <= lane->wait_since) {
		more->told_ns += ns;
		more->slept |= lane->wait == TRACE_WAIT_SLEEP;
	}
	add(r, lane,
	    lane->wait_place ? key_of(lane->task, lane->wait_place, AT_PLACE) : lane->wait_where,
	    lane->wait_object, lane->wait, ns, lane->let_in_by, trace_held_ns(lane, time),
	    lane->wait_place ? caller_of(lane) : NULL);
}

/* A call that ends with its wait may do so before it: of one instant waits come last. */
void trace_stall_left(struct trace_reading *r, uint32_t at, const struct trace_call_more *call,
		      uint64_t time)
{
	struct trace_lane *lane = &r->lanes[at];
	uint64_t told = call->told_ns, ns;
	bool slept = call->slept;

	if (lane->wait && lane->wait_depth == lane->depth + 1) {
		told += time - lane->wait_since;
		slept |= lane->wait == TRACE_WAIT_SLEEP;
	}
	ns = call->site ? trace_report_untold(call->stalled_ns, told, slept) : 0;
	if (ns)
		add(r, lane, key_of(lane->task, call->site, AT_SITE), call->object, 0, ns, 0, 0,
		    NULL);
}

bool trace_stall_summed(struct trace_reading *r, uint32_t at, uint64_t object, uint64_t how,
			const struct trace_sum *sum)
{
	struct trace_sum *to = trace_tally_at(&r->stalls, key_of(r->lanes[at].task, 0, AT_NOWHERE),
					      object * TRACE_WAIT_KINDS + how);

	if (!to)
		return false;
	to->count += sum->count;
	to->ns += sum->ns;
	to->longest = sum->longest > to->longest ? sum->longest : to->longest;
	return true;
}

/* ---- names ---- */

/* Cuts what follows the last MARK, up to a closing bracket at the end, off *TEXT. */
static struct jw_span cut(struct jw_span *text, struct jw_span mark, char close)
{
	struct jw_span none = JW_SPAN_LIT("");
	size_t at = text->n;

	if (text->n == 0 || text->p[text->n - 1] != (uint8_t)close)
		return none;
	while (at > 0 && !jw_span_starts(jw_span_sub(*text, at, text->n), mark))
		at--;
	if (at == 0)
		return none;
	struct jw_span part = jw_span_sub(*text, at + mark.n, text->n - at - mark.n - 1);

	text->n = at;
	return part;
}

bool trace_site_read(struct jw_arena *arena, struct jw_span label, struct trace_site_name *out)
{
	struct jw_span in = JW_SPAN_LIT(" in "), none = JW_SPAN_LIT("");
	struct jw_span operation = cut(&label, JW_SPAN_LIT(" ["), ']');
	struct jw_span source = cut(&label, JW_SPAN_LIT(" ("), ')');
	size_t colon = source.n, at = 0;
	uint64_t line = 0;

	while (colon > 0 && source.p[colon - 1] != ':')
		colon--;
	struct jw_span digits = jw_span_sub(source, colon, source.n);

	if (!trace_take_number(&digits, &line) || line > UINT32_MAX)
		line = 0;
	while (at < label.n && !jw_span_starts(jw_span_sub(label, at, label.n), in))
		at++;
	bool has_callee = at < label.n;

	*out = (struct trace_site_name){
		.callee = jw_arena_str(arena, has_callee ? jw_span_sub(label, 0, at) : none),
		.caller = jw_arena_str(arena,
				       has_callee ? jw_span_sub(label, at + in.n, label.n) : label),
		.source = jw_arena_str(arena, jw_span_sub(source, 0, colon ? colon - 1 : 0)),
		.operation = jw_arena_str(arena, operation),
		.line = (uint32_t)line,
	};
	return out->callee && out->caller && out->source && out->operation;
}

static const struct trace_site_name *named(const struct trace_site_names *names, uint64_t value)
{
	static const struct trace_site_name unknown = { "", "", "", "", 0 };

	return value - 1 < names->n ? &names->list[value - 1] : &unknown;
}

/* ---- the list of stalls ---- */

/* One sum, with all that it is put together by. */
struct stall {
	const struct trace_sum *sum;
	uint64_t where, how, class, object, channel;
	bool class_known; /* CLASS is a value of the .pcf, else a number of the object's */
	bool little_else; /* it is of threads that do little else */
};

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

/* By what makes one line, then by object. */
static int by_line(const void *a, const void *b)
{
	const struct stall *x = a, *y = b;
	int order = compare(x->where, y->where);

	order = order ? order : compare(x->how, y->how);
	order = order ? order : compare(x->class_known, y->class_known);
	order = order ? order : compare(x->class, y->class);
	order = order ? order : compare(x->little_else, y->little_else);
	order = order ? order : compare(x->object, y->object);
	order = order ? order : compare(x->channel, y->channel);
	return order ? order : compare(x->sum->a, y->sum->a);
}

static bool same_wait(const struct stall *x, const struct stall *y)
{
	return x->where == y->where && x->how == y->how && x->class_known == y->class_known &&
	       x->class == y->class;
}

static bool same_line(const struct stall *x, const struct stall *y)
{
	return same_wait(x, y) && x->little_else == y->little_else;
}

static struct stall open_stall(const struct trace_reading *r, const struct trace_sum *sum)
{
	uint64_t object = sum->b / TRACE_WAIT_KINDS, how = sum->b % TRACE_WAIT_KINDS;
	bool io = trace_wait_is_io(how); /* OBJECT is a channel */
	uint64_t class = io ? 0 : trace_class_value(r, (uint32_t)(sum->a >> TASK_SHIFT), object);

	return (struct stall){
		.sum = sum,
		.where = sum->a & ((UINT64_C(1) << TASK_SHIFT) - 1),
		.how = how,
		.class = class || io ? class : trace_object_class(object),
		.object = io ? 0 : object,
		.class_known = class > 0,
		.channel = io ? object : 0,
	};
}

/* "Short.name" of a label. */
static const char *short_part(struct jw_arena *arena, const char *label)
{
	const char *end = strstr(label, " [");

	return jw_arena_str(arena, jw_span(label, end ? (size_t)(end - label) : strlen(label)));
}

/* The class of what was waited for; "": it is not known. */
static const char *class_of(const struct stall *s, const struct trace_stall_names *names)
{
	if (s->class_known && s->class - 1 < names->class_count)
		return names->classes[s->class - 1];
	return trace_object_is_thread(s->object) ? "java.lang.Thread" : "";
}

static bool name_stall(const struct stall *s, const struct trace_stall_names *names,
		       struct jw_arena *arena, const struct trace_report *report,
		       struct trace_report_stall *out)
{
	uint64_t value = s->where / AT_KINDS;
	const struct trace_site_name *site = named(&names->places, 0);

	if (s->where % AT_KINDS == AT_PLACE)
		site = named(&names->places, value);
	else if (s->where % AT_KINDS == AT_SITE)
		site = named(&names->sites, value);
	*out = (struct trace_report_stall){
		.method = site->caller,
		.source = site->source,
		.line = site->line,
		.callee = s->how ? "" : site->callee,
		.channel = "",
		.how = (enum trace_report_how)s->how,
		.class_name = class_of(s, names),
		.class_number = trace_object_class(s->object),
	};
	if (s->where % AT_KINDS == AT_METHOD)
		out->method = short_part(arena, report->methods[value].label);
	return out->method;
}

const struct trace_wait_words trace_wait_words[TRACE_REPORT_HOWS] = {
#define WORDS(name, word, of, alone) { word, of, alone },
	TRACE_REPORT_HOW_LIST(WORDS)
#undef WORDS
};

bool trace_is_init_lock(const char *class_name)
{
	return strcmp(class_name, JWR_INIT_LOCK) == 0;
}

const char *trace_class_shown(const char *class_name)
{
	return trace_is_init_lock(class_name) ? "a class that is being initialized" : class_name;
}

const char *trace_wait_class(const struct trace_report_stall *s)
{
	bool monitor = s->how == TRACE_REPORT_ENTER || s->how == TRACE_REPORT_WAIT;

	return monitor ? trace_class_shown(s->class_name) : s->class_name;
}

const char *trace_wait_callee(const struct trace_report_stall *s)
{
	return s->how == TRACE_REPORT_CALL && !*s->callee ? "waits" : s->callee;
}

bool trace_is_lock(const char *class_name)
{
	const char *in_lock = strstr(class_name, "Lock$");
	struct jw_span inner = jw_span_str(in_lock ? in_lock : "");

	return jw_span_ends(inner, JW_SPAN_LIT("Sync")) ||
	       strcmp(class_name, "java.util.concurrent.locks.StampedLock") == 0;
}

const char *trace_wait_by(const struct trace_report_stall *s)
{
	bool lock = s->how == TRACE_REPORT_PARK && trace_is_lock(s->class_name);

	return s->how == TRACE_REPORT_ENTER || lock ? "held by" : "ended by";
}

bool trace_report_is_idle(enum trace_report_how how)
{
	return how == TRACE_REPORT_WORK || how == TRACE_REPORT_REQUESTS;
}

static int by_time(const void *a, const void *b)
{
	const struct trace_report_stall *x = a, *y = b;
	int order = compare(x->waiter, y->waiter);

	order = order ? order : compare(y->ns, x->ns);
	order = order ? order : compare(y->count, x->count);
	order = order ? order : strcmp(x->method, y->method);
	order = order ? order : compare(x->line, y->line);
	order = order ? order : strcmp(x->class_name, y->class_name);
	return order ? order : compare(x->object, y->object);
}

/* ---- who waited ---- */

static enum trace_report_waiter waiter_of(const struct stall *s)
{
	if (trace_report_is_idle((enum trace_report_how)s->how))
		return TRACE_REPORT_IDLE;
	return s->little_else ? TRACE_REPORT_LITTLE_ELSE : TRACE_REPORT_OTHERS;
}

/* ---- who ended them, and who called what waits ---- */

static int by_share(const void *a, const void *b)
{
	const struct trace_report_share *x = a, *y = b;
	int order = compare(y->ns, x->ns);

	return order ? order : compare(x->of, y->of);
}

/* The first of LIST, sorted by the place of a stall, that is at AT or after it. */
static size_t first_at(const struct trace_sum **list, size_t n, uint64_t at)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list[middle]->a < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds those of the N in LIST that are of the waits of S to OWN, the shares of its line so far. */
static void add_shares(const struct trace_reading *r, const struct trace_sum **list, size_t n,
		       const struct stall *s, struct trace_report_share *own, size_t *count)
{
	uint64_t at = (uint64_t)(s->sum - r->stalls.sums);

	for (size_t i = first_at(list, n, at); i < n && list[i]->a == at; i++) {
		size_t k = 0;

		while (k < *count && own[k].of != list[i]->b)
			k++;
		*count += k == *count;
		own[k].of = (size_t)list[i]->b;
		own[k].count += list[i]->count;
		own[k].ns += list[i]->ns;
	}
}

/* LIST has N of one line but for who waits: if most of it is of threads that do little else all of it counts as
 * that, else these have a line of their own. */
static void part_line(struct stall *list, size_t n)
{
	uint64_t little = 0, all = 0;

	for (size_t i = 0; i < n; i++) {
		all += list[i].sum->ns;
		little += list[i].little_else ? list[i].sum->ns : 0;
	}
	for (size_t i = 0; i < n && trace_dwelling_is_most(little, all); i++)
		list[i].little_else = true;
}

/* All sums of stalls, those of one line side by side, to be freed; NULL: no memory. DWELLERS, by their
 * places, as little_else.h says. */
static struct stall *sorted_stalls(const struct trace_reading *r,
				   const struct trace_stall_names *names, const uint8_t *dwellers)
{
	struct stall *list = jw_mem_zalloc(r->stalls.n + 1, sizeof(*list));

	for (size_t i = 0; list && i < r->stalls.n; i++) {
		struct stall s = open_stall(r, &r->stalls.sums[i]);

		s.little_else = dwellers[i] != TRACE_NO_DWELLER &&
				!trace_report_is_idle((enum trace_report_how)s.how) &&
				!trace_dwelling_is_lock(class_of(&s, names),
							dwellers[i] == TRACE_ONE_DWELLER);
		list[i] = s;
	}
	if (!list || r->stalls.n < 2)
		return list;
	qsort(list, r->stalls.n, sizeof(*list), by_line);
	for (size_t i = 0, end; i < r->stalls.n; i = end) {
		for (end = i + 1; end < r->stalls.n && same_wait(&list[i], &list[end]);)
			end++;
		part_line(&list[i], end - i);
	}
	return list;
}

/* Lines are fewer than sums: all processes wait at the same places. */
static size_t count_lines(const struct stall *list, size_t n)
{
	size_t lines = n > 0;

	for (size_t i = 1; i < n; i++)
		lines += !same_line(&list[i - 1], &list[i]);
	return lines;
}

/* Adds S to its LINE. That of another process is another object, too. */
static void add_stall(struct trace_report_stall *line, const struct stall *s)
{
	line->objects += s->object > 0;
	line->object = s->object & TRACE_OBJECT_IDENTITY;
	line->count += s->sum->count;
	line->ns += s->sum->ns;
	line->longest_ns = s->sum->longest > line->longest_ns ? s->sum->longest : line->longest_ns;
}

static void sort_shares(struct trace_report_share *own, size_t count)
{
	if (count > 1)
		qsort(own, count, sizeof(*own), by_share);
}

bool trace_put_stalls(const struct trace_reading *r, const struct trace_stall_names *names,
		      struct jw_arena *arena, struct trace_report *report)
{
	const struct trace_sum **enders = trace_sums_by_a(&r->enders, arena);
	uint8_t *dwellers = trace_of_little_else(r, names->channels, arena, report);
	struct trace_report_share *shares =
		JW_NEW_ARRAY(arena, struct trace_report_share, r->enders.n + 1);
	const struct trace_sum **callers = trace_sums_by_a(&r->callers, arena);
	struct trace_report_share *called =
		JW_NEW_ARRAY(arena, struct trace_report_share, r->callers.n + 1);
	struct stall *list = dwellers ? sorted_stalls(r, names, dwellers) : NULL;
	size_t lines = list ? count_lines(list, r->stalls.n) : 0;
	struct trace_report_stall *out = JW_NEW_ARRAY(arena, struct trace_report_stall, lines + 1);
	bool good = list && out && enders && shares && callers && called;

	for (size_t i = 0, n = 0; good && n < lines; n++) {
		struct trace_report_stall *line = &out[n];
		const struct stall *first = &list[i];
		struct trace_common_channel common = { 0 };

		good = name_stall(first, names, arena, report, line);
		for (; i < r->stalls.n && same_line(first, &list[i]); i++) {
			add_shares(r, enders, r->enders.n, &list[i], shares, &line->ender_count);
			add_shares(r, callers, r->callers.n, &list[i], called, &line->caller_count);
			add_stall(line, &list[i]);
			if (list[i].channel - 1 < names->channels->n)
				trace_common_channel_add(
					&common, names->channels->list[list[i].channel - 1]);
		}
		line->channel = trace_common_channel_text(&common, arena);
		good = good && line->channel;
		line->waiter = waiter_of(first);
		sort_shares(shares, line->ender_count);
		sort_shares(called, line->caller_count);
		line->enders = shares;
		line->callers = called;
		shares += line->ender_count;
		called += line->caller_count;
	}
	jw_mem_free(list);
	if (good && lines > 1)
		qsort(out, lines, sizeof(*out), by_time);
	report->stalls = out;
	report->stall_count = lines;
	return good;
}

/* ---- the list of sites ---- */

static int by_site(const void *a, const void *b)
{
	const struct trace_report_site *x = a, *y = b;
	int order = compare(y->ns, x->ns);

	order = order ? order : compare(y->count, x->count);
	order = order ? order : strcmp(x->caller, y->caller);
	order = order ? order : compare(x->line, y->line);
	return order ? order : strcmp(x->callee, y->callee);
}

static void add_share(struct trace_report_site *site, const struct trace_report_share *share)
{
	site->threads = site->thread_count++ ? site->threads : share;
	site->count += share->count;
	site->exceptional += share->exceptional;
	site->ns += share->ns;
	site->bytes += share->bytes;
}

bool trace_put_sites(const struct trace_reading *r, const struct trace_site_names *names,
		     struct jw_arena *arena, struct trace_report *report)
{
	const struct trace_sum **list = trace_sums_by_a(&r->sites, arena);
	struct trace_report_site *out =
		JW_NEW_ARRAY(arena, struct trace_report_site, r->sites.n + 1);
	struct trace_report_share *shares =
		JW_NEW_ARRAY(arena, struct trace_report_share, r->sites.n + 1);
	size_t n = 0;

	if (!list || !out || !shares)
		return false;
	for (size_t i = 0; i < r->sites.n; i++) {
		if (i == 0 || list[i]->a != list[i - 1]->a) {
			const struct trace_site_name *name = named(names, list[i]->a);

			out[n++] = (struct trace_report_site){ .callee = name->callee,
							       .caller = name->caller,
							       .source = name->source,
							       .operation = name->operation,
							       .line = name->line };
		}
		shares[i] = trace_sums_share(list[i], (size_t)list[i]->b);
		add_share(&out[n - 1], &shares[i]);
	}
	if (n > 1)
		qsort(out, n, sizeof(*out), by_site);
	report->sites = out;
	report->site_count = n;
	return true;
}
