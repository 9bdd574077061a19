#include "cli/inputs.h"

#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "cli/folder.h"
#include "cli/out.h"
#include "cli/presets.h"
#include "cli/starter.h"
#include "cli/words.h"
#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

enum jw_status cli_check_output(const struct cli *cli, enum cli_option_id id, size_t first,
				struct jw_err *e)
{
	const char *path = cli_value(cli, id, "-"), *rules = cli_value(cli, CLI_OPT_rules, "-");

	if (strcmp(path, "-") == 0)
		return JW_OK;
	for (size_t i = first; i < cli->args.operand_count; i++)
		if (strcmp(path, cli->args.operands[i]) == 0 ||
		    jw_same_file(path, cli->args.operands[i]))
			return jw_fail(e, JW_USAGE,
				       "--%s would overwrite '%s': choose another name",
				       cli_options[id].name, cli->args.operands[i]);
	if (strcmp(rules, "-") != 0 && jw_same_file(path, rules))
		return jw_fail(e, JW_USAGE, "--%s would overwrite '%s': choose another name",
			       cli_options[id].name, rules);
	return JW_OK;
}

/* Appends FOLDER to MAPS, or where it is none of woven classes, the woven archives in it. */
static enum jw_status add_folder(struct cli *cli, const char *folder, struct cli_words *maps,
				 struct jw_err *e)
{
	struct cli_words archives = { .arena = &cli->arena };
	struct jw_span mark = { 0 };
	struct jw_err ignored = { 0 };
	size_t before = maps->count;

	if (weave_info(folder, &cli->arena, &mark, &ignored) == JW_OK && mark.n)
		return cli_words_add(maps, folder, e);
	JW_TRY(cli_list_archives(folder, &archives, e));
	for (size_t i = 0; i < archives.count; i++) {
		enum jw_status status = weave_info(archives.items[i], &cli->arena, &mark, &ignored);

		if (status == JW_OK && mark.n)
			JW_TRY(cli_words_add(maps, archives.items[i], e));
	}
	return maps->count > before ? JW_OK : cli_words_add(maps, folder, e);
}

enum jw_status cli_check_maps(struct cli *cli, struct jw_err *e)
{
	struct cli_args *args = &cli->args;
	struct cli_words maps = { .arena = &cli->arena };

	for (size_t i = 0; i < args->map_count; i++) {
		struct jw_file file = { 0 };

		if (cli_is_folder(args->maps[i])) {
			JW_TRY(add_folder(cli, args->maps[i], &maps, e));
			continue;
		}
		JW_TRY(jw_file_open(args->maps[i], 0, &file, e));
		jw_file_close(&file);
		JW_TRY(cli_words_add(&maps, args->maps[i], e));
	}
	args->maps = cli_words_all(&maps);
	args->map_count = maps.count;
	return JW_OK;
}

/* ---- rules ---- */

static const char match_prefix[] = "match:", preset_prefix[] = "preset:";

/* What follows PREFIX in PATH, if that is no file; else NULL. */
static const char *not_a_file(const char *path, const char *prefix)
{
	size_t n = strlen(prefix);

	return path && strncmp(path, prefix, n) == 0 && !cli_exists(path) ? path + n : NULL;
}

const char *cli_rules_matches(const struct cli *cli)
{
	return not_a_file(cli_value(cli, CLI_OPT_rules, NULL), match_prefix);
}

bool cli_rules_are_preset(const struct cli *cli)
{
	return not_a_file(cli_value(cli, CLI_OPT_rules, NULL), preset_prefix);
}

/* The length of the first match line of LINES: to a comma that parts no types of parameters. */
static size_t match_line(const char *lines)
{
	size_t n = 0;
	int depth = 0;

	for (; lines[n] && (lines[n] != ',' || depth > 0); n++)
		depth += lines[n] == '(' ? 1 : lines[n] == ')' ? -1 : 0;
	return n;
}

/* Takes the first match line of LINES, at least an empty one; NULL, from then on: there are no more. */
static bool next_match(const char **lines, struct jw_span *line)
{
	if (!*lines)
		return false;
	size_t n = match_line(*lines);

	*line = jw_span((const uint8_t *)*lines, n);
	*lines = (*lines)[n] ? *lines + n + 1 : NULL;
	return true;
}

void cli_put_matches(struct jw_buf *out, const char *lines)
{
	struct jw_span line;

	for (const char *before = "["; next_match(&lines, &line); before = ", ") {
		jw_put_str(out, before);
		jw_put_json(out, line);
	}
	jw_put_str(out, "]");
}

/* Within each of LINES. */
static void put_notify(struct jw_buf *out, const char *lines)
{
	for (struct jw_span line; next_match(&lines, &line);) {
		jw_put_str(out, ",");
		cli_starter_notify(line, out);
	}
}

/* "match:LINE,LINE": one rule that chooses what any of LINES does, and those by which it is known who ends what
 * their code waits for. */
static enum jw_status load_matches(const char *lines, const char *path,
				   const struct rules_options *options, struct rules **out,
				   struct jw_err *e)
{
	struct jw_buf text = { 0 };

	jw_put_str(&text, "{\"jweave\":1,\"rules\":[{\"match\":");
	cli_put_matches(&text, lines);
	jw_put_str(&text, "}");
	put_notify(&text, lines);
	jw_put_str(&text, "]}");
	enum jw_status status = jw_buf_finish(&text, "the rules", e);
	if (status == JW_OK)
		status = rules_parse(jw_buf_span(&text), path, options, out, e);
	jw_buf_free(&text);
	return status;
}

/* "preset:NAME": as if NAME were one more --preset, and the file had no rules. */
static enum jw_status load_preset(struct cli *cli, const char *name, const char *path,
				  struct rules_options *options, struct rules **out,
				  struct jw_err *e)
{
	static const char nothing[] = "{\"jweave\":1,\"rules\":[]}";
	size_t count = cli->args.preset_count;

	JW_TRY(cli_check_preset(name, e));
	const char **presets = JW_NEW_ARRAY(&cli->arena, const char *, count + 2);
	if (!presets)
		return jw_nomem(e);
	memcpy(presets, cli->args.presets, count * sizeof(*presets));
	presets[count] = name;
	options->presets = presets;
	return rules_parse(jw_span_str(nothing), path, options, out, e);
}

enum jw_status cli_load_rules(struct cli *cli, const char *path, struct rules **out,
			      struct jw_err *e)
{
	struct rules_options options = { .jdk = cli_given(cli, CLI_OPT_jdk),
					 .no_guard = cli_given(cli, CLI_OPT_no_guard),
					 .presets = cli->args.presets };
	const char *lines = not_a_file(path, match_prefix), *name = not_a_file(path, preset_prefix);

	if (lines)
		return load_matches(lines, path, &options, out, e);
	if (name)
		return load_preset(cli, name, path, &options, out, e);
	if (strpbrk(path, "*#") && !cli_exists(path))
		return jw_fail(e, JW_INPUT,
			       "there is no file '%s'; what a pattern chooses: 'match:%s'", path,
			       path);
	return rules_load(path, &options, out, e);
}

/* ---- methods ---- */

struct cli_hinted {
	const struct cli_hinted *next;
	const char *said;
};

/* One hint tells of all its places: the rules that "match:" makes name its classes once each. */
void cli_hint(void *ctx, const char *place, const char *said, const char *meant)
{
	struct cli *cli = ctx;

	for (const struct cli_hinted *h = cli->hinted; h; h = h->next)
		if (strcmp(h->said, said) == 0)
			return;
	struct cli_hinted *now = JW_NEW(&cli->arena, struct cli_hinted);
	const char *kept = jw_arena_fmt(&cli->arena, "%s", said);
	if (now && kept) {
		*now = (struct cli_hinted){ cli->hinted, kept };
		cli->hinted = now;
	}
	cli_note(cli, "%s: \"%s\" names a class; did you mean \"%s\"?", place, said, meant);
}

static enum jw_status scan_note(void *ctx, const char *note, struct jw_err *e)
{
	(void)e;
	cli_note(ctx, "%s", note);
	return JW_OK;
}

enum jw_status cli_scan(struct cli *cli, const char *in, const struct rules *rules,
			weave_each_method *each, void *ctx, struct jw_err *e)
{
	return cli_scan_calls(cli, in, rules, each, NULL, ctx, e);
}

enum jw_status cli_scan_calls(struct cli *cli, const char *in, const struct rules *rules,
			      weave_each_method *each, weave_each_call *each_call, void *ctx,
			      struct jw_err *e)
{
	const struct weave_scan_job job = { .in = in,
					    .rules = rules,
					    .nested = cli_value(cli, CLI_OPT_nested, "all"),
					    .class_path = cli_value(cli, CLI_OPT_classpath, NULL),
					    .no_limits = cli_given(cli, CLI_OPT_no_limits),
					    .each = each,
					    .each_call = each_call,
					    .ctx = ctx,
					    .note = scan_note,
					    .note_ctx = cli };

	return weave_scan(&job, e);
}
