/*
 * check_paje.c: see check_paje.h.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/trace/check_paje.h"
#include "tests/trace/check_text.h"
#include "trace/paje/paje_int.h"

#include "base/banned.h"

enum { WORDS = 8, KINDS = 32, FIELDS = 8 };

/* A name that is defined: a type, a value, a container. */
struct name {
	struct jw_span alias, type; /* type: of a value and a container */
	struct jw_span parent;      /* of a container, and of the type of one */
	uint64_t pushed;            /* of a container, and so are those below */
	bool ended, is_type, is_container;
};

struct link {
	struct jw_span key, type, value;
	bool ended;
};

struct checking {
	unsigned fields[KINDS]; /* by number of the event; 0: none of it is defined */
	bool timed[KINDS];
	struct {
		struct name *at;
		size_t n, room;
	} names;
	struct {
		struct link *at;
		size_t n, room;
	} links;
	struct jw_span now; /* the latest time */
};

static struct name *find(struct checking *c, struct jw_span alias)
{
	for (size_t i = 0; i < c->names.n; i++)
		if (jw_span_eq(c->names.at[i].alias, alias))
			return &c->names.at[i];
	return NULL;
}

static void define(struct checking *c, struct name name)
{
	must(find(c, name.alias) == NULL);
	if (c->names.n == c->names.room) {
		c->names.room = 2 * c->names.room + 64;
		c->names.at = realloc(c->names.at, c->names.room * sizeof(*c->names.at));
		must(c->names.at != NULL);
	}
	c->names.at[c->names.n++] = name;
}

static struct name *type_of(struct checking *c, struct jw_span alias)
{
	struct name *type = find(c, alias);

	must(type && type->is_type);
	return type;
}

static struct name *container_of(struct checking *c, struct jw_span alias)
{
	struct name *container = find(c, alias);

	must(container && container->is_container && !container->ended);
	return container;
}

static void check_value(struct checking *c, struct jw_span alias, struct jw_span type)
{
	struct name *value = find(c, alias);

	must(value && !value->is_type && !value->is_container && jw_span_eq(value->type, type));
}

/* ---- words ---- */

static bool is_word(struct jw_span span, const char *word)
{
	return jw_span_eq(span, jw_span_str(word));
}

/* Of LINE: a word, or what is in quotes, which is not empty. */
static size_t split(struct jw_span line, struct jw_span *words)
{
	size_t n = 0;

	while (line.n) {
		bool quoted = line.p[0] == '"';

		line = jw_span_sub(line, quoted, line.n);
		const uint8_t *end = line.n ? memchr(line.p, quoted ? '"' : ' ', line.n) : NULL;
		size_t length = end ? (size_t)(end - line.p) : line.n;

		must(n < WORDS && length > 0 && (end || !quoted));
		words[n++] = jw_span_sub(line, 0, length);
		line = jw_span_sub(line, length + quoted, line.n);
		must(line.n == 0 || line.p[0] == ' ');
		must(line.n != 1);
		line = jw_span_sub(line, 1, line.n);
	}
	return n;
}

/* "12.000000000", not before the latest. */
static void check_time(struct checking *c, struct jw_span time)
{
	must(time.n >= 11 && time.p[time.n - 10] == '.');
	for (size_t i = 0; i < time.n; i++)
		must(i == time.n - 10 || (time.p[i] >= '0' && time.p[i] <= '9'));
	must(time.n > c->now.n || (time.n == c->now.n && memcmp(time.p, c->now.p, time.n) >= 0));
	c->now = time;
}

static unsigned number_of(struct jw_span word)
{
	unsigned n = 0;

	must(word.n > 0 && word.n < 3);
	for (size_t i = 0; i < word.n; i++) {
		must(word.p[i] >= '0' && word.p[i] <= '9');
		n = 10 * n + word.p[i] - '0';
	}
	must(n < KINDS);
	return n;
}

/* ---- lines ---- */

static void check_links(struct checking *c, const struct jw_span *w, bool starts)
{
	size_t i = 0;

	(void)container_of(c, w[4]);
	must(is_word(w[2], "0"));
	check_value(c, w[3], w[1]);
	while (i < c->links.n && !jw_span_eq(c->links.at[i].key, w[5]))
		i++;
	if (!starts) {
		must(i < c->links.n && !c->links.at[i].ended);
		must(jw_span_eq(c->links.at[i].type, w[1]) &&
		     jw_span_eq(c->links.at[i].value, w[3]));
		c->links.at[i].ended = true;
		return;
	}
	must(i == c->links.n);
	if (c->links.n == c->links.room) {
		c->links.room = 2 * c->links.room + 64;
		c->links.at = realloc(c->links.at, c->links.room * sizeof(*c->links.at));
		must(c->links.at != NULL);
	}
	c->links.at[c->links.n++] = (struct link){ w[5], w[1], w[3], false };
}

static void destroy(struct checking *c, const struct jw_span *w)
{
	struct name *container = container_of(c, w[2]);

	must(jw_span_eq(container->type, w[1]) && container->pushed == 0);
	for (size_t i = 0; i < c->names.n; i++)
		must(!c->names.at[i].is_container || c->names.at[i].ended ||
		     !jw_span_eq(c->names.at[i].parent, w[2]));
	container->ended = true;
}

/* An event that has happened: W begins with its time. */
static void take_timed(struct checking *c, enum trace_paje_event kind, const struct jw_span *w)
{
	check_time(c, w[0]);
	if (kind == TRACE_PAJE_CREATE) {
		must(is_word(w[3], "0") || container_of(c, w[3]));
		must(type_of(c, w[2]) != NULL);
		define(c,
		       (struct name){
			       .alias = w[1], .type = w[2], .parent = w[3], .is_container = true });
		return;
	}
	if (kind == TRACE_PAJE_DESTROY) {
		destroy(c, w);
		return;
	}
	(void)type_of(c, w[1]);
	if (kind == TRACE_PAJE_START || kind == TRACE_PAJE_END) {
		check_links(c, w, kind == TRACE_PAJE_START);
		return;
	}
	struct name *container = container_of(c, w[2]);

	if (kind == TRACE_PAJE_SET || kind == TRACE_PAJE_PUSH || kind == TRACE_PAJE_EVENT)
		check_value(c, w[3], w[1]);
	if (kind == TRACE_PAJE_PUSH)
		container->pushed++;
	if (kind == TRACE_PAJE_POP)
		must(container->pushed-- > 0);
}

static void take_definition(struct checking *c, enum trace_paje_event kind, const struct jw_span *w,
			    size_t n)
{
	bool is_value = kind == TRACE_PAJE_VALUE;

	must(is_word(w[1], "0") || type_of(c, w[1]));
	define(c, (struct name){ .alias = w[0], .type = w[1], .is_type = !is_value });
	check_text(w[n - 1]);
	for (size_t i = 2; kind == TRACE_PAJE_LINK_TYPE && i < 4; i++)
		(void)type_of(c, w[i]);
}

static void take_line(struct checking *c, struct jw_span line)
{
	struct jw_span w[WORDS];
	size_t n = split(line, w);
	unsigned kind = number_of(w[0]);

	check_text(line);
	must(c->fields[kind] > 0 && n == c->fields[kind] + 1);
	if (c->timed[kind])
		take_timed(c, (enum trace_paje_event)kind, w + 1);
	else
		take_definition(c, (enum trace_paje_event)kind, w + 1, n - 1);
}

/* "%EventDef NAME NUMBER", "% FIELD TYPE", "%EndEventDef" */
static void take_head(struct checking *c, struct jw_span line, unsigned *kind)
{
	struct jw_span w[WORDS];
	size_t n = split(line, w);

	if (is_word(w[0], "%EventDef")) {
		must(n == 3);
		*kind = number_of(w[2]);
		must(c->fields[*kind] == 0);
	} else if (is_word(w[0], "%")) {
		must(n == 3 && *kind < KINDS);
		c->timed[*kind] |= is_word(w[1], "Time");
		c->fields[*kind]++;
	} else {
		must(is_word(w[0], "%EndEventDef") && *kind < KINDS);
		*kind = KINDS;
	}
}

void check_paje(struct jw_span bytes)
{
	struct checking c = { .now = JW_SPAN_LIT("0.000000000") };
	unsigned kind = KINDS;

	while (bytes.n) {
		const uint8_t *end = memchr(bytes.p, '\n', bytes.n);

		must(end != NULL);
		struct jw_span line = jw_span(bytes.p, (size_t)(end - bytes.p));

		bytes = jw_span_sub(bytes, line.n + 1, bytes.n);
		if (line.n && line.p[0] == '%')
			take_head(&c, line, &kind);
		else
			take_line(&c, line);
	}
	for (size_t i = 0; i < c.names.n; i++)
		must(!c.names.at[i].is_container || c.names.at[i].ended);
	for (size_t i = 0; i < c.links.n; i++)
		must(c.links.at[i].ended);
	free(c.names.at);
	free(c.links.at);
}
