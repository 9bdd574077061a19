#include "tests/trace/make_recording.h"

#include "base/banned.h"

/* ---- how ---- */

static char scratch[256];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

void make_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_folder(void)
{
	make_remove(scratch);
}

const char *make_folder(void)
{
	if (!scratch[0]) {
		const char *tmp = getenv("TMPDIR");

		snprintf(scratch, sizeof(scratch), "%s/jw-trace-XXXXXX", tmp ? tmp : "/tmp");
		if (!mkdtemp(scratch)) {
			perror(scratch);
			exit(1);
		}
		if (!getenv("JW_KEEP"))
			atexit(remove_folder);
	}
	return scratch;
}

void make_in(const char *path)
{
	snprintf(scratch, sizeof(scratch), "%s", path);
}

const char *make_path(const char *fmt, ...)
{
	static char paths[8][1024];
	static int next;
	char *path = paths[next++ % 8];
	int n = snprintf(path, 1024, "%s/", make_folder());
	va_list args;

	va_start(args, fmt);
	vsnprintf(path + n, 1024 - (size_t)n, fmt, args);
	va_end(args);
	return path;
}

static FILE *open_in(const struct make *m, const char *name)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s", m->path, name);
	FILE *f = fopen(path, "wb");

	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

void make_file(const char *path, struct jw_span bytes)
{
	FILE *f = fopen(path, "wb");

	if (!f || (bytes.n && fwrite(bytes.p, 1, bytes.n, f) != bytes.n) || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

struct make make_begin_bare(const char *name)
{
	struct make m = {
		.ns_per_tick = 0.5,
		.wall_rate = 1,
		.wall_start = UINT64_C(1763719200000000000), /* 2025-11-21 10:00 UTC */
		.mono_start = UINT64_C(5000000000),
		.last_tick = MAKE_START,
		.window_records = JWR_RECORDS_SIZE / sizeof(struct jwr_record),
	};

	snprintf(m.path, sizeof(m.path), "%s/%s.jwr", make_folder(), name);
	mkdir(m.path, 0777);
	m.meta = open_in(&m, "meta");
	m.data = open_in(&m, "data");
	return m;
}

uint64_t make_tick(uint64_t ns)
{
	return MAKE_START + 2 * ns;
}

void make_calls(struct make *m, uint32_t uid, uint64_t first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		make_event(m, uid, make_tick(first + i * 20), JWR_ENTER, 77);
		make_event(m, uid, make_tick(first + i * 20 + 10), JWR_EXIT, 77);
	}
}

struct jwr_clock_point make_point(const struct make *m, uint64_t tick)
{
	uint64_t ns = (uint64_t)((double)(int64_t)(tick - MAKE_START) * m->ns_per_tick);

	return (struct jwr_clock_point){ tick, m->mono_start + ns,
					 m->wall_start + (uint64_t)((double)ns * m->wall_rate) };
}

static struct make begin_process(const char *name, uint64_t host, uint64_t pid)
{
	struct make m = make_begin_bare(name);

	make_meta(
		&m,
		"jweave-recording|1\nclock|tsc\nclock-point|%u|%llu|%llu\nhost|node%llu\npid|%llu\n"
		"java|17\nwindows|windows",
		MAKE_START, (unsigned long long)m.mono_start, (unsigned long long)m.wall_start,
		(unsigned long long)host, (unsigned long long)pid);
	return m;
}

struct make make_begin(const char *name)
{
	return begin_process(name, 1, 100);
}

struct make make_executor(const char *folder, uint64_t number, uint64_t host)
{
	char name[400];

	snprintf(name, sizeof(name), "%s/%llu", folder, (unsigned long long)number);
	struct make m = begin_process(name, host, number + 100);

	make_meta(&m, "role|executor %llu", (unsigned long long)number);
	return m;
}

void make_meta(struct make *m, const char *fmt, ...)
{
	char text[1024];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	for (char *p = text; *p; p++)
		if (*p == '|')
			*p = '\t';
	fprintf(m->meta, "%s\n", text);
}

void make_thread(struct make *m, uint32_t uid, uint64_t start_tick, const char *name)
{
	struct jw_buf escaped = { 0 };

	trace_put_field(&escaped, jw_span_str(name));
	make_meta(m, "thread|%u|%llu|%llu|%u|%u|-|%.*s", uid, (unsigned long long)start_tick,
		  (unsigned long long)start_tick, 4000 + uid, uid, (int)escaped.n,
		  (const char *)escaped.p);
	jw_buf_free(&escaped);
}

static struct make_pending *pending(struct make *m, uint32_t uid)
{
	/* most often the same thread as the last time */
	static size_t last;

	if (last < m->thread_count && m->threads[last].uid == uid)
		return &m->threads[last];
	for (last = 0; last < m->thread_count; last++)
		if (m->threads[last].uid == uid)
			return &m->threads[last];
	m->threads = realloc(m->threads, (m->thread_count + 1) * sizeof(*m->threads));
	m->threads[m->thread_count] = (struct make_pending){ .uid = uid };
	last = m->thread_count++;
	return &m->threads[last];
}

static void put_zeros(FILE *f, size_t n)
{
	static const uint8_t zeros[JWR_RECORDS_SIZE];

	fwrite(zeros, 1, n, f);
}

/* Where the next chunk of F begins: nobody writes what pads the last one. */
static long padded(FILE *f)
{
	return (ftell(f) + JWR_ALIGN - 1) / JWR_ALIGN * JWR_ALIGN;
}

static void write_chunk(struct make *m, struct make_pending *t)
{
	struct jwr_chunk h = {
		.magic = JWR_MAGIC,
		.thread = t->uid,
		.seq = t->seq++,
		.bytes = t->n * (uint32_t)sizeof(struct jwr_record),
	};

	if (t->n == 0)
		return;
	put_zeros(m->data, (size_t)(padded(m->data) - ftell(m->data)));
	h.began = make_point(m, t->r[0].tick);
	h.ended = make_point(m, m->last_tick);
	fwrite(&h, sizeof(h), 1, m->data);
	fwrite(t->r, sizeof(*t->r), t->n, m->data);
	t->n = 0;
}

void make_chunk(struct make *m, uint32_t uid)
{
	write_chunk(m, pending(m, uid));
}

void make_event(struct make *m, uint32_t uid, uint64_t tick, enum jwr_kind kind, uint64_t id)
{
	struct make_pending *t = pending(m, uid);

	if (!t->r)
		t->r = malloc(JWR_RECORDS_SIZE);
	if (t->n == m->window_records)
		write_chunk(m, t);
	t->r[t->n++] = (struct jwr_record){ tick, jwr_word(kind, id) };
	if (tick > m->last_tick)
		m->last_tick = tick;
}

void make_window(struct make *m, uint32_t uid, uint32_t seq)
{
	struct make_pending *t = pending(m, uid);
	uint32_t waits = m->waits == uid && t->n;
	struct jwr_window w = {
		.cursor = JWR_HEADER_SIZE + (t->n - waits) * sizeof(struct jwr_record),
		.waits = waits,
		.limit = JWR_WINDOW_SIZE,
		.magic = JWR_MAGIC,
		.thread = uid,
		.seq = seq,
		.lost = m->lost,
	};

	w.began = make_point(m, t->n ? t->r[0].tick : m->last_tick);
	if (!m->windows)
		m->windows = open_in(m, "windows");
	fwrite(&w, sizeof(w), 1, m->windows);
	put_zeros(m->windows, JWR_HEADER_SIZE - sizeof(w));
	if (t->n)
		fwrite(t->r, sizeof(*t->r), t->n, m->windows);
	put_zeros(m->windows, JWR_RECORDS_SIZE - t->n * sizeof(*t->r));
}

void make_finish(struct make *m, bool clean)
{
	for (size_t i = 0; i < m->thread_count; i++) {
		if (clean)
			write_chunk(m, &m->threads[i]);
		else if (m->threads[i].n)
			make_window(m, m->threads[i].uid, m->threads[i].seq);
		free(m->threads[i].r);
	}
	if (clean) {
		struct jwr_clock_point p = make_point(m, m->last_tick + 2000);

		make_meta(m, "clock-point|%llu|%llu|%llu\ndata|%ld\nend|%llu|exit",
			  (unsigned long long)p.tick, (unsigned long long)p.mono_ns,
			  (unsigned long long)p.wall_ns, padded(m->data),
			  (unsigned long long)p.tick);
	}
	free(m->threads);
	m->threads = NULL;
	m->thread_count = 0;
	fclose(m->meta);
	fclose(m->data);
	if (m->windows)
		fclose(m->windows);
}

const char *make_map(const char *name, uint64_t class_hash, const char *class_name,
		     const char *source, const char *const *methods, size_t n)
{
	const char *path = make_path("%s", name);
	struct jw_buf text = { 0 };
	FILE *f = fopen(path, "wb");

	trace_map_put_header(&text);
	trace_map_put_class(&text, class_hash, jw_span_str(class_name), jw_span_str(source));
	for (size_t i = 0; i < n; i++) {
		const char *desc = strchr(methods[i], '(');
		struct trace_map_method m = {
			.index = (uint16_t)i,
			.line = (uint32_t)(i + 1) * 10,
			.name = jw_span(methods[i],
					desc ? (size_t)(desc - methods[i]) : strlen(methods[i])),
			.descriptor = jw_span_str(desc ? desc : "()V"),
			.rule = JW_SPAN_LIT("all"),
		};

		trace_map_put_method(&text, &m);
	}
	fwrite(text.p, 1, text.n, f);
	fclose(f);
	jw_buf_free(&text);
	return path;
}

enum jw_status make_convert_job(const struct trace_job *job, const char *base,
				struct jw_arena *arena, struct trace_summary *out, struct jw_err *e)
{
	const struct trace_paraver_files files = { .base = make_path("%s", base) };

	return trace_to_paraver(job, &files, arena, out, e);
}

enum jw_status make_convert(const char *const *paths, size_t n, const char *base, const char *map,
			    struct jw_arena *arena, struct trace_summary *out, struct jw_err *e)
{
	struct trace_job job = {
		.recordings = paths,
		.recording_count = n,
		.maps = &map,
		.map_count = map != NULL,
	};

	return make_convert_job(&job, base, arena, out, e);
}

char *make_slurp(const char *path)
{
	FILE *f = fopen(path, "rb");
	long n;

	if (!f)
		return NULL;
	fseek(f, 0, SEEK_END);
	n = ftell(f);
	rewind(f);
	char *text = calloc(1, (size_t)n + 1);

	if (fread(text, 1, (size_t)n, f) != (size_t)n)
		text[0] = '\0';
	fclose(f);
	return text;
}

int make_validate(const char *base)
{
	char command[2000];

	snprintf(command, sizeof(command),
		 "perl tests/paraver/validate.pl '%s.prv' 2>&1 | sed 's/^/# /'; "
		 "perl tests/paraver/validate.pl '%s.prv' >/dev/null 2>&1",
		 make_path("%s", base), make_path("%s", base));
	return system(command);
}
