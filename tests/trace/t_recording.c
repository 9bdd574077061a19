#include "tests/tap.h"
#include "tests/trace/make_recording.h"

#include <fcntl.h>
#include <unistd.h>

#include "trace/reader/reader.h"
#include "trace/report/info.h"

#include "base/banned.h"

static struct jw_arena arena;
static struct trace_notes notes;
static struct trace_recording rec;
static struct jw_err err;

static enum jw_status open_it(const struct make *m)
{
	notes = (struct trace_notes){ .arena = &arena };
	err = (struct jw_err){ 0 };
	return trace_recording_open(m->path, NULL, &rec, &notes, &err);
}

static bool noted(const char *text)
{
	for (size_t i = 0; i < notes.n; i++)
		if (strstr(notes.text[i], text))
			return true;
	return false;
}

static void close_it(void)
{
	trace_recording_close(&rec);
	trace_notes_free(&notes);
	jw_arena_free(&arena);
}

/* Overwrites N bytes of a file of the recording. */
static void spoil(const struct make *m, const char *name, off_t offset, const void *bytes, size_t n)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s", m->path, name);
	int fd = open(path, O_WRONLY);

	ok(fd >= 0 && pwrite(fd, bytes, n, offset) == (ssize_t)n);
	close(fd);
}

static void cut(const struct make *m, const char *name, off_t size)
{
	char path[600];

	snprintf(path, sizeof(path), "%s/%s", m->path, name);
	ok(truncate(path, size) == 0);
}

/* The trace of the recording is valid, and has so many calls. */
static void has_calls(const struct make *m, uint64_t want)
{
	const char *path = m->path;
	struct trace_summary sum = { 0 };
	struct jw_err e = { 0 };

	is_int(make_convert(&path, 1, "damaged", NULL, &arena, &sum, &e), JW_OK);
	is_str(e.text, "");
	is_int(sum.calls, want);
	is_int(make_validate("damaged"), 0);
}

TEST(facts)
{
	struct make m = make_begin("facts");

	make_meta(&m,
		  "command|java -jar a\\x20b.jar\nvm|OpenJDK\ncwd|/srv\nlimit|1|2\nfuture|item\n"
		  "rank|3|20\nnote|something\\x09odd\nmap|/srv/a.jar\nmap|/srv/b.jar");
	make_meta(&m, "thread|5|%llu|%llu|42|17|dv|five", (unsigned long long)make_tick(5),
		  (unsigned long long)make_tick(6));
	make_calls(&m, 5, 10, 3);
	make_meta(&m, "lost|5|9\nlost|5|2");
	make_finish(&m, true);
	is_int(open_it(&m), JW_OK);
	is_str(rec.host, "node1");
	is_int(rec.pid, 100);
	ok(rec.has_rank && rec.rank == 3);
	is_int(rec.ranks, 20);
	is_str(rec.command, "java -jar a b.jar");
	is_str(rec.java, "17");
	is_str(rec.vm, "OpenJDK");
	is_str(rec.cwd, "/srv");
	ok(rec.clean_end && !rec.stopped);
	is_str(rec.end_reason, "exit");
	is_int(rec.map_count, 2);
	is_str(rec.maps[1], "/srv/b.jar");
	is_int(rec.thread_count, 1);
	is_str(rec.threads[0].name, "five");
	is_int(rec.threads[0].uid, 5);
	is_int(rec.threads[0].tid, 42);
	is_int(rec.threads[0].java_id, 17);
	ok(rec.threads[0].is_daemon && rec.threads[0].is_virtual);
	is_int(rec.threads[0].events, 6);
	is_int(rec.threads[0].lost, 11);
	is_int(rec.lost, 11);
	is_int(rec.events, 6);
	is_int(notes.n, 1);
	ok(noted("something\todd"));
	close_it();
}

TEST(killed)
{
	struct make m = make_begin("killed");

	make_calls(&m, 1, 100, 5000); /* two chunks and a live window */
	make_calls(&m, 2, 200, 10);   /* a window alone */
	m.lost = 7;
	make_finish(&m, false);
	is_int(open_it(&m), JW_OK);
	ok(!rec.clean_end);
	is_int(rec.live_windows, 2);
	is_int(rec.events, 10020);
	is_int(rec.lost, 14);
	is_int(rec.stale_windows, 0);
	is_int(notes.n, 0);
	has_calls(&m, 5010);
	close_it();
}

TEST(windows_file_missing_or_anonymous)
{
	struct make m = make_begin("nowindows");

	make_calls(&m, 1, 100, 5000);
	make_finish(&m, false);
	remove(make_path("nowindows.jwr/windows"));
	is_int(open_it(&m), JW_OK);
	is_int(rec.events, 8192);
	ok(noted("no file of windows"));
	close_it();
	m.meta = fopen(make_path("nowindows.jwr/meta"), "ab");
	make_meta(&m, "windows|anonymous");
	fclose(m.meta);
	is_int(open_it(&m), JW_OK);
	ok(noted("kept in memory"));
	has_calls(&m, 4096);
	close_it();
}

TEST(stale_windows)
{
	struct make m = make_begin("stale");

	make_calls(&m, 1, 100, 10);
	make_window(&m, 1, 0); /* death came between the write of its chunk and the new number */
	make_chunk(&m, 1);
	make_finish(&m, false);
	is_int(open_it(&m), JW_OK);
	is_int(rec.stale_windows, 1);
	is_int(rec.events, 20);
	has_calls(&m, 10);
	close_it();
}

TEST(a_spill_cut_by_death_is_in_its_window)
{
	struct make m = make_begin("halfspill");
	static const char zeros[160];

	make_calls(&m, 1, 100, 10);
	make_window(&m, 1, 0);
	make_chunk(&m, 1);
	make_finish(&m, false);
	spoil(&m, "data", 64 + 160, zeros, sizeof(zeros)); /* its second half was never written */
	is_int(open_it(&m), JW_OK);
	is_int(rec.events, 20);
	is_int(rec.cut_chunks, 0);
	ok(!noted("not whole")); /* nothing is missing */
	has_calls(&m, 10);
	close_it();
}

TEST(spills_cut_by_death_in_no_window)
{
	struct make m = make_begin("halves");
	static const char zeros[160];

	make_calls(&m, 1, 100, 10);
	make_chunk(&m, 1);
	make_calls(&m, 2, 100, 10);
	make_chunk(&m, 2);
	make_finish(&m, false);
	spoil(&m, "data", 64 + 160, zeros, sizeof(zeros));
	spoil(&m, "data", JWR_ALIGN + 64 + 160, zeros, sizeof(zeros));
	is_int(open_it(&m), JW_OK);
	is_int(rec.events, 20);
	ok(noted("2 chunks are not whole: what is there was taken"));
	close_it();
}

TEST(what_is_missing_behind_a_cut_is_told)
{
	struct make m = make_begin("after");

	for (int i = 0; i < 4; i++) {
		make_calls(&m, 1, (uint64_t)(100 + i * 1000), 10);
		make_chunk(&m, 1);
	}
	make_meta(&m, "data|2048");
	make_finish(&m, true);
	is_int(open_it(&m), JW_OK); /* the last chunk is not padded: nothing is missing */
	ok(!noted("missing"));
	close_it();
	cut(&m, "data", 2 * JWR_ALIGN);
	is_int(open_it(&m), JW_OK);
	is_int(rec.events, 40);
	ok(noted(": 1024 bytes are missing at the end of its data, 16 for each event"));
	close_it();
}

TEST(holes)
{
	struct make m = make_begin("holes");
	static const char zeros[JWR_ALIGN];

	for (int i = 0; i < 4; i++) {
		make_calls(&m, 1, (uint64_t)(100 + i * 1000), 10);
		make_chunk(&m, 1);
	}
	make_finish(&m, true);
	spoil(&m, "data", JWR_ALIGN, zeros, JWR_ALIGN); /* the second of four */
	is_int(open_it(&m), JW_OK);
	is_int(rec.events, 60);
	is_int(rec.missing_chunks, 1);
	is_int(rec.hole_bytes, JWR_ALIGN);
	ok(noted(": 1 chunk is missing, of up to 4096 events"));
	has_calls(&m, 30);
	close_it();
	/* a damaged header is a hole too */
	spoil(&m, "data", 2 * JWR_ALIGN + 12, "\x07", 1);
	is_int(open_it(&m), JW_OK);
	is_int(rec.events, 40);
	is_int(rec.bad_chunks, 1);
	ok(noted(": 1 chunk with a damaged header was left out"));
	close_it();
}

TEST(a_terabyte_of_nothing)
{
	struct make m = make_begin("sparse");

	make_calls(&m, 1, 100, 10);
	make_window(&m, 1, 5);
	make_finish(&m, true);
	cut(&m, "data", (off_t)1 << 40);
	cut(&m, "windows", (off_t)1 << 40);
	is_int(open_it(&m), JW_OK);
	is_int(rec.events, 40);
	is_int(rec.hole_bytes, (INT64_C(1) << 40) - JWR_ALIGN);
	close_it();
}

TEST(cut_data)
{
	struct make m = make_begin("cut");

	make_calls(&m, 1, 100, 2048);
	make_finish(&m, true);
	for (off_t size = 300; size >= 0; size -= 20) {
		cut(&m, "data", size);
		is_int(open_it(&m), JW_OK);
		is_int(rec.events, size < 64 ? 0 : (size - 64) / 16);
		ok(size < 64 || noted("not whole"));
		if (size > 100)
			has_calls(&m, (uint64_t)((size - 64) / 16 + 1) / 2);
		close_it();
	}
}

TEST(doubled_chunks)
{
	struct make m = make_begin("double");
	char chunk[sizeof(struct jwr_chunk) + 20 * sizeof(struct jwr_record)];

	make_calls(&m, 1, 100, 10);
	make_finish(&m, true);
	FILE *f = fopen(make_path("double.jwr/data"), "rb+");

	ok(fread(chunk, 1, sizeof(chunk), f) == sizeof(chunk));
	fseek(f, JWR_ALIGN, SEEK_SET);
	fwrite(chunk, 1, sizeof(chunk), f);
	fclose(f);
	is_int(open_it(&m), JW_OK);
	is_int(rec.double_chunks, 1);
	is_int(rec.events, 20);
	has_calls(&m, 10);
	close_it();
}

TEST(no_meta)
{
	struct make m = make_begin("nometa");

	make_calls(&m, 4, 100, 10);
	make_calls(&m, 2, 100, 10);
	make_finish(&m, true);
	remove(make_path("nometa.jwr/meta"));
	is_int(open_it(&m), JW_OK);
	is_int(rec.thread_count, 2);
	is_int(rec.threads[0].uid, 2);
	is_int(rec.threads[1].uid, 4);
	ok(noted("'meta' is missing"));
	has_calls(&m, 20);
	close_it();
}

/* One that was cut off before it says who it is, and a folder of which nothing is left. */
TEST(cut_meta)
{
	struct make m = make_begin("cutmeta");

	make_calls(&m, 2, 100, 10);
	make_finish(&m, true);
	cut(&m, "meta", 30);
	is_int(open_it(&m), JW_OK);
	ok(noted("its 'meta' is damaged: it does not say of which process it is"));
	is_int(rec.events, 20);
	close_it();
	is_int(trace_recording_facts(m.path, &rec, &err), JW_INPUT);
	is_str(err.text, "its 'meta' is damaged: it does not say of which process it is");
	trace_recording_close(&rec);
	remove(make_path("cutmeta.jwr/meta"));
	remove(make_path("cutmeta.jwr/data"));
	is_int(open_it(&m), JW_INPUT);
	ok(strstr(err.text, "no recording: the folder is empty"));
	close_it();
}

/* Of one that is too large the lines are read that are within the limit. */
TEST(large_meta)
{
	const size_t limit = trace_meta_limit;
	struct make m = make_begin("largemeta");
	struct stat st;

	make_thread(&m, 1, 0, "one");
	make_calls(&m, 1, 100, 10);
	make_calls(&m, 2, 100, 10);
	make_finish(&m, true);
	ok(stat(make_path("largemeta.jwr/meta"), &st) == 0);
	for (size_t less = 0; less <= 2; less++) {
		trace_meta_limit = (size_t)st.st_size - less;
		is_int(open_it(&m), JW_OK);
		is_int(rec.clean_end, less == 0);
		ok(noted("its 'meta' is too large (limit is ") == (less > 0));
		ok(noted(" bytes): what comes after is left out, the names of later threads with "
			 "it") == (less > 0));
		ok(!noted("damaged line"));
		is_int(rec.thread_count, 2);
		is_str(rec.threads[0].name, "one");
		has_calls(&m, 20);
		close_it();
	}
	trace_meta_limit = 10; /* not even its first line */
	is_int(open_it(&m), JW_INPUT);
	close_it();
	trace_meta_limit = limit;
}

TEST(damaged_meta)
{
	struct make m = make_begin("badmeta");

	make_meta(
		&m,
		"pid|x\nthread|0|1|1|1|1|-|nobody\nthread|99999999999|1\nthread-end|3|soon|three\n"
		"clock-point|1|2\nalive|now\nstop|x|y\nend|\nlost|3|many\nrank|-1\nthread\n|"
		"\n\nthread|1|z");
	make_calls(&m, 1, 100, 10);
	make_finish(&m, true);
	is_int(open_it(&m), JW_OK);
	ok(rec.bad_lines >= 11);
	ok(noted("damaged lines"));
	is_int(rec.thread_count, 2);
	is_str(rec.threads[1].name, "three");
	ok(rec.clean_end && !rec.stopped); /* make_finish wrote a good end */
	has_calls(&m, 10);
	close_it();
	spoil(&m, "meta", 0, "x", 1);
	is_int(open_it(&m), JW_INPUT);
	ok(strstr(err.text, "not the 'meta' of a recording"));
	close_it();
}

TEST(newer_format)
{
	struct make m = make_begin_bare("newer");

	make_meta(&m, "jweave-recording|3\nend|1|x");
	make_finish(&m, true);
	is_int(open_it(&m), JW_UNSUPPORTED);
	ok(strstr(err.text, "newer"));
	close_it();
}

TEST(stopped_early)
{
	struct make m = make_begin("stopped");
	const char *path = m.path;
	struct trace_summary sum = { 0 };

	make_event(&m, 1, make_tick(1000), JWR_ENTER, 5);
	make_meta(&m, "stop|%llu|size cap", (unsigned long long)make_tick(4000));
	make_meta(&m, "lost|1|123\nthread-end|1|%llu|main", (unsigned long long)make_tick(9000));
	m.last_tick = make_tick(9000);
	make_finish(&m, true);
	is_int(open_it(&m), JW_OK);
	ok(rec.stopped);
	ok(noted("recording stopped before the program did: size cap"));
	close_it();
	is_int(make_convert(&path, 1, "stopped", NULL, &arena, &sum, &err), JW_OK);
	is_int(sum.duration_ns, 4001); /* open frames are closed when it stopped */
	is_int(sum.lost, 123);
	is_int(make_validate("stopped"), 0);
	jw_arena_free(&arena);
}

/* What threads have lost that there was no room for is told, but they are no row, and no thread. */
TEST(a_crowd_is_no_thread)
{
	struct make m = make_begin("crowd");
	struct trace_recording_info info;

	make_thread(&m, 1, make_tick(0), "main");
	make_calls(&m, 1, 100, 10);
	make_meta(&m, "stop|%llu|the disk is full", (unsigned long long)make_tick(5000));
	make_meta(&m, "thread|2|0|%llu|77|0|c|(threads that there was no room for)",
		  (unsigned long long)make_tick(9000));
	make_meta(&m, "lost|2|84");
	make_finish(&m, true);
	is_int(open_it(&m), JW_OK);
	is_int(rec.thread_count, 1);
	is_int(rec.lost, 84);
	close_it();
	is_int(trace_recording_info(m.path, &arena, &info, &err), JW_OK);
	is_int(info.thread_count, 1);
	is_int(info.lost, 84);
	jw_arena_free(&arena);
	has_calls(&m, 10);
}

/* The machine was suspended, once or twice: the counter went on meanwhile. */
TEST(a_counter_that_jumps)
{
	static const char *const said[] = {
		"1 jump of the tick counter against the clock of the system: times are by the "
		"latter",
		"2 jumps of the tick counter against the clock of the system: times are by the "
		"latter",
	};
	const uint64_t jump = UINT64_C(10000000000);

	for (uint64_t jumps = 1; jumps <= 2; jumps++) {
		struct make m = make_begin(jumps == 1 ? "jump" : "jumps");
		uint32_t hint = 0;

		make_calls(&m, 1, 100, 10);
		for (uint64_t i = 1; i <= 18; i++) {
			struct jwr_clock_point p = make_point(&m, make_tick(i * 100000000));

			p.tick += (i - 1) / 6 < jumps ? (i - 1) / 6 * jump : jumps * jump;
			make_meta(&m, "alive|%llu|%llu|%llu", (unsigned long long)p.tick,
				  (unsigned long long)p.mono_ns, (unsigned long long)p.wall_ns);
		}
		make_finish(&m, true);
		is_int(open_it(&m), JW_OK);
		ok(noted(said[jumps - 1]));
		is_int(trace_clock_ns(&rec.clock, make_tick(1800000000) + jumps * jump, &hint) /
			       1000,
		       (long)(make_point(&m, make_tick(1800000000)).mono_ns / 1000));
		close_it();
	}
}

/* A killed process whose points span a third of what it did: no reading asks the clocks of now. */
TEST(own_points_are_enough)
{
	struct jwr_clock_point now = trace_tick_point(trace_ticks_choose(), 9);
	struct trace_boot boot = trace_boot_now();
	uint64_t start = now.tick - 90000000;

	for (uint64_t seen = 29; seen <= 31; seen += 2) {
		struct make m = make_begin_bare(seen == 29 ? "toofew" : "enough");

		make_meta(
			&m,
			"jweave-recording|1\nclock|%s\nboot|%s|%llu|%llu\npid|100\nwindows|windows",
			trace_ticks_name(trace_ticks_choose()), boot.id,
			(unsigned long long)boot.slept_ns, (unsigned long long)boot.time_namespace);
		/* each tick takes far longer than one of this machine's */
		m.ns_per_tick = 100;
		m.mono_start = now.mono_ns - 90000000 - (start - MAKE_START) * 100;
		m.wall_start = now.wall_ns - (start - MAKE_START) * 100;
		make_meta(&m, "clock-point|%llu|%llu|%llu\nalive|%llu|%llu|0",
			  (unsigned long long)start, (unsigned long long)(now.mono_ns - 90000000),
			  (unsigned long long)now.wall_ns,
			  (unsigned long long)(start + seen * 1000000),
			  (unsigned long long)(now.mono_ns - 90000000 + seen * 100000000));
		make_event(&m, 1, start + 1000, JWR_ENTER, 77);
		make_event(&m, 1, start + 90000000, JWR_EXIT, 77);
		make_finish(&m, false);
		is_int(open_it(&m), JW_OK);
		if (rec.ns_ticks || !boot.id[0])
			tap_note("the clocks of this machine cannot be asked later");
		else
			ok((rec.clock.rate > 99) == (seen == 31));
		close_it();
	}
}

TEST(damaged_window_headers)
{
	struct make m = make_begin("badwindow");

	make_calls(&m, 1, 100, 10);
	make_window(&m, 1, 0);
	make_calls(&m, 2, 100, 10);
	make_window(&m, 2, 0);
	fclose(m.data);
	fclose(m.meta);
	fclose(m.windows);
	spoil(&m, "windows", 0, "\xff\xff\xff\xff\xff\xff\xff\xff",
	      8);                                              /* the cursor of the first */
	spoil(&m, "windows", JWR_WINDOW_SIZE + 16, "none", 4); /* no magic in the second */
	is_int(open_it(&m), JW_OK);
	is_int(rec.bad_windows, 1);
	is_int(rec.events, 20);
	has_calls(&m, 10);
	cut(&m, "windows", JWR_HEADER_SIZE + 100);
	close_it();
	is_int(open_it(&m), JW_OK);
	is_int(rec.events, 6);
	close_it();
	for (size_t i = 0; i < m.thread_count; i++)
		free(m.threads[i].r);
	free(m.threads);
}

TEST(unknown_kinds_and_empty_records)
{
	struct make m = make_begin("kinds");
	const char *path = m.path;
	struct trace_summary sum = { 0 };

	make_event(&m, 1, make_tick(1), JWR_ENTER, 5);
	make_event(&m, 1, make_tick(2), (enum jwr_kind)200, 5);
	make_event(&m, 1, make_tick(3), JWR_NONE, 0);
	make_event(&m, 1, make_tick(4), JWR_EXIT, 5);
	make_finish(&m, true);
	is_int(make_convert(&path, 1, "kinds", NULL, &arena, &sum, &err), JW_OK);
	is_int(sum.events, 3);
	is_int(sum.calls, 1);
	is_int(sum.warning_count, 3); /* the gap, the kind, the name */
	ok(strstr(sum.warnings[1], "1 record of an unknown kind, left out"));
	is_int(make_validate("kinds"), 0);
	jw_arena_free(&arena);
}

TEST(ticks_are_held_in_their_chunk)
{
	struct make m = make_begin("wildtick");
	const char *path = m.path;
	struct trace_summary sum = { 0 };
	uint64_t wild = UINT64_MAX;

	make_calls(&m, 1, 100, 10);
	make_finish(&m, true);
	spoil(&m, "data", 64 + 5 * 16, &wild, 8);
	is_int(make_convert(&path, 1, "wildtick", NULL, &arena, &sum, &err), JW_OK);
	is_int(sum.duration_ns, 1291); /* the end of the process, not of the universe */
	is_int(make_validate("wildtick"), 0);
	jw_arena_free(&arena);
}

TEST(a_clock_seen_only_at_the_start)
{
	struct make m = make_begin("early");

	make_event(&m, 1, make_tick(1000), JWR_ENTER, 5);
	make_event(&m, 1, make_tick(1100), JWR_EXIT, 5);
	make_event(&m, 1, make_tick(5000000000), JWR_ENTER, 5); /* killed after 5 s */
	make_finish(&m, false);
	is_int(open_it(&m), JW_OK);
	ok(noted(": its clock was compared with the time only at the start: durations may be off "
		 "by a few per mille"));
	close_it();
}
