/*
 * packaging.h: what kind of program an archive, or an unpacked one, is: that says where the runtime goes.
 */
#ifndef JW_WEAVER_PACKAGING_H
#define JW_WEAVER_PACKAGING_H

#include "base/zip.h"
#include "weaver/input/tree.h"

enum weave_packaging {
	WEAVE_PACKAGING_JAR,
	WEAVE_PACKAGING_WAR,
	WEAVE_PACKAGING_EAR,
	WEAVE_PACKAGING_QUARKUS /* a folder ("fast-jar"), which is no archive anywhere */
};

enum weave_packaging weave_packaging_of(const struct jw_zip *zip);
enum weave_packaging weave_packaging_of_tree(const struct weave_tree *tree);

#endif
