/*
 * run_agent.c: see run_agent.h.
 */
#include "cli/run_agent.h"

#include <stdlib.h>
#include <string.h>

#include "cli/out.h"
#include "cli/run_told.h"
#include "weaver/archive/jar_class_path.h"

#include "base/banned.h"

static const struct agent {
	const char *class; /* Premain-Class begins with it */
	const char *does, *instead;
} agents[] = {
	{ "org.jacoco.", "JaCoCo, which measures coverage,",
	  "run it without JaCoCo (Maven: -Djacoco.skip)" },
	{ "org.pitest.", "PIT, which changes them,", "run the tests without PIT" },
};

/* The agent that OPTION loads, if it is of the table; NULL: none. */
static const struct agent *agent_of(struct run *run, const char *option)
{
	const char *path = cli_after(option, "-javaagent:");
	struct weave_jar_facts facts = { 0 };
	struct jw_err ignored = { 0 };

	if (!path)
		return NULL;
	path = jw_arena_str(run->arena, jw_span(path, strcspn(path, "=")));
	if (!path || weave_jar_facts(path, run->arena, &facts, &ignored) != JW_OK || !facts.agent)
		return NULL;
	for (size_t i = 0; i < sizeof(agents) / sizeof(*agents); i++)
		if (cli_after(facts.agent, agents[i].class))
			return &agents[i];
	return NULL;
}

/* The options of the launcher, and those in variables that it or the JVM reads. */
static enum jw_status options_of(const struct run *run, struct cli_words *options, struct jw_err *e)
{
	static const char *const variables[] = { "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS",
						 "_JAVA_OPTIONS" };
	const struct cli_java *java = &run->java;
	struct jw_err ignored = { 0 };

	for (size_t i = java->launcher + 1; i < java->main; i++)
		JW_TRY(cli_words_add(options, java->words[i], e));
	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++) {
		const char *text = getenv(variables[i]);

		if (text && cli_words_read(options, jw_span_str(text), CLI_QUOTING_VARIABLE,
					   &ignored) == JW_NOMEM)
			return jw_nomem(e);
	}
	return JW_OK;
}

enum jw_status run_agent(struct run *run, struct jw_err *e)
{
	struct cli_words options = { .arena = run->arena };
	const struct agent *agent = NULL;

	if (run->java.none || run->java.mode == CLI_JAVA_OTHER)
		return JW_OK;
	JW_TRY(options_of(run, &options, e));
	for (size_t i = 0; i < options.count && !agent; i++)
		agent = agent_of(run, options.items[i]);
	if (!agent)
		return JW_OK;
	if (run_is_first(run)) /* of several, which are mostly alike */
		cli_warn(
			run->cli,
			"the program runs without tracing, since %s needs its classes as they were "
			"compiled; to trace it, %s",
			agent->does, agent->instead);
	run_tell_outer(run, RUN_SAID);
	run->java.mode = CLI_JAVA_OTHER;
	return JW_OK;
}
