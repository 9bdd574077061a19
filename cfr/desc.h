/*
 * desc.h: descriptors (JVMS 4.3) and modified UTF-8 (JVMS 4.4.7).
 */
#ifndef JW_CFR_DESC_H
#define JW_CFR_DESC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"

/* Walks the field descriptors of "(II)V"-like text: after cfr_desc_params(), each call of next
 * gives one parameter ("I", "[Ljava/lang/String;"); false at the ')' or at an error (then
 * !jw_cur_ok). */
struct jw_cur cfr_desc_params(struct jw_span method_descriptor);
bool cfr_desc_next(struct jw_cur *cur, struct jw_span *field);

/* The return descriptor ("V" for void); an empty span when the descriptor is damaged. */
struct jw_span cfr_desc_return(struct jw_span method_descriptor);

/* Is it a well-formed method descriptor with at most 255 slots (`this` not counted)? */
bool cfr_desc_method_ok(struct jw_span method_descriptor);

/* Is it one well-formed field descriptor and nothing else? */
bool cfr_desc_field_ok(struct jw_span field_descriptor);

/* Is NAME that of a class or interface, with slashes (JVMS 4.2.1: no '.', ';', '[', and no empty
 * part)? */
bool cfr_desc_class_ok(struct jw_span name);

/* Slots of the parameters (long and double take two), and of a field descriptor (V: 0). */
uint32_t cfr_desc_param_slots(struct jw_span method_descriptor);
uint32_t cfr_desc_slots(struct jw_span field_descriptor);

#endif
