/*
 * cmd_info.c: jweave info FILE: a jar, a recording, or a trace.
 */
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "cli/cli.h"

#include "base/banned.h"

static void put_item(struct cli *cli, const cJSON *item)
{
	struct jw_buf text = { 0 };

	cli_put_escaped(&text, jw_span_str(item->string ? item->string : ""));
	jw_put_str(&text, ": ");
	if (cJSON_IsString(item))
		cli_put_escaped(&text, jw_span_str(item->valuestring));
	else if (cJSON_IsBool(item))
		jw_put_str(&text, cJSON_IsTrue(item) ? "yes" : "no");
	else if (cJSON_IsNumber(item))
		jw_put_fmt(&text, "%.0f", item->valuedouble);
	else
		jw_put_str(&text, "-");
	jw_put_u1(&text, '\n');
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

/* The marks that weaving left: flat JSON, shown field by field. */
static enum jw_status info_woven(struct cli *cli, const char *path, struct jw_span json,
				 struct jw_err *e)
{
	if (cli_given(cli, CLI_OPT_json)) {
		cli_put_span(cli, json);
		if (!jw_span_ends(json, JW_SPAN_LIT("\n")))
			cli_put(cli, "\n");
		return JW_OK;
	}
	cJSON *root = cJSON_ParseWithLength((const char *)json.p, json.n);
	if (!cJSON_IsObject(root)) {
		cJSON_Delete(root);
		return jw_fail(e, JW_INPUT, "%s: its META-INF/jweave/woven.json is damaged", path);
	}
	cli_put(cli, "woven: yes\n");
	for (const cJSON *item = root->child; item; item = item->next)
		if (!cJSON_IsObject(item) && !cJSON_IsArray(item))
			put_item(cli, item);
	cJSON_Delete(root);
	return JW_OK;
}

static enum jw_status info_archive(struct cli *cli, const char *path, struct jw_err *e)
{
	struct jw_span json = { 0 };

	JW_TRY(weave_info(path, &cli->arena, &json, e));
	if (json.n)
		return info_woven(cli, path, json, e);
	cli_put(cli, "%s\n", cli_given(cli, CLI_OPT_json) ? "{\"woven\":false}" : "woven: no");
	return JW_OK;
}

enum jw_status cli_run_info(struct cli *cli, struct jw_err *e)
{
	return info_archive(cli, cli->args.operands[0], e);
}
