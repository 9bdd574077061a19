#include "runtime-jni/recorder/tasks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/grow.h"
#include "base/memory.h"

#include "base/banned.h"

#define HEADS       4096
#define PASSED_MOST (16 * RT_TASKS_LOOK) /* tasks of the same head, at either end of its list */

/* ---- lists in one piece of memory, which grows up to a limit ---- */

struct waiting {
	uint64_t body, number;
	void *ref;
	uint32_t next, before; /* handed over later, earlier, with a body of the same head; 1 +
				* index, 0: none */
	uint32_t depth; /* it runs already: the body of so many that were open; 0: it does not */
};

struct open {
	uint64_t body, thread;
	uint32_t next; /* opened before, by a thread of the same head; also of free ones */
	bool known;
};

static struct {
	pthread_mutex_t lock;
	struct waiting *tasks;
	size_t task_cap;
	uint32_t task_count, free_tasks;    /* free_tasks: 1 + index */
	uint32_t first[HEADS], last[HEADS]; /* 1 + index */
	uint32_t kept;                      /* so many are in lists */
	uint32_t running;                   /* of these, of a depth above 0 */
	uint32_t refused;                   /* since all were looked at */
	struct open *bodies;
	size_t body_cap;
	uint32_t body_count, free_bodies;
	uint32_t newest[HEADS];
	bool blind; /* some bodies that are open are not known here */
} all = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint32_t head_of(uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) % HEADS;
}

/* ---- bodies that are open ---- */

static void push(uint64_t body, uint64_t thread, bool known)
{
	uint32_t at = all.free_bodies, *head = &all.newest[head_of(thread)];

	if (at) {
		all.free_bodies = all.bodies[at - 1].next;
	} else {
		static const struct jw_growth bodies = { "bodies", RT_BODIES_MOST, 64 };

		if (jw_grow(NULL, &all.bodies, &all.body_cap, sizeof(*all.bodies),
			    (size_t)all.body_count + 1, &bodies, NULL) != JW_OK) {
			all.blind = true;
			return;
		}
		at = ++all.body_count;
	}
	all.bodies[at - 1] = (struct open){ body, thread, *head, known };
	*head = at;
}

/* Closes the innermost BODY of THREAD; *DEPTH: so many were open. False: it is not known. */
static bool pop(uint64_t body, uint64_t thread, uint32_t *depth, bool *known)
{
	uint32_t *found = NULL;

	*depth = 0;
	for (uint32_t *at = &all.newest[head_of(thread)]; *at; at = &all.bodies[*at - 1].next) {
		const struct open *o = &all.bodies[*at - 1];

		if (o->thread != thread || o->body != body)
			continue;
		found = found ? found : at;
		++*depth;
	}
	if (!found)
		return false;
	uint32_t gone = *found;
	struct open *o = &all.bodies[gone - 1];

	*known = o->known;
	*found = o->next;
	o->next = all.free_bodies;
	all.free_bodies = gone;
	return true;
}

static uint32_t depth_of(uint64_t body, uint64_t thread)
{
	uint32_t depth = 0;

	for (uint32_t at = all.newest[head_of(thread)]; at; at = all.bodies[at - 1].next)
		depth += all.bodies[at - 1].thread == thread && all.bodies[at - 1].body == body;
	return depth;
}

/* ---- tasks ---- */

static void take_out(const struct rt_task_view *view, uint32_t head, uint32_t gone)
{
	struct waiting *w = &all.tasks[gone - 1];

	view->drop(view->ctx, w->ref);
	*(w->before ? &all.tasks[w->before - 1].next : &all.first[head]) = w->next;
	*(w->next ? &all.tasks[w->next - 1].before : &all.last[head]) = w->before;
	w->next = all.free_tasks;
	all.free_tasks = gone;
	all.kept--;
	all.running -= w->depth > 0;
}

struct search {
	const struct rt_task_view *view;
	uint64_t body, thread, found;
	uint32_t depth;
	uint32_t looked, passed; /* tasks that were looked at; all */
};

/* Is the task AT the one? It is taken out then, and when it is over. */
static bool is_it(struct search *s, uint32_t head, uint32_t at)
{
	const struct waiting *w = &all.tasks[at - 1];
	uint64_t runner = 0, number = w->number;

	s->passed++;
	if (w->body != s->body || w->depth != s->depth)
		return false;
	s->looked++;
	bool lives = s->view->look(s->view->ctx, w->ref, &runner);

	if (lives && runner != s->thread)
		return false;
	take_out(s->view, head, at);
	s->found = lives ? number : 0;
	return lives;
}

/* Looks from *AT on, back or forth, until STOP; *AT is then where it ended. */
static bool look_from(struct search *s, uint32_t head, uint32_t *at, uint32_t stop, bool back)
{
	uint32_t next;

	s->looked = s->passed = 0;
	for (; *at != stop && s->looked < RT_TASKS_LOOK && s->passed < PASSED_MOST; *at = next) {
		next = back ? all.tasks[*at - 1].before : all.tasks[*at - 1].next;
		if (is_it(s, head, *at))
			return true;
	}
	return false;
}

/* The task with BODY that runs in THREAD at DEPTH, taken out; 0: there is none. From the oldest on,
 * for that is the order of most queues, and then from the newest back: a thread that the pool
 * begins with a task, and a stack of tasks, let those run first. */
static uint64_t take(const struct rt_task_view *view, uint64_t body, uint64_t thread,
		     uint32_t depth)
{
	struct search s = { .view = view, .body = body, .thread = thread, .depth = depth };
	uint32_t head = head_of(body), at = all.first[head];

	if (depth > 0 && all.running == 0)
		return 0;
	if (look_from(&s, head, &at, 0, false))
		return s.found;
	if (!at)
		return 0;
	uint32_t known = all.tasks[at - 1].before;

	at = all.last[head];
	return look_from(&s, head, &at, known, true) ? s.found : 0;
}

/* Drops all that are over. */
static void sweep(const struct rt_task_view *view)
{
	for (uint32_t head = 0; head < HEADS; head++) {
		uint32_t next;

		for (uint32_t at = all.first[head]; at; at = next) {
			uint64_t runner = 0;

			next = all.tasks[at - 1].next;
			if (!view->look(view->ctx, all.tasks[at - 1].ref, &runner))
				take_out(view, head, at);
		}
	}
}

/* A place for one more; 0: there is none. */
static uint32_t place(const struct rt_task_view *view)
{
	static const struct jw_growth tasks = { "tasks", RT_TASKS_MOST, 64 };
	uint32_t at = all.free_tasks;

	/* looking at all of them is expensive: not for every one that finds no room */
	if (all.kept >= RT_TASKS_MOST && all.refused++ % (RT_TASKS_MOST / 4) == 0) {
		sweep(view);
		at = all.free_tasks;
	}
	if (at) {
		all.free_tasks = all.tasks[at - 1].next;
		return at;
	}
	if (jw_grow(NULL, &all.tasks, &all.task_cap, sizeof(*all.tasks), (size_t)all.task_count + 1,
		    &tasks, NULL) != JW_OK)
		return 0;
	return ++all.task_count;
}

/* KNOWN: every body that this task may have begun is in the lists. */
static bool keep(const struct rt_task_view *view, uint64_t body, uint64_t number, void *ref,
		 bool known)
{
	uint64_t runner = 0;

	if (!view->look(view->ctx, ref, &runner) || (runner && (all.blind || !known)))
		return false;
	uint32_t head = head_of(body), at = place(view);

	if (!at)
		return false;
	all.tasks[at - 1] = (struct waiting){ .body = body,
					      .number = number,
					      .ref = ref,
					      .before = all.last[head],
					      .depth = runner ? depth_of(body, runner) : 0 };
	all.running += all.tasks[at - 1].depth > 0;
	*(all.last[head] ? &all.tasks[all.last[head] - 1].next : &all.first[head]) = at;
	all.last[head] = at;
	all.kept++;
	return true;
}

/* ---- which bodies are worth it ---- */

/* By the head of the body. Those that begin before are outside of all that a task may run later:
 * they are neither counted nor closed here. */
static _Atomic(uint64_t) expected[HEADS / 64];

bool rt_body_is_expected(uint64_t body)
{
	uint32_t head = head_of(body);

	return atomic_load_explicit(&expected[head / 64], memory_order_acquire) >> head % 64 & 1;
}

void rt_task_expected(uint64_t body)
{
	uint32_t head = head_of(body);

	if (!rt_body_is_expected(body))
		atomic_fetch_or(&expected[head / 64], UINT64_C(1) << head % 64);
}

/* ---- what is told ---- */

void rt_task_handed(const struct rt_task_view *view, uint64_t body, uint64_t number, void *ref)
{
	bool known = rt_body_is_expected(body);

	rt_task_expected(body);
	pthread_mutex_lock(&all.lock);
	bool kept = keep(view, body, number, ref, known);
	pthread_mutex_unlock(&all.lock);
	if (!kept)
		view->drop(view->ctx, ref);
}

uint64_t rt_body_begins(const struct rt_task_view *view, uint64_t body, uint64_t thread)
{
	if (!rt_body_is_expected(body))
		return 0;
	pthread_mutex_lock(&all.lock);
	uint64_t number = take(view, body, thread, 0);

	push(body, thread, number != 0);
	pthread_mutex_unlock(&all.lock);
	return number;
}

uint64_t rt_body_ends(const struct rt_task_view *view, uint64_t body, uint64_t thread)
{
	uint32_t depth;
	uint64_t number = 0;
	bool known = true;

	if (!rt_body_is_expected(body))
		return 0;
	pthread_mutex_lock(&all.lock);
	if (pop(body, thread, &depth, &known) && !known)
		number = take(view, body, thread, depth);
	pthread_mutex_unlock(&all.lock);
	return number;
}
