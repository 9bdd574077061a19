/* Characters in bytes: UTF-8 both ways, and hexadecimal digits. */
#include "base/text.h"

#include "tests/tap.h"

#include "base/banned.h"

TEST(characters_both_ways)
{
	static const struct {
		uint32_t point;
		const char *text;
	} all[] = {
		{ 0x41, "A" },
		{ 0x7f, "\x7f" },
		{ 0x80, "\xc2\x80" },
		{ 0x7ff, "\xdf\xbf" },
		{ 0x800, "\xe0\xa0\x80" },
		{ 0xd7ff, "\xed\x9f\xbf" },
		{ 0xe000, "\xee\x80\x80" },
		{ 0xffff, "\xef\xbf\xbf" },
		{ 0x10000, "\xf0\x90\x80\x80" },
		{ 0x10ffff, "\xf4\x8f\xbf\xbf" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct jw_span text = jw_span_str(all[i].text);
		struct jw_buf b = { 0 };
		uint32_t point = 0;

		jw_put_utf8(&b, all[i].point);
		is_span(jw_buf_span(&b), text);
		is_int(jw_utf8_at(text, &point), text.n);
		is_int(point, all[i].point);
		is_int(jw_utf8_at(jw_span_sub(text, 0, text.n - 1), &point), 0);
		jw_buf_free(&b);
	}
	/* every one but the surrogates, which none of the bytes can spell */
	for (uint32_t c = 0; c <= 0x10ffff; c++) {
		struct jw_buf b = { 0 };
		uint32_t point = c;
		bool surrogate = c >= 0xd800 && c <= 0xdfff;

		jw_put_utf8(&b, c);
		if (jw_utf8_at(jw_buf_span(&b), &point) != (surrogate ? 0 : b.n) || point != c) {
			ok(false);
			break;
		}
		jw_buf_free(&b);
	}
}

TEST(what_is_no_character)
{
	static const char *const none[] = {
		"\x80",
		"\xbf"
		"A",
		"\xc0\x80", /* overlong: NUL, as modified UTF-8 has it */
		"\xc1\xbf", /* overlong */
		"\xc2"
		"A",
		"\xe0\x9f\xbf", /* overlong */
		"\xe2\x82"
		"A",
		"\xed\xa0\x80",     /* a surrogate */
		"\xf0\x8f\xbf\xbf", /* overlong */
		"\xf4\x90\x80\x80", /* above 0x10ffff */
		"\xf5\x80\x80\x80",
		"\xff",
	};
	uint32_t point = 7;

	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		is_int(jw_utf8_at(jw_span_str(none[i]), &point), 0);
	is_int(jw_utf8_at(jw_span_str(""), &point), 0);
	is_int(point, 7);
}

TEST(hexadecimal_digits)
{
	static const char digits[] = "0123456789abcdef";

	for (int c = -1; c < 256; c++) {
		int value = -1;

		for (int i = 0; i < 16; i++)
			if (c == digits[i] || (c >= 'A' && c <= 'F' && c - 'A' + 'a' == digits[i]))
				value = i;
		if (jw_hex_digit(c) != value)
			is_int(jw_hex_digit(c), value);
	}
	is_int(jw_hex_digit('A'), 10);
	is_int(jw_hex_digit('g'), -1);
}

TEST(class_names_with_dots)
{
	struct jw_buf b = { 0 };
	char name[] = "a/b$c/D", empty[] = "";

	jw_put_dotted(&b, JW_SPAN_LIT("a/b$c/D"));
	is_span(jw_buf_span(&b), JW_SPAN_LIT("a.b$c.D"));
	jw_buf_free(&b);
	is_str(jw_dotted(name), "a.b$c.D");
	is_str(jw_dotted(empty), "");
	ok(!jw_dotted(NULL));
}

TEST(words_of_the_shell)
{
	static const struct {
		const char *text, *want;
	} words[] = {
		{ "app-1.0_2/x.jar:@%+=,", "app-1.0_2/x.jar:@%+=," },
		{ "", "''" },
		{ "a b", "'a b'" },
		{ "it's", "'it'\\''s'" },
		{ "~", "'~'" },
		{ "$HOME;\n", "'$HOME;\n'" },
		{ "\xc3\xa4", "'\xc3\xa4'" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct jw_buf b = { 0 };

		jw_put_word(&b, jw_span_str(words[i].text));
		is_span(jw_buf_span(&b), jw_span_str(words[i].want));
		jw_buf_free(&b);
	}
}
