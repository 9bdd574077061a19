#include "tests/trace/mutate_recording.h"

#include "base/banned.h"

static const char *const meta_lines[] = {
	"thread\t#\t#\t#\t7\t#\t-\tmain",
	"thread\t#\t0\t#\t7\t#\td\tworker",
	"thread\t#\t0\t#\t0\t#\tj\tG1 Service",
	"thread\t#\t#\t#\t0\t#\ts\tcarrier",
	"thread\t#\t#\t#\t7\t#\tv\t",
	"thread\t#\t0\t#\t7\t0\tc\t(crowd)",
	"thread-end\t#\t#\tmain",
	"thread-end\t#\t#\tanother",
	"thread-name\t#\t#\tthird",
	"clock\tmonotonic",
	"clock\ttsc",
	"clock\tcntvct",
	"clock-point\t#\t#\t#",
	"alive\t#\t#\t#",
	"boot\ta\t#",
	"host\tn#",
	"pid\t#",
	"rank\t#",
	"command\tjava\\x09-jar",
	"java\t17",
	"vm\tOpenJDK",
	"cwd\t/",
	"limit\t#\t#",
	"windows\tanonymous",
	"windows\twindows",
	"map\ta.map",
	"map\tfile:/a%20b.jar",
	"class\t#\tjava.lang.Object",
	"class\t#\tjava.util.concurrent.locks.ReentrantLock$NonfairSync",
	"connection\t#\t#\tconnect\ttcp\t127.0.0.1\t#\t127.0.0.1\t80\t#\t#\t#",
	"connection\t#\t#\taccept\ttcp\t127.0.0.1\t80\t127.0.0.1\t#\t#\t0\t0",
	"connection\t#\t#\tlate\tunix\t/a\t0\t\t0\t#\t0\t0",
	"connection-end\t#\t#\t#\t#\tother",
	"file\t#\t/a",
	"file\t#\t/b\tnamed",
	"net-namespace\t#",
	"virtual\t#\tv",
	"virtual-end\t#\tw",
	"text\t#\ta",
	"text\t#\tjava.lang.Error",
	"event-label\t#\tstep",
	"event-value\t#\t#\tone",
	"probes\t#\tffm",
	"mode\tflight-recorder",
	"mode\tsummary",
	"note\tof all kinds",
	"lost\t#\t#",
	"pause\t#",
	"resume\t#",
	"stop\t#\tcap",
	"data\t#",
	"end\t#\texit",
	"jweave-recording\t#",
	"\\x",
	""
};

void mutate_meta(struct jw_buf *meta, uint32_t *state)
{
	mutate_lines(meta, meta_lines, sizeof(meta_lines) / sizeof(meta_lines[0]), state);
}

/* ---- records ---- */

static struct jwr_record mutate_get(const uint8_t *p)
{
	struct jwr_record r;

	memcpy(&r, p, sizeof(r));
	return r;
}

/* A record of any kind, soon after BEFORE; what it is about is told as in OTHER, or by a low
 * number. */
static struct jwr_record mutate_record(struct jwr_record before, struct jwr_record other,
				       uint32_t *state)
{
	uint64_t about = jwr_word_payload(other.word), low = draw(state, 12);

	switch (draw(state, 4)) {
	case 0:
		about = low;
		break;
	case 1:
		about = jwr_thread_object(low);
		break;
	default:
		break;
	}
	return (struct jwr_record){ before.tick + draw(state, 3000),
				    jwr_word((enum jwr_kind)draw(state, JWR_CREATED + 2), about) };
}

/* Of the ROOM bytes of records at P, which begin anywhere in PART: one comes, goes, or is another.
 * How many bytes of records there are more. */
static int mutate_records(uint8_t *p, size_t room, const struct jw_buf *part, uint32_t *state)
{
	const size_t size = sizeof(struct jwr_record);
	size_t count = room / size, all = part->n / size;

	if (count < 2)
		return 0;
	size_t at = draw(state, (uint32_t)count);
	struct jwr_record before = mutate_get(p + (at ? at - 1 : 0) * size);
	struct jwr_record other = mutate_get(part->p + draw(state, (uint32_t)all) * size);
	struct jwr_record r = mutate_get(p + at * size), new = mutate_record(before, other, state);
	uint32_t how = draw(state, 7);

	if (how == 0) {
		memmove(p + at * size, p + (at + 1) * size, (count - at - 1) * size);
		memset(p + (count - 1) * size, 0, size);
		return -(int)size;
	}
	if (how < 4)
		memmove(p + (at + 1) * size, p + at * size, (count - at - 1) * size);
	else if (how == 4)
		new.word = r.word;
	else if (how == 5)
		new = (struct jwr_record){ r.tick, jwr_word(jwr_word_kind(r.word),
							    jwr_word_payload(new.word)) };
	else
		new = (struct jwr_record){ r.tick, jwr_word(jwr_word_kind(new.word),
							    jwr_word_payload(r.word)) };
	memcpy(p + at * size, &new, size);
	return how < 4 ? (int)size : 0;
}

void mutate_number(struct jw_buf *part, uint32_t *state)
{
	size_t size = draw(state, 2) ? 4 : 8, count = part->n / size;

	if (count == 0)
		return;
	uint8_t *p = part->p + draw(state, (uint32_t)count) * size;
	uint64_t value = 0;

	memcpy(&value, p, size);
	switch (draw(state, 4)) {
	case 0:
		value = draw(state, 600);
		break;
	case 1:
		memcpy(&value, part->p + draw(state, (uint32_t)count) * size, size);
		break;
	default:
		value += draw(state, 2) ? draw(state, 4000) : UINT64_MAX;
	}
	memcpy(p, &value, size);
}

void mutate_pieces(struct jw_buf *part, size_t size, uint32_t *state)
{
	size_t at = draw(state, (uint32_t)(part->n / size + 1)) * size;
	struct jw_buf copy = { 0 };

	jw_put_bytes(&copy, jw_span_sub(jw_buf_span(part), at, size));
	if (draw(state, 3) == 0)
		mutate_splice(part, at, copy.n, (struct jw_span){ (const uint8_t *)"", 0 });
	else
		jw_put_bytes(part, jw_buf_span(&copy));
	jw_buf_free(&copy);
}

void mutate_chunks(struct jw_buf *data, uint32_t *state)
{
	size_t slot = draw(state, (uint32_t)(data->n / JWR_ALIGN + 1)) * JWR_ALIGN;
	struct jwr_chunk head;

	if (data->n < slot + sizeof(head) || draw(state, 8) == 0) {
		mutate_pieces(data, JWR_ALIGN, state);
		return;
	}
	size_t room = (data->n - slot < JWR_ALIGN ? data->n - slot : JWR_ALIGN) - sizeof(head);
	uint8_t *p = data->p + slot;

	memcpy(&head, p, sizeof(head));
	int more = mutate_records(p + sizeof(head), room, data, state);

	if (more > 0 ? head.bytes + sizeof(struct jwr_record) <= room
		     : head.bytes >= (uint32_t)-more)
		head.bytes += (uint32_t)more;
	if (draw(state, 8) == 0)
		head.thread = 1 + draw(state, 4);
	if (draw(state, 8) == 0)
		head.seq = draw(state, 4);
	memcpy(p, &head, sizeof(head));
}

void mutate_window(struct jw_buf *part, uint32_t *state)
{
	struct jwr_window head;

	if (part->n < JWR_HEADER_SIZE + 2 * sizeof(struct jwr_record) ||
	    part->n > JWR_WINDOW_SIZE) {
		mutate_number(part, state);
		return;
	}
	memcpy(&head, part->p, sizeof(head));
	head.cursor += (uint64_t)(int64_t)mutate_records(part->p + JWR_HEADER_SIZE,
							 part->n - JWR_HEADER_SIZE, part, state);
	memcpy(part->p, &head, sizeof(head));
}

/* HEAD, with new lengths, and the parts; nothing when one is too long for its field. */
static void mutate_put_parts(const struct mutate_shape *shape, struct jw_span head,
			     const struct jw_buf *part, struct jw_buf *out)
{
	jw_put_bytes(out, head);
	for (size_t i = 0; i < shape->parts && out->failed == JW_OK; i++) {
		if (i + 1 < shape->parts) {
			out->p[shape->lengths[i][0]] = (uint8_t)part[i].n;
			out->p[shape->lengths[i][1]] = (uint8_t)(part[i].n >> 8);
		}
		if (i + 1 < shape->parts && part[i].n > UINT16_MAX) {
			jw_buf_clear(out);
			return;
		}
		jw_put_bytes(out, jw_buf_span(&part[i]));
	}
}

void mutate_parts(const struct mutate_shape *shape, struct jw_span in, struct jw_buf *out,
		  uint32_t *state)
{
	struct jw_buf part[MUTATE_PARTS_MAX] = { { 0 } };
	struct jw_span span[MUTATE_PARTS_MAX];

	if (in.n < shape->head)
		return;
	shape->cut(in.p, in.n, span);
	for (size_t i = 0; i < shape->parts; i++)
		jw_put_bytes(&part[i], span[i]);
	shape->mutate(part, state);
	mutate_put_parts(shape, jw_span_sub(in, 0, shape->head), part, out);
	for (size_t i = 0; i < shape->parts; i++)
		jw_buf_free(&part[i]);
}
