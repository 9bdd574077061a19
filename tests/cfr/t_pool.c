/* t_pool.c: the constant pool: opening, adding, forgetting, limits. */
#include <stdio.h>

#include "cfr/pool_add.h"
#include "tests/cfr/kit.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_err e;

static enum jw_status open_pool(struct jw_span s, struct cfr_pool *pool)
{
	jw_arena_free(&arena);
	return cfr_pool_open(s, 0, &arena, pool, &e);
}

TEST(pool_reads_entries)
{
	struct jw_buf b = { 0 };
	struct cfr_pool pool;
	struct cfr_ref ref;

	kit_pool(&b, &(struct kit){ 0 });
	is_int(open_pool(jw_buf_span(&b), &pool), JW_OK);
	is_int(pool.count, KIT_COUNT);
	is_int(pool.end, b.n);
	is_span(cfr_pool_utf8(&pool, KIT_CODE), JW_SPAN_LIT("Code"));
	is_span(cfr_pool_class(&pool, KIT_OBJECT), JW_SPAN_LIT("java/lang/Object"));
	ok(!cfr_pool_class(&pool, KIT_CODE).p && !cfr_pool_utf8(&pool, KIT_T).p);
	is_int(cfr_pool_tag(&pool, KIT_LONG), CFR_CONSTANT_Long);
	is_int(cfr_pool_tag(&pool, KIT_LONG + 1), 0);
	is_int(cfr_pool_tag(&pool, 0), 0);
	is_int(cfr_pool_tag(&pool, 70000), 0);
	is_int(cfr_pool_entry(&pool, KIT_LONG).n, 8);
	is_int(cfr_pool_entry(&pool, KIT_T_NAME).n, 3);
	ok(!cfr_pool_entry(&pool, 0).p);
	ok(cfr_pool_ref(&pool, KIT_METHOD, &ref));
	is_span(ref.owner, JW_SPAN_LIT("T"));
	is_span(ref.descriptor, JW_SPAN_LIT("()V"));
	is_int(ref.descriptor_index, KIT_DESC);
	ok(!cfr_pool_ref(&pool, KIT_NAT, &ref));
	is_str(cfr_constant_name(CFR_CONSTANT_Module), "Module");
	is_str(cfr_constant_name(2), "?");
	jw_buf_free(&b);
}

TEST(pool_finds_what_is_there)
{
	struct jw_buf b = { 0 }, out = { 0 };
	struct cfr_pool pool;
	uint16_t index = 0;

	kit_pool(&b, &(struct kit){ 0 });
	is_int(open_pool(jw_buf_span(&b), &pool), JW_OK);
	is_int(cfr_pool_add_utf8(&pool, JW_SPAN_LIT("Code"), &index, &e), JW_OK);
	is_int(index, KIT_CODE);
	is_int(cfr_pool_add_class(&pool, JW_SPAN_LIT("T"), &index, &e), JW_OK);
	is_int(index, KIT_T);
	is_int(cfr_pool_add_methodref(&pool, JW_SPAN_LIT("T"), JW_SPAN_LIT("m"), JW_SPAN_LIT("()V"),
				      &index, &e),
	       JW_OK);
	is_int(index, KIT_METHOD);
	is_int(pool.next, KIT_COUNT);
	cfr_pool_put(&pool, &out);
	is_span(jw_buf_span(&out), jw_buf_span(&b));
	cfr_pool_close(&pool);
	jw_buf_free(&b);
	jw_buf_free(&out);
}

TEST(pool_adds_once_and_forgets)
{
	struct jw_buf b = { 0 }, out = { 0 };
	struct cfr_pool pool, again;
	uint16_t first = 0, second = 0, wide = 0;

	kit_pool(&b, &(struct kit){ 0 });
	is_int(open_pool(jw_buf_span(&b), &pool), JW_OK);
	is_int(cfr_pool_add_methodref(&pool, JW_SPAN_LIT("a/Owner"), JW_SPAN_LIT("enter"),
				      JW_SPAN_LIT("(J)V"), &first, &e),
	       JW_OK);
	struct cfr_pool_mark mark = cfr_pool_mark(&pool);
	is_int(pool.next, KIT_COUNT + 6);
	is_int(cfr_pool_add_long(&pool, UINT64_C(0x123456789abcdef0), &wide, &e), JW_OK);
	is_int(wide, KIT_COUNT + 6);
	is_int(cfr_pool_add_class(&pool, JW_SPAN_LIT("a/Other"), &second, &e), JW_OK);
	is_int(second, KIT_COUNT + 9);
	is_int(cfr_pool_add_class(&pool, JW_SPAN_LIT("a/Other"), &second, &e), JW_OK);
	is_int(second, KIT_COUNT + 9);
	cfr_pool_rewind(&pool, mark);
	is_int(pool.next, KIT_COUNT + 6);
	/* what is forgotten is made anew, what stays is found */
	is_int(cfr_pool_add_class(&pool, JW_SPAN_LIT("a/Other"), &second, &e), JW_OK);
	is_int(second, KIT_COUNT + 7);
	is_int(cfr_pool_add_methodref(&pool, JW_SPAN_LIT("a/Owner"), JW_SPAN_LIT("enter"),
				      JW_SPAN_LIT("(J)V"), &second, &e),
	       JW_OK);
	is_int(second, first);
	is_int(cfr_pool_add_long(&pool, UINT64_C(0x123456789abcdef0), &wide, &e), JW_OK);
	cfr_pool_put(&pool, &out);
	cfr_pool_close(&pool);

	is_int(open_pool(jw_buf_span(&out), &again), JW_OK);
	is_int(again.count, KIT_COUNT + 10);
	struct cfr_ref ref = { 0 };
	ok(cfr_pool_ref(&again, first, &ref));
	is_span(ref.owner, JW_SPAN_LIT("a/Owner"));
	is_span(ref.name, JW_SPAN_LIT("enter"));
	is_int(jw_span_u4(cfr_pool_entry(&again, wide), 4), 0x9abcdef0);
	jw_buf_free(&b);
	jw_buf_free(&out);
}

/* A pool of COUNT - 1 equal Utf8 entries. */
static void big_pool(struct jw_buf *b, uint32_t count)
{
	jw_buf_clear(b);
	jw_put_u2(b, count);
	for (uint32_t i = 1; i < count; i++)
		kit_utf8(b, "x");
}

TEST(pool_is_full_at_65535)
{
	struct jw_buf b = { 0 };
	struct cfr_pool pool;
	uint16_t index = 0;

	big_pool(&b, 65534);
	is_int(open_pool(jw_buf_span(&b), &pool), JW_OK);
	is_int(cfr_pool_add_long(&pool, 1, &index, &e), JW_LIMIT);
	is_str(e.text, "too many constants (limit is 65535)");
	is_int(cfr_pool_add_utf8(&pool, JW_SPAN_LIT("x"), &index, &e), JW_OK);
	is_int(index, 1);
	is_int(cfr_pool_add_utf8(&pool, JW_SPAN_LIT("y"), &index, &e), JW_OK);
	is_int(index, 65534);
	is_int(cfr_pool_add_utf8(&pool, JW_SPAN_LIT("z"), &index, &e), JW_LIMIT);
	cfr_pool_close(&pool);

	big_pool(&b, 65533);
	is_int(open_pool(jw_buf_span(&b), &pool), JW_OK);
	is_int(cfr_pool_add_long(&pool, 1, &index, &e), JW_OK);
	is_int(index, 65533);
	is_int(pool.next, 65535);
	cfr_pool_close(&pool);
	jw_buf_free(&b);
}

TEST(pool_text_is_65535_bytes_at_most)
{
	struct jw_buf b = { 0 }, text = { 0 };
	struct cfr_pool pool;
	uint16_t index;

	kit_pool(&b, &(struct kit){ 0 });
	is_int(open_pool(jw_buf_span(&b), &pool), JW_OK);
	jw_put_zeros(&text, 65535);
	is_int(cfr_pool_add_utf8(&pool, jw_buf_span(&text), &index, &e), JW_OK);
	jw_put_zeros(&text, 1);
	is_int(cfr_pool_add_utf8(&pool, jw_buf_span(&text), &index, &e), JW_LIMIT);
	is_str(e.text, "constant of 65536 bytes too long (limit is 65535)");
	is_int(cfr_pool_add_class(&pool, jw_buf_span(&text), &index, &e), JW_LIMIT);
	cfr_pool_close(&pool);
	jw_buf_free(&b);
	jw_buf_free(&text);
}

/* Many adds stay linear (a quadratic search would need minutes), and each is found again. */
TEST(pool_takes_many)
{
	struct jw_buf b = { 0 };
	struct cfr_pool pool;
	uint16_t index = 0, made[1000];
	char name[32];

	kit_pool(&b, &(struct kit){ 0 });
	is_int(open_pool(jw_buf_span(&b), &pool), JW_OK);
	for (unsigned i = 0; i < 30000; i++) {
		snprintf(name, sizeof(name), "p/C%u", i);
		if (cfr_pool_add_class(&pool, jw_span_str(name), &index, &e) != JW_OK)
			ok(false);
		made[i % 1000] = index;
	}
	is_int(pool.next, KIT_COUNT + 60000);
	for (unsigned i = 29000; i < 30000; i++) {
		snprintf(name, sizeof(name), "p/C%u", i);
		if (cfr_pool_add_class(&pool, jw_span_str(name), &index, &e) != JW_OK ||
		    index != made[i % 1000])
			ok(false);
	}
	is_int(pool.next, KIT_COUNT + 60000);
	cfr_pool_rewind(&pool, (struct cfr_pool_mark){ 0, KIT_COUNT });
	is_int(cfr_pool_add_class(&pool, JW_SPAN_LIT("p/C7"), &index, &e), JW_OK);
	is_int(index, KIT_COUNT + 1);
	cfr_pool_close(&pool);
	jw_buf_free(&b);
}

static void refuses(struct jw_span s, enum jw_status status, const char *text)
{
	struct cfr_pool pool;

	e.text[0] = 0;
	is_int(open_pool(s, &pool), status);
	is_str(e.text, text);
}

TEST(pool_refuses_what_is_damaged)
{
	refuses(KIT_BYTES(0), JW_INPUT, "constant pool: no count at offset 0");
	refuses(KIT_BYTES(0, 0), JW_INPUT, "constant pool: no count at offset 0");
	refuses(KIT_BYTES(0xff, 0xff, 1, 0, 0), JW_INPUT,
		"constant pool: 65534 entries do not fit into the 3 bytes left");
	refuses(KIT_BYTES(0, 2, 2, 0, 0), JW_UNSUPPORTED, "constant 1: unknown tag 2 at offset 2");
	refuses(KIT_BYTES(0, 2, 21, 0, 0), JW_UNSUPPORTED,
		"constant 1: unknown tag 21 at offset 2");
	refuses(KIT_BYTES(0, 2, 1, 0, 1), JW_INPUT, "constant pool: the file ends inside it");
	refuses(KIT_BYTES(0, 2, 5, 0, 0, 0, 0, 0, 0, 0, 0), JW_INPUT,
		"constant 1: takes two places, one is left");
	refuses(KIT_BYTES(0, 3, 1, 0, 3, 9, 9, 9), JW_INPUT, "constant 2: the file ends before it");
	refuses(KIT_BYTES(0, 2, 7, 0, 1), JW_INPUT,
		"constant 1: its Class refers to a wrong entry");
	refuses(KIT_BYTES(0, 2, 7, 0, 0), JW_INPUT,
		"constant 1: its Class refers to a wrong entry");
	refuses(KIT_BYTES(0, 3, 1, 0, 0, 12, 0, 1, 0, 2), JW_INPUT,
		"constant 2: its NameAndType refers to a wrong entry");
	refuses(KIT_BYTES(0, 3, 1, 0, 0, 15, 10, 0, 1), JW_INPUT,
		"constant 2: its MethodHandle refers to a wrong entry");
	refuses(KIT_BYTES(0, 3, 1, 0, 0, 15, 1, 0, 1), JW_INPUT,
		"constant 2: its MethodHandle refers to a wrong entry");
	refuses(KIT_BYTES(0, 3, 1, 0, 0, 18, 0, 0, 0, 1), JW_INPUT,
		"constant 2: its InvokeDynamic refers to a wrong entry");
}
