/*
 * folder.h: what is in a folder, by name; and folders that are made of links.
 */
#ifndef JW_CLI_FOLDER_H
#define JW_CLI_FOLDER_H

#include "cli/words.h"

/* Appends the paths of what is in FOLDER, sorted, to OUT, where TAKES says yes; not what begins with
 * a dot. Nothing where FOLDER cannot be read. */
enum jw_status JW_MUST_USE cli_list_folder(const char *folder, bool (*takes)(const char *path),
					   struct cli_words *out, struct jw_err *e);
bool cli_is_jar(const char *path);
/* Appends the archives in FOLDER and, up to 16 folders deep, below it to OUT; links to folders are not followed. */
enum jw_status JW_MUST_USE cli_list_archives(const char *folder, struct cli_words *out,
					     struct jw_err *e);

/* Makes the folder PATH, for this user alone; NULL is JW_NOMEM. JW_IO: it cannot be made, or is
 * there already. */
enum jw_status JW_MUST_USE cli_new_folder(const char *path, struct jw_err *e);

/* Makes in FOLDER a link, which has an absolute path, to everything in FROM except what is called
 * as one of EXCEPT (NULL ends). JW_IO: FROM cannot be read, or a link not be made. */
enum jw_status JW_MUST_USE cli_link_all(struct jw_arena *arena, const char *from,
					const char *folder, const char *const *except,
					struct jw_err *e);

#endif
