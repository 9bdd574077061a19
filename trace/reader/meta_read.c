/* meta_read.c: the text of a recording's `meta` file. Lines are independent: a damaged one is
 * counted and skipped, so that a cut file costs what it misses. */
#include <stddef.h>
#include <string.h>

#include "trace/format/fields.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

#define FIELDS 12

/* The fields of one line after its first word. */
struct item {
	struct jw_span field[FIELDS];
	size_t n;
	struct trace_recording *rec;
	struct jw_err *e;
};

static struct jw_span field(const struct item *it, size_t i)
{
	return i < it->n ? it->field[i] : JW_SPAN_LIT("");
}

static bool dec(const struct item *it, size_t i, uint64_t *out)
{
	return trace_dec(field(it, i), UINT64_MAX, out);
}

static enum jw_status text(const struct item *it, size_t i, const char **out)
{
	char *s = trace_unescape(&it->rec->arena, field(it, i));

	if (!s)
		return jw_nomem(it->e);
	*out = s;
	return JW_OK;
}

static enum jw_status bad(struct item *it)
{
	it->rec->bad_lines++;
	return JW_OK;
}

static enum jw_status take_clock(struct item *it)
{
	it->rec->ns_ticks = jw_span_eq_str(field(it, 0), "monotonic");
	return text(it, 0, &it->rec->clock_name);
}

static enum jw_status take_alive(struct item *it)
{
	struct jwr_clock_point p;

	if (!dec(it, 0, &p.tick) || !dec(it, 1, &p.mono_ns) || !dec(it, 2, &p.wall_ns))
		return bad(it);
	if (p.tick > it->rec->alive_tick)
		it->rec->alive_tick = p.tick;
	return trace_points_add(&it->rec->points, &p, it->e);
}

static enum jw_status take_point(struct item *it)
{
	struct jwr_clock_point p;

	if (!dec(it, 0, &p.tick) || !dec(it, 1, &p.mono_ns) || !dec(it, 2, &p.wall_ns))
		return bad(it);
	if (it->rec->points.n == 0)
		it->rec->start_point = p;
	return trace_points_add(&it->rec->points, &p, it->e);
}

static enum jw_status take_boot(struct item *it)
{
	struct trace_boot *boot = &it->rec->boot;
	struct jw_span id = field(it, 0);

	if (id.n >= sizeof(boot->id) || !dec(it, 1, &boot->slept_ns))
		return bad(it);
	memcpy(boot->id, id.p, id.n);
	boot->id[id.n] = '\0';
	if (field(it, 2).n && !dec(it, 2, &boot->time_namespace))
		return bad(it);
	return JW_OK;
}

static enum jw_status take_pid(struct item *it)
{
	return dec(it, 0, &it->rec->pid) ? JW_OK : bad(it);
}

static enum jw_status take_rank(struct item *it)
{
	(void)dec(it, 1, &it->rec->ranks); /* of so many; not each launcher says it */
	it->rec->has_rank = dec(it, 0, &it->rec->rank);
	return it->rec->has_rank ? JW_OK : bad(it);
}

static enum jw_status take_windows(struct item *it)
{
	it->rec->anonymous = jw_span_eq_str(field(it, 0), "anonymous");
	return it->rec->anonymous ? JW_OK : text(it, 0, &it->rec->windows_path);
}

static enum jw_status add_text(struct item *it, const char ***list, size_t *n, size_t *cap)
{
	const char **grown = trace_grow(*list, *n, cap, sizeof(**list));

	if (!grown)
		return jw_nomem(it->e);
	*list = grown;
	JW_TRY(text(it, 0, &grown[*n]));
	++*n;
	return JW_OK;
}

static enum jw_status take_map(struct item *it)
{
	struct trace_recording *r = it->rec;

	return add_text(it, &r->maps, &r->map_count, &r->map_cap);
}

static enum jw_status take_note(struct item *it)
{
	struct trace_recording *r = it->rec;

	return add_text(it, &r->remarks, &r->remark_count, &r->remark_cap);
}

static enum jw_status take_tap(struct item *it)
{
	struct trace_recording *r = it->rec;

	return add_text(it, &r->taps, &r->tap_count, &r->tap_cap);
}

/* TEXT, of the arena (NULL: no memory), is noted. */
static enum jw_status add_remark(struct item *it, const char *text)
{
	struct trace_recording *r = it->rec;
	const char **grown =
		trace_grow(r->remarks, r->remark_count, &r->remark_cap, sizeof(*grown));

	if (!grown || !text)
		return jw_nomem(it->e);
	r->remarks = grown;
	grown[r->remark_count++] = text;
	return JW_OK;
}

/* What it would have told is missed: that is noted. */
static enum jw_status take_tap_refused(struct item *it)
{
	const char *native = "", *why = "";

	JW_TRY(text(it, 0, &native));
	JW_TRY(text(it, 1, &why));
	return add_remark(it, jw_arena_fmt(&it->rec->arena, "nothing is known of waits in %s: %s",
					   native, why));
}

static enum jw_status take_short_waits(struct item *it)
{
	uint64_t tick, ns;

	if (!dec(it, 0, &tick) || !dec(it, 1, &ns))
		return bad(it);
	if (ns > it->rec->short_waits_ns)
		it->rec->short_waits_ns = ns;
	return JW_OK;
}

/* A new line of thread UID; lines are joined when all are there (reader.c). */
static struct trace_thread *new_thread(struct item *it)
{
	struct trace_recording *r = it->rec;
	uint64_t uid;

	if (!trace_dec(field(it, 0), UINT32_MAX, &uid) || uid == 0) {
		r->bad_lines++;
		return NULL;
	}
	struct trace_thread *grown =
		trace_grow(r->threads, r->thread_count, &r->thread_cap, sizeof(*r->threads));

	if (!grown) {
		(void)jw_nomem(it->e);
		return NULL;
	}
	r->threads = grown;
	grown[r->thread_count] = (struct trace_thread){ .uid = (uint32_t)uid, .name = "" };
	return &grown[r->thread_count++];
}

/* Thread UID has NAME at the tick in field AT. */
static enum jw_status add_alias(struct item *it, uint32_t uid, size_t at, const char *name)
{
	struct trace_recording *r = it->rec;
	struct trace_alias *grown =
		trace_grow(r->aliases, r->alias_count, &r->alias_cap, sizeof(*grown));
	uint64_t tick;

	if (!grown)
		return jw_nomem(it->e);
	r->aliases = grown;
	if (name[0] && dec(it, at, &tick))
		grown[r->alias_count++] = (struct trace_alias){
			.tick = tick, .name = name, .uid = uid, .line = (uint32_t)r->alias_count
		};
	return JW_OK;
}

static enum jw_status take_thread(struct item *it)
{
	struct trace_thread *t = new_thread(it);
	struct jw_span flags = field(it, 5);

	if (!t)
		return it->e->status;
	t->described = true;
	if (!dec(it, 1, &t->start_tick) || !dec(it, 3, &t->tid) || !dec(it, 4, &t->java_id))
		it->rec->bad_lines++;
	t->is_daemon = flags.n && memchr(flags.p, 'd', flags.n);
	t->is_sums = flags.n && memchr(flags.p, 's', flags.n);
	t->is_crowd = flags.n && memchr(flags.p, 'c', flags.n);
	t->is_vm = flags.n && memchr(flags.p, 'j', flags.n);
	t->is_virtual = flags.n && memchr(flags.p, 'v', flags.n);
	JW_TRY(text(it, 6, &t->name));
	return add_alias(it, t->uid, 2, t->name);
}

static enum jw_status take_thread_name(struct item *it)
{
	uint64_t uid;
	const char *name = "";

	if (!trace_dec(field(it, 0), UINT32_MAX, &uid))
		return bad(it);
	JW_TRY(text(it, 2, &name));
	return add_alias(it, (uint32_t)uid, 1, name);
}

static enum jw_status take_thread_end(struct item *it)
{
	struct trace_thread *t = new_thread(it);

	if (!t)
		return it->e->status;
	t->ended = dec(it, 1, &t->end_tick);
	if (!t->ended)
		it->rec->bad_lines++;
	if (it->n > 3 && !dec(it, 3, &t->cpu_ns))
		it->rec->bad_lines++;
	JW_TRY(text(it, 2, &t->name));
	return add_alias(it, t->uid, 1, t->name);
}

/* A number and its name, into LIST of N. */
static enum jw_status take_named(struct item *it, struct trace_named **list, size_t *n, size_t *cap)
{
	struct trace_named *grown = trace_grow(*list, *n, cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(it->e);
	*list = grown;
	if (!dec(it, 0, &grown[*n].id))
		return bad(it);
	JW_TRY(text(it, 1, &grown[*n].name));
	++*n;
	return JW_OK;
}

static enum jw_status take_virtual(struct item *it)
{
	struct trace_recording *r = it->rec;

	return take_named(it, &r->virtuals, &r->virtual_count, &r->virtual_cap);
}

static enum jw_status take_virtual_end(struct item *it)
{
	struct trace_recording *r = it->rec;
	size_t before = r->virtual_count;

	JW_TRY(take_virtual(it));
	if (r->virtual_count > before)
		r->virtuals[before].id |= TRACE_LAST_NAME;
	return JW_OK;
}

static enum jw_status take_class(struct item *it)
{
	struct trace_recording *r = it->rec;

	return take_named(it, &r->classes, &r->class_count, &r->class_cap);
}

/* What a thread does where it waits, beside waiting. */
static const struct {
	const char *word, *text;
	uint64_t flag;
} at_places[] = {
	{ "join", "", TRACE_JOINS },
	{ "load", ", which loads a class", 0 },
	{ "put", ", which puts into a queue", TRACE_PUTS },
	{ "sleep", "", TRACE_SLEEPS },
	{ NULL, "", 0 },
};

/* "Simple.method (File.java:7)", "Simple.method, which loads a class (File.java:7)" */
static enum jw_status take_place(struct item *it)
{
	struct trace_recording *r = it->rec;
	struct trace_named *grown =
		trace_grow(r->places, r->place_count, &r->place_cap, sizeof(*grown));
	const char *class = "", *method = "", *source = "";
	uint64_t number, line;

	if (!grown)
		return jw_nomem(it->e);
	r->places = grown;
	if (!trace_dec(field(it, 0), UINT32_MAX, &number) ||
	    !trace_dec(field(it, 4), UINT16_MAX, &line))
		return bad(it);
	JW_TRY(text(it, 1, &class));
	JW_TRY(text(it, 2, &method));
	JW_TRY(text(it, 3, &source));
	const char *dot = strrchr(class, '.');
	size_t does = 0;

	while (at_places[does].word && !jw_span_eq_str(field(it, 5), at_places[does].word))
		does++;
	const char *name =
		jw_arena_fmt(&r->arena, line ? "%s.%s%s (%s:%u)" : "%s.%s%s", dot ? dot + 1 : class,
			     method, at_places[does].text, source, (unsigned)line);
	if (!name)
		return jw_nomem(it->e);
	grown[r->place_count++] = (struct trace_named){ number | at_places[does].flag, name };
	return JW_OK;
}

static enum jw_status take_thread_cpu(struct item *it)
{
	struct trace_thread *t = new_thread(it);

	if (!t)
		return it->e->status;
	return dec(it, 1, &t->cpu_ns) ? JW_OK : bad(it);
}

static enum jw_status take_cpu(struct item *it)
{
	uint64_t ns;

	if (!dec(it, 1, &ns))
		return bad(it);
	if (it->rec->cpu_begun)
		it->rec->cpu_ns = ns;
	it->rec->cpu_begun = true;
	return JW_OK;
}

static enum jw_status take_lost(struct item *it)
{
	struct trace_thread *t = new_thread(it);

	if (!t)
		return it->e->status;
	return dec(it, 1, &t->meta_lost) ? JW_OK : bad(it);
}

static enum jw_status take_threads_gone(struct item *it)
{
	return dec(it, 0, &it->rec->threads_gone) ? JW_OK : bad(it);
}

static enum jw_status take_stop(struct item *it)
{
	if (!dec(it, 0, &it->rec->stop_tick))
		return bad(it);
	it->rec->stopped = true;
	return text(it, 1, &it->rec->stop_reason);
}

static enum jw_status add_label(struct item *it, uint64_t value, size_t at)
{
	struct trace_recording *r = it->rec;
	struct trace_event_label *grown =
		trace_grow(r->labels, r->label_count, &r->label_cap, sizeof(*grown));
	uint64_t type;

	if (!grown)
		return jw_nomem(it->e);
	r->labels = grown;
	if (!trace_dec(field(it, 0), UINT32_MAX, &type))
		return bad(it);
	grown[r->label_count] =
		(struct trace_event_label){ .value = value, .type = (uint32_t)type };
	JW_TRY(text(it, at, &grown[r->label_count].text));
	r->label_count++;
	return JW_OK;
}

static enum jw_status take_event_label(struct item *it)
{
	return add_label(it, TRACE_NO_VALUE, 1);
}

static enum jw_status take_event_value(struct item *it)
{
	uint64_t value;

	return trace_dec(field(it, 1), INT32_MAX, &value) ? add_label(it, value, 2) : bad(it);
}

static enum jw_status take_text(struct item *it)
{
	struct item label = *it;
	uint64_t number;

	if (!trace_dec(field(it, 0), INT32_MAX, &number))
		return bad(it);
	label.field[0] = JW_SPAN_LIT("0"); /* TRACE_TEXT_TYPE */
	return add_label(&label, number, 1);
}

static enum jw_status take_mode(struct item *it)
{
	it->rec->ring = jw_span_eq_str(field(it, 0), "flight-recorder");
	it->rec->is_summary = jw_span_eq_str(field(it, 0), "summary");
	return JW_OK;
}

static enum jw_status take_pause(struct item *it)
{
	struct trace_recording *r = it->rec;
	uint64_t before = r->gap_count ? r->gaps[r->gap_count - 1].end : 0, tick;
	struct trace_gap *grown = trace_grow(r->gaps, r->gap_count, &r->gap_cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(it->e);
	r->gaps = grown;
	if (!dec(it, 0, &tick) || tick < before)
		return bad(it);
	grown[r->gap_count++] = (struct trace_gap){ tick, UINT64_MAX };
	return JW_OK;
}

static enum jw_status take_resume(struct item *it)
{
	struct trace_recording *r = it->rec;
	struct trace_gap *last = r->gap_count ? &r->gaps[r->gap_count - 1] : NULL;
	uint64_t tick;

	if (!last || last->end != UINT64_MAX || !dec(it, 0, &tick) || tick < last->begin)
		return bad(it);
	last->end = tick;
	return JW_OK;
}

static enum jw_status take_closed(struct item *it)
{
	uint64_t tick, id;

	if (!dec(it, 0, &tick) || !trace_dec(field(it, 1), JWR_PAYLOAD_MASK, &id))
		return bad(it);
	return trace_closings_add(&it->rec->closings, tick, id) ? JW_OK : jw_nomem(it->e);
}

static enum jw_status take_detail(struct item *it)
{
	uint64_t begin, end;

	if (!dec(it, 0, &begin) || !dec(it, 1, &end))
		return bad(it);
	return trace_closings_detail(&it->rec->closings, begin, end) ? JW_OK : jw_nomem(it->e);
}

static enum jw_status take_except(struct item *it)
{
	uint64_t id;

	if (!trace_dec(field(it, 0), JWR_PAYLOAD_MASK, &id))
		return bad(it);
	return trace_closings_except(&it->rec->closings, id) ? JW_OK : jw_nomem(it->e);
}

static enum jw_status take_data(struct item *it)
{
	return dec(it, 0, &it->rec->data_told) ? JW_OK : bad(it);
}

static enum jw_status take_end(struct item *it)
{
	if (!dec(it, 0, &it->rec->end_tick))
		return bad(it);
	it->rec->clean_end = true;
	return text(it, 1, &it->rec->end_reason);
}

/* Items that are one text. */
static const struct {
	const char *word;
	size_t at;
} facts[] = {
#define FACT(name)                                            \
	{                                                     \
#name, offsetof(struct trace_recording, name) \
	}
	FACT(host), FACT(command), FACT(main),        FACT(java), FACT(vm),
	FACT(cwd),  FACT(job),     FACT(application), FACT(role),
#undef FACT
};

static const struct {
	const char *word;
	enum jw_status (*take)(struct item *it);
} items[] = {
	{ "clock", take_clock },
	{ "clock-point", take_point },
	{ "alive", take_alive },
	{ "boot", take_boot },
	{ "pid", take_pid },
	{ "rank", take_rank },
	{ "windows", take_windows },
	{ "map", take_map },
	{ "virtual", take_virtual },
	{ "virtual-end", take_virtual_end },
	{ "class", take_class },
	{ "place", take_place },
	{ "thread", take_thread },
	{ "thread-end", take_thread_end },
	{ "thread-name", take_thread_name },
	{ "thread-cpu", take_thread_cpu },
	{ "cpu", take_cpu },
	{ "note", take_note },
	{ "tap", take_tap },
	{ "tap-refused", take_tap_refused },
	{ "short-waits", take_short_waits },
	{ "lost", take_lost },
	{ "threads-gone", take_threads_gone },
	{ "event-label", take_event_label },
	{ "event-value", take_event_value },
	{ "text", take_text },
	{ "mode", take_mode },
	{ "pause", take_pause },
	{ "resume", take_resume },
	{ "stop", take_stop },
	{ "closed", take_closed },
	{ "detail", take_detail },
	{ "except", take_except },
	{ "data", take_data },
	{ "end", take_end },
};

static enum jw_status take_line(struct jw_span line, struct trace_recording *rec, struct jw_err *e)
{
	struct jw_span word = trace_field(&line);
	struct item it = { .rec = rec, .e = e };

	while (line.n > 0 && it.n < FIELDS)
		it.field[it.n++] = trace_field(&line);
	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		if (jw_span_eq_str(word, items[i].word))
			return items[i].take(&it);
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (jw_span_eq_str(word, facts[i].word))
			return text(&it, 0, (const char **)(void *)((char *)rec + facts[i].at));
	if (jw_span_eq_str(word, "held"))
		return trace_holder_line(rec, it.field, it.n, e);
	return trace_channel_line(rec, word, it.field, it.n, e); /* or of a later minor version */
}

enum jw_status trace_meta_read(struct jw_span text_of_file, struct trace_recording *rec,
			       struct jw_err *e)
{
	struct jw_err none = { 0 };
	struct jw_span line = trace_line(&text_of_file), word = trace_field(&line);
	uint64_t version;

	e = e ? e : &none;
	e->status = JW_OK; /* new_thread() tells "bad line" from "no memory" by it */
	if (!jw_span_eq_str(word, "jweave-recording") || !trace_dec(line, UINT32_MAX, &version))
		return jw_fail(e, JW_INPUT,
			       "not the 'meta' of a recording: its first line is not "
			       "\"jweave-recording<TAB>%d\"",
			       JWR_VERSION);
	if (version > JWR_VERSION_SUMS)
		return jw_fail(e, JW_UNSUPPORTED,
			       "recording format %llu is newer than this jweave (it knows %d): "
			       "convert it with the jweave that wove the program",
			       (unsigned long long)version, JWR_VERSION_SUMS);
	while (text_of_file.n > 0)
		JW_TRY(take_line(trace_line(&text_of_file), rec, e));
	trace_holders_sort(rec);
	return trace_channels_join(rec, e);
}
