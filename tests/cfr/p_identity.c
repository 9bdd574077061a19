/* p_identity.c: taken apart and put together, a class is what it was; frames too, to the byte. */
#include "base/file.h"
#include "tests/cfr/kit.h"
#define HOLDS ok
#include "tests/cfr/exercise.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct jw_buf out;

static void frames_are_identical(const struct cfr_class *cls, const struct cfr_member *m,
				 unsigned *tables)
{
	struct cfr_code code;
	struct cfr_smt smt;
	struct cfr_attr attr;
	struct jw_err e = { 0 };

	is_int(cfr_code_open(cls, m, &arena, &code, &e), JW_OK);
	is_int(cfr_smt_decode(cls, m, &code, &arena, &smt, &e), JW_OK);
	if (!cfr_attrs_find(cls, &code.attrs, "StackMapTable", &attr))
		return;
	jw_buf_clear(&out);
	cfr_smt_put(&out, smt.initial, smt.frames, smt.count);
	is_span(jw_buf_span(&out), attr.info);
	(*tables)++;
}

TEST(real_classes_pass_everything)
{
	for (size_t i = 0; i < KIT_REAL_COUNT; i++) {
		struct jw_file file;
		struct jw_err e = { 0 };

		is_int(jw_file_open(kit_real[i], 0, &file, &e), JW_OK);
		if (!ok(exercise_class(file.bytes, &arena, &out, &e) == JW_OK))
			tap_note("%s: %s", kit_real[i], e.text);
		jw_file_close(&file);
		jw_arena_reset(&arena);
	}
	jw_buf_free(&out);
}

TEST(frames_of_javac_come_back_byte_for_byte)
{
	unsigned tables = 0;

	for (size_t i = 0; i < KIT_REAL_COUNT; i++) {
		struct jw_file file;
		struct jw_err e = { 0 };
		struct cfr_class cls;

		is_int(jw_file_open(kit_real[i], 0, &file, &e), JW_OK);
		is_int(cfr_class_open(file.bytes, &arena, &cls, &e), JW_OK);
		for (uint16_t k = 0; k < cls.method_count; k++) {
			if (cls.methods[k].code.p)
				frames_are_identical(&cls, &cls.methods[k], &tables);
		}
		cfr_class_close(&cls);
		jw_file_close(&file);
		jw_arena_reset(&arena);
	}
	ok(tables >= 10);
	jw_buf_free(&out);
}
