/*
 * zip_directory.c: see zip_directory.h. Numbers of sections are those of PKWARE's APPNOTE.TXT.
 */
#include "cli/zip_directory.h"

#include "base/zip_format.h"

#include "base/banned.h"

/* Where fields of a central header are (4.3.12). */
enum {
	METHOD = 10,
	TIME_AND_DATE = 12,
	CRC = 16,
	NAME_LENGTH = 28,
	ATTRIBUTES = 38,
	LOCAL_OFFSET = 42
};

/* What an end record (4.3.16), or the zip64 one before it (4.3.14), says. */
struct end_record {
	size_t at;
	uint64_t size, offset; /* of the central directory */
};

static uint32_t le4_at(struct jw_span bytes, uint64_t at)
{
	struct jw_cur c = jw_cur(jw_span_sub(bytes, at, 4));

	return jw_cur_le4(&c);
}

/* A zip64 end record before END takes its place, unless the two contradict each other. */
static void read_zip64_end(struct jw_span bytes, struct end_record *end)
{
	enum { LENGTHS = JW_ZIP_END64_BYTES + JW_ZIP_LOCATOR64_BYTES };
	size_t locator = end->at - JW_ZIP_LOCATOR64_BYTES;

	if (end->at < LENGTHS || le4_at(bytes, locator) != JW_ZIP_SIG_LOCATOR64)
		return;
	struct jw_cur c = jw_cur(jw_span_sub(bytes, locator + 8, 8));
	uint64_t at = jw_cur_le8(&c);
	/* bytes before the archive that its offsets do not count move the record */
	if (at > end->at - LENGTHS || le4_at(bytes, at) != JW_ZIP_SIG_END64)
		at = end->at - LENGTHS;
	c = jw_cur(jw_span_sub(bytes, at, JW_ZIP_END64_BYTES));
	if (jw_cur_le4(&c) != JW_ZIP_SIG_END64)
		return;
	jw_cur_skip(&c, JW_ZIP_END64_BYTES - 4 - 16);
	uint64_t size = jw_cur_le8(&c), offset = jw_cur_le8(&c);
	if ((size != end->size && end->size != UINT32_MAX) ||
	    (offset != end->offset && end->offset != UINT32_MAX))
		return;
	*end = (struct end_record){ (size_t)at, size, offset };
}

/* Is there an end record at AT? One that bytes follow is believed when a directory is before it. */
static bool read_end(struct jw_span bytes, size_t at, struct end_record *out)
{
	struct jw_cur c = jw_cur(jw_span_sub(bytes, at, SIZE_MAX));
	struct end_record end = { .at = at };

	if (jw_cur_le4(&c) != JW_ZIP_SIG_END)
		return false;
	jw_cur_skip(&c, 2 + 2 + 2 + 2);
	end.size = jw_cur_le4(&c);
	end.offset = jw_cur_le4(&c);
	size_t comment = jw_cur_le2(&c);
	if (!jw_cur_ok(&c))
		return false;
	bool last = comment == jw_cur_left(&c);
	read_zip64_end(bytes, &end);
	bool fits = end.size <= end.at && end.offset <= end.at - end.size;
	if (!last && (!fits || le4_at(bytes, end.at - end.size) != JW_ZIP_SIG_CENTRAL ||
		      le4_at(bytes, end.at - end.size - end.offset) != JW_ZIP_SIG_LOCAL))
		return false;
	*out = end;
	return true;
}

/* The last one that holds together, as the JDK looks for it. */
static bool find_end(struct jw_span bytes, struct end_record *out)
{
	size_t most = JW_ZIP_END_BYTES + UINT16_MAX;
	size_t lowest = bytes.n > most ? bytes.n - most : 0;

	for (size_t at = bytes.n; at-- > lowest;)
		if (bytes.p[at] == 'P' && read_end(bytes, at, out))
			return true;
	return false;
}

bool cli_zip_next_header(struct jw_cur *c, struct cli_zip_header *out)
{
	struct cli_zip_header header = { .fixed = jw_cur_take(c, JW_ZIP_CENTRAL_BYTES) };
	struct jw_cur lengths = jw_cur(jw_span_sub(header.fixed, NAME_LENGTH, 6));
	size_t name = jw_cur_le2(&lengths), extra = jw_cur_le2(&lengths),
	       comment = jw_cur_le2(&lengths);

	header.name = jw_cur_take(c, name);
	jw_cur_skip(c, extra + comment);
	*out = header;
	return jw_cur_ok(c) && le4_at(header.fixed, 0) == JW_ZIP_SIG_CENTRAL;
}

static bool same_part(const struct cli_zip_header *a, const struct cli_zip_header *b, size_t offset)
{
	return jw_span_eq(jw_span_sub(a->fixed, offset, 4), jw_span_sub(b->fixed, offset, 4));
}

bool cli_zip_same_metadata(const struct cli_zip_header *a, const struct cli_zip_header *b)
{
	return same_part(a, b, TIME_AND_DATE) && same_part(a, b, ATTRIBUTES);
}

static enum jw_status count_headers(struct cli_zip_directory *directory, struct jw_err *e)
{
	struct jw_cur c = jw_cur(directory->central);
	struct cli_zip_header header;

	for (size_t at = 0; jw_cur_left(&c) > 0; at = c.pos, directory->count++)
		if (!cli_zip_next_header(&c, &header))
			return jw_fail(e, JW_INPUT,
				       "damaged central directory: no entry at byte %zu of it", at);
	return JW_OK;
}

enum jw_status cli_zip_find_directory(struct jw_span bytes, struct cli_zip_directory *out,
				      struct jw_err *e)
{
	struct end_record end = { 0 };

	if (bytes.n == 0)
		return jw_fail(e, JW_INPUT, "is empty: not a zip archive");
	if (!find_end(bytes, &end))
		return jw_fail(e, JW_INPUT, "%s",
			       le4_at(bytes, 0) == JW_ZIP_SIG_LOCAL
				       ? "the archive is cut: it begins like one, but its end "
					 "record is missing (fetch or build it again)"
				       : "not a zip archive");
	if (end.size > end.at)
		return jw_fail(e, JW_INPUT,
			       "damaged archive: a central directory of %llu bytes does not fit "
			       "before its end record at %zu",
			       (unsigned long long)end.size, end.at);
	size_t at = end.at - (size_t)end.size;
	if (end.offset > at)
		return jw_fail(e, JW_INPUT,
			       "damaged archive: the central directory is at %zu, its end record "
			       "says %llu",
			       at, (unsigned long long)end.offset);
	struct cli_zip_directory directory = { .bytes = bytes,
					       .base = at - (size_t)end.offset,
					       .central = jw_span_sub(bytes, at, end.size) };
	JW_TRY(count_headers(&directory, e));
	*out = directory;
	return JW_OK;
}

uint32_t cli_zip_crc(const struct cli_zip_header *header)
{
	return le4_at(header->fixed, CRC);
}

enum jw_status cli_zip_check_local(const struct cli_zip_directory *directory,
				   const struct cli_zip_header *header, struct jw_err *e)
{
	struct jw_cur method = jw_cur(jw_span_sub(header->fixed, METHOD, 2));
	uint64_t offset = le4_at(header->fixed, LOCAL_OFFSET);

	if (offset == UINT32_MAX)
		return JW_OK; /* of zip64: libzip finds it */
	struct jw_cur c = jw_cur(jw_span_sub(directory->bytes, directory->base + offset, 10));
	if (jw_cur_le4(&c) != JW_ZIP_SIG_LOCAL)
		return jw_fail(e, JW_INPUT, "there is no local header where it should be");
	jw_cur_skip(&c, 2 + 2);
	if (jw_cur_le2(&c) != jw_cur_le2(&method))
		return jw_fail(e, JW_INPUT,
			       "its local header names another compression than the directory");
	return JW_OK;
}
