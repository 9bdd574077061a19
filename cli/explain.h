/*
 * explain.h: what the parts of `jweave explain` share.
 *
 *     cmd_explain.c     the command: finds the methods that are asked about
 *     explain_text.c    says why, in words
 *     explain_json.c    says why, in JSON
 *     explain_skips.c   weaves dry, for the methods that rules choose and weaving leaves as they are
 */
#ifndef JW_CLI_EXPLAIN_H
#define JW_CLI_EXPLAIN_H

#include "cli/json_out.h"
#include "rules/explain.h"
#include "weaver/archive/weave_report.h"

struct cli_explain {
	struct cli *cli;
	struct rules *rules, *pattern;
	const char *wanted; /* PATTERN as given */
	size_t count;       /* methods explained */
	bool as_json, with_method, verbose;
	const char **names; /* what PATTERN could have meant */
	size_t name_count;
	const struct rules_class *cls; /* the one that is explained */
	struct jw_buf text;            /* of explain_text.c */
	struct cli_json json;          /* of explain_json.c, which the command opens */
	cJSON *each_rule, *chain;      /* lists that are filled now */
	bool wove;                     /* dry, once that was needed: */
	struct weave_report dry;
};

/* A method with CODE_BYTES, a call in it on LINE, and the answer of the rules. */
struct cli_explained {
	const struct rules_method *method;
	const struct rules_callee *callee; /* NULL: it is about the method */
	uint32_t code_bytes, line;
	struct rules_verdict verdict;
};

enum jw_status JW_MUST_USE cli_explain_text(struct cli_explain *x, const struct cli_explained *what,
					    struct jw_err *e);
void cli_explain_json(struct cli_explain *x, const struct cli_explained *what);

/* The rule that says what is done with WHAT, which is woven, and all that the rules say of it. Its first
 * *HAD captures are recorded; the others ask for what it has not. */
size_t cli_explain_about(const struct cli_explain *x, const struct cli_explained *what,
			 struct rules_about *about, size_t *had);
/* Why weaving leaves METHOD of x->cls as it is, though a rule chooses something of it; NULL: it does
 * not. Weaves the whole input dry when it is first asked. */
const struct weave_skipped *cli_explain_skip(struct cli_explain *x,
					     const struct rules_method *method);
/* The reason, and its details. */
void cli_explain_put_skip(struct jw_buf *out, const struct weave_skipped *skip);

/* "com.acme.A#f(int):void" */
void cli_explain_put_name(struct jw_buf *out, const struct rules_class *cls,
			  const struct rules_method *method);
/* Is RULE about methods? (Rules for calls, exceptions and objects come after the method.) */
bool cli_explain_is_of_method(const struct rules_rule *rule);

/* Where subtypeOf made the rule INDEX match WHAT: PUT gets each type on the way. False: it did not. */
bool cli_explain_chain(const struct cli_explain *x, size_t index, const struct cli_explained *what,
		       bool (*put)(void *ctx, struct jw_span name), void *ctx);

#endif
