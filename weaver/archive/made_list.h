/*
 * made_list.h: which files a weaving has put into its folder, so that the next one into the same place
 * removes those and no others.
 *
 *     META-INF/jweave/files.txt     a path below the folder a line, sorted; \n and \\ in names are escaped
 *
 * Links are in the list as files are; folders are not: an empty one is nobody's loss.
 */
#ifndef JW_WEAVER_MADE_LIST_H
#define JW_WEAVER_MADE_LIST_H

#include "trace/format/methodmap.h"
#include "weaver/input/tree.h"

#define WEAVE_MADE_LIST JWMAP_FOLDER "files.txt"

/* The list of what is in FOLDER; *TEXT is in ARENA. */
enum jw_status JW_MUST_USE weave_made_list(const char *folder, struct jw_arena *arena,
					   struct jw_span *text, struct jw_err *e);

/* May the folder OUT be replaced by what is woven of IN? JW_INPUT names the first file of OUT that no
 * weaving has made: it is neither in OUT's list nor in IN, nor one that weaving adds. An OUT that older
 * versions have woven has no list; one that is not empty and was not woven at all is refused as a whole. */
enum jw_status JW_MUST_USE weave_made_check(const char *out, const struct weave_tree *in,
					    struct jw_err *e);

#endif
