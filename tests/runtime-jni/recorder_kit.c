#include "tests/runtime-jni/recorder_kit.h"

#include "base/banned.h"

_Atomic bool over;
_Atomic int running;

/* ---- what a child does ---- */

static void describe(struct rt_thread_info *out)
{
	snprintf(out->name, sizeof(out->name), "a thread");
	out->java_id = 7;
}

void start(const char *name)
{
	start_with(name, describe);
}

void log_events(int n)
{
	for (int i = 0; i < n; i++)
		rt_event(rt_recorder_clock(), i % 2 ? JWR_EXIT : JWR_ENTER, (uint64_t)i);
}

void end_once(void)
{
	struct rt_recorder_result r;

	end();
	if (rt_recorder_end("test", &r))
		_exit(98);
}

static void count_records(struct left *l, uint32_t uid, const uint8_t *p, size_t bytes)
{
	for (size_t at = 0; at < bytes; at += sizeof(struct jwr_record)) {
		struct jwr_record r;

		memcpy(&r, p + at, sizeof(r));
		if (jwr_word_payload(r.word) != l->events[uid])
			l->gaps++;
		l->events[uid]++;
		l->all++;
	}
}

/* Chunks of one thread lie in order here: one thread writes one after the other. */
static void count_chunks(struct left *l, const uint8_t *p, size_t n, uint32_t *next_seq)
{
	struct jwr_chunk c;

	for (size_t at = 0; at + sizeof(c) <= n;) {
		memcpy(&c, p + at, sizeof(c));
		if (c.magic != JWR_MAGIC) {
			at += JWR_ALIGN;
			continue;
		}
		if (c.thread >= THREADS_MOST || c.seq != next_seq[c.thread]++ || !c.bytes ||
		    c.bytes > JWR_RECORDS_SIZE || c.ended.tick < c.began.tick) {
			l->gaps++;
			return;
		}
		count_records(l, c.thread, p + at + sizeof(c), c.bytes);
		l->chunks++;
		at += (sizeof(c) + c.bytes + JWR_ALIGN - 1) / JWR_ALIGN * JWR_ALIGN;
	}
}

static void count_windows(struct left *l, const uint8_t *p, size_t n, const uint32_t *next_seq)
{
	struct jwr_window w;

	for (size_t at = 0; at + JWR_WINDOW_SIZE <= n; at += JWR_WINDOW_SIZE) {
		memcpy(&w, p + at, sizeof(w));
		if (w.magic != JWR_MAGIC || w.thread >= THREADS_MOST || w.seq < next_seq[w.thread])
			continue;
		l->windows++;
		count_records(l, w.thread, p + at + JWR_HEADER_SIZE, w.cursor - JWR_HEADER_SIZE);
	}
}

static void read_meta(struct left *l)
{
	for (char *line = l->meta; *line;) {
		char *end_of = strchr(line, '\n');

		l->threads += !strncmp(line, "thread\t", 7);
		if (!strncmp(line, "lost\t", 5))
			l->lost += strtoull(strchr(line + 5, '\t') + 1, NULL, 10);
		if (!end_of)
			break;
		line = end_of + 1;
	}
}

struct left *read_back(const char *name)
{
	static struct left l;
	static uint32_t next_seq[THREADS_MOST];
	const size_t max = 96u << 20;
	uint8_t *p = mmap(NULL, max, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	memset(&l, 0, sizeof(l));
	memset(next_seq, 0, sizeof(next_seq));
	size_t n = slurp(name, "meta", l.meta, sizeof(l.meta) - 1);
	l.meta[n] = '\0';
	l.there = n > 0;
	read_meta(&l);
	l.data_bytes = slurp(name, "data", p, max);
	count_chunks(&l, p, l.data_bytes, next_seq);
	n = slurp(name, "windows", p, max);
	count_windows(&l, p, n, next_seq);
	munmap(p, max);
	return &l;
}

bool has_item(const struct left *l, const char *item)
{
	char key[64];

	snprintf(key, sizeof(key), "\n%s\t", item);
	return strstr(l->meta, key) != NULL;
}

void *logging_thread(void *n)
{
	rt_thread_begins();
	log_events(*(int *)n);
	rt_thread_ends("its end");
	return NULL;
}

void run_threads(int count, int *events, bool at_once)
{
	pthread_t all[64];

	for (int i = 0; i < count; i++) {
		if (pthread_create(&all[i % 64], NULL, logging_thread, events) != 0)
			_exit(97);
		if (!at_once)
			pthread_join(all[i % 64], NULL);
	}
	for (int i = 0; i < count && at_once; i++)
		pthread_join(all[i], NULL);
}

void *never_ending(void *unused)
{
	for (uint64_t i = 0; !over; i++) {
		rt_event(rt_recorder_clock(), JWR_ENTER, i);
		running += i == 0;
		if (i % 4096 == 4095)
			usleep(2000); /* or a slow machine's 50 ms reach the size cap */
	}
	return unused;
}
