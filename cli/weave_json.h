/*
 * weave_json.h: what a weave did, as JSON: for --report and --json.
 *
 *     { format, jweave, in, out, rulesDigest, runtimeClass, entries, classes, wovenClasses, methods,
 *       chosen, woven, calls, creations, exceptions, guarded, inBytes, outBytes, signatureRemoved,
 *       rules: [{ id, file, line, methods }],
 *       skips: { REASON: count },
 *       skipped: [{ entry, class, method, reason, text, detail, size, wovenSize }],
 *       notes: [text] }
 *
 * Without times, and with paths as they were given: equal weaves have equal reports.
 */
#ifndef JW_CLI_WEAVE_JSON_H
#define JW_CLI_WEAVE_JSON_H

#include "base/bytes.h"
#include "rules/rules.h"
#include "weaver/archive/weave_report.h"

/* Appends REPORT, of a weave by RULES. JW_NOMEM: something is missing. */
enum jw_status JW_MUST_USE cli_weave_json(const struct weave_report *report,
					  const struct rules *rules, struct jw_buf *out,
					  struct jw_err *e);

#endif
