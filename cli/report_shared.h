/*
 * report_shared.h: what the text and the JSON of `jweave report` share.
 */
#ifndef JW_CLI_REPORT_SHARED_H
#define JW_CLI_REPORT_SHARED_H

#include "cli/trace_input.h"

/* How many of COUNT are shown: --top, else OTHERWISE. */
size_t cli_report_top(struct cli *cli, size_t count, size_t otherwise);
double cli_report_mean_ns(const struct trace_report_method *method);
/* How many calls there were for each one that was recorded, as its label says: "(1 of 100)"; else 1. */
uint64_t cli_report_every(const struct trace_report_method *method);

/* "com.acme.Lock@1b2c3d4"; without a name of its class, that is its number. */
void cli_report_put_object(struct jw_buf *out, const struct trace_report_monitor *monitor);
/* The same of what was waited for; of several objects, their class. */
void cli_report_put_stalled(struct jw_buf *out, const struct trace_report_stall *stall);
/* "to enter acme.Lock@1b2c3d4 in Pool.take (Pool.java:7)" */
void cli_report_put_wait(struct jw_buf *what, const struct trace_report_stall *stall);

/* Which part of the run it is, if not all, and how many calls that cuts. */
void cli_report_put_range(struct cli *cli, const struct trace_report *report);

/* Said once where somebody held a monitor for long, so many ns at least, who is not known. */
#define CLI_REPORT_ASKED_NS 20000000
#define CLI_REPORT_HOLDERS  "who has a monitor: jweave run --preset=monitors"

double cli_report_ms(uint64_t ns);
/* "and 3 more", where LEFT are not shown; a name, escaped. */
void cli_report_put_more(struct cli *cli, size_t left);
void cli_report_put_name(struct cli *cli, const char *text);
/* " (PROCESS)", escaped, after the name of a thread; nothing of "". */
void cli_report_put_process(struct cli *cli, const char *process);

/* The name of a thread and of its process, and the end of the line. */
void cli_report_put_thread(struct cli *cli, const struct trace_report_thread *thread);

/* What methods are sorted by: what --by says, else running, or self where nothing is known of that.
 * OF_TOTAL: what is shown beside it is of the total time, not of the own one. HEAD: of the column that
 * shows it, in us, where no other does; NULL: one does. */
struct cli_report_by {
	cli_method_key key;
	size_t of;
	bool of_total;
	const char *head;
};
const struct cli_report_by *cli_report_by(struct cli *cli, const struct trace_report *report);

void cli_report_put_methods(struct cli *cli, const struct trace_report *report,
			    const struct trace_report_method **sorted,
			    const struct cli_report_by *by);
void cli_report_put_stalls(struct cli *cli, const struct trace_report *report);

/* report_threads.c: what threads did, and their states. False: no memory. */
bool cli_report_put_threads(struct cli *cli, const struct trace_report *report,
			    const struct cli_report_busy *busy);

/* What a thread does, as JSON has it. */
extern const char *const cli_report_times[TRACE_REPORT_TIMES];

/* Monitors by class. */
struct cli_report_class {
	const char *name;
	size_t objects;
	struct trace_report_wait contended, waits;
};

/* The classes of the monitors of REPORT, the longest waited for first, in the arena; how many. */
size_t cli_report_classes(struct cli *cli, const struct trace_report *report,
			  struct cli_report_class **out);

enum jw_status JW_MUST_USE cli_report_json(struct cli *cli, const struct trace_report *report,
					   const struct trace_report_method **sorted,
					   const struct cli_report_busy *busy, struct jw_err *e);

/* report_processes.c: where there are recordings of several. */
struct cli_json;
void cli_report_put_processes(struct cli *cli, const struct trace_report *r);
void cli_report_add_processes(struct cli_json *json, struct cli *cli, const struct trace_report *r);

/* report_channels.c: connections, and files. */
void cli_report_put_channels(struct cli *cli, const struct trace_report *r);
/* How much of what crossed sockets is known from both ends, and why not the rest. */
void cli_report_put_sockets(struct cli *cli, const struct trace_report *report);

/* Messages of links, where there are any; as JSON, which is a list in any case. */
void cli_report_put_links(struct cli *cli, const struct trace_report *r);
void cli_report_add_links(struct cli_json *json, const struct trace_report *r);

#endif
