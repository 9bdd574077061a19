/*
 * zip_reader.c: see zip_reader.h.
 *
 * What libzip is given is the archive alone, from where its offsets count to the end of its
 * directory, with an end record of our own. So it reads what the JDK reads also where it would open
 * another directory or none: bytes before the archive that its offsets do not count, bytes after
 * it, comments that hold an end record, a wrong count of entries or number of a disk. (x_libzip.c,
 * in the tests, shows it the end records that jweave writes.)
 */
#include "cli/zip_reader.h"

#include <assert.h>
#include <string.h>
#include <zip.h>

#include "base/zip_format.h"

#include "base/banned.h"

enum { PART_BYTES = 32 << 10 };

/* ---- what libzip says ---- */

static enum jw_status entry_fail(const struct cli_zip_entry *entry, enum jw_status status,
				 const char *what, struct jw_err *e)
{
	struct jw_span name = jw_span_sub(entry->header.name, 0, 400);

	return jw_fail(e, status, "\"%.*s\": %s", (int)name.n, (const char *)name.p, what);
}

/* Why ENTRY was not read. */
static enum jw_status read_fail(const struct cli_zip_entry *entry, zip_error_t *error,
				struct jw_err *e)
{
	static const struct {
		int code;
		const char *what;
	} known[] = {
		{ ZIP_ER_CRC, "is damaged: its checksum (CRC-32) is wrong" },
		{ ZIP_ER_ZLIB, "its compressed data is damaged" },
		{ ZIP_ER_COMPRESSED_DATA, "its compressed data is damaged" },
		{ ZIP_ER_EOF, "its data reaches past the end of the archive" },
		{ ZIP_ER_INCONS, "it does not unpack to the size that the directory says" },
	};
	int code = zip_error_code_zip(error);

	if (code == ZIP_ER_MEMORY)
		return jw_nomem(e);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].code == code)
			return entry_fail(entry, JW_INPUT, known[i].what, e);
	return entry_fail(entry, JW_INPUT, zip_error_strerror(error), e);
}

/* ---- opening ---- */

/* An end record for D: with one of zip64 before it where numbers need that. */
static void put_end(struct jw_buf *out, const struct cli_zip_directory *d)
{
	size_t offset = (size_t)(d->central.p - d->bytes.p) - d->base;
	uint64_t end = offset + d->central.n;
	bool wide = end > INT32_MAX || d->count >= UINT16_MAX;

	if (wide) {
		jw_put_le4(out, JW_ZIP_SIG_END64);
		jw_put_le8(out, JW_ZIP_END64_BYTES - 12);
		jw_put_le2(out, 45);
		jw_put_le2(out, 45);
		jw_put_zeros(out, 8);
		jw_put_le8(out, d->count);
		jw_put_le8(out, d->count);
		jw_put_le8(out, d->central.n);
		jw_put_le8(out, offset);
		jw_put_le4(out, JW_ZIP_SIG_LOCATOR64);
		jw_put_zeros(out, 4);
		jw_put_le8(out, end);
		jw_put_le4(out, 1);
	}
	jw_put_le4(out, JW_ZIP_SIG_END);
	jw_put_zeros(out, 4);
	jw_put_le2(out, wide ? UINT16_MAX : d->count);
	jw_put_le2(out, wide ? UINT16_MAX : d->count);
	jw_put_le4(out, wide ? UINT32_MAX : d->central.n);
	jw_put_le4(out, wide ? UINT32_MAX : offset);
	jw_put_zeros(out, 2);
}

static zip_buffer_fragment_t fragment(struct jw_span s)
{
	return (zip_buffer_fragment_t){ (zip_uint8_t *)s.p, s.n };
}

/* END follows the directory D. libzip copies no bytes of either. NULL: ERROR says why. */
static zip_t *open_with_end(const struct cli_zip_directory *d, struct jw_span end,
			    zip_error_t *error)
{
	size_t length = (size_t)(d->central.p - d->bytes.p) - d->base + d->central.n;
	zip_buffer_fragment_t parts[] = {
		fragment(jw_span_sub(d->bytes, d->base, length)),
		fragment(end),
	};
	bool empty = length == 0; /* libzip 1.7.3 reads wild memory where a part is empty */
	zip_source_t *source =
		zip_source_buffer_fragment_create(parts + empty, 2 - empty, 0, error);
	zip_t *libzip = source ? zip_open_from_source(source, ZIP_RDONLY, error) : NULL;

	if (source && !libzip)
		zip_source_free(source);
	return libzip;
}

static enum jw_status open_libzip(const struct cli_zip_directory *d, struct jw_arena *arena,
				  zip_t **out, struct jw_err *e)
{
	enum jw_status status = JW_OK;
	struct jw_buf end = { 0 };
	zip_error_t error;

	put_end(&end, d);
	const char *kept = jw_arena_str(arena, jw_buf_span(&end)); /* as long as the archive */
	size_t length = end.n;
	jw_buf_free(&end);
	if (!kept)
		return jw_nomem(e);
	zip_error_init(&error);
	*out = open_with_end(d, jw_span(kept, length), &error);
	if (!*out && zip_error_code_zip(&error) == ZIP_ER_MEMORY)
		status = jw_nomem(e);
	else if (!*out)
		status = jw_fail(e, JW_INPUT,
				 "libzip, which verify reads with, does not open it: %s (the JDK "
				 "may; see jweave-verify(1))",
				 zip_error_strerror(&error));
	zip_error_fini(&error);
	return status;
}

/* Entry I as libzip has read it, beside its header in OUT. */
static enum jw_status stat_entry(zip_t *libzip, size_t i, struct cli_zip_entry *out,
				 struct jw_err *e)
{
	zip_stat_t st;

	/* not by name: libzip shows 0 bytes as spaces, and names of extra fields */
	if (zip_stat_index(libzip, i, 0, &st) != 0 || st.crc != cli_zip_crc(&out->header))
		return jw_bug(e, "libzip finds another entry");
	out->packed = st.comp_size;
	out->size = st.size;
	out->crc = st.crc;
	out->method = st.comp_method;
	out->encrypted = st.encryption_method != ZIP_EM_NONE;
	return JW_OK;
}

static enum jw_status read_entries(struct cli_zip *zip, struct jw_arena *arena, struct jw_err *e)
{
	struct jw_cur c = jw_cur(zip->directory->central);

	zip->count = zip->directory->count;
	zip->entries = JW_NEW_ARRAY(arena, struct cli_zip_entry, zip->count + 1);
	if (!zip->entries)
		return jw_nomem(e);
	if (zip_get_num_entries(zip->libzip, 0) != (zip_int64_t)zip->count)
		return jw_bug(e, "libzip finds another number of entries");
	for (size_t i = 0; i < zip->count; i++) {
		struct cli_zip_entry *entry = &zip->entries[i];

		if (!cli_zip_next_header(&c, &entry->header))
			return jw_bug(e, "a directory has lost an entry");
		JW_TRY(stat_entry(zip->libzip, i, entry, e));
	}
	return JW_OK;
}

enum jw_status cli_zip_open(const struct cli_zip_directory *directory, struct jw_arena *arena,
			    struct cli_zip *out, struct jw_err *e)
{
	struct cli_zip zip = { .directory = directory };

	JW_TRY(open_libzip(directory, arena, &zip.libzip, e));
	enum jw_status status = read_entries(&zip, arena, e);
	if (status == JW_OK)
		*out = zip;
	else
		cli_zip_close(&zip);
	return status;
}

void cli_zip_close(struct cli_zip *zip)
{
	if (zip->libzip)
		zip_discard(zip->libzip);
	*zip = (struct cli_zip){ 0 };
}

/* ---- the data of entries ---- */

/* Begins to read entry I. */
static enum jw_status open_entry(const struct cli_zip *zip, size_t i, zip_flags_t flags,
				 zip_file_t **out, struct jw_err *e)
{
	const struct cli_zip_entry *entry = &zip->entries[i];

	struct jw_err why = { 0 };

	if (cli_zip_check_local(zip->directory, &entry->header, &why) != JW_OK)
		return entry_fail(entry, JW_INPUT, why.text, e);
	*out = zip_fopen_index(zip->libzip, i, flags);
	return *out ? JW_OK : read_fail(entry, zip_get_error(zip->libzip), e);
}

/* The next bytes of FILE: N, or fewer at its end. */
static enum jw_status read_part(const struct cli_zip_entry *entry, zip_file_t *file, uint8_t *to,
				size_t n, size_t *got, struct jw_err *e)
{
	*got = 0;
	while (*got < n) {
		zip_int64_t part = zip_fread(file, to + *got, n - *got);

		if (part < 0)
			return read_fail(entry, zip_file_get_error(file), e);
		if (part == 0)
			break;
		*got += (size_t)part;
	}
	return JW_OK;
}

/* The next N packed bytes. Reads no further: at the end of a STORED entry libzip would judge its
 * checksum, which no JVM does. */
static enum jw_status read_packed(const struct cli_zip_entry *entry, zip_file_t *file, uint8_t *to,
				  size_t n, struct jw_err *e)
{
	size_t got;

	JW_TRY(read_part(entry, file, to, n, &got, e));
	return got == n ? JW_OK
			: entry_fail(entry, JW_INPUT,
				     "its data reaches past the end of the archive", e);
}

struct reading {
	const struct cli_zip *zip;
	const struct cli_zip_entry *entry;
	zip_file_t *file;
};

/* A and B, of the same packed size, to their ends or to where they differ. */
static enum jw_status same_parts(struct reading *a, struct reading *b, bool *same,
				 const struct cli_zip **failed, struct jw_err *e)
{
	uint8_t x[PART_BYTES], y[PART_BYTES];
	size_t n;

	*same = true;
	for (uint64_t left = a->entry->packed; *same && left > 0; left -= n) {
		n = left < PART_BYTES ? (size_t)left : PART_BYTES;
		*failed = a->zip;
		JW_TRY(read_packed(a->entry, a->file, x, n, e));
		*failed = b->zip;
		JW_TRY(read_packed(b->entry, b->file, y, n, e));
		*same = memcmp(x, y, n) == 0;
	}
	return JW_OK;
}

enum jw_status cli_zip_same_data(const struct cli_zip *a, size_t i, const struct cli_zip *b,
				 size_t j, bool *same, const struct cli_zip **failed,
				 struct jw_err *e)
{
	struct reading of_a = { a, &a->entries[i], NULL }, of_b = { b, &b->entries[j], NULL };

	assert(of_a.entry->packed == of_b.entry->packed);
	*failed = a;
	enum jw_status status = open_entry(a, i, ZIP_FL_ENCRYPTED, &of_a.file, e);
	if (status == JW_OK) {
		*failed = b;
		status = open_entry(b, j, ZIP_FL_ENCRYPTED, &of_b.file, e);
	}
	if (status == JW_OK)
		status = same_parts(&of_a, &of_b, same, failed, e);
	if (of_a.file)
		zip_fclose(of_a.file);
	if (of_b.file)
		zip_fclose(of_b.file);
	return status;
}

/* ENTRY, which FILE reads, into the memory of OUT, which has room for it and one byte more. */
static enum jw_status unpack_to(const struct cli_zip_entry *entry, zip_file_t *file,
				struct jw_buf *out, struct jw_err *e)
{
	size_t got;

	JW_TRY(read_part(entry, file, out->p, (size_t)entry->size + 1, &got, e));
	if (got != entry->size)
		return entry_fail(entry, JW_INPUT,
				  "it does not unpack to the size that the directory says", e);
	out->n = got;
	return JW_OK;
}

enum jw_status cli_zip_unpack(const struct cli_zip *zip, size_t i,
			      const struct jw_zip_limits *limits, struct jw_buf *out,
			      struct jw_err *e)
{
	const struct cli_zip_entry *entry = &zip->entries[i];
	const struct jw_zip_entry sizes = { .name = entry->header.name,
					    .packed = entry->packed,
					    .size = entry->size };
	zip_file_t *file;

	if (entry->encrypted)
		return entry_fail(entry, JW_INPUT,
				  "is encrypted: no JVM reads it; pack it without a password", e);
	if (entry->method != JW_ZIP_STORED && entry->method != JW_ZIP_DEFLATED)
		return entry_fail(entry, JW_UNSUPPORTED,
				  "its compression is neither STORED nor DEFLATED", e);
	JW_TRY(jw_zip_check_limits(&sizes, limits, e));
	if (entry->method == JW_ZIP_STORED && entry->size != entry->packed)
		return entry_fail(entry, JW_INPUT, "is STORED, but its two sizes differ", e);
	jw_buf_clear(out);
	jw_buf_reserve(out, (size_t)entry->size + 1);
	if (jw_buf_finish(out, "entry", e) != JW_OK)
		return entry_fail(entry, out->failed, "does not fit in memory", e);
	JW_TRY(open_entry(zip, i, 0, &file, e));
	enum jw_status status = unpack_to(entry, file, out, e);
	zip_fclose(file);
	return status;
}
