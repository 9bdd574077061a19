/*
 * cmd_list.c: jweave list [-r RULES] IN: what would be woven.
 *
 * One row for each chosen method: rule, bytes of code, class, method, in the order of the archive;
 * after a method, one where its exceptions are recorded ("throw" for the bytes), one for each
 * chosen call in it ("call", the method called, the line) and for each object that it makes ("new",
 * its type); and the operation where the rule names one, and which
 * calls are recorded. The method comes last, since it may be long and has blanks.
 */
#include <string.h>

#include "cli/inputs.h"
#include "cli/json_out.h"
#include "cli/learnt.h"
#include "cli/out.h"
#include "cli/safe_text.h"
#include "rules/hints.h"

#include "base/banned.h"

enum { WIDTH_MAX = 60 }; /* longer names push their row out of line, not every row */

struct row {
	struct row *next;
	const char *rule, *class_name, *method;
	const char *callee;    /* of a call, else NULL */
	const char *operation; /* of the rule, or "" */
	const struct rules_sampling *sampling;
	bool off; /* until it is switched on at run time */
	uint32_t size, line;
	bool made;       /* no call: `callee` is what is made */
	bool exceptions; /* of what the method throws and catches */
};

struct list {
	struct cli *cli;
	struct rules *rules;
	bool all;      /* no rules were given, every method is shown */
	bool *decides; /* by rule */
	struct row *first, **last;
	size_t count, widths[2]; /* of the rule and the class */
};

/* Without -r: everything with a body, the JDK's and trivial ones too. */
static const char everything[] =
	"{\"jweave\":1,\"rules\":[{\"id\":\"all\",\"onUnmatched\":\"ignore\",\"select\":{\"kind\":"
	"[\"method\",\"constructor\",\"clinit\",\"lambda\",\"accessor\",\"bridge\",\"synthetic\"]}}"
	"]}";

static void widen(size_t *width, const char *text)
{
	size_t n = cli_width(jw_span_str(text));

	*width = n > *width && n <= WIDTH_MAX ? n : *width;
}

static const char *keep(struct list *list, struct jw_buf *text)
{
	const char *copy =
		text->failed == JW_OK ? jw_arena_str(&list->cli->arena, jw_buf_span(text)) : NULL;

	jw_buf_clear(text);
	return copy;
}

/* NULL: no memory. */
static struct row *add_row(struct list *list, const struct rules_class *cls,
			   const struct rules_method *method, const struct rules_callee *callee,
			   struct rules_verdict verdict)
{
	size_t does = rules_operation_rule(list->rules, cls, method, callee, verdict.rule);
	struct row *row = JW_NEW(&list->cli->arena, struct row);
	struct jw_buf text = { 0 };

	if (!row)
		return NULL;
	row->sampling = &rules_rule(list->rules, verdict.rule)->sampling;
	row->off = !rules_rule(list->rules, verdict.rule)->enabled;
	row->rule = list->all ? "-" : rules_rule(list->rules, verdict.rule)->id;
	cli_put_class(&text, cls->name);
	row->class_name = keep(list, &text);
	cli_put_method(&text, method->name, method->descriptor);
	row->method = keep(list, &text);
	cli_put_operation(&text, rules_rule(list->rules, does)->operation);
	row->operation = keep(list, &text);
	jw_buf_free(&text);
	if (!row->class_name || !row->method || !row->operation)
		return NULL;
	widen(&list->widths[0], row->rule);
	widen(&list->widths[1], row->class_name);
	*list->last = row;
	list->last = &row->next;
	list->count++;
	return row;
}

static void decided(struct list *list, struct rules_verdict verdict)
{
	if (verdict.rule != RULES_NONE)
		list->decides[verdict.rule] = true;
}

static enum jw_status take(void *ctx, const struct rules_class *cls,
			   const struct rules_method *method, uint32_t code_bytes,
			   struct rules_verdict verdict, struct jw_err *e)
{
	struct list *list = ctx;
	struct rules_code code;
	struct row *row;

	if (!method->has_code)
		return JW_OK;
	decided(list, verdict);
	if (verdict.why == RULES_WHY_TRACED) {
		row = add_row(list, cls, method, NULL, verdict);
		if (!row)
			return jw_nomem(e);
		row->size = code_bytes;
	}
	verdict = rules_decide_exceptions(list->rules, cls, method);
	decided(list, verdict);
	if (verdict.why == RULES_WHY_TRACED && method->code(method->ctx, &code) && code.throws) {
		row = add_row(list, cls, method, NULL, verdict);
		if (!row)
			return jw_nomem(e);
		row->exceptions = true;
	}
	return JW_OK;
}

static enum jw_status take_call(void *ctx, const struct rules_class *cls,
				const struct rules_method *method,
				const struct rules_callee *callee, uint32_t line,
				struct rules_verdict verdict, struct jw_err *e)
{
	struct list *list = ctx;
	struct jw_buf text = { 0 };
	struct row *row;

	decided(list, verdict);
	if (verdict.why != RULES_WHY_TRACED)
		return JW_OK;
	row = add_row(list, cls, method, callee, verdict);
	if (!row)
		return jw_nomem(e);
	cli_put_callee(&text, callee);
	row->made = callee->made;
	row->callee = keep(list, &text);
	row->line = line;
	jw_buf_free(&text);
	return row->callee ? JW_OK : jw_nomem(e);
}

static void put_padded(struct cli *cli, const char *text, size_t width)
{
	size_t n = cli_width(jw_span_str(text));

	cli_put(cli, "%s%*s", text, (int)(width > n ? width - n : 0) + 2, "");
}

static void put_sampling(struct cli *cli, const struct rules_sampling *sampling)
{
	struct jw_buf text = { 0 };

	if (!rules_samples(sampling))
		return;
	jw_put_str(&text, " (");
	cli_put_sampling(&text, sampling);
	jw_put_str(&text, ")");
	cli_put_span(cli, jw_buf_span(&text));
	jw_buf_free(&text);
}

static void print_text(struct list *list)
{
	for (struct row *row = list->first; row; row = row->next) {
		put_padded(list->cli, row->rule, list->widths[0]);
		if (row->callee)
			cli_put(list->cli, row->made ? "  new  " : " call  ");
		else if (row->exceptions)
			cli_put(list->cli, "throw  ");
		else
			cli_put(list->cli, "%5u  ", row->size);
		put_padded(list->cli, row->class_name, list->widths[1]);
		cli_put(list->cli, "%s", row->method);
		if (row->callee)
			cli_put(list->cli, " -> %s", row->callee);
		if (row->callee && row->line)
			cli_put(list->cli, ", line %u", row->line);
		if (*row->operation)
			cli_put(list->cli, " [%s]", row->operation);
		put_sampling(list->cli, row->sampling);
		if (row->off)
			cli_put(list->cli, " (off)");
		cli_put(list->cli, "\n");
	}
	if (list->count == 0)
		cli_note(list->cli, "no method is chosen; 'jweave explain' says why");
}

/* Of rules that decided nothing, what they may have meant. */
static void tell_hints(const struct list *list)
{
	for (size_t i = 0; i < rules_count(list->rules); i++)
		if (!list->decides[i])
			rules_hints_of(list->rules, i, cli_hint, list->cli);
}

static void put_json_row(struct cli_json *json, const struct row *row)
{
	cJSON *object = cli_json_object(json, NULL, NULL);

	cli_json_text(json, object, "rule", row->rule);
	cli_json_text(json, object, "class", row->class_name);
	cli_json_text(json, object, "method", row->method);
	if (*row->operation)
		cli_json_text(json, object, "operation", row->operation);
	if (row->callee) {
		cli_json_text(json, object, row->made ? "makes" : "calls", row->callee);
		cli_json_number(json, object, "line", row->line);
	} else if (row->exceptions) {
		cli_json_bool(json, object, "exceptions", true);
	} else {
		cli_json_number(json, object, "size", row->size);
	}
	cli_json_sampling(json, object, row->sampling);
	if (row->off)
		cli_json_bool(json, object, "off", true);
	cli_json_element(json, object);
}

static enum jw_status print_json(struct list *list, struct jw_err *e)
{
	struct cli_json json;

	cli_json_open(&json, list->cli, '[');
	for (struct row *row = list->first; row; row = row->next)
		put_json_row(&json, row);
	return cli_json_close(&json, e);
}

static enum jw_status load_rules(struct list *list, struct jw_err *e)
{
	struct rules_options options = { .jdk = true, .any = true, .no_guard = true };

	list->all = !cli_given(list->cli, CLI_OPT_rules);
	if (!list->all)
		return cli_load_rules(list->cli, cli_value(list->cli, CLI_OPT_rules, NULL),
				      &list->rules, e);
	return rules_parse(jw_span_str(everything), "list", &options, &list->rules, e);
}

static enum jw_status load(struct list *list, struct jw_err *e)
{
	JW_TRY(load_rules(list, e));
	list->decides = JW_NEW_ARRAY(&list->cli->arena, bool, rules_count(list->rules) + 1);
	return list->decides ? JW_OK : jw_nomem(e);
}

/* What runs of the archive IN have learnt to leave out. */
static void tell_learnt(struct cli *cli, const char *in)
{
	struct cli_cache cache = { 0 };
	struct cli_learnt learnt = { 0 };
	struct jw_err ignored = { 0 };
	uint64_t key = 0;

	if (cli_is_folder(in) || !cli_cache_look(&cache, &cli->arena) ||
	    !cli_learnt_key(in, &key) || cli_learnt_open(&learnt, &cache, key, &ignored) != JW_OK ||
	    !learnt.count)
		return;
	cli_note(cli,
		 "'jweave run' has learnt to leave out %s of it, small and hot (--forget drops "
		 "that)%s",
		 cli_plural(&cli->arena, learnt.count, "method", "methods"),
		 cli_verbose(cli) ? ":" : "; -v names them");
	for (size_t i = 0; i < learnt.count; i++)
		cli_detail(cli, "%s#%s%s", learnt.methods[i].class_name, learnt.methods[i].name,
			   learnt.methods[i].descriptor);
}

enum jw_status cli_run_list(struct cli *cli, struct jw_err *e)
{
	struct list list = { .cli = cli };

	list.last = &list.first;
	enum jw_status status = load(&list, e);
	if (status == JW_OK)
		status = cli_scan_calls(cli, cli->args.operands[0], list.rules, take, take_call,
					&list, e);
	if (status == JW_OK) {
		if (cli_given(cli, CLI_OPT_json))
			status = print_json(&list, e);
		else
			print_text(&list);
		tell_hints(&list);
		tell_learnt(cli, cli->args.operands[0]);
	}
	rules_free(list.rules);
	return status;
}
