/*
 * zip_out.h: writes an archive like another one, and keeps all of it that is not meant to change.
 *
 * Why not libzip: its 1.7.3 drops bytes before the archive (or refuses the archive), rewrites the
 * data-descriptor flags of entries that it copies, unaligns STORED entries, and dates replaced
 * entries today. One writer for every archive is simpler than two ways of writing; libzip judges
 * it in the tests, as unzip and the JDK do.
 *
 * Order of calls: open, then for each entry of the input in the order of its local record one of
 * copy, change, drop, again; then any number of adds; then finish. The central directory keeps the
 * order that it had. What is copied is copied bit for bit, header, data and descriptor. Records
 * that share bytes are an error (JW_INPUT) at the second of them, whatever becomes of it. A changed
 * entry keeps its name, method, times, modes, comment and extra fields; its sizes and CRC are in
 * the local header, so it needs no data descriptor.
 *
 * Alignment: a STORED entry whose local header was padded so that its data is at a multiple of 4
 * or of a page (zipalign; alignment extra fields) has its padding adjusted, so that it still does.
 */
#ifndef JW_WEAVER_ZIP_OUT_H
#define JW_WEAVER_ZIP_OUT_H

#include "base/bytes.h"
#include "base/memory.h"
#include "base/out_file.h"
#include "base/status.h"
#include "base/zip.h"

/* Where bytes go: a file, memory, or (both NULL) nowhere, counted only. */
struct weave_sink {
	struct jw_out *file;
	struct jw_buf *memory;
	uint64_t at; /* bytes written */
};
enum jw_status JW_MUST_USE weave_sink_write(struct weave_sink *sink, struct jw_span s,
					    struct jw_err *e);

struct weave_zip_place; /* what became of one entry of the input */

struct weave_zip_out {
	const struct jw_zip *in; /* NULL: an archive from nothing */
	struct weave_sink sink;
	struct weave_zip_place *places; /* by index of the input's entries */
	uint64_t taken;                 /* bytes of the input: records before here were */
	struct jw_buf added;            /* central headers of added entries */
	struct jw_buf scratch;
	uint64_t added_count;
};

/* Data that replaces that of an entry. */
struct weave_zip_data {
	struct jw_span packed; /* in the form of the method */
	uint64_t size;         /* unpacked */
	uint32_t crc;          /* of the unpacked bytes */
	uint16_t method; /* JW_ZIP_STORED or JW_ZIP_DEFLATED; for change(): that of the entry */
};

/* Starts an archive like IN (its bytes before the first entry are written now), or from nothing
 * when IN is NULL. Call weave_zip_out_close() at the end, whatever happened. */
enum jw_status JW_MUST_USE weave_zip_out_open(struct weave_zip_out *out, const struct jw_zip *in,
					      struct weave_sink sink, struct jw_arena *arena,
					      struct jw_err *e);
void weave_zip_out_close(struct weave_zip_out *out);

enum jw_status JW_MUST_USE weave_zip_copy(struct weave_zip_out *out, size_t index,
					  struct jw_err *e);
enum jw_status JW_MUST_USE weave_zip_change(struct weave_zip_out *out, size_t index,
					    const struct weave_zip_data *data, struct jw_err *e);
enum jw_status JW_MUST_USE weave_zip_drop(struct weave_zip_out *out, size_t index,
					  struct jw_err *e);
/* Entry INDEX has the record of entry BEFORE, the last one handled: it becomes what that became,
 * and nothing is written. */
enum jw_status JW_MUST_USE weave_zip_again(struct weave_zip_out *out, size_t index, size_t before,
					   struct jw_err *e);

/* Appends an entry of DOS_TIME (date << 16 | time), an ordinary file of mode 0644. */
enum jw_status JW_MUST_USE weave_zip_add(struct weave_zip_out *out, struct jw_span name,
					 const struct weave_zip_data *data, uint32_t dos_time,
					 struct jw_err *e);

/* Writes the central directory, the end records and the comment. */
enum jw_status JW_MUST_USE weave_zip_finish(struct weave_zip_out *out, struct jw_err *e);

/* The newest time of an entry of IN (date << 16 | time); of the environment's SOURCE_DATE_EPOCH
 * when that is set; 1980-01-01 when there is neither. What is added to an archive gets it. */
uint32_t weave_zip_newest(const struct jw_zip *in);

/* Deflates DATA at LEVEL (1..12) into PACKED (emptied first), or stores it when METHOD says so, and
 * fills OUT. DEFLATER is a struct libdeflate_compressor of that level. */
struct libdeflate_compressor;
enum jw_status JW_MUST_USE weave_zip_pack(struct libdeflate_compressor *deflater,
					  struct jw_span data, uint16_t method,
					  struct jw_buf *packed, struct weave_zip_data *out,
					  struct jw_err *e);

#endif
