/*
 * check_perfetto.c: see check_perfetto.h.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/trace/check_perfetto.h"
#include "tests/trace/check_text.h"
#include "trace/perfetto/perfetto_int.h"

#include "base/banned.h"

/* ---- messages ---- */

struct field {
	uint32_t number;
	uint64_t value;       /* of a number */
	struct jw_span bytes; /* of a message or text */
	bool is_bytes;
};

static uint64_t take_varint(struct jw_span *m)
{
	uint64_t value = 0;

	for (unsigned shift = 0;; shift += 7) {
		must(m->n > 0 && shift < 64);
		uint8_t byte = *m->p;

		*m = jw_span_sub(*m, 1, m->n);
		value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return value;
	}
}

/* The next field of M; false: it is at its end. */
static bool next(struct jw_span *m, struct field *f)
{
	if (m->n == 0)
		return false;
	uint64_t tag = take_varint(m);

	*f = (struct field){ .number = (uint32_t)(tag >> 3) };
	if ((tag & 7) == 0) {
		f->value = take_varint(m);
		return true;
	}
	must((tag & 7) == 1 || (tag & 7) == 2);
	uint64_t n = (tag & 7) == 1 ? 8 : take_varint(m);

	must(n <= m->n);
	f->bytes = jw_span_sub(*m, 0, (size_t)n);
	f->is_bytes = (tag & 7) == 2;
	*m = jw_span_sub(*m, (size_t)n, m->n);
	for (unsigned i = 0; !f->is_bytes && i < 8; i++)
		f->value |= (uint64_t)f->bytes.p[i] << 8 * i;
	return true;
}

static struct field find(struct jw_span m, uint32_t number)
{
	struct field f, none = { 0 };

	while (next(&m, &f))
		if (f.number == number)
			return f;
	return none;
}

/* ---- what is known ---- */

struct slice {
	uint64_t begin;
	struct jw_span name;
};

struct track {
	uint64_t uuid, parent;
	struct jw_span name;
	struct slice *open;
	size_t open_n, open_room;
};

struct interned {
	uint64_t sequence, kind, number;
	struct jw_span text;
};

struct sequence {
	uint64_t id, clock, track;
	bool cleared, has_clock, has_defaults;
};

struct flow {
	uint64_t id;
	unsigned begins, ends;
};

struct checking {
	struct track *tracks;
	struct interned *names;
	struct sequence *sequences;
	struct flow *flows;
	size_t track_n, name_n, sequence_n, flow_n;
	size_t track_room, name_room, sequence_room, flow_room;
	struct jw_buf *said;
};

/* LIST has room for one more of SIZE. */
static void *room(void *list, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return list;
	*cap = 2 * *cap + 16;
	list = realloc(list, *cap * size);
	must(list != NULL);
	return list;
}

static struct sequence *sequence_of(struct checking *c, uint64_t id)
{
	for (size_t i = c->sequence_n; i-- > 0;)
		if (c->sequences[i].id == id)
			return &c->sequences[i];
	c->sequences = room(c->sequences, c->sequence_n, &c->sequence_room, sizeof(*c->sequences));
	c->sequences[c->sequence_n] = (struct sequence){ .id = id };
	return &c->sequences[c->sequence_n++];
}

static struct track *track_of(struct checking *c, uint64_t uuid)
{
	for (size_t i = 0; i < c->track_n; i++)
		if (c->tracks[i].uuid == uuid)
			return &c->tracks[i];
	return NULL;
}

static const struct interned *interned_of(struct checking *c, uint64_t sequence, uint64_t kind,
					  uint64_t number)
{
	for (size_t i = 0; i < c->name_n; i++)
		if (c->names[i].sequence == sequence && c->names[i].kind == kind &&
		    c->names[i].number == number)
			return &c->names[i];
	return NULL;
}

/* ---- packets ---- */

static void take_track(struct checking *c, struct jw_span m)
{
	struct field process = find(m, 3), thread = find(m, 4);
	struct track t = { .uuid = find(m, 1).value, .parent = find(m, 5).value };
	struct field name = thread.number    ? find(thread.bytes, 5)
			    : process.number ? find(process.bytes, 6)
					     : find(m, 2);

	must(t.uuid && !track_of(c, t.uuid) && name.is_bytes);
	must(!t.parent || track_of(c, t.parent));
	must(!thread.number || find(thread.bytes, 1).value);
	must(process.number || t.parent);
	check_text(name.bytes);
	t.name = name.bytes;
	c->tracks = room(c->tracks, c->track_n, &c->track_room, sizeof(*c->tracks));
	c->tracks[c->track_n++] = t;
}

static void take_interned(struct checking *c, uint64_t sequence, struct jw_span m)
{
	struct field entry;

	while (next(&m, &entry)) {
		struct interned is = { sequence, entry.number, find(entry.bytes, 1).value,
				       find(entry.bytes, 2).bytes };

		must(is.number && !interned_of(c, sequence, is.kind, is.number));
		check_text(is.text);
		check_text(find(entry.bytes, 3).bytes); /* of a source */
		c->names = room(c->names, c->name_n, &c->name_room, sizeof(*c->names));
		c->names[c->name_n++] = is;
	}
}

/* What is told at TIME: of it, said are texts. */
static void take_note(struct checking *c, uint64_t sequence, uint64_t time, struct jw_span m)
{
	struct field name = find(m, PF_NOTE_NAME), number = find(m, PF_NOTE_NAME_NUMBER);
	struct field text = find(m, PF_NOTE_TEXT_NUMBER), said = find(m, PF_NOTE_STRING);

	if (number.number) {
		const struct interned *is = interned_of(c, sequence, PF_NOTE_NAMES, number.value);

		must(is != NULL);
		name.bytes = is->text;
	}
	must(name.bytes.n);
	if (text.number) {
		const struct interned *is = interned_of(c, sequence, PF_TEXTS, text.value);

		must(is != NULL);
		said = (struct field){ .bytes = is->text, .is_bytes = true };
	}
	if (said.is_bytes && c->said) {
		jw_put_fmt(c->said, "%llu ", (unsigned long long)time);
		jw_put_bytes(c->said, name.bytes);
		jw_put_str(c->said, ": ");
		jw_put_bytes(c->said, said.bytes);
		jw_put_str(c->said, "\n");
	}
	if (!said.is_bytes)
		must(find(m, PF_NOTE_UINT).number || find(m, PF_NOTE_BOOL).number);
}

static void take_flow(struct checking *c, uint64_t id, bool begins)
{
	size_t i = 0;

	while (i < c->flow_n && c->flows[i].id != id)
		i++;
	if (i == c->flow_n) {
		must(begins); /* an arrow is told when it is sent */
		c->flows = room(c->flows, c->flow_n, &c->flow_room, sizeof(*c->flows));
		c->flows[c->flow_n++] = (struct flow){ .id = id };
	}
	c->flows[i].begins += begins;
	c->flows[i].ends += !begins;
	must(c->flows[i].begins == 1 && c->flows[i].ends <= 1);
}

static void begin_slice(struct track *t, uint64_t time, struct jw_span name)
{
	must(t->open_n == 0 || time >= t->open[t->open_n - 1].begin);
	t->open = room(t->open, t->open_n, &t->open_room, sizeof(*t->open));
	t->open[t->open_n++] = (struct slice){ time, name };
}

static void end_slice(struct checking *c, struct track *t, uint64_t time)
{
	must(t->open_n > 0);
	const struct slice s = t->open[--t->open_n];

	must(time >= s.begin);
	if (!c->said)
		return;
	jw_put_bytes(c->said, t->name);
	jw_put_str(c->said, ": ");
	jw_put_bytes(c->said, s.name);
	jw_put_fmt(c->said, " %llu-%llu\n", (unsigned long long)s.begin, (unsigned long long)time);
}

static void take_event(struct checking *c, const struct sequence *s, uint64_t time,
		       struct jw_span m)
{
	struct field track = find(m, PF_EVENT_TRACK), name = find(m, PF_EVENT_NAME), f;
	struct field source = find(m, PF_EVENT_SOURCE);
	struct track *t = track_of(c, track.number ? track.value : s->track);
	uint64_t type = find(m, PF_EVENT_TYPE).value;
	struct field text = find(m, PF_EVENT_TEXT);
	const struct interned *is =
		name.number ? interned_of(c, s->id, PF_NAMES, name.value) : NULL;
	bool named = is || text.is_bytes;

	must(t && s->cleared && s->has_clock && s->has_defaults);
	must(name.number == 0 || is);
	must(source.number == 0 || interned_of(c, s->id, PF_SOURCES, source.value));
	must(type == PF_END || (named && (type == PF_BEGIN || type == PF_INSTANT)));
	if (type == PF_BEGIN)
		begin_slice(t, time, is ? is->text : text.bytes);
	else if (type == PF_END)
		end_slice(c, t, time);
	while (next(&m, &f)) {
		if (f.number == PF_EVENT_ANNOTATION)
			take_note(c, s->id, time, f.bytes);
		else if (f.number == PF_EVENT_FLOW || f.number == PF_EVENT_FLOW_END)
			take_flow(c, f.value, f.number == PF_EVENT_FLOW);
	}
}

static void take_packet(struct checking *c, struct jw_span m)
{
	struct field id = find(m, PF_SEQUENCE), f, event = find(m, PF_EVENT);

	must(id.value > 0);
	struct sequence *s = sequence_of(c, id.value);

	if (event.number) {
		uint64_t time = find(m, PF_TIME).value;

		if (find(m, PF_CLOCK).number)
			must(find(m, PF_CLOCK).value == PF_CLOCK_BOOT);
		else
			time = s->clock += time;
		take_event(c, s, time, event.bytes);
		return;
	}
	while (next(&m, &f)) {
		if (f.number == PF_FLAGS) {
			must(f.value == PF_CLEARED && !s->cleared);
			s->cleared = true;
		} else if (f.number == PF_CLOCKS) {
			s->has_clock = true;
		} else if (f.number == PF_DEFAULTS) {
			must(find(f.bytes, PF_CLOCK).value == PF_CLOCK_OURS);
			s->has_defaults = true;
			s->track = find(find(f.bytes, PF_EVENT).bytes, PF_EVENT_TRACK).value;
		} else if (f.number == PF_TRACK) {
			take_track(c, f.bytes);
		} else if (f.number == PF_INTERNED) {
			take_interned(c, s->id, f.bytes);
		}
	}
}

void check_perfetto(struct jw_span bytes, struct jw_buf *said)
{
	struct checking c = { .said = said };
	struct field f;

	while (next(&bytes, &f)) {
		must(f.number == PF_PACKET && f.is_bytes);
		take_packet(&c, f.bytes);
	}
	for (size_t i = 0; i < c.track_n; i++) {
		must(c.tracks[i].open_n == 0);
		free(c.tracks[i].open);
	}
	for (size_t i = 0; i < c.flow_n; i++)
		must(c.flows[i].ends == 1);
	free(c.tracks);
	free(c.names);
	free(c.sequences);
	free(c.flows);
}
