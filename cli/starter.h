/*
 * starter.h: rules that are written for the packages of a program, by `jweave init` and `jweave
 * run`.
 */
#ifndef JW_CLI_STARTER_H
#define JW_CLI_STARTER_H

#include <stdbool.h>

#include "base/bytes.h"
#include "cli/counted_roots.h"

/* The last rule: what is seldom worth tracing. A loop may take long, whatever a method is called. */
#define CLI_STARTER_BORING                                                           \
	"{ \"id\": \"boring\", \"action\": \"skip\", \"onUnmatched\": \"ignore\",\n" \
	"      \"select\": { \"code\": { \"hasLoop\": false }, \"anyOf\": [\n"       \
	"        { \"method\": [\"get*\", \"is*\"], \"params\": [], "                \
	"\"code\": { \"maxBytes\": 64 } },\n"                                        \
	"        { \"method\": [\"hashCode\", \"toString\"], \"params\": [] },\n"    \
	"        { \"method\": \"equals\", \"params\": [\"java.lang.Object\"] }] } }\n"

/* What others wrote, though it is in packages of the application. */
#define CLI_STARTER_FOREIGN                                                           \
	"{ \"id\": \"foreign\", \"action\": \"skip\", \"onUnmatched\": \"ignore\",\n" \
	"      \"match\": [\"**.shaded.**\", \"**.shade.**\", \"**.repackaged.**\", " \
	"\"**.relocated.**\", \"**.thirdparty.**\", \"**.vendor.**\"] }"

/* Libraries that were put into packages of the application: the roots of ROOTS, which NULL ends. */
void cli_starter_relocated(struct cli_counted_root *const *roots, struct jw_buf *out);

/* Can a match line name NAME, where the characters ALSO have a place of their own? */
bool cli_can_match(const char *name, const char *also);

/* Two rules for who ends an Object.wait(): the VM says who waits, but not who notifies. WITHIN: in the code that
 * this match line chooses; empty: in all that is woven. */
void cli_starter_notify(struct jw_span within, struct jw_buf *out);

/* A rule for PACKAGE, and (DEEPER) those below it. */
void cli_starter_rule(struct jw_span package, bool deeper, struct jw_buf *out);

#endif
