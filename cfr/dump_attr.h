/*
 * dump_attr.h: attributes as text.
 */
#ifndef JW_CFR_DUMP_ATTR_H
#define JW_CFR_DUMP_ATTR_H

#include "cfr/dump_text.h"

/* A table of attributes, one block a piece. */
void cfr_dump_attrs(struct cfr_dumper *d, const struct cfr_attrs *attrs);

#endif
