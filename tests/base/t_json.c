/*
 * t_json.c: text from anywhere as JSON.
 */
#include <string.h>

#include "base/json.h"
#include "tests/tap.h"

#include "base/banned.h"

/* What was put, as text; OUT is emptied. */
static const char *taken(struct jw_buf *out)
{
	static char text[512];
	size_t n = out->n < sizeof(text) ? out->n : sizeof(text) - 1;

	if (n)
		memcpy(text, out->p, n);
	text[n] = '\0';
	jw_buf_free(out);
	return text;
}

static const char *string(struct jw_span text)
{
	struct jw_buf out = { 0 };

	jw_put_json(&out, text);
	return taken(&out);
}

static const char *document(struct jw_span json)
{
	struct jw_buf out = { 0 };

	jw_put_json_document(&out, json);
	return taken(&out);
}

TEST(strings)
{
	is_str(string(jw_span(NULL, 0)), "\"\"");
	is_str(string(JW_SPAN_LIT("a\"b\\c\n\x01\x7f")), "\"a\\\"b\\\\c\\u000a\\u0001\\u007f\"");
	is_str(string(JW_SPAN_LIT("\xc3\xa9\xf0\x9f\x90\x99")), "\"\xc3\xa9\xf0\x9f\x90\x99\"");
}

TEST(what_is_not_utf8)
{
	is_str(string(JW_SPAN_LIT("\xff\xc3\xa9")), "\"\xef\xbf\xbd\xc3\xa9\"");
	is_str(string(JW_SPAN_LIT("\xe4\xb8")), "\"\xef\xbf\xbd\xef\xbf\xbd\"");
}

TEST(what_a_terminal_obeys)
{
	is_str(string(JW_SPAN_LIT("\x1b\xc2\x9b")), "\"\\u001b\\u009b\"");
	is_str(string(JW_SPAN_LIT("\xe2\x80\xae\xe2\x81\xa6")), "\"\\u202e\\u2066\"");
	is_str(string(JW_SPAN_LIT("\xe2\x80\xa8\xe2\x80\xa9")), "\"\\u2028\\u2029\"");
	ok(!jw_harmful(0x20) && !jw_harmful(0xa0) && !jw_harmful(0x202f));
}

TEST(documents_of_others)
{
	is_str(document(JW_SPAN_LIT("{\n\t\"a\": \"\\\"\x1b\xff\"\r\n}")),
	       "{\n\t\"a\": \"\\\"\\u001b\xef\xbf\xbd\"\r\n}");
}
