/*
 * home.h: the package in which a unit's own class has its package (base/runtime_class.h).
 *
 * A probe finds its runtime class by the class loader of the woven class. Loaders of plugins often ask their
 * archive for classes of one package alone ("com.acme."), and somebody else for all others. So HOME is what
 * all classes of the unit have in common, as a path: "com/acme/"; "" if there is nothing.
 *
 * There is none in java/, where only the JDK may define classes, nor of what is no package, as a folder that
 * has a hyphen in its name; nor where archives are in the unit, which find the runtime where all classes begin.
 */
#ifndef JW_WEAVER_HOME_H
#define JW_WEAVER_HOME_H

#include <stdbool.h>

#include "base/zip.h"
#include "weaver/archive/roots.h"
#include "weaver/input/tree.h"

/* Both point into a name of ZIP, a path of TREE. A class is in the one of ROOTS that its path begins with, else
 * in the folder itself; BUNDLE: archives in TREE are units of their own. */
struct jw_span weave_home_of_zip(const struct jw_zip *zip);
struct jw_span weave_home_of_tree(const struct weave_tree *tree, const struct weave_roots *roots,
				  bool bundle);

#endif
