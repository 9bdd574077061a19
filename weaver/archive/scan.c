#include "weaver/archive/scan.h"

#include "base/file.h"
#include "cfr/class.h"
#include "weaver/class/captures.h"
#include "weaver/input/each_class.h"
#include "weaver/input/tree.h"
#include "weaver/types/types.h"

#include "base/banned.h"

struct input_scan {
	const struct weave_scan_job *job;
	struct weave_types *types;
	struct jw_arena arena;
};

static enum jw_status scan_class(void *ctx, struct jw_span entry, struct jw_span bytes,
				 struct jw_err *e)
{
	struct input_scan *s = ctx;
	const struct weave_class_job job = { .rules = s->job->rules,
					     .entry = entry,
					     .types = s->types,
					     .each_call = s->job->each_call };

	jw_arena_reset(&s->arena);
	return weave_scan_class(&job, bytes, &s->arena, s->job->each, s->job->ctx, e);
}

static enum jw_status scan_all(struct input_scan *s, const struct jw_span *bytes, struct jw_err *e)
{
	const struct weave_scan_job *job = s->job;
	const struct weave_types_job types = { .in = job->in,
					       .bytes = bytes ? *bytes : (struct jw_span){ 0 },
					       .class_path = job->class_path,
					       .no_limits = job->no_limits };
	const struct weave_input in = {
		.path = job->in, .bytes = bytes, .nested = job->nested, .no_limits = job->no_limits
	};

	if (rules_needs_supertypes(job->rules))
		JW_TRY(weave_types_open(&types, &s->types, e));
	JW_TRY(weave_each_class_of(&in, scan_class, s, e));
	if (s->types && job->note)
		return weave_types_notes(s->types, job->note, job->note_ctx, e);
	return JW_OK;
}

enum jw_status weave_scan(const struct weave_scan_job *job, struct jw_err *e)
{
	struct input_scan s = { .job = job };
	struct jw_file file;
	enum jw_status status;

	if (weave_is_folder(job->in)) {
		status = scan_all(&s, NULL, e);
	} else { /* read once: it may be standard input */
		JW_TRY(jw_file_open(job->in, 0, &file, e));
		status = scan_all(&s, &file.bytes, e);
		jw_file_close(&file);
	}
	weave_types_close(s.types);
	jw_arena_free(&s.arena);
	return status;
}

bool weave_scan_has(const struct rules_about *about, const struct jw_capture *capture,
		    const struct rules_method *method, const struct rules_callee *callee)
{
	struct jw_span name = callee ? callee->name : method->name;
	/* a static method that is synchronized holds its class */
	bool has_this = callee || !(method->access & CFR_ACC_STATIC) ||
			(about->operation && about->operation->role == JW_ROLE_HOLD);
	struct weave_signature signature = {
		.descriptor = callee ? callee->descriptor : method->descriptor,
		.has_this = has_this && name.n > 0 && name.p[0] != '<',
		.is_body = !callee,
	};

	return (callee && (callee->made || callee->monitor)) ||
	       weave_has_capture(capture, &signature);
}
