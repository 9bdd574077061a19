/*
 * java_launcher.h: which word of a command is the `java` launcher, and which file that is.
 *
 *     java -jar a.jar                            the first word, named java (or java17, .../bin/java)
 *     env X=1 nice -n 5 java -jar a.jar          one that comes after others, where these start what follows
 *     ./mine -jar a.jar                          the first word, when options of the launcher follow
 *     ./bench.sh --lang java -jar a.jar          none: a script knows itself what its words are, and starts java,
 *     mvn -f java test                           ... if it does, with others
 *     env -C there java -jar a.jar               none: a java that begins in another folder, as those of scripts may
 *     docker run image java -jar a.jar           none: a java that sees other files than we do
 */
#ifndef JW_CLI_JAVA_LAUNCHER_H
#define JW_CLI_JAVA_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/memory.h"

/* The launcher's place among COUNT WORDS; COUNT: there is none. *SURE: false where that is one only if what follows is
 * a command of java's. */
size_t cli_java_launcher(size_t count, const char *const *words, struct jw_arena *arena,
			 bool *sure);

/* Do the COUNT WORDS begin with a command that starts others where other files are (docker, chroot)? */
bool cli_java_is_away(size_t count, const char *const *words, struct jw_arena *arena);

/* Does what comes before the launcher, a word of WORDS, hand on its environment (as nice does, and not env -i, sudo)? */
bool cli_java_hands_on(size_t launcher, const char *const *words, struct jw_arena *arena);

/* Is the next word after WORD a class path? */
bool cli_java_is_class_path(const char *word);

/* The file that COMMAND is, by PATH, links resolved; NULL: there is none. */
const char *cli_java_find(const char *command, struct jw_arena *arena);

/* The feature release ("17") of the JDK that COMMAND starts, by the `release` file beside it, or, of a script without
 * one, by what `COMMAND --version` prints; 0 when that cannot be told. */
unsigned cli_java_release(const char *command, struct jw_arena *arena);

/* Does that file say that MODULE is a part of the image itself? */
bool cli_java_has_module(const char *command, struct jw_span module, struct jw_arena *arena);

/* Does java refuse JAR as it is, though its classes can be read? It wants the end record at the end of the file. */
bool cli_java_refuses(const char *jar, struct jw_arena *arena);

#endif
