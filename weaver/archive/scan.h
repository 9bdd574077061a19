/*
 * scan.h: asks the rules about every method of an input, and weaves nothing: for list and explain.
 */
#ifndef JW_WEAVER_SCAN_H
#define JW_WEAVER_SCAN_H

#include "base/status.h"
#include "weaver/class/class_weave.h"

struct weave_scan_job {
	const char *in; /* path, or "-" */
	const struct rules *rules;
	const char *nested;     /* as in weave_archive_job */
	const char *class_path; /* the same */
	bool no_limits;
	weave_each_method *each;
	weave_each_call *each_call; /* may be NULL */
	void *ctx;
	/* Takes sentences for the user, when all is scanned; may be NULL. */
	enum jw_status (*note)(void *ctx, const char *note, struct jw_err *e);
	void *note_ctx;
};

/* Calls EACH for every method with a body, in the order of the archive. */
enum jw_status JW_MUST_USE weave_scan(const struct weave_scan_job *job, struct jw_err *e);

/* Has METHOD, or (not NULL) the call of CALLEE in it, what CAPTURE of ABOUT asks for? Of a callee it is
 * not known here whether it is static. */
bool weave_scan_has(const struct rules_about *about, const struct jw_capture *capture,
		    const struct rules_method *method, const struct rules_callee *callee);

#endif
