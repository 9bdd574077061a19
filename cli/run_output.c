#include "cli/run_output.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"

#include "base/banned.h"

const char *run_job(const struct run *run)
{
	const char *job = run->java.texts[CLI_JAVA_JOB] ? run->java.texts[CLI_JAVA_JOB]
							: getenv("JWEAVE_JOB");

	return job && *job == '/' ? job : NULL;
}

/* What its traces are called; NULL: as they are by default. */
static const char *output_of(const struct run *run)
{
	return run->java.texts[CLI_JAVA_OUTPUT] ? run->java.texts[CLI_JAVA_OUTPUT]
						: getenv("JWEAVE_OUTPUT");
}

/* The end of the folder in NAME; NULL: it has none. *VARIES: the recorder fills some of it in. */
static const char *end_of_folder(const char *name, bool *varies)
{
	const char *slash = name ? strrchr(name, '/') : NULL;

	*varies = slash && memchr(name, '%', (size_t)(slash - name));
	return slash;
}

const char *run_output_folder(const struct run *run)
{
	bool varies;
	const char *name = output_of(run), *slash = end_of_folder(name, &varies);

	if (run_job(run))
		return run_job(run);
	if (!slash || varies)
		return ".";
	return slash == name ? "/"
			     : jw_arena_str(run->arena, jw_span(name, (size_t)(slash - name)));
}

struct jw_span run_output_name(const struct run *run)
{
	bool varies;
	const char *name = output_of(run), *slash = end_of_folder(name, &varies),
		   *base = slash ? slash + 1 : name;

	if (!name)
		return jw_span_str("trace-");
	return jw_span(base, varies ? 0 : strcspn(base, "%"));
}

enum jw_status run_output_from_here(struct run *run, struct jw_err *e)
{
	static const char variable[] = "JWEAVE_OUTPUT";
	const char *name = getenv(variable);
	char here[PATH_MAX];

	if (!name && run->embedded) /* a daemon, perhaps, which goes elsewhere */
		name = jw_settings[JW_SETTING_ID_output].fallback;
	if (!name || !*name || *name == '/' || !getcwd(here, sizeof(here)))
		return JW_OK;
	const char *absolute = jw_arena_fmt(run->arena, "%s/%s", here, name);
	return absolute && setenv(variable, absolute, 1) == 0 ? JW_OK : jw_nomem(e);
}

bool run_is_on(void)
{
	bool on = true;

	(void)jw_setting_tracing(getenv("JWEAVE"), &on); /* "on" by run_wake() */
	return on;
}

enum jw_status run_check_output(const struct run *run, struct jw_err *e)
{
	bool varies;
	const char *folder = run_output_folder(run);

	end_of_folder(output_of(run), &varies);
	if (!run->woven || run->outer || !run_is_on() || run_job(run) || varies)
		return JW_OK; /* (of a job the recorder makes the folder) */
	if (!folder)
		return jw_nomem(e);
	if (access(folder, W_OK | X_OK) == 0)
		return JW_OK;
	return jw_fail(e, JW_IO,
		       "no trace can be written to the folder '%s' (%s): name another place with "
		       "--output",
		       folder, strerror(errno));
}
