/*
 * waits.c: see waits.h. What the pass makes of them is its own: states and arrows (find.c), or
 * events (wait_events.c).
 */
#include "base/operations.h"
#include "trace/format/methodmap.h"
#include "trace/format/recording.h"
#include "trace/output.h"
#include "trace/reader/holders.h"
#include "trace/replay/align.h"
#include "trace/replay/parks.h"
#include "trace/replay/pass.h"
#include "trace/replay/track.h"
#include "trace/replay/waits.h"
#include "trace/replay/world.h"

#include "base/banned.h"

const uint32_t trace_wait_states[] = {
	[TRACE_NO_WAIT] = TRACE_RUNNING,
	[TRACE_WAIT_ENTER] = TRACE_BLOCKED,
	[TRACE_WAIT_OBJECT] = TRACE_SYNCHRONIZATION,
	[TRACE_WAIT_PARK] = TRACE_SYNCHRONIZATION,
	[TRACE_WAIT_FOR_WORK] = TRACE_FOR_WORK,
	[TRACE_WAIT_SLEEP] = TRACE_SYNCHRONIZATION,
	[TRACE_WAIT_SELECT] = TRACE_IO,
	[TRACE_WAIT_FOR_REQUESTS] = TRACE_FOR_WORK,
	[TRACE_WAIT_POLL] = TRACE_IO,
	[TRACE_WAIT_ACCEPT] = TRACE_IO,
	[TRACE_WAIT_CONNECT] = TRACE_IO,
	[TRACE_WAIT_READ] = TRACE_IO,
	[TRACE_WAIT_WRITE] = TRACE_IO,
	[TRACE_WAIT_FORCE] = TRACE_IO,
	[TRACE_WAIT_CHILD] = TRACE_SYNCHRONIZATION,
	[TRACE_WAIT_LOCK] = TRACE_IO,
};

/* By what an AWAIT or AWAITED is of. */
static const uint8_t awaits[] = {
	[JWR_AWAIT_SLEEP] = TRACE_WAIT_SLEEP,     [JWR_AWAIT_SELECT] = TRACE_WAIT_SELECT,
	[JWR_AWAIT_POLL] = TRACE_WAIT_POLL,       [JWR_AWAIT_ACCEPT] = TRACE_WAIT_ACCEPT,
	[JWR_AWAIT_CONNECT] = TRACE_WAIT_CONNECT, [JWR_AWAIT_READ] = TRACE_WAIT_READ,
	[JWR_AWAIT_WRITE] = TRACE_WAIT_WRITE,     [JWR_AWAIT_FORCE] = TRACE_WAIT_FORCE,
	[JWR_AWAIT_CHILD] = TRACE_WAIT_CHILD,     [JWR_AWAIT_LOCK] = TRACE_WAIT_LOCK,
};

/* The wait that records of each kind begin or end. */
static const struct {
	uint8_t value;
	bool begins;
} kinds[] = {
	[JWR_CONTENDED] = { TRACE_WAIT_ENTER, true }, [JWR_ENTERED] = { TRACE_WAIT_ENTER, false },
	[JWR_WAIT] = { TRACE_WAIT_OBJECT, true },     [JWR_WAITED] = { TRACE_WAIT_OBJECT, false },
	[JWR_EXPIRED] = { TRACE_WAIT_OBJECT, false }, [JWR_PARK] = { TRACE_WAIT_PARK, true },
	[JWR_PARKED] = { TRACE_WAIT_PARK, false },    [JWR_AWAIT] = { TRACE_NO_WAIT, true },
	[JWR_AWAITED] = { TRACE_NO_WAIT, false },
};

bool trace_is_of_wait(enum jwr_kind kind)
{
	return kind == JWR_AWAIT || kind == JWR_AWAITED ||
	       (kind < sizeof(kinds) / sizeof(*kinds) && kinds[kind].value != TRACE_NO_WAIT);
}

uint8_t trace_wait_of_await(unsigned what)
{
	return what < sizeof(awaits) / sizeof(*awaits) ? awaits[what] : TRACE_NO_WAIT;
}

/* The wait that WORD begins or ends; TRACE_NO_WAIT: damage, or one of a later version. */
static uint8_t value_of(uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);

	if (kind != JWR_AWAIT && kind != JWR_AWAITED)
		return kinds[kind].value;
	return trace_wait_of_await(jwr_await_what(jwr_word_payload(word)));
}

/* Does what ends a wait of VALUE end one that is shown as OTHER? */
static bool is_same(uint8_t other, uint8_t value)
{
	if (other == TRACE_WAIT_FOR_REQUESTS)
		return value == TRACE_WAIT_SELECT || value == TRACE_WAIT_ACCEPT ||
		       value == TRACE_WAIT_POLL || value == TRACE_WAIT_READ;
	if (value == TRACE_WAIT_OBJECT)
		return other == TRACE_WAIT_FOR_WORK || other == value;
	if (value == TRACE_WAIT_PARK) /* also of a virtual thread that sleeps */
		return other == TRACE_WAIT_FOR_WORK || other == TRACE_WAIT_SLEEP || other == value;
	return other == value;
}

/* Is WHO in the midst of an operation, but for the one that waits? */
static bool is_in_operation(const struct trace_who *who)
{
	const struct trace_insides *in = &who->track->insides;

	for (uint32_t i = 0; i < in->n; i++) {
		const struct jw_operation *op = in->at[i].method->about.operation;

		if (op && !(op->type == JW_OPERATIONS_IO && i == in->n - 1))
			return true;
	}
	return false;
}

/* May requests come on the channel NUMBER of WHO: that somebody connects, or asks on a connection that was accepted,
 * and on which nothing was asked that is not answered yet? */
static bool may_bring_requests(const struct trace_pass *p, const struct trace_who *who,
			       uint64_t number)
{
	const struct trace_channel *c =
		trace_channel_find(&p->world->tasks[who->place.task].rec, number);

	if (!c || !c->socket)
		return false;
	return c->socket->role == TRACE_ROLE_LISTEN ||
	       (c->socket->role == TRACE_ROLE_ACCEPT && who->track->waits.asked != number);
}

/* Has WHO nothing to do when it begins the wait of VALUE with the record WORD? It is a server that
 * waits for somebody to connect, or for the next request on a connection that it has accepted. */
static bool is_for_requests(const struct trace_pass *p, const struct trace_who *who, uint8_t value,
			    uint64_t word)
{
	switch (value) {
	case TRACE_WAIT_SELECT:
	case TRACE_WAIT_ACCEPT:
		return !is_in_operation(who);
	case TRACE_WAIT_POLL: /* also before it accepts, for so long as it likes */
	case TRACE_WAIT_READ:
		return may_bring_requests(p, who, jwr_await_number(jwr_word_payload(word))) &&
		       !is_in_operation(who);
	default:
		return false;
	}
}

/* The wait of VALUE ends with the record WORD: has it got a request, or answered one? */
static void note_request(struct trace_waits *waits, uint8_t value, uint64_t word)
{
	const struct trace_wait *last = waits->n && !waits->over ? &waits->at[waits->n - 1] : NULL;

	if (!last || !is_same(last->value, value) || !jwr_awaited_amount(jwr_word_payload(word)))
		return;
	if (value == TRACE_WAIT_READ && last->value == TRACE_WAIT_FOR_REQUESTS)
		waits->asked = last->channel;
	else if (value == TRACE_WAIT_WRITE && last->channel == waits->asked)
		waits->asked = 0;
}

/* WHO waits for a monitor, or a lock, to the end: who has it? */
static void tell_holder(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	const struct trace_waits *waits = &who->track->waits;
	const struct trace_wait *last = &waits->at[waits->n - 1];
	const struct trace_task *task = &p->world->tasks[who->place.task];
	bool has_owner = last->value == TRACE_WAIT_ENTER || last->value == TRACE_WAIT_PARK;
	const struct trace_holder *held =
		p->does->held && has_owner ? trace_holder_find(&task->rec, who->id) : NULL;
	uint32_t hint = 0;

	if (held && trace_time(task, held->tick, &hint) >= last->begin)
		p->does->held(p, who, time, held->holder);
}

void trace_waits_close(struct trace_pass *p, const struct trace_who *who, uint64_t time)
{
	struct trace_waits *waits = &who->track->waits;

	if (!waits->n)
		return;
	waits->cut = waits->n;
	tell_holder(p, who, time);
	if (p->does->left_open)
		p->does->left_open(p, who, time, &waits->at[waits->n - 1]);
	for (uint8_t i = 0; i < waits->n && p->does->wait_left; i++)
		p->does->wait_left(p, &waits->at[i]);
	waits->n = 0;
	waits->over = 0;
	if (p->does->waits_closed)
		p->does->waits_closed(p, who, time);
}

/* One wait begins or ends; false: it was not open. */
static bool change_waits(struct trace_waits *waits, uint8_t value, bool begins,
			 const struct trace_wait *fresh)
{
	if (begins) {
		if (waits->n == TRACE_WAITS) {
			waits->over++;
			return false;
		}
		waits->at[waits->n++] = *fresh;
		return true;
	}
	if (waits->over) {
		waits->over--;
		return false;
	}
	for (uint8_t i = waits->n; i-- > 0;) {
		if (is_same(waits->at[i].value, value)) {
			waits->n = i;
			return true;
		}
	}
	return false;
}

struct trace_wait *trace_waits_innermost(const struct trace_who *who, uint8_t value)
{
	struct trace_waits *waits = &who->track->waits;
	uint8_t i = waits->n;

	while (i > 0 && waits->at[i - 1].value != value)
		i--;
	return i > 0 && !waits->over ? &waits->at[i - 1] : NULL;
}

bool trace_wait_begins_by(enum jwr_kind kind)
{
	return kind == JWR_HOLDER || (trace_is_of_wait(kind) && kinds[kind].begins);
}

uint8_t trace_wait_ended_by(uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);

	if (kind == JWR_HOLDER) /* ENTERED follows */
		return TRACE_WAIT_ENTER;
	return trace_is_of_wait(kind) && !kinds[kind].begins ? value_of(word) : TRACE_NO_WAIT;
}

void trace_waits_go_on(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint8_t value)
{
	struct trace_waits *waits = &who->track->waits;
	uint8_t i = value == TRACE_NO_WAIT ? 0 : waits->cut;

	while (i > 0 && !is_same(waits->at[i - 1].value, value))
		i--;
	if (!i)
		return;
	struct trace_wait was = waits->at[i - 1], *now = &waits->at[0];

	*now = was;
	now->begin = time;
	now->waiter = NULL;
	waits->n = 1;
	if (p->does->wait_begins)
		p->does->wait_begins(p, who, time,
				     value == TRACE_WAIT_ENTER    ? JWR_CONTENDED
				     : value == TRACE_WAIT_OBJECT ? JWR_WAIT
								  : JWR_PARK);
	now->class = was.class; /* as it is shown: no record tells it again */
	now->place = was.place;
	if (p->does->waits)
		p->does->waits(p, who, time);
}

/* What begins at TIME with the record WORD. */
static struct trace_wait wait_of(uint64_t time, uint64_t word, uint8_t value)
{
	uint64_t payload = jwr_word_payload(word), number = jwr_await_number(payload);
	bool own = jwr_word_kind(word) == JWR_AWAIT;

	return (struct trace_wait){
		.object = own ? 0 : payload,
		.begin = time,
		.channel = own && number <= UINT32_MAX && value != TRACE_WAIT_CHILD
				   ? (uint32_t)number
				   : 0,
		.value = value,
	};
}

/* What came of the wait of VALUE that ends with WORD. */
static void tell_moved(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		       uint64_t word, uint8_t value)
{
	const struct trace_waits *waits = &who->track->waits;

	for (uint8_t i = waits->n; i-- > 0 && !waits->over;)
		if (is_same(waits->at[i].value, value)) {
			p->does->io_ends(p, who, time, &waits->at[i], jwr_word_payload(word));
			return;
		}
}

void trace_waits_take(struct trace_pass *p, const struct trace_who *who, uint64_t time,
		      uint64_t word)
{
	enum jwr_kind kind = jwr_word_kind(word);
	struct trace_waits *waits = &who->track->waits;
	const struct trace_task *task = &p->world->tasks[who->place.task];
	uint8_t before = waits->n, value = value_of(word);
	bool begins = kinds[kind].begins;

	waits->cut = 0;
	if (value == TRACE_NO_WAIT) {
		p->counts.strange++;
		return;
	}
	if (!begins && p->does->wait_ends)
		p->does->wait_ends(p, who, time, kind);
	if (kind == JWR_AWAITED && value >= TRACE_WAIT_FIRST_IO && p->does->io_ends)
		tell_moved(p, who, time, word, value);
	if (kind == JWR_AWAITED)
		note_request(waits, value, word);
	if (kind == JWR_AWAIT && is_for_requests(p, who, value, word))
		value = TRACE_WAIT_FOR_REQUESTS;
	if (kind == JWR_PARK)
		value = trace_park_value(p, task, who->track, jwr_word_payload(word));
	else if (kind == JWR_WAIT)
		value = trace_wait_value(p, task, who->track);
	struct trace_wait fresh = wait_of(time, word, value);

	fresh.at = who->track->place;

	if (!change_waits(waits, value, begins, &fresh))
		return;
	if (begins && p->does->wait_begins)
		p->does->wait_begins(p, who, time, kind);
	/* inner ones, whose ends were lost */
	for (uint8_t i = waits->n; i < before && p->does->wait_left; i++)
		p->does->wait_left(p, &waits->at[i]);
	if (p->does->waits)
		p->does->waits(p, who, time);
}
