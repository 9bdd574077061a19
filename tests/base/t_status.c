/* Errors and what they say. */
#include "base/status.h"

#include <errno.h>
#include <string.h>

#include "tests/tap.h"

#include "base/banned.h"

TEST(a_failure_has_status_and_message)
{
	struct jw_err e = { 0 };

	is_int(jw_fail(&e, JW_LIMIT, "too many %s (limit is %d)", "constants", 65535), JW_LIMIT);
	is_int(e.status, JW_LIMIT);
	is_str(e.text, "too many constants (limit is 65535)");
	is_int(jw_fail_errno(&e, ENOSPC, "%s: cannot write", "out"), JW_IO);
	is_str(e.text, "out: cannot write: No space left on device");
	is_int(jw_nomem(&e), JW_NOMEM);
	is_str(e.text, "out of memory");
	is_int(jw_bug(&e, "it happened"), JW_BUG);
	ok(strncmp(e.text, "bug: it happened (", 18) == 0);
}

TEST(standard_output_that_nobody_reads)
{
	struct jw_err e = { 0 };

	is_int(jw_fail_stdout(&e, EPIPE, "cannot write"), JW_IO);
	is_str(e.text, "cannot write: Broken pipe");
	ok(e.no_reader);
	(void)jw_err_where(&e, "a.jar");
	ok(e.no_reader);
	(void)jw_fail_errno(&e, EPIPE, "a socket");
	ok(!e.no_reader);
	(void)jw_fail_stdout(&e, EPIPE, "again");
	(void)jw_fail(&e, JW_INPUT, "what");
	ok(!e.no_reader);
	(void)jw_fail_stdout(&e, ENOSPC, "full");
	ok(!e.no_reader);
	is_int(jw_fail_stdout(NULL, EPIPE, "x"), JW_IO);
}

TEST(places_go_in_front)
{
	struct jw_err e = { 0 };

	(void)jw_fail(&e, JW_INPUT, "what");
	is_int(jw_err_where(&e, "inner %d", 1), JW_INPUT);
	is_int(jw_err_where(&e, "outer"), JW_INPUT);
	is_str(e.text, "outer: inner 1: what");
}

TEST(no_error_wanted_no_error_written)
{
	is_int(jw_fail(NULL, JW_INPUT, "x"), JW_INPUT);
	is_int(jw_fail_errno(NULL, EIO, "x"), JW_IO);
	is_int(jw_nomem(NULL), JW_NOMEM);
	is_int(jw_err_where(NULL, "x"), JW_BUG);
}

static const char *long_text(char *text, size_t n)
{
	memset(text, 'x', n);
	text[n] = 0;
	return text;
}

/* Where and why stay, the middle goes. */
TEST(long_messages_lose_their_middle)
{
	char text[8 * JW_ERR_TEXT];
	struct jw_err e = { 0 };

	(void)jw_fail(&e, JW_INPUT, "%s", long_text(text, JW_ERR_TEXT - 1));
	is_str(e.text, text);
	(void)jw_fail(&e, JW_INPUT, "a%sz", long_text(text, JW_ERR_TEXT - 1));
	is_int(strlen(e.text), JW_ERR_TEXT - 1);
	ok(e.text[0] == 'a' && strstr(e.text, "xxx...xxx") && e.text[JW_ERR_TEXT - 2] == 'z');
	(void)jw_fail_errno(&e, ENOSPC, "/path/%s: cannot write", long_text(text, 4096));
	is_int(strlen(e.text), JW_ERR_TEXT - 1);
	ok(strncmp(e.text, "/path/xxx", 9) == 0);
	ok(strstr(e.text, "xxx: cannot write: No space left on device") != NULL);
	(void)jw_fail(&e, JW_INPUT, "the message");
	(void)jw_err_where(&e, "place %s", long_text(text, 2 * JW_ERR_TEXT));
	ok(strncmp(e.text, "place xxx", 9) == 0 && strstr(e.text, "x: the message") != NULL);
	(void)jw_fail(&e, JW_INPUT, "%s", long_text(text, JW_ERR_TEXT - 1));
	(void)jw_err_where(&e, "place");
	ok(strncmp(e.text, "place: xxx", 10) == 0);
	/* longer than anything that has a name: it ends somewhere */
	(void)jw_fail(&e, JW_INPUT, "a%s", long_text(text, sizeof(text) - 1));
	is_str(e.text + JW_ERR_TEXT - 5, "x...");
}

TEST(statuses_have_names_and_exits)
{
	is_str(jw_status_name(JW_OK), "OK");
	is_str(jw_status_name(JW_POLICY), "POLICY");
	is_str(jw_status_name((enum jw_status)99), "?");
	is_int(jw_status_exit(JW_OK), 0);
	is_int(jw_status_exit(JW_IO), 1);
	is_int(jw_status_exit(JW_USAGE), 2);
	is_int(jw_status_exit(JW_RULES), 3);
	is_int(jw_status_exit(JW_INPUT), 4);
	is_int(jw_status_exit(JW_POLICY), 5);
	is_int(jw_status_exit((enum jw_status)99), 1);
}
