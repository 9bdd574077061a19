/*
 * made.h: an output that its writer makes by name, a file or a folder, and that appears whole or not
 * at all. Of streams of bytes base/file.h knows more.
 *
 *     open -> the writer makes `path` -> commit -> abort        abort: in any case, and on {0}
 *
 * It is made in a hidden folder beside the output, which signals remove (guard.h), and moved.
 */
#ifndef JW_CLI_MADE_H
#define JW_CLI_MADE_H

#include <stdbool.h>

#include "base/memory.h"
#include "base/status.h"

struct cli_made {
	const char *out, *room, *path; /* in an arena; room: the hidden folder */
	bool folder;
};

/* OUT will be a file, or a FOLDER: then `path` is one that is there and empty. JW_USAGE: OUT is
 * something else, or standard output. */
enum jw_status JW_MUST_USE cli_made_open(struct jw_arena *arena, const char *out, bool folder,
					 struct cli_made *made, struct jw_err *e);
/* A file of this name is replaced. Into a folder of this name what was made is moved; what else is
 * in it stays. */
enum jw_status JW_MUST_USE cli_made_commit(struct cli_made *made, struct jw_err *e);
void cli_made_abort(struct cli_made *made);

#endif
