/*
 * dump_text.h: lines, names, constants, flags and annotations of a class as text: what the other
 * parts of the dump are made of.
 *
 *     dump.c  the class: head, pool, members
 *       dump_code.c  Code: instructions, handlers
 *         dump_attr.c  attributes, by a table of layouts
 *           dump_frames.c  the StackMapTable
 */
#ifndef JW_CFR_DUMP_TEXT_H
#define JW_CFR_DUMP_TEXT_H

#include "cfr/code.h"

struct cfr_dumper {
	struct cfr_class cls;
	struct jw_arena *arena;
	struct jw_buf *out;
	size_t limit;                    /* text after this is cut off */
	unsigned indent;                 /* levels */
	unsigned depth;                  /* attributes within attributes */
	const struct cfr_member *method; /* whose Code is shown */
	const struct cfr_code *code;     /* NULL: none that could be opened */
};

/* Is there room for more? Loops over anything that an input may repeat ask this. */
bool cfr_dump_more(const struct cfr_dumper *d);

/* Starts a line at the indent, and formats into it; ends it with a newline; both. */
void cfr_dump_start(struct cfr_dumper *d);
void cfr_dump_fmt(struct cfr_dumper *d, const char *fmt, ...) JW_PRINTF(2, 3);
void cfr_dump_end(struct cfr_dumper *d);
void cfr_dump_line(struct cfr_dumper *d, const char *fmt, ...) JW_PRINTF(2, 3);

/* A text, control characters and broken UTF-8 escaped, cut when it is long. */
void cfr_dump_text(struct cfr_dumper *d, struct jw_span text);

/* The Utf8 at INDEX ("?" when it is none); the constant at INDEX in words, "-" for 0. */
void cfr_dump_utf8(struct cfr_dumper *d, uint32_t index);
void cfr_dump_constant(struct cfr_dumper *d, uint32_t index);

/* The names of FLAGS of a class, field, method, inner class, module, requires or parameter. */
enum cfr_flags_of {
	CFR_FLAGS_CLASS = 1,
	CFR_FLAGS_FIELD = 2,
	CFR_FLAGS_METHOD = 4,
	CFR_FLAGS_INNER = 8,
	CFR_FLAGS_MODULE = 16,
	CFR_FLAGS_REQUIRES = 32,
	CFR_FLAGS_PARAMETER = 64,
};
void cfr_dump_flags(struct cfr_dumper *d, uint16_t flags, enum cfr_flags_of where);

/* An annotation, element value or type annotation read from CUR. */
void cfr_dump_annotation(struct cfr_dumper *d, struct jw_cur *cur);
void cfr_dump_value(struct cfr_dumper *d, struct jw_cur *cur);
void cfr_dump_type_annotation(struct cfr_dumper *d, struct jw_cur *cur);

#endif
