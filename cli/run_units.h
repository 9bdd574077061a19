/*
 * run_units.h: what is on the paths of a command, looked through by names alone: each jar, folder and jar inside a jar is a
 * unit, and knows how many classes it has below each root (application.h).
 */
#ifndef JW_CLI_RUN_UNITS_H
#define JW_CLI_RUN_UNITS_H

#include "cli/counted_roots.h"
#include "cli/run.h"

struct run_unit {
	struct run_unit *next;
	const char *name; /* of the file */
	bool folder, nested, has_main;
	bool given;        /* it is the application's, on no path of the command */
	bool input;        /* the program reads it as a file, too (run_inputs.h) */
	unsigned projects; /* that a build has put into it, by META-INF/maven */
	struct cli_counted_root *roots;
};

struct run_choice {
	struct run *run;
	struct run_unit *units, **last;
	struct run_unit *jar, *classes,
		*inner;               /* what is looked through; its BOOT-INF/classes; in it */
	const char *inside;           /* the name of `inner` */
	const char *main, *main_file; /* package, and path of the class; NULL: none */
	const char *launcher; /* the package of a main class that only starts others, or NULL */
	struct run_unit *main_unit;
	struct cli_counted_root *chosen;
	bool given, input,
		in_web; /* what is looked at is the application's, a part of a web application */
};

/* All that the command of RUN has on its paths, and its main class, into *OUT, of RUN's arena. Of what cannot be read
 * there is nothing: others speak where it is woven. Errors: JW_NOMEM. */
enum jw_status JW_MUST_USE run_look(struct run *run, struct run_choice **out, struct jw_err *e);
/* The units of the path PATH alone, if there is such a file, join those of C. */
enum jw_status JW_MUST_USE run_look_at(struct run_choice *c, const char *path, struct jw_err *e);

#endif
