/*
 * zip.c: the index of an archive, read the way that the JDK reads it, since the JDK will open the
 * result: the end record is the last consistent one in the file; the central directory is right
 * before it; offsets of local headers count from where the archive starts, which is 0 when bytes
 * put before it were accounted for (adjusted), else the end of those bytes.
 */
#include "base/zip.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/zip_format.h"

#include "base/banned.h"

enum {
	/* unpacking less than this is never an attack, however well it packs */
	RATIO_FREE_BYTES = 64 * 1024,
};

/* Where the parts of an archive are, from its end record. */
struct ends {
	uint64_t end;    /* offset of the end record, or of the zip64 one */
	uint64_t count;  /* entries, as claimed: only a hint */
	uint64_t size;   /* of the central directory */
	uint64_t offset; /* of the central directory, from the start of the archive */
	struct jw_span comment;
	bool zip64, trailing;
};

static uint32_t le4_at(struct jw_span s, uint64_t offset)
{
	struct jw_cur c = jw_cur(jw_span_sub(s, (size_t)offset, 4));

	return jw_cur_le4(&c);
}

/* ---- the end record ---- */

/* The zip64 end record, where a locator before the ordinary one points at it. */
static void read_end64(struct jw_span bytes, struct ends *ends)
{
	if (ends->end < JW_ZIP_LOCATOR64_BYTES)
		return;
	struct jw_span locator = jw_span_sub(bytes, (size_t)ends->end - JW_ZIP_LOCATOR64_BYTES,
					     JW_ZIP_LOCATOR64_BYTES);
	if (jw_span_le4(locator, 0) != JW_ZIP_SIG_LOCATOR64)
		return;
	uint64_t at = jw_span_le8(locator, JW_ZIP_LOCATOR64_END);
	/* bytes before the archive move it, but not the offset in the locator: it ends at the
	 * locator */
	if (at > bytes.n || le4_at(bytes, at) != JW_ZIP_SIG_END64)
		at = ends->end >= JW_ZIP_LOCATOR64_BYTES + JW_ZIP_END64_BYTES
			     ? ends->end - JW_ZIP_LOCATOR64_BYTES - JW_ZIP_END64_BYTES
			     : bytes.n;
	if (at > ends->end - JW_ZIP_LOCATOR64_BYTES)
		return;
	struct jw_span end = jw_span_sub(bytes, (size_t)at, JW_ZIP_END64_BYTES);
	if (end.n < JW_ZIP_END64_BYTES || jw_span_le4(end, 0) != JW_ZIP_SIG_END64)
		return;
	uint64_t count = jw_span_le8(end, JW_ZIP_END64_COUNT);
	uint64_t size = jw_span_le8(end, JW_ZIP_END64_SIZE);
	uint64_t offset = jw_span_le8(end, JW_ZIP_END64_OFFSET);
	/* a record that contradicts the ordinary one is not used, as in java.util.zip */
	if ((size != ends->size && ends->size != UINT32_MAX) ||
	    (offset != ends->offset && ends->offset != UINT32_MAX) ||
	    (count != ends->count && ends->count != UINT16_MAX))
		return;
	ends->end = at;
	ends->count = count;
	ends->size = size;
	ends->offset = offset;
	ends->zip64 = true;
}

/* The end record at AT, when there is a consistent one. */
static bool read_end(struct jw_span bytes, size_t at, struct ends *out)
{
	struct jw_span rest = jw_span_sub(bytes, at, bytes.n);
	struct ends ends = { .end = at };

	if (rest.n < JW_ZIP_END_BYTES || jw_span_le4(rest, 0) != JW_ZIP_SIG_END)
		return false;
	ends.count = jw_span_le2(rest, JW_ZIP_END_COUNT);
	ends.size = jw_span_le4(rest, JW_ZIP_END_SIZE);
	ends.offset = jw_span_le4(rest, JW_ZIP_END_OFFSET);
	size_t comment = jw_span_le2(rest, JW_ZIP_END_COMMENT_LENGTH);
	bool exact = comment == rest.n - JW_ZIP_END_BYTES;
	ends.comment = jw_span_sub(rest, JW_ZIP_END_BYTES, comment);
	ends.trailing = comment < rest.n - JW_ZIP_END_BYTES;
	read_end64(bytes, &ends);
	if (!exact) {
		/* the signature may be inside a comment, or bytes were added after the archive:
		 * accepted when there is a central directory before it and an entry where it says
		 */
		if (ends.size > ends.end || ends.offset > ends.end - ends.size ||
		    le4_at(bytes, ends.end - ends.size) != JW_ZIP_SIG_CENTRAL ||
		    le4_at(bytes, ends.end - ends.size - ends.offset) != JW_ZIP_SIG_LOCAL)
			return false;
	}
	*out = ends;
	return true;
}

static enum jw_status find_end(struct jw_span bytes, struct ends *ends, struct jw_err *e)
{
	size_t lowest = bytes.n > JW_ZIP_END_BYTES + UINT16_MAX
				? bytes.n - JW_ZIP_END_BYTES - UINT16_MAX
				: 0;

	if (bytes.n == 0)
		return jw_fail(e, JW_INPUT, "is empty: not a zip archive");
	for (size_t at = bytes.n < JW_ZIP_END_BYTES ? 0 : bytes.n - JW_ZIP_END_BYTES + 1;
	     at-- > lowest;)
		if (bytes.p[at] == 'P' && read_end(bytes, at, ends))
			return JW_OK;
	if (le4_at(bytes, 0) == JW_ZIP_SIG_LOCAL)
		return jw_fail(
			e, JW_INPUT,
			"the archive is cut: it begins like one, but its end record is missing "
			"(fetch or build it again)");
	return jw_fail(e, JW_INPUT, "not a zip archive");
}

/* ---- the central directory ---- */

/* Replaces the fields that say "see zip64" by those of the extra field (APPNOTE 4.5.3). */
static bool resolve_zip64(struct jw_span extra, struct jw_zip_entry *entry)
{
	bool size = entry->size == UINT32_MAX, packed = entry->packed == UINT32_MAX,
	     local = entry->local == UINT32_MAX;
	struct jw_cur c = jw_cur(extra);

	/* 0xffffffff may also be the true value, where there is no such extra field */
	while ((size || packed || local) && jw_cur_left(&c) >= 4) {
		uint16_t id = jw_cur_le2(&c);
		struct jw_cur field = jw_cur(jw_cur_take(&c, jw_cur_le2(&c)));

		if (!jw_cur_ok(&c))
			return true; /* not ours to judge: extra fields are copied as they are */
		if (id != JW_ZIP_EXTRA_ZIP64)
			continue;
		if (size)
			entry->size = jw_cur_le8(&field);
		if (packed)
			entry->packed = jw_cur_le8(&field);
		if (local)
			entry->local = jw_cur_le8(&field);
		return jw_cur_ok(&field);
	}
	return true;
}

static enum jw_status read_central(struct jw_cur *c, uint64_t base, struct jw_zip_entry *out,
				   struct jw_err *e)
{
	struct jw_zip_central header;
	size_t begin = c->pos;

	if (le4_at(c->s, begin) != JW_ZIP_SIG_CENTRAL)
		return jw_fail(e, JW_INPUT, "damaged central directory: no entry at byte %zu of it",
			       begin);
	if (!jw_zip_take_central(c, &header))
		return jw_fail(e, JW_INPUT, "damaged central directory: cut at byte %zu of it",
			       begin);
	struct jw_zip_entry entry = {
		.name = header.name,
		.central = jw_span_sub(c->s, begin, c->pos - begin),
		.local = jw_span_le4(header.fixed, JW_ZIP_CENTRAL_LOCAL),
		.packed = jw_span_le4(header.fixed, JW_ZIP_CENTRAL_PACKED),
		.size = jw_span_le4(header.fixed, JW_ZIP_CENTRAL_SIZE),
		.crc = jw_span_le4(header.fixed, JW_ZIP_CENTRAL_CRC),
		.method = jw_span_le2(header.fixed, JW_ZIP_CENTRAL_METHOD),
		.flags = jw_span_le2(header.fixed, JW_ZIP_CENTRAL_FLAGS),
	};
	if (!resolve_zip64(header.extra, &entry))
		return jw_fail(e, JW_INPUT, "\"%.*s\": damaged zip64 extra field",
			       (int)entry.name.n, (const char *)entry.name.p);
	if (entry.local > UINT64_MAX - base)
		return jw_fail(e, JW_INPUT, "\"%.*s\": its offset is outside the archive",
			       (int)entry.name.n, (const char *)entry.name.p);
	entry.local += base;
	*out = entry;
	return JW_OK;
}

/* How many central headers are in DIRECTORY: the count in the end record wraps at 65,536 in the
 * archives of some writers, and a hostile one must not make us allocate. */
static size_t count_central(struct jw_span directory)
{
	struct jw_cur c = jw_cur(directory);
	struct jw_zip_central header;
	size_t count = 0;

	for (; jw_cur_left(&c) >= JW_ZIP_CENTRAL_BYTES; count++)
		(void)jw_zip_take_central(&c, &header); /* read_central() says what is wrong */
	return count;
}

static enum jw_status read_directory(struct jw_zip *zip, struct jw_span directory,
				     struct jw_arena *arena, struct jw_err *e)
{
	struct jw_cur c = jw_cur(directory);
	size_t count = count_central(directory);
	uint64_t first = (uint64_t)(directory.p - zip->bytes.p);

	zip->entries = JW_NEW_ARRAY(arena, struct jw_zip_entry, count + 1);
	if (!zip->entries)
		return jw_nomem(e);
	for (; jw_cur_left(&c) > 0; zip->count++) {
		if (zip->count > count)
			return jw_bug(e, "central directory grew");
		JW_TRY(read_central(&c, zip->base, &zip->entries[zip->count], e));
		if (zip->entries[zip->count].local < first)
			first = zip->entries[zip->count].local;
	}
	/* bytes before the first entry belong to none, even when offsets were adjusted to them
	 */
	zip->start = first;
	return JW_OK;
}

enum jw_status jw_zip_open(struct jw_span bytes, struct jw_arena *arena, struct jw_zip *out,
			   struct jw_err *e)
{
	struct ends ends = { 0 };

	JW_TRY(find_end(bytes, &ends, e));
	if (ends.size > ends.end)
		return jw_fail(
			e, JW_INPUT,
			"damaged archive: a central directory of %llu bytes cannot be before "
			"its end record at %llu",
			(unsigned long long)ends.size, (unsigned long long)ends.end);
	uint64_t at = ends.end - ends.size;
	if (ends.offset > at)
		return jw_fail(e, JW_INPUT,
			       "damaged archive: the central directory is at %llu, its end record "
			       "says %llu",
			       (unsigned long long)at, (unsigned long long)ends.offset);
	struct jw_zip zip = {
		.bytes = bytes,
		.base = at - ends.offset,
		.comment = ends.comment,
		.zip64 = ends.zip64,
		.trailing = ends.trailing,
	};
	struct jw_span directory = jw_span_sub(bytes, (size_t)at, (size_t)ends.size);
	JW_TRY(read_directory(&zip, directory, arena, e));
	*out = zip;
	return JW_OK;
}

const struct jw_zip_entry *jw_zip_find(const struct jw_zip *zip, struct jw_span name)
{
	for (size_t i = zip->count; i > 0; i--)
		if (jw_span_eq(zip->entries[i - 1].name, name))
			return &zip->entries[i - 1];
	return NULL;
}

/* ---- local records ---- */

static enum jw_status entry_fail(const struct jw_zip_entry *entry, struct jw_err *e,
				 enum jw_status status, const char *what)
{
	size_t shown = entry->name.n < 400 ? entry->name.n : 400;

	return jw_fail(e, status, "\"%.*s\": %s", (int)shown, (const char *)entry->name.p, what);
}

/*
 * The length of the data descriptor at TAIL, 0 when there is none (APPNOTE 4.3.9): CRC and both
 * sizes of 4 or 8 bytes, with a signature before them or without. Nothing says which: the one that
 * agrees with the central directory is it.
 */
static size_t descriptor_length(struct jw_span tail, const struct jw_zip_entry *entry)
{
	enum { WIDE = 2, BARE = 1 };

	for (size_t form = 0; form <= (WIDE | BARE); form++) {
		struct jw_cur c = jw_cur(tail);

		if (!(form & BARE) && jw_cur_le4(&c) != JW_ZIP_SIG_DESCRIPTOR)
			continue;
		uint32_t crc = jw_cur_le4(&c);
		uint64_t packed = form & WIDE ? jw_cur_le8(&c) : jw_cur_le4(&c);
		uint64_t size = form & WIDE ? jw_cur_le8(&c) : jw_cur_le4(&c);
		if (jw_cur_ok(&c) && crc == entry->crc && packed == entry->packed &&
		    size == entry->size)
			return c.pos;
	}
	return 0;
}

enum jw_status jw_zip_data(const struct jw_zip *zip, const struct jw_zip_entry *entry,
			   struct jw_span *data, struct jw_span *record, struct jw_err *e)
{
	if (entry->local >= zip->bytes.n)
		return entry_fail(entry, e, JW_INPUT, "its offset is outside the archive");
	struct jw_span rest = jw_span_sub(zip->bytes, (size_t)entry->local, zip->bytes.n);
	struct jw_cur c = jw_cur(rest);
	struct jw_zip_local header;
	if (le4_at(rest, 0) != JW_ZIP_SIG_LOCAL)
		return entry_fail(entry, e, JW_INPUT,
				  "there is no local header where it should be");
	bool whole = jw_zip_take_local(&c, &header);
	_Static_assert(SIZE_MAX >= UINT64_MAX, "an entry of any size is one span");
	struct jw_span packed = jw_cur_take(&c, (size_t)entry->packed);
	if (!whole || !jw_cur_ok(&c))
		return entry_fail(entry, e, JW_INPUT,
				  "its data reaches past the end of the archive");
	if (jw_span_le2(header.fixed, JW_ZIP_LOCAL_METHOD) != entry->method)
		return entry_fail(entry, e, JW_INPUT,
				  "its local header names another compression than the directory");
	size_t length = c.pos;
	if (jw_span_le2(header.fixed, JW_ZIP_LOCAL_FLAGS) & JW_ZIP_FLAG_DESCRIPTOR)
		length += descriptor_length(jw_span_sub(rest, length, rest.n), entry);
	if (data)
		*data = packed;
	if (record)
		*record = jw_span_sub(rest, 0, length);
	return JW_OK;
}

/* ---- unpacking ---- */

const struct jw_zip_limits jw_zip_default_limits = { .max_size = UINT64_C(512) << 20,
						     .max_ratio = 1000 };

enum jw_status jw_zip_check_limits(const struct jw_zip_entry *entry,
				   const struct jw_zip_limits *limits, struct jw_err *e)
{
	char text[160];

	if (limits->max_size && entry->size > limits->max_size) {
		snprintf(text, sizeof(text), "%llu bytes unpacked (limit is %llu%s)",
			 (unsigned long long)entry->size, (unsigned long long)limits->max_size,
			 limits->fixed ? "" : "; --no-limits lifts it");
		return entry_fail(entry, e, JW_LIMIT, text);
	}
	if (limits->max_ratio && entry->size > RATIO_FREE_BYTES &&
	    entry->size / limits->max_ratio > entry->packed) {
		snprintf(text, sizeof(text),
			 "unpacks to over %llu times its size, like an attack%s",
			 (unsigned long long)limits->max_ratio,
			 limits->fixed ? "" : " (--no-limits unpacks it)");
		return entry_fail(entry, e, JW_LIMIT, text);
	}
	return JW_OK;
}

static enum jw_status inflate_to(const struct jw_zip_entry *entry, struct jw_span data,
				 struct jw_inflater *inflater, uint8_t *to, struct jw_err *e)
{
	enum jw_inflated result = jw_inflater_run(inflater, data, to, (size_t)entry->size);

	if (result == JW_INFLATED)
		return JW_OK;
	return entry_fail(entry, e, JW_INPUT,
			  result == JW_INFLATE_DAMAGED
				  ? "its compressed data is damaged"
				  : "it does not unpack to the size that the directory says");
}

enum jw_status jw_zip_unpack(const struct jw_zip *zip, const struct jw_zip_entry *entry,
			     const struct jw_zip_limits *limits, struct jw_inflater *inflater,
			     struct jw_buf *out, struct jw_err *e)
{
	struct jw_span data = { 0 };

	if (entry->flags & JW_ZIP_FLAG_ENCRYPTED)
		return entry_fail(entry, e, JW_INPUT,
				  "is encrypted: no JVM reads it; pack it without a password");
	if (entry->method != JW_ZIP_STORED && entry->method != JW_ZIP_DEFLATED)
		return entry_fail(entry, e, JW_UNSUPPORTED,
				  "its compression is neither STORED nor DEFLATED");
	JW_TRY(jw_zip_data(zip, entry, &data, NULL, e));
	JW_TRY(jw_zip_check_limits(entry, limits, e));
	if (entry->method == JW_ZIP_STORED && entry->size != entry->packed)
		return entry_fail(entry, e, JW_INPUT, "is STORED, but its two sizes differ");
	size_t before = out->n;
	if (entry->method == JW_ZIP_STORED) {
		jw_put_bytes(out, data);
	} else {
		jw_buf_reserve(out, (size_t)entry->size);
		if (out->failed == JW_OK)
			JW_TRY(inflate_to(entry, data, inflater, out->p ? out->p + before : NULL,
					  e));
		if (out->failed == JW_OK)
			out->n += (size_t)entry->size;
	}
	if (jw_buf_finish(out, "entry", e) != JW_OK)
		return entry_fail(entry, e, out->failed, "does not fit in memory");
	struct jw_span unpacked = jw_span_sub(jw_buf_span(out), before, out->n);
	if (jw_inflater_crc32(inflater, unpacked) == entry->crc)
		return JW_OK;
	out->n = before;
	return entry_fail(entry, e, JW_INPUT, "is damaged: its checksum (CRC-32) is wrong");
}
