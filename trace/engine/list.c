/*
 * list.c: see list.h.
 */
#include "trace/engine/list.h"

#include <stdlib.h>
#include <string.h>

#include "trace/engine/causes.h"
#include "trace/reader/channels.h"

#include "base/banned.h"

const char *const trace_cause_words[TRACE_CAUSES] = {
#define CAUSE_WORD(name, word) word,
	TRACE_CAUSE_LIST(CAUSE_WORD)
#undef CAUSE_WORD
};

static bool is_named(const struct trace_engine_task *t, enum trace_engine_name name)
{
	return t->is_named >> name & 1;
}

void trace_engine_want(struct trace_wanted *names, const struct trace_engine_task *t)
{
	if (!is_named(t, TRACE_ENGINE_ID))
		trace_want(names, TRACE_NAME_ROW, t->thread);
	for (uint32_t i = 0; i < t->wait_count; i++) {
		trace_want(names, TRACE_NAME_CLASS, t->waits[i].class);
		trace_want(names, TRACE_NAME_CHANNEL, t->waits[i].channel);
		if (t->waits[i].ender)
			trace_want(names, TRACE_NAME_ROW, t->waits[i].ender - 1);
	}
}

struct naming {
	struct trace_wanted *wanted;
	const struct trace_scene *scene;
	const struct trace_names *names;
	struct jw_arena *arena;
	const char **executors, **hosts,
		**jobs; /* of processes, of hosts: made when they are needed */
};

/* ---- what a task is called ---- */

/* The list lives longer than the scene and what is told of names. NULL: no memory. */
static const char *copy(const struct naming *n, const char *text)
{
	return jw_arena_str(n->arena, jw_span_str(text));
}

static const char *text_of(const struct naming *n, uint64_t number)
{
	const struct trace_names *names = n->names;

	if (names && number && number <= names->text_count &&
	    names->texts[number - 1].number == number)
		return copy(n, names->texts[number - 1].text);
	return jw_arena_fmt(n->arena, "text %llu", (unsigned long long)number);
}

/* Of a class its simple name is enough. NULL: no memory. */
static const char *name_of(const struct naming *n, const struct trace_engine_task *t,
			   enum trace_engine_name name)
{
	if (!(t->is_text >> name & 1))
		return jw_arena_fmt(n->arena, "%llu", (unsigned long long)t->named[name]);
	const char *text = text_of(n, t->named[name]);
	const char *dot = text && name == TRACE_ENGINE_STAGE ? strrchr(text, '.') : NULL;

	return dot && dot[1] ? dot + 1 : text;
}

/* Reads the number at AT, which is then after it. False: there is none. */
static bool take_number(const char **at, uint64_t *out)
{
	size_t n = strspn(*at, "0123456789");

	*out = n && n < 10 ? strtoull(*at, NULL, 10) : 0;
	*at += n;
	return n && n < 10;
}

/* END is of the name of a thread: " (1/4)#2", of the third attempt. */
static void take_attempt(struct trace_engine_task *t, const char *end)
{
	uint64_t number, all, attempt;

	if (t->has_attempt || strncmp(end, " (", 2) != 0)
		return;
	end += 2;
	if (!take_number(&end, &number) || *end++ != '/' || !take_number(&end, &all) ||
	    strncmp(end, ")#", 2) != 0)
		return;
	end += 2;
	if (!take_number(&end, &attempt) || *end)
		return;
	t->has_attempt = true;
	t->attempt = attempt;
}

/* A task without an id is called after its thread, and its stage is that without its number:
 * "Map (1/4)#0" is of the stage "Map". */
static bool name_by_thread(const struct naming *n, struct trace_engine_task *t)
{
	t->id = trace_wanted_thread(n->wanted, n->scene, t->thread);
	if (!t->id)
		return false;
	const char *end = NULL;

	for (const char *at = t->id; (at = strstr(at, " (")); at++)
		end = at;
	if (end)
		take_attempt(t, end);
	if (!*t->stage && end)
		t->stage = jw_arena_str(n->arena, jw_span(t->id, (size_t)(end - t->id)));
	return t->stage;
}

static const char *executor_of(const struct naming *n, uint32_t process)
{
	const struct trace_scene_process *p = &n->scene->processes[process];
	const char **at = &n->executors[process];

	if (!*at)
		*at = p->role && *p->role     ? copy(n, p->role)
		      : p->title && *p->title ? copy(n, p->title)
		      : p->pid ? jw_arena_fmt(n->arena, "process %llu", (unsigned long long)p->pid)
			       : jw_arena_fmt(n->arena, "process %u.%u", p->application, p->number);
	return *at;
}

static const char *host_of(const struct naming *n, uint32_t host)
{
	if (host >= n->scene->host_count || !n->scene->hosts[host])
		return "";
	if (!n->hosts[host])
		n->hosts[host] = copy(n, n->scene->hosts[host]);
	return n->hosts[host];
}

static const char *job_of(const struct naming *n, uint32_t process)
{
	const struct trace_scene_process *p = &n->scene->processes[process];
	const char **at = &n->jobs[process];

	if (!*at)
		*at = p->job && *p->job ? copy(n, p->job) : "";
	return *at;
}

static bool name_task(const struct naming *n, struct trace_engine_task *t)
{
	t->job = job_of(n, t->process);
	t->stage = is_named(t, TRACE_ENGINE_STAGE) ? name_of(n, t, TRACE_ENGINE_STAGE) : "";
	t->executor = executor_of(n, t->process);
	t->host = host_of(n, n->scene->processes[t->process].host);
	t->has_attempt =
		is_named(t, TRACE_ENGINE_ATTEMPT) && !(t->is_text >> TRACE_ENGINE_ATTEMPT & 1);
	t->attempt = t->has_attempt ? t->named[TRACE_ENGINE_ATTEMPT] : 0;
	t->has_partition =
		is_named(t, TRACE_ENGINE_PARTITION) && !(t->is_text >> TRACE_ENGINE_PARTITION & 1);
	t->partition = t->has_partition ? t->named[TRACE_ENGINE_PARTITION] : 0;
	if (!t->stage || !t->executor || !t->host || !t->job)
		return false;
	if (!is_named(t, TRACE_ENGINE_ID))
		return name_by_thread(n, t);
	t->id = name_of(n, t, TRACE_ENGINE_ID);
	return t->id;
}

/* ---- what it waited for ---- */

static const char *class_of(const struct naming *n, const struct trace_task_wait *w)
{
	const char *text = trace_wanted_text(n->wanted, TRACE_NAME_CLASS, w->class);

	return text ? text : "";
}

static const char *channel_of(const struct naming *n, const struct trace_task_wait *w)
{
	const char *text = trace_wanted_text(n->wanted, TRACE_NAME_CHANNEL, w->channel);

	return text ? text : "";
}

static bool is_lock(const struct naming *n, const struct trace_task_wait *w)
{
	return w->how == TRACE_REPORT_ENTER || trace_is_lock(class_of(n, w));
}

/* Is it of the disk: neither a connection, nor what has no place in a file system? */
static bool is_file(const struct naming *n, const struct trace_task_wait *w)
{
	static const char *const elsewhere[] = { "pipe:", "socket:", "anon_inode:", "/dev/" };
	const char *channel = channel_of(n, w);

	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(*elsewhere); i++)
		if (strncmp(channel, elsewhere[i], strlen(elsewhere[i])) == 0)
			return false;
	return *channel && !trace_is_connection(channel);
}

/* What of many files is not told apart is of files where the longest that is told is. */
static bool is_rest_of_files(const struct naming *n, const struct trace_engine_task *t,
			     const struct trace_task_wait *w)
{
	for (uint32_t i = 0; !w->channel && t->wait_count == TRACE_TASK_WAITS_MOST &&
			     (w->how == TRACE_REPORT_READ || w->how == TRACE_REPORT_WRITE ||
			      w->how == TRACE_REPORT_CALL) &&
			     i < t->wait_count;
	     i++)
		if (t->waits[i].channel)
			return is_file(n, &t->waits[i]);
	return false;
}

static void add_waits(const struct naming *n, struct trace_engine_task *t)
{
	t->did.lock_ns = t->did.inside.ns[TRACE_REPORT_BLOCKED];
	for (uint32_t i = 0; i < t->wait_count; i++) {
		const struct trace_task_wait *w = &t->waits[i];

		if (w->how != TRACE_REPORT_ENTER && is_lock(n, w))
			t->did.lock_ns += w->ns;
		else if (is_file(n, w) || is_rest_of_files(n, t, w))
			t->did.file_ns += w->ns;
	}
}

/* Does W belong to KIND? */
static bool fits(const struct naming *n, const struct trace_task_wait *w,
		 enum trace_cause_kind kind)
{
	switch (kind) {
	case TRACE_CAUSE_LOCK:
		return is_lock(n, w);
	case TRACE_CAUSE_DISK:
		return is_file(n, w);
	case TRACE_CAUSE_IO:
		return w->channel && !is_file(n, w);
	case TRACE_CAUSE_WAIT:
		return !w->channel && !is_lock(n, w);
	default:
		return false;
	}
}

/* The longest wait of its kind says what it was for. */
static bool name_cause(const struct naming *n, const struct trace_engine_task *t,
		       struct trace_cause *cause)
{
	const struct trace_task_wait *w = t->waits, *end = t->waits + t->wait_count;

	if (cause->kind == TRACE_CAUSE_DISK &&
	    t->did.measures[TRACE_MEASURE_WRITE_NS] / 2 > t->did.file_ns) {
		cause->of = "writing, as the engine says";
		return true;
	}
	while (w < end && !fits(n, w, cause->kind))
		w++;
	if (w == end)
		return true;
	cause->of = w->channel ? channel_of(n, w) : class_of(n, w);
	if (w->ender && cause->kind == TRACE_CAUSE_LOCK)
		cause->ender = trace_wanted_thread(n->wanted, n->scene, w->ender - 1);
	return cause->ender;
}

/* ---- order ---- */

static int compare_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_stage(const void *a, const void *b)
{
	const struct trace_engine_task *x = a, *y = b;
	int order = compare_u64(x->application, y->application);

	if (!order)
		order = compare_u64(x->is_text >> TRACE_ENGINE_STAGE & 1,
				    y->is_text >> TRACE_ENGINE_STAGE & 1);
	if (!order && !(x->is_text >> TRACE_ENGINE_STAGE & 1))
		order = compare_u64(x->named[TRACE_ENGINE_STAGE], y->named[TRACE_ENGINE_STAGE]);
	if (!order)
		order = strcmp(x->stage, y->stage);
	if (!order)
		order = compare_u64(x->begin, y->begin);
	return order ? order : compare_u64(x->thread, y->thread);
}

/* Of one stage: the early ones come first, the later ones last. */
static int by_wave(const void *a, const void *b)
{
	const struct trace_engine_task *x = a, *y = b;

	if (x->early != y->early)
		return x->early ? -1 : 1;
	if (x->later != y->later)
		return x->later ? 1 : -1;
	return by_stage(a, b);
}

static bool same_stage(const struct trace_engine_task *a, const struct trace_engine_task *b)
{
	return a->application == b->application && strcmp(a->stage, b->stage) == 0;
}

static uint64_t longer_by(const struct trace_engine_task *t)
{
	return t->straggler ? t->ns - t->median_ns : 0;
}

static int worst_first(const void *a, const void *b)
{
	const struct trace_engine_task *x = a, *y = b;
	int order = compare_u64(longer_by(y), longer_by(x));

	if (!order)
		order = compare_u64(y->ns, x->ns);
	return order ? order : by_stage(a, b);
}

/* Which of the N tasks of a stage began after one of them had ended in their process; ENDED is of
 * processes. */
static void find_later(struct trace_engine_task *tasks, size_t n, uint64_t *ended)
{
	for (size_t i = 0; i < n; i++)
		ended[tasks[i].process] = UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		uint64_t end = tasks[i].open ? UINT64_MAX : tasks[i].begin + tasks[i].ns;

		if (end < ended[tasks[i].process])
			ended[tasks[i].process] = end;
	}
	for (size_t i = 0; i < n; i++)
		tasks[i].later = !tasks[i].early && tasks[i].begin >= ended[tasks[i].process];
	if (n > 1)
		qsort(tasks, n, sizeof(*tasks), by_wave);
}

/* ENDED has room for each process. */
static bool compare_stages(struct trace_engine_list *list, uint64_t *ended)
{
	struct trace_engine_task *tasks = list->tasks;
	uint64_t *room = NULL;
	size_t have = 0;

	for (size_t i = 0, end; i < list->n; i = end) {
		for (end = i + 1; end < list->n && same_stage(&tasks[i], &tasks[end]);)
			end++;
		if (end - i > have) {
			jw_mem_free(room);
			have = end - i;
			room = jw_mem_zalloc(have, TRACE_STAGE_ROOM * sizeof(*room));
			if (!room)
				return false;
		}
		find_later(tasks + i, end - i, ended);
		trace_engine_compare(tasks + i, end - i, room);
		list->stages++;
	}
	jw_mem_free(room);
	return true;
}

bool trace_engine_name(struct trace_wanted *wanted, const struct trace_scene *scene,
		       const struct trace_names *names, struct trace_engine_list *list,
		       struct jw_arena *arena)
{
	const struct naming n = {
		.wanted = wanted,
		.scene = scene,
		.names = names,
		.arena = arena,
		.executors = JW_NEW_ARRAY(arena, const char *, (size_t)scene->process_count + 1),
		.hosts = JW_NEW_ARRAY(arena, const char *, (size_t)scene->host_count + 1),
		.jobs = JW_NEW_ARRAY(arena, const char *, (size_t)scene->process_count + 1),
	};
	struct trace_engine_task *tasks = list->tasks;
	uint64_t *ended = JW_NEW_ARRAY(arena, uint64_t, (size_t)scene->process_count + 1);

	if (!n.executors || !n.hosts || !n.jobs || !ended)
		return false;
	for (size_t i = 0; i < list->n; i++) {
		if (!name_task(&n, &tasks[i]))
			return false;
		add_waits(&n, &tasks[i]);
	}
	if (list->n > 1)
		qsort(tasks, list->n, sizeof(*tasks), by_stage);
	if (!compare_stages(list, ended))
		return false;
	for (size_t i = 0; i < list->n; i++) {
		list->stragglers += tasks[i].straggler;
		list->cut += tasks[i].cut;
		for (uint32_t k = 0; k < tasks[i].cause_count; k++)
			if (!name_cause(&n, &tasks[i], &tasks[i].causes[k]))
				return false;
	}
	if (list->n > 1)
		qsort(tasks, list->n, sizeof(*tasks), worst_first);
	return true;
}
