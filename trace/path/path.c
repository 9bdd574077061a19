/*
 * path.c: see path.h: each thread's way here, while the run is told.
 */
#include "trace/ignore.h"
#include "trace/path/path.h"

#include "base/memory.h"
#include "trace/path/path_int.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define SHORT_NS  1000 /* waits that are shorter are no segments of their own */
#define MAIN_NEAR 3    /* %: main ends a run though others did something for so long after it */

/* ---- what was waited for ---- */

static uint32_t hash_of(const struct trace_followed_wait *w)
{
	return jw_hash_id(w->class ^ w->place << 20 ^ w->site << 36 ^ w->method << 8 ^
			  (uint64_t)w->how << 60);
}

static bool same(const struct trace_followed_wait *a, const struct trace_followed_wait *b)
{
	return a->how == b->how && a->class == b->class && a->place == b->place &&
	       a->site == b->site && a->method == b->method;
}

/* The number of what AT waits for, objects of one class together; 0: no memory. */
static uint32_t about(struct trace_path *p, uint32_t at)
{
	const struct trace_followed_thread *t = &p->follow.threads[at];
	const struct trace_followed_call *top = t->depth ? &t->calls[t->depth - 1] : NULL;
	struct trace_followed_wait w = { .how = TRACE_REPORT_CALL,
					 .class = top ? top->class : 0,
					 .site = top ? top->site : 0,
					 .method = top ? top->method : 0 };

	if (t->waits)
		w = (struct trace_followed_wait){ .how = t->wait.how,
						  .class = t->wait.class,
						  .place = t->wait.place,
						  .site = t->wait.site,
						  .method = t->wait.method };
	for (struct jw_lookup_walk walk = jw_lookup_walk(&p->abouts.lookup, hash_of(&w));
	     jw_lookup_next(&walk);)
		if (same(&p->abouts.at[walk.place], &w))
			return walk.place + 1;
	struct trace_followed_wait *grown =
		trace_grow(p->abouts.at, p->abouts.n, &p->abouts.cap, sizeof(*grown));

	p->abouts.at = grown ? grown : p->abouts.at;
	if (!grown || !jw_lookup_add(&p->abouts.lookup, hash_of(&w), p->abouts.n)) {
		p->follow.failed = true;
		return 0;
	}
	grown[p->abouts.n++] = w;
	return (uint32_t)p->abouts.n;
}

/* ---- a thread's way ---- */

static bool add(struct trace_path *p, uint32_t at, uint64_t method, uint32_t about, uint32_t what,
		uint64_t ns)
{
	uint32_t number = method ? trace_methods_number(&p->methods, method) : TRACE_NO_METHOD;
	const struct trace_path_key key = { .thread = at,
					    .method = number == TRACE_NO_METHOD ? 0 : number + 1,
					    .about = about,
					    .what = what };

	return (!method || number != TRACE_NO_METHOD) &&
	       trace_path_bag_add(&p->lanes[at].branch.tail, &key, ns);
}

/* One after another, as nothing else comes between, so that the processor looks for several at once:
 * none of them is in its cache. */
static void add_due(struct trace_path *p, uint32_t at)
{
	struct trace_path_lane *lane = &p->lanes[at];

	for (uint32_t i = 0; i < lane->due_n; i++)
		p->follow.failed |=
			!add(p, at, lane->due[i].method, 0, TRACE_REPORT_RUNNING, lane->due[i].ns);
	lane->due_n = 0;
}

/* METHOD has run for NS in a call of AT that is over. */
static void add_later(struct trace_path *p, uint32_t at, uint64_t method, uint64_t ns)
{
	struct trace_path_lane *lane = &p->lanes[at];

	if (!lane->due)
		lane->due = jw_mem_alloc(TRACE_PATH_DUE * sizeof(*lane->due));
	if (!lane->due) {
		p->follow.failed = true;
		return;
	}
	if (lane->due_n && lane->due[lane->due_n - 1].method == method) {
		lane->due[lane->due_n - 1].ns += ns;
		return;
	}
	lane->due[lane->due_n++] = (struct trace_path_due){ method, ns };
	if (lane->due_n == TRACE_PATH_DUE)
		add_due(p, at);
}

/* What calls of AT have run by themselves joins what it has done. */
static void gather(struct trace_path *p, uint32_t at)
{
	const struct trace_followed_thread *t = &p->follow.threads[at];
	struct trace_path_lane *lane = &p->lanes[at];

	add_due(p, at);
	for (; lane->low < t->depth; lane->low++) {
		struct trace_followed_call *call = &t->calls[lane->low];

		if (call->ran_ns)
			p->follow.failed |=
				!add(p, at, call->method, 0, TRACE_REPORT_RUNNING, call->ran_ns);
		call->ran_ns = 0;
	}
}

static void forget_calls(struct trace_path *p, uint32_t at)
{
	const struct trace_followed_thread *t = &p->follow.threads[at];
	struct trace_path_lane *lane = &p->lanes[at];

	lane->due_n = 0;
	for (; lane->low < t->depth; lane->low++)
		t->calls[lane->low].ran_ns = 0;
}

/* In most of its time a call runs: that is added up in the call, and nothing is searched. */
static void run(struct trace_path *p, uint32_t at, uint64_t ns)
{
	const struct trace_followed_thread *t = &p->follow.threads[at];
	uint32_t i = t->depth - 1;

	while (i > 0 && t->calls[i].site)
		i--;
	t->calls[i].ran_ns += ns;
	if (i < p->lanes[at].low)
		p->lanes[at].low = i;
}

static void cut(struct trace_path *p, uint32_t at, uint64_t time, enum trace_path_kind kind)
{
	gather(p, at);
	trace_history_close(&p->history, &p->lanes[at].branch, at, time, kind);
}

static void fold(struct trace_path *p)
{
	if (!trace_history_is_full(&p->history))
		return;
	do {
		trace_history_new_walk(&p->history);
		for (uint32_t i = 0; i < p->follow.thread_count; i++) {
			trace_history_fold(&p->history, p->lanes[i].branch.node);
			trace_history_fold(&p->history, p->lanes[i].from);
			trace_history_fold(&p->history, p->lanes[i].selected);
		}
	} while (!trace_history_is_smaller(&p->history) && p->history.grain < p->end);
}

/* Does AT wait, at WHAT it does, for any of its connections? */
static bool selects(const struct trace_path *p, uint32_t at, uint32_t what)
{
	const struct trace_followed_thread *t = &p->follow.threads[at];

	return t->waits &&
	       (t->wait.how == TRACE_REPORT_SELECT || t->wait.how == TRACE_REPORT_REQUESTS) &&
	       (what == TRACE_REPORT_WAITING || what == TRACE_REPORT_FOR_WORK ||
		what == TRACE_REPORT_IO);
}

static void forget_select(struct trace_path *p, struct trace_path_lane *lane)
{
	trace_history_release(&p->history, lane->selected);
	lane->selected = NULL;
}

/* AT does WHAT from BEGIN to END, which follows all it has done. */
static void go(struct trace_path *p, uint32_t at, uint64_t begin, uint64_t end, uint32_t what)
{
	struct trace_path_lane *lane = &p->lanes[at];
	bool waits =
		what != TRACE_PATH_HAND_OVER && trace_follow_waits((enum trace_report_time)what);
	bool selected = selects(p, at, what);
	uint64_t least = p->history.grain > SHORT_NS && !selected ? p->history.grain : SHORT_NS;
	bool apart = (waits || selected || what == TRACE_PATH_HAND_OVER) && end - begin >= least;

	if (apart)
		cut(p, at, begin, TRACE_PATH_RUNS);
	p->follow.failed |= !add(p, at, trace_follow_method(&p->follow, at),
				 waits ? about(p, at) : 0, what, end - begin);
	if (apart)
		cut(p, at, end,
		    waits      ? TRACE_PATH_WAITS
		    : selected ? TRACE_PATH_RUNS
			       : TRACE_PATH_GOES_ON);
	if (apart && selected) {
		forget_select(p, lane);
		lane->selected = trace_history_share(lane->branch.node);
	}
	fold(p);
}

static void forget(struct trace_path *p, struct trace_path_lane *lane)
{
	trace_history_release(&p->history, lane->from);
	lane->from = NULL;
	lane->pending = false;
}

/* AT goes on at TIME, since another thread has let it: its own way until then was no matter. */
static void hop(struct trace_path *p, uint32_t at, uint64_t time)
{
	struct trace_path_lane *lane = &p->lanes[at];

	trace_history_release(&p->history, lane->branch.node);
	trace_path_bag_clear(&lane->branch.tail);
	forget_calls(p, at);
	trace_path_unborn(p, lane);
	lane->branch.node = lane->from;
	lane->branch.since = lane->sent;
	lane->from = NULL;
	lane->pending = lane->gone = false;
	forget_select(p, lane);
	if (time > lane->sent)
		go(p, at, lane->sent, time, TRACE_PATH_HAND_OVER);
}

bool trace_path_awaits(const struct trace_path *p, uint32_t at, enum trace_report_time what)
{
	return trace_follow_waits(what) ||
	       (what == TRACE_REPORT_IO && trace_follow_awaits_io(&p->follow, at));
}

/* May an arrow that arrives while AT does WHAT have let it go on? Outside of traced methods nobody knows
 * what it does, unless it was seen to wait when the arrow was sent. */
static bool is_held(const struct trace_path *p, uint32_t at, enum trace_report_time what)
{
	const struct trace_path_lane *lane = &p->lanes[at];
	bool outside = p->follow.threads[at].depth == 0 && !(lane->pending && lane->waited);

	return outside || trace_path_awaits(p, at, what);
}

/* Is AT there at TIME? Its row may be that of several threads, one after another. */
static void live(struct trace_path *p, uint32_t at, uint64_t time)
{
	struct trace_path_lane *lane = &p->lanes[at];
	bool gone = p->follow.threads[at].state == TRACE_NOT_CREATED;

	if (gone) {
		if (!lane->gone)
			cut(p, at, time, TRACE_PATH_RUNS);
		trace_path_unborn(p, lane);
	} else if (lane->gone) {
		forget_calls(p, at);
		forget_select(p, lane);
		trace_path_born(p, at, time);
	}
	lane->gone = gone;
}

/* AT does WHAT from BEGIN to END: who has let it go on counts from when it does. Back: what follows begins then. */
static uint64_t go_on(struct trace_path *p, uint32_t at, uint64_t begin, uint64_t end,
		      enum trace_report_time what)
{
	const struct trace_path_lane *lane = &p->lanes[at];
	bool held = is_held(p, at, what);
	uint64_t time = held && lane->received > begin ? lane->received : begin;

	if (!lane->pending || (held && lane->received > end))
		return begin;
	if (trace_path_was_idler(p, at, time)) {
		forget(p, &p->lanes[at]);
		return begin;
	}
	hop(p, at, time);
	return time;
}

static void ran(void *ctx, uint32_t at, uint64_t begin, uint64_t end, enum trace_report_time what)
{
	struct trace_path *p = ctx;
	struct trace_path_lane *lane = &p->lanes[at];

	begin = begin > p->begin ? begin : p->begin;
	end = end < p->end ? end : p->end;
	if (begin >= end)
		return;
	live(p, at, begin);
	if (!lane->gone)
		trace_path_lived(p, begin, end);
	begin = go_on(p, at, begin, end, what);
	bool calls = p->follow.threads[at].depth > 0;

	if (calls && (what == TRACE_REPORT_RUNNING || what == TRACE_REPORT_IO))
		lane->active = end;
	if (calls && what == TRACE_REPORT_RUNNING) { /* as nearly always: nothing holds it */
		run(p, at, end - begin);
		return;
	}
	if (is_held(p, at, what))
		lane->held = end;
	if (begin < end)
		go(p, at, begin, end, what);
}

static void left(void *ctx, uint32_t at, const struct trace_followed_call *call, uint64_t time,
		 bool failed)
{
	struct trace_path *p = ctx;
	uint32_t depth = p->follow.threads[at].depth;

	(void)time;
	(void)failed;
	if (call->ran_ns)
		add_later(p, at, call->method, call->ran_ns);
	if (p->lanes[at].low > depth)
		p->lanes[at].low = depth;
}

static const struct trace_follower follower = { .ran = ran, .left = left };

/* ---- arrows ---- */

/* SERVER lets LANE go on, which is about to read what somebody has sent while SERVER waited for its
 * connections. So that is what ended the wait: many servers wait in one thread, and read in another. */
static void end_select(struct trace_path *p, struct trace_path_lane *server,
		       const struct trace_path_lane *lane)
{
	if (server->selected && lane->pending && lane->reads && lane->from &&
	    trace_history_end_wait(&p->history, server->selected, lane->from, lane->made,
				   lane->sent))
		forget_select(p, server);
}

static void take_arrow(void *ctx, uint32_t from, uint64_t sent, uint32_t to, uint64_t received,
		       uint64_t tag)
{
	struct trace_path *p = ctx;
	struct trace_path_lane *lane = &p->lanes[to];

	trace_follow_arrow(&p->follow, from, sent, to, received, trace_tag_alone(tag));
	if (from == to || sent < p->begin || sent >= p->end || received < sent ||
	    (lane->held != sent && !is_held(p, to, trace_follow_doing(&p->follow, to, sent))) ||
	    !trace_follow_may_end(&p->follow, to, trace_tag_alone(tag)))
		return;
	if (lane->pending && lane->received < received) /* that comes first */
		return;
	end_select(p, &p->lanes[from], lane);
	forget(p, lane);
	cut(p, from, sent, TRACE_PATH_RUNS);
	if (p->lanes[from].born) {
		cut(p, to, sent, TRACE_PATH_RUNS);
		trace_path_meet(p, from, to);
	}
	lane->from = trace_path_asked(p, from, to, sent);
	if (!lane->from)
		lane->from = trace_history_share(p->lanes[from].branch.node);
	lane->sent = sent;
	lane->received = received;
	lane->pending = true;
	lane->waited = trace_path_awaits(p, to, trace_follow_doing(&p->follow, to, sent));
	lane->reads = trace_follow_is_read(trace_tag_alone(tag));
	lane->idled = p->follow.threads[to].depth == 0 &&
		      trace_follow_doing(&p->follow, to, sent) == TRACE_REPORT_FOR_WORK;
	lane->made = p->history.made;
	fold(p);
}

/* ---- the rest of the output ---- */

static enum jw_status take_scene(void *ctx, const struct trace_scene *scene, struct jw_err *e)
{
	struct trace_path *p = ctx;

	p->begin = p->call ? p->call->begin : scene->begin;
	p->end = p->call ? p->call->end : scene->end;
	p->first = UINT64_MAX;
	p->lanes = jw_mem_zalloc((size_t)scene->thread_count + 1, sizeof(*p->lanes));
	for (uint32_t i = 0; p->lanes && i < scene->thread_count; i++)
		p->lanes[i].branch.since = p->begin;
	return p->lanes ? trace_follow_begin(&p->follow, scene, e) : jw_nomem(e);
}

static void take_state(void *ctx, uint32_t at, uint64_t begin, uint64_t end, uint64_t state)
{
	struct trace_path *p = ctx;

	trace_follow_state(&p->follow, at, begin, end, state);
}

static void take_enter(void *ctx, uint32_t at, uint64_t time, uint64_t method)
{
	struct trace_path *p = ctx;

	trace_follow_enter(&p->follow, at, time, method);
}

static void take_leave(void *ctx, uint32_t at, uint64_t time, bool failed)
{
	struct trace_path *p = ctx;

	trace_follow_leave(&p->follow, at, time, failed);
}

static void take_event(void *ctx, uint32_t at, uint64_t time, enum trace_type type, uint64_t value)
{
	struct trace_path *p = ctx;

	trace_follow_event(&p->follow, at, time, type, value);
}

static void take_operation(void *ctx, uint32_t at, uint64_t time, enum jw_operation_type type,
			   uint64_t number)
{
	struct trace_path *p = ctx;

	trace_follow_operation(&p->follow, at, time, type, number);
}

static enum jw_status check(void *ctx, struct jw_err *e)
{
	const struct trace_path *p = ctx;

	return p->follow.failed || p->history.failed ? jw_nomem(e) : JW_OK;
}

/* The thread in which a run ends is the one that did something last; main, if it is hardly before
 * that: timers and the like go on while the JVM ends. */
static uint32_t last_thread(const struct trace_path *p)
{
	const struct trace_scene *scene = p->follow.scene;
	uint64_t near = p->latest > p->first ? (p->latest - p->first) * MAIN_NEAR / 100 : 0;
	uint32_t last = 0, main = UINT32_MAX;

	for (uint32_t i = 0; i < scene->thread_count; i++) {
		if (p->lanes[i].active > p->lanes[last].active)
			last = i;
		if (scene->threads[i].number == 1 && !scene->threads[i].is_vm &&
		    (main == UINT32_MAX || p->lanes[i].active > p->lanes[main].active))
			main = i;
	}
	return main < UINT32_MAX && p->lanes[main].active + near >= p->lanes[last].active ? main
											  : last;
}

static void take_over(void *ctx, uint64_t end)
{
	struct trace_path *p = ctx;

	/* of a trace that goes on after its own end, what comes after that was not followed */
	p->end = p->call || end > p->end ? p->end : end;
	trace_follow_over(&p->follow, end);
	if (p->follow.thread_count == 0 || p->end <= p->begin)
		return;
	p->last = p->call ? p->call->thread : last_thread(p);
	if (p->of_life)
		trace_path_end_with_life(p, &p->lanes[p->last]);
	cut(p, p->last, p->end, TRACE_PATH_RUNS);
	if (p->of_life)
		trace_path_begin_with_life(p, &p->lanes[p->last]);
	trace_path_want(p);
}

static void take_name(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_path *p = ctx;

	trace_wanted_take(&p->names, what, number, label);
}

static enum jw_status finish(void *ctx, const struct trace_names *names, struct jw_err *e)
{
	struct trace_path *p = ctx;

	(void)names;
	JW_TRY(check(p, e));
	return !p->names.failed && trace_path_tell(p) ? JW_OK : jw_nomem(e);
}

const struct trace_output trace_path_output = {
	.begin = take_scene,
	.state = take_state,
	.enter = take_enter,
	.leave = take_leave,
	.event = take_event,
	.operation = take_operation,
	.captured = trace_ignore_captured,
	.user = trace_ignore_user,
	.arrow = take_arrow,
	.check = check,
	.over = take_over,
	.name = take_name,
	.end = finish,
};

/* ---- all of it ---- */

struct trace_path *trace_path_new(const struct trace_path_call *call, struct jw_arena *arena)
{
	struct trace_path *p = jw_mem_zalloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->follow.to = &follower;
	p->follow.ctx = p;
	p->call = call;
	p->arena = p->names.arena = arena;
	return p;
}

void trace_path_of_life(struct trace_path *p)
{
	p->of_life = !p->call;
}

struct trace_follow *trace_path_follow(struct trace_path *p)
{
	return &p->follow;
}

struct trace_path_list trace_path_list(const struct trace_path *p)
{
	return p->list;
}

void trace_path_free(struct trace_path *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; p->lanes && i < p->follow.thread_count; i++) {
		trace_history_release(&p->history, p->lanes[i].branch.node);
		trace_history_release(&p->history, p->lanes[i].from);
		trace_history_release(&p->history, p->lanes[i].selected);
		trace_history_release(&p->history, p->lanes[i].born);
		trace_path_bag_free(&p->lanes[i].branch.tail);
		jw_mem_free(p->lanes[i].due);
	}
	jw_mem_free(p->lanes);
	jw_mem_free(p->abouts.at);
	jw_lookup_free(&p->abouts.lookup);
	trace_methods_free(&p->methods);
	trace_follow_free(&p->follow);
	trace_wanted_free(&p->names);
	jw_mem_free(p);
}
