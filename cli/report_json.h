/*
 * report_json.h: parts that the JSON of several reports share.
 */
#ifndef JW_CLI_REPORT_JSON_H
#define JW_CLI_REPORT_JSON_H

#include "cli/json_out.h"
#include "trace/report/report.h"

/* KEY of PARENT: { running, blocked, waiting, io, forWork, gc, other } */
void cli_report_json_split(struct cli_json *json, cJSON *parent, const char *key,
			   const struct trace_report_split *split);
/* The same of TIMES, which are in that order. */
void cli_report_json_times(struct cli_json *json, cJSON *parent, const char *key,
			   const uint64_t times[TRACE_REPORT_TIMES]);
/* The members name and full in OBJECT of a method whose label is TEXT. */
void cli_report_json_label(struct cli_json *json, cJSON *object, const char *text);
/* The members of a wait in OBJECT, but who ended it. */
void cli_report_json_wait(struct cli_json *json, cJSON *object,
			  const struct trace_report_stall *wait);

/* Bytes of sockets, where there are any, and clocks that were set by messages, as members. */
void cli_report_json_sockets(struct cli_json *json, const struct trace_socket_bytes *sockets,
			     const struct trace_messages_told *messages);

#endif
