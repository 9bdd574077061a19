/*
 * dump_attr.c: attributes as text, each by a layout: one letter a field, in the order
 * of the file.
 *
 *     k constant   u Utf8   n number u2   b number u1   r range (start, length)
 *     F I M R P  flags (of a field, inner class, module, requires, parameter)
 *     @ annotation   T type annotation   v element value   A attributes
 *     *(..) the group, counted by a u2; %(..) by a u1: a line each, or in brackets inside a group
 *     '..' is text; ; ends the line
 */
#include "cfr/dump_attr.h"

#include "cfr/dump_frames.h"

#include "base/banned.h"

enum { DEPTH_MAX = 8, HEX_MAX = 64 };

static const struct {
	const char *name, *layout;
} layouts[] = {
	{ "AnnotationDefault", "v" },
	{ "BootstrapMethods", "*(k' '*(k))" },
	{ "ConstantValue", "k" },
	{ "Deprecated", "" },
	{ "EnclosingMethod", "k' 'k" },
	{ "Exceptions", "*(k)" },
	{ "InnerClasses", "*(k' of 'k' as 'u' 'I)" },
	{ "LineNumberTable", "*(n': line 'n)" },
	{ "LocalVariableTable", "*(r' 'u' 'u' slot 'n)" },
	{ "LocalVariableTypeTable", "*(r' 'u' 'u' slot 'n)" },
	{ "MethodParameters", "%(u' 'P)" },
	{ "Module", "k' 'M' version 'u;"
		    "'requires';*(k' 'R' version 'u)"
		    "'exports';*(k' 'R' '*(k))"
		    "'opens';*(k' 'R' '*(k))"
		    "'uses';*(k)"
		    "'provides';*(k' '*(k))" },
	{ "ModuleHashes", "u;*(k' '*(b))" },
	{ "ModuleMainClass", "k" },
	{ "ModulePackages", "*(k)" },
	{ "ModuleResolution", "n" },
	{ "ModuleTarget", "u" },
	{ "NestHost", "k" },
	{ "NestMembers", "*(k)" },
	{ "PermittedSubclasses", "*(k)" },
	{ "Record", "*(u' 'u;A)" },
	{ "RuntimeInvisibleAnnotations", "*(@)" },
	{ "RuntimeInvisibleParameterAnnotations", "%(*(@))" },
	{ "RuntimeInvisibleTypeAnnotations", "*(T)" },
	{ "RuntimeVisibleAnnotations", "*(@)" },
	{ "RuntimeVisibleParameterAnnotations", "%(*(@))" },
	{ "RuntimeVisibleTypeAnnotations", "*(T)" },
	{ "Signature", "u" },
	{ "SourceFile", "u" },
	{ "Synthetic", "" },
};

/* One attribute being shown: what is read, and whether a line has been started. */
struct show {
	struct cfr_dumper *d;
	struct jw_cur cur;
	bool open;
};

static void open_line(struct show *s)
{
	if (!s->open)
		cfr_dump_start(s->d);
	s->open = true;
}

static void close_line(struct show *s)
{
	if (s->open)
		cfr_dump_end(s->d);
	s->open = false;
}

static void show_flags(struct show *s, char letter)
{
	enum cfr_flags_of where = letter == 'I'   ? CFR_FLAGS_INNER
				  : letter == 'M' ? CFR_FLAGS_MODULE
				  : letter == 'R' ? CFR_FLAGS_REQUIRES
						  : CFR_FLAGS_PARAMETER;

	cfr_dump_flags(s->d, jw_cur_u2(&s->cur), where);
}

static void show_attributes(struct show *s)
{
	struct cfr_attrs attrs;

	if (cfr_attrs_read(&s->d->cls, &s->cur, &attrs, NULL) != JW_OK) {
		s->cur.bad = true;
		return;
	}
	s->d->indent++;
	cfr_dump_attrs(s->d, &attrs);
	s->d->indent--;
}

static void show_field(struct show *s, char letter)
{
	uint32_t from;

	switch (letter) {
	case 'k':
		cfr_dump_constant(s->d, jw_cur_u2(&s->cur));
		break;
	case 'u':
		cfr_dump_utf8(s->d, jw_cur_u2(&s->cur));
		break;
	case 'n':
		cfr_dump_fmt(s->d, "%u", jw_cur_u2(&s->cur));
		break;
	case 'b':
		cfr_dump_fmt(s->d, "%02x", jw_cur_u1(&s->cur));
		break;
	case 'r':
		from = jw_cur_u2(&s->cur);
		cfr_dump_fmt(s->d, "%u..%u", from, from + jw_cur_u2(&s->cur));
		break;
	case '@':
		cfr_dump_annotation(s->d, &s->cur);
		break;
	case 'T':
		cfr_dump_type_annotation(s->d, &s->cur);
		break;
	case 'v':
		cfr_dump_value(s->d, &s->cur);
		break;
	default:
		show_flags(s, letter);
	}
}

/* The place after the ')' that ends the group at LAYOUT. */
static const char *group_end(const char *layout)
{
	for (int open = 1; *layout; layout++) {
		open += (*layout == '(') - (*layout == ')');
		if (open == 0)
			return layout + 1;
	}
	return layout;
}

static void show(struct show *s, const char *layout, bool nested);

/* A group: LAYOUT is what follows its '('. */
static void show_group(struct show *s, const char *layout, bool wide_count, bool nested)
{
	uint16_t count = wide_count ? jw_cur_u2(&s->cur) : jw_cur_u1(&s->cur);

	if (nested)
		jw_put_str(s->d->out, "[");
	else
		close_line(s);
	for (uint16_t i = 0; i < count && jw_cur_ok(&s->cur) && cfr_dump_more(s->d); i++) {
		if (nested)
			jw_put_str(s->d->out, i ? ", " : "");
		else
			open_line(s);
		show(s, layout, true);
		if (!nested)
			close_line(s);
	}
	if (nested)
		jw_put_str(s->d->out, "]");
}

static void show(struct show *s, const char *layout, bool nested)
{
	for (; *layout && *layout != ')' && jw_cur_ok(&s->cur); layout++) {
		switch (*layout) {
		case '\'':
			open_line(s);
			for (layout++; *layout != '\''; layout++)
				cfr_dump_fmt(s->d, "%c", *layout);
			break;
		case ';':
			close_line(s);
			break;
		case 'A':
			show_attributes(s);
			break;
		case '*':
		case '%':
			show_group(s, layout + 2, *layout == '*', nested);
			layout = group_end(layout + 2) - 1;
			break;
		default:
			open_line(s);
			show_field(s, *layout);
		}
	}
}

/* ---- attributes ---- */

static const char *layout_of(struct jw_span name)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++) {
		if (jw_span_eq_str(name, layouts[i].name))
			return layouts[i].layout;
	}
	return NULL;
}

static void show_hex(struct cfr_dumper *d, struct jw_span info)
{
	cfr_dump_start(d);
	cfr_dump_fmt(d, "%zu byte%s", info.n, jw_s(info.n));
	for (size_t i = 0; i < info.n && i < HEX_MAX; i++)
		cfr_dump_fmt(d, "%s%02x", i % 4 ? "" : " ", info.p[i]);
	cfr_dump_fmt(d, "%s", info.n > HEX_MAX ? " ..." : "");
	cfr_dump_end(d);
}

static void show_by_layout(struct cfr_dumper *d, struct jw_span info, const char *layout)
{
	struct show s = { .d = d, .cur = jw_cur(info) };

	show(&s, layout, false);
	close_line(&s);
	if (!jw_cur_ok(&s.cur))
		cfr_dump_line(d, "(damaged: %zu byte%s)", info.n, jw_s(info.n));
	else if (jw_cur_left(&s.cur) > 0 && cfr_dump_more(d))
		cfr_dump_line(d, "(damaged: %zu of %zu byte%s left)", jw_cur_left(&s.cur), info.n,
			      jw_s(info.n));
}

static void show_frames(struct cfr_dumper *d, struct jw_span info)
{
	struct jw_err e = { 0 };

	if (d->code && cfr_dump_frames(d, &e) == JW_OK)
		return;
	cfr_dump_start(d);
	jw_put_str(d->out, "(damaged: ");
	cfr_dump_text(d, jw_span_str(e.text));
	jw_put_str(d->out, ")\n");
	show_hex(d, info);
}

void cfr_dump_attrs(struct cfr_dumper *d, const struct cfr_attrs *attrs)
{
	struct cfr_attr_iter it = cfr_attrs_iter(&d->cls, attrs);
	struct cfr_attr attr;

	if (++d->depth > DEPTH_MAX) /* Record in Record in Record: hostile */
		cfr_dump_line(d, "(nested too deep)");
	while (d->depth <= DEPTH_MAX && cfr_dump_more(d) && cfr_attr_next(&it, &attr)) {
		const char *layout = layout_of(attr.name);
		bool in_code = d->code && attrs == &d->code->attrs;

		if (d->method && attr.info.p == d->method->code.p)
			continue; /* shown by cfr_dump_code() */
		cfr_dump_start(d);
		cfr_dump_text(d, attr.name);
		cfr_dump_end(d);
		d->indent++;
		if (in_code && jw_span_eq(attr.name, JW_SPAN_LIT("StackMapTable")))
			show_frames(d, attr.info);
		else if (layout)
			show_by_layout(d, attr.info, layout);
		else
			show_hex(d, attr.info);
		d->indent--;
	}
	d->depth--;
}
