/*
 * asked.c: requests on connections as slices (perfetto.h), each connection's on a track of its
 * process. Those of one address have one name, by which the viewer shows them as one.
 *
 *     process
 *         answers at 10.0.0.1:80     requests, called by the thread that has read them
 *         asks 10.0.0.2:5432         likewise, by the one that has written them
 *
 * Tracks and slices belong to the sequence of marks, and have their texts in them.
 */
#include "base/grow.h"
#include "trace/names/label.h"
#include "trace/perfetto/event.h"
#include "trace/perfetto/perfetto_int.h"
#include "trace/perfetto/waiting.h"
#include "trace/requests/requests.h"

#include "base/banned.h"

#define PIECE ((size_t)256 << 10)

struct putting {
	struct trace_perfetto *w;
	struct jw_buf out, text; /* owned; text: of one name */
	struct {
		struct track {
			uint64_t end; /* of its latest request */
			bool described;
		} * at; /* owned; by number of the connection */
		size_t n, room;
	} tracks;
};

static uint64_t uuid_of(const struct trace_scene *s, uint64_t connection)
{
	return ((uint64_t)s->thread_count + 1 + s->process_count + connection) * 8;
}

/* NULL: no memory. */
static struct track *track_of(struct putting *p, uint64_t connection, struct jw_err *e)
{
	static const struct jw_growth tracks = { .what = "connections" };
	size_t n = (size_t)connection + 1;

	if (n > p->tracks.room && jw_grow(NULL, &p->tracks.at, &p->tracks.room,
					  sizeof(*p->tracks.at), n, &tracks, e) != JW_OK)
		return NULL;
	while (p->tracks.n < n)
		p->tracks.at[p->tracks.n++] = (struct track){ 0 };
	return &p->tracks.at[connection];
}

static void describe(struct putting *p, const struct trace_kept_request *r)
{
	const struct trace_scene *s = p->w->scene;

	jw_buf_clear(&p->text);
	jw_put_str(&p->text, r->asks ? "asks " : "answers at ");
	trace_put_name(&p->text, r->server, TRACE_MAX_LABEL);
	trace_pf_put_track(&p->out, uuid_of(s, r->number), jw_buf_span(&p->text),
			   trace_pf_process_uuid(s, r->process));
}

/* The name of the thread in place AT, in `text`. */
static struct jw_span thread_name(struct putting *p, uint32_t at)
{
	jw_buf_clear(&p->text);
	trace_pf_put_thread_name(p->w, &p->text, at);
	return jw_buf_span(&p->text);
}

/* From BEGIN on. */
static void put_slice(struct putting *p, const struct trace_kept_request *r, uint64_t begin)
{
	struct jw_buf *out = &p->out;
	uint64_t track = uuid_of(p->w->scene, r->number);
	struct trace_pf_event at = trace_pf_open_event(out, begin, PF_BEGIN, track);

	trace_pb_text(out, PF_EVENT_TEXT, thread_name(p, r->asker));
	trace_pf_note(out, "answer began after, ns", PF_NOTE_UINT, r->answer_begin - r->begin);
	trace_pf_note_text(out, r->asks ? "answer read by" : "answer written by",
			   thread_name(p, r->answerer));
	jw_buf_clear(&p->text);
	trace_put_name(&p->text, jw_span_str(r->connection), TRACE_MAX_LABEL);
	trace_pf_note_text(out, "connection", jw_buf_span(&p->text));
	trace_pf_close_event(out, &at);
	at = trace_pf_open_event(out, r->end, PF_END, track);
	trace_pf_close_event(out, &at);
}

/* Of slices on one track each has to end before the next begins, also where clocks are not sure. */
static enum jw_status put_request(void *ctx, const struct trace_kept_request *r, struct jw_err *e)
{
	struct putting *p = ctx;
	struct track *track = track_of(p, r->number, e);

	if (!track)
		return jw_nomem(e);
	if (!track->described)
		describe(p, r);
	track->described = true;
	if (r->end < track->end)
		return JW_OK;
	put_slice(p, r, r->begin > track->end ? r->begin : track->end);
	track->end = r->end;
	return trace_pf_send(p->w, &p->out, &p->text, PIECE, e);
}

enum jw_status trace_pf_put_requests(struct trace_perfetto *w, struct jw_err *e)
{
	struct putting p = { .w = w };

	if (!w->requests)
		return JW_OK;
	enum jw_status status = trace_requests_each(w->requests, put_request, &p, e);

	if (status == JW_OK)
		status = trace_pf_send(w, &p.out, &p.text, 0, e);
	jw_buf_free(&p.out);
	jw_buf_free(&p.text);
	jw_mem_free(p.tracks.at);
	return status;
}

void trace_perfetto_requests(void *ctx, struct trace_requests *requests)
{
	struct trace_perfetto *w = ctx;

	w->requests = requests;
}
