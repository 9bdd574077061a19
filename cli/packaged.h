/*
 * packaged.h: what a program runs that jpackage has packed. jpackage makes ROOT/bin/NAME, a launcher
 * which is a JVM itself, and ROOT/lib/app/NAME.cfg (jdk.jpackage.internal.CfgFile):
 *
 *     [Application]
 *     app.classpath=$APPDIR/shop.jar          one line for each part
 *     app.mainclass=acme.Shop                 or app.mainjar, app.mainmodule
 *     [JavaOptions]
 *     java-options=-Xmx1g                     one line for each word
 */
#ifndef JW_CLI_PACKAGED_H
#define JW_CLI_PACKAGED_H

#include "base/bytes.h"
#include "cli/words.h"

#define CLI_PACKAGED_MAX ((size_t)1 << 20) /* bytes of a .cfg */

/* Appends to WORDS those by which a java in the place of PROGRAM would run what TEXT says, of an application
 * in ROOT; none: TEXT does not say it. */
enum jw_status JW_MUST_USE cli_packaged_words(struct jw_span text, const char *root,
					      const char *program, struct cli_words *words,
					      struct jw_err *e);

#endif
