/*
 * safe_text.h: bytes from class files, archives and command lines as text that is safe to show:
 * without control characters, and each name on one line. Also the forms in which classes, methods
 * and operations are written.
 */
#ifndef JW_CLI_SAFE_TEXT_H
#define JW_CLI_SAFE_TEXT_H

#include "base/bytes.h"
#include "base/memory.h"
#include "rules/rules.h"

/* S with control characters and bytes that are not UTF-8 shown as \xHH. */
void cli_put_escaped(struct jw_buf *out, struct jw_span s);
/* An internal class name (slashes) as Java writes it (dots), escaped. */
void cli_put_class(struct jw_buf *out, struct jw_span internal_name);
/* "step(int, java.lang.String):void", escaped. A damaged descriptor is shown as it is. */
void cli_put_method(struct jw_buf *out, struct jw_span name, struct jw_span descriptor);

/* "java.lang.Thread.sleep(long)"; of an object that is made its type, "int[]". */
void cli_put_callee(struct jw_buf *out, const struct rules_callee *callee);

/* "thread/start", nothing when OP is NULL; "arg0:value" or, where its form depends on the type,
 * "arg0".
 */
void cli_put_operation(struct jw_buf *out, const struct jw_operation *op);
void cli_put_capture(struct jw_buf *out, const struct jw_capture *capture);
/* "link spark.task (send) by arg0" */
void cli_put_link(struct jw_buf *out, const struct jw_link *link);
/* What a rule does not record: "1 of 100, depth 3, from 1.5ms". Nothing when it records all. */
void cli_put_sampling(struct jw_buf *out, const struct rules_sampling *sampling);
/* Width of UTF-8 text in columns (one for each code point). */
size_t cli_width(struct jw_span s);
/* "1 method", "2 methods". */
const char *cli_plural(struct jw_arena *arena, uint64_t n, const char *one, const char *many);

/* The last part of PATH ("/a/b/" -> "b"), in ARENA. */
const char *cli_base_name(struct jw_arena *arena, const char *path);
bool cli_ends(const char *s, const char *suffix);
/* Is it the name of a jar, war, ear or zip? */
bool cli_is_archive_name(const char *name);

#endif
