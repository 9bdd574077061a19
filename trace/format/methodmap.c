/*
 * methodmap.c: the hash of a class name, and the writing of a method map (methodmap.h has the
 * format). Names come from constant pools, so they are modified UTF-8 (JVMS 4.4.7) at best.
 */
#include "trace/format/methodmap.h"

#include "trace/format/fields.h"
#include "trace/format/recording.h"

#include "base/banned.h"

uint64_t trace_class_hash(struct jw_span internal_name, uint64_t salt)
{
	/* an odd multiplier spreads small salts over the whole seed; salt 0 stays seed 0 */
	uint64_t h = jw_hash64(internal_name, salt * UINT64_C(0x9e3779b97f4a7c15));

	/* FNV leaves neighbouring names in neighbouring places, and only 40 bits are kept: a
	 * multiply-and-shift finalizer makes each of them depend on every bit */
	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return (h ^ h >> 33) & JWR_CLASS_MASK;
}

static bool needs_escape(uint32_t c)
{
	return c < 0x20 || c == 0x7f || c == '\\';
}

static void put_escaped(struct jw_buf *out, uint32_t c)
{
	if (needs_escape(c))
		jw_put_fmt(out, "\\x%02x", (unsigned)c);
	else
		jw_put_utf8(out, c);
}

void trace_put_field(struct jw_buf *out, struct jw_span text)
{
	size_t plain = 0, pos = 0;

	/* runs of plain ASCII, nearly all of every name, go out as they are */
	while (pos < text.n) {
		uint8_t c = text.p[pos];

		if (c < 0x80 && !needs_escape(c)) {
			pos++;
			continue;
		}
		jw_put_bytes(out, jw_span_sub(text, plain, pos - plain));
		put_escaped(out, trace_utf8_next(text, &pos));
		plain = pos;
	}
	jw_put_bytes(out, jw_span_sub(text, plain, pos - plain));
}

/* A class name with dots: the internal form never has a dot, and '/' is never anything else. */
static void put_java_name(struct jw_buf *out, struct jw_span internal_name)
{
	size_t part = 0;

	for (size_t i = 0; i < internal_name.n; i++) {
		if (internal_name.p[i] != '/')
			continue;
		trace_put_field(out, jw_span_sub(internal_name, part, i - part));
		jw_put_str(out, ".");
		part = i + 1;
	}
	trace_put_field(out, jw_span_sub(internal_name, part, internal_name.n - part));
}

void trace_map_put_header(struct jw_buf *out)
{
	jw_put_str(out, "jweave-map\t1\n");
}

void trace_map_put_plain_header(struct jw_buf *out, uint64_t salt)
{
	jw_put_fmt(out, "jweave-map\t2\t%016llx\n", (unsigned long long)salt);
}

void trace_map_put_numbered_header(struct jw_buf *out, uint64_t salt)
{
	jw_put_fmt(out, "jweave-map\t3\t%016llx\n", (unsigned long long)salt);
}

void trace_map_put_numbers(struct jw_buf *out, uint64_t space, struct jw_span class)
{
	jw_put_fmt(out, "n\t%010llx\t", (unsigned long long)(space & JWR_CLASS_MASK));
	trace_put_field(out, class);
	jw_put_str(out, "\t");
}

void trace_map_put_share(struct jw_buf *out, uint32_t count)
{
	jw_put_dec(out, count);
	jw_put_str(out, " ");
}

void trace_map_put_held(struct jw_buf *out, enum jw_hold hold, const uint32_t *types, size_t count)
{
	if (count)
		jw_put_fmt(out, "h\t%s", hold == JW_HOLD_AROUND ? "around" : "call");
	for (size_t i = 0; i < count; i++) {
		jw_put_str(out, "\t");
		jw_put_dec(out, types[i]);
	}
	if (count)
		jw_put_str(out, "\n");
}

void trace_map_put_link(struct jw_buf *out, struct jw_span rule, const struct jw_link *link)
{
	char what[JW_CAPTURE_WHAT_ROOM];

	jw_put_str(out, "l\t");
	trace_put_field(out, rule);
	jw_put_fmt(out, "\t%s\t", jw_link_ends[link->end]);
	trace_put_field(out, jw_span_str(link->name));
	for (uint8_t i = 0; i < link->n; i++) {
		const struct jw_capture part = { .what = link->parts[i].what,
						 .arg = link->parts[i].arg };

		jw_put_fmt(out, "\t%s", jw_capture_what_text(&part, what));
	}
	jw_put_str(out, "\n");
}

void trace_map_put_rule(struct jw_buf *out, struct jw_span rule, struct jw_span label)
{
	jw_put_str(out, "r\t");
	trace_put_field(out, rule);
	if (label.n > 0) {
		jw_put_str(out, "\t");
		trace_put_field(out, label);
	}
	jw_put_str(out, "\n");
}

void trace_map_put_plain(struct jw_buf *out, const struct trace_map_plain *runs, size_t count)
{
	jw_put_fmt(out, "k\t%010llx", (unsigned long long)(runs->class_hash & JWR_CLASS_MASK));
	for (size_t i = 0; i < count; i++) {
		jw_put_str(out, "\t");
		jw_put_dec(out, runs[i].index);
		jw_put_str(out, ":");
		jw_put_dec(out, runs[i].rule);
	}
	jw_put_str(out, "\n");
}

void trace_map_put_class(struct jw_buf *out, uint64_t class_hash, struct jw_span internal_name,
			 struct jw_span source)
{
	jw_put_fmt(out, "c\t%010llx\t", (unsigned long long)(class_hash & JWR_CLASS_MASK));
	put_java_name(out, internal_name);
	jw_put_str(out, "\t");
	trace_put_field(out, source);
	jw_put_str(out, "\n");
}

static void put_capture(struct jw_buf *out, const struct jw_capture *c)
{
	char what[JW_CAPTURE_WHAT_ROOM];

	jw_put_fmt(out, "\t%s:%s", jw_capture_what_text(c, what), jw_capture_as_words[c->as]);
	if (!c->type && !c->max_values && !*c->label)
		return;
	jw_put_fmt(out, ":%u:%u:", (unsigned)c->type, (unsigned)c->max_values);
	trace_put_field(out, jw_span_str(c->label));
}

/* The fields from the label on, as many as are needed. */
static void put_rest(struct jw_buf *out, struct jw_span label, const struct trace_map_about *about)
{
	const struct jw_operation *op = about->operation;

	if (label.n > 0 || op || about->capture_count > 0) {
		jw_put_str(out, "\t");
		trace_put_field(out, label);
	}
	if (op || about->capture_count > 0)
		jw_put_str(out, "\t");
	if (op)
		jw_put_fmt(out, "%s/%s", jw_operation_kinds[op->type].word, op->word);
	if (op && about->size)
		jw_put_fmt(out, "*%u", (unsigned)about->size);
	for (size_t i = 0; i < about->capture_count; i++)
		put_capture(out, &about->captures[i]);
	jw_put_str(out, "\n");
}

void trace_map_put_method(struct jw_buf *out, const struct trace_map_method *method)
{
	jw_put_str(out, "m\t");
	jw_put_dec(out, method->index);
	jw_put_str(out, "\t");
	jw_put_dec(out, method->line);
	jw_put_fmt(out, "\t%x\t", (unsigned)method->access);
	trace_put_field(out, method->name);
	jw_put_str(out, "\t");
	trace_put_field(out, method->descriptor);
	jw_put_str(out, "\t");
	trace_put_field(out, method->rule);
	put_rest(out, method->label, &method->about);
}

void trace_map_put_site(struct jw_buf *out, const struct trace_map_site *site)
{
	const struct jw_span fields[] = { site->name, site->descriptor, site->method,
					  site->method_descriptor, site->rule };
	size_t count = sizeof(fields) / sizeof(*fields);

	jw_put_str(out, "s\t");
	jw_put_dec(out, site->index);
	jw_put_str(out, "\t");
	jw_put_dec(out, site->line);
	jw_put_str(out, "\t");
	if (site->state < 0)
		jw_put_str(out, "-");
	else
		jw_put_dec(out, (uint64_t)site->state);
	jw_put_str(out, "\t");
	put_java_name(out, site->owner);
	for (size_t i = 0; i < count; i++) {
		jw_put_str(out, "\t");
		trace_put_field(out, fields[i]);
	}
	put_rest(out, site->label, &site->about);
}
