#include "weaver/archive/zip_out.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/zip_format.h"

#include "base/banned.h"

enum {
	EXTRA_ALIGN_ANDROID = 0xd935, /* u2 alignment, zeros */
	EXTRA_ALIGN_COMMONS = 0xa11e, /* the same; bit 15 of the alignment is a flag */
	MADE_BY_UNIX_20 = 3 << 8 | 20,
	PAGE = 4096,
	CENTRAL_PIECE = 32 << 10,     /* bytes of the directory that are written at once */
	DOS_1980 = 1 << 21 | 1 << 16, /* 1980-01-01 00:00 */
};
static const uint32_t MODE_FILE = UINT32_C(0100644) << 16;

struct weave_zip_place {
	uint64_t at, packed, size;
	uint32_t crc;
	bool written, changed;
};

enum jw_status weave_sink_write(struct weave_sink *sink, struct jw_span s, struct jw_err *e)
{
	if (sink->file)
		JW_TRY(jw_out_write(sink->file, s, e));
	if (sink->memory) {
		jw_put_bytes(sink->memory, s);
		JW_TRY(jw_buf_finish(sink->memory, "archive", e));
	}
	sink->at += s.n;
	return JW_OK;
}

/* ---- open, close ---- */

enum jw_status weave_zip_out_open(struct weave_zip_out *out, const struct jw_zip *in,
				  struct weave_sink sink, struct jw_arena *arena, struct jw_err *e)
{
	*out = (struct weave_zip_out){ .in = in, .sink = sink };
	if (!in)
		return JW_OK;
	out->places = JW_NEW_ARRAY(arena, struct weave_zip_place, in->count + 1);
	if (!out->places)
		return jw_nomem(e);
	return weave_sink_write(&out->sink, jw_span_sub(in->bytes, 0, (size_t)in->start), e);
}

void weave_zip_out_close(struct weave_zip_out *out)
{
	jw_buf_free(&out->added);
	jw_buf_free(&out->scratch);
}

/* ---- local records ---- */

/* The header of RECORD, which jw_zip_data() has found whole. */
static struct jw_zip_local local_of(struct jw_span record)
{
	struct jw_cur c = jw_cur(record);
	struct jw_zip_local local;

	(void)jw_zip_take_local(&c, &local);
	return local;
}

/* Extra fields (APPNOTE 4.5) one by one: false at the end, or at bytes that are no field. */
struct field {
	uint16_t id;
	struct jw_span body, all;
};

static bool next_field(struct jw_cur *c, struct field *out)
{
	struct jw_cur at = *c;

	out->id = jw_cur_le2(&at);
	out->body = jw_cur_take(&at, jw_cur_le2(&at));
	if (!jw_cur_ok(&at))
		return false;
	out->all = jw_span_sub(c->s, c->pos, at.pos - c->pos);
	*c = at;
	return true;
}

/* EXTRA without its zip64 field; bytes after the last whole field stay. */
static void put_extra_without_zip64(struct jw_buf *out, struct jw_span extra)
{
	struct jw_cur c = jw_cur(extra);
	struct field field;

	while (next_field(&c, &field))
		if (field.id != JW_ZIP_EXTRA_ZIP64)
			jw_put_bytes(out, field.all);
	jw_put_bytes(out, jw_span_sub(extra, c.pos, extra.n));
}

/* Has EXTRA a zip64 field, and what is in it after its first SKIP bytes (the disk number)? */
static bool find_zip64(struct jw_span extra, size_t skip, struct jw_span *rest)
{
	struct jw_cur c = jw_cur(extra);
	struct field field;

	while (next_field(&c, &field)) {
		if (field.id != JW_ZIP_EXTRA_ZIP64)
			continue;
		*rest = jw_span_sub(field.body, skip, field.body.n);
		return true;
	}
	return false;
}

/* How the data after an extra field is aligned by padding inside it. */
struct padding {
	size_t alignment; /* 0: it is not */
	size_t at;        /* where the padding zeros begin in the extra field */
	bool field;       /* they are the end of an alignment field, whose length counts them */
	size_t field_at;  /* offset of that field */
};

/* zipalign appends bare zeros, often too few to be a field; others use a field made for it. */
static struct padding find_padding(struct jw_span extra, uint64_t data_at)
{
	struct jw_cur c = jw_cur(extra);
	struct field field;

	for (size_t at = 0; next_field(&c, &field); at = c.pos) {
		if ((field.id != EXTRA_ALIGN_ANDROID && field.id != EXTRA_ALIGN_COMMONS) ||
		    field.body.n < 2 || c.pos != extra.n)
			continue;
		struct jw_cur body = jw_cur(field.body);
		size_t alignment = jw_cur_le2(&body) & 0x7fff;
		if (alignment && data_at % alignment == 0)
			return (struct padding){ alignment, at + 6, true, at };
		return (struct padding){ 0 };
	}
	size_t zeros = extra.n;
	while (zeros > 0 && extra.p[zeros - 1] == 0)
		zeros--;
	/* the last bytes of a real field may be zeros too: cut only what is after all of them */
	c = jw_cur(extra);
	while (c.pos < zeros && next_field(&c, &field))
		;
	if (c.pos >= extra.n || c.pos < zeros)
		return (struct padding){ 0 };
	size_t alignment = data_at % PAGE == 0 ? PAGE : data_at % 4 == 0 ? 4 : 0;
	return (struct padding){ .alignment = alignment, .at = c.pos };
}

/* Puts EXTRA, padded so that what follows it is aligned. AT: where EXTRA begins in the output. */
static void put_aligned_extra(struct jw_buf *out, struct jw_span extra, const struct padding *pad,
			      uint64_t at)
{
	struct jw_span kept = jw_span_sub(extra, 0, pad->at);
	size_t zeros = (size_t)(pad->alignment - (at + kept.n) % pad->alignment) % pad->alignment;

	if (kept.n + zeros > UINT16_MAX) {
		jw_put_bytes(out, extra);
		return;
	}
	if (!pad->field) {
		jw_put_bytes(out, kept);
	} else {
		jw_put_bytes(out, jw_span_sub(kept, 0, pad->field_at + 2));
		jw_put_le2(out, 2 + zeros);
		jw_put_bytes(out, jw_span_sub(kept, pad->field_at + 4, 2));
	}
	jw_put_zeros(out, zeros);
}

/* The extra field of an entry whose data was at DATA_AT of the input, into out->scratch; it begins at
 * EXTRA_AT of the output. */
static void put_extra(struct weave_zip_out *out, struct jw_span extra, bool stored,
		      uint64_t data_at, uint64_t extra_at)
{
	struct padding pad = { 0 };

	if (stored && extra.n)
		pad = find_padding(extra, data_at);
	if (pad.alignment)
		put_aligned_extra(&out->scratch, extra, &pad, extra_at);
	else
		jw_put_bytes(&out->scratch, extra);
}

/* Empties out->scratch, which holds WHAT, into the output. */
static enum jw_status write_scratch(struct weave_zip_out *out, const char *what, struct jw_err *e)
{
	JW_TRY(jw_buf_finish(&out->scratch, what, e));
	JW_TRY(weave_sink_write(&out->sink, jw_buf_span(&out->scratch), e));
	jw_buf_clear(&out->scratch);
	return JW_OK;
}

/* Overwrites N little-endian bytes of B at OFFSET, which were written before. */
static void patch_le(struct jw_buf *b, size_t offset, uint64_t v, size_t n)
{
	if (b->failed != JW_OK || n > b->n || offset > b->n - n)
		return;
	for (size_t i = 0; i < n; i++, v >>= 8)
		b->p[offset + i] = (uint8_t)v;
}

/* FLAGS of an entry whose sizes are in its headers. */
static uint64_t without_descriptor(uint16_t flags)
{
	return (uint64_t)(flags & ~JW_ZIP_FLAG_DESCRIPTOR);
}

/* The record of ENTRY, which must not share bytes with those before it: one small record that a
 * thousand entries point at would become an output of any size. */
static enum jw_status take_record(struct weave_zip_out *out, const struct jw_zip_entry *entry,
				  struct jw_span *record, struct jw_err *e)
{
	const struct jw_zip *in = out->in;
	uint64_t directory = (uint64_t)(in->entries[0].central.p - in->bytes.p);

	JW_TRY(jw_zip_data(in, entry, NULL, record, e));
	if (entry->local < out->taken || entry->local + record->n > directory)
		return jw_fail(e, JW_INPUT,
			       "\"%.*s\": its data overlaps other parts of the archive",
			       (int)entry->name.n, (const char *)entry->name.p);
	out->taken = entry->local + record->n;
	return JW_OK;
}

enum jw_status weave_zip_copy(struct weave_zip_out *out, size_t index, struct jw_err *e)
{
	const struct jw_zip_entry *entry = &out->in->entries[index];
	struct weave_zip_place *place = &out->places[index];
	struct jw_span record;

	JW_TRY(take_record(out, entry, &record, e));
	*place = (struct weave_zip_place){ .at = out->sink.at, .written = true };
	struct jw_zip_local local = local_of(record);
	size_t header = JW_ZIP_LOCAL_BYTES + local.name.n, front = header + local.extra.n;
	if (entry->method != JW_ZIP_STORED || !local.extra.n)
		return weave_sink_write(&out->sink, record, e);
	jw_buf_clear(&out->scratch);
	jw_put_bytes(&out->scratch, jw_span_sub(record, 0, header));
	put_extra(out, local.extra, true, entry->local + front, place->at + header);
	patch_le(&out->scratch, JW_ZIP_LOCAL_EXTRA_LENGTH, out->scratch.n - header, 2);
	JW_TRY(write_scratch(out, "local header", e));
	return weave_sink_write(&out->sink, jw_span_sub(record, front, record.n), e);
}

static bool fits_zip32(const struct weave_zip_data *data)
{
	return data->packed.n < UINT32_MAX && data->size < UINT32_MAX;
}

/* The local header of ENTRY, whose RECORD is that of the input, for DATA, into out->scratch. */
static void put_changed_header(struct weave_zip_out *out, const struct jw_zip_entry *entry,
			       struct jw_span record, const struct weave_zip_data *data)
{
	struct jw_zip_local local = local_of(record);
	uint16_t flags = jw_span_le2(local.fixed, JW_ZIP_LOCAL_FLAGS);
	size_t header = JW_ZIP_LOCAL_BYTES + local.name.n;
	struct jw_buf *b = &out->scratch;
	struct jw_span zip64;

	jw_buf_clear(b);
	jw_put_bytes(b, jw_span_sub(record, 0, header));
	if (find_zip64(local.extra, 0, &zip64))
		put_extra_without_zip64(b, local.extra);
	else
		put_extra(out, local.extra, entry->method == JW_ZIP_STORED,
			  entry->local + header + local.extra.n, out->sink.at + header);
	patch_le(b, JW_ZIP_LOCAL_FLAGS, without_descriptor(flags), 2);
	patch_le(b, JW_ZIP_LOCAL_CRC, data->crc, 4);
	patch_le(b, JW_ZIP_LOCAL_PACKED, data->packed.n, 4);
	patch_le(b, JW_ZIP_LOCAL_SIZE, data->size, 4);
	patch_le(b, JW_ZIP_LOCAL_EXTRA_LENGTH, b->n - header, 2);
}

enum jw_status weave_zip_change(struct weave_zip_out *out, size_t index,
				const struct weave_zip_data *data, struct jw_err *e)
{
	const struct jw_zip_entry *entry = &out->in->entries[index];
	struct jw_span record;

	if (data->method != entry->method)
		return jw_bug(e, "a changed entry keeps its compression");
	if (!fits_zip32(data))
		return jw_fail(e, JW_LIMIT, "\"%.*s\": woven it would pass 4 GiB",
			       (int)entry->name.n, (const char *)entry->name.p);
	JW_TRY(take_record(out, entry, &record, e));
	out->places[index] = (struct weave_zip_place){
		.at = out->sink.at,
		.packed = data->packed.n,
		.size = data->size,
		.crc = data->crc,
		.written = true,
		.changed = true,
	};
	put_changed_header(out, entry, record, data);
	JW_TRY(write_scratch(out, "local header", e));
	return weave_sink_write(&out->sink, data->packed, e);
}

enum jw_status weave_zip_drop(struct weave_zip_out *out, size_t index, struct jw_err *e)
{
	struct jw_span record;

	out->places[index] = (struct weave_zip_place){ 0 };
	return take_record(out, &out->in->entries[index], &record, e);
}

enum jw_status weave_zip_again(struct weave_zip_out *out, size_t index, size_t before,
			       struct jw_err *e)
{
	if (out->in->entries[index].local != out->in->entries[before].local)
		return jw_bug(e, "two entries of one record are apart");
	out->places[index] = out->places[before];
	return JW_OK;
}

static bool is_ascii(struct jw_span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] >= 0x80)
			return false;
	return true;
}

/* The fields that both headers of an added entry share, from "version needed" to the name's length.
 */
static void put_common(struct jw_buf *b, struct jw_span name, const struct weave_zip_data *data,
		       uint32_t dos_time)
{
	jw_put_le2(b, 20); /* 2.0, for DEFLATE */
	jw_put_le2(b, is_ascii(name) ? 0 : JW_ZIP_FLAG_UTF8);
	jw_put_le2(b, data->method);
	jw_put_le4(b, dos_time);
	jw_put_le4(b, data->crc);
	jw_put_le4(b, data->packed.n);
	jw_put_le4(b, (size_t)data->size);
	jw_put_le2(b, name.n);
}

static void put_added_central(struct jw_buf *b, struct jw_span common, struct jw_span name,
			      uint64_t at)
{
	bool far = at >= UINT32_MAX;

	jw_put_le4(b, JW_ZIP_SIG_CENTRAL);
	jw_put_le2(b, MADE_BY_UNIX_20);
	jw_put_bytes(b, common);
	jw_put_le2(b, far ? 12 : 0);
	jw_put_zeros(b, 2 + 2 + 2); /* comment, disk, internal attributes */
	jw_put_le4(b, MODE_FILE);
	jw_put_le4(b, far ? UINT32_MAX : (size_t)at);
	jw_put_bytes(b, name);
	if (far) {
		jw_put_le2(b, JW_ZIP_EXTRA_ZIP64);
		jw_put_le2(b, 8);
		jw_put_le8(b, at);
	}
}

enum jw_status weave_zip_add(struct weave_zip_out *out, struct jw_span name,
			     const struct weave_zip_data *data, uint32_t dos_time, struct jw_err *e)
{
	struct jw_buf *b = &out->scratch;
	uint64_t base = out->in ? out->in->base : 0;

	if (!fits_zip32(data))
		return jw_fail(e, JW_LIMIT, "\"%.*s\" would pass 4 GiB", (int)name.n,
			       (const char *)name.p);
	jw_buf_clear(b);
	jw_put_le4(b, JW_ZIP_SIG_LOCAL);
	put_common(b, name, data, dos_time);
	struct jw_span common = jw_span_sub(jw_buf_span(b), 4, b->n);
	put_added_central(&out->added, common, name, out->sink.at - base);
	jw_put_le2(b, 0); /* no extra field */
	jw_put_bytes(b, name);
	out->added_count++;
	JW_TRY(write_scratch(out, "local header", e));
	return weave_sink_write(&out->sink, data->packed, e);
}

/* ---- the central directory ---- */

/* A central header, and which of its fields say that zip64 holds the value. */
struct central {
	struct jw_zip_central parts;
	bool size64, packed64, at64;
};

static struct central read_central(struct jw_span header)
{
	struct jw_cur c = jw_cur(header);
	struct central central;

	(void)jw_zip_take_central(&c, &central.parts); /* jw_zip_open() has found it whole */
	struct jw_span fixed = central.parts.fixed;
	central.packed64 = jw_span_le4(fixed, JW_ZIP_CENTRAL_PACKED) == UINT32_MAX;
	central.size64 = jw_span_le4(fixed, JW_ZIP_CENTRAL_SIZE) == UINT32_MAX;
	central.at64 = jw_span_le4(fixed, JW_ZIP_CENTRAL_LOCAL) == UINT32_MAX;
	return central;
}

/* Puts the zip64 field that the header in CENTRAL needs, and all others of EXTRA in their order. */
static void put_central_extra(struct jw_buf *b, const struct central *old,
			      const struct central *now, const struct weave_zip_place *place,
			      uint64_t at)
{
	size_t before = 8 * (size_t)(old->size64 + old->packed64 + old->at64);
	size_t values = 8 * (size_t)(now->size64 + now->packed64 + now->at64);
	struct jw_span rest = { 0 };
	struct jw_cur c = jw_cur(old->parts.extra);
	struct field field;

	bool had = find_zip64(old->parts.extra, before, &rest);
	if (values || (had && rest.n)) {
		/* first: readers that do not know it skip it, and padding stays last */
		jw_put_le2(b, JW_ZIP_EXTRA_ZIP64);
		jw_put_le2(b, values + rest.n);
		if (now->size64)
			jw_put_le8(b, place->size);
		if (now->packed64)
			jw_put_le8(b, place->packed);
		if (now->at64)
			jw_put_le8(b, at);
		jw_put_bytes(b, rest);
	}
	while (next_field(&c, &field))
		if (field.id != JW_ZIP_EXTRA_ZIP64)
			jw_put_bytes(b, field.all);
	jw_put_bytes(b, jw_span_sub(old->parts.extra, c.pos, old->parts.extra.n));
}

static void put_central(struct weave_zip_out *out, size_t index, struct jw_buf *b)
{
	const struct jw_zip_entry *entry = &out->in->entries[index];
	struct weave_zip_place place = out->places[index];
	uint64_t at = place.at - out->in->base;
	struct central old = read_central(entry->central), now = old;
	size_t start = b->n;

	if (!place.changed) {
		place.size = entry->size;
		place.packed = entry->packed;
		place.crc = entry->crc;
	} else {
		now.size64 = now.packed64 = false;
	}
	now.at64 = now.at64 || at >= UINT32_MAX;
	bool same = now.size64 == old.size64 && now.packed64 == old.packed64 && !now.at64;
	jw_put_bytes(b, old.parts.fixed);
	jw_put_bytes(b, old.parts.name);
	size_t extra_at = b->n;
	if (same)
		jw_put_bytes(b, old.parts.extra);
	else
		put_central_extra(b, &old, &now, &place, at);
	patch_le(b, start + JW_ZIP_CENTRAL_EXTRA_LENGTH, b->n - extra_at, 2);
	jw_put_bytes(b, old.parts.comment);
	patch_le(b, start + JW_ZIP_CENTRAL_LOCAL, now.at64 ? UINT32_MAX : at, 4);
	if (!place.changed)
		return;
	patch_le(b, start + JW_ZIP_CENTRAL_FLAGS, without_descriptor(entry->flags), 2);
	patch_le(b, start + JW_ZIP_CENTRAL_CRC, place.crc, 4);
	patch_le(b, start + JW_ZIP_CENTRAL_PACKED, place.packed, 4);
	patch_le(b, start + JW_ZIP_CENTRAL_SIZE, place.size, 4);
}

/* The end records. JDK readers take the zip64 offset in the locator as one in the file. */
static void put_ends(const struct weave_zip_out *out, struct jw_buf *b, uint64_t count, uint64_t at,
		     uint64_t size)
{
	uint64_t base = out->in ? out->in->base : 0, offset = at - base;
	struct jw_span comment = out->in ? out->in->comment : (struct jw_span){ 0 };
	bool zip64 = count >= UINT16_MAX || offset >= UINT32_MAX || size >= UINT32_MAX ||
		     (out->in && out->in->zip64);

	if (zip64) {
		jw_put_le4(b, JW_ZIP_SIG_END64);
		jw_put_le8(b, JW_ZIP_END64_BYTES - 12);
		jw_put_le2(b, 45);
		jw_put_le2(b, 45);
		jw_put_zeros(b, 4 + 4);
		jw_put_le8(b, count);
		jw_put_le8(b, count);
		jw_put_le8(b, size);
		jw_put_le8(b, offset);
		jw_put_le4(b, JW_ZIP_SIG_LOCATOR64);
		jw_put_zeros(b, 4);
		jw_put_le8(b, at + size);
		jw_put_le4(b, 1);
	}
	jw_put_le4(b, JW_ZIP_SIG_END);
	jw_put_zeros(b, 2 + 2);
	for (int twice = 0; twice < 2; twice++)
		jw_put_le2(b, count >= UINT16_MAX ? UINT16_MAX : (size_t)count);
	jw_put_le4(b, size >= UINT32_MAX ? UINT32_MAX : (size_t)size);
	jw_put_le4(b, offset >= UINT32_MAX ? UINT32_MAX : (size_t)offset);
	jw_put_le2(b, comment.n);
	jw_put_bytes(b, comment);
}

enum jw_status weave_zip_finish(struct weave_zip_out *out, struct jw_err *e)
{
	uint64_t at = out->sink.at, count = out->added_count;

	jw_buf_clear(&out->scratch);
	for (size_t i = 0; out->in && i < out->in->count; i++) {
		if (!out->places[i].written)
			continue;
		put_central(out, i, &out->scratch);
		if (out->scratch.n > CENTRAL_PIECE)
			JW_TRY(write_scratch(out, "central directory", e));
		count++;
	}
	JW_TRY(write_scratch(out, "central directory", e));
	JW_TRY(jw_buf_finish(&out->added, "central directory", e));
	JW_TRY(weave_sink_write(&out->sink, jw_buf_span(&out->added), e));
	put_ends(out, &out->scratch, count, at, out->sink.at - at);
	return write_scratch(out, "central directory", e);
}

/* ---- times, packing ---- */

/* Of a Unix time, in UTC; 1980 to 2107 is what the format can say. */
static uint32_t dos_time(long long seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;

	if (!gmtime_r(&t, &tm) || tm.tm_year < 80)
		return DOS_1980;
	if (tm.tm_year > 207)
		return UINT32_C(0xff9fbf7d);
	return (uint32_t)(tm.tm_year - 80) << 25 | (uint32_t)(tm.tm_mon + 1) << 21 |
	       (uint32_t)tm.tm_mday << 16 | (uint32_t)tm.tm_hour << 11 | (uint32_t)tm.tm_min << 5 |
	       (uint32_t)tm.tm_sec / 2;
}

uint32_t weave_zip_newest(const struct jw_zip *in)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	uint32_t newest = DOS_1980;
	char *end;

	if (epoch && *epoch) {
		long long seconds = strtoll(epoch, &end, 10);

		if (!*end)
			return dos_time(seconds);
	}
	for (size_t i = 0; in && i < in->count; i++) {
		uint32_t t = jw_span_le4(in->entries[i].central, JW_ZIP_CENTRAL_TIME);

		newest = t > newest ? t : newest;
	}
	return newest;
}

enum jw_status weave_zip_pack(struct libdeflate_compressor *deflater, struct jw_span data,
			      uint16_t method, struct jw_buf *packed, struct weave_zip_data *out,
			      struct jw_err *e)
{
	uint8_t none = 0;
	const uint8_t *from = data.n ? data.p : &none;

	*out = (struct weave_zip_data){ .packed = data, .size = data.n, .method = method };
	out->crc = libdeflate_crc32(0, from, data.n);
	if (method == JW_ZIP_STORED)
		return JW_OK;
	size_t room = libdeflate_deflate_compress_bound(deflater, data.n);
	jw_buf_clear(packed);
	jw_buf_reserve(packed, room);
	JW_TRY(jw_buf_finish(packed, "compressed entry", e));
	size_t n = libdeflate_deflate_compress(deflater, from, data.n, packed->p, packed->cap);
	if (n == 0)
		return jw_bug(e, "deflate has no room");
	packed->n = n;
	out->packed = jw_buf_span(packed);
	return JW_OK;
}
