/*
 * operations.h: the table of operations (operations.def) for everybody who looks something up.
 *
 * An operation is what a traced call, or a traced method, does with threads, locks, tasks and
 * files. Rules name it, the method map carries it, the trace shows it.
 */
#ifndef JW_BASE_OPERATIONS_H
#define JW_BASE_OPERATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

enum jw_operation_type {
#define OPERATION_TYPE(TYPE, word, event, label) JW_OPERATIONS_##TYPE,
#include "base/operations.def"
	JW_OPERATION_TYPES,
};

/* What an operation captures by identity: bits. */
enum jw_operation_object {
	JW_OBJECT_NONE = 0,
	JW_OBJECT_THIS = 1,
	JW_OBJECT_ARG0 = 2,
	JW_OBJECT_RETURN = 4,
	JW_OBJECT_ARG0_RETURN = JW_OBJECT_ARG0 | JW_OBJECT_RETURN,
};

/* How arrows use it: operations.def. */
enum jw_operation_role {
	JW_ROLE_NONE,
	JW_ROLE_START,
	JW_ROLE_JOIN,
	JW_ROLE_WAKE,
	JW_ROLE_WOKEN,
	JW_ROLE_SEND,
	JW_ROLE_SEND_ALL,
	JW_ROLE_RECEIVE,
	JW_ROLE_MEET,
	JW_ROLE_SUBMIT,
	JW_ROLE_RUN,
	JW_ROLE_GET,
	JW_ROLE_COMPLETE,
};

struct jw_operation_kind {
	const char *word;
	uint32_t event; /* Paraver event type */
	const char *label;
};
extern const struct jw_operation_kind jw_operation_kinds[JW_OPERATION_TYPES];

struct jw_operation {
	enum jw_operation_type type;
	const char *word;
	uint32_t number; /* value of the type's event */
	const char *label;
	int state; /* below 0: none */
	enum jw_operation_object object;
	enum jw_operation_role role;
};
extern const struct jw_operation jw_operations[]; /* by type; word NULL ends */

/* The operation written "type/word" ("thread/start"), or NULL. */
const struct jw_operation *jw_operation_find(struct jw_span text);

#endif
