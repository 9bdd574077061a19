#include "tests/base/mutate_list.h"

#include "base/banned.h"

void mutate_bytes(struct jw_buf *bytes, uint32_t *state)
{
	if (bytes->n > 0)
		bytes->p[draw(state, (uint32_t)bytes->n)] ^= (uint8_t)(1u << draw(state, 8));
}

/* ---- fields ---- */

/* An extra field of a kind that tools write, its length mostly right; or zeros after one. */
static void mutate_put_extra(struct jw_buf *out, uint32_t *state)
{
	enum { ZIP64 = 1, TIMES = 0x5455, JAR = 0xcafe, ANDROID = 0xd935, COMMONS = 0xa11e };
	static const uint16_t ids[] = { ZIP64, ZIP64, ANDROID, ANDROID, COMMONS, TIMES, JAR };
	static const uint8_t lengths[] = { 0, 2, 4, 8, 16, 24, 28 };
	uint16_t id = ids[draw(state, sizeof(ids) / sizeof(ids[0]))];
	size_t n = lengths[draw(state, sizeof(lengths))];

	jw_put_le2(out, id);
	jw_put_le2(out, n + (draw(state, 8) == 0));
	if (n >= 2 && (id == ANDROID || id == COMMONS)) {
		jw_put_le2(out, (size_t)1 << draw(state, 14));
		jw_put_zeros(out, n - 2);
	} else {
		for (; n >= 8; n -= 8)
			jw_put_le8(out, draw(state, 200));
		jw_put_zeros(out, n);
	}
	jw_put_zeros(out, draw(state, 2) ? draw(state, 8) : 0);
}

static void mutate_put_name(struct jw_buf *out, uint32_t *state)
{
	static const char *const names[] = { "lib/inner.war",
					     "BOOT-INF/lib/x.jar",
					     "BOOT-INF/classes/a/A.class",
					     "BOOT-INF/classpath.idx",
					     "WEB-INF/lib/x.jar",
					     "WEB-INF/classes/a/A.class",
					     "META-INF/versions/9/",
					     "META-INF/versions/11/module-info.class",
					     "META-INF/versions/x/a/A.class",
					     "META-INF/INDEX.LIST",
					     "META-INF/X.DSA",
					     "META-INF/jweave/",
					     "META-INF/jweave/x.map",
					     "jweave/abcdefg/P.class",
					     "org/springframework/boot/loader/Launcher.class",
					     "a/package-info.class",
					     "a\\A.class",
					     "/a/A.class",
					     "classes/a/A.class",
					     "modules",
					     "A.CLASS",
					     "\xc3\xa4.class",
					     "\xff.class",
					     "" };

	jw_put_str(out, names[draw(state, sizeof(names) / sizeof(names[0]))]);
}

/* Adds to or takes from what is odd in ENTRY; FIELD has what a new field is. */
static void mutate_odd(struct list_entry *entry, uint8_t used, struct jw_buf *field,
		       uint32_t *state)
{
	unsigned bit = draw(state, 8);

	if (used & LIST_ODD)
		return;
	entry->kind |= LIST_ODD;
	if (bit >= LIST_FIELDS || draw(state, 4) == 0) {
		entry->odd ^= (uint8_t)(1u << bit);
		return;
	}
	entry->odd |= (uint8_t)(1u << bit);
	jw_put_bytes(field, draw(state, 3) ? (struct jw_span){ 0 } : entry->field[bit]);
	if (1 << bit == LIST_ODD_NAME)
		mutate_put_name(field, state);
	else
		mutate_put_extra(field, state);
	entry->field[bit] = jw_buf_span(field);
}

/* One thing of ENTRY is another, to OUT. */
static void mutate_entry(struct list_entry entry, uint8_t used, mutate_content *content,
			 struct jw_buf *out, uint32_t *state)
{
	struct jw_buf fresh = { 0 };

	switch (draw(state, 8)) {
	case 0:
		entry.kind = (uint8_t)((entry.kind & 0xf0) | draw(state, 16));
		break;
	case 1:
		entry.kind ^= LIST_DEFLATED;
		break;
	case 2:
	case 3:
		mutate_odd(&entry, used, &fresh, state);
		break;
	default:
		if (entry.kind & LIST_NESTED)
			mutate_list(entry.content, 0, content, &fresh, state);
		else
			content(&entry, &fresh, state);
		entry.content = jw_buf_span(&fresh);
	}
	list_put(out, used, &entry);
	jw_buf_free(&fresh);
}

static uint32_t mutate_count(struct jw_span list, uint8_t used)
{
	struct jw_cur c = jw_cur(list);
	struct list_entry entry;
	uint32_t count = 0;

	while (list_next(&c, used, &entry))
		count++;
	return count;
}

/* LIST with one change, to OUT: an entry goes, comes again, or is another one. USED as for
 * list_next(). */
void mutate_list(struct jw_span list, uint8_t used, mutate_content *content, struct jw_buf *out,
		 uint32_t *state)
{
	uint32_t count = mutate_count(list, used), which = draw(state, count + !count);
	uint32_t how = draw(state, 10);
	struct jw_cur c = jw_cur(list);

	for (uint32_t i = 0; i < count; i++, used = 0) {
		struct list_entry entry;
		struct jw_cur at = c;

		(void)list_next(&c, used, &entry);
		struct jw_span bytes = jw_span_sub(list, at.pos, c.pos - at.pos);

		if (i != which || how == 1)
			jw_put_bytes(out, bytes);
		if (i == which && how == 1)
			list_put(out, 0, &entry);
		else if (i == which && how > 1)
			mutate_entry(entry, used, content, out, state);
	}
}
