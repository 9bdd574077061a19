/*
 * folder_links.h: links in a folder that is woven.
 *
 * A link stays a link, and leads in the output to what it led to: within the folder to the woven copy,
 * else to the same file or folder as before. Where that is a class file or an archive, it is woven, and
 * what was woven is then a file in the place of the link: what is outside is never changed.
 */
#ifndef JW_WEAVER_FOLDER_LINKS_H
#define JW_WEAVER_FOLDER_LINKS_H

#include "base/status.h"
#include "weaver/archive/weave_tally.h"
#include "weaver/input/tree.h"

/* Copies the link FROM, in the folder IN, to TO. */
enum jw_status JW_MUST_USE weave_copy_link(const char *in, const char *from, const char *to,
					   struct jw_err *e);

/* Notes in TALLY the links of TREE, below IN, to folders outside of it that hold class files: these are
 * not woven. */
enum jw_status JW_MUST_USE weave_note_links(const char *in, const struct weave_tree *tree,
					    struct weave_tally *tally, struct jw_err *e);

#endif
