/*
 * operations.h: the table of operations (operations.def), to look things up.
 *
 * An operation is what a traced call, or a traced method, does with threads, locks, tasks and
 * files. Rules name it, the method map carries it, the trace shows it.
 */
#ifndef JW_BASE_OPERATIONS_H
#define JW_BASE_OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* The event type of a capture that has LABEL and names no type: the same in every archive and run. */
static inline uint32_t jw_labelled_type(const char *label)
{
	enum { FIRST = 48110000, COUNT = 80000 };

	return FIRST + (uint32_t)(jw_hash64(jw_span_str(label), 0) % COUNT);
}

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
	JW_ROLE_WAIT,
	JW_ROLE_NOTIFY,
	JW_ROLE_NOTIFY_ALL,
	JW_ROLE_LOCK,
	JW_ROLE_UNLOCK,
	JW_ROLE_VIEW,
	JW_ROLE_HOLD,
	JW_ROLE_TAKE,
	JW_ROLE_GIVE,
	JW_ROLE_CLEAR,
	JW_ROLE_PASS,
	JW_ROLE_OPEN,
	JW_ROLE_MEET,
	JW_ROLE_TIER,
	JW_ROLE_PAIR,
	JW_ROLE_SUBMIT,
	JW_ROLE_RUN,
	JW_ROLE_GET,
	JW_ROLE_COMPLETE,
	JW_ROLE_REMOTE,
	JW_ROLE_SERVE,
};

struct jw_operation_kind {
	const char *word;
	uint32_t event; /* Paraver event type */
	const char *label;
};
extern const struct jw_operation_kind jw_operation_kinds[JW_OPERATION_TYPES];

struct jw_operation {
	const char *word, *label;
	enum jw_operation_type type;
	uint32_t number; /* value of the type's event */
	int state;       /* Paraver state; below 0: none */
	enum jw_operation_object object;
	enum jw_operation_role role;
};
extern const struct jw_operation jw_operations[]; /* by type; word NULL ends */

/* May an interrupt of the thread end OP by an exception? */
bool jw_operation_heeds_interrupts(const struct jw_operation *op);

/* The operation written "type/word" ("thread/start"), or NULL. */
const struct jw_operation *jw_operation_find(struct jw_span text);

/* ---- captures: what the probes of a call or method take along ---- */

/* X(NAME, word, numbered) : what is captured. NUMBERED words are followed by the number of an
 * argument. FILLED: how much of the argument the call has filled. CONTEXT: the trace context of the
 * thread; it is in rules alone, as its records are of the thread (recording.h), not of the call.
 * ORDER: that of their records; but TASK has two, when the method begins and, before all others,
 * when it ends. */
#define JW_CAPTURE_WHAT_LIST(X)          \
	X(THIS, "this", false)           \
	X(ARG, "arg", true)              \
	X(TASK, "task", false)           \
	X(FILLED, "filled", true)        \
	X(RETURN, "return", false)       \
	X(EXCEPTION, "exception", false) \
	X(CONTEXT, "context", false)

enum jw_capture_what {
#define JW_CAPTURE_WHAT_ENUM(name, word, numbered) JW_CAPTURE_##name,
	JW_CAPTURE_WHAT_LIST(JW_CAPTURE_WHAT_ENUM)
#undef JW_CAPTURE_WHAT_ENUM
};

/* X(NAME, word, record is an OBJECT, else a VALUE) : in which form. */
#define JW_CAPTURE_AS_LIST(X)         \
	X(IDENTITY, "identity", true) \
	X(VALUE, "value", false)      \
	X(LENGTH, "length", false)    \
	X(CLASS, "class", false)      \
	X(STRING, "string", false)    \
	X(TASK, "task", true)

enum jw_capture_as {
#define JW_CAPTURE_AS_ENUM(name, word, object) JW_AS_##name,
	JW_CAPTURE_AS_LIST(JW_CAPTURE_AS_ENUM)
#undef JW_CAPTURE_AS_ENUM
		JW_AS_COUNT, /* in a rule: a value or an identity, whichever it has */
};
extern const char *const jw_capture_as_words[]; /* NULL ends */

enum { JW_CAPTURE_ARGS = 255, JW_CAPTURES = 16 }; /* args of a method; captures of a rule */

/* How long a capture is shown. AROUND: until the call ends that is around its own and holds something
 * itself: what a constructor is told of the task that has it made; without such a call, as CALL. */
enum jw_hold {
	JW_HOLD_NOT,  /* it is an instant */
	JW_HOLD_CALL, /* until its call ends */
	JW_HOLD_AROUND,
};

struct jw_capture {
	enum jw_capture_what what;
	uint8_t arg; /* number of the argument, from 0, without `this` */
	enum jw_capture_as as;
	uint32_t type;       /* Paraver event type that shows it; 0: none of its own */
	uint32_t max_values; /* distinct texts (class, string), 0: no limit of its own */
	const char *label;   /* of its event; "": none */
	enum jw_hold hold;
	bool key; /* in a rule, of a link: what has no `as` is a number or a text, never an identity */
};

/* Is CAPTURE, resolved for a method, shown as a number of its own (no text, no object)? */
static inline bool jw_capture_is_number(const struct jw_capture *capture)
{
	return capture->as == JW_AS_VALUE || capture->as == JW_AS_LENGTH;
}

/* Is it shown as the number of a text? */
static inline bool jw_capture_is_text(const struct jw_capture *capture)
{
	return capture->as == JW_AS_CLASS || capture->as == JW_AS_STRING;
}

/* ---- links: ends of messages that are known by a key ---- */

/* BOTH: who has a key first sends; who has it next, in another process, receives, and sends in turn. */
enum jw_link_end { JW_LINK_SEND, JW_LINK_RECEIVE, JW_LINK_BOTH };
extern const char *const jw_link_ends[]; /* their words; NULL ends */

enum { JW_LINK_PARTS = 4, JW_LINK_NAME = 64 /* bytes of a name at most */ };

/* A part of a key: what of the call or method. */
struct jw_link_part {
	enum jw_capture_what what;
	uint8_t arg;
};

struct jw_link {
	const char *name; /* keys of other names are others */
	enum jw_link_end end;
	uint8_t n;
	struct jw_link_part parts[JW_LINK_PARTS];
};

/* Reads "this", "arg0", "task", "filled0", "return" or "exception" from TEXT into OUT; false: TEXT
 * is none of them, and OUT is unchanged. */
bool jw_capture_of(struct jw_span text, struct jw_capture *out);

/* The reverse: the word of CAPTURE, in TEXT and returned. */
enum { JW_CAPTURE_WHAT_ROOM = 16 };
const char *jw_capture_what_text(const struct jw_capture *capture, char text[JW_CAPTURE_WHAT_ROOM]);

/* Is it recorded before the call, or at the begin of the method? */
bool jw_capture_is_early(const struct jw_capture *capture);

/* Is it recorded when the call or method ends: by an exception (FAILED), or not? */
bool jw_capture_is_late(const struct jw_capture *capture, bool failed);

/* The id of a method that may be the body of a task. Probes record it, and the class of a lambda
 * expression leads to it by the method that it calls; it is the same in all archives. OWNER in
 * internal form. */
uint64_t jw_body_key(struct jw_span owner, struct jw_span name, struct jw_span descriptor);

#endif
