#include "cli/packaged.h"

#include <string.h>

#include "trace/format/fields.h"

#include "base/banned.h"

struct packaged {
	struct jw_arena *arena;
	const char *root;
	struct cli_words options;
	struct jw_buf class_path;
	const char *main_class, *main_jar, *main_module;
};

/* VALUE of a line, with the folders that it names by variables. */
static const char *expanded(const struct packaged *p, struct jw_span value)
{
	static const struct {
		const char *name, *folder;
	} variables[] = { { "$APPDIR", "/lib/app" }, { "$BINDIR", "/bin" }, { "$ROOTDIR", "" } };
	const char *text = jw_arena_str(p->arena, value);

	for (size_t i = 0; text && i < sizeof(variables) / sizeof(*variables); i++) {
		const char *at = strstr(text, variables[i].name);

		if (at)
			text = jw_arena_fmt(p->arena, "%.*s%s%s%s", (int)(at - text), text, p->root,
					    variables[i].folder, at + strlen(variables[i].name));
	}
	return text;
}

/* What follows KEY, with which LINE starts, into *VALUE. */
static bool has_key(struct jw_span line, const char *key, struct jw_span *value)
{
	size_t n = strlen(key);

	if (!jw_span_starts(line, jw_span_str(key)))
		return false;
	*value = jw_span_sub(line, n, line.n - n);
	return true;
}

static enum jw_status take_line(struct packaged *p, struct jw_span line, struct jw_err *e)
{
	const struct {
		const char *key, **value;
	} mains[] = { { "app.mainclass=", &p->main_class },
		      { "app.mainjar=", &p->main_jar },
		      { "app.mainmodule=", &p->main_module } };
	struct jw_span value;

	for (size_t i = 0; i < sizeof(mains) / sizeof(*mains); i++)
		if (has_key(line, mains[i].key, &value)) {
			*mains[i].value = expanded(p, value);
			return *mains[i].value ? JW_OK : jw_nomem(e);
		}
	if (has_key(line, "java-options=", &value))
		return cli_words_add(&p->options, expanded(p, value), e);
	if (has_key(line, "app.classpath=", &value)) {
		const char *part = expanded(p, value);

		if (!part)
			return jw_nomem(e);
		jw_put_fmt(&p->class_path, "%s%s", p->class_path.n ? ":" : "", part);
	}
	return JW_OK;
}

static enum jw_status take_lines(struct packaged *p, struct jw_span text, struct jw_err *e)
{
	while (text.n) {
		struct jw_span line = trace_line(&text);

		line.n -= jw_span_ends(line, JW_SPAN_LIT("\r"));
		JW_TRY(take_line(p, line, e));
	}
	return JW_OK;
}

static enum jw_status put_words(struct packaged *p, const char *program, struct cli_words *words,
				struct jw_err *e)
{
	const char *main = p->main_module ? p->main_module
			   : p->main_jar  ? p->main_jar
					  : p->main_class;

	if (!main)
		return JW_OK;
	JW_TRY(cli_words_add(words, program, e));
	for (size_t i = 0; i < p->options.count; i++)
		JW_TRY(cli_words_add(words, p->options.items[i], e));
	if (p->class_path.n) {
		JW_TRY(cli_words_add(words, "-cp", e));
		JW_TRY(cli_words_add(words, jw_arena_str(p->arena, jw_buf_span(&p->class_path)),
				     e));
	}
	if (p->main_module || p->main_jar)
		JW_TRY(cli_words_add(words, p->main_module ? "-m" : "-jar", e));
	return cli_words_add(words, main, e);
}

enum jw_status cli_packaged_words(struct jw_span text, const char *root, const char *program,
				  struct cli_words *words, struct jw_err *e)
{
	struct packaged p = { .arena = words->arena,
			      .root = root,
			      .options = { .arena = words->arena } };
	enum jw_status status = take_lines(&p, text, e);

	if (status == JW_OK)
		status = jw_buf_finish(&p.class_path, "a class path", e);
	if (status == JW_OK)
		status = put_words(&p, program, words, e);
	jw_buf_free(&p.class_path);
	return status;
}
