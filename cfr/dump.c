#include "cfr/dump.h"

#include "cfr/dump_attr.h"
#include "cfr/dump_code.h"
#include "cfr/dump_text.h"

#include "base/banned.h"

/* A class of 1 MB gives 10 MB of text; one made to explode is cut here. */
size_t cfr_dump_limit = (size_t)256 << 20;

static void show_head(struct cfr_dumper *d)
{
	const struct cfr_class *cls = &d->cls;

	cfr_dump_start(d);
	jw_put_str(d->out, "class ");
	cfr_dump_text(d, cls->name);
	cfr_dump_end(d);
	d->indent++;
	cfr_dump_line(d, "version %u.%u", cls->major, cls->minor);
	cfr_dump_start(d);
	jw_put_str(d->out, "flags ");
	cfr_dump_flags(d, cls->access, CFR_FLAGS_CLASS);
	cfr_dump_end(d);
	cfr_dump_start(d);
	jw_put_str(d->out, "super ");
	cfr_dump_text(d, cls->super.p ? cls->super : JW_SPAN_LIT("-"));
	cfr_dump_end(d);
	for (uint16_t i = 0; i < cls->interface_count && cfr_dump_more(d); i++) {
		cfr_dump_start(d);
		jw_put_str(d->out, "interface ");
		cfr_dump_text(d, cfr_class_interface(cls, i));
		cfr_dump_end(d);
	}
	d->indent--;
}

static void show_pool(struct cfr_dumper *d)
{
	const struct cfr_pool *pool = &d->cls.pool;

	cfr_dump_line(d, "constants %u", pool->count);
	d->indent++;
	for (uint32_t i = 1; i < pool->count && cfr_dump_more(d); i++) {
		if (!cfr_pool_tag(pool, i))
			continue;
		cfr_dump_start(d);
		cfr_dump_fmt(d, "#%u ", i);
		cfr_dump_constant(d, i);
		cfr_dump_end(d);
	}
	d->indent--;
}

static enum jw_status show_member(struct cfr_dumper *d, const struct cfr_member *m,
				  enum cfr_flags_of where, struct jw_err *e)
{
	cfr_dump_start(d);
	jw_put_str(d->out, where == CFR_FLAGS_FIELD ? "field " : "method ");
	cfr_dump_text(d, m->name);
	jw_put_str(d->out, " ");
	cfr_dump_text(d, m->descriptor);
	cfr_dump_end(d);
	d->indent++;
	cfr_dump_start(d);
	jw_put_str(d->out, "flags ");
	cfr_dump_flags(d, m->access, where);
	cfr_dump_end(d);
	if (m->code.p)
		JW_TRY(cfr_dump_code(d, m, e));
	cfr_dump_attrs(d, &m->attrs);
	d->method = NULL;
	d->indent--;
	return JW_OK;
}

static enum jw_status show_class(struct cfr_dumper *d, struct jw_err *e)
{
	const struct cfr_class *cls = &d->cls;

	show_head(d);
	show_pool(d);
	for (uint16_t i = 0; i < cls->field_count && cfr_dump_more(d); i++)
		JW_TRY(show_member(d, &cls->fields[i], CFR_FLAGS_FIELD, e));
	for (uint16_t i = 0; i < cls->method_count && cfr_dump_more(d); i++)
		JW_TRY(show_member(d, &cls->methods[i], CFR_FLAGS_METHOD, e));
	cfr_dump_line(d, "attributes");
	d->indent++;
	cfr_dump_attrs(d, &cls->attrs);
	d->indent--;
	if (!cfr_dump_more(d))
		cfr_dump_line(d, "(cut: the text passes %zu bytes)", cfr_dump_limit);
	return jw_buf_finish(d->out, "dump", e);
}

enum jw_status cfr_dump(struct jw_span bytes, struct jw_arena *arena, struct jw_buf *out,
			struct jw_err *e)
{
	struct cfr_dumper d = { .arena = arena, .out = out, .limit = out->n + cfr_dump_limit };

	JW_TRY(cfr_class_open(bytes, arena, &d.cls, e));
	return show_class(&d, e);
}
