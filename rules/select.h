/*
 * select.h: JSON -> selectors: the keys of `select`, and what their items are.
 */
#ifndef JW_RULES_SELECT_H
#define JW_RULES_SELECT_H

#include "rules/reading.h"
#include "rules/selector.h"

/* A selector from a string (a match line: pattern.h) or an object (`select`). */
enum jw_status JW_MUST_USE rules_selector_read(struct rules_reading *c,
					       const struct rules_json *json,
					       const struct rules_selector **out);

/* ---- for pattern.c, which makes selectors, too ---- */

/* A test with room for COUNT items, put into SELECTOR in the order of evaluation; NULL: no memory.
 */
struct rules_test *rules_test_add(struct rules_reading *c, struct rules_selector *selector,
				  enum rules_test_kind kind, size_t count);
/* One item of a list key from TEXT, which may start with "!" and "re:". JSON is for messages. */
enum jw_status JW_MUST_USE rules_item_read(struct rules_reading *c, const struct rules_json *json,
					   enum rules_test_kind kind, struct jw_span text,
					   struct rules_item *out);
/* All tests are there: works out what the selector says of itself. */
enum jw_status JW_MUST_USE rules_selector_finish(struct rules_reading *c,
						 const struct rules_json *json,
						 struct rules_selector *selector);

/* ---- keys ---- */

/* A list key that may be one string: how many strings, and a check of their types. */
enum jw_status JW_MUST_USE rules_strings(struct rules_reading *c, const struct rules_json *json,
					 size_t *count);

extern const char *const rules_code_keys[]; /* of `code`; NULL ends */
const char *const *rules_select_keys(void); /* of `select`; NULL ends */

#endif
