/* Archives as the JDK opens them, and archives that nobody should. */
#include "base/zip.h"

#include <stdlib.h>
#include <string.h>

#include "tests/base/make_zip.h"
#include "tests/tap.h"

#include "base/banned.h"

static const struct jw_zip_limits no_limits;
static const struct jw_zip_limits small_limits = { .max_size = 100 * 1024, .max_ratio = 10 };

static struct jw_arena arena;
static struct jw_zip zip;
static struct jw_err e;

static enum jw_status open_zip(struct jw_span bytes)
{
	e = (struct jw_err){ 0 };
	zip = (struct jw_zip){ 0 };
	return jw_zip_open(bytes, &arena, &zip, &e);
}

/* The unpacked text of entry INDEX, or the message of the error. */
static const char *text_of(size_t index, const struct jw_zip_limits *limits)
{
	struct jw_inflater *inflater = jw_inflater_new();
	struct jw_buf out = { 0 };
	const char *text = e.text;

	if (jw_zip_unpack(&zip, &zip.entries[index], limits, inflater, &out, &e) == JW_OK)
		text = jw_arena_str(&arena, jw_buf_span(&out));
	else
		ok(out.n == 0);
	jw_buf_free(&out);
	jw_inflater_free(inflater);
	return text;
}

static void two_entries(struct made_zip *z)
{
	made_store(z, "a.txt", "stored");
	made_deflate(z, "b/c.txt", JW_SPAN_LIT("deflated deflated deflated"));
}

TEST(reads_stored_and_deflated_entries)
{
	struct made_zip z = { 0 };

	two_entries(&z);
	is_int(open_zip(made_finish(&z, 2, "a comment", false)), JW_OK);
	is_int(zip.count, 2);
	is_int(zip.start, 0);
	is_span(zip.comment, jw_span_str("a comment"));
	ok(!zip.zip64);
	is_span(zip.entries[1].name, jw_span_str("b/c.txt"));
	is_int(zip.entries[1].size, 26);
	is_str(text_of(0, &no_limits), "stored");
	is_str(text_of(1, &no_limits), "deflated deflated deflated");
	ok(jw_zip_find(&zip, JW_SPAN_LIT("a.txt")) == &zip.entries[0]);
	ok(jw_zip_find(&zip, JW_SPAN_LIT("a")) == NULL);
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(reads_an_archive_without_entries)
{
	struct made_zip z = { 0 };

	is_int(open_zip(made_finish(&z, 0, "", false)), JW_OK);
	is_int(zip.count, 0);
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(says_what_no_archive_is)
{
	is_int(open_zip((struct jw_span){ 0 }), JW_INPUT);
	is_str(e.text, "is empty: not a zip archive");
	is_int(open_zip(JW_SPAN_LIT("hello, this is a text and no archive at all")), JW_INPUT);
	is_str(e.text, "not a zip archive");
	jw_arena_free(&arena);
}

TEST(every_cut_is_an_error)
{
	struct made_zip z = { 0 };

	two_entries(&z);
	struct jw_span bytes = made_finish(&z, 2, "", false);
	for (size_t n = 0; n < bytes.n; n++)
		ok(open_zip(jw_span_sub(bytes, 0, n)) == JW_INPUT);
	ok(strstr(e.text, "the archive is cut") != NULL);
	made_free(&z);
	jw_arena_free(&arena);
}

/* The JDK takes the last end record that holds together. */
TEST(an_end_signature_in_the_comment_is_no_end)
{
	struct made_zip z = { 0 };

	two_entries(&z);
	is_int(open_zip(made_finish(&z, 2, "xxPK\005\006 and more than twenty-two bytes", false)),
	       JW_OK);
	is_int(zip.count, 2);
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(bytes_behind_the_archive_are_tolerated)
{
	struct made_zip z = { 0 };

	two_entries(&z);
	made_finish(&z, 2, "", false);
	jw_put_str(&z.bytes, "\r\n");
	is_int(open_zip(jw_buf_span(&z.bytes)), JW_OK);
	is_int(zip.count, 2);
	is_int(zip.comment.n, 0);
	ok(zip.trailing);
	made_free(&z);
	jw_arena_free(&arena);
}

static void prefixed(bool adjusted)
{
	struct made_zip z = { 0 };

	jw_put_str(&z.bytes, "#!/bin/sh\nexec java -jar \"$0\"\n");
	size_t prefix = z.bytes.n;
	z.base = adjusted ? 0 : prefix;
	two_entries(&z);
	is_int(open_zip(made_finish(&z, 2, "", false)), JW_OK);
	is_int(zip.start, prefix);
	ok(!zip.trailing);
	is_int(zip.base, adjusted ? 0 : prefix);
	is_int(zip.entries[0].local, prefix);
	is_str(text_of(1, &no_limits), "deflated deflated deflated");
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(bytes_before_the_archive_adjusted)
{
	prefixed(true);
}

TEST(bytes_before_the_archive_not_adjusted)
{
	prefixed(false);
}

TEST(reads_zip64)
{
	for (size_t prefix = 0; prefix <= 10; prefix += 10) {
		struct made_zip z = { 0 };
		struct jw_span data = JW_SPAN_LIT("in zip64");
		struct made_entry far = { .name = "far",
					  .data = data,
					  .size = data.n,
					  .crc = made_crc(data),
					  .zip64 = true };

		jw_put_zeros(&z.bytes, prefix);
		z.base = prefix;
		made_store(&z, "near", "near");
		far.central_extra = JW_SPAN_LIT("\x99\x99\x02\x00hi");
		made_add(&z, &far);
		is_int(open_zip(made_finish(&z, 2, "", true)), JW_OK);
		ok(zip.zip64);
		is_int(zip.count, 2);
		is_int(zip.entries[1].size, data.n);
		is_str(text_of(1, &no_limits), "in zip64");
		made_free(&z);
		jw_arena_free(&arena);
	}
}

TEST(a_short_zip64_field_is_an_error)
{
	struct made_zip z = { 0 };
	struct jw_span data = JW_SPAN_LIT("x");
	struct made_entry far = { .name = "far", .data = data, .size = 1, .zip64 = true };

	made_add(&z, &far);
	/* the length of the extra field's body: 24 becomes 8 */
	z.central.p[46 + 3 + 2] = 8;
	is_int(open_zip(made_finish(&z, 1, "", false)), JW_INPUT);
	is_str(e.text, "\"far\": damaged zip64 extra field");
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(a_wrong_count_in_the_end_record_does_no_harm)
{
	struct made_zip z = { 0 };

	two_entries(&z);
	is_int(open_zip(made_finish(&z, 65535, "", false)), JW_OK);
	is_int(zip.count, 2);
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(of_two_entries_of_a_name_the_last_is_found)
{
	struct made_zip z = { 0 };

	made_store(&z, "twice", "first");
	made_store(&z, "twice", "second");
	is_int(open_zip(made_finish(&z, 2, "", false)), JW_OK);
	const struct jw_zip_entry *found = jw_zip_find(&zip, JW_SPAN_LIT("twice"));
	ok(found == &zip.entries[1]);
	is_str(text_of(1, &no_limits), "second");
	made_free(&z);
	jw_arena_free(&arena);
}

/* With signature or without, 4 or 8 bytes a size; or promised and not there. */
TEST(finds_the_end_of_every_form_of_descriptor)
{
	struct jw_span data = JW_SPAN_LIT("described");

	for (unsigned form = 0; form < 5; form++) {
		struct made_zip z = { 0 };
		struct jw_buf d = { 0 };
		struct jw_span raw, record;
		bool wide = form & 2, there = form < 4;

		if (there && !(form & 1))
			jw_put_le4(&d, 0x08074b50);
		if (there) {
			jw_put_le4(&d, made_crc(data));
			for (int i = 0; i < 2; i++)
				wide ? made_le8(&d, data.n) : jw_put_le4(&d, data.n);
		}
		struct made_entry entry = { .name = "d",
					    .data = data,
					    .size = data.n,
					    .crc = made_crc(data),
					    .flags = MADE_DESCRIPTOR,
					    .descriptor = jw_buf_span(&d) };
		made_add(&z, &entry);
		made_store(&z, "next", "next");
		is_int(open_zip(made_finish(&z, 2, "", false)), JW_OK);
		is_int(jw_zip_data(&zip, &zip.entries[0], &raw, &record, &e), JW_OK);
		is_span(raw, data);
		is_int(record.n, 30 + 1 + data.n + d.n);
		is_int(zip.entries[0].local + record.n, zip.entries[1].local);
		jw_buf_free(&d);
		made_free(&z);
		jw_arena_free(&arena);
	}
}

/* One entry "x" with FIELD (offset in its local header, or in the central one) set to VALUE. */
static const char *spoiled(bool central, size_t field, uint8_t value)
{
	struct made_zip z = { 0 };

	made_deflate(&z, "x", JW_SPAN_LIT("spoil me, spoil me, spoil me"));
	(central ? z.central.p : z.bytes.p)[field] = value;
	const char *text =
		open_zip(made_finish(&z, 1, "", false)) == JW_OK ? text_of(0, &no_limits) : e.text;
	made_free(&z);
	return text;
}

TEST(damage_is_named)
{
	is_str(spoiled(false, 0, 'Q'), "\"x\": there is no local header where it should be");
	is_str(spoiled(false, 8, 0),
	       "\"x\": its local header names another compression than the directory");
	is_str(spoiled(true, 0, 'Q'), "damaged central directory: no entry at byte 0 of it");
	is_str(spoiled(true, 16, 0x55), "\"x\": is damaged: its checksum (CRC-32) is wrong");
	is_str(spoiled(true, 24, 27),
	       "\"x\": it does not unpack to the size that the directory says");
	is_str(spoiled(true, 24, 29),
	       "\"x\": it does not unpack to the size that the directory says");
	is_str(spoiled(true, 21, 0x40), "\"x\": its data reaches past the end of the archive");
	is_str(spoiled(true, 44, 0x40), "\"x\": its offset is outside the archive");
	is_str(spoiled(true, 8, 1),
	       "\"x\": is encrypted: no JVM reads it; pack it without a password");
	is_str(spoiled(true, 28, 9), "damaged central directory: cut at byte 0 of it");
	is_str(spoiled(false, 31, 0xff), "\"x\": its compressed data is damaged");
	is_str(spoiled(true, 10, 12), "\"x\": its compression is neither STORED nor DEFLATED");
	jw_arena_free(&arena);
}

TEST(a_directory_outside_the_file_is_an_error)
{
	struct made_zip z = { 0 };

	made_store(&z, "x", "x");
	struct jw_span bytes = made_finish(&z, 1, "", false);
	z.bytes.p[bytes.n - 22 + 19] = 1; /* offset + 16 Mi */
	is_int(open_zip(bytes), JW_INPUT);
	ok(strstr(e.text, "its end record says") != NULL);
	z.bytes.p[bytes.n - 22 + 19] = 0;
	z.bytes.p[bytes.n - 22 + 15] = 1; /* size */
	is_int(open_zip(bytes), JW_INPUT);
	ok(strstr(e.text, "cannot be before its end record") != NULL);
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(a_stored_entry_of_two_sizes_is_an_error)
{
	struct made_zip z = { 0 };
	struct jw_span data = JW_SPAN_LIT("abc");
	struct made_entry entry = { .name = "s", .data = data, .size = 4, .crc = made_crc(data) };

	made_add(&z, &entry);
	is_int(open_zip(made_finish(&z, 1, "", false)), JW_OK);
	is_str(text_of(0, &no_limits), "\"s\": is STORED, but its two sizes differ");
	made_free(&z);
	jw_arena_free(&arena);
}

/* At the limit, and one past it. */
TEST(limits_on_size_and_ratio)
{
	struct made_zip z = { 0 };
	size_t most = (size_t)small_limits.max_size;
	uint8_t *zeros = calloc(1, most + 1);
	struct jw_span mixed = { zeros, most };

	made_deflate(&z, "bomb", jw_span(zeros, most));
	for (size_t i = 0; i < most; i++)
		zeros[i] = (uint8_t)tap_random();
	made_deflate(&z, "limit", mixed);
	made_deflate(&z, "over", jw_span(zeros, most + 1));
	made_deflate(&z, "small",
		     JW_SPAN_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
				 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
	is_int(open_zip(made_finish(&z, 4, "", false)), JW_OK);
	ok(strstr(text_of(0, &small_limits), "unpacks to over 10 times its size") != NULL);
	is_int(e.status, JW_LIMIT);
	e = (struct jw_err){ 0 };
	(void)text_of(1, &small_limits);
	is_int(e.status, JW_OK);
	ok(strstr(text_of(2, &small_limits), "102401 bytes unpacked (limit is 102400;") != NULL);
	is_int(e.status, JW_LIMIT);
	is_int(strlen(text_of(3, &small_limits)), 110);
	e = (struct jw_err){ 0 };
	(void)text_of(0, &no_limits);
	(void)text_of(2, &no_limits);
	is_int(e.status, JW_OK);
	free(zeros);
	made_free(&z);
	jw_arena_free(&arena);
}

/* Whatever is asked of an opened archive stays in its bytes; the sanitizer watches. */
static void use_all(struct jw_span bytes, struct jw_inflater *inflater)
{
	const struct jw_zip_limits limits = { .max_size = 1 << 16, .max_ratio = 1000 };
	struct jw_buf out = { 0 };

	if (open_zip(bytes) != JW_OK)
		return;
	for (size_t i = 0; i < zip.count; i++) {
		struct jw_span data, record;

		jw_buf_clear(&out);
		if (jw_zip_data(&zip, &zip.entries[i], &data, &record, &e) == JW_OK)
			ok(record.p >= bytes.p && record.p + record.n <= bytes.p + bytes.n &&
			   data.n <= record.n);
		if (jw_zip_unpack(&zip, &zip.entries[i], &limits, inflater, &out, &e) == JW_OK)
			ok(out.n == zip.entries[i].size);
	}
	jw_buf_free(&out);
}

TEST(mutated_archives_are_errors_or_archives)
{
	struct jw_inflater *inflater = jw_inflater_new();
	struct made_zip z = { 0 };
	struct jw_span data = JW_SPAN_LIT("in zip64");
	struct made_entry far = {
		.name = "far", .data = data, .size = data.n, .crc = made_crc(data), .zip64 = true
	};

	two_entries(&z);
	made_add(&z, &far);
	struct jw_span bytes = made_finish(&z, 3, "c", true);
	for (int round = 0; round < 30000; round++) {
		uint8_t *copy = malloc(bytes.n); /* of its exact size */

		memcpy(copy, bytes.p, bytes.n);
		for (uint32_t flips = 1 + tap_below(3); flips > 0; flips--)
			copy[tap_below((uint32_t)bytes.n)] =
				tap_below(4) ? (uint8_t)tap_random() : 0xff;
		use_all(jw_span(copy, bytes.n), inflater);
		free(copy);
		jw_arena_reset(&arena);
	}
	jw_inflater_free(inflater);
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(every_allocation_may_fail)
{
	struct made_zip z = { 0 };

	two_entries(&z);
	struct jw_span bytes = made_finish(&z, 2, "", false);
	for (long n = 0; n < 50; n++) {
		struct jw_inflater *inflater;
		struct jw_buf out = { 0 };
		enum jw_status status = JW_NOMEM;

		jw_arena_free(&arena);
		jw_mem_fail_after(n);
		inflater = jw_inflater_new();
		if (inflater)
			status = open_zip(bytes);
		if (status == JW_OK)
			status = jw_zip_unpack(&zip, &zip.entries[1], &no_limits, inflater, &out,
					       &e);
		bool failed = jw_mem_fail_after(-1);
		jw_inflater_free(inflater);
		jw_buf_free(&out);
		is_int(status, failed ? JW_NOMEM : JW_OK);
		if (!failed) {
			ok(n >= 3);
			break;
		}
	}
	made_free(&z);
	jw_arena_free(&arena);
}

TEST(an_entry_that_does_not_fit_into_memory_is_named)
{
	struct made_zip z = { 0 };
	struct jw_inflater *inflater = jw_inflater_new();
	struct jw_buf out = { 0 };

	two_entries(&z);
	is_int(open_zip(made_finish(&z, 2, "", false)), JW_OK);
	jw_mem_fail_after(0);
	is_int(jw_zip_unpack(&zip, &zip.entries[1], &no_limits, inflater, &out, &e), JW_NOMEM);
	jw_mem_fail_after(-1);
	ok(strstr(e.text, "\": does not fit in memory") != NULL);
	jw_inflater_free(inflater);
	jw_buf_free(&out);
	made_free(&z);
}
