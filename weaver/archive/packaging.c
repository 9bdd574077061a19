#include "weaver/archive/packaging.h"

#include <string.h>

#include "weaver/archive/woven_mark.h"

#include "base/banned.h"

enum weave_packaging weave_packaging_of(const struct jw_zip *zip)
{
	for (size_t i = 0; i < zip->count; i++)
		if (jw_span_starts(zip->entries[i].name, JW_SPAN_LIT("WEB-INF/")))
			return WEAVE_PACKAGING_WAR;
	for (size_t i = 0; i < zip->count; i++) {
		struct jw_span name = zip->entries[i].name;

		if (jw_span_eq_str(name, "META-INF/application.xml") ||
		    jw_span_ends(name, JW_SPAN_LIT(".war")))
			return WEAVE_PACKAGING_EAR;
	}
	return WEAVE_PACKAGING_JAR;
}

enum weave_packaging weave_packaging_of_tree(const struct weave_tree *tree)
{
	static const struct {
		const char *path;
		enum weave_packaging packaging;
	} marks[] = {
		{ "WEB-INF", WEAVE_PACKAGING_WAR },
		{ "META-INF/application.xml", WEAVE_PACKAGING_EAR },
		{ WEAVE_QUARKUS_INDEX, WEAVE_PACKAGING_QUARKUS },
	};

	for (size_t i = 0; i < tree->count; i++)
		for (size_t k = 0; k < sizeof(marks) / sizeof(*marks); k++)
			if (strcmp(tree->files[i].path, marks[k].path) == 0)
				return marks[k].packaging;
	return WEAVE_PACKAGING_JAR;
}
