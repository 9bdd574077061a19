/*
 * label.h: how methods and threads are called, as Paraver can read it.
 */
#ifndef JW_TRACE_LABEL_H
#define JW_TRACE_LABEL_H

#include "base/bytes.h"
#include "trace/format/methodmap.h"
#include "trace/output.h"

#define TRACE_MAX_LABEL 250
/* Of a method in a .pcf: its readers know the class, the name and the place from there. */
#define TRACE_MAX_METHOD_LABEL 2000

/* Appends "Short.name [long.form(types):type File.java:1]"; METHOD NULL: "unknown 0xID". Of at most
 * MAX bytes (SIZE_MAX: whole): "long.form(type, ty...) File.java:1", or "long.f... File.java:1". */
void trace_put_label(struct jw_buf *out, const struct trace_method *method, uint64_t id,
		     size_t max);
/* 'I' of "int"; 0: it is no primitive type. */
uint8_t trace_primitive(struct jw_span name);
/* The short part alone. */
void trace_put_short_label(struct jw_buf *out, const struct trace_method *method, uint64_t id);
/* Of a call: "Short.callee in Short.caller (File.java:1) [operation]". METHOD as above. */
void trace_put_site(struct jw_buf *out, const struct trace_method *method, uint64_t id);
/* Text on one line: control characters become spaces, ends are trimmed, at most MAX bytes, cut
 * between characters with "..." after it. */
void trace_put_name(struct jw_buf *out, struct jw_span text, size_t max);
/* The same, without what Paraver cuts labels at, or its configurations cannot name: '[' and ']'
 * become parentheses, '"' an apostrophe, '*' a dot. */
void trace_put_plain(struct jw_buf *out, struct jw_span text, size_t max);
/* A text that was captured, as the label of a value, which no configuration names: without '[' and ']' alone;
 * TRACE_EMPTY_TEXT where it is empty, "?" where nothing can be shown of it. CLASS: it is the name of one
 * (trace_put_class()). */
#define TRACE_EMPTY_TEXT "\"\""
void trace_put_text(struct jw_buf *out, struct jw_span text, bool class);
/* A name of a list of names: plain, or "(no name)". */
void trace_put_listed(struct jw_buf *out, struct jw_span text);
/* In the N bytes of a plain TEXT that is the name of WHAT, what has square brackets gets them back: addresses of connections, as
 * "(::1):80", and arrays, as "byte()()", and "int(0)" of one without elements. */
void trace_mend_name(enum trace_name_kind what, char *text, size_t n);
/* The name of a class as Class.getName() says it, on one line; of an array as Java writes it: "[[I"
 * is "int[][]". */
void trace_put_class(struct jw_buf *out, struct jw_span name);

/* NAME itself; of an array ("[Lacme.Job;") its Java type ("acme.Job[]"), in ARENA. NULL: no memory. */
const char *trace_class_word(struct jw_arena *arena, const char *name);

/* What process AT of SCENE (output.h) is called: "executor 0, pid 4711"; "java 2, rank 1, pid 4711"
 * where nothing is known of it. COMMA: what takes the place of the commas. PID: it is told. */
void trace_put_process(struct jw_buf *out, const struct trace_scene *scene, uint32_t at,
		       const char *comma, bool pid);

/* A label in its parts: "Short.name [long.form(types):type File.java:12]". */
struct trace_label_parts {
	struct jw_span name, full, file; /* the latter: empty: it has none */
	uint64_t line;                   /* 0: unknown */
};
struct trace_label_parts trace_label_split(const char *text);

#endif
