/* t_memory.c: every allocation of cfr fails once; each time the caller hears of it. */
#include "base/file.h"
#include "cfr/pool_add.h"
#include "tests/cfr/kit.h"
#define HOLDS ok
#include "tests/cfr/exercise.h"

#include "base/banned.h"

/* Adds that need their index, and grow it. */
static enum jw_status add_many(struct jw_span bytes, struct jw_arena *arena, struct jw_err *e)
{
	struct cfr_class cls;
	enum jw_status status = JW_OK;
	uint16_t index;

	JW_TRY(cfr_class_open(bytes, arena, &cls, e));
	for (unsigned i = 0; i < 600 && status == JW_OK; i++) {
		uint8_t name[2] = { (uint8_t)('a' + i % 26), (uint8_t)('a' + i / 26) };

		status = cfr_pool_add_methodref(&cls.pool, jw_span(name, 2), jw_span(name, 2),
						JW_SPAN_LIT("()V"), &index, e);
	}
	if (status == JW_OK)
		status = cfr_pool_add_long(&cls.pool, 1, &index, e);
	cfr_class_close(&cls);
	return status;
}

static enum jw_status everything(struct jw_span bytes, struct jw_arena *arena, struct jw_err *e)
{
	struct jw_buf out = { 0 };
	enum jw_status status = exercise_class(bytes, arena, &out, e);

	jw_buf_free(&out);
	return status;
}

static void each_allocation_fails(const char *path,
				  enum jw_status (*run)(struct jw_span, struct jw_arena *,
							struct jw_err *))
{
	struct jw_file file;
	struct jw_err e = { 0 };
	bool failed = true;
	long n = 0;

	is_int(jw_file_open(path, 0, &file, &e), JW_OK);
	for (; failed && n < 20000; n++) {
		struct jw_arena arena = { 0 };

		jw_mem_fail_after(n);
		enum jw_status status = run(file.bytes, &arena, &e);
		failed = jw_mem_fail_after(-1);
		jw_arena_free(&arena);
		is_int(status, failed ? JW_NOMEM : JW_OK);
	}
	ok(!failed && n > 3);
	jw_file_close(&file);
}

TEST(open_code_frames_check_dump)
{
	each_allocation_fails("testdata/classes/8/Flow.class", everything);
	each_allocation_fails("testdata/classes/11/Notes.class", everything);
}

TEST(pool_adds)
{
	each_allocation_fails("testdata/classes/8/Flow.class", add_many);
}
