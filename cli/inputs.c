#include "cli/inputs.h"

#include <string.h>

#include "base/file.h"
#include "cli/out.h"
#include "cli/presets.h"

#include "base/banned.h"

enum jw_status cli_check_maps(const struct cli *cli, struct jw_err *e)
{
	for (size_t i = 0; i < cli->args.map_count; i++) {
		struct jw_file file = { 0 };

		if (cli_is_folder(cli->args.maps[i]))
			continue;
		JW_TRY(jw_file_open(cli->args.maps[i], 0, &file, e));
		jw_file_close(&file);
	}
	return JW_OK;
}

enum jw_status cli_load_rules(struct cli *cli, const char *path, struct rules **out,
			      struct jw_err *e)
{
	static const char prefix[] = "preset:", nothing[] = "{\"jweave\":1,\"rules\":[]}";
	struct rules_options options = { .jdk = cli_given(cli, CLI_OPT_jdk),
					 .no_guard = cli_given(cli, CLI_OPT_no_guard),
					 .presets = cli->args.presets };
	size_t count = cli->args.preset_count;

	if (strncmp(path, prefix, strlen(prefix)) != 0 || cli_exists(path))
		return rules_load(path, &options, out, e);
	JW_TRY(cli_check_preset(path + strlen(prefix), e));
	const char **presets = JW_NEW_ARRAY(&cli->arena, const char *, count + 2);
	if (!presets)
		return jw_nomem(e);
	memcpy(presets, cli->args.presets, count * sizeof(*presets));
	presets[count] = path + strlen(prefix);
	options.presets = presets;
	return rules_parse(jw_span_str(nothing), path, &options, out, e);
}

void cli_hint(void *ctx, const char *place, const char *said, const char *meant)
{
	cli_note(ctx, "%s: \"%s\" names a class; did you mean \"%s\"?", place, said, meant);
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
