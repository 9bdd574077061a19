/*
 * config.h: what the user asked of the recorder.
 *
 * One table of settings (base/settings.def). A value comes from the system property jweave.NAME,
 * else from the environment variable JWEAVE_NAME, else from what the rules baked into the archive,
 * else from the table; a wrong one is named in one line, and the next in this order is used. So is
 * a name that would be a setting's, and is none.
 */
#ifndef RT_CONFIG_H
#define RT_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/settings.h"

/* The values of settings that have words (base/settings.h). */
#define RT_CHOICE(name, word) RT_CHOICE_##name,
enum rt_choice { JW_CHOICE_WORDS(RT_CHOICE) };
#undef RT_CHOICE
#define RT_MODE(name, word) RT_MODE_##name,
enum rt_mode { JW_MODE_WORDS(RT_MODE) };
#undef RT_MODE
#define RT_START(name, word) RT_START_##name,
enum rt_start { JW_START_WORDS(RT_START) };
#undef RT_START

#define RT_FLIGHT_SIZE (UINT64_C(64) << 20) /* max_size of a flight recorder, unless it is said */

/* What the VM is asked to tell, besides threads: a bit for each word. */
#define RT_EVENT_PLACE(name, word) RT_EVENT_PLACE_##name,
enum rt_event_place { JW_EVENTS_WORDS(RT_EVENT_PLACE) };
#undef RT_EVENT_PLACE
#define RT_EVENTS(name, word) RT_EVENTS_##name = 1 << RT_EVENT_PLACE_##name,
enum rt_events { JW_EVENTS_WORDS(RT_EVENTS) };
#undef RT_EVENTS

#define RT_ALLOC_BYTES (UINT64_C(512) << 10) /* between two samples, unless it is said */

struct rt_config {
	const char *output; /* name without suffix; %h host, %p process id, %% a percent sign;
			     * with a slash at its end the folder for the default name */
	const char *tmp;    /* folder for the window file; "" or NULL: inside the recording */
	const char *job;    /* folder of the job's recordings; "": none */
	const char *role;   /* what the process is in it; "": not said */
	const char
		*left_out; /* so many methods, in digits, as earlier runs have learnt; "": none */
	uint64_t max_size; /* bytes of the recording; UINT64_MAX: no limit */
	enum rt_choice convert;
	enum rt_choice ffm;  /* probes through FFM; AUTO: once the recording is long */
	unsigned events;     /* of enum rt_events */
	bool events_said;    /* they are not the default */
	uint64_t alloc;      /* bytes between two allocations that are recorded, on average */
	enum rt_choice keep; /* the recording stays after a conversion; AUTO: where names miss */
	bool summary;        /* one line at the end */
	enum rt_start start;
	enum rt_mode mode;
	unsigned budget;  /* millionths of the CPU time that recording may take
				       * (budget.h); 0: any */
	bool all_threads; /* waits are told of threads that called nothing traced, too */
	bool control;     /* jweave ctl may reach the process */
	const char *enable, *disable; /* ids of rules with a switch, commas between; "" none */
};

/* Where values are looked up: NULL when not set. PROPERTY may be NULL (no JVM: the environment
 * alone). */
struct rt_config_source {
	char *(*property)(void *ctx, const char *name, struct jw_arena *arena);
	/* Gives TAKE the name of every property there is; may be NULL. */
	void (*each_property)(void (*take)(void *ctx, const char *name), void *ctx);
	void *ctx;
	void (*say)(const char *line); /* takes the line about a wrong value */
	struct jw_span baked; /* text of the archive that begins (base/baked.h), or empty */
};

/* Fills OUT; strings live in ARENA or in the environment's copy there. False: no memory. */
bool rt_config_read(const struct rt_config_source *source, struct jw_arena *arena,
		    struct rt_config *out);

/* The word for MODE. */
const char *rt_mode_name(enum rt_mode mode);

/* NAME with %h and %p replaced; NULL: no memory. */
char *rt_expand_name(const char *name, const char *host, long pid, struct jw_arena *arena);

#endif
