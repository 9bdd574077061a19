/*
 * engine.h: the tasks that an engine (Spark, Hadoop, Flink, or a program of the user's own) ran: when
 * and where, what each did with its time, and which took much longer than the others of their stage,
 * and why.
 *
 *     new -> an output told all of it (output.h) -> list -> free
 *
 * Which captures say what of a task is in facts.def; times, pauses and waits are the trace's own.
 *
 * A straggler has taken TRACE_STRAGGLER_TIMES as long as the median of the stage's other tasks, and
 * TRACE_STRAGGLER_NS longer. Tasks that began before any had ended in their process, which had all
 * its classes to load, are compared with each other, and so are the later ones. Its causes are what it had more of than these had in the median: of a
 * kind of time, that; of bytes or records, the time that the median would have taken for as many. So
 * each explains a share of what it took longer (causes.h).
 *
 * Memory: some 600 bytes for each task, 2 KB more while it runs, what follow.h takes.
 */
#ifndef JW_TRACE_ENGINE_ENGINE_H
#define JW_TRACE_ENGINE_ENGINE_H

#include "base/memory.h"
#include "base/status.h"
#include "trace/engine/facts.h"
#include "trace/output.h"
#include "trace/report/report.h"

#define TRACE_STRAGGLER_TIMES 1.5
#define TRACE_STRAGGLER_NS    UINT64_C(50000000)
#define TRACE_TASK_WAITS_MOST 16 /* that are told apart; the shortest of more are one */
#define TRACE_TASK_CAUSES     3

/* Why a task took longer. X(NAME, word): of two that explain as much the first one counts. */
#define TRACE_CAUSE_LIST(X)                                                   \
	X(SKEW, "skew")   /* it had more bytes or records */                  \
	X(GC, "gc")       /* stopped by the garbage collector */              \
	X(SPILL, "spill") /* it spilled more often, or more bytes */          \
	X(FETCH, "fetch") /* it waited for what other tasks had made */       \
	X(LOCK, "lock")                                                       \
	X(DISK, "disk") /* reading, writing files took longer */              \
	X(WAIT, "wait") /* for anything else */                               \
	X(IO, "io")     /* of sockets, or what nobody knows */                \
	X(CPU, "cpu")   /* it ran for longer than the CPU time that it had */ \
	X(RUN, "running")

enum trace_cause_kind {
#define TRACE_CAUSE_ENUM(name, word) TRACE_CAUSE_##name,
	TRACE_CAUSE_LIST(TRACE_CAUSE_ENUM)
#undef TRACE_CAUSE_ENUM
		TRACE_CAUSES,
};
extern const char *const trace_cause_words[TRACE_CAUSES];

struct trace_cause {
	enum trace_cause_kind kind;
	double share; /* 0 to 1, of what the task took longer */
	/* ns; of SKEW bytes or records, as MEASURE says; the median is that of the others */
	uint64_t value, median;
	enum trace_measure measure;
	const char *
		of; /* the class of the lock, the file or connection, or that the engine says so; "" unknown */
	const char *ender; /* the thread that held the lock; "" unknown */
};

/* What a task waited for most, of one kind. */
struct trace_task_wait {
	enum trace_report_how how;
	uint64_t class, channel; /* numbers; 0: unknown */
	uint64_t ns, count;
	uint32_t ender; /* 1 + the place of a thread; 0: unknown */
};

/* What a task did with its time, or all of several did. */
struct trace_engine_figures {
	struct trace_report_split inside;
	uint64_t measures[TRACE_MEASURES];
	uint32_t measured;         /* those that are known, as bits */
	uint64_t lock_ns, file_ns; /* waits for locks; reading, writing files */
};

struct trace_engine_task {
	const char *id, *stage;          /* the stage is "" where nothing says it */
	uint64_t attempt, partition;     /* from 0 */
	bool has_attempt, has_partition; /* known? */
	const char *executor, *host;     /* the role of its process, and its host */
	const char *job;                 /* what its application is called; "": unknown */
	uint32_t process, thread;        /* places in the scene */
	uint32_t depth;                  /* of its call, from 1: the outermost */
	uint64_t begin, ns;
	bool early;     /* no task had ended in its process when it began */
	bool later;     /* one of its stage had */
	bool failed;    /* an exception ended it, or its engine says so */
	bool cancelled; /* as its engine says */
	bool open;      /* it had not ended with the trace, or its process */
	bool cut;       /* a range has a part of it: it is compared with none */
	struct trace_engine_figures did;
	uint64_t median_ns; /* of the others in its stage; 0: there are none */
	bool straggler;
	struct trace_cause causes[TRACE_TASK_CAUSES];
	uint32_t cause_count;
	const struct trace_task_wait *waits; /* the longest first */
	uint32_t wait_count;
	/* before names are known */
	uint64_t named[TRACE_ENGINE_NAMES];
	uint8_t is_named, is_text; /* bits */
	uint32_t application;
};

/* Stragglers first, that which took the most longer before all; then the longest. */
struct trace_engine_list {
	struct trace_engine_task *tasks;
	size_t n, stages, stragglers, cut; /* cut: so many tasks are */
	uint64_t begin_ns, duration_ns;
};

/* Tasks added up by what they have in common. */
enum trace_engine_by { TRACE_BY_STAGE, TRACE_BY_EXECUTOR, TRACE_BY_HOST };
struct trace_engine_group {
	const char *name;
	const char *job; /* of which application, where there are several; "": one, or unknown */
	uint64_t tasks, failed, stragglers;
	uint64_t begin, end; /* of the first, of the last one */
	uint64_t ns, median_ns, longest_ns;
	struct trace_engine_figures did;
};
struct trace_engine_groups {
	struct trace_engine_group *at; /* in order of begin */
	size_t n;
};

struct trace_engine;

/* May a task begin in what SCENE is of? Else no engine is needed to know that there are none. */
bool trace_engine_may_begin(const struct trace_scene *scene);

/* NULL: no memory. */
struct trace_engine *trace_engine_new(struct jw_arena *arena);
extern const struct trace_output trace_engine_output; /* of a struct trace_engine */
/* Lives as long as ENGINE; its texts are in the arena. */
struct trace_engine_list trace_engine_list(const struct trace_engine *engine);
/* NULL may be freed, too. */
void trace_engine_free(struct trace_engine *engine);

enum jw_status JW_MUST_USE trace_engine_groups(const struct trace_engine_list *list,
					       enum trace_engine_by by, struct jw_arena *arena,
					       struct trace_engine_groups *out, struct jw_err *e);

/* "lock: 300.000 ms, median of the others 0.000 ms, acme.Lock, held by main (100 %)" */
void trace_cause_put(struct jw_buf *out, const struct trace_cause *cause);

#endif
