#include "base/java_options.h"

#include <stddef.h>

#include "base/banned.h"

bool jw_java_takes_word(struct jw_span option)
{
	/* `java -help` and `java -X` of JDK 25 */
	static const char *const options[] = { "-cp",
					       "-classpath",
					       "--class-path",
					       "-p",
					       "--module-path",
					       "--upgrade-module-path",
					       "--add-modules",
					       "--limit-modules",
					       "--add-exports",
					       "--add-opens",
					       "--add-reads",
					       "--patch-module",
					       "--enable-native-access",
					       "--source",
					       "-d",
					       "--describe-module",
					       NULL };

	for (size_t i = 0; options[i]; i++)
		if (jw_span_eq_str(option, options[i]))
			return true;
	return false;
}
