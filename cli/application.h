/*
 * application.h: what of the packages of a program is its own, and what it takes from elsewhere.
 *
 * A package is known by its root, as many of its first parts as somebody has for all that is his:
 *
 *     com.acme.shop.web        com.acme            a name of a domain: two parts
 *     com.google.common.io     com.google.common   of a domain that holds many projects: three
 *     uk.co.acme.shop          uk.co.acme          likewise
 *     kafka.server             kafka               no domain at all: one
 *     acme.com.google.common   acme.com.google.common    a library that was relocated: with what is before it
 */
#ifndef JW_CLI_APPLICATION_H
#define JW_CLI_APPLICATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"

/* How many characters of PACKAGE ("com.acme.shop"; "" for none) are its root. */
size_t cli_root(const char *package);
/* Is all below the package ROOT its owner's? Not below "com". */
bool cli_root_is_deep(const char *root);
/* Do the packages A and B have the same root? */
bool cli_same_root(const char *a, const char *b);
/* The package of CLASS into PACKAGE of SIZE; cut when it has no room. */
void cli_package_of(const char *class_name, char *package, size_t size);

/* Does PACKAGE belong to a library that everybody knows? Also one that was relocated. */
bool cli_is_library(const char *package);
/* Is it that of a library which a build has moved below a package of its own (as the plugin "shade" of Maven does), so
 * that no other version of it is met? */
bool cli_is_relocated(const char *package);
/* Does it belong to one that every program may have and none is about, such as one that logs? */
bool cli_is_helper(const char *package);
/* The group of the project that ENTRY of an archive is about, as Maven puts it there; empty: it is about none. */
struct jw_span cli_maven_group(struct jw_span entry);
/* Is MAIN_CLASS one that only starts what others wrote (JMH, a test runner)? */
bool cli_is_launcher(const char *main_class);
/* Is MAIN_CLASS that of a compiler which takes code out of the libraries of its language? */
bool cli_is_compiler(const char *main_class);
/* Is MAIN_CLASS that of a tool by which a build asks a java something, so that nobody wants a trace of it? */
bool cli_is_asker(const char *main_class);
/* Is MAIN_CLASS that of a tool that builds (Maven, Gradle), or helps its tests? */
bool cli_is_builder(const char *main_class);

#endif
