/*
 * dump_code.h: the Code of a method as text.
 */
#ifndef JW_CFR_DUMP_CODE_H
#define JW_CFR_DUMP_CODE_H

#include "cfr/dump_text.h"

/* The Code of METHOD, its attributes included. One that cannot be opened is shown as damaged. */
enum jw_status JW_MUST_USE cfr_dump_code(struct cfr_dumper *d, const struct cfr_member *method,
					 struct jw_err *e);

#endif
