/*
 * channels.c: see channels.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "trace/format/fields.h"
#include "trace/reader/channels.h"
#include "trace/reader/reader.h"

#include "base/banned.h"

static const char *const roles[] = { "connect", "accept", "listen", "late" };
static const char *const families[] = { "tcp", "udp", "unix", "other" };
static const char *const ends[] = { "whole", "other", "open", "unknown" };

#define WORDS(list) list, sizeof(list) / sizeof(*(list))

/* The place of TEXT in LIST; N: it is none of them. */
static size_t word_of(struct jw_span text, const char *const *list, size_t n)
{
	size_t i = 0;

	while (i < n && !jw_span_eq_str(text, list[i]))
		i++;
	return i;
}

static enum jw_status bad(struct trace_recording *rec)
{
	rec->bad_lines++;
	return JW_OK;
}

static enum jw_status add(struct trace_recording *rec, const struct trace_channel *one,
			  struct jw_err *e)
{
	struct trace_channel *grown =
		trace_grow(rec->channels, rec->channel_count, &rec->channel_cap, sizeof(*grown));

	if (!grown)
		return jw_nomem(e);
	rec->channels = grown;
	grown[rec->channel_count++] = *one;
	return JW_OK;
}

/* ---- names ---- */

/* Most ends of unix sockets have no path: what connects has none. Each is told apart by the NUMBER of the
 * connection, as others are by their ports. */
static void put_end(struct jw_buf *out, const struct trace_socket *s, int which, uint32_t number)
{
	const char *address = s->address[which];
	bool v6 = strchr(address, ':') && s->family != TRACE_FAMILY_UNIX;

	if (!address[0] && s->family == TRACE_FAMILY_UNIX) {
		jw_put_fmt(out, "#%u", (unsigned)number);
		return;
	}
	jw_put_fmt(out, v6 ? "[%s]" : "%s", address[0] ? address : "?");
	if (s->family != TRACE_FAMILY_UNIX)
		jw_put_fmt(out, ":%u", (unsigned)s->port[which]);
}

bool trace_is_connection(const char *name)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		size_t n = strlen(families[i]);

		if (strncmp(name, families[i], n) == 0 && name[n] == ' ')
			return true;
	}
	return false;
}

#define ACCEPTED " < "
#define MADE     " > "

bool trace_is_accepted(const char *name)
{
	return trace_is_connection(name) && strstr(strchr(name, ' ') + 1, ACCEPTED);
}

struct jw_span trace_connection_server(const char *name)
{
	const char *local = strchr(name, ' ') + 1;
	const char *to = strstr(local, MADE), *from = strstr(local, ACCEPTED);

	if (to)
		return jw_span_str(to + strlen(MADE));
	return from ? jw_span(local, (size_t)(from - local)) : JW_SPAN_LIT("");
}

/* Has S an end at its peer? That which a server has accepted has one, were its address unknown. */
static bool has_peer(const struct trace_socket *s)
{
	return s->address[1][0] || s->role == TRACE_ROLE_ACCEPT;
}

/* "tcp 10.0.0.1:4000 > 10.0.0.2:80"; "<" of one that was accepted; without a peer "tcp 10.0.0.1:4000".
 * NULL: no memory. */
static const char *name_of(struct trace_recording *rec, const struct trace_socket *s,
			   uint32_t number)
{
	struct jw_buf text = { 0 };

	jw_put_fmt(&text, "%s ", families[s->family]);
	put_end(&text, s, 0, number);
	if (has_peer(s)) {
		jw_put_str(&text, s->role == TRACE_ROLE_ACCEPT ? ACCEPTED : MADE);
		put_end(&text, s, 1, number);
	}
	const char *name = text.failed ? NULL : jw_arena_str(&rec->arena, jw_buf_span(&text));

	jw_buf_free(&text);
	return name;
}

/* ---- lines ---- */

static bool dec(struct jw_span text, uint64_t most, uint64_t *out)
{
	return trace_dec(text, most, out);
}

#define NAMED "named"

/* NUMBER TICK ROLE FAMILY LOCAL PORT PEER PORT INODE WRITTEN READ [named] */
static bool read_socket(const struct jw_span *f, size_t n, uint64_t *number, struct trace_socket *s,
			uint64_t port[2])
{
	size_t role = n < 11 ? SIZE_MAX : word_of(f[2], WORDS(roles));
	size_t family = n < 11 ? SIZE_MAX : word_of(f[3], WORDS(families));

	s->role = (enum trace_channel_role)role;
	s->family = (enum trace_channel_family)family;
	s->end = TRACE_END_UNKNOWN;
	s->end_tick = UINT64_MAX;
	return role < sizeof(roles) / sizeof(*roles) &&
	       family < sizeof(families) / sizeof(*families) && dec(f[0], UINT32_MAX, number) &&
	       *number && dec(f[1], UINT64_MAX, &s->tick) && dec(f[5], UINT16_MAX, &port[0]) &&
	       dec(f[7], UINT16_MAX, &port[1]) && dec(f[8], UINT64_MAX, &s->inode) &&
	       dec(f[9], JWR_PAYLOAD_MASK, &s->before[TRACE_WRITTEN]) &&
	       dec(f[10], JWR_PAYLOAD_MASK, &s->before[TRACE_READ]);
}

static enum jw_status take_connection(struct trace_recording *rec, const struct jw_span *f,
				      size_t n, struct jw_err *e)
{
	struct trace_socket *s = JW_NEW_ARRAY(&rec->arena, struct trace_socket, 1);
	uint64_t number = 0, port[2] = { 0 };

	if (!s)
		return jw_nomem(e);
	if (!read_socket(f, n, &number, s, port))
		return bad(rec);
	for (int i = 0; i < 2; i++) {
		s->port[i] = (uint16_t)port[i];
		s->address[i] = trace_unescape(&rec->arena, f[4 + 2 * i]);
		if (!s->address[i])
			return jw_nomem(e);
	}
	struct trace_channel one = { .number = (uint32_t)number,
				     .name = name_of(rec, s, (uint32_t)number),
				     .socket = s };

	one.named = n >= 12 && jw_span_eq_str(f[11], NAMED);

	return one.name ? add(rec, &one, e) : jw_nomem(e);
}

/* NUMBER TICK WRITTEN READ AS */
static enum jw_status take_end(struct trace_recording *rec, const struct jw_span *f, size_t n,
			       struct jw_err *e)
{
	struct trace_socket *s = JW_NEW_ARRAY(&rec->arena, struct trace_socket, 1);
	size_t end = n < 5 ? SIZE_MAX : word_of(f[4], WORDS(ends));
	uint64_t number = 0;

	if (!s)
		return jw_nomem(e);
	if (end >= sizeof(ends) / sizeof(*ends) || !dec(f[0], UINT32_MAX, &number) ||
	    !dec(f[1], UINT64_MAX, &s->end_tick) ||
	    !dec(f[2], UINT64_MAX, &s->after[TRACE_WRITTEN]) ||
	    !dec(f[3], UINT64_MAX, &s->after[TRACE_READ]))
		return bad(rec);
	s->end = (enum trace_channel_end)end;
	return add(rec,
		   &(struct trace_channel){
			   .number = (uint32_t)number, .name = "", .socket = s, .is_end = true },
		   e);
}

/* A jar that `jweave run` has woven is opened in its cache (cli/cache.h), below a key that is another one with
 * other rules. NULL: PATH is none. */
static const char *woven_name(const char *path)
{
	static const char cache[] = JW_CACHE_OWN JW_CACHE_RUN "/";
	enum { KEY = 32 };
	const char *key = strstr(path, cache);

	if (!key)
		return NULL;
	key += sizeof(cache) - 1;
	return strspn(key, "0123456789abcdef") == KEY && key[KEY] == '/' && key[KEY + 1]
		       ? key + KEY + 1
		       : NULL;
}

/* NUMBER PATH [named] */
static enum jw_status take_file(struct trace_recording *rec, const struct jw_span *f, size_t n,
				struct jw_err *e)
{
	struct trace_channel one = { .name = "" };
	uint64_t number;

	if (n < 2 || !dec(f[0], UINT32_MAX, &number) || !number)
		return bad(rec);
	one.number = (uint32_t)number;
	one.name = trace_unescape(&rec->arena, f[1]);
	const char *woven = one.name ? woven_name(one.name) : NULL;

	if (woven)
		one.name = jw_arena_fmt(&rec->arena, "%s, as jweave run has woven it", woven);
	one.named = n >= 3 && jw_span_eq_str(f[2], NAMED);
	return one.name ? add(rec, &one, e) : jw_nomem(e);
}

static enum jw_status take_namespace(struct trace_recording *rec, const struct jw_span *f, size_t n,
				     struct jw_err *e)
{
	(void)e;
	return n && dec(f[0], UINT64_MAX, &rec->net_namespace) ? JW_OK : bad(rec);
}

enum jw_status trace_channel_line(struct trace_recording *rec, struct jw_span word,
				  const struct jw_span *fields, size_t n, struct jw_err *e)
{
	static const struct {
		const char *word;
		enum jw_status (*take)(struct trace_recording *rec, const struct jw_span *fields,
				       size_t n, struct jw_err *e);
	} items[] = {
		{ "connection", take_connection },
		{ "connection-end", take_end },
		{ "file", take_file },
		{ "net-namespace", take_namespace },
	};

	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++)
		if (jw_span_eq_str(word, items[i].word))
			return items[i].take(rec, fields, n, e);
	return JW_OK;
}

/* ---- all of them ---- */

static int by_number(const void *a, const void *b)
{
	const struct trace_channel *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->is_end != y->is_end)
		return x->is_end ? 1 : -1;
	/* of several, which only damage makes, in whatever order they came */
	return strcmp(x->name, y->name);
}

/* One entry each, sorted by number. */
static void join_lines(struct trace_recording *rec)
{
	struct trace_channel *list = rec->channels;
	size_t n = 0;

	if (rec->channel_count > 1)
		qsort(list, rec->channel_count, sizeof(*list), by_number);
	for (size_t i = 0; i < rec->channel_count; i++) {
		struct trace_channel *last = n ? &list[n - 1] : NULL;
		bool again = last && last->number == list[i].number;

		if (!list[i].is_end && !again) {
			list[n++] = list[i];
		} else if (again && list[i].is_end && last->socket) {
			last->socket->end = list[i].socket->end;
			last->socket->end_tick = list[i].socket->end_tick;
			memcpy(last->socket->after, list[i].socket->after,
			       sizeof(last->socket->after));
		}
	}
	rec->channel_count = n;
}

/* Has S, which was there before it was seen, been accepted? One with a path of its own and none at its peer has:
 * who connects to a unix socket has it the other way round. */
static bool was_accepted(const struct trace_socket *s, const uint8_t *listens)
{
	if (s->family == TRACE_FAMILY_UNIX)
		return s->address[0][0] && !s->address[1][0];
	return s->family == TRACE_FAMILY_TCP && listens[s->port[0] / 8] & 1U << s->port[0] % 8;
}

/* Who accepts when recording begins is not seen to: but it did so where it listens. */
static enum jw_status tell_late(struct trace_recording *rec, struct jw_err *e)
{
	uint8_t listens[UINT16_MAX / 8 + 1] = { 0 };

	for (size_t i = 0; i < rec->channel_count; i++) {
		const struct trace_socket *s = rec->channels[i].socket;

		if (s && s->family == TRACE_FAMILY_TCP && s->role == TRACE_ROLE_LISTEN)
			listens[s->port[0] / 8] |= (uint8_t)(1U << s->port[0] % 8);
	}
	for (size_t i = 0; i < rec->channel_count; i++) {
		struct trace_channel *c = &rec->channels[i];
		struct trace_socket *s = c->socket;

		if (!s || s->role != TRACE_ROLE_LATE || !was_accepted(s, listens))
			continue;
		s->role = TRACE_ROLE_ACCEPT;
		c->name = name_of(rec, s, c->number);
		if (!c->name)
			return jw_nomem(e);
	}
	return JW_OK;
}

enum jw_status trace_channels_join(struct trace_recording *rec, struct jw_err *e)
{
	join_lines(rec);
	return tell_late(rec, e);
}

const struct trace_channel *trace_channel_find(const struct trace_recording *rec, uint64_t number)
{
	size_t low = 0, high = rec->channel_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rec->channels[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < rec->channel_count && rec->channels[low].number == number ? &rec->channels[low]
									       : NULL;
}

bool trace_channel_is_counted(const struct trace_recording *rec, uint64_t number)
{
	const struct trace_channel *c = trace_channel_find(rec, number);

	return !c || !c->named;
}
