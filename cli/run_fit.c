#include "cli/run_fit.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/java_launcher.h"
#include "cli/out.h"

#include "base/banned.h"

extern char **environ;

enum {
	WORD_PAGES = 32,   /* MAX_ARG_STRLEN of Linux */
	ALL_MAX = 6 << 20, /* however large the stack may be */
	LATER = 16 << 10,  /* what is not in the environment yet, and the kernel's own */
	FILES_RELEASE = 9, /* from it on the launcher reads argument files */
};

/* The bytes of WORDS on the stack of a program; SIZE_MAX: one is too long. */
static size_t size_of(const char *const *words)
{
	const size_t max = WORD_PAGES * (size_t)sysconf(_SC_PAGESIZE);
	size_t sum = 0;

	for (; *words; words++) {
		size_t n = strlen(*words) + 1;

		if (n > max)
			return SIZE_MAX;
		sum += n + sizeof(*words);
	}
	return sum;
}

static bool fits(const char *const *words)
{
	union { /* (nothing of it is changed) */
		char **in;
		const char *const *out;
	} variables = { .in = environ };
	long max = sysconf(_SC_ARG_MAX);
	size_t all = max > 0 && max < ALL_MAX ? (size_t)max : ALL_MAX;
	size_t of_words = size_of(words), of_environment = size_of(variables.out);

	return of_words < all && of_environment < all && of_words + of_environment + LATER < all;
}

/* Those of WORDS that follow the launcher. Up to the main class that one takes "@@x" for "@x", but not in a file. */
static enum jw_status put_words(const struct cli_java *java, const char *const *words,
				struct jw_buf *out, struct jw_err *e)
{
	size_t count = 0, after_main = java->count - java->main - 1;
	bool files = true;

	while (words[count])
		count++;
	for (size_t i = java->launcher + 1; i < count; i++) {
		files = files && i + after_main < count;
		cli_words_put(out, words[i] + (files && strncmp(words[i], "@@", 2) == 0));
		files = files && strcmp(words[i], CLI_JAVA_NO_FILES) != 0;
	}
	return jw_buf_finish(out, "the argument file", e);
}

static enum jw_status write_file(struct run *run, const char *const *words, const char *path,
				 struct jw_err *e)
{
	struct jw_buf text = { 0 };
	enum jw_status status = put_words(&run->java, words, &text, e);

	if (status == JW_OK)
		status = cli_write_file(path, 0600, jw_buf_span(&text), e);
	jw_buf_free(&text);
	return status;
}

static const char *why_no_file(const struct run *run)
{
	const struct cli_java *java = &run->java;
	unsigned release = cli_java_release(java->words[java->launcher], run->arena);

	if (release ? release < FILES_RELEASE : !java->has_files)
		return "this java reads no argument files";
	return run->place ? NULL : "there is no room for temporary files";
}

enum jw_status run_fit(struct run *run, const char ***words, const char **why, struct jw_err *e)
{
	size_t launcher = run->java.launcher;
	struct jw_err failed = { 0 };

	*why = NULL;
	if (fits(*words))
		return JW_OK;
	*why = why_no_file(run);
	if (*why)
		return JW_OK;
	const char **made = JW_NEW_ARRAY(run->arena, const char *, launcher + 3);
	const char *path = jw_arena_fmt(run->arena, "%s/arguments", run->place);
	if (!made || !path)
		return jw_nomem(e);
	if (write_file(run, *words, path, &failed) != JW_OK) {
		*why = jw_arena_str(run->arena, jw_span_str(failed.text));
		return *why ? JW_OK : jw_nomem(e);
	}
	memcpy(made, *words, (launcher + 1) * sizeof(*made));
	made[launcher + 1] = jw_arena_fmt(run->arena, "@%s", path);
	made[launcher + 2] = NULL;
	if (!made[launcher + 1])
		return jw_nomem(e);
	*words = made;
	return JW_OK;
}
