/*
 * row_names.c: what numbers stand for, as rows: see rows_int.h. Known last, when all has happened.
 */
#include <string.h>

#include "base/grow.h"
#include "base/operations.h"
#include "trace/format/methodmap.h"
#include "trace/names/label.h"
#include "trace/names/said_names.h"
#include "trace/names/state_names.h"
#include "trace/reader/channels.h"
#include "trace/tables/rows_int.h"

#include "base/banned.h"

#define MAX_TEXT 65536

static const struct jw_growth names_grow = { "names", UINT32_MAX - 1, 0 };

/* ---- numbers ---- */

uint32_t trace_row_number(struct trace_tables *t, struct trace_methods *methods, uint64_t id)
{
	uint32_t number = trace_methods_number(methods, id);

	if (number == TRACE_NO_METHOD && methods->refused)
		return (uint32_t)methods->n - 1;
	if (number == TRACE_NO_METHOD && t->why.status == JW_OK)
		(void)jw_nomem(&t->why);
	return number;
}

uint64_t trace_row_site(struct trace_tables *t, uint64_t site)
{
	return (uint64_t)trace_row_number(t, &t->sites, site) + 1;
}

static uint32_t hash_of(enum trace_named kind, uint64_t value)
{
	return jw_hash_id(value * TRACE_NAMED_KINDS + kind);
}

static struct trace_row_name *find(const struct trace_row_names *names, enum trace_named kind,
				   uint64_t value)
{
	struct jw_lookup_walk w = jw_lookup_walk(&names->lookup, hash_of(kind, value));

	while (jw_lookup_next(&w))
		if (names->at[w.place].kind == kind && names->at[w.place].value == value)
			return &names->at[w.place];
	return NULL;
}

uint64_t trace_row_name(struct trace_tables *t, enum trace_named kind, uint64_t value)
{
	struct trace_row_names *names = &t->names;
	const struct trace_row_name *known = find(names, kind, value);

	if (known)
		return (uint64_t)(known - names->at) + 1;
	if (t->why.status != JW_OK || JW_GROW(names, &names_grow, &t->why) != JW_OK)
		return 0;
	if (!jw_lookup_add(&names->lookup, hash_of(kind, value), names->n)) {
		(void)jw_nomem(&t->why);
		return 0;
	}
	names->at[names->n++] = (struct trace_row_name){ kind, value, NULL };
	return names->n;
}

/* ---- labels that are told ---- */

static void keep(struct trace_tables *t, const char **label, struct jw_span text)
{
	if (*label)
		return;
	jw_buf_clear(&t->text);
	trace_put_name(&t->text, text, MAX_TEXT); /* a .pcf has any bytes */
	*label = t->text.failed == JW_OK ? jw_arena_str(&t->arena, jw_buf_span(&t->text)) : NULL;
	if (!*label && t->why.status == JW_OK)
		(void)jw_nomem(&t->why);
}

static void keep_numbered(struct trace_tables *t, const struct trace_methods *of,
			  const char **labels, uint64_t id, struct jw_span text)
{
	uint32_t number = trace_methods_known(of, id);

	if (number != TRACE_NO_METHOD)
		keep(t, &labels[number], text);
}

static void keep_name(struct trace_tables *t, enum trace_named kind, uint64_t value,
		      struct jw_span text)
{
	struct trace_row_name *name = find(&t->names, kind, value);

	if (name)
		keep(t, &name->label, text);
}

void trace_row_label(void *ctx, enum trace_name_kind what, uint64_t number, struct jw_span label)
{
	struct trace_tables *t = ctx;

	if (t->why.status != JW_OK)
		return;
	switch (what) {
	case TRACE_NAME_METHOD:
		keep_numbered(t, &t->methods, t->method_labels, number, label);
		keep_name(t, TRACE_NAMED_METHOD, number, label);
		break;
	case TRACE_NAME_SITE:
		keep_numbered(t, &t->sites, t->site_labels, number, label);
		break;
	case TRACE_NAME_ROW:
		keep(t, &t->rows[number], label);
		break;
	case TRACE_NAME_STATE:
		keep_name(t, TRACE_NAMED_STATE, number, label);
		break;
	case TRACE_NAME_CLASS:
		keep_name(t, TRACE_NAMED_CLASS, number, label);
		break;
	case TRACE_NAME_PLACE:
		keep_name(t, TRACE_NAMED_PLACE, number, label);
		break;
	case TRACE_NAME_CHANNEL:
		keep_name(t, TRACE_NAMED_CHANNEL, number, label);
		break;
	case TRACE_NAME_LINK:
		keep_name(t, TRACE_NAMED_LINK, number, label);
		break;
	default:
		break;
	}
}

/* ---- texts ---- */

struct naming {
	struct trace_tables *t;
	const struct trace_names *names; /* NULL: of a .prv */
	struct trace_methods texts;      /* owned; the numbers of those of `names`, in order */
	struct jw_buf text;              /* owned; of one name */
};

/* What a text was lost of, for want of memory, is no row: trace_put_names() fails. */
static void put_row(struct naming *n, enum trace_table_id table, const struct trace_cell *row,
		    size_t count)
{
	if (n->text.failed == JW_OK)
		trace_put_row(n->t, table, row, count);
}

/* A cell of TEXT on one line; it lives until the next one. */
static struct trace_cell clean(struct naming *n, struct jw_span text)
{
	jw_buf_clear(&n->text);
	trace_put_name(&n->text, text, MAX_TEXT);
	return trace_cell_text(jw_buf_span(&n->text));
}

static struct trace_cell maybe_text(struct jw_span text)
{
	return text.n ? trace_cell_text(text) : (struct trace_cell){ .kind = TRACE_CELL_NULL };
}

struct trace_cell trace_cell_clean(struct jw_buf *buf, struct jw_span text)
{
	jw_buf_clear(buf);
	trace_put_name(buf, text, MAX_TEXT);
	return maybe_text(jw_buf_span(buf));
}

/* ---- the names of names ---- */

static const char *const waits[TRACE_WAIT_COUNT] = {
	[TRACE_WAIT_ENTER] = "enter",
	[TRACE_WAIT_OBJECT] = "wait",
	[TRACE_WAIT_PARK] = "park",
	[TRACE_WAIT_FOR_WORK] = "work",
	[TRACE_WAIT_SLEEP] = "sleep",
	[TRACE_WAIT_SELECT] = "select",
	[TRACE_WAIT_FOR_REQUESTS] = "requests",
	[TRACE_WAIT_POLL] = "poll",
	[TRACE_WAIT_ACCEPT] = "accept",
	[TRACE_WAIT_CONNECT] = "connect",
	[TRACE_WAIT_READ] = "read",
	[TRACE_WAIT_WRITE] = "write",
	[TRACE_WAIT_FORCE] = "force",
	[TRACE_WAIT_CHILD] = "child",
	[TRACE_WAIT_LOCK] = "fileLock",
};

static const char *const events[TRACE_TYPES] = {
	[TRACE_TYPE_EXCEPTION] = "exception in flight",
	[TRACE_TYPE_WITHOUT] = "virtual threads without a row",
	[TRACE_TYPE_THROWN] = "exception thrown",
	[TRACE_TYPE_RETHROWN] = "exception thrown again",
	[TRACE_TYPE_CAUGHT] = "exception caught",
	[TRACE_TYPE_ALLOC] = "allocation",
	[TRACE_TYPE_ALLOC_CLASS] = "allocation",
	[TRACE_TYPE_CREATED] = "object created",
	[TRACE_TYPE_LENGTH] = "length",
	[TRACE_TYPE_VIRTUAL] = "virtual thread",
	[TRACE_TYPE_THREAD_NAME] = "thread name",
	[TRACE_TYPE_CLOSED] = "no longer recorded",
	[TRACE_TYPE_DETAIL] = "all methods recorded",
	[TRACE_TYPE_PART_BYTES] = "bytes of a part",
	[TRACE_TYPE_UNPARK] = "unpark",
	[TRACE_TYPE_START] = "start",
	[TRACE_TYPE_WAKE] = "wakeup",
	[TRACE_TYPE_INTERRUPT] = "interrupt",
	[TRACE_TYPE_HOLDER] = "monitor held",
	[TRACE_TYPE_CHANNEL] = "channel",
	[TRACE_TYPE_CHANNEL_READ] = "channel read",
	[TRACE_TYPE_CHANNEL_WRITTEN] = "channel written",
};

static const char *const kinds[TRACE_NAMED_KINDS] = {
#define WORD(kind, word) word,
	TRACE_NAMED_LIST(WORD)
#undef WORD
};

static const char *listed(const struct trace_texts *texts, uint64_t number)
{
	return number - 1 < texts->n ? texts->at[number - 1] : NULL;
}

static const char *text_label(const struct naming *n, uint64_t number)
{
	uint32_t at = trace_methods_known(&n->texts, number);

	return at == TRACE_NO_METHOD ? NULL : n->names->texts[at].text;
}

/* What the recordings say; NULL: nothing. */
static const char *recorded(const struct naming *n, const struct trace_row_name *name)
{
	if (!n->names)
		return NULL;
	switch (name->kind) {
	case TRACE_NAMED_CLASS:
		return listed(&n->names->classes, name->value);
	case TRACE_NAMED_PLACE:
		return listed(&n->names->places, name->value);
	case TRACE_NAMED_CHANNEL:
		return listed(&n->names->channels, name->value);
	case TRACE_NAMED_VIRTUAL:
		return listed(&n->names->virtuals, name->value);
	case TRACE_NAMED_THREAD:
		return listed(&n->names->threads, name->value);
	case TRACE_NAMED_CAPTURE:
		return trace_capture_label(n->names, name->value);
	case TRACE_NAMED_USER:
		return trace_user_label(n->names, name->value);
	case TRACE_NAMED_TEXT:
	case TRACE_NAMED_CLASS_TEXT:
		return text_label(n, name->value);
	default:
		return NULL;
	}
}

/* What is the same in all traces. */
static const char *fixed(const struct trace_row_name *name)
{
	switch (name->kind) {
	case TRACE_NAMED_STATE:
		return trace_state_name(name->value);
	case TRACE_NAMED_WAIT:
		return name->value < TRACE_WAIT_COUNT ? waits[name->value] : NULL;
	case TRACE_NAMED_EVENT:
		return name->value < TRACE_TYPES ? events[name->value] : NULL;
	default:
		return NULL;
	}
}

/* "thread/start" */
static void put_operation(struct jw_buf *out, uint64_t value)
{
	uint64_t type = value / 100, number = value % 100;

	for (const struct jw_operation *op = jw_operations; op->word; op++) {
		if (op->type == type && op->number == number) {
			jw_put_fmt(out, "%s/%s", jw_operation_kinds[type].word, op->word);
			return;
		}
	}
	if (type < JW_OPERATION_TYPES)
		jw_put_fmt(out, "%s/%llu", jw_operation_kinds[type].word,
			   (unsigned long long)number);
}

static void put_label(struct naming *n, const struct trace_row_name *name)
{
	const char *told = recorded(n, name);

	told = told && *told ? told : name->label;
	told = told ? told : fixed(name);
	jw_buf_clear(&n->text);
	if (name->kind == TRACE_NAMED_OPERATION)
		put_operation(&n->text, name->value);
	else if (told && name->kind == TRACE_NAMED_CLASS_TEXT)
		trace_put_class(&n->text, jw_span_str(told));
	else if (told)
		trace_put_name(&n->text, jw_span_str(told), MAX_TEXT);
	if (n->text.n == 0 && name->kind != TRACE_NAMED_TEXT)
		jw_put_fmt(&n->text, "%s %llu", kinds[name->kind], (unsigned long long)name->value);
}

static void name_names(struct naming *n)
{
	for (size_t i = 0; i < n->t->names.n; i++) {
		put_label(n, &n->t->names.at[i]);
		const struct trace_row_name *name = &n->t->names.at[i];
		const char *time =
			name->kind == TRACE_NAMED_STATE ? trace_state_time_word(name->value) : NULL;
		const struct trace_cell row[] = {
			trace_cell_number(i + 1),
			trace_cell_text(jw_span_str(kinds[name->kind])),
			trace_cell_text(jw_buf_span(&n->text)),
			maybe_text(jw_span_str(time ? time : "")),
		};

		put_row(n, TRACE_TABLE_NAME, row, sizeof(row) / sizeof(*row));
	}
}

static void name_values(struct naming *n)
{
	for (size_t i = 0; n->names && i < n->names->user_count; i++) {
		const struct trace_user_name *user = &n->names->user[i];
		const struct trace_row_name *type =
			find(&n->t->names, TRACE_NAMED_USER, user->type);
		const char *label = user->is_type ? user->zero : user->label;

		if (!type || !label || !*label)
			continue;
		const struct trace_cell row[] = {
			trace_cell_number((uint64_t)(type - n->t->names.at) + 1),
			trace_cell_number(user->value),
			clean(n, jw_span_str(label)),
		};

		put_row(n, TRACE_TABLE_LABEL, row, sizeof(row) / sizeof(*row));
	}
}

/* ---- connections and files ---- */

/* The text of NAME, which is in `text`; a zero ends it. */
static const char *label_of(struct naming *n, const struct trace_row_name *name)
{
	put_label(n, name);
	jw_put_u1(&n->text, 0);
	return n->text.failed == JW_OK ? (const char *)n->text.p : "";
}

static void name_channel(struct naming *n, size_t i, uint64_t *connections, uint64_t *files)
{
	const struct trace_row_name *name =
		find(&n->t->names, TRACE_NAMED_CHANNEL, n->t->channel_numbers.m[i].id);
	struct trace_row_channel *c = &n->t->channels.at[i];

	if (!name)
		return;
	const char *label = label_of(n, name);
	bool is_connection = trace_is_connection(label);

	c->id = is_connection ? ++*connections : ++*files;
	struct trace_cell row[11] = {
		trace_cell_number(c->id),
		trace_cell_text(jw_span_str(label)),
		trace_cell_number((uint64_t)(name - n->t->names.at) + 1),
	};
	size_t k = 3;

	for (enum trace_row_moves m = 0; m < TRACE_ROW_MOVES; m++) {
		row[k++] = trace_cell_number(c->moves[m].count);
		if (m != TRACE_ROW_OTHERS)
			row[k++] = trace_cell_number(c->moves[m].bytes);
		row[k++] = trace_cell_number(c->moves[m].ns);
	}
	put_row(n, is_connection ? TRACE_TABLE_CONNECTION : TRACE_TABLE_FILE, row, k);
}

static void name_channels(struct naming *n)
{
	uint64_t connections = 0, files = 0;

	for (size_t i = 0; i < n->t->channels.n; i++)
		name_channel(n, i, &connections, &files);
}

/* ---- processes, threads, methods ---- */

static void name_processes(struct naming *n)
{
	const struct trace_scene *s = n->t->scene;
	struct jw_buf role = { 0 }, job = { 0 }, reason = { 0 };

	for (uint32_t i = 0; i < s->process_count; i++) {
		const struct trace_scene_process *p = &s->processes[i];
		const char *host = p->host < s->host_count ? s->hosts[p->host] : NULL;
		const struct trace_cell row[] = {
			trace_cell_number((uint64_t)i + 1),
			trace_cell_number(p->application),
			trace_cell_number(p->number),
			trace_cell_maybe(p->pid),
			p->has_rank ? trace_cell_number(p->rank) : trace_cell_maybe(0),
			host && *host ? clean(n, jw_span_str(host)) : trace_cell_maybe(0),
			trace_cell_maybe(n->t->process_cpu[i]),
			trace_cell_clean(&role, jw_span_str(p->role ? p->role : "")),
			trace_cell_clean(&job, jw_span_str(p->job ? p->job : "")),
			trace_cell_maybe(p->begin),
			trace_cell_maybe(p->end),
			p->reason ? trace_cell_number(p->ended) : trace_cell_maybe(0),
			p->reason ? trace_cell_number(p->stopped) : trace_cell_maybe(0),
			trace_cell_clean(&reason, jw_span_str(p->reason ? p->reason : "")),
		};

		if (role.failed || job.failed || reason.failed)
			n->text.failed = JW_NOMEM;
		put_row(n, TRACE_TABLE_PROCESS, row, sizeof(row) / sizeof(*row));
	}
	jw_buf_free(&role);
	jw_buf_free(&job);
	jw_buf_free(&reason);
}

static void name_threads(struct naming *n)
{
	const struct trace_scene *s = n->t->scene;

	for (uint32_t i = 0; i < s->thread_count; i++) {
		const struct trace_scene_thread *thread = &s->threads[i];

		jw_buf_clear(&n->text);
		if (n->t->rows[i])
			jw_put_str(&n->text, n->t->rows[i]);
		else
			trace_put_unnamed(&n->text, thread->number);
		const struct trace_cell row[] = {
			trace_cell_number((uint64_t)i + 1),
			trace_cell_number((uint64_t)thread->process + 1),
			trace_cell_number(thread->number),
			trace_cell_text(jw_buf_span(&n->text)),
			trace_cell_maybe(thread->java_id),
			trace_cell_number(thread->is_vm),
			trace_cell_number(thread->is_virtual || n->t->lanes[i].is_virtual),
			trace_cell_maybe(n->t->lanes[i].cpu),
		};

		put_row(n, TRACE_TABLE_THREAD, row, sizeof(row) / sizeof(*row));
	}
}

static void name_methods(struct naming *n)
{
	for (size_t i = 0; i < n->t->methods.n; i++) {
		const char *label = n->t->method_labels[i];

		jw_buf_clear(&n->text);
		if (!label) {
			jw_put_fmt(&n->text, "method %llu",
				   (unsigned long long)n->t->methods.m[i].id);
			jw_put_u1(&n->text, 0);
		}
		struct trace_label_parts l =
			trace_label_split(label                     ? label
					  : n->text.failed == JW_OK ? (const char *)n->text.p
								    : "");
		const struct trace_cell row[] = {
			trace_cell_number(i + 1), trace_cell_text(l.name),  maybe_text(l.full),
			maybe_text(l.file),       trace_cell_maybe(l.line),
		};

		put_row(n, TRACE_TABLE_METHOD, row, sizeof(row) / sizeof(*row));
	}
}

/* ---- call sites ---- */

/* "Short.callee in Short.caller (File.java:12) [operation]" */
static struct trace_label_parts split_site(const char *label)
{
	struct trace_label_parts l = { .name = jw_span_str(label) };
	const char *open = strstr(label, " ("), *next = open;

	while (next) { /* the last one */
		open = next;
		next = strstr(open + 1, " (");
	}
	const char *close = open ? strchr(open, ')') : NULL, *colon = close;

	while (colon && colon > open && *colon != ':')
		colon--;
	if (!colon || colon <= open)
		return l;
	for (const char *c = colon + 1; c < close && *c >= '0' && *c <= '9' && l.line < 100000000;)
		l.line = 10 * l.line + (uint64_t)(*c++ - '0');
	l.file = jw_span(open + 2, (size_t)(colon - open) - 2);
	l.name.n = (size_t)(open - label);
	return l;
}

static void name_sites(struct naming *n)
{
	for (size_t i = 0; i < n->t->sites.n; i++) {
		const char *label = n->t->site_labels[i];
		struct trace_label_parts l = split_site(label ? label : "unknown");
		const struct trace_cell row[] = {
			trace_cell_number(i + 1),
			trace_cell_text(l.name),
			maybe_text(l.file),
			trace_cell_maybe(l.line),
		};

		put_row(n, TRACE_TABLE_SITE, row, sizeof(row) / sizeof(*row));
	}
}

/* ---- all of it ---- */

static void put_meta(struct naming *n, const char *key)
{
	const struct trace_cell row[] = { trace_cell_text(jw_span_str(key)),
					  trace_cell_text(jw_buf_span(&n->text)) };

	put_row(n, TRACE_TABLE_META, row, sizeof(row) / sizeof(*row));
	jw_buf_clear(&n->text);
}

static void name_trace(struct naming *n)
{
	const struct trace_scene *s = n->t->scene;

	jw_buf_clear(&n->text);
	jw_put_dec(&n->text, s->end);
	put_meta(n, "end_ns");
	if (s->wall_start > 0) {
		jw_put_dec(&n->text, (uint64_t)trace_wall_seconds(s));
		put_meta(n, "wall_start");
		jw_put_dec(&n->text, (uint64_t)s->wall_start);
		put_meta(n, "wall_start_ns");
	}
	jw_put_str(&n->text, JW_VERSION);
	put_meta(n, "jweave");
	jw_put_dec(&n->text, TRACE_TABLES_VERSION);
	put_meta(n, "tables");
}

enum jw_status trace_put_names(struct trace_tables *t, const struct trace_names *names,
			       struct jw_err *e)
{
	struct naming n = { .t = t, .names = names };
	bool numbered = true;

	for (size_t i = 0; names && i < names->text_count && numbered; i++)
		numbered =
			trace_methods_number(&n.texts, names->texts[i].number) != TRACE_NO_METHOD;
	name_processes(&n);
	name_threads(&n);
	name_methods(&n);
	name_sites(&n);
	name_names(&n);
	name_values(&n);
	name_channels(&n);
	name_trace(&n);
	enum jw_status status =
		numbered ? jw_buf_finish(&n.text, "names of the trace", e) : jw_nomem(e);

	trace_methods_free(&n.texts);
	jw_buf_free(&n.text);
	return status;
}
