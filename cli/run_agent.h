/*
 * run_agent.h: agents that need classes as they were compiled. JaCoCo knows by the bytes of a class file of which
 * class it has seen what was covered: of a woven one a report finds nothing, and a build that asks for more fails.
 * PIT changes methods at places that it has found in the original. With one of them a program runs as it is.
 */
#ifndef JW_CLI_RUN_AGENT_H
#define JW_CLI_RUN_AGENT_H

#include "cli/run.h"

/* The command of RUN is left as it is (CLI_JAVA_OTHER), and it is said why, where it has such an agent: by its options,
 * or by JAVA_TOOL_OPTIONS, JDK_JAVA_OPTIONS or _JAVA_OPTIONS. JW_NOMEM. */
enum jw_status JW_MUST_USE run_agent(struct run *run, struct jw_err *e);

#endif
