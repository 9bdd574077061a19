/*
 * cmd_dump.c: jweave dump FILE.class | JAR CLASS: class files as text.
 */
#include <string.h>

#include "base/nearest.h"
#include "cfr/class.h"
#include "cfr/dump.h"
#include "cli/paths.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "weaver/input/each_class.h"

#include "base/banned.h"

struct dump {
	struct cli *cli;
	const char *wanted;      /* class or entry as given; NULL: any (a single class file) */
	struct jw_span internal; /* the same with slashes */
	size_t found;
	const char **names; /* of the classes passed over */
	size_t name_count, name_room;
};

static enum jw_status remember(struct dump *d, struct jw_span internal_name, struct jw_err *e)
{
	struct jw_buf name = { 0 };

	if (d->name_count == d->name_room) {
		size_t room = d->name_room ? 2 * d->name_room : 256;
		const char **names = JW_NEW_ARRAY(&d->cli->arena, const char *, room);

		if (!names)
			return jw_nomem(e);
		if (d->name_count)
			memcpy(names, d->names, d->name_count * sizeof(*names));
		d->names = names;
		d->name_room = room;
	}
	cli_put_class(&name, internal_name);
	const char *copy =
		name.failed == JW_OK ? jw_arena_str(&d->cli->arena, jw_buf_span(&name)) : NULL;
	jw_buf_free(&name);
	if (!copy)
		return jw_nomem(e);
	d->names[d->name_count++] = copy;
	return JW_OK;
}

static enum jw_status print(struct dump *d, struct jw_span entry, struct jw_span bytes,
			    struct jw_arena *arena, struct jw_err *e)
{
	struct jw_buf text = { 0 };
	enum jw_status status = cfr_dump(bytes, arena, &text, e);

	if (status == JW_OK)
		status = jw_buf_finish(&text, "the text", e);
	if (status == JW_OK) {
		if (d->found++)
			cli_put(d->cli, "\n");
		cli_put_span(d->cli, jw_buf_span(&text));
	} else if (entry.n && !jw_span_eq_str(entry, d->cli->args.operands[0])) {
		(void)jw_err_where(e, "%.*s", (int)entry.n, (const char *)entry.p);
	}
	jw_buf_free(&text);
	return status;
}

static bool is_wanted(const struct dump *d, struct jw_span entry, struct jw_span name)
{
	return !d->wanted || jw_span_eq(name, d->internal) || jw_span_eq_str(entry, d->wanted);
}

static enum jw_status look(void *ctx, struct jw_span entry, struct jw_span bytes, struct jw_err *e)
{
	struct dump *d = ctx;
	struct jw_arena arena = { 0 };
	struct cfr_class cls = { 0 };
	struct jw_err ignored = { 0 };
	bool readable = cfr_class_peek(bytes, &arena, &cls, &ignored) == JW_OK;
	enum jw_status status = JW_OK;

	if (is_wanted(d, entry, readable ? cls.name : jw_span(NULL, 0)))
		status = print(d, entry, bytes, &arena, e);
	else if (readable && !d->found)
		status = remember(d, cls.name, e);
	if (readable)
		cfr_class_close(&cls);
	jw_arena_free(&arena);
	return status;
}

static const char *nearest(struct dump *d)
{
	for (size_t i = 0; i < d->name_count; i++) {
		const char *dot = strrchr(d->names[i], '.');

		if (dot && strcmp(dot + 1, d->wanted) == 0)
			return d->names[i];
	}
	return jw_nearest(d->wanted, d->names, d->name_count);
}

static enum jw_status nothing_found(struct dump *d, struct jw_err *e)
{
	const char *in = d->cli->args.operands[0], *near;

	if (!d->wanted)
		return jw_fail(e, JW_INPUT, "'%s' holds no class", in);
	near = nearest(d);
	if (near)
		return jw_fail(e, JW_INPUT, "no class '%s' in '%s'; did you mean '%s'?", d->wanted,
			       in, near);
	return jw_fail(e, JW_INPUT, "no class '%s' in '%s'", d->wanted, in);
}

enum jw_status cli_run_dump(struct cli *cli, struct jw_err *e)
{
	struct dump d = { .cli = cli };
	const char *in = cli->args.operands[0];

	d.wanted = cli->args.operands[1]; /* NULL ends the operands */
	if (!d.wanted && (cli_is_folder(in) || cli_is_archive_name(in)))
		return jw_fail(e, JW_USAGE, "which class of '%s'? jweave dump JAR CLASS", in);
	if (d.wanted) {
		char *internal = jw_arena_str(&cli->arena, jw_span_str(d.wanted));

		if (!internal)
			return jw_nomem(e);
		for (char *c = internal; *c; c++)
			if (*c == '.')
				*c = '/';
		d.internal = jw_span_str(internal);
	}
	JW_TRY(weave_each_class(in, cli_given(cli, CLI_OPT_no_limits), look, &d, e));
	return d.found ? JW_OK : nothing_found(&d, e);
}
