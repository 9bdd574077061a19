/*
 * spool.c: lists of numbers that grow side by side, longer than memory should hold.
 *
 *     block   u64 the next block of the same list, then numbers in LEB128, which may go on in it
 *
 * A list fills a tail of its own; a full one becomes a block. The first blocks stay in memory, the
 * others go to one file without a name in the folder of the output, made when it is needed and gone
 * with the process. A block is written with the number of the one that will follow it, so that a
 * list is read front to back without an index.
 */
#define _GNU_SOURCE /* O_TMPFILE; NOLINT(bugprone-reserved-identifier) */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "trace/reader/reader.h"
#include "trace/replay/spool.h"

#include "base/banned.h"

#define LINK         sizeof(uint64_t)
#define LEB128       10 /* bytes, at most */
#define FIRST_TAIL   64
#define IN_MEMORY    ((size_t)8 << 20)
#define SIDE_BY_SIDE ((size_t)8 << 20) /* of all lists: their tails, and what is read of them */
#define LEAST_BLOCK  128

/* The folder of the output, else that for temporary files. */
static struct jw_span folder_of(const char *base)
{
	const char *slash = strrchr(base, '/');

	if (slash)
		return jw_span(base, slash == base ? 1 : (size_t)(slash - base));
	if (*base)
		return JW_SPAN_LIT(".");
	return jw_span_str(jw_temp_folder());
}

enum jw_status trace_spool_open(struct trace_spool *spool, const char *base, size_t in_memory,
				struct jw_err *e)
{
	struct jw_buf folder = { 0 };

	jw_put_bytes(&folder, folder_of(base));
	jw_put_u1(&folder, 0);
	*spool = (struct trace_spool){
		.block = TRACE_SPOOL_BLOCK,
		.memory = (in_memory ? in_memory : IN_MEMORY) / TRACE_SPOOL_BLOCK,
		.fd = -1,
	};
	spool->folder = (char *)folder.p;
	return jw_buf_finish(&folder, "name of a folder", e);
}

void trace_spool_share(struct trace_spool *spool, size_t lists)
{
	uint64_t memory = spool->memory * spool->block;

	while (spool->block > LEAST_BLOCK && 2 * spool->block * lists > SIDE_BY_SIDE)
		spool->block /= 2;
	spool->memory = memory / spool->block;
}

void trace_spool_close(struct trace_spool *spool)
{
	for (uint64_t i = 0; spool->blocks && i < spool->room; i++)
		jw_mem_free(spool->blocks[i]);
	jw_mem_free(spool->blocks);
	if (spool->folder && spool->fd >= 0)
		close(spool->fd);
	jw_mem_free(spool->folder);
	*spool = (struct trace_spool){ .fd = -1 };
}

enum jw_status trace_spool_status(const struct trace_spool *spool, struct jw_err *e)
{
	if (spool->status == JW_IO)
		return jw_fail_errno(e, spool->error, "cannot keep what has to wait in '%s'",
				     spool->folder);
	return spool->status == JW_OK ? JW_OK : jw_nomem(e);
}

static void fail(struct trace_spool *spool, enum jw_status status, int error)
{
	if (spool->status != JW_OK)
		return;
	spool->status = status;
	spool->error = error;
}

/* A file that has no name, at the latest when this returns. */
static int open_nameless(const char *folder)
{
	struct jw_buf path = { 0 };
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	jw_put_fmt(&path, "%s/.jweave-XXXXXX", folder);
	jw_put_u1(&path, 0);
	if (path.failed == JW_OK) {
		fd = mkostemp((char *)path.p, O_CLOEXEC);
		if (fd >= 0)
			unlink((const char *)path.p);
	}
	int error = errno;

	jw_buf_free(&path);
	errno = error;
	return fd;
}

/* ---- writing ---- */

static void keep_in_file(struct trace_spool *spool, uint64_t number, const uint8_t *block)
{
	if (spool->fd < 0)
		spool->fd = open_nameless(spool->folder);
	if (spool->fd < 0 || !jw_write_all_at(spool->fd, block, spool->block,
					      (number - spool->memory) * spool->block))
		fail(spool, JW_IO, errno);
}

/* Takes BLOCK over. */
static void keep_in_memory(struct trace_spool *spool, uint64_t number, uint8_t *block)
{
	while (spool->room <= number) {
		size_t cap = spool->room;
		uint8_t **grown = trace_grow(spool->blocks, cap, &cap, sizeof(*grown));

		if (!grown) {
			jw_mem_free(block);
			fail(spool, JW_NOMEM, 0);
			return;
		}
		memset(grown + spool->room, 0, (cap - spool->room) * sizeof(*grown));
		spool->blocks = grown;
		spool->room = cap;
	}
	spool->blocks[number] = block;
}

/* The tail is full: it becomes the block whose number the one before it has said. */
static void flush(struct trace_spool *spool, struct trace_list *list)
{
	if (list->block_count++ == 0)
		list->first = list->next = spool->count++;
	uint64_t number = list->next;

	assert(list->tail); /* a list without one has at most LINK bytes */
	list->next = spool->count++;
	memcpy(list->tail, &list->next, LINK);
	if (number < spool->memory) {
		keep_in_memory(spool, number, list->tail);
		list->tail = NULL;
		list->cap = 0;
	} else {
		keep_in_file(spool, number, list->tail);
	}
	list->n = LINK;
}

static bool grow_tail(struct trace_spool *spool, struct trace_list *list)
{
	uint32_t cap = list->cap ? list->cap * 2 : FIRST_TAIL;

	if (list->block_count)
		cap = spool->block;
	uint8_t *grown = jw_mem_realloc(list->tail, cap);

	if (!grown) {
		fail(spool, JW_NOMEM, 0);
		return false;
	}
	list->n = list->n ? list->n : LINK;
	list->tail = grown;
	list->cap = cap;
	return true;
}

static void put_byte(struct trace_spool *spool, struct trace_list *list, uint8_t byte)
{
	if (list->n == spool->block)
		flush(spool, list);
	if (spool->status != JW_OK || (list->n >= list->cap && !grow_tail(spool, list)))
		return;
	list->tail[list->n++] = byte;
}

void trace_list_put(struct trace_spool *spool, struct trace_list *list, uint64_t number)
{
	bool fits = list->cap >= list->n + LEB128; /* in the tail, as it is */

	for (; number >= 0x80; number >>= 7) {
		if (fits)
			list->tail[list->n++] = (uint8_t)((number & 0x7f) | 0x80);
		else
			put_byte(spool, list, (uint8_t)((number & 0x7f) | 0x80));
	}
	put_byte(spool, list, (uint8_t)number);
}

void trace_list_free(struct trace_list *list)
{
	jw_mem_free(list->tail);
	*list = (struct trace_list){ 0 };
}

/* ---- reading ---- */

/* What follows block NUMBER's link, in memory or read into a buffer of the reader. */
static const uint8_t *load(struct trace_spool *spool, struct trace_list_at *at, uint64_t number)
{
	if (number < spool->memory)
		return spool->blocks[number];
	if (!at->buf)
		at->buf = jw_mem_alloc(spool->block);
	if (!at->buf) {
		fail(spool, JW_NOMEM, 0);
		return NULL;
	}
	errno = EIO;
	if (jw_read_at(spool->fd, at->buf, spool->block, (number - spool->memory) * spool->block) ==
	    spool->block)
		return at->buf;
	fail(spool, JW_IO, errno);
	return NULL;
}

static bool next_block(struct trace_spool *spool, const struct trace_list *list,
		       struct trace_list_at *at)
{
	if (spool->status != JW_OK || at->done > list->block_count)
		return false;
	if (at->done == list->block_count) { /* what has not become a block */
		at->p = list->tail;
		at->n = list->n;
	} else {
		at->p = load(spool, at, at->done ? at->next : list->first);
		at->n = spool->block;
		if (!at->p)
			return false;
		memcpy(&at->next, at->p, LINK);
	}
	at->done++;
	at->at = LINK;
	return true;
}

bool trace_list_get(struct trace_spool *spool, const struct trace_list *list,
		    struct trace_list_at *at, uint64_t *number)
{
	uint64_t v = 0;
	uint8_t byte = 0x80;

	for (unsigned shift = 0; (byte & 0x80) && shift < 64; shift += 7) {
		while (at->at >= at->n)
			if (!next_block(spool, list, at))
				return false;
		byte = at->p[at->at++];
		v |= (uint64_t)(byte & 0x7f) << shift;
	}
	*number = v;
	return true;
}

void trace_list_end(struct trace_list_at *at)
{
	jw_mem_free(at->buf);
	*at = (struct trace_list_at){ 0 };
}
