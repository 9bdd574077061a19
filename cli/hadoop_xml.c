/*
 * hadoop_xml.c: see hadoop_xml.h.
 */
#include "cli/hadoop_xml.h"

#include <string.h>

#include "base/banned.h"

static const struct {
	char c;
	const char *name;
} entities[] = {
	{ '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" }, { '\'', "&apos;" }, { '&', "&amp;" },
};
enum { ENTITIES = sizeof(entities) / sizeof(entities[0]) };

/* The text of the element NAME in TEXT, up to END, without blanks around it. */
static struct jw_span element(const char *text, const char *end, const char *open,
			      const char *close)
{
	const char *from = strstr(text, open);

	if (!from || from > end)
		return jw_span(NULL, 0);
	from += strlen(open);
	const char *to = strstr(from, close);
	if (!to || to > end)
		return jw_span(NULL, 0);
	from += strspn(from, " \t\r\n");
	while (to > from && strchr(" \t\r\n", to[-1]))
		to--;
	return to > from ? jw_span(from, (size_t)(to - from)) : jw_span("", 0);
}

static const char *plain(struct jw_arena *arena, struct jw_span s)
{
	struct jw_buf out = { 0 };

	while (s.n) {
		size_t n = 1, i = 0;

		for (; i < ENTITIES; i++) {
			n = strlen(entities[i].name);
			if (jw_span_starts(s, jw_span_str(entities[i].name)))
				break;
		}
		n = i < ENTITIES ? n : 1;
		jw_put_u1(&out, i < ENTITIES ? (uint8_t)entities[i].c : s.p[0]);
		s = jw_span_sub(s, n, s.n - n);
	}
	const char *text = out.failed ? NULL : jw_arena_str(arena, jw_buf_span(&out));
	jw_buf_free(&out);
	return text;
}

const char *hadoop_xml_value(struct jw_arena *arena, const char *text, const char *key)
{
	static const char end_mark[] = "</property>";
	const char *found = NULL, *end;

	while ((text = strstr(text, "<property>")) && (end = strstr(text, end_mark))) {
		struct jw_span value = element(text, end, "<value>", "</value>");

		if (jw_span_eq_str(element(text, end, "<name>", "</name>"), key) && value.p)
			found = plain(arena, value);
		text = end;
	}
	return found;
}

static void put_escaped(struct jw_buf *out, const char *text)
{
	for (; *text; text++) {
		size_t i = 0;

		while (i < ENTITIES && entities[i].c != *text)
			i++;
		if (i < ENTITIES)
			jw_put_str(out, entities[i].name);
		else
			jw_put_u1(out, (uint8_t)*text);
	}
}

void hadoop_xml_put(struct jw_buf *out, const char *key, const char *value)
{
	jw_put_str(out, "  <property><name>");
	put_escaped(out, key);
	jw_put_str(out, "</name><value>");
	put_escaped(out, value);
	jw_put_str(out, "</value></property>\n");
}
