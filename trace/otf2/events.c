/*
 * events.c: events of one thread after another, from the spool by libotf2.
 *
 * The spool has what will be (later.h) where it became known.
 */
#include "base/grow.h"
#include "trace/otf2/archive.h"
#include "trace/replay/later.h"

#include "base/banned.h"

static const struct jw_growth grow = { NULL, 0, 0 };

#define COMM    0 /* ORDER: definitions.c */
#define THREADS 1
#define FAILED  0

enum later { STATE_ENDS, ARRIVES };

struct writing {
	struct trace_otf2_archive *a;
	OTF2_EvtWriter *writer;
	OTF2_AttributeList *failed; /* owned; of calls that an exception ends */
	uint64_t at;
	struct {
		OTF2_RegionRef *at; /* owned; calls that are open */
		size_t n, room;
	} open;
	struct trace_later later;
};

/* ---- events ---- */

static void put_metric(struct writing *x, OTF2_MetricRef metric, uint64_t value)
{
	const OTF2_Type type = OTF2_TYPE_UINT64;
	const OTF2_MetricValue is = { .unsigned_int = value };

	OTF2_EvtWriter_Metric(x->writer, NULL, x->at, metric, 1, &type, &is);
}

/* A: the tag, with bytes, B: the number of the thread that it starts or joins, C: who sent it. */
static void put_arrival(struct writing *x, const struct trace_later_one *one)
{
	if (one->b && one->a == TRACE_OTF2_TAG_START)
		OTF2_EvtWriter_ThreadBegin(x->writer, NULL, x->at, THREADS, one->b);
	if (one->b && one->a == TRACE_OTF2_TAG_JOIN)
		OTF2_EvtWriter_ThreadWait(x->writer, NULL, x->at, THREADS, one->b);
	OTF2_EvtWriter_MpiRecv(x->writer, NULL, x->at, (uint32_t)one->c, COMM, (uint32_t)one->a,
			       trace_tag_bytes(one->a));
}

static void put_send(struct writing *x, uint32_t to, uint64_t tag, uint64_t number)
{
	OTF2_EvtWriter_MpiSend(x->writer, NULL, x->at, to, COMM, (uint32_t)tag,
			       trace_tag_bytes(tag));
	if (number && tag == TRACE_OTF2_TAG_START)
		OTF2_EvtWriter_ThreadCreate(x->writer, NULL, x->at, THREADS, number);
	if (number && tag == TRACE_OTF2_TAG_JOIN)
		OTF2_EvtWriter_ThreadEnd(x->writer, NULL, x->at, THREADS, number);
}

/* What has to be until TIME. */
static void reach(struct writing *x, uint64_t time)
{
	while (x->later.n && x->later.at[0].time <= time && trace_otf2_is_well(x->a)) {
		const struct trace_later_one one = trace_later_take(&x->later);

		x->at = one.time > x->at ? one.time : x->at;
		if (one.kind == ARRIVES)
			put_arrival(x, &one);
		else
			put_metric(x, (OTF2_MetricRef)one.a, 0);
	}
}

static enum jw_status put_enter(struct writing *x, OTF2_RegionRef region, struct jw_err *e)
{
	JW_TRY(JW_GROW(&x->open, &grow, e));
	x->open.at[x->open.n++] = region;
	OTF2_EvtWriter_Enter(x->writer, NULL, x->at, region);
	return JW_OK;
}

static void put_leave(struct writing *x, bool failed)
{
	assert(x->open.n);
	OTF2_RegionRef region = x->open.at[--x->open.n];

	if (failed)
		OTF2_AttributeList_AddUint8(x->failed, FAILED, 1); /* a writer takes them out */
	OTF2_EvtWriter_Leave(x->writer, failed ? x->failed : NULL, x->at, region);
}

static void put_io(struct writing *x, enum trace_otf2_kind kind, OTF2_IoHandleRef handle,
		   const uint64_t *other)
{
	if (kind == TRACE_OTF2_TRANSFER)
		OTF2_EvtWriter_IoOperationComplete(x->writer, NULL, x->at, handle, other[1],
						   other[0]);
	else
		OTF2_EvtWriter_IoOperationBegin(
			x->writer, NULL, x->at, handle,
			kind == TRACE_OTF2_READ ? OTF2_IO_OPERATION_MODE_READ
						: OTF2_IO_OPERATION_MODE_WRITE,
			OTF2_IO_OPERATION_FLAG_NONE, OTF2_UNDEFINED_UINT64, other[0]);
}

static enum jw_status put(struct writing *x, enum trace_otf2_kind kind, uint32_t first,
			  const uint64_t *other, struct jw_err *e)
{
	struct trace_later_one later = { .time = x->at + other[0] };

	switch (kind) {
	case TRACE_OTF2_ENTER:
		return put_enter(x, first, e);
	case TRACE_OTF2_LEAVE:
		put_leave(x, first);
		break;
	case TRACE_OTF2_LASTS:
		put_metric(x, first, 1);
		later.kind = STATE_ENDS;
		later.a = first;
		return trace_later_put(&x->later, later, e);
	case TRACE_OTF2_SEND:
		put_send(x, first, other[0], other[1]);
		break;
	case TRACE_OTF2_RECEIVE:
		later.kind = ARRIVES;
		later.a = other[1];
		later.b = other[2];
		later.c = first;
		return trace_later_put(&x->later, later, e);
	case TRACE_OTF2_METRIC:
		put_metric(x, first, other[0]);
		break;
	case TRACE_OTF2_PARAMETER:
		OTF2_EvtWriter_ParameterUnsignedInt(x->writer, NULL, x->at, first, other[0]);
		break;
	case TRACE_OTF2_TEXT:
		OTF2_EvtWriter_ParameterString(x->writer, NULL, x->at, first, (uint32_t)other[0]);
		break;
	case TRACE_OTF2_ACQUIRE:
		OTF2_EvtWriter_ThreadAcquireLock(x->writer, NULL, x->at, OTF2_PARADIGM_PTHREAD,
						 first, (uint32_t)other[0]);
		break;
	case TRACE_OTF2_RELEASE:
		OTF2_EvtWriter_ThreadReleaseLock(x->writer, NULL, x->at, OTF2_PARADIGM_PTHREAD,
						 first, (uint32_t)other[0]);
		break;
	case TRACE_OTF2_READ:
	case TRACE_OTF2_WRITE:
	case TRACE_OTF2_TRANSFER:
		put_io(x, kind, first, other);
		break;
	}
	return JW_OK;
}

/* ---- of one thread ---- */

/* An event of the spool; false: there is none, or the spool has failed. */
static bool get(struct trace_otf2 *w, struct trace_otf2_lane *lane, struct trace_list_at *at,
		uint64_t *head, uint64_t *passed, uint64_t *other)
{
	static const uint8_t counts[1 << TRACE_OTF2_KIND_BITS] = {
#define COUNT(kind, others) others,
		TRACE_OTF2_KINDS(COUNT)
#undef COUNT
	};

	if (!trace_list_get(&w->spool, &lane->events, at, head) ||
	    !trace_list_get(&w->spool, &lane->events, at, passed))
		return false;
	uint64_t kind = *head & ((1 << TRACE_OTF2_KIND_BITS) - 1);

	for (unsigned i = 0; i < counts[kind]; i++)
		if (!trace_list_get(&w->spool, &lane->events, at, &other[i]))
			return false;
	return true;
}

static enum jw_status write_thread(struct writing *x, struct trace_otf2 *w,
				   struct trace_otf2_lane *lane, struct jw_err *e)
{
	struct trace_list_at at = { 0 };
	enum jw_status status = JW_OK;
	uint64_t head = 0, passed = 0, time = 0, other[TRACE_OTF2_OTHERS] = { 0 };

	x->at = 0;
	while (status == JW_OK && trace_otf2_is_well(x->a) &&
	       get(w, lane, &at, &head, &passed, other)) {
		time += passed;
		reach(x, time);
		x->at = time;
		status = put(x, (enum trace_otf2_kind)(head & ((1 << TRACE_OTF2_KIND_BITS) - 1)),
			     (uint32_t)(head >> TRACE_OTF2_KIND_BITS), other, e);
	}
	reach(x, UINT64_MAX);
	x->a->last = x->at > x->a->last ? x->at : x->a->last;
	x->open.n = x->later.n = 0;
	trace_list_end(&at);
	trace_list_free(&lane->events);
	if (status == JW_OK)
		status = trace_spool_status(&w->spool, e);
	return status;
}

static enum jw_status write_threads(struct writing *x, struct trace_otf2 *w, struct jw_err *e)
{
	for (uint32_t i = 0; i < w->scene->thread_count && trace_otf2_is_well(x->a); i++) {
		x->writer = OTF2_Archive_GetEvtWriter(x->a->archive, i);
		if (!x->writer)
			return trace_otf2_is_well(x->a) ? jw_nomem(e) : x->a->why.status;
		JW_TRY(write_thread(x, w, &w->lanes[i], e));
		if (!trace_otf2_is_well(x->a))
			break;
		OTF2_EvtWriter_GetNumberOfEvents(x->writer, &x->a->events[i]);
		OTF2_Archive_CloseEvtWriter(x->a->archive, x->writer);
	}
	return x->a->why.status;
}

enum jw_status trace_otf2_write_events(struct trace_otf2_archive *a, struct trace_otf2 *w,
				       struct jw_err *e)
{
	struct writing x = { .a = a, .failed = OTF2_AttributeList_New() };
	enum jw_status status = x.failed ? JW_OK : jw_nomem(e);

	if (status == JW_OK)
		OTF2_Archive_OpenEvtFiles(a->archive);
	if (status == JW_OK && trace_otf2_is_well(a))
		status = write_threads(&x, w, e);
	if (status == JW_OK && trace_otf2_is_well(a))
		OTF2_Archive_CloseEvtFiles(a->archive);
	if (x.failed)
		OTF2_AttributeList_Delete(x.failed);
	jw_mem_free(x.open.at);
	trace_later_free(&x.later);
	return status == JW_OK ? a->why.status : status;
}
