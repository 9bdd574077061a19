#include "cfr/dump_text.h"

#include <stdio.h>
#include <string.h>

#include "cfr/annot.h"

#include "base/banned.h"

enum { TEXT_MAX = 512, NESTING_MAX = 100 };

/* ---- lines ---- */

bool cfr_dump_more(const struct cfr_dumper *d)
{
	return d->out->failed == JW_OK && d->out->n < d->limit;
}

void cfr_dump_start(struct cfr_dumper *d)
{
	for (unsigned i = 0; i < d->indent; i++)
		jw_put_str(d->out, "  ");
}

JW_PRINTF(2, 0)
static void put_args(struct jw_buf *out, const char *fmt, va_list ap)
{
	char text[256]; /* formats here are short: all long texts go through cfr_dump_text() */
	int n = vsnprintf(text, sizeof(text), fmt, ap);

	if (n > 0)
		jw_put_bytes(out, jw_span(text,
					  (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1));
}

void cfr_dump_fmt(struct cfr_dumper *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_args(d->out, fmt, ap);
	va_end(ap);
}

void cfr_dump_end(struct cfr_dumper *d)
{
	jw_put_str(d->out, "\n");
}

void cfr_dump_line(struct cfr_dumper *d, const char *fmt, ...)
{
	va_list ap;

	cfr_dump_start(d);
	va_start(ap, fmt);
	put_args(d->out, fmt, ap);
	va_end(ap);
	cfr_dump_end(d);
}

/* ---- texts ---- */

/* Bytes of the character at the start of S that can be shown as they are; 0: escape it. */
static size_t printable(struct jw_span s)
{
	static const struct {
		uint8_t mask, lead, bytes, second_min; /* second_min: of no shorter form */
	} forms[] = { { 0xe0, 0xc0, 2, 0x80 }, { 0xf0, 0xe0, 3, 0x80 } };

	if (s.p[0] < 0x80)
		return s.p[0] >= 0x20 && s.p[0] != 0x7f && s.p[0] != '\\' && s.p[0] != '"';
	for (size_t i = 0; i < 2; i++) {
		size_t n = forms[i].bytes;

		if ((s.p[0] & forms[i].mask) != forms[i].lead || s.n < n)
			continue;
		if ((s.p[1] & 0xc0) != 0x80 || (n == 3 && (s.p[2] & 0xc0) != 0x80))
			return 0;
		/* too long a form, C1 controls, surrogates, directional marks (U+2000 .. 206F) */
		if (s.p[0] <= 0xc1 || (s.p[0] == 0xc2 && s.p[1] < 0xa0) ||
		    (s.p[0] == 0xe0 && s.p[1] < 0xa0) || (s.p[0] == 0xed && s.p[1] >= 0xa0) ||
		    (s.p[0] == 0xe2 && s.p[1] <= 0x81))
			return 0;
		return n;
	}
	return 0;
}

void cfr_dump_text(struct cfr_dumper *d, struct jw_span text)
{
	struct jw_span s = jw_span_sub(text, 0, TEXT_MAX);

	while (s.n > 0) {
		size_t run = 0, n;

		while (run < s.n && (n = printable(jw_span_sub(s, run, s.n))) > 0)
			run += n;
		jw_put_bytes(d->out, jw_span_sub(s, 0, run));
		s = jw_span_sub(s, run, s.n);
		if (s.n == 0)
			break;
		if (s.p[0] == '"' || s.p[0] == '\\')
			cfr_dump_fmt(d, "\\%c", s.p[0]);
		else
			cfr_dump_fmt(d, "\\x%02x", s.p[0]);
		s = jw_span_sub(s, 1, s.n);
	}
	if (text.n > TEXT_MAX)
		cfr_dump_fmt(d, "...(%zu bytes)", text.n);
}

void cfr_dump_utf8(struct cfr_dumper *d, uint32_t index)
{
	struct jw_span text = cfr_pool_utf8(&d->cls.pool, index);

	if (text.p)
		cfr_dump_text(d, text);
	else
		jw_put_str(d->out, index ? "?" : "-");
}

/* ---- constants ---- */

static void put_number(struct cfr_dumper *d, uint8_t tag, struct jw_span s)
{
	uint64_t bits = jw_span_u4(s, 0);
	double wide;
	float narrow;

	if (tag == CFR_CONSTANT_Long || tag == CFR_CONSTANT_Double)
		bits = bits << 32 | jw_span_u4(s, 4);
	uint32_t low = (uint32_t)bits;
	memcpy(&wide, &bits, sizeof(wide));
	memcpy(&narrow, &low, sizeof(narrow));
	switch (tag) {
	case CFR_CONSTANT_Integer:
		cfr_dump_fmt(d, "int %d", (int32_t)low);
		break;
	case CFR_CONSTANT_Long:
		cfr_dump_fmt(d, "long %lld", (long long)bits);
		break;
	case CFR_CONSTANT_Float:
		cfr_dump_fmt(d, "float %.9g 0x%08x", (double)narrow, low);
		break;
	default:
		cfr_dump_fmt(d, "double %.17g 0x%016llx", wide, (unsigned long long)bits);
		break;
	}
}

static void put_ref(struct cfr_dumper *d, uint32_t index)
{
	struct cfr_ref ref;

	if (!cfr_pool_ref(&d->cls.pool, index, &ref))
		return;
	cfr_dump_fmt(d, "%s ", cfr_constant_name(ref.tag));
	if (ref.owner.p) {
		cfr_dump_text(d, ref.owner);
		jw_put_str(d->out, ".");
	} else {
		cfr_dump_fmt(d, "#%u:", ref.first); /* of the bootstrap method */
	}
	cfr_dump_text(d, ref.name);
	jw_put_str(d->out, ":");
	cfr_dump_text(d, ref.descriptor);
}

static void put_handle(struct cfr_dumper *d, struct jw_span s)
{
	static const char *const kinds[] = { "?",
					     "getField",
					     "getStatic",
					     "putField",
					     "putStatic",
					     "invokeVirtual",
					     "invokeStatic",
					     "invokeSpecial",
					     "newInvokeSpecial",
					     "invokeInterface" };
	uint8_t kind = jw_span_u1(s, 0);

	cfr_dump_fmt(d, "MethodHandle %s ", kind < 10 ? kinds[kind] : "?");
	put_ref(d, jw_span_u2(s, 1));
}

void cfr_dump_constant(struct cfr_dumper *d, uint32_t index)
{
	uint8_t tag = cfr_pool_tag(&d->cls.pool, index);
	struct jw_span s = cfr_pool_entry(&d->cls.pool, index);

	switch (tag) {
	case 0:
		jw_put_str(d->out, index ? "?" : "-");
		break;
	case CFR_CONSTANT_Integer:
	case CFR_CONSTANT_Float:
	case CFR_CONSTANT_Long:
	case CFR_CONSTANT_Double:
		put_number(d, tag, s);
		break;
	case CFR_CONSTANT_Utf8:
	case CFR_CONSTANT_String:
		cfr_dump_fmt(d, "%s \"", cfr_constant_name(tag));
		cfr_dump_utf8(d, tag == CFR_CONSTANT_Utf8 ? index : jw_span_u2(s, 0));
		jw_put_str(d->out, "\"");
		break;
	case CFR_CONSTANT_NameAndType:
		jw_put_str(d->out, "NameAndType ");
		cfr_dump_utf8(d, jw_span_u2(s, 0));
		jw_put_str(d->out, ":");
		cfr_dump_utf8(d, jw_span_u2(s, 2));
		break;
	case CFR_CONSTANT_MethodHandle:
		put_handle(d, s);
		break;
	case CFR_CONSTANT_Class:
	case CFR_CONSTANT_MethodType:
	case CFR_CONSTANT_Module:
	case CFR_CONSTANT_Package:
		cfr_dump_fmt(d, "%s ", cfr_constant_name(tag));
		cfr_dump_utf8(d, jw_span_u2(s, 0));
		break;
	default:
		put_ref(d, index);
	}
}

/* ---- flags ---- */

struct flag {
	uint16_t bit;
	uint8_t where; /* CFR_FLAGS_ */
	const char *name;
};

enum {
	MEMBERS = CFR_FLAGS_FIELD | CFR_FLAGS_METHOD,
	TYPES = CFR_FLAGS_CLASS | CFR_FLAGS_INNER,
	MODULES = CFR_FLAGS_MODULE | CFR_FLAGS_REQUIRES,
};

static const struct flag flags_known[] = {
	{ CFR_ACC_PUBLIC, MEMBERS | TYPES, "public" },
	{ CFR_ACC_PRIVATE, MEMBERS | CFR_FLAGS_INNER, "private" },
	{ CFR_ACC_PROTECTED, MEMBERS | CFR_FLAGS_INNER, "protected" },
	{ CFR_ACC_STATIC, MEMBERS | CFR_FLAGS_INNER, "static" },
	{ CFR_ACC_FINAL, MEMBERS | TYPES | CFR_FLAGS_PARAMETER, "final" },
	{ CFR_ACC_SYNCHRONIZED, CFR_FLAGS_METHOD, "synchronized" },
	{ CFR_ACC_SUPER, CFR_FLAGS_CLASS, "super" },
	{ 0x0020, CFR_FLAGS_MODULE, "open" },
	{ 0x0020, CFR_FLAGS_REQUIRES, "transitive" },
	{ 0x0040, CFR_FLAGS_REQUIRES, "static" },
	{ CFR_ACC_BRIDGE, CFR_FLAGS_METHOD, "bridge" },
	{ CFR_ACC_VOLATILE, CFR_FLAGS_FIELD, "volatile" },
	{ CFR_ACC_VARARGS, CFR_FLAGS_METHOD, "varargs" },
	{ CFR_ACC_TRANSIENT, CFR_FLAGS_FIELD, "transient" },
	{ CFR_ACC_NATIVE, CFR_FLAGS_METHOD, "native" },
	{ CFR_ACC_INTERFACE, TYPES, "interface" },
	{ CFR_ACC_ABSTRACT, CFR_FLAGS_METHOD | TYPES, "abstract" },
	{ CFR_ACC_STRICT, CFR_FLAGS_METHOD, "strict" },
	{ CFR_ACC_SYNTHETIC, MEMBERS | TYPES | MODULES | CFR_FLAGS_PARAMETER, "synthetic" },
	{ CFR_ACC_ANNOTATION, TYPES, "annotation" },
	{ CFR_ACC_ENUM, CFR_FLAGS_FIELD | TYPES, "enum" },
	{ CFR_ACC_MODULE, CFR_FLAGS_CLASS, "module" },
	{ 0x8000, MODULES | CFR_FLAGS_PARAMETER, "mandated" },
};

void cfr_dump_flags(struct cfr_dumper *d, uint16_t flags, enum cfr_flags_of where)
{
	cfr_dump_fmt(d, "0x%04x", flags);
	for (size_t i = 0; i < sizeof(flags_known) / sizeof(flags_known[0]); i++) {
		if ((flags & flags_known[i].bit) && (flags_known[i].where & where))
			cfr_dump_fmt(d, " %s", flags_known[i].name);
	}
}

/* ---- annotations ---- */

static void put_annotation(struct cfr_dumper *d, struct jw_cur *cur, unsigned nesting);

static void put_value(struct cfr_dumper *d, struct jw_cur *cur, unsigned nesting)
{
	uint8_t tag = jw_cur_u1(cur);
	uint16_t count;

	if (nesting > NESTING_MAX)
		cur->bad = true;
	switch (tag) {
	case '@':
		put_annotation(d, cur, nesting + 1);
		break;
	case '[':
		jw_put_str(d->out, "[");
		count = jw_cur_u2(cur);
		for (uint16_t i = 0; i < count && jw_cur_ok(cur) && cfr_dump_more(d); i++) {
			jw_put_str(d->out, i ? ", " : "");
			put_value(d, cur, nesting + 1);
		}
		jw_put_str(d->out, "]");
		break;
	case 'e':
		cfr_dump_utf8(d, jw_cur_u2(cur));
		jw_put_str(d->out, ".");
		cfr_dump_utf8(d, jw_cur_u2(cur));
		break;
	case 'c':
		jw_put_str(d->out, "class ");
		cfr_dump_utf8(d, jw_cur_u2(cur));
		break;
	default:
		if (!tag || !strchr("BCDFIJSZs", tag)) {
			cur->bad = true;
			break;
		}
		cfr_dump_fmt(d, "%c ", tag);
		cfr_dump_constant(d, jw_cur_u2(cur));
	}
}

static void put_annotation(struct cfr_dumper *d, struct jw_cur *cur, unsigned nesting)
{
	jw_put_str(d->out, "@");
	cfr_dump_utf8(d, jw_cur_u2(cur));
	uint16_t pairs = jw_cur_u2(cur);

	jw_put_str(d->out, "(");
	for (uint16_t i = 0; i < pairs && jw_cur_ok(cur) && cfr_dump_more(d); i++) {
		jw_put_str(d->out, i ? ", " : "");
		cfr_dump_utf8(d, jw_cur_u2(cur));
		jw_put_str(d->out, "=");
		put_value(d, cur, nesting);
	}
	jw_put_str(d->out, ")");
}

void cfr_dump_annotation(struct cfr_dumper *d, struct jw_cur *cur)
{
	put_annotation(d, cur, 0);
}

void cfr_dump_value(struct cfr_dumper *d, struct jw_cur *cur)
{
	put_value(d, cur, 0);
}

static void put_target(struct cfr_dumper *d, const struct cfr_type_annot *annot)
{
	struct jw_cur cur = jw_cur(annot->target);

	cfr_dump_fmt(d, "%s", cfr_target_name(annot->target_type));
	if (annot->target_type == CFR_TARGET_LOCALVAR ||
	    annot->target_type == CFR_TARGET_RESOURCE) {
		uint16_t count = jw_cur_u2(&cur);

		for (uint16_t i = 0; i < count && cfr_dump_more(d); i++) {
			uint32_t from = jw_cur_u2(&cur), length = jw_cur_u2(&cur);

			cfr_dump_fmt(d, " %u..%u slot %u", from, from + length, jw_cur_u2(&cur));
		}
		return;
	}
	if (annot->target.n >= 2 && annot->target_type >= CFR_TARGET_CATCH) {
		cfr_dump_fmt(d, " %u", jw_cur_u2(&cur));
	}
	while (jw_cur_left(&cur) > 0)
		cfr_dump_fmt(d, " %u", jw_cur_u1(&cur));
}

static void put_path(struct cfr_dumper *d, struct jw_span path)
{
	static const char *const kinds[] = { "array", "nested", "wildcard", "argument" };

	for (size_t i = 1; i + 1 < path.n; i += 2) {
		uint8_t kind = jw_span_u1(path, i);

		cfr_dump_fmt(d, "%s%s", i > 1 ? "/" : " at ", kind < 4 ? kinds[kind] : "?");
		if (kind == 3)
			cfr_dump_fmt(d, "%u", jw_span_u1(path, i + 1));
	}
}

void cfr_dump_type_annotation(struct cfr_dumper *d, struct jw_cur *cur)
{
	struct cfr_type_annot annot;

	if (!cfr_type_annot_next(cur, &annot))
		return;
	put_target(d, &annot);
	put_path(d, annot.path);
	jw_put_str(d->out, " ");
	struct jw_cur inner = jw_cur(annot.annotation);
	put_annotation(d, &inner, 0);
}
