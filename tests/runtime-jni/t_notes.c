/*
 * t_notes.c: what the recorder notes in meta, or stops for, when a limit of its own is reached or a
 * thread stops in the middle of something. Every scenario runs in a child.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "runtime-jni/recorder/sums.h"
#include "runtime-jni/recorder/texts.h"
#include "runtime-jni/recorder/virtual_names.h"
#include "tests/runtime-jni/child_kit.h"

#include "base/banned.h"

/* Does meta of the recording NAME hold LINE, fields separated by "|"? */
static bool says(const char *name, const char *line)
{
	enum { MOST = 8 << 20 };
	char *text = malloc(MOST + 1), want[400];
	size_t n = text ? slurp(name, "meta", text, MOST) : 0;
	bool found;

	snprintf(want, sizeof(want), "%s\n", line);
	for (char *p = want; *p; p++)
		if (*p == '|')
			*p = '\t';
	if (text)
		text[n] = '\0';
	found = text && strstr(text, want) != NULL;
	free(text);
	return found;
}

/* ---- limits ---- */

static void texts_until(uint32_t count)
{
	char text[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "text %u", i);
		(void)rt_text(text);
	}
}

static void child_texts(void)
{
	start_with("texts", NULL);
	texts_until(RT_TEXTS_MAX - 1);
	end();
}

static void child_many_texts(void)
{
	start_with("many-texts", NULL);
	texts_until(RT_TEXTS_MAX + 1);
	end();
}

TEST(texts_that_are_no_longer_told_apart)
{
	is_int(in_child(child_texts), 0);
	ok(!says("texts", "more texts were captured than are told apart (16384)"));
	is_int(in_child(child_many_texts), 0);
	ok(says("many-texts", "note|more texts were captured than are told apart (16384)"));
}

static void name_it(char *name, size_t size)
{
	snprintf(name, size, "virtual");
}

static void child_names(void)
{
	start_with("names", NULL);
	for (uint64_t id = 1; id <= RT_VIRTUAL_NAMES; id++)
		rt_virtual_logs(id, name_it);
	end();
}

static void child_many_names(void)
{
	start_with("many-names", NULL);
	for (uint64_t id = 1; id <= RT_VIRTUAL_NAMES + 2; id++)
		rt_virtual_logs(id, name_it);
	end();
}

TEST(names_of_virtual_threads_that_are_not_recorded)
{
	static const char note[] =
		"note|names of virtual threads were recorded for the first 65535 that had one";

	is_int(in_child(child_names), 0);
	ok(says("names", "virtual|65535|virtual"));
	ok(!says("names", note));
	is_int(in_child(child_many_names), 0);
	ok(says("many-names", note));
	ok(!says("many-names", "virtual|65536|virtual"));
}

/* ---- summaries ---- */

/* The table may not grow, and there is no memory for what takes it out of the way. */
static void child_starved(void)
{
	char path[256];

	config.mode = RT_MODE_SUMMARY;
	config.max_size = 1;
	start_with("starved", NULL);
	rt_sums_enter(rt_recorder_clock(), 1);
	snprintf(path, sizeof(path), "%s/starved.jwr/said", work_dir());
	dup2(open(path, O_WRONLY | O_CREAT, 0666), STDERR_FILENO);
	jw_mem_fail_after(0);
	for (uint64_t id = 2; id < 2000; id++) {
		rt_sums_enter(rt_recorder_clock(), id);
		rt_sums_exit(rt_recorder_clock(), id, false);
	}
	jw_mem_fail_after(-1);
	end();
}

TEST(a_table_that_cannot_be_written)
{
	static const char want[] =
		"jweave: recording stopped: no memory to write a table out; the program runs on\n";
	char text[400];

	is_int(in_child(child_starved), 0);
	text[slurp("starved", "said", text, sizeof(text) - 1)] = '\0';
	is_str(text, want);
}
