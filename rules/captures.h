/*
 * captures.h: the key `capture`: what probes take along of a call.
 */
#ifndef JW_RULES_CAPTURES_H
#define JW_RULES_CAPTURES_H

#include "rules/reading.h"
#include "rules/rules.h"

/* The list JSON, in the order of the records, as the captures of FACE. */
enum jw_status JW_MUST_USE rules_captures_read(struct rules_reading *c,
					       const struct rules_json *json,
					       struct rules_rule *face);

/* The rule JSON is read: may FACE capture what it says, given what it is about? */
enum jw_status JW_MUST_USE rules_captures_check(struct rules_reading *c,
						const struct rules_json *json,
						const struct rules_rule *face);

/* Gives captures that name no type one, except those that only tell the operation of FACE what it
 * is about. */
enum jw_status JW_MUST_USE rules_captures_type(struct rules_reading *c, struct rules_rule *face);

/* Those that the operation of FACE needs instead: the objects that it is about. */
enum jw_status JW_MUST_USE rules_captures_of_operation(struct rules_reading *c,
						       struct rules_rule *face);

/* Adds the class of the exception that ends the call, where there is room: only an
 * InterruptedException has an arrow from the thread that interrupted it. */
enum jw_status JW_MUST_USE rules_captures_exception(struct rules_reading *c,
						    struct rules_rule *face);

/* The order of their records: `this`, arguments by number, what is returned, an exception. */
int rules_capture_rank(const struct jw_capture *capture);
void rules_captures_sort(struct jw_capture *list, size_t count);

#endif
