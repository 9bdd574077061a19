/*
 * addition.h: what a woven archive or folder gets: the map, the mark, the runtime.
 */
#ifndef JW_WEAVER_ADDITION_H
#define JW_WEAVER_ADDITION_H

#include "weaver/archive/packaging.h"
#include "weaver/archive/unit.h"
#include "weaver/archive/weave_tally.h"

struct weave_addition {
	struct weave_unit *unit;
	enum weave_packaging packaging;
	bool main_class; /* `java -jar` starts it */
	const struct weave_tally *tally;
	uint32_t dos_time; /* for a jar inside an ear */
	/* METHOD: JW_ZIP_STORED or JW_ZIP_DEFLATED, in an archive */
	enum jw_status (*add)(void *ctx, struct jw_span name, struct jw_span bytes, uint16_t method,
			      struct jw_err *e);
	void *ctx;
};

/* Calls add() for each file that a woven unit gets, in a fixed order. Once the tally is complete. */
enum jw_status JW_MUST_USE weave_add_all(const struct weave_addition *a, struct jw_err *e);

#endif
