/*
 * later.c: see later.h. To act on a key: parse it where its neighbours are parsed, and take it out
 * of here.
 */
#include <string.h>

#include "rules/keys.h"
#include "rules/later.h"

#include "base/banned.h"

enum jw_status rules_not_yet(struct rules_reading *c, const struct rules_json *member)
{
	const char *quote = member->type == RULES_JSON_STRING ? "\"" : "";

	/* other values of these keys are acted on */
	if (strcmp(member->key, "value") == 0 || strcmp(member->key, "type") == 0)
		return rules_json_fail(c->e, member, true, NULL,
				       "\"%s\": %s%.60s%s is not supported yet by this version of "
				       "jweave",
				       member->key, quote, rules_json_str(member), quote);
	return rules_json_fail(c->e, member, true, NULL,
			       "\"%s\" is not supported yet by this version of jweave",
			       member->key);
}
