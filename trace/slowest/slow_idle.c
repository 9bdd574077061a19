/*
 * slow_idle.c: see slow_idle.h.
 */
#include "trace/slowest/slow_idle.h"

#include "trace/reader/channels.h"

#include "base/banned.h"

/* Where a thread waited: the place that was told, else the call. 0: nowhere. */
static uint64_t place_of(const struct trace_followed_wait *wait)
{
	enum { KINDS = 3 };

	if (wait->place)
		return wait->place * KINDS;
	return wait->site ? wait->site * KINDS + 1 : wait->method ? wait->method * KINDS + 2 : 0;
}

static uint64_t key_of(const struct trace_followed_wait *wait)
{
	return trace_dwelling_key(wait->how, wait->object, place_of(wait));
}

/* 1 + when the innermost call of a method began, not one of a call site, in which WAIT was; 0: in none. */
static uint64_t method_call(const struct trace_followed_thread *t,
			    const struct trace_followed_wait *wait)
{
	uint32_t d = wait->depth < t->depth ? wait->depth : t->depth;

	while (d > 0 && t->calls[d - 1].site)
		d--;
	return d ? t->calls[d - 1].enter + 1 : 0;
}

/* Time for work is idle, whatever else the thread does. */
void trace_slow_idle_waited(struct trace_slow_thread *thread, const struct trace_followed_thread *t,
			    const struct trace_followed_wait *wait)
{
	uint64_t key = wait->for_work ? TRACE_DWELLING_NOWHERE : key_of(wait);

	if (!wait->for_work)
		trace_dwelling_add(
			&thread->dwelling, wait->how, key, wait->ns, wait->since + wait->ns,
			trace_dwelling_call(wait->how, t->depth ? t->calls[0].enter + 1 : 0,
					    method_call(t, wait)));
	if (wait->ender.thread)
		trace_dwelling_ended(&thread->dwelling, key, wait->ender.thread - 1,
				     wait->since + wait->ns);
	if (wait->bytes && (wait->how == TRACE_REPORT_READ || wait->how == TRACE_REPORT_WRITE))
		trace_dwelling_moved(&thread->dwelling, wait->channel,
				     wait->how == TRACE_REPORT_WRITE);
}

static uint64_t life_ns(const struct trace_followed_thread *t)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < TRACE_REPORT_TIMES; i++)
		ns += i == TRACE_REPORT_OTHER ? 0 : t->split.ns[i];
	return ns;
}

static const struct trace_dwelling *dwelling_of(const void *ctx, uint32_t at)
{
	const struct trace_slow_thread *threads = ctx;

	return &threads[at].dwelling;
}

/* Is it the wait of a thread, AT of THREADS, that does nearly nothing else? */
static bool is_dwelling(const struct trace_slow_entry *part,
			const struct trace_slow_thread *threads, uint64_t end, uint32_t at,
			bool alone, const struct trace_wanted *names)
{
	const struct trace_dwelling *d = &threads[at].dwelling;

	if (part->io || part->rest || part->wait.for_work || key_of(&part->wait) != d->key)
		return false;
	const char *class_name = trace_wanted_text(names, TRACE_NAME_CLASS, part->wait.class);
	const char *channel = trace_wanted_text(names, TRACE_NAME_CHANNEL, d->read);

	return trace_dwelling_may_be(d, channel && trace_is_accepted(channel), end, at, dwelling_of,
				     threads) &&
	       !(class_name && trace_dwelling_is_lock(class_name, alone));
}

static bool dwells(const struct trace_slow_thread *thread, const struct trace_followed_thread *t)
{
	return trace_dwelling_is_most(thread->dwelling.ns, life_ns(t));
}

/* Does no other thread of its process dwell where AT does? */
static bool is_alone(uint32_t at, const struct trace_slow_thread *threads,
		     const struct trace_follow *follow)
{
	const struct trace_scene_thread *of = follow->scene->threads;

	for (uint32_t i = 0; i < follow->thread_count; i++)
		if (i != at && threads[i].dwelling.key == threads[at].dwelling.key &&
		    of[i].process == of[at].process && dwells(&threads[i], &follow->threads[i]))
			return false;
	return true;
}

void trace_slow_idle_want(struct trace_wanted *names, const struct trace_slow_thread *thread)
{
	trace_want(names, TRACE_NAME_CHANNEL, thread->dwelling.read);
}

/* Calls like K are often made, are much shorter, and wait for nothing there: all WAITS of the thread are in K. */
static bool is_incident(const struct trace_slow_kept *k, uint64_t waits,
			const struct trace_dwelling *d, const struct trace_usual *usual)
{
	return waits >= d->waits && trace_slow_over(k->ns, trace_usual_ns(usual, k->way));
}

void trace_slow_idle_find(struct trace_slow_kept *const *kept, size_t count,
			  const struct trace_slow_thread *threads,
			  const struct trace_follow *follow, const struct trace_wanted *names,
			  const struct trace_usual *usual)
{
	for (size_t i = 0; i < count; i++) {
		struct trace_slow_kept *k = kept[i];
		const struct trace_dwelling *d = &threads[k->at].dwelling;
		uint64_t ns = 0, waits = 0;

		if (!dwells(&threads[k->at], &follow->threads[k->at]))
			continue;
		bool alone = is_alone(k->at, threads, follow);
		for (size_t p = 0; p < k->part_count; p++) {
			if (!is_dwelling(&k->parts[p], threads, follow->end, k->at, alone, names))
				continue;
			ns += k->parts[p].wait.ns;
			waits += k->parts[p].count;
		}
		if (is_incident(k, waits, d, usual))
			continue;
		k->little_else = ns > k->ns / 2;
		k->idle = ns < k->ns - k->idle ? k->idle + ns : k->ns;
	}
}
