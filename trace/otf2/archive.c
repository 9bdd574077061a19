/*
 * archive.c: see archive.h.
 */
#include "trace/otf2/archive.h"

#include "base/memory.h"

#include "base/banned.h"

#define EVENTS_CHUNK ((uint64_t)1 << 20)
/* Holds the longest record: a text, or a group of all threads. The library clears a chunk for each thread. */
#define NAMES_CHUNK  ((uint64_t)512 << 10)
#define MEMBER_BYTES 10 /* of that group */

static bool is_no_memory(OTF2_ErrorCode code)
{
	return code == OTF2_ERROR_MEM_FAULT || code == OTF2_ERROR_MEM_ALLOC_FAILED ||
	       code == OTF2_ERROR_ENOMEM;
}

static OTF2_ErrorCode failed(void *ctx, const char *file, uint64_t line, const char *function,
			     OTF2_ErrorCode code, const char *format, va_list list)
{
	struct trace_otf2_archive *a = ctx;

	(void)file, (void)line, (void)format, (void)list;
	if (a->why.status != JW_OK)
		return code;
	if (is_no_memory(code))
		(void)jw_nomem(&a->why);
	else
		jw_fail(&a->why, JW_IO, "cannot write '%s': %s (says %s of libotf2)", a->name,
			OTF2_Error_GetDescription(code), function);
	return code;
}

/* ---- memory: a chunk for each writer, which goes to its file when it is full ---- */

static OTF2_FlushType flush(void *ctx, OTF2_FileType type, OTF2_LocationRef location, void *caller,
			    bool final)
{
	(void)ctx, (void)type, (void)location, (void)caller, (void) final;
	return OTF2_FLUSH;
}

static void *allocate(void *ctx, OTF2_FileType type, OTF2_LocationRef location, void **chunk,
		      uint64_t size)
{
	(void)ctx, (void)type, (void)location;
	if (*chunk)
		return NULL;
	*chunk = jw_mem_alloc(size);
	return *chunk;
}

static void free_all(void *ctx, OTF2_FileType type, OTF2_LocationRef location, void **chunk,
		     bool final)
{
	(void)ctx, (void)type, (void)location, (void) final;
	jw_mem_free(*chunk);
	*chunk = NULL;
}

/* ---- from open to close ---- */

enum jw_status trace_otf2_open(struct trace_otf2_archive *a, const struct trace_otf2 *w,
			       struct jw_err *e)
{
	static const OTF2_FlushCallbacks flushing = { flush, NULL };
	static const OTF2_MemoryCallbacks memory = { allocate, free_all };
	uint64_t names = NAMES_CHUNK + MEMBER_BYTES * (uint64_t)w->scene->thread_count;

	*a = (struct trace_otf2_archive){ .name = w->to->spill };
	a->events = jw_mem_zalloc((size_t)w->scene->thread_count + 1, sizeof(*a->events));
	if (!a->events)
		return jw_nomem(e);
	a->before = OTF2_Error_RegisterCallback(failed, a);
	a->archive = OTF2_Archive_Open(w->to->path, "traces", OTF2_FILEMODE_WRITE, EVENTS_CHUNK,
				       names, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
	if (a->archive) {
		OTF2_Archive_SetFlushCallbacks(a->archive, &flushing, NULL);
		OTF2_Archive_SetMemoryCallbacks(a->archive, &memory, NULL);
		OTF2_Archive_SetSerialCollectiveCallbacks(a->archive);
		OTF2_Archive_SetCreator(a->archive, "jweave " JW_VERSION);
	} else if (trace_otf2_is_well(a)) {
		(void)jw_nomem(&a->why);
	}
	return a->why.status;
}

enum jw_status trace_otf2_close(struct trace_otf2_archive *a, enum jw_status status,
				struct jw_err *e)
{
	bool own = status != JW_OK && trace_otf2_is_well(a); /* the failure is not libotf2's */

	if (a->archive)
		OTF2_Archive_Close(a->archive);
	OTF2_Error_RegisterCallback(a->before, NULL);
	jw_mem_free(a->events);
	if (own || trace_otf2_is_well(a))
		return status;
	if (e)
		*e = a->why;
	return a->why.status;
}

enum jw_status trace_otf2_write(struct trace_otf2 *w, const struct trace_names *names,
				struct jw_err *e)
{
	struct trace_otf2_archive a;
	enum jw_status status = trace_otf2_open(&a, w, e);

	if (status == JW_OK)
		status = trace_otf2_write_events(&a, w, e);
	if (status == JW_OK)
		status = trace_otf2_define(&a, w, names, e);
	return trace_otf2_close(&a, status, e);
}
