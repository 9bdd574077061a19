/*
 * run_settings.h: options of `jweave run` that become variables of the program.
 */
#ifndef JW_CLI_RUN_SETTINGS_H
#define JW_CLI_RUN_SETTINGS_H

#include "cli/run.h"

/* Sets the variables that options ask for; JW_USAGE: a value is none. Names what is unknown. */
enum jw_status JW_MUST_USE run_settings(struct run *run, struct jw_err *e);
/* With -q the programs of a job do not say where their recordings are, either, unless the user has asked for that. (The line of one
 * program alone comes with its warnings, as of a deadlock.) */
enum jw_status JW_MUST_USE run_hush(const struct run *run, struct jw_err *e);
/* Is OPTION one that sets a variable? */
bool run_is_setting(enum cli_option_id option);
/* What is woven for a run traces only where JWEAVE=on is set. Else what a program has copied of it, into the cache of
 * an OSGi framework or a folder of an unpacked .war, would trace ever after. Sets it for the program, unless the user
 * or the rules say that nothing is traced. */
enum jw_status JW_MUST_USE run_wake(const struct run *run, struct jw_err *e);
/* Appends to OPTIONS what the environment tells the program, as options of java: for one that may not get it. What the
 * command says of the environment itself stays. */
enum jw_status JW_MUST_USE run_hand_on(const struct run *run, struct cli_words *options,
				       struct jw_err *e);
/* Are --enable and --disable about rules that there are? */
enum jw_status JW_MUST_USE run_check_switches(struct run *run, struct jw_err *e);

#endif
