/*
 * t_context.c: trace contexts are recorded where they change, and again where a reader may not have
 * what was told before.
 */
#include "tests/runtime-jni/recorder_kit.h"

#include "base/banned.h"

static const struct jwr_context one = { 1, UINT64_C(2) << 60, 3 };
static const struct jwr_context two = { UINT64_MAX, UINT64_MAX, UINT64_MAX };
static const struct jwr_context none = { 0 };

static void child_changes(void)
{
	start("changes");
	rt_context(&none); /* nothing was told: it may have been another one */
	rt_context(&none);
	rt_context(&one);
	rt_context(&one);
	rt_context(&two);
	rt_context(&none);
	end_once();
}

static size_t count_in(const uint8_t *records, size_t bytes, enum jwr_kind kind)
{
	size_t n = 0;

	for (size_t at = 0; at + sizeof(struct jwr_record) <= bytes;
	     at += sizeof(struct jwr_record)) {
		struct jwr_record r;

		memcpy(&r, records + at, sizeof(r));
		n += r.tick && jwr_word_kind(r.word) == kind;
	}
	return n;
}

/* How many records of KIND the chunks of a recording have; what is between chunks is zero. */
static size_t count(const char *name, enum jwr_kind kind)
{
	static uint8_t bytes[1 << 21];
	size_t n = 0, at = 0, size = slurp(name, JWR_DATA, bytes, sizeof(bytes));
	struct jwr_chunk chunk;

	while (at + sizeof(chunk) <= size) {
		memcpy(&chunk, bytes + at, sizeof(chunk));
		if (chunk.magic != JWR_MAGIC || chunk.bytes > size - at - sizeof(chunk)) {
			at += sizeof(struct jwr_record);
			continue;
		}
		n += count_in(bytes + at + sizeof(chunk), chunk.bytes, kind);
		at += sizeof(chunk) + chunk.bytes;
	}
	return n;
}

TEST(only_changes_are_recorded)
{
	is_int(in_silent_child(child_changes), 0);
	is_int(count("changes", JWR_CONTEXT), 4 * JWR_CONTEXT_PARTS);
}

static void child_windows(void)
{
	start("windows");
	rt_context(&one);
	log_events(PER_WINDOW); /* a ring may lose the chunk that has it */
	rt_context(&one);
	rt_context(&one);
	end_once();
}

TEST(each_window_tells_it_again)
{
	is_int(in_silent_child(child_windows), 0);
	is_int(count("windows", JWR_CONTEXT), 2 * JWR_CONTEXT_PARTS);
}

static void child_silent(void)
{
	start("silent");
	rt_silence(true);
	log_events(3);
	rt_context(&one);
	rt_silence(false);
	log_events(2);
	end_once();
}

TEST(a_silent_thread_records_nothing)
{
	is_int(in_silent_child(child_silent), 0);
	is_int(count("silent", JWR_CONTEXT), 0);
	is_int(count("silent", JWR_ENTER) + count("silent", JWR_EXIT), 2);
}

TEST(parts_are_48_bits_each)
{
	const struct jwr_context c = { UINT64_C(0x0123456789abcdef), UINT64_C(0x1122334455667788),
				       UINT64_C(0x99aabbccddeeff00) };

	is_int(jwr_context_part(&c, 0), INT64_C(0x0000) << 48 | INT64_C(0x0123456789ab));
	is_int(jwr_context_part(&c, 1), INT64_C(0x0001) << 48 | INT64_C(0xcdef11223344));
	is_int(jwr_context_part(&c, 2), INT64_C(0x0002) << 48 | INT64_C(0x5566778899aa));
	is_int(jwr_context_part(&c, 3), INT64_C(0x0003) << 48 | INT64_C(0xbbccddeeff00));
}
