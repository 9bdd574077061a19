/*
 * run_application.h: an application that is on no path of its command, since what the command starts reads it
 * by class loaders of its own: a server its web applications, the launcher of Quarkus what that has built.
 */
#ifndef JW_CLI_RUN_APPLICATION_H
#define JW_CLI_RUN_APPLICATION_H

#include "cli/run.h"

/* Finds, for the command and the option --also, RUN's application, and its main class. JW_USAGE: --also names what is not
 * there. */
enum jw_status JW_MUST_USE run_application(struct run *run, struct jw_err *e);

#endif
