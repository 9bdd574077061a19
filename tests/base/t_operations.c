/* The table of operations: what other tables and traces rely on. */
#include "base/operations.h"

#include <string.h>

#include "tests/tap.h"

#include "base/banned.h"

TEST(operations_have_words_and_numbers_of_their_own)
{
	for (const struct jw_operation *a = jw_operations; a->word; a++) {
		ok(a->type < JW_OPERATION_TYPES && a->number > 0 && *a->label);
		ok(a->state >= -1 && a->state <= 15 && a->state != 0);
		for (const struct jw_operation *b = a + 1; b->word; b++) {
			if (a->type == b->type) {
				ok(a->number != b->number);
				ok(strcmp(a->word, b->word) != 0);
				ok(strcmp(a->label, b->label) != 0);
			}
		}
		ok(!a[1].word || a[1].type == a->type || a[1].type == a->type + 1);
	}
}

TEST(operation_types_have_events_and_labels_of_their_own)
{
	for (size_t i = 0; i < JW_OPERATION_TYPES; i++) {
		const struct jw_operation_kind *a = &jw_operation_kinds[i];

		ok(a->event > 48100000 && a->event < 48200000);
		ok(!strchr(a->word, '/') && *a->label);
		for (size_t j = 0; j < i; j++) {
			ok(jw_operation_kinds[j].event != a->event);
			ok(strcmp(jw_operation_kinds[j].word, a->word) != 0);
			ok(strcmp(jw_operation_kinds[j].label, a->label) != 0);
		}
	}
}

TEST(operations_are_found_by_type_and_word)
{
	const struct jw_operation *op = jw_operation_find(JW_SPAN_LIT("thread/start"));

	ok(op && op->type == JW_OPERATIONS_THREAD && op->number == 1);
	ok(op && op->object == JW_OBJECT_THIS && op->role == JW_ROLE_START && op->state == 7);
	op = jw_operation_find(JW_SPAN_LIT("task/submit"));
	ok(op && op->object == (JW_OBJECT_ARG0 | JW_OBJECT_RETURN));
	ok(!jw_operation_find(JW_SPAN_LIT("thread/stop")));
	ok(!jw_operation_find(JW_SPAN_LIT("threads/start")));
	ok(!jw_operation_find(JW_SPAN_LIT("thread")));
	ok(!jw_operation_find(JW_SPAN_LIT("thread/")));
	ok(!jw_operation_find(JW_SPAN_LIT("/start")));
	ok(!jw_operation_find(JW_SPAN_LIT("")));
}

TEST(captures_are_read_by_word)
{
	struct jw_capture c = { 0 };

	ok(jw_capture_of(JW_SPAN_LIT("this"), &c) && c.what == JW_CAPTURE_THIS);
	ok(jw_capture_is_early(&c));
	ok(jw_capture_of(JW_SPAN_LIT("arg0"), &c) && c.what == JW_CAPTURE_ARG && c.arg == 0);
	ok(jw_capture_is_early(&c));
	ok(jw_capture_of(JW_SPAN_LIT("arg254"), &c) && c.arg == 254);
	ok(jw_capture_of(JW_SPAN_LIT("return"), &c) && c.what == JW_CAPTURE_RETURN);
	ok(!jw_capture_is_early(&c));
	ok(jw_capture_of(JW_SPAN_LIT("exception"), &c) && c.what == JW_CAPTURE_EXCEPTION);
	ok(!jw_capture_is_early(&c));
	ok(jw_capture_of(JW_SPAN_LIT("filled17"), &c) && c.what == JW_CAPTURE_FILLED &&
	   c.arg == 17);
	ok(!jw_capture_is_early(&c));
}

TEST(captures_are_written_as_they_are_read)
{
	static const char *const words[] = { "this",    "arg0",      "arg254", "task",
					     "filled0", "filled254", "return", "exception" };
	struct jw_capture c = { 0 };
	char text[JW_CAPTURE_WHAT_ROOM];

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		ok(jw_capture_of(jw_span_str(words[i]), &c));
		is_str(jw_capture_what_text(&c, text), words[i]);
	}
}

TEST(captures_are_told_when_it_begins_or_ends)
{
	static const struct {
		enum jw_capture_what what;
		bool early, returned, failed;
	} of[] = {
		{ JW_CAPTURE_THIS, true, false, false },
		{ JW_CAPTURE_ARG, true, false, false },
		{ JW_CAPTURE_TASK, true, true, true },
		{ JW_CAPTURE_FILLED, false, true, false },
		{ JW_CAPTURE_RETURN, false, true, false },
		{ JW_CAPTURE_EXCEPTION, false, false, true },
	};

	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		const struct jw_capture c = { .what = of[i].what };

		is_int(jw_capture_is_early(&c), of[i].early);
		is_int(jw_capture_is_late(&c, false), of[i].returned);
		is_int(jw_capture_is_late(&c, true), of[i].failed);
	}
}

TEST(captures_of_nothing_are_refused)
{
	static const char *const none[] = { "",       "arg",       "arg-1",    "arg01", "arg255",
					    "arg1x",  "that",      "arg1000",  "args",  "This",
					    "filled", "filled255", "returned", "this0" };
	struct jw_capture c = { .what = JW_CAPTURE_RETURN, .arg = 7 };

	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		ok(!jw_capture_of(jw_span_str(none[i]), &c));
	ok(c.what == JW_CAPTURE_RETURN && c.arg == 7);
}
