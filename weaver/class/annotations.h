/*
 * annotations.h: type annotations of Code (JVMS 4.7.20), moved. Called once the layout is final.
 */
#ifndef JW_WEAVER_ANNOTATIONS_H
#define JW_WEAVER_ANNOTATIONS_H

#include "weaver/class/body.h"

/* Appends the new info of the attribute INFO to OUT. An unknown kind of target leaves the method. */
enum jw_status JW_MUST_USE weave_put_annotations(struct weave_body *b, struct jw_span info,
						 struct jw_buf *out, struct jw_err *e);

#endif
